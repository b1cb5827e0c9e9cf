/*
 * rules.c - how kernel text says each operation.
 *
 * Its results are the CPU's bit for bit, any NaN for any NaN, but where docs/devices.md has a bound. In a rule $a $b $c are
 * operands, $T the type, $U the unsigned type that its arithmetic is done in, $V the unsigned type of its width and $W its
 * width in bits. Functions that are not the language's are those of the library.
 */
#include "backend/gpu/rules.h"

#include "core/dtype.h"
#include "expr/program.h"

typedef struct rule {
    const char *of_integer, *of_float, *of_bool;
    const char *of_f32; /* where it is not that of all floats */
} rule;
#define FLOAT(FORM)            \
    {                          \
        NULL, FORM, NULL, NULL \
    }
#define WIDE(F64, F32)       \
    {                        \
        NULL, F64, NULL, F32 \
    }

static const rule rules[ASH__OP_COUNT] = {
    [ASH__OP_ADD] = {"($U)$a + ($U)$b", "$a + $b", NULL, NULL},
    [ASH__OP_SUB] = {"($U)$a - ($U)$b", "$a - $b", NULL, NULL},
    [ASH__OP_MUL] = {"($U)$a * ($U)$b", "$a * $b", NULL, NULL},
    [ASH__OP_NEG] = {"($U)0 - ($U)$a", "-$a", NULL, NULL},
    [ASH__OP_ABS] = {"$a < 0 ? ($U)0 - ($U)$a : ($U)$a", "fabs($a)", NULL, NULL},
    [ASH__OP_DIV] = {NULL, "$a / $b", NULL, NULL},
    [ASH__OP_MULADD] = {"($U)$a * ($U)$b + ($U)$c", "$a * $b + $c", NULL, NULL},
    [ASH__OP_MULSUB] = {"($U)$a * ($U)$b - ($U)$c", "$a * $b - $c", NULL, NULL},
    [ASH__OP_MULMUL] = {"($U)$a * ($U)$b * ($U)$c", "($a * $b) * $c", NULL, NULL},
    [ASH__OP_SUMSQ] = {"($U)$a * ($U)$a + ($U)$b * ($U)$b", "$a * $a + $b * $b", NULL, NULL},
    [ASH__OP_SQDIFF] = {"(($U)$a - ($U)$b) * (($U)$a - ($U)$b)", "($a - $b) * ($a - $b)", NULL, NULL},
    [ASH__OP_FMA] = {NULL, "fma($a, $b, $c)", NULL, NULL},
    [ASH__OP_MIN] = {"$a < $b ? $a : $b", "min_$T($a, $b)", "$a & $b", NULL},
    [ASH__OP_MAX] = {"$a > $b ? $a : $b", "max_$T($a, $b)", "$a | $b", NULL},
    [ASH__OP_SIGN] = {"($a > 0) - ($a < 0)", "$a > 0 ? ($T)1 : $a < 0 ? ($T)-1 : $a", NULL, NULL},
    [ASH__OP_AND] = {"$a & $b", NULL, "$a & $b", NULL},
    [ASH__OP_OR] = {"$a | $b", NULL, "$a | $b", NULL},
    [ASH__OP_XOR] = {"$a ^ $b", NULL, "$a ^ $b", NULL},
    [ASH__OP_NOT] = {"~$a", NULL, "$a ^ 1", NULL},
    [ASH__OP_SHL] = {"($V)$b < $W ? ($U)$a << ($V)$b : ($U)0", NULL, NULL, NULL},
    [ASH__OP_SHR] = {"($V)$b < $W ? $a >> ($V)$b : $a < 0 ? ($T)-1 : ($T)0", NULL, NULL, NULL},
    [ASH__OP_EQ] = {"$a == $b", "$a == $b", "$a == $b", NULL},
    [ASH__OP_NE] = {"$a != $b", "$a != $b", "$a != $b", NULL},
    [ASH__OP_LT] = {"$a < $b", "$a < $b", "$a < $b", NULL},
    [ASH__OP_LE] = {"$a <= $b", "$a <= $b", "$a <= $b", NULL},
    [ASH__OP_SELECT] = {"$a ? $b : $c", "$a ? $b : $c", "$a ? $b : $c", NULL},
    [ASH__OP_SQRT] = FLOAT("sqrt($a)"),
    [ASH__OP_FLOOR] = FLOAT("floor($a)"),
    [ASH__OP_CEIL] = FLOAT("ceil($a)"),
    [ASH__OP_TRUNC] = FLOAT("trunc($a)"),
    [ASH__OP_ROUND] = {NULL, "round($a)", NULL, NULL},
    [ASH__OP_RINT] = FLOAT("rint($a)"),
    [ASH__OP_FDIM] = {NULL, "$a <= $b ? ($T)0 : $a - $b", NULL, NULL},
    [ASH__OP_FMIN] = {NULL, "$b != $b ? $a : $a != $a ? $b : min_$T($a, $b)", NULL, NULL},
    [ASH__OP_FMAX] = {NULL, "$b != $b ? $a : $a != $a ? $b : max_$T($a, $b)", NULL, NULL},
    [ASH__OP_COPYSIGN] = {NULL, "copysign($a, $b)", NULL, NULL},
    [ASH__OP_ISNAN] = {NULL, "$a != $a", NULL, NULL},
    [ASH__OP_ISINF] = {NULL, "fabs($a) == INFINITY", NULL, NULL},
    [ASH__OP_ISFINITE] = {NULL, "fabs($a) < INFINITY", NULL, NULL},
    [ASH__OP_ISNORMAL] = {NULL, "fabs($a) < INFINITY && fabs($a) >= LEAST_$T", NULL, NULL},
    [ASH__OP_SIGNBIT] = {NULL, "copysign(($T)1, $a) < 0", NULL, NULL},
    [ASH__OP_IDIV] = {"idiv_$T($a, $b)", NULL, NULL, NULL},
    [ASH__OP_IREM] = {"irem_$T($a, $b)", NULL, NULL, NULL},
    [ASH__OP_IFLD] = {"ifld_$T($a, $b)", NULL, NULL, NULL},
    [ASH__OP_IMOD] = {"imod_$T($a, $b)", NULL, NULL, NULL},
    [ASH__OP_IPOW] = {"ipow_$T($a, $b)", NULL, NULL, NULL},
    [ASH__OP_EXP] = FLOAT("exp_$T($a)"),
    [ASH__OP_EXP2] = FLOAT("exp2_$T($a)"),
    [ASH__OP_LOG] = FLOAT("log_$T($a)"),
    [ASH__OP_LOG2] = FLOAT("log2_$T($a)"),
    [ASH__OP_LOG10] = FLOAT("log10_$T($a)"),
    [ASH__OP_SIN] = FLOAT("any_sin_$T($a)"),
    [ASH__OP_COS] = FLOAT("any_cos_$T($a)"),
    [ASH__OP_TAN] = WIDE("any_tan_f64($a)", "wide_tan($a)"),
    [ASH__OP_TANH] = FLOAT("tanh_$T($a)"),
    [ASH__OP_CBRT] = WIDE("cbrt_f64($a)", "wide_cbrt($a)"),
    [ASH__OP_EXPM1] = WIDE("expm1_f64($a)", "wide_expm1($a)"),
    [ASH__OP_LOG1P] = WIDE("log1p_f64($a)", "wide_log1p($a)"),
    [ASH__OP_SINPI] = WIDE("sinpi_f64($a)", "wide_sinpi($a)"),
    [ASH__OP_COSPI] = WIDE("cospi_f64($a)", "wide_cospi($a)"),
    [ASH__OP_ASIN] = WIDE("asin_f64($a)", "wide_asin($a)"),
    [ASH__OP_ACOS] = WIDE("acos_f64($a)", "wide_acos($a)"),
    [ASH__OP_ATAN] = WIDE("atan_f64($a)", "wide_atan($a)"),
    [ASH__OP_SINH] = WIDE("sinh_f64($a)", "wide_sinh($a)"),
    [ASH__OP_COSH] = WIDE("cosh_f64($a)", "wide_cosh($a)"),
    [ASH__OP_ASINH] = WIDE("asinh_f64($a)", "wide_asinh($a)"),
    [ASH__OP_ACOSH] = WIDE("acosh_f64($a)", "wide_acosh($a)"),
    [ASH__OP_ATANH] = WIDE("atanh_f64($a)", "wide_atanh($a)"),
    [ASH__OP_ERF] = WIDE("erf_f64($a)", "wide_erf($a)"),
    [ASH__OP_ERFC] = WIDE("erfc_f64($a)", "wide_erfc($a)"),
    [ASH__OP_LGAMMA] = WIDE("lgamma($a)", "WIDE1(lgamma, lgamma, $a)"),
    [ASH__OP_TGAMMA] = WIDE("tgamma($a)", "WIDE1(tgamma, tgamma, $a)"),
    [ASH__OP_ATAN2] = WIDE("atan2_f64($a, $b)", "wide_atan2($a, $b)"),
    [ASH__OP_POW] = WIDE("pow_f64($a, $b)", "wide_pow($a, $b)"),
    [ASH__OP_HYPOT] = WIDE("hypot_f64($a, $b)", "wide_hypot($a, $b)"),
    [ASH__OP_LDEXP] = WIDE("ldexp_f64($a, $b)", "wide_ldexp($a, $b)"),
    [ASH__OP_FMOD] = FLOAT("fmod_$T($a, $b)"),
    [ASH__OP_REMAINDER] = FLOAT("remainder_$T($a, $b)"),
    [ASH__OP_FLDMOD] = FLOAT("fldmod_$T($a, $b)"),
    [ASH__OP_NEXTAFTER] = FLOAT("nextafter_$T($a, $b)"),
    [ASH__OP_LOGB] = FLOAT("logb_$T($a)"),
};

const char *ash__gpu_rule(const ash__ins *ins, ash_dtype type)
{
    const rule *const r = &rules[ins->op];
    if (type == ASH_BOOL)
        return r->of_bool;
    if (!ash__is_float(type))
        return r->of_integer;
    return type == ASH_F32 && r->of_f32 ? r->of_f32 : r->of_float;
}
