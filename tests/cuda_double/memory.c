/*
 * memory.c - ranges of memory in the order of their addresses.
 *
 * Addresses of the device are never used twice: what was given back is known by its address. Every allocation begins 256 bytes
 * into a page, as no driver promises more, with a page between it and the next. Fresh bytes are 0xCD: a large negative number
 * as f32 and f64, and no sensible integer.
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "settings.h"

enum { PAGE = 4096, ALIGN = 256, POISON = 0xCD, GRAVES = 1024, CONTEXTS_CLOSED = 64 };
static const u64 region = (u64)1 << 38;

static range *ranges;
static size_t count, room;
static u64 next, in_use;     /* behind the last address given, from the start of the region */
static u8 *outside, *inside; /* where nothing can be read, and the same bytes for the interpreter */
static u32 serial, changes;
static range grave[GRAVES];
static const struct context *closed[CONTEXTS_CLOSED];
static int closings;

static void reserve(void)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    outside = mmap(NULL, region, PROT_NONE, flags, -1, 0);
    inside = mmap(NULL, region, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (outside == MAP_FAILED || inside == MAP_FAILED) {
        perror("cuda double: mmap");
        abort();
    }
}

static size_t place_for(u64 address) /* of the first range behind the address */
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (ranges[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static range *insert(range r)
{
    if (count == room) {
        room = room ? 2 * room : 256;
        ranges = realloc(ranges, room * sizeof *ranges);
        if (!ranges)
            abort();
    }
    const size_t at = place_for(r.address);
    memmove(ranges + at + 1, ranges + at, (count - at) * sizeof *ranges);
    ranges[at] = r;
    count++;
    changes++;
    return &ranges[at];
}

static bool closed_now(const range *r)
{
    for (int k = 0; k < closings; k++)
        if (closed[k] == r->context)
            return r->kind == OF_MANAGED;
    return false;
}

static int access_now(const range *r)
{
    return closed_now(r) ? PROT_NONE : PROT_READ | PROT_WRITE;
}

static u64 pages(u64 nbytes)
{
    return (nbytes + PAGE - 1) / PAGE * PAGE;
}

/* For the program and for the interpreter: the first may be closed while kernels run. */
static bool map_twice(range *r)
{
    const u64 nbytes = pages(r->nbytes + ALIGN);
    const int file = memfd_create("cuda-double", MFD_CLOEXEC);
    void *const own =
        file < 0 || ftruncate(file, (off_t)nbytes) ? MAP_FAILED : mmap(NULL, nbytes, access_now(r), MAP_SHARED, file, 0);
    void *const inner = own == MAP_FAILED ? MAP_FAILED : mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (inner == MAP_FAILED) {
        if (own != MAP_FAILED)
            munmap(own, nbytes);
        return false;
    }
    r->address = (u64)(uintptr_t)own + ALIGN;
    r->host = (u8 *)inner + ALIGN;
    r->mapped = true;
    return true;
}

u64 memory_take(struct context *context, u64 nbytes, range_kind kind)
{
    range r = {.nbytes = nbytes, .context = context, .kind = (u8)kind, .serial = ++serial};
    if (!outside)
        reserve();
    if (kind != OF_HOST && nbytes > setting()->memory - in_use)
        return 0;
    if (kind == OF_MANAGED || kind == OF_HOST) {
        if (!map_twice(&r))
            return 0;
    } else {
        const u64 taken = pages(nbytes + ALIGN) + PAGE;
        if (next + taken > region)
            return 0;
        r.host = inside + next + ALIGN;
        r.address = (u64)(uintptr_t)outside + next + ALIGN;
        next += taken;
    }
    memset(r.host, POISON, nbytes);
    if (kind != OF_HOST)
        in_use += nbytes;
    insert(r);
    return r.address;
}

void memory_adopt(struct context *context, void *host, u64 nbytes)
{
    insert((range){.address = (u64)(uintptr_t)host,
                   .nbytes = nbytes,
                   .host = host,
                   .context = context,
                   .kind = OF_HOST,
                   .serial = 0,
                   .mapped = true});
}

void memory_give(u64 address)
{
    range *const r = memory_find(address);
    const bool own = r->kind == OF_DEVICE || r->kind == OF_MODULE;
    grave[r->serial % GRAVES] = *r;
    if (r->kind != OF_HOST)
        in_use -= r->nbytes;
    if (own)
        madvise(r->host - ALIGN, pages(r->nbytes + ALIGN), MADV_DONTNEED);
    else if (r->serial) { /* the host crashes at it from now on */
        const u64 nbytes = pages(r->nbytes + ALIGN);
        munmap(r->host - ALIGN, nbytes);
        mmap((void *)(uintptr_t)(r->address - ALIGN), nbytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    }
    memmove(r, r + 1, (size_t)(ranges + count - (r + 1)) * sizeof *r);
    count--;
    changes++;
}

range *memory_find(u64 address)
{
    const size_t at = place_for(address);
    if (at == 0 || address - ranges[at - 1].address >= ranges[at - 1].nbytes)
        return NULL;
    return &ranges[at - 1];
}

range *memory_each(size_t k)
{
    return k < count ? &ranges[k] : NULL;
}

void memory_close(const struct context *context, bool closing)
{
    int at = 0;
    while (at < closings && closed[at] != context)
        at++;
    if ((at < closings) == closing)
        return;
    if (closing)
        closed[closings++] = context;
    else
        closed[at] = closed[--closings];
    for (size_t k = 0; k < count; k++)
        if (ranges[k].context == context && ranges[k].kind == OF_MANAGED)
            mprotect((void *)(uintptr_t)(ranges[k].address - ALIGN), pages(ranges[k].nbytes + ALIGN), access_now(&ranges[k]));
}

u64 memory_in_use(void)
{
    return in_use;
}

u32 memory_changes(void)
{
    return changes;
}

bool memory_is_device(u64 address)
{
    return outside && address - (u64)(uintptr_t)outside < region;
}

static const range *buried(u64 address)
{
    for (size_t k = 0; k < GRAVES; k++)
        if (grave[k].nbytes && address - grave[k].address < grave[k].nbytes)
            return &grave[k];
    return NULL;
}

#define LONG(X) (unsigned long long)(X)

const char *memory_words(u64 address, u64 nbytes, char *words, size_t length)
{
    const range *const r = memory_find(address), *const dead = buried(address);
    const size_t at = place_for(address);
    const range *const before = at ? &ranges[at - 1] : NULL;
    if (r && r->pending)
        snprintf(words, length, "allocation %u, which its stream has not come to", r->serial);
    else if (r && address + nbytes > r->address + r->nbytes)
        snprintf(words, length, "%llu of its bytes are behind the end of allocation %u of %llu bytes",
                 LONG(address + nbytes - r->address - r->nbytes), r->serial, LONG(r->nbytes));
    else if (r)
        snprintf(words, length, "allocation %u of %llu bytes%s", r->serial, LONG(r->nbytes),
                 closed_now(r) ? ", managed memory that is the device's while work is queued" : "");
    else if (dead)
        snprintf(words, length, "allocation %u of %llu bytes was given back", dead->serial, LONG(dead->nbytes));
    else if (address < PAGE)
        snprintf(words, length, "a null pointer");
    else if (before && address - before->address < before->nbytes + PAGE)
        snprintf(words, length, "%llu bytes behind the end of allocation %u of %llu bytes",
                 LONG(address - before->address - before->nbytes), before->serial, LONG(before->nbytes));
    else if (at < count && ranges[at].address - address < PAGE)
        snprintf(words, length, "%llu bytes before allocation %u of %llu bytes", LONG(ranges[at].address - address),
                 ranges[at].serial, LONG(ranges[at].nbytes));
    else if (memory_is_device(address))
        snprintf(words, length, "an address of the device where no allocation is");
    else
        snprintf(words, length, "no address of the device: a pointer of the host?");
    return words;
}
