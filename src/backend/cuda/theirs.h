/*
 * theirs.h - NVIDIA's libraries that do what our kernels do too, opened at run time: cuBLAS, cuFFT, cuSOLVER.
 *
 * Looked for once each: the file that its variable names, or else that of the driver's version of CUDA, then of older ones;
 * never closed. ASHLAR_CUDA_LIBRARIES says whether they are used: "ours": never; "theirs": always, and what cannot be is an
 * error; else where one is there and the work is such that it pays.
 */
#ifndef ASH__CUDA_THEIRS_H
#define ASH__CUDA_THEIRS_H
#include <pthread.h>

#include "backend/cuda/cuda.h"

enum { ASH__THEIRS_OLDEST = 11, ASH__THEIRS_NEWEST = 13 }; /* versions of CUDA */
enum { ASH__THEIRS_DEVICES = 64 };                         /* whose numbers are less */

typedef struct ash__theirs {
    const char *name, *package;                               /* "cuBLAS"; of Python */
    const char *has_no;                                       /* of what it cannot: "such product: it wants ..." */
    const char *stem;                                         /* "libcublas.so." */
    int version[ASH__THEIRS_NEWEST - ASH__THEIRS_OLDEST + 1]; /* of the file, by CUDA's */
    const char *variable;                                     /* that may name a file, */
    const char *(*setting)(void);                             /* and its value */
    const ash__cu_place *functions;
    size_t count;
    void *table;
    const char *(*status_name)(int status); /* NULL: it has none */
    int no_memory, not_supported;           /* such statuses; 0: there is none */
    /* of a library whose work needs a handle: in its table, and what they are called */
    int (**create)(void **handle), (**set_stream)(void *handle, void *stream);
    const char *create_name, *stream_name;
    void *handle[ASH__THEIRS_DEVICES]; /* used in the device's context, under its lock */
    bool refused[ASH__THEIRS_DEVICES]; /* it made none: not tried again unless it must be */
    pthread_mutex_t lock;
    bool looked, found; /* constant when it has been looked for */
    char fault[ASH__CU_FAULT];
} ash__theirs;

/* Is such work the library's? false: it is for our kernels. true: *status is ASH_OK and its table is filled, or it is an error:
 * the library must do it and has it not (`fits`), or there is none. `pays`: it is better at it than ours. */
bool ash__theirs_takes(const char *function, ash__theirs *library, const ash__cu_queue *q, bool fits, bool pays,
                       ash_status *status);
/* The device's handle, which works in the queue's stream; 0, or the status of what was called. */
int ash__theirs_handle(ash__theirs *library, ash__cu_queue *q, void **handle, const char **called);
/* What is called in the device's context: 0, or the status of `called`, which is one of the library's functions. */
typedef int ash__theirs_work(ash__cu_queue *q, const void *what, const char **called);
/* Work that queues nothing, or queues something, with an event behind it. false: our kernels do it, as they may until it is
 * `settled` that the library does. */
bool ash__theirs_ask(const char *function, ash__theirs *library, ash__cu_queue *q, ash__theirs_work *ask, const void *what,
                     ash_status *status);
bool ash__theirs_run(const char *function, ash__theirs *library, ash__cu_queue *q, ash__theirs_work *run, const void *what,
                     bool settled, void **event, ash_status *status);
/* CUDA's number of a dtype of parts in f16, bf16, f32 or f64. */
int ash__theirs_type(ash_dtype dtype);
/* Where an element is, for work that is queued now. */
void *ash__theirs_reach(ash__cu_queue *q, void *memory, int64_t start);
#endif
