/* dot.c - the sum of the products of the elements of two vectors, or of any two arrays of one size. */
#include "ashlar/linalg.h"
#include "ashlar/view.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/product.h"
#include "ops/place.h"

ash_array *ash_dot_opt(const ash_array *a, const ash_array *b, const ash_dot_options *options)
{
    static const char name[] = "ash_dot";
    ash_dot_options o;
    ash__factors f;
    if (!ash__read_options(name, &o, sizeof o, options) ||
        ash__factors_vectors(&f, name, a, b, ASH__FACTOR_ROW, ASH__FACTOR_COLUMN, o.resources))
        return NULL;
    return ash__factors_new(&f, o.dtype, 0, 0, NULL);
}

/* a as a vector of its elements in row-major order; belongs to the caller alone. Call inside a barrier. */
static ash_array *flat(const char *function, const ash_array *a, ash_resources *given)
{
    if (a->rank == 1)
        return ash_retain(a);
    ash_array *dense = ash__plain(function, a, a->dtype, true, given);
    const int64_t step = (int64_t)ash_dtype_size(a->dtype);
    ash_array *view = dense ? ash__view(function, dense, a->dtype, &a->size, &step, 1, dense->offset) : NULL;
    ash_release(dense);
    return view;
}

ash_array *ash_vdot_opt(const ash_array *a, const ash_array *b, const ash_dot_options *options)
{
    static const char name[] = "ash_vdot";
    ash_dot_options o;
    ash__factors f;
    if (!ash__read_options(name, &o, sizeof o, options) || ash__check_array(name, "a", a) || ash__check_array(name, "b", b))
        return NULL;
    if (a->size != b->size) {
        ash__fail(ASH_ERR_SHAPE, name, "a has shape %s and b %s: the sizes differ", ash_shape_text(a), ash_shape_text(b));
        return NULL;
    }
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *x = barrier < 0 ? NULL : flat(name, a, o.resources), *y = x ? flat(name, b, o.resources) : NULL;
    ash_scope_close(barrier);
    ash_array *out = NULL;
    if (y && !ash__factors_vectors(&f, name, x, y, ASH__FACTOR_ROW, ASH__FACTOR_COLUMN, o.resources)) {
        f.conjugated[0] = !f.conjugated[0];
        out = ash__factors_new(&f, o.dtype, 0, 0, NULL);
    }
    ash_release(x);
    ash_release(y);
    return out;
}
