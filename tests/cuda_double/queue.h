/*
 * queue.h - streams: what is queued is done when somebody waits for it, and in an order that the streams alone decide.
 *
 * A point is a place in a stream: behind so many of its commands. An event is one, and so is what a command waits for.
 */
#ifndef DOUBLE_QUEUE_H
#define DOUBLE_QUEUE_H
#include "memory.h"
#include "program.h"

typedef struct context {
    int device;
    bool primary, alive;
    int held;     /* how often a primary one is retained */
    int error;    /* sticky */
    u32 launches; /* that are queued */
    struct stream *legacy, *per_thread;
} context;

typedef struct stream {
    context *context;
    struct command *first, *last;
    u64 given, done; /* commands */
    bool non_blocking, alive, busy;
    unsigned flags;
    struct stream *next; /* all that ever were */
} stream;

typedef struct point {
    stream *stream; /* NULL: of no stream: it is reached */
    u64 number;
} point;

typedef enum { DO_LAUNCH, DO_COPY, DO_FILL, DO_NOTHING, DO_CALL, DO_TAKE, DO_GIVE, DO_TIME } action;

enum { WAITS = 8 };
typedef struct command {
    action what;
    struct command *next;
    u64 number;
    point *wait;
    u32 waits, wait_room;
    struct launch *launch;
    const struct kernel *kernel;
    u64 to, from, nbytes; /* of copies; addresses of the host where they are no device's */
    void *staged;         /* bytes of the host that were taken at the call */
    u32 pattern, width;   /* of a fill */
    void (*call)(void *);
    void *data;
    double *time;
} command;

stream *stream_new(context *c, bool non_blocking);
bool stream_known(const stream *s);
/* Queues a command, which becomes the queue's. */
point queue_add(stream *s, command *c);
command *command_new(action what);
void command_wait(command *c, point p);
void stream_wait(stream *s, point p); /* what is queued from now on */
bool point_reached(point p);
void queue_run_to(point p);
void queue_run_all(context *c);
void queue_poll(point p); /* some of it */
bool queue_calling(void); /* a function of the host that was queued runs on this thread */
/* The driver's lock is given up while such a function runs. */
void driver_lock(void);
void driver_unlock(void);
#endif
