/*
 * cufft.c - Fourier transforms by cuFFT, opened at run time where it is installed (theirs.h).
 *
 * A device keeps plans, used under its lock: the newest take the places of the oldest. They have no memory of their own to work
 * in; it is given to each transform. Where cuFFT makes no plan, our kernels do it, unless it must be theirs.
 */
#include <string.h>

#include "backend/cuda/cuda.h"
#include "backend/cuda/theirs.h"
#include "backend/fourier.h"
#include "core/settings.h"

/* X(name, parameters); all return a status, 0 for success */
#define CUFFT_FUNCTIONS(X)                                                                                                   \
    X(cufftCreate, (int *plan))                                                                                              \
    X(cufftDestroy, (int plan))                                                                                              \
    X(cufftSetAutoAllocation, (int plan, int yes))                                                                           \
    X(cufftMakePlanMany64,                                                                                                   \
      (int plan, int rank, long long *n, long long *from_room, long long from_step, long long from_each, long long *to_room, \
       long long to_step, long long to_each, int type, long long count, size_t *nbytes))                                     \
    X(cufftSetWorkArea, (int plan, void *work))                                                                              \
    X(cufftSetStream, (int plan, void *stream))                                                                              \
    X(cufftExecC2C, (int plan, void *from, void *to, int direction))                                                         \
    X(cufftExecZ2Z, (int plan, void *from, void *to, int direction))                                                         \
    X(cufftExecR2C, (int plan, void *from, void *to))                                                                        \
    X(cufftExecD2Z, (int plan, void *from, void *to))                                                                        \
    X(cufftExecC2R, (int plan, void *from, void *to))                                                                        \
    X(cufftExecZ2D, (int plan, void *from, void *to))

/* Of cufft.h of CUDA 11 to 13. */
enum { C2C = 0x29, R2C = 0x2a, C2R = 0x2c, WIDE = 0x40 }; /* the type of f64 is that of f32 with WIDE */
enum { FORWARD = -1, INVERSE = 1 };

enum {
    LEAST = 1 << 12,      /* numbers in all that pay, */
    CALLS = 4,            /* in so many calls at most, */
    MOST_BYTES = 1 << 30, /* with no more memory to work in than this */
    PLANS = 16
};

typedef struct cufft_library {
#define CUFFT_MEMBER(NAME, PARAMETERS) int(*NAME) PARAMETERS;
    CUFFT_FUNCTIONS(CUFFT_MEMBER)
#undef CUFFT_MEMBER
} cufft_library;
static cufft_library cufft;

static const char *name_of(int status)
{
    static const char *const names[] = {
        NULL,
        "CUFFT_INVALID_PLAN",
        "CUFFT_ALLOC_FAILED",
        "CUFFT_INVALID_TYPE",
        "CUFFT_INVALID_VALUE",
        "CUFFT_INTERNAL_ERROR",
        "CUFFT_EXEC_FAILED",
        "CUFFT_SETUP_FAILED",
        "CUFFT_INVALID_SIZE",
        "CUFFT_UNALIGNED_DATA",
        [11] = "CUFFT_INVALID_DEVICE",
        [13] = "CUFFT_NO_WORKSPACE",
        [14] = "CUFFT_NOT_IMPLEMENTED",
        [16] = "CUFFT_NOT_SUPPORTED",
        "CUFFT_MISSING_DEPENDENCY",
        "CUFFT_NVRTC_FAILURE",
        "CUFFT_NVJITLINK_FAILURE",
    };
    return status < 0 || status >= (int)(sizeof names / sizeof names[0]) ? NULL : names[status];
}

static const ash__cu_place functions[] = {
#define CUFFT_FUNCTION(NAME, PARAMETERS) {#NAME, offsetof(cufft_library, NAME)},
    CUFFT_FUNCTIONS(CUFFT_FUNCTION)
#undef CUFFT_FUNCTION
};
static ash__theirs library = {.name = "cuFFT",
                              .package = "nvidia-cufft",
                              .has_no = "such transform: it wants steps forward by whole numbers, from addresses that complex "
                                        "ones have",
                              .stem = "libcufft.so.",
                              .version = {10, 11, 12},
                              .variable = "ASHLAR_CUFFT_LIBRARY",
                              .setting = ash__cufft_setting,
                              .functions = functions,
                              .count = sizeof functions / sizeof functions[0],
                              .table = &cufft,
                              .status_name = name_of,
                              .no_memory = 2,
                              .lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- plans */

/* Compared as bytes: no holes. */
typedef struct key {
    int64_t type, n, count, from_step, from_each, to_step, to_each;
} key;
typedef struct plan {
    key key;
    int number, failed; /* failed: the status, and there is no plan */
    const char *called; /* what did */
    size_t nbytes;      /* of working memory */
} plan;
static plan plans[ASH__THEIRS_DEVICES][PLANS];
static int next[ASH__THEIRS_DEVICES];

static key key_of(const ash__dft *t)
{
    const int type = t->kind == ASH__FOURIER_REAL ? R2C : t->kind == ASH__FOURIER_HALF ? C2R : C2C;
    return (key){.type = type + (t->wide ? WIDE : 0),
                 .n = t->n,
                 .count = t->count,
                 .from_step = t->from.step,
                 .from_each = t->from.each,
                 .to_step = t->to.step,
                 .to_each = t->to.each};
}

/* A plan for p->key. */
static void make(plan *p)
{
    const key *const k = &p->key;
    long long n = k->n, half = n / 2 + 1, room[2] = {n, n}; /* of one transform, in and out */
    if (k->type == R2C || k->type == R2C + WIDE)
        room[1] = half;
    if (k->type == C2R || k->type == C2R + WIDE)
        room[0] = half;
    p->called = "cufftCreate";
    if ((p->failed = cufft.cufftCreate(&p->number)))
        return;
    p->called = "cufftSetAutoAllocation";
    if ((p->failed = cufft.cufftSetAutoAllocation(p->number, 0)) == 0) {
        p->called = "cufftMakePlanMany64";
        p->failed = cufft.cufftMakePlanMany64(p->number, 1, &n, &room[0], k->from_step, k->from_each, &room[1], k->to_step,
                                              k->to_each, (int)k->type, k->count, &p->nbytes);
    }
    if (p->failed)
        cufft.cufftDestroy(p->number);
}

/* The plan for t; where there was none that failed, or it must be, it is made. In the device's context. */
static plan *plan_of(const ash__cu_device *d, const ash__dft *t, bool must)
{
    const key wanted = key_of(t);
    plan *p = NULL;
    for (int k = 0; k < PLANS && !p; k++)
        if (memcmp(&plans[d->number][k].key, &wanted, sizeof wanted) == 0)
            p = &plans[d->number][k];
    if (p && (!p->failed || !must))
        return p;
    if (!p) {
        p = &plans[d->number][next[d->number]];
        next[d->number] = (next[d->number] + 1) % PLANS;
        if (p->key.n && !p->failed && !ash__cu.cuCtxSynchronize()) /* transforms under way use its tables */
            cufft.cufftDestroy(p->number);
    }
    *p = (plan){.key = wanted};
    make(p);
    return p;
}

/* ---- transforms */

static uint64_t address_of(const ash__dft_side *side)
{
    const ash__cu_memory *const memory = side->memory;
    return memory ? memory->pointer + (uint64_t)side->start : 0;
}

/* cuFFT wants real numbers too at addresses of complex ones. */
static bool fits(const ash__dft *t)
{
    const uint64_t size = t->wide ? 16 : 8;
    return t->n > 1 && t->from.step > 0 && t->from.each > 0 && t->to.step > 0 && t->to.each > 0 &&
           address_of(&t->from) % size == 0 && address_of(&t->to) % size == 0;
}

static bool pays(const ash__dft *t)
{
    return t->calls <= CALLS && t->count >= (LEAST + t->n - 1) / t->n;
}

typedef struct question {
    const ash__dft *what;
    size_t *nbytes;
} question;

static int ask(ash__cu_queue *q, const void *what, const char **called)
{
    const question *const of = what;
    const plan *const p = plan_of(q->device, of->what, ash__cuda_libraries_setting() == ASH__WHOSE_THEIRS);
    *called = p->called;
    *of->nbytes = p->nbytes ? p->nbytes : 1;
    return p->failed;
}

bool ash__cu_dft_room(const char *function, void *queue, const ash__dft *t, size_t *nbytes, ash_status *status)
{
    const bool can = t && fits(t);
    if (!ash__theirs_takes(function, &library, queue, can, can && pays(t), status))
        return false;
    if (*status || !ash__theirs_ask(function, &library, queue, ask, &(question){t, nbytes}, status))
        return *status;
    return *status || ash__cuda_libraries_setting() == ASH__WHOSE_THEIRS || (int64_t)*nbytes + t->copied <= MOST_BYTES;
}

static int execute(const plan *p, const ash__dft *t, void *from, void *to, const char **called)
{
    const int direction = t->backward ? INVERSE : FORWARD;
    switch (p->key.type) {
    case C2C:
        *called = "cufftExecC2C";
        return cufft.cufftExecC2C(p->number, from, to, direction);
    case C2C + WIDE:
        *called = "cufftExecZ2Z";
        return cufft.cufftExecZ2Z(p->number, from, to, direction);
    case R2C:
        *called = "cufftExecR2C";
        return cufft.cufftExecR2C(p->number, from, to);
    case R2C + WIDE:
        *called = "cufftExecD2Z";
        return cufft.cufftExecD2Z(p->number, from, to);
    case C2R:
        *called = "cufftExecC2R";
        return cufft.cufftExecC2R(p->number, from, to);
    default:
        *called = "cufftExecZ2D";
        return cufft.cufftExecZ2D(p->number, from, to);
    }
}

static int transform(ash__cu_queue *q, const void *what, const char **called)
{
    const ash__dft *const t = what;
    const plan *const p = plan_of(q->device, t, true); /* it may have lost its place meanwhile */
    const ash__cu_memory *const work = t->work;
    *called = p->called;
    if (p->failed)
        return p->failed;
    int status;
    *called = "cufftSetStream";
    if ((status = cufft.cufftSetStream(p->number, q->stream)))
        return status;
    *called = "cufftSetWorkArea";
    if ((status = cufft.cufftSetWorkArea(p->number, (void *)(uintptr_t)work->pointer)))
        return status;
    return execute(p, t, ash__theirs_reach(q, t->from.memory, t->from.start), ash__theirs_reach(q, t->to.memory, t->to.start),
                   called);
}

ash_status ash__cu_dft(const char *function, void *queue, const ash__dft *t, void **event)
{
    ash_status status;
    ash__theirs_run(function, &library, queue, transform, t, true, event, &status);
    return status;
}
