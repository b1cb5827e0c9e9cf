/* matrices.c - see matrices.h. */
#include "matrices.h"

#include <string.h>

#include "bounds.h"

static double *numbers(const model *m)
{
    return (double *)(void *)m->data;
}

model wide(const model *m)
{
    model out;
    model_convert(&out, m, ASH_C_F64);
    return out;
}

model product(const model *a, const model *b)
{
    int64_t shape[MODEL_RANK];
    const int64_t m = a->shape[a->rank - 2], inner = a->shape[a->rank - 1], n = b->shape[b->rank - 1];
    memcpy(shape, a->shape, sizeof shape);
    shape[a->rank - 1] = n;
    const model out = model_new(ASH_C_F64, shape, a->rank);
    for (int64_t at = 0; at < out.size; at++) {
        const int64_t stack = at / (m * n), i = at / n % m, j = at % n;
        const double *const x = numbers(a) + 2 * (stack * m + i) * inner, *const y = numbers(b) + 2 * (stack * inner * n + j);
        long double re = 0, im = 0;
        for (int64_t k = 0; k < inner; k++) {
            const long double p = x[2 * k], q = x[2 * k + 1], r = y[2 * k * n], s = y[2 * k * n + 1];
            re += p * r - q * s;
            im += p * s + q * r;
        }
        numbers(&out)[2 * at] = (double)re;
        numbers(&out)[2 * at + 1] = (double)im;
    }
    return out;
}

model adjoint_of(const model *a)
{
    const model out = model_swap_last(a);
    for (int64_t i = 0; i < out.size; i++)
        numbers(&out)[2 * i + 1] = -numbers(&out)[2 * i + 1];
    return out;
}

model identity_like(const model *a, int64_t n)
{
    int64_t shape[MODEL_RANK];
    memcpy(shape, a->shape, sizeof shape);
    shape[a->rank - 2] = shape[a->rank - 1] = n;
    const model out = model_new(ASH_C_F64, shape, a->rank);
    for (int64_t i = 0; i < out.size; i++)
        numbers(&out)[2 * i] = i / n % n == i % n;
    return out;
}

model column(const model *v)
{
    return model_reshape(v, (const int64_t[]){v->size, 1}, 2);
}

model narrow(const model *from, ash_dtype dtype)
{
    const model out = model_new(dtype, from->shape, from->rank);
    const ash_dtype part = part_of(dtype);
    for (int64_t i = 0; i < out.size; i++)
        for (int p = 0; p <= is_complex(dtype); p++)
            number_store(part, number_of(ASH_F64, numbers(from) + 2 * i + p),
                         (char *)model_at(&out, i) + (size_t)p * ash_dtype_size(part));
    return out;
}

model square(double diagonal, bool hermitian)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = now.rank, n = now.shape[rank - 1] < now.shape[rank - 2] ? now.shape[rank - 1] : now.shape[rank - 2];
    memcpy(shape, now.shape, sizeof shape);
    shape[rank - 2] = shape[rank - 1] = n;
    const model m = model_new(ASH_C_F64, shape, rank);
    for (int64_t i = 0; i < m.size; i++) {
        numbers(&m)[2 * i] = (double)random_in(-64, 64) / 64 / (double)n + (i / n % n == i % n ? diagonal : 0);
        numbers(&m)[2 * i + 1] = is_complex(now.dtype) ? (double)random_in(-64, 64) / 64 / (double)n : 0;
    }
    const model turned = adjoint_of(&m);
    for (int64_t k = 0; k < 2 * m.size && hermitian; k++)
        numbers(&m)[k] = (numbers(&m)[k] + numbers(&turned)[k]) / 2;
    return narrow(&m, now.dtype);
}

void check_close(const model *got, const model *want)
{
    const ash_dtype dtype = given()->dtype;
    const model a = narrow(got, dtype), b = narrow(want, dtype);
    const int64_t at = got->size == want->size ? first_apart(&a, &b, now.what->close, 1) : 0;
    if (at >= 0 && want->size)
        fail("element %" PRId64 " of the product is %.9g%+.9gi, not %.9g%+.9gi", at, numbers(got)[2 * at],
             numbers(got)[2 * at + 1], numbers(want)[2 * at], numbers(want)[2 * at + 1]);
}
