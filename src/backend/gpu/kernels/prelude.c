/*
 * prelude.c - words for kernel text, in OpenCL C 1.2 and in CUDA C++: what the languages say differently is said here alone.
 *
 * Floats are never contracted (CUDA: by the compiler's --fmad=false), and min, max and conversions do what the CPU's do.
 */
#if defined(__CUDACC__)
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
#define G
#define FN static __device__ __forceinline__
#define TABLE static __device__ const
#define KERNEL(NAME, LOCAL) extern "C" __global__ void __launch_bounds__(LOCAL) NAME
#define LOCAL_ID threadIdx.x
#define GROUP(AXIS) ((AXIS) == (turned() != 0) ? blockIdx.x : blockIdx.y)
#define SHARED(T, NAME, N) alignas(16) __shared__ T NAME[N]
#define SHARED_WORD
#define BARRIER __syncthreads()
#define BARRIER_ALL __syncthreads()
#define FENCE __threadfence()
#define SWAP_ROOM(N, W) ((W) > 32 ? (N) : 1)
#define TAKE_BELOW(TO, S, X, D, W)                       \
    do {                                                 \
        if ((W) > 32)                                    \
            SWAP_BELOW(TO, S, X, D, W);                  \
        else                                             \
            TO = __shfl_up_sync(~0u, X, D, (W) & 63);    \
    } while (0)
#define TAKE_ABOVE(TO, S, X, D, W)                       \
    do {                                                 \
        if ((W) > 32)                                    \
            SWAP_ABOVE(TO, S, X, D, W);                  \
        else                                             \
            TO = __shfl_down_sync(~0u, X, D, (W) & 63);  \
    } while (0)
#define UNROLL_TAKING _Pragma("unroll")
#define WARP_MEETS __syncwarp()
#define POPCOUNT(X) (u32) __popc(X)
/* A bit for each item of the warp that has the same x, of so many bits. */
FN u32 warp_alike(u32 x, u32 bits)
{
#if __CUDA_ARCH__ >= 700
    return __match_any_sync(~0u, x);
#else
    u32 all = ~0u;
    for (u32 b = 0; b < bits; b++) {
        const u32 set = __ballot_sync(~0u, x >> b & 1);
        all &= x >> b & 1 ? set : ~set;
    }
    return all;
#endif
}
template <class T> FN void load_4(T *to, const T *from)
{
    struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) four {
        T x[4];
    };
    const four x = *(const four *)from;
    for (int j = 0; j < 4; j++)
        to[j] = x.x[j];
}
#define LOAD_4(TO, FROM) load_4(TO, FROM)
#define RESTRICT __restrict__
#define UNROLL _Pragma("unroll")
#define UNROLL_SOME _Pragma("unroll 8")
#define FMA(A, B, C) fma(A, B, C)
#define ATOMIC_OR(P, X) atomicOr(P, X)
#define ATOMIC_MAX(P, X) atomicMax(P, (u32)(X))
#define ATOMIC_COUNT(P) atomicAdd(P, 1u)
#define ATOMIC_LEAST(P, X) atomicMin(P, X)
#define F32_BITS(X) __float_as_uint(X)
#define BITS_F32(X) __uint_as_float(X)
#define F64_BITS(X) ((u64)__double_as_longlong(X))
#define BITS_F64(X) __longlong_as_double((i64)(X))
#define CLZ_U64(X) ((u32)__clzll((i64)(X)))
#define MULHI_U64(X, Y) __umul64hi(X, Y)
#define INFINITY BITS_F32(0x7f800000u)
#define NAN BITS_F32(0x7fc00000u)
#define FLT_MIN 0x1p-126f
#define FLT_MAX 0x1.fffffep127f
#define DBL_MIN 0x1p-1022
#define DBL_MAX 0x1.fffffffffffffp1023
/* Where there are more groups along axis 1 than a grid's y has room for, the driver makes it x, and says so by some dynamic
 * shared memory, of which there is none else. */
FN u32 turned(void)
{
    u32 nbytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(nbytes));
    return nbytes;
}
#else
#pragma OPENCL FP_CONTRACT OFF
typedef char i8;
typedef uchar u8;
typedef short i16;
typedef ushort u16;
typedef int i32;
typedef uint u32;
typedef long i64;
typedef ulong u64;
#define G __global
#define SHARED(T, NAME, N) __local T NAME[N] /* at the top of a kernel */
#define SHARED_WORD __local
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define BARRIER_ALL barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE) /* stores before it are seen before stores after it */
#define SWAP_ROOM(N, W) (N)
#define TAKE_BELOW SWAP_BELOW
#define TAKE_ABOVE SWAP_ABOVE
#define UNROLL_TAKING /* not loops with barriers */
#define LOAD_4(TO, FROM) vstore4(vload4(0, FROM), 0, TO) /* four side by side, at a multiple of 16 bytes or of their size */
#define RESTRICT restrict
#define UNROLL _Pragma("unroll")
#define UNROLL_SOME /* so that loads are under way together */
#define FMA(A, B, C) fma(A, B, C)
#define FN static inline
#define TABLE __constant
#define KERNEL(NAME, LOCAL) __kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void NAME
#define LOCAL_ID get_local_id(0)
#define GROUP(AXIS) get_group_id(AXIS)
#define ATOMIC_OR(P, X) atomic_or(P, X)
#define ATOMIC_MAX(P, X) atomic_max((volatile G u32 *)(P), (u32)(X))
#define ATOMIC_COUNT(P) atomic_inc(P) /* u32 in either memory */
#define ATOMIC_LEAST(P, X) atomic_min((volatile __local u32 *)(P), X)
#define F32_BITS(X) as_uint(X)
#define BITS_F32(X) as_float(X)
#define F64_BITS(X) as_ulong(X)
#define BITS_F64(X) as_double(X)
#define CLZ_U64(X) ((u32)clz((u64)(X)))
#define MULHI_U64(X, Y) mul_hi((u64)(X), (u64)(Y))
#define sqrtf sqrt
#define rintf rint
#define floorf floor
#define ceilf ceil
#define truncf trunc
#endif
typedef float f32;

/* TAKE_BELOW, TAKE_ABOVE: among W neighbours, a power of two, X of the item D before, or behind; where there is none, of any.
 * All items of a group come there together, and S has room for SWAP_ROOM of the group's N. In local memory: */
#define SWAP_BELOW(TO, S, X, D, W)                                        \
    do {                                                                  \
        S[LOCAL_ID] = X;                                                  \
        BARRIER;                                                          \
        TO = S[LOCAL_ID % (W) >= (D) ? LOCAL_ID - (D) : LOCAL_ID];        \
        BARRIER;                                                          \
    } while (0)
#define SWAP_ABOVE(TO, S, X, D, W)                                        \
    do {                                                                  \
        S[LOCAL_ID] = X;                                                  \
        BARRIER;                                                          \
        TO = S[LOCAL_ID % (W) + (D) < (W) ? LOCAL_ID + (D) : LOCAL_ID];   \
        BARRIER;                                                          \
    } while (0)

#if WIDE
typedef i64 index;
#else
typedef i32 index;
#endif

/* toward zero, saturating, NaN gives 0; LOW and HIGH are the least value and one more than the largest */
#define SATURATED(T, LOW, HIGH, LEAST, MOST, X) ((X) >= HIGH ? (T)MOST : (X) < LOW ? (T)LEAST : (X) == (X) ? (T)(X) : (T)0)

/* NaN if either is; -0.0 below 0.0: equal numbers have equal bits but for the sign of a zero */
#define EXTREMES(T, BITS, FROM)                             \
    FN T min_##T(T x, T y)                                  \
    {                                                       \
        const T least = ((x < y) | (x != x)) ? x : y;         \
        return x == y ? FROM(BITS(x) | BITS(y)) : least;    \
    }                                                       \
    FN T max_##T(T x, T y)                                  \
    {                                                       \
        const T most = ((x > y) | (x != x)) ? x : y;          \
        return x == y ? FROM(BITS(x) & BITS(y)) : most;     \
    }
#define SIGN_F32(X) (F32_BITS(X) >> 31)
EXTREMES(f32, F32_BITS, BITS_F32)
#define LEAST_f32 0x1p-126f /* normal number */
#define LEAST_f64 0x1p-1022

/* ---- the words of the CPU's headers, which library.c takes functions from */

typedef i32 int32_t;
typedef u32 uint32_t;
typedef u64 uint64_t;
#define INLINE FN
#define f32_bits(X) F32_BITS(X)
#define f32_from(X) BITS_F32(X)
#define f64_bits(X) F64_BITS(X)
#define f64_from(X) BITS_F64(X)
#define FMA_F32(A, B, C) fma((f32)(A), (f32)(B), (f32)(C))
#define FMA_F64(A, B, C) fma((f64)(A), (f64)(B), (f64)(C))
/* f32 computed in f64 and rounded, or without f64 by the language's own */
#if F64
#define WIDE1(F, OWN, X) ((f32)F((f64)(X)))
#define WIDE2(F, OWN, X, Y) ((f32)F((f64)(X), (f64)(Y)))
#else
#define WIDE1(F, OWN, X) OWN((f32)(X))
#define WIDE2(F, OWN, X, Y) OWN((f32)(X), (f32)(Y))
#endif

/* ---- f16 and bf16, by their bits: the language's half need not be there */

FN f32 from_f16(u16 h)
{
    const u32 a = h & 0x7fff, rebias = 112u << 23;
    const u32 normal = (a << 13) + rebias + (a >= 0x7c00 ? rebias : 0);
    const u32 subnormal = F32_BITS((f32)(i32)a * 0x1p-24f);
    return BITS_F32((a < 0x0400 ? subnormal : normal) | (u32)(h & 0x8000) << 16);
}
FN f32 from_bf16(u16 h)
{
    return BITS_F32((u32)h << 16);
}

/* To nearest even: half of the last place kept, less one when that is even, is added below it. A subnormal result is the low
 * bits of x + S, where the last place of S is the smallest subnormal. */
#define NARROWED(NAME, F, U, BITS, FROM, SHIFT, REBIAS, SMALL, S, LARGE, INFINITE)               \
    FN u16 NAME(F x)                                                                             \
    {                                                                                            \
        const U sign = BITS(x) >> (8 * sizeof(U) - 16) & 0x8000, a = BITS(x) & ~(U)0 >> 1;       \
        const U odd = a >> SHIFT & 1, half_less = ((U)1 << (SHIFT - 1)) - 1;                     \
        const U normal = (a - (U)REBIAS + half_less + odd) >> SHIFT;                             \
        const U subnormal = BITS(FROM(a) + S) - BITS(S);                                         \
        const U number = FROM(a) >= LARGE ? INFINITE : FROM(a) < SMALL ? subnormal : normal;     \
        return (u16)((x != x ? INFINITE | (INFINITE == 0x7c00 ? 0x200 : 0x40) : number) | sign); \
    }
NARROWED(f16_of_f32, f32, u32, F32_BITS, BITS_F32, 13, (112u << 23), 0x1p-14f, 0.5f, 0x1p16f, 0x7c00)
FN u16 bf16_of_f32(f32 x)
{
    const u32 u = F32_BITS(x), rounded = (u + 0x7fff + (u >> 16 & 1)) >> 16;
    return (u16)(x != x ? u >> 16 | 0x40 : rounded);
}

#if F64
typedef double f64;
#define SIGN_F64(X) (F64_BITS(X) >> 63)
EXTREMES(f64, F64_BITS, BITS_F64)
NARROWED(f16_of_f64, f64, u64, F64_BITS, BITS_F64, 42, 0x3f00000000000000u, 0x1p-14, 0x1p28, 0x1p16, 0x7c00)
NARROWED(bf16_of_f64, f64, u64, F64_BITS, BITS_F64, 45, 0x3800000000000000u, 0x1p-126, 0x1p-81, 0x1p128, 0x7f80)
#endif
