/*
 * decode_flow.c - branches, calls and ends. A call is the body of the function in its place: recursion is refused.
 */
#include "opcodes.h"

enum { DEPTH = 24 };
static const word end_of_function = {"<end>", 5}, behind_call = {"<behind>", 8};

static void add_label(parser *p, word text)
{
    *ANOTHER(p->label, p->labels, p->label_room) = (label){text, p->kernel->count};
}

static u32 *target_of(parser *p, const fixup *f)
{
    return f->in_table ? &p->kernel->target[f->at] : &p->kernel->code[f->at].target;
}

static const label *label_found(const parser *p, u32 first, word text)
{
    for (u32 k = p->labels; k-- > first;)
        if (p->label[k].text.length == text.length && !memcmp(p->label[k].text.text, text.text, (size_t)text.length))
            return &p->label[k];
    return NULL;
}

/* Targets among the labels of a block that ends; others are of a block around it. */
void resolve(parser *p, u32 labels, u32 fixups, bool all)
{
    u32 kept = fixups;
    for (u32 k = fixups; k < p->fixups; k++) {
        const fixup f = p->fixup[k];
        const label *const found = label_found(p, labels, f.text);
        if (found)
            *target_of(p, &f) = found->target;
        else if (all)
            refuse(p, "there is no label %.*s", f.text.length, f.text.text);
        else
            p->fixup[kept++] = f;
    }
    p->fixups = kept;
    p->labels = labels;
}

static void branch_to(parser *p, word text)
{
    emit(p, RUN_BRANCH);
    *ANOTHER(p->fixup, p->fixups, p->fixup_room) = (fixup){text, p->kernel->count - 1, false};
}

static void read_table(parser *p, word text)
{
    kernel *const k = p->kernel;
    name *const n = name_add(p, text, A_TABLE);
    n->address = k->targets;
    do {
        *ANOTHER(k->target, k->targets, k->target_room) = 0;
        *ANOTHER(p->fixup, p->fixups, p->fixup_room) = (fixup){take_word(p), k->targets - 1, true};
        n->nbytes++;
    } while (accept(p, ','));
    expect(p, ';');
}

void read_label(parser *p, word text)
{
    skip(p);
    if (starts(p, ".branchtargets")) {
        take_word(p);
        read_table(p, text);
    } else
        add_label(p, text);
}

void decode_branch(parser *p, const opcode *o)
{
    (void)o;
    branch_to(p, take_word(p));
    expect(p, ';');
}

void decode_table(parser *p, const opcode *o)
{
    operand operands[MOST_OPERANDS];
    const int count = read_operands(p, operands);
    if (!has(o, "idx") || count != 2)
        refuse(p, "the instruction %.*s is not known here", o->text.length, o->text.text);
    const name *const table = name_needed(p, operands[1].text);
    if (table->meaning != A_TABLE)
        refuse(p, "%.*s is no table of targets", operands[1].text.length, operands[1].text.text);
    const u32 first = (u32)table->address, length = (u32)table->nbytes;
    const place x = source(p, &operands[0], 4);
    instruction *const i = emit(p, RUN_TABLE);
    i->operand[0] = x;
    i->target = first;
    i->offset = length;
}

void decode_exit(parser *p, const opcode *o)
{
    (void)o;
    expect(p, ';');
    emit(p, RUN_EXIT);
}

void decode_return(parser *p, const opcode *o)
{
    if (p->depth == 0) {
        decode_exit(p, o);
        return;
    }
    expect(p, ';');
    branch_to(p, end_of_function);
}

void decode_trap(parser *p, const opcode *o)
{
    (void)o;
    expect(p, ';');
    emit(p, RUN_TRAP);
}

/* ---- calls */

typedef struct call {
    word function, actual[64];
    int count, results;
} call;

static void read_actuals(parser *p, call *c)
{
    expect(p, '(');
    if (accept(p, ')'))
        return;
    do {
        if (c->count == 64)
            refuse(p, "a call with more than 64 arguments");
        c->actual[c->count++] = take_word(p);
    } while (accept(p, ','));
    expect(p, ')');
}

static call read_call(parser *p)
{
    call c = {0};
    skip(p);
    if (*p->at == '(') {
        read_actuals(p, &c);
        c.results = c.count;
        expect(p, ',');
    }
    c.function = take_word(p);
    if (accept(p, ',')) {
        skip(p);
        if (*p->at == '(')
            read_actuals(p, &c);
        else
            refuse(p, "a call by a pointer is not known here");
    }
    if (!accept(p, ';'))
        refuse(p, "a call by a pointer is not known here");
    return c;
}

/* The names of parameters stand for the variables that the caller gives. */
static void bind(parser *p, place_of_text list, const call *c, int *next)
{
    if (!list.at)
        return;
    p->at = list.at;
    expect(p, '(');
    if (accept(p, ')'))
        return;
    do {
        name n = {0};
        word text;
        if (!is(take_word(p), ".param"))
            refuse(p, ".param wanted");
        read_variable(p, LOCAL, &n, &text);
        if (*next == c->count)
            refuse(p, "a call of %.*s with too few arguments", c->function.length, c->function.text);
        name given = *name_needed(p, c->actual[(*next)++]);
        given.text = text;
        *name_add(p, text, A_VARIABLE) = given;
    } while (accept(p, ','));
}

static void call_body(parser *p, const function *f, const call *c)
{
    const place_of_text back = {p->at, p->line};
    const u32 names = p->names, labels = p->labels, fixups = p->fixups;
    const u8 guarded = p->guarded;
    int next = 0;
    if (guarded) {
        p->guarded = (u8)(3 - guarded);
        branch_to(p, behind_call);
        p->guarded = 0;
    }
    bind(p, f->result, c, &next);
    bind(p, f->parameters, c, &next);
    p->at = f->body.at;
    p->line = f->body.line;
    p->depth++;
    read_body(p);
    p->depth--;
    add_label(p, end_of_function);
    add_label(p, behind_call);
    resolve(p, labels, fixups, true);
    p->names = names;
    p->guarded = 0;
    p->at = back.at;
    p->line = back.line;
}

void decode_call(parser *p, const opcode *o)
{
    const call c = read_call(p);
    const function *found = NULL;
    (void)o;
    for (u32 k = 0; k < p->functions; k++)
        if (p->function[k].text.length == c.function.length &&
            !memcmp(p->function[k].text.text, c.function.text, (size_t)c.function.length))
            found = &p->function[k];
    if (is(c.function, "__assertfail")) {
        emit(p, RUN_TRAP);
        return;
    }
    if (!found || !found->body.at)
        refuse(p, "the function %.*s is not known here", c.function.length, c.function.text);
    if (p->depth == DEPTH)
        refuse(p, "calls more than %d deep: is %.*s recursive?", DEPTH, c.function.length, c.function.text);
    call_body(p, found, &c);
}
