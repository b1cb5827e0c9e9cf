/* random.c - random numbers, the same bits on every device; include/ashlar/random.h. Their values: tests/rng.c, random.c. */
#include "trial.h"

#define WHERE .dtype = now.dtype, .layout = now.layout

/* An array that is there; its layout says in which order it is filled, in steps that is row-major. */
static ash_array *place(void)
{
    if (now.edge != TURNED || now.reference)
        return ash_zeros(HERE, .dtype = now.dtype, .layout = now.edge == TURNED ? ASH_ROW_MAJOR : now.layout);
    const model start = model_new(now.dtype, now.shape, now.rank);
    return give_out(&start).array;
}

static void filled(ash_array *a, ash_status status)
{
    result_number(status);
    expect_number(ASH_OK);
    if (now.edge == TURNED)
        result(ash_copy(a));
    else
        result(a);
}

static void run_rand(void)
{
    result(ash_rand(HERE, WHERE));
}
static void run_randn(void)
{
    result(ash_randn(HERE, WHERE));
}
static void run_randexp(void)
{
    result(ash_randexp(HERE, WHERE));
}
static void run_randint(void)
{
    result(ash_randint(3, 100, HERE, WHERE));
}

static void run_rand_into(void)
{
    ash_array *const a = place();
    filled(a, ash_rand_into(a));
}
static void run_randn_into(void)
{
    ash_array *const a = place();
    filled(a, ash_randn_into(a));
}
static void run_randexp_into(void)
{
    ash_array *const a = place();
    filled(a, ash_randexp_into(a));
}
static void run_randint_into(void)
{
    ash_array *const a = place();
    filled(a, ash_randint_into(a, 3, 100, .inclusive = true));
}

/* The other generator, and a part of a larger array. */
static void run_rand_second(void)
{
    ash_rng *const rng = ash_rng_new(ASH_RNG_SECOND);
    ash_rng_seed(rng, 5);
    ash_array *const a = ash_rand(HERE, .rng = rng, .first = 7, WHERE), *const b = ash_randn(HERE, .rng = rng, WHERE);
    ash_rng_release(rng);
    result(a);
    result(b);
}

static void run_permutation(void)
{
    result(ash_permutation(now.shape[0]));
}
static void run_shuffle(void)
{
    const argument a = give_here(ANYTHING);
    result(ash_shuffle(a.array));
}
static void run_shuffle_into(void)
{
    const argument a = give_here(ANYTHING), out = give_out(&a.value);
    result_status(ash_shuffle_into(out.array, out.array, .axis = now.rank - 1), &out);
}

const operation random_operations[] = {
    {"rand", run_rand, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"randn", run_randn, FLOATS | COMPLEX_FLOATS, EVERY_EDGE, EXACT, EXACT, 0},
    {"randexp", run_randexp, FLOATS, EVERY_EDGE, EXACT, EXACT, 0},
    {"randint", run_randint, INTEGERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"rand_into", run_rand_into, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"randn_into", run_randn_into, FLOATS | COMPLEX_FLOATS, EVERY_EDGE, EXACT, EXACT, 0},
    {"randexp_into", run_randexp_into, FLOATS, EVERY_EDGE, EXACT, EXACT, 0},
    {"randint_into", run_randint_into, INTEGERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"rand_second", run_rand_second, ONE(ASH_F32), EVERY_EDGE, EXACT, EXACT, 0},
    {"permutation", run_permutation, ONE(ASH_I64), VECTORS, EXACT, EXACT, 0},
    {"shuffle", run_shuffle, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"shuffle_into", run_shuffle_into, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
