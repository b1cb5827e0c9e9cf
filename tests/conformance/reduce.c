/* reduce.c - folds, and comparisons of whole arrays; include/ashlar/map.h. Sums of floats are compared where they are exact. */
#include "trial.h"

#include <string.h>

/* Some axes, another choice for each dtype: all of them, the first, the last, or all but the second, which are left out. */
typedef struct choice {
    int64_t axis[MODEL_RANK];
    ash_axes axes;
    fold_axes folded;
} choice;

static void choose(choice *c)
{
    const int way = now.rank ? now.turn % 4 : 0;
    int64_t count = 0;
    *c = (choice){.folded = {.all = way == 0, .drop = way == 3}};
    for (int64_t k = 0; k < now.rank; k++) {
        c->folded.folded[k] = way == 0 || (way == 1 && k == 0) || (way == 2 && k == now.rank - 1) || (way == 3 && k != 1);
        if (c->folded.folded[k])
            c->axis[count++] = k;
    }
    c->axes = way ? (ash_axes){c->axis, count} : ASH_ALL_AXES;
}

static void expect_fold(const model *a, fold what, const choice *c, const model *mask)
{
    model want;
    if (fold_model(&want, a, what, &c->folded, mask))
        expect(&want);
    else if (worked())
        fail("there is nothing to choose from");
}

static void run_fold(ash_array *(*function)(const ash_array *, const ash_reduce_options *), fold what)
{
    const bool sums = what == SUM || what == PROD, floats = is_float(part_of(now.dtype));
    choice c;
    choose(&c);
    const argument a = give_here(sums && floats ? (what == SUM ? COUNTS : UNITS) : what == ANY || what == ALL ? FEW : ANYTHING);
    const ash_reduce_options options = {.axes = c.axes, .drop = c.folded.drop, ASH_SIZED(ash_reduce_options)};
    result(function(a.array, &options));
    if (!(what == PROD && floats))
        expect_fold(&a.value, what, &c, NULL);
}

#define FOLD(name, what)                  \
    static void run_##name(void)          \
    {                                     \
        run_fold(ash_##name##_opt, what); \
    }
FOLD(sum, SUM)
FOLD(prod, PROD)
FOLD(min, MIN)
FOLD(max, MAX)
FOLD(any, ANY)
FOLD(all, ALL)
FOLD(count, HOW_MANY)
FOLD(argmin, ARGMIN)
FOLD(argmax, ARGMAX)

/* Floats of any size and both signs: the bits of cpu:0, whatever the order they are added in. */
static void run_sum_floats(void)
{
    choice c;
    choose(&c);
    const argument a = give_here(TAME);
    result(ash_sum(a.array, .axes = c.axes));
    scale((double)a.value.size);
}

/* Of those that a mask takes, folded into what is there. */
static void run_fold_into(ash_status (*function)(ash_array *, const ash_array *, const ash_reduce_options *), fold what)
{
    const int64_t none = 0;
    choice c = {.folded = {.all = true}, .axes = ASH_ALL_AXES};
    const argument a = give_here(COUNTS), mask = give(ASH_BOOL, now.shape, now.rank, FEW);
    const model start = model_new(folded_dtype(what, now.dtype), &none, 0);
    const argument out = give_out(&start);
    const ash_reduce_options options = {.where = ASH_OPERAND(mask.array), ASH_SIZED(ash_reduce_options)};
    result_status(function(out.array, a.array, &options), &out);
    if (what == MIN || what == MAX) {
        model want;
        if (worked() && fold_model(&want, &a.value, what, &c.folded, &mask.value))
            expect(&want);
    } else {
        expect_fold(&a.value, what, &c, &mask.value);
    }
}

#define FOLD_INTO(name, what)                       \
    static void run_##name##_into(void)             \
    {                                               \
        run_fold_into(ash_##name##_into_opt, what); \
    }
FOLD_INTO(sum, SUM)
FOLD_INTO(prod, PROD)
FOLD_INTO(min, MIN)
FOLD_INTO(max, MAX)
FOLD_INTO(any, ANY)
FOLD_INTO(all, ALL)
FOLD_INTO(count, HOW_MANY)

/* ---- means and deviations */

static void run_mean(void)
{
    choice c;
    choose(&c);
    const argument a = give_here(TAME);
    result(ash_mean(a.array, .axes = c.axes));
    scale(9);
}
static void run_var(void)
{
    choice c;
    choose(&c);
    const argument a = give_here(TAME);
    result(ash_var(a.array, .axes = c.axes));
    scale(81);
}
static void run_std(void)
{
    choice c;
    choose(&c);
    const argument a = give_here(TAME);
    result(ash_std(a.array, .axes = c.axes, .population = true));
    scale(9);
}

/* ---- both at once */

static void run_extrema(void)
{
    choice c;
    choose(&c);
    const argument a = give_here(ANYTHING);
    const ash_extrema_result got = ash_extrema(a.array, .axes = c.axes, .drop = c.folded.drop);
    result(got.min);
    if (!worked())
        return;
    expect_fold(&a.value, MIN, &c, NULL);
    result(got.max);
    expect_fold(&a.value, MAX, &c, NULL);
}

static void run_find_extremum(bool largest)
{
    choice c;
    choose(&c);
    const argument a = give_here(FEW);
    const ash_find_result got = largest ? ash_find_max(a.array, .axes = c.axes, .drop = c.folded.drop)
                                        : ash_find_min(a.array, .axes = c.axes, .drop = c.folded.drop);
    result(got.value);
    if (!worked())
        return;
    expect_fold(&a.value, largest ? MAX : MIN, &c, NULL);
    result(got.index);
    expect_fold(&a.value, largest ? ARGMAX : ARGMIN, &c, NULL);
}
static void run_find_min(void)
{
    run_find_extremum(false);
}
static void run_find_max(void)
{
    run_find_extremum(true);
}

/* ---- any function, any operator */

/* A product of fields modulo 2^64 and the exclusive or of it: the order does not matter. */
static void run_reduce(void)
{
    choice c;
    choose(&c);
    const argument a = give_here(ANYTHING);
    result(ash_reduce(now.dtype == ASH_BOOL ? "||" : "^", a.array, .axes = c.axes, .drop = c.folded.drop));
}
static void run_reduce_function(void)
{
    choice c;
    choose(&c);
    const argument a = give_here(ANYTHING);
    result(ash_reduce("(x, y) -> x + y + x*y", a.array, .axes = c.axes, .init = ASH_OPERAND(0)));
}
static void run_reduce_into(void)
{
    const int64_t none = 0;
    const argument a = give_here(ANYTHING);
    const model start = model_new(now.dtype, &none, 0);
    const argument out = give_out(&start);
    result_status(ash_reduce_into(out.array, "max", a.array, .accumulate = true), &out);
}
static void run_map_reduce(void)
{
    choice c;
    choose(&c);
    const argument a = give_here(TAME), b = give_here(TAME);
    result(ash_map_reduce_with("(x, y) -> x*y", "+", ASH_OPERANDS(a.array, b.array), .axes = c.axes));
    scale((double)a.value.size);
}
static void run_map_reduce_into(void)
{
    const int64_t none = 0;
    const argument a = give_here(TAME);
    const model start = model_new(summed_dtype(now.dtype), &none, 0);
    const argument out = give_out(&start);
    result_status(ash_map_reduce_into_with(out.array, "x -> x*x", "+", ASH_OPERANDS(a.array)), &out);
    scale((double)a.value.size);
}

/* ---- comparisons of whole arrays */

static void run_equal(void)
{
    const argument a = give_here(COUNTS), b = give_model(&a.value), other = give_here(COUNTS);
    result_number(ash_equal(a.array, b.array));
    if (!is_record(now.dtype)) /* whose fields may be NaN */
        expect_number(1);
    result_number(ash_equal(a.array, other.array));
    result_number(ash_equal(a.array, b.array, .identical = true));
    expect_number(1);
}
static void run_allclose(void)
{
    const argument a = give_here(TAME), b = give_model(&a.value), other = give_here(TAME);
    result_number(ash_allclose(a.array, b.array));
    expect_number(1);
    result_number(ash_allclose(a.array, other.array, .atol = 1e-3));
}

#define FLOATING (FLOATS | COMPLEX_FLOATS)
const operation reduce_operations[] = {
    {"sum", run_sum, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"sum_floats", run_sum_floats, FLOATING, EVERY_EDGE, SUMMED, EXACT, 0},
    {"prod", run_prod, NUMBERS & ~COMPLEX_FLOATS, EVERY_EDGE, SOLVED, EXACT, 0},
    {"prod_complex", run_prod, COMPLEX_FLOATS, EVERY_EDGE, SOLVED, SOLVED, 0}, /* joined in another order */
    {"min", run_min, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"max", run_max, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"any", run_any, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"all", run_all, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"count", run_count, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"argmin", run_argmin, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"argmax", run_argmax, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"sum_into", run_sum_into, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"prod_into", run_prod_into, TRUTH | INTEGERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"min_into", run_min_into, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"max_into", run_max_into, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"any_into", run_any_into, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"all_into", run_all_into, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"count_into", run_count_into, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"mean", run_mean, NUMBERS, EVERY_EDGE, SUMMED, EXACT, 0},
    {"var", run_var, NUMBERS, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"std", run_std, NUMBERS, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"extrema", run_extrema, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"find_min", run_find_min, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"find_max", run_find_max, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"reduce", run_reduce, TRUTH | INTEGERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"reduce_function", run_reduce_function, INTEGERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"reduce_into", run_reduce_into, INTEGERS | FLOATS, EVERY_EDGE, EXACT, EXACT, 0},
    {"map_reduce", run_map_reduce, NUMBERS, EVERY_EDGE, SUMMED, EXACT, 0},
    {"map_reduce_into", run_map_reduce_into, NUMBERS, EVERY_EDGE, SUMMED, EXACT, 0},
    {"equal", run_equal, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"allclose", run_allclose, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
