/* sort_by_key.c - keys in order, and values that move with them. */
#include "core/error.h"
#include "core/options.h"
#include "ashlar/index.h"
#include "ops/place.h"
#include "ops/sorting.h"

static const ash_key_values none = {NULL, NULL};

static ash_key_values of(ash_array *keys, ash_array *values)
{
    if (keys && values)
        return (ash_key_values){keys, values};
    ash_release(keys);
    ash_release(values);
    return none;
}

/* Element by element: positions move both. */
static ash_key_values elements(const ash__sorting *s, const ash_array *values)
{
    ash_array *keys = ash__sorting_result(s, s->a, s->a->dtype), *moved = NULL;
    if (keys)
        moved = ash__sorting_result(s, values, values->dtype);
    if (moved && (ash__sorting_run(s, s->a, keys, NULL) || ash__sorting_run(s, values, moved, NULL))) {
        ash_release(moved);
        moved = NULL;
    }
    return of(keys, moved);
}

/* Slices of values along axis 0 by the order of a vector of keys. */
static ash_key_values slices(const ash__sorting *s, const ash_array *values)
{
    const ash_take_options o = {.struct_size = sizeof o, .resources = s->given};
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const p = barrier < 0 ? NULL : ash__sorting_result(s, s->a, ASH_I64);
    const bool sorted = p && !ash__sorting_run(s, s->a, NULL, p);
    ash_scope_close(barrier);
    ash_array *const keys = sorted ? ash_take_opt(s->a, p, &o) : NULL;
    ash_array *const moved = keys ? ash_take_opt(values, p, &o) : NULL;
    ash_release(p);
    return of(keys, moved);
}

static ash_status check_values(const char *function, const ash_array *keys, const ash_array *values, bool flat, bool *whole)
{
    char have[ASH__SHAPE_TEXT], want[ASH__SHAPE_TEXT];
    ash_status status = ash__check_array(function, "keys", keys);
    if (!status)
        status = ash__check_array(function, "values", values);
    if (status)
        return status;
    if (ash__device(keys) != ash__device(values))
        return ash__fail(ASH_ERR_DEVICE, function, "values are on %s and keys on %s", ash__device(values)->name,
                         ash__device(keys)->name);
    *whole = ash_same_shape(keys, values);
    if (*whole || (!flat && keys->rank == 1 && values->rank > 1 && values->shape[0] == keys->shape[0]))
        return ASH_OK;
    return ash__fail(
        ASH_ERR_SHAPE, function,
        "values have shape %s and keys %s; equal shapes are wanted, or as many slices along axis 0 as the vector has "
        "keys",
        ash__shape_text(have, sizeof have, values->shape, values->rank),
        ash__shape_text(want, sizeof want, keys->shape, keys->rank));
}

ash_key_values ash_sort_by_key_opt(const ash_array *keys, const ash_array *values, const ash_sort_options *options)
{
    static const char f[] = "ash_sort_by_key";
    ash_sort_options o;
    ash__sorting s;
    bool whole;
    if (!ash__read_options(f, &o, sizeof o, options) || check_values(f, keys, values, o.flat, &whole) ||
        ash__sorting_begin(&s, f, keys, &o))
        return none;
    ash_array *const moving = whole ? ash__sorting_lines(f, values, o.flat, o.resources) : ash_retain(values);
    /* what a vector's order moves is fetched by its positions: one sort, of which a comparison may make a long one */
    const ash_key_values result = !moving ? none : s.a->rank == 1 ? slices(&s, moving) : elements(&s, moving);
    ash_release(moving);
    ash__sorting_end(&s);
    return result;
}
