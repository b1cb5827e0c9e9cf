/*
 * scatter.c - elements to the places that a list of indices names, or added to what is there.
 *
 * Of several elements for one place the last in the list stays: for each place the highest number in the list that names it is
 * found first (a maximum does not depend on who comes when), and only its work-item writes. Sums go in the list's order, as
 * the CPU's are: the list is sorted, stable, and the work-item of the first of equal places adds them all.
 */
#include "backend/gpu/listed.h"

#include "core/shape.h"

typedef struct scattering {
    const ash__task *task;
    ash__gpu_work work;
    ash__gpu_place list;
    int64_t count; /* of the list */
} scattering;

/* Strides without the one along the list. */
static void strides_across(const ash__task *t, const int64_t *stride, int64_t *across)
{
    for (int64_t k = 0; k < t->rank; k++)
        across[k] = k == t->axis ? 0 : stride[k];
}

/* Where elements lie, all of it or-ed. One element for all is put where there is nothing odd. */
static uint64_t bits_of(const ash__task *t)
{
    return ash__gpu_span_bits(&t->out, t->rank) | (t->operand[0].buffer ? ash__gpu_span_bits(&t->operand[0], t->rank) : 0);
}

/* ---- writing */

static ash_status mark_last(scattering *s, void **marks)
{
    static const int64_t eight = 8;
    ash__gpu_rows r = {.work = &s->work, .reach = 4 * s->task->bound};
    ash_status status = ash__gpu_scratch(&s->work, (size_t)s->task->bound * 4, marks);
    if (!status)
        status = ash__gpu_rows_zero(&s->work, *marks, s->task->bound);
    if (status)
        return status;
    ash__gpu_rows_over(&r, &s->count, 1);
    ash__gpu_rows_add(&r, (ash__gpu_place){*marks, 0}, NULL, 4);
    ash__gpu_rows_add(&r, s->list, &eight, 8);
    ash__gpu_rows_define(&r, "#define WHAT 3\n");
    return ash__gpu_rows_run(&r, ash__gpu_listed_text);
}

static ash_status write(scattering *s)
{
    const ash__task *const t = s->task;
    int64_t across[ASH_MAX_RANK], list[ASH_MAX_RANK] = {0};
    ash__gpu_rows r = {.work = &s->work, .reach = (int64_t)t->out.buffer->nbytes + 4 * t->bound, .order = t->out.stride};
    const uint64_t bits = bits_of(t);
    const int64_t item = (int64_t)ash_dtype_size(t->out.dtype);
    const bool often = !t->distinct && s->count > 1;
    void *marks = NULL;
    ash__gpu_place from = {.start = 0};
    ash_status status = often ? mark_last(s, &marks) : ASH_OK;
    if (!status && t->operand[0].buffer)
        from = ash__gpu_place_of(&s->work, &t->operand[0]);
    else if (!status) /* one element for all */
        status = ash__gpu_upload(&s->work, t->operand[0].data, ash_dtype_size(t->out.dtype), &from.memory);
    if (status)
        return status;
    strides_across(t, t->out.stride, across);
    list[t->axis] = 8;
    ash__gpu_rows_over(&r, t->shape, t->rank);
    ash__gpu_rows_add(&r, ash__gpu_place_of(&s->work, &t->out), across, item);
    ash__gpu_rows_add(&r, from, t->operand[0].stride, item);
    ash__gpu_rows_add(&r, s->list, list, 8);
    ash__gpu_rows_add_numbers(&r, t->out.stride[t->axis], 0);
    if (often)
        ash__gpu_rows_add(&r, (ash__gpu_place){marks, 0}, NULL, 4);
    ash__gpu_rows_define(&r, "#define WHAT 2\n#define LIST i64\n#define LAST %d\n", often);
    ash__gpu_rows_define_words(&r, (size_t)item, bits);
    return ash__gpu_rows_run(&r, ash__gpu_listed_text);
}

/* ---- adding */

/* The list as keys: u32 where its numbers fit. */
static ash_status sort_list(scattering *s, ash__gpu_keys *k)
{
    static const int64_t eight = 8;
    const uint64_t most = (uint64_t)s->task->bound - 1;
    ash__gpu_rows r = {.work = &s->work};
    *k = (ash__gpu_keys){.lines = 1,
                         .n = s->count,
                         .width = most > UINT32_MAX,
                         .bits = most ? 64 - __builtin_clzll(most) : 1,
                         .positions = true};
    const int64_t item = k->width ? 8 : 4;
    ash_status status = ash__gpu_keys_room(&s->work, k);
    if (status)
        return status;
    ash__gpu_rows_over(&r, &s->count, 1);
    ash__gpu_rows_add(&r, (ash__gpu_place){k->key[0], 0}, &item, item);
    ash__gpu_rows_add(&r, s->list, &eight, 8);
    ash__gpu_rows_define(&r, "#define KEY %s\n", k->width ? "u64" : "u32");
    status = ash__gpu_rows_run(&r, "FN void element(MEMORY, const index *at, index i, const walk *w)\n"
                                   "{\n    *(G KEY *)P0 = (KEY)*(G const i64 *)P1;\n}\n");
    return status ? status : ash__gpu_keys_sort(&s->work, k);
}

static const char *sum_of(ash_dtype part)
{
    return part == ASH_BOOL   ? "(x | y) != 0"
           : part == ASH_F16  ? "f16_of_f32(from_f16(x) + from_f16(y))"
           : part == ASH_BF16 ? "bf16_of_f32(from_bf16(x) + from_bf16(y))"
                              : "x + y";
}

static const char *stored_as(ash_dtype part)
{
    static const char *const word[] = {"u8", "u16", "u32", "u64"};
    return part == ASH_F32 ? "f32" : part == ASH_F64 ? "f64" : word[__builtin_ctzll(ash_dtype_size(part))];
}

/* How elements at odd addresses are read and written. */
static void define_odd(ash__gpu_rows *r, ash_dtype part, bool odd)
{
    const char *const of = part == ASH_F32 ? "BITS_F32((u32)(X))" : part == ASH_F64 ? "BITS_F64(X)" : "(STORED)(X)";
    const char *const its = part == ASH_F32 ? "F32_BITS(X)" : part == ASH_F64 ? "F64_BITS(X)" : "X";
    ash__gpu_rows_define(r, "#define ODD %d\n#define OF_BITS(X) %s\n#define ITS_BITS(X) %s\n", odd, of, its);
}

/* Complex numbers have one axis more, of their parts. */
static ash_status add(scattering *s)
{
    const ash__task *const t = s->task;
    const ash_dtype part = ash__part(t->out.dtype);
    const int64_t item = (int64_t)ash_dtype_size(part), rank = t->rank + (part != t->out.dtype);
    int64_t shape[ASH_MAX_RANK + 1], to[ASH_MAX_RANK + 1], from[ASH_MAX_RANK + 1], sorted[2][ASH_MAX_RANK + 1] = {{0}};
    int64_t order[ASH_MAX_RANK + 1];
    ash__gpu_rows r = {.work = &s->work, .reach = (int64_t)t->out.buffer->nbytes, .order = order, .f64 = part == ASH_F64};
    ash__gpu_keys k;
    ash__gpu_place source = {.start = 0};
    ash_status status = sort_list(s, &k);
    if (!status && t->operand[0].buffer)
        source = ash__gpu_place_of(&s->work, &t->operand[0]);
    else if (!status)
        status = ash__gpu_upload(&s->work, t->operand[0].data, ash_dtype_size(t->out.dtype), &source.memory);
    if (status)
        return status;
    strides_across(t, t->out.stride, to);
    strides_across(t, t->operand[0].stride, from);
    memcpy(shape, t->shape, (size_t)t->rank * sizeof *shape);
    sorted[0][t->axis] = k.width ? 8 : 4;
    sorted[1][t->axis] = 4;
    if (rank > t->rank) {
        shape[t->rank] = 2;
        to[t->rank] = from[t->rank] = item;
    }
    memcpy(order, to, sizeof order);
    order[t->axis] = t->out.stride[t->axis];
    ash__gpu_rows_over(&r, shape, rank);
    ash__gpu_rows_add(&r, ash__gpu_place_of(&s->work, &t->out), to, item);
    ash__gpu_rows_add(&r, source, from, item);
    ash__gpu_rows_add(&r, (ash__gpu_place){k.key[k.at], 0}, sorted[0], sorted[0][t->axis]);
    ash__gpu_rows_add(&r, (ash__gpu_place){k.position[k.at], 0}, sorted[1], 4);
    ash__gpu_rows_add_numbers(&r, t->out.stride[t->axis], t->operand[0].stride[t->axis]);
    ash__gpu_rows_add_numbers(&r, s->count, 0);
    define_odd(&r, part, bits_of(t) % (uint64_t)item != 0);
    ash__gpu_rows_define(&r, "#define WHAT 5\n#define KEY %s\n#define STORED %s\n#define SUM %s\n", k.width ? "u64" : "u32",
                         stored_as(part), sum_of(part));
    return ash__gpu_rows_run(&r, ash__gpu_listed_text);
}

/* ---- the task */

static const char *lacks(const scattering *s)
{
    const ash__task *const t = s->task;
    const ash_dtype part = ash__part(t->out.dtype);
    if (s->count >= UINT32_MAX || t->bound >= INT64_MAX / 8)
        return "the list is too long for a kernel";
    if (t->accumulate && ash__is_float(part) && part != ASH_F64 && !s->work.gpu->exact_f32)
        return "the device does not round f32 as the CPU does";
    return ash__gpu_unreachable(&s->work);
}

ash_status ash__gpu_scatter(ash_resources *resources, const ash__task *task, const char **why)
{
    scattering s = {.task = task, .work = ash__gpu_work_of(resources, task->function), .count = task->shape[task->axis]};
    const ash__span *const list = &task->operand[1];
    const int64_t eight = 8;
    if (!ash__count(task->shape, task->rank))
        return ASH_OK;
    ash__gpu_touch_all(&s.work, &task->out, true);
    if (task->operand[0].buffer)
        ash__gpu_touch(&s.work, &task->operand[0], task->shape, task->rank, false);
    if (list->buffer)
        ash__gpu_touch(&s.work, &(ash__span){list->buffer, list->data, &eight, ASH_I64}, &s.count, 1, false);
    if ((*why = lacks(&s)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&s.work);
    if (!status)
        status = ash__gpu_list_place(&s.work, list, s.count, &s.list);
    if (!status)
        status = task->accumulate ? add(&s) : write(&s);
    return ash__gpu_work_end(&s.work, status);
}
