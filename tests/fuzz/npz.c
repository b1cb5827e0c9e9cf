/*
 * npz.c (fuzz) - the NPZ reader on any bytes. The first byte chooses: mapped or read.
 */
#include "file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const ash_file_options options = {.struct_size = sizeof options, .mapped = data[0] & 1};
    const char *path = fuzz_file(data + 1, size - 1);
    fuzz_array(ash_read_npz_opt(path, "w", &options));
    fuzz_array(ash_read_npz_opt(path, NULL, &options));
    fuzz_tree(ash_load_npz_opt(path, &options));
    return 0;
}
