/*
 * math_f64.c - the loops over elementary functions of f64.
 */
#include "backend/cpu/kernels/elementwise.h"
#include "backend/cpu/kernels/math_arc.h"
#include "backend/cpu/kernels/math_erf.h"
#include "backend/cpu/kernels/math_exp.h"
#include "backend/cpu/kernels/math_log.h"
#include "backend/cpu/kernels/math_power.h"
#include "backend/cpu/kernels/math_trig.h"

#define LOOP(NAME) LOOP1(loop_##NAME, ash__f64, ash__f64, NAME##_f64(x))
#define LOOP_PAIR(NAME) LOOP2(loop_##NAME, v, v, ash__f64, ash__f64, NAME##_f64(x, y))
#define SLOW_TRIG(NAME)                         \
    static inline double slow_##NAME(double x)  \
    {                                           \
        return (double)NAME##l((long double)x); \
    }
#define LOOP_TRIG(NAME) SLOW_TRIG(NAME) LOOP1_PATCHED(loop_##NAME, ash__f64, NAME##_f64, trig_rare_f64, slow_##NAME)
#define sqrt_f64 sqrt
/* libm's, in long double, because its double ones are 3.2 (lgamma) and 4.9 (tgamma) last places off where measured (glibc
 * 2.36). */
static inline double lgamma_f64(double x)
{
    int sign;
    return (double)lgammal_r((long double)x, &sign);
}
static inline double tgamma_f64(double x)
{
    return (double)tgammal((long double)x);
}
#if !FUSED
#define pow_f64 pow /* without fma, two_product makes ours slower than libm's */
#endif

LOOP(sqrt)
LOOP(cbrt)
LOOP(exp)
LOOP(exp2)
LOOP(expm1)
LOOP(log)
LOOP(log2)
LOOP(log10)
LOOP(log1p)
LOOP(sinpi)
LOOP(cospi)
LOOP(asin)
LOOP(acos)
LOOP(atan)
LOOP(sinh)
LOOP(cosh)
LOOP(tanh)
LOOP(asinh)
LOOP(acosh)
LOOP(atanh)
LOOP(erf)
LOOP(erfc)
LOOP(lgamma)
LOOP(tgamma)
LOOP_TRIG(sin)
LOOP_TRIG(cos)
LOOP_TRIG(tan)
LOOP_PAIR(atan2)
LOOP_PAIR(pow)
LOOP_PAIR(hypot)

#define MATH(ID) [ASH__OP_##ID - ASH__MATH_FIRST]
extern const ash__math_table ASH__TABLE(ash__math_f64);
const ash__math_table ASH__TABLE(ash__math_f64) = {{
    MATH(SQRT) = loop_sqrt,   MATH(CBRT) = loop_cbrt,      MATH(EXP) = loop_exp,       MATH(EXP2) = loop_exp2,
    MATH(EXPM1) = loop_expm1, MATH(LOG) = loop_log,        MATH(LOG2) = loop_log2,     MATH(LOG10) = loop_log10,
    MATH(LOG1P) = loop_log1p, MATH(SINPI) = loop_sinpi,    MATH(COSPI) = loop_cospi,   MATH(ASIN) = loop_asin,
    MATH(ACOS) = loop_acos,   MATH(ATAN) = loop_atan,      MATH(SINH) = loop_sinh,     MATH(COSH) = loop_cosh,
    MATH(TANH) = loop_tanh,   MATH(ASINH) = loop_asinh,    MATH(ACOSH) = loop_acosh,   MATH(ATANH) = loop_atanh,
    MATH(ERF) = loop_erf,     MATH(ERFC) = loop_erfc,      MATH(LGAMMA) = loop_lgamma, MATH(TGAMMA) = loop_tgamma,
    MATH(SIN) = loop_sin,     MATH(COS) = loop_cos,        MATH(TAN) = loop_tan,       MATH(ATAN2) = loop_atan2_vv,
    MATH(POW) = loop_pow_vv,  MATH(HYPOT) = loop_hypot_vv,
}};
