/* random.h - what a task of kind ASH__TASK_RANDOM says besides its output: which numbers of which stream. */
#ifndef ASH__BACKEND_RANDOM_H
#define ASH__BACKEND_RANDOM_H
#include "ashlar/random.h"

typedef enum ash__drawing {
    ASH__DRAW_UNIFORM,     /* floats in (0, 1]; integers and bool: all bits random */
    ASH__DRAW_NORMAL,      /* floats; complex: each part with variance 1/2 */
    ASH__DRAW_EXPONENTIAL, /* floats */
    ASH__DRAW_RANGE        /* integers from low on, `span` of them */
} ash__drawing;

/* The numbers of one call of a generator; docs/random.md says which these are. */
typedef struct ash__draw {
    ash__drawing drawing;
    ash_rng_kind kind;
    uint64_t seed, call;
    uint64_t low, span; /* RANGE: low modulo 2^64; span 0 stands for 2^64 */
    int64_t first;      /* elements of the stream that are passed over; in bytes at most 2^60 */
    bool conjugate;     /* out is a conjugated view: imaginary parts are written with the other sign */
} ash__draw;
#endif
