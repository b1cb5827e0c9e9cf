/*
 * cpu_scan.c - scans of the CPU device, as tasks.
 *
 * Expected values: a walk in logical order that folds by the definition (fold_reference.h), on integers small enough that
 * sums of floats are exact; long double sums; closed forms.
 */
#include "fold_reference.h"

typedef struct scan_case {
    int64_t axis;
    bool col_major, exclusive, with_init, in_place;
} scan_case;

static bool folds(ash__fold fold, ash_dtype dtype)
{
    const ash_dtype machine = ash__machine(ash__part(dtype));
    return ash__is_complex(dtype) ? fold == ASH__FOLD_SUM : ash__cpu_kernels()->fold->scans->scan[fold][machine] != NULL;
}

/* What a scan begins with: init, or the neutral element as numbers are shown. */
static machine_value beginning(ash__fold fold, ash_dtype machine, bool with_init)
{
    static const int64_t init = 1;
    machine_value v;
    memset(&v, 0, sizeof v);
    const double infinity = fold == ASH__FOLD_MIN ? (double)INFINITY : -(double)INFINITY;
    const uint64_t ones = machine == ASH_BOOL ? 1 : UINT64_MAX;
    const bool minus = machine >= ASH_I8 && machine <= ASH_I64, min = fold == ASH__FOLD_MIN, max = fold == ASH__FOLD_MAX;
    for (int k = 0; k < 2; k++) {
        uint64_t bits = with_init || fold == ASH__FOLD_PROD ? (uint64_t)init : fold == ASH__FOLD_AND ? ones : 0;
        if (!with_init && (min || max)) /* largest for the minimum, smallest for the maximum */
            bits = min     ? (minus ? ones >> (65 - 8 * ash_dtype_size(machine)) : ones)
                   : minus ? (uint64_t)1 << (8 * ash_dtype_size(machine) - 1)
                           : 0;
        if (machine >= ASH_F32)
            set_double(machine, v.part[k], with_init || fold == ASH__FOLD_PROD ? 1 : min || max ? infinity : 0);
        else
            memcpy(v.part[k], &bits, 8);
        if (machine < ASH_F32)
            memset(v.part[k] + ash_dtype_size(machine), 0, 8 - ash_dtype_size(machine));
    }
    return v;
}

/* Steps index through a in the order of the scan: along its axis fastest, or in logical order. */
static bool step(const grid *a, const scan_case *c, int64_t *index, bool *first)
{
    *first = false;
    if (c->axis >= 0) {
        if (++index[c->axis] < a->shape[c->axis])
            return true;
        index[c->axis] = 0;
        *first = true;
    }
    for (int64_t i = 0; i < a->rank; i++) {
        const int64_t k = c->col_major ? i : a->rank - 1 - i;
        if (k == c->axis)
            continue;
        if (++index[k] < a->shape[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static ash__task scan_task(const grid *a, ash__program *program, const ash__span *operand, grid *out, ash__fold fold,
                           int64_t axis)
{
    return (ash__task){.kind = ASH__TASK_SCAN,
                       .function = "test",
                       .rank = a->rank,
                       .shape = a->shape,
                       .program = program,
                       .operand_count = 1,
                       .operand = operand,
                       .out = grid_span(out),
                       .fold = fold,
                       .axis = axis};
}

static void check_scan(ash__fold fold, grid *a, ash_dtype out_dtype, int out_layout, const scan_case *c)
{
    const ash_dtype machine = ash__machine(ash__part(a->dtype));
    const int parts = ash__is_complex(a->dtype) ? 2 : 1;
    grid out, copy = *a;
    int64_t index[MOST_AXES] = {0};
    bool more = a->count > 0, first = true;
    grid_make(&out, out_dtype, a->rank, a->shape, out_layout);
    if (c->in_place) { /* out lies exactly as the operand: scan a copy of it */
        grid_free(&out);
        out = *a;
        grid_make(&copy, a->dtype, a->rank, a->shape, ROWS_FIRST);
        for (bool next = more; next; next = grid_next(a, index))
            memcpy(grid_at(&copy, index), grid_at(a, index), ash_dtype_size(a->dtype));
    }
    ash__program *const program = load_program(a->dtype, a->dtype);
    const ash__span operand = grid_span(a);
    const machine_value start = beginning(fold, machine, c->with_init);
    ash__task task = scan_task(a, program, &operand, &out, fold, c->axis);
    task.has_init = c->with_init;
    task.col_major = c->col_major;
    task.exclusive = c->exclusive;
    memcpy(task.init, start.part[0], ash_dtype_size(machine));
    if (parts == 2)
        memcpy(task.init + ash_dtype_size(machine), start.part[1], ash_dtype_size(machine));
    assert_int_equal(ash__cpu_scan(&task), ASH_OK);
    machine_value running = start;
    memset(index, 0, sizeof index);
    while (more) {
        const machine_value x = grid_read(&copy, grid_at(&copy, index)), got = grid_read(&out, grid_at(&out, index));
        if (first)
            running = start;
        const machine_value before = running;
        for (int k = 0; k < parts; k++) {
            if (first && !c->with_init)
                memcpy(running.part[k], x.part[k], 8);
            else
                define(fold, machine, running.part[k], x.part[k]);
            if (!same(machine, got.part[k], (c->exclusive ? before : running).part[k]))
                fail_msg(
                    "fold %d of %s, shape %lld %lld %lld, index %lld %lld %lld, axis %lld, exclusive %d, init %d, in place %d",
                    fold, ash_dtype_name(a->dtype), (long long)a->shape[0], (long long)a->shape[1], (long long)a->shape[2],
                    (long long)index[0], (long long)index[1], (long long)index[2], (long long)c->axis, c->exclusive,
                    c->with_init, c->in_place);
        }
        more = step(a, c, index, &first);
    }
    ash__program_release(program);
    grid_free(c->in_place ? &copy : &out);
}

static void check_all(ash__fold fold, ash_dtype dtype, int64_t rank, const int64_t *shape, int layout)
{
    for (int64_t axis = -1; axis < rank; axis++)
        for (int how = 0; how < 16; how++) {
            const scan_case c = {axis, axis < 0 && how & 8, how & 1, how & 2, (how & 4) && layout < LAST_REPEATED};
            grid a;
            if (how & 8 && axis >= 0)
                continue;
            grid_make(&a, dtype, rank, shape, layout);
            grid_fill(&a, false);
            check_scan(fold, &a, dtype, (int)(axis + how) & 3, &c);
            grid_free(&a);
        }
}

/* ---- tests */

static void small_shapes(void **unused)
{
    (void)unused;
    static const int64_t sizes[] = {3, 1, 0, 5};
    for (int64_t rank = 0; rank <= 3; rank++)
        for (int n = 0; n < 1 << 2 * rank; n++) {
            int64_t shape[MOST_AXES] = {0};
            for (int64_t k = 0; k < rank; k++)
                shape[k] = sizes[n >> 2 * k & 3];
            check_all(ASH__FOLD_SUM, ASH_F32, rank, shape, n % LAYOUTS);
            check_all(ASH__FOLD_MIN, ASH_I8, rank, shape, (n + 1) % LAYOUTS);
            check_all(ASH__FOLD_SUM, ASH_C_I32, rank, shape, (n + 2) % LAYOUTS);
        }
}

static void every_dtype_and_fold(void **unused)
{
    (void)unused;
    static const int64_t shapes[][3] = {{2, 130, 3}, {40, 5, 20}, {3, 4, 70}};
    static const ash_dtype dtypes[] = {ASH_BOOL, ASH_I8,  ASH_I16,  ASH_I32, ASH_I64, ASH_U8,    ASH_U16,  ASH_U32,
                                       ASH_U64,  ASH_F16, ASH_BF16, ASH_F32, ASH_F64, ASH_C_F32, ASH_C_I16};
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
        for (int fold = ASH__FOLD_SUM; fold <= ASH__FOLD_XOR; fold++)
            for (int s = 0; s < 3 && folds((ash__fold)fold, dtypes[d]); s++) {
                const bool floats = ash__is_float(dtypes[d]), half = dtypes[d] == ASH_F16 || dtypes[d] == ASH_BF16;
                if (!(floats && fold == ASH__FOLD_PROD) && !(half && fold == ASH__FOLD_SUM)) /* what cannot be exact */
                    check_all((ash__fold)fold, dtypes[d], 3, shapes[s], (s + (int)d) % LAYOUTS);
            }
}

/* Lengths 0 to 300, and about the lengths of groups and blocks; with one thread and with two. */
static void all_lengths(void **unused)
{
    (void)unused;
    for (int64_t n = 0; n <= 12300; n = n < 300    ? n + 1
                                        : n == 300 ? 4094
                                        : n < 4100 ? n + 1
                                        : n < 8190 ? 8190
                                        : n < 8194 ? n + 1
                                                   : n + 1025) {
        ash__set_thread_count(1 + n % 2);
        check_all(ASH__FOLD_SUM, n % 3 ? ASH_F32 : ASH_F64, 1, &n, (int)(n % 4));
        check_all(n % 2 ? ASH__FOLD_MAX : ASH__FOLD_SUM, n % 5 ? ASH_I64 : ASH_U16, 1, &n, (int)(n % 3));
    }
    ash__set_thread_count(0);
}

static void long_lines_are_shared(void **unused)
{
    (void)unused;
    static const int64_t shapes[][3] = {{1, 1, 200000}, {2, 1, 70000}, {1, 70000, 2}, {100, 1, 3000},
                                        {1, 3000, 100}, {70, 40, 30},  {3, 9, 5000},  {5, 20, 2500}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int threads = 1; threads <= 3; threads += 2) {
            ash__set_thread_count(threads);
            for (int64_t axis = -1; axis < 3; axis++)
                for (int how = 0; how < 4; how++) {
                    const scan_case c = {axis, false, how & 1, how & 2, how == 2};
                    grid a;
                    grid_make(&a, how % 2 ? ASH_I64 : ASH_F32, 3, shapes[s], how);
                    grid_fill(&a, false);
                    check_scan(ASH__FOLD_SUM, &a, a.dtype, (how + 1) % 4, &c);
                    grid_free(&a);
                }
        }
    ash__set_thread_count(0);
}

/* Column-major columns of ones, of lengths about the blocks': each counts up from 1. */
static void columns_count_up(void **unused)
{
    (void)unused;
    static const int64_t shapes[][2] = {{1023, 2}, {1024, 5}, {1025, 2}, {2047, 5}, {5121, 5}};
    for (int s = 0; s < 5; s++) {
        grid a, out;
        int64_t index[MOST_AXES] = {0};
        grid_make(&a, ASH_F32, 2, shapes[s], COLUMNS_FIRST);
        for (int64_t i = 0; i < a.count; i++)
            grid_write(&a, a.data + 4 * i, 1);
        grid_make(&out, ASH_F32, 2, shapes[s], COLUMNS_FIRST);
        ash__program *const program = load_program(ASH_F32, ASH_F32);
        const ash__span operand = grid_span(&a);
        const ash__task task = scan_task(&a, program, &operand, &out, ASH__FOLD_SUM, 0);
        assert_int_equal(ash__cpu_scan(&task), ASH_OK);
        do
            assert_true(as_double(ASH_F32, grid_at(&out, index)) == (double)(index[0] + 1));
        while (grid_next(&out, index));
        ash__program_release(program);
        grid_free(&a);
        grid_free(&out);
    }
}

static uint64_t bits_of_scans(int64_t threads)
{
    static const int64_t shapes[][3] = {{1, 1, 100000}, {2, 1, 40000}, {30, 50, 20}, {3, 5000, 3}};
    uint64_t digest = UINT64_C(14695981039346656037);
    state = 88172645463325252u;
    ash__set_thread_count(threads);
    for (int s = 0; s < 4; s++)
        for (int type = 0; type < 2; type++)
            for (int64_t axis = -1; axis < 3; axis++)
                for (int how = 0; how < 4; how++) {
                    grid a, out;
                    const ash_dtype dtype = type ? ASH_F64 : ASH_F32;
                    grid_make(&a, dtype, 3, shapes[s], ROWS_FIRST);
                    grid_fill(&a, true);
                    grid_make(&out, dtype, 3, shapes[s], ROWS_FIRST);
                    ash__program *const program = load_program(dtype, dtype);
                    const ash__span operand = grid_span(&a);
                    ash__task task = scan_task(&a, program, &operand, &out, how & 1 ? ASH__FOLD_PROD : ASH__FOLD_SUM, axis);
                    task.exclusive = how & 2;
                    if (ash__cpu_scan(&task) != ASH_OK)
                        return 0;
                    digest = digest_of(out.data, (size_t)out.count * ash_dtype_size(dtype), digest);
                    ash__program_release(program);
                    grid_free(&a);
                    grid_free(&out);
                }
    return digest;
}

static uint64_t bits_with_two_threads(void)
{
    return bits_of_scans(2);
}

static void same_bits_on_every_level(void **unused)
{
    (void)unused;
    check_levels(bits_with_two_threads);
}

static void same_bits_for_any_number_of_threads(void **unused)
{
    (void)unused;
    const uint64_t one = bits_of_scans(1);
    assert_true(one != 0);
    for (int64_t threads = 2; threads <= 5; threads++)
        assert_int_equal(bits_of_scans(threads), one);
    ash__set_thread_count(0);
}

/* The running sum of a million times the f32 nearest 0.1 is off by a few roundings all the way. */
static void running_sums_are_accurate(void **unused)
{
    (void)unused;
    static const int64_t shapes[][2] = {{1, 1000000}, {100000, 20}};
    for (int s = 0; s < 2; s++) {
        grid a;
        int64_t index[MOST_AXES] = {0};
        grid_make(&a, ASH_F32, 2, shapes[s], ROWS_FIRST);
        for (int64_t i = 0; i < a.count; i++)
            grid_write(&a, a.data + 4 * i, (double)0.1f);
        ash__program *const program = load_program(ASH_F32, ASH_F32);
        const ash__span operand = grid_span(&a);
        const ash__task task = scan_task(&a, program, &operand, &a, ASH__FOLD_SUM, 1 - s);
        assert_int_equal(ash__cpu_scan(&task), ASH_OK);
        do {
            const double exact = (double)0.1f * (double)(index[1 - s] + 1), got = as_double(ASH_F32, grid_at(&a, index));
            assert_true(fabs(got - exact) <= exact * 0x1p-22);
        } while (grid_next(&a, index));
        ash__program_release(program);
        grid_free(&a);
    }
}

static void negative_zeros_stay(void **unused)
{
    (void)unused;
    static const int64_t shapes[][2] = {{1, 9000}, {9000, 1}, {3, 40}, {40, 30}};
    for (int s = 0; s < 4; s++)
        for (int64_t axis = -1; axis < 2; axis++) {
            grid a;
            int64_t index[MOST_AXES] = {0};
            grid_make(&a, axis ? ASH_F32 : ASH_F64, 2, shapes[s], ROWS_FIRST);
            do
                grid_write(&a, grid_at(&a, index), -0.0);
            while (grid_next(&a, index));
            const scan_case c = {axis, false, false, false, true};
            check_scan(ASH__FOLD_SUM, &a, a.dtype, ROWS_FIRST, &c);
            grid_free(&a);
        }
}

static void nan_stays_from_its_place_on(void **unused)
{
    (void)unused;
    static const int64_t shape[] = {9000};
    for (int fold = ASH__FOLD_MIN; fold <= ASH__FOLD_MAX; fold++) {
        grid a;
        grid_make(&a, ASH_F32, 1, shape, ROWS_FIRST);
        grid_fill(&a, false);
        grid_write(&a, a.data + 4 * 5000, (double)NAN);
        const scan_case c = {0, false, false, false, true};
        check_scan((ash__fold)fold, &a, ASH_F32, ROWS_FIRST, &c);
        for (int64_t i = 0; i < 9000; i++)
            assert_int_equal(isnan(as_double(ASH_F32, a.data + 4 * i)), i >= 5000);
        grid_free(&a);
    }
}

/* f32 accumulated, f16 stored: rounded once. */
static void halves_are_rounded_once(void **unused)
{
    (void)unused;
    static const int64_t shape[] = {3000};
    grid a, out;
    grid_make(&a, ASH_F16, 1, shape, ROWS_FIRST);
    for (int64_t i = 0; i < 3000; i++)
        grid_write(&a, a.data + 2 * i, 1);
    grid_make(&out, ASH_F16, 1, shape, EVERY_OTHER);
    ash__program *const program = load_program(ASH_F16, ASH_F32);
    const ash__span operand = grid_span(&a);
    const ash__task task = scan_task(&a, program, &operand, &out, ASH__FOLD_SUM, 0);
    assert_int_equal(ash__cpu_scan(&task), ASH_OK);
    for (int64_t i = 0; i < 3000; i++) {
        uint16_t bits;
        memcpy(&bits, grid_at(&out, &i), sizeof bits);
        assert_int_equal(bits, ash__f16_from_f64((double)(i + 1)));
    }
    ash__program_release(program);
    grid_free(&a);
    grid_free(&out);
}

/* ---- by a function that does not commute */

static void check_composition(int64_t rank, const int64_t *shape, int layout, const scan_case *c)
{
    grid a, out;
    int64_t index[MOST_AXES] = {0};
    const int64_t init[2] = {3, -5};
    grid_make(&a, ASH_C_I64, rank, shape, layout);
    grid_fill(&a, false);
    grid_make(&out, ASH_C_I64, rank, shape, (layout + 1) % 4);
    ash__program *const program = load_program(ASH_C_I64, ASH_C_I64), *const combine = compose_program(ASH_C_I64);
    const ash__span operand = grid_span(&a);
    ash__task task = scan_task(&a, program, &operand, &out, ASH__FOLD_FUNCTION, c->axis);
    task.combine = combine;
    task.has_init = c->with_init;
    task.col_major = c->col_major;
    task.exclusive = c->exclusive;
    memcpy(task.init, init, sizeof init);
    assert_int_equal(ash__cpu_scan(&task), ASH_OK);
    bool first = true, more = a.count > 0;
    int64_t running[2] = {0, 0};
    while (more) {
        int64_t x[2], before[2];
        memcpy(x, grid_at(&a, index), sizeof x);
        if (first)
            memcpy(running, init, sizeof running);
        memcpy(before, running, sizeof before);
        if (first && !c->with_init)
            memcpy(running, x, sizeof x);
        else
            compose(running, x);
        assert_memory_equal(grid_at(&out, index), c->exclusive ? before : running, sizeof running);
        more = step(&a, c, index, &first);
    }
    ash__program_release(program);
    ash__program_release(combine);
    grid_free(&a);
    grid_free(&out);
}

static void functions_keep_the_order(void **unused)
{
    (void)unused;
    static const int64_t shapes[][3] = {{1, 1, 1}, {3, 1, 4},   {2, 0, 3},    {1, 1, 2049}, {1, 9000, 1},
                                        {5, 6, 7}, {20, 9, 40}, {3, 5000, 3}, {1, 30, 2000}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int64_t axis = -1; axis < 3; axis++)
            for (int how = 0; how < 4; how++) {
                const scan_case c = {axis, axis < 0 && how == 1, how == 2, how > 0, false};
                ash__set_thread_count(1 + how % 2);
                check_composition(3, shapes[s], (int)s % 4, &c);
            }
    ash__set_thread_count(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_on_every_level), /* first: see check_levels */
        cmocka_unit_test(small_shapes),
        cmocka_unit_test(every_dtype_and_fold),
        cmocka_unit_test(all_lengths),
        cmocka_unit_test(long_lines_are_shared),
        cmocka_unit_test(columns_count_up),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(running_sums_are_accurate),
        cmocka_unit_test(negative_zeros_stay),
        cmocka_unit_test(nan_stays_from_its_place_on),
        cmocka_unit_test(halves_are_rounded_once),
        cmocka_unit_test(functions_keep_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
