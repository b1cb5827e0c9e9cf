/*
 * collect.c - arrays from an iterator, whose length may not be known.
 *
 * Elements are gathered in memory that grows, in their own dtype; the array is made when the last one has come, so that a
 * failure leaves nothing behind.
 */
#include <math.h>

#include "core/alloc.h"
#include "core/convert.h"
#include "core/error.h"
#include "core/format.h"
#include "core/operand.h"
#include "core/options.h"
#include "ops/task.h"

enum { DEFAULT_LIMIT_BITS = 40 };

typedef struct gathered {
    ash_operand *element;
    int64_t count, room;
} gathered;

static ash_status append(const char *function, gathered *g, const ash_operand *element)
{
    if (g->count == g->room) {
        const int64_t room = 2 * g->room + 16;
        ash_operand *longer = ash__realloc(function, g->element, room, sizeof *longer);
        if (!longer)
            return ash__last_status();
        g->element = longer;
        g->room = room;
    }
    g->element[g->count++] = *element;
    return ASH_OK;
}

/* A rank-0 array counts as its element. */
static ash_status as_scalar(const char *function, int64_t number, ash_operand *e)
{
    if (e->kind == ASH_OPERAND_SCALAR && ash__kind_of(e->dtype) != ASH__KIND_NONE && !ash__is_record(e->dtype))
        return ASH_OK;
    return ash__fail(ASH_ERR_DTYPE, function, "element %lld is no scalar of a plain dtype", (long long)number);
}

static ash_status gather(const char *function, const ash_iterator *it, int64_t limit, gathered *g)
{
    for (;;) {
        ash_operand e = {0};
        const int more = it->next(it->state, &e);
        if (more == 0)
            break;
        if (more < 0)
            return ash__fail(ASH_ERR_ARGUMENT, function, "the iterator gave up after %lld elements", (long long)g->count);
        if (g->count == limit)
            return ash__fail(ASH_ERR_VALUE, function, "the iterator gives more than %lld elements; raise .limit if it ends",
                             (long long)limit);
        ash_status status = as_scalar(function, g->count, &e);
        if (!status)
            status = append(function, g, &e);
        if (status)
            return status;
    }
    if (it->length >= 0 && g->count != it->length)
        return ash__fail(ASH_ERR_SHAPE, function, "the iterator says it has %lld elements and gave %lld", (long long)it->length,
                         (long long)g->count);
    return ASH_OK;
}

/* By the rule of numbers: integers i64, other reals f64, nothing f64. */
static ash_status infer_number(const char *function, const gathered *g, ash_dtype *dtype)
{
    *dtype = g->count ? ASH_I64 : ASH_F64;
    for (int64_t i = 0; i < g->count; i++) {
        const ash_operand *e = &g->element[i];
        if (ash__is_float(e->dtype))
            *dtype = ASH_F64;
        if (ash__is_real(e->dtype) && e->dtype != ASH_BOOL)
            continue;
        unsigned char bytes[ASH__SCALAR_BYTES];
        char text[ASH__CELL];
        ash__operand_bytes(function, e, bytes);
        ash__format_element(text, sizeof text, e->dtype, (const char *)bytes, false);
        return ash__fail(ASH_ERR_DTYPE, function, "cannot infer a dtype: element %lld, %s, is not a real number", (long long)i,
                         text);
    }
    return ASH_OK;
}

static ash_status infer_same(const char *function, const gathered *g, ash_dtype *dtype)
{
    if (!g->count)
        return ash__fail(ASH_ERR_DTYPE, function, "cannot infer a dtype: the iterator is empty; give .dtype");
    *dtype = g->element[0].dtype;
    for (int64_t i = 1; i < g->count; i++)
        if (g->element[i].dtype != *dtype)
            return ash__fail(ASH_ERR_DTYPE, function, "cannot infer a dtype: element 0 is %s, element %lld is %s; give .dtype",
                             ash_dtype_name(*dtype), (long long)i, ash_dtype_name(g->element[i].dtype));
    return ASH_OK;
}

/* Element i of the gathered ones becomes element i of a in row-major order. */
static ash_status store(const char *function, ash_array *a, const gathered *g, bool exact)
{
    ash__walk w;
    char *const data[1] = {ash__data(a)};
    const int64_t *const stride[1] = {a->stride};
    int64_t i = 0;
    for (bool more = ash__walk_begin(&w, true, a->shape, a->rank, 1, data, stride); more; more = ash__walk_next(&w))
        for (int64_t j = 0; j < w.run; j++, i++) {
            unsigned char bytes[ASH__SCALAR_BYTES];
            const ash_operand *e = &g->element[i];
            const ash_status status = ash__operand_bytes(function, e, bytes);
            if (status)
                return status;
            if (ash__convert_run(w.at[0] + j * w.step[0], 0, a->dtype, (const char *)bytes, 0, e->dtype, 1, exact) < 1)
                return ash__convert_fail(function, &i, 1, (const char *)bytes, e->dtype, a->dtype, exact);
        }
    return ASH_OK;
}

ash_array *ash_collect_opt(const ash_iterator *iterator, const ash_collect_options *options)
{
    static const char f[] = "ash_collect";
    ash_collect_options o;
    gathered g = {0};
    ash_array *a = NULL;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (!iterator || !iterator->next) {
        ash__null(f, iterator ? "iterator->next" : "iterator");
        return NULL;
    }
    ash_dtype dtype = o.dtype;
    ash_status status = gather(f, iterator, o.limit ? o.limit : INT64_C(1) << DEFAULT_LIMIT_BITS, &g);
    if (!status && !dtype)
        status = o.infer == ASH_INFER_NUMBER ? infer_number(f, &g, &dtype) : infer_same(f, &g, &dtype);
    const bool shaped = o.shape.size || o.shape.rank;
    const ash_dims shape = shaped ? o.shape : (ash_dims){&g.count, 1};
    int64_t count = 0;
    if (!status)
        status = ash__check_shape(f, shape, 1, &count);
    if (!status && count != g.count) {
        char text[ASH__SHAPE_TEXT];
        status = ash__fail(ASH_ERR_SHAPE, f, "shape %s takes %lld elements, the iterator gave %lld",
                           ash__shape_text(text, sizeof text, shape.size, shape.rank), (long long)count, (long long)g.count);
    }
    if (!status) {
        const ash__make make = {
            .resources = o.resources, .dtype = dtype, .layout = o.layout, .storage = o.storage, .memory = o.memory};
        a = ash__array_new(f, shape, &make);
    }
    if (a && store(f, a, &g, o.exact) != ASH_OK) {
        ash_release(a);
        a = NULL;
    }
    ash__free(g.element);
    return a;
}
