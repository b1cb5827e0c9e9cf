/*
 * fold_kernels.c - the vector loops of folds, on every level this processor has.
 *
 * Expected values: for integers, bits and extremes a loop of one element at a time that follows the definition; for floats
 * integers small enough that every order of adding them is exact, error bounds against long double, and a literal
 * transcription of the documented order (128 lanes, then halves) whose bits all levels have to give.
 */
#include "fold_reference.h"

enum { MOST = ASH__FOLD_BLOCK, LEVELS = 4 };

static const ash__fold_table *levels[LEVELS];
static int level_count;

static int64_t lengths[] = {1,   2,   3,   4,   5,   7,   8,    9,    15,   16,   17,   31,   32,
                            33,  63,  64,  65,  100, 127, 128,  129,  130,  191,  192,  193,  255,
                            256, 257, 300, 383, 384, 385, 1000, 1023, 1024, 1025, 4000, 4095, 4096};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/* ---- data */

/* Chance bits; floats: small integers (sums exact), powers of two by signs (products exact), or anything. */
enum { EXACT, ANY, SPECIAL };
static void fill(ash__fold fold, ash_dtype t, char *a, int64_t n, int how)
{
    const size_t size = ash_dtype_size(t);
    for (int64_t i = 0; i < n; i++, a += size) {
        const uint64_t r = bits_of_chance();
        double x = (double)(int64_t)(r >> 20 & 0xffff) / 7919 - 4;
        if (how == EXACT)
            x = fold == ASH__FOLD_PROD ? (r & 1 ? -1.0 : 1.0) * (r & 0x700 ? 1.0
                                                                 : r & 2   ? 2.0
                                                                           : 0.5)
                                       : (double)(int)(r >> 40 & 15) - 7;
        if (how == SPECIAL && (r >> 30) % 17 == 0)
            x = (double[]){
                0.0, -0.0, (double)INFINITY, -(double)INFINITY, (double)NAN, -(double)NAN, 0x1p-140, -0x1p-140}[r & 7];
        if (how == SPECIAL && x == 0x1p-140 && (r >> 11 & 1))
            x = -0.0;
        if (t >= ASH_F32)
            set_double(t, a, x);
        else if (t == ASH_BOOL)
            *a = (char)(fold == ASH__FOLD_AND ? (r & 1023) != 0 : fold == ASH__FOLD_OR ? (r & 1023) == 0 : r & 1);
        else
            memcpy(a, &r, size);
    }
}

static void check(ash__fold fold, ash_dtype t, const char *what, int level, int64_t n, const void *got, const void *want)
{
    if (!same(t, got, want))
        fail_msg("%s, fold %d, %s, level %d, n = %lld: %.17g, wanted %.17g", what, fold, ash_dtype_name(t), level + 1,
                 (long long)n, t >= ASH_F32 ? as_double(t, got) : (double)as_signed(t, got),
                 t >= ASH_F32 ? as_double(t, want) : (double)as_signed(t, want));
}

/* data at an address that is aligned to the element alone */
static char *place(ash_dtype t, int64_t n, void **block)
{
    *block = malloc((size_t)n * ash_dtype_size(t) + 128);
    assert_non_null(*block);
    return (char *)(((uintptr_t)*block + 63) & ~(uintptr_t)63) + ash_dtype_size(t);
}

static bool has(ash__fold fold, ash_dtype t)
{
    return levels[0]->blocks->fold[fold][t] != NULL;
}

/* ---- tests */

static void every_fold_has_its_types(void **unused)
{
    (void)unused;
    for (int l = 0; l < level_count; l++)
        for (int k = 0; k < TYPES; k++)
            for (ash__fold fold = ASH__FOLD_SUM; fold <= ASH__FOLD_XOR; fold++) {
                const ash_dtype t = machine_types[k];
                const bool wanted = fold == ASH__FOLD_MIN || fold == ASH__FOLD_MAX ? true
                                    : fold >= ASH__FOLD_AND                        ? t < ASH_F32
                                                                                   : t != ASH_BOOL;
                assert_int_equal(wanted, levels[l]->blocks->fold[fold][t] != NULL);
                assert_int_equal(wanted, levels[l]->rows->fold[fold][t] != NULL);
                assert_int_equal(wanted, levels[l]->columns->fold[fold][t] != NULL);
                assert_int_equal(wanted, levels[l]->scans->scan[fold][t] != NULL);
                assert_int_equal(wanted, levels[l]->scans->columns[fold][t] != NULL);
            }
}

static void blocks_are_exact_where_order_is_nothing(void **unused)
{
    (void)unused;
    for (int k = 0; k < TYPES; k++)
        for (ash__fold fold = ASH__FOLD_SUM; fold <= ASH__FOLD_XOR; fold++) {
            const ash_dtype t = machine_types[k];
            const bool extreme = fold == ASH__FOLD_MIN || fold == ASH__FOLD_MAX;
            void *block;
            char *const a = place(t, MOST, &block);
            for (int i = 0; i < LENGTHS && has(fold, t); i++) {
                ash__scalar want = {.bits = 0}, got;
                fill(fold, t, a, lengths[i], extreme ? SPECIAL : EXACT);
                memcpy(&want, a, ash_dtype_size(t));
                for (int64_t j = 1; j < lengths[i]; j++)
                    define(fold, t, &want, a + (size_t)j * ash_dtype_size(t));
                for (int l = 0; l < level_count; l++) {
                    levels[l]->blocks->fold[fold][t](&got, a, lengths[i]);
                    check(fold, t, "block", l, lengths[i], &got, &want);
                }
            }
            free(block);
        }
}

/* The documented order: element i to lane i mod 128; lanes j and j + 64, then j + 32 ... */
static void order(ash__fold fold, ash_dtype t, void *d, const char *a, int64_t n)
{
    const size_t size = ash_dtype_size(t);
    char lane[ASH__LANES][8];
    for (int64_t i = 0; i < n; i++)
        if (i < ASH__LANES)
            memcpy(lane[i], a + (size_t)i * size, size);
        else
            define(fold, t, lane[i % ASH__LANES], a + (size_t)i * size);
    int64_t filled = n < ASH__LANES ? n : ASH__LANES;
    for (int64_t h = ASH__LANES / 2; h > 0; h /= 2) {
        for (int64_t j = 0; j + h < filled && j < h; j++)
            define(fold, t, lane[j], lane[j + h]);
        filled = filled < h ? filled : h;
    }
    memcpy(d, lane[0], size);
}

/* Sums and products of f32 through f64 are rounded twice, which gives the same number: 53 >= 2*24 + 2. */
static void floats_follow_the_documented_order(void **unused)
{
    (void)unused;
    for (int f32 = 0; f32 < 2; f32++)
        for (ash__fold fold = ASH__FOLD_SUM; fold <= ASH__FOLD_PROD; fold++) {
            const ash_dtype t = f32 ? ASH_F32 : ASH_F64;
            void *block;
            char *const a = place(t, MOST, &block);
            for (int64_t n = 1; n <= 4096; n = n < 300 ? n + 1 : n == 300 ? 4090 : n + 1) {
                ash__scalar want, got;
                fill(fold, t, a, n, ANY);
                order(fold, t, &want, a, n);
                for (int l = 0; l < level_count; l++) {
                    levels[l]->blocks->fold[fold][t](&got, a, n);
                    check(fold, t, "order", l, n, &got, &want);
                }
            }
            free(block);
        }
}

static void sums_keep_their_error_bound(void **unused)
{
    (void)unused;
    static float a[MOST];
    for (int round = 0; round < 20; round++) {
        long double exact = 0, magnitude = 0;
        float got;
        fill(ASH__FOLD_SUM, ASH_F32, (char *)a, MOST, ANY);
        for (int i = 0; i < MOST; i++) {
            exact += (long double)a[i];
            magnitude += fabsl((long double)a[i]);
        }
        levels[0]->blocks->fold[ASH__FOLD_SUM][ASH_F32](&got, a, MOST);
        assert_true(fabsl((long double)got - exact) <= 38 * 0x1p-24L * magnitude); /* 31 in a lane, 7 halves */
    }
}

static void lone_negative_zero_stays(void **unused)
{
    (void)unused;
    for (int l = 0; l < level_count; l++)
        for (int64_t n = 1; n <= 300; n++) {
            double a[300], got = 1;
            for (int64_t i = 0; i < n; i++)
                a[i] = -0.0;
            levels[l]->blocks->fold[ASH__FOLD_SUM][ASH_F64](&got, a, n);
            assert_true(got == 0 && signbit(got));
            if (n <= ASH__LANES) {
                levels[l]->rows->fold[ASH__FOLD_SUM][ASH_F64](&got, a, n, 1);
                assert_true(got == 0 && signbit(got));
            }
        }
}

static void rows_have_the_bits_of_blocks(void **unused)
{
    (void)unused;
    for (int k = 0; k < TYPES; k++)
        for (ash__fold fold = ASH__FOLD_SUM; fold <= ASH__FOLD_XOR; fold++) {
            const ash_dtype t = machine_types[k];
            const size_t size = ash_dtype_size(t);
            for (int64_t length = 1; length <= ASH__LANES && has(fold, t); length += length < 34 ? 1 : 7) {
                for (int64_t n = 1; n <= 67; n += n < 18 ? 3 : 16) {
                    char *const a = malloc((size_t)(length * n) * size), want[8],
                                got[67 * 8 + 8]; /* exact: reading past it is found */
                    fill(fold, t, a, length * n, k % 2 ? SPECIAL : ANY);
                    for (int l = 0; l < level_count; l++) {
                        memset(got, 0x5a, sizeof got);
                        levels[l]->rows->fold[fold][t](got, a, length, n);
                        for (int64_t j = 0; j < n; j++) {
                            levels[0]->blocks->fold[fold][t](want, a + (size_t)(j * length) * size, length);
                            check(fold, t, "rows", l, length, got + (size_t)j * size, want);
                        }
                        assert_int_equal(got[(size_t)n * size], 0x5a);
                    }
                    free(a);
                }
            }
        }
}

static void columns_go_in_order(void **unused)
{
    (void)unused;
    for (int k = 0; k < TYPES; k++)
        for (ash__fold fold = ASH__FOLD_SUM; fold <= ASH__FOLD_XOR; fold++) {
            const ash_dtype t = machine_types[k];
            const size_t size = ash_dtype_size(t);
            for (int64_t width = 1; width <= 70 && has(fold, t); width += width < 20 ? 3 : 23)
                for (int64_t rows = 0; rows <= 10; rows++) {
                    char a[70 * 10 * 8], want[70 * 8], got[70 * 8], before[70 * 8];
                    fill(fold, t, a, width * rows, SPECIAL);
                    fill(fold, t, before, width, SPECIAL);
                    memcpy(want, before, sizeof want);
                    for (int64_t i = 0; i < rows * width; i++)
                        define(fold, t, want + (size_t)(i % width) * size, a + (size_t)i * size);
                    for (int l = 0; l < level_count; l++) {
                        memcpy(got, before, sizeof got);
                        levels[l]->columns->fold[fold][t](got, a, rows, width);
                        for (int64_t j = 0; j < width; j++)
                            check(fold, t, "columns", l, rows, got + (size_t)j * size, want + (size_t)j * size);
                    }
                }
        }
}

static void first_finds_bits_and_nans(void **unused)
{
    (void)unused;
    static double a[300];
    static int8_t b[300];
    for (int l = 0; l < level_count; l++)
        for (int64_t n = 1; n <= 300; n += 13)
            for (int64_t at = 0; at < n; at += 5) {
                const double nan = (double)NAN, minus = -0.0, plus = 0.0, absent = 3;
                const int8_t value = -7;
                for (int64_t i = 0; i < n; i++)
                    a[i] = i > at ? -(double)NAN : 0.0, b[i] = i > at ? -7 : 0;
                assert_int_equal(levels[l]->blocks->first[ASH_F64](a, &nan, n), at + 1 < n ? at + 1 : n);
                assert_int_equal(levels[l]->blocks->first[ASH_I8](b, &value, n), at + 1 < n ? at + 1 : n);
                assert_int_equal(levels[l]->blocks->first[ASH_F64](a, &minus, n), n);
                assert_int_equal(levels[l]->blocks->first[ASH_F64](a, &plus, n), 0);
                assert_int_equal(levels[l]->blocks->first[ASH_F64](a, &absent, n), n);
                a[at] = -0.0;
                assert_int_equal(levels[l]->blocks->first[ASH_F64](a, &minus, n), at);
            }
}

static void deviations_are_accurate(void **unused)
{
    (void)unused;
    static float a[MOST];
    static double b[MOST];
    for (int i = 0; i < LENGTHS; i++) {
        const int64_t n = lengths[i];
        long double s = 0, q = 0;
        double reference[2] = {0, 0}, got[2];
        for (int64_t j = 0; j < n; j++) {
            a[j] = 1000 + (float)(bits_of_chance() >> 44) * 0x1p-20f;
            b[j] = (double)a[j];
            s += (long double)a[j] - 1000.5L;
            q += ((long double)a[j] - 1000.5L) * ((long double)a[j] - 1000.5L);
        }
        for (int l = 0; l < level_count; l++) {
            levels[l]->deviations->block[ASH_F32](got, a, 1000.5, n);
            assert_true(fabsl((long double)got[0] - s) <= 40 * 0x1p-24L * 0.5L * (long double)n);
            assert_true(fabsl((long double)got[1] - q) <= 40 * 0x1p-24L * q + 0x1p-60L);
            if (l == 0)
                memcpy(reference, got, sizeof got);
            assert_memory_equal(reference, got, sizeof got);
            levels[l]->deviations->block[ASH_F64](got, b, 1000.5, n);
            assert_true(fabsl((long double)got[1] - q) <= 40 * 0x1p-53L * q + 0x1p-90L);
        }
    }
}

static void scans_are_exact_where_order_is_nothing(void **unused)
{
    (void)unused;
    for (int k = 0; k < TYPES; k++)
        for (ash__fold fold = ASH__FOLD_SUM; fold <= ASH__FOLD_XOR; fold++) {
            const ash_dtype t = machine_types[k];
            const size_t size = ash_dtype_size(t);
            const bool extreme = fold == ASH__FOLD_MIN || fold == ASH__FOLD_MAX;
            void *block, *out_block;
            char *const a = place(t, MOST, &block), *const got = place(t, MOST, &out_block), want[8], sum[8], carry[8],
                        total[8];
            for (int i = 0; i < LENGTHS && has(fold, t); i++) {
                fill(fold, t, a, lengths[i], extreme ? SPECIAL : EXACT);
                fill(fold, t, carry, 1, EXACT);
                const bool wide = fold == ASH__FOLD_SUM && t == ASH_F32; /* carried in f64 */
                const double carried = wide ? as_double(t, carry) : 0;
                for (int l = 0; l < level_count; l++) {
                    memcpy(got, a, (size_t)lengths[i] * size);
                    levels[l]->scans->scan[fold][t](got, l % 2 ? got : a, wide ? (const void *)&carried : carry, total,
                                                    lengths[i]);
                    if (wide)
                        set_double(t, total, as_double(ASH_F64, total));
                    memcpy(want, carry, size);
                    memcpy(sum, a, size);
                    for (int64_t j = 0; j < lengths[i]; j++) {
                        define(fold, t, want, a + (size_t)j * size);
                        if (j)
                            define(fold, t, sum, a + (size_t)j * size);
                        check(fold, t, "scan", l, j, got + (size_t)j * size, want);
                    }
                    check(fold, t, "scan's total", l, lengths[i], total, sum);
                }
            }
            free(block);
            free(out_block);
        }
}

static void scans_of_floats_have_the_same_bits_everywhere(void **unused)
{
    (void)unused;
    for (int f32 = 0; f32 < 2; f32++)
        for (ash__fold fold = ASH__FOLD_SUM; fold <= ASH__FOLD_PROD; fold++) {
            const ash_dtype t = f32 ? ASH_F32 : ASH_F64;
            const size_t size = ash_dtype_size(t);
            static double a[MOST], first[MOST], got[MOST];
            for (int64_t n = 1; n <= MOST; n = n < 300 ? n + 1 : n == 300 ? 4000 : n + 32) {
                ash__scalar total[2] = {{.bits = 0}, {.bits = 0}}, alone = {.bits = 0};
                const double one = 1.25;
                char carry[8];
                set_double(fold == ASH__FOLD_SUM ? ASH_F64 : t, carry, one);
                fill(fold, t, (char *)a, n, ANY);
                for (int l = 0; l < level_count; l++) {
                    levels[l]->scans->scan[fold][t](l ? got : first, a, carry, &total[l > 0], n);
                    assert_memory_equal(l ? got : first, first, (size_t)n * size);
                    assert_memory_equal(&total[l > 0], &total[0], sizeof total[0]);
                    if (n == MOST) {
                        levels[l]->scans->total[fold][t](&alone, a);
                        assert_memory_equal(&alone, &total[0], sizeof alone);
                    }
                }
                for (int64_t j = 0; j < n && fold == ASH__FOLD_SUM; j += 37) {
                    long double sum = (long double)one, magnitude = (long double)one;
                    for (int64_t m = 0; m <= j; m++) {
                        const long double x = (long double)as_double(t, (char *)a + (size_t)m * size);
                        sum += x;
                        magnitude += fabsl(x);
                    }
                    const long double error = fabsl((long double)as_double(t, (char *)first + (size_t)j * size) - sum);
                    assert_true(error <=
                                (f32 ? 12 * 0x1p-24L : 140 * 0x1p-53L) * magnitude); /* a tree and a few; groups in f64 */
                }
            }
        }
}

static void row_scans_go_in_order(void **unused)
{
    (void)unused;
    for (int k = 0; k < TYPES; k++)
        for (ash__fold fold = ASH__FOLD_SUM; fold <= ASH__FOLD_XOR; fold++) {
            const ash_dtype t = machine_types[k];
            const size_t size = ash_dtype_size(t);
            for (int64_t width = 1; width <= 40 && has(fold, t); width += 13) {
                char a[40 * 9 * 8], start[40 * 8], s[40 * 8], want[40 * 8], got[40 * 9 * 8];
                fill(fold, t, a, width * 9, SPECIAL);
                fill(fold, t, start, width, SPECIAL);
                for (int l = 0; l < level_count; l++) {
                    memcpy(s, start, sizeof s);
                    memcpy(want, start, sizeof want);
                    memcpy(got, a, (size_t)(width * 9) * size);
                    levels[l]->scans->columns[fold][t](got, l % 2 ? got : a, s, 9, width);
                    for (int64_t i = 0; i < 9 * width; i++) {
                        define(fold, t, want + (size_t)(i % width) * size, a + (size_t)i * size);
                        check(fold, t, "row scan", l, i, got + (size_t)i * size, want + (size_t)(i % width) * size);
                    }
                    for (int64_t j = 0; j < width; j++)
                        check(fold, t, "row scan's state", l, j, s + (size_t)j * size, want + (size_t)j * size);
                }
            }
        }
}

static void sums_of_f32_columns_are_kept_in_f64(void **unused)
{
    (void)unused;
    for (int l = 0; l < level_count; l++) {
        float a[3 * 2] = {0x1p24f, 1, 1, 1, 1, 1}, d[6];
        double s[2] = {0, 0};
        levels[l]->scans->columns_wide(d, a, s, 3, 2);
        assert_true(s[0] == 0x1p24 + 2 && s[1] == 3 && d[4] == 0x1p24f + 2 && d[5] == 3);
    }
}

int main(void)
{
    for (int l = 1; l <= LEVELS; l++) {
        const ash__kernels *const k = ash__cpu_kernels_at(l);
        if (k)
            levels[level_count++] = k->fold;
    }
    if (!level_count)
        levels[level_count++] = ash__cpu_kernels()->fold;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fold_has_its_types),
        cmocka_unit_test(blocks_are_exact_where_order_is_nothing),
        cmocka_unit_test(floats_follow_the_documented_order),
        cmocka_unit_test(sums_keep_their_error_bound),
        cmocka_unit_test(lone_negative_zero_stays),
        cmocka_unit_test(rows_have_the_bits_of_blocks),
        cmocka_unit_test(columns_go_in_order),
        cmocka_unit_test(first_finds_bits_and_nans),
        cmocka_unit_test(deviations_are_accurate),
        cmocka_unit_test(scans_are_exact_where_order_is_nothing),
        cmocka_unit_test(scans_of_floats_have_the_same_bits_everywhere),
        cmocka_unit_test(row_scans_go_in_order),
        cmocka_unit_test(sums_of_f32_columns_are_kept_in_f64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
