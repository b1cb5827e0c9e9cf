/*
 * copy.c - moves elements from one arrangement to another, whatever they are.
 *
 * Axes are ordered by the destination's strides, the longest first, so that it is written from low to high addresses, and
 * those that are contiguous in both arrays are merged. What then remains is rows that are dense in both (memcpy), a plane
 * whose rows are dense in the destination and whose columns are dense in the source (register tiles), or strided runs.
 * Elements of any size are bytes here; sizes 1, 2, 4, 8 and 16 have loops of their own, and short dense rows of such a
 * size in all count as one element.
 *
 * Threads share the outermost axis that is long enough, cut the same way at every call.
 */
#include "backend/cpu/cpu.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/threads.h"

enum { SHORT_RUN = 16, CUT = 16 };

typedef enum method { ROWS, PLANE, RUNS } method;

typedef struct copying {
    char *to;
    const char *from;
    int64_t rank, size[ASH_MAX_RANK], to_step[ASH_MAX_RANK], from_step[ASH_MAX_RANK];
    int64_t item;
    int log; /* of item, or -1: no size with loops of its own */
    method method;
    int64_t cut, parts; /* the axis that is shared, and by how many */
    const ash__layout_table *layout;
} copying;

/* ---- one arrangement for both */

static void insert_axis(copying *c, int64_t size, int64_t to, int64_t from)
{
    int64_t k = c->rank++;
    for (; k > 0 && c->to_step[k - 1] < to; k--) {
        c->size[k] = c->size[k - 1];
        c->to_step[k] = c->to_step[k - 1];
        c->from_step[k] = c->from_step[k - 1];
    }
    c->size[k] = size;
    c->to_step[k] = to;
    c->from_step[k] = from;
}

static void set_axes(copying *c, const ash__task *task)
{
    const int64_t *const in = task->operand[0].stride;
    for (int64_t k = 0; k < task->rank; k++) {
        const int64_t n = task->shape[k];
        int64_t to = task->out.stride[k], from = in ? in[k] : 0;
        if (n == 1)
            continue;
        if (to < 0) {
            c->to += (n - 1) * to;
            c->from += (n - 1) * from;
            to = -to;
            from = -from;
        }
        insert_axis(c, n, to, from);
    }
}

static void merge_axes(copying *c)
{
    int64_t r = 0;
    for (int64_t k = 0; k < c->rank; k++)
        if (r && c->to_step[r - 1] == c->to_step[k] * c->size[k] && c->from_step[r - 1] == c->from_step[k] * c->size[k]) {
            c->size[r - 1] *= c->size[k];
            c->to_step[r - 1] = c->to_step[k];
            c->from_step[r - 1] = c->from_step[k];
        } else {
            c->size[r] = c->size[k];
            c->to_step[r] = c->to_step[k];
            c->from_step[r++] = c->from_step[k];
        }
    c->rank = r;
}

/* Dense rows of 2, 4, 8 or 16 bytes become elements. */
static void widen_item(copying *c)
{
    const int64_t k = c->rank - 1;
    if (c->rank < 2 || c->to_step[k] != c->item || c->from_step[k] != c->item || c->size[k] > 16 ||
        ash__log_of(c->size[k] * c->item) < 0)
        return;
    c->item *= c->size[k];
    c->rank--;
}

/* ---- what to do */

/* Brings axis k to the place before the last. */
static void bring_axis(copying *c, int64_t k)
{
    const int64_t size = c->size[k], to = c->to_step[k], from = c->from_step[k];
    for (; k < c->rank - 2; k++) {
        c->size[k] = c->size[k + 1];
        c->to_step[k] = c->to_step[k + 1];
        c->from_step[k] = c->from_step[k + 1];
    }
    c->size[k] = size;
    c->to_step[k] = to;
    c->from_step[k] = from;
}

static void choose_method(copying *c)
{
    const int64_t k = c->rank - 1;
    c->method = RUNS;
    c->log = ash__log_of(c->item);
    if (c->to_step[k] != c->item)
        return;
    if (c->from_step[k] == c->item) {
        c->method = ROWS;
        return;
    }
    for (int64_t j = k - 1; j >= 0 && c->log >= 0 && c->from_step[k] != 0; j--)
        if (c->from_step[j] == c->item && c->size[j] > 1) {
            bring_axis(c, j);
            c->method = PLANE;
            return;
        }
}

/* The axis to share: the outermost that gives every part something, in whole tiles; else the longest. */
static void choose_cut(copying *c, int64_t elements)
{
    c->cut = 0;
    c->parts = ash__parts_for(2 * elements * c->item, c->method == ROWS ? 0 : elements);
    for (int64_t k = 0; k < c->rank && c->parts > 1; k++) {
        if (c->size[k] >= CUT * c->parts) {
            c->cut = k;
            return;
        }
        if (c->size[k] > c->size[c->cut])
            c->cut = k;
    }
    if (c->rank && c->parts > c->size[c->cut])
        c->parts = c->size[c->cut];
}

/* ---- doing it */

typedef uint8_t any1 __attribute__((aligned(1), may_alias));
typedef uint16_t any2 __attribute__((aligned(1), may_alias));
typedef uint32_t any4 __attribute__((aligned(1), may_alias));
typedef uint64_t any8 __attribute__((aligned(1), may_alias));
typedef struct any16 {
    any8 part[2];
} any16;

#define DEFINE_RUN(S)                                                                             \
    static void run##S(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t n) \
    {                                                                                             \
        for (int64_t i = 0; i < n; i++)                                                           \
            *(any##S *)(to + i * to_step) = *(const any##S *)(from + i * from_step);              \
    }
DEFINE_RUN(1)
DEFINE_RUN(2)
DEFINE_RUN(4)
DEFINE_RUN(8)
DEFINE_RUN(16)

static void copy_run(const copying *c, char *to, const char *from)
{
    static void (*const runs[5])(char *, int64_t, const char *, int64_t, int64_t) = {run1, run2, run4, run8, run16};
    const int64_t k = c->rank - 1, n = c->size[k], to_step = c->to_step[k], from_step = c->from_step[k];
    if (c->log < 0)
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * to_step, from + i * from_step, (size_t)c->item);
    else if (n < SHORT_RUN)
        runs[c->log](to, to_step, from, from_step, n);
    else if (to_step == c->item && from_step == 0)
        c->layout->splat[c->log](to, from, n);
    else if (to_step == c->item)
        c->layout->gather[c->log](to, from, from_step, n);
    else if (from_step == c->item)
        c->layout->scatter[c->log](to, to_step, from, n);
    else
        runs[c->log](to, to_step, from, from_step, n);
}

/* The axes that one call of a method covers: the last, and the one before it where there is one. */
static void copy_inner(const copying *c, char *to, const char *from)
{
    const int64_t k = c->rank - 1;
    const int64_t rows = k > 0 ? c->size[k - 1] : 1, to_row = k > 0 ? c->to_step[k - 1] : 0,
                  from_row = k > 0 ? c->from_step[k - 1] : 0;
    switch (c->method) {
    case ROWS:
        for (int64_t i = 0; i < rows; i++)
            memcpy(to + i * to_row, from + i * from_row, (size_t)(c->size[k] * c->item));
        break;
    case PLANE:
        c->layout->transpose[c->log](to, to_row, from, c->from_step[k], c->size[k], rows);
        break;
    case RUNS:
    default:
        for (int64_t i = 0; i < rows; i++)
            copy_run(c, to + i * to_row, from + i * from_row);
    }
}

static void copy_axes(const copying *c, char *to, const char *from)
{
    int64_t index[ASH_MAX_RANK] = {0};
    const int64_t outer = c->rank > 2 ? c->rank - 2 : 0;
    for (;;) {
        copy_inner(c, to, from);
        int64_t k = outer - 1;
        for (; k >= 0; k--) {
            to += c->to_step[k];
            from += c->from_step[k];
            if (++index[k] < c->size[k])
                break;
            to -= c->size[k] * c->to_step[k];
            from -= c->size[k] * c->from_step[k];
            index[k] = 0;
        }
        if (k < 0)
            return;
    }
}

static int64_t cut_at(const copying *c, int64_t part)
{
    const int64_t n = c->size[c->cut];
    if (part == c->parts)
        return n;
    const int64_t at = ash__part_start(n, part, c->parts);
    return n >= CUT * c->parts ? at / CUT * CUT : at;
}

static void copy_part(void *context, int64_t part)
{
    const copying *const c = context;
    copying mine = *c;
    const int64_t first = cut_at(c, part);
    mine.size[c->cut] = cut_at(c, part + 1) - first;
    if (mine.size[c->cut] > 0)
        copy_axes(&mine, c->to + first * c->to_step[c->cut], c->from + first * c->from_step[c->cut]);
}

ash_status ash__cpu_copy(const ash__task *task)
{
    copying c;
    int64_t elements = 1;
    c.to = task->out.data;
    c.from = task->operand[0].data;
    c.rank = 0;
    c.item = (int64_t)ash_dtype_size(task->out.dtype);
    c.layout = ash__cpu_kernels()->layout;
    for (int64_t k = 0; k < task->rank; k++)
        elements *= task->shape[k];
    if (elements == 0)
        return ASH_OK;
    set_axes(&c, task);
    merge_axes(&c);
    widen_item(&c);
    if (c.rank == 0) {
        memmove(c.to, c.from, (size_t)c.item);
        return ASH_OK;
    }
    choose_method(&c);
    choose_cut(&c, elements);
    if (c.parts > 1)
        ash__parallel(c.parts, copy_part, &c);
    else
        copy_axes(&c, c.to, c.from);
    return ASH_OK;
}
