/* buffer.h - one reference-counted allocation on a device, from a memory backend; and the pool. */
#ifndef ASH__BUFFER_H
#define ASH__BUFFER_H
#include <stdatomic.h>

#include "ashlar/device.h"

enum { ASH__ALIGN = 64 };

typedef struct ash__buffer {
    atomic_int refs;
    bool readonly;
    bool deferred;
    bool hosted; /* data is an address of the host's, which it may use when the backend has settled the buffer */
    void *data;  /* address: of the host, or in a range of addresses that stands for memory of the device */
    void *block; /* what the device has for data, of the pool's or of foreign memory that it knows; NULL: nothing */
    size_t nbytes;
    const ash_device *device;
    ash_memory *memory; /* where data came from; NULL: foreign, see deleter */
    void (*deleter)(void *context);
    void *context;
} ash__buffer;

/* nbytes may be 0 (a valid buffer all the same). NULL with a memory error that names the bytes asked for. */
ash__buffer *ash__buffer_new(const char *function, const ash_device *device, ash_memory *memory, ash_storage storage,
                             size_t nbytes);
/* Over foreign memory. On failure the deleter is not called. */
ash__buffer *ash__buffer_wrap(const char *function, const ash_device *device, void *data, size_t nbytes, bool readonly,
                              bool deferred, void (*deleter)(void *context), void *context);
ash__buffer *ash__buffer_retain(ash__buffer *buffer);
void ash__buffer_release(ash__buffer *buffer);
void ash__buffer_disclaim(ash__buffer *buffer); /* foreign memory is not given back after all: no deleter, no context */
#endif
