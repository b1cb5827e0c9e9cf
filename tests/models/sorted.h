/* sorted.h - the positions of the elements of lines in stable order of their keys, which is all of sorting. */
#ifndef MODELS_SORTED_H
#define MODELS_SORTED_H
#include "model.h"

/* What elements are compared by: .by of this text, or .less of more for less. */
typedef enum key { ITSELF, NEGATED, REAL_PART, LESS_IS_MORE, KEYS } key;
extern const char *const by_texts[KEYS];
model keys_of(const model *m, key by);
/* For each line along the axis, the positions of its elements in stable order. */
model sorted_positions(const model *keys, int64_t axis, bool descending);
/* m with the elements that positions along the axis name. */
model picked(const model *m, int64_t axis, const model *positions);
#endif
