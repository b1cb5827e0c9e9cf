/* print.h - where a text goes, and arrays as a part of a longer one. */
#ifndef ASH__PRINT_H
#define ASH__PRINT_H
#include <stdio.h>

#include "core/array.h"
#include "core/text.h"

/* A caller's buffer, or a stream. */
typedef struct ash__printer {
    ash__text text;
    FILE *stream;
    bool failed;
    bool one_line; /* rows of arrays follow each other on one line */
} ash__printer;

void ash__print_bytes(ash__printer *to, const char *bytes, size_t n);
void ash__print_text(ash__printer *to, const char *text);
/* Header and values, no newline after them; never fails but for the stream. */
void ash__print_array(ash__printer *to, const ash_array *a);
/* What a stream that did not take the text is to its caller; errno is 0 before the first byte. */
ash_status ash__print_status(const char *function, const ash__printer *to);
#endif
