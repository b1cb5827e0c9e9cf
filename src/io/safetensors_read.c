/*
 * safetensors_read.c - tensors of a safetensors file as arrays, one or all of them, read or mapped.
 *
 * The elements are little-endian and in row-major order. Mapped tensors of one file share one mapping, which ends with the
 * last of them.
 */
#include "core/error.h"
#include "io/safetensors.h"

/* A file that is open, with its table; what it holds is read, or in `pages`. */
typedef struct opened {
    ash__source from;
    ash__tensors table;
    ash__buffer *pages;
} opened;

static void end(opened *file)
{
    ash__tensors_end(&file->table);
    ash__buffer_release(file->pages);
    ash__source_end(&file->from);
}

/* Whatever the outcome, the file is to be ended. */
static ash_status begin(opened *file, const char *function, const char *path, const ash_file_options *o)
{
    *file = (opened){0};
    ash_status status = ash__source_begin(&file->from, function, path, o);
    if (status == ASH_OK)
        status = ash__tensors_read(&file->from, &file->table);
    if (status == ASH_OK && o->mapped) {
        file->pages = ash__map_file(&file->from, o);
        status = file->pages ? ASH_OK : ash__last_status();
    }
    return status;
}

static ash_array *read_tensor(opened *file, const ash__tensor *t, const ash_file_options *o)
{
    ash__place *const place = &file->from.place;
    ash__npy_node node = {.dtype = t->dtype, .count = 1, .file_size = ash_dtype_size(t->dtype), .first = -1, .next = -1};
    ash__npy_header header = {.data_offset = file->table.data_start + t->begin,
                              .nbytes = t->end - t->begin,
                              .rank = t->rank,
                              .count = t->count,
                              .node = &node,
                              .nodes = 1,
                              .same_layout = true,
                              .any_bool = t->dtype == ASH_BOOL};
    ash_array *a = NULL;
    place->kind = "tensor";
    place->part = t->name;
    node.swapped = header.any_swapped = !ASH__LITTLE_ENDIAN && ash_dtype_size(ash__part(t->dtype)) > 1;
    if (t->dtype == ASH_DTYPE_DEFAULT) {
        ash__fail_at(place, ASH_ERR_UNSUPPORTED, "dtype %s is not supported", t->type);
    } else if (t->rank > ASH_MAX_RANK) {
        ash__fail_at(place, ASH_ERR_UNSUPPORTED, "shape: more than %d axes", ASH_MAX_RANK);
    } else {
        memcpy(header.shape, t->shape, (size_t)t->rank * sizeof *t->shape);
        if (file->pages)
            a = ash__map_array(place, file->pages, &header, o);
        else if (ash__seek(&file->from, header.data_offset) == ASH_OK)
            a = ash__read_array(&file->from, &header, o);
    }
    place->part = NULL;
    return a;
}

/* ---- the public face */

ash_array *ash_read_safetensors_opt(const char *path, const char *name, const ash_file_options *options)
{
    static const char f[] = "ash_read_safetensors";
    ash_file_options o;
    opened file;
    ash_array *a = NULL;
    if (!ash__read_path_options(f, path, &o, options))
        return NULL;
    if (begin(&file, f, path, &o) == ASH_OK) {
        const ash__tensor *t = ash__tensors_find(&file.from.place, &file.table, name);
        a = t ? read_tensor(&file, t, &o) : NULL;
    }
    end(&file);
    return a;
}

/* ---- all of them, as a tree */

typedef struct loading {
    ash__place place;
    const ash__tensors *table;
    ash_tree *tree;
    ash_tree *metadata; /* the texts that are not ours; NULL while there are none */
} loading;

/* Puts a leaf, whose reference ends here, under a name that t does not have. */
static ash_status put_leaf(const loading *l, ash_tree *t, const char *name, ash_tree *leaf)
{
    ash_status status = leaf ? ASH_OK : ash__last_status();
    if (status == ASH_OK && !*name)
        status = ash__fail_at(&l->place, ASH_ERR_UNSUPPORTED, "the name of an entry is empty, which a tree's cannot be");
    if (status == ASH_OK)
        status = ash__tree_append(l->place.function, t, name, leaf);
    ash__tree_end(leaf);
    return status;
}

static ash_status put_metadata(void *context, const char *key, const char *value)
{
    loading *l = context;
    const char *const f = l->place.function;
    ash_tree *to = l->tree;
    if (!ash__tensor_text_is_ours(value)) {
        if (!l->metadata)
            l->metadata = ash__tree_node(f, ASH_TREE_BRANCH);
        to = l->metadata;
    } else if (ash__tensors_have(l->table, key)) {
        return ash__fail_at(&l->place, ASH_ERR_FORMAT, "__metadata__: %.80s is the name of a tensor too", key);
    }
    return to ? put_leaf(l, to, key, ash__tensor_leaf(f, value)) : ash__last_status();
}

static ash_status put_tensor(loading *l, opened *file, const ash__tensor *t, const ash_file_options *o)
{
    const int64_t scope = ash_scope_open(); /* the tree holds the array, and nobody else */
    ash_array *a = read_tensor(file, t, o);
    const ash_status status = a ? put_leaf(l, l->tree, t->name, ash__tree_array(l->place.function, a)) : ash__last_status();
    ash_scope_close(scope);
    return status;
}

static ash_status fill(loading *l, opened *file, const ash_file_options *o)
{
    ash_status status = l->tree ? ASH_OK : ash__last_status();
    for (int64_t i = 0; status == ASH_OK && i < file->table.count; i++)
        status = put_tensor(l, file, &file->table.tensor[i], o);
    if (status == ASH_OK)
        status = ash__tensors_metadata(&file->table, put_metadata, l);
    if (status == ASH_OK && l->metadata && ash__tree_place(l->tree, "__metadata__", strlen("__metadata__")) >= 0)
        status = ash__fail_at(&l->place, ASH_ERR_FORMAT, "__metadata__ is the name of a value too");
    if (status == ASH_OK && l->metadata) {
        status = put_leaf(l, l->tree, "__metadata__", l->metadata);
        l->metadata = NULL;
    }
    ash__tree_end(l->metadata);
    return status;
}

ash_tree *ash_load_safetensors_opt(const char *path, const ash_file_options *options)
{
    static const char f[] = "ash_load_safetensors";
    ash_file_options o;
    opened file;
    loading l = {.place = {.function = f, .path = path}, .table = &file.table};
    if (!ash__read_path_options(f, path, &o, options))
        return NULL;
    ash_status status = begin(&file, f, path, &o);
    if (status == ASH_OK) {
        l.tree = ash_tree_new();
        status = fill(&l, &file, &o);
    }
    end(&file);
    if (status == ASH_OK)
        return l.tree;
    ash_tree_release(l.tree);
    return NULL;
}
