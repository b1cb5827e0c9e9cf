/*
 * decode_warp.c - what lanes or threads do together: barriers, shuffles, votes, matches.
 */
#include "opcodes.h"

void decode_barrier(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    const int count = read_operands(p, operands);
    if (has(o, "cluster"))
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    if (has(o, "warp")) {
        const place members = source(p, &operands[0], 4);
        emit(p, RUN_WARP_BARRIER)->operand[3] = members;
        return;
    }
    const bool reduces = has(o, "red");
    const int given = count - (reduces ? 2 : 0); /* beside the result and the predicate */
    u32 width;
    if (given < 1 || given > 2)
        refuse(p, "%d operands", count);
    const place which = source(p, &operands[reduces], 4);
    const place threads = given == 2 ? source(p, &operands[reduces + 1], 4) : constant(p, 4, 0);
    const place x = reduces ? source(p, &operands[count - 1], 0) : 0;
    const place result = reduces ? destination(p, operands[0].text, &width) : NO_PLACE;
    instruction *const i = emit(p, RUN_BARRIER);
    i->what = has(o, "arrive") ? BARRIER_ARRIVE
              : !reduces       ? BARRIER_SYNC
              : has(o, "and")  ? BARRIER_AND
              : has(o, "or")   ? BARRIER_OR
                               : BARRIER_COUNT;
    i->operand[0] = which;
    i->operand[1] = threads;
    i->operand[2] = x;
    i->result = result;
}

static place result_of(parser *p, const operand *o)
{
    u32 width;
    return o->kind == OPERAND_SINK ? NO_PLACE : destination(p, o->text, &width);
}

static place second_of(parser *p, const operand *o)
{
    u32 width;
    return o->second.length ? destination(p, o->second, &width) : NO_PLACE;
}

void decode_shuffle(parser *p, const opcode *o)
{
    static const char *const text[] = {"up", "down", "bfly", "idx"};
    operand operands[MOST_OPERANDS];
    place x[OPERANDS];
    if (read_operands(p, operands) != 5 || !has(o, "sync"))
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    for (int k = 0; k < 4; k++)
        x[k] = source(p, &operands[k + 1], 4);
    const place result = result_of(p, &operands[0]), second = second_of(p, &operands[0]);
    instruction *const i = emit(p, RUN_SHUFFLE);
    memcpy(i->operand, x, sizeof x);
    i->result = result;
    i->second = second;
    for (u8 k = 0; k < 4; k++)
        if (has(o, text[k]))
            i->what = k;
}

/* members stand last: of a vote the operand before is a predicate, else a number of that width */
static void decode_among(parser *p, const opcode *o, run_kind kind, u8 what, u32 width)
{
    operand operands[MOST_OPERANDS];
    if (read_operands(p, operands) != 3 || !has(o, "sync"))
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    const place x = source(p, &operands[1], width), members = source(p, &operands[2], 4);
    const place result = result_of(p, &operands[0]), second = second_of(p, &operands[0]);
    instruction *const i = emit(p, kind);
    i->operand[0] = x;
    i->operand[3] = members;
    i->result = result;
    i->second = second;
    i->what = what;
    i->width = (u8)width;
}

void decode_vote(parser *p, const opcode *o)
{
    decode_among(p, o, RUN_VOTE,
                 has(o, "all")   ? VOTE_ALL
                 : has(o, "any") ? VOTE_ANY
                 : has(o, "uni") ? VOTE_UNI
                                 : VOTE_BALLOT,
                 0);
}

void decode_match(parser *p, const opcode *o)
{
    decode_among(p, o, RUN_MATCH, has(o, "all"), has(o, "b64") ? 8 : 4);
}

void decode_reduction(parser *p, const opcode *o)
{
    const operation what = has(o, "add")   ? OF_ADD
                           : has(o, "min") ? OF_MIN
                           : has(o, "max") ? OF_MAX
                           : has(o, "and") ? OF_AND
                           : has(o, "or")  ? OF_OR
                                           : OF_XOR;
    const number n = number_of(o);
    if (n != NUMBER_u32 && n != NUMBER_s32)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    decode_among(p, o, RUN_REDUCE, (u8)what, 4);
    p->kernel->code[p->kernel->count - 1].is_signed = n == NUMBER_s32;
}

void decode_elect(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    if (read_operands(p, operands) != 2 || !has(o, "sync"))
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    const place members = source(p, &operands[1], 4);
    const place result = result_of(p, &operands[0]), second = second_of(p, &operands[0]);
    instruction *const i = emit(p, RUN_ELECT);
    i->operand[3] = members;
    i->result = result;
    i->second = second;
}

void decode_active_mask(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    (void)o;
    if (read_operands(p, operands) != 1)
        refuse(p, "one operand wanted");
    const place result = result_of(p, &operands[0]);
    emit(p, RUN_ACTIVE_MASK)->result = result;
}

void decode_in_space(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    if (read_operands(p, operands) != 2)
        refuse(p, "two operands wanted");
    const place x = source(p, &operands[1], 8), result = result_of(p, &operands[0]);
    instruction *const i = emit(p, RUN_IN_SPACE);
    i->operand[0] = x;
    i->result = result;
    i->space = has(o, "shared") || has(o, "shared::cta") ? SHARED
               : has(o, "local")                         ? LOCAL
               : has(o, "param")                         ? PARAMETER
                                                         : GLOBAL;
}
