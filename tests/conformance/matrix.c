/* matrix.c - norms, small products, rotations, and what matrices look like; include/ashlar/spectral.h. */
#include "matrices.h"

#include <math.h>
#include <string.h>

/* ---- norms */

static void run_norm(void)
{
    const argument a = give_here(TAME);
    result(ash_norm(a.array));
    const model w = wide(&a.value);
    long double sum = 0;
    for (int64_t k = 0; k < 2 * w.size; k++)
        sum += (long double)((double *)(void *)w.data)[k] * ((double *)(void *)w.data)[k];
    const model want = model_new(worked() ? given()->dtype : ASH_F64, NULL, 0);
    const double norm = (double)sqrtl(sum);
    number_store(want.dtype, number_of(ASH_F64, &norm), model_at(&want, 0));
    expect(&want);
}
static void run_norm_axis(void)
{
    const argument a = give_here(TAME);
    scale((double)now.shape[0]);
    result(ash_norm(a.array, .p = ASH_OPERAND(now.turn % 2 + 1), .axes = ASH_AXES(0)));
}
static void run_normalize(void)
{
    const argument a = give_here(TAME);
    result(ash_normalize(a.array));
}
static void run_opnorm(void)
{
    const argument a = give_here(TAME);
    result(ash_opnorm(a.array, .p = ASH_OPERAND(1)));
}

/* ---- small products */

static void run_trace(void)
{
    const argument a = give_here(COUNTS);
    result(ash_trace(a.array));
}
static void run_cross(void)
{
    int64_t shape[MODEL_RANK];
    memcpy(shape, now.shape, sizeof shape);
    shape[now.rank - 1] = 3;
    const argument a = give(now.dtype, shape, now.rank, TAME), b = give(now.dtype, shape, now.rank, TAME);
    scale(8);
    result(ash_cross(a.array, b.array));
}
static void run_kron(void)
{
    const argument a = give_here(TAME), b = give(now.dtype, (const int64_t[]){2, 3}, now.rank < 2 ? now.rank : 2, TAME);
    scale(8);
    result(ash_kron(a.array, b.array));
}

/* ---- rotations */

static void run_givens(void)
{
    const argument a = give_here(TAME), b = give_here(TAME);
    const ash_givens_result got = ash_givens(a.array, b.array);
    scale(4);
    result(got.c);
    result(got.s);
    result(got.r);
}
static void turn(ash_status (*function)(ash_array *, ash_array *, const ash_operand *, const ash_operand *,
                                        const ash_spectral_options *))
{
    const argument a = give_here(TAME), b = give_here(TAME), x = give_out(&a.value), y = give_out(&b.value);
    const ash_operand c = ash_operand_f32(0.5f), s = ash_operand_f32(0.75f);
    scale(8);
    result_status(function(x.array, y.array, &c, &s, NULL), &x);
    result(ash_copy(y.array));
}
static void run_rotate(void)
{
    turn(ash_rotate_into_opt);
}
static void run_reflect(void)
{
    turn(ash_reflect_into_opt);
}

/* ---- what matrices look like */

static void run_is_symmetric(void)
{
    const model m = square(2, true);
    const argument a = give_model(&m), b = give_here(FEW);
    result_number(ash_is_hermitian(a.array));
    expect_number(1);
    result_number(ash_is_symmetric(a.array));
    result_number(ash_is_symmetric(b.array));
}
static void run_is_triangle(void)
{
    const argument a = give_here(FEW);
    ash_array *const upper = ash_triu(a.array), *const both = ash_tril(upper);
    result_number(ash_is_triu(upper));
    expect_number(1);
    result_number(ash_is_tril(upper));
    result_number(ash_is_diagonal(both));
    expect_number(1);
    result_number(ash_is_diagonal(a.array));
}
static void run_mirror(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m), out = give_out(&m);
    result(ash_mirror(a.array, .conjugated = true));
    result_status(ash_mirror_into(out.array, out.array, .upper = true), &out);
    const int64_t n = m.shape[m.rank - 1];
    const model want = model_copy(&m);
    for (int64_t at = 0; at < m.size; at++) {
        const int64_t i = at / n % n, j = at % n;
        model_put(&want, at, &m, i > j ? at - i * n - j + j * n + i : at);
    }
    expect(&want);
}

#define FLOATING (FLOATS | COMPLEX_FLOATS)
const operation matrix_operations[] = {
    {"norm", run_norm, NUMBERS, EVERY_EDGE, SUMMED, SUMMED, GIVES_F64},
    {"norm_axis", run_norm_axis, NUMBERS, WITH_AXES, SUMMED, SUMMED, GIVES_F64},
    {"normalize", run_normalize, NUMBERS, WITH_AXES, SUMMED, SUMMED, GIVES_F64},
    {"opnorm", run_opnorm, NUMBERS, WITH_ROWS, SUMMED, SUMMED, GIVES_F64},
    {"trace", run_trace, NUMBERS, WITH_ROWS, EXACT, EXACT, 0},
    {"cross", run_cross, NUMBERS, WITH_ROWS, SUMMED, SUMMED, 0},
    {"kron", run_kron, NUMBERS, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"givens", run_givens, FLOATING, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"rotate_into", run_rotate, FLOATING, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"reflect_into", run_reflect, FLOATING, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"is_symmetric", run_is_symmetric, FLOATING, WITH_ROWS, EXACT, EXACT, 0},
    {"is_triangle", run_is_triangle, NUMBERS, WITH_ROWS, EXACT, EXACT, 0},
    {"mirror", run_mirror, FLOATING, WITH_ROWS, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
