/*
 * product.c - matrix products: one, or one for each place of the leading axes.
 *
 * Many small products are shared out among the threads; a large one is shared out by itself.
 */
#include "backend/product.h"

#include "backend/cpu/cpu.h"
#include "backend/cpu/gemm.h"
#include "backend/cpu/threads.h"
#include "core/error.h"
#include "core/shape.h"

enum { MULTIPLIES_PER_NANOSECOND = 32, LITTLE = 32 /* in each direction: not worth a second thread */ };

typedef struct operands {
    ash__matrix c, a, b;
} operands;

typedef struct batch {
    const ash__task *task;
    operands first;
    int64_t count, parts;
    int threads;  /* of each product */
    size_t bytes; /* that a product works in */
    char *memory; /* so many for each part */
} batch;

static ash__matrix matrix_of(const ash__span *s, int64_t rank, int64_t rows, int64_t cols)
{
    return (ash__matrix){
        .data = s->data, .rows = rows, .cols = cols, .row = s->stride[rank - 2], .col = s->stride[rank - 1], .dtype = s->dtype};
}

/* Those of the first product. */
static operands first_of(const ash__task *t)
{
    const struct ash__product *const p = t->product;
    const int64_t rows = t->shape[t->rank - 2], cols = t->shape[t->rank - 1];
    operands o = {.c = matrix_of(&t->out, t->rank, rows, cols),
                  .a = matrix_of(&t->operand[0], t->rank, rows, p->inner),
                  .b = matrix_of(&t->operand[1], t->rank, p->inner, cols)};
    o.a.conjugated = p->conjugated[0];
    o.b.conjugated = p->conjugated[1];
    o.a.structure = p->structure[0];
    o.b.structure = p->structure[1];
    return o;
}

static void multiply_part(void *context, int64_t part)
{
    const batch *const g = context;
    const ash__task *const t = g->task;
    char *const memory = g->memory ? g->memory + (size_t)part * g->bytes : NULL;
    const int64_t end = ash__part_start(g->count, part + 1, g->parts);
    for (int64_t n = ash__part_start(g->count, part, g->parts); n < end; n++) {
        operands o = g->first;
        int64_t place = n;
        for (int64_t k = t->rank - 2; k-- > 0; place /= t->shape[k]) {
            o.c.data += place % t->shape[k] * t->out.stride[k];
            o.a.data += place % t->shape[k] * t->operand[0].stride[k];
            o.b.data += place % t->shape[k] * t->operand[1].stride[k];
        }
        ash__gemm_in(memory, t->out.dtype, &o.c, &o.a, &o.b, t->product->alpha, t->product->beta, g->threads);
    }
}

/* How many parts to share the products out in, and how many threads may take part in each. */
static void share_out(batch *g)
{
    const ash__task *const t = g->task;
    const int64_t rows = t->shape[t->rank - 2], cols = t->shape[t->rank - 1];
    const double multiplies = (double)rows * (double)cols * (double)(t->product->inner + 1) * (double)g->count;
    const double nanoseconds = multiplies / MULTIPLIES_PER_NANOSECOND;
    const bool once = rows == 1 || cols == 1; /* a matrix that is read once takes the time of memory */
    const double bytes = once ? multiplies * (double)ash_dtype_size(t->out.dtype) : 0;
    const int64_t parts = ash__parts_for(bytes < 1e15 ? (int64_t)bytes : INT64_MAX / 2,
                                         nanoseconds < 1e15 ? (int64_t)nanoseconds : INT64_MAX / 2);
    g->parts = g->count >= parts ? parts : 1;
    g->threads = g->count >= parts ? 1 : (int)parts;
}

/* The most that any product of the batch works in: addresses matter by whether they are at whole steps, and here these are the
 * least even of all. */
static size_t bytes_of(const batch *g)
{
    const ash__task *const t = g->task;
    operands o = g->first;
    uintptr_t steps[3] = {(uintptr_t)o.c.data, (uintptr_t)o.a.data, (uintptr_t)o.b.data};
    for (int64_t k = 0; k < t->rank - 2; k++) {
        steps[0] |= (uintptr_t)t->out.stride[k];
        steps[1] |= (uintptr_t)t->operand[0].stride[k];
        steps[2] |= (uintptr_t)t->operand[1].stride[k];
    }
    o.c.data = (char *)steps[0];
    o.a.data = (char *)steps[1];
    o.b.data = (char *)steps[2];
    return ash__round_up(ash__gemm_bytes(t->out.dtype, &o.c, &o.a, &o.b, g->threads));
}

ash_status ash__cpu_product(const ash__task *t)
{
    const bool little = t->rank == 2 && t->shape[0] <= LITTLE && t->shape[1] <= LITTLE && t->product->inner <= LITTLE;
    batch g = {.task = t, .first = first_of(t), .count = ash__count(t->shape, t->rank - 2), .parts = 1, .threads = 1};
    if (!little)
        share_out(&g);
    g.bytes = bytes_of(&g);
    if (g.bytes && !(g.memory = ash__spare_take((size_t)g.parts * g.bytes))) /* before anything is written */
        return ash__fail(ASH_ERR_MEMORY, t->function, "no memory for the blocks of a product");
    if (g.parts > 1)
        ash__parallel(g.parts, multiply_part, &g);
    else
        multiply_part(&g, 0);
    if (g.memory)
        ash__spare_give(g.memory);
    return ASH_OK;
}
