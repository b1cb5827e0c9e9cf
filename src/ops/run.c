/*
 * run.c - handing one task to the backend of a device.
 *
 * Every operation of this folder ends here, so this is where a trace is printed. A device that cannot run a task says so
 * with ASH_ERR_UNSUPPORTED, and that is what the caller gets: no operation moves to another device by itself.
 */
#include "ops/run.h"

#include <stdio.h>

#include "core/error.h"
#include "core/text.h"

static const char *kind_name(ash__task_kind kind)
{
    static const char *const names[] = {
        [ASH__TASK_MAP] = "map",           [ASH__TASK_REDUCE] = "reduce",       [ASH__TASK_ARG] = "arg-reduce",
        [ASH__TASK_VARIANCE] = "variance", [ASH__TASK_SCAN] = "scan",           [ASH__TASK_COPY] = "copy",
        [ASH__TASK_GATHER] = "gather",     [ASH__TASK_SCATTER] = "scatter",     [ASH__TASK_SORT] = "sort",
        [ASH__TASK_SEARCH] = "search",     [ASH__TASK_HISTOGRAM] = "histogram", [ASH__TASK_SELECT] = "select",
        [ASH__TASK_RANDOM] = "random",     [ASH__TASK_PRODUCT] = "product",     [ASH__TASK_FACTOR] = "factor",
        [ASH__TASK_FOURIER] = "Fourier transform", [ASH__TASK_KERNEL] = "kernel",
    };
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

/* "ash_map: map over (2, 3), f32 f32 -> f32, 3 instructions on cpu:0", then the listing in one line */
static __attribute__((cold, noinline)) void trace(const ash_resources *r, const ash__task *t)
{
    char line[1024], shape[ASH__SHAPE_TEXT], listing[512];
    ash__text text = {line, sizeof line, 0};
    ash__put(&text, "%s: %s over %s,", t->function, kind_name(t->kind),
             ash__shape_text(shape, sizeof shape, t->shape, t->rank));
    for (int64_t k = 0; k < t->operand_count && k < 8; k++)
        ash__put(&text, " %s", ash_dtype_name(t->operand[k].dtype));
    if (t->operand_count > 8)
        ash__put(&text, " and %lld more", (long long)(t->operand_count - 8));
    ash__put(&text, " -> %s on %s", ash_dtype_name(t->out.dtype), r->device->name);
    if (t->program && t->program->copies < 0) {
        ash__program_format(listing, sizeof listing, t->program);
        for (char *p = listing; *p; p++)
            if (*p == '\n')
                *p = p[1] ? ';' : '\0';
        ash__put(&text, ", %d instruction%s: %s", (int)t->program->count, t->program->count == 1 ? "" : "s", listing);
    }
    fprintf(stderr, "%s\n", line);
}

ash_status ash__run_on(ash_resources *resources, const ash__task *task)
{
    if (__builtin_expect(ash__tracing(), 0))
        trace(resources, task);
    return resources->device->backend->run(resources, task);
}

ash_status ash__run_copy(const char *function, ash_resources *resources, const int64_t *shape, int64_t rank, ash__span to,
                         ash__span from)
{
    const ash__task task = {.kind = ASH__TASK_COPY,
                            .function = function,
                            .rank = rank,
                            .shape = shape,
                            .operand_count = 1,
                            .operand = &from,
                            .out = to};
    return ash__run_on(resources, &task);
}

ash_status ash__run_map(const char *function, ash_resources *resources, const int64_t *shape, int64_t rank,
                        const ash__program *program, int64_t count, const ash__span *operand, ash__span out)
{
    if (program->copies >= 0)
        return ash__run_copy(function, resources, shape, rank, out, operand[program->copies]);
    const ash__task task = {.kind = ASH__TASK_MAP,
                            .function = function,
                            .rank = rank,
                            .shape = shape,
                            .program = program,
                            .operand_count = count,
                            .operand = operand,
                            .out = out};
    return ash__run_on(resources, &task);
}

ash_array *ash__temporary(const char *function, ash_resources *resources, ash_storage storage, ash_dtype dtype,
                          const int64_t *shape, int64_t rank)
{
    const ash__make make = {.resources = resources, .dtype = dtype, .layout = ASH_ROW_MAJOR, .storage = storage};
    return ash__array_new(function, (ash_dims){shape, rank}, &make);
}
