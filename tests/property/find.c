/* find.c - which elements are true, and which there are; include/ashlar/order.h. */
#include <string.h>

#include "order.h"

/* ---- different elements */

static void draw_unique(void)
{
    key by;
    const ash_dtype dtype = draw_keyed(&by);
    if (by == LESS_IS_MORE)
        by = ITSELF;
    const argument *a = draw_any("a", dtype, 0, 4);
    const ash_unique_options options = {.by = by_texts[by],
                                        .sorted = one_in(2),
                                        .positions = one_in(2),
                                        .inverse = one_in(2),
                                        .counts = one_in(2),
                                        ASH_SIZED(ash_unique_options)};
    const ash_unique_result got = ash_unique_opt(a->array, &options);
    const model in = model_flat(&a->value), keys = keys_of(&in, by);
    int64_t *first = draw_memory((size_t)(in.size + 1) * sizeof *first),
            *which = draw_memory((size_t)(in.size + 1) * sizeof *which);
    int64_t *times = draw_memory((size_t)(in.size + 1) * sizeof *times),
            *rank = draw_memory((size_t)(in.size + 1) * sizeof *rank);
    int64_t n = 0;
    say(" by %s%s%s%s%s", options.by ? options.by : "value", options.sorted ? ", sorted" : "",
        options.positions ? ", positions" : "", options.inverse ? ", inverse" : "", options.counts ? ", counts" : "");
    for (int64_t i = 0; i < in.size; i++) {
        int64_t j = 0;
        while (j < n && order_of(keys.dtype, model_at(&keys, first[j]), model_at(&keys, i)) != 0)
            j++;
        if (j == n)
            first[n++] = i;
        which[i] = j;
        times[j]++;
    }
    const model values = model_new(in.dtype, &n, 1), positions = model_new(ASH_I64, &n, 1), counts = model_new(ASH_I64, &n, 1),
                inverse = model_new(ASH_I64, a->value.shape, a->value.rank);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++) /* in order, as many stand in front as are smaller */
            rank[j] += options.sorted ? order_of(keys.dtype, model_at(&keys, first[k]), model_at(&keys, first[j])) < 0 : k < j;
    for (int64_t j = 0; j < n; j++) {
        model_put(&values, rank[j], &in, first[j]);
        model_i64(&positions)[rank[j]] = first[j];
        model_i64(&counts)[rank[j]] = times[j];
    }
    for (int64_t i = 0; i < in.size; i++)
        model_i64(&inverse)[i] = rank[which[i]];
    check_new(got.values, &values);
    if (options.positions)
        check_new(got.positions, &positions);
    if (options.inverse)
        check_new(got.inverse, &inverse);
    if (options.counts)
        check_new(got.counts, &counts);
    if ((!options.positions && got.positions) || (!options.inverse && got.inverse) || (!options.counts && got.counts))
        fail("there is more than was asked for");
}

/* ---- true elements */

static void draw_find(void)
{
    const int which = (int)random_below(3);
    const bool predicate = one_in(3), flat = one_in(3), orderless = !predicate && draw_fault();
    const argument *a = draw_any("a", orderless ? record_dtype(SPOT) : predicate ? draw_integer() : draw_real(), 0, 5);
    const int64_t rank = a->value.rank;
    static const char *const functions[] = {"ash_find", "ash_find_first", "ash_find_last"};
    const ash_find_options options = {
        .predicate = predicate ? "x -> x > 1" : NULL, .flat = flat && which == 0, ASH_SIZED(ash_find_options)};
    ash_array *got = which == 0 ? ash_find_opt(a->array, &options) : NULL;
    const int64_t place = which == 1   ? ash_find_first_opt(a->array, &options)
                          : which == 2 ? ash_find_last_opt(a->array, &options)
                                       : 0;
    say("%s%s", predicate ? " x > 1" : "", flat ? " flat" : "");
    if (orderless) {
        check_refused(which ? place == -1 : !got, functions[which], ONE_OF(ASH_ERR_DTYPE));
        return;
    }
    const int64_t one = 1;
    const model limit = model_new(a->value.dtype, &one, 1);
    number_store(limit.dtype, (number){FINITE, false, 1, 0}, model_at(&limit, 0));
    int64_t *at = draw_memory((size_t)(a->value.size + 1) * sizeof *at), n = 0;
    for (int64_t i = 0; i < a->value.size; i++)
        if (predicate ? order_of(a->value.dtype, model_at(&a->value, i), model_at(&limit, 0)) > 0
                      : is_true(a->value.dtype, model_at(&a->value, i)))
            at[n++] = i;
    if (which) {
        const int64_t want = !n ? -1 : which == 1 ? at[0] : at[n - 1];
        if (place != want)
            fail("position %" PRId64 ", not %" PRId64, place, want);
        return;
    }
    const bool indices = rank >= 2 && !flat;
    const model want = model_new(ASH_I64, (const int64_t[]){n, rank}, indices ? 2 : 1);
    for (int64_t i = 0; i < n; i++)
        if (indices)
            index_of(&a->value, at[i], model_i64(&want) + i * rank);
        else
            model_i64(&want)[i] = at[i];
    check_new(got, &want);
}

const operation find_operations[] = {
    {"find", draw_find, 3},
    {"unique", draw_unique, 3},
    {NULL, NULL, 0},
};
