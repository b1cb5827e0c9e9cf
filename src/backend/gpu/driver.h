/*
 * driver.h - what the GPU layer asks of a driver: the table that src/backend/opencl fills, and a CUDA driver later.
 *
 * A driver knows devices, queues, memory and compiled text; it knows nothing of arrays, dtypes or tasks. Every call is checked
 * inside it: what fails is reported with the name of the driver's function. `function` is the public function, for messages.
 */
#ifndef ASH__DRIVER_H
#define ASH__DRIVER_H
#include "backend/backend.h"

typedef struct ash__launch {
    const char *kernel;     /* its name in the text; NULL: run */
    size_t global[2], local; /* work-items along both axes, a multiple of `local` along the first; groups are local x 1 */
    int memories;
    void *const *memory;    /* the kernel's first arguments, from `share` */
    const void *parameters; /* its last one, a struct by value */
    size_t nbytes;          /* of the struct */
} ash__launch;

typedef struct ash__driver {
    /* An in-order queue. */
    ash_status (*queue_open)(const char *function, const ash_device *device, void **queue);
    void (*queue_close)(void *queue);
    /* Host memory as the device's own, not copied: the device may use it until `end_sharing`, the host after `wait`. */
    ash_status (*share)(const char *function, const ash_device *device, void *host, size_t nbytes, void **memory);
    void (*end_sharing)(void *memory);
    /* Kernel text, of one kernel or several. The compiler's own words are part of the error. */
    ash_status (*compile)(const char *function, const ash_device *device, const char *text, void **program);
    void (*program_free)(void *program);
    /* Queues. Of one program by one thread at a time. */
    ash_status (*launch)(const char *function, void *queue, void *program, const ash__launch *launch);
    /* Until all that was queued is done and the host sees what is in `memory`, of which nbytes are shared. */
    ash_status (*wait)(const char *function, void *queue, void *memory, size_t nbytes);
} ash__driver;
#endif
