/* extend.c - what other libraries need in order to look like this one. */
#include "ashlar/extend.h"

#include <string.h>

#include "ashlar/device.h"
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"

ash_status ash_raise(ash_status status, const char *function, const char *cause)
{
    const bool failure = status > ASH_OK && status <= ASH_ERR_INTERNAL;
    return ash__fail(failure ? status : ASH_ERR_INTERNAL, function ? function : "", "%s", cause ? cause : "");
}

bool ash_read_options(const char *function, void *to, size_t size, const void *from)
{
    return ash__read_options(function, to, size, from);
}

ash_status ash_elements_of(const char *function, const char *name, const ash_array *a, bool writes, ash_elements *elements,
                           size_t size)
{
    ash_status status = writes ? ash__check_writable(function, name, a) : ash__check_array(function, name, a);
    if (!status)
        status = ash__host_wait(function, a, (writes ? ASH__READ_WRITE : ASH__READ) | ASH__ASKED);
    if (status)
        return status;
    const ash_elements found = {.first = a->buffer->hosted ? ash__data(a) : NULL,
                                .shape = a->shape,
                                .byte_stride = a->stride,
                                .rank = a->rank,
                                .size = a->size,
                                .dtype = a->dtype,
                                .storage = a->storage,
                                .conjugated = a->conjugated && ash__is_complex(a->dtype)};
    memset(elements, 0, size);
    memcpy(elements, &found, size < sizeof found ? size : sizeof found);
    return ASH_OK;
}
