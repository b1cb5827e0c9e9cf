/*
 * scatter_add.c - elements added to the places that a list of indices names.
 *
 * Every element is added in logical order, so that sums of floats do not depend on threads: these share the axes before the
 * listed one, and nothing else. A complex number is one more axis, of its two parts.
 */
#include "backend/cpu/cpu.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

/* to[index[j] * to_step] += from[j * from_step] for n of them; index NULL: j itself. */
typedef void adding(char *to, int64_t to_step, const char *from, int64_t from_step, const int64_t *index, int64_t n);

typedef struct sums {
    int64_t rank, axis, lines, count;
    int64_t shape[ASH_MAX_RANK + 1], to_stride[ASH_MAX_RANK + 1], from_stride[ASH_MAX_RANK + 1];
    char *to;
    const char *from;
    const int64_t *index;
    adding *add;
    int64_t parts;
} sums;

/* Elements may lie at any address: fields of packed records do. Side by side they are added as vectors. */
#define DEFINE_ADD(name, T, SUM)                                                                                            \
    static inline __attribute__((always_inline)) void each_##name(char *to, int64_t to_step, const char *from,              \
                                                                  int64_t from_step, const int64_t *index, int64_t n)       \
    {                                                                                                                       \
        for (int64_t j = 0; j < n; j++) {                                                                                   \
            char *const at = to + (index ? index[j] : j) * to_step;                                                         \
            T x, y;                                                                                                         \
            memcpy(&x, at, sizeof x);                                                                                       \
            memcpy(&y, from + j * from_step, sizeof y);                                                                     \
            x = (T)(SUM);                                                                                                   \
            memcpy(at, &x, sizeof x);                                                                                       \
        }                                                                                                                   \
    }                                                                                                                       \
    static void add_##name(char *to, int64_t to_step, const char *from, int64_t from_step, const int64_t *index, int64_t n) \
    {                                                                                                                       \
        const int64_t item = (int64_t)sizeof(T);                                                                            \
        if (!index && to_step == item && from_step == item)                                                                 \
            each_##name(to, item, from, item, NULL, n);                                                                     \
        else                                                                                                                \
            each_##name(to, to_step, from, from_step, index, n);                                                            \
    }
DEFINE_ADD(bool, uint8_t, (x | y) != 0)
DEFINE_ADD(8, uint8_t, x + y)
DEFINE_ADD(16, uint16_t, x + y)
DEFINE_ADD(32, uint32_t, x + y)
DEFINE_ADD(64, uint64_t, x + y)
DEFINE_ADD(f16, uint16_t, ash__f16_from_f64((double)(ash__f16_to_f32(x) + ash__f16_to_f32(y))))
DEFINE_ADD(bf16, uint16_t, ash__bf16_from_f64((double)(ash__bf16_to_f32(x) + ash__bf16_to_f32(y))))
DEFINE_ADD(f32, float, x + y)
DEFINE_ADD(f64, double, x + y)

static adding *const by_dtype[ASH__REAL_COUNT] = {
    [ASH_BOOL] = add_bool, [ASH_I8] = add_8,    [ASH_I16] = add_16, [ASH_I32] = add_32, [ASH_I64] = add_64,
    [ASH_U8] = add_8,      [ASH_U16] = add_16,  [ASH_U32] = add_32, [ASH_U64] = add_64, [ASH_F16] = add_f16,
    [ASH_BF16] = add_bf16, [ASH_F32] = add_f32, [ASH_F64] = add_f64};

/* What one index stands for. */
static void add_box(const sums *s, char *to, const char *from)
{
    const int64_t at = s->axis + 1;
    char *const data[2] = {to, (char *)(uintptr_t)from};
    const int64_t *const stride[2] = {s->to_stride + at, s->from_stride + at};
    ash__walk w;
    for (bool more = ash__walk_begin(&w, false, s->shape + at, s->rank - at, 2, data, stride); more; more = ash__walk_next(&w))
        s->add(w.at[0], w.step[0], w.at[1], w.step[1], NULL, w.run);
}

static void add_line(const sums *s, int64_t line)
{
    const int64_t to_step = s->to_stride[s->axis], from_step = s->from_stride[s->axis];
    char *to = s->to;
    const char *from = s->from;
    for (int64_t k = s->axis; k-- > 0; line /= s->shape[k]) {
        to += line % s->shape[k] * s->to_stride[k];
        from += line % s->shape[k] * s->from_stride[k];
    }
    if (s->axis + 1 == s->rank)
        s->add(to, to_step, from, from_step, s->index, s->count);
    else
        for (int64_t j = 0; j < s->count; j++)
            add_box(s, to + s->index[j] * to_step, from + j * from_step);
}

static void add_part(void *context, int64_t part)
{
    const sums *const s = context;
    const int64_t end = ash__part_start(s->lines, part + 1, s->parts);
    for (int64_t line = ash__part_start(s->lines, part, s->parts); line < end; line++)
        add_line(s, line);
}

static void put_axis(sums *s, int64_t size, int64_t to, int64_t from)
{
    s->shape[s->rank] = size;
    s->to_stride[s->rank] = to;
    s->from_stride[s->rank++] = from;
}

ash_status ash__cpu_scatter_add(const ash__task *task)
{
    const int64_t elements = ash__count(task->shape, task->rank);
    const ash_dtype part = ash__part(task->out.dtype);
    if (!elements)
        return ASH_OK;
    sums s = {.axis = task->axis,
              .to = task->out.data,
              .from = task->operand[0].data,
              .index = (const int64_t *)(const void *)task->operand[1].data,
              .add = by_dtype[part],
              .lines = ash__count(task->shape, task->axis),
              .count = task->shape[task->axis]};
    for (int64_t k = 0; k < task->rank; k++)
        put_axis(&s, task->shape[k], task->out.stride[k], task->operand[0].stride[k]);
    if (part != task->out.dtype)
        put_axis(&s, 2, (int64_t)ash_dtype_size(part), (int64_t)ash_dtype_size(part));
    s.parts = ash__parts_for(3 * elements * (int64_t)ash_dtype_size(task->out.dtype), elements);
    if (s.parts > s.lines)
        s.parts = s.lines;
    ash__parallel(s.parts, add_part, &s);
    return ASH_OK;
}
