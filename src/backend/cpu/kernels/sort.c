/*
 * sort.c - keys: unsigned integers whose order is that of elements; made, unmade, parted at a bound, and a few of them sorted.
 *
 * A signed integer becomes a key by its sign bit, a float by flipping its sign bit, or all bits if it is negative: -0.0 comes
 * before 0.0. Every NaN becomes the quiet NaN of positive sign first, which is above infinity. `flip` is xor-ed in: it holds
 * the sign bit of signed integers, and all bits for descending order.
 */
#include "backend/cpu/kernels/bits.h"
#include "backend/cpu/kernels/loop.h"

/* ---- keys of elements */

#define DEFINE_INTEGER(T, K)                                                              \
    static void encode_##T(void *key, const void *element, uint64_t flip, int64_t n)      \
    {                                                                                     \
        K *const k = key;                                                                 \
        const T *const x = element;                                                       \
        ASH__IVDEP                                                                        \
        for (int64_t i = 0; i < n; i++)                                                   \
            k[i] = (K)((K)x[i] ^ (K)flip);                                                \
    }                                                                                     \
    static void decode_##T(void *element, const void *key, uint64_t flip, int64_t n)      \
    {                                                                                     \
        T *const x = element;                                                             \
        const K *const k = key;                                                           \
        ASH__IVDEP                                                                        \
        for (int64_t i = 0; i < n; i++)                                                   \
            x[i] = (T)(k[i] ^ (K)flip);                                                   \
    }
DEFINE_INTEGER(uint8_t, uint32_t)
DEFINE_INTEGER(uint16_t, uint32_t)
DEFINE_INTEGER(uint32_t, uint32_t)
DEFINE_INTEGER(uint64_t, uint64_t)

/* U: the bits of a float, K: its key; INF: the bits of infinity, NAN_: those of the quiet NaN, SIGN: the highest bit. */
#define DEFINE_FLOAT(NAME, U, K, SIGN, INF, NAN_)                                         \
    static void encode_##NAME(void *key, const void *element, uint64_t flip, int64_t n)   \
    {                                                                                     \
        K *const k = key;                                                                 \
        const U *const x = element;                                                       \
        ASH__IVDEP                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                 \
            const U bits = (x[i] & (U) ~(SIGN)) > (INF) ? (U)(NAN_) : x[i];               \
            k[i] = (K)((U)(bits ^ (bits & (SIGN) ? (U)-1 : (U)(SIGN))) ^ (U)flip);        \
        }                                                                                 \
    }                                                                                     \
    static void decode_##NAME(void *element, const void *key, uint64_t flip, int64_t n)   \
    {                                                                                     \
        U *const x = element;                                                             \
        const K *const k = key;                                                           \
        ASH__IVDEP                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                 \
            const U bits = (U)(k[i] ^ (K)flip);                                           \
            x[i] = (U)(bits ^ (bits & (SIGN) ? (U)(SIGN) : (U)-1));                       \
        }                                                                                 \
    }
DEFINE_FLOAT(f16, uint16_t, uint32_t, 0x8000u, 0x7c00u, 0x7e00u)
DEFINE_FLOAT(bf16, uint16_t, uint32_t, 0x8000u, 0x7f80u, 0x7fc0u)
DEFINE_FLOAT(f32, uint32_t, uint32_t, 0x80000000u, 0x7f800000u, 0x7fc00000u)
DEFINE_FLOAT(f64, uint64_t, uint64_t, 0x8000000000000000u, 0x7ff0000000000000u, 0x7ff8000000000000u)

/* ---- a few keys in order, and many parted */

#define NETWORK2(X) X(0, 1)
#define NETWORK4(X) X(0, 1) X(2, 3) X(0, 2) X(1, 3) X(1, 2)
#define NETWORK8(X)                                                                     \
    X(0, 1) X(2, 3) X(4, 5) X(6, 7) X(0, 2) X(1, 3) X(4, 6) X(5, 7) X(1, 2) X(5, 6)     \
    X(0, 4) X(1, 5) X(2, 6) X(3, 7) X(2, 4) X(3, 5) X(1, 2) X(3, 4) X(5, 6)
#define NETWORK16(X)                                                                    \
    X(0, 1) X(2, 3) X(4, 5) X(6, 7) X(8, 9) X(10, 11) X(12, 13) X(14, 15)               \
    X(0, 2) X(1, 3) X(4, 6) X(5, 7) X(8, 10) X(9, 11) X(12, 14) X(13, 15)               \
    X(1, 2) X(5, 6) X(9, 10) X(13, 14)                                                  \
    X(0, 4) X(1, 5) X(2, 6) X(3, 7) X(8, 12) X(9, 13) X(10, 14) X(11, 15)               \
    X(2, 4) X(3, 5) X(10, 12) X(11, 13) X(1, 2) X(3, 4) X(5, 6) X(9, 10) X(11, 12) X(13, 14) \
    X(0, 8) X(1, 9) X(2, 10) X(3, 11) X(4, 12) X(5, 13) X(6, 14) X(7, 15)               \
    X(4, 8) X(5, 9) X(6, 10) X(7, 11) X(2, 4) X(3, 5) X(6, 8) X(7, 9) X(10, 12) X(11, 13) \
    X(1, 2) X(3, 4) X(5, 6) X(7, 8) X(9, 10) X(11, 12) X(13, 14)

#include "backend/cpu/kernels/sort_vectors.h"
#ifdef ROWS
#define F(name) name##_32
#define KEY uint32_t
#define LANES LANES_32
#define MASK MASK_32
#include "backend/cpu/kernels/sort_network.h"
#undef F
#undef KEY
#undef LANES
#undef MASK
#define F(name) name##_64
#define KEY uint64_t
#define LANES LANES_64
#define MASK MASK_64
#include "backend/cpu/kernels/sort_network.h"
#endif

const ash__sort_table ASH__TABLE(ash__sort) = {
    .encode = {[ASH_BOOL] = encode_uint8_t, [ASH_I8] = encode_uint8_t, [ASH_I16] = encode_uint16_t,
               [ASH_I32] = encode_uint32_t, [ASH_I64] = encode_uint64_t, [ASH_U8] = encode_uint8_t,
               [ASH_U16] = encode_uint16_t, [ASH_U32] = encode_uint32_t, [ASH_U64] = encode_uint64_t,
               [ASH_F16] = encode_f16, [ASH_BF16] = encode_bf16, [ASH_F32] = encode_f32, [ASH_F64] = encode_f64},
    .decode = {[ASH_BOOL] = decode_uint8_t, [ASH_I8] = decode_uint8_t, [ASH_I16] = decode_uint16_t,
               [ASH_I32] = decode_uint32_t, [ASH_I64] = decode_uint64_t, [ASH_U8] = decode_uint8_t,
               [ASH_U16] = decode_uint16_t, [ASH_U32] = decode_uint32_t, [ASH_U64] = decode_uint64_t,
               [ASH_F16] = decode_f16, [ASH_BF16] = decode_bf16, [ASH_F32] = decode_f32, [ASH_F64] = decode_f64},
#ifdef ROWS
    .few = {ROWS * LANES_32, ROWS * LANES_64},
    .sort_few = {sort_few_32, sort_few_64},
    .part = {part_32, part_64},
#endif
};
