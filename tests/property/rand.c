/*
 * rand.c - uniform numbers into arrays that are there, and shuffled slices; include/ashlar/random.h, docs/random.md.
 */
#include <string.h>

#include "draw.h"

/* Word number i of the default generator's stream. */
static uint32_t word_of(uint64_t seed, uint64_t call, int64_t i)
{
    const uint64_t item = 1 + (uint64_t)i / 4;
    uint32_t x[4] = {(uint32_t)item, (uint32_t)(item >> 32), (uint32_t)call, (uint32_t)(call >> 32)};
    uint32_t k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int r = 0; r < 10; r++) {
        const uint64_t p = UINT64_C(0xd2511f53) * x[0], q = UINT64_C(0xcd9e8d57) * x[2];
        const uint32_t next[4] = {(uint32_t)(q >> 32) ^ x[1] ^ k[0], (uint32_t)q, (uint32_t)(p >> 32) ^ x[3] ^ k[1],
                                  (uint32_t)p};
        memcpy(x, next, sizeof x);
        k[0] += 0x9e3779b9;
        k[1] += 0xbb67ae85;
    }
    return x[i % 4];
}

static uint64_t word64_of(uint64_t seed, uint64_t call, int64_t i)
{
    return word_of(seed, call, 2 * i) | (uint64_t)word_of(seed, call, 2 * i + 1) << 32;
}

/* Uniform numbers of a dtype that is real. */
static model numbers(ash_dtype dtype, int64_t n, uint64_t seed, uint64_t call)
{
    const bool narrow = is_float(dtype) && ash_dtype_size(dtype) == 2;
    const model out = model_new(narrow ? ASH_F32 : dtype, &n, 1);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t w = out.nbytes == 8 ? word64_of(seed, call, i) : word_of(seed, call, i);
        const uint8_t bit = w & 1;
        const float f = (float)(uint32_t)w * 0x1p-32f + 0x1p-33f; /* the product is exact */
        const double d = (double)w * 0x1p-64 + 0x1p-65;
        memcpy(model_at(&out, i),
               dtype == ASH_BOOL      ? (const void *)&bit
               : out.dtype == ASH_F32 ? (const void *)&f
               : dtype == ASH_F64     ? (const void *)&d
                                      : (const void *)&w, /* its low bytes */
               out.nbytes);
    }
    model rounded = out;
    if (narrow)
        model_convert(&rounded, &out, dtype);
    return rounded;
}

/* Those of an array, in its order. */
static model uniform_for(const argument *a, uint64_t seed, uint64_t call)
{
    const model out = model_new(a->value.dtype, a->value.shape, a->value.rank);
    const ash_dtype part = part_of(out.dtype);
    const int64_t each = part == out.dtype ? 1 : 2;
    const model parts = numbers(part, each * out.size, seed, call);
    const bool col_major = ash_layout_of(a->array) == ASH_COL_MAJOR;
    for (int64_t i = 0; i < out.size; i++) {
        int64_t index[MODEL_RANK], place = i;
        index_of(&out, i, index);
        if (col_major) {
            place = 0;
            for (int64_t k = out.rank; k-- > 0;)
                place = place * out.shape[k] + index[k];
        }
        memcpy(model_at(&out, i), model_at(&parts, each * place), out.nbytes);
    }
    return out;
}

static void draw_rand_into(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 5);
    const ash_dtype dtype = draw_number();
    argument *a = draw_writable("a", dtype, shape, rank, draw_style());
    const uint64_t seed = random_bits(), calls = one_in(2) ? random_bits() : 0;
    ash_rng *const rng = ash_rng_new(ASH_RNG_DEFAULT);
    ash_rng_set_state(rng, (ash_rng_state){seed, calls});
    say(" seed %" PRIu64 ", call %" PRIu64, seed, calls);
    const ash_status status = ash_rand_into(a->array, .rng = rng);
    const bool counted = ash_rng_state_of(rng).calls == calls + (a->value.size ? 1 : 0);
    ash_rng_release(rng);
    check_done(status);
    if (!counted)
        fail("the call was not counted");
    const model want = uniform_for(a, seed, calls);
    expect_in(a, &want);
}

/* The permutation of n: positions in stable order of u64 keys. */
static void permutation_of(int64_t *order, int64_t n, uint64_t seed)
{
    uint64_t *const key = draw_memory((size_t)(n + 1) * sizeof *key);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        key[i] = word64_of(seed, 0, i);
        for (; at > 0 && key[order[at - 1]] > key[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void draw_shuffle(void)
{
    const argument *a = draw_any("a", draw_dtype(), 1, 4);
    const int64_t axis = random_below(a->value.rank), n = a->value.shape[axis];
    const uint64_t seed = random_bits();
    int64_t *const order = draw_memory((size_t)(n + 1) * sizeof *order);
    const model want = model_new(a->value.dtype, a->value.shape, a->value.rank);
    permutation_of(order, n, seed);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&want, i, index);
        index[axis] = order[index[axis]];
        model_put(&want, i, &a->value, position_of(&want, index));
    }
    ash_rng *const rng = ash_rng_new(ASH_RNG_DEFAULT);
    ash_rng_seed(rng, seed);
    say(" axis %" PRId64 ", seed %" PRIu64, axis, seed);
    ash_array *const got = ash_shuffle(a->array, .axis = draw_axis(a->value.rank, axis), .rng = rng);
    ash_rng_release(rng);
    check_new_like(got, &want, a);
}

const operation rand_operations[] = {{"rand_into", draw_rand_into, 2}, {"shuffle", draw_shuffle, 1}, {NULL, NULL, 0}};
