/*
 * adapt.h - arrays brought to a target, several of them together: what they share is adapted once and stays shared.
 *
 * An array that is no view is a base, and so is a view that cannot be rebuilt. A base is converted as a whole; a view is
 * rebuilt over its adapted parent by asking where the bytes of its base went (adapt_view.c).
 */
#ifndef ASH__ADAPT_H
#define ASH__ADAPT_H
#include "ashlar/adapt.h"
#include "core/array.h"
#include "ops/places.h"

/* A target with its .like read and everything checked. */
typedef struct ash__target {
    const char *function;
    ash_resources *resources; /* NULL: the device of each source */
    ash_dtype dtype, floats;
    ash_rule rule;
    ash_storage storage;
    ash_memory *memory;
    bool scalars, bf16;
} ash__target;
ash_status ash__read_target(const char *function, ash__target *to, const ash_target *from);
/* What a dtype becomes. A record of changed fields is another record of the same names, laid out as a C compiler does. */
ash_status ash__target_dtype(const ash__target *t, ash_dtype dtype, ash_dtype *to);

typedef struct ash__adapted {
    const ash_array *from;
    ash_array *to;              /* a reference of the caller's */
    const ash_array *base_from; /* from itself, or what it is a view of at last */
    ash_array *base_to;
} ash__adapted;

typedef struct ash__adaptation {
    ash__target target;
    bool pending; /* an error was when it began: the text of it is not ours to change */
    int64_t barrier;
    ash__places seen; /* arrays, by their number in list */
    ash__adapted *list;
    int64_t count, room;
} ash__adaptation;

/* Between the two, results belong to nobody's scope. end: also after begin failed. */
ash_status ash__adapt_begin(ash__adaptation *m, const char *function, const ash_target *target);
void ash__adapt_end(ash__adaptation *m);
/* The array as the target has it: a itself when it is so already. Borrowed until the end; NULL with an error. */
ash_array *ash__adapt_array(ash__adaptation *m, const ash_array *a);
/* Names the place of a failure, unless the error that is pending is an older one. */
void ash__adapt_place(const ash__adaptation *m, const char *place);

/* *b: v as a view of up->to with that dtype, found by where the bytes of the base went; NULL: there is no such view. */
ash_status ash__adapt_view(const char *function, const ash_array *v, ash_dtype dtype, const ash__adapted *up, ash_array **b);
/* out[i] = a[i]: one shape; dtypes as ash__target_dtype relates them. */
ash_status ash__adapt_elements(const char *function, ash_array *out, const ash_array *a);
#endif
