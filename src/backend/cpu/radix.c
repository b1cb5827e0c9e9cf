/*
 * radix.c - sorting keys by their bytes, from the lowest to the highest.
 *
 * What machines without vectors of masks sort by, and the way out where parting at a bound does not get on. All bytes are
 * counted in one pass, and those that are the same in all keys are left out: D. E. Knuth, The Art of Computer Programming 3,
 * 5.2.5.
 */
#include "backend/cpu/sort_keys.h"

#include <string.h>

enum { FEW = 32 }; /* keys: below, insertion is faster than counting */

#define DEFINE_RADIX(K)                                                         \
    static void insert_##K(K *final, const K *keys, int64_t n)                  \
    {                                                                           \
        for (int64_t i = 0; i < n; i++) {                                       \
            const K x = keys[i];                                                \
            int64_t at = i;                                                     \
            for (; at > 0 && final[at - 1] > x; at--)                           \
                final[at] = final[at - 1];                                      \
            final[at] = x;                                                      \
        }                                                                       \
    }                                                                           \
                                                                                \
    static void move_##K(K *to, const K *from, int64_t n, int shift, int64_t *count) \
    {                                                                           \
        int64_t start[256], sum = 0;                                            \
        for (int d = 0; d < 256; d++) {                                         \
            start[d] = sum;                                                     \
            sum += count[d];                                                    \
        }                                                                       \
        for (int64_t i = 0; i < n; i++)                                         \
            to[start[from[i] >> shift & 255]++] = from[i];                      \
    }                                                                           \
                                                                                \
    static void radix_##K(K *data, K *other, int64_t n, bool to_other)          \
    {                                                                           \
        enum { BYTES = sizeof(K) };                                             \
        int64_t count[BYTES][256];                                              \
        K *from = data, *to = other;                                            \
        if (n <= FEW) {                                                         \
            insert_##K(to_other ? other : data, data, n);                       \
            return;                                                             \
        }                                                                       \
        memset(count, 0, sizeof count);                                         \
        for (int64_t i = 0; i < n; i++)                                         \
            for (int b = 0; b < BYTES; b++)                                     \
                count[b][data[i] >> 8 * b & 255]++;                             \
        for (int b = 0; b < BYTES; b++) {                                       \
            if (count[b][data[0] >> 8 * b & 255] == n)                          \
                continue;                                                       \
            move_##K(to, from, n, 8 * b, count[b]);                             \
            K *const swap = from;                                               \
            from = to;                                                          \
            to = swap;                                                          \
        }                                                                       \
        if (from != (to_other ? other : data))                                  \
            memcpy(to, from, (size_t)n * sizeof(K));                            \
    }
DEFINE_RADIX(uint32_t)
DEFINE_RADIX(uint64_t)

void ash__radix_sort(int width, void *data, void *other, int64_t n, bool to_other)
{
    if (width)
        radix_uint64_t(data, other, n, to_other);
    else
        radix_uint32_t(data, other, n, to_other);
}
