/*
 * view.h - what `with-array-views` of ashlar/unsafe gives to C code: where the elements of an array are and how they lie.
 *
 * A view is good inside the body of the form. Afterwards it is cleared: no data, memory and device -1.
 */
#ifndef ASHLAR_VIEW_H
#define ASHLAR_VIEW_H
#include <stdint.h>

enum { ASHLAR_VIEW_F32, ASHLAR_VIEW_F64, ASHLAR_VIEW_I32, ASHLAR_VIEW_I64 }; /* dtype */
enum { ASHLAR_VIEW_HOST = 1 };                                               /* memory: the host reads and writes it */

typedef struct ashlar_view {
    void *data; /* the first element */
    int32_t dtype, memory;
    int32_t device; /* its number */
    int32_t rank;
    int64_t shape[8];
    int64_t strides[8]; /* elements; 0 beyond rank */
} ashlar_view;

_Static_assert(sizeof(ashlar_view) == 152, "as ashlar/unsafe fills it");
#endif
