/*
 * names.c - words of PTX, and what names stand for: registers by ranges, variables, labels; the columns of constants.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "parser.h"
#include "specials.h"

void refuse(parser *p, const char *format, ...)
{
    va_list list;
    const int start = snprintf(p->log, p->log_room, "line %u: ", p->line);
    va_start(list, format);
    if (start >= 0 && (size_t)start < p->log_room)
        vsnprintf(p->log + start, p->log_room - (size_t)start, format, list);
    va_end(list);
    longjmp(p->refused, 1);
}

void *another(void *array, u32 *count, u32 *room, size_t nbytes)
{
    if (*count == *room) {
        *room = *room ? 2 * *room : 32;
        array = realloc(array, *room * nbytes);
        if (!array)
            abort();
    }
    memset((char *)array + *count * nbytes, 0, nbytes);
    ++*count;
    return array;
}

/* ---- words */

void skip(parser *p)
{
    for (;; p->at++) {
        if (*p->at == '\n')
            p->line++;
        else if (p->at[0] == '/' && p->at[1] == '/')
            while (p->at[1] && p->at[1] != '\n')
                p->at++;
        else if (p->at[0] == '/' && p->at[1] == '*') {
            for (p->at += 2; *p->at && (p->at[0] != '*' || p->at[1] != '/'); p->at++)
                p->line += *p->at == '\n';
            p->at += *p->at != 0;
        } else if (!isspace((unsigned char)*p->at))
            return;
    }
}

bool accept(parser *p, char c)
{
    skip(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

void expect(parser *p, char c)
{
    if (!accept(p, c))
        refuse(p, "'%c' wanted at \"%.20s\"", c, p->at);
}

static bool in_word(const char *s)
{
    return isalnum((unsigned char)*s) || *s == '_' || *s == '$' || *s == '%' || *s == '.' || (s[0] == ':' && s[1] == ':') ||
           (s[0] == ':' && s[-1] == ':');
}

word take_word(parser *p)
{
    skip(p);
    word w = {p->at, 0};
    while (in_word(p->at))
        p->at++;
    w.length = (int)(p->at - w.text);
    if (w.length == 0)
        refuse(p, "a word wanted at \"%.20s\"", p->at);
    return w;
}

bool is(word w, const char *text)
{
    return strlen(text) == (size_t)w.length && memcmp(w.text, text, (size_t)w.length) == 0;
}

bool starts(const parser *p, const char *text)
{
    return strncmp(p->at, text, strlen(text)) == 0;
}

bool is_number(const parser *p)
{
    return isdigit((unsigned char)*p->at) || ((*p->at == '-' || *p->at == '+') && isdigit((unsigned char)p->at[1]));
}

s64 take_integer(parser *p)
{
    char *end;
    skip(p);
    const bool negative = accept(p, '-');
    skip(p);
    if (!isdigit((unsigned char)*p->at))
        refuse(p, "a number wanted at \"%.20s\"", p->at);
    const bool binary = p->at[0] == '0' && p->at[1] == 'b';
    const u64 value = strtoull(binary ? p->at + 2 : p->at, &end, binary ? 2 : 0);
    p->at = end;
    if (*p->at == 'U')
        p->at++;
    return (s64)(negative ? 0 - value : value);
}

void skip_block(parser *p)
{
    int depth = 0;
    do {
        skip(p);
        if (!*p->at)
            refuse(p, "the text ends within a block");
        depth += (*p->at == '{' || *p->at == '(') - (*p->at == '}' || *p->at == ')');
        p->at++;
    } while (depth > 0);
}

/* ---- names */

name *name_add(parser *p, word text, meaning what)
{
    name *const n = ANOTHER(p->name, p->names, p->name_room);
    n->text = text;
    n->meaning = (u8)what;
    return n;
}

/* The number behind the first `start` letters, or -1. */
static s64 number_behind(word w, int start)
{
    s64 number = 0;
    if (start >= w.length || w.length - start > 7)
        return -1;
    for (int k = start; k < w.length; k++) {
        if (!isdigit((unsigned char)w.text[k]))
            return -1;
        number = 10 * number + (w.text[k] - '0');
    }
    return number;
}

static bool means(const name *n, word text)
{
    if (text.length < n->text.length || memcmp(n->text.text, text.text, (size_t)n->text.length) != 0)
        return false;
    if (!n->registers)
        return text.length == n->text.length;
    const s64 number = number_behind(text, n->text.length);
    return number >= 0 && number < n->registers;
}

name *name_find(parser *p, word text) /* the latest: blocks hide */
{
    for (u32 k = p->names; k-- > 0;)
        if (means(&p->name[k], text))
            return &p->name[k];
    return NULL;
}

name *name_needed(parser *p, word text)
{
    name *const n = name_find(p, text);
    if (!n)
        refuse(p, "%.*s is not declared", text.length, text.text);
    return n;
}

u32 column_bytes(u32 width)
{
    return width ? LANES * width : 4;
}

place temporary(parser *p, u32 width)
{
    kernel *const k = p->kernel;
    const place where = width ? (k->register_bytes + 63) & ~63u : k->register_bytes;
    k->register_bytes = where + column_bytes(width);
    return where;
}

static place special_place(parser *p, word text, u32 *width)
{
#define SPECIAL_ROW(NAME, TEXT, WIDTH, VALUE) {TEXT, WIDTH},
    static const struct {
        const char *text;
        u32 width;
    } row[] = {SPECIALS(SPECIAL_ROW)};
    for (u8 which = 0; which < SPECIAL_COUNT; which++) {
        if (!is(text, row[which].text))
            continue;
        *width = row[which].width;
        for (u32 k = 0; k < p->kernel->specials; k++)
            if (p->kernel->special[k].which == which)
                return p->kernel->special[k].where;
        special *const s = ANOTHER(p->kernel->special, p->kernel->specials, p->kernel->special_room);
        *s = (special){which, temporary(p, *width)};
        return s->where;
    }
    return NO_PLACE;
}

place register_of(parser *p, word text, u32 *width)
{
    const name *const n = name_find(p, text);
    if (!n)
        return special_place(p, text, width);
    if (n->meaning != A_REGISTER)
        return NO_PLACE;
    *width = n->width;
    if (!n->registers)
        return n->where;
    const u32 number = (u32)number_behind(text, n->text.length);
    return n->where + number * column_bytes(n->width);
}

static place new_constant(parser *p, size_t nbytes)
{
    kernel *const k = p->kernel;
    const u32 start = (k->constant_bytes + 63) & ~63u;
    while (start + nbytes > k->constant_room) {
        k->constant_room = k->constant_room ? 2 * k->constant_room : 8192;
        k->constant = realloc(k->constant, k->constant_room);
        if (!k->constant)
            abort();
    }
    k->constant_bytes = start + (u32)nbytes;
    return start;
}

place constant_bytes(parser *p, const void *bytes, size_t nbytes)
{
    const place where = new_constant(p, nbytes);
    memcpy(p->kernel->constant + where, bytes, nbytes);
    return where | CONSTANT_PLACE;
}

/* The same number in the same width stands once, or a few times: what was last is remembered. */
place constant(parser *p, u32 width, u64 value)
{
    known_constant *const known = &p->known[(value * 31 + width) % KNOWN_CONSTANTS];
    if (known->kernel == p->kernel && known->width == width && known->value == value)
        return known->where;
    const place where = new_constant(p, column_bytes(width));
    u8 *const column = p->kernel->constant + where;
    if (width == 0)
        *(u32 *)(void *)column = value ? ~0u : 0;
    for (int l = 0; l < LANES && width; l++)
        memcpy(column + (u32)l * width, &value, width); /* the host is little-endian */
    *known = (known_constant){p->kernel, width, value, where | CONSTANT_PLACE};
    return known->where;
}

/* A shared variable of the module takes its place in the kernel that names it first. */
u64 address_of(parser *p, name *shared)
{
    kernel *const k = p->kernel;
    if (shared->meaning == A_SHARED && !shared->laid) {
        shared->laid = true;
        shared->address = DYNAMIC_SHARED;
        if (shared->nbytes) {
            k->shared_bytes = (k->shared_bytes + shared->align - 1) / shared->align * shared->align;
            shared->address = k->shared_bytes;
            k->shared_bytes += (u32)shared->nbytes;
        }
    }
    return shared->address;
}
