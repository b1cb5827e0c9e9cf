/* tree.c - trees: made, owned, and filled. */
#include "ops/tree.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/operand.h"

/* ---- nodes */

static void drop_child(ash_tree *child)
{
    atomic_fetch_sub(&child->inside, 1);
    ash__counted_drop(&child->counted);
}

/* The last reference is gone. Recursion ends at ASH__TREE_DEPTH. */
static void end_node(ash__counted *one)
{
    ash_tree *t = (ash_tree *)(void *)one;
    for (int64_t i = 0; i < t->count; i++) {
        ash__free(t->entry[i].name);
        drop_child(t->entry[i].tree);
    }
    ash__free(t->entry);
    if (t->array)
        ash__counted_drop(&t->array->counted);
    ash__free(t->text);
    ash__free(t);
}

ash_tree *ash__tree_node(const char *function, ash_tree_kind kind)
{
    ash_tree *t = ash__alloc(function, 1, sizeof *t);
    if (!t)
        return NULL;
    ash__counted_begin(&t->counted, end_node);
    atomic_init(&t->inside, 0);
    t->kind = kind;
    t->depth = 1;
    return t;
}

void ash__tree_end(ash_tree *t)
{
    if (t)
        ash__counted_release(&t->counted);
}

ash_tree *ash__tree_array(const char *function, const ash_array *a)
{
    ash_tree *t = ash__tree_node(function, ASH_TREE_ARRAY);
    if (t) {
        t->array = (ash_array *)(uintptr_t)a;
        t->arrays = 1;
        ash__counted_hold(&t->array->counted);
    }
    return t;
}

ash_tree *ash__tree_scalar(const char *function, const ash_operand *scalar)
{
    unsigned char bytes[ASH__SCALAR_BYTES];
    if (ash__operand_bytes(function, scalar, bytes))
        return NULL;
    ash_tree *t = ash__tree_node(function, ASH_TREE_SCALAR);
    if (t)
        t->scalar = *scalar;
    return t;
}

static char *copy_text(const char *function, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = ash__alloc(function, (int64_t)n, 1);
    return copy ? memcpy(copy, text, n) : NULL;
}

ash_tree *ash__tree_give(const char *function, ash_tree *t)
{
    return t ? (ash_tree *)(void *)ash__counted_give(function, &t->counted) : NULL;
}

ash_tree *ash_tree_new(void)
{
    static const char f[] = "ash_tree_new";
    return ash__tree_give(f, ash__tree_node(f, ASH_TREE_BRANCH));
}

ash_tree *ash_tree_range(int64_t first, int64_t end)
{
    static const char f[] = "ash_tree_range";
    if (end < first) {
        ash__fail(ASH_ERR_ARGUMENT, f, "the end, %lld, is before the first, %lld", (long long)end, (long long)first);
        return NULL;
    }
    ash_tree *t = ash__tree_node(f, ASH_TREE_RANGE);
    if (t)
        t->first = first, t->end = end;
    return ash__tree_give(f, t);
}

/* ---- ownership */

ash_status ash__check_tree(const char *function, const char *name, const ash_tree *t)
{
    return t ? ASH_OK : ash__null(function, name);
}

void ash_tree_release(ash_tree *t)
{
    ash__tree_end(t);
}

ash_tree *ash_tree_retain(const ash_tree *t)
{
    if (ash__check_tree("ash_tree_retain", "t", t))
        return NULL;
    ash_tree *same = (ash_tree *)(uintptr_t)t;
    ash__counted_retain(&same->counted);
    return same;
}

ash_tree *ash_tree_share(const ash_tree *t)
{
    return ash__check_tree("ash_tree_share", "t", t) ? NULL : ash__tree_give("ash_tree_share", ash_tree_retain(t));
}

ash_tree *ash_tree_keep(int64_t scope, ash_tree *t)
{
    if (t)
        ash__counted_keep(scope, &t->counted);
    return t;
}

void ash_tree_replace(ash_tree **slot, ash_tree *t)
{
    if (!slot) {
        ash__null("ash_tree_replace", "slot");
        return;
    }
    ash_tree *const old = *slot;
    *slot = t;
    if (t != old)
        ash__counted_replace(old ? &old->counted : NULL, t ? &t->counted : NULL);
}

/* ---- filling */

/* FNV-1a. */
static uint64_t hash_name(const char *name, size_t n)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return hash;
}

int64_t ash__tree_place(const ash_tree *t, const char *name, size_t n)
{
    const uint64_t hash = hash_name(name, n);
    for (int64_t i = 0; i < t->count; i++) {
        const ash__tree_entry *e = &t->entry[i];
        if (e->name && e->hash == hash && strncmp(e->name, name, n) == 0 && !e->name[n])
            return i;
    }
    return -1;
}

static ash_status check_branch(const char *function, const ash_tree *t, const char *name)
{
    const ash_status status = ash__check_tree(function, "t", t);
    if (status)
        return status;
    if (t->kind != ASH_TREE_BRANCH)
        return ash__fail(ASH_ERR_ARGUMENT, function, "t is a leaf; only a branch takes entries");
    if (atomic_load(&t->inside))
        return ash__fail(ASH_ERR_ARGUMENT, function,
                         "t is part of another tree and cannot change; fill it before it is put there");
    if (name && !*name)
        return ash__fail(ASH_ERR_ARGUMENT, function, "the name is empty");
    if (t->count && !t->entry[0].name != !name)
        return ash__fail(ASH_ERR_ARGUMENT, function,
                         name ? "the entries of t have no names; this one is called %.64s" : "the entries of t have names",
                         name);
    return ASH_OK;
}

static ash_status make_room(const char *function, ash_tree *t)
{
    if (t->count < t->room)
        return ASH_OK;
    const int64_t room = 2 * t->room + 4;
    ash__tree_entry *entry = ash__realloc(function, t->entry, room, sizeof *entry);
    if (!entry)
        return ash__last_status();
    t->entry = entry;
    t->room = room;
    return ASH_OK;
}

/* What is kept of the entries. */
static void count_in(ash_tree *t, const ash_tree *child)
{
    if (__builtin_add_overflow(t->arrays, child->arrays, &t->arrays)) /* one tree in very many places */
        t->arrays = INT64_MAX;
    if (child->depth >= t->depth)
        t->depth = child->depth + 1;
}

static void count_again(ash_tree *t)
{
    t->arrays = 0;
    t->depth = 1;
    for (int64_t i = 0; i < t->count; i++)
        count_in(t, t->entry[i].tree);
}

static ash_status check_depth(const char *function, const ash_tree *child)
{
    if (child->depth < ASH__TREE_DEPTH)
        return ASH_OK;
    return ash__fail(ASH_ERR_ARGUMENT, function, "the trees would nest %d deep; at most %d are allowed", child->depth + 1,
                     ASH__TREE_DEPTH);
}

static void hold(ash_tree *child)
{
    ash__counted_hold(&child->counted);
    atomic_fetch_add(&child->inside, 1);
}

ash_status ash__tree_append(const char *function, ash_tree *t, const char *name, ash_tree *child)
{
    char *copy = NULL;
    ash_status status = check_depth(function, child);
    if (!status)
        status = make_room(function, t);
    if (status)
        return status;
    if (name && !(copy = copy_text(function, name)))
        return ash__last_status();
    t->entry[t->count++] = (ash__tree_entry){name ? hash_name(name, strlen(name)) : 0, copy, child};
    hold(child);
    count_in(t, child);
    return ASH_OK;
}

ash_status ash__tree_put(const char *function, ash_tree *t, const char *name, ash_tree *child)
{
    const int64_t place = name ? ash__tree_place(t, name, strlen(name)) : -1;
    if (place < 0)
        return ash__tree_append(function, t, name, child);
    const ash_status status = check_depth(function, child);
    if (status)
        return status;
    hold(child);
    ash_tree *const old = t->entry[place].tree;
    t->entry[place].tree = child;
    count_again(t);
    drop_child(old);
    return ASH_OK;
}

/* A new leaf, whose reference ends here. */
static ash_status put_leaf(const char *function, ash_tree *t, const char *name, ash_tree *leaf)
{
    const ash_status status = leaf ? ash__tree_put(function, t, name, leaf) : ash__last_status();
    ash__tree_end(leaf);
    return status;
}

static const char put_name[] = "ash_tree_put"; /* of all four: what is written in C is the macro */

ash_status ash_tree_put_array(ash_tree *t, const char *name, const ash_array *a)
{
    ash_status status = check_branch(put_name, t, name);
    if (!status)
        status = ash__check_array(put_name, "a", a);
    return status ? status : put_leaf(put_name, t, name, ash__tree_array(put_name, a));
}

ash_status ash_tree_put_scalar(ash_tree *t, const char *name, const ash_operand *scalar)
{
    if (scalar && scalar->kind == ASH_OPERAND_ARRAY)
        return ash_tree_put_array(t, name, scalar->value.array);
    const ash_status status = check_branch(put_name, t, name);
    if (status)
        return status;
    if (!scalar || scalar->kind != ASH_OPERAND_SCALAR)
        return ash__null(put_name, "scalar");
    return put_leaf(put_name, t, name, ash__tree_scalar(put_name, scalar));
}

ash_status ash_tree_put_text(ash_tree *t, const char *name, const char *text)
{
    const ash_status status = check_branch(put_name, t, name);
    if (status)
        return status;
    if (!text)
        return ash__null(put_name, "text");
    ash_tree *leaf = ash__tree_node(put_name, ASH_TREE_TEXT);
    if (leaf && !(leaf->text = copy_text(put_name, text))) {
        ash__tree_end(leaf);
        leaf = NULL;
    }
    return put_leaf(put_name, t, name, leaf);
}

ash_status ash_tree_put_tree(ash_tree *t, const char *name, const ash_tree *child)
{
    ash_status status = check_branch(put_name, t, name);
    if (!status)
        status = ash__check_tree(put_name, "child", child);
    if (status)
        return status;
    if (child == t)
        return ash__fail(ASH_ERR_ARGUMENT, put_name, "a tree cannot be part of itself");
    return ash__tree_put(put_name, t, name, (ash_tree *)(uintptr_t)child);
}
