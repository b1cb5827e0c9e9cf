/*
 * leaves.c - the leaves of a tree in one list, each with its path.
 */
#include "io/leaves.h"

#include <stdlib.h>

#include "core/alloc.h"
#include "core/error.h"

/* "parent.name", or the place of an entry that has no name; NULL with an error. */
static char *join(const char *function, const char *parent, const char *name, int64_t place)
{
    char digits[24];
    if (!name) {
        snprintf(digits, sizeof digits, "%lld", (long long)place);
        name = digits;
    }
    const size_t room = (parent ? strlen(parent) + 1 : 0) + strlen(name) + 1;
    char *joined = ash__alloc(function, (int64_t)room, 1);
    if (joined)
        snprintf(joined, room, "%s%s%s", parent ? parent : "", parent ? "." : "", name);
    return joined;
}

static ash_status add(const char *function, ash__leaves *leaves, char *name, const ash_tree *tree)
{
    if (leaves->count == leaves->room) {
        const int64_t room = leaves->room ? 2 * leaves->room : 16;
        ash__leaf *larger = ash__realloc(function, leaves->leaf, room, sizeof *larger);
        if (!larger) {
            ash__free(name);
            return ASH_ERR_MEMORY;
        }
        leaves->leaf = larger;
        leaves->room = room;
    }
    leaves->leaf[leaves->count++] = (ash__leaf){name, tree};
    return ASH_OK;
}

static ash_status collect(const char *function, const ash_tree *t, const char *parent, ash__leaves *leaves)
{
    ash_status status = ASH_OK;
    for (int64_t i = 0; status == ASH_OK && i < t->count; i++) {
        const ash_tree *const child = t->entry[i].tree;
        char *name = join(function, parent, t->entry[i].name, i);
        if (!name)
            return ASH_ERR_MEMORY;
        if (child->kind != ASH_TREE_BRANCH) {
            status = add(function, leaves, name, child);
        } else {
            status = collect(function, child, name, leaves);
            ash__free(name);
        }
    }
    return status;
}

static int by_name(const void *a, const void *b)
{
    const ash__leaf *const *s = a, *const *t = b;
    return strcmp((*s)->name, (*t)->name);
}

/* "a.b" is the name of an entry, and of an entry b of a branch a. */
static ash_status check_names(const char *function, const ash__leaves *leaves)
{
    const ash__leaf **sorted = ash__alloc(function, leaves->count, sizeof *sorted);
    ash_status status = sorted ? ASH_OK : ASH_ERR_MEMORY;
    for (int64_t i = 0; sorted && i < leaves->count; i++)
        sorted[i] = &leaves->leaf[i];
    if (sorted && leaves->count > 1)
        qsort(sorted, (size_t)leaves->count, sizeof *sorted, by_name);
    for (int64_t i = 1; status == ASH_OK && i < leaves->count; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            status = ash__fail(ASH_ERR_ARGUMENT, function, "two leaves have the path %.100s", sorted[i]->name);
    ash__free(sorted);
    return status;
}

ash_status ash__leaves_begin(const char *function, const ash_tree *t, ash__leaves *leaves)
{
    *leaves = (ash__leaves){0};
    ash_status status = ash__check_tree(function, "t", t);
    if (status != ASH_OK)
        return status;
    if (t->kind != ASH_TREE_BRANCH)
        return ash__fail(ASH_ERR_ARGUMENT, function, "t is a leaf; a branch, whose entries have names, is wanted");
    status = collect(function, t, NULL, leaves);
    return status == ASH_OK ? check_names(function, leaves) : status;
}

void ash__leaves_end(ash__leaves *leaves)
{
    for (int64_t i = 0; i < leaves->count; i++)
        ash__free(leaves->leaf[i].name);
    ash__free(leaves->leaf);
}
