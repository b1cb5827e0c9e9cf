/*
 * npy.c (fuzz) - the NPY reader on any bytes. The first chooses the dtype that is asked for, the rest is the file.
 */
#include <stdint.h>
#include <stdlib.h>

#include <ashlar/ashlar.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const ash_npy_options options = {
        .struct_size = sizeof options,
        .dtype = (ash_dtype)(data[0] & 31 ? data[0] % 27 : 0),
        .layout = (ash_layout)(data[0] >> 5 & 3),
        .exact = data[0] >> 7,
    };
    ash_array *a = ash_parse_npy_opt(data + 1, size - 1, &options);
    if (a && ash_size(a) < 1000000) { /* what was taken can be shown */
        char text[4096];
        ash_format(text, sizeof text, a);
    }
    if (!a && !ash_failed())
        abort();
    ash_release(a);
    ash_error_clear();
    return 0;
}
