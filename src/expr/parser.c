/*
 * parser.c - words to tree, by recursive descent with precedence climbing.
 *
 *     function   = parameters "->" expression | name | operator | dtype
 *     parameters = name | "(" [name {"," name}] ")"
 *     expression = "let" name "=" expression {"," name "=" expression} "in" expression
 *                | binary ["?" expression ":" expression]
 *     binary     = unary {operator unary}          C's precedences; comparisons do not chain
 *     unary      = ("-" | "+" | "!" | "~") unary | power
 *     power      = postfix ["^" unary]             so -x^2 is -(x^2) and 2^3^2 is 2^(3^2)
 *     postfix    = primary {"." name | "[" integer "]"}
 *     primary    = number | name | name "(" expression {"," expression} ")" | "(" expression ")"
 *
 * The text is not trusted: its length, the depth of the recursion and the number of nodes are bounded.
 */
#include "expr/tree.h"

#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "expr/lexer.h"

typedef struct binding { /* a name that `let` gives to a node */
    int position, length, node;
} binding;

typedef struct parser {
    ash__lexer lexer;
    ash__token token; /* the next one */
    ash__tree *tree;
    binding *binding;
    int bindings, binding_room;
    int depth;
    bool failed;
} parser;

static int expression(parser *p);

/* ---- failures: reported once; -1 stands for a node from then on */

#define FAIL(p, position, ...)                                                                             \
    ((p)->failed ? -1                                                                                      \
                 : ((p)->failed = true,                                                                    \
                    ash__fail_text(ASH_ERR_ARGUMENT, (p)->lexer.function, (p)->lexer.text, position, __VA_ARGS__), -1))

static int out_of_memory(parser *p)
{
    p->failed = true;
    return -1;
}

/* ---- words */

static const char *at(const parser *p, int position) { return p->lexer.text + position; }

static void advance(parser *p)
{
    p->token = ash__lexer_next(&p->lexer);
    if (p->token.kind == ASH__TOKEN_BAD)
        p->failed = true;
}

static bool token_is(const parser *p, const ash__token *t, const char *word)
{
    return (t->kind == ASH__TOKEN_SYMBOL || t->kind == ASH__TOKEN_NAME) && strlen(word) == (size_t)t->length &&
           memcmp(at(p, t->position), word, (size_t)t->length) == 0;
}

static bool next_is(const parser *p, const char *word) { return !p->failed && token_is(p, &p->token, word); }

static bool accept(parser *p, const char *word)
{
    if (!next_is(p, word))
        return false;
    advance(p);
    return true;
}

static void unexpected(parser *p, const char *wanted)
{
    const ash__token *t = &p->token;
    if (t->kind == ASH__TOKEN_END)
        FAIL(p, t->position, "the text ends where %s should follow", wanted);
    else if (t->kind != ASH__TOKEN_BAD)
        FAIL(p, t->position, "unexpected %.*s; %s should follow",
             t->kind == ASH__TOKEN_NUMBER ? 6
             : t->length < 40             ? t->length
                                          : 40,
             t->kind == ASH__TOKEN_NUMBER ? "number" : at(p, t->position), wanted);
}

static bool expect(parser *p, const char *word)
{
    if (accept(p, word))
        return true;
    char wanted[16] = {0};
    memcpy(wanted, word, strlen(word) < sizeof wanted ? strlen(word) : sizeof wanted - 1);
    unexpected(p, wanted);
    return false;
}

/* ---- nodes */

/* Room for one more element of a growing list. */
static bool make_room(parser *p, void *list, int count, int *room, size_t size)
{
    if (count < *room)
        return true;
    const int wanted = *room ? 2 * *room : 8;
    void *block;
    memcpy(&block, list, sizeof block);
    block = ash__realloc(p->lexer.function, block, wanted, size);
    if (!block) {
        out_of_memory(p);
        return false;
    }
    memcpy(list, &block, sizeof block);
    *room = wanted;
    return true;
}

static int add_node(parser *p, ash__node node)
{
    ash__tree *t = p->tree;
    if (p->failed)
        return -1;
    if (t->nodes >= ASH__NODE_LIMIT)
        return FAIL(p, node.position, "the function has more than %d parts", (int)ASH__NODE_LIMIT);
    if (!make_room(p, &t->node, t->nodes, &t->node_room, sizeof *t->node))
        return -1;
    t->node[t->nodes] = node;
    return t->nodes++;
}

static void add_operand(parser *p, int node)
{
    ash__tree *t = p->tree;
    if (!p->failed && make_room(p, &t->operand, t->operands, &t->operand_room, sizeof *t->operand))
        t->operand[t->operands++] = node;
}

/* A node over up to three operands; -1 for those it has not. */
static int add_over(parser *p, ash__node node, int x, int y, int z)
{
    const int operand[3] = {x, y, z};
    node.first = p->tree->operands;
    for (; node.count < 3 && operand[node.count] >= 0; node.count++)
        add_operand(p, operand[node.count]);
    return add_node(p, node);
}

static int call(parser *p, const char *name, size_t length, int position, int x, int y, int z)
{
    const ash__node node = {.kind = ASH__NODE_CALL, .position = position, .fn = ash__fn_find(name, length)};
    return add_over(p, node, x, y, z);
}

static int guard(parser *p, int condition, bool holds)
{
    return add_over(p, (ash__node){.kind = ASH__NODE_GUARD, .index = holds}, condition, -1, -1);
}

static void unguard(parser *p, int guard_node)
{
    add_over(p, (ash__node){.kind = ASH__NODE_UNGUARD}, guard_node, -1, -1);
}

/* ---- names */

static bool same_name(const parser *p, const ash__token *t, const char *name, size_t length)
{
    return (size_t)t->length == length && memcmp(at(p, t->position), name, length) == 0;
}

static int find_binding(const parser *p, const ash__token *t)
{
    for (int k = p->bindings - 1; k >= 0; k--)
        if (same_name(p, t, at(p, p->binding[k].position), (size_t)p->binding[k].length))
            return p->binding[k].node;
    return -1;
}

static int find_parameter(const parser *p, const ash__token *t)
{
    for (int k = 0; k < p->tree->parameters; k++)
        if (same_name(p, t, p->tree->name[k], strlen(p->tree->name[k])))
            return k;
    return -1;
}

static int unknown_name(parser *p, const ash__token *t)
{
    ash__closest c = {.name = at(p, t->position), .length = (size_t)t->length};
    for (int k = 0; k < p->tree->parameters; k++)
        ash__closest_offer(&c, p->tree->name[k], strlen(p->tree->name[k]));
    for (int k = 0; k < p->bindings; k++)
        ash__closest_offer(&c, at(p, p->binding[k].position), (size_t)p->binding[k].length);
    ash__closest_offer_all(&c);
    const int shown = t->length < 60 ? t->length : 60;
    if (!c.best)
        return FAIL(p, t->position, "unknown name %.*s", shown, at(p, t->position));
    return FAIL(p, t->position, "unknown name %.*s; did you mean %.*s?", shown, at(p, t->position), (int)c.best_length, c.best);
}

/* A name that stands for a value. */
static int name_value(parser *p, const ash__token *t)
{
    const char *name = at(p, t->position);
    const size_t length = (size_t)t->length;
    const int bound = find_binding(p, t), parameter = find_parameter(p, t);
    ash__node node = {.kind = ASH__NODE_LITERAL, .position = t->position};
    if (bound >= 0)
        return bound;
    if (parameter >= 0) {
        node.kind = ASH__NODE_PARAMETER;
        node.index = parameter;
        return add_node(p, node);
    }
    if (token_is(p, t, "true") || token_is(p, t, "false")) {
        node.kind = ASH__NODE_TRUTH;
        node.index = token_is(p, t, "true");
        return add_node(p, node);
    }
    if (ash__constant_named(name, length, &node.literal))
        return add_node(p, node);
    if (ash__fn_find(name, length) || ash__dtype_named(name, length))
        return FAIL(p, t->position, "%.*s is a function; write %.*s(...)", t->length, name, t->length, name);
    return unknown_name(p, t);
}

static int check_count(parser *p, const ash__token *t, int given, int least, int most)
{
    const char *name = at(p, t->position);
    if (p->failed || (given >= least && given <= most))
        return 0;
    return FAIL(p, t->position, "%.*s takes %d operand%s%s, given %d", t->length, name, least, least == 1 ? "" : "s",
                most > least ? " or more" : "", given);
}

/* name(...): the open parenthesis is the next word. Operands are collected first: those of inner calls come before. */
static int call_value(parser *p, const ash__token *t)
{
    const char *name = at(p, t->position);
    const size_t length = (size_t)t->length;
    ash__node node = {.kind = ASH__NODE_CALL, .position = t->position, .fn = ash__fn_find(name, length),
                      .dtype = ash__dtype_named(name, length)};
    if (!node.fn && !node.dtype) {
        if (find_binding(p, t) >= 0 || find_parameter(p, t) >= 0)
            return FAIL(p, t->position, "%.*s is no function", t->length < 60 ? t->length : 60, name);
        return unknown_name(p, t);
    }
    int own[4], *operand = own, room = 4;
    int *block = NULL;
    accept(p, "(");
    if (!next_is(p, ")"))
        do {
            if (node.count == room) {
                int *more = ash__realloc(p->lexer.function, block, 4 * (int64_t)room, sizeof *more);
                if (!more) {
                    out_of_memory(p);
                    break;
                }
                if (!block)
                    memcpy(more, own, sizeof own);
                operand = block = more;
                room *= 4;
            }
            operand[node.count++] = expression(p);
        } while (accept(p, ","));
    if (!p->failed)
        expect(p, ")");
    node.first = p->tree->operands;
    for (int k = 0; k < node.count && !p->failed; k++)
        add_operand(p, operand[k]);
    ash__free(block);
    if (node.fn)
        check_count(p, t, node.count, node.fn->least, node.fn->most);
    else {
        node.kind = ASH__NODE_CAST;
        check_count(p, t, node.count, 1, 1);
    }
    return add_node(p, node);
}

/* ---- expressions */

static int number_value(parser *p, const ash__token *t)
{
    ash__node node = {.kind = ASH__NODE_LITERAL, .position = t->position, .literal = t->literal};
    if (t->is_f32) {
        node.kind = ASH__NODE_FLOAT;
        node.dtype = t->literal.is_complex ? ASH_C_F32 : ASH_F32;
    }
    return add_node(p, node);
}

static int primary(parser *p)
{
    const ash__token t = p->token;
    if (p->failed)
        return -1;
    if (t.kind == ASH__TOKEN_NUMBER) {
        advance(p);
        return number_value(p, &t);
    }
    if (t.kind == ASH__TOKEN_NAME && !token_is(p, &t, "in") && !token_is(p, &t, "let")) {
        advance(p);
        return next_is(p, "(") ? call_value(p, &t) : name_value(p, &t);
    }
    if (accept(p, "(")) {
        const int node = expression(p);
        return expect(p, ")") ? node : -1;
    }
    if (token_is(p, &t, "let"))
        return FAIL(p, t.position, "let stands at the beginning of an expression; put it into parentheses");
    unexpected(p, "a value");
    return -1;
}

static int field(parser *p, int operand)
{
    const ash__token t = p->token;
    if (t.kind != ASH__TOKEN_NAME) {
        unexpected(p, "the name of a field");
        return -1;
    }
    advance(p);
    const ash__node node = {.kind = ASH__NODE_FIELD, .position = t.position, .length = t.length};
    return add_over(p, node, operand, -1, -1);
}

static int element(parser *p, int operand, int position)
{
    const ash__token t = p->token;
    if (t.kind != ASH__TOKEN_NUMBER || t.is_f32 || t.literal.is_float || t.literal.is_complex || t.literal.large) {
        if (!p->failed)
            unexpected(p, "the number of an element");
        return -1;
    }
    advance(p);
    const ash__node node = {.kind = ASH__NODE_ELEMENT, .position = position, .index = t.literal.i[0]};
    return expect(p, "]") ? add_over(p, node, operand, -1, -1) : -1;
}

static int postfix(parser *p)
{
    int node = primary(p);
    while (!p->failed) {
        const int position = p->token.position;
        if (accept(p, "."))
            node = field(p, node);
        else if (accept(p, "["))
            node = element(p, node, position);
        else
            break;
    }
    return node;
}

static int unary(parser *p)
{
    const ash__token t = p->token;
    int node;
    if (p->failed)
        return -1;
    if (++p->depth > ASH__DEPTH_LIMIT)
        return FAIL(p, t.position, "the function nests more than %d deep", (int)ASH__DEPTH_LIMIT);
    if (accept(p, "-"))
        node = call(p, "neg", 3, t.position, unary(p), -1, -1);
    else if (accept(p, "+"))
        node = unary(p);
    else if (accept(p, "!"))
        node = call(p, "!", 1, t.position, unary(p), -1, -1);
    else if (accept(p, "~"))
        node = call(p, "~", 1, t.position, unary(p), -1, -1);
    else {
        node = postfix(p);
        const int position = p->token.position;
        if (accept(p, "^"))
            node = call(p, "^", 1, position, node, unary(p), -1);
    }
    p->depth--;
    return node;
}

enum { LOOSEST = 1, OR = 1, AND = 2, BIT_OR = 3, BIT_AND = 4, EQUALITY = 5, RELATION = 6, SHIFT = 7, SUM = 8, PRODUCT = 9 };

/* C's; 0 for what is no binary operator. */
static int precedence(const parser *p, const ash__token *t)
{
    static const struct {
        const char *word;
        int level;
    } table[] = {{"||", OR},       {"&&", AND},     {"|", BIT_OR},    {"&", BIT_AND}, {"==", EQUALITY}, {"!=", EQUALITY},
                 {"<", RELATION},  {"<=", RELATION}, {">", RELATION}, {">=", RELATION}, {"<<", SHIFT}, {">>", SHIFT},
                 {"+", SUM},       {"-", SUM},       {"*", PRODUCT},  {"/", PRODUCT}, {"%", PRODUCT}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++)
        if (token_is(p, t, table[k].word))
            return table[k].level;
    return 0;
}

static int binary(parser *p, int least)
{
    int left = unary(p), before = 0;
    while (!p->failed) {
        const ash__token t = p->token;
        const int level = precedence(p, &t);
        if (level < least || level == 0)
            break;
        if (level == before && (level == EQUALITY || level == RELATION))
            return FAIL(p, t.position, "comparisons do not chain; write a < b && b < c");
        before = level;
        advance(p);
        const int shield = level <= AND ? guard(p, left, level == AND) : -1;
        const int right = binary(p, level + 1);
        if (shield >= 0)
            unguard(p, shield);
        left = call(p, at(p, t.position), (size_t)t.length, t.position, left, right, -1);
    }
    return left;
}

static int choice(parser *p)
{
    const int condition = binary(p, LOOSEST), position = p->token.position;
    if (!accept(p, "?"))
        return condition;
    int shield = guard(p, condition, true);
    const int x = expression(p);
    unguard(p, shield);
    if (!p->failed && !expect(p, ":"))
        return -1;
    shield = guard(p, condition, false);
    const int y = expression(p);
    unguard(p, shield);
    return call(p, "?:", 2, position, condition, x, y);
}

/* One name = expression; the name is known from the next one on. */
static void bind(parser *p)
{
    const ash__token t = p->token;
    if (t.kind != ASH__TOKEN_NAME || token_is(p, &t, "in") || token_is(p, &t, "let")) {
        if (!p->failed)
            unexpected(p, "a name");
        return;
    }
    advance(p);
    if (!expect(p, "="))
        return;
    const int node = expression(p);
    if (!p->failed && make_room(p, &p->binding, p->bindings, &p->binding_room, sizeof *p->binding))
        p->binding[p->bindings++] = (binding){t.position, t.length, node};
}

static int let(parser *p)
{
    const int outer = p->bindings;
    do
        bind(p);
    while (!p->failed && accept(p, ","));
    const int node = !p->failed && expect(p, "in") ? expression(p) : -1;
    p->bindings = outer;
    return node;
}

static int expression(parser *p)
{
    if (p->failed)
        return -1;
    if (++p->depth > ASH__DEPTH_LIMIT)
        return FAIL(p, p->token.position, "the function nests more than %d deep", (int)ASH__DEPTH_LIMIT);
    const int node = accept(p, "let") ? let(p) : choice(p);
    p->depth--;
    return node;
}

/* ---- functions */

/* Copies the text once; each name is ended in it by a 0, which overwrites what separates it from the next. */
static void add_parameter(parser *p, const ash__token *t)
{
    static const char *const reserved[] = {"let", "in", "true", "false"};
    ash__tree *tree = p->tree;
    if (t->kind != ASH__TOKEN_NAME) {
        unexpected(p, "the name of a parameter");
        return;
    }
    for (size_t k = 0; k < sizeof reserved / sizeof reserved[0]; k++)
        if (token_is(p, t, reserved[k]))
            FAIL(p, t->position, "%s cannot name a parameter", reserved[k]);
    if (find_parameter(p, t) >= 0)
        FAIL(p, t->position, "two parameters are named %.*s", t->length < 60 ? t->length : 60, at(p, t->position));
    if (tree->parameters >= ASH__OPERAND_LIMIT)
        FAIL(p, t->position, "a function has at most %d parameters", (int)ASH__OPERAND_LIMIT);
    if (p->failed)
        return;
    tree->name[tree->parameters] = tree->names + t->position;
    tree->names[t->position + t->length] = '\0';
    tree->parameters++;
    advance(p);
}

static bool parameters(parser *p)
{
    ash__tree *tree = p->tree;
    tree->position = p->token.position;
    if (!accept(p, "(")) {
        add_parameter(p, &p->token);
        return expect(p, "->");
    }
    if (!next_is(p, ")"))
        do
            add_parameter(p, &p->token);
        while (!p->failed && accept(p, ","));
    if (p->failed || !expect(p, ")"))
        return false;
    if (!next_is(p, "->"))
        FAIL(p, p->token.position, "-> should follow the parameters, as in (a, b) -> a + b");
    return accept(p, "->");
}

/* A name or operator that stands alone: the call of it on parameters x, y, z. */
static bool bare(parser *p, const ash__token *t)
{
    static const char *const names[] = {"x", "y", "z"};
    const char *word = at(p, t->position);
    const ash__fn *fn = ash__fn_bare(word, (size_t)t->length);
    ash__node node = {.kind = fn ? ASH__NODE_CALL : ASH__NODE_CAST, .position = t->position, .fn = fn,
                      .dtype = ash__dtype_named(word, (size_t)t->length)};
    int x[3] = {-1, -1, -1};
    if (!fn && !node.dtype)
        return false;
    for (int k = 0; k < (fn ? fn->least : 1); k++) {
        p->tree->name[p->tree->parameters++] = names[k];
        x[k] = add_node(p, (ash__node){.kind = ASH__NODE_PARAMETER, .position = t->position, .index = k});
    }
    p->tree->result = add_over(p, node, x[0], x[1], x[2]);
    return true;
}

static bool names_value(const parser *p, const ash__token *t)
{
    ash__literal value;
    return token_is(p, t, "true") || token_is(p, t, "false") ||
           ash__constant_named(at(p, t->position), (size_t)t->length, &value);
}

static void no_function(parser *p, const ash__token *first)
{
    if (p->failed)
        return;
    if (first->kind == ASH__TOKEN_END)
        FAIL(p, first->position, "the function is empty");
    else if (first->kind == ASH__TOKEN_NAME && first->length > 1 && p->token.kind == ASH__TOKEN_END && !names_value(p, first))
        unknown_name(p, first);
    else
        FAIL(p, first->position, "a function is written x -> ..., (a, b) -> ..., or as a name or operator alone");
}

static void function(parser *p)
{
    const ash__token first = p->token;
    if (p->failed)
        return;
    ash__lexer ahead = p->lexer;
    const bool open = token_is(p, &first, "(");
    if (!open) {
        parser second = *p;
        advance(&second); /* a word that is no word is reported here */
        p->failed = second.failed;
        if (second.token.kind == ASH__TOKEN_END && first.kind != ASH__TOKEN_END && bare(p, &first))
            return;
        if (first.kind != ASH__TOKEN_NAME || !next_is(&second, "->")) {
            p->token = second.token;
            no_function(p, &first);
            return;
        }
    }
    p->lexer = ahead;
    if (!parameters(p))
        return;
    p->tree->result = expression(p);
    if (!p->failed && p->token.kind != ASH__TOKEN_END)
        unexpected(p, next_is(p, "=") ? "== for a comparison, or the end," : "an operator or the end");
}

/* Names cannot be more than half of the text's bytes. */
static bool make_names(ash__tree *tree, const char *function_name, const char *text, size_t length)
{
    const int64_t most = length / 2 < ASH__OPERAND_LIMIT ? (int64_t)length / 2 + 3 : ASH__OPERAND_LIMIT;
    tree->names = ash__alloc(function_name, (int64_t)length + 1, 1);
    tree->name = ash__alloc(function_name, most, sizeof *tree->name);
    if (!tree->names || !tree->name)
        return false;
    memcpy(tree->names, text, length + 1);
    return true;
}

bool ash__parse(ash__tree *tree, const char *function_name, const char *text)
{
    memset(tree, 0, sizeof *tree);
    const size_t length = strnlen(text, (size_t)ASH__TEXT_LIMIT + 1);
    if (length > ASH__TEXT_LIMIT) {
        ash__fail(ASH_ERR_ARGUMENT, function_name, "the function string has more than %d bytes", (int)ASH__TEXT_LIMIT);
        return false;
    }
    if (!make_names(tree, function_name, text, length))
        return false;
    parser p = {.lexer = {.function = function_name, .text = text}, .tree = tree};
    advance(&p);
    function(&p);
    ash__free(p.binding);
    return !p.failed;
}

void ash__tree_free(ash__tree *tree)
{
    ash__free(tree->name);
    ash__free(tree->names);
    ash__free(tree->node);
    ash__free(tree->operand);
}
