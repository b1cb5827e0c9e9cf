/* view.c - views, which share memory, and copies, which do not; include/ashlar/view.h and array.h. */
#include <string.h>

#include "draw.h"

/*
 * The view has the elements it must have, in the memory of a; what is written through it is found there. at: where the elements
 * lie, by the same model.
 */
static void check_view(ash_array *got, argument *a, const model *want, const model *at, bool conjugated, bool repeats)
{
    check_values(got, want);
    if (want->size && !ash_shares_memory(got, a->array))
        fail("the view has memory of its own");
    if (ash_storage_of(got) != ash_storage_of(a->array))
        fail("the view is in another storage");
    if (!repeats && ash_is_readonly(got) != a->readonly)
        fail("the view is %s", a->readonly ? "writable" : "read-only");
    if (a->readonly || ash_is_readonly(got) || one_in(2))
        return;
    const model value = random_values(want->dtype, want->shape, want->rank, ANYTHING);
    check_done(ash_copy_into(got, ash_from_host(value.data, value.dtype, SHAPE_OF(value))));
    expect_at(a, at, conjugated, &value);
}

static argument *draw_a(int64_t least_rank, int64_t most_rank)
{
    return draw_any("a", draw_dtype(), least_rank, most_rank);
}

static void draw_slice(void)
{
    argument *a = draw_a(1, 6);
    const int64_t rank = a->value.rank, axis = random_below(rank), n = a->value.shape[axis];
    const bool far = draw_fault(), outside = !far && draw_fault();
    cut cuts[MODEL_RANK];
    for (int64_t k = 0; k < rank; k++)
        cuts[k] = (cut){0, 1, a->value.shape[k]};
    cuts[axis] = draw_cut(n);
    ash_index range = draw_range(cuts[axis], n);
    if (range.kind == ASH_INDEX_ALL)
        range = ash_index_range(ASH_OPEN, ASH_OPEN, 1);
    const int64_t given = far ? draw_bad_axis(rank) : draw_axis(rank, axis);
    if (outside)
        *(one_in(2) ? &range.start : &range.stop) = one_in(2) ? n + random_in(1, 9) : -n - random_in(1, 9);
    say(" %" PRId64 " to %" PRId64 " step %" PRId64 ", axis %" PRId64, range.start, range.stop, range.step, given);
    ash_array *got = ash_slice(a->array, range.start, range.stop, .step = range.step, .axes = AXES(&given, 1));
    if (far || outside) {
        check_refused(!got, "ash_slice", ONE_OF(ASH_ERR_BOUNDS));
        return;
    }
    const model want = model_cut(&a->value, cuts), at = model_cut(&a->at, cuts);
    check_view(got, a, &want, &at, a->conjugated, false);
}

static void draw_view(void)
{
    argument *a = draw_a(0, 6);
    const int64_t rank = a->value.rank;
    const bool outside = rank && draw_fault(), more = !outside && draw_fault();
    cut cuts[MODEL_RANK];
    ash_index index[2 * MODEL_RANK];
    int64_t count = 0, shape[MODEL_RANK], kept = 0;
    const int64_t named = more ? rank : random_in(0, rank), wrong = outside ? random_below(rank) : -1;
    for (int64_t k = 0; k < rank; k++) {
        const int64_t n = a->value.shape[k];
        cuts[k] = one_in(4) ? (cut){0, 1, n} : n && one_in(3) ? (cut){random_below(n), 1, -1} : draw_cut(n);
        if (k >= named && !outside)
            cuts[k] = (cut){0, 1, n};
        for (; one_in(5) && kept < 9 && (k < named || outside); shape[kept++] = 1)
            index[count++] = ash_index_new();
        if (k < named || outside)
            index[count++] =
                k == wrong ? ash_index_at(one_in(2) ? n + random_below(5) : -n - random_in(1, 5)) : draw_range(cuts[k], n);
        if (cuts[k].count >= 0)
            shape[kept++] = cuts[k].count;
    }
    if (more)
        index[count++] = one_in(2) ? ash_index_at(one_in(2) ? 1 : -1) : ash_index_all();
    for (; !outside && named == rank && one_in(5) && count < 2 * MODEL_RANK; count++)
        index[count] = ash_index_at(0);
    say(" view");
    for (int64_t i = 0; i < count; i++)
        say(" [%d: %" PRId64 " %" PRId64 " %" PRId64 "]", (int)index[i].kind, index[i].start, index[i].stop, index[i].step);
    ash_array *got = ash_view_at(a->array, index, count);
    if (outside || more) {
        check_refused(!got, "ash_view",
                      outside ? ONE_OF(ASH_ERR_BOUNDS) : ONE_OF(ASH_ERR_ARGUMENT, ASH_ERR_SHAPE, ASH_ERR_BOUNDS));
        return;
    }
    const model want = model_cut(&a->value, cuts), at = model_cut(&a->at, cuts);
    const model with_new = model_reshape(&want, shape, kept), at_new = model_reshape(&at, shape, kept);
    check_view(got, a, &with_new, &at_new, a->conjugated, false);
}

static void draw_permute(void)
{
    argument *a = draw_a(0, 6);
    const int64_t rank = a->value.rank;
    int64_t order[MODEL_RANK], given[MODEL_RANK];
    random_order(order, rank);
    for (int64_t k = 0; k < rank; k++)
        given[k] = draw_axis(rank, order[k]);
    const bool far = rank && draw_fault(), twice = !far && rank > 1 && draw_fault(),
               fewer = !far && !twice && rank && draw_fault();
    if (far)
        given[random_below(rank)] = draw_bad_axis(rank);
    if (twice)
        given[0] = given[1];
    say_list("axes", given, rank - fewer);
    ash_array *got = ash_permute(a->array, AXES(given, rank - fewer));
    if (far || twice || fewer) {
        check_refused(!got, "ash_permute", far ? ONE_OF(ASH_ERR_BOUNDS) : ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    const model want = model_permute(&a->value, order), at = model_permute(&a->at, order);
    check_view(got, a, &want, &at, a->conjugated, false);
}

static void draw_transpose(void)
{
    argument *a = draw_a(0, 6);
    const bool adjoint = one_in(2);
    say(adjoint ? " adjoint" : " transpose");
    ash_array *got = adjoint ? ash_adjoint(a->array) : ash_transpose(a->array);
    const model want = model_swap_last(&a->value), at = model_swap_last(&a->at);
    const model own = model_new(want.dtype, want.shape, want.rank);
    memcpy(own.data, want.data, (size_t)want.size * want.nbytes);
    for (int64_t i = 0; i < own.size && adjoint; i++)
        conjugate_element(own.dtype, model_at(&own, i));
    check_view(got, a, &own, &at, a->conjugated != (adjoint && is_complex(own.dtype)), false);
}

static void draw_insert_axis(void)
{
    argument *a = draw_a(0, 6);
    const int64_t rank = a->value.rank, axis = random_in(0, rank);
    const bool far = draw_fault();
    const int64_t given = far ? draw_bad_axis(rank + 1) : draw_axis(rank + 1, axis);
    int64_t shape[MODEL_RANK];
    say(" axis %" PRId64, given);
    ash_array *got = ash_insert_axis(a->array, given);
    if (far) {
        check_refused(!got, "ash_insert_axis", ONE_OF(ASH_ERR_BOUNDS));
        return;
    }
    for (int64_t k = 0; k <= rank; k++)
        shape[k] = k < axis ? a->value.shape[k] : k == axis ? 1 : a->value.shape[k - 1];
    const model want = model_reshape(&a->value, shape, rank + 1), at = model_reshape(&a->at, shape, rank + 1);
    check_view(got, a, &want, &at, a->conjugated, false);
}

static void draw_squeeze(void)
{
    int64_t shape[MODEL_RANK], given[MODEL_RANK], kept[MODEL_RANK], count = 0, left = 0;
    const int64_t rank = draw_shape(shape, 0, 6);
    for (int64_t k = 0; k < rank; k++)
        shape[k] = one_in(2) ? 1 : shape[k];
    argument *a = draw_argument("a", draw_dtype(), shape, rank, draw_style());
    const bool all = one_in(3), far = !all && rank && draw_fault();
    bool other = false;
    for (int64_t k = 0; k < rank; k++) {
        const bool go = all ? shape[k] == 1 : one_in(2) && (shape[k] == 1 || one_in(9));
        other |= go && shape[k] != 1;
        if (go && !all)
            given[count++] = draw_axis(rank, k);
        if (!go)
            kept[left++] = shape[k];
    }
    if (far)
        given[count++] = draw_bad_axis(rank);
    say_list(all ? "all" : "axes", given, count);
    ash_array *got = all ? ash_squeeze(a->array) : ash_squeeze(a->array, .axes = AXES(given, count));
    if (far || other) {
        check_refused(!got, "ash_squeeze",
                      far && other ? ONE_OF(ASH_ERR_BOUNDS, ASH_ERR_SHAPE)
                      : far        ? ONE_OF(ASH_ERR_BOUNDS)
                                   : ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const model want = model_reshape(&a->value, kept, left), at = model_reshape(&a->at, kept, left);
    check_view(got, a, &want, &at, a->conjugated, false);
}

static void draw_broadcast_to(void)
{
    int64_t shape[MODEL_RANK], own[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 6), left = one_in(2) ? random_in(0, rank) : 0;
    for (int64_t k = left; k < rank; k++)
        own[k - left] = one_in(3) ? 1 : shape[k];
    const bool unequal = rank > left && draw_fault(), longer = !unequal && draw_fault();
    if (unequal)
        own[random_below(rank - left)] += 8000;
    argument *a =
        draw_argument("a", draw_dtype(), own, unequal && count_of(own, rank - left) > 20000 ? 0 : rank - left, draw_style());
    say_list("shape", shape, rank);
    const bool lower = longer && a->value.rank > 0;
    ash_array *got = ash_broadcast_to(a->array, lower ? DIMS(shape, a->value.rank - 1) : DIMS(shape, rank));
    if ((unequal && a->value.rank == rank - left) || lower) {
        check_refused(!got, "ash_broadcast_to", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const model want = model_broadcast(&a->value, shape, rank), at = model_broadcast(&a->at, shape, rank);
    bool repeats = false;
    for (int64_t k = 0; k < rank; k++)
        repeats |= shape[k] > 1 && (k < rank - a->value.rank || a->value.shape[k - rank + a->value.rank] == 1);
    if (want.size && ash_is_readonly(got) != (repeats || a->readonly))
        fail("the view is %s", repeats ? "writable" : "read-only");
    check_view(got, a, &want, &at, a->conjugated, true);
}

static void draw_diagonal(void)
{
    const bool low = draw_fault();
    argument *a = low ? draw_a(0, 1) : draw_a(2, 6);
    const int64_t rank = a->value.rank, offset = random_in(-8, 8);
    int64_t order[MODEL_RANK], given[2], shape[MODEL_RANK], kept = 0;
    const bool usual = one_in(2), far = !low && !usual && draw_fault(), twice = !low && !usual && !far && draw_fault();
    say(" offset %" PRId64, offset);
    if (low) {
        check_refused(!ash_diagonal(a->array, .offset = offset), "ash_diagonal", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    random_order(order, rank);
    const int64_t p = usual ? rank - 2 : order[0], q = usual ? rank - 1 : order[1];
    given[0] = draw_axis(rank, p);
    given[1] = far ? draw_bad_axis(rank) : draw_axis(rank, twice ? p : q);
    say_list("axes", given, 2);
    ash_array *got =
        usual ? ash_diagonal(a->array, .offset = offset) : ash_diagonal(a->array, .offset = offset, .axes = AXES(given, 2));
    if (far || twice) {
        check_refused(!got, "ash_diagonal", far ? ONE_OF(ASH_ERR_BOUNDS) : ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    for (int64_t k = 0; k < rank; k++)
        if (k != p && k != q)
            shape[kept++] = a->value.shape[k];
    int64_t length = 0;
    for (int64_t i = 0; i < a->value.shape[p]; i++)
        length += i + offset >= 0 && i + offset < a->value.shape[q];
    shape[kept++] = length;
    const model want = model_new(a->value.dtype, shape, kept), at = model_new(ASH_I64, shape, kept);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t to[MODEL_RANK], from[MODEL_RANK], j = 0;
        index_of(&want, i, to);
        for (int64_t k = 0; k < rank; k++)
            if (k != p && k != q)
                from[k] = to[j++];
        from[p] = to[j] + (offset < 0 ? -offset : 0);
        from[q] = to[j] + (offset > 0 ? offset : 0);
        model_put(&want, i, &a->value, position_of(&a->value, from));
        model_put(&at, i, &a->at, position_of(&a->at, from));
    }
    check_view(got, a, &want, &at, a->conjugated, false);
}

/* ---- reshape */

/* Sizes whose product is n. */
static int64_t draw_factors(int64_t *shape, int64_t n)
{
    int64_t rank = 0;
    if (n == 0) {
        for (int64_t k = random_in(0, 3); k >= 0; k--)
            shape[rank++] = random_below(4);
        shape[random_below(rank)] = 0;
        return rank;
    }
    while (n > 1 && rank < 7) {
        int64_t f = random_in(1, n < 12 ? n : 12);
        while (n % f)
            f--;
        shape[rank++] = one_in(4) ? 1 : f;
        n /= shape[rank - 1];
    }
    if (n > 1 || one_in(3))
        shape[rank++] = n;
    return rank;
}

/* How far from the first element each lies in memory. */
static model offsets_of(const argument *a)
{
    const model m = model_new(ASH_I64, a->value.shape, a->value.rank);
    for (int64_t i = 0; i < m.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&m, i, index);
        for (int64_t k = 0; k < m.rank; k++)
            model_i64(&m)[i] += index[k] * ash_byte_strides(a->array)[k];
    }
    return m;
}

/* Can strides say where these elements lie? */
static bool is_affine(const model *at)
{
    int64_t stride[MODEL_RANK] = {0}, index[MODEL_RANK];
    for (int64_t i = 0; i < at->size; i++) {
        int64_t place = model_i64(at)[0], last = -1;
        index_of(at, i, index);
        for (int64_t k = 0; k < at->rank; k++) {
            place += index[k] * stride[k];
            last = index[k] == 1 ? k : index[k] ? -2 : last;
        }
        if (i && model_i64(at)[i] != place) {
            int64_t ones = 0; /* the first place along an axis says its stride */
            for (int64_t k = 0; k < at->rank; k++)
                ones += index[k];
            if (ones != 1)
                return false;
            stride[last] = model_i64(at)[i] - model_i64(at)[0];
        }
    }
    return true;
}

static model reversed_axes(const model *m)
{
    int64_t axes[MODEL_RANK];
    for (int64_t k = 0; k < m->rank; k++)
        axes[k] = m->rank - 1 - k;
    return model_permute(m, axes);
}

/* In column-major order: the row-major one of the axes turned round. */
static model reshaped(const model *m, const int64_t *shape, int64_t rank, bool columns)
{
    int64_t turned[MODEL_RANK];
    if (!columns)
        return model_reshape(m, shape, rank);
    for (int64_t k = 0; k < rank; k++)
        turned[k] = shape[rank - 1 - k];
    const model t = reversed_axes(m), r = model_reshape(&t, turned, rank);
    return reversed_axes(&r);
}

static void draw_reshape(void)
{
    argument *a = draw_a(0, 6);
    int64_t shape[MODEL_RANK], given[MODEL_RANK];
    const int64_t rank = draw_factors(shape, a->value.size);
    const ash_layout order = draw_layout();
    memcpy(given, shape, sizeof shape);
    const bool other = rank && draw_fault(), two = !other && rank > 1 && draw_fault();
    if (rank && a->value.size && one_in(3))
        given[random_below(rank)] = ASH_INFER;
    if (other)
        given[0] = (a->value.size + 1) * (shape[0] + 1);
    if (two)
        given[0] = given[1] = ASH_INFER;
    say_list("shape", given, rank);
    say(" order %s", ash_layout_name(order));
    ash_array *got = ash_reshape(a->array, DIMS(given, rank), .order = order);
    if (two) {
        check_refused(!got, "ash_reshape", ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    bool zero = false;
    for (int64_t k = 1; k < rank; k++)
        zero |= given[k] == 0;
    if (other && !(zero && a->value.size == 0)) {
        check_refused(!got, "ash_reshape", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    if (other)
        shape[0] = given[0];
    const bool columns = order == ASH_COL_MAJOR;
    const model want = reshaped(&a->value, shape, rank, columns), at = reshaped(&a->at, shape, rank, columns);
    const model offsets = offsets_of(a), memory = reshaped(&offsets, shape, rank, columns);
    if (!is_affine(&memory)) {
        check_refused(!got, "ash_reshape", ONE_OF(ASH_ERR_UNSUPPORTED));
        return;
    }
    check_view(got, a, &want, &at, a->conjugated, false);
}

/* ---- copies and conversions */

static void draw_contiguous(void)
{
    const argument *a = draw_a(0, 6);
    const ash_layout layout = draw_layout();
    const bool copy = one_in(2), dense = !a->conjugated && ash_is_contiguous(a->array, .layout = layout);
    say(copy ? " copy, layout %s" : " contiguous, layout %s", ash_layout_name(layout));
    ash_array *got = copy ? ash_copy(a->array, .layout = layout) : ash_contiguous(a->array, .layout = layout);
    if (copy || !dense)
        check_new(got, &a->value);
    else if (got != a->array)
        fail("dense as it was, the array was not given back");
    if (copy && !layout)
        check_layout_like(got, a);
    else
        check_layout(got, layout ? layout : ASH_ROW_MAJOR);
    ash_array *again = ash_copy(got); /* a conjugated one would not be dense */
    check_values(again, &a->value);
}

static bool changes(ash_dtype dtype, const model *to, const model *from)
{
    const ash_dtype now = part_of(dtype), was = part_of(from->dtype);
    const size_t parts = is_complex(from->dtype) && is_complex(dtype) ? 2 : 1; /* else an imaginary part was 0 */
    for (int64_t i = 0; i < from->size; i++)
        for (size_t p = 0; p < parts; p++) {
            const number x = number_of(was, (char *)model_at(from, i) + p * ash_dtype_size(was));
            const number y = number_of(now, (char *)model_at(to, i) + p * ash_dtype_size(now));
            if (x.kind != y.kind || (x.kind != NOT_A_NUMBER && number_compare(x, y) != 0))
                return true;
        }
    return false;
}

static void draw_convert(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 6);
    const argument *a = draw_argument("a", draw_number(), shape, rank, draw_style());
    const ash_dtype to = draw_number();
    const ash_layout layout = draw_layout();
    const bool exact = one_in(3);
    model want;
    say(" to %s%s", ash_dtype_name(to), exact ? ", exact" : "");
    ash_array *got = ash_convert(a->array, to, .exact = exact, .layout = layout);
    bool fits = model_convert(&want, &a->value, to);
    if (fits && exact)
        fits = !changes(to, &want, &a->value);
    if (!fits) {
        check_refused(!got, "ash_convert", ONE_OF(ASH_ERR_VALUE));
        return;
    }
    if (got != a->array)
        check_new(got, &want);
    else if (to != a->value.dtype)
        fail("the array itself was given back");
    check_layout(got, layout);
}

/* The elements of out, where the first ones from `start` on are those of a. */
static model overwritten(const argument *out, int64_t start, const model *a, int64_t from, int64_t count)
{
    const model m = model_new(out->value.dtype, out->value.shape, out->value.rank);
    memcpy(m.data, out->value.data, (size_t)m.size * m.nbytes);
    for (int64_t i = 0; i < count; i++)
        model_put(&m, start + i, a, from + i);
    return m;
}

static void draw_copy_into(void)
{
    int64_t shape[MODEL_RANK], own[MODEL_RANK];
    const ash_dtype dtype = draw_dtype(), other = is_record(dtype) || one_in(2) ? dtype : draw_number();
    const style like = dtype == other ? draw_style() : one_in(6) ? ANYTHING : COUNTS;
    const int64_t rank = draw_shape(shape, 0, 6), own_rank = one_in(2) ? rank : draw_shape(own, 0, 3);
    if (own_rank == rank && one_in(2))
        memcpy(own, shape, sizeof shape);
    else
        draw_shape(own, own_rank, own_rank);
    argument *out = draw_writable("out", dtype, shape, rank, draw_style());
    model value, source;
    ash_array *from = one_in(3) ? draw_own_view(out, &source) : NULL;
    if (!from) {
        const argument *a = draw_argument("a", other, own, own_rank, like);
        from = a->array;
        source = a->value;
    }
    say(" strides of a in bytes");
    say_list("", ash_byte_strides(from), source.rank);
    const ash_status status = ash_copy_into(out->array, from);
    if (source.size > out->value.size) {
        check_refused(status != ASH_OK, "ash_copy_into", ONE_OF(ASH_ERR_BOUNDS));
        return;
    }
    if (!model_convert(&value, &source, dtype)) {
        check_refused(status != ASH_OK, "ash_copy_into", ONE_OF(ASH_ERR_VALUE));
        return;
    }
    check_done(status);
    const model want = overwritten(out, 0, &value, 0, value.size);
    expect_in(out, &want);
}

/* Part of an array to another place in it, read through another view: as if it had been copied first. */
static void draw_copy_overlapping(void)
{
    int64_t shape[MODEL_RANK], order[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 1, 5);
    argument *out = draw_writable("out", draw_dtype(), shape, rank, draw_style());
    cut cuts[MODEL_RANK];
    ash_index index[MODEL_RANK];
    for (int64_t k = 0; k < rank; k++) {
        cuts[k] = one_in(2) ? (cut){0, 1, shape[k]} : draw_cut(shape[k]);
        index[k] = draw_range(cuts[k], shape[k]);
    }
    random_order(order, rank);
    ash_array *view = ash_permute(ash_view_at(out->array, index, rank), AXES(order, rank));
    const model part = model_cut(&out->value, cuts), a = model_permute(&part, order);
    const int64_t start = random_in(0, a.size), to = random_in(0, out->value.size);
    const int64_t room = a.size - start < out->value.size - to ? a.size - start : out->value.size - to;
    const bool outside = draw_fault(), negative = !outside && draw_fault(), nothing = one_in(20);
    const int64_t count = negative ? -1 : outside ? room + 1 : nothing ? 0 : random_in(0, room);
    say(" %" PRId64 " elements from %" PRId64 " to %" PRId64 " through", count, start, to);
    say_list("shape", a.shape, rank);
    const ash_status status = ash_copy_range(out->array, count ? to : -5, view, count ? start : INT64_MAX, count);
    if (outside || negative) {
        check_refused(status != ASH_OK, "ash_copy_range", outside ? ONE_OF(ASH_ERR_BOUNDS) : ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    check_done(status);
    const model want = overwritten(out, to, &a, start, count);
    expect_in(out, &want);
}

const operation view_operations[] = {
    {"slice", draw_slice, 2},
    {"view", draw_view, 3},
    {"permute", draw_permute, 1},
    {"transpose", draw_transpose, 1},
    {"insert_axis", draw_insert_axis, 1},
    {"squeeze", draw_squeeze, 1},
    {"broadcast_to", draw_broadcast_to, 1},
    {"diagonal", draw_diagonal, 1},
    {"reshape", draw_reshape, 2},
    {"contiguous", draw_contiguous, 2},
    {"convert", draw_convert, 3},
    {"copy_into", draw_copy_into, 2},
    {"copy_range", draw_copy_overlapping, 2},
    {NULL, NULL, 0},
};
