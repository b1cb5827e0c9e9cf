/* text.c - appending to a fixed buffer as snprintf does. */
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ash__put(ash__text *text, const char *format, ...)
{
    const size_t room = text->length < text->size ? text->size - text->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(room ? text->buffer + text->length : NULL, room, format, arguments);
    va_end(arguments);
    if (n > 0)
        text->length += (size_t)n;
}

void ash__put_bytes(ash__text *text, const char *bytes, size_t n)
{
    const size_t room = text->length < text->size ? text->size - text->length : 0;
    if (room > 0) {
        const size_t fits = n < room ? n : room - 1;
        memcpy(text->buffer + text->length, bytes, fits);
        text->buffer[text->length + fits] = '\0';
    }
    text->length += n;
}

void ash__put_repeated(ash__text *text, char c, size_t n)
{
    const size_t room = text->length < text->size ? text->size - text->length : 0;
    if (room > 0) {
        const size_t fits = n < room ? n : room - 1;
        memset(text->buffer + text->length, c, fits);
        text->buffer[text->length + fits] = '\0';
    }
    text->length += n;
}
