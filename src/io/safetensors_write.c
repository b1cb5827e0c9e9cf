/*
 * safetensors_write.c - a tree of arrays as a safetensors file, byte for byte as the reference implementation writes one.
 *
 * Tensors are sorted by their dtype, from the widest to the narrowest, then by name; so each is aligned, for the header ends at
 * a multiple of 8 bytes.
 */
#include <stdlib.h>

#include "core/alloc.h"
#include "core/error.h"
#include "io/leaves.h"
#include "io/safetensors.h"

#ifdef ASH__WITH_SAFETENSORS
#include <jansson.h>

static const char metadata[] = "__metadata__", metadata_branch[] = "__metadata__.";

/* What becomes a tensor first, sorted. */
static int by_dtype_and_name(const void *a, const void *b)
{
    const ash__leaf *s = a, *t = b;
    const int order_s = s->tree->array ? ash__tensor_order(s->tree->array->dtype) : -1;
    const int order_t = t->tree->array ? ash__tensor_order(t->tree->array->dtype) : -1;
    if (order_s != order_t)
        return order_s > order_t ? -1 : 1;
    return strcmp(s->name, t->name);
}

static ash_status check_array(const char *function, const ash__leaf *leaf)
{
    const ash_array *a = leaf->tree->array;
    ash_status status = ash__check_array(function, leaf->name, a);
    if (status == ASH_OK)
        status = ash_wait(a);
    if (status != ASH_OK)
        return status;
    if (strcmp(leaf->name, metadata) == 0)
        return ash__fail(ASH_ERR_ARGUMENT, function, "an array cannot be called %s, which is the format's own", metadata);
    if (!ash__tensor_type(a->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "%.100s is %s, which safetensors files do not have", leaf->name,
                         ash_dtype_name(a->dtype));
    return ASH_OK;
}

/* Puts a value, whose reference ends here: NULL is one that could not be made. */
static ash_status put_json(const char *function, json_t *to, const char *name, json_t *value)
{
    if (json_object_set_new(to, name, value) == 0) /* ends the reference in any case */
        return ASH_OK;
    return ash__fail(ASH_ERR_VALUE, function, "%.100s: it, or what it is, is no UTF-8 (or there is no memory)", name);
}

static ash_status describe_array(const char *function, json_t *header, const ash__leaf *leaf, size_t *at)
{
    const ash_array *a = leaf->tree->array;
    const size_t begin = *at;
    json_t *shape = json_array(), *offsets = json_array(), *tensor = json_object();
    *at += (size_t)a->size * ash_dtype_size(a->dtype);
    for (int64_t i = 0; i < a->rank; i++)
        json_array_append_new(shape, json_integer(a->shape[i]));
    json_array_append_new(offsets, json_integer((json_int_t)begin));
    json_array_append_new(offsets, json_integer((json_int_t)*at));
    const bool whole = json_object_set_new(tensor, "dtype", json_string(ash__tensor_type(a->dtype))) == 0 &&
                       (int64_t)json_array_size(shape) == a->rank && json_array_size(offsets) == 2;
    if (json_object_set_new(tensor, "shape", shape) == 0 && json_object_set_new(tensor, "data_offsets", offsets) == 0 && whole)
        return put_json(function, header, leaf->name, tensor);
    json_decref(tensor);
    return ash__fail(ASH_ERR_MEMORY, function, "no memory for the header");
}

/* What is no array, as a string. */
static ash_status describe_text(const char *function, json_t *texts, const ash__leaf *leaf)
{
    const size_t prefix = sizeof metadata_branch - 1;
    if (strncmp(leaf->name, metadata_branch, prefix) == 0 && leaf->tree->kind == ASH_TREE_TEXT) {
        if (ash__tensor_text_is_ours(leaf->tree->text))
            return ash__fail(ASH_ERR_VALUE, function, "%.100s begins as only the texts of values do: %.100s", leaf->name,
                             leaf->tree->text);
        return put_json(function, texts, leaf->name + prefix, json_string(leaf->tree->text));
    }
    char *text = ash__tensor_text(function, leaf->tree);
    const ash_status status = text ? put_json(function, texts, leaf->name, json_string(text)) : ash__last_status();
    ash__free(text);
    return status;
}

/* The whole header as JSON: __metadata__ first, then the tensors in the order of their bytes. */
static ash_status describe(const char *function, json_t *header, const ash__leaves *leaves)
{
    size_t at = 0;
    json_t *texts = json_object();
    ash_status status = header && texts ? ASH_OK : ash__fail(ASH_ERR_MEMORY, function, "no memory for the header");
    for (int64_t i = 0; status == ASH_OK && i < leaves->count; i++)
        if (!leaves->leaf[i].tree->array)
            status = describe_text(function, texts, &leaves->leaf[i]);
    if (status == ASH_OK && json_object_size(texts) > 0)
        status = put_json(function, header, metadata, json_incref(texts));
    for (int64_t i = 0; status == ASH_OK && i < leaves->count; i++)
        if (leaves->leaf[i].tree->array)
            status = describe_array(function, header, &leaves->leaf[i], &at);
    json_decref(texts);
    return status;
}

/* The bytes before the data, to be freed; NULL with an error. */
static char *make_header(const char *function, const ash__leaves *leaves, size_t *nbytes)
{
    json_t *header = json_object();
    char *bytes = NULL;
    if (describe(function, header, leaves) == ASH_OK) {
        const size_t length = json_dumpb(header, NULL, 0, JSON_COMPACT), whole = (length + 7) / 8 * 8;
        *nbytes = ASH__SAFETENSORS_PREFIX + whole;
        if (length == 0 || whole > ASH__SAFETENSORS_LONGEST)
            ash__fail(length ? ASH_ERR_UNSUPPORTED : ASH_ERR_MEMORY, function,
                      "a header of %zu bytes cannot be; at most %d are allowed", whole, ASH__SAFETENSORS_LONGEST);
        else
            bytes = ash__alloc(function, (int64_t)*nbytes, 1);
        if (bytes) {
            for (int i = 0; i < ASH__SAFETENSORS_PREFIX; i++)
                bytes[i] = (char)(whole >> 8 * i & 0xff);
            memset(bytes + ASH__SAFETENSORS_PREFIX, ' ', whole);
            json_dumpb(header, bytes + ASH__SAFETENSORS_PREFIX, length, JSON_COMPACT);
        }
    }
    json_decref(header);
    return bytes;
}

static ash_status write_file(const char *function, const char *path, const ash__leaves *leaves)
{
    size_t nbytes = 0;
    char *header = make_header(function, leaves, &nbytes);
    ash__writer *w = NULL;
    ash_status status = header ? ash__writer_open(function, path, &w) : ash__last_status();
    if (status == ASH_OK)
        ash__writer_put(w, header, nbytes);
    ash__free(header);
    if (status != ASH_OK)
        return status;
    for (int64_t i = 0; status == ASH_OK && i < leaves->count; i++)
        if (leaves->leaf[i].tree->array)
            status = ash__put_elements(function, ash__writer_sink(w), leaves->leaf[i].tree->array, false);
    const ash_status written = ash__writer_close(w, status == ASH_OK);
    return status == ASH_OK ? written : status;
}

static ash_status save(const char *function, ash__leaves *leaves, const char *path)
{
    ash_status status = ASH_OK;
    for (int64_t i = 0; status == ASH_OK && i < leaves->count; i++)
        if (leaves->leaf[i].tree->array)
            status = check_array(function, &leaves->leaf[i]);
    if (status != ASH_OK)
        return status;
    if (leaves->count > 1)
        qsort(leaves->leaf, (size_t)leaves->count, sizeof *leaves->leaf, by_dtype_and_name);
    return write_file(function, path, leaves);
}

#else

static ash_status save(const char *function, ash__leaves *leaves, const char *path)
{
    (void)leaves;
    return ash__tensors_missing(&(ash__place){.function = function, .path = path});
}
#endif

ash_status ash_save_safetensors(const ash_tree *t, const char *path)
{
    static const char f[] = "ash_save_safetensors";
    ash__leaves leaves = {0};
    ash_status status = ash__leaves_begin(f, t, &leaves);
    if (status == ASH_OK && !path)
        status = ash__null(f, "path");
    if (status == ASH_OK && !ASH__LITTLE_ENDIAN)
        status = ash__fail(ASH_ERR_UNSUPPORTED, f, "safetensors files are little-endian, and this machine is not");
    if (status == ASH_OK)
        status = save(f, &leaves, path);
    ash__leaves_end(&leaves);
    return status;
}
