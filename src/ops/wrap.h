/* wrap.h - arrays over memory that somebody else owns. */
#ifndef ASH__WRAP_H
#define ASH__WRAP_H
#include "core/array.h"

typedef struct ash__foreign {
    void *data;      /* the first element; NULL only for an empty array */
    ash_dtype dtype; /* has been checked, as the shape has */
    ash_dims shape;
    const int64_t *stride; /* in elements; NULL: dense in that layout */
    ash_layout layout;
    bool readonly, deferred;
    void (*deleter)(void *context);
    void *context;
} ash__foreign;

/* An array over that memory, in shared storage, or private where it is memory of the device that the host does not reach;
 * strides, addresses and alignment are checked here. After a failure the memory is still the caller's and the deleter is not
 * called. */
ash_array *ash__wrap(const char *function, ash_resources *resources, const ash__foreign *foreign);
#endif
