/*
 * implicit.h - what operations do behind their callers' backs on a device that is not the host: tasks done by the host,
 * elements copied to and from it, waits. Counted, and errors where the program or ASHLAR_FORBID says so.
 *
 * What a call is there for is not implicit: access to elements that the caller asked for, and ash_sync and ash_wait.
 */
#ifndef ASH__IMPLICIT_H
#define ASH__IMPLICIT_H
#include <stdbool.h>

#include "ashlar/array.h"
#include "ashlar/device.h"

extern _Thread_local int ash__asked; /* above 0: this thread's caller asked for what is done now */

static inline bool ash__is_asked(void)
{
    return ash__asked > 0;
}

/* Counts; errors where it is forbidden. */
ash_status ash__implicit_host(const char *function, const ash_device *device, const char *why);
ash_status ash__implicit_copy(const char *function, const ash_array *a, size_t nbytes, bool to_host);
/* Nothing yet: for a place from which a call can return before it has begun what it would wait for. */
ash_status ash__implicit_may_wait(const char *function, const ash_device *device);
void ash__implicit_waits(void); /* counts a wait */
/* "host,wait", or NULL with the environment's word where it is wrong; set: by the program. */
const char *ash__forbidden_words(char text[24], bool *by_program);
#endif
