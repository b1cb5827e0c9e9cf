/* sort.c - elements in order. */
#include "core/error.h"
#include "core/options.h"
#include "ops/place.h"
#include "ops/sorting.h"
#include "ops/task.h"

ash_array *ash_sort_opt(const ash_array *a, const ash_sort_options *options)
{
    static const char f[] = "ash_sort";
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__sorting_begin(&s, f, a, &o))
        return NULL;
    ash_array *const out = ash__sorting_values(&s);
    ash__sorting_end(&s);
    return out;
}

/* Elements by their own order, straight to where they belong: out shares nothing with a, or is a. */
static bool direct(const ash__sorting *s, const ash_array *out)
{
    if (s->less || s->keys != s->a || out->conjugated)
        return false;
    if (!ash__may_overlap(s->a, out))
        return true;
    bool same = ash__data(s->a) == ash__data(out);
    for (int64_t k = 0; same && k < out->rank; k++)
        same = out->shape[k] < 2 || s->a->stride[k] == out->stride[k];
    return same;
}

/* By way of an array of its own. */
static ash_status aside(const ash__sorting *s, ash_array *out)
{
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const sorted = barrier < 0 ? NULL : ash__sorting_values(s);
    const ash_status status = sorted ? ash__convert_elements(s->function, out, sorted, false, s->given) : ash__last_status();
    ash_release(sorted);
    ash_scope_close(barrier);
    return status;
}

ash_status ash_sort_into_opt(ash_array *out, const ash_array *a, const ash_sort_options *options)
{
    static const char f[] = "ash_sort_into";
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_array(f, "out", out);
    if (!status)
        status = ash__sorting_begin(&s, f, a, &o);
    if (status)
        return status;
    status = ash__sorting_check_out(&s, out, s.a->dtype);
    if (!status)
        status = direct(&s, out) ? ash__sorting_run(&s, s.a, out, NULL) : aside(&s, out);
    ash__sorting_end(&s);
    return status;
}
