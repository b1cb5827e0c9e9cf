/*
 * file.c - reading and writing files with errors that name the file and the system's reason.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"

enum {
    BLOCK = 1 << 16,
    SHOWN = 200,     /* bytes of a path: a message has 512 */
    SHOWN_PART = 100 /* bytes of the name of a part */
};

const char *ash__shown_path(const char *path)
{
    const size_t length = strlen(path);
    return length > SHOWN ? path + (length - SHOWN) : path;
}

ash_status ash__fail_at(const ash__place *place, ash_status status, const char *format, ...)
{
    char cause[400], part[SHOWN_PART + 24] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    if (place->part)
        snprintf(part, sizeof part, "%s %.*s: ", place->kind, (int)SHOWN_PART, place->part);
    return ash__fail(status, place->function, "%s%s%s%s", place->path ? ash__shown_path(place->path) : "",
                     place->path ? ": " : "", part, cause);
}

static ash_status io_fail(const char *function, const char *doing, const char *path)
{
    return ash__fail(ASH_ERR_IO, function, "cannot %s %s: %s", doing, ash__shown_path(path), strerror(errno));
}

/* ---- reading */

static ssize_t read_some(int fd, void *to, size_t n)
{
    ssize_t got;
    do
        got = read(fd, to, n < SSIZE_MAX ? n : SSIZE_MAX);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Reads to the end into *bytes, which has room for `room` bytes and one more and grows when the file does. */
static ash_status read_rest(const char *function, const char *path, int fd, char **bytes, size_t room, size_t *nbytes)
{
    size_t used = 0;
    for (;;) {
        if (used == room) {
            room = room < BLOCK ? BLOCK : room + room / 2;
            char *larger = ash__realloc(function, *bytes, (int64_t)room + 1, 1);
            if (!larger)
                return ASH_ERR_MEMORY;
            *bytes = larger;
        }
        const ssize_t got = read_some(fd, *bytes + used, room - used);
        if (got < 0)
            return io_fail(function, "read", path);
        if (got == 0)
            break;
        used += (size_t)got;
    }
    (*bytes)[used] = '\0';
    *nbytes = used;
    return ASH_OK;
}

ash_status ash__read_file(const char *function, const char *path, char **bytes, size_t *nbytes)
{
    *bytes = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return io_fail(function, "open", path);
    struct stat s;
    ash_status status = ASH_OK;
    /* one byte more than the file has, so that its end is seen without growing */
    const size_t room = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) ? (size_t)s.st_size + 1 : BLOCK;
    *bytes = ash__realloc(function, NULL, (int64_t)room + 1, 1);
    status = *bytes ? read_rest(function, path, fd, bytes, room, nbytes) : ASH_ERR_MEMORY;
    close(fd);
    if (status != ASH_OK) {
        ash__free(*bytes);
        *bytes = NULL;
    }
    return status;
}

ash_status ash__read_exactly(const char *function, const char *path, int fd, void *to, size_t n)
{
    for (char *p = to; n > 0;) {
        const ssize_t got = read_some(fd, p, n);
        if (got < 0)
            return io_fail(function, "read", path);
        if (got == 0)
            return ash__fail(ASH_ERR_IO, function, "%s ended %zu bytes early: it was cut while it was read",
                             ash__shown_path(path), n);
        p += got;
        n -= (size_t)got;
    }
    return ASH_OK;
}

/* ---- writing */

struct ash__writer {
    const char *function, *path;
    char *target;    /* path with symbolic links followed: they stay links */
    char *temporary; /* NULL: written directly */
    int fd;
    size_t used;
    ash_status status;
    char buffer[BLOCK];
};

static void set_failed(ash__writer *w, const char *doing)
{
    if (w->status == ASH_OK)
        w->status = io_fail(w->function, doing, w->path);
}

/* A new name beside target, and the file under it. */
static int open_temporary(ash__writer *w)
{
    static atomic_uint counter;
    const size_t room = strlen(w->target) + 48;
    w->temporary = ash__alloc(w->function, (int64_t)room, 1);
    if (!w->temporary) {
        w->status = ASH_ERR_MEMORY;
        return -1;
    }
    int fd;
    do {
        snprintf(w->temporary, room, "%s.%ld-%u.part", w->target, (long)getpid(), atomic_fetch_add(&counter, 1));
        fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

static bool writer_open(ash__writer *w)
{
    struct stat s;
    const bool exists = stat(w->path, &s) == 0;
    if (exists && !S_ISREG(s.st_mode)) {
        w->fd = open(w->path, O_WRONLY | O_CLOEXEC);
    } else if (exists && access(w->path, W_OK) != 0) {
        w->fd = -1; /* a rename would replace a read-only file */
    } else {
        char *real = exists ? realpath(w->path, NULL) : NULL;
        const char *target = real ? real : w->path;
        w->target = ash__alloc(w->function, (int64_t)strlen(target) + 1, 1);
        if (w->target)
            strcpy(w->target, target);
        free(real);
        if (!w->target) {
            w->status = ASH_ERR_MEMORY;
            return false;
        }
        w->fd = open_temporary(w);
        if (w->fd >= 0 && exists && fchmod(w->fd, s.st_mode & 07777) != 0)
            errno = 0; /* a file system without modes: the default ones have to do */
    }
    if (w->fd < 0 && w->status == ASH_OK)
        set_failed(w, "create");
    return w->fd >= 0;
}

ash_status ash__writer_open(const char *function, const char *path, ash__writer **writer)
{
    ash__writer *w = ash__alloc(function, 1, sizeof *w);
    if (!w)
        return ASH_ERR_MEMORY;
    w->function = function;
    w->path = path;
    if (writer_open(w)) {
        *writer = w;
        return ASH_OK;
    }
    const ash_status status = w->status;
    ash__free(w->temporary);
    ash__free(w->target);
    ash__free(w);
    return status;
}

static void write_all(ash__writer *w, const char *bytes, size_t n)
{
    while (n > 0 && w->status == ASH_OK) {
        const ssize_t done = write(w->fd, bytes, n < SSIZE_MAX ? n : SSIZE_MAX);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            set_failed(w, "write");
            return;
        }
        bytes += done;
        n -= (size_t)done;
    }
}

static void flush(ash__writer *w)
{
    write_all(w, w->buffer, w->used);
    w->used = 0;
}

void ash__writer_put(ash__writer *w, const void *bytes, size_t n)
{
    if (n > BLOCK - w->used)
        flush(w);
    if (n > BLOCK) {
        write_all(w, bytes, n);
        return;
    }
    memcpy(w->buffer + w->used, bytes, n);
    w->used += n;
}

static void put(void *to, const void *bytes, size_t n)
{
    ash__writer_put(to, bytes, n);
}

ash__sink ash__writer_sink(ash__writer *w)
{
    return (ash__sink){put, w};
}

void ash__writer_patch(ash__writer *w, size_t at, const void *bytes, size_t n)
{
    flush(w);
    for (const char *p = bytes; n > 0 && w->status == ASH_OK;) {
        const ssize_t done = pwrite(w->fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            set_failed(w, "write");
            return;
        }
        p += done;
        at += (size_t)done;
        n -= (size_t)done;
    }
}

ash_status ash__writer_close(ash__writer *w, bool keep)
{
    if (keep)
        flush(w);
    if (close(w->fd) != 0 && keep)
        set_failed(w, "write");
    if (w->temporary && keep && w->status == ASH_OK && rename(w->temporary, w->target) != 0)
        set_failed(w, "create");
    if (w->temporary && (!keep || w->status != ASH_OK))
        unlink(w->temporary);
    const ash_status status = w->status;
    ash__free(w->temporary);
    ash__free(w->target);
    ash__free(w);
    return status;
}
