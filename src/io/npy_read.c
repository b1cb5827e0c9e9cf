/*
 * npy_read.c - NPY files as arrays: read, or mapped.
 *
 * Elements go straight from the file to where they stay whenever they lie there as in memory; byte order is turned in place.
 * A record that lies otherwise is unpacked block by block, and only another dtype or layout takes a second copy. A mapped
 * array is a buffer over the file's pages, with a deleter that ends the mapping.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ashlar/io.h"
#include "core/alloc.h"
#include "core/convert.h"
#include "core/error.h"
#include "core/options.h"
#include "io/file.h"
#include "io/npy.h"

enum { BLOCK = 1 << 16 };

/* The bytes that follow: of a file, or in memory. */
typedef struct source {
    ash__npy_place place;
    int fd;
    const char *memory; /* NULL: the file */
    size_t size;        /* of the whole */
} source;

static ash_status fetch(source *from, void *to, size_t n)
{
    if (!from->memory)
        return ash__read_exactly(from->place.function, from->place.path, from->fd, to, n);
    if (n > 0)
        memcpy(to, from->memory, n);
    from->memory += n;
    return ASH_OK;
}

/* Reads and checks the header; the source stands at the data afterwards. Whatever the outcome, header->node is to be freed. */
static ash_status read_header(source *from, ash_dtype wanted, ash__npy_header *header)
{
    unsigned char prefix[ASH__NPY_PREFIX] = {0};
    const size_t first = from->size < 10 ? from->size : 10;
    int version = 0;
    size_t start = 0, length = 0;
    *header = (ash__npy_header){0};
    ash_status status = fetch(from, prefix, first);
    if (status == ASH_OK && first == 10 && prefix[6] > 1 && from->size >= ASH__NPY_PREFIX)
        status = fetch(from, prefix + 10, 2);
    if (status == ASH_OK)
        status = ash__npy_prefix(&from->place, prefix, from->size, &version, &start, &length);
    if (status != ASH_OK)
        return status;

    char *text = ash__alloc(from->place.function, (int64_t)length, 1);
    if (!text)
        return ASH_ERR_MEMORY;
    status = fetch(from, text, length);
    if (status == ASH_OK)
        status = ash__npy_parse(&from->place, text, length, version, start, from->size, wanted, header);
    ash__free(text);
    return status;
}

/* Elements that lie otherwise in the file than in memory. */
static ash_status read_packed(source *from, const ash__npy_header *h, char *to)
{
    const size_t item = h->node[0].file_size, size = ash_dtype_size(h->node[0].dtype);
    const int64_t at_once = item < BLOCK ? (int64_t)(BLOCK / item) : 1;
    char *block = ash__realloc(from->place.function, NULL, at_once, item);
    ash_status status = block ? ASH_OK : ASH_ERR_MEMORY;
    for (int64_t i = 0; i < h->count && status == ASH_OK; i += at_once) {
        const int64_t n = h->count - i < at_once ? h->count - i : at_once;
        status = fetch(from, block, (size_t)n * item);
        if (status == ASH_OK)
            ash__npy_unpack(h, to + (size_t)i * size, block, n);
    }
    ash__free(block);
    return status;
}

/* All elements, densely and in the file's order. */
static ash_status read_elements(source *from, const ash__npy_header *h, char *to)
{
    if (!h->same_layout)
        return h->count == 0 ? ASH_OK : read_packed(from, h, to);
    const ash_status status = fetch(from, to, h->nbytes);
    if (status == ASH_OK)
        ash__npy_fix(h, to, h->count);
    return status;
}

/* Elements of another dtype or layout than the array's, through a copy. */
static ash_status read_converted(source *from, const ash__npy_header *h, ash_array *a, bool exact)
{
    const ash_dtype dtype = h->node[0].dtype;
    int64_t stride[ASH_MAX_RANK];
    char *copy = ash__realloc(from->place.function, NULL, h->count, ash_dtype_size(dtype));
    ash_status status = copy ? read_elements(from, h, copy) : ASH_ERR_MEMORY;
    ash__strides_for(h->fortran ? ASH_COL_MAJOR : ASH_ROW_MAJOR, h->shape, h->rank, (int64_t)ash_dtype_size(dtype), stride);
    if (status == ASH_OK)
        status = ash__convert_all(from->place.function, h->shape, h->rank, ash__data(a), a->stride, a->dtype, copy, stride,
                                  dtype, exact, false);
    ash__free(copy);
    return status;
}

static ash_status check_dtype(const source *from, const ash__npy_header *h, ash_dtype wanted)
{
    const ash_dtype dtype = h->node[0].dtype;
    if (wanted && wanted != dtype && (ash__is_record(wanted) || ash__is_record(dtype)))
        return ash__npy_fail(&from->place, ASH_ERR_DTYPE, "the file's elements are %s, not %s",
                             ash__is_record(dtype) ? "other records" : ash_dtype_name(dtype), ash_dtype_name(wanted));
    return ASH_OK;
}

static ash_array *read_array(source *from, const ash__npy_header *h, const ash_npy_options *o)
{
    const ash_layout layout = h->fortran ? ASH_COL_MAJOR : ASH_ROW_MAJOR;
    const ash__make make = {.resources = o->resources,
                            .dtype = o->dtype ? o->dtype : h->node[0].dtype,
                            .layout = o->layout ? o->layout : layout,
                            .storage = o->storage,
                            .memory = o->memory};
    if (check_dtype(from, h, o->dtype) != ASH_OK)
        return NULL;
    ash_array *a = ash__array_new(from->place.function, (ash_dims){h->shape, h->rank}, &make);
    if (!a)
        return NULL;
    const bool direct =
        a->dtype == h->node[0].dtype && ash__dense(layout, a->shape, a->stride, a->rank, (int64_t)ash_dtype_size(a->dtype));
    if ((direct ? read_elements(from, h, ash__data(a)) : read_converted(from, h, a, o->exact)) == ASH_OK)
        return a;
    ash_release(a);
    return NULL;
}

static ash_array *read_source(source *from, const ash_npy_options *o)
{
    ash__npy_header header;
    ash_array *a = NULL;
    if (read_header(from, o->dtype, &header) == ASH_OK)
        a = read_array(from, &header, o);
    ash__free(header.node);
    return a;
}

/* ---- mapped */

typedef struct mapping {
    void *data;
    size_t nbytes;
} mapping;

static void unmap(void *context)
{
    mapping *m = context;
    munmap(m->data, m->nbytes);
    ash__free(m);
}

static ash_status check_mapping(const source *from, const ash__npy_header *h, const ash_npy_options *o, const ash_resources *r)
{
    const ash_dtype dtype = h->node[0].dtype;
    const ash__npy_place *place = &from->place;
    if (!r->device->unified)
        return ash__npy_fail(place, ASH_ERR_UNSUPPORTED, "%s does not work in host memory, so a file cannot be mapped for it",
                             r->device->name);
    if (h->any_swapped)
        return ash__npy_fail(place, ASH_ERR_UNSUPPORTED, "cannot be mapped: its byte order is not this machine's");
    if (!h->same_layout)
        return ash__npy_fail(place, ASH_ERR_UNSUPPORTED, "cannot be mapped: its records are not laid out as in memory");
    if (h->data_offset % ash__alignment_of(dtype) != 0)
        return ash__npy_fail(place, ASH_ERR_UNSUPPORTED,
                             "cannot be mapped: the data begins at byte %zu, which is not aligned for %s", h->data_offset,
                             ash_dtype_name(dtype));
    if (o->dtype && o->dtype != dtype)
        return ash__npy_fail(place, ASH_ERR_UNSUPPORTED, "cannot be mapped as %s: its elements are %s",
                             ash_dtype_name(o->dtype), ash_dtype_name(dtype));
    return ash__check_dtype(place->function, r->device, dtype);
}

/* The file's pages as a buffer; NULL with an error. */
static ash__buffer *map_buffer(const source *from, const ash_npy_options *o, const ash_resources *r)
{
    mapping *m = ash__alloc(from->place.function, 1, sizeof *m);
    if (!m)
        return NULL;
    m->nbytes = from->size;
    m->data = mmap(NULL, from->size, o->writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, from->fd, 0);
    if (m->data == MAP_FAILED) {
        ash__npy_fail(&from->place, ASH_ERR_IO, "cannot be mapped: %s", strerror(errno));
        ash__free(m);
        return NULL;
    }
    ash__buffer *buffer = ash__buffer_wrap(from->place.function, r->device, m->data, m->nbytes, !o->writable, false, unmap, m);
    if (!buffer)
        unmap(m);
    return buffer;
}

static ash_array *map_array(const source *from, const ash__npy_header *h, const ash_npy_options *o)
{
    int64_t stride[ASH_MAX_RANK];
    const ash_layout layout = h->fortran ? ASH_COL_MAJOR : ASH_ROW_MAJOR;
    const ash_dtype dtype = h->node[0].dtype;
    ash_resources *r = ash__resources_for(from->place.function, o->resources);
    if (!r || check_mapping(from, h, o, r) != ASH_OK)
        return NULL;
    ash__strides_for(layout, h->shape, h->rank, (int64_t)ash_dtype_size(dtype), stride);
    if (o->layout && !ash__dense(o->layout, h->shape, stride, h->rank, (int64_t)ash_dtype_size(dtype))) {
        ash__npy_fail(&from->place, ASH_ERR_UNSUPPORTED, "cannot be mapped as %s: it is %s", ash_layout_name(o->layout),
                      ash_layout_name(layout));
        return NULL;
    }
    const ash_storage storage = ash__storage_for(from->place.function, o->storage);
    ash__buffer *buffer = storage ? map_buffer(from, o, r) : NULL;
    if (!buffer)
        return NULL;
    ash_array *a = ash__array_over(from->place.function, buffer, r, storage, dtype, h->shape, stride, h->rank,
                                   (int64_t)h->data_offset, NULL);
    ash__buffer_release(buffer);
    return a;
}

static ash_array *map_source(source *from, const ash_npy_options *o)
{
    ash__npy_header header;
    ash_array *a = NULL;
    if (read_header(from, o->dtype, &header) == ASH_OK)
        a = map_array(from, &header, o);
    ash__free(header.node);
    return a;
}

/* ---- the public face */

static bool read_options(const char *function, ash_npy_options *o, const ash_npy_options *options)
{
    if (!ash__read_options(function, o, sizeof *o, options))
        return false;
    if (o->dtype && ash_dtype_size(o->dtype) == 0)
        ash__fail(ASH_ERR_DTYPE, function, "unsupported dtype %d", (int)o->dtype);
    else if (o->layout < ASH_LAYOUT_DEFAULT || o->layout > ASH_COL_MAJOR)
        ash__fail(ASH_ERR_ARGUMENT, function, "unknown layout %d; expected ASH_ROW_MAJOR or ASH_COL_MAJOR", (int)o->layout);
    else if (o->writable && !o->mapped)
        ash__fail(ASH_ERR_ARGUMENT, function, ".writable is for .mapped arrays");
    else if (o->mapped && o->memory)
        ash__fail(ASH_ERR_ARGUMENT, function, ".memory cannot be given with .mapped: the memory is the file's");
    else
        return true;
    return false;
}

/* A pipe has no size to check the header against: it is taken into memory first. */
static ash_array *read_pipe(const char *function, const char *path, const ash_npy_options *o)
{
    char *bytes;
    size_t nbytes;
    if (ash__read_file(function, path, &bytes, &nbytes) != ASH_OK)
        return NULL;
    source from = {.place = {function, path}, .fd = -1, .memory = bytes, .size = nbytes};
    ash_array *a = read_source(&from, o);
    ash__free(bytes);
    return a;
}

ash_array *ash_read_npy_opt(const char *path, const ash_npy_options *options)
{
    static const char f[] = "ash_read_npy";
    ash_npy_options o;
    struct stat s;
    if (!path) {
        ash__null(f, "path");
        return NULL;
    }
    if (!read_options(f, &o, options))
        return NULL;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !o.mapped)
        return read_pipe(f, path, &o);

    source from = {.place = {f, path}, .fd = open(path, (o.writable ? O_RDWR : O_RDONLY) | O_CLOEXEC)};
    if (from.fd < 0 || fstat(from.fd, &s) != 0) {
        ash__fail(ASH_ERR_IO, f, "cannot open %s: %s", ash__shown_path(path), strerror(errno));
        if (from.fd >= 0)
            close(from.fd);
        return NULL;
    }
    from.size = (size_t)s.st_size;
    ash_array *a = o.mapped ? map_source(&from, &o) : read_source(&from, &o);
    close(from.fd);
    return a;
}

ash_array *ash_parse_npy_opt(const void *data, size_t nbytes, const ash_npy_options *options)
{
    static const char f[] = "ash_parse_npy";
    ash_npy_options o;
    if (!data && nbytes > 0) {
        ash__null(f, "data");
        return NULL;
    }
    if (!read_options(f, &o, options))
        return NULL;
    if (o.mapped) {
        ash__fail(ASH_ERR_ARGUMENT, f, ".mapped is for files; ash_wrap makes an array over memory");
        return NULL;
    }
    source from = {.place = {f, NULL}, .fd = -1, .memory = data ? data : "", .size = nbytes};
    return read_source(&from, &o);
}
