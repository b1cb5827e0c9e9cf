/* places.c - a table from addresses to numbers: open addressing, linear probes, at most half full. */
#include "ops/places.h"

#include "core/alloc.h"
#include "core/error.h"

/* Where a key is or belongs. Addresses are multiples of 16 at least: a multiplication spreads them over the high bits. */
static struct ash__places_slot *slot_of(const ash__places *p, const void *key)
{
    const uint64_t mask = (uint64_t)p->room - 1;
    uint64_t i = ((uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (p->slot[i].key && p->slot[i].key != key)
        i = (i + 1) & mask;
    return &p->slot[i];
}

int64_t ash__places_find(const ash__places *p, const void *key)
{
    const struct ash__places_slot *slot = p->room ? slot_of(p, key) : NULL;
    return slot && slot->key ? slot->number : -1;
}

static ash_status grow(const char *function, ash__places *p)
{
    ash__places larger = {.count = p->count, .room = p->room ? 2 * p->room : 16};
    larger.slot = ash__alloc(function, larger.room, sizeof *larger.slot);
    if (!larger.slot)
        return ash__last_status();
    for (int64_t i = 0; i < p->room; i++)
        if (p->slot[i].key)
            *slot_of(&larger, p->slot[i].key) = p->slot[i];
    ash__free(p->slot);
    *p = larger;
    return ASH_OK;
}

ash_status ash__places_add(const char *function, ash__places *p, const void *key, int64_t number)
{
    const ash_status status = 2 * p->count >= p->room ? grow(function, p) : ASH_OK;
    if (status)
        return status;
    *slot_of(p, key) = (struct ash__places_slot){key, number};
    p->count++;
    return ASH_OK;
}

void ash__places_free(ash__places *p)
{
    ash__free(p->slot);
    *p = (ash__places){0};
}
