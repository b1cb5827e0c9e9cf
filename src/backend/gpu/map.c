/*
 * map.c - out[i] = program(operands[i]), and copies, on the device.
 */
#include <string.h>

#include "backend/gpu/walk.h"
#include "core/alloc.h"
#include "core/error.h"
#include "expr/program.h"

enum {
    LONG_ROW = 256,
    SHORT_ROW = 16,           /* work-items of a group; few different ones, since each is compiled */
    LEAST_TOGETHER = 1 << 16, /* elements of a row: for fewer the kernels that there are will do */
    MOST_TOGETHER = 64        /* instructions of the neighbours that a work-item has */
};

typedef struct plan {
    const ash__task *task;
    const ash_device *device;
    ash__gpu_walk walk;
    int word, words; /* COPY */
    int together;    /* neighbours that a work-item reads and writes at once: kernels/map.c */
    ash__gpu_work work;
} plan;

/* The largest words that elements are made of and lie at. */
static void set_words(plan *p)
{
    const ash__gpu_walk *const walk = &p->walk;
    const size_t size = ash_dtype_size(p->task->out.dtype);
    uint64_t bits = size | 8;
    for (int k = 0; k < 2; k++) {
        bits |= walk->form.scalar[k] ? 0 : (uint64_t)(uintptr_t)walk->span[k]->data;
        for (int axis = 0; axis < walk->form.rank && !walk->form.scalar[k]; axis++)
            bits |= (uint64_t)walk->stride[axis][k];
    }
    p->word = 1 << __builtin_ctzll(bits);
    p->words = (int)(size / (size_t)p->word);
}

/* Do elements lie side by side, so many of them at a multiple of their size? */
static bool lies_together(const plan *p, int k, int together)
{
    const ash__gpu_form *const form = &p->walk.form;
    const size_t size = ash_dtype_size(p->walk.span[k]->dtype);
    /* of the address, and of the place in the memory: a driver may have a copy of it elsewhere */
    uint64_t bits = (uint64_t)(uintptr_t)p->walk.span[k]->data | (uint64_t)ash__gpu_place_of(&p->work, p->walk.span[k]).start;
    for (int axis = 0; axis + 1 < form->rank; axis++)
        bits |= (uint64_t)p->walk.stride[axis][k];
    return form->step[k] == (int64_t)size && bits % (size * (size_t)together) == 0;
}

/* Bytes of the widest element that varies along the last axis; 0 where one is not of 1, 2, 4 or 8. */
static size_t widest(const plan *p)
{
    enum { WIDEST = 8 };
    const ash__gpu_form *const form = &p->walk.form;
    size_t most = 1;
    for (int k = 0; k < form->spans; k++) {
        const size_t size = ash_dtype_size(p->walk.span[k]->dtype);
        if (form->scalar[k] || form->step[k] == 0)
            continue;
        if (size > WIDEST || size & (size - 1))
            return 0;
        most = size > most ? size : most;
    }
    return most;
}

/* As many as 16 bytes hold of the widest, fewer of long functions; 1 where that cannot be or does not pay. */
static int how_many_together(const plan *p)
{
    enum { AT_ONCE = 16 };
    const ash__gpu_form *const form = &p->walk.form;
    const ash__program *const program = p->task->program;
    const int64_t n = p->walk.size[form->rank - 1];
    if (!((const ash__gpu *)p->device->state)->warp || n < LEAST_TOGETHER || (!form->wide && n > INT32_MAX / 2) ||
        p->task->kind != ASH__TASK_MAP || program->copies >= 0 || program->faults || ash__is_record(p->task->out.dtype))
        return 1;
    const size_t size = widest(p);
    int together = size ? AT_ONCE / (int)size : 1;
    while (together > 1 && together * program->count > MOST_TOGETHER)
        together /= 2;
    for (int k = 0; k < form->spans; k++)
        if (!form->scalar[k] && (form->step[k] || k == 0) && !lies_together(p, k, together))
            return 1;
    return together;
}

static int64_t last_size(const ash__gpu_walk *walk)
{
    return walk->form.rank ? walk->size[walk->form.rank - 1] : 1;
}

/* NULL, or why there is no kernel. */
static const char *make_plan(plan *p, const ash__task *task)
{
    const char *why = ash__gpu_walk_spans(&p->walk, task);
    if (!why && task->kind == ASH__TASK_MAP)
        why = ash__gpu_too_long(task->program);
    if (why)
        return why;
    p->task = task;
    p->walk.form.faults = task->kind == ASH__TASK_MAP && task->program->faults;
    ash__gpu_walk_axes(&p->walk, task, UINT32_MAX, ASH__GPU_BY_RESULT);
    ash__gpu_walk_touch(&p->walk, task, &p->work);
    why = ash__gpu_walk_form(&p->walk, &p->work, last_size(&p->walk) >= LONG_ROW ? LONG_ROW : SHORT_ROW, 0);
    if (!why && task->kind == ASH__TASK_COPY)
        set_words(p);
    p->together = why ? 1 : how_many_together(p);
    return why;
}

/* What the result and operands that vary lie in, in between. */
static void put_together(ash__text *text, const plan *p)
{
    const ash__gpu_form *const form = &p->walk.form;
    ash__put(text, "#define TOGETHER %d\n#define EACH_TOGETHER(X)", p->together);
    for (int k = 0; k < form->spans && p->together > 1; k++)
        if (!form->scalar[k] && form->step[k])
            ash__put(text, " X(%d, %d)", k, (int)form->step[k]);
    ash__put(text, "\n");
}

static void put_kernel(ash__text *text, const void *context)
{
    const plan *const p = context;
    const ash__gpu_form *const form = &p->walk.form;
    ash__gpu_put_head(text, p->device->f64, form->wide);
    ash__gpu_put_walk(text, form);
    if (p->task->kind == ASH__TASK_MAP)
        ash__gpu_put_program(text, "element", form, p->task->program, true);
    else
        ash__gpu_put_copy(text, "element", form, p->word, p->words);
    put_together(text, p);
    ash__gpu_put_text(text, ash__gpu_map_text);
}

static ash_status launch(void *context, const char *text)
{
    plan *const p = context;
    const ash__gpu_walk *const walk = &p->walk;
    const int last = walk->form.rank - 1;
    const size_t local = (size_t)walk->form.local;
    ash__gpu_parameters with = {.length = 0};
    ash__gpu_walk_parameters(walk, &p->work, &with);
    const ash__launch l = {.global = {ash__gpu_round_up(ash__ceiling(walk->size[last], p->together), walk->form.local),
                                      (size_t)ash__gpu_walk_count(walk, 0, last)},
                           .local = local};
    return ash__gpu_walk_launch(walk, &p->work, text, l, (void *const[2]){NULL, NULL}, &with);
}

ash_status ash__gpu_map(ash_resources *resources, const ash__task *task, const char **why)
{
    plan p = {.device = resources->device, .work = ash__gpu_work_of(resources, task->function)};
    for (int64_t axis = 0; axis < task->rank; axis++)
        if (task->shape[axis] == 0)
            return ASH_OK;
    if ((*why = make_plan(&p, task)))
        return ASH_OK;
    return ash__gpu_walk_run(&p.walk, &p.work, task, put_kernel, launch, &p);
}
