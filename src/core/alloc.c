/* alloc.c - the library's own bookkeeping memory, with failures on demand for the tests. */
#include "core/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/tally.h"

static atomic_llong failing; /* counts down to the call that fails; 0: off */

void ash__fail_allocation(int64_t n) { atomic_store(&failing, n); }
int64_t ash__allocations(void) { return ash__tally_sum(ASH__COUNT_ALLOCATIONS); }

bool ash__allocation_fails(void)
{
    ash__tally_add(ASH__COUNT_ALLOCATIONS, 1);
    return atomic_load_explicit(&failing, memory_order_relaxed) > 0 && atomic_fetch_sub(&failing, 1) == 1;
}

void *ash__realloc(const char *function, void *block, int64_t count, size_t size)
{
    size_t nbytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &nbytes) || nbytes > PTRDIFF_MAX) {
        ash__fail(ASH_ERR_MEMORY, function, "%lld objects of %zu bytes are more than can be addressed", (long long)count, size);
        return NULL;
    }
    void *p = ash__allocation_fails() ? NULL : realloc(block, nbytes ? nbytes : 1);
    if (!p)
        ash__fail(ASH_ERR_MEMORY, function, "no memory for %zu bytes", nbytes);
    return p;
}

void *ash__alloc(const char *function, int64_t count, size_t size)
{
    void *p = ash__realloc(function, NULL, count, size);
    if (p)
        memset(p, 0, (size_t)count * size);
    return p;
}

void ash__free(void *block) { free(block); }
