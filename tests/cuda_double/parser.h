/*
 * parser.h - the state of reading one PTX text, shared by module.c (declarations), names.c (what names and operands stand for)
 * and decode.c (instructions). A text that cannot be read ends in refuse(), which does not return.
 */
#ifndef DOUBLE_PARSER_H
#define DOUBLE_PARSER_H
#include <setjmp.h>

#include "program.h"

typedef struct word {
    const char *text;
    int length;
} word;

typedef enum { A_REGISTER, A_VARIABLE, A_SHARED, A_TABLE, A_FUNCTION } meaning;

typedef struct name {
    word text; /* of a range of registers: what is before the number */
    u8 meaning, space;
    bool reads_type; /* registers: of predicates */
    u32 width;       /* bytes of a lane */
    u32 registers;   /* in the range; 0: the name alone */
    place where;     /* of the first register */
    u64 address, nbytes;
    u32 align;
    bool laid; /* a shared variable of the module that the kernel has already */
} name;

typedef struct label {
    word text;
    u32 target;
} label;

typedef struct fixup { /* a target that is a label not seen yet: of an instruction, or of a table */
    word text;
    u32 at;
    bool in_table;
} fixup;

typedef struct place_of_text {
    const char *at;
    u32 line;
} place_of_text;

typedef struct function {
    word text;
    place_of_text result, parameters, body; /* at the brackets */
} function;

enum { KNOWN_CONSTANTS = 256 };
typedef struct known_constant {
    const kernel *kernel;
    u32 width;
    u64 value;
    place where;
} known_constant;

typedef struct parser {
    const char *at, *text;
    u32 line;
    module *module;
    kernel *kernel;
    name *name;
    label *label;
    fixup *fixup;
    function *function;
    place_of_text *initial; /* of variables, in their order */
    u32 names, labels, fixups, functions, initials;
    u32 name_room, label_room, fixup_room, function_room, initial_room, kernel_room;
    u32 depth; /* of calls */
    place guard;
    u8 guarded;
    place carry;
    bool has_carry;
    known_constant known[KNOWN_CONSTANTS];
    char *log;
    size_t log_room;
    jmp_buf refused;
} parser;

__attribute__((noreturn, format(printf, 2, 3))) void refuse(parser *p, const char *format, ...);

/* Another element of an array that grows. */
void *another(void *array, u32 *count, u32 *room, size_t nbytes);
#define ANOTHER(ARRAY, COUNT, ROOM) (ARRAY = another(ARRAY, &(COUNT), &(ROOM), sizeof *(ARRAY)), &(ARRAY)[(COUNT)-1])

/* ---- words */
void skip(parser *p);
bool accept(parser *p, char c);
void expect(parser *p, char c);
word take_word(parser *p);
bool is(word w, const char *text);
bool starts(const parser *p, const char *text);
bool is_number(const parser *p);
s64 take_integer(parser *p);
void skip_block(parser *p); /* from '{' or '(' to behind what closes it */

/* ---- names */
name *name_find(parser *p, word text);
name *name_add(parser *p, word text, meaning what);
name *name_needed(parser *p, word text);
place register_of(parser *p, word text, u32 *width); /* NO_PLACE: no register */
place temporary(parser *p, u32 width);
place constant(parser *p, u32 width, u64 value);
place constant_bytes(parser *p, const void *bytes, size_t nbytes);
u64 address_of(parser *p, name *variable);
u32 column_bytes(u32 width); /* width 0: a predicate */

/* ---- parts */
void read_variable(parser *p, space where, name *result, word *text);
void read_registers(parser *p);
void read_body(parser *p); /* from '{' to its end */
void read_label(parser *p, word text);
instruction *emit(parser *p, run_kind kind);
void emit_form(parser *p, const char *text, place result, place x, place y, place z, place w);
void resolve(parser *p, u32 labels, u32 fixups, bool all);
#endif
