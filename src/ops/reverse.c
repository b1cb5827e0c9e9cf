/* reverse.c - elements in the opposite order along axes, and quarter turns: one copy from where the elements lie. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/place.h"

/* The elements of an array in another order: where the first one lies, and the steps to the others. */
typedef struct order {
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], offset;
} order;

static void start(order *w, const ash_array *a)
{
    w->offset = 0;
    for (int32_t k = 0; k < a->rank; k++)
        w->shape[k] = a->shape[k], w->stride[k] = a->stride[k];
}

static void turn_round(order *w, int64_t axis)
{
    if (w->shape[axis])
        w->offset += (w->shape[axis] - 1) * w->stride[axis];
    w->stride[axis] = -w->stride[axis];
}

static void exchange(order *w, int64_t i, int64_t j)
{
    const int64_t size = w->shape[i], stride = w->stride[i];
    w->shape[i] = w->shape[j], w->stride[i] = w->stride[j];
    w->shape[j] = size, w->stride[j] = stride;
}

/* A new array of the elements of plain, which ends here, in that order. */
static ash_array *in_order(const char *function, ash_array *plain, const order *w, ash_resources *given)
{
    ash_array *out = ash__result_like(function, plain, (ash_dims){w->shape, plain->rank}, ASH_LAYOUT_DEFAULT, given);
    if (out && ash__copy_strided(function, out, w->shape, plain->rank, ash__data(out), out->stride, plain,
                                 ash__data(plain) + w->offset, w->stride, given)) {
        ash_release(out);
        out = NULL;
    }
    ash_release(plain);
    return out;
}

ash_array *ash_reverse_opt(const ash_array *a, const ash_reverse_options *options)
{
    static const char f[] = "ash_reverse";
    ash_reverse_options o;
    uint32_t axes;
    order w;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        ash__check_axes(f, o.axes, a->rank, &axes))
        return NULL;
    ash_array *plain = ash__plain(f, a, a->dtype, false, o.resources);
    if (!plain)
        return NULL;
    start(&w, plain);
    for (int32_t k = 0; k < plain->rank; k++)
        if (axes >> k & 1)
            turn_round(&w, k);
    return in_order(f, plain, &w, o.resources);
}

ash_array *ash_rot90_opt(const ash_array *a, const ash_rot90_options *options)
{
    static const char f[] = "ash_rot90";
    ash_rot90_options o;
    int64_t from = 0, to = 1;
    uint32_t bits = 0;
    order w;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return NULL;
    if (a->rank < 2) {
        ash__fail(ASH_ERR_SHAPE, f, "a has shape %s; a turn is in the plane of two axes", ash_shape_text(a));
        return NULL;
    }
    if (o.axes.axis && o.axes.count != 2) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%lld axes are given; a turn is in the plane of two", (long long)o.axes.count);
        return NULL;
    }
    if (o.axes.axis && (ash__check_axes(f, o.axes, a->rank, &bits) || ash__check_axis(f, o.axes.axis[0], a->rank, &from) ||
                        ash__check_axis(f, o.axes.axis[1], a->rank, &to)))
        return NULL;
    ash_array *plain = ash__plain(f, a, a->dtype, false, o.resources);
    if (!plain)
        return NULL;
    start(&w, plain);
    const int64_t turns = ((o.turns ? o.turns : 1) % 4 + 4) % 4;
    for (int64_t k = 0; k < turns; k++) { /* one turn: the second axis turned round, then both exchanged */
        turn_round(&w, to);
        exchange(&w, from, to);
    }
    return in_order(f, plain, &w, o.resources);
}
