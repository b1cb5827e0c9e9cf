/* randint.c - integers in a range: arrays of them, and one. */
#include <limits.h>
#include <stdio.h>

#include "core/error.h"
#include "core/options.h"
#include "random/draw.h"

typedef __int128_t wide; /* holds every i64 and u64, and their differences */

static ash_status read_bound(const char *function, const char *name, const ash_operand *x, wide *value)
{
    if (!x || x->kind == ASH_OPERAND_NONE || (x->kind == ASH_OPERAND_ARRAY && !x->value.array))
        return ash__null(function, name);
    if (x->kind != ASH_OPERAND_SCALAR || !ash__is_integer(x->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "%s is %s; an integer scalar is wanted", name,
                         x->kind == ASH_OPERAND_SCALAR ? ash_dtype_name(x->dtype) : "an array");
    *value = x->dtype == ASH_U64 ? (wide)(uint64_t)x->value.i : (wide)x->value.i;
    return ASH_OK;
}

/* "-5"; the text of any i64 or u64 */
static const char *text_of(wide x, char text[24])
{
    snprintf(text, 24, "%s%llu", x < 0 ? "-" : "", (unsigned long long)(x < 0 ? -x : x));
    return text;
}

static bool holds(ash_dtype dtype, wide x)
{
    const int bits = (int)ash_dtype_size(dtype) * CHAR_BIT - (ash__is_signed(dtype) ? 1 : 0);
    const wide above = (wide)1 << bits;
    return x < above && x >= (ash__is_signed(dtype) ? -above : 0);
}

/* Sets what is wanted of a range in a dtype. */
static ash_status set_range(ash__wanted *w, const ash_operand *low, const ash_operand *high, bool inclusive, ash_dtype dtype)
{
    wide first, last;
    char a[24], b[24];
    ash_status status = read_bound(w->function, "low", low, &first);
    if (!status)
        status = read_bound(w->function, "high", high, &last);
    if (!status)
        status = ash__draw_check(w, dtype);
    if (status)
        return status;
    if (first > last - (inclusive ? 0 : 1))
        return ash__fail(ASH_ERR_VALUE, w->function, "low is %s and high %s; low must be %s", text_of(first, a),
                         text_of(last, b), inclusive ? "at most high" : "less");
    last -= inclusive ? 0 : 1;
    if (!holds(dtype, first) || !holds(dtype, last))
        return ash__fail(ASH_ERR_VALUE, w->function, "%s does not hold the numbers from %s to %s", ash_dtype_name(dtype),
                         text_of(first, a), text_of(last, b));
    w->low = (uint64_t)first;
    w->span = (uint64_t)(last - first + 1);
    return ASH_OK;
}

ash_array *ash_randint_opt(const ash_operand *low, const ash_operand *high, ash_dims shape, const ash_randint_options *options)
{
    static const char f[] = "ash_randint";
    ash_randint_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    ash__wanted wanted = {.function = f, .drawing = ASH__DRAW_RANGE, .first = o.first, .rng = o.rng, .given = o.resources};
    const ash__make make = {.resources = o.resources,
                            .dtype = o.dtype ? o.dtype : ASH_I64,
                            .layout = o.layout,
                            .storage = o.storage,
                            .memory = o.memory};
    return set_range(&wanted, low, high, o.inclusive, make.dtype) ? NULL : ash__draw_new(&wanted, shape, &make);
}

ash_status ash_randint_into_opt(ash_array *a, const ash_operand *low, const ash_operand *high,
                                const ash_randint_into_options *options)
{
    static const char f[] = "ash_randint_into";
    ash_randint_into_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    ash__wanted wanted = {.function = f, .drawing = ASH__DRAW_RANGE, .first = o.first, .rng = o.rng, .given = o.resources};
    ash_status status = ash__check_writable(f, "a", a);
    if (!status)
        status = set_range(&wanted, low, high, o.inclusive, a->dtype);
    return status ? status : ash__draw_into(&wanted, a);
}

int64_t ash_randint_i64(int64_t low, int64_t high, ash_rng *rng)
{
    static const char f[] = "ash_randint_i64";
    const ash_operand bound[2] = {ash_operand_integer(ASH_I64, low), ash_operand_integer(ASH_I64, high)};
    ash__wanted wanted = {.function = f, .drawing = ASH__DRAW_RANGE, .rng = rng};
    int64_t x = 0;
    if (!set_range(&wanted, &bound[0], &bound[1], false, ASH_I64))
        ash__draw_one(&wanted, ASH_I64, &x);
    return x;
}
