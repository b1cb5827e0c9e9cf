/* sort_into.c - elements in order, or their positions, into an array that is there. */
#include "core/error.h"
#include "core/options.h"
#include "ops/sorting.h"
#include "ops/task.h"

/* May the backend write out itself? out shares nothing with a, or elements are sorted by their own order where they lie.
 * Nothing may fail half way. */
static bool direct(const ash__sorting *s, const ash_array *out, bool positions)
{
    if (s->less || out->conjugated)
        return false;
    if (!ash__may_overlap(s->a, out))
        return true;
    bool same = !positions && s->keys == s->a && ash__data(s->a) == ash__data(out);
    for (int64_t k = 0; same && k < out->rank; k++)
        same = out->shape[k] < 2 || s->a->stride[k] == out->stride[k];
    return same;
}

/* By way of an array of its own. */
static ash_status aside(const ash__sorting *s, ash_array *out, bool positions)
{
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const sorted = barrier < 0 ? NULL : positions ? ash__sorting_positions(s) : ash__sorting_values(s);
    const ash_status status = sorted ? ash__convert_elements(s->function, out, sorted, false, s->given) : ash__last_status();
    ash_release(sorted);
    ash_scope_close(barrier);
    return status;
}

static ash_status into(const char *function, ash_array *out, const ash_array *a, const ash_sort_options *options,
                       bool positions)
{
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(function, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_array(function, "out", out);
    if (!status)
        status = ash__sorting_begin(&s, function, a, &o);
    if (status)
        return status;
    status = ash__sorting_check_out(&s, out, positions ? ASH_I64 : s.a->dtype);
    if (!status && positions && ash__may_overlap(a, out))
        status = ash__fail(ASH_ERR_ARGUMENT, function, "out shares memory with a, whose positions it is to hold");
    if (!status && !direct(&s, out, positions))
        status = aside(&s, out, positions);
    else if (!status)
        status = ash__sorting_run(&s, s.a, positions ? NULL : out, positions ? out : NULL);
    ash__sorting_end(&s);
    return status;
}

ash_status ash_sort_into_opt(ash_array *out, const ash_array *a, const ash_sort_options *options)
{
    return into("ash_sort_into", out, a, options, false);
}

ash_status ash_sortperm_into_opt(ash_array *out, const ash_array *a, const ash_sort_options *options)
{
    return into("ash_sortperm_into", out, a, options, true);
}
