/*
 * module.c - reads a PTX text: its variables, functions and kernels.
 *
 * The text is read twice: for what it declares, and then, when the variables have addresses, for their first values and the
 * kernels. A function is decoded at its calls, from its place in the text.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "parser.h"

static char *copied(word w)
{
    char *const text = strndup(w.text, (size_t)w.length);
    if (!text)
        abort();
    return text;
}

static place_of_text here(const parser *p)
{
    return (place_of_text){p->at, p->line};
}

static void go(parser *p, place_of_text where)
{
    p->at = where.at;
    p->line = where.line;
}

/* Bytes of a type's lane, 0 for a predicate, -1 where the word is no type. */
static int width_of(word w)
{
    static const struct {
        const char *text;
        int width;
    } type[] = {{".pred", 0}, {".b8", 1},  {".u8", 1},   {".s8", 1},    {".b16", 2},    {".u16", 2},  {".s16", 2},
                {".f16", 2},  {".b32", 4}, {".u32", 4},  {".s32", 4},   {".f32", 4},    {".b64", 8},  {".u64", 8},
                {".s64", 8},  {".f64", 8}, {".bf16", 2}, {".f16x2", 4}, {".bf16x2", 4}, {".b128", 16}};
    for (size_t k = 0; k < sizeof type / sizeof type[0]; k++)
        if (is(w, type[k].text))
            return type[k].width;
    return -1;
}

/* .align 4 .b8 name[16], with words before the type that say nothing here */
void read_variable(parser *p, space where, name *result, word *text)
{
    u64 count = 1;
    int width = -1;
    result->space = (u8)where;
    result->align = 0;
    for (skip(p); *p->at == '.'; skip(p)) {
        const word w = take_word(p);
        if (is(w, ".align"))
            result->align = (u32)take_integer(p);
        else if (is(w, ".v2") || is(w, ".v4"))
            count *= w.text[2] == '2' ? 2 : 4;
        else if (width_of(w) > 0)
            width = width_of(w);
    }
    *text = take_word(p);
    while (accept(p, '[')) {
        skip(p);
        count *= *p->at == ']' ? 0 : (u64)take_integer(p);
        expect(p, ']');
    }
    if (width <= 0)
        refuse(p, "%.*s has no type that is known here", text->length, text->text);
    result->width = (u32)width;
    result->nbytes = count * (u32)width;
    if (!result->align)
        result->align = (u32)width;
}

void read_registers(parser *p) /* behind .reg */
{
    const word type = take_word(p);
    int width = width_of(type);
    if (width < 0 || width > 8)
        refuse(p, "registers of type %.*s are not known here", type.length, type.text);
    if (width == 1)
        width = 2; /* no column is narrower */
    do {
        const word text = take_word(p);
        name *const n = name_add(p, text, A_REGISTER);
        n->width = (u32)width;
        u32 count = 1;
        if (accept(p, '<')) {
            count = n->registers = (u32)take_integer(p);
            expect(p, '>');
        }
        p->kernel->register_bytes = (p->kernel->register_bytes + 63) & ~63u;
        n->where = p->kernel->register_bytes;
        p->kernel->register_bytes += count * column_bytes(n->width);
    } while (accept(p, ','));
    expect(p, ';');
}

/* ---- declarations */

static void declare_global(parser *p)
{
    word text;
    name n = {0};
    read_variable(p, GLOBAL, &n, &text);
    name *const added = name_add(p, text, A_VARIABLE);
    n.text = text;
    n.meaning = A_VARIABLE;
    p->module->nbytes = (p->module->nbytes + n.align - 1) / n.align * n.align;
    n.address = p->module->nbytes;
    p->module->nbytes += n.nbytes;
    *added = n;
    place_of_text *const initial = ANOTHER(p->initial, p->initials, p->initial_room);
    *initial = accept(p, '=') ? here(p) : (place_of_text){NULL, 0};
    while (*p->at && *p->at != ';')
        p->at++, p->line += *p->at == '\n';
    expect(p, ';');
}

static void declare_shared(parser *p)
{
    word text;
    name n = {0};
    read_variable(p, SHARED, &n, &text);
    n.text = text;
    n.meaning = A_SHARED;
    *name_add(p, text, A_SHARED) = n;
    expect(p, ';');
}

static function *function_named(parser *p, word text)
{
    for (u32 k = 0; k < p->functions; k++)
        if (p->function[k].text.length == text.length && !memcmp(p->function[k].text.text, text.text, (size_t)text.length))
            return &p->function[k];
    function *const f = ANOTHER(p->function, p->functions, p->function_room);
    f->text = text;
    return f;
}

static void skip_to_body(parser *p) /* .maxntid 64, .noreturn and the like */
{
    for (skip(p); *p->at && *p->at != '{' && *p->at != ';'; skip(p))
        p->at++;
}

static void declare_function(parser *p)
{
    place_of_text result = {NULL, 0};
    skip(p);
    if (*p->at == '(') {
        result = here(p);
        skip_block(p);
    }
    function *const f = function_named(p, take_word(p));
    f->result = result;
    skip(p);
    f->parameters = here(p);
    if (*p->at == '(')
        skip_block(p);
    else
        f->parameters.at = NULL;
    skip_to_body(p);
    if (*p->at == '{') {
        f->body = here(p);
        skip_block(p);
    } else
        expect(p, ';');
}

static void declare_kernel(parser *p)
{
    const word text = take_word(p);
    kernel *const k = ANOTHER(p->module->kernel, p->module->kernels, p->kernel_room);
    k->name = copied(text);
    k->module = p->module;
    skip_to_body(p);
    skip_block(p);
}

static void read_head(parser *p, word w)
{
    if (is(w, ".version")) {
        const int major = (int)take_integer(p);
        expect(p, '.');
        p->module->version = 10 * major + (int)take_integer(p);
    } else if (is(w, ".target")) {
        word target = take_word(p);
        if (target.length > 3 && memcmp(target.text, "sm_", 3) == 0)
            p->module->target = atoi(target.text + 3);
        while (accept(p, ','))
            take_word(p);
    } else if (is(w, ".address_size")) {
        if (take_integer(p) != 64)
            refuse(p, ".address_size must be 64");
    } else
        refuse(p, "%.*s is not known here", w.length, w.text);
}

static void declare_all(parser *p)
{
    for (skip(p); *p->at; skip(p)) {
        const word w = take_word(p);
        if (is(w, ".visible") || is(w, ".weak") || is(w, ".extern") || is(w, ".common"))
            continue;
        if (is(w, ".global") || is(w, ".const"))
            declare_global(p);
        else if (is(w, ".shared"))
            declare_shared(p);
        else if (is(w, ".func"))
            declare_function(p);
        else if (is(w, ".entry"))
            declare_kernel(p);
        else if (is(w, ".file") || is(w, ".pragma") || is(w, ".alias"))
            while (*p->at && *p->at != '\n')
                p->at++;
        else
            read_head(p, w);
    }
}

/* ---- first values */

/* 7, 0f3F800000, name+4, generic(name): {1, 2, ...} nested as the dimensions are */
static u64 read_value(parser *p)
{
    skip(p);
    if (starts(p, "0f") || starts(p, "0F") || starts(p, "0d") || starts(p, "0D")) {
        char *end;
        const u64 bits = strtoull(p->at + 2, &end, 16);
        p->at = end;
        return bits;
    }
    if (is_number(p) || *p->at == '-')
        return (u64)take_integer(p);
    word w = take_word(p);
    const bool generic = is(w, "generic");
    if (generic) {
        expect(p, '(');
        w = take_word(p);
    }
    u64 value = p->module->memory + name_needed(p, w)->address;
    if (generic)
        expect(p, ')');
    if (accept(p, '+'))
        value += (u64)take_integer(p);
    return value;
}

static char *read_values(parser *p, char *to, const char *end, u32 width)
{
    if (accept(p, '{')) {
        do
            to = read_values(p, to, end, width);
        while (accept(p, ','));
        expect(p, '}');
        return to;
    }
    const u64 value = read_value(p);
    if (to + width > end)
        refuse(p, "more values than the variable holds");
    memcpy(to, &value, width);
    return to + width;
}

static void fill_variables(parser *p, char *memory)
{
    u32 at = 0;
    memset(memory, 0, p->module->nbytes); /* what has no value is 0 */
    for (u32 k = 0; k < p->names; k++) {
        name *const n = &p->name[k];
        if (n->meaning != A_VARIABLE || n->space != GLOBAL)
            continue;
        const place_of_text initial = p->initial[at++];
        if (!initial.at)
            continue;
        go(p, initial);
        read_values(p, memory + n->address, memory + n->address + n->nbytes, n->width);
    }
}

static void keep_variables(parser *p)
{
    module *const m = p->module;
    m->variable = calloc(p->names + 1, sizeof *m->variable);
    if (!m->variable)
        abort();
    for (u32 k = 0; k < p->names; k++) {
        name *const n = &p->name[k];
        if (n->meaning != A_VARIABLE || n->space != GLOBAL)
            continue;
        n->address += m->memory;
        m->variable[m->variables++] = (variable){copied(n->text), n->address, n->nbytes};
    }
}

/* ---- kernels */

static void read_parameters(parser *p)
{
    kernel *const k = p->kernel;
    skip(p);
    if (*p->at != '(')
        return;
    p->at++;
    if (accept(p, ')'))
        return;
    do {
        word text;
        name n = {0};
        if (!is(take_word(p), ".param"))
            refuse(p, ".param wanted");
        /* .ptr .global .align 8 name: the second alignment is that of what it points to */
        read_variable(p, PARAMETER, &n, &text);
        if (n.nbytes == 8 && n.width == 8)
            n.align = 8;
        n.meaning = A_VARIABLE;
        n.text = text;
        k->parameter_bytes = (k->parameter_bytes + n.align - 1) / n.align * n.align;
        n.address = k->parameter_bytes;
        *name_add(p, text, A_VARIABLE) = n;
        *ANOTHER(k->parameter, k->parameters, k->parameter_room) = (parameter){k->parameter_bytes, (u32)n.nbytes};
        k->parameter_bytes += (u32)n.nbytes;
    } while (accept(p, ','));
    expect(p, ')');
}

static void read_limits(parser *p)
{
    kernel *const k = p->kernel;
    for (skip(p); *p->at != '{'; skip(p)) {
        const word w = take_word(p);
        const bool most = is(w, ".maxntid"), wanted = is(w, ".reqntid");
        u32 size[3] = {1, 1, 1};
        for (int axis = 0; skip(p), isdigit((unsigned char)*p->at); axis++) {
            const u32 value = (u32)take_integer(p);
            if (axis < 3)
                size[axis] = value;
            if (!accept(p, ','))
                break;
        }
        if (most)
            k->most_threads = size[0] * size[1] * size[2];
        if (wanted)
            memcpy(k->wanted_threads, size, sizeof size);
    }
}

static void read_kernel(parser *p, kernel *k)
{
    const u32 names = p->names;
    p->kernel = k;
    p->has_carry = false;
    p->guarded = 0;
    for (u32 n = 0; n < names; n++)
        p->name[n].laid = false;
    read_parameters(p);
    read_limits(p);
    read_body(p);
    resolve(p, 0, 0, true);
    emit(p, RUN_EXIT);
    p->names = names;
    p->labels = p->fixups = 0;
}

static void read_kernels(parser *p)
{
    u32 at = 0;
    p->at = p->text;
    p->line = 1;
    for (skip(p); *p->at; skip(p)) {
        if (*p->at == '{' || *p->at == '(') {
            skip_block(p);
            continue;
        }
        if (*p->at != '.') {
            p->at++;
            continue;
        }
        if (is(take_word(p), ".entry")) {
            take_word(p);
            read_kernel(p, &p->module->kernel[at++]);
        }
    }
}

static void forget(parser *p)
{
    free(p->name);
    free(p->label);
    free(p->fixup);
    free(p->function);
    free(p->initial);
}

static void read_all(parser *p, u64 (*memory_of)(void *state, u64 nbytes), void *(*host_of)(u64 address), void *state)
{
    module *const m = p->module;
    p->at = p->text = m->text;
    p->line = 1;
    declare_all(p);
    if (m->nbytes && !(m->memory = memory_of(state, m->nbytes)))
        refuse(p, "no memory for %llu bytes of variables", (unsigned long long)m->nbytes);
    if (m->nbytes)
        fill_variables(p, host_of(m->memory));
    keep_variables(p);
    read_kernels(p);
}

module *module_parse(const char *text, u64 (*memory_of)(void *state, u64 nbytes), void *(*host_of)(u64 address), void *state,
                     char *log, size_t room)
{
    parser *const p = calloc(1, sizeof *p);
    if (!p || !(p->module = calloc(1, sizeof *p->module)) || !(p->module->text = strdup(text)))
        abort();
    p->log = log;
    p->log_room = room;
    module *volatile m = NULL;
    if (setjmp(p->refused) == 0) {
        read_all(p, memory_of, host_of, state);
        m = p->module;
    } else
        module_free(p->module);
    forget(p);
    free(p);
    return m;
}

void module_free(module *m)
{
    for (u32 k = 0; k < m->kernels; k++) {
        free(m->kernel[k].name);
        free(m->kernel[k].code);
        free(m->kernel[k].target);
        free(m->kernel[k].special);
        free(m->kernel[k].parameter);
        free(m->kernel[k].constant);
    }
    for (u32 k = 0; k < m->variables; k++)
        free(m->variable[k].name);
    free(m->kernel);
    free(m->variable);
    free(m->text);
    free(m);
}

const kernel *module_kernel(const module *m, const char *text)
{
    for (u32 k = 0; k < m->kernels; k++)
        if (strcmp(m->kernel[k].name, text) == 0)
            return &m->kernel[k];
    return NULL;
}
