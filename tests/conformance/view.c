/* view.c - views, read by the device through a copy; include/ashlar/view.h. */
#include "trial.h"

#include <string.h>

/* The view, and what it holds. */
static void check_view(ash_array *view, const model *want)
{
    if (!view)
        fail("no view: %s", ash_error_text());
    result(ash_copy(view));
    expect(want);
}

static void run_slice(void)
{
    const argument a = give_here(ANYTHING);
    const int64_t n = now.shape[0], count = n / 3 + (n % 3 != 0);
    cut cuts[MODEL_RANK];
    for (int64_t k = 0; k < now.rank; k++)
        cuts[k] = (cut){0, 1, now.shape[k]};
    cuts[0] = (cut){n ? n - 1 : 0, n ? -3 : 1, count};
    const model want = model_cut(&a.value, cuts);
    check_view(ash_slice(a.array, ASH_OPEN, ASH_OPEN, .step = -3), &want);
}

static void run_view(void)
{
    const argument a = give_here(ANYTHING);
    if (!now.shape[0]) {
        const model all = model_reshape(&a.value, now.shape, now.rank);
        check_view(ash_view(a.array, ASH_ALL), &all);
        return;
    }
    cut cuts[MODEL_RANK];
    for (int64_t k = 0; k < now.rank; k++)
        cuts[k] = k ? (cut){0, 1, now.shape[k]} : (cut){now.shape[0] / 2, 1, -1};
    const model want = model_cut(&a.value, cuts);
    check_view(ash_view(a.array, now.shape[0] / 2), &want);
}

static void run_reshape(void)
{
    const argument a = give_here(ANYTHING);
    const model want = model_flat(&a.value);
    result(ash_copy(ash_reshape(ash_contiguous(a.array), ASH_SHAPE(a.value.size))));
    expect(&want);
}

static void run_transpose(void)
{
    const argument a = give_here(ANYTHING);
    const model want = model_swap_last(&a.value);
    check_view(ash_transpose(a.array), &want);
}

static void run_adjoint(void)
{
    const argument a = give_here(ANYTHING);
    const model want = model_swap_last(&a.value);
    const model conjugated = model_copy(&want);
    for (int64_t i = 0; i < want.size && is_complex(now.dtype); i++)
        conjugate_element(now.dtype, model_at(&conjugated, i));
    check_view(ash_adjoint(a.array), &conjugated);
}

static void run_permute(void)
{
    int64_t axes[MODEL_RANK];
    const argument a = give_here(ANYTHING);
    for (int64_t k = 0; k < now.rank; k++)
        axes[k] = (k + 1) % now.rank;
    const model want = model_permute(&a.value, axes);
    check_view(ash_permute(a.array, (ash_axes){axes, now.rank}), &want);
}

static void run_insert_and_squeeze(void)
{
    int64_t shape[MODEL_RANK] = {1};
    const argument a = give_here(ANYTHING);
    memcpy(shape + 1, now.shape, (size_t)now.rank * sizeof *shape);
    ash_array *const more = ash_insert_axis(a.array, 0);
    const model want = model_reshape(&a.value, shape, now.rank + 1);
    check_view(more, &want);
    check_view(ash_squeeze(more, .axes = ASH_AXES(0)), &a.value);
}

static void run_broadcast_to(void)
{
    int64_t shape[MODEL_RANK] = {3};
    const argument a = give_here(ANYTHING);
    memcpy(shape + 1, now.shape, (size_t)now.rank * sizeof *shape);
    const model want = model_broadcast(&a.value, shape, now.rank + 1);
    check_view(ash_broadcast_to(a.array, DIMS(shape, now.rank + 1)), &want);
}

static void run_reinterpret(void)
{
    static const ash_dtype of_size[] = {[1] = ASH_U8, [2] = ASH_U16, [4] = ASH_U32, [8] = ASH_U64, [16] = ASH_C_U64};
    const argument a = give_here(ANYTHING);
    model want = model_reshape(&a.value, now.shape, now.rank);
    want.dtype = of_size[want.nbytes];
    check_view(ash_reinterpret(a.array, want.dtype), &want);
}

static void run_diagonal(void)
{
    const argument a = give_here(ANYTHING);
    const int64_t rows = now.shape[now.rank - 2], columns = now.shape[now.rank - 1];
    int64_t shape[MODEL_RANK], index[MODEL_RANK];
    memcpy(shape, now.shape, sizeof shape);
    shape[now.rank - 2] = rows < columns ? rows : columns;
    const model want = model_new(now.dtype, shape, now.rank - 1);
    for (int64_t i = 0; i < want.size; i++) {
        index_of(&want, i, index);
        index[now.rank - 1] = index[now.rank - 2];
        model_put(&want, i, &a.value, position_of(&a.value, index));
    }
    check_view(ash_diagonal(a.array), &want);
}

static void run_field(void)
{
    const argument a = give_here(ANYTHING);
    const model want = model_new(ASH_I16, now.shape, now.rank);
    for (int64_t i = 0; i < want.size; i++)
        memcpy(model_at(&want, i), (const char *)model_at(&a.value, i) + offsetof(spot, n), sizeof(int16_t));
    check_view(ash_field(a.array, "n"), &want);
}

const operation view_operations[] = {
    {"slice", run_slice, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"view", run_view, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"reshape", run_reshape, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"transpose", run_transpose, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"adjoint", run_adjoint, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"permute", run_permute, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"insert_axis", run_insert_and_squeeze, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"broadcast_to", run_broadcast_to, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"reinterpret", run_reinterpret, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"diagonal", run_diagonal, ALL_DTYPES, WITH_ROWS, EXACT, EXACT, 0},
    {"field", run_field, RECORDS_TOO, EVERY_EDGE, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
