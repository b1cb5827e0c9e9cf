/*
 * reduce_function.c - reductions by a function of two elements, which is associative but need not commute.
 *
 * Elements keep their logical order. A block is a table of rows, one for each position in the reduced axes, as wide as outputs
 * are folded together; rows are combined with their neighbours, in pairs, so that the function runs over vectors whatever
 * the shape: a single output has rows of one element, many short ones rows of many. Blocks are joined pairwise in order.
 */
#include "backend/cpu/combine.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

enum {
    WIDE = 32,  /* from so many outputs on they are folded together */
    TILE = 256, /* outputs folded together, at most */
    SHARES = 4
};

typedef struct part {
    ash__evaluator *evaluator;
    ash__combiner combiner;
    ash__path out;
    int64_t path_memory[3 * (ASH_MAX_RANK + 1)];
    char *memory;                        /* the combiner's: the offsets below count from here */
    int64_t table[2], levels, old, init; /* two tables of a block; joined blocks; rows of old outputs and of init */
    char *half;                          /* results to be rounded to 16 bits: two planes of TILE, and as they are stored */
} part;

typedef struct reduction {
    const ash__task *task;
    size_t item;
    int64_t outputs, length; /* results; elements of each */
    int64_t tile, rows;      /* outputs folded together; rows of a block */
    bool together;           /* element (r, q) has number r*outputs + q; else (q, r), q*length + r */
    int64_t tiles, blocks, segments, segment_blocks, items, parts;
    ash__axis_list kept, order;
    char *partial;
    part *part;
} reduction;

/* ---- one block */

/* The block's rows of outputs q .. q + w - 1, from row `from`, to the first table. */
static void load_rows(const reduction *r, part *p, int64_t q, int64_t w, int64_t from, int64_t n)
{
    char *const table = p->memory + p->table[0];
    if (!r->together)
        ash__evaluate_into(p->evaluator, q * r->length + from, n, table);
    else
        for (int64_t k = 0; k < n; k++)
            ash__evaluate_into(p->evaluator, (from + k) * r->outputs + q, w, table + (size_t)(k * w) * r->item);
}

/* Combines n rows of w elements to one; gives its offset. */
static int64_t fold_table(const reduction *r, part *p, int64_t w, int64_t n)
{
    const int64_t row = w * (int64_t)r->item;
    int64_t from = p->table[0], to = p->table[1];
    while (n > 1) {
        const int64_t pairs = n / 2;
        if (w == r->tile) {
            ash__combine(&p->combiner, from, from + row, pairs * w, p->memory + to);
        } else { /* the last tile is narrower than the combiner's rows */
            for (int64_t k = 0; k < pairs; k++)
                ash__combine(&p->combiner, from + 2 * k * row, from + (2 * k + 1) * row, w, p->memory + to + k * row);
        }
        if (n % 2)
            memcpy(p->memory + to + pairs * row, p->memory + from + (n - 1) * row, (size_t)row);
        n = pairs + n % 2;
        const int64_t other = from;
        from = to;
        to = other;
    }
    return from;
}

/* ---- blocks joined */

typedef struct joiner {
    const reduction *r;
    part *p;
    int64_t w;
} joiner;

static void join_rows(void *context, char *earlier, const char *later)
{
    const joiner *const j = context;
    char *const to = j->p->memory + j->p->table[0];
    ash__combine(&j->p->combiner, earlier - j->p->memory, later - j->p->memory, j->w, to);
    memcpy(earlier, to, (size_t)j->w * j->r->item);
}

static ash__counter counter_for(joiner *j)
{
    return (ash__counter){join_rows, j, j->p->memory + j->p->levels, (size_t)j->w * j->r->item, 0, 0};
}

static char *fold_blocks(const reduction *r, part *p, int64_t q, int64_t w, int64_t b0, int64_t b1)
{
    joiner j = {r, p, w};
    ash__counter c = counter_for(&j);
    for (int64_t b = b0; b < b1; b++) {
        const int64_t from = b * r->rows, n = r->length - from < r->rows ? r->length - from : r->rows;
        load_rows(r, p, q, w, from, n);
        memcpy(ash__counter_next(&c), p->memory + fold_table(r, p, w, n), c.nbytes);
        ash__counter_push(&c);
    }
    return ash__counter_end(&c);
}

/* ---- the end of a result */

/* Elements of program->dtype as out's, rounded to 16 bits. */
static const char *narrowed(const reduction *r, const part *p, const char *from, int64_t w)
{
    const ash_dtype to = r->task->out.dtype;
    const ash__kernels *const kernels = ash__cpu_kernels();
    if (to == r->task->program->dtype)
        return from;
    if (!ash__is_complex(to)) {
        ash__store16_for(kernels->elementwise, to, ASH_F32)(p->half, from, NULL, NULL, w);
        return p->half;
    }
    ash__store16_for(kernels->elementwise, ash__part(to), ASH_F32)(p->half, from, NULL, NULL, 2 * w); /* both parts in turn */
    return p->half;
}

/* combine(first, second) replaces second. */
static void combine_rows(const reduction *r, part *p, int64_t first, int64_t second, int64_t w)
{
    char *const to = p->memory + p->table[0];
    ash__combine(&p->combiner, first, second, w, to);
    memcpy(p->memory + second, to, (size_t)w * r->item);
}

static void widen_old(const reduction *r, part *p, int64_t q, int64_t w)
{
    const ash_dtype from = r->task->out.dtype;
    char *const old = p->memory + p->old;
    if (from == r->task->program->dtype) {
        ash__path_load(&p->out, q, w, old);
        return;
    }
    ash__path_load(&p->out, q, w, p->half);
    ash__load16_for(ash__cpu_kernels()->elementwise, ash__part(from))(old, p->half, NULL, NULL,
                                                                      ash__is_complex(from) ? 2 * w : w);
}

static void finish(const reduction *r, part *p, int64_t q, int64_t w, char *result)
{
    if (r->task->has_init)
        combine_rows(r, p, p->init, result - p->memory, w);
    if (r->task->accumulate) {
        widen_old(r, p, q, w);
        combine_rows(r, p, p->old, result - p->memory, w);
    }
    ash__path_store(&p->out, q, w, narrowed(r, p, result, w));
}

/* ---- sharing */

static void fold_part(void *context, int64_t number)
{
    reduction *const r = context;
    part *const p = &r->part[number];
    const int64_t lo = r->items / r->parts * number + r->items % r->parts * number / r->parts,
                  hi = r->items / r->parts * (number + 1) + r->items % r->parts * (number + 1) / r->parts;
    for (int64_t item = lo; item < hi; item++) {
        const int64_t q = item / r->segments * r->tile, w = r->outputs - q < r->tile ? r->outputs - q : r->tile;
        const int64_t b0 = item % r->segments * r->segment_blocks,
                      b1 = b0 + r->segment_blocks < r->blocks ? b0 + r->segment_blocks : r->blocks;
        char *const result = fold_blocks(r, p, q, w, b0, b1);
        if (r->segments > 1)
            memcpy(r->partial + (size_t)(item * r->tile) * r->item, result, (size_t)w * r->item);
        else
            finish(r, p, q, w, result);
    }
}

static void join_segments(reduction *r)
{
    part *const p = &r->part[0];
    for (int64_t unit = 0; unit < r->tiles; unit++) {
        const int64_t q = unit * r->tile, w = r->outputs - q < r->tile ? r->outputs - q : r->tile;
        joiner j = {r, p, w};
        ash__counter c = counter_for(&j);
        for (int64_t s = 0; s < r->segments; s++) {
            memcpy(ash__counter_next(&c), r->partial + (size_t)((unit * r->segments + s) * r->tile) * r->item, c.nbytes);
            ash__counter_push(&c);
        }
        finish(r, p, q, w, ash__counter_end(&c));
    }
}

static void set_reduction(reduction *r, const ash__task *task)
{
    memset(r, 0, sizeof *r);
    r->task = task;
    r->item = ash_dtype_size(task->program->dtype);
    ash__axis_list reduced;
    ash__axis_list_sorted(&r->kept, task, ~task->reduced, false);
    ash__axis_list_sorted(&reduced, task, task->reduced, true);
    r->outputs = r->kept.count;
    r->length = reduced.count;
    r->together = r->outputs >= WIDE;
    r->order = r->together ? reduced : r->kept;
    ash__axis_list_append(&r->order, r->together ? &r->kept : &reduced);
    r->tile = !r->together ? 1 : r->outputs < TILE ? r->outputs : TILE;
}

static void cut(reduction *r)
{
    r->rows = ASH__FOLD_BLOCK / r->tile;
    r->tiles = ash__ceiling(r->outputs, r->tile);
    r->blocks = r->length ? ash__ceiling(r->length, r->rows) : 1;
    r->parts = ash__fold_parts(r->task, r->outputs * r->length);
    r->segment_blocks = r->blocks;
    if (r->parts > 1 && r->tiles < SHARES * r->parts && r->blocks > 1)
        r->segment_blocks = ash__segment_blocks(r->blocks, ash__ceiling(SHARES * r->parts, r->tiles));
    r->segments = ash__ceiling(r->blocks, r->segment_blocks);
    r->items = r->tiles * r->segments;
    r->parts = r->parts < r->items ? r->parts : r->items;
}

/* ---- memory */

static int64_t round_up(int64_t nbytes)
{
    return (nbytes + 63) & ~(int64_t)63;
}

static int64_t part_size(const reduction *r)
{
    const int64_t row = r->tile * (int64_t)r->item;
    return 2 * round_up(r->rows * row) + round_up(row * ash__counter_levels(r->blocks)) + 3 * round_up(row);
}

static bool set_part(const reduction *r, part *p, char *at)
{
    const int64_t row = r->tile * (int64_t)r->item;
    unsigned char init[16];
    p->memory = at;
    p->table[1] = round_up(r->rows * row);
    p->levels = 2 * p->table[1];
    p->old = p->levels + round_up(row * ash__counter_levels(r->blocks));
    p->init = p->old + round_up(row);
    p->half = at + p->init + round_up(row);
    ash__stored_init(r->task, init);
    for (int64_t k = 0; k < r->tile; k++)
        memcpy(at + p->init + k * (int64_t)r->item, init, r->item);
    const ash__span *const out = &r->task->out;
    ash__path_set(&p->out, out->data, __builtin_ctzll((unsigned long long)ash_dtype_size(out->dtype)),
                  ash__cpu_kernels()->layout, r->task->shape, out->stride, r->kept.axis, r->kept.rank, p->path_memory);
    if (r->length) /* no plan divides a block by a size of 0 */
        p->evaluator = ash__evaluator_new(r->task, r->order.axis, r->order.rank);
    return (p->evaluator || !r->length) &&
           ash__combiner_set(&p->combiner, r->task, at, ash__ceiling(r->rows, 2), r->tile, 2 * row, 2 * row);
}

static ash_status run_parts(reduction *r, char *memory)
{
    for (int64_t k = 0; k < r->parts; k++)
        if (!set_part(r, &r->part[k], memory + k * part_size(r)))
            return ASH_ERR_MEMORY;
    r->partial = memory + r->parts * part_size(r);
    ash__parallel(r->parts, fold_part, r);
    if (r->segments > 1)
        join_segments(r);
    return ASH_OK;
}

static int end_parts(const reduction *r)
{
    int faults = 0;
    for (int64_t k = 0; k < r->parts; k++) {
        const part *const p = &r->part[k];
        faults |= p->evaluator ? ash__evaluator_faults(p->evaluator) : 0;
        faults |= p->combiner.evaluator ? ash__evaluator_faults(p->combiner.evaluator) : 0;
        ash__evaluator_free(p->evaluator);
        ash__evaluator_free(p->combiner.evaluator);
    }
    return faults;
}

/* No elements: init is the result. */
static ash_status fill(reduction *r, part *p, char *memory)
{
    r->rows = 1;
    if (!set_part(r, p, memory))
        return ASH_ERR_MEMORY;
    for (int64_t q = 0, w; q < r->outputs; q += w) {
        w = r->outputs - q < r->tile ? r->outputs - q : r->tile;
        memcpy(memory + p->levels, memory + p->init, (size_t)w * r->item);
        if (r->task->accumulate) {
            widen_old(r, p, q, w);
            combine_rows(r, p, p->old, p->levels, w);
        }
        ash__path_store(&p->out, q, w, narrowed(r, p, memory + p->levels, w));
    }
    return ASH_OK;
}

ash_status ash__cpu_reduce_function(const ash__task *task)
{
    reduction r;
    set_reduction(&r, task);
    if (r.outputs == 0)
        return ASH_OK;
    if (r.length == 0 && !task->has_init)
        return ASH_OK;
    cut(&r);
    const int64_t parts = round_up(r.parts * (int64_t)sizeof(part));
    const int64_t partial = r.segments > 1 ? r.items * r.tile * (int64_t)r.item : 0;
    char *const memory = ash__spare_take((size_t)(parts + r.parts * part_size(&r) + partial));
    if (!memory)
        return ash__plan_fail(task, ASH_ERR_MEMORY);
    memset(memory, 0, (size_t)parts);
    r.part = (part *)(void *)memory;
    const ash_status status = r.length ? run_parts(&r, memory + parts) : fill(&r, r.part, memory + parts);
    const int faults = end_parts(&r);
    ash__spare_give(memory);
    return status ? status : ash__task_fault(task, faults);
}
