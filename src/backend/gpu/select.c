/*
 * select.c - what is true of a mask, counted block by block, and the elements or positions that it leaves.
 *
 * Kernels see the mask and the elements in row-major order with one step; what does not lie so is copied first. Counts stay on
 * the device; the host is told how many there are in all.
 */
#include <stdio.h>

#include "backend/gpu/listed.h"
#include "core/shape.h"

enum { GROUP = 256, SOME = 64 };

typedef struct choice {
    int64_t n, blocks;
    int64_t mask, mask_step, value, out, source, source_step;
} choice;

typedef struct selecting {
    const ash__task *task;
    ash__gpu_work work;
    choice choice;
    void *mask, *source;
    char defines[256];
    bool alone;
} selecting;

/* The span's elements in row-major order: where they are, or a copy. */
static ash_status in_order(selecting *s, const ash__span *span, void **memory, int64_t *start, int64_t *step)
{
    const ash__task *const t = s->task;
    const size_t size = ash_dtype_size(span->dtype);
    const ash__gpu_place from = ash__gpu_place_of(&s->work, span);
    int64_t dense[ASH_MAX_RANK], inner = (int64_t)size;
    *memory = from.memory;
    *start = from.start;
    const uint64_t bits = ash__gpu_span_bits(span, t->rank);
    if (ash__one_step(t->shape, span->stride, t->rank, step) && bits % (size < 8 ? size : 8) == 0)
        return ASH_OK;
    *start = 0;
    *step = (int64_t)size;
    for (int64_t k = t->rank; k-- > 0; inner *= t->shape[k])
        dense[k] = inner;
    const ash_status status = ash__gpu_scratch(&s->work, (size_t)s->choice.n * size, memory);
    ash__gpu_rows r = {.work = &s->work};
    if (status)
        return status;
    ash__gpu_rows_over(&r, t->shape, t->rank);
    ash__gpu_rows_add(&r, (ash__gpu_place){*memory, 0}, dense, (int64_t)size);
    ash__gpu_rows_add(&r, from, span->stride, (int64_t)size);
    ash__gpu_rows_define(&r, "#define WHAT 6\n");
    ash__gpu_rows_define_words(&r, size, bits);
    return ash__gpu_rows_run(&r, ash__gpu_listed_text);
}

static ash_status launch(const selecting *s, const char *kernel, int64_t groups, int memories, void *const *memory)
{
    ash__gpu_call call = {.work = (ash__gpu_work *)(uintptr_t)&s->work,
                          .defines = s->defines,
                          .text = ash__gpu_select_text,
                          .kernel = kernel,
                          .memories = memories,
                          .parameters = &s->choice,
                          .nbytes = sizeof s->choice,
                          .groups = groups,
                          .lines = 1,
                          .local = s->alone ? 1 : GROUP};
    for (int i = 0; i < memories; i++)
        call.memory[i] = memory[i];
    return ash__gpu_call_run(&call);
}

static ash_status count(selecting *s, void *value)
{
    void *counts, *total;
    ash_status status = ash__gpu_scratch(&s->work, (size_t)s->choice.blocks * 4, &counts);
    if (!status)
        status = ash__gpu_scratch(&s->work, 8, &total);
    if (!status)
        status = launch(s, "count", s->choice.blocks, 2, (void *const[]){s->mask, counts});
    if (!status)
        status = launch(s, "sum_up", 1, 3, (void *const[]){counts, value, total});
    return status ? status : ash__gpu_fetch(&s->work, total, 0, s->task->total, sizeof *s->task->total);
}

static void set_defines(selecting *s, const ash__span *source)
{
    static const char *const word[] = {"u8", "u16", "u32", "u64", "u128"};
    const size_t size = source ? ash_dtype_size(source->dtype) : 8;
    char step[24] = "c.source_step";
    if (s->choice.source_step == (int64_t)size)
        snprintf(step, sizeof step, "%zu", size);
    snprintf(s->defines, sizeof s->defines,
             "#define WG %d\n#define BLOCK %d\n#define SOME %d\n#define SOURCE %d\n#define WORD %s\n#define STEP %s\n"
             "#define SOURCE_STEP %s\n",
             s->alone ? 1 : GROUP, ASH__SELECT_BLOCK, SOME, source != NULL, source ? word[__builtin_ctzll(size)] : "i64",
             s->choice.mask_step == 1 ? "1" : "c.mask_step", step);
}

static ash_status run(selecting *s, const ash__span *source)
{
    const ash__task *const t = s->task;
    const ash__gpu_place value = ash__gpu_place_of(&s->work, &t->value);
    ash_status status = in_order(s, &t->operand[0], &s->mask, &s->choice.mask, &s->choice.mask_step);
    if (!status && source)
        status = in_order(s, source, &s->source, &s->choice.source, &s->choice.source_step);
    if (status)
        return status;
    s->choice.value = value.start;
    set_defines(s, source);
    if (!t->out.data)
        return count(s, value.memory);
    const ash__gpu_place out = ash__gpu_place_of(&s->work, &t->out);
    s->choice.out = out.start;
    return launch(s, "move", s->choice.blocks, source ? 4 : 3, (void *const[]){s->mask, value.memory, out.memory, s->source});
}

ash_status ash__gpu_select(ash_resources *resources, const ash__task *task, const char **why)
{
    static const int64_t eight = 8;
    selecting s = {.task = task, .work = ash__gpu_work_of(resources, task->function)};
    const ash__span *const source = task->out.data && task->operand_count > 1 ? &task->operand[1] : NULL;
    s.alone = ash__gpu_one_by_one(s.work.gpu);
    s.choice.n = ash__count(task->shape, task->rank);
    s.choice.blocks = (s.choice.n + ASH__SELECT_BLOCK - 1) / ASH__SELECT_BLOCK;
    const int64_t starts = s.choice.blocks + 1;
    if (!s.choice.n)
        return ASH_OK;
    ash__gpu_touch(&s.work, &task->operand[0], task->shape, task->rank, false);
    ash__gpu_touch(&s.work, &(ash__span){task->value.buffer, task->value.data, &eight, ASH_I64}, &starts, 1, !task->out.data);
    if (source)
        ash__gpu_touch(&s.work, source, task->shape, task->rank, false);
    if (task->out.data)
        ash__gpu_touch(&s.work, &task->out, task->total, 1, true);
    if ((*why = ash__gpu_unreachable(&s.work)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&s.work);
    if (!status)
        status = run(&s, source);
    return ash__gpu_work_end(&s.work, status);
}
