/*
 * gpu.h - what the GPU layer is inside: the state of a device, and what its files do for each other.
 *
 * A driver's table of a backend is ASH__GPU_TABLE and its own name, count, open and missing.
 */
#ifndef ASH__GPU_H
#define ASH__GPU_H
#include <pthread.h>
#include <sys/types.h>

#include "backend/gpu/driver.h"
#include "core/text.h"

enum { ASH__GPU_PROGRAMS = 512 }; /* compiled programs that a device keeps */

typedef struct ash__gpu_program {
    char *text;
    uint64_t hash;
    void *program; /* the driver's */
} ash__gpu_program;

/* device->state of every opening of one device. The driver's open fills the first part. */
typedef struct ash__gpu {
    const ash__driver *driver;
    void *own;      /* the driver's */
    bool exact_f32; /* subnormals, infinities, and quotients and roots of f32 rounded to nearest even */
    size_t largest; /* bytes that one `share` can have */

    pthread_mutex_t lock; /* of the rest, and of launches */
    pid_t process;        /* that opened it: no driver survives a fork */
    int count, next;      /* programs; the one to go when there is no room */
    ash__gpu_program program[ASH__GPU_PROGRAMS];
} ash__gpu;

ash__gpu *ash__gpu_new(const char *function, const ash__driver *driver); /* lives as long as the process */

void *ash__gpu_allocate(const ash_device *device, size_t nbytes);
void ash__gpu_deallocate(const ash_device *device, void *data, size_t nbytes);
ash_status ash__gpu_run(ash_resources *resources, const ash__task *task);
ash_status ash__gpu_wait(ash_resources *resources);
bool ash__gpu_idle(ash_resources *resources);
void ash__gpu_end(ash_resources *resources);
#define ASH__GPU_TABLE                                                                                            \
    .allocate = ash__gpu_allocate, .deallocate = ash__gpu_deallocate, .run = ash__gpu_run, .wait = ash__gpu_wait, \
    .idle = ash__gpu_idle, .end = ash__gpu_end

/* MAP and COPY. *why: set, and nothing done, when there is no kernel for this task: why not. map.c */
ash_status ash__gpu_map(ash_resources *resources, const ash__task *task, const char **why);

/* The compiled text, from the device's cache or made now. The lock is held. cache.c */
ash_status ash__gpu_compiled(const char *function, const ash_device *device, const char *text, void **program);

/* ---- text: codegen.c */

/* How the kernel walks: what is fixed in its text. */
enum { ASH__GPU_SPANS = 17 }; /* the result and 16 operands */
typedef struct ash__gpu_form {
    int spans;                    /* 0 is the result */
    int rank;                     /* 1 or more */
    bool wide;                    /* indices of 64 bits */
    bool scalar[ASH__GPU_SPANS];  /* in the parameters, not in memory */
    int64_t step[ASH__GPU_SPANS]; /* bytes to the next element of the last axis; ASH__GPU_ANY: in the parameters */
    int local;                    /* work-items of a group */
} ash__gpu_form;
#define ASH__GPU_ANY INT64_MIN

/* Why a device of these abilities has no kernel for the program, or NULL. */
const char *ash__gpu_lacks(const ash__gpu *gpu, const struct ash__program *program);

/* The pieces of kernel text. First of all F64, WIDE and the prelude; then RANK, SPANS, LOCAL, MEMORY (the kernel's parameters
 * of memory, m0 ...), PASSED (their names) and the struct `walk` of parameters that all kernels over spans take. */
void ash__gpu_put_head(ash__text *text, bool f64, bool wide);
void ash__gpu_put_walk(ash__text *text, const ash__gpu_form *form);
/* `FN void NAME(MEMORY, const index *at, index i, const walk *w, T *r0 [, T *r1])`: the program's value (of its output's
 * machine type, two for complex) where operand k's element is at[k] + i steps; with `stores`, without r0 and r1: written to
 * span 0. */
void ash__gpu_put_program(ash__text *text, const char *name, const ash__gpu_form *form, const struct ash__program *program,
                          bool stores);
/* `FN void NAME(x0_0 [, x0_1], x1_0 [, x1_1] ..., T *r0 [, T *r1])`: the program of operands that are values of its operands'
 * machine types, each of `parts` parts (2: complex). */
void ash__gpu_put_function(ash__text *text, const char *name, const struct ash__program *program, ash_dtype operand,
                           int parts);
/* `FN void NAME(MEMORY, const index *at, index i, const walk *w)`: span 0's element = span 1's, `words` words of
 * `word` bytes. */
void ash__gpu_put_copy(ash__text *text, const char *name, const ash__gpu_form *form, int word, int words);
/* "f32": the name that kernel text has for a machine type. */
const char *ash__gpu_type(ash_dtype machine);

/* src/backend/gpu/kernels, embedded by the build */
extern const char ash__gpu_prelude_text[], ash__gpu_map_text[];
#endif
