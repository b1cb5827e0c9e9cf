/* device.h - what a device and its resources are inside. */
#ifndef ASH__DEVICE_H
#define ASH__DEVICE_H
#include <stdatomic.h>

#include "ashlar/device.h"

struct ash__backend;
struct ash__pool;

struct ash_device {
    char name[64];            /* as it was opened: "cpu:0?f64=off" */
    char description[128];
    const struct ash__backend *backend;
    int index;
    int slot;                 /* number among all openings: finds a thread's default resources */
    bool f64, f16, unified;
    size_t memory;
    struct ash__pool *pool;   /* shared by all openings of one device */
    void *state;              /* the backend's */
};

struct ash_resources {
    atomic_int refs;
    bool lasting; /* a thread's default: not counted, for it is never freed; a later thread gets it again */
    const ash_device *device;
    void *queue; /* the backend's */
    atomic_int held; /* by ash_queue_hold: looks busy */
    struct ash_resources *next; /* default ones that no thread uses now */
};

static inline ash_resources *ash__resources_hold(ash_resources *r)
{
    if (!r->lasting)
        atomic_fetch_add(&r->refs, 1);
    return r;
}
/* Waits while ash_queue_hold makes resources look busy. */
void ash__wait_for_resume(ash_resources *r);
ash_resources *ash__resources_new(const char *function, const ash_device *device); /* the caller's */
/* The thread that these were the default of ends. NULL is fine. */
void ash__resources_retire(ash_resources *r);

const ash_device *ash__device_named(const char *function, const char *name);
/* The resources a call uses: the given ones, else this thread's current ones, else the default device's. NULL, with an
 * error, inside a block whose resources could not be made, or when the default device or storage is set wrongly. */
ash_resources *ash__resources_for(const char *function, ash_resources *given);
/* For an operation on arrays of `device`: given (which must be of that device), else the current ones if they are of that
 * device, else that device's default ones of this thread. */
ash_resources *ash__resources_on(const char *function, const ash_device *device, ash_resources *given);
/* Storage of a new array: given, else the default (ASHLAR_STORAGE, ash_set_default_storage); 0 with an error. */
ash_storage ash__storage_for(const char *function, ash_storage given);
/* Is host access to elements of a private array allowed now? */
bool ash__scalar_allowed(void);
/* The default device: what was set, else ASHLAR_DEVICE, else cpu:0. NULL with an error. */
const ash_device *ash__default_device(void);
const char *ash__chosen_device(void); /* the name of the one that the program set, or NULL */
/* dtype on device: ASH_OK, or a dtype error: no dtype at all, or one the device cannot compute. */
ash_status ash__check_dtype(const char *function, const ash_device *device, ash_dtype dtype);
bool ash__tracing(void);
#endif
