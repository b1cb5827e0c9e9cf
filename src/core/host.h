/*
 * host.h - elements of an array where the host can read and write them.
 *
 * An address of ash__data may be one of the device's, and work that is queued may still read or write what is there. So whoever
 * looks at elements opens the array first:
 *
 *     ash__host h;
 *     ash_status status = ash__host_open(&h, function, a, ASH__READ);
 *     if (!status)
 *         ... h.data, with a's shape and byte strides ...
 *     return ash__host_close(&h, status);
 *
 * Memory that the host cannot reach is copied there, and back if it was opened for writing.
 */
#ifndef ASH__HOST_H
#define ASH__HOST_H
#include "core/array.h"

typedef enum ash__access {
    ASH__READ = 1,
    ASH__WRITE = 2, /* every element is going to be written */
    ASH__READ_WRITE = 3,
    /* Else the access is implicit, and counted: see implicit.h. */
    ASH__ASKED = 4, /* the caller wants it: that is what the function is for; or it has failed, and the message needs it */
    ASH__OWN = 8    /* numbers of the operation's own, not elements of anybody's array: it may wait for them */
} ash__access;

typedef struct ash__host {
    const char *function;
    const ash_array *array;
    ash__access access;
    char *data;    /* the first element */
    char *copy;    /* NULL: at its own address */
    size_t offset; /* of the copy in the buffer, bytes */
    size_t nbytes;
} ash__host;

/* The array has been checked. */
ash_status ash__host_open(ash__host *h, const char *function, const ash_array *a, ash__access access);
/* Returns status, or what went wrong here. Also after a failed open. */
ash_status ash__host_close(ash__host *h, ash_status status);
/* The first element at its own address, for host code that is given no copies: an unsupported error, and NULL, where the host
 * cannot reach the memory. */
char *ash__host_at(const char *function, const ash_array *a, ash__access access);
/* One element, whose address is `at`, of any storage. access: ASH__ASKED, ASH__OWN or ASH__READ. What is put was asked for. */
ash_status ash__host_get(const char *function, const ash_array *a, const char *at, ash__access access, void *element);
ash_status ash__host_put(const char *function, const ash_array *a, char *at, const void *element);
/* Waits until nothing that is queued still writes the elements, or for ASH__WRITE reads them. */
ash_status ash__host_wait(const char *function, const ash_array *a, ash__access access);
#endif
