/*
 * run.c - runs a launch: blocks one after another, their warps in turns, groups of lanes from the lowest place of the code up.
 *
 * Warps end their turn at a barrier, at their end, or after a number of steps; a block whose warps do the last is left for
 * others to be begun, so that blocks may wait for one another. Nothing runs at the same time: what two blocks do to one place
 * without an atomic is not seen as such, but the order is another one with each seed.
 */
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "specials.h"

enum { TURN = 1 << 16, TURNS = 64, RESIDENT = 64 };
static const u64 most_steps = (u64)1 << 31; /* without an end of any block: a minute */

/* ---- errors */

const char *module_line(const module *m, u32 line, int *length)
{
    const char *at = m->text;
    for (u32 k = 1; k < line && at; k++)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    if (!at)
        at = "";
    while (*at == ' ' || *at == '\t')
        at++;
    *length = (int)strcspn(at, "\n");
    return at;
}

void fault(const step *s, int error, int lane, const char *format, ...)
{
    launch *const l = s->block->launch;
    const block *const b = s->block;
    va_list list;
    char words[300];
    int length;
    const char *const line = module_line(l->kernel->module, s->now->line, &length);
    const u32 t = s->warp->first + (u32)(lane < 0 ? __builtin_ctz(s->active | 0x80000000u) : lane);
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    l->error = error;
    snprintf(l->words, sizeof l->words, "kernel %s, block (%u, %u, %u), thread (%u, %u, %u): %s\n    line %u: %.*s",
             l->kernel->name, b->at[0], b->at[1], b->at[2], t % b->size[0], t / b->size[0] % b->size[1],
             t / b->size[0] / b->size[1], words, s->now->line, length < 120 ? length : 120, line);
    longjmp(l->failed, 1);
}

/* ---- groups of lanes */

/* The group to run next: the lowest place; NULL when none can. */
static group *runnable(warp *w)
{
    group *found = NULL;
    for (int k = 0; k < w->groups; k++)
        if (w->group[k].state == RUNS && (!found || w->group[k].at < found->at))
            found = &w->group[k];
    return found;
}

static u32 next_place(const warp *w, const group *but)
{
    u32 next = ~0u;
    for (int k = 0; k < w->groups; k++)
        if (&w->group[k] != but && w->group[k].state == RUNS && w->group[k].at < next)
            next = w->group[k].at;
    return next;
}

static void drop(warp *w, const group *g)
{
    const ptrdiff_t at = g - w->group;
    w->group[at] = w->group[--w->groups];
}

static void add_group(warp *w, u32 at, u32 lanes)
{
    w->group[w->groups++] = (group){at, lanes, RUNS};
}

/* Groups that run at the same place become one. */
static group *merged(warp *w, const group *g)
{
    const u32 at = g->at;
    u32 lanes = 0;
    for (int k = 0; k < w->groups;)
        if (w->group[k].at == at && w->group[k].state == RUNS) {
            lanes |= w->group[k].lanes;
            drop(w, &w->group[k]);
        } else
            k++;
    add_group(w, at, lanes);
    return &w->group[w->groups - 1];
}

/* All members that are live must be there: else the group waits. Lanes that wait at this place join. */
static bool all_there(const step *s, group *g)
{
    const u32 *const members = column(s, s->now->operand[3]);
    const u32 wanted = members[__builtin_ctz(s->active)] & s->warp->live;
    u32 there = 0;
    if (s->active & ~members[__builtin_ctz(s->active)])
        fault(s, LAUNCH_FAILED, __builtin_ctz(s->active & ~members[__builtin_ctz(s->active)]),
              "takes part and is not among the members %#x", members[__builtin_ctz(s->active)]);
    for (int k = 0; k < s->warp->groups; k++) {
        const group *const other = &s->warp->group[k];
        const bool same =
            s->now->kind == RUN_WARP_BARRIER ? s->block->kernel->code[other->at].kind == RUN_WARP_BARRIER : other->at == g->at;
        if (other == g || (other->state == WAITS_FOR_LANES && same))
            there |= other->lanes;
    }
    return (wanted & ~there) == 0;
}

/* ---- control */

static void split(warp *w, group *g, u32 taken, u32 target)
{
    const u32 rest = g->lanes & ~taken;
    if (!rest) {
        g->at = target;
        return;
    }
    g->at++;
    if (taken) {
        g->lanes = rest;
        add_group(w, target, taken);
    }
}

static void branch_by_table(const step *s, group *g)
{
    const u32 *const index = column(s, s->now->operand[0]);
    const u32 *const target = s->block->kernel->target + s->now->target;
    const u32 lanes = s->active, rest = g->lanes & ~lanes;
    for (int l = 0; l < LANES; l++) {
        if (!(lanes >> l & 1))
            continue;
        if ((s64)index[l] >= s->now->offset)
            fault(s, LAUNCH_FAILED, l, "branch %u of a table of %lld", index[l], (long long)s->now->offset);
    }
    const u32 at = g->at;
    drop(s->warp, g);
    if (rest)
        add_group(s->warp, at + 1, rest);
    for (u32 left = lanes; left;) {
        const u32 which = index[__builtin_ctz(left)];
        u32 same = 0;
        for (int l = 0; l < LANES; l++)
            same |= (u32)((left >> l & 1) && index[l] == which) << l;
        add_group(s->warp, target[which], same);
        left &= ~same;
    }
}

static void end_lanes(const step *s, group *g)
{
    s->warp->live &= ~s->active;
    g->lanes &= ~s->active;
    g->at++;
    if (!g->lanes)
        drop(s->warp, g);
    for (int k = 0; k < s->warp->groups; k++) /* those that wait may wait for none now */
        if (s->warp->group[k].state == WAITS_FOR_LANES)
            s->warp->group[k].state = RUNS;
}

/* The lanes that are active wait at this place; others of the group, whose guard is false, go on. */
static void park(const step *s, group *g, group_state state)
{
    const u32 rest = g->lanes & ~s->active;
    g->lanes = s->active;
    g->state = (u8)state;
    if (rest)
        add_group(s->warp, g->at + 1, rest);
}

static void pass_warp_barrier(const step *s)
{
    const u32 members = ((const u32 *)column(s, s->now->operand[3]))[__builtin_ctz(s->active)];
    for (int l = 0; l < LANES; l++)
        s->warp->barriers[l] += members >> l & 1;
}

static void with_others(const step *s, group *g)
{
    step all = *s;
    if (!all_there(s, g)) {
        park(s, g, WAITS_FOR_LANES);
        return;
    }
    if (s->now->kind == RUN_WARP_BARRIER) {
        pass_warp_barrier(s);
        for (int k = 0; k < s->warp->groups; k++) {
            group *const other = &s->warp->group[k];
            if (other != g && other->state == WAITS_FOR_LANES && s->block->kernel->code[other->at].kind == RUN_WARP_BARRIER) {
                other->state = RUNS;
                other->at++;
            }
        }
        g->at++;
        return;
    }
    for (int k = 0; k < s->warp->groups; k++) {
        group *const other = &s->warp->group[k];
        if (other != g && other->state == WAITS_FOR_LANES && other->at == g->at)
            all.active |= other->lanes;
    }
    switch (s->now->kind) {
    case RUN_SHUFFLE:
        run_shuffle(&all);
        break;
    case RUN_VOTE:
        run_vote(&all);
        break;
    case RUN_MATCH:
        run_match(&all);
        break;
    case RUN_REDUCE:
        run_reduce(&all);
        break;
    default:
        run_elect(&all);
    }
    const u32 at = g->at++;
    for (int k = 0; k < s->warp->groups; k++) {
        group *const other = &s->warp->group[k];
        if (other->state == WAITS_FOR_LANES && other->at == at) {
            other->state = RUNS;
            other->at++;
        }
    }
}

static void clock_column(const step *s)
{
    const u64 now = s->block->launch->steps;
    u64 wide[LANES];
    u32 narrow[LANES];
    for (int l = 0; l < LANES; l++) {
        wide[l] = now;
        narrow[l] = (u32)now;
    }
    commit(column(s, s->now->result), s->now->column == 8 ? (void *)wide : narrow, s->now->column, s->active);
}

static void active_mask(const step *s)
{
    u32 result[LANES];
    for (int l = 0; l < LANES; l++)
        result[l] = s->active;
    commit(column(s, s->now->result), result, sizeof *result, s->active);
}

static void whole_warp(const step *s)
{
    if (s->active != ~0u)
        fault(s, LAUNCH_FAILED, -1, "lanes %#x are there, and all of a warp are wanted", s->active);
}

/* One instruction that is more than a form. False: the group may have changed. */
static bool step_other(const step *s, group *g)
{
    switch ((run_kind)s->now->kind) {
    case RUN_BRANCH:
        split(s->warp, g, s->active, s->now->target);
        return false;
    case RUN_TABLE:
        branch_by_table(s, g);
        return false;
    case RUN_EXIT:
        end_lanes(s, g);
        return false;
    case RUN_BARRIER:
        if (s->now->what == BARRIER_ARRIVE) {
            s->block->arrived[*(u32 *)column(s, s->now->operand[0]) % BARRIERS] += (u32)__builtin_popcount(s->active);
            break;
        }
        park(s, g, WAITS_AT_BARRIER);
        return false;
    case RUN_SHUFFLE:
    case RUN_VOTE:
    case RUN_MATCH:
    case RUN_REDUCE:
    case RUN_ELECT:
    case RUN_WARP_BARRIER:
        with_others(s, g);
        return false;
    case RUN_LOAD:
        run_load(s);
        break;
    case RUN_STORE:
        run_store(s);
        break;
    case RUN_ATOMIC:
        run_atomic(s);
        break;
    case RUN_COPY:
        run_copy(s);
        break;
    case RUN_MATRIX:
        whole_warp(s);
        run_matrix(s);
        break;
    case RUN_LDMATRIX:
        whole_warp(s);
        run_ldmatrix(s);
        break;
    case RUN_IN_SPACE:
        run_in_space(s);
        break;
    case RUN_CLOCK:
        clock_column(s);
        break;
    case RUN_ACTIVE_MASK:
        active_mask(s);
        break;
    case RUN_TRAP:
        fault(s, LAUNCH_FAILED, -1, "trap");
    case RUN_LANES:
    case RUN_NOTHING:
        break;
    }
    g->at++;
    return true;
}

static u32 guarded(const step *s, u32 lanes)
{
    if (!s->now->guarded)
        return lanes;
    const u32 yes = *(const u32 *)column(s, s->now->guard);
    return lanes & (s->now->guarded == 1 ? yes : ~yes);
}

/* Runs a group until it ends, waits, or another is at or below its place. Returns the steps that are left. */
static u32 run_group(block *b, warp *w, group *g, u32 left, bool alone)
{
    const kernel *const k = b->kernel;
    const u8 *const base[2] = {w->registers, k->constant};
    launch *const l = b->launch;
    u32 next = alone ? ~0u : next_place(w, g);
    u64 lanes = 0, steps = 0;
    step s = {.block = b, .warp = w};
#define PLACE(WHERE) (base[(WHERE) >> 31] + ((WHERE) & ~CONSTANT_PLACE))
    while (left && g->at < next) {
        const instruction *const i = &k->code[g->at];
        s.now = i;
        s.active = guarded(&s, g->lanes);
        left--;
        steps++;
        lanes += (u64)__builtin_popcount(s.active);
        if (i->kind == RUN_LANES) {
            if (s.active)
                i->run(w->registers + i->result, PLACE(i->operand[0]), PLACE(i->operand[1]), PLACE(i->operand[2]),
                       PLACE(i->operand[3]), s.active);
            g->at++;
        } else if (!s.active)
            g->at++;
        else if (!step_other(&s, g)) {
            if (g >= w->group + w->groups || g->state != RUNS)
                break;
            next = alone ? ~0u : next_place(w, g);
        }
    }
    l->steps += steps;
    l->lanes += lanes;
    return left;
}

typedef enum { WARP_WAITS, WARP_GOES_ON } warp_state;

static warp_state run_warp(block *b, warp *w)
{
    u32 left = TURN;
    while (left) {
        group *g = runnable(w);
        if (!g)
            return WARP_WAITS;
        left = run_group(b, w, merged(w, g), left, false);
    }
    /* a lane may wait for one that is farther on: each group has a turn of its own */
    for (int k = 0; k < w->groups; k++)
        if (w->group[k].state == RUNS)
            run_group(b, w, &w->group[k], TURN / LANES, true);
    return WARP_GOES_ON;
}

/* ---- barriers of the block */

static const instruction *barrier_of(const block *b, const group *g)
{
    return &b->kernel->code[g->at];
}

static u32 number_at(const block *b, warp *w, const group *g)
{
    const step s = {.block = (block *)b, .warp = w, .now = barrier_of(b, g)};
    return ((const u32 *)column(&s, s.now->operand[0]))[__builtin_ctz(g->lanes)] % BARRIERS;
}

#define EACH_WAITING(B, NUMBER)                                    \
    for (u32 v = 0; v < (B)->warps; v++)                           \
        for (int k = 0; k < (B)->warp[v].groups; k++)              \
            if ((B)->warp[v].group[k].state == WAITS_AT_BARRIER && \
                number_at(B, &(B)->warp[v], &(B)->warp[v].group[k]) == (NUMBER))

typedef struct waiting {
    u32 threads, wanted, yes;
    const group *first;
    warp *warp;
    bool apart; /* at more than one place */
} waiting;

static waiting who_waits(block *b, u32 which)
{
    waiting all = {0};
    EACH_WAITING(b, which)
    {
        const group *const g = &b->warp[v].group[k];
        const step s = {.block = b, .warp = &b->warp[v], .now = barrier_of(b, g)};
        if (!all.first) {
            all.first = g;
            all.warp = &b->warp[v];
            all.wanted = ((const u32 *)column(&s, s.now->operand[1]))[__builtin_ctz(g->lanes)];
        }
        all.apart |= all.first->at != g->at;
        all.threads += (u32)__builtin_popcount(g->lanes);
        if (s.now->what != BARRIER_SYNC)
            all.yes += (u32)__builtin_popcount(*(const u32 *)column(&s, s.now->operand[2]) & g->lanes);
    }
    return all;
}

static void give_result(block *b, warp *w, const group *g, const waiting *all)
{
    const step s = {.block = b, .warp = w, .now = barrier_of(b, g), .active = g->lanes};
    if (s.now->what == BARRIER_SYNC)
        return;
    u32 result[LANES];
    for (int l = 0; l < LANES; l++)
        result[l] = all->yes;
    if (s.now->what == BARRIER_COUNT)
        commit(column(&s, s.now->result), result, sizeof *result, s.active);
    else
        commit_pred(column(&s, s.now->result), (s.now->what == BARRIER_OR ? all->yes : all->yes == all->threads) ? ~0u : 0,
                    s.active);
}

static void open_barrier(block *b, u32 which, const waiting *all)
{
    EACH_WAITING(b, which)
    {
        group *const g = &b->warp[v].group[k];
        give_result(b, &b->warp[v], g, all);
        g->state = OPENED;
    }
    for (u32 v = 0; v < b->warps; v++)
        for (int k = 0; k < b->warp[v].groups; k++)
            if (b->warp[v].group[k].state == OPENED) {
                b->warp[v].group[k].state = RUNS;
                b->warp[v].group[k].at++;
            }
    b->arrived[which] = 0;
    b->barriers++;
}

static u32 live_threads(const block *b)
{
    u32 live = 0;
    for (u32 w = 0; w < b->warps; w++)
        live += (u32)__builtin_popcount(b->warp[w].live);
    return live;
}

static bool open_barriers(block *b)
{
    bool opened = false;
    const u32 live = live_threads(b);
    for (u32 which = 0; which < BARRIERS; which++) {
        const waiting all = who_waits(b, which);
        if (!all.threads || all.threads + b->arrived[which] < (all.wanted ? all.wanted : live))
            continue;
        if (all.apart && !all.wanted) {
            const step s = {.block = b, .warp = all.warp, .now = barrier_of(b, all.first), .active = all.first->lanes};
            fault(&s, LAUNCH_FAILED, -1, "threads of the block wait at different barriers");
        }
        open_barrier(b, which, &all);
        opened = true;
    }
    return opened;
}

static void no_way_on(block *b)
{
    for (u32 v = 0; v < b->warps; v++)
        for (int k = 0; k < b->warp[v].groups; k++) {
            const group *const g = &b->warp[v].group[k];
            const step s = {.block = b, .warp = &b->warp[v], .now = barrier_of(b, g), .active = g->lanes};
            if (g->state == WAITS_FOR_LANES)
                fault(&s, LAUNCH_FAILED, -1, "lanes %#x wait for others that do not come (live: %#x)", g->lanes,
                      b->warp[v].live);
            fault(&s, LAUNCH_FAILED, -1, "divergent barrier: some threads wait at it, others never come (%u threads are live)",
                  live_threads(b));
        }
}

/* ---- blocks */

static u64 drawn(u64 *state) /* xorshift64* */
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

static void fill_specials(block *b, warp *w)
{
    for (u32 k = 0; k < b->kernel->specials; k++) {
        u8 *const to = w->registers + b->kernel->special[k].where;
        for (u32 l = 0; l < LANES; l++) {
            const u32 t = w->first + l;
            (void)t;
            switch (b->kernel->special[k].which) {
#define SPECIAL_CASE(NAME, TEXT, WIDTH, VALUE) \
    case SPECIAL_##NAME: {                     \
        const u64 value = (u64)(VALUE);        \
        memcpy(to + l * WIDTH, &value, WIDTH); \
        break;                                 \
    }
                SPECIALS(SPECIAL_CASE)
            }
        }
    }
}

static void start_block(block *b, u64 which)
{
    const u32 dynamic_start = (b->kernel->shared_bytes + 255) / 256 * 256;
    b->number = which;
    b->at[0] = (u32)(which % b->grid[0]);
    b->at[1] = (u32)(which / b->grid[0] % b->grid[1]);
    b->at[2] = (u32)(which / b->grid[0] / b->grid[1]);
    memset(b->arrived, 0, sizeof b->arrived);
    races_forget(b->races);
    b->barriers = 0;
    memset(b->shared, 0xCD, dynamic_start + b->dynamic);
    memset(b->local, 0xCD, (size_t)b->warps * LANES * b->kernel->local_bytes);
    for (u32 v = 0; v < b->warps; v++) {
        warp *const w = &b->warp[v];
        const u32 threads = b->threads - v * LANES;
        w->first = v * LANES;
        w->live = threads >= LANES ? ~0u : (1u << threads) - 1;
        w->groups = 0;
        w->lates = 0;
        memset(w->barriers, 0, sizeof w->barriers);
        memset(w->committed, 0, sizeof w->committed);
        add_group(w, 0, w->live);
        fill_specials(b, w);
    }
}

static block *new_block(launch *l)
{
    block *const b = calloc(1, sizeof *b);
    const kernel *const k = l->kernel;
    if (!b)
        abort();
    b->launch = l;
    b->kernel = k;
    memcpy(b->grid, l->grid, sizeof b->grid);
    memcpy(b->size, l->size, sizeof b->size);
    b->threads = l->size[0] * l->size[1] * l->size[2];
    b->warps = (b->threads + LANES - 1) / LANES;
    b->dynamic = l->dynamic;
    const size_t registers = (k->register_bytes + 63) & ~(size_t)63;
    b->registers = aligned_alloc(64, b->warps * registers + 64);
    b->shared = aligned_alloc(256, (k->shared_bytes + 255) / 256 * 256 + (l->dynamic + 255) / 256 * 256 + 256);
    b->local = aligned_alloc(64, ((size_t)b->warps * LANES * k->local_bytes + 127) / 64 * 64);
    if (!b->registers || !b->shared || !b->local)
        abort();
    if (b->threads > 1 && k->shared_bytes + l->dynamic)
        b->races = races_new((k->shared_bytes + 255) / 256 * 256 + l->dynamic);
    memset(b->registers, 0xCD, b->warps * registers);
    for (u32 v = 0; v < b->warps; v++) {
        b->warp[v].registers = b->registers + v * registers;
        b->warp[v].local = b->local + (size_t)v * LANES * k->local_bytes;
    }
    return b;
}

static void free_block(block *b)
{
    for (u32 v = 0; v < b->warps; v++)
        free(b->warp[v].late);
    free(b->races);
    free(b->registers);
    free(b->shared);
    free(b->local);
    free(b);
}

typedef enum { BLOCK_ENDS, BLOCK_LEFT } block_state;

static block_state run_block(block *b)
{
    launch *const l = b->launch;
    for (int turn = 0; turn < TURNS; turn++) {
        bool goes_on = false;
        const u32 start = l->random ? (u32)(drawn(&l->random) % b->warps) : 0;
        const bool backwards = l->random && (drawn(&l->random) >> 40 & 1);
        for (u32 k = 0; k < b->warps; k++) {
            const u32 v = (start + (backwards ? b->warps - 1 - k : k)) % b->warps;
            if (b->warp[v].live)
                goes_on |= run_warp(b, &b->warp[v]) == WARP_GOES_ON;
        }
        if (!live_threads(b))
            return BLOCK_ENDS;
        if (goes_on)
            open_barriers(b);
        else {
            if (!open_barriers(b))
                no_way_on(b);
            turn = 0;
        }
    }
    return BLOCK_LEFT;
}

/* Blocks in order, or with a seed in that of a walk through all of them. */
typedef struct order {
    u64 count, next, start, stride;
} order;

static u64 common_divisor(u64 a, u64 b)
{
    return b ? common_divisor(b, a % b) : a;
}

static order order_of(launch *l)
{
    order o = {.count = (u64)l->grid[0] * l->grid[1] * l->grid[2], .stride = 1};
    if (l->random) {
        o.start = drawn(&l->random) % o.count;
        o.stride = drawn(&l->random) % o.count | 1;
        while (common_divisor(o.stride, o.count) != 1)
            o.stride++;
    }
    return o;
}

static u64 next_block(order *o)
{
    return (u64)(((u128)o->next++ * o->stride + o->start) % o->count);
}

typedef struct residents {
    block *block[RESIDENT];
    int count;
} residents;

static void run_blocks(launch *l, residents *r)
{
    order o = order_of(l);
    u64 quiet = l->steps; /* since the last end */
    while (o.next < o.count || r->count) {
        if (o.next < o.count && r->count < RESIDENT) { /* those that are there were left: another one may be what they want */
            r->block[r->count++] = new_block(l);
            start_block(r->block[r->count - 1], next_block(&o));
        }
        for (int k = r->count - 1; k >= 0; k--) {
            while (run_block(r->block[k]) == BLOCK_ENDS) {
                quiet = l->steps;
                if (r->count > 1 || o.next == o.count) {
                    free_block(r->block[k]);
                    r->block[k] = r->block[--r->count];
                    break;
                }
                start_block(r->block[k], next_block(&o));
            }
        }
        if (l->steps - quiet > most_steps) {
            const step s = {.block = r->block[0], .warp = r->block[0]->warp, .now = l->kernel->code, .active = 1};
            fault(&s, LAUNCH_TIMEOUT, -1, "no block ends");
        }
    }
}

void launch_run(launch *l)
{
    residents *const r = calloc(1, sizeof *r);
    if (!r)
        abort();
    if (!setjmp(l->failed))
        run_blocks(l, r);
    for (int k = 0; k < r->count; k++)
        free_block(r->block[k]);
    free(r);
}
