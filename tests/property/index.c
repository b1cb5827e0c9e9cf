/* index.c - elements picked and written by items of any kind; include/ashlar/index.h. */
#include <string.h>

#include "draw.h"

enum { ITEMS = 12, MOST_ZEROS = 3 };

/* What one item selects: its axes in the result, and for each place in them an index into each axis of a that it stands for. */
typedef struct item {
    ash_index given;
    int64_t rank, shape[MODEL_RANK], size; /* in the result */
    int64_t first, axes;                   /* of a */
    int64_t *source;                       /* size times axes */
} item;

typedef struct selection {
    item items[ITEMS];
    int64_t count, named;  /* items; items given to the call */
    int64_t zeros;         /* given behind those, where all axes have an item */
    ash_status refused[2]; /* one or the other; ASH_OK: it is sound */
    int64_t size;
} selection;

static item *add_item(selection *s, int64_t first, int64_t axes, const int64_t *shape, int64_t rank)
{
    item *i = &s->items[s->count++];
    *i = (item){.rank = rank, .size = count_of(shape, rank), .first = first, .axes = axes};
    memcpy(i->shape, shape, (size_t)rank * sizeof *shape);
    i->source = draw_memory((size_t)(i->size * axes + 1) * sizeof *i->source);
    s->size *= i->size;
    return i;
}

static void add_cut(selection *s, int64_t axis, cut c, int64_t n)
{
    item *i = add_item(s, axis, 1, &c.count, c.count >= 0);
    i->given = draw_range(c, n);
    if (c.count < 0) {
        s->size = i->size ? s->size / i->size : s->size;
        i->size = 1;
        i->source = draw_memory(sizeof *i->source);
    }
    for (int64_t k = 0; k < i->size; k++)
        i->source[k] = c.start + k * c.step;
}

static const char *const array_names[ITEMS] = {"items 0", "items 1", "items 2", "items 3", "items 4",  "items 5",
                                               "items 6", "items 7", "items 8", "items 9", "items 10", "items 11"};

/* Indices of any integer dtype, and of few elements. */
static void add_indices(selection *s, int64_t axis, int64_t n)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = n ? random_in(0, 2) : 1;
    for (int64_t k = 0; k < rank; k++)
        shape[k] = n ? random_in(one_in(9) ? 0 : 1, 4) : 0;
    if (n && rank == 1 && one_in(8)) /* a long list, where it leaves the result modest */
        shape[0] = random_below(most_elements / (s->size + 1) + 1);
    item *i = add_item(s, axis, 1, shape, rank);
    const ash_dtype dtype = draw_integer();
    const model m = model_new(dtype, shape, rank);
    for (int64_t k = 0; k < m.size; k++) {
        i->source[k] = random_below(n < 128 ? n : 128);
        memcpy(model_at(&m, k), &i->source[k], m.nbytes);
    }
    if (m.size && draw_fault() && !s->refused[0]) {
        const int64_t at = random_below(m.size), x = is_signed(dtype) && one_in(2) ? -random_in(1, n < 100 ? n + 2 : 100) : n;
        const bool huge = dtype == ASH_U64 && one_in(2);
        if (huge || number_store(dtype, (number){FINITE, x < 0, (uint64_t)(x < 0 ? -x : x), 0}, model_at(&m, at)))
            s->refused[0] = huge ? ASH_ERR_VALUE : ASH_ERR_BOUNDS;
        if (huge)
            memcpy(model_at(&m, at), &(uint64_t){UINT64_MAX - 5}, sizeof(uint64_t));
    }
    i->given = ash_index_array(draw_given(array_names[s->count - 1], &m)->array);
}

static void add_mask(selection *s, const model *a, int64_t axis, int64_t axes)
{
    const int64_t *shape = a->shape + axis, often = random_in(1, 4);
    const model m = model_new(ASH_BOOL, shape, axes);
    int64_t count = 0;
    for (int64_t k = 0; k < m.size; k++)
        count += *(bool *)model_at(&m, k) = one_in(often);
    item *i = add_item(s, axis, axes, &count, 1);
    for (int64_t k = 0, j = 0; k < m.size; k++)
        if (*(bool *)model_at(&m, k))
            index_of(&m, k, i->source + axes * j++);
    i->given = ash_index_array(draw_given(array_names[s->count - 1], &m)->array);
}

/* A mask of another shape, or an array of another dtype, in place of a sound item. */
static void spoil(selection *s, const model *a)
{
    item *i = &s->items[random_below(s->count)];
    int64_t shape[MODEL_RANK];
    memcpy(shape, a->shape, sizeof shape);
    switch (i->axes && !s->refused[0] ? random_below(3) : 3) {
    case 0:
        shape[i->first]++;
        i->given = ash_index_array(draw_argument("mask", ASH_BOOL, shape + i->first, i->axes, FEW)->array);
        s->refused[0] = ASH_ERR_SHAPE;
        break;
    case 1:
        i->given = ash_index_array(draw_argument("floats",
                                                 one_in(4) ? (ash_dtype)random_in(ASH_F16, WIDEST_FLOAT)
                                                           : (ash_dtype)random_in(ASH_C_I8, WIDEST_COMPLEX),
                                                 shape, 0, COUNTS)
                                       ->array);
        s->refused[0] = ASH_ERR_DTYPE;
        break;
    case 2:
        i->given = ash_index_at(one_in(2) ? a->shape[i->first] : -a->shape[i->first] - 1);
        s->refused[0] = ASH_ERR_BOUNDS;
        break;
    default:
        break;
    }
    if (i->axes > 1 && s->refused[0] && i->given.kind == ASH_INDEX_AT)
        s->refused[1] = ASH_ERR_SHAPE;
}

static void say_items(const selection *s)
{
    for (int64_t i = 0; i < s->named; i++) {
        const ash_index *x = &s->items[i].given;
        if (x->kind == ASH_INDEX_ARRAY)
            say(" [%s]", array_names[i]);
        else
            say(" [%d: %" PRId64 " %" PRId64 " %" PRId64 "]", (int)x->kind, x->start, x->stop, x->step);
    }
    if (s->zeros)
        say(" and %" PRId64 " zeros", s->zeros);
}

static selection draw_selection(const model *a)
{
    selection s = {.size = 1};
    const int64_t one = 1, named = one_in(3) ? random_in(0, a->rank) : a->rank;
    for (int64_t k = 0; k < named;) {
        const int64_t n = a->shape[k], left = named - k;
        for (; one_in(7) && s.count < ITEMS - 6; s.count++)
            s.items[s.count] = (item){.given = ash_index_new(), .rank = 1, .shape = {one}, .size = 1, .first = k};
        switch (s.size > 4 * most_elements ? 0 : random_below(7)) {
        case 0:
            if (n) {
                add_cut(&s, k++, (cut){random_below(n), 1, -1}, n);
                break;
            }
            add_indices(&s, k++, n);
            break;
        case 1:
            add_cut(&s, k++, (cut){0, 1, n}, n);
            break;
        case 2:
            add_cut(&s, k++, draw_cut(n), n);
            break;
        case 3:
            add_mask(&s, a, k, 1), k++;
            break;
        case 4: {
            const int64_t axes = random_in(1, left < 3 ? left : 3);
            add_mask(&s, a, k, axes);
            k += axes;
            break;
        }
        default:
            add_indices(&s, k++, n);
        }
    }
    s.named = s.count;
    s.zeros = named == a->rank && one_in(5) ? random_in(1, MOST_ZEROS) : 0;
    if (s.count && draw_fault())
        spoil(&s, a);
    for (int64_t k = named; k < a->rank; k++)
        add_cut(&s, k, (cut){0, 1, a->shape[k]}, a->shape[k]);
    say_items(&s);
    return s;
}

/* Where in a each element of the result comes from. */
static model sources(const selection *s, const model *a)
{
    int64_t shape[2 * MODEL_RANK], rank = 0;
    for (int64_t i = 0; i < s->count; i++)
        for (int64_t k = 0; k < s->items[i].rank; k++)
            shape[rank++] = s->items[i].shape[k];
    const model out = model_new(ASH_I64, shape, rank);
    for (int64_t p = 0; p < out.size; p++) {
        int64_t to[MODEL_RANK], from[MODEL_RANK], j = 0;
        index_of(&out, p, to);
        for (int64_t i = 0; i < s->count; i++) {
            const item *it = &s->items[i];
            int64_t place = 0;
            for (int64_t k = 0; k < it->rank; k++)
                place = place * it->shape[k] + to[j++];
            for (int64_t k = 0; k < it->axes; k++)
                from[it->first + k] = it->source[place * it->axes + k];
        }
        model_i64(&out)[p] = position_of(a, from);
    }
    return out;
}

static int64_t list_items(ash_index *list, const selection *s)
{
    for (int64_t i = 0; i < s->named; i++)
        list[i] = s->items[i].given;
    for (int64_t i = 0; i < s->zeros; i++)
        list[s->named + i] = ash_index_at(0);
    return s->named + s->zeros;
}

static int64_t result_rank(const selection *s)
{
    int64_t rank = 0;
    for (int64_t i = 0; i < s->count; i++)
        rank += s->items[i].rank;
    return rank;
}

static void draw_index(void)
{
    const argument *a = draw_any("a", draw_dtype(), 0, 4);
    const selection s = draw_selection(&a->value);
    ash_index list[ITEMS + MOST_ZEROS];
    if (s.size > 16 * most_elements || result_rank(&s) > MODEL_RANK)
        return;
    ash_array *got = ash_index_opt(a->array, list, list_items(list, &s), NULL);
    if (s.refused[0]) {
        check_refused(!got, "ash_index", ONE_OF(s.refused[0], s.refused[1]));
        return;
    }
    const model from = sources(&s, &a->value), want = model_new(a->value.dtype, from.shape, from.rank);
    for (int64_t i = 0; i < want.size; i++)
        model_put(&want, i, &a->value, model_i64(&from)[i]);
    check_new_like(got, &want, a);
}

/* m with the values at the places, one after the other: the last one stays. */
static model written(const model *m, const model *places, const model *values)
{
    const model out = model_new(m->dtype, m->shape, m->rank);
    memcpy(out.data, m->data, (size_t)m->size * m->nbytes);
    for (int64_t i = 0; i < places->size; i++)
        model_put(&out, model_i64(places)[i], values, values->size == 1 ? 0 : i);
    return out;
}

/* Some of the rows of out, in the opposite order, if they are as many elements. */
static ash_array *own_rows(const argument *out, int64_t count, model *value)
{
    const int64_t rank = out->value.rank, rows = rank ? out->value.shape[0] : 0, row = rows ? out->value.size / rows : 0;
    cut cuts[MODEL_RANK];
    if (!row || !count || count % row || count / row > rows)
        return NULL;
    const int64_t n = count / row, first = random_in(n - 1, rows - 1);
    cuts[0] = (cut){first, -1, n};
    for (int64_t k = 1; k < rank; k++)
        cuts[k] = (cut){0, 1, out->value.shape[k]};
    *value = model_cut(&out->value, cuts);
    say(" from its own rows %" PRId64 " down", first);
    return ash_slice(out->array, first, first - n < 0 ? ASH_OPEN : first - n, .step = -1);
}

static void draw_index_into(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 4);
    const ash_dtype dtype = draw_dtype(), other = is_record(dtype) || one_in(2) ? dtype : draw_number();
    argument *out = draw_writable("out", dtype, shape, rank, draw_style());
    const selection s = draw_selection(&out->value);
    ash_index list[ITEMS + MOST_ZEROS];
    if (s.size > 16 * most_elements || result_rank(&s) > MODEL_RANK)
        return;
    const model places = s.refused[0] ? model_positions(NULL, 0) : sources(&s, &out->value);
    int64_t own[MODEL_RANK] = {places.size}, own_rank = 1;
    const bool scalar = one_in(5), unequal = !scalar && draw_fault(), whole = one_in(2);
    if (scalar)
        own_rank = 0;
    else if (unequal)
        own[0] += places.size == 0 || one_in(2) ? 1 : 2;
    else if (whole && places.rank)
        memcpy(own, places.shape, sizeof own), own_rank = places.rank;
    model value;
    ash_array *given = other == dtype && one_in(6) ? own_rows(out, places.size, &value) : NULL;
    const bool aliased = given != NULL;
    if (!given) {
        const argument *v = draw_argument("value", other, own, own_rank, other == dtype ? draw_style() : COUNTS);
        given = v->array;
        value = v->value;
    }
    const ash_operand operand = ash_operand_array(given);
    const ash_status status = ash_index_into_opt(out->array, &operand, list, list_items(list, &s), NULL);
    model converted;
    if (s.refused[0]) {
        check_refused(status != ASH_OK, "ash_index_into", ONE_OF(s.refused[0], s.refused[1]));
    } else if (places.size == 0) {
        check_done(status);
    } else if (unequal && !aliased) {
        check_refused(status != ASH_OK, "ash_index_into", ONE_OF(ASH_ERR_SHAPE));
    } else if (!model_convert(&converted, &value, dtype)) {
        check_refused(status != ASH_OK, "ash_index_into", ONE_OF(ASH_ERR_VALUE));
    } else {
        const model want = written(&out->value, &places, &converted);
        check_done(status);
        expect_in(out, &want);
    }
}

/* ---- put */

/* x + y in the dtype: integers wrap, bool is a logical or, floats are rounded once. */
static void add_element(ash_dtype dtype, unsigned char *x, const unsigned char *y)
{
    const ash_dtype part = part_of(dtype);
    const size_t nbytes = ash_dtype_size(part);
    for (size_t p = 0; p < ash_dtype_size(dtype); p += nbytes) {
        uint64_t a = 0, b = 0;
        double u = 0, v = 0;
        memcpy(&a, x + p, nbytes);
        memcpy(&b, y + p, nbytes);
        a = dtype == ASH_BOOL ? a | b : a + b;
        if (!is_float(part)) {
            memcpy(x + p, &a, nbytes);
            continue;
        }
        convert_element(ASH_F64, &u, part, x + p);
        convert_element(ASH_F64, &v, part, y + p);
        u += v; /* of counts: exact */
        convert_element(part, x + p, ASH_F64, &u);
    }
}

static model take_places(const model *a, int64_t axis, const model *indices)
{
    int64_t shape[MODEL_RANK];
    const int64_t r = indices->rank, rank = a->rank - 1 + r;
    for (int64_t k = 0; k < rank; k++)
        shape[k] = k < axis ? a->shape[k] : k < axis + r ? indices->shape[k - axis] : a->shape[k - r + 1];
    const model places = model_new(ASH_I64, shape, rank);
    for (int64_t i = 0; i < places.size; i++) {
        int64_t to[MODEL_RANK], from[MODEL_RANK];
        index_of(&places, i, to);
        for (int64_t k = 0; k < a->rank; k++)
            from[k] = k < axis ? to[k] : k > axis ? to[k - 1 + r] : 0;
        from[axis] = (int64_t)number_of(indices->dtype, model_at(indices, position_of(indices, to + axis))).digits;
        model_i64(&places)[i] = position_of(a, from);
    }
    return places;
}

static void draw_put(void)
{
    int64_t shape[MODEL_RANK], own[MODEL_RANK], where[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 1, 4), axis = random_below(rank), n = shape[axis];
    const bool add = one_in(2), far = draw_fault(), mixed = one_in(3);
    ash_dtype dtype = add ? draw_number() : draw_dtype();
    const ash_dtype other = is_record(dtype) || !mixed ? dtype : draw_number();
    const style like = mixed || (add && is_float(part_of(dtype))) ? COUNTS : draw_style();
    argument *a = draw_writable("a", dtype, shape, rank, like);
    const int64_t index_rank = n ? random_in(0, 2) : 1;
    for (int64_t k = 0; k < index_rank; k++)
        where[k] = n ? random_in(0, 6) : 0;
    if (n && index_rank == 1 && one_in(6) && !(add && is_float(part_of(dtype)))) /* few counts are exact in every float */
        where[0] = random_below(2 * most_elements / (count_of(shape, rank) / n + 1) + 1);
    const model indices = model_new(draw_integer(), where, index_rank);
    for (int64_t i = 0; i < indices.size; i++)
        memcpy(model_at(&indices, i), &(int64_t){random_below(n < 128 ? n : 128)}, indices.nbytes);
    const bool wrong = indices.size && draw_fault() && n < 128;
    const model places = take_places(&a->value, axis, &indices);
    if (wrong)
        memcpy(model_at(&indices, random_below(indices.size)), &(int64_t){is_signed(indices.dtype) && one_in(2) ? -1 : n},
               indices.nbytes);
    const argument *p = draw_given("indices", &indices);
    int64_t left = one_in(3) ? random_in(0, places.rank) : 0, own_rank = places.rank - left;
    for (int64_t k = left; k < places.rank; k++)
        own[k - left] = one_in(5) ? 1 : places.shape[k];
    const int64_t longer = own_rank && draw_fault() ? random_below(own_rank) : -1;
    if (longer >= 0)
        own[longer] = places.shape[left + longer] + 2; /* and never 1 */
    const bool unequal = longer >= 0;
    const argument *v = draw_argument("values", other, own, own_rank, like);
    const bool zeros = add && is_float(part_of(dtype)) && (a->conjugated || v->conjugated); /* whose -0 would count */
    const int64_t given = far ? draw_bad_axis(rank) : draw_axis(rank, axis);
    say(" axis %" PRId64 "%s", given, add && !zeros ? ", accumulate" : "");
    const ash_status status =
        ash_put(a->array, p->array, ash_operand_array(v->array), .axis = given, .accumulate = add && !zeros);
    model converted;
    if (far || wrong || unequal) {
        check_refused(status != ASH_OK, "ash_put",
                      ONE_OF(far || wrong ? ASH_ERR_BOUNDS : ASH_ERR_SHAPE, unequal ? ASH_ERR_SHAPE : ASH_ERR_BOUNDS));
        return;
    }
    const model values = model_broadcast(&v->value, places.shape, places.rank);
    if (!model_convert(&converted, &values, dtype)) {
        check_refused(status != ASH_OK, "ash_put", ONE_OF(ASH_ERR_VALUE));
        return;
    }
    check_done(status);
    model want = written(&a->value, &places, &converted);
    if (add && !zeros) {
        memcpy(want.data, a->value.data, (size_t)want.size * want.nbytes);
        for (int64_t i = 0; i < places.size; i++)
            add_element(dtype, model_at(&want, model_i64(&places)[i]), model_at(&converted, i));
    }
    expect_in(a, &want);
}

/* ---- masks and triangles */

/* The places along the axis, or of all elements, where the mask is true. */
static model true_places(const model *mask)
{
    int64_t n = 0;
    for (int64_t i = 0; i < mask->size; i++)
        n += *(bool *)model_at(mask, i);
    const model out = model_new(ASH_I64, &n, 1);
    for (int64_t i = mask->size - 1; i >= 0; i--)
        if (*(bool *)model_at(mask, i))
            model_i64(&out)[--n] = i;
    return out;
}

static void draw_select(void)
{
    const argument *a = draw_any("a", draw_dtype(), 0, 5);
    const int64_t rank = a->value.rank, axis = rank && one_in(2) ? random_below(rank) : -1;
    const bool far = axis >= 0 && draw_fault(), unequal = !far && rank && draw_fault(),
               numeric = !far && !unequal && draw_fault();
    int64_t shape[MODEL_RANK];
    memcpy(shape, axis < 0 ? a->value.shape : a->value.shape + axis, sizeof(int64_t) * (size_t)(axis < 0 ? rank : 1));
    if (unequal)
        shape[0]++;
    const argument *mask =
        draw_argument("mask", numeric ? ASH_U8 : ASH_BOOL, shape, axis < 0 ? rank : 1, one_in(2) ? FEW : COUNTS);
    const int64_t given = far ? draw_bad_axis(rank) : draw_axis(rank, axis);
    say(axis < 0 ? " all" : " axis %" PRId64, given);
    ash_array *got = axis < 0 ? ash_select(a->array, mask->array) : ash_select(a->array, mask->array, .axes = AXES(&given, 1));
    if (far || unequal || numeric) {
        check_refused(!got, "ash_select",
                      far       ? ONE_OF(ASH_ERR_BOUNDS)
                      : unequal ? ONE_OF(ASH_ERR_SHAPE)
                                : ONE_OF(ASH_ERR_DTYPE));
        return;
    }
    const model places = true_places(&mask->value);
    const model flat = axis < 0 ? model_flat(&a->value) : a->value;
    const model from = take_places(&flat, axis < 0 ? 0 : axis, &places), want = model_new(flat.dtype, from.shape, from.rank);
    for (int64_t i = 0; i < want.size; i++)
        model_put(&want, i, &flat, model_i64(&from)[i]);
    check_new_like(got, &want, a);
}

static void draw_triangle(void)
{
    const bool low = draw_fault(), upper = one_in(2);
    const argument *a = low ? draw_any("a", draw_dtype(), 0, 1) : draw_any("a", draw_dtype(), 2, 5);
    const int64_t k = one_in(12) ? (one_in(2) ? INT64_MAX : INT64_MIN) : random_in(-8, 8), rank = a->value.rank;
    say(" %s triangle, k %" PRId64, upper ? "upper" : "lower", k);
    ash_array *got = upper ? ash_triu(a->array, .k = k) : ash_tril(a->array, .k = k);
    if (low) {
        check_refused(!got, upper ? "ash_triu" : "ash_tril", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const model want = model_new(a->value.dtype, a->value.shape, rank);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&want, i, index);
        const int64_t above = index[rank - 1] - index[rank - 2];
        if (upper ? above >= k : above <= k)
            model_put(&want, i, &a->value, i);
    }
    check_new_like(got, &want, a);
}

const operation index_operations[] = {
    {"index", draw_index, 4},   {"index_into", draw_index_into, 4}, {"put", draw_put, 3},
    {"select", draw_select, 2}, {"triangle", draw_triangle, 2},     {NULL, NULL, 0},
};
