/*
 * map.c - out[i] = program(operands[i]), and copies, on the device.
 *
 * The axes are put in the order of out's strides and merged where all spans allow it. Spans are places in memory: byte
 * offsets, in 32 bits where all of them fit. What differs from call to call is in the parameters, and what a compiler should
 * know is in the text.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/work.h"
#include "core/alloc.h"
#include "core/error.h"
#include "expr/program.h"

enum {
    PARAMETERS = 1000, /* bytes; OpenCL 1.2 promises 1024 with the memories' own */
    LONG_ROW = 256,
    SHORT_ROW = 16, /* work-items of a group; few different ones, since each is compiled */
    COPY_WORDS = 16,
    FIRST_TEXT = 16 * 1024 /* bytes */
};

typedef struct plan {
    const ash__task *task;
    const ash__span *span[ASH__GPU_SPANS];
    ash__gpu_form form;
    int64_t size[ASH_MAX_RANK], stride[ASH_MAX_RANK][ASH__GPU_SPANS];
    int64_t rows;
    int word, words; /* COPY */
    ash__gpu_work work;
} plan;

/* ---- axes */

static int64_t stride_of(const ash__span *span, int64_t axis)
{
    return span->stride ? span->stride[axis] : 0;
}

static bool goes_before(const plan *p, int a, int b) /* by out's strides, the longest first; then by the first operand's */
{
    for (int k = 0; k < p->form.spans && k < 2; k++) {
        const int64_t x = llabs(p->stride[a][k]), y = llabs(p->stride[b][k]);
        if (x != y)
            return x > y;
    }
    return a < b;
}

static void swap_axes(plan *p, int a, int b)
{
    const int64_t size = p->size[a];
    int64_t kept[ASH__GPU_SPANS];
    memcpy(kept, p->stride[a], sizeof kept);
    memcpy(p->stride[a], p->stride[b], sizeof kept);
    memcpy(p->stride[b], kept, sizeof kept);
    p->size[a] = p->size[b];
    p->size[b] = size;
}

static bool continues(const plan *p, int outer, int inner)
{
    for (int k = 0; k < p->form.spans; k++)
        if (p->stride[outer][k] != p->stride[inner][k] * p->size[inner])
            return false;
    return true;
}

static void set_axes(plan *p)
{
    int rank = 0;
    for (int64_t axis = 0; axis < p->task->rank; axis++) {
        if (p->task->shape[axis] == 1)
            continue;
        p->size[rank] = p->task->shape[axis];
        for (int k = 0; k < p->form.spans; k++)
            p->stride[rank][k] = stride_of(p->span[k], axis);
        for (int at = rank++; at > 0 && goes_before(p, at, at - 1); at--)
            swap_axes(p, at, at - 1);
    }
    int kept = 0;
    for (int axis = 1; axis < rank; axis++) {
        if (continues(p, kept, axis)) {
            p->size[axis] *= p->size[kept];
            swap_axes(p, kept, axis);
        } else if (++kept != axis) {
            swap_axes(p, kept, axis);
        }
    }
    if (rank == 0) {
        p->size[0] = 1;
        memset(p->stride[0], 0, sizeof p->stride[0]);
    }
    p->form.rank = kept + 1;
    p->rows = 1;
    for (int axis = 0; axis < kept; axis++)
        p->rows *= p->size[axis];
}

/* ---- memories */

static void touch(plan *p)
{
    for (int k = 0; k < p->form.spans; k++)
        if (!p->form.scalar[k])
            ash__gpu_touch(&p->work, p->span[k], p->task->shape, p->task->rank, k == 0);
}

/* ---- what a kernel can do */

static bool aligned(const plan *p, int k, size_t alignment)
{
    uint64_t bits = (uint64_t)(uintptr_t)p->span[k]->data;
    for (int axis = 0; axis < p->form.rank; axis++)
        bits |= (uint64_t)p->stride[axis][k];
    return bits % alignment == 0;
}

static const char *lacks_words(plan *p)
{
    const size_t size = ash_dtype_size(p->task->out.dtype);
    uint64_t bits = size | 8;
    for (int k = 0; k < 2; k++) {
        bits |= p->form.scalar[k] ? 0 : (uint64_t)(uintptr_t)p->span[k]->data;
        for (int axis = 0; axis < p->form.rank && !p->form.scalar[k]; axis++)
            bits |= (uint64_t)p->stride[axis][k];
    }
    p->word = 1 << __builtin_ctzll(bits);
    p->words = (int)(size / (size_t)p->word);
    return size / (size_t)p->word > COPY_WORDS ? "the elements are too large for a kernel" : NULL;
}

/* A field of a packed record may be at any address; a kernel's loads may not. */
static const char *lacks_alignment(const plan *p)
{
    for (int k = 0; k < p->form.spans; k++)
        if (ash__is_record(p->span[k]->dtype))
            return "no kernel reads records yet";
    for (int k = 0; k < p->form.spans; k++)
        if (!p->form.scalar[k] && !aligned(p, k, ash__alignment_of(p->span[k]->dtype)))
            return "elements lie at odd addresses";
    return NULL;
}

static size_t parameter_size(const plan *p)
{
    const size_t numbers = (size_t)(p->form.spans + p->form.rank + p->form.rank * p->form.spans);
    const size_t indices = numbers * (p->form.wide ? sizeof(int64_t) : sizeof(int32_t));
    return 16 * (size_t)p->form.spans + (indices + 7) / 8 * 8;
}

static const char *lacks_room(const plan *p)
{
    const size_t room = parameter_size(p) + 8 * (size_t)p->form.spans;
    return room > PARAMETERS ? "the shape has too many axes for a kernel" : ash__gpu_unreachable(&p->work);
}

static void set_form(plan *p)
{
    const int last = p->form.rank - 1;
    p->form.wide = p->rows > INT32_MAX || p->size[last] > INT32_MAX - LONG_ROW ||
                   ash__gpu_longest(&p->work) > INT32_MAX - LONG_ROW;
    for (int k = 0; k < p->form.spans; k++) {
        const int64_t step = p->stride[last][k];
        p->form.step[k] = step == 0 || step == (int64_t)ash_dtype_size(p->span[k]->dtype) ? step : ASH__GPU_ANY;
    }
    p->form.local = p->size[last] >= LONG_ROW ? LONG_ROW : SHORT_ROW;
}

/* NULL, or why there is no kernel. */
static const char *make_plan(plan *p, const ash__gpu *gpu, const ash__task *task)
{
    if (task->operand_count >= ASH__GPU_SPANS)
        return "the function has too many operands for a kernel";
    p->task = task;
    p->form.spans = (int)task->operand_count + 1;
    for (int k = 0; k < p->form.spans; k++) {
        p->span[k] = k ? &task->operand[k - 1] : &task->out;
        p->form.scalar[k] = k && !p->span[k]->buffer;
        if (p->form.scalar[k] && ash_dtype_size(p->span[k]->dtype) > 16)
            return "the elements are too large for a kernel";
    }
    const char *why = task->kind == ASH__TASK_MAP ? ash__gpu_lacks(gpu, task->program) : NULL;
    if (why)
        return why;
    set_axes(p);
    touch(p);
    set_form(p);
    why = task->kind == ASH__TASK_MAP ? lacks_alignment(p) : lacks_words(p);
    return why ? why : lacks_room(p);
}

/* ---- launching */

typedef struct parameters {
    _Alignas(8) char bytes[PARAMETERS];
    size_t length;
    bool wide;
} parameters;

static void add_index(parameters *to, int64_t value)
{
    const int32_t narrow = (int32_t)value;
    memcpy(to->bytes + to->length, to->wide ? (const void *)&value : (const void *)&narrow, to->wide ? 8 : 4);
    to->length += to->wide ? 8 : 4;
}

/* The struct `walk` of kernel text. */
static void fill_parameters(const plan *p, parameters *to)
{
    for (int k = 0; k < p->form.spans; k++, to->length += 16)
        if (p->form.scalar[k])
            memcpy(to->bytes + to->length, p->span[k]->data, ash_dtype_size(p->span[k]->dtype));
    for (int k = 0; k < p->form.spans; k++)
        add_index(to, p->form.scalar[k] ? 0 : ash__gpu_place_of(&p->work, p->span[k]).start);
    for (int axis = 0; axis < p->form.rank; axis++)
        add_index(to, p->size[axis]);
    for (int axis = 0; axis < p->form.rank; axis++)
        for (int k = 0; k < p->form.spans; k++)
            add_index(to, p->form.scalar[k] ? 0 : p->stride[axis][k]);
    to->length = (to->length + 7) / 8 * 8;
}

static void put_kernel(ash__text *text, const plan *p, bool f64)
{
    ash__gpu_put_head(text, f64, p->form.wide);
    ash__gpu_put_walk(text, &p->form);
    if (p->task->kind == ASH__TASK_MAP)
        ash__gpu_put_program(text, "element", &p->form, p->task->program, true);
    else
        ash__gpu_put_copy(text, "element", &p->form, p->word, p->words);
    ash__put_bytes(text, ash__gpu_map_text, strlen(ash__gpu_map_text));
}

static char *text_of(const plan *p, const ash_device *device)
{
    for (size_t room = FIRST_TEXT;;) {
        ash__text text = {ash__alloc(p->task->function, 1, room), room, 0};
        if (!text.buffer)
            return NULL;
        put_kernel(&text, p, device->f64);
        if (text.length < room)
            return text.buffer;
        ash__free(text.buffer);
        room = text.length + 1;
    }
}

static ash_status launch_plan(plan *p, const char *text)
{
    const size_t local = (size_t)p->form.local;
    parameters with = {.wide = p->form.wide};
    void *memory[ASH__GPU_SPANS];
    ash__launch launch = {.memory = memory, .local = local, .parameters = with.bytes};
    fill_parameters(p, &with);
    launch.nbytes = with.length;
    launch.global[0] = ((size_t)p->size[p->form.rank - 1] + local - 1) / local * local;
    launch.global[1] = (size_t)p->rows;
    for (int k = 0; k < p->form.spans; k++)
        if (!p->form.scalar[k])
            memory[launch.memories++] = ash__gpu_place_of(&p->work, p->span[k]).memory;
    return ash__gpu_launch(&p->work, text, &launch);
}

ash_status ash__gpu_map(ash_resources *resources, const ash__task *task, const char **why)
{
    plan p = {.work = ash__gpu_work_of(resources, task->function)};
    for (int64_t axis = 0; axis < task->rank; axis++)
        if (task->shape[axis] == 0)
            return ASH_OK;
    if ((*why = make_plan(&p, resources->device->state, task)))
        return ASH_OK;
    char *const text = text_of(&p, resources->device);
    if (!text)
        return ASH_ERR_MEMORY;
    ash_status status = ash__gpu_work_begin(&p.work);
    if (!status)
        status = launch_plan(&p, text);
    ash__free(text);
    return ash__gpu_work_end(&p.work, status);
}
