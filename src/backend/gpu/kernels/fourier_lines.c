/*
 * fourier_lines.c - the kernel: blocks of WIDTH lines are read into rows, transformed in passes, and written.
 *
 * A line is a whole transform, or one row or column of a long one (inner of them), whose numbers are then multiplied by
 * powers of the whole one's root that belong to their place (twist).
 */

/* Any odd radix, by its definition; the roots stand behind the pass's factors. */
#if HAS_ODD
FN void pass_odd(Q W *yr, Q W *yi, Q const W *xr, Q const W *xi, G const W *table, i32 n, i32 before, i32 radix)
{
    const i32 m = n / radix;
    G const W *const root = table + 2 * (radix - 1) * before;
    EACH_ROW(m)
    {
        const i32 r = row % before, to = (row - r) * radix + r;
        EACH_LANE
        {
            W re[32], im[32];
            re[0] = xr[row * WIDTH + w];
            im[0] = xi[row * WIDTH + w];
            for (i32 k = 1; k < radix; k++) {
                const W c = table[2 * ((k - 1) * before + r)], s = table[2 * ((k - 1) * before + r) + 1];
                const W a = xr[(row + k * m) * WIDTH + w], b = xi[(row + k * m) * WIDTH + w];
                re[k] = a * c - b * s;
                im[k] = a * s + b * c;
            }
            for (i32 j = 0; j < radix; j++) {
                W sr = 0, si = 0;
                for (i32 k = 0, at = 0; k < radix; k++, at = at + j < radix ? at + j : at + j - radix) {
                    const W c = root[2 * at], s = root[2 * at + 1];
                    sr += re[k] * c - im[k] * s;
                    si += re[k] * s + im[k] * c;
                }
                yr[(to + j * before) * WIDTH + w] = sr;
                yi[(to + j * before) * WIDTH + w] = si;
            }
        }
    }
}
#endif

FN void multiply(W *re, W *im, W c, W s)
{
    const W a = *re, b = *im;
    *re = a * c - b * s;
    *im = a * s + b * c;
}
FN void exchange(W *re, W *im)
{
    const W a = *re;
    *re = *im;
    *im = a;
}

/* Number e of a transform. */
FN void load(G const char *from, const lines *p, G const W *pre, i64 e, W *re, W *im)
{
    const side *const s = &p->from;
    const i64 mirrored = s->kind == 2 && 2 * e > p->whole ? p->whole - e : e;
    G const W *const x = (G const W *)(from + mirrored * s->step);
    *re = *im = 0;
    if (e >= s->count)
        return;
    *re = x[0];
    if (s->kind != 1)
        *im = x[1];
    if (s->kind == 2)
        *im = e == 0 || 2 * e == p->whole ? (W)0 : mirrored != e ? -*im : *im;
    if (p->swaps & 1)
        exchange(re, im);
    if (p->pre)
        multiply(re, im, pre[2 * e], pre[2 * e + 1]);
    if (p->swaps & 2)
        exchange(re, im);
}

FN void store(G char *to, const lines *p, G const W *post, G const W *twist, i64 line, i64 k, i64 e, W re, W im)
{
    const side *const s = &p->to;
    G W *const x = (G W *)(to + e * s->step);
    if (e >= s->count)
        return;
    if (p->twist) {
        const i64 t = line * k, fine = (i64)1 << p->fine, high = fine + (t >> p->fine), low = t & (fine - 1);
        multiply(&re, &im, twist[2 * low], twist[2 * low + 1]);
        multiply(&re, &im, twist[2 * high], twist[2 * high + 1]);
    }
    if (p->swaps & 4)
        exchange(&re, &im);
    if (p->post)
        multiply(&re, &im, post[2 * e], post[2 * e + 1]);
    if (p->swaps & 8)
        exchange(&re, &im);
    x[0] = re * *(const W *)&p->scale;
    if (s->kind == 0)
        x[1] = im * *(const W *)&p->scale;
}

/* The same for all of a block where numbers are complex and all there, and nothing multiplies them but the scale. */
FN void read_plain(Q W *RESTRICT re, Q W *RESTRICT im, G const char *from, const i64 *start, const i64 *within, const lines *p)
{
    const i32 n = (i32)p->n;
    const i64 step = p->from.per_k * p->from.step;
    G const char *line[WIDTH];
    for (i32 w = 0; w < WIDTH; w++)
        line[w] = from + start[w] + within[w] * p->from.per_line * p->from.step;
#if LOCAL == 1
    if (p->by_line & 1) {
        for (i32 w = 0; w < WIDTH; w++)
            for (i32 row = 0; row < n; row++) {
                G const W *const x = (G const W *)(line[w] + row * step);
                re[row * WIDTH + w] = x[0];
                im[row * WIDTH + w] = x[1];
            }
        return;
    }
#endif
    EACH_ROW(n)
    EACH_LANE
    {
        G const W *const x = (G const W *)(line[w] + row * step);
        re[row * WIDTH + w] = x[0];
        im[row * WIDTH + w] = x[1];
    }
}
FN void write_plain(Q const W *RESTRICT re, Q const W *RESTRICT im, G char *to, const i64 *place, const i64 *within, i32 count,
                    const lines *p)
{
    const i32 n = (i32)p->n;
    const i64 step = p->to.per_k * p->to.step;
    const W scale = *(const W *)&p->scale;
    G char *line[WIDTH];
    for (i32 w = 0; w < WIDTH; w++)
        line[w] = to + place[w] + within[w] * p->to.per_line * p->to.step;
#if LOCAL == 1
    if (p->by_line & 2) {
        for (i32 w = 0; w < count; w++)
            for (i32 row = 0; row < n; row++) {
                G W *const x = (G W *)(line[w] + row * step);
                x[0] = re[row * WIDTH + w] * scale;
                x[1] = im[row * WIDTH + w] * scale;
            }
        return;
    }
#endif
    EACH_ROW(n)
    EACH_LANE
    if (w < count) {
        G W *const x = (G W *)(line[w] + row * step);
        x[0] = re[row * WIDTH + w] * scale;
        x[1] = im[row * WIDTH + w] * scale;
    }
}

/* Where the transform of a line begins, and the line's own first number in it. */
FN i64 begin(const lines *p, const side *s, i64 line, i32 span)
{
    const i64 member = line / p->inner;
    return s->span ? s->base + member * s->span : place_of(&p->at, member, span);
}

#define TURNED(A, B) (!(p.swaps & (A)) != !(p.swaps & (B))) /* one of two exchanges of parts */
KERNEL(run, LOCAL)(G char *to, G const char *from, G const W *table, G const W *pre, G const W *post, G const W *twist,
                   G W *work, const lines p)
{
#if ROOM
    SHARED(W, memory, 4 * ROOM);
#else
    G W *const memory = work + (i64)GROUP(0) * 4 * p.n * WIDTH;
#endif
    const i32 n = (i32)p.n;
    const i64 plane = p.n * WIDTH;
    for (i64 first = (i64)GROUP(0) * WIDTH; first < p.lines; first += (i64)p.groups * WIDTH) {
        Q W *xr = memory, *xi = memory + plane, *yr = memory + 2 * plane, *yi = memory + 3 * plane;
        i64 start[WIDTH], place[WIDTH], within[WIDTH];
        const i64 left = p.lines - first;
        const i32 count = left < WIDTH ? (i32)left : WIDTH;
        for (i32 w = 0; w < WIDTH; w++) {
            const i64 line = p.first + first + (w < count ? w : count - 1);
            start[w] = begin(&p, &p.from, line, 1);
            place[w] = begin(&p, &p.to, line, 0);
            within[w] = line % p.inner;
        }
        if (p.plain & 1)
            read_plain(TURNED(1, 2) ? xi : xr, TURNED(1, 2) ? xr : xi, from, start, within, &p);
        else
            EACH_ROW(n)
            EACH_LANE
            {
                W re, im;
                load(from + start[w], &p, pre, within[w] * p.from.per_line + row * p.from.per_k, &re, &im);
                xr[row * WIDTH + w] = re;
                xi[row * WIDTH + w] = im;
            }
        for (i32 k = 0; k < p.passes; k++) {
            G const W *const factors = table + 2 * p.pass[k].table;
            const i32 before = p.pass[k].before;
            GROUP_BARRIER;
            switch (p.pass[k].radix) {
            case 2:
                pass_2(yr, yi, xr, xi, factors, n, before);
                break;
            case 4:
                pass_4(yr, yi, xr, xi, factors, n, before);
                break;
            case 8:
                pass_8(yr, yi, xr, xi, factors, n, before);
                break;
#if HAS_3
            case 3:
                pass_3(yr, yi, xr, xi, factors, n, before);
                break;
#endif
#if HAS_5
            case 5:
                pass_5(yr, yi, xr, xi, factors, n, before);
                break;
#endif
#if HAS_ODD
            default:
                pass_odd(yr, yi, xr, xi, factors, n, before, p.pass[k].radix);
#endif
            }
            Q W *const keep_r = xr, *const keep_i = xi;
            xr = yr;
            xi = yi;
            yr = keep_r;
            yi = keep_i;
        }
        GROUP_BARRIER;
        if (p.plain & 2)
            write_plain(TURNED(4, 8) ? xi : xr, TURNED(4, 8) ? xr : xi, to, place, within, count, &p);
        else
            EACH_ROW(n)
            EACH_LANE
            if (w < count)
                store(to + place[w], &p, post, twist, within[w], row, within[w] * p.to.per_line + row * p.to.per_k,
                      xr[row * WIDTH + w], xi[row * WIDTH + w]);
        GROUP_BARRIER;
    }
}
