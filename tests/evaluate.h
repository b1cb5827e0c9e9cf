/*
 * evaluate.h - runs a typed program for one element, in plain C: integers in 128 bits, floats by libm.
 *
 * It shares no code with the library's own evaluators, so that tests of the compiler say something about the compiler. Values
 * go in and out as long double, which holds every element of every dtype (64 bits of mantissa or more).
 */
#ifndef TEST_EVALUATE_H
#define TEST_EVALUATE_H
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/dtype.h"
#include "expr/function.h"

__extension__ typedef __int128 wide;

typedef struct element { /* of a plain dtype */
    ash_dtype dtype;
    long double re, im;
    bool conjugated;
} element;

typedef struct cell { /* a value of any machine type */
    wide i;
    double f;
} cell;

static inline wide wrapped(ash_dtype type, wide x)
{
    const int bits = type == ASH_BOOL ? 1 : 8 * (int)ash_dtype_size(type);
    const wide modulus = (wide)1 << bits;
    x = ((x % modulus) + modulus) % modulus;
    return ash__is_signed(type) && x >= modulus / 2 ? x - modulus : x;
}

static inline double rounded(ash_dtype type, double x) { return type == ASH_F32 ? (double)(float)x : x; }

/* ---- memory */

static inline void write_part(ash_dtype dtype, long double x, char *to)
{
    const uint16_t h = dtype == ASH_F16 ? ash__f16_from_f64((double)x) : ash__bf16_from_f64((double)x);
    const float f = (float)x;
    const double d = (double)x;
    if (dtype == ASH_F16 || dtype == ASH_BF16)
        memcpy(to, &h, 2);
    else if (dtype == ASH_F32)
        memcpy(to, &f, 4);
    else if (dtype == ASH_F64)
        memcpy(to, &d, 8);
    else {
        const uint64_t u = x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x; /* little endian, as the tests' machines are */
        memcpy(to, &u, ash_dtype_size(dtype));
    }
}

static inline long double read_part(ash_dtype dtype, const char *from)
{
    uint64_t u = 0;
    float f;
    double d;
    memcpy(&u, from, ash_dtype_size(dtype));
    memcpy(&f, &u, sizeof f);
    memcpy(&d, &u, sizeof d);
    if (dtype == ASH_F16)
        return (long double)ash__f16_to_f32((uint16_t)u);
    if (dtype == ASH_BF16)
        return (long double)ash__bf16_to_f32((uint16_t)u);
    if (dtype == ASH_F32)
        return (long double)f;
    return dtype == ASH_F64 ? (long double)d : (long double)wrapped(dtype, (wide)u);
}

static inline void write_element(const element *e, char bytes[16])
{
    const ash_dtype part = ash__part(e->dtype);
    write_part(part, e->re, bytes);
    if (ash__is_complex(e->dtype))
        write_part(part, e->conjugated ? -e->im : e->im, bytes + ash_dtype_size(part));
}

/* ---- operations */

static inline wide power_of(wide x, wide n, ash_dtype type, int *faults)
{
    wide r = 1;
    if (n < 0) {
        *faults |= x == 1 || x == -1 ? 0 : ASH__FAULT_POWER;
        return x == -1 ? (n % 2 ? -1 : 1) : x;
    }
    for (wide k = 0; k < n && k < 4096; k++)
        r = wrapped(type, r * x);
    return r;
}

static inline wide divided(ash__op op, wide a, wide b, int *faults)
{
    if (b == 0) {
        *faults |= ASH__FAULT_DIVIDE;
        return 0;
    }
    const wide q = a / b, r = a % b;
    const bool down = r != 0 && (r < 0) != (b < 0);
    return op == ASH__OP_IDIV ? q : op == ASH__OP_IREM ? r : op == ASH__OP_IFLD ? q - down : down ? r + b : r;
}

static inline wide integer_op(const ash__ins *i, wide a, wide b, wide c, int *faults)
{
    const ash_dtype type = (ash_dtype)i->from;
    const int width = 8 * (int)ash_dtype_size(type);
    const wide count = b < 0 ? (wide)1 << 64 : b;
    switch ((ash__op)i->op) {
    case ASH__OP_ADD: return a + b;
    case ASH__OP_SUB: return a - b;
    case ASH__OP_MUL: return (wide)((uint64_t)a * (uint64_t)b);
    case ASH__OP_NEG: return -a;
    case ASH__OP_ABS: return a < 0 ? -a : a;
    case ASH__OP_MULADD: return (wide)((uint64_t)a * (uint64_t)b) + c;
    case ASH__OP_MULSUB: return (wide)((uint64_t)a * (uint64_t)b) - c;
    case ASH__OP_MULMUL: return (wide)((uint64_t)a * (uint64_t)b * (uint64_t)c);
    case ASH__OP_SUMSQ: return (wide)((uint64_t)a * (uint64_t)a + (uint64_t)b * (uint64_t)b);
    case ASH__OP_SQDIFF: return (wide)(((uint64_t)a - (uint64_t)b) * ((uint64_t)a - (uint64_t)b));
    case ASH__OP_MIN: return a < b ? a : b;
    case ASH__OP_MAX: return a > b ? a : b;
    case ASH__OP_SIGN: return (a > 0) - (a < 0);
    case ASH__OP_IDIV:
    case ASH__OP_IREM:
    case ASH__OP_IFLD:
    case ASH__OP_IMOD: return divided((ash__op)i->op, a, b, faults);
    case ASH__OP_IPOW: return power_of(a, b, type, faults);
    case ASH__OP_AND: return a & b;
    case ASH__OP_OR: return a | b;
    case ASH__OP_XOR: return a ^ b;
    case ASH__OP_NOT: return type == ASH_BOOL ? !a : ~a;
    case ASH__OP_SHL: return count >= width ? 0 : (wide)((uint64_t)a << (int)count);
    case ASH__OP_SHR: return count >= width ? (a < 0 ? -1 : 0) : a >> (int)count;
    case ASH__OP_EQ: return a == b;
    case ASH__OP_NE: return a != b;
    case ASH__OP_LT: return a < b;
    case ASH__OP_LE: return a <= b;
    default: fprintf(stderr, "no integer operation %s\n", ash__op_name((ash__op)i->op)); abort();
    }
}

static inline double smallest_of(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}

static inline double float_op(const ash__ins *i, double a, double b, double c)
{
    const ash_dtype type = (ash_dtype)i->from;
    switch ((ash__op)i->op) {
    case ASH__OP_ADD: return a + b;
    case ASH__OP_SUB: return a - b;
    case ASH__OP_MUL: return a * b;
    case ASH__OP_DIV: return a / b;
    case ASH__OP_NEG: return -a;
    case ASH__OP_ABS: return fabs(a);
    case ASH__OP_MULADD: return rounded(type, a * b) + c;
    case ASH__OP_MULSUB: return rounded(type, a * b) - c;
    case ASH__OP_MULMUL: return rounded(type, a * b) * c;
    case ASH__OP_SUMSQ: return rounded(type, a * a) + rounded(type, b * b);
    case ASH__OP_SQDIFF: return rounded(type, a - b) * rounded(type, a - b);
    case ASH__OP_FMA: return type == ASH_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
    case ASH__OP_MIN: return smallest_of(a, b);
    case ASH__OP_MAX: return -smallest_of(-a, -b);
    case ASH__OP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a;
    case ASH__OP_SQRT: return sqrt(a);
    case ASH__OP_CBRT: return cbrt(a);
    case ASH__OP_EXP: return exp(a);
    case ASH__OP_EXP2: return exp2(a);
    case ASH__OP_EXPM1: return expm1(a);
    case ASH__OP_LOG: return log(a);
    case ASH__OP_LOG2: return log2(a);
    case ASH__OP_LOG10: return log10(a);
    case ASH__OP_LOG1P: return log1p(a);
    case ASH__OP_SIN: return sin(a);
    case ASH__OP_COS: return cos(a);
    case ASH__OP_TAN: return tan(a);
    case ASH__OP_ASIN: return asin(a);
    case ASH__OP_ACOS: return acos(a);
    case ASH__OP_ATAN: return atan(a);
    case ASH__OP_ATAN2: return atan2(a, b);
    case ASH__OP_SINH: return sinh(a);
    case ASH__OP_COSH: return cosh(a);
    case ASH__OP_TANH: return tanh(a);
    case ASH__OP_ASINH: return asinh(a);
    case ASH__OP_ACOSH: return acosh(a);
    case ASH__OP_ATANH: return atanh(a);
    case ASH__OP_POW: return pow(a, b);
    case ASH__OP_HYPOT: return hypot(a, b);
    case ASH__OP_ERF: return erf(a);
    case ASH__OP_ERFC: return erfc(a);
    case ASH__OP_LGAMMA: return lgamma(a);
    case ASH__OP_TGAMMA: return tgamma(a);
    case ASH__OP_FLOOR: return floor(a);
    case ASH__OP_CEIL: return ceil(a);
    case ASH__OP_TRUNC: return trunc(a);
    case ASH__OP_ROUND: return round(a);
    case ASH__OP_RINT: return rint(a);
    case ASH__OP_FMOD: return fmod(a, b);
    case ASH__OP_REMAINDER: return remainder(a, b);
    case ASH__OP_FLDMOD: return a - floor(a / b) * b;
    case ASH__OP_FDIM: return fdim(a, b);
    case ASH__OP_FMIN: return isnan(a) || b < a || (a == b && signbit(b)) ? b : a; /* C leaves fmin(0.0, -0.0) open */
    case ASH__OP_FMAX: return isnan(a) || b > a || (a == b && !signbit(b)) ? b : a;
    case ASH__OP_COPYSIGN: return copysign(a, b);
    case ASH__OP_NEXTAFTER: return type == ASH_F32 ? (double)nextafterf((float)a, (float)b) : nextafter(a, b);
    case ASH__OP_LDEXP: return ldexp(a, isnan(b) ? 0 : b > 1e5 ? 100000 : b < -1e5 ? -100000 : (int)b);
    case ASH__OP_LOGB: return logb(a);
    default: fprintf(stderr, "no float operation %s\n", ash__op_name((ash__op)i->op)); abort();
    }
}

/* -1: no test of floats */
static inline int float_test(const ash__ins *i, double a, double b)
{
    switch ((ash__op)i->op) {
    case ASH__OP_EQ: return a == b;
    case ASH__OP_NE: return a != b;
    case ASH__OP_LT: return a < b;
    case ASH__OP_LE: return a <= b;
    case ASH__OP_ISNAN: return isnan(a);
    case ASH__OP_ISINF: return isinf(a) != 0;
    case ASH__OP_ISFINITE: return isfinite(a);
    case ASH__OP_ISNORMAL: return i->from == ASH_F32 ? isnormal((float)a) : isnormal(a);
    case ASH__OP_SIGNBIT: return signbit(a) != 0;
    default: return -1;
    }
}

static inline cell converted(ash_dtype to, ash_dtype from, cell x)
{
    cell r = {0, 0};
    if (!ash__is_float(from))
        r.i = to == ASH_BOOL ? x.i != 0 : ash__is_float(to) ? 0 : wrapped(to, x.i);
    if (!ash__is_float(from) && ash__is_float(to))
        r.f = to == ASH_F32 ? (double)(float)(long double)x.i : (double)(long double)x.i;
    if (ash__is_float(from) && ash__is_float(to))
        r.f = rounded(to, x.f);
    if (!ash__is_float(from) || ash__is_float(to))
        return r;
    if (to == ASH_BOOL) {
        r.i = x.f != 0;
        return r;
    }
    const int bits = 8 * (int)ash_dtype_size(to) - (ash__is_signed(to) ? 1 : 0);
    const wide most = ((wide)1 << bits) - 1, least = ash__is_signed(to) ? -most - 1 : 0;
    r.i = isnan(x.f) ? 0 : x.f >= 1e30 ? most : x.f <= -1e30 ? least : (wide)x.f;
    r.i = r.i > most ? most : r.i < least ? least : r.i;
    return r;
}

static inline cell constant_of(const ash__ins *i)
{
    cell r = {0, 0};
    const long double x = read_part((ash_dtype)i->type, (const char *)&i->constant);
    if (ash__is_float((ash_dtype)i->type))
        r.f = (double)x;
    else
        r.i = (wide)x;
    return r;
}

static inline cell loaded(const ash__ins *i, const char *const *operand)
{
    cell r = {0, 0};
    const long double x = read_part((ash_dtype)i->from, operand[i->arg[0]] + i->offset);
    if (ash__is_float((ash_dtype)i->type))
        r.f = (double)x;
    else
        r.i = (wide)x;
    return r;
}

static inline cell step(const ash__ins *i, const cell *v, const char *const *operand, int *faults)
{
    const cell a = v[i->arg[0]], b = v[i->arg[1]], c = v[i->arg[2]];
    const ash_dtype type = (ash_dtype)i->type, from = (ash_dtype)i->from;
    cell r = {0, 0};
    switch ((ash__op)i->op) {
    case ASH__OP_LOAD: return loaded(i, operand);
    case ASH__OP_CONSTANT: return constant_of(i);
    case ASH__OP_CONVERT: return converted(type, from, a);
    case ASH__OP_NARROW:
        r = converted(type, from, a);
        *faults |= r.i == a.i ? 0 : ASH__FAULT_VALUE;
        return r;
    case ASH__OP_ROUND16:
        r.f = from == ASH_F16 ? (double)ash__f16_to_f32(ash__f16_from_f64(a.f))
                              : (double)ash__bf16_to_f32(ash__bf16_from_f64(a.f));
        return r;
    case ASH__OP_SELECT: return a.i ? b : c;
    default: break;
    }
    if (ash__is_float(from)) {
        const int truth = float_test(i, a.f, b.f);
        r.i = truth;
        r.f = truth < 0 ? rounded(from, float_op(i, a.f, b.f, c.f)) : 0;
    } else
        r.i = wrapped(type, integer_op(i, a.i, b.i, c.i, faults));
    return r;
}

/* The program's result for these elements; operand: their bytes. Gives back fault bits. */
static inline int run_program(const ash__program *p, const char *const *operand, element *result)
{
    int faults = 0;
    const ash_dtype part = ash__part(p->dtype);
    char bytes[16];
    *result = (element){.dtype = p->dtype};
    if (p->copies >= 0) {
        result->re = read_part(part, operand[p->copies]);
        result->im = ash__is_complex(p->dtype) ? read_part(part, operand[p->copies] + ash_dtype_size(part)) : 0;
        return 0;
    }
    cell *v = calloc((size_t)p->count, sizeof *v);
    for (int k = 0; k < p->count; k++)
        v[k] = step(&p->ins[k], v, operand, &faults);
    for (int k = 0; k < p->outputs; k++) { /* through memory, where f16 and bf16 are rounded */
        const cell x = v[p->output[k]];
        write_part(part, ash__is_float(part) ? (long double)x.f : (long double)x.i, bytes);
        *(k ? &result->im : &result->re) = read_part(part, bytes);
    }
    free(v);
    return faults;
}

/* Units in the last place between two values of a dtype's part; 0 also for two NaN or equal infinities. */
static inline long double ulps_between(ash_dtype part, long double x, long double y)
{
    const int digits = part == ASH_F16 ? 11 : part == ASH_BF16 ? 8 : part == ASH_F32 ? 24 : 53;
    const int least = part == ASH_F16 ? -24 : part == ASH_BF16 ? -133 : part == ASH_F32 ? -149 : -1074;
    if (x == y || (isnan(x) && isnan(y)))
        return x == y && (signbit(x) != 0) != (signbit(y) != 0) ? 1e9L : 0;
    if (!isfinite(x) || !isfinite(y))
        return HUGE_VALL;
    int exponent;
    frexpl(y, &exponent);
    return fabsl(x - y) / ldexpl(1, exponent - digits < least ? least : exponent - digits);
}
#endif
