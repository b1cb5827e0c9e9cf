/*
 * range.c - numbers at equal distances, and the identity matrix.
 *
 * A range's element i is start + i*step, computed anew for each element (in i64, or in f64 rounded once), so that the error
 * does not grow along it.
 */
#include <math.h>

#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "core/operand.h"
#include "core/options.h"
#include "ops/run.h"
#include "ops/task.h"

/* Writes elements made in f64 or i64 into a, a piece at a time. */
enum { PIECE = 512 };

typedef struct series {
    bool integers;
    int64_t first, step;
    double start, by; /* element i: start + i*by, */
    double stop;      /* but the last one is stop when `ends` */
    int64_t last;
    bool ends;
} series;

static ash_status write_series(const char *function, char *data, const ash_array *a, const series *s)
{
    int64_t whole[PIECE];
    double floating[PIECE];
    for (int64_t i = 0; i < a->size; i += PIECE) {
        const int64_t n = a->size - i < PIECE ? a->size - i : PIECE;
        for (int64_t j = 0; j < n; j++) {
            whole[j] = (int64_t)((uint64_t)s->first + (uint64_t)(i + j) * (uint64_t)s->step);
            floating[j] = s->ends && i + j == s->last ? s->stop : s->start + (double)(i + j) * s->by;
        }
        const char *from = s->integers ? (const char *)whole : (const char *)floating;
        const ash_dtype dtype = s->integers ? ASH_I64 : ASH_F64;
        char *const to = data + i * a->stride[0];
        const int64_t bad = ash__convert_run(to, a->stride[0], a->dtype, from, 8, dtype, n, false);
        if (bad < n) {
            const int64_t index = i + bad;
            return ash__convert_fail(function, &index, 1, from + 8 * bad, dtype, a->dtype, false);
        }
    }
    return ASH_OK;
}

static ash_array *finished(const char *function, ash_array *a, const series *s)
{
    ash__host h;
    ash_status status = a ? ash__host_open(&h, function, a, ASH__WRITE | ASH__OWN) : ASH_OK;
    if (a && !status)
        status = write_series(function, h.data, a, s);
    if (a && ash__host_close(&h, status)) {
        ash_release(a);
        return NULL;
    }
    return a;
}

/* The value of a real scalar operand, both ways. */
static ash_status read_scalar(const char *function, const char *name, const ash_operand *o, int64_t *i, double *f)
{
    if (!o || o->kind == ASH_OPERAND_NONE)
        return ash__null(function, name);
    if (o->kind != ASH_OPERAND_SCALAR || !ash__is_real(o->dtype))
        return ash__fail(ASH_ERR_ARGUMENT, function, "%s must be a real scalar", name);
    if (o->dtype == ASH_U64 && o->value.i < 0)
        return ash__fail(ASH_ERR_VALUE, function, "%s, %llu, does not fit i64", name, (unsigned long long)o->value.i);
    *i = ash__is_float(o->dtype) ? 0 : o->value.i;
    *f = ash__is_float(o->dtype) ? o->value.f : (double)o->value.i;
    return ASH_OK;
}

/* Elements of first, first + step ... before stop; -1 when there are more than can be counted. */
static int64_t integer_count(int64_t first, int64_t stop, int64_t step)
{
    if (step > 0 ? first >= stop : first <= stop)
        return 0;
    const uint64_t distance = step > 0 ? (uint64_t)stop - (uint64_t)first : (uint64_t)first - (uint64_t)stop;
    const uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    const uint64_t n = (distance - 1) / stride + 1;
    return n > INT64_MAX ? -1 : (int64_t)n;
}

static int64_t float_count(double start, double stop, double step)
{
    const double n = ceil((stop - start) / step);
    return n > 0 ? n < 0x1p62 ? (int64_t)n : -1 : 0;
}

ash_array *ash_range_opt(const ash_operand *start, const ash_operand *stop, const ash_range_options *options)
{
    static const char f[] = "ash_range";
    ash_range_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    const ash_operand one = ash_operand_integer(ASH_I32, 1);
    const ash_operand *step = o.step.kind == ASH_OPERAND_NONE ? &one : &o.step;
    int64_t i[3];
    double x[3];
    if (read_scalar(f, "start", start, &i[0], &x[0]) || read_scalar(f, "stop", stop, &i[1], &x[1]) ||
        read_scalar(f, "step", step, &i[2], &x[2]))
        return NULL;
    ash_dtype dtype = ash_dtype_promote(ash_dtype_promote(start->dtype, stop->dtype), step->dtype);
    const bool integers = !ash__is_float(dtype);
    if (x[2] == 0 || x[2] != x[2]) {
        ash__fail(ASH_ERR_ARGUMENT, f, "step is %g; it must not be 0", x[2]);
        return NULL;
    }
    const int64_t count = integers ? integer_count(i[0], i[1], i[2]) : float_count(x[0], x[1], x[2]);
    if (count < 0 || x[0] - x[0] != 0 || x[1] - x[1] != 0) {
        ash__fail(ASH_ERR_ARGUMENT, f, "from %g to %g by %g there is no countable number of elements", x[0], x[1], x[2]);
        return NULL;
    }
    const series s = {.integers = integers, .first = i[0], .step = i[2], .start = x[0], .by = x[2]};
    const ash__make make = {.resources = o.resources,
                            .dtype = o.dtype    ? o.dtype
                                     : integers ? ASH_I64
                                                : dtype,
                            .layout = o.layout,
                            .storage = o.storage,
                            .memory = o.memory};
    return finished(f, ash__array_new(f, (ash_dims){&count, 1}, &make), &s);
}

ash_array *ash_linspace_opt(double start, double stop, int64_t count, const ash_linspace_options *options)
{
    static const char f[] = "ash_linspace";
    ash_linspace_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    const int64_t steps = o.exclusive ? count : count - 1;
    const series s = {.start = start,
                      .by = steps > 0 ? (stop - start) / (double)steps : 0,
                      .stop = stop,
                      .last = count - 1,
                      .ends = !o.exclusive && count > 1};
    const ash__make make = {
        .resources = o.resources, .dtype = o.dtype, .layout = o.layout, .storage = o.storage, .memory = o.memory};
    return finished(f, ash__array_new(f, (ash_dims){&count, 1}, &make), &s);
}

ash_array *ash_eye_opt(int64_t rows, const ash_eye_options *options)
{
    static const char f[] = "ash_eye";
    ash_eye_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    const int64_t columns = o.columns ? o.columns : rows, shape[2] = {rows, columns};
    const ash_operand one = ash_operand_integer(ASH_I32, 1);
    const ash_operand *value = o.value.kind == ASH_OPERAND_NONE ? &one : &o.value;
    const ash__make make = {.resources = o.resources,
                            .dtype = o.dtype                              ? o.dtype
                                     : o.value.kind == ASH_OPERAND_SCALAR ? o.value.dtype
                                                                          : ASH_F32,
                            .layout = o.layout,
                            .storage = o.storage,
                            .memory = o.memory};
    ash_array *a = ash__array_new(f, (ash_dims){shape, 2}, &make);
    if (!a)
        return NULL;
    unsigned char bytes[ASH__SCALAR_BYTES], element[ASH__SCALAR_BYTES] = {0};
    ash_status status =
        ash__is_record(a->dtype) ? ash__fail(ASH_ERR_DTYPE, f, "no number is a %s", ash_dtype_name(a->dtype)) : ASH_OK;
    if (!status && value->kind != ASH_OPERAND_SCALAR)
        status = ash__fail(ASH_ERR_ARGUMENT, f, "the value must be a scalar");
    if (!status)
        status = ash__fill_elements(f, a, element, o.resources);
    if (!status)
        status = ash__operand_bytes(f, value, bytes);
    if (!status)
        status =
            ash__convert_all(f, NULL, 0, (char *)element, NULL, a->dtype, (const char *)bytes, NULL, value->dtype, false, 0);
    const int64_t d = o.diagonal;
    if (!status && d > -rows && d < columns) {
        const int64_t first_row = d < 0 ? -d : 0, first_column = d > 0 ? d : 0;
        const int64_t length = rows - first_row < columns - first_column ? rows - first_row : columns - first_column;
        const int64_t step = a->stride[0] + a->stride[1];
        char *const at = ash__data(a) + first_row * a->stride[0] + first_column * a->stride[1];
        status = ash__run_copy(f, a->resources, &length, 1, (ash__span){a->buffer, at, &step, a->dtype},
                               (ash__span){.data = (char *)element, .dtype = a->dtype});
    }
    if (status) {
        ash_release(a);
        return NULL;
    }
    return a;
}
