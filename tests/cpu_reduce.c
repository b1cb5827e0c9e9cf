/*
 * cpu_reduce.c - reductions, arg-reductions and variances of the CPU device, as tasks.
 *
 * Expected values: a walk over the elements in logical order that folds each into its output by the definition
 * (fold_reference.h), on integers small enough that sums of floats are exact; long double sums; closed forms.
 */
#include "fold_reference.h"

static const ash_dtype dtypes[] = {ASH_BOOL, ASH_I8,  ASH_I16,  ASH_I32, ASH_I64, ASH_U8,    ASH_U16,   ASH_U32,
                                   ASH_U64,  ASH_F16, ASH_BF16, ASH_F32, ASH_F64, ASH_C_F32, ASH_C_I16, ASH_C_F64};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

/* ---- a reduction, and the same by the definition */

static bool folds(ash__fold fold, ash_dtype dtype)
{
    const ash_dtype machine = ash__machine(ash__part(dtype));
    if (ash__is_complex(dtype))
        return fold == ASH__FOLD_SUM;
    return ash__cpu_kernels()->fold->blocks->fold[fold][machine] != NULL;
}

/* out gets a's shape with 1 in reduced axes; task strides are 0 there. */
static void output_for(grid *out, int64_t task_stride[MOST_AXES], ash_dtype dtype, const grid *a, uint32_t reduced, int layout)
{
    int64_t shape[MOST_AXES];
    for (int64_t k = 0; k < a->rank; k++)
        shape[k] = reduced >> k & 1 ? 1 : a->shape[k];
    grid_make(out, dtype, a->rank, shape, layout);
    for (int64_t k = 0; k < a->rank; k++)
        task_stride[k] = reduced >> k & 1 ? 0 : out->stride[k];
}

static ash__task task_for(ash__task_kind kind, const ash__span *operand, grid *a, const ash__program *program, grid *out,
                          const int64_t *out_stride, uint32_t reduced)
{
    return (ash__task){.kind = kind,
                       .function = "test",
                       .rank = a->rank,
                       .shape = a->shape,
                       .program = program,
                       .operand_count = 1,
                       .operand = operand,
                       .out = {&out->buffer, out->data, out_stride, out->dtype},
                       .reduced = reduced};
}

static char *output_at(const grid *out, const int64_t *index, uint32_t reduced)
{
    int64_t at[MOST_AXES];
    for (int64_t k = 0; k < out->rank; k++)
        at[k] = reduced >> k & 1 ? 0 : index[k];
    return grid_at(out, at);
}

static int64_t output_number(const grid *a, const int64_t *index, uint32_t reduced)
{
    int64_t n = 0;
    for (int64_t k = 0; k < a->rank; k++)
        if (!(reduced >> k & 1))
            n = n * a->shape[k] + index[k];
    return n;
}

static void check_reduction(ash__fold fold, grid *a, uint32_t reduced, int out_layout)
{
    const ash_dtype machine = ash__machine(ash__part(a->dtype));
    const int parts = ash__is_complex(a->dtype) ? 2 : 1;
    grid out;
    int64_t stride[MOST_AXES], index[MOST_AXES] = {0};
    output_for(&out, stride, a->dtype, a, reduced, out_layout);
    machine_value *const want = calloc((size_t)(out.count + 1), sizeof *want);
    bool *const begun = calloc((size_t)(out.count + 1), 1);
    if (a->count)
        do {
            const machine_value x = grid_read(a, grid_at(a, index));
            const int64_t n = output_number(a, index, reduced);
            for (int k = 0; k < parts && begun[n]; k++)
                define(fold, machine, want[n].part[k], x.part[k]);
            if (!begun[n])
                want[n] = x;
            begun[n] = true;
        } while (grid_next(a, index));
    ash__program *const program = load_program(a->dtype, a->dtype);
    const ash__span operand = grid_span(a);
    ash__task task = task_for(ASH__TASK_REDUCE, &operand, a, program, &out, stride, reduced);
    task.fold = fold;
    assert_int_equal(ash__cpu_reduce(&task), ASH_OK);
    memset(index, 0, sizeof index);
    for (int64_t n = 0; n < out.count; n++, grid_next(&out, index)) {
        const machine_value got = grid_read(&out, grid_at(&out, index));
        for (int k = 0; k < parts && begun[n]; k++)
            if (!same(machine, got.part[k], want[n].part[k]))
                fail_msg("fold %d of %s, rank %lld, shape %lld %lld %lld %lld, reduced %x, output %lld", fold,
                         ash_dtype_name(a->dtype), (long long)a->rank, (long long)a->shape[0], (long long)a->shape[1],
                         (long long)a->shape[2], (long long)a->shape[3], reduced, (long long)n);
    }
    ash__program_release(program);
    free(want);
    free(begun);
    grid_free(&out);
}

static void check_all_subsets(ash__fold fold, ash_dtype dtype, int64_t rank, const int64_t *shape, int layout)
{
    grid a;
    grid_make(&a, dtype, rank, shape, layout);
    grid_fill(&a, false);
    for (uint32_t reduced = 0; reduced < (uint32_t)1 << rank; reduced++)
        if (a.count || fold <= ASH__FOLD_PROD)
            check_reduction(fold, &a, reduced, (int)(reduced % 4));
    grid_free(&a);
}

/* All ranks to 4, all sets of axes, sizes 0, 1, 3, all layouts. */
static void small_shapes(void **unused)
{
    (void)unused;
    static const int64_t sizes[] = {3, 1, 0, 4};
    for (int64_t rank = 0; rank <= 4; rank++)
        for (int shape_number = 0; shape_number < 1 << 2 * rank; shape_number += rank == 4 ? 5 : 1) {
            int64_t shape[MOST_AXES] = {0};
            for (int64_t k = 0; k < rank; k++)
                shape[k] = sizes[shape_number >> 2 * k & 3];
            const int layout = shape_number % LAYOUTS;
            check_all_subsets(ASH__FOLD_SUM, ASH_F32, rank, shape, layout);
            check_all_subsets(ASH__FOLD_MAX, ASH_I16, rank, shape, (layout + 1) % LAYOUTS);
            check_all_subsets(ASH__FOLD_SUM, ASH_C_F64, rank, shape, (layout + 2) % LAYOUTS);
        }
}

static void every_dtype_and_fold(void **unused)
{
    (void)unused;
    static const int64_t shapes[][3] = {{5, 7, 3}, {40, 3, 33}, {2, 150, 2}, {700, 2, 4}};
    for (int d = 0; d < DTYPES; d++)
        for (int fold = ASH__FOLD_SUM; fold <= ASH__FOLD_XOR; fold++)
            for (int s = 0; s < 4 && folds((ash__fold)fold, dtypes[d]); s++) {
                const bool wide = (dtypes[d] == ASH_F16 || dtypes[d] == ASH_BF16) && fold <= ASH__FOLD_PROD;
                if ((wide || fold == ASH__FOLD_PROD) && ash__machine(ash__part(dtypes[d])) >= ASH_F32)
                    continue; /* products overflow, and 16 bits do not hold the sums */
                check_all_subsets((ash__fold)fold, dtypes[d], 3, shapes[s], (s + d) % LAYOUTS);
            }
}

/* Past blocks, tiles and segments, where runs and rows of all lengths meet; with one thread and with two. */
static void large_shapes(void **unused)
{
    (void)unused;
    static const struct {
        int64_t rank, shape[3];
    } cases[] = {{1, {4095}},        {1, {4096}},       {1, {4097}},       {1, {8193}},        {1, {70000}},
                 {2, {30000, 4}},    {2, {4, 30000}},   {2, {3000, 100}},  {2, {100, 3000}},   {2, {9000, 10}},
                 {2, {2, 70000}},    {2, {70000, 2}},   {3, {40, 70, 30}}, {3, {150, 300, 2}}, {3, {9, 1000, 5}},
                 {3, {50, 3, 1000}}, {3, {5000, 3, 5}}, {3, {70, 100, 9}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int layout = (int)(i % 2); layout < LAYOUTS; layout += 2 + (int)(i % 2)) {
            assert_int_equal(ash__set_thread_count(1 + (int64_t)(i + (size_t)layout / 2) % 2), ASH_OK);
            check_all_subsets(ASH__FOLD_SUM, layout % 2 ? ASH_F32 : ASH_I64, cases[i].rank, cases[i].shape, layout);
            if (i % 3 == 0)
                check_all_subsets(ASH__FOLD_MIN, layout % 2 ? ASH_F64 : ASH_U8, cases[i].rank, cases[i].shape, layout);
        }
}

/* ---- bits: threads and levels */

static const int64_t bit_shapes[][3] = {{1, 1, 100000}, {1, 3, 30000}, {1, 30000, 3}, {30, 50, 70},
                                        {1000, 9, 11},  {3, 90, 300},  {7000, 3, 5}};

static uint64_t bits_of_results(int64_t threads)
{
    uint64_t digest = UINT64_C(14695981039346656037);
    state = 88172645463325252u;
    ash__set_thread_count(threads);
    for (size_t s = 0; s < sizeof bit_shapes / sizeof bit_shapes[0]; s++)
        for (int type = 0; type < 3; type++) {
            grid a, out;
            int64_t stride[MOST_AXES];
            const ash_dtype dtype = type == 0 ? ASH_F32 : type == 1 ? ASH_F64 : ASH_C_F32;
            grid_make(&a, dtype, 3, bit_shapes[s], type == 2 ? COLUMNS_FIRST : ROWS_FIRST);
            grid_fill(&a, true);
            ash__program *const program = load_program(dtype, dtype);
            for (uint32_t reduced = 1; reduced < 8; reduced++)
                for (int fold = ASH__FOLD_SUM; fold <= ASH__FOLD_MIN && (fold == ASH__FOLD_SUM || type < 2); fold++) {
                    output_for(&out, stride, dtype, &a, reduced, ROWS_FIRST);
                    const ash__span operand = grid_span(&a);
                    ash__task task = task_for(ASH__TASK_REDUCE, &operand, &a, program, &out, stride, reduced);
                    task.fold = (ash__fold)fold;
                    if (ash__cpu_reduce(&task) != ASH_OK)
                        return 0;
                    digest = digest_of(out.data, (size_t)out.count * ash_dtype_size(dtype), digest);
                    task.kind = ASH__TASK_VARIANCE;
                    task.correction = 1;
                    if (type < 2 && ash__cpu_variance(&task) != ASH_OK)
                        return 0;
                    digest = digest_of(out.data, (size_t)out.count * ash_dtype_size(dtype), digest);
                    grid_free(&out);
                }
            ash__program_release(program);
            grid_free(&a);
        }
    return digest;
}

static uint64_t bits_with_two_threads(void)
{
    return bits_of_results(2);
}

static void same_bits_on_every_level(void **unused)
{
    (void)unused;
    check_levels(bits_with_two_threads);
}

static void same_bits_for_any_number_of_threads(void **unused)
{
    (void)unused;
    const uint64_t one = bits_of_results(1);
    assert_true(one != 0);
    for (int64_t threads = 2; threads <= 5; threads++)
        assert_int_equal(bits_of_results(threads), one);
    ash__set_thread_count(0);
}

/* ---- starts, ends and accuracy */

static double reduced_number(const ash__task *task, const grid *out)
{
    assert_int_equal(ash__cpu_reduce(task), ASH_OK);
    const machine_value v = grid_read(out, out->data);
    return as_double(ash__machine(out->dtype), v.part[0]);
}

static void init_and_accumulation(void **unused)
{
    (void)unused;
    static const int64_t shape[] = {5000};
    grid a, out;
    int64_t stride[MOST_AXES];
    grid_make(&a, ASH_F32, 1, shape, ROWS_FIRST);
    for (int64_t i = 0; i < 5000; i++)
        grid_write(&a, a.data + 4 * i, 1);
    ash__program *const program = load_program(ASH_F32, ASH_F32);
    for (int64_t n = 0; n <= 5000; n += n < 3 ? 1 : 4997) {
        a.shape[0] = n;
        for (int half = 0; half < 2; half++) {
            output_for(&out, stride, half ? ASH_BF16 : ASH_F32, &a, 1, ROWS_FIRST);
            const ash__span operand = grid_span(&a);
            ash__task task = task_for(ASH__TASK_REDUCE, &operand, &a, program, &out, stride, 1);
            const float init = 24;
            task.fold = ASH__FOLD_SUM;
            memcpy(task.init, &init, sizeof init);
            const double exact = half && n == 5000 ? 4992 : (double)n, more = half && n == 5000 ? 5024 : (double)n + 24;
            assert_true(reduced_number(&task, &out) == exact); /* bf16: 5000 lies halfway between 4992 and 5024, nearer 4992 */
            task.has_init = true;
            assert_true(reduced_number(&task, &out) == more);
            grid_write(&out, out.data, 1000);
            task.accumulate = true;
            assert_true(fabs(reduced_number(&task, &out) - (double)(n + 1024)) <= (half ? 16 : 0));
            task.has_init = false;
            grid_write(&out, out.data, -3);
            assert_true(fabs(reduced_number(&task, &out) - (double)(n - 3)) <= (half ? 16 : 0));
            grid_free(&out);
        }
    }
    ash__program_release(program);
    a.shape[0] = 5000;
    grid_free(&a);
}

static void empty_folds_are_neutral(void **unused)
{
    (void)unused;
    static const int64_t shape[] = {2, 0, 3};
    static const struct {
        ash__fold fold;
        ash_dtype dtype;
        double want;
    } cases[] = {{ASH__FOLD_SUM, ASH_F32, 0},  {ASH__FOLD_PROD, ASH_F64, 1}, {ASH__FOLD_SUM, ASH_I64, 0},
                 {ASH__FOLD_PROD, ASH_U16, 1}, {ASH__FOLD_AND, ASH_BOOL, 1}, {ASH__FOLD_OR, ASH_BOOL, 0},
                 {ASH__FOLD_XOR, ASH_I32, 0},  {ASH__FOLD_AND, ASH_I32, -1}, {ASH__FOLD_AND, ASH_I64, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        grid a, out;
        int64_t stride[MOST_AXES], index[MOST_AXES] = {0};
        grid_make(&a, cases[i].dtype, 3, shape, ROWS_FIRST);
        output_for(&out, stride, cases[i].dtype, &a, 2, EVERY_OTHER);
        ash__program *const program = load_program(cases[i].dtype, cases[i].dtype);
        const ash__span operand = grid_span(&a);
        ash__task task = task_for(ASH__TASK_REDUCE, &operand, &a, program, &out, stride, 2);
        task.fold = cases[i].fold;
        assert_int_equal(ash__cpu_reduce(&task), ASH_OK);
        do {
            const machine_value v = grid_read(&out, grid_at(&out, index));
            const double got =
                cases[i].dtype >= ASH_F32 ? as_double(cases[i].dtype, v.part[0]) : (double)as_signed(cases[i].dtype, v.part[0]);
            assert_true(got == cases[i].want && !(got == 0 && signbit(got)));
        } while (grid_next(&out, index));
        ash__program_release(program);
        grid_free(&a);
        grid_free(&out);
    }
}

/* A million times the f32 nearest 0.1 is 100000.00149...; added one by one in f32 it is 100958. */
static void long_sums_are_accurate(void **unused)
{
    (void)unused;
    static const int64_t shapes[][2] = {{1000000, 1}, {1000000, 2}, {2, 1000000}};
    for (int s = 0; s < 3; s++) {
        grid a, out;
        int64_t stride[MOST_AXES], index[MOST_AXES] = {0};
        const uint32_t reduced = s == 2 ? 2 : 1;
        grid_make(&a, ASH_F32, 2, shapes[s], ROWS_FIRST);
        for (int64_t i = 0; i < a.count; i++)
            grid_write(&a, a.data + 4 * i, (double)0.1f);
        output_for(&out, stride, ASH_F32, &a, reduced, ROWS_FIRST);
        ash__program *const program = load_program(ASH_F32, ASH_F32);
        const ash__span operand = grid_span(&a);
        ash__task task = task_for(ASH__TASK_REDUCE, &operand, &a, program, &out, stride, reduced);
        task.fold = ASH__FOLD_SUM;
        assert_int_equal(ash__cpu_reduce(&task), ASH_OK);
        do {
            const machine_value v = grid_read(&out, grid_at(&out, index));
            assert_true(fabs(as_double(ASH_F32, v.part[0]) - 100000.00149011612) < 0.05);
        } while (grid_next(&out, index));
        ash__program_release(program);
        grid_free(&a);
        grid_free(&out);
    }
}

/* 65519 ones are 65504 in f16, the largest number; 65520 of them lie halfway to 65536 and are infinite. */
static void f16_sums_round_once(void **unused)
{
    (void)unused;
    for (int64_t n = 65519; n <= 65520; n++) {
        grid a, out;
        int64_t stride[MOST_AXES];
        grid_make(&a, ASH_F16, 1, &n, ROWS_FIRST);
        for (int64_t i = 0; i < n; i++)
            grid_write(&a, a.data + 2 * i, 1);
        output_for(&out, stride, ASH_F16, &a, 1, ROWS_FIRST);
        ash__program *const program = load_program(ASH_F16, ASH_F32);
        const ash__span operand = grid_span(&a);
        ash__task task = task_for(ASH__TASK_REDUCE, &operand, &a, program, &out, stride, 1);
        task.fold = ASH__FOLD_SUM;
        const double got = reduced_number(&task, &out);
        assert_true(n == 65519 ? got == 65504 : isinf(got));
        ash__program_release(program);
        grid_free(&a);
        grid_free(&out);
    }
}

static void faults_are_reported(void **unused)
{
    (void)unused;
    static const int64_t shape[] = {100000};
    grid a, out;
    int64_t stride[MOST_AXES];
    grid_make(&a, ASH_I32, 1, shape, ROWS_FIRST);
    for (int64_t i = 0; i < shape[0]; i++)
        grid_write(&a, a.data + 4 * i, i == 70000 ? 0 : 5);
    output_for(&out, stride, ASH_I32, &a, 1, ROWS_FIRST);
    ash__builder *const b = ash__builder_new("test", 1);
    const int seven = ash__build_constant(b, ASH_I32, (ash__scalar){.i32 = 7});
    const int quotient = ash__build_op(b, ASH__OP_IDIV, seven, ash__build_load(b, 0, ASH_I32, 0), -1);
    ash__program *const program = ash__builder_finish(b, ASH_I32, quotient, -1);
    const ash__span operand = grid_span(&a);
    ash__task task = task_for(ASH__TASK_REDUCE, &operand, &a, program, &out, stride, 1);
    task.fold = ASH__FOLD_SUM;
    assert_int_equal(ash__cpu_reduce(&task), ASH_ERR_VALUE);
    ash_error_clear();
    ash__program_release(program);
    grid_free(&a);
    grid_free(&out);
}

/* ---- by a function that does not commute */

static void check_composition(int64_t rank, const int64_t *shape, uint32_t reduced, int layout, bool with_init, bool accumulate)
{
    grid a, out;
    int64_t stride[MOST_AXES], index[MOST_AXES] = {0};
    const int64_t init[2] = {3, -5}, old[2] = {-7, 2};
    grid_make(&a, ASH_C_I64, rank, shape, layout);
    grid_fill(&a, false);
    output_for(&out, stride, ASH_C_I64, &a, reduced, ROWS_FIRST);
    int64_t(*const want)[2] = calloc((size_t)(out.count + 1), sizeof *want);
    bool *const begun = calloc((size_t)(out.count + 1), 1);
    for (int64_t n = 0; n < out.count; n++) {
        memcpy(grid_at(&out, index), old, sizeof old);
        memcpy(want[n], accumulate ? old : init, sizeof init);
        if (accumulate && with_init)
            compose(want[n], init);
        begun[n] = accumulate || with_init;
        grid_next(&out, index);
    }
    memset(index, 0, sizeof index);
    if (a.count)
        do {
            int64_t x[2];
            const int64_t n = output_number(&a, index, reduced);
            memcpy(x, grid_at(&a, index), sizeof x);
            if (begun[n])
                compose(want[n], x);
            else
                memcpy(want[n], x, sizeof x);
            begun[n] = true;
        } while (grid_next(&a, index));
    ash__program *const program = load_program(ASH_C_I64, ASH_C_I64), *const combine = compose_program(ASH_C_I64);
    const ash__span operand = grid_span(&a);
    ash__task task = task_for(ASH__TASK_REDUCE, &operand, &a, program, &out, stride, reduced);
    task.fold = ASH__FOLD_FUNCTION;
    task.combine = combine;
    task.has_init = with_init;
    task.accumulate = accumulate;
    memcpy(task.init, init, sizeof init);
    assert_int_equal(ash__cpu_reduce(&task), ASH_OK);
    memset(index, 0, sizeof index);
    for (int64_t n = 0; n < out.count && (a.count || with_init); n++, grid_next(&out, index))
        assert_memory_equal(output_at(&out, index, reduced), want[n], sizeof want[n]);
    ash__program_release(program);
    ash__program_release(combine);
    free(want);
    free(begun);
    grid_free(&a);
    grid_free(&out);
}

static void functions_keep_the_order(void **unused)
{
    (void)unused;
    static const int64_t shapes[][3] = {{1, 1, 1}, {3, 1, 4},   {2, 0, 3},    {1, 1, 4097}, {1, 30000, 1},
                                        {5, 6, 7}, {50, 9, 40}, {300, 7, 33}, {3, 5000, 3}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (uint32_t reduced = 0; reduced < 8; reduced++)
            for (int how = 0; how < 4; how++) {
                ash__set_thread_count(1 + how % 2);
                check_composition(3, shapes[s], reduced, (int)((reduced + s) % LAYOUTS), how & 1, how & 2);
            }
    ash__set_thread_count(0);
}

/* The last of all elements: a program that only copies. */
static void functions_may_copy(void **unused)
{
    (void)unused;
    static const int64_t shape[] = {3, 10001};
    grid a, out;
    int64_t stride[MOST_AXES];
    grid_make(&a, ASH_F32, 2, shape, COLUMNS_FIRST);
    grid_fill(&a, true);
    output_for(&out, stride, ASH_F32, &a, 3, ROWS_FIRST);
    ash__program copy = {.dtype = ASH_F32, .outputs = 1, .operands = 2, .copies = 1},
                 identity = {.dtype = ASH_F32, .outputs = 1, .operands = 1};
    const ash__span operand = grid_span(&a);
    ash__task task = task_for(ASH__TASK_REDUCE, &operand, &a, &identity, &out, stride, 3);
    task.fold = ASH__FOLD_FUNCTION;
    task.combine = &copy;
    assert_int_equal(ash__cpu_reduce(&task), ASH_OK);
    assert_memory_equal(out.data, grid_at(&a, (const int64_t[]){2, 10000}), 4);
    grid_free(&a);
    grid_free(&out);
}

/* ---- where the extreme is */

static void check_arg(grid *a, uint32_t reduced, ash__fold fold)
{
    const ash_dtype machine = ash__machine(a->dtype);
    grid out, value;
    int64_t stride[MOST_AXES], value_stride[MOST_AXES], index[MOST_AXES] = {0};
    output_for(&out, stride, ASH_I64, a, reduced, EVERY_OTHER);
    output_for(&value, value_stride, a->dtype, a, reduced, COLUMNS_FIRST);
    ash__program *const program = load_program(a->dtype, a->dtype);
    const ash__span operand = grid_span(a);
    ash__task task = task_for(ASH__TASK_ARG, &operand, a, program, &out, stride, reduced);
    task.fold = fold;
    task.value = (ash__span){&value.buffer, value.data, value_stride, a->dtype};
    assert_int_equal(ash__cpu_arg(&task), ASH_OK);
    machine_value *const best = calloc((size_t)out.count + 1, sizeof *best);
    int64_t *const place = malloc(((size_t)out.count + 1) * sizeof *place);
    for (int64_t n = 0; n < out.count; n++)
        place[n] = -1;
    do {
        const machine_value x = grid_read(a, grid_at(a, index));
        const int64_t n = output_number(a, index, reduced), at = output_number(a, index, ~reduced);
        machine_value joined = best[n];
        define(fold, machine, joined.part[0], x.part[0]);
        if (place[n] < 0 || (!same(machine, joined.part[0], best[n].part[0]))) {
            best[n] = x;
            place[n] = at;
        }
    } while (grid_next(a, index));
    memset(index, 0, sizeof index);
    for (int64_t n = 0; n < out.count; n++, grid_next(&out, index)) {
        int64_t got;
        memcpy(&got, grid_at(&out, index), sizeof got);
        assert_int_equal(got, place[n]);
        assert_true(same(machine, grid_read(&value, grid_at(&value, index)).part[0], best[n].part[0]));
    }
    free(best);
    free(place);
    ash__program_release(program);
    grid_free(&out);
    grid_free(&value);
}

static void extremes_are_found_first(void **unused)
{
    (void)unused;
    static const int64_t shapes[][3] = {{1, 1, 1},    {3, 4, 5},   {7, 1, 300},  {300, 2, 3}, {1, 1, 20000},
                                        {20, 500, 4}, {3, 90, 70}, {1, 5000, 2}, {2, 3, 5000}};
    for (int d = 0; d < DTYPES && !ash__is_complex(dtypes[d]); d++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
            grid a;
            int64_t index[MOST_AXES] = {0};
            grid_make(&a, dtypes[d], 3, shapes[s], (int)((s + (size_t)d) % 4));
            grid_fill(&a, (d + (int)s) % 2);
            do { /* NaN, infinities and zeros of both signs, now and then */
                const uint64_t r = bits_of_chance();
                const double special[] = {(double)NAN, (double)INFINITY, -0.0, 0.0, -(double)INFINITY, -(double)NAN};
                if (ash__is_float(dtypes[d]) && r % 997 == 0)
                    grid_write(&a, grid_at(&a, index), special[r / 997 % 6]);
            } while (grid_next(&a, index));
            for (uint32_t reduced = 0; reduced < 8; reduced++) {
                ash__set_thread_count(1 + (int64_t)(reduced % 2));
                check_arg(&a, reduced, ASH__FOLD_MIN);
                check_arg(&a, reduced, ASH__FOLD_MAX);
            }
            grid_free(&a);
        }
    ash__set_thread_count(0);
}

/* All equal, and equal to what a search might start from: the first. Two equal maxima far apart: the first. */
static void ties_go_to_the_first(void **unused)
{
    (void)unused;
    static const int64_t shape[] = {1000000};
    static const double everywhere[] = {0, -(double)INFINITY, (double)INFINITY, 1.7976931348623157e308};
    for (int threads = 1; threads <= 2; threads++) {
        ash__set_thread_count(threads);
        for (int i = 0; i < 4; i++) {
            grid a, out;
            int64_t stride[MOST_AXES], got = -1;
            grid_make(&a, ASH_F64, 1, shape, ROWS_FIRST);
            for (int64_t k = 0; k < a.count; k++)
                grid_write(&a, a.data + 8 * k, everywhere[i]);
            output_for(&out, stride, ASH_I64, &a, 1, ROWS_FIRST);
            ash__program *const program = load_program(ASH_F64, ASH_F64);
            const ash__span operand = grid_span(&a);
            ash__task task = task_for(ASH__TASK_ARG, &operand, &a, program, &out, stride, 1);
            for (int fold = ASH__FOLD_MIN; fold <= ASH__FOLD_MAX; fold++) {
                task.fold = (ash__fold)fold;
                assert_int_equal(ash__cpu_arg(&task), ASH_OK);
                memcpy(&got, out.data, sizeof got);
                assert_int_equal(got, 0);
            }
            if (i == 0) {
                grid_write(&a, a.data + 8, 1);
                grid_write(&a, a.data + 8 * 163840, 1);
                assert_int_equal(ash__cpu_arg(&task), ASH_OK);
                memcpy(&got, out.data, sizeof got);
                assert_int_equal(got, 1);
            }
            ash__program_release(program);
            grid_free(&a);
            grid_free(&out);
        }
    }
    ash__set_thread_count(0);
}

/* ---- variance */

static void check_variance(ash_dtype dtype, int64_t rank, const int64_t *shape, uint32_t reduced, int layout, double offset)
{
    grid a, out, mean;
    int64_t stride[MOST_AXES], mean_stride[MOST_AXES], index[MOST_AXES] = {0};
    const ash_dtype compute = ash__machine(dtype);
    const long double unit = compute == ASH_F32 ? 0x1p-24L : 0x1p-53L;
    grid_make(&a, dtype, rank, shape, layout);
    do
        grid_write(&a, grid_at(&a, index), offset + (double)(bits_of_chance() >> 40) * 0x1p-24);
    while (grid_next(&a, index));
    output_for(&out, stride, compute, &a, reduced, ROWS_FIRST);
    output_for(&mean, mean_stride, compute, &a, reduced, EVERY_OTHER);
    ash__program *const program = load_program(dtype, compute);
    const ash__span operand = grid_span(&a);
    ash__task task = task_for(ASH__TASK_VARIANCE, &operand, &a, program, &out, stride, reduced);
    task.correction = 1;
    task.value = (ash__span){&mean.buffer, mean.data, mean_stride, compute};
    assert_int_equal(ash__cpu_variance(&task), ASH_OK);
    long double *const s = calloc((size_t)out.count, sizeof *s), *const q = calloc((size_t)out.count, sizeof *q);
    int64_t n = out.count ? a.count / out.count : 0;
    do
        s[output_number(&a, index, reduced)] += (long double)as_double(compute, grid_read(&a, grid_at(&a, index)).part[0]);
    while (grid_next(&a, index));
    do {
        const int64_t k = output_number(&a, index, reduced);
        const long double d =
            (long double)as_double(compute, grid_read(&a, grid_at(&a, index)).part[0]) - s[k] / (long double)n;
        q[k] += d * d;
    } while (grid_next(&a, index));
    for (int64_t k = 0; k < out.count; k++, grid_next(&out, index)) {
        const long double m = (long double)as_double(compute, grid_read(&mean, grid_at(&mean, index)).part[0]);
        const long double v = (long double)as_double(compute, grid_read(&out, grid_at(&out, index)).part[0]);
        assert_true(fabsl(m - s[k] / (long double)n) <= 4 * unit * (fabsl(s[k] / (long double)n) + 1));
        if (n == 1)
            assert_true(isnan(v));
        else
            assert_true(fabsl(v - q[k] / (long double)(n - 1)) <= 80 * unit * (q[k] / (long double)(n - 1)) + 1e-25L);
    }
    free(s);
    free(q);
    ash__program_release(program);
    grid_free(&a);
    grid_free(&out);
    grid_free(&mean);
}

static void variances_are_accurate(void **unused)
{
    (void)unused;
    static const int64_t shapes[][3] = {{1, 1, 1},    {2, 1, 2},    {3, 4, 5},    {1, 1, 10000}, {10000, 1, 3},
                                        {40, 50, 60}, {5, 1500, 2}, {9, 4, 2000}, {2, 40, 4097}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (uint32_t reduced = 0; reduced < 8; reduced++) {
            ash__set_thread_count(1 + (int64_t)(reduced % 2));
            check_variance(ASH_F32, 3, shapes[s], reduced, (int)(s % 4), 0);
            check_variance(ASH_F32, 3, shapes[s], reduced, (int)((s + 1) % 4), 100);
            check_variance(ASH_F64, 3, shapes[s], reduced, (int)((s + 2) % 4), 1e6);
            check_variance(ASH_F16, 3, shapes[s], reduced, (int)((s + 3) % 4), 1);
        }
    ash__set_thread_count(0);
}

/* 0, 1, ... n - 1: variance n(n + 1)/12 about the mean (n - 1)/2; no elements, or no more than the correction: NaN. */
static void variances_of_counts(void **unused)
{
    (void)unused;
    for (int64_t n = 0; n <= 20000; n += n < 3 ? 1 : 1111) {
        grid a, out, mean;
        int64_t stride[MOST_AXES];
        grid_make(&a, ASH_F64, 1, &n, ROWS_FIRST);
        for (int64_t i = 0; i < n; i++)
            grid_write(&a, a.data + 8 * i, (double)i);
        output_for(&out, stride, ASH_F64, &a, 1, ROWS_FIRST);
        output_for(&mean, stride, ASH_F64, &a, 1, ROWS_FIRST);
        ash__program *const program = load_program(ASH_F64, ASH_F64);
        const ash__span operand = grid_span(&a);
        ash__task task = task_for(ASH__TASK_VARIANCE, &operand, &a, program, &out, stride, 1);
        task.correction = 1;
        task.value = (ash__span){&mean.buffer, mean.data, stride, ASH_F64};
        assert_int_equal(ash__cpu_variance(&task), ASH_OK);
        const double v = as_double(ASH_F64, out.data), m = as_double(ASH_F64, mean.data), d = (double)n;
        assert_true(n < 2 ? isnan(v) : fabs(v - d * (d + 1) / 12) <= 1e-13 * v);
        assert_true(n < 1 ? isnan(m) : m == (d - 1) / 2);
        ash__program_release(program);
        grid_free(&a);
        grid_free(&out);
        grid_free(&mean);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_on_every_level), /* first: see check_levels */
        cmocka_unit_test(small_shapes),
        cmocka_unit_test(every_dtype_and_fold),
        cmocka_unit_test(large_shapes),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(init_and_accumulation),
        cmocka_unit_test(empty_folds_are_neutral),
        cmocka_unit_test(long_sums_are_accurate),
        cmocka_unit_test(f16_sums_round_once),
        cmocka_unit_test(faults_are_reported),
        cmocka_unit_test(functions_keep_the_order),
        cmocka_unit_test(functions_may_copy),
        cmocka_unit_test(extremes_are_found_first),
        cmocka_unit_test(ties_go_to_the_first),
        cmocka_unit_test(variances_are_accurate),
        cmocka_unit_test(variances_of_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
