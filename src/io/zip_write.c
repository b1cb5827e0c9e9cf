/*
 * zip_write.c - a ZIP archive of members that are stored or deflated, for ash_save_npz.
 *
 * A member's bytes go out as they come; its checksum and its sizes, which are known afterwards, are then put into the header
 * that stands before them. That header has sizes of 64 bits always, as NumPy writes it, and a gap that makes the member begin
 * at a multiple of 64 bytes, so that a stored array can be mapped. Times are those of 1980, the earliest that the format knows:
 * equal trees give equal files.
 */
#include "io/zip.h"

uint64_t ash__zip_wide_from = 0xFFFFFFFF;

#ifdef ASH__WITH_NPZ
#include "core/error.h"
#include "io/zip_format.h"

enum {
    BLOCK = 1 << 16,
    ALIGNMENT = 64,
    LONGEST_NAME = 65535,
    WIDE_FIELD = 20, /* bytes of extra fields, of the gap's without the gap */
    GAP_FIELD = 4,
    VERSION = 45,    /* of the format: the first with ZIP64 */
    UNIX = 3,        /* whose modes the archive has */
    UTF_8 = 1 << 11, /* bit of a member's flags */
    NEW_YEAR_1980 = 1 << 5 | 1,
    GAP = 0xD935 /* the extra field that Android aligns by */
};
static const uint32_t plain_file = 0100644;

typedef struct written {
    char *name;
    uint64_t header, size, packed;
    uint32_t checksum;
    int method;
} written;

struct ash__zip_writer {
    const char *function, *path;
    ash__writer *out;
    uint64_t at; /* bytes written */
    written *member;
    int64_t count, room;
    bool open; /* the last member */
    z_stream *deflater;
    unsigned char *block; /* what comes out of it */
    ash_status status;
};

/* ---- bytes */

static unsigned char *put_number(unsigned char *p, uint64_t x, int n)
{
    for (int i = 0; i < n; i++)
        *p++ = (unsigned char)(x >> 8 * i & 0xff);
    return p;
}

static void emit(ash__zip_writer *w, const void *bytes, size_t n)
{
    ash__writer_put(w->out, bytes, n);
    w->at += n;
}

static uint32_t narrow(uint64_t x)
{
    return x < ash__zip_wide_from ? (uint32_t)x : 0xFFFFFFFF;
}

static int flags_of(const char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name >= 0x80)
            return UTF_8;
    return 0;
}

/* What a member's two headers have in common, from the version to the length of the name. */
static unsigned char *put_common(unsigned char *p, const written *m, uint32_t packed, uint32_t size)
{
    p = put_number(p, VERSION, 2);
    p = put_number(p, (uint64_t)flags_of(m->name), 2);
    p = put_number(p, (uint64_t)m->method, 2);
    p = put_number(p, 0, 2); /* midnight */
    p = put_number(p, NEW_YEAR_1980, 2);
    p = put_number(p, m->checksum, 4);
    p = put_number(p, packed, 4);
    p = put_number(p, size, 4);
    return put_number(p, strlen(m->name), 2);
}

/* ---- a member */

static void put_local(ash__zip_writer *w, const written *m)
{
    static const unsigned char zeros[ALIGNMENT];
    unsigned char bytes[ASH__ZIP_LOCAL + WIDE_FIELD + GAP_FIELD], *p = bytes;
    const size_t name = strlen(m->name);
    const size_t gap = ALIGNMENT - (w->at + ASH__ZIP_LOCAL + name + WIDE_FIELD + GAP_FIELD) % ALIGNMENT;
    p = put_number(p, 0x04034b50, 4);
    p = put_common(p, m, 0xFFFFFFFF, 0xFFFFFFFF);
    p = put_number(p, WIDE_FIELD + GAP_FIELD + gap, 2);
    emit(w, bytes, ASH__ZIP_LOCAL);
    emit(w, m->name, name);
    p = put_number(p, ASH__ZIP_WIDE, 2);
    p = put_number(p, WIDE_FIELD - 4, 2);
    p = put_number(p, 0, 8);
    p = put_number(p, 0, 8);
    p = put_number(p, GAP, 2);
    put_number(p, gap, 2);
    emit(w, bytes + ASH__ZIP_LOCAL, WIDE_FIELD + GAP_FIELD);
    emit(w, zeros, gap);
}

static void fail(ash__zip_writer *w, ash_status status)
{
    if (w->status == ASH_OK)
        w->status = status;
}

/* All that is in the deflater's input, and with Z_FINISH all that it holds back. */
static void compress_some(ash__zip_writer *w, int flush)
{
    z_stream *z = w->deflater;
    int result = Z_OK;
    do {
        z->next_out = w->block;
        z->avail_out = BLOCK;
        result = deflate(z, flush);
        emit(w, w->block, BLOCK - z->avail_out);
    } while (result == Z_OK && (z->avail_out == 0 || (flush == Z_FINISH)));
}

static void put(void *to, const void *bytes, size_t n)
{
    ash__zip_writer *w = to;
    if (w->status != ASH_OK || n == 0)
        return;
    written *m = &w->member[w->count - 1];
    m->size += n;
    m->checksum = (uint32_t)crc32_z(m->checksum, bytes, n);
    if (m->method == ASH__ZIP_STORED) {
        emit(w, bytes, n);
        return;
    }
    for (const unsigned char *p = bytes; n > 0;) {
        const uInt part = n < 1 << 30 ? (uInt)n : 1 << 30;
        w->deflater->next_in = (unsigned char *)(uintptr_t)p;
        w->deflater->avail_in = part;
        compress_some(w, Z_NO_FLUSH);
        p += part;
        n -= part;
    }
}

/* Ends the member that is open: its header gets what is known only now. */
static void close_member(ash__zip_writer *w)
{
    if (!w->open || w->status != ASH_OK)
        return;
    unsigned char bytes[16];
    written *m = &w->member[w->count - 1];
    if (m->method == ASH__ZIP_DEFLATED) {
        compress_some(w, Z_FINISH);
        deflateReset(w->deflater);
    }
    m->packed = w->at - m->packed;
    put_number(bytes, m->checksum, 4);
    ash__writer_patch(w->out, m->header + 14, bytes, 4);
    put_number(put_number(bytes, m->size, 8), m->packed, 8);
    ash__writer_patch(w->out, m->header + ASH__ZIP_LOCAL + strlen(m->name) + 4, bytes, 16);
    w->open = false;
}

static ash_status begin_deflating(ash__zip_writer *w)
{
    if (w->deflater)
        return ASH_OK;
    if (!w->block)
        w->block = ash__realloc(w->function, NULL, BLOCK, 1);
    z_stream *z = w->block ? ash__alloc(w->function, 1, sizeof *z) : NULL;
    if (!z)
        return ASH_ERR_MEMORY;
    z->zalloc = ash__zlib_take;
    z->zfree = ash__zlib_give;
    z->opaque = (voidpf)(uintptr_t)w->function;
    if (deflateInit2(z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        ash__free(z);
        return ash__pending() ? ash__last_status() : ash__fail(ASH_ERR_INTERNAL, w->function, "zlib cannot start");
    }
    w->deflater = z;
    return ASH_OK;
}

static ash_status add_member(ash__zip_writer *w, const char *name, bool compress)
{
    const size_t length = strlen(name);
    if (length > LONGEST_NAME)
        return ash__fail(ASH_ERR_UNSUPPORTED, w->function, "a name of %zu bytes is too long for a ZIP archive", length);
    if (compress && begin_deflating(w) != ASH_OK)
        return ash__last_status();
    if (w->count == w->room) {
        const int64_t room = w->room ? 2 * w->room : 16;
        written *larger = ash__realloc(w->function, w->member, room, sizeof *larger);
        if (!larger)
            return ASH_ERR_MEMORY;
        w->member = larger;
        w->room = room;
    }
    char *copy = ash__alloc(w->function, (int64_t)length + 1, 1);
    if (!copy)
        return ASH_ERR_MEMORY;
    w->member[w->count++] = (written){.name = strcpy(copy, name),
                                      .header = w->at,
                                      .checksum = (uint32_t)crc32(0, NULL, 0),
                                      .method = compress ? ASH__ZIP_DEFLATED : ASH__ZIP_STORED};
    return ASH_OK;
}

ash__sink ash__zip_add(ash__zip_writer *w, const char *name, bool compress)
{
    close_member(w);
    if (w->status == ASH_OK)
        fail(w, add_member(w, name, compress));
    if (w->status == ASH_OK) {
        written *m = &w->member[w->count - 1];
        put_local(w, m);
        m->packed = w->at; /* where it begins, until it ends */
        w->open = true;
    }
    return (ash__sink){put, w};
}

/* ---- the directory */

static void put_entry(ash__zip_writer *w, const written *m)
{
    unsigned char bytes[ASH__ZIP_ENTRY], wide[4 + 3 * 8], *p = bytes, *q = wide + 4;
    const uint64_t value[] = {m->size, m->packed, m->header}; /* in this order, those that are too wide */
    for (int i = 0; i < 3; i++)
        q = value[i] >= ash__zip_wide_from ? put_number(q, value[i], 8) : q;
    const size_t extra = q > wide + 4 ? (size_t)(q - wide) : 0;
    put_number(put_number(wide, ASH__ZIP_WIDE, 2), (uint64_t)(q - wide) - 4, 2);
    p = put_number(p, 0x02014b50, 4);
    p = put_number(p, UNIX << 8 | VERSION, 2);
    p = put_common(p, m, narrow(m->packed), narrow(m->size));
    p = put_number(p, extra, 2);
    p = put_number(p, 0, 2); /* no comment */
    p = put_number(p, 0, 2); /* the first disk */
    p = put_number(p, 0, 2);
    p = put_number(p, (uint64_t)plain_file << 16, 4);
    put_number(p, narrow(m->header), 4);
    emit(w, bytes, sizeof bytes);
    emit(w, m->name, strlen(m->name));
    emit(w, wide, extra);
}

static void put_directory(ash__zip_writer *w)
{
    unsigned char bytes[ASH__ZIP_WIDE_END + ASH__ZIP_LOCATOR + ASH__ZIP_END], *p = bytes;
    const uint64_t start = w->at, count = (uint64_t)w->count;
    for (int64_t i = 0; i < w->count; i++)
        put_entry(w, &w->member[i]);
    const uint64_t end = w->at, nbytes = end - start;
    if (count >= 0xFFFF || nbytes >= ash__zip_wide_from || start >= ash__zip_wide_from) {
        p = put_number(p, 0x06064b50, 4);
        p = put_number(p, ASH__ZIP_WIDE_END - 12, 8);
        p = put_number(p, UNIX << 8 | VERSION, 2);
        p = put_number(p, VERSION, 2);
        p = put_number(p, 0, 8); /* this disk, and the directory's */
        p = put_number(p, count, 8);
        p = put_number(p, count, 8);
        p = put_number(p, nbytes, 8);
        p = put_number(p, start, 8);
        p = put_number(p, 0x07064b50, 4);
        p = put_number(p, 0, 4);
        p = put_number(p, end, 8);
        p = put_number(p, 1, 4); /* disks */
    }
    const uint64_t shown = count < 0xFFFF ? count : 0xFFFF;
    p = put_number(p, 0x06054b50, 4);
    p = put_number(p, 0, 4);
    p = put_number(p, shown, 2);
    p = put_number(p, shown, 2);
    p = put_number(p, narrow(nbytes), 4);
    p = put_number(p, narrow(start), 4);
    p = put_number(p, 0, 2);
    emit(w, bytes, (size_t)(p - bytes));
}

/* ---- the archive */

ash_status ash__zip_create(const char *function, const char *path, ash__zip_writer **writer)
{
    ash__zip_writer *w = ash__alloc(function, 1, sizeof *w);
    if (!w)
        return ASH_ERR_MEMORY;
    w->function = function;
    w->path = path;
    const ash_status status = ash__writer_open(function, path, &w->out);
    if (status == ASH_OK)
        *writer = w;
    else
        ash__free(w);
    return status;
}

ash_status ash__zip_finish(ash__zip_writer *w, bool keep)
{
    close_member(w);
    keep = keep && w->status == ASH_OK;
    if (keep)
        put_directory(w);
    const ash_status closed = ash__writer_close(w->out, keep), status = w->status != ASH_OK ? w->status : closed;
    for (int64_t i = 0; i < w->count; i++)
        ash__free(w->member[i].name);
    if (w->deflater)
        deflateEnd(w->deflater);
    ash__free(w->deflater);
    ash__free(w->block);
    ash__free(w->member);
    ash__free(w);
    return status;
}

#else /* without zlib */

ash_status ash__zip_create(const char *function, const char *path, ash__zip_writer **writer)
{
    *writer = NULL;
    return ash__zip_missing(&(ash__place){.function = function, .path = path});
}

ash__sink ash__zip_add(ash__zip_writer *w, const char *name, bool compress)
{
    (void)w;
    (void)name;
    (void)compress;
    return (ash__sink){NULL, NULL};
}

ash_status ash__zip_finish(ash__zip_writer *w, bool keep)
{
    (void)w;
    (void)keep;
    return ASH_ERR_UNSUPPORTED;
}
#endif
