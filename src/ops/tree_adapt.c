/* tree_adapt.c - trees whose arrays are brought to a target, or given to a function. */
#include "core/convert.h"
#include "core/error.h"
#include "core/operand.h"
#include "ops/adapt.h"
#include "ops/tree_rebuild.h"

static ash_tree *unchanged(ash_tree *leaf)
{
    ash__counted_retain(&leaf->counted);
    return leaf;
}

static ash_tree *adapt_array(ash__rebuild *r, ash_tree *leaf)
{
    ash_array *a = ash__adapt_array(r->context, leaf->array);
    return !a ? NULL : a == leaf->array ? unchanged(leaf) : ash__tree_array(r->function, a);
}

/* The operand that stands for the bytes of an element. */
static ash_operand operand_of(const char *bytes, ash_dtype dtype)
{
    const bool real = ash__is_real(dtype), whole = real && !ash__is_float(dtype);
    const ash_dtype read = dtype == ASH_U64 ? ASH_U64 : whole ? ASH_I64 : real ? ASH_F64 : ASH_C_F64;
    ash_operand scalar = {.kind = ASH_OPERAND_SCALAR, .dtype = dtype};
    ash__convert_run((char *)&scalar.value, 0, read, bytes, 0, dtype, 1, false);
    return scalar;
}

static ash_tree *adapt_scalar(ash__rebuild *r, ash_tree *leaf)
{
    const ash__adaptation *m = r->context;
    const ash_dtype from = leaf->scalar.dtype;
    ash_dtype to;
    unsigned char bytes[ASH__SCALAR_BYTES];
    char converted[ASH__SCALAR_BYTES];
    if (ash__target_dtype(&m->target, from, &to))
        return NULL;
    if (to == from)
        return unchanged(leaf);
    if (ash__operand_bytes(r->function, &leaf->scalar, bytes))
        return NULL;
    if (ash__convert_run(converted, 0, to, (const char *)bytes, 0, from, 1, false) < 1) {
        ash__convert_fail(r->function, NULL, 0, (const char *)bytes, from, to, false);
        return NULL;
    }
    const ash_operand scalar = operand_of(converted, to);
    return ash__tree_scalar(r->function, &scalar);
}

ash_tree *ash_tree_adapt_opt(const ash_tree *t, const ash_target *target)
{
    static const char f[] = "ash_tree_adapt";
    ash__adaptation m;
    ash_tree *result = NULL;
    if (ash__check_tree(f, "t", t))
        return NULL;
    if (!ash__adapt_begin(&m, f, target)) {
        ash__rebuild r = {.function = f, .array = adapt_array, .context = &m};
        r.scalar = m.target.scalars ? adapt_scalar : NULL;
        result = ash__tree_rebuild(&r, t);
    }
    ash__adapt_end(&m);
    return ash__tree_give(f, result);
}

/* ---- a function of the caller's */

typedef struct mapping {
    ash_tree_function function;
    void *context;
} mapping;

static ash_tree *map_array(ash__rebuild *r, ash_tree *leaf)
{
    const mapping *map = r->context;
    const int64_t scope = ash_scope_open();
    if (scope < 0)
        return NULL;
    ash_array *a = map->function(leaf->array, map->context);
    const ash_status status = ash__check_array(r->function, "the function's result", a);
    ash_tree *made = status ? NULL : a == leaf->array ? unchanged(leaf) : ash__tree_array(r->function, a);
    ash_scope_close(scope);
    return made;
}

ash_tree *ash_tree_map(const ash_tree *t, ash_tree_function function, void *context)
{
    static const char f[] = "ash_tree_map";
    mapping map = {function, context};
    if (ash__check_tree(f, "t", t))
        return NULL;
    if (!function) {
        ash__null(f, "function");
        return NULL;
    }
    ash__rebuild r = {.function = f, .array = map_array, .context = &map};
    return ash__tree_give(f, ash__tree_rebuild(&r, t));
}
