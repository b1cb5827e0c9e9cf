/*
 * safetensors.c (fuzz) - the safetensors reader on any bytes, as they are and with a true length of the header in front.
 *
 * The first byte chooses: whether the length is made right, mapped or read, and a dtype.
 */
#include "file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The header's length becomes that of the bytes up to the last '}', which gets the text past the first check. */
static uint8_t *with_length(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size);
    size_t length = 0;
    if (!copy)
        abort();
    memcpy(copy, data, size);
    for (size_t i = 8; i < size; i++)
        if (data[i] == '}')
            length = i + 1 - 8;
    for (int i = 0; i < 8; i++)
        copy[i] = (uint8_t)(length >> 8 * i);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 9)
        return 0;
    const ash_file_options options = {
        .struct_size = sizeof options, .mapped = data[0] & 2, .dtype = (ash_dtype)(data[0] & 4 ? data[0] >> 3 : 0)};
    uint8_t *copy = data[0] & 1 ? with_length(data + 1, size - 1) : NULL;
    const char *path = fuzz_file(copy ? copy : data + 1, size - 1);
    free(copy);
    fuzz_array(ash_read_safetensors_opt(path, "t", &options));
    fuzz_array(ash_read_safetensors_opt(path, NULL, &options));
    fuzz_tree(ash_load_safetensors_opt(path, &options));
    return 0;
}
