/*
 * decode.c - instructions: labels, guards, blocks and what becomes forms over columns. Memory, warps and control are in
 * decode_memory.c, decode_warp.c and decode_flow.c.
 */
#include "opcodes.h"

instruction *emit(parser *p, run_kind kind)
{
    kernel *const k = p->kernel;
    instruction *const i = ANOTHER(k->code, k->count, k->code_room);
    i->kind = (u8)kind;
    i->guard = p->guard;
    i->guarded = p->guarded;
    i->line = p->line;
    i->second = NO_PLACE;
    return i;
}

void emit_form(parser *p, const char *text, place result, place x, place y, place z, place w)
{
    const form *const f = form_find(text, strlen(text));
    if (!f)
        refuse(p, "%s is no form", text);
    instruction *const i = emit(p, RUN_LANES);
    i->run = f->run;
    i->result = result;
    i->operand[0] = x, i->operand[1] = y, i->operand[2] = z, i->operand[3] = w;
}

bool has(const opcode *o, const char *part)
{
    for (int k = 1; k < o->parts; k++)
        if (is(o->part[k], part))
            return true;
    return false;
}

number number_of(const opcode *o)
{
    const word last = o->part[o->parts - 1];
#define NUMBER_TEXT(NAME, BYTES, SIGNED, REAL) {#NAME, NUMBER_##NAME},
    static const struct {
        const char *text;
        number is;
    } row[] = {NUMBERS(NUMBER_TEXT){"b8", NUMBER_u8}, {"b16", NUMBER_u16}, {"b32", NUMBER_u32}, {"b64", NUMBER_u64}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++)
        if (is(last, row[k].text))
            return row[k].is;
    return NUMBER_none;
}

/* ---- forms */

static bool is_signed_type(value_type t)
{
    return t == TYPE_s16 || t == TYPE_s32 || t == TYPE_s64;
}

static void widen(parser *p, value_type t, place from, place to, u32 width)
{
    static const char *const text[2][9][9] = {{[2] = {[4] = "~resize.u32.16", [8] = "~resize.u64.16"},
                                               [4] = {[2] = "~resize.16.32", [8] = "~resize.u64.32"},
                                               [8] = {[2] = "~resize.16.64", [4] = "~resize.32.64"}},
                                              {[2] = {[4] = "~resize.s32.16", [8] = "~resize.s64.16"},
                                               [4] = {[2] = "~resize.16.32", [8] = "~resize.s64.32"},
                                               [8] = {[2] = "~resize.16.64", [4] = "~resize.32.64"}}};
    emit_form(p, text[is_signed_type(t)][width_of_type(t)][width], to, from, 0, 0, 0);
}

/* The operands of a form, written to a register that may be wider than the result. */
static void emit_operands(parser *p, const form *f, const operand *operands, int count)
{
    place x[OPERANDS] = {0};
    u32 width = 0;
    int wanted = 0;
    while (wanted < OPERANDS && f->operand[wanted])
        wanted++;
    if (count != wanted + 1)
        refuse(p, "%d operands, not %d", count, wanted + 1);
    for (int k = 0; k < wanted; k++)
        x[k] = source(p, &operands[k + 1], width_of_type(f->operand[k]));
    if (operands[0].kind != OPERAND_WORD)
        refuse(p, "the result must be a register");
    const place result = destination(p, operands[0].text, &width);
    const bool same = width == width_of_type(f->result);
    const place computed = same ? result : temporary(p, width_of_type(f->result));
    instruction *const i = emit(p, RUN_LANES);
    i->run = f->run;
    i->result = computed;
    memcpy(i->operand, x, sizeof x);
    if (!same)
        widen(p, f->result, computed, result, width);
}

void decode_form(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    const form *const f = form_find(o->text.text, (size_t)o->text.length);
    if (!f)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    emit_operands(p, f, operands, read_operands(p, operands));
}

/* ---- comparisons: setp.lt.and.f32 p|q, a, b, !r is setp.lt.f32, then both predicates */

static void put_part(char *text, size_t room, word part)
{
    const size_t length = strlen(text);
    snprintf(text + length, room - length, "%s%.*s", length ? "." : "", part.length, part.text);
}

static const form *comparison(parser *p, const opcode *o, const char **combining)
{
    static const char *const both[] = {"and", "or", "xor"};
    char text[64] = "";
    *combining = NULL;
    for (int k = 0; k < o->parts; k++) {
        bool taken = false;
        for (int b = 0; b < 3 && k > 0; b++)
            if (is(o->part[k], both[b])) {
                *combining = both[b];
                taken = true;
            }
        if (!taken)
            put_part(text, sizeof text, o->part[k]);
    }
    const form *const f = form_find(text, strlen(text));
    if (!f)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    return f;
}

static void combine(parser *p, const char *how, place result, place compared, place with)
{
    char text[16];
    if (!how) {
        emit_form(p, "mov.pred", result, compared, 0, 0, 0);
        return;
    }
    snprintf(text, sizeof text, "%s.pred", how);
    emit_form(p, text, result, compared, with, 0, 0);
}

void decode_compare(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    const char *combining;
    u32 width;
    const form *const f = comparison(p, o, &combining);
    const int count = read_operands(p, operands);
    if (!combining && operands[0].second.length == 0 && operands[0].kind == OPERAND_WORD) {
        emit_operands(p, f, operands, count);
        return;
    }
    if (count != (combining ? 4 : 3))
        refuse(p, "%d operands", count);
    const place with = combining ? source(p, &operands[3], 0) : 0;
    const place compared = temporary(p, 0), opposite = temporary(p, 0), kept = temporary(p, 0);
    const place x = source(p, &operands[1], width_of_type(f->operand[0]));
    const place y = source(p, &operands[2], width_of_type(f->operand[1]));
    instruction *const i = emit(p, RUN_LANES);
    i->run = f->run;
    i->result = compared;
    i->operand[0] = x, i->operand[1] = y;
    emit_form(p, "not.pred", opposite, compared, 0, 0, 0);
    if (combining) /* the results may be the predicate that is combined */
        emit_form(p, "mov.pred", kept, with, 0, 0, 0);
    if (operands[0].kind == OPERAND_WORD)
        combine(p, combining, destination(p, operands[0].text, &width), compared, kept);
    if (operands[0].second.length)
        combine(p, combining, destination(p, operands[0].second, &width), opposite, kept);
}

/* ---- moves */

static void pack(parser *p, const operand *operands, u32 width)
{
    u32 own;
    place x[OPERANDS] = {0};
    char text[16];
    const int count = operands[1].count;
    const u32 part = width / (u32)count;
    for (int k = 0; k < count && k < OPERANDS; k++)
        x[k] = item_source(p, &operands[1].item[k], part);
    snprintf(text, sizeof text, "~pack.%d.b%u", count, 8 * width);
    emit_form(p, text, destination(p, operands[0].text, &own), x[0], x[1], x[2], x[3]);
}

static void unpack(parser *p, const operand *operands, u32 width)
{
    u32 own;
    char text[16];
    const int count = operands[0].count;
    const place x = source(p, &operands[1], width);
    snprintf(text, sizeof text, "~unpack.%d.b%u", count, 8 * width);
    for (int k = 0; k < count; k++) {
        const place to = item_destination(p, &operands[0].item[k], &own);
        if (to != NO_PLACE)
            emit_form(p, text, to, x, constant(p, 4, (u64)k), 0, 0);
    }
}

static bool is_clock(word w)
{
    return is(w, "%clock") || is(w, "%clock64") || is(w, "%clock_hi") || is(w, "%globaltimer") || is(w, "%globaltimer_lo");
}

void decode_move(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    const form *const f = form_find(o->text.text, (size_t)o->text.length);
    if (!f)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    const int count = read_operands(p, operands);
    if (count == 2 && operands[1].kind == OPERAND_VECTOR)
        pack(p, operands, width_of_type(f->result));
    else if (count == 2 && operands[0].kind == OPERAND_VECTOR)
        unpack(p, operands, width_of_type(f->result));
    else if (count == 2 && operands[1].kind == OPERAND_WORD && is_clock(operands[1].text)) {
        u32 width;
        const place result = destination(p, operands[0].text, &width);
        instruction *const i = emit(p, RUN_CLOCK);
        i->result = result;
        i->column = (u8)width;
    } else
        emit_operands(p, f, operands, count);
}

/* ---- conversions */

static bool read_rounding(word w, conversion *how)
{
    static const struct {
        const char *text;
        rounding mode;
        bool to_integral;
    } row[] = {{"rn", TO_NEAREST, false}, {"rz", TO_ZERO, false},    {"rm", DOWN, false},
               {"rp", UP, false},         {"rni", TO_NEAREST, true}, {"rzi", TO_ZERO, true},
               {"rmi", DOWN, true},       {"rpi", UP, true},         {"rna", TO_NEAREST_AWAY, false}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++)
        if (is(w, row[k].text)) {
            how->mode = row[k].mode;
            how->to_integral = row[k].to_integral;
            return true;
        }
    return false;
}

static number number_named(word w)
{
    opcode one = {.parts = 1};
    one.part[0] = w;
    return number_of(&one);
}

/* From the first type on there are only types. */
static conversion read_conversion(parser *p, const opcode *o, bool *pair, bool *tf32)
{
    conversion how = {.to = NUMBER_none, .from = NUMBER_none};
    *pair = *tf32 = false;
    for (int k = 1; k < o->parts; k++) {
        const word w = o->part[k];
        if (read_rounding(w, &how))
            continue;
        if (is(w, "ftz"))
            how.flush = 1;
        else if (is(w, "sat"))
            how.saturate = 1;
        else if (is(w, "relu"))
            how.relu = 1;
        else if (is(w, "satfinite"))
            how.finite = 1;
        else if (is(w, "tf32"))
            *tf32 = true, how.to = NUMBER_f32;
        else if (is(w, "f16x2") || is(w, "bf16x2"))
            *pair = true, how.to = w.text[0] == 'b' ? NUMBER_bf16 : NUMBER_f16;
        else if (number_named(w) == NUMBER_none)
            refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
        else if (how.to == NUMBER_none)
            how.to = number_named(w);
        else
            how.from = number_named(w);
    }
    if (how.from == NUMBER_none)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    return how;
}

static value_type column_type(number n)
{
    static const u8 of[] = {
        [NUMBER_u8] = TYPE_u16,  [NUMBER_u16] = TYPE_u16,  [NUMBER_u32] = TYPE_u32, [NUMBER_u64] = TYPE_u64,
        [NUMBER_s8] = TYPE_s16,  [NUMBER_s16] = TYPE_s16,  [NUMBER_s32] = TYPE_s32, [NUMBER_s64] = TYPE_s64,
        [NUMBER_f16] = TYPE_u16, [NUMBER_bf16] = TYPE_u16, [NUMBER_f32] = TYPE_f32, [NUMBER_f64] = TYPE_f64};
    return (value_type)of[n];
}

void decode_convert(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    const form *known = form_find(o->text.text, (size_t)o->text.length);
    const int count = read_operands(p, operands);
    bool pair = false, tf32 = false;
    if (known) {
        emit_operands(p, known, operands, count);
        return;
    }
    const conversion how = read_conversion(p, o, &pair, &tf32);
    form f = {
        .run = tf32 ? convert_tf32 : convert_any, .result = (u8)column_type(how.to), .operand = {(u8)column_type(how.from)}};
    if (pair)
        f = (form){.run = convert_pair, .result = TYPE_u32, .operand = {TYPE_f32, TYPE_f32}};
    emit_operands(p, &f, operands, count);
    const place beside = constant_bytes(p, &how, sizeof how);
    for (u32 k = p->kernel->count; k-- > 0;) /* a resize of the result may stand behind it */
        if (p->kernel->code[k].run == f.run) {
            p->kernel->code[k].operand[3] = beside;
            break;
        }
}

/* cvta.to.global, cvta.shared: the difference is where the window begins */
void decode_address(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    u32 width;
    const int count = read_operands(p, operands);
    const u64 window = has(o, "shared")  ? SHARED_WINDOW
                       : has(o, "local") ? LOCAL_WINDOW
                       : has(o, "param") ? PARAMETER_WINDOW
                                         : 0;
    if (count != 2)
        refuse(p, "%d operands", count);
    const place x = source(p, &operands[1], 8);
    const place result = destination(p, operands[0].text, &width);
    emit_form(p, has(o, "to") ? "sub.s64" : "add.s64", result, x, constant(p, 8, window), 0, 0);
}

/* ---- sums with carry: add.cc, addc, addc.cc and the like; all others are forms */

static void emit_carried(parser *p, bool subtract, u32 width, place result, place x, place y, bool takes, bool gives)
{
    char text[32];
    const place none = constant(p, 0, 0), carry = temporary(p, 0);
    const char *const stem = subtract ? "subc" : "addc";
    if (!p->has_carry) {
        p->carry = temporary(p, 0);
        p->has_carry = true;
    }
    snprintf(text, sizeof text, "~%s.carry.%u", stem, 8 * width);
    if (gives)
        emit_form(p, text, carry, x, y, takes ? p->carry : none, 0);
    snprintf(text, sizeof text, "~%s.%u", stem, 8 * width);
    emit_form(p, text, result, x, y, takes ? p->carry : none, 0);
    if (gives)
        emit_form(p, "mov.pred", p->carry, carry, 0, 0, 0);
}

void decode_carry(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    u32 width;
    const word first = o->part[0];
    const bool takes = first.text[first.length - 1] == 'c', gives = has(o, "cc");
    if (!takes && !gives) {
        decode_form(p, o);
        return;
    }
    const bool product = first.text[0] == 'm';
    const int count = read_operands(p, operands);
    if (count != (product ? 4 : 3))
        refuse(p, "%d operands", count);
    const place result = destination(p, operands[0].text, &width);
    place x = source(p, &operands[1], width);
    const place y = source(p, &operands[2], width);
    if (product) {
        char text[32];
        const word type = o->part[o->parts - 1];
        const place multiplied = temporary(p, width);
        snprintf(text, sizeof text, "mul.%s.%.*s", has(o, "hi") ? "hi" : "lo", type.length, type.text);
        emit_form(p, text, multiplied, x, y, 0, 0);
        x = multiplied;
    }
    emit_carried(p, first.text[0] == 's', width, result, x, product ? source(p, &operands[3], width) : y, takes, gives);
}

void decode_nothing(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    (void)o;
    read_operands(p, operands);
}

/* ---- statements */

static opcode split(parser *p, word text)
{
    opcode o = {.text = text};
    int start = 0;
    for (int k = 0; k <= text.length; k++) {
        if (k < text.length && text.text[k] != '.')
            continue;
        if (o.parts == MOST_PARTS)
            refuse(p, "the instruction %.*s is not known here", text.length, text.text);
        o.part[o.parts++] = (word){text.text + start, k - start};
        start = k + 1;
    }
    return o;
}

static void read_guard(parser *p)
{
    u32 width;
    p->guarded = accept(p, '!') ? 2 : 1;
    p->guard = destination(p, take_word(p), &width);
}

static void decode_statement(parser *p, word text)
{
    static const struct {
        const char *text;
        decoder *decode;
    } row[] = {
#define OPCODE_ROW(TEXT, FUNCTION) {TEXT, FUNCTION},
        OPCODES(OPCODE_ROW)};
    const opcode o = split(p, text);
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++)
        if (is(o.part[0], row[k].text)) {
            row[k].decode(p, &o);
            return;
        }
    decode_form(p, &o);
}

static void read_declaration(parser *p, word w)
{
    kernel *const k = p->kernel;
    if (is(w, ".reg"))
        read_registers(p);
    else if (is(w, ".shared") || is(w, ".local") || is(w, ".param")) {
        name n = {0};
        word text;
        const space where = is(w, ".shared") ? SHARED : LOCAL; /* parameters of calls are the lane's own */
        read_variable(p, where, &n, &text);
        u32 *const bytes = where == SHARED ? &k->shared_bytes : &k->local_bytes;
        *bytes = (*bytes + n.align - 1) / n.align * n.align;
        n.address = *bytes;
        *bytes += (u32)n.nbytes;
        n.meaning = A_VARIABLE;
        n.text = text;
        *name_add(p, text, A_VARIABLE) = n;
        expect(p, ';');
    } else if (is(w, ".loc") || is(w, ".pragma") || is(w, ".file"))
        while (*p->at && *p->at != '\n')
            p->at++;
    else
        refuse(p, "%.*s is not known here", w.length, w.text);
}

static void read_statement(parser *p)
{
    p->guarded = 0;
    if (accept(p, '@')) {
        read_guard(p);
        decode_statement(p, take_word(p));
        return;
    }
    const word w = take_word(p);
    if (w.text[0] == '.')
        read_declaration(p, w);
    else if (accept(p, ':'))
        read_label(p, w);
    else
        decode_statement(p, w);
}

void read_body(parser *p)
{
    const u32 names = p->names, labels = p->labels, fixups = p->fixups;
    expect(p, '{');
    for (skip(p); *p->at != '}'; skip(p)) {
        if (!*p->at)
            refuse(p, "the text ends within a block");
        if (*p->at == '{')
            read_body(p);
        else
            read_statement(p);
    }
    p->at++;
    resolve(p, labels, fixups, false);
    p->names = names;
}
