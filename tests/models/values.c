/* values.c - elements, drawn so that the edges come often. */
#include "values.h"

#include <string.h>

#include "random.h"

static void integer_element(ash_dtype real, void *element, style like)
{
    const int width = 8 * (int)ash_dtype_size(real);
    const uint64_t top = UINT64_C(1) << (width - 1);
    uint64_t bits = random_bits();
    if (like == FEW || one_in(3)) {
        const uint64_t special[] = {0, 1, UINT64_MAX, top, top - 1, top + 1, 2, 3};
        bits = special[random_below(8)];
    }
    memcpy(element, &bits, ash_dtype_size(real));
}

static void float_element(ash_dtype real, void *element, style like)
{
    const int digits = real == ASH_F64 ? 52 : real == ASH_F32 ? 23 : real == ASH_F16 ? 10 : 7;
    const int width = 8 * (int)ash_dtype_size(real);
    const uint64_t sign = UINT64_C(1) << (width - 1), infinity = sign - (UINT64_C(1) << digits),
                   one = (infinity >> 1) & infinity;
    uint64_t bits = random_bits();
    if (like == FEW || one_in(3)) {
        const uint64_t special[] = {
            0,   sign,       infinity, infinity | sign, infinity | sign >> 10 | 1, infinity | sign | one >> 9 | 1,
            one, one | sign, 1,        infinity - 1};
        bits = special[random_below(10)];
    } else if (one_in(2)) { /* numbers near 1, with fractions: random patterns are mostly huge or tiny */
        bits = (one + ((bits >> 40 & 7) << digits) + (bits & ((UINT64_C(1) << digits) - 1))) | (bits >> 63 ? sign : 0);
    }
    memcpy(element, &bits, ash_dtype_size(real));
}

static void real_element(ash_dtype real, void *element, style like)
{
    if (like == COUNTS || real == ASH_BOOL)
        number_store(real, (number){FINITE, false, (uint64_t)random_below(real == ASH_BOOL ? 2 : 4), 0}, element);
    else if (is_float(real))
        float_element(real, element, like);
    else
        integer_element(real, element, like);
}

static void record_element(ash_dtype dtype, unsigned char *element)
{
    for (size_t i = 0; i < ash_dtype_size(dtype); i++)
        element[i] = (unsigned char)random_below(256);
    if (dtype == record_dtype(SPOT))
        memset(element + offsetof(spot, n) + sizeof(int16_t), 0, 2);
}

model random_values(ash_dtype dtype, const int64_t *shape, int64_t rank, style like)
{
    const model m = model_new(dtype, shape, rank);
    for (int64_t i = 0; i < m.size; i++) {
        unsigned char *element = model_at(&m, i);
        if (is_record(dtype)) {
            record_element(dtype, element);
            continue;
        }
        real_element(part_of(dtype), element, like);
        if (is_complex(dtype) && !(like == COUNTS && one_in(2)))
            real_element(part_of(dtype), element + ash_dtype_size(part_of(dtype)), like);
    }
    return m;
}
