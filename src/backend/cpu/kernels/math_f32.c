/*
 * math_f32.c - the loops over elementary functions of f32.
 *
 * Those that programs use most are made in f32; the others are f64 functions, rounded, whose error is then that of the
 * rounding.
 */
#include "backend/cpu/kernels/elementwise.h"
#include "backend/cpu/kernels/math_arc.h"
#include "backend/cpu/kernels/math_erf.h"
#include "backend/cpu/kernels/math_exp.h"
#include "backend/cpu/kernels/math_gamma.h"
#include "backend/cpu/kernels/math_log.h"
#include "backend/cpu/kernels/math_power.h"
#include "backend/cpu/kernels/math_trig.h"

#define LOOP(NAME) LOOP1(loop_##NAME, ash__f32, ash__f32, NAME##_f32(x))
#define LOOP_WIDE(NAME) LOOP1(loop_##NAME, ash__f32, ash__f32, NAME##_f64((double)x))
#define sqrt_f32 sqrtf

static inline double lgamma_f64(double x) /* the plain one writes a global */
{
    int sign;
    return lgamma_r(x, &sign);
}
static inline float tan_f32(float x)
{
    return (float)tan_f64((double)x);
}

LOOP(sqrt)
LOOP(cbrt)
LOOP(exp)
LOOP(exp2)
LOOP(log)
LOOP(log2)
LOOP(log10)
LOOP(tanh)
LOOP(tgamma)
LOOP_WIDE(expm1)
LOOP_WIDE(log1p)
LOOP_WIDE(sinpi)
LOOP_WIDE(cospi)
LOOP_WIDE(asin)
LOOP_WIDE(acos)
LOOP_WIDE(atan)
LOOP_WIDE(sinh)
LOOP_WIDE(cosh)
LOOP_WIDE(asinh)
LOOP_WIDE(acosh)
LOOP_WIDE(atanh)
LOOP_WIDE(erf)
LOOP_WIDE(erfc)
LOOP_WIDE(lgamma)
LOOP1_PATCHED(loop_sin, ash__f32, sin_f32, trig_rare_f32, sinf)
LOOP1_PATCHED(loop_cos, ash__f32, cos_f32, trig_rare_f32, cosf)
LOOP1_PATCHED(loop_tan, ash__f32, tan_f32, trig_rare_f32, tanf)
LOOP2(loop_atan2, v, v, ash__f32, ash__f32, atan2_f64((double)x, (double)y))
LOOP2(loop_pow, v, v, ash__f32, ash__f32, pow_f32(x, y))
LOOP2(loop_hypot, v, v, ash__f32, ash__f32, hypot_f32(x, y))

#define MATH(ID) [ASH__OP_##ID - ASH__MATH_FIRST]
extern const ash__math_table ASH__TABLE(ash__math_f32);
const ash__math_table ASH__TABLE(ash__math_f32) = {{
    MATH(SQRT) = loop_sqrt,   MATH(CBRT) = loop_cbrt,      MATH(EXP) = loop_exp,       MATH(EXP2) = loop_exp2,
    MATH(LOG) = loop_log,     MATH(LOG2) = loop_log2,      MATH(LOG10) = loop_log10,   MATH(TANH) = loop_tanh,
    MATH(EXPM1) = loop_expm1, MATH(LOG1P) = loop_log1p,    MATH(SINPI) = loop_sinpi,   MATH(COSPI) = loop_cospi,
    MATH(ASIN) = loop_asin,   MATH(ACOS) = loop_acos,      MATH(ATAN) = loop_atan,     MATH(SINH) = loop_sinh,
    MATH(COSH) = loop_cosh,   MATH(ASINH) = loop_asinh,    MATH(ACOSH) = loop_acosh,   MATH(ATANH) = loop_atanh,
    MATH(ERF) = loop_erf,     MATH(ERFC) = loop_erfc,      MATH(LGAMMA) = loop_lgamma, MATH(TGAMMA) = loop_tgamma,
    MATH(SIN) = loop_sin,     MATH(COS) = loop_cos,        MATH(TAN) = loop_tan,       MATH(ATAN2) = loop_atan2_vv,
    MATH(POW) = loop_pow_vv,  MATH(HYPOT) = loop_hypot_vv,
}};
