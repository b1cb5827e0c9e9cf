/*
 * csv_scan.c - a CSV text as records of fields.
 *
 * RFC 4180 as it is met in the field: lines end in \n, \r\n or \r, the last one perhaps in nothing; a field in quotes may hold
 * separators, line ends and doubled quotes; blanks around a field do not belong to it; blank lines and lines that begin with
 * the comment character are no records. Fields are parts of the text: nothing is copied.
 */
#include <stdarg.h>
#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"
#include "io/csv.h"
#include "io/file.h"

ash_status ash__csv_fail(const ash__csv_scanner *s, ash_status status, const char *format, ...)
{
    char cause[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    return ash__fail(status, s->function, "%s%sline %lld%s", s->path ? ash__shown_path(s->path) : "", s->path ? ": " : "",
                     (long long)s->line, cause);
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* A blank is no separator here, unless runs of blanks are. */
static bool is_blank(const ash__csv_scanner *s, char c)
{
    return (c == ' ' || c == '\t') && (c != s->separator || s->separator == ' ');
}

static void skip_blanks(ash__csv_scanner *s)
{
    while (s->at < s->end && is_blank(s, *s->at))
        s->at++;
}

/* Over the line end that s stands at, if any. */
static void skip_line_end(ash__csv_scanner *s)
{
    if (s->at == s->end)
        return;
    const bool pair = *s->at == '\r' && s->end - s->at > 1 && s->at[1] == '\n';
    s->at += pair ? 2 : 1;
    s->next_line++;
}

static void skip_line(ash__csv_scanner *s)
{
    while (s->at < s->end && !is_line_end(*s->at))
        s->at++;
    skip_line_end(s);
}

bool ash__csv_begin(ash__csv_scanner *s, int64_t skip)
{
    s->line = s->next_line = 1;
    const size_t n = (size_t)(s->end - s->at);
    if (n >= 3 && memcmp(s->at, "\xEF\xBB\xBF", 3) == 0) {
        s->at += 3;
    } else if (n >= 2 && (memcmp(s->at, "\xFF\xFE", 2) == 0 || memcmp(s->at, "\xFE\xFF", 2) == 0)) {
        ash__csv_fail(s, ASH_ERR_FORMAT, ": the text is UTF-16; it must be UTF-8");
        return false;
    }
    for (; skip > 0 && s->at < s->end; skip--)
        skip_line(s);
    return true;
}

/* ---- fields */

static ash__csv_field *new_field(ash__csv_scanner *s)
{
    if (s->count == s->room) {
        const int64_t room = s->room ? 2 * s->room : 64;
        ash__csv_field *larger = ash__realloc(s->function, s->field, room, sizeof *larger);
        if (!larger)
            return NULL;
        s->field = larger;
        s->room = room;
    }
    return &s->field[s->count++];
}

/* Over what stands in quotes, to behind the closing one; line ends in it count. */
static bool take_quoted(ash__csv_scanner *s, ash__csv_field *f)
{
    f->quoted = true;
    f->text = ++s->at;
    while (s->at < s->end) {
        if (*s->at == s->quote) {
            if (s->end - s->at < 2 || s->at[1] != s->quote)
                break;
            s->at += 2;
        } else if (is_line_end(*s->at)) {
            skip_line_end(s);
        } else {
            s->at++;
        }
    }
    if (s->at == s->end) {
        ash__csv_fail(s, ASH_ERR_FORMAT, ", column %lld: the quote is not closed", (long long)s->count - 1);
        return false;
    }
    f->length = (size_t)(s->at - f->text);
    s->at++;
    skip_blanks(s);
    if (s->at == s->end || *s->at == s->separator || is_line_end(*s->at) || s->separator == ' ')
        return true;
    ash__csv_fail(s, ASH_ERR_FORMAT, ", column %lld: text follows the closing quote", (long long)s->count - 1);
    return false;
}

static void take_plain(ash__csv_scanner *s, ash__csv_field *f)
{
    f->quoted = false;
    f->text = s->at;
    if (s->separator == ' ')
        while (s->at < s->end && *s->at != ' ' && *s->at != '\t' && !is_line_end(*s->at))
            s->at++;
    else
        while (s->at < s->end && *s->at != s->separator && !is_line_end(*s->at))
            s->at++;
    const char *end = s->at;
    while (end > f->text && is_blank(s, end[-1]))
        end--;
    f->length = (size_t)(end - f->text);
}

/* Does another field follow? Passes over the separator. */
static bool take_separator(ash__csv_scanner *s)
{
    if (s->separator == ' ') {
        skip_blanks(s);
        return s->at < s->end && !is_line_end(*s->at);
    }
    if (s->at == s->end || *s->at != s->separator)
        return false;
    s->at++;
    return true;
}

static bool take_record(ash__csv_scanner *s)
{
    do {
        ash__csv_field *f = new_field(s);
        if (!f)
            return false;
        skip_blanks(s);
        if (s->at < s->end && *s->at == s->quote) {
            if (!take_quoted(s, f))
                return false;
        } else {
            take_plain(s, f);
        }
    } while (take_separator(s));
    skip_line_end(s);
    return true;
}

/* Passes over a blank line or a comment; false when s stands at a record. */
static bool skip_empty(ash__csv_scanner *s)
{
    if (s->comment && *s->at == s->comment) {
        skip_line(s);
        return true;
    }
    const char *p = s->at;
    while (p < s->end && is_blank(s, *p))
        p++;
    if (p < s->end && !is_line_end(*p))
        return false;
    s->at = p;
    skip_line_end(s);
    return true;
}

int ash__csv_next(ash__csv_scanner *s)
{
    while (s->at < s->end) {
        if (skip_empty(s))
            continue;
        s->line = s->next_line;
        s->count = 0;
        return take_record(s) ? 1 : -1;
    }
    return 0;
}
