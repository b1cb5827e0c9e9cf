/* axes.c - which axes a reduction folds, and the shape that is left. */
#include "ops/axes.h"

#include <string.h>

#include "core/error.h"

static void leave(ash__axes *x, const int64_t *shape, int64_t rank)
{
    x->rank = x->count = 0;
    x->folded = 1;
    bool none = false;
    for (int64_t k = 0; k < rank; k++) {
        const bool fold = x->reduced >> k & 1;
        if (fold) {
            x->list[x->count++] = k;
            none |= shape[k] == 0;
        }
        if (!fold || !x->drop)
            x->shape[x->rank++] = fold ? 1 : shape[k];
    }
    for (int64_t i = 0; i < x->count && !none; i++) /* no overflow: a part of a product that fits */
        x->folded *= shape[x->list[i]];
    x->folded = none ? 0 : x->folded;
}

ash_status ash__axes_set(ash__axes *x, const char *function, ash_axes axes, bool drop, const int64_t *shape, int64_t rank)
{
    x->drop = drop || !axes.axis;
    const ash_status status = ash__check_axes(function, axes, rank, &x->reduced);
    if (!status)
        leave(x, shape, rank);
    return status;
}

static bool is_shape(const ash__axes *x, ash_dims out)
{
    return out.rank == x->rank && memcmp(out.size, x->shape, sizeof *out.size * (size_t)out.rank) == 0;
}

/* out has the operands' rank and the caller named no axes: those are folded along which it has size 1. */
static void infer(ash__axes *x, const int64_t *shape, ash_dims out)
{
    x->reduced = 0;
    for (int64_t k = 0; k < out.rank; k++)
        x->reduced |= (uint32_t)(out.size[k] == 1) << k;
    x->drop = false;
    leave(x, shape, out.rank);
}

ash_status ash__axes_into(ash__axes *x, const char *function, ash_axes axes, const int64_t *shape, int64_t rank, ash_dims out)
{
    ash_status status = ash__axes_set(x, function, axes, true, shape, rank);
    if (status || is_shape(x, out))
        return status;
    char have[ASH__SHAPE_TEXT], dropped[ASH__SHAPE_TEXT], kept[ASH__SHAPE_TEXT];
    ash__shape_text(dropped, sizeof dropped, x->shape, x->rank);
    x->drop = false;
    leave(x, shape, rank);
    if (is_shape(x, out))
        return ASH_OK;
    ash__shape_text(kept, sizeof kept, x->shape, x->rank);
    if (!axes.axis && out.rank == rank) {
        infer(x, shape, out);
        if (is_shape(x, out))
            return ASH_OK;
    }
    return ash__fail(ASH_ERR_SHAPE, function, "out has shape %s; the result has %s, or %s with the reduced axes left out",
                     ash__shape_text(have, sizeof have, out.size, out.rank), kept, dropped);
}

void ash__axes_strides(const ash__axes *x, int64_t rank, const int64_t *of_result, int64_t *stride)
{
    int64_t next = 0;
    for (int64_t k = 0; k < rank; k++) {
        const bool fold = x->reduced >> k & 1;
        stride[k] = fold ? 0 : of_result[next];
        next += !fold || !x->drop;
    }
}
