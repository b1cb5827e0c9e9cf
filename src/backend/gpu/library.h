/*
 * library.h - functions that kernel text may call by name, with all that they call, and no more than that.
 */
#ifndef ASH__GPU_LIBRARY_H
#define ASH__GPU_LIBRARY_H
#include <stdint.h>

#include "core/text.h"

enum { ASH__GPU_ITEMS = 256 }; /* most definitions of the library */
typedef struct ash__gpu_needs {
    uint64_t bits[ASH__GPU_ITEMS / 64];
} ash__gpu_needs;

/* Adds every definition that the words of a piece of text name. */
void ash__gpu_need(ash__gpu_needs *needs, const char *text);
/* Puts them, in their order. Those that stand in a text already are not defined again. */
void ash__gpu_put_needs(ash__text *text, const ash__gpu_needs *needs);

/* src/backend/cpu/kernels/NAME.h and src/backend/gpu/kernels/NAME.c */
extern const char ash__gpu_float_parts_text[], ash__gpu_math_base_text[], ash__gpu_math_exp_text[], ash__gpu_math_log_text[],
    ash__gpu_math_power_text[], ash__gpu_math_trig_text[], ash__gpu_math_arc_text[], ash__gpu_math_erf_text[],
    ash__gpu_math_large_text[], ash__gpu_math_exact_text[], ash__gpu_odd_text[];
#endif
