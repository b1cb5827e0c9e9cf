/* text.h - appending to a fixed buffer as snprintf does: what does not fit is counted and not written. */
#ifndef ASH__TEXT_H
#define ASH__TEXT_H
#include <stddef.h>

typedef struct ash__text {
    char *buffer;
    size_t size;
    size_t length; /* what the whole text needs, without the terminating 0 */
} ash__text;
void ash__put(ash__text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same without a format: quick enough for the cells of a large array. */
void ash__put_bytes(ash__text *text, const char *bytes, size_t n);
void ash__put_repeated(ash__text *text, char c, size_t n);
#endif
