/*
 * cufft.c - transforms of CUDA devices by cuFFT: which are its, that they are right, and what is said when it cannot serve.
 *
 * On the doubles of CUDA's driver and of cuFFT (theirs_double). What results have to be is the definition's sum, here.
 */
#include <complex.h>

#include "theirs.h"

enum { MOST = 240 };

static int of_double(const char *name)
{
    return counted("ASHLAR_CUFFT_LIBRARY", name);
}
static int calls(void)
{
    return of_double("cufft_double_calls");
}

/* ---- numbers, and what becomes of them */

static double complex number(int64_t i)
{
    return (double)((i * 37 + 11) % 101 - 50) / 16 + I * (double)((i * 53 + 7) % 89 - 44) / 16;
}

static int64_t count_of(ash_dims shape)
{
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    return n;
}

/* Transforms along an axis of x, rows in order, by the definition. half > 0: so many say what the others are. */
static void transform(double complex *x, ash_dims shape, int64_t axis, int sign, int64_t half)
{
    const int64_t n = shape.size[axis];
    int64_t after = 1;
    for (int64_t k = axis + 1; k < shape.rank; k++)
        after *= shape.size[k];
    for (int64_t first = 0; first < count_of(shape); first++) {
        double complex line[MOST];
        if (first / after % n)
            continue;
        for (int64_t k = 0; k < n; k++)
            line[k] = half && k >= half ? 0 : x[first + k * after];
        if (half) {
            line[0] = creal(line[0]);
            if (n % 2 == 0)
                line[n / 2] = creal(line[n / 2]);
            for (int64_t k = half; k < n; k++)
                line[k] = conj(line[n - k]);
        }
        for (int64_t j = 0; j < n; j++) {
            double complex sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += line[k] * cexp(I * 6.283185307179586477 * (double)sign * (double)(j * k % n) / (double)n);
            x[first + j * after] = sum;
        }
    }
}

/* The first `size` along an axis of x, or x as the first of so many. */
static void cut(double complex *to, ash_dims to_shape, const double complex *from, ash_dims from_shape, int64_t axis)
{
    int64_t after = 1;
    for (int64_t k = axis + 1; k < to_shape.rank; k++)
        after *= to_shape.size[k];
    for (int64_t i = 0; i < count_of(to_shape); i++) {
        const int64_t at = i / after % to_shape.size[axis], before = i / after / to_shape.size[axis];
        to[i] = at < from_shape.size[axis] ? from[(before * from_shape.size[axis] + at) * after + i % after] : 0;
    }
}

static void check(const ash_array *got, const double complex *want, int64_t n, const char *what)
{
    double complex value[MOST];
    CHECK(got != NULL);
    CHECK(ash_size(got) == n);
    CHECK_OK(ash_to_host_as(got, value, sizeof value[0] * (size_t)n, ASH_C_F64));
    const bool wide = ash_dtype_of(got) == ASH_F64 || ash_dtype_of(got) == ASH_C_F64;
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, cabs(want[i]));
    for (int64_t i = 0; i < n; i++)
        if (!(cabs(value[i] - want[i]) <= (wide ? 1e-14 : 2e-6) * most))
            FAIL("%s: element %d is %g + %gi, not %g + %gi", what, (int)i, creal(value[i]), cimag(value[i]), creal(want[i]),
                 cimag(want[i]));
}

/* ---- every kind */

enum { ROWS, COLUMNS, STEPS, WAYS };

/* The elements of `value` as they are, in columns, or two apart. */
static ash_array *lying(const double complex *value, ash_dtype dtype, ash_dims shape, int way)
{
    const bool real = dtype == ASH_F32 || dtype == ASH_F64;
    double part[MOST];
    for (int64_t i = 0; i < count_of(shape); i++)
        part[i] = creal(value[i]);
    ash_array *const a =
        ash_from_host(real ? (const void *)part : (const void *)value, real ? ASH_F64 : ASH_C_F64, shape, .dtype = dtype);
    return way == COLUMNS ? ash_contiguous(a, .layout = ASH_COL_MAJOR)
           : way == STEPS
               ? ash_slice(ash_repeat(a, 2, .axis = (int)shape.rank - 1), 0, ASH_OPEN, .axes = ASH_AXES(-1), .step = 2)
               : a;
}

typedef struct trial {
    int64_t rank, shape[3], axes, axis[3];
    int calls[WAYS]; /* of one transform; 0: another number for each kind */
} trial;

static void complex_kinds(const trial *t, bool wide, int way)
{
    ASH_SCOPE(scope);
    const ash_dims shape = {t->shape, t->rank};
    const ash_axes axes = {t->axis, t->axes};
    const int64_t n = count_of(shape);
    double complex value[MOST], forward[MOST], backward[MOST], inverse[MOST];
    double size = 1;
    for (int64_t i = 0; i < n; i++)
        value[i] = forward[i] = backward[i] = number(i);
    for (int64_t k = 0; k < t->axes; k++) {
        transform(forward, shape, t->axis[k], -1, 0);
        transform(backward, shape, t->axis[k], 1, 0);
        size *= (double)t->shape[t->axis[k]];
    }
    for (int64_t i = 0; i < n; i++)
        inverse[i] = backward[i] / size;
    ash_array *const a = lying(value, wide ? ASH_C_F64 : ASH_C_F32, shape, way);
    const int before = calls();
    check(ash_fft(a, .axes = axes), forward, n, "ash_fft");
    if (t->calls[way])
        assert_int_equal(calls(), before + t->calls[way]);
    CHECK(calls() > before);
    check(ash_ifft(a, .axes = axes), inverse, n, "ash_ifft");
    check(ash_bfft(a, .axes = axes), backward, n, "ash_bfft");
    check(a, value, n, "what was transformed");
    CHECK_OK(ash_ifft_into(a, a, .axes = axes));
    check(a, inverse, n, "ash_ifft_into itself");
}

static void real_kinds(const trial *t, bool wide, int way)
{
    ASH_SCOPE(scope);
    const int64_t axis = t->axis[t->axes - 1], size = t->shape[axis];
    int64_t half_shape[3] = {t->shape[0], t->shape[1], t->shape[2]};
    half_shape[axis] = size / 2 + 1;
    const ash_dims shape = {t->shape, t->rank}, half = {half_shape, t->rank};
    const ash_axes axes = {t->axis, t->axes};
    const int64_t n = count_of(shape), bins = count_of(half);
    double complex value[MOST], spectrum[MOST], all[MOST], back[MOST];
    double scale = 1;
    for (int64_t i = 0; i < n; i++)
        value[i] = all[i] = creal(number(i));
    for (int64_t k = t->axes; k-- > 0;) {
        transform(all, shape, t->axis[k], -1, 0);
        scale /= (double)t->shape[t->axis[k]];
    }
    cut(spectrum, half, all, shape, axis);
    const int before = calls();
    check(ash_rfft(lying(value, wide ? ASH_F64 : ASH_F32, shape, way), .axes = axes), spectrum, bins, "ash_rfft");
    CHECK(calls() > before);
    for (int64_t i = 0; i < bins; i++)
        value[i] = all[i] = number(i); /* imaginary parts that cannot be, too */
    for (int64_t k = 0; k < t->axes - 1; k++)
        transform(all, half, t->axis[k], 1, 0);
    cut(back, shape, all, half, axis);
    transform(back, shape, axis, 1, size / 2 + 1);
    ash_array *const s = lying(value, wide ? ASH_C_F64 : ASH_C_F32, half, way);
    check(ash_brfft(s, size, .axes = axes), back, n, "ash_brfft");
    for (int64_t i = 0; i < n; i++)
        back[i] *= scale;
    check(ash_irfft(s, size, .axes = axes), back, n, "ash_irfft");
    check(s, value, bins, "what was transformed");
}

static void every_kind(void **state)
{
    static const trial trials[] = {
        {1, {8}, 1, {0}, {1, 1, 1}},       {1, {15}, 1, {0}, {1, 1, 1}},
        {1, {2}, 1, {0}, {1, 1, 1}},       {1, {37}, 1, {0}, {1, 1, 1}},
        {2, {5, 6}, 1, {1}, {1, 1, 1}},    {2, {5, 6}, 1, {0}, {1, 1, 1}},
        {2, {6, 5}, 2, {0, 1}, {2, 2, 2}}, {2, {1, 6}, 2, {0, 1}, {1, 1, 1}},
        {3, {3, 4, 5}, 1, {1}, {3, 3, 3}}, /* for each plane a call */
        {3, {4, 3, 5}, 3, {0, 1, 2}, {0}},
    };
    (void)state;
    ash_resources *const r = begin("theirs");
    ASH_WITH_RESOURCES(r);
    for (int k = 0; k < COUNT(trials); k++)
        for (int way = 0; way < WAYS; way++)
            for (int wide = 0; wide < 2; wide++) {
                if (way && wide && k != 6)
                    continue; /* layouts are the same thing for both */
                complex_kinds(&trials[k], wide, way);
                real_kinds(&trials[k], wide, way);
            }
    ash_resources_release(r);
    NO_ERROR();
}

/* ---- whose */

/* Of ones: n at the first place, else 0. */
static void check_ones(const ash_array *got, int64_t lines, int64_t n)
{
    CHECK(got != NULL);
    const ash_array *const size = ash_map("x -> abs(x)", got);
    CHECK_NEAR(ash_item_f64(ash_max(size)), (double)n, 1e-5);
    CHECK_NEAR(ash_item_f64(ash_sum(size)), (double)(n * lines), 1e-5);
}

static void small_and_scattered_transforms_are_ours(void **state)
{
    (void)state;
    ash_resources *const r = begin("auto");
    ASH_WITH_RESOURCES(r);
    ASH_SCOPE(scope);
    const ash_axes last = ASH_AXES(-1), middle = ASH_AXES(1);
    const int before = calls();
    check_ones(ash_fft(ash_ones(ASH_SHAPE(2, 8), .dtype = ASH_C_F32), .axes = last), 2, 8);
    check_ones(ash_fft(ash_ones(ASH_SHAPE(5, 64, 32), .dtype = ASH_C_F32), .axes = middle), 5 * 32, 64); /* five calls */
    ash_array *const back =
        ash_slice(ash_ones(ASH_SHAPE(64, 64), .dtype = ASH_C_F32), ASH_OPEN, ASH_OPEN, .axes = last, .step = -1);
    check_ones(ash_fft(back, .axes = last), 64, 64);
    assert_int_equal(calls(), before);
    ash_array *const large = ash_ones(ASH_SHAPE(64, 64), .dtype = ASH_C_F32);
    check_ones(ash_fft(large, .axes = last), 64, 64);
    assert_int_equal(calls(), before + 1);
    check_ones(ash_fft(ash_ones(ASH_SHAPE(3, 64, 64), .dtype = ASH_C_F64), .axes = middle), 3 * 64, 64);
    assert_int_equal(calls(), before + 4);
    setenv("ASHLAR_CUDA_LIBRARIES", "ours", 1);
    check_ones(ash_fft(large, .axes = last), 64, 64);
    assert_int_equal(calls(), before + 4);
    ash_resources_release(r);
    NO_ERROR();
}

static void what_must_be_theirs_and_cannot(void **state)
{
    (void)state;
    ash_resources *const r = begin("theirs");
    ASH_WITH_RESOURCES(r);
    ASH_SCOPE(scope);
    ash_array *const a = ash_ones(ASH_SHAPE(8), .dtype = ASH_C_F32);
    CHECK(!ash_fft(ash_slice(a, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(0), .step = -1)));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED,
                "ash_fft: ASHLAR_CUDA_LIBRARIES is theirs, but cuFFT has no such transform: it wants steps forward by whole "
                "numbers, from addresses that complex ones have; set it to auto");
    CHECK(!ash_rfft(ash_slice(ash_ones(ASH_SHAPE(9), .dtype = ASH_F64), 1, ASH_OPEN)));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "ash_rfft: ASHLAR_CUDA_LIBRARIES is theirs, but");
    const int before = calls(); /* one number is its transform: there is nothing to do */
    check_ones(ash_fft(ash_ones(ASH_SHAPE(5, 1), .dtype = ASH_C_F32), .axes = ASH_AXES(1)), 5, 1);
    check_ones(ash_rfft(ash_ones(ASH_SHAPE(5, 1), .dtype = ASH_F32), .axes = ASH_AXES(1)), 5, 1);
    assert_int_equal(calls(), before);
    ash_resources_release(r);
}

static void plans_are_kept_and_end(void **state)
{
    (void)state;
    ash_resources *const r = begin("theirs");
    ASH_WITH_RESOURCES(r);
    for (int64_t n = 2; n < 24; n++) {
        ASH_SCOPE(scope);
        ash_array *const a = ash_ones(ASH_SHAPE(n), .dtype = ASH_C_F64);
        check_ones(ash_fft(a), 1, n);
        const int made = of_double("cufft_double_made");
        check_ones(ash_fft(a), 1, n);
        check_ones(ash_bfft(a), 1, n); /* plans have no direction */
        assert_int_equal(of_double("cufft_double_made"), made);
        CHECK(of_double("cufft_double_alive") <= 16);
    }
    assert_int_equal(of_double("cufft_double_alive"), 16);
    ash_resources_release(r);
    NO_ERROR();
}

/* ---- what is wrong */

static ash_array *transform_of_ones(void)
{
    return ash_fft(ash_ones(ASH_SHAPE(64, 64), .dtype = ASH_C_F32), .axes = ASH_AXES(1));
}
static bool is_of_ones(const ash_array *c)
{
    const ash_array *const size = ash_map("x -> abs(x)", c);
    return fabs(ash_item_f64(ash_max(size)) - 64) < 1e-5 && fabs(ash_item_f64(ash_sum(size)) - 64 * 64) < 1e-5 &&
           of_double("cufft_double_alive") <= 1;
}

static const wrong faults[] = {
    {"libnone.so.1", "", "theirs", ASH_ERR_DEVICE, ", which ASHLAR_CUFFT_LIBRARY names"},
    {"libnone.so.1", "", "auto", ASH_OK, NULL},
    {"libm.so.6", "", "theirs", ASH_ERR_DEVICE, "libm.so.6 has no cufftCreate; cuFFT of CUDA 11 or newer is needed"},
    {NULL, "create=7", "theirs", ASH_ERR_DEVICE,
     "cufftCreate of cuda:0 failed with cuFFT status 7, CUFFT_SETUP_FAILED; ASHLAR_CUDA_LIBRARIES=ours does without"},
    {NULL, "create=7", "auto", ASH_OK, NULL},
    {NULL, "make=2", "theirs", ASH_ERR_MEMORY, "cufftMakePlanMany64 of cuda:0 failed with cuFFT status 2, CUFFT_ALLOC_FAILED"},
    {NULL, "make=16", "theirs", ASH_ERR_DEVICE, "CUFFT_NOT_SUPPORTED"},
    {NULL, "make=99", "theirs", ASH_ERR_DEVICE, "cuFFT status 99, which has no name"},
    {NULL, "make=16", "auto", ASH_OK, NULL},
    {NULL, "exec=6", "auto", ASH_ERR_DEVICE, "cufftExecC2C of cuda:0 failed with cuFFT status 6, CUFFT_EXEC_FAILED"},
};

static void failures_are_told(void **state)
{
    static const work w = {"ASHLAR_CUFFT_LIBRARY", "CUFFT_DOUBLE_FAULT", transform_of_ones, is_of_ones};
    (void)state;
    check_failures(&w, faults, COUNT(faults));
}

static void cufft_has_the_entries(void **state)
{
    static const char *const names[] = {"cufftCreate",      "cufftDestroy",   "cufftSetAutoAllocation", "cufftMakePlanMany64",
                                        "cufftSetWorkArea", "cufftSetStream", "cufftExecC2C",           "cufftExecZ2Z",
                                        "cufftExecR2C",     "cufftExecD2Z",   "cufftExecC2R",           "cufftExecZ2D"};
    (void)state;
    check_entries("libcufft.so.", 12, 10, names, COUNT(names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_are_told), /* first: CUDA does not survive a fork */
        cmocka_unit_test(every_kind),
        cmocka_unit_test(small_and_scattered_transforms_are_ours),
        cmocka_unit_test(what_must_be_theirs_and_cannot),
        cmocka_unit_test(plans_are_kept_and_end),
        cmocka_unit_test(cufft_has_the_entries),
    };
    return run_with_double("ASHLAR_CUFFT_LIBRARY", tests, COUNT(tests));
}
