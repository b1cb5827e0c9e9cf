/* bench.h - what the files of the benchmark share. */
#ifndef BENCH_H
#define BENCH_H
#include <stdbool.h>
#include <stdint.h>

#include "timing.h"

enum { TRIES = 3 };

double noise(int64_t n); /* how far two identical candidates differ at worst on a busy machine */
double time_of(const candidate *c, int64_t n); /* minimum to a million elements, median above */
/* One line: a ratio that should be at most (or at least) the goal. */
void report(const char *number, const char *what, int64_t n, double ratio, const char *unit, bool at_most, double goal,
            double slack);

void bench_factor(void);        /* factor.c: factorizations and solves */
void bench_spectral(void);      /* spectral.c: singular values, eigenvalues, norms */
void bench_order(void);         /* order.c: selecting, gathering, sorting */
void bench_order_threads(void);
void bench_linalg(void);        /* linalg.c: matrix products */
void bench_linalg_threads(void);
void bench_random(void);        /* random.c: random numbers */
void bench_static(void);        /* static.c: sizes fixed at compile time */
void bench_fft(void);           /* fft.c */
void bench_opencl_dense(void);  /* opencl_dense.c: products, random numbers, transforms on opencl:0 beside cpu:0 */
void bench_native(void);        /* native.c: function strings as native code */
void bench_opencl(void);        /* opencl.c: an OpenCL device beside cpu:0 */
#endif
