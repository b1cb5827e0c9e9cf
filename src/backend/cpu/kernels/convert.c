/*
 * convert.c - conversions between machine types, and f16 and bf16 in memory.
 *
 * Between integers only the bits kept and the sign of the source matter, so a loop serves several pairs. From floats to
 * integers every value is brought into range before C converts it, because out of range C says nothing.
 */
#include "backend/cpu/kernels/bits.h"
#include "backend/cpu/kernels/elementwise.h"

/* ---- integers to integers -------------------------------------------------------------------------------------------------
 */

#define DEFINE_CONVERT(FROM, TO) LOOP1(FROM##_to_##TO, ash__##FROM, ash__##TO, x)

#define DEFINE_COPY(NAME, T)                     \
    ASH__KERNEL(NAME)                            \
    {                                            \
        ASH__UNUSED(B), ASH__UNUSED(C);          \
        if (D != A && n > 0)                     \
            memcpy(D, A, (size_t)n * sizeof(T)); \
    }
DEFINE_COPY(copy8, uint8_t)
DEFINE_COPY(copy16, uint16_t)
DEFINE_COPY(copy32, uint32_t)
DEFINE_COPY(copy64, uint64_t)
DEFINE_CONVERT(u64, u32)
DEFINE_CONVERT(u64, u16)
DEFINE_CONVERT(u64, u8)
DEFINE_CONVERT(u32, u16)
DEFINE_CONVERT(u32, u8)
DEFINE_CONVERT(u16, u8)
DEFINE_CONVERT(u8, u16)
DEFINE_CONVERT(u8, u32)
DEFINE_CONVERT(u8, u64)
DEFINE_CONVERT(u16, u32)
DEFINE_CONVERT(u16, u64)
DEFINE_CONVERT(u32, u64)
DEFINE_CONVERT(i8, i16)
DEFINE_CONVERT(i8, i32)
DEFINE_CONVERT(i8, i64)
DEFINE_CONVERT(i16, i32)
DEFINE_CONVERT(i16, i64)
DEFINE_CONVERT(i32, i64)

#define DEFINE_TO_BOOL(FROM) LOOP1(FROM##_to_bool, ash__##FROM, ash__bool, x != 0)
DEFINE_TO_BOOL(u8)
DEFINE_TO_BOOL(u16)
DEFINE_TO_BOOL(u32)
DEFINE_TO_BOOL(u64)
DEFINE_TO_BOOL(f32)
DEFINE_TO_BOOL(f64)

/* A narrowing that reports what does not fit: bad is nonzero for such an x. U: the unsigned type of FROM's width. */
#define LOOP_NARROW(FROM, U, TO, RESULT, BAD)        \
    ASH__KERNEL(narrow_##FROM##_##TO)                \
    {                                                \
        ash__##TO *d = D;                            \
        const ash__##FROM *a = A;                    \
        ash__##U bad = 0;                            \
        ASH__UNUSED(B);                              \
        ASH__IVDEP for (int64_t i = 0; i < n; i++)   \
        {                                            \
            const ash__##FROM x = a[i];              \
            const ash__##TO r = (ash__##TO)(RESULT); \
            const ash__##U wrong = (ash__##U)(BAD);  \
            bad |= wrong;                            \
            d[i] = r;                                \
        }                                            \
        *(int *)C |= bad ? ASH__FAULT_VALUE : 0;     \
    }
/* to a smaller type of the same sign; between signs: what does not survive, or has the top bit set on the unsigned side */
#define NARROW_SAME(FROM, U, TO) LOOP_NARROW(FROM, U, TO, x, (ash__##FROM)r ^ x)
#define NARROW_TO_UNSIGNED(FROM, U, TO) LOOP_NARROW(FROM, U, TO, x, ((ash__##FROM)r ^ x) | (ash__##FROM)(x < 0))
#define NARROW_TO_SIGNED(FROM, U, TO) LOOP_NARROW(FROM, U, TO, x, ((ash__##FROM)r ^ x) | (ash__##FROM)(r < 0))
#define NARROW_TO_BOOL(FROM, U) LOOP_NARROW(FROM, U, bool, x != 0, r ^ x)

NARROW_TO_BOOL(u8, u8)
NARROW_TO_BOOL(u16, u16)
NARROW_TO_BOOL(u32, u32)
NARROW_TO_BOOL(u64, u64)
NARROW_SAME(i16, u16, i8)
NARROW_SAME(i32, u32, i8)
NARROW_SAME(i32, u32, i16)
NARROW_SAME(i64, u64, i8)
NARROW_SAME(i64, u64, i16)
NARROW_SAME(i64, u64, i32)
NARROW_SAME(u16, u16, u8)
NARROW_SAME(u32, u32, u8)
NARROW_SAME(u32, u32, u16)
NARROW_SAME(u64, u64, u8)
NARROW_SAME(u64, u64, u16)
NARROW_SAME(u64, u64, u32)
#define NARROW_TO_ALL_UNSIGNED(FROM, U) \
    NARROW_TO_UNSIGNED(FROM, U, u8)     \
    NARROW_TO_UNSIGNED(FROM, U, u16)    \
    NARROW_TO_UNSIGNED(FROM, U, u32)    \
    NARROW_TO_UNSIGNED(FROM, U, u64)
NARROW_TO_ALL_UNSIGNED(i8, u8)
NARROW_TO_ALL_UNSIGNED(i16, u16)
NARROW_TO_ALL_UNSIGNED(i32, u32)
NARROW_TO_ALL_UNSIGNED(i64, u64)
NARROW_TO_SIGNED(u8, u8, i8)
NARROW_TO_SIGNED(u16, u16, i8)
NARROW_TO_SIGNED(u16, u16, i16)
NARROW_TO_SIGNED(u32, u32, i8)
NARROW_TO_SIGNED(u32, u32, i16)
NARROW_TO_SIGNED(u32, u32, i32)
NARROW_TO_SIGNED(u64, u64, i8)
NARROW_TO_SIGNED(u64, u64, i16)
NARROW_TO_SIGNED(u64, u64, i32)
NARROW_TO_SIGNED(u64, u64, i64)

/* ---- integers to floats: one rounding -------------------------------------------------------------------------------------
 */

/* Below AVX-512 vectors convert signed 32-bit numbers only. A u32 is shifted by 2^31, there and back, exactly in f64; the
 * halves of a u64 are placed into the mantissas of 2^84 and 2^52, so that only the last addition rounds. */
#ifdef __AVX512DQ__
static inline double f64_of_u32(uint32_t x)
{
    return (double)x;
}
static inline double f64_of_u64(uint64_t x)
{
    return (double)x;
}
#else
static inline double f64_of_u32(uint32_t x)
{
    return (double)(int32_t)(x ^ 0x80000000u) + 0x1p31;
}
static inline double f64_of_u64(uint64_t x)
{
    const double high = f64_from(x >> 32 | 0x4530000000000000u) - (0x1p84 + 0x1p52);
    return high + f64_from((x & 0xffffffffu) | 0x4330000000000000u);
}
#endif

DEFINE_CONVERT(i8, f32)
DEFINE_CONVERT(i16, f32)
DEFINE_CONVERT(i32, f32)
DEFINE_CONVERT(i64, f32)
DEFINE_CONVERT(u8, f32)
DEFINE_CONVERT(u16, f32)
LOOP1(u32_to_f32, ash__u32, ash__f32, f64_of_u32(x))
DEFINE_CONVERT(u64, f32)
DEFINE_CONVERT(f64, f32)
DEFINE_CONVERT(i8, f64)
DEFINE_CONVERT(i16, f64)
DEFINE_CONVERT(i32, f64)
DEFINE_CONVERT(i64, f64)
DEFINE_CONVERT(u8, f64)
DEFINE_CONVERT(u16, f64)
LOOP1(u32_to_f64, ash__u32, ash__f64, f64_of_u32(x))
LOOP1(u64_to_f64, ash__u64, ash__f64, f64_of_u64(x))
DEFINE_CONVERT(f32, f64)

/* ---- floats to integers: toward zero, saturating, NaN gives 0 */

#define DEFINE_SATURATE(F)                                                                                             \
    static inline int32_t i32_of_##F(ash__##F x)                                                                       \
    {                                                                                                                  \
        const int32_t r = (int32_t)(x >= -0x1p31f && x < 0x1p31f ? x : 0);                                             \
        return x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : r;                                                \
    }                                                                                                                  \
    static inline uint32_t u32_of_##F(ash__##F x)                                                                      \
    {                                                                                                                  \
        const ash__##F low = x >= 0x1p31f ? x - 0x1p31f : x;                                                           \
        const uint32_t r = (uint32_t)(int32_t)(low > 0 && low < 0x1p31f ? low : 0) ^ (x >= 0x1p31f ? 0x80000000u : 0); \
        return x >= 0x1p32f ? UINT32_MAX : r;                                                                          \
    }                                                                                                                  \
    static inline int32_t clamped_##F(ash__##F x, int32_t min, int32_t max)                                            \
    {                                                                                                                  \
        const int32_t r = i32_of_##F(x);                                                                               \
        return r < min ? min : r > max ? max : r;                                                                      \
    }                                                                                                                  \
    static inline int64_t i64_of_##F(ash__##F x)                                                                       \
    {                                                                                                                  \
        const int64_t r = (int64_t)(x >= -0x1p63f && x < 0x1p63f ? x : 0);                                             \
        return x >= 0x1p63f ? INT64_MAX : x < -0x1p63f ? INT64_MIN : r;                                                \
    }                                                                                                                  \
    static inline uint64_t u64_of_##F(ash__##F x)                                                                      \
    {                                                                                                                  \
        const ash__##F low = x >= 0x1p63f ? x - 0x1p63f : x;                                                           \
        const uint64_t r = (uint64_t)(int64_t)(low > 0 && low < 0x1p63f ? low : 0) ^ (x >= 0x1p63f ? 1ull << 63 : 0);  \
        return x >= 0x1p64f ? UINT64_MAX : r;                                                                          \
    }                                                                                                                  \
    LOOP1(F##_to_i8, ash__##F, ash__i8, clamped_##F(x, INT8_MIN, INT8_MAX))                                            \
    LOOP1(F##_to_i16, ash__##F, ash__i16, clamped_##F(x, INT16_MIN, INT16_MAX))                                        \
    LOOP1(F##_to_i32, ash__##F, ash__i32, i32_of_##F(x))                                                               \
    LOOP1(F##_to_i64, ash__##F, ash__i64, i64_of_##F(x))                                                               \
    LOOP1(F##_to_u8, ash__##F, ash__u8, clamped_##F(x, 0, UINT8_MAX))                                                  \
    LOOP1(F##_to_u16, ash__##F, ash__u16, clamped_##F(x, 0, UINT16_MAX))                                               \
    LOOP1(F##_to_u32, ash__##F, ash__u32, u32_of_##F(x))                                                               \
    LOOP1(F##_to_u64, ash__##F, ash__u64, u64_of_##F(x))
DEFINE_SATURATE(f32)
DEFINE_SATURATE(f64)

/* ---- f16 and bf16 */

static inline float f32_of_f16(uint32_t h)
{
    const uint32_t a = h & 0x7fff, rebias = 112u << 23;
    const uint32_t normal = (a << 13) + rebias + (a >= 0x7c00 ? rebias : 0);
    const uint32_t subnormal = f32_bits((float)(int32_t)a * 0x1p-24f);
    return f32_from((a < 0x0400 ? subnormal : normal) | (h & 0x8000) << 16);
}
static inline float f32_of_bf16(uint32_t h)
{
    return f32_from(h << 16);
}

/* Rounding to nearest even by integers: half of the last place kept, less one when that place is even, is added below it; the
 * carry may go into the exponent, up to infinity. A subnormal result is the low bits of x + s, where the last place of s is the
 * smallest subnormal. */
#define DEFINE_NARROW_FLOAT(NAME, F, U, SHIFT, REBIAS, SMALL, S, LARGE, INFINITE)                        \
    static inline uint16_t NAME(ash__##F x)                                                              \
    {                                                                                                    \
        const U sign = F##_bits(x) >> (8 * sizeof(U) - 16) & 0x8000, a = F##_bits(x) & ((U) ~(U)0 >> 1); \
        const U odd = a >> SHIFT & 1, half = ((U)1 << (SHIFT - 1)) - 1;                                  \
        const U normal = (a - (U)REBIAS + half + odd) >> SHIFT;                                          \
        const U subnormal = F##_bits(F##_from(a) + S) - F##_bits(S);                                     \
        const U finite = F##_from(a) < SMALL ? subnormal : normal;                                       \
        const U number = F##_from(a) >= LARGE ? INFINITE : finite;                                       \
        const U quiet = INFINITE | (INFINITE == 0x7c00 ? 0x200 : 0x40);                                  \
        return (uint16_t)((x != x ? quiet : number) | sign);                                             \
    }
DEFINE_NARROW_FLOAT(f16_of_f32, f32, uint32_t, 13, (112u << 23), 0x1p-14f, 0.5f, 0x1p16f, 0x7c00)
DEFINE_NARROW_FLOAT(f16_of_f64, f64, uint64_t, 42, (1008ull << 52), 0x1p-14, 0x1p28, 0x1p16, 0x7c00)
DEFINE_NARROW_FLOAT(bf16_of_f64, f64, uint64_t, 45, (896ull << 52), 0x1p-126, 0x1p-81, 0x1p128, 0x7f80)
/* bf16 has the exponents of f32, subnormals included */
static inline uint16_t bf16_of_f32(float x)
{
    const uint32_t u = f32_bits(x), rounded = (u + 0x7fff + (u >> 16 & 1)) >> 16;
    return (uint16_t)(x != x ? u >> 16 | 0x40 : rounded);
}

LOOP1(load_f16, uint16_t, ash__f32, f32_of_f16(x))
LOOP1(load_bf16, uint16_t, ash__f32, f32_of_bf16(x))
LOOP1(store_f16_f32, ash__f32, uint16_t, f16_of_f32(x))
LOOP1(store_f16_f64, ash__f64, uint16_t, f16_of_f64(x))
LOOP1(store_bf16_f32, ash__f32, uint16_t, bf16_of_f32(x))
LOOP1(store_bf16_f64, ash__f64, uint16_t, bf16_of_f64(x))

/* ---- tables ---------------------------------------------------------------------------------------------------------------
 */

/* A row for a source type. Its arguments: loops to 8, 16, 32 and 64 bits of either sign, to bool and to floats. */
#define ROW_INT(TO8, TO16, TO32, TO64, BOOL, F)                                                                  \
    {                                                                                                            \
        [ASH_BOOL] = BOOL, [ASH_I8] = TO8, [ASH_I16] = TO16, [ASH_I32] = TO32, [ASH_I64] = TO64, [ASH_U8] = TO8, \
        [ASH_U16] = TO16, [ASH_U32] = TO32, [ASH_U64] = TO64, [ASH_F32] = F##_to_f32, [ASH_F64] = F##_to_f64,    \
    }
#define ROW_FLOAT(F, F32, F64)                                                                                                \
    {                                                                                                                         \
        [ASH_BOOL] = F##_to_bool, [ASH_I8] = F##_to_i8, [ASH_I16] = F##_to_i16, [ASH_I32] = F##_to_i32,                       \
        [ASH_I64] = F##_to_i64, [ASH_U8] = F##_to_u8, [ASH_U16] = F##_to_u16, [ASH_U32] = F##_to_u32, [ASH_U64] = F##_to_u64, \
        [ASH_F32] = F32, [ASH_F64] = F64,                                                                                     \
    }
#define NARROW_ROW(...)          \
    {                            \
        [ASH_BOOL] = __VA_ARGS__ \
    } /* bool, i8 to i64, u8 to u64 */
#define TO_UNSIGNED(FROM) narrow_##FROM##_u8, narrow_##FROM##_u16, narrow_##FROM##_u32, narrow_##FROM##_u64

extern const ash__convert_table ASH__TABLE(ash__convert);
const ash__convert_table
    ASH__TABLE(ash__convert) =
        {
            .convert =
                {
                    [ASH_BOOL] = ROW_INT(copy8, u8_to_u16, u8_to_u32, u8_to_u64, copy8, u8),
                    [ASH_I8] = ROW_INT(copy8, i8_to_i16, i8_to_i32, i8_to_i64, u8_to_bool, i8),
                    [ASH_I16] = ROW_INT(u16_to_u8, copy16, i16_to_i32, i16_to_i64, u16_to_bool, i16),
                    [ASH_I32] = ROW_INT(u32_to_u8, u32_to_u16, copy32, i32_to_i64, u32_to_bool, i32),
                    [ASH_I64] = ROW_INT(u64_to_u8, u64_to_u16, u64_to_u32, copy64, u64_to_bool, i64),
                    [ASH_U8] = ROW_INT(copy8, u8_to_u16, u8_to_u32, u8_to_u64, u8_to_bool, u8),
                    [ASH_U16] = ROW_INT(u16_to_u8, copy16, u16_to_u32, u16_to_u64, u16_to_bool, u16),
                    [ASH_U32] = ROW_INT(u32_to_u8, u32_to_u16, copy32, u32_to_u64, u32_to_bool, u32),
                    [ASH_U64] = ROW_INT(u64_to_u8, u64_to_u16, u64_to_u32, copy64, u64_to_bool, u64),
                    [ASH_F32] = ROW_FLOAT(f32, copy32, f32_to_f64),
                    [ASH_F64] = ROW_FLOAT(f64, f64_to_f32, copy64),
                },
            .narrow =
                {
                    [ASH_BOOL] = NARROW_ROW(copy8, copy8, u8_to_u16, u8_to_u32, u8_to_u64, copy8, u8_to_u16, u8_to_u32,
                                            u8_to_u64),
                    [ASH_I8] = NARROW_ROW(narrow_u8_bool, copy8, i8_to_i16, i8_to_i32, i8_to_i64, TO_UNSIGNED(i8)),
                    [ASH_I16] = NARROW_ROW(narrow_u16_bool, narrow_i16_i8, copy16, i16_to_i32, i16_to_i64, TO_UNSIGNED(i16)),
                    [ASH_I32] = NARROW_ROW(narrow_u32_bool, narrow_i32_i8,
                                           narrow_i32_i16, copy32, i32_to_i64, TO_UNSIGNED(i32)),
                    [ASH_I64] = NARROW_ROW(narrow_u64_bool, narrow_i64_i8,
                                           narrow_i64_i16, narrow_i64_i32, copy64, TO_UNSIGNED(i64)),
                    [ASH_U8] =
                        NARROW_ROW(narrow_u8_bool, narrow_u8_i8, u8_to_u16, u8_to_u32, u8_to_u64, copy8,
                                   u8_to_u16, u8_to_u32, u8_to_u64),
                    [ASH_U16] = NARROW_ROW(
                        narrow_u16_bool, narrow_u16_i8, narrow_u16_i16, u16_to_u32, u16_to_u64, narrow_u16_u8,
                        copy16, u16_to_u32, u16_to_u64),
                    [ASH_U32] = NARROW_ROW(
                        narrow_u32_bool, narrow_u32_i8, narrow_u32_i16, narrow_u32_i32, u32_to_u64, narrow_u32_u8,
                        narrow_u32_u16, copy32, u32_to_u64),
                    [ASH_U64] = NARROW_ROW(
                        narrow_u64_bool, narrow_u64_i8, narrow_u64_i16, narrow_u64_i32, narrow_u64_i64, narrow_u64_u8,
                        narrow_u64_u16, narrow_u64_u32, copy64),
                },
            .load16 = {load_f16, load_bf16},
            .store16 = {{store_f16_f32, store_f16_f64}, {store_bf16_f32, store_bf16_f64}},
};
