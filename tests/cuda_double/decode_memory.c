/*
 * decode_memory.c - loads, stores, atomics and what copies between spaces or feeds the units for matrices.
 */
#include "opcodes.h"

static space space_of(const opcode *o, space otherwise)
{
    for (int k = 1; k < o->parts; k++) {
        const word w = o->part[k];
        if (is(w, "global") || is(w, "const"))
            return GLOBAL;
        if (is(w, "shared") || is(w, "shared::cta"))
            return SHARED;
        if (is(w, "local"))
            return LOCAL;
        if (is(w, "param") || is(w, "param::entry") || is(w, "param::func"))
            return PARAMETER;
    }
    return otherwise;
}

typedef struct address {
    place base;
    s64 offset;
    space in;
} address;

/* [register+8], [name+8], [4096]; parameters of calls are local memory */
static address address_in(parser *p, const operand *o, space in)
{
    address a = {.offset = o->offset, .in = in};
    u32 width = 0;
    if (o->kind != OPERAND_MEMORY)
        refuse(p, "an address wanted");
    if (in == PARAMETER && p->depth)
        a.in = LOCAL;
    if (o->text.length == 0) {
        a.base = constant(p, 8, o->bits);
        return a;
    }
    a.base = register_of(p, o->text, &width);
    if (a.base == NO_PLACE) {
        name *const n = name_needed(p, o->text);
        if (n->meaning != A_VARIABLE && n->meaning != A_SHARED)
            refuse(p, "%.*s is no address", o->text.length, o->text.text);
        if (in == PARAMETER)
            a.in = (space)n->space;
        a.base = constant(p, 8, address_of(p, n));
        if (in == GENERIC)
            a.in = (space)n->space;
    } else if (width != 8) {
        const operand plain = {.kind = OPERAND_WORD, .text = o->text};
        a.base = source(p, &plain, 8);
    }
    return a;
}

static u32 element_width(parser *p, const opcode *o)
{
    const number n = number_of(o);
    if (n == NUMBER_none)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    return (u32)number_size(n);
}

static bool is_ordered(const opcode *o)
{
    return has(o, "volatile") || has(o, "relaxed") || has(o, "acquire") || has(o, "release");
}

static void put_address(instruction *i, address a, const opcode *o, u32 width)
{
    const number n = number_of(o);
    i->operand[0] = a.base;
    i->offset = a.offset;
    i->space = (u8)a.in;
    i->width = (u8)width;
    i->number = (u8)n;
    i->is_signed = n == NUMBER_s8 || n == NUMBER_s16 || n == NUMBER_s32 || n == NUMBER_s64;
    i->count = 1;
    i->ordered = is_ordered(o);
}

void decode_load(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    place data[VECTOR];
    u32 column = 0;
    int count = 1;
    const u32 width = element_width(p, o);
    if (read_operands(p, operands) < 2) /* a third is a hint for caches */
        refuse(p, "two operands wanted");
    const address a = address_in(p, &operands[1], space_of(o, GENERIC));
    if (operands[0].kind == OPERAND_VECTOR) {
        count = operands[0].count;
        for (int k = 0; k < count; k++)
            data[k] = item_destination(p, &operands[0].item[k], &column);
    } else
        data[0] = destination(p, operands[0].text, &column);
    if (column < width)
        refuse(p, "registers of %u bytes for elements of %u", column, width);
    instruction *const i = emit(p, RUN_LOAD);
    put_address(i, a, o, width);
    i->column = (u8)column;
    i->count = (u8)count;
    memcpy(i->data, data, sizeof data[0] * (size_t)count);
}

static place stored(parser *p, operand_kind kind, word text, const operand *o, u32 width, u32 *column)
{
    u32 own = 0;
    const place x = kind == OPERAND_WORD ? register_of(p, text, &own) : NO_PLACE;
    *column = x == NO_PLACE ? (width < 2 ? 2 : width) : own;
    return x == NO_PLACE ? source(p, o, *column) : x;
}

void decode_store(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    place data[VECTOR];
    u32 column = 0;
    int count = 1;
    const u32 width = element_width(p, o);
    if (read_operands(p, operands) < 2)
        refuse(p, "two operands wanted");
    const address a = address_in(p, &operands[0], space_of(o, GENERIC));
    if (operands[1].kind == OPERAND_VECTOR) {
        count = operands[1].count;
        column = width < 2 ? 2 : width;
        for (int k = 0; k < count; k++)
            data[k] = item_source(p, &operands[1].item[k], column);
    } else
        data[0] = stored(p, operands[1].kind, operands[1].text, &operands[1], width, &column);
    if (column < width)
        refuse(p, "registers of %u bytes for elements of %u", column, width);
    instruction *const i = emit(p, RUN_STORE);
    put_address(i, a, o, width);
    i->column = (u8)column;
    i->count = (u8)count;
    memcpy(i->data, data, sizeof data[0] * (size_t)count);
}

static operation operation_of(parser *p, const opcode *o)
{
    static const struct {
        const char *text;
        operation is;
    } row[] = {{"add", OF_ADD}, {"min", OF_MIN},       {"max", OF_MAX},     {"and", OF_AND},       {"or", OF_OR},
               {"xor", OF_XOR}, {"exch", OF_EXCHANGE}, {"cas", OF_COMPARE}, {"inc", OF_INCREMENT}, {"dec", OF_DECREMENT}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++)
        if (has(o, row[k].text))
            return row[k].is;
    refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
}

void decode_atomic(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    u32 column = 0;
    const u32 width = element_width(p, o);
    const bool gives = is(o->part[0], "atom");
    const operation what = operation_of(p, o);
    const int wanted = 2 + gives + (what == OF_COMPARE);
    if (read_operands(p, operands) < wanted)
        refuse(p, "%d operands wanted", wanted);
    const operand *const at = &operands[gives];
    if (width < 2 || at[1].kind == OPERAND_VECTOR)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    const address a = address_in(p, at, space_of(o, GENERIC));
    const place x = source(p, &at[1], width), y = what == OF_COMPARE ? source(p, &at[2], width) : 0;
    place result = NO_PLACE;
    if (gives && operands[0].kind != OPERAND_SINK)
        result = destination(p, operands[0].text, &column);
    if (result != NO_PLACE && column != width)
        refuse(p, "a register of %u bytes for an element of %u", column, width);
    instruction *const i = emit(p, RUN_ATOMIC);
    put_address(i, a, o, width);
    i->operand[1] = x;
    i->operand[2] = y;
    i->result = result;
    i->what = (u8)what;
    i->column = (u8)width;
}

/* cp.async.ca.shared.global [to], [from], 16, bytes; its groups */
void decode_copy(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    const int count = read_operands(p, operands);
    if (!has(o, "async") || has(o, "bulk") || has(o, "mbarrier"))
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    if (has(o, "commit_group") || has(o, "wait_group") || has(o, "wait_all")) {
        instruction *const i = emit(p, RUN_COPY);
        i->count = 0;
        i->what = has(o, "commit_group") ? COPY_COMMITS : COPY_WAITS;
        i->all = has(o, "wait_all");
        i->offset = has(o, "wait_group") && count ? (s64)operands[0].bits : 0;
        return;
    }
    if (count < 3)
        refuse(p, "three operands wanted");
    const address to = address_in(p, &operands[0], SHARED), from = address_in(p, &operands[1], GLOBAL);
    const place bytes = count > 3 ? source(p, &operands[3], 4) : constant(p, 4, operands[2].bits);
    const place target = temporary(p, 8);
    emit_form(p, "add.s64", target, to.base, constant(p, 8, (u64)to.offset), 0, 0);
    instruction *const i = emit(p, RUN_COPY);
    i->operand[0] = from.base;
    i->offset = from.offset;
    i->operand[1] = target;
    i->operand[2] = bytes;
    i->width = (u8)operands[2].bits;
    i->count = 1;
}

/* ---- matrices: the places of fragments, one after another, are a list of the kernel */

static u32 put_fragment(parser *p, const operand *o, bool result)
{
    kernel *const k = p->kernel;
    u32 width;
    const u32 first = k->targets;
    place where[MOST_ITEMS];
    const int count = o->kind == OPERAND_VECTOR ? o->count : 1;
    for (int n = 0; n < count; n++) {
        const item one = o->kind == OPERAND_VECTOR ? o->item[n] : (item){o->kind, o->text, o->bits};
        where[n] = result ? item_destination(p, &one, &width) : register_of(p, one.text, &width);
        if (where[n] == NO_PLACE)
            refuse(p, "fragments are registers");
    }
    for (int n = 0; n < count; n++) {
        place *const added = ANOTHER(k->target, k->targets, k->target_room);
        *added = where[n];
    }
    return first;
}

void decode_ldmatrix(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    if (read_operands(p, operands) != 2 || !has(o, "m8n8") || !has(o, "b16"))
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    const address a = address_in(p, &operands[1], space_of(o, GENERIC));
    const u32 first = put_fragment(p, &operands[0], true);
    instruction *const i = emit(p, RUN_LDMATRIX);
    i->operand[0] = a.base;
    i->offset = a.offset;
    i->space = (u8)a.in;
    i->count = has(o, "x4") ? 4 : has(o, "x2") ? 2 : 1;
    i->what = has(o, "trans");
    i->target = first;
    i->width = 16;
}

/* m, n, k, bits of an element of the factors: what = the row in matrix.c */
void decode_matrix(parser *p, const opcode *o)
{
    static const struct {
        const char *shape, *factor, *sum;
    } row[] = {{"m16n8k8", "f16", "f16"},  {"m16n8k8", "f16", "f32"},  {"m16n8k16", "f16", "f16"},
               {"m16n8k16", "f16", "f32"}, {"m16n8k8", "bf16", "f32"}, {"m16n8k16", "bf16", "f32"},
               {"m16n8k4", "tf32", "f32"}, {"m16n8k8", "tf32", "f32"}, {"m8n8k4", "f64", "f64"}};
    operand operands[MOST_OPERANDS];
    u32 first = 0;
    const int count = read_operands(p, operands);
    if (count != 4 || !has(o, "row") || !has(o, "col") || o->parts < 8)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        if (!has(o, row[k].shape) || !is(o->part[o->parts - 2], row[k].factor) || !is(o->part[o->parts - 3], row[k].factor) ||
            !is(o->part[o->parts - 1], row[k].sum) || !is(o->part[o->parts - 4], row[k].sum))
            continue;
        for (int n = 0; n < 4; n++) {
            const u32 start = put_fragment(p, &operands[n], n == 0);
            if (n == 0)
                first = start;
        }
        instruction *const i = emit(p, RUN_MATRIX);
        i->what = (u8)k;
        i->target = first;
        return;
    }
    refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
}
