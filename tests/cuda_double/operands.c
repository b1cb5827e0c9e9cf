/*
 * operands.c - operands as they are written, and the places that they stand for.
 */
#include <ctype.h>
#include <stdlib.h>

#include "operands.h"

static void read_real(parser *p, operand *o)
{
    char *end;
    o->kind = OPERAND_NUMBER;
    o->real = true;
    o->single = tolower((unsigned char)p->at[1]) == 'f';
    o->bits = strtoull(p->at + 2, &end, 16);
    p->at = end;
}

static bool is_decimal(const char *s)
{
    s += *s == '-';
    while (isdigit((unsigned char)*s))
        s++;
    return *s == '.' || *s == 'e' || *s == 'E';
}

static void read_number(parser *p, operand *o)
{
    o->kind = OPERAND_NUMBER;
    if (is_decimal(p->at) && p->at[1] != 'x') {
        char *end;
        const double value = strtod(p->at, &end);
        o->real = true;
        memcpy(&o->bits, &value, sizeof value);
        p->at = end;
    } else
        o->bits = (u64)take_integer(p);
}

static s64 read_offset(parser *p)
{
    s64 offset = 0;
    for (skip(p); *p->at == '+' || *p->at == '-'; skip(p)) {
        const bool negative = *p->at++ == '-';
        const s64 value = take_integer(p);
        offset += negative ? -value : value;
    }
    return offset;
}

static void read_memory(parser *p, operand *o)
{
    o->kind = OPERAND_MEMORY;
    skip(p);
    if (is_number(p))
        o->bits = (u64)take_integer(p);
    else
        o->text = take_word(p);
    o->offset = read_offset(p);
    if (!accept(p, ']'))
        refuse(p, "the address is of a kind that is not known here");
}

static void read_vector(parser *p, operand *o)
{
    o->kind = OPERAND_VECTOR;
    do {
        if (o->count == MOST_ITEMS)
            refuse(p, "a vector of more than %d registers", MOST_ITEMS);
        skip(p);
        item *const i = &o->item[o->count++];
        operand one = {0};
        read_operand(p, &one);
        *i = (item){one.kind, one.text, one.bits};
    } while (accept(p, ','));
    expect(p, '}');
}

static void read_name(parser *p, operand *o)
{
    o->text = take_word(p);
    if (is(o->text, "_")) {
        o->kind = OPERAND_SINK;
        return;
    }
    if (is(o->text, "WARP_SZ")) {
        o->kind = OPERAND_NUMBER;
        o->bits = LANES;
        return;
    }
    o->kind = OPERAND_WORD;
    if (accept(p, '|')) {
        o->second = take_word(p);
        if (is(o->second, "_"))
            o->second.length = 0;
    }
    o->offset = read_offset(p);
}

void read_operand(parser *p, operand *o)
{
    skip(p);
    if (accept(p, '['))
        read_memory(p, o);
    else if (accept(p, '{'))
        read_vector(p, o);
    else if (p->at[0] == '0' && strchr("fFdD", p->at[1]) && p->at[1])
        read_real(p, o);
    else if (is_number(p))
        read_number(p, o);
    else {
        o->negated = accept(p, '!');
        read_name(p, o);
    }
}

int read_operands(parser *p, operand *o)
{
    int count = 0;
    skip(p);
    if (*p->at != ';')
        do {
            if (count == MOST_OPERANDS)
                refuse(p, "more than %d operands", MOST_OPERANDS);
            o[count] = (operand){0};
            read_operand(p, &o[count++]);
        } while (accept(p, ','));
    expect(p, ';');
    return count;
}

/* ---- places */

u32 width_of_type(value_type t)
{
    switch (t) {
    case TYPE_none:
    case TYPE_pred:
        return 0;
    case TYPE_u16:
    case TYPE_s16:
        return 2;
    case TYPE_u32:
    case TYPE_s32:
    case TYPE_f32:
        return 4;
    default:
        return 8;
    }
}

static place resized(parser *p, place x, u32 from, u32 to)
{
    if (from == to)
        return x;
    const place result = temporary(p, to);
    const char *const text = to == 2     ? from == 4 ? "~resize.16.32" : "~resize.16.64"
                             : to == 4   ? from == 2 ? "~resize.u32.16" : "~resize.32.64"
                             : from == 2 ? "~resize.u64.16"
                                         : "~resize.u64.32";
    emit_form(p, text, result, x, 0, 0, 0);
    return result;
}

static u64 number_bits(const operand *o, u32 width)
{
    if (!o->real || o->single || width != 4)
        return o->bits;
    double value;
    memcpy(&value, &o->bits, sizeof value);
    const float narrow = (float)value;
    u32 bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

static place place_of_variable(parser *p, const operand *o, u32 width)
{
    name *const n = name_needed(p, o->text);
    if (n->meaning != A_VARIABLE && n->meaning != A_SHARED)
        refuse(p, "%.*s is no register and no variable", o->text.length, o->text.text);
    return constant(p, width, address_of(p, n) + (u64)o->offset);
}

place source(parser *p, const operand *o, u32 width)
{
    u32 own = 0;
    if (o->kind == OPERAND_NUMBER)
        return constant(p, width, number_bits(o, width));
    if (o->kind != OPERAND_WORD)
        refuse(p, "an operand is of a kind that is not wanted");
    place x = register_of(p, o->text, &own);
    if (x == NO_PLACE)
        return place_of_variable(p, o, width);
    if ((own == 0) != (width == 0))
        refuse(p, "%.*s is of a width that is not wanted", o->text.length, o->text.text);
    x = resized(p, x, own, width);
    if (o->negated) {
        const place opposite = temporary(p, 0);
        emit_form(p, "not.pred", opposite, x, 0, 0, 0);
        return opposite;
    }
    return x;
}

place destination(parser *p, word text, u32 *width)
{
    const place where = register_of(p, text, width);
    if (where == NO_PLACE)
        refuse(p, "%.*s is no register", text.length, text.text);
    return where;
}

place item_source(parser *p, const item *i, u32 width)
{
    const operand o = {.kind = i->kind, .text = i->text, .bits = i->bits};
    return source(p, &o, width);
}

place item_destination(parser *p, const item *i, u32 *width)
{
    return i->kind == OPERAND_SINK ? NO_PLACE : destination(p, i->text, width);
}
