/* reduce.c - folds, scans and comparisons of whole arrays; include/ashlar/map.h. Floats are added where the sum is exact. */
#include <string.h>

#include "draw.h"
#include "models/fold.h"

static const char *const fold_names[] = {"ash_sum", "ash_prod",  "ash_min",    "ash_max",   "ash_any",
                                         "ash_all", "ash_count", "ash_argmin", "ash_argmax"};
typedef ash_array *fold_function(const ash_array *a, const ash_reduce_options *options);
static fold_function *const fold_functions[] = {ash_sum_opt, ash_prod_opt,  ash_min_opt,    ash_max_opt,   ash_any_opt,
                                                ash_all_opt, ash_count_opt, ash_argmin_opt, ash_argmax_opt};

static void draw_fold(fold what)
{
    const bool chooses = what == MIN || what == MAX || what == ARGMIN || what == ARGMAX;
    ash_dtype dtype = chooses ? draw_real() : draw_number();
    while (what == PROD && is_float(part_of(dtype)))
        dtype = draw_number();
    int64_t shape[MODEL_RANK], own[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 6);
    const bool floats = is_float(part_of(dtype)) && what == SUM;
    const bool orderless = chooses && draw_fault();
    if (orderless)
        dtype = one_in(2) ? (ash_dtype)random_in(ASH_C_I8, WIDEST_COMPLEX) : record_dtype(SPOT);
    const argument *a = draw_argument("a", dtype, shape, rank, floats ? COUNTS : draw_style()), *mask = NULL;
    fold_axes f = {.all = one_in(3), .drop = one_in(2)};
    const some_axes s = draw_axes(rank, f.all ? 0 : random_in(0, rank));
    for (int64_t k = 0; k < rank; k++)
        f.folded[k] = f.all;
    for (int64_t j = 0; j < s.count; j++)
        f.folded[s.axis[j]] = true;
    if (!chooses && one_in(4) && !(floats && is_complex(dtype))) { /* conjugates are -0: what is left out may add 0 to that */
        for (int64_t k = 0; k < rank; k++)
            own[k] = one_in(4) ? 1 : shape[k];
        mask = draw_argument("mask", ASH_BOOL, own, rank, FEW);
    }
    const ash_reduce_options options = {.axes = f.all ? ASH_ALL_AXES : AXES(s.given, s.count),
                                        .drop = f.drop,
                                        .where = mask ? ASH_OPERAND(mask->array) : (ash_operand){.kind = ASH_OPERAND_NONE},
                                        ASH_SIZED(ash_reduce_options)};
    say("%s%s", f.all ? " all" : "", f.drop ? ", drop" : "");
    ash_array *got = fold_functions[what](a->array, &options);
    if (orderless || s.wrong) {
        check_refused(!got, fold_names[what],
                      ONE_OF(orderless ? ASH_ERR_DTYPE : ASH_ERR_BOUNDS, s.wrong ? ASH_ERR_BOUNDS : ASH_ERR_DTYPE,
                             s.wrong ? ASH_ERR_ARGUMENT : ASH_ERR_DTYPE));
        return;
    }
    model want, cover = model_new(ASH_BOOL, shape, 0);
    if (mask)
        cover = model_broadcast(&mask->value, shape, rank);
    if (!fold_model(&want, &a->value, what, &f, mask ? &cover : NULL)) {
        check_refused(!got, fold_names[what], ONE_OF(ASH_ERR_VALUE));
        return;
    }
    check_new_like(got, &want, a);
}

static void draw_sum(void)
{
    draw_fold(SUM);
}
static void draw_prod(void)
{
    draw_fold(PROD);
}
static void draw_min(void)
{
    draw_fold(MIN);
}
static void draw_max(void)
{
    draw_fold(MAX);
}
static void draw_truth(void)
{
    draw_fold(one_in(2) ? ANY : ALL);
}
static void draw_count(void)
{
    draw_fold(HOW_MANY);
}
static void draw_argmin(void)
{
    draw_fold(ARGMIN);
}
static void draw_argmax(void)
{
    draw_fold(ARGMAX);
}

/* Both at once: what min or max and argmin or argmax give. */
static void draw_find_extremum(void)
{
    const bool largest = one_in(2);
    const argument *a = draw_any("a", draw_real(), 0, 6);
    fold_axes f = {.all = one_in(3), .drop = one_in(2)};
    const some_axes s = draw_axes(a->value.rank, f.all ? 0 : random_in(0, a->value.rank));
    for (int64_t k = 0; k < a->value.rank; k++)
        f.folded[k] = f.all;
    for (int64_t j = 0; j < s.count; j++)
        f.folded[s.axis[j]] = true;
    const ash_reduce_options options = {
        .axes = f.all ? ASH_ALL_AXES : AXES(s.given, s.count), .drop = f.drop, ASH_SIZED(ash_reduce_options)};
    const ash_find_result got = largest ? ash_find_max_opt(a->array, &options) : ash_find_min_opt(a->array, &options);
    model value, place;
    if (s.wrong || !fold_model(&value, &a->value, largest ? MAX : MIN, &f, NULL)) {
        check_refused(!got.value && !got.index, largest ? "ash_find_max" : "ash_find_min",
                      s.wrong ? WRONG_AXES : ONE_OF(ASH_ERR_VALUE));
        return;
    }
    fold_model(&place, &a->value, largest ? ARGMAX : ARGMIN, &f, NULL);
    check_new_like(got.value, &value, a);
    check_new_like(got.index, &place, a);
}

/* ---- into an array that is there */

typedef ash_status fold_into_function(ash_array *out, const ash_array *a, const ash_reduce_options *options);
static fold_into_function *const fold_into_functions[] = {ash_sum_into_opt,  ash_prod_into_opt, ash_min_into_opt,
                                                          ash_max_into_opt,  ash_any_into_opt,  ash_all_into_opt,
                                                          ash_count_into_opt};

/* What is there, and the fold of the elements, of which there may be none. */
static void fold_in(fold what, ash_dtype dtype, unsigned char *out, const unsigned char *folded)
{
    uint64_t x = wrapped(dtype, out), y = wrapped(dtype, folded);
    switch (what) {
    case MIN:
    case MAX:
        if (beats(dtype, folded, out, what == MAX))
            memcpy(out, folded, ash_dtype_size(dtype));
        return;
    case PROD:
        x *= y;
        break;
    case ANY:
        x |= y;
        break;
    case ALL:
        x &= y;
        break;
    default:
        x += y;
    }
    memcpy(out, &x, ash_dtype_size(dtype));
}

/* A place of a for each folded axis: the result lies in a itself. Or NULL. */
static ash_array *place_within(const argument *a, const fold_axes *f, model *at)
{
    cut cuts[MODEL_RANK];
    ash_index index[MODEL_RANK];
    for (int64_t k = 0; k < a->value.rank; k++) {
        const int64_t n = a->value.shape[k];
        if (f->folded[k] && !n)
            return NULL;
        cuts[k] = f->folded[k] ? (cut){random_below(n), 1, f->drop ? -1 : 1} : (cut){0, 1, n};
        index[k] = draw_range(cuts[k], n);
    }
    *at = model_cut(&a->at, cuts);
    say(", into itself");
    return ash_view_at(a->array, index, a->value.rank);
}

static void draw_fold_into(void)
{
    const fold what = (fold)random_below(ARGMIN);
    const bool chooses = what == MIN || what == MAX, truth = what == ANY || what == ALL, add = one_in(3);
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 1, 5);
    const ash_dtype dtype = chooses ? draw_real() : truth && one_in(2) ? ASH_BOOL : one_in(3) ? ASH_I64 : draw_integer();
    argument *a = draw_writable("a", dtype, shape, rank, draw_style());
    fold_axes f = {.drop = one_in(2)};
    const some_axes s = draw_axes(rank, random_in(0, rank));
    for (int64_t j = 0; j < s.count; j++)
        f.folded[s.axis[j]] = true;
    model want, at;
    const bool sound = fold_model(&want, &a->value, what, &f, NULL);
    argument *out = NULL;
    ash_array *to = want.dtype == dtype && one_in(2) ? place_within(a, &f, &at) : NULL;
    if (!to) {
        out = draw_writable("out", want.dtype, want.shape, want.rank, ANYTHING);
        to = out->array;
        at = out->at;
    }
    const model before = model_new(want.dtype, want.shape, want.rank);
    if (ash_to_host(to, before.data, (size_t)before.size * before.nbytes) != ASH_OK)
        fail("out cannot be read: %s", ash_error_text());
    const ash_reduce_options options = {.axes = AXES(s.given, s.count), .accumulate = add, ASH_SIZED(ash_reduce_options)};
    say(" %s%s", fold_names[what], add ? ", accumulate" : "");
    const ash_status status = fold_into_functions[what](to, a->array, &options);
    char function[32];
    snprintf(function, sizeof function, "%s_into", fold_names[what]);
    if (s.wrong) {
        check_refused(status != ASH_OK, function, WRONG_AXES);
        return;
    }
    if (!sound && !add) {
        check_refused(status != ASH_OK, function, ONE_OF(ASH_ERR_VALUE));
        return;
    }
    check_done(status);
    for (int64_t i = 0; i < want.size && add; i++) {
        if (sound)
            fold_in(what, want.dtype, model_at(&before, i), model_at(&want, i));
        model_put(&want, i, &before, i);
    }
    expect_at(out ? out : a, &at, false, &want);
}

/* ---- scans */

typedef enum step { PLUS, TIMES, LEAST, MOST, BITS_AND, BITS_OR, BITS_XOR, STEPS } step;
static const char *const step_names[] = {"+", "*", "min", "max", "&", "|", "^"};

/* x op y, of one dtype, into out; "+" and "*" wrap. */
static void combine_pair(step op, ash_dtype dtype, void *out, const void *x, const void *y)
{
    if (op == LEAST || op == MOST) {
        memmove(out, !is_nan(dtype, x) && beats(dtype, y, x, op == MOST) ? y : x, ash_dtype_size(dtype));
        return;
    }
    const uint64_t a = wrapped(dtype, x), b = wrapped(dtype, y);
    const uint64_t z = op == PLUS ? a + b : op == TIMES ? a * b : op == BITS_AND ? a & b : op == BITS_OR ? a | b : a ^ b;
    memcpy(out, &z, ash_dtype_size(dtype));
}

/* The element before the first one of an exclusive scan; min and max have none. */
static void put_neutral(step op, ash_dtype dtype, void *out)
{
    const uint64_t z = op == TIMES ? 1 : op != BITS_AND ? 0 : dtype == ASH_BOOL ? 1 : UINT64_MAX;
    memcpy(out, &z, ash_dtype_size(dtype));
}

/* Along an axis, or (axis -1) through all in row-major order. */
static model scan_model(const model *a, step op, int64_t axis, bool exclusive)
{
    const model out = model_new(a->dtype, a->shape, a->rank);
    int64_t stride = 1;
    for (int64_t k = a->rank - 1; k > axis && axis >= 0; k--)
        stride *= a->shape[k];
    for (int64_t i = 0; i < a->size; i++) {
        const bool first = axis < 0 ? i == 0 : i / stride % a->shape[axis] == 0;
        if (exclusive && first)
            put_neutral(op, a->dtype, model_at(&out, i));
        else if (first)
            model_put(&out, i, a, i);
        else
            combine_pair(op, a->dtype, model_at(&out, i), model_at(&out, i - stride), model_at(a, exclusive ? i - stride : i));
    }
    return out;
}

static model turned_axes(const model *m)
{
    int64_t axes[MODEL_RANK];
    for (int64_t k = 0; k < m->rank; k++)
        axes[k] = m->rank - 1 - k;
    return model_permute(m, axes);
}

static void draw_scan(void)
{
    const step op = (step)random_below(STEPS);
    const bool chooses = op == LEAST || op == MOST, running = (op == PLUS || op == TIMES) && one_in(2);
    ash_dtype dtype = chooses ? draw_real() : one_in(8) ? ASH_BOOL : draw_integer();
    if (op == TIMES && dtype == ASH_BOOL)
        dtype = ASH_I8;
    const argument *a = draw_any("a", dtype, 0, 6);
    const int64_t rank = a->value.rank, axis = rank && !one_in(3) ? random_below(rank) : -1;
    const bool far = axis >= 0 && draw_fault(), exclusive = !chooses && one_in(3), columns = axis < 0 && one_in(3);
    const int64_t given = far ? draw_bad_axis(rank) : draw_axis(rank, axis);
    const ash_scan_options options = {.axes = axis < 0 ? ASH_ALL_AXES : AXES(&given, 1),
                                      .exclusive = exclusive,
                                      .order = columns ? ASH_COL_MAJOR : ASH_LAYOUT_DEFAULT,
                                      ASH_SIZED(ash_scan_options)};
    say(" %s%s%s%s axis %" PRId64, running ? "running " : "", step_names[op], exclusive ? " exclusive" : "",
        columns ? " in column-major order" : "", axis < 0 ? axis : given);
    ash_array *got = running && op == PLUS ? ash_cumsum_opt(a->array, &options)
                     : running             ? ash_cumprod_opt(a->array, &options)
                                           : ash_scan_opt(step_names[op], a->array, &options);
    if (far) {
        check_refused(!got, running ? op == PLUS ? "ash_cumsum" : "ash_cumprod" : "ash_scan", ONE_OF(ASH_ERR_BOUNDS));
        return;
    }
    model in = a->value;
    if (running || (op == PLUS && dtype == ASH_BOOL))
        model_convert(&in, &a->value, summed_dtype(dtype));
    if (columns)
        in = turned_axes(&in);
    model want = scan_model(&in, op, axis, exclusive);
    if (columns)
        want = turned_axes(&want);
    check_new_like(got, &want, a);
    check_layout_like(got, a);
}

/* Into another array, into a itself, or into a view of a that lies the other way round. */
static void draw_scan_into(void)
{
    const step op = (step)random_below(STEPS);
    const ash_dtype dtype = op == LEAST || op == MOST ? draw_real() : draw_integer();
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_shape(shape, 0, 5), axis = rank && one_in(2) ? random_below(rank) : -1, where = random_below(3);
    argument *a = draw_writable("a", dtype, shape, rank, draw_style());
    argument *out = where == 0 ? draw_writable("out", dtype, shape, rank, ANYTHING) : a;
    const bool turned = where == 2 && rank && shape[0];
    ash_array *to = turned ? ash_slice(out->array, ASH_OPEN, ASH_OPEN, .step = -1) : out->array;
    const ash_scan_options options = {.axes = axis < 0 ? ASH_ALL_AXES : AXES(&axis, 1), ASH_SIZED(ash_scan_options)};
    say(" %s axis %" PRId64 "%s", step_names[op], axis, turned ? " into its rows turned round" : where ? " into itself" : "");
    model want = scan_model(&a->value, op, axis, false);
    check_done(ash_scan_into_opt(to, step_names[op], a->array, &options));
    if (turned) {
        cut cuts[MODEL_RANK];
        for (int64_t k = 0; k < rank; k++)
            cuts[k] = k ? (cut){0, 1, shape[k]} : (cut){shape[0] - 1, -1, shape[0]};
        want = model_cut(&want, cuts);
    }
    expect_in(out, &want);
}

/* ---- comparison */

/* signs: of zeros too. */
static bool equal_numbers(number x, number y, bool identical, bool signs)
{
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
        return identical && x.kind == y.kind;
    const bool zeros = x.kind == FINITE && y.kind == FINITE && !x.digits && !y.digits;
    return number_compare(x, y) == 0 && (!signs || !zeros || x.negative == y.negative);
}

static bool equal_reals(ash_dtype d, const void *x, ash_dtype e, const void *y, bool identical)
{
    return equal_numbers(number_of(d, x), number_of(e, y), identical, identical && is_float(d) && is_float(e));
}

static bool equal_elements(ash_dtype d, const char *x, ash_dtype e, const char *y, bool identical)
{
    if (d == record_dtype(SPOT))
        return equal_reals(ASH_F32, x, ASH_F32, y, identical) && equal_reals(ASH_F32, x + 4, ASH_F32, y + 4, identical) &&
               equal_reals(ASH_I16, x + 8, ASH_I16, y + 8, identical);
    if (d == record_dtype(ODD))
        return equal_reals(ASH_F32, x, ASH_F32, y, identical) && equal_reals(ASH_F32, x + 4, ASH_F32, y + 4, identical) &&
               equal_reals(ASH_F32, x + 8, ASH_F32, y + 8, identical);
    if (is_record(d))
        return memcmp(x, y, 3) == 0;
    const unsigned char zero[8] = {0};
    return equal_reals(part_of(d), x, part_of(e), y, identical) &&
           ((!is_complex(d) && !is_complex(e)) ||
            equal_reals(part_of(d), is_complex(d) ? x + ash_dtype_size(part_of(d)) : (const char *)zero, part_of(e),
                        is_complex(e) ? y + ash_dtype_size(part_of(e)) : (const char *)zero, identical));
}

static void draw_equal(void)
{
    const argument *a = draw_any("a", draw_dtype(), 0, 6), *b;
    const bool identical = one_in(2);
    int64_t shape[MODEL_RANK];
    model same, other;
    const ash_dtype to = is_record(a->value.dtype) || one_in(2) ? a->value.dtype : draw_number();
    memcpy(shape, a->value.shape, sizeof shape);
    if (a->value.rank && one_in(8))
        shape[random_below(a->value.rank)]++;
    if (!model_convert(&same, &a->value, to) || one_in(6))
        same = random_values(to, shape, a->value.rank, draw_style());
    if (same.size && one_in(4)) {
        other = random_values(to, shape, 0, FEW);
        model_put(&same, random_below(same.size), &other, 0);
    }
    b = draw_given("b", &same);
    say(identical ? " identical" : "");
    const bool got = ash_equal(a->array, b->array, .identical = identical);
    bool want = a->value.rank == b->value.rank;
    for (int64_t k = 0; k < a->value.rank && want; k++)
        want = a->value.shape[k] == b->value.shape[k];
    for (int64_t i = 0; i < a->value.size && want; i++)
        want = equal_elements(a->value.dtype, model_at(&a->value, i), b->value.dtype, model_at(&b->value, i), identical);
    if (got != want)
        fail("they are %s, not %s", got ? "equal" : "different", want ? "equal" : "different");
}

const operation reduce_operations[] = {
    {"sum", draw_sum, 3},
    {"prod", draw_prod, 1},
    {"min", draw_min, 2},
    {"max", draw_max, 2},
    {"any_all", draw_truth, 2},
    {"count", draw_count, 2},
    {"argmin", draw_argmin, 2},
    {"argmax", draw_argmax, 2},
    {"find_extremum", draw_find_extremum, 2},
    {"scan", draw_scan, 4},
    {"fold_into", draw_fold_into, 4},
    {"scan_into", draw_scan_into, 2},
    {"equal", draw_equal, 2},
    {NULL, NULL, 0},
};
