/* index.c - elements picked and written by places and masks; include/ashlar/index.h. */
#include "trial.h"

#include <string.h>

static int64_t axis_here(void)
{
    return now.rank > 1 && now.turn % 2 ? now.rank - 1 : 0;
}

/* Places of an axis, of an integer dtype that takes turns; an axis of no elements has none. */
static argument give_places(int64_t n, int64_t count)
{
    const int64_t m = n ? count : 0;
    const model wide = model_new(ASH_I64, &m, 1);
    for (int64_t i = 0; i < m; i++)
        model_i64(&wide)[i] = random_below(n < 100 ? n : 100);
    model places;
    model_convert(&places, &wide, (ash_dtype)(ASH_I8 + now.turn % 8));
    return give_model(&places);
}

static int64_t place_at(const model *places, int64_t i)
{
    int64_t place = 0;
    convert_element(ASH_I64, &place, places->dtype, model_at(places, i));
    return place;
}

/* What ash_take gives; or, of an array of places, where each element of that comes from. */
static model taken(const model *a, const model *places, int64_t axis)
{
    int64_t shape[MODEL_RANK];
    memcpy(shape, a->shape, sizeof shape);
    shape[axis] = places->size;
    const model out = model_new(a->dtype, shape, a->rank);
    for (int64_t i = 0; i < out.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&out, i, index);
        index[axis] = place_at(places, index[axis]);
        model_put(&out, i, a, position_of(a, index));
    }
    return out;
}

static void run_take(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(ANYTHING), places = give_places(now.shape[axis], 70);
    result(ash_take(a.array, places.array, .axis = axis));
    const model want = taken(&a.value, &places.value, axis);
    expect(&want);
}

static void run_put(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(ANYTHING), places = give_places(now.shape[axis], 70);
    const model at = model_positions(now.shape, now.rank), to = taken(&at, &places.value, axis);
    const argument values = give(now.dtype, to.shape, to.rank, ANYTHING), out = give_out(&a.value);
    result_status(ash_put(out.array, places.array, values.array, .axis = axis), &out);
    const model want = model_copy(&a.value);
    for (int64_t i = 0; i < to.size; i++)
        model_put(&want, model_i64(&to)[i], &values.value, i);
    expect(&want);
}

/* Each of several values for one place is added: of integers modulo 2^n, of floats in their order. */
static void run_put_sums(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(TAME), places = give_places(now.shape[axis], 70);
    const model at = model_positions(now.shape, now.rank), to = taken(&at, &places.value, axis);
    const argument values = give(now.dtype, to.shape, to.rank, TAME), out = give_out(&a.value);
    result_status(ash_put(out.array, places.array, values.array, .axis = axis, .accumulate = true), &out);
    if (!is_integer(now.dtype))
        return;
    const model want = model_copy(&a.value);
    for (int64_t i = 0; i < to.size; i++) {
        void *const sum = model_at(&want, model_i64(&to)[i]);
        const uint64_t x = wrapped(now.dtype, sum) + wrapped(now.dtype, model_at(&values.value, i));
        memcpy(sum, &x, want.nbytes);
    }
    expect(&want);
}

static void run_index(void)
{
    const argument a = give_here(ANYTHING), places = give_places(now.shape[0], 40);
    if (now.rank == 1) {
        result(ash_index(a.array, places.array));
        const model want = taken(&a.value, &places.value, 0);
        expect(&want);
        return;
    }
    result(ash_index(a.array, places.array, ASH_RANGE(ASH_OPEN, ASH_OPEN, -2)));
    const model picked_rows = taken(&a.value, &places.value, 0);
    const int64_t n = now.shape[1];
    cut cuts[MODEL_RANK];
    for (int64_t k = 0; k < now.rank; k++)
        cuts[k] = (cut){0, 1, picked_rows.shape[k]};
    cuts[1] = n ? (cut){n - 1, -2, (n + 1) / 2} : (cut){0, 1, 0};
    const model want = model_cut(&picked_rows, cuts);
    expect(&want);
}

static void run_index_into(void)
{
    const argument a = give_here(ANYTHING), places = give_places(now.shape[0], 40);
    const model at = model_positions(now.shape, now.rank), to = taken(&at, &places.value, 0);
    const argument values = give(now.dtype, to.shape, to.rank, ANYTHING), out = give_out(&a.value);
    result_status(ash_index_into(out.array, values.array, places.array), &out);
    const model want = model_copy(&a.value);
    for (int64_t i = 0; i < to.size; i++)
        model_put(&want, model_i64(&to)[i], &values.value, i);
    expect(&want);
}

static void run_index_mask(void)
{
    const argument a = give_here(ANYTHING), mask = give(ASH_BOOL, now.shape, now.rank, FEW), out = give_out(&a.value);
    result(ash_index(a.array, mask.array));
    const argument one = give(now.dtype, now.shape, 0, ANYTHING);
    result_status(ash_index_into(out.array, one.array, mask.array), &out);
    const model want = model_copy(&a.value);
    for (int64_t i = 0; i < want.size; i++)
        if (*(bool *)model_at(&mask.value, i))
            model_put(&want, i, &one.value, 0);
    expect(&want);
}

static void run_select(void)
{
    const argument a = give_here(ANYTHING), mask = give(ASH_BOOL, now.shape, now.rank, FEW);
    result(ash_select(a.array, mask.array));
    model want = model_new(now.dtype, &a.value.size, 1);
    int64_t n = 0;
    for (int64_t i = 0; i < a.value.size; i++)
        if (*(bool *)model_at(&mask.value, i))
            model_put(&want, n++, &a.value, i);
    want.shape[0] = want.size = n;
    expect(&want);
}

static void run_select_slices(void)
{
    const int64_t axis = axis_here();
    const argument a = give_here(ANYTHING), mask = give(ASH_BOOL, &now.shape[axis], 1, FEW);
    result(ash_select(a.array, mask.array, .axes = (ash_axes){&axis, 1}));
    int64_t n = 0;
    const model places = model_new(ASH_I64, &mask.value.size, 1);
    for (int64_t i = 0; i < mask.value.size; i++)
        if (*(bool *)model_at(&mask.value, i))
            model_i64(&places)[n++] = i;
    const model some = model_cut(&places, &(cut){0, 1, n}), want = taken(&a.value, &some, axis);
    expect(&want);
}

const operation index_operations[] = {
    {"take", run_take, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"put", run_put, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"put_sums", run_put_sums, NUMBERS, WITH_AXES, EXACT, EXACT, 0},
    {"index", run_index, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"index_into", run_index_into, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"index_mask", run_index_mask, ALL_DTYPES, WITH_AXES, EXACT, EXACT, HOST_READS},
    {"select", run_select, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"select_slices", run_select_slices, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
