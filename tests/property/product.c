/*
 * product.c - products of matrices and vectors; include/ashlar/linalg.h. Integers wrap; floats are small whole numbers, so that
 * every sum is exact.
 */
#include <string.h>

#include "draw.h"

typedef struct complex_number {
    uint64_t re, im; /* whole numbers modulo 2^64 */
} complex_number;

static uint64_t whole(ash_dtype part, const unsigned char *element)
{
    int64_t x = 0;
    if (part == ASH_U64)
        memcpy(&x, element, sizeof x);
    else
        convert_element(ASH_I64, &x, part, element);
    return (uint64_t)x;
}

static complex_number get(const model *m, int64_t i)
{
    const ash_dtype part = part_of(m->dtype);
    const unsigned char *const p = model_at(m, i);
    return (complex_number){whole(part, p), is_complex(m->dtype) ? whole(part, p + m->nbytes / 2) : 0};
}

static void put_part(ash_dtype part, unsigned char *element, uint64_t x)
{
    const int64_t value = (int64_t)x;
    if (part == ASH_BOOL)
        *element = x != 0;
    else if (is_float(part))
        convert_element(part, element, ASH_I64, &value);
    else
        memcpy(element, &x, ash_dtype_size(part)); /* the low bytes come first on every machine there is */
}

static void put(const model *m, int64_t i, complex_number x)
{
    unsigned char *const p = model_at(m, i);
    put_part(part_of(m->dtype), p, x.re);
    if (is_complex(m->dtype))
        put_part(part_of(m->dtype), p + m->nbytes / 2, x.im);
}

static complex_number times(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* ---- operands */

/* The whole matrix that a structured one stands for. */
static model completed(const model *m, ash_structure s)
{
    const int64_t n = m->shape[m->rank - 1];
    const bool lower = s % 2 == 0, hermitian = s == ASH_HERMITIAN_LOWER || s == ASH_HERMITIAN_UPPER,
               unit = s == ASH_UNIT_LOWER || s == ASH_UNIT_UPPER;
    const model out = model_new(m->dtype, m->shape, m->rank);
    for (int64_t at = 0; at < m->size; at++) {
        const int64_t i = at / n % n, j = at % n, mirrored = at - i * n - j + j * n + i;
        const bool stored = i == j || lower == (j < i);
        complex_number x = get(m, stored || s >= ASH_TRIANGULAR_LOWER ? at : mirrored);
        if (hermitian)
            x.im = stored ? i == j ? 0 : x.im : -x.im;
        if (s >= ASH_TRIANGULAR_LOWER && !stored)
            x = (complex_number){0, 0};
        put(&out, at, unit && i == j ? (complex_number){1, 0} : x);
    }
    return out;
}

typedef struct factor {
    const argument *argument;
    ash_structure structure;
    model full; /* of rank 2 at least */
    bool vector;
} factor;

static factor draw_factor(const char *name, ash_dtype dtype, const int64_t *batch, int64_t rank, int64_t rows, int64_t cols,
                          bool vector, style like)
{
    int64_t shape[MODEL_RANK], own = vector ? 0 : narrowed(shape, batch, rank);
    const bool column = name[0] == 'b';
    factor f = {.vector = vector};
    if (!vector || column)
        shape[own++] = rows;
    if (!vector || !column)
        shape[own++] = cols;
    f.argument = draw_argument(name, dtype, shape, own, like);
    f.full = f.argument->value;
    if (!vector && rows == cols && rows && one_in(2)) {
        f.structure = (ash_structure)(ASH_SYMMETRIC_LOWER + (int)random_below(ASH_UNIT_UPPER - ASH_SYMMETRIC_LOWER + 1));
        if (like == COUNTS && is_complex(dtype) && !is_float(part_of(dtype)) && !is_signed(part_of(dtype)) &&
            (f.structure == ASH_HERMITIAN_LOWER || f.structure == ASH_HERMITIAN_UPPER))
            f.structure = ASH_SYMMETRIC_LOWER; /* an unsigned conjugate is too large a number for floats */
        f.full = completed(&f.argument->value, f.structure);
    } else if (vector)
        f.full = model_reshape(&f.argument->value, (const int64_t[]){column ? rows : 1, column ? 1 : cols}, 2);
    return f;
}

typedef struct product {
    factor a, b;
    ash_dtype dtype;
    int64_t inner;
    model sums; /* of rank 2 at least */
    model want; /* without the axes that vectors lack */
    bool unequal;
} product;

static int64_t place_in(const model *m, const model *sums, const int64_t *index, int64_t row, int64_t col)
{
    int64_t own[MODEL_RANK];
    for (int64_t k = 0; k < m->rank - 2; k++)
        own[k] = m->shape[k] == 1 ? 0 : index[k + sums->rank - m->rank];
    own[m->rank - 2] = row;
    own[m->rank - 1] = col;
    return position_of(m, own);
}

static void add_up(product *p)
{
    const model *const a = &p->a.full, *const b = &p->b.full, *const c = &p->sums;
    for (int64_t at = 0; at < c->size; at++) {
        int64_t index[MODEL_RANK];
        complex_number sum = {0, 0};
        index_of(c, at, index);
        for (int64_t k = 0; k < p->inner; k++) {
            const complex_number x = times(get(a, place_in(a, c, index, index[c->rank - 2], k)),
                                           get(b, place_in(b, c, index, k, index[c->rank - 1])));
            sum.re += x.re;
            sum.im += x.im;
        }
        put(c, at, sum);
    }
}

/* Two operands and what they make; unequal inner sizes for a fault. */
static product draw_product(ash_dtype first, ash_dtype second)
{
    product p = {.dtype = promoted(first, second), .inner = draw_size()};
    const bool square = one_in(3);
    int64_t batch[MODEL_RANK], shape[MODEL_RANK], rank = draw_shape(batch, 0, 2), joined = 0, wanted = 0;
    const int64_t rows = square ? p.inner : draw_size(), cols = square ? p.inner : draw_size();
    const style like = is_float(part_of(p.dtype)) ? COUNTS : draw_style();
    p.unequal = draw_fault();
    p.a = draw_factor("a", first, batch, rank, rows, p.inner, one_in(5), like);
    p.b = draw_factor("b", second, batch, rank, p.inner + p.unequal, cols, one_in(5), like);
    joined_shape(shape, &joined, p.a.full.shape, p.a.full.rank - 2);
    joined_shape(shape, &joined, p.b.full.shape, p.b.full.rank - 2);
    shape[joined] = p.a.vector ? 1 : rows;
    shape[joined + 1] = p.b.vector ? 1 : cols;
    p.sums = model_new(p.dtype, shape, joined + 2);
    wanted = joined;
    if (!p.a.vector)
        shape[wanted++] = rows;
    if (!p.b.vector)
        shape[wanted++] = cols;
    if (!p.unequal)
        add_up(&p);
    p.want = model_reshape(&p.sums, shape, wanted);
    say(" structures %d and %d", (int)p.a.structure, (int)p.b.structure);
    return p;
}

/* ---- operations */

static void draw_matmul(void)
{
    const product p = draw_product(draw_number(), draw_number());
    const ash_layout layout = draw_layout();
    ash_array *got = ash_matmul(p.a.argument->array, p.b.argument->array, .layout = layout, .a_structure = p.a.structure,
                                .b_structure = p.b.structure);
    if (p.unequal) {
        check_refused(!got, "ash_matmul", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    check_new(got, &p.want);
    if (layout)
        check_layout(got, layout);
}

static void draw_gemm_into(void)
{
    const ash_dtype dtype = draw_integer();
    const product p = draw_product(dtype, dtype);
    argument *c = draw_writable("c", dtype, p.want.shape, p.want.rank, ANYTHING);
    const int alpha = (int)random_below(4), beta = (int)random_below(4);
    say(" alpha %d, beta %d", alpha, beta);
    const ash_status status =
        ash_gemm_into(c->array, p.a.argument->array, p.b.argument->array, .alpha = ASH_OPERAND((signed char)alpha),
                      .beta = ASH_OPERAND((signed char)beta), .a_structure = p.a.structure, .b_structure = p.b.structure);
    if (p.unequal) {
        check_refused(status != ASH_OK, "ash_gemm_into", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    check_done(status);
    const model want = model_new(dtype, p.want.shape, p.want.rank);
    for (int64_t i = 0; i < want.size; i++) {
        const complex_number x = get(&p.want, i), old = get(&c->value, i), f = {(uint64_t)alpha, 0}, g = {(uint64_t)beta, 0};
        const complex_number scaled = times(f, x), kept = times(g, old);
        put(&want, i, (complex_number){scaled.re + kept.re, scaled.im + kept.im});
    }
    expect_in(c, &want);
}

const operation product_operations[] = {
    {"matmul", draw_matmul, 4},
    {"gemm_into", draw_gemm_into, 2},
    {NULL, NULL, 0},
};
