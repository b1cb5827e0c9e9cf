/*
 * gather.c - elements, or blocks of them, from the places that a list of indices names.
 *
 * The axes behind the gathered one are what one index stands for. Where they lie side by side in source and result, an index is
 * one copy of bytes, by a loop of its own for the sizes of elements. The axes before repeat that. Threads share the indices, or
 * the axes before when there are more of those.
 */
#include "backend/cpu/cpu.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

typedef struct gathering {
    const ash__task *task;
    const int64_t *index;
    int64_t count;              /* indices */
    int64_t from_step, to_step; /* bytes along the axis */
    int64_t outer, inner;       /* axes before and behind it */
    int64_t lines;              /* positions of the axes before */
    size_t block;               /* bytes of one index's elements where they are dense on both sides, else 0 */
    int64_t parts;
    bool by_lines;
} gathering;

/* With a size that is a constant where it is called, each copy is one load and one store, at any alignment. Locals, since bytes
 * written through `to` could be those of *g. */
static inline __attribute__((always_inline)) void gather_sized(const gathering *g, const char *from, char *to, int64_t first,
                                                              int64_t end, size_t size)
{
    const int64_t *const index = g->index;
    const int64_t to_step = g->to_step, from_step = g->from_step;
    for (int64_t j = first; j < end; j++)
        memcpy(to + j * to_step, from + index[j] * from_step, size);
}

static void gather_blocks(const gathering *g, const char *from, char *to, int64_t first, int64_t end)
{
    switch (g->block) {
    case 1:
        gather_sized(g, from, to, first, end, 1);
        break;
    case 2:
        gather_sized(g, from, to, first, end, 2);
        break;
    case 4:
        gather_sized(g, from, to, first, end, 4);
        break;
    case 8:
        gather_sized(g, from, to, first, end, 8);
        break;
    case 16:
        gather_sized(g, from, to, first, end, 16);
        break;
    default:
        gather_sized(g, from, to, first, end, g->block);
    }
}

/* The elements of one index, wherever they lie. */
static void copy_box(const gathering *g, const char *from, char *to)
{
    const ash__task *const t = g->task;
    const int64_t at = t->axis + 1;
    const size_t item = ash_dtype_size(t->out.dtype);
    char *const data[2] = {to, (char *)(uintptr_t)from};
    const int64_t *const stride[2] = {t->out.stride + at, t->operand[0].stride + at};
    ash__walk w;
    for (bool more = ash__walk_begin(&w, false, t->shape + at, g->inner, 2, data, stride); more; more = ash__walk_next(&w))
        for (int64_t i = 0; i < w.run; i++)
            memcpy(w.at[0] + i * w.step[0], w.at[1] + i * w.step[1], item);
}

/* Indices first to end - 1 for one position of the axes before. */
static void gather_line(const gathering *g, int64_t line, int64_t first, int64_t end)
{
    const ash__task *const t = g->task;
    const char *from = t->operand[0].data;
    char *to = t->out.data;
    for (int64_t k = g->outer; k-- > 0; line /= t->shape[k]) {
        from += line % t->shape[k] * t->operand[0].stride[k];
        to += line % t->shape[k] * t->out.stride[k];
    }
    if (g->block)
        gather_blocks(g, from, to, first, end);
    else
        for (int64_t j = first; j < end; j++)
            copy_box(g, from + g->index[j] * g->from_step, to + j * g->to_step);
}

static void gather_part(void *context, int64_t part)
{
    const gathering *const g = context;
    const int64_t lines = g->by_lines ? g->lines : g->count;
    const int64_t first = ash__part_start(lines, part, g->parts), end = ash__part_start(lines, part + 1, g->parts);
    if (g->by_lines)
        for (int64_t line = first; line < end; line++)
            gather_line(g, line, 0, g->count);
    else
        for (int64_t line = 0; line < g->lines; line++)
            gather_line(g, line, first, end);
}

/* Bytes of what one index stands for when it is dense in row-major order on both sides. */
static size_t block_of(const ash__task *t, int64_t inner)
{
    const int64_t item = (int64_t)ash_dtype_size(t->out.dtype), at = t->axis + 1;
    const bool dense = ash__dense(ASH_ROW_MAJOR, t->shape + at, t->out.stride + at, inner, item) &&
                       ash__dense(ASH_ROW_MAJOR, t->shape + at, t->operand[0].stride + at, inner, item);
    return dense ? (size_t)(ash__count(t->shape + at, inner) * item) : 0;
}

ash_status ash__cpu_gather(const ash__task *task)
{
    const int64_t elements = ash__count(task->shape, task->rank);
    if (!elements)
        return ASH_OK;
    gathering g = {.task = task,
                   .index = (const int64_t *)(const void *)task->operand[1].data,
                   .count = task->shape[task->axis],
                   .from_step = task->operand[0].stride[task->axis],
                   .to_step = task->out.stride[task->axis],
                   .outer = task->axis,
                   .inner = task->rank - task->axis - 1,
                   .lines = ash__count(task->shape, task->axis)};
    g.block = block_of(task, g.inner);
    g.by_lines = g.lines > g.count;
    g.parts = ash__parts_for(2 * elements * (int64_t)ash_dtype_size(task->out.dtype), elements);
    ash__parallel(g.parts, gather_part, &g);
    return ASH_OK;
}
