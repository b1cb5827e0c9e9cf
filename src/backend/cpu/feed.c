/*
 * feed.c - strided and broadcast elements as dense memory, and back.
 *
 * What is dense is used where it lies. Else, in this order: an element repeated along the innermost axis is expanded, a
 * short sequence repeated by the outermost axis is written out once, so that any block of it is one address, a transposed
 * plane is turned a few rows at a time through register tiles, and all the rest is walked run by run.
 */
#include "backend/cpu/feed.h"

enum {
    SHORT_RUN = 16,            /* elements; below it runs go through one loop over two axes */
    PATTERN_LIMIT = 4096,      /* elements of a sequence worth writing out: with a block of 1024 it stays in L1 or close */
    WINDOW_BYTES = 256 * 1024, /* a quarter of an L2: the lines being turned need room as well */
    WINDOW_ROWS = 64,
    TILE_ROWS = 16 /* the least: one cache line of f32 */
};

/* ---- paths */

void ash__path_set(ash__path *p, char *origin, int log, const ash__layout_table *layout, const int64_t *shape,
                   const int64_t *stride, const int64_t *axis, int64_t rank, int64_t *memory)
{
    int64_t r = 0;
    *p = (ash__path){.origin = origin, .log = log, .layout = layout, .next = -1};
    p->size = memory;
    p->stride = memory + rank + 1;
    p->index = memory + 2 * (rank + 1);
    for (int64_t k = 0; k < rank; k++) {
        const int64_t size = shape[axis[k]], step = stride ? stride[axis[k]] : 0;
        if (size == 1)
            continue;
        if (r && p->stride[r - 1] == step * size) {
            p->size[r - 1] *= size;
            p->stride[r - 1] = step;
        } else {
            p->size[r] = size;
            p->stride[r++] = step;
        }
    }
    if (r == 1 && p->stride[0] == 0)
        r = 0;
    p->rank = r;
}

/* Puts the indices at element `first` and returns its address. */
static char *seek(ash__path *p, int64_t first)
{
    char *at = p->origin;
    if (p->next == first) {
        for (int64_t k = 0; k < p->rank; k++)
            at += p->index[k] * p->stride[k];
        return at;
    }
    p->next = first;
    for (int64_t k = p->rank - 1; k > 0; k--) {
        p->index[k] = first % p->size[k];
        first /= p->size[k];
        at += p->index[k] * p->stride[k];
    }
    p->index[0] = first;
    return at + first * p->stride[0];
}

/* Moves `by` steps along axis k, at most to its end, and carries. */
static char *advance(ash__path *p, char *at, int64_t k, int64_t by)
{
    p->index[k] += by;
    at += by * p->stride[k];
    while (k > 0 && p->index[k] == p->size[k]) {
        at -= p->size[k] * p->stride[k];
        p->index[k--] = 0;
        p->index[k]++;
        at += p->stride[k];
    }
    return at;
}

char *ash__path_dense(const ash__path *p, int64_t first, int64_t n)
{
    const int64_t item = (int64_t)1 << p->log;
    if (p->rank == 1)
        return p->stride[0] == item ? p->origin + first * item : NULL;
    if (p->rank == 0)
        return n == 1 ? p->origin : NULL;
    const int64_t k = p->rank - 1, run = p->size[k];
    if (p->stride[k] != item || n > run || first % run + n > run)
        return NULL;
    ash__path whole = *p; /* seek would move the visit's place */
    int64_t index[ASH_MAX_RANK + 1];
    whole.index = index;
    whole.next = -1;
    return seek(&whole, first);
}

typedef uint8_t any1 __attribute__((aligned(1), may_alias));
typedef uint16_t any2 __attribute__((aligned(1), may_alias));
typedef uint32_t any4 __attribute__((aligned(1), may_alias));
typedef uint64_t any8 __attribute__((aligned(1), may_alias));
typedef struct any16 {
    any8 part[2];
} any16;

/* rows x cols elements of a strided plane to (or, storing, from) dense memory. */
#define DEFINE_PLANE(S)                                                                                           \
    static void plane##S(char *at, int64_t row, int64_t col, int64_t rows, int64_t cols, char *dense, bool store) \
    {                                                                                                             \
        any##S *d = (any##S *)dense;                                                                              \
        if (store) {                                                                                              \
            for (int64_t i = 0; i < rows; i++)                                                                    \
                for (int64_t j = 0; j < cols; j++)                                                                \
                    *(any##S *)(at + i * row + j * col) = *d++;                                                   \
        } else {                                                                                                  \
            for (int64_t i = 0; i < rows; i++)                                                                    \
                for (int64_t j = 0; j < cols; j++)                                                                \
                    *d++ = *(const any##S *)(at + i * row + j * col);                                             \
        }                                                                                                         \
    }
DEFINE_PLANE(1)
DEFINE_PLANE(2)
DEFINE_PLANE(4)
DEFINE_PLANE(8)
DEFINE_PLANE(16)

/* rows of `nbytes` that are dense themselves: two moves that may overlap cover any length from 4 bytes on. */
static void gather_rows(const char *at, int64_t row, int64_t rows, size_t nbytes, char *dense)
{
#define MOVED(HALF)                                                  \
    for (int64_t i = 0; i < rows; i++, at += row, dense += nbytes) { \
        char first[HALF], last[HALF];                                \
        memcpy(first, at, HALF);                                     \
        memcpy(last, at + nbytes - HALF, HALF);                      \
        memcpy(dense, first, HALF);                                  \
        memcpy(dense + nbytes - HALF, last, HALF);                   \
    }
    if (nbytes >= 64)
        for (int64_t i = 0; i < rows; i++)
            memcpy(dense + (size_t)i * nbytes, at + i * row, nbytes);
    else if (nbytes >= 32)
        MOVED(32)
    else if (nbytes >= 16)
        MOVED(16)
    else if (nbytes >= 8)
        MOVED(8)
    else
        MOVED(4)
#undef MOVED
}

typedef void plane(char *at, int64_t row, int64_t col, int64_t rows, int64_t cols, char *dense, bool store);
static plane *const planes[5] = {plane1, plane2, plane4, plane8, plane16};

static void move_run(const ash__path *p, char *at, int64_t step, int64_t n, char *dense, bool store)
{
    if (store)
        p->layout->scatter[p->log](at, step, dense, n);
    else if (step == 0)
        p->layout->splat[p->log](dense, at, n);
    else
        p->layout->gather[p->log](dense, at, step, n);
}

static inline void move(ash__path *p, int64_t first, int64_t n, char *dense, bool store)
{
    if (p->rank <= 1) {
        const int64_t step = p->rank ? p->stride[0] : 0;
        move_run(p, p->origin + first * step, step, n, dense, store);
        return;
    }
    const int64_t k = p->rank - 1, run = p->size[k];
    char *at = seek(p, first);
    p->next = first + n;
    while (n > 0) {
        int64_t m;
        if (run < SHORT_RUN && p->index[k] == 0 && n >= run) {
            const int64_t left = p->size[k - 1] - p->index[k - 1], rows = n / run < left ? n / run : left;
            m = rows * run;
            if (!store && p->stride[k] == (int64_t)1 << p->log && run << p->log >= 4)
                gather_rows(at, p->stride[k - 1], rows, (size_t)run << p->log, dense);
            else
                planes[p->log](at, p->stride[k - 1], p->stride[k], rows, run, dense, store);
            at = advance(p, at, k - 1, rows);
        } else {
            m = run - p->index[k] < n ? run - p->index[k] : n;
            move_run(p, at, p->stride[k], m, dense, store);
            at = advance(p, at, k, m);
        }
        dense += m << p->log;
        n -= m;
    }
}

void ash__path_load(ash__path *p, int64_t first, int64_t n, void *dense)
{
    move(p, first, n, dense, false);
}
void ash__path_store(ash__path *p, int64_t first, int64_t n, const void *dense)
{
    move(p, first, n, (char *)(uintptr_t)dense, true);
}

/* ---- feeds */

static bool is_pattern(const ash__path *p, int64_t limit, int64_t count)
{
    return p->rank >= 2 && p->stride[0] == 0 && count / p->size[0] <= PATTERN_LIMIT && count >= 2 * limit;
}

static bool is_transposed(const ash__path *p)
{
    const int64_t item = (int64_t)1 << p->log;
    if (p->rank < 2)
        return false;
    const int64_t row = p->stride[p->rank - 2], col = p->stride[p->rank - 1];
    return row == item && col != 0 && col != item && p->size[p->rank - 2] >= TILE_ROWS / 2 &&
           p->size[p->rank - 1] >= TILE_ROWS / 2;
}

/* Rows of a window for a budget, or 0 when not even one tile fits. */
static int64_t window_rows(const ash__path *p, size_t budget)
{
    const int64_t row = p->size[p->rank - 1] << p->log, most = p->size[p->rank - 2];
    int64_t rows = WINDOW_BYTES / row / TILE_ROWS * TILE_ROWS;
    if (rows < TILE_ROWS)
        rows = TILE_ROWS;
    if (rows > WINDOW_ROWS)
        rows = WINDOW_ROWS;
    if (rows > most)
        rows = most;
    return (uint64_t)rows > budget / (uint64_t)row ? 0 : rows;
}

void ash__feed_set(ash__feed *f, bool aligned, int64_t limit, int64_t count, size_t *budget)
{
    ash__path *const p = &f->path;
    f->start = p->origin;
    f->kind = ASH__FEED_PATH;
    f->aligned = aligned;
    f->ready = false;
    f->limit = limit;
    f->low = f->high = 0;
    f->repeat = 0;
    f->nbytes = 0;
    f->memory = NULL;
    if (is_pattern(p, limit, count)) {
        f->kind = ASH__FEED_PATTERN;
        f->repeat = count / p->size[0];
        f->nbytes = (size_t)(f->repeat + limit) << p->log;
        p->rank--;
        p->size++;
        p->stride++;
    } else if (p->rank >= 2 && p->stride[p->rank - 1] == 0) {
        f->kind = ASH__FEED_EXPAND;
        f->repeat = p->size[--p->rank];
        f->nbytes = (size_t)(limit / f->repeat + 2) << p->log;
    } else if (is_transposed(p) && (f->repeat = window_rows(p, *budget)) > 0) {
        f->kind = ASH__FEED_WINDOW;
        f->nbytes = (size_t)(f->repeat * p->size[p->rank - 1]) << p->log;
        *budget -= f->nbytes;
    }
}

void ash__feed_base(ash__feed *f, int64_t offset)
{
    char *const origin = f->start + offset;
    if (origin == f->path.origin)
        return;
    f->path.origin = origin;
    f->ready = false;
    f->low = f->high = 0;
}

static const void *get_path(ash__feed *f, int64_t first, int64_t n, void *dense)
{
    char *const place = f->aligned ? ash__path_dense(&f->path, first, n) : NULL;
    if (place)
        return place;
    ash__path_load(&f->path, first, n, dense);
    return dense;
}

static const void *get_pattern(ash__feed *f, int64_t first)
{
    const int log = f->path.log;
    if (!f->ready) {
        const int64_t whole = f->repeat + f->limit;
        ash__path_load(&f->path, 0, f->repeat, f->memory);
        for (int64_t have = f->repeat; have < whole;) {
            const int64_t more = have < whole - have ? have : whole - have; /* a multiple of the period, but the last time */
            memcpy(f->memory + (have << log), f->memory, (size_t)more << log);
            have += more;
        }
        f->ready = true;
    }
    return f->memory + (first % f->repeat << log);
}

static void get_expanded(ash__feed *f, int64_t first, int64_t n, char *dense)
{
    const int log = f->path.log;
    const int64_t repeat = f->repeat, from = first / repeat, to = (first + n - 1) / repeat;
    const char *element = get_path(f, from, to - from + 1, f->memory);
    int64_t head = repeat - first % repeat;
    if (head > n)
        head = n;
    if (head < repeat) {
        f->path.layout->splat[log](dense, element, head);
        element += (int64_t)1 << log;
        dense += head << log;
        n -= head;
    }
    const int64_t whole = n / repeat;
    if (whole)
        f->path.layout->expand[log](dense, element, whole, repeat);
    if (n > whole * repeat)
        f->path.layout->splat[log](dense + (whole * repeat << log), element + (whole << log), n - whole * repeat);
}

/* Turns the rows of the window that holds element `first`. */
static void turn(ash__feed *f, int64_t first)
{
    ash__path *const p = &f->path;
    const int64_t k = p->rank - 1, cols = p->size[k], rows = p->size[k - 1];
    const int64_t row = first / cols % rows / f->repeat * f->repeat;
    const int64_t n = rows - row < f->repeat ? rows - row : f->repeat;
    f->low = first / cols / rows * rows * cols + row * cols;
    f->high = f->low + n * cols;
    p->next = -1;
    p->layout->transpose[p->log](f->memory, cols << p->log, seek(p, f->low), p->stride[k], cols, n);
}

static const void *get_window(ash__feed *f, int64_t first, int64_t n, char *dense)
{
    const int log = f->path.log;
    char *to = dense;
    for (;;) {
        if (first < f->low || first >= f->high)
            turn(f, first);
        const char *const place = f->memory + ((first - f->low) << log);
        const int64_t m = f->high - first < n ? f->high - first : n;
        if (m == n && to == dense)
            return place;
        memcpy(to, place, (size_t)m << log);
        if (m == n)
            return dense;
        to += m << log;
        first += m;
        n -= m;
    }
}

const void *ash__feed_get(ash__feed *f, int64_t first, int64_t n, void *dense)
{
    switch (f->kind) {
    case ASH__FEED_PATTERN:
        return get_pattern(f, first);
    case ASH__FEED_EXPAND:
        get_expanded(f, first, n, dense);
        return dense;
    case ASH__FEED_WINDOW:
        return get_window(f, first, n, dense);
    case ASH__FEED_PATH:
    default:
        return get_path(f, first, n, dense);
    }
}
