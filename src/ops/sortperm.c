/* sortperm.c - where the elements in order come from. */
#include "core/error.h"
#include "core/options.h"
#include "ops/sorting.h"
#include "ops/task.h"

/* A new array of the positions. */
static ash_array *positions(const ash__sorting *s)
{
    ash_array *out = ash__sorting_result(s, s->a, ASH_I64);
    if (out && ash__sorting_run(s, s->a, NULL, out)) {
        ash_release(out);
        out = NULL;
    }
    return out;
}

ash_array *ash_sortperm_opt(const ash_array *a, const ash_sort_options *options)
{
    static const char f[] = "ash_sortperm";
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__sorting_begin(&s, f, a, &o))
        return NULL;
    ash_array *const out = positions(&s);
    ash__sorting_end(&s);
    return out;
}

/* By way of an array of its own, where the comparison could fail half way. */
static ash_status aside(const ash__sorting *s, ash_array *out)
{
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const p = barrier < 0 ? NULL : positions(s);
    const ash_status status = p ? ash__copy_elements(s->function, out, p, s->given) : ash__last_status();
    ash_release(p);
    ash_scope_close(barrier);
    return status;
}

ash_status ash_sortperm_into_opt(ash_array *out, const ash_array *a, const ash_sort_options *options)
{
    static const char f[] = "ash_sortperm_into";
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_array(f, "out", out);
    if (!status)
        status = ash__sorting_begin(&s, f, a, &o);
    if (status)
        return status;
    status = ash__sorting_check_out(&s, out, ASH_I64);
    if (!status && ash__may_overlap(a, out))
        status = ash__fail(ASH_ERR_ARGUMENT, f, "out shares memory with a, whose positions it is to hold");
    if (!status)
        status = s.less ? aside(&s, out) : ash__sorting_run(&s, s.a, NULL, out);
    ash__sorting_end(&s);
    return status;
}
