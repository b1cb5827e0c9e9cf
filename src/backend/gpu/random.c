/*
 * random.c - random numbers on a device: the stream of words is cut where elements begin with a counter, as on the CPU.
 */
#include "backend/random.h"

#include "ashlar/kernel.h"
#include "backend/gpu/dense.h"
#include "core/shape.h"

enum {
    GROUP = 64, /* work-items */
    QUAD = 4,   /* elements that begin with an item of the generator, whatever they need */
    WORDS = 256 /* that an item alone makes */
};

/* The struct `draw` of kernel text. */
typedef struct parameters {
    ash__gpu_batch at;
    int64_t elements, quad, skipped;
    uint64_t call, low, span;
    uint32_t key[2];
    int32_t conjugate, unused;
} parameters;

typedef struct drawing {
    const ash__task *task;
    const ash_device *device;
    ash_dtype part;
    int parts, per; /* numbers an element, words a number */
    bool second, dense, alone;
} drawing;

/* ---- the second generator: each call's key and part of the counter come from the first one */

static void set_counters(parameters *p, const ash__draw *draw)
{
    uint32_t word[4];
    p->key[0] = (uint32_t)draw->seed;
    p->key[1] = (uint32_t)(draw->seed >> 32);
    p->call = draw->call;
    if (draw->kind == ASH_RNG_SECOND) {
        ash_kernel_words(draw->seed, 0, draw->call, word);
        p->key[0] = word[0];
        p->call = word[1];
    }
}

/* ---- text */

static int quads_of(const drawing *d)
{
    const int most = WORDS / (QUAD * d->parts * d->per);
    return d->alone ? most : 1;
}

static void put_random(ash__text *text, const void *context)
{
    const drawing *const d = context;
    const bool floats = ash__is_float(d->part);
    const ash_dtype with = ash__machine(d->part);
    ash__gpu_put_dense(text, d->device);
    ash__put(text, "typedef %s W;\n#define PARTS %d\n#define PER %d\n#define SECOND %d\n#define QUADS %d\n#define LOCAL %d\n",
             ash__gpu_type(with), d->parts, d->per, d->second, quads_of(d), d->alone ? 1 : GROUP);
    ash__put(text, "#define KIND %d\n#define DRAWING %d\n#define DENSE %d\n#define SCALE ((W)%d)\n#define BYTES %d\n",
             floats                ? 2
             : d->part == ASH_BOOL ? 0
                                   : 1,
             (int)d->task->draw->drawing, d->dense, d->parts == 2 ? -1 : -2, (int)ash_dtype_size(d->part));
    ash__gpu_put_writer(text, "STORE", d->part, with);
    ash__gpu_put_text(text, ash__gpu_numbers_text);
    ash__gpu_put_text(text, ash__gpu_random_text);
}

/* ---- the task */

static int words_per_number(const drawing *d)
{
    if (d->task->draw->drawing == ASH__DRAW_RANGE)
        return d->task->draw->span - 1 < UINT64_C(1) << 32 ? 2 : 4;
    return ash_dtype_size(d->part) == 8 ? 2 : 1;
}

static drawing drawing_of(const ash_resources *resources, const ash__task *task)
{
    drawing d = {.task = task,
                 .device = resources->device,
                 .part = ash__part(task->out.dtype),
                 .parts = ash__is_complex(task->out.dtype) ? 2 : 1,
                 .second = task->draw->kind == ASH_RNG_SECOND,
                 .alone = ash__gpu_one_by_one(resources->device->state)};
    d.per = words_per_number(&d);
    return d;
}

/* The axes with the slowest first, in the order of the stream. */
static const char *set_axes(parameters *p, const ash__task *task)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    ash__span out = task->out;
    const ash__span *const spans[] = {&out};
    for (int64_t k = 0; k < task->rank; k++) {
        const int64_t from = task->col_major ? task->rank - 1 - k : k;
        shape[k] = task->shape[from];
        stride[k] = task->out.stride ? task->out.stride[from] : 0;
    }
    out.stride = stride;
    return ash__gpu_batch_set(&p->at, shape, task->rank, 1, spans);
}

static const char *lacks(const drawing *d, parameters *p, ash__gpu_work *w)
{
    const ash__task *const t = d->task;
    if (ash__machine(d->part) == ASH_F32 && !w->gpu->exact_f32)
        return "the device does not round f32 as the CPU does";
    if (!ash__gpu_span_aligned(&t->out, t->rank))
        return "elements lie at odd addresses";
    const char *const why = set_axes(p, t);
    if (why)
        return why;
    ash__gpu_touch(w, &t->out, t->shape, t->rank, true);
    return ash__gpu_unreachable(w);
}

ash_status ash__gpu_random(ash_resources *resources, const ash__task *task, const char **why)
{
    ash__gpu_work w = ash__gpu_work_of(resources, task->function);
    drawing d = drawing_of(resources, task);
    const ash__draw *const draw = task->draw;
    parameters p = {.elements = ash__count(task->shape, task->rank),
                    .quad = draw->first / QUAD,
                    .skipped = draw->first % QUAD,
                    .low = draw->low,
                    .span = draw->span,
                    .conjugate = draw->conjugate};
    if (!p.elements)
        return ASH_OK;
    set_counters(&p, draw);
    if ((*why = lacks(&d, &p, &w)))
        return ASH_OK;
    d.dense = !p.at.axes || (p.at.axes == 1 && p.at.stride[0][0] == (int64_t)ash_dtype_size(task->out.dtype));
    ash_status status = ash__gpu_work_begin(&w);
    const ash__gpu_place place = ash__gpu_place_of(&w, &task->out);
    const size_t local = d.alone ? 1 : GROUP;
    const int64_t units = ash__gpu_parts(p.elements + p.skipped, QUAD * quads_of(&d));
    void *const memory[] = {place.memory};
    p.at.start[0] = place.start;
    if (!status)
        status = ash__gpu_launch_text(&w, put_random, &d,
                                      &(ash__launch){.global = {((size_t)units + local - 1) / local * local, 1},
                                                     .local = local,
                                                     .memories = 1,
                                                     .memory = memory,
                                                     .parameters = &p,
                                                     .nbytes = sizeof p});
    return ash__gpu_work_end(&w, status);
}
