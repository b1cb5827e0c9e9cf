/*
 * linalg.c - goals 21 and 22: matrix products beside OpenBLAS, and beside what the processor can multiply and add.
 *
 * OpenBLAS is opened at run time and left to choose its own kernels, whatever the environment says of it.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

#include "ashlar/ashlar.h"
#include "bench.h"
#include "hand.h"

enum { ROWS_IN_ORDER = 101, AS_IS = 111, TRANSPOSED = 112 }; /* of CBLAS */
typedef void sgemm(int order, int a_as, int b_as, int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                   int ldb, float beta, float *c, int ldc);
typedef void dgemm(int order, int a_as, int b_as, int m, int n, int k, double alpha, const double *a, int lda, const double *b,
                   int ldb, double beta, double *c, int ldc);
typedef void sgemv(int order, int a_as, int m, int n, float alpha, const float *a, int lda, const float *x, int x_step,
                   float beta, float *y, int y_step);

static struct {
    sgemm *single_product;
    dgemm *double_product;
    sgemv *single_vector;
} blas;

static bool open_blas(void)
{
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OPENBLAS_L2_SIZE");
    void *const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    *(void **)&blas.single_product = dlsym(library, "cblas_sgemm");
    *(void **)&blas.double_product = dlsym(library, "cblas_dgemm");
    *(void **)&blas.single_vector = dlsym(library, "cblas_sgemv");
    void (*set_threads)(int);
    *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
    if (set_threads)
        set_threads(1);
    return blas.single_product && blas.double_product && blas.single_vector;
}

typedef struct squares {
    int64_t n;
    ash_dtype dtype;
    ash_array *a, *b, *c, *x, *y, *columns; /* matrices, vectors, and a in columns */
    void *a_data, *b_data, *c_data, *x_data, *y_data;
} squares;

static ash_array *numbers(int64_t rows, int64_t cols, ash_dtype dtype)
{
    ash_array *a = ash_empty(ASH_SHAPE(rows, cols), .dtype = ASH_F32);
    float *const x = ash_map_host(a);
    for (int64_t i = 0; i < rows * cols; i++)
        x[i] = (float)(i * 7919 % 2001 - 1000) * 1e-3f;
    ash_array *b = dtype == ASH_F32 ? a : ash_convert(a, dtype);
    if (b != a)
        ash_release(a);
    return b;
}

static squares squares_of(int64_t n, ash_dtype dtype)
{
    squares w = {.n = n, .dtype = dtype, .a = numbers(n, n, dtype), .b = numbers(n, n, dtype), .c = numbers(n, n, dtype)};
    w.columns = ash_contiguous(w.a, .layout = ASH_COL_MAJOR);
    w.x = numbers(n, 1, dtype);
    w.y = numbers(n, 1, dtype);
    w.a_data = ash_map_host(w.a);
    w.b_data = ash_map_host(w.b);
    w.c_data = ash_map_host(w.c);
    w.x_data = ash_map_host(w.x);
    w.y_data = ash_map_host(w.y);
    return w;
}

static void end_squares(squares *w)
{
    ash_array *const arrays[] = {w->a, w->b, w->c, w->x, w->y, w->columns};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ash_release(arrays[k]);
}

/* ---- candidates */

static void ours(void *p)
{
    ash_gemm_into_opt(((squares *)p)->c, ((squares *)p)->a, ((squares *)p)->b, NULL);
}
static void ours_new(void *p)
{
    ash_release(ash_matmul_opt(((squares *)p)->a, ((squares *)p)->b, NULL));
}
static void ours_vector(void *p)
{
    ash_gemm_into_opt(((squares *)p)->y, ((squares *)p)->a, ((squares *)p)->x, NULL);
}
static void ours_columns(void *p)
{
    ash_gemm_into_opt(((squares *)p)->y, ((squares *)p)->columns, ((squares *)p)->x, NULL);
}
static void theirs(void *p)
{
    squares *w = p;
    const int n = (int)w->n;
    if (w->dtype == ASH_F32)
        blas.single_product(ROWS_IN_ORDER, AS_IS, AS_IS, n, n, n, 1, w->a_data, n, w->b_data, n, 0, w->c_data, n);
    else
        blas.double_product(ROWS_IN_ORDER, AS_IS, AS_IS, n, n, n, 1, w->a_data, n, w->b_data, n, 0, w->c_data, n);
}
static void theirs_vector(void *p)
{
    squares *w = p;
    const int n = (int)w->n;
    blas.single_vector(ROWS_IN_ORDER, AS_IS, n, n, 1, w->a_data, n, w->x_data, 1, 0, w->y_data, 1);
}
static void theirs_columns(void *p)
{
    squares *w = p;
    const int n = (int)w->n;
    blas.single_vector(ROWS_IN_ORDER, TRANSPOSED, n, n, 1, w->a_data, n, w->x_data, 1, 0, w->y_data, 1);
}
/* As many multiply-adds as the product has. */
static void only_arithmetic(void *p)
{
    squares *w = p;
    const int64_t count = w->n * w->n * w->n;
    if (w->dtype == ASH_F32)
        hand_multiply_add_f32(w->c_data, count);
    else
        hand_multiply_add_f64(w->c_data, count);
}

/* The best of a few tries of time of `other` / time of ours. */
static double against(void (*other)(void *), void (*mine)(void *), squares *w)
{
    double best = 0;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "ours", .run = mine, .context = w}, {.name = "other", .run = other, .context = w}};
        timing_run(c, 2, 3e-4);
        best = fmax(best, timing_min(&c[1]) / timing_min(&c[0]));
    }
    return best;
}

/* ---- goals */

static const ash_dtype dtypes[] = {ASH_F32, ASH_F64};

static void bench_large(bool with_blas)
{
    static const int64_t sizes[] = {128, 256, 512, 1000};
    for (size_t d = 0; d < 2; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            squares w = squares_of(sizes[i], dtypes[d]);
            char what[64];
            snprintf(what, sizeof what, "matrix product %s", ash_dtype_name(w.dtype));
            report("21", what, w.n, against(only_arithmetic, ours, &w), "of peak", false, 0.72, noise(w.n * w.n));
            if (with_blas)
                report("21", what, w.n, against(theirs, ours, &w), "x OpenBLAS", false, d == 0 ? 0.85 : 0.9, noise(w.n * w.n));
            end_squares(&w);
        }
}

static void bench_small(void)
{
    for (size_t d = 0; d < 2; d++)
        for (int64_t n = 4; n <= 16; n *= 2) {
            squares w = squares_of(n, dtypes[d]);
            char what[64];
            snprintf(what, sizeof what, "small product %s, into an array", ash_dtype_name(w.dtype));
            report("22", what, n, against(theirs, ours, &w), "x OpenBLAS", false, 0.5, noise(n));
            snprintf(what, sizeof what, "small product %s, new result", ash_dtype_name(w.dtype));
            report("22", what, n, against(theirs, ours_new, &w), "x OpenBLAS", false, 0.5, noise(n));
            end_squares(&w);
        }
}

static void bench_vectors(void)
{
    for (int64_t n = 256; n <= 4096; n *= 4) {
        squares w = squares_of(n, ASH_F32);
        report("21", "matrix in rows times vector f32", n, against(theirs_vector, ours_vector, &w), "x OpenBLAS", false, 0.85,
               noise(n * n));
        report("21", "matrix in columns times vector f32", n, against(theirs_columns, ours_columns, &w), "x OpenBLAS", false,
               0.85, noise(n * n));
        end_squares(&w);
    }
}

void bench_linalg(void)
{
    const bool with_blas = open_blas();
    if (!with_blas)
        printf("21   no comparison: libopenblas.so.0 is not there (Debian: libopenblas0)\n");
    bench_large(with_blas);
    if (!with_blas)
        return;
    bench_small();
    bench_vectors();
}

/* Goal 24 for a product. */
void bench_linalg_threads(void)
{
    ash_set_threads(0);
    if (ash_threads() < 2)
        return;
    squares w = squares_of(1000, ASH_F32);
    double best[3] = {0, INFINITY, INFINITY};
    for (int threads = 1; threads <= 2; threads++) {
        ash_set_threads(threads);
        for (int t = 0; t < TRIES; t++) {
            candidate c = {.name = "ours", .run = ours, .context = &w};
            timing_run(&c, 1, 3e-4);
            best[threads] = fmin(best[threads], timing_min(&c));
        }
    }
    report("24", "matrix product f32, two threads", w.n, best[1] / best[2], "x 1 thread", false, 1.8, noise(w.n * w.n));
    end_squares(&w);
}
