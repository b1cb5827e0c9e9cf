/* cross.c - the product of vectors of three, at right angles to both. */
#include "ashlar/spectral.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"

typedef struct product {
    const char *function;
    const ash_array *factor[2];
    int64_t axis; /* counted from the end: 1 is the last */
    ash_resources *given;
} product;

/* Element k of each vector: a view without that axis. */
static ash_array *component(const product *p, const ash_array *a, int64_t k)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = 0;
    const int64_t axis = a->rank - p->axis;
    for (int64_t i = 0; i < a->rank; i++)
        if (i != axis) {
            shape[rank] = a->shape[i];
            stride[rank++] = a->stride[i];
        }
    return ash__view(p->function, a, a->dtype, shape, stride, rank, a->offset + k * a->stride[axis]);
}

static ash_status check(const product *p, int operand)
{
    const ash_array *const a = p->factor[operand];
    const ash_status status = ash__check_array(p->function, operand ? "b" : "a", a);
    if (status)
        return status;
    return a->rank >= 1 ? ASH_OK
                        : ash__fail_operand(ASH_ERR_SHAPE, p->function, operand, "%s has shape (); vectors of 3 are wanted",
                                            operand ? "b" : "a");
}

static ash_status check_three(const product *p, int operand)
{
    const ash_array *const a = p->factor[operand];
    return a->rank >= p->axis && a->shape[a->rank - p->axis] == 3
               ? ASH_OK
               : ash__fail_operand(ASH_ERR_SHAPE, p->function, operand,
                                   "%s has shape %s; vectors of 3 are wanted along axis %lld", operand ? "b" : "a",
                                   ash_shape_text(a), (long long)-p->axis);
}

static ash_array *result(const product *p)
{
    const ash_array *const a = p->factor[0], *const b = p->factor[1];
    int64_t shape[ASH_MAX_RANK] = {0}, rank = 0;
    if (ash__broadcast(p->function, 0, shape, &rank, a->shape, a->rank) ||
        ash__broadcast(p->function, 1, shape, &rank, b->shape, b->rank))
        return NULL;
    const ash_dtype joined = ash_dtype_promote(a->dtype, b->dtype);
    if (!joined) {
        ash__fail(ASH_ERR_DTYPE, p->function, "a is %s and b %s; numbers were wanted", ash_dtype_name(a->dtype),
                  ash_dtype_name(b->dtype));
        return NULL;
    }
    const ash__make make = {.resources = ash__resources_on(p->function, ash__device(a), p->given),
                            .dtype = joined == ASH_BOOL ? ASH_I64 : joined,
                            .layout = ash__layout_like(a->rank == rank ? a : b),
                            .storage = a->storage == ASH_SHARED ? ASH_SHARED : b->storage,
                            .memory = a->buffer->memory};
    return make.resources ? ash__array_new(p->function, (ash_dims){shape, rank}, &make) : NULL;
}

/* out[k] = a[i] b[j] - a[j] b[i], where i and j follow k. */
static ash_status set(const product *p, const ash_array *out, int64_t k)
{
    const int64_t i = (k + 1) % 3, j = (k + 2) % 3;
    ash_array *const to = component(p, out, k);
    ash_array *part[4] = {NULL};
    ash_operand operand[4];
    ash_status status = to ? ASH_OK : ash__last_status();
    for (int n = 0; n < 4 && !status; n++) {
        part[n] = component(p, p->factor[n % 2], n == 0 || n == 3 ? i : j);
        operand[n] = ash_operand_array(part[n]);
        status = part[n] ? ASH_OK : ash__last_status();
    }
    if (!status)
        status = ash__map_text_to(p->function, to, "(a, b, c, d) -> a*b - c*d", (ash_operands){operand, 4}, p->given);
    for (int n = 0; n < 4; n++)
        ash_release(part[n]);
    ash_release(to);
    return status;
}

ash_array *ash_cross_opt(const ash_array *a, const ash_array *b, const ash_cross_options *options)
{
    static const char f[] = "ash_cross";
    ash_cross_options o;
    product p = {.function = f, .factor = {a, b}, .axis = 1};
    int64_t axis;
    if (!ash__read_options(f, &o, sizeof o, options) || check(&p, 0) || check(&p, 1))
        return NULL;
    const int64_t rank = a->rank > b->rank ? a->rank : b->rank;
    if (o.axes.axis && o.axes.count != 1) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%lld axes are given; one is wanted", (long long)o.axes.count);
        return NULL;
    }
    if (o.axes.axis) {
        if (ash__check_axis(f, o.axes.axis[0], rank, &axis))
            return NULL;
        p.axis = rank - axis;
    }
    if (check_three(&p, 0) || check_three(&p, 1))
        return NULL;
    p.given = o.resources;
    ash_array *out = result(&p);
    const int64_t barrier = out ? ash_scope_open_barrier() : -1;
    ash_status status = barrier < 0 ? ash__last_status() : ASH_OK;
    for (int64_t k = 0; k < 3 && !status; k++)
        status = set(&p, out, k);
    ash_scope_close(barrier);
    if (out && status) {
        ash_release(out);
        out = NULL;
    }
    return out;
}
