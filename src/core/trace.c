/*
 * trace.c - lines of JSON, whole ones, to stderr, a file, or a function of the program's.
 */
#include "core/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/implicit.h"
#include "core/settings.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;    /* of the next three; nothing else is locked inside it */
static pthread_mutex_t calling = PTHREAD_MUTEX_INITIALIZER; /* held while the function runs, which may compute */
static ash_trace_line *line_function;                       /* NULL: to the file */
static void *line_context;
static int file = -1;    /* not opened yet */
static atomic_int state; /* 0: ask the environment; 1: off; 2: on */
static atomic_bool by_program;
static _Thread_local bool inside; /* the program's function, which may compute */

/* ---- fork: a child begins with a lock that nobody has */

static void take(void)
{
    pthread_mutex_lock(&lock);
}
static void give(void)
{
    pthread_mutex_unlock(&lock);
}
/* Another thread may have been in the function, and is not in the child. */
static void give_in_child(void)
{
    static const pthread_mutex_t free_one = PTHREAD_MUTEX_INITIALIZER;
    memcpy(&calling, &free_one, sizeof calling);
    give();
}
static void guard_fork(void)
{
    pthread_atfork(take, give, give_in_child);
}

/* ---- on and off */

void ash_set_trace(bool on)
{
    atomic_store(&state, on ? 2 : 1);
    atomic_store(&by_program, true);
}

void ash_set_trace_function(ash_trace_line *function, void *context)
{
    if (!inside)
        pthread_mutex_lock(&calling);
    pthread_mutex_lock(&lock);
    line_function = function;
    line_context = context;
    pthread_mutex_unlock(&lock);
    if (!inside)
        pthread_mutex_unlock(&calling);
}

/* The word in the environment where it asks for a trace, else NULL. */
static const char *asked_for(void)
{
    const char *const word = getenv("ASHLAR_TRACE");
    return word && *word && strcmp(word, "0") != 0 && strcmp(word, "off") != 0 ? word : NULL;
}

bool ash__tracing(void)
{
    int now = atomic_load_explicit(&state, memory_order_relaxed);
    if (__builtin_expect(!now, 0)) {
        now = asked_for() ? 2 : 1;
        atomic_store(&state, now);
    }
    return now == 2;
}

const char *ash__trace_setting(bool *set)
{
    *set = atomic_load(&by_program);
    return !ash__tracing() ? "off" : line_function ? "a function" : asked_for() ? asked_for() : "on";
}

/* ---- where lines go */

/* The lock is held. stderr, unless the environment names a file. */
static int open_file(void)
{
    const char *const word = asked_for();
    if (!word || strcmp(word, "1") == 0 || strcmp(word, "on") == 0)
        return STDERR_FILENO;
    const int opened = open(word, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (opened < 0)
        dprintf(STDERR_FILENO, "ASHLAR_TRACE: %s: %s\n", word, strerror(errno));
    return opened < 0 ? STDERR_FILENO : opened;
}

/* The lock is held. One call writes a whole line, also beside other processes. */
static void write_line(const char *text, size_t length)
{
    if (file < 0)
        file = open_file();
    for (ssize_t n; length && ((n = write(file, text, length)) > 0 || errno == EINTR);) {
        text += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
}

/* ---- values */

/* Bytes of the UTF-8 character that begins here; 0: none does. */
static size_t character(const unsigned char *p)
{
    const size_t n = *p < 0x80                 ? 1
                     : *p >= 0xc2 && *p < 0xe0 ? 2
                     : *p >= 0xe0 && *p < 0xf0 ? 3
                     : *p >= 0xf0 && *p < 0xf5 ? 4
                                               : 0;
    for (size_t k = 1; k < n; k++)
        if ((p[k] & 0xc0) != 0x80)
            return 0;
    const bool too_long = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90);
    const bool none = (*p == 0xed && p[1] > 0x9f) || (*p == 0xf4 && p[1] > 0x8f);
    return too_long || none ? 0 : n;
}

void ash__trace_string(ash__trace *t, const char *value, size_t most)
{
    const unsigned char *p = (const unsigned char *)value, *const end = p + most;
    ash__put(&t->text, "\"");
    while (*p && p < end) {
        const size_t n = character(p);
        if (!n)
            ash__put(&t->text, "\\ufffd");
        else if (*p == '\n')
            ash__put(&t->text, "\\n");
        else if (*p < 0x20 || *p == 0x7f || *p == '"' || *p == '\\')
            ash__put(&t->text, "\\u%04x", *p);
        else
            ash__put_bytes(&t->text, (const char *)p, n);
        p += n ? n : 1;
    }
    ash__put(&t->text, *p ? " ...\"" : "\"");
}

void ash__trace_key(ash__trace *t, const char *key)
{
    ash__put(&t->text, ",\"%s\":", key);
}

void ash__trace_words(ash__trace *t, const char *key, const char *value)
{
    ash__trace_key(t, key);
    ash__trace_string(t, value, ASH__TRACE_WORDS);
}

void ash__trace_number(ash__trace *t, const char *key, int64_t value)
{
    ash__trace_key(t, key);
    ash__put(&t->text, "%lld", (long long)value);
}

void ash__trace_numbers(ash__trace *t, const char *key, const int64_t *value, int64_t count)
{
    ash__trace_key(t, key);
    ash__put(&t->text, "[");
    for (int64_t k = 0; k < count; k++)
        ash__put(&t->text, "%s%lld", k ? "," : "", (long long)value[k]);
    ash__put(&t->text, "]");
}

void ash__trace_flag(ash__trace *t, const char *key, bool value)
{
    ash__trace_key(t, key);
    ash__put(&t->text, value ? "true" : "false");
}

/* As locales write numbers in different ways, without a point. */
void ash__trace_time(ash__trace *t, double start)
{
    ash__trace_number(t, "us", (int64_t)((ash__trace_clock() - start) * 1e6 + 0.5));
}

double ash__trace_clock(void)
{
    struct timespec now;
    if (!ash__tracing())
        return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- a line */

static int thread_number(void)
{
    static atomic_int threads;
    static _Thread_local int own;
    if (!own)
        own = atomic_fetch_add(&threads, 1) + 1;
    return own;
}

void ash__trace_begin(ash__trace *t, const char *event, const char *function, const ash_device *device)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    t->text = (ash__text){t->line, sizeof t->line, 0};
    ash__put(&t->text, "{\"time\":%lld.%06ld,\"thread\":%d,\"event\":\"%s\"", (long long)now.tv_sec, now.tv_nsec / 1000,
             thread_number(), event);
    if (function) {
        ash__trace_key(t, "function");
        ash__trace_string(t, function, ASH__TRACE_NAME);
    }
    if (device)
        ash__trace_words(t, "device", device->name);
}

/* The program's function, if there is one. */
static bool call_function(const ash__trace *t)
{
    pthread_mutex_lock(&lock);
    const bool there = line_function;
    pthread_mutex_unlock(&lock);
    if (!there)
        return false;
    pthread_mutex_lock(&calling);
    pthread_mutex_lock(&lock);
    ash_trace_line *const function = line_function;
    void *const context = line_context;
    pthread_mutex_unlock(&lock);
    inside = true;
    if (function)
        function(context, t->line, t->text.length);
    inside = false;
    pthread_mutex_unlock(&calling);
    return function;
}

void ash__trace_end(ash__trace *t)
{
    ash__put(&t->text, "}\n");
    if (inside || t->text.length >= sizeof t->line) /* never: what is put has bounds */
        return;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, guard_fork);
    if (!call_function(t)) {
        pthread_mutex_lock(&lock);
        write_line(t->line, t->text.length);
        pthread_mutex_unlock(&lock);
    }
}

void ash__trace_copy(const char *function, const ash_device *device, size_t nbytes, bool to_host, double start)
{
    ash__trace t;
    ash__trace_begin(&t, "copy", function, device);
    ash__trace_words(&t, "to", to_host ? "host" : "device");
    ash__trace_number(&t, "bytes", (int64_t)nbytes);
    ash__trace_flag(&t, "asked", ash__is_asked());
    ash__trace_time(&t, start);
    ash__trace_end(&t);
}

void ash__trace_wait(const char *function, const ash_device *device, double start)
{
    ash__trace t;
    ash__trace_begin(&t, "wait", function, device);
    ash__trace_flag(&t, "asked", ash__is_asked());
    ash__trace_time(&t, start);
    ash__trace_end(&t);
}

void ash__trace_event(const char *event, const char *function, const ash_device *device, const char *key, const char *words)
{
    ash__trace t;
    ash__trace_begin(&t, event, function, device);
    ash__trace_words(&t, key, words);
    ash__trace_end(&t);
}
