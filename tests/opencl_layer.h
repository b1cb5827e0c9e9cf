/*
 * opencl_layer.h - what a test program asks of the OpenCL layer that stands between the library and the driver.
 *
 * OPENCL_LAYERS names the layer's file and ASHLAR_LAYER what it does, words with blanks between:
 *     f64=off         no double: not among the extensions and features, and an error in kernel text
 *     group=N         work-items of a group at most
 *     local=N         bytes of local memory at most
 *     allocation=N    bytes of one buffer at most
 *     memory=N        bytes of all buffers together at most; host memory that is used in place does not count
 *     unified=off     host memory is not used in place: a copy, made when it is unmapped and brought back when it is mapped
 *     whole=on        what is written to the beginning of a buffer is written to all of it. Oclgrind 21.10 takes what a first
 *                     partial write has left out for uninitialised, whatever kernels write there
 *     fail=N          call N fails
 */
#ifndef OPENCL_LAYER_H
#define OPENCL_LAYER_H
#include <stdint.h>

typedef enum layer_kind { LAYER_QUEUES, LAYER_MEMORY, LAYER_PROGRAMS, LAYER_KERNELS, LAYER_EVENTS, LAYER_KINDS } layer_kind;

typedef struct layer_control {
    void (*fail_at)(int64_t n);       /* the n-th call from now on fails, once; 0: none does */
    void (*refuse)(const char *name); /* each call of this function fails; NULL: none does */
    const char *(*failed)(void);      /* the function that did, or NULL */
    int (*code)(void);                /* the error that it gave */
    int64_t (*live)(layer_kind kind); /* objects that are not released */
} layer_control;
/* Exported by the layer: const layer_control opencl_layer */
#endif
