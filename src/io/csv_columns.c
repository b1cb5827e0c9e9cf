/*
 * csv_columns.c - the choice of columns: "0:4", "0,2,5", "-1", "petal length,-1", "\"2024\"".
 *
 * Items are separated by commas. One that is an integer is a position, with a colon a range, anything else a name of the
 * header; in double quotes it is always a name, so that a name may hold a comma or look like a number.
 */
#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"
#include "io/csv.h"
#include "io/file.h"

typedef struct chooser {
    const ash__csv_scanner *names;
    ash__csv_columns *to;
    int64_t room;
} chooser;

static ash_status fail_with(const chooser *c, ash_status status, const char *text)
{
    const char *path = c->names->path;
    return ash__fail(status, c->names->function, "%s%s%s", path ? ash__shown_path(path) : "", path ? ": " : "", text);
}

static ash_status add(chooser *c, int64_t column)
{
    ash__csv_columns *to = c->to;
    if (to->count == c->room) {
        const int64_t room = c->room ? 2 * c->room : 16;
        int64_t *larger = ash__realloc(c->names->function, to->column, room, sizeof *larger);
        if (!larger)
            return ASH_ERR_MEMORY;
        to->column = larger;
        c->room = room;
    }
    to->column[to->count++] = column;
    return ASH_OK;
}

static ash_status out_of_bounds(const chooser *c, int64_t column)
{
    char text[128];
    snprintf(text, sizeof text, ".columns: column %lld is out of bounds for %lld columns", (long long)column,
             (long long)c->names->count);
    return fail_with(c, ASH_ERR_BOUNDS, text);
}

/* ---- items: text from `item` to `end`, without blanks around */

static void trim(const char **item, const char **end)
{
    while (*item < *end && (**item == ' ' || **item == '\t'))
        ++*item;
    while (*end > *item && ((*end)[-1] == ' ' || (*end)[-1] == '\t'))
        --*end;
}

/* The whole of the item as an integer. */
static bool integer(const char *item, const char *end, int64_t *value)
{
    trim(&item, &end);
    const bool negative = item < end && *item == '-';
    item += negative || (item < end && *item == '+');
    if (item == end || end - item > 15)
        return false;
    *value = 0;
    for (; item < end; item++) {
        if (*item < '0' || *item > '9')
            return false;
        *value = 10 * *value + (*item - '0');
    }
    if (negative)
        *value = -*value;
    return true;
}

static ash_status choose_one(chooser *c, int64_t column)
{
    const int64_t n = c->names->count;
    return column < -n || column >= n ? out_of_bounds(c, column) : add(c, column < 0 ? column + n : column);
}

/* start:stop, either open; stop is left out. */
static bool range(const char *item, const char *end, int64_t n, int64_t *start, int64_t *stop)
{
    const char *colon = item < end ? memchr(item, ':', (size_t)(end - item)) : NULL;
    *start = 0;
    *stop = n;
    return colon && (colon == item || integer(item, colon, start)) && (colon + 1 == end || integer(colon + 1, end, stop));
}

static ash_status choose_range(chooser *c, int64_t start, int64_t stop)
{
    const int64_t n = c->names->count;
    if (start < -n || start > n)
        return out_of_bounds(c, start);
    if (stop < -n || stop > n)
        return out_of_bounds(c, stop > n ? stop - 1 : stop);
    start += start < 0 ? n : 0;
    stop += stop < 0 ? n : 0;
    for (int64_t i = start; i < stop; i++)
        if (add(c, i) != ASH_OK)
            return ASH_ERR_MEMORY;
    return ASH_OK;
}

/* Equal, with doubled quotes in the field counting once? */
static bool same_name(const ash__csv_field *f, char quote, const char *name, size_t length)
{
    size_t k = 0;
    for (size_t i = 0; i < f->length; i++, k++) {
        if (k == length || f->text[i] != name[k])
            return false;
        i += f->quoted && f->text[i] == quote;
    }
    return k == length;
}

static ash_status choose_name(chooser *c, const char *name, size_t length)
{
    char text[256];
    c->to->named = true;
    for (int64_t i = 0; i < c->names->count; i++)
        if (same_name(&c->names->field[i], c->names->quote, name, length))
            return add(c, i);
    snprintf(text, sizeof text, ".columns: no column of the header is named \"%.*s\"", length < 100 ? (int)length : 100, name);
    return fail_with(c, ASH_ERR_ARGUMENT, text);
}

static ash_status choose_item(chooser *c, const char *item, const char *end)
{
    int64_t start, stop;
    if (item == end)
        return fail_with(c, ASH_ERR_ARGUMENT, ".columns has an empty item");
    if (*item == '"' && end - item >= 2 && end[-1] == '"')
        return choose_name(c, item + 1, (size_t)(end - item) - 2);
    if (integer(item, end, &start))
        return choose_one(c, start);
    if (range(item, end, c->names->count, &start, &stop))
        return choose_range(c, start, stop);
    return choose_name(c, item, (size_t)(end - item));
}

/* The end of an item: a comma outside quotes, or the end of the text. */
static const char *item_end(const char *at)
{
    bool quoted = false;
    for (; *at && (quoted || *at != ','); at++)
        quoted = quoted != (*at == '"');
    return at;
}

ash_status ash__csv_choose(const ash__csv_scanner *names, const char *spec, ash__csv_columns *columns)
{
    chooser c = {.names = names, .to = columns};
    *columns = (ash__csv_columns){0};
    ash_status status = ASH_OK;
    if (!spec)
        return choose_range(&c, 0, names->count);
    for (const char *at = spec; status == ASH_OK; at++) {
        const char *stop = item_end(at), *item = at, *end = stop;
        trim(&item, &end);
        status = choose_item(&c, item, end);
        at = stop;
        if (!*stop)
            break;
    }
    return status;
}
