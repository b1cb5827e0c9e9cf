/*
 * copy.c - copies of whole arrays: new ones, into another array, changed in dtype or in layout.
 *
 * A copy into an array that overlaps its source reads everything before it writes.
 */
#include "core/error.h"
#include "core/options.h"
#include "ops/task.h"

static bool contiguous(const ash_array *a, ash_layout layout)
{
    return ash__dense(layout ? layout : ASH_ROW_MAJOR, a->shape, a->stride, a->rank, (int64_t)ash_dtype_size(a->dtype));
}

static ash_array *new_copy(const char *function, const ash_array *a, const ash__make *make, bool exact, ash_resources *given)
{
    ash_array *b = ash__array_new(function, ash__dims(a), make);
    if (b && ash__convert_elements(function, b, a, exact, given) != ASH_OK) {
        ash_release(b);
        return NULL;
    }
    return b;
}

ash_array *ash_copy_opt(const ash_array *a, const ash_copy_options *options)
{
    static const char f[] = "ash_copy";
    ash_copy_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return NULL;
    const ash__make make = {.resources = ash__resources_on(f, ash__device(a), o.resources),
                            .dtype = a->dtype,
                            .layout = o.layout ? o.layout : ash__layout_like(a),
                            .storage = o.storage ? o.storage : a->storage,
                            .memory = o.memory ? o.memory : a->buffer->memory};
    return make.resources ? new_copy(f, a, &make, false, o.resources) : NULL;
}

ash_array *ash_convert_opt(const ash_array *a, ash_dtype dtype, const ash_convert_options *options)
{
    static const char f[] = "ash_convert";
    ash_convert_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        ash__check_dtype(f, ash__device(a), dtype))
        return NULL;
    if (o.dtype || o.strides.size) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%s is an option of host data; here it has no meaning", o.dtype ? ".dtype" : ".strides");
        return NULL;
    }
    const bool same = a->dtype == dtype && (!o.storage || o.storage == a->storage) && (!o.layout || contiguous(a, o.layout)) &&
                      (!o.memory || o.memory == a->buffer->memory);
    if (same)
        return ash_share(a);
    const ash__make make = {.resources = ash__resources_on(f, ash__device(a), o.resources),
                            .dtype = dtype,
                            .layout = o.layout ? o.layout : ash__layout_like(a),
                            .storage = o.storage ? o.storage : a->storage,
                            .memory = o.memory ? o.memory : a->buffer->memory};
    return make.resources ? new_copy(f, a, &make, o.exact, o.resources) : NULL;
}

static bool read_contiguous(const char *function, const ash_array *a, ash_contiguous_options *o,
                            const ash_contiguous_options *options)
{
    if (!ash__read_options(function, o, sizeof *o, options) || ash__check_array(function, "a", a))
        return false;
    if (o->layout >= ASH_LAYOUT_DEFAULT && o->layout <= ASH_COL_MAJOR)
        return true;
    ash__fail(ASH_ERR_ARGUMENT, function, "unknown layout %d; expected ASH_ROW_MAJOR or ASH_COL_MAJOR", (int)o->layout);
    return false;
}

bool ash_is_contiguous_opt(const ash_array *a, const ash_contiguous_options *options)
{
    ash_contiguous_options o;
    return read_contiguous("ash_is_contiguous", a, &o, options) && contiguous(a, o.layout);
}

ash_array *ash_contiguous_opt(const ash_array *a, const ash_contiguous_options *options)
{
    static const char f[] = "ash_contiguous";
    ash_contiguous_options o;
    if (!read_contiguous(f, a, &o, options))
        return NULL;
    if (contiguous(a, o.layout) && !a->conjugated)
        return ash_share(a);
    const ash__make make = {.resources = ash__resources_on(f, ash__device(a), o.resources),
                            .dtype = a->dtype,
                            .layout = o.layout,
                            .storage = a->storage,
                            .memory = a->buffer->memory};
    return make.resources ? new_copy(f, a, &make, false, o.resources) : NULL;
}

/* ---- into another array */

/* The first `count` elements of a, from `start` on, in row-major order, as an array of another shape: always possible by a
 * dense copy; without one where strides allow it. Belongs to the caller alone. */
static ash_array *flat_part(const char *function, const ash_array *a, int64_t start, int64_t count)
{
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *dense = barrier < 0 ? NULL
                       : ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, item)
                           ? ash_retain(a)
                           : ash__temporary_copy(function, a, ASH_ROW_MAJOR, NULL);
    ash_array *part = dense ? ash__view(function, dense, a->dtype, &count, &item, 1, dense->offset + start * item) : NULL;
    if (part)
        part->conjugated = a->conjugated;
    ash_release(dense);
    ash_scope_close(barrier);
    return part;
}

/* Walks elements first .. first + count - 1 of out in row-major order beside the dense vector `part`. */
static ash_status put_flat(const char *function, ash_array *out, int64_t first, ash_array *part, bool exact,
                           ash_resources *given)
{
    const int64_t item = (int64_t)ash_dtype_size(out->dtype);
    if (ash__dense(ASH_ROW_MAJOR, out->shape, out->stride, out->rank, item)) {
        const int64_t barrier = ash_scope_open_barrier();
        ash_array *to =
            barrier < 0 ? NULL : ash__view(function, out, out->dtype, part->shape, &item, 1, out->offset + first * item);
        const ash_status status = to ? ash__convert_elements(function, to, part, exact, given) : ash__last_status();
        ash_release(to);
        ash_scope_close(barrier);
        return status;
    }
    const int64_t barrier = ash_scope_open_barrier(); /* through a dense image of all of out, written back at once */
    ash_array *image = barrier < 0 ? NULL : ash__temporary_copy(function, out, ASH_ROW_MAJOR, given);
    ash_status status = image ? put_flat(function, image, first, part, exact, given) : ash__last_status();
    if (!status)
        status = ash__copy_elements(function, out, image, given);
    ash_release(image);
    ash_scope_close(barrier);
    return status;
}

static ash_status check_pair(const char *function, const ash_array *out, const ash_array *a)
{
    ash_status status = ash__check_writable(function, "out", out);
    if (!status)
        status = ash__check_array(function, "a", a);
    if (!status && ash__device(out) != ash__device(a))
        status = ash__fail(ASH_ERR_DEVICE, function, "out is on %s and a on %s", ash__device(out)->name, ash__device(a)->name);
    return status;
}

static bool same_mapping(const ash_array *a, const ash_array *b)
{
    if (ash__data(a) != ash__data(b) || a->dtype != b->dtype || a->conjugated != b->conjugated)
        return false;
    for (int32_t k = 0; k < a->rank; k++)
        if (a->shape[k] > 1 && a->stride[k] != b->stride[k])
            return false;
    return true;
}

/* Values that do not convert must not leave out half written: conversions that can fail go through a copy first. */
static ash_status put_same_shape(const char *function, ash_array *out, const ash_array *a, bool exact, ash_resources *given)
{
    if (same_mapping(out, a))
        return ASH_OK;
    const bool plain = out->dtype == a->dtype;
    if (plain && !ash__may_overlap(out, a))
        return ash__convert_elements(function, out, a, exact, given);
    const int64_t barrier = ash_scope_open_barrier();
    const ash__make make = {
        .resources = ash__resources_on(function, ash__device(out), given), .dtype = out->dtype, .storage = out->storage};
    ash_array *copy = barrier < 0 || !make.resources ? NULL : ash__array_new(function, ash__dims(a), &make);
    ash_status status = copy ? ASH_OK : ash__last_status();
    if (copy) {
        copy->conjugated = out->conjugated && ash__is_complex(out->dtype);
        status = ash__convert_elements(function, copy, a, exact, given);
    }
    if (!status)
        status = ash__copy_elements(function, out, copy, given);
    ash_release(copy);
    ash_scope_close(barrier);
    return status;
}

static ash_status put_range(const char *function, ash_array *out, int64_t to, const ash_array *a, int64_t from, int64_t count,
                            bool exact, ash_resources *given)
{
    ash_array *part = flat_part(function, a, from, count);
    ash_status status = part ? ASH_OK : ash__last_status();
    if (part && (part->dtype != out->dtype || ash__may_overlap(out, part))) { /* convert and copy away before the first store */
        const int64_t barrier = ash_scope_open_barrier();
        const ash__make make = {
            .resources = ash__resources_on(function, ash__device(out), given), .dtype = out->dtype, .storage = out->storage};
        ash_array *copy = make.resources && barrier >= 0 ? ash__array_new(function, ash__dims(part), &make) : NULL;
        status = copy ? ash__convert_elements(function, copy, part, exact, given) : ash__last_status();
        ash_release(part);
        part = copy;
        ash_scope_close(barrier);
    }
    if (!status)
        status = put_flat(function, out, to, part, exact, given);
    ash_release(part);
    return status;
}

ash_status ash_copy_into_opt(ash_array *out, const ash_array *a, const ash_copy_into_options *options)
{
    static const char f[] = "ash_copy_into";
    ash_copy_into_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    const ash_status status = check_pair(f, out, a);
    if (status)
        return status;
    if (out->size < a->size)
        return ash__fail(ASH_ERR_BOUNDS, f, "a has %lld elements, out only %lld", (long long)a->size, (long long)out->size);
    if (!a->size)
        return ASH_OK;
    return ash_same_shape(out, a) ? put_same_shape(f, out, a, o.exact, o.resources)
                                  : put_range(f, out, 0, a, 0, a->size, o.exact, o.resources);
}

static ash_status check_range(const char *function, const char *name, int64_t start, int64_t count, int64_t size)
{
    if (start >= 0 && start <= size && count <= size - start)
        return ASH_OK;
    return ash__fail(ASH_ERR_BOUNDS, function, "%lld elements from %lld on are out of bounds for %s of %lld elements",
                     (long long)count, (long long)start, name, (long long)size);
}

ash_status ash_copy_range(ash_array *out, int64_t out_start, const ash_array *a, int64_t start, int64_t count)
{
    static const char f[] = "ash_copy_range";
    ash_status status = check_pair(f, out, a);
    if (status)
        return status;
    if (count < 0)
        return ash__fail(ASH_ERR_ARGUMENT, f, "count is %lld; it must not be negative", (long long)count);
    if (count == 0) /* wherever the starts point */
        return ASH_OK;
    status = check_range(f, "out", out_start, count, out->size);
    if (!status)
        status = check_range(f, "a", start, count, a->size);
    return status ? status : put_range(f, out, out_start, a, start, count, false, NULL);
}
