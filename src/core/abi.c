/* abi.c - the record that a caller built against another version can check itself by. */
#include "ashlar/device.h"
#include "ashlar/error.h"

#define VERSION_MAJOR 0
#define VERSION_MINOR 1
#define VERSION_PATCH 0
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

_Static_assert(ASH_VERSION == 10000 * VERSION_MAJOR + 100 * VERSION_MINOR + VERSION_PATCH, "of the headers");

const ash_abi_record *ash_abi(void)
{
    static const ash_abi_record record = {
        .abi = ASH_ABI,
        .version = ASH_VERSION,
        .highest_rank = ASH_MAX_RANK,
        .backends = 3,
        .size_of_operand = sizeof(ash_operand),
        .size_of_index = sizeof(ash_index),
        .size_of_error = sizeof(ash_error),
        .size_of_dims = sizeof(ash_dims),
        .version_text = TEXT(VERSION_MAJOR) "." TEXT(VERSION_MINOR) "." TEXT(VERSION_PATCH),
    };
    return &record;
}
