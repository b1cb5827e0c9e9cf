/*
 * elements.c - what a file's header describes as an array: read, or mapped.
 *
 * Elements go straight from the file to where they stay whenever they lie there as in memory; byte order is turned in place.
 * A record that lies otherwise is unpacked block by block, and only another dtype or layout takes a second copy. A mapped
 * array is a part of a buffer over the file's pages, with a deleter that ends the mapping.
 */
#include "io/elements.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"

enum { BLOCK = 1 << 16 };

ash_status ash__source_begin(ash__source *from, const char *function, const char *path, const ash_file_options *o)
{
    struct stat s;
    *from = (ash__source){.place = {.function = function, .path = path}, .fd = -1};
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !o->mapped) {
        const ash_status status = ash__read_file(function, path, &from->owned, &from->size);
        from->memory = from->owned;
        return status;
    }
    from->fd = open(path, (o->writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (from->fd < 0 || fstat(from->fd, &s) != 0)
        return ash__fail(ASH_ERR_IO, function, "cannot open %s: %s", ash__shown_path(path), strerror(errno));
    from->size = (size_t)s.st_size;
    return ASH_OK;
}

void ash__source_end(ash__source *from)
{
    ash__free(from->owned);
    if (from->fd >= 0)
        close(from->fd);
}

bool ash__read_path_options(const char *function, const char *path, ash_file_options *o, const ash_file_options *options)
{
    if (path)
        return ash__read_file_options(function, o, options);
    ash__null(function, "path");
    return false;
}

bool ash__read_file_options(const char *function, ash_file_options *o, const ash_file_options *options)
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

ash_status ash__fetch(ash__source *from, void *to, size_t n)
{
    if (from->decode)
        return from->decode(from, to, n);
    if (!from->memory)
        return ash__read_exactly(from->place.function, from->place.path, from->fd, to, n);
    if (n > 0)
        memcpy(to, from->memory + from->at, n);
    from->at += n;
    return ASH_OK;
}

ash_status ash__seek(ash__source *from, size_t at)
{
    from->at = at;
    if (from->memory || lseek(from->fd, (off_t)at, SEEK_SET) >= 0)
        return ASH_OK;
    return ash__fail_at(&from->place, ASH_ERR_IO, "cannot be read from byte %zu on: %s", at, strerror(errno));
}

/* Elements that lie otherwise in the file than in memory. */
static ash_status read_packed(ash__source *from, const ash__npy_header *h, char *to)
{
    const size_t item = h->node[0].file_size, size = ash_dtype_size(h->node[0].dtype);
    const int64_t at_once = item < BLOCK ? (int64_t)(BLOCK / item) : 1;
    char *block = ash__realloc(from->place.function, NULL, at_once, item);
    ash_status status = block ? ASH_OK : ASH_ERR_MEMORY;
    for (int64_t i = 0; i < h->count && status == ASH_OK; i += at_once) {
        const int64_t n = h->count - i < at_once ? h->count - i : at_once;
        status = ash__fetch(from, block, (size_t)n * item);
        if (status == ASH_OK)
            ash__npy_unpack(h, to + (size_t)i * size, block, n);
    }
    ash__free(block);
    return status;
}

/* All elements, densely and in the file's order. */
static ash_status read_elements(ash__source *from, const ash__npy_header *h, char *to)
{
    if (!h->same_layout)
        return h->count == 0 ? ASH_OK : read_packed(from, h, to);
    const ash_status status = ash__fetch(from, to, h->nbytes);
    if (status == ASH_OK)
        ash__npy_fix(h, to, h->count);
    return status;
}

/* Elements of another dtype or layout than the array's, through a copy. */
static ash_status read_converted(ash__source *from, const ash__npy_header *h, const ash_array *a, char *to, bool exact)
{
    const ash_dtype dtype = h->node[0].dtype;
    int64_t stride[ASH_MAX_RANK];
    char *copy = ash__realloc(from->place.function, NULL, h->count, ash_dtype_size(dtype));
    ash_status status = copy ? read_elements(from, h, copy) : ASH_ERR_MEMORY;
    ash__strides_for(h->fortran ? ASH_COL_MAJOR : ASH_ROW_MAJOR, h->shape, h->rank, (int64_t)ash_dtype_size(dtype), stride);
    if (status == ASH_OK)
        status = ash__convert_all(from->place.function, h->shape, h->rank, to, a->stride, a->dtype, copy, stride,
                                  dtype, exact, 0);
    ash__free(copy);
    return status;
}

static ash_status check_dtype(const ash__source *from, const ash__npy_header *h, ash_dtype wanted)
{
    const ash_dtype dtype = h->node[0].dtype;
    if (wanted && wanted != dtype && (ash__is_record(wanted) || ash__is_record(dtype)))
        return ash__fail_at(&from->place, ASH_ERR_DTYPE, "the file's elements are %s, not %s",
                            ash__is_record(dtype) ? "other records" : ash_dtype_name(dtype), ash_dtype_name(wanted));
    return ASH_OK;
}

ash_array *ash__read_array(ash__source *from, const ash__npy_header *h, const ash_file_options *o)
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
    ash__host to;
    ash_status status = ash__host_open(&to, from->place.function, a, ASH__WRITE | ASH__ASKED);
    if (!status)
        status = direct ? read_elements(from, h, to.data) : read_converted(from, h, a, to.data, o->exact);
    if (ash__host_close(&to, status) == ASH_OK)
        return a;
    ash_release(a);
    return NULL;
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

/* Whether the elements are in the file what they have to be in memory. */
static ash_status check_mapping(const ash__place *place, const ash__npy_header *h, const ash_file_options *o,
                                const ash_device *device)
{
    const ash_dtype dtype = h->node[0].dtype;
    if (h->any_swapped)
        return ash__fail_at(place, ASH_ERR_UNSUPPORTED, "cannot be mapped: its byte order is not this machine's");
    if (!h->same_layout)
        return ash__fail_at(place, ASH_ERR_UNSUPPORTED, "cannot be mapped: its records are not laid out as in memory");
    if (h->data_offset % ash__alignment_of(dtype) != 0)
        return ash__fail_at(place, ASH_ERR_UNSUPPORTED,
                            "cannot be mapped: the data begins at byte %zu, which is not aligned for %s", h->data_offset,
                            ash_dtype_name(dtype));
    if (o->dtype && o->dtype != dtype)
        return ash__fail_at(place, ASH_ERR_UNSUPPORTED, "cannot be mapped as %s: its elements are %s", ash_dtype_name(o->dtype),
                            ash_dtype_name(dtype));
    return ash__check_dtype(place->function, device, dtype);
}

ash__buffer *ash__map_file(const ash__source *from, const ash_file_options *o)
{
    const char *const f = from->place.function;
    const ash_resources *r = ash__resources_for(f, o->resources);
    if (!r)
        return NULL;
    if (!r->device->unified) {
        ash__fail_at(&from->place, ASH_ERR_UNSUPPORTED, "%s does not work in host memory, so a file cannot be mapped for it",
                     r->device->name);
        return NULL;
    }
    mapping *m = ash__alloc(f, 1, sizeof *m);
    if (!m)
        return NULL;
    m->nbytes = from->size;
    m->data = mmap(NULL, from->size, o->writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, from->fd, 0);
    if (m->data == MAP_FAILED) {
        ash__fail_at(&from->place, ASH_ERR_IO, "cannot be mapped: %s", strerror(errno));
        ash__free(m);
        return NULL;
    }
    ash__buffer *pages = ash__buffer_wrap(f, r->device, m->data, m->nbytes, !o->writable, false, unmap, m);
    if (!pages)
        unmap(m);
    return pages;
}

ash_array *ash__map_array(const ash__place *place, ash__buffer *pages, const ash__npy_header *h, const ash_file_options *o)
{
    int64_t stride[ASH_MAX_RANK];
    const ash_layout layout = h->fortran ? ASH_COL_MAJOR : ASH_ROW_MAJOR;
    const ash_dtype dtype = h->node[0].dtype;
    if (check_mapping(place, h, o, pages->device) != ASH_OK)
        return NULL;
    ash__strides_for(layout, h->shape, h->rank, (int64_t)ash_dtype_size(dtype), stride);
    if (o->layout && !ash__dense(o->layout, h->shape, stride, h->rank, (int64_t)ash_dtype_size(dtype))) {
        ash__fail_at(place, ASH_ERR_UNSUPPORTED, "cannot be mapped as %s: it is %s", ash_layout_name(o->layout),
                     ash_layout_name(layout));
        return NULL;
    }
    ash_resources *r = ash__resources_for(place->function, o->resources);
    const ash_storage storage = ash__storage_for(place->function, o->storage);
    if (!r || !storage)
        return NULL;
    return ash__array_over(place->function, pages, r, storage, dtype, h->shape, stride, h->rank, (int64_t)h->data_offset, NULL);
}
