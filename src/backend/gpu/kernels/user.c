/*
 * user.c - what include/ashlar/kernel_text.h stands on for a device, in OpenCL C 1.2 and CUDA C++: stands before it, with
 * numbers.c between, and that before a user's text. What kernel.h is for the CPU.
 *
 * Before this text stand CHECKED (indices are), FREE_GROUPS (their size is the library's choice), AXES (4 or more: the highest
 * rank of an argument), LAUNCH_AXES, MANY_GROUPS (more than 32 bits count), LOCAL_SIZES, and ASH_HAS_F64. clang's overloading,
 * which compilers of OpenCL have because their own headers need it, stands for C's generic selection. Elements are aligned.
 */
#define ASH__DEVICE 1
#if defined(__CUDACC__)
#define ASH_HAS_I64_ATOMICS 1
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define ASH_GLOBAL
#define ASH_LOCAL
#define ASH_CONSTANT static __device__ const
#define ASH__TABLE const
#define ASH__SHARED(T, name, n) __shared__ T name[n]
#define ASH__RUN(items) extern "C" __global__ void __launch_bounds__(items) run
#define ASH__INLINE static __device__ __forceinline__
#define ASH__FUNCTION static __device__ __forceinline__
#define ash__group_number() ((int64_t)blockIdx.x)
#define ash__local_number() ((int64_t)threadIdx.x)
#define ash__wait() __syncthreads()
#define ash__upper(a, b) __umul64hi((uint64_t)(a), (uint64_t)(b))
#define ash__upper_u32(a, b) __umulhi(a, b)
#define ash__f32_bits(x) __float_as_uint(x)
#define ash__bits_f32(x) __uint_as_float(x)
#define ash__f64_bits(x) ((uint64_t)__double_as_longlong(x))
#define ash__bits_f64(x) __longlong_as_double((int64_t)(x))
#else
#pragma OPENCL FP_CONTRACT OFF
#if ASH_HAS_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#define ASH_HAS_I64_ATOMICS 1
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#else
#define ASH_HAS_I64_ATOMICS 0
#endif
typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define ASH_GLOBAL __global
#define ASH_LOCAL __local
#define ASH_CONSTANT __constant
#define ASH__TABLE __constant
#define ASH__SHARED(T, name, n) __local T name[n] /* at the top of a kernel */
#define ASH__RUN(items) __kernel __attribute__((reqd_work_group_size(items, 1, 1))) void run
#define ASH__INLINE static inline __attribute__((overloadable, unused))
#define ASH__FUNCTION static inline __attribute__((always_inline))
#define ash__group_number() get_group_id(0)
#define ash__local_number() get_local_id(0)
#define ash__wait() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define ash__upper(a, b) mul_hi((uint64_t)(a), (uint64_t)(b))
#define ash__upper_u32(a, b) mul_hi(a, b)
#define ash__f32_bits(x) as_uint(x)
#define ash__bits_f32(x) as_float(x)
#define ash__f64_bits(x) as_ulong(x)
#define ash__bits_f64(x) as_double(x)
#endif

#define ASH_CHECK_BOUNDS CHECKED
#define ASH__OVERLOADED(base, name) base
#define ASH__PLACE_IN(name) ash__place_
#define ASH__RARELY(condition) (condition)
#define ASH__FROM_MEMORY(M, x, at) ((x) = *(const ASH_GLOBAL M *)(at))
#define ASH__TO_MEMORY(M, at, x) (*(ASH_GLOBAL M *)(at) = (x))
#define ASH__AS(M, at) ((ASH_GLOBAL M *)(at))
#define ASH__LOAD(x, at) ash__load_(&(x), at)
#define ASH__STORE(x, at, value) ash__store_(&(x), at, value)
#define ASH__POINT(x, at) ash__place_(&(x), at)
#define ASH__ATOMIC(base, p, more) base

/* ---- atomics */

#if defined(__CUDACC__)
#define ATOMICS(T, AS)                                                                       \
    ASH__INLINE T ash__atomic_add_(T *p, T x) { return (T)atomicAdd((AS *)p, (AS)x); }       \
    ASH__INLINE T ash__atomic_min_(T *p, T x) { return atomicMin(p, x); }                    \
    ASH__INLINE T ash__atomic_max_(T *p, T x) { return atomicMax(p, x); }                    \
    ASH__INLINE T ash__atomic_and_(T *p, T x) { return (T)atomicAnd((AS *)p, (AS)x); }       \
    ASH__INLINE T ash__atomic_or_(T *p, T x) { return (T)atomicOr((AS *)p, (AS)x); }         \
    ASH__INLINE T ash__atomic_xor_(T *p, T x) { return (T)atomicXor((AS *)p, (AS)x); }       \
    ASH__INLINE T ash__atomic_exchange_(T *p, T x) { return (T)atomicExch((AS *)p, (AS)x); } \
    ASH__INLINE T ash__atomic_compare_(T *p, T expected, T x) { return (T)atomicCAS((AS *)p, (AS)expected, (AS)x); }
ATOMICS(int32_t, uint32_t)
ATOMICS(uint32_t, uint32_t)
ATOMICS(int64_t, uint64_t)
ATOMICS(uint64_t, uint64_t)
ASH__INLINE float ash__atomic_add_(float *p, float x) { return atomicAdd(p, x); }
ASH__INLINE float ash__atomic_exchange_(float *p, float x) { return atomicExch(p, x); }
#undef ATOMICS
#else
#define ATOMIC2(NAME, BUILTIN, SPACE, T)                 \
    ASH__INLINE T ash__atomic_##NAME##_(SPACE T *p, T x) \
    {                                                    \
        return BUILTIN((volatile SPACE T *)p, x);        \
    }
#define ATOMICS(PREFIX, SPACE, T)                                    \
    ATOMIC2(add, PREFIX##_add, SPACE, T)                             \
    ATOMIC2(min, PREFIX##_min, SPACE, T)                             \
    ATOMIC2(max, PREFIX##_max, SPACE, T)                             \
    ATOMIC2(and, PREFIX##_and, SPACE, T)                             \
    ATOMIC2(or, PREFIX##_or, SPACE, T)                               \
    ATOMIC2(xor, PREFIX##_xor, SPACE, T)                             \
    ATOMIC2(exchange, PREFIX##_xchg, SPACE, T)                       \
    ASH__INLINE T ash__atomic_compare_(SPACE T *p, T expected, T x)  \
    {                                                                \
        return PREFIX##_cmpxchg((volatile SPACE T *)p, expected, x); \
    }
#define ATOMIC_FLOAT(SPACE)                                                          \
    ASH__INLINE float ash__atomic_add_(SPACE float *p, float x)                      \
    {                                                                                \
        volatile SPACE uint32_t *const bits = (volatile SPACE uint32_t *)p;          \
        uint32_t old = *bits, met;                                                   \
        while ((met = atomic_cmpxchg(bits, old, as_uint(as_float(old) + x))) != old) \
            old = met;                                                               \
        return as_float(old);                                                        \
    }                                                                                \
    ATOMIC2(exchange, atomic_xchg, SPACE, float)
ATOMICS(atomic, __global, int32_t)
ATOMICS(atomic, __global, uint32_t)
ATOMICS(atomic, __local, int32_t)
ATOMICS(atomic, __local, uint32_t)
ATOMIC_FLOAT(__global)
ATOMIC_FLOAT(__local)
#if ASH_HAS_I64_ATOMICS
ATOMICS(atom, __global, int64_t)
ATOMICS(atom, __global, uint64_t)
ATOMICS(atom, __local, int64_t)
ATOMICS(atom, __local, uint64_t)
#endif
#undef ATOMIC2
#undef ATOMICS
#undef ATOMIC_FLOAT
#endif

/* ---- what kernel.h declares */

typedef struct ash_complex_f32 {
    float re, im;
} ash_complex_f32;
#if ASH_HAS_F64
typedef struct ash_complex_f64 {
    double re, im;
} ash_complex_f64;
#endif

enum { ASH__KERNEL_NTH = -1, ASH__KERNEL_RANK = -2, ASH__NO_GROUPS = -1 };
typedef struct ash_kernel_fault { /* of the host: int64_t parameter, axis, index; the sink */
    int parameter, unused;
    int64_t axis, index;
    uint64_t sink[2];
} ash_kernel_fault;

typedef struct ash_kernel_view {
    ASH_GLOBAL char *data;
    int64_t size[AXES], stride[AXES];
    int64_t length;
    int rank, parameter;
    bool conjugated, even;
    int64_t step;
    ASH_GLOBAL ash_kernel_fault *fault;
} ash_kernel_view;

typedef struct ash_kernel_item {
    int64_t global_size[3], local_size[3], groups[3], group_id[3], start[3], id[3];
    ASH_GLOBAL ash_kernel_fault *fault;
} ash_kernel_item;

typedef struct ash_random {
    uint64_t seed, item, block;
    uint32_t word[4];
    int32_t used, spare;
    float kept;
#if ASH_HAS_F64
    double kept_f64;
#endif
} ash_random;

ASH__INLINE void ash__note(ASH_GLOBAL ash_kernel_fault *fault, int parameter, int64_t axis, int64_t index)
{
    if (ash__atomic_compare_((ASH_GLOBAL int32_t *)&fault->parameter, 0, parameter) == 0) {
        fault->axis = axis;
        fault->index = index;
    }
}
ASH__INLINE ASH_GLOBAL char *ash_kernel_outside(const ash_kernel_view *v, int64_t axis, int64_t index)
{
    ash__note(v->fault, v->parameter, axis, index);
    return (ASH_GLOBAL char *)v->fault->sink;
}
ASH__INLINE ASH_GLOBAL char *ash_kernel_nth(const ash_kernel_view *v, int64_t k)
{
    ASH_GLOBAL char *at = v->data;
    for (int axis = AXES - 1; axis >= 0; k /= v->size[axis--])
        at += k % v->size[axis] * v->stride[axis];
    return at;
}

#if FREE_GROUPS
#define ash_kernel_barrier(item) ash__note((item)->fault, ASH__NO_GROUPS, 0, 0)
#else
#define ash_kernel_barrier(item) ash__wait()
#endif

/* ---- elements of 16 bits */

#if defined(__CUDACC__)
ASH__INLINE float ash_kernel_from_f16(uint16_t x)
{
    float y;
    asm("{.reg .b16 t; mov.b16 t, %1; cvt.f32.f16 %0, t;}" : "=f"(y) : "h"(x));
    return y;
}
ASH__INLINE uint16_t ash_kernel_to_f16(float x)
{
    uint16_t bits;
    asm("{.reg .b16 t; cvt.rn.f16.f32 t, %1; mov.b16 %0, t;}" : "=h"(bits) : "f"(x));
    return bits;
}
#else
ASH__INLINE float ash_kernel_from_f16(uint16_t x)
{
    return vload_half(0, (const half *)&x);
}
ASH__INLINE uint16_t ash_kernel_to_f16(float x)
{
    uint16_t bits;
    vstore_half_rte(x, 0, (half *)&bits);
    return bits;
}
#endif
ASH__INLINE float ash_kernel_from_bf16(uint16_t x)
{
    return ash__bits_f32((uint32_t)x << 16);
}
ASH__INLINE uint16_t ash_kernel_to_bf16(float x)
{
    const uint32_t u = ash__f32_bits(x);
    return (uint16_t)(x != x ? u >> 16 | 0x40 : (u + 0x7fff + (u >> 16 & 1)) >> 16);
}

/* ---- what the kernel named `run`, which stands behind the user's text, is made of */

typedef struct ash__sizes {
    int64_t sizes[3], groups[3];
    uint64_t seed;
} ash__sizes;

#if MANY_GROUPS
typedef uint64_t ash__number;
#else
typedef uint32_t ash__number;
#endif
/* Groups are rows of work-items for the device, whatever their shape. */
ASH__INLINE ash_kernel_item ash__begin(const ash__sizes *s, ASH_GLOBAL ash_kernel_fault *fault)
{
    const int64_t whole[3] = LOCAL_SIZES;
    ash__number id = (ash__number)ash__local_number(), group = (ash__number)ash__group_number();
    ash_kernel_item item;
    for (int k = 2; k >= 0; k--) { /* no divisions where there is one axis */
        const bool alone = k == 0, none = k >= LAUNCH_AXES;
        item.global_size[k] = none ? 1 : s->sizes[k];
        item.groups[k] = none ? 1 : s->groups[k];
        item.group_id[k] = none ? 0 : alone ? group : group % (ash__number)s->groups[k];
        item.id[k] = none ? 0 : alone ? id : id % (ash__number)whole[k];
        group = none || alone ? group : group / (ash__number)s->groups[k];
        id = none || alone ? id : id / (ash__number)whole[k];
        item.start[k] = item.group_id[k] * whole[k];
        const int64_t rest = item.global_size[k] - item.start[k];
        item.local_size[k] = !FREE_GROUPS || whole[k] < rest ? whole[k] : rest;
    }
    item.fault = fault;
    return item;
}
/* Where the size of groups is the library's choice the last ones are smaller: one test for all items of a whole group. */
ASH__INLINE bool ash__whole(const ash_kernel_item *i)
{
    const int64_t whole[3] = LOCAL_SIZES;
    return !FREE_GROUPS ||
           (i->local_size[0] == whole[0] && i->local_size[1] == whole[1] && i->local_size[2] == whole[2]);
}
ASH__INLINE bool ash__is_there(const ash_kernel_item *i)
{
    return i->id[0] < i->local_size[0] && i->id[1] < i->local_size[1] && i->id[2] < i->local_size[2];
}
ASH__INLINE uint64_t ash__item_number(const ash_kernel_item *i)
{
    const int64_t row = (i->start[0] + i->id[0]) * i->global_size[1] + i->start[1] + i->id[1];
    return (uint64_t)(row * i->global_size[2] + i->start[2] + i->id[2]) + 1;
}

/* t: start, length, rank, whether conjugated, whether even, step, then sizes and strides. */
ASH__INLINE ash_kernel_view ash__view(ASH_GLOBAL char *memory, ASH__TABLE int64_t *t, int parameter,
                                      ASH_GLOBAL ash_kernel_fault *fault)
{
    ash_kernel_view v;
    v.data = memory + t[0];
    v.length = t[1];
    v.rank = (int)t[2];
    v.conjugated = t[3] != 0;
    v.even = t[4] != 0;
    v.step = t[5];
    for (int axis = 0; axis < AXES; axis++) {
        v.size[axis] = t[6 + axis];
        v.stride[axis] = t[6 + AXES + axis];
    }
    v.parameter = parameter;
    v.fault = fault;
    return v;
}

#define ASH_KERNEL(name, ...)              \
    ASH__FUNCTION void ash__kernel_##name( \
        ASH__K_UNUSED ash_kernel_item *const ash__item ASH__EACH(ASH__K_PARAMETER, , __VA_ARGS__))
