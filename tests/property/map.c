/* map.c - functions of elements, out of place and over their own operands; include/ashlar/map.h and array.h. */
#include <string.h>

#include "draw.h"

/* x + y, or x - y, of one integer dtype: it wraps. */
static void put_sum(const model *out, int64_t i, const void *x, const void *y, bool less)
{
    uint64_t a = 0, b = 0;
    memcpy(&a, x, out->nbytes);
    memcpy(&b, y, out->nbytes);
    a = less ? a - b : a + b;
    memcpy(model_at(out, i), &a, out->nbytes);
}

static void draw_map(void)
{
    int64_t shape[MODEL_RANK], own[2][MODEL_RANK], ranks[2], joined[MODEL_RANK], joined_rank = 0;
    const int64_t rank = draw_shape(shape, 0, 6);
    const ash_dtype dtype = draw_integer();
    const bool less = one_in(2);
    for (int i = 0; i < 2; i++)
        ranks[i] = narrowed(own[i], shape, rank);
    const bool unequal = draw_fault() && ranks[0];
    if (unequal)
        own[0][random_below(ranks[0])] += 1;
    const argument *x = draw_argument("x", dtype, own[0], ranks[0], draw_style());
    const argument *y = draw_argument("y", dtype, own[1], ranks[1], draw_style());
    const ash_layout layout = draw_layout();
    say(less ? " x - y" : " x + y");
    ash_array *got =
        ash_map_with(less ? "(x, y) -> x - y" : "(x, y) -> x + y", ASH_OPERANDS(x->array, y->array), .layout = layout);
    if (!joined_shape(joined, &joined_rank, own[0], ranks[0]) || !joined_shape(joined, &joined_rank, own[1], ranks[1])) {
        check_refused(!got, "ash_map", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const model xs = model_broadcast(&x->value, joined, joined_rank), ys = model_broadcast(&y->value, joined, joined_rank),
                want = model_new(dtype, joined, joined_rank);
    for (int64_t i = 0; i < want.size; i++)
        put_sum(&want, i, model_at(&xs, i), model_at(&ys, i), less);
    check_new(got, &want);
    check_layout(got, layout);
}

static void draw_map_into(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 5);
    argument *out = draw_writable("out", draw_integer(), shape, rank, draw_style());
    model value[2];
    ash_array *operand[2];
    for (int i = 0; i < 2; i++) {
        int64_t own[MODEL_RANK];
        operand[i] = one_in(3) ? NULL : draw_own_view(out, &value[i]);
        if (operand[i])
            continue;
        const argument *a = draw_argument(i ? "y" : "x", out->value.dtype, own, narrowed(own, shape, rank), draw_style());
        operand[i] = a->array;
        value[i] = a->value;
    }
    say(" out = x - y, strides of x in bytes");
    say_list("", ash_byte_strides(operand[0]), ash_rank(operand[0]));
    say_list(", of y", ash_byte_strides(operand[1]), ash_rank(operand[1]));
    check_done(ash_map_into(out->array, "(x, y) -> x - y", operand[0], operand[1]));
    const model xs = model_broadcast(&value[0], shape, rank), ys = model_broadcast(&value[1], shape, rank),
                want = model_new(out->value.dtype, shape, rank);
    for (int64_t i = 0; i < want.size; i++)
        put_sum(&want, i, model_at(&xs, i), model_at(&ys, i), true);
    expect_in(out, &want);
}

/* Arrays of any shapes in row-major order to the shortest; of one shape they keep it. */
static void draw_zip_map(void)
{
    const ash_dtype dtype = draw_integer();
    const argument *x = draw_any("x", dtype, 0, 4);
    int64_t shape[MODEL_RANK];
    memcpy(shape, x->value.shape, sizeof shape);
    const bool alike = one_in(3);
    const argument *y = alike ? draw_argument("y", dtype, shape, x->value.rank, ANYTHING) : draw_any("y", dtype, 0, 4);
    bool same = x->value.rank == y->value.rank;
    for (int64_t k = 0; k < x->value.rank && same; k++)
        same = x->value.shape[k] == y->value.shape[k];
    const int64_t n = x->value.size < y->value.size ? x->value.size : y->value.size;
    const model want = same ? model_new(dtype, shape, x->value.rank) : model_new(dtype, &n, 1);
    for (int64_t i = 0; i < want.size; i++)
        put_sum(&want, i, model_at(&x->value, i), model_at(&y->value, i), false);
    check_new(ash_zip_map("(x, y) -> x + y", x->array, y->array), &want);
}

static void draw_fill(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 5);
    const ash_dtype dtype = draw_dtype(), other = is_record(dtype) || one_in(2) ? dtype : draw_number();
    argument *a = draw_writable("a", dtype, shape, rank, draw_style());
    const argument *v = draw_argument("value", other, shape, 0, one_in(2) ? COUNTS : ANYTHING);
    model element;
    const ash_status status = ash_fill(a->array, v->array);
    if (!model_convert(&element, &v->value, dtype)) {
        check_refused(status != ASH_OK, "ash_fill", ONE_OF(ASH_ERR_VALUE));
        return;
    }
    check_done(status);
    const model want = model_new(dtype, shape, rank);
    for (int64_t i = 0; i < want.size; i++)
        model_put(&want, i, &element, 0);
    expect_in(a, &want);
}

const operation map_operations[] = {
    {"map", draw_map, 2}, {"map_into", draw_map_into, 3}, {"zip_map", draw_zip_map, 2}, {"fill", draw_fill, 2}, {NULL, NULL, 0},
};
