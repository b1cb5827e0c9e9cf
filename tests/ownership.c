/*
 * ownership.c - who holds an array and for how long: every way out of a scope, keep, share, retain, release early, replace,
 * barriers, discarding, per-thread state, and how long an error lasts.
 *
 * ash_live_arrays() counts; the rest are texts and statuses that the documentation promises.
 */
#include <pthread.h>

#include "test.h"

static int64_t alive(void) { return ash_live_arrays() - test_now.live; }

/* ---- the ways out of a scope */

static ash_array *by_return(bool early)
{
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1);
    if (early)
        return ash_keep(scope, a);
    for (int i = 0; i < 3; i++) {
        ASH_SCOPE(step);
        ash_array *b = ash_map("(x, i) -> x + i", a, i);
        if (i == 1)
            return ash_keep(scope, b); /* out of both, because it names the outer one */
    }
    return NULL;
}
static int by_goto(void)
{
    {
        ASH_SCOPE(outer);
        {
            ASH_SCOPE(inner);
            ash_f32(1, 2);
            goto out;
        }
    }
out:
    return 1;
}
static int by_break(void)
{
    int n = 0;
    for (int i = 0; i < 10; i++) {
        ASH_SCOPE(scope);
        ash_f32(1);
        if (i == 1)
            continue;
        if (i == 3)
            break;
        n++;
    }
    return n;
}
static int by_switch(int x)
{
    ASH_SCOPE(scope);
    switch (x) {
    case 0: {
        ASH_SCOPE(inner);
        ash_f32(1);
        break;
    }
    default: return 2;
    }
    return 1;
}
static jmp_buf away;
static void leave(void)
{
    ASH_SCOPE(scope);
    ash_f32(1, 2, 3);
    longjmp(away, 1);
}
static int by_longjmp(void)
{
    ASH_SCOPE(scope);
    if (setjmp(away) == 0)
        leave();
    return (int)alive(); /* the scope of leave() is still open; this one closes it */
}

static void ways_out(void **state)
{
    (void)state;
    ash_array *a = by_return(true), *b = by_return(false);
    CHECK(alive() == 2);
    CHECK_TEXT(b, "ash.vector f32[1] cpu:0 [2.0]");
    ash_release(a);
    ash_release(b);
    {
        ASH_SCOPE(scope);
        by_return(false); /* kept into this scope, like the result of any other call */
        CHECK(alive() == 1);
    }
    CHECK(alive() == 0);
    CHECK(by_goto() == 1 && by_break() == 2 && by_switch(0) == 1 && by_switch(1) == 2);
    CHECK(alive() == 0 && by_longjmp() == 1 && alive() == 0);
}

/* ---- keep, share, retain, release, replace */

/* Gives back its argument or a new array: either way the caller has one reference more. */
static ash_array *positive(const ash_array *a)
{
    ASH_SCOPE(scope);
    const bool is = ash_item_f32(ash_sum(a)) >= 0;
    return ash_keep(scope, is ? ash_share(a) : ash_map("x -> -x", a));
}

static void retained_and_released(void **state)
{
    (void)state;
    {
        ASH_SCOPE(scope);
        ash_array *x = ash_f32(1);
        CHECK(ash_retain(x) == x);
        ash_release(x); /* ends ours, not the scope's */
        CHECK(alive() == 1);
        ash_release(x); /* ends the scope's: early */
        CHECK(alive() == 0);
    }
    {
        ASH_SCOPE(scope);
        ash_array *x = ash_f32(1);
        ash_retain(x);
        ash_scope_close(scope); /* the scope's reference is over, ours is not; the closing brace finds nothing to do */
        CHECK(alive() == 1 && ash_get_f32(x, 0) == 1);
        ash_release(x);
    }
    ash_release(NULL);
    ash_scope_close(-1);
    ash_scope_close(INT64_MAX);
    CHECK(alive() == 0);
    CHECK(!ash_retain(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_retain: a is NULL");
}

/* A view holds what it was made from, whoever else does: releasing that early ends its own reference, not the view's. */
static void released_below_a_view(void **state)
{
    (void)state;
    {
        ASH_SCOPE(scope);
        ash_array *a = ash_f32(1, 2, 3), *v = ash_slice(a, 1, 3), *w = ash_slice(v, 0, 1);
        ash_release(a);
        ash_release(v);
        CHECK(alive() == 3 && ash_get_f32(w, 0) == 2);
        for (int i = 0; i < 100; i++) /* what was freed too early would be used again by these */
            ash_f32(9, 9, 9);
        CHECK(ash_parent(w) == v && ash_parent(v) == a);
        CHECK_FLOATS(a, 1, 2, 3);
        ash_release(w);
        CHECK(alive() == 100);
    }
    CHECK(alive() == 0);
    {
        ASH_SCOPE(scope);
        ash_array *y = ash_f32(1, 2, 3), *v = ash_slice(y, 0, 2);
        ash_replace(&y, ash_f32(4, 5)); /* held by the scope as the old one was, though a view holds that one, too */
        CHECK(alive() == 3);
        CHECK_FLOATS(v, 1, 2);
        CHECK_FLOATS(y, 4, 5);
    }
    CHECK(alive() == 0);
    ash_array *a = ash_f32(1, 2), *v = ash_slice(a, 0, 1);
    ash_retain(a);
    ash_release(a);
    ash_release(a);
    ash_release(a); /* one too many: nobody's, and nothing happens */
    CHECK_FLOATS(v, 1);
    ash_release(v);
    CHECK(alive() == 0);
}

static void kept(void **state)
{
    (void)state;
    ash_array *out = NULL, *own = ash_f32(7);
    {
        ASH_SCOPE(outer);
        ash_array *before = ash_f32(0);
        {
            ASH_SCOPE(middle);
            {
                ASH_SCOPE(inner);
                ash_array *a = ash_f32(1), *b = ash_f32(2);
                CHECK(ash_keep(middle, a) == a); /* out of middle and inner, into outer */
                CHECK(ash_keep(inner, b) == b);  /* into middle */
                CHECK(ash_keep(inner, before) == before && ash_keep(inner, own) == own); /* not held here: they stay */
                CHECK(ash_keep(inner, NULL) == NULL);
                out = a;
            }
            CHECK(alive() == 4);
        }
        CHECK(alive() == 3 && ash_get_f32(out, 0) == 1 && ash_get_f32(before, 0) == 0);
        ash_keep(outer, out); /* to the caller */
    }
    CHECK(alive() == 2);
    ash_release(out);
    ash_release(own);
    CHECK(alive() == 0);
}

static void shared(void **state)
{
    (void)state;
    {
        ASH_SCOPE(scope);
        ash_array *x = ash_f32(1), *y = positive(x), *z = positive(ash_f32(-1));
        CHECK(y == x && alive() == 3 && ash_get_f32(z, 0) == 1);
    }
    CHECK(alive() == 0);
    ash_array *a = ash_f32(1), *b = positive(a); /* and without a scope */
    CHECK(a == b);
    ash_release(a);
    CHECK(ash_get_f32(b, 0) == 1);
    ash_release(b);
    CHECK(alive() == 0);
    CHECK(!ash_share(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_share: a is NULL");
}

static void replaced(void **state)
{
    (void)state;
    {
        ASH_SCOPE(scope);
        ash_array *y = ash_zeros(ASH_SHAPE(1));
        for (int i = 0; i < 1000; i++) {
            ASH_SCOPE(step);
            ash_replace(&y, ash_map("x -> x + 1", y));
            CHECK(alive() == 1); /* a loop holds one, not a thousand */
        }
        CHECK(ash_item_f32(y) == 1000);
        ash_replace(&y, y); /* itself: nothing happens */
        CHECK(alive() == 1 && ash_item_f32(y) == 1000);
    }
    CHECK(alive() == 0);
    ash_array *own = ash_f32(1); /* held by the caller: so is what replaces it */
    {
        ASH_SCOPE(scope);
        ash_replace(&own, ash_f32(2));
        CHECK(alive() == 1);
    }
    CHECK(alive() == 1 && ash_get_f32(own, 0) == 2);
    ash_replace(&own, NULL);
    CHECK(!own && alive() == 0);
    ash_replace(&own, ash_f32(3));
    CHECK(alive() == 1);
    ash_release(own);
    own = NULL;
    ash_replace(&own, NULL);
    CHECK(alive() == 0);
}

static void nothing_but_results(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *m = counting(0, ASH_F32, ASH_SHAPE(4, 5), ASH_COL_MAJOR);
    int64_t before = alive();
    ash_array *deep = ash_map("(x, y) -> x + y", ash_map("x -> 2*x", ash_map("x -> x - 1", m)), ash_sum(ash_map("x -> x", m)));
    CHECK(deep && alive() - before == 5);
    before = alive();
    ash_mean(m);
    ash_var(m, .axes = ASH_AXES(0));
    ash_argmax(m);
    ash_cumsum(m);
    ash_contiguous(m);
    ash_convert(m, ASH_I32);
    CHECK(alive() - before == 6);
    before = alive();
    ash_extrema_result e = ash_extrema(m);
    ash_find_result f = ash_find_min(m);
    CHECK(e.min && e.max && f.value && f.index && alive() - before == 4);
    CHECK_OK(ash_map_into(m, "(x, y) -> x + y", m, ash_transpose(ash_transpose(m))));
    before = alive();
    CHECK(ash_equal(m, m) && ash_allclose(m, m) && ash_item_f32(m) != ash_item_f32(m));
    ash_error_clear();
    CHECK(alive() == before);
}

/* A library keeps something between calls: it opens its own scope, retains what it stores, keeps what it returns. */
static ash_array *cache;
static ash_array *table(void)
{
    ASH_SCOPE(scope);
    if (!cache)
        cache = ash_retain(ash_f32(1, 2, 3));
    return ash_keep(scope, ash_copy(cache));
}
static void libraries(void **state)
{
    (void)state;
    {
        ASH_SCOPE(scope);
        table();
    }
    ash_array *t = table();
    CHECK(alive() == 2 && ash_size(cache) == 3);
    ash_release(t);
    ash_release(cache);
    cache = NULL;
    CHECK(alive() == 0);

    /* a foreign runtime under somebody's scope: its arrays are its own */
    ash_array *a, *b;
    {
        ASH_SCOPE(scope);
        const int64_t barrier = ash_scope_open_barrier();
        a = ash_f32(4);
        {
            ASH_SCOPE(inside);
            ash_f32(5);
            b = ash_keep(inside, ash_f32(6)); /* to the caller inside the barrier: ours to end */
            CHECK(alive() == 3);
        }
        CHECK(alive() == 2);
        ash_scope_close(barrier);
    }
    CHECK(alive() == 2);
    ash_release(a);
    ash_release(b);
    CHECK(alive() == 0);
}

/* Closing an outer scope by its number closes what is inside. */
static void numbers(void **state)
{
    (void)state;
    const int64_t outer = ash_scope_open();
    ash_f32(1);
    const int64_t inner = ash_scope_open();
    ash_f32(2);
    ash_scope_close(outer);
    CHECK(alive() == 0);
    ash_scope_close(inner); /* closed already */
    ash_array *a = ash_f32(3);
    CHECK(alive() == 1);
    ash_release(a);
}

static void many_in_one_scope(void **state)
{
    (void)state;
    {
        ASH_SCOPE(scope);
        for (int i = 0; i < 20000; i++)
            CHECK(ash_f32(1));
        CHECK(alive() == 20000);
    }
    CHECK(alive() == 0);
    for (int i = 0; i < 200; i++)
        ash_scope_open();
    ash_f32(1);
    ash_scope_close(test_now.barrier);
    test_now.barrier = ash_scope_open_barrier();
    CHECK(alive() == 0);
}

/* ---- discarding */

static void discarded(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_pool_info before, after;
    CHECK_OK(ash_pool_stats(ash_default_device(), &before, sizeof before));
    ash_array *a = ash_zeros(ASH_SHAPE(1000)), *m = ash_zeros(ASH_SHAPE(2, 2));
    CHECK_OK(ash_discard(a));
    CHECK_OK(ash_discard(m));
    CHECK_OK(ash_discard(a)); /* once more does nothing */
    CHECK_OK(ash_pool_stats(ash_default_device(), &after, sizeof after));
    CHECK(after.in_use == before.in_use);
    CHECK_TEXT(a, "ash.vector f32[1000] cpu:0 <released>");
    CHECK_TEXT(m, "ash.matrix f32[2×2] row-major cpu:0 <released>");
    CHECK(isnan(ash_get_f32(a, 0)));
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_get_f32: ");
    CHECK(!ash_map("x -> x", a));
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_map: ");
    CHECK(ash_fill(a, 1) == ASH_ERR_RELEASED);
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_fill: ");
    CHECK(!ash_slice(a, 0, 1));
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_slice: ");
    float host[1];
    CHECK(ash_to_host(a, host, sizeof host) == ASH_ERR_RELEASED);
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_to_host: ");
    CHECK(!ash_sum(a));
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_sum: ");

    ash_array *v = ash_f32(1, 2, 3), *tail = ash_slice(v, 1, 3);
    CHECK_OK(ash_discard(v)); /* this handle; others of the buffer stay valid */
    CHECK_FLOATS(tail, 2, 3);
    CHECK(!ash_sum(v));
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_sum: ");
    CHECK(ash_discard(NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_discard: a is NULL");
}

/* ---- errors */

static void first_cause(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_error e;
    ash_array *a = ash_f32(1, 2, 3);
    ash_array *b = ash_map("(x, y) -> x + y", a, ash_f32(1, 2));
    ash_array *c = ash_cumsum(ash_map("x -> 2*x", b));
    const float s = ash_item_f32(ash_sum(c));
    CHECK(!b && !c && isnan(s) && ash_map_into(a, "x -> x + 1", c) == ASH_ERR_SHAPE);
    CHECK(ash_get_f32(a, 0) == 1); /* an output is left alone */
    CHECK(ash_error_take(&e, sizeof e) && e.status == ASH_ERR_SHAPE && strcmp(e.function, "ash_map") == 0 && e.later == 0);
    CHECK(!ash_failed() && !ash_error_take(&e, sizeof e) && e.status == ASH_OK);

    /* an independent failure is counted and does not replace the first, but its own status is its own */
    CHECK(!ash_reshape(a, ASH_SHAPE(2, 2)));
    CHECK(ash_set_f32(a, 0.5f, 7) == ASH_ERR_BOUNDS);
    CHECK_OK(ash_set_f32(a, 0.5f, 0)); /* and what can succeed does */
    CHECK(ash_failed());
    CHECK(ash_error_take(&e, sizeof e) && e.status == ASH_ERR_SHAPE && e.later == 1 && strcmp(e.function, "ash_reshape") == 0);

    CHECK(!ash_sum(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sum: operand 0 is NULL");
    CHECK(ash_rank(NULL) == -1);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rank: a is NULL");

    /* a mask that could not be made is not the same as no mask */
    CHECK(!ash_sum(a, .where = ASH_OPERAND(ash_map("x -> x > oops", a))));
    CHECK(ash_error_take(&e, sizeof e) && e.position == 9 && strcmp(e.function, "ash_map") == 0);
    CHECK(strncmp(e.cause, "unknown name", 12) == 0 && strstr(e.cause, "\n  x -> x > oops\n           ^"));

    /* a failure that the program deals with is ended by the program */
    CHECK(!ash_read_csv("no such file.csv"));
    CHECK(ash_failed());
    ash_error_clear();
    CHECK(ash_zeros(ASH_SHAPE(3)) && !ash_failed());
}

static void texts(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(!ash_reshape(ash_f32(1, 2), ASH_SHAPE(3)));
    CHECK(ash_failed());
    const char *text = ash_error_text(); /* takes it, and stays readable */
    CHECK(!ash_failed() && strncmp(text, "ash_reshape: ", 13) == 0);
    ash_sum(ash_f32(1));
    CHECK(strncmp(text, "ash_reshape: ", 13) == 0 && strcmp(ash_error_text(), text) == 0);
    /* a caller built with a shorter or a longer struct */
    struct {
        ash_error known;
        int64_t extra;
    } longer = {.extra = 5};
    CHECK(ash_rank(NULL) == -1 && ash_error_take(&longer.known, sizeof longer) && longer.extra == 0);
    ash_status only = ASH_OK;
    CHECK(ash_rank(NULL) == -1 && ash_error_take((ash_error *)(void *)&only, sizeof only) && only == ASH_ERR_ARGUMENT);
    CHECK(!ash_failed());
    static const char *const names[] = {"ok",     "argument", "shape",       "dtype",         "bounds",   "value", "memory",
                                        "device", "unsupported", "scalar-access", "released", "io", "format", "internal"};
    for (int i = 0; i < COUNT(names); i++)
        CHECK(strcmp(ash_status_name((ash_status)i), names[i]) == 0);
    CHECK(strlen(ash_status_name((ash_status)99)) > 0);

    /* the operand at fault has its number */
    ash_error e;
    CHECK(!ash_map("(a, b, c) -> a + b + c", ash_f32(1, 2), ash_f32(1, 2), ash_f32(1, 2, 3)));
    CHECK(ash_error_take(&e, sizeof e) && e.operand == 2 && e.position == -1);
    CHECK(!ash_map("(a, b) -> a + b", ash_f32(1, 2), (ash_array *)NULL));
    CHECK(ash_error_take(&e, sizeof e) && e.operand == 1 && strcmp(e.cause, "operand 1 is NULL") == 0);
}

static void *fail_in_thread(void *unused)
{
    (void)unused;
    if (ash_failed() || ash_rank(NULL) != -1 || !ash_failed())
        return NULL;
    ash_error_clear();
    ASH_SCOPE(scope);
    ash_f32(1);
    return "done";
}
static void errors_and_scopes_are_of_their_thread(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_f32(1, 2);
    CHECK(!ash_reshape(ash_f32(1, 2), ASH_SHAPE(3)));
    pthread_t thread;
    void *answer = NULL;
    CHECK(pthread_create(&thread, NULL, fail_in_thread, NULL) == 0 && pthread_join(thread, &answer) == 0 && answer);
    CHECK(alive() == 2);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_reshape: ");
}

/* ---- state exchanged at once, for fibers */

static void swapped(void **state)
{
    (void)state;
    ash_state *fiber = ash_state_new();
    CHECK(fiber);
    ASH_SCOPE(scope);
    ash_f32(1);
    ash_rank(NULL);
    CHECK(ash_failed());
    ash_state *own = ash_state_swap(fiber);
    CHECK(!ash_failed()); /* another error, other scopes, another scalar policy */
    const int64_t inside = ash_scope_open();
    ash_f32(2);
    ash_resources *weak = ash_resources_new("cpu:0?f64=off");
    const int64_t mark = ash_resources_push(weak);
    ash_scalar_push(true);
    CHECK(ash_get_f32(ash_zeros(ASH_SHAPE(1), .storage = ASH_PRIVATE), 0) == 0);
    CHECK(alive() == 3);
    CHECK(ash_state_swap(own) == fiber);
    CHECK(ash_failed());
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rank: a is NULL");
    CHECK(strcmp(ash_device_name(ash_device_of(ash_f32(3))), "cpu:0") == 0 && alive() == 4);
    CHECK(isnan(ash_get_f32(ash_zeros(ASH_SHAPE(1), .storage = ASH_PRIVATE), 0)));
    CHECK_ERROR_HAS(ASH_ERR_SCALAR_ACCESS, "ash_get_f32");
    own = ash_state_swap(fiber);
    CHECK(strcmp(ash_device_name(ash_device_of(ash_f32(4))), "cpu:0?f64=off") == 0);
    ash_resources_pop(mark);
    ash_resources_release(weak);
    ash_scope_close(inside);
    ash_state_swap(own);
    CHECK(alive() == 3);
    ash_state_release(fiber);

    /* a state that goes with scopes open ends what they hold */
    ash_state *other = ash_state_new();
    own = ash_state_swap(other);
    ash_scope_open();
    ash_f32(5);
    ash_state_swap(own);
    CHECK(alive() == 4);
    ash_state_release(other);
    CHECK(alive() == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ways_out),
        TEST(retained_and_released),
        TEST(released_below_a_view),
        TEST(kept),
        TEST(shared),
        TEST(replaced),
        TEST(nothing_but_results),
        TEST(libraries),
        TEST(numbers),
        TEST(many_in_one_scope),
        TEST(discarded),
        TEST(first_cause),
        TEST(texts),
        TEST(errors_and_scopes_are_of_their_thread),
        TEST(swapped),
    };
    return cmocka_run_group_tests_name("ownership and errors", tests, NULL, NULL);
}
