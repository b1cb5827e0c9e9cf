/*
 * sort_by_key.c - keys in order, and values that move with them: one array or several.
 *
 * A vector of keys is sorted once, and its positions fetch everything; so a comparison, which may make a long sort, is
 * applied once. Along an axis of more, each array is moved by a task of its own.
 */
#include <stdio.h>

#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/place.h"
#include "ops/sorting.h"

static const char function[] = "ash_sort_by_key";

static void drop(ash_key_lists *list)
{
    ash_release(list->keys);
    for (int k = 0; k < ASH_MAX_VALUES; k++)
        ash_release(list->values[k]);
    *list = (ash_key_lists){.keys = NULL};
}

/* Element by element: s->a to its place in the order, and each of `moving` likewise. */
static ash_status elements(const ash__sorting *s, ash_arrays moving, ash_key_lists *out)
{
    out->keys = ash__sorting_values(s);
    ash_status status = out->keys ? ASH_OK : ash__last_status();
    for (int64_t k = 0; k < moving.count && !status; k++) {
        const ash_array *const values = moving.array[k];
        out->values[k] = ash__sorting_result(s, values, values->dtype);
        status = out->values[k] ? ash__sorting_run(s, values, out->values[k], NULL) : ash__last_status();
    }
    return status;
}

/* Elements, or slices along axis 0, by the order of a vector of keys. */
static ash_status slices(const ash__sorting *s, ash_arrays moving, ash_key_lists *out)
{
    const ash_take_options o = {.struct_size = sizeof o, .resources = s->given};
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const p = barrier < 0 ? NULL : ash__sorting_positions(s);
    ash_scope_close(barrier);
    bool done = p && (out->keys = ash_take_opt(s->a, p, &o));
    for (int64_t k = 0; k < moving.count && done; k++)
        done = (out->values[k] = ash_take_opt(moving.array[k], p, &o));
    ash_release(p);
    return done ? ASH_OK : ash__last_status();
}

/* "values" where there is one array of them, else "values[2]", as the result has it. */
static ash_status check_values(const char *name, const ash_array *keys, const ash_array *values, bool flat)
{
    char have[ASH__SHAPE_TEXT], want[ASH__SHAPE_TEXT];
    const ash_status status = ash__check_array(function, name, values);
    if (status)
        return status;
    if (ash__device(keys) != ash__device(values))
        return ash__fail(ASH_ERR_DEVICE, function, "%s are on %s and keys on %s", name, ash__device(values)->name,
                         ash__device(keys)->name);
    if (ash_same_shape(keys, values) || (!flat && keys->rank == 1 && values->rank > 1 && values->shape[0] == keys->shape[0]))
        return ASH_OK;
    return ash__fail(
        ASH_ERR_SHAPE, function,
        "%s have shape %s and keys %s; equal shapes are wanted, or as many slices along axis 0 as the vector has keys", name,
        ash__shape_text(have, sizeof have, values->shape, values->rank),
        ash__shape_text(want, sizeof want, keys->shape, keys->rank));
}

static ash_status check(const ash_array *keys, ash_arrays values, bool flat)
{
    char name[32] = "values";
    ash_status status = ash__check_array(function, "keys", keys);
    for (int64_t k = 0; k < values.count && !status; k++) {
        if (values.count > 1)
            snprintf(name, sizeof name, "values[%lld]", (long long)k);
        status = check_values(name, keys, values.array[k], flat);
    }
    return status;
}

/* Everything is checked before anything is sorted. */
static ash_key_lists sort(const ash_array *keys, ash_arrays values, const ash_sort_options *options)
{
    ash_array *moving[ASH_MAX_VALUES] = {NULL};
    const ash_arrays list = {(const ash_array *const *)moving, values.count};
    ash_key_lists result = {.keys = NULL};
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(function, &o, sizeof o, options) || check(keys, values, o.flat) ||
        ash__sorting_begin(&s, function, keys, &o))
        return result;
    ash_status status = ASH_OK;
    for (int64_t k = 0; k < values.count && !status; k++) {
        const ash_array *const a = values.array[k];
        moving[k] = ash_same_shape(keys, a) ? ash__sorting_lines(function, a, o.flat, o.resources) : ash_retain(a);
        status = moving[k] ? ASH_OK : ash__last_status();
    }
    if (!status)
        status = s.a->rank == 1 ? slices(&s, list, &result) : elements(&s, list, &result);
    if (status)
        drop(&result);
    for (int64_t k = 0; k < values.count; k++)
        ash_release(moving[k]);
    ash__sorting_end(&s);
    return result;
}

ash_key_values ash_sort_by_key_opt(const ash_array *keys, const ash_array *values, const ash_sort_options *options)
{
    const ash_key_lists result = sort(keys, (ash_arrays){&values, 1}, options);
    return (ash_key_values){result.keys, result.values[0]};
}

ash_key_lists ash_sort_all_by_key_opt(const ash_array *keys, ash_arrays values, const ash_sort_options *options)
{
    if (values.count < 1 || values.count > ASH_MAX_VALUES) {
        ash__fail(ASH_ERR_ARGUMENT, function, "%lld arrays of values are given; 1 to %d are wanted", (long long)values.count,
                  ASH_MAX_VALUES);
        return (ash_key_lists){.keys = NULL};
    }
    if (!values.array) {
        ash__null(function, "values");
        return (ash_key_lists){.keys = NULL};
    }
    return sort(keys, values, options);
}
