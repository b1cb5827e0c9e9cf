/*
 * driver_stream.c - exported entries: streams, events, functions of the host.
 */
#include "driver.h"

typedef struct event {
    point at;
    double time;
    int asked;
    bool recorded, timing;
    context *context;
} event;

stream *stream_of(void *handle)
{
    stream *const s = (uintptr_t)handle <= 1 ? current()->legacy : (uintptr_t)handle == 2 ? current()->per_thread : handle;
    if ((uintptr_t)handle <= 2)
        return s;
    if (!stream_known(s) || !handle_known(A_STREAM, s)) {
        report("%p is no stream, or one that was destroyed", handle);
        return NULL;
    }
    return s;
}

EXPORT result cuStreamCreateWithPriority(stream **s, unsigned flags, int priority)
{
    BEGIN(WANTS_LIVE);
    (void)priority;
    *s = stream_new(current(), flags & 1);
    (*s)->flags = flags;
    handle_add(A_STREAM, *s, current());
    END(CUDA_SUCCESS);
}

EXPORT result cuStreamCreate(stream **s, unsigned flags)
{
    BEGIN(WANTS_LIVE);
    *s = stream_new(current(), flags & 1);
    (*s)->flags = flags;
    handle_add(A_STREAM, *s, current());
    END(CUDA_SUCCESS);
}

/* What is queued is done still, and nobody waits for it. */
EXPORT result cuStreamDestroy_v2(void *handle)
{
    BEGIN(WANTS_CONTEXT);
    stream *const s = stream_of(handle);
    if (!s || (uintptr_t)handle <= 2)
        END(CUDA_ERROR_INVALID_HANDLE);
    queue_run_to((point){s, s->given});
    s->alive = false;
    handle_remove(A_STREAM, s);
    END(CUDA_SUCCESS);
}

EXPORT result cuStreamSynchronize(void *handle)
{
    BEGIN(WANTS_LIVE);
    stream *const s = stream_of(handle);
    if (!s)
        END(CUDA_ERROR_INVALID_HANDLE);
    queue_run_to((point){s, s->given});
    END((result)s->context->error);
}

EXPORT result cuStreamQuery(void *handle)
{
    BEGIN(WANTS_LIVE);
    stream *const s = stream_of(handle);
    if (!s)
        END(CUDA_ERROR_INVALID_HANDLE);
    const bool reached = point_reached((point){s, s->given});
    if (!reached)
        queue_poll((point){s, s->done + 1});
    END(s->context->error ? (result)s->context->error : reached ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

EXPORT result cuStreamGetCtx(void *handle, context **c)
{
    BEGIN(WANTS_CONTEXT);
    stream *const s = stream_of(handle);
    if (s)
        *c = s->context;
    END(s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

EXPORT result cuStreamGetFlags(void *handle, unsigned *flags)
{
    BEGIN(WANTS_CONTEXT);
    stream *const s = stream_of(handle);
    if (s)
        *flags = s->flags;
    END(s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

EXPORT result cuStreamIsCapturing(void *handle, int *status)
{
    BEGIN(WANTS_CONTEXT);
    *status = 0;
    END(stream_of(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

static bool is_event(const event *e)
{
    if (handle_known(AN_EVENT, e))
        return true;
    report("%p is no event, or one that was destroyed", (const void *)e);
    return false;
}

EXPORT result cuStreamWaitEvent(void *handle, event *e, unsigned flags)
{
    BEGIN(WANTS_LIVE);
    stream *const s = stream_of(handle);
    (void)flags;
    if (!s || !is_event(e))
        END(CUDA_ERROR_INVALID_HANDLE);
    stream_wait(s, e->at);
    END(CUDA_SUCCESS);
}

EXPORT result cuEventCreate(event **e, unsigned flags)
{
    BEGIN(WANTS_LIVE);
    if (!(*e = calloc(1, sizeof **e)))
        abort();
    (*e)->timing = !(flags & 2);
    (*e)->context = current();
    handle_add(AN_EVENT, *e, current());
    END(CUDA_SUCCESS);
}

EXPORT result cuEventDestroy_v2(event *e)
{
    BEGIN(WANTS_CONTEXT);
    if (!is_event(e))
        END(CUDA_ERROR_INVALID_HANDLE);
    if (e->timing) /* its command writes the time */
        queue_run_to(e->at);
    handle_remove(AN_EVENT, e);
    free(e);
    END(CUDA_SUCCESS);
}

EXPORT result cuEventRecord(event *e, void *handle)
{
    BEGIN(WANTS_LIVE);
    stream *const s = stream_of(handle);
    if (!s || !is_event(e))
        END(CUDA_ERROR_INVALID_HANDLE);
    command *const c = command_new(e->timing ? DO_TIME : DO_NOTHING);
    c->time = &e->time;
    e->at = queue_add(s, c);
    e->recorded = true;
    e->asked = 0;
    END(CUDA_SUCCESS);
}

EXPORT result cuEventRecordWithFlags(event *e, void *handle, unsigned flags)
{
    (void)flags;
    return cuEventRecord(e, handle);
}

EXPORT result cuEventQuery(event *e)
{
    BEGIN(WANTS_LIVE);
    if (!is_event(e))
        END(CUDA_ERROR_INVALID_HANDLE);
    if (point_reached(e->at))
        END((result)e->context->error);
    if (e->asked++ < setting()->not_ready)
        END(CUDA_ERROR_NOT_READY);
    queue_poll(e->at);
    END(e->context->error ? (result)e->context->error : point_reached(e->at) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

EXPORT result cuEventSynchronize(event *e)
{
    BEGIN(WANTS_LIVE);
    if (!is_event(e))
        END(CUDA_ERROR_INVALID_HANDLE);
    queue_run_to(e->at);
    END((result)e->context->error);
}

EXPORT result cuEventElapsedTime(float *milliseconds, event *from, event *to)
{
    BEGIN(WANTS_LIVE);
    if (!is_event(from) || !is_event(to))
        END(CUDA_ERROR_INVALID_HANDLE);
    if (!from->timing || !to->timing || !from->recorded || !to->recorded)
        END(misuse(__func__, CUDA_ERROR_INVALID_HANDLE, "events without times, or not recorded"));
    if (!point_reached(from->at) || !point_reached(to->at))
        END(CUDA_ERROR_NOT_READY);
    *milliseconds = (float)(1e3 * (to->time - from->time));
    END(CUDA_SUCCESS);
}

EXPORT result cuLaunchHostFunc(void *handle, void (*call)(void *), void *data)
{
    BEGIN(WANTS_LIVE);
    stream *const s = stream_of(handle);
    if (!s)
        END(CUDA_ERROR_INVALID_HANDLE);
    command *const c = command_new(DO_CALL);
    c->call = call;
    c->data = data;
    queue_add(s, c);
    END(CUDA_SUCCESS);
}
