/* search.c - where values belong, which elements there are, and how many fall where; include/ashlar/order.h. */
#include <float.h>
#include <string.h>

#include "order.h"

/* As in sorting; between an integer and a float as numbers, of which there is one 0. */
static int order_between(ash_dtype d, const void *a, ash_dtype e, const void *b)
{
    const number x = number_of(d, a), y = number_of(e, b);
    return is_float(d) == is_float(e) || x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER ? order_of_numbers(x, y)
                                                                                          : number_compare(x, y);
}

static void draw_search_sorted(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 1, 1);
    const bool descending = one_in(3), right = one_in(2), low = draw_fault();
    const model values = random_values(draw_real(), shape, rank, draw_style());
    const model positions = sorted_positions(&values, 0, descending), in_order = picked(&values, 0, &positions);
    const int64_t square[2] = {1, in_order.size};
    const model matrix = model_reshape(&in_order, square, 2);
    const argument *sorted = draw_given("sorted", low ? &matrix : &in_order);
    const argument *v = draw_any("values", one_in(2) ? values.dtype : draw_real(), 0, 4);
    say("%s%s", right ? " right" : "", descending ? " descending" : "");
    ash_array *got = ash_search_sorted(sorted->array, ash_operand_array(v->array), .right = right, .descending = descending);
    if (low) {
        check_refused(!got, "ash_search_sorted", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const model want = model_new(ASH_I64, v->value.shape, v->value.rank);
    for (int64_t i = 0; i < want.size; i++)
        for (int64_t k = 0; k < in_order.size; k++) {
            const int order = order_between(in_order.dtype, model_at(&in_order, k), v->value.dtype, model_at(&v->value, i));
            model_i64(&want)[i] += descending ? order > 0 || (right && order == 0) : order < 0 || (right && order == 0);
        }
    check_new(got, &want);
}

/* ---- histogram */

static double value_of(const model *m, int64_t i)
{
    double x = 0;
    convert_element(ASH_F64, &x, m->dtype, model_at(m, i));
    return x;
}

/* Bin k holds edges[k] <= x < edges[k + 1], the last one its upper edge too. */
static model counts_between(const model *a, const model *edges)
{
    const int64_t bins = edges->size - 1;
    const model counts = model_new(ASH_I64, &bins, 1);
    for (int64_t i = 0; i < a->size; i++) {
        const number x = number_of(a->dtype, model_at(a, i));
        for (int64_t k = 0; k < bins && x.kind != NOT_A_NUMBER; k++) {
            const int low = number_compare(number_of(edges->dtype, model_at(edges, k)), x);
            const int high = number_compare(x, number_of(edges->dtype, model_at(edges, k + 1)));
            if (low <= 0 && (high < 0 || (high == 0 && k == bins - 1))) {
                model_i64(&counts)[k]++;
                break;
            }
        }
    }
    return counts;
}

static model equal_bins(ash_dtype dtype, double low, double high, int64_t bins)
{
    const int64_t n = bins + 1;
    const model edges = model_new(is_float(dtype) && dtype != ASH_F64 ? ASH_F32 : ASH_F64, &n, 1);
    for (int64_t k = 0; k < n; k++) {
        const double x = k == bins ? high : low + (double)k * ((high - low) / (double)bins);
        convert_element(edges.dtype, model_at(&edges, k), ASH_F64, &x);
    }
    return edges;
}

static void draw_histogram_range(const argument *a, int64_t bins)
{
    const bool given = a->value.size == 0 || one_in(2);
    double low = (double)random_in(-4, 3), high = low + (double)random_in(1, 9) / 2;
    bool finite = true;
    ash_histogram_options options = {ASH_SIZED(ash_histogram_options)};
    if (given) {
        options.low = ASH_OPERAND(low);
        options.high = ASH_OPERAND(high);
        say(" from %g to %g", low, high);
    }
    const bool empty = given && draw_fault();
    if (empty)
        options.high = ASH_OPERAND(low - (one_in(2) ? 1 : 0));
    const ash_histogram_result got = ash_histogram_opt(a->array, bins, &options);
    if (empty) {
        check_refused(!got.counts && !got.edges, "ash_histogram", ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    for (int64_t i = 0; i < a->value.size && !given; i++) {
        const double x = value_of(&a->value, i);
        finite &= number_of(a->value.dtype, model_at(&a->value, i)).kind == FINITE;
        low = i == 0 || order_of(ASH_F64, &x, &low) < 0 ? x : low; /* -0 is below 0 */
        high = i == 0 || order_of(ASH_F64, &x, &high) > 0 ? x : high;
    }
    if (finite && high - low > DBL_MAX) { /* no f64 is the width of a bin */
        check_refused(!got.counts && !got.edges, "ash_histogram", ONE_OF(ASH_ERR_ARGUMENT, ASH_ERR_VALUE));
        return;
    }
    if (!finite) {
        check_refused(!got.counts && !got.edges, "ash_histogram", ONE_OF(ASH_ERR_VALUE));
        return;
    }
    if (low == high && (low > 1e6 || low < -1e6)) {
        ash_error_clear(); /* half a unit may be less than one in the last place, and that may be an infinity away */
        return;
    }
    if (low == high) {
        low -= 0.5;
        high += 0.5;
    }
    const model edges = equal_bins(a->value.dtype, low, high, bins), counts = counts_between(&a->value, &edges);
    check_new(got.edges, &edges);
    check_new(got.counts, &counts);
}

static void draw_histogram_edges(const argument *a, int64_t bins)
{
    const int64_t n = bins + 1;
    const ash_dtype dtype = (ash_dtype)random_in(ASH_I8, WIDEST_FLOAT);
    const model edges = model_new(dtype, &n, 1);
    const bool falls = bins > 1 && draw_fault();
    int64_t x = random_in(0, 3);
    for (int64_t k = 0; k < n; k++) {
        const int64_t now = falls && k == n - 1 ? 0 : x;
        number_store(dtype, (number){FINITE, now < 0, (uint64_t)(now < 0 ? -now : now), 0}, model_at(&edges, k));
        x += random_in(1, 3);
    }
    const argument *e = draw_given("edges", &edges);
    const ash_histogram_result got = ash_histogram(a->array, one_in(2) ? 0 : bins, .edges = e->array);
    if (falls) {
        check_refused(!got.counts && !got.edges, "ash_histogram", ONE_OF(ASH_ERR_VALUE));
        return;
    }
    const model counts = counts_between(&a->value, &edges);
    check_values(got.edges, &edges);
    check_values(got.counts, &counts);
}

static void draw_histogram(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 4), bins = random_in(1, 8);
    const argument *a = draw_argument("a", draw_real(), shape, rank, one_in(5) ? ANYTHING : COUNTS);
    const bool none = draw_fault(), wide = !is_float(a->value.dtype) && ash_dtype_size(a->value.dtype) > 4; /* beyond f64 */
    say(" bins %" PRId64, none ? INT64_C(0) : bins);
    if (none) {
        const ash_histogram_result got = ash_histogram(a->array, one_in(2) ? 0 : -3);
        check_refused(!got.counts && !got.edges, "ash_histogram", ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    if (one_in(3))
        draw_histogram_edges(a, bins);
    else if (!wide && (device_has_f64 || is_float(a->value.dtype))) /* edges of integers are f64 */
        draw_histogram_range(a, bins);
}

const operation search_operations[] = {
    {"search_sorted", draw_search_sorted, 3},
    {"histogram", draw_histogram, 3},
    {NULL, NULL, 0},
};
