/*
 * npz_read.c - the arrays of an NPZ file, one or all of them, read or mapped.
 *
 * An NPZ file is a ZIP archive of NPY files; an array is called as its member is, without `.npy`. Other members are left alone.
 */
#include "core/alloc.h"
#include "core/error.h"
#include "io/zip.h"

static const char ending[] = ".npy";
enum { ENDING = sizeof ending - 1 };

/* Bytes of the name of the array that a member holds; -1 for another member. */
static int64_t length_of(const ash__member *m)
{
    const size_t length = strlen(m->name);
    return length >= ENDING && strcmp(m->name + length - ENDING, ending) == 0 ? (int64_t)(length - ENDING) : -1;
}

/* The array of that name, or, with NULL, the only one there is; NULL with an error. */
static const ash__member *find(const ash__zip *zip, const char *name)
{
    const ash__place *place = &zip->file->place;
    const ash__member *only = NULL;
    int64_t arrays = 0;
    for (int64_t i = 0; i < zip->count; i++) {
        const ash__member *m = &zip->member[i];
        const int64_t length = length_of(m);
        if (name && length == (int64_t)strlen(name) && memcmp(m->name, name, (size_t)length) == 0)
            return m;
        if (length >= 0 && arrays++ == 0)
            only = m;
    }
    if (!name && arrays == 1)
        return only;
    if (arrays == 0)
        ash__fail_at(place, ASH_ERR_BOUNDS, "there is no array in it");
    else if (name)
        ash__fail_at(place, ASH_ERR_BOUNDS, "there is no array %.80s; it has %lld, such as %.*s", name, (long long)arrays,
                     (int)(length_of(only) < 80 ? length_of(only) : 80), only->name);
    else
        ash__fail_at(place, ASH_ERR_ARGUMENT, "name one of its %lld arrays, such as %.*s", (long long)arrays,
                     (int)(length_of(only) < 80 ? length_of(only) : 80), only->name);
    return NULL;
}

/* The array of a member that is open. */
static ash_array *read_member(ash__source *data, const ash_file_options *o)
{
    ash__npy_header header;
    ash_array *a = NULL;
    if (ash__npy_read_header(data, o->dtype, &header) == ASH_OK)
        a = ash__read_array(data, &header, o);
    ash__free(header.node);
    return a;
}

/* The same in the pages of the file. */
static ash_array *map_member(const ash__source *file, ash__buffer *pages, const ash__member *m, size_t at,
                             const ash_file_options *o)
{
    ash__source part = {.place = file->place, .fd = file->fd, .size = m->size};
    ash__npy_header header = {0};
    ash_array *a = NULL;
    part.place.kind = "member";
    part.place.part = m->name;
    if (m->method != ASH__ZIP_STORED)
        ash__fail_at(&part.place, ASH_ERR_UNSUPPORTED, "cannot be mapped: it is compressed");
    else if (ash__seek(&part, at) == ASH_OK && ash__npy_read_header(&part, o->dtype, &header) == ASH_OK) {
        header.data_offset += at;
        a = ash__map_array(&part.place, pages, &header, o);
    }
    ash__free(header.node);
    return a;
}

static ash_array *take_member(const ash__zip *zip, ash__buffer *pages, const ash__member *m, const ash_file_options *o)
{
    ash__unzip unzip;
    ash__source data;
    ash_array *a = NULL;
    if (ash__zip_open(zip, m, &unzip, &data) == ASH_OK)
        a = pages ? map_member(zip->file, pages, m, unzip.start, o) : read_member(&data, o);
    if (ash__zip_close(&unzip, &data, a && !pages) == ASH_OK)
        return a;
    ash_release(a);
    return NULL;
}

/* ---- the public face */

ash_array *ash_read_npz_opt(const char *path, const char *name, const ash_file_options *options)
{
    static const char f[] = "ash_read_npz";
    ash_file_options o;
    ash__source file;
    ash__zip zip = {0};
    ash__buffer *pages = NULL;
    ash_array *a = NULL;
    if (!path) {
        ash__null(f, "path");
        return NULL;
    }
    if (!ash__read_file_options(f, &o, options))
        return NULL;
    if (ash__source_begin(&file, f, path, &o) == ASH_OK && ash__zip_begin(&file, &zip) == ASH_OK &&
        (!o.mapped || (pages = ash__map_file(&file, &o)) != NULL)) {
        const ash__member *m = find(&zip, name);
        a = m ? take_member(&zip, pages, m, &o) : NULL;
    }
    ash__buffer_release(pages);
    ash__zip_end(&zip);
    ash__source_end(&file);
    return a;
}
