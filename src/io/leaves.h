/* leaves.h - the leaves of a tree in one list, each with its path: what files of named arrays hold. */
#ifndef ASH__LEAVES_H
#define ASH__LEAVES_H
#include "ops/tree.h"

typedef struct ash__leaf {
    char *name; /* the names and places on the way down, with dots between them */
    const ash_tree *tree;
} ash__leaf;

typedef struct ash__leaves {
    ash__leaf *leaf; /* in the tree's order */
    int64_t count, room;
} ash__leaves;

/* Takes the leaves of a branch; two with one path are an error. Whatever the outcome, the list is to be ended. */
ash_status ash__leaves_begin(const char *function, const ash_tree *t, ash__leaves *leaves);
void ash__leaves_end(ash__leaves *leaves);
#endif
