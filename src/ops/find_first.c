/*
 * find_first.c - the first and the last element that is true, or that a predicate is true of.
 *
 * The first true element is the first maximum of what the predicate gives. It is looked for block by block in row-major order,
 * in small ones first, so that what lies far behind it is not read. The last is the first of the axes reversed.
 */
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "ops/find.h"
#include "ops/map.h"
#include "ops/run.h"

enum { LEAST = 4096, MOST = 1 << 20 }; /* elements of a block */

/* a, perhaps reversed, and what is looked for in it. */
typedef struct search {
    ash__inputs *in;
    const ash__program *program;
    char *data;
    int64_t stride[ASH_MAX_RANK];
    ash_array *index, *value; /* of the first maximum of a block */
} search;

/* The position within a block of rows of axis k, from `data` on; -1 where there is none, -2 with an error. */
static int64_t first_in(const search *s, int64_t k, int64_t rows, char *data)
{
    static const int64_t still[ASH_MAX_RANK] = {0};
    int64_t shape[ASH_MAX_RANK];
    const int64_t rank = s->in->rank - k;
    for (int64_t j = 0; j < rank; j++)
        shape[j] = j ? s->in->shape[k + j] : rows;
    const ash__span operand = {s->in->span[0].buffer, data, s->stride + k, s->in->span[0].dtype};
    const ash__task task = {.kind = ASH__TASK_ARG,
                            .function = s->in->function,
                            .rank = rank,
                            .shape = shape,
                            .program = s->program,
                            .operand_count = 1,
                            .operand = &operand,
                            .out = {s->index->buffer, ash__data(s->index), still, ASH_I64},
                            .value = {s->value->buffer, ash__data(s->value), still, ASH_BOOL},
                            .fold = ASH__FOLD_MAX,
                            .reduced = (uint32_t)((UINT64_C(1) << rank) - 1)};
    int64_t found = 0;
    bool any = false;
    if (ash__run_on(s->in->resources, &task) ||
        ash__host_get(s->in->function, s->index, ash__data(s->index), ASH__ASKED, &found) ||
        ash__host_get(s->in->function, s->value, ash__data(s->value), ASH__ASKED, &any))
        return -2;
    return any ? found : -1;
}

/* The first axis so small behind it that a block is made of whole rows of it. */
static int64_t axis_of_blocks(const ash__inputs *in, int64_t *inner)
{
    int64_t k = in->rank;
    *inner = 1;
    while (k > 0 && *inner * in->shape[k - 1] <= LEAST)
        *inner *= in->shape[--k];
    if (k > 0)
        return k - 1;
    *inner /= in->rank ? in->shape[0] : 1;
    return 0;
}

static int64_t first(const search *s)
{
    const ash__inputs *const in = s->in;
    int64_t inner, limit = LEAST, at[ASH_MAX_RANK];
    const int64_t k = axis_of_blocks(in, &inner);
    for (int64_t position = 0, rows; position < in->size; position += rows * inner) {
        if (!in->rank)
            return first_in(s, 0, 1, s->data);
        ash__index_at(ASH_ROW_MAJOR, in->shape, k + 1, position / inner, at);
        char *data = s->data;
        for (int64_t j = 0; j <= k; j++)
            data += at[j] * s->stride[j];
        rows = limit > inner ? limit / inner : 1;
        if (rows > in->shape[k] - at[k])
            rows = in->shape[k] - at[k];
        const int64_t found = first_in(s, k, rows, data);
        if (found != -1)
            return found < 0 ? -1 : position + found;
        limit = limit < MOST ? 2 * limit : MOST;
    }
    return -1;
}

/* Turns all axes round. */
static void reverse(search *s)
{
    for (int64_t k = 0; k < s->in->rank; k++) {
        s->data += (s->in->shape[k] - 1) * s->stride[k];
        s->stride[k] = -s->stride[k];
    }
}

static int64_t search_in(ash__inputs *in, const ash_function *function, bool last)
{
    search s = {.in = in};
    int64_t found = -1;
    if (ash__inputs_join(in))
        return -1;
    ash__program *program = ash__inputs_program(in, function, ASH__RULE_NATURAL, ASH_DTYPE_DEFAULT, false);
    if (program && !ash__find_check(in->function, program->dtype) && in->size) {
        const int64_t barrier = ash_scope_open_barrier();
        s.program = program;
        s.data = in->span[0].data;
        for (int64_t k = 0; k < in->rank; k++)
            s.stride[k] = in->span[0].stride[k];
        s.index = barrier < 0 ? NULL : ash__temporary(in->function, in->resources, ASH_SHARED, ASH_I64, NULL, 0);
        s.value = s.index ? ash__temporary(in->function, in->resources, ASH_SHARED, ASH_BOOL, NULL, 0) : NULL;
        if (last)
            reverse(&s);
        found = s.value ? first(&s) : -1;
        if (last && found >= 0)
            found = in->size - 1 - found;
        ash_release(s.index);
        ash_release(s.value);
        ash_scope_close(barrier);
    }
    ash__program_release(program);
    return found;
}

static int64_t find(const char *name, const ash_array *a, const ash_find_options *options, bool last)
{
    ash_find_options o;
    ash__inputs in;
    const ash_operand operand = ash_operand_array(a);
    if (!ash__read_options(name, &o, sizeof o, options) || ash__check_array(name, "a", a))
        return -1;
    ash_function *function = ash__find_function(name, a, o.predicate);
    int64_t found = -1;
    if (function && !ash__inputs_begin(&in, name, (ash_operands){&operand, 1}, o.resources, NULL)) {
        found = search_in(&in, function, last);
        ash__inputs_end(&in);
    }
    ash_function_release(function);
    return found;
}

int64_t ash_find_first_opt(const ash_array *a, const ash_find_options *options)
{
    return find("ash_find_first", a, options, false);
}

int64_t ash_find_last_opt(const ash_array *a, const ash_find_options *options)
{
    return find("ash_find_last", a, options, true);
}
