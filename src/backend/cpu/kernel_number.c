/*
 * kernel_number.c - what kernels call for numbers: random ones, and elements of 16 bits.
 *
 * Normal and exponential numbers are made by the library, not in the user's program: there the compiler might fuse a product
 * and a sum, and the last bit would be another.
 */
#include "ashlar/kernel.h"
#include "backend/cpu/kernels.h"
#include "core/dtype.h"

/* docs/random.md; one block at a time. */
void ash_kernel_words(uint64_t seed, uint64_t item, uint64_t call, uint32_t *word)
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t x[4] = {(uint32_t)item, (uint32_t)(item >> 32), (uint32_t)call, (uint32_t)(call >> 32)};
    for (int round = 0; round < 10; round++) {
        const uint64_t a = x[0] * UINT64_C(0xd2511f53), b = x[2] * UINT64_C(0xcd9e8d57);
        x[0] = (uint32_t)(b >> 32) ^ x[1] ^ key[0];
        x[1] = (uint32_t)b;
        x[2] = (uint32_t)(a >> 32) ^ x[3] ^ key[1];
        x[3] = (uint32_t)a;
        key[0] += 0x9e3779b9u;
        key[1] += 0xbb67ae85u;
    }
    memcpy(word, x, sizeof x);
}

void ash_kernel_normal_f32(uint32_t u, uint32_t w, float *pair)
{
    const uint32_t word[2] = {u, w};
    ash__cpu_kernels()->random->normal[0](pair, word, -2, 2);
}

void ash_kernel_normal_f64(uint64_t u, uint64_t w, double *pair)
{
    const uint64_t word[2] = {u, w}; /* little-endian: the lower halves first */
    ash__cpu_kernels()->random->normal[1](pair, (const uint32_t *)(const void *)word, -2, 2);
}

float ash_kernel_exponential_f32(uint32_t w)
{
    float x;
    ash__cpu_kernels()->random->exponential[0](&x, &w, 1);
    return x;
}

double ash_kernel_exponential_f64(uint64_t w)
{
    double x;
    ash__cpu_kernels()->random->exponential[1](&x, (const uint32_t *)(const void *)&w, 1);
    return x;
}

float ash_kernel_from_f16(uint16_t x)
{
    return ash__f16_to_f32(x);
}
float ash_kernel_from_bf16(uint16_t x)
{
    return ash__bf16_to_f32(x);
}
uint16_t ash_kernel_to_f16(float x)
{
    return ash__f16_from_f64((double)x);
}
uint16_t ash_kernel_to_bf16(float x)
{
    return ash__bf16_from_f64((double)x);
}

char *ash_kernel_nth(const ash_kernel_view *view, int64_t k)
{
    char *at = view->data;
    for (int32_t axis = view->rank - 1; axis >= 0; k /= view->shape[axis--])
        at += k % view->shape[axis] * view->byte_stride[axis];
    return at;
}
