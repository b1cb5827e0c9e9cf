/*
 * forms.c - the form of a text: all lists in one table, found by hashing.
 */
#include <stdlib.h>

#include "program.h"

enum { SLOTS = 1 << 13 };

static struct slot {
    const char *text;
    size_t length;
    const form *found;
} slot[SLOTS];

static size_t hash(const char *text, size_t length)
{
    u32 h = 2166136261u;
    for (size_t k = 0; k < length; k++)
        h = (h ^ (u8)text[k]) * 16777619u;
    return h % SLOTS;
}

static struct slot *slot_of(const char *text, size_t length)
{
    size_t at = hash(text, length);
    while (slot[at].text && (slot[at].length != length || memcmp(slot[at].text, text, length) != 0))
        at = (at + 1) % SLOTS;
    return &slot[at];
}

static void add(const form *row)
{
    for (const char *text = row->text; *text;) {
        const size_t length = strcspn(text, " ");
        *slot_of(text, length) = (struct slot){text, length, row};
        text += length + (text[length] == ' ');
    }
}

__attribute__((constructor)) static void fill(void)
{
    static const forms *const all[] = {&integer_forms, &bit_forms,     &real_forms, &rounded_forms,
                                       &compare_forms, &convert_forms, &half_forms};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        for (size_t row = 0; row < all[k]->count; row++)
            add(&all[k]->row[row]);
}

const form *form_find(const char *text, size_t length)
{
    return slot_of(text, length)->found;
}
