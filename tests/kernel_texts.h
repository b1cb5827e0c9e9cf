/* kernel_texts.h - the kernels of kernel.c, in a file of their own: this is what a device's compiler is given. */
#ifndef KERNEL_TEXTS_H
#define KERNEL_TEXTS_H
#undef ASH_CHECK_BOUNDS
#define ASH_CHECK_BOUNDS 1 /* where NDEBUG is defined too */
#include <ashlar/ashlar.h>
#include <tgmath.h>

ASH_KERNEL(saxpy, (in, f32, x), (inout, f32, y), (scalar, f32, a))
{
    const int64_t i = ASH_GLOBAL_ID(0);
    ASH_SET(y, a * ASH_GET(x, i) + ASH_GET(y, i), i);
}

/* One kernel for each dtype: text may be made by macros. */
#define COPIES(T)                                           \
    ASH_KERNEL(copy_##T, (in, T, x, any), (out, T, y, any)) \
    {                                                       \
        const int64_t k = ASH_GLOBAL_ID(0);                 \
        ASH_SET_NTH(y, ASH_NTH(x, k), k);                   \
    }
COPIES(i8)
COPIES(i16)
COPIES(i32)
COPIES(i64)
COPIES(u8)
COPIES(u16)
COPIES(u32)
COPIES(u64)
COPIES(f16)
COPIES(bf16)
COPIES(f32)
COPIES(c_f32)
ASH_KERNEL(copy_bool, (in, bool, x, any), (out, bool, y, any))
{
    ASH_SET_NTH(y, ASH_NTH(x, ASH_GLOBAL_ID(0)), ASH_GLOBAL_ID(0));
}

ASH_KERNEL(plus_matrix, (in, f32, x, 2), (in, f32, y, 2), (out, f32, z, 2))
{
    const int64_t i = ASH_GLOBAL_ID(0), j = ASH_GLOBAL_ID(1);
    ASH_SET(z, ASH_GET(x, i, j) + ASH_GET(y, i, j), i, j);
}

ASH_KERNEL(plus_c, (in, c_f32, x, 2), (inout, c_f32, z, 2))
{
    const int64_t i = ASH_GLOBAL_ID(0), j = ASH_GLOBAL_ID(1);
    const ash_complex_f32 a = ASH_GET(x, i, j), b = ASH_GET(z, i, j);
    ASH_SET(z, ASH_C_F32_OF(a.re + b.re, a.im + b.im), i, j);
}

ASH_KERNEL(ranks, (in, i32, r0, 0), (in, i32, r3, 3), (in, i32, r4, 4), (out, i32, y, 0))
{
    int32_t sum = ASH_GET(r0);
    for (int64_t i = 0; i < ASH_SIZE(r3, 0); i++)
        for (int64_t j = 0; j < ASH_SIZE(r3, 1); j++)
            for (int64_t k = 0; k < ASH_SIZE(r3, 2); k++)
                sum += ASH_GET(r3, i, j, k) * (int32_t)(100 * i + 10 * j + k);
    ASH_SET(y, sum + ASH_GET(r4, 0, 1, 0, 1) + (int32_t)(ASH_LENGTH(r4) * 1000 + ASH_RANK(r4) * 10000));
}

static inline float squared(const ash_view_f32 v, int64_t i)
{
    return ASH_GET(v, i) * ASH_GET(v, i);
}

/* What each item sees of the launch: axes, groups, places. */
ASH_KERNEL(places, (out, i64, y, 3))
{
    const int64_t i = ASH_GLOBAL_ID(0), j = ASH_GLOBAL_ID(1);
    ASH_SET(y, ASH_LOCAL_ID(0) * 100000 + ASH_LOCAL_ID(1) * 10000 + ASH_GROUP_ID(0) * 1000 + ASH_GROUP_ID(1) * 100 +
                   ASH_LOCAL_SIZE(1) * 10 + ASH_GROUPS(0), i, j, 0);
    ASH_SET(y, ASH_GLOBAL_SIZE(0) * 10 + ASH_GLOBAL_SIZE(1), i, j, 1);
}

/* The sum of squares of each group of 64, as a tree in local memory. */
ASH_KERNEL(sum_of_groups, (in, f32, x), (out, f32, sums), (local, f32, part, 64))
{
    const int64_t k = ASH_LOCAL_ID(0), i = ASH_GLOBAL_ID(0);
    part[k] = i < ASH_SIZE(x, 0) ? squared(x, i) : 0.0f;
    ASH_BARRIER();
    for (int64_t step = 32; step > 0; step /= 2) {
        if (k < step)
            part[k] += part[k + step];
        ASH_BARRIER();
    }
    if (k == 0)
        ASH_SET(sums, part[0], ASH_GROUP_ID(0));
}

/* Tiles of 8 by 8 turned in local memory; a matrix of any shape. */
ASH_KERNEL(turn, (in, i32, a, 2), (out, i32, b, 2), (local, i32, tile, 8 * 9))
{
    const int64_t r = ASH_LOCAL_ID(0), c = ASH_LOCAL_ID(1), i = ASH_GLOBAL_ID(0), j = ASH_GLOBAL_ID(1);
    if (i < ASH_SIZE(a, 0) && j < ASH_SIZE(a, 1))
        tile[r * 9 + c] = ASH_GET(a, i, j);
    ASH_BARRIER();
    const int64_t to_row = ASH_GROUP_ID(1) * 8 + r, to_column = ASH_GROUP_ID(0) * 8 + c;
    if (to_row < ASH_SIZE(b, 0) && to_column < ASH_SIZE(b, 1))
        ASH_SET(b, tile[c * 9 + r], to_row, to_column);
}

/* Counts of bytes: in the group first, then of all. */
ASH_KERNEL(histogram, (in, u8, x), (inout, u32, counts), (local, u32, own, 256))
{
    const int64_t k = ASH_LOCAL_ID(0);
    for (int64_t bin = k; bin < 256; bin += ASH_LOCAL_SIZE(0))
        own[bin] = 0;
    ASH_BARRIER();
    for (int64_t i = ASH_GLOBAL_ID(0); i < ASH_SIZE(x, 0); i += ASH_GLOBAL_SIZE(0))
        ASH_ATOMIC_ADD(&own[ASH_GET(x, i)], 1);
    ASH_BARRIER();
    for (int64_t bin = k; bin < 256; bin += ASH_LOCAL_SIZE(0))
        ASH_ATOMIC_ADD(ASH_PLACE(counts, bin), own[bin]);
}

ASH_KERNEL(atomics, (inout, i32, a), (inout, u32, b), (inout, f32, f), (out, i32, once))
{
    const int32_t i = (int32_t)ASH_GLOBAL_ID(0);
    ASH_ATOMIC_ADD(ASH_PLACE(a, 0), i);
    ASH_ATOMIC_MIN(ASH_PLACE(a, 1), -i);
    ASH_ATOMIC_MAX(ASH_PLACE(a, 2), i);
    ASH_ATOMIC_AND(ASH_PLACE(b, 0), ~(1u << i));
    ASH_ATOMIC_OR(ASH_PLACE(b, 1), 1u << i);
    ASH_ATOMIC_XOR(ASH_PLACE(b, 2), 1u << i);
    ASH_ATOMIC_MAX(ASH_PLACE(b, 3), 0x80000000u + (uint32_t)i);
    ASH_ATOMIC_MIN(ASH_PLACE(b, 4), 0x80000000u + (uint32_t)i);
    ASH_ATOMIC_ADD(ASH_PLACE(f, 0), 0.5f);
    ASH_ATOMIC_EXCHANGE(ASH_PLACE(f, 1), 7.0f);
    ASH_SET(once, ASH_ATOMIC_COMPARE(ASH_PLACE(a, 3), -1, i) == -1 ? 1 : 0, i);
    ASH_ATOMIC_EXCHANGE(ASH_PLACE(a, 4), 9);
}

ASH_KERNEL(uniform_seeded, (out, f32, y, 2), (scalar, u64, seed), (random, r))
{
    ASH_SEED(r, seed);
    for (int64_t j = 0; j < ASH_SIZE(y, 1); j++)
        ASH_SET(y, ASH_RAND_F32(r), ASH_GLOBAL_ID(0), j);
}
ASH_KERNEL(uniform_of_launch, (out, f32, y), (random, r))
{
    ASH_SET(y, ASH_RAND_F32(r), ASH_GLOBAL_ID(0));
}
ASH_KERNEL(draws, (out, f32, normal, 2), (out, f32, exponential, 2), (out, u64, bits), (out, i64, ranged, 2), (random, r))
{
    const int64_t i = ASH_GLOBAL_ID(0);
    ASH_SEED(r, 1);
    for (int64_t j = 0; j < 4; j++)
        ASH_SET(normal, ASH_RANDN_F32(r), i, j);
    ASH_SEED(r, 1);
    for (int64_t j = 0; j < 4; j++)
        ASH_SET(exponential, ASH_RANDEXP_F32(r), i, j);
    ASH_SEED(r, 1);
    ASH_SET(bits, ASH_RAND_U64(r), i);
    ASH_SEED(r, 1);
    ASH_SET(ranged, ASH_RANDINT(r, 1, 7), i, 0);
    ASH_SET(ranged, ASH_RANDINT(r, -5, 6), i, 1);
    ASH_SEED(r, 1);
    ASH_SET(ranged, ASH_RANDINT(r, -4000000000000000000, 4000000000000000000), i, 2);
}

#if ASH_HAS_I64_ATOMICS
ASH_KERNEL(wide_atomics, (inout, i64, a), (inout, u64, b), (local, u64, own, 1))
{
    const int64_t i = ASH_GLOBAL_ID(0);
    if (ASH_LOCAL_ID(0) == 0)
        own[0] = 0;
    ASH_BARRIER();
    ASH_ATOMIC_ADD(&own[0], 0x100000001u);
    ASH_ATOMIC_ADD(ASH_PLACE(a, 0), -4000000000 * i);
    ASH_ATOMIC_MIN(ASH_PLACE(a, 1), -4000000000 * i);
    ASH_ATOMIC_MAX(ASH_PLACE(b, 0), 0x8000000000000000u + (uint64_t)i);
    ASH_BARRIER();
    if (ASH_LOCAL_ID(0) == 0)
        ASH_ATOMIC_ADD(ASH_PLACE(b, 1), own[0]);
}
#endif

#if ASH_HAS_F64
ASH_KERNEL(draws_f64, (out, f64, uniform, 2), (out, f64, normal, 2), (out, f64, exponential), (scalar, f64, shift), (random, r))
{
    const int64_t i = ASH_GLOBAL_ID(0);
    ASH_SEED(r, 1);
    for (int64_t j = 0; j < 2; j++)
        ASH_SET(uniform, ASH_RAND_F64(r) + shift, i, j);
    ASH_SEED(r, 1);
    for (int64_t j = 0; j < 2; j++)
        ASH_SET(normal, ASH_RANDN_F64(r) + shift, i, j);
    ASH_SEED(r, 1);
    ASH_SET(exponential, ASH_RANDEXP_F64(r) + shift, i);
}
ASH_KERNEL(conjugated_f64, (in, c_f64, x), (out, c_f64, y))
{
    const ash_complex_f64 z = ASH_GET(x, ASH_GLOBAL_ID(0));
    ASH_SET(y, ASH_C_F64_OF(z.im, z.re), ASH_GLOBAL_ID(0));
}
#endif

/* Functions of <tgmath.h>, a table, pointers to rows. */
ASH_CONSTANT float weight[3] = {0.25f, 0.5f, 0.25f};
static inline float weighed(const ASH_GLOBAL float *row, ASH_LOCAL float *sum)
{
    *sum = 0;
    for (int k = 0; k < 3; k++)
        *sum += weight[k] * row[k];
    return sqrt(*sum);
}
ASH_KERNEL(rows, (in, f32, x, 2), (out, f32, y), (local, f32, sum, 1), (scalar, bool, minus))
{
    const float root = weighed(ASH_PLACE(x, ASH_GLOBAL_ID(0), 0), sum);
    ASH_SET(y, minus ? -root : root, ASH_GLOBAL_ID(0));
}

/* ---- what is wrong with these shows when they run */

ASH_KERNEL(one_too_far, (in, f32, x), (out, f32, y))
{
    ASH_SET(y, ASH_GET(x, ASH_GLOBAL_ID(0) + 1), ASH_GLOBAL_ID(0));
}
ASH_KERNEL(too_few_indices, (in, f32, x, 2), (out, f32, y))
{
    ASH_SET(y, ASH_GET(x, ASH_GLOBAL_ID(0)), ASH_GLOBAL_ID(0));
}
ASH_KERNEL(only_some_wait, (out, f32, y))
{
    if (ASH_GLOBAL_ID(0) > 2)
        ASH_BARRIER();
    ASH_SET(y, 1.0f, ASH_GLOBAL_ID(0));
}

#endif
