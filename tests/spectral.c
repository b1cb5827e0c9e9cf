/*
 * spectral.c - singular values and eigenvalues.
 *
 * What comes out is put together again: u*s*vt is a, a*v is v*w, columns are orthonormal, within multiples of n units in the
 * last place as LAPACK's own tests ask for. Values in tables are those of the cases, known in closed form, or by
 * tests/reference/spectral.py, with 60 digits. Everything that is possible without a LAPACK runs with one and without.
 */
#include <complex.h>

#include "core/alloc.h"
#include "linalg/lapack.h"
#include "test.h"

typedef double complex number;

static bool lapack; /* is there one? */
static bool own;    /* is it switched off now? */

static const char *given; /* what the setting was, or NULL */
static void set_lapack(const char *file)
{
    if (file)
        setenv("ASHLAR_LAPACK", file, 1);
    else
        unsetenv("ASHLAR_LAPACK");
    ash__lapack_forget();
}

/* Runs body with LAPACK, where there is one, and without. */
static void with_and_without(void (*body)(void), bool f64)
{
    for (int k = lapack ? 0 : 1; k < 2; k++) {
        own = k == 1;
        if (own)
            set_lapack("off");
        everywhere(body, f64);
        set_lapack(given);
    }
    own = false;
}

static const ash_dtype dtypes[] = {ASH_F32, ASH_F64, ASH_C_F32, ASH_C_F64};
static bool is_complex(ash_dtype d)
{
    return d >= ASH_C_I8;
}
static bool is_single(ash_dtype d)
{
    return d == ASH_F32 || d == ASH_C_F32 || d == ASH_F16 || d == ASH_BF16 || d == ASH_C_F16 || d == ASH_C_BF16;
}
static double epsilon(ash_dtype d)
{
    return is_single(d) ? (double)FLT_EPSILON : DBL_EPSILON;
}

/* ---- matrices on the host: row-major */

/* Multiples of 1/64 between -1 and 1, which every float dtype holds; of complex ones both parts. */
static ash_array *draw(ash_dtype dtype, ash_dims shape, ash_layout layout)
{
    static uint32_t seed = 12345;
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    number *const x = calloc((size_t)n + 1, sizeof *x);
    for (int64_t i = 0; i < n; i++) {
        double part[2];
        for (int k = 0; k < 2; k++) {
            seed = seed * 1664525 + 1013904223;
            part[k] = (double)(seed >> 25) / 64 - 1;
        }
        x[i] = is_complex(dtype) ? part[0] + part[1] * I : part[0];
    }
    ash_array *const a = ash_from_host(x, ASH_C_F64, shape, .dtype = dtype, .layout = layout);
    free(x);
    CHECK(a);
    return a;
}

static number *host(const ash_array *a)
{
    if (!a)
        FAIL("NULL where an array was wanted");
    number *const x = calloc((size_t)ash_size(a) + 1, sizeof *x);
    CHECK_OK(ash_to_host_as(a, x, (size_t)ash_size(a) * sizeof *x, ASH_C_F64));
    return x;
}

static double largest(const number *x, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, cabs(x[i]));
    return most;
}

/* The columns of q (m, k) are orthonormal within `most`; with rows, those of q (k, m). */
static void check_orthonormal(const number *q, int64_t m, int64_t k, bool rows, double most, const char *what)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++) {
            number sum = i == j ? -1 : 0;
            for (int64_t l = 0; l < m; l++)
                sum += rows ? q[i * m + l] * conj(q[j * m + l]) : conj(q[l * k + i]) * q[l * k + j];
            if (!(cabs(sum) <= most))
                FAIL("%s, %d x %d: %d and %d are off by %g, more than %g", what, (int)m, (int)k, (int)i, (int)j, cabs(sum),
                     most);
        }
}

/* The matrices that a stack of `count` consists of, each m*n. */
typedef struct stack {
    int64_t count, m, n;
} stack;
static stack stack_of(const ash_array *a)
{
    const int64_t r = ash_rank(a);
    stack s = {1, ash_shape(a)[r - 2], ash_shape(a)[r - 1]};
    for (int64_t k = 0; k < r - 2; k++)
        s.count *= ash_shape(a)[k];
    return s;
}

static void check_svd(const ash_array *a, bool full)
{
    const stack z = stack_of(a);
    const int64_t k = z.m < z.n ? z.m : z.n, most = z.m > z.n ? z.m : z.n, p = full ? z.m : k, q = full ? z.n : k;
    const double eps = epsilon(ash_dtype_of(a)) * 10 * (double)(most ? most : 1);
    number *const before = host(a);
    const ash_svd_result r = ash_svd(a, .full = full);
    CHECK(r.u && r.s && r.vt);
    ash_array *const values = ash_svdvals(a);
    CHECK(ash_dtype_of(r.s) == (is_single(ash_dtype_of(a)) ? ASH_F32 : ASH_F64));
    CHECK(ash_dtype_of(r.u) == ash_dtype_of(r.vt));
    CHECK(ash_storage_of(r.u) == here.storage && ash_storage_of(r.s) == here.storage);
    CHECK(ash_same_shape(r.s, values));
    CHECK(ash_size(r.u) == z.count * z.m * p && ash_size(r.vt) == z.count * q * z.n && ash_size(r.s) == z.count * k);
    number *const u = host(r.u), *const s = host(r.s), *const vt = host(r.vt);
    number *const again = host(values), *const after = host(a);
    CHECK(memcmp(before, after, (size_t)ash_size(a) * sizeof *before) == 0);
    for (int64_t b = 0; b < z.count; b++) {
        const number *const ab = before + b * z.m * z.n, *const ub = u + b * z.m * p, *const sb = s + b * k;
        const number *const vb = vt + b * q * z.n;
        const double scale = k ? creal(sb[0]) : 0;
        for (int64_t i = 0; i < k; i++) {
            CHECK(creal(sb[i]) >= 0 && (i == 0 || creal(sb[i]) <= creal(sb[i - 1])));
            CHECK(cabs(sb[i] - again[b * k + i]) <= eps * scale);
        }
        for (int64_t i = 0; i < z.m; i++)
            for (int64_t j = 0; j < z.n; j++) {
                number sum = -ab[i * z.n + j];
                for (int64_t l = 0; l < k; l++)
                    sum += ub[i * p + l] * sb[l] * vb[l * z.n + j];
                if (!(cabs(sum) <= fmax(eps * scale, 40 * 0x1p-1074)))
                    FAIL("%s %d x %d%s: element %d, %d is off by %g, more than %g", ash_dtype_name(ash_dtype_of(a)), (int)z.m,
                         (int)z.n, own ? ", own" : "", (int)i, (int)j, cabs(sum), eps * scale);
            }
        check_orthonormal(ub, z.m, p, false, eps, "u");
        check_orthonormal(vb, z.n, q, true, eps, "vt");
    }
    free(before), free(u), free(s), free(vt), free(again), free(after);
    ash_release(r.u), ash_release(r.s), ash_release(r.vt), ash_release(values);
}

/* a need not be symmetric: what its one triangle stands for is. */
static void check_eigh(const ash_array *a, bool upper)
{
    const stack z = stack_of(a);
    const int64_t n = z.n;
    const double eps = epsilon(ash_dtype_of(a)) * 10 * (double)(n ? n : 1);
    number *const before = host(a);
    const ash_eigh_result r = ash_eigh(a, .upper = upper);
    CHECK(r.values && r.vectors);
    ash_array *const values = ash_eigvalsh(a, .upper = upper);
    CHECK(ash_dtype_of(r.values) == (is_single(ash_dtype_of(a)) ? ASH_F32 : ASH_F64));
    CHECK(ash_storage_of(r.vectors) == here.storage);
    number *const w = host(r.values), *const v = host(r.vectors), *const again = host(values), *const after = host(a);
    CHECK(memcmp(before, after, (size_t)ash_size(a) * sizeof *before) == 0);
    for (int64_t b = 0; b < z.count; b++) {
        const number *const ab = before + b * n * n, *const vb = v + b * n * n, *const wb = w + b * n;
        const double scale = n ? fmax(cabs(wb[0]), cabs(wb[n - 1])) : 0;
        for (int64_t i = 0; i < n; i++) {
            CHECK(i == 0 || creal(wb[i]) >= creal(wb[i - 1]));
            CHECK(cabs(wb[i] - again[b * n + i]) <= eps * scale);
            for (int64_t j = 0; j < n; j++) {
                number sum = -vb[i * n + j] * wb[j];
                for (int64_t l = 0; l < n; l++) {
                    const bool stored = upper ? l >= i : l <= i;
                    number x = stored ? ab[i * n + l] : conj(ab[l * n + i]);
                    x = i == l ? creal(x) : x;
                    sum += x * vb[l * n + j];
                }
                if (!(cabs(sum) <= eps * scale))
                    FAIL("%s %d%s: element %d, %d is off by %g, more than %g", ash_dtype_name(ash_dtype_of(a)), (int)n,
                         own ? ", own" : "", (int)i, (int)j, cabs(sum), eps * scale);
            }
        }
        check_orthonormal(vb, n, n, false, eps, "vectors");
    }
    free(before), free(w), free(v), free(again), free(after);
    ash_release(r.values), ash_release(r.vectors), ash_release(values);
}

static void check_eig(const ash_array *a)
{
    const stack z = stack_of(a);
    const int64_t n = z.n;
    const double eps = epsilon(ash_dtype_of(a)) * 10 * (double)(n ? n : 1);
    number *const before = host(a);
    const ash_eig_result r = ash_eig(a);
    CHECK(r.values && r.vectors);
    CHECK(ash_dtype_of(r.values) == (is_single(ash_dtype_of(a)) ? ASH_C_F32 : ASH_C_F64));
    CHECK(ash_dtype_of(r.vectors) == ash_dtype_of(r.values));
    ash_array *const values = ash_eigvals(a);
    number *const w = host(r.values), *const v = host(r.vectors), *const after = host(a), *const again = host(values);
    CHECK(memcmp(before, after, (size_t)ash_size(a) * sizeof *before) == 0);
    for (int64_t b = 0; b < z.count; b++) {
        const number *const ab = before + b * n * n, *const vb = v + b * n * n, *const wb = w + b * n;
        const double scale = (double)n * largest(ab, n * n);
        number trace = 0, trace_again = 0;
        for (int64_t j = 0; j < n; j++) {
            double norm = 0;
            for (int64_t i = 0; i < n; i++) {
                number sum = -vb[i * n + j] * wb[j];
                for (int64_t l = 0; l < n; l++)
                    sum += ab[i * n + l] * vb[l * n + j];
                if (!(cabs(sum) <= eps * scale))
                    FAIL("%s %d: element %d, %d is off by %g, more than %g", ash_dtype_name(ash_dtype_of(a)), (int)n, (int)i,
                         (int)j, cabs(sum), eps * scale);
                norm += creal(vb[i * n + j] * conj(vb[i * n + j]));
            }
            CHECK(fabs(norm - 1) <= eps);
            trace += wb[j] - ab[j * n + j];
            trace_again += again[b * n + j] - ab[j * n + j];
        }
        CHECK(cabs(trace) <= eps * scale && cabs(trace_again) <= eps * scale);
    }
    free(before), free(w), free(v), free(after), free(again);
    ash_release(r.values), ash_release(r.vectors), ash_release(values);
}

/* ---- sizes, dtypes, layouts, views */

/* Matrices of each dtype and layout, and of these sizes. */
static void each_matrix(const int64_t sizes[][2], int count, void (*check)(const ash_array *a))
{
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < count; k++)
            for
                EACH_LAYOUT(layout)
                {
                    if (!here_has_f64() && !is_single(dtypes[d]))
                        continue;
                    ASH_SCOPE(scope);
                    check(draw(dtypes[d], (ash_dims){sizes[k], 2}, layout));
                }
}
static const int64_t square_sizes[][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {7, 7}, {64, 64}, {65, 65}};

static void both_svd(const ash_array *a)
{
    check_svd(a, false);
    check_svd(a, true);
}
static void both_eigh(const ash_array *a)
{
    check_eigh(a, false);
    check_eigh(a, true);
}
static void every_size_svd(void)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 5},   {2, 2},   {3, 2},
                                       {2, 3}, {7, 7}, {7, 3}, {3, 7}, {20, 64}, {65, 30}, {65, 65}};
    each_matrix(sizes, COUNT(sizes), both_svd);
}
static void every_size_eigh(void)
{
    each_matrix(square_sizes, COUNT(square_sizes), both_eigh);
}
static void every_size_eig(void)
{
    each_matrix(square_sizes, COUNT(square_sizes), check_eig);
}
static void sizes_svd(void **state)
{
    (void)state;
    with_and_without(every_size_svd, false);
}
static void sizes_eigh(void **state)
{
    (void)state;
    with_and_without(every_size_eigh, false);
}
static void sizes_eig(void **state)
{
    (void)state;
    if (!lapack)
        skip();
    everywhere(every_size_eig, false);
}
static void large(void **state)
{
    (void)state;
    if (!lapack)
        skip();
    for (int d = 0; d < COUNT(dtypes); d++) {
        ASH_SCOPE(scope);
        const int64_t n = d == 1 ? 300 : 130;
        const ash_array *a = draw(dtypes[d], ASH_SHAPE(n, n), ASH_ROW_MAJOR);
        check_svd(a, false);
        check_eigh(a, false);
        check_eig(a);
    }
}

static void stacks_and_views_here(void)
{
    for (int d = 0; d < COUNT(dtypes); d++) {
        if (!here_has_f64() && !is_single(dtypes[d]))
            continue;
        ASH_SCOPE(scope);
        const ash_array *a = draw(dtypes[d], ASH_SHAPE(2, 3, 4, 5), d % 2 ? ASH_COL_MAJOR : ASH_ROW_MAJOR);
        const ash_array *square = draw(dtypes[d], ASH_SHAPE(3, 6, 6), ASH_ROW_MAJOR);
        const ash_array *const views[] = {
            a,
            ash_transpose(a),
            ash_adjoint(a),
            ash_slice(a, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(3), .step = -2),
            ash_slice(ash_adjoint(a), 1, 4, .axes = ASH_AXES(2)),
            ash_permute(a, ASH_AXES(3, 1, 2, 0)),
            ash_broadcast_to(ash_view(a, 0, 0), ASH_SHAPE(2, 4, 5)),
            ash_slice(a, 0, 0),
        };
        for (int k = 0; k < COUNT(views); k++) {
            check_svd(views[k], false);
            check_svd(views[k], true);
        }
        const ash_array *const squares[] = {
            square,
            ash_adjoint(square),
            ash_slice(ash_slice(square, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(1), .step = -1), ASH_OPEN, ASH_OPEN,
                      .axes = ASH_AXES(2), .step = -1),
            ash_slice(ash_slice(square, 0, 6, .axes = ASH_AXES(1), .step = 2), 1, 6, .axes = ASH_AXES(2), .step = 2),
            ash_slice(square, 0, 0),
        };
        for (int k = 0; k < COUNT(squares); k++) {
            check_eigh(squares[k], false);
            check_eigh(squares[k], true);
            if (lapack && !own)
                check_eig(squares[k]);
        }
        CHECK_SHAPE(ash_svd(a).s, 2, 3, 4);
        CHECK_SHAPE(ash_svd(a, .full = true).vt, 2, 3, 5, 5);
        CHECK_SHAPE(ash_svd(a).vt, 2, 3, 4, 5);
        CHECK_SHAPE(ash_eigh(square).values, 3, 6);
        CHECK(ash_layout_of(ash_svd(ash_transpose(ash_view(a, 0, 0))).u) ==
              (d % 2 ? ASH_ROW_MAJOR : ASH_COL_MAJOR)); /* that of the argument */
    }
}
static void stacks_and_views(void **state)
{
    (void)state;
    with_and_without(stacks_and_views_here, false);
}

/* Integers and bool are taken as f64, f16 and bf16 as f32. */
static void other_dtypes(void **state)
{
    (void)state;
    static const struct {
        ash_dtype dtype, vectors, values;
    } cases[] = {{ASH_BOOL, ASH_F64, ASH_F64},   {ASH_I8, ASH_F64, ASH_F64},   {ASH_U64, ASH_F64, ASH_F64},
                 {ASH_F16, ASH_F32, ASH_F32},    {ASH_BF16, ASH_F32, ASH_F32}, {ASH_C_F16, ASH_C_F32, ASH_F32},
                 {ASH_C_I16, ASH_C_F64, ASH_F64}};
    const double value[4] = {1, 0, 1, 1}, golden = (1 + sqrt(5)) / 2;
    for (int k = 0; k < COUNT(cases); k++) {
        ASH_SCOPE(scope);
        const ash_array *a = ash_from_host(value, ASH_F64, ASH_SHAPE(2, 2), .dtype = cases[k].dtype);
        const ash_svd_result r = ash_svd(a);
        CHECK(ash_dtype_of(r.u) == cases[k].vectors && ash_dtype_of(r.vt) == cases[k].vectors);
        CHECK(ash_dtype_of(r.s) == cases[k].values);
        const ash_eigh_result e = ash_eigh(a);
        CHECK(ash_dtype_of(e.vectors) == cases[k].vectors && ash_dtype_of(e.values) == cases[k].values);
        double s[2], w[2];
        CHECK_OK(ash_to_host_as(r.s, s, sizeof s, ASH_F64));
        CHECK_OK(ash_to_host_as(e.values, w, sizeof w, ASH_F64)); /* of [1 1; 1 1], as the lower triangle says */
        const double eps = 4 * epsilon(cases[k].values);
        CHECK_NEAR(s[0], golden, eps);
        CHECK_NEAR(s[1], golden - 1, eps);
        CHECK(fabs(w[0]) <= eps);
        CHECK_NEAR(w[1], 2, eps);
    }
    ASH_SCOPE(scope);
    const ash_svd_options nothing = {.full = true}; /* no size */
    CHECK(!ash_svd_opt(ash_zeros(ASH_SHAPE(2, 2)), &nothing).u);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_svd: ");
    const ash_resources *const narrow = ash_resources_new("cpu:0?f64=off");
    {
        ASH_WITH_RESOURCES((ash_resources *)(uintptr_t)narrow);
        ASH_SCOPE(inner);
        CHECK(!ash_svd(ash_zeros(ASH_SHAPE(2, 2), .dtype = ASH_I32)).u);
        CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_svd: cpu:0?f64=off does not support f64 values; use f32");
    }
    ash_resources_release((ash_resources *)(uintptr_t)narrow);
}

/* ---- values by tests/reference/spectral.py */

static const double singular_real[] = {0x1.3dffb05a8834fp+3, 0x1.1b35eb60e0e42p+3, 0x1.16a44f5b64017p+2, 0x1.94500556199f7p+0};
static const double singular_complex[] = {0x1.4592150d55e21p+3, 0x1.1b14cc4b9017ap+3, 0x1.2e255a3ab8a31p+2,
                                          0x1.b98164d276039p+0};
static const double symmetric[] = {-0x1.4ec57c0ee2c8dp+3, -0x1.53b401f9afed0p+0, 0x1.39a97009c0e6dp+2, 0x1.7067444938530p+3};
static const double hermitian[] = {-0x1.4f48146a7727fp+3, -0x1.8842db7049ffdp+0, 0x1.1a4343347ffd6p+2, 0x1.872ece3e40693p+3};
static const double general_real[] = {-0x1.7767d35a5e85bp-2, -0x1.1309a2c4170e7p+3, -0x1.7767d35a5e85bp-2,
                                      0x1.1309a2c4170e7p+3,  0x1.56ecfa6b4bd0bp+1,  -0x1.fe729987db4d1p-1,
                                      0x1.56ecfa6b4bd0bp+1,  0x1.fe729987db4d1p-1};
static const double general_complex[] = {-0x1.34a5b6a8ecabcp-1, -0x1.174df2515dc94p+3, -0x1.d79580dbd8797p-3,
                                         0x1.0e6543077f26ap+3,  0x1.44b8795e52155p+0,  -0x1.f441109c0d353p+0,
                                         0x1.0c23448467d3fp+2,  0x1.770d15d604944p-1};

static number reference(int64_t i, int64_t j, bool wide)
{
    static const double real[16] = {4, -2.5, 1, 0.125, 3, 0.75, -6, 2, -1.5, 8, 0.25, -3, 0.5, 1, 7, -0.375};
    return real[4 * i + j] + (wide ? (double)(j - 2 * i) * 0.25 * I : 0);
}
static void check_values(const ash_array *got, const double *want, int64_t n, double most)
{
    number x[4];
    CHECK(ash_size(got) == n);
    CHECK_OK(ash_to_host_as(got, x, sizeof x, ASH_C_F64));
    for (int64_t k = 0; k < n; k++)
        if (!(cabs(x[k] - want[k]) <= most))
            FAIL("value %d is %.17g, not %.17g", (int)k, creal(x[k]), want[k]);
}
/* want: pairs of parts, in any order. */
static void check_unordered(const ash_array *got, const double *want, int64_t n, double most)
{
    number x[4];
    CHECK(ash_size(got) == n);
    CHECK_OK(ash_to_host_as(got, x, sizeof x, ASH_C_F64));
    for (int64_t k = 0; k < n; k++) {
        double nearest = INFINITY;
        for (int64_t i = 0; i < n; i++)
            nearest = fmin(nearest, cabs(x[i] - (want[2 * k] + want[2 * k + 1] * I)));
        if (!(nearest <= most))
            FAIL("no value is %.17g + %.17g i", want[2 * k], want[2 * k + 1]);
    }
}
static void reference_values_here(void)
{
    for (int d = 0; d < COUNT(dtypes); d++) {
        if (!here_has_f64() && !is_single(dtypes[d]))
            continue;
        const bool wide = is_complex(dtypes[d]);
        number x[16];
        for (int64_t i = 0; i < 16; i++)
            x[i] = reference(i / 4, i % 4, wide);
        const ash_array *a = ash_from_host(x, ASH_C_F64, ASH_SHAPE(4, 4), .dtype = dtypes[d]);
        const double most = 120 * epsilon(dtypes[d]); /* 10 units in the last place of the largest */
        check_values(ash_svdvals(a), wide ? singular_complex : singular_real, 4, most);
        check_values(ash_svd(a).s, wide ? singular_complex : singular_real, 4, most);
        check_values(ash_eigvalsh(a), wide ? hermitian : symmetric, 4, most);
        check_values(ash_eigh(ash_adjoint(a), .upper = true).values, wide ? hermitian : symmetric, 4, most);
        if (lapack && !own)
            check_unordered(ash_eigvals(a), wide ? general_complex : general_real, 4, 4 * most);
    }
}
static void reference_values(void **state)
{
    (void)state;
    with_and_without(reference_values_here, false);
}

/* ---- A38 */

static void check_vectors(const ash_array *got, const double *want, int64_t n, double most)
{
    number *const v = host(got);
    for (int64_t j = 0; j < n; j++) {
        const double sign = creal(v[j]) * want[j] + creal(v[n + j]) * want[n + j] < 0 ? -1 : 1;
        for (int64_t i = 0; i < n; i++)
            if (!(cabs(sign * v[i * n + j] - want[i * n + j]) <= most))
                FAIL("vector %d is %.9g at %d, not %.9g", (int)j, sign * creal(v[i * n + j]), (int)i, want[i * n + j]);
    }
    free(v);
}
static void small_symmetric(void)
{
    if (!here_host_reaches())
        return;
    if (here_has_f64()) {
        const double r = sqrt(0.5);
        const ash_array *a = ash_reshape(ash_f64(1, 1e-10, 1e-10, 1), ASH_SHAPE(2, 2));
        const ash_eigh_result e = ash_eigh(a);
        double w[3];
        CHECK_OK(ash_to_host(e.values, w, 2 * sizeof w[0]));
        CHECK(fabs(w[0] - (1 - 1e-10)) <= 4 * DBL_EPSILON && fabs(w[1] - (1 + 1e-10)) <= 4 * DBL_EPSILON);
        check_vectors(e.vectors, (const double[]){r, r, -r, r}, 2, 4 * DBL_EPSILON);
        const ash_array *b = ash_reshape(
            ash_f64(1, 0, 0, 0, 1.7500000000000002, -0.4330127018922193, 0, -0.4330127018922193, 1.25), ASH_SHAPE(3, 3));
        CHECK_OK(ash_to_host(ash_eigh(b).values, w, sizeof w));
        CHECK(fabs(w[0] - 1) <= 1e-14 && fabs(w[1] - 1) <= 1e-14 && fabs(w[2] - 2) <= 1e-14);
        check_eigh(b, false);
    }
    static const double values[2][2] = {{3.8196601e-31, 2.618034e-30}, {3.8196602e29, 2.618034e30}};
    for (int k = 0; k < 2; k++) {
        const float s = k ? 1e30f : 1e-30f;
        const float m[4] = {2 * s, s, s, s};
        const ash_array *a = ash_from_host(m, ASH_F32, ASH_SHAPE(2, 2));
        const ash_eigh_result e = ash_eigh(a);
        float w[2];
        CHECK_OK(ash_to_host(e.values, w, sizeof w));
        CHECK_ULPS_F32(w[0], (float)values[k][0], 4);
        CHECK_ULPS_F32(w[1], (float)values[k][1], 4);
        check_vectors(e.vectors, (const double[]){0.52573111, 0.85065081, -0.85065081, 0.52573111}, 2, 4 * (double)FLT_EPSILON);
    }
}
static void a38_orthogonal_vectors(void **state)
{
    (void)state;
    with_and_without(small_symmetric, false);
}

/* Elements far from 1: digits stay. */
static void scaled_here(void)
{
    static const int exponents[] = {-1000, -400, 400, 1000, -1060};
    for (int k = 0; k < COUNT(exponents); k++) {
        ASH_SCOPE(scope);
        const ash_array *a = draw(ASH_F64, ASH_SHAPE(6, 5), ASH_ROW_MAJOR);
        const ash_array *b = ash_map("(x, n) -> ldexp(x, n)", a, (int32_t)exponents[k]);
        number *const plain = host(ash_svdvals(a)), *const scaled = host(ash_svdvals(b));
        for (int i = 0; i < 5; i++) /* near the smallest number every digit counts */
            CHECK(fabs(ldexp(creal(plain[i]), exponents[k]) - creal(scaled[i])) <=
                  fmax(ldexp(40 * DBL_EPSILON * creal(plain[0]), exponents[k]), 40 * 0x1p-1074));
        free(plain), free(scaled);
        check_svd(b, false);
    }
}
static void scaled(void **state)
{
    (void)state;
    with_and_without(scaled_here, true);
}

/* Matrices without full rank, and with equal values. */
static void singular_here(void)
{
    for (int d = 0; d < COUNT(dtypes); d++) {
        ASH_SCOPE(scope);
        check_svd(ash_zeros(ASH_SHAPE(4, 3), .dtype = dtypes[d]), true);
        check_svd(ash_ones(ASH_SHAPE(5, 7), .dtype = dtypes[d]), true);
        check_svd(ash_ones(ASH_SHAPE(7, 5), .dtype = dtypes[d]), true);
        check_svd(ash_eye(5, .dtype = dtypes[d], .columns = 3), true);
        check_eigh(ash_ones(ASH_SHAPE(7, 7), .dtype = dtypes[d]), false);
        check_eigh(ash_zeros(ASH_SHAPE(3, 3), .dtype = dtypes[d]), false);
        check_eigh(ash_eye(6, .dtype = dtypes[d]), true);
    }
    double s[3], w[4];
    CHECK_OK(ash_to_host(ash_svdvals(ash_ones(ASH_SHAPE(3, 4), .dtype = ASH_F64)), s, sizeof s));
    CHECK_NEAR(s[0], sqrt(12), 4 * DBL_EPSILON);
    CHECK(fabs(s[1]) < 1e-15 && fabs(s[2]) < 1e-15);
    /* second differences: 2 - 2 cos(k pi/5) */
    const ash_array *t = ash_reshape(ash_f64(2, -1, 0, 0, -1, 2, -1, 0, 0, -1, 2, -1, 0, 0, -1, 2), ASH_SHAPE(4, 4));
    CHECK_OK(ash_to_host(ash_eigvalsh(t), w, sizeof w));
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(w[k], 2 - 2 * cos((k + 1) * acos(-1) / 5), 20 * DBL_EPSILON);
}
static void singular(void **state)
{
    (void)state;
    with_and_without(singular_here, true);
}

/* A triangular matrix has its diagonal for eigenvalues; a rotation has cos + i sin and its conjugate. */
static void known_eig(void **state)
{
    (void)state;
    if (!lapack)
        skip();
    ASH_SCOPE(scope);
    const ash_array *turn = ash_reshape(ash_f64(0.6, -0.8, 0.8, 0.6), ASH_SHAPE(2, 2));
    number *const w = host(ash_eigvals(turn));
    CHECK(cabs(w[0] - (0.6 + 0.8 * I)) < 1e-15 && cabs(w[1] - (0.6 - 0.8 * I)) < 1e-15);
    free(w);
    number *const t = host(ash_eigvals(ash_reshape(ash_c_f64(1 + I, 5, 0, 2 - I), ASH_SHAPE(2, 2))));
    CHECK(t[0] == 1 + I && t[1] == 2 - I);
    free(t);
    check_eig(ash_reshape(ash_f64(1, 1, 0, 1), ASH_SHAPE(2, 2))); /* one vector only */
}

/* ---- faults */

static void not_finite_here(void)
{
    static const struct {
        double value;
        const char *name;
    } bad[] = {{NAN, "nan"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}};
    for (int k = 0; k < COUNT(bad); k++)
        for (int d = 0; d < COUNT(dtypes); d++) {
            char want[128];
            ASH_SCOPE(scope);
            if (!here_has_f64() && !is_single(dtypes[d]))
                continue;
            double value[18] = {0};
            for (int i = 0; i < 18; i++)
                value[i] = i % 5;
            value[9 + 5] = bad[k].value; /* (1, 1, 2): above the diagonal */
            const ash_array *a = ash_from_host(value, ASH_F64, ASH_SHAPE(2, 3, 3), .dtype = dtypes[d]);
            const ash_svd_result r = ash_svd(a);
            CHECK(!r.u && !r.s && !r.vt);
            snprintf(want, sizeof want, "ash_svd: element (1, 1, 2) is %s; finite numbers are wanted", bad[k].name);
            CHECK_ERROR(ASH_ERR_VALUE, want);
            CHECK(!ash_svdvals(a));
            CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_svdvals: element (1, 1, 2) is ");
            CHECK(ash_eigh(a).values); /* the lower triangle is fine */
            CHECK(!ash_eigh(a, .upper = true).values);
            CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_eigh: element (1, 1, 2) is ");
            if (lapack && !own) {
                CHECK(!ash_eig(a).values);
                CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_eig: element (1, 1, 2) is ");
            }
        }
}
static void not_finite(void **state)
{
    (void)state;
    with_and_without(not_finite_here, false);
}

ASH_RECORD(spot, (f32, x), (i16, n));
static void refused(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(!ash_svd(ash_f32(1, 2)).u);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_svd: a has shape (2); rank 2 or more is wanted");
    CHECK(!ash_eigh(ash_ones(ASH_SHAPE(2, 3))).values);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_eigh: a has shape (2, 3); matrices must be square");
    CHECK(!ash_eig(ash_ones(ASH_SHAPE(5, 2, 3))).values);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_eig: a has shape (5, 2, 3); matrices must be square");
    CHECK(!ash_svdvals(ash_zeros(ASH_SHAPE(2, 2), .dtype = spot_dtype())));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_svdvals: a is spot; numbers were wanted");
    CHECK(!ash_svd(NULL).u);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_svd: a is NULL");
    ash_array *gone = ash_ones(ASH_SHAPE(2, 2));
    ash_discard(gone);
    CHECK(!ash_eigvalsh(gone));
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_eigvalsh: ");
}

/* Without a LAPACK what needs one says so; a setting that names none is an error everywhere. */
static void missing(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_array *a = ash_eye(3);
    set_lapack("off");
    CHECK(!ash_eig(a).values);
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_eig: this needs LAPACK; install libopenblas0 or liblapack3, or set ASHLAR_LAPACK");
    CHECK_FLOATS(ash_svdvals(a), 1, 1, 1);
    static const char *const files[] = {"/nowhere/liblapack.so", "/dev/null", "libm.so.6", "libpthread.so.0"};
    for (int k = 0; k < COUNT(files); k++) {
        set_lapack(files[k]);
        for (int twice = 0; twice < 2; twice++) {
            CHECK(!ash_svd(a).u);
            CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED, "ash_svd: ASHLAR_LAPACK is no LAPACK", files[k], "install libopenblas0");
        }
        CHECK(!ash_eigvals(a));
        CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "ash_eigvals: ASHLAR_LAPACK is no LAPACK");
        CHECK(!ash_eigh(a).values);
        CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "ash_eigh: ASHLAR_LAPACK is no LAPACK");
    }
    set_lapack(given);
    CHECK_FLOATS(ash_svdvals(a), 1, 1, 1);
}

int main(void)
{
    ash_status status;
    const char *const setting = getenv("ASHLAR_LAPACK");
    given = setting ? strdup(setting) : NULL; /* for the life of the process */
    lapack = ash__lapack_there("test", &status);
    if (!lapack)
        print_message("no LAPACK is here: only what is done without one is tested (Debian: libopenblas0)\n");
    const struct CMUnitTest tests[] = {
        TEST(sizes_svd),
        TEST(sizes_eigh),
        TEST(sizes_eig),
        TEST(large),
        TEST(stacks_and_views),
        TEST(other_dtypes),
        TEST(a38_orthogonal_vectors),
        TEST(scaled),
        TEST(singular),
        TEST(known_eig),
        TEST(not_finite),
        TEST(refused),
        TEST(missing),
        TEST(reference_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
