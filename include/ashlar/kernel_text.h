/*
 * kernel_text.h - the language of kernels: what has the same words on the CPU and for a device.
 *
 * kernel.h includes it, for C and C++; the library puts it before the text of a kernel that it gives to a device's compiler.
 * What differs stands before it: there in kernel.h, here in src/backend/gpu/kernels/user.c.
 *
 * Values of f16 and bf16 arrays are float, complex ones ash_complex_f32 and ash_complex_f64: fields re and im. Helper functions
 * are plain `static inline` ones and may take arrays as ash_view_f32 and the like; what needs to know its work-item (ids,
 * barriers) is for the kernel itself. Mathematical functions are those of <tgmath.h>: sqrt, exp, fma ... of the type of their
 * argument.
 */
#ifndef ASHLAR_KERNEL_TEXT_H
#define ASHLAR_KERNEL_TEXT_H
#ifndef ASH__DEVICE
#include "kernel.h"
#endif
#ifndef ASHLAR_CDEF

/* The work-item, the group it is in, and how many there are, along an axis of the launch that is a constant from 0 on. */
#define ASH_GLOBAL_ID(axis) (ash__item->start[axis] + ash__item->id[axis])
#define ASH_GLOBAL_SIZE(axis) (ash__item->global_size[axis])
#define ASH_LOCAL_ID(axis) (ash__item->id[axis])
#define ASH_LOCAL_SIZE(axis) (ash__item->local_size[axis])
#define ASH_GROUP_ID(axis) (ash__item->group_id[axis])
#define ASH_GROUPS(axis) (ash__item->groups[axis])
/* Until all items of the group are here; then each sees what the others wrote before. All reach it, or none does. */
#define ASH_BARRIER() ash_kernel_barrier(ash__item)

/* ASH_GET(x, i, j): the element, of a conjugated view its conjugate. ASH_SET(x, value, i, j) stores it, likewise. As many
 * indices as there are axes, from 0 to 4. ASH_NTH and ASH_SET_NTH: element k in row-major order, for any rank. Indices out of
 * bounds are an error of the launch where ASH_CHECK_BOUNDS holds, which it does unless NDEBUG is defined. */
#define ASH_GET(...) ASH__CAT(ASH__GET_IN, ASH__COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ASH_SET(...) ASH__CAT(ASH__SET_IN, ASH__COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ASH_NTH(x, k) ASH__LOAD(x, ash__nth(&(x).v, k))
#define ASH_SET_NTH(x, value, k) ASH__STORE(x, ash__nth(&(x).v, k), value)
/* A pointer to the element as it lies in memory, for atomics and for rows that are known to be dense. */
#define ASH_PLACE(...) ASH__CAT(ASH__PLACE_IN, ASH__COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ASH_SIZE(x, axis) ((x).v.size[axis])
#define ASH_LENGTH(x) ((x).v.length)
#define ASH_RANK(x) ((x).v.rank)

/* Atomics on i32, u32, i64 and u64 (64 bits only where the device has them; ADD and EXCHANGE also on f32), in arrays and in
 * local memory: ASH_ATOMIC_ADD(ASH_PLACE(x, i), 1), ASH_ATOMIC_MAX(&tile[k], v). Each gives what was there before. */
#define ASH_ATOMIC_ADD(p, value) ASH__ATOMIC(ash__atomic_add_, p, ASH__ATOMIC_FLOAT(ash__atomic_add_))(p, value)
#define ASH_ATOMIC_MIN(p, value) ASH__ATOMIC(ash__atomic_min_, p, )(p, value)
#define ASH_ATOMIC_MAX(p, value) ASH__ATOMIC(ash__atomic_max_, p, )(p, value)
#define ASH_ATOMIC_AND(p, value) ASH__ATOMIC(ash__atomic_and_, p, )(p, value)
#define ASH_ATOMIC_OR(p, value) ASH__ATOMIC(ash__atomic_or_, p, )(p, value)
#define ASH_ATOMIC_XOR(p, value) ASH__ATOMIC(ash__atomic_xor_, p, )(p, value)
#define ASH_ATOMIC_EXCHANGE(p, value) ASH__ATOMIC(ash__atomic_exchange_, p, ASH__ATOMIC_FLOAT(ash__atomic_exchange_))(p, value)
#define ASH_ATOMIC_COMPARE(p, expected, value) ASH__ATOMIC(ash__atomic_compare_, p, )(p, expected, value)

/* Numbers of a parameter (random, r): uniform floats in (0, 1], normal and exponential ones, bits, integers from low to
 * high - 1. The streams of work-items differ. Without ASH_SEED they are seeded by the launch, each time anew; with it they are
 * the same at every launch. Item 0 with seed 1 draws first what ash_rand gives first after ash_seed(1). */
#define ASH_SEED(r, number) ((r) = ash__random(number, (r).item))
#define ASH_RAND_U32(r) ash__rand_u32(&(r))
#define ASH_RAND_U64(r) ash__rand_u64(&(r))
#define ASH_RAND_F32(r) ash__rand_f32(&(r))
#define ASH_RAND_F64(r) ash__rand_f64(&(r))
#define ASH_RANDN_F32(r) ash__randn_f32(&(r))
#define ASH_RANDN_F64(r) ash__randn_f64(&(r))
#define ASH_RANDEXP_F32(r) ash_kernel_exponential_f32(ash__rand_u32(&(r)))
#define ASH_RANDEXP_F64(r) ash_kernel_exponential_f64(ash__rand_u64(&(r)))
#define ASH_RANDINT(r, low, high) ash__randint(&(r), low, high)

/* ---- elements */

/* X(name, constant, type in memory, type of values, value of a stored x, stored form of a value x) */
#define ASH__VIEW_FIRST(X) X(f32, ASH_F32, float, float, x, x)
#define ASH__VIEW_REST(X)                                                                       \
    X(truth, ASH_BOOL, uint8_t, bool, x != 0, x)                                                \
    X(i8, ASH_I8, int8_t, int8_t, x, x)                                                         \
    X(i16, ASH_I16, int16_t, int16_t, x, x)                                                     \
    X(i32, ASH_I32, int32_t, int32_t, x, x)                                                     \
    X(i64, ASH_I64, int64_t, int64_t, x, x)                                                     \
    X(u8, ASH_U8, uint8_t, uint8_t, x, x)                                                       \
    X(u16, ASH_U16, uint16_t, uint16_t, x, x)                                                   \
    X(u32, ASH_U32, uint32_t, uint32_t, x, x)                                                   \
    X(u64, ASH_U64, uint64_t, uint64_t, x, x)                                                   \
    X(f16, ASH_F16, uint16_t, float, ash_kernel_from_f16(x), ash_kernel_to_f16(x))              \
    X(bf16, ASH_BF16, uint16_t, float, ash_kernel_from_bf16(x), ash_kernel_to_bf16(x))          \
    X(c_f32, ASH_C_F32, ash_complex_f32, ash_complex_f32, ash__conjugate_f32(x, v->conjugated), \
      ash__conjugate_f32(x, v->conjugated))                                                     \
    ASH__VIEW_WIDE(X)
#if ASH_HAS_F64
#define ASH__VIEW_WIDE(X)                                                                       \
    X(f64, ASH_F64, double, double, x, x)                                                       \
    X(c_f64, ASH_C_F64, ash_complex_f64, ash_complex_f64, ash__conjugate_f64(x, v->conjugated), \
      ash__conjugate_f64(x, v->conjugated))
#else
#define ASH__VIEW_WIDE(X)
#endif

ASH__INLINE ash_complex_f32 ASH_C_F32_OF(float re, float im)
{
    ash_complex_f32 z;
    z.re = re;
    z.im = im;
    return z;
}
#if ASH_HAS_F64
ASH__INLINE ash_complex_f64 ASH_C_F64_OF(double re, double im)
{
    ash_complex_f64 z;
    z.re = re;
    z.im = im;
    return z;
}
#endif
ASH__INLINE ash_complex_f32 ash__conjugate_f32(ash_complex_f32 z, bool conjugated)
{
    return ASH_C_F32_OF(z.re, conjugated ? -z.im : z.im);
}
#if ASH_HAS_F64
ASH__INLINE ash_complex_f64 ash__conjugate_f64(ash_complex_f64 z, bool conjugated)
{
    return ASH_C_F64_OF(z.re, conjugated ? -z.im : z.im);
}
#endif

#define ASH__VIEW_TYPE(NAME, ID, M, V, FROM, TO)                                                             \
    typedef struct ash_view_##NAME {                                                                         \
        ash_kernel_view v;                                                                                   \
    } ash_view_##NAME;                                                                                       \
    typedef V ash__value_##NAME;                                                                             \
    typedef M ash__stored_##NAME;                                                                            \
    ASH__INLINE V ASH__OVERLOADED(ash__load_, NAME)(const ash_view_##NAME *view, const ASH_GLOBAL char *at)  \
    {                                                                                                        \
        const ash_kernel_view *const v = &view->v;                                                           \
        M x;                                                                                                 \
        ASH__FROM_MEMORY(M, x, at);                                                                          \
        (void)v;                                                                                             \
        return FROM;                                                                                         \
    }                                                                                                        \
    ASH__INLINE void ASH__OVERLOADED(ash__store_, NAME)(ash_view_##NAME *view, ASH_GLOBAL char *at, V x)     \
    {                                                                                                        \
        const ash_kernel_view *const v = &view->v;                                                           \
        const M stored = TO;                                                                                 \
        ASH__TO_MEMORY(M, at, stored);                                                                       \
        (void)v;                                                                                             \
    }                                                                                                        \
    ASH__INLINE const ASH_GLOBAL M *ASH__PLACE_IN(NAME)(const ash_view_##NAME *view, ASH_GLOBAL char *at)    \
    {                                                                                                        \
        (void)view;                                                                                          \
        return ASH__AS(const M, at);                                                                         \
    }                                                                                                        \
    ASH__INLINE ASH_GLOBAL M *ASH__OVERLOADED(ash__place_, NAME)(ash_view_##NAME *view, ASH_GLOBAL char *at) \
    {                                                                                                        \
        (void)view;                                                                                          \
        return ASH__AS(M, at);                                                                               \
    }
ASH__VIEW_FIRST(ASH__VIEW_TYPE)
ASH__VIEW_REST(ASH__VIEW_TYPE)
/* What a user writes as bool: a macro for _Bool before C23. */
typedef ash_view_truth ash_view_bool;
typedef ash_view_truth ash_view__Bool;
typedef bool ash__value_bool;
typedef bool ash__value__Bool;
typedef uint8_t ash__stored_bool;
typedef uint8_t ash__stored__Bool;

#ifndef ASH__DEVICE
#define ASH__VIEW_DTYPE(NAME, ID, M, V, FROM, TO) ash__kernel_dtype_##NAME = ID,
enum {
    ASH__VIEW_FIRST(ASH__VIEW_DTYPE) ASH__VIEW_REST(ASH__VIEW_DTYPE) ash__kernel_dtype_bool = ASH_BOOL,
    ash__kernel_dtype__Bool = ASH_BOOL
};
#endif

ASH__INLINE bool ash__outside(int64_t i, int64_t n)
{
    return ASH_CHECK_BOUNDS && ASH__RARELY((uint64_t)i >= (uint64_t)n);
}
ASH__INLINE bool ash__misfit(const ash_kernel_view *v, int32_t rank)
{
    return ASH_CHECK_BOUNDS && ASH__RARELY(v->rank != rank);
}
ASH__INLINE ASH_GLOBAL char *ash__at0(const ash_kernel_view *v)
{
    return ash__misfit(v, 0) ? ash_kernel_outside(v, ASH__KERNEL_RANK, 0) : v->data;
}
ASH__INLINE ASH_GLOBAL char *ash__at1(const ash_kernel_view *v, int64_t i)
{
    if (ash__misfit(v, 1))
        return ash_kernel_outside(v, ASH__KERNEL_RANK, 1);
    return ash__outside(i, v->size[0]) ? ash_kernel_outside(v, 0, i) : v->data + i * v->stride[0];
}
ASH__INLINE ASH_GLOBAL char *ash__at2(const ash_kernel_view *v, int64_t i, int64_t j)
{
    if (ash__misfit(v, 2))
        return ash_kernel_outside(v, ASH__KERNEL_RANK, 2);
    if (ash__outside(i, v->size[0]))
        return ash_kernel_outside(v, 0, i);
    return ash__outside(j, v->size[1]) ? ash_kernel_outside(v, 1, j) : v->data + (i * v->stride[0] + j * v->stride[1]);
}
ASH__INLINE ASH_GLOBAL char *ash__at3(const ash_kernel_view *v, int64_t i, int64_t j, int64_t k)
{
    if (ash__misfit(v, 3))
        return ash_kernel_outside(v, ASH__KERNEL_RANK, 3);
    if (ash__outside(i, v->size[0]))
        return ash_kernel_outside(v, 0, i);
    if (ash__outside(j, v->size[1]))
        return ash_kernel_outside(v, 1, j);
    return ash__outside(k, v->size[2]) ? ash_kernel_outside(v, 2, k)
                                       : v->data + (i * v->stride[0] + j * v->stride[1] + k * v->stride[2]);
}
ASH__INLINE ASH_GLOBAL char *ash__at4(const ash_kernel_view *v, int64_t i, int64_t j, int64_t k, int64_t l)
{
    if (ash__misfit(v, 4))
        return ash_kernel_outside(v, ASH__KERNEL_RANK, 4);
    if (ash__outside(i, v->size[0]))
        return ash_kernel_outside(v, 0, i);
    if (ash__outside(j, v->size[1]))
        return ash_kernel_outside(v, 1, j);
    if (ash__outside(k, v->size[2]))
        return ash_kernel_outside(v, 2, k);
    return ash__outside(l, v->size[3])
               ? ash_kernel_outside(v, 3, l)
               : v->data + (i * v->stride[0] + j * v->stride[1] + k * v->stride[2] + l * v->stride[3]);
}
ASH__INLINE ASH_GLOBAL char *ash__nth(const ash_kernel_view *v, int64_t k)
{
    if (ash__outside(k, v->length))
        return ash_kernel_outside(v, ASH__KERNEL_NTH, k);
    return v->even ? v->data + k * v->step : ash_kernel_nth(v, k);
}
#define ASH__GET_IN1(x) ASH__LOAD(x, ash__at0(&(x).v))
#define ASH__GET_IN2(x, i) ASH__LOAD(x, ash__at1(&(x).v, i))
#define ASH__GET_IN3(x, i, j) ASH__LOAD(x, ash__at2(&(x).v, i, j))
#define ASH__GET_IN4(x, i, j, k) ASH__LOAD(x, ash__at3(&(x).v, i, j, k))
#define ASH__GET_IN5(x, i, j, k, l) ASH__LOAD(x, ash__at4(&(x).v, i, j, k, l))
#define ASH__SET_IN2(x, value) ASH__STORE(x, ash__at0(&(x).v), value)
#define ASH__SET_IN3(x, value, i) ASH__STORE(x, ash__at1(&(x).v, i), value)
#define ASH__SET_IN4(x, value, i, j) ASH__STORE(x, ash__at2(&(x).v, i, j), value)
#define ASH__SET_IN5(x, value, i, j, k) ASH__STORE(x, ash__at3(&(x).v, i, j, k), value)
#define ASH__SET_IN6(x, value, i, j, k, l) ASH__STORE(x, ash__at4(&(x).v, i, j, k, l), value)
#define ASH__PLACE_IN1(x) ASH__POINT(x, ash__at0(&(x).v))
#define ASH__PLACE_IN2(x, i) ASH__POINT(x, ash__at1(&(x).v, i))
#define ASH__PLACE_IN3(x, i, j) ASH__POINT(x, ash__at2(&(x).v, i, j))
#define ASH__PLACE_IN4(x, i, j, k) ASH__POINT(x, ash__at3(&(x).v, i, j, k))
#define ASH__PLACE_IN5(x, i, j, k, l) ASH__POINT(x, ash__at4(&(x).v, i, j, k, l))

/* ---- random numbers */

ASH__INLINE ash_random ash__random(uint64_t first_seed, uint64_t item)
{
    ash_random r;
    r.seed = first_seed;
    r.item = item;
    r.block = 0;
    r.used = 4;
    r.spare = 0;
    return r;
}
ASH__INLINE uint32_t ash__rand_u32(ash_random *r)
{
    if (r->used == 4) {
        ash_kernel_words(r->seed, r->item, r->block++, r->word);
        r->used = 0;
    }
    return r->word[r->used++];
}
ASH__INLINE uint64_t ash__rand_u64(ash_random *r)
{
    const uint64_t low = ash__rand_u32(r);
    return low | (uint64_t)ash__rand_u32(r) << 32;
}
ASH__INLINE float ash__rand_f32(ash_random *r) { return (float)ash__rand_u32(r) * 0x1p-32f + 0x1p-33f; }
#if ASH_HAS_F64
ASH__INLINE double ash__rand_f64(ash_random *r) { return (double)ash__rand_u64(r) * 0x1p-64 + 0x1p-65; }
#endif
ASH__INLINE float ash__randn_f32(ash_random *r)
{
    float pair[2];
    if (r->spare == 4) {
        r->spare = 0;
        return r->kept;
    }
    const uint32_t u = ash__rand_u32(r);
    ash_kernel_normal_f32(u, ash__rand_u32(r), pair);
    r->kept = pair[1];
    r->spare = 4;
    return pair[0];
}
#if ASH_HAS_F64
ASH__INLINE double ash__randn_f64(ash_random *r)
{
    double pair[2];
    if (r->spare == 8) {
        r->spare = 0;
        return r->kept_f64;
    }
    const uint64_t u = ash__rand_u64(r);
    ash_kernel_normal_f64(u, ash__rand_u64(r), pair);
    r->kept_f64 = pair[1];
    r->spare = 8;
    return pair[0];
}
#endif
/* The whole part of n times the words as a fraction of 1, as ash_randint takes it. */
ASH__INLINE int64_t ash__randint(ash_random *r, int64_t low, int64_t high)
{
    const uint64_t n = (uint64_t)high - (uint64_t)low, x = ash__rand_u64(r), two_to_32 = (uint64_t)1 << 32;
    if (n <= two_to_32)
        return (int64_t)((uint64_t)low + (((x >> 32) * n + ((x % two_to_32) * n >> 32)) >> 32));
    const uint64_t above = ash__rand_u64(r), lower = above * n, sum = lower + ash__upper(x, n);
    return (int64_t)((uint64_t)low + ash__upper(above, n) + (sum < lower ? 1 : 0));
}

/* ---- what a parameter is in the kernel's parameter list */

#define ASH__K_PARAMETER(c, tuple) ASH__K_PARAMETER_ tuple
#define ASH__K_PARAMETER_(kind, ...) ASH__CAT(ASH__K_PARAMETER_, kind)(__VA_ARGS__, )
#define ASH__K_UNUSED __attribute__((unused))
#define ASH__K_PARAMETER_in(T, x, ...) , ASH__K_UNUSED const ASH__CAT(ash_view_, T) x
#define ASH__K_PARAMETER_out(T, x, ...) , ASH__K_UNUSED ASH__CAT(ash_view_, T) x
#define ASH__K_PARAMETER_inout(T, x, ...) , ASH__K_UNUSED ASH__CAT(ash_view_, T) x
#define ASH__K_PARAMETER_scalar(T, x, ...) , ASH__K_UNUSED ASH__CAT(ash__value_, T) x
#define ASH__K_PARAMETER_local(T, x, ...) , ASH__K_UNUSED ASH_LOCAL ASH__CAT(ash__value_, T) *const x
#define ASH__K_PARAMETER_random(x, ...) , ASH__K_UNUSED ash_random x

#endif /* not ASHLAR_CDEF */
#endif
