/*
 * rounded.c - forms of floating-point arithmetic in the other roundings: the host's rounding is set while they compute.
 */
#include <fenv.h>

#include "real.h"

/* What is between must be computed there: loads stay behind the first call and the results are wanted before the second. */
#define ROUNDED(MODE, F, VALUES, EXPR)          \
    F r[LANES];                                 \
    fesetround(MODE);                           \
    EACH_LANE                                   \
    {                                           \
        VALUES;                                 \
        r[l] = EXPR;                            \
    }                                           \
    __asm__ volatile("" : : "r"(r) : "memory"); \
    fesetround(FE_TONEAREST);                   \
    commit(d, r, sizeof r[0], active);

#define LANES1R(NAME, TEXT, MODE, F, EXPR) \
    LANES_OF(NAME)                         \
    {                                      \
        UNUSED1;                           \
        ROUNDED(MODE, F, VALUES1(F), EXPR) \
    }
#define LANES2R(NAME, TEXT, MODE, F, EXPR)    \
    LANES_OF(NAME)                            \
    {                                         \
        UNUSED2;                              \
        ROUNDED(MODE, F, VALUES2(F, F), EXPR) \
    }
#define LANES3R(NAME, TEXT, MODE, F, EXPR)       \
    LANES_OF(NAME)                               \
    {                                            \
        UNUSED3;                                 \
        ROUNDED(MODE, F, VALUES3(F, F, F), EXPR) \
    }
#define ROW1R(NAME, TEXT, MODE, F, EXPR) {TEXT, NAME, TYPE_##F, {TYPE_##F}},
#define ROW2R(NAME, TEXT, MODE, F, EXPR) {TEXT, NAME, TYPE_##F, {TYPE_##F, TYPE_##F}},
#define ROW3R(NAME, TEXT, MODE, F, EXPR) {TEXT, NAME, TYPE_##F, {TYPE_##F, TYPE_##F, TYPE_##F}},

/* clang-format off */
#define ONE_TYPE(X, M, MODE, TAG, F, TEXT, IN, NAN_OF, SQRT, FMA)                                      \
    X##2R(add_##M##TAG, "add." #M TEXT, MODE, F, NAN_OF(IN(IN(x) + IN(y))))                            \
    X##2R(sub_##M##TAG, "sub." #M TEXT, MODE, F, NAN_OF(IN(IN(x) - IN(y))))                            \
    X##2R(mul_##M##TAG, "mul." #M TEXT, MODE, F, NAN_OF(IN(IN(x) * IN(y))))                            \
    X##3R(fma_##M##TAG, "fma." #M TEXT " mad." #M TEXT, MODE, F, NAN_OF(IN(FMA(IN(x), IN(y), IN(z))))) \
    X##2R(div_##M##TAG, "div." #M TEXT, MODE, F, NAN_OF(IN(IN(x) / IN(y))))                            \
    X##1R(sqrt_##M##TAG, "sqrt." #M TEXT, MODE, F, NAN_OF(SQRT(IN(x))))                                \
    X##1R(rcp_##M##TAG, "rcp." #M TEXT, MODE, F, NAN_OF(IN(1 / IN(x))))

#define ONE_MODE(X, M, MODE)                                                     \
    ONE_TYPE(X, M, MODE, _f32, f32, ".f32", AS_IS, nan32, sqrtf, fmaf)           \
    ONE_TYPE(X, M, MODE, _ftz_f32, f32, ".ftz.f32", flushed, nan32, sqrtf, fmaf) \
    ONE_TYPE(X, M, MODE, _f64, f64, ".f64", AS_IS, AS_IS, sqrt, fma)

#define LIST(X)                    \
    ONE_MODE(X, rz, FE_TOWARDZERO) \
    ONE_MODE(X, rm, FE_DOWNWARD)   \
    ONE_MODE(X, rp, FE_UPWARD)
/* clang-format on */

DEFINE_FORMS(rounded_forms, LIST)
