/* is_sorted.c - whether elements are in order: whether each is, with the one behind it. */
#include "core/error.h"
#include "core/options.h"
#include "ops/compare.h"
#include "ops/reduction.h"
#include "ops/sorting.h"

static const ash__operator any = {.text = "||", .fold = ASH__FOLD_OR, .truth = true};

/* Of x and the y behind it, for keys in ascending order. */
static const char *in_order(ash_dtype dtype)
{
    if (ash__is_float(dtype))
        return "(x, y) -> x < y || isnan(y) || (x == y && (signbit(x) || !signbit(y)))";
    return dtype == ASH_BOOL ? "(x, y) -> !x || y" : "(x, y) -> x <= y";
}

static bool no_violation(const ash__sorting *s, const char *less, ash_operands pair)
{
    const ash_reduce_options o = {.resources = s->given};
    bool found = true;
    ash_array *const x = ash__reduce_text(s->function, less, any, pair, ASH_DTYPE_DEFAULT, &o);
    if (!x || ash_to_host(x, &found, sizeof found))
        found = true;
    ash_release(x);
    return !found;
}

/* All elements but the last, or but the first, along the axis. */
static ash_array *neighbours(const ash__sorting *s, int64_t from)
{
    int64_t shape[ASH_MAX_RANK];
    const ash_array *const k = s->keys;
    memcpy(shape, k->shape, (size_t)k->rank * sizeof *shape);
    shape[s->axis] -= 1;
    return ash__view(s->function, k, k->dtype, shape, k->stride, k->rank, k->offset + from * k->stride[s->axis]);
}

static bool check_lines(const ash__sorting *s, const char *less)
{
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const first = barrier < 0 ? NULL : neighbours(s, 0);
    ash_array *const second = first ? neighbours(s, 1) : NULL;
    bool sorted = false;
    if (second && less) { /* in order unless the one behind comes before the other */
        const ash_operand pair[2] = {ash_operand_array(s->descending ? first : second),
                                     ash_operand_array(s->descending ? second : first)};
        sorted = no_violation(s, less, (ash_operands){pair, 2});
    } else if (second) {
        const ash_operand pair[2] = {ash_operand_array(s->descending ? second : first),
                                     ash_operand_array(s->descending ? first : second)};
        sorted = ash__all_pairs(s->function, in_order(s->keys->dtype), (ash_operands){pair, 2}, s->given);
    }
    ash_release(first);
    ash_release(second);
    ash_scope_close(barrier);
    return sorted;
}

bool ash_is_sorted_opt(const ash_array *a, const ash_sort_options *options)
{
    static const char f[] = "ash_is_sorted";
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__sorting_begin(&s, f, a, &o))
        return false;
    const bool sorted = s.n < 2 || !s.a->size || check_lines(&s, o.less);
    ash__sorting_end(&s);
    return sorted;
}
