/*
 * operators.c - every operator of reductions and scans with every dtype: it works by the rules of map.h, or is refused as
 * ASH_ERR_DTYPE.
 *
 * Expected values are those of plain loops over small whole numbers, which every dtype holds and whose folds are exact.
 */
#include "test.h"

/* ---- the rules, in 64-bit integers */

typedef enum rule { ADD, MULTIPLY, LEAST, MOST, BOTH, EITHER, BITS_AND, BITS_OR, BITS_XOR } rule;

typedef struct operation {
    const char *text;
    rule rule;
    bool function;
} operation;
static const operation operators[] = {
    {"+", ADD, false},
    {"*", MULTIPLY, false},
    {"min", LEAST, false},
    {"max", MOST, false},
    {"&&", BOTH, false},
    {"||", EITHER, false},
    {"&", BITS_AND, false},
    {"|", BITS_OR, false},
    {"^", BITS_XOR, false},
    {"(a, b) -> a + b", ADD, true},
    {"(a, b) -> a * b", MULTIPLY, true},
    {"(a, b) -> max(a, b)", MOST, true},
};

static int64_t join(rule r, int64_t a, int64_t b)
{
    switch (r) {
    case ADD:
        return a + b;
    case MULTIPLY:
        return a * b;
    case LEAST:
        return a < b ? a : b;
    case MOST:
        return a > b ? a : b;
    case BOTH:
        return a && b;
    case EITHER:
        return a || b;
    case BITS_AND:
        return a & b;
    case BITS_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static bool is_complex(ash_dtype d)
{
    return d >= ASH_C_I8 && d <= ASH_C_F64;
}
static bool is_bits(ash_dtype d)
{
    return d >= ASH_BOOL && d <= ASH_U64;
}

/* The dtype of the result; 0: refused. */
static ash_dtype result_of(rule r, ash_dtype d)
{
    switch (r) {
    case ADD:
    case MULTIPLY:
        return d == ASH_BOOL ? ASH_I64 : d;
    case LEAST:
    case MOST:
        return is_complex(d) ? 0 : d;
    case BOTH:
    case EITHER:
        return ASH_BOOL;
    default:
        return is_bits(d) ? d : 0;
    }
}

/* x as dtype d has it. */
static double held(int64_t x, ash_dtype d)
{
    switch (d) {
    case ASH_BOOL:
        return x != 0;
    case ASH_I8:
    case ASH_C_I8:
        return (int8_t)x;
    case ASH_U8:
    case ASH_C_U8:
        return (uint8_t)x;
    case ASH_U16:
        return (uint16_t)x;
    case ASH_U32:
        return (uint32_t)x;
    case ASH_U64:
        return (double)(uint64_t)x;
    default:
        return (double)x;
    }
}

static int64_t neutral(rule r)
{
    return r == MULTIPLY || r == BOTH ? 1 : r == LEAST ? 100 : r == BITS_AND ? -1 : 0;
}

/* ---- elements: at most eight that count, the others next to neutral, so that no sum or product grows */

typedef struct table {
    int64_t rows, cols;
    rule rule;
    ash_dtype dtype;
    ash_layout layout;
} table;

static int64_t element(const table *t, int64_t i)
{
    const int64_t every = t->rows * t->cols / 8 + 1, k = i / every;
    const bool down = t->rule == LEAST || t->rule == BOTH || t->rule == BITS_AND, counts = i % every == every / 2;
    const int64_t x = t->rule == MULTIPLY ? (counts ? 2 + k % 2 : 1) : down ? (counts ? k % 3 : 3) : (counts ? 1 + k % 3 : 0);
    return t->dtype == ASH_BOOL ? (t->rule == MULTIPLY ? !counts || k % 2 : x != 0) : x;
}
static bool takes_part(int64_t i)
{
    return i % 3 != 1;
}

static ash_array *array_of(const table *t, bool mask)
{
    const int64_t n = t->rows * t->cols;
    int64_t *value = calloc((size_t)n, sizeof *value);
    for (int64_t i = 0; i < n; i++)
        value[i] = mask ? takes_part(i) : element(t, i);
    ash_array *a =
        ash_from_host(value, ASH_I64, ASH_SHAPE(t->rows, t->cols), .dtype = mask ? ASH_BOOL : t->dtype, .layout = t->layout);
    free(value);
    CHECK(a);
    return a;
}

static void check(const ash_array *got, const int64_t *want, int64_t n, const table *t, const char *op, const char *what)
{
    const ash_dtype d = result_of(t->rule, t->dtype);
    if (!got || ash_dtype_of(got) != d || ash_size(got) != n)
        FAIL("%s, \"%s\" of %s: %s where %" PRId64 " elements of %s were wanted", what, op, ash_dtype_name(t->dtype),
             got ? ash_dtype_name(ash_dtype_of(got)) : "NULL", n, ash_dtype_name(d));
    double *value = calloc((size_t)n, 2 * sizeof *value);
    CHECK_OK(ash_to_host_as(got, value, (size_t)n * 2 * sizeof *value, ASH_C_F64));
    for (int64_t i = 0; i < n; i++)
        if (value[2 * i] != held(want[i], d) || value[2 * i + 1] != 0)
            FAIL("%s, \"%s\" of %s, %" PRId64 " by %" PRId64 ": element %" PRId64 " is %g + %gi, not %" PRId64, what, op,
                 ash_dtype_name(t->dtype), t->rows, t->cols, i, value[2 * i], value[2 * i + 1], want[i]);
    free(value);
}

/* Refused, and by the dtype. */
static void check_refused(const void *got, const char *op, ash_dtype d)
{
    if (got)
        FAIL("\"%s\" of %s gave a result", op, ash_dtype_name(d));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "");
}

/* ---- reductions */

typedef struct folded {
    const char *name;
    int64_t axis[2], count; /* count -1: no axes are given */
} folded;
static const folded folds[] = {{"all", {0}, -1}, {"axis 0", {0}, 1}, {"axis 1", {1}, 1}, {"no axis", {0}, 0}};

static int64_t fold(const table *t, const folded *f, bool where, int64_t start, int64_t *want)
{
    const bool rows = f->count < 0 || (f->count && f->axis[0] == 0), cols = f->count < 0 || (f->count && f->axis[0] == 1);
    const int64_t width = cols ? 1 : t->cols, n = (rows ? 1 : t->rows) * width;
    for (int64_t k = 0; k < n; k++)
        want[k] = start;
    for (int64_t i = 0; i < t->rows * t->cols; i++) {
        int64_t *const to = &want[(rows ? 0 : i / t->cols) * width + (cols ? 0 : i % t->cols)];
        if (!where || takes_part(i))
            *to = join(t->rule, *to, element(t, i));
    }
    return n;
}

static void reductions(const operation *op, const table *t, const folded *f)
{
    ASH_SCOPE(scope);
    int64_t *const want = calloc((size_t)(t->rows * t->cols), sizeof *want);
    const ash_dtype d = result_of(op->rule, t->dtype);
    const ash_axes axes = f->count < 0 ? ASH_ALL_AXES : (ash_axes){f->axis, f->count};
    ash_array *a = array_of(t, false), *mask = array_of(t, true);
    const bool inner = op->function || op->rule == LEAST || op->rule == MOST; /* wants .init with .where */
    const int64_t init = op->function ? neutral(op->rule) : t->dtype == ASH_BOOL || op->rule == MOST ? 1 : 2;
    const ash_operand one = ash_operand_array(ash_convert(ash_i32((int32_t)init), t->dtype)), none = {0};
    if (!op->function) {
        const int64_t n = fold(t, f, false, neutral(op->rule), want);
        check(ash_reduce(op->text, a, .axes = axes), want, n, t, op->text, f->name);
        check(ash_map_reduce_with("x -> x", op->text, ASH_OPERANDS(a), .axes = axes), want, n, t, op->text, f->name);
    }
    int64_t n = fold(t, f, false, init, want);
    ash_array *r = ash_reduce(op->text, a, .axes = axes, .init = one);
    check(r, want, n, t, op->text, "init");
    fold(t, f, true, inner ? init : neutral(op->rule), want);
    check(ash_reduce(op->text, a, .axes = axes, .where = ash_operand_array(mask), .init = inner ? one : none), want, n, t,
          op->text, "where");
    ash_array *out = ash_ones(((ash_dims){ash_shape(r), ash_rank(r)}), .dtype = d);
    n = fold(t, f, false, join(op->rule, 1, op->function ? init : neutral(op->rule)), want);
    CHECK_OK(ash_reduce_into(out, op->text, a, .axes = axes, .accumulate = true, .init = op->function ? one : none));
    check(out, want, n, t, op->text, "accumulate");
    free(want);
}

/* ---- scans */

static void scan(const table *t, int64_t axis, bool exclusive, int64_t start, int64_t *want)
{
    for (int64_t i = 0; i < t->rows * t->cols; i++) {
        const int64_t step = axis == 0 ? t->cols : 1;
        const bool first = axis == 0 ? i < t->cols : axis == 1 ? i % t->cols == 0 : i == 0;
        const int64_t before = first ? start : exclusive ? join(t->rule, want[i - step], element(t, i - step)) : want[i - step];
        want[i] = exclusive ? before : join(t->rule, before, element(t, i));
    }
}

static void scans(const operation *op, const table *t, const folded *f)
{
    ASH_SCOPE(scope);
    const int64_t n = t->rows * t->cols, axis = f->count == 1 ? f->axis[0] : -1;
    int64_t *const want = calloc((size_t)n, sizeof *want);
    const ash_axes axes = f->count < 0 ? (ash_axes){0} : (ash_axes){f->axis, f->count};
    ash_array *a = array_of(t, false);
    const int64_t init = t->dtype == ASH_BOOL || op->rule == MOST ? 1 : 2;
    const ash_operand one = ash_operand_array(ash_convert(ash_i32((int32_t)init), t->dtype)), none = {0};
    const bool inner = op->function || op->rule == LEAST || op->rule == MOST; /* wants .init where it is exclusive */
    scan(t, axis, false, neutral(op->rule), want);
    check(ash_scan(op->text, a, .axes = axes), want, n, t, op->text, "scan");
    scan(t, axis, false, init, want);
    check(ash_scan(op->text, a, .axes = axes, .init = one), want, n, t, op->text, "scan with init");
    scan(t, axis, true, inner ? init : neutral(op->rule), want);
    check(ash_scan(op->text, a, .axes = axes, .exclusive = true, .init = inner ? one : none), want, n, t, op->text,
          "exclusive scan");
    free(want);
}

/* ---- all of them */

static void both(const table *size, bool little)
{
    for (int k = 0; k < COUNT(operators); k++)
        for
            EACH_DTYPE(d, ASH_BOOL, ASH_C_F64)
            {
                const operation *op = &operators[k];
                const table t = {size->rows, size->cols, op->rule, d, size->layout};
                if (!ash_device_can(ash_resources_device(ash_current_resources()), ASH_CAP_F64) &&
                    (d == ASH_F64 || d == ASH_C_F64))
                    continue;
                for (int q = 0; q < COUNT(folds); q++)
                    if (result_of(op->rule, d)) {
                        reductions(op, &t, &folds[q]);
                        if (folds[q].count && (little || q == 0))
                            scans(op, &t, &folds[q]);
                    }
                if (result_of(op->rule, d))
                    continue;
                ash_array *a = array_of(&t, false);
                const ash_operand one = ash_operand_array(ash_ones(ASH_SHAPE(), .dtype = d));
                check_refused(ash_reduce(op->text, a, .init = one), op->text, d);
                check_refused(ash_reduce(op->text, a, .axes = ASH_AXES(1), .init = one), op->text, d);
                check_refused(ash_map_reduce_with("x -> x", op->text, ASH_OPERANDS(a), .init = one), op->text, d);
                check_refused(ash_scan(op->text, a), op->text, d);
            }
}

static void little(void)
{
    both(&(table){.rows = 3, .cols = 5, .layout = ASH_ROW_MAJOR}, true);
}

/* Runs and rows of all lengths that are folded apart. */
static void large(void **state)
{
    (void)state;
    static const table sizes[] = {{.rows = 7, .cols = 150, .layout = ASH_ROW_MAJOR},
                                  {.rows = 2, .cols = 4500, .layout = ASH_ROW_MAJOR},
                                  {.rows = 4500, .cols = 3, .layout = ASH_ROW_MAJOR},
                                  {.rows = 300, .cols = 9, .layout = ASH_COL_MAJOR}};
    for (int i = 0; i < COUNT(sizes); i++) {
        ASH_SCOPE(scope);
        both(&sizes[i], false);
    }
}

/* ---- functions of their own name */

enum { RECORD = 1, COMPLEX = 2 }; /* what is refused */

static const struct named {
    const char *name;
    ash_array *(*reduce)(const ash_array *, const ash_reduce_options *);
    ash_array *(*scan)(const ash_array *, const ash_scan_options *);
    int refused;
} names[] = {
    {"sum", ash_sum_opt, NULL, RECORD},
    {"prod", ash_prod_opt, NULL, RECORD},
    {"min", ash_min_opt, NULL, RECORD | COMPLEX},
    {"max", ash_max_opt, NULL, RECORD | COMPLEX},
    {"mean", ash_mean_opt, NULL, RECORD},
    {"var", ash_var_opt, NULL, RECORD},
    {"std", ash_std_opt, NULL, RECORD},
    {"any", ash_any_opt, NULL, RECORD},
    {"all", ash_all_opt, NULL, RECORD},
    {"count", ash_count_opt, NULL, RECORD},
    {"argmin", ash_argmin_opt, NULL, RECORD | COMPLEX},
    {"argmax", ash_argmax_opt, NULL, RECORD | COMPLEX},
    {"cumsum", NULL, ash_cumsum_opt, RECORD},
    {"cumprod", NULL, ash_cumprod_opt, RECORD},
};

static ash_array *call(const struct named *f, const ash_array *a, ash_axes axes)
{
    const ash_reduce_options reduce = {.struct_size = sizeof reduce, .axes = axes};
    const ash_scan_options scan = {.struct_size = sizeof scan, .axes = axes};
    return f->reduce ? f->reduce(a, &reduce) : f->scan(a, &scan);
}

static void named(void)
{
    for (int k = 0; k < COUNT(names); k++)
        for
            EACH_DTYPE(d, ASH_BOOL, ASH_C_F64)
            {
                ASH_SCOPE(scope);
                ash_array *a = d == ASH_F64 || d == ASH_C_F64 ? NULL : ash_ones(ASH_SHAPE(3, 5), .dtype = d);
                if (!a)
                    continue;
                const ash_axes axes[] = {{0}, ASH_AXES(0), ASH_AXES(-1)};
                for (int q = 0; q < COUNT(axes); q++) {
                    ash_array *r = call(&names[k], a, axes[q]);
                    if (is_complex(d) && (names[k].refused & COMPLEX))
                        check_refused(r, names[k].name, d);
                    else if (!r) /* values are in reduce.c and scan.c */
                        FAIL("%s of %s: NULL", names[k].name, ash_dtype_name(d));
                }
                const ash_extrema_result e = ash_extrema(a);
                const ash_find_result least = ash_find_min(a), most = ash_find_max(a);
                CHECK(is_complex(d) ? !e.min && !e.max && !least.value && !most.index
                                    : e.min && e.max && least.value && least.index && most.value && most.index);
                if (is_complex(d))
                    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "");
            }
}

static void records(void)
{
    static const ash_field_info fields[] = {{"x", ASH_F32, 0, 1}, {"n", ASH_I32, 4, 1}};
    const ash_dtype d = ash_dtype_record("two", 8, fields, COUNT(fields));
    ash_array *a = ash_zeros(ASH_SHAPE(3, 5), .dtype = d);
    CHECK(a);
    for (int k = 0; k < COUNT(operators); k++) {
        const ash_operand zero = {0}, one = ash_operand_array(ash_i32(1));
        check_refused(ash_reduce(operators[k].text, a, .init = operators[k].function ? one : zero), operators[k].text, d);
        check_refused(ash_reduce(operators[k].text, a, .axes = ASH_AXES(0), .init = one), operators[k].text, d);
        check_refused(ash_scan(operators[k].text, a), operators[k].text, d);
        check_refused(ash_scan(operators[k].text, a, .axes = ASH_AXES(0)), operators[k].text, d);
    }
    for (int k = 0; k < COUNT(names); k++) {
        check_refused(call(&names[k], a, (ash_axes){0}), names[k].name, d);
        check_refused(call(&names[k], a, ASH_AXES(1)), names[k].name, d);
    }
}

EVERYWHERE(little_everywhere, little)
EVERYWHERE(named_everywhere, named)
EVERYWHERE(records_everywhere, records)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(little_everywhere), TEST(large), TEST(named_everywhere), TEST(records_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
