/*
 * radix.c - lines of unsigned keys in order, stable, digit by digit from the lowest.
 *
 * Digits have 8 bits where one work-item goes through a block of its own or a warp ranks keys, and 4 where a group shares a
 * block by local memory, which its counts have to fit. Short lines are ranked instead: each key counts those before it.
 */
#include <stdio.h>

#include "backend/gpu/listed.h"

enum {
    SHORT = 96,     /* keys of a line that are ranked */
    RANKERS = 64,   /* work-items of a group that does it */
    GROUP = 256,    /* and of one that shares a block, of */
    EACH = 8,       /* keys for each of them, */
    WARP_EACH = 16, /* or of a group of warps */
    WARPS = GROUP / 32,
    LEAST = 4096, /* keys of a block that has one work-item */
    BLOCKS = 4    /* such blocks for each unit */
};

typedef struct pass {
    int64_t n, block, blocks;
    uint32_t shift, first;
} pass;

typedef struct radix {
    ash__gpu_keys *keys;
    ash__gpu_call call; /* what all launches have in common */
    char defines[256];
    pass pass;
    int bits;
    int each;
    void *where, *totals;
} radix;

const char *ash__gpu_keys_lack(int64_t n)
{
    return n >= UINT32_MAX ? "lines are too long for a kernel" : NULL;
}

ash_status ash__gpu_keys_room(ash__gpu_work *w, ash__gpu_keys *k)
{
    ash_status status = ASH_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = ash__gpu_scratch(w, (size_t)(k->lines * k->n) * (k->width ? 8 : 4), &k->key[i]);
        if (!status && k->positions)
            status = ash__gpu_scratch(w, (size_t)(k->lines * k->n) * 4, &k->position[i]);
    }
    k->at = 0;
    return status;
}

static ash_status rank_lines(radix *r)
{
    ash__gpu_keys *const k = r->keys;
    const struct {
        int64_t n, all;
    } lines = {k->n, k->lines * k->n};
    ash__gpu_call call = r->call;
    call.kernel = "rank";
    call.memory[0] = k->key[0];
    call.memory[1] = k->key[1];
    call.memory[2] = k->position[1];
    call.memories = k->positions ? 3 : 2;
    call.parameters = &lines;
    call.nbytes = sizeof lines;
    call.groups = (lines.all + RANKERS - 1) / RANKERS;
    call.lines = 1;
    call.local = RANKERS;
    k->at = 1;
    return ash__gpu_call_run(&call);
}

static ash_status launch(const radix *r, const char *kernel, int64_t groups, int memories, void *const *memory)
{
    ash__gpu_call call = r->call;
    call.kernel = kernel;
    call.groups = groups;
    call.memories = memories;
    for (int i = 0; i < memories; i++)
        call.memory[i] = memory[i];
    return ash__gpu_call_run(&call);
}

static ash_status sort_digit(const radix *r)
{
    ash__gpu_keys *const k = r->keys;
    void *const counted[] = {k->key[k->at], r->where, r->totals};
    void *moved[6] = {k->key[k->at], k->key[!k->at], r->where};
    int memories = 3;
    if (r->totals)
        moved[memories++] = r->totals;
    for (int i = 0; i < 2 && k->positions; i++)
        moved[memories++] = k->position[i ? !k->at : k->at];
    ash_status status = launch(r, "count", r->pass.blocks, 2, counted);
    if (!status)
        status = launch(r, "sum_up", r->totals ? 1 << r->bits : 1, r->totals ? 2 : 1, &counted[1]);
    if (!status)
        status = launch(r, "move", r->pass.blocks, memories, moved);
    k->at = !k->at;
    return status;
}

/* How lines are cut into blocks. */
static void set_blocks(radix *r, const ash__gpu *gpu, bool alone)
{
    const ash__gpu_keys *const k = r->keys;
    if (!alone) {
        r->pass.block = GROUP * r->each;
    } else {
        const int64_t wanted = ((int64_t)gpu->units * BLOCKS + k->lines - 1) / k->lines, most = (k->n + LEAST - 1) / LEAST;
        const int64_t blocks = wanted < most ? wanted : most;
        r->pass.block = (k->n + blocks - 1) / blocks;
    }
    r->pass.blocks = (k->n + r->pass.block - 1) / r->pass.block;
}

ash_status ash__gpu_keys_sort(ash__gpu_work *w, ash__gpu_keys *k)
{
    const bool alone = ash__gpu_one_by_one(w->gpu), warps = !alone && w->gpu->warp;
    radix r = {.keys = k, .pass = {.n = k->n}, .bits = alone || warps ? 8 : 4, .each = warps ? WARP_EACH : EACH};
    snprintf(r.defines, sizeof r.defines,
             "#define WG %d\n#define IPT %d\n#define BITS %d\n#define KEY %s\n#define POSITIONS %d\n#define RANKERS %d\n"
             "#define WARPS %d\n",
             alone ? 1 : GROUP, r.each, r.bits, k->width ? "u64" : "u32", k->positions, RANKERS, warps ? WARPS : 0);
    r.call = (ash__gpu_call){.work = w,
                             .defines = r.defines,
                             .text = ash__gpu_radix_text,
                             .parameters = &r.pass,
                             .nbytes = sizeof r.pass,
                             .lines = k->lines,
                             .local = alone ? 1 : GROUP};
    if (k->n <= SHORT)
        return rank_lines(&r);
    set_blocks(&r, w->gpu, alone);
    ash_status status = ash__gpu_scratch(w, ((size_t)(k->lines * r.pass.blocks) << r.bits) * 4, &r.where);
    if (!status && !alone)
        status = ash__gpu_scratch(w, ((size_t)k->lines << r.bits) * 4, &r.totals);
    r.pass.first = 1;
    for (int bit = 0; bit < k->bits && !status; bit += r.bits) {
        r.pass.shift = (uint32_t)bit;
        status = sort_digit(&r);
        r.pass.first = 0;
    }
    return status;
}
