/* bounds.h - how far numbers may be from what they have to be. */
#ifndef CONFORMANCE_BOUNDS_H
#define CONFORMANCE_BOUNDS_H
#include "trial.h"

/* The first element that is too far, or -1. scale: of what was added; 0: the largest number wanted. */
int64_t first_apart(const model *got, const model *want, closeness close, double scale);
#endif
