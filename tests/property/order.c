/*
 * order.c - sorting and what is read off it; include/ashlar/order.h.
 *
 * All of sorting is one list: the positions of a line in stable order of their keys. The rest is read off it.
 */
#include <stdlib.h>
#include <string.h>

#include "order.h"

/* Elements first to first + count - 1 along the axis. */
static model stretch(const model *m, int64_t axis, int64_t first, int64_t count)
{
    cut cuts[MODEL_RANK];
    for (int64_t k = 0; k < m->rank; k++)
        cuts[k] = (cut){0, 1, m->shape[k]};
    cuts[axis] = (cut){first, 1, count};
    return model_cut(m, cuts);
}

/* ---- the options of all these functions */

typedef struct sorting {
    const argument *a;
    ash_sort_options options;
    model in, keys;      /* with an axis: rank 0 is a vector of one, and flat one of all */
    int64_t axis, given; /* of in */
    key by;
    ash_status refused;
} sorting;

ash_dtype draw_keyed(key *by)
{
    *by = one_in(4) ? (key)random_below(KEYS) : ITSELF;
    return *by == REAL_PART      ? (ash_dtype)random_in(ASH_C_I8, WIDEST_COMPLEX)
           : *by == LESS_IS_MORE ? draw_integer() /* no NaN, of which no comparison is true */
           : *by == NEGATED      ? (ash_dtype)random_in(ASH_I8, WIDEST_FLOAT)
                                 : draw_real();
}

static void set_axis(sorting *s, int64_t rank)
{
    static const int64_t first = 0;
    s->options.flat = one_in(4);
    s->axis = s->options.flat || !rank ? 0 : random_below(rank);
    s->given = draw_axis(rank, s->axis);
    if (!s->options.flat && rank && draw_fault()) {
        s->given = draw_bad_axis(rank);
        s->refused = ASH_ERR_BOUNDS;
    }
    if (!s->options.flat && rank && (rank > 1 || s->refused || one_in(2)))
        s->options.axes = AXES(&s->given, 1);
    if (!s->options.flat && rank > 1 && !s->refused && draw_fault()) {
        s->options.axes = one_in(2) ? ASH_ALL_AXES : AXES(&first, 0);
        s->refused = ASH_ERR_ARGUMENT;
    }
}

/* Made in place: .axes points into it. */
static void draw_sorting(sorting *s, const char *name, bool descends)
{
    *s = (sorting){.options = {ASH_SIZED(ash_sort_options)}};
    const ash_dtype dtype = draw_keyed(&s->by);
    s->a = draw_any(name, dtype, 0, 5);
    set_axis(s, s->a->value.rank);
    s->options.descending = descends && one_in(3);
    s->options.by = by_texts[s->by];
    s->options.less = s->by == LESS_IS_MORE ? "(x, y) -> x > y" : NULL;
    if (s->by == REAL_PART && draw_fault() && !s->refused) {
        s->options.by = NULL;
        s->refused = ASH_ERR_DTYPE;
    }
    s->in = s->options.flat || !s->a->value.rank ? model_flat(&s->a->value) : s->a->value;
    s->keys = keys_of(&s->in, s->by);
    say(" axis %" PRId64 "%s%s, by %s%s", s->given, s->options.axes.axis ? "" : " (not given)", s->options.flat ? ", flat" : "",
        s->options.by     ? s->options.by
        : s->options.less ? s->options.less
                          : "value",
        s->options.descending ? ", descending" : "");
}

static model positions_of(const sorting *s)
{
    return sorted_positions(&s->keys, s->axis, s->options.descending != (s->by == LESS_IS_MORE));
}

/* In the shape of the result: rank 0 again, if that is what a is and .flat was not asked for. */
static model shaped(const sorting *s, const model *m)
{
    return !s->a->value.rank && !s->options.flat ? model_reshape(m, NULL, 0) : *m;
}

static bool refused_as(const sorting *s, bool refused, const char *function)
{
    if (s->refused)
        check_refused(refused, function, ONE_OF(s->refused));
    return s->refused != ASH_OK;
}

/* ---- sorting */

static void draw_sort(void)
{
    sorting s;
    draw_sorting(&s, "a", true);
    ash_array *got = ash_sort_opt(s.a->array, &s.options);
    if (refused_as(&s, !got, "ash_sort"))
        return;
    const model positions = positions_of(&s), in_order = picked(&s.in, s.axis, &positions), want = shaped(&s, &in_order);
    check_new_like(got, &want, s.a);
    if (!s.options.flat)
        check_layout_like(got, s.a);
}

static void draw_sortperm(void)
{
    sorting s;
    draw_sorting(&s, "a", true);
    ash_array *got = ash_sortperm_opt(s.a->array, &s.options);
    if (refused_as(&s, !got, "ash_sortperm"))
        return;
    const model positions = positions_of(&s), want = shaped(&s, &positions);
    check_new_like(got, &want, s.a);
}

/* Into another array, into itself, or into itself through a view with the axes the other way round. */
static void draw_sort_into(void)
{
    sorting s;
    draw_sorting(&s, "a", true);
    const bool permutation = one_in(3);
    const model positions = s.refused ? s.in : positions_of(&s);
    const model in_order = s.refused ? s.in : permutation ? positions : picked(&s.in, s.axis, &positions);
    model want = shaped(&s, &in_order);
    const bool unequal = !s.refused && want.rank && draw_fault();
    if (unequal)
        want.shape[random_below(want.rank)]++;
    const ash_dtype dtype = s.refused && permutation ? ASH_I64 : s.refused ? s.a->value.dtype : want.dtype;
    argument *out = draw_writable("out", dtype, want.shape, want.rank, ANYTHING);
    const char *const function = permutation ? "ash_sortperm_into" : "ash_sort_into";
    const ash_status status = permutation ? ash_sortperm_into_opt(out->array, s.a->array, &s.options)
                                          : ash_sort_into_opt(out->array, s.a->array, &s.options);
    if (refused_as(&s, status != ASH_OK, function))
        return;
    if (unequal) {
        check_refused(status != ASH_OK, function, ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    check_done(status);
    expect_in(out, &want);
}

static void draw_sort_in_place(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 1, 4), axis = random_below(rank);
    argument *a = draw_writable("a", draw_real(), shape, rank, draw_style());
    const bool descending = one_in(2), turned = one_in(2);
    cut cuts[MODEL_RANK];
    for (int64_t k = 0; k < rank; k++)
        cuts[k] = k == 0 && turned ? (cut){shape[0] - 1, -1, shape[0]} : (cut){0, 1, shape[k]};
    ash_array *from = turned ? ash_slice(a->array, ASH_OPEN, ASH_OPEN, .step = -1) : a->array;
    say(" axis %" PRId64 "%s%s", axis, descending ? ", descending" : "", turned ? ", from its rows turned round" : "");
    check_done(ash_sort_into(a->array, from, .axes = AXES(&axis, 1), .descending = descending));
    const model in = model_cut(&a->value, cuts), positions = sorted_positions(&in, axis, descending),
                want = picked(&in, axis, &positions);
    expect_in(a, &want);
}

/* Values for the keys of s: of their shape, or, along a vector of them, slices. */
static argument *draw_payload(const sorting *s, const char *name, bool unequal)
{
    int64_t shape[MODEL_RANK] = {0}, rank = s->a->value.rank;
    memcpy(shape, s->a->value.shape, sizeof shape);
    for (int64_t k = rank == 1 && !s->options.flat && one_in(3) ? random_in(1, 2) : 0; k > 0; k--)
        shape[rank++] = random_in(0, 3);
    if (unequal)
        shape[0] += 1;
    return draw_argument(name, draw_dtype(), shape, rank, draw_style());
}

static void check_moved(const sorting *s, ash_array *got, const argument *v, const model *positions)
{
    const int64_t rank = v->value.rank;
    if (rank > s->a->value.rank) {
        const model values = model_new(v->value.dtype, v->value.shape, rank);
        const int64_t row = count_of(v->value.shape + 1, rank - 1);
        for (int64_t i = 0; i < values.size; i++)
            model_put(&values, i, &v->value, model_i64(positions)[i / row] * row + i % row);
        check_new_like(got, &values, v);
    } else {
        const model flat = s->options.flat || !rank ? model_flat(&v->value) : v->value,
                    moved = picked(&flat, s->axis, positions), values = shaped(s, &moved);
        check_new_like(got, &values, v);
    }
}

static void draw_sort_by_key(void)
{
    enum { MOST = 3 };
    static const char *const names[MOST] = {"values", "values[1]", "values[2]"};
    sorting s;
    draw_sorting(&s, "keys", true);
    const int64_t count = one_in(2) ? 1 : random_in(1, MOST);
    const bool list = count > 1 || one_in(4), unequal = !s.refused && s.a->value.rank && draw_fault();
    const argument *v[MOST];
    const ash_array *values[MOST];
    for (int64_t k = 0; k < count; k++) {
        v[k] = draw_payload(&s, names[k], unequal && k == count - 1);
        values[k] = v[k]->array;
    }
    ash_key_lists got = {.keys = NULL};
    if (list) {
        got = ash_sort_all_by_key_opt(s.a->array, (ash_arrays){values, count}, &s.options);
    } else {
        const ash_key_values pair = ash_sort_by_key_opt(s.a->array, values[0], &s.options);
        got.keys = pair.keys;
        got.values[0] = pair.values;
    }
    for (int64_t k = 0; k < ASH_MAX_VALUES; k++)
        if ((got.values[k] != NULL) != (got.keys && k < count))
            fail("not all results are there, or not none of them");
    if (refused_as(&s, !got.keys, "ash_sort_by_key"))
        return;
    if (unequal) {
        check_refused(!got.keys, "ash_sort_by_key", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const model positions = positions_of(&s), in_order = picked(&s.in, s.axis, &positions), keys = shaped(&s, &in_order);
    check_new_like(got.keys, &keys, s.a);
    for (int64_t k = 0; k < count; k++)
        check_moved(&s, got.values[k], v[k], &positions);
}

static void draw_partial_sort(void)
{
    sorting s;
    draw_sorting(&s, "a", true);
    const int64_t n = s.in.shape[s.axis], first = random_in(0, n);
    int64_t count = random_in(0, n - first), start = first;
    const bool outside = !s.refused && draw_fault(), negative = !s.refused && !outside && draw_fault();
    if (outside)
        count = n - first + random_in(1, 3);
    if (negative)
        *(one_in(2) ? &start : &count) = -1;
    say(" %" PRId64 " from %" PRId64, count, start);
    ash_array *got = ash_partial_sort_opt(s.a->array, start, count, &s.options);
    if (refused_as(&s, !got, "ash_partial_sort"))
        return;
    if (outside || negative) {
        check_refused(!got, "ash_partial_sort", outside ? ONE_OF(ASH_ERR_BOUNDS) : ONE_OF(ASH_ERR_ARGUMENT, ASH_ERR_BOUNDS));
        return;
    }
    const model positions = positions_of(&s), in_order = picked(&s.in, s.axis, &positions);
    const model want = stretch(&in_order, s.axis, first, count); /* rank 0 gives a vector: it has no axis to be shorter */
    check_new_like(got, &want, s.a);
}

static void draw_top_k(void)
{
    sorting s;
    draw_sorting(&s, "a", false);
    const int64_t n = s.in.shape[s.axis];
    const bool outside = !s.refused && draw_fault();
    const int64_t k = outside ? one_in(2) ? n + random_in(1, 3) : -1 : random_in(0, n);
    say(" k %" PRId64, k);
    const ash_top got = ash_top_k_opt(s.a->array, k, &s.options);
    if ((got.values == NULL) != (got.positions == NULL))
        fail("one of the results is there and the other is not");
    if (refused_as(&s, !got.values, "ash_top_k"))
        return;
    if (outside) {
        check_refused(!got.values, "ash_top_k", k < 0 ? ONE_OF(ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT) : ONE_OF(ASH_ERR_BOUNDS));
        return;
    }
    s.options.descending = true;
    const model order = positions_of(&s), positions = stretch(&order, s.axis, 0, k), values = picked(&s.in, s.axis, &positions);
    check_new_like(got.values, &values, s.a);
    check_new_like(got.positions, &positions, s.a);
}

static void draw_is_sorted(void)
{
    sorting s;
    int64_t shape[MODEL_RANK];
    draw_sorting(&s, "unsorted", true);
    const int64_t axis = s.axis;
    if (!s.refused && one_in(2)) { /* else almost nothing is sorted */
        const model positions = positions_of(&s), in_order = picked(&s.in, axis, &positions);
        model given = shaped(&s, &in_order);
        if (s.options.flat) {
            memcpy(shape, s.a->value.shape, sizeof shape);
            given = model_reshape(&in_order, shape, s.a->value.rank);
        }
        if (given.size > 1 && one_in(4)) {
            const int64_t i = random_below(given.size - 1);
            model_put(&given, i, &given, i + 1);
            given = one_in(2) ? given : s.a->value;
        }
        s.a = draw_given("a", &given);
        s.in = s.options.flat || !given.rank ? model_flat(&given) : given;
        s.keys = keys_of(&s.in, s.by);
    }
    const bool got = ash_is_sorted_opt(s.a->array, &s.options);
    if (refused_as(&s, !got, "ash_is_sorted"))
        return;
    const model positions = positions_of(&s);
    bool want = true;
    for (int64_t i = 0; i < positions.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&positions, i, index);
        want &= model_i64(&positions)[i] == index[axis];
    }
    if (got != want)
        fail("it is %s", want ? "sorted" : "not sorted");
}

const operation order_operations[] = {
    {"sort", draw_sort, 5},
    {"sortperm", draw_sortperm, 4},
    {"sort_into", draw_sort_into, 3},
    {"sort_in_place", draw_sort_in_place, 3},
    {"sort_by_key", draw_sort_by_key, 3},
    {"partial_sort", draw_partial_sort, 3},
    {"top_k", draw_top_k, 3},
    {"is_sorted", draw_is_sorted, 3},
    {NULL, NULL, 0},
};
