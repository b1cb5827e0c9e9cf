/*
 * fourier_real.c - transforms of one line of real numbers, and back.
 *
 * An even number of real numbers is half as many complex ones, whose transform is unpacked afterwards; an odd number is
 * transformed as complex numbers. W. H. Press et al., Numerical Recipes, 3rd ed., Cambridge 2007, section 12.3.
 */
#include "backend/cpu/fourier_real.h"

#include <string.h>

#include "backend/cpu/threads.h"

/* The planes of h + 1 numbers, or of n. */
static size_t plane_bytes(const ash__transform *t)
{
    return ash__round_up((size_t)(t->n + 1) * (t->wide ? sizeof(double) : sizeof(float)));
}

size_t ash__real_work(const ash__transform *t)
{
    return 2 * plane_bytes(t) + ash__transform_work(t->form == ASH__FORM_REAL ? t->first : t);
}

void ash__real_mirror(const ash__lining *l, ash__planes x, int64_t n, int64_t width)
{
    const int64_t row = width * l->item;
    memset(x.im, 0, (size_t)row);
    l->loops->copy(x.re + (n - 1) * row, -width, x.re + row, width, 1, n / 2, width);
    l->loops->copy(x.im + (n - 1) * row, -width, x.im + row, width, -1, n / 2, width);
}

void ash__real_forward(const ash__lining *l, const ash__transform *t, const char *x, char *z, double scale)
{
    ash__lining inner = *l;
    const size_t plane = plane_bytes(t);
    const ash__line line = {NULL, {l->work, l->work + plane}};
    int64_t h = t->n;
    inner.work += 2 * plane;
    if (t->form == ASH__FORM_REAL) {
        ash__transform_line(&inner, t->first, (ash__line){(char *)(uintptr_t)x, {NULL, NULL}}, line, false, 1);
        l->loops->unpack(line.planes.re, line.planes.im, t->fine_re, t->fine_im, h);
    } else {
        memcpy(line.planes.re, x, (size_t)(t->n * l->item));
        memset(line.planes.im, 0, (size_t)(t->n * l->item));
        ash__transform_line(&inner, t, line, line, false, 1);
        h = t->n / 2;
    }
    l->loops->join(z, 0, line.planes.re, line.planes.im, 0, scale, 1, h + 1);
}

void ash__real_backward(const ash__lining *l, const ash__transform *t, const char *z, char *x, double scale)
{
    ash__lining inner = *l;
    const size_t plane = plane_bytes(t);
    const ash__planes p = {l->work, l->work + plane};
    const ash__line line = {NULL, p};
    inner.work += 2 * plane;
    if (t->form == ASH__FORM_REAL) {
        l->loops->split(p.re, p.im, 0, z, 0, 1, t->n + 1);
        l->loops->pack(p.re, p.im, t->fine_re, t->fine_im, t->n);
        ash__transform_line(&inner, t->first, line, (ash__line){x, {NULL, NULL}}, true, scale);
        return;
    }
    l->loops->split(p.re, p.im, 0, z, 0, 1, t->n / 2 + 1);
    ash__real_mirror(l, p, t->n, 1);
    ash__transform_line(&inner, t, line, line, true, 1);
    l->loops->copy(x, 0, p.re, 0, scale, 1, t->n);
}
