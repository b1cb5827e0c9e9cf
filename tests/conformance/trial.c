/* trial.c - the frame of a trial: its arguments, its two runs, and what has to be the same; see trial.h. */
#include "trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "matrices.h"

trial now;
bool computed;

/* What one call to result() was given. */
typedef struct outcome {
    ash_status status;
    ash_layout layout;
    bool is_number;
    double number;
    model value;
} outcome;

/* Of an argument: its base, of which it is a view, as that was made; where element i begins in it; who writes it. */
typedef struct origin {
    ash_array *base;
    model bytes, at;
    bool written;
} origin;

static struct {
    outcome list[2][MOST_RESULTS]; /* of the reference, of the device */
    int count[2];
    origin origins[8];
    int origin_count;
    double scale;
    int64_t resources; /* mark of the block that a failed run leaves open, or -1 */
    jmp_buf end;
} run;

/* ---- saying what was tried */

void print_repeat(void)
{
    static const char *const edges[EDGES] = {"scalar", "empty", "hollow", "single", "long", "matrix", "turned"};
    fprintf(stderr, "  repeat: test-conformance --device '%s' --operation %s --dtype %s --edge %s --layout %s --storage %s\n",
            now.device, now.what->name, is_record(now.dtype) ? "record" : ash_dtype_name(now.dtype), edges[now.edge],
            ash_layout_name(now.layout), now.storage == ASH_PRIVATE ? "private" : "shared");
}

void fail(const char *format, ...)
{
    va_list list;
    fprintf(stderr, "\nconformance: %s%s: ", now.what->name, now.reference ? ", on the reference" : "");
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\n");
    ash_error_clear();
    print_repeat();
    longjmp(run.end, 1);
}

static void print_element(const char *who, const model *m, int64_t i)
{
    fprintf(stderr, "  %s", who);
    for (size_t k = m->nbytes; k-- > 0;)
        fprintf(stderr, " %02x", ((const unsigned char *)model_at(m, i))[k]);
    ash_array *a = ash_from_host(model_at(m, i), m->dtype, ASH_SHAPE(), .storage = ASH_SHARED);
    fprintf(stderr, "  ");
    ash_fprint(stderr, a);
}

/* ---- arguments */

/* The reference of a device that is the CPU itself has plain arguments: there they are what is compared. */
static bool plain(void)
{
    return now.reference && strncmp(now.device, "cpu:", 4) == 0;
}

static void need(const void *made)
{
    if (!made)
        fail("an argument could not be made: %s", ash_error_text());
}

/* Every axis backwards, the first and third in steps of two with something before and behind. */
static void turned_base(origin *o, argument *a)
{
    const model *const value = &a->value;
    int64_t shape[MODEL_RANK];
    cut cuts[MODEL_RANK];
    ash_index index[MODEL_RANK];
    for (int64_t k = 0; k < value->rank; k++) {
        const int64_t n = value->shape[k], step = k % 2 ? -1 : -2;
        shape[k] = n && k % 2 == 0 ? 2 * n + 1 : n;
        cuts[k] = (cut){k % 2 ? n - 1 : 2 * n - 1, step, n};
        index[k] = n ? ash_index_range(cuts[k].start, ASH_OPEN, step) : ash_index_all();
        if (!n)
            cuts[k] = (cut){0, 1, 0};
    }
    o->bytes = model_new(value->dtype, shape, value->rank);
    memset(o->bytes.data, 1, (size_t)o->bytes.size * o->bytes.nbytes);
    o->at = model_positions(shape, value->rank);
    o->at = model_cut(&o->at, cuts);
    for (int64_t i = 0; i < value->size; i++)
        model_put(&o->bytes, model_i64(&o->at)[i], value, i);
    o->base = ash_from_host(o->bytes.data, value->dtype, SHAPE_OF(o->bytes), .layout = now.layout);
    a->array = ash_view_at(o->base, index, value->rank);
}

static argument new_argument(const model *value, bool written)
{
    argument a = {.value = *value};
    if (run.origin_count == (int)(sizeof run.origins / sizeof *run.origins))
        fail("too many arguments");
    origin *const o = &run.origins[run.origin_count++];
    *o = (origin){.written = written};
    if (now.edge == TURNED && value->rank && !plain()) {
        turned_base(o, &a);
    } else {
        o->bytes = *value;
        o->at = model_positions(value->shape, value->rank);
        o->base = a.array =
            ash_from_host(value->data, value->dtype, SHAPE_OF(*value), .layout = plain() ? ASH_ROW_MAJOR : now.layout);
    }
    need(a.array);
    return a;
}

static void tame_element(ash_dtype real, void *element)
{
    const int64_t whole =
        random_in(real == ASH_BOOL || !(is_signed(real) || is_float(real)) ? 0 : -9, real == ASH_BOOL ? 1 : 9);
    const double x = ldexp((double)(random_bits() >> 12), -52) + 0.5, signed_x = random_below(2) ? -x : x;
    if (is_float(real))
        number_store(real, number_of(ASH_F64, &signed_x), element);
    else
        number_store(real, number_of(ASH_I64, &whole), element);
}

/* A real part of about 1, of either sign, and a small imaginary one: the product of thousands is about 1, too. */
static void unit_element(ash_dtype real, void *element, bool imaginary)
{
    const double small = (double)random_in(-16, 16) / 4096, x = imaginary ? small : random_below(2) ? 1 + small : -1 - small;
    number_store(real, number_of(ASH_F64, &x), element);
}

static model elements(ash_dtype dtype, const int64_t *shape, int64_t rank, int like)
{
    if (like < TAME || is_record(dtype))
        return random_values(dtype, shape, rank, like < TAME ? (style)like : ANYTHING);
    const model m = model_new(dtype, shape, rank);
    const size_t part = ash_dtype_size(part_of(dtype));
    for (int64_t i = 0; i < m.size; i++)
        for (size_t k = 0; k < m.nbytes; k += part)
            if (like == UNITS && is_float(part_of(dtype)))
                unit_element(part_of(dtype), (unsigned char *)model_at(&m, i) + k, k > 0);
            else
                tame_element(part_of(dtype), (unsigned char *)model_at(&m, i) + k);
    return m;
}

argument give(ash_dtype dtype, const int64_t *shape, int64_t rank, int like)
{
    const model m = elements(dtype, shape, rank, like);
    return new_argument(&m, false);
}

argument give_here(int like)
{
    return give(now.dtype, now.shape, now.rank, like);
}

argument give_model(const model *value)
{
    return new_argument(value, false);
}

argument give_out(const model *value)
{
    return new_argument(value, true);
}

/* Every byte that is not written stays. */
static void check_arguments(void)
{
    for (int i = 0; i < run.origin_count; i++) {
        const origin *const o = &run.origins[i];
        const size_t nbytes = (size_t)o->bytes.size * o->bytes.nbytes;
        const model is = model_new(o->bytes.dtype, o->bytes.shape, o->bytes.rank);
        if (ash_to_host(o->base, is.data, nbytes) != ASH_OK)
            fail("argument %d cannot be read any more: %s", i + 1, ash_error_text());
        for (int64_t k = 0; k < o->at.size && o->written; k++)
            model_put(&is, model_i64(&o->at)[k], &o->bytes, model_i64(&o->at)[k]);
        for (int64_t k = 0; k < is.size; k++)
            if (memcmp(model_at(&is, k), model_at(&o->bytes, k), is.nbytes) != 0)
                fail("%s argument %d has changed at element %" PRId64 " of its base", o->written ? "what is around" : "", i + 1,
                     k);
    }
}

/* ---- results */

static outcome *last(void)
{
    return &run.list[!now.reference][run.count[!now.reference] - 1];
}

static void compare_shapes(const model *got, const model *want)
{
    if (got->rank != want->rank || memcmp(got->shape, want->shape, (size_t)got->rank * sizeof *got->shape) != 0) {
        ash_array *const is = ash_from_host(got->data, got->dtype, SHAPE_OF(*got), .storage = ASH_SHARED),
                         *const wanted = ash_from_host(want->data, want->dtype, SHAPE_OF(*want), .storage = ASH_SHARED);
        char text[256];
        snprintf(text, sizeof text, "%s", ash_shape_text(is));
        fail("result %d has shape %s, not %s", run.count[!now.reference], text, ash_shape_text(wanted));
    }
    if (got->dtype != want->dtype)
        fail("result %d is %s, not %s", run.count[!now.reference], ash_dtype_name(got->dtype), ash_dtype_name(want->dtype));
}

static void compare(const model *got, const model *want, closeness close, const char *whose)
{
    compare_shapes(got, want);
    const int64_t at = first_apart(got, want, close, run.scale);
    if (at < 0)
        return;
    print_element("got ", got, at);
    print_element("want", want, at);
    fail("element %" PRId64 " of result %d is not that of the %s", at, run.count[!now.reference], whose);
}

/* The last result is an error: the host has no way to private memory. */
static bool refused_as_host(void)
{
    return (now.what->special & ON_HOST) && now.storage == ASH_PRIVATE && strncmp(now.device, "cpu:", 4) != 0 &&
           last()->status == ASH_ERR_UNSUPPORTED;
}

/* An error where the reference has none, or another one. */
static void compare_status(const outcome *got, const outcome *want)
{
    if (got->status == want->status || refused_as_host())
        return;
    fail("result %d is %s, not %s: %s", run.count[1], ash_status_name(got->status), ash_status_name(want->status),
         got->status == ASH_OK ? "" : ash_error_text());
}

static void next_outcome(outcome o)
{
    int *const count = &run.count[!now.reference];
    if (*count == MOST_RESULTS)
        fail("too many results");
    run.list[!now.reference][(*count)++] = o;
    if (now.reference)
        return;
    const outcome *const want = &run.list[0][*count - 1];
    if (*count > run.count[0])
        fail("there are more results than on the reference");
    compare_status(&o, want);
    if (o.status != ASH_OK)
        return;
    if (o.is_number ? o.number != want->number && !(isnan(o.number) && isnan(want->number)) : want->is_number)
        fail("result %d is %.17g, not %.17g", *count, o.number, want->number);
    const bool cpu = strncmp(now.device, "cpu:", 4) == 0;
    if (!o.is_number)
        compare(&o.value, &want->value, cpu || strstr(now.device, "f64=off") ? now.what->close : now.what->devices,
                "reference");
    if (!cpu && o.layout != want->layout)
        fail("result %d is %s, not %s", *count, ash_layout_name(o.layout), ash_layout_name(want->layout));
}

static ash_status taken(void)
{
    ash_error e;
    if (!ash_error_take(&e, sizeof e))
        fail("refused without an error");
    if (!e.cause[0] || !e.function[0])
        fail("an error without a text");
    return e.status;
}

static model read(ash_array *got)
{
    const model m = model_new(ash_dtype_of(got), ash_shape(got), ash_rank(got));
    if (ash_to_host(got, m.data, (size_t)m.size * m.nbytes) != ASH_OK)
        fail("result %d cannot be read: %s", run.count[!now.reference] + 1, ash_error_text());
    computed |= m.size > 0;
    return m;
}

void result(ash_array *got)
{
    if (!got) {
        next_outcome((outcome){.status = taken()});
        return;
    }
    if (ash_storage_of(got) != (now.reference ? ASH_SHARED : now.storage))
        fail("result %d is in %s storage", run.count[!now.reference] + 1,
             ash_storage_of(got) == ASH_PRIVATE ? "private" : "shared");
    if (!now.reference && strcmp(ash_device_name(ash_device_of(got)), now.device) != 0)
        fail("result %d is on %s", run.count[1] + 1, ash_device_name(ash_device_of(got)));
    next_outcome((outcome){.layout = ash_layout_of(got), .value = read(got)});
}

void result_status(ash_status status, const argument *out)
{
    const outcome o = {
        .status = status == ASH_OK ? ASH_OK : taken(), .layout = ash_layout_of(out->array), .value = read(out->array)};
    for (int64_t i = 0; i < o.value.size && status != ASH_OK; i++)
        if (!same_element(o.value.dtype, model_at(&o.value, i), model_at(&out->value, i)))
            fail("a call that was refused has written element %" PRId64, i);
    next_outcome(o);
}

void result_number(double x)
{
    if (ash_failed())
        next_outcome((outcome){.status = taken(), .is_number = true});
    else
        next_outcome((outcome){.is_number = true, .number = x});
    computed |= last()->status == ASH_OK;
}

bool worked(void)
{
    return last()->status == ASH_OK;
}

const model *given(void)
{
    return &last()->value;
}

void expect(const model *want)
{
    if (worked())
        compare(&last()->value, want, now.what->close, "model");
    else if (!refused_as_host())
        fail("result %d is %s", run.count[!now.reference], ash_status_name(last()->status));
}

void expect_number(double want)
{
    if (worked() && last()->number != want)
        fail("result %d is %.17g, not %.17g", run.count[!now.reference], last()->number, want);
}

void scale(double size)
{
    run.scale = size;
}

/* ---- the two runs */

static uint64_t seed_of(const trial *t)
{
    uint64_t seed = UINT64_C(20261201) + (uint64_t)t->dtype * 64 + (uint64_t)t->edge;
    for (const char *s = t->what->name; *s; s++)
        seed = seed * 31 + (unsigned char)*s;
    return seed;
}

static void run_once(const trial *t, bool reference)
{
    char device[64];
    now = *t;
    now.reference = reference;
    run.origin_count = 0;
    run.scale = 0;
    snprintf(device, sizeof device, "%.63s", t->device);
    if (reference)
        snprintf(device, sizeof device, "cpu:0%s", strstr(t->device, "f64=off") ? "?f64=off" : "");
    ash_resources *const resources = ash_resources_new(device);
    need(resources);
    run.resources = ash_resources_push(resources);
    ash_resources_release(resources);
    ash_set_default_storage(reference ? ASH_SHARED : t->storage);
    random_start(seed_of(t));
    ash_seed(17);
    if (!reference && !(t->what->special & (ON_HOST | HOST_READS)))
        ash_forbid(ASH_IMPLICIT_HOST | ASH_IMPLICIT_COPY);
    t->what->run();
    ash_forbid(0);
    if (ash_failed())
        fail("an error is pending: %s", ash_error_text());
    check_arguments();
    ash_set_default_storage(ASH_SHARED);
    ash_resources_pop(run.resources);
    run.resources = -1;
}

bool try_operation(const operation *what, const trial *t)
{
    const int64_t barrier = ash_scope_open_barrier(), live = ash_live_arrays(), scope = ash_scope_open();
    trial this = *t;
    volatile bool sound = true; /* it is written between setjmp and longjmp */
    this.what = what;
    run.count[0] = run.count[1] = 0;
    run.resources = -1;
    if (setjmp(run.end) == 0) {
        run_once(&this, true);
        run_once(&this, false);
        if (run.count[1] != run.count[0] && !refused_as_host())
            fail("%d results, not %d", run.count[1], run.count[0]);
    } else {
        sound = false;
    }
    ash_forbid(0);
    if (run.resources >= 0)
        ash_resources_pop(run.resources);
    ash_set_default_storage(ASH_SHARED);
    ash_scope_close(scope);
    ash_error_clear();
    if (sound && ash_live_arrays() != live) {
        fprintf(stderr, "conformance: %s: %" PRId64 " arrays are left\n", what->name, ash_live_arrays() - live);
        print_repeat();
        sound = false;
    }
    ash_scope_close(barrier);
    draw_memory_end();
    return sound;
}
