/* search.c - where values belong, which elements there are and which are true, and how many fall where; ashlar/order.h. */
#include "trial.h"

/* For each value how many of the sorted come before it; halving, since there are many. */
static int64_t place_of(const model *sorted, const void *value, bool right)
{
    int64_t low = 0, high = sorted->size;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        const int order = order_of(sorted->dtype, model_at(sorted, middle), value);
        if (order < 0 || (right && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void run_search_sorted(void)
{
    const int64_t n = now.longest / 3;
    const bool right = now.turn % 2;
    const model any = random_values(now.dtype, &n, 1, ANYTHING), positions = sorted_positions(&any, 0, false),
                in_order = picked(&any, 0, &positions);
    const argument sorted = give_model(&in_order), values = give_here(ANYTHING);
    result(ash_search_sorted(sorted.array, values.array, .right = right));
    const model want = model_new(ASH_I64, now.shape, now.rank);
    for (int64_t i = 0; i < want.size; i++)
        model_i64(&want)[i] = place_of(&in_order, model_at(&values.value, i), right);
    expect(&want);
}

/* ---- different elements: neighbours in stable order that differ */

static void run_unique(void)
{
    const argument a = give_here(FEW);
    const ash_unique_result got = ash_unique(a.array, .sorted = true, .positions = true, .inverse = true, .counts = true);
    const model in = model_flat(&a.value), order = sorted_positions(&in, 0, false);
    model values = model_new(now.dtype, &in.size, 1), positions = model_new(ASH_I64, &in.size, 1),
          counts = model_new(ASH_I64, &in.size, 1);
    const model inverse = model_new(ASH_I64, now.shape, now.rank);
    int64_t n = 0;
    for (int64_t i = 0; i < in.size; i++) {
        const int64_t at = model_i64(&order)[i];
        if (i == 0 || order_of(now.dtype, model_at(&in, at), model_at(&values, n - 1)) != 0) {
            model_put(&values, n, &in, at);
            model_i64(&positions)[n++] = at;
        }
        model_i64(&counts)[n - 1]++;
        model_i64(&inverse)[at] = n - 1;
    }
    values.shape[0] = values.size = positions.shape[0] = positions.size = counts.shape[0] = counts.size = n;
    result(got.values);
    expect(&values);
    result(got.positions);
    expect(&positions);
    result(got.inverse);
    expect(&inverse);
    result(got.counts);
    expect(&counts);
}

static void run_unique_seen(void)
{
    const argument a = give_here(FEW);
    const ash_unique_result got = ash_unique(a.array, .inverse = true);
    result(got.values);
    result(got.inverse);
}

/* ---- true elements */

static model true_positions(const model *a)
{
    model out = model_new(ASH_I64, &a->size, 1);
    int64_t n = 0;
    for (int64_t i = 0; i < a->size; i++)
        if (is_true(a->dtype, model_at(a, i)))
            model_i64(&out)[n++] = i;
    out.shape[0] = out.size = n;
    return out;
}

static void run_find(void)
{
    const argument a = give_here(FEW);
    result(ash_find(a.array));
    const model flat = true_positions(&a.value);
    const bool indices = now.rank >= 2;
    const model want = model_new(ASH_I64, (const int64_t[]){flat.size, now.rank}, indices ? 2 : 1);
    for (int64_t i = 0; i < flat.size; i++)
        if (indices)
            index_of(&a.value, model_i64(&flat)[i], model_i64(&want) + i * now.rank);
        else
            model_i64(&want)[i] = model_i64(&flat)[i];
    expect(&want);
}

static void run_find_predicate(void)
{
    const argument a = give_here(FEW);
    result(ash_find(a.array, .predicate = "x -> x > 1", .flat = true));
}

static void run_find_ends(void)
{
    const argument a = give_here(COUNTS);
    const model at = true_positions(&a.value);
    result_number((double)ash_find_first(a.array));
    expect_number(at.size ? (double)model_i64(&at)[0] : -1);
    result_number((double)ash_find_last(a.array));
    expect_number(at.size ? (double)model_i64(&at)[at.size - 1] : -1);
}

/* ---- histograms */

static void run_histogram(void)
{
    const argument a = give_here(COUNTS);
    const ash_histogram_result got = ash_histogram(a.array, 4, .low = ASH_OPERAND(0), .high = ASH_OPERAND(4));
    result(got.counts);
    if (!worked())
        return;
    const int64_t bins = 4;
    const model want = model_new(ASH_I64, &bins, 1);
    for (int64_t i = 0; i < a.value.size; i++) {
        int64_t count = 0;
        convert_element(ASH_I64, &count, now.dtype, model_at(&a.value, i));
        model_i64(&want)[count]++;
    }
    expect(&want);
    result(got.edges);
}

static void run_histogram_edges(void)
{
    const int64_t n = 6;
    const model any = random_values(now.dtype, &n, 1, COUNTS), positions = sorted_positions(&any, 0, false),
                in_order = picked(&any, 0, &positions);
    const argument a = give_here(ANYTHING), edges = give_model(&in_order);
    const ash_histogram_result got = ash_histogram(a.array, 5, .edges = edges.array);
    result(got.counts);
}

const operation search_operations[] = {
    {"search_sorted", run_search_sorted, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"unique", run_unique, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"unique_seen", run_unique_seen, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"find", run_find, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"find_predicate", run_find_predicate, INTEGERS | FLOATS, EVERY_EDGE, EXACT, EXACT, 0},
    {"find_ends", run_find_ends, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"histogram", run_histogram, INTEGERS | FLOATS, EVERY_EDGE, EXACT, EXACT, GIVES_F64},
    {"histogram_edges", run_histogram_edges, INTEGERS | FLOATS, EVERY_EDGE, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
