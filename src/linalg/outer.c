/* outer.c - the matrix of all products of an element of one vector and one of another. */
#include "ashlar/linalg.h"
#include "core/options.h"
#include "linalg/product.h"

ash_array *ash_outer_opt(const ash_array *a, const ash_array *b, const ash_outer_options *options)
{
    static const char name[] = "ash_outer";
    ash_outer_options o;
    ash__factors f;
    if (!ash__read_options(name, &o, sizeof o, options) ||
        ash__factors_vectors(&f, name, a, b, ASH__FACTOR_COLUMN, ASH__FACTOR_ROW, o.resources))
        return NULL;
    return ash__factors_new(&f, o.dtype, o.layout ? o.layout : ASH_ROW_MAJOR, o.storage, o.memory);
}
