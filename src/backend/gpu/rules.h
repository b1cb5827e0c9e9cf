/* rules.h - how kernel text says each operation. */
#ifndef ASH__GPU_RULES_H
#define ASH__GPU_RULES_H
#include "core/dtype.h"

struct ash__ins;
/* The form of an operation on values of a machine type, or NULL. */
const char *ash__gpu_rule(const struct ash__ins *ins, ash_dtype type);
#endif
