/*
 * trace.h - lines of JSON, one for each thing that happens, where tracing is on: docs/observing.md lists them.
 *
 *     if (__builtin_expect(ash__tracing(), 0)) {
 *         ash__trace t;
 *         ash__trace_begin(&t, "wait", function, device);
 *         ash__trace_time(&t, start);
 *         ash__trace_end(&t);
 *     }
 *
 * A line is written whole, by one thread at a time.
 */
#ifndef ASH__TRACE_H
#define ASH__TRACE_H
#include "core/device.h"
#include "core/text.h"

enum { ASH__TRACE_LINE = 8192, ASH__TRACE_NAME = 40, ASH__TRACE_WORDS = 480 }; /* what is told of names and texts, bytes */

typedef struct ash__trace {
    char line[ASH__TRACE_LINE];
    ash__text text;
} ash__trace;

/* function, device: NULL: none. */
void ash__trace_begin(ash__trace *t, const char *event, const char *function, const ash_device *device);
void ash__trace_key(ash__trace *t, const char *key);                   /* a value is to follow, put into t->text */
void ash__trace_string(ash__trace *t, const char *value, size_t most); /* any bytes */
void ash__trace_number(ash__trace *t, const char *key, int64_t value);
void ash__trace_numbers(ash__trace *t, const char *key, const int64_t *value, int64_t count);
void ash__trace_words(ash__trace *t, const char *key, const char *value); /* up to ASH__TRACE_WORDS */
void ash__trace_flag(ash__trace *t, const char *key, bool value);
void ash__trace_time(ash__trace *t, double start); /* microseconds since then */
void ash__trace_end(ash__trace *t);

double ash__trace_clock(void); /* seconds; 0 where tracing is off */

/* For the places that tell one thing, which was asked for or not. */
void ash__trace_wait(const char *function, const ash_device *device, double start);
void ash__trace_copy(const char *function, const ash_device *device, size_t nbytes, bool to_host, double start);
void ash__trace_event(const char *event, const char *function, const ash_device *device, const char *key, const char *words);
#endif
