/*
 * tree_rebuild.c - a tree with other leaves.
 *
 * Every node is visited once, however many places it is in; so is every array, whose new leaf stands wherever the array stood.
 */
#include "ops/tree_rebuild.h"

#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"

/* Takes the caller's reference to node, also when it fails. */
static ash_tree *remember(ash__rebuild *r, const void *key, ash_tree *node)
{
    ash_status status = ASH_OK;
    if (!node)
        return NULL;
    if (r->count == r->room) {
        const int64_t room = 2 * r->room + 8;
        ash_tree **made = ash__realloc(r->function, r->made, room, sizeof *made);
        status = made ? ASH_OK : ash__last_status();
        if (made)
            r->made = made, r->room = room;
    }
    if (!status)
        status = ash__places_add(r->function, &r->seen, key, r->count);
    if (status) {
        ash__tree_end(node);
        return NULL;
    }
    return r->made[r->count++] = node;
}

static ash_tree *same(ash_tree *t)
{
    ash__counted_retain(&t->counted);
    return t;
}

static ash_tree *array_leaf(ash__rebuild *r, ash_tree *leaf)
{
    const int64_t number = ash__places_find(&r->seen, leaf->array);
    ash_tree *made = number < 0 ? remember(r, leaf->array, r->array(r, leaf)) : r->made[number];
    return !made ? NULL : same(made->array == leaf->array ? leaf : made);
}

static ash_tree *visit(ash__rebuild *r, ash_tree *t);

/* "weights: " before what failed, then "layer." before the place of that. */
static void name_place(ash__rebuild *r, const ash_tree *t, int64_t i)
{
    char place[300];
    const char *end = r->placed ? "." : ": ";
    if (r->pending)
        return;
    r->placed = true;
    if (t->entry[i].name)
        snprintf(place, sizeof place, "%.256s%s", t->entry[i].name, end);
    else
        snprintf(place, sizeof place, "%lld%s", (long long)i, end);
    ash__error_place(place);
}

static ash_tree *branch_of(ash__rebuild *r, ash_tree *t, bool changed)
{
    ash_tree *branch = changed ? ash__tree_node(r->function, ASH_TREE_BRANCH) : same(t);
    for (int64_t i = 0; branch && changed && i < t->count; i++) {
        ash_tree *child = r->made[ash__places_find(&r->seen, t->entry[i].tree)];
        if (ash__tree_put(r->function, branch, t->entry[i].name, child)) {
            ash__tree_end(branch);
            branch = NULL;
        }
    }
    return branch;
}

static ash_tree *branch(ash__rebuild *r, ash_tree *t)
{
    bool changed = false;
    for (int64_t i = 0; i < t->count; i++) {
        const ash_tree *child = visit(r, t->entry[i].tree);
        if (!child) {
            name_place(r, t, i);
            return NULL;
        }
        changed |= child != t->entry[i].tree;
    }
    return branch_of(r, t, changed);
}

/* The new node, which r->made holds. */
static ash_tree *visit(ash__rebuild *r, ash_tree *t)
{
    const int64_t number = ash__places_find(&r->seen, t);
    if (number >= 0)
        return r->made[number];
    ash_tree *node = t->kind == ASH_TREE_BRANCH                ? branch(r, t)
                     : t->kind == ASH_TREE_ARRAY               ? array_leaf(r, t)
                     : t->kind == ASH_TREE_SCALAR && r->scalar ? r->scalar(r, t)
                                                               : same(t);
    return remember(r, t, node);
}

ash_tree *ash__tree_rebuild(ash__rebuild *r, const ash_tree *t)
{
    r->pending = ash__pending();
    ash_tree *node = visit(r, (ash_tree *)(uintptr_t)t);
    if (node)
        same(node);
    for (int64_t i = 0; i < r->count; i++)
        ash__tree_end(r->made[i]);
    ash__free(r->made);
    ash__places_free(&r->seen);
    return node;
}
