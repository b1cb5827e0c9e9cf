/* fourier.c - the loops of Fourier transforms for f32 and f64; compiled with fused multiply-adds where the level has them. */
#include "backend/cpu/kernels/bits.h"
#include "backend/cpu/kernels/loop.h"

/* In a loop over what is left of a row, less than a vector: vector code for that would be large and of no use. */
#define ONE_BY_ONE __asm__ volatile("" ::: "memory")

/* Even and odd elements of a and b as one row; and a and b element by element, the lower half and the upper half. */
#if defined(__AVX512F__)
#define WIDE 64
#define EVENS8(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODDS8(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define LOWS8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGHS8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define EVENS16(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODDS16(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define LOWS16(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGHS16(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define OF_F32(x) x##16
#define OF_F64(x) x##8
#elif defined(__AVX__)
#define WIDE 32
#define EVENS4(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODDS4(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define LOWS4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGHS4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define EVENS8(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODDS8(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define LOWS8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGHS8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define OF_F32(x) x##8
#define OF_F64(x) x##4
#else
#define WIDE 16
#define EVENS2(a, b) __builtin_shufflevector(a, b, 0, 2)
#define ODDS2(a, b) __builtin_shufflevector(a, b, 1, 3)
#define LOWS2(a, b) __builtin_shufflevector(a, b, 0, 2)
#define HIGHS2(a, b) __builtin_shufflevector(a, b, 1, 3)
#define EVENS4(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODDS4(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define LOWS4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGHS4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define OF_F32(x) x##4
#define OF_F64(x) x##2
#endif

#define T float
#define NAME(x) x##_f32
#define EVENS OF_F32(EVENS)
#define ODDS OF_F32(ODDS)
#define LOWS OF_F32(LOWS)
#define HIGHS OF_F32(HIGHS)
#include "backend/cpu/kernels/fourier_passes.h"
#undef T
#undef NAME
#undef EVENS
#undef ODDS
#undef LOWS
#undef HIGHS

#define T double
#define NAME(x) x##_f64
#define EVENS OF_F64(EVENS)
#define ODDS OF_F64(ODDS)
#define LOWS OF_F64(LOWS)
#define HIGHS OF_F64(HIGHS)
#include "backend/cpu/kernels/fourier_passes.h"

#define LOOPS(t)                                                                                                           \
    {                                                                                                                      \
        .pass = {pass_odd_##t, pass1_##t, pass2_##t, pass3_##t, pass4_##t, pass5_##t, pass_odd_##t, pass7_##t, pass8_##t}, \
        .split = split_##t, .join = join_##t, .copy = copy_##t, .multiply = multiply_##t, .turn = turn_##t,                \
        .unpack = unpack_##t, .pack = pack_##t, .unpack_rows = unpack_rows_##t, .pack_rows = pack_rows_##t                 \
    }
const ash__fourier_table ASH__TABLE(ash__fourier) = {{LOOPS(f32), LOOPS(f64)}};
