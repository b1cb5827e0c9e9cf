/*
 * equal.c - whether two arrays hold the same values.
 *
 * Numbers are compared as numbers, whatever their dtypes: an integer equals a float when the float is that very integer.
 * Rounding the integer to the float's dtype does not show that (2^53 + 1 rounds to 2^53), so the float is also turned back.
 * Records are compared field by field: what lies between the fields does not count.
 */
#include <stdio.h>

#include "core/error.h"
#include "core/options.h"
#include "ops/compare.h"
#include "ops/reduction.h"

static const ash__operator all = {.text = "&&", .fold = ASH__FOLD_AND, .truth = true};

bool ash__compare_check(const char *function, const ash_array *a, const ash_array *b, bool *shape)
{
    if (!a || !b) {
        ash__null_operand(function, a ? 1 : 0);
        return false;
    }
    if (ash__check_array(function, "operand 0", a) || ash__check_array(function, "operand 1", b))
        return false;
    if (ash__device(a) != ash__device(b)) {
        ash__fail_operand(ASH_ERR_DEVICE, function, 1, "operand 1 is on %s and operand 0 on %s; copy it there",
                          ash__device(b)->name, ash__device(a)->name);
        return false;
    }
    *shape = ash_same_shape(a, b);
    return true;
}

bool ash__all_pairs(const char *function, const char *text, ash_operands operands, ash_resources *given)
{
    const ash_reduce_options o = {.resources = given};
    bool result = false;
    ash_array *x = ash__reduce_text(function, text, all, operands, ASH_DTYPE_DEFAULT, &o);
    if (x && ash_to_host(x, &result, sizeof result))
        result = false;
    ash_release(x);
    return result;
}

/* ---- numbers */

/* The text that compares an integer x (or bool) with a float y, parts of complex numbers too. */
static void mixed_text(char *text, size_t size, const char *x, const char *y, ash_dtype integer, ash_dtype real)
{
    const bool is_signed = ash__is_signed(integer);
    const char *const wide = is_signed || integer == ASH_BOOL ? "i64" : "u64";
    const char *const limit = is_signed || integer == ASH_BOOL ? "9223372036854775808" : "18446744073709551616";
    const char *const f = real == ASH_F64 ? "f64" : "f32"; /* f16 and bf16 are read as f32, which holds their every value */
    snprintf(text, size, "%s(%s) == %s(%s) && %s(%s(%s)) == %s(%s) && %s(%s) < %s.0", f, x, f, y, wide, f, y, wide, x, f, y, limit);
}

static bool mixed(ash_dtype a, ash_dtype b) { return !ash__is_float(ash__part(a)) && ash__is_float(ash__part(b)); }

static bool equal_numbers(const char *function, const ash_array *a, const ash_array *b, ash_resources *given)
{
    char text[512], re[200], im[200];
    if (mixed(b->dtype, a->dtype)) {
        const ash_array *c = a;
        a = b;
        b = c;
    }
    const ash_operand both[2] = {ash_operand_array(a), ash_operand_array(b)};
    if (!mixed(a->dtype, b->dtype))
        return ash__all_pairs(function, "(x, y) -> x == y", (ash_operands){both, 2}, given);
    const ash_dtype integer = ash__part(a->dtype), real = ash__part(b->dtype);
    if (!ash__is_complex(a->dtype) && !ash__is_complex(b->dtype)) {
        mixed_text(re, sizeof re, "x", "y", integer, real);
        snprintf(text, sizeof text, "(x, y) -> %s", re);
    } else {
        mixed_text(re, sizeof re, "real(x)", "real(y)", integer, real);
        mixed_text(im, sizeof im, "imag(x)", "imag(y)", integer, real);
        snprintf(text, sizeof text, "(x, y) -> %s && %s", re, im);
    }
    return ash__all_pairs(function, text, (ash_operands){both, 2}, given);
}

/* NaN equals NaN, and 0.0 differs from -0.0; for floats of one dtype or of two. */
static bool identical_numbers(const char *function, const ash_array *a, const ash_array *b, ash_resources *given)
{
    static const char real[] = "(x, y) -> (x == y && signbit(x) == signbit(y)) || (isnan(x) && isnan(y))";
    static const char complex[] =
        "(x, y) -> ((real(x) == real(y) && signbit(real(x)) == signbit(real(y))) || (isnan(real(x)) && isnan(real(y)))) && "
        "((imag(x) == imag(y) && signbit(imag(x)) == signbit(imag(y))) || (isnan(imag(x)) && isnan(imag(y))))";
    const ash_operand both[2] = {ash_operand_array(a), ash_operand_array(b)};
    if (!ash__is_float(ash__part(a->dtype)) || !ash__is_float(ash__part(b->dtype)))
        return equal_numbers(function, a, b, given);
    return ash__all_pairs(function, ash__is_complex(a->dtype) || ash__is_complex(b->dtype) ? complex : real, (ash_operands){both, 2}, given);
}

/* ---- records */

typedef bool compare(const char *function, const ash_array *a, const ash_array *b, ash_resources *given);

static bool equal_elements(const char *function, const ash_array *a, const ash_array *b, ash_resources *given, compare *numbers);

/* Element `at` of an inner array as an array of its own shape. */
static ash_array *field_view(const char *function, const ash_array *a, const ash_field_info *field, int64_t at)
{
    return ash__view(function, a, field->dtype, a->shape, a->stride, a->rank,
                     a->offset + (int64_t)field->offset + at * (int64_t)ash_dtype_size(field->dtype));
}

static bool equal_field(const char *function, const ash_array *a, const ash_array *b, const ash_field_info *field, ash_resources *given,
                        compare *numbers)
{
    bool result = true;
    for (int64_t at = 0; at < field->count && result; at++) {
        ash_array *x = field_view(function, a, field, at), *y = x ? field_view(function, b, field, at) : NULL;
        result = y && equal_elements(function, x, y, given, numbers);
        ash_release(y);
        ash_release(x);
    }
    return result;
}

static bool equal_elements(const char *function, const ash_array *a, const ash_array *b, ash_resources *given, compare *numbers)
{
    ash_field_info field;
    if (!ash__is_record(a->dtype) && !ash__is_record(b->dtype))
        return numbers(function, a, b, given);
    if (a->dtype != b->dtype)
        return false;
    for (int64_t k = 0; ash_dtype_field(a->dtype, k, &field); k++)
        if (!equal_field(function, a, b, &field, given, numbers))
            return false;
    return true;
}

bool ash_equal_opt(const ash_array *a, const ash_array *b, const ash_equal_options *options)
{
    static const char name[] = "ash_equal";
    ash_equal_options o;
    bool shape;
    if (!ash__read_options(name, &o, sizeof o, options) || !ash__compare_check(name, a, b, &shape) || !shape)
        return false;
    return equal_elements(name, a, b, o.resources, o.identical ? identical_numbers : equal_numbers);
}
