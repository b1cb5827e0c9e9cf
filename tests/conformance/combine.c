/* combine.c - arrays turned, shifted, repeated and put together; include/ashlar/index.h. */
#include "trial.h"

#include <string.h>

/* Where element i of a result of this shape comes from. */
typedef int64_t source(const model *a, const int64_t *index);

static void expect_moved(const model *a, const int64_t *shape, int64_t rank, source *from)
{
    const model want = model_new(a->dtype, shape, rank);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&want, i, index);
        const int64_t at = from(a, index);
        if (at >= 0)
            model_put(&want, i, a, at);
    }
    expect(&want);
}

static int64_t reversed(const model *a, const int64_t *index)
{
    int64_t at[MODEL_RANK];
    for (int64_t k = 0; k < a->rank; k++)
        at[k] = a->shape[k] - 1 - index[k];
    return position_of(a, at);
}
static void run_reverse(void)
{
    const argument a = give_here(ANYTHING);
    result(ash_reverse(a.array));
    expect_moved(&a.value, now.shape, now.rank, reversed);
}

static int64_t rolled(const model *a, const int64_t *index)
{
    int64_t at[MODEL_RANK];
    for (int64_t k = 0; k < a->rank; k++)
        at[k] = k ? index[k] : (index[k] + a->shape[k] - 2 % a->shape[k]) % a->shape[k];
    return position_of(a, at);
}
static void run_roll(void)
{
    const argument a = give_here(ANYTHING);
    result(ash_roll(a.array, ASH_SHAPE(2)));
    expect_moved(&a.value, now.shape, now.rank, rolled);
}

static int64_t turned(const model *a, const int64_t *index)
{
    int64_t at[MODEL_RANK];
    memcpy(at, index, sizeof at);
    at[0] = index[1];
    at[1] = a->shape[1] - 1 - index[0];
    return position_of(a, at);
}
static void run_rot90(void)
{
    int64_t shape[MODEL_RANK];
    const argument a = give_here(ANYTHING);
    memcpy(shape, now.shape, sizeof shape);
    shape[0] = now.shape[1];
    shape[1] = now.shape[0];
    result(ash_rot90(a.array));
    expect_moved(&a.value, shape, now.rank, turned);
}

static int64_t repeated(const model *a, const int64_t *index)
{
    int64_t at[MODEL_RANK];
    memcpy(at, index, sizeof at);
    at[0] = index[0] / 3;
    return position_of(a, at);
}
static void run_repeat(void)
{
    int64_t shape[MODEL_RANK];
    const argument a = give_here(ANYTHING);
    memcpy(shape, now.shape, sizeof shape);
    shape[0] *= 3;
    result(ash_repeat(a.array, 3));
    expect_moved(&a.value, shape, now.rank, repeated);
}

static int64_t tiled(const model *a, const int64_t *index)
{
    int64_t at[MODEL_RANK];
    for (int64_t k = 0; k < a->rank; k++)
        at[k] = index[k] % a->shape[k];
    return position_of(a, at);
}
static void run_tile(void)
{
    int64_t shape[MODEL_RANK], counts[MODEL_RANK];
    const argument a = give_here(ANYTHING);
    for (int64_t k = 0; k < now.rank; k++) {
        counts[k] = k + 1 == now.rank ? 3 : 1;
        shape[k] = now.shape[k] * counts[k];
    }
    result(ash_tile(a.array, DIMS(counts, now.rank)));
    expect_moved(&a.value, shape, now.rank, tiled);
}

/* ---- triangles of the last two axes */

static int64_t upper(const model *a, const int64_t *index)
{
    return index[a->rank - 1] - index[a->rank - 2] >= 1 ? position_of(a, index) : -1;
}
static void run_triu(void)
{
    const argument a = give_here(ANYTHING);
    result(ash_triu(a.array, .k = 1));
    expect_moved(&a.value, now.shape, now.rank, upper);
}
static int64_t lower(const model *a, const int64_t *index)
{
    return index[a->rank - 1] - index[a->rank - 2] <= 0 ? position_of(a, index) : -1;
}
static void run_tril(void)
{
    const argument a = give_here(ANYTHING);
    result(ash_tril(a.array));
    expect_moved(&a.value, now.shape, now.rank, lower);
}

/* ---- several arrays */

static void run_concat(void)
{
    const int64_t axis = now.turn % 2 ? now.rank - 1 : 0;
    int64_t shape[MODEL_RANK];
    memcpy(shape, now.shape, sizeof shape);
    shape[axis] += 2;
    const argument a = give_here(ANYTHING), b = give(now.dtype, shape, now.rank, ANYTHING);
    result(ash_concat(ASH_ARRAYS(a.array, b.array), .axis = axis));
    shape[axis] += now.shape[axis];
    const model want = model_new(now.dtype, shape, now.rank);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&want, i, index);
        const bool first = index[axis] < now.shape[axis];
        index[axis] -= first ? 0 : now.shape[axis];
        model_put(&want, i, first ? &a.value : &b.value, position_of(first ? &a.value : &b.value, index));
    }
    expect(&want);
}

static void run_concat_blocks(void)
{
    const argument a = give_here(ANYTHING), b = give_here(ANYTHING);
    result(ash_concat(ASH_ARRAYS(a.array, b.array), .axes = ASH_AXES(0, 1)));
}

static void run_stack(void)
{
    const argument a = give_here(ANYTHING), b = give_here(ANYTHING);
    result(ash_stack(ASH_ARRAYS(a.array, b.array), .axis = -1));
    int64_t shape[MODEL_RANK];
    memcpy(shape, now.shape, sizeof shape);
    shape[now.rank] = 2;
    const model want = model_new(now.dtype, shape, now.rank + 1);
    for (int64_t i = 0; i < want.size; i++)
        model_put(&want, i, i % 2 ? &b.value : &a.value, i / 2);
    expect(&want);
}

const operation combine_operations[] = {
    {"reverse", run_reverse, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"roll", run_roll, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"rot90", run_rot90, ALL_DTYPES, WITH_ROWS, EXACT, EXACT, 0},
    {"repeat", run_repeat, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"tile", run_tile, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"triu", run_triu, ALL_DTYPES, WITH_ROWS, EXACT, EXACT, 0},
    {"tril", run_tril, ALL_DTYPES, WITH_ROWS, EXACT, EXACT, 0},
    {"concat", run_concat, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"concat_blocks", run_concat_blocks, ALL_DTYPES, WITH_ROWS, EXACT, EXACT, 0},
    {"stack", run_stack, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
