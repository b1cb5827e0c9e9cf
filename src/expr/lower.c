/*
 * lower.c - the sequences of elementary functions.
 *
 * Written as the C text is, function by function and under the same names: kernels/math_exp.h and its like are the place to
 * read about a method. Functions of f32 that the kernels compute in f64 are computed in f64 here too. Where the kernels leave
 * an argument to libm, the sequence says so by a LEAVE.
 */
#include "expr/lower.h"

#include <float.h>
#include <math.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))
#define LN2_HI 0x1.62e42ffp-1
#define LN2_LO -0x1.718432a1b0e26p-35
#define LOG2E 0x1.71547652b82fep+0
#define PI_HI 0x1.921fb54442d18p+1
#define PI_LO 0x1.1a62633145c07p-53
#define INTEGER_F64 0x1.8p52 /* adding it leaves the nearest integer in the low bits */
#define INTEGER_F32 0x1.8p23

typedef struct writer { /* instructions of one type */
    ash__lowered *f;
    ash_dtype type, bits; /* a float, and the unsigned integer as wide */
} writer;

typedef struct pair { /* hi + lo */
    int hi, lo;
} pair;

/* ---- one instruction each */

static int put_ins(ash__lowered *f, ash__ins i)
{
    if (f->count < ASH__LOWERED_MOST)
        f->ins[f->count] = i;
    return f->count++;
}
/* The value, as it is, of a type that is as wide. */
static int as(const writer *w, ash_dtype type, int a)
{
    const uint8_t from = a < ASH__LOWERED_MOST ? w->f->ins[a].type : (uint8_t)type;
    return from == type
               ? a
               : put_ins(w->f, (ash__ins){.op = ASH__LOW_BITS, .type = (uint8_t)type, .from = from, .arg = {(uint16_t)a}});
}
/* Operands of type from; c of SELECT is the third. */
static int put(const writer *w, int op, ash_dtype type, ash_dtype from, int a, int b, int c)
{
    return put_ins(w->f, (ash__ins){.op = (uint8_t)op,
                                    .type = (uint8_t)type,
                                    .from = (uint8_t)from,
                                    .arg = {(uint16_t)a, (uint16_t)b, (uint16_t)c}});
}
static int operation(const writer *w, int op, ash_dtype type, int a, int b)
{
    return put(w, op, type, type, as(w, type, a), as(w, type, b), 0);
}
static int relation(const writer *w, ash__op op, int a, int b)
{
    return put(w, (int)op, ASH_BOOL, w->type, as(w, w->type, a), as(w, w->type, b), 0);
}
static int constant(const writer *w, ash_dtype type, ash__scalar x)
{
    for (int k = 0; k < w->f->count && k < ASH__LOWERED_MOST; k++) {
        const ash__ins *const i = &w->f->ins[k];
        if (i->op == ASH__OP_CONSTANT && i->type == type && i->constant.bits == x.bits)
            return k;
    }
    return put_ins(w->f, (ash__ins){.op = ASH__OP_CONSTANT, .type = (uint8_t)type, .from = (uint8_t)type, .constant = x});
}
static int num(const writer *w, double x) /* exact in the type */
{
    ash__scalar s = {.f64 = x};
    if (w->type == ASH_F32)
        s = (ash__scalar){.bits = 0}, s.f32 = (float)x;
    return constant(w, w->type, s);
}
static int whole(const writer *w, uint64_t bits)
{
    return constant(w, w->bits, (ash__scalar){.bits = bits});
}
static int add(const writer *w, int a, int b)
{
    return operation(w, ASH__OP_ADD, w->type, a, b);
}
static int sub(const writer *w, int a, int b)
{
    return operation(w, ASH__OP_SUB, w->type, a, b);
}
static int mul(const writer *w, int a, int b)
{
    return operation(w, ASH__OP_MUL, w->type, a, b);
}
static int quotient(const writer *w, int a, int b)
{
    return operation(w, ASH__OP_DIV, w->type, a, b);
}
static int fma_of(const writer *w, int a, int b, int c)
{
    return put(w, ASH__OP_FMA, w->type, w->type, as(w, w->type, a), as(w, w->type, b), as(w, w->type, c));
}
static int of_one(const writer *w, ash__op op, int a)
{
    return put(w, (int)op, w->type, w->type, as(w, w->type, a), 0, 0);
}
static int root(const writer *w, int a)
{
    return of_one(w, ASH__OP_SQRT, a);
}
static int size_of(const writer *w, int a)
{
    return of_one(w, ASH__OP_ABS, a);
}
static int negative(const writer *w, int a)
{
    return of_one(w, ASH__OP_NEG, a);
}
static int nearest(const writer *w, int a)
{
    return of_one(w, ASH__OP_RINT, a);
}
static int signed_as(const writer *w, int a, int b)
{
    return operation(w, ASH__OP_COPYSIGN, w->type, a, b);
}
static int choose_as(const writer *w, ash_dtype type, int mask, int a, int b)
{
    return put(w, ASH__OP_SELECT, type, type, mask, as(w, type, a), as(w, type, b));
}
static int choose(const writer *w, int mask, int a, int b)
{
    return choose_as(w, w->type, mask, a, b);
}
static int choose_bits(const writer *w, int mask, int a, int b)
{
    return choose_as(w, w->bits, mask, a, b);
}
static int less(const writer *w, int a, int b)
{
    return relation(w, ASH__OP_LT, a, b);
}
static int at_most(const writer *w, int a, int b)
{
    return relation(w, ASH__OP_LE, a, b);
}
static int equal(const writer *w, int a, int b)
{
    return relation(w, ASH__OP_EQ, a, b);
}
static int differs(const writer *w, int a, int b)
{
    return relation(w, ASH__OP_NE, a, b);
}
static int either(const writer *w, int p, int q)
{
    return put(w, ASH__OP_OR, ASH_BOOL, ASH_BOOL, p, q, 0);
}
static int both_of(const writer *w, int p, int q)
{
    return put(w, ASH__OP_AND, ASH_BOOL, ASH_BOOL, p, q, 0);
}
static int not_of(const writer *w, int p)
{
    return put(w, ASH__OP_NOT, ASH_BOOL, ASH_BOOL, p, 0, 0);
}
static int is_nan(const writer *w, int a)
{
    return put(w, ASH__OP_ISNAN, ASH_BOOL, w->type, as(w, w->type, a), 0, 0);
}
static int unordered(const writer *w, int a, int b)
{
    return a == b ? is_nan(w, a) : either(w, is_nan(w, a), is_nan(w, b));
}
static void leave(const writer *w, int mask)
{
    put(w, ASH__LOW_LEAVE, ASH_BOOL, ASH_BOOL, mask, 0, 0);
}
static int converted(const writer *w, ash_dtype from, ash_dtype to, int a)
{
    return put(w, ASH__OP_CONVERT, to, from, as(w, from, a), 0, 0);
}
static int bits_op(const writer *w, ash__op op, int a, int b)
{
    return operation(w, (int)op, w->bits, a, b);
}
static uint64_t sign_bit(const writer *w)
{
    return (uint64_t)1 << (w->type == ASH_F32 ? 31 : 63);
}

/* ---- several */

/* Horner's rule, lowest coefficient first. */
static int poly(const writer *w, int t, const double *c, int count)
{
    int sum = num(w, c[count - 1]);
    for (int k = count - 2; k >= 0; k--)
        sum = fma_of(w, sum, t, num(w, c[k]));
    return sum;
}
#define POLY(w, t, ...) poly(w, t, (const double[]){__VA_ARGS__}, COUNT(((const double[]){__VA_ARGS__})))

static pair two_sum(const writer *w, int a, int b)
{
    const int s = add(w, a, b), v = sub(w, s, a);
    return (pair){s, add(w, sub(w, a, sub(w, s, v)), sub(w, b, v))};
}
static pair fast_two_sum(const writer *w, int a, int b)
{
    const int s = add(w, a, b);
    return (pair){s, sub(w, b, sub(w, s, a))};
}
static pair two_product(const writer *w, int a, int b)
{
    const int p = mul(w, a, b);
    return (pair){p, fma_of(w, a, b, negative(w, p))};
}
static pair pair_product(const writer *w, pair a, pair b)
{
    const pair p = two_product(w, a.hi, b.hi);
    return (pair){p.hi, add(w, p.lo, add(w, mul(w, a.hi, b.lo), mul(w, a.lo, b.hi)))};
}
static pair choose_pair(const writer *w, int mask, pair a, pair b)
{
    return (pair){choose(w, mask, a.hi, b.hi), choose(w, mask, a.lo, b.lo)};
}
static int upper_half(const writer *w, int a)
{
    return bits_op(w, ASH__OP_AND, a, whole(w, 0xffffffff00000000u));
}
/* 2^k of an integral f64 */
static int power2(const writer *w, int k)
{
    const int t = add(w, k, num(w, INTEGER_F64));
    return bits_op(w, ASH__OP_SHL, bits_op(w, ASH__OP_ADD, t, whole(w, 1023)), whole(w, 52));
}
/* y * 2^k, k in the low bits of t */
static int scaled(const writer *w, int y, int t)
{
    return operation(w, ASH__LOW_SCALE, w->type, y, t);
}

/* ---- math_exp.h, f64 */

static int exp_rest(const writer *w, int r)
{
    const int q = POLY(w, r, 0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555558p-5, 0x1.11111111100dep-7, 0x1.6c16c16c15202p-10,
                       0x1.a01a01abe67b5p-13, 0x1.a01a01acf8d19p-16, 0x1.71de02367f22ap-19, 0x1.27e4ccd2b2ee1p-22,
                       0x1.af4ddf12afa19p-26, 0x1.1f8b4455eda73p-29);
    return mul(w, mul(w, r, r), q);
}
static int exp_shifted(const writer *w, int x, double shift)
{
    const int t = fma_of(w, x, num(w, LOG2E), num(w, INTEGER_F64)), k = sub(w, t, num(w, INTEGER_F64));
    const int r = sub(w, sub(w, x, mul(w, k, num(w, LN2_HI))), mul(w, k, num(w, LN2_LO)));
    const int y = add(w, num(w, 1), add(w, r, exp_rest(w, r)));
    return scaled(w, y, shift != 0 ? add(w, t, num(w, shift)) : t);
}
static int exp_f64(const writer *w, int x)
{
    const int y = choose(w, less(w, x, num(w, -745.2)), num(w, 0), exp_shifted(w, x, 0));
    return choose(w, less(w, num(w, 709.8), x), num(w, INFINITY), y);
}
static int exp2_f64(const writer *w, int x)
{
    const int t = add(w, x, num(w, INTEGER_F64)), k = sub(w, t, num(w, INTEGER_F64));
    const int r = mul(w, sub(w, x, k), num(w, 0x1.62e42fefa39efp-1));
    const int y = scaled(w, add(w, num(w, 1), add(w, r, exp_rest(w, r))), t);
    const int low = choose(w, less(w, x, num(w, -1075.5)), num(w, 0), y);
    return choose(w, at_most(w, num(w, 1024), x), num(w, INFINITY), low);
}
static int expm1_f64(const writer *w, int x)
{
    const int t = fma_of(w, x, num(w, LOG2E), num(w, INTEGER_F64)), k = sub(w, t, num(w, INTEGER_F64));
    const int hi = sub(w, x, mul(w, k, num(w, LN2_HI))), lo = mul(w, k, num(w, LN2_LO));
    const int r = sub(w, hi, lo), c = sub(w, sub(w, hi, r), lo), rest = add(w, c, exp_rest(w, r));
    const int inner = choose(w, less(w, k, num(w, -60)), num(w, 60), negative(w, k));
    const int one = sub(w, num(w, 1), power2(w, choose(w, less(w, num(w, 60), k), num(w, -60), inner)));
    const int y = scaled(w, add(w, one, add(w, r, rest)), t), low = choose(w, less(w, x, num(w, -37.5)), num(w, -1), y);
    const int high = choose(w, less(w, num(w, 709.8), x), num(w, INFINITY), low);
    return choose(w, less(w, size_of(w, x), num(w, 0x1p-54)), x, high);
}
static int sinh_f64(const writer *w, int x)
{
    const int a = size_of(w, x), z = mul(w, x, x);
    const int p = POLY(w, z, 0x1.5555555555555p-3, 0x1.1111111111199p-7, 0x1.a01a01a007b20p-13, 0x1.71de3a6822dbap-19,
                       0x1.ae64420d06a16p-26, 0x1.6130a74514baap-33, 0x1.a6dbc489ba1c4p-41, 0x1.c1d685a178963p-48);
    const int e = exp_shifted(w, a, -1), y = sub(w, e, quotient(w, num(w, 0.25), e));
    const int large = choose(w, less(w, num(w, 711), a), num(w, INFINITY), y);
    const int small = add(w, a, mul(w, mul(w, a, z), p));
    return signed_as(w, choose(w, less(w, a, num(w, 1)), small, large), x);
}
static int cosh_f64(const writer *w, int x)
{
    const int a = size_of(w, x), e = exp_shifted(w, a, -1), y = add(w, e, quotient(w, num(w, 0.25), e));
    return choose(w, less(w, num(w, 711), a), num(w, INFINITY), y);
}
static int tanh_f64(const writer *w, int x)
{
    const int a = size_of(w, x), e = expm1_f64(w, mul(w, num(w, 2), a)), y = quotient(w, e, add(w, e, num(w, 2)));
    return signed_as(w, choose(w, less(w, num(w, 22), a), num(w, 1), y), x);
}

/* ---- math_exp.h, f32 */

static int exp_rest_f32(const writer *w, int r)
{
    const int q = POLY(w, r, 0x1p-1, 0x1.555556p-3, 0x1.5554eap-5, 0x1.1110acp-7, 0x1.6d431ep-10, 0x1.a17df6p-13);
    return mul(w, mul(w, r, r), q);
}
static int exp_f32(const writer *w, int x)
{
    const int t = fma_of(w, x, num(w, 0x1.715476p+0), num(w, INTEGER_F32)), k = sub(w, t, num(w, INTEGER_F32));
    const int r = fma_of(w, k, num(w, -0x1.7f7d1cp-20), fma_of(w, k, num(w, -0x1.62e4p-1), x));
    const int y = scaled(w, add(w, add(w, r, exp_rest_f32(w, r)), num(w, 1)), t);
    const int high = choose(w, less(w, num(w, (double)88.8f), x), num(w, INFINITY), y);
    return choose(w, less(w, x, num(w, -104)), num(w, 0), high);
}
static int exp2_f32(const writer *w, int x)
{
    const int t = add(w, x, num(w, INTEGER_F32)), k = sub(w, t, num(w, INTEGER_F32));
    const int r = mul(w, sub(w, x, k), num(w, 0x1.62e43p-1));
    const int y = scaled(w, add(w, add(w, r, exp_rest_f32(w, r)), num(w, 1)), t);
    const int high = choose(w, at_most(w, num(w, 128), x), num(w, INFINITY), y);
    return choose(w, less(w, x, num(w, -150)), num(w, 0), high);
}
static int tanh_f32(const writer *w, int x)
{
    const int a = size_of(w, x), z = mul(w, x, x);
    const int p = POLY(w, z, -0x1.55553ap-2, 0x1.110852p-3, -0x1.b85cd2p-5, 0x1.52de8cp-6, -0x1.78bebp-8);
    const int b = choose(w, less(w, num(w, 10), a), num(w, 10), a), e = exp_f32(w, mul(w, num(w, 2), b));
    const int large = sub(w, num(w, 1), quotient(w, num(w, 2), add(w, e, num(w, 1))));
    const int y = choose(w, less(w, a, num(w, 0.625)), fma_of(w, mul(w, a, z), p, a), large);
    return signed_as(w, choose(w, unordered(w, a, a), a, y), x);
}

/* ---- math_log.h, f64 */

typedef struct parts {
    int k, f;
} parts;

static parts log_split(const writer *w, int x)
{
    const int small = less(w, x, num(w, DBL_MIN)), u = choose(w, small, mul(w, x, num(w, 0x1p54)), x);
    const int base = choose(w, small, num(w, 0x1p52 + 1023 + 54), num(w, 0x1p52 + 1023));
    const int lift = bits_op(w, ASH__OP_ADD, u, whole(w, 0x3ff0000000000000u - 0x3fe6a09e667f3bcdu));
    const int e = bits_op(w, ASH__OP_SHR, lift, whole(w, 52));
    const int k = sub(w, bits_op(w, ASH__OP_OR, e, whole(w, 0x4330000000000000u)), base);
    const int m = bits_op(w, ASH__OP_SUB, u, bits_op(w, ASH__OP_SHL, e, whole(w, 52)));
    return (parts){k, sub(w, bits_op(w, ASH__OP_ADD, m, whole(w, 1023ull << 52)), num(w, 1))};
}
static int log_rest(const writer *w, int f)
{
    const int s = quotient(w, f, add(w, num(w, 2), f)), z = mul(w, s, s);
    const int r = POLY(w, z, 0x1.555555555557cp-1, 0x1.9999999985764p-2, 0x1.2492493ddd71dp-2, 0x1.c71c54e50bb10p-3,
                       0x1.7465b96d2a135p-3, 0x1.39adf12264ae8p-3, 0x1.2e940322e9f8fp-3);
    return mul(w, s, add(w, mul(w, mul(w, num(w, 0.5), f), f), mul(w, z, r)));
}
static int log_corrected(const writer *w, int x, int c, double shift)
{
    parts p = log_split(w, x);
    if (shift != 0)
        p.k = add(w, p.k, num(w, shift));
    const int half = mul(w, mul(w, num(w, 0.5), p.f), p.f);
    const int low = add(w, log_rest(w, p.f), add(w, mul(w, p.k, num(w, LN2_LO)), c));
    return sub(w, mul(w, p.k, num(w, LN2_HI)), sub(w, sub(w, half, low), p.f));
}
static int log_special(const writer *w, int x, int y)
{
    const double largest = w->type == ASH_F32 ? (double)FLT_MAX : DBL_MAX;
    const int zero = choose(w, equal(w, x, num(w, 0)), num(w, -INFINITY), y);
    const int below = choose(w, less(w, x, num(w, 0)), num(w, (double)NAN), zero);
    return choose(w, at_most(w, x, num(w, largest)), below, x);
}
static int log_f64(const writer *w, int x)
{
    return log_special(w, x, log_corrected(w, x, num(w, 0), 0));
}
static int log1p_f64(const writer *w, int x)
{
    const int one = num(w, 1), u = add(w, one, x);
    const int c = choose(w, less(w, one, x), sub(w, one, sub(w, u, x)), sub(w, x, sub(w, u, one)));
    const int rest = choose(w, less(w, num(w, 0x1p60), x), num(w, 0), quotient(w, c, u));
    return choose(w, equal(w, x, num(w, 0)), x, log_special(w, u, log_corrected(w, u, rest, 0)));
}
static pair log_pair(const writer *w, int f)
{
    const int half = mul(w, mul(w, num(w, 0.5), f), f), hi = upper_half(w, sub(w, f, half));
    return (pair){hi, add(w, sub(w, sub(w, f, hi), half), log_rest(w, f))};
}
static int log2_f64(const writer *w, int x)
{
    const int high = num(w, 0x1.71547p+0), low = num(w, 0x1.94ae0bf85ddf4p-22);
    const parts p = log_split(w, x);
    const pair m = log_pair(w, p.f), y = two_sum(w, p.k, mul(w, m.hi, high));
    const int rest = add(w, mul(w, add(w, m.lo, m.hi), low), mul(w, m.lo, high));
    return log_special(w, x, add(w, y.hi, add(w, y.lo, rest)));
}
static int log10_f64(const writer *w, int x)
{
    const int high = num(w, 0x1.bcb7bp-2), low = num(w, 0x1.526e50e32a6abp-26);
    const parts p = log_split(w, x);
    const pair m = log_pair(w, p.f), y = two_sum(w, mul(w, p.k, num(w, 0x1.34413509f7800p-2)), mul(w, m.hi, high));
    const int rest = add(w, mul(w, add(w, m.lo, m.hi), low), mul(w, m.lo, high));
    return log_special(w, x, add(w, y.hi, add(w, y.lo, add(w, mul(w, p.k, num(w, 0x1.fef311f12b358p-46)), rest))));
}

/* log(a + root), root having root_lo more */
static int log_of_sum(const writer *w, int a, int sqrt_hi, int sqrt_lo)
{
    const pair u = choose_pair(w, less(w, sqrt_hi, a), fast_two_sum(w, a, sqrt_hi), fast_two_sum(w, sqrt_hi, a));
    return log_corrected(w, u.hi, quotient(w, add(w, u.lo, sqrt_lo), u.hi), 0);
}
static int sqrt_rest(const writer *w, pair x, int r)
{
    const pair square = two_product(w, r, r);
    const int over = add(w, sub(w, sub(w, x.hi, square.hi), square.lo), x.lo);
    return choose(w, less(w, num(w, 0), r), quotient(w, over, mul(w, num(w, 2), r)), num(w, 0));
}
static int asinh_f64(const writer *w, int x)
{
    const int a = size_of(w, x), big = less(w, num(w, 0x1p28), a), b = choose(w, big, num(w, 1), a);
    const pair square = two_product(w, b, b), sum = two_sum(w, square.hi, num(w, 1));
    const pair v = {sum.hi, add(w, sum.lo, square.lo)};
    const int r = root(w, v.hi), y = log_of_sum(w, b, r, sqrt_rest(w, v, r)), large = log_corrected(w, a, num(w, 0), 1);
    const int number = choose(w, less(w, a, num(w, 0x1p-28)), a, choose(w, big, large, y));
    return signed_as(w, choose(w, at_most(w, a, num(w, DBL_MAX)), number, a), x);
}
static int acosh_f64(const writer *w, int x)
{
    const int one = num(w, 1), big = less(w, num(w, 0x1p28), x), b = choose(w, big, one, x), under = sub(w, b, one);
    const pair more = two_sum(w, b, one), product = two_product(w, under, more.hi);
    const pair v = {product.hi, add(w, product.lo, mul(w, under, more.lo))};
    const int r = root(w, v.hi), y = log_of_sum(w, b, r, sqrt_rest(w, v, r)), large = log_corrected(w, x, num(w, 0), 1);
    const int valid = choose(w, less(w, x, one), num(w, (double)NAN), choose(w, big, large, y));
    return choose(w, at_most(w, x, num(w, DBL_MAX)), valid, x);
}
static int atanh_f64(const writer *w, int x)
{
    const int a = size_of(w, x), one = num(w, 1);
    const pair n = fast_two_sum(w, one, a), d = fast_two_sum(w, one, negative(w, a));
    const int q = quotient(w, n.hi, d.hi);
    const pair back = two_product(w, q, d.hi);
    const int over = add(w, sub(w, sub(w, n.hi, back.hi), back.lo), sub(w, n.lo, mul(w, q, d.lo)));
    const int y = mul(w, num(w, 0.5), log_corrected(w, q, quotient(w, over, n.hi), 0));
    const int number = choose(w, less(w, one, a), num(w, (double)NAN), choose(w, equal(w, a, one), num(w, INFINITY), y));
    return signed_as(w, choose(w, less(w, a, num(w, 0x1p-28)), a, number), x);
}

/* ---- math_log.h, f32 */

static parts log_split_f32(const writer *w, int x)
{
    const int small = less(w, x, num(w, (double)FLT_MIN)), u = choose(w, small, mul(w, x, num(w, 0x1p23)), x);
    const int e = bits_op(w, ASH__OP_SHR, bits_op(w, ASH__OP_ADD, u, whole(w, 0x3f800000u - 0x3f3504f3u)), whole(w, 23));
    const int base = choose_bits(w, small, whole(w, 127 + 23), whole(w, 127));
    const int k = converted(w, ASH_I32, w->type, bits_op(w, ASH__OP_SUB, e, base));
    const int m = bits_op(w, ASH__OP_SUB, u, bits_op(w, ASH__OP_SHL, e, whole(w, 23)));
    return (parts){k, sub(w, bits_op(w, ASH__OP_ADD, m, whole(w, 127u << 23)), num(w, 1))};
}
static int log_cubic_f32(const writer *w, int f)
{
    const int p = POLY(w, f, 0x1.555546p-2, -0x1.ffffeep-3, 0x1.99a546p-3, -0x1.5562e2p-3, 0x1.2332bcp-3, -0x1.fb4354p-4,
                       0x1.e650fap-4, -0x1.e2e8ecp-4, 0x1.1b4126p-4);
    return mul(w, mul(w, mul(w, f, f), f), p);
}
static int log_f32(const writer *w, int x)
{
    const parts p = log_split_f32(w, x);
    const int low = fma_of(w, p.k, num(w, -0x1.bd0106p-13), log_cubic_f32(w, p.f));
    const int rest = fma_of(w, mul(w, num(w, -0.5), p.f), p.f, low);
    return log_special(w, x, fma_of(w, p.k, num(w, 0x1.63p-1), add(w, p.f, rest)));
}
/* The logarithm of the fraction times a factor. */
static int log_times_f32(const writer *w, int f, double factor)
{
    const int rest = fma_of(w, mul(w, num(w, -0.5), f), f, log_cubic_f32(w, f));
    return fma_of(w, f, num(w, factor), mul(w, rest, num(w, factor)));
}
static int log2_f32(const writer *w, int x)
{
    const parts p = log_split_f32(w, x);
    return log_special(w, x, add(w, p.k, log_times_f32(w, p.f, 0x1.715476p+0)));
}
static int log10_f32(const writer *w, int x)
{
    const parts p = log_split_f32(w, x);
    const int f = log_times_f32(w, p.f, 0x1.bcb7b2p-2);
    return log_special(w, x, fma_of(w, p.k, num(w, 0x1.344p-2), fma_of(w, p.k, num(w, 0x1.3509f8p-18), f)));
}

/* ---- math_power.h */

static int cbrt_f64(const writer *w, int x)
{
    const int a = size_of(w, x), small = less(w, a, num(w, DBL_MIN)), u = choose(w, small, mul(w, a, num(w, 0x1p54)), a);
    const int biased = bits_op(w, ASH__OP_OR, bits_op(w, ASH__OP_SHR, u, whole(w, 52)), whole(w, 0x4330000000000000u));
    const int e = sub(w, biased, num(w, 0x1p52 + 1023));
    const int q = sub(w, add(w, mul(w, e, num(w, 1.0 / 3)), num(w, INTEGER_F64)), num(w, INTEGER_F64));
    const int fraction = bits_op(w, ASH__OP_AND, u, whole(w, 0xfffffffffffffu));
    const int power = power2(w, sub(w, e, mul(w, num(w, 3), q)));
    const int m = mul(w, bits_op(w, ASH__OP_OR, fraction, whole(w, 0x3ff0000000000000u)), power);
    const int p = POLY(w, m, 0x1.fdd548p-2, 0x1.6d14eep-1, -0x1.105a08p-2, 0x1.f281fap-5, -0x1.679d12p-8);
    const int p3 = mul(w, mul(w, p, p), p), two = num(w, 2);
    const int top = mul(w, p, add(w, p3, mul(w, two, m))), bottom = add(w, mul(w, two, p3), m);
    const int t = upper_half(w, quotient(w, top, bottom)), r = quotient(w, m, mul(w, t, t));
    const int step = quotient(w, mul(w, t, sub(w, r, t)), add(w, mul(w, two, t), r));
    const int back = power2(w, choose(w, small, sub(w, q, num(w, 18)), q));
    const int y = signed_as(w, mul(w, add(w, t, step), back), x);
    const int finite = choose(w, at_most(w, a, num(w, DBL_MAX)), y, x);
    return choose(w, less(w, num(w, 0), a), finite, x);
}

static int hypot_f32(const writer *narrow, const writer *w, int x, int y)
{
    const int a = converted(w, ASH_F32, ASH_F64, x);
    const int b = converted(w, ASH_F32, ASH_F64, y);
    const int h = root(w, add(w, mul(w, a, a), mul(w, b, b))), largest = num(narrow, (double)FLT_MAX);
    const int infinite = either(narrow, less(narrow, largest, size_of(narrow, x)), less(narrow, largest, size_of(narrow, y)));
    return choose(narrow, infinite, num(narrow, INFINITY), converted(w, ASH_F64, ASH_F32, h));
}
static int hypot_f64(const writer *w, int x, int y)
{
    const int a = size_of(w, x), b = size_of(w, y), most = choose(w, less(w, b, a), a, b);
    const int large = less(w, num(w, 0x1p500), most), tiny = less(w, most, num(w, 0x1p-400)), one = num(w, 1);
    const int scale = choose(w, large, num(w, 0x1p-600), choose(w, tiny, num(w, 0x1p600), one));
    const int back = choose(w, large, num(w, 0x1p600), choose(w, tiny, num(w, 0x1p-600), one));
    const int p = mul(w, a, scale), q = mul(w, b, scale), h = mul(w, root(w, fma_of(w, p, p, mul(w, q, q))), back);
    const int infinite = either(w, less(w, num(w, DBL_MAX), a), less(w, num(w, DBL_MAX), b));
    return choose(w, infinite, num(w, INFINITY), h);
}

/* ---- math_power.h: powers */

static int pow_special(const writer *w, int x, int y, int r)
{
    const int largest = num(w, w->type == ASH_F32 ? (double)FLT_MAX : DBL_MAX), zero = num(w, 0), one = num(w, 1);
    const int infinite = num(w, INFINITY), a = size_of(w, x), half = mul(w, num(w, 0.5), y);
    const int integer = equal(w, nearest(w, y), y);
    const int rest = differs(w, nearest(w, half), half);
    const int odd = both_of(w, integer, rest), up = less(w, zero, y);
    const int grows = choose(w, up, infinite, zero), shrinks = choose(w, up, zero, infinite);
    const int by_base = choose(w, less(w, largest, a), grows, choose(w, equal(w, a, zero), shrinks, r));
    const int at_limit = choose(w, equal(w, a, one), one, choose(w, less(w, one, a), grows, shrinks));
    const int by_power = choose(w, less(w, largest, size_of(w, y)), at_limit, by_base);
    const int below = both_of(w, less(w, x, zero), at_most(w, a, largest));
    const int invalid = both_of(w, below, not_of(w, integer));
    const int magnitude = choose(w, invalid, num(w, (double)NAN), by_power);
    const int sign = choose_bits(w, odd, whole(w, sign_bit(w)), whole(w, 0));
    const int with_sign = bits_op(w, ASH__OP_OR, magnitude, bits_op(w, ASH__OP_AND, sign, x));
    const int number = choose(w, unordered(w, x, y), add(w, x, y), with_sign);
    return choose(w, either(w, equal(w, x, one), equal(w, y, zero)), one, number);
}

static int pow_f32(const writer *narrow, const writer *w, int x, int y)
{
    const int wide_x = converted(w, ASH_F32, ASH_F64, size_of(narrow, x));
    const int wide_y = converted(w, ASH_F32, ASH_F64, y);
    const parts p = log_split(w, wide_x);
    const int s = quotient(w, p.f, add(w, num(w, 2), p.f)), z = mul(w, s, s);
    const int l = POLY(w, z, 0x1.55555555f3258p-1, 0x1.9999970271309p-2, 0x1.2493f2eb49b31p-2, 0x1.c633f3b44daccp-3,
                       0x1.90a2af644dc97p-3);
    const int log = add(w, mul(w, num(w, 2), s), mul(w, mul(w, s, z), l));
    const int e = mul(w, wide_y, add(w, p.k, mul(w, num(w, LOG2E), log)));
    const int low = choose(w, less(w, e, num(w, -160)), num(w, -160), e);
    const int c = choose(w, less(w, num(w, 130), low), num(w, 130), low), t = add(w, c, num(w, INTEGER_F64));
    const int k = sub(w, t, num(w, INTEGER_F64)), r = sub(w, c, k);
    const int q = POLY(w, r, 0x1.62e42fef95ed3p-1, 0x1.ebfbe045fe519p-3, 0x1.c6b08dc5e0209p-5, 0x1.3b2a1b67d4bcp-7,
                       0x1.5d874c7da5bb4p-10, 0x1.4440076126b82p-13, 0x1.00dc4c3d33fc1p-16);
    const int power = mul(w, add(w, num(w, 1), mul(w, r, q)), power2(w, k));
    return pow_special(narrow, x, y, converted(w, ASH_F64, ASH_F32, power));
}

static pair log2_pair(const writer *w, int x)
{
    const parts p = log_split(w, x);
    const int two = num(w, 2);
    const pair d = fast_two_sum(w, two, p.f);
    const int hi = quotient(w, p.f, d.hi);
    const pair s = {hi, quotient(w, sub(w, fma_of(w, negative(w, hi), d.hi, p.f), mul(w, hi, d.lo)), d.hi)};
    const pair z = pair_product(w, s, s);
    const int q = POLY(w, z.hi, 0x1.999999999999fp-2, 0x1.249249248e499p-2, 0x1.c71c71d80546dp-3, 0x1.745d09dffae52p-3,
                       0x1.3b18bd1aced49p-3, 0x1.1018314ff11a9p-3, 0x1.087e05c1af61ep-3);
    pair c = fast_two_sum(w, num(w, 0x1.5555555555555p-1), mul(w, z.hi, q));
    c.lo = add(w, c.lo, num(w, 0x1.5555555555555p-55));
    const pair cubic = pair_product(w, pair_product(w, z, s), c);
    pair m = fast_two_sum(w, mul(w, two, s.hi), cubic.hi);
    m.lo = add(w, m.lo, add(w, mul(w, two, s.lo), cubic.lo));
    const pair l = pair_product(w, m, (pair){num(w, LOG2E), num(w, 0x1.777d0ffda0d24p-56)}), sum = two_sum(w, p.k, l.hi);
    return fast_two_sum(w, sum.hi, add(w, sum.lo, l.lo));
}
static int pow_f64(const writer *w, int x, int y)
{
    const pair l = log2_pair(w, size_of(w, x)), p = two_product(w, y, l.hi);
    const int low = choose(w, less(w, p.hi, num(w, -1100)), num(w, -1100), p.hi);
    const int e = choose(w, less(w, num(w, 1100), low), num(w, 1100), low), t = add(w, e, num(w, INTEGER_F64));
    const int rest = choose(w, less(w, size_of(w, p.hi), num(w, 1100)), add(w, p.lo, mul(w, y, l.lo)), num(w, 0));
    const int fraction = add(w, sub(w, e, sub(w, t, num(w, INTEGER_F64))), rest),
              r = mul(w, fraction, num(w, 0x1.62e42fefa39efp-1));
    return pow_special(w, x, y, scaled(w, add(w, num(w, 1), add(w, r, exp_rest(w, r))), t));
}

/* ---- math_erf.h */

static pair exp_of_square(const writer *w, int a, int *t)
{
    const pair square = two_product(w, a, a);
    *t = fma_of(w, square.hi, num(w, -LOG2E), num(w, INTEGER_F64));
    const int k = sub(w, *t, num(w, INTEGER_F64)), main_part = sub(w, negative(w, square.hi), mul(w, k, num(w, LN2_HI)));
    const pair r = two_sum(w, main_part, mul(w, negative(w, k), num(w, LN2_LO)));
    const pair sum = two_sum(w, r.hi, exp_rest(w, r.hi)), y = fast_two_sum(w, num(w, 1), sum.hi);
    return (pair){y.hi, add(w, y.lo, add(w, sum.lo, mul(w, sub(w, r.lo, square.lo), y.hi)))};
}
static int erfc_large(const writer *w, int a)
{
    int t;
    const int one = num(w, 1), b = choose(w, less(w, a, num(w, 28)), a, num(w, 28)), twice = mul(w, num(w, 2), b);
    const int q = quotient(w, sub(w, b, num(w, 3.5)), add(w, b, num(w, 3.5))), over = less(w, num(w, 0.5), b);
    const int p = POLY(w, q, 0x1.3e0a99a0ee914p+0, -0x1.1ebd220ea593dp-3, -0x1.59e2c284b0ef5p-7, 0x1.8f702ec6b34a2p-4,
                       -0x1.d76830c354a96p-4, 0x1.686106046b815p-4, -0x1.8ff5ef76824dep-5, 0x1.38ec6671fd708p-6,
                       -0x1.143c4cc7cd2acp-8, -0x1.3cf36b8e8439dp-12, 0x1.27e66ca79007dp-11, -0x1.fda8dcd46d077p-14,
                       -0x1.66e479c836a73p-15, 0x1.97065cbe24dc4p-16, 0x1.38f3d7724766ap-19, -0x1.ffd8c8465ea1ep-19,
                       -0x1.b576da9289d7fp-25, 0x1.41953eeddde18p-21, 0x1.46b4c130794e5p-32, -0x1.8b9e57478b8dap-24,
                       -0x1.60df16fe7f48p-28, 0x1.5ae6e81102e83p-27, 0x1.d5b7959c8cf78p-30);
    const pair e = exp_of_square(w, b, &t), d = fast_two_sum(w, choose(w, over, twice, one), choose(w, over, one, twice));
    const pair n = two_product(w, e.hi, p);
    const int y = quotient(w, n.hi, d.hi);
    const pair back = two_product(w, y, d.hi);
    const int low = sub(w, add(w, n.lo, mul(w, e.lo, p)), mul(w, y, d.lo));
    const int rest = add(w, sub(w, sub(w, n.hi, back.hi), back.lo), low);
    return scaled(w, add(w, y, quotient(w, rest, d.hi)), t);
}
static int erf_rest(const writer *w, int a)
{
    const int p =
        POLY(w, mul(w, a, a), 0x1.06eba8214db68p-3, -0x1.812746b0379c2p-2, 0x1.ce2f21a041017p-4, -0x1.b82ce31206292p-6,
             0x1.565bccfa9a3ccp-8, -0x1.c02db072ec08bp-11, 0x1.f9a2bf736732ap-14, -0x1.f4ca94938d06cp-17, 0x1.b9827af9bb2bdp-20,
             -0x1.5c16e2cee6d65p-23, 0x1.d784948923186p-27, -0x1.ace003e7b5054p-31);
    return mul(w, a, p);
}
static int erf_f64(const writer *w, int x)
{
    const int a = size_of(w, x), large = sub(w, num(w, 1), erfc_large(w, a));
    const int y = choose(w, less(w, a, num(w, 1)), add(w, a, erf_rest(w, a)), large);
    return signed_as(w, choose(w, unordered(w, x, x), x, y), x);
}
static int erfc_f64(const writer *w, int x)
{
    const int a = size_of(w, x), small = sub(w, sub(w, num(w, 1), x), signed_as(w, erf_rest(w, a), x));
    const int large = erfc_large(w, a), far = choose(w, less(w, x, num(w, 0)), sub(w, num(w, 2), large), large);
    return choose(w, unordered(w, x, x), x, choose(w, less(w, a, num(w, 0.25)), small, far));
}

/* ---- math_arc.h */

static int asin_rest(const writer *w, int z)
{
    const int p =
        POLY(w, z, 0x1.5555555555578p-3, 0x1.333333332df8p-4, 0x1.6db6db7226013p-5, 0x1.f1c71a8dc5852p-6, 0x1.6e8bdfa6515ap-6,
             0x1.1c49e2bbc90d3p-6, 0x1.ca20ce222f292p-7, 0x1.757b78e5fd9bfp-7, 0x1.6173fbcec7d5fp-7, 0x1.e2be09f20c166p-9,
             0x1.6492d768a8393p-6, -0x1.5954b9d3b31e6p-6, 0x1.0bb07368cd7c5p-5);
    return mul(w, z, p);
}
static pair short_root(const writer *w, int z, int s)
{
    const int f = upper_half(w, s), c = quotient(w, sub(w, z, mul(w, f, f)), add(w, s, f));
    return (pair){f, choose(w, less(w, num(w, 0), z), c, num(w, 0))};
}
typedef struct arc {
    int a, near, s, r; /* |x|, whether it is below 1/2, the root and asin_rest */
    pair root;
} arc;
static arc arc_of(const writer *w, int x)
{
    arc v;
    v.a = size_of(w, x);
    v.near = less(w, v.a, num(w, 0.5));
    const int z = choose(w, v.near, mul(w, v.a, v.a), mul(w, num(w, 0.5), sub(w, num(w, 1), v.a)));
    v.s = root(w, z);
    v.r = asin_rest(w, z);
    v.root = short_root(w, z, v.s);
    return v;
}
static int asin_f64(const writer *w, int x)
{
    const arc v = arc_of(w, x);
    const int two = num(w, 2), quarter = num(w, 0.25 * PI_HI);
    const int low = sub(w, num(w, 0.5 * PI_LO), mul(w, two, v.root.lo));
    const int rest = sub(w, mul(w, mul(w, two, v.s), v.r), low);
    const int large = sub(w, quarter, sub(w, rest, sub(w, quarter, mul(w, two, v.root.hi))));
    const int y = choose(w, v.near, add(w, v.a, mul(w, v.a, v.r)), large);
    return signed_as(w, choose(w, less(w, num(w, 1), v.a), num(w, (double)NAN), y), x);
}
static int acos_f64(const writer *w, int x)
{
    const arc v = arc_of(w, x);
    const int two = num(w, 2), half = num(w, 0.5 * PI_HI), half_lo = num(w, 0.5 * PI_LO), rs = mul(w, v.r, v.s);
    const int small = sub(w, half, sub(w, x, sub(w, half_lo, mul(w, x, v.r))));
    const int left = mul(w, two, sub(w, half, add(w, v.s, sub(w, rs, half_lo))));
    const int right = mul(w, two, add(w, v.root.hi, add(w, rs, v.root.lo)));
    const int y = choose(w, v.near, small, choose(w, less(w, x, num(w, 0)), left, right));
    return choose(w, less(w, num(w, 1), v.a), num(w, (double)NAN), y);
}

static int atan_sum(const writer *w, pair base, int t)
{
    const int z = mul(w, t, t);
    const int p = POLY(w, z, -0x1.5555555555555p-2, 0x1.99999999997c5p-3, -0x1.249249247e7f0p-3, 0x1.c71c71baee5b2p-4,
                       -0x1.745d1529b6424p-4, 0x1.3b1376d05ee8dp-4, -0x1.110ce41fcb7d1p-4, 0x1.e179cf812af3ep-5,
                       -0x1.abab4b4e053b0p-5, 0x1.71985e7cfcd90p-5, -0x1.13a85bea11fd6p-5, 0x1.f75acdfb8b652p-7);
    return add(w, base.hi, add(w, t, add(w, base.lo, mul(w, mul(w, t, z), p))));
}
/* left: a mask, or -1 for never */
static int atan_quotient(const writer *w, int n, int d, int left)
{
    const int high = less(w, mul(w, num(w, 2.414), d), n), low = less(w, n, mul(w, num(w, 0.4142), d));
    const int p = choose(w, high, negative(w, d), choose(w, low, n, sub(w, n, d)));
    const int q = choose(w, high, n, choose(w, low, d, add(w, n, d)));
    int t = quotient(w, p, q), quarters = choose(w, high, num(w, 2), choose(w, low, num(w, 0), num(w, 1)));
    if (left >= 0) {
        quarters = choose(w, left, sub(w, num(w, 4), quarters), quarters);
        t = choose(w, left, negative(w, t), t);
    }
    return atan_sum(w, (pair){mul(w, quarters, num(w, 0.25 * PI_HI)), mul(w, quarters, num(w, 0.25 * PI_LO))}, t);
}
static int atan_f64(const writer *w, int x)
{
    const int a = size_of(w, x), most = num(w, 0x1p60);
    return signed_as(w, atan_quotient(w, choose(w, less(w, most, a), most, a), num(w, 1), -1), x);
}
static int atan2_f64(const writer *w, int y, int x)
{
    const int n = size_of(w, y), d = size_of(w, x), one = num(w, 1), zero = num(w, 0);
    const int large = either(w, less(w, num(w, 0x1p1000), n), less(w, num(w, 0x1p1000), d));
    const int both = both_of(w, less(w, num(w, DBL_MAX), n), less(w, num(w, DBL_MAX), d));
    const int none = both_of(w, equal(w, n, zero), equal(w, d, zero));
    const int scale = choose(w, large, num(w, 0x1p-10), one);
    const int p = choose(w, both, one, mul(w, n, scale)), q = choose(w, either(w, both, none), one, mul(w, d, scale));
    const int left = put(w, ASH__OP_SIGNBIT, ASH_BOOL, w->type, x, 0, 0);
    const int r = atan_quotient(w, p, q, left);
    return signed_as(w, choose(w, unordered(w, x, y), add(w, x, y), r), y);
}

/* ---- math_trig.h */

typedef struct reduced { /* hi + lo in [-pi/4, pi/4], k in the low bits of t */
    pair r;
    int t;
} reduced;

static reduced trig_reduced(const writer *w, int x)
{
    const int t = add(w, mul(w, x, num(w, 0x1.45f306dc9c883p-1)), num(w, INTEGER_F64)), k = sub(w, t, num(w, INTEGER_F64));
    const int minus = negative(w, k);
    const pair a = two_sum(w, sub(w, x, mul(w, k, num(w, 0x1.921fb54400000p+0))), mul(w, minus, num(w, 0x1.0b4611a600000p-34)));
    const pair b = two_sum(w, a.hi, mul(w, minus, num(w, 0x1.3198a2e000000p-69)));
    const int rest = sub(w, add(w, a.lo, b.lo), mul(w, k, num(w, 0x1.b839a252049c1p-104)));
    return (reduced){fast_two_sum(w, b.hi, rest), t};
}
static int sin_of_reduced(const writer *w, pair r)
{
    const int z = mul(w, r.hi, r.hi), v = mul(w, z, r.hi);
    const int s = POLY(w, z, 0x1.111111110fd31p-7, -0x1.a01a019c8a7a6p-13, 0x1.71de35d01fe5cp-19, -0x1.ae5ea28f84ac4p-26,
                       0x1.5da2999801d41p-33);
    const int low = sub(w, mul(w, z, sub(w, mul(w, num(w, 0.5), r.lo), mul(w, v, s))), r.lo);
    return sub(w, r.hi, sub(w, low, mul(w, v, num(w, -0x1.555555555554dp-3))));
}
static int cos_of_reduced(const writer *w, pair r)
{
    const int one = num(w, 1), z = mul(w, r.hi, r.hi), halved = mul(w, num(w, 0.5), z), top = sub(w, one, halved);
    const int c = POLY(w, z, 0x1.5555555555553p-5, -0x1.6c16c16c15f2ap-10, 0x1.a01a019ddff31p-16, -0x1.27e4f8cef123cp-22,
                       0x1.1eea66860378ep-29, -0x1.8fe963c7e2a2bp-37);
    const int low = sub(w, mul(w, mul(w, z, z), c), mul(w, r.hi, r.lo));
    return add(w, top, add(w, sub(w, sub(w, one, top), halved), low));
}
static int is_odd(const writer *w, int k)
{
    const int low = bits_op(w, ASH__OP_AND, k, whole(w, 1));
    return put(w, ASH__OP_NE, ASH_BOOL, w->bits, low, whole(w, 0), 0);
}
/* s or c by the parity of the quarter k, an integer, with the sign of its half */
static int quarter(const writer *w, int k, int s, int c)
{
    const int sign = bits_op(w, ASH__OP_SHL, bits_op(w, ASH__OP_AND, k, whole(w, 2)), whole(w, w->type == ASH_F32 ? 30 : 62));
    return as(w, w->type, bits_op(w, ASH__OP_XOR, choose(w, is_odd(w, k), c, s), sign));
}
static int next_quarter(const writer *w, int t)
{
    return bits_op(w, ASH__OP_ADD, t, whole(w, 1));
}
/* Arguments that are left to libm */
static void leave_beyond(const writer *w, int x, double most)
{
    leave(w, less(w, num(w, most), size_of(w, x)));
}
static int same_at_zero(const writer *w, int x, int y)
{
    return choose(w, equal(w, x, num(w, 0)), x, y);
}
static int sin_f64(const writer *w, int x)
{
    leave_beyond(w, x, 0x1p20);
    const reduced r = trig_reduced(w, x);
    return same_at_zero(w, x, quarter(w, as(w, w->bits, r.t), sin_of_reduced(w, r.r), cos_of_reduced(w, r.r)));
}
static int cos_f64(const writer *w, int x)
{
    leave_beyond(w, x, 0x1p20);
    const reduced r = trig_reduced(w, x);
    return quarter(w, next_quarter(w, r.t), sin_of_reduced(w, r.r), cos_of_reduced(w, r.r));
}
static int tan_plain(const writer *w, int x)
{
    const reduced r = trig_reduced(w, x);
    const int s = sin_of_reduced(w, r.r), c = cos_of_reduced(w, r.r), odd = is_odd(w, r.t);
    return same_at_zero(w, x, quotient(w, choose(w, odd, negative(w, c), s), choose(w, odd, s, c)));
}
static int tan_f64(const writer *w, int x)
{
    leave_beyond(w, x, 0x1p20);
    return tan_plain(w, x);
}
static int tan_f32(const writer *w, int x)
{
    const writer wide = {w->f, ASH_F64, ASH_U64};
    leave_beyond(w, x, 0x1p16);
    return converted(w, ASH_F64, ASH_F32, tan_plain(&wide, converted(w, ASH_F32, ASH_F64, x)));
}

static reduced turn_reduced(const writer *w, int x)
{
    const int two = num(w, 2), half = num(w, 0.5), y = sub(w, x, mul(w, two, nearest(w, mul(w, half, x))));
    const int t = add(w, mul(w, two, y), num(w, INTEGER_F64));
    return (reduced){{sub(w, y, mul(w, half, sub(w, t, num(w, INTEGER_F64)))), 0}, t};
}
static int sinpi_of_reduced(const writer *w, int r)
{
    const int p =
        POLY(w, mul(w, r, r), -0x1.b7812aeef4b9fp-1, -0x1.4abbce625be53p+2, 0x1.466bc6775aad9p+1, -0x1.32d2cce62ac24p-1,
             0x1.50783485cc006p-4, -0x1.e3074b502de1fp-8, 0x1.e8eed159ae936p-12, -0x1.6c5b93983c0b1p-16);
    return fma_of(w, r, p, mul(w, num(w, 4), r));
}
static int cospi_of_reduced(const writer *w, int r)
{
    const int z = mul(w, r, r);
    const int p = POLY(w, z, -0x1.3bd3cc9be45dep+2, 0x1.03c1f081b5a34p+2, -0x1.55d3c7e3b8a8ep+0, 0x1.e1f506619f819p-3,
                       -0x1.a6d1c789b5d12p-6, 0x1.f99fdfbce35afp-10, -0x1.96cc84820f57ap-14, -0x1.bc3f652f0c265p-16);
    return add(w, num(w, 1), mul(w, z, p));
}
static int sinpi_f64(const writer *w, int x)
{
    const reduced r = turn_reduced(w, x);
    const int y = quarter(w, as(w, w->bits, r.t), sinpi_of_reduced(w, r.r.hi), cospi_of_reduced(w, r.r.hi));
    return choose(w, equal(w, y, num(w, 0)), signed_as(w, num(w, 0), x), y);
}
static int cospi_f64(const writer *w, int x)
{
    const reduced r = turn_reduced(w, x);
    const int y = quarter(w, next_quarter(w, r.t), sinpi_of_reduced(w, r.r.hi), cospi_of_reduced(w, r.r.hi));
    return add(w, y, num(w, 0));
}

static reduced trig_reduced_f32(const writer *w, int x)
{
    const int t = fma_of(w, x, num(w, 0x1.45f306p-1), num(w, INTEGER_F32)), k = sub(w, t, num(w, INTEGER_F32));
    const int r = fma_of(w, k, num(w, 0x1.777a5cp-25), fma_of(w, k, num(w, -0x1.921fb6p+0), x));
    return (reduced){{fma_of(w, k, num(w, 0x1.ee59dap-50), r), 0}, t};
}
static int quarter_f32(const writer *w, int r, int k)
{
    const int z = mul(w, r, r), p = POLY(w, z, -0x1.555544p-3, 0x1.1106bcp-7, -0x1.991672p-13);
    const int q = POLY(w, z, 0x1.55554ep-5, -0x1.6c0e16p-10, 0x1.9a5ae2p-16);
    const int s = fma_of(w, mul(w, r, z), p, r), c = fma_of(w, z, fma_of(w, z, q, num(w, -0.5)), num(w, 1));
    return quarter(w, k, s, c);
}
static int sin_f32(const writer *w, int x)
{
    leave_beyond(w, x, 0x1p16);
    const reduced r = trig_reduced_f32(w, x);
    return same_at_zero(w, x, quarter_f32(w, r.r.hi, as(w, w->bits, r.t)));
}
static int cos_f32(const writer *w, int x)
{
    leave_beyond(w, x, 0x1p16);
    const reduced r = trig_reduced_f32(w, x);
    return quarter_f32(w, r.r.hi, next_quarter(w, r.t));
}

/* ---- math_gamma.h */

static int tgamma_positive(const writer *w, int a)
{
    const int z = add(w, a, num(w, 8)), r = quotient(w, num(w, 1), z);
    const int series = mul(w, r,
                           POLY(w, mul(w, r, r), 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11,
                                -0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8));
    const int power = mul(w, sub(w, z, num(w, 0.5)), log_corrected(w, z, num(w, 0), 0));
    const int log_gamma = add(w, sub(w, power, z), add(w, num(w, 0x1.d67f1c864beb5p-1), series));
    int product = a;
    for (int k = 1; k < 8; k++)
        product = mul(w, product, add(w, a, num(w, k)));
    return quotient(w, exp_shifted(w, log_gamma, 0), product);
}
static int tgamma_f32(const writer *narrow, int x)
{
    const writer w = {narrow->f, ASH_F64, ASH_U64};
    const int wide = converted(narrow, ASH_F32, ASH_F64, x), zero = num(&w, 0), most = num(&w, 48);
    const int up = less(&w, zero, wide), reflected = choose(&w, up, wide, sub(&w, num(&w, 1), wide));
    const int positive = tgamma_positive(&w, choose(&w, less(&w, most, reflected), most, reflected));
    const int negative = quotient(&w, num(&w, PI_HI), mul(&w, sinpi_f64(&w, wide), positive));
    const int pole = both_of(&w, less(&w, wide, zero), equal(&w, nearest(&w, wide), wide));
    const int y = choose(&w, pole, num(&w, (double)NAN), choose(&w, up, positive, negative));
    return converted(narrow, ASH_F64, ASH_F32, y);
}

/* ---- float_parts.h and elementwise_parts.c */

static int truncated(const writer *w, int a)
{
    return of_one(w, ASH__OP_TRUNC, a);
}
static int has_sign(const writer *w, int a)
{
    return put(w, ASH__OP_SIGNBIT, ASH_BOOL, w->type, as(w, w->type, a), 0, 0);
}
static int one_of_both(const writer *w, int p, int q)
{
    return put(w, ASH__OP_XOR, ASH_BOOL, ASH_BOOL, p, q, 0);
}
static int clamped(const writer *w, int x, double most)
{
    const int low = choose(w, less(w, x, num(w, -most)), num(w, -most), x);
    return choose(w, less(w, num(w, most), low), num(w, most), low);
}
static int ldexp_f32(const writer *w, const writer *wide, int x, int y)
{
    const int k = converted(w, ASH_F32, ASH_F64, truncated(w, clamped(w, y, 400)));
    const int product = mul(wide, converted(w, ASH_F32, ASH_F64, x), power2(wide, k));
    return choose(w, is_nan(w, y), y, converted(wide, ASH_F64, ASH_F32, product));
}
static int ldexp_step(const writer *w, int x, int *k)
{
    const int down = choose(w, less(w, *k, num(w, -1022)), num(w, -969), num(w, 0));
    const int step = choose(w, less(w, num(w, 1023), *k), num(w, 1023), down);
    *k = sub(w, *k, step);
    return mul(w, x, power2(w, step));
}
static int ldexp_f64(const writer *w, int x, int y)
{
    int k = truncated(w, clamped(w, y, 3000));
    const int once = ldexp_step(w, x, &k), twice = ldexp_step(w, once, &k);
    const int low = choose(w, less(w, k, num(w, -1022)), num(w, -1022), k);
    const int last = choose(w, less(w, num(w, 1023), k), num(w, 1023), low);
    return choose(w, is_nan(w, y), y, mul(w, twice, power2(w, last)));
}
static int logb_f32(const writer *w, int x)
{
    const int a = size_of(w, x), small = less(w, a, num(w, (double)FLT_MIN));
    const int normal = choose(w, small, mul(w, a, num(w, 0x1p24)), a);
    const int off = choose_bits(w, small, whole(w, 127 + 24), whole(w, 127));
    const int e = bits_op(w, ASH__OP_SUB, bits_op(w, ASH__OP_SHR, normal, whole(w, 23)), off);
    const int finite = choose(w, equal(w, a, num(w, 0)), num(w, -INFINITY), converted(w, ASH_I32, ASH_F32, e));
    return choose(w, at_most(w, a, num(w, (double)FLT_MAX)), finite, a);
}
static int logb_f64(const writer *w, int x)
{
    const int a = size_of(w, x), small = less(w, a, num(w, DBL_MIN)), normal = choose(w, small, mul(w, a, num(w, 0x1p54)), a);
    const int biased = bits_op(w, ASH__OP_OR, bits_op(w, ASH__OP_SHR, normal, whole(w, 52)), whole(w, 0x4330000000000000u));
    const int e = sub(w, sub(w, biased, num(w, 0x1p52)), choose(w, small, num(w, 1023 + 54), num(w, 1023)));
    const int finite = choose(w, equal(w, a, num(w, 0)), num(w, -INFINITY), e);
    return choose(w, at_most(w, a, num(w, DBL_MAX)), finite, a);
}
static int nextafter_of(const writer *w, int x, int y)
{
    const int one = whole(w, 1), away = one_of_both(w, less(w, x, y), has_sign(w, x));
    const int next = choose_bits(w, away, bits_op(w, ASH__OP_ADD, x, one), bits_op(w, ASH__OP_SUB, x, one));
    const int first = bits_op(w, ASH__OP_OR, bits_op(w, ASH__OP_AND, y, whole(w, sign_bit(w))), one);
    const int moved = choose(w, equal(w, x, num(w, 0)), first, next);
    const int number = choose(w, equal(w, x, y), y, moved);
    return choose(w, is_nan(w, x), x, choose(w, is_nan(w, y), y, number));
}

/* |x| mod |y|, in f64; *q: the quotient. Beyond 2^28 (2^52) it is libm's. */
static int magnitude_mod(const writer *w, int x, int y, bool from_f32, int *q)
{
    const int a = size_of(w, x), b = size_of(w, y);
    leave(w, at_most(w, mul(w, b, num(w, from_f32 ? 0x1p28 : 0x1p52)), a));
    const int p = truncated(w, quotient(w, a, b)), infinite = less(w, num(w, from_f32 ? (double)FLT_MAX : DBL_MAX), b);
    *q = p;
    if (from_f32)
        return choose(w, infinite, a, sub(w, a, mul(w, p, b)));
    const int r = fma_of(w, negative(w, p), b, a), below = less(w, r, num(w, 0));
    *q = choose(w, below, sub(w, p, num(w, 1)), p);
    return choose(w, infinite, a, choose(w, below, add(w, r, b), r));
}
/* The function op, of x and y in w's type; wx and wy: they in f64 */
static int remainder_of(const writer *w, const writer *wide, ash__op op, int x, int y)
{
    const bool is_f32 = w->type == ASH_F32;
    const int wx = is_f32 ? converted(w, ASH_F32, ASH_F64, x) : x, wy = is_f32 ? converted(w, ASH_F32, ASH_F64, y) : y;
    int q;
    const int m = magnitude_mod(wide, wx, wy, is_f32, &q);
    if (op == ASH__OP_REMAINDER) {
        const int b = size_of(wide, wy), rest = sub(wide, b, m), half = mul(wide, q, num(wide, 0.5));
        const int odd = differs(wide, half, truncated(wide, half));
        const int up = either(wide, less(wide, rest, m), both_of(wide, equal(wide, m, rest), odd));
        const int near = choose(wide, up, sub(wide, m, b), m), result = is_f32 ? converted(wide, ASH_F64, ASH_F32, near) : near;
        return as(w, w->type, bits_op(w, ASH__OP_XOR, result, bits_op(w, ASH__OP_AND, x, whole(w, sign_bit(w)))));
    }
    const int r = signed_as(w, is_f32 ? converted(wide, ASH_F64, ASH_F32, m) : m, x);
    if (op == ASH__OP_FMOD)
        return r;
    const int other = one_of_both(w, has_sign(w, r), has_sign(w, y));
    return choose(w, equal(w, r, num(w, 0)), signed_as(w, r, y), choose(w, other, add(w, r, y), r));
}

/* ---- convert.c: f16 and bf16, as values */

/* Rounded by integers: half of the last place kept, less one where it is even. */
static int cut(const writer *w, int a, int bits)
{
    const int odd = bits_op(w, ASH__OP_AND, bits_op(w, ASH__OP_SHR, a, whole(w, (uint64_t)bits)), whole(w, 1));
    const int sum = bits_op(w, ASH__OP_ADD, bits_op(w, ASH__OP_ADD, a, whole(w, ((uint64_t)1 << (bits - 1)) - 1)), odd);
    const uint64_t all = w->type == ASH_F32 ? 0xffffffffu : UINT64_MAX;
    return as(w, w->type, bits_op(w, ASH__OP_AND, sum, whole(w, all << bits & all)));
}
static int rounded_to_16(const writer *w, ash_dtype half, int x)
{
    const bool is_f16 = half == ASH_F16;
    const int digits = is_f16 ? 10 : 7, bits = (w->type == ASH_F32 ? 23 : 52) - digits, a = size_of(w, x),
              cut_a = cut(w, a, bits);
    int number = cut_a;
    if (is_f16 || w->type == ASH_F64) { /* its subnormals have fewer bits: the last place of the sum is the smallest of them */
        const int least_exponent = is_f16 ? -14 : -126, limit = is_f16 ? 16 : 128;
        const int lift = num(w, ldexp(1, least_exponent + (w->type == ASH_F32 ? 23 : 52) - digits));
        const int small = less(w, a, num(w, ldexp(1, least_exponent)));
        number = choose(w, small, sub(w, add(w, a, lift), lift), cut_a);
        number = choose(w, less(w, number, num(w, ldexp(1, limit))), number, num(w, INFINITY));
    }
    const int y = choose(w, is_nan(w, x), add(w, x, x), signed_as(w, number, x)); /* a quiet NaN: its upper bits say so */
    return w->type == ASH_F32 ? y : converted(w, ASH_F64, ASH_F32, y);
}

/* ---- the list */

typedef int unary_function(const writer *w, int x);
enum { FIRST = ASH__OP_CBRT, FUNCTIONS = ASH__OP_TGAMMA - FIRST + 1 };

#define FUNCTION(ID) [ASH__OP_##ID - FIRST]
static unary_function *const functions_f64[FUNCTIONS] = {
    FUNCTION(CBRT) = cbrt_f64,   FUNCTION(EXP) = exp_f64,     FUNCTION(EXP2) = exp2_f64,   FUNCTION(EXPM1) = expm1_f64,
    FUNCTION(LOG) = log_f64,     FUNCTION(LOG2) = log2_f64,   FUNCTION(LOG10) = log10_f64, FUNCTION(LOG1P) = log1p_f64,
    FUNCTION(SIN) = sin_f64,     FUNCTION(COS) = cos_f64,     FUNCTION(TAN) = tan_f64,     FUNCTION(SINPI) = sinpi_f64,
    FUNCTION(COSPI) = cospi_f64, FUNCTION(ASIN) = asin_f64,   FUNCTION(ACOS) = acos_f64,   FUNCTION(ATAN) = atan_f64,
    FUNCTION(SINH) = sinh_f64,   FUNCTION(COSH) = cosh_f64,   FUNCTION(TANH) = tanh_f64,   FUNCTION(ASINH) = asinh_f64,
    FUNCTION(ACOSH) = acosh_f64, FUNCTION(ATANH) = atanh_f64, FUNCTION(ERF) = erf_f64,     FUNCTION(ERFC) = erfc_f64,
};
/* Those that are not rounded results of the above. */
static unary_function *const functions_f32[FUNCTIONS] = {
    FUNCTION(EXP) = exp_f32,   FUNCTION(EXP2) = exp2_f32,     FUNCTION(TANH) = tanh_f32, FUNCTION(LOG) = log_f32,
    FUNCTION(LOG2) = log2_f32, FUNCTION(LOG10) = log10_f32,   FUNCTION(SIN) = sin_f32,   FUNCTION(COS) = cos_f32,
    FUNCTION(TAN) = tan_f32,   FUNCTION(TGAMMA) = tgamma_f32,
};

static int of_two(const writer *w, ash__op op, int a, int b)
{
    switch (op) {
    case ASH__OP_ATAN2:
        return atan2_f64(w, a, b);
    case ASH__OP_HYPOT:
        return hypot_f64(w, a, b);
    case ASH__OP_POW:
        return pow_f64(w, a, b);
    case ASH__OP_LDEXP:
        return ldexp_f64(w, a, b);
    case ASH__OP_NEXTAFTER:
        return nextafter_of(w, a, b);
    default:
        return remainder_of(w, w, op, a, b);
    }
}
static int of_two_f32(const writer *w, const writer *wide, ash__op op, int a, int b)
{
    switch (op) {
    case ASH__OP_ATAN2: {
        const int y = converted(w, ASH_F32, ASH_F64, a), x = converted(w, ASH_F32, ASH_F64, b);
        return converted(w, ASH_F64, ASH_F32, atan2_f64(wide, y, x));
    }
    case ASH__OP_HYPOT:
        return hypot_f32(w, wide, a, b);
    case ASH__OP_POW:
        return pow_f32(w, wide, a, b);
    case ASH__OP_LDEXP:
        return ldexp_f32(w, wide, a, b);
    case ASH__OP_NEXTAFTER:
        return nextafter_of(w, a, b);
    default:
        return remainder_of(w, wide, op, a, b);
    }
}

static int of_one_argument(const writer *narrow, const writer *wide, ash__op op, bool is_f32)
{
    if (op == ASH__OP_LOGB)
        return is_f32 ? logb_f32(narrow, 0) : logb_f64(wide, 0);
    if (is_f32 && functions_f32[op - FIRST])
        return functions_f32[op - FIRST](narrow, 0);
    if (!is_f32)
        return functions_f64[op - FIRST](wide, 0);
    return converted(narrow, ASH_F64, ASH_F32, functions_f64[op - FIRST](wide, converted(narrow, ASH_F32, ASH_F64, 0)));
}

bool ash__is_written_out(ash__op op)
{
    switch (op) {
    case ASH__OP_FMOD:
    case ASH__OP_REMAINDER:
    case ASH__OP_FLDMOD:
    case ASH__OP_NEXTAFTER:
    case ASH__OP_LDEXP:
    case ASH__OP_LOGB:
        return true;
    default:
        return op >= ASH__OP_CBRT && op <= ASH__OP_TGAMMA && op != ASH__OP_LGAMMA;
    }
}

static void begin(ash__lowered *f, int arguments, ash_dtype type)
{
    f->count = 0;
    for (int k = 0; k < arguments; k++)
        put_ins(f, (ash__ins){.op = ASH__OP_LOAD, .type = (uint8_t)type, .from = (uint8_t)type, .arg = {(uint16_t)k}});
}

bool ash__lower(ash__lowered *f, ash__op op, ash_dtype type)
{
    const writer narrow = {f, ASH_F32, ASH_U32}, wide = {f, ASH_F64, ASH_U64};
    const bool is_f32 = type == ASH_F32;
    const int arity = ash__op_arity(op);
    if (!ash__is_written_out(op) || (!is_f32 && (type != ASH_F64 || op == ASH__OP_TGAMMA)))
        return false;
    begin(f, arity, type);
    f->result = arity == 1 ? of_one_argument(&narrow, &wide, op, is_f32)
                : is_f32   ? of_two_f32(&narrow, &wide, op, 0, 1)
                           : of_two(&wide, op, 0, 1);
    return f->count <= ASH__LOWERED_MOST;
}

void ash__lower_round16(ash__lowered *f, ash_dtype half, ash_dtype type)
{
    const writer w = {f, type, type == ASH_F32 ? ASH_U32 : ASH_U64};
    begin(f, 1, type);
    f->result = rounded_to_16(&w, half, 0);
}

bool ash__lowered_leaves(ash__op op)
{
    switch (op) {
    case ASH__OP_SIN:
    case ASH__OP_COS:
    case ASH__OP_TAN:
    case ASH__OP_FMOD:
    case ASH__OP_REMAINDER:
    case ASH__OP_FLDMOD:
        return true;
    default:
        return false;
    }
}
