/*
 * run_warp.c - what lanes of a warp do together; all that take part are there.
 */
#include "run.h"

enum { NOTHING = (int)0xCDCDCDCD }; /* what a lane reads from one that does not take part */

static u32 members_of(const step *s)
{
    const u32 *const members = column(s, s->now->operand[3]);
    return members[__builtin_ctz(s->active)];
}

/* The manual's: lane and limit are packed into the operand behind the distance. */
void run_shuffle(const step *s)
{
    const instruction *const i = s->now;
    const u32 *const x = column(s, i->operand[0]), *const by = column(s, i->operand[1]),
                     *const packed = column(s, i->operand[2]);
    u32 result[LANES], inside = 0;
    for (u32 l = 0; l < LANES; l++) {
        const u32 limit = packed[l] & 31, segment = packed[l] >> 8 & 31, distance = by[l] & 31;
        const u32 highest = (l & segment) | (limit & ~segment), lowest = l & segment;
        u32 from = 0;
        bool in = false;
        switch ((shuffle)i->what) {
        case SHUFFLE_UP:
            from = l - distance;
            in = (s32)from >= (s32)highest;
            break;
        case SHUFFLE_DOWN:
            from = l + distance;
            in = from <= highest;
            break;
        case SHUFFLE_BUTTERFLY:
            from = l ^ distance;
            in = from <= highest;
            break;
        case SHUFFLE_INDEX:
            from = lowest | (distance & ~segment);
            in = from <= highest;
            break;
        }
        from = in ? from : l;
        inside |= (u32)in << l;
        result[l] = s->active >> from & 1 ? x[from] : (u32)NOTHING;
    }
    if (i->result != NO_PLACE)
        commit(column(s, i->result), result, sizeof *result, s->active);
    if (i->second != NO_PLACE)
        commit_pred(column(s, i->second), inside, s->active);
}

void run_vote(const step *s)
{
    const instruction *const i = s->now;
    const u32 yes = *(const u32 *)column(s, i->operand[0]) & s->active;
    u32 result[LANES];
    for (int l = 0; l < LANES; l++)
        result[l] = yes;
    if (i->result == NO_PLACE)
        return;
    if (i->what == VOTE_BALLOT)
        commit(column(s, i->result), result, sizeof *result, s->active);
    else {
        const bool holds = i->what == VOTE_ALL ? yes == s->active : i->what == VOTE_ANY ? yes : yes == s->active || !yes;
        commit_pred(column(s, i->result), holds ? ~0u : 0, s->active);
    }
}

void run_match(const step *s)
{
    const instruction *const i = s->now;
    const u8 *const x = column(s, i->operand[0]);
    u32 result[LANES] = {0}, all = 0;
    for (u32 l = 0; l < LANES; l++)
        for (u32 k = 0; k < LANES; k++)
            if (s->active >> k & 1 && memcmp(x + l * i->width, x + k * i->width, i->width) == 0)
                result[l] |= 1u << k;
    const bool same = result[__builtin_ctz(s->active)] == s->active;
    if (i->what)
        for (int l = 0; l < LANES; l++)
            result[l] = same ? s->active : 0;
    all = same ? ~0u : 0;
    if (i->result != NO_PLACE)
        commit(column(s, i->result), result, sizeof *result, s->active);
    if (i->second != NO_PLACE)
        commit_pred(column(s, i->second), all, s->active);
}

static u32 folded(const instruction *i, u32 x, u32 y)
{
    switch ((operation)i->what) {
    case OF_ADD:
        return x + y;
    case OF_MIN:
        return i->is_signed ? ((s32)x < (s32)y ? x : y) : x < y ? x : y;
    case OF_MAX:
        return i->is_signed ? ((s32)x > (s32)y ? x : y) : x > y ? x : y;
    case OF_AND:
        return x & y;
    case OF_OR:
        return x | y;
    default:
        return x ^ y;
    }
}

void run_reduce(const step *s)
{
    const u32 *const x = column(s, s->now->operand[0]);
    u32 first = (u32)__builtin_ctz(s->active), total = x[first], result[LANES];
    for (u32 l = first + 1; l < LANES; l++)
        if (s->active >> l & 1)
            total = folded(s->now, total, x[l]);
    for (int l = 0; l < LANES; l++)
        result[l] = total;
    if (s->now->result != NO_PLACE)
        commit(column(s, s->now->result), result, sizeof *result, s->active);
}

void run_elect(const step *s)
{
    const u32 chosen = (u32)__builtin_ctz(members_of(s) & s->active);
    u32 result[LANES];
    for (int l = 0; l < LANES; l++)
        result[l] = chosen;
    if (s->now->result != NO_PLACE)
        commit(column(s, s->now->result), result, sizeof *result, s->active);
    if (s->now->second != NO_PLACE)
        commit_pred(column(s, s->now->second), 1u << chosen, s->active);
}
