/*
 * unique.c - the different elements, from their order.
 *
 * Sorting makes equal elements neighbours, the first one first, since it is stable. A flag at each that differs from the one
 * before it makes groups: their starts in the order are found, their numbers are running sums of the flags. In the order of
 * first sight the groups are sorted once more, by the position of their first element. Everything is made of other
 * operations, so it goes on where the array is.
 */
#include "ashlar/index.h"
#include "ashlar/map.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/sorting.h"
#include "ops/task.h"

typedef struct groups {
    const ash__sorting *s;
    const ash_unique_options *o;
    ash_array *order;  /* positions of all elements in order */
    ash_array *flags;  /* where in it a group starts */
    ash_array *starts; /* the same as positions */
    ash_array *first;  /* of each group, where it was first seen */
    ash_array *seen;   /* numbers of the groups in the order of first sight; NULL when they stay sorted */
} groups;

/* ---- operations with the resources that were given */

static ash_array *take(const groups *g, const ash_array *a, const ash_array *p)
{
    const ash_take_options o = {.struct_size = sizeof o, .resources = g->o->resources};
    return ash_take_opt(a, p, &o);
}

/* A new array, row-major. */
static ash_array *integers(const groups *g, ash_dims shape, ash_dtype dtype)
{
    const ash__make make = {.resources = ash__resources_on(g->s->function, ash__device(g->s->a), g->o->resources),
                            .dtype = dtype,
                            .storage = g->s->a->storage,
                            .memory = g->s->a->buffer->memory};
    return make.resources ? ash__array_new(g->s->function, shape, &make) : NULL;
}

/* 0, 1, 2 ... n - 1 */
static ash_array *count_up(const groups *g, int64_t n)
{
    return ash_range(0, n, .dtype = ASH_I64, .storage = g->s->a->storage,
                     .resources = ash__resources_on(g->s->function, ash__device(g->s->a), g->o->resources));
}

static ash_status map_to(const groups *g, ash_array *out, const char *text, const ash_array *x, const ash_array *y)
{
    const ash_operand operand[2] = {ash_operand_array(x), ash_operand_array(y)};
    return ash__map_text_to(g->s->function, out, text, (ash_operands){operand, y ? 2 : 1}, g->o->resources);
}

/* Elements first .. first + n - 1 of a vector. */
static ash_array *part(const groups *g, const ash_array *a, int64_t first, int64_t n)
{
    return ash__view(g->s->function, a, a->dtype, &n, a->stride, 1, a->offset + first * a->stride[0]);
}

/* out[place[i]] = value[i] */
static ash_status put(const groups *g, ash_array *out, const ash_array *place, const ash_array *value)
{
    const ash_put_options o = {.struct_size = sizeof o, .resources = g->o->resources};
    const ash_operand operand = ash_operand_array(value);
    return ash_put_opt(out, place, &operand, &o);
}

/* ---- groups */

static const char *differs(ash_dtype dtype)
{
    return ash__is_float(dtype) ? "(x, y) -> !(x == y && signbit(x) == signbit(y)) && !(isnan(x) && isnan(y))"
                                : "(x, y) -> x != y";
}

static ash_status set_flags(groups *g)
{
    const int64_t n = g->s->n;
    const unsigned char yes = 1;
    ash_array *const keys = take(g, g->s->keys, g->order);
    g->flags = keys ? integers(g, (ash_dims){&n, 1}, ASH_BOOL) : NULL;
    if (!g->flags || ash__fill_elements(g->s->function, g->flags, &yes, g->o->resources) || n < 2)
        return g->flags ? ASH_OK : ash__last_status();
    ash_array *const rest = part(g, g->flags, 1, n - 1), *const before = part(g, keys, 0, n - 1);
    ash_array *const here = part(g, keys, 1, n - 1);
    return rest && before && here ? map_to(g, rest, differs(keys->dtype), before, here) : ash__last_status();
}

static bool find_groups(groups *g)
{
    const ash_find_options find = {.struct_size = sizeof find, .resources = g->o->resources};
    const ash_sort_options sort = {.struct_size = sizeof sort, .resources = g->o->resources};
    g->order = ash__sorting_result(g->s, g->s->a, ASH_I64);
    if (!g->order || ash__sorting_run(g->s, g->s->a, NULL, g->order) || set_flags(g))
        return false;
    g->starts = ash_find_opt(g->flags, &find);
    g->first = g->starts ? take(g, g->order, g->starts) : NULL;
    if (g->first && !g->o->sorted)
        g->seen = ash_sortperm_opt(g->first, &sort);
    return g->first && (g->seen || g->o->sorted);
}

/* What is kept for each group, in the order of the result. */
static ash_array *in_turn(const groups *g, ash_array *of_groups)
{
    return of_groups && g->seen ? take(g, of_groups, g->seen) : of_groups;
}

static ash_array *counts(const groups *g)
{
    const int64_t m = g->starts->size, n = g->s->n;
    ash_array *const count = integers(g, ash__dims(g->starts), ASH_I64);
    if (!count || !m)
        return count;
    ash_array *const all = part(g, count, 0, m - 1), *const last = part(g, count, m - 1, 1);
    ash_array *const start = part(g, g->starts, 0, m - 1), *const next = part(g, g->starts, 1, m - 1);
    ash_array *const last_start = part(g, g->starts, m - 1, 1);
    if (!all || !last || !start || !next || !last_start || ash__fill_elements(g->s->function, last, &n, g->o->resources) ||
        map_to(g, last, "(n, start) -> n - start", last, last_start) ||
        map_to(g, all, "(start, next) -> next - start", start, next))
        return NULL;
    return in_turn(g, count);
}

/* The number of each element's group, in the result, at the element's place. */
static ash_array *inverse(const groups *g, const ash_array *a)
{
    const int64_t item = 8;
    const ash_scan_options scan = {.struct_size = sizeof scan, .resources = g->o->resources};
    ash_array *number = ash_cumsum_opt(g->flags, &scan), *const out = integers(g, ash__dims(a), ASH_I64);
    ash_array *const places = out ? ash__view(g->s->function, out, ASH_I64, &g->s->n, &item, 1, out->offset) : NULL;
    if (!number || !places || map_to(g, number, "x -> x - 1", number, NULL))
        return NULL;
    if (g->seen) {
        ash_array *const rank = integers(g, ash__dims(g->starts), ASH_I64), *const range = count_up(g, g->starts->size);
        number = rank && range && !put(g, rank, g->seen, range) ? take(g, rank, number) : NULL;
    }
    return number && !put(g, places, g->order, number) ? out : NULL;
}

/* ---- results */

/* Makes the results in the scope that is open; false when one of them fails. */
static bool make(groups *g, const ash_array *a, ash_unique_result *r)
{
    if (!find_groups(g))
        return false;
    ash_array *const positions = in_turn(g, g->first);
    r->values = positions ? take(g, g->s->a, positions) : NULL;
    r->positions = g->o->positions ? positions : NULL;
    if (r->values && g->o->counts && !(r->counts = counts(g)))
        return false;
    if (r->values && g->o->inverse && !(r->inverse = inverse(g, a)))
        return false;
    return r->values != NULL;
}

ash_unique_result ash_unique_opt(const ash_array *a, const ash_unique_options *options)
{
    static const char f[] = "ash_unique";
    const ash_unique_result none = {NULL, NULL, NULL, NULL};
    ash_unique_result r = none;
    ash_unique_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options))
        return none;
    const ash_sort_options order = {.resources = o.resources, .by = o.by, .flat = true};
    if (ash__sorting_begin(&s, f, a, &order))
        return none;
    groups g = {.s = &s, .o = &o};
    const int64_t scope = ash_scope_open(); /* of all that is needed on the way */
    if (!make(&g, a, &r))
        r = none;
    ash_keep(scope, r.values);
    ash_keep(scope, r.positions);
    ash_keep(scope, r.inverse);
    ash_keep(scope, r.counts);
    ash_scope_close(scope);
    ash__sorting_end(&s);
    return r;
}
