/*
 * user.c - what include/ashlar/kernel_text.h stands on for a device, in OpenCL C 1.2: stands before it, and that before a
 * user's text. What kernel.h is for the CPU.
 *
 * Before this text stand CHECKED (indices are), FREE_GROUPS (their size is the library's choice), AXES (4 or more: the highest
 * rank of an argument), LOCAL_SIZES, and ASH_HAS_F64. clang's overloading, which compilers of OpenCL have because their own
 * headers need it, stands for C's generic selection. Elements are aligned.
 */
#define ASH__DEVICE 1
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
#define ASH_CHECK_BOUNDS CHECKED
#define ASH__INLINE static inline __attribute__((overloadable, unused))
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
#define ash__upper(a, b) mul_hi((uint64_t)(a), (uint64_t)(b))

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
    if (atomic_cmpxchg((volatile ASH_GLOBAL int *)&fault->parameter, 0, parameter) == 0) {
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
#define ash_kernel_barrier(item) barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* ---- elements of 16 bits */

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
ASH__INLINE float ash_kernel_from_bf16(uint16_t x)
{
    return as_float((uint32_t)x << 16);
}
ASH__INLINE uint16_t ash_kernel_to_bf16(float x)
{
    const uint32_t u = as_uint(x);
    return (uint16_t)(x != x ? u >> 16 | 0x40 : (u + 0x7fff + (u >> 16 & 1)) >> 16);
}

/* ---- atomics */

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

/* ---- random numbers: docs/random.md; normal and exponential ones as src/backend/cpu/kernels/random.c computes them */

ASH__INLINE void ash_kernel_words(uint64_t seed, uint64_t item, uint64_t call, uint32_t *word)
{
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    uint32_t x0 = (uint32_t)item, x1 = (uint32_t)(item >> 32), x2 = (uint32_t)call, x3 = (uint32_t)(call >> 32);
    for (int round = 0; round < 10; round++) {
        const uint32_t high0 = mul_hi(x0, 0xd2511f53u), low0 = x0 * 0xd2511f53u;
        const uint32_t high1 = mul_hi(x2, 0xcd9e8d57u), low1 = x2 * 0xcd9e8d57u;
        x0 = high1 ^ x1 ^ k0;
        x1 = low1;
        x2 = high0 ^ x3 ^ k1;
        x3 = low0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    word[0] = x0;
    word[1] = x1;
    word[2] = x2;
    word[3] = x3;
}

/* of (w + 1/2) / 2^32 */
ASH__INLINE float ash__log_word(uint32_t w)
{
    const float high = (float)(int32_t)(w >> 16) * 0x1p16f, low = (float)(int32_t)(w & 0xffff) + 0.5f;
    const uint32_t e = (as_uint(high + low) + (0x3f800000u - 0x3f3504f3u)) & 0x7f800000u;
    const float f = ((high - as_float(e)) + low) * as_float(0x7f000000u - e);
    const float k = (float)((int32_t)(e >> 23) - (127 + 32));
    float p = 0x1.1b4126p-4f;
    p = p * f + -0x1.e2e8ecp-4f;
    p = p * f + 0x1.e650fap-4f;
    p = p * f + -0x1.fb4354p-4f;
    p = p * f + 0x1.2332bcp-3f;
    p = p * f + -0x1.5562e2p-3f;
    p = p * f + 0x1.99a546p-3f;
    p = p * f + -0x1.ffffeep-3f;
    p = p * f + 0x1.555546p-2f;
    return k * 0x1.63p-1f + (f + (-0.5f * f * f + (k * -0x1.bd0106p-13f + f * f * f * p)));
}
ASH__INLINE void ash_kernel_normal_f32(uint32_t u, uint32_t w, float *pair)
{
    const float high = (float)(int32_t)(u >> 16) * 0x1p-18f, low = ((float)(int32_t)(u >> 3 & 0x1fff) + 0.5f) * 0x1p-31f;
    const float y = high + low, rest = (high - y) + low, z = y * y;
    const float p = ((-0x1.2da132p-1f * z + 0x1.465ee8p+1f) * z + -0x1.4abbbap+2f) * z + -0x1.a0f36cp-24f;
    const float q = ((0x1.d47d64p-3f * z + -0x1.55b146p+0f) * z + 0x1.03c1aep+2f) * z + -0x1.3bd3ccp+2f;
    const float s = y * 0x1.921fb6p+1f + (y * p + rest * 0x1.921fb6p+1f), c = 1 + (z * q - rest * (y * 0x1.3bd3ccp+3f));
    const float r = sqrt(-2 * ash__log_word(w)), sine = u & 1 ? c : s, cosine = u & 1 ? s : c;
    pair[0] = r * as_float(as_uint(sine) ^ (u & 2) << 30);
    pair[1] = r * as_float(as_uint(cosine) ^ (u & 4) << 29);
}
ASH__INLINE float ash_kernel_exponential_f32(uint32_t w)
{
    return -ash__log_word(w);
}

#if ASH_HAS_F64
ASH__INLINE double ash__log_word(uint64_t w)
{
    const double high = as_double(w >> 32 | 0x4530000000000000ul) - 0x1p84;
    const double low = as_double((w & 0xffffffffu) | 0x4330000000000000ul) - (0x1p52 - 0.5);
    const uint64_t e = (as_ulong(high + low) + (0x3ff0000000000000ul - 0x3fe6a09e667f3bcdul)) & 0x7ff0000000000000ul;
    const double f = ((high - as_double(e)) + low) * as_double(0x7fe0000000000000ul - e), square = 0.5 * f * f;
    const double k = as_double(e >> 52 | 0x4330000000000000ul) - (0x1p52 + 1023 + 64), s = f / (2 + f), z = s * s;
    double r = 0x1.2e940322e9f8fp-3;
    r = r * z + 0x1.39adf12264ae8p-3;
    r = r * z + 0x1.7465b96d2a135p-3;
    r = r * z + 0x1.c71c54e50bb10p-3;
    r = r * z + 0x1.2492493ddd71dp-2;
    r = r * z + 0x1.9999999985764p-2;
    r = r * z + 0x1.555555555557cp-1;
    return k * 0x1.62e42ffp-1 - ((square - (s * (0.5 * f * f + z * r) + k * -0x1.718432a1b0e26p-35)) - f);
}
ASH__INLINE void ash_kernel_normal_f64(uint64_t u, uint64_t w, double *pair)
{
    const double y = ((double)(u >> 3) + 0.5) * 0x1p-63, z = y * y;
    double p = -0x1.6c5b93983c0b1p-16, q = -0x1.bc3f652f0c265p-16;
    p = p * z + 0x1.e8eed159ae936p-12;
    p = p * z + -0x1.e3074b502de1fp-8;
    p = p * z + 0x1.50783485cc006p-4;
    p = p * z + -0x1.32d2cce62ac24p-1;
    p = p * z + 0x1.466bc6775aad9p+1;
    p = p * z + -0x1.4abbce625be53p+2;
    p = p * z + -0x1.b7812aeef4b9fp-1;
    q = q * z + -0x1.96cc84820f57ap-14;
    q = q * z + 0x1.f99fdfbce35afp-10;
    q = q * z + -0x1.a6d1c789b5d12p-6;
    q = q * z + 0x1.e1f506619f819p-3;
    q = q * z + -0x1.55d3c7e3b8a8ep+0;
    q = q * z + 0x1.03c1f081b5a34p+2;
    q = q * z + -0x1.3bd3cc9be45dep+2;
    const double s = y * p + 4 * y, c = 1 + z * q;
    const double r = sqrt(-2 * ash__log_word(w)), sine = u & 1 ? c : s, cosine = u & 1 ? s : c;
    pair[0] = r * as_double(as_ulong(sine) ^ (u & 2) << 62);
    pair[1] = r * as_double(as_ulong(cosine) ^ (u & 4) << 61);
}
ASH__INLINE double ash_kernel_exponential_f64(uint64_t w)
{
    return -ash__log_word(w);
}
#endif

/* ---- what the kernel named `run`, which stands behind the user's text, is made of */

typedef struct ash__sizes {
    int64_t sizes[3], groups[3];
    uint64_t seed;
} ash__sizes;

/* Groups are rows of work-items for the device, whatever their shape. False for an item that there is not: where the size of
 * groups is the library's choice the last ones are smaller. */
ASH__INLINE bool ash__begin(ash_kernel_item *item, const ash__sizes *s, ASH_GLOBAL ash_kernel_fault *fault)
{
    const int64_t whole[3] = LOCAL_SIZES;
    int64_t id = get_local_id(0), group = get_group_id(0);
    bool is_there = true;
    for (int k = 2; k >= 0; k--) {
        item->global_size[k] = s->sizes[k];
        item->groups[k] = s->groups[k];
        item->group_id[k] = group % s->groups[k];
        group /= s->groups[k];
        item->id[k] = id % whole[k];
        id /= whole[k];
        item->start[k] = item->group_id[k] * whole[k];
        item->local_size[k] = min(whole[k], s->sizes[k] - item->start[k]);
        is_there = is_there && item->id[k] < item->local_size[k];
    }
    item->fault = fault;
    return is_there;
}
ASH__INLINE uint64_t ash__item_number(const ash_kernel_item *i)
{
    const int64_t row = (i->start[0] + i->id[0]) * i->global_size[1] + i->start[1] + i->id[1];
    return (uint64_t)(row * i->global_size[2] + i->start[2] + i->id[2]) + 1;
}

/* t: start, length, rank, whether conjugated, whether even, step, then sizes and strides. */
ASH__INLINE ash_kernel_view ash__view(ASH_GLOBAL char *memory, __constant int64_t *t, int parameter,
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

#define ASH_KERNEL(name, ...)                                             \
    static inline __attribute__((always_inline)) void ash__kernel_##name( \
        ASH__K_UNUSED ash_kernel_item *const ash__item ASH__EACH(ASH__K_PARAMETER, , __VA_ARGS__))
