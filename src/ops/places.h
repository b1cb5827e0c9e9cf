/* places.h - a table from addresses to numbers: what has been seen already, for walks in which things are shared. */
#ifndef ASH__PLACES_H
#define ASH__PLACES_H
#include "ashlar/base.h"

typedef struct ash__places {
    struct ash__places_slot {
        const void *key; /* NULL: free */
        int64_t number;
    } * slot;
    int64_t count, room; /* room: a power of 2, or 0 */
} ash__places;

/* The number of a key, or -1. */
int64_t ash__places_find(const ash__places *p, const void *key);
/* Adds a key that is not there. */
ash_status ash__places_add(const char *function, ash__places *p, const void *key, int64_t number);
void ash__places_free(ash__places *p);
#endif
