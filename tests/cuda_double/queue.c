/*
 * queue.c - runs what is queued: only what a wait needs, or with a seed other streams' commands in between as well.
 *
 * The default stream of old waits for all others that are not non-blocking, and they for it.
 */
#include "queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "run.h"
#include "settings.h"

static stream *streams;
static u64 random_state;
static _Thread_local bool calling;

bool queue_calling(void)
{
    return calling;
}

static u64 drawn(void)
{
    if (!random_state)
        random_state = setting()->seed * 0x9E3779B97F4A7C15u | 1;
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545F4914F6CDD1Du;
}

stream *stream_new(context *c, bool non_blocking)
{
    stream *const s = calloc(1, sizeof *s);
    if (!s)
        abort();
    *s = (stream){.context = c, .non_blocking = non_blocking, .alive = true, .next = streams};
    streams = s;
    return s;
}

bool stream_known(const stream *which)
{
    for (const stream *s = streams; s; s = s->next)
        if (s == which)
            return s->alive;
    return false;
}

command *command_new(action what)
{
    command *const c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->what = what;
    return c;
}

void command_wait(command *c, point p)
{
    if (point_reached(p))
        return;
    if (c->waits == c->wait_room) {
        c->wait_room = c->wait_room ? 2 * c->wait_room : 4;
        c->wait = realloc(c->wait, c->wait_room * sizeof *c->wait);
        if (!c->wait)
            abort();
    }
    c->wait[c->waits++] = p;
}

bool point_reached(point p)
{
    return !p.stream || p.stream->done >= p.number;
}

static void wait_for_blocking(stream *s, command *c)
{
    const bool legacy = s == s->context->legacy;
    if (s->non_blocking)
        return;
    for (stream *other = streams; other; other = other->next)
        if (other != s && other->context == s->context && !other->non_blocking && (legacy || other == s->context->legacy))
            command_wait(c, (point){other, other->given});
}

static bool host_may_use_managed(void) /* while kernels run */
{
    int concurrent = 1;
    setting_attribute(89, &concurrent);
    return concurrent;
}

point queue_add(stream *s, command *c)
{
    wait_for_blocking(s, c);
    if (c->what == DO_LAUNCH && s->context->launches++ == 0 && !host_may_use_managed())
        memory_close(s->context, true);
    c->number = ++s->given;
    if (s->last)
        s->last->next = c;
    else
        s->first = c;
    s->last = c;
    return (point){s, c->number};
}

void stream_wait(stream *s, point p)
{
    command *const c = command_new(DO_NOTHING);
    command_wait(c, p);
    queue_add(s, c);
}

/* ---- doing */

static void free_launch(struct launch *l)
{
    free(l->parameters);
    free(l);
}

static void do_launch(const stream *s, launch *l)
{
    const int failure = setting_failure("launch");
    if (setting()->seed)
        l->random = drawn() | 1;
    l->changes = memory_changes();
    if (failure) {
        s->context->error = failure;
        report("kernel %s fails, as is wanted: error %d", l->kernel->name, failure);
        return;
    }
    const clock_t start = clock();
    launch_run(l);
    if (setting()->trace)
        fprintf(stderr,
                "cuda double: stream %p: %s <<<(%u, %u, %u), (%u, %u, %u)>>> %llu instructions, %llu of lanes, %.1f ms\n",
                (void *)s, l->kernel->name, l->grid[0], l->grid[1], l->grid[2], l->size[0], l->size[1], l->size[2],
                (unsigned long long)l->steps, (unsigned long long)l->lanes, 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC);
    if (!l->error)
        return;
    s->context->error = l->error;
    report("%s", l->words);
}

/* The bytes for the interpreter; NULL with a report where they are not. */
static u8 *bytes_at(u64 address, u64 nbytes)
{
    char words[256];
    range *const r = memory_find(address);
    if (r && !r->pending && address + nbytes <= r->address + r->nbytes)
        return r->host + (address - r->address);
    if (r || memory_is_device(address)) {
        report("a copy or fill of %llu bytes at %#llx when it is done: %s", (unsigned long long)nbytes,
               (unsigned long long)address, memory_words(address, nbytes, words, sizeof words));
        return NULL;
    }
    return (u8 *)(uintptr_t)address; /* pageable memory of the host */
}

static void do_copy(const stream *s, const command *c)
{
    u8 *const to = bytes_at(c->to, c->nbytes), *const from = c->staged ? c->staged : bytes_at(c->from, c->nbytes);
    if (setting()->trace)
        fprintf(stderr, "cuda double: stream %p: %llu bytes from %#llx to %#llx\n", (void *)s, (unsigned long long)c->nbytes,
                (unsigned long long)c->from, (unsigned long long)c->to);
    if (to && from)
        memmove(to, from, c->nbytes);
    else
        s->context->error = ILLEGAL_ADDRESS;
}

static void do_fill(context *of, const command *c)
{
    u8 *const to = bytes_at(c->to, c->nbytes);
    if (!to)
        of->error = ILLEGAL_ADDRESS;
    for (u64 k = 0; to && k < c->nbytes; k += c->width)
        memcpy(to + k, &c->pattern, c->width);
}

static void do_call(stream *s, const command *c)
{
    s->busy = true;
    driver_unlock();
    calling = true;
    c->call(c->data);
    calling = false;
    driver_lock();
    s->busy = false;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void do_command(stream *s, command *c)
{
    range *const r = c->what == DO_TAKE || c->what == DO_GIVE ? memory_find(c->to) : NULL;
    switch (c->what) {
    case DO_LAUNCH:
        if (!s->context->error)
            do_launch(s, c->launch);
        free_launch(c->launch);
        if (--s->context->launches == 0)
            memory_close(s->context, false);
        break;
    case DO_COPY:
        if (!s->context->error)
            do_copy(s, c);
        break;
    case DO_FILL:
        if (!s->context->error)
            do_fill(s->context, c);
        break;
    case DO_CALL:
        do_call(s, c);
        break;
    case DO_TAKE:
        if (r)
            r->pending = false;
        break;
    case DO_GIVE:
        if (r)
            memory_give(c->to);
        break;
    case DO_TIME:
        *c->time = seconds();
        break;
    case DO_NOTHING:
        break;
    }
}

static bool ready(const stream *s)
{
    if (!s->first || s->busy)
        return false;
    for (u32 k = 0; k < s->first->waits; k++)
        if (!point_reached(s->first->wait[k]))
            return false;
    return true;
}

static void do_first(stream *s)
{
    command *const c = s->first;
    do_command(s, c);
    s->first = c->next;
    if (!s->first)
        s->last = NULL;
    s->done = c->number;
    free(c->wait);
    free(c->staged);
    free(c);
}

/* With a seed, now and then a command that nobody waits for yet. */
static void do_another(void)
{
    u32 count = 0;
    for (stream *s = streams; s; s = s->next)
        count += ready(s);
    if (!count)
        return;
    u64 chosen = drawn() % count;
    for (stream *s = streams; s; s = s->next)
        if (ready(s) && chosen-- == 0) {
            do_first(s);
            return;
        }
}

static void let_others(void) /* a function of the host runs on another thread */
{
    const struct timespec little = {0, 100000};
    driver_unlock();
    nanosleep(&little, NULL);
    driver_lock();
}

void queue_run_to(point p)
{
    while (!point_reached(p)) {
        stream *const s = p.stream;
        if (setting()->seed && drawn() >> 62)
            do_another();
        if (point_reached(p))
            return;
        if (s->busy) {
            let_others();
            continue;
        }
        for (u32 k = 0; s->first && k < s->first->waits; k++)
            queue_run_to(s->first->wait[k]);
        if (ready(s))
            do_first(s);
    }
}

void queue_run_all(context *c)
{
    for (stream *s = streams; s; s = s->next)
        if (s->context == c)
            queue_run_to((point){s, s->given});
}

void queue_poll(point p)
{
    if (setting()->seed && drawn() >> 63)
        do_another();
    else
        queue_run_to(p);
}
