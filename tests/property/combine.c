/* combine.c - arrays put together, turned, shifted, repeated, chosen and picked from; include/ashlar/index.h. */
#include <string.h>

#include "draw.h"

enum { JOINED = 4 }; /* the most arrays that one draw joins */

typedef struct several {
    int64_t count;
    argument *a[JOINED];
    const ash_array *array[JOINED];
    ash_dtype dtype; /* the promotion of all, or the one asked for */
    model value[JOINED];
} several;

static const char *const joined_names[JOINED] = {"array 0", "array 1", "array 2", "array 3"};

/* Some dtype for each; elements of several dtypes are counts, which every dtype has. */
static void draw_dtypes(several *s, ash_dtype *dtypes, ash_dtype *asked, style *like)
{
    const ash_dtype one = draw_dtype();
    const bool mixed = !is_record(one) && one_in(3);
    *asked = !is_record(one) && one_in(5) ? draw_number() : ASH_DTYPE_DEFAULT;
    s->count = one_in(4) ? 1 : random_in(2, JOINED);
    s->dtype = ASH_DTYPE_DEFAULT;
    for (int64_t i = 0; i < s->count; i++) {
        dtypes[i] = mixed ? draw_number() : one;
        s->dtype = i ? promoted(s->dtype, dtypes[i]) : dtypes[i];
    }
    *like = mixed || *asked ? COUNTS : draw_style();
    if (*asked) {
        s->dtype = *asked;
        say(" .dtype %s", ash_dtype_name(*asked));
    }
}

static void add_array(several *s, int64_t i, ash_dtype dtype, const int64_t *shape, int64_t rank, style like)
{
    s->a[i] = draw_argument(joined_names[i], dtype, shape, rank, like);
    s->array[i] = s->a[i]->array;
}

/* False: an element does not fit the dtype asked for. */
static bool convert_all(several *s)
{
    for (int64_t i = 0; i < s->count; i++)
        if (!model_convert(&s->value[i], &s->a[i]->value, s->dtype))
            return false;
    return true;
}

static void check_joined(ash_array *got, const model *want, bool fits, ash_layout layout, const char *function)
{
    if (!fits) {
        check_refused(!got, function, ONE_OF(ASH_ERR_VALUE));
        return;
    }
    check_new(got, want);
    check_layout(got, layout);
}

/* The shape that an array of concat counts as. */
static int64_t grown(int64_t *shape, const model *m, int64_t rank)
{
    for (int64_t k = 0; k < rank; k++)
        shape[k] = k < m->rank ? m->shape[k] : 1;
    return rank;
}

/* Each array at its corner, and zeros elsewhere. */
static model concat_model(const several *s, int64_t rank, const bool *joins)
{
    int64_t shape[MODEL_RANK], corner[MODEL_RANK] = {0};
    for (int64_t i = 0; i < s->count; i++) {
        int64_t own[MODEL_RANK];
        grown(own, &s->value[i], rank);
        for (int64_t k = 0; k < rank; k++)
            shape[k] = i && joins[k] ? shape[k] + own[k] : own[k];
    }
    const model out = model_new(s->dtype, shape, rank);
    for (int64_t i = 0; i < s->count; i++) {
        int64_t own[MODEL_RANK];
        const model part = model_reshape(&s->value[i], own, grown(own, &s->value[i], rank));
        for (int64_t p = 0; p < part.size; p++) {
            int64_t index[MODEL_RANK];
            index_of(&part, p, index);
            for (int64_t k = 0; k < rank; k++)
                index[k] += corner[k];
            model_put(&out, position_of(&out, index), &part, p);
        }
        for (int64_t k = 0; k < rank; k++)
            corner[k] += joins[k] ? part.shape[k] : 0;
    }
    return out;
}

static void draw_concat(void)
{
    several s;
    ash_dtype dtypes[JOINED], asked;
    style like;
    int64_t shape[MODEL_RANK], axes[MODEL_RANK], count = 1;
    bool joins[MODEL_RANK] = {false};
    draw_dtypes(&s, dtypes, &asked, &like);
    int64_t rank = draw_shape(shape, 0, 6);
    const int64_t named = rank; /* the highest rank that an array has, if no array loses its last axes */
    const bool behind = rank == 0 || one_in(8), diagonal = !behind && one_in(4), fault = draw_fault() && s.count > 1 && rank;
    if (behind)
        shape[rank++] = 1;
    random_order(axes, rank);
    if (behind)
        axes[0] = rank - 1;
    else if (diagonal)
        count = random_in(1, rank);
    for (int64_t j = 0; j < count; j++)
        joins[axes[j]] = true;
    const int64_t wrong = fault ? random_in(1, s.count - 1) : -1;
    bool unequal = false;
    for (int64_t i = 0; i < s.count; i++) {
        int64_t own[MODEL_RANK], own_rank = behind ? named : rank;
        for (int64_t k = 0; k < rank; k++)
            own[k] = joins[k] && !behind ? draw_size() : shape[k];
        if (i == wrong) {
            const int64_t k = random_below(own_rank);
            unequal |= !joins[k];
            own[k] += !joins[k];
        }
        while (own_rank > 0 && i > 0 && own[own_rank - 1] == 1 && one_in(3))
            own_rank--; /* it counts as if it had the axis */
        add_array(&s, i, dtypes[i], own, own_rank, like);
    }
    const ash_layout layout = draw_layout();
    const ash_arrays arrays = {s.array, s.count};
    int64_t given[MODEL_RANK];
    for (int64_t j = 0; j < count; j++)
        given[j] = behind ? axes[j] : draw_axis(rank, axes[j]);
    say_list(diagonal ? ".axes" : ".axis", given, count);
    ash_array *got = diagonal ? ash_concat(arrays, .axes = AXES(given, count), .dtype = asked, .layout = layout)
                              : ash_concat(arrays, .axis = given[0], .dtype = asked, .layout = layout);
    if (unequal) {
        check_refused(!got, "ash_concat", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const bool fits = convert_all(&s);
    const model want = fits ? concat_model(&s, rank, joins) : s.a[0]->value;
    check_joined(got, &want, fits, layout, "ash_concat");
}

static void draw_stack(void)
{
    several s;
    ash_dtype dtypes[JOINED], asked;
    style like;
    int64_t shape[MODEL_RANK];
    draw_dtypes(&s, dtypes, &asked, &like);
    const int64_t rank = draw_shape(shape, 0, 6), axis = random_in(0, rank);
    const bool far = draw_fault(), unequal = !far && draw_fault() && s.count > 1 && rank;
    const ash_layout layout = draw_layout();
    for (int64_t i = 0; i < s.count; i++) {
        shape[0] += unequal && i == s.count - 1;
        add_array(&s, i, dtypes[i], shape, rank, like);
    }
    const int64_t given = far ? draw_bad_axis(rank + 1) : draw_axis(rank + 1, axis);
    say(" .axis %" PRId64, given);
    ash_array *got = ash_stack(((ash_arrays){s.array, s.count}), .axis = given, .dtype = asked, .layout = layout);
    if (far || unequal) {
        check_refused(!got, "ash_stack", far ? ONE_OF(ASH_ERR_BOUNDS) : ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    bool joins[MODEL_RANK] = {false};
    const bool fits = convert_all(&s);
    for (int64_t i = 0; i < s.count && fits; i++) { /* a concatenation of arrays that have the axis */
        int64_t own[MODEL_RANK];
        for (int64_t k = 0; k <= rank; k++)
            own[k] = k < axis ? shape[k] : k == axis ? 1 : shape[k - 1];
        s.value[i] = model_reshape(&s.value[i], own, rank + 1);
    }
    joins[axis] = true;
    const model want = fits ? concat_model(&s, rank + 1, joins) : s.a[0]->value;
    check_joined(got, &want, fits, layout, "ash_stack");
}

/* ---- one array */

static argument *draw_a(int64_t least_rank, int64_t most_rank)
{
    return draw_any("a", draw_dtype(), least_rank, most_rank);
}

static void draw_reverse(void)
{
    const argument *a = draw_a(0, 6);
    const int64_t rank = a->value.rank;
    const bool all = one_in(3);
    cut cuts[MODEL_RANK];
    const some_axes s = draw_axes(rank, all ? 0 : random_in(0, rank));
    ash_array *got = all ? ash_reverse(a->array) : ash_reverse(a->array, .axes = AXES(s.given, s.count));
    if (s.wrong) {
        check_refused(!got, "ash_reverse", WRONG_AXES);
        return;
    }
    for (int64_t k = 0; k < rank; k++) {
        bool turned = all;
        for (int64_t j = 0; j < s.count; j++)
            turned |= s.axis[j] == k;
        cuts[k] = turned ? (cut){a->value.shape[k] - 1, -1, a->value.shape[k]} : (cut){0, 1, a->value.shape[k]};
    }
    const model want = model_cut(&a->value, cuts);
    check_new(got, &want);
    check_layout_like(got, a);
}

/* i modulo n, not negative. */
static int64_t modulo(int64_t i, int64_t n)
{
    return (i % n + n) % n;
}

static void draw_roll(void)
{
    const argument *a = draw_a(0, 6);
    const int64_t rank = a->value.rank;
    const bool first = one_in(3), more = draw_fault();
    int64_t shifts[MODEL_RANK], by[MODEL_RANK] = {0};
    const some_axes s = draw_axes(rank, first ? 0 : random_in(0, rank));
    const int64_t count = first ? random_in(0, rank) : s.count;
    for (int64_t j = 0; j <= count; j++) {
        shifts[j] = one_in(10) ? (one_in(2) ? INT64_MIN : INT64_MAX) : random_in(-20, 20);
        if (j < count)
            by[first ? j : s.axis[j]] = shifts[j];
    }
    say_list("shifts", shifts, count + more);
    ash_array *got = first ? ash_roll(a->array, DIMS(shifts, more ? rank + 1 : count))
                           : ash_roll(a->array, DIMS(shifts, count + more), .axes = AXES(s.given, s.count));
    if (s.wrong || more) {
        check_refused(!got, "ash_roll", WRONG_AXES);
        return;
    }
    const model want = model_new(a->value.dtype, a->value.shape, rank);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&want, i, index);
        for (int64_t k = 0; k < rank; k++)
            index[k] = modulo(index[k] + modulo(by[k], want.shape[k]), want.shape[k]);
        model_put(&want, position_of(&want, index), &a->value, i);
    }
    check_new(got, &want);
    check_layout_like(got, a);
}

/* One turn: element (i, j) goes to (n - 1 - j, i), which takes the first axis towards the second. */
static model turned_once(const model *m, int64_t p, int64_t q)
{
    int64_t shape[MODEL_RANK], index[MODEL_RANK];
    memcpy(shape, m->shape, sizeof shape);
    shape[p] = m->shape[q];
    shape[q] = m->shape[p];
    const model out = model_new(m->dtype, shape, m->rank);
    for (int64_t i = 0; i < m->size; i++) {
        index_of(m, i, index);
        const int64_t row = index[p];
        index[p] = m->shape[q] - 1 - index[q];
        index[q] = row;
        model_put(&out, position_of(&out, index), m, i);
    }
    return out;
}

static void draw_rot90(void)
{
    const bool low = draw_fault();
    const argument *a = low ? draw_a(0, 1) : draw_a(2, 6);
    if (low) {
        check_refused(!ash_rot90(a->array), "ash_rot90", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const bool usual = one_in(2);
    const some_axes s = usual ? (some_axes){.axis = {0, 1}} : draw_axes(a->value.rank, 2);
    const int64_t turns = random_in(-9, 9); /* 0 is not given */
    say(" turns %" PRId64, turns);
    ash_array *got =
        usual ? ash_rot90(a->array, .turns = turns) : ash_rot90(a->array, .turns = turns, .axes = AXES(s.given, 2));
    if (s.wrong) {
        check_refused(!got, "ash_rot90", WRONG_AXES);
        return;
    }
    model want = a->value;
    for (int64_t t = turns ? modulo(turns, 4) : 1; t > 0; t--)
        want = turned_once(&want, s.axis[0], s.axis[1]);
    check_new(got, &want);
}

static void draw_repeat(void)
{
    const argument *a = draw_a(1, 6);
    const int64_t rank = a->value.rank, axis = random_below(rank), count = random_in(0, 4);
    const bool far = draw_fault(), negative = !far && draw_fault();
    const int64_t given = far ? draw_bad_axis(rank) : draw_axis(rank, axis), times = negative ? -1 - count : count;
    say(" count %" PRId64 ", axis %" PRId64, times, given);
    ash_array *got = ash_repeat(a->array, times, .axis = given);
    if (far || negative) {
        check_refused(!got, "ash_repeat", far ? ONE_OF(ASH_ERR_BOUNDS) : ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    int64_t shape[MODEL_RANK], index[MODEL_RANK];
    memcpy(shape, a->value.shape, sizeof shape);
    shape[axis] *= count;
    const model want = model_new(a->value.dtype, shape, rank);
    for (int64_t i = 0; i < want.size; i++) {
        index_of(&want, i, index);
        index[axis] /= count;
        model_put(&want, i, &a->value, position_of(&a->value, index));
    }
    check_new(got, &want);
}

static void draw_tile(void)
{
    const argument *a = draw_a(0, 5);
    int64_t counts[MODEL_RANK], shape[MODEL_RANK], index[MODEL_RANK], own[MODEL_RANK];
    const int64_t given = random_in(0, 5), rank = given > a->value.rank ? given : a->value.rank;
    const bool negative = given && draw_fault();
    int64_t room = 8 * most_elements;
    for (int64_t k = given - 1; k >= 0; k--)
        counts[k] = one_in(12) ? 0 : a->value.size * (4 << 2 * (given - k)) < room && one_in(2) ? random_in(1, 4) : 1;
    if (negative)
        counts[random_below(given)] = -random_in(1, 3);
    say_list("counts", counts, given);
    ash_array *got = ash_tile(a->array, DIMS(counts, given));
    if (negative) {
        check_refused(!got, "ash_tile", ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    for (int64_t k = 1; k <= rank; k++) {
        own[rank - k] = k <= a->value.rank ? a->value.shape[a->value.rank - k] : 1;
        shape[rank - k] = own[rank - k] * (k <= given ? counts[given - k] : 1);
    }
    const model part = model_reshape(&a->value, own, rank), want = model_new(part.dtype, shape, rank);
    for (int64_t i = 0; i < want.size; i++) {
        index_of(&want, i, index);
        for (int64_t k = 0; k < rank; k++)
            index[k] %= own[k];
        model_put(&want, i, &part, position_of(&part, index));
    }
    check_new(got, &want);
}

/* ---- choosing and picking */

static void draw_where(void)
{
    int64_t shape[MODEL_RANK], own[3][MODEL_RANK], ranks[3], joined[MODEL_RANK], joined_rank = 0;
    const int64_t rank = draw_shape(shape, 0, 6);
    const ash_dtype one = draw_number(), dtypes[2] = {one, one_in(3) ? draw_number() : one};
    const ash_dtype to = promoted(dtypes[0], dtypes[1]);
    const style like = dtypes[0] == dtypes[1] ? draw_style() : COUNTS;
    for (int i = 0; i < 3; i++)
        ranks[i] = narrowed(own[i], shape, rank);
    const bool unequal = draw_fault() && ranks[1] > 0;
    if (unequal)
        own[1][random_below(ranks[1])] += 1;
    const argument *c = draw_argument("condition", one_in(2) ? ASH_BOOL : draw_number(), own[0], ranks[0], draw_style());
    const argument *x = draw_argument("x", dtypes[0], own[1], ranks[1], like);
    const argument *y = draw_argument("y", dtypes[1], own[2], ranks[2], like);
    const ash_layout layout = draw_layout();
    ash_array *got = ash_where(c->array, x->array, y->array, .layout = layout);
    bool joins = true;
    for (int i = 0; i < 3 && joins; i++)
        joins = joined_shape(joined, &joined_rank, own[i], ranks[i]);
    if (!joins) {
        check_refused(!got, "ash_where", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const model cs = model_broadcast(&c->value, joined, joined_rank), xs = model_broadcast(&x->value, joined, joined_rank),
                ys = model_broadcast(&y->value, joined, joined_rank), want = model_new(to, joined, joined_rank);
    for (int64_t i = 0; i < want.size; i++) {
        const model *from = is_true(cs.dtype, model_at(&cs, i)) ? &xs : &ys;
        if (to == from->dtype)
            model_put(&want, i, from, i);
        else
            convert_element(to, model_at(&want, i), from->dtype, model_at(from, i));
    }
    check_new(got, &want);
    check_layout(got, layout);
}

/* Indices of any integer dtype for an axis of n; for a fault one of them is out of bounds. */
static model draw_indices(ash_dtype dtype, const int64_t *shape, int64_t rank, int64_t n, bool *wrong)
{
    const model m = model_new(dtype, shape, rank);
    const int64_t most = n > 128 && (dtype == ASH_I8) ? 127 : n > 256 && dtype == ASH_U8 ? 255 : n - 1;
    for (int64_t i = 0; i < m.size; i++) {
        const int64_t x = random_in(0, most);
        memcpy(model_at(&m, i), &x, m.nbytes);
    }
    if (*wrong && m.size) {
        const int64_t x = is_signed(dtype) && one_in(2) ? -random_in(1, n + 2) : n + random_below(3);
        *wrong =
            number_store(dtype, (number){FINITE, x < 0, (uint64_t)(x < 0 ? -x : x), 0}, model_at(&m, random_below(m.size)));
    } else {
        *wrong = false;
    }
    return m;
}

static void draw_take(void)
{
    const bool far = draw_fault();
    bool wrong = draw_fault();
    const argument *a = draw_a(1, 4);
    const int64_t rank = a->value.rank, axis = random_below(rank), n = a->value.shape[axis];
    int64_t places[MODEL_RANK], shape[MODEL_RANK], index[MODEL_RANK];
    int64_t index_rank = draw_shape(places, 0, 2);
    while (count_of(places, index_rank) * (a->value.size / (n + !n)) > 8 * most_elements)
        places[random_below(index_rank)] = 1;
    if (n == 0) {
        index_rank = 1;
        places[0] = 0;
    }
    const model values = draw_indices(draw_integer(), places, index_rank, n, &wrong);
    const argument *indices = draw_given("indices", &values);
    const int64_t given = far ? draw_bad_axis(rank) : draw_axis(rank, axis);
    say(" axis %" PRId64, given);
    ash_array *got = ash_take(a->array, indices->array, .axis = given);
    if (far || wrong) {
        check_refused(!got, "ash_take", ONE_OF(ASH_ERR_BOUNDS));
        return;
    }
    for (int64_t k = 0; k < rank - 1 + index_rank; k++)
        shape[k] = k < axis ? a->value.shape[k] : k < axis + index_rank ? places[k - axis] : a->value.shape[k - index_rank + 1];
    const model want = model_new(a->value.dtype, shape, rank - 1 + index_rank);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t from[MODEL_RANK];
        index_of(&want, i, index);
        for (int64_t k = 0; k < rank; k++)
            from[k] = k < axis ? index[k] : k > axis ? index[k - 1 + index_rank] : 0;
        from[axis] = (int64_t)number_of(values.dtype, model_at(&values, position_of(&values, index + axis))).digits;
        model_put(&want, i, &a->value, position_of(&a->value, from));
    }
    check_new_like(got, &want, a);
}

const operation combine_operations[] = {
    {"concat", draw_concat, 3},   {"stack", draw_stack, 2},
    {"reverse", draw_reverse, 2}, {"roll", draw_roll, 2},
    {"rot90", draw_rot90, 2},     {"repeat", draw_repeat, 2},
    {"tile", draw_tile, 2},       {"where", draw_where, 3},
    {"take", draw_take, 3},       {NULL, NULL, 0},
};
