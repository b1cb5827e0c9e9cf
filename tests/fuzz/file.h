/* file.h (fuzz) - an input as a file, for the readers of files. */
#ifndef ASHLAR_FUZZ_FILE_H
#define ASHLAR_FUZZ_FILE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <ashlar/ashlar.h>

static char fuzz_path[] = "/tmp/ashlar-fuzz-XXXXXX";

static void fuzz_remove(void)
{
    unlink(fuzz_path);
}

/* The path of a file of these bytes, the same one each time. */
static const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int fd = -1;
    if (fd < 0) {
        fd = mkstemp(fuzz_path);
        atexit(fuzz_remove);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    return fuzz_path;
}

/* An array, or else an error: what was taken can be shown. */
static void fuzz_array(ash_array *a)
{
    char text[4096];
    if (!a && !ash_failed())
        abort();
    if (a && ash_size(a) < 1000000)
        ash_format(text, sizeof text, a);
    ash_release(a);
    ash_error_clear();
}

/* The same of a tree, whose names are to be found in it. */
static void fuzz_tree(ash_tree *t)
{
    char text[4096];
    if (!t && !ash_failed())
        abort();
    if (t) {
        ash_tree_format(text, sizeof text, t);
        for (int64_t i = 0; i < ash_tree_count(t) && i < 100; i++)
            if (!ash_tree_child(t, ash_tree_name(t, i)))
                abort();
    }
    ash_tree_release(t);
    ash_error_clear();
}
#endif
