/*
 * repeat.c - elements, or whole arrays, several times along an axis.
 *
 * Over a dense array an axis makes three: what is outside it, itself, what is inside. Repeating adds a fourth, which the
 * source does not vary along, and the result is one copy.
 */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/place.h"

static ash_status check_count(const char *function, int64_t count)
{
    return count < 0 ? ash__fail(ASH_ERR_ARGUMENT, function, "count %lld; it must not be negative", (long long)count) : ASH_OK;
}

/* The shape of a with one size times count. */
static ash_status enlarge(const char *function, const ash_array *a, int64_t axis, int64_t count, int64_t *shape)
{
    for (int32_t k = 0; k < a->rank; k++)
        shape[k] = a->shape[k];
    if (__builtin_mul_overflow(shape[axis], count, &shape[axis]))
        return ash__fail(ASH_ERR_SHAPE, function, "%lld times %lld elements along axis %lld are more than 2^63 - 1",
                         (long long)count, (long long)a->shape[axis], (long long)axis);
    return ASH_OK;
}

/* A dense array repeated along an axis, each element or (whole) the axis as one. In the caller's scope. */
static ash_array *repeated(const char *function, const ash_array *a, int64_t axis, int64_t count, bool whole,
                           ash_resources *given)
{
    int64_t shape[ASH_MAX_RANK], inner = (int64_t)ash_dtype_size(a->dtype), outer = 1;
    if (enlarge(function, a, axis, count, shape))
        return NULL;
    ash_array *out = ash__result_like(function, a, (ash_dims){shape, a->rank}, ASH_ROW_MAJOR, given);
    if (!out || !out->size)
        return out;
    for (int64_t k = 0; k < a->rank; k++)
        if (k < axis)
            outer *= a->shape[k];
        else if (k > axis)
            inner *= a->shape[k];
    const int64_t n = a->shape[axis], item = (int64_t)ash_dtype_size(a->dtype), cells = inner / item;
    const int64_t size[4] = {outer, whole ? count : n, whole ? n : count, cells};
    const int64_t to[4] = {count * n * inner, whole ? n * inner : count * inner, inner, item};
    const int64_t from[4] = {n * inner, whole ? 0 : inner, whole ? inner : 0, item};
    if (ash__copy_strided(function, out, size, 4, ash__data(out), to, a, ash__data(a), from, given)) {
        ash_release(out);
        return NULL;
    }
    return out;
}

ash_array *ash_repeat_opt(const ash_array *a, int64_t count, const ash_repeat_options *options)
{
    static const char f[] = "ash_repeat";
    ash_repeat_options o;
    int64_t axis;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) || check_count(f, count) ||
        ash__check_axis(f, o.axis, a->rank, &axis))
        return NULL;
    ash_array *plain = ash__plain(f, a, a->dtype, true, o.resources);
    ash_array *out = plain ? repeated(f, plain, axis, count, false, o.resources) : NULL;
    ash_release(plain);
    return out;
}

/* a, dense, with axes of size 1 put in front until it has `rank`. Belongs to the caller alone. */
static ash_array *with_rank(const char *function, ash_array *a, int64_t rank)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    const int64_t lead = rank - a->rank;
    for (int64_t k = 0; k < rank; k++) {
        shape[k] = k < lead ? 1 : a->shape[k - lead];
        stride[k] = k < lead ? 0 : a->stride[k - lead];
    }
    return ash__view(function, a, a->dtype, shape, stride, rank, a->offset);
}

static ash_status check_counts(const char *function, ash_dims counts)
{
    if (counts.rank < 0 || counts.rank > ASH_MAX_RANK)
        return ash__fail(ASH_ERR_SHAPE, function, "%lld counts; ranks 0 to %d are supported", (long long)counts.rank,
                         ASH_MAX_RANK);
    if (counts.rank && !counts.size)
        return ash__null(function, "counts");
    ash_status status = ASH_OK;
    for (int64_t k = 0; k < counts.rank && !status; k++)
        status = check_count(function, counts.size[k]);
    return status;
}

ash_array *ash_tile(const ash_array *a, ash_dims counts)
{
    static const char f[] = "ash_tile";
    if (ash__check_array(f, "a", a) || check_counts(f, counts))
        return NULL;
    const int64_t rank = a->rank > counts.rank ? a->rank : counts.rank;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *plain = barrier < 0 ? NULL : ash__plain(f, a, a->dtype, true, NULL);
    ash_array *now = plain ? with_rank(f, plain, rank) : NULL;
    ash_release(plain);
    bool made = false;
    for (int64_t k = 0; k < counts.rank && now; k++)
        if (counts.size[k] != 1) {
            ash_array *next = repeated(f, now, rank - counts.rank + k, counts.size[k], true, NULL);
            ash_release(now);
            now = next;
            made = true;
        }
    if (now && !made) { /* nothing to repeat: a copy all the same */
        ash_array *copy = ash_copy_opt(now, NULL);
        ash_release(now);
        now = copy;
    }
    ash_scope_close(barrier);
    return ash__scope_hold(f, now);
}
