/*
 * merge_sort.c - lines in an order that a function of two elements gives.
 *
 * The function is run over vectors, so many merges go on side by side: of a batch of lanes, each has two runs of positions
 * and an output, and all compare their next two elements at once. Where there are fewer merges than lanes, each is cut
 * into segments of equal output, whose beginnings in the two runs are searched for in the same way (O. Green and others,
 * Merge path, 2014). Stable: the left run's element goes first unless the right one's comes before it.
 *
 * Whatever the function answers, every run is written to its end and no more.
 */
#include "backend/cpu/interpret.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/sort.h"
#include "backend/cpu/threads.h"
#include "core/error.h"
#include "core/shape.h"

enum { LANES = 1024, SEGMENT = 64 }; /* elements compared at once; least outputs of a segment */

/* Runs a .. a_end and b .. b_end of positions to be merged to out .. out_end; while its beginning is searched for, low and high
 * bound how many elements come from the first run. */
typedef struct lane {
    int64_t a, a_end, b, b_end, out, out_end, low, high;
} lane;

typedef struct merging {
    const ash__task *task;
    ash__lines lines;
    size_t item;
    int64_t parts;
    struct room *room; /* of each part */
} merging;

typedef struct room {
    ash__evaluator *evaluator;
    char *elements, *x, *y; /* of a line; the two sides of a comparison */
    int64_t *from, *to;     /* positions: the runs, and what they become */
    lane *lane;
    int32_t *active;
} room;

static size_t room_plan(const merging *m, size_t at[7])
{
    const size_t n = (size_t)m->lines.n;
    const size_t size[7] = {n * m->item, LANES * m->item, LANES * m->item, n * 8, n * 8, LANES * sizeof(lane),
                            LANES * sizeof(int32_t)};
    return ash__room_plan(size, 7, at);
}

/* The comparison as a map of two dense vectors. */
static ash__evaluator *comparer(const merging *m, const room *r)
{
    const ash__span *const from = &m->task->operand[0];
    const int64_t shape = LANES, axis = 0, stride = (int64_t)m->item;
    const ash__span operand[2] = {{from->buffer, r->x, &stride, from->dtype}, {from->buffer, r->y, &stride, from->dtype}};
    const ash__task task = {.kind = ASH__TASK_MAP,
                            .function = m->task->function,
                            .rank = 1,
                            .shape = &shape,
                            .program = m->task->combine,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {from->buffer, r->x, &stride, ASH_BOOL}};
    return ash__evaluator_new(&task, &axis, 1);
}

/* false after an error that has been reported. */
static bool room_set(const merging *m, room *r, char *memory)
{
    size_t at[7];
    room_plan(m, at);
    *r = (room){.elements = memory + at[0],
                .x = memory + at[1],
                .y = memory + at[2],
                .from = (int64_t *)(void *)(memory + at[3]),
                .to = (int64_t *)(void *)(memory + at[4]),
                .lane = (lane *)(void *)(memory + at[5]),
                .active = (int32_t *)(void *)(memory + at[6])};
    memset(r->x, 0, LANES * m->item);
    memset(r->y, 0, LANES * m->item);
    r->evaluator = comparer(m, r);
    return r->evaluator != NULL;
}

/* Puts elements i of the first and j of the second run where they are compared: does the second's come before the first's? */
static void pose(const merging *m, const room *r, int64_t k, int64_t i, int64_t j)
{
    const char *const first = r->elements + (size_t)r->from[i] * m->item, *const second =
                                                                              r->elements + (size_t)r->from[j] * m->item;
    memcpy(r->x + (size_t)k * m->item, m->task->descending ? first : second, m->item);
    memcpy(r->y + (size_t)k * m->item, m->task->descending ? second : first, m->item);
}

static const uint8_t *answers(const room *r, int64_t count)
{
    const void *re, *im;
    ash__evaluate(r->evaluator, 0, count, &re, &im);
    return re;
}

/* ---- lanes */

/* Finds where each lane's segment begins: low to high, how many elements come from the first run, become one number. */
static void find_beginnings(const merging *m, const room *r, int64_t lanes)
{
    for (;;) {
        int64_t open = 0;
        for (int64_t k = 0; k < lanes; k++) {
            const lane *const l = &r->lane[k];
            const int64_t middle = l->low + (l->high - l->low) / 2;
            if (l->low == l->high)
                continue;
            /* of the outputs before the segment, `middle` from the first run leave this many for the second */
            pose(m, r, open, l->a + middle, l->b + l->out - middle - 1);
            r->active[open++] = (int32_t)k;
        }
        if (!open)
            return;
        const uint8_t *const before = answers(r, open);
        for (int64_t j = 0; j < open; j++) {
            lane *const l = &r->lane[r->active[j]];
            const int64_t middle = l->low + (l->high - l->low) / 2;
            if (before[j])
                l->high = middle;
            else
                l->low = middle + 1;
        }
    }
}

static void copy_rest(const room *r, lane *l)
{
    while (l->out < l->out_end)
        r->to[l->out++] = r->from[l->a < l->a_end ? l->a++ : l->b++];
}

static void merge_lanes(const merging *m, const room *r, int64_t lanes)
{
    int64_t open = lanes;
    for (int64_t k = 0; k < lanes; k++)
        r->active[k] = (int32_t)k;
    while (open) {
        int64_t left = 0;
        for (int64_t j = 0; j < open; j++) {
            lane *const l = &r->lane[r->active[j]];
            if (l->out == l->out_end || l->a == l->a_end || l->b == l->b_end) {
                copy_rest(r, l);
                continue;
            }
            pose(m, r, left, l->a, l->b);
            r->active[left++] = r->active[j];
        }
        open = left;
        if (!open)
            return;
        const uint8_t *const before = answers(r, open);
        for (int64_t j = 0; j < open; j++) {
            lane *const l = &r->lane[r->active[j]];
            r->to[l->out++] = r->from[before[j] ? l->b++ : l->a++];
        }
    }
}

/* ---- a line */

/* A segment of the merge of the runs at `run` and run + width that begins behind `begin` outputs: until its beginning in the
 * runs is found, out is that. */
static void set_lane(lane *l, int64_t run, int64_t width, int64_t n, int64_t begin)
{
    const int64_t middle = run + width < n ? run + width : n, end = middle + width < n ? middle + width : n;
    const int64_t first = middle - run, second = end - middle;
    *l = (lane){.a = run, .a_end = middle, .b = middle, .b_end = end, .out = begin};
    l->low = begin > second ? begin - second : 0;
    l->high = begin < first ? begin : first;
}

/* From a searched lane to one that merges. */
static void start_lane(lane *l, int64_t segment)
{
    const int64_t before = l->out, run = l->a, length = l->b_end - run;
    l->a += l->low;
    l->b += before - l->low;
    l->out = run + before;
    l->out_end = run + (before + segment < length ? before + segment : length);
}

static void run_lanes(const merging *m, const room *r, int64_t lanes, int64_t segment)
{
    find_beginnings(m, r, lanes);
    for (int64_t k = 0; k < lanes; k++)
        start_lane(&r->lane[k], segment);
    merge_lanes(m, r, lanes);
}

/* Merges runs of `width` into runs of twice that, from one list of positions to the other. */
static void merge_level(const merging *m, const room *r, int64_t width)
{
    const int64_t n = m->lines.n, even = n / LANES + 1;
    int64_t segment = even > SEGMENT ? even : SEGMENT, lanes = 0;
    segment = segment < 2 * width ? segment : 2 * width;
    for (int64_t run = 0; run < n; run += 2 * width)
        for (int64_t begin = 0; begin < 2 * width && run + begin < n; begin += segment) {
            set_lane(&r->lane[lanes++], run, width, n, begin);
            if (lanes == LANES) {
                run_lanes(m, r, lanes, segment);
                lanes = 0;
            }
        }
    run_lanes(m, r, lanes, segment);
}

static void sort_line(const merging *m, room *r, const char *at)
{
    const int64_t n = m->lines.n, stride = m->task->operand[0].stride[m->task->axis];
    for (int64_t i = 0; i < n; i++) {
        memcpy(r->elements + (size_t)i * m->item, at + i * stride, m->item);
        r->from[i] = i;
    }
    for (int64_t width = 1; width < n; width *= 2) {
        merge_level(m, r, width);
        int64_t *const swap = r->from;
        r->from = r->to;
        r->to = swap;
    }
}

/* ---- the task */

static void store_positions(const merging *m, int64_t number, int64_t line, const int64_t *position)
{
    const ash__task *const t = m->task;
    const int64_t beside = m->lines.across > 1 ? line * t->value.stride[m->lines.axis[m->lines.rank]] : 0;
    char *const at = ash__lines_at(&m->lines, &t->value, number) + beside;
    for (int64_t i = 0; i < t->count; i++)
        memcpy(at + i * t->value.stride[t->axis], &position[i], 8);
}

static void sort_tile(const merging *m, room *r, int64_t number)
{
    const ash__task *const t = m->task;
    const int64_t beside = m->lines.across > 1 ? t->operand[0].stride[m->lines.axis[m->lines.rank]] : 0;
    for (int64_t line = 0; line < ash__lines_of(&m->lines, number); line++) {
        sort_line(m, r, ash__lines_at(&m->lines, &t->operand[0], number) + line * beside);
        if (t->out.data)
            ash__lines_move(&m->lines, number, line, r->from + t->first);
        if (t->value.data)
            store_positions(m, number, line, r->from + t->first);
    }
}

static void sort_part(void *context, int64_t part)
{
    const merging *const m = context;
    const int64_t tiles = m->lines.outer * m->lines.tiles;
    for (int64_t k = ash__part_start(tiles, part, m->parts); k < ash__part_start(tiles, part + 1, m->parts); k++)
        sort_tile(m, &m->room[part], k);
}

ash_status ash__cpu_merge_sort(const ash__task *task)
{
    merging m = {.task = task, .item = ash_dtype_size(task->operand[0].dtype)};
    const int64_t elements = ash__count(task->shape, task->rank);
    size_t at[7];
    ash__lines_set(&m.lines, task);
    const int64_t tiles = m.lines.outer * m.lines.tiles, parts = ash__parts_for(elements * (int64_t)m.item, 100 * elements);
    m.parts = parts < tiles ? parts : tiles;
    const size_t rooms = ash__round_up((size_t)m.parts * sizeof(room)), each = room_plan(&m, at);
    const size_t nbytes = rooms + each * (size_t)m.parts;
    char *const memory = ash__work_take(task, nbytes);
    if (!memory)
        return ash__last_status();
    m.room = (room *)(void *)memory;
    memset(memory, 0, rooms);
    bool set = true;
    for (int64_t k = 0; k < m.parts && set; k++)
        set = room_set(&m, &m.room[k], memory + rooms + (size_t)k * each);
    if (set)
        ash__parallel(m.parts, sort_part, &m);
    int faults = 0;
    for (int64_t k = 0; k < m.parts; k++) {
        faults |= m.room[k].evaluator ? ash__evaluator_faults(m.room[k].evaluator) : 0;
        ash__evaluator_free(m.room[k].evaluator);
    }
    ash__work_give(task, memory, nbytes);
    return set ? ash__task_fault(task, faults) : ash__last_status();
}
