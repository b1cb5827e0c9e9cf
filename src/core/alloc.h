/* alloc.h - the library's own bookkeeping memory (not the elements of arrays: buffer.h). */
#ifndef ASH__ALLOC_H
#define ASH__ALLOC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* count * size bytes, zeroed, or NULL with a memory error that names `function`. Overflow of the product is one too. */
void *ash__alloc(const char *function, int64_t count, size_t size);
/* As realloc; on failure NULL, an error, and the old block stays. */
void *ash__realloc(const char *function, void *block, int64_t count, size_t size);
void ash__free(void *block); /* NULL is fine */

/* For tests: the n-th allocation from now fails (n >= 1; 0 switches off). Counts every call above and every new buffer. */
void ash__fail_allocation(int64_t n);
bool ash__allocation_fails(void); /* asked once by each place that takes memory */
int64_t ash__allocations(void);   /* since the process started */
#endif
