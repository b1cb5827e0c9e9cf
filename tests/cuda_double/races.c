/*
 * races.c - two threads of a block at one word of shared memory, one of them writing, with no barrier in between.
 *
 * A word knows who wrote it last and two that read it, each with the barriers passed by then: by the block, and by the lane
 * (bar.warp.sync). Atomics and what is volatile or ordered are left out: by them threads wait for each other. So are lanes that
 * write in one instruction: one of them is left, the manual does not say which. A store of what is there already is a race with
 * nobody.
 */
#include <stdlib.h>

#include "run.h"
#include "settings.h"

typedef struct visit {
    u32 thread, block, warp; /* barriers passed */
    u32 at;                  /* the instruction */
    u8 bytes;                /* of the word; 0: there was none */
} visit;

typedef struct races {
    u32 words;
    struct {
        visit writer, reader[2];
    } word[];
} races;

struct races *races_new(u32 nbytes)
{
    const u32 words = nbytes / 4 + 1;
    races *const r = setting()->races ? calloc(1, sizeof *r + words * sizeof r->word[0]) : NULL;
    if (r)
        r->words = words;
    return r;
}

void races_forget(races *r)
{
    if (r)
        memset(r->word, 0, r->words * sizeof r->word[0]);
}

static bool together(const visit *before, const visit *now)
{
    const bool same_warp = before->thread / LANES == now->thread / LANES;
    return (before->bytes & now->bytes) && before->thread != now->thread && before->block == now->block &&
           (!same_warp || before->warp == now->warp);
}

static void race(const step *s, const visit *before, const visit *now, const char *what, u64 at)
{
    int length;
    const char *const line = module_line(s->block->kernel->module, s->block->kernel->code[before->at].line, &length);
    fault(s, LAUNCH_FAILED, (int)(now->thread % LANES),
          "a race in shared memory: byte %llu was %s by thread %u with no barrier in between, line %u: %.*s",
          (unsigned long long)at, what, before->thread, s->block->kernel->code[before->at].line, length < 60 ? length : 60,
          line);
}

/* A store that changes nothing: who else wrote that is no matter. */
static bool is_there(const step *s, u64 at, u32 nbytes, u32 lane)
{
    const instruction *const i = s->now;
    u8 bytes[VECTOR * 8] = {0};
    if (i->kind != RUN_STORE || nbytes > sizeof bytes)
        return false;
    for (u32 k = 0; k < i->count; k++)
        memcpy(bytes + k * i->width, (const u8 *)column(s, i->data[k]) + lane * i->column, i->width);
    return memcmp(bytes, s->block->shared + at, nbytes) == 0;
}

static void visit_word(const step *s, u32 which, const visit *now, bool writes, bool changes)
{
    races *const r = s->block->races;
    visit *const writer = &r->word[which].writer, *const reader = r->word[which].reader;
    const bool one_store = writes && writer->at == now->at && writer->thread / LANES == now->thread / LANES;
    if (together(writer, now) && !one_store && (!writes || changes))
        race(s, writer, now, "written", 4 * (u64)which);
    for (int k = 0; k < 2 && changes; k++)
        if (together(&reader[k], now))
            race(s, &reader[k], now, "read", 4 * (u64)which);
    if (writes)
        *writer = *now;
    else {
        if (reader[0].thread != now->thread)
            reader[1] = reader[0];
        reader[0] = *now;
    }
}

void races_visit(const step *s, u64 at, u32 nbytes, bool writes, u32 lane)
{
    const block *const b = s->block;
    visit now = {.thread = s->warp->first + lane,
                 .block = b->barriers,
                 .warp = s->warp->barriers[lane],
                 .at = (u32)(s->now - b->kernel->code)};
    if (s->now->kind == RUN_ATOMIC || s->now->ordered)
        return;
    const bool changes = writes && !is_there(s, at, nbytes, lane);
    for (u64 end = at + nbytes; at < end; at = at / 4 * 4 + 4) {
        const u32 first = (u32)(at % 4), rest = (u32)(end - at / 4 * 4);
        now.bytes = (u8)((rest >= 4 ? 15u : (1u << rest) - 1) & ~((1u << first) - 1));
        visit_word(s, (u32)(at / 4), &now, writes, changes);
    }
}
