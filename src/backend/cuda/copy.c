/*
 * copy.c - copies between the device and memory of the host that CUDA has not pinned, through pinned memory.
 *
 * A queue has two halves of it. Bytes for the device are put behind those that are there, and the copy is queued: the caller
 * goes on, and waits only when both halves are full. Bytes of the device arrive in one half while those of the other are taken.
 */
#include "backend/cuda/cuda.h"

#include <string.h>

#include "core/alloc.h"

enum { DIRECT = 1 << 16 }; /* from here on it pays to ask whether CUDA has pinned the memory */

static int make_halves(ash__cu_queue *q)
{
    int error = 0;
    for (int k = 0; k < 2 && !error; k++) {
        void *made = NULL;
        if (!q->event[k])
            error = ash__cu.cuEventCreate(&q->event[k], CU_EVENT_DISABLE_TIMING);
        if (!error && !q->half[k] && !(error = ash__cu.cuMemHostAlloc(&made, ASH__CU_STAGE, CU_MEMHOSTALLOC_PORTABLE)))
            q->half[k] = made;
    }
    return error;
}

/* Room for up to `nbytes` in the half that is being filled, or in the other one when what it held has gone. */
static int take_room(ash__cu_queue *q, size_t nbytes, char **room)
{
    int error = 0;
    if (q->filled + nbytes > ASH__CU_STAGE) {
        error = ash__cu.cuEventRecord(q->event[q->at], q->stream);
        q->at = !q->at;
        q->filled = 0;
        if (!error)
            error = ash__cu.cuEventSynchronize(q->event[q->at]);
    }
    *room = error ? NULL : q->half[q->at] + q->filled;
    q->filled += (nbytes + 15) / 16 * 16;
    return error;
}

static size_t piece_of(size_t nbytes)
{
    return nbytes < ASH__CU_STAGE ? nbytes : ASH__CU_STAGE;
}

/* Is it left to CUDA? Memory that CUDA has pinned it copies itself, and where there is no more to be pinned, any. */
static bool is_direct(ash__cu_queue *q, const void *host, size_t nbytes)
{
    unsigned type = 0;
    if (nbytes >= DIRECT && !ash__cu.cuPointerGetAttribute(&type, CU_POINTER_MEMORY_TYPE, (uintptr_t)host) &&
        type == CU_MEMORYTYPE_HOST)
        return true;
    return !q->half[1] && make_halves(q) == CUDA_ERROR_OUT_OF_MEMORY;
}

int ash__cu_copy_in(ash__cu_queue *q, uint64_t to, const void *from, size_t nbytes)
{
    int error = 0;
    if (is_direct(q, from, nbytes)) {
        error = ash__cu.cuMemcpyHtoDAsync(to, from, nbytes, q->stream);
        return error ? error : ash__cu.cuStreamSynchronize(q->stream);
    }
    for (const char *at = from; nbytes && !error;) {
        const size_t piece = piece_of(nbytes);
        char *room;
        if ((error = take_room(q, piece, &room)))
            break;
        memcpy(room, at, piece);
        error = ash__cu.cuMemcpyHtoDAsync(to, room, piece, q->stream);
        at += piece;
        to += piece;
        nbytes -= piece;
    }
    return error;
}

int ash__cu_copy_out(ash__cu_queue *q, void *to, uint64_t from, size_t nbytes)
{
    char *room = NULL, *last = NULL, *at = to;
    size_t last_size = 0;
    int error = 0, half = 0;
    if (is_direct(q, to, nbytes)) {
        error = ash__cu.cuMemcpyDtoHAsync(to, from, nbytes, q->stream);
        return error ? error : ash__cu.cuStreamSynchronize(q->stream);
    }
    while ((nbytes || last) && !error) {
        const size_t piece = piece_of(nbytes);
        if (piece && !(error = take_room(q, piece, &room)))
            error = ash__cu.cuMemcpyDtoHAsync(room, from, piece, q->stream);
        const int this = q->at;
        if (piece && !error)
            error = ash__cu.cuEventRecord(q->event[this], q->stream);
        if (!error && last && !(error = ash__cu.cuEventSynchronize(q->event[half]))) {
            memcpy(at, last, last_size);
            at += last_size;
        }
        last = piece ? room : NULL;
        last_size = piece;
        half = this;
        from += piece;
        nbytes -= piece;
    }
    return error;
}

ash_status ash__cu_read(const char *function, void *queue, void *memory, size_t offset, void *host, size_t nbytes)
{
    ash__cu_queue *const q = queue;
    const ash__cu_memory *const m = memory;
    const ash__cu_call call = ash__cu_begin(q->device);
    return ash__cu_end(function, &call, "cuMemcpyDtoHAsync",
                       call.error ? call.error : ash__cu_copy_out(q, host, m->pointer + offset, nbytes));
}

ash_status ash__cu_write(const char *function, void *queue, void *memory, size_t offset, const void *host, size_t nbytes)
{
    ash__cu_queue *const q = queue;
    const ash__cu_memory *const m = memory;
    const ash__cu_call call = ash__cu_begin(q->device);
    return ash__cu_end(function, &call, "cuMemcpyHtoDAsync",
                       call.error ? call.error : ash__cu_copy_in(q, m->pointer + offset, host, nbytes));
}
