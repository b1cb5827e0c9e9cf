/*
 * array.c - the array object: making handles over buffers, and what they say of themselves.
 *
 * A handle is one block: the struct, then shape, byte strides and element strides. Blocks of the usual rank are kept per
 * thread for the next array.
 */
#include "core/array.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/host.h"
#include "core/memory.h"
#include "core/state.h"
#include "core/tally.h"

/* ---- handles */

static ash_array *new_handle(const char *function, int64_t rank)
{
    struct ash_state *s = &ash__own_state;
    const int64_t room = rank <= ASH__SPARE_RANK ? ASH__SPARE_RANK : rank;
    const size_t nbytes = sizeof(ash_array) + 3 * sizeof(int64_t) * (size_t)room;
    ash_array *a = NULL;
    if (ash__allocation_fails())
        ash__fail(ASH_ERR_MEMORY, function, "no memory for %zu bytes", nbytes);
    else if (rank <= ASH__SPARE_RANK && s->spare_arrays)
        a = s->spare_array[--s->spare_arrays];
    else if (!(a = malloc(nbytes)))
        ash__fail(ASH_ERR_MEMORY, function, "no memory for %zu bytes", nbytes);
    return a;
}

void ash__array_free(ash_array *a)
{
    struct ash_state *s = &ash__own_state;
    ash__buffer_release(a->buffer);
    ash_resources_release(a->resources);
    ash__tally_add(ASH__COUNT_ARRAYS, -1);
    if (a->rank <= ASH__SPARE_RANK && s->spare_arrays < ASH__SPARE && s->registered)
        s->spare_array[s->spare_arrays++] = a;
    else
        free(a);
}

/* Strides in elements, when every one is a whole number of them. */
static bool set_element_strides(ash_array *a, int64_t *out, int64_t item)
{
    bool whole = true;
    for (int32_t k = 0; k < a->rank; k++) {
        whole &= item > 0 && a->stride[k] % item == 0;
        out[k] = whole ? a->stride[k] / item : 0;
    }
    return whole;
}

/* All but shape, strides and size. Takes a reference of the caller's to the buffer, also when it fails. */
static ash_array *begin_handle(const char *function, ash__buffer *buffer, ash_resources *resources, ash_storage storage,
                               ash_dtype dtype, int64_t rank, int64_t offset, const ash_array *parent)
{
    ash__state_register(&ash__own_state);
    ash_array *a = new_handle(function, rank);
    if (!a) {
        ash__buffer_release(buffer);
        return NULL;
    }
    memset(a, 0, sizeof *a);
    ash__counted_begin(&a->counted, ash__array_end);
    a->serial = ash__serial();
    a->dtype = dtype;
    a->storage = storage;
    a->readonly = buffer->readonly;
    a->view = parent != NULL;
    a->rank = (int32_t)rank;
    a->buffer = buffer;
    a->resources = ash__resources_hold(resources);
    if (parent) /* a reference of the view's, not of any caller's */
        ash__counted_hold(&((ash_array *)(uintptr_t)parent)->counted);
    atomic_init(&a->parent, (ash_array *)(uintptr_t)parent);
    a->offset = offset;
    a->shape = a->dims;
    a->stride = a->dims + rank;
    a->element_stride = a->dims + 2 * rank;
    ash__tally_add(ASH__COUNT_ARRAYS, 1);
    return a;
}

static ash_array *handle_over(const char *function, ash__buffer *buffer, ash_resources *resources, ash_storage storage,
                              ash_dtype dtype, const int64_t *shape, const int64_t *stride, int64_t rank, int64_t offset,
                              const ash_array *parent)
{
    ash_array *const a = begin_handle(function, buffer, resources, storage, dtype, rank, offset, parent);
    if (!a)
        return NULL;
    for (int64_t k = 0; k < rank; k++)
        a->dims[k] = shape[k], a->dims[rank + k] = stride[k];
    a->size = ash__count(shape, rank);
    a->whole_strides = set_element_strides(a, a->dims + 2 * rank, (int64_t)ash_dtype_size(dtype));
    return ash__scope_hold(function, a);
}

ash_array *ash__array_over(const char *function, ash__buffer *buffer, ash_resources *resources, ash_storage storage,
                           ash_dtype dtype, const int64_t *shape, const int64_t *stride, int64_t rank, int64_t offset,
                           const ash_array *parent)
{
    return handle_over(function, ash__buffer_retain(buffer), resources, storage, dtype, shape, stride, rank, offset, parent);
}

ash_array *ash__view(const char *function, const ash_array *a, ash_dtype dtype, const int64_t *shape, const int64_t *stride,
                     int64_t rank, int64_t offset)
{
    ash_array *v = ash__array_over(function, a->buffer, a->resources, a->storage, dtype, shape, stride, rank, offset, a);
    if (v) {
        v->conjugated = a->conjugated;
        v->readonly |= a->readonly;
    }
    return v;
}

ash_array *ash__array_new(const char *function, ash_dims shape, const ash__make *make)
{
    const ash_dtype dtype = make->dtype ? make->dtype : ASH_F32;
    if (make->layout < ASH_LAYOUT_DEFAULT || make->layout > ASH_COL_MAJOR) {
        ash__fail(ASH_ERR_ARGUMENT, function, "unknown layout %d; expected ASH_ROW_MAJOR or ASH_COL_MAJOR", (int)make->layout);
        return NULL;
    }
    ash_resources *r = ash__resources_for(function, make->resources);
    int64_t count = 0;
    if (!r || ash__check_dtype(function, r->device, dtype) || ash__check_shape(function, shape, ash_dtype_size(dtype), &count))
        return NULL;
    const ash_storage storage = ash__storage_for(function, make->storage);
    if (!storage)
        return NULL;
    const size_t item = ash_dtype_size(dtype);
    int64_t stride[ASH_MAX_RANK];
    ash__strides_for(make->layout, shape.size, shape.rank, (int64_t)item, stride);
    ash__buffer *buffer = ash__buffer_new(function, r->device, make->memory, storage, (size_t)count * item);
    return buffer ? handle_over(function, buffer, r, storage, dtype, shape.size, stride, shape.rank, 0, NULL) : NULL;
}

ash_array *ash__array_alike(const char *function, const ash_array *like, ash_dtype dtype, ash_storage storage)
{
    ash_resources *const r = ash__resources_on(function, ash__device(like), NULL);
    ash__buffer *const buffer =
        r ? ash__buffer_new(function, r->device, like->buffer->memory, storage, (size_t)like->size * ash_dtype_size(dtype))
          : NULL;
    ash_array *const a = buffer ? begin_handle(function, buffer, r, storage, dtype, like->rank, 0, NULL) : NULL;
    if (!a)
        return NULL;
    for (int64_t k = 0; k < 3 * (int64_t)like->rank; k++)
        a->dims[k] = like->dims[k];
    a->size = like->size;
    a->whole_strides = like->whole_strides;
    return ash__scope_hold(function, a);
}

/* ---- checks */

ash_status ash__check_array(const char *function, const char *name, const ash_array *a)
{
    if (!a)
        return ash__null(function, name);
    if (a->released)
        return ash__fail(ASH_ERR_RELEASED, function, "%s was discarded: its storage has been given back", name);
    return ASH_OK;
}

ash_status ash__check_writable(const char *function, const char *name, const ash_array *a)
{
    const ash_status status = ash__check_array(function, name, a);
    if (!status && a->readonly)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%s is read-only", name);
    return status;
}

ash_status ash__check_matrices(const char *function, const char *name, const ash_array *a, bool square)
{
    const ash_status status = ash__check_array(function, name, a);
    if (status)
        return status;
    if (a->rank < 2)
        return ash__fail(ASH_ERR_SHAPE, function, "%s has shape %s; rank 2 or more is wanted", name, ash_shape_text(a));
    if (square && a->shape[a->rank - 1] != a->shape[a->rank - 2])
        return ash__fail(ASH_ERR_SHAPE, function, "%s has shape %s; matrices must be square", name, ash_shape_text(a));
    return ASH_OK;
}

bool ash__may_overlap(const ash_array *a, const ash_array *b)
{
    if (!a->size || !b->size)
        return false;
    int64_t a_low, a_high, b_low, b_high;
    ash__extent(a->shape, a->stride, a->rank, &a_low, &a_high);
    ash__extent(b->shape, b->stride, b->rank, &b_low, &b_high);
    /* by address, not by buffer: two arrays may have been wrapped over the same memory */
    const char *const x = ash__data(a), *const y = ash__data(b);
    return x + a_low < y + b_high + ash_dtype_size(b->dtype) && y + b_low < x + a_high + ash_dtype_size(a->dtype);
}

/* ---- what an array is */

static const int64_t unknown[ASH_MAX_RANK] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                              -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

static bool usable(const char *function, const ash_array *a)
{
    return ash__check_array(function, "a", a) == ASH_OK;
}

int64_t ash_rank(const ash_array *a)
{
    return usable("ash_rank", a) ? a->rank : -1;
}
int64_t ash_size(const ash_array *a)
{
    return usable("ash_size", a) ? a->size : -1;
}
size_t ash_nbytes(const ash_array *a)
{
    return usable("ash_nbytes", a) ? (size_t)a->size * ash_dtype_size(a->dtype) : 0;
}
const int64_t *ash_shape(const ash_array *a)
{
    return usable("ash_shape", a) ? a->shape : unknown;
}
const int64_t *ash_byte_strides(const ash_array *a)
{
    return usable("ash_byte_strides", a) ? a->stride : unknown;
}
ash_dims ash_dims_of(const ash_array *a)
{
    return usable("ash_dims_of", a) ? ash__dims(a) : (ash_dims){unknown, -1};
}
ash_dtype ash_dtype_of(const ash_array *a)
{
    return usable("ash_dtype_of", a) ? a->dtype : ASH_DTYPE_DEFAULT;
}
ash_storage ash_storage_of(const ash_array *a)
{
    return usable("ash_storage_of", a) ? a->storage : ASH_STORAGE_DEFAULT;
}
const ash_device *ash_device_of(const ash_array *a)
{
    return usable("ash_device_of", a) ? a->resources->device : NULL;
}
ash_resources *ash_resources_of(const ash_array *a)
{
    return usable("ash_resources_of", a) ? a->resources : NULL;
}
ash_memory *ash_memory_of(const ash_array *a)
{
    return usable("ash_memory_of", a) ? a->buffer->memory : NULL;
}
bool ash_is_view(const ash_array *a)
{
    return usable("ash_is_view", a) && a->view;
}
bool ash_is_readonly(const ash_array *a)
{
    return usable("ash_is_readonly", a) && a->readonly;
}

const int64_t *ash_strides(const ash_array *a)
{
    if (!usable("ash_strides", a))
        return unknown;
    if (a->whole_strides)
        return a->element_stride;
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    int32_t k = 0;
    while (a->stride[k] % item == 0)
        k++;
    ash__fail(ASH_ERR_VALUE, "ash_strides", "axis %d steps %lld bytes, which is no whole number of %lld-byte elements", (int)k,
              (long long)a->stride[k], (long long)item);
    return unknown;
}

const char *ash_shape_text(const ash_array *a)
{
    struct ash_state *s = ash__state();
    char *text = s->shape_text[s->shape_turn++ % 4];
    if (!usable("ash_shape_text", a))
        return "(unknown)";
    return ash__shape_text(text, sizeof s->shape_text[0], a->shape, a->rank);
}

ash_layout ash_layout_of(const ash_array *a)
{
    if (!usable("ash_layout_of", a))
        return ASH_LAYOUT_DEFAULT;
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    return ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, item)   ? ASH_ROW_MAJOR
           : ash__dense(ASH_COL_MAJOR, a->shape, a->stride, a->rank, item) ? ASH_COL_MAJOR
                                                                           : ASH_STRIDED;
}

ash_layout ash__layout_like(const ash_array *a)
{
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    return a->rank > 1 && !ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, item) &&
                   ash__dense(ASH_COL_MAJOR, a->shape, a->stride, a->rank, item)
               ? ASH_COL_MAJOR
               : ASH_ROW_MAJOR;
}

const char *ash_layout_name(ash_layout layout)
{
    switch (layout) {
    case ASH_ROW_MAJOR:
        return "row-major";
    case ASH_COL_MAJOR:
        return "col-major";
    case ASH_STRIDED:
        return "strided";
    case ASH_LAYOUT_DEFAULT:
        break;
    }
    return "unknown";
}

bool ash_same_shape(const ash_array *a, const ash_array *b)
{
    static const char f[] = "ash_same_shape";
    if (ash__check_array(f, "a", a) || ash__check_array(f, "b", b) || a->rank != b->rank)
        return false;
    for (int32_t k = 0; k < a->rank; k++)
        if (a->shape[k] != b->shape[k])
            return false;
    return true;
}

bool ash_shares_memory(const ash_array *a, const ash_array *b)
{
    static const char f[] = "ash_shares_memory";
    return !ash__check_array(f, "a", a) && !ash__check_array(f, "b", b) && ash__may_overlap(a, b);
}

/* The vector that stands for the whole buffer of an array that is no view: made when first asked for, then kept. */
static ash_array *whole_buffer(const ash_array *a)
{
    static const char f[] = "ash_parent";
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    const int64_t count = (int64_t)a->buffer->nbytes / item;
    if (a->rank == 1 && a->size == count && a->offset == 0 && (a->stride[0] == item || count <= 1))
        return (ash_array *)(uintptr_t)a;
    const int64_t barrier = ash_scope_open_barrier();
    if (barrier < 0)
        return NULL;
    ash_array *vector = ash__array_over(f, a->buffer, a->resources, a->storage, a->dtype, &count, &item, 1, 0, NULL);
    ash_scope_close(barrier);
    if (vector)
        ash__counted_disown(&vector->counted); /* a holds it */
    ash_array *none = NULL;
    if (vector && !atomic_compare_exchange_strong((_Atomic(ash_array *) *)(uintptr_t)&a->parent, &none, vector)) {
        ash__counted_drop(&vector->counted);
        vector = none;
    }
    return vector;
}

ash_array *ash_parent(const ash_array *a)
{
    if (!usable("ash_parent", a))
        return NULL;
    ash_array *const parent = atomic_load(&a->parent);
    return parent ? parent : whole_buffer(a);
}

ash_status ash_discard(ash_array *a)
{
    if (!a)
        return ash__null("ash_discard", "a");
    if (a->released)
        return ASH_OK;
    const ash_status status = ash__host_wait("ash_discard", a, ASH__READ_WRITE | ASH__ASKED);
    a->released = true;
    a->serial = 0;
    ash__buffer_release(a->buffer);
    a->buffer = NULL;
    return status;
}
