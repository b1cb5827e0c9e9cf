/* matmul.c - the product of matrices, of a matrix and a vector, or of vectors; of many at once along leading axes. */
#include "ashlar/linalg.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/product.h"

ash_array *ash_matmul_opt(const ash_array *a, const ash_array *b, const ash_matmul_options *options)
{
    static const char name[] = "ash_matmul";
    ash_matmul_options o;
    ash__factors f;
    ash_array *out;
    if (!ash__read_options(name, &o, sizeof o, options))
        return NULL;
    if (!o.resources && !o.dtype && !o.layout && !o.storage && !o.memory && !o.a_structure && !o.b_structure &&
        ash__plain_product(name, a, b, &out))
        return out;
    if (ash__factors_begin(&f, name, a, b, o.a_structure, o.b_structure, NULL, o.resources))
        return NULL;
    return ash__factors_new(&f, o.dtype, o.layout, o.storage, o.memory);
}

ash_status ash_matmul_into_opt(ash_array *out, const ash_array *a, const ash_array *b, const ash_matmul_into_options *options)
{
    static const char name[] = "ash_matmul_into";
    ash_matmul_into_options o;
    ash__factors f;
    if (!ash__read_options(name, &o, sizeof o, options))
        return ash__last_status();
    ash_status status;
    if (!o.resources && !o.a_structure && !o.b_structure && ash__plain_product_into(name, out, a, b, &status))
        return status;
    status = ash__check_writable(name, "out", out);
    if (!status)
        status = ash__factors_begin(&f, name, a, b, o.a_structure, o.b_structure, out, o.resources);
    return status ? status : ash__factors_into(&f, out, NULL, NULL);
}
