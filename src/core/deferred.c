/*
 * deferred.c - the queue behind ash_deferred: contexts of foreign memory that no array needs any more, for runtimes that
 * cannot be called from threads they do not know.
 *
 * Invariant: room >= queued + outstanding, the wrapped buffers that may still be added.
 */
#include "core/deferred.h"

#include <pthread.h>

#include "ashlar/array.h"
#include "core/alloc.h"
#include "core/error.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void **queue;
static int64_t queued, outstanding, room;

bool ash__deferred_reserve(const char *function)
{
    pthread_mutex_lock(&lock);
    bool fine = queued + outstanding < room;
    if (!fine) {
        const int64_t more = 2 * room + 16;
        void **longer = ash__realloc(function, queue, more, sizeof *longer);
        if (longer) {
            queue = longer;
            room = more;
            fine = true;
        }
    }
    outstanding += fine;
    pthread_mutex_unlock(&lock);
    return fine;
}

void ash__deferred_add(void *context)
{
    pthread_mutex_lock(&lock);
    outstanding--;
    queue[queued++] = context;
    pthread_mutex_unlock(&lock);
}

void ash__deferred_cancel(void)
{
    pthread_mutex_lock(&lock);
    outstanding--;
    pthread_mutex_unlock(&lock);
}

int64_t ash_deferred(void **contexts, int64_t count)
{
    if (!contexts) {
        ash__null("ash_deferred", "contexts");
        return 0;
    }
    pthread_mutex_lock(&lock);
    int64_t n = 0;
    while (n < count && queued)
        contexts[n++] = queue[--queued];
    if (!queued && !outstanding) {
        ash__free(queue);
        queue = NULL;
        room = 0;
    }
    pthread_mutex_unlock(&lock);
    return n;
}
