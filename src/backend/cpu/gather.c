/*
 * gather.c - elements, or blocks of them, from or to the places that a list of indices names.
 *
 * The axes behind the listed one are what one index stands for. Where they lie side by side on both sides, an index is one copy
 * of bytes, by a loop of its own for the sizes of elements. The axes before repeat that.
 *
 * Threads share the axes before where there are more of those, else the indices. Not so when a scatter may write one place
 * twice, for the last must win: the indices stay in one thread then, and threads share what each stands for.
 */
#include <stdatomic.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

typedef enum share { BY_LINES, BY_LIST, BY_BYTES } share;
enum {
    LEAST_BYTES = 2048, /* of a block worth sharing */
    CHECKED = 1024      /* indices that are checked and then used, while they are in the first cache */
};

typedef struct listing {
    const ash__task *task;
    const ash__layout_table *layout;
    bool scatter; /* the indices are places in the result */
    const int64_t *index;
    int64_t count;              /* indices */
    int64_t from_step, to_step; /* bytes along the axis */
    int64_t outer, inner;       /* axes before and behind it */
    int64_t lines;              /* positions of the axes before */
    size_t block;               /* bytes of one index's elements where they are dense on both sides, else 0 */
    int64_t parts;
    share share;
    atomic_bool outside; /* an index is */
} listing;

/* With a size that is a constant where it is called, each copy is one load and one store, at any alignment. Locals, since bytes
 * written through `to` could be those of *g. */
static inline __attribute__((always_inline)) void move_sized(const listing *g, const char *from, char *to, int64_t first,
                                                             int64_t end, size_t size)
{
    const int64_t *const index = g->index;
    const int64_t to_step = g->to_step, from_step = g->from_step, item = (int64_t)size;
    if (g->scatter)
        for (int64_t j = first; j < end; j++)
            memcpy(to + index[j] * to_step, from + j * from_step, size);
    else if (to_step == item && from_step == item) { /* neighbours on both sides: addresses need no arithmetic of their own */
        int64_t j = first;
        for (; j + 4 <= end; j += 4) {
            memcpy(to + j * item, from + index[j] * item, size);
            memcpy(to + (j + 1) * item, from + index[j + 1] * item, size);
            memcpy(to + (j + 2) * item, from + index[j + 2] * item, size);
            memcpy(to + (j + 3) * item, from + index[j + 3] * item, size);
        }
        for (; j < end; j++)
            memcpy(to + j * item, from + index[j] * item, size);
    } else
        for (int64_t j = first; j < end; j++)
            memcpy(to + j * to_step, from + index[j] * from_step, size);
}

static void move_blocks(const listing *g, const char *from, char *to, int64_t first, int64_t end, size_t block)
{
    switch (block) {
    case 1:
        move_sized(g, from, to, first, end, 1);
        break;
    case 2:
        move_sized(g, from, to, first, end, 2);
        break;
    case 4:
        move_sized(g, from, to, first, end, 4);
        break;
    case 8:
        move_sized(g, from, to, first, end, 8);
        break;
    case 16:
        move_sized(g, from, to, first, end, 16);
        break;
    default:
        move_sized(g, from, to, first, end, block);
    }
}

static void move_run(const listing *g, char *to, int64_t to_step, const char *from, int64_t from_step, int64_t n)
{
    const int64_t item = (int64_t)ash_dtype_size(g->task->out.dtype);
    const ash__layout_table *const t = g->layout;
    const int log = ash__log_of(item);
    if (log >= 0 && to_step == item && from_step == 0)
        t->splat[log](to, from, n);
    else if (log >= 0 && to_step == item)
        t->gather[log](to, from, from_step, n);
    else if (log >= 0 && from_step == item)
        t->scatter[log](to, to_step, from, n);
    else
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * to_step, from + i * from_step, (size_t)item);
}

/* The elements of one index, wherever they lie. */
static void move_box(const listing *g, const char *from, char *to)
{
    const ash__task *const t = g->task;
    const int64_t at = t->axis + 1;
    char *const data[2] = {to, (char *)(uintptr_t)from};
    const int64_t *const stride[2] = {t->out.stride + at, t->operand[0].stride + at};
    ash__walk w;
    for (bool more = ash__walk_begin(&w, false, t->shape + at, g->inner, 2, data, stride); more; more = ash__walk_next(&w))
        move_run(g, w.at[0], w.step[0], w.at[1], w.step[1], w.run);
}

static void move_boxes(const listing *g, const char *from, char *to, int64_t first, int64_t end)
{
    for (int64_t j = first; j < end; j++)
        if (g->scatter)
            move_box(g, from + j * g->from_step, to + g->index[j] * g->to_step);
        else
            move_box(g, from + g->index[j] * g->from_step, to + j * g->to_step);
}

/* Indices first to end - 1 for one position of the axes before; of dense blocks the bytes from low to high - 1. */
static void move_line(const listing *g, int64_t line, int64_t first, int64_t end, size_t low, size_t high)
{
    const ash__task *const t = g->task;
    const char *from = t->operand[0].data;
    char *to = t->out.data;
    for (int64_t k = g->outer; k-- > 0; line /= t->shape[k]) {
        from += line % t->shape[k] * t->operand[0].stride[k];
        to += line % t->shape[k] * t->out.stride[k];
    }
    if (g->block)
        move_blocks(g, from + low, to + low, first, end, high - low);
    else
        move_boxes(g, from, to, first, end);
}

/* The first line that a part moves: its indices are checked on the way, where they have not been. */
static bool move_first(listing *g, int64_t line, int64_t first, int64_t end)
{
    const int64_t bound = g->scatter ? 0 : g->task->bound;
    for (int64_t from = first, to; from < end; from = to) {
        to = bound && end - from > CHECKED ? from + CHECKED : end;
        if (bound && !g->layout->within(g->index + from, to - from, bound)) {
            g->outside = true;
            return false;
        }
        move_line(g, line, from, to, 0, g->block);
    }
    return true;
}

static void move_part(void *context, int64_t part)
{
    listing *const g = context;
    const int64_t all[] = {[BY_LINES] = g->lines, [BY_LIST] = g->count, [BY_BYTES] = (int64_t)g->block};
    const int64_t first = ash__part_start(all[g->share], part, g->parts),
                  end = ash__part_start(all[g->share], part + 1, g->parts);
    if (g->share == BY_LINES) {
        if (first < end && move_first(g, first, 0, g->count))
            for (int64_t line = first + 1; line < end; line++)
                move_line(g, line, 0, g->count, 0, g->block);
    } else if (g->share == BY_LIST) {
        if (move_first(g, 0, first, end))
            for (int64_t line = 1; line < g->lines; line++)
                move_line(g, line, first, end, 0, g->block);
    } else
        for (int64_t line = 0; line < g->lines; line++)
            move_line(g, line, 0, g->count, (size_t)first, (size_t)end);
}

/* Bytes of what one index stands for when it is dense in row-major order on both sides. */
static size_t block_of(const ash__task *t, int64_t inner)
{
    const int64_t item = (int64_t)ash_dtype_size(t->out.dtype), at = t->axis + 1;
    const bool dense = ash__dense(ASH_ROW_MAJOR, t->shape + at, t->out.stride + at, inner, item) &&
                       ash__dense(ASH_ROW_MAJOR, t->shape + at, t->operand[0].stride + at, inner, item);
    return dense ? (size_t)(ash__count(t->shape + at, inner) * item) : 0;
}

static void choose_share(listing *g, int64_t elements)
{
    const ash__task *const t = g->task;
    g->parts = ash__parts_for(2 * elements * (int64_t)ash_dtype_size(t->out.dtype), elements);
    g->share = g->lines > g->count ? BY_LINES : BY_LIST;
    if (!g->scatter || t->distinct || g->share == BY_LINES)
        return;
    g->share = g->block >= LEAST_BYTES ? BY_BYTES : BY_LINES;
    if (g->share == BY_LINES && g->parts > g->lines)
        g->parts = g->lines;
}

static ash_status move_listed(const ash__task *task, bool scatter)
{
    const int64_t elements = ash__count(task->shape, task->rank);
    if (!elements)
        return ASH_OK;
    listing g = {.task = task,
                 .layout = ash__cpu_kernels()->layout,
                 .scatter = scatter,
                 .index = (const int64_t *)(const void *)task->operand[1].data,
                 .count = task->shape[task->axis],
                 .from_step = task->operand[0].stride[task->axis],
                 .to_step = task->out.stride[task->axis],
                 .outer = task->axis,
                 .inner = task->rank - task->axis - 1,
                 .lines = ash__count(task->shape, task->axis)};
    g.block = block_of(task, g.inner);
    choose_share(&g, elements);
    ash__parallel(g.parts, move_part, &g);
    return g.outside ? ASH_ERR_BOUNDS : ASH_OK;
}

ash_status ash__cpu_gather(const ash__task *task)
{
    return move_listed(task, false);
}

ash_status ash__cpu_scatter(const ash__task *task)
{
    return task->accumulate ? ash__cpu_scatter_add(task) : move_listed(task, true);
}
