/*
 * tree.c - trees of arrays: built, owned, read and printed. Texts are those of seed-examples, or written by hand.
 */
#include <complex.h>

#include "core/alloc.h"
#include "test.h"

static void check_tree(const ash_tree *t, const char *want, const char *file, int line)
{
    char text[4096];
    const size_t n = ash_tree_format(text, sizeof text, t);
    if (strcmp(text, want) != 0 || n != strlen(want))
        fail_here(file, line, "text\n  got  %s\n  want %s", text, want);
}
#define CHECK_TREE(t, text) check_tree(t, text, __FILE__, __LINE__)

static void values_of_every_kind(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new(), *inner = ash_tree_new(), *list = ash_tree_new();
    CHECK_TREE(t, "()");
    CHECK_OK(ash_tree_put(inner, "weight", ASH_OPERAND(ash_f32(1, 2))));
    CHECK_OK(ash_tree_put(inner, "rate", 0.5f));
    CHECK_OK(ash_tree_push(list, ash_reshape(ash_i32(1, 2, 3, 4), ASH_SHAPE(2, 2))));
    CHECK_OK(ash_tree_push(list, (bool)true));
    CHECK_OK(ash_tree_push(list, 1.0 + 2.0 * I));
    CHECK_OK(ash_tree_push(list, (unsigned char)200));
    CHECK_OK(ash_tree_put(t, "layer", inner));
    CHECK_OK(ash_tree_put(t, "list", list));
    CHECK_OK(ash_tree_put(t, "name", "a \"b\"\n\t"));
    CHECK_OK(ash_tree_put(t, "axis", ash_tree_range(-1, 4)));
    CHECK_OK(ash_tree_put(t, "odd name", ASH_OPERAND(7)));
    CHECK_TREE(t, "(layer = (weight = ash.vector f32[2] cpu:0 [1.0 2.0], rate = 0.5), "
                  "list = (ash.matrix i32[2×2] row-major cpu:0 view [[1 2] [3 4]], true, 1.0+2.0i, 200), "
                  "name = \"a \\\"b\\\"\\n\\x09\", axis = -1:4, \"odd name\" = 7)");
    CHECK(ash_tree_count(t) == 5 && ash_tree_arrays(t) == 2 && ash_tree_count(list) == 4);
    CHECK(strcmp(ash_tree_name(t, 1), "list") == 0 && strcmp(ash_tree_name(list, 0), "") == 0);

    CHECK(ash_tree_kind_of(t) == ASH_TREE_BRANCH && ash_tree_kind_of(ash_tree_at(list, 0)) == ASH_TREE_ARRAY);
    CHECK(ash_tree_kind_of(ash_tree_find(t, "list.1")) == ASH_TREE_SCALAR);
    CHECK(ash_tree_kind_of(ash_tree_child(t, "name")) == ASH_TREE_TEXT);
    CHECK(ash_tree_kind_of(ash_tree_child(t, "axis")) == ASH_TREE_RANGE);
    CHECK_FLOATS(ash_tree_get(t, "layer.weight"), 1, 2);
    CHECK(ash_tree_get(t, "layer.weight") == ash_tree_get(ash_tree_at(inner, 0), NULL));
    CHECK(ash_tree_get_f64(t, "layer.rate") == 0.5 && ash_tree_get_i64(t, "list.3") == 200);
    CHECK(strcmp(ash_tree_get_text(t, "name"), "a \"b\"\n\t") == 0);
    ash_operand z;
    CHECK_OK(ash_tree_get_scalar(t, "list.2", &z));
    CHECK(z.dtype == ASH_C_F64 && z.value.c[0] == 1 && z.value.c[1] == 2);
    int64_t first, end;
    CHECK_OK(ash_tree_get_range(t, "axis", &first, &end));
    CHECK(first == -1 && end == 4);
    CHECK(ash_tree_has(t, "layer.rate") && !ash_tree_has(t, "layer.bias") && !ash_tree_has(t, "list.4"));
    CHECK(!ash_tree_has(t, "") && !ash_tree_has(t, "list.x") && !ash_tree_has(t, "list.") && !ash_tree_has(t, "name.a"));
}

/* Names with dots, as files of weights have them, beside trees in trees. */
static void paths(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new(), *a = ash_tree_new();
    CHECK_OK(ash_tree_put(a, "b.c", 1));
    CHECK_OK(ash_tree_put(a, "b", 2));
    CHECK_OK(ash_tree_put(t, "a", a));
    CHECK_OK(ash_tree_put(t, "a.b", 3));
    CHECK_OK(ash_tree_put(t, "layers.0.weight", 4));
    CHECK(ash_tree_get_i64(t, "a.b.c") == 1 && ash_tree_get_i64(t, "a.b") == 3);
    CHECK(ash_tree_get_i64(t, "layers.0.weight") == 4);
    CHECK(ash_tree_get_i64(ash_tree_child(t, "a"), "b") == 2 && !ash_tree_has(t, "layers.0"));
}

static void entries_replaced(void **state)
{
    (void)state;
    ash_tree *t = ash_tree_new();
    ash_array *a = ash_f32(1), *b = ash_f32(2);
    CHECK_OK(ash_tree_put(t, "x", a));
    CHECK_OK(ash_tree_put(t, "y", 5));
    ash_release(a);
    CHECK(ash_tree_get(t, "x") == a && ash_live_arrays() == test_now.live + 2);
    CHECK_OK(ash_tree_put(t, "x", b));
    CHECK(ash_live_arrays() == test_now.live + 1 && strcmp(ash_tree_name(t, 0), "x") == 0 && ash_tree_count(t) == 2);
    ash_release(b);
    CHECK_OK(ash_tree_put(t, "x", "text"));
    CHECK(ash_live_arrays() == test_now.live && ash_tree_arrays(t) == 0);
    ash_tree_release(t);
    ash_tree_release(NULL);
}

static void held_by_scopes_and_trees(void **state)
{
    (void)state;
    ash_tree *kept = NULL, *retained = NULL;
    {
        ASH_SCOPE(scope);
        ash_tree *outer = ash_tree_new();
        {
            ASH_SCOPE(inside);
            ash_tree *t = ash_tree_new(), *lost = ash_tree_new();
            CHECK_OK(ash_tree_put(t, "a", ash_f32(1, 2)));
            CHECK_OK(ash_tree_put(lost, "a", ash_f32(3)));
            CHECK_OK(ash_tree_put(outer, "t", t));
            CHECK(ash_tree_share(t) == t);
            retained = ash_tree_retain(t);
            kept = ash_tree_keep(inside, t);
            CHECK(ash_tree_keep(inside, NULL) == NULL);
        }
        CHECK(ash_live_arrays() == test_now.live + 1);
        CHECK_FLOATS(ash_tree_get(outer, "t.a"), 1, 2);
        CHECK(ash_tree_keep(scope, kept) == kept);
    }
    CHECK_FLOATS(ash_tree_get(kept, "a"), 1, 2);
    ash_release(ash_tree_get(kept, "a")); /* borrowed: nothing to end */
    CHECK_FLOATS(ash_tree_get(kept, "a"), 1, 2);
    CHECK_OK(ash_tree_put(kept, "b", 1)); /* the tree it was part of has gone */
    ash_tree_release(kept);
    CHECK(ash_tree_count(retained) == 2);
    ash_tree_release(retained);
}

static ash_tree *one_array(double x)
{
    ash_tree *t = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "x", ash_f64(x)));
    return t;
}
static void replaced(void **state)
{
    (void)state;
    ASH_SCOPE(outside);
    ash_tree *t = one_array(0);
    for (int i = 1; i < 5; i++) {
        ASH_SCOPE(step);
        ash_tree_replace(&t, one_array(i));
    }
    CHECK_FLOATS(ash_tree_get(t, "x"), 4);
    CHECK(ash_live_arrays() == test_now.live + 2); /* the first one is the scope's, too */
    ash_tree_replace(&t, t);
    CHECK_FLOATS(ash_tree_get(t, "x"), 4);
    ash_tree_replace(&t, NULL);
    CHECK(!t && ash_live_arrays() == test_now.live + 1);
    ash_tree_replace(NULL, t);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_replace: slot is NULL");
}

static void what_cannot_be(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new(), *inner = ash_tree_new(), *list = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "inner", inner));
    CHECK_OK(ash_tree_put(t, "x", 2.5));
    CHECK_OK(ash_tree_push(list, 1));
    CHECK(ash_tree_put(t, "t", t) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: a tree cannot be part of itself");
    CHECK(ash_tree_put(inner, "t", t) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: t is part of another tree and cannot change; fill it before it is put there");
    CHECK(ash_tree_push(t, 1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: the entries of t have names");
    CHECK(ash_tree_put(list, "x", 1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: the entries of t have no names; this one is called x");
    CHECK(ash_tree_put(t, "", 1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: the name is empty");
    CHECK(ash_tree_push(ash_tree_range(0, 0), 1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: t is a leaf; only a branch takes entries");
    CHECK(!ash_tree_range(2, 1));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_range: the end, 1, is before the first, 2");
    CHECK(ash_tree_put_scalar(t, "s", &(ash_operand){.kind = ASH_OPERAND_SCALAR}) == ASH_ERR_DTYPE);
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_tree_put: ");
    CHECK(ash_tree_put(t, "n", (const char *)NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: text is NULL");
    CHECK(ash_tree_put(NULL, "n", 1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: t is NULL");
    CHECK(ash_tree_put(t, "a", ash_ones(ASH_SHAPE(-1))) == ASH_ERR_SHAPE); /* passed on */
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_ones: ");
    ash_array *gone = ash_f32(1);
    CHECK_OK(ash_tree_put(t, "gone", gone));
    CHECK_OK(ash_discard(gone));
    CHECK(ash_tree_put(t, "gone", gone) == ASH_ERR_RELEASED);
    CHECK_ERROR_PARTS(ASH_ERR_RELEASED, "ash_tree_put: a ");
    CHECK_TREE(t, "(inner = (), x = 2.5, gone = ash.vector f32[1] cpu:0 <released>)");

    CHECK(!ash_tree_get(t, "inner.a") && !ash_tree_find(t, "a"));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_get: the tree has no inner.a");
    CHECK(!ash_tree_get(t, "x"));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_get: x is a scalar; an array is wanted");
    CHECK(ash_tree_get_i64(t, "x") == 0);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_tree_get_i64: value 2.5 is not an integer");
    CHECK(isnan(ash_tree_get_f64(t, NULL)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_get_f64: t is a branch; a scalar is wanted");
    CHECK(!ash_tree_at(t, 3) && !ash_tree_name(t, -1));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_tree_at: entry 3 is out of bounds for a tree of 3");
    CHECK(ash_tree_count(NULL) == -1 && ash_tree_arrays(NULL) == -1 && ash_tree_kind_of(NULL) == ASH_TREE_NONE);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_count: t is NULL");
    ash_operand z;
    int64_t first = 7;
    CHECK(ash_tree_get_scalar(t, "x", NULL) == ASH_ERR_ARGUMENT &&
          ash_tree_get_range(t, "x", &first, NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_get_scalar: scalar is NULL");
    CHECK(ash_tree_get_scalar(t, "y", &z) == ASH_ERR_ARGUMENT &&
          ash_tree_get_range(t, "x", &first, &first) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_get_scalar: the tree has no y");
    CHECK(first == 7 && ash_tree_put_scalar(t, "s", NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: scalar is NULL");
    CHECK(ash_tree_fprint(NULL, t) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_fprint: stream is NULL");
    CHECK(ash_tree_print(NULL) == ASH_ERR_ARGUMENT && ash_tree_format(NULL, 0, NULL) == 0);
    ash_error_clear();
}

static void nested_to_the_limit(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new(), *twice = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "a", ash_f32(1)));
    for (int depth = 2; depth < 1000; depth++) {
        ash_tree *outer = ash_tree_new();
        CHECK_OK(ash_tree_put(outer, "t", t));
        t = outer;
    }
    ash_tree *outermost = ash_tree_new();
    CHECK(ash_tree_put(outermost, "t", t) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_put: the trees would nest 1001 deep; at most 1000 are allowed");
    CHECK(ash_tree_arrays(t) == 1);

    for (int depth = 0; depth < 70; depth++) { /* one tree in 2^70 places */
        ash_tree *both = ash_tree_new();
        CHECK_OK(ash_tree_push(both, twice));
        CHECK_OK(ash_tree_push(both, twice));
        if (depth == 0)
            CHECK_OK(ash_tree_push(both, ash_f32(1)));
        twice = both;
    }
    CHECK(ash_tree_arrays(twice) == INT64_MAX);
}

static void printed_to_streams(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    char line[128] = "";
    FILE *file = tmpfile(), *full = fopen("/dev/full", "w");
    CHECK(file && ash_tree_fprint(file, ash_tree_range(1, 4)) == ASH_OK);
    rewind(file);
    CHECK(fread(line, 1, sizeof line - 1, file) == 4 && strcmp(line, "1:4\n") == 0);
    fclose(file);
    if (full) {
        setvbuf(full, NULL, _IONBF, 0);
        CHECK(ash_tree_fprint(full, ash_tree_new()) == ASH_ERR_IO);
        CHECK_ERROR_PARTS(ASH_ERR_IO, "ash_tree_fprint: cannot write: ");
        fclose(full);
    }
}

static void many_entries(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new();
    char name[32];
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "layer.%d", i);
        CHECK_OK(ash_tree_put(t, name, i));
    }
    CHECK(ash_tree_count(t) == 3000 && ash_tree_get_i64(t, "layer.2999") == 2999 && ash_tree_get_i64(t, "layer.1") == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(values_of_every_kind),
                                       TEST(paths),
                                       TEST(entries_replaced),
                                       TEST(held_by_scopes_and_trees),
                                       TEST(replaced),
                                       TEST(what_cannot_be),
                                       TEST(nested_to_the_limit),
                                       TEST(printed_to_streams),
                                       TEST(many_entries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
