/*
 * run.c - handing one task to the backend of a device.
 *
 * Every operation of this folder ends here, so this is where a trace tells of it. A device that cannot run a task says so
 * with ASH_ERR_UNSUPPORTED, and that is what the caller gets: no operation moves to another device by itself.
 */
#include "ops/run.h"

#include "core/error.h"
#include "core/trace.h"

static const char *kind_name(ash__task_kind kind)
{
    static const char *const names[] = {
        [ASH__TASK_MAP] = "map",
        [ASH__TASK_REDUCE] = "reduce",
        [ASH__TASK_ARG] = "arg-reduce",
        [ASH__TASK_VARIANCE] = "variance",
        [ASH__TASK_SCAN] = "scan",
        [ASH__TASK_COPY] = "copy",
        [ASH__TASK_GATHER] = "gather",
        [ASH__TASK_SCATTER] = "scatter",
        [ASH__TASK_SORT] = "sort",
        [ASH__TASK_SEARCH] = "search",
        [ASH__TASK_HISTOGRAM] = "histogram",
        [ASH__TASK_SELECT] = "select",
        [ASH__TASK_RANDOM] = "random",
        [ASH__TASK_PRODUCT] = "product",
        [ASH__TASK_FACTOR] = "factor",
        [ASH__TASK_FOURIER] = "Fourier transform",
        [ASH__TASK_KERNEL] = "kernel",
    };
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

static void put_dtypes(ash__trace *trace, const ash__task *t)
{
    enum { MOST = 8 };
    ash__trace_key(trace, "operands");
    for (int64_t k = 0; k < t->operand_count && k < MOST; k++) {
        ash__put(&trace->text, k ? "," : "[");
        ash__trace_string(trace, ash_dtype_name(t->operand[k].dtype), ASH__TRACE_NAME);
    }
    ash__put(&trace->text, t->operand_count > 0 ? "]" : "[]");
    if (t->operand_count > MOST)
        ash__trace_number(trace, "more_operands", t->operand_count - MOST);
    ash__trace_key(trace, "result");
    ash__trace_string(trace, ash_dtype_name(t->out.dtype), ASH__TRACE_NAME);
}

static __attribute__((cold, noinline)) void trace(const ash_resources *r, const ash__task *t, double start, ash_status status)
{
    char listing[ASH__TRACE_WORDS + 16];
    ash__trace trace;
    ash__trace_begin(&trace, "task", t->function, r->device);
    ash__trace_words(&trace, "kind", kind_name(t->kind));
    ash__trace_numbers(&trace, "shape", t->shape, t->rank);
    put_dtypes(&trace, t);
    if (t->program && t->program->copies < 0) {
        ash__program_format(listing, sizeof listing, t->program);
        ash__trace_number(&trace, "instructions", t->program->count);
        ash__trace_words(&trace, "program", listing);
    }
    if (status)
        ash__trace_words(&trace, "failed", ash_status_name(status));
    ash__trace_time(&trace, start);
    ash__trace_end(&trace);
}

static __attribute__((cold, noinline)) ash_status run_and_tell(ash_resources *resources, const ash__task *task)
{
    const double start = ash__trace_clock();
    const ash_status status = resources->device->backend->run(resources, task);
    trace(resources, task, start, status);
    return status;
}

ash_status ash__run_on(ash_resources *resources, const ash__task *task)
{
    if (__builtin_expect(ash__tracing(), 0))
        return run_and_tell(resources, task);
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
