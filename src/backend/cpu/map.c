/*
 * map.c - out[i] = program(operands[i]).
 *
 * The axes are put in the order of out's strides, the longest first and all pointing up, so that a dense out of any layout
 * is one run of addresses and the program's last kernel writes straight to it. An operand that lies transposed to that is
 * turned in windows (feed.c); when the axis it is dense along is not the last but one, it is moved there, and rows too long
 * for a window are cut into shorter ones.
 *
 * Threads share the elements in that order, cut at fixed places, and each plans for itself; dense.c does the usual case without
 * a plan. What is small is planned on the stack: no memory is taken, and no thread is woken.
 */
#include <stdatomic.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"

enum {
    ARENA = 6 * 1024,       /* bytes on the stack: enough for a program of some ten instructions on 64 elements */
    ROW_LEAST = 256,        /* elements of a row that is worth steps of its own */
    PIECE_MOST = 1536,      /* elements of a piece of a row */
    FEW = 1024,             /* elements; below it nothing is to be weighed */
    SMALL = 4096,           /* elements; below it no axis is moved */
    WINDOW_ROW = 16 * 1024, /* bytes of a row that 16 of fit a window */
    CHUNK = 8 * 1024,       /* bytes of the rows that longer ones are cut into */
    CUT = 64                /* elements: no two threads write one cache line of an aligned out */
};

/* An axis of the walk: elements start, start + factor ... of an axis of the task. */
typedef struct entry {
    int64_t axis, start, size, factor;
} entry;

typedef struct mapping {
    const ash__task *task;
    const int64_t *axis;
    int64_t rank, elements, parts;
    atomic_int faults, failure;
} mapping;

/* ---- one thread's share */

/* How the elements are cut: rows of `row` elements in pieces of `piece` (row 0: no rows). */
typedef struct cutting {
    int64_t row, piece;
} cutting;

static cutting cut_rows(int64_t row)
{
    const int64_t pieces = (row + PIECE_MOST - 1) / PIECE_MOST;
    return (cutting){row, (row + pieces - 1) / pieces};
}

/* Rows of an operand that would have to be copied together for a block that crosses their ends. */
static int64_t row_of_feeds(const ash__evaluator *e)
{
    for (int32_t k = 0; k < e->feeds; k++) {
        const ash__feed *const f = &e->feed[k];
        const int64_t last = f->path.rank - 1;
        if (f->kind == ASH__FEED_PATH && f->aligned && last >= 1 && f->path.stride[last] == (int64_t)1 << f->path.log &&
            f->path.size[last] >= ROW_LEAST)
            return f->path.size[last];
    }
    return 0;
}

static int64_t next_piece(cutting cut, int64_t first, int64_t left)
{
    int64_t m = ASH__BLOCK;
    if (cut.row) {
        const int64_t at = first % cut.row, rest = cut.row - at;
        m = cut.piece - at % cut.piece;
        m = m < rest ? m : rest;
    }
    return m < left ? m : left;
}

/* May kernels write to where out lies? A field of a packed record may be at any address. */
static bool is_aligned(const ash__path *out, ash_dtype dtype)
{
    uint64_t bits = (uint64_t)(uintptr_t)out->origin;
    for (int64_t k = 0; k < out->rank; k++)
        bits |= (uint64_t)out->stride[k];
    return bits % ash_dtype_size(ash__part(dtype)) == 0;
}

static ash_status evaluate_range(ash__evaluator *e, ash__path *out, int64_t first, int64_t n)
{
    const int64_t item = (int64_t)1 << out->log;
    const bool aligned = is_aligned(out, e->program->dtype);
    const bool dense = aligned && (out->rank == 0 || (out->rank == 1 && out->stride[0] == item));
    const bool rows = aligned && out->rank > 1 && out->stride[out->rank - 1] == item && out->size[out->rank - 1] >= ROW_LEAST;
    const int64_t row = rows ? out->size[out->rank - 1] : row_of_feeds(e);
    const cutting cut = row ? cut_rows(row) : (cutting){0, 0};
    char *buffer = NULL;
    if (!dense && !rows && !(buffer = ash__scratch((size_t)(e->limit << out->log))))
        return ASH_ERR_MEMORY;
    for (int64_t end = first + n; first < end;) {
        const int64_t m = next_piece(cut, first, end - first);
        if (buffer) {
            ash__evaluate_into(e, first, m, buffer);
            ash__path_store(out, first, m, buffer);
        } else {
            ash__evaluate_into(e, first, m, dense ? out->origin + first * item : ash__path_dense(out, first, m));
        }
        first += m;
    }
    return ASH_OK;
}

static int log_of_size(size_t nbytes)
{
    return __builtin_ctzll((unsigned long long)nbytes);
}

static void map_range(mapping *m, int64_t first, int64_t n)
{
    _Alignas(64) char arena[ARENA];
    int64_t numbers[3 * (ASH_MAX_RANK + 2)];
    ash__evaluator e;
    ash__path out;
    const ash__task *const task = m->task;
    int faults = 0;
    if (ash__map_dense(task, first, n, &faults)) { /* dense in the order of its axes: the walk's order too */
        if (faults)
            atomic_fetch_or(&m->faults, faults);
        return;
    }
    ash_status status = ash__plan(&e, task, m->axis, m->rank, n < PIECE_MOST ? n : PIECE_MOST, arena, sizeof arena);
    if (status == ASH_OK) {
        ash__path_set(&out, task->out.data, log_of_size(ash_dtype_size(task->out.dtype)), e.kernels->layout, task->shape,
                      task->out.stride, m->axis, m->rank, numbers);
        status = evaluate_range(&e, &out, first, n);
        if (e.faults)
            atomic_fetch_or(&m->faults, e.faults);
        ash__plan_end(&e);
    }
    if (status != ASH_OK)
        atomic_store(&m->failure, (int)status);
}

static int64_t cut_at(const mapping *m, int64_t part)
{
    return part == m->parts ? m->elements : ash__part_start(m->elements, part, m->parts) / CUT * CUT;
}

static void map_part(void *context, int64_t part)
{
    mapping *const m = context;
    const int64_t first = cut_at(m, part), end = cut_at(m, part + 1);
    if (end > first)
        map_range(m, first, end - first);
}

/* ---- sharing */

static bool varies(const ash__task *task, const ash__span *span)
{
    for (int64_t k = 0; k < task->rank && span->buffer && span->stride; k++)
        if (task->shape[k] > 1 && span->stride[k] != 0)
            return true;
    return false;
}

/* Rough costs: 60 ps for a vector operation on one element, and a transcendental function among them half a nanosecond. */
static int64_t parts_of(const ash__task *task, int64_t elements)
{
    const ash__program *const program = task->program;
    int64_t item = (int64_t)ash_dtype_size(task->out.dtype);
    if (elements < 4 * CUT)
        return 1;
    for (int64_t k = 0; k < task->operand_count; k++)
        if (varies(task, &task->operand[k]))
            item += (int64_t)ash_dtype_size(task->operand[k].dtype);
    const int64_t picoseconds = 60 * program->count + (program->transcendental ? 500 : 0);
    return ash__parts_for(elements * item, elements / 1000 * picoseconds + elements % 1000 * picoseconds / 1000);
}

static ash_status run_map(const ash__task *task, const int64_t *axis, int64_t rank, int64_t elements, int *faults)
{
    mapping m = {.task = task, .axis = axis, .rank = rank, .elements = elements, .parts = parts_of(task, elements)};
    if (m.parts > 1)
        ash__parallel(m.parts, map_part, &m);
    else
        map_range(&m, 0, elements);
    *faults |= atomic_load_explicit(&m.faults, memory_order_relaxed);
    const int failure = atomic_load_explicit(&m.failure, memory_order_relaxed);
    return failure ? ash__plan_fail(task, (ash_status)failure) : ASH_OK;
}

/* ---- the order of the axes */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* By out's strides, each counted upwards; axes of one element are left out. Returns whether some axis was turned round. */
static bool order_axes(const ash__task *task, entry *list, int64_t *rank)
{
    const int64_t *const stride = task->out.stride;
    bool turned = false;
    int64_t r = 0;
    for (int64_t axis = 0; axis < task->rank; axis++) {
        const int64_t size = task->shape[axis];
        if (size == 1)
            continue;
        int64_t k = r++;
        for (; k > 0 && magnitude(stride[list[k - 1].axis]) < magnitude(stride[axis]); k--)
            list[k] = list[k - 1];
        const bool down = stride[axis] < 0;
        list[k] = (entry){axis, down ? size - 1 : 0, size, down ? -1 : 1};
        turned |= down;
    }
    *rank = r;
    return turned;
}

/* Position of the axis that some operand is dense along, transposed to out's rows; -1 for none. */
static int64_t transposed_axis(const ash__task *task, const entry *list, int64_t rank, int64_t *item)
{
    for (int64_t n = 0; n < task->operand_count; n++) {
        const ash__span *const x = &task->operand[n];
        *item = (int64_t)ash_dtype_size(x->dtype);
        if (!x->buffer || !x->stride || magnitude(x->stride[list[rank - 1].axis]) <= *item)
            continue;
        for (int64_t k = rank - 2; k >= 0; k--)
            if (x->stride[list[k].axis] == *item * list[k].factor && list[k].size >= 8)
                return k;
    }
    return -1;
}

/* Brings the axis at position k to the place before the last. */
static void bring_axis(entry *list, int64_t rank, int64_t k)
{
    const entry moved = list[k];
    for (; k < rank - 2; k++)
        list[k] = list[k + 1];
    list[k] = moved;
}

/* Cuts rows that are too long for a window: (row, col) becomes (chunk, row, col in chunk). Returns the length covered. */
static int64_t chunk_rows(entry *list, int64_t *rank, int64_t item)
{
    entry *const last = &list[*rank - 1];
    const int64_t chunk = CHUNK / item, chunks = last->size / chunk;
    entry cols = *last;
    const entry row = last[-1];
    const entry outer = {cols.axis, cols.start, chunks, cols.factor * chunk};
    cols.size = chunk;
    cols.start = 0;
    last[-1] = outer;
    last[0] = row;
    last[1] = cols;
    ++*rank;
    return chunks * chunk;
}

/* ---- a task with other axes */

typedef struct arranged {
    ash__task task;
    int64_t shape[ASH_MAX_RANK + 1], out_stride[ASH_MAX_RANK + 1], axis[ASH_MAX_RANK + 1];
} arranged;

static ash__span arrange_span(const ash__span *x, const entry *list, int64_t rank, int64_t *stride)
{
    ash__span y = *x;
    if (!x->buffer || !x->stride)
        return y;
    y.stride = stride;
    for (int64_t k = 0; k < rank; k++) {
        y.data += list[k].start * x->stride[list[k].axis];
        stride[k] = list[k].factor * x->stride[list[k].axis];
    }
    return y;
}

static ash_status run_arranged(const ash__task *task, const entry *list, int64_t rank, int *faults)
{
    arranged a;
    const int64_t operands = task->operand_count;
    const size_t span_bytes = (size_t)operands * sizeof(ash__span);
    char *const memory = ash__spare_take(span_bytes + (size_t)(operands * rank) * sizeof(int64_t) + 1);
    if (!memory)
        return ash__plan_fail(task, ASH_ERR_MEMORY);
    ash__span *const span = (ash__span *)memory;
    int64_t *const stride = (int64_t *)(memory + span_bytes);
    int64_t elements = 1;
    for (int64_t k = 0; k < operands; k++)
        span[k] = arrange_span(&task->operand[k], list, rank, stride + k * rank);
    for (int64_t k = 0; k < rank; k++) {
        a.shape[k] = list[k].size;
        a.axis[k] = k;
        elements *= list[k].size;
    }
    a.task = *task;
    a.task.rank = rank;
    a.task.shape = a.shape;
    a.task.operand = span;
    a.task.out = arrange_span(&task->out, list, rank, a.out_stride);
    const ash_status status = run_map(&a.task, a.axis, rank, elements, faults);
    ash__spare_give(memory);
    return status;
}

static ash_status run_chunked(const ash__task *task, entry *list, int64_t rank, int64_t item, int *faults)
{
    entry rest[ASH_MAX_RANK + 1];
    memcpy(rest, list, (size_t)rank * sizeof *rest);
    entry *const tail = &rest[rank - 1];
    int64_t whole_rank = rank;
    const int64_t covered = chunk_rows(list, &whole_rank, item);
    ash_status status = run_arranged(task, list, whole_rank, faults);
    tail->start += covered * tail->factor;
    tail->size -= covered;
    if (status == ASH_OK && tail->size)
        status = run_arranged(task, rest, rank, faults);
    return status;
}

static ash_status map(const ash__task *task, int64_t elements, int *faults)
{
    entry list[ASH_MAX_RANK + 1];
    int64_t axis[ASH_MAX_RANK], rank, item;
    const bool turned = order_axes(task, list, &rank);
    const int64_t dense = elements >= SMALL && rank >= 2 ? transposed_axis(task, list, rank, &item) : -1;
    if (dense >= 0) {
        bring_axis(list, rank, dense);
        if (list[rank - 1].size * item > WINDOW_ROW)
            return run_chunked(task, list, rank, item, faults);
    }
    if (turned)
        return run_arranged(task, list, rank, faults);
    for (int64_t k = 0; k < rank; k++)
        axis[k] = list[k].axis;
    return run_map(task, axis, rank, elements, faults);
}

ash_status ash__cpu_map(const ash__task *task)
{
    int64_t elements = 1;
    int faults = 0;
    for (int64_t k = 0; k < task->rank; k++)
        elements *= task->shape[k];
    if (elements == 0)
        return ASH_OK;
    if (task->program->copies >= 0) {
        ash__task copy = *task;
        copy.kind = ASH__TASK_COPY;
        copy.operand = &task->operand[task->program->copies];
        copy.operand_count = 1;
        return ash__cpu_copy(&copy);
    }
    const bool few = elements < FEW && ash__map_dense(task, 0, elements, &faults);
    const ash_status status = few ? ASH_OK : map(task, elements, &faults);
    return status != ASH_OK || !faults ? status : ash__task_fault(task, faults);
}
