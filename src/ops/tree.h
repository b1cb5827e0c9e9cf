/*
 * tree.h - what a tree is inside: one node, a branch with entries or a leaf.
 *
 * A node that is part of another one does not change any more. So trees have no cycles, a node may be part of several trees,
 * and what is kept of it here (depth, number of arrays) stays true.
 */
#ifndef ASH__TREE_H
#define ASH__TREE_H
#include "ashlar/adapt.h"
#include "core/array.h"

enum { ASH__TREE_DEPTH = 1000 }; /* walks recurse */

typedef struct ash__tree_entry {
    uint64_t hash; /* of the name: unequal ones are passed over quickly */
    char *name;    /* NULL in a branch whose entries have none */
    ash_tree *tree;
} ash__tree_entry;

struct ash_tree {
    ash__counted counted;
    ash_tree_kind kind;
    int depth;         /* 1 for a leaf and an empty branch */
    atomic_int inside; /* how many entries of other trees it is */
    int64_t arrays;    /* leaves that are arrays, here and below */

    ash__tree_entry *entry;
    int64_t count, room;

    ash_array *array; /* held */
    ash_operand scalar;
    char *text;
    int64_t first, end;
};

/* A node of its own, the caller's: no scope holds it. */
ash_tree *ash__tree_node(const char *function, ash_tree_kind kind);
ash_tree *ash__tree_array(const char *function, const ash_array *a);
ash_tree *ash__tree_scalar(const char *function, const ash_operand *scalar);
/* A reference of the caller's is given to the innermost scope, if any. NULL is passed on, or comes of no memory. */
ash_tree *ash__tree_give(const char *function, ash_tree *t);
/* Ends the caller's reference. NULL is fine. */
void ash__tree_end(ash_tree *t);
/* The checks of a tree that is given: NULL passes a pending error on. */
ash_status ash__check_tree(const char *function, const char *name, const ash_tree *t);
/* Puts a node under a name, or NULL at the next place; the branch holds it. t is the caller's own or was checked. */
ash_status ash__tree_put(const char *function, ash_tree *t, const char *name, ash_tree *child);
/* The same for a name that t does not have, without looking: a reader of files that has checked them all is quick so. */
ash_status ash__tree_append(const char *function, ash_tree *t, const char *name, ash_tree *child);
/* The place of an entry with that name (n bytes), or -1. */
int64_t ash__tree_place(const ash_tree *t, const char *name, size_t n);
#endif
