/*
 * compare.c - forms of comparisons: setp. What combines one with another predicate, and its second result, are instructions of
 * their own to the decoder.
 */
#include "real.h"

#define EQUALITY(X, TEXTS, TAG, T) X##2P(eq_##TAG, TEXTS("eq"), T, T, x == y) X##2P(ne_##TAG, TEXTS("ne"), T, T, x != y)

/* clang-format off */
#define ORDER(X, TEXTS, TAG, T)                \
    X##2P(lt_##TAG, TEXTS("lt"), T, T, x < y)  \
    X##2P(le_##TAG, TEXTS("le"), T, T, x <= y) \
    X##2P(gt_##TAG, TEXTS("gt"), T, T, x > y)  \
    X##2P(ge_##TAG, TEXTS("ge"), T, T, x >= y)

#define UNSIGNED_ORDER(X, TEXTS, TAG, T)       \
    X##2P(lo_##TAG, TEXTS("lo"), T, T, x < y)  \
    X##2P(ls_##TAG, TEXTS("ls"), T, T, x <= y) \
    X##2P(hi_##TAG, TEXTS("hi"), T, T, x > y)  \
    X##2P(hs_##TAG, TEXTS("hs"), T, T, x >= y)

/* ne is false where either is NaN; what ends in u is true there */
#define REAL_ORDER(X, TEXTS, TAG, T, IN)                                    \
    X##2P(eq_##TAG, TEXTS("eq"), T, T, IN(x) == IN(y))                      \
    X##2P(ne_##TAG, TEXTS("ne"), T, T, IN(x) < IN(y) || IN(x) > IN(y))      \
    X##2P(lt_##TAG, TEXTS("lt"), T, T, IN(x) < IN(y))                       \
    X##2P(le_##TAG, TEXTS("le"), T, T, IN(x) <= IN(y))                      \
    X##2P(gt_##TAG, TEXTS("gt"), T, T, IN(x) > IN(y))                       \
    X##2P(ge_##TAG, TEXTS("ge"), T, T, IN(x) >= IN(y))                      \
    X##2P(equ_##TAG, TEXTS("equ"), T, T, !(IN(x) < IN(y) || IN(x) > IN(y))) \
    X##2P(neu_##TAG, TEXTS("neu"), T, T, IN(x) != IN(y))                    \
    X##2P(ltu_##TAG, TEXTS("ltu"), T, T, !(IN(x) >= IN(y)))                 \
    X##2P(leu_##TAG, TEXTS("leu"), T, T, !(IN(x) > IN(y)))                  \
    X##2P(gtu_##TAG, TEXTS("gtu"), T, T, !(IN(x) <= IN(y)))                 \
    X##2P(geu_##TAG, TEXTS("geu"), T, T, !(IN(x) < IN(y)))                  \
    X##2P(num_##TAG, TEXTS("num"), T, T, x == x && y == y)                  \
    X##2P(nan_##TAG, TEXTS("nan"), T, T, x != x || y != y)

#define ALL_16(OP) "setp." OP ".u16 setp." OP ".s16 setp." OP ".b16"
#define ALL_32(OP) "setp." OP ".u32 setp." OP ".s32 setp." OP ".b32"
#define ALL_64(OP) "setp." OP ".u64 setp." OP ".s64 setp." OP ".b64"
#define U16(OP) "setp." OP ".u16"
#define S16(OP) "setp." OP ".s16"
#define U32(OP) "setp." OP ".u32"
#define S32(OP) "setp." OP ".s32"
#define U64(OP) "setp." OP ".u64"
#define S64(OP) "setp." OP ".s64"
#define F32(OP) "setp." OP ".f32"
#define FTZ(OP) "setp." OP ".ftz.f32"
#define F64(OP) "setp." OP ".f64"

#define INTEGERS(X, B)                  \
    EQUALITY(X, ALL_##B, u##B, u##B)    \
    ORDER(X, U##B, u##B, u##B)          \
    ORDER(X, S##B, s##B, s##B)          \
    UNSIGNED_ORDER(X, U##B, u##B, u##B)

#define LIST(X)                               \
    INTEGERS(X, 16)                           \
    INTEGERS(X, 32)                           \
    INTEGERS(X, 64)                           \
    REAL_ORDER(X, F32, f32, f32, AS_IS)       \
    REAL_ORDER(X, FTZ, ftz_f32, f32, flushed) \
    REAL_ORDER(X, F64, f64, f64, AS_IS)
/* clang-format on */

DEFINE_FORMS(compare_forms, LIST)
