/* files.h - a folder of files that a test makes, and that is gone when the tests have run. */
#ifndef ASHLAR_TEST_FILES_H
#define ASHLAR_TEST_FILES_H
#include "test.h"

#include <unistd.h>

static char folder[] = "/tmp/ashlar-test-XXXXXX";

TEST_USE static const char *path_of(const char *name)
{
    static char path[4][256];
    static int turn;
    char *to = path[turn++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

TEST_USE static const char *put_file(const char *name, const void *bytes, size_t n)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
    return path;
}
/* The bytes of a file, to be freed. */
TEST_USE static unsigned char *get_file(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    CHECK(file && fseek(file, 0, SEEK_END) == 0);
    *n = (size_t)ftell(file);
    unsigned char *bytes = malloc(*n + 1);
    rewind(file);
    CHECK(bytes && fread(bytes, 1, *n, file) == *n && fclose(file) == 0);
    return bytes;
}

/* path holds exactly these bytes. */
TEST_USE static void check_bytes(const char *path, const void *want, size_t n, const char *name)
{
    size_t length, at = 0;
    unsigned char *got = get_file(path, &length);
    while (at < n && at < length && got[at] == ((const unsigned char *)want)[at])
        at++;
    free(got);
    if (length != n || at != n)
        FAIL("%s: %zu bytes, not %zu; the first difference is at byte %zu", name, length, n, at);
}

TEST_USE static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}
TEST_USE static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}
#endif
