/*
 * kernel.h - user kernels: one text, compiled by the C compiler for the CPU and at run time for a GPU.
 *
 *     #include <ashlar/ashlar.h>
 *
 *     ASH_KERNEL(saxpy, (in, f32, x), (inout, f32, y), (scalar, f32, a))
 *     {
 *         const int64_t i = ASH_GLOBAL_ID(0);
 *         ASH_SET(y, a * ASH_GET(x, i) + ASH_GET(y, i), i);
 *     }
 *
 *     #if ASH_HOST
 *     ... ash_launch(saxpy, ASH_OPERANDS(x, y, 2.0f)) ...
 *     #endif
 *
 * The function is compiled in place for the CPU, and the text of the file it stands in is put into the program, from where it
 * goes to the compiler of the device that the arrays are on. That one sees ASH_HOST undefined and no `#include <...>` line, so
 * what is for the host alone stands in `#if ASH_HOST`, or in another file. docs/kernels.md tells all of it.
 *
 * Parameters, up to 15, are (kind, dtype, name):
 *   (in, f32, x)  (out, f32, y)  (inout, f32, z)   arrays; a fourth word is the rank, 1 without it, or `any`
 *   (scalar, f32, a)                               a value: float a
 *   (local, f32, tile, 256)                        memory of the group: ASH_LOCAL float *tile; no argument of the launch
 *   (random, r)                                    a generator of the work-item's own; no argument of the launch
 */
#ifndef ASHLAR_KERNEL_H
#define ASHLAR_KERNEL_H
#include "array.h"
#include "random.h"
ASH__BEGIN

typedef enum ash_kernel_kind {
    ASH_KERNEL_IN = 1,
    ASH_KERNEL_OUT = 2,
    ASH_KERNEL_INOUT = 3,
    ASH_KERNEL_SCALAR = 4,
    ASH_KERNEL_LOCAL = 5,
    ASH_KERNEL_RANDOM = 6
} ash_kernel_kind;

enum {
    ASH_KERNEL_PARAMETERS = 15, /* of one kernel */
    ASH_KERNEL_GROUP = 1024,    /* work-items of a group; a device may have fewer */
    ASH_KERNEL_ANY_RANK = -1
};

typedef struct ash_kernel_parameter {
    const char *name;
    ash_kernel_kind kind;
    ash_dtype dtype;
    int64_t count; /* the rank of an array; elements of local memory */
} ash_kernel_parameter;

typedef struct ash_kernel_group ash_kernel_group;

/* What ASH_KERNEL(name, ...) defines: `const ash_kernel name[1]`. */
typedef struct ash_kernel {
    size_t struct_size;
    const char *name;
    const char *file; /* where it stands */
    const char *text; /* that file's; NULL: for the CPU alone */
    int64_t count;
    const ash_kernel_parameter *parameter;
    bool checked;     /* indices are: ASH_CHECK_BOUNDS where it was compiled */
    void (*run)(ash_kernel_group *group, int64_t first); /* on the CPU: work-items first, first + 1 ... of a group */
} ash_kernel;

typedef struct ash_launch_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dims global; /* work-items along 1 to 3 axes, of which the last varies fastest; default: the shape of what is written */
    ash_dims local;  /* those of a group; divide the global ones; default: the library's choice, and then no barriers */
    ash_rng *rng;    /* seeds what the kernel draws; default: this thread's generator for the device */
    bool overlap;    /* arrays that are written may share memory with others: the kernel knows what it does */
} ASH__KEYWORDS ash_launch_options;

/**
 * Runs a kernel: its body once for each work-item. Items of a group run together, may wait for one another (ASH_BARRIER) and
 * share local memory; of different groups nothing is promised but atomics. Everything is checked before anything is written:
 * number, dtypes and ranks of the arguments, devices, read-only arrays, shared memory, sizes of groups.
 *
 * Shape   .global: without it, the shape of the first array that the kernel writes, if that is declared with at most 3 axes,
 *         else one axis over the elements of it. No work-item: nothing is done.
 * Dtype   arrays have exactly the declared dtype. A scalar is converted, but not to a lower kind (float to integer).
 *
 * @param kernel     as ASH_KERNEL defines it.
 * @param arguments  borrowed: one for each parameter that is an array or a scalar, in their order.
 * @param options    .global, .local, .rng, .overlap, .resources.
 * @return           ASH_OK, ASH_ERR_ARGUMENT, ASH_ERR_DTYPE, ASH_ERR_SHAPE, ASH_ERR_DEVICE (of different devices, or the text
 *                   does not compile), ASH_ERR_VALUE (a scalar), ASH_ERR_BOUNDS (an index in the kernel; what it wrote before
 *                   stays), ASH_ERR_UNSUPPORTED, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_launch_opt(const ash_kernel *kernel, ash_operands arguments,
                                  const ash_launch_options *options ASH__DEFAULT);

/* ---- what the macros below stand on, on the CPU: not for programs */

enum { ASH__KERNEL_AXES = 4, /* of one access with indices */ ASH__KERNEL_NTH = -1, ASH__KERNEL_RANK = -2 };

/* The first index that was out of bounds in a part of the work, and where such an access goes. */
typedef struct ash_kernel_fault {
    int64_t parameter, axis, index; /* parameter: from 1; 0 is none. axis: see ash_kernel_outside */
    uint64_t sink[2];
} ash_kernel_fault;

/* An array as a kernel sees it. */
typedef struct ash_kernel_view {
    char *data; /* the element whose indices are all 0 */
    int64_t size[4], stride[4]; /* the first axes, in bytes; 1 and 0 beyond the rank */
    int64_t length;             /* elements */
    const int64_t *shape, *byte_stride; /* all axes */
    int32_t rank;
    int32_t parameter;          /* from 1 */
    bool conjugated;
    bool even; /* element k in row-major order is at data + k * step */
    int64_t step;
    ash_kernel_fault *fault;
} ash_kernel_view;

typedef struct ash_kernel_argument {
    ash_kernel_view view;
    unsigned char scalar[16];
    void *local;
} ash_kernel_argument;

struct ash_kernel_group {
    int64_t axes;
    int64_t global[3], local[3], groups[3], group[3], start[3]; /* 1 and 0 beyond the axes; local: this group's */
    uint64_t seed;
    const ash_kernel_argument *argument; /* one for each parameter */
    ash_kernel_fault *fault;
    void *own; /* the library's */
};

typedef struct ash_kernel_item {
    ash_kernel_group *group;
    int64_t global[3], local[3], groups[3], group_id[3], start[3];
    int64_t id[3];
    bool waited;
} ash_kernel_item;

/* A generator of one work-item: item and seed name a stream of blocks of four words. */
typedef struct ash_random {
    uint64_t seed, item, block;
    uint32_t word[4];
    int32_t used;
    int32_t spare; /* bytes of the second number of a pair that is kept, or 0 */
    double kept;
} ash_random;

/**
 * Waits for the other work-items of the group: ASH_BARRIER.
 *
 * @param item  the one that calls.
 */
ASH_API void ash_kernel_barrier(ash_kernel_item *item);

/**
 * Notes an index that is out of bounds.
 *
 * @param view   of the array.
 * @param axis   from 0; ASH__KERNEL_NTH: of all elements in order; ASH__KERNEL_RANK: what is wrong is the number of indices.
 * @param index  the one that was met, or how many.
 * @return       memory for one element that the access may use instead; it lives as long as the launch.
 */
ASH_API char *ash_kernel_outside(const ash_kernel_view *view, int64_t axis, int64_t index);

/**
 * The place of element number k in row-major order.
 *
 * @param view  of the array, of any strides.
 * @param k     from 0; within the array.
 * @return      its address, borrowed from the array.
 */
ASH_API char *ash_kernel_nth(const ash_kernel_view *view, int64_t k);

/**
 * Four words of Philox4x32-10, as docs/random.md has them.
 *
 * @param seed, item, call  the key and the two halves of the counter.
 * @param word              filled in: four words.
 */
ASH_API void ash_kernel_words(uint64_t seed, uint64_t item, uint64_t call, uint32_t *word);

/**
 * Two normal numbers of two words, or the exponential one of a word, with the bits that ash_randn and ash_randexp give.
 *
 * Exact  the same bits everywhere.
 *
 * @param u, w  random bits.
 * @param pair  filled in.
 */
ASH_API void ash_kernel_normal_f32(uint32_t u, uint32_t w, float *pair);
ASH_API void ash_kernel_normal_f64(uint64_t u, uint64_t w, double *pair);

/**
 * The exponential number of a word.
 *
 * Exact  the same bits everywhere.
 *
 * @param w  random bits.
 * @return   the number.
 */
ASH_API float ash_kernel_exponential_f32(uint32_t w);
ASH_API double ash_kernel_exponential_f64(uint64_t w);

/**
 * Elements of 16 bits as they are computed with, and back: rounded to nearest even.
 *
 * @param x  the element, or the number.
 * @return   the number, or the element.
 */
ASH_API float ash_kernel_from_f16(uint16_t x);
ASH_API float ash_kernel_from_bf16(uint16_t x);
ASH_API uint16_t ash_kernel_to_f16(float x);
ASH_API uint16_t ash_kernel_to_bf16(float x);

ASH__END

#ifndef ASHLAR_CDEF
#include <string.h>

#ifndef __cplusplus
#define ash_launch(...) ASH__KW2(ash_launch_opt, ash_launch_options, __VA_ARGS__, ASH_SIZED(ash_launch_options))
#endif

/* ---- the language of kernels: what these words mean on the CPU; src/backend/gpu/kernels/user.c has the same for a GPU
 *
 * Values of f16 and bf16 arrays are float, complex ones ash_complex_f32 and ash_complex_f64: fields re and im. Helper functions
 * are plain `static inline` ones and may take arrays as ash_view_f32 and the like; what needs to know its work-item (ids,
 * barriers) is for the kernel itself. Mathematical functions are those of <tgmath.h>: sqrt, exp, fma ... of the type of their
 * argument. */

#define ASH_HOST 1
#define ASH_GLOBAL                     /* before the type that a pointer from ASH_PLACE points to */
#define ASH_LOCAL                      /* before the type of local memory: ASH_LOCAL float *tile */
#define ASH_CONSTANT static const      /* before a table outside of functions */

/* The work-item, the group it is in, and how many there are, along an axis of the launch that is a constant from 0 on. */
#define ASH_GLOBAL_ID(axis) (ash__item->start[axis] + ash__item->id[axis])
#define ASH_GLOBAL_SIZE(axis) (ash__item->global[axis])
#define ASH_LOCAL_ID(axis) (ash__item->id[axis])
#define ASH_LOCAL_SIZE(axis) (ash__item->local[axis])
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
#define ASH__VIEW_REST(X)                                                                                              \
    X(truth, ASH_BOOL, uint8_t, bool, x != 0, x)                                                                       \
    X(i8, ASH_I8, int8_t, int8_t, x, x)                                                                                \
    X(i16, ASH_I16, int16_t, int16_t, x, x)                                                                            \
    X(i32, ASH_I32, int32_t, int32_t, x, x)                                                                            \
    X(i64, ASH_I64, int64_t, int64_t, x, x)                                                                            \
    X(u8, ASH_U8, uint8_t, uint8_t, x, x)                                                                              \
    X(u16, ASH_U16, uint16_t, uint16_t, x, x)                                                                          \
    X(u32, ASH_U32, uint32_t, uint32_t, x, x)                                                                          \
    X(u64, ASH_U64, uint64_t, uint64_t, x, x)                                                                          \
    X(f16, ASH_F16, uint16_t, float, ash_kernel_from_f16(x), ash_kernel_to_f16(x))                                     \
    X(bf16, ASH_BF16, uint16_t, float, ash_kernel_from_bf16(x), ash_kernel_to_bf16(x))                                 \
    X(f64, ASH_F64, double, double, x, x)                                                                              \
    X(c_f32, ASH_C_F32, ash_complex_f32, ash_complex_f32, ash__conjugate_f32(x, v->conjugated),                        \
      ash__conjugate_f32(x, v->conjugated))                                                                            \
    X(c_f64, ASH_C_F64, ash_complex_f64, ash_complex_f64, ash__conjugate_f64(x, v->conjugated),                        \
      ash__conjugate_f64(x, v->conjugated))

ASH__INLINE ash_complex_f32 ASH_C_F32_OF(float re, float im)
{
    ash_complex_f32 z;
    z.re = re;
    z.im = im;
    return z;
}
ASH__INLINE ash_complex_f64 ASH_C_F64_OF(double re, double im)
{
    ash_complex_f64 z;
    z.re = re;
    z.im = im;
    return z;
}
ASH__INLINE ash_complex_f32 ash__conjugate_f32(ash_complex_f32 z, bool conjugated)
{
    return ASH_C_F32_OF(z.re, conjugated ? -z.im : z.im);
}
ASH__INLINE ash_complex_f64 ash__conjugate_f64(ash_complex_f64 z, bool conjugated)
{
    return ASH_C_F64_OF(z.re, conjugated ? -z.im : z.im);
}

#ifdef __cplusplus
#define ASH__OVERLOADED(base, name) base
#define ASH__PLACE_IN(name) ash__place_
#else
#define ASH__OVERLOADED(base, name) base##name
#define ASH__PLACE_IN(name) ash__place_in_##name
#endif
#define ASH__VIEW_TYPE(NAME, ID, M, V, FROM, TO)                                                              \
    typedef struct ash_view_##NAME {                                                                          \
        ash_kernel_view v;                                                                                    \
    } ash_view_##NAME;                                                                                        \
    typedef V ash__value_##NAME;                                                                              \
    enum { ash__kernel_dtype_##NAME = ID };                                                                   \
    ASH__INLINE V ASH__OVERLOADED(ash__load_, NAME)(const ash_view_##NAME *view, const char *at)              \
    {                                                                                                         \
        const ash_kernel_view *const v = &view->v;                                                            \
        M x;                                                                                                  \
        memcpy(&x, at, sizeof x);                                                                             \
        (void)v;                                                                                              \
        return FROM;                                                                                          \
    }                                                                                                         \
    ASH__INLINE void ASH__OVERLOADED(ash__store_, NAME)(ash_view_##NAME *view, char *at, V x)                 \
    {                                                                                                         \
        const ash_kernel_view *const v = &view->v;                                                            \
        const M stored = TO;                                                                                  \
        memcpy(at, &stored, sizeof stored);                                                                   \
        (void)v;                                                                                              \
    }                                                                                                         \
    ASH__INLINE const M *ASH__PLACE_IN(NAME)(const ash_view_##NAME *view, char *at)         \
    {                                                                                                         \
        (void)view;                                                                                           \
        return (const M *)(const void *)at;                                                                   \
    }                                                                                                         \
    ASH__INLINE M *ASH__OVERLOADED(ash__place_, NAME)(ash_view_##NAME *view, char *at)                        \
    {                                                                                                         \
        (void)view;                                                                                           \
        return (M *)(void *)at;                                                                               \
    }
ASH__VIEW_FIRST(ASH__VIEW_TYPE)
ASH__VIEW_REST(ASH__VIEW_TYPE)
/* What a user writes as bool: a macro for _Bool before C23. */
typedef ash_view_truth ash_view_bool;
typedef ash_view_truth ash_view__Bool;
typedef bool ash__value_bool;
typedef bool ash__value__Bool;
enum { ash__kernel_dtype_bool = ASH_BOOL, ash__kernel_dtype__Bool = ASH_BOOL };

#ifdef __cplusplus
#define ASH__LOAD(x, at) ash__load_(&(x), at)
#define ASH__STORE(x, at, value) ash__store_(&(x), at, value)
#define ASH__POINT(x, at) ash__place_(&(x), at)
#else
/* A parameter that is only read is const, and has no associated function to store or to write through. */
#define ASH__LOAD_CASE(NAME, ID, M, V, FROM, TO) , ash_view_##NAME: ash__load_##NAME
#define ASH__STORE_CASE(NAME, ID, M, V, FROM, TO) , ash_view_##NAME *: ash__store_##NAME
#define ASH__PLACE_CASE(NAME, ID, M, V, FROM, TO) \
    , ash_view_##NAME *: ash__place_##NAME, const ash_view_##NAME *: ash__place_in_##NAME
#define ASH__LOAD(x, at) _Generic((x), ash_view_f32: ash__load_f32 ASH__VIEW_REST(ASH__LOAD_CASE))(&(x), at)
#define ASH__STORE(x, at, value) _Generic(&(x), ash_view_f32 *: ash__store_f32 ASH__VIEW_REST(ASH__STORE_CASE))(&(x), at, value)
#define ASH__POINT(x, at)                                                                                             \
    _Generic(&(x), ash_view_f32 *: ash__place_f32, const ash_view_f32 *: ash__place_in_f32 ASH__VIEW_REST(ASH__PLACE_CASE))( \
        &(x), at)
#endif

ASH__INLINE bool ash__outside(int64_t i, int64_t n)
{
    return ASH_CHECK_BOUNDS && __builtin_expect((uint64_t)i >= (uint64_t)n, 0);
}
ASH__INLINE bool ash__misfit(const ash_kernel_view *v, int32_t rank)
{
    return ASH_CHECK_BOUNDS && __builtin_expect(v->rank != rank, 0);
}
ASH__INLINE char *ash__at0(const ash_kernel_view *v)
{
    return ash__misfit(v, 0) ? ash_kernel_outside(v, ASH__KERNEL_RANK, 0) : v->data;
}
ASH__INLINE char *ash__at1(const ash_kernel_view *v, int64_t i)
{
    if (ash__misfit(v, 1))
        return ash_kernel_outside(v, ASH__KERNEL_RANK, 1);
    return ash__outside(i, v->size[0]) ? ash_kernel_outside(v, 0, i) : v->data + i * v->stride[0];
}
ASH__INLINE char *ash__at2(const ash_kernel_view *v, int64_t i, int64_t j)
{
    if (ash__misfit(v, 2))
        return ash_kernel_outside(v, ASH__KERNEL_RANK, 2);
    if (ash__outside(i, v->size[0]))
        return ash_kernel_outside(v, 0, i);
    return ash__outside(j, v->size[1]) ? ash_kernel_outside(v, 1, j) : v->data + (i * v->stride[0] + j * v->stride[1]);
}
ASH__INLINE char *ash__at3(const ash_kernel_view *v, int64_t i, int64_t j, int64_t k)
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
ASH__INLINE char *ash__at4(const ash_kernel_view *v, int64_t i, int64_t j, int64_t k, int64_t l)
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
ASH__INLINE char *ash__nth(const ash_kernel_view *v, int64_t k)
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

/* ---- atomics: relaxed, as a GPU's are */

#define ASH__ATOMIC_FETCH(OPERATION, NAME, T)                                                                \
    ASH__INLINE T ASH__OVERLOADED(ash__atomic_##OPERATION##_, NAME)(T * p, T x)                              \
    {                                                                                                        \
        return __atomic_fetch_##OPERATION(p, x, __ATOMIC_RELAXED);                                           \
    }
#define ASH__ATOMIC_EXTREME(OPERATION, BEFORE, NAME, T)                                                      \
    ASH__INLINE T ASH__OVERLOADED(ash__atomic_##OPERATION##_, NAME)(T * p, T x)                              \
    {                                                                                                        \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                        \
        while (x BEFORE old && !__atomic_compare_exchange_n(p, &old, x, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) \
            ;                                                                                                \
        return old;                                                                                          \
    }
#define ASH__ATOMICS(NAME, T)                                                                                \
    ASH__ATOMIC_FETCH(add, NAME, T)                                                                          \
    ASH__ATOMIC_FETCH(and, NAME, T)                                                                          \
    ASH__ATOMIC_FETCH(or, NAME, T)                                                                           \
    ASH__ATOMIC_FETCH(xor, NAME, T)                                                                          \
    ASH__ATOMIC_EXTREME(min, <, NAME, T)                                                                     \
    ASH__ATOMIC_EXTREME(max, >, NAME, T)                                                                     \
    ASH__INLINE T ASH__OVERLOADED(ash__atomic_exchange_, NAME)(T * p, T x)                                   \
    {                                                                                                        \
        return __atomic_exchange_n(p, x, __ATOMIC_RELAXED);                                                  \
    }                                                                                                        \
    ASH__INLINE T ASH__OVERLOADED(ash__atomic_compare_, NAME)(T * p, T expected, T x)                        \
    {                                                                                                        \
        __atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);             \
        return expected;                                                                                     \
    }
ASH__ATOMICS(i32, int32_t)
ASH__ATOMICS(u32, uint32_t)
ASH__ATOMICS(i64, int64_t)
ASH__ATOMICS(u64, uint64_t)
ASH__INLINE float ASH__OVERLOADED(ash__atomic_add_, f32)(float *p, float x)
{
    float old, sum;
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do
        sum = old + x;
    while (!__atomic_compare_exchange(p, &old, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
ASH__INLINE float ASH__OVERLOADED(ash__atomic_exchange_, f32)(float *p, float x)
{
    float old;
    __atomic_exchange(p, &x, &old, __ATOMIC_RELAXED);
    return old;
}
#ifdef __cplusplus
#define ASH__ATOMIC(base, p, more) base
#else
#define ASH__ATOMIC_FLOAT(base) , float *: base##f32
#define ASH__ATOMIC(base, p, more) \
    _Generic((p), int32_t *: base##i32, uint32_t *: base##u32, int64_t *: base##i64, uint64_t *: base##u64 more)
#endif

/* ---- random numbers */

ASH__INLINE ash_random ash__random(uint64_t seed, uint64_t item)
{
    ash_random r;
    memset(&r, 0, sizeof r);
    r.seed = seed;
    r.item = item;
    r.used = 4;
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
ASH__INLINE double ash__rand_f64(ash_random *r) { return (double)ash__rand_u64(r) * 0x1p-64 + 0x1p-65; }
ASH__INLINE float ash__randn_f32(ash_random *r)
{
    float pair[2];
    if (r->spare == 4) {
        r->spare = 0;
        return (float)r->kept;
    }
    const uint32_t u = ash__rand_u32(r);
    ash_kernel_normal_f32(u, ash__rand_u32(r), pair);
    r->kept = (double)pair[1];
    r->spare = 4;
    return pair[0];
}
ASH__INLINE double ash__randn_f64(ash_random *r)
{
    double pair[2];
    if (r->spare == 8) {
        r->spare = 0;
        return r->kept;
    }
    const uint64_t u = ash__rand_u64(r);
    ash_kernel_normal_f64(u, ash__rand_u64(r), pair);
    r->kept = pair[1];
    r->spare = 8;
    return pair[0];
}
/* The whole part of n times the words as a fraction of 1, as ash_randint takes it. */
ASH__INLINE int64_t ash__randint(ash_random *r, int64_t low, int64_t high)
{
    const uint64_t n = (uint64_t)high - (uint64_t)low, x = ash__rand_u64(r), two_to_32 = (uint64_t)1 << 32;
    if (n <= two_to_32)
        return (int64_t)((uint64_t)low + (((x >> 32) * n + ((x % two_to_32) * n >> 32)) >> 32));
    __extension__ typedef unsigned __int128 wide;
    const wide whole = (wide)ash__rand_u64(r) * n;
    return (int64_t)((uint64_t)low + (uint64_t)((whole + ((wide)x * n >> 64)) >> 64));
}

/* ---- ASH_KERNEL: the kernel, what runs a group of its work-items, and the text of its file */

#ifndef ASH_KERNEL_FILE
#define ASH_KERNEL_FILE __FILE__ /* as the assembler finds it */
#endif
#if defined(__ELF__) && !defined(ASH_KERNEL_CPU_ONLY)
#define ASH__KERNEL_TEXT(name) ash__text_##name
#define ASH__KERNEL_EMBED(name)                                                                               \
    __asm__(".pushsection .rodata\n\t.global ash__text_" #name "\n\t.hidden ash__text_" #name "\n"            \
            "ash__text_" #name ":\n\t.incbin \"" ASH_KERNEL_FILE "\"\n\t.byte 0\n\t.popsection\n");           \
    ASH__KERNEL_EXTERN __attribute__((visibility("hidden"))) const char ash__text_##name[];
#else
#define ASH__KERNEL_TEXT(name) NULL
#define ASH__KERNEL_EMBED(name)
#endif
#ifdef __cplusplus
#define ASH__KERNEL_EXTERN extern "C"
#else
#define ASH__KERNEL_EXTERN extern
#endif

enum { ASH__RANK_any = -1, ASH__RANK_0, ASH__RANK_1, ASH__RANK_2, ASH__RANK_3, ASH__RANK_4 };

/* What a parameter is in the kernel's parameter list. */
#define ASH__K_PARAMETER(c, tuple) ASH__K_PARAMETER_ tuple
#define ASH__K_PARAMETER_(kind, ...) ASH__CAT(ASH__K_PARAMETER_, kind)(__VA_ARGS__, )
#define ASH__K_UNUSED __attribute__((unused))
#define ASH__K_PARAMETER_in(T, x, ...) , ASH__K_UNUSED const ASH__CAT(ash_view_, T) x
#define ASH__K_PARAMETER_out(T, x, ...) , ASH__K_UNUSED ASH__CAT(ash_view_, T) x
#define ASH__K_PARAMETER_inout(T, x, ...) , ASH__K_UNUSED ASH__CAT(ash_view_, T) x
#define ASH__K_PARAMETER_scalar(T, x, ...) , ASH__K_UNUSED ASH__CAT(ash__value_, T) x
#define ASH__K_PARAMETER_local(T, x, ...) , ASH__K_UNUSED ASH__CAT(ash__value_, T) *const x
#define ASH__K_PARAMETER_random(x, ...) , ASH__K_UNUSED ash_random x
/* Its number. */
#define ASH__K_NUMBER(c, tuple) ASH__K_NUMBER_ tuple
#define ASH__K_NUMBER_(kind, ...) ASH__CAT(ASH__K_NUMBER_, kind)(__VA_ARGS__, )
#define ASH__K_NUMBER_in(T, x, ...) ash__number_##x,
#define ASH__K_NUMBER_out ASH__K_NUMBER_in
#define ASH__K_NUMBER_inout ASH__K_NUMBER_in
#define ASH__K_NUMBER_scalar ASH__K_NUMBER_in
#define ASH__K_NUMBER_local ASH__K_NUMBER_in
#define ASH__K_NUMBER_random(x, ...) ash__number_##x,
/* Read once for a group. */
#define ASH__K_READ(c, tuple) ASH__K_READ_ tuple
#define ASH__K_READ_(kind, ...) ASH__CAT(ASH__K_READ_, kind)(__VA_ARGS__, )
#define ASH__K_READ_in(T, x, ...)             \
    ASH__CAT(ash_view_, T) ash__passed_##x;   \
    ash__passed_##x.v = ash__group->argument[ash__number_##x].view;
#define ASH__K_READ_out ASH__K_READ_in
#define ASH__K_READ_inout ASH__K_READ_in
#define ASH__K_READ_scalar(T, x, ...)         \
    ASH__CAT(ash__value_, T) ash__passed_##x; \
    memcpy(&ash__passed_##x, ash__group->argument[ash__number_##x].scalar, sizeof ash__passed_##x);
#define ASH__K_READ_local(T, x, ...) \
    ASH__CAT(ash__value_, T) *const ash__passed_##x = (ASH__CAT(ash__value_, T) *)ash__group->argument[ash__number_##x].local;
#define ASH__K_READ_random(x, ...) const uint64_t ash__passed_##x = ash__group->seed;
/* Passed to the kernel. */
#define ASH__K_PASSED(c, tuple) ASH__K_PASSED_ tuple
#define ASH__K_PASSED_(kind, ...) ASH__CAT(ASH__K_PASSED_, kind)(__VA_ARGS__, )
#define ASH__K_PASSED_in(T, x, ...) , ash__passed_##x
#define ASH__K_PASSED_out ASH__K_PASSED_in
#define ASH__K_PASSED_inout ASH__K_PASSED_in
#define ASH__K_PASSED_scalar ASH__K_PASSED_in
#define ASH__K_PASSED_local ASH__K_PASSED_in
#define ASH__K_PASSED_random(x, ...) , ash__random(ash__passed_##x, ash__item_number(&ash__now))
/* Described for the launch. */
#define ASH__K_DESCRIBED(c, tuple) ASH__K_DESCRIBED_ tuple
#define ASH__K_DESCRIBED_(kind, ...) ASH__CAT(ASH__K_DESCRIBED_, kind)(__VA_ARGS__)
#define ASH__K_ARRAY2(kind, T, x) ASH__K_ARRAY3(kind, T, x, 1)
#define ASH__K_ARRAY3(kind, T, x, rank) {#x, kind, (ash_dtype)ASH__CAT(ash__kernel_dtype_, T), ASH__CAT(ASH__RANK_, rank)},
#define ASH__K_DESCRIBED_in(...) ASH__CAT(ASH__K_ARRAY, ASH__COUNT(__VA_ARGS__))(ASH_KERNEL_IN, __VA_ARGS__)
#define ASH__K_DESCRIBED_out(...) ASH__CAT(ASH__K_ARRAY, ASH__COUNT(__VA_ARGS__))(ASH_KERNEL_OUT, __VA_ARGS__)
#define ASH__K_DESCRIBED_inout(...) ASH__CAT(ASH__K_ARRAY, ASH__COUNT(__VA_ARGS__))(ASH_KERNEL_INOUT, __VA_ARGS__)
#define ASH__K_DESCRIBED_scalar(T, x) {#x, ASH_KERNEL_SCALAR, (ash_dtype)ASH__CAT(ash__kernel_dtype_, T), 1},
#define ASH__K_DESCRIBED_local(T, x, n) {#x, ASH_KERNEL_LOCAL, (ash_dtype)ASH__CAT(ash__kernel_dtype_, T), n},
#define ASH__K_DESCRIBED_random(x) {#x, ASH_KERNEL_RANDOM, ASH_U64, 1},

ASH__INLINE ash_kernel_item ash__item_of(ash_kernel_group *group, int64_t first)
{
    ash_kernel_item item;
    item.group = group;
    for (int k = 0; k < 3; k++) {
        item.global[k] = group->global[k];
        item.local[k] = group->local[k];
        item.groups[k] = group->groups[k];
        item.group_id[k] = group->group[k];
        item.start[k] = group->start[k];
    }
    item.id[2] = first % item.local[2];
    item.id[1] = first / item.local[2] % item.local[1];
    item.id[0] = first / item.local[2] / item.local[1];
    item.waited = false;
    return item;
}
/* In row-major order of the global ids, from 1. */
ASH__INLINE uint64_t ash__item_number(const ash_kernel_item *i)
{
    const int64_t row = (i->start[0] + i->id[0]) * i->global[1] + i->start[1] + i->id[1];
    return (uint64_t)(row * i->global[2] + i->start[2] + i->id[2]) + 1;
}

/* A work-item that has waited was continued after others had been started, elsewhere: the one that runs it starts no more. */
#define ASH__K_ONE(name, ...)                                                \
    {                                                                        \
        ash__kernel_##name(&ash__now ASH__EACH(ASH__K_PASSED, , __VA_ARGS__)); \
        if (ash__now.waited)                                                 \
            return;                                                          \
    }
#define ASH_KERNEL(name, ...)                                                                                         \
    ASH__KERNEL_EMBED(name)                                                                                           \
    static inline __attribute__((always_inline)) void ash__kernel_##name(                                             \
        ASH__K_UNUSED ash_kernel_item *const ash__item ASH__EACH(ASH__K_PARAMETER, , __VA_ARGS__));                    \
    static void ash__run_##name(ash_kernel_group *ash__group, int64_t ash__first)                                     \
    {                                                                                                                 \
        enum { ASH__EACH(ASH__K_NUMBER, , __VA_ARGS__) ash__numbers };                                                \
        ASH__EACH(ASH__K_READ, , __VA_ARGS__)                                                                         \
        ash_kernel_item ash__now = ash__item_of(ash__group, ash__first);                                              \
        if (ash__group->axes == 1) {                                                                                  \
            for (; ash__now.id[0] < ash__now.local[0]; ash__now.id[0]++)                                              \
                ASH__K_ONE(name, __VA_ARGS__)                                                                         \
            return;                                                                                                   \
        }                                                                                                             \
        for (; ash__now.id[0] < ash__now.local[0]; ash__now.id[0]++, ash__now.id[1] = 0)                              \
            for (; ash__now.id[1] < ash__now.local[1]; ash__now.id[1]++, ash__now.id[2] = 0)                          \
                for (; ash__now.id[2] < ash__now.local[2]; ash__now.id[2]++)                                          \
                    ASH__K_ONE(name, __VA_ARGS__)                                                                     \
    }                                                                                                                 \
    static const ash_kernel_parameter ash__parameters_##name[] = {ASH__EACH(ASH__K_DESCRIBED, , __VA_ARGS__)};         \
    ASH__KERNEL_EXTERN const ash_kernel name[1];                                                                      \
    const ash_kernel name[1] = {{sizeof(ash_kernel), #name, __FILE__, ASH__KERNEL_TEXT(name),                         \
                                 (int64_t)(sizeof ash__parameters_##name / sizeof ash__parameters_##name[0]),         \
                                 ash__parameters_##name, ASH_CHECK_BOUNDS, ash__run_##name}};                         \
    static inline __attribute__((always_inline)) void ash__kernel_##name(                                             \
        ASH__K_UNUSED ash_kernel_item *const ash__item ASH__EACH(ASH__K_PARAMETER, , __VA_ARGS__))

#endif /* not ASHLAR_CDEF */
#endif
