/*
 * gpu_once.h - one small call for each kind of kernel, with values worked out by hand: for checkers under which a kernel takes
 * a thousand times as long, and for drivers that fail.
 *
 * Numbers are small integers, so that floats have them exactly in any order of operations.
 */
#ifndef GPU_ONCE_H
#define GPU_ONCE_H
#include "devices.h"

#include "gpu_once_kernel.h"

enum { ONCE = 640, ONCE_ROWS = 20, ONCE_COLS = ONCE / ONCE_ROWS, LONG_ONCE = 5000 };

/* The arguments, made on the current resources: x[i] = i % 8 - 3, as a matrix m too; a permutation p[i] = 77 i mod 640; places
 * 639 - i; d = 4 + 1 where row and column are the same, else 1; ones. */
static struct {
    ash_array *x, *m, *p, *places, *d, *ones;
} once;

TEST_USE static void once_begin(void)
{
    float x[ONCE], d[64];
    int32_t p[ONCE];
    int64_t places[ONCE];
    for (int i = 0; i < ONCE; i++) {
        x[i] = (float)(i % 8 - 3);
        p[i] = i * 77 % ONCE;
        places[i] = ONCE - 1 - i;
    }
    for (int i = 0; i < 64; i++)
        d[i] = i % 9 == 0 ? 5 : 1;
    once.x = ash_from_host(x, ASH_F32, ASH_SHAPE(ONCE));
    once.m = ash_reshape(once.x, ASH_SHAPE(ONCE_ROWS, ONCE_COLS));
    once.p = ash_from_host(p, ASH_I32, ASH_SHAPE(ONCE));
    once.places = ash_from_host(places, ASH_I64, ASH_SHAPE(ONCE));
    once.d = ash_from_host(d, ASH_F32, ASH_SHAPE(8, 8));
    once.ones = ash_ones(ASH_SHAPE(LONG_ONCE));
    NO_ERROR();
}

/* They are as they were. */
TEST_USE static void once_check(void)
{
    static float x[ONCE], d[64], ones[LONG_ONCE];
    static int32_t p[ONCE];
    static int64_t places[ONCE];
    CHECK_OK(ash_to_host(once.x, x, sizeof x));
    CHECK_OK(ash_to_host(once.p, p, sizeof p));
    CHECK_OK(ash_to_host(once.places, places, sizeof places));
    CHECK_OK(ash_to_host(once.d, d, sizeof d));
    CHECK_OK(ash_to_host(once.ones, ones, sizeof ones));
    for (int i = 0; i < ONCE; i++)
        if (x[i] != (float)(i % 8 - 3) || p[i] != i * 77 % ONCE || places[i] != ONCE - 1 - i)
            FAIL("element %d of an argument was changed", i);
    for (int i = 0; i < 64; i++)
        CHECK(d[i] == (i % 9 == 0 ? 5 : 1));
    for (int i = 0; i < LONG_ONCE; i++)
        CHECK(ones[i] == 1);
}

/* ---- calls, and element i of what each gives */

static ash_array *mapped(void)
{
    return ash_map("x -> 2f*x + 1f", once.x);
}
static double want_mapped(int64_t i)
{
    return 2 * (double)(i % 8 - 3) + 1;
}
static ash_array *remainders(void) /* a kernel that can fault */
{
    return ash_map("(p, x) -> p % i32(x + 4f)", once.p, once.x);
}
static double want_remainders(int64_t i)
{
    return (double)(i * 77 % ONCE % (i % 8 + 1));
}
static ash_array *turned_copy(void)
{
    return ash_copy(ash_transpose(once.m));
}
static double want_turned(int64_t i)
{
    return (double)(i / ONCE_ROWS % 8 - 3);
}
static ash_array *total(void)
{
    return ash_sum(once.ones);
}
static double want_total(int64_t i)
{
    (void)i;
    return LONG_ONCE;
}
static ash_array *rows_summed(void)
{
    return ash_sum(once.m, .axes = ASH_AXES(1));
}
static double want_rows(int64_t i)
{
    (void)i;
    return 16;
}
static ash_array *columns_summed(void)
{
    return ash_sum(once.m, .axes = ASH_AXES(0));
}
static double want_columns(int64_t i)
{
    return ONCE_ROWS * (double)(i % 8 - 3);
}
static ash_array *folded(void)
{
    return ash_reduce("(a, b) -> a + b", once.p, .init = ASH_OPERAND(0));
}
static double want_folded(int64_t i)
{
    (void)i;
    return ONCE * (ONCE - 1) / 2;
}
static ash_array *remainders_summed(void) /* a fold that can fault */
{
    return ash_map_reduce("p -> p % 10", "+", once.p);
}
static double want_remainders_summed(int64_t i)
{
    (void)i;
    return ONCE / 10 * 45;
}
static ash_array *greatest(void)
{
    return ash_argmax(once.p);
}
static double want_greatest(int64_t i)
{
    (void)i;
    return 507; /* 77 * 507 = 61 * 640 - 1 */
}
static ash_array *scanned(void)
{
    return ash_cumsum(once.ones);
}
static double want_scanned(int64_t i)
{
    return (double)i + 1;
}
static ash_array *columns_scanned(void)
{
    return ash_scan("+", once.m, .axes = ASH_AXES(0), .exclusive = true);
}
static double want_columns_scanned(int64_t i)
{
    return (double)((i / ONCE_COLS) * (i % 8 - 3));
}
static ash_array *variances(void)
{
    return ash_var(once.m, .axes = ASH_AXES(1), .population = true);
}
static double want_variances(int64_t i)
{
    (void)i;
    return 5.25; /* 2 (0.25 + 2.25 + 6.25 + 12.25) / 8 */
}
static ash_array *sorted(void)
{
    return ash_sort(once.p, .descending = true);
}
static double want_sorted(int64_t i)
{
    return (double)(ONCE - 1 - i);
}
static ash_array *merged(void)
{
    return ash_sort(once.p, .less = "(x, y) -> x < y");
}
static double want_merged(int64_t i)
{
    return (double)i;
}
static ash_array *searched(void)
{
    return ash_search_sorted(ash_range(0, ONCE, .dtype = ASH_I32), once.p);
}
static double want_searched(int64_t i)
{
    return (double)(i * 77 % ONCE);
}
static ash_array *selected(void)
{
    return ash_select(once.places, ash_map("p -> p >= 320", once.places));
}
static double want_selected(int64_t i)
{
    return (double)(ONCE - 1 - i);
}
static ash_array *taken(void)
{
    return ash_take(once.p, once.places);
}
static double want_taken(int64_t i)
{
    return (double)((ONCE - 1 - i) * 77 % ONCE);
}
static ash_array *put_by(ash_array *to, const ash_array *places, ash_operand values, bool accumulate)
{
    return to && !ash_put_opt(to, places, &values,
                              &(ash_put_options){.struct_size = sizeof(ash_put_options), .accumulate = accumulate})
               ? to
               : NULL;
}
static ash_array *placed(void)
{
    return put_by(ash_zeros(ASH_SHAPE(ONCE), .dtype = ASH_I32), once.places, ASH_OPERAND(once.p), false);
}
static ash_array *accumulated(void)
{
    return put_by(ash_zeros(ASH_SHAPE(10), .dtype = ASH_I32), ash_map("p -> p % 10", once.places), ASH_OPERAND(1), true);
}
static double want_accumulated(int64_t i)
{
    (void)i;
    return ONCE / 10;
}
static ash_array *counted(void)
{
    return ash_histogram(once.x, 8, .low = ASH_OPERAND(-3.5f), .high = ASH_OPERAND(4.5f)).counts;
}
static double want_counted(int64_t i)
{
    (void)i;
    return ONCE / 8;
}
static ash_array *drawn(void) /* all integers within a range of one */
{
    return ash_randint(5, 6, ASH_SHAPE(ONCE));
}
static double want_drawn(int64_t i)
{
    (void)i;
    return 5;
}
static ash_array *multiplied(void)
{
    return ash_matmul(once.m, ash_transpose(once.m));
}
static double want_multiplied(int64_t i)
{
    (void)i;
    return 176; /* 4 (9 + 4 + 1 + 0 + 1 + 4 + 9 + 16) */
}
static ash_array *by_vector(void)
{
    return ash_matmul(once.m, ash_slice(once.ones, 0, ONCE_COLS));
}
static ash_array *solved(void) /* rows of d add up to 12, which is its largest eigenvalue */
{
    return ash_solve(once.d, ash_map("x -> 12f*x", ash_slice(once.ones, 0, 8)));
}
static double want_one(int64_t i)
{
    (void)i;
    return 1;
}
static ash_array *factored(void) /* l l' = d, and l' has no elements below its diagonal */
{
    ash_array *const l = ash_cholesky(once.d);
    return ash_matmul(l, ash_transpose(l));
}
static double want_factored(int64_t i)
{
    return i % 9 == 0 ? 5 : 1;
}
static ash_array *orthogonal(void)
{
    const ash_qr_result r = ash_qr(once.d);
    return ash_matmul(r.q, r.r);
}
static ash_array *transformed(void) /* of 1 at one place, 0 elsewhere */
{
    return ash_map("real", ash_fft(ash_map("p -> p == 0 ? 1f : 0f", ash_slice(once.p, 0, 60))));
}
static ash_array *launched_kernel(const ash_kernel *kernel)
{
    ash_array *const out = ash_empty(ASH_SHAPE(256));
    const ash_status status =
        ash_launch(kernel, ASH_OPERANDS(once.ones, out), .global = ASH_SHAPE(256), .local = ASH_SHAPE(64));
    return status ? NULL : out;
}
static ash_array *launched(void)
{
    return ash_slice(launched_kernel(once_sums), 0, 4);
}
static double want_launched(int64_t i)
{
    (void)i;
    return 64;
}

TEST_USE static const struct {
    const char *name;
    ash_array *(*run)(void);
    double (*want)(int64_t i);
    double within;
    int64_t size;
} once_calls[] = {
    {"mapped", mapped, want_mapped, 0, ONCE},
    {"remainders", remainders, want_remainders, 0, ONCE},
    {"turned_copy", turned_copy, want_turned, 0, ONCE},
    {"total", total, want_total, 0, 1},
    {"rows_summed", rows_summed, want_rows, 0, ONCE_ROWS},
    {"columns_summed", columns_summed, want_columns, 0, ONCE_COLS},
    {"folded", folded, want_folded, 0, 1},
    {"remainders_summed", remainders_summed, want_remainders_summed, 0, 1},
    {"greatest", greatest, want_greatest, 0, 1},
    {"scanned", scanned, want_scanned, 0, LONG_ONCE},
    {"columns_scanned", columns_scanned, want_columns_scanned, 0, ONCE},
    {"variances", variances, want_variances, 1e-6, ONCE_ROWS},
    {"sorted", sorted, want_sorted, 0, ONCE},
    {"merged", merged, want_merged, 0, ONCE},
    {"searched", searched, want_searched, 0, ONCE},
    {"selected", selected, want_selected, 0, ONCE / 2},
    {"taken", taken, want_taken, 0, ONCE},
    {"placed", placed, want_taken, 0, ONCE},
    {"accumulated", accumulated, want_accumulated, 0, 10},
    {"counted", counted, want_counted, 0, 8},
    {"drawn", drawn, want_drawn, 0, ONCE},
    {"multiplied", multiplied, want_multiplied, 0, ONCE_ROWS *ONCE_ROWS},
    {"by_vector", by_vector, want_rows, 0, ONCE_ROWS},
    {"solved", solved, want_one, 1e-5, 8},
    {"factored", factored, want_factored, 1e-5, 64},
    {"orthogonal", orthogonal, want_factored, 1e-5, 64},
    {"transformed", transformed, want_one, 1e-5, 60},
    {"launched", launched, want_launched, 0, 4},
};

TEST_USE static void once_check_result(int call, const ash_array *a)
{
    static double got[LONG_ONCE];
    if (!a || ash_size(a) != once_calls[call].size)
        FAIL("%s: %s", once_calls[call].name, a ? ash_shape_text(a) : "NULL");
    int64_t integer[LONG_ONCE];
    const bool is_float = ash_dtype_of(a) == ASH_F32;
    CHECK_OK(ash_to_host_as(a, is_float ? (void *)got : integer, (size_t)ash_size(a) * 8, is_float ? ASH_F64 : ASH_I64));
    for (int64_t i = 0; i < ash_size(a); i++) {
        const double value = is_float ? got[i] : (double)integer[i], want = once_calls[call].want(i);
        if (!(fabs(value - want) <= once_calls[call].within))
            FAIL("%s: element %" PRId64 " is %.9g, not %.9g", once_calls[call].name, i, value, want);
    }
}
#endif
