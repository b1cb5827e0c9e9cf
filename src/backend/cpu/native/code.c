/*
 * code.c - executable memory.
 *
 * TWICE: one memory file mapped at two places, to be written here and run there: no address is ever writable and executable,
 * and adding code is a copy. FLIP, where there are no memory files: pages are written and then made executable, one call of
 * the system for each program. NONE: the system refuses both, and all is interpreted. Code is only ever added until all of it
 * is forgotten; every processor then passes a serialising instruction before an address is used again, because x86 promises
 * coherence for the address written to, not for another one of the same memory.
 */
#include "backend/cpu/native/code.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    LINE = 64,
    READY = 32 << 10,   /* bytes made present at once */
    SYNC_CORE = 1 << 5, /* linux/membarrier.h, which is not everywhere */
    SYNC_CORE_REGISTER = 1 << 6
};
#define MEMFD_EXECUTABLE 0x10U /* MFD_EXEC, since Linux 6.3 */

static ash__code_kind kind;
static bool opened;
static uint8_t *writable, *runnable;
static size_t used, ready;

static size_t page_size(void) /* 4 to 64 KiB */
{
    static size_t known;
    if (!known)
        known = (size_t)sysconf(_SC_PAGESIZE);
    return known;
}

static void barrier(int command)
{
#ifdef SYS_membarrier
    syscall(SYS_membarrier, command, 0, 0);
#else
    (void)command;
#endif
}

static int memory_file(void)
{
#ifdef MFD_CLOEXEC
    const int file = memfd_create("ashlar code", MFD_CLOEXEC | MEMFD_EXECUTABLE);
    return file >= 0 ? file : memfd_create("ashlar code", MFD_CLOEXEC);
#else
    return -1;
#endif
}

static uint8_t *mapped(int protection, int flags, int file)
{
    void *const at = mmap(NULL, ASH__CODE_BYTES, protection, flags, file, 0);
    return at == MAP_FAILED ? NULL : at;
}
static void unmap(uint8_t *at)
{
    if (at)
        munmap(at, ASH__CODE_BYTES);
}

static bool open_twice(void)
{
    const int file = memory_file();
    uint8_t *w = NULL, *x = NULL;
    if (file >= 0 && ftruncate(file, ASH__CODE_BYTES) == 0) {
        w = mapped(PROT_READ | PROT_WRITE, MAP_SHARED, file);
        x = mapped(PROT_READ | PROT_EXEC, MAP_SHARED, file);
    }
    if (file >= 0)
        close(file);
    /* a child of fork must not write to its parent's code */
    if (w && x && madvise(w, ASH__CODE_BYTES, MADV_DONTFORK) == 0 && madvise(x, ASH__CODE_BYTES, MADV_DONTFORK) == 0) {
        writable = w;
        runnable = x;
        return true;
    }
    unmap(w);
    unmap(x);
    return false;
}

static bool open_flip(void)
{
    uint8_t *const w = mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (!w)
        return false;
    w[0] = 0xC3; /* a page that has been written: may it be run, and written again? */
    if (mprotect(w, page_size(), PROT_READ | PROT_EXEC) != 0 || mprotect(w, page_size(), PROT_READ | PROT_WRITE) != 0) {
        unmap(w);
        return false;
    }
    writable = runnable = w;
    return true;
}

ash__code_kind ash__code_open(void)
{
    if (opened)
        return kind;
    opened = true;
    used = ready = 0;
    kind = open_twice() ? ASH__CODE_TWICE : open_flip() ? ASH__CODE_FLIP : ASH__CODE_NONE;
    if (kind != ASH__CODE_NONE)
        barrier(SYNC_CORE_REGISTER);
    return kind;
}

/* Pages present before they are needed: faults one by one cost more. */
static void make_ready(size_t end)
{
    for (; ready < end; ready += READY) {
#if defined(MADV_POPULATE_WRITE) && defined(MADV_POPULATE_READ)
        madvise(writable + ready, READY, MADV_POPULATE_WRITE); /* advice: refused by older systems */
        if (runnable != writable)
            madvise(runnable + ready, READY, MADV_POPULATE_READ);
#endif
    }
}

/* Processors but x86 fetch instructions past what was written: they are told, of the address that will be run, and each of them
 * then passes a serialising instruction. */
static void make_visible(uint8_t *at, size_t nbytes)
{
#if !defined(__x86_64__)
    __builtin___clear_cache((char *)at, (char *)at + nbytes);
    barrier(SYNC_CORE);
#else
    (void)at, (void)nbytes;
#endif
}

ash__native_code *ash__code_add(const uint8_t *bytes, size_t nbytes)
{
    const size_t unit = kind == ASH__CODE_FLIP ? page_size() : LINE, size = (nbytes + unit - 1) / unit * unit;
    if (kind == ASH__CODE_NONE || size > ASH__CODE_BYTES - used)
        return NULL;
    make_ready(used + size);
    memcpy(writable + used, bytes, nbytes);
    make_visible(runnable + used, nbytes);
    if (kind == ASH__CODE_FLIP && mprotect(writable + used, size, PROT_READ | PROT_EXEC) != 0)
        return NULL;
    ash__native_code *code;
    uint8_t *const start = runnable + used;
    memcpy(&code, &start, sizeof code); /* C has no cast from data to functions */
    used += size;
    return code;
}

/* Emulators keep what they made of code until its mapping changes, whatever is written at another one: after all is forgotten
 * code runs elsewhere. Where that fails, processors do without. */
static void move_runnable(void)
{
#ifdef MREMAP_FIXED
    uint8_t *const to = mapped(PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (to && mremap(runnable, ASH__CODE_BYTES, ASH__CODE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, to) == (void *)to)
        runnable = to;
    else
        unmap(to);
#endif
}

bool ash__code_clear(void)
{
    if (kind == ASH__CODE_TWICE && used)
        move_runnable();
    if (kind == ASH__CODE_FLIP && used && mprotect(writable, used, PROT_READ | PROT_WRITE) != 0)
        return false;
    used = 0;
    barrier(SYNC_CORE);
    return true;
}

void ash__code_close(void)
{
    unmap(writable);
    if (runnable != writable)
        unmap(runnable);
    writable = runnable = NULL;
    kind = ASH__CODE_NONE;
}

void ash__code_forked(void)
{
    if (kind == ASH__CODE_FLIP) /* the memory files are not mapped here */
        unmap(writable);
    writable = runnable = NULL;
    kind = ASH__CODE_NONE;
    opened = false;
    used = ready = 0;
}
