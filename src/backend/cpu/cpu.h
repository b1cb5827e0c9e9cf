/* cpu.h - what runs each kind of task on the CPU: one file each. All return with the work done. */
#ifndef ASH__CPU_H
#define ASH__CPU_H
#include "backend/backend.h"

ash_status ash__cpu_map(const ash__task *task);      /* map.c */
bool ash__map_prepare(const ash__task *task, ash__prepared *prepared); /* dense.c */
ash_status ash__cpu_copy(const ash__task *task);     /* copy.c */
ash_status ash__cpu_gather(const ash__task *task);   /* gather.c */
ash_status ash__cpu_sort(const ash__task *task);     /* sort.c */
ash_status ash__cpu_search(const ash__task *task);   /* search.c */
ash_status ash__cpu_histogram(const ash__task *task); /* histogram.c */
ash_status ash__cpu_scatter(const ash__task *task);  /* gather.c; that which accumulates: */
ash_status ash__cpu_scatter_add(const ash__task *task); /* scatter_add.c */
ash_status ash__cpu_select(const ash__task *task);   /* select.c */
ash_status ash__cpu_random(const ash__task *task);   /* random.c */
ash_status ash__cpu_product(const ash__task *task);  /* product.c */
ash_status ash__cpu_fourier(const ash__task *task);  /* fourier.c */
ash_status ash__cpu_reduce(const ash__task *task);   /* reduce.c */
ash_status ash__cpu_arg(const ash__task *task);      /* arg.c */
ash_status ash__cpu_variance(const ash__task *task); /* variance.c */
ash_status ash__cpu_scan(const ash__task *task);     /* scan.c */
ash_status ash__cpu_factor(const ash__task *task);   /* factor.c */
ash_status ash__cpu_kernel(const ash__task *task);   /* kernel.c */
/* Memory for the time of a task, from the pool of its device: what is as large as the operands. NULL after a memory error. */
void *ash__work_take(const ash__task *task, size_t nbytes);
void ash__work_give(const ash__task *task, void *memory, size_t nbytes);
#endif
