/* array.h - arrays: ownership, making them, what they are, their elements, copies and conversions, printing. */
#ifndef ASHLAR_ARRAY_H
#define ASHLAR_ARRAY_H
#include "base.h"
ASH__BEGIN

/* ---- options: struct_size first, resources second, 0 = not given */
typedef struct ash_make_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
} ASH__KEYWORDS ash_make_options;

typedef struct ash_like_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    ash_dims shape;
} ASH__KEYWORDS ash_like_options;

typedef struct ash_range_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    ash_operand step; /* default 1 */
} ASH__KEYWORDS ash_range_options;

typedef struct ash_linspace_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    bool exclusive; /* leave the end out */
} ASH__KEYWORDS ash_linspace_options;

typedef struct ash_eye_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    int64_t columns;   /* 0: as many as rows; ash_eye with no column at all is ash_zeros */
    int64_t diagonal;  /* above (positive) or below (negative) the main one */
    ash_operand value; /* default 1 */
} ASH__KEYWORDS ash_eye_options;

typedef struct ash_convert_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* ash_convert takes it as an argument and not here */
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    bool exact;       /* any change of value is an error */
    ash_dims strides; /* of the host data, in its elements; default row-major; data points to the first element */
} ASH__KEYWORDS ash_convert_options;

typedef struct ash_wrap_options {
    size_t struct_size;
    ash_resources *resources;
    ash_layout layout;
    ash_dims strides; /* elements; default by layout */
    bool readonly;
    bool deferred; /* the deleter is not called: its context waits for ash_deferred */
    void (*deleter)(void *context);
    void *context;
} ASH__KEYWORDS ash_wrap_options;

typedef enum ash_infer { ASH_INFER_SAME = 1, ASH_INFER_NUMBER = 2 } ash_infer;
typedef struct ash_collect_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    ash_dims shape;
    int64_t limit; /* the most elements taken; default 2^26 where neither a length nor a shape says how many come */
    int infer;     /* an ash_infer */
    bool exact;
    ash_dtype (*on_empty)(void *context); /* the dtype where there is neither .dtype nor an element */
    void *context;
} ASH__KEYWORDS ash_collect_options;

typedef struct ash_fill_options {
    size_t struct_size;
    ash_resources *resources;
    bool exact;
} ASH__KEYWORDS ash_fill_options;

typedef struct ash_copy_options {
    size_t struct_size;
    ash_resources *resources;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
} ASH__KEYWORDS ash_copy_options;

typedef struct ash_contiguous_options {
    size_t struct_size;
    ash_resources *resources;
    ash_layout layout; /* default row-major */
} ASH__KEYWORDS ash_contiguous_options;

typedef struct ash_copy_into_options {
    size_t struct_size;
    ash_resources *resources;
    bool exact;
} ASH__KEYWORDS ash_copy_into_options;

/* ---- ownership */
/**
 * Ends a reference to an array: one of the caller's or, when only scopes hold it, theirs, early. Any thread; never waits, never
 * sets an error.
 *
 * @param a  NULL is fine.
 */
ASH_API void ash_release(ash_array *a);

/**
 * One more reference, which no scope owns.
 *
 * Shape   that of a.
 * Dtype   that of a.
 *
 * @param a  borrowed.
 * @return   a, the caller's; NULL with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_array *ash_retain(const ash_array *a);

/**
 * The array once more, held as a new array is: what a function returns that may give back its argument.
 *
 * Shape   that of a.
 * Dtype   that of a.
 *
 * @param a  borrowed.
 * @return   a, the innermost scope's or the caller's; NULL with ASH_ERR_ARGUMENT or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_share(const ash_array *a);

/**
 * Moves an array out of a scope, and those inside it, to the one around it or else to the caller.
 *
 * Shape   that of a.
 * Dtype   that of a.
 *
 * @param scope  from ASH_SCOPE or ash_scope_open.
 * @param a      NULL is passed on; an array that these scopes do not hold stays where it is.
 * @return       a, the caller's or the outer scope's now; NULL when a is.
 */
ASH_API ash_array *ash_keep(int64_t scope, ash_array *a);

/**
 * The array in *slot becomes a, held as the array in *slot was, and that one ends: a loop over it keeps one array.
 *
 * @param slot  not NULL; *slot may be.
 * @param a     may be NULL.
 */
ASH_API void ash_replace(ash_array **slot, ash_array *a);

/**
 * Gives the storage back now. The handle stays; every use of it but release and printing is ASH_ERR_RELEASED. Other arrays over
 * the same memory stay valid. Twice is fine.
 *
 * @param a  its own elements end.
 * @return   ASH_OK, ASH_ERR_ARGUMENT, or the fault of work that a waited for.
 */
ASH_API ash_status ash_discard(ash_array *a);

/**
 * Opens a scope on this thread: arrays made from now on are released when it closes. ASH_SCOPE(name); does it for a block.
 *
 * @return  the scope's number; -1 with ASH_ERR_MEMORY.
 */
ASH_API int64_t ash_scope_open(void);

/**
 * Opens a scope that holds nothing: inside it, arrays belong to the caller whatever scopes are open outside.
 *
 * @return  the scope's number; -1 with ASH_ERR_MEMORY.
 */
ASH_API int64_t ash_scope_open_barrier(void);

/**
 * Closes a scope and all inside it, and ends what they hold. Never fails.
 *
 * @param scope  its number; an unknown or closed one does nothing.
 */
ASH_API void ash_scope_close(int64_t scope);

/**
 * How many array handles exist, on all threads.
 *
 * @return  a count, for tests and for finding leaks.
 */
ASH_API int64_t ash_live_arrays(void);

/**
 * Contexts of foreign memory (ash_wrap with .deferred) that no array needs any more, each once.
 *
 * @param contexts  count places.
 * @param count     how many fit.
 * @return          how many were written.
 */
ASH_API int64_t ash_deferred(void **contexts, int64_t count);

/* ---- making arrays */
/**
 * A new array whose elements are not initialised.
 *
 * Shape   the one given, rank 0 to 32.
 * Dtype   .dtype, default f32; any the device can compute.
 *
 * @param shape    sizes >= 0.
 * @param options  .dtype .layout .storage .resources .memory.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT,
 *                 ASH_ERR_DEVICE or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_empty_opt(ash_dims shape, const ash_make_options *options ASH__DEFAULT);

/**
 * A new array of zeros; of records: of zero bytes.
 *
 * Shape   the one given, rank 0 to 32.
 * Dtype   .dtype, default f32; any the device can compute.
 *
 * @param shape    sizes >= 0.
 * @param options  .dtype .layout .storage .resources .memory.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_empty.
 */
ASH_API ash_array *ash_zeros_opt(ash_dims shape, const ash_make_options *options ASH__DEFAULT);

/**
 * A new array of ones.
 *
 * Shape   the one given, rank 0 to 32.
 * Dtype   .dtype, default f32; any but a record.
 *
 * @param shape    sizes >= 0.
 * @param options  .dtype .layout .storage .resources .memory.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_empty.
 */
ASH_API ash_array *ash_ones_opt(ash_dims shape, const ash_make_options *options ASH__DEFAULT);

/**
 * A new array of one value.
 *
 * Shape   the one given, rank 0 to 32.
 * Dtype   .dtype, default the value's.
 * Exact   the value is converted as host data are: toward zero; what does not fit is ASH_ERR_VALUE.
 *
 * @param shape    sizes >= 0.
 * @param value    a scalar, or an array of one element; borrowed.
 * @param options  .dtype .layout .storage .resources .memory.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE or an error as from ash_empty.
 */
ASH_API ash_array *ash_fill_new_opt(ash_dims shape, const ash_operand *value, const ash_make_options *options ASH__DEFAULT);

/**
 * Stores one value into every element.
 *
 * Dtype   that of a; the value is converted as host data are.
 *
 * @param a        written; any strides; untouched after a failure.
 * @param value    a scalar, or an array of one element; borrowed.
 * @param options  .exact: a value that would change is refused.
 * @return         ASH_OK, ASH_ERR_VALUE, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (read-only) or ASH_ERR_RELEASED.
 */
ASH_API ash_status ash_fill_opt(ash_array *a, const ash_operand *value, const ash_fill_options *options ASH__DEFAULT);

/**
 * A new array like another one, elements not initialised.
 *
 * Shape   .shape, default that of a.
 * Dtype   .dtype, default that of a.
 *
 * @param a        borrowed; gives device, layout (strided: row-major), storage and memory backend (foreign: the pool).
 * @param options  .shape .dtype .layout .storage .resources .memory override.
 * @return         a new array with memory of its own, its scope's or the caller's; NULL with an error as from ash_empty.
 */
ASH_API ash_array *ash_like_opt(const ash_array *a, const ash_like_options *options ASH__DEFAULT);

/**
 * Numbers at equal distances: start, start + step ... before stop.
 *
 * Shape   (ceil((stop - start)/step)), or (0).
 * Dtype   .dtype; else i64 for integers, and for floats the promotion of the three.
 * Exact   each element is start + i*step, in i64 or in f64 rounded once.
 *
 * @param start    a real scalar.
 * @param stop     a real scalar, itself left out.
 * @param options  .step (default 1, not 0), .dtype .layout .storage .resources .memory.
 * @return         a new vector, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT, ASH_ERR_VALUE (an element does not fit
 *                 the dtype) or as from ash_empty.
 */
ASH_API ash_array *ash_range_opt(const ash_operand *start, const ash_operand *stop,
                                 const ash_range_options *options ASH__DEFAULT);

/**
 * Numbers at equal distances from start to stop, count of them.
 *
 * Shape   (count).
 * Dtype   .dtype, default f32.
 * Exact   element i is start + i*(stop - start)/(count - 1) in f64, rounded once; the last is stop itself.
 *
 * @param start    first element.
 * @param stop     last element, or with .exclusive the one after it.
 * @param count    >= 0; 1 gives start.
 * @param options  .exclusive, .dtype .layout .storage .resources .memory.
 * @return         a new vector, its scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_VALUE or an error as from
 *                 ash_empty.
 */
ASH_API ash_array *ash_linspace_opt(double start, double stop, int64_t count, const ash_linspace_options *options ASH__DEFAULT);

/**
 * A matrix with one value on a diagonal and zeros elsewhere.
 *
 * Shape   (rows, .columns), default square.
 * Dtype   .dtype; else that of .value; else f32.
 *
 * @param rows     >= 0.
 * @param options  .columns, .diagonal (above when positive), .value (default 1), .dtype .layout .storage .resources .memory.
 * @return         a new matrix, its scope's or the caller's; NULL with ASH_ERR_VALUE or an error as from ash_empty.
 */
ASH_API ash_array *ash_eye_opt(int64_t rows, const ash_eye_options *options ASH__DEFAULT);

/**
 * A new array with the values of host data.
 *
 * Shape   the one given; data are read in row-major order whatever the array's layout, or by .strides.
 * Dtype   .dtype, default the data's.
 * Exact   truncating toward zero; a value that the dtype cannot hold, NaN or an infinity for an integer, a finite number too
 *         large for a float are ASH_ERR_VALUE naming the element. With .exact any change of value is.
 *
 * @param data     borrowed for the call; its first element; NULL is fine when there is none.
 * @param dtype    of the data.
 * @param shape    sizes >= 0.
 * @param options  .strides of the data in elements (may be negative), .exact, .dtype .layout .storage .resources .memory.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE or an error as from ash_empty.
 */
ASH_API ash_array *ash_from_host_opt(const void *data, ash_dtype dtype, ash_dims shape,
                                     const ash_convert_options *options ASH__DEFAULT);

/**
 * A matrix from rows of host data: ash_from_rows(ASH_ROWS(ASH_ROW(double, 1, 2), ASH_ROW(double, 3, 4))).
 *
 * Shape   (rows, elements of row 0).
 * Dtype   .dtype, default the promotion of the rows' dtypes.
 * Exact   as ash_from_host.
 *
 * @param rows     borrowed for the call.
 * @param options  .exact, .dtype .layout .storage .resources .memory.
 * @return         a new matrix, its scope's or the caller's; NULL with ASH_ERR_SHAPE naming the row of another length,
 *                 ASH_ERR_VALUE or as from ash_empty.
 */
ASH_API ash_array *ash_from_rows_opt(ash_rows rows, const ash_convert_options *options ASH__DEFAULT);

/**
 * An array over memory that the program owns; nothing is copied.
 *
 * Shape   must take all count elements; one size may be ASH_INFER.
 * Dtype   the one given.
 *
 * @param data     the first element, aligned as the dtype's C type; it must stay valid until the last array over it has gone.
 *                 NULL is fine when count is 0. On a CUDA device it may be a device pointer (docs/cuda.md).
 * @param dtype    of the elements.
 * @param count    how many elements there are.
 * @param shape    sizes of the array.
 * @param options  .layout, or .strides in elements (negative ones reach before data); .readonly; .deleter, called once with
 *                 .context on any thread when the last array has gone, never at the process's end; .deferred: see ash_deferred.
 * @return         an array over data, in shared storage, over CUDA's own memory in private; after a failure the memory is the
 *                 caller's and the deleter is not called. NULL with ASH_ERR_SHAPE, ASH_ERR_ARGUMENT (two sizes to infer,
 *                 misaligned), ASH_ERR_DTYPE, ASH_ERR_MEMORY; of CUDA's memory ASH_ERR_DEVICE, when it is another device's.
 */
ASH_API ash_array *ash_wrap_opt(void *data, ash_dtype dtype, int64_t count, ash_dims shape,
                                const ash_wrap_options *options ASH__DEFAULT);

/**
 * A new array of what an iterator gives.
 *
 * Shape   .shape, which must take all elements in row-major order, with at most one size ASH_INFER; default a vector.
 * Dtype   .dtype; else the one dtype of all elements; with .infer = ASH_INFER_NUMBER i64 for integers and f64 for other real
 *         numbers or nothing at all. Of no elements it is what .on_empty gives for .context, if that is not 0.
 * Exact   as ash_from_host.
 *
 * @param iterator  called until it returns 0, or has given more elements than its length, the shape or .limit allows; a length
 *                  other than -1 must be true.
 * @param options   .dtype .infer .on_empty .context .shape .limit .exact .layout .storage .resources .memory.
 * @return          a new array, its scope's or the caller's; NULL with ASH_ERR_DTYPE (nothing to infer from, or several
 *                  dtypes), ASH_ERR_SHAPE, ASH_ERR_VALUE, ASH_ERR_ARGUMENT (the iterator gave up) or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_collect_opt(const ash_iterator *iterator, const ash_collect_options *options ASH__DEFAULT);

/* ---- copies and conversions */
/**
 * Copies the elements to host memory, in row-major order, in their own dtype. Waits; works for private arrays.
 *
 * Units   bytes.
 *
 * @param a       borrowed.
 * @param data    written; unspecified contents after a failure while copying.
 * @param nbytes  exactly ash_nbytes(a).
 * @return        ASH_OK, ASH_ERR_SHAPE (other size), ASH_ERR_ARGUMENT, ASH_ERR_RELEASED, or the fault of work that a waited
 *                for.
 */
ASH_API ash_status ash_to_host(const ash_array *a, void *data, size_t nbytes);

/**
 * The same, converted to another dtype.
 *
 * Exact   as ash_from_host; .exact refuses any change of value.
 * Units   bytes.
 *
 * @param a        borrowed.
 * @param data     written.
 * @param nbytes   exactly ash_size(a) elements of dtype.
 * @param dtype    of the host data.
 * @param options  .exact.
 * @return         ASH_OK, ASH_ERR_VALUE, or as ash_to_host.
 */
ASH_API ash_status ash_to_host_as_opt(const ash_array *a, void *data, size_t nbytes, ash_dtype dtype,
                                      const ash_convert_options *options ASH__DEFAULT);

/**
 * A new array with the same elements; always copies.
 *
 * Shape   that of a.
 * Dtype   that of a.
 *
 * @param a        borrowed; gives device, layout (strided: row-major), storage and memory backend.
 * @param options  .layout .storage .resources .memory override.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_MEMORY, ASH_ERR_DEVICE, ASH_ERR_ARGUMENT or
 *                 ASH_ERR_RELEASED.
 */
ASH_API ash_array *ash_copy_opt(const ash_array *a, const ash_copy_options *options ASH__DEFAULT);

/**
 * Copies all elements of a into the first places of out, both in row-major order. Overlap is as if a had been copied first.
 *
 * Shape   any; out must have at least as many elements.
 * Dtype   converted as ash_from_host does.
 *
 * @param out      written; untouched after a failure.
 * @param a        borrowed.
 * @param options  .exact.
 * @return         ASH_OK, ASH_ERR_BOUNDS (out is smaller), ASH_ERR_VALUE, ASH_ERR_DEVICE, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_copy_into_opt(ash_array *out, const ash_array *a, const ash_copy_into_options *options ASH__DEFAULT);

/**
 * Copies count elements, from `start` on in a to `out_start` on in out, positions in row-major order. Overlap is as if a had
 * been copied first.
 *
 * Dtype   converted as ash_from_host does.
 *
 * @param out        written; untouched after a failure.
 * @param out_start  position of the first element written.
 * @param a          borrowed.
 * @param start      position of the first element read.
 * @param count      >= 0; with 0 nothing is done, wherever the starts point.
 * @return           ASH_OK, ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT (negative count), or as ash_copy_into.
 */
ASH_API ash_status ash_copy_range(ash_array *out, int64_t out_start, const ash_array *a, int64_t start, int64_t count);

/**
 * The array with another dtype. Gives a itself back, shared, when it has the dtype (and layout, storage, memory) already.
 *
 * Shape   that of a.
 * Dtype   the one given.
 * Exact   as ash_from_host.
 *
 * @param a        borrowed.
 * @param dtype    of the result.
 * @param options  .exact .layout .storage .resources .memory.
 * @return         a new array, or a shared; its scope's or the caller's. NULL with ASH_ERR_VALUE naming the element,
 *                 ASH_ERR_DTYPE, or as ash_copy.
 */
ASH_API ash_array *ash_convert_opt(const ash_array *a, ash_dtype dtype, const ash_convert_options *options ASH__DEFAULT);

/**
 * The array dense in a layout. Gives a itself back, shared, when it is so already (and not conjugated).
 *
 * Shape   that of a.
 * Dtype   that of a.
 *
 * @param a        borrowed.
 * @param options  .layout, default row-major.
 * @return         a new array, or a shared; its scope's or the caller's. NULL with ASH_ERR_MEMORY, ASH_ERR_ARGUMENT or
 *                 ASH_ERR_RELEASED.
 */
ASH_API ash_array *ash_contiguous_opt(const ash_array *a, const ash_contiguous_options *options ASH__DEFAULT);

/**
 * Is the array dense in a layout? Axes of size 1 do not count; an empty array is dense in both.
 *
 * @param a        borrowed.
 * @param options  .layout, default row-major.
 * @return         false also with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API bool ash_is_contiguous_opt(const ash_array *a, const ash_contiguous_options *options ASH__DEFAULT);

/* ---- what an array is */
/**
 * How many axes.
 *
 * @param a  borrowed.
 * @return   0 to 32; -1 with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API int64_t ash_rank(const ash_array *a);

/**
 * How many elements.
 *
 * @param a  borrowed.
 * @return   the product of the sizes; -1 with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API int64_t ash_size(const ash_array *a);

/**
 * Bytes of all elements; of a view too, whatever lies between them.
 *
 * Units   bytes.
 *
 * @param a  borrowed.
 * @return   size times the dtype's bytes; 0 with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API size_t ash_nbytes(const ash_array *a);

/**
 * The sizes of the axes.
 *
 * @param a  borrowed.
 * @return   borrowed as long as a lives; never NULL: 32 times -1 with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API const int64_t *ash_shape(const ash_array *a);

/**
 * Elements from one element to the next along each axis; 0s for an empty array.
 *
 * Units   elements.
 *
 * @param a  borrowed.
 * @return   borrowed as long as a lives; never NULL: 32 times -1 with ASH_ERR_VALUE (a step is no whole number of elements),
 *           ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API const int64_t *ash_strides(const ash_array *a);

/**
 * The same in bytes, which always works.
 *
 * Units   bytes.
 *
 * @param a  borrowed.
 * @return   borrowed as long as a lives; never NULL: 32 times -1 with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API const int64_t *ash_byte_strides(const ash_array *a);

/**
 * The shape as an argument: ash_empty(ash_dims_of(x)).
 *
 * @param a  borrowed.
 * @return   borrowed as long as a lives; rank -1 with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED, which whatever takes it refuses.
 */
ASH_API ash_dims ash_dims_of(const ash_array *a);

/**
 * The shape as text, "(2, 3)", for messages.
 *
 * @param a  borrowed.
 * @return   this thread's, good for the next three calls; "(unknown)" with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API const char *ash_shape_text(const ash_array *a);

/**
 * The element type.
 *
 * @param a  borrowed.
 * @return   ASH_DTYPE_DEFAULT with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API ash_dtype ash_dtype_of(const ash_array *a);

/**
 * The layout, read off the strides: row-major when that holds (also when both do), else column-major, else strided.
 *
 * @param a  borrowed.
 * @return   ASH_LAYOUT_DEFAULT with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API ash_layout ash_layout_of(const ash_array *a);

/**
 * "row-major", "col-major" or "strided".
 *
 * @param layout  any number.
 * @return        a constant text; "unknown" for others.
 */
ASH_API const char *ash_layout_name(ash_layout layout);

/**
 * Shared or private.
 *
 * @param a  borrowed.
 * @return   ASH_STORAGE_DEFAULT with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API ash_storage ash_storage_of(const ash_array *a);

/**
 * The device that holds the elements.
 *
 * @param a  borrowed.
 * @return   borrowed for the process's life; NULL with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API const ash_device *ash_device_of(const ash_array *a);

/**
 * The resources the array was made with.
 *
 * @param a  borrowed.
 * @return   borrowed as long as a lives; NULL with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API ash_resources *ash_resources_of(const ash_array *a);

/**
 * The memory backend of the elements.
 *
 * @param a  borrowed.
 * @return   borrowed; NULL for foreign memory, and with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API ash_memory *ash_memory_of(const ash_array *a);

/**
 * Was the array made from another one, so that writes go there? Slices, transposes and the like are.
 *
 * @param a  borrowed.
 * @return   false also with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API bool ash_is_view(const ash_array *a);

/**
 * Is writing refused: a mapped file, lent const memory, a broadcast?
 *
 * @param a  borrowed.
 * @return   false also with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API bool ash_is_readonly(const ash_array *a);

/**
 * The array a view was made from; of an array that is no view, a vector over its whole buffer (itself when it is that).
 *
 * Shape   that of the other array, or a vector.
 * Dtype   that of the other array.
 *
 * @param a  borrowed.
 * @return   borrowed as long as a lives; NULL with ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_parent(const ash_array *a);

/**
 * Equal ranks and sizes? Layout and dtype do not matter.
 *
 * @param a  borrowed.
 * @param b  borrowed.
 * @return   false also with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API bool ash_same_shape(const ash_array *a, const ash_array *b);

/**
 * Do the bytes that two arrays span overlap? Strided arrays that interleave count as overlapping.
 *
 * @param a  borrowed.
 * @param b  borrowed.
 * @return   false also with ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API bool ash_shares_memory(const ash_array *a, const ash_array *b);

/* ---- elements: the value converts exactly to the C type, else it is a value error */
/**
 * One element as a C value: ash_get_f32(a, i, j) is ash_get_f32_at(a, (int64_t[]){i, j}, 2). Waits for a.
 *
 * Dtype   any but a record.
 * Exact   the value itself; one that the C type cannot hold exactly is ASH_ERR_VALUE.
 *
 * @param a      borrowed.
 * @param index  0 to size - 1 for each axis; negative ones are out of bounds.
 * @param count  the rank of a; more are fine where all of the others are 0.
 * @return       the element; 0, NaN or false with ASH_ERR_BOUNDS, ASH_ERR_VALUE, ASH_ERR_SCALAR_ACCESS (private array),
 *               ASH_ERR_ARGUMENT, ASH_ERR_DTYPE, ASH_ERR_RELEASED, or the fault of work that a waited for.
 */
ASH_API bool ash_get_bool_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API int8_t ash_get_i8_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API int16_t ash_get_i16_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API int32_t ash_get_i32_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API int64_t ash_get_i64_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API uint8_t ash_get_u8_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API uint16_t ash_get_u16_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API uint32_t ash_get_u32_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API uint64_t ash_get_u64_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API float ash_get_f32_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API double ash_get_f64_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API ash_complex_f32 ash_get_c_f32_at(const ash_array *a, const int64_t *index, int64_t count);
ASH_API ash_complex_f64 ash_get_c_f64_at(const ash_array *a, const int64_t *index, int64_t count);

/**
 * Stores one element: ash_set_f32(a, value, i, j). Waits for a.
 *
 * Dtype   any but a record.
 * Exact   converted as ash_from_host does: toward zero; what does not fit is ASH_ERR_VALUE.
 *
 * @param a      written; untouched after a failure.
 * @param value  of the element.
 * @param index  0 to size - 1 for each axis; negative ones are out of bounds.
 * @param count  the rank of a; more are fine where all of the others are 0.
 * @return       ASH_OK, ASH_ERR_BOUNDS, ASH_ERR_VALUE, ASH_ERR_SCALAR_ACCESS (private array), ASH_ERR_ARGUMENT (read-only),
 *               ASH_ERR_DTYPE, ASH_ERR_RELEASED, or the fault of work that a waited for.
 */
ASH_API ash_status ash_set_bool_at(ash_array *a, bool value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_i8_at(ash_array *a, int8_t value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_i16_at(ash_array *a, int16_t value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_i32_at(ash_array *a, int32_t value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_i64_at(ash_array *a, int64_t value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_u8_at(ash_array *a, uint8_t value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_u16_at(ash_array *a, uint16_t value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_u32_at(ash_array *a, uint32_t value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_u64_at(ash_array *a, uint64_t value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_f32_at(ash_array *a, float value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_f64_at(ash_array *a, double value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_c_f32_at(ash_array *a, ash_complex_f32 value, const int64_t *index, int64_t count);
ASH_API ash_status ash_set_c_f64_at(ash_array *a, ash_complex_f64 value, const int64_t *index, int64_t count);

/**
 * The one element of an array of size 1, of any rank: ash_item(a, float). A copy: waits, and works for private arrays.
 *
 * Dtype   any but a record.
 * Exact   the value itself; one that the C type cannot hold exactly is ASH_ERR_VALUE.
 *
 * @param a  borrowed.
 * @return   the element; 0, NaN or false with ASH_ERR_SHAPE (another size), ASH_ERR_VALUE, ASH_ERR_ARGUMENT, ASH_ERR_DTYPE,
 *           ASH_ERR_RELEASED, or the fault of work that a waited for.
 */
ASH_API bool ash_item_bool(const ash_array *a);
ASH_API int8_t ash_item_i8(const ash_array *a);
ASH_API int16_t ash_item_i16(const ash_array *a);
ASH_API int32_t ash_item_i32(const ash_array *a);
ASH_API int64_t ash_item_i64(const ash_array *a);
ASH_API uint8_t ash_item_u8(const ash_array *a);
ASH_API uint16_t ash_item_u16(const ash_array *a);
ASH_API uint32_t ash_item_u32(const ash_array *a);
ASH_API uint64_t ash_item_u64(const ash_array *a);
ASH_API float ash_item_f32(const ash_array *a);
ASH_API double ash_item_f64(const ash_array *a);
ASH_API ash_complex_f32 ash_item_c_f32(const ash_array *a);
ASH_API ash_complex_f64 ash_item_c_f64(const ash_array *a);

/**
 * The address of the first element, for reading and writing from the host; waits. Strides are ash_byte_strides. A conjugated
 * array's memory holds the conjugates.
 *
 * @param a  borrowed; writing to a read-only array's memory is not allowed.
 * @return   good until ash_unmap_host or the end of a; NULL with ASH_ERR_SCALAR_ACCESS (private, unless scalar access is
 *           allowed), ASH_ERR_ARGUMENT, ASH_ERR_RELEASED, or the fault of work that a waited for.
 */
ASH_API void *ash_map_host(ash_array *a);

/**
 * Ends host access by ash_map_host.
 *
 * @param a  borrowed.
 * @return   ASH_OK, ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API ash_status ash_unmap_host(ash_array *a);

/* ---- printing */
/**
 * Writes the array as text and a newline to stdout: dtype, shape, layout, device, elements; long axes are cut. Works for
 * private arrays, and for discarded ones; docs/printing.md has the rules.
 *
 * @param a  borrowed; waits for its elements.
 * @return   ASH_OK, ASH_ERR_IO, or ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_status ash_print(const ash_array *a);
#ifndef ASHLAR_CDEF

/**
 * The same to a stream.
 *
 * @param stream  written.
 * @param a       borrowed.
 * @return        ASH_OK, ASH_ERR_IO, or ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_status ash_fprint(FILE *stream, const ash_array *a);
#endif

/**
 * The same to a buffer, without the newline, as snprintf: what does not fit is left out.
 *
 * Units   bytes.
 *
 * @param buffer  written, always ended by a 0 when size > 0; may be NULL when size is 0.
 * @param size    bytes of buffer.
 * @param a       borrowed.
 * @return        bytes the whole text needs, without the 0; 0 with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API size_t ash_format(char *buffer, size_t size, const ash_array *a);

ASH__END

#ifndef ASHLAR_CDEF
#ifdef __cplusplus
struct ash__scope_guard {
    int64_t scope;
    ash__scope_guard() : scope(ash_scope_open()) {}
    ~ash__scope_guard() { ash_scope_close(scope); }
    operator int64_t() const { return scope; }
    ash__scope_guard(const ash__scope_guard &) = delete;
    ash__scope_guard &operator=(const ash__scope_guard &) = delete;
};
#define ASH_SCOPE(name) ash__scope_guard name
#else
/* Scopes: a declaration with a name; it acts until the closing brace of the block it stands in. */
ASH__INLINE void ash__scope_end(int64_t *scope) { ash_scope_close(*scope); }
#define ASH_SCOPE(name) ASH__UNTIL_BRACE(name, ash__scope_end) = ash_scope_open()

/* Vectors from literals. Floats go through double, so that 0.1 is as good as 0.1f; the store checks the range. */
#define ASH__VECTOR(dtype, host, T, ...) ash__vector(dtype, host, ASH__LIST(T, __VA_ARGS__))
ASH__INLINE ash_array *ash__vector(ash_dtype dtype, ash_dtype host, const void *data, int64_t count)
{
    const ash_convert_options options = {.dtype = dtype, .struct_size = sizeof options};
    return ash_from_host_opt(data, host, (ash_dims){&count, 1}, &options);
}
#define ash_bool(...) ASH__VECTOR(ASH_BOOL, ASH_BOOL, bool, __VA_ARGS__)
#define ash_i8(...) ASH__VECTOR(ASH_I8, ASH_I8, int8_t, __VA_ARGS__)
#define ash_i16(...) ASH__VECTOR(ASH_I16, ASH_I16, int16_t, __VA_ARGS__)
#define ash_i32(...) ASH__VECTOR(ASH_I32, ASH_I32, int32_t, __VA_ARGS__)
#define ash_i64(...) ASH__VECTOR(ASH_I64, ASH_I64, int64_t, __VA_ARGS__)
#define ash_u8(...) ASH__VECTOR(ASH_U8, ASH_U8, uint8_t, __VA_ARGS__)
#define ash_u16(...) ASH__VECTOR(ASH_U16, ASH_U16, uint16_t, __VA_ARGS__)
#define ash_u32(...) ASH__VECTOR(ASH_U32, ASH_U32, uint32_t, __VA_ARGS__)
#define ash_u64(...) ASH__VECTOR(ASH_U64, ASH_U64, uint64_t, __VA_ARGS__)
#define ash_f16(...) ASH__VECTOR(ASH_F16, ASH_F64, double, __VA_ARGS__)
#define ash_bf16(...) ASH__VECTOR(ASH_BF16, ASH_F64, double, __VA_ARGS__)
#define ash_f32(...) ASH__VECTOR(ASH_F32, ASH_F64, double, __VA_ARGS__)
#define ash_f64(...) ASH__VECTOR(ASH_F64, ASH_F64, double, __VA_ARGS__)
#define ash_c_f32(...) ASH__VECTOR(ASH_C_F32, ASH_C_F64, double _Complex, __VA_ARGS__)
#define ash_c_f64(...) ASH__VECTOR(ASH_C_F64, ASH_C_F64, double _Complex, __VA_ARGS__)

#define ASH__DTYPE_OF(T)                                                                                              \
    _Generic((T){0}, bool: ASH_BOOL, int8_t: ASH_I8, int16_t: ASH_I16, int32_t: ASH_I32, int64_t: ASH_I64,            \
             uint8_t: ASH_U8, uint16_t: ASH_U16, uint32_t: ASH_U32, uint64_t: ASH_U64, float: ASH_F32,                \
             double: ASH_F64, float _Complex: ASH_C_F32, double _Complex: ASH_C_F64)
#define ASH__ROW(T, ...)                                          \
    ((ash_row){(const T[]){0, __VA_ARGS__} + 1, ASH__DTYPE_OF(T), \
               (int64_t)(sizeof((const T[]){0, __VA_ARGS__}) / sizeof(T)) - 1})
#define ASH_ROW(...) ASH__ROW(__VA_ARGS__, ) /* ASH_ROW(double, 1, 2) or ASH_ROW(double) */
#define ASH_ROWS(...) \
    ((ash_rows){(const ash_row[]){__VA_ARGS__}, (int64_t)(sizeof((const ash_row[]){__VA_ARGS__}) / sizeof(ash_row))})

#define ash_empty(...) ASH__KW1(ash_empty_opt, ash_make_options, __VA_ARGS__, ASH_SIZED(ash_make_options))
#define ash_zeros(...) ASH__KW1(ash_zeros_opt, ash_make_options, __VA_ARGS__, ASH_SIZED(ash_make_options))
#define ash_ones(...) ASH__KW1(ash_ones_opt, ash_make_options, __VA_ARGS__, ASH_SIZED(ash_make_options))
#define ASH__FILL(f, T, a, value, ...) f(a, (const ash_operand[]){ASH_OPERAND(value)}, &(T){__VA_ARGS__})
#define ash_fill_new(...) ASH__FILL(ash_fill_new_opt, ash_make_options, __VA_ARGS__, ASH_SIZED(ash_make_options))
#define ash_fill(...) ASH__FILL(ash_fill_opt, ash_fill_options, __VA_ARGS__, ASH_SIZED(ash_fill_options))
#define ash_like(...) ASH__KW1(ash_like_opt, ash_like_options, __VA_ARGS__, ASH_SIZED(ash_like_options))
#define ASH__RANGE(start, stop, ...)                                                                     \
    ash_range_opt((const ash_operand[]){ASH_OPERAND(start)}, (const ash_operand[]){ASH_OPERAND(stop)}, \
                  &(ash_range_options){__VA_ARGS__})
#define ash_range(...) ASH__RANGE(__VA_ARGS__, ASH_SIZED(ash_range_options))
#define ash_linspace(...) ASH__KW3(ash_linspace_opt, ash_linspace_options, __VA_ARGS__, ASH_SIZED(ash_linspace_options))
#define ash_eye(...) ASH__KW1(ash_eye_opt, ash_eye_options, __VA_ARGS__, ASH_SIZED(ash_eye_options))
#define ash_from_host(...) ASH__KW3(ash_from_host_opt, ash_convert_options, __VA_ARGS__, ASH_SIZED(ash_convert_options))
#define ash_from_rows(...) ASH__KW1(ash_from_rows_opt, ash_convert_options, __VA_ARGS__, ASH_SIZED(ash_convert_options))
#define ash_wrap(...) ASH__KW4(ash_wrap_opt, ash_wrap_options, __VA_ARGS__, ASH_SIZED(ash_wrap_options))
#define ash_collect(...) ASH__KW1(ash_collect_opt, ash_collect_options, __VA_ARGS__, ASH_SIZED(ash_collect_options))
#define ash_to_host_as(...) ASH__KW4(ash_to_host_as_opt, ash_convert_options, __VA_ARGS__, ASH_SIZED(ash_convert_options))
#define ash_copy(...) ASH__KW1(ash_copy_opt, ash_copy_options, __VA_ARGS__, ASH_SIZED(ash_copy_options))
#define ash_copy_into(...) ASH__KW2(ash_copy_into_opt, ash_copy_into_options, __VA_ARGS__, ASH_SIZED(ash_copy_into_options))
#define ash_convert(...) ASH__KW2(ash_convert_opt, ash_convert_options, __VA_ARGS__, ASH_SIZED(ash_convert_options))
#define ash_contiguous(...) ASH__KW1(ash_contiguous_opt, ash_contiguous_options, __VA_ARGS__, ASH_SIZED(ash_contiguous_options))
#define ash_is_contiguous(...) \
    ASH__KW1(ash_is_contiguous_opt, ash_contiguous_options, __VA_ARGS__, ASH_SIZED(ash_contiguous_options))

/* Elements: ash_get_f32(a, i, j), ash_set_f32(a, value, i, j); no index for rank 0. */
#define ASH__GET(f, a, ...) f(a, ASH__LIST(int64_t, __VA_ARGS__))
#define ASH__SET(f, a, value, ...) f(a, value, ASH__LIST(int64_t, __VA_ARGS__))
#define ash_get_bool(...) ASH__GET(ash_get_bool_at, __VA_ARGS__, )
#define ash_get_i8(...) ASH__GET(ash_get_i8_at, __VA_ARGS__, )
#define ash_get_i16(...) ASH__GET(ash_get_i16_at, __VA_ARGS__, )
#define ash_get_i32(...) ASH__GET(ash_get_i32_at, __VA_ARGS__, )
#define ash_get_i64(...) ASH__GET(ash_get_i64_at, __VA_ARGS__, )
#define ash_get_u8(...) ASH__GET(ash_get_u8_at, __VA_ARGS__, )
#define ash_get_u16(...) ASH__GET(ash_get_u16_at, __VA_ARGS__, )
#define ash_get_u32(...) ASH__GET(ash_get_u32_at, __VA_ARGS__, )
#define ash_get_u64(...) ASH__GET(ash_get_u64_at, __VA_ARGS__, )
#define ash_get_f32(...) ASH__GET(ash_get_f32_at, __VA_ARGS__, )
#define ash_get_f64(...) ASH__GET(ash_get_f64_at, __VA_ARGS__, )
#define ash_get_c_f32(...) ASH__GET(ash_get_c_f32_at, __VA_ARGS__, )
#define ash_get_c_f64(...) ASH__GET(ash_get_c_f64_at, __VA_ARGS__, )
#define ash_set_bool(...) ASH__SET(ash_set_bool_at, __VA_ARGS__, )
#define ash_set_i8(...) ASH__SET(ash_set_i8_at, __VA_ARGS__, )
#define ash_set_i16(...) ASH__SET(ash_set_i16_at, __VA_ARGS__, )
#define ash_set_i32(...) ASH__SET(ash_set_i32_at, __VA_ARGS__, )
#define ash_set_i64(...) ASH__SET(ash_set_i64_at, __VA_ARGS__, )
#define ash_set_u8(...) ASH__SET(ash_set_u8_at, __VA_ARGS__, )
#define ash_set_u16(...) ASH__SET(ash_set_u16_at, __VA_ARGS__, )
#define ash_set_u32(...) ASH__SET(ash_set_u32_at, __VA_ARGS__, )
#define ash_set_u64(...) ASH__SET(ash_set_u64_at, __VA_ARGS__, )
#define ash_set_f32(...) ASH__SET(ash_set_f32_at, __VA_ARGS__, )
#define ash_set_f64(...) ASH__SET(ash_set_f64_at, __VA_ARGS__, )
#define ash_set_c_f32(...) ASH__SET(ash_set_c_f32_at, __VA_ARGS__, )
#define ash_set_c_f64(...) ASH__SET(ash_set_c_f64_at, __VA_ARGS__, )
#define ash_item(a, T)                                                                                                \
    _Generic((T){0}, bool: ash_item_bool, int8_t: ash_item_i8, int16_t: ash_item_i16, int32_t: ash_item_i32,          \
             int64_t: ash_item_i64, uint8_t: ash_item_u8, uint16_t: ash_item_u16, uint32_t: ash_item_u32,             \
             uint64_t: ash_item_u64, float: ash_item_f32, double: ash_item_f64)(a)
#endif
#endif
#endif
