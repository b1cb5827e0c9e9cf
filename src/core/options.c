/* options.c - reading an options struct of any version of the library. */
#include "core/options.h"

#include <string.h>

#include "core/error.h"

bool ash__read_options(const char *function, void *to, size_t size, const void *from)
{
    memset(to, 0, size);
    if (!from)
        return true;
    size_t given;
    memcpy(&given, from, sizeof given);
    if (given < sizeof(size_t) + sizeof(void *)) {
        ash__fail(ASH_ERR_ARGUMENT, function, "struct_size is %zu; set it to the size of the options struct", given);
        return false;
    }
    for (size_t i = size; i < given; i++)
        if (((const char *)from)[i]) {
            ash__fail(ASH_ERR_UNSUPPORTED, function, "an option at byte %zu is newer than this library", i);
            return false;
        }
    memcpy(to, from, given < size ? given : size);
    return true;
}
