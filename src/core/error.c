/*
 * error.c - the pending error of a thread.
 *
 * A failure stays pending until it is taken; those that follow are counted and do not replace it. All text lies in fixed
 * buffers, so that running out of memory can itself be reported.
 */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/state.h"
#include "core/text.h"

static void set_error(struct ash_state *s, ash_status status, const char *function, int operand, int position)
{
    memset(&s->error, 0, sizeof s->error);
    s->pending = true;
    s->error.status = status;
    s->error.operand = operand;
    s->error.position = position;
    snprintf(s->error.function, sizeof s->error.function, "%s", function);
}

static void set_text(struct ash_state *s) { snprintf(s->text, sizeof s->text, "%s: %s", s->error.function, s->error.cause); }

/* true when the failure is to be described: none is pending yet */
static bool first_failure(struct ash_state *s, ash_status status)
{
    s->last = status;
    if (s->pending)
        s->error.later++;
    return !s->pending;
}

#define FORMAT_CAUSE(s, format)                                          \
    do {                                                                 \
        va_list args;                                                    \
        va_start(args, format);                                          \
        vsnprintf((s)->error.cause, sizeof(s)->error.cause, format, args); \
        va_end(args);                                                    \
    } while (0)

ash_status ash__fail(ash_status status, const char *function, const char *format, ...)
{
    struct ash_state *s = ash__state();
    if (first_failure(s, status)) {
        set_error(s, status, function, -1, -1);
        FORMAT_CAUSE(s, format);
        set_text(s);
    }
    return status;
}

ash_status ash__fail_operand(ash_status status, const char *function, int operand, const char *format, ...)
{
    struct ash_state *s = ash__state();
    if (first_failure(s, status)) {
        set_error(s, status, function, operand, -1);
        FORMAT_CAUSE(s, format);
        set_text(s);
    }
    return status;
}

enum { SHOWN = 96 }; /* bytes of a long line that are shown around the caret */

/* Appends the line of text that holds byte `position`, cut when it is long, and the caret under it. */
static void put_caret(ash__text *to, const char *text, int position)
{
    const char *start = text + position, *end = start;
    while (start > text && start[-1] != '\n' && text + position - start < SHOWN / 2)
        start--;
    while (*end && *end != '\n' && end - start < SHOWN)
        end++;
    int column = 0; /* in characters: bytes that continue one (10xxxxxx) do not count */
    for (const char *p = start; p < text + position; p++)
        column += ((unsigned char)*p & 0xC0) != 0x80;
    ash__put(to, "\n  ");
    for (const char *p = start; p < end; p++)
        ash__put(to, "%c", (unsigned char)*p < ' ' ? ' ' : *p);
    ash__put(to, "\n  %*s^", column, "");
}

ash_status ash__fail_text(ash_status status, const char *function, const char *text, int position, const char *format, ...)
{
    struct ash_state *s = ash__state();
    if (!first_failure(s, status))
        return status;
    set_error(s, status, function, -1, position);
    FORMAT_CAUSE(s, format);
    ash__text to = {s->error.cause, sizeof s->error.cause, strlen(s->error.cause)};
    put_caret(&to, text, position);
    set_text(s);
    return status;
}

void ash__error_place(const char *place)
{
    struct ash_state *s = ash__state();
    char cause[sizeof s->error.cause];
    ash__text text = {cause, sizeof cause, 0};
    if (!s->pending)
        return;
    ash__put(&text, "%s%s", place, s->error.cause);
    memcpy(s->error.cause, cause, sizeof cause);
    set_text(s);
}

ash_status ash__pending(void)
{
    const struct ash_state *s = ash__state();
    return s->pending ? s->error.status : ASH_OK;
}

ash_status ash__last_status(void) { return ash__state()->last; }

/* NULL because of a failure before: that one is passed on. */
static ash_status pass_on(void)
{
    struct ash_state *s = ash__state();
    if (s->pending)
        s->last = s->error.status;
    return ash__pending();
}

ash_status ash__null(const char *function, const char *name)
{
    const ash_status pending = pass_on();
    return pending ? pending : ash__fail(ASH_ERR_ARGUMENT, function, "%s is NULL", name);
}

ash_status ash__null_operand(const char *function, int operand)
{
    const ash_status pending = pass_on();
    return pending ? pending : ash__fail_operand(ASH_ERR_ARGUMENT, function, operand, "operand %d is NULL", operand);
}

bool ash_failed(void) { return ash__state()->pending; }

const char *ash_error_text(void)
{
    struct ash_state *s = ash__state();
    s->pending = false;
    return s->text;
}

bool ash_error_take(ash_error *error, size_t size)
{
    struct ash_state *s = ash__state();
    const bool was = s->pending;
    s->pending = false;
    if (!error)
        return was;
    memset(error, 0, size);
    if (was)
        memcpy(error, &s->error, size < sizeof *error ? size : sizeof *error);
    return was;
}

void ash_error_clear(void) { ash__state()->pending = false; }

const char *ash_status_name(ash_status status)
{
    static const char *const names[] = {"ok",     "argument",    "shape",         "dtype",    "bounds", "value",  "memory",
                                        "device", "unsupported", "scalar-access", "released", "io",     "format", "internal"};
    return (unsigned)status < sizeof names / sizeof names[0] ? names[status] : "unknown";
}
