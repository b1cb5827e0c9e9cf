/*
 * spectral.c - singular values and eigenvalues beside the LAPACK routines that they call, and norms beside a loop by hand.
 *
 * What LAPACK is called directly with is a fresh copy of a column-major matrix, which counts, and working memory that is there
 * already: the ratio is what checking, converting and making results costs. One thread each.
 * OPENBLAS_CORETYPE and the like in the environment make OpenBLAS another one: unset them for a comparison.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ashlar/ashlar.h"
#include "bench.h"

typedef void lapack_gesdd(const char *job, const int *m, const int *n, void *a, const int *lda, void *s, void *u,
                          const int *ldu, void *vt, const int *ldvt, void *work, const int *room, int *integer, int *info,
                          size_t job_length);
typedef void lapack_syevd(const char *job, const char *uplo, const int *n, void *a, const int *lda, void *w, void *work,
                          const int *room, int *integer, const int *integers, int *info, size_t job_length, size_t uplo_length);

static lapack_gesdd *gesdd;
static lapack_syevd *syevd;

static bool open_peer(void)
{
    void *const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    void (*set_threads)(int) = NULL;
    void *symbol = dlsym(library, "openblas_set_num_threads"); /* function pointers from object pointers, as POSIX has it */
    memcpy(&set_threads, &symbol, sizeof symbol);
    symbol = dlsym(library, "dgesdd_");
    memcpy(&gesdd, &symbol, sizeof symbol);
    symbol = dlsym(library, "dsyevd_");
    memcpy(&syevd, &symbol, sizeof symbol);
    if (set_threads)
        set_threads(1);
    return gesdd && syevd;
}

typedef struct matrices {
    int n, room, integers;
    ash_array *a;
    double *from, *copy, *s, *u, *vt, *work;
    int *integer;
} matrices;

static matrices matrices_for(int n)
{
    const size_t square = (size_t)n * (size_t)n;
    matrices w = {.n = n, .room = 8 * n * n + 64 * n + 64, .integers = 8 * n + 8};
    w.a = ash_empty(ASH_SHAPE(n, n), .dtype = ASH_F64, .layout = ASH_COL_MAJOR);
    w.from = ash_map_host(w.a);
    w.copy = calloc(3 * square + (size_t)n + (size_t)w.room, sizeof(double));
    w.u = w.copy + square;
    w.vt = w.u + square;
    w.s = w.vt + square;
    w.work = w.s + n;
    w.integer = calloc((size_t)w.integers, sizeof(int));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            w.from[i * n + j] = w.from[j * n + i] = sin(1e3 * j + 7.0 * i * (i + j));
    return w;
}

static void end_matrices(matrices *w)
{
    ash_release(w->a);
    free(w->copy);
    free(w->integer);
}

/* ---- candidates */

static void ours_svd(void *p)
{
    const ash_svd_result r = ash_svd_opt(((matrices *)p)->a, NULL);
    ash_release(r.u);
    ash_release(r.s);
    ash_release(r.vt);
}
static void ours_eigh(void *p)
{
    const ash_eigh_result r = ash_eigh_opt(((matrices *)p)->a, NULL);
    ash_release(r.values);
    ash_release(r.vectors);
}
static void theirs_svd(void *p)
{
    matrices *const w = p;
    int info;
    memcpy(w->copy, w->from, (size_t)w->n * (size_t)w->n * sizeof *w->copy);
    gesdd("S", &w->n, &w->n, w->copy, &w->n, w->s, w->u, &w->n, w->vt, &w->n, w->work, &w->room, w->integer, &info, 1);
}
static void theirs_eigh(void *p)
{
    matrices *const w = p;
    int info;
    memcpy(w->copy, w->from, (size_t)w->n * (size_t)w->n * sizeof *w->copy);
    syevd("V", "L", &w->n, w->copy, &w->n, w->s, w->work, &w->room, w->integer, &w->integers, &info, 1, 1);
}

typedef struct vector {
    ash_array *a;
    const double *at;
    int64_t n;
    double norm;
} vector;

static void ours_norm(void *p)
{
    ash_release(ash_norm_opt(((vector *)p)->a, NULL));
}
static void by_hand_norm(void *p) /* as fast as a compiler makes it that may not reorder: eight sums */
{
    vector *const w = p;
    double sum[8] = {0};
    for (int64_t i = 0; i + 8 <= w->n; i += 8)
        for (int k = 0; k < 8; k++)
            sum[k] += w->at[i + k] * w->at[i + k];
    w->norm = sqrt(sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7]);
}

/* The best of a few tries of time of the other / time of ours. */
static double against(void (*other)(void *), void (*ours)(void *), void *context)
{
    double best = 0;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "ours", .run = ours, .context = context},
                         {.name = "other", .run = other, .context = context}};
        timing_run(c, 2, 3e-4);
        best = fmax(best, timing_min(&c[1]) / timing_min(&c[0]));
    }
    return best;
}

static void bench_norms(void)
{
    static const int64_t sizes[] = {10000, 100000, 1000000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        vector w = {.n = sizes[k], .a = ash_empty(ASH_SHAPE(sizes[k]), .dtype = ASH_F64)};
        double *const x = ash_map_host(w.a);
        for (int64_t i = 0; i < w.n; i++)
            x[i] = sin((double)i);
        w.at = x;
        report("-", "norm f64", w.n, against(by_hand_norm, ours_norm, &w), "x hand loop", false, 0.9, 1.1);
        ash_release(w.a);
    }
}

void bench_spectral(void)
{
    static const int sizes[] = {4, 16, 64, 256};
    bench_norms();
    if (!open_peer()) {
        printf("-    skipped: libopenblas.so.0 was not found (Debian: libopenblas0)\n");
        return;
    }
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        matrices w = matrices_for(sizes[s]);
        report("-", "svd f64", w.n, against(theirs_svd, ours_svd, &w), "x gesdd", false, w.n < 16 ? 0.5 : 0.9, 1.1);
        report("-", "eigh f64", w.n, against(theirs_eigh, ours_eigh, &w), "x syevd", false, w.n < 16 ? 0.5 : 0.9, 1.1);
        end_matrices(&w);
    }
}
