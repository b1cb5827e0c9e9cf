/*
 * extend.h - for libraries that stand on this one: errors in its form, options of its kind, elements by their address.
 *
 * A function of such a library reads its options with ash_read_options, its arrays with ash_elements_of, and reports what is
 * wrong with ash_raise; then its failures look and travel as those of any function here. ashlar-mpi is made this way.
 */
#ifndef ASHLAR_EXTEND_H
#define ASHLAR_EXTEND_H
#include "base.h"
ASH__BEGIN

/* Where the elements of an array are, and how they lie. */
typedef struct ash_elements {
    void *first;                /* the element whose indices are all 0; NULL where the device has no addresses */
    const int64_t *shape;       /* rank sizes, borrowed from the array */
    const int64_t *byte_stride; /* rank strides, borrowed from the array */
    int64_t rank;
    int64_t size; /* elements; with 0 `first` points to nothing */
    ash_dtype dtype;
    ash_storage storage; /* ASH_PRIVATE: the device's own memory, not the host's to read */
    bool conjugated;     /* complex elements are the conjugates of what lies in memory */
} ash_elements;

/**
 * Reports a failure: it is pending on this thread as one of this library's own would be. While another one is pending, it is
 * only counted.
 *
 * @param status    why; a number that is none of a failure becomes ASH_ERR_INTERNAL.
 * @param function  copied: the public function that was called.
 * @param cause     copied: what was met and what was wanted; the text is "function: cause".
 * @return          status, so that a check can end in `return ash_raise(...)`: the one given, or ASH_ERR_INTERNAL.
 */
ASH_API ash_status ash_raise(ash_status status, const char *function, const char *cause);

/**
 * Copies what the caller's options struct has. What it lacks is 0; what the callee does not know yet must be 0.
 *
 * Units   bytes.
 *
 * @param function  named by an error.
 * @param to        written, all of it.
 * @param size      of *to. The struct begins with size_t struct_size and ash_resources *resources.
 * @param from      borrowed; NULL: all zeros.
 * @return          true; false with ASH_ERR_ARGUMENT (no struct_size) or ASH_ERR_UNSUPPORTED (an option that is newer).
 */
ASH_API bool ash_read_options(const char *function, void *to, size_t size, const void *from);

/**
 * Where the elements of an array are. Waits for the work on them.
 *
 * @param function  named by an error.
 * @param name      of the argument, named by an error.
 * @param a         borrowed; NULL passes a pending error on.
 * @param writes    elements are to be written: a read-only array is refused.
 * @param elements  filled in; good as long as a. Untouched after a failure.
 * @param size      sizeof *elements as the caller knows it.
 * @return          ASH_OK, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED, or the fault of work that a waited for.
 */
ASH_API ash_status ash_elements_of(const char *function, const char *name, const ash_array *a, bool writes,
                                   ash_elements *elements, size_t size);

ASH__END
#endif
