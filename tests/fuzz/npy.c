/*
 * npy.c (fuzz) - the NPY reader on any bytes, as they are and with options that the last byte chooses.
 */
#include <stdint.h>
#include <stdlib.h>

#include <ashlar/ashlar.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const uint8_t *data, size_t size, unsigned choice)
{
    const ash_file_options options = {
        .struct_size = sizeof options,
        .dtype = (ash_dtype)(choice % 32 < 27 ? choice % 32 : 0), /* 26 is no dtype */
        .layout = (ash_layout)(choice >> 5 & 3),
        .exact = choice >> 7,
    };
    ash_array *a = ash_parse_npy_opt(data, size, &options);
    if (a && ash_size(a) < 1000000) { /* what was taken can be shown */
        char text[4096];
        ash_format(text, sizeof text, a);
    }
    if (!a && !ash_failed())
        abort();
    ash_release(a);
    ash_error_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size, 0);
    if (size > 0 && data[size - 1])
        parse(data, size, data[size - 1]);
    return 0;
}
