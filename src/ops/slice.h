/* slice.h - one axis cut to a range, and the view that a list of items makes. */
#ifndef ASH__SLICE_H
#define ASH__SLICE_H
#include "ashlar/base.h"

typedef struct ash__cut {
    int64_t first, count, step; /* elements of the axis; first is 0 when count is */
} ash__cut;
/* start and stop from -size to size (negative counts from the end), or ASH_OPEN; step 0 is an error. */
ash_status ash__cut_axis(const char *function, int64_t axis, int64_t size, int64_t start, int64_t stop, int64_t step,
                         ash__cut *cut);
/* One index, negative from the end. */
ash_status ash__at_axis(const char *function, int64_t axis, int64_t size, int64_t index, int64_t *at);
/* What may follow when all axes have an index, and the error for anything else. */
bool ash__is_extra_zero(const ash_index *item);
ash_status ash__fail_too_many(const char *function, int32_t rank);
/* ash_view_at, in the name of another function; a has been checked. */
ash_array *ash__view_items(const char *function, const ash_array *a, const ash_index *index, int64_t count);
#endif
