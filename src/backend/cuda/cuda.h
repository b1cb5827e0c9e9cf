/*
 * cuda.h - the driver over CUDA, for its own files and its tests: the state of a device, and calls in its context.
 *
 * A call into CUDA is between ash__cu_begin and ash__cu_end: meanwhile the device's primary context, which all libraries of the
 * process share, is current on the calling thread, and afterwards it is what it was. An error that ends a context (a kernel
 * that wrote where there is no memory) loses the device for the process: everything after it fails and says so.
 */
#ifndef ASH__CUDA_H
#define ASH__CUDA_H
#include <stdatomic.h>
#include <stdbool.h>

#include "backend/cuda/library.h"
#include "backend/gpu/gpu.h"

enum { ASH__CU_STAGE = 1 << 18 }; /* bytes of one half of a queue's pinned memory */

typedef struct ash__cu_event {
    struct ash__cu_device *device;
    void *event;
    atomic_int refs;
    struct ash__cu_event *next; /* that can be used again */
} ash__cu_event;

/* A queue, and pinned memory of the host for its copies: two halves, of which one is filled while the other is under way. */
typedef struct ash__cu_queue {
    struct ash__cu_device *device;
    void *stream;
    bool lent;      /* somebody else's stream */
    char *half[2];  /* NULL: not made yet */
    void *event[2]; /* recorded behind the last copy of that half */
    int at;         /* the half that is being filled */
    size_t filled;  /* bytes of it */
} ash__cu_queue;

typedef struct ash__cu_device {
    const char *name;             /* "cuda:0" */
    int number;                   /* CUDA's */
    void *context, *pool;         /* pool: NULL: memory is not allocated in the order of a stream */
    int capability, architecture; /* 90: 9.0; of its code */
    bool managed, pageable;       /* memory that moves between host and device; the device reads any memory of the host's */
    atomic_int lost;              /* the error that ended its context */
    ash__cu_queue own;            /* of allocations, and of copies of lent memory */
    pthread_mutex_t lock;         /* of the rest */
    ash__cu_event *spare;
} ash__cu_device;

typedef enum ash__cu_kind {
    ASH__CU_PRIVATE,
    ASH__CU_MANAGED, /* moves to whoever uses it, at one address */
    ASH__CU_PINNED,  /* the host's, which the device reaches over its bus */
    ASH__CU_LENT,    /* somebody else's, which the device reaches */
    ASH__CU_COPY     /* of memory that somebody lent and the device does not reach */
} ash__cu_kind;

typedef struct ash__cu_memory {
    ash__cu_device *device;
    ash__cu_kind kind;
    uint64_t pointer; /* the device's */
    void *host;       /* NULL: the host has none */
    size_t nbytes;
    bool moved; /* managed: has been sent to the device, and not to the host since */
} ash__cu_memory;

/* ---- calls: call.c */

typedef struct ash__cu_call {
    ash__cu_device *device;
    int error; /* why nothing may be called */
    bool pushed;
} ash__cu_call;

ash__cu_call ash__cu_begin(ash__cu_device *device);
/* ASH_OK, or what an error of `name` is; function NULL: nothing is said. */
ash_status ash__cu_end(const char *function, const ash__cu_call *call, const char *name, int error);
ash_status ash__cu_check(const char *function, const ash_device *device);
static inline ash__cu_device *ash__cu_of(const ash_device *device)
{
    return ((const ash__gpu *)device->state)->own;
}
/* A number that the device tells; 0 when it does not. */
int ash__cu_ask(int number, int attribute);

/* ---- queues and events: queue.c */

ash_status ash__cu_queue_open(const char *function, const ash_device *device, void **queue);
ash_status ash__cu_submit(const char *function, void *queue);
ash_status ash__cu_finish(const char *function, void *queue);
ash_status ash__cu_after(const char *function, void *queue, void *event);
/* Recorded in a queue, in whose device's context the caller is. NULL with *error. */
ash__cu_event *ash__cu_record(ash__cu_queue *queue, int *error);
ash_status ash__cu_event_wait(const char *function, void *event);
bool ash__cu_event_done(void *event);
void ash__cu_event_keep(void *event);
void ash__cu_event_free(void *event);

/* ---- memory: memory.c, copy.c */

ash_status ash__cu_share(const char *function, const ash_device *device, void *host, size_t nbytes, void **memory);
ash_status ash__cu_map(const char *function, void *queue, void *memory, size_t nbytes, void **mapped);
ash_status ash__cu_unmap(const char *function, void *queue, void *memory, void *mapped);
void *ash__cu_allocate(const ash_device *device, size_t nbytes);
void *ash__cu_allocate_shared(const ash_device *device, size_t nbytes, void **host);
void *ash__cu_address(void *memory);
void ash__cu_memory_free(void *memory);
/* Before a kernel uses it: managed memory goes to the device. In its context; an error is none, for it is a hint. */
void ash__cu_move(ash__cu_queue *queue, ash__cu_memory *memory);
/* Between the caller's memory, which is free again on return, and the device's: a copy from it waits, one to it may be under
 * way. In the device's context; CUDA's error. */
int ash__cu_copy_in(ash__cu_queue *queue, uint64_t to, const void *from, size_t nbytes);
int ash__cu_copy_out(ash__cu_queue *queue, void *to, uint64_t from, size_t nbytes);
ash_status ash__cu_read(const char *function, void *queue, void *memory, size_t offset, void *host, size_t nbytes);
ash_status ash__cu_write(const char *function, void *queue, void *memory, size_t offset, const void *host, size_t nbytes);

/* ---- other libraries: lending.c */

ash_status ash__cu_queue_over(const char *function, const ash_device *device, void *stream, void **queue);
void ash__cu_queue_leave(void *queue);
void *ash__cu_stream_of(void *queue);
ash_status ash__cu_stream_after(const char *function, const ash_device *device, void *stream, void *event);
ash_status ash__cu_record_event(const char *function, void *queue, void **event);
ash_status ash__cu_wrap(const char *function, const ash_device *device, void *address, size_t nbytes, void **memory,
                        bool *hosted);
int ash__cu_kind_of(const void *memory);

/* ---- programs: program.c */

ash_status ash__cu_compile(const char *function, const ash_device *device, const char *text, void **program);
void ash__cu_program_free(void *program);
ash_status ash__cu_program_binary(const char *function, void *program, void **bytes, size_t *nbytes);
ash_status ash__cu_program_load(const char *function, const ash_device *device, const void *bytes, size_t nbytes,
                                void **program);
/* cublas.c, cufft.c, cusolver.c */
bool ash__cu_gemm(const char *function, void *queue, const ash__gemm *what, void **event, ash_status *status);
bool ash__cu_dft_room(const char *function, void *queue, const ash__dft *what, size_t *nbytes, ash_status *status);
ash_status ash__cu_dft(const char *function, void *queue, const ash__dft *what, void **event);
bool ash__cu_trsm_room(const char *function, void *queue, const ash__trsm *what, size_t *nbytes, ash_status *status);
ash_status ash__cu_trsm(const char *function, void *queue, const ash__trsm *what, void **event);
bool ash__cu_lapack_room(const char *function, void *queue, const ash__lapack *what, size_t *nbytes, ash_status *status);
ash_status ash__cu_lapack(const char *function, void *queue, const ash__lapack *what, void **event);
ash_status ash__cu_launch(const char *function, void *queue, void *program, const ash__launch *launch, void **event,
                          bool *fresh);

extern const ash__driver ash__cuda_driver; /* cuda.c */
#endif
