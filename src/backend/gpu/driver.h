/*
 * driver.h - what the GPU layer asks of a driver: the table that src/backend/opencl and cuda fill.
 *
 * A driver knows devices, queues, memory and compiled text; it knows nothing of arrays, dtypes or tasks. Every call is checked
 * inside it: what fails is reported with the name of the driver's function. `function` is the public function, for messages;
 * where it is NULL, nothing is said of a failure.
 * An event stands for everything that its queue was given before.
 */
#ifndef ASH__DRIVER_H
#define ASH__DRIVER_H
#include "backend/backend.h"

typedef struct ash__launch {
    const char *kernel;      /* its name in the text; NULL: run */
    size_t global[2], local; /* work-items along both axes, a multiple of `local` along the first; groups are local x 1 */
    int memories;
    void *const *memory;    /* the kernel's first arguments */
    const void *parameters; /* its last one, a struct by value */
    size_t nbytes;          /* of the struct */
} ash__launch;

/* c = alpha a b + beta c for `count` members, all of one dtype. c is rows by cols, its rows lie in order, `lead` elements
 * apart; a factor's rows lie in order too, or, `turned`, its columns; a conjugated one is turned. Members are `each` elements
 * apart. */
typedef struct ash__gemm_matrix {
    void *memory;
    int64_t start, lead, each; /* start: bytes */
    bool turned, conjugated;
} ash__gemm_matrix;
typedef struct ash__gemm {
    ash_dtype dtype; /* f16, bf16: computed with in f32 */
    int64_t rows, cols, inner, count;
    ash__gemm_matrix c, a, b;
    const void *alpha, *beta; /* of the dtype that is computed with; beta 0: c is not read */
} ash__gemm;

/* `count` transforms of n numbers, as backend/fourier.h has them, without their scale. Numbers are `step` elements apart and
 * transforms `each`, both at least 1: complex numbers, on a side of real ones parts. Both sides may be exactly alike when both
 * are complex; what a half spectrum is read from may be written, and has no imaginary parts that cannot be. */
typedef struct ash__dft_side {
    void *memory;
    int64_t start, step, each; /* start: bytes */
} ash__dft_side;
typedef struct ash__dft {
    int kind; /* ash__fourier_kind */
    bool wide, backward;
    int64_t n, count, calls; /* calls: such as this one that the task takes */
    ash__dft_side to, from;
    int64_t copied; /* bytes that the caller copies for it */
    void *work;     /* memory of as many bytes as dft_room tells */
} ash__dft;

/* b = a^-1 b for `count` members: a is of rows by rows, of which one triangle is read, b of rows by cols. Both lie as factors
 * of products do, but a conjugated a is turned where b is not, and the other way round. */
typedef struct ash__trsm {
    ash_dtype dtype;
    bool upper, unit; /* unit: the diagonal counts as ones and is not read */
    int64_t rows, cols, count;
    ash__gemm_matrix a, b;
} ash__trsm;

/* A factorization of `count` matrices in place, as LAPACK has it: LU, CHOLESKY (of the lower triangle) or QR of
 * backend/factor.h. a is turned, or for CHOLESKY not. */
typedef struct ash__lapack {
    int op; /* ash__factor_op */
    ash_dtype dtype;
    int64_t rows, cols, count;
    ash__gemm_matrix a;
    void *vector; /* LU: rows that were exchanged, i64 counted from 1; QR: scales; min(rows, cols) for each member */
    void *info;   /* an int32_t for each member */
    void *work;   /* memory of as many bytes as lapack_room tells */
} ash__lapack;

typedef struct ash__driver {
    /* ASH_OK, or that the device is lost for this process. NULL: it never is. */
    ash_status (*check)(const char *function, const ash_device *device);
    /* An in-order queue. */
    ash_status (*queue_open)(const char *function, const ash_device *device, void **queue);
    /* What is queued goes to the device, without waiting for it. */
    ash_status (*submit)(const char *function, void *queue);
    ash_status (*finish)(const char *function, void *queue); /* waits for all of it */
    /* What is queued from now on begins when an event of another queue, which has been submitted, is done. */
    ash_status (*after)(const char *function, void *queue, void *event);

    ash_status (*event_wait)(const char *function, void *event);
    bool (*event_done)(void *event);
    void (*event_keep)(void *event); /* one more event_free is wanted */
    void (*event_free)(void *event);

    /* Memory that host and device have in common, and its address on the host. NULL, as the entry may be: there is none. */
    void *(*allocate_shared)(const ash_device *device, size_t nbytes, void **host);
    /* Host memory as the device's, the host's while it is mapped. It begins at a multiple of ASH__ALIGN, and what is before the
     * elements may be read and written; `exact`: it begins with an element, for it is copied there and back. */
    bool exact;
    ash_status (*share)(const char *function, const ash_device *device, void *host, size_t nbytes, void **memory);
    ash_status (*map)(const char *function, void *queue, void *memory, size_t nbytes, void **mapped); /* waits for the queue */
    ash_status (*unmap)(const char *function, void *queue, void *memory, void *mapped);
    /* Memory of the device's own. No error: NULL when there is none. */
    void *(*allocate)(const ash_device *device, size_t nbytes);
    void *(*address)(void *memory); /* the device's own, at which the host has nothing; NULL: devices have no addresses */
    ash_status (*read)(const char *function, void *queue, void *memory, size_t offset, void *host, size_t nbytes); /* waits */
    /* The host's memory may go when it returns; where there is `record`, the copy may be under way in its queue. */
    ash_status (*write)(const char *function, void *queue, void *memory, size_t offset, const void *host, size_t nbytes);
    void (*memory_free)(void *memory); /* queued work keeps it; shared memory must be idle */

    /* What the device has in common with other libraries. NULL, all of them: nothing. */
    ash_status (*queue_over)(const char *function, const ash_device *device, void *stream, void **queue); /* their stream */
    void (*queue_leave)(void *queue); /* from now on it has a stream of its own, which comes after theirs */
    void *(*stream_of)(void *queue);
    ash_status (*stream_after)(const char *function, const ash_device *device, void *stream, void *event);
    ash_status (*record)(const char *function, void *queue, void **event); /* an event as of a launch */
    /* Memory by its address: *memory is NULL where it is not the device's, else for memory_free, which leaves it alone;
     * *hosted: the host's too. */
    ash_status (*wrap)(const char *function, const ash_device *device, void *address, size_t nbytes, void **memory,
                       bool *hosted);
    int (*kind)(const void *memory); /* DLPack's */

    /* Kernel text, of one kernel or several. The compiler's own words are part of the error. */
    ash_status (*compile)(const char *function, const ash_device *device, const char *text, void **program);
    void (*program_free)(void *program);
    /* What a program is made of again without its text: *bytes is to be freed by free. And the program of such bytes,
     * which hold for the same `identity` of the device (gpu.h), if the driver still takes them: else an error. `compile` and
     * `program_load` are called from several threads at once. NULL, both: programs are made of text only. */
    ash_status (*program_binary)(const char *function, void *program, void **bytes, size_t *nbytes);
    ash_status (*program_load)(const char *function, const ash_device *device, const void *bytes, size_t nbytes,
                               void **program);
    /* Queues a kernel, and gives its event. Of one program by one thread at a time. *fresh: the driver may compile it when it
     * is run. */
    ash_status (*launch)(const char *function, void *queue, void *program, const ash__launch *launch, void **event,
                         bool *fresh);
    /* Queues a product by a library of the device's maker, and gives its event; or *status says what went wrong. false: it is
     * for our kernels. `what` NULL: one that no such struct can say. The entry NULL: there is no such library. */
    bool (*gemm)(const char *function, void *queue, const ash__gemm *what, void **event, ash_status *status);
    /* The same for transforms in two steps: whose it is and how much memory it works in, more than 0; the transform. */
    bool (*dft_room)(const char *function, void *queue, const ash__dft *what, size_t *nbytes, ash_status *status);
    ash_status (*dft)(const char *function, void *queue, const ash__dft *what, void **event);
    /* So too, but that trsm works in no memory. */
    bool (*trsm_room)(const char *function, void *queue, const ash__trsm *what, size_t *nbytes, ash_status *status);
    ash_status (*trsm)(const char *function, void *queue, const ash__trsm *what, void **event);
    bool (*lapack_room)(const char *function, void *queue, const ash__lapack *what, size_t *nbytes, ash_status *status);
    ash_status (*lapack)(const char *function, void *queue, const ash__lapack *what, void **event);
} ash__driver;
#endif
