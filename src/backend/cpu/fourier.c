/*
 * fourier.c - Fourier transforms along an axis: the lines of an array, loaded, transformed and stored.
 *
 * Lines that are dense in memory are transformed where they lie, short ones, turned, as blocks of several. Those that lie side
 * by side, the columns of a matrix, are blocks as they lie; long ones are turned into dense lines and back, a tile at a time,
 * as are all others. Threads share the lines, or the blocks of a line when there is one alone: who does what changes no result.
 */
#include "backend/fourier.h"

#include "backend/cpu/cpu.h"
#include "backend/cpu/fourier.h"
#include "backend/cpu/fourier_real.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

enum {
    TILE_BYTES = 256 << 10, /* of lines turned together */
    TILE_LINES = 16,
    MOST_ROWS = 8192,        /* longer lines side by side are turned and not made blocks of */
    SHORT_ROWS = 255,        /* shorter lines, one behind the other, are turned and made blocks of */
    BLOCK_BYTES = 512 << 10, /* of the planes of a block */
    SHORT_BYTES = 32 << 10   /* and of short lines */
};

typedef struct side {
    char *data;
    int64_t step;   /* bytes along the transformed axis */
    int64_t across; /* to the next line of a group */
    int64_t stride[ASH_MAX_RANK];
    int64_t count; /* numbers in a line */
    int64_t item;  /* bytes of one */
} side;

typedef enum manner { DENSE, BLOCKS, SHORT, TURNED } manner;

typedef struct fourier {
    const ash__task *task;
    const struct ash__fourier *what;
    const ash__transform *t;
    ash__lining lining;
    side in, out;
    int64_t outer[ASH_MAX_RANK], rank; /* groups of lines */
    int64_t groups, across;            /* how many, and lines in each */
    int64_t together, units;           /* lines that are worked on together, and how often that is */
    manner manner;
    int64_t width; /* BLOCKS, SHORT: of a row of a block */
    size_t tile;   /* bytes for a tile of lines, of each side */
    size_t work;   /* of a part */
    int64_t parts;
} fourier;

/* ---- where the lines are */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* The axis along which lines are grouped: where they are closest together. */
static int64_t across_axis(const ash__task *task)
{
    int64_t best = -1;
    for (int64_t k = 0; k < task->rank; k++)
        if (k != task->axis && task->shape[k] > 1 &&
            (best < 0 || magnitude(task->out.stride[k]) + magnitude(task->operand[0].stride[k]) <
                             magnitude(task->out.stride[best]) + magnitude(task->operand[0].stride[best])))
            best = k;
    return best;
}

/* Axes that continue the one across are joined to it: many short lines are then one group. */
static void join_axes(fourier *f, uint32_t *left)
{
    const ash__task *const task = f->task;
    bool found = true;
    while (found) {
        found = false;
        for (int64_t k = 0; k < task->rank; k++)
            if (*left >> k & 1 && task->operand[0].stride[k] == f->in.across * f->across &&
                task->out.stride[k] == f->out.across * f->across) {
                f->across *= task->shape[k];
                *left &= ~(UINT32_C(1) << k);
                found = true;
            }
    }
}

static void find_lines(fourier *f)
{
    const ash__task *const task = f->task;
    const ash__span *const span[2] = {&task->operand[0], &task->out};
    side *const sides[2] = {&f->in, &f->out};
    const int64_t axis = across_axis(task), half = f->what->n / 2 + 1;
    uint32_t left = 0;
    for (int s = 0; s < 2; s++) {
        side *const x = sides[s];
        x->data = span[s]->data;
        x->item = (int64_t)ash_dtype_size(span[s]->dtype);
        x->step = span[s]->stride[task->axis];
        x->across = axis < 0 ? 0 : span[s]->stride[axis];
        x->count = f->what->kind == (s ? ASH__FOURIER_REAL : ASH__FOURIER_HALF) ? half : f->what->n;
    }
    f->across = axis < 0 ? 1 : task->shape[axis];
    for (int64_t k = 0; k < task->rank; k++)
        if (k != task->axis && k != axis && task->shape[k] > 1)
            left |= UINT32_C(1) << k;
    join_axes(f, &left);
    f->groups = 1;
    for (int64_t k = 0; k < task->rank; k++)
        if (left >> k & 1) {
            f->in.stride[f->rank] = task->operand[0].stride[k];
            f->out.stride[f->rank] = task->out.stride[k];
            f->outer[f->rank++] = task->shape[k];
            f->groups *= task->shape[k];
        }
}

/* The first of the lines of a unit, and how many these are. */
static int64_t lines_of(const fourier *f, int64_t unit, const char **from, char **to)
{
    const int64_t tiles = f->units / f->groups, first = unit % tiles * f->together;
    int64_t group = unit / tiles;
    *from = f->in.data + first * f->in.across;
    *to = f->out.data + first * f->out.across;
    for (int64_t k = f->rank; k-- > 0; group /= f->outer[k]) {
        *from += group % f->outer[k] * f->in.stride[k];
        *to += group % f->outer[k] * f->out.stride[k];
    }
    return f->across - first < f->together ? f->across - first : f->together;
}

/* ---- how they are transformed */

static void transform_dense(const fourier *f, const ash__lining *l, const char *from, char *to)
{
    const double scale = f->what->scale;
    if (f->what->kind == ASH__FOURIER_REAL)
        ash__real_forward(l, f->t, from, to, scale);
    else if (f->what->kind == ASH__FOURIER_HALF)
        ash__real_backward(l, f->t, from, to, scale);
    else
        ash__transform_line(l, f->t, (ash__line){(char *)(uintptr_t)from, {NULL, NULL}}, (ash__line){to, {NULL, NULL}},
                            f->what->backward, scale);
}

/* ---- several lines as a block: rows of `width`, of which `lines` count */

static ash__planes exchanged(ash__planes p, bool exchange)
{
    return exchange ? (ash__planes){p.im, p.re} : p;
}

/* From and to the layout of dense lines, one plane at a time: rows of a block are columns there. */
static void turn(const ash__lining *l, ash__planes to, int64_t to_row, ash__planes from, int64_t from_row, int64_t rows,
                 int64_t columns)
{
    const int log = ash__log_of(l->item);
    l->kernels->layout->transpose[log](to.re, to_row * l->item, from.re, from_row * l->item, rows, columns);
    l->kernels->layout->transpose[log](to.im, to_row * l->item, from.im, from_row * l->item, rows, columns);
}

/* rows complex numbers of each line, or pairs of real ones. */
static void load_complex(const fourier *f, const ash__lining *l, const char *from, int64_t rows, int64_t lines, ash__planes a,
                         ash__planes b)
{
    const side *const in = &f->in;
    const int64_t width = f->width, item = l->item;
    if (f->manner == SHORT) {
        l->loops->split(b.re, b.im, rows, from, in->across / (2 * item), lines, rows);
        turn(l, a, width, b, rows, lines, rows);
    } else if (in->item == item) {
        l->loops->copy(a.re, width, from, 2 * in->step / item, 1, rows, lines);
        l->loops->copy(a.im, width, from + in->step, 2 * in->step / item, 1, rows, lines);
    } else
        l->loops->split(a.re, a.im, width, from, in->step / in->item, rows, lines);
}

static void store_complex(const fourier *f, const ash__lining *l, char *to, int64_t rows, int64_t lines, ash__planes x,
                          ash__planes other)
{
    const side *const out = &f->out;
    const int64_t width = f->width, item = l->item;
    const double scale = f->what->scale;
    if (f->manner == SHORT) {
        turn(l, other, rows, x, width, rows, lines);
        l->loops->join(to, out->across / (2 * item), other.re, other.im, rows, scale, lines, rows);
    } else if (out->item == item) {
        l->loops->copy(to, 2 * out->step / item, x.re, width, scale, rows, lines);
        l->loops->copy(to + out->step, 2 * out->step / item, x.im, width, scale, rows, lines);
    } else
        l->loops->join(to, out->step / out->item, x.re, x.im, width, scale, rows, lines);
}

/* Lines of an odd number of real numbers: their imaginary parts are zeros. */
static void load_real(const fourier *f, const ash__lining *l, const char *from, int64_t lines, ash__planes a)
{
    const int64_t n = f->what->n, width = f->width, item = l->item;
    if (f->manner == SHORT)
        l->kernels->layout->transpose[ash__log_of(item)](a.re, width * item, from, f->in.across, lines, n);
    else
        l->loops->copy(a.re, width, from, f->in.step / item, 1, n, lines);
    memset(a.im, 0, (size_t)(n * width * item));
}

static void store_real(const fourier *f, const ash__lining *l, char *to, int64_t lines, const char *x, char *other)
{
    const int64_t n = f->what->n, width = f->width, item = l->item;
    if (f->manner == SHORT) {
        l->kernels->layout->transpose[ash__log_of(item)](other, n * item, x, width * item, n, lines);
        l->loops->copy(to, f->out.across / item, other, n, f->what->scale, lines, n);
    } else
        l->loops->copy(to, f->out.step / item, x, width, f->what->scale, n, lines);
}

/* From the lines to what the passes work on. b: memory for that. */
static void fill(const fourier *f, const ash__lining *l, const char *from, int64_t lines, ash__planes a, ash__planes b)
{
    const ash__fourier_kind kind = f->what->kind;
    const ash__transform *const t = f->t;
    const bool packed = t->form == ASH__FORM_REAL;
    if (kind == ASH__FOURIER_REAL && !packed)
        load_real(f, l, from, lines, a);
    else
        load_complex(f, l, from, kind == ASH__FOURIER_HALF ? f->in.count : t->n, lines, a, b);
    if (kind == ASH__FOURIER_HALF && packed)
        l->loops->pack_rows(a.re, a.im, t->fine_re, t->fine_im, t->n, f->width);
    else if (kind == ASH__FOURIER_HALF)
        ash__real_mirror(l, a, t->n, f->width);
}

/* And from what they give to the lines. */
static void drain(const fourier *f, const ash__lining *l, char *to, int64_t lines, ash__planes x, ash__planes other)
{
    const ash__fourier_kind kind = f->what->kind;
    const ash__transform *const t = f->t;
    const bool packed = t->form == ASH__FORM_REAL;
    if (kind == ASH__FOURIER_REAL && packed)
        l->loops->unpack_rows(x.re, x.im, t->fine_re, t->fine_im, t->n, f->width);
    if (kind == ASH__FOURIER_HALF && !packed)
        store_real(f, l, to, lines, x.re, other.re);
    else
        store_complex(f, l, to, kind == ASH__FOURIER_REAL ? f->out.count : t->n, lines, x, other);
}

static void transform_block(const fourier *f, const ash__lining *l, const char *from, char *to, int64_t lines)
{
    const ash__transform *const passes = f->t->form == ASH__FORM_REAL ? f->t->first : f->t;
    const size_t plane = f->work / 4;
    const ash__planes first = {l->work, l->work + plane}, second = {first.im + plane, first.im + 2 * plane};
    const bool backward = f->what->backward;
    if (lines < f->width)
        memset(l->work, 0, 2 * plane); /* what lies there may be slow to compute with */
    fill(f, l, from, lines, first, second);
    const ash__planes a = exchanged(first, backward), b = exchanged(second, backward);
    const ash__planes x = exchanged(ash__transform_block(l, passes, a, f->width, a, b, f->width), backward);
    drain(f, l, to, lines, x, x.re == first.re ? second : first);
}

/* ---- lines one by one */

/* Any lines, by way of dense ones. */
static void transform_turned(const fourier *f, const ash__lining *l, const char *from, char *to, int64_t lines)
{
    const ash__layout_table *const layout = l->kernels->layout;
    const side *const in = &f->in, *const out = &f->out;
    const int64_t in_line = in->count * in->item, out_line = out->count * out->item;
    const int in_log = ash__log_of(in->item), out_log = ash__log_of(out->item);
    char *const tile = l->work, *const result = l->work + f->tile;
    ash__lining inner = *l;
    inner.work += 2 * f->tile;
    if (in->across == in->item && lines > 1)
        layout->transpose[in_log](tile, in_line, from, in->step, in->count, lines);
    else
        for (int64_t k = 0; k < lines; k++)
            layout->gather[in_log](tile + k * in_line, from + k * in->across, in->step, in->count);
    for (int64_t k = 0; k < lines; k++)
        transform_dense(f, &inner, tile + k * in_line, result + k * out_line);
    if (out->across == out->item && lines > 1)
        layout->transpose[out_log](to, out->step, result, out_line, lines, out->count);
    else
        for (int64_t k = 0; k < lines; k++)
            layout->scatter[out_log](to + k * out->across, out->step, result + k * out_line, out->count);
}

static void run_part(void *context, int64_t part)
{
    const fourier *const f = context;
    ash__lining l = f->lining;
    l.work += part * (int64_t)f->work;
    const int64_t end = ash__part_start(f->units, part + 1, f->parts);
    for (int64_t unit = ash__part_start(f->units, part, f->parts); unit < end; unit++) {
        const char *from;
        char *to;
        const int64_t lines = lines_of(f, unit, &from, &to);
        if (f->manner == BLOCKS || f->manner == SHORT)
            transform_block(f, &l, from, to, lines);
        else if (f->manner == TURNED)
            transform_turned(f, &l, from, to, lines);
        else
            transform_dense(f, &l, from, to);
    }
}

/* ---- one line by several threads */

typedef struct shared {
    const ash__lining *lining;
    const ash__transform *t; /* of form SPLIT */
    ash__line from, to;
    ash__planes middle;
    bool backward;
    double scale;
    int half;
    int64_t count, parts;
} shared;

static void run_half(void *context, int64_t part)
{
    const shared *const s = context;
    ash__lining l = *s->lining;
    l.work += part * (int64_t)ash__transform_blocks(s->t);
    const int64_t first = ash__part_start(s->count, part, s->parts), end = ash__part_start(s->count, part + 1, s->parts);
    if (s->half)
        ash__transform_rows(&l, s->t, s->middle, s->to, s->backward, s->scale, first, end);
    else
        ash__transform_columns(&l, s->t, s->from, s->backward, s->middle, first, end);
}

static void share_line(shared *s, ash__line from, ash__line to, bool backward, double scale)
{
    s->from = from;
    s->to = to;
    s->backward = backward;
    s->scale = scale;
    for (s->half = 0; s->half < 2; s->half++) {
        s->count = ash__transform_count(s->t, s->half);
        ash__parallel(s->parts, run_half, s);
    }
}

/* As transform_dense; whole: where real numbers are complex ones, in planes. */
static void share_dense(const fourier *f, shared *s, ash__planes whole, const char *from, char *to)
{
    const ash__fourier_loops *const loops = f->lining.loops;
    const ash__transform *const t = f->t;
    const ash__line in = {(char *)(uintptr_t)from, {NULL, NULL}}, out = {to, {NULL, NULL}}, planes = {NULL, whole};
    const double scale = f->what->scale;
    if (f->what->kind == ASH__FOURIER_REAL) {
        share_line(s, in, planes, false, 1);
        loops->unpack(whole.re, whole.im, t->fine_re, t->fine_im, t->n);
        loops->join(to, 0, whole.re, whole.im, 0, scale, 1, t->n + 1);
    } else if (f->what->kind == ASH__FOURIER_HALF) {
        loops->split(whole.re, whole.im, 0, from, 0, 1, t->n + 1);
        loops->pack(whole.re, whole.im, t->fine_re, t->fine_im, t->n);
        share_line(s, planes, out, true, scale);
    } else
        share_line(s, in, out, f->what->backward, scale);
}

/* What is shared: the complex transform in a line's, or NULL when each line is one thread's. */
static const ash__transform *shared_of(const fourier *f, int64_t parts)
{
    const ash__transform *const t = f->t->form == ASH__FORM_REAL ? f->t->first : f->t;
    const bool odd = f->what->kind != ASH__FOURIER_COMPLEX && t == f->t;
    return f->manner == DENSE && f->groups * f->across < parts && t->form == ASH__FORM_SPLIT && !odd ? t : NULL;
}

static size_t shared_work(const ash__transform *t, int64_t parts)
{
    return 4 * ash__transform_middle(t) + (size_t)parts * ash__transform_blocks(t);
}

static void run_shared(fourier *f, const ash__transform *t)
{
    const size_t plane = ash__transform_middle(t);
    char *const work = f->lining.work;
    const ash__planes whole = {work + 2 * plane, work + 3 * plane};
    shared s = {.lining = &f->lining, .t = t, .middle = {work, work + plane}, .parts = f->parts};
    f->lining.work += 4 * plane;
    ash__transform_clear(t, s.middle);
    for (int64_t unit = 0; unit < f->units; unit++) {
        const char *from;
        char *to;
        lines_of(f, unit, &from, &to);
        share_dense(f, &s, whole, from, to);
    }
}

/* ---- a task */

/* Numbers in a row of a block that are transformed: an even number of real ones is half as many complex ones. */
static int64_t rows_of(const struct ash__fourier *what)
{
    return what->kind != ASH__FOURIER_COMPLEX && what->n % 2 == 0 ? what->n / 2 : what->n;
}

/* Can the lines of a side be read as complex numbers, or pairs, from one to the next? */
static bool whole(const fourier *f, const side *x)
{
    const int64_t unit = rows_of(f->what) < f->what->n ? 2 * f->lining.item : x->item;
    return x->across % unit == 0;
}

static manner manner_of(const fourier *f)
{
    const side *const in = &f->in, *const out = &f->out;
    const int64_t rows = rows_of(f->what);
    const bool easy = ash__transform_easy(rows) && f->across > 1;
    if (easy && in->across == in->item && out->across == out->item && rows <= MOST_ROWS && in->step % in->item == 0 &&
        out->step % out->item == 0)
        return BLOCKS;
    if ((in->step != in->item && in->count > 1) || (out->step != out->item && out->count > 1))
        return TURNED;
    return easy && rows <= SHORT_ROWS && whole(f, in) && whole(f, out) ? SHORT : DENSE;
}

static void set_together(fourier *f)
{
    const int64_t lanes = f->t->lanes, rows = rows_of(f->what) + 1, item = f->lining.item;
    if (f->manner == BLOCKS || f->manner == SHORT) {
        f->width = lanes;
        const int64_t most = f->manner == SHORT ? SHORT_BYTES : BLOCK_BYTES;
        while (f->width < f->across && f->width < 8 * lanes && rows * f->width * 8 * item <= most)
            f->width *= 2;
        f->together = f->width;
        f->work = 4 * ash__round_up((size_t)(rows * f->width * item));
        return;
    }
    const int64_t longer =
        f->in.count * f->in.item > f->out.count * f->out.item ? f->in.count * f->in.item : f->out.count * f->out.item;
    f->work = f->what->kind == ASH__FOURIER_COMPLEX ? ash__transform_work(f->t) : ash__real_work(f->t);
    if (f->manner == TURNED) {
        const int64_t most = TILE_BYTES / longer;
        f->together = most < 1 ? 1 : most > TILE_LINES ? TILE_LINES : most;
        f->tile = ash__round_up((size_t)(f->together * longer));
        f->work += 2 * f->tile;
    } else
        f->together = 1;
}

static ash__use use_of(const fourier *f)
{
    const bool packed = rows_of(f->what) < f->what->n;
    if (f->manner == BLOCKS || f->manner == SHORT)
        return packed ? ASH__USE_REAL_BLOCK : ASH__USE_BLOCK;
    return packed ? ASH__USE_REAL : ASH__USE_LINE;
}

static ash_status run(fourier *f)
{
    const int64_t n = f->what->n, lines = f->groups * f->across;
    const int64_t parts = ash__parts_for(lines * (f->in.count * f->in.item + f->out.count * f->out.item), lines * n * 2);
    const ash__transform *const share = shared_of(f, parts);
    set_together(f);
    f->units = f->groups * ((f->across + f->together - 1) / f->together);
    f->parts = share || parts < f->units ? parts : f->units;
    const size_t nbytes = share ? shared_work(share, f->parts) : (size_t)f->parts * f->work;
    char *const work = ash__work_take(f->task, nbytes);
    if (!work)
        return ASH_ERR_MEMORY;
    f->lining.work = work;
    if (share)
        run_shared(f, share);
    else
        ash__parallel(f->parts, run_part, f);
    ash__work_give(f->task, work, nbytes);
    return ASH_OK;
}

ash_status ash__cpu_fourier(const ash__task *task)
{
    if (!ash__count(task->shape, task->rank))
        return ASH_OK;
    const int wide = ash__part(task->operand[0].dtype) == ASH_F64;
    const ash__kernels *const kernels = ash__cpu_kernels();
    fourier f = {.task = task,
                 .what = task->fourier,
                 .lining = {.kernels = kernels, .loops = &kernels->fourier->loops[wide], .item = wide ? 8 : 4}};
    find_lines(&f);
    f.manner = manner_of(&f);
    ash__transform *const t = ash__transform_open(task->function, rows_of(f.what), wide, use_of(&f));
    if (!t)
        return ASH_ERR_MEMORY;
    f.t = t;
    const ash_status status = run(&f);
    ash__transform_close(t);
    return status;
}
