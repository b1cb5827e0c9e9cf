/*
 * feed.h - strided and broadcast elements as dense memory, and back.
 *
 * A path numbers the elements of an iteration space 0, 1, 2... in the order of its axes, slowest first. Axes that are
 * contiguous together are merged for each operand on its own, for that keeps the numbers: a dense operand is one axis
 * whatever the rank, a scalar none, a row repeated two, the outer one with stride 0.
 */
#ifndef ASH__FEED_H
#define ASH__FEED_H
#include "backend/cpu/kernels.h"

typedef struct ash__path {
    char *origin; /* element 0 */
    int64_t rank;
    int64_t *size, *stride, *index; /* rank of each; strides in bytes; index: where the last visit ended */
    int64_t next;                   /* the element that index stands at; -1: nowhere */
    int log;                        /* an element has 1 << log bytes, log <= 4 */
    const ash__layout_table *layout;
} ash__path;

/* Takes `rank` axes of the given sizes; stride(k) of axis[k]. memory: 3 * (rank + 1) numbers for size, stride, index. */
void ash__path_set(ash__path *p, char *origin, int log, const ash__layout_table *layout, const int64_t *shape,
                   const int64_t *stride, const int64_t *axis, int64_t rank, int64_t *memory);
/* One address if elements first .. first + n - 1 lie densely in order, else NULL. */
char *ash__path_dense(const ash__path *p, int64_t first, int64_t n);
void ash__path_load(ash__path *p, int64_t first, int64_t n, void *dense);
void ash__path_store(ash__path *p, int64_t first, int64_t n, const void *dense);
/* Is it one run of elements step bytes apart (0: a single element again and again)? */
static inline bool ash__path_is_run(const ash__path *p, int64_t *step)
{
    *step = p->rank ? p->stride[0] : 0;
    return p->rank <= 1;
}

typedef enum ash__feed_kind {
    ASH__FEED_PATH,    /* element by element, or run by run */
    ASH__FEED_EXPAND,  /* the innermost axis repeats an element: the path walks the others */
    ASH__FEED_PATTERN, /* the outermost axis repeats a short sequence, which is written out once, long enough for any block */
    ASH__FEED_WINDOW   /* the innermost axes are transposed: some rows at a time are turned into a window */
} ash__feed_kind;

typedef struct ash__feed {
    ash__path path;
    char *start; /* element 0 before ash__feed_base */
    ash__feed_kind kind;
    bool aligned;      /* elements may be read where they lie */
    bool ready;        /* PATTERN: written */
    int64_t repeat;    /* EXPAND; PATTERN: its period; WINDOW: rows of a window */
    int64_t limit;     /* most elements asked for at once */
    int64_t low, high; /* WINDOW: the elements it holds */
    size_t nbytes;     /* memory it needs */
    char *memory;
} ash__feed;

/* Chooses how. limit: most elements asked for at once; count: all elements; budget: bytes that windows may still take, less
 * what this one takes. Afterwards feed->nbytes of memory, 64-byte aligned, are to be set as feed->memory. */
void ash__feed_set(ash__feed *f, bool aligned, int64_t limit, int64_t count, size_t *budget);
/* Elements first .. first + n - 1: where they lie, or in the feed's memory, or written to `dense`. */
const void *ash__feed_get(ash__feed *f, int64_t first, int64_t n, void *dense);
void ash__feed_base(ash__feed *f, int64_t offset);
#endif
