/* lexer.h - the words of a function string. */
#ifndef ASH__LEXER_H
#define ASH__LEXER_H
#include "expr/literal.h"

typedef enum ash__token_kind {
    ASH__TOKEN_END,
    ASH__TOKEN_NUMBER,
    ASH__TOKEN_NAME,
    ASH__TOKEN_SYMBOL, /* operators and punctuation */
    ASH__TOKEN_BAD     /* reported */
} ash__token_kind;

typedef struct ash__token {
    ash__token_kind kind;
    int position, length; /* bytes of the text */
    ash__literal literal; /* NUMBER */
    bool is_f32;          /* NUMBER with the suffix f: literal holds the f32 value */
} ash__token;

typedef struct ash__lexer {
    const char *function; /* for errors */
    const char *text;
    int position;
} ash__lexer;

ash__token ash__lexer_next(ash__lexer *lexer);
#endif
