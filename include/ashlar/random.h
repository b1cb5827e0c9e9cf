/*
 * random.h - random numbers: generators, arrays of uniform, normal and exponential numbers, integers in a range, permutations.
 *
 * A generator is a seed and a count of calls. What a call gives depends on these and on nothing else: not on the number of
 * threads, the processor or the device. docs/random.md says which numbers they are. Elements are drawn in row-major order; into
 * an array of column-major layout in column-major order, that is in the order of memory. Every call that draws at least one
 * element counts as one (for a record: one for each of its fields); one that is refused, or has no element to draw, does not.
 * With .first = k the array gets the elements from number k on of what the call draws: it is a part of a larger array, and the
 * parts, each drawn with the same seed and count of calls, wherever, hold what the whole would.
 */
#ifndef ASHLAR_RANDOM_H
#define ASHLAR_RANDOM_H
#include "base.h"
ASH__BEGIN

typedef enum ash_rng_kind {
    ASH_RNG_DEFAULT = 1, /* Philox4x32-10: everything */
    ASH_RNG_SECOND = 2   /* Philox2x32-7: uniform f32, integers, normal f32, permutations */
} ash_rng_kind;

typedef struct ash_rng ash_rng;

/* All there is to a generator: with the same state it gives the same numbers again. */
typedef struct ash_rng_state {
    uint64_t seed, calls;
} ash_rng_state;

typedef struct ash_rand_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    ash_rng *rng; /* default: this thread's, for the array's device */
    int64_t first; /* elements of the stream that are passed over */
} ASH__KEYWORDS ash_rand_options;

typedef struct ash_rand_into_options {
    size_t struct_size;
    ash_resources *resources;
    ash_rng *rng;
    int64_t first;
} ASH__KEYWORDS ash_rand_into_options;

typedef struct ash_randint_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* default i64 */
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    ash_rng *rng;
    bool inclusive; /* high may be drawn too */
    int64_t first;
} ASH__KEYWORDS ash_randint_options;

typedef struct ash_randint_into_options {
    size_t struct_size;
    ash_resources *resources;
    ash_rng *rng;
    bool inclusive;
    int64_t first;
} ASH__KEYWORDS ash_randint_into_options;

typedef struct ash_shuffle_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t axis; /* whose slices change places; default 0 */
    ash_rng *rng;
} ASH__KEYWORDS ash_shuffle_options;

/* ---- generators: any thread may use one at any time, and then gets calls of its own */
/**
 * The generator that this thread uses for the current device. There is one for each device and thread (or ash_state). Its seed
 * is the system's until it is given another, or the thread has called ash_seed.
 *
 * @return  borrowed: it lives as long as the thread, and as those who retained it; NULL with ASH_ERR_MEMORY, ASH_ERR_DEVICE or
 *          ASH_ERR_IO (the system has no random numbers).
 */
ASH_API ash_rng *ash_default_rng(void);

/**
 * A generator of the program's own. Its seed is the system's until it is given another.
 *
 * @param kind  ASH_RNG_DEFAULT or ASH_RNG_SECOND.
 * @return      the caller's, ended by ash_rng_release; NULL with ASH_ERR_ARGUMENT, ASH_ERR_MEMORY or ASH_ERR_IO.
 */
ASH_API ash_rng *ash_rng_new(ash_rng_kind kind);

/**
 * One more reference.
 *
 * @param rng  borrowed; NULL is an argument error.
 * @return     rng.
 */
ASH_API ash_rng *ash_rng_retain(ash_rng *rng);

/**
 * Ends a reference.
 *
 * @param rng  NULL is fine.
 */
ASH_API void ash_rng_release(ash_rng *rng);

/**
 * Begins a stream: this seed, no calls yet.
 *
 * @param rng   written.
 * @param seed  any number; a negative one counts modulo 2^64.
 * @return      ASH_OK, or ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_status ash_rng_seed(ash_rng *rng, uint64_t seed);

/**
 * Which of the generators it is.
 *
 * @param rng  borrowed.
 * @return     its kind; 0 with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_rng_kind ash_rng_kind_of(const ash_rng *rng);

/**
 * Where a generator stands, to be saved.
 *
 * @param rng  borrowed.
 * @return     its seed and the number of its calls so far; zeros with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_rng_state ash_rng_state_of(const ash_rng *rng);

/**
 * Puts a generator where another one (of its kind) stood: it goes on as that one did.
 *
 * @param rng    written.
 * @param state  any numbers.
 * @return       ASH_OK, or ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_status ash_rng_set_state(ash_rng *rng, ash_rng_state state);

/**
 * Seeds all generators of this thread, for every device, those too that are yet to be made. Other threads' stay as they are,
 * and so do those of ash_rng_new.
 *
 * @param seed  as for ash_rng_seed.
 */
ASH_API void ash_seed(uint64_t seed);

/**
 * Gives each generator of this thread a seed, and a number of calls, from the system.
 *
 * @return  ASH_OK, or ASH_ERR_IO, and then nothing has changed.
 */
ASH_API ash_status ash_seed_random(void);

/* ---- arrays of numbers */
/**
 * Uniform numbers. Floats lie in (0, 1]: never 0, and 1 with a chance of about 2^-25 (f32) or 2^-54 (f64). f16 and bf16 are f32
 * numbers, rounded, which may give 0. Of integers and bools all bits are random. Complex numbers have two such parts, records
 * such fields, drawn one after the other.
 *
 * Shape   the one that is given.
 * Dtype   any; default f32.
 * Exact   the same bits everywhere.
 * Source  J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011.
 *
 * @param shape    each size from 0.
 * @param options  .dtype, .layout, .storage, .resources, .memory; .rng; .first, from 0 to 2^60 bytes.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_DTYPE (not on this device),
 *                 ASH_ERR_UNSUPPORTED (not by this generator), ASH_ERR_ARGUMENT, ASH_ERR_MEMORY or ASH_ERR_IO.
 */
ASH_API ash_array *ash_rand_opt(ash_dims shape, const ash_rand_options *options ASH__DEFAULT);

/**
 * Normal numbers with mean 0 and variance 1, always finite: at most 6.77 in f32 (9.5 in f64) from 0. The parts of complex ones
 * have variance 1/2 each.
 *
 * Shape   the one that is given.
 * Dtype   floats, complex numbers of floats, records of these; default f32.
 * Exact   the same bits everywhere; within 4 units in the last place of the exact function of the words.
 * Source  G. E. P. Box and M. E. Muller, Annals of Mathematical Statistics 29, 1958.
 *
 * @param shape    each size from 0.
 * @param options  as for ash_rand.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_rand, ASH_ERR_DTYPE for integers
 *                 too.
 */
ASH_API ash_array *ash_randn_opt(ash_dims shape, const ash_rand_options *options ASH__DEFAULT);

/**
 * Exponential numbers with mean 1: -log u. They are finite and greater than 0.
 *
 * Shape   the one that is given.
 * Dtype   floats, records of these; default f32.
 * Exact   the same bits everywhere; within 2 units in the last place of the exact function of the words.
 *
 * @param shape    each size from 0.
 * @param options  as for ash_rand.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_rand, ASH_ERR_DTYPE for other dtypes
 *                 too.
 */
ASH_API ash_array *ash_randexp_opt(ash_dims shape, const ash_rand_options *options ASH__DEFAULT);

/**
 * Integers from low to high - 1, or with .inclusive to high. Each has the same chance but for a relative error below 2^-32, or
 * 2^-64 where there are more than 2^32 of them.
 *
 * Shape   the one that is given.
 * Dtype   integers; default i64.
 * Exact   the same bits everywhere.
 *
 * @param low, high  integer scalars of any dtype. The dtype drawn has to hold what can be drawn.
 * @param shape      each size from 0.
 * @param options    as for ash_rand; .inclusive.
 * @return           a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE (an empty range, or one that the dtype
 *                   does not hold) or an error as from ash_rand.
 */
ASH_API ash_array *ash_randint_opt(const ash_operand *low, const ash_operand *high, ash_dims shape,
                                   const ash_randint_options *options ASH__DEFAULT);

/**
 * The same numbers into an array that is there, of any strides. Nothing around its elements is touched.
 *
 * @param a        written.
 * @param options  .rng, .first, .resources.
 * @return         ASH_OK, ASH_ERR_DTYPE (a cannot hold such numbers), ASH_ERR_UNSUPPORTED (not by this generator),
 *                 ASH_ERR_ARGUMENT (read-only), ASH_ERR_RELEASED, ASH_ERR_DEVICE, ASH_ERR_MEMORY or ASH_ERR_IO.
 */
ASH_API ash_status ash_rand_into_opt(ash_array *a, const ash_rand_into_options *options ASH__DEFAULT);
ASH_API ash_status ash_randn_into_opt(ash_array *a, const ash_rand_into_options *options ASH__DEFAULT);
ASH_API ash_status ash_randexp_into_opt(ash_array *a, const ash_rand_into_options *options ASH__DEFAULT);

/**
 * Integers in a range, as from ash_randint, into an array that is there.
 *
 * @param a          written.
 * @param low, high  integer scalars.
 * @param options    .inclusive, .rng, .first, .resources.
 * @return           as for ash_rand_into, and ASH_ERR_VALUE.
 */
ASH_API ash_status ash_randint_into_opt(ash_array *a, const ash_operand *low, const ash_operand *high,
                                        const ash_randint_into_options *options ASH__DEFAULT);

/* ---- one number */
/**
 * One number: what an array of shape () would hold. It counts as a call.
 *
 * @param rng  NULL: ash_default_rng().
 * @return     the number; NaN or 0 with an error as from ash_rand.
 */
ASH_API float ash_rand_f32(ash_rng *rng);
ASH_API double ash_rand_f64(ash_rng *rng);
ASH_API uint64_t ash_rand_u64(ash_rng *rng);
ASH_API float ash_randn_f32(ash_rng *rng);
ASH_API double ash_randn_f64(ash_rng *rng);
ASH_API float ash_randexp_f32(ash_rng *rng);
ASH_API double ash_randexp_f64(ash_rng *rng);

/**
 * One integer from low to high - 1: what ash_randint would give for shape (). It counts as a call.
 *
 * @param low, high  low < high.
 * @param rng        NULL: ash_default_rng().
 * @return           the number; 0 with ASH_ERR_VALUE or an error as from ash_rand.
 */
ASH_API int64_t ash_randint_i64(int64_t low, int64_t high, ash_rng *rng);

/* ---- order */
/**
 * The numbers 0 to n - 1 in random order: the stable order of n uniform u64.
 *
 * Shape   (n).
 * Dtype   i64.
 * Exact   the same everywhere.
 *
 * @param n        from 0.
 * @param options  as for ash_rand, but .first.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (n is negative), ASH_ERR_DTYPE (another one
 *                 is asked for) or an error as from ash_rand.
 */
ASH_API ash_array *ash_permutation_opt(int64_t n, const ash_rand_options *options ASH__DEFAULT);

/**
 * The slices of a along an axis in random order: a taken by ash_permutation.
 *
 * Shape   that of a.
 * Dtype   that of a, any.
 * Exact   elements are moved.
 *
 * @param a        borrowed; not of rank 0.
 * @param options  .axis, .rng, .resources.
 * @return         a new array like a, its scope's or the caller's; NULL with ASH_ERR_BOUNDS (the axis) or an error as from
 *                 ash_rand.
 */
ASH_API ash_array *ash_shuffle_opt(const ash_array *a, const ash_shuffle_options *options ASH__DEFAULT);

/**
 * The same into an array that is there, which may be a.
 *
 * @param out      of the dtype, shape and device of a; untouched when anything fails.
 * @param a        borrowed.
 * @param options  as for ash_shuffle.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE or an error as from ash_shuffle or ash_rand_into.
 */
ASH_API ash_status ash_shuffle_into_opt(ash_array *out, const ash_array *a, const ash_shuffle_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_rand(...) ASH__KW1(ash_rand_opt, ash_rand_options, __VA_ARGS__, ASH_SIZED(ash_rand_options))
#define ash_randn(...) ASH__KW1(ash_randn_opt, ash_rand_options, __VA_ARGS__, ASH_SIZED(ash_rand_options))
#define ash_randexp(...) ASH__KW1(ash_randexp_opt, ash_rand_options, __VA_ARGS__, ASH_SIZED(ash_rand_options))
#define ash_rand_into(...) ASH__KW1(ash_rand_into_opt, ash_rand_into_options, __VA_ARGS__, ASH_SIZED(ash_rand_into_options))
#define ash_randn_into(...) ASH__KW1(ash_randn_into_opt, ash_rand_into_options, __VA_ARGS__, ASH_SIZED(ash_rand_into_options))
#define ash_randexp_into(...) \
    ASH__KW1(ash_randexp_into_opt, ash_rand_into_options, __VA_ARGS__, ASH_SIZED(ash_rand_into_options))
#define ASH__RANDINT(low, high, shape, ...)                                                                              \
    ash_randint_opt((const ash_operand[]){ASH_OPERAND(low)}, (const ash_operand[]){ASH_OPERAND(high)}, shape,            \
                    &(ash_randint_options){__VA_ARGS__})
#define ash_randint(...) ASH__RANDINT(__VA_ARGS__, ASH_SIZED(ash_randint_options))
#define ASH__RANDINT_INTO(a, low, high, ...)                                                                             \
    ash_randint_into_opt(a, (const ash_operand[]){ASH_OPERAND(low)}, (const ash_operand[]){ASH_OPERAND(high)},           \
                         &(ash_randint_into_options){__VA_ARGS__})
#define ash_randint_into(...) ASH__RANDINT_INTO(__VA_ARGS__, ASH_SIZED(ash_randint_into_options))
#define ash_permutation(...) ASH__KW1(ash_permutation_opt, ash_rand_options, __VA_ARGS__, ASH_SIZED(ash_rand_options))
#define ash_shuffle(...) ASH__KW1(ash_shuffle_opt, ash_shuffle_options, __VA_ARGS__, ASH_SIZED(ash_shuffle_options))
#define ash_shuffle_into(...) \
    ASH__KW2(ash_shuffle_into_opt, ash_shuffle_options, __VA_ARGS__, ASH_SIZED(ash_shuffle_options))
#endif
#endif
