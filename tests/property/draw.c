/* draw.c - the frame of a draw, and its checks; see draw.h. */
#include "draw.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"

coverage reached;
int64_t most_elements = 1024;
const char *device_name = "cpu:0";
bool device_has_f64 = true;

static struct {
    const operation *what;
    uint64_t seed;
    jmp_buf end;
    char text[8192];
    size_t length;
} now;

void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(now.text + now.length, sizeof now.text - now.length, format, list);
    va_end(list);
    now.length += (size_t)n;
    if (now.length >= sizeof now.text)
        now.length = sizeof now.text - 1;
}

void say_list(const char *name, const int64_t *list, int64_t n)
{
    say(" %s (", name);
    for (int64_t i = 0; i < n; i++)
        say(i ? ", %" PRId64 : "%" PRId64, list[i]);
    say(")");
}

static void print_argument(const argument *a)
{
    fprintf(stderr, "  %s: %s %s, strides in bytes (", a->name, ash_dtype_name(a->value.dtype), ash_shape_text(a->array));
    for (int64_t k = 0; k < a->value.rank; k++)
        fprintf(stderr, k ? ", %" PRId64 : "%" PRId64, ash_byte_strides(a->array)[k]);
    fprintf(stderr, ")%s%s%s, first element at byte %" PRId64 " of a base %s %s %s\n  ",
            ash_storage_of(a->array) == ASH_PRIVATE ? ", private" : "", a->conjugated ? ", conjugated" : "",
            a->readonly ? ", read-only" : "", a->at.size ? model_i64(&a->at)[0] : 0, ash_dtype_name(ash_dtype_of(a->base)),
            ash_shape_text(a->base), ash_layout_name(ash_layout_of(a->base)));
    ash_fprint(stderr, a->array);
}

static void print_repeat(void)
{
    fprintf(stderr, "  repeat: test-property --device '%s' --operation %s --seed %" PRIu64 " --most %" PRId64 "\n", device_name,
            now.what->name, now.seed, most_elements);
}

/* A crash, too, says which draw it was: by a signal, or where a sanitizer ends the program. */
static void say_and_end(int signal_number)
{
    print_repeat();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

void draw_catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(print_repeat);
    else
        for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
            signal(signals[i], say_and_end);
}

void fail(const char *format, ...)
{
    va_list list;
    fprintf(stderr, "\nproperty: %s\n  ", now.what->name);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\n  drawn:%s\n", now.text);
    ash_error_clear();
    for (int i = 0; argument_number(i); i++)
        if (argument_number(i)->array)
            print_argument(argument_number(i));
    print_repeat();
    longjmp(now.end, 1);
}

/* ---- checks */

static void print_element(const char *who, ash_dtype dtype, const void *element)
{
    fprintf(stderr, "  %s", who);
    for (size_t i = ash_dtype_size(dtype); i-- > 0;)
        fprintf(stderr, " %02x", ((const unsigned char *)element)[i]);
    ash_array *a = ash_from_host(element, dtype, ASH_SHAPE());
    fprintf(stderr, "  ");
    ash_fprint(stderr, a);
}

/* Another device has no kernels for elements at odd addresses, and the host cannot reach private ones. */
static void end_if_unsupported(void)
{
    ash_error e;
    bool misaligned = false, private = false;
    for (int i = 0; argument_number(i); i++) {
        misaligned |= argument_number(i)->misaligned;
        private |= ash_storage_of(argument_number(i)->array) == ASH_PRIVATE;
    }
    if (!misaligned || !private || strncmp(device_name, "cpu:", 4) == 0)
        return;
    if (ash_error_take(&e, sizeof e) && e.status == ASH_ERR_UNSUPPORTED)
        longjmp(now.end, 2);
    fail("%s: %s", e.function, e.cause);
}

void check_values(ash_array *got, const model *want)
{
    if (!got)
        end_if_unsupported();
    if (!got)
        fail("no result: %s", ash_error_text());
    bool same = ash_rank(got) == want->rank;
    for (int64_t k = 0; same && k < want->rank; k++)
        same = ash_shape(got)[k] == want->shape[k];
    if (!same) {
        say_list("; wanted shape", want->shape, want->rank);
        fail("the result has shape %s", ash_shape_text(got));
    }
    if (ash_dtype_of(got) != want->dtype)
        fail("the result is %s, not %s", ash_dtype_name(ash_dtype_of(got)), ash_dtype_name(want->dtype));
    const model m = model_new(want->dtype, want->shape, want->rank);
    if (ash_to_host(got, m.data, (size_t)m.size * m.nbytes) != ASH_OK)
        fail("the result cannot be read: %s", ash_error_text());
    for (int64_t i = 0; i < m.size; i++)
        if (!same_element(m.dtype, model_at(&m, i), model_at(want, i))) {
            print_element("got ", m.dtype, model_at(&m, i));
            print_element("want", m.dtype, model_at(want, i));
            fprintf(stderr, "  all of the result: ");
            ash_fprint(stderr, got);
            fail("element %" PRId64 " of %s differs", i, ash_shape_text(got));
        }
}

static void check_own(ash_array *got, const model *want, ash_storage storage)
{
    check_values(got, want);
    if (ash_storage_of(got) != storage)
        fail("the result is in %s storage", ash_storage_of(got) == ASH_PRIVATE ? "private" : "shared");
    for (int i = 0; argument_number(i); i++)
        if (ash_shares_memory(got, argument_number(i)->array))
            fail("the result shares memory with %s", argument_number(i)->name);
    if (ash_is_readonly(got))
        fail("the result is read-only");
}

void check_new(ash_array *got, const model *want)
{
    check_own(got, want, arguments_private() ? ASH_PRIVATE : ASH_SHARED);
}

void check_new_like(ash_array *got, const model *want, const argument *a)
{
    check_own(got, want, ash_storage_of(a->array));
}

void check_layout_like(ash_array *got, const argument *a)
{
    check_layout(got, ash_layout_of(a->array) == ASH_COL_MAJOR ? ASH_COL_MAJOR : ASH_ROW_MAJOR);
}

void check_layout(ash_array *got, ash_layout wanted)
{
    if (wanted && !ash_is_contiguous(got, .layout = wanted))
        fail("the result is %s, not %s", ash_layout_name(ash_layout_of(got)), ash_layout_name(wanted));
}

void check_done(ash_status status)
{
    if (status != ASH_OK)
        end_if_unsupported();
    if (status != ASH_OK)
        fail("refused: %s", ash_error_text());
}

void check_refused(bool refused, const char *function, const ash_status *statuses)
{
    ash_error e;
    bool one = false;
    reached.feature[HAS_REFUSAL]++;
    if (!refused)
        fail("done, where it should have been refused as %s", ash_status_name(statuses[0]));
    if (!ash_error_take(&e, sizeof e))
        fail("refused without an error");
    for (; *statuses != ASH_OK; statuses++)
        one |= e.status == *statuses;
    if (!one)
        fail("refused with status %s: %s: %s", ash_status_name(e.status), e.function, e.cause);
    if (strcmp(e.function, function) != 0)
        fail("the error names %s: %s", e.function, e.cause);
    if (!e.cause[0])
        fail("the error has no text");
}

/* ---- the frame */

bool draw_run(const operation *what, uint64_t seed)
{
    const int64_t barrier = ash_scope_open_barrier(), live = ash_live_arrays(), scope = ash_scope_open();
    volatile bool sound = true; /* it is written between setjmp and longjmp */
    now.what = what;
    now.seed = seed;
    now.length = 0;
    now.text[0] = 0;
    arguments_begin();
    switch (setjmp(now.end)) {
    case 0:
        what->draw();
        if (ash_failed())
            fail("an error is pending: %s", ash_error_text());
        arguments_end();
        break;
    case 1: /* fail() */
        sound = false;
    }
    arguments_begin();
    ash_scope_close(scope);
    ash_error_clear();
    if (sound && ash_live_arrays() != live) {
        fprintf(stderr, "property: %s: %" PRId64 " arrays are left; seed %" PRIu64 "\n", what->name, ash_live_arrays() - live,
                seed);
        sound = false;
    }
    ash_scope_close(barrier);
    draw_memory_end();
    return sound;
}
