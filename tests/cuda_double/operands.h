/* operands.h - operands of one instruction. */
#ifndef DOUBLE_OPERANDS_H
#define DOUBLE_OPERANDS_H
#include "parser.h"

enum { MOST_OPERANDS = 8, MOST_ITEMS = 8 };

typedef enum { OPERAND_WORD, OPERAND_NUMBER, OPERAND_MEMORY, OPERAND_VECTOR, OPERAND_SINK } operand_kind;

typedef struct item {
    operand_kind kind;
    word text;
    u64 bits;
} item;

typedef struct operand {
    operand_kind kind;
    word text, second;          /* p|q */
    u64 bits;                   /* of a number */
    bool real, single, negated; /* single: the bits are those of an f32 */
    s64 offset;                 /* [text+offset] */
    int count;
    item item[MOST_ITEMS]; /* of a vector */
} operand;

void read_operand(parser *p, operand *o);
int read_operands(parser *p, operand *o); /* to the semicolon */

/* The place of a value of that width (0: a predicate); a register of another width is resized. */
place source(parser *p, const operand *o, u32 width);
place destination(parser *p, word text, u32 *width);
place item_source(parser *p, const item *i, u32 width);
place item_destination(parser *p, const item *i, u32 *width);
u32 width_of_type(value_type t);
#endif
