/*
 * cases_random.c - reports from the field about random numbers (A41 to A43), and tests of randomness with fixed seeds.
 *
 * The bounds of the statistics are those of 1 in 1000 or rarer (5 sigma where it says so) for what is truly random; since the
 * seeds are fixed, a test passes always or never. docs/random.md has the results of a whole battery.
 */
#include "backend/cpu/kernels.h"
#include "core/dtype.h"
#include "test.h"

/* ---- A41: same seed, same numbers */

typedef ash_array *drawing(int64_t n, ash_rng *rng);
static ash_array *uniform(int64_t n, ash_rng *rng)
{
    return ash_rand(ASH_SHAPE(n / 1000, 1000), .rng = rng);
}
static ash_array *normal(int64_t n, ash_rng *rng)
{
    return ash_randn(ASH_SHAPE(n / 1000, 1000), .rng = rng);
}
static ash_array *integer(int64_t n, ash_rng *rng)
{
    return ash_rand(ASH_SHAPE(n), .dtype = ASH_I32, .rng = rng);
}
static ash_array *in_a_view(int64_t n, ash_rng *rng)
{
    (void)n;
    ash_array *whole = ash_fill_new(ASH_SHAPE(2000), 7.0f), *view = ash_slice(whole, 0, ASH_OPEN, .step = 2);
    CHECK_SHAPE(view, 1000);
    CHECK_OK(ash_rand_into(view, .rng = rng));
    CHECK_ALL(ash_slice(whole, 1, ASH_OPEN, .step = 2), 7);
    return view;
}

static void a41_body(void)
{
    static drawing *const draws[] = {uniform, normal, integer, in_a_view};
    ash_rng *other = ash_rng_new(ASH_RNG_DEFAULT);
    for (int d = 0; d < COUNT(draws); d++) {
        ASH_SCOPE(scope);
        ash_seed(1234);
        const ash_array *first = draws[d](1000000, NULL), *second = draws[d](1000000, NULL);
        CHECK_OK(ash_rng_seed(other, 99));
        draws[d](3000, other);
        ash_seed(1234);
        const ash_array *third = draws[d](1000000, NULL);
        ash_sort(first, .flat = true); /* other work between, and another generator's */
        draws[d](3000, other);
        CHECK_OK(ash_rng_seed(other, 5));
        const ash_array *fourth = draws[d](1000000, NULL);
        CHECK(ash_equal(first, third) && ash_equal(second, fourth) && !ash_equal(first, second));
    }
    ash_rng_release(other);
}
EVERYWHERE(a41_same_seed_same_numbers, a41_body)

/* ---- A42: the range, and every bit; in (0, 1], see docs/random.md */

static void a42_word_rule(void **state)
{
    (void)state;
    static const uint32_t word[] = {0xffffffff, 0xffffff80, 0xffffff7f, 0};
    static const float want[] = {1, 1, 0.99999994f, 0x1p-33f}, half[] = {1, 1, 1, 0};
    float got[4];
    uint16_t narrow[4];
    for (int level = 1; level <= 4; level++) {
        const ash__kernels *const k = ash__cpu_kernels_at(level);
        if (!k)
            continue;
        k->random->uniform[0](got, word, 4);
        ash__store16_for(k->elementwise, ASH_F16, ASH_F32)(narrow, got, NULL, NULL, 4);
        for (int i = 0; i < 4; i++) {
            CHECK(got[i] == want[i] && isfinite(logf(got[i])));
            CHECK(ash__f16_to_f32(narrow[i]) == half[i]);
        }
        k->random->exponential[0](got, word, 4); /* -log of the word itself: above 0 and finite */
        for (int i = 0; i < 4; i++)
            CHECK(got[i] > 0 && got[i] < 23);
    }
}

static void a42_body(void)
{
    float least = 1, most = 0;
    ash_seed(42);
    for (int i = 0; i < 100 / SLOW; i++) { /* 10^8 in all */
        ASH_SCOPE(scope);
        const ash_extrema_result x = ash_extrema(ash_rand(ASH_SHAPE(1000000)));
        least = fminf(least, ash_item(x.min, float));
        most = fmaxf(most, ash_item(x.max, float));
    }
    CHECK(least > 0 && most <= 1);
    const ash_array *words = ash_rand(ASH_SHAPE(100000), .dtype = ASH_I64);
    for (int bit = 0; bit < 64; bit++) {
        ASH_SCOPE(scope);
        const int64_t ones = ash_item(ash_sum(ash_map("(x, k) -> (x >> k) & 1", words, (int64_t)bit)), int64_t);
        if (ones < 48500 || ones > 51500)
            FAIL("bit %d is 1 in %" PRId64 " of 100000", bit, ones);
    }
    const ash_array *three = ash_randint(0, 3, ASH_SHAPE(1000000));
    for (int64_t value = 0; value < 3; value++) {
        ASH_SCOPE(scope);
        const int64_t n = ash_item(ash_count(ash_map("(x, v) -> x == v", three, value)), int64_t);
        CHECK(n >= 330000 && n <= 336700);
    }
}
EVERYWHERE(a42_range_and_bits, a42_body)

/* ---- A43: every element is written, whatever the count */

static void check_written(int64_t n, bool normals)
{
    ASH_SCOPE(scope);
    const float old = normals ? 100 : 1.1f;
    for (int64_t offset = 0; offset < 2; offset++) {
        ash_array *whole = ash_fill_new(ASH_SHAPE(n + 2), old), *a = ash_slice(whole, offset, n + offset);
        CHECK_OK(normals ? ash_randn_into(a) : ash_rand_into(a));
        CHECK(!ash_item(ash_any(ash_map("(x, o) -> x == o", a, old)), bool));
        const ash_array *around = ash_index(whole, offset ? ash_i64(0, n + 1) : ash_i64(n, n + 1));
        CHECK_ALL(around, (double)old);
    }
}

static void a43_body(void)
{
    static const int64_t counts[] = {1, 2, 3, 5, 275, 10000};
    ash_seed(43);
    CHECK_SHAPE(ash_randn(ASH_SHAPE(11, 5)), 11, 5);
    CHECK_SHAPE(ash_randn(ASH_SHAPE(1)), 1);
    CHECK_SHAPE(ash_randn(ASH_SHAPE(3)), 3);
    CHECK_SHAPE(ash_randn(ASH_SHAPE(1, 3)), 1, 3);
    CHECK_SHAPE(ash_randn(ASH_SHAPE(0)), 0);
    for (int i = 0; i < COUNT(counts); i++) {
        check_written(counts[i], false);
        check_written(counts[i], true);
    }
    CHECK(fabsf(ash_item(ash_mean(ash_randn(ASH_SHAPE(275))), float)) < 0.4f);
}
EVERYWHERE(a43_every_element, a43_body)

/* ---- randomness: both generators, seeds that differ in one bit, streams of one call and of many */

enum { WORDS = 1 << 22 };

/* Words as a program gets them: one call, calls of 1000 (so that counters of calls matter), or seeds one after the other. */
static uint32_t *stream(ash_rng_kind kind, int how, int64_t n)
{
    uint32_t *const word = malloc((size_t)n * sizeof *word);
    ash_rng *r = ash_rng_new(kind);
    CHECK_OK(ash_rng_seed(r, 2026));
    const int64_t step = how == 0 ? n : 1000;
    for (int64_t i = 0, calls = 0; i < n; i += step, calls++) {
        ASH_SCOPE(scope);
        const int64_t m = n - i < step ? n - i : step;
        if (how == 2)
            CHECK_OK(ash_rng_seed(r, (uint64_t)calls));
        CHECK_OK(ash_to_host(ash_rand(ASH_SHAPE(m), .dtype = ASH_U32, .rng = r), word + i, (size_t)m * sizeof *word));
    }
    ash_rng_release(r);
    return word;
}

/* Chi square of counts with equal expectations, as a normal deviate (Wilson and Hilferty, 1931). */
static double deviate(const int64_t *count, int cells, double expected)
{
    double chi = 0;
    for (int i = 0; i < cells; i++)
        chi += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    const double k = cells - 1;
    return (cbrt(chi / k) - (1 - 2 / (9 * k))) / sqrt(2 / (9 * k));
}

static void monobit(const uint32_t *word, int64_t n)
{
    for (int bit = 0; bit < 32; bit++) {
        int64_t ones = 0, turns = 0; /* ones, and how often the bit differs from that of the next word */
        for (int64_t i = 0; i < n; i++)
            ones += word[i] >> bit & 1;
        for (int64_t i = 0; i + 1 < n; i++)
            turns += (word[i] ^ word[i + 1]) >> bit & 1;
        const double sigma = sqrt((double)n) / 2;
        CHECK(fabs((double)ones - (double)n / 2) < 5 * sigma && fabs((double)turns - (double)n / 2) < 5 * sigma);
    }
}

/* Pairs of bytes at all distances up to 9 words, from all places of a word. */
static void serial(const uint32_t *word, int64_t n)
{
    static int64_t count[65536];
    for (int64_t distance = 1; distance <= 9; distance++)
        for (int shift = 0; shift < 32; shift += 8) {
            memset(count, 0, sizeof count);
            for (int64_t i = 0; i + distance < n; i++)
                count[(word[i] >> shift & 255) << 8 | (word[i + distance] >> shift & 255)]++;
            CHECK(fabs(deviate(count, COUNT(count), (double)(n - distance) / COUNT(count))) < 4.5);
        }
}

enum { BIRTHDAYS = 4096 };

/* By bytes: qsort would take most of the time of this file. */
static void sort_days(uint32_t *day)
{
    static uint32_t other[BIRTHDAYS];
    uint32_t *from = day, *to = other;
    for (int shift = 0; shift < 32; shift += 8) {
        int start[257] = {0};
        for (int i = 0; i < BIRTHDAYS; i++)
            start[(from[i] >> shift & 255) + 1]++;
        for (int k = 0; k < 256; k++)
            start[k + 1] += start[k];
        for (int i = 0; i < BIRTHDAYS; i++)
            to[start[from[i] >> shift & 255]++] = from[i];
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
}

/* Birthday spacings (G. Marsaglia): of m birthdays in a year of 2^32 days, equal spacings are Poisson with mean m^3 / 2^34. */
static void birthdays(uint32_t *word, int64_t n)
{
    enum { M = BIRTHDAYS };
    int64_t equal = 0, years = n / M;
    for (int64_t y = 0; y < years; y++) {
        uint32_t *const day = word + y * M;
        sort_days(day);
        for (int i = M - 1; i > 0; i--)
            day[i] -= day[i - 1];
        sort_days(day);
        for (int i = 1; i < M; i++)
            equal += day[i] == day[i - 1];
    }
    const double mean = (double)years * M * M * M / 0x1p34;
    CHECK(fabs((double)equal - mean) < 5 * sqrt(mean));
}

static void streams_look_random(void **state)
{
    (void)state;
    for (ash_rng_kind kind = ASH_RNG_DEFAULT; kind <= ASH_RNG_SECOND; kind = (ash_rng_kind)(kind + 1))
        for (int how = 0; how < 3; how++) {
            const int64_t n = WORDS / SLOW;
            uint32_t *const word = stream(kind, how, n);
            monobit(word, n);
            serial(word, n);
            birthdays(word, n);
            free(word);
        }
}

/* Mean, variance, skewness and kurtosis within 5 sigma, and the largest distance of the distribution (Kolmogorov, Smirnov)
 * below that of 1 in 1000. */
static int ascending_f64(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double as_uniform(double x)
{
    return x;
}
static double as_normal(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}
static double as_half_normal(double x)
{
    return erfc(-x) / 2;
} /* of variance 1/2 */
static double as_exponential(double x)
{
    return -expm1(-x);
}

static void check_distribution(const ash_array *a, double (*below)(double), double mean, double variance, double fourth)
{
    const int64_t n = ash_size(a);
    double *const x = malloc((size_t)n * sizeof *x), root = sqrt((double)n);
    double sum = 0, square = 0, worst = 0;
    CHECK_OK(ash_to_host_as(a, x, (size_t)n * sizeof *x, ASH_F64));
    for (int64_t i = 0; i < n; i++) {
        sum += x[i] - mean;
        square += (x[i] - mean) * (x[i] - mean);
    }
    CHECK(fabs(sum / (double)n) < 5 * sqrt(variance) / root);
    CHECK(fabs(square / (double)n - variance) < 5 * sqrt(fourth - variance * variance) / root);
    qsort(x, (size_t)n, sizeof *x, ascending_f64);
    for (int64_t i = 0; i < n; i++) {
        const double f = below(x[i]);
        worst = fmax(worst, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
    }
    CHECK(worst * root < 1.95);
    free(x);
}

static void distributions(void **state)
{
    (void)state;
    static const ash_dtype dtypes[] = {ASH_F32, ASH_F64};
    const int64_t n = 1000000 / SLOW;
    ash_seed(17);
    for (int d = 0; d < 2; d++) {
        ASH_SCOPE(scope);
        const ash_dtype dtype = dtypes[d];
        check_distribution(ash_rand(ASH_SHAPE(n), .dtype = dtype), as_uniform, 0.5, 1.0 / 12, 1.0 / 80);
        const ash_array *normals = ash_randn(ASH_SHAPE(n), .dtype = dtype);
        check_distribution(normals, as_normal, 0, 1, 3);
        check_distribution(ash_slice(normals, 0, ASH_OPEN, .step = 2), as_normal, 0, 1, 3); /* the sines */
        check_distribution(ash_slice(normals, 1, ASH_OPEN, .step = 2), as_normal, 0, 1, 3); /* the cosines */
        check_distribution(ash_randexp(ASH_SHAPE(n), .dtype = dtype), as_exponential, 1, 1, 9);
        const ash_array *z = ash_randn(ASH_SHAPE(n), .dtype = dtype == ASH_F32 ? ASH_C_F32 : ASH_C_F64);
        check_distribution(ash_map("real", z), as_half_normal, 0, 0.5, 0.75);
        check_distribution(ash_map("imag", z), as_half_normal, 0, 0.5, 0.75);
        const double cross = ash_item(ash_mean(ash_convert(ash_map("z -> real(z)*imag(z)", z), ASH_F64)), double);
        CHECK(fabs(cross) < 5 * 0.5 / sqrt((double)n));
    }
    ASH_SCOPE(scope);
    ash_rng *r = ash_rng_new(ASH_RNG_SECOND);
    CHECK_OK(ash_rng_seed(r, 17));
    check_distribution(ash_rand(ASH_SHAPE(n), .rng = r), as_uniform, 0.5, 1.0 / 12, 1.0 / 80);
    check_distribution(ash_randn(ASH_SHAPE(n), .rng = r), as_normal, 0, 1, 3);
    ash_rng_release(r);
    check_distribution(ash_map("x -> f64(x) / 2^20", ash_randint(0, 1 << 20, ASH_SHAPE(n))), as_uniform, 0.5, 1.0 / 12,
                       1.0 / 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a41_same_seed_same_numbers), TEST(a42_word_rule),       TEST(a42_range_and_bits),
        TEST(a43_every_element),          TEST(streams_look_random), TEST(distributions),
    };
    return cmocka_run_group_tests_name("cases: random numbers", tests, NULL, NULL);
}
