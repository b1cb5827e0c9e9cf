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
    char *text; /* NULL: the place is empty */
    uint64_t hash;
    void *program; /* the driver's; NULL: a thread compiles it */
    bool fresh;    /* to be stored when it has run: a driver may compile it then */
} ash__gpu_program;

/* ---- queues: queue.c */

enum { ASH__GPU_EVENTS = 64 };

/* In order. Launches have tickets from 1 on; what a mark names is done when that launch is, and with it all before it. A queue
 * whose resources are gone is kept for the next ones, so a mark is good for ever. */
typedef struct ash__gpu_queue {
    void *own;                    /* the driver's */
    uint64_t issued, done;        /* tickets; done: so far as is known */
    void *event[ASH__GPU_EVENTS]; /* of the last launches, ticket t in place t % EVENTS; NULL: known to be done */
    int waiting;                  /* launches that have not been submitted */
    struct ash__gpu_queue *next;  /* without resources */
    struct ash__gpu_queue *other; /* of the device */
} ash__gpu_queue;

typedef struct ash__gpu_mark {
    ash__gpu_queue *queue; /* NULL: nothing */
    uint64_t ticket;
} ash__gpu_mark;

/* ---- memory: memory.c */

enum { ASH__GPU_READERS = 4 };

/* What the pool has for memory of a device. Marks stay when it is given back: the next owner's work waits for them too. */
typedef struct ash__gpu_block {
    void *next; /* the pool's */
    struct ash__gpu *gpu;
    char *address; /* of the host's memory; else of a range that nobody can read, or the device's own address */
    size_t nbytes;
    bool hosted;
    void *memory;         /* the driver's; of hosted memory made when a kernel first needs it */
    void *mapped;         /* not NULL: the host has it */
    ash__gpu_queue *last; /* that was given a launch which touches it; NULL: none was yet */
    ash__gpu_mark writer, reader[ASH__GPU_READERS];
} ash__gpu_block;

/* device->state of every opening of one device. The driver's open fills the first part. */
typedef struct ash__gpu {
    const ash__driver *driver;
    const ash_device *device; /* any of them */
    void *own;                /* the driver's */
    bool exact_f32;           /* subnormals, infinities, and quotients and roots of f32 rounded to nearest even */
    size_t largest;           /* bytes that one memory can have */
    bool processor;           /* a CPU: one work-item with much to do is better than a group of many with barriers */
    int units;                /* of computing; 1 or more */
    char identity[512];       /* all that a compiled program depends on but its text: names and versions, compiler's options */
    bool tensors;             /* a warp multiplies small matrices of f16, bf16 and tf32: mma.sync of PTX */
    int warp;                 /* work-items that exchange values at once, of groups that see what others publish: 32; or 0 */

    pthread_mutex_t lock; /* of the rest, of blocks and of launches. Nothing that takes the pool's lock is called inside it */
    pid_t process;        /* that opened it: no driver survives a fork */
    ash__gpu_queue *queue, *idle; /* all of them; those without resources */
    struct ash__gpu_lent *ended;  /* memory of others that is not used any more but by what is queued: lending.c */
    int batch;                    /* launches that are submitted together; less than there are events */
    bool guarded;                 /* the end of the process waits for the queues */
    struct ash__gpu *also;        /* another device that is */
    pthread_cond_t compiled;      /* a program, or one could not be */
    int count, next;              /* programs; the one to go when there is no room */
    ash__gpu_program program[ASH__GPU_PROGRAMS];
} ash__gpu;

ash__gpu *ash__gpu_new(const char *function, const ash__driver *driver); /* lives as long as the process */
/* Is this a process that was forked from the one that opened the device? Then a device error. */
bool ash__gpu_in_other_process(const ash__gpu *gpu);
ash_status ash__gpu_check_process(const char *function, const ash__gpu *gpu);

/* With the lock held, but for `finish`, which lets go of it while it waits. */
ash_status ash__gpu_queue_for(const char *function, ash_resources *resources, ash__gpu_queue **queue);
ash_status ash__gpu_submit(const char *function, ash__gpu *gpu, ash__gpu_queue *queue);
/* A launch was queued and has this event, which is the queue's now. */
ash_status ash__gpu_issued(const char *function, ash__gpu *gpu, ash__gpu_queue *queue, void *event);
/* The same of what is in the queue so far, a copy or work of others. */
ash_status ash__gpu_record(const char *function, ash__gpu *gpu, ash__gpu_queue *queue);
/* What is queued from now on waits for the mark. */
ash_status ash__gpu_after(const char *function, ash__gpu *gpu, ash__gpu_queue *queue, ash__gpu_mark mark);
ash_status ash__gpu_finish(const char *function, ash__gpu *gpu, ash__gpu_mark mark);
void ash__gpu_finish_all(ash__gpu *gpu);                   /* every queue; says nothing of failures */
bool ash__gpu_finished(ash__gpu *gpu, ash__gpu_mark mark); /* asks, and submits */
/* After the launch of a kernel that the driver may compile now: waits for it, and the process is not going to end before its
 * queues are idle. */
ash_status ash__gpu_guard(const char *function, ash__gpu *gpu, ash__gpu_queue *queue);

/* With the lock held. Everything that must be done before a queue's next launch reads or writes the block; and that it does. */
ash_status ash__gpu_claim(const char *function, ash__gpu_queue *queue, ash__gpu_block *block, bool writes);
ash_status ash__gpu_used(const char *function, ash__gpu_queue *queue, ash__gpu_block *block, bool writes);
/* The block of a buffer; NULL: memory that is not from the pool. */
ash__gpu_block *ash__gpu_block_of(const ash__buffer *buffer);

void *ash__gpu_allocate(const ash_device *device, bool hosted, size_t nbytes);
void ash__gpu_deallocate(const ash_device *device, void *block, size_t nbytes);
void *ash__gpu_address(void *block);
ash_status ash__gpu_check(const char *function, const ash_device *device);
ash_status ash__gpu_settle(const char *function, ash__buffer *buffer, bool writes);
bool ash__gpu_settled(const ash__buffer *buffer, bool writes);
ash_status ash__gpu_read(const char *function, ash__buffer *buffer, size_t offset, void *host, size_t nbytes);
ash_status ash__gpu_write(const char *function, ash__buffer *buffer, size_t offset, const void *host, size_t nbytes);
ash_status ash__gpu_run(ash_resources *resources, const ash__task *task);
ash_status ash__gpu_wait(ash_resources *resources);
bool ash__gpu_idle(ash_resources *resources);
void ash__gpu_end(ash_resources *resources);
#define ASH__GPU_TABLE                                                                                                      \
    .allocate = ash__gpu_allocate, .deallocate = ash__gpu_deallocate, .address = ash__gpu_address, .check = ash__gpu_check, \
    .settle = ash__gpu_settle, .settled = ash__gpu_settled, .read = ash__gpu_read, .write = ash__gpu_write,                 \
    .run = ash__gpu_run, .wait = ash__gpu_wait, .idle = ash__gpu_idle, .end = ash__gpu_end, .warm = ash__gpu_warm

extern const ash__lending ash__gpu_lending; /* lending.c */
/* Ends the memory of others that nothing uses any more. The lock is not held. */
void ash__gpu_give_back(ash__gpu *gpu);
/* Everything that is queued for the block and, for `readers` too, reads it is done. Never waits. The lock is held. */
bool ash__gpu_block_done(ash__gpu_block *block, bool readers);

/* MAP and COPY. *why: set, and nothing done, when there is no kernel for this task: why not. map.c */
ash_status ash__gpu_map(ash_resources *resources, const ash__task *task, const char **why);
/* REDUCE and ARG. reduce.c */
ash_status ash__gpu_reduce(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_scan(ash_resources *resources, const ash__task *task, const char **why);     /* scan.c */
ash_status ash__gpu_variance(ash_resources *resources, const ash__task *task, const char **why); /* variance.c */
/* KERNEL. kernel.c */
ash_status ash__gpu_kernel(ash_resources *resources, const ash__task *task, const char **why);

/* The compiled text, from the device's cache or made now. The lock is held, but while the compiler works; the program is good
 * while the lock is held on. cache.c */
ash_status ash__gpu_compiled(const char *function, const ash_device *device, const char *text, ash__gpu_program **program);
/* After a first run: puts the program into the folder, if there is one and it is not there. The lock is held, but while a file
 * is written. */
void ash__gpu_store(ash__gpu *gpu, const char *text);
/* All programs that the folder has for the device, the youngest first, while there is room. */
ash_status ash__gpu_warm(const char *function, const ash_device *device);

/* ---- text: codegen.c */

/* How the kernel walks: what is fixed in its text. */
enum { ASH__GPU_SPANS = 31 }; /* the result and 30 operands: what 1000 bytes of parameters describe along one axis */
typedef struct ash__gpu_form {
    int spans;                    /* 0 is the result */
    int rank;                     /* 1 or more */
    bool wide;                    /* indices of 64 bits */
    bool scalar[ASH__GPU_SPANS];  /* in the parameters, not in memory */
    bool odd[ASH__GPU_SPANS];     /* at any address: programs read and write byte by byte */
    int64_t step[ASH__GPU_SPANS]; /* bytes to the next element of the last axis; ASH__GPU_ANY: in the parameters */
    int local;                    /* work-items of a group */
    bool faults; /* a word of working memory, last of the memories, into which ASH__FAULT_* are or-ed; 0 before */
} ash__gpu_form;
#define ASH__GPU_ANY INT64_MIN

/* Why there is no kernel for the program, or NULL: it is too long. */
const char *ash__gpu_too_long(const struct ash__program *program);

/* The pieces of kernel text. First of all F64, WIDE and the prelude; then RANK, SPANS, LOCAL, MEMORY (the kernel's parameters
 * of memory, m0 ... and `fault`), PASSED (their names) and the struct `walk` of parameters that all kernels over spans take. */
void ash__gpu_put_head(ash__text *text, bool f64, bool wide);
void ash__gpu_put_text(ash__text *text, const char *words); /* as it is */
void ash__gpu_put_walk(ash__text *text, const ash__gpu_form *form);
/* `FN void NAME(MEMORY, const index *at, index i, const walk *w, T *r0 [, T *r1])`: the program's value (of its output's
 * machine type, two for complex) where operand k's element is at[k] + i steps; with `stores`, without r0 and r1: written to
 * span 0. */
void ash__gpu_put_program(ash__text *text, const char *name, const ash__gpu_form *form, const struct ash__program *program,
                          bool stores);
/* `FN void NAME([G u32 *fault, ]x0_0 [, x0_1], x1_0 [, x1_1] ..., T *r0 [, T *r1])`: the program of operands that are values
 * of its operands' machine types, each of `parts` parts (2: complex). */
void ash__gpu_put_function(ash__text *text, const char *name, const struct ash__program *program, ash_dtype operand, int parts,
                           bool faults);
/* `FN void NAME(MEMORY, const index *at, index i, const walk *w)`: span 0's element = span 1's, `words` words of
 * `word` bytes. */
void ash__gpu_put_copy(ash__text *text, const char *name, const ash__gpu_form *form, int word, int words);
/* "f32": the name that kernel text has for a machine type. */
const char *ash__gpu_type(ash_dtype machine);

struct ash__launching;
/* The text of a user's kernel for a launch, all of it. kernel.c */
void ash__gpu_put_user_kernel(ash__text *text, const struct ash__launching *launching, bool f64);

/* src/backend/gpu/kernels, embedded by the build */
extern const char ash__gpu_prelude_text[], ash__gpu_walk_text[], ash__gpu_map_text[], ash__gpu_reduce_text[],
    ash__gpu_fold_text[], ash__gpu_scan_text[], ash__gpu_scan_groups_text[], ash__gpu_variance_text[], ash__gpu_numbers_text[];
/* of user kernels, with two of the public headers */
extern const char ash__gpu_user_text[], ash__gpu_lists_text[], ash__gpu_kernel_text_text[];
#endif
