/* tree_rebuild.h - a tree with other leaves: what does not change is shared with the old one, what was shared is again. */
#ifndef ASH__TREE_REBUILD_H
#define ASH__TREE_REBUILD_H
#include "ops/places.h"
#include "ops/tree.h"

typedef struct ash__rebuild {
    const char *function;
    /* A leaf in place of one for an array: a new one, the caller's alone, or `leaf` with one more reference; NULL with an
     * error. Called once for each array. */
    ash_tree *(*array)(struct ash__rebuild *r, ash_tree *leaf);
    ash_tree *(*scalar)(struct ash__rebuild *r, ash_tree *leaf); /* the same for scalars; NULL: they stay */
    void *context;
    bool placed;      /* the error begins with a place already */
    bool pending;     /* an error was when it began: the text of it is not ours to change */
    ash__places seen; /* nodes and arrays, by the number of their new node */
    ash_tree **made;
    int64_t count, room;
} ash__rebuild;

/* The new tree, the caller's alone; t itself with one more reference when nothing changed. NULL with an error that begins with
 * the path of the leaf. The rest of *r is zeros. */
ash_tree *ash__tree_rebuild(ash__rebuild *r, const ash_tree *t);
#endif
