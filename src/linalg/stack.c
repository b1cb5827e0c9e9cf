/* stack.c - the last two axes of an array as a stack of matrices, on the host in the form that LAPACK wants. */
#include "linalg/stack.h"

#include <math.h>
#include <stdio.h>

#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "linalg/factoring.h"
#include "ops/run.h"

ash_status ash__stack_begin(ash__stack *s, const char *function, const ash_array *a, ash_resources *given)
{
    ash_status status = ash__check_matrices(function, "a", a, false);
    if (status)
        return status;
    if (!ash__is_real(a->dtype) && !ash__is_complex(a->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "a is %s; numbers were wanted", ash_dtype_name(a->dtype));
    *s = (ash__stack){.function = function,
                      .a = a,
                      .given = given,
                      .dtype = ash__factor_dtype(a->dtype),
                      .outer = a->rank - 2,
                      .count = ash__count(a->shape, a->rank - 2),
                      .rows = a->shape[a->rank - 2],
                      .columns = a->shape[a->rank - 1]};
    status = ash__check_dtype(function, ash__device(a), s->dtype);
    if (status)
        return status;
    s->resources = ash__resources_on(function, ash__device(a), given);
    return s->resources && ash__host_at(function, a, ASH__READ) ? ASH_OK : ash__last_status();
}

ash_status ash__stack_square(const ash__stack *s)
{
    return ash__check_matrices(s->function, "a", s->a, true);
}

ash_array *ash__stack_temporary(const ash__stack *s, ash_dtype dtype, int64_t rows, int64_t columns)
{
    const int64_t shape[3] = {s->count, columns, rows};
    ash_array *const made = ash__temporary(s->function, s->resources, ASH_SHARED, dtype, shape, 3);
    if (made && !ash__host_at(s->function, made, ASH__WRITE | ASH__OWN)) {
        ash_release(made);
        return NULL;
    }
    return made;
}

/* Strides of a temporary over the axes of a result, of which the last two, or with vectors the last one, are its own. */
static void strides_over(const ash__stack *s, const ash_array *temporary, bool vectors, const int64_t *shape, int64_t *stride)
{
    int64_t step = temporary->stride[0];
    for (int64_t k = s->outer - 1; k >= 0; k--) {
        stride[k] = step;
        step *= shape[k];
    }
    stride[s->outer] = temporary->stride[2];
    if (!vectors)
        stride[s->outer + 1] = temporary->stride[1];
}

static ash_status transfer(const ash__stack *s, const int64_t *shape, int64_t rank, ash__span to, ash__span from,
                           bool conjugated)
{
    if (to.dtype == from.dtype && !conjugated)
        return ash__run_copy(s->function, s->resources, shape, rank, to, from);
    return ash__convert_all(s->function, shape, rank, to.data, to.stride, to.dtype, from.data, from.stride, from.dtype, false,
                            conjugated ? ASH__FROM_CONJUGATED : 0);
}

ash_array *ash__stack_copy(const ash__stack *s)
{
    int64_t stride[ASH_MAX_RANK];
    ash_array *const copy = ash__stack_temporary(s, s->dtype, s->rows, s->columns);
    if (!copy || !copy->size)
        return copy;
    strides_over(s, copy, false, s->a->shape, stride);
    const ash__span to = {copy->buffer, ash__data(copy), stride, copy->dtype};
    const ash__span from = {s->a->buffer, ash__data(s->a), s->a->stride, s->a->dtype};
    ash_status status = transfer(s, s->a->shape, s->a->rank, to, from, s->a->conjugated && ash__is_complex(s->a->dtype));
    if (!status && ash__host_at(s->function, copy, ASH__READ_WRITE | ASH__OWN))
        return copy;
    ash_release(copy);
    return NULL;
}

ash_array *ash__stack_result(const ash__stack *s, const ash_array *temporary, bool vectors)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = s->outer;
    memcpy(shape, s->a->shape, (size_t)rank * sizeof shape[0]);
    shape[rank++] = temporary->shape[2];
    if (!vectors)
        shape[rank++] = temporary->shape[1];
    const ash__make make = {.resources = s->resources,
                            .dtype = temporary->dtype,
                            .layout = ash__layout_like(s->a),
                            .storage = s->a->storage,
                            .memory = s->a->buffer->memory};
    ash_array *const out = ash__array_new(s->function, (ash_dims){shape, rank}, &make);
    if (!out || !out->size)
        return out;
    strides_over(s, temporary, vectors, shape, stride);
    const ash__span to = {out->buffer, ash__data(out), out->stride, out->dtype};
    const ash__span from = {temporary->buffer, ash__data(temporary), stride, temporary->dtype};
    if (!transfer(s, shape, rank, to, from, false))
        return out;
    ash_release(out);
    return NULL;
}

char *ash__stack_at(const ash_array *temporary, int64_t i)
{
    return ash__data(temporary) + i * temporary->stride[0];
}

const char *ash__stack_name(const ash__stack *s, int64_t i, char *buffer, size_t size)
{
    int64_t index[ASH_MAX_RANK];
    char text[ASH__SHAPE_TEXT];
    if (s->outer == 0)
        return "";
    ash__index_at(ASH_ROW_MAJOR, s->a->shape, s->outer, i, index);
    if (s->outer == 1)
        snprintf(buffer, size, "matrix %lld: ", (long long)index[0]);
    else
        snprintf(buffer, size, "matrix %s: ", ash__shape_text(text, sizeof text, index, s->outer));
    return buffer;
}

/* ---- elements */

static double part_at(ash_dtype part, const void *elements, int64_t i)
{
    return part == ASH_F64 ? ((const double *)elements)[i] : (double)((const float *)elements)[i];
}

/* The first of n parts that is not finite, or n: block by block without a branch, and then within the block that has one. */
static int64_t first_infinite(ash_dtype part, const void *elements, int64_t n)
{
    enum { BLOCK = 1024 };
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int64_t end = start + BLOCK < n ? start + BLOCK : n;
        bool all = true;
        if (part == ASH_F64)
            for (int64_t i = start; i < end; i++)
                all &= isfinite(((const double *)elements)[i]) != 0;
        else
            for (int64_t i = start; i < end; i++)
                all &= isfinite(((const float *)elements)[i]) != 0;
        if (all)
            continue;
        for (int64_t i = start; i < end; i++)
            if (!isfinite(part_at(part, elements, i)))
                return i;
    }
    return n;
}

bool ash__stack_sound(ash_dtype dtype, const void *values, int64_t n)
{
    return first_infinite(ash__part(dtype), values, n) == n;
}

static ash_status fail_infinite(const ash__stack *s, int64_t matrix, int64_t row, int64_t column, double x)
{
    int64_t index[ASH_MAX_RANK];
    char text[ASH__SHAPE_TEXT];
    ash__index_at(ASH_ROW_MAJOR, s->a->shape, s->outer, matrix, index);
    index[s->outer] = row;
    index[s->outer + 1] = column;
    return ash__fail(ASH_ERR_VALUE, s->function, "element %s is %s; finite numbers are wanted",
                     ash__shape_text(text, sizeof text, index, s->outer + 2),
                     isnan(x) ? "nan"
                     : x > 0  ? "inf"
                              : "-inf");
}

ash_status ash__stack_finite(const ash__stack *s, const ash_array *copy, char triangle)
{
    const ash_dtype part = ash__part(s->dtype);
    const int64_t parts = ash__is_complex(s->dtype) ? 2 : 1, item = (int64_t)ash_dtype_size(s->dtype);
    for (int64_t i = 0; i < s->count; i++)
        for (int64_t column = 0; column < s->columns; column++) {
            const int64_t first = triangle == 'L' ? column : 0, end = triangle == 'U' ? column + 1 : s->rows;
            const char *const at = ash__stack_at(copy, i) + (column * s->rows + first) * item;
            const int64_t bad = first_infinite(part, at, (end - first) * parts);
            if (bad < (end - first) * parts)
                return fail_infinite(s, i, first + bad / parts, column, part_at(part, at, bad));
        }
    return ASH_OK;
}

#define DEFINE_SCALE(T, FREXP, LDEXP, FABS)                          \
    static int scale_##T(T *x, int64_t n, int most)                  \
    {                                                                \
        T largest = 0;                                               \
        int exponent;                                                \
        for (int64_t i = 0; i < n; i++)                              \
            largest = FABS(x[i]) > largest ? FABS(x[i]) : largest;   \
        (void)FREXP(largest, &exponent);                             \
        if (largest == 0 || (exponent <= most && exponent >= -most)) \
            return 0;                                                \
        for (int64_t i = 0; i < n; i++)                              \
            x[i] = LDEXP(x[i], -exponent);                           \
        return exponent;                                             \
    }
DEFINE_SCALE(float, frexpf, ldexpf, fabsf)
DEFINE_SCALE(double, frexp, ldexp, fabs)

int ash__stack_scale(ash_dtype dtype, void *matrix, int64_t elements)
{
    const int64_t parts = ash__is_complex(dtype) ? 2 * elements : elements;
    return ash__part(dtype) == ASH_F64 ? scale_double(matrix, parts, 300) : scale_float(matrix, parts, 30);
}

void ash__stack_unscale(ash_dtype dtype, void *values, int64_t count, int exponent)
{
    if (!exponent)
        return;
    for (int64_t i = 0; i < count; i++)
        if (ash__part(dtype) == ASH_F64)
            ((double *)values)[i] = ldexp(((double *)values)[i], exponent);
        else
            ((float *)values)[i] = ldexpf(((float *)values)[i], exponent);
}
