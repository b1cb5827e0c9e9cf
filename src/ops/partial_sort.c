/* partial_sort.c - the elements of some positions of the order. */
#include "core/error.h"
#include "core/options.h"
#include "ops/sorting.h"

ash_array *ash_partial_sort_opt(const ash_array *a, int64_t first, int64_t count, const ash_sort_options *options)
{
    static const char f[] = "ash_partial_sort";
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (first < 0 || count < 0) {
        ash__fail(ASH_ERR_ARGUMENT, f, "first %lld and count %lld; neither may be negative", (long long)first,
                  (long long)count);
        return NULL;
    }
    o.flat = o.flat || (a && !a->rank); /* one element is a vector of one */
    if (ash__sorting_begin(&s, f, a, &o))
        return NULL;
    ash_array *out = NULL;
    if (first > s.n || count > s.n - first) {
        ash__fail(ASH_ERR_BOUNDS, f, "%lld elements from position %lld on are out of bounds for size %lld", (long long)count,
                  (long long)first, (long long)s.n);
    } else {
        s.first = first;
        s.count = count;
        out = ash__sorting_values(&s);
    }
    ash__sorting_end(&s);
    return out;
}
