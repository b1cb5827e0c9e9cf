/* file.h - whole files in, and files out that are complete or not there at all. */
#ifndef ASH__FILE_H
#define ASH__FILE_H
#include <stdbool.h>
#include <stddef.h>

#include "ashlar/base.h"

/* The path for a message: of a long one its end. */
const char *ash__shown_path(const char *path);

/* Where a fault is reported: the public function, the file unless the bytes were given in memory, and what in the file. */
typedef struct ash__place {
    const char *function, *path;
    const char *kind, *part; /* such as "tensor" and its name; NULL: the whole */
} ash__place;
ash_status ash__fail_at(const ash__place *place, ash_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* All bytes of a file, a pipe or a device, and one 0 behind them; to be given to ash__free. */
ash_status ash__read_file(const char *function, const char *path, char **bytes, size_t *nbytes);
/* Fills exactly n bytes from a descriptor; an io error when the file ends before. */
ash_status ash__read_exactly(const char *function, const char *path, int fd, void *to, size_t n);

/* Where bytes go. A failure is kept there until the end. */
typedef struct ash__sink {
    void (*put)(void *to, const void *bytes, size_t n);
    void *to;
} ash__sink;

/*
 * A file being written. Its bytes go to a temporary name in the same folder, which takes the place of `path` in one step when
 * all is well: a reader sees the old file or the new one. What is no regular file (a pipe, /dev/null) is written directly.
 */
typedef struct ash__writer ash__writer;
ash_status ash__writer_open(const char *function, const char *path, ash__writer **writer);
ash__sink ash__writer_sink(ash__writer *w);
void ash__writer_put(ash__writer *w, const void *bytes, size_t n); /* a failure is kept until the end */
/* Other bytes for those written at `at`: of a regular file only. */
void ash__writer_patch(ash__writer *w, size_t at, const void *bytes, size_t n);
ash_status ash__writer_close(ash__writer *w, bool keep); /* keep false: leaves the old file, if any, as it was */
#endif
