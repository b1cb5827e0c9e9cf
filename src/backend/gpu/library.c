/*
 * library.c - the functions that kernel text calls: the CPU's own elementary functions among them, taken from its headers.
 *
 * A driver's compiler takes longer for more text, so a program gets what it calls and what that calls, nothing else. The texts
 * are cut into definitions once, by how they are written: a definition starts at the left margin with `#define`, `INLINE`,
 * `FN`, `TABLE` or `typedef struct`, and what names what is seen from the words. `DEFINE_X(f32, ...)` is a definition of the
 * functions that the macro makes, where ## pastes its first argument. Of a choice by the preprocessor at the left margin the
 * first branch is a device's: the headers put the one with fma first. All that has f64 in it stands under `#if F64`.
 */
#include "backend/gpu/library.h"

#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {
    ash__gpu_float_parts_text, ash__gpu_math_base_text,  ash__gpu_math_exp_text, ash__gpu_math_log_text,
    ash__gpu_math_power_text,  ash__gpu_math_trig_text,  ash__gpu_math_arc_text, ash__gpu_math_erf_text,
    ash__gpu_math_large_text,  ash__gpu_math_exact_text, ash__gpu_odd_text,
};

enum { NAMES = 320, WORD = 48 };

typedef struct item {
    const char *text;
    size_t length;
    bool f64;
    ash__gpu_needs needs; /* itself too */
} item;
typedef struct entry {
    char name[WORD];
    int item;
} entry;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static item items[ASH__GPU_ITEMS]; /* these: constant after `cut_all` */
static entry entries[NAMES];       /* sorted by name */
static int item_count, entry_count;

/* ---- words */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next word from *at to `end`, with what ## pastes to it; `argument` stands for the first parameter. False: none. */
static bool next_word(const char **at, const char *end, const char *parameter, const char *argument, char word[WORD])
{
    const char *p = *at;
    size_t length = 0;
    while (p < end && !is_word(*p))
        p++;
    while (p < end && is_word(*p)) {
        const char *const start = p;
        while (p < end && is_word(*p))
            p++;
        size_t n = (size_t)(p - start);
        const bool replaced = *parameter && n == strlen(parameter) && memcmp(start, parameter, n) == 0;
        const char *const from = replaced ? argument : start;
        n = replaced ? strlen(argument) : n;
        if (length + n < WORD)
            memcpy(word + length, from, n), length += n;
        if (p + 2 < end && p[0] == '#' && p[1] == '#')
            p += 2;
    }
    word[length] = 0;
    *at = p;
    return length > 0;
}

static void first_word(const char *at, const char *end, char word[WORD])
{
    if (!next_word(&at, end, "", "", word))
        word[0] = 0;
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static int find(const char *name) /* -1: no definition */
{
    entry key;
    strcpy(key.name, name);
    const entry *const found = bsearch(&key, entries, (size_t)entry_count, sizeof key, compare_entries);
    return found ? found->item : -1;
}

/* ---- cutting into definitions */

static void add_name(const char *name)
{
    assert(entry_count < NAMES);
    strcpy(entries[entry_count].name, name);
    entries[entry_count++].item = item_count - 1;
}

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static const char *after_line(const char *line)
{
    const char *const end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Behind the line that begins with `last`. */
static const char *after(const char *line, const char *last)
{
    while (*line && !starts(line, last))
        line = after_line(line);
    return after_line(line);
}

static const char *after_macro(const char *line)
{
    const char *end = after_line(line);
    while (end > line + 1 && end[-2] == '\\')
        end = after_line(end);
    return end;
}

/* The word before the first `mark`. */
static void name_before(const char *text, char mark, char word[WORD])
{
    const char *const end = strchr(text, mark);
    const char *start = end;
    while (start > text && is_word(start[-1]))
        start--;
    first_word(start, end, word);
}

/* The macro of this name among the definitions so far: the last one, as the preprocessor has it. */
static const item *macro_named(const char *name)
{
    char word[WORD];
    for (int k = item_count - 1; k >= 0; k--)
        if (starts(items[k].text, "#define ")) {
            first_word(items[k].text + 8, items[k].text + items[k].length, word);
            if (strcmp(word, name) == 0)
                return &items[k];
        }
    return NULL;
}

/* What a line DEFINE_X(argument, ...) expands, and the macro's first parameter. */
typedef struct expansion {
    const item *macro;
    const char *body;
    char parameter[WORD], argument[WORD];
} expansion;

static expansion expansion_of(const char *line, const char *end)
{
    expansion e = {0};
    char name[WORD];
    const char *at = line;
    next_word(&at, end, "", "", name);
    first_word(at, end, e.argument);
    e.macro = macro_named(name);
    assert(e.macro);
    at = strchr(e.macro->text, '(');
    first_word(at, e.macro->text + e.macro->length, e.parameter);
    e.body = strchr(at, ')');
    return e;
}

/* The functions that an expansion defines: the words before a ( that follows INLINE or FN. */
static void name_expanded(const char *line, const char *end)
{
    const expansion e = expansion_of(line, end);
    const char *at = e.body, *const last = e.macro->text + e.macro->length;
    char word[WORD];
    while (next_word(&at, last, e.parameter, e.argument, word))
        if (strcmp(word, "INLINE") == 0 || strcmp(word, "FN") == 0) {
            while (*at != '(' && next_word(&at, last, e.parameter, e.argument, word))
                ;
            add_name(word);
        }
}

static const char *add_item(const char *line, const char *end)
{
    assert(item_count < ASH__GPU_ITEMS);
    items[item_count++] = (item){.text = line, .length = (size_t)(end - line)};
    return end;
}

/* The line's definition, if it begins one; returns what comes next. */
static const char *cut(const char *line)
{
    char word[WORD];
    if (starts(line, "#define ")) {
        const char *const end = add_item(line, after_macro(line));
        first_word(line + 8, end, word);
        add_name(word);
        return end;
    }
    if (starts(line, "INLINE ") || starts(line, "FN ")) {
        const char *const end = add_item(line, after(line, "}"));
        name_before(line, '(', word);
        add_name(word);
        return end;
    }
    if (starts(line, "TABLE ")) {
        const char *const end = add_item(line, after(line, "}"));
        name_before(line, '[', word);
        add_name(word);
        return end;
    }
    if (starts(line, "typedef struct ")) {
        const char *const end = add_item(line, after(line, "}"));
        first_word(line + 15, end, word);
        add_name(word);
        return end;
    }
    if (starts(line, "DEFINE_")) {
        const char *const end = add_item(line, after_line(line));
        name_expanded(line, end);
        return end;
    }
    return starts(line, "#else") ? after(line, "#endif") : after_line(line);
}

/* ---- what needs what */

static void add_needs(ash__gpu_needs *to, const ash__gpu_needs *from)
{
    for (int k = 0; k < ASH__GPU_ITEMS / 64; k++)
        to->bits[k] |= from->bits[k];
}

static void need_words(item *of, const char *at, const char *end, const char *parameter, const char *argument)
{
    char word[WORD];
    while (next_word(&at, end, parameter, argument, word)) {
        const int k = find(word);
        if (k >= 0 && &items[k] != of)
            add_needs(&of->needs, &items[k].needs);
        of->f64 |= strcmp(word, "double") == 0 || strcmp(word, "f64") == 0;
    }
}

/* Earlier definitions are complete already, and C lets a function name no later one. */
static void complete(int number)
{
    item *const of = &items[number];
    const char *const end = of->text + of->length;
    of->needs.bits[number / 64] |= (uint64_t)1 << number % 64;
    need_words(of, of->text, end, "", "");
    if (starts(of->text, "DEFINE_")) {
        const expansion e = expansion_of(of->text, end);
        need_words(of, e.body, e.macro->text + e.macro->length, e.parameter, e.argument);
    }
}

static void cut_all(void)
{
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        for (const char *line = texts[k]; *line;)
            line = cut(line);
    qsort(entries, (size_t)entry_count, sizeof entries[0], compare_entries);
    for (int k = 0; k < item_count; k++)
        complete(k);
}

/* ---- what a text gets */

void ash__gpu_need(ash__gpu_needs *needs, const char *text)
{
    const char *const end = text + strlen(text);
    char word[WORD];
    pthread_once(&once, cut_all);
    while (next_word(&text, end, "", "", word)) {
        const int k = find(word);
        if (k >= 0)
            add_needs(needs, &items[k].needs);
    }
}

void ash__gpu_put_needs(ash__text *text, const ash__gpu_needs *needs)
{
    for (int k = 0; k < item_count; k++) {
        if (!(needs->bits[k / 64] >> k % 64 & 1))
            continue;
        ash__put(text, items[k].f64 ? "#if F64 && !defined(HAS%d)\n#define HAS%d\n" : "#if !defined(HAS%d)\n#define HAS%d\n", k,
                 k);
        ash__put_bytes(text, items[k].text, items[k].length);
        ash__put(text, "#endif\n");
    }
}
