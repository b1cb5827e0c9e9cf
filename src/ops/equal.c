/*
 * equal.c - whether two arrays hold the same values.
 *
 * Numbers are compared as numbers, whatever their dtypes: an integer equals a float when the float is that very integer.
 * Rounding the integer to the float's dtype does not show that (2^53 + 1 rounds to 2^53), so the float is also turned back.
 * Records are compared field by field: what lies between the fields does not count.
 */
#include "core/error.h"
#include "core/options.h"
#include "core/text.h"
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

/* x, an integer or bool, and y, a float, as expressions in the text: y is the float nearest x, its integer is x, and it is not
 * the power of two that the integer would be clipped from. f16 and bf16 are read as f32, which holds their every value. */
static void put_mixed(ash__text *text, const char *x, const char *y, ash_dtype integer, ash_dtype real)
{
    const bool is_signed = !ash__is_integer(integer) || ash__is_signed(integer);
    const char *const wide = is_signed ? "i64" : "u64";
    const char *const limit = is_signed ? "9223372036854775808.0" : "18446744073709551616.0";
    const char *const f = real == ASH_F64 ? "f64" : "f32";
    ash__put(text, "(let m = %s, v = %s(%s) in %s(m) == v && %s(v) == %s(m) && v < %s)", x, f, y, f, wide, wide, limit);
}

static bool mixed(ash_dtype a, ash_dtype b)
{
    return !ash__is_float(ash__part(a)) && ash__is_float(ash__part(b));
}

static bool equal_mixed(const char *function, const ash_array *a, const ash_array *b, ash_resources *given)
{
    char buffer[512];
    ash__text text = {buffer, sizeof buffer, 0};
    const ash_operand both[2] = {ash_operand_array(a), ash_operand_array(b)};
    const ash_dtype integer = ash__part(a->dtype), real = ash__part(b->dtype);
    ash__put(&text, "(x, y) -> ");
    if (ash__is_complex(a->dtype) || ash__is_complex(b->dtype)) {
        put_mixed(&text, "real(x)", "real(y)", integer, real);
        ash__put(&text, " && ");
        put_mixed(&text, "imag(x)", "imag(y)", integer, real);
    } else {
        put_mixed(&text, "x", "y", integer, real);
    }
    return ash__all_pairs(function, buffer, (ash_operands){both, 2}, given);
}

static bool equal_numbers(const char *function, const ash_array *a, const ash_array *b, ash_resources *given)
{
    const ash_operand both[2] = {ash_operand_array(a), ash_operand_array(b)};
    if (mixed(a->dtype, b->dtype))
        return equal_mixed(function, a, b, given);
    if (mixed(b->dtype, a->dtype))
        return equal_mixed(function, b, a, given);
    return ash__all_pairs(function, "(x, y) -> x == y", (ash_operands){both, 2}, given);
}

#define SAME(x, y) x " == " y " && signbit(" x ") == signbit(" y ") || isnan(" x ") && isnan(" y ")"

/* NaN equals NaN, and 0.0 differs from -0.0; for floats of one dtype or of two. */
static bool identical_numbers(const char *function, const ash_array *a, const ash_array *b, ash_resources *given)
{
    static const char real[] = "(x, y) -> " SAME("x", "y");
    static const char complex[] =
        "(x, y) -> let a = real(x), b = real(y), c = imag(x), d = imag(y) in (" SAME("a", "b") ") && (" SAME("c", "d") ")";
    const ash_operand both[2] = {ash_operand_array(a), ash_operand_array(b)};
    if (!ash__is_float(ash__part(a->dtype)) || !ash__is_float(ash__part(b->dtype)))
        return equal_numbers(function, a, b, given);
    return ash__all_pairs(function, ash__is_complex(a->dtype) || ash__is_complex(b->dtype) ? complex : real,
                          (ash_operands){both, 2}, given);
}

/* ---- records */

typedef bool compare(const char *function, const ash_array *a, const ash_array *b, ash_resources *given);

static bool equal_elements(const char *function, const ash_array *a, const ash_array *b, ash_resources *given,
                           compare *numbers);

/* Element `at` of an inner array as an array of its own shape. */
static ash_array *field_view(const char *function, const ash_array *a, const ash_field_info *field, int64_t at)
{
    return ash__view(function, a, field->dtype, a->shape, a->stride, a->rank,
                     a->offset + (int64_t)field->offset + at * (int64_t)ash_dtype_size(field->dtype));
}

static bool equal_field(const char *function, const ash_array *a, const ash_array *b, const ash_field_info *field,
                        ash_resources *given, compare *numbers)
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
