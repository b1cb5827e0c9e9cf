/*
 * tree.h - a parsed function string.
 *
 * The nodes lie in one list, operands before what uses them, in the order of evaluation: whoever walks the list needs no
 * recursion. Names have been resolved: `let` is gone, its uses refer to the node of the value. Between GUARD and its UNGUARD
 * stand the nodes that matter only where a condition holds (the branches of ?:, the right sides of && and ||).
 */
#ifndef ASH__TREE_H
#define ASH__TREE_H
#include "expr/names.h"

enum {
    ASH__TEXT_LIMIT = 65536, /* bytes of a function string */
    ASH__DEPTH_LIMIT = 200,  /* of nesting */
    ASH__NODE_LIMIT = 32768
};

typedef enum ash__node_kind {
    ASH__NODE_LITERAL,
    ASH__NODE_FLOAT,   /* 2f: dtype f32 or c_f32, value in literal */
    ASH__NODE_TRUTH,   /* true and false: index */
    ASH__NODE_PARAMETER, /* number index */
    ASH__NODE_CALL,    /* fn over count operands */
    ASH__NODE_CAST,    /* operand to dtype */
    ASH__NODE_FIELD,   /* operand's field, named by the text from position on, length bytes */
    ASH__NODE_ELEMENT, /* operand's element number index, which an inner array has */
    ASH__NODE_GUARD,   /* operand: the condition; index 0: where it is false */
    ASH__NODE_UNGUARD  /* operand: the guard it ends */
} ash__node_kind;

typedef struct ash__node {
    ash__node_kind kind;
    int position;      /* byte of the text to point at */
    int first, count;  /* operands: tree->operand[first ...] */
    int length;
    int64_t index;
    const ash__fn *fn;
    ash_dtype dtype;
    ash__literal literal;
} ash__node;

typedef struct ash__tree {
    int parameters;
    const char **name;  /* of the parameters; strings in names, or constants */
    char *names;
    int position;       /* of the list of parameters */
    ash__node *node;
    int nodes, node_room;
    int *operand;       /* numbers of nodes */
    int operands, operand_room;
    int result;         /* the function's value */
} ash__tree;

/* Fills *tree from text; false with an error. The tree is to be freed in either case. */
bool ash__parse(ash__tree *tree, const char *function, const char *text);
void ash__tree_free(ash__tree *tree);
static inline int ash__operand_of(const ash__tree *tree, const ash__node *node, int k)
{
    return tree->operand[node->first + k];
}
#endif
