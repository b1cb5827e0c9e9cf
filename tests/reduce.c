/*
 * reduce.c - reductions: axes, dtypes, init, masks, what is given and what is refused.
 *
 * Expected values are worked out by hand, by a plain loop over a table in the test, or follow from an identity.
 */
#include <complex.h>

#include "test.h"

/* ---- axes and shapes */

/* Every set of axes of every shape with sizes 0, 1 or 3, against a loop over the indices. */
static void all_axes(ash_layout layout, const int64_t *shape, uint32_t reduced, bool drop)
{
    ASH_SCOPE(scope);
    int64_t axes[4], count = 0, kept[4], rank = 0, n = 1, results = 1, step[4];
    for (int k = 0; k < 4; k++) {
        const bool fold = reduced >> k & 1;
        if (fold)
            axes[count++] = k % 2 ? k - 4 : k; /* some of them negative */
        if (!fold || !drop)
            kept[rank++] = fold ? 1 : shape[k];
        n *= shape[k];
    }
    for (int k = 3; k >= 0; k--) {
        step[k] = reduced >> k & 1 ? 0 : results;
        results *= reduced >> k & 1 ? 1 : shape[k];
    }
    double want[81] = {0};
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i, at = 0;
        for (int k = 3; k >= 0; rest /= shape[k], k--)
            at += rest % shape[k] * step[k];
        want[at] += (double)i;
    }
    ash_array *a = counting(0, ASH_F32, ((ash_dims){shape, 4}), layout);
    ash_array *r = ash_sum(a, .axes = ((ash_axes){axes, count}), .drop = drop);
    check_shape(r, kept, rank, __FILE__, __LINE__);
    check_floats(r, want, results, __FILE__, __LINE__);
    ash_array *out = ash_fill_new(((ash_dims){kept, rank}), 1000.0f);
    CHECK_OK(ash_sum_into(out, a, .axes = ((ash_axes){axes, count}), .accumulate = true));
    for (int64_t i = 0; i < results; i++)
        want[i] += 1000;
    check_floats(out, want, results, __FILE__, __LINE__);
}

static void axes_everywhere(void **state)
{
    (void)state;
    static const int64_t sizes[] = {0, 1, 3};
    for
        EACH_LAYOUT(layout)
    for (int s = 0; s < 81; s++)
        for (uint32_t reduced = 0; reduced < 16; reduced++) {
            const int64_t shape[4] = {sizes[s % 3], sizes[s / 3 % 3], sizes[s / 9 % 3], sizes[s / 27]};
            all_axes(layout, shape, reduced, false);
            if (s % 5 == 0)
                all_axes(layout, shape, reduced, true);
        }
}

static void shapes(void)
{
    ash_array *a = counting(0, ASH_I32, ASH_SHAPE(2, 3), ASH_ROW_MAJOR);
    CHECK_SCALAR(ash_sum(a));
    CHECK_SHAPE(ash_sum(a, .axes = ASH_AXES(0, 1)), 1, 1);
    CHECK_SCALAR(ash_sum(a, .axes = ASH_AXES(-1, -2), .drop = true));
    CHECK_SHAPE(ash_sum(a, .axes = ASH_AXES()), 2, 3);
    CHECK_INTS(ash_sum(a, .axes = ASH_AXES(), .init = ASH_OPERAND(10)), 10, 11, 12, 13, 14, 15);
    CHECK_INTS(ash_sum(a, .axes = ASH_ALL_AXES), 15);
    CHECK_SCALAR(ash_sum(ash_fill_new(ASH_SHAPE(), 3)));
    CHECK(!ash_sum(a, .axes = ASH_AXES(2)));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_sum: ", "2");
    CHECK(!ash_max(a, .axes = ASH_AXES(1, -1)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_max: ", "1");
    CHECK(!ash_argmax(a, .axes = ASH_AXES(-3)));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_argmax: ", "-3");
    CHECK(!ash_mean(a, .axes = ASH_AXES(5)));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_mean: ", "5");
}

static void shapes_everywhere(void **state)
{
    (void)state;
    everywhere(shapes, false);
}

/* ---- dtypes */

static void result_dtypes(void **state)
{
    (void)state;
    static const struct {
        ash_dtype a, sum, plus, max, mean;
    } cases[] = {
        {ASH_BOOL, ASH_I64, ASH_I64, ASH_BOOL, ASH_F64},    {ASH_I8, ASH_I64, ASH_I8, ASH_I8, ASH_F64},
        {ASH_I16, ASH_I64, ASH_I16, ASH_I16, ASH_F64},      {ASH_I32, ASH_I64, ASH_I32, ASH_I32, ASH_F64},
        {ASH_I64, ASH_I64, ASH_I64, ASH_I64, ASH_F64},      {ASH_U8, ASH_U64, ASH_U8, ASH_U8, ASH_F64},
        {ASH_U16, ASH_U64, ASH_U16, ASH_U16, ASH_F64},      {ASH_U32, ASH_U64, ASH_U32, ASH_U32, ASH_F64},
        {ASH_U64, ASH_U64, ASH_U64, ASH_U64, ASH_F64},      {ASH_F16, ASH_F16, ASH_F16, ASH_F16, ASH_F16},
        {ASH_BF16, ASH_BF16, ASH_BF16, ASH_BF16, ASH_BF16}, {ASH_F32, ASH_F32, ASH_F32, ASH_F32, ASH_F32},
        {ASH_F64, ASH_F64, ASH_F64, ASH_F64, ASH_F64},      {ASH_C_F32, ASH_C_F32, ASH_C_F32, 0, ASH_C_F32},
        {ASH_C_I8, ASH_C_I64, ASH_C_I8, 0, ASH_C_F64},      {ASH_C_F16, ASH_C_F16, ASH_C_F16, 0, ASH_C_F16},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        ASH_SCOPE(scope);
        const ash_dtype d = cases[i].a;
        ash_array *a = ash_ones(ASH_SHAPE(5), .dtype = d), *s = ash_sum(a), *p = ash_reduce("+", a), *q = ash_prod(a),
                  *m = ash_mean(a);
        ash_array *v = ash_var(a), *t = ash_std(a, .population = true);
        if (!s || !p || !q || !m || !v || !t || ash_dtype_of(s) != cases[i].sum || ash_dtype_of(p) != cases[i].plus ||
            ash_dtype_of(q) != cases[i].sum || ash_dtype_of(m) != cases[i].mean)
            FAIL("dtype %s: sum %p, %s, reduce %p, %s, prod %p, %s, mean %p, %s", ash_dtype_name(d), (void *)s,
                 ash_dtype_name(ash_dtype_of(s)), (void *)p, ash_dtype_name(ash_dtype_of(p)), (void *)q,
                 ash_dtype_name(ash_dtype_of(q)), (void *)m, ash_dtype_name(ash_dtype_of(m)));
        CHECK(ash_item_c_f64(s).re == 5 && ash_item_c_f64(p).re == 5 && ash_item_c_f64(q).re == 1 && ash_item_c_f64(m).re == 1);
        CHECK(ash_item_f64(v) == 0 && ash_item_f64(t) == 0);
        ash_array *x = ash_max(a);
        CHECK(cases[i].max ? x && ash_dtype_of(x) == cases[i].max && ash_item_f64(x) == 1 : !x);
        if (!x)
            CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_max: ", ash_dtype_name(d), "order");
        ash_array *c = ash_count(a);
        CHECK(ash_dtype_of(c) == ASH_I64 && ash_item_i64(c) == 5);
        if (d != ASH_BOOL) /* elements are counted, not added up */
            CHECK(ash_item_i64(ash_count(ash_convert(ash_f32(0, 3, 0, 100, 2), d))) == 3);
        CHECK(ash_dtype_of(ash_any(a)) == ASH_BOOL && ash_item_bool(ash_all(a)));
    }
}

static void widths(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_i8(100, 100, 100);
    CHECK(ash_item_i64(ash_sum(a)) == 300);
    CHECK(ash_item_i8(ash_reduce("+", a)) == 44); /* 300 - 256 */
    CHECK(ash_item_i8(ash_reduce("*", a)) == 64); /* 1000000 = 3906*256 + 64 */
    CHECK(ash_item_i64(ash_prod(a)) == 1000000);
    CHECK(ash_item_i64(ash_reduce("+", ash_bool(true, true, false))) == 2);
    CHECK(ash_item_i64(ash_map_reduce("x -> x > 0", "+", a)) == 3);
    CHECK_INTS(ash_map("x -> i64(bool(x))", ash_u8(0, 2, 255)), 0, 1, 1); /* bool is as wide as u8 and holds less */
    CHECK(ash_item_u64(ash_sum(ash_u64(UINT64_MAX, 2))) == 1);            /* modulo 2^64 */
    CHECK(ash_item_i64(ash_sum(ash_i64(INT64_MAX, 1))) == INT64_MIN);
    /* 4096 halves of 1 + 2^-10 each, in f32 and rounded once: 4100 */
    ash_array *h = ash_fill_new(ASH_SHAPE(4096), ash_operand_float(ASH_F16, 1 + 0x1p-10));
    CHECK(ash_item_f32(ash_sum(h)) == 4100);
    CHECK(ash_item_f32(ash_mean(ash_fill_new(ASH_SHAPE(70000), ash_operand_float(ASH_F16, 2.5)))) == 2.5f);
    ash_array *to = ash_zeros(ASH_SHAPE(), .dtype = ASH_F32); /* wider output: not rounded to f16 on the way */
    CHECK_OK(ash_sum_into(to, ash_fill_new(ASH_SHAPE(2049), ash_operand_float(ASH_F16, 1))));
    CHECK_FLOATS(to, 2049);
}

/* ---- init */

static void inits(void)
{
    ash_array *a = ash_f32(1, 2, 3), *i = ash_i32(1, 2, 3), *none = ash_empty(ASH_SHAPE(0));
    CHECK(ash_item_f32(ash_sum(a, .init = ASH_OPERAND(0.5f))) == 6.5f);
    CHECK(ash_item_f32(ash_prod(a, .init = ASH_OPERAND(2))) == 12); /* an int does not make floats integers */
    CHECK(ash_dtype_of(ash_sum(a, .init = ASH_OPERAND(2))) == ASH_F32);
    CHECK(ash_item_f32(ash_max(a, .init = ASH_OPERAND(10.0f))) == 10);
    CHECK(ash_item_f32(ash_min(a, .init = ASH_OPERAND(10.0f))) == 1);
    CHECK(ash_item_f32(ash_min(none, .init = ASH_OPERAND(7.0f))) == 7);
    CHECK(ash_item_f32(ash_sum(none, .init = ASH_OPERAND(7.0f))) == 7);
    CHECK(ash_item_f32(ash_max(a, .init = ASH_OPERAND((float)INFINITY))) == INFINITY);
    CHECK(isnan(ash_item_f32(ash_max(a, .init = ASH_OPERAND((float)NAN)))));
    CHECK(ash_item_f32(ash_sum(a, .init = ASH_OPERAND(ash_f32(4)))) == 10); /* an array of one element */
    ash_array *wide = ash_reduce("+", i, .init = ASH_OPERAND(INT64_C(1) << 40));
    CHECK(ash_dtype_of(wide) == ASH_I64 && ash_item_i64(wide) == (INT64_C(1) << 40) + 6);
    wide = ash_reduce("+", i, .init = ASH_OPERAND(0.5f)); /* one element more, of a higher kind */
    CHECK(ash_dtype_of(wide) == ASH_F32 && ash_item_f32(wide) == 6.5f);
    ash_array *narrow = ash_reduce("+", i, .init = ASH_OPERAND((int8_t)4));
    CHECK(ash_dtype_of(narrow) == ASH_I32 && ash_item_i32(narrow) == 10);
    CHECK(ash_item_bool(ash_any(none, .init = ASH_OPERAND(3))));
    CHECK(ash_item_i64(ash_count(a, .init = ASH_OPERAND(10))) == 13);
    /* once, whatever the size and the number of results */
    ash_array *big = ash_ones(ASH_SHAPE(3, 70000));
    CHECK_FLOATS(ash_sum(big, .axes = ASH_AXES(1), .init = ASH_OPERAND(0.5f)), 70000.5, 70000.5, 70000.5);
    CHECK_ALL(ash_sum(big, .axes = ASH_AXES(0), .init = ASH_OPERAND(0.5f)), 3.5);
    CHECK(!ash_max(ash_u8(1), .init = ASH_OPERAND((int8_t)-1)));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_max: ", "init", "u8");
    CHECK(!ash_sum(a, .init = ASH_OPERAND(ash_f32(1, 2))));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_sum: ", "init", "(2)");
    CHECK(!ash_sum(a, .init = ASH_OPERAND((ash_array *)NULL)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sum: init is NULL");
    CHECK(!ash_mean(a, .init = ASH_OPERAND(1.0f)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mean: this function has no option .init");
}

static void inits_everywhere(void **state)
{
    (void)state;
    everywhere(inits, false);
}

static void init_without_f64(void **state)
{
    (void)state;
    ash_resources *r = ash_resources_new("cpu:0?f64=off");
    {
        ASH_SCOPE(scope);
        ASH_WITH_RESOURCES(r);
        CHECK(!ash_sum(ash_f32(1), .init = ASH_OPERAND(0.5)));
        CHECK_ERROR(ASH_ERR_DTYPE, "ash_sum: init is f64, which cpu:0?f64=off does not support; pass 0.5f or cast with f32()");
        CHECK(ash_dtype_of(ash_mean(ash_i32(1, 2))) == ASH_F32);
        CHECK(ash_item_f32(ash_mean(ash_i32(1, 2))) == 1.5f && ash_item_f32(ash_var(ash_u8(1, 3))) == 2);
    }
    ash_resources_release(r);
}

/* ---- operators */

static void operators(void)
{
    ash_array *a = ash_i32(12, 10, 9), *b = ash_bool(true, false, true);
    CHECK(ash_item_i32(ash_reduce("&", a)) == 8);
    CHECK(ash_item_i32(ash_reduce("|", a)) == 15);
    CHECK(ash_item_i32(ash_reduce("^", a)) == 15);
    CHECK(ash_item_bool(ash_reduce("||", b)) && !ash_item_bool(ash_reduce("&&", b)));
    CHECK(!ash_item_bool(ash_reduce("^", b)) && !ash_item_bool(ash_reduce("&", b)) && ash_item_bool(ash_reduce("|", b)));
    CHECK(ash_dtype_of(ash_reduce("&&", a)) == ASH_BOOL && ash_item_bool(ash_reduce("&&", a)));
    CHECK(ash_item_bool(ash_reduce("||", ash_f32(0, -0.0, NAN)))); /* NaN is not 0 */
    CHECK(!ash_item_bool(ash_reduce("||", ash_f32(0, -0.0))));
    CHECK(ash_item_bool(ash_reduce("||", ash_c_f32(0, I))));
    CHECK(!ash_item_bool(ash_reduce("&&", ash_c_f32(0, I))));
    CHECK(ash_item_bool(ash_map_reduce("x -> x - 1", "||", ash_c_f32(1, 1 + I)))); /* complex results, too */
    CHECK(ash_item_i64(ash_count(ash_c_f32(1, 1 + I, 2), .predicate = "x -> x - 1")) == 2);
    CHECK(ash_item_i32(ash_reduce("min", a)) == 9 && ash_item_i32(ash_reduce("max", a)) == 12);
    CHECK(ash_item_i32(ash_reduce("&", ash_empty(ASH_SHAPE(0), .dtype = ASH_I32))) == -1); /* neutral elements */
    CHECK(ash_item_i32(ash_reduce("|", ash_empty(ASH_SHAPE(0), .dtype = ASH_I32))) == 0);
    CHECK(ash_item_i32(ash_reduce("*", ash_empty(ASH_SHAPE(0), .dtype = ASH_I32))) == 1);
    CHECK(ash_item_bool(ash_reduce("&&", ash_empty(ASH_SHAPE(0)))));
    CHECK(!ash_reduce("&", ash_f32(1)));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_reduce: ", "\"&\"", "f32");
    CHECK(!ash_reduce(NULL, a));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_reduce: the operator is NULL");
    CHECK(!ash_reduce("plus", a));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_reduce: ");
    CHECK(!ash_reduce("x -> x", a, .init = ASH_OPERAND(0)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_reduce: ", "two");
    CHECK(!ash_reduce("(a, b) -> a + b", a));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_reduce: ", "neutral", ".init");
}

static void operators_everywhere(void **state)
{
    (void)state;
    everywhere(operators, false);
}

/* Associative and not commutative: the first, or the last, that is not 0. Only the right order gives the right element. */
static void functions(void)
{
    ash_array *a = counting(5, ASH_I32, ASH_SHAPE(100000), ASH_ROW_MAJOR), *m = ash_reshape(a, ASH_SHAPE(100, 1000));
    const char first[] = "(a, b) -> a != 0 ? a : b", last[] = "(a, b) -> b != 0 ? b : a";
    CHECK(ash_item_i32(ash_reduce(first, a, .init = ASH_OPERAND(0))) == 5);
    CHECK(ash_item_i32(ash_reduce(last, a, .init = ASH_OPERAND(0))) == 100004);
    ash_array *f = ash_reduce(first, m, .axes = ASH_AXES(0), .init = ASH_OPERAND(0), .drop = true);
    ash_array *l = ash_reduce(last, m, .axes = ASH_AXES(1), .init = ASH_OPERAND(0), .drop = true);
    CHECK(ash_equal(f, ash_slice(a, 0, 1000)));
    CHECK(ash_equal(l, ash_slice(a, 999, ASH_OPEN, .step = 1000)));
    CHECK(ash_item_i32(ash_map_reduce_with("(x, y) -> x + y", first,
                                           ASH_OPERANDS(ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1), 1),
                                           .init = ASH_OPERAND(0))) == 100005);
    CHECK(ash_item_i32(ash_reduce(first, a, .init = ASH_OPERAND(77))) == 77); /* init stands in front */
    /* f16 by a function: in f32, rounded once. 2049 ones stall at 2048 in f16 */
    ash_array *h = ash_fill_new(ASH_SHAPE(2050), ash_operand_float(ASH_F16, 1));
    ash_array *s = ash_reduce("(a, b) -> a + b", h, .init = ASH_OPERAND(ash_operand_float(ASH_F16, 0)));
    CHECK(ash_dtype_of(s) == ASH_F16 && ash_item_f32(s) == 2050);
    ash_array *t = ash_reduce("(a, b) -> a + b", ash_bool(true, true, true), .init = ASH_OPERAND((bool)false));
    CHECK(ash_dtype_of(t) == ASH_I64 && ash_item_i64(t) == 3);
    ash_array *z = ash_prod(ash_c_f32(1 + I, 2, 3 - I)); /* (1+i)*2*(3-i) = 8 + 4i */
    CHECK(ash_item_c_f32(z).re == 8 && ash_item_c_f32(z).im == 4);
    z = ash_sum(ash_adjoint(ash_reshape(ash_c_f32(1 + I, 2), ASH_SHAPE(1, 2))));
    CHECK(ash_item_c_f32(z).re == 3 && ash_item_c_f32(z).im == -1);
}

static void functions_everywhere(void **state)
{
    (void)state;
    everywhere(functions, false);
}

static void fused(void)
{
    for
        EACH_LAYOUT(layout)
        {
            ASH_SCOPE(scope);
            ash_array *X = counting(0, ASH_F32, ASH_SHAPE(4, 2), layout),
                      *C = ash_reshape(ash_f32(0, 1, 4, 5, 6, 8), ASH_SHAPE(3, 2));
            ash_array *D =
                ash_map_reduce_with("(x, c) -> (x - c)^2", "+", ASH_OPERANDS(ash_insert_axis(X, 1), ash_insert_axis(C, 0)),
                                    .axes = ASH_AXES(2), .drop = true);
            CHECK_SHAPE(D, 4, 3);
            CHECK_FLOATS(D, 0, 32, 85, 8, 8, 41, 32, 0, 13, 72, 8, 1);
            CHECK_INTS(ash_argmin(D, .axes = ASH_AXES(1), .drop = true), 0, 0, 1, 2);
            CHECK(ash_item_f32(ash_map_reduce("x -> x^2", "+", ash_f32(3, 1, 2))) == 14);
            CHECK(ash_item_f32(ash_map_reduce("(x, s) -> x*s", "max", X, 10.0f)) == 70);
            CHECK_SCALAR(ash_map_reduce("(x, y) -> x + y", "+", 1.0f, 2.0f));
        }
}

static void fused_everywhere(void **state)
{
    (void)state;
    everywhere(fused, false);
}

/* ---- masks */

static void masks(void)
{
    ash_array *a = counting(1, ASH_F32, ASH_SHAPE(2, 3), ASH_ROW_MAJOR); /* 1 2 3 / 4 5 6 */
    ash_array *w = ash_map("x -> x > 2 && x != 5", a), *column = ash_bool(true, false, true);
    CHECK(ash_item_f32(ash_sum(a, .where = ASH_OPERAND(w))) == 13);
    CHECK(ash_item_f32(ash_prod(a, .where = ASH_OPERAND(w))) == 72);
    CHECK_FLOATS(ash_sum(a, .axes = ASH_AXES(1), .where = ASH_OPERAND(column)), 4, 10);
    CHECK_FLOATS(ash_sum(a, .axes = ASH_AXES(0), .where = ASH_OPERAND(column)), 5, 0, 9);
    CHECK(ash_item_f32(ash_sum(a, .where = ASH_OPERAND((bool)false))) == 0);
    CHECK(ash_item_f32(ash_max(a, .where = ASH_OPERAND(column), .init = ASH_OPERAND(-1.0f))) == 6);
    CHECK(ash_item_f32(ash_min(a, .where = ASH_OPERAND(w), .init = ASH_OPERAND(100.0f))) == 3);
    CHECK(ash_item_i64(ash_count(a, .where = ASH_OPERAND(w))) == 3);
    CHECK(ash_item_i64(ash_count(a, .where = ASH_OPERAND(w), .predicate = "x -> x > 3")) == 2);
    CHECK(ash_item_bool(ash_all(a, .where = ASH_OPERAND(w), .predicate = "x -> x > 2")));
    CHECK(!ash_item_bool(ash_any(a, .where = ASH_OPERAND(w), .predicate = "x -> x == 5")));
    CHECK(ash_item_f32(ash_map_reduce_with("(x, y) -> x*y", "+", ASH_OPERANDS(a, a), .where = ASH_OPERAND(w))) == 9 + 16 + 36);
    CHECK_FLOATS(ash_mean(a, .axes = ASH_AXES(1), .where = ASH_OPERAND(w)), 3, 5);
    CHECK_FLOATS(ash_mean(a, .axes = ASH_AXES(0), .where = ASH_OPERAND(ash_bool(true, false, true))), 2.5, NAN, 4.5);
    CHECK_FLOATS(ash_var(a, .axes = ASH_AXES(1), .where = ASH_OPERAND(column)), 2, 2);
    CHECK_FLOATS(ash_var(a, .axes = ASH_AXES(1), .where = ASH_OPERAND(w)), NAN, 2); /* one element left */
    CHECK_FLOATS(ash_std(a, .axes = ASH_AXES(1), .where = ASH_OPERAND(column), .population = true), 1, 1);
    ash_array *nan = ash_f32(1, NAN, 2); /* what is masked out does not count, whatever it is */
    CHECK(ash_item_f32(ash_sum(nan, .where = ASH_OPERAND(ash_bool(true, false, true)))) == 3);
    CHECK(ash_item_f32(ash_reduce("(a, b) -> a*b", a, .init = ASH_OPERAND(1.0f), .where = ASH_OPERAND(w))) == 72);

    CHECK(!ash_max(a, .where = ASH_OPERAND(w)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_max: ", ".where", ".init");
    CHECK(!ash_sum(a, .where = ASH_OPERAND(ash_i32(1, 0, 1))));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_sum: ", "where", "i32", "bool");
    CHECK(!ash_sum(a, .where = ASH_OPERAND(ash_bool(true, true))));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_sum: ", "where", "(2)", "(2, 3)");
    CHECK(!ash_sum(ash_f32(1, 2, 3), .where = ASH_OPERAND(w))); /* a mask does not make the operands larger */
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_sum: ", "where", "(2, 3)", "(3)");
    CHECK(!ash_sum(a, .where = ASH_OPERAND((ash_array *)NULL)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sum: where is NULL");
    CHECK(!ash_argmax(a, .where = ASH_OPERAND(w)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_argmax: this function has no option .where");
    CHECK(!ash_sum(a, .predicate = "x -> x > 1"));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sum: this function has no option .predicate");
    CHECK(!ash_sum(a, .population = true));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sum: this function has no option .population");
    CHECK(!ash_sum(a, .accumulate = true));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sum: this function has no option .accumulate");
}

static void masks_everywhere(void **state)
{
    (void)state;
    everywhere(masks, false);
}

/* ---- empty inputs: A09's split, for each function */

/* Products of complex integers go by way of a function of two elements: its plan must not divide by sizes of 0. */
static void empty_axes(void)
{
    for (int shape = 0; shape < 27; shape++)
        for (int axes = 0; axes < 8; axes++) {
            ASH_SCOPE(scope);
            const int64_t size[3] = {shape % 3 * 2, shape / 3 % 3 * 2, shape / 9 * 2};
            int64_t folded[4] = {0}, count = 0, results = 1;
            for (int k = 0; k < 3; k++) {
                results *= axes >> k & 1 ? 1 : size[k];
                if (axes >> k & 1)
                    folded[count++] = k;
            }
            if (size[0] && size[1] && size[2])
                continue;
            ash_array *a = ash_zeros(((ash_dims){size, 3}), .dtype = ASH_C_I16);
            const int64_t mask_size[3] = {size[0], axes & 1 ? size[1] : 1, 1};
            ash_array *mask = ash_ones(((ash_dims){mask_size, 3}), .dtype = ASH_BOOL);
            CHECK_ALL(ash_map("real", ash_prod(a, .axes = {folded, count}, .where = ASH_OPERAND(mask))), 1);
            ash_array *product = ash_prod(a, .axes = {folded, count}), *sum = ash_sum(a, .axes = {folded, count});
            CHECK(ash_size(product) == results && ash_size(sum) == results);
            CHECK_ALL(ash_map("real", product), 1);
            CHECK_ALL(sum, 0);
            CHECK_ALL(ash_reduce("(x, y) -> x * y", a, .axes = {folded, count}, .init = ASH_OPERAND((int8_t)5)), 5);
        }
}

static void empties(void)
{
    empty_axes();
    ash_array *a = ash_empty(ASH_SHAPE(0, 3)), *i = ash_empty(ASH_SHAPE(3, 0), .dtype = ASH_I16);
    CHECK_FLOATS(ash_sum(a, .axes = ASH_AXES(0)), 0, 0, 0);
    CHECK_FLOATS(ash_prod(a, .axes = ASH_AXES(0)), 1, 1, 1);
    CHECK_FLOATS(ash_mean(a, .axes = ASH_AXES(0)), NAN, NAN, NAN);
    CHECK_FLOATS(ash_var(a, .axes = ASH_AXES(0)), NAN, NAN, NAN);
    CHECK_FLOATS(ash_std(a, .population = true), NAN);
    CHECK_FLOATS(ash_mean(i), NAN);
    CHECK_INTS(ash_count(i, .axes = ASH_AXES(1)), 0, 0, 0);
    CHECK_INTS(ash_all(i, .axes = ASH_AXES(1)), 1, 1, 1);
    CHECK_INTS(ash_any(i, .axes = ASH_AXES(1)), 0, 0, 0);
    CHECK_SHAPE(ash_sum(a, .axes = ASH_AXES(1)), 0, 1);
    CHECK_SHAPE(ash_max(a, .axes = ASH_AXES(1)), 0, 1);
    CHECK_SHAPE(ash_argmin(a, .axes = ASH_AXES(1), .drop = true), 0);
    CHECK_SHAPE(ash_mean(a, .axes = ASH_AXES(1)), 0, 1);
    CHECK_SHAPE(ash_var(a, .axes = ASH_AXES(1)), 0, 1);
    CHECK_SHAPE(ash_sum(a, .axes = ASH_AXES()), 0, 3);
    CHECK(!ash_max(a, .axes = ASH_AXES(0)));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_max: ", "empty", "(0, 3)");
    CHECK(!ash_min(i));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_min: ", "empty", "(3, 0)");
    CHECK(!ash_argmin(i, .axes = ASH_AXES(1)));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_argmin: ", "empty", "(3, 0)");
    CHECK(!ash_map_reduce("x -> -x", "max", a));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_map_reduce: ", "empty", "(0, 3)");
    const ash_extrema_result e = ash_extrema(a);
    CHECK(!e.min && !e.max);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_extrema: ", "empty", "(0, 3)");
    const ash_find_result f = ash_find_max(a);
    CHECK(!f.value && !f.index);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_find_max: ", "empty", "(0, 3)");
    CHECK_FLOATS(ash_max(a, .axes = ASH_AXES(0), .init = ASH_OPERAND(1.5f)), 1.5, 1.5, 1.5);
    ash_array *out = ash_f32(7, 8, 9);
    CHECK_OK(ash_max_into(out, a, .axes = ASH_AXES(0), .accumulate = true)); /* nothing to fold in */
    CHECK_FLOATS(out, 7, 8, 9);
    CHECK(ash_max_into(out, a, .axes = ASH_AXES(0)) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_max_into: ", "empty");
    CHECK_FLOATS(out, 7, 8, 9);
}

static void empties_everywhere(void **state)
{
    (void)state;
    everywhere(empties, false);
}

/* ---- statistics */

static void statistics(void)
{
    ash_array *a = ash_reshape(ash_f32(2, 4, 4, 4, 5, 5, 7, 9), ASH_SHAPE(2, 4)); /* mean 5, squares 32 */
    CHECK(ash_item_f32(ash_mean(a)) == 5);
    CHECK(ash_item_f32(ash_var(a, .population = true)) == 4 && ash_item_f32(ash_std(a, .population = true)) == 2);
    CHECK_ULPS_F32(ash_item_f32(ash_var(a)), 32.0f / 7, 1);
    CHECK_FLOATS(ash_mean(a, .axes = ASH_AXES(1)), 3.5, 6.5);
    CHECK_FLOATS(ash_var(a, .axes = ASH_AXES(1), .drop = true), 1, (double)(11.0f / 3));
    CHECK_FLOATS(ash_var(a, .axes = ASH_AXES(0)), 4.5, 0.5, 4.5, 12.5);
    CHECK_FLOATS(ash_var(ash_transpose(a), .axes = ASH_AXES(1)), 4.5, 0.5, 4.5, 12.5);
    CHECK(isnan(ash_item_f32(ash_var(ash_f32(3)))) && ash_item_f32(ash_var(ash_f32(3), .population = true)) == 0);
    /* a mean far from 0: the squares of the deviations 0, 1 ... 9 from 2^20 are 82.5, whatever is added to all */
    ash_array *far = ash_map("x -> x + 1048576f", counting(0, ASH_F32, ASH_SHAPE(10), ASH_ROW_MAJOR));
    CHECK(ash_item_f32(ash_var(far, .population = true)) == 8.25f);
    ash_array *z = ash_c_f32(1 + I, 1 - I, -1 + I, -1 - I); /* mean 0, |x|^2 = 2 each */
    CHECK(ash_dtype_of(ash_var(z)) == ASH_F32 && ash_item_f32(ash_var(z, .population = true)) == 2);
    CHECK_ULPS_F32(ash_item_f32(ash_var(z)), 8.0f / 3, 1);
    CHECK(ash_item_c_f32(ash_mean(ash_c_f32(1 + 2 * I, 3 + 6 * I))).im == 4);
    ash_array *h = ash_fill_new(ASH_SHAPE(4), ash_operand_float(ASH_F16, 300)); /* squares would overflow f16 */
    CHECK(ash_dtype_of(ash_std(h)) == ASH_F16 && ash_item_f32(ash_std(h)) == 0);
    ash_array *spread = ash_map("x -> f16(x)", ash_f32(-400, 400));
    CHECK(ash_item_f32(ash_std(spread, .population = true)) == 400);
    CHECK(ash_item_f64(ash_mean(ash_bool(true, false, true, true))) == 0.75);
    CHECK(ash_item_f64(ash_var(ash_u8(255, 0), .population = true)) == 127.5 * 127.5);
    CHECK(!ash_mean((ash_array *)NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mean: operand 0 is NULL");
}

static void statistics_everywhere(void **state)
{
    (void)state;
    everywhere(statistics, false);
}

/* ---- where the extremes are */

static void arguments(void)
{
    for
        EACH_LAYOUT(layout)
        {
            ASH_SCOPE(scope);
            ash_array *a =
                ash_map_with("x -> x", ASH_OPERANDS(ash_reshape(ash_f32(3, 9, 1, 9, 1, 4), ASH_SHAPE(2, 3))), .layout = layout);
            CHECK(ash_item_i64(ash_argmax(a)) == 1 && ash_item_i64(ash_argmin(a)) == 2);
            CHECK_INTS(ash_argmax(a, .axes = ASH_AXES(0)), 1, 0, 1);
            CHECK_INTS(ash_argmin(a, .axes = ASH_AXES(1), .drop = true), 2, 1);
            ash_array *b = ash_reshape(counting(0, ASH_I64, ASH_SHAPE(24), ASH_ROW_MAJOR), ASH_SHAPE(2, 3, 4));
            ash_array *back = ash_map("x -> x^2 - 20*x", b); /* least at 10 */
            CHECK(ash_item_i64(ash_argmin(back)) == 10);
            CHECK_INTS(ash_argmax(ash_slice(b, ASH_OPEN, ASH_OPEN, .step = -1), .axes = ASH_AXES(0, 2), .drop = true), 3, 3, 3);
            CHECK_INTS(ash_argmin(ash_permute(b, ASH_AXES(2, 0, 1)), .axes = ASH_AXES(0, 1), .drop = true), 0, 0, 0);
            const ash_find_result r = ash_find_min(a, .axes = ASH_AXES(1));
            CHECK_SHAPE(r.value, 2, 1);
            CHECK_FLOATS(r.value, 1, 1);
            CHECK_INTS(r.index, 2, 1);
            const ash_find_result m = ash_find_max(a);
            CHECK(ash_item_f32(m.value) == 9 && ash_item_i64(m.index) == 1);
            const ash_extrema_result e = ash_extrema(a, .axes = ASH_AXES(0));
            CHECK_FLOATS(e.min, 3, 1, 1);
            CHECK_FLOATS(e.max, 9, 9, 4);
        }
    CHECK(ash_item_i64(ash_argmax(ash_f32(-0.0, 0.0))) == 1 && ash_item_i64(ash_argmin(ash_f32(0.0, -0.0))) == 1);
    CHECK(ash_item_i64(ash_argmin(ash_f32(1, NAN, -1, NAN))) == 1 && ash_item_i64(ash_argmax(ash_f32(1, NAN, 5))) == 1);
    CHECK(isnan(ash_item_f32(ash_find_max(ash_f32(1, NAN)).value)));
    CHECK(ash_item_i64(ash_argmax(ash_bool(false, true, true))) == 1);
    CHECK(ash_item_i64(ash_argmax(ash_u64(0, UINT64_MAX, 1))) == 1);
    CHECK(!ash_argmax(ash_c_f32(1, 2)));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_argmax: ", "c_f32", "order");
    CHECK(!ash_argmax((ash_array *)NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_argmax: operand 0 is NULL");
}

static void arguments_everywhere(void **state)
{
    (void)state;
    everywhere(arguments, false);
}

static void signs_of_zero(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(signbit(ash_item_f32(ash_min(ash_f32(0.0, -0.0)))) && !signbit(ash_item_f32(ash_max(ash_f32(-0.0, 0.0)))));
    CHECK(isnan(ash_item_f32(ash_max(ash_f32(1, NAN, 3)))) && isnan(ash_item_f32(ash_min(ash_f32(1, NAN, 3)))));
    CHECK(ash_item_f32(ash_max(ash_f32(-INFINITY, -INFINITY))) == -INFINITY);
}

/* ---- into */

static void intos(void)
{
    ash_array *a = counting(1, ASH_I32, ASH_SHAPE(2, 3), ASH_ROW_MAJOR);
    ash_array *kept = ash_zeros(ASH_SHAPE(2, 1), .dtype = ASH_I64), *dropped = ash_zeros(ASH_SHAPE(2), .dtype = ASH_I64);
    CHECK_OK(ash_sum_into(kept, a, .axes = ASH_AXES(1)));
    CHECK_INTS(kept, 6, 15);
    CHECK_OK(ash_sum_into(dropped, a, .axes = ASH_AXES(1)));
    CHECK_INTS(dropped, 6, 15);
    CHECK_OK(ash_sum_into(dropped, a, .axes = ASH_AXES(1), .accumulate = true));
    CHECK_INTS(dropped, 12, 30);
    CHECK_OK(ash_sum_into(dropped, a, .axes = ASH_AXES(1), .accumulate = true, .init = ASH_OPERAND(100)));
    CHECK_INTS(dropped, 118, 145);
    CHECK_OK(ash_prod_into(kept, a)); /* no axes named: those where out has size 1 */
    CHECK_INTS(kept, 6, 120);
    ash_array *i8 = ash_i8(0, 0, 0), *f = ash_zeros(ASH_SHAPE(3));
    CHECK_OK(ash_sum_into(i8, a, .axes = ASH_AXES(0))); /* narrower: checked */
    CHECK_INTS(i8, 5, 7, 9);
    CHECK(ash_prod_into(ash_reshape(i8, ASH_SHAPE(1, 3)), ash_map("x -> 10*x", a), .axes = ASH_AXES(0)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_prod_into: ");
    CHECK_INTS(i8, 5, 7, 9);
    CHECK_OK(ash_sum_into(f, a, .axes = ASH_AXES(0))); /* to a higher kind */
    CHECK_FLOATS(f, 5, 7, 9);
    CHECK(ash_sum_into(i8, f, .axes = ASH_AXES()) == ASH_ERR_DTYPE);
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_sum_into: ", "f32", "i8");
    CHECK_OK(ash_max_into(f, a, .axes = ASH_AXES(0), .accumulate = true));
    CHECK_FLOATS(f, 5, 7, 9);
    CHECK_OK(ash_reduce_into(i8, "+", ash_i8(100, 27, 0), .axes = ASH_AXES())); /* nothing folded: a copy */
    CHECK_INTS(i8, 100, 27, 0);
    CHECK(ash_sum_into(f, a) == ASH_ERR_SHAPE);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_sum_into: ", "(3)");
    CHECK(ash_sum_into(f, a, .axes = ASH_AXES(1)) == ASH_ERR_SHAPE);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_sum_into: ", "(3)", "(2, 1)", "(2)");
    ash_array *truth = ash_bool(true, false), *count = ash_i32(10, 20);
    CHECK_OK(ash_any_into(truth, ash_map("x -> x == 5", a), .axes = ASH_AXES(1), .accumulate = true));
    CHECK_INTS(truth, 1, 1);
    CHECK_OK(ash_all_into(truth, a, .axes = ASH_AXES(1), .predicate = "x -> x > 2"));
    CHECK_INTS(truth, 0, 1);
    CHECK_OK(ash_count_into(count, a, .axes = ASH_AXES(1), .predicate = "x -> x > 2", .accumulate = true));
    CHECK_INTS(count, 11, 23);
    CHECK_OK(ash_map_reduce_into_with(count, "(x, y) -> x*y", "max", ASH_OPERANDS(a, -1), .axes = ASH_AXES(1)));
    CHECK_INTS(count, -1, -4);
    CHECK_OK(ash_reduce_into(count, "(a, b) -> a + b", a, .axes = ASH_AXES(1), .init = ASH_OPERAND(0), .accumulate = true));
    CHECK_INTS(count, 5, 11);
}

static void intos_everywhere(void **state)
{
    (void)state;
    everywhere(intos, false);
}

static void into_overlap(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = counting(0, ASH_I64, ASH_SHAPE(3, 3), ASH_ROW_MAJOR); /* 0 1 2 / 3 4 5 / 6 7 8 */
    ash_array *row = ash_slice(a, 0, 1), *column = ash_slice(a, 2, 3, .axes = ASH_AXES(1));
    CHECK_OK(ash_sum_into(row, a, .axes = ASH_AXES(0)));
    CHECK_INTS(a, 9, 12, 15, 3, 4, 5, 6, 7, 8);
    CHECK_OK(ash_sum_into(column, a, .axes = ASH_AXES(1), .accumulate = true));
    CHECK_INTS(a, 9, 12, 51, 3, 4, 17, 6, 7, 29);
    /* a fault leaves out as it was */
    ash_array *out = ash_i64(5, 5, 5);
    CHECK(ash_map_reduce_into_with(out, "(x, y) -> div(x, y)", "+", ASH_OPERANDS(a, ash_i64(1, 0, 1)), .axes = ASH_AXES(0)) ==
          ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_map_reduce_into: ", "zero");
    CHECK_INTS(out, 5, 5, 5);
    /* an adjoint output takes the conjugate */
    ash_array *z = ash_reshape(ash_c_f32(1 + I, 2 + I), ASH_SHAPE(2, 1)), *t = ash_zeros(ASH_SHAPE(1, 1), .dtype = ASH_C_F32);
    CHECK_OK(ash_sum_into(ash_adjoint(t), z, .axes = ASH_AXES(0)));
    CHECK(ash_item_c_f32(t).re == 3 && ash_item_c_f32(t).im == -2);
    CHECK(ash_sum_into(ash_broadcast_to(ash_i64(0), ASH_SHAPE(3)), a, .axes = ASH_AXES(0)) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "read-only");
    CHECK(ash_sum_into(NULL, a) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sum_into: out is NULL");
}

/* ---- large and odd shapes: sums of 0 ... n - 1 are n(n - 1)/2 */

static void large(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{500000, 1}, {1000, 500}, {500, 1000}, {60000, 31},
                                        {31, 60000}, {2, 70000},  {1, 300000}};
    for (int i = 0; i < COUNT(shapes); i++)
        for
            EACH_LAYOUT(layout)
            {
                ASH_SCOPE(scope);
                const int64_t n = shapes[i][0], m = shapes[i][1];
                ash_array *a = ash_map_with("x -> x", ASH_OPERANDS(ash_reshape(ash_range(INT64_C(0), n * m), ASH_SHAPE(n, m))),
                                            .layout = layout);
                CHECK(ash_item_i64(ash_sum(a)) == n * m * (n * m - 1) / 2);
                ash_array *i0 = ash_range(INT64_C(0), n), *j = ash_range(INT64_C(0), m);
                ash_array *columns = ash_map("(j, n, m) -> n*j + div(m*n*(n - 1), 2)", j, n, m);
                ash_array *rows = ash_map("(i, m) -> i*m*m + div(m*(m - 1), 2)", i0, m);
                CHECK(ash_equal(ash_sum(a, .axes = ASH_AXES(0), .drop = true), columns));
                CHECK(ash_equal(ash_sum(a, .axes = ASH_AXES(1), .drop = true), rows));
                CHECK(ash_equal(ash_min(a, .axes = ASH_AXES(0), .drop = true), j));
                CHECK(ash_equal(ash_max(a, .axes = ASH_AXES(1), .drop = true), ash_map("(i, m) -> i*m + m - 1", i0, m)));
                ash_array *where = ash_find_max(a, .axes = ASH_AXES(0), .drop = true).index;
                CHECK(ash_item_bool(ash_all(where, .predicate = n == 1 ? "x -> x == 0" : "x -> x > 0")) &&
                      ash_item_i64(ash_max(where)) == n - 1);
                CHECK(ash_item_u8(ash_reduce("+", ash_map("x -> u8(x & 1)", a))) == (uint8_t)(n * m / 2));
            }
}

static void same_bits_for_any_threads(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_map("x -> 1/(1 + x)", ash_map_with("x -> x", ASH_OPERANDS(ash_range(0, 1 << 20)), .dtype = ASH_F32));
    ash_array *m = ash_reshape(a, ASH_SHAPE(1 << 10, 1 << 10));
    float all[3];
    ash_array *rows[3], *columns[3];
    for (int t = 1; t <= 3; t++) {
        CHECK_OK(ash_set_threads(t));
        all[t - 1] = ash_item_f32(ash_sum(a));
        rows[t - 1] = ash_sum(m, .axes = ASH_AXES(1));
        columns[t - 1] = ash_sum(m, .axes = ASH_AXES(0));
    }
    CHECK_OK(ash_set_threads(0));
    for (int t = 1; t < 3; t++)
        CHECK(all[t] == all[0] && ash_equal(rows[t], rows[0]) && ash_equal(columns[t], columns[0]));
    CHECK_NEAR((double)all[0], 14.440159752937, 1e-6); /* H(2^20) = ln 2^20 + 0.57721566490153 + 2^-21 */
}

void ash__fail_allocation(int64_t n);
static void memory_failures(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = counting(0, ASH_I32, ASH_SHAPE(3, 3), ASH_ROW_MAJOR), *w = ash_bool(true, false, true),
              *out = ash_i8(1, 2, 3);
    for (int64_t n = 1; n < 200; n++) {
        const int64_t live = ash_live_arrays();
        ash__fail_allocation(n);
        const ash_status status = ash_sum_into(out, a, .axes = ASH_AXES(0), .where = ASH_OPERAND(w), .accumulate = true);
        ash_array *v = status ? NULL : ash_std(a, .axes = ASH_AXES(0), .where = ASH_OPERAND(w));
        ash__fail_allocation(0);
        if (v)
            break;
        CHECK_ERROR_HAS(ASH_ERR_MEMORY, "");
        CHECK(ash_live_arrays() == live);
        if (status)
            CHECK_INTS(out, 1, 2, 3);
        else
            CHECK_OK(ash_map_into(out, "x -> x", ash_i8(1, 2, 3)));
    }
    CHECK_INTS(out, 10, 2, 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(axes_everywhere),
        TEST(shapes_everywhere),
        TEST(result_dtypes),
        TEST(widths),
        TEST(inits_everywhere),
        TEST(init_without_f64),
        TEST(operators_everywhere),
        TEST(functions_everywhere),
        TEST(fused_everywhere),
        TEST(masks_everywhere),
        TEST(empties_everywhere),
        TEST(statistics_everywhere),
        TEST(arguments_everywhere),
        TEST(signs_of_zero),
        TEST(intos_everywhere),
        TEST(into_overlap),
        TEST(large),
        TEST(same_bits_for_any_threads),
        TEST(memory_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
