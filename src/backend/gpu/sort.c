/*
 * sort.c - lines of an array in order.
 *
 * Elements become keys, which lie line by line; the keys are sorted, with positions where these are wanted or where other
 * elements move; and elements are made of keys again, or taken from where the positions say. Only as much of the order as is
 * wanted is stored. Where a function gives the order, positions come from merges.
 */
#include <inttypes.h>
#include <stdio.h>

#include "backend/gpu/listed.h"
#include "core/shape.h"

typedef struct sort {
    const ash__task *task;
    ash__gpu_work work;
    int64_t shape[ASH_MAX_RANK]; /* of the results */
    int64_t line[ASH_MAX_RANK];  /* of working memory: elements from one to the next along each axis */
    ash__gpu_keys keys;
} sort;

uint64_t ash__gpu_key_flip(ash_dtype dtype, bool descending)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * (int)ash_dtype_size(dtype));
    return (descending ? all : 0) ^ (ash__is_signed(dtype) ? (all >> 1) + 1 : 0);
}

void ash__gpu_put_keys(char *to, size_t size, ash_dtype dtype, int width, uint64_t flip)
{
    static const struct {
        ash_dtype dtype;
        uint64_t sign, infinite, quiet;
    } floats[] = {{ASH_F16, 0x8000, 0x7c00, 0x7e00},
                  {ASH_BF16, 0x8000, 0x7f80, 0x7fc0},
                  {ASH_F32, 0x80000000, 0x7f800000, 0x7fc00000},
                  {ASH_F64, UINT64_C(1) << 63, UINT64_C(0x7ff0000000000000), UINT64_C(0x7ff8000000000000)}};
    int n = snprintf(to, size, "#define ELEMENT u%d\n#define KEY %s\n#define FLIP 0x%" PRIx64 "ul\n",
                     8 * (int)ash_dtype_size(dtype), width ? "u64" : "u32", flip);
    for (size_t k = 0; k < sizeof floats / sizeof floats[0]; k++)
        if (floats[k].dtype == dtype)
            n += snprintf(to + n, size - (size_t)n,
                          "#define FLOATS 1\n#define SIGN 0x%" PRIx64 "ul\n#define INFINITE 0x%" PRIx64
                          "ul\n#define QUIET 0x%" PRIx64 "ul\n",
                          floats[k].sign, floats[k].infinite, floats[k].quiet);
}

/* ---- strides of working memory */

/* Lines one behind the other, in row-major order of the other axes. */
static void set_lines(sort *s)
{
    const ash__task *const t = s->task;
    int64_t elements = s->keys.n;
    s->line[t->axis] = 1;
    for (int64_t k = t->rank; k-- > 0;)
        if (k != t->axis) {
            s->line[k] = elements;
            elements *= t->shape[k];
        }
    for (int64_t k = 0; k < t->rank; k++)
        s->shape[k] = k == t->axis ? t->count : t->shape[k];
    s->keys.lines = elements / s->keys.n;
}

static int64_t key_size(const sort *s)
{
    return s->keys.width ? 8 : 4;
}

static void scale(const sort *s, int64_t item, int64_t *stride)
{
    for (int64_t k = 0; k < s->task->rank; k++)
        stride[k] = s->line[k] * item;
}

/* ---- steps */

static ash_status run_keying(sort *s, ash__gpu_rows *r, const ash__span *elements, bool decodes)
{
    const ash_dtype dtype = elements->dtype;
    const bool odd = ash__gpu_span_bits(elements, s->task->rank) % ash_dtype_size(dtype) != 0;
    snprintf(r->defines, sizeof r->defines, "#define DECODES %d\n#define ODD %d\n", decodes, odd);
    const size_t length = strlen(r->defines);
    ash__gpu_put_keys(r->defines + length, sizeof r->defines - length, dtype, s->keys.width,
                      ash__gpu_key_flip(dtype, s->task->descending));
    return ash__gpu_rows_run(r, ash__gpu_keys_text);
}

static ash_status load_keys(sort *s)
{
    const ash__task *const t = s->task;
    const ash__span *const from = &t->operand[0];
    int64_t stride[ASH_MAX_RANK];
    ash__gpu_rows r = {.work = &s->work};
    scale(s, key_size(s), stride);
    ash__gpu_rows_over(&r, t->shape, t->rank);
    ash__gpu_rows_add(&r, (ash__gpu_place){s->keys.key[0], 0}, stride, key_size(s));
    ash__gpu_rows_add(&r, ash__gpu_place_of(&s->work, from), from->stride, (int64_t)ash_dtype_size(from->dtype));
    return run_keying(s, &r, from, false);
}

static ash_status store_elements(sort *s)
{
    const ash__task *const t = s->task;
    int64_t stride[ASH_MAX_RANK];
    ash__gpu_rows r = {.work = &s->work};
    scale(s, key_size(s), stride);
    ash__gpu_rows_over(&r, s->shape, t->rank);
    ash__gpu_rows_add(&r, ash__gpu_place_of(&s->work, &t->out), t->out.stride, (int64_t)ash_dtype_size(t->out.dtype));
    ash__gpu_rows_add(&r, (ash__gpu_place){s->keys.key[s->keys.at], t->first * key_size(s)}, stride, key_size(s));
    return run_keying(s, &r, &t->out, true);
}

static ash_status take_elements(sort *s)
{
    const ash__task *const t = s->task;
    int64_t stride[ASH_MAX_RANK];
    const ash__gpu_taking taking = {&t->out,  &t->operand[t->operand_count - 1],
                                    s->shape, t->rank,
                                    t->axis,  {s->keys.position[s->keys.at], t->first * 4},
                                    stride,   "u32"};
    scale(s, 4, stride);
    return ash__gpu_gather_by(&s->work, &taking);
}

static ash_status store_positions(sort *s)
{
    const ash__task *const t = s->task;
    int64_t stride[ASH_MAX_RANK];
    ash__gpu_rows r = {.work = &s->work};
    scale(s, 4, stride);
    ash__gpu_rows_over(&r, s->shape, t->rank);
    ash__gpu_rows_add(&r, ash__gpu_place_of(&s->work, &t->value), t->value.stride, 8);
    ash__gpu_rows_add(&r, (ash__gpu_place){s->keys.position[s->keys.at], t->first * 4}, stride, 4);
    ash__gpu_rows_define(&r, "#define WHAT 7\n#define ODD %d\n", ash__gpu_span_bits(&t->value, t->rank) % 8 != 0);
    return ash__gpu_rows_run(&r, ash__gpu_listed_text);
}

static ash_status sort_keys(sort *s)
{
    ash_status status = ash__gpu_keys_room(&s->work, &s->keys);
    if (!status)
        status = load_keys(s);
    return status ? status : ash__gpu_keys_sort(&s->work, &s->keys);
}

static ash_status run(sort *s)
{
    const ash__task *const t = s->task;
    ash_status status = t->combine ? ash__gpu_merge_sort(&s->work, t, s->line, &s->keys) : sort_keys(s);
    if (!status && t->out.data)
        status = s->keys.positions ? take_elements(s) : store_elements(s);
    if (!status && t->value.data)
        status = store_positions(s);
    return status;
}

/* ---- the task */

static const char *lacks(const sort *s)
{
    const char *why = s->task->combine ? ash__gpu_too_long(s->task->combine) : NULL;
    why = why ? why : ash__gpu_keys_lack(s->keys.n);
    return why ? why : ash__gpu_unreachable(&s->work);
}

ash_status ash__gpu_sort(ash_resources *resources, const ash__task *task, const char **why)
{
    const ash_dtype dtype = task->operand[0].dtype;
    sort s = {.task = task,
              .work = ash__gpu_work_of(resources, task->function),
              .keys = {.n = task->shape[task->axis],
                       .width = ash_dtype_size(dtype) == 8,
                       .bits = dtype == ASH_BOOL ? 1 : 8 * (int)ash_dtype_size(dtype),
                       .positions = task->value.data || task->operand_count == 2 || task->combine}};
    if (!ash__count(task->shape, task->rank) || !task->count)
        return ASH_OK;
    set_lines(&s);
    for (int64_t k = 0; k < task->operand_count; k++)
        ash__gpu_touch(&s.work, &task->operand[k], task->shape, task->rank, false);
    if (task->out.data)
        ash__gpu_touch(&s.work, &task->out, s.shape, task->rank, true);
    if (task->value.data)
        ash__gpu_touch(&s.work, &task->value, s.shape, task->rank, true);
    if ((*why = lacks(&s)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&s.work);
    if (!status)
        status = run(&s);
    return ash__gpu_work_end(&s.work, status);
}
