/*
 * factor.c - factorizations and solves beside LAPACK's, of OpenBLAS, which is opened at run time; one thread each.
 *
 * LAPACK factors in place, so it is given a fresh copy each time, which counts; ours are given the storage of the last one, or
 * make new arrays where they have to. LAPACK's matrices are column-major, ours in either layout.
 * OPENBLAS_CORETYPE and the like in the environment make OpenBLAS another one: unset them for a comparison.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ashlar/ashlar.h"
#include "bench.h"

typedef void lapack_getrf(const int *m, const int *n, void *a, const int *lda, int *pivot, int *info);
typedef void lapack_potrf(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t uplo_length);
typedef void lapack_geqrf(const int *m, const int *n, void *a, const int *lda, void *tau, void *work, const int *room,
                          int *info);
typedef void lapack_gesv(const int *n, const int *k, void *a, const int *lda, int *pivot, void *b, const int *ldb, int *info);

typedef struct peer {
    void *library;
    lapack_getrf *getrf[2]; /* f32, f64 */
    lapack_potrf *potrf[2];
    lapack_geqrf *geqrf[2];
    lapack_gesv *gesv[2];
} peer;
static peer lapack;

/* Function pointers from object pointers, as POSIX has it. */
static void find(void *function, const char *name)
{
    void *const symbol = dlsym(lapack.library, name);
    memcpy(function, &symbol, sizeof symbol);
}
static bool open_peer(void)
{
    void (*set_threads)(int) = NULL;
    lapack.library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!lapack.library)
        return false;
    find(&set_threads, "openblas_set_num_threads");
    find(&lapack.getrf[0], "sgetrf_");
    find(&lapack.getrf[1], "dgetrf_");
    find(&lapack.potrf[0], "spotrf_");
    find(&lapack.potrf[1], "dpotrf_");
    find(&lapack.geqrf[0], "sgeqrf_");
    find(&lapack.geqrf[1], "dgeqrf_");
    find(&lapack.gesv[0], "sgesv_");
    find(&lapack.gesv[1], "dgesv_");
    if (set_threads)
        set_threads(1);
    return lapack.getrf[0] && lapack.getrf[1] && lapack.potrf[0] && lapack.potrf[1] && lapack.geqrf[0] && lapack.geqrf[1] &&
           lapack.gesv[0] && lapack.gesv[1];
}

typedef struct matrices {
    int n, room;
    bool f64;
    size_t nbytes;
    ash_array *a, *b, *out;
    ash_lu_factors lu;
    void *from, *copy, *tau, *work, *right;
    int *pivot;
} matrices;

/* Symmetric and positive definite, and not so for LU: pivots move. */
static double element(int i, int j, int n, bool definite)
{
    const double x = sin(1e3 * (double)(i < j ? i : j) + 7.0 * (double)(i < j ? j : i) * (double)(i + j));
    return definite && i == j ? (double)n + x : i > j && !definite ? -x * cos((double)i) : x;
}
static matrices matrices_for(int n, ash_dtype dtype, ash_layout layout, bool definite)
{
    matrices w = {.n = n, .room = 64 * n, .f64 = dtype == ASH_F64};
    const size_t item = ash_dtype_size(dtype);
    w.nbytes = (size_t)n * (size_t)n * item;
    w.a = ash_empty(ASH_SHAPE(n, n), .dtype = dtype, .layout = layout);
    w.b = ash_ones(ASH_SHAPE(n), .dtype = dtype);
    w.out = ash_zeros(ASH_SHAPE(n, n), .dtype = dtype, .layout = layout);
    w.from = ash_map_host(w.a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double x = element(i, j, n, definite);
            if (w.f64)
                ((double *)w.from)[i * n + j] = x;
            else
                ((float *)w.from)[i * n + j] = (float)x;
        }
    w.lu = ash_lu(w.a);
    w.copy = calloc(1, w.nbytes);
    w.tau = calloc((size_t)n, item);
    w.work = calloc((size_t)w.room, item);
    w.right = calloc((size_t)n, item);
    w.pivot = calloc((size_t)n, sizeof *w.pivot);
    return w;
}
static void end_matrices(matrices *w)
{
    ash_array *const arrays[] = {w->a, w->b, w->out, w->lu.lu, w->lu.pivots};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ash_release(arrays[k]);
    free(w->copy);
    free(w->tau);
    free(w->work);
    free(w->right);
    free(w->pivot);
}

/* ---- candidates */

static void ours_lu(void *p)
{
    ash_lu_into_opt(((matrices *)p)->lu, ((matrices *)p)->a, NULL);
}
static void ours_cholesky(void *p)
{
    ash_cholesky_into_opt(((matrices *)p)->out, ((matrices *)p)->a, NULL);
}
static void ours_qr(void *p)
{
    const ash_qr_factors f = ash_qr_compact_opt(((matrices *)p)->a, NULL);
    ash_release(f.qr);
    ash_release(f.tau);
}
static void ours_solve(void *p)
{
    ash_release(ash_solve_opt(((matrices *)p)->a, ((matrices *)p)->b, NULL));
}

static void theirs_lu(void *p)
{
    matrices *w = p;
    int info;
    memcpy(w->copy, w->from, w->nbytes);
    lapack.getrf[w->f64](&w->n, &w->n, w->copy, &w->n, w->pivot, &info);
}
static void theirs_cholesky(void *p)
{
    matrices *w = p;
    int info;
    memcpy(w->copy, w->from, w->nbytes);
    lapack.potrf[w->f64]("L", &w->n, w->copy, &w->n, &info, 1);
}
static void theirs_qr(void *p)
{
    matrices *w = p;
    int info;
    memcpy(w->copy, w->from, w->nbytes);
    lapack.geqrf[w->f64](&w->n, &w->n, w->copy, &w->n, w->tau, w->work, &w->room, &info);
}
static void theirs_solve(void *p)
{
    matrices *w = p;
    int info;
    const int one = 1;
    memcpy(w->copy, w->from, w->nbytes);
    for (int i = 0; i < w->n; i++)
        if (w->f64)
            ((double *)w->right)[i] = 1;
        else
            ((float *)w->right)[i] = 1;
    lapack.gesv[w->f64](&w->n, &one, w->copy, &w->n, w->pivot, w->right, &w->n, &info);
}

/* The best of a few tries of time of LAPACK / time of ours. */
static double against(void (*other)(void *), void (*ours)(void *), matrices *w)
{
    double best = 0;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "ours", .run = ours, .context = w}, {.name = "other", .run = other, .context = w}};
        timing_run(c, 2, 3e-4);
        best = fmax(best, timing_min(&c[1]) / timing_min(&c[0]));
    }
    return best;
}

void bench_factor(void)
{
    static const struct {
        const char *name;
        void (*ours)(void *), (*other)(void *);
    } what[] = {{"LU", ours_lu, theirs_lu},
                {"Cholesky", ours_cholesky, theirs_cholesky},
                {"QR", ours_qr, theirs_qr},
                {"solve", ours_solve, theirs_solve}};
    static const int sizes[] = {4, 16, 64, 256, 1000};
    if (!open_peer()) {
        printf("-    skipped: libopenblas.so.0 was not found (Debian: libopenblas0)\n");
        return;
    }
    for (size_t k = 0; k < sizeof what / sizeof *what; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int kind = 0; kind < 3; kind++) { /* f64 in either layout, f32 */
                char name[64];
                matrices w =
                    matrices_for(sizes[s], kind == 2 ? ASH_F32 : ASH_F64, kind == 1 ? ASH_COL_MAJOR : ASH_ROW_MAJOR, k == 1);
                snprintf(name, sizeof name, "%s %s%s", what[k].name, kind == 2 ? "f32" : "f64", kind == 1 ? ", col-major" : "");
                report("-", name, w.n, against(what[k].other, what[k].ours, &w), "x LAPACK", false, 0.5, 1.1);
                end_matrices(&w);
            }
}
