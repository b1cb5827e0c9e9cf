/*
 * failures.c - every allocation fails in turn: through a whole k-means run, and through a set of other calls.
 *
 * A body is run again and again while its 1st, 2nd, 3rd... allocation fails, until it needs fewer than that. Each time it
 * must either succeed all the same or fail with status memory; afterwards nothing may be left over, arguments and outputs
 * are as they were, and the next call works. Function texts differ from round to round, so that no cache hides a place.
 */
#include <complex.h>
#include <unistd.h>

#include "core/alloc.h"
#include "kernel_texts.h"
#include "linalg/lapack.h"
#include "test.h"

/* What the bodies work on, made while nothing fails. */
typedef struct fixture {
    ash_array *m, *v, *z, *i, *mask, *out, *labels, *centroids;
} fixture;
static fixture f;
static int round_number; /* makes a new text each time */

static const char csv[] = "5.1,3.5,1.4,0.2,setosa\n4.9,3.0,1.4,0.2,setosa\n7.0,3.2,4.7,1.4,versicolor\n"
                          "6.4,3.2,4.5,1.5,versicolor\n6.3,3.3,6.0,2.5,virginica\n5.8,2.7,5.1,1.9,virginica\n";

static void make_fixture(void)
{
    f.m = counting(1, ASH_F32, ASH_SHAPE(2, 3), ASH_ROW_MAJOR);
    f.v = ash_f32(1, 2, 3);
    f.z = ash_reshape(ash_c_f32(1 + 2 * I, 3, 4, 5 - 1 * I), ASH_SHAPE(2, 2));
    f.i = ash_i32(3, 1, 2);
    f.mask = ash_bool(1, 0, 1);
    f.out = ash_fill_new(ASH_SHAPE(3, 3), -1.0f);
    f.labels = ash_fill_new(ASH_SHAPE(6), INT64_C(-1));
    f.centroids = ash_fill_new(ASH_SHAPE(3, 4), -1.0f);
    NO_ERROR();
}
static void check_arguments(void)
{
    CHECK_FLOATS(f.m, 1, 2, 3, 4, 5, 6);
    CHECK_FLOATS(f.v, 1, 2, 3);
    CHECK_FLOATS(ash_map("imag", f.z), 2, 0, 0, -1);
    CHECK_INTS(f.i, 3, 1, 2);
    CHECK_INTS(f.mask, 1, 0, 1);
}

typedef struct levels {
    int64_t live;
    size_t in_use;
} levels;
static levels now(void)
{
    ash_pool_info info;
    CHECK_OK(ash_pool_stats(ash_default_device(), &info, sizeof info));
    return (levels){ash_live_arrays(), info.in_use};
}

/* body: true when all went well. undone: checks (and makes again) what must not have been touched by a failure. */
static void fail_in_turn(const char *name, bool (*body)(void), void (*undone)(bool succeeded))
{
    for (int64_t n = 1;; n++) {
        round_number++;
        if (n > 5000)
            FAIL("%s: still allocating after %d rounds", name, (int)n);
        const levels before = now();
        const int64_t scope = ash_scope_open();
        NO_ERROR();
        const int64_t count = ash__allocations();
        ash__fail_allocation(n);
        const bool succeeded = body();
        ash__fail_allocation(0);
        const bool reached = ash__allocations() - count >= n;
        if (succeeded) {
            if (ash_failed())
                FAIL("%s, allocation %d: it succeeded and left an error", name, (int)n);
        } else {
            ash_error e;
            if (!ash_error_take(&e, sizeof e))
                FAIL("%s, allocation %d: it failed without an error", name, (int)n);
            if (e.status != ASH_ERR_MEMORY || !reached)
                FAIL("%s, allocation %d: %s: %s: %s", name, (int)n, ash_status_name(e.status), e.function, e.cause);
        }
        ash_scope_close(scope);
        const levels after = now();
        if (after.live != before.live || after.in_use != before.in_use)
            FAIL("%s, allocation %d: %d arrays and %zd bytes are left over", name, (int)n, (int)(after.live - before.live),
                 (ssize_t)(after.in_use - before.in_use));
        {
            ASH_SCOPE(check);
            check_arguments();
            if (undone)
                undone(succeeded);
            CHECK(ash_item_f32(ash_sum(f.m)) == 21);
        }
        if (!reached) {
            if (!succeeded)
                FAIL("%s fails although nothing was made to fail", name);
            return;
        }
    }
}
static const char *text(const char *format)
{
    static char buffer[256];
    snprintf(buffer, sizeof buffer, format, round_number % 2 ? round_number : -round_number);
    return buffer;
}

/* ---- k-means ----------------------------------------------------------------------------------------------------------------
 */

static ash_array *distances(const ash_array *X, const ash_array *C)
{
    ASH_SCOPE(scope);
    return ash_keep(scope, ash_map_reduce_with(text("(x, c) -> (x - c)^2 + 0f*%d"), "+",
                                               ASH_OPERANDS(ash_insert_axis(X, 1), ash_insert_axis(C, 0)), .axes = ASH_AXES(2),
                                               .drop = true));
}
static ash_array *labels_of(const ash_array *X, const ash_array *C)
{
    ASH_SCOPE(scope);
    return ash_keep(scope, ash_argmin(distances(X, C), .axes = ASH_AXES(1), .drop = true));
}
/* Means of the rows with each label, by a one-hot product folded over the rows. */
static ash_array *means_of(const ash_array *X, const ash_array *label)
{
    ASH_SCOPE(scope);
    const ash_array *cluster = ash_reshape(ash_range(INT64_C(0), INT64_C(3), .dtype = ASH_I64), ASH_SHAPE(1, 3, 1));
    const ash_array *own = ash_reshape(label, ASH_SHAPE(6, 1, 1));
    const ash_array *sums =
        ash_map_reduce_with("(x, l, c) -> l == c ? x : 0f", "+", ASH_OPERANDS(ash_insert_axis(X, 1), own, cluster),
                            .axes = ASH_AXES(0), .drop = true);
    const ash_array *sizes =
        ash_map_reduce_with("(l, c) -> l == c ? 1f : 0f", "+", ASH_OPERANDS(own, cluster), .axes = ASH_AXES(0), .drop = true);
    return ash_keep(scope, ash_map("(s, n) -> s / n", sums, sizes));
}
static bool kmeans(void)
{
    ASH_SCOPE(scope);
    ash_array *X = ash_parse_csv(csv, sizeof csv - 1, .columns = "0:4", .dtype = ASH_F32, .header = ASH_HEADER_NO);
    ash_array *C = ash_copy(ash_slice(X, 0, ASH_OPEN, .step = 2));
    int steps = 0;
    for (; steps < 20; steps++) {
        ASH_SCOPE(step);
        const ash_array *moved = means_of(X, labels_of(X, C));
        const float shift = ash_item_f32(ash_map_reduce("(a, b) -> (a - b)^2", "max", C, moved));
        if (ash_failed())
            return false;
        if (shift == 0)
            break;
        ash_replace(&C, ash_copy(moved));
    }
    CHECK(steps < 20);
    ash_array *labels = labels_of(X, C);
    if (ash_failed())
        return false;
    return ash_copy_into(f.centroids, C) == ASH_OK && ash_map_into(f.labels, "x -> x", labels) == ASH_OK;
}
static void kmeans_outputs(bool succeeded)
{
    if (succeeded) {
        CHECK_INTS(f.labels, 0, 0, 1, 1, 2, 2);
        /* the means of rows 0 and 1, 2 and 3, 4 and 5 */
        static const double want[12] = {5, 3.25, 1.4, 0.2, 6.7, 3.2, 4.6, 1.45, 6.05, 3, 5.55, 2.2};
        float got[12];
        CHECK_OK(ash_to_host(f.centroids, got, sizeof got));
        for (int i = 0; i < 12; i++)
            CHECK_NEAR((double)got[i], want[i], 1e-6);
    } else {
        CHECK_ALL(f.labels, -1);
        float got[12];
        CHECK_OK(ash_to_host(f.centroids, got, sizeof got));
        CHECK(got[0] == -1 ? got[11] == -1 : got[11] != -1); /* the last copy but one may have been made: whole, then */
    }
    CHECK_OK(ash_fill(f.labels, -1));
    CHECK_OK(ash_fill(f.centroids, -1));
}
static void whole_kmeans(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    make_fixture();
    fail_in_turn("k-means", kmeans, kmeans_outputs);
}

/* ---- other calls */

static bool map_broadcast(void) { return ash_map(text("(x, y) -> x*y + %d"), f.m, f.v); }
static bool map_new_layout(void)
{
    return ash_map_with(text("x -> sqrt(x) + %d"), ASH_OPERANDS(f.m), .layout = ASH_COL_MAJOR, .dtype = ASH_F64);
}
static bool map_in_one_call(void)
{
    ash_function *g = ash_function_new(text("(x, y) -> x*y + %d"));
    ash_array *a = g ? ash_apply2(g, f.m, f.v) : NULL;
    ash_release(a);
    ash_function_release(g);
    return a != NULL;
}
static bool map_of_complex(void) { return ash_map(text("x -> exp(x) / x + %d"), f.z); }
static bool zip(void) { return ash_zip_map(text("(x, y) -> x + y*%d"), f.m, f.v); }
/* For a body that had to take its memory error: another one. */
static bool fail_again(void) { return ash_empty(ASH_SHAPE(INT64_C(1) << 58)) != NULL; }
static bool bad_text(void)
{
    ash_array *a = ash_map(text("x -> x + oops%d"), f.m);
    ash_error e;
    if (a || !ash_error_take(&e, sizeof e))
        return false;
    return e.status == ASH_ERR_MEMORY ? fail_again() : true;
}
static bool map_into_overlap(void)
{
    ash_array *h = ash_slice(f.out, 0, 3);
    return h && ash_map_into(h, text("(x, y) -> x + y + 1 + 0*%d"), h, ash_transpose(h)) == ASH_OK;
}
static void out_is(bool succeeded)
{
    if (!succeeded)
        CHECK_ALL(f.out, -1);
    CHECK_OK(ash_fill(f.out, -1));
}
static bool reduce_axes(void)
{
    return ash_map_reduce_with(text("(x, y) -> x*y + %d"), "+", ASH_OPERANDS(f.m, f.v), .axes = ASH_AXES(0),
                               .init = ASH_OPERAND(1.0f), .where = ASH_OPERAND(f.mask));
}
static bool reduce_function(void) { return ash_reduce("(a, b) -> a*b", f.v, .init = ASH_OPERAND(1.0f)); }
static bool reductions(void)
{
    return ash_sum(f.m) && ash_prod(f.i) && ash_min(f.m, .axes = ASH_AXES(0)) &&
           ash_max(f.m, .drop = true, .axes = ASH_AXES(1)) && ash_any(f.mask) && ash_all(f.mask) &&
           ash_count(f.m, .predicate = "x -> x > 2f");
}
static bool moments(void) { return ash_mean(f.m) && ash_var(f.m, .axes = ASH_AXES(1)) && ash_std(f.m, .population = true); }
static bool extremes(void)
{
    const ash_find_result least = ash_find_min(f.m, .axes = ASH_AXES(0));
    if (!least.value != !least.index)
        FAIL("one result without the other");
    if (!least.value)
        return false;
    const ash_extrema_result both = ash_extrema(f.m);
    if (!both.min != !both.max)
        FAIL("one result without the other");
    return both.min && ash_argmax(f.m) && ash_argmin(f.m, .axes = ASH_AXES(1));
}
static bool sum_into(void)
{
    return ash_sum_into(ash_slice(f.out, 0, 1), f.m, .axes = ASH_AXES(0)) == ASH_OK;
}
static bool scans(void)
{
    return ash_cumsum(f.m) && ash_scan("max", f.m, .axes = ASH_AXES(0)) && ash_cumprod(f.i, .exclusive = true) &&
           ash_scan("(a, b) -> a + b", f.v, .init = ASH_OPERAND(1.0f));
}
static bool scan_in_place(void) { return ash_scan_into(f.out, "+", ash_transpose(f.out), .axes = ASH_AXES(1)) == ASH_OK; }
static bool comparisons(void)
{
    const bool same = ash_equal(f.m, ash_copy(f.m)), near = ash_allclose(f.m, f.m);
    return same && near;
}
static bool made(void)
{
    return ash_zeros(ASH_SHAPE(2, 2), .dtype = ASH_C_F64) && ash_fill_new(ASH_SHAPE(4), 2) && ash_range(0, 5) &&
           ash_linspace(0, 1, 7) && ash_eye(3) && ash_like(f.m, .dtype = ASH_I8);
}
static bool from_host(void)
{
    const double host[] = {1, 2, 3, 4};
    return ash_from_host(host, ASH_F64, ASH_SHAPE(2, 2), .dtype = ASH_F16, .layout = ASH_COL_MAJOR) &&
           ash_from_rows(ASH_ROWS(ASH_ROW(double, 1, 2), ASH_ROW(double, 3, 4))) && ash_f32(1, 2);
}
static int next_ten(void *state, ash_operand *out)
{
    int *i = state;
    *out = ASH_OPERAND((double)*i);
    return (*i)++ < 1000;
}
static bool collected(void)
{
    int at = 0;
    const ash_iterator unknown = {next_ten, &at, -1};
    if (!ash_collect(&unknown))
        return false;
    at = 0;
    const ash_iterator known = {next_ten, &at, 1000};
    return ash_collect(&known, .dtype = ASH_F32);
}
ASH_STATIC_ARRAY(rows3, float, ASH_ROW_MAJOR, ASH_DYNAMIC, 3);
ASH_STATIC_VALUE(square3, float, ASH_COL_MAJOR, 3, 3);
static bool static_types(void)
{
    float v[9] = {0};
    int at = 1000 - 9;
    const ash_iterator nine = {next_ten, &at, 9};
    rows3 u = rows3_from(f.m), copy = rows3_copy(&u), lent = rows3_wrap(v, 9, ASH_INFER), none = rows3_collect(&nine);
    square3 s = square3_from(f.out);
    const bool made = u.owner && copy.owner && none.owner && rows3_parent(&lent) && !ash_failed();
    bool written = made && !rows3_fill(&lent, 2) && !rows3_map_into(&copy, "x -> x + 1", rows3_array(&u)) &&
                   !rows3_rand(&lent) && !rows3_copy_into(&lent, &none) && !square3_fill(&s, 1);
    if (written) {
        rows3 moved = rows3_adapt(&copy, ASH_OPTIONS(ash_target, .storage = ASH_PRIVATE));
        written = moved.owner != NULL;
        rows3_release(&moved);
    }
    rows3_release(&u);
    rows3_release(&copy);
    rows3_release(&none);
    return written;
}
static int deleted;
static void count_deleted(void *context)
{
    (void)context;
    deleted++;
}
static bool wrapped(void)
{
    static float memory[6];
    deleted = 0;
    ash_array *a = ash_wrap(memory, ASH_F32, 6, ASH_SHAPE(2, 3), .deleter = count_deleted, .context = memory);
    if (deleted)
        FAIL("the deleter was called for a wrap that failed, or too early");
    if (!a)
        return false;
    ash_release(a);
    if (deleted != 1)
        FAIL("the deleter was called %d times", deleted);
    return true;
}
static bool deferred(void)
{
    static float memory[6];
    void *context = NULL;
    ash_array *a = ash_wrap(memory, ASH_F32, 6, ASH_SHAPE(6), .deferred = true, .context = memory);
    if (!a)
        return false;
    ash_release(a); /* may never fail, whatever is left */
    if (ash_deferred(&context, 1) != 1 || context != memory)
        FAIL("the deferred context is lost");
    return true;
}
static void end_managed(ash_dl_managed *managed) { count_deleted(managed); }
static bool exchanged(void)
{
    static float memory[6];
    int64_t size = 6;
    ash_dl_managed managed = {.version = {1, 0}, .deleter = end_managed};
    managed.tensor = (ash_dl_tensor){.data = memory, .device = {ASH_DL_CPU, 0}, .rank = 1, .dtype = {ASH_DL_FLOAT, 32, 1},
                                     .shape = &size};
    deleted = 0;
    ash_array *a = ash_from_dlpack(&managed);
    if (deleted)
        FAIL("the deleter was called for an import that failed, or too early");
    ash_dl_managed *out = a ? ash_to_dlpack(a) : NULL;
    ash_release(a);
    if (a && deleted != !out)
        FAIL("the deleter was called %d times", deleted);
    if (!out)
        return false;
    out->deleter(out);
    if (deleted != 1)
        FAIL("the deleter was called %d times", deleted);
    ash_dl_managed_old *copy = ash_to_dlpack_old(ash_adjoint(f.z), .copy = true);
    if (!copy)
        return false;
    copy->deleter(copy);
    return true;
}
static bool copies(void)
{
    double host[6];
    return ash_copy(f.m) && ash_copy(ash_transpose(f.m), .layout = ASH_ROW_MAJOR) && ash_convert(f.m, ASH_I16) &&
           ash_contiguous(f.m, .layout = ASH_COL_MAJOR) && ash_to_host_as(f.m, host, sizeof host, ASH_F64) == ASH_OK &&
           ash_to_host(ash_adjoint(f.z), host, 32) == ASH_OK;
}
static bool copy_overlap(void)
{
    return ash_copy_into(f.out, ash_transpose(ash_slice(f.out, ASH_OPEN, ASH_OPEN, .step = -1))) == ASH_OK;
}
static bool copy_converted(void) { return ash_copy_into(ash_slice(f.out, 0, 1), f.i) == ASH_OK; }
static bool views(void)
{
    return ash_slice(f.m, 0, 1) && ash_view(f.m, ASH_ALL, 1) && ash_reshape(f.m, ASH_SHAPE(3, 2)) && ash_transpose(f.m) &&
           ash_adjoint(f.z) && ash_permute(f.m, ASH_AXES(1, 0)) && ash_insert_axis(f.m, 0) &&
           ash_squeeze(ash_insert_axis(f.m, 1)) && ash_broadcast_to(f.v, ASH_SHAPE(4, 3)) && ash_reinterpret(f.v, ASH_I32) &&
           ash_diagonal(f.m) && ash_parent(ash_copy(f.v)) && ash_parent(ash_transpose(f.m));
}
static bool parsed(void)
{
    static const char table[] = "a,b\n1,2\n3,\"4\"\n";
    return ash_parse_csv(csv, sizeof csv - 1, .columns = "0:4") && ash_parse_csv(table, sizeof table - 1, .columns = "b,a");
}
static bool files(void)
{
    char path[] = "/tmp/ashlar-fail-XXXXXX";
    const int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    bool done = ash_write_npy(f.m, path) == ASH_OK && ash_read_npy(path) && ash_read_npy(path, .mapped = true) &&
                ash_write_npy(ash_adjoint(f.z), path) == ASH_OK;
    done = done && ash_write_csv(ash_transpose(f.m), path) == ASH_OK && ash_read_csv(path);
    unlink(path);
    return done;
}
/* A tree in each kind of file that this library was built for, there and back. */
static bool named_files(void)
{
    char path[] = "/tmp/ashlar-fail-XXXXXX";
    const int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    ash_tree *t = ash_tree_new(), *inner = ash_tree_new();
    bool done = t && inner && ash_tree_put(inner, "m", ash_transpose(f.m)) == ASH_OK && ash_tree_put(inner, "n", 5) == ASH_OK &&
                ash_tree_put(t, "inner", inner) == ASH_OK && ash_tree_put(t, "z", f.z) == ASH_OK;
#ifdef ASH__WITH_NPZ
    done = done && ash_save_npz(t, path) == ASH_OK && ash_load_npz(path, .mapped = true) && ash_read_npz(path, "z") &&
           ash_save_npz(t, path, .compress = true) == ASH_OK && ash_load_npz(path);
#endif
#ifdef ASH__WITH_SAFETENSORS
    done = done && ash_save_safetensors(t, path) == ASH_OK && ash_load_safetensors(path) &&
           ash_load_safetensors(path, .mapped = true) && ash_read_safetensors(path, "inner.m", .dtype = ASH_F16);
#endif
    unlink(path);
    return done;
}
/* Printing never fails: at worst the values are left out. */
static bool printed(void)
{
    char buffer[512];
    ash_format(buffer, sizeof buffer, f.m);
    if (strncmp(buffer, "ash.matrix f32[2×3] row-major cpu:0\n", 37) != 0 &&
        strncmp(buffer, "ash.matrix f32[2×3] row-major cpu:0 <", 38) != 0)
        FAIL("text: %s", buffer);
    if (ash_failed())
        FAIL("printing left an error");
    FILE *stream = fopen("/dev/null", "w");
    CHECK(stream);
    const ash_status status = ash_fprint(stream, f.z);
    fclose(stream);
    if (ash_failed() && status == ASH_OK)
        FAIL("printing left an error");
    ash_error_clear();
    return true;
}
static bool functions(void)
{
    ash_function *g = ash_function_new(text("(x, y) -> let d = x - y in d*d + %d"));
    if (!g)
        return false;
    const bool done = ash_map(g, f.m, f.v) && ash_map_into(ash_slice(f.out, 0, 2), g, f.m, 1.0f) == ASH_OK;
    ash_function_release(g);
    return done;
}
static bool resources(void)
{
    ash_resources *own = ash_resources_new("cpu:0?f64=off");
    if (!own)
        return false;
    bool done = true;
    {
        ASH_WITH_RESOURCES(own);
        ASH_ALLOW_SCALAR;
        done = !ash_failed() && ash_zeros(ASH_SHAPE(3)) && ash_f32(1, 2);
    }
    ash_resources_release(own);
    return done;
}
static bool states(void)
{
    ash_state *s = ash_state_new();
    if (!s)
        return false;
    ash_state *own = ash_state_swap(s);
    const bool done = ash_scope_open() >= 0 && ash_f32(1) && ash_map("x -> x", f.v);
    ash_error e;
    const bool failed = ash_error_take(&e, sizeof e); /* in the state that goes now */
    CHECK(failed == !done && (!failed || e.status == ASH_ERR_MEMORY));
    ash_state_swap(own);
    ash_state_release(s); /* with its scope and all that it holds */
    return done || fail_again();
}
/* The columns of a matrix, twice over and by a mask: out of m by several lists, and into out from a value that is converted. */
static bool indexed(void)
{
    return ash_index(f.m, ash_i32(1, 0), f.mask) && ash_index(ash_adjoint(f.z), 1, ash_u8(1, 0)) &&
           ash_take(f.v, ash_slice(f.labels, 0, 0)) &&
           ash_index_with(ash_transpose(f.m), ASH_INDICES(ash_u8(1, 0)), .linear = true) &&
           ash_index_with(f.m, ASH_INDICES(ASH_RANGE(3, 1, -1)), .linear = true);
}
static bool indexed_into(void)
{
    ash_array *value = ash_i64(1, 2, 3, 4);
    return value && ash_index_into(f.out, value, f.mask, ash_i32(2, 0)) == ASH_OK;
}
static bool indexed_into_linear(void)
{
    return ash_index_into_with(ash_transpose(f.out), 1, ASH_INDICES(ash_i64(2, 0, 1)), .linear = true) == ASH_OK;
}
static bool indexed_into_itself(void) { return ash_index_into(f.out, ash_transpose(f.out), ash_i64(2, 0, 1)) == ASH_OK; }
static bool put_summed(void)
{
    ash_array *column = ash_insert_axis(f.i, 1);
    return column && ash_put(f.out, ash_u8(1, 1), column, .axis = 1, .accumulate = true) == ASH_OK;
}
static bool put_broadcast(void)
{
    ash_array *twice = ash_i16(1, 2, 2, 0);
    return twice && ash_put(f.out, ash_reshape(twice, ASH_SHAPE(2, 2)), ash_map("real", f.z), .axis = 1) == ASH_OK;
}
/* 300000 elements have more blocks than are counted without memory. */
static bool selected(void)
{
    ash_array *many = ash_zeros(ASH_SHAPE(300, 1000), .dtype = ASH_U8), *mask = many ? ash_reinterpret(many, ASH_BOOL) : NULL;
    return mask && ash_select(many, ash_transpose(ash_reshape(mask, ASH_SHAPE(1000, 300)))) &&
           ash_select(ash_transpose(f.z), ash_reshape(ash_bool(1, 0, 1, 1), ASH_SHAPE(2, 2))) &&
           ash_select(f.m, f.mask, .axes = ASH_AXES(1));
}
static bool triangles(void) { return ash_triu(f.m, .k = 1) && ash_tril(ash_adjoint(f.z)); }
/* Ten equations of another matrix each time, large enough for blocks; out is written by the last call. */
static ash_array *equations(void)
{
    return ash_map("(x, e) -> sin(x) + 90*e", ash_reshape(ash_range(0, 80 * 80, .dtype = ASH_F32), ASH_SHAPE(80, 80)),
                   ash_eye(80));
}
static bool factored(void)
{
    ash_array *a = equations(), *b = a ? ash_ones(ASH_SHAPE(80)) : NULL;
    const ash_lu_factors lu = b ? ash_lu(a) : (ash_lu_factors){NULL, NULL};
    const ash_qr_result qr = lu.lu ? ash_qr(ash_transpose(a), .full = true) : (ash_qr_result){NULL, NULL};
    return qr.q && ash_lu_into(lu, a) == ASH_OK && ash_lu_lower(lu) && ash_lu_upper(lu) && ash_lu_permutation(lu) &&
           ash_lu_solve(lu, b) && ash_factor_info(lu.lu) && ash_cholesky(a, .upper = true) && ash_lu(f.z).lu && ash_qr(f.m).r;
}
static bool solved(void)
{
    ash_array *a = equations(), *b = a ? ash_ones(ASH_SHAPE(80, 2)) : NULL, *l = b ? ash_cholesky(a) : NULL;
    ash_array *tall = l ? ash_slice(a, 0, 40, .axes = ASH_AXES(1)) : NULL;
    return tall && ash_solve(a, ash_slice(b, 0, 1, .axes = ASH_AXES(1))) && ash_inv(a) && ash_det(a) && ash_slogdet(a).sign &&
           ash_logdet(f.z) && ash_lstsq(tall, b) && ash_lstsq(f.m, ash_f32(1, 2)) && ash_cholesky_solve(l, b) &&
           ash_triangular_solve(a, ash_transpose(b), .right = true) && ash_diagonal_solve(f.v, f.v) &&
           ash_solve(f.z, ash_i32(1, 2)) && ash_solve(a, b, .positive = true) &&
           ash_solve(f.z, ash_i32(1, 2), .structure = ASH_HERMITIAN_UPPER);
}
static bool solved_into(void)
{
    ash_array *three = ash_map("(x, e) -> x + 2*e", f.out, ash_eye(3));
    return three && ash_cholesky_solve_into(f.out, three, f.out) == ASH_OK;
}
static bool finds(void)
{
    return ash_find(f.m, .predicate = text("x -> x > 2 + 0*%d")) && ash_find(f.mask) &&
           ash_find_first(f.v, .predicate = text("x -> x > 1 + 0*%d")) == 1 && ash_find_last(f.m) == 5;
}
static bool decomposed(void)
{
    const ash_svd_result r = ash_svd(f.m, .full = true);
    if (!r.u != !r.s || !r.u != !r.vt)
        FAIL("one result without the others");
    if (!r.u)
        return false;
    const ash_eigh_result e = ash_eigh(ash_adjoint(f.z));
    if (!e.values != !e.vectors)
        FAIL("one result without the other");
    ash_status status;
    return e.values && ash_svdvals(f.m) && ash_eigvalsh(f.z, .upper = true) &&
           (!ash__lapack_there("test", &status) || ash_eig(ash_slice(f.m, 0, 2, .axes = ASH_AXES(1))).vectors);
}
static bool decomposed_alone(void)
{
    setenv("ASHLAR_LAPACK", "off", 1);
    ash__lapack_forget();
    const bool done = decomposed();
    unsetenv("ASHLAR_LAPACK");
    ash__lapack_forget();
    return done;
}
static bool norms(void)
{
    const ash_givens_result g = ash_givens(f.v, 2.0f);
    if (!g.c != !g.s || !g.c != !g.r)
        FAIL("one result without the others");
    return g.c && ash_norm(f.m, .axes = ASH_AXES(0)) && ash_norm(f.z, .p = ASH_OPERAND(3), .axes = ASH_AXES(1), .drop = true) &&
           ash_norm(f.v, .axes = ASH_AXES()) && ash_norm(ash_map("x -> f64(x)", f.m)) &&
           ash_normalize(ash_map("x -> ldexp(f64(x), -1000)", f.v)) && ash_normalize(f.v) && ash_opnorm(f.m) &&
           ash_opnorm(f.m, .p = ASH_OPERAND(1)) && ash_trace(f.m) && ash_cross(f.m, f.i) && ash_kron(f.m, f.z);
}
static bool matrix_functions(void)
{
    return ash_pinv(f.m) && ash_matrix_rank(f.z) && ash_cond(f.m) && ash_cond(f.z, .p = ASH_OPERAND(1)) &&
           ash_matrix_power(f.z, 5) && ash_matrix_power(f.z, -2) && ash_matrix_power(f.z, 0) &&
           ash_expm(ash_stack(ASH_ARRAYS(f.z, ash_adjoint(f.z))));
}
static bool looks(void)
{
    const bool zeros = ash_is_triu(f.m, .k = -1), square = zeros && !ash_is_symmetric(f.z) && !ash_is_diagonal(f.z);
    return square && !ash_failed();
}
static bool rotated(void)
{
    ash_array *x = ash_slice(f.out, 0, 1), *y = x ? ash_slice(f.out, 1, 2) : NULL;
    return y && ash_rotate_into(x, y, f.v, 2.0f) == ASH_OK;
}
static bool mirrored(void) { return ash_mirror(f.z, .conjugated = true) && ash_mirror_into(f.out, f.out) == ASH_OK; }
static bool memories(void)
{
    return ash_zeros(ASH_SHAPE(10), .memory = ash_memory_malloc()) && ash_zeros(ASH_SHAPE(10), .memory = ash_memory_huge());
}
static bool scoped(void)
{
    for (int i = 0; i < 40; i++) {
        const int64_t scope = ash_scope_open();
        if (scope < 0)
            return false;
    }
    for (int i = 0; i < 100; i++)
        if (!ash_share(f.v))
            return false;
    return true;
}

static bool sorts(void)
{
    return ash_sort(f.m, .axes = ASH_AXES(0)) && ash_sortperm(f.v) && ash_sort(f.i, .by = text("x -> abs(x - %d)")) &&
           ash_sort(f.v, .less = text("(x, y) -> x + %df > y + 1f")) && ash_sort_by_key(f.v, f.i).keys &&
           ash_sort_by_key(f.v, ash_transpose(f.m)).values && ash_sort_by_key(f.v, ASH_ARRAYS(f.i, f.v)).values[1] &&
           ash_sort_by_key(f.m, ASH_ARRAYS(f.m, ash_transpose(ash_transpose(f.m))), .axes = ASH_AXES(1)).values[1] &&
           ash_partial_sort(f.m, 1, 3, .flat = true) && ash_top_k(f.v, 2).positions &&
           (ash_is_sorted(f.v) || !ash_failed());
}
static bool sort_in_place(void)
{
    return !ash_sort_into(f.out, f.out, .axes = ASH_AXES(0), .by = text("x -> x*%df"));
}
static bool searched(void)
{
    return ash_search_sorted(f.v, 2.5f) && ash_search_sorted(f.v, f.i, .descending = true) && ash_histogram(f.m, 3).counts &&
           ash_histogram(f.i, 0, .edges = f.v).edges;
}
/* With generators that have to be made each time: a state's own, and one of the program's. */
static bool drawn(void)
{
    ash_state *s = ash_state_new();
    if (!s)
        return false;
    ash_state *own = ash_state_swap(s);
    ash_rng *r = ash_rng_new(ASH_RNG_DEFAULT);
    const bool done = r && ash_scope_open() >= 0 && ash_default_rng() && ash_rand(ASH_SHAPE(3)) &&
                      ash_randn(ASH_SHAPE(3), .dtype = ASH_C_F16) && ash_randint(0, 9, ASH_SHAPE(3), .rng = r) &&
                      ash_permutation(9, .rng = r) && ash_shuffle(f.m, .axis = 1) && ash_randexp_f32(r) > 0;
    ash_error e;
    const bool failed = ash_error_take(&e, sizeof e);
    CHECK(failed == !done && (!failed || e.status == ASH_ERR_MEMORY));
    ash_rng_release(r);
    ash_state_swap(own);
    ash_state_release(s);
    return done || fail_again();
}
static bool shuffled(void)
{
    return !ash_shuffle_into(f.out, f.out, .axis = 1) && !ash_rand_into(f.out);
}
static bool different(void)
{
    return ash_unique(f.m, .positions = true, .inverse = true, .counts = true).counts &&
           ash_unique(f.i, .sorted = true, .by = text("x -> x & %d")).values;
}
/* Lengths differ from round to round, so that tables have to be made; every fourth or so is a convolution. */
static int64_t length(void) { return 64 + round_number % 67; }
static bool fourier(void)
{
    ash_array *x = ash_zeros(ASH_SHAPE(3, length())), *half = x ? ash_rfft(x) : NULL;
    return half && ash_irfft(half, length()) && ash_fft(x, .axes = ASH_AXES(1)) && ash_bfft(ash_convert(x, ASH_F16)) &&
           ash_ifft(ash_adjoint(f.z)) && ash_rfft(ash_transpose(x), .first = true);
}
static bool fourier_into(void)
{
    ash_array *x = ash_fill_new(ASH_SHAPE(3, length()), -1.0f);
    ash_array *half = x ? ash_convert(ash_zeros(ASH_SHAPE(3, length() / 2 + 1)), ASH_C_F32) : NULL;
    if (!half)
        return false;
    const bool done = ash_irfft_into(x, half) == ASH_OK;
    CHECK_ALL(x, done ? 0 : -1);
    ash_array *z = done ? ash_convert(ash_ones(ASH_SHAPE(length(), 3)), ASH_C_F32) : NULL;
    if (!z)
        return false;
    const bool done_in_place = ash_fft_into(z, z) == ASH_OK;
    double first[2];
    CHECK_OK(ash_to_host_as(ash_view(z, 0, 0), first, sizeof first, ASH_C_F64));
    CHECK(done_in_place ? fabs(first[0] - (double)length() * 3) < 1e-2 : first[0] == 1);
    return done_in_place;
}
static bool fourier_plans(void)
{
    ash_fft_plan *plan = ash_fft_plan_new(ASH_FFT_REAL, ASH_SHAPE(2, 3)), *back = plan ? ash_fft_plan_inverse(plan) : NULL;
    ash_array *y = back ? ash_fft_execute(plan, f.m) : NULL;
    const bool done = y && ash_fft_execute(back, y);
    ash_fft_plan_release(plan);
    ash_fft_plan_release(back);
    return done && ash_fftfreq(5, 1) && ash_rfftfreq(5, 1) && ash_fftshift(f.m) && ash_ifftshift(f.m, .axes = ASH_AXES(1));
}

static bool products(void)
{
    ash_array *many = ash_ones(ASH_SHAPE(2, 120, 2)), *halves = many ? ash_ones(ASH_SHAPE(70, 70), .dtype = ASH_F16) : NULL;
    return halves && ash_matmul(f.m, f.v) && ash_matmul(f.m, ash_transpose(f.m), .dtype = ASH_C_F32) && ash_matmul(many, f.m) &&
           ash_matmul(halves, ash_transpose(halves)) && ash_matmul(ash_adjoint(f.z), f.z, .a_structure = ASH_HERMITIAN_LOWER) &&
           ash_dot(f.v, f.i) && ash_vdot(ash_transpose(f.m), ash_transpose(f.m)) && ash_outer(f.v, f.i);
}
static bool product_into(void)
{
    const ash_array *m = ash_transpose(f.m);
    return ash_gemm_into(f.out, m, f.m, .alpha = ASH_OPERAND(2), .beta = ASH_OPERAND(1)) == ASH_OK;
}
/* Products that are shared out among threads, each of which works in memory of its own. */
static ash_array *batch_a, *batch_before, *batch_out;
static bool batch_into(void)
{
    return ash_matmul_into(batch_out, batch_a, batch_a) == ASH_OK;
}
static void batch_undone(bool succeeded)
{
    CHECK(succeeded || ash_equal(batch_out, batch_before));
    CHECK_OK(ash_copy_into(batch_out, batch_before));
}
static void batches(void **state)
{
    (void)state;
    static const ash_dtype dtypes[] = {ASH_F32, ASH_F16, ASH_C_F32};
    const int64_t threads = ash_threads();
    ASH_SCOPE(scope);
    make_fixture();
    CHECK_OK(ash_set_threads(4));
    for (int k = 0; k < COUNT(dtypes); k++) {
        /* new sizes: no thread has kept memory of these */
        const ash_dims shape = ASH_SHAPE(9, 150 + 90 * k, 150 + 90 * k);
        batch_a = ash_ones(shape, .dtype = dtypes[k]);
        batch_before = ash_convert(ash_fill_new(shape, -1.0f), dtypes[k]);
        batch_out = ash_copy(batch_before);
        fail_in_turn("products", batch_into, batch_undone);
    }
    CHECK_OK(ash_set_threads(threads));
}
static bool sum_of_two(void) { return ash_axpby_into(f.out, 2.0f, f.v, ash_fill_new(ASH_SHAPE(), 0.5f)) == ASH_OK; }
static bool matrices_of_diagonals(void)
{
    return ash_diag(f.v, .k = 1) && ash_banded(ASH_ARRAYS(f.v, f.i), ASH_SHAPE(0, -1), .layout = ASH_COL_MAJOR);
}

/* ---- trees and targets ------------------------------------------------------------------------------------------------------
 */

ASH_RECORD(pair, (f64, x), (i16, n, 2));
typedef struct holder {
    ash_array *one[400], *none; /* more than the stack of held arrays has room for */
} holder;
static const ash_member holder_members[] = {ASH_ARRAY_MEMBER(holder, one), ASH_ARRAY_MEMBER(holder, none)};
static const ash_struct_info holder_info = ASH_STRUCT_INFO(holder, holder_members);

static bool adapted(void)
{
    const ash_array *chain = ash_slice(ash_transpose(ash_slice(f.z, 0, 2)), 0, 1);
    ash_array *records = ash_zeros(ASH_SHAPE(2), .dtype = pair_dtype());
    const ash_array *odd = ash_permute(ash_zeros(ASH_SHAPE(2, 3, 2)), ASH_AXES(1, 0, 2));
    const ash_array *seen = ash_reinterpret(f.i, ASH_F32);
    return ash_adapt(chain, .floats = ASH_F16) && ash_adapt(f.v, .dtype = ASH_F64, .storage = ASH_PRIVATE) &&
           ash_adapt(records, .rule = ASH_F64_TO_F32) && ash_adapt(ash_field(records, "x"), .floats = ASH_F16) &&
           ash_adapt(odd, .device = "cpu:0?f64=off") && ash_adapt(seen, .floats = ASH_F64) && ash_adapt(f.v, .device = "cpu:0");
}
static ash_array *negated(const ash_array *a, void *context)
{
    (void)context;
    return ash_map("x -> -x", a);
}
static bool trees(void)
{
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new(), *inner = ash_tree_new();
    char name[32], line[256];
    bool fine = t && inner;
    for (int k = 0; fine && k < 12; k++) {
        snprintf(name, sizeof name, "entry %d", k);
        fine = ash_tree_put(inner, name, k % 2 ? f.v : f.m) == ASH_OK && ash_tree_count(inner) == k + 1;
    }
    fine = fine && ash_tree_put(t, "inner", inner) == ASH_OK && ash_tree_put(t, "view", ash_transpose(f.m)) == ASH_OK &&
           ash_tree_put(t, "x", 0.5) == ASH_OK && ash_tree_put(t, "text", "text") == ASH_OK &&
           ash_tree_put(t, "text", "another") == ASH_OK && ash_tree_put(t, "range", ash_tree_range(0, 3)) == ASH_OK;
    if (!fine)
        return false;
    ash_tree *u = ash_tree_adapt(t, .floats = ASH_F16, .scalars = true), *v = u ? ash_tree_map(u, negated, NULL) : NULL;
    if (v)
        CHECK(ash_tree_arrays(v) == 13 && ash_tree_get_f64(v, "x") == 0.5 && ash_tree_format(line, sizeof line, v) > 256);
    CHECK(ash_tree_get(t, "inner.entry 1") == f.v && ash_tree_count(t) == 5 && ash_tree_count(inner) == 12);
    return v && ash_tree_share(v);
}
static bool adapted_structs(void)
{
    ASH_SCOPE(scope);
    holder in = {{ash_slice(f.v, 1, 3)}, NULL}, out = {{NULL}, f.i};
    if (ash_failed())
        return false;
    for (int k = 1; k < COUNT(in.one); k++)
        in.one[k] = f.v;
    const bool fine = ash_adapt_struct(&out, &in, &holder_info, .dtype = ASH_F64) == ASH_OK;
    CHECK(fine ? out.one[0] && out.one[399] == out.one[1] && !out.none : !out.one[0] && out.none == f.i);
    return fine;
}

/* With groups that wait for one another, drawing of numbers, and a write at the end alone. */
static bool launched(void)
{
    ash_array *sums = ash_zeros(ASH_SHAPE(1)), *drawn = ash_empty(ASH_SHAPE(3));
    return ash_launch(uniform_of_launch, ASH_OPERANDS(drawn)) == ASH_OK &&
           ash_launch(sum_of_groups, ASH_OPERANDS(f.v, sums), .global = ASH_SHAPE(64), .local = ASH_SHAPE(64)) == ASH_OK &&
           ash_item_f32(sums) == 14 &&
           ash_launch(copy_f32, ASH_OPERANDS(ash_broadcast_to(sums, ASH_SHAPE(3, 3)), f.out)) == ASH_OK;
}

static void other_calls(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    make_fixture();
    static const struct {
        const char *name;
        bool (*body)(void);
        void (*undone)(bool);
    } calls[] = {
        {"fourier", fourier, NULL},
        {"fourier_into", fourier_into, NULL},
        {"fourier_plans", fourier_plans, NULL},
        {"map_broadcast", map_broadcast, NULL},
        {"map_new_layout", map_new_layout, NULL},
        {"map_in_one_call", map_in_one_call, NULL},
        {"map_of_complex", map_of_complex, NULL},
        {"zip", zip, NULL},
        {"bad_text", bad_text, NULL},
        {"map_into_overlap", map_into_overlap, out_is},
        {"reduce_axes", reduce_axes, NULL},
        {"reduce_function", reduce_function, NULL},
        {"reductions", reductions, NULL},
        {"moments", moments, NULL},
        {"extremes", extremes, NULL},
        {"sum_into", sum_into, out_is},
        {"scans", scans, NULL},
        {"scan_in_place", scan_in_place, out_is},
        {"comparisons", comparisons, NULL},
        {"made", made, NULL},
        {"from_host", from_host, NULL},
        {"collected", collected, NULL},
        {"static types", static_types, NULL},
        {"wrapped", wrapped, NULL},
        {"deferred", deferred, NULL},
        {"exchanged", exchanged, NULL},
        {"copies", copies, NULL},
        {"copy_overlap", copy_overlap, out_is},
        {"copy_converted", copy_converted, out_is},
        {"views", views, NULL},
        {"parsed", parsed, NULL},
        {"files", files, NULL},
        {"named_files", named_files, NULL},
        {"printed", printed, NULL},
        {"functions", functions, out_is},
        {"resources", resources, NULL},
        {"states", states, NULL},
        {"indexed", indexed, NULL},
        {"indexed_into", indexed_into, out_is},
        {"indexed_into_linear", indexed_into_linear, out_is},
        {"indexed_into_itself", indexed_into_itself, out_is},
        {"put_summed", put_summed, out_is},
        {"put_broadcast", put_broadcast, out_is},
        {"selected", selected, NULL},
        {"triangles", triangles, NULL},
        {"factored", factored, NULL},
        {"solved", solved, NULL},
        {"solved_into", solved_into, out_is},
        {"finds", finds, NULL},
        {"decomposed", decomposed, NULL},
        {"decomposed_alone", decomposed_alone, NULL},
        {"norms", norms, NULL},
        {"matrix_functions", matrix_functions, NULL},
        {"looks", looks, NULL},
        {"rotated", rotated, out_is},
        {"mirrored", mirrored, out_is},
        {"memories", memories, NULL},
        {"scoped", scoped, NULL},
        {"sorts", sorts, NULL},
        {"sort_in_place", sort_in_place, out_is},
        {"searched", searched, NULL},
        {"different", different, NULL},
        {"drawn", drawn, NULL},
        {"shuffled", shuffled, out_is},
        {"products", products, NULL},
        {"product_into", product_into, out_is},
        {"sum_of_two", sum_of_two, out_is},
        {"matrices_of_diagonals", matrices_of_diagonals, NULL},
        {"adapted", adapted, NULL},
        {"trees", trees, NULL},
        {"adapted_structs", adapted_structs, NULL},
        {"launched", launched, out_is},
    };
    for (int c = 0; c < COUNT(calls); c++)
        fail_in_turn(calls[c].name, calls[c].body, calls[c].undone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(whole_kmeans), TEST(other_calls), TEST(batches)};
    return cmocka_run_group_tests_name("allocations that fail", tests, NULL, NULL);
}
