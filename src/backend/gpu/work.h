/*
 * work.h - one task on a device: the memory that its kernels touch, working memory, and launches.
 *
 *     ash__gpu_work w = ash__gpu_work_of(resources, task->function);
 *     ash__gpu_touch(&w, &task->operand[0], shape, rank, false);
 *     ash__gpu_touch(&w, &task->out, shape, rank, true);
 *     ash_status status = ash__gpu_work_begin(&w);
 *     ... ash__gpu_place_of, ash__gpu_scratch, ash__gpu_launch, ash__gpu_fetch ...
 *     return ash__gpu_work_end(&w, status);
 *
 * An element of a span is at memory + start + index * stride, in bytes. Spans whose bytes overlap get the same memory, so a
 * kernel may only read one that it does not write if the task says that they do not overlap or are exactly alike.
 */
#ifndef ASH__GPU_WORK_H
#define ASH__GPU_WORK_H
#include "backend/gpu/gpu.h"

enum { ASH__GPU_TOUCHED = ASH__GPU_SPANS + 7, ASH__GPU_SCRATCH = 16 };

typedef struct ash__gpu_range {
    ash__gpu_block *block; /* low is where it begins; NULL: memory of the host's that is the device's for this task */
    char *low, *high;
    void *memory; /* the driver's */
    bool writes;
} ash__gpu_range;

typedef struct ash__gpu_work {
    ash_resources *resources;
    ash__gpu *gpu;
    const char *function;
    int ranges, scratches;
    ash__gpu_range range[ASH__GPU_TOUCHED];
    ash__gpu_block *scratch[ASH__GPU_SCRATCH];
    size_t scratch_size[ASH__GPU_SCRATCH];
    ash__gpu_queue *queue;
    bool launched;
} ash__gpu_work;

typedef struct ash__gpu_place {
    void *memory;  /* the driver's, for ash__launch */
    int64_t start; /* bytes from its beginning to the span's first element */
} ash__gpu_place;

static inline ash__gpu_work ash__gpu_work_of(ash_resources *resources, const char *function)
{
    return (ash__gpu_work){.resources = resources, .gpu = resources->device->state, .function = function};
}

/* The kernels read, and where `writes` write, elements of the span over this shape (no size of it 0). The span has a buffer. */
void ash__gpu_touch(ash__gpu_work *w, const ash__span *span, const int64_t *shape, int64_t rank, bool writes);
/* The longest range that is touched, in bytes: whether indices need 64 bits. */
int64_t ash__gpu_longest(const ash__gpu_work *w);
/* NULL, or why the device cannot reach what was touched (a range larger than its largest buffer). Before `begin`. */
const char *ash__gpu_unreachable(const ash__gpu_work *w);
/* Makes the memory the device's, and what is queued from now on wait for what is done with it elsewhere. */
ash_status ash__gpu_work_begin(ash__gpu_work *w);
ash__gpu_place ash__gpu_place_of(const ash__gpu_work *w, const ash__span *span);

/* Working memory of nbytes > 0 until `end`, of the device's own, with any contents. */
ash_status ash__gpu_scratch(ash__gpu_work *w, size_t nbytes, void **memory);
/* The same, holding bytes of the host's: tables and lists that kernels read. The host's may go when it returns. */
ash_status ash__gpu_upload(ash__gpu_work *w, const void *host, size_t nbytes, void **memory);
/* Queues a kernel of this text; compiled if it is not in the cache. It may be under way when `end` has returned. */
ash_status ash__gpu_launch(ash__gpu_work *w, const char *text, const ash__launch *launch);
/* Queues a product by the driver's gemm, which there is. */
bool ash__gpu_gemm(ash__gpu_work *w, const ash__gemm *what, ash_status *status);
/* The same by its dft, trsm and lapack. */
bool ash__gpu_dft_room(ash__gpu_work *w, const ash__dft *what, size_t *nbytes, ash_status *status);
ash_status ash__gpu_dft(ash__gpu_work *w, const ash__dft *what);
bool ash__gpu_trsm_room(ash__gpu_work *w, const ash__trsm *what, size_t *nbytes, ash_status *status);
ash_status ash__gpu_trsm(ash__gpu_work *w, const ash__trsm *what);
bool ash__gpu_lapack_room(ash__gpu_work *w, const ash__lapack *what, size_t *nbytes, ash_status *status);
ash_status ash__gpu_lapack(ash__gpu_work *w, const ash__lapack *what);
/* Waits until everything queued so far is done, and copies bytes of working memory to the host: counts, flags. */
ash_status ash__gpu_fetch(ash__gpu_work *w, void *memory, size_t offset, void *host, size_t nbytes);
/* Gives working memory back. Returns `status`, or what went wrong here. Also after a failed `begin`. */
ash_status ash__gpu_work_end(ash__gpu_work *w, ash_status status);
#endif
