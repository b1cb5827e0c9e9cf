/* scan.c - running folds; include/ashlar/map.h. Sums of floats are compared where they are exact. */
#include "trial.h"

#include <string.h>

/* The axis scanned, or -1: the elements in row-major order. */
static int64_t axis_here(void)
{
    const int way = now.turn % 3;
    return !now.rank || way == 0 ? -1 : way == 1 ? now.rank - 1 : 0;
}

/* One fold for each line, whose total is put out at every element: behind it, or before it. */
static model scanned(const model *a, fold what, int64_t axis, bool exclusive)
{
    const model out = model_new(summed_dtype(a->dtype), a->shape, a->rank);
    const int64_t stride = axis < 0 ? 1 : count_of(a->shape + axis + 1, a->rank - axis - 1),
                  n = axis < 0 ? a->size : a->shape[axis];
    for (int64_t start = 0; start < a->size; start++) {
        if (start / stride % n)
            continue; /* no first element of a line */
        total t = {.part = {what == PROD, 0}};
        for (int64_t k = 0; k < n; k++) {
            if (exclusive)
                put_total(model_at(&out, start + k * stride), &t, what, out.dtype);
            take_in(&t, what, a->dtype, model_at(a, start + k * stride), k);
            if (!exclusive)
                put_total(model_at(&out, start + k * stride), &t, what, out.dtype);
        }
    }
    return out;
}

static void run_cumulative(fold what)
{
    const bool floats = is_float(part_of(now.dtype));
    const int64_t axis = axis_here();
    const argument a = give_here(!floats ? ANYTHING : what == SUM ? COUNTS : UNITS);
    const ash_scan_options options = {.axes = axis < 0 ? ASH_ALL_AXES : (ash_axes){&axis, 1}, ASH_SIZED(ash_scan_options)};
    result(what == SUM ? ash_cumsum_opt(a.array, &options) : ash_cumprod_opt(a.array, &options));
    if (what == PROD && floats)
        return;
    const model want = scanned(&a.value, what, axis, false);
    expect(&want);
}
static void run_cumsum(void)
{
    run_cumulative(SUM);
}
static void run_cumprod(void)
{
    run_cumulative(PROD);
}

static void run_exclusive(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(is_float(part_of(now.dtype)) ? COUNTS : ANYTHING);
    result(ash_cumsum(a.array, .axes = axis < 0 ? ASH_ALL_AXES : (ash_axes){&axis, 1}, .exclusive = true));
    const model want = scanned(&a.value, SUM, axis, true);
    expect(&want);
}

/* Floats of both signs: the bits of cpu:0. */
static void run_cumsum_floats(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(TAME);
    result(ash_cumsum(a.array, .axes = axis < 0 ? ASH_ALL_AXES : (ash_axes){&axis, 1}));
    scale((double)a.value.size);
}

static void run_scan_maximum(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(ANYTHING);
    result(ash_scan("max", a.array, .axes = axis < 0 ? ASH_ALL_AXES : (ash_axes){&axis, 1}));
}

/* x + y + x*y is (1 + x)(1 + y) - 1: associative, and exact modulo 2^n. */
static void run_scan_function(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(ANYTHING);
    result(ash_scan("(x, y) -> x + y + x*y", a.array, .axes = axis < 0 ? ASH_ALL_AXES : (ash_axes){&axis, 1}));
}

static void run_scan_into(void)
{
    const argument a = give_here(ANYTHING);
    const argument out = give_out(&a.value);
    result_status(ash_scan_into(out.array, "+", out.array), &out);
}

const operation scan_operations[] = {
    {"cumsum", run_cumsum, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"cumprod", run_cumprod, NUMBERS & ~COMPLEX_FLOATS, EVERY_EDGE, SOLVED, EXACT, 0},
    {"cumprod_complex", run_cumprod, COMPLEX_FLOATS, EVERY_EDGE, SOLVED, SOLVED, 0}, /* joined in another order */
    {"cumsum_exclusive", run_exclusive, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"cumsum_floats", run_cumsum_floats, FLOATS | COMPLEX_FLOATS, EVERY_EDGE, SUMMED, EXACT, 0},
    {"scan_maximum", run_scan_maximum, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"scan_function", run_scan_function, INTEGERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"scan_into", run_scan_into, INTEGERS, EVERY_EDGE, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
