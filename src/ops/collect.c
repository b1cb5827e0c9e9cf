/*
 * collect.c - arrays from an iterator, whose length may not be known.
 *
 * Elements are gathered in memory that grows, in their own dtype; the array is made when the last one has come, so that a
 * failure leaves nothing behind. An iterator that has given one element too many is not asked again.
 */
#include "ops/collect.h"

#include "core/alloc.h"
#include "core/convert.h"
#include "core/error.h"
#include "core/format.h"
#include "core/host.h"
#include "core/operand.h"
#include "core/options.h"
#include "ops/task.h"

enum { DEFAULT_LIMIT = 1 << 26 }; /* 1.5 GiB of gathered elements */

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

ash_status ash__collect_next(const char *function, const ash_iterator *it, int64_t count, ash_operand *element, bool *more)
{
    *element = (ash_operand){0};
    const int given = it->next(it->state, element);
    *more = given > 0;
    if (given < 0)
        return ash__fail(ASH_ERR_ARGUMENT, function, "the iterator gave up after %lld elements", (long long)count);
    const bool lies = it->length >= 0 && (given ? count >= it->length : count < it->length);
    if (lies)
        return ash__fail(ASH_ERR_SHAPE, function, "the iterator says it has %lld elements and gave %s%lld",
                         (long long)it->length, given ? "at least " : "", (long long)count + *more);
    return given ? as_scalar(function, count, element) : ASH_OK;
}

/* room: the most elements that the shape takes, or -1. */
static ash_status gather(const char *function, const ash_iterator *it, int64_t limit, int64_t room, gathered *g)
{
    for (;;) {
        ash_operand e;
        bool more;
        ash_status status = ash__collect_next(function, it, g->count, &e, &more);
        if (status || !more)
            return status;
        if (g->count == limit)
            return ash__fail(ASH_ERR_VALUE, function, "the iterator gives more than %lld elements; raise .limit if it ends",
                             (long long)limit);
        if (room >= 0 && g->count == room)
            return ash__fail(ASH_ERR_SHAPE, function, "the shape takes %lld elements, the iterator gives more",
                             (long long)room);
        status = append(function, g, &e);
        if (status)
            return status;
    }
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

static ash_status infer(const char *function, const gathered *g, const ash_collect_options *o, ash_dtype *dtype)
{
    *dtype = !g->count && o->on_empty ? o->on_empty(o->context) : ASH_DTYPE_DEFAULT;
    if (*dtype)
        return ASH_OK;
    return o->infer == ASH_INFER_NUMBER ? infer_number(function, g, dtype) : infer_same(function, g, dtype);
}

ash_status ash__collect_store(const char *function, char *to, ash_dtype dtype, int64_t number, const ash_operand *e, bool exact)
{
    unsigned char bytes[ASH__SCALAR_BYTES];
    const ash_status status = ash__operand_bytes(function, e, bytes);
    if (status)
        return status;
    if (ash__convert_run(to, 0, dtype, (const char *)bytes, 0, e->dtype, 1, exact) < 1)
        return ash__convert_fail(function, &number, 1, (const char *)bytes, e->dtype, dtype, exact);
    return ASH_OK;
}

/* Element i of the gathered ones becomes element i of a in row-major order. */
static ash_status store_at(const char *function, char *first, const ash_array *a, const gathered *g, bool exact)
{
    ash__walk w;
    char *const data[1] = {first};
    const int64_t *const stride[1] = {a->stride};
    int64_t i = 0;
    for (bool more = ash__walk_begin(&w, true, a->shape, a->rank, 1, data, stride); more; more = ash__walk_next(&w))
        for (int64_t j = 0; j < w.run; j++, i++) {
            const ash_status status = ash__collect_store(function, w.at[0] + j * w.step[0], a->dtype, i, &g->element[i], exact);
            if (status)
                return status;
        }
    return ASH_OK;
}

static ash_status store(const char *function, ash_array *a, const gathered *g, bool exact)
{
    ash__host h;
    ash_status status = ash__host_open(&h, function, a, ASH__WRITE | ASH__ASKED);
    if (!status)
        status = store_at(function, h.data, a, g, exact);
    return ash__host_close(&h, status);
}

/* The most elements that the shape takes, and what is wrong with it already; -1 where one size is found from their number. */
static ash_status check_room(const char *function, ash_dims shape, int64_t *room)
{
    int64_t size[ASH_MAX_RANK];
    *room = -1;
    for (int64_t k = 0; shape.size && k < shape.rank && k < ASH_MAX_RANK; k++)
        if (shape.size[k] == ASH_INFER)
            return ash__infer_shape(function, shape, 1, 0, size);
    return ash__check_shape(function, shape, 1, room);
}

static ash_array *make(const char *function, const gathered *g, const ash_collect_options *o)
{
    int64_t size[ASH_MAX_RANK];
    ash__make to = {
        .resources = o->resources, .dtype = o->dtype, .layout = o->layout, .storage = o->storage, .memory = o->memory};
    const bool shaped = o->shape.size || o->shape.rank;
    const ash_dims shape = shaped ? o->shape : (ash_dims){&g->count, 1};
    if ((!to.dtype && infer(function, g, o, &to.dtype)) || ash__infer_shape(function, shape, 1, g->count, size))
        return NULL;
    ash_array *a = ash__array_new(function, (ash_dims){size, shape.rank}, &to);
    if (a && store(function, a, g, o->exact) != ASH_OK) {
        ash_release(a);
        return NULL;
    }
    return a;
}

ash_array *ash__collect(const char *function, const ash_iterator *iterator, const ash_collect_options *o)
{
    gathered g = {0};
    int64_t room = -1;
    if (!iterator || !iterator->next) {
        ash__null(function, iterator ? "iterator->next" : "iterator");
        return NULL;
    }
    if ((o->shape.size || o->shape.rank) && check_room(function, o->shape, &room))
        return NULL;
    const bool ends = iterator->length >= 0 || room >= 0; /* or is found out */
    const int64_t limit = o->limit ? o->limit : ends ? INT64_MAX : DEFAULT_LIMIT;
    ash_array *a = gather(function, iterator, limit, room, &g) ? NULL : make(function, &g, o);
    ash__free(g.element);
    return a;
}

ash_array *ash_collect_opt(const ash_iterator *iterator, const ash_collect_options *options)
{
    static const char f[] = "ash_collect";
    ash_collect_options o;
    return ash__read_options(f, &o, sizeof o, options) ? ash__collect(f, iterator, &o) : NULL;
}
