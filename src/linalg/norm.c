/*
 * norm.c - norms along axes, and arrays divided by them.
 *
 * A norm is the root of a sum of terms of |x|. f16, bf16 and f32 are summed in f64, where no square overflows. Where there is
 * no wider dtype the elements are brought near 1 by the power of two of the largest, or for negative p of the smallest, when
 * the plain sum has left the range in which it is exact; the power is taken off by ldexp, so no digit changes. For other p than
 * 2 elements are also divided by that extreme, so that no term is above 1, however large p is.
 */
#include "linalg/norm.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "ashlar/spectral.h"
#include "core/error.h"
#include "core/operand.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/reduction.h"
#include "ops/task.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM}, smallest = {.text = "min", .fold = ASH__FOLD_MIN},
                           largest = {.text = "max", .fold = ASH__FOLD_MAX},
                           all = {.text = "&&", .fold = ASH__FOLD_AND, .truth = true};

typedef struct norm {
    const char *function;
    const ash_array *a;
    double p;
    bool complex;
    ash_dtype compute, result;
    const char *element; /* the dtype that elements are taken in */
    ash__axes axes;      /* as the result has them */
    ash_reduce_options kept;
} norm;

ash_status ash__norm_order(const char *function, const ash_operand *given, double standard, double *p)
{
    *p = standard;
    if (given->kind == ASH_OPERAND_NONE)
        return ASH_OK;
    if (given->kind == ASH_OPERAND_ARRAY || !ash__is_real(given->dtype))
        return ash__fail(ASH_ERR_ARGUMENT, function, ".p is %s; a real number was wanted",
                         given->kind == ASH_OPERAND_ARRAY ? "an array" : ash_dtype_name(given->dtype));
    *p = ash__is_float(given->dtype) ? given->value.f
         : given->dtype == ASH_U64   ? (double)(uint64_t)given->value.i
                                     : (double)given->value.i;
    return isnan(*p) ? ash__fail(ASH_ERR_ARGUMENT, function, ".p is nan; a number was wanted") : ASH_OK;
}

ash_status ash__norm_dtypes(const char *function, const ash_array *a, ash_dtype *compute, ash_dtype *result)
{
    const ash_dtype part = ash__part(a->dtype);
    if (ash__is_record(a->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "a is %s; numbers were wanted", ash_dtype_name(a->dtype));
    *result = ash__is_float(part) ? part : ASH_F64;
    *compute = ash__is_float(part) && part != ASH_F64 && !ash__device(a)->f64 ? ASH_F32 : ASH_F64;
    return ash__check_dtype(function, ash__device(a), *compute);
}

static bool begin(norm *n, const char *function, const ash_array *a, const ash_operand *p, ash_axes axes, bool drop,
                  ash_resources *given)
{
    *n = (norm){.function = function, .a = a};
    if (ash__check_array(function, "a", a) || ash__norm_order(function, p, 2, &n->p) ||
        ash__norm_dtypes(function, a, &n->compute, &n->result) ||
        ash__axes_set(&n->axes, function, axes, drop, a->shape, a->rank))
        return false;
    n->complex = ash__is_complex(a->dtype);
    n->element = ash_dtype_name(n->complex ? ash__complex_of(n->compute) : n->compute);
    n->kept = (ash_reduce_options){.resources = given, .axes = axes};
    return true;
}

/* ---- sums */

static bool is(const norm *n, double p)
{
    return n->p == p;
}

/* What is known of each sum, with the axes kept. e and t may be missing: 0 and 1. */
typedef struct parts {
    ash_array *s; /* the sum of the terms, of elements divided by t*2^e */
    ash_array *e; /* i32 */
    ash_array *t;
} parts;

static void end(parts *x)
{
    ash_release(x->s);
    ash_release(x->e);
    ash_release(x->t);
}

static ash_array *map_one(const norm *n, const char *text, const ash_array *x)
{
    const ash_operand operand = ash_operand_array(x);
    return x ? ash__map_text_new(n->function, text, (ash_operands){&operand, 1},
                                 &(ash_map_options){.resources = n->kept.resources})
             : NULL;
}

/* The exponent of the largest element of each sum, or of the smallest, where that is a number other than 0. */
static ash_array *exponents(const norm *n)
{
    char text[160];
    const ash_operand a = ash_operand_array(n->a);
    snprintf(text, sizeof text, n->complex ? "x -> let z = %s(x) in max(abs(real(z)), abs(imag(z)))" : "x -> abs(%s(x))",
             n->element);
    ash_array *const m =
        ash__reduce_text(n->function, text, n->p < 0 ? smallest : largest, (ash_operands){&a, 1}, ASH_DTYPE_DEFAULT, &n->kept);
    ash_array *const e = map_one(n, "m -> m > 0 && isfinite(m) ? ilogb(m) : 0", m);
    ash_release(m);
    return e;
}

static bool is_power(const norm *n)
{
    return !(is(n, 0) || is(n, 1) || is(n, 2) || isinf(n->p));
}

/* The terms folded, with what x has of e and t; a power without t: the extreme, which is to become it. */
static ash_array *folded(const norm *n, const parts *x)
{
    char element[160], text[320];
    const bool power = is_power(n) && x->t, by_size = is(n, INFINITY) || (is_power(n) && n->p > 0 && !x->t);
    const bool by_least = is(n, -INFINITY) || (is_power(n) && n->p < 0 && !x->t);
    const char *const size = is(n, 2) ? "abs2" : "abs";
    ash_operand operand[4] = {ash_operand_array(n->a)};
    int64_t count = 1;
    if (is(n, 0))
        return ash__reduce_text(n->function, "x -> x != 0", sum, (ash_operands){operand, 1}, ASH_DTYPE_DEFAULT, &n->kept);
    if (!x->e)
        snprintf(element, sizeof element, "%s(%s(x))", size, n->element);
    else if (n->complex)
        snprintf(element, sizeof element, "%s(complex(ldexp(real(%s(x)), -e), ldexp(imag(%s(x)), -e)))", size, n->element,
                 n->element);
    else
        snprintf(element, sizeof element, "%s(ldexp(%s(x), -e))", size, n->element);
    snprintf(text, sizeof text, power ? "(x%s, t, p) -> pow(%s / t, p)" : "(x%s) -> %s", x->e ? ", e" : "", element);
    if (x->e)
        operand[count++] = ash_operand_array(x->e);
    if (power) {
        operand[count++] = ash_operand_array(x->t);
        operand[count++] = ash_operand_float(n->compute, n->p);
    }
    return ash__reduce_text(n->function, text,
                            by_size    ? largest
                            : by_least ? smallest
                                       : sum,
                            (ash_operands){operand, count}, ASH_DTYPE_DEFAULT, &n->kept);
}

/* Is every sum of squares as exact as its dtype allows? No square that counts has left the range. */
static ash_status in_range(const norm *n, const ash_array *s, bool *yes)
{
    const bool wide = n->compute == ASH_F64;
    const double low = wide ? 0x1p-960 : 0x1p-90, high = wide ? DBL_MAX : (double)FLT_MAX;
    if (s->size == 1) {
        double x = 0;
        const ash_status status = ash__read_numbers(n->function, s, &x);
        *yes = x > low && x < high;
        return status;
    }
    const ash_operand operand[3] = {ash_operand_array(s), ash_operand_float(n->compute, low),
                                    ash_operand_float(n->compute, high)};
    ash_array *const answer =
        ash__reduce_text(n->function, "(s, low, high) -> s > low && s < high", all, (ash_operands){operand, 3},
                         ASH_DTYPE_DEFAULT, &(ash_reduce_options){.resources = n->kept.resources});
    const ash_status status = answer ? ash__read_element(n->function, answer, ASH__READ | ASH__OWN, yes) : ash__last_status();
    ash_release(answer);
    return status;
}

static ash_status add_up(const norm *n, bool scaled, parts *x)
{
    if (!scaled && !is_power(n)) {
        bool yes = !is(n, 2) || ash__part(n->a->dtype) != n->compute;
        x->s = folded(n, x);
        const ash_status status = !x->s ? ash__last_status() : yes ? ASH_OK : in_range(n, x->s, &yes);
        if (status || yes)
            return status;
        ash_release(x->s);
        x->s = NULL;
    }
    x->e = exponents(n);
    if (x->e && is_power(n)) {
        ash_array *const extreme = folded(n, x);
        x->t = map_one(n, "t -> t > 0 && isfinite(t) ? t : 1", extreme);
        ash_release(extreme);
    }
    x->s = x->e && (x->t || !is_power(n)) ? folded(n, x) : NULL;
    return x->s ? ASH_OK : ash__last_status();
}

/* Text and operands of the norm that x stands for, without the power of two. Gives back how many operands. */
static int64_t root(const norm *n, const parts *x, const char **text, ash_operand operand[3])
{
    operand[0] = ash_operand_array(x->s);
    if (x->t) {
        operand[1] = ash_operand_array(x->t);
        operand[2] = ash_operand_float(n->compute, 1 / n->p);
    }
    *text = x->t ? "t * pow(s, q)" : is(n, 2) ? "sqrt(s)" : "s";
    return x->t ? 3 : 1;
}

/* A view without the axes that the result leaves out. */
static ash_array *left(const norm *n, const ash_array *kept)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = 0;
    for (int64_t k = 0; k < kept->rank; k++)
        if (!n->axes.drop || !(n->axes.reduced >> k & 1)) {
            shape[rank] = kept->shape[k];
            stride[rank++] = kept->stride[k];
        }
    return ash__view(n->function, kept, kept->dtype, shape, stride, rank, kept->offset);
}

static ash_array *zeros(const norm *n)
{
    const ash__make make = {.resources = ash__resources_on(n->function, ash__device(n->a), n->kept.resources),
                            .dtype = n->result,
                            .layout = ash__layout_like(n->a),
                            .storage = n->a->storage,
                            .memory = n->a->buffer->memory};
    ash_array *out = make.resources ? ash__array_new(n->function, (ash_dims){n->axes.shape, n->axes.rank}, &make) : NULL;
    if (out && ash__fill_zeros(n->function, out, n->kept.resources)) {
        ash_release(out);
        out = NULL;
    }
    return out;
}

static ash_array *finish(const norm *n, const parts *x)
{
    char text[96];
    const char *of_sum;
    ash_operand operand[4];
    const int64_t count = root(n, x, &of_sum, operand);
    const char *const names = x->t ? "s, t, q" : "s";
    if (x->e)
        operand[count] = ash_operand_array(x->e);
    snprintf(text, sizeof text, x->e ? "(%s, e) -> ldexp(%s, e)" : "(%s) -> %s", names, of_sum);
    return ash__map_text_new(n->function, text, (ash_operands){operand, count + (x->e != NULL)},
                             &(ash_map_options){.resources = n->kept.resources, .dtype = n->result});
}

ash_array *ash_norm_opt(const ash_array *a, const ash_norm_options *options)
{
    static const char f[] = "ash_norm";
    ash_norm_options o;
    norm n;
    if (!ash__read_options(f, &o, sizeof o, options) || !begin(&n, f, a, &o.p, o.axes, o.drop, o.resources))
        return NULL;
    if (!n.axes.folded)
        return zeros(&n);
    parts kept = {NULL, NULL, NULL}, x = kept;
    const int64_t barrier = ash_scope_open_barrier();
    const bool done = barrier >= 0 && !add_up(&n, false, &kept) && (x.s = left(&n, kept.s)) &&
                      (!kept.e || (x.e = left(&n, kept.e))) && (!kept.t || (x.t = left(&n, kept.t)));
    ash_scope_close(barrier);
    ash_array *const out = done ? finish(&n, &x) : NULL;
    end(&x);
    end(&kept);
    return out;
}

/* ---- division by a norm */

static ash_array *divide(const norm *n, const parts *x)
{
    char text[256], element[128];
    const char *of_sum;
    ash_operand operand[5] = {ash_operand_array(n->a)};
    const int64_t count = 1 + root(n, x, &of_sum, operand + 1);
    if (x->e)
        operand[count] = ash_operand_array(x->e);
    if (x->e && n->complex)
        snprintf(element, sizeof element, "complex(ldexp(real(%s(x)), -e), ldexp(imag(%s(x)), -e))", n->element, n->element);
    else
        snprintf(element, sizeof element, x->e ? "ldexp(%s(x), -e)" : "%s(x)", n->element);
    snprintf(text, sizeof text, "(x, s%s%s) -> %s / (%s)", x->t ? ", t, q" : "", x->e ? ", e" : "", element, of_sum);
    return ash__map_text_new(
        n->function, text, (ash_operands){operand, count + (x->e != NULL)},
        &(ash_map_options){.resources = n->kept.resources, .dtype = n->complex ? ash__complex_of(n->result) : n->result});
}

ash_array *ash_normalize_opt(const ash_array *a, const ash_norm_options *options)
{
    static const char f[] = "ash_normalize";
    ash_norm_options o;
    norm n;
    if (!ash__read_options(f, &o, sizeof o, options) || !begin(&n, f, a, &o.p, o.axes, false, o.resources))
        return NULL;
    if (o.drop) {
        ash__fail(ASH_ERR_ARGUMENT, f, ".drop has no meaning here: the result has the shape of a");
        return NULL;
    }
    if (!n.axes.folded) /* no element to divide */
        return ash_convert_opt(a, n.complex ? ash__complex_of(n.result) : n.result, NULL);
    parts x = {NULL, NULL, NULL};
    const int64_t barrier = ash_scope_open_barrier();
    const bool done = barrier >= 0 && !add_up(&n, n.compute == n.result && !is(&n, 0), &x);
    ash_scope_close(barrier);
    ash_array *const out = done ? divide(&n, &x) : NULL;
    end(&x);
    return out;
}

ash_array *ash__norm_rounded(const char *function, const ash_array *x, ash_dtype dtype, ash_resources *given)
{
    const ash_operand operand = ash_operand_array(x);
    return ash__map_text_new(function, "x -> x", (ash_operands){&operand, 1},
                             &(ash_map_options){.resources = given, .dtype = dtype});
}
