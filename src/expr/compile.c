/*
 * compile.c - the walk over the tree: each node becomes a value, in order.
 */
#include "expr/compile.h"

#include "core/alloc.h"
#include "core/error.h"

static const ash__node *node_at(const ash__compiler *c, int number) { return &c->tree->node[number]; }

static ash__value *operand(ash__compiler *c, const ash__node *n, int k) { return &c->value[ash__operand_of(c->tree, n, k)]; }

/* ---- operands and their fields */

static ash__value parameter(ash__compiler *c, const ash__node *n)
{
    const ash__argument *a = &c->argument[n->index];
    if (ash__is_record(a->dtype))
        return (ash__value){
            .kind = ASH__VALUE_RECORD, .dtype = a->dtype, .index = (int)n->index, .position = n->position, .part = {-1, -1}};
    const ash__pair x = ash__load_pair(c->b, (int)n->index, a->dtype, 0, a->conjugated);
    return ash__number(c, a->dtype, x.re, x.im);
}

/* What lies at offset inside an operand that is a record. */
static ash__value inside(ash__compiler *c, int index, ash_dtype dtype, uint32_t offset)
{
    if (ash__is_record(dtype))
        return (ash__value){.kind = ASH__VALUE_RECORD,
                            .dtype = dtype,
                            .index = index,
                            .offset = offset,
                            .position = c->position,
                            .part = {-1, -1}};
    const ash__pair x = ash__load_pair(c->b, index, dtype, offset, c->argument[index].conjugated);
    return ash__number(c, dtype, x.re, x.im);
}

static ash__value field(ash__compiler *c, const ash__node *n)
{
    const ash__value *r = operand(c, n, 0);
    const char *name = c->text + n->position;
    const int shown = n->length < 100 ? n->length : 100;
    ash_field_info info;
    if (r->kind == ASH__VALUE_INNER)
        return ash__compile_fail(c, ASH_ERR_DTYPE, n->position, "the field has %lld elements; take one, from [0] to [%lld]",
                                 (long long)r->count, (long long)r->count - 1);
    if (r->kind != ASH__VALUE_RECORD)
        return ash__compile_fail(c, ASH_ERR_DTYPE, n->position, "%s has no fields",
                                 ash__is_literal(r) ? "a number" : ash_dtype_name(r->dtype));
    for (int64_t k = 0; ash_dtype_field(r->dtype, k, &info); k++) {
        if (strlen(info.name) != (size_t)n->length || memcmp(info.name, name, (size_t)n->length) != 0)
            continue;
        const uint32_t offset = r->offset + (uint32_t)info.offset;
        if (info.count == 1)
            return inside(c, r->index, info.dtype, offset);
        return (ash__value){.kind = ASH__VALUE_INNER,
                            .dtype = info.dtype,
                            .index = r->index,
                            .offset = offset,
                            .count = info.count,
                            .position = n->position,
                            .part = {-1, -1}};
    }
    return ash__compile_fail(c, ASH_ERR_DTYPE, n->position, "%s has no field %.*s", ash_dtype_name(r->dtype), shown, name);
}

static ash__value element(ash__compiler *c, const ash__node *n)
{
    const ash__value *a = operand(c, n, 0);
    if (a->kind != ASH__VALUE_INNER)
        return ash__compile_fail(c, ASH_ERR_DTYPE, n->position, "only an inner array of a record has elements");
    if (n->index < 0 || n->index >= a->count)
        return ash__compile_fail(c, ASH_ERR_BOUNDS, n->position, "index %lld is out of bounds for axis 0 of size %lld",
                                 (long long)n->index, (long long)a->count);
    return inside(c, a->index, a->dtype, a->offset + (uint32_t)n->index * (uint32_t)ash_dtype_size(a->dtype));
}

/* ---- calls */

static ash__value call(ash__compiler *c, const ash__node *n)
{
    enum { FEW = 4 };
    ash__value few[FEW], *v = few;
    if (n->count > FEW) {
        v = ash__alloc(c->function, n->count, sizeof *v);
        if (!v) {
            c->failed = true;
            return ash__no_value;
        }
    }
    for (int k = 0; k < n->count; k++)
        v[k] = *operand(c, n, k);
    const ash__value result = ash__apply(c, n->fn, n->count, v);
    if (v != few)
        ash__free(v);
    return result;
}

/* From here to the matching UNGUARD, what is computed matters only where the condition (index 1) or its opposite (0) holds. */
static ash__value guard(ash__compiler *c, const ash__node *n)
{
    ash__value outer = {.kind = ASH__VALUE_NONE, .index = c->guard};
    const ash__value *v = operand(c, n, 0);
    if (v->kind == ASH__VALUE_RECORD || v->kind == ASH__VALUE_INNER)
        return outer; /* reported by the operator that it belongs to */
    int holds = ash__truth(c, v);
    if (!n->index)
        holds = ash__b1(c->b, ASH__OP_NOT, holds);
    c->guard = c->guard < 0 ? holds : ash__b2(c->b, ASH__OP_AND, c->guard, holds);
    return outer;
}

static ash__value value_of(ash__compiler *c, const ash__node *n)
{
    switch (n->kind) {
    case ASH__NODE_LITERAL:
        return ash__literal_value(c, n->literal);
    case ASH__NODE_FLOAT:
        return ash__number(c, n->dtype, ash__bfloat(c->b, ASH_F32, n->literal.f[0]),
                           n->literal.is_complex ? ash__bfloat(c->b, ASH_F32, n->literal.f[1]) : -1);
    case ASH__NODE_TRUTH:
        return ash__number(c, ASH_BOOL, ash__bbool(c->b, n->index != 0), -1);
    case ASH__NODE_PARAMETER:
        return parameter(c, n);
    case ASH__NODE_CALL:
        return call(c, n);
    case ASH__NODE_CAST:
        return ash__apply_cast(c, operand(c, n, 0), n->dtype);
    case ASH__NODE_FIELD:
        return field(c, n);
    case ASH__NODE_ELEMENT:
        return element(c, n);
    case ASH__NODE_GUARD:
        return guard(c, n);
    case ASH__NODE_UNGUARD:
        c->guard = operand(c, n, 0)->index;
        return ash__no_value;
    }
    return ash__no_value;
}

static bool failed(const ash__compiler *c) { return c->failed || c->b->failed; }

static ash__program *compile_nodes(ash__compiler *c)
{
    for (int i = 0; i < c->tree->nodes && !failed(c); i++) {
        const ash__node *n = node_at(c, i);
        c->position = n->position;
        c->value[i] = value_of(c, n);
    }
    c->failed = failed(c);
    c->position = node_at(c, c->tree->result)->position;
    return ash__compile_result(c, &c->value[c->tree->result]);
}

ash__program *ash__compile(const char *function, const char *text, const ash__tree *tree, int64_t count,
                           const ash__argument *argument, const ash__target *target)
{
    ash__compiler c = {.function = function, .text = text, .tree = tree, .argument = argument, .target = target, .guard = -1};
    if (count != tree->parameters) {
        ash__fail_text(ASH_ERR_ARGUMENT, function, text, tree->position, "the function takes %d operand%s, given %lld",
                       tree->parameters, tree->parameters == 1 ? "" : "s", (long long)count);
        return NULL;
    }
    c.value = ash__alloc(function, tree->nodes, sizeof *c.value);
    c.b = c.value ? ash__builder_new(function, (int)count) : NULL;
    ash__program *p = c.b ? compile_nodes(&c) : NULL;
    ash__free(c.choice);
    ash__free(c.value);
    return p;
}
