/* options.h - reading an options struct of any version of the library. */
#ifndef ASH__OPTIONS_H
#define ASH__OPTIONS_H
#include <stdbool.h>
#include <stddef.h>

/* Copies what the caller's struct has into *to (size bytes): what it lacks is 0; what we lack must be 0. from NULL: all 0.
 * false with an error when struct_size is 0 or the caller uses an option that this library does not know. */
bool ash__read_options(const char *function, void *to, size_t size, const void *from);
#endif
