/*
 * fourier_line.c - the transform of one line of complex numbers.
 *
 * A line of n = rows*columns numbers is a matrix, row by row. Each column is transformed, number j of column c multiplied by
 * exp(-2*pi*i*j*c/n), and the matrix transposed; then each of what are now columns is transformed, and the result, row by row,
 * is in order (W. M. Gentleman and G. Sande, Fast Fourier transforms for fun and profit, AFIPS 1966). Both times some columns
 * at once are a block that fits the first cache or the second, so a long line goes through memory twice and no more.
 */
#include <string.h>

#include "backend/cpu/fourier.h"
#include "backend/cpu/threads.h"

enum { SPARE = 64 }; /* elements behind a middle plane, that its last rows are read past */

static ash__planes exchanged(ash__planes p, bool exchange)
{
    return exchange ? (ash__planes){p.im, p.re} : p;
}
static ash__planes at(ash__planes p, int64_t nbytes)
{
    return (ash__planes){p.re + nbytes, p.im + nbytes};
}

/* ---- work */

static size_t item_of(const ash__transform *t)
{
    return t->wide ? sizeof(double) : sizeof(float);
}

/* One plane of the largest block. */
static size_t block_plane(const ash__transform *t)
{
    int64_t most = t->n * t->lanes;
    if (t->form == ASH__FORM_SPLIT) {
        const int64_t columns = t->first->n * t->width[0], rows = t->second->n * t->width[1];
        most = columns > rows ? columns : rows;
    }
    return ash__round_up((size_t)most * item_of(t));
}

size_t ash__transform_middle(const ash__transform *t)
{
    return ash__round_up((size_t)(t->n + SPARE) * item_of(t));
}
size_t ash__transform_blocks(const ash__transform *t)
{
    return 4 * block_plane(t);
}

size_t ash__transform_work(const ash__transform *t)
{
    switch (t->form) {
    case ASH__FORM_PADDED:
        return 2 * ash__round_up((size_t)t->first->n * item_of(t)) + ash__transform_work(t->first);
    case ASH__FORM_SPLIT:
        return 2 * ash__transform_middle(t) + ash__transform_blocks(t);
    default:
        return ash__transform_blocks(t);
    }
}

/* Two planes from the front of the work. */
static ash__planes carve(char **work, size_t nbytes)
{
    const ash__planes p = {*work, *work + nbytes};
    *work += 2 * nbytes;
    return p;
}

/* ---- blocks */

ash__planes ash__transform_block(const ash__lining *l, const ash__transform *t, ash__planes from, int64_t from_step,
                                 ash__planes a, ash__planes b, int64_t width)
{
    for (int i = 0; i < t->passes; i++) {
        const ash__planes to = from.re == a.re ? b : a;
        ash__fourier_pass pass = t->pass[i];
        pass.from_re = from.re;
        pass.from_im = from.im;
        pass.to_re = to.re;
        pass.to_im = to.im;
        pass.from_step = from_step;
        pass.to_step = pass.width = width;
        l->loops->pass[pass.radix > 8 ? 0 : pass.radix](&pass);
        from = to;
        width *= pass.radix;
        from_step = width;
    }
    return from;
}

static void copy_rows(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t rows, int64_t nbytes)
{
    for (int64_t k = 0; k < rows; k++)
        memcpy(to + k * to_step, from + k * from_step, (size_t)nbytes);
}

/* rows of n numbers, row_step apart, beginning `offset` numbers into a line; the block's rows are `width` long. */
static ash__planes load(const ash__lining *l, ash__line from, bool backward, int64_t offset, int64_t row_step, int64_t rows,
                        int64_t n, ash__planes block, int64_t width, int64_t *step)
{
    const int64_t item = l->item;
    const ash__planes planes = exchanged(from.planes, backward);
    *step = width;
    if (n < width) { /* what lies there may be slow to compute with */
        memset(block.re, 0, (size_t)(rows * width * item));
        memset(block.im, 0, (size_t)(rows * width * item));
    }
    if (from.z) {
        const ash__planes to = exchanged(block, backward);
        l->loops->split(to.re, to.im, width, from.z + offset * 2 * item, row_step, rows, n);
        return block;
    }
    if (n == width) { /* where they are */
        *step = row_step;
        return at(planes, offset * item);
    }
    copy_rows(block.re, width * item, planes.re + offset * item, row_step * item, rows, n * item);
    copy_rows(block.im, width * item, planes.im + offset * item, row_step * item, rows, n * item);
    return block;
}

static void store(const ash__lining *l, ash__line to, bool backward, double scale, int64_t offset, int64_t row_step,
                  int64_t rows, int64_t n, ash__planes block, int64_t width)
{
    const int64_t item = l->item;
    if (to.z) {
        const ash__planes from = exchanged(block, backward);
        l->loops->join(to.z + offset * 2 * item, row_step, from.re, from.im, width, scale, rows, n);
        return;
    }
    const ash__planes planes = exchanged(to.planes, backward);
    copy_rows(planes.re + offset * item, row_step * item, block.re, width * item, rows, n * item);
    copy_rows(planes.im + offset * item, row_step * item, block.im, width * item, rows, n * item);
}

/* ---- the forms */

static void line_by_passes(const ash__lining *l, const ash__transform *t, ash__line from, ash__line to, bool backward,
                           double scale)
{
    char *work = l->work;
    int64_t step;
    const ash__planes a = carve(&work, block_plane(t)), b = carve(&work, block_plane(t));
    const ash__planes loaded = load(l, from, backward, 0, 1, t->n, 1, a, t->lanes, &step);
    store(l, to, backward, scale, 0, 1, t->n, 1, ash__transform_block(l, t, loaded, step, a, b, t->lanes), t->lanes);
}

int64_t ash__transform_count(const ash__transform *t, int half)
{
    const int64_t n = half ? t->first->n : t->second->n;
    return (n + t->width[half] - 1) / t->width[half];
}

void ash__transform_columns(const ash__lining *l, const ash__transform *t, ash__line from, bool backward, ash__planes middle,
                            int64_t first, int64_t end)
{
    const int64_t rows = t->first->n, columns = t->second->n, width = t->width[0], item = l->item;
    const int log = ash__log_of(item);
    char *work = l->work;
    const ash__planes a = carve(&work, block_plane(t)), b = carve(&work, block_plane(t));
    for (int64_t k = first; k < end; k++) {
        const int64_t left = columns - k * width, n = left < width ? left : width;
        const int64_t fine = t->full ? k * rows * width * item : 0;
        int64_t step;
        const ash__planes loaded = load(l, from, backward, k * width, columns, rows, n, a, width, &step);
        const ash__planes x = ash__transform_block(l, t->first, loaded, step, a, b, width);
        l->loops->turn(x.re, x.im, (char *)t->fine_re + fine, (char *)t->fine_im + fine,
                       t->coarse ? t->coarse + k * rows * 2 * item : NULL, rows, width);
        const ash__planes to = at(middle, k * width * rows * item);
        l->kernels->layout->transpose[log](to.re, rows * item, x.re, width * item, rows, n);
        l->kernels->layout->transpose[log](to.im, rows * item, x.im, width * item, rows, n);
    }
}

void ash__transform_clear(const ash__transform *t, ash__planes middle)
{
    const ash__planes spare = at(middle, t->n * (int64_t)item_of(t));
    memset(spare.re, 0, SPARE * item_of(t));
    memset(spare.im, 0, SPARE * item_of(t));
}

void ash__transform_rows(const ash__lining *l, const ash__transform *t, ash__planes middle, ash__line to, bool backward,
                         double scale, int64_t first, int64_t end)
{
    const int64_t rows = t->first->n, columns = t->second->n, width = t->width[1];
    char *work = l->work;
    const ash__planes a = carve(&work, block_plane(t)), b = carve(&work, block_plane(t));
    for (int64_t k = first; k < end; k++) {
        const int64_t left = rows - k * width, n = left < width ? left : width;
        const ash__planes x = ash__transform_block(l, t->second, at(middle, k * width * l->item), rows, a, b, width);
        store(l, to, backward, scale, k * width, rows, columns, n, x, width);
    }
}

static void line_by_halves(const ash__lining *l, const ash__transform *t, ash__line from, ash__line to, bool backward,
                           double scale)
{
    ash__lining blocks = *l;
    const ash__planes middle = carve(&blocks.work, ash__transform_middle(t));
    ash__transform_clear(t, middle);
    ash__transform_columns(&blocks, t, from, backward, middle, 0, ash__transform_count(t, 0));
    ash__transform_rows(&blocks, t, middle, to, backward, scale, 0, ash__transform_count(t, 1));
}

static void line_padded(const ash__lining *l, const ash__transform *t, ash__line from, ash__line to, bool backward,
                        double scale)
{
    const ash__fourier_loops *const loops = l->loops;
    const int64_t n = t->n, m = t->first->n, item = l->item;
    ash__lining inner = *l;
    const ash__planes u = carve(&inner.work, ash__round_up((size_t)(m * item)));
    const ash__line line = {NULL, u};
    ash__planes x = exchanged(from.planes, backward);
    if (from.z) {
        x = exchanged(u, backward);
        loops->split(x.re, x.im, 0, from.z, 0, 1, n);
        x = u;
    }
    loops->multiply(u.re, u.im, x.re, x.im, t->fine_re, t->fine_im, n);
    memset(u.re + n * item, 0, (size_t)((m - n) * item));
    memset(u.im + n * item, 0, (size_t)((m - n) * item));
    ash__transform_line(&inner, t->first, line, line, false, 1);
    loops->multiply(u.re, u.im, u.re, u.im, t->spectrum_re, t->spectrum_im, m);
    ash__transform_line(&inner, t->first, line, line, true, 1);
    x = to.z ? u : exchanged(to.planes, backward);
    loops->multiply(x.re, x.im, u.re, u.im, t->fine_re, t->fine_im, n);
    x = exchanged(u, backward);
    if (to.z)
        loops->join(to.z, 0, x.re, x.im, 0, scale, 1, n);
}

void ash__transform_line(const ash__lining *l, const ash__transform *t, ash__line from, ash__line to, bool backward,
                         double scale)
{
    if (t->form == ASH__FORM_PASSES)
        line_by_passes(l, t, from, to, backward, scale);
    else if (t->form == ASH__FORM_SPLIT)
        line_by_halves(l, t, from, to, backward, scale);
    else
        line_padded(l, t, from, to, backward, scale);
}
