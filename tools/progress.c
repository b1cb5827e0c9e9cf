/*
 * progress.c - what is going on, on stderr, for a person who waits.
 *
 * A thread of its own writes the line twice a second, from the second second on: reading a file or mapping an array is one
 * call of the library, which nothing could interrupt to report. When stderr is no terminal there is neither thread nor line.
 */
#include "tool.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static char phase[200];
static bool running, shown;

static void *show(void *unused)
{
    (void)unused;
    struct timespec start, next;
    clock_gettime(CLOCK_REALTIME, &start);
    next = start;
    next.tv_sec += 1;
    pthread_mutex_lock(&lock);
    while (running) {
        if (pthread_cond_timedwait(&ended, &lock, &next) == 0)
            continue;
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        fprintf(stderr, "\r\033[K%s ... %lld s", phase, (long long)(now.tv_sec - start.tv_sec));
        fflush(stderr);
        shown = true;
        next = now;
        next.tv_nsec += 500000000;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void tool_progress(const char *format, ...)
{
    if (!isatty(STDERR_FILENO))
        return;
    va_list list;
    va_start(list, format);
    pthread_mutex_lock(&lock);
    vsnprintf(phase, sizeof phase, format, list);
    if (!running)
        running = pthread_create(&thread, NULL, show, NULL) == 0;
    pthread_mutex_unlock(&lock);
    va_end(list);
}

void tool_progress_end(void)
{
    pthread_mutex_lock(&lock);
    const bool was = running;
    running = false;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    if (was)
        pthread_join(thread, NULL);
    if (shown)
        fputs("\r\033[K", stderr);
    shown = false;
}
