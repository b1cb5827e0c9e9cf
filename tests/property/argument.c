/*
 * argument.c - arguments: views with steps of either sign, offsets, exchanged axes, repeated elements, conjugates, elements at
 * odd addresses and fields of records, in both layouts and storages; and what must be so of them after the call.
 *
 * A view is made backwards from the shape that is wanted: each axis gets a step and a margin in the base, axes are reordered,
 * one more is dropped by an integer. The same cuts are made in an array of positions, which then says where each element lies.
 */
#include "argument.h"

#include <string.h>

static argument arguments[16];
static int argument_count;

typedef struct origin {
    ash_array *base, *array; /* array: the elements of the base under the shape wanted */
    model bytes, at;
} origin;

static void need(const void *made)
{
    if (!made)
        fail("an argument could not be made: %s", ash_error_text());
}

static ash_storage draw_storage(void)
{
    return one_in(4) ? ASH_PRIVATE : ASH_SHARED;
}

static origin plain_base(const model *values)
{
    origin o = {.bytes = *values, .at = model_positions(values->shape, values->rank)};
    o.base = o.array = ash_from_host(values->data, values->dtype, ((ash_dims){values->shape, values->rank}),
                                     .layout = draw_layout(), .storage = draw_storage());
    need(o.base);
    for (int64_t i = 0; i < o.at.size; i++)
        model_i64(&o.at)[i] *= (int64_t)values->nbytes;
    return o;
}

/* Elements in a vector of bytes, at any address. */
static origin byte_base(const model *values)
{
    const int64_t start = random_below(9), nbytes = values->size * (int64_t)values->nbytes, room = start + nbytes + 3;
    const bool columns = one_in(2);
    origin o = {.bytes = random_values(ASH_U8, &room, 1, ANYTHING), .at = model_positions(values->shape, values->rank)};
    for (int64_t i = 0; i < values->size; i++) {
        int64_t index[MODEL_RANK], position = 0;
        index_of(values, i, index);
        for (int64_t k = values->rank - 1; k >= 0 && columns; k--)
            position = position * values->shape[k] + index[k];
        model_i64(&o.at)[i] = start + (columns ? position : i) * (int64_t)values->nbytes;
        memcpy(o.bytes.data + model_i64(&o.at)[i], model_at(values, i), values->nbytes);
    }
    o.base = ash_from_host(o.bytes.data, ASH_U8, ((ash_dims){&room, 1}), .storage = draw_storage());
    o.array = ash_reshape(ash_reinterpret(ash_slice(o.base, start, start + nbytes), values->dtype),
                          ((ash_dims){values->shape, values->rank}), .order = columns ? ASH_COL_MAJOR : ASH_ROW_MAJOR);
    need(o.array);
    reached.feature[HAS_MISALIGNED]++;
    return o;
}

static const struct field_case {
    ash_dtype dtype;
    record in;
    const char *name;
    size_t offset;
} field_cases[] = {
    {ASH_I16, SPOT, "n", offsetof(spot, n)},
    {ASH_F32, ODD, "w", offsetof(odd, w)},
    {ASH_C_F32, ODD, "z", offsetof(odd, z)},
};

static const struct field_case *field_for(ash_dtype dtype)
{
    for (size_t i = 0; i < sizeof field_cases / sizeof *field_cases; i++)
        if (field_cases[i].dtype == dtype)
            return &field_cases[i];
    return NULL;
}

static origin field_base(const model *values, const struct field_case *field)
{
    const model records = random_values(record_dtype(field->in), values->shape, values->rank, ANYTHING);
    for (int64_t i = 0; i < values->size; i++)
        memcpy((char *)model_at(&records, i) + field->offset, model_at(values, i), values->nbytes);
    origin o = plain_base(&records);
    for (int64_t i = 0; i < o.at.size; i++)
        model_i64(&o.at)[i] += (int64_t)field->offset;
    o.array = ash_field(o.base, field->name);
    need(o.array);
    reached.feature[HAS_FIELD]++;
    return o;
}

static origin draw_base(const model *values)
{
    const struct field_case *field = field_for(values->dtype);
    if (field && one_in(4))
        return field_base(values, field);
    if (values->dtype != ASH_BOOL && !is_record(values->dtype) && values->size && one_in(8))
        return byte_base(values);
    return plain_base(values);
}

/* ---- views */

/* How the axes of the base come to be those of the view. */
typedef struct plan {
    int64_t rank;                     /* of the base */
    int64_t shape[MODEL_RANK];        /* of the base */
    cut cuts[MODEL_RANK];             /* of each axis of the base */
    int64_t order[MODEL_RANK];        /* permutation after the cuts */
    int64_t narrow[MODEL_RANK], left; /* shape after that, before it is broadcast; leading axes left out */
} plan;

static plan draw_plan(const int64_t *shape, int64_t rank, bool writable)
{
    plan p = {.rank = rank};
    int64_t place[MODEL_RANK], room = 4 * most_elements;
    const bool steps = !one_in(4), wide = count_of(shape, rank) > 0;
    random_order(place, rank);
    if (one_in(3))
        for (int64_t k = 0; k < rank; k++)
            place[k] = k;
    for (int64_t k = 0; k < rank; k++) {
        const bool repeated = !writable && one_in(6);
        p.narrow[k] = repeated ? 1 : shape[k];
        p.order[k] = place[k];
    }
    for (; !writable && p.left < rank && p.narrow[p.left] == 1 && one_in(3);)
        p.left++;
    for (int64_t k = 0; k < rank; k++) {
        const int64_t n = p.narrow[k], j = place[k], step = steps && one_in(3) ? random_in(2, 3) : 1;
        const int64_t before = steps && one_in(3) ? random_in(1, 2) : 0, after = steps && one_in(3) ? random_in(1, 3) : 0;
        int64_t size = before + (n ? (n - 1) * step + 1 : 0) + after;
        p.cuts[j] = (cut){before, step, n};
        if (wide && size > n && count_of(p.narrow, rank) / (n + !n) * size > room) {
            p.cuts[j] = (cut){0, 1, n};
            size = n;
        }
        room = wide && n ? room / size * n : room;
        if (steps && n && one_in(3)) {
            p.cuts[j].start += (n - 1) * p.cuts[j].step;
            p.cuts[j].step = -p.cuts[j].step;
        }
        p.shape[j] = size;
    }
    return p;
}

/* Leading axes that the view is to get by broadcasting leave the plan; their size is 1 in it, and they come first. */
static void leave_out(plan *p)
{
    for (int64_t k = 0; k < p->left; k++) {
        const int64_t j = p->order[0];
        for (int64_t i = 1; i < p->rank; i++) {
            p->order[i - 1] = p->order[i] > j ? p->order[i] - 1 : p->order[i];
            p->narrow[i - 1] = p->narrow[i];
        }
        for (int64_t i = j; i + 1 < p->rank; i++) {
            p->cuts[i] = p->cuts[i + 1];
            p->shape[i] = p->shape[i + 1];
        }
        p->rank--;
    }
}

/* One more axis in the base, of which the view has one place. */
static void add_dropped(plan *p)
{
    const int64_t j = random_in(0, p->rank), size = random_in(1, 3);
    for (int64_t i = p->rank; i > j; i--) {
        p->cuts[i] = p->cuts[i - 1];
        p->shape[i] = p->shape[i - 1];
    }
    p->cuts[j] = (cut){random_below(size), 1, -1};
    p->shape[j] = size;
    p->rank++;
}

ash_index draw_range(cut c, int64_t size)
{
    if (c.count < 0)
        return ash_index_at(one_in(2) ? c.start - size : c.start);
    if (c.start == 0 && c.step == 1 && c.count == size && one_in(2))
        return ash_index_all();
    const int64_t last = c.start + (c.count - 1) * c.step; /* of an empty one: one step before the start */
    int64_t start = c.start, stop = c.count ? last + (c.step > 0 ? 1 : -1) : c.start;
    if (c.count && one_in(2)) /* anything up to the next step ends it there */
        stop = c.step > 0 ? random_in(last + 1, last + c.step) : random_in(last + c.step, last - 1);
    if (stop < 0 || (stop > size && c.step > 0) || (c.count && stop == size && one_in(2)))
        stop = ASH_OPEN;
    else if (stop < size && one_in(3))
        stop -= size;
    if (c.count && start == (c.step > 0 ? 0 : size - 1) && one_in(2))
        start = ASH_OPEN;
    else if (start < size && one_in(3))
        start -= size;
    return ash_index_range(start, stop, c.step);
}

/* The view and, in the same way, the places of its elements. */
static void apply_plan(origin *o, const plan *p, const int64_t *shape, int64_t rank)
{
    ash_index index[MODEL_RANK];
    bool moved = false;
    int64_t kept = 0;
    for (int64_t j = 0; j < p->rank; j++) {
        index[j] = draw_range(p->cuts[j], p->shape[j]);
        kept += p->cuts[j].count >= 0;
    }
    o->array = ash_view_at(o->array, index, p->rank);
    o->at = model_cut(&o->at, p->cuts);
    for (int64_t k = 0; k < kept; k++)
        moved |= p->order[k] != k;
    if (moved) {
        o->array = ash_permute(o->array, (ash_axes){p->order, kept});
        o->at = model_permute(&o->at, p->order);
    }
    if (kept != rank || memcmp(p->narrow, shape, (size_t)rank * sizeof *shape) != 0) {
        o->array = ash_broadcast_to(o->array, (ash_dims){shape, rank});
        o->at = model_broadcast(&o->at, shape, rank);
    }
    need(o->array);
}

static origin draw_view(ash_dtype dtype, const int64_t *shape, int64_t rank, style like, bool writable)
{
    plan p = draw_plan(shape, rank, writable);
    leave_out(&p);
    if (rank < 7 && one_in(4))
        add_dropped(&p);
    const model values = random_values(dtype, p.shape, p.rank, like);
    origin o = draw_base(&values);
    apply_plan(&o, &p, shape, rank);
    return o;
}

/* The view is made with its last axes exchanged, and conjugated on the way back; a vector loses the axis that it gains. */
static origin draw_adjoint(ash_dtype dtype, const int64_t *shape, int64_t rank, style like, bool writable)
{
    int64_t turned[MODEL_RANK];
    memcpy(turned, shape, (size_t)rank * sizeof *shape);
    if (rank >= 2) {
        turned[rank - 1] = shape[rank - 2];
        turned[rank - 2] = shape[rank - 1];
    }
    origin o = draw_view(dtype, turned, rank, like, writable);
    o.array = ash_adjoint(o.array);
    if (rank == 1)
        o.array = ash_view(o.array, 0);
    else
        o.at = model_swap_last(&o.at);
    need(o.array);
    reached.feature[HAS_CONJUGATE]++;
    return o;
}

/* ---- arguments */

static void cover(const argument *a)
{
    const ash_layout layout = ash_layout_of(a->array);
    int64_t *f = reached.feature;
    f[layout == ASH_ROW_MAJOR ? HAS_ROW_MAJOR : layout == ASH_COL_MAJOR ? HAS_COL_MAJOR : HAS_STRIDED]++;
    f[HAS_PRIVATE] += ash_storage_of(a->array) == ASH_PRIVATE;
    f[HAS_EMPTY] += a->value.size == 0;
    f[HAS_OFFSET] += a->at.size && model_i64(&a->at)[0] != 0;
    bool negative = false, zero = false, longer = false, nan = false;
    for (int64_t k = 0; k < a->value.rank; k++) {
        negative |= ash_byte_strides(a->array)[k] < 0;
        zero |= a->value.size && a->value.shape[k] > 1 && ash_byte_strides(a->array)[k] == 0;
        longer |= a->value.shape[k] > 7;
    }
    for (int64_t i = 0; i < a->value.size && is_float(a->value.dtype); i++)
        nan |= number_of(a->value.dtype, model_at(&a->value, i)).kind == NOT_A_NUMBER;
    f[HAS_NEGATIVE_STRIDE] += negative;
    f[HAS_ZERO_STRIDE] += zero;
    f[HAS_LONG_AXIS] += longer;
    f[HAS_NAN] += nan;
    reached.rank[a->value.rank]++;
    const ash_dtype d = a->value.dtype;
    for (int i = 0; i < RECORDS; i++)
        reached.dtype[ASH_C_F64 + 1 + i] += d == record_dtype((record)i);
    if (!is_record(d))
        reached.dtype[d]++;
}

static model gathered(const argument *a)
{
    const model m = model_new(a->value.dtype, a->at.shape, a->at.rank);
    for (int64_t i = 0; i < m.size; i++) {
        memcpy(model_at(&m, i), a->bytes.data + model_i64(&a->at)[i], m.nbytes);
        if (a->conjugated)
            conjugate_element(m.dtype, model_at(&m, i));
    }
    return m;
}

static void stored(argument *a, const model *value)
{
    for (int64_t i = 0; i < value->size; i++) {
        unsigned char *element = a->bytes.data + model_i64(&a->at)[i];
        memcpy(element, model_at(value, i), value->nbytes);
        if (a->conjugated)
            conjugate_element(value->dtype, element);
    }
}

static argument *new_argument(const char *name, ash_dtype dtype, const int64_t *shape, int64_t rank, style like, bool writable)
{
    if (argument_count == sizeof arguments / sizeof *arguments)
        fail("too many arguments");
    argument *a = &arguments[argument_count++];
    origin o;
    *a = (argument){.name = name, .conjugated = is_complex(dtype) && rank > 0 && one_in(4)};
    if (like == COUNTS && !is_float(part_of(dtype)))
        a->conjugated = false; /* the conjugate of a count of integers is none */
    if (a->conjugated) {
        o = draw_adjoint(dtype, shape, rank, like, writable);
    } else if (one_in(3)) {
        const model values = random_values(dtype, shape, rank, like);
        o = draw_base(&values);
    } else {
        o = draw_view(dtype, shape, rank, like, writable);
    }
    a->base = o.base;
    a->array = o.array;
    a->at = o.at;
    a->bytes = model_new(o.bytes.dtype, o.bytes.shape, o.bytes.rank);
    memcpy(a->bytes.data, o.bytes.data, (size_t)o.bytes.size * o.bytes.nbytes);
    a->value.dtype = dtype;
    a->value = gathered(a);
    a->readonly = ash_is_readonly(a->array);
    a->misaligned = ash_dtype_of(a->base) != dtype; /* seen in bytes, or a field */
    cover(a);
    return a;
}

argument *draw_argument(const char *name, ash_dtype dtype, const int64_t *shape, int64_t rank, style like)
{
    return new_argument(name, dtype, shape, rank, like, false);
}

argument *draw_writable(const char *name, ash_dtype dtype, const int64_t *shape, int64_t rank, style like)
{
    return new_argument(name, dtype, shape, rank, like, true);
}

argument *draw_given(const char *name, const model *value)
{
    argument *a = new_argument(name, value->dtype, value->shape, value->rank, ANYTHING, true);
    stored(a, value);
    if (ash_copy_into(a->base, ash_from_host(a->bytes.data, a->bytes.dtype, ((ash_dims){a->bytes.shape, a->bytes.rank}))) !=
        ASH_OK)
        fail("an argument could not be filled: %s", ash_error_text());
    a->value = gathered(a);
    return a;
}

void expect_at(argument *a, const model *at, bool conjugated, const model *value)
{
    argument part = *a;
    part.at = *at;
    part.conjugated = conjugated;
    reached.feature[HAS_IN_PLACE]++;
    stored(&part, value); /* in the bytes that both have */
    a->value = gathered(a);
}

void expect_in(argument *a, const model *value)
{
    expect_at(a, &a->at, a->conjugated, value);
}

/* One of: out as it is, its axes turned round, one of its rows for all, its axes in another order where the sizes allow it. */
ash_array *draw_own_view(const argument *out, model *value)
{
    const int64_t rank = out->value.rank;
    int64_t order[MODEL_RANK], row = 0;
    cut cuts[MODEL_RANK];
    ash_index index[MODEL_RANK];
    switch (random_below(4)) {
    case 0:
        *value = out->value;
        return out->array;
    case 1:
        for (int64_t k = 0; k < rank; k++) {
            const int64_t n = out->value.shape[k];
            cuts[k] = n && one_in(2) ? (cut){n - 1, -1, n} : (cut){0, 1, n};
            index[k] = draw_range(cuts[k], n);
        }
        *value = model_cut(&out->value, cuts);
        return ash_view_at(out->array, index, rank);
    case 2:
        if (!rank || !out->value.shape[0])
            return NULL;
        row = random_below(out->value.shape[0]);
        for (int64_t k = 0; k < rank; k++)
            cuts[k] = k ? (cut){0, 1, out->value.shape[k]} : (cut){row, 1, -1};
        *value = model_cut(&out->value, cuts);
        return ash_view(out->array, row);
    default:
        random_order(order, rank);
        *value = model_permute(&out->value, order);
        return memcmp(value->shape, out->value.shape, sizeof(int64_t) * (size_t)rank) == 0
                   ? ash_permute(out->array, AXES(order, rank))
                   : NULL;
    }
}

/* ---- what must be so */

void arguments_begin(void)
{
    argument_count = 0;
}

const argument *argument_number(int i)
{
    return i < argument_count ? &arguments[i] : NULL;
}

bool arguments_private(void)
{
    for (int i = 0; i < argument_count; i++)
        if (ash_storage_of(arguments[i].array) == ASH_SHARED)
            return false;
    return argument_count > 0;
}

void arguments_end(void)
{
    for (int i = 0; i < argument_count; i++) {
        const argument *a = &arguments[i];
        const size_t nbytes = (size_t)a->bytes.size * a->bytes.nbytes;
        const model now = model_new(a->bytes.dtype, a->bytes.shape, a->bytes.rank);
        if (ash_to_host(a->base, now.data, nbytes) != ASH_OK)
            fail("the base of %s cannot be read any more: %s", a->name, ash_error_text());
        for (int64_t k = 0; k < a->at.size; k++) { /* one NaN may stand where another was written */
            const int64_t at = model_i64(&a->at)[k];
            if (same_element(a->value.dtype, now.data + at, a->bytes.data + at))
                memcpy(now.data + at, a->bytes.data + at, a->value.nbytes);
        }
        for (int64_t k = 0; k < now.size; k++)
            if (!same_element(now.dtype, model_at(&now, k), model_at(&a->bytes, k)))
                fail("the memory of %s is not as it should be: element %" PRId64 " of its base", a->name, k);
        check_values(a->array, &a->value);
    }
}
