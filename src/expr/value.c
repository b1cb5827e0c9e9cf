/*
 * value.c - the values of the compiler: how literals take a dtype, and how numbers meet.
 */
#include <stdarg.h>
#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"
#include "expr/compile.h"

const ash__value ash__no_value = {.kind = ASH__VALUE_NONE, .part = {-1, -1}};

ash__value ash__compile_fail(ash__compiler *c, ash_status status, int position, const char *format, ...)
{
    char cause[400];
    if (!c->failed) {
        va_list args;
        va_start(args, format);
        vsnprintf(cause, sizeof cause, format, args);
        va_end(args);
        ash__fail_text(status, c->function, c->text, position, "%s", cause);
    }
    c->failed = true;
    ash__build_fail(c->b);
    return ash__no_value;
}

ash__value ash__not_defined(ash__compiler *c, const ash__fn *fn, ash_dtype dtype)
{
    return ash__compile_fail(c, ASH_ERR_DTYPE, c->position, "%s is not defined for %s", fn->name, ash_dtype_name(dtype));
}

ash__value ash__not_ordered(ash__compiler *c, const ash__fn *fn)
{
    return ash__compile_fail(c, ASH_ERR_DTYPE, c->position,
                             "%s needs an order, which complex numbers have not; take real(x) or abs(x)", fn->name);
}

bool ash__allow_f64(ash__compiler *c, int position, const char *what)
{
    if (c->target->f64 || c->folding)
        return true;
    ash__compile_fail(c, ASH_ERR_DTYPE, position, "%s does not support f64 values; use f32 (%s gives f64)", c->target->device,
                      what);
    return false;
}

ash__value ash__number(const ash__compiler *c, ash_dtype dtype, int re, int im)
{
    return (ash__value){.kind = ASH__VALUE_NUMBER, .dtype = dtype, .part = {re, im}, .position = c->position};
}

ash__value ash__literal_value(const ash__compiler *c, ash__literal literal)
{
    return (ash__value){.kind = ASH__VALUE_LITERAL, .literal = literal, .part = {-1, -1}, .position = c->position};
}

/* ---- literals take a dtype */

ash_dtype ash__settled_dtype(const ash__compiler *c, const ash__value *v, ash_dtype beside)
{
    if (v->kind == ASH__VALUE_LITERAL)
        return ash__literal_dtype(&v->literal, beside);
    if (v->kind != ASH__VALUE_CHOICE)
        return v->dtype;
    const ash__choice *choice = &c->choice[v->index];
    return ash_dtype_promote(ash__settled_dtype(c, &choice->value[0], beside),
                             ash__settled_dtype(c, &choice->value[1], beside));
}

static int settle_part(ash__compiler *c, const ash__value *v, int part, ash_dtype real)
{
    ash__scalar value;
    char text[64];
    if (ash__literal_fits(&v->literal, part, real, &value))
        return ash__build_constant(c->b, ash__machine(real), value);
    ash__compile_fail(c, ASH_ERR_VALUE, v->position, "%s does not fit %s", ash__literal_text(text, &v->literal),
                      ash_dtype_name(real));
    return -1;
}

static ash__value settle_literal(ash__compiler *c, const ash__value *v, ash_dtype dtype)
{
    const ash_dtype part = ash__part(dtype);
    ash__value result = ash__number(c, part, settle_part(c, v, 0, part), -1);
    if (v->literal.is_complex) {
        result.dtype = ash__complex_of(part);
        result.part.im = settle_part(c, v, 1, part);
    }
    result.position = v->position;
    return result;
}

/* Both branches as numbers; each may be real where the other is complex. */
static ash__value settle_choice(ash__compiler *c, const ash__value *v, ash_dtype dtype)
{
    const ash__choice choice = c->choice[v->index];
    const ash__value x = ash__settle(c, &choice.value[0], dtype), y = ash__settle(c, &choice.value[1], dtype);
    if (c->failed)
        return x;
    return ash__choose(c, choice.condition, &x, &y);
}

ash__value ash__settle(ash__compiler *c, const ash__value *v, ash_dtype dtype)
{
    if (c->failed || v->kind == ASH__VALUE_NONE)
        return ash__no_value;
    if (v->kind == ASH__VALUE_LITERAL)
        return settle_literal(c, v, dtype);
    if (v->kind == ASH__VALUE_CHOICE)
        return settle_choice(c, v, dtype);
    const ash_dtype machine = ash__machine(ash__part(dtype));
    ash__value result = *v;
    result.dtype = v->part.im < 0 ? ash__part(dtype) : ash__complex_of(ash__part(dtype));
    result.part.re = ash__build_convert(c->b, v->part.re, machine);
    if (v->part.im >= 0)
        result.part.im = ash__build_convert(c->b, v->part.im, machine);
    return result;
}

ash__value ash__alone(ash__compiler *c, const ash__value *v)
{
    if (!ash__is_literal(v) || c->failed)
        return *v;
    const ash_dtype dtype = ash__settled_dtype(c, v, ASH_DTYPE_DEFAULT);
    if (ash__part(dtype) == ASH_F64 && !ash__allow_f64(c, v->position, "a number with a point beside no other float"))
        return ash__no_value;
    return ash__settle(c, v, dtype);
}

ash_dtype ash__gather(ash__compiler *c, int n, ash__value *v)
{
    ash_dtype dtype = ASH_DTYPE_DEFAULT;
    if (c->failed)
        return ASH_DTYPE_DEFAULT;
    for (int k = 0; k < n; k++)
        if (!ash__is_literal(&v[k]))
            dtype = dtype ? ash_dtype_promote(dtype, v[k].dtype) : v[k].dtype;
    const ash_dtype numbers = dtype;
    for (int k = 0; k < n; k++)
        if (ash__is_literal(&v[k])) {
            const ash_dtype own = ash__settled_dtype(c, &v[k], numbers);
            if (ash__part(own) == ASH_F64 && ash__part(numbers) != ASH_F64 &&
                !ash__allow_f64(c, v[k].position, "a number with a point beside integers"))
                return ASH_DTYPE_DEFAULT;
            dtype = dtype ? ash_dtype_promote(dtype, own) : own;
        }
    for (int k = 0; k < n; k++)
        v[k] = ash__settle(c, &v[k], ash__is_literal(&v[k]) ? ash__settled_dtype(c, &v[k], dtype) : dtype);
    for (int k = 0; k < n; k++) /* bool beside an integer literal was i64 to it, and is to the rest */
        v[k] = ash__settle(c, &v[k], dtype);
    return c->failed ? ASH_DTYPE_DEFAULT : dtype;
}

/* ---- choices */

static int leaves(const ash__compiler *c, const ash__value *v)
{
    return v->kind == ASH__VALUE_CHOICE ? c->choice[v->index].leaves : 1;
}

static ash__value new_choice(ash__compiler *c, int condition, const ash__value *x, const ash__value *y)
{
    if (c->choices == c->choice_room) {
        const int room = c->choice_room ? 2 * c->choice_room : 8;
        ash__choice *more = ash__realloc(c->function, c->choice, room, sizeof *more);
        if (!more) {
            c->failed = true;
            ash__build_fail(c->b);
            return ash__no_value;
        }
        c->choice = more;
        c->choice_room = room;
    }
    c->choice[c->choices] = (ash__choice){condition, leaves(c, x) + leaves(c, y), {*x, *y}};
    return (ash__value){.kind = ASH__VALUE_CHOICE, .index = c->choices++, .part = {-1, -1}, .position = c->position};
}

static int zero_part(ash__compiler *c, const ash__value *v, ash_dtype dtype)
{
    return v->part.im >= 0 ? v->part.im : ash__binteger(c->b, ash__machine(ash__part(dtype)), 0);
}

static ash__value choose_numbers(ash__compiler *c, int condition, ash__value x, ash__value y)
{
    ash__value v[2] = {x, y};
    const ash_dtype dtype = ash__gather(c, 2, v);
    if (!dtype)
        return ash__no_value;
    ash__value result = ash__number(c, dtype, ash__bselect(c->b, condition, v[0].part.re, v[1].part.re), -1);
    if (v[0].part.im >= 0 || v[1].part.im >= 0)
        result.part.im = ash__bselect(c->b, condition, zero_part(c, &v[0], dtype), zero_part(c, &v[1], dtype));
    else
        result.dtype = ash__part(dtype);
    return result;
}

ash__value ash__choose(ash__compiler *c, int condition, const ash__value *x, const ash__value *y)
{
    if (c->failed || condition < 0)
        return ash__no_value;
    const bool constant = ash__is_constant(c->b, condition);
    if (!ash__is_literal(x) || !ash__is_literal(y))
        return choose_numbers(c, condition, *x, *y);
    if (constant)
        return c->b->ins[condition].constant.b ? *x : *y;
    if (leaves(c, x) + leaves(c, y) <= ASH__LEAF_LIMIT)
        return new_choice(c, condition, x, y);
    const ash__value a = ash__alone(c, x), b = ash__alone(c, y);
    return c->failed ? a : choose_numbers(c, condition, a, b);
}

/* ---- conditions */

int ash__truth(ash__compiler *c, const ash__value *v)
{
    if (c->failed)
        return -1;
    if (v->kind == ASH__VALUE_CHOICE) {
        const ash__choice choice = c->choice[v->index];
        const int x = ash__truth(c, &choice.value[0]), y = ash__truth(c, &choice.value[1]);
        return ash__bselect(c->b, choice.condition, x, y);
    }
    if (v->kind == ASH__VALUE_LITERAL) {
        const ash__literal *l = &v->literal;
        return ash__bbool(c->b, l->is_float ? l->f[0] != 0 || l->f[1] != 0 : l->i[0] != 0 || l->i[1] != 0);
    }
    const int re = ash__build_convert(c->b, v->part.re, ASH_BOOL);
    return v->part.im < 0 ? re : ash__b2(c->b, ASH__OP_OR, re, ash__build_convert(c->b, v->part.im, ASH_BOOL));
}
