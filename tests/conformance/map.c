/* map.c - functions of elements, and choosing between them; include/ashlar/map.h, apply.h, index.h. */
#include "trial.h"

#include <string.h>

static double real_at(const model *m, int64_t i)
{
    double x = 0;
    convert_element(ASH_F64, &x, m->dtype, model_at(m, i));
    return x;
}

/* ---- arithmetic: the models compute integers modulo 2^64 and floats in their own dtype, halves in f32 */

typedef enum arithmetic { ADD, SUBTRACT, MULTIPLY, DIVIDE } arithmetic;
static const char *const arithmetic_texts[] = {"(x, y) -> x + y", "(x, y) -> x - y", "(x, y) -> x * y", "(x, y) -> x / y"};

static double float_result(arithmetic op, ash_dtype dtype, double x, double y)
{
    if (dtype == ASH_F64)
        return op == ADD ? x + y : op == SUBTRACT ? x - y : op == MULTIPLY ? x * y : x / y;
    const float a = (float)x, b = (float)y, c = op == ADD ? a + b : op == SUBTRACT ? a - b : op == MULTIPLY ? a * b : a / b;
    return (double)c;
}

static void put_result(const model *out, int64_t i, arithmetic op, const model *x, const model *y)
{
    if (is_float(out->dtype)) {
        const double z = float_result(op, out->dtype, real_at(x, i), real_at(y, i));
        if (!number_store(out->dtype, number_of(ASH_F64, &z), model_at(out, i)))
            number_store(out->dtype, (number){INFINITE, z < 0, 0, 0}, model_at(out, i));
        return;
    }
    const uint64_t a = wrapped(x->dtype, model_at(x, i)), b = wrapped(y->dtype, model_at(y, i)),
                   c = op == ADD        ? a + b
                       : op == SUBTRACT ? a - b
                                        : a * b;
    memcpy(model_at(out, i), &c, out->nbytes); /* the low bytes */
}

static void expect_arithmetic(arithmetic op, const model *x, const model *y)
{
    if (!is_integer(now.dtype) && !is_float(now.dtype))
        return;
    const model want = model_new(now.dtype, x->shape, x->rank);
    for (int64_t i = 0; i < want.size; i++)
        put_result(&want, i, op, x, y);
    expect(&want);
}

static void run_arithmetic(arithmetic op)
{
    const argument x = give_here(ANYTHING), y = give_here(ANYTHING);
    result(ash_map(arithmetic_texts[op], x.array, y.array));
    expect_arithmetic(op, &x.value, &y.value);
}
static void run_add(void)
{
    run_arithmetic(ADD);
}
static void run_multiply(void)
{
    run_arithmetic(MULTIPLY);
}
static void run_divide(void)
{
    run_arithmetic(DIVIDE);
}

static void run_compare(void)
{
    const argument x = give_here(FEW), y = give_here(FEW);
    result(ash_map("(x, y) -> x < y", x.array, y.array));
    const model want = model_new(ASH_BOOL, now.shape, now.rank);
    for (int64_t i = 0; i < want.size; i++)
        *(bool *)model_at(&want, i) =
            !is_nan(now.dtype, model_at(&x.value, i)) && !is_nan(now.dtype, model_at(&y.value, i)) &&
            number_compare(number_of(now.dtype, model_at(&x.value, i)), number_of(now.dtype, model_at(&y.value, i))) < 0;
    expect(&want);
}

/* Every kind of operation of the language in one kernel: what a dtype has. */
static void run_language(void)
{
    const argument x = give_here(TAME), y = give_here(TAME);
    const bool complex = is_complex(now.dtype);
    result(ash_map(is_float(now.dtype)     ? "(x, y) -> x > y ? floor(4*x) + abs(y)*3 : sqrt(x*x) - min(x, copysign(y, x))"
                   : now.dtype == ASH_BOOL ? "(x, y) -> x && !y || (y ? x == y : xor(x, y))"
                   : complex               ? "(x, y) -> x == y ? x : conj(x)*y - x + 3*y"
                                           : "(x, y) -> x > y ? (x & y) << 1 : (~x | y) + max(x, y) - (y >> 1)",
                   x.array, y.array));
}

static void run_elementary(void)
{
    const argument x = give_here(TAME);
    result(ash_map("x -> exp(x) + log(abs(x)) * sin(x) - cos(x) + atan(x)", x.array));
    scale(8);
}

static void run_elementary_complex(void)
{
    const argument x = give_here(TAME);
    result(ash_map("x -> exp(x) * x + abs(x)", x.array));
    scale(16);
}

/* ---- operands of other shapes and dtypes */

/* The first axis of x, and all axes of y but the last, are repeated. */
static void run_broadcast(void)
{
    int64_t of_x[MODEL_RANK], of_y[MODEL_RANK];
    for (int64_t k = 0; k < now.rank; k++) {
        of_x[k] = k ? now.shape[k] : 1;
        of_y[k] = k + 1 == now.rank ? 1 : now.shape[k];
    }
    const argument x = give(now.dtype, of_x, now.rank, ANYTHING), y = give(now.dtype, of_y, now.rank, ANYTHING);
    result(ash_map("(x, y) -> x + y", x.array, y.array));
    const model xs = model_broadcast(&x.value, now.shape, now.rank), ys = model_broadcast(&y.value, now.shape, now.rank);
    if (now.rank > 1)
        expect_arithmetic(ADD, &xs, &ys);
}

static void run_scalar_operand(void)
{
    const argument x = give_here(ANYTHING);
    result(ash_map("(x, s) -> x - s", x.array, (int8_t)3));
    const model three = model_new(now.dtype, now.shape, now.rank);
    for (int64_t i = 0; i < three.size; i++)
        if (is_real(now.dtype))
            number_store(now.dtype, (number){FINITE, false, 3, 0}, model_at(&three, i));
    expect_arithmetic(SUBTRACT, &x.value, &three);
}

static void run_map_into(void)
{
    const argument x = give_here(ANYTHING), y = give_here(ANYTHING);
    const argument out = give_out(&x.value);
    result_status(ash_map_into(out.array, "(x, y) -> x * y", out.array, y.array), &out);
    expect_arithmetic(MULTIPLY, &x.value, &y.value);
}

static void run_zip_map(void)
{
    int64_t flat = count_of(now.shape, now.rank) + 3;
    const argument x = give_here(ANYTHING), y = give(now.dtype, &flat, 1, ANYTHING);
    result(ash_zip_map("(x, y) -> x + y", x.array, y.array));
    const model xs = model_flat(&x.value), ys = model_cut(&y.value, &(cut){0, 1, xs.size});
    expect_arithmetic(ADD, &xs, &ys);
}

static void run_zip_map_into(void)
{
    const argument x = give_here(ANYTHING), y = give_here(ANYTHING);
    const argument out = give_out(&x.value);
    result_status(ash_zip_map_into(out.array, "(x, y) -> x + y", x.array, y.array), &out);
    expect_arithmetic(ADD, &x.value, &y.value);
}

static void run_apply(void)
{
    const argument x = give_here(ANYTHING), y = give_here(ANYTHING);
    ash_function *const function = ash_function_new("(x, y) -> x - y");
    ash_array *const got = ash_apply2(function, x.array, y.array), *const same = ash_map(function, x.array, y.array);
    ash_function_release(function);
    result(got);
    ash_release(got);
    result(same);
    expect_arithmetic(SUBTRACT, &x.value, &y.value);
}

/* ---- choosing */

static void run_where(void)
{
    const argument c = give(ASH_BOOL, now.shape, now.rank, FEW), x = give_here(ANYTHING), y = give_here(ANYTHING);
    result(ash_where(c.array, x.array, y.array));
    const model want = model_new(now.dtype, now.shape, now.rank);
    for (int64_t i = 0; i < want.size; i++)
        model_put(&want, i, *(bool *)model_at(&c.value, i) ? &x.value : &y.value, i);
    expect(&want);
}

#define SUMS (INTEGERS | FLOATS)
const operation map_operations[] = {
    {"map_add", run_add, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"map_multiply", run_multiply, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"map_divide", run_divide, FLOATS | COMPLEX_FLOATS, EVERY_EDGE, EXACT, EXACT, 0},
    {"map_compare", run_compare, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"map_language", run_language, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"map_elementary", run_elementary, FLOATS, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"map_elementary_complex", run_elementary_complex, COMPLEX_SINGLES, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"map_broadcast", run_broadcast, SUMS, EVERY_EDGE, EXACT, EXACT, 0},
    {"map_scalar", run_scalar_operand, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"map_into", run_map_into, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"zip_map", run_zip_map, SUMS, EVERY_EDGE, EXACT, EXACT, 0},
    {"zip_map_into", run_zip_map_into, SUMS, EVERY_EDGE, EXACT, EXACT, 0},
    {"apply", run_apply, SUMS, EVERY_EDGE, EXACT, EXACT, 0},
    {"where", run_where, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
