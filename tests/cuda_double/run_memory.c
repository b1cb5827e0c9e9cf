/*
 * run_memory.c - loads, stores and atomics: addresses become places in the host's memory, or the launch ends.
 */
#include "run.h"

#include <stdlib.h>

static const char *const space_name[] = {"memory", "global memory", "shared memory", "local memory", "parameters"};

static u32 first_lane(u32 lanes)
{
    return (u32)__builtin_ctz(lanes);
}

/* ---- where the bytes are */

static const range *range_of(const step *s, u64 low, u64 high, u32 nbytes)
{
    launch *const l = s->block->launch;
    const range **const hit = &l->hit[(s->now - s->block->kernel->code) & 15];
    const range *r = *hit;
    if (!r || low < r->address || high + nbytes > r->address + r->nbytes) {
        r = memory_find(low);
        if (!r || high + nbytes > r->address + r->nbytes)
            return NULL;
        *hit = r;
    }
    return r;
}

static void check_alignment(const step *s, u64 address, u32 nbytes, int lane)
{
    if (address % nbytes)
        fault(s, MISALIGNED_ADDRESS, lane, "address %#llx is no multiple of %u", (unsigned long long)address, nbytes);
}

static u8 *global_bytes(const step *s, u64 address, u32 nbytes, bool writes, int lane)
{
    char words[256];
    const range *const r = memory_find(address);
    check_alignment(s, address, nbytes, lane);
    if (!r || address + nbytes > r->address + r->nbytes || r->pending)
        fault(s, ILLEGAL_ADDRESS, lane, "%s %u bytes at %#llx: %s", writes ? "writes" : "reads", nbytes,
              (unsigned long long)address, memory_words(address, nbytes, words, sizeof words));
    if (!r->mapped && r->kind == OF_HOST)
        fault(s, ILLEGAL_ADDRESS, lane, "host memory that is not mapped, at %#llx", (unsigned long long)address);
    return r->host + (address - r->address);
}

static void find_global(const step *s, const u64 *address, u32 nbytes, bool writes, u32 lanes, u8 **bytes)
{
    u64 low = ~(u64)0, high = 0, all = 0;
    for (int l = 0; l < LANES; l++) {
        const u64 here = lanes >> l & 1 ? address[l] : address[first_lane(lanes)];
        low = here < low ? here : low;
        high = here > high ? here : high;
        all |= here;
    }
    const range *const r = range_of(s, low, high, nbytes);
    if (r && !r->pending && r->mapped + (r->kind != OF_HOST) && !(all & (nbytes - 1))) {
        for (int l = 0; l < LANES; l++)
            bytes[l] = (u8 *)((u64)(uintptr_t)r->host + (address[l] - r->address));
        return;
    }
    for (int l = 0; l < LANES; l++)
        if (lanes >> l & 1)
            bytes[l] = global_bytes(s, address[l], nbytes, writes, l);
}

/* Spaces of the block or the lane: an offset below a limit. */
static void find_own(const step *s, space in, u8 *start, u64 each, u64 limit, const u64 *address, u32 nbytes, u32 lanes,
                     u8 **bytes)
{
    for (u32 l = 0; l < LANES; l++) {
        if (!(lanes >> l & 1))
            continue;
        check_alignment(s, address[l], nbytes, (int)l);
        if (address[l] + nbytes > limit || address[l] + nbytes < nbytes)
            fault(s, ILLEGAL_ADDRESS, (int)l, "%u bytes at %llu of %s, which has %llu", nbytes, (unsigned long long)address[l],
                  space_name[in], (unsigned long long)limit);
        bytes[l] = start + l * each + address[l];
    }
}

static void find_shared(const step *s, const u64 *address, u32 nbytes, bool writes, u32 lanes, u8 **bytes)
{
    const block *const b = s->block;
    u64 inside[LANES];
    u32 dynamic = 0;
    for (int l = 0; l < LANES; l++) {
        dynamic |= (u32)(address[l] >= DYNAMIC_SHARED) << l;
        inside[l] = address[l] - DYNAMIC_SHARED;
    }
    if (lanes & ~dynamic)
        find_own(s, SHARED, b->shared, 0, b->kernel->shared_bytes, address, nbytes, lanes & ~dynamic, bytes);
    if (lanes & dynamic)
        find_own(s, SHARED, b->shared + (b->kernel->shared_bytes + 255) / 256 * 256, 0, b->dynamic, inside, nbytes,
                 lanes & dynamic, bytes);
    for (u32 l = 0; l < LANES && b->races; l++)
        if (lanes >> l & 1)
            races_visit(s, (u64)(bytes[l] - b->shared), nbytes, writes, l);
}

static space space_at(u64 address)
{
    return address - SHARED_WINDOW < WINDOW_SIZE      ? SHARED
           : address - LOCAL_WINDOW < WINDOW_SIZE     ? LOCAL
           : address - PARAMETER_WINDOW < WINDOW_SIZE ? PARAMETER
                                                      : GLOBAL;
}

static void find_generic(const step *s, const u64 *address, u32 nbytes, bool writes, u32 lanes, u8 **bytes)
{
    static const u64 start[] = {[GLOBAL] = 0, [SHARED] = SHARED_WINDOW, [LOCAL] = LOCAL_WINDOW, [PARAMETER] = PARAMETER_WINDOW};
    while (lanes) {
        const space in = space_at(address[first_lane(lanes)]);
        u64 inside[LANES];
        u32 among = 0;
        for (int l = 0; l < LANES; l++) {
            among |= (u32)((lanes >> l & 1) && space_at(address[l]) == in) << l;
            inside[l] = address[l] - start[in];
        }
        find_bytes(s, in, inside, nbytes, writes, among, bytes);
        lanes &= ~among;
    }
}

void find_bytes(const step *s, space in, const u64 *address, u32 nbytes, bool writes, u32 lanes, u8 **bytes)
{
    const kernel *const k = s->block->kernel;
    switch (in) {
    case GENERIC:
        find_generic(s, address, nbytes, writes, lanes, bytes);
        return;
    case GLOBAL:
        find_global(s, address, nbytes, writes, lanes, bytes);
        return;
    case SHARED:
        find_shared(s, address, nbytes, writes, lanes, bytes);
        return;
    case LOCAL:
        find_own(s, LOCAL, s->warp->local, k->local_bytes, k->local_bytes, address, nbytes, lanes, bytes);
        return;
    case PARAMETER:
        if (writes)
            fault(s, ILLEGAL_ADDRESS, (int)first_lane(lanes), "writes its parameters");
        find_own(s, PARAMETER, s->block->launch->parameters, 0, k->parameter_bytes, address, nbytes, lanes, bytes);
        return;
    }
}

static void find_operand(const step *s, bool writes, u32 nbytes, u8 **bytes)
{
    const u64 *const base = column(s, s->now->operand[0]);
    u64 address[LANES];
    for (int l = 0; l < LANES; l++)
        address[l] = base[l] + (u64)s->now->offset;
    find_bytes(s, (space)s->now->space, address, nbytes, writes, s->active, bytes);
}

/* ---- loads and stores */

#define EACH_ACTIVE                 \
    for (int l = 0; l < LANES; l++) \
        if (s->active >> l & 1)

/* clang-format off */
#define MOVES(CASE) \
    CASE(u8, u16)   \
    CASE(u8, u32)   \
    CASE(u8, u64)   \
    CASE(s8, s16)   \
    CASE(s8, s32)   \
    CASE(s8, s64)   \
    CASE(u16, u16)  \
    CASE(u16, u32)  \
    CASE(u16, u64)  \
    CASE(s16, s32)  \
    CASE(s16, s64)  \
    CASE(u32, u32)  \
    CASE(u32, u64)  \
    CASE(s32, s64)  \
    CASE(u64, u64)
/* clang-format on */

static unsigned kind_of_move(u32 width, u32 wide, bool is_signed)
{
    return width << 8 | wide << 4 | (is_signed && width < wide);
}
#define KIND(M, C) (sizeof(M) << 8 | sizeof(C) << 4 | ((M)-1 < 1 && sizeof(M) < sizeof(C)))

static void load_column(const step *s, void *to, u8 *const *bytes, u32 offset)
{
    switch (kind_of_move(s->now->width, s->now->column, s->now->is_signed)) {
#define LOAD_CASE(M, C)                              \
    case KIND(M, C):                                 \
        EACH_ACTIVE                                  \
        {                                            \
            M x;                                     \
            memcpy(&x, bytes[l] + offset, sizeof x); \
            ((C *)to)[l] = (C)x;                     \
        }                                            \
        return;
        MOVES(LOAD_CASE)
    default:
        fault(s, ILLEGAL_INSTRUCTION, -1, "registers of %u bytes for elements of %u", s->now->column, s->now->width);
    }
}

static void store_column(const step *s, const void *from, u8 *const *bytes, u32 offset)
{
    const u32 wide = s->now->column;
    EACH_ACTIVE
    memcpy(bytes[l] + offset, (const u8 *)from + (u32)l * wide, s->now->width);
}

static void store_words(const step *s, const u32 *from, u8 *const *bytes, u32 offset)
{
    EACH_ACTIVE
    memcpy(bytes[l] + offset, &from[l], sizeof *from);
}

static void store_doubles(const step *s, const u64 *from, u8 *const *bytes, u32 offset)
{
    EACH_ACTIVE
    memcpy(bytes[l] + offset, &from[l], sizeof *from);
}

void run_load(const step *s)
{
    u8 *bytes[LANES];
    const instruction *const i = s->now;
    find_operand(s, false, (u32)i->width * i->count, bytes);
    for (u32 k = 0; k < i->count; k++)
        if (i->data[k] != NO_PLACE)
            load_column(s, column(s, i->data[k]), bytes, k * i->width);
}

void run_store(const step *s)
{
    u8 *bytes[LANES];
    const instruction *const i = s->now;
    find_operand(s, true, (u32)i->width * i->count, bytes);
    for (u32 k = 0; k < i->count; k++) {
        const void *const from = column(s, i->data[k]);
        if (i->width == 4 && i->column == 4)
            store_words(s, from, bytes, k * 4);
        else if (i->width == 8)
            store_doubles(s, from, bytes, k * 8);
        else
            store_column(s, from, bytes, k * i->width);
    }
}

/* ---- atomics: lane after lane */

static u64 lane_bits(const void *from, u32 width, int l)
{
    u64 x = 0;
    memcpy(&x, (const u8 *)from + (u32)l * width, width);
    return x;
}

static u64 sum(number n, u64 x, u64 y)
{
    const conversion wide = {.to = NUMBER_f64, .from = n}, narrow = {.to = n, .from = NUMBER_f64};
    switch (n) {
    case NUMBER_f32:
        return bits32(nan32(real32((u32)x) + real32((u32)y)));
    case NUMBER_f64:
        return bits64(real64(x) + real64(y));
    case NUMBER_f16:
    case NUMBER_bf16:
        return convert_bits(&narrow, bits64(real64(convert_bits(&wide, x)) + real64(convert_bits(&wide, y))));
    default:
        return x + y;
    }
}

static bool below(number n, u64 x, u64 y)
{
    switch (n) {
    case NUMBER_f32:
        return real32((u32)x) < real32((u32)y);
    case NUMBER_f64:
        return real64(x) < real64(y);
    case NUMBER_s16:
        return (s16)x < (s16)y;
    case NUMBER_s32:
        return (s32)x < (s32)y;
    case NUMBER_s64:
        return (s64)x < (s64)y;
    default:
        return x < y;
    }
}

static u64 combined(const instruction *i, u64 old, u64 x, u64 y)
{
    const number n = (number)i->number;
    switch ((operation)i->what) {
    case OF_ADD:
        return sum(n, old, x);
    case OF_MIN:
        return below(n, x, old) ? x : old;
    case OF_MAX:
        return below(n, old, x) ? x : old;
    case OF_AND:
        return old & x;
    case OF_OR:
        return old | x;
    case OF_XOR:
        return old ^ x;
    case OF_EXCHANGE:
        return x;
    case OF_COMPARE:
        return old == x ? y : old;
    case OF_INCREMENT:
        return old >= x ? 0 : old + 1;
    case OF_DECREMENT:
        return old == 0 || old > x ? x : old - 1;
    }
    return old;
}

void run_atomic(const step *s)
{
    u8 *bytes[LANES];
    const instruction *const i = s->now;
    const void *const x = column(s, i->operand[1]), *const y = column(s, i->operand[2]);
    find_operand(s, true, i->width, bytes);
    EACH_ACTIVE
    {
        u64 old = 0;
        memcpy(&old, bytes[l], i->width);
        const u64 new = combined(i, old, lane_bits(x, i->width, l), lane_bits(y, i->width, l));
        memcpy(bytes[l], &new, i->width);
        if (i->result != NO_PLACE)
            memcpy((u8 *)column(s, i->result) + (u32)l * i->width, &old, i->width);
    }
}

/* ---- copies that run beside (cp.async): as late as a wait allows; bytes behind those that are given become 0 */

typedef struct late {
    u8 *to, *from;
    u32 lane, width, nbytes, group;
} late;

static void keep_late(warp *w, late one)
{
    if (w->lates == w->late_room) {
        w->late_room = w->late_room ? 2 * w->late_room : 64;
        w->late = realloc(w->late, w->late_room * sizeof *w->late);
        if (!w->late)
            abort();
    }
    w->late[w->lates++] = one;
}

/* Those of the active lanes in groups before the last `but`, or all of them, in a group or not. */
static void do_late(const step *s, u32 but, bool all)
{
    warp *const w = s->warp;
    u32 kept = 0;
    for (u32 k = 0; k < w->lates; k++) {
        const late one = w->late[k];
        if (!(s->active >> one.lane & 1) || (!all && one.group + but >= w->committed[one.lane])) {
            w->late[kept++] = one;
            continue;
        }
        memset(one.to, 0, one.width);
        if (one.nbytes)
            memcpy(one.to, one.from, one.nbytes);
    }
    w->lates = kept;
}

void run_copy(const step *s)
{
    u8 *to[LANES], *from[LANES] = {0};
    const instruction *const i = s->now;
    if (i->count == 0) {
        if (i->what == COPY_WAITS)
            do_late(s, (u32)i->offset, i->all);
        for (int l = 0; l < LANES; l++)
            s->warp->committed[l] += i->what == COPY_COMMITS && (s->active >> l & 1);
        return;
    }
    const u64 *const base = column(s, i->operand[0]);
    const u32 *const given = column(s, i->operand[2]);
    u64 address[LANES];
    u32 some = 0;
    for (int l = 0; l < LANES; l++) {
        address[l] = base[l] + (u64)i->offset;
        some |= (u32)((s->active >> l & 1) && given[l]) << l;
    }
    find_bytes(s, SHARED, column(s, i->operand[1]), i->width, true, s->active, to);
    if (some)
        find_bytes(s, GLOBAL, address, i->width, false, some, from);
    EACH_ACTIVE
    keep_late(s->warp,
              (late){to[l], from[l], (u32)l, i->width, given[l] < i->width ? given[l] : i->width, s->warp->committed[l]});
}

void run_in_space(const step *s)
{
    const u64 *const address = column(s, s->now->operand[0]);
    u32 result = 0;
    for (int l = 0; l < LANES; l++)
        result |= (u32)(space_at(address[l]) == (space)s->now->space) << l;
    commit_pred(column(s, s->now->result), result, s->active);
}
