/*
 * search.c - where values belong in a sorted vector: one work-item a value, by bisection.
 */
#include "backend/gpu/searching.h"

#include <stdio.h>

static const char *real_of(const ash__gpu_searching *s)
{
    return s->sorted->dtype == ASH_F64 || s->values->dtype == ASH_F64 ? "f64" : "f32";
}

static int kind_of(ash_dtype dtype)
{
    return ash__is_float(dtype) ? 0 : ash__is_signed(dtype) ? 1 : 2;
}

static const char *number_of(const ash__gpu_searching *s, ash_dtype dtype)
{
    static const char *const integer[] = {NULL, "i64", "u64"};
    const int kind = kind_of(dtype);
    return kind ? integer[kind] : real_of(s);
}

/* "#define LOAD_VALUE(P) ((f32)from_f16(*(G const u16 *)(P)))" and "#define VALUE f32", "#define VALUE_KIND 0" */
static void put_number(ash__text *text, const ash__gpu_searching *s, const char *name, const ash__span *span)
{
    const ash_dtype dtype = span->dtype;
    const int size = (int)ash_dtype_size(dtype);
    char load[64];
    const bool narrow = dtype == ASH_F16 || dtype == ASH_BF16;
    ash__put(text, "#define %s %s\n#define %s_KIND %d\n", name, number_of(s, dtype), name, kind_of(dtype));
    if (ash__gpu_span_bits(span, 1) % (uint64_t)size == 0)
        snprintf(load, sizeof load, "*(G const %s *)(P)", narrow ? "u16" : ash__gpu_type(dtype));
    else if (dtype == ASH_F32 || dtype == ASH_F64)
        snprintf(load, sizeof load, "BITS_F%d((u%d)odd_bits(P, %d))", 8 * size, 8 * size, size);
    else
        snprintf(load, sizeof load, "(%s)odd_bits(P, %d)", narrow ? "u16" : ash__gpu_type(dtype), size);
    ash__put(text, "#define LOAD_%s(P) ((%s)%s%s(%s))\n", name, number_of(s, dtype), narrow ? "from_" : "",
             narrow ? ash_dtype_name(dtype) : "", load);
    ash__put(text, "#define %s_END (REAL)0x1p%df\n#define %s_LEAST (REAL)%s\n", name, kind_of(dtype) == 1 ? 63 : 64, name,
             kind_of(dtype) == 1 ? "-0x1p63f" : "0");
}

void ash__gpu_searching_put(const ash__gpu_searching *s, char *defines, size_t size)
{
    ash__text text = {defines, size, 0};
    const bool f64 = real_of(s)[1] == '6';
    ash__put(&text, "#define REAL %s\n#define BITS %s\n#define REAL_BITS %s\n", real_of(s), f64 ? "u64" : "u32",
             f64 ? "F64_BITS" : "F32_BITS");
    put_number(&text, s, "SORTED", s->sorted);
    put_number(&text, s, "VALUE", s->values);
    ash__put(&text, "#define WG %d\n#define GROUP_OF %d\n#define NUMBERS %d\n#define RIGHT %d\n#define DESCENDING %d\n",
             s->alone ? 1 : ASH__GPU_SEARCHERS, ASH__GPU_SEARCHERS, s->numbers, s->task->right, s->task->descending);
}

const char *ash__gpu_searching_begin(ash__gpu_searching *s, ash_resources *resources, const ash__task *task)
{
    const int64_t eight = 8, results = s->numbers ? task->count - 1 : task->shape[0];
    s->task = task;
    s->sorted = &task->operand[0];
    s->values = &task->operand[1];
    s->work = ash__gpu_work_of(resources, task->function);
    s->alone = ash__gpu_one_by_one(s->work.gpu);
    if (task->count)
        ash__gpu_touch(&s->work, s->sorted, &task->count, 1, false);
    if (task->shape[0])
        ash__gpu_touch(&s->work, s->values, task->shape, 1, false);
    ash__gpu_touch(&s->work, &(ash__span){task->out.buffer, task->out.data, &eight, ASH_I64}, &results, 1, true);
    return ash__gpu_unreachable(&s->work);
}

void ash__gpu_searching_place(ash__gpu_searching *s)
{
    const ash__gpu_place out = ash__gpu_place_of(&s->work, &s->task->out);
    ash__gpu_place sorted = out, values = out; /* where there are none: nothing is read */
    if (s->task->count)
        sorted = ash__gpu_place_of(&s->work, s->sorted);
    if (s->task->shape[0])
        values = ash__gpu_place_of(&s->work, s->values);
    s->memory[0] = sorted.memory;
    s->memory[1] = values.memory;
    s->memory[2] = out.memory;
    s->numbered = (ash__gpu_search_numbers){.n = s->task->shape[0],
                                            .count = s->task->count,
                                            .sorted = sorted.start,
                                            .step = s->sorted->stride[0],
                                            .value = values.start,
                                            .value_step = s->values->stride[0],
                                            .out = out.start};
}

ash_status ash__gpu_searching_run(ash__gpu_searching *s, const char *kernel, int64_t items, int local, int memories,
                                  void *const *memory)
{
    char defines[1024];
    ash__gpu_searching_put(s, defines, sizeof defines);
    ash__gpu_call call = {.work = &s->work,
                          .f64 = real_of(s)[1] == '6',
                          .defines = defines,
                          .text = ash__gpu_search_text,
                          .kernel = kernel,
                          .memories = memories,
                          .parameters = &s->numbered,
                          .nbytes = sizeof s->numbered,
                          .groups = (items + local - 1) / local,
                          .lines = 1,
                          .local = local};
    for (int i = 0; i < memories; i++)
        call.memory[i] = memory[i];
    return ash__gpu_call_run(&call);
}

ash_status ash__gpu_search(ash_resources *resources, const ash__task *task, const char **why)
{
    ash__gpu_searching s = {.numbers = false};
    if (!task->shape[0])
        return ASH_OK;
    if ((*why = ash__gpu_searching_begin(&s, resources, task)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&s.work);
    if (!status) {
        ash__gpu_searching_place(&s);
        status = ash__gpu_searching_run(&s, "find", task->shape[0], ASH__GPU_SEARCHERS, 3, s.memory);
    }
    return ash__gpu_work_end(&s.work, status);
}
