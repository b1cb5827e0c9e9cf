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
    int64_t global_size[3], local_size[3], groups[3], group_id[3], start[3]; /* `global` and `local` are words of OpenCL C */
    int64_t id[3];
    bool waited;
} ash_kernel_item;

/* A generator of one work-item: item and seed name a stream of blocks of four words. */
typedef struct ash_random {
    uint64_t seed, item, block;
    uint32_t word[4];
    int32_t used;
    int32_t spare; /* bytes of the second number of a pair that is kept, or 0 */
    float kept;
    double kept_f64;
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

/* ---- what kernel_text.h stands on, on the CPU */

#define ASH_HOST 1
#define ASH_GLOBAL                /* before the type that a pointer from ASH_PLACE points to */
#define ASH_LOCAL                 /* before the type of local memory: ASH_LOCAL float *tile */
#define ASH_CONSTANT static const /* before a table outside of functions */
#define ASH_HAS_F64 1             /* 0 for a device without: #if ASH_HAS_F64 around kernels with f64 */
#define ASH_HAS_I64_ATOMICS 1     /* likewise */

#define ASH__RARELY(condition) __builtin_expect(condition, 0)
/* Elements may be at any address. */
#define ASH__FROM_MEMORY(M, x, at) memcpy(&(x), at, sizeof(M))
#define ASH__TO_MEMORY(M, at, x) memcpy(at, &(x), sizeof(M))
#define ASH__AS(M, at) ((M *)(void *)(at))
ASH__INLINE uint64_t ash__upper(uint64_t a, uint64_t b) /* half of the product */
{
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b >> 64);
}

#ifdef __cplusplus
#define ASH__OVERLOADED(base, name) base
#define ASH__PLACE_IN(name) ash__place_
#else
#define ASH__OVERLOADED(base, name) base##name
#define ASH__PLACE_IN(name) ash__place_in_##name
#endif
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
#define ASH__POINT(x, at)                                                                                                    \
    _Generic(&(x), ash_view_f32 *: ash__place_f32, const ash_view_f32 *: ash__place_in_f32 ASH__VIEW_REST(ASH__PLACE_CASE))( \
        &(x), at)
#endif

/* ---- atomics: relaxed, as a GPU's are */

#define ASH__ATOMIC_FETCH(OPERATION, NAME, T)                                   \
    ASH__INLINE T ASH__OVERLOADED(ash__atomic_##OPERATION##_, NAME)(T * p, T x) \
    {                                                                           \
        return __atomic_fetch_##OPERATION(p, x, __ATOMIC_RELAXED);              \
    }
#define ASH__ATOMIC_EXTREME(OPERATION, BEFORE, NAME, T)                                                            \
    ASH__INLINE T ASH__OVERLOADED(ash__atomic_##OPERATION##_, NAME)(T * p, T x)                                    \
    {                                                                                                              \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                              \
        while (x BEFORE old && !__atomic_compare_exchange_n(p, &old, x, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) \
            ;                                                                                                      \
        return old;                                                                                                \
    }
#define ASH__ATOMICS(NAME, T)                                                                    \
    ASH__ATOMIC_FETCH(add, NAME, T)                                                              \
    ASH__ATOMIC_FETCH(and, NAME, T)                                                              \
    ASH__ATOMIC_FETCH(or, NAME, T)                                                               \
    ASH__ATOMIC_FETCH(xor, NAME, T)                                                              \
    ASH__ATOMIC_EXTREME(min, <, NAME, T)                                                         \
    ASH__ATOMIC_EXTREME(max, >, NAME, T)                                                         \
    ASH__INLINE T ASH__OVERLOADED(ash__atomic_exchange_, NAME)(T * p, T x)                       \
    {                                                                                            \
        return __atomic_exchange_n(p, x, __ATOMIC_RELAXED);                                      \
    }                                                                                            \
    ASH__INLINE T ASH__OVERLOADED(ash__atomic_compare_, NAME)(T * p, T expected, T x)            \
    {                                                                                            \
        __atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected;                                                                         \
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

#include "kernel_text.h"

/* ---- ASH_KERNEL: the kernel, what runs a group of its work-items, and the text of its file */

#ifndef ASH_KERNEL_FILE
#define ASH_KERNEL_FILE __FILE__ /* as the assembler finds it */
#endif
#if defined(__ELF__) && !defined(ASH_KERNEL_CPU_ONLY)
#define ASH__KERNEL_TEXT(name) ash__text_##name
#define ASH__KERNEL_EMBED(name)                                                                                               \
    __asm__(".pushsection .rodata.ashlar,\"aMS\",%progbits,1\n\t.global ash__text_" #name "\n\t.hidden ash__text_" #name "\n" \
            "ash__text_" #name ":\n\t.incbin \"" ASH_KERNEL_FILE "\"\n\t.byte 0\n\t.popsection\n");                           \
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
#define ASH__K_READ_in(T, x, ...)           \
    ASH__CAT(ash_view_, T) ash__passed_##x; \
    ash__passed_##x.v = ash__group->argument[ash__number_##x].view;
#define ASH__K_READ_out ASH__K_READ_in
#define ASH__K_READ_inout ASH__K_READ_in
#define ASH__K_READ_scalar(T, x, ...)         \
    ASH__CAT(ash__value_, T) ash__passed_##x; \
    memcpy(&ash__passed_##x, ash__group->argument[ash__number_##x].scalar, sizeof ash__passed_##x);
#define ASH__K_READ_local(T, x, ...) \
    ASH__CAT(ash__value_, T) *const ash__passed_##x = (ASH__CAT(ash__value_, T) *)ash__group->argument[ash__number_##x].local;
#define ASH__K_READ_random(x, ...) const uint64_t ash__passed_##x = ash__group->seed;
/* Do elements along the first axis lie side by side? And then the compiler is told so. */
#define ASH__K_DENSE(c, tuple) ASH__K_DENSE_ tuple
#define ASH__K_DENSE_(kind, ...) ASH__CAT(ASH__K_DENSE_, kind)(__VA_ARGS__, )
#define ASH__K_DENSE_in(T, x, ...) &&ash__passed_##x.v.stride[0] == (int64_t)sizeof(ASH__CAT(ash__stored_, T))
#define ASH__K_DENSE_out ASH__K_DENSE_in
#define ASH__K_DENSE_inout ASH__K_DENSE_in
#define ASH__K_DENSE_scalar(T, x, ...)
#define ASH__K_DENSE_local(T, x, ...)
#define ASH__K_DENSE_random(x, ...)
#define ASH__K_TOLD(c, tuple) ASH__K_TOLD_ tuple
#define ASH__K_TOLD_(kind, ...) ASH__CAT(ASH__K_TOLD_, kind)(__VA_ARGS__, )
#define ASH__K_TOLD_in(T, x, ...) ash__passed_##x.v.stride[0] = (int64_t)sizeof(ASH__CAT(ash__stored_, T));
#define ASH__K_TOLD_out ASH__K_TOLD_in
#define ASH__K_TOLD_inout ASH__K_TOLD_in
#define ASH__K_TOLD_scalar(T, x, ...)
#define ASH__K_TOLD_local(T, x, ...)
#define ASH__K_TOLD_random(x, ...)
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
        item.global_size[k] = group->global[k];
        item.local_size[k] = group->local[k];
        item.groups[k] = group->groups[k];
        item.group_id[k] = group->group[k];
        item.start[k] = group->start[k];
    }
    item.id[2] = first % group->local[2];
    item.id[1] = first / group->local[2] % group->local[1];
    item.id[0] = first / group->local[2] / group->local[1];
    item.waited = false;
    return item;
}
/* In row-major order of the global ids, from 1. */
ASH__INLINE uint64_t ash__item_number(const ash_kernel_item *i)
{
    const int64_t row = (i->start[0] + i->id[0]) * i->global_size[1] + i->start[1] + i->id[1];
    return (uint64_t)(row * i->global_size[2] + i->start[2] + i->id[2]) + 1;
}

/* A work-item that has waited was continued after others had been started, elsewhere: the one that runs it starts no more. */
#define ASH__K_ONE(name, ...)                                                  \
    {                                                                          \
        ash__kernel_##name(&ash__now ASH__EACH(ASH__K_PASSED, , __VA_ARGS__)); \
        if (ash__now.waited)                                                   \
            return;                                                            \
    }
#define ASH__K_ROW(name, ...)                                         \
    for (; ash__now.id[0] < ash__now.local_size[0]; ash__now.id[0]++) \
        ASH__K_ONE(name, __VA_ARGS__)                                 \
    return;
#define ASH_KERNEL(name, ...)                                                                                  \
    ASH__KERNEL_EMBED(name)                                                                                    \
    static inline __attribute__((always_inline)) void ash__kernel_##name(                                      \
        ASH__K_UNUSED ash_kernel_item *const ash__item ASH__EACH(ASH__K_PARAMETER, , __VA_ARGS__));            \
    static void ash__run_##name(ash_kernel_group *ash__group, int64_t ash__first)                              \
    {                                                                                                          \
        enum { ASH__EACH(ASH__K_NUMBER, , __VA_ARGS__) ash__numbers };                                         \
        ASH__EACH(ASH__K_READ, , __VA_ARGS__)                                                                  \
        ash_kernel_item ash__now = ash__item_of(ash__group, ash__first);                                       \
        if (!ASH_CHECK_BOUNDS && ash__group->axes == 1 ASH__EACH(ASH__K_DENSE, , __VA_ARGS__)) {               \
            ASH__EACH(ASH__K_TOLD, , __VA_ARGS__)                                                              \
            ASH__K_ROW(name, __VA_ARGS__)                                                                      \
        }                                                                                                      \
        if (ash__group->axes == 1) {                                                                           \
            ASH__K_ROW(name, __VA_ARGS__)                                                                      \
        }                                                                                                      \
        for (; ash__now.id[0] < ash__now.local_size[0]; ash__now.id[0]++, ash__now.id[1] = 0)                  \
            for (; ash__now.id[1] < ash__now.local_size[1]; ash__now.id[1]++, ash__now.id[2] = 0)              \
                for (; ash__now.id[2] < ash__now.local_size[2]; ash__now.id[2]++)                              \
                    ASH__K_ONE(name, __VA_ARGS__)                                                              \
    }                                                                                                          \
    static const ash_kernel_parameter ash__parameters_##name[] = {ASH__EACH(ASH__K_DESCRIBED, , __VA_ARGS__)}; \
    ASH__KERNEL_EXTERN const ash_kernel name[1];                                                               \
    const ash_kernel name[1] = {{sizeof(ash_kernel), #name, __FILE__, ASH__KERNEL_TEXT(name),                  \
                                 (int64_t)(sizeof ash__parameters_##name / sizeof ash__parameters_##name[0]),  \
                                 ash__parameters_##name, ASH_CHECK_BOUNDS, ash__run_##name}};                  \
    static inline __attribute__((always_inline)) void ash__kernel_##name(                                      \
        ASH__K_UNUSED ash_kernel_item *const ash__item ASH__EACH(ASH__K_PARAMETER, , __VA_ARGS__))

#endif /* not ASHLAR_CDEF */
#endif
