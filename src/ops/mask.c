/* mask.c - where a mask is true. */
#include "ops/mask.h"

#include "core/error.h"
#include "ops/run.h"

static int64_t walk(const ash_array *mask, int64_t *position)
{
    char *const data[1] = {ash__data(mask)};
    const int64_t *const stride[1] = {mask->stride};
    int64_t count = 0, at = 0;
    ash__walk w;
    for (bool more = ash__walk_begin(&w, true, mask->shape, mask->rank, 1, data, stride); more; more = ash__walk_next(&w))
        for (int64_t i = 0; i < w.run; i++, at++)
            if (w.at[0][i * w.step[0]]) {
                if (position)
                    position[count] = at;
                count++;
            }
    return count;
}

ash_array *ash__mask_positions(const char *function, const ash_array *mask, ash_storage storage, ash_resources *given)
{
    ash_resources *r = ash__resources_on(function, ash__device(mask), given);
    if (!r || ash_wait(mask))
        return NULL;
    const int64_t count = walk(mask, NULL);
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *list = barrier < 0 ? NULL : ash__temporary(function, r, storage, ASH_I64, &count, 1);
    if (list)
        walk(mask, (int64_t *)(void *)ash__data(list));
    ash_scope_close(barrier);
    return list;
}
