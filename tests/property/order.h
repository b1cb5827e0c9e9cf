/* order.h - what the models of sorting and searching share. */
#ifndef PROPERTY_ORDER_H
#define PROPERTY_ORDER_H
#include "draw.h"

/* What elements are compared by: .by of this text, or .less of more for less. */
typedef enum key { ITSELF, NEGATED, REAL_PART, LESS_IS_MORE, KEYS } key;
extern const char *const by_texts[KEYS];
ash_dtype draw_keyed(key *by); /* a key, and a dtype that has it */
model keys_of(const model *m, key by);
/* For each line along the axis, the positions of its elements in stable order. */
model sorted_positions(const model *keys, int64_t axis, bool descending);
/* m with the elements that positions along the axis name. */
model picked(const model *m, int64_t axis, const model *positions);
#endif
