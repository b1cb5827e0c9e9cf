/*
 * csv.c (fuzz) - the CSV reader on any bytes. The first two choose the options, the rest is the text.
 */
#include <stdint.h>
#include <stdlib.h>

#include <ashlar/ashlar.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char separators[] = {0, ';', ' ', '\t'};
    static const char *const columns[] = {NULL, "0", "-1", "0:2", ":", "a", "\"b\",0", "x,"};
    if (size < 2)
        return 0;
    const ash_csv_options options = {
        .struct_size = sizeof options,
        .dtype = (ash_dtype)(data[0] % 27), /* 26 is no dtype */
        .separator = separators[data[0] >> 6],
        .columns = columns[data[1] & 7],
        .header = data[1] >> 3 & 1 ? data[1] >> 4 & 3 : 0,
        .comment = data[1] >> 5 & 1 ? '#' : 0,
        .exact = data[1] >> 6 & 1,
        .skip = data[1] >> 7 & 1,
    };
    ash_array *a = ash_parse_csv_opt((const char *)data + 2, size - 2, &options);
    if (a) { /* what was taken can be shown */
        char text[4096];
        ash_format(text, sizeof text, a);
    }
    if (!a && !ash_failed())
        abort();
    ash_release(a);
    ash_error_clear();
    return 0;
}
