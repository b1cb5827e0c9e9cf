/* transpose.c - views with their axes in another order; the adjoint, which also conjugates. */
#include "ashlar/view.h"
#include "core/array.h"
#include "core/error.h"

static ash_array *swapped(const char *function, const ash_array *a)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = a->rank;
    for (int32_t k = 0; k < a->rank; k++)
        shape[k] = a->shape[k], stride[k] = a->stride[k];
    if (rank == 1) { /* n elements to 1 x n */
        shape[1] = a->shape[0], stride[1] = a->stride[0];
        shape[0] = 1, stride[0] = a->stride[0] * a->shape[0];
        rank = 2;
    } else if (rank >= 2) {
        shape[rank - 2] = a->shape[rank - 1], stride[rank - 2] = a->stride[rank - 1];
        shape[rank - 1] = a->shape[rank - 2], stride[rank - 1] = a->stride[rank - 2];
    }
    return ash__view(function, a, a->dtype, shape, stride, rank, a->offset);
}

ash_array *ash_transpose(const ash_array *a)
{
    static const char f[] = "ash_transpose";
    if (ash__check_array(f, "a", a))
        return NULL;
    return a->rank == 0 ? ash_share(a) : swapped(f, a);
}

ash_array *ash_adjoint(const ash_array *a)
{
    static const char f[] = "ash_adjoint";
    if (ash__check_array(f, "a", a))
        return NULL;
    if (a->rank == 0 && !ash__is_complex(a->dtype))
        return ash_share(a);
    ash_array *v = swapped(f, a);
    if (v && ash__is_complex(a->dtype))
        v->conjugated = !a->conjugated;
    return v;
}

ash_array *ash_permute(const ash_array *a, ash_axes axes)
{
    static const char f[] = "ash_permute";
    uint32_t seen = 0;
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    if (ash__check_array(f, "a", a) || (axes.axis && ash__check_axes(f, axes, a->rank, &seen)))
        return NULL;
    if ((axes.axis ? axes.count : 0) != a->rank) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%lld axes are given; a permutation names each of the %d once", (long long)axes.count,
                  (int)a->rank);
        return NULL;
    }
    for (int32_t k = 0; k < a->rank; k++) {
        const int64_t from = axes.axis[k] < 0 ? axes.axis[k] + a->rank : axes.axis[k];
        shape[k] = a->shape[from], stride[k] = a->stride[from];
    }
    return ash__view(f, a, a->dtype, shape, stride, a->rank, a->offset);
}
