/*
 * rows.c - one element for each work-item, over axes with byte strides of their own in each span.
 *
 * Axes are ordered by their strides and merged where all spans allow it; those that parameters have no room for are looped over
 * here. The kernel is that of maps (kernels/map.c).
 */
#include "backend/gpu/rows.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/library.h"
#include "core/alloc.h"
#include "core/settings.h"

enum {
    LONG_ROW = 256, /* as map.c has them: few sizes of groups, since each is compiled */
    SHORT_ROW = 16,
    MOST_AXES = 12 /* in the parameters */
};

/* ---- what there is */

void ash__gpu_rows_over(ash__gpu_rows *r, const int64_t *shape, int64_t rank)
{
    r->rank = rank ? (int)rank : 1;
    r->size[0] = 1;
    memset(r->stride, 0, sizeof r->stride);
    for (int64_t axis = 0; axis < rank; axis++)
        r->size[axis] = shape[axis];
}

void ash__gpu_rows_add(ash__gpu_rows *r, ash__gpu_place place, const int64_t *stride, int64_t item)
{
    r->item[r->spans] = item;
    r->place[r->spans] = place;
    for (int axis = 0; axis < r->rank && stride; axis++)
        r->stride[axis][r->spans] = stride[axis];
    r->spans++;
}

void ash__gpu_rows_add_numbers(ash__gpu_rows *r, int64_t first, int64_t second)
{
    r->number[r->spans][0] = first;
    r->number[r->spans][1] = second;
    r->scalar[r->spans++] = true;
}

void ash__gpu_rows_define(ash__gpu_rows *r, const char *format, ...)
{
    const size_t length = strlen(r->defines);
    va_list list;
    va_start(list, format);
    vsnprintf(r->defines + length, sizeof r->defines - length, format, list);
    va_end(list);
}

void ash__gpu_rows_define_words(ash__gpu_rows *r, size_t size, uint64_t bits)
{
    const int log = __builtin_ctzll(bits | size | 8), k = r->spans;
    ash__gpu_rows_define(r, "#define WORD u%d\n", 8 << log);
    if (size >> log == 1)
        ash__gpu_rows_define(r, "#define WORDS 1\n");
    else
        ash__gpu_rows_define(r, "#define WORDS N%d\n", k);
    ash__gpu_rows_add_numbers(r, (int64_t)(size >> log), 0);
}

/* ---- axes */

static void set_axes(ash__gpu_rows *r)
{
    int rank = 0;
    for (int axis = 0; axis < r->rank; axis++)
        r->stride[axis][ASH__GPU_ROW_SPANS] = llabs(r->order ? r->order[axis] : r->stride[axis][0]);
    for (int axis = 0; axis < r->rank; axis++) {
        if (r->size[axis] == 1)
            continue;
        ash__gpu_swap_axes(r->size, r->stride[0], ASH__GPU_ROW_WIDTH, rank, axis);
        for (int at = rank++; at > 0 && r->stride[at][ASH__GPU_ROW_SPANS] > r->stride[at - 1][ASH__GPU_ROW_SPANS]; at--)
            ash__gpu_swap_axes(r->size, r->stride[0], ASH__GPU_ROW_WIDTH, at, at - 1);
    }
    r->rank = ash__gpu_merge_axes(r->size, r->stride[0], ASH__GPU_ROW_WIDTH, r->spans, 0, rank);
    if (r->rank == 0) {
        r->size[0] = r->rank = 1;
        memset(r->stride[0], 0, sizeof r->stride[0]);
    }
}

/* Ranks of kernels are few, since each is compiled: axes of one element in front make up for it. */
static void pad_axes(ash__gpu_rows *r)
{
    const int rank = r->rank <= 2          ? r->rank
                     : r->rank <= 4        ? 4
                     : r->rank < MOST_AXES ? MOST_AXES
                                           : r->rank,
              more = rank - r->rank;
    memmove(r->size + more, r->size, (size_t)r->rank * sizeof r->size[0]);
    memmove(r->stride + more, r->stride, (size_t)r->rank * sizeof r->stride[0]);
    for (int axis = 0; axis < more; axis++)
        r->size[axis] = 1;
    memset(r->stride, 0, (size_t)more * sizeof r->stride[0]);
    r->rank = rank;
}

/* ---- text and parameters */

typedef struct texts {
    const ash__gpu_rows *rows;
    const ash__gpu_form *form;
    const char *element;
} texts;

static void put_text(ash__text *text, const void *context)
{
    const texts *const t = context;
    const ash__gpu_rows *const r = t->rows;
    const ash__gpu_form *const form = t->form;
    const int last = form->rank - 1;
    ash__gpu_put_head(text, r->f64, form->wide);
    ash__gpu_put_walk(text, form);
    for (int k = 0; k < form->spans; k++) {
        const int64_t step = r->stride[r->rank - 1][k];
        if (form->scalar[k])
            ash__put(text, "#define N%d ((const i64 *)w->scalar)[%d]\n#define N%d_1 ((const i64 *)w->scalar)[%d]\n", k, 2 * k,
                     k, 2 * k + 1);
        else if (form->step[k] != ASH__GPU_ANY)
            ash__put(text, "#define P%d (m%d + at[%d] + i * %d)\n", k, k, k, (int)step);
        else
            ash__put(text, "#define P%d (m%d + at[%d] + i * w->stride[%d])\n", k, k, k, last * form->spans + k);
    }
    ash__gpu_put_text(text, r->defines);
    if (strstr(r->defines, "#define ODD 1"))
        ash__gpu_put_text(text, ash__gpu_odd_text);
    ash__gpu_put_text(text, t->element);
    ash__gpu_put_text(text, ash__gpu_map_text);
}

/* The struct `walk` of kernel text, over the last axes. */
static void fill_parameters(const ash__gpu_rows *r, const int64_t *start, int first, ash__gpu_parameters *to)
{
    memcpy(to->bytes, r->number, (size_t)r->spans * sizeof r->number[0]);
    to->length = (size_t)r->spans * sizeof r->number[0];
    for (int k = 0; k < r->spans; k++)
        ash__gpu_add_index(to, start[k]);
    for (int axis = first; axis < r->rank; axis++)
        ash__gpu_add_index(to, r->size[axis]);
    for (int axis = first; axis < r->rank; axis++)
        for (int k = 0; k < r->spans; k++)
            ash__gpu_add_index(to, r->stride[axis][k]);
    to->length = (to->length + 7) / 8 * 8;
}

/* Does any offset leave 32 bits? */
static bool is_wide(const ash__gpu_rows *r)
{
    int64_t rows = 1, longest = 0;
    for (int axis = 0; axis < r->rank - 1; axis++)
        rows *= r->size[axis];
    for (int k = 0; k < r->spans; k++) {
        int64_t reach = r->scalar[k] ? 0 : r->place[k].start;
        for (int axis = 0; axis < r->rank; axis++)
            reach += llabs(r->stride[axis][k]) * r->size[axis];
        longest = reach > longest ? reach : longest;
    }
    const int64_t most = INT32_MAX - LONG_ROW;
    return ash__gpu_wide_setting() || rows > most || r->size[r->rank - 1] > most || longest > most || r->reach > most - longest;
}

static ash_status launch(const ash__gpu_rows *r, const ash__gpu_form *form, const char *text, const int64_t *start, int first)
{
    const size_t local = (size_t)form->local;
    ash__gpu_parameters with = {.wide = form->wide};
    void *memory[ASH__GPU_ROW_SPANS];
    ash__launch l = {.memory = memory, .local = local, .parameters = with.bytes};
    fill_parameters(r, start, first, &with);
    l.nbytes = with.length;
    l.global[0] = ((size_t)r->size[r->rank - 1] + local - 1) / local * local;
    l.global[1] = 1;
    for (int axis = first; axis < r->rank - 1; axis++)
        l.global[1] *= (size_t)r->size[axis];
    for (int k = 0; k < r->spans; k++)
        if (!r->scalar[k])
            memory[l.memories++] = r->place[k].memory;
    return ash__gpu_launch(r->work, text, &l);
}

/* The axes before the last ones: one launch for each of their places. */
static ash_status launch_from(const ash__gpu_rows *r, const ash__gpu_form *form, const char *text, const int64_t *start,
                              int axis)
{
    if (r->rank - axis <= MOST_AXES)
        return launch(r, form, text, start, axis);
    int64_t at[ASH__GPU_ROW_SPANS];
    ash_status status = ASH_OK;
    memcpy(at, start, sizeof at);
    for (int64_t i = 0; i < r->size[axis] && !status; i++) {
        status = launch_from(r, form, text, at, axis + 1);
        for (int k = 0; k < r->spans; k++)
            at[k] += r->stride[axis][k];
    }
    return status;
}

ash_status ash__gpu_rows_run(ash__gpu_rows *r, const char *element)
{
    ash__gpu_form form = {.spans = r->spans};
    int64_t start[ASH__GPU_ROW_SPANS] = {0};
    set_axes(r);
    const bool is_long = r->size[r->rank - 1] >= LONG_ROW;
    pad_axes(r);
    form.rank = r->rank < MOST_AXES ? r->rank : MOST_AXES;
    form.wide = is_wide(r);
    form.local = is_long ? LONG_ROW : SHORT_ROW;
    for (int k = 0; k < r->spans; k++) {
        const int64_t step = r->stride[r->rank - 1][k];
        form.scalar[k] = r->scalar[k];
        form.step[k] = is_long && (step == 0 || step == r->item[k]) ? step : ASH__GPU_ANY;
        start[k] = r->scalar[k] ? 0 : r->place[k].start;
    }
    const texts context = {r, &form, element};
    char *const text = ash__gpu_text_of(r->work->function, put_text, &context);
    const ash_status status = text ? launch_from(r, &form, text, start, 0) : ASH_ERR_MEMORY;
    ash__free(text);
    return status;
}

ash_status ash__gpu_rows_zero(ash__gpu_work *w, void *memory, int64_t words)
{
    static const int64_t four = 4;
    ash__gpu_rows r = {.work = w};
    ash__gpu_rows_over(&r, &words, 1);
    ash__gpu_rows_add(&r, (ash__gpu_place){memory, 0}, &four, 4);
    return ash__gpu_rows_run(&r, "FN void element(MEMORY, const index *at, index i, const walk *w)\n"
                                 "{\n    *(G u32 *)P0 = 0;\n}\n");
}

/* ---- launches of their own */

static void put_call(ash__text *text, const void *context)
{
    const ash__gpu_call *const c = context;
    ash__gpu_put_head(text, c->f64, true);
    ash__gpu_put_text(text, c->defines);
    ash__gpu_put_text(text, ash__gpu_group_text);
    if (strstr(c->defines, "odd_bits"))
        ash__gpu_put_text(text, ash__gpu_odd_text);
    if (c->put)
        c->put(text, c->context);
    ash__gpu_put_text(text, c->text);
}

ash_status ash__gpu_call_run(const ash__gpu_call *c)
{
    const ash__launch l = {.kernel = c->kernel,
                           .global = {(size_t)(c->groups * c->local), (size_t)c->lines},
                           .local = (size_t)c->local,
                           .memories = c->memories,
                           .memory = c->memory,
                           .parameters = c->parameters,
                           .nbytes = c->nbytes};
    return ash__gpu_launch_text(c->work, put_call, c, &l);
}
