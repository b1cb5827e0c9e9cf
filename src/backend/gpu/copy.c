/*
 * copy.c - copies and fills: as maps where elements are a few words, else word by word in a loop.
 */
#include "backend/gpu/listed.h"
#include "core/shape.h"

enum { FEW_BYTES = 16 };

static ash_status copy(ash__gpu_work *w, const ash__task *task)
{
    const ash__span *const from = &task->operand[0];
    const size_t size = ash_dtype_size(task->out.dtype);
    const uint64_t from_bits = from->buffer ? ash__gpu_span_bits(from, task->rank) : 0;
    const uint64_t bits = ash__gpu_span_bits(&task->out, task->rank) | from_bits;
    ash__gpu_place source = {.start = 0};
    ash__gpu_rows r = {.work = w};
    ash_status status = ASH_OK;
    if (from->buffer)
        source = ash__gpu_place_of(w, from);
    else
        status = ash__gpu_upload(w, from->data, size, &source.memory);
    ash__gpu_rows_over(&r, task->shape, task->rank);
    ash__gpu_rows_add(&r, ash__gpu_place_of(w, &task->out), task->out.stride, (int64_t)size);
    ash__gpu_rows_add(&r, source, from->buffer ? from->stride : NULL, (int64_t)size);
    ash__gpu_rows_define(&r, "#define WHAT 6\n");
    ash__gpu_rows_define_words(&r, size, bits);
    return status ? status : ash__gpu_rows_run(&r, ash__gpu_listed_text);
}

ash_status ash__gpu_copy(ash_resources *resources, const ash__task *task, const char **why)
{
    ash__gpu_work w = ash__gpu_work_of(resources, task->function);
    if (ash_dtype_size(task->out.dtype) <= FEW_BYTES)
        return ash__gpu_map(resources, task, why);
    if (!ash__count(task->shape, task->rank))
        return ASH_OK;
    ash__gpu_touch(&w, &task->out, task->shape, task->rank, true);
    if (task->operand[0].buffer)
        ash__gpu_touch(&w, &task->operand[0], task->shape, task->rank, false);
    if ((*why = ash__gpu_unreachable(&w)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&w);
    if (!status)
        status = copy(&w, task);
    return ash__gpu_work_end(&w, status);
}
