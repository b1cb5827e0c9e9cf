/*
 * array.h - the array object: a buffer seen through dtype, shape, strides, an offset, and two flags.
 *
 * Shape and dtype never change. A view holds its parent, and with it the buffer; releasing a chain of views is a loop.
 */
#ifndef ASH__ARRAY_H
#define ASH__ARRAY_H
#include "ashlar/array.h"
#include "core/buffer.h"
#include "core/counted.h"
#include "core/device.h"
#include "core/dtype.h"
#include "core/shape.h"

struct ash_array {
    ash__counted counted;
    ash_dtype dtype;
    ash_storage storage;
    bool conjugated;           /* an adjoint: elements are the conjugates of what lies in memory */
    bool readonly;
    bool view;                 /* made from another array: writes go there */
    bool released;             /* by ash_discard: every use but release and printing is an error */
    bool whole_strides;        /* every stride is a whole number of elements */
    int32_t rank;
    uint64_t serial;           /* ash__serial; 0 once discarded */
    ash__buffer *buffer;
    ash_resources *resources;
    _Atomic(ash_array *) parent; /* of a view: held. Else the flat vector over the buffer, made when first asked for */
    int64_t size;              /* elements */
    int64_t offset;            /* bytes from buffer->data to the first element */
    const int64_t *shape, *stride,
        *element_stride; /* in dims; stride in bytes, element_stride in elements (0s when not whole) */
    int64_t dims[];
};

/* What a new array is to be; zero fields are defaults. */
typedef struct ash__make {
    ash_resources *resources;
    ash_dtype dtype;           /* default f32 */
    ash_layout layout;         /* default row-major */
    ash_storage storage;
    ash_memory *memory;
} ash__make;

/* A new array in the innermost scope, elements uninitialised: checks shape, dtype gate, storage. NULL with an error. */
ash_array *ash__array_new(const char *function, ash_dims shape, const ash__make *make);
/* The same with the shape and strides of `like`, whose elements are as large and lie side by side, and with its memory backend;
 * the pool's memory where that is lent. */
ash_array *ash__array_alike(const char *function, const ash_array *like, ash_dtype dtype, ash_storage storage);
/* A handle over a buffer, which gains a reference. Not a view unless parent is given (which gains a reference).
 * stride in bytes. Shape must have been checked. */
ash_array *ash__array_over(const char *function, ash__buffer *buffer, ash_resources *resources, ash_storage storage,
                           ash_dtype dtype, const int64_t *shape, const int64_t *stride, int64_t rank, int64_t offset,
                           const ash_array *parent);
/* A view of a with another shape: conjugation, storage, resources and read-only are a's. The bytes must lie inside a. */
ash_array *ash__view(const char *function, const ash_array *a, ash_dtype dtype, const int64_t *shape, const int64_t *stride,
                     int64_t rank, int64_t offset);

/* NULL (passing on a pending error), released, or fine. name: "a", or what the documentation calls the argument. */
ash_status ash__check_array(const char *function, const char *name, const ash_array *a);
/* The same, and writable. */
ash_status ash__check_writable(const char *function, const char *name, const ash_array *a);
/* As ash__check_array, and matrices along the last two axes. */
ash_status ash__check_matrices(const char *function, const char *name, const ash_array *a, bool square);

static inline char *ash__data(const ash_array *a) { return (char *)a->buffer->data + a->offset; }
static inline const ash_device *ash__device(const ash_array *a) { return a->resources->device; }
/* The layout of a result like a: its own; row-major when it is strided or both. */
ash_layout ash__layout_like(const ash_array *a);
static inline ash_dims ash__dims(const ash_array *a) { return (ash_dims){a->shape, a->rank}; }
/* Do the bytes of a and b overlap (by the extents of their strides, so "perhaps")? */
bool ash__may_overlap(const ash_array *a, const ash_array *b);

/* Ends a handle whose last reference is gone; its parent is the caller's business. */
void ash__array_free(ash_array *a);
/* Ends an array whose last reference is gone, and the parents that only it held. */
void ash__array_end(ash__counted *a);

/* A new array is given to the innermost scope, if any. Returns a; on failure (memory) releases it and returns NULL. */
static inline ash_array *ash__scope_hold(const char *function, ash_array *a)
{
    return (ash_array *)(void *)ash__counted_give(function, (ash__counted *)(void *)a); /* counted is the first member */
}
#endif
