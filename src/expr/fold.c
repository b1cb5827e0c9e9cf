/*
 * fold.c - evaluating an operation on constants.
 *
 * Integers of every width are computed in 64 bits, unsigned, and cut to their width; f32 is computed in f64 and rounded once
 * more, which for + - * / and sqrt gives the f32 result (S. A. Figueroa, When is double rounding innocuous?, SIGNUM
 * Newsletter 30(3), 1995) and for elementary functions one nearer to the true value than any f32 code.
 * Left to run time is what faults, and lgamma, which writes a global variable in most C libraries.
 */
#include "expr/builder.h"

#include <math.h>
#include <string.h>

#define CASE(ID, value) \
    case ASH__OP_##ID:  \
        *r = value;     \
        return true;

static int width_of(ash_dtype machine) { return 8 * (int)ash_dtype_size(machine); }

int64_t ash__scalar_i64(ash_dtype machine, ash__scalar x)
{
    switch (machine) {
    case ASH_BOOL:
        return x.b;
    case ASH_I8:
        return x.i8;
    case ASH_I16:
        return x.i16;
    case ASH_I32:
        return x.i32;
    case ASH_U8:
        return x.u8;
    case ASH_U16:
        return x.u16;
    case ASH_U32:
        return x.u32;
    default:
        return x.i64;
    }
}

ash__scalar ash__scalar_from_i64(ash_dtype machine, int64_t x)
{
    const int width = machine == ASH_BOOL ? 1 : width_of(machine);
    ash__scalar s = {.bits = (uint64_t)x};
    if (ash__is_float(machine))
        return ash__scalar_from_f64(machine, (double)x);
    if (width < 64)
        s.bits &= ((uint64_t)1 << width) - 1;
    switch (machine) { /* the member, so that byte order does not matter */
    case ASH_BOOL:
    case ASH_I8:
    case ASH_U8:
        return (ash__scalar){.u8 = (uint8_t)s.bits};
    case ASH_I16:
    case ASH_U16:
        return (ash__scalar){.u16 = (uint16_t)s.bits};
    case ASH_I32:
    case ASH_U32:
        return (ash__scalar){.u32 = (uint32_t)s.bits};
    default:
        return s;
    }
}

double ash__scalar_f64(ash_dtype machine, ash__scalar x)
{
    if (machine == ASH_F32)
        return (double)x.f32;
    if (machine == ASH_F64)
        return x.f64;
    return machine == ASH_U64 ? (double)x.u64 : (double)ash__scalar_i64(machine, x);
}

ash__scalar ash__scalar_from_f64(ash_dtype machine, double x)
{
    if (machine == ASH_F32)
        return (ash__scalar){.f32 = (float)x};
    if (machine == ASH_F64)
        return (ash__scalar){.f64 = x};
    return ash__scalar_from_i64(machine, (int64_t)x);
}

double ash__constant_f64(const ash__builder *b, int value)
{
    return ash__scalar_f64(ash__type_of(b, value), b->ins[value].constant);
}

/* ---- integers and bool */

static bool less(bool is_signed, uint64_t a, uint64_t b) { return is_signed ? (int64_t)a < (int64_t)b : a < b; }

static uint64_t shift(ash_dtype type, bool left, uint64_t a, uint64_t count)
{
    const uint64_t width = (uint64_t)width_of(type);
    const bool negative = ash__is_signed(type) && (int64_t)a < 0;
    if (width < 64)
        count &= ((uint64_t)1 << width) - 1; /* a negative count of a narrow type was sign-extended */
    if (count >= width)
        return !left && negative ? UINT64_MAX : 0;
    if (left)
        return a << count;
    return negative ? ~(~a >> count) : a >> count;
}

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

/* b is not 0. The smallest number by -1 wraps, without the trap of the machine's division. */
static uint64_t divide(ash__op op, bool is_signed, uint64_t a, uint64_t b)
{
    const bool quotient = op == ASH__OP_IDIV || op == ASH__OP_IFLD;
    if (!is_signed)
        return quotient ? a / b : a % b;
    if (b == UINT64_MAX)
        return quotient ? 0 - a : 0;
    int64_t q = (int64_t)a / (int64_t)b, r = (int64_t)a % (int64_t)b;
    if ((op == ASH__OP_IFLD || op == ASH__OP_IMOD) && r && (r < 0) != ((int64_t)b < 0)) {
        q--;
        r += (int64_t)b;
    }
    return (uint64_t)(quotient ? q : r);
}

#define INTEGER_OPS(X) \
    X(ADD, a + b) \
    X(SUB, a - b) \
    X(MUL, a * b) \
    X(NEG, 0 - a) \
    X(ABS, is_signed && (int64_t)a < 0 ? 0 - a : a) \
    X(MULADD, a * b + c) \
    X(MULSUB, a * b - c) \
    X(MULMUL, a * b * c) \
    X(SUMSQ, a * a + b * b) \
    X(SQDIFF, (a - b) * (a - b)) \
    X(MIN, less(is_signed, b, a) ? b : a) \
    X(MAX, less(is_signed, a, b) ? b : a) \
    X(SIGN, is_signed && (int64_t)a < 0 ? UINT64_MAX : a != 0) \
    X(AND, a & b) \
    X(OR, a | b) \
    X(XOR, a ^ b) \
    X(NOT, type == ASH_BOOL ? !a : ~a) \
    X(SHL, shift(type, true, a, b)) \
    X(SHR, shift(type, false, a, b)) \
    X(EQ, a == b) \
    X(NE, a != b) \
    X(LT, less(is_signed, a, b)) \
    X(LE, !less(is_signed, b, a))

static bool fold_integer(const ash__ins *ins, uint64_t a, uint64_t b, uint64_t c, uint64_t *r)
{
    const ash_dtype type = (ash_dtype)ins->from;
    const bool is_signed = ash__is_signed(type);
    switch ((ash__op)ins->op) {
        INTEGER_OPS(CASE)
    case ASH__OP_IDIV:
    case ASH__OP_IREM:
    case ASH__OP_IFLD:
    case ASH__OP_IMOD:
        *r = b ? divide((ash__op)ins->op, is_signed, a, b) : 0;
        return b != 0;
    case ASH__OP_IPOW:
        *r = power(a, b);
        return !is_signed || (int64_t)b >= 0;
    default:
        return false;
    }
}

/* ---- floats */

static double extreme(double a, double b, bool largest)
{
    if (isnan(a) || isnan(b))
        return a + b;
    if (a == b)
        return (signbit(a) != 0) == largest ? b : a; /* of two zeros */
    return (a < b) == largest ? b : a;
}

/* C's fmin and fmax, with -0.0 below 0.0, which C leaves open: as the kernels have it. */
static double smaller_number(double a, double b) { return isnan(a) || b < a || (a == b && signbit(b)) ? b : a; }
static double larger_number(double a, double b) { return isnan(a) || b > a || (a == b && !signbit(b)) ? b : a; }

static double floored_remainder(double a, double b)
{
    const double r = fmod(a, b);
    if (r == 0)
        return copysign(r, b);
    return (r < 0) != (b < 0) ? r + b : r;
}

static double scaled(double a, double b)
{
    return ldexp(a, isnan(b) ? 0 : b > 10000 ? 10000 : b < -10000 ? -10000 : (int)b);
}

/* sin(pi x) for any x: exact reduction, then at most a quarter turn. */
static double sine_of_turns(double x, bool cosine)
{
    const double pi = 0x1.921fb54442d18p+1;
    if (!isfinite(x))
        return x - x;
    double r = fmod(fabs(x), 2.0);
    const bool negative = !cosine && signbit(x);
    if (cosine)
        r = r > 1.0 ? 2.0 - r : r;
    double y;
    if (cosine)
        y = r == 0.5 ? 0.0 : r < 0.25 ? cos(pi * r) : r > 0.75 ? -cos(pi * (1.0 - r)) : sin(pi * (0.5 - r));
    else {
        const double s = r >= 1.0 ? -1.0 : 1.0;
        r = r >= 1.0 ? r - 1.0 : r;
        r = r > 0.5 ? 1.0 - r : r;
        y = r == 0 ? 0.0 : s * (r < 0.25 ? sin(pi * r) : cos(pi * (0.5 - r)));
    }
    return negative ? -y : y;
}

#define UNARY_OPS(X) \
    X(NEG, -a) \
    X(ABS, fabs(a)) \
    X(SIGN, a > 0 ? 1 : a < 0 ? -1 : a) \
    X(SQRT, sqrt(a)) \
    X(CBRT, cbrt(a)) \
    X(EXP, exp(a)) \
    X(EXP2, exp2(a)) \
    X(EXPM1, expm1(a)) \
    X(LOG, log(a)) \
    X(LOG2, log2(a)) \
    X(LOG10, log10(a)) \
    X(LOG1P, log1p(a)) \
    X(SIN, sin(a)) \
    X(COS, cos(a)) \
    X(TAN, tan(a)) \
    X(SINPI, sine_of_turns(a, false)) \
    X(COSPI, sine_of_turns(a, true)) \
    X(ASIN, asin(a)) \
    X(ACOS, acos(a)) \
    X(ATAN, atan(a)) \
    X(SINH, sinh(a)) \
    X(COSH, cosh(a)) \
    X(TANH, tanh(a)) \
    X(ASINH, asinh(a)) \
    X(ACOSH, acosh(a)) \
    X(ATANH, atanh(a)) \
    X(ERF, erf(a)) \
    X(ERFC, erfc(a)) \
    X(TGAMMA, tgamma(a)) \
    X(FLOOR, floor(a)) \
    X(CEIL, ceil(a)) \
    X(TRUNC, trunc(a)) \
    X(ROUND, round(a)) \
    X(RINT, rint(a)) \
    X(LOGB, logb(a))

static bool fold_unary(ash__op op, double a, double *r)
{
    switch (op) {
        UNARY_OPS(CASE)
    default:
        return false;
    }
}

#define BINARY_OPS(X) \
    X(ADD, a + b) \
    X(SUB, a - b) \
    X(MUL, a * b) \
    X(DIV, a / b) \
    X(MIN, extreme(a, b, false)) \
    X(MAX, extreme(a, b, true)) \
    X(ATAN2, atan2(a, b)) \
    X(POW, pow(a, b)) \
    X(HYPOT, hypot(a, b)) \
    X(FMOD, fmod(a, b)) \
    X(REMAINDER, remainder(a, b)) \
    X(FLDMOD, floored_remainder(a, b)) \
    X(FDIM, fdim(a, b)) \
    X(FMIN, smaller_number(a, b)) \
    X(FMAX, larger_number(a, b)) \
    X(COPYSIGN, copysign(a, b)) \
    X(LDEXP, scaled(a, b))

static bool fold_binary(ash__op op, double a, double b, double *r)
{
    switch (op) {
        BINARY_OPS(CASE)
    default:
        return false;
    }
}

#define TEST_OPS(X) \
    X(EQ, a == b) \
    X(NE, a != b) \
    X(LT, a < b) \
    X(LE, a <= b) \
    X(ISNAN, isnan(a)) \
    X(ISINF, isinf(a)) \
    X(ISFINITE, isfinite(a)) \
    X(ISNORMAL, ins->from == ASH_F32 ? isnormal((float)a) : isnormal(a)) \
    X(SIGNBIT, signbit(a) != 0)

static bool fold_test(const ash__ins *ins, double a, double b, bool *r)
{
    switch ((ash__op)ins->op) {
        TEST_OPS(CASE)
    default:
        return false;
    }
}

static bool fold_float(const ash__ins *ins, const ash__scalar x[3], ash__scalar *result)
{
    const ash_dtype type = (ash_dtype)ins->from;
    const double a = ash__scalar_f64(type, x[0]), b = ash__scalar_f64(type, x[1]);
    bool truth;
    double r;
    if (fold_test(ins, a, b, &truth)) {
        *result = ash__scalar_from_i64(ASH_BOOL, truth);
        return true;
    }
    if (ins->op == ASH__OP_FMA && type == ASH_F32)
        r = (double)fmaf(x[0].f32, x[1].f32, x[2].f32);
    else if (ins->op == ASH__OP_FMA)
        r = fma(a, b, x[2].f64);
    else if (ins->op == ASH__OP_NEXTAFTER && type == ASH_F32)
        r = (double)nextafterf(x[0].f32, x[1].f32);
    else if (ins->op == ASH__OP_NEXTAFTER)
        r = nextafter(a, b);
    else if (!fold_unary((ash__op)ins->op, a, &r) && !fold_binary((ash__op)ins->op, a, b, &r))
        return false;
    *result = ash__scalar_from_f64(type, r);
    return true;
}

/* ---- conversions */

/* Truncates and saturates; NaN gives 0. */
static ash__scalar integer_from_float(ash_dtype to, double x)
{
    const int bits = width_of(to) - (ash__is_signed(to) ? 1 : 0);
    const double end = ldexp(1.0, bits), begin = ash__is_signed(to) ? -end : 0.0;
    if (isnan(x))
        return (ash__scalar){0};
    if (x >= end)
        return ash__scalar_from_i64(to, bits == 64 ? -1 : (int64_t)(((uint64_t)1 << bits) - 1));
    if (x <= begin)
        return ash__scalar_from_i64(to, ash__is_signed(to) ? (int64_t)(UINT64_MAX << bits) : 0);
    return ash__scalar_from_i64(to, to == ASH_U64 ? (int64_t)(uint64_t)x : (int64_t)x);
}

static ash__scalar convert(ash_dtype to, ash_dtype from, ash__scalar x)
{
    const bool is_float = ash__is_float(from);
    if (to == ASH_BOOL)
        return ash__scalar_from_i64(to, is_float ? ash__scalar_f64(from, x) != 0 : ash__scalar_i64(from, x) != 0);
    if (ash__is_integer(to))
        return is_float ? integer_from_float(to, ash__scalar_f64(from, x)) : ash__scalar_from_i64(to, ash__scalar_i64(from, x));
    if (to == ASH_F32 && from == ASH_I64)
        return (ash__scalar){.f32 = (float)x.i64};
    if (to == ASH_F32 && from == ASH_U64)
        return (ash__scalar){.f32 = (float)x.u64};
    return ash__scalar_from_f64(to, ash__scalar_f64(from, x));
}

static bool fold_narrow(ash_dtype to, ash_dtype from, ash__scalar x, ash__scalar *result)
{
    *result = convert(to, from, x);
    const int64_t before = ash__scalar_i64(from, x), after = ash__scalar_i64(to, *result);
    const bool top = before < 0 && from == ASH_U64, top_after = after < 0 && to == ASH_U64;
    return before == after && top == top_after;
}

ash__scalar ash__fold_round16(ash_dtype to, double x)
{
    return (ash__scalar){.f32 =
                             to == ASH_F16 ? ash__f16_to_f32(ash__f16_from_f64(x)) : ash__bf16_to_f32(ash__bf16_from_f64(x))};
}

bool ash__fold(const ash__ins *ins, const ash__scalar x[3], ash__scalar *result)
{
    const ash_dtype type = (ash_dtype)ins->type, from = (ash_dtype)ins->from;
    if (ins->op == ASH__OP_CONVERT)
        *result = convert(type, from, x[0]);
    else if (ins->op == ASH__OP_NARROW)
        return fold_narrow(type, from, x[0], result);
    else if (ins->op == ASH__OP_ROUND16)
        return false; /* ash__fold_round16: only the caller knows whether x is f32 or f64 */
    else if (ins->op == ASH__OP_SELECT)
        *result = x[0].b ? x[1] : x[2];
    else if (ash__is_float(from))
        return fold_float(ins, x, result);
    else {
        uint64_t r;
        if (!fold_integer(ins, (uint64_t)ash__scalar_i64(from, x[0]), (uint64_t)ash__scalar_i64(from, x[1]),
                          (uint64_t)ash__scalar_i64(from, x[2]), &r))
            return false;
        *result = ash__scalar_from_i64(type, (int64_t)r);
    }
    return true;
}
