/*
 * select.c - what is true of a mask, counted block by block, and the elements or positions that it leaves.
 *
 * A block is so many elements in row-major order, whatever the strides; one that does not lie densely is read into scratch.
 * Since it is known where each begins in the result, threads share the blocks in any way.
 */
#include "backend/cpu/cpu.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

enum { BLOCK = ASH__SELECT_BLOCK, WINDOWS = 512 * 1024 };

typedef struct reader {
    ash__feed feed;
    char *dense; /* a block that does not lie densely */
    int64_t numbers[3 * (ASH_MAX_RANK + 1)];
} reader;

typedef struct part {
    reader mask, source;
} part;

typedef struct selecting {
    const ash__task *task;
    const ash__select_table *kernels;
    const ash__layout_table *layout;
    int64_t elements, blocks, parts;
    int64_t *value;      /* starts of blocks; counts of them on the way there */
    bool counts, source; /* how many there are; elements, not positions */
    int log;             /* of the source */
    char *memory;
    size_t part_bytes;
} selecting;

/* Sets a reader up with memory from `at` on; how much it takes. */
static size_t set_reader(const selecting *s, reader *r, const ash__span *span, int log, char *at)
{
    static const int64_t axis[ASH_MAX_RANK] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                               16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    size_t budget = WINDOWS;
    ash__path_set(&r->feed.path, span->data, log, s->layout, s->task->shape, span->stride, axis, s->task->rank, r->numbers);
    ash__feed_set(&r->feed, true, BLOCK, s->elements, &budget);
    const size_t feed = ash__round_up(r->feed.nbytes), dense = (size_t)BLOCK << log;
    if (at) {
        r->feed.memory = at;
        r->dense = at + feed;
    }
    return feed + dense;
}

static size_t set_part(const selecting *s, part *p, char *at)
{
    const size_t mask = set_reader(s, &p->mask, &s->task->operand[0], 0, at);
    return mask + (s->source ? set_reader(s, &p->source, &s->task->operand[1], s->log, at ? at + mask : NULL) : 0);
}

static int64_t size_of_block(const selecting *s, int64_t b)
{
    const int64_t left = s->elements - b * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

/* source: NULL for positions */
static void put_block(const selecting *s, int64_t b, const void *mask, const void *source)
{
    const int64_t n = size_of_block(s, b);
    if (s->counts) {
        s->value[b] = s->kernels->count(mask, n);
        return;
    }
    const int64_t room = s->value[b + 1] - s->value[b];
    char *const to = s->task->out.data + (s->value[b] << s->log);
    if (source)
        s->kernels->compact[s->log](to, source, mask, n, room);
    else
        s->kernels->positions((int64_t *)(void *)to, b * BLOCK, mask, n, room);
}

static void select_block(const selecting *s, part *p, int64_t b)
{
    const int64_t n = size_of_block(s, b);
    if (!s->counts && s->value[b + 1] == s->value[b])
        return;
    const void *const mask = ash__feed_get(&p->mask.feed, b * BLOCK, n, p->mask.dense);
    put_block(s, b, mask, s->source ? ash__feed_get(&p->source.feed, b * BLOCK, n, p->source.dense) : NULL);
}

static void select_part(void *context, int64_t number)
{
    const selecting *const s = context;
    const int64_t end = ash__part_start(s->blocks, number + 1, s->parts);
    char *const memory = s->memory + (size_t)number * s->part_bytes;
    part *const p = (part *)(void *)memory;
    set_part(s, p, memory + ash__round_up(sizeof *p));
    for (int64_t b = ash__part_start(s->blocks, number, s->parts); b < end; b++)
        select_block(s, p, b);
}

/* From how many each block leaves to where it begins. */
static void put_starts(const selecting *s)
{
    int64_t total = 0;
    for (int64_t b = 0; b < s->blocks; b++) {
        const int64_t n = s->value[b];
        s->value[b] = total;
        total += n;
    }
    s->value[s->blocks] = *s->task->total = total;
}

static bool is_dense(const ash__task *task, const ash__span *span, int log)
{
    return ash__dense(ASH_ROW_MAJOR, task->shape, span->stride, task->rank, INT64_C(1) << log);
}

/* One block that lies densely needs no readers and no threads, which take as long as a thousand elements. */
static bool is_simple(const selecting *s)
{
    const ash__span *const operand = s->task->operand;
    return s->blocks == 1 && is_dense(s->task, &operand[0], 0) && (!s->source || is_dense(s->task, &operand[1], s->log));
}

ash_status ash__cpu_select(const ash__task *task)
{
    const ash__kernels *const kernels = ash__cpu_kernels();
    selecting s = {.task = task,
                   .kernels = kernels->select,
                   .layout = kernels->layout,
                   .elements = ash__count(task->shape, task->rank),
                   .value = (int64_t *)(void *)task->value.data,
                   .counts = !task->out.data,
                   .source = task->out.data && task->operand_count > 1};
    part one;
    s.blocks = (s.elements + BLOCK - 1) / BLOCK;
    s.log = s.counts ? 0 : ash__log_of((int64_t)ash_dtype_size(task->out.dtype));
    if (is_simple(&s)) {
        put_block(&s, 0, task->operand[0].data, s.source ? task->operand[1].data : NULL);
        if (s.counts)
            put_starts(&s);
        return ASH_OK;
    }
    const int64_t chosen = s.counts || !s.blocks ? 0 : s.value[s.blocks] - s.value[0];
    s.parts = ash__parts_for(s.elements + 2 * (chosen << s.log), s.elements / 8);
    s.part_bytes = ash__round_up(sizeof one) + ash__round_up(set_part(&s, &one, NULL));
    s.memory = ash__spare_take((size_t)s.parts * s.part_bytes);
    if (!s.memory)
        return ash__plan_fail(task, ASH_ERR_MEMORY);
    ash__parallel(s.parts, select_part, &s);
    ash__spare_give(s.memory);
    if (s.counts)
        put_starts(&s);
    return ASH_OK;
}
