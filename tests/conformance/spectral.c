/*
 * spectral.c - singular values, eigenvalues and what stands on them; include/ashlar/spectral.h. The host computes these, so
 * what is private on another device is refused.
 */
#include "matrices.h"

#include <string.h>

static void run_svd(void)
{
    const argument a = give_here(TAME);
    const ash_svd_result f = ash_svd(a.array);
    scale(20);
    result(f.u);
    if (!worked())
        return;
    const model u = wide(given());
    result(f.s);
    const model s = wide(given());
    result(f.vt);
    const model vt = wide(given()), scaled = model_copy(&vt);
    const int64_t columns = vt.shape[vt.rank - 1];
    for (int64_t i = 0; i < vt.size; i++)
        for (int p = 0; p < 2; p++)
            ((double *)(void *)scaled.data)[2 * i + p] *= ((double *)(void *)s.data)[2 * (i / columns)];
    const model got = product(&u, &scaled), want = wide(&a.value);
    check_close(&got, &want);
}
static void run_svdvals(void)
{
    const argument a = give_here(TAME);
    scale(20);
    result(ash_svdvals(a.array));
}
static void run_eigh(void)
{
    const model m = square(2, true);
    const argument a = give_model(&m);
    const ash_eigh_result f = ash_eigh(a.array);
    scale(4);
    result(f.values);
    if (worked())
        result(f.vectors);
}
static void run_eigvalsh(void)
{
    const model m = square(2, true);
    const argument a = give_model(&m);
    result(ash_eigvalsh(a.array, .upper = true));
}
/* Of any square matrix: LAPACK's, where it is there. */
static void run_eig(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m);
    const ash_eig_result f = ash_eig(a.array);
    scale(4);
    result(f.values);
    if (!worked())
        return;
    result(f.vectors);
    result(ash_eigvals(a.array));
}
static void run_pinv(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m);
    result(ash_pinv(a.array));
    if (!worked())
        return;
    const model x = wide(given()), w = wide(&m), got = product(&w, &x), want = identity_like(&w, m.shape[m.rank - 1]);
    check_close(&got, &want);
}
static void run_matrix_rank(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m);
    result(ash_matrix_rank(a.array));
}
static void run_cond(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m);
    result(ash_cond(a.array));
}
static void run_matrix_power(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m);
    scale(64);
    result(ash_matrix_power(a.array, 5));
}
static void run_expm(void)
{
    const model m = square(1, false);
    const argument a = give_model(&m);
    scale(64);
    result(ash_expm(a.array));
}

#define FLOATING (SINGLES | COMPLEX_SINGLES)
const operation spectral_operations[] = {
    {"svd", run_svd, FLOATING, WITH_ROWS, SOLVED, SOLVED, ON_HOST},
    {"svdvals", run_svdvals, FLOATING, WITH_ROWS, SOLVED, SOLVED, ON_HOST},
    {"eigh", run_eigh, FLOATING, WITH_ROWS, SOLVED, SOLVED, ON_HOST},
    {"eigvalsh", run_eigvalsh, FLOATING, WITH_ROWS, SOLVED, SOLVED, ON_HOST},
    {"eig", run_eig, FLOATING, WITH_ROWS, SOLVED, SOLVED, ON_HOST | NEEDS_LAPACK},
    {"pinv", run_pinv, FLOATING, WITH_ROWS, SOLVED, SOLVED, ON_HOST},
    {"matrix_rank", run_matrix_rank, FLOATING, WITH_ROWS, EXACT, EXACT, ON_HOST},
    {"cond", run_cond, FLOATING, WITH_ROWS, SOLVED, SOLVED, ON_HOST},
    {"matrix_power", run_matrix_power, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"expm", run_expm, FLOATING, WITH_ROWS, SOLVED, SOLVED, ON_HOST},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
