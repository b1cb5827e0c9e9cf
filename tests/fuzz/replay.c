/*
 * replay.c - runs a fuzz target over every file of a folder: the kept corpus as an ordinary test, without libFuzzer.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0; /* a folder, or gone */
    size_t size = 0, room = 1 << 20;
    uint8_t *data = malloc(room);
    if (data)
        size = fread(data, 1, room, file);
    fclose(file);
    uint8_t *exact = malloc(size + !size); /* a block of its own, so that a read past its end is seen */
    if (!data || !exact) {
        free(data);
        free(exact);
        return -1;
    }
    memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

int main(int argc, char **argv)
{
    int files = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof path)
            continue;
        const int one = replay(path);
        if (one < 0)
            return 1;
        files += one;
    }
    closedir(folder);
    printf("%d inputs\n", files);
    return files == 0;
}
