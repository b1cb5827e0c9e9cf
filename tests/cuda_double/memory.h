/*
 * memory.h - memory of the device. An address of the device's own is where the host has nothing to read: a host that follows it
 * crashes. Its bytes are elsewhere, where the interpreter finds them. Managed and pinned memory has one address for both.
 */
#ifndef DOUBLE_MEMORY_H
#define DOUBLE_MEMORY_H
#include <stdbool.h>

#include "lanes.h"

typedef enum { OF_DEVICE, OF_MANAGED, OF_HOST, OF_MODULE } range_kind;

typedef struct range {
    u64 address, nbytes;
    u8 *host; /* where the bytes are */
    struct context *context;
    void *stream; /* of a stream-ordered one: where it was taken */
    u32 serial;   /* the how-manieth allocation it was */
    u8 kind;
    bool pending; /* its queue has not come to it */
    bool leaving; /* given back by a queue that has not come to it */
    bool mapped;  /* host memory that kernels may use */
} range;

/* 0: there is no room. */
u64 memory_take(struct context *context, u64 nbytes, range_kind kind);
void memory_give(u64 address);
void memory_adopt(struct context *context, void *host, u64 nbytes); /* cuMemHostRegister */

/* The range that holds the address, or NULL. Of the device's memory what is pending counts. */
range *memory_find(u64 address);
/* As text: what is known of an address that is in no range, or what is wrong with nbytes there. */
const char *memory_words(u64 address, u64 nbytes, char *words, size_t room);
u64 memory_in_use(void);
u32 memory_changes(void);     /* another number after each change of the ranges */
range *memory_each(size_t k); /* NULL behind the last */
/* Managed memory of a context is the device's alone for a while, or the host's again. */
void memory_close(const struct context *context, bool closing);
bool memory_is_device(u64 address);
#endif
