/*
 * native.c - function strings as native code beside the loops a C programmer would write: any dtype, selection, truth values.
 *
 * Each row is one call of a kept function into an array, so what a call costs by itself counts too, but in the rows of small
 * arrays, which say "code": there a call of 16 elements is taken off. The interpreter's times for the same are those with
 * ASHLAR_NATIVE=0.
 */
#include <math.h>
#include <stdio.h>

#include "ashlar/ashlar.h"
#include "bench.h"
#include "hand.h"

enum { ARRAYS = 3, MOST = 10000000 };

typedef struct job {
    ash_function *f;
    ash_array *out, *x[ARRAYS];
    ash_operand operand[ARRAYS];
    void *to;
    const void *from[ARRAYS];
    int64_t n;
    int arrays;
} job;

static void ours(void *p)
{
    job *const j = p;
    ash_map_into_function_opt(j->out, j->f, (ash_operands){j->operand, j->arrays}, NULL);
}

static void by_hand_square(void *p)
{
    hand_square_plus_1(((job *)p)->to, ((job *)p)->from[0], ((job *)p)->n);
}
static void by_hand_hypot(void *p)
{
    hand_hypot(((job *)p)->to, ((job *)p)->from[0], ((job *)p)->from[1], ((job *)p)->n);
}
static void by_hand_polynomial(void *p)
{
    hand_polynomial(((job *)p)->to, ((job *)p)->from[0], ((job *)p)->n);
}
static void by_hand_choose(void *p)
{
    const job *const j = p;
    hand_choose(j->to, j->from[0], j->from[1], j->from[2], j->n);
}
static void by_hand_square_f64(void *p)
{
    hand_square_plus_1_f64(((job *)p)->to, ((job *)p)->from[0], ((job *)p)->n);
}
static void by_hand_hypot_f64(void *p)
{
    hand_hypot_f64(((job *)p)->to, ((job *)p)->from[0], ((job *)p)->from[1], ((job *)p)->n);
}
static void by_hand_mixed(void *p)
{
    hand_mixed(((job *)p)->to, ((job *)p)->from[0], ((job *)p)->from[1], ((job *)p)->n);
}
static void by_hand_gauss(void *p)
{
    hand_gauss(((job *)p)->to, ((job *)p)->from[0], 0.4f, ((job *)p)->n);
}
static void by_hand_bits(void *p)
{
    hand_bits(((job *)p)->to, ((job *)p)->from[0], ((job *)p)->from[1], ((job *)p)->n);
}
static void by_hand_within(void *p)
{
    hand_within(((job *)p)->to, ((job *)p)->from[0], ((job *)p)->from[1], ((job *)p)->n);
}

typedef struct kind {
    const char *name, *text;
    int arrays;
    ash_dtype out, in[ARRAYS];
    void (*hand)(void *context);
} kind;

static const kind kinds[] = {
    {"a*a + 1", "a -> a*a + 1", 1, ASH_F32, {ASH_F32}, by_hand_square},
    {"sqrt(x*x + y*y)", "(x, y) -> sqrt(x*x + y*y)", 2, ASH_F32, {ASH_F32, ASH_F32}, by_hand_hypot},
    {"polynomial, 10 operations",
     "x -> ((((0.1*x + 0.2)*x + 0.3)*x + 0.4)*x + 0.5)*x + 0.6",
     1,
     ASH_F32,
     {ASH_F32},
     by_hand_polynomial},
    {"a > 0.5 ? x : y", "(a, x, y) -> a > 0.5 ? x : y", 3, ASH_F32, {ASH_F32, ASH_F32, ASH_F32}, by_hand_choose},
    {"a*a + 1, f64", "a -> a*a + 1", 1, ASH_F64, {ASH_F64}, by_hand_square_f64},
    {"sqrt(x*x + y*y), f64", "(x, y) -> sqrt(x*x + y*y)", 2, ASH_F64, {ASH_F64, ASH_F64}, by_hand_hypot_f64},
    {"x*y + 1, f32 and f64", "(x, y) -> x*y + 1", 2, ASH_F64, {ASH_F32, ASH_F64}, by_hand_mixed},
    {"shifts and bits, i32", "(x, y) -> xor(x << 3, y)*x + (y >> 5)", 2, ASH_I32, {ASH_I32, ASH_I32}, by_hand_bits},
    {"exp(-x*x/2)*0.4", "x -> exp(-x*x/2)*0.4", 1, ASH_F32, {ASH_F32}, by_hand_gauss},
    {"three comparisons", "(x, y) -> 0.2 < x && x < 0.8 && x != y", 2, ASH_BOOL, {ASH_F32, ASH_F32}, by_hand_within},
};

static volatile float sink;
static void ours_distance(void *p)
{
    ash_release(ash_map_reduce_function_opt(((job *)p)->f, "+", (ash_operands){((job *)p)->operand, 2}, NULL));
}
static void by_hand_distance(void *p)
{
    sink = hand_square_distance(((job *)p)->from[0], ((job *)p)->from[1], ((job *)p)->n);
}
static const kind distance = {"sum of (x - y)^2", "(x, y) -> (x - y)*(x - y)", 2, ASH_F32, {ASH_F32, ASH_F32},
                              by_hand_distance};

static ash_array *filled(ash_dtype dtype, int64_t n)
{
    ash_array *const a = ash_empty(ASH_SHAPE(n), .dtype = dtype);
    void *const to = a ? ash_map_host(a) : NULL;
    for (int64_t i = 0; to && i < n; i++) {
        const double x = (double)(i * 7919 % 1000) * 1e-3;
        if (dtype == ASH_F32)
            ((float *)to)[i] = (float)x;
        else if (dtype == ASH_F64)
            ((double *)to)[i] = x;
        else
            ((int32_t *)to)[i] = (int32_t)(i * 2654435761u);
    }
    return a;
}

static job job_for(const kind *k, int64_t n)
{
    job j = {.n = n, .arrays = k->arrays, .f = ash_function_new(k->text)};
    j.out = ash_zeros(ASH_SHAPE(n), .dtype = k->out);
    j.to = ash_map_host(j.out);
    for (int i = 0; i < k->arrays; i++) {
        j.x[i] = filled(k->in[i], n);
        j.from[i] = ash_map_host(j.x[i]);
        j.operand[i] = ash_operand_array(j.x[i]);
    }
    return j;
}

static void end_job(job *j)
{
    for (int i = 0; i < j->arrays; i++)
        ash_release(j->x[i]);
    ash_release(j->out);
    ash_function_release(j->f);
}

static void measure(const kind *k, void (*run)(void *context), int64_t n, double goal)
{
    job j = job_for(k, n);
    double ratio = INFINITY;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "ours", .run = run, .context = &j}, {.name = "hand", .run = k->hand, .context = &j}};
        timing_run(c, 2, 3e-4);
        ratio = fmin(ratio, time_of(&c[0], n) / time_of(&c[1], n));
    }
    report("nat", k->name, n, ratio, "x hand loop", true, goal, noise(n));
    end_job(&j);
}

/* Code alone: what n elements cost beyond a call of 16, on both sides. */
static void measure_code(const kind *k, int64_t n, double goal)
{
    job few = job_for(k, 16), many = job_for(k, n);
    double ratio = INFINITY;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.run = ours, .context = &many},
                         {.run = k->hand, .context = &many},
                         {.run = ours, .context = &few},
                         {.run = k->hand, .context = &few}};
        timing_run(c, 4, 3e-4);
        ratio = fmin(ratio, (time_of(&c[0], n) - time_of(&c[2], 16)) / (time_of(&c[1], n) - time_of(&c[3], 16)));
    }
    report("nat", k->name, n, ratio, "x hand, code", true, goal, noise(n));
    end_job(&few);
    end_job(&many);
}

void bench_native(void)
{
    static const struct {
        int64_t n;
        double goal, folds;
    } row[] = {{60000, 1.05, 0}, {1000000, 1.05, 1.15}, {MOST, 1.10, 1.15}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const bool is_costly = kinds[k].hand == by_hand_gauss;
        measure_code(&kinds[k], 1000, is_costly ? 0.85 : 1.2);
        measure_code(&kinds[k], 4096, is_costly ? 0.85 : kinds[k].out == ASH_F64 ? 1.3 : 1.1);
    }
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            measure(&kinds[k], ours, row[r].n, row[r].goal);
        if (row[r].folds > 0)
            measure(&distance, ours_distance, row[r].n, row[r].folds);
    }
}
