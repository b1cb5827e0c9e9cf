/* convert.h - a conversion that is no form of its own: what to do, beside the columns. */
#ifndef DOUBLE_CONVERT_H
#define DOUBLE_CONVERT_H
#include "half.h"

/* clang-format off */
/* Types of numbers as conversions name them; a column of 8 bits does not exist, it is 16 bits wide. */
#define NUMBERS(X)   \
    X(u8, 1, 0, 0)   \
    X(u16, 2, 0, 0)  \
    X(u32, 4, 0, 0)  \
    X(u64, 8, 0, 0)  \
    X(s8, 1, 1, 0)   \
    X(s16, 2, 1, 0)  \
    X(s32, 4, 1, 0)  \
    X(s64, 8, 1, 0)  \
    X(f16, 2, 1, 1)  \
    X(bf16, 2, 1, 1) \
    X(f32, 4, 1, 1)  \
    X(f64, 8, 1, 1)
/* clang-format on */
#define NUMBER_ID(NAME, BYTES, SIGNED, REAL) NUMBER_##NAME,
typedef enum { NUMBERS(NUMBER_ID) NUMBER_none } number;

typedef struct conversion {
    number to, from;
    rounding mode;
    u8 saturate, flush, to_integral;
    u8 relu, finite; /* negative numbers become 0; no infinity */
} conversion;

/* x: the column; y, where there are two: the low half of a pair; w: the conversion. */
lane_function convert_any, convert_pair, convert_tf32;
u64 convert_bits(const conversion *how, u64 bits);
size_t number_size(number n);
#endif
