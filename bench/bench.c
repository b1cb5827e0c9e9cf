/*
 * bench.c - the library against loops written by hand, in one process, interleaved.
 *
 * Prints for each goal the ratio, the goal and whether it is met; docs/bench.md says what the numbers mean. Ratios are of
 * minimums over rounds up to a million elements, of medians above; one thread unless said. A goal counts as met within the
 * measured noise of the method: 15 % in the first cache, 10 % to a million elements, 20 % beyond. Up to three tries, of which
 * the best counts, for noise only makes things slower.
 *
 * Usage: ashlar-bench [PART...], of threads, opencl, expressions, functions, calls, broadcast, transposes, reductions, order,
 * linalg, factor, spectral, random, static, fft, native; all without.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "ashlar/ashlar.h"
#include "bench.h"
#include "hand.h"
#include "timing.h"

enum { LARGEST = 10000000 };

/* Everything a candidate may need. */
typedef struct work {
    ash_function *f;
    ash_array *out, *a, *b;
    float *o, *x, *y;
    int64_t n;
    ash_operand operand[2];
    int64_t operands;
    ash_reduce_options reduce;
} work;

static int goals, met;
static volatile float sink;

double noise(int64_t n) { return n <= 4096 ? 1.15 : n <= 1000000 ? 1.10 : 1.20; }

void report(const char *number, const char *what, int64_t n, double ratio, const char *unit, bool at_most, double goal,
            double slack)
{
    const bool fine = at_most ? ratio <= goal : ratio >= goal, near = at_most ? ratio <= goal * slack : ratio >= goal / slack;
    printf("%-4s %-44s %9lld  %8.2f %-12s %s %-6.4g %s\n", number, what, (long long)n, ratio, unit, at_most ? "<=" : ">=", goal,
           fine ? "met" : near ? "met (noise)" : "NOT MET");
    fflush(stdout);
    goals++;
    met += near;
}

double time_of(const candidate *c, int64_t n) { return n <= 1000000 ? timing_min(c) : timing_median(c); }

/* ---- candidates */

static void ours_into(void *p)
{
    work *w = p;
    ash_map_into_function_opt(w->out, w->f, (ash_operands){w->operand, w->operands}, NULL);
}
static void ours_new(void *p)
{
    work *w = p;
    ash_release(ash_map_function_opt(w->f, (ash_operands){w->operand, w->operands}, NULL));
}
static void ours_eager_add(void *p)
{
    work *w = p;
    ash_release(ash_map_opt("(a, b) -> a + b", (ash_operands){w->operand, w->operands}, NULL));
}
static void ours_sum(void *p)
{
    work *w = p;
    ash_release(ash_sum_opt(w->a, &w->reduce));
}
static void ours_max(void *p)
{
    work *w = p;
    ash_release(ash_max_opt(w->a, &w->reduce));
}
static void ours_var(void *p)
{
    work *w = p;
    ash_release(ash_var_opt(w->a, &w->reduce));
}
static void ours_cumsum(void *p)
{
    work *w = p;
    ash_scan_into_opt(w->out, "+", w->a, NULL);
}
static void ours_copy(void *p)
{
    work *w = p;
    ash_copy_into_opt(w->out, w->a, NULL);
}
static void by_hand_copy(void *p)
{
    work *w = p;
    hand_copy(w->o, w->x, w->n);
}
static void by_hand_read(void *p)
{
    work *w = p;
    sink = hand_read(w->x, w->n);
}
static void by_hand_square(void *p)
{
    work *w = p;
    hand_square_plus_1(w->o, w->x, w->n);
}
static void by_hand_hypot(void *p)
{
    work *w = p;
    hand_hypot(w->o, w->x, w->y, w->n);
}
static void by_hand_gauss(void *p)
{
    work *w = p;
    hand_gauss(w->o, w->x, 0.4f, w->n);
}
static void by_hand_polynomial(void *p)
{
    work *w = p;
    hand_polynomial(w->o, w->x, w->n);
}
static void by_hand_add(void *p)
{
    work *w = p;
    hand_add(w->o, w->x, w->y, w->n);
}

/* ---- expressions: goals 1 to 5 */

typedef struct expression {
    const char *name, *text;
    int operands; /* arrays */
    bool scalar;  /* and one f32 scalar */
    void (*hand)(void *context);
} expression;

static const expression expressions[] = {
    {"a*a + 1", "a -> a*a + 1", 1, false, by_hand_square},
    {"sqrt(x*x + y*y)", "(x, y) -> sqrt(x*x + y*y)", 2, false, by_hand_hypot},
    {"exp(-x*x/2)*c", "(x, c) -> exp(-x*x/2)*c", 1, true, by_hand_gauss},
    {"polynomial, 10 operations", "x -> ((((0.1*x + 0.2)*x + 0.3)*x + 0.4)*x + 0.5)*x + 0.6", 1, false, by_hand_polynomial},
};

static ash_array *wrapped(float *data, int64_t n) { return ash_wrap(data, ASH_F32, n, ASH_SHAPE(n)); }

static work work_for(const expression *e, float *o, float *x, float *y, int64_t n)
{
    work w = {.o = o, .x = x, .y = y, .n = n, .out = wrapped(o, n), .a = wrapped(x, n), .b = wrapped(y, n)};
    w.f = ash_function_new(e->text);
    w.operand[0] = ash_operand_array(w.a);
    w.operand[1] = e->scalar ? ash_operand_f32(0.4f) : ash_operand_array(w.b);
    w.operands = e->operands + e->scalar;
    return w;
}

static void end_work(work *w)
{
    ash_function_release(w->f);
    ash_release(w->out);
    ash_release(w->a);
    ash_release(w->b);
}

/* Best of the tries: time / hand loop, and copy loop / time. */
static void measure_expression(const expression *e, float *o, float *x, float *y, int64_t n, double *to_hand, double *of_limit)
{
    work w = work_for(e, o, x, y, n);
    *to_hand = INFINITY;
    *of_limit = 0;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "ours", .run = ours_into, .context = &w},
                         {.name = "hand", .run = e->hand, .context = &w},
                         {.name = "copy", .run = by_hand_copy, .context = &w}};
        timing_run(c, 3, 3e-4);
        const double ours = time_of(&c[0], n);
        *to_hand = fmin(*to_hand, ours / time_of(&c[1], n));
        *of_limit = fmax(*of_limit, time_of(&c[2], n) * (e->operands + 1) / 2 / ours); /* the same bytes */
    }
    end_work(&w);
}

static void bench_expressions(float *o, float *x, float *y)
{
    static const struct {
        int64_t n;
        const char *number[4];
        double hand[4], limit;
    } row[] = {
        {4096, {"3", "3", "5", "4"}, {1.4, 1.4, 1.15, 2.2}, 0},
        {60000, {"3", "3", "5", "4"}, {1.4, 1.4, 1.15, 2.2}, 0},
        {1000000, {"1", "1", "5", "4"}, {1.15, 1.15, 1.15, 2.2}, 0.90},
        {LARGEST, {"2", "2", "5", ""}, {1.25, 1.25, 1.25, 0}, 0.80},
    };
    for (size_t r = 0; r < sizeof row / sizeof row[0]; r++)
        for (int e = 0; e < 4; e++) {
            if (!*row[r].number[e])
                continue;
            double to_hand, of_limit;
            measure_expression(&expressions[e], o, x, y, row[r].n, &to_hand, &of_limit);
            report(row[r].number[e], expressions[e].name, row[r].n, to_hand, "x hand loop", true, row[r].hand[e],
                   noise(row[r].n));
            if (e < 2 && row[r].limit > 0)
                report(row[r].number[e], expressions[e].name, row[r].n, of_limit, "of copy", false, row[r].limit,
                       noise(row[r].n));
        }
}

/* ---- goal 6: rates of elementary functions */

static void bench_functions(float *o, float *x, float *y)
{
    static const struct {
        const char *text;
        double goal;
    } row[] = {{"exp", 6}, {"log", 3.4}, {"sin", 6}, {"tanh", 2.8}};
    for (size_t r = 0; r < sizeof row / sizeof row[0]; r++) {
        const expression e = {row[r].text, row[r].text, 1, false, NULL};
        work w = work_for(&e, o, x, y, 2048);
        double best = 0;
        for (int t = 0; t < TRIES; t++) {
            candidate c = {.name = "ours", .run = ours_into, .context = &w};
            timing_run(&c, 1, 3e-4);
            best = fmax(best, 2048 / timing_min(&c) * 1e-9);
        }
        report("6", row[r].text, 2048, best, "Gelem/s", false, row[r].goal, noise(2048));
        end_work(&w);
    }
}

/* ---- goal 7: fresh results cost no page faults */

static int64_t faults_now(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static void bench_fresh(float *o, float *x, float *y)
{
    static const int64_t sizes[] = {4096, 100000, 1000000, LARGEST};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        work w = work_for(&expressions[0], o, x, y, sizes[i]);
        double ratio = INFINITY;
        for (int t = 0; t < TRIES; t++) {
            candidate c[] = {{.name = "new", .run = ours_new, .context = &w},
                             {.name = "into", .run = ours_into, .context = &w}};
            timing_run(c, 2, 3e-4);
            ratio = fmin(ratio, time_of(&c[0], sizes[i]) / time_of(&c[1], sizes[i]));
        }
        report("7", "a*a + 1, new result / given output", sizes[i], ratio, "", true, 1.10, noise(sizes[i]));
        const int64_t before = faults_now();
        for (int j = 0; j < 20; j++)
            ours_new(&w);
        report("7", "page faults of a warm operation", sizes[i], (double)(faults_now() - before) / 20, "faults", true, 0, 1);
        end_work(&w);
    }
}

/* ---- goal 8: tiny arrays */

static void bench_tiny(float *o, float *x, float *y)
{
    work w = work_for(&expressions[0], o, x, y, 16), add = work_for(&expressions[1], o, x, y, 16);
    double compiled = INFINITY, eager = INFINITY;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "compiled", .run = ours_into, .context = &w},
                         {.name = "eager", .run = ours_eager_add, .context = &add}};
        timing_run(c, 2, 3e-4);
        compiled = fmin(compiled, timing_min(&c[0]) * 1e9);
        eager = fmin(eager, timing_min(&c[1]) * 1e9);
    }
    report("8", "a*a + 1, compiled, output given", 16, compiled, "ns", true, 25, 1.15);
    report("8", "a + b, text, with its result", 16, eager, "ns", true, 60, 1.15);
    end_work(&w);
    end_work(&add);
}

/* ---- goal 9: broadcasts */

static void bench_broadcast(float *o, float *x, float *y)
{
    static const int64_t shape[][2] = {{250000, 4}, {100000, 10}, {10000, 100}, {1000, 1000}};
    for (int column = 0; column < 2; column++)
        for (size_t i = 0; i < 4; i++) {
            const int64_t rows = shape[i][0], k = shape[i][1], n = rows * k;
            work w = {.o = o, .x = x, .y = y, .n = n, .operands = 2, .f = ash_function_new("(a, b) -> a - b")};
            w.out = ash_wrap(o, ASH_F32, n, ASH_SHAPE(rows, k));
            w.a = ash_wrap(x, ASH_F32, n, ASH_SHAPE(rows, k));
            w.b = column ? ash_wrap(y, ASH_F32, rows, ASH_SHAPE(rows, 1)) : ash_wrap(y, ASH_F32, k, ASH_SHAPE(k));
            w.operand[0] = ash_operand_array(w.a), w.operand[1] = ash_operand_array(w.b);
            double limit = 0;
            for (int t = 0; t < TRIES; t++) {
                candidate c[] = {{.name = "ours", .run = ours_into, .context = &w},
                                 {.name = "copy", .run = by_hand_copy, .context = &w}};
                timing_run(c, 2, 3e-4);
                limit = fmax(limit, timing_min(&c[1]) / timing_min(&c[0]));
            }
            char what[64];
            snprintf(what, sizeof what, "(n, %lld) - %s", (long long)k, column ? "(n, 1)" : "row");
            report("9", what, n, limit, "of copy", false, column ? 0.60 : 0.80, noise(n));
            end_work(&w);
        }
}

/* ---- goals 12 to 15: reductions and running sums */

static double share_of(void (*ours)(void *), void (*limit)(void *), work *w)
{
    double best = 0;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "ours", .run = ours, .context = w}, {.name = "limit", .run = limit, .context = w}};
        timing_run(c, 2, 3e-4);
        best = fmax(best, time_of(&c[1], w->n) / time_of(&c[0], w->n));
    }
    return best;
}

static void bench_reductions(float *o, float *x, float *y)
{
    static const int64_t sizes[] = {1000000, LARGEST};
    for (size_t i = 0; i < 2; i++) {
        work w = work_for(&expressions[0], o, x, y, sizes[i]);
        w.reduce.struct_size = sizeof w.reduce;
        report("12", "sum", w.n, share_of(ours_sum, by_hand_read, &w), "of read", false, 0.85, noise(w.n));
        report("12", "max, NaN-aware", w.n, share_of(ours_max, by_hand_read, &w), "of read", false, 0.85, noise(w.n));
        report("13", "var, one pass", w.n, share_of(ours_var, by_hand_read, &w), "of read", false, 0.45, noise(w.n));
        report("15", "cumsum", w.n, share_of(ours_cumsum, by_hand_copy, &w), "of copy", false, 0.60, noise(w.n));
        end_work(&w);
    }
}

static void bench_axis_sums(float *o, float *x, float *y)
{
    static const int64_t shape[][2] = {{250000, 4}, {100000, 10}, {10000, 100}, {1000, 1000}};
    (void)y;
    for (int64_t axis = 0; axis < 2; axis++)
        for (size_t i = 0; i < 4; i++) {
            const int64_t rows = shape[i][0], k = shape[i][1];
            work w = {.o = o, .x = x, .n = rows * k, .a = ash_wrap(x, ASH_F32, rows * k, ASH_SHAPE(rows, k))};
            w.reduce.struct_size = sizeof w.reduce;
            w.reduce.axes = (ash_axes){&axis, 1};
            char what[64];
            snprintf(what, sizeof what, "sum of axis %lld, (n, %lld)", (long long)axis, (long long)k);
            report("14", what, w.n, share_of(ours_sum, by_hand_read, &w), "of read", false, axis ? 0.5 : 0.6, noise(w.n));
            ash_release(w.a);
        }
}

/* ---- goals 10 and 11, which come with no promise here: transposes */

static void bench_transposes(float *o, float *x, float *y)
{
    static const struct {
        int64_t n;
        double copy, add;
    } row[] = {{1000, 0.6, 0.35}, {1024, 0.3, 0.25}, {3000, 0.45, 0.45}};
    for (size_t i = 0; i < 3; i++) {
        const int64_t n = row[i].n;
        work w = {.o = o, .x = x, .y = y, .n = n * n, .operands = 2, .f = ash_function_new("(a, b) -> a + b")};
        ash_array *square = ash_wrap(x, ASH_F32, n * n, ASH_SHAPE(n, n));
        w.out = ash_wrap(o, ASH_F32, n * n, ASH_SHAPE(n, n));
        w.b = ash_wrap(y, ASH_F32, n * n, ASH_SHAPE(n, n));
        w.a = ash_transpose(square);
        w.operand[0] = ash_operand_array(w.a), w.operand[1] = ash_operand_array(w.b);
        char what[64];
        snprintf(what, sizeof what, "transposing copy, %lld squared", (long long)n);
        report("10", what, n * n, share_of(ours_copy, by_hand_copy, &w), "of copy", false, row[i].copy, noise(n * n));
        snprintf(what, sizeof what, "transpose(a) + b, %lld squared", (long long)n);
        report("11", what, n * n, share_of(ours_into, by_hand_add, &w), "of a + b", false, row[i].add, noise(n * n));
        ash_release(square);
        end_work(&w);
    }
}

/* ---- goal 24: two threads */

static double time_with_threads(work *w, int64_t threads)
{
    ash_set_threads(threads);
    double best = INFINITY;
    for (int t = 0; t < TRIES; t++) { /* bursts of one kind: alternating moves the data between the cores' caches */
        candidate c = {.name = "ours", .run = ours_into, .context = w};
        timing_run(&c, 1, 3e-4);
        best = fmin(best, timing_min(&c));
    }
    return best;
}

static void bench_threads(float *o, float *x, float *y)
{
    ash_set_threads(0);
    if (ash_threads() < 2) {
        printf("24   skipped: this process has one processor\n");
        return;
    }
    for (int e = 0; e < 3; e++) {
        work w = work_for(&expressions[e], o, x, y, 1000000);
        const double one = time_with_threads(&w, 1), two = time_with_threads(&w, 2);
        report("24", expressions[e].name, w.n, one / two, "x 1 thread", false, 1.8, noise(w.n));
        end_work(&w);
    }
    work small = work_for(&expressions[0], o, x, y, 8192);
    const double one = time_with_threads(&small, 1), two = time_with_threads(&small, 2);
    report("24", "a*a + 1 below the threshold, 2 threads", small.n, two / one, "x 1 thread", true, 1.0, noise(4096));
    end_work(&small);
}

static void pin_to_first_processor(void)
{
#ifdef __linux__
    cpu_set_t all, first;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all)) {
            CPU_ZERO(&first);
            CPU_SET(i, &first);
            sched_setaffinity(0, sizeof first, &first);
            return;
        }
#endif
}

static int asked;
static char **part;

/* All parts run unless some are named on the command line. */
static bool wanted(const char *name)
{
    for (int i = 0; i < asked; i++)
        if (strcmp(part[i], name) == 0)
            return true;
    return asked == 0;
}

int main(int count, char **argument)
{
    asked = count - 1;
    part = argument + 1;
    const ash_make_options make = {.struct_size = sizeof make, .dtype = ASH_F32};
    const int64_t n = LARGEST + 1024;
    ash_array *memory[3];
    float *p[3];
    for (int i = 0; i < 3; i++) {
        memory[i] = ash_ones_opt((ash_dims){&n, 1}, &make);
        p[i] = memory[i] ? (float *)ash_map_host(memory[i]) + 272 * i : NULL; /* other page offsets: no false dependences */
        if (!p[i]) {
            fprintf(stderr, "bench: %s\n", ash_error_text());
            return 1;
        }
    }
    for (int64_t i = 0; i < LARGEST; i++) {
        p[1][i] = (float)(i % 1000) * 1e-3f;
        p[2][i] = (float)(i % 77) * 1e-2f;
    }
    printf("goal case                                         elements     ratio\n");
    if (wanted("threads")) { /* before this thread is bound to one processor */
        bench_threads(p[0], p[1], p[2]);
        bench_order_threads();
        bench_linalg_threads();
    }
    if (wanted("opencl")) {
        bench_opencl();
        bench_opencl_dense();
    }
    ash_set_threads(1);
    pin_to_first_processor();
    if (wanted("expressions"))
        bench_expressions(p[0], p[1], p[2]);
    if (wanted("functions"))
        bench_functions(p[0], p[1], p[2]);
    if (wanted("calls")) {
        bench_fresh(p[0], p[1], p[2]);
        bench_tiny(p[0], p[1], p[2]);
    }
    if (wanted("broadcast"))
        bench_broadcast(p[0], p[1], p[2]);
    if (wanted("transposes"))
        bench_transposes(p[0], p[1], p[2]);
    if (wanted("reductions")) {
        bench_reductions(p[0], p[1], p[2]);
        bench_axis_sums(p[0], p[1], p[2]);
    }
    static const struct {
        const char *name;
        void (*run)(void);
    } rest[] = {{"order", bench_order},   {"linalg", bench_linalg}, {"factor", bench_factor}, {"spectral", bench_spectral},
                {"random", bench_random}, {"static", bench_static}, {"fft", bench_fft},       {"native", bench_native}};
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        if (wanted(rest[k].name))
            rest[k].run();
    for (int i = 0; i < 3; i++)
        ash_release(memory[i]);
    if (ash_failed())
        fprintf(stderr, "bench: %s\n", ash_error_text());
    printf("%d of %d met\n", met, goals);
    return 0;
}
