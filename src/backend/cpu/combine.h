/*
 * combine.h - folds and scans by a function: its program run over vectors of temporaries.
 */
#ifndef ASH__CPU_COMBINE_H
#define ASH__CPU_COMBINE_H
#include "backend/cpu/fold.h"

ash_status ash__cpu_reduce_function(const ash__task *task); /* reduce_function.c */
ash_status ash__cpu_scan_function(const ash__task *task);   /* scan_function.c */
/* The order of axes of a scan: element (g, i, j) has number (g*length + i)*width + j, i running along the scan. width is 1, or
 * at least least_width. */
void ash__scan_axes(const ash__task *task, int64_t least_width, ash__axis_list *order, int64_t *groups, int64_t *length,
                    int64_t *width);

/*
 * d[i] = combine(a[i], b[i]), i over rows x width elements as they are stored (f16 as f16), in one piece of memory: rows of a
 * and b lie row_a and row_b bytes apart, elements of a row item bytes, or 0 where a is one element: that has to be at another
 * offset in the next call, for it is read when the offset changes.
 */
typedef struct ash__combiner {
    ash__evaluator *evaluator; /* to be freed */
    ash__loader loader;
    size_t item;
} ash__combiner;
/* false after an error that has been reported. memory: what offsets count from. */
bool ash__combiner_set(ash__combiner *c, const ash__task *task, char *memory, int64_t rows, int64_t width, int64_t row_a,
                       int64_t row_b);
/* n elements to d, which must not overlap them. a, b: offsets in bytes from memory. */
void ash__combine(ash__combiner *c, int64_t a, int64_t b, int64_t n, char *d);
/* The task's init as it is stored in program->dtype (f16 and bf16 rounded). */
void ash__stored_init(const ash__task *task, void *element);
#endif
