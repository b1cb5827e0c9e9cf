/* run.h - handing one task to the backend of a device, with the trace of it; and temporary arrays. */
#ifndef ASH__RUN_H
#define ASH__RUN_H
#include "backend/backend.h"
#include "core/array.h"
#include "expr/program.h"
#include "ops/task.h"

/* Do the device's tasks read and write the host's memory, and are done when they return? Else lists that tasks read are arrays
 * of the device, made by tasks. */
static inline bool ash__on_host(const ash_device *device)
{
    return device->backend == &ash__cpu_backend;
}

/* Runs a task, or queues it; with a line of trace. */
ash_status ash__run_on(ash_resources *resources, const ash__task *task);
/* to[i] = from[i] over one shape: bytes of one dtype, records too. */
ash_status ash__run_copy(const char *function, ash_resources *resources, const int64_t *shape, int64_t rank, ash__span to,
                         ash__span from);
/* out = program(operands) over one shape; a program that is one of its operands becomes a copy. */
ash_status ash__run_map(const char *function, ash_resources *resources, const int64_t *shape, int64_t rank,
                        const ash__program *program, int64_t count, const ash__span *operand, ash__span out);

/* A row-major array for use inside an operation, with the storage given: end it by ash_release. */
ash_array *ash__temporary(const char *function, ash_resources *resources, ash_storage storage, ash_dtype dtype,
                          const int64_t *shape, int64_t rank);
#endif
