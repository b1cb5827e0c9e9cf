/*
 * fourier.c - Fourier transforms on a device: blocks of lines side by side, all passes of a line in one launch.
 *
 * A long transform, or one that is alone, is n = first * second: the columns of a matrix of so many rows, then its rows. A
 * length with a prime factor above 31 becomes a convolution (L. I. Bluestein, 1970) of a power of 2. Transforms backward are
 * forward ones of numbers whose parts are exchanged. Real numbers are transformed as complex ones.
 *
 * A library of the device's maker leaves out the scale, and of a half spectrum the copying: it may write what it reads.
 */
#include "backend/fourier.h"

#include <string.h>

#include "backend/gpu/dense.h"
#include "backend/gpu/fourier_tables.h"
#include "core/shape.h"

enum {
    GROUP = 64,             /* work-items */
    LANES_BYTES = 64,       /* of a row of a block, by items alone */
    LONGEST = 2048,         /* line that is not cut, by items alone */
    ROOM_BYTES = 4096,      /* of one plane of one block in shared memory */
    LONGEST_PART = 1 << 16, /* of a line that is cut */
    SHORT = 64,             /* never cut */
    LARGEST_RADIX = 31,
    MIDDLE_BYTES = 64 << 20, /* between the halves of lines that are cut */
    ITEMS = 4,               /* alone, for a unit of the device */
    TABLES = 6,
    BLOCKS = 2, /* WORK and MIDDLE */
    COPIED = 64 /* numbers of a line that is only copied */
};

/* Structs of kernel text. */
typedef struct side {
    int64_t step, base, span, per_line, per_k, count;
    int32_t kind, unused;
} side;
typedef struct pass {
    int32_t radix, before, table;
} pass;
typedef struct parameters {
    ash__gpu_batch at;
    side from, to;
    int64_t n, whole, lines, inner, first;
    uint64_t scale;
    int64_t fine;
    int32_t groups, passes, swaps, pre, post, twist, by_line, plain;
    pass pass[ASH__GPU_PASSES];
} parameters;

enum { SWAP_FIRST = 1, SWAP_IN = 2, SWAP_OUT = 4, SWAP_LAST = 8 };

/* Numbers of all transforms, where they lie. */
typedef struct place {
    void *memory;
    int64_t step, base, span;
    int32_t kind;
    int64_t count;
} place;

typedef struct fourier {
    ash__gpu_work work;
    const ash__task *task;
    ash_dtype part;
    bool alone;
    ash__gpu_batch at;
    int64_t transforms;
    int64_t across[2]; /* bytes from one transform to the next, of out and operand, about */
    int tables;
    struct {
        ash__roots what;
        void *memory;
    } table[TABLES]; /* that are there */
    struct {
        size_t nbytes;
        void *memory;
    } block[BLOCKS]; /* of working memory that stages use one after the other */
} fourier;

/* One stage: all transforms of length n from one place to another, or the part `members` of them. */
typedef struct stage {
    place from, to;
    int64_t n, whole, first, members; /* whole: n, or the length that was padded to n */
    int32_t swaps;
    void *pre, *post;
    double scale;
} stage;

static int64_t item(const fourier *f)
{
    return (int64_t)ash_dtype_size(f->part);
}

/* ---- lengths */

/* The radices of an easy length, at most 16 of them; 0: it is not easy. */
static int factor(int64_t n, int64_t radix[ASH__GPU_PASSES])
{
    static const int64_t first[] = {8, 4, 2};
    int count = 0;
    for (int k = 0; k < 3; k++)
        while (n % first[k] == 0 && count < ASH__GPU_PASSES) {
            radix[count++] = first[k];
            n /= first[k];
        }
    for (int64_t p = 3; p <= LARGEST_RADIX && n > 1; p += 2)
        while (n % p == 0 && count < ASH__GPU_PASSES) {
            radix[count++] = p;
            n /= p;
        }
    return n == 1 ? count : 0;
}

static bool is_easy(int64_t n)
{
    for (int64_t p = 2; p <= LARGEST_RADIX; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

/* The divisor of n nearest below its root. */
static int64_t half_of(int64_t n)
{
    int64_t d = 1;
    while ((d + 1) * (d + 1) <= n)
        d++;
    while (n % d)
        d--;
    return d;
}

static int lanes(const fourier *f)
{
    return LANES_BYTES / (int)item(f);
}

static int64_t longest(const fourier *f)
{
    return f->alone ? LONGEST : ROOM_BYTES / item(f);
}

/* ---- text */

typedef struct form {
    const fourier *f;
    const parameters *p;
    int width, room; /* room 0: in working memory */
} form;

static bool has(const parameters *p, int low, int high)
{
    for (int k = 0; k < p->passes; k++)
        if (p->pass[k].radix >= low && p->pass[k].radix <= high)
            return true;
    return false;
}

static void put_lines(ash__text *text, const void *context)
{
    static const int radices[] = {2, 4, 8, 3, 5};
    const form *const m = context;
    const fourier *const f = m->f;
    const bool wanted[] = {true, true, true, has(m->p, 3, 3), has(m->p, 5, 5)};
    ash__gpu_put_dense(text, f->work.resources->device);
    ash__put(text, "typedef %s W;\n#define WIDTH %d\n#define LOCAL %d\n#define ROOM %d\n#define Q %s\n", ash__gpu_type(f->part),
             m->width, f->alone ? 1 : GROUP, m->room, m->room ? "SHARED_WORD" : "G");
    ash__put(text, "#define GROUP_BARRIER %s\n", f->alone ? "" : m->room ? "BARRIER" : "BARRIER_ALL");
    ash__put(text, "#define HAS_3 %d\n#define HAS_5 %d\n#define HAS_ODD %d\n", wanted[3], wanted[4],
             has(m->p, 7, LARGEST_RADIX));
    ash__gpu_put_text(text, ash__gpu_fourier_text);
    for (int k = 0; k < 5; k++)
        if (wanted[k]) {
            ash__put(text, "#define PASS pass_%d\n#define RADIX %d\n#define FORM FORM_%d\n", radices[k], radices[k],
                     radices[k]);
            ash__gpu_put_text(text, ash__gpu_fourier_pass_text);
        }
    ash__gpu_put_text(text, ash__gpu_fourier_lines_text);
}

/* ---- memory */

enum { WORK, MIDDLE };

static ash_status table_of(fourier *f, const ash__roots *what, void **memory)
{
    for (int k = 0; k < f->tables; k++)
        if (memcmp(&f->table[k].what, what, sizeof *what) == 0) {
            *memory = f->table[k].memory;
            return ASH_OK;
        }
    const ash_status status = ash__roots_upload(&f->work, what, memory);
    if (!status && f->tables < TABLES) {
        f->table[f->tables].what = *what;
        f->table[f->tables++].memory = *memory;
    }
    return status;
}

static ash_status block_of(fourier *f, int which, int64_t nbytes, void **memory)
{
    if (f->block[which].nbytes < (size_t)nbytes) {
        const ash_status status = ash__gpu_scratch(&f->work, (size_t)nbytes, &f->block[which].memory);
        f->block[which].nbytes = status ? 0 : (size_t)nbytes;
        if (status)
            return status;
    }
    *memory = f->block[which].memory;
    return ASH_OK;
}

/* ---- launches */

static ash__roots set_passes(const fourier *f, parameters *p)
{
    ash__roots roots = {.kind = ASH__ROOTS_PASSES, .wide = f->part == ASH_F64};
    p->passes = roots.passes = factor(p->n, roots.radix);
    int64_t before = 1, at = 0;
    for (int k = 0; k < p->passes; k++) {
        p->pass[k] = (pass){(int32_t)roots.radix[k], (int32_t)before, (int32_t)at};
        roots.before[k] = before;
        at += (roots.radix[k] - 1) * before + roots.radix[k];
        before *= roots.radix[k];
    }
    return roots;
}

static side side_of(const place *at, int64_t per_line, int64_t per_k)
{
    return (side){.step = at->step,
                  .base = at->base,
                  .span = at->span,
                  .per_line = per_line,
                  .per_k = per_k,
                  .count = at->count,
                  .kind = at->kind};
}

static void set_scale(const fourier *f, parameters *p, double scale)
{
    const float narrow = (float)scale;
    p->scale = 0;
    memcpy(&p->scale, f->part == ASH_F64 ? (const void *)&scale : (const void *)&narrow, (size_t)item(f));
}

/* Which of reading and writing are only that: 1, 2. */
static int32_t plain_sides(const parameters *p)
{
    const bool reads =
        p->from.kind == 0 && !p->pre && p->from.count >= (p->whole > p->n * p->inner ? p->whole : p->n * p->inner);
    const bool writes = p->to.kind == 0 && !p->post && !p->twist && p->to.count >= p->n * p->inner;
    return (reads ? 1 : 0) + (writes ? 2 : 0);
}

/* The lines of p. `table`: of its passes; `twist`: another one, or NULL. */
static ash_status launch_with(fourier *f, parameters *p, const stage *s, void *to, void *from, void *table, void *twist)
{
    void *work = NULL;
    form m = {f, p, lanes(f), 0};
    if (!f->alone) {
        m.room = p->n <= longest(f) ? (int)longest(f) : 0;
        while (m.width > 1 && (m.width * p->n > longest(f) || m.width / 2 >= p->lines))
            m.width /= 2;
    }
    const int64_t blocks = ash__gpu_parts(p->lines, m.width), most = f->alone ? ITEMS * f->work.gpu->units : 64;
    p->groups = (int32_t)(m.room ? (blocks < 65535 ? blocks : 65535) : blocks < most ? blocks : most);
    p->plain = plain_sides(p);
    ash_status status = m.room ? ASH_OK : block_of(f, WORK, p->groups * 4 * p->n * m.width * item(f), &work);
    void *const memory[] = {
        to, from, table, s->pre ? s->pre : table, s->post ? s->post : table, twist ? twist : table, work ? work : table};
    const size_t local = f->alone ? 1 : GROUP;
    if (!status)
        status = ash__gpu_launch_text(&f->work, put_lines, &m,
                                      &(ash__launch){.global = {(size_t)p->groups * local, 1},
                                                     .local = local,
                                                     .memories = 7,
                                                     .memory = memory,
                                                     .parameters = p,
                                                     .nbytes = sizeof *p});
    return status;
}

/* The same of all but the passes. */
static ash_status launch_lines(fourier *f, parameters *p, const stage *s, void *to, void *from, void *twist)
{
    void *table;
    const ash__roots roots = set_passes(f, p);
    const ash_status status = table_of(f, &roots, &table);
    return status ? status : launch_with(f, p, s, to, from, table, twist);
}

static parameters parameters_of(const fourier *f, const stage *s)
{
    return (parameters){.at = f->at, .whole = s->whole, .inner = 1, .first = s->first};
}

static ash_status run_whole(fourier *f, const stage *s)
{
    parameters p = parameters_of(f, s);
    p.n = s->n;
    p.lines = s->members;
    p.from = side_of(&s->from, 0, 1);
    p.to = side_of(&s->to, 0, 1);
    p.swaps = s->swaps;
    p.pre = s->pre != NULL;
    p.post = s->post != NULL;
    p.by_line = (s->from.span || f->across[1] > s->from.step) + 2 * (s->to.span || f->across[0] > s->to.step);
    set_scale(f, &p, s->scale);
    return launch_lines(f, &p, s, s->to.memory, s->from.memory, NULL);
}

/* Columns from the place to the middle, then rows from there, of some members at once. */
static ash_status run_cut(fourier *f, const stage *s, void *middle, void *twist, int64_t fine)
{
    const int64_t first = half_of(s->n), second = s->n / first;
    const int64_t span = s->n * 2 * item(f);
    const place between = {.memory = middle, .step = 2 * item(f), .base = -s->first * span, .span = span, .count = s->n};
    parameters p = parameters_of(f, s);
    p.n = first;
    p.inner = second;
    p.lines = s->members * second;
    p.first = s->first * second;
    p.from = side_of(&s->from, 1, second);
    p.to = side_of(&between, 1, second);
    p.swaps = s->swaps & (SWAP_FIRST | SWAP_IN);
    p.pre = s->pre != NULL;
    p.twist = 1;
    p.fine = fine;
    set_scale(f, &p, 1);
    ash_status status = launch_lines(f, &p, s, middle, s->from.memory, twist);
    p.n = second;
    p.inner = first;
    p.lines = s->members * first;
    p.first = s->first * first;
    p.from = side_of(&between, second, 1);
    p.to = side_of(&s->to, 1, first);
    p.swaps = s->swaps & (SWAP_OUT | SWAP_LAST);
    p.pre = 0;
    p.post = s->post != NULL;
    p.twist = 0;
    p.by_line = 1;
    set_scale(f, &p, s->scale);
    return status ? status : launch_lines(f, &p, s, s->to.memory, middle, NULL);
}

static bool is_cut(const fourier *f, int64_t n, int64_t members)
{
    if (n <= SHORT || half_of(n) == 1)
        return false;
    return n > longest(f) || (f->alone && members < lanes(f));
}

/* How many members to do at once where each takes so many complex numbers of working memory. */
static int64_t members_of(const fourier *f, int64_t members, int64_t each)
{
    const int64_t fit = MIDDLE_BYTES / (each * 2 * item(f));
    return fit < 1 ? 1 : fit < members ? fit : members;
}

/* A stage of an easy length. */
static ash_status run_stage(fourier *f, const stage *s)
{
    stage part = *s;
    void *middle, *twist;
    if (!is_cut(f, s->n, s->members))
        return run_whole(f, s);
    int64_t fine = 0;
    while (INT64_C(1) << 2 * fine < s->n)
        fine++;
    const ash__roots roots = {.kind = ASH__ROOTS_TWIST, .wide = f->part == ASH_F64, .n = s->n, .fine = INT64_C(1) << fine};
    const int64_t most = members_of(f, s->members, s->n), end = s->first + s->members;
    ash_status status = table_of(f, &roots, &twist);
    if (!status)
        status = block_of(f, MIDDLE, most * s->n * 2 * item(f), &middle);
    for (; part.first < end && !status; part.first += most) {
        part.members = end - part.first < most ? end - part.first : most;
        status = run_cut(f, &part, middle, twist, fine);
    }
    return status;
}

/* ---- other lengths */

static ash_status run_padded(fourier *f, const stage *s)
{
    int64_t padded = 1;
    void *chirp, *kernel, *spectrum, *middle;
    while (padded < 2 * s->n - 1)
        padded *= 2;
    const int32_t wide = f->part == ASH_F64;
    const ash__roots chirps = {.kind = ASH__ROOTS_CHIRP, .wide = wide, .n = s->n};
    const ash__roots kernels = {.kind = ASH__ROOTS_KERNEL, .wide = wide, .n = s->n, .padded = padded};
    const int64_t bytes = padded * 2 * item(f), most = members_of(f, s->members, padded), end = s->first + s->members;
    ash_status status = ash__roots_upload(&f->work, &chirps, &chirp);
    if (!status)
        status = ash__roots_upload(&f->work, &kernels, &kernel);
    if (!status)
        status = ash__gpu_scratch(&f->work, (size_t)bytes, &spectrum);
    if (!status)
        status = ash__gpu_scratch(&f->work, (size_t)(bytes * most), &middle);
    if (status)
        return status;
    place between = {.memory = kernel, .step = 2 * item(f), .span = bytes, .count = padded};
    stage first = {.from = between, .to = between, .n = padded, .whole = padded, .members = 1, .scale = 1};
    stage in = {.from = s->from,
                .n = padded,
                .whole = s->n,
                .pre = chirp,
                .post = spectrum,
                .swaps = s->swaps & SWAP_FIRST,
                .scale = 1};
    stage out = {.to = s->to,
                 .n = padded,
                 .whole = padded,
                 .post = chirp,
                 .swaps = SWAP_IN | SWAP_OUT | (s->swaps & SWAP_LAST),
                 .scale = s->scale / (double)padded};
    first.to.memory = spectrum;
    between.memory = middle;
    status = run_stage(f, &first);
    for (int64_t at = s->first; at < end && !status; at += most) {
        between.base = -at * bytes;
        in.to = out.from = between;
        in.first = out.first = at;
        in.members = out.members = end - at < most ? end - at : most;
        status = run_stage(f, &in);
        if (!status)
            status = run_stage(f, &out);
    }
    return status;
}

/* ---- by the library of the device's maker */

/* The batch over `at`, no transform: numbers from one place to another, scaled. */
static ash_status run_copy(fourier *f, const stage *s, const ash__gpu_batch *at)
{
    parameters p = parameters_of(f, s);
    p.at = *at;
    p.n = s->to.count < COPIED ? s->to.count : COPIED;
    p.inner = ash__gpu_parts(s->to.count, p.n);
    p.lines = s->members * p.inner;
    p.from = side_of(&s->from, 1, p.inner);
    p.to = side_of(&s->to, 1, p.inner);
    set_scale(f, &p, s->scale);
    return launch_with(f, &p, s, s->to.memory, s->from.memory, s->from.memory, NULL);
}

static int64_t half_bytes(const fourier *f, const stage *s)
{
    return (s->n / 2 + 1) * 2 * item(f) * s->members;
}

/* A half spectrum to memory that may be written, where members lie one after the other. */
static ash_status copy_half(fourier *f, const stage *s, void **memory)
{
    const int64_t count = s->n / 2 + 1, span = count * 2 * item(f);
    stage copy = *s;
    const ash_status status = ash__gpu_scratch(&f->work, (size_t)half_bytes(f, s), memory);
    copy.to = (place){.memory = *memory, .step = 2 * item(f), .span = span, .count = count};
    return status ? status : run_copy(f, &copy, &f->at);
}

static ash_status scale_result(fourier *f, const stage *s)
{
    ash__gpu_batch at = f->at;
    stage scaled = *s;
    scaled.from = s->to;
    at.start[1] = at.start[0];
    for (int axis = 0; axis < at.axes; axis++)
        at.stride[axis][1] = at.stride[axis][0];
    return run_copy(f, &scaled, &at);
}

/* What the library is to do: a call for all members along one axis of the batch, as many calls as the others have. */
typedef struct errand {
    ash__dft what;
    ash__gpu_batch at;
    int axis; /* -1: there is one transform */
} errand;

/* Side k of numbers of so many bytes; false: it does not lie in whole numbers, a step is not forward, or not all calls begin
 * where complex ones may. */
static bool set_side(const fourier *f, const errand *t, int k, const place *at, int64_t size, ash__dft_side *to)
{
    const int64_t each = t->axis < 0 ? size : t->at.stride[t->axis][k];
    for (int axis = 0; axis < t->at.axes; axis++)
        if (axis != t->axis && t->at.stride[axis][k] % (2 * item(f)))
            return false;
    *to = (ash__dft_side){.memory = at->memory, .start = t->at.start[k], .step = at->step / size, .each = each / size};
    return at->step > 0 && each > 0 && at->step % size == 0 && each % size == 0;
}

/* By calls along t->axis; false: it cannot be done so. */
static bool set_calls(const fourier *f, const stage *s, errand *t)
{
    const struct ash__fourier *const what = f->task->fourier;
    const int64_t size = 2 * item(f);
    const bool half = what->kind == ASH__FOURIER_HALF;
    const place from = half ? (place){.step = size} : s->from; /* half: of the copy */
    const int64_t calls = f->transforms / (t->axis < 0 ? 1 : t->at.size[t->axis]);
    t->what = (ash__dft){.kind = (int)what->kind,
                         .wide = f->part == ASH_F64,
                         .backward = what->backward,
                         .n = what->n,
                         .count = f->transforms / calls,
                         .calls = calls,
                         .copied = half ? half_bytes(f, s) : 0};
    return set_side(f, t, 0, &s->to, half ? item(f) : size, &t->what.to) &&
           set_side(f, t, 1, &from, what->kind == ASH__FOURIER_REAL ? item(f) : size, &t->what.from);
}

/* With as few calls as can be. */
static bool set_errand(const fourier *f, const stage *s, errand *best)
{
    const struct ash__fourier *const what = f->task->fourier;
    errand t = {.at = f->at, .axis = -1};
    bool found = false;
    if (what->kind == ASH__FOURIER_HALF) { /* as copy_half lays it */
        int64_t each = 2 * item(f) * (what->n / 2 + 1);
        t.at.start[1] = 0;
        for (int axis = t.at.axes; axis-- > 0; each *= t.at.size[axis])
            t.at.stride[axis][1] = each;
    }
    for (t.axis = t.at.axes - 1; t.axis >= (t.at.axes ? 0 : -1); t.axis--)
        if (set_calls(f, s, &t) && (!found || t.what.calls < best->what.calls)) {
            *best = t;
            found = true;
        }
    return found;
}

static void set_starts(errand *t, int64_t call)
{
    ash__dft_side *const sides[] = {&t->what.to, &t->what.from};
    for (int k = 0; k < 2; k++)
        sides[k]->start = t->at.start[k];
    for (int axis = t->at.axes; axis-- > 0;) {
        if (axis == t->axis)
            continue;
        for (int k = 0; k < 2; k++)
            sides[k]->start += call % t->at.size[axis] * t->at.stride[axis][k];
        call /= t->at.size[axis];
    }
}

static ash_status run_calls(fourier *f, const stage *s, errand *t, size_t nbytes)
{
    const bool half = t->what.kind == ASH__FOURIER_HALF;
    ash_status status = ash__gpu_scratch(&f->work, nbytes, &t->what.work);
    if (!status && half)
        status = copy_half(f, s, &t->what.from.memory);
    for (int64_t call = 0; call < t->what.calls && !status; call++) {
        set_starts(t, call);
        status = ash__gpu_dft(&f->work, &t->what);
    }
    return status || half || s->scale == 1 ? status : scale_result(f, s);
}

/* false: it is for our kernels. */
static bool run_theirs(fourier *f, const stage *s, ash_status *status)
{
    errand t;
    size_t nbytes = 0;
    const bool can = set_errand(f, s, &t);
    if (!ash__gpu_dft_room(&f->work, can ? &t.what : NULL, &nbytes, status))
        return false;
    if (!*status)
        *status = run_calls(f, s, &t, nbytes);
    return true;
}

/* ---- the task */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* The transforms are a batch over all axes but one. */
static const char *set_batch(fourier *f)
{
    const ash__task *const t = f->task;
    int64_t shape[ASH_MAX_RANK], stride[2][ASH_MAX_RANK], rank = 0;
    ash__span span[2] = {t->out, t->operand[0]};
    for (int64_t k = 0; k < t->rank; k++)
        if (k != t->axis) {
            shape[rank] = t->shape[k];
            stride[0][rank] = t->out.stride[k];
            stride[1][rank++] = t->operand[0].stride[k];
        }
    span[0].stride = stride[0];
    span[1].stride = stride[1];
    f->transforms = ash__count(shape, rank);
    const char *const why = ash__gpu_batch_set(&f->at, shape, rank, 2, (const ash__span *const[]){&span[0], &span[1]});
    for (int k = 0; k < 2 && !why; k++)
        f->across[k] = f->at.axes ? magnitude(f->at.stride[f->at.axes - 1][k]) : INT64_MAX;
    return why;
}

static void touch(fourier *f)
{
    const ash__task *const t = f->task;
    int64_t shape[ASH_MAX_RANK];
    memcpy(shape, t->shape, (size_t)t->rank * sizeof *shape);
    ash__gpu_touch(&f->work, &t->operand[0], shape, t->rank, false);
    shape[t->axis] = t->fourier->kind == ASH__FOURIER_REAL ? t->fourier->n / 2 + 1 : t->fourier->n;
    ash__gpu_touch(&f->work, &t->out, shape, t->rank, true);
}

/* Too long for two halves, or for the tables of a convolution? */
static const char *lacks_length(const fourier *f)
{
    int64_t n = f->task->fourier->n;
    if (!is_easy(n)) {
        if (n > INT64_C(1) << 29)
            return "the transform is too long for a kernel";
        int64_t padded = 1;
        while (padded < 2 * n - 1)
            padded *= 2;
        n = padded;
    }
    if (n > INT64_C(1) << 31 || n / half_of(n) > LONGEST_PART)
        return "the transform is too long for a kernel";
    return NULL;
}

static const char *lacks(fourier *f)
{
    const ash__task *const t = f->task;
    if (!ash__gpu_span_aligned(&t->out, t->rank) || !ash__gpu_span_aligned(&t->operand[0], t->rank))
        return "elements lie at odd addresses";
    const char *why = lacks_length(f);
    if (!why)
        why = set_batch(f);
    if (why)
        return why;
    touch(f);
    return ash__gpu_unreachable(&f->work);
}

static ash_status transform(fourier *f)
{
    const ash__task *const t = f->task;
    const struct ash__fourier *const what = t->fourier;
    const ash__gpu_place to = ash__gpu_place_of(&f->work, &t->out), from = ash__gpu_place_of(&f->work, &t->operand[0]);
    f->at.start[0] = to.start;
    f->at.start[1] = from.start;
    const int64_t out_count = what->kind == ASH__FOURIER_REAL ? what->n / 2 + 1 : what->n;
    const stage all = {.from = {.memory = from.memory,
                                .step = t->operand[0].stride[t->axis],
                                .count = what->n,
                                .kind = what->kind == ASH__FOURIER_REAL   ? 1
                                        : what->kind == ASH__FOURIER_HALF ? 2
                                                                          : 0},
                       .to = {.memory = to.memory,
                              .step = t->out.stride[t->axis],
                              .count = out_count,
                              .kind = what->kind == ASH__FOURIER_HALF},
                       .n = what->n,
                       .whole = what->n,
                       .members = f->transforms,
                       .swaps = what->backward ? SWAP_FIRST | SWAP_LAST : 0,
                       .scale = what->scale};
    ash_status status;
    if (what->n > 1 && f->work.gpu->driver->dft && run_theirs(f, &all, &status))
        return status;
    return is_easy(what->n) ? run_stage(f, &all) : run_padded(f, &all);
}

ash_status ash__gpu_fourier(ash_resources *resources, const ash__task *task, const char **why)
{
    fourier f = {.work = ash__gpu_work_of(resources, task->function),
                 .task = task,
                 .part = ash__part(task->out.dtype),
                 .alone = ash__gpu_one_by_one(resources->device->state)};
    if (!ash__count(task->shape, task->rank))
        return ASH_OK;
    if ((*why = lacks(&f)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&f.work);
    if (!status)
        status = transform(&f);
    return ash__gpu_work_end(&f.work, status);
}
