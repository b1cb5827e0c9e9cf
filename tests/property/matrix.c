/* matrix.c - Kronecker products, traces, and what matrices look like; include/ashlar/spectral.h. */
#include <string.h>

#include "draw.h"

/* ---- products of small counts, exact in every dtype */

typedef struct pair {
    int64_t re, im;
} pair;

static int64_t count_at(ash_dtype real, const void *element)
{
    const number x = number_of(real, element);
    if (!x.digits) /* with any exponent */
        return 0;
    const int64_t size = (int64_t)(x.digits << (x.exponent > 0 ? x.exponent : 0) >> (x.exponent < 0 ? -x.exponent : 0));
    return x.negative ? -size : size;
}

static pair pair_at(const model *m, int64_t i)
{
    const ash_dtype part = part_of(m->dtype);
    const unsigned char *const at = model_at(m, i);
    return (pair){count_at(part, at), is_complex(m->dtype) ? count_at(part, at + ash_dtype_size(part)) : 0};
}

/* Modulo 2^w for unsigned integers. */
static void store_count(ash_dtype real, int64_t x, void *out)
{
    const size_t bits = 8 * ash_dtype_size(real);
    const bool wraps = is_integer(real) && !is_signed(real);
    const uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    const number n = {FINITE, x < 0 && !wraps, wraps ? (uint64_t)x & mask : (uint64_t)(x < 0 ? -x : x), 0};
    number_store(real, n, out);
}

static void put_pair(const model *m, int64_t i, pair x)
{
    const ash_dtype part = part_of(m->dtype);
    unsigned char *const at = model_at(m, i);
    store_count(part, x.re, at);
    if (is_complex(m->dtype))
        store_count(part, x.im, at + ash_dtype_size(part));
}

/* No complex floats: the sign of a zero would depend on the order of operations. */
static ash_dtype draw_exact(void)
{
    const ash_dtype d = draw_number();
    return is_complex(d) && is_float(part_of(d)) ? part_of(d) : d;
}

static void draw_kron(void)
{
    const bool fault = draw_fault();
    int64_t shapes[2][MODEL_RANK], shape[MODEL_RANK];
    const int64_t ranks[2] = {draw_shape(shapes[0], 0, 3), draw_shape(shapes[1], 0, 3)};
    const argument *a = draw_argument("a", draw_exact(), shapes[0], ranks[0], COUNTS);
    const argument *b =
        draw_argument("b", fault ? record_dtype(SPOT) : draw_exact(), shapes[1], ranks[1], fault ? ANYTHING : COUNTS);
    ash_array *got = ash_kron(a->array, b->array);
    if (fault) {
        check_refused(!got, "ash_kron", ONE_OF(ASH_ERR_DTYPE));
        return;
    }
    const int64_t rank = ranks[0] > ranks[1] ? ranks[0] : ranks[1];
    int64_t own[2][MODEL_RANK];
    for (int64_t k = 0; k < rank; k++) {
        for (int f = 0; f < 2; f++)
            own[f][k] = k < rank - ranks[f] ? 1 : shapes[f][k - (rank - ranks[f])];
        shape[k] = own[0][k] * own[1][k];
    }
    const ash_dtype joined = promoted(a->value.dtype, b->value.dtype);
    const model x = model_reshape(&a->value, own[0], rank), y = model_reshape(&b->value, own[1], rank);
    const model want = model_new(joined == ASH_BOOL ? ASH_I64 : joined, shape, rank);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t index[MODEL_RANK], of[2][MODEL_RANK];
        index_of(&want, i, index);
        for (int64_t k = 0; k < rank; k++) {
            of[0][k] = index[k] / own[1][k];
            of[1][k] = index[k] % own[1][k];
        }
        const pair p = pair_at(&x, position_of(&x, of[0])), q = pair_at(&y, position_of(&y, of[1]));
        put_pair(&want, i, (pair){p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re});
    }
    check_new(got, &want);
}

static void draw_trace(void)
{
    const bool flat = draw_fault();
    const int64_t offset = random_in(-4, 4);
    const argument *a = flat ? draw_argument("a", draw_exact(), (const int64_t[]){3}, 1, COUNTS) : NULL;
    int64_t shape[MODEL_RANK], rank = a ? 1 : draw_shape(shape, 2, 4);
    if (!a)
        a = draw_argument("a", draw_exact(), shape, rank, COUNTS);
    say(" offset %" PRId64, offset);
    ash_array *got = ash_trace(a->array, .offset = offset);
    if (flat) {
        check_refused(!got, "ash_trace", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const ash_dtype d = a->value.dtype, part = part_of(d);
    const ash_dtype wide = part == ASH_BOOL || is_signed(part) ? (is_complex(d) ? ASH_C_I64 : ASH_I64)
                           : is_integer(part)                  ? (is_complex(d) ? ASH_C_U64 : ASH_U64)
                                                               : d;
    const model want = model_new(wide, shape, rank - 2);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t index[MODEL_RANK];
        pair sum = {0, 0};
        index_of(&want, i, index);
        for (int64_t k = 0; k < shape[rank - 2]; k++) {
            index[rank - 2] = k;
            index[rank - 1] = k + offset;
            if (k + offset < 0 || k + offset >= shape[rank - 1])
                continue;
            const pair x = pair_at(&a->value, position_of(&a->value, index));
            sum = (pair){sum.re + x.re, sum.im + x.im};
        }
        put_pair(&want, i, sum);
    }
    check_new(got, &want);
}

/* ---- looks */

static bool equal_numbers(ash_dtype real, const void *a, const void *b)
{
    const number x = number_of(real, a), y = number_of(real, b);
    return x.kind != NOT_A_NUMBER && y.kind != NOT_A_NUMBER && number_compare(x, y) == 0;
}

static bool equal_elements(ash_dtype d, const unsigned char *a, const unsigned char *b)
{
    const size_t size = ash_dtype_size(part_of(d));
    return equal_numbers(part_of(d), a, b) && (!is_complex(d) || equal_numbers(part_of(d), a + size, b + size));
}

static void turned(int64_t *out, const int64_t *index, int64_t rank)
{
    memcpy(out, index, (size_t)rank * sizeof *out);
    out[rank - 2] = index[rank - 1];
    out[rank - 1] = index[rank - 2];
}

/* One triangle of square matrices on both sides, as ash_mirror says. */
static model mirrored(const model *m, bool upper, bool conjugated)
{
    const model out = model_new(m->dtype, m->shape, m->rank);
    for (int64_t i = 0; i < m->size; i++) {
        int64_t index[MODEL_RANK], other[MODEL_RANK];
        index_of(m, i, index);
        turned(other, index, m->rank);
        const int64_t below = index[m->rank - 2] - index[m->rank - 1];
        const bool own = upper ? below <= 0 : below >= 0;
        model_put(&out, i, m, own ? i : position_of(m, other));
        if (!own && conjugated)
            conjugate_element(m->dtype, model_at(&out, i));
    }
    return out;
}

static int64_t draw_square(int64_t *shape)
{
    const int64_t rank = draw_shape(shape, 2, 4);
    shape[rank - 1] = shape[rank - 2];
    return rank;
}

static void draw_symmetric(void)
{
    int64_t shape[MODEL_RANK], rank = one_in(5) ? draw_shape(shape, 2, 4) : draw_square(shape);
    const bool hermitian = one_in(2), square = shape[rank - 1] == shape[rank - 2], flat = draw_fault();
    model values = random_values(draw_number(), shape, rank, one_in(3) ? ANYTHING : COUNTS);
    if (square && one_in(2))
        values = mirrored(&values, one_in(2), hermitian);
    if (flat)
        values = model_flat(&values);
    const argument *a = draw_given("a", &values);
    say("%s", hermitian ? " hermitian" : "");
    const bool got = hermitian ? ash_is_hermitian(a->array) : ash_is_symmetric(a->array);
    if (flat) {
        check_refused(!got, hermitian ? "ash_is_hermitian" : "ash_is_symmetric", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    bool want = square;
    for (int64_t i = 0; i < values.size && want; i++) {
        int64_t index[MODEL_RANK], other[MODEL_RANK];
        unsigned char element[16];
        index_of(&values, i, index);
        turned(other, index, rank);
        memcpy(element, model_at(&values, position_of(&values, other)), values.nbytes);
        if (hermitian)
            conjugate_element(values.dtype, element);
        want = equal_elements(values.dtype, model_at(&values, i), element);
    }
    if (got != want)
        fail("it says %s", got ? "true" : "false");
}

static void draw_triangular(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 2, 4), k = random_in(-4, 4), kind = random_below(3), line = random_in(-4, 4);
    const bool flat = draw_fault(), clear = one_in(2);
    model values = random_values(draw_number(), shape, rank, one_in(3) ? ANYTHING : COUNTS);
    for (int64_t i = 0; i < values.size && clear; i++) { /* often true */
        int64_t index[MODEL_RANK];
        index_of(&values, i, index);
        const int64_t off = index[rank - 1] - index[rank - 2];
        if (kind == 0 ? off < line : kind == 1 ? off > line : off != 0)
            memset(model_at(&values, i), 0, values.nbytes);
    }
    bool want = true;
    for (int64_t i = 0; i < values.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&values, i, index);
        const int64_t off = index[rank - 1] - index[rank - 2];
        if (kind == 0 ? off < k : kind == 1 ? off > k : off != 0)
            want &= !is_true(values.dtype, model_at(&values, i));
    }
    static const char *const names[] = {"ash_is_triu", "ash_is_tril", "ash_is_diagonal"};
    if (flat)
        values = model_flat(&values);
    const argument *a = draw_given("a", &values);
    say(" %s k %" PRId64, names[kind], k);
    const bool got = kind == 0   ? ash_is_triu(a->array, .k = k)
                     : kind == 1 ? ash_is_tril(a->array, .k = k)
                                 : ash_is_diagonal(a->array);
    if (flat)
        check_refused(!got, names[kind], ONE_OF(ASH_ERR_SHAPE));
    else if (got != want)
        fail("it says %s", got ? "true" : "false");
}

static void draw_mirror(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_square(shape);
    const bool upper = one_in(2), conjugated = one_in(2), fault = draw_fault();
    if (fault)
        shape[rank - 1]++;
    const argument *a = draw_argument("a", draw_number(), shape, rank, draw_style());
    say("%s%s", upper ? " upper" : "", conjugated ? " conjugated" : "");
    ash_array *got = ash_mirror(a->array, .upper = upper, .conjugated = conjugated);
    if (fault) {
        check_refused(!got, "ash_mirror", ONE_OF(ASH_ERR_SHAPE));
        return;
    }
    const model want = mirrored(&a->value, upper, conjugated);
    check_new_like(got, &want, a);
    check_layout_like(got, a);
}

const operation matrix_operations[] = {
    {"kron", draw_kron, 3},     {"trace", draw_trace, 2}, {"symmetric", draw_symmetric, 2}, {"triangular", draw_triangular, 2},
    {"mirror", draw_mirror, 2}, {NULL, NULL, 0},
};
