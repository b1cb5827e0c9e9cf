/*
 * sort.c - lines of an array in order: loaded as dense keys, sorted, and stored as elements, as positions, or as the elements
 * of another array that move with them.
 *
 * Lines that lie side by side (those of columns in row-major order) are loaded and stored several at a time, through the
 * transposing kernels; short lines that follow each other get their keys several at a time. Threads share the lines when there
 * are enough of them; else they share the keys of each.
 */
#include "backend/cpu/sort.h"

#include "backend/cpu/plan.h"
#include "backend/cpu/sort_keys.h"
#include "backend/cpu/threads.h"
#include "core/error.h"
#include "core/shape.h"

enum {
    TILE_WIDTH = 256,       /* bytes of a row across the lines loaded together */
    TILE_BYTES = 512 << 10, /* and how many they may be in all */
    SHORT = 512,            /* elements: lines up to here that follow each other get their keys together */
    TOGETHER = 4096,        /* so many */
    COUNTED = 131072, /* keys of 2 bytes: from so many on their values are counted (the counts fit what the keys lie in) */
    NANOSECONDS = 5   /* an element, about */
};

/* ---- the lines of a task */

void ash__lines_set(ash__lines *l, const ash__task *task)
{
    const int64_t item[3] = {(int64_t)ash_dtype_size(task->operand[0].dtype), (int64_t)ash_dtype_size(task->out.dtype), 8};
    const ash__span *const span[3] = {&task->operand[0], &task->out, &task->value};
    int64_t beside = -1;
    *l = (ash__lines){.task = task, .n = task->shape[task->axis], .tile = 1};
    for (int64_t k = 0; k < task->rank; k++) {
        if (k == task->axis)
            continue;
        bool dense = task->shape[k] > 1;
        for (int s = 0; s < 3; s++)
            dense = dense && (!span[s]->data || span[s]->stride[k] == item[s]);
        if (dense && beside < 0)
            beside = k;
        else
            l->axis[l->rank++] = k;
    }
    l->outer = 1;
    for (int64_t k = 0; k < l->rank; k++)
        l->outer *= task->shape[l->axis[k]];
    l->across = 1;
    if (beside >= 0) {
        l->axis[l->rank] = beside;
        l->across = task->shape[beside];
        const int64_t wide = TILE_WIDTH / item[0], most = TILE_BYTES / (l->n * item[0] + 1);
        l->tile = most < wide ? most : wide;
        l->tile = l->tile < 1 ? 1 : l->tile < l->across ? l->tile : l->across;
    }
    l->tiles = (l->across - 1) / l->tile + 1;
}

/* Bytes from the first element of a span to the first one of a tile. */
static int64_t offset_of(const ash__lines *l, const int64_t *stride, int64_t number)
{
    int64_t offset = 0, outer = number / l->tiles;
    if (l->across > 1)
        offset = number % l->tiles * l->tile * stride[l->axis[l->rank]];
    for (int64_t k = l->rank; k-- > 0; outer /= l->task->shape[l->axis[k]])
        offset += outer % l->task->shape[l->axis[k]] * stride[l->axis[k]];
    return offset;
}

char *ash__lines_at(const ash__lines *l, const ash__span *span, int64_t number)
{
    return span->data + offset_of(l, span->stride, number);
}

int64_t ash__lines_of(const ash__lines *l, int64_t number)
{
    const int64_t left = l->across - number % l->tiles * l->tile;
    return left < l->tile ? left : l->tile;
}

/* The elements of the last operand that the positions of one line of a tile name. */
void ash__lines_move(const ash__lines *l, int64_t number, int64_t line, const int64_t *position)
{
    const ash__task *const t = l->task;
    const ash__span *const from = &t->operand[t->operand_count - 1];
    const int64_t index_step = 8, beside = l->across > 1 ? l->axis[l->rank] : -1;
    const int64_t from_line = beside < 0 ? 0 : line * from->stride[beside],
                  to_line = beside < 0 ? 0 : line * t->out.stride[beside];
    const ash__span operand[2] = {
        {from->buffer, ash__lines_at(l, from, number) + from_line, &from->stride[t->axis], from->dtype},
        {from->buffer, (char *)(uintptr_t)position, &index_step, ASH_I64}};
    const ash__task gather = {
        .kind = ASH__TASK_GATHER,
        .function = t->function,
        .rank = 1,
        .shape = &t->count,
        .operand_count = 2,
        .operand = operand,
        .out = {t->out.buffer, ash__lines_at(l, &t->out, number) + to_line, &t->out.stride[t->axis], t->out.dtype}};
    ash__cpu_gather(&gather);
}

/* ---- keys */

typedef struct sort {
    const ash__task *task;
    ash__lines lines;
    const ash__kernels *kernels;
    int log, width; /* 1 << log bytes an element */
    uint64_t flip;
    bool positions, threads; /* threads: within a line */
    bool bytes;              /* values of 1 byte alone: they are counted where they lie, and have no keys */
    bool direct[2];          /* lines can be read where they lie, and written where they belong */
    bool joined;             /* the lines of a tile follow each other on both sides */
    int64_t parts;
    char *memory;
    size_t each; /* bytes of memory of a part */
} sort;

/* What one part works in. */
typedef struct room {
    char *elements; /* of a tile, dense lines one behind the other */
    char *keys, *other;
    uint64_t *packed;
    int64_t *position; /* of a tile */
} room;

size_t ash__room_plan(const size_t *size, int count, size_t *at)
{
    size_t sum = 0;
    for (int k = 0; k < count; k++) {
        at[k] = sum;
        sum += ash__round_up(size[k]);
    }
    return sum;
}

static size_t room_plan(const sort *s, size_t at[5])
{
    const size_t n = (size_t)s->lines.n, tile = (size_t)s->lines.tile, key = s->bytes ? 0 : s->positions || s->width ? 8 : 4;
    const size_t size[5] = {s->direct[0] && s->direct[1] ? 0 : (n * tile) << s->log, (s->joined ? tile : 1) * n * key, n * key,
                            s->positions ? n * 8 : 0, s->positions ? (size_t)s->task->count * tile * 8 : 0};
    return ash__room_plan(size, 5, at);
}

static room room_in(const sort *s, char *memory)
{
    size_t at[5];
    room_plan(s, at);
    return (room){memory + at[0], memory + at[1], memory + at[2], (uint64_t *)(void *)(memory + at[3]),
                  (int64_t *)(void *)(memory + at[4])};
}

uint64_t ash__key_flip(ash_dtype dtype, bool descending)
{
    const int bits = 8 * (int)ash_dtype_size(dtype);
    const uint64_t all = UINT64_MAX >> (64 - bits);
    return (descending ? all : 0) ^ (ash__is_signed(dtype) ? (all >> 1) + 1 : 0);
}

/* Keys of 2 bytes by counting them. */
static void count_keys(uint32_t *key, int64_t *count, int64_t n)
{
    memset(count, 0, 65536 * sizeof *count);
    for (int64_t i = 0; i < n; i++)
        count[key[i]]++;
    int64_t at = 0;
    for (int64_t k = 0; k < 65536; k++)
        for (const int64_t end = at + count[k]; at < end; at++)
            key[at] = (uint32_t)k;
}

static void sort_keys(const sort *s, const room *r)
{
    const int64_t n = s->lines.n;
    if (s->log == 1 && n >= COUNTED)
        count_keys((uint32_t *)(void *)r->keys, (int64_t *)(void *)r->other, n);
    else
        ash__sort_keys(s->width, r->keys, r->other, n, s->task->first, s->task->first + s->task->count, s->threads);
}

/* Values of 1 byte, counted in four tables, so that equal neighbours do not wait for each other. */
static void sort_bytes(const sort *s, const char *from, char *to)
{
    const uint8_t *const x = (const uint8_t *)from;
    const int64_t n = s->lines.n, first = s->task->first, end = first + s->task->count;
    int64_t count[4][256] = {{0}}, i = 0, at = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            count[k][x[i + k]]++;
    for (; i < n; i++)
        count[0][x[i]]++;
    for (unsigned key = 0; key < 256; key++) {
        const unsigned value = key ^ (unsigned)s->flip;
        const int64_t next = at + count[0][value] + count[1][value] + count[2][value] + count[3][value];
        const int64_t low = at < first ? first : at, high = next < end ? next : end;
        if (low < high)
            memset(to + (low - first), (int)value, (size_t)(high - low));
        at = next;
    }
}

/* ---- one tile */

/* Do lines lie dense in a span, each on its own, with every element where one of its dtype may lie? */
static bool is_direct(const sort *s, const ash__span *x)
{
    const int64_t item = (int64_t)1 << s->log;
    bool direct = s->lines.tile == 1 && x->stride[s->task->axis] == item && (uintptr_t)x->data % (uintptr_t)item == 0;
    for (int64_t k = 0; direct && k < s->task->rank; k++)
        direct = x->stride[k] % item == 0;
    return direct;
}

/* Dense elements of each line: where they lie, or a copy. */
static const char *load_lines(const sort *s, const room *r, int64_t number, int64_t count)
{
    const ash__span *const from = &s->task->operand[0];
    const int64_t stride = from->stride[s->task->axis], n = s->lines.n;
    char *const at = ash__lines_at(&s->lines, from, number);
    if (s->direct[0])
        return at;
    if (count > 1)
        s->kernels->layout->transpose[s->log](r->elements, n << s->log, at, stride, n, count);
    else
        s->kernels->layout->gather[s->log](r->elements, at, stride, n);
    return r->elements;
}

/* count lines of `length` dense elements of 1 << log bytes to their places in a span. */
static void store_lines(const sort *s, const ash__span *to, int64_t number, int64_t count, int log, int64_t length,
                        const char *from, int64_t step)
{
    char *const at = ash__lines_at(&s->lines, to, number);
    const int64_t stride = to->stride[s->task->axis];
    if (count > 1)
        s->kernels->layout->transpose[log](at, stride, from, step, count, length);
    else
        s->kernels->layout->scatter[log](at, stride, from, length);
}

/* Keys of elements or the reverse, by all threads where a line is theirs. */
typedef struct keying {
    void (*run)(void *to, const void *from, uint64_t flip, int64_t n);
    char *to;
    const char *from;
    uint64_t flip;
    int64_t n, parts;
    int to_log, from_log;
} keying;

static void key_part(void *context, int64_t part)
{
    const keying *const k = context;
    const int64_t first = ash__part_start(k->n, part, k->parts), end = ash__part_start(k->n, part + 1, k->parts);
    k->run(k->to + (first << k->to_log), k->from + (first << k->from_log), k->flip, end - first);
}

static void run_keying(const sort *s, keying k)
{
    k.flip = s->flip;
    k.parts = s->threads ? ash__parts_for(k.n << (k.to_log + 1), k.n) : 1;
    if (k.parts == 1) /* there may be many short lines */
        k.run(k.to, k.from, k.flip, k.n);
    else
        ash__parallel(k.parts, key_part, &k);
}

/* One line: its dense elements to `values`, its positions to `position`, where they are wanted. */
static void sort_line(const sort *s, const room *r, const char *elements, char *values, int64_t *position)
{
    const ash__task *const t = s->task;
    const ash_dtype dtype = t->operand[0].dtype;
    if (s->bytes) {
        sort_bytes(s, elements, values);
        return;
    }
    const int key_log = s->width ? 3 : 2;
    run_keying(s, (keying){.run = s->kernels->sort->encode[dtype],
                           .to = r->keys,
                           .from = elements,
                           .n = s->lines.n,
                           .to_log = key_log,
                           .from_log = s->log});
    if (s->positions)
        ash__sort_positions(s->width, r->keys, s->lines.n, t->first, t->first + t->count, position, r->packed,
                            (uint64_t *)(void *)r->other, s->threads);
    if (values) {
        sort_keys(s, r);
        run_keying(s, (keying){.run = s->kernels->sort->decode[dtype],
                               .to = values,
                               .from = r->keys + ((size_t)t->first << key_log),
                               .n = t->count,
                               .to_log = s->log,
                               .from_log = key_log});
    }
}

/* Lines that follow each other, by their own order. */
static void sort_joined(const sort *s, const room *r, int64_t number, int64_t count)
{
    const ash__task *const t = s->task;
    const ash_dtype dtype = t->operand[0].dtype;
    const int64_t n = s->lines.n, step = n << (s->width ? 3 : 2);
    s->kernels->sort->encode[dtype](r->keys, ash__lines_at(&s->lines, &t->operand[0], number), s->flip, count * n);
    for (int64_t line = 0; line < count; line++)
        ash__sort_keys(s->width, r->keys + line * step, r->other, n, 0, n, false);
    s->kernels->sort->decode[dtype](ash__lines_at(&s->lines, &t->out, number), r->keys, s->flip, count * n);
}

static void sort_tile(const sort *s, const room *r, int64_t number)
{
    const ash__task *const t = s->task;
    const int64_t count = ash__lines_of(&s->lines, number), step = s->lines.n << s->log;
    if (s->joined) {
        sort_joined(s, r, number, count);
        return;
    }
    const char *const elements = load_lines(s, r, number, count);
    const bool values = t->out.data && t->operand_count == 1;
    char *const to = !values ? NULL : s->direct[1] ? ash__lines_at(&s->lines, &t->out, number) : r->elements;
    for (int64_t line = 0; line < count; line++) {
        int64_t *const position = r->position + line * t->count;
        sort_line(s, r, elements + line * step, values ? to + line * step : NULL, position);
        if (t->operand_count == 2)
            ash__lines_move(&s->lines, number, line, position);
    }
    if (values && !s->direct[1])
        store_lines(s, &t->out, number, count, s->log, t->count, to, step);
    if (t->value.data)
        store_lines(s, &t->value, number, count, 3, t->count, (const char *)r->position, t->count * 8);
}

/* ---- the task */

/* Makes tiles of short lines that follow each other in operand and result, where there is an axis of such. */
static void join_lines(sort *s)
{
    ash__lines *const l = &s->lines;
    const ash__task *const t = s->task;
    const int64_t step = l->n << s->log;
    if (!s->direct[0] || !s->direct[1] || s->bytes || l->across > 1 || l->n > SHORT || t->count != l->n || t->value.data)
        return;
    for (int64_t k = 0; k < l->rank; k++)
        if (t->shape[l->axis[k]] > 1 && t->operand[0].stride[l->axis[k]] == step && t->out.stride[l->axis[k]] == step) {
            const int64_t axis = l->axis[k];
            memmove(&l->axis[k], &l->axis[k + 1], (size_t)(l->rank - k - 1) * sizeof l->axis[0]);
            l->axis[--l->rank] = axis;
            l->across = t->shape[axis];
            l->outer /= l->across;
            l->tile = TOGETHER / l->n < l->across ? TOGETHER / l->n : l->across;
            l->tiles = (l->across - 1) / l->tile + 1;
            s->joined = true;
            return;
        }
}

static void sort_part(void *context, int64_t part)
{
    const sort *const s = context;
    const int64_t tiles = s->lines.outer * s->lines.tiles;
    const room r = room_in(s, s->memory + (size_t)part * s->each);
    for (int64_t k = ash__part_start(tiles, part, s->parts); k < ash__part_start(tiles, part + 1, s->parts); k++)
        sort_tile(s, &r, k);
}

ash_status ash__cpu_sort(const ash__task *task)
{
    const int64_t elements = ash__count(task->shape, task->rank);
    const ash_dtype dtype = task->operand[0].dtype;
    if (!elements || !task->count)
        return ASH_OK;
    if (task->combine)
        return ash__cpu_merge_sort(task);
    sort s = {.task = task,
              .kernels = ash__cpu_kernels(),
              .log = ash__log_size(dtype),
              .width = ash_dtype_size(dtype) == 8,
              .flip = ash__key_flip(dtype, task->descending),
              .positions = task->value.data || task->operand_count == 2};
    s.bytes = s.log == 0 && !s.positions;
    ash__lines_set(&s.lines, task);
    s.direct[0] = is_direct(&s, &task->operand[0]);
    s.direct[1] = task->operand_count == 1 && task->out.data && is_direct(&s, &task->out);
    join_lines(&s);
    const int64_t tiles = s.lines.outer * s.lines.tiles;
    s.parts = ash__parts_for(elements << s.log, NANOSECONDS * elements);
    s.threads = tiles < s.parts;
    s.parts = s.threads ? 1 : s.parts;
    size_t at[5];
    s.each = room_plan(&s, at);
    s.memory = ash__work_take(task, s.each * (size_t)s.parts);
    if (!s.memory)
        return ash__last_status();
    ash__parallel(s.parts, sort_part, &s);
    ash__work_give(task, s.memory, s.each * (size_t)s.parts);
    return ASH_OK;
}
