/*
 * zip_read.c - the members of a ZIP archive (PKWARE's APPNOTE 6.3, with ZIP64): the directory here, deflate and the checksum
 * by zlib.
 *
 * Nothing that the archive says is believed: the directory lies in the file, a stored member has as many bytes as it takes, a
 * deflated one at most 1032 times as many (the most that deflate can do: zlib, "Maximum Compression Factor"), members lie
 * before the directory, their local headers say what the directory says, and no two have one name. Names are keys and nothing
 * else: no member ever becomes a file.
 */
#include "io/zip.h"

#ifdef ASH__WITH_NPZ
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "io/zip_format.h"

enum {
    DEFLATE_FACTOR = 1032,
    BLOCK = 1 << 16,
    AT_ONCE = 1 << 30, /* bytes that one call of zlib is asked for */
    LONGEST_COMMENT = 65535,
    ENCRYPTED = 1 /* bit of a member's flags */
};

/* ---- the file */

/* n bytes from `at` on; all of them are in the file. */
static ash_status read_at(const ash__source *file, size_t at, void *to, size_t n)
{
    if (file->memory) {
        memcpy(to, file->memory + at, n);
        return ASH_OK;
    }
    for (char *p = to; n > 0;) {
        const ssize_t got = pread(file->fd, p, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return ash__fail_at(&file->place, ASH_ERR_IO, "cannot be read: %s",
                                got < 0 ? strerror(errno) : "it was cut while it was read");
        p += got;
        at += (size_t)got;
        n -= (size_t)got;
    }
    return ASH_OK;
}

static uint64_t number(const void *bytes, int n)
{
    const unsigned char *p = bytes;
    uint64_t x = 0;
    for (int i = 0; i < n; i++)
        x |= (uint64_t)p[i] << 8 * i;
    return x;
}

static ash_status damaged(const ash__source *file, const char *what)
{
    return ash__fail_at(&file->place, ASH_ERR_FORMAT, "the directory of the archive is damaged: %s", what);
}

/* ---- where the directory is */

typedef struct extent {
    uint64_t disk, count, nbytes, at;
    size_t end; /* of what may be the directory's */
} extent;

/* The record at the end, before a comment that reaches the end of the file. */
static ash_status find_end(const ash__source *file, size_t *at, unsigned char record[ASH__ZIP_END])
{
    const size_t room = file->size < ASH__ZIP_END + LONGEST_COMMENT ? file->size : ASH__ZIP_END + LONGEST_COMMENT;
    unsigned char *tail = ash__alloc(file->place.function, (int64_t)room, 1);
    ash_status status = tail ? read_at(file, file->size - room, tail, room) : ASH_ERR_MEMORY;
    bool found = false;
    for (size_t i = ASH__ZIP_END; status == ASH_OK && !found && i <= room; i++) {
        const unsigned char *p = tail + room - i;
        found = memcmp(p, "PK\5\6", 4) == 0 && number(p + 20, 2) == i - ASH__ZIP_END;
        if (found)
            memcpy(record, p, ASH__ZIP_END);
        *at = file->size - i;
    }
    ash__free(tail);
    if (status == ASH_OK && !found)
        status = ash__fail_at(&file->place, ASH_ERR_FORMAT, "no NPZ file: a ZIP archive's directory is not found");
    return status;
}

/* The same numbers with 64 bits, for archives that need them. */
static ash_status take_wide_end(const ash__source *file, size_t end, extent *e)
{
    unsigned char record[ASH__ZIP_WIDE_END];
    if (end < ASH__ZIP_LOCATOR)
        return ASH_OK;
    ash_status status = read_at(file, end - ASH__ZIP_LOCATOR, record, ASH__ZIP_LOCATOR);
    if (status != ASH_OK || memcmp(record, "PK\6\7", 4) != 0)
        return status;
    const uint64_t at = number(record + 8, 8);
    if (at > end - ASH__ZIP_LOCATOR || end - ASH__ZIP_LOCATOR - at < ASH__ZIP_WIDE_END)
        return damaged(file, "its end is not where it is said to be");
    status = read_at(file, (size_t)at, record, ASH__ZIP_WIDE_END);
    if (status == ASH_OK && memcmp(record, "PK\6\6", 4) != 0)
        status = damaged(file, "its end is not where it is said to be");
    if (status == ASH_OK)
        *e = (extent){number(record + 16, 4) | number(record + 20, 4), number(record + 32, 8), number(record + 40, 8),
                      number(record + 48, 8), (size_t)at};
    return status;
}

static ash_status find_directory(const ash__source *file, extent *e)
{
    unsigned char record[ASH__ZIP_END] = {0};
    size_t at = 0;
    ash_status status = find_end(file, &at, record);
    if (status != ASH_OK)
        return status;
    *e = (extent){number(record + 4, 2) | number(record + 6, 2), number(record + 10, 2), number(record + 12, 4),
                  number(record + 16, 4), at};
    if (e->count == 0xFFFF || e->nbytes == 0xFFFFFFFF || e->at == 0xFFFFFFFF)
        status = take_wide_end(file, at, e);
    if (status != ASH_OK)
        return status;
    if (e->disk != 0)
        return ash__fail_at(&file->place, ASH_ERR_UNSUPPORTED, "the archive is one part of several");
    if (e->at > e->end || e->nbytes > e->end - e->at)
        return damaged(file, "it is said to be beyond the end");
    if (e->count > e->nbytes / ASH__ZIP_ENTRY)
        return damaged(file, "it has no room for as many members as it is said to have");
    return ASH_OK;
}

/* ---- its entries */

/* Sizes and place that are 2^32 - 1 stand in an extra field, in this order. */
static bool take_wide(const unsigned char *extra, size_t n, uint64_t *const value[3])
{
    while (n >= 4) {
        const uint64_t id = number(extra, 2);
        size_t left = (size_t)number(extra + 2, 2);
        if (left > n - 4)
            return false;
        const unsigned char *p = extra + 4;
        extra += 4 + left;
        n -= 4 + left;
        for (int i = 0; id == ASH__ZIP_WIDE && i < 3; i++)
            if (*value[i] == 0xFFFFFFFF) {
                if (left < 8)
                    return false;
                *value[i] = number(p, 8);
                p += 8;
                left -= 8;
            }
        if (id == ASH__ZIP_WIDE)
            return true;
    }
    return true;
}

static ash_status check_member(const ash__source *file, const ash__member *m, size_t directory_at)
{
    const ash__place place = {file->place.function, file->place.path, "member", m->name};
    if (m->header > directory_at || directory_at - m->header < ASH__ZIP_LOCAL ||
        m->packed > directory_at - m->header - ASH__ZIP_LOCAL)
        return ash__fail_at(&place, ASH_ERR_FORMAT, "its %zu bytes do not lie before the directory", m->packed);
    if (m->method == ASH__ZIP_STORED && m->packed != m->size && !m->encrypted)
        return ash__fail_at(&place, ASH_ERR_FORMAT, "it is stored, %zu bytes, but takes %zu", m->size, m->packed);
    if (m->method == ASH__ZIP_DEFLATED && m->size / DEFLATE_FACTOR > m->packed)
        return ash__fail_at(&place, ASH_ERR_FORMAT, "%zu bytes cannot come out of the %zu that it takes", m->size, m->packed);
    return ASH_OK;
}

/* The entry at *at, which moves on to the next. */
static ash_status take_entry(const ash__zip *zip, size_t nbytes, size_t *at, ash__member *m)
{
    unsigned char *const p = (unsigned char *)zip->directory + *at;
    const size_t left = nbytes - *at;
    if (left < ASH__ZIP_ENTRY || memcmp(p, "PK\1\2", 4) != 0)
        return damaged(zip->file, "a member's entry is missing");
    const size_t name = (size_t)number(p + 28, 2), extra = (size_t)number(p + 30, 2), comment = (size_t)number(p + 32, 2);
    if (name + extra + comment > left - ASH__ZIP_ENTRY)
        return damaged(zip->file, "a member's entry is cut off");
    if (memchr(p + ASH__ZIP_ENTRY, 0, name))
        return damaged(zip->file, "the name of a member has a zero byte in it");
    uint64_t packed = number(p + 20, 4), size = number(p + 24, 4), header = number(p + 42, 4);
    if (!take_wide(p + ASH__ZIP_ENTRY + name, extra, (uint64_t *const[3]){&size, &packed, &header}))
        return damaged(zip->file, "an extra field is cut off");
    *m = (ash__member){.size = size,
                       .packed = packed,
                       .header = header,
                       .checksum = (uint32_t)number(p + 16, 4),
                       .method = (int)number(p + 10, 2),
                       .encrypted = number(p + 8, 2) & ENCRYPTED};
    /* one byte back, over what has been read, to make room for the 0 */
    m->name = memmove(p + ASH__ZIP_ENTRY - 1, p + ASH__ZIP_ENTRY, name);
    p[ASH__ZIP_ENTRY - 1 + name] = '\0';
    *at += ASH__ZIP_ENTRY + name + extra + comment;
    return check_member(zip->file, m, zip->directory_at);
}

static int by_name(const void *a, const void *b)
{
    const ash__member *const *s = a, *const *t = b;
    return strcmp((*s)->name, (*t)->name);
}

static ash_status check_names(const ash__zip *zip)
{
    const ash__place *place = &zip->file->place;
    const ash__member **sorted = ash__alloc(place->function, zip->count, sizeof *sorted);
    ash_status status = sorted ? ASH_OK : ASH_ERR_MEMORY;
    for (int64_t i = 0; sorted && i < zip->count; i++)
        sorted[i] = &zip->member[i];
    if (sorted && zip->count > 1)
        qsort(sorted, (size_t)zip->count, sizeof *sorted, by_name);
    for (int64_t i = 1; status == ASH_OK && i < zip->count; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            status = ash__fail_at(place, ASH_ERR_FORMAT, "two members are named %.100s", sorted[i]->name);
    ash__free(sorted);
    return status;
}

ash_status ash__zip_begin(ash__source *file, ash__zip *zip)
{
    const char *const f = file->place.function;
    extent e = {0};
    size_t at = 0;
    *zip = (ash__zip){.file = file};
    ash_status status = find_directory(file, &e);
    if (status != ASH_OK)
        return status;
    zip->directory_at = (size_t)e.at;
    zip->directory = ash__alloc(f, (int64_t)e.nbytes, 1);
    zip->member = ash__alloc(f, (int64_t)e.count, sizeof *zip->member);
    if (!zip->directory || !zip->member)
        return ASH_ERR_MEMORY;
    status = read_at(file, zip->directory_at, zip->directory, (size_t)e.nbytes);
    for (; status == ASH_OK && zip->count < (int64_t)e.count; zip->count++)
        status = take_entry(zip, (size_t)e.nbytes, &at, &zip->member[zip->count]);
    return status == ASH_OK ? check_names(zip) : status;
}

void ash__zip_end(ash__zip *zip)
{
    ash__free(zip->directory);
    ash__free(zip->member);
}

/* ---- one member */

static ash_status read_stored(ash__unzip *u, void *to, size_t n)
{
    const ash_status status = read_at(u->zip->file, u->start + u->taken, to, n);
    u->taken += n;
    return status;
}

/* Gives the inflater what comes next, if it has nothing left. */
static ash_status feed(ash__unzip *u)
{
    z_stream *z = u->inflater;
    const size_t left = u->member->packed - u->taken, n = left < BLOCK ? left : BLOCK;
    if (z->avail_in > 0 || n == 0)
        return ASH_OK;
    z->next_in = u->block;
    z->avail_in = (uInt)n;
    return read_stored(u, u->block, n);
}

static ash_status read_deflated(ash__unzip *u, const ash__place *place, void *to, size_t n)
{
    z_stream *z = u->inflater;
    z->next_out = to;
    while (n > 0) {
        const uInt wanted = n < AT_ONCE ? (uInt)n : AT_ONCE;
        const ash_status status = feed(u);
        if (status != ASH_OK)
            return status;
        z->avail_out = wanted;
        const int result = inflate(z, Z_NO_FLUSH);
        n -= wanted - z->avail_out;
        if (result == Z_MEM_ERROR)
            return ASH_ERR_MEMORY;
        if (result == Z_DATA_ERROR || result == Z_NEED_DICT || result == Z_STREAM_ERROR)
            return ash__fail_at(place, ASH_ERR_FORMAT, "its compressed data is damaged");
        if (n > 0 && (result == Z_STREAM_END || result == Z_BUF_ERROR))
            return ash__fail_at(place, ASH_ERR_FORMAT, "its data ends %zu bytes early", n);
    }
    return ASH_OK;
}

static ash_status decode(ash__source *data, void *to, size_t n)
{
    ash__unzip *u = data->decoder;
    if (n > data->size - data->at)
        return ash__fail_at(&data->place, ASH_ERR_FORMAT, "its data ends early");
    const ash_status status = u->inflater ? read_deflated(u, &data->place, to, n) : read_stored(u, to, n);
    if (status != ASH_OK)
        return status;
    u->running = (uint32_t)crc32_z(u->running, to, n);
    data->at += n;
    return ASH_OK;
}

/* The header in front of the member, which must say what the directory does. */
static ash_status read_local(ash__unzip *u, const ash__place *place)
{
    const ash__member *m = u->member;
    const ash__source *file = u->zip->file;
    unsigned char p[ASH__ZIP_LOCAL];
    ash_status status = read_at(file, m->header, p, ASH__ZIP_LOCAL);
    if (status != ASH_OK)
        return status;
    const size_t name = (size_t)number(p + 26, 2), extra = (size_t)number(p + 28, 2);
    if (memcmp(p, "PK\3\4", 4) != 0 || (int)number(p + 8, 2) != m->method || name != strlen(m->name))
        return ash__fail_at(place, ASH_ERR_FORMAT, "its header is not what the directory says");
    u->start = m->header + ASH__ZIP_LOCAL + name + extra;
    if (u->start > u->zip->directory_at || m->packed > u->zip->directory_at - u->start)
        return ash__fail_at(place, ASH_ERR_FORMAT, "its %zu bytes do not lie before the directory", m->packed);
    return ASH_OK;
}

static ash_status begin_inflating(ash__unzip *u, const ash__place *place)
{
    u->block = ash__realloc(place->function, NULL, BLOCK, 1);
    z_stream *z = u->block ? ash__alloc(place->function, 1, sizeof *z) : NULL;
    if (!z)
        return ASH_ERR_MEMORY;
    z->zalloc = ash__zlib_take;
    z->zfree = ash__zlib_give;
    z->opaque = (voidpf)place->function;
    if (inflateInit2(z, -MAX_WBITS) != Z_OK) { /* raw: without a header of zlib's own */
        ash__free(z);
        return ash__pending() ? ash__last_status() : ash__fail_at(place, ASH_ERR_INTERNAL, "zlib cannot start");
    }
    u->inflater = z;
    return ASH_OK;
}

ash_status ash__zip_open(const ash__zip *zip, const ash__member *m, ash__unzip *u, ash__source *data)
{
    const ash__place *file = &zip->file->place;
    *u = (ash__unzip){.zip = zip, .member = m, .running = (uint32_t)crc32(0, NULL, 0)};
    *data = (ash__source){
        .place = {file->function, file->path, "member", m->name}, .fd = -1, .size = m->size, .decode = decode, .decoder = u};
    if (m->encrypted)
        return ash__fail_at(&data->place, ASH_ERR_UNSUPPORTED, "it is encrypted");
    if (m->method != ASH__ZIP_STORED && m->method != ASH__ZIP_DEFLATED)
        return ash__fail_at(&data->place, ASH_ERR_UNSUPPORTED,
                            "it is compressed by method %d; stored and deflated members are read", m->method);
    const ash_status status = read_local(u, &data->place);
    return status == ASH_OK && m->method == ASH__ZIP_DEFLATED ? begin_inflating(u, &data->place) : status;
}

ash_status ash__zip_close(ash__unzip *u, ash__source *data, bool check)
{
    char block[1 << 12];
    ash_status status = ASH_OK;
    while (check && status == ASH_OK && data->at < data->size)
        status = decode(data, block, data->size - data->at < sizeof block ? data->size - data->at : sizeof block);
    if (check && status == ASH_OK && u->running != u->member->checksum)
        status = ash__fail_at(&data->place, ASH_ERR_FORMAT, "its checksum is %08x; the archive says %08x", (unsigned)u->running,
                              (unsigned)u->member->checksum);
    if (u->inflater)
        inflateEnd(u->inflater);
    ash__free(u->inflater);
    ash__free(u->block);
    return status;
}

#else /* without zlib */

ash_status ash__zip_missing(const ash__place *place)
{
    return ash__fail_at(place, ASH_ERR_UNSUPPORTED,
                        "this Ashlar was built without zlib; install it (Debian: zlib1g-dev) and build again");
}

ash_status ash__zip_begin(ash__source *file, ash__zip *zip)
{
    *zip = (ash__zip){0};
    return ash__zip_missing(&file->place);
}

void ash__zip_end(ash__zip *zip)
{
    (void)zip;
}

ash_status ash__zip_open(const ash__zip *zip, const ash__member *m, ash__unzip *u, ash__source *data)
{
    *u = (ash__unzip){.zip = zip, .member = m};
    *data = (ash__source){0};
    return ASH_ERR_UNSUPPORTED;
}

ash_status ash__zip_close(ash__unzip *u, ash__source *data, bool check)
{
    (void)u;
    (void)data;
    (void)check;
    return ASH_ERR_UNSUPPORTED;
}
#endif
