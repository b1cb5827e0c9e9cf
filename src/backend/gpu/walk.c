/*
 * walk.c - what the kernels of a task walk over: its spans, its axes in the order of memory, and the parameters that say so.
 *
 * Spans are places in memory: byte offsets, in 32 bits where all of them fit. What differs from call to call is in the
 * parameters, and what a compiler should know is in the text.
 */
#include "backend/gpu/walk.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/settings.h"

enum { FIRST_TEXT = 16 * 1024 }; /* bytes */

/* ---- spans */

const char *ash__gpu_walk_spans(ash__gpu_walk *walk, const ash__task *task)
{
    memset(walk, 0, sizeof *walk);
    if (task->operand_count >= ASH__GPU_SPANS)
        return "the function has too many operands for a kernel";
    walk->operands = (int)task->operand_count;
    walk->form.spans = walk->operands + 1;
    for (int k = 0; k < walk->form.spans; k++) {
        walk->span[k] = k ? &task->operand[k - 1] : &task->out;
        walk->form.scalar[k] = k && !walk->span[k]->buffer;
        if (walk->form.scalar[k] && ash_dtype_size(walk->span[k]->dtype) > 16)
            return "the elements are too large for a kernel";
    }
    return NULL;
}

int ash__gpu_walk_add_span(ash__gpu_walk *walk, const ash__span *span)
{
    if (walk->form.spans == ASH__GPU_SPANS)
        return -1;
    walk->span[walk->form.spans] = span;
    return walk->form.spans++;
}

uint64_t ash__gpu_span_bits(const ash__span *span, int64_t rank)
{
    uint64_t bits = (uint64_t)(uintptr_t)span->data;
    for (int64_t axis = 0; axis < rank; axis++)
        bits |= (uint64_t)ash__gpu_span_stride(span, axis);
    return bits;
}

/* ---- axes */

/* How far apart neighbours lie, over all operands; an axis that none varies along is walked last of all. */
static uint64_t distance(const ash__gpu_walk *walk, int axis)
{
    uint64_t sum = 0;
    for (int k = 1; k <= walk->operands; k++)
        if (!walk->form.scalar[k])
            sum += (uint64_t)llabs(walk->stride[axis][k]);
    return sum ? sum : UINT64_MAX;
}

static bool goes_before(const ash__gpu_walk *walk, int a, int b, ash__gpu_order order)
{
    if (order == ASH__GPU_REVERSED)
        return true;
    if (order == ASH__GPU_BY_OPERANDS)
        return distance(walk, a) > distance(walk, b);
    for (int k = 0; k < walk->form.spans && k < 2 && order == ASH__GPU_BY_RESULT; k++) {
        const int64_t x = llabs(walk->stride[a][k]), y = llabs(walk->stride[b][k]);
        if (x != y)
            return x > y;
    }
    return false;
}

void ash__gpu_swap_axes(int64_t *size, int64_t *stride, int width, int a, int b)
{
    const int64_t kept = size[a];
    size[a] = size[b];
    size[b] = kept;
    for (int k = 0; k < width; k++) {
        const int64_t step = stride[a * width + k];
        stride[a * width + k] = stride[b * width + k];
        stride[b * width + k] = step;
    }
}

int ash__gpu_merge_axes(int64_t *size, int64_t *stride, int width, int spans, int first, int end)
{
    int kept = first;
    for (int axis = first + 1; axis < end; axis++) {
        bool continues = true;
        for (int k = 0; k < spans && continues; k++)
            continues = stride[kept * width + k] == stride[axis * width + k] * size[axis];
        if (continues)
            size[axis] *= size[kept];
        else
            kept++;
        if (kept != axis)
            ash__gpu_swap_axes(size, stride, width, kept, axis);
    }
    return end > first ? kept + 1 : first;
}

int ash__gpu_walk_axes(ash__gpu_walk *walk, const ash__task *task, uint32_t axes, ash__gpu_order order)
{
    const int first = walk->form.rank;
    int end = first;
    for (int64_t axis = 0; axis < task->rank; axis++) {
        if (task->shape[axis] == 1 || !(axes >> axis & 1))
            continue;
        walk->size[end] = task->shape[axis];
        for (int k = 0; k < walk->form.spans; k++)
            walk->stride[end][k] = ash__gpu_span_stride(walk->span[k], axis);
        for (int at = end++; at > first && goes_before(walk, at, at - 1, order); at--)
            ash__gpu_swap_axes(walk->size, walk->stride[0], ASH__GPU_SPANS, at, at - 1);
    }
    walk->form.rank = ash__gpu_merge_axes(walk->size, walk->stride[0], ASH__GPU_SPANS, walk->form.spans, first, end);
    return walk->form.rank - first;
}

uint32_t ash__gpu_fastest_axes(const ash__task *task, uint32_t axes, uint32_t wanted)
{
    int64_t order[ASH_MAX_RANK];
    uint64_t apart[ASH_MAX_RANK] = {0};
    int rank = 0;
    uint32_t fastest = 0;
    for (int64_t axis = 0; axis < task->rank; axis++) {
        if (task->shape[axis] == 1 || !(axes >> axis & 1))
            continue;
        for (int64_t k = 0; k < task->operand_count; k++)
            if (task->operand[k].buffer)
                apart[axis] += (uint64_t)llabs(ash__gpu_span_stride(&task->operand[k], axis));
        apart[axis] = apart[axis] ? apart[axis] : UINT64_MAX;
        int at = rank++;
        for (; at > 0 && apart[order[at - 1]] < apart[axis]; at--)
            order[at] = order[at - 1];
        order[at] = axis;
    }
    while (rank > 0 && wanted >> order[rank - 1] & 1)
        fastest |= (uint32_t)1 << order[--rank];
    return fastest;
}

int64_t ash__gpu_axes_count(const ash__task *task, uint32_t axes)
{
    int64_t n = 1;
    for (int64_t axis = 0; axis < task->rank; axis++)
        n *= axes >> axis & 1 ? task->shape[axis] : 1;
    return n;
}

int64_t ash__gpu_walk_count(const ash__gpu_walk *walk, int first, int count)
{
    int64_t n = 1;
    for (int axis = first; axis < first + count; axis++)
        n *= walk->size[axis];
    return n;
}

void ash__gpu_walk_touch(const ash__gpu_walk *walk, const ash__task *task, ash__gpu_work *work)
{
    for (int k = 0; k < walk->form.spans; k++)
        if (!walk->form.scalar[k])
            ash__gpu_touch(work, walk->span[k], task->shape, task->rank, k == 0 || k > walk->operands);
}

/* ---- the form */

static bool aligned(const ash__gpu_walk *walk, int k, size_t alignment)
{
    uint64_t bits = (uint64_t)(uintptr_t)walk->span[k]->data;
    for (int axis = 0; axis < walk->form.rank; axis++)
        bits |= (uint64_t)walk->stride[axis][k];
    return bits % alignment == 0;
}

static size_t parameter_size(const ash__gpu_walk *walk)
{
    const size_t numbers = (size_t)(walk->form.spans + walk->form.rank + walk->form.rank * walk->form.spans);
    const size_t indices = numbers * (walk->form.wide ? sizeof(int64_t) : sizeof(int32_t));
    return 16 * (size_t)walk->form.spans + (indices + 7) / 8 * 8;
}

const char *ash__gpu_walk_form(ash__gpu_walk *walk, const ash__gpu_work *work, int local, size_t extra)
{
    if (walk->form.rank == 0) {
        walk->size[0] = 1;
        memset(walk->stride[0], 0, sizeof walk->stride[0]);
        walk->form.rank = 1;
    }
    const int last = walk->form.rank - 1;
    walk->form.wide = ash__gpu_wide_setting() || ash__gpu_longest(work) > INT32_MAX - ASH__GPU_ROOM;
    for (int64_t axis = 0, n = 1; axis <= last && !walk->form.wide; axis++) {
        walk->form.wide = walk->size[axis] > (INT32_MAX - ASH__GPU_ROOM) / n;
        n *= walk->form.wide ? 1 : walk->size[axis];
    }
    for (int k = 0; k < walk->form.spans; k++) {
        const int64_t step = walk->stride[last][k];
        walk->form.step[k] = step == 0 || step == (int64_t)ash_dtype_size(walk->span[k]->dtype) ? step : ASH__GPU_ANY;
        walk->form.odd[k] = !walk->form.scalar[k] && !aligned(walk, k, ash__alignment_of(walk->span[k]->dtype));
    }
    walk->form.local = local;
    const size_t room = parameter_size(walk) + 8 * (size_t)(walk->form.spans + walk->form.faults) + extra;
    return room > ASH__GPU_PARAMETERS ? "the shape has too many axes for a kernel" : ash__gpu_unreachable(work);
}

/* ---- parameters */

void ash__gpu_add_index(ash__gpu_parameters *to, int64_t value)
{
    const int32_t narrow = (int32_t)value;
    memcpy(to->bytes + to->length, to->wide ? (const void *)&value : (const void *)&narrow, to->wide ? 8 : 4);
    to->length += to->wide ? 8 : 4;
}

static void align_parameters(ash__gpu_parameters *to)
{
    to->length = (to->length + 7) / 8 * 8;
}

void ash__gpu_add_bytes(ash__gpu_parameters *to, const void *bytes, size_t n)
{
    if (n >= 8)
        align_parameters(to);
    memcpy(to->bytes + to->length, bytes, n);
    to->length += n;
}

void ash__gpu_walk_parameters(const ash__gpu_walk *walk, const ash__gpu_work *work, ash__gpu_parameters *to)
{
    const ash__gpu_form *const form = &walk->form;
    to->wide = form->wide;
    for (int k = 0; k < form->spans; k++) {
        char scalar[16] = {0};
        if (form->scalar[k])
            memcpy(scalar, walk->span[k]->data, ash_dtype_size(walk->span[k]->dtype));
        ash__gpu_add_bytes(to, scalar, sizeof scalar);
    }
    for (int k = 0; k < form->spans; k++)
        ash__gpu_add_index(to, form->scalar[k] ? 0 : ash__gpu_place_of(work, walk->span[k]).start);
    for (int axis = 0; axis < form->rank; axis++)
        ash__gpu_add_index(to, walk->size[axis]);
    for (int axis = 0; axis < form->rank; axis++)
        for (int k = 0; k < form->spans; k++)
            ash__gpu_add_index(to, form->scalar[k] ? 0 : walk->stride[axis][k]);
    align_parameters(to);
}

ash_status ash__gpu_walk_launch(const ash__gpu_walk *walk, ash__gpu_work *work, const char *text, ash__launch launch,
                                void *const more[2], const ash__gpu_parameters *with)
{
    void *memory[ASH__GPU_SPANS + 3];
    launch.memories = 0;
    for (int k = 0; k < walk->form.spans; k++)
        if (!walk->form.scalar[k])
            memory[launch.memories++] = ash__gpu_place_of(work, walk->span[k]).memory;
    if (walk->form.faults)
        memory[launch.memories++] = walk->fault;
    for (int k = 0; k < 2; k++)
        if (more[k])
            memory[launch.memories++] = more[k];
    launch.memory = memory;
    launch.parameters = with->bytes;
    launch.nbytes = with->length;
    return ash__gpu_launch(work, text, &launch);
}

/* ---- text */

char *ash__gpu_text_of(const char *function, ash__gpu_put *put, const void *context)
{
    for (size_t room = FIRST_TEXT;;) {
        ash__text text = {ash__alloc(function, 1, room), room, 0};
        if (!text.buffer)
            return NULL;
        put(&text, context);
        if (text.length < room)
            return text.buffer;
        ash__free(text.buffer);
        room = text.length + 1;
    }
}

ash_status ash__gpu_launch_text(ash__gpu_work *w, ash__gpu_put *put, const void *context, const ash__launch *launch)
{
    char *const text = ash__gpu_text_of(w->function, put, context);
    if (!text)
        return ASH_ERR_MEMORY;
    const ash_status status = ash__gpu_launch(w, text, launch);
    ash__free(text);
    return status;
}

ash_status ash__gpu_work_run(ash__gpu_work *w, ash__gpu_put *put, ash__gpu_launcher *launch, void *context)
{
    char *const text = ash__gpu_text_of(w->function, put, context);
    if (!text)
        return ASH_ERR_MEMORY;
    ash_status status = ash__gpu_work_begin(w);
    if (!status)
        status = launch(context, text);
    ash__free(text);
    return ash__gpu_work_end(w, status);
}

typedef struct faulting {
    ash__gpu_walk *walk;
    ash__gpu_work *work;
    const ash__task *task;
    ash__gpu_put *put;
    ash__gpu_launcher *launch;
    void *context;
} faulting;

static void put_faulting(ash__text *text, const void *context)
{
    const faulting *const f = context;
    f->put(text, f->context);
}

static ash_status launch_faulting(void *context, const char *text)
{
    const faulting *const f = context;
    uint32_t faults = 0;
    ash_status status = ash__gpu_upload(f->work, &faults, sizeof faults, &f->walk->fault);
    if (!status)
        status = f->launch(f->context, text);
    if (!status)
        status = ash__gpu_fetch(f->work, f->walk->fault, 0, &faults, sizeof faults);
    return status ? status : ash__task_fault(f->task, (int)faults);
}

ash_status ash__gpu_walk_run(ash__gpu_walk *walk, ash__gpu_work *w, const ash__task *task, ash__gpu_put *put,
                             ash__gpu_launcher *launch, void *context)
{
    faulting f = {walk, w, task, put, launch, context};
    return walk->form.faults ? ash__gpu_work_run(w, put_faulting, launch_faulting, &f)
                             : ash__gpu_work_run(w, put, launch, context);
}

/* ---- shapes */

bool ash__gpu_one_by_one(const ash__gpu *gpu)
{
    const char *const word = ash__gpu_shape_setting();
    if (gpu->warp) /* kernels for processors are in OpenCL C's vectors */
        return false;
    return word ? strcmp(word, "cpu") == 0 : gpu->processor;
}

int ash__gpu_warp(const ash__gpu *gpu)
{
    enum { USUAL = 32 };
    const char *const word = ash__gpu_shape_setting();
    return word && strcmp(word, "warp") == 0 ? USUAL : ash__gpu_one_by_one(gpu) ? 0 : gpu->warp;
}
