/*
 * npz_read.c - the arrays of an NPZ file, one or all of them, read or mapped.
 *
 * An NPZ file is a ZIP archive of NPY files; an array is called as its member is, without `.npy`. Other members are left alone.
 */
#include "core/alloc.h"
#include "core/error.h"
#include "io/zip.h"
#include "ops/tree.h"

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

/* A file that is open, with its directory; what it holds is read, or in `pages`. */
typedef struct opened {
    ash__source file;
    ash__zip zip;
    ash__buffer *pages;
} opened;

/* Whatever the outcome, the file is to be ended. */
static ash_status begin(opened *npz, const char *function, const char *path, const ash_file_options *o)
{
    *npz = (opened){0};
    ash_status status = ash__source_begin(&npz->file, function, path, o);
    if (status == ASH_OK)
        status = ash__zip_begin(&npz->file, &npz->zip);
    if (status == ASH_OK && o->mapped) {
        npz->pages = ash__map_file(&npz->file, o);
        status = npz->pages ? ASH_OK : ash__last_status();
    }
    return status;
}

static void end(opened *npz)
{
    ash__buffer_release(npz->pages);
    ash__zip_end(&npz->zip);
    ash__source_end(&npz->file);
}

/* Puts the array of a member into a tree, which then is the only one to hold it. */
static ash_status put_member(const char *function, ash_tree *t, const opened *npz, const ash__member *m,
                             const ash_file_options *o)
{
    const int64_t length = length_of(m), scope = ash_scope_open();
    char *name = ash__alloc(function, length + 1, 1);
    ash_array *a = name ? take_member(&npz->zip, npz->pages, m, o) : NULL;
    ash_tree *leaf = a ? ash__tree_array(function, a) : NULL;
    ash_status status = leaf ? ASH_OK : ash__last_status();
    if (status == ASH_OK && length == 0)
        status = ash__fail_at(&npz->file.place, ASH_ERR_UNSUPPORTED, "the name of an array is empty, which a tree's cannot be");
    if (status == ASH_OK)
        status = ash__tree_append(function, t, memcpy(name, m->name, (size_t)length), leaf);
    ash__tree_end(leaf);
    ash__free(name);
    ash_scope_close(scope);
    return status;
}

/* ---- the public face */

ash_array *ash_read_npz_opt(const char *path, const char *name, const ash_file_options *options)
{
    static const char f[] = "ash_read_npz";
    ash_file_options o;
    opened npz;
    if (!ash__read_path_options(f, path, &o, options))
        return NULL;
    const ash__member *m = begin(&npz, f, path, &o) == ASH_OK ? find(&npz.zip, name) : NULL;
    ash_array *a = m ? take_member(&npz.zip, npz.pages, m, &o) : NULL;
    end(&npz);
    return a;
}

ash_tree *ash_load_npz_opt(const char *path, const ash_file_options *options)
{
    static const char f[] = "ash_load_npz";
    ash_file_options o;
    opened npz;
    if (!ash__read_path_options(f, path, &o, options))
        return NULL;
    ash_status status = begin(&npz, f, path, &o);
    ash_tree *t = status == ASH_OK ? ash_tree_new() : NULL;
    if (!t)
        status = ash__last_status();
    for (int64_t i = 0; status == ASH_OK && i < npz.zip.count; i++)
        if (length_of(&npz.zip.member[i]) >= 0)
            status = put_member(f, t, &npz, &npz.zip.member[i], &o);
    end(&npz);
    if (status == ASH_OK)
        return t;
    ash_tree_release(t);
    return NULL;
}
