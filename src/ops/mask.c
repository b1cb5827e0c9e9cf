/*
 * mask.c - where a mask is true.
 *
 * Counting comes first, for the result is made as large as it will be: block by block, so that the second pass knows where each
 * block goes.
 */
#include "ops/mask.h"

#include "core/error.h"
#include "ops/place.h"
#include "ops/run.h"

enum { FEW = 64 };

/* A mask, and where what each block leaves begins: on the CPU's stack where they are few. */
typedef struct counted {
    const char *function;
    const ash_array *mask;
    ash_resources *resources;
    int64_t blocks, total;
    ash__span start;  /* blocks + 1 numbers */
    ash_array *holds; /* them, when they are many or a device's */
    int64_t few[FEW + 1];
} counted;

static ash_status run(counted *c, const ash_array *source, ash_array *out)
{
    const ash__span operand[2] = {ash__span_of(c->mask), source ? ash__span_of(source) : (ash__span){.buffer = NULL}};
    ash__task task = {.kind = ASH__TASK_SELECT,
                      .function = c->function,
                      .rank = c->mask->rank,
                      .shape = c->mask->shape,
                      .operand_count = source ? 2 : 1,
                      .operand = operand,
                      .out = {.dtype = ASH_I64},
                      .value = c->start,
                      .total = &c->total};
    if (out)
        task.out = ash__span_of(out);
    return ash__run_on(c->resources, &task);
}

static ash_status make_starts(counted *c)
{
    const int64_t numbers = c->blocks + 1;
    c->start = (ash__span){.data = (char *)c->few, .dtype = ASH_I64};
    const bool host = ash__on_host(c->resources->device);
    const ash_storage storage = host ? ASH_SHARED : c->mask->storage;
    if (c->blocks <= FEW && host)
        return ASH_OK;
    const int64_t barrier = ash_scope_open_barrier();
    c->holds = barrier < 0 ? NULL : ash__temporary(c->function, c->resources, storage, ASH_I64, &numbers, 1);
    ash_scope_close(barrier);
    if (!c->holds)
        return ash__last_status();
    c->start = ash__span_of(c->holds);
    return ASH_OK;
}

/* On failure there is nothing to end. */
static ash_status count(counted *c, const char *function, const ash_array *mask, ash_resources *given)
{
    c->function = function;
    c->mask = mask;
    c->resources = ash__resources_on(function, ash__device(mask), given);
    c->blocks = (mask->size + ASH__SELECT_BLOCK - 1) / ASH__SELECT_BLOCK;
    c->total = 0;
    c->holds = NULL;
    ash_status status = c->resources ? make_starts(c) : ash__last_status();
    if (!status && c->blocks)
        status = run(c, NULL, NULL);
    if (status)
        ash_release(c->holds);
    return status;
}

static ash_array *finish(counted *c, const ash_array *source, ash_array *out)
{
    if (out && c->total && run(c, source, out)) {
        ash_release(out);
        out = NULL;
    }
    ash_release(c->holds);
    return out;
}

ash_array *ash__mask_positions(const char *function, const ash_array *mask, ash_storage storage, ash_resources *given)
{
    counted c;
    if (count(&c, function, mask, given))
        return NULL;
    return finish(&c, NULL, ash__temporary(function, c.resources, storage, ASH_I64, &c.total, 1));
}

ash_array *ash__mask_select(const char *function, const ash_array *a, const ash_array *mask, ash_resources *given)
{
    counted c;
    if (count(&c, function, mask, given))
        return NULL;
    return finish(&c, a, ash__result_like(function, a, (ash_dims){&c.total, 1}, ASH_ROW_MAJOR, given));
}
