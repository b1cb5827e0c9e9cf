/*
 * find.c - the places of elements that are true, or that a predicate is true of.
 *
 * Positions are found in a mask: the array itself when it is bool, else a temporary. Indices are made of positions, one column
 * for each axis: position / (size of what lies behind the axis) mod (size of the axis).
 */
#include "ops/find.h"

#include <stdio.h>

#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/mask.h"
#include "ops/run.h"

ash_function *ash__find_function(const char *function, const ash_array *a, const char *predicate)
{
    if (predicate)
        return ash__function_for(function, predicate);
    if (!ash__is_real(a->dtype)) {
        ash__fail(ASH_ERR_DTYPE, function, "a is %s, of which .predicate must say what is true", ash_dtype_name(a->dtype));
        return NULL;
    }
    return ash__function_open(function, a->dtype == ASH_BOOL ? "x -> x" : "x -> x != 0");
}

ash_status ash__find_check(const char *function, ash_dtype result)
{
    return result == ASH_BOOL
               ? ASH_OK
               : ash__fail(ASH_ERR_DTYPE, function, "the predicate gives %s; bool is wanted", ash_dtype_name(result));
}

/* The caller's alone. */
static ash_array *mask_of(const char *function, const ash_array *a, const ash_find_options *o)
{
    if (a->dtype == ASH_BOOL && !o->predicate)
        return ash_retain(a);
    const ash_operand operand = ash_operand_array(a);
    const ash_map_options map = {.struct_size = sizeof map, .resources = o->resources, .layout = ASH_ROW_MAJOR};
    ash_function *f = ash__find_function(function, a, o->predicate);
    const int64_t barrier = f ? ash_scope_open_barrier() : -1;
    ash_array *mask = barrier < 0 ? NULL : ash__map_new(function, f, (ash_operands){&operand, 1}, &map);
    ash_scope_close(barrier);
    ash_function_release(f);
    if (mask && ash__find_check(function, mask->dtype)) {
        ash_release(mask);
        mask = NULL;
    }
    return mask;
}

/* What makes column k of the indices from positions: position / inner mod n, without what the first and the last one need not.
 * Division in f64 takes a fifth of the time of that of integers and is exact below 2^52: (p + 1/2) / inner is no nearer than
 * 1 / (2 inner) to an integer, and rounding moves it by less. */
const char *ash__column_text(const ash_device *device, int64_t size, int64_t k, int64_t rank)
{
    static const char *const by_integers[] = {"div(p, inner)", "div(p, inner) % n", "p % n"};
    static const char *const by_floats[] = {"i64((f64(p) + 0.5) / inner)",
                                            "let q = i64((f64(p) + 0.5) / inner) in q - n * i64((f64(q) + 0.5) / n)",
                                            "p - n * i64((f64(p) + 0.5) / n)"};
    const bool exact = device->f64 && size < INT64_C(1) << 52;
    return (exact ? by_floats : by_integers)[k == 0 ? 0 : k < rank - 1 ? 1 : 2];
}

static ash_status put_column(const char *function, ash_array *out, int64_t k, const ash_array *position, const ash_array *a,
                             ash_resources *given)
{
    const int64_t inner = ash__count(a->shape + k + 1, a->rank - k - 1);
    char text[128];
    const ash_operand operand[3] = {ash_operand_array(position), ash_operand_i64(inner), ash_operand_i64(a->shape[k])};
    const int64_t barrier = ash_scope_open_barrier();
    snprintf(text, sizeof text, "(p, inner, n) -> %s", ash__column_text(ash__device(a), a->size, k, a->rank));
    ash_array *column =
        barrier < 0 ? NULL : ash__view(function, out, ASH_I64, out->shape, out->stride, 1, out->offset + k * out->stride[1]);
    const ash_status status =
        column ? ash__map_text_to(function, column, text, (ash_operands){operand, 3}, given) : ash__last_status();
    ash_release(column);
    ash_scope_close(barrier);
    return status;
}

static ash_array *indices(const char *function, const ash_array *position, const ash_array *a, ash_resources *given)
{
    ash_resources *r = ash__resources_on(function, ash__device(a), given);
    const int64_t shape[2] = {position->size, a->rank};
    ash_array *out = r ? ash__temporary(function, r, a->storage, ASH_I64, shape, 2) : NULL;
    for (int64_t k = 0; out && position->size && k < a->rank; k++)
        if (put_column(function, out, k, position, a, given)) {
            ash_release(out);
            out = NULL;
        }
    return out;
}

ash_array *ash_find_opt(const ash_array *a, const ash_find_options *options)
{
    static const char f[] = "ash_find";
    ash_find_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return NULL;
    ash_array *mask = mask_of(f, a, &o), *out = NULL;
    if (mask && (o.flat || a->rank < 2)) {
        out = ash__mask_positions(f, mask, a->storage, o.resources);
    } else if (mask) {
        const int64_t barrier = ash_scope_open_barrier();
        ash_array *position = barrier < 0 ? NULL : ash__mask_positions(f, mask, a->storage, o.resources);
        ash_scope_close(barrier);
        out = position ? indices(f, position, a, o.resources) : NULL;
        ash_release(position);
    }
    ash_release(mask);
    return out;
}
