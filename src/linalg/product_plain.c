/*
 * product_plain.c - the usual product: two matrices of one dtype, and no options.
 *
 * Of small matrices the product is all bookkeeping, so this case goes straight from the arrays to the backend: nothing to
 * promote, broadcast or turn. Whatever is not usual is left to product.c, which also words the errors.
 */
#include "core/error.h"
#include "linalg/product.h"
#include "ops/run.h"

static bool usual(const ash_array *x, const ash_array *like)
{
    return x && !x->released && x->rank == 2 && x->dtype == like->dtype && !x->conjugated &&
           ash__device(x) == ash__device(like);
}

static ash_status run(const char *function, ash_resources *resources, const ash_array *out, const ash_array *a,
                      const ash_array *b)
{
    const struct ash__product product = {.inner = a->shape[1], .structure = {ASH_GENERAL, ASH_GENERAL}};
    const ash__span operand[2] = {{a->buffer, ash__data(a), a->stride, a->dtype},
                                  {b->buffer, ash__data(b), b->stride, b->dtype}};
    const ash__task task = {.kind = ASH__TASK_PRODUCT,
                            .function = function,
                            .rank = 2,
                            .shape = out->shape,
                            .product = &product,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {out->buffer, ash__data(out), out->stride, out->dtype}};
    return ash__run_on(resources, &task);
}

bool ash__plain_product_into(const char *function, ash_array *out, const ash_array *a, const ash_array *b, ash_status *status)
{
    if (!out || out->readonly || out->dtype >= ASH_RECORD_FIRST || !usual(out, out) || !usual(a, out) || !usual(b, out) ||
        !out->size || a->shape[1] != b->shape[0] || out->shape[0] != a->shape[0] || out->shape[1] != b->shape[1] ||
        ash__may_overlap(out, a) || ash__may_overlap(out, b))
        return false;
    ash_resources *const resources = ash__resources_on(function, ash__device(out), NULL);
    *status = resources ? run(function, resources, out, a, b) : ash__last_status();
    return true;
}

/* Of matrices in rows, so that there is no choice of the result's layout. */
bool ash__plain_product(const char *function, const ash_array *a, const ash_array *b, ash_array **out)
{
    if (!a || a->dtype >= ASH_RECORD_FIRST || !usual(a, a) || !usual(b, a) || a->shape[1] != b->shape[0] || !a->shape[0] ||
        !b->shape[1] || ash__layout_like(a) != ASH_ROW_MAJOR || ash__layout_like(b) != ASH_ROW_MAJOR)
        return false;
    const int64_t shape[2] = {a->shape[0], b->shape[1]};
    const ash__make make = {.resources = ash__resources_on(function, ash__device(a), NULL),
                            .dtype = a->dtype,
                            .layout = ASH_ROW_MAJOR,
                            .storage = a->storage == ASH_SHARED ? ASH_SHARED : b->storage,
                            .memory = a->buffer->memory};
    *out = make.resources ? ash__array_new(function, (ash_dims){shape, 2}, &make) : NULL;
    if (*out && run(function, make.resources, *out, a, b)) {
        ash_release(*out);
        *out = NULL;
    }
    return true;
}
