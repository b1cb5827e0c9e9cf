/* tree_read.c - what is in a tree, by place, name and path. */
#include <math.h>

#include "core/convert.h"
#include "core/error.h"
#include "core/operand.h"
#include "ops/tree.h"

ash_tree_kind ash_tree_kind_of(const ash_tree *t)
{
    return ash__check_tree("ash_tree_kind_of", "t", t) ? ASH_TREE_NONE : t->kind;
}

int64_t ash_tree_count(const ash_tree *t)
{
    return ash__check_tree("ash_tree_count", "t", t) ? -1 : t->count;
}
int64_t ash_tree_arrays(const ash_tree *t)
{
    return ash__check_tree("ash_tree_arrays", "t", t) ? -1 : t->arrays;
}

static const ash__tree_entry *entry_at(const char *function, const ash_tree *t, int64_t i)
{
    if (ash__check_tree(function, "t", t))
        return NULL;
    if (i >= 0 && i < t->count)
        return &t->entry[i];
    ash__fail(ASH_ERR_BOUNDS, function, "entry %lld is out of bounds for a tree of %lld", (long long)i, (long long)t->count);
    return NULL;
}

const char *ash_tree_name(const ash_tree *t, int64_t i)
{
    const ash__tree_entry *e = entry_at("ash_tree_name", t, i);
    return !e ? NULL : e->name ? e->name : "";
}

const ash_tree *ash_tree_at(const ash_tree *t, int64_t i)
{
    const ash__tree_entry *e = entry_at("ash_tree_at", t, i);
    return e ? e->tree : NULL;
}

/* ---- names and paths */

static ash_status check_path(const char *function, const ash_tree *t, const char *what, const char *path)
{
    const ash_status status = ash__check_tree(function, "t", t);
    return status || path ? status : ash__null(function, what);
}

static const ash_tree *missing(const char *function, const char *path)
{
    ash__fail(ASH_ERR_ARGUMENT, function, "the tree has no %.200s", path);
    return NULL;
}

const ash_tree *ash_tree_child(const ash_tree *t, const char *name)
{
    static const char f[] = "ash_tree_child";
    if (check_path(f, t, "name", name))
        return NULL;
    const int64_t place = ash__tree_place(t, name, strlen(name));
    return place < 0 ? missing(f, name) : t->entry[place].tree;
}

/* One step: an entry by its name, or where there are no names by its place. */
static const ash_tree *step(const ash_tree *t, const char *word, size_t n)
{
    if (!t->count || t->entry[0].name) {
        const int64_t place = ash__tree_place(t, word, n);
        return place < 0 ? NULL : t->entry[place].tree;
    }
    int64_t place = 0;
    for (size_t i = 0; i < n; i++) {
        if (word[i] < '0' || word[i] > '9' || place >= t->count)
            return NULL;
        place = 10 * place + (word[i] - '0');
    }
    return n && place < t->count ? t->entry[place].tree : NULL;
}

/* Names may have dots, so the first word of a path may be longer than up to its first dot: the longest that fits wins. */
static const ash_tree *find(const ash_tree *t, const char *path)
{
    for (size_t n = strlen(path); n > 0; n--) {
        if (path[n] && path[n] != '.')
            continue;
        const ash_tree *next = step(t, path, n);
        const ash_tree *found = next && path[n] ? find(next, path + n + 1) : next;
        if (found)
            return found;
    }
    return NULL;
}

const ash_tree *ash_tree_find(const ash_tree *t, const char *path)
{
    static const char f[] = "ash_tree_find";
    if (check_path(f, t, "path", path))
        return NULL;
    const ash_tree *found = find(t, path);
    return found ? found : missing(f, path);
}

bool ash_tree_has(const ash_tree *t, const char *path)
{
    return !check_path("ash_tree_has", t, "path", path) && find(t, path);
}

/* ---- leaves */

static const ash_tree *leaf(const char *function, const ash_tree *t, const char *path, ash_tree_kind kind)
{
    static const char *const names[] = {"nothing", "a branch", "an array", "a scalar", "a text", "a range"};
    if (ash__check_tree(function, "t", t))
        return NULL;
    const ash_tree *found = path ? find(t, path) : t;
    if (!found)
        return missing(function, path);
    if (found->kind == kind)
        return found;
    ash__fail(ASH_ERR_ARGUMENT, function, "%.200s is %s; %s is wanted", path ? path : "t", names[found->kind], names[kind]);
    return NULL;
}

ash_array *ash_tree_get(const ash_tree *t, const char *path)
{
    const ash_tree *found = leaf("ash_tree_get", t, path, ASH_TREE_ARRAY);
    return found ? found->array : NULL;
}

const char *ash_tree_get_text(const ash_tree *t, const char *path)
{
    const ash_tree *found = leaf("ash_tree_get_text", t, path, ASH_TREE_TEXT);
    return found ? found->text : NULL;
}

ash_status ash_tree_get_scalar(const ash_tree *t, const char *path, ash_operand *scalar)
{
    static const char f[] = "ash_tree_get_scalar";
    if (!scalar)
        return ash__null(f, "scalar");
    const ash_tree *found = leaf(f, t, path, ASH_TREE_SCALAR);
    if (!found)
        return ash__last_status();
    *scalar = found->scalar;
    return ASH_OK;
}

/* A scalar as a C number of that dtype; false with an error when it is none, or does not convert exactly. */
static bool get_number(const char *function, const ash_tree *t, const char *path, ash_dtype dtype, void *number)
{
    unsigned char bytes[ASH__SCALAR_BYTES];
    const ash_tree *found = leaf(function, t, path, ASH_TREE_SCALAR);
    if (!found || ash__operand_bytes(function, &found->scalar, bytes))
        return false;
    const char *from = (const char *)bytes;
    if (ash__convert_run(number, 0, dtype, from, 0, found->scalar.dtype, 1, true) == 1)
        return true;
    ash__convert_fail(function, NULL, 0, from, found->scalar.dtype, dtype, true);
    return false;
}

int64_t ash_tree_get_i64(const ash_tree *t, const char *path)
{
    int64_t x = 0;
    return get_number("ash_tree_get_i64", t, path, ASH_I64, &x) ? x : 0;
}

double ash_tree_get_f64(const ash_tree *t, const char *path)
{
    double x = 0;
    return get_number("ash_tree_get_f64", t, path, ASH_F64, &x) ? x : (double)NAN;
}

ash_status ash_tree_get_range(const ash_tree *t, const char *path, int64_t *first, int64_t *end)
{
    static const char f[] = "ash_tree_get_range";
    if (!first || !end)
        return ash__null(f, first ? "end" : "first");
    const ash_tree *found = leaf(f, t, path, ASH_TREE_RANGE);
    if (!found)
        return ash__last_status();
    *first = found->first;
    *end = found->end;
    return ASH_OK;
}
