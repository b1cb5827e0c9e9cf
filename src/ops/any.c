/*
 * any.c - whether any, whether all, and how many elements pass a test: the element itself by x != 0, or the caller's
 * predicate, whose result is read the same way.
 */
#include "core/error.h"
#include "ops/map.h"
#include "ops/reduction.h"

static const ash__operator any = {.text = "||", .fold = ASH__FOLD_OR, .truth = true};
static const ash__operator all = {.text = "&&", .fold = ASH__FOLD_AND, .truth = true};
static const ash__operator count = {.text = "+", .fold = ASH__FOLD_SUM};

enum { USES = ASH__USES_INIT | ASH__USES_WHERE | ASH__USES_PREDICATE };

static ash_array *test(const char *name, const ash__operator *op, const ash_array *a, const ash_reduce_options *options)
{
    ash_reduce_options o;
    const ash_operand operand = ash_operand_array(a);
    if (!ash__reduce_options(name, USES, options, &o))
        return NULL;
    ash_function *predicate = o.predicate ? ash__function_for(name, o.predicate) : NULL;
    const ash__reduction r = {.function = name, .map = predicate, .op = op, .operands = {&operand, 1}, .test = true};
    ash_array *out = o.predicate && !predicate ? NULL : ash__reduce_new(&r, &o);
    ash_function_release(predicate);
    return out;
}

static ash_status test_into(const char *name, const ash__operator *op, ash_array *out, const ash_array *a,
                            const ash_reduce_options *options)
{
    ash_reduce_options o;
    const ash_operand operand = ash_operand_array(a);
    if (!ash__reduce_options(name, USES | ASH__USES_ACCUMULATE, options, &o))
        return ash__last_status();
    ash_function *predicate = o.predicate ? ash__function_for(name, o.predicate) : NULL;
    const ash__reduction r = {.function = name, .map = predicate, .op = op, .operands = {&operand, 1}, .test = true};
    const ash_status status = o.predicate && !predicate ? ash__last_status() : ash__reduce_into(&r, out, &o);
    ash_function_release(predicate);
    return status;
}

ash_array *ash_any_opt(const ash_array *a, const ash_reduce_options *options)
{
    return test("ash_any", &any, a, options);
}
ash_array *ash_all_opt(const ash_array *a, const ash_reduce_options *options)
{
    return test("ash_all", &all, a, options);
}
ash_array *ash_count_opt(const ash_array *a, const ash_reduce_options *options)
{
    return test("ash_count", &count, a, options);
}

ash_status ash_any_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options)
{
    return test_into("ash_any_into", &any, out, a, options);
}

ash_status ash_all_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options)
{
    return test_into("ash_all_into", &all, out, a, options);
}

ash_status ash_count_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options)
{
    return test_into("ash_count_into", &count, out, a, options);
}
