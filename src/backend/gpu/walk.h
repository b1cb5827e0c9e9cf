/*
 * walk.h - what the kernels of a task walk over: its spans, its axes in the order of memory, and the parameters that say so.
 *
 *     ash__gpu_walk walk;
 *     const char *why = ash__gpu_walk_spans(&walk, task);                           the result is span 0, operand k span k + 1
 *     ash__gpu_walk_axes(&walk, task, kept, ASH__GPU_BY_OPERANDS);                  axes come in groups, merged within each
 *     ash__gpu_walk_axes(&walk, task, reduced, ASH__GPU_BY_OPERANDS);
 *     ash__gpu_walk_touch(&walk, task, &work);
 *     why = why ? why : ash__gpu_walk_form(&walk, &work, local, extra);             what is fixed in the text
 *     ... ash__gpu_put_walk(text, &walk.form) ...
 *     ash__gpu_parameters with = {0};
 *     ash__gpu_walk_parameters(&walk, &work, &with);                                the struct `walk` of kernel text
 */
#ifndef ASH__GPU_WALK_H
#define ASH__GPU_WALK_H
#include "backend/gpu/work.h"
#include "core/shape.h"

enum {
    ASH__GPU_PARAMETERS = 1000, /* bytes; OpenCL 1.2 promises 1024 with the memories' own */
    ASH__GPU_ROOM = 256         /* that an index may pass the end by: a group that is not whole */
};

typedef struct ash__gpu_walk {
    const ash__span *span[ASH__GPU_SPANS];
    ash__gpu_form form;
    int operands;                                                             /* spans 1 to this */
    void *fault;                                                              /* form.faults: the word, the driver's */
    int64_t size[ASH_MAX_RANK + 1], stride[ASH_MAX_RANK + 1][ASH__GPU_SPANS]; /* axis 0 is the slowest */
} ash__gpu_walk;

typedef enum ash__gpu_order {
    ASH__GPU_BY_RESULT,   /* by span 0's strides, the longest first; then by the first operand's */
    ASH__GPU_BY_OPERANDS, /* by how far apart neighbours lie over all operands, as the CPU's folds go */
    ASH__GPU_LOGICAL,     /* by number */
    ASH__GPU_REVERSED     /* the same backwards: column-major */
} ash__gpu_order;

static inline int64_t ash__gpu_span_stride(const ash__span *span, int64_t axis)
{
    return span->stride ? span->stride[axis] : 0;
}
/* The bits of a span's address and strides, all of them or-ed: what its elements are aligned to. */
uint64_t ash__gpu_span_bits(const ash__span *span, int64_t rank);

/* Axes as arrays: sizes, and `width` strides for each. Exchanges two of them. */
void ash__gpu_swap_axes(int64_t *size, int64_t *stride, int width, int a, int b);
/* Merges axes first .. end - 1 where the first `spans` strides allow it. Gives the end of those that are left. */
int ash__gpu_merge_axes(int64_t *size, int64_t *stride, int width, int spans, int first, int end);

/* Begins a walk. Why no kernel takes these operands, or NULL. */
const char *ash__gpu_walk_spans(ash__gpu_walk *walk, const ash__task *task);
/* One more span, that the kernel writes: its number in the walk, or -1 where there is no room. */
int ash__gpu_walk_add_span(ash__gpu_walk *walk, const ash__span *span);
/* Appends those of the task's axes whose bit is set as one group: without axes of one element, ordered, merged where all spans
 * allow it. Gives the number of axes that it became. */
int ash__gpu_walk_axes(ash__gpu_walk *walk, const ash__task *task, uint32_t axes, ash__gpu_order order);
/* Of those axes of the task in `axes`, in the order of its operands: the ones at the fast end whose bit is set in `wanted`. */
uint32_t ash__gpu_fastest_axes(const ash__task *task, uint32_t axes, uint32_t wanted);
/* Elements of all those axes of the task. */
int64_t ash__gpu_axes_count(const ash__task *task, uint32_t axes);
/* Positions of axes first .. first + count - 1. */
int64_t ash__gpu_walk_count(const ash__gpu_walk *walk, int first, int count);
/* Tells the work what is read and written: span 0, and spans that were added. */
void ash__gpu_walk_touch(const ash__gpu_walk *walk, const ash__task *task, ash__gpu_work *work);
/* Sets the form: 64-bit indices, steps, odd addresses, `local`; an axis of one element where there is none. extra: bytes of the
 * kernel's parameters besides the walk, its further memories counting 8 each. Why there is no kernel, or NULL. */
const char *ash__gpu_walk_form(ash__gpu_walk *walk, const ash__gpu_work *work, int local, size_t extra);

/* A struct of parameters as it is filled. */
typedef struct ash__gpu_parameters {
    _Alignas(8) char bytes[ASH__GPU_PARAMETERS];
    size_t length;
    bool wide;
} ash__gpu_parameters;
void ash__gpu_add_index(ash__gpu_parameters *to, int64_t value);
void ash__gpu_add_bytes(ash__gpu_parameters *to, const void *bytes, size_t n); /* aligned to 8 if n is 8 or more */
void ash__gpu_walk_parameters(const ash__gpu_walk *walk, const ash__gpu_work *work, ash__gpu_parameters *to);
/* Queues a kernel whose memories are those of the walk's spans, of faults and then those of `more` that are not NULL. */
ash_status ash__gpu_walk_launch(const ash__gpu_walk *walk, ash__gpu_work *work, const char *text, ash__launch launch,
                                void *const more[2], const ash__gpu_parameters *with);
static inline size_t ash__gpu_round_up(int64_t items, int local) /* to whole groups */
{
    return (size_t)(ash__ceiling(items, local) * local);
}

/* Does the device want one work-item with much to do rather than groups with barriers? ASHLAR_GPU_SHAPE overrules it. */
bool ash__gpu_one_by_one(const ash__gpu *gpu);
/* The device's warp, or 32 where ASHLAR_GPU_SHAPE is "warp". */
int ash__gpu_warp(const ash__gpu *gpu);

/* ---- texts */

typedef void ash__gpu_put(ash__text *text, const void *context);
/* A text of any length, made by put(text, context) as often as it takes; to be freed by ash__free. NULL: no memory. */
char *ash__gpu_text_of(const char *function, ash__gpu_put *put, const void *context);
/* Queues a kernel of the text that put(text, context) makes. */
ash_status ash__gpu_launch_text(ash__gpu_work *w, ash__gpu_put *put, const void *context, const ash__launch *launch);
/* From beginning to end: makes the text, begins the work, lets launch(context, text) queue it, and ends it. */
typedef ash_status ash__gpu_launcher(void *context, const char *text);
ash_status ash__gpu_work_run(ash__gpu_work *w, ash__gpu_put *put, ash__gpu_launcher *launch, void *context);
/* The same for a walk; where its kernels can fault, it waits for what they have to report. */
ash_status ash__gpu_walk_run(ash__gpu_walk *walk, ash__gpu_work *w, const ash__task *task, ash__gpu_put *put,
                             ash__gpu_launcher *launch, void *context);
#endif
