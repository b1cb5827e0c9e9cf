/*
 * backend.h - the table every backend fills, and the task it is handed.
 *
 * Declarations only: core/ and ops/ call a backend through this, and nothing else of it. Arguments have been checked, shapes
 * joined, outputs allocated, and overlap with the inputs resolved (an output either shares no byte with an input or has
 * exactly its mapping) before a task gets here.
 */
#ifndef ASH__BACKEND_H
#define ASH__BACKEND_H
#include "core/buffer.h"
#include "core/device.h"
#include "core/dtype.h"

struct ash__program;
struct ash__draw;
struct ash__product;
struct ash__factor;
struct ash__fourier;
struct ash__launching;

/* An operand or a result over the task's iteration space. */
typedef struct ash__span {
    ash__buffer *buffer;      /* NULL: a scalar, whose bytes data points to */
    char *data;               /* address of the first element; the host's to use where the buffer is hosted and settled */
    const int64_t *stride;    /* bytes, for each axis of the task; 0 where it does not vary; NULL for rank 0 or a scalar */
    ash_dtype dtype;
} ash__span;

typedef enum ash__task_kind {
    ASH__TASK_MAP,      /* out[i] = program(operands[i]) */
    ASH__TASK_REDUCE,   /* out = fold over the axes in `reduced` of program(operands) */
    ASH__TASK_ARG,      /* index (i64, row-major within the reduced axes) of the first minimum or maximum; NaN is the extreme
                         * of both; value (may have no data) gets the element, in the program's dtype */
    ASH__TASK_VARIANCE, /* squared deviations from the mean over the reduced axes, summed and divided by n - correction;
                         * the program's result is f32 or f64 (f16 and bf16 as f32); out and mean f32 or f64 */
    ASH__TASK_SCAN,     /* running fold along one axis, or over all elements in logical order */
    ASH__TASK_COPY,     /* out[i] = operand[0][i], bytes of one dtype, records too */
    ASH__TASK_GATHER,   /* out[.., j, ..] = operand[0][.., index[j], ..] along `axis`, bytes of one dtype. The shape is out's;
                         * operand[1].data points to shape[axis] dense i64 indices, which times operand[0]'s stride lie
                         * within its buffer; no overlap. With `bound` the indices are to be checked, each before it is used:
                         * ASH_ERR_BOUNDS, of which nothing has been said, when one is not in 0 .. bound - 1. On devices,
                         * with out.data NULL: that and no more */
    ASH__TASK_SCATTER,  /* out[.., index[j], ..] = operand[0][.., j, ..], likewise; the shape is operand[0]'s. Of several for
                         * one element the last in logical order stays. accumulate: each is added, in that order; no records.
                         * All indices are less than `bound` */
    ASH__TASK_SORT,     /* lines of operand[0] along `axis` in order, stable: elements first .. first + count - 1 of each. out
                         * gets the elements, of operand[1] where there is one; value their positions (i64); either may have no
                         * data. operand[0] is of a real dtype, in the order of order.h, or of any where combine is given. The
                         * shape is that of the operands; no overlap, but out may be operand[0] exactly */
    ASH__TASK_SEARCH,   /* out[i] (i64) = how many of the `count` elements of operand[0], in ascending order, are less than
                         * operand[1][i], or with `right` not greater; with `descending` count less that. Rank 1; real dtypes,
                         * compared as numbers in the order of order.h */
    ASH__TASK_HISTOGRAM, /* out[k] (i64, dense, count - 1 of them) = how many of operand[1] lie between elements k and k + 1 of
                         * operand[0], which ascends: the lower one included, the last upper one too. Rank 1, over operand[1];
                         * -0.0 equals 0.0 */
    ASH__TASK_SELECT,   /* Where operand[0], bool, is true, in row-major order. With out.data NULL, value.data gets where what
                         * each block of ASH__SELECT_BLOCK elements leaves begins in all that is left, and behind that where
                         * the last one ends, which is *total too. Else value.data holds that; out.data gets, densely, the
                         * elements of operand[1], of 1, 2, 4, 8 or 16 bytes, or, where there is none, i64 positions; no
                         * overlap. value.buffer may be NULL on the CPU: the data is the host's */
    ASH__TASK_RANDOM,   /* out[i] = number i, in row-major order or with col_major in column-major order, of what `draw` says */
    ASH__TASK_PRODUCT,  /* out = alpha a b + beta out; product.h says more */
    ASH__TASK_FACTOR,   /* what `factor` says: factor.h */
    ASH__TASK_FOURIER,  /* Fourier transforms along `axis`, scaled: fourier.h */
    ASH__TASK_KERNEL    /* a user's kernel: kernel.h */
} ash__task_kind;
enum { ASH__SELECT_BLOCK = 16384 };

typedef enum ash__fold {
    ASH__FOLD_NONE,
    ASH__FOLD_SUM,
    ASH__FOLD_PROD,
    ASH__FOLD_MIN,   /* NaN if any is; -0.0 below 0.0 */
    ASH__FOLD_MAX,
    ASH__FOLD_AND,   /* bitwise; of bool: logical */
    ASH__FOLD_OR,
    ASH__FOLD_XOR,
    ASH__FOLD_FUNCTION, /* task.combine: associative, not always commutative: elements keep their logical order */
    ASH__FOLD_COUNT
} ash__fold;

typedef struct ash__task {
    ash__task_kind kind;
    const char *function;             /* the public function called, for messages */
    int64_t rank;
    const int64_t *shape;             /* the iteration space */
    const struct ash__program *program; /* operands to one value; its dtype is the accumulator's of a fold or scan */
    int64_t operand_count;
    const ash__span *operand;
    ash__span out;                    /* reductions: strides 0 on reduced axes */
    ash__span value;                  /* ARG: the extreme; VARIANCE: the mean; SORT: positions; SELECT; data NULL: not wanted */
    ash__fold fold;                   /* REDUCE, SCAN; ARG: MIN or MAX. A complex dtype: SUM or FUNCTION only */
    const struct ash__program *combine; /* FUNCTION: two operands of program->dtype to that dtype; SORT: whether the first of
                                         * two elements comes before the second, bool */
    uint32_t reduced;                 /* bit k: axis k is folded */
    bool has_init;
    unsigned char init[16];           /* of program->dtype as stored (f16, bf16: as f32 parts), 16 bytes for c_f64 */
    bool accumulate;                  /* REDUCE: fold what is in out already into it; SCATTER: add */
    bool distinct;                    /* SCATTER: no index is there twice */
    int64_t bound;                    /* GATHER: 0: the indices have been checked; SCATTER: see there */
    int64_t *total;                   /* SELECT: the host's; without out, run sets it; else it says what there is */
    double correction;                /* VARIANCE */
    int64_t axis;                     /* SCAN: the axis, or -1: all elements in logical order; else it */
    bool col_major;                   /* RANDOM; SCAN over all elements: logical order is column-major */
    bool exclusive;                   /* SCAN */
    bool descending;                  /* SORT: in exact reverse, equal elements in their order all the same; SEARCH */
    bool right;                       /* SEARCH */
    int64_t first, count;             /* SORT; SEARCH, HISTOGRAM: count: size of operand[0]; FACTOR: of reflectors */
    const struct ash__draw *draw;     /* RANDOM */
    const struct ash__product *product; /* PRODUCT */
    const struct ash__factor *factor; /* FACTOR */
    const struct ash__fourier *fourier; /* FOURIER */
    const struct ash__launching *launching; /* KERNEL */
} ash__task;

/* What a device has in common with other libraries that use it: memory by address, streams of work. */
typedef struct ash__lending {
    /* Memory that somebody else owns: *block is NULL where the device knows nothing of it, else for a buffer over it, whose
     * elements are there after what was queued in the resources; *hosted: the host can read it. */
    ash_status (*wrap)(const char *function, ash_resources *resources, void *address, size_t nbytes, void **block,
                       bool *hosted);
    void (*unwrap)(ash__buffer *buffer); /* ends its memory, when nothing that is queued uses it: never waits */
    void (*disclaim)(void *block);       /* of `wrap`: nothing has used it */
    /* New resources queue on a stream of the program's; the stream of any. */
    ash_status (*set_stream)(const char *function, ash_resources *resources, void *stream);
    ash_status (*stream)(const char *function, ash_resources *resources, void **stream);
    /* What is put into the stream from now on comes after what was queued for the buffer. */
    ash_status (*before)(const char *function, ash__buffer *buffer, void *stream);
    /* Work that the program puts into the resources' stream, between the two: after what was queued for the buffer, and before
     * what will be. The device's address of the buffer. */
    ash_status (*begin)(const char *function, ash_resources *resources, ash__buffer *buffer, bool writes, uint64_t *address);
    ash_status (*end)(const char *function, ash_resources *resources, ash__buffer *buffer, bool writes);
    int (*kind)(const ash__buffer *buffer); /* of memory, in DLPack's numbers */
} ash__lending;

/* A map of a few elements that has been made ready to be run once more with the same operands, but for the values of scalars:
 * cell[cell_of[k]] is operand k's, if it is one, as its dtype has it. It is not to be moved. */
enum { ASH__PREPARED_OPERANDS = 3, ASH__PREPARED_VALUES = 24, ASH__PREPARED_ELEMENTS = 4096 };
typedef struct ash__prepared {
    uint64_t note; /* the backend's: the code */
    int64_t n;
    void *slot[2 + ASH__PREPARED_OPERANDS];
    uint8_t cell_of[ASH__PREPARED_OPERANDS];
    uint64_t cell[ASH__PREPARED_VALUES + 1]; /* the last: of scalars that the function does not use */
} ash__prepared;

typedef struct ash__backend {
    const char *name; /* "cpu", "opencl", "cuda" */

    int (*count)(void); /* devices on this machine; 0 when the driver is missing */
    const char *(*missing)(void); /* why there are none; NULL when there are; the function itself NULL: always there */
    /* Fills description, memory and capabilities of device->index. */
    ash_status (*open)(const char *function, ash_device *device);

    /* A block of memory for the pool, the host's or the device's own: nbytes > 0, aligned to ASH__ALIGN. NULL when there is
     * none. Its first word is the pool's while it is free. `address` says where its memory lies; NULL: the block is it. */
    void *(*allocate)(const ash_device *device, bool hosted, size_t nbytes);
    void (*deallocate)(const ash_device *device, void *block, size_t nbytes);
    void *(*address)(void *block);
    /* Can the device do anything at all? ASH_OK, or why not. NULL: always. */
    ash_status (*check)(const char *function, const ash_device *device);

    /* Queues one task; its results are there after wait. ASH_ERR_UNSUPPORTED: not here. Errors name task->function. */
    ash_status (*run)(ash_resources *resources, const ash__task *task);
    /* For maps that cannot fault. false: not this one, or not yet. Running it again may be refused too, with nothing done, and
     * then it has to be prepared anew. NULL: no map at all. */
    bool (*prepare)(const ash__task *task, ash__prepared *prepared);
    bool (*run_again)(const ash__prepared *prepared);
    /* The host is going to read a hosted buffer, or write it too: waits for what was queued and touches it. No task may touch
     * it until the host is done. NULL: tasks are done when `run` returns. */
    ash_status (*settle)(const char *function, ash__buffer *buffer, bool writes);
    bool (*settled)(const ash__buffer *buffer, bool writes); /* would `settle` wait for nothing? */
    /* Bytes to and from a buffer that is not hosted, after what was queued; done on return. */
    ash_status (*read)(const char *function, ash__buffer *buffer, size_t offset, void *host, size_t nbytes);
    ash_status (*write)(const char *function, ash__buffer *buffer, size_t offset, const void *host, size_t nbytes);
    ash_status (*wait)(ash_resources *resources);
    bool (*idle)(ash_resources *resources);
    ash_status (*warm)(const char *function, const ash_device *device); /* kernels kept on disk; NULL: there are none */
    void (*end)(ash_resources *resources); /* nobody holds them any more: their queue goes; NULL: nothing to do */

    const ash__lending *lending; /* NULL: nothing of it */

    ash_status (*set_threads)(int64_t count); /* NULL where it means nothing */
    int64_t (*threads)(void);
    const char *(*level)(void); /* the instruction set that was chosen: "v1" to "v4"; NULL where it means nothing */
} ash__backend;

ash_status ash__task_fault(const ash__task *task, int faults); /* the error for fault bits; ASH_OK for none */

/* The list of backends that were built in, ended by NULL: src/backend/backends.c. */
extern const ash__backend *const ash__backends[];
extern const ash__backend ash__cpu_backend;
extern const ash__backend ash__opencl_backend, ash__cuda_backend;
#endif
