/*
 * random.c - which numbers they are: known answers, the golden values of the specification, a plain model of the streams, the
 * exact functions of the words, on every level, for any number of threads, in any arrangement of the elements.
 */
#include "reference/random.h"
#include "backend/cpu/kernels.h"
#include "test.h"

#include "core/dtype.h"

/* ---- words: a model straight from the definition */

static void philox_4(uint32_t x[4], uint64_t seed)
{
    uint32_t k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int r = 0; r < 10; r++, k[0] += 0x9e3779b9, k[1] += 0xbb67ae85) {
        const uint64_t p = (uint64_t)x[0] * 0xd2511f53, q = (uint64_t)x[2] * 0xcd9e8d57;
        const uint32_t y[4] = {(uint32_t)(q >> 32) ^ x[1] ^ k[0], (uint32_t)q, (uint32_t)(p >> 32) ^ x[3] ^ k[1], (uint32_t)p};
        memcpy(x, y, sizeof y);
    }
}
static void philox_2(uint32_t x[2], uint32_t k)
{
    for (int r = 0; r < 7; r++, k += 0x9e3779b9) {
        const uint64_t p = (uint64_t)x[0] * 0xd256d193;
        const uint32_t y[2] = {(uint32_t)(p >> 32) ^ x[1] ^ k, (uint32_t)p};
        memcpy(x, y, sizeof y);
    }
}
/* Word number i of a call's stream. */
static uint32_t model_word(ash_rng_kind kind, uint64_t seed, uint64_t call, int64_t i)
{
    const uint64_t item = 1 + (uint64_t)i / (kind == ASH_RNG_DEFAULT ? 4 : 2), own = kind == ASH_RNG_DEFAULT ? item : 0;
    uint32_t x[4] = {(uint32_t)own, (uint32_t)(own >> 32), (uint32_t)call, (uint32_t)(call >> 32)};
    philox_4(x, seed);
    if (kind == ASH_RNG_DEFAULT)
        return x[i % 4];
    uint32_t y[2] = {(uint32_t)item, x[1] + (uint32_t)(item >> 32)};
    philox_2(y, x[0]);
    return y[i % 2];
}
static uint64_t model_word64(ash_rng_kind kind, uint64_t seed, uint64_t call, int64_t i)
{
    return model_word(kind, seed, call, 2 * i) | (uint64_t)model_word(kind, seed, call, 2 * i + 1) << 32;
}

static void known_answers(void **state)
{
    (void)state;
    /* Random123, tests/kat_vectors */
    static const struct {
        uint32_t key[2];
        uint64_t item, call;
        uint32_t want[4];
    } of_4[] =
        {{{0, 0}, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
         {{~0u, ~0u}, ~0ull, ~0ull, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
         {{0xa4093822, 0x299f31d0}, 0x85a308d3243f6a88, 0x0370734413198a2e, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
      of_2[] = {{{0, 0}, 0, 0, {0x257a3673, 0xcd26be2a}},
                {{~0u, 0}, ~0u, ~0u, {0xab302c4d, 0x3dc9d239}},
                {{0x13198a2e, 0}, 0x243f6a88, 0x85a308d3, {0xbedbbe6b, 0xe4c770b3}}};
    uint32_t word[ASH__RANDOM_STEP];
    for (int level = 1; level <= 4; level++)
        for (int i = 0; i < 3 && ash__cpu_kernels_at(level); i++) {
            const ash__random_table *const t = ash__cpu_kernels_at(level)->random;
            t->words[0](word, of_4[i].key, of_4[i].item, of_4[i].call, COUNT(word));
            assert_memory_equal(word, of_4[i].want, 16);
            t->words[1](word, of_2[i].key, of_2[i].item, of_2[i].call, COUNT(word));
            assert_memory_equal(word, of_2[i].want, 8);
        }
    uint32_t x[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, y[2] = {0x243f6a88, 0x85a308d3};
    philox_4(x, 0x299f31d0a4093822);
    philox_2(y, 0x13198a2e);
    assert_memory_equal(x, of_4[2].want, 16); /* the model itself */
    assert_memory_equal(y, of_2[2].want, 8);
}

/* Streams as they come out, beside those of random.py; from counters that carry too. */
static void words_are_those_of_the_definition(void **state)
{
    (void)state;
    static const struct {
        ash_rng_kind kind;
        ash_rng_state at;
        const uint32_t *want;
    } row[] = {{ASH_RNG_DEFAULT, {1, 0}, words_default_1_0},
               {ASH_RNG_DEFAULT, {1, 1}, words_default_1_1},
               {ASH_RNG_DEFAULT, {0xfedcba9876543210, 0x123456789}, words_default_fedcba9876543210_123456789},
               {ASH_RNG_SECOND, {1, 0}, words_second_1_0},
               {ASH_RNG_SECOND, {1, 1}, words_second_1_1},
               {ASH_RNG_SECOND, {0xfedcba9876543210, 0x123456789}, words_second_fedcba9876543210_123456789}};
    uint32_t got[14];
    for (int i = 0; i < COUNT(row); i++) {
        ASH_SCOPE(scope);
        ash_rng *r = ash_rng_new(row[i].kind);
        CHECK_OK(ash_rng_set_state(r, row[i].at));
        CHECK_OK(ash_to_host(ash_rand(ASH_SHAPE(14), .dtype = ASH_U32, .rng = r), got, sizeof got));
        assert_memory_equal(got, row[i].want, sizeof got);
        for (int k = 0; k < 14; k++)
            CHECK(got[k] == model_word(row[i].kind, row[i].at.seed, row[i].at.calls, k));
        ash_rng_release(r);
    }
    static const uint32_t key[2] = {5, 6};
    uint32_t word[1024];
    for (int level = 1; level <= 4; level++) {
        const ash__kernels *const k = ash__cpu_kernels_at(level);
        if (!k)
            continue;
        k->random->words[0](word, key, 0xfffffff0, 7, 1024);
        for (uint64_t i = 0; i < 256; i++) {
            const uint64_t item = 0xfffffff0 + i;
            uint32_t x[4] = {(uint32_t)item, (uint32_t)(item >> 32), 7, 0};
            philox_4(x, 0x600000005);
            assert_memory_equal(word + 4 * i, x, 16);
        }
        k->random->words[1](word, key, 0xfffffff0, 0xffffffff, 1024);
        for (uint64_t i = 0; i < 512; i++) {
            const uint64_t item = 0xfffffff0 + i;
            uint32_t x[2] = {(uint32_t)item, (uint32_t)(item >> 32) + 0xffffffff};
            philox_2(x, 5);
            assert_memory_equal(word + 2 * i, x, 8);
        }
    }
}

/* ---- the golden values */

#define GOLDEN(DTYPE, T, FUNCTION, ...)                                          \
    do {                                                                         \
        static const T want_[] = {__VA_ARGS__};                                  \
        T got_[COUNT(want_)];                                                    \
        ash_seed(1);                                                             \
        ash_array *const a_ = FUNCTION(ASH_SHAPE(COUNT(want_)), .dtype = DTYPE); \
        CHECK(a_ &&ash_dtype_of(a_) == (DTYPE));                                 \
        CHECK_OK(ash_to_host(a_, got_, sizeof got_));                            \
        for (int i_ = 0; i_ < COUNT(want_); i_++)                                \
            if (got_[i_] != want_[i_])                                           \
                FAIL("%s, element %d", ash_dtype_name(DTYPE), i_);               \
    } while (0)

static void golden(void)
{
    GOLDEN(ASH_F32, float, ash_rand, 0.67199826f, 0.87411195f, 0.47559324f, 0.6561032f, 0.24740148f, 0.55650026f, 0.7131297f,
           0.9215883f);
    CHECK_TEXT_HERE(ash_rand(ASH_SHAPE(4)), "ash.vector f32[4] cpu:0 [0.23174448  0.9386339   0.818228   0.352401]");
    GOLDEN(ASH_I8, int8_t, ash_rand, 27, -66, 71, -109);
    GOLDEN(ASH_U8, uint8_t, ash_rand, 0x1b, 0xbe, 0x47, 0x93);
    GOLDEN(ASH_I16, int16_t, ash_rand, 0x141b, -0x3342, 0x7a47, 0x6093);
    GOLDEN(ASH_U16, uint16_t, ash_rand, 0x141b, 0xccbe, 0x7a47, 0x6093);
    GOLDEN(ASH_I32, int32_t, ash_rand, -1408756709, -540685122, 2042657351, -1477025645);
    GOLDEN(ASH_U32, uint32_t, ash_rand, 0xac08141b, 0xdfc5ccbe, 0x79c07a47, 0xa7f66093);
    GOLDEN(ASH_I64, int64_t, ash_rand, -2322224913537559525, -6343776838585648569);
    GOLDEN(ASH_U64, uint64_t, ash_rand, 0xdfc5ccbeac08141b, 0xa7f6609379c07a47);
    GOLDEN(ASH_BOOL, uint8_t, ash_rand, 1, 0, 1, 1);
    ash_seed(1);
    CHECK_TEXT_HERE(ash_rand(ASH_SHAPE(2), .dtype = ASH_C_F32),
                    "ash.vector c_f32[2] cpu:0 [0.67199826+0.87411195i  0.47559324+0.6561032i]");
}
EVERYWHERE(golden_values, golden)

static void golden_f64(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    GOLDEN(ASH_F64, double, ash_rand, 0.8741119351871308, 0.6561031684921107);
    ash_seed(1);
    CHECK_TEXT(ash_rand(ASH_SHAPE(1), .dtype = ASH_C_F64),
               "ash.vector c_f64[1] cpu:0 [0.8741119351871308+0.6561031684921107i]");
}

/* Normals of the specification, those of random.py, and where the two coincide. */
static void golden_normals(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const float first[] = {-0.4481541f, 0.26125014f, -0.85477567f, -0.33501208f};
    float f32[32];
    double f64[32];
    ash_seed(1);
    CHECK_OK(ash_to_host(ash_randn(ASH_SHAPE(16)), f32, 16 * sizeof *f32));
    for (int i = 0; i < 16; i++) {
        CHECK_ULPS_F32(f32[i], normal_f32_1_0[i], 2);
        if (i < 4)
            CHECK_ULPS_F32(f32[i], first[i], 1);
    }
    CHECK_OK(ash_to_host(ash_randn(ASH_SHAPE(2)), f32, 2 * sizeof *f32));
    CHECK_ULPS_F32(f32[0], -0.35001364f, 1);
    CHECK_ULPS_F32(f32[1], -0.064419515f, 1);
    ash_seed(1);
    CHECK_OK(ash_to_host(ash_randn(ASH_SHAPE(16), .dtype = ASH_F64), f64, 16 * sizeof *f64));
    for (int i = 0; i < 16; i++)
        CHECK_ULPS(f64[i], normal_f64_1_0[i], 2);
    ash_seed(1);
    CHECK_OK(ash_to_host(ash_randn(ASH_SHAPE(8), .dtype = ASH_C_F32), f32, 16 * sizeof *f32));
    for (int i = 0; i < 16; i++)
        CHECK_ULPS_F32(f32[i], normal_c_f32_1_0[i], 2);
    ash_seed(1);
    CHECK_OK(ash_to_host(ash_randn(ASH_SHAPE(8), .dtype = ASH_C_F64), f64, 16 * sizeof *f64));
    for (int i = 0; i < 16; i++)
        CHECK_ULPS(f64[i], normal_c_f64_1_0[i], 2);
    ash_seed(1);
    CHECK_OK(ash_to_host(ash_randexp(ASH_SHAPE(16)), f32, 16 * sizeof *f32));
    for (int i = 0; i < 16; i++)
        CHECK_ULPS_F32(f32[i], exponential_f32_1_0[i], 2);
    ash_seed(1);
    CHECK_OK(ash_to_host(ash_randexp(ASH_SHAPE(16), .dtype = ASH_F64), f64, 16 * sizeof *f64));
    for (int i = 0; i < 16; i++)
        CHECK_ULPS(f64[i], exponential_f64_1_0[i], 2);
}

/* ---- numbers of words, for every dtype and many counts */

static const int64_t counts[] = {1, 2, 3, 5, 127, 128, 129, 511, 513, 1023, 1024, 1025, 3001};

static float model_f32(uint32_t w)
{
    return (float)((double)(float)w * 0x1p-32 + 0x1p-33);
}

/* Part number i of a uniform fill, as the bytes of one part. */
static void model_part(unsigned char *part, ash_dtype dtype, ash_rng_kind kind, uint64_t seed, uint64_t call, int64_t i)
{
    const size_t size = ash_dtype_size(dtype);
    const uint64_t w = size == 8 ? model_word64(kind, seed, call, i) : model_word(kind, seed, call, i);
    const float f = model_f32((uint32_t)w);
    const double d = (double)((long double)(double)w * 0x1p-64L + 0x1p-65L);
    const uint16_t half = dtype == ASH_F16 ? ash__f16_from_f64((double)f) : ash__bf16_from_f64((double)f);
    const uint8_t bit = w & 1;
    memcpy(part, &w, size);
    if (dtype == ASH_BOOL)
        memcpy(part, &bit, size);
    else if (dtype == ASH_F32)
        memcpy(part, &f, size);
    else if (dtype == ASH_F64)
        memcpy(part, &d, size);
    else if (dtype == ASH_F16 || dtype == ASH_BF16)
        memcpy(part, &half, size);
}

static void check_uniform(const ash_array *a, ash_dtype dtype, ash_rng_kind kind, uint64_t seed, uint64_t call)
{
    const ash_dtype part = ash__part(dtype);
    const size_t size = ash_dtype_size(part);
    const int64_t parts = ash_size(a) * (part == dtype ? 1 : 2);
    unsigned char *got = malloc((size_t)parts * size), want[16];
    CHECK_OK(ash_to_host(a, got, (size_t)parts * size));
    for (int64_t i = 0; i < parts; i++) {
        model_part(want, part, kind, seed, call, i);
        if (memcmp(got + (size_t)i * size, want, size) != 0)
            FAIL("%s, %" PRId64 " elements: part %" PRId64, ash_dtype_name(dtype), ash_size(a), i);
    }
    free(got);
}

static void uniform_numbers(void **state)
{
    (void)state;
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
    for (int c = 0; c < COUNT(counts); c++) {
        ASH_SCOPE(scope);
        CHECK_OK(ash_rng_set_state(ash_default_rng(), (ash_rng_state){0x123456789abcdef0, 3}));
        check_uniform(ash_rand(ASH_SHAPE(counts[c]), .dtype = dtype), dtype, ASH_RNG_DEFAULT, 0x123456789abcdef0, 3);
        NO_ERROR();
    }
    ash_rng *r = ash_rng_new(ASH_RNG_SECOND);
    for
        EACH_DTYPE(dtype, ASH_I8, ASH_F32)
    for (int c = 0; c < COUNT(counts) && dtype != ASH_F16 && dtype != ASH_BF16; c++) {
        ASH_SCOPE(scope);
        CHECK_OK(ash_rng_set_state(r, (ash_rng_state){0x123456789abcdef0, 3}));
        check_uniform(ash_rand(ASH_SHAPE(counts[c]), .dtype = dtype, .rng = r), dtype, ASH_RNG_SECOND, 0x123456789abcdef0, 3);
    }
    ash_rng_release(r);
}

/* Counts do not change the numbers: a short fill is the beginning of a long one. */
static void normals_are_beginnings(void **state)
{
    (void)state;
    static const ash_dtype dtypes[] = {ASH_F16, ASH_BF16, ASH_F32, ASH_F64, ASH_C_F16, ASH_C_BF16, ASH_C_F32, ASH_C_F64};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int c = 0; c < COUNT(counts); c++)
            for (int exponential = 0; exponential < (d < 4 ? 2 : 1); exponential++) {
                ASH_SCOPE(scope);
                ash_array *(*const draw)(ash_dims, const ash_rand_options *) = exponential ? ash_randexp_opt : ash_randn_opt;
                const ash_rand_options o = {.dtype = dtypes[d], ASH_SIZED(ash_rand_options)};
                ash_seed(9);
                const ash_array *all = draw(ASH_SHAPE(4000), &o);
                ash_seed(9);
                CHECK(ash_equal(draw(ASH_SHAPE(counts[c]), &o), ash_slice(all, 0, counts[c]), .identical = true));
            }
    ASH_SCOPE(scope);
    for (int d = 0; d < 8; d++) /* narrow ones are f32 rounded; complex ones are narrower by sqrt 2 */
        if (ash_dtype_size(ash__part(dtypes[d])) == 2) {
            ash_seed(9);
            const ash_array *wide = ash_randn(ASH_SHAPE(3001), .dtype = d < 4 ? ASH_F32 : ASH_C_F32);
            ash_seed(9);
            CHECK(ash_equal(ash_randn(ASH_SHAPE(3001), .dtype = dtypes[d]), ash_convert(wide, dtypes[d]), .identical = true));
        }
}

/* ---- parts: the elements from any number on are those of the whole */

ASH_RECORD(pair, (f32, x, 3), (f64, y), (c_f32, z, 2));

/* One call with the drawing of a number, from element `first` on: into out, or into a new vector of n. */
static ash_array *draw_part(int drawing, ash_dtype dtype, int64_t n, int64_t first, ash_rng *rng, ash_array *out)
{
    ash_array *a = out ? out : ash_empty(((ash_dims){&n, 1}), .dtype = dtype, .storage = here.storage);
    ash_rng_set_state(rng, (ash_rng_state){0x123456789abcdef0, 3});
    const ash_status status = drawing == 0   ? ash_rand_into(a, .rng = rng, .first = first)
                              : drawing == 1 ? ash_randn_into(a, .rng = rng, .first = first)
                              : drawing == 2 ? ash_randexp_into(a, .rng = rng, .first = first)
                              : drawing == 3 ? ash_randint_into(a, 3, 101, .rng = rng, .first = first)
                                             : ash_randint_into(a, INT64_MIN, INT64_MAX, .rng = rng, .first = first);
    if (status)
        ash_error_clear(); /* this dtype has no such numbers */
    return status ? NULL : a;
}

static void parts_here(void)
{
    enum { N = 3000 };
    static const int64_t firsts[] = {0, 1, 2, 3, 4, 5, 127, 128, 1023, 1024, 1025, 2047, 2998, 2999};
    for (int kind = ASH_RNG_DEFAULT; kind <= ASH_RNG_SECOND; kind++) {
        ash_rng *rng = ash_rng_new((ash_rng_kind)kind);
        for (int d = ASH_BOOL; d <= (int)ASH_C_F64 + 1; d++)
            for (int drawing = 0; drawing < 5; drawing++) {
                ASH_SCOPE(scope);
                const ash_dtype dtype = d > (int)ASH_C_F64 ? pair_dtype() : (ash_dtype)d;
                const ash_array *whole = draw_part(drawing, dtype, N, 0, rng, NULL);
                for (int i = 0; whole && i < COUNT(firsts); i++) {
                    const int64_t left = N - firsts[i], n = i % 3 && left > 40 ? 37 : left;
                    const ash_array *want = ash_slice(whole, firsts[i], firsts[i] + n);
                    ash_array *part = draw_part(drawing, dtype, n, firsts[i], rng, NULL);
                    ash_array *room = ash_zeros(ASH_SHAPE(2 * n), .dtype = dtype, .storage = here.storage);
                    ash_array *spread = ash_slice(room, ASH_OPEN, ASH_OPEN, .step = -2);
                    CHECK(part && draw_part(drawing, dtype, n, firsts[i], rng, spread));
                    if (dtype != pair_dtype()) { /* records are compared by their fields */
                        CHECK(ash_equal(part, want, .identical = true) && ash_equal(spread, want, .identical = true));
                        continue;
                    }
                    for (int k = 0; k < 3; k++) {
                        static const char *const names[] = {"x", "y", "z"};
                        CHECK(ash_equal(ash_field(part, names[k]), ash_field(want, names[k]), .identical = true));
                        CHECK(ash_equal(ash_field(spread, names[k]), ash_field(want, names[k]), .identical = true));
                    }
                }
            }
        ash_rng_release(rng);
    }
}

EVERYWHERE(parts, parts_here)

/* Far out, against the definition: element 2^40 + 1 is made of the item that has its word. */
static void far_parts(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_rng *rng = ash_rng_new(ASH_RNG_DEFAULT);
    const int64_t first = (INT64_C(1) << 40) + 1;
    CHECK_OK(ash_rng_seed(rng, 5));
    ash_array *a = ash_rand(ASH_SHAPE(6), .dtype = ASH_U32, .rng = rng, .first = first);
    for (int64_t i = 0; i < 6; i++)
        CHECK(ash_get_u32(a, i) == model_word(ASH_RNG_DEFAULT, 5, 0, first + i));
    ash_rng_release(rng);
    CHECK(ash_rand(ASH_SHAPE(2), .first = -1) == NULL);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rand: .first is -1; for f32 it is from 0 to 288230376151711744");
    CHECK(ash_randint(0, 5, ASH_SHAPE(2), .first = INT64_MAX) == NULL);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_randint: .first is 9223372036854775807; for i64 it is from 0 to 144115188075855872");
    CHECK(ash_permutation(3, .first = 1) == NULL);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_permutation: ");
}

/* ---- the functions of the words, beside long double */

static long double exact_exponential(uint64_t w, int bits)
{
    const long double one = bits == 64 ? 0x1p64L : 0x1p32L;
    const uint64_t rest = bits == 64 ? ~w : (uint32_t)~w;
    return rest < 1ull << (bits - 2) ? -log1pl(-((long double)rest + 0.5L) / one) : -logl(((long double)w + 0.5L) / one);
}
static void exact_normals(long double x[2], uint64_t u, uint64_t w, int bits)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    const long double y = ((long double)(u >> 3) + 0.5L) / (bits == 64 ? 0x1p63L : 0x1p31L);
    const long double s = sinl(pi * y), c = cosl(pi * y), r = sqrtl(2 * exact_exponential(w, bits));
    x[0] = r * (u & 1 ? c : s) * (u & 2 ? -1 : 1);
    x[1] = r * (u & 1 ? s : c) * (u & 4 ? -1 : 1);
}

static void near_exact(void **state)
{
    (void)state;
    enum { N = 1 << 17 };
    static uint32_t word[N],
        edge[] = {0,          1,          7,          8,          9,          0xffffffff, 0xfffffffe, 0xfffffff8, 0x7fffffff,
                  0x80000000, 0xb504f333, 0xb504f334, 0x5a82799a, 0xff000000, 0x00ffffff, 0xfffff,    0x123};
    static float f32[N];
    static double f64[N / 2];
    const ash__random_table *const t = ash__cpu_kernels()->random;
    static const uint32_t key[2] = {77, 78};
    t->words[0](word, key, 1, 0, N);
    for (int i = 0; i < 64 * COUNT(edge); i++) { /* all pairs of edges, and in 64 bits */
        word[2 * i] = edge[i % COUNT(edge)];
        word[2 * i + 1] = edge[i / COUNT(edge) % COUNT(edge)];
    }
    t->normal[0](f32, word, -2, N);
    for (int i = 0; i < N; i += 2) {
        long double want[2];
        exact_normals(want, word[i], word[i + 1], 32);
        CHECK(isfinite(f32[i]) && isfinite(f32[i + 1]));
        CHECK_ULPS_F32(f32[i], (float)want[0], 4);
        CHECK_ULPS_F32(f32[i + 1], (float)want[1], 4);
    }
    t->exponential[0](f32, word, N);
    for (int i = 0; i < N; i++) {
        CHECK(f32[i] > 0 && f32[i] < 23);
        CHECK_ULPS_F32(f32[i], (float)exact_exponential(word[i], 32), 2);
    }
    t->normal[1](f64, word, -2, N / 2);
    for (int i = 0; i < N / 4; i++) {
        long double want[2];
        const uint32_t *const w = word + 4 * i;
        exact_normals(want, w[0] | (uint64_t)w[1] << 32, w[2] | (uint64_t)w[3] << 32, 64);
        CHECK(isfinite(f64[2 * i]) && isfinite(f64[2 * i + 1]));
        CHECK_ULPS(f64[2 * i], (double)want[0], 4);
        CHECK_ULPS(f64[2 * i + 1], (double)want[1], 4);
    }
    t->exponential[1](f64, word, N / 2);
    for (int i = 0; i < N / 2; i++) {
        CHECK(f64[i] > 0 && f64[i] < 46);
        CHECK_ULPS(f64[i], (double)exact_exponential(word[2 * i] | (uint64_t)word[2 * i + 1] << 32, 64), 2);
    }
}

/* Every kernel gives the same bits on every level. */
static void same_on_every_level(void **state)
{
    (void)state;
    enum { N = 1 << 13 };
    static uint32_t word[2][N];
    static uint64_t number[2][N];
    static const uint32_t key[2] = {1, 2};
    const ash__random_table *const least = ash__cpu_kernels_at(1) ? ash__cpu_kernels_at(1)->random : NULL;
    for (int level = 2; level <= 4 && least; level++) {
        const ash__random_table *const t = ash__cpu_kernels_at(level) ? ash__cpu_kernels_at(level)->random : least;
        for (int which = 0; which < 2; which++) {
            least->words[which](word[0], key, 1, 2, N);
            t->words[which](word[1], key, 1, 2, N);
            assert_memory_equal(word[0], word[1], sizeof word[0]);
        }
        for (int width = 0; width < 2; width++)
            for (int n = N / 2 - 9; n <= N / 2; n++) {
                const size_t nbytes = (size_t)n * (width ? 8 : 4);
                memset(number, 0, sizeof number);
                least->uniform[width](number[0], word[0], n);
                t->uniform[width](number[1], word[0], n);
                assert_memory_equal(number[0], number[1], nbytes);
                least->normal[width](number[0], word[0], -2, n);
                t->normal[width](number[1], word[0], -2, n);
                assert_memory_equal(number[0], number[1], nbytes);
                least->exponential[width](number[0], word[0], n);
                t->exponential[width](number[1], word[0], n);
                assert_memory_equal(number[0], number[1], sizeof number[0]); /* and nothing behind them */
            }
        least->range_of_2(number[0], word[0], 5, 1000003, N / 2);
        t->range_of_2(number[1], word[0], 5, 1000003, N / 2);
        assert_memory_equal(number[0], number[1], N / 2 * sizeof(uint64_t));
        least->truth(number[0], word[0], N);
        t->truth(number[1], word[0], N);
        assert_memory_equal(number[0], number[1], N);
    }
}

/* ---- integers in a range */

static int64_t model_range(int64_t low, __uint128_t span, uint64_t seed, uint64_t call, int64_t i)
{
    const uint64_t first = model_word64(ASH_RNG_DEFAULT, seed, call, span <= (uint64_t)1 << 32 ? i : 2 * i);
    if (span <= (uint64_t)1 << 32)
        return (int64_t)((uint64_t)low + (uint64_t)(first * span >> 64));
    const uint64_t second = model_word64(ASH_RNG_DEFAULT, seed, call, 2 * i + 1);
    /* floor(span * (first + second * 2^64) / 2^128), in digits of 32 bits */
    const uint32_t a[4] = {(uint32_t)first, (uint32_t)(first >> 32), (uint32_t)second, (uint32_t)(second >> 32)};
    uint64_t digit[8] = {0};
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++) {
            const uint64_t p = (uint64_t)a[j] * (uint32_t)(span >> (32 * k));
            digit[j + k] += (uint32_t)p;
            digit[j + k + 1] += p >> 32;
        }
    for (int j = 0; j < 7; j++)
        digit[j + 1] += digit[j] >> 32;
    return (int64_t)((uint64_t)low + ((uint32_t)digit[4] | digit[5] << 32));
}

static void integers_in_a_range(void **state)
{
    (void)state;
    static const struct {
        int64_t low, last;
        ash_dtype dtype;
    } row[] = {{0, 9, ASH_I64},
               {-3, -3, ASH_I8},
               {-128, 127, ASH_I8},
               {0, 255, ASH_U8},
               {-32768, 5, ASH_I16},
               {INT32_MIN, INT32_MAX, ASH_I32},
               {0, UINT32_MAX, ASH_U32},
               {-1, UINT32_MAX, ASH_I64},
               {0, INT64_C(1) << 40, ASH_U64},
               {INT64_MIN, INT64_MAX, ASH_I64},
               {INT64_MIN, INT64_MAX - 1, ASH_I64}};
    enum { N = 700 };
    int64_t got[N];
    for (int k = 0; k < COUNT(row); k++) {
        ASH_SCOPE(scope);
        const __uint128_t span = (__uint128_t)((__int128_t)row[k].last - row[k].low + 1);
        CHECK_OK(ash_rng_set_state(ash_default_rng(), (ash_rng_state){42, 5}));
        const ash_array *a = ash_randint(row[k].low, row[k].last, ASH_SHAPE(N), .dtype = row[k].dtype, .inclusive = true);
        CHECK_OK(ash_to_host_as(a, got, sizeof got, ASH_I64));
        for (int64_t i = 0; i < N; i++)
            if (got[i] != model_range(row[k].low, span, 42, 5, i))
                FAIL("range %d: element %" PRId64 " is %" PRId64, k, i, got[i]);
        if (row[k].last < INT64_MAX) { /* the same without .inclusive */
            ash_array *b = ash_zeros(ASH_SHAPE(N), .dtype = row[k].dtype);
            CHECK_OK(ash_rng_set_state(ash_default_rng(), (ash_rng_state){42, 5}));
            CHECK_OK(ash_randint_into(b, row[k].low, row[k].last + 1));
            CHECK(ash_equal(a, b));
        }
    }
    ASH_SCOPE(scope);
    uint64_t whole[8];
    CHECK_OK(ash_rng_set_state(ash_default_rng(), (ash_rng_state){42, 5}));
    CHECK_OK(ash_to_host(ash_randint(UINT64_C(0), UINT64_MAX, ASH_SHAPE(8), .dtype = ASH_U64, .inclusive = true), whole,
                         sizeof whole));
    for (int i = 0; i < 8; i++)
        CHECK(whole[i] == model_word64(ASH_RNG_DEFAULT, 42, 5, 2 * i + 1));
}

/* ---- arrangements: elements in row-major order, dense column-major ones in that of memory */

static ash_array *reference_fill(ash_dtype dtype, int64_t n)
{
    ash_seed(11);
    return ash__is_float(dtype) ? ash_randn(ASH_SHAPE(n), .dtype = dtype) : ash_rand(ASH_SHAPE(n), .dtype = dtype);
}
static void fill_again(ash_array *a)
{
    ash_seed(11);
    if (ash__is_float(ash_dtype_of(a)))
        CHECK_OK(ash_randn_into(a));
    else
        CHECK_OK(ash_rand_into(a));
}

static void arranged(void)
{
    const bool f64 = strstr(here.device, "f64=off") == NULL;
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
        {
            if (!f64 && ash_dtype_size(ash__part(dtype)) == 8 && ash__is_float(ash__part(dtype)))
                continue;
            ASH_SCOPE(scope);
            const ash_array *row = ash_reshape(reference_fill(dtype, 60), ASH_SHAPE(3, 4, 5));
            ash_array *col = ash_zeros(ASH_SHAPE(3, 4, 5), .dtype = dtype, .layout = ASH_COL_MAJOR);
            fill_again(col); /* in the order of memory */
            CHECK(ash_equal(ash_permute(col, ASH_AXES(2, 1, 0)), ash_reshape(reference_fill(dtype, 60), ASH_SHAPE(5, 4, 3))));
            fill_again(ash_permute(col, ASH_AXES(2, 1, 0))); /* a dense view of it: the same memory in the same order */
            CHECK(ash_equal(ash_permute(col, ASH_AXES(2, 1, 0)), ash_reshape(reference_fill(dtype, 60), ASH_SHAPE(5, 4, 3))));
            ash_array *big = ash_zeros(ASH_SHAPE(7, 9, 11), .dtype = dtype);
            ash_array *view = ash_view(big, ASH_RANGE(5, ASH_OPEN, -2), ASH_RANGE(1, 9, 2), ASH_RANGE(10, 0, -2));
            CHECK_SHAPE(view, 3, 4, 5);
            fill_again(view);
            CHECK(ash_equal(view, row));
            CHECK_OK(ash_fill(view, 0));
            CHECK(!ash_item(ash_any(big), bool));             /* nothing around it was touched */
            fill_again(ash_permute(view, ASH_AXES(1, 0, 2))); /* its own row-major order */
            CHECK(ash_equal(ash_permute(view, ASH_AXES(1, 0, 2)), ash_reshape(row, ASH_SHAPE(4, 3, 5))));
            ash_array *adjoint = ash_adjoint(ash_zeros(ASH_SHAPE(6, 10), .dtype = dtype)); /* dense, column-major */
            fill_again(adjoint);
            CHECK(ash_equal(ash_transpose(adjoint), ash_reshape(reference_fill(dtype, 60), ASH_SHAPE(6, 10))));
        }
}
EVERYWHERE(arrangements, arranged)

static void any_number_of_threads(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const int64_t n = 1000003, before = ash_threads();
    static const ash_dtype dtypes[] = {ASH_F32, ASH_C_F64, ASH_BF16, ASH_U8};
    for (int d = 0; d < COUNT(dtypes); d++) {
        ash_array *one = ash_zeros(ASH_SHAPE(n), .dtype = dtypes[d]), *many = ash_zeros(ASH_SHAPE(n), .dtype = dtypes[d]);
        ash_array *spread = ash_zeros(ASH_SHAPE(n, 2), .dtype = dtypes[d]);
        CHECK_OK(ash_set_threads(1));
        fill_again(one);
        CHECK_OK(ash_set_threads(3));
        fill_again(many);
        fill_again(ash_view(spread, ASH_ALL, 1));
        CHECK(ash_equal(one, many) && ash_equal(one, ash_view(spread, ASH_ALL, 1)));
        CHECK(!ash_item(ash_any(ash_view(spread, ASH_ALL, 0)), bool));
    }
    CHECK_OK(ash_set_threads(before));
}

/* Elements at addresses that are no multiple of their size. */
static void unaligned(void **state)
{
    (void)state;
    static const ash_dtype dtypes[] = {ASH_F32, ASH_F64, ASH_C_F64, ASH_BF16, ASH_I64};
    for (int d = 0; d < COUNT(dtypes); d++) {
        ASH_SCOPE(scope);
        const int64_t n = 1500, nbytes = n * (int64_t)ash_dtype_size(dtypes[d]);
        ash_array *bytes = ash_zeros(ASH_SHAPE(nbytes + 2), .dtype = ASH_U8);
        ash_array *a = ash_reinterpret(ash_slice(bytes, 1, nbytes + 1), dtypes[d]);
        fill_again(a);
        CHECK(ash_equal(a, reference_fill(dtypes[d], n)));
        CHECK(!ash_item(ash_index(bytes, 0), uint8_t) && !ash_item(ash_index(bytes, nbytes + 1), uint8_t));
    }
}

/* Sizes 0 and rank 0, which is one element. */
static void least_shapes(void)
{
    ash_seed(1);
    CHECK_SHAPE(ash_rand(ASH_SHAPE(2, 0, 3)), 2, 0, 3);
    CHECK_SHAPE(ash_randn(ASH_SHAPE(0)), 0);
    CHECK_SHAPE(ash_randint(0, 5, ASH_SHAPE(0)), 0);
    CHECK_OK(ash_randexp_into(ash_zeros(ASH_SHAPE(0, 4))));
    CHECK(ash_rng_state_of(ash_default_rng()).calls == 0);
    ash_array *one = ash_rand(ASH_SHAPE());
    CHECK_SCALAR(one);
    CHECK_FLOATS(one, (double)0.67199826f);
    CHECK(ash_rng_state_of(ash_default_rng()).calls == 1);
    CHECK_FLOATS(ash_rand(ASH_SHAPE(1, 1)), (double)0.23174448f);
    const int64_t ones[ASH_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3};
    ash_seed(1);
    CHECK_FLOATS(ash_rand(((ash_dims){ones, ASH_MAX_RANK})), (double)0.67199826f, (double)0.87411195f, (double)0.47559324f);
}
EVERYWHERE(least, least_shapes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(known_answers),
        TEST(words_are_those_of_the_definition),
        TEST(golden_values),
        TEST(golden_f64),
        TEST(golden_normals),
        TEST(uniform_numbers),
        TEST(normals_are_beginnings),
        TEST(parts),
        TEST(far_parts),
        TEST(near_exact),
        TEST(same_on_every_level),
        TEST(integers_in_a_range),
        TEST(arrangements),
        TEST(any_number_of_threads),
        TEST(unaligned),
        TEST(least),
    };
    return cmocka_run_group_tests_name("random numbers", tests, NULL, NULL);
}
