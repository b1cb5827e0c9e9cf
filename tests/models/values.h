/* values.h - random elements. */
#ifndef MODELS_VALUES_H
#define MODELS_VALUES_H
#include "model.h"

/* What drawn elements are like. */
typedef enum style {
    ANYTHING, /* all bit patterns, and special values often */
    FEW,      /* many equal ones, special values among them */
    COUNTS    /* 0 to 3, or false and true: every dtype has them */
} style;

model random_values(ash_dtype dtype, const int64_t *shape, int64_t rank, style like);
#endif
