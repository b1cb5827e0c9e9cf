/*
 * givens.c - plane rotations: made, and applied to two arrays.
 *
 * The two numbers are brought near 1 by a power of two, so that neither their squares nor the length leave the range. Source:
 * E. Anderson, Safe scaling in the level 1 BLAS, LAPACK Working Note 304, 2022 (what c, s and r are; the signs).
 */
#include "ashlar/spectral.h"

#include <stdio.h>

#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/task.h"

/* F: the dtype computed in. x and y are a and b divided by 2^k, h their length. */
static const char real_text[] =
    "(a, b) -> let u = %s(a), v = %s(b), m = max(abs(u), abs(v)), "
    "k = m > 0 && isfinite(m) ? ilogb(m) : 0, x = ldexp(u, -k), y = ldexp(v, -k), h = hypot(x, y) in ";
static const char complex_text[] =
    "(a, b) -> let u = %s(a), v = %s(b), "
    "m = max(max(abs(real(u)), abs(imag(u))), max(abs(real(v)), abs(imag(v)))), k = m > 0 && isfinite(m) ? ilogb(m) : 0, "
    "x = complex(ldexp(real(u), -k), ldexp(imag(u), -k)), y = complex(ldexp(real(v), -k), ldexp(imag(v), -k)), "
    "f = abs(x), g = abs(y), h = hypot(f, g), d = f > 0 ? x / f : 1 in ";
static const char *const real_parts[3] = {"y == 0 ? 1 : abs(x) / h", "y == 0 ? 0 : copysign(1, x) * y / h",
                                          "y == 0 ? u : ldexp(copysign(h, x), k)"};
static const char *const complex_parts[3] = {"y == 0 ? 1 : f / h", "y == 0 ? 0 : d * conj(y) / h",
                                             "let w = d * h in y == 0 ? u : complex(ldexp(real(w), k), ldexp(imag(w), k))"};

static ash_dtype dtype_of(const ash_operand *x)
{
    return x->kind == ASH_OPERAND_ARRAY ? x->value.array->dtype : x->dtype;
}

/* The floats that both are taken as, or 0. */
static ash_dtype taken_as(ash_dtype a, ash_dtype b)
{
    const ash_dtype joined = ash_dtype_promote(a, b), part = ash__part(joined);
    if (!joined)
        return joined;
    const ash_dtype real = part == ASH_F16 || part == ASH_BF16 || part == ASH_F32 ? ASH_F32 : ASH_F64;
    return ash__is_complex(joined) ? ash__complex_of(real) : real;
}

static ash_array *part(const char *function, const ash_operand both[2], ash_dtype dtype, int which, ash_resources *given)
{
    char text[768];
    const bool complex = ash__is_complex(dtype);
    const char *const name = ash_dtype_name(dtype);
    const int n = snprintf(text, sizeof text, complex ? complex_text : real_text, name, name);
    snprintf(text + n, sizeof text - (size_t)n, "%s", complex ? complex_parts[which] : real_parts[which]);
    return ash__map_text_new(function, text, (ash_operands){both, 2}, &(ash_map_options){.resources = given});
}

ash_givens_result ash_givens_opt(const ash_operand *a, const ash_operand *b, const ash_spectral_options *options)
{
    static const char f[] = "ash_givens";
    ash_givens_result result = {NULL, NULL, NULL};
    ash_spectral_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return result;
    if (!a || !b || !a->kind || !b->kind) {
        ash__null(f, !a || !a->kind ? "a" : "b");
        return result;
    }
    if ((a->kind == ASH_OPERAND_ARRAY && ash__check_array(f, "a", a->value.array)) ||
        (b->kind == ASH_OPERAND_ARRAY && ash__check_array(f, "b", b->value.array)))
        return result;
    const ash_operand both[2] = {*a, *b};
    const ash_dtype dtype = taken_as(dtype_of(a), dtype_of(b));
    if (!dtype) {
        ash__fail(ASH_ERR_DTYPE, f, "a is %s and b %s; numbers were wanted", ash_dtype_name(dtype_of(a)),
                  ash_dtype_name(dtype_of(b)));
        return result;
    }
    result.c = part(f, both, dtype, 0, o.resources);
    result.s = result.c ? part(f, both, dtype, 1, o.resources) : NULL;
    result.r = result.s ? part(f, both, dtype, 2, o.resources) : NULL;
    if (result.r)
        return result;
    ash_release(result.c);
    ash_release(result.s);
    return (ash_givens_result){NULL, NULL, NULL};
}

/* ---- applied */

/* x and y become the values of two texts of (x, y, c, s), as if at once. */
static ash_status turn(const char *function, ash_array *x, ash_array *y, const ash_operand *c, const ash_operand *s,
                       const ash_spectral_options *options, const char *first, const char *second)
{
    ash_spectral_options o;
    if (!ash__read_options(function, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_writable(function, "x", x);
    if (!status)
        status = ash__check_writable(function, "y", y);
    if (status)
        return status;
    if (!c || !s || !c->kind || !s->kind)
        return ash__null(function, !c || !c->kind ? "c" : "s");
    if (!ash_same_shape(x, y))
        return ash__fail(ASH_ERR_SHAPE, function, "x has shape %s and y %s", ash_shape_text(x), ash_shape_text(y));
    if (x->size && ash__data(x) == ash__data(y))
        return ash__fail(ASH_ERR_ARGUMENT, function, "x and y are the same memory");
    const ash_operand operand[4] = {ash_operand_array(x), ash_operand_array(y), *c, *s};
    ash_array *const from[2] = {x, y};
    const char *const text[2] = {first, second};
    ash_array *turned[2] = {NULL, NULL};
    const int64_t barrier = ash_scope_open_barrier();
    status = barrier < 0 ? ash__last_status() : ASH_OK;
    for (int k = 0; k < 2 && !status; k++) {
        turned[k] = ash__temporary_copy(function, from[k], ASH_ROW_MAJOR, o.resources);
        status = turned[k] ? ash__map_text_to(function, turned[k], text[k], (ash_operands){operand, 4}, o.resources)
                           : ash__last_status();
    }
    for (int k = 0; k < 2 && !status; k++)
        status = ash__copy_elements(function, from[k], turned[k], o.resources);
    ash_scope_close(barrier);
    ash_release(turned[0]);
    ash_release(turned[1]);
    return status;
}

ash_status ash_rotate_into_opt(ash_array *x, ash_array *y, const ash_operand *c, const ash_operand *s,
                               const ash_spectral_options *options)
{
    return turn("ash_rotate_into", x, y, c, s, options, "(x, y, c, s) -> c*x + s*y", "(x, y, c, s) -> c*y - conj(s)*x");
}

ash_status ash_reflect_into_opt(ash_array *x, ash_array *y, const ash_operand *c, const ash_operand *s,
                                const ash_spectral_options *options)
{
    return turn("ash_reflect_into", x, y, c, s, options, "(x, y, c, s) -> c*x + s*y", "(x, y, c, s) -> conj(s)*x - c*y");
}
