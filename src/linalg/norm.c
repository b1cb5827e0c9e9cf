/*
 * norm.c - norms along axes, and arrays divided by them.
 *
 * A norm is root(sum of term(|x|)). f16, bf16 and f32 are summed in f64, where no square overflows. Where there is no wider
 * dtype the elements are brought near 1 by the power of two of the largest, or for negative p of the smallest, when the plain
 * sum has left the range in which it is exact. The power is taken off by ldexp, so no digit changes.
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

/* Of the largest element of each sum, or of the smallest: what its power of two is, where that is a number. */
static ash_array *exponents(const norm *n)
{
    char text[160];
    const ash_operand a = ash_operand_array(n->a);
    snprintf(text, sizeof text, n->complex ? "x -> let z = %s(x) in max(abs(real(z)), abs(imag(z)))" : "x -> abs(%s(x))",
             n->element);
    ash_array *m =
        ash__reduce_text(n->function, text, n->p < 0 ? smallest : largest, (ash_operands){&a, 1}, ASH_DTYPE_DEFAULT, &n->kept);
    const ash_operand operand = ash_operand_array(m);
    ash_array *e = m ? ash__map_text_new(n->function, "m -> m > 0 && isfinite(m) ? ilogb(m) : 0", (ash_operands){&operand, 1},
                                         &(ash_map_options){.resources = n->kept.resources})
                     : NULL;
    ash_release(m);
    return e;
}

/* The sum of the terms, or the extreme, of elements divided by 2^e; e NULL: as they are. */
static ash_array *folded(const norm *n, const ash_array *e, const ash_reduce_options *o)
{
    char element[160], text[320];
    const char *const size = is(n, 2) ? "abs2" : "abs";
    const ash_operand operand[3] = {ash_operand_array(n->a), e ? ash_operand_array(e) : ash_operand_float(n->compute, n->p),
                                    ash_operand_float(n->compute, n->p)};
    if (is(n, 0))
        return ash__reduce_text(n->function, "x -> x != 0", sum, (ash_operands){operand, 1}, ASH_DTYPE_DEFAULT, o);
    if (!e)
        snprintf(element, sizeof element, "%s(%s(x))", size, n->element);
    else if (n->complex)
        snprintf(element, sizeof element, "let z = %s(x) in %s(complex(ldexp(real(z), -e), ldexp(imag(z), -e)))", n->element,
                 size);
    else
        snprintf(element, sizeof element, "%s(ldexp(%s(x), -e))", size, n->element);
    const bool power = !(is(n, 1) || is(n, 2) || isinf(n->p));
    snprintf(text, sizeof text, power ? "(x%s%s) -> pow((%s), p)" : "(x%s%s) -> %s", e ? ", e" : "", power ? ", p" : "",
             element);
    return ash__reduce_text(n->function, text,
                            is(n, INFINITY)    ? largest
                            : is(n, -INFINITY) ? smallest
                                               : sum,
                            (ash_operands){operand, 1 + (e != NULL) + power}, ASH_DTYPE_DEFAULT, o);
}

/* Is every sum of squares as exact as its dtype allows? No square that counts has left the range. */
static ash_status in_range(const norm *n, const ash_array *s, bool *yes)
{
    const bool wide = n->compute == ASH_F64;
    const ash_operand operand[3] = {ash_operand_array(s), ash_operand_float(n->compute, wide ? 0x1p-960 : 0x1p-90),
                                    ash_operand_float(n->compute, wide ? DBL_MAX : (double)FLT_MAX)};
    ash_array *const answer = ash__reduce_text(n->function, "(s, low, high) -> s > low && s < high", all,
                                               (ash_operands){operand, 3}, ASH_DTYPE_DEFAULT,
                                               &(ash_reduce_options){.resources = n->kept.resources});
    const ash_status status = answer ? ash_to_host(answer, yes, sizeof *yes) : ash__last_status();
    ash_release(answer);
    return status;
}

/* The sums with the axes kept, and the exponents that they lack (NULL: none). */
static ash_status sums(const norm *n, bool scaled, ash_array **s, ash_array **e)
{
    *e = NULL;
    const bool squares = is(n, 2), same = ash__part(n->a->dtype) == n->compute;
    const bool plain = is(n, 0) || is(n, 1) || isinf(n->p);
    if (!scaled && (plain || squares)) {
        bool yes = plain || !same;
        *s = folded(n, NULL, &n->kept);
        const ash_status status = !*s ? ash__last_status() : yes ? ASH_OK : in_range(n, *s, &yes);
        if (status || yes)
            return status;
        ash_release(*s);
        *s = NULL;
    }
    *e = exponents(n);
    *s = *e ? folded(n, *e, &n->kept) : NULL;
    return *s ? ASH_OK : ash__last_status();
}

/* The root of the sum s, as text; p: that of q, its inverse. */
static const char *root(const norm *n)
{
    return is(n, 2) ? "sqrt(s)" : is(n, 0) || is(n, 1) || isinf(n->p) ? "s" : "pow(s, q)";
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

static ash_array *finish(const norm *n, const ash_array *s, const ash_array *e)
{
    char text[96];
    const ash_operand operand[3] = {ash_operand_array(s), ash_operand_float(n->compute, 1 / n->p),
                                    e ? ash_operand_array(e) : ash_operand_float(n->compute, 0)};
    snprintf(text, sizeof text, e ? "(s, q, e) -> ldexp(%s, e)" : "(s, q) -> %s", root(n));
    return ash__map_text_new(n->function, text, (ash_operands){operand, e ? 3 : 2},
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
    ash_array *s = NULL, *e = NULL, *s_left = NULL, *e_left = NULL;
    const int64_t barrier = ash_scope_open_barrier();
    if (barrier >= 0 && !sums(&n, false, &s, &e)) {
        s_left = left(&n, s);
        e_left = e ? left(&n, e) : NULL;
    }
    ash_scope_close(barrier);
    ash_array *const out = s_left && (e_left || !e) ? finish(&n, s_left, e_left) : NULL;
    ash_release(s_left);
    ash_release(e_left);
    ash_release(s);
    ash_release(e);
    return out;
}

/* ---- division by a norm */

static ash_array *divide(const norm *n, const ash_array *s, const ash_array *e)
{
    char text[256];
    const ash_operand operand[4] = {ash_operand_array(n->a), ash_operand_array(s), ash_operand_float(n->compute, 1 / n->p),
                                    e ? ash_operand_array(e) : ash_operand_float(n->compute, 0)};
    const char *const form = !e ? "(x, s, q) -> %s(x) / %s"
                             : n->complex
                                 ? "(x, s, q, e) -> let z = %s(x) in complex(ldexp(real(z), -e), ldexp(imag(z), -e)) / %s"
                                 : "(x, s, q, e) -> ldexp(%s(x), -e) / %s";
    snprintf(text, sizeof text, form, n->element, root(n));
    return ash__map_text_new(
        n->function, text, (ash_operands){operand, e ? 4 : 3},
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
    ash_array *s = NULL, *e = NULL;
    const int64_t barrier = ash_scope_open_barrier();
    const bool done = barrier >= 0 && !sums(&n, n.compute == n.result && !is(&n, 0), &s, &e);
    ash_scope_close(barrier);
    ash_array *const out = done ? divide(&n, s, e) : NULL;
    ash_release(s);
    ash_release(e);
    return out;
}

ash_array *ash__norm_rounded(const char *function, const ash_array *x, ash_dtype dtype, ash_resources *given)
{
    const ash_operand operand = ash_operand_array(x);
    return ash__map_text_new(function, "x -> x", (ash_operands){&operand, 1},
                             &(ash_map_options){.resources = given, .dtype = dtype});
}
