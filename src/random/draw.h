/* draw.h - arrays filled by a generator: what all distributions share. */
#ifndef ASH__DRAW_H
#define ASH__DRAW_H
#include "backend/random.h"
#include "core/array.h"

/* What a call wants. */
typedef struct ash__wanted {
    const char *function;
    ash__drawing drawing;
    uint64_t low, span;
    int64_t first; /* elements that are passed over */
    ash_rng *rng; /* NULL: the thread's for the device */
    ash_resources *given;
} ash__wanted;

/* May such numbers be drawn in that dtype, by that generator? Else an error. Records: in each field. */
ash_status ash__draw_check(const ash__wanted *w, ash_dtype dtype);
/* Fills an array that may be written. */
ash_status ash__draw_into(const ash__wanted *w, ash_array *a);
/* A new array of such numbers, in the caller's scope. */
ash_array *ash__draw_new(const ash__wanted *w, ash_dims shape, const ash__make *make);
/* One number, in the memory of one element of dtype. false with an error: it is untouched. */
bool ash__draw_one(const ash__wanted *w, ash_dtype dtype, void *x);
#endif
