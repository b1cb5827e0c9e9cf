/*
 * transform.c - a transform over several axes as one task for each, the halved axis first of all or last of all.
 *
 * Only the last task writes to a result that was there before, so that a failure leaves it as it was; those before it work in
 * a temporary array. f16 and bf16 are computed in f32 and rounded once, at the end.
 */
#include "backend/fourier.h"
#include "core/error.h"
#include "fft/fft.h"
#include "ops/map.h"
#include "ops/run.h"

/* ---- what is to be done */

static ash_status wrong_axes(const char *function, ash_axes axes, int64_t rank)
{
    char list[ASH__SHAPE_TEXT];
    return ash__fail(ASH_ERR_ARGUMENT, function,
                     "axes %s for rank %lld; an increasing sequence of valid dimensions, each from %lld to %lld, is wanted",
                     ash__shape_text(list, sizeof list, axes.axis, axes.count), (long long)rank, (long long)-rank,
                     (long long)rank - 1);
}

static ash_status set_axes(ash__fft *x, ash_axes axes)
{
    if (!axes.axis) {
        for (int64_t k = 0; k < x->rank; k++)
            x->axis[k] = k;
        x->axes = x->rank;
        return ASH_OK;
    }
    x->axes = 0;
    for (int64_t i = 0; i < axes.count; i++) {
        const int64_t k = axes.axis[i] < 0 ? axes.axis[i] + x->rank : axes.axis[i];
        if (k < 0 || k >= x->rank || (i && k <= x->axis[i - 1]))
            return wrong_axes(x->function, axes, x->rank);
        x->axis[x->axes++] = k;
    }
    return ASH_OK;
}

static ash_status set_dtypes(ash__fft *x, ash_dtype from)
{
    const ash_dtype part = ash__part(from);
    if (!ash__is_real(part))
        return ash__fail(ASH_ERR_DTYPE, x->function, "%s has no Fourier transform; numbers are wanted", ash_dtype_name(from));
    if (x->kind == ASH_FFT_REAL && part != from)
        return ash__fail(ASH_ERR_DTYPE, x->function, "the numbers are %s; real ones are wanted", ash_dtype_name(from));
    const ash_dtype kept = ash__is_float(part) ? part : ASH_F32;
    x->from = from;
    x->part = ash__machine(kept);
    x->to = x->kind == ASH_FFT_REAL_INVERSE || x->kind == ASH_FFT_REAL_BACKWARD ? kept : ash__complex_of(kept);
    return ASH_OK;
}

ash_status ash__fft_set(ash__fft *x, const char *function, ash_fft_kind kind, ash_dims shape, ash_dtype from, ash_axes axes,
                        bool first)
{
    *x = (ash__fft){.function = function, .kind = kind, .scale = 1, .rank = shape.rank, .size = 1, .real = -1};
    for (int64_t k = 0; k < shape.rank; k++)
        x->shape[k] = x->half[k] = shape.size[k];
    ash_status status = set_axes(x, axes);
    if (!status)
        status = set_dtypes(x, from);
    if (status)
        return status;
    for (int64_t i = 0; i < x->axes; i++)
        x->size *= x->shape[x->axis[i]];
    if (kind == ASH_FFT_INVERSE || kind == ASH_FFT_REAL_INVERSE)
        x->scale = x->size ? 1 / (double)x->size : 1;
    if (kind < ASH_FFT_REAL)
        return ASH_OK;
    if (!x->axes)
        return ash__fail(ASH_ERR_ARGUMENT, function, "no axis is given; a transform of real numbers needs one");
    x->real = x->axis[first ? 0 : x->axes - 1];
    x->half[x->real] = x->shape[x->real] / 2 + 1;
    return ASH_OK;
}

ash_dims ash__fft_from(const ash__fft *x)
{
    return (ash_dims){x->kind > ASH_FFT_REAL ? x->half : x->shape, x->rank};
}
ash_dims ash__fft_to(const ash__fft *x)
{
    return (ash_dims){x->kind == ASH_FFT_REAL ? x->half : x->shape, x->rank};
}

bool ash__fft_same(const ash_array *out, const ash_array *a)
{
    bool same =
        ash__data(out) == ash__data(a) && out->dtype == a->dtype && out->conjugated == a->conjugated && ash_same_shape(out, a);
    for (int64_t k = 0; same && k < out->rank; k++)
        same = out->shape[k] < 2 || out->stride[k] == a->stride[k];
    return same;
}

/* ---- tasks */

static ash_status run_axis(const ash__fft *x, ash_resources *r, const ash_array *a, ash_array *out, int64_t axis, bool last)
{
    const bool real = axis == x->real;
    const struct ash__fourier what = {.kind = !real                     ? ASH__FOURIER_COMPLEX
                                              : x->kind == ASH_FFT_REAL ? ASH__FOURIER_REAL
                                                                        : ASH__FOURIER_HALF,
                                      .backward = ash__fft_backward(x->kind),
                                      .n = x->shape[axis],
                                      .scale = last ? x->scale : 1};
    const ash__span operand = ash__span_of(a);
    const ash__task task = {.kind = ASH__TASK_FOURIER,
                            .function = x->function,
                            .rank = x->rank,
                            .shape = a->shape,
                            .operand_count = 1,
                            .operand = &operand,
                            .out = ash__span_of(out),
                            .axis = axis,
                            .fourier = &what};
    return ash__run_on(r, &task);
}

/* The axes in the order of their tasks; those of size 1 need none. */
static int64_t order(const ash__fft *x, int64_t *axis)
{
    int64_t count = 0;
    if (x->kind == ASH_FFT_REAL)
        axis[count++] = x->real;
    for (int64_t i = x->axes; i-- > 0;)
        if (x->axis[i] != x->real && x->shape[x->axis[i]] > 1)
            axis[count++] = x->axis[i];
    if (x->kind > ASH_FFT_REAL)
        axis[count++] = x->real;
    return count;
}

/* All tasks: from a to out, of the dtypes that are computed in; `between` holds what the last one reads, and may be out. */
static ash_status run_axes(const ash__fft *x, ash_resources *r, const ash_array *a, ash_array *between, ash_array *out)
{
    int64_t axis[ASH_MAX_RANK];
    const int64_t count = order(x, axis);
    ash_status status = ASH_OK;
    if (!out->size)
        return ASH_OK;
    if (!x->size)
        return ash__fill_zeros(x->function, out, r);
    if (!count)
        return ash__copy_elements(x->function, out, a, r);
    for (int64_t i = 0; i < count && !status; i++)
        status = run_axis(x, r, i ? between : a, i == count - 1 ? out : between, axis[i], i == count - 1);
    return status;
}

/* ---- arrays */

/* A new array for numbers of a transform of a: dense, of a's device and layout. */
static ash_array *array_for(const ash__fft *x, ash_resources *r, const ash_array *a, ash_dims shape, ash_dtype dtype)
{
    const ash__make make = {
        .resources = r, .dtype = dtype, .layout = ash__layout_like(a), .storage = a->storage, .memory = a->buffer->memory};
    return ash__array_new(x->function, shape, &make);
}

static ash_dtype computed(const ash__fft *x, ash_dtype dtype)
{
    return ash__is_complex(dtype) ? ash__complex_of(x->part) : x->part;
}

static bool aligned(const ash_array *a)
{
    const int64_t item = (int64_t)ash__alignment_of(a->dtype);
    bool yes = (uintptr_t)ash__data(a) % (uintptr_t)item == 0;
    for (int64_t k = 0; k < a->rank; k++)
        yes = yes && (a->shape[k] < 2 || a->stride[k] % item == 0);
    return yes;
}

/* a as what the first task reads: itself with one more reference, or a converted copy. */
static ash_array *operand_of(const ash__fft *x, ash_resources *r, const ash_array *a)
{
    const ash_dtype dtype = x->kind == ASH_FFT_REAL ? x->part : ash__complex_of(x->part);
    if (a->dtype == dtype && !a->conjugated && aligned(a))
        return ash_retain(a);
    const ash_operand operand = ash_operand_array(a);
    const ash_map_options o = {
        .struct_size = sizeof o, .resources = r, .dtype = dtype, .layout = ash__layout_like(a), .storage = a->storage};
    return ash__map_text_new(x->function, "x -> x", (ash_operands){&operand, 1}, &o);
}

/* Into an array of the dtype that is computed in, not conjugated, which a does not overlap but may be. fresh: it may be left
 * half written. */
static ash_status run_to(const ash__fft *x, ash_resources *r, ash_array *out, const ash_array *a, bool fresh)
{
    int64_t axis[ASH_MAX_RANK];
    const bool apart = out->size && order(x, axis) > 1 && (!fresh || x->kind > ASH_FFT_REAL);
    ash_array *const from = operand_of(x, r, a);
    ash_array *const between =
        from && apart ? array_for(x, r, a, (ash_dims){x->half, x->rank}, ash__complex_of(x->part)) : NULL;
    const bool ready = from && (between || !apart);
    const ash_status status = ready ? run_axes(x, r, from, apart ? between : out, out) : ash__last_status();
    ash_release(between);
    ash_release(from);
    return status;
}

ash_array *ash__fft_new(const ash__fft *x, const ash_array *a, ash_resources *given)
{
    ash_resources *const r = ash__resources_on(x->function, ash__device(a), given);
    const int64_t barrier = r ? ash_scope_open_barrier() : -1;
    ash_array *out = barrier < 0 ? NULL : array_for(x, r, a, ash__fft_to(x), computed(x, x->to));
    ash_status status = out ? run_to(x, r, out, a, true) : ash__last_status();
    if (!status && out->dtype != x->to) {
        ash_array *const narrow = array_for(x, r, a, ash__fft_to(x), x->to);
        const ash_operand operand = ash_operand_array(out);
        status = narrow ? ash__map_text_to(x->function, narrow, "x -> x", (ash_operands){&operand, 1}, r) : ash__last_status();
        ash_release(out);
        out = narrow;
    }
    ash_scope_close(barrier);
    if (out && status) {
        ash_release(out);
        out = NULL;
    }
    return out ? ash__scope_hold(x->function, out) : NULL;
}

/* By way of an array of its own. */
static ash_status aside(const ash__fft *x, ash_resources *r, ash_array *out, const ash_array *a)
{
    ash_array *const own = array_for(x, r, out, ash__fft_to(x), computed(x, x->to));
    ash_status status = own ? run_to(x, r, own, a, true) : ash__last_status();
    if (!status) {
        const ash_operand operand = ash_operand_array(own);
        status = ash__map_text_to(x->function, out, "x -> x", (ash_operands){&operand, 1}, r);
    }
    ash_release(own);
    return status;
}

ash_status ash__fft_into(const ash__fft *x, ash_array *out, const ash_array *a, ash_resources *given)
{
    ash_resources *const r = ash__resources_on(x->function, ash__device(a), given);
    const int64_t barrier = r ? ash_scope_open_barrier() : -1;
    const bool direct = out->dtype == computed(x, x->to) && !out->conjugated && aligned(out) &&
                        (!ash__may_overlap(out, a) || (ash__fft_same(out, a) && x->kind < ASH_FFT_REAL));
    const ash_status status = barrier < 0 ? ash__last_status() : direct ? run_to(x, r, out, a, false) : aside(x, r, out, a);
    ash_scope_close(barrier);
    return status;
}
