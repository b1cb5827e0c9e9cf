/*
 * kernel.c - user kernels: arguments of every kind, groups, local memory, atomics, random numbers, errors.
 *
 * Values are those of the definition, worked out by hand or by plain loops here, or, for random numbers, the known answers of
 * docs/random.md and what ash_rand and its like give.
 */
#include <complex.h>

#include "core/alloc.h"
#include "kernel_texts.h"
#include "kernel_unchecked.h"
#include "kernel_wrong.h"
#include "test.h"
#include "xorshift.h"

/* The same elements, wherever they are: read back and compared by the host. */
static bool same(const ash_array *a, const ash_array *b)
{
    if (!a || !b || ash_dtype_of(a) != ash_dtype_of(b) || !ash_same_shape(a, b))
        return false;
    const size_t nbytes = (size_t)ash_size(a) * ash_dtype_size(ash_dtype_of(a));
    char *const x = calloc(2, nbytes + 1), *const y = x + nbytes;
    CHECK_OK(ash_to_host(a, x, nbytes));
    CHECK_OK(ash_to_host(b, y, nbytes));
    const bool equal = memcmp(x, y, nbytes) == 0;
    free(x);
    return equal;
}

static ash_array *matrix(void)
{
    return ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2));
}

/* ---- arguments */

static void simple(void)
{
    ash_array *x = ash_f32(1, 2, 3), *y = ash_f32(10, 20, 30);
    CHECK_OK(ash_launch(saxpy, ASH_OPERANDS(x, y, 2.0f)));
    CHECK_FLOATS(y, 12, 24, 36);
    CHECK_OK(ash_launch(saxpy, ASH_OPERANDS(x, y, 2))); /* an int for a float, as in a call */
    CHECK_FLOATS(y, 14, 28, 42);
    CHECK_OK(ash_launch(saxpy, ASH_OPERANDS(x, y, -1.0), .global = ASH_SHAPE(2)));
    CHECK_FLOATS(y, 13, 26, 42);
    CHECK_FLOATS(x, 1, 2, 3);
}

/* Strides of every kind; nothing around the elements is touched. */
static void strided(void)
{
    ash_array *x = counting(0, ASH_F32, ASH_SHAPE(10), ASH_ROW_MAJOR), *y = ash_zeros(ASH_SHAPE(10));
    CHECK_OK(
        ash_launch(saxpy, ASH_OPERANDS(ash_slice(x, 1, ASH_OPEN, .step = 2), ash_slice(y, 9, ASH_OPEN, .step = -2), 1.0f)));
    CHECK_FLOATS(y, 0, 9, 0, 7, 0, 5, 0, 3, 0, 1);
    ash_array *z = ash_zeros(ASH_SHAPE(4));
    CHECK_OK(ash_launch(saxpy, ASH_OPERANDS(ash_broadcast_to(ash_f32(3), ASH_SHAPE(4)), z, 2.0f)));
    CHECK_FLOATS(z, 6, 6, 6, 6);
}

/* row 000-36: wrappers of all kinds are arguments */
static void row_000_36(void)
{
    ash_array *a = matrix(), *z = ash_empty(ASH_SHAPE(2, 2));
    CHECK_OK(ash_launch(plus_matrix, ASH_OPERANDS(a, ash_transpose(a), z)));
    CHECK_FLOATS(z, 2, 5, 5, 8);
    CHECK_OK(ash_launch(plus_matrix, ASH_OPERANDS(ash_permute(a, ASH_AXES(1, 0)), ash_reverse(a), z)));
    CHECK_FLOATS(z, 1 + 4, 3 + 3, 2 + 2, 4 + 1);
    ash_array *wide = counting(0, ASH_F32, ASH_SHAPE(3, 4), ASH_COL_MAJOR);
    CHECK_OK(
        ash_launch(plus_matrix, ASH_OPERANDS(ash_slice(ash_slice(wide, 1, 3), 0, 4, .axes = ASH_AXES(1), .step = 3), a, z)));
    CHECK_FLOATS(z, 4 + 1, 7 + 2, 8 + 3, 11 + 4);
    ash_array *c = ash_reshape(ash_c_f32(1 + 2 * I, 3, 4, 5 - 1 * I), ASH_SHAPE(2, 2));
    ash_array *d = ash_zeros(ASH_SHAPE(2, 2), .dtype = ASH_C_F32);
    CHECK_OK(ash_launch(plus_c, ASH_OPERANDS(ash_adjoint(c), d))); /* conjugated on load */
    CHECK_FLOATS(ash_map("real", d), 1, 4, 3, 5);
    CHECK_FLOATS(ash_map("imag", d), -2, 0, 0, 1);
    CHECK_OK(ash_launch(plus_c, ASH_OPERANDS(c, ash_adjoint(d)))); /* and on store: d^H + c, twice c */
    CHECK_FLOATS(ash_map("imag", d), -4, 0, 0, 2);
    CHECK_FLOATS(ash_map("imag", ash_adjoint(d)), 4, 0, 0, -2);
}

static void any_rank(void)
{
    ash_array *r3 = counting(0, ASH_I32, ASH_SHAPE(2, 2, 2), ASH_COL_MAJOR);
    ash_array *r4 = counting(0, ASH_I32, ASH_SHAPE(1, 2, 1, 3), ASH_ROW_MAJOR), *y = ash_zeros(ASH_SHAPE(), .dtype = ASH_I32);
    CHECK_OK(ash_launch(ranks, ASH_OPERANDS(ash_fill_new(ASH_SHAPE(), 5), r3, r4, y)));
    /* 1*1 + 2*10 + 3*11 + 4*100 + 5*101 + 6*110 + 7*111; 4; 6 elements; rank 4 */
    CHECK_INTS(y, 5 + 1 + 20 + 33 + 400 + 505 + 660 + 777 + 4 + 6000 + 40000);
    ash_array *deep = counting(0, ASH_F32, ASH_SHAPE(2, 1, 2, 1, 2, 3), ASH_COL_MAJOR), *flat = ash_zeros(ASH_SHAPE(24));
    CHECK_OK(ash_launch(copy_f32, ASH_OPERANDS(deep, flat)));
    for (int i = 0; i < 24; i++)
        CHECK(value_of(ash_slice(flat, i, i + 1)) == i);
}

static void every_dtype(void)
{
    const struct {
        ash_dtype dtype;
        const ash_kernel *copy;
    } all[] = {{ASH_BOOL, copy_bool}, {ASH_I8, copy_i8},   {ASH_I16, copy_i16},    {ASH_I32, copy_i32}, {ASH_I64, copy_i64},
               {ASH_U8, copy_u8},     {ASH_U16, copy_u16}, {ASH_U32, copy_u32},    {ASH_U64, copy_u64}, {ASH_F16, copy_f16},
               {ASH_BF16, copy_bf16}, {ASH_F32, copy_f32}, {ASH_C_F32, copy_c_f32}};
    static const bool truths[15] = {1, 0, 0, 1, 1, 1, 0, 1};
    for (int k = 0; k < COUNT(all); k++) {
        const bool truth = all[k].dtype == ASH_BOOL;
        ash_array *a = truth ? ash_from_host(truths, ASH_BOOL, ASH_SHAPE(3, 5))
                             : counting(0, all[k].dtype, ASH_SHAPE(3, 5), ASH_ROW_MAJOR);
        ash_array *b = ash_zeros(ASH_SHAPE(5, 3), .dtype = all[k].dtype, .layout = ASH_COL_MAJOR);
        CHECK_OK(ash_launch(all[k].copy, ASH_OPERANDS(ash_transpose(a), b)));
        CHECK(same(b, ash_transpose(a)));
    }
}

static void empty(void)
{
    ash_array *none = ash_empty(ASH_SHAPE(0)), *y = ash_f32(1);
    CHECK_OK(ash_launch(saxpy, ASH_OPERANDS(none, ash_empty(ASH_SHAPE(0)), 2.0f)));
    CHECK_OK(ash_launch(saxpy, ASH_OPERANDS(none, y, 2.0f), .global = ASH_SHAPE(0)));
    CHECK_FLOATS(y, 1);
    CHECK_OK(ash_launch(plus_matrix,
                        ASH_OPERANDS(ash_empty(ASH_SHAPE(0, 3)), ash_empty(ASH_SHAPE(0, 3)), ash_empty(ASH_SHAPE(0, 3)))));
}

/* row 000-29: a read waits for the work on the array */
static void row_000_29(void)
{
    if (here.storage == ASH_PRIVATE)
        return;
    ash_array *y = ash_f32(3, 1, 2);
    CHECK_OK(ash_launch(saxpy, ASH_OPERANDS(ash_ones(ASH_SHAPE(3)), y, 1.0f)));
    CHECK(ash_get_f32(y, 0) == 4.0f);
}

/* Dense arguments, then each of them strided. */
static void unchecked(void)
{
    for (int strided = -1; strided < 5; strided++) {
        ash_array *x = counting(0, ASH_F32, ASH_SHAPE(40), ASH_ROW_MAJOR), *z = ash_zeros(ASH_SHAPE(40), .dtype = ASH_C_F32);
        ash_array *count = ash_zeros(ASH_SHAPE(40), .dtype = ASH_I16), *y = ash_zeros(ASH_SHAPE(40));
        bool third[40] = {0};
        for (int i = 0; i < 40; i += 3)
            third[i] = true;
        ash_array *which = ash_from_host(third, ASH_BOOL, ASH_SHAPE(40));
        ash_fill(z, 1 + 5 * I);
        ash_array *argument[] = {x, which, z, count, y};
        for (int k = 0; k < 5; k++)
            argument[k] = ash_slice(argument[k], 0, k == strided ? 40 : 20, .step = k == strided ? 2 : 1);
        CHECK_OK(ash_launch(chosen, ASH_OPERANDS(argument[0], argument[1], argument[2], argument[3], argument[4], 2.0f)));
        float got[20];
        int16_t counted[20];
        CHECK_OK(ash_to_host(argument[4], got, sizeof got));
        CHECK_OK(ash_to_host(argument[3], counted, sizeof counted));
        for (int i = 0; i < 20; i++) {
            const bool hit = (strided == 1 ? 2 * i : i) % 3 == 0;
            CHECK(got[i] == (hit ? 2.0f * (float)(strided == 0 ? 2 * i : i) + 5 : 0) && counted[i] == hit);
        }
    }
    ash_array *x = counting(0, ASH_F32, ASH_SHAPE(16), ASH_ROW_MAJOR), *y = ash_zeros(ASH_SHAPE(16));
    CHECK_OK(ash_launch(neighbours, ASH_OPERANDS(x, y), .local = ASH_SHAPE(8)));
    CHECK_FLOATS(y, 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8);
    ash_launch(neighbours, ASH_OPERANDS(x, y));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel neighbours has a barrier; give the size of its groups as .local");
}

/* ---- groups */

static void groups(void)
{
    ash_array *y = ash_zeros(ASH_SHAPE(4, 6, 2), .dtype = ASH_I64);
    CHECK_OK(ash_launch(places, ASH_OPERANDS(y), .global = ASH_SHAPE(4, 6), .local = ASH_SHAPE(2, 3)));
    int64_t got[48];
    CHECK_OK(ash_to_host(y, got, sizeof got));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++) {
            CHECK(got[(i * 6 + j) * 2] == i % 2 * 100000 + j % 3 * 10000 + i / 2 * 1000 + j / 3 * 100 + 30 + 2);
            CHECK(got[(i * 6 + j) * 2 + 1] == 46);
        }
}

enum { MANY = 1000, GROUP = 64 };
static void reduction(void)
{
    const int64_t count = (MANY + GROUP - 1) / GROUP;
    ash_array *x = counting(1, ASH_F32, ASH_SHAPE(MANY), ASH_ROW_MAJOR), *sums = ash_zeros(ASH_SHAPE(count));
    CHECK_OK(ash_launch(sum_of_groups, ASH_OPERANDS(x, sums), .global = ASH_SHAPE(count * GROUP), .local = ASH_SHAPE(GROUP)));
    /* sums of whole numbers below 2^24 but the last ones: the tree adds pairs, so that here every sum is exact or as in f32 */
    for (int64_t g = 0; g < count; g++) {
        float part[GROUP];
        for (int64_t k = 0; k < GROUP; k++) {
            const float v = (float)(g * GROUP + k + 1);
            part[k] = g * GROUP + k < MANY ? v * v : 0;
        }
        for (int64_t half = GROUP / 2; half > 0; half /= 2)
            for (int64_t k = 0; k < half; k++)
                part[k] += part[k + half];
        CHECK((float)value_of(ash_slice(sums, g, g + 1)) == part[0]);
    }
}

static void tiles(void)
{
    ash_array *a = counting(0, ASH_I32, ASH_SHAPE(19, 37), ASH_ROW_MAJOR), *b = ash_zeros(ASH_SHAPE(37, 19), .dtype = ASH_I32);
    CHECK_OK(ash_launch(turn, ASH_OPERANDS(a, b), .global = ASH_SHAPE(24, 40), .local = ASH_SHAPE(8, 8)));
    CHECK(same(b, ash_transpose(a)));
}

/* ---- atomics */

static void counts_bytes(void)
{
    enum { BYTES = 20000 };
    static uint8_t byte[BYTES];
    int64_t want[256] = {0}, got[256];
    for (int i = 0; i < BYTES; i++) {
        byte[i] = (uint8_t)(next_random() & next_random());
        want[byte[i]]++;
    }
    ash_array *x = ash_from_host(byte, ASH_U8, ASH_SHAPE(BYTES)), *counts = ash_zeros(ASH_SHAPE(256), .dtype = ASH_U32);
    CHECK_OK(ash_launch(histogram, ASH_OPERANDS(x, counts), .global = ASH_SHAPE(1024), .local = ASH_SHAPE(128)));
    CHECK_OK(ash_to_host_as(counts, got, sizeof got, ASH_I64));
    for (int k = 0; k < 256; k++)
        CHECK(got[k] == want[k]);
}

static void each_atomic(void)
{
    ash_array *a = ash_i32(0, 0, 0, -1, 0), *b = ash_u32(UINT32_MAX, 0, UINT32_MAX, 0, UINT32_MAX), *f = ash_f32(0, 0);
    ash_array *once = ash_zeros(ASH_SHAPE(20), .dtype = ASH_I32);
    CHECK_OK(ash_launch(atomics, ASH_OPERANDS(a, b, f, once), .global = ASH_SHAPE(20)));
    const int64_t low = (1 << 20) - 1;
    CHECK_INTS(ash_slice(a, 0, 3), 190, -19, 19);
    CHECK_INTS(ash_slice(a, 4, 5), 9);
    CHECK_INTS(b, UINT32_MAX - low, low, UINT32_MAX - low, 0x80000013, 0x80000000);
    CHECK_FLOATS(f, 10, 7);
    int64_t got[20], swaps = 0;
    CHECK_OK(ash_to_host_as(once, got, sizeof got, ASH_I64));
    for (int i = 0; i < 20; i++)
        swaps += got[i];
    CHECK(swaps == 1);
}

static void atomics_of_64_bits(void)
{
    ash_array *a = ash_i64(0, 0), *b = ash_u64(0, 0);
    CHECK_OK(ash_launch(wide_atomics, ASH_OPERANDS(a, b), .global = ASH_SHAPE(20), .local = ASH_SHAPE(10)));
    CHECK_INTS(a, INT64_C(-760000000000), INT64_C(-76000000000));
    uint64_t got[2];
    CHECK_OK(ash_to_host(b, got, sizeof got));
    CHECK(got[0] == UINT64_C(0x8000000000000013) && got[1] == 20 * UINT64_C(0x100000001));
}

static void functions_and_rows(void)
{
    ash_array *x = ash_reshape(ash_f32(4, 4, 4, 0, 8, 20), ASH_SHAPE(2, 3)), *y = ash_zeros(ASH_SHAPE(2));
    CHECK_OK(ash_launch(rows, ASH_OPERANDS(x, y, true), .local = ASH_SHAPE(1)));
    CHECK_FLOATS(y, -2, -3);
    CHECK_OK(ash_launch(rows, ASH_OPERANDS(x, y, 0), .local = ASH_SHAPE(1)));
    CHECK_FLOATS(y, 2, 3);
    ash_launch(rows, ASH_OPERANDS(x, y, 2));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_launch: kernel rows: minus does not fit bool");
}

/* ---- random numbers */

/* row 000-47: the same numbers at both launches, others for each item, all in (0, 1] */
static void row_000_47(void)
{
    enum { ITEMS = 1000 };
    static float first[ITEMS][1], second[ITEMS][1], other[ITEMS][1];
    ash_array *y = ash_empty(ASH_SHAPE(ITEMS, 1));
    CHECK_OK(ash_launch(uniform_seeded, ASH_OPERANDS(y, 1), .global = ASH_SHAPE(ITEMS)));
    CHECK_OK(ash_to_host(y, first, sizeof first));
    CHECK_OK(ash_launch(uniform_seeded, ASH_OPERANDS(y, 1), .global = ASH_SHAPE(ITEMS)));
    CHECK_OK(ash_to_host(y, second, sizeof second));
    CHECK_OK(ash_launch(uniform_seeded, ASH_OPERANDS(y, 2), .global = ASH_SHAPE(ITEMS)));
    CHECK_OK(ash_to_host(y, other, sizeof other));
    CHECK(memcmp(first, second, sizeof first) == 0);
    CHECK(memcmp(first, other, sizeof first) != 0);
    for (int i = 0; i < ITEMS; i++) {
        CHECK(first[i][0] > 0 && first[i][0] <= 1);
        for (int k = 0; k < i; k++)
            CHECK(first[i][0] != first[k][0]);
    }
}

static void known_numbers(void)
{
    ash_array *y = ash_empty(ASH_SHAPE(2, 8));
    CHECK_OK(ash_launch(uniform_seeded, ASH_OPERANDS(y, 1), .global = ASH_SHAPE(2)));
    ash_seed(1); /* item k draws what elements 4k .. 4k + 3 of each call are */
    ash_array *want = ash_concat(ASH_ARRAYS(ash_rand(ASH_SHAPE(2, 4)), ash_rand(ASH_SHAPE(2, 4))), .axis = 1);
    CHECK(same(y, want));
    float got[2][8];
    CHECK_OK(ash_to_host(y, got, sizeof got));
    CHECK(got[0][0] == 0.67199826f && got[0][3] == 0.6561032f && got[0][4] == 0.23174448f);
}

static void all_draws(void)
{
    enum { ITEMS = 200 };
    ash_array *normal = ash_empty(ASH_SHAPE(ITEMS, 4)), *exponential = ash_empty(ASH_SHAPE(ITEMS, 4));
    ash_array *bits = ash_empty(ASH_SHAPE(ITEMS), .dtype = ASH_U64), *ranged = ash_empty(ASH_SHAPE(ITEMS, 3), .dtype = ASH_I64);
    CHECK_OK(ash_launch(draws, ASH_OPERANDS(normal, exponential, bits, ranged), .global = ASH_SHAPE(ITEMS)));
    ash_seed(1);
    CHECK(same(normal, ash_randn(ASH_SHAPE(ITEMS, 4))));
    ash_seed(1);
    CHECK(same(exponential, ash_randexp(ASH_SHAPE(ITEMS, 4))));
    ash_seed(1);
    ash_array *words = ash_rand(ASH_SHAPE(ITEMS, 2), .dtype = ASH_U64);
    CHECK(same(bits, ash_view(words, ASH_ALL, 0)));
    ash_seed(1);
    ash_array *dice = ash_randint(1, 7, ASH_SHAPE(ITEMS, 2));
    CHECK(same(ash_view(ranged, ASH_ALL, 0), ash_view(dice, ASH_ALL, 0)));
    ash_seed(1);
    ash_array *around = ash_randint(-5, 6, ASH_SHAPE(ITEMS, 2));
    CHECK(same(ash_view(ranged, ASH_ALL, 1), ash_view(around, ASH_ALL, 1)));
    ash_seed(1);
    ash_array *far = ash_randint(INT64_C(-4000000000000000000), INT64_C(4000000000000000000), ASH_SHAPE(ITEMS));
    CHECK(same(ash_view(ranged, ASH_ALL, 2), far));
}

static void draws_of_f64(void)
{
    enum { ITEMS = 200 };
    ash_array *uniform = ash_empty(ASH_SHAPE(ITEMS, 2), .dtype = ASH_F64), *normal = ash_like(uniform);
    ash_array *exponential = ash_empty(ASH_SHAPE(ITEMS), .dtype = ASH_F64);
    CHECK_OK(ash_launch(draws_f64, ASH_OPERANDS(uniform, normal, exponential, 0.0f), .global = ASH_SHAPE(ITEMS)));
    ash_seed(1);
    CHECK(same(uniform, ash_rand(ASH_SHAPE(ITEMS, 2), .dtype = ASH_F64)));
    ash_seed(1);
    CHECK(same(normal, ash_randn(ASH_SHAPE(ITEMS, 2), .dtype = ASH_F64)));
    ash_seed(1);
    CHECK(same(exponential, ash_view(ash_randexp(ASH_SHAPE(ITEMS, 2), .dtype = ASH_F64), ASH_ALL, 0)));
    ash_array *z = ash_c_f64(1 + 2 * I, 3 - 4 * I), *w = ash_like(z);
    CHECK_OK(ash_launch(conjugated_f64, ASH_OPERANDS(ash_view(ash_adjoint(ash_reshape(z, ASH_SHAPE(1, 2))), ASH_ALL, 0), w)));
    CHECK_FLOATS(ash_map("real", w), -2, 4);
    CHECK_FLOATS(ash_map("imag", w), 1, 3);
}

/* Without a seed in the kernel: from the thread's generator, by one ash_rand_u64; an empty launch takes none. */
static void seeded_by_the_launch(void)
{
    ash_array *y = ash_empty(ASH_SHAPE(50)), *z = ash_empty(ASH_SHAPE(50)), *want = ash_empty(ASH_SHAPE(50, 1));
    ash_seed(7);
    CHECK_OK(ash_launch(uniform_of_launch, ASH_OPERANDS(y)));
    CHECK_OK(ash_launch(uniform_of_launch, ASH_OPERANDS(y), .global = ASH_SHAPE(0)));
    CHECK_OK(ash_launch(uniform_of_launch, ASH_OPERANDS(z)));
    CHECK(!same(y, z));
    ash_seed(7);
    const uint64_t first = ash_rand_u64(NULL);
    CHECK_OK(ash_launch(uniform_seeded, ASH_OPERANDS(want, first), .global = ASH_SHAPE(50)));
    CHECK(same(y, ash_view(want, ASH_ALL, 0)));
    ash_rng *rng = ash_rng_new(ASH_RNG_DEFAULT);
    CHECK_OK(ash_rng_seed(rng, 7));
    CHECK_OK(ash_launch(uniform_of_launch, ASH_OPERANDS(z), .rng = rng));
    CHECK(same(y, z));
    ash_rng_release(rng);
}

/* ---- errors */

static void refused(void)
{
    ash_array *x = ash_f32(1, 2, 3), *y = ash_f32(1, 2, 3), *i = ash_i32(1, 2, 3);
    ash_launch(saxpy, ASH_OPERANDS(x, y));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel saxpy has 3 arguments, not 2");
    ash_launch(saxpy, ASH_OPERANDS(x, i, 1.0f));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_launch: kernel saxpy: y has dtype i32; it is declared f32");
    ash_launch(saxpy, ASH_OPERANDS(matrix(), y, 1.0f));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_launch: kernel saxpy: x has shape (2, 2); it is declared with rank 1");
    ash_launch(saxpy, ASH_OPERANDS(1.0f, y, 1.0f));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel saxpy: x is a scalar; an array is declared");
    ash_launch(saxpy, ASH_OPERANDS(x, y, x));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel saxpy: a is an array; a scalar is declared");
    ash_launch(saxpy, ASH_OPERANDS(x, y, 1.0f * I));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_launch: kernel saxpy: a is c_f32; it is declared f32, and takes no c_f32 without a cast");
    ash_launch(saxpy, ASH_OPERANDS(x, y, 1e300));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_launch: kernel saxpy: a does not fit f32");
    ash_launch(uniform_seeded, ASH_OPERANDS(matrix(), -1));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_launch: kernel uniform_seeded: seed does not fit u64");
    ash_launch(saxpy, ASH_OPERANDS(x, ash_broadcast_to(ash_f32(1), ASH_SHAPE(3)), 1.0f));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel saxpy: y is read-only");
    ash_launch(saxpy, ASH_OPERANDS(x, x, 1.0f));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel saxpy: y, which is written, shares memory with x; pass a copy of one, or "
                                  ".overlap = true if the kernel may do that");
    ash_launch(saxpy, ASH_OPERANDS((ash_array *)NULL, y, 1.0f));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel saxpy: x is NULL");
    CHECK(ash_launch_opt(NULL, (ash_operands){0}, NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel is NULL");
    ash_launch(saxpy, ASH_OPERANDS(x, y, 1.0f), .global = ASH_SHAPE(1, 1, 1, 1));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_launch: kernel saxpy: .global has 4 axes; 3 are the most");
    ash_launch(saxpy, ASH_OPERANDS(x, y, 1.0f), .global = ASH_SHAPE(-1));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_launch: ");
    ash_launch(saxpy, ASH_OPERANDS(x, y, 1.0f), .local = ASH_SHAPE(2));
    CHECK_ERROR(ASH_ERR_SHAPE,
                "ash_launch: kernel saxpy: .local (2) does not divide .global (3); take more work-items, and let "
                "those that are too many do nothing");
    ash_launch(saxpy, ASH_OPERANDS(x, y, 1.0f), .local = ASH_SHAPE(1, 3));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_launch: kernel saxpy: .local is (1, 3) for work-items (3); as many axes are wanted");
    ash_launch(saxpy, ASH_OPERANDS(x, y, 1.0f), .global = ASH_SHAPE(2048), .local = ASH_SHAPE(2048));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_launch: kernel saxpy: a group of (2048) has 2048 work-items; 1 to 1024 are possible");
    CHECK_FLOATS(y, 1, 2, 3);
    CHECK_OK(ash_launch(saxpy, ASH_OPERANDS(x, x, 1.0f), .overlap = true));
    CHECK_FLOATS(x, 2, 4, 6);
}

static void on_another_device(void **state)
{
    (void)state;
    ash_array *x = ash_f32(1, 2, 3);
    ash_resources *weak = ash_resources_new("cpu:0?f64=off");
    ash_array *y = ash_zeros(ASH_SHAPE(3), .resources = weak);
    ash_launch(saxpy, ASH_OPERANDS(x, y, 1.0f));
    CHECK_ERROR(ASH_ERR_DEVICE, "ash_launch: kernel saxpy: y is on cpu:0?f64=off, but the array before it is on cpu:0");
    ash_release(y);
    ash_release(x);
    ash_resources_release(weak);
}

static void out_of_bounds(void)
{
    ash_array *x = ash_f32(1, 2, 3), *y = ash_zeros(ASH_SHAPE(3));
    CHECK(ash_launch(one_too_far, ASH_OPERANDS(x, y)) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_launch: kernel one_too_far: index 3 is out of bounds for axis 0 of x, of size 3");
    ash_launch(copy_f32, ASH_OPERANDS(x, ash_zeros(ASH_SHAPE(4))), .global = ASH_SHAPE(4));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_launch: kernel copy_f32: element 3 is out of bounds for x, which has 3");
    ash_launch(too_few_indices, ASH_OPERANDS(matrix(), y));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_launch: kernel too_few_indices: x has rank 2, but the kernel gives it 1 index");
}

/* The first index in the order of the groups, for any number of threads. */
static void first_fault(void **state)
{
    (void)state;
    enum { LARGE = 200000 };
    ash_array *x = ash_zeros(ASH_SHAPE(1000)), *y = ash_zeros(ASH_SHAPE(LARGE));
    for (int threads = 1; threads <= 3; threads++) {
        CHECK_OK(ash_set_threads(threads));
        ash_launch(one_too_far, ASH_OPERANDS(x, y));
        CHECK_ERROR(ASH_ERR_BOUNDS,
                    "ash_launch: kernel one_too_far: index 1000 is out of bounds for axis 0 of x, of size 1000");
    }
    CHECK_OK(ash_set_threads(0));
    ash_release(y);
    ash_release(x);
}

/* A barrier where the library chose the groups. */
static void no_groups(void)
{
    ash_array *x = ash_ones(ASH_SHAPE(64)), *y = ash_zeros(ASH_SHAPE(64));
    ash_launch(sum_of_groups, ASH_OPERANDS(x, y));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel sum_of_groups has a barrier; give the size of its groups as .local");
}

/* The words are the driver's; the file and the line are the user's. */
static void compile_errors(void)
{
    ash_array *y = ash_zeros(ASH_SHAPE(2));
    const ash_status status = ash_launch(wrong_on_a_device, ASH_OPERANDS(y));
    if (strncmp(here.device, "cpu", 3) == 0) {
        CHECK_ALL(y, 1);
        return;
    }
    CHECK(status == ASH_ERR_DEVICE);
    CHECK_ERROR_HAS(ASH_ERR_DEVICE, strncmp(here.device, "cuda", 4) == 0 ? "kernel_wrong.h(11): error" : "kernel_wrong.h:7:");
}

/* What the device lacks. */
static void without_f64(void)
{
    if (here_has_f64())
        return;
    ash_array *y = ash_zeros(ASH_SHAPE(2, 2));
    ash_launch(uniform_seeded, ASH_OPERANDS(y, 1.0));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "kernel uniform_seeded: seed is f64; it is declared u64, and takes no f64 without a cast");
}

/* What only the CPU sees. */
static void barriers_that_go_wrong(void **state)
{
    (void)state;
    ash_array *y = ash_zeros(ASH_SHAPE(6));
    ash_launch(only_some_wait, ASH_OPERANDS(y), .local = ASH_SHAPE(6));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel only_some_wait: not every work-item of a group reached the barrier");
    CHECK_FLOATS(y, 1, 1, 1, 1, 1, 1);
    CHECK_OK(ash_launch(only_some_wait, ASH_OPERANDS(y), .local = ASH_SHAPE(3))); /* all of a group, or none */
    ash_launch(only_some_wait, ASH_OPERANDS(y));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_launch: kernel only_some_wait has a barrier; give the size of its groups as .local");
    ash_release(y);
}

/* Many groups on several threads, each with as many items as there can be. */
static void many_groups(void **state)
{
    (void)state;
    enum { LARGE = 100 * GROUP };
    CHECK_OK(ash_set_threads(4));
    ash_array *x = ash_ones(ASH_SHAPE(LARGE)), *sums = ash_zeros(ASH_SHAPE(LARGE / GROUP));
    for (int round = 0; round < 20 / SLOW + 1; round++) {
        CHECK_OK(ash_launch(sum_of_groups, ASH_OPERANDS(x, sums), .global = ASH_SHAPE(LARGE), .local = ASH_SHAPE(GROUP)));
        CHECK_ALL(sums, GROUP);
    }
    ash_array *byte = ash_zeros(ASH_SHAPE(100000), .dtype = ASH_U8), *counts = ash_zeros(ASH_SHAPE(256), .dtype = ASH_U32);
    CHECK_OK(ash_launch(histogram, ASH_OPERANDS(byte, counts), .global = ASH_SHAPE(8 * 1024), .local = ASH_SHAPE(1024)));
    ash_array *all = ash_sum(counts);
    CHECK(value_of(all) == 100000);
    ash_release(all);
    CHECK_OK(ash_set_threads(0));
    ash_release(counts);
    ash_release(byte);
    ash_release(sums);
    ash_release(x);
}

EVERYWHERE(simple_kernels, simple)
EVERYWHERE(strided_arguments, strided)
EVERYWHERE(row_000_36_wrappers, row_000_36)
EVERYWHERE(ranks_0_to_6, any_rank)
EVERYWHERE(every_dtype_is_copied, every_dtype)
EVERYWHERE(empty_launches, empty)
EVERYWHERE(row_000_29_read, row_000_29)
EVERYWHERE(kernels_without_checks, unchecked)
EVERYWHERE(groups_and_places, groups)
EVERYWHERE(sums_in_local_memory, reduction)
EVERYWHERE(tiles_in_local_memory, tiles)
EVERYWHERE(histogram_of_bytes, counts_bytes)
EVERYWHERE(atomics_of_each_kind, each_atomic)
EVERYWHERE(atomics_64, atomics_of_64_bits)
EVERYWHERE(functions_tables_rows, functions_and_rows)
EVERYWHERE(barriers_without_groups, no_groups)
EVERYWHERE(errors_of_compilers, compile_errors)
EVERYWHERE(what_devices_lack, without_f64)
EVERYWHERE(row_000_47_random, row_000_47)
static void draws_in_f64(void **state)
{
    (void)state;
    everywhere(draws_of_f64, true);
}
EVERYWHERE(known_random_numbers, known_numbers)
EVERYWHERE(draws_of_every_kind, all_draws)
EVERYWHERE(seeds_of_launches, seeded_by_the_launch)
EVERYWHERE(what_is_refused, refused)
EVERYWHERE(indices_out_of_bounds, out_of_bounds)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(simple_kernels),
        TEST(strided_arguments),
        TEST(row_000_36_wrappers),
        TEST(ranks_0_to_6),
        TEST(every_dtype_is_copied),
        TEST(empty_launches),
        TEST(row_000_29_read),
        TEST(groups_and_places),
        TEST(kernels_without_checks),
        TEST(sums_in_local_memory),
        TEST(tiles_in_local_memory),
        TEST(histogram_of_bytes),
        TEST(atomics_of_each_kind),
        TEST(row_000_47_random),
        TEST(known_random_numbers),
        TEST(draws_of_every_kind),
        TEST(seeds_of_launches),
        TEST(what_is_refused),
        TEST(indices_out_of_bounds),
        TEST(on_another_device),
        TEST(first_fault),
        TEST(atomics_64),
        TEST(functions_tables_rows),
        TEST(barriers_without_groups),
        TEST(errors_of_compilers),
        TEST(what_devices_lack),
        TEST(draws_in_f64),
        TEST(barriers_that_go_wrong),
        TEST(many_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
