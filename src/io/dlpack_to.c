/*
 * dlpack_to.c - arrays as DLPack tensors.
 *
 * A tensor holds the buffer, not the array: it outlives the array's release and ash_discard alike. It is one block: the managed
 * tensor that the consumer sees first, then what we need to end it, then shape and strides.
 */
#include "backend/backend.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "io/dlpack.h"
#include "ops/run.h"

/* One of the two forms: the consumer has a pointer to it and gives that back. */
typedef struct exported {
    union {
        ash_dl_managed new;
        ash_dl_managed_old old;
    } managed;
    ash__buffer *buffer;
    int64_t dims[]; /* shape, then strides */
} exported;

static void end(exported *e)
{
    if (!e)
        return;
    ash__buffer_release(e->buffer);
    ash__free(e);
}
static void end_new(ash_dl_managed *managed)
{
    end((exported *)(void *)managed);
}
static void end_old(ash_dl_managed_old *managed)
{
    end((exported *)(void *)managed);
}

/* What the array's device shares with other libraries, of memory that it knows. */
static const ash__lending *lending_of(const ash_array *a)
{
    return a->buffer->block ? a->buffer->device->backend->lending : NULL;
}

/* ---- checks */

static ash_status check_expressible(const char *function, const ash_array *a)
{
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    const size_t align = ash__alignment_of(a->dtype);
    if (a->conjugated && ash__is_complex(a->dtype))
        return ash__fail(ASH_ERR_UNSUPPORTED, function,
                         "a is a conjugated view, which DLPack cannot express; pass .copy = true");
    if (a->storage == ASH_PRIVATE && !lending_of(a))
        return ash__fail(ASH_ERR_UNSUPPORTED, function, "a is in private storage; pass .copy = true");
    for (int32_t k = 0; k < a->rank && a->size; k++)
        if (a->shape[k] > 1 && a->stride[k] % item != 0)
            return ash__fail(ASH_ERR_UNSUPPORTED, function,
                             "axis %d steps %lld bytes, which is no whole number of %lld-byte elements; pass .copy = true",
                             (int)k, (long long)a->stride[k], (long long)item);
    if (a->size && (uintptr_t)ash__data(a) % align)
        return ash__fail(ASH_ERR_UNSUPPORTED, function,
                         "a is at %p, which is not aligned to the %zu bytes of %s; pass .copy = true", (void *)ash__data(a),
                         align, ash_dtype_name(a->dtype));
    return ASH_OK;
}

static ash_status check_dtype(const char *function, ash_dtype dtype, ash_dl_dtype *theirs)
{
    if (ash__dtype_to_dlpack(dtype, theirs))
        return ASH_OK;
    return ash__is_record(dtype)
               ? ash__fail(ASH_ERR_DTYPE, function, "DLPack has no records, such as %s; export its fields (ash_field)",
                           ash_dtype_name(dtype))
               : ash__fail(ASH_ERR_DTYPE, function,
                           "DLPack has no %s; ash_reinterpret(a, %s, .add_axis = true) gives the parts", ash_dtype_name(dtype),
                           ash_dtype_name(ash__part(dtype)));
}

/* ---- strides */

/* Strides in elements. Consumers read the layout off all of them, so those that no element needs are what a dense array would
 * have: size times stride of the next axis, or all of a column-major array's where it was made as one. */
static void strides_of(const ash_array *a, int64_t *out)
{
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    int64_t column[ASH_MAX_RANK];
    bool as_columns = a->size && ash__dense(ASH_COL_MAJOR, a->shape, a->stride, a->rank, item);
    if (as_columns) {
        ash__strides_for(ASH_COL_MAJOR, a->shape, a->rank, item, column);
        if (ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, item)) /* both: as it was written down */
            as_columns = memcmp(column, a->stride, (size_t)a->rank * sizeof *column) == 0;
    }
    int64_t next = 1; /* size times stride of the axis behind */
    for (int32_t k = a->rank - 1; k >= 0; k--) {
        const bool needed = a->size && a->shape[k] > 1;
        out[k] = as_columns ? column[k] / item : needed ? a->stride[k] / item : next;
        if (__builtin_mul_overflow(a->shape[k] > 1 ? a->shape[k] : 1, out[k] < 0 ? -out[k] : out[k], &next) || next == 0)
            next = 1;
    }
}

/* ---- the export */

/* The array whose elements are exported, the caller's: a, or a plain copy in shared storage. */
static ash_array *source_of(const char *function, const ash_array *a, const ash_to_dlpack_options *o)
{
    if (!o->copy)
        return check_expressible(function, a) ? NULL : ash_retain(a);
    const int64_t barrier = ash_scope_open_barrier();
    ash_resources *r = barrier < 0 ? NULL : ash__resources_on(function, ash__device(a), o->resources);
    ash_array *copy = r ? ash__temporary(function, r, ASH_SHARED, a->dtype, a->shape, a->rank) : NULL;
    if (copy && ash__convert_elements(function, copy, a, false, o->resources)) {
        ash_release(copy);
        copy = NULL;
    }
    ash_scope_close(barrier);
    return copy;
}

/* The block over an array whose work is done, but for the head of its form. */
static exported *export_from(const char *function, const ash_array *a, ash_dl_dtype dtype, ash_dl_tensor *tensor)
{
    exported *e = ash__alloc(function, 1, sizeof *e + 2 * sizeof(int64_t) * (size_t)a->rank);
    if (!e)
        return NULL;
    e->buffer = ash__buffer_retain(a->buffer);
    for (int32_t k = 0; k < a->rank; k++)
        e->dims[k] = a->shape[k];
    strides_of(a, e->dims + a->rank);
    const ash__lending *const lending = lending_of(a);
    *tensor = (ash_dl_tensor){.data = a->size ? ash__data(a) : NULL,
                              .device = {.kind = lending ? lending->kind(a->buffer) : ASH_DL_CPU,
                                         .index = lending ? a->buffer->device->index : 0},
                              .rank = a->rank,
                              .dtype = dtype,
                              .shape = e->dims,
                              .strides = e->dims + a->rank};
    return e;
}

/* Elements are complete when the consumer gets to them. */
static ash_status wait_for(const char *function, const ash_array *a, int64_t stream)
{
    const ash__lending *const lending = lending_of(a);
    if (stream && stream != -1 && !lending)
        return ash__fail(ASH_ERR_ARGUMENT, function, "stream is %lld, but a is not on a CUDA device", (long long)stream);
    if (!lending)
        return ash__host_at(function, a, ASH__READ_WRITE | ASH__ASKED) ? ASH_OK : ash__last_status();
    if (stream == 0)
        return ash__host_wait(function, a, ASH__READ_WRITE | ASH__ASKED);
    return stream == -1 ? ASH_OK : lending->before(function, a->buffer, (void *)(intptr_t)stream);
}

static exported *export(const char *function, const ash_array *a, const ash_to_dlpack_options *o, ash_dl_tensor *tensor)
{
    ash_dl_dtype dtype;
    if (ash__check_array(function, "a", a) || check_dtype(function, a->dtype, &dtype))
        return NULL;
    ash_array *source = source_of(function, a, o);
    exported *e = source && !wait_for(function, source, o->stream) ? export_from(function, source, dtype, tensor) : NULL;
    ash_release(source);
    return e;
}

ash_dl_managed *ash_to_dlpack_opt(const ash_array *a, const ash_to_dlpack_options *options)
{
    static const char f[] = "ash_to_dlpack";
    ash_to_dlpack_options o;
    ash_dl_tensor tensor;
    exported *e = ash__read_options(f, &o, sizeof o, options) ? export(f, a, &o, &tensor) : NULL;
    if (!e)
        return NULL;
    e->managed.new = (ash_dl_managed){.version = {1, 2}, /* from 1.2 on strides are never left out */
                                      .deleter = end_new,
                                      .flags = o.copy        ? ASH_DL_COPIED
                                               : a->readonly ? ASH_DL_READONLY
                                                             : 0,
                                      .tensor = tensor};
    return &e->managed.new;
}

ash_dl_managed_old *ash_to_dlpack_old_opt(const ash_array *a, const ash_to_dlpack_options *options)
{
    static const char f[] = "ash_to_dlpack_old";
    ash_to_dlpack_options o;
    ash_dl_tensor tensor;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return NULL;
    if (a->readonly && !o.copy) {
        ash__fail(ASH_ERR_UNSUPPORTED, f,
                  "a is read-only, which this form cannot say; pass .copy = true, or use ash_to_dlpack");
        return NULL;
    }
    exported *e = export(f, a, &o, &tensor);
    if (!e)
        return NULL;
    e->managed.old = (ash_dl_managed_old){.tensor = tensor, .deleter = end_old};
    return &e->managed.old;
}
