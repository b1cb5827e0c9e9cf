/*
 * disk.c - compiled kernels in a folder, found by what they were made of.
 *
 * A file is a header, the identity, the text and the bytes; its name is the two hashes. Whoever reads compares all of the
 * identity and the text, and a sum over the file: a file that was cut off, or is another's, is as good as none and is written
 * again. A kernel is machine code, so files that others than the process's user own, or may write, are not read. A writer makes
 * a file of its own and then gives it its name at once, so readers see whole files or none. Who writes also looks whether all
 * files together are within the bound, and removes those that were used longest ago.
 */
#include "core/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ashlar/device.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/settings.h"
#include "core/trace.h"

enum {
    FOLDER = 1024, /* bytes of its path */
    NAME = 48,
    STALE = 600 /* seconds after which a writer's own file belongs to nobody */
};
static const size_t usual_limit = 256u << 20, longest = 256u << 20;
static const char magic[8] = {'A', 'S', 'H', 'K', 'E', 'R', 'N', '1'};

typedef struct header {
    char magic[8];
    uint64_t identity, text, bytes; /* lengths; the texts with their ends */
    uint64_t sum;                   /* of everything, this being 0 */
} header;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the settings */
static char folder[FOLDER];                              /* "": none */
static size_t limit;
static bool known, by_program; /* known: by the environment or the program */
static atomic_llong count[ASH__COMPILE_COUNTS];

uint64_t ash__hash(const void *bytes, size_t length)
{
    const char *at = bytes;
    uint64_t h = 0xcbf29ce484222325u, word = 0;
    for (; length >= sizeof word; at += sizeof word, length -= sizeof word) {
        memcpy(&word, at, sizeof word);
        h = (h ^ word) * 0x100000001b3u;
        h ^= h >> 32;
    }
    word = 0;
    memcpy(&word, at, length);
    return (h ^ word) * 0x100000001b3u;
}

/* ---- settings */

static ash_status set_folder(const char *function, const char *name, size_t nbytes)
{
    if (name && strlen(name) >= FOLDER)
        return ash__fail(ASH_ERR_ARGUMENT, function, "the folder's path has %zu bytes; at most %d are possible", strlen(name),
                         FOLDER - 1);
    snprintf(folder, FOLDER, "%s", name ? name : "");
    limit = nbytes ? nbytes : usual_limit;
    known = true;
    return ASH_OK;
}

ash_status ash_set_kernel_cache(const char *name, size_t nbytes)
{
    pthread_mutex_lock(&lock);
    const ash_status status = set_folder("ash_set_kernel_cache", name, nbytes);
    by_program |= !status;
    pthread_mutex_unlock(&lock);
    return status;
}

/* The lock is held. */
static ash_status ask_environment(void)
{
    int64_t nbytes = 0;
    const ash_status status = known ? ASH_OK : ash__setting_number("ASHLAR_KERNEL_CACHE_BYTES", 1, INT64_MAX, &nbytes);
    return known || status ? status : set_folder("ASHLAR_KERNEL_CACHE", getenv("ASHLAR_KERNEL_CACHE"), (size_t)nbytes);
}

ash_status ash__disk_open(bool *on)
{
    pthread_mutex_lock(&lock);
    const ash_status status = ask_environment();
    *on = !status && folder[0];
    pthread_mutex_unlock(&lock);
    return status;
}

const char *ash__disk_words(char *text, size_t size, size_t *bound, bool *set)
{
    pthread_mutex_lock(&lock);
    const char *const word = known ? folder : getenv("ASHLAR_KERNEL_CACHE");
    snprintf(text, size, "%s", word && *word ? word : "off");
    *bound = known ? limit : usual_limit;
    *set = by_program;
    pthread_mutex_unlock(&lock);
    return text;
}

/* ---- counts */

void ash__compile_counts(ash__compile_count what)
{
    atomic_fetch_add_explicit(&count[what], 1, memory_order_relaxed);
}

ash_status ash_compile_stats(ash_compile_info *info, size_t size)
{
    if (!info)
        return ash__null("ash_compile_stats", "info");
    const ash_compile_info now = {.compiled = atomic_load(&count[ASH__COMPILED]),
                                  .loaded = atomic_load(&count[ASH__LOADED]),
                                  .stored = atomic_load(&count[ASH__STORED]),
                                  .rejected = atomic_load(&count[ASH__REJECTED]),
                                  .unstored = atomic_load(&count[ASH__UNSTORED])};
    memset(info, 0, size);
    memcpy(info, &now, size < sizeof now ? size : sizeof now);
    return ASH_OK;
}

/* ---- the folder */

/* -1: there is none. */
static int open_folder(bool make, size_t *bound)
{
    char name[FOLDER];
    pthread_mutex_lock(&lock);
    memcpy(name, folder, FOLDER);
    *bound = limit;
    pthread_mutex_unlock(&lock);
    if (!name[0])
        return -1;
    if (make && mkdir(name, 0700) && errno != EEXIST)
        return -1;
    return open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void name_of(char name[NAME], const char *identity, const char *text)
{
    const int n = snprintf(name, NAME, "%016llx-", (unsigned long long)ash__hash(identity, strlen(identity)));
    if (text)
        snprintf(name + n, (size_t)(NAME - n), "%016llx.ashk", (unsigned long long)ash__hash(text, strlen(text)));
}

static bool is_ours(const char *name)
{
    const size_t length = strlen(name);
    return (length == 38 && name[16] == '-' && strspn(name, "0123456789abcdef-") == 33 && !strcmp(name + 33, ".ashk")) ||
           (!strncmp(name, "tmp-", 4) && length > 9 && !strcmp(name + length - 5, ".ashk"));
}

/* ---- reading */

/* A failure is no error of the call's. */
static void *take(size_t nbytes)
{
    return ash__allocation_fails() ? NULL : malloc(nbytes);
}

static uint64_t sum_of(const header *h, const void *rest, size_t nbytes)
{
    header plain = *h;
    plain.sum = 0;
    return ash__hash(&plain, sizeof plain) ^ ash__hash(rest, nbytes) * 3;
}

/* The file's content behind the header, to be freed; NULL: it is none. */
static char *read_rest(int file, const header *h, size_t nbytes)
{
    char *const rest = take(nbytes + 1);
    size_t at = 0;
    if (rest)
        rest[nbytes] = 0; /* the texts have an end, whatever the header says */
    for (ssize_t n = 1; rest && at < nbytes && n > 0; at += n > 0 ? (size_t)n : 0)
        n = read(file, rest + at, nbytes - at);
    if (rest && at == nbytes && sum_of(h, rest, nbytes) == h->sum)
        return rest;
    free(rest);
    return NULL;
}

static bool is_trusted(int file, struct stat *about)
{
    return !fstat(file, about) && S_ISREG(about->st_mode) && about->st_uid == geteuid() && !(about->st_mode & 022) &&
           (size_t)about->st_size >= sizeof(header) && (size_t)about->st_size <= longest;
}

static bool is_whole(const header *h, size_t rest)
{
    return !memcmp(h->magic, magic, sizeof magic) && h->identity && h->text && h->identity <= rest && h->text <= rest &&
           h->bytes <= rest && h->identity + h->text + h->bytes == rest;
}

/* text NULL: any. *found: there is such a file, of whatever content. */
static bool read_entry(int directory, const char *name, const char *identity, const char *text, ash__disk_entry *entry,
                       void **held, bool *found)
{
    struct stat about;
    header h;
    char *rest = NULL;
    const int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *found = file >= 0 || errno != ENOENT;
    if (file < 0)
        return false;
    if (is_trusted(file, &about) && read(file, &h, sizeof h) == (ssize_t)sizeof h &&
        is_whole(&h, (size_t)about.st_size - sizeof h))
        rest = read_rest(file, &h, (size_t)about.st_size - sizeof h);
    const bool same = rest && !strcmp(rest, identity) && strlen(rest) + 1 == h.identity &&
                      strlen(rest + h.identity) + 1 == h.text && (!text || !strcmp(rest + h.identity, text));
    if (same) {
        futimens(file, NULL); /* used now */
        *entry = (ash__disk_entry){rest + h.identity, rest + h.identity + h.text, h.bytes};
        *held = rest;
    } else {
        free(rest);
    }
    close(file);
    return same;
}

bool ash__disk_get(const char *identity, const char *text, ash__disk_entry *entry, void **held)
{
    char name[NAME];
    size_t bound;
    bool found = false;
    const int directory = open_folder(false, &bound);
    if (directory < 0)
        return false;
    name_of(name, identity, text);
    const bool read = read_entry(directory, name, identity, text, entry, held, &found);
    close(directory);
    if (found && !read) {
        ash__compile_counts(ASH__REJECTED);
        if (ash__tracing())
            ash__trace_event("rejected", NULL, NULL, "file", name);
    }
    return read;
}

/* ---- all files */

typedef struct found {
    char name[NAME];
    struct timespec used;
    size_t nbytes;
} found;

static int by_age(const void *a, const void *b)
{
    const struct timespec x = ((const found *)a)->used, y = ((const found *)b)->used;
    if (x.tv_sec != y.tv_sec)
        return x.tv_sec < y.tv_sec ? -1 : 1;
    return x.tv_nsec < y.tv_nsec ? -1 : x.tv_nsec > y.tv_nsec;
}

static void add_found(found **list, int64_t *files, int64_t *room, const char *name, const struct stat *about)
{
    if (*files == *room) {
        found *const longer = ash__allocation_fails() ? NULL : realloc(*list, (size_t)(2 * *room + 64) * sizeof **list);
        if (!longer)
            return;
        *list = longer;
        *room = 2 * *room + 64;
    }
    found *const f = &(*list)[(*files)++];
    snprintf(f->name, NAME, "%s", name);
    f->used = about->st_mtim;
    f->nbytes = (size_t)about->st_size;
}

/* Our files whose names begin so, the oldest first. Writers' own that belong to nobody any more are removed. */
static found *list_files(int directory, const char *start, int64_t *files)
{
    found *list = NULL;
    int64_t room = 0;
    struct stat about;
    const int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const open = again < 0 ? NULL : fdopendir(again);
    *files = 0;
    if (!open && again >= 0)
        close(again);
    for (const struct dirent *e; open && (e = readdir(open));) {
        if (!is_ours(e->d_name) || strlen(e->d_name) >= NAME || strncmp(e->d_name, start, strlen(start)) ||
            fstatat(directory, e->d_name, &about, AT_SYMLINK_NOFOLLOW) || !S_ISREG(about.st_mode))
            continue;
        if (e->d_name[0] == 't' && time(NULL) - about.st_mtime > STALE)
            unlinkat(directory, e->d_name, 0);
        else
            add_found(&list, files, &room, e->d_name, &about);
    }
    if (open)
        closedir(open);
    if (list)
        qsort(list, (size_t)*files, sizeof *list, by_age);
    return list;
}

void ash__disk_each(const char *identity, bool (*each)(void *context, const ash__disk_entry *entry), void *context)
{
    char start[NAME];
    size_t bound;
    int64_t files = 0;
    bool on = true;
    const int directory = open_folder(false, &bound);
    if (directory < 0)
        return;
    name_of(start, identity, NULL);
    found *const list = list_files(directory, start, &files);
    for (int64_t k = files - 1; k >= 0 && on; k--) {
        ash__disk_entry entry;
        void *held = NULL;
        bool there = false;
        if (!read_entry(directory, list[k].name, identity, NULL, &entry, &held, &there))
            continue;
        on = each(context, &entry);
        free(held);
    }
    free(list);
    close(directory);
}

/* ---- writing */

/* Removes what was used longest ago until all is within the bound. */
static void keep_bound(int directory, size_t bound)
{
    int64_t files = 0;
    size_t sum = 0;
    found *const list = list_files(directory, "", &files);
    for (int64_t k = 0; k < files; k++)
        sum += list[k].nbytes;
    for (int64_t k = 0; k < files && sum > bound; k++)
        if (list[k].name[0] != 't' && !unlinkat(directory, list[k].name, 0))
            sum -= list[k].nbytes;
    free(list);
}

static bool write_all(int file, const void *bytes, size_t nbytes)
{
    const char *at = bytes;
    for (ssize_t n = 0; nbytes; at += n, nbytes -= (size_t)n)
        if ((n = write(file, at, nbytes)) <= 0)
            return false;
    return true;
}

static bool write_file(int directory, const char *name, const header *h, const char *rest, size_t nbytes)
{
    static atomic_uint number;
    char own[NAME];
    snprintf(own, NAME, "tmp-%ld-%u.ashk", (long)getpid(), atomic_fetch_add(&number, 1));
    const int file = openat(directory, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    const bool written = write_all(file, h, sizeof *h) && write_all(file, rest, nbytes);
    const bool closed = close(file) == 0;
    if (written && closed && !renameat(directory, own, directory, name))
        return true;
    unlinkat(directory, own, 0);
    return false;
}

void ash__disk_put(const char *identity, const ash__disk_entry *entry)
{
    header h = {.identity = strlen(identity) + 1, .text = strlen(entry->text) + 1, .bytes = entry->nbytes};
    const size_t nbytes = (size_t)(h.identity + h.text + h.bytes);
    char name[NAME];
    size_t bound = 0;
    const int directory = open_folder(true, &bound);
    char *const rest = directory >= 0 && nbytes + sizeof h <= (bound < longest ? bound : longest) ? take(nbytes) : NULL;
    if (rest) {
        memcpy(h.magic, magic, sizeof magic);
        memcpy(rest, identity, h.identity);
        memcpy(rest + h.identity, entry->text, h.text);
        memcpy(rest + h.identity + h.text, entry->bytes, h.bytes);
        h.sum = sum_of(&h, rest, nbytes);
    }
    name_of(name, identity, entry->text);
    const bool written = rest && write_file(directory, name, &h, rest, nbytes);
    ash__compile_counts(written ? ASH__STORED : ASH__UNSTORED);
    if (written)
        keep_bound(directory, bound);
    else if (ash__tracing())
        ash__trace_event("not stored", NULL, NULL, "file", name);
    free(rest);
    if (directory >= 0)
        close(directory);
}
