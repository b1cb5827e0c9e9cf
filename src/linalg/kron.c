/*
 * kron.c - Kronecker products: every element of a times the whole of b.
 *
 * The result seen with an axis of a and one of b in the place of each of its own is a product that broadcasts; axes along which
 * either factor has one element need no such pair.
 */
#include "ashlar/spectral.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"

typedef struct pairs {
    int64_t rank, shape[ASH_MAX_RANK], stride[ASH_MAX_RANK]; /* of the result */
    int64_t of[2][ASH_MAX_RANK];                             /* strides of the factors over it; 0 where they repeat */
    int64_t mine[2][ASH_MAX_RANK];                           /* sizes of theirs */
} pairs;

static int64_t size_of(const ash_array *a, int64_t rank, int64_t axis)
{
    const int64_t k = axis - (rank - a->rank);
    return k < 0 ? 1 : a->shape[k];
}

static int64_t stride_of(const ash_array *a, int64_t rank, int64_t axis)
{
    const int64_t k = axis - (rank - a->rank);
    return k < 0 ? 0 : a->stride[k];
}

static bool add(pairs *p, int64_t size, int64_t stride, int factor, int64_t of)
{
    if (size == 1)
        return true;
    if (p->rank == ASH_MAX_RANK)
        return false;
    p->shape[p->rank] = size;
    p->stride[p->rank] = stride;
    for (int k = 0; k < 2; k++) {
        p->of[k][p->rank] = k == factor ? of : 0;
        p->mine[k][p->rank] = k == factor ? size : 1;
    }
    p->rank++;
    return true;
}

static ash_status multiply(const char *function, const ash_array *out, const ash_array *a, const ash_array *b,
                           ash_resources *given)
{
    pairs p = {.rank = 0};
    for (int64_t k = 0; k < out->rank; k++)
        if (!add(&p, size_of(a, out->rank, k), out->stride[k] * size_of(b, out->rank, k), 0, stride_of(a, out->rank, k)) ||
            !add(&p, size_of(b, out->rank, k), out->stride[k], 1, stride_of(b, out->rank, k)))
            return ash__fail(ASH_ERR_UNSUPPORTED, function, "the result has more than 16 axes along which both factors extend");
    ash_array *const to = ash__view(function, out, out->dtype, p.shape, p.stride, p.rank, out->offset);
    ash_array *const x = to ? ash__view(function, a, a->dtype, p.mine[0], p.of[0], p.rank, a->offset) : NULL;
    ash_array *const y = x ? ash__view(function, b, b->dtype, p.mine[1], p.of[1], p.rank, b->offset) : NULL;
    ash_status status = y ? ASH_OK : ash__last_status();
    if (!status) {
        const ash_operand operand[2] = {ash_operand_array(x), ash_operand_array(y)};
        status = ash__map_text_to(function, to, "(x, y) -> x*y", (ash_operands){operand, 2}, given);
    }
    ash_release(y);
    ash_release(x);
    ash_release(to);
    return status;
}

ash_array *ash_kron_opt(const ash_array *a, const ash_array *b, const ash_spectral_options *options)
{
    static const char f[] = "ash_kron";
    ash_spectral_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) || ash__check_array(f, "b", b))
        return NULL;
    int64_t shape[ASH_MAX_RANK];
    const int64_t rank = a->rank > b->rank ? a->rank : b->rank;
    for (int64_t k = 0; k < rank; k++)
        if (__builtin_mul_overflow(size_of(a, rank, k), size_of(b, rank, k), &shape[k])) {
            ash__fail(ASH_ERR_SHAPE, f, "the result would have more than 2^63 - 1 elements along axis %lld", (long long)k);
            return NULL;
        }
    const ash_dtype joined = ash_dtype_promote(a->dtype, b->dtype);
    if (!joined) {
        ash__fail(ASH_ERR_DTYPE, f, "a is %s and b %s; numbers were wanted", ash_dtype_name(a->dtype),
                  ash_dtype_name(b->dtype));
        return NULL;
    }
    const ash__make make = {.resources = ash__resources_on(f, ash__device(a), o.resources),
                            .dtype = joined == ASH_BOOL ? ASH_I64 : joined,
                            .layout = ash__layout_like(a),
                            .storage = a->storage == ASH_SHARED ? ASH_SHARED : b->storage,
                            .memory = a->buffer->memory};
    ash_array *out = make.resources ? ash__array_new(f, (ash_dims){shape, rank}, &make) : NULL;
    const int64_t barrier = out ? ash_scope_open_barrier() : -1;
    const ash_status status = barrier < 0 ? ash__last_status() : out->size ? multiply(f, out, a, b, o.resources) : ASH_OK;
    ash_scope_close(barrier);
    if (out && status) {
        ash_release(out);
        out = NULL;
    }
    return out;
}
