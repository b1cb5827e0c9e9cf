/* order.c - sorting and what is read off it; include/ashlar/order.h. */
#include "trial.h"

/* The axis sorted along: the last one, or the first. */
static int64_t axis_here(void)
{
    return now.rank > 1 && now.turn % 2 ? 0 : now.rank - 1;
}

static model in_order(const model *a, int64_t axis, bool descending)
{
    const model positions = sorted_positions(a, axis, descending);
    return picked(a, axis, &positions);
}

/* Elements first to first + count - 1 of each line. */
static model stretch(const model *a, int64_t axis, int64_t first, int64_t count)
{
    cut cuts[MODEL_RANK];
    for (int64_t k = 0; k < a->rank; k++)
        cuts[k] = k == axis ? (cut){first, 1, count} : (cut){0, 1, a->shape[k]};
    return model_cut(a, cuts);
}

static void run_sort(void)
{
    const int64_t axis = axis_here();
    const bool descending = now.turn / 2 % 2;
    const argument a = give_here(ANYTHING);
    result(ash_sort(a.array, .axes = (ash_axes){&axis, 1}, .descending = descending));
    const model want = in_order(&a.value, axis, descending);
    expect(&want);
}

static void run_sort_flat(void)
{
    const argument a = give_here(FEW);
    result(ash_sort(a.array, .flat = true));
    const model flat = model_flat(&a.value), want = in_order(&flat, 0, false);
    expect(&want);
}

static void run_sort_into(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(ANYTHING);
    const argument out = give_out(&a.value);
    result_status(ash_sort_into(out.array, out.array, .axes = (ash_axes){&axis, 1}), &out);
    const model want = in_order(&a.value, axis, false);
    expect(&want);
}

static void run_sortperm(void)
{
    const int64_t axis = axis_here();
    const bool descending = now.turn / 2 % 2;
    const argument a = give_here(FEW);
    result(ash_sortperm(a.array, .axes = (ash_axes){&axis, 1}, .descending = descending));
    const model want = sorted_positions(&a.value, axis, descending);
    expect(&want);
}

static void run_sortperm_into(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(FEW);
    const model start = model_positions(now.shape, now.rank);
    const argument out = give_out(&start);
    result_status(ash_sortperm_into(out.array, a.array, .axes = (ash_axes){&axis, 1}), &out);
    const model want = sorted_positions(&a.value, axis, false);
    expect(&want);
}

static void run_sort_by(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(FEW);
    result(ash_sort(a.array, .axes = (ash_axes){&axis, 1}, .by = by_texts[NEGATED]));
    const model keys = keys_of(&a.value, NEGATED), positions = sorted_positions(&keys, axis, false),
                want = picked(&a.value, axis, &positions);
    expect(&want);
}

static void run_sort_less(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(FEW);
    result(ash_sort(a.array, .axes = (ash_axes){&axis, 1}, .less = "(x, y) -> x > y"));
    const model positions = sorted_positions(&a.value, axis, true), want = picked(&a.value, axis, &positions);
    expect(&want);
}

static void run_sort_records(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(ANYTHING);
    result(ash_sort(a.array, .axes = (ash_axes){&axis, 1}, .by = "x -> x.n"));
}

/* Keys of the trial's dtype, values of another width. */
static void run_sort_by_key(void)
{
    const argument keys = give_here(FEW), values = give(ASH_I32, now.shape, now.rank, ANYTHING);
    const ash_key_values got = ash_sort_by_key(keys.array, values.array);
    result(got.keys);
    if (!worked())
        return;
    const model positions = sorted_positions(&keys.value, 0, false);
    model want = picked(&keys.value, 0, &positions);
    expect(&want);
    result(got.values);
    want = picked(&values.value, 0, &positions);
    expect(&want);
}

static void run_sort_all_by_key(void)
{
    const argument keys = give_here(FEW), x = give(ASH_U8, now.shape, now.rank, ANYTHING),
                   y = give(ASH_I64, now.shape, now.rank, ANYTHING);
    const ash_key_lists got = ash_sort_all_by_key_opt(keys.array, ASH_ARRAYS(x.array, y.array), NULL);
    const model positions = sorted_positions(&keys.value, 0, false),
                wanted[] = {picked(&keys.value, 0, &positions), picked(&x.value, 0, &positions),
                            picked(&y.value, 0, &positions)};
    result(got.keys);
    expect(&wanted[0]);
    result(got.values[0]);
    expect(&wanted[1]);
    result(got.values[1]);
    expect(&wanted[2]);
}

static void run_partial_sort(void)
{
    const int64_t axis = axis_here(), n = now.shape[axis], first = n / 3, count = n / 4;
    const argument a = give_here(ANYTHING);
    result(ash_partial_sort(a.array, first, count, .axes = (ash_axes){&axis, 1}));
    const model sorted = in_order(&a.value, axis, false), want = stretch(&sorted, axis, first, count);
    if (worked() && n)
        expect(&want);
}

static void run_top_k(void)
{
    const int64_t axis = axis_here(), k = now.shape[axis] < 3 ? now.shape[axis] : 3;
    const argument a = give_here(FEW);
    const ash_top got = ash_top_k(a.array, k, .axes = (ash_axes){&axis, 1});
    result(got.values);
    if (!worked())
        return;
    result(got.positions);
    const model all = sorted_positions(&a.value, axis, true), positions = stretch(&all, axis, 0, k);
    expect(&positions);
}

static void run_is_sorted(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(FEW);
    const model sorted = in_order(&a.value, axis, false);
    const argument b = give_model(&sorted);
    result_number(ash_is_sorted(a.array, .axes = (ash_axes){&axis, 1}));
    result_number(ash_is_sorted(b.array, .axes = (ash_axes){&axis, 1}));
    expect_number(1);
}

const operation order_operations[] = {
    {"sort", run_sort, REALS, WITH_AXES, EXACT, EXACT, 0},
    {"sort_flat", run_sort_flat, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"sort_into", run_sort_into, REALS, WITH_AXES, EXACT, EXACT, 0},
    {"sortperm", run_sortperm, REALS, WITH_AXES, EXACT, EXACT, 0},
    {"sortperm_into", run_sortperm_into, REALS, WITH_AXES, EXACT, EXACT, 0},
    {"sort_by", run_sort_by, INTEGERS | FLOATS, WITH_AXES, EXACT, EXACT, 0},
    {"sort_less", run_sort_less, INTEGERS, WITH_AXES, EXACT, EXACT, 0},
    {"sort_records", run_sort_records, RECORDS_TOO, WITH_AXES, EXACT, EXACT, 0},
    {"sort_by_key", run_sort_by_key, REALS, VECTORS, EXACT, EXACT, 0},
    {"sort_all_by_key", run_sort_all_by_key, REALS, VECTORS, EXACT, EXACT, 0},
    {"partial_sort", run_partial_sort, REALS, WITH_AXES, EXACT, EXACT, 0},
    {"top_k", run_top_k, REALS, WITH_AXES, EXACT, EXACT, 0},
    {"is_sorted", run_is_sorted, REALS, WITH_AXES, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
