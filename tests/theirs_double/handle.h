/* handle.h - the handles of doubles whose library works in the stream that a handle was told. */
#ifndef HANDLE_H
#define HANDLE_H
#include "reach.h"

enum { NOT_INITIALIZED = 1 }; /* of cuBLAS and of cuSOLVER */

typedef struct handle {
    uint32_t magic; /* of the library */
    void *stream;
} handle;

static int make_handle(void **result, uint32_t magic, const char *variable)
{
    if (fault(variable, "create"))
        return fault(variable, "create");
    handle *const h = calloc(1, sizeof *h);
    if (!h || find_driver())
        return NOT_INITIALIZED;
    h->magic = magic;
    *result = h;
    return 0;
}

static int set_stream(void *which, uint32_t magic, void *stream)
{
    handle *const h = which;
    if (!h || h->magic != magic)
        return NOT_INITIALIZED;
    h->stream = stream;
    return 0;
}

static int has_stream(const handle *h, uint32_t magic)
{
    return h && h->magic == magic && h->stream;
}
#endif
