/*
 * scan_function.c - scans by a function of two elements, which is associative but need not commute.
 *
 * Lines are scanned block by block, by pairs: neighbours are combined, the half as many results scanned in the same way,
 * and the elements in between filled in: two combinations an element, all over vectors (R. P. Brent, H. T. Kung, A regular
 * layout for parallel adders, IEEE Transactions on Computers 31 (1982)). What came before the block is combined with all of
 * it at the end. Where many lines lie side by side, each row of them is combined with the one before it instead.
 */
#include "backend/cpu/combine.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"

enum { LEAST_WIDTH = 16, BLOCK = 2048, TILE = 1024 }; /* elements of a block, columns of a tile */

typedef struct part {
    ash__evaluator *evaluator;
    ash__combiner pairs, fill, carry; /* strides: two and two; one and two; none and one */
    ash__path out;
    int64_t path_memory[3 * (ASH_MAX_RANK + 1)];
    char *memory;
    int64_t x, y;          /* offsets: elements and all levels of pairs; results */
    int64_t before, other; /* the fold of what came before, in two places by turns: see ash__combiner */
    char *half;            /* results as 16 bits */
} part;

typedef struct scan {
    const ash__task *task;
    size_t item;
    int64_t groups, length, width, tile, tiles, items, parts;
    ash__axis_list order;
    unsigned char init[16];
    part *part;
} scan;

static void store(const scan *s, part *p, int64_t first, int64_t n, const char *from)
{
    const ash_dtype to = s->task->out.dtype;
    if (to != s->task->program->dtype) {
        ash__store16_for(ash__cpu_kernels()->elementwise, ash__part(to), ASH_F32)(p->half, from, NULL, NULL,
                                                                                  ash__is_complex(to) ? 2 * n : n);
        from = p->half;
    }
    ash__path_store(&p->out, first, n, from);
}

/* ---- lines */

/* Scans n elements at offset x in place; the pairs go behind them. */
static void scan_pairs(const scan *s, part *p, int64_t x, int64_t n)
{
    const int64_t item = (int64_t)s->item, half = n / 2, y = x + n * item;
    if (n < 2)
        return;
    ash__combine(&p->pairs, x, x + item, half, p->memory + y);
    scan_pairs(s, p, y, half);
    const int64_t between = (n - 1) / 2; /* elements 2, 4 ... each after a pair */
    char *const filled = p->memory + y + half * item;
    if (between)
        ash__combine(&p->fill, y, x + 2 * item, between, filled);
    for (int64_t k = 0; k < half; k++)
        memcpy(p->memory + x + (2 * k + 1) * item, p->memory + y + k * item, s->item);
    for (int64_t k = 0; k < between; k++)
        memcpy(p->memory + x + (2 * k + 2) * item, filled + k * item, s->item);
}

static void take_turns(part *p)
{
    const int64_t place = p->before;
    p->before = p->other;
    p->other = place;
}

static void scan_line(const scan *s, part *p, int64_t line)
{
    const int64_t item = (int64_t)s->item;
    bool carried = s->task->has_init;
    memcpy(p->memory + p->before, s->init, s->item);
    for (int64_t at = 0, n; at < s->length; at += n) {
        n = s->length - at < BLOCK ? s->length - at : BLOCK;
        ash__evaluate_into(p->evaluator, line * s->length + at, n, p->memory + p->x);
        scan_pairs(s, p, p->x, n);
        int64_t from = p->x;
        if (carried) {
            ash__combine(&p->carry, p->before, p->x, n, p->memory + p->y + item);
            from = p->y + item;
        } else {
            memcpy(p->memory + p->y + item, p->memory + p->x, (size_t)n * s->item);
        }
        memcpy(p->memory + p->y, p->memory + p->before, s->item); /* exclusive: each result is that of the element before */
        store(s, p, line * s->length + at, n, p->memory + (s->task->exclusive ? p->y : from));
        /* the next block reads it from another place than the last combination did, which may be one of the line before */
        memcpy(p->memory + (carried ? p->other : p->before), p->memory + p->y + n * item, s->item);
        if (carried)
            take_turns(p);
        carried = true;
    }
}

/* ---- rows of columns; `pairs` here combines two dense rows */

static void scan_columns(const scan *s, part *p, int64_t g, int64_t j, int64_t w)
{
    const size_t row = (size_t)w * s->item;
    bool carried = s->task->has_init;
    for (int64_t k = 0; k < w; k++)
        memcpy(p->memory + p->before + k * (int64_t)s->item, s->init, s->item);
    for (int64_t i = 0; i < s->length; i++) {
        const int64_t first = (g * s->length + i) * s->width + j;
        ash__evaluate_into(p->evaluator, first, w, p->memory + p->x);
        if (carried)
            ash__combine(&p->pairs, p->before, p->x, w, p->memory + p->y);
        else
            memcpy(p->memory + p->y, p->memory + p->x, row);
        store(s, p, first, w, p->memory + (s->task->exclusive ? p->before : p->y));
        memcpy(p->memory + p->before, p->memory + p->y, row);
        carried = true;
    }
}

static int64_t share(int64_t items, int64_t parts, int64_t number)
{
    return items / parts * number + items % parts * number / parts;
}

static void scan_part(void *context, int64_t number)
{
    const scan *const s = context;
    part *const p = &s->part[number];
    for (int64_t item = share(s->items, s->parts, number); item < share(s->items, s->parts, number + 1); item++) {
        const int64_t j = item % s->tiles * s->tile;
        if (s->width == 1)
            scan_line(s, p, item);
        else
            scan_columns(s, p, item / s->tiles, j, s->width - j < s->tile ? s->width - j : s->tile);
    }
}

/* ---- memory */

static int64_t round_up(int64_t nbytes)
{
    return (nbytes + 63) & ~(int64_t)63;
}

static int64_t most(const scan *s)
{
    return s->width == 1 ? (s->length < BLOCK ? s->length : BLOCK) : s->tile;
}

/* All levels of pairs, with what is filled in between, take less than 3 times the elements. */
static int64_t part_size(const scan *s)
{
    const int64_t item = (int64_t)s->item, n = most(s);
    return round_up(3 * n * item) + 3 * round_up((n + 1) * item);
}

static bool set_part(const scan *s, part *p, char *at)
{
    const int64_t item = (int64_t)s->item, n = most(s);
    const ash__span *const out = &s->task->out;
    p->memory = at;
    p->y = round_up(3 * n * item);
    p->before = p->y + round_up((n + 1) * item);
    p->other = p->before + n * item;
    p->half = at + p->before + round_up((n + 1) * item);
    ash__path_set(&p->out, out->data, __builtin_ctzll((unsigned long long)ash_dtype_size(out->dtype)),
                  ash__cpu_kernels()->layout, s->task->shape, out->stride, s->order.axis, s->order.rank, p->path_memory);
    p->evaluator = ash__evaluator_new(s->task, s->order.axis, s->order.rank);
    if (!p->evaluator)
        return false;
    if (s->width > 1)
        return ash__combiner_set(&p->pairs, s->task, at, n, 1, item, item);
    return ash__combiner_set(&p->pairs, s->task, at, n, 1, 2 * item, 2 * item) &&
           ash__combiner_set(&p->fill, s->task, at, n, 1, item, 2 * item) &&
           ash__combiner_set(&p->carry, s->task, at, n, 1, 0, item);
}

static int end_part(part *p)
{
    ash__evaluator *const all[4] = {p->evaluator, p->pairs.evaluator, p->fill.evaluator, p->carry.evaluator};
    int faults = 0;
    for (int k = 0; k < 4; k++) {
        faults |= all[k] ? ash__evaluator_faults(all[k]) : 0;
        ash__evaluator_free(all[k]);
    }
    return faults;
}

static ash_status run_parts(scan *s, char *memory)
{
    for (int64_t k = 0; k < s->parts; k++)
        if (!set_part(s, &s->part[k], memory + k * part_size(s)))
            return ASH_ERR_MEMORY;
    ash__parallel(s->parts, scan_part, s);
    return ASH_OK;
}

ash_status ash__cpu_scan_function(const ash__task *task)
{
    scan s = {.task = task, .item = ash_dtype_size(task->program->dtype)};
    int faults = 0;
    ash__scan_axes(task, LEAST_WIDTH, &s.order, &s.groups, &s.length, &s.width);
    ash__stored_init(task, s.init);
    s.tile = s.width < TILE ? s.width : TILE;
    s.tiles = (s.width - 1) / s.tile + 1;
    s.items = s.groups * s.tiles;
    s.parts = ash__fold_parts(task, s.groups * s.length * s.width);
    s.parts = s.parts < s.items ? s.parts : s.items;
    const int64_t parts = round_up(s.parts * (int64_t)sizeof(part));
    char *const memory = ash__spare_take((size_t)(parts + s.parts * part_size(&s)));
    if (!memory)
        return ash__plan_fail(task, ASH_ERR_MEMORY);
    memset(memory, 0, (size_t)parts);
    s.part = (part *)(void *)memory;
    const ash_status status = run_parts(&s, memory + parts);
    for (int64_t k = 0; k < s.parts; k++)
        faults |= end_part(&s.part[k]);
    ash__spare_give(memory);
    return status ? status : ash__task_fault(task, faults);
}
