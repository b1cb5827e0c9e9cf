/* indices.c - arrays of indices: lists of them that tasks can read, and whether all are in bounds. */
#include "ops/indices.h"

#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/reduction.h"
#include "ops/run.h"

enum { LONG_LIST = 4096 };

ash_storage ash__list_storage(const ash_array *on)
{
    return ash__on_host(ash__device(on)) ? ASH_SHARED : on->storage;
}

static ash_array *new_list(const char *function, const ash_array *on, ash_dims dims, ash_layout layout, ash_resources *given)
{
    const ash__make make = {.resources = ash__resources_on(function, ash__device(on), given),
                            .dtype = ASH_I64,
                            .layout = layout,
                            .storage = ash__list_storage(on)};
    const int64_t barrier = make.resources ? ash_scope_open_barrier() : -1;
    ash_array *const list = barrier < 0 ? NULL : ash__array_new(function, dims, &make);
    ash_scope_close(barrier);
    return list;
}

static bool is_list(const ash_array *indices, ash_layout layout)
{
    return indices->dtype == ASH_I64 && indices->storage == ash__list_storage(indices) &&
           ash__dense(layout, indices->shape, indices->stride, indices->rank, 8) && (uintptr_t)ash__data(indices) % 8 == 0;
}

static bool all_within(const int64_t *index, int64_t count, int64_t n)
{
    uint64_t outside = 0;
    for (int64_t j = 0; j < count; j++)
        outside |= (uint64_t)index[j] >= (uint64_t)n;
    return !outside;
}

/* The same by the device, in vectors and by all threads: for long lists. */
static ash_status check_all(const char *function, const ash_array *list, int64_t n, ash_resources *given, bool *within)
{
    static const ash__operator any = {.text = "||", .fold = ASH__FOLD_OR, .truth = true};
    const ash_operand operand[2] = {ash_operand_array(list), ash_operand_i64(n)};
    const ash_reduce_options o = {.resources = given};
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const x = barrier < 0 ? NULL
                                     : ash__reduce_text(function, "(i, n) -> i < 0 || i >= n", any, (ash_operands){operand, 2},
                                                        ASH_DTYPE_DEFAULT, &o);
    bool outside = true;
    const ash_status status = x ? ash_to_host(x, &outside, sizeof outside) : ash__last_status();
    ash_release(x);
    ash_scope_close(barrier);
    *within = !outside;
    return status;
}

/* The same for lists of a device. */
static ash_status check_by_task(const char *function, const ash_array *list, int64_t n, ash_resources *given, bool *within)
{
    const ash__span operand[2] = {{.buffer = NULL}, ash__span_of(list)};
    const ash__task task = {.kind = ASH__TASK_GATHER,
                            .function = function,
                            .rank = 1,
                            .shape = &list->size,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {.dtype = ASH_I64},
                            .bound = n};
    ash_resources *const r = ash__resources_on(function, ash__device(list), given);
    const ash_status status = n && r ? ash__run_on(r, &task) : n ? ash__last_status() : ASH_ERR_BOUNDS;
    *within = status != ASH_ERR_BOUNDS;
    return *within ? status : ASH_OK;
}

/* "ash_take: index 5 at (4) is out of bounds for axis 0 of size 5" */
ash_status ash__index_fail(const char *function, const ash_array *list, ash_layout layout, int64_t axis, int64_t n)
{
    ash__host h;
    if (ash__host_open(&h, function, list, ASH__READ | ASH__ASKED))
        return ash__host_close(&h, ash__last_status());
    const int64_t *const index = (const int64_t *)(const void *)h.data;
    int64_t bad = 0, at[ASH_MAX_RANK];
    char place[ASH__SHAPE_TEXT];
    while (index[bad] >= 0 && index[bad] < n)
        bad++;
    ash__index_at(layout, list->shape, list->rank, bad, at);
    const int64_t met = index[bad];
    ash__host_close(&h, ASH_OK);
    return ash__fail(ASH_ERR_BOUNDS, function, "index %lld at %s is out of bounds for axis %lld of size %lld", (long long)met,
                     ash__shape_text(place, sizeof place, at, list->rank), (long long)axis, (long long)n);
}

ash_status ash__index_check(const char *function, const ash_array *list, ash_layout layout, int64_t axis, int64_t n,
                            ash_resources *given)
{
    bool within = true;
    ash_status status = ASH_OK;
    if (!list->size)
        return ASH_OK;
    if (!ash__on_host(ash__device(list)))
        status = check_by_task(function, list, n, given, &within);
    else if (list->size < LONG_LIST)
        within = all_within((const int64_t *)(const void *)ash__data(list), list->size, n);
    else
        status = check_all(function, list, n, given, &within);
    return status || within ? status : ash__index_fail(function, list, layout, axis, n);
}

ash_array *ash__index_copy(const char *function, const ash_array *indices, ash_layout layout, ash_resources *given)
{
    ash_array *const list = new_list(function, indices, ash__dims(indices), layout, given);
    if (list && ash__convert_elements(function, list, indices, false, given)) {
        ash_release(list);
        return NULL;
    }
    return list;
}

ash_array *ash__index_list(const char *function, const ash_array *indices, ash_layout layout, ash_resources *given)
{
    return is_list(indices, layout) ? ash_retain(indices) : ash__index_copy(function, indices, layout, given);
}

static ash_array *steps_on_device(const char *function, const ash_array *a, int64_t first, int64_t count, int64_t step,
                                  ash_resources *given)
{
    const ash_operand start = ash_operand_i64(0), stop = ash_operand_i64(count);
    const ash_range_options o = {.struct_size = sizeof o,
                                 .resources = ash__resources_on(function, ash__device(a), given),
                                 .dtype = ASH_I64,
                                 .storage = a->storage};
    const int64_t barrier = o.resources ? ash_scope_open_barrier() : -1;
    ash_array *list = barrier < 0 ? NULL : ash_range_opt(&start, &stop, &o);
    const ash_operand operand[3] = {ash_operand_array(list), ash_operand_i64(first), ash_operand_i64(step)};
    if (list && count &&
        ash__map_text_to(function, list, "(j, first, step) -> first + j * step", (ash_operands){operand, 3}, given)) {
        ash_release(list);
        list = NULL;
    }
    ash_scope_close(barrier);
    return list;
}

ash_array *ash__index_steps(const char *function, const ash_array *a, int64_t first, int64_t count, int64_t step,
                            ash_resources *given)
{
    if (!ash__on_host(ash__device(a)))
        return steps_on_device(function, a, first, count, step, given);
    ash_array *const list = new_list(function, a, (ash_dims){&count, 1}, ASH_ROW_MAJOR, given);
    int64_t *const index = list ? (int64_t *)(void *)ash__host_at(function, list, ASH__WRITE) : NULL;
    for (int64_t j = 0; index && j < count; j++)
        index[j] = first + j * step;
    return list;
}
