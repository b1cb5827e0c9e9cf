/*
 * expm.c - exponentials of square matrices: scaling, a Pade approximant, and squaring.
 *
 * e^a = (e^(a/2^s))^(2^s). The approximant has degree 13 in f64 and 7 in f32; s is chosen from the norms of a's powers and not
 * of a alone, so that large elements off the diagonal of a nearly triangular matrix do not cost digits. A stack is worked on
 * as a whole: each matrix has its own s, and stays as it is while others are still being squared. Source: A. H. Al-Mohy, N. J.
 * Higham, A new scaling and squaring algorithm for the matrix exponential, SIAM J. Matrix Anal. Appl. 31 (2009) 970-989.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "ashlar/spectral.h"
#include "ashlar/view.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/spectral.h"
#include "linalg/stack.h"
#include "ops/map.h"
#include "ops/task.h"

/* theta: norms up to which it is exact to a unit; error: the first coefficient of what it leaves out. Matrices with norms above
 * 2^room are brought below before they are raised to their 10th power. */
typedef struct approximant {
    int degree, room;
    double theta, error, unit;
} approximant;

static const approximant seventh = {7, 12, 3.925724783138660, 1 / 4487938430976000.0, FLT_EPSILON / 2};
static const approximant thirteenth = {13, 80, 4.25, 1 / 1.1325077560602111e35, DBL_EPSILON / 2};

typedef struct exponential {
    ash__stack s;
    const approximant *by;
    ash_array *a, *a2, *a4, *a6; /* divided by 2^exponent, to these powers */
    ash_array *exponents;        /* (..., 1, 1), i32 */
    int32_t *exponent;           /* the same on the host */
    double *norm;                /* 1-norms of a as it was given */
    double *roots;               /* of its powers: 6 numbers for each matrix */
} exponential;

/* ---- steps over all matrices; everything belongs to the open scope */

static ash_array *map(const exponential *x, const char *text, int64_t count, const ash_array *const *array)
{
    ash_operand operand[8];
    for (int64_t k = 0; k < count; k++) {
        if (!array[k])
            return NULL;
        operand[k] = ash_operand_array(array[k]);
    }
    return ash__map_text_new(x->s.function, text, (ash_operands){operand, count}, &(ash_map_options){.resources = x->s.given});
}
#define MAP(x, text, ...)                                                                     \
    map(x, text, (int64_t)(sizeof((const ash_array *[]){__VA_ARGS__}) / sizeof(ash_array *)), \
        (const ash_array *[]){__VA_ARGS__})

static ash_array *multiply(const exponential *x, const ash_array *a, const ash_array *b)
{
    return a && b ? ash__multiply(x->s.function, a, b, x->s.given) : NULL;
}

static ash_status norms(const exponential *x, const ash_array *a, double *norm)
{
    ash_array *const n = a ? ash__opnorm(x->s.function, a, 1, x->s.given) : NULL;
    return n ? ash__read_numbers(x->s.function, n, norm) : ash__last_status();
}

/* a divided by 2^(power * its exponent). */
static ash_array *divide(const exponential *x, const ash_array *a, int power)
{
    char text[128];
    snprintf(text, sizeof text,
             ash__is_complex(x->s.dtype) ? "(a, e) -> complex(ldexp(real(a), -%d*e), ldexp(imag(a), -%d*e))"
                                         : "(a, e) -> ldexp(a, -%d*e)",
             power, power);
    return MAP(x, text, a, x->exponents);
}

static ash_status send_exponents(exponential *x)
{
    int64_t shape[ASH_MAX_RANK];
    for (int64_t k = 0; k < x->s.a->rank; k++)
        shape[k] = k < x->s.outer ? x->s.a->shape[k] : 1;
    x->exponents = ash_from_host(x->exponent, ASH_I32, ((ash_dims){shape, x->s.a->rank}), .resources = x->s.resources,
                                 .storage = x->s.a->storage);
    return x->exponents ? ASH_OK : ash__last_status();
}

/* ---- how far to scale */

/* Norms that are finite, and elements too. */
static ash_status measure(exponential *x)
{
    ash_status status = norms(x, x->a, x->norm);
    bool finite = true;
    for (int64_t i = 0; i < x->s.count && !status; i++)
        finite &= isfinite(x->norm[i]) != 0;
    if (status || finite)
        return status;
    ash_array *const copy = ash__stack_copy(&x->s);
    status = copy ? ash__stack_finite(&x->s, copy, 0) : ash__last_status();
    for (int64_t i = 0; i < x->s.count; i++) /* of finite elements only the sum can have been too large */
        x->norm[i] = fmin(x->norm[i], DBL_MAX);
    return status;
}

/* Squarings that the size of the elements asks for beyond that of the powers: |a|^(2m + 1) / |a|, by ones times |a| over and
 * over. remainder: that norm of |a| divided by its norm. */
static double further(const approximant *by, double norm, double remainder)
{
    const double bits = log2(by->error) + log2(remainder) + 2 * by->degree * log2(norm) - log2(by->unit);
    return norm > 0 && remainder > 0 ? fmax(0, ceil(bits / (2 * by->degree))) : 0;
}

static ash_status find_remainders(const exponential *x, double *remainder)
{
    const ash_dtype part = ash__part(x->s.dtype);
    int64_t shape[ASH_MAX_RANK];
    memcpy(shape, x->s.a->shape, (size_t)x->s.a->rank * sizeof shape[0]);
    shape[x->s.outer + 1] = 1;
    ash_array *const of_rows = x->a ? ash__opnorm(x->s.function, x->a, 1, x->s.given) : NULL;
    ash_array *const column = of_rows ? ash_insert_axis(of_rows, -1) : NULL;
    ash_array *const size = column ? ash_insert_axis(column, -1) : NULL;
    ash_array *const b = MAP(x, "(a, n) -> n > 0 ? abs(a) / n : abs(a)", x->a, size);
    ash_array *const turned = b ? ash_transpose(b) : NULL;
    ash_array *v =
        ash_ones(((ash_dims){shape, x->s.a->rank}), .dtype = part, .resources = x->s.resources, .storage = x->s.a->storage);
    for (int k = 0; k < 2 * x->by->degree + 1 && v; k++)
        ash_replace(&v, multiply(x, turned, v));
    ash_array *const row = v ? ash_transpose(v) : NULL;
    ash_array *const most = row ? ash__opnorm(x->s.function, row, 1, x->s.given) : NULL;
    return most ? ash__read_numbers(x->s.function, most, remainder) : ash__last_status();
}

/* x->exponent becomes the total, and the powers those of a divided by it. */
static ash_status choose(exponential *x)
{
    const int64_t count = x->s.count;
    const approximant *const by = x->by;
    double *const d4 = x->roots, *const d6 = d4 + count, *const d8 = d6 + count, *const d10 = d8 + count,
                  *const remainder = d10 + count;
    ash_status status = norms(x, x->a4, d4);
    if (!status)
        status = norms(x, x->a6, d6);
    if (!status)
        status = norms(x, multiply(x, x->a4, x->a4), d8);
    if (!status && by->degree == 13)
        status = norms(x, multiply(x, x->a6, x->a4), d10);
    if (!status)
        status = find_remainders(x, remainder);
    if (status)
        return status;
    int32_t *const already = (int32_t *)(void *)(remainder + count);
    for (int64_t i = 0; i < count; i++) {
        const double low = fmax(pow(d6[i], 1 / 6.0), pow(d8[i], 1 / 8.0)), high = fmax(pow(d8[i], 1 / 8.0), pow(d10[i], 0.1));
        const double eta = by->degree == 13 ? fmin(low, high) : low;
        const double first = eta > by->theta ? ceil(log2(eta / by->theta)) : 0;
        already[i] = x->exponent[i];
        x->exponent[i] = (int32_t)(first + further(by, ldexp(x->norm[i], -(int)first - already[i]), remainder[i]));
    }
    status = send_exponents(x);
    if (!status) {
        x->a = divide(x, x->a, 1);
        x->a2 = divide(x, x->a2, 2);
        x->a4 = divide(x, x->a4, 4);
        x->a6 = divide(x, x->a6, 6);
        status = x->a && x->a2 && x->a4 && x->a6 ? ASH_OK : ash__last_status();
    }
    for (int64_t i = 0; i < count; i++)
        x->exponent[i] += already[i];
    return status ? status : send_exponents(x);
}

/* Brings norms below 2^room, so that the 10th power is finite, and takes the powers. */
static ash_status begin(exponential *x)
{
    bool large = false;
    ash_status status = measure(x);
    if (status)
        return status;
    for (int64_t i = 0; i < x->s.count; i++) {
        int exponent = 0;
        (void)frexp(x->norm[i], &exponent);
        x->exponent[i] = exponent > x->by->room ? exponent - x->by->room : 0;
        large |= x->exponent[i] != 0;
    }
    if (large) {
        status = send_exponents(x);
        x->a = status ? NULL : divide(x, x->a, 1);
    }
    x->a2 = multiply(x, x->a, x->a);
    x->a4 = multiply(x, x->a2, x->a2);
    x->a6 = multiply(x, x->a4, x->a2);
    return x->a6 ? ASH_OK : ash__last_status();
}

/* ---- the approximant, (v - u)^-1 (v + u), and squaring */

static ash_array *approximate(const exponential *x)
{
    const ash_array *const a2 = x->a2, *const a4 = x->a4, *const a6 = x->a6;
    const ash_array *const one =
        ash_eye(x->s.rows, .dtype = x->s.dtype, .resources = x->s.resources, .storage = x->s.a->storage);
    ash_array *u, *v;
    if (x->by->degree == 7) {
        u = MAP(x, "(d, c, b, i) -> d + 1512.0*c + 277200.0*b + 8648640.0*i", a6, a4, a2, one);
        v = MAP(x, "(d, c, b, i) -> 56.0*d + 25200.0*c + 1995840.0*b + 17297280.0*i", a6, a4, a2, one);
    } else {
        u = multiply(x, a6, MAP(x, "(d, c, b) -> d + 16380.0*c + 40840800.0*b", a6, a4, a2));
        u = MAP(x, "(u, d, c, b, i) -> u + 33522128640.0*d + 10559470521600.0*c + 1187353796428800.0*b + 32382376266240000.0*i",
                u, a6, a4, a2, one);
        v = multiply(x, a6, MAP(x, "(d, c, b) -> 182.0*d + 960960.0*c + 1323241920.0*b", a6, a4, a2));
        v = MAP(x,
                "(v, d, c, b, i) -> v + 670442572800.0*d + 129060195264000.0*c + 7771770303897600.0*b + 64764752532480000.0*i",
                v, a6, a4, a2, one);
    }
    u = multiply(x, x->a, u);
    const ash__factor_call c = {x->s.function, x->s.given};
    ash_lu_factors f;
    ash_array *const sum = MAP(x, "(v, u) -> v + u", v, u), *const difference = sum ? MAP(x, "(v, u) -> v - u", v, u) : NULL;
    if (!difference || ash__lu_make(&c, difference, x->s.dtype, ASH__CHECK_NONE, &f) || ash__lu_apply(&c, f, sum))
        return NULL;
    return sum;
}

static ash_array *square(const exponential *x, ash_array *y)
{
    int32_t most = 0;
    for (int64_t i = 0; i < x->s.count; i++)
        most = x->exponent[i] > most ? x->exponent[i] : most;
    for (int32_t k = 1; y && k <= most; k++) {
        const ash_operand operand[4] = {ash_operand_array(multiply(x, y, y)), ash_operand_array(y),
                                        ash_operand_array(x->exponents), ash_operand_i32(k)};
        if (!operand[0].value.array)
            return NULL;
        ash_array *const next =
            x->s.count == 1 ? (ash_array *)(uintptr_t)operand[0].value.array
                            : ash__map_text_new(x->s.function, "(square, y, e, k) -> e >= k ? square : y",
                                                (ash_operands){operand, 4}, &(ash_map_options){.resources = x->s.given});
        if (x->s.count > 1)
            ash_release((ash_array *)(uintptr_t)operand[0].value.array);
        ash_replace(&y, next);
    }
    return y;
}

static ash_array *exponentiate(exponential *x)
{
    if (!x->a || !x->s.count || !x->s.rows)
        return x->a ? ash_copy(x->a) : NULL;
    return begin(x) || choose(x) ? NULL : square(x, approximate(x));
}

ash_array *ash_expm_opt(const ash_array *a, const ash_spectral_options *options)
{
    static const char f[] = "ash_expm";
    ash_spectral_options o;
    exponential x = {.a = NULL};
    if (!ash__read_options(f, &o, sizeof o, options) || ash__stack_begin(&x.s, f, a, o.resources) || ash__stack_square(&x.s))
        return NULL;
    x.by = ash__part(x.s.dtype) == ASH_F64 ? &thirteenth : &seventh;
    x.norm = ash__alloc(f, 8 * (x.s.count + 1), sizeof *x.norm);
    x.exponent = x.norm ? ash__alloc(f, x.s.count + 1, sizeof *x.exponent) : NULL;
    x.roots = x.norm ? x.norm + x.s.count + 1 : NULL;
    const int64_t scope = x.exponent ? ash_scope_open() : -1;
    if (scope >= 0)
        x.a = ash_convert(a, x.s.dtype);
    ash_array *const out = scope < 0 ? NULL : ash_keep(scope, exponentiate(&x));
    ash_scope_close(scope);
    ash__free(x.exponent);
    ash__free(x.norm);
    return out;
}
