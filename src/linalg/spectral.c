/* spectral.c - products and inverses for other operations, whose names their errors bear. */
#include "linalg/spectral.h"

#include "linalg/product.h"

ash_array *ash__multiply(const char *function, const ash_array *a, const ash_array *b, ash_resources *given)
{
    ash__factors f;
    if (ash__factors_begin(&f, function, a, b, ASH_STRUCTURE_DEFAULT, ASH_STRUCTURE_DEFAULT, NULL, given))
        return NULL;
    return ash__factors_new(&f, ASH_DTYPE_DEFAULT, ASH_LAYOUT_DEFAULT, ASH_STORAGE_DEFAULT, NULL);
}

ash_array *ash__inverse(const char *function, const ash_array *a, ash__factor_check check, ash_resources *given)
{
    const ash__factor_call c = {function, given};
    const int64_t n = a->shape[a->rank - 1];
    ash_lu_factors f;
    if (ash__lu_make(&c, a, ash__factor_dtype(a->dtype), check, &f))
        return NULL;
    ash_array *const inverse = ash__factor_identity(&c, f.lu, f.lu->dtype, n, n);
    return inverse && !ash__lu_apply(&c, f, inverse) ? inverse : NULL;
}
