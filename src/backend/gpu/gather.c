/*
 * gather.c - elements from the places that a list of indices names.
 *
 * One work-item an element: it reads its index, and copies. Where the indices are to be checked, that is done before, and one
 * word comes back.
 */
#include "backend/gpu/listed.h"

#include "core/shape.h"

void ash__gpu_touch_all(ash__gpu_work *w, const ash__span *span, bool writes)
{
    const int64_t one = 1, nbytes = (int64_t)span->buffer->nbytes;
    const ash__span all = {.buffer = span->buffer, .data = span->buffer->data, .stride = &one, .dtype = ASH_U8};
    ash__gpu_touch(w, &all, &nbytes, 1, writes);
}

ash_status ash__gpu_list_place(ash__gpu_work *w, const ash__span *list, int64_t count, ash__gpu_place *place)
{
    if (list->buffer) {
        *place = ash__gpu_place_of(w, list);
        return ASH_OK;
    }
    *place = (ash__gpu_place){.start = 0};
    return ash__gpu_upload(w, list->data, (size_t)count * 8, &place->memory);
}

ash_status ash__gpu_list_check(ash__gpu_work *w, ash__gpu_place list, int64_t count, int64_t bound)
{
    static const int64_t eight = 8;
    uint32_t outside = 0;
    ash__gpu_place flag = {.start = 0};
    ash__gpu_rows r = {.work = w};
    ash_status status = ash__gpu_upload(w, &outside, sizeof outside, &flag.memory);
    if (status)
        return status;
    ash__gpu_rows_over(&r, &count, 1);
    ash__gpu_rows_add(&r, flag, NULL, 4);
    ash__gpu_rows_add(&r, list, &eight, 8);
    ash__gpu_rows_add_numbers(&r, bound, 0);
    ash__gpu_rows_define(&r, "#define WHAT 4\n");
    status = ash__gpu_rows_run(&r, ash__gpu_listed_text);
    if (!status)
        status = ash__gpu_fetch(w, flag.memory, 0, &outside, sizeof outside);
    return status ? status : outside ? ASH_ERR_BOUNDS : ASH_OK;
}

ash_status ash__gpu_gather_by(ash__gpu_work *w, const ash__gpu_taking *t)
{
    int64_t from[ASH_MAX_RANK];
    ash__gpu_rows r = {.work = w, .reach = (int64_t)t->source->buffer->nbytes};
    const int64_t item = (int64_t)ash_dtype_size(t->out->dtype);
    const uint64_t bits = ash__gpu_span_bits(t->out, t->rank) | ash__gpu_span_bits(t->source, t->rank);
    for (int64_t k = 0; k < t->rank; k++)
        from[k] = k == t->axis ? 0 : t->source->stride[k];
    ash__gpu_rows_over(&r, t->shape, t->rank);
    ash__gpu_rows_add(&r, ash__gpu_place_of(w, t->out), t->out->stride, item);
    ash__gpu_rows_add(&r, ash__gpu_place_of(w, t->source), from, item);
    ash__gpu_rows_add(&r, t->list, t->list_stride, t->list_type[1] == '6' ? 8 : 4);
    ash__gpu_rows_add_numbers(&r, t->source->stride[t->axis], 0);
    ash__gpu_rows_define(&r, "#define WHAT 1\n#define LIST %s\n", t->list_type);
    ash__gpu_rows_define_words(&r, (size_t)item, bits);
    return ash__gpu_rows_run(&r, ash__gpu_listed_text);
}

ash_status ash__gpu_gather(ash_resources *resources, const ash__task *task, const char **why)
{
    ash__gpu_work w = ash__gpu_work_of(resources, task->function);
    const ash__span *const list = &task->operand[1];
    const int64_t count = task->rank ? task->shape[task->axis] : 1, eight = 8;
    int64_t stride[ASH_MAX_RANK] = {0};
    ash__gpu_taking taking = {&task->out, &task->operand[0], task->shape, task->rank, task->axis, {0}, stride, "i64"};
    if (!ash__count(task->shape, task->rank))
        return ASH_OK;
    stride[task->axis] = eight;
    if (task->out.data) {
        ash__gpu_touch(&w, &task->out, task->shape, task->rank, true);
        ash__gpu_touch_all(&w, &task->operand[0], false);
    }
    if (list->buffer)
        ash__gpu_touch(&w, &(ash__span){list->buffer, list->data, &eight, ASH_I64}, &count, 1, false);
    if ((*why = ash__gpu_unreachable(&w)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&w);
    if (!status)
        status = ash__gpu_list_place(&w, list, count, &taking.list);
    if (!status && task->bound)
        status = ash__gpu_list_check(&w, taking.list, count, task->bound);
    if (!status && task->out.data)
        status = ash__gpu_gather_by(&w, &taking);
    return ash__gpu_work_end(&w, status);
}
