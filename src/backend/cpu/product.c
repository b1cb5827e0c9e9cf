/*
 * product.c - matrix products: one, or one for each place of the leading axes.
 *
 * Many small products are shared out among the threads; a large one is shared out by itself.
 */
#include "backend/product.h"

#include <stdatomic.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/gemm.h"
#include "backend/cpu/threads.h"
#include "core/error.h"
#include "core/shape.h"

enum { MULTIPLIES_PER_NANOSECOND = 32, LITTLE = 32 /* in each direction: not worth a second thread */ };

typedef struct batch {
    const ash__task *task;
    int64_t count, parts;
    int threads; /* of each product */
    atomic_bool no_memory;
} batch;

static ash__matrix matrix_of(const ash__span *s, char *data, int64_t rank, int64_t rows, int64_t cols)
{
    return (ash__matrix){
        .data = data, .rows = rows, .cols = cols, .row = s->stride[rank - 2], .col = s->stride[rank - 1], .dtype = s->dtype};
}

static bool multiply(const ash__task *t, char *out, char *a, char *b, int threads)
{
    const struct ash__product *const p = t->product;
    const int64_t rows = t->shape[t->rank - 2], cols = t->shape[t->rank - 1];
    ash__matrix c = matrix_of(&t->out, out, t->rank, rows, cols), x = matrix_of(&t->operand[0], a, t->rank, rows, p->inner),
                y = matrix_of(&t->operand[1], b, t->rank, p->inner, cols);
    x.conjugated = p->conjugated[0];
    y.conjugated = p->conjugated[1];
    x.structure = p->structure[0];
    y.structure = p->structure[1];
    return ash__gemm(t->out.dtype, &c, &x, &y, p->alpha, p->beta, threads);
}

static void multiply_part(void *context, int64_t part)
{
    batch *const g = context;
    const ash__task *const t = g->task;
    const int64_t end = ash__part_start(g->count, part + 1, g->parts);
    for (int64_t n = ash__part_start(g->count, part, g->parts); n < end; n++) {
        char *out = t->out.data, *a = t->operand[0].data, *b = t->operand[1].data;
        int64_t place = n;
        for (int64_t k = t->rank - 2; k-- > 0; place /= t->shape[k]) {
            out += place % t->shape[k] * t->out.stride[k];
            a += place % t->shape[k] * t->operand[0].stride[k];
            b += place % t->shape[k] * t->operand[1].stride[k];
        }
        if (!multiply(t, out, a, b, g->threads))
            g->no_memory = true;
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

static ash_status fail(const ash__task *t)
{
    return ash__fail(ASH_ERR_MEMORY, t->function, "no memory for the blocks of a product");
}

ash_status ash__cpu_product(const ash__task *t)
{
    const bool little = t->rank == 2 && t->shape[0] <= LITTLE && t->shape[1] <= LITTLE && t->product->inner <= LITTLE;
    if (little)
        return multiply(t, t->out.data, t->operand[0].data, t->operand[1].data, 1) ? ASH_OK : fail(t);
    batch g = {.task = t, .count = ash__count(t->shape, t->rank - 2)};
    share_out(&g);
    if (g.parts > 1)
        ash__parallel(g.parts, multiply_part, &g);
    else
        multiply_part(&g, 0);
    return g.no_memory ? fail(t) : ASH_OK;
}
