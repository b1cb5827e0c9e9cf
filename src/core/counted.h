/*
 * counted.h - handles with references: what arrays and trees begin with, and what scopes hold.
 *
 * The functions of scope.c; NULL is not one of their arguments unless that is said.
 */
#ifndef ASH__COUNTED_H
#define ASH__COUNTED_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ash__counted {
    atomic_int refs;                       /* all references */
    atomic_int owned;                      /* the callers' among them; scopes, views and trees hold the others */
    void (*end)(struct ash__counted *one); /* called once, when the last reference is gone */
} ash__counted;

static inline void ash__counted_begin(ash__counted *one, void (*end)(ash__counted *one)) /* with one reference, the caller's */
{
    atomic_init(&one->refs, 1);
    atomic_init(&one->owned, 1);
    one->end = end;
}
/* One more reference, which is neither a caller's nor a scope's; ended by ash__counted_drop. */
static inline void ash__counted_hold(ash__counted *one)
{
    atomic_fetch_add(&one->refs, 1);
}
/* Ends a reference that is not a caller's (any more). */
void ash__counted_drop(ash__counted *one);
/* Takes a reference from the callers, if they have one left: it is another holder's now. */
bool ash__counted_disown(ash__counted *one);
/* One more reference, the caller's. */
void ash__counted_retain(ash__counted *one);
/* Ends a reference of the caller's, or else the newest of this thread's scopes'. */
void ash__counted_release(ash__counted *one);
/* A reference of the caller's is given to the innermost scope, if any. NULL is passed on. On failure (memory) ends it and
 * returns NULL. */
ash__counted *ash__counted_give(const char *function, ash__counted *one);
/* Moves it out of a scope, and those inside it, to the one around it or else to the caller. */
void ash__counted_keep(int64_t scope, ash__counted *one);
/* `one` is held from now on as old was, whose reference ends. Either may be NULL; they are not the same. */
void ash__counted_replace(ash__counted *old, ash__counted *one);
#endif
