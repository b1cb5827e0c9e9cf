/* fourier_tables.h - roots of unity for transforms on a device. */
#ifndef ASH__GPU_FOURIER_TABLES_H
#define ASH__GPU_FOURIER_TABLES_H
#include "backend/gpu/work.h"

typedef enum ash__roots_kind {
    ASH__ROOTS_PASSES, /* for each pass its factors, (radix - 1) * before, then the roots of its radix */
    ASH__ROOTS_TWIST,  /* the first `fine` powers of the root of n, then all powers of the last of them's next */
    ASH__ROOTS_CHIRP,  /* exp(-i*pi*k^2/n), n of them */
    ASH__ROOTS_KERNEL  /* their conjugates for k from -n + 1 to n - 1, in a circle of `padded` */
} ash__roots_kind;

/* Compared as bytes: to be made from zeros. */
enum { ASH__GPU_PASSES = 16 };
typedef struct ash__roots {
    ash__roots_kind kind;
    int32_t wide, passes, unused; /* wide: f64 */
    int64_t n, fine, padded;
    int64_t radix[ASH__GPU_PASSES], before[ASH__GPU_PASSES];
} ash__roots;

int64_t ash__roots_count(const ash__roots *what); /* complex numbers */
ash_status ash__roots_upload(ash__gpu_work *w, const ash__roots *what, void **memory);
#endif
