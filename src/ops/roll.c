/* roll.c - elements shifted along axes, round the end: for each axis two slabs change places in a new array. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/place.h"

/* Elements first .. first + n - 1 along the axis, to places from `to` on. */
static ash_status move_slab(const char *function, ash_array *out, const ash_array *a, int64_t axis, int64_t first, int64_t n,
                            int64_t to, ash_resources *given)
{
    int64_t shape[ASH_MAX_RANK];
    for (int32_t k = 0; k < a->rank; k++)
        shape[k] = k == axis ? n : a->shape[k];
    return ash__copy_strided(function, out, shape, a->rank, ash__data(out) + to * out->stride[axis], out->stride, a,
                             ash__data(a) + first * a->stride[axis], a->stride, given);
}

/* a rolled along one axis, as an array that belongs to the caller alone. */
static ash_array *rolled(const char *function, const ash_array *a, int64_t axis, int64_t shift, ash_resources *given)
{
    const int64_t n = a->shape[axis], by = n ? (shift % n + n) % n : 0;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *out = barrier < 0 ? NULL : ash__result_like(function, a, ash__dims(a), ASH_LAYOUT_DEFAULT, given);
    if (out && (move_slab(function, out, a, axis, 0, n - by, by, given) ||
                move_slab(function, out, a, axis, n - by, by, 0, given))) {
        ash_release(out);
        out = NULL;
    }
    ash_scope_close(barrier);
    return out;
}

static ash_status check_shifts(const char *function, const ash_array *a, ash_dims shifts, ash_axes axes)
{
    uint32_t bits;
    if (shifts.rank && !shifts.size)
        return ash__null(function, "shifts");
    if (axes.axis && axes.count != shifts.rank)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld shifts and %lld axes", (long long)shifts.rank,
                         (long long)axes.count);
    if (!axes.axis && shifts.rank > a->rank)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld shifts for rank %d", (long long)shifts.rank, (int)a->rank);
    return axes.axis ? ash__check_axes(function, axes, a->rank, &bits) : ASH_OK;
}

ash_array *ash__roll(const char *function, const ash_array *a, ash_dims shifts, ash_axes axes, ash_resources *given)
{
    if (ash__check_array(function, "a", a) || check_shifts(function, a, shifts, axes))
        return NULL;
    ash_array *now = ash__plain(function, a, a->dtype, false, given);
    bool moved = now != a;
    for (int64_t k = 0; k < shifts.rank && now; k++) {
        const int64_t axis = !axes.axis ? k : axes.axis[k] < 0 ? axes.axis[k] + a->rank : axes.axis[k];
        ash_array *next = rolled(function, now, axis, shifts.size[k], given);
        ash_release(now);
        now = next;
        moved = true;
    }
    if (now && !moved) { /* no axis was named: a copy all the same */
        const ash_copy_options copy = {.struct_size = sizeof copy, .resources = given};
        ash_release(now);
        return ash_copy_opt(a, &copy);
    }
    return ash__scope_hold(function, now);
}

ash_array *ash_roll_opt(const ash_array *a, ash_dims shifts, const ash_roll_options *options)
{
    static const char f[] = "ash_roll";
    ash_roll_options o;
    return ash__read_options(f, &o, sizeof o, options) ? ash__roll(f, a, shifts, o.axes, o.resources) : NULL;
}
