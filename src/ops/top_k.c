/* top_k.c - the largest elements and where they are. */
#include "core/error.h"
#include "core/options.h"
#include "ops/sorting.h"

ash_top ash_top_k_opt(const ash_array *a, int64_t k, const ash_sort_options *options)
{
    static const char f[] = "ash_top_k";
    const ash_top none = {NULL, NULL};
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options))
        return none;
    if (o.descending) {
        ash__fail(ASH_ERR_ARGUMENT, f, ".descending has no meaning here: the largest come first; .by = \"x -> -x\" or "
                                       "ash_partial_sort gives the smallest");
        return none;
    }
    o.descending = true;
    o.flat = o.flat || (a && !a->rank); /* one element is a vector of one */
    if (ash__sorting_begin(&s, f, a, &o))
        return none;
    ash_top top = none;
    if (k < 0 || k > s.n) {
        ash__fail(ASH_ERR_BOUNDS, f, "k is %lld; 0 to %lld, the size of the axis, is wanted", (long long)k, (long long)s.n);
    } else {
        s.count = k;
        top.values = ash__sorting_result(&s, s.a, s.a->dtype);
        top.positions = top.values ? ash__sorting_result(&s, s.a, ASH_I64) : NULL;
        if (!top.positions || ash__sorting_run(&s, s.a, top.values, top.positions)) {
            ash_release(top.values);
            ash_release(top.positions);
            top = none;
        }
    }
    ash__sorting_end(&s);
    return top;
}
