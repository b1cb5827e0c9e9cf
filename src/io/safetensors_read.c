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
    if (!path) {
        ash__null(f, "path");
        return NULL;
    }
    if (!ash__read_file_options(f, &o, options))
        return NULL;
    if (begin(&file, f, path, &o) == ASH_OK) {
        const ash__tensor *t = ash__tensors_find(&file.from.place, &file.table, name);
        a = t ? read_tensor(&file, t, &o) : NULL;
    }
    end(&file);
    return a;
}
