/*
 * npy_read.c - NPY files as arrays: from a file, a pipe or memory; the elements are elements.c's business.
 */
#include "core/alloc.h"
#include "core/error.h"
#include "io/elements.h"

ash_status ash__npy_read_header(ash__source *from, ash_dtype wanted, ash__npy_header *header)
{
    unsigned char prefix[ASH__NPY_PREFIX] = {0};
    const size_t first = from->size < 10 ? from->size : 10;
    int version = 0;
    size_t start = 0, length = 0;
    *header = (ash__npy_header){0};
    ash_status status = ash__fetch(from, prefix, first);
    if (status == ASH_OK && first == 10 && prefix[6] > 1 && from->size >= ASH__NPY_PREFIX)
        status = ash__fetch(from, prefix + 10, 2);
    if (status == ASH_OK)
        status = ash__npy_prefix(&from->place, prefix, from->size, &version, &start, &length);
    if (status != ASH_OK)
        return status;

    char *text = ash__alloc(from->place.function, (int64_t)length, 1);
    if (!text)
        return ASH_ERR_MEMORY;
    status = ash__fetch(from, text, length);
    if (status == ASH_OK)
        status = ash__npy_parse(&from->place, text, length, version, start, from->size, wanted, header);
    ash__free(text);
    return status;
}

static ash_array *read_source(ash__source *from, const ash_file_options *o)
{
    ash__npy_header header;
    ash_array *a = NULL;
    if (ash__npy_read_header(from, o->dtype, &header) == ASH_OK)
        a = ash__read_array(from, &header, o);
    ash__free(header.node);
    return a;
}

static ash_array *map_source(ash__source *from, const ash_file_options *o)
{
    ash__npy_header header;
    ash_array *a = NULL;
    if (ash__npy_read_header(from, o->dtype, &header) == ASH_OK) {
        ash__buffer *pages = ash__map_file(from, o);
        if (pages) {
            a = ash__map_array(&from->place, pages, &header, o);
            ash__buffer_release(pages);
        }
    }
    ash__free(header.node);
    return a;
}

ash_array *ash_read_npy_opt(const char *path, const ash_file_options *options)
{
    static const char f[] = "ash_read_npy";
    ash_file_options o;
    ash__source from;
    ash_array *a = NULL;
    if (!ash__read_path_options(f, path, &o, options))
        return NULL;
    if (ash__source_begin(&from, f, path, &o) == ASH_OK)
        a = o.mapped ? map_source(&from, &o) : read_source(&from, &o);
    ash__source_end(&from);
    return a;
}

ash_array *ash_parse_npy_opt(const void *data, size_t nbytes, const ash_file_options *options)
{
    static const char f[] = "ash_parse_npy";
    ash_file_options o;
    if (!data && nbytes > 0) {
        ash__null(f, "data");
        return NULL;
    }
    if (!ash__read_file_options(f, &o, options))
        return NULL;
    if (o.mapped) {
        ash__fail(ASH_ERR_ARGUMENT, f, ".mapped is for files; ash_wrap makes an array over memory");
        return NULL;
    }
    ash__source from = {.place = {.function = f}, .fd = -1, .memory = data ? data : "", .size = nbytes};
    return read_source(&from, &o);
}
