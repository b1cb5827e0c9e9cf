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

#include "backend/cuda/library.h"

enum { ASH__THEIRS_OLDEST = 11, ASH__THEIRS_NEWEST = 13 }; /* versions of CUDA */

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
    int no_memory;                          /* that status */
    pthread_mutex_t lock;
    bool looked, found; /* constant when it has been looked for */
    char fault[ASH__CU_FAULT];
} ash__theirs;

/* Is such work the library's? false: it is for our kernels. true: *status is ASH_OK and its table is filled, or it is an error:
 * the library must do it and has it not (`fits`), or there is none. `pays`: it is better at it than ours. */
bool ash__theirs_takes(const char *function, ash__theirs *library, bool fits, bool pays, ash_status *status);
/* What a function of it answered. true: an error, in *status. false: our kernels do it, which they may where `ours`. */
bool ash__theirs_failed(const char *function, const ash__theirs *library, const char *device, const char *called, int failed,
                        bool ours, ash_status *status);
#endif
