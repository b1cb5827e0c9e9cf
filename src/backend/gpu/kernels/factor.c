/*
 * factor.c - the kernels of factorizations and solves: what is not a product of matrices. A group for each member, or several
 * where columns are independent.
 *
 * Before this text stand W, COMPLEX, LOCAL, LARGEST (finite number of W), TINY and HUGE (between which squares neither overflow
 * nor underflow), and FACTOR, which piece of the text is wanted. A panel is at most PANEL columns wide, and is worked on row by
 * row in working memory of a leading dimension of PANEL.
 */
enum { PANEL = 32 };
typedef struct block {
    i64 at, row, col, member; /* bytes: from where a member begins; steps; from member to member, 0: span of the batch */
    i32 span, conjugated;
} block;
typedef struct factor {
    batch at;
    block a, b, v, w;  /* matrices; v: a vector */
    i64 rows, cols, first, steps;
    i32 lower, turned, unit, spoils;
    i64 info_at;
} factor;

typedef struct number {
    W re, im;
} number;

FN i64 begin(const factor *p, const block *b, i64 member)
{
    return b->at + (b->member ? member * b->member : place_of(&p->at, member, b->span));
}
FN number get(G const char *p)
{
    number x;
    x.re = ((G const W *)p)[0];
#if COMPLEX
    x.im = ((G const W *)p)[1];
#else
    x.im = 0;
#endif
    return x;
}
FN void put(G char *p, number x)
{
    ((G W *)p)[0] = x.re;
#if COMPLEX
    ((G W *)p)[1] = x.im;
#endif
}
FN number number_of(W re, W im)
{
    number x;
    x.re = re;
    x.im = im;
    return x;
}
/* c - a b, a b, and conj(a) b */
FN number less(number c, number a, number b)
{
#if COMPLEX
    return number_of(c.re - a.re * b.re + a.im * b.im, c.im - a.re * b.im - a.im * b.re);
#else
    return number_of(c.re - a.re * b.re, 0);
#endif
}
FN number times(number a, number b)
{
#if COMPLEX
    return number_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
#else
    return number_of(a.re * b.re, 0);
#endif
}
FN number conjugate(number a)
{
    return number_of(a.re, -a.im);
}
/* R. L. Smith, CACM 5 (1962), 435 */
FN number divided(number a, number d)
{
#if COMPLEX
    if (d.im != 0) {
        const i32 wide = fabs(d.re) >= fabs(d.im);
        const W r = wide ? d.im / d.re : d.re / d.im, by = wide ? d.re + d.im * r : d.re * r + d.im;
        return wide ? number_of((a.re + a.im * r) / by, (a.im - a.re * r) / by)
                    : number_of((a.re * r + a.im) / by, (a.im * r - a.re) / by);
    }
    return number_of(a.re / d.re, a.im / d.re);
#else
    return number_of(a.re / d.re, 0);
#endif
}
FN W size_of(number a)
{
#if COMPLEX
    return fabs(a.re) + fabs(a.im);
#else
    return fabs(a.re);
#endif
}
FN i32 is_finite(number a)
{
    return fabs(a.re) <= LARGEST && fabs(a.im) <= LARGEST;
}
FN G i64 *info_of(G char *info, const factor *p, i64 member)
{
    return (G i64 *)(info + place_of(&p->at, member, 3));
}

#define ITEM ((i64)sizeof(W) * (COMPLEX + 1))
#define ELEMENT(P, B, I, J) ((P) + (I) * p.B.row + (J) * p.B.col)
#define DENSE(I, J) (d + ((I) * PANEL + (J)) * ITEM)
#define EACH_ITEM(I, FIRST, END) for (i64 I = (FIRST) + LOCAL_ID; I < (END); I += LOCAL)
#if LOCAL == 1
#define SYNC
#define EACH_COLUMN(C) for (i32 C = 0; C < PANEL; C++)
#else
#define SYNC BARRIER_ALL
#define EACH_COLUMN(C) for (i32 C = (i32)LOCAL_ID, once = 1; once && C < PANEL; once = 0)
#endif
#define HEAD KERNEL(run, LOCAL)(G char *ma, G char *mb, G char *mv, G char *mw, G char *mi, const factor p)

/* ---- 0: the first element that is no finite number, as -1 - its row-major position, else 0 */

#if FACTOR == 0
HEAD
{
    SHARED(i64, least, LOCAL);
    const i64 member = GROUP(0), none = (i64)1 << 62;
    G const char *const a = ma + begin(&p, &p.a, member);
    i64 at = none;
    EACH_ITEM(i, 0, p.rows)
    for (i64 j = 0; j < (p.lower ? i + 1 : p.cols); j++)
        if (at == none && !is_finite(get(ELEMENT(a, a, i, j))))
            at = i * p.cols + j;
    least[LOCAL_ID] = at;
    SYNC;
    if (LOCAL_ID == 0) {
        for (i32 k = 1; k < LOCAL; k++)
            at = least[k] < at ? least[k] : at;
        if (at != none && p.turned)
            at = at % p.cols * p.cols + at / p.cols;
        *info_of(mi, &p, member) = at == none ? 0 : -1 - at;
    }
}
#endif

/* ---- 1: LU of a panel: a is it, v the pivots, w the panel in working memory */

#if FACTOR == 1
HEAD
{
    SHARED(W, most, LOCAL);
    SHARED(i64, place, LOCAL);
    const i64 member = GROUP(0), m = p.rows, n = p.cols;
    G char *const a = ma + begin(&p, &p.a, member), *const d = mw + begin(&p, &p.w, member);
    G char *const pivot = mv + begin(&p, &p.v, member);
    EACH_ITEM(i, 0, m)
    for (i64 j = 0; j < PANEL; j++)
        put(DENSE(i, j), j < n ? get(ELEMENT(a, a, i, j)) : number_of(0, 0));
    for (i64 j = 0; j < n && j < m; j++) {
        W best = 0;
        i64 at = j;
        SYNC;
        EACH_ITEM(i, j, m)
        {
            const W size = size_of(get(DENSE(i, j)));
            at = size > best ? i : at;
            best = size > best ? size : best;
        }
        most[LOCAL_ID] = best;
        place[LOCAL_ID] = at;
        SYNC;
        for (i32 k = 0; k < LOCAL; k++) { /* the first of the largest */
            const i32 better = most[k] > best || (most[k] == best && place[k] < at && best > 0);
            at = better ? place[k] : at;
            best = better ? most[k] : best;
        }
        const i32 fine = best > 0 && best <= LARGEST;
        SYNC;
        if (LOCAL_ID == 0) {
            *(G i64 *)(pivot + j * p.v.row) = p.first + at;
            if (!fine && *info_of(mi, &p, member) == 0)
                *info_of(mi, &p, member) = p.first + j + 1;
        }
        if (!fine)
            continue;
        EACH_COLUMN(c)
        if (at != j) {
            const number x = get(DENSE(j, c)), y = get(DENSE(at, c));
            put(DENSE(j, c), y);
            put(DENSE(at, c), x);
        }
        SYNC;
        number row[PANEL];
        for (i32 c = 0; c < PANEL; c++)
            row[c] = c > j ? get(DENSE(j, c)) : number_of(0, 0);
        const number by = get(DENSE(j, j));
        EACH_ITEM(i, j + 1, m)
        {
            const number l = divided(get(DENSE(i, j)), by);
            for (i32 c = 0; c < PANEL; c++)
                put(DENSE(i, c), less(get(DENSE(i, c)), l, row[c]));
            put(DENSE(i, j), l);
        }
    }
    SYNC;
    EACH_ITEM(i, 0, m)
    for (i64 j = 0; j < n; j++)
        put(ELEMENT(a, a, i, j), get(DENSE(i, j)));
}
#endif

/* ---- 2: exchanges rows of a as `steps` pivots from the first one on say; groups share the columns */

#if FACTOR == 2
enum { MANY = LOCAL == 1 ? 64 : 1 };
HEAD
{
    const i64 member = GROUP(1), j0 = ((i64)GROUP(0) * LOCAL + LOCAL_ID) * MANY, end = j0 + MANY < p.cols ? j0 + MANY : p.cols;
    G char *const a = ma + begin(&p, &p.a, member);
    G const char *const pivot = mv + begin(&p, &p.v, member);
    for (i64 i = p.first; i < p.first + p.steps; i++) {
        const i64 k = *(G const i64 *)(pivot + i * p.v.row);
        if (k != i && k > i && k < p.rows)
            for (i64 j = j0; j < end; j++) {
                const number x = get(ELEMENT(a, a, i, j)), y = get(ELEMENT(a, a, k, j));
                put(ELEMENT(a, a, i, j), y);
                put(ELEMENT(a, a, k, j), x);
            }
    }
}
#endif

/* ---- 3: b = t^-1 b, t = a lower triangular, of at most PANEL rows; groups share the columns */

#if FACTOR == 3
enum { MANY = LOCAL == 1 ? 16 : 1 };
HEAD
{
    const i64 member = GROUP(1), j0 = ((i64)GROUP(0) * LOCAL + LOCAL_ID) * MANY;
    const i32 n = (i32)p.rows, count = p.cols - j0 < MANY ? (i32)(p.cols - j0) : MANY;
    G const char *const t = ma + begin(&p, &p.a, member);
    G char *const b = mb + begin(&p, &p.b, member);
    W re[PANEL][MANY], im[PANEL][MANY];
    if (count <= 0)
        return;
    for (i32 i = 0; i < n; i++) {
        for (i32 c = 0; c < MANY; c++) {
            const number x = get(ELEMENT(b, b, i, j0 + (c < count ? c : 0)));
            re[i][c] = x.re;
            im[i][c] = x.im;
        }
        for (i32 k = 0; k < i; k++) {
            const number l = get(ELEMENT(t, a, i, k));
#if COMPLEX
            const W y = p.a.conjugated ? -l.im : l.im;
            for (i32 c = 0; c < MANY; c++) {
                re[i][c] -= l.re * re[k][c] - y * im[k][c];
                im[i][c] -= l.re * im[k][c] + y * re[k][c];
            }
#else
            for (i32 c = 0; c < MANY; c++)
                re[i][c] -= l.re * re[k][c];
#endif
        }
        if (!p.unit) {
            number l = get(ELEMENT(t, a, i, i));
            l = p.a.conjugated ? conjugate(l) : l;
            for (i32 c = 0; c < MANY; c++) {
                const number x = divided(number_of(re[i][c], im[i][c]), l);
                re[i][c] = x.re;
                im[i][c] = x.im;
            }
        }
        for (i32 c = 0; c < count; c++)
            put(ELEMENT(b, b, i, j0 + c), number_of(re[i][c], im[i][c]));
    }
}
#endif

/* ---- 4: Cholesky of a block, lower; what lies above the diagonal is not touched */

#if FACTOR == 4
HEAD
{
    const i64 member = GROUP(0), n = p.rows;
    G char *const a = ma + begin(&p, &p.a, member);
    if (*info_of(mi, &p, member) != 0)
        return;
    SYNC;
    for (i64 j = 0; j < n; j++) {
        const W x = get(ELEMENT(a, a, j, j)).re;
        SYNC;
        if (!(x > 0 && x <= LARGEST)) {
            if (LOCAL_ID == 0)
                *info_of(mi, &p, member) = p.first + j + 1;
            return;
        }
        const W root = sqrt(x);
        if (LOCAL_ID == 0)
            put(ELEMENT(a, a, j, j), number_of(root, 0));
        EACH_ITEM(i, j + 1, n)
        put(ELEMENT(a, a, i, j), divided(get(ELEMENT(a, a, i, j)), number_of(root, 0)));
        SYNC;
        EACH_ITEM(i, j + 1, n)
        {
            const number l = get(ELEMENT(a, a, i, j));
            for (i64 c = j + 1; c <= i; c++)
                put(ELEMENT(a, a, i, c), less(get(ELEMENT(a, a, i, c)), l, conjugate(get(ELEMENT(a, a, c, j)))));
        }
        SYNC;
    }
}
#endif

/* ---- 5: zeros above the diagonal (lower), and NaN in place of what could not be computed; pivots of such (spoils: LU) */

#if FACTOR == 5
HEAD
{
    const i64 member = GROUP(1), info = *info_of(mi, &p, member), i = GROUP(0);
    const i64 from = info < 0 ? 0 : info && p.lower ? info - 1 : (i64)1 << 62;
    G char *const a = ma + begin(&p, &p.a, member);
    const number nan = number_of(NAN, 0);
    EACH_ITEM(j, 0, p.cols)
    if (p.lower && j > i)
        put(ELEMENT(a, a, i, j), number_of(0, 0));
    else if (i >= from || j >= from)
        put(ELEMENT(a, a, i, j), nan);
    if (p.spoils && info < 0 && LOCAL_ID == 0 && i < p.steps)
        *(G i64 *)(mv + begin(&p, &p.v, member) + i * p.v.row) = i;
}
#endif

/* ---- 6: reflectors of a panel a, scales to v, V to w (zeros above its diagonal of ones), T to b (PANEL by PANEL) */
/* ---- 7: V and T of reflectors that are there */

#if FACTOR == 6 || FACTOR == 7
FN W norm_of(G const char *d, i64 j, i64 m)
{
    W most = 0, sum = 0;
    for (i64 i = j + 1; i < m; i++) {
        const number x = get(DENSE(i, j));
        most = fabs(x.re) > most ? fabs(x.re) : most;
        most = fabs(x.im) > most ? fabs(x.im) : most;
    }
    if (most == 0)
        return 0;
    const W by = most > TINY && most < HUGE ? (W)1 : most;
    for (i64 i = j + 1; i < m; i++) {
        const number x = get(DENSE(i, j));
        const W re = x.re / by, im = x.im / by;
        sum += re * re + im * im;
    }
    return by * sqrt(sum);
}
FN W hypotenuse(W a, W b)
{
    const W x = fabs(a), y = fabs(b), large = x > y ? x : y, little = x > y ? y : x;
    const W q = large > 0 ? little / large : (W)0;
    return large * sqrt(1 + q * q);
}

HEAD
{
    const i64 member = GROUP(0), m = p.rows, n = p.cols;
    G char *const a = ma + begin(&p, &p.a, member), *const d = mw + begin(&p, &p.w, member);
    G char *const tau = mv + begin(&p, &p.v, member), *const t = mb + begin(&p, &p.b, member);
    EACH_ITEM(i, 0, m)
    for (i64 j = 0; j < PANEL; j++)
        put(DENSE(i, j), j < n ? get(ELEMENT(a, a, i, j)) : number_of(0, 0));
    SYNC;
#if FACTOR == 6
    const i32 skipped = *info_of(mi, &p, member) != 0;
    for (i64 j = 0; j < n && j < m && !skipped; j++) {
        const number alpha = get(DENSE(j, j));
        const W rest = norm_of(d, j, m);
        const i32 none = rest == 0 && alpha.im == 0;
        const W beta = -copysign(hypotenuse(hypotenuse(alpha.re, alpha.im), rest), alpha.re);
        const number scale = none ? number_of(0, 0) : number_of((beta - alpha.re) / beta, -alpha.im / beta);
        SYNC;
        if (LOCAL_ID == 0)
            put(tau + j * p.v.row, scale);
        if (none)
            continue;
        EACH_ITEM(i, j + 1, m)
        put(DENSE(i, j), divided(get(DENSE(i, j)), number_of(alpha.re - beta, alpha.im)));
        if (LOCAL_ID == 0)
            put(DENSE(j, j), number_of(beta, 0));
        SYNC;
        W re[PANEL], im[PANEL];
        EACH_COLUMN(c)
        {
            const number x = get(DENSE(j, c));
            re[c] = x.re;
            im[c] = x.im;
        }
        for (i64 i = j + 1; i < m; i++) {
            const number v = conjugate(get(DENSE(i, j)));
            EACH_COLUMN(c)
            {
                const number x = times(v, get(DENSE(i, c)));
                re[c] += x.re;
                im[c] += x.im;
            }
        }
        EACH_COLUMN(c)
        {
            const number x = times(conjugate(scale), number_of(re[c], im[c]));
            re[c] = c > j ? x.re : (W)0;
            im[c] = c > j ? x.im : (W)0;
            if (c > j)
                put(DENSE(j, c), number_of(get(DENSE(j, c)).re - re[c], get(DENSE(j, c)).im - im[c]));
        }
        for (i64 i = j + 1; i < m; i++) {
            const number v = get(DENSE(i, j));
            EACH_COLUMN(c)
            if (c > j)
                put(DENSE(i, c), less(get(DENSE(i, c)), v, number_of(re[c], im[c])));
        }
        SYNC;
    }
    if (!skipped)
        EACH_ITEM(i, 0, m)
        for (i64 j = 0; j < n; j++)
            put(ELEMENT(a, a, i, j), get(DENSE(i, j)));
    else
        EACH_ITEM(j, 0, n)
        put(tau + j * p.v.row, number_of(0, 0));
    SYNC;
#endif
    EACH_ITEM(i, 0, m)
    for (i64 j = 0; j < PANEL; j++)
        if (i <= j || j >= n)
            put(DENSE(i, j), number_of(i == j && j < n ? (W)1 : (W)0, 0));
    SYNC;
    EACH_ITEM(k, 0, PANEL)
    for (i64 i = 0; i < PANEL; i++)
        put(t + (k * PANEL + i) * ITEM, number_of(0, 0));
    SYNC;
    for (i64 i = 0; i < n; i++) {
        const number own = get(tau + i * p.v.row);
        EACH_ITEM(k, 0, i)
        {
            number sum = number_of(0, 0);
            for (i64 row = i; row < m; row++) {
                const number x = times(conjugate(get(DENSE(row, k))), get(DENSE(row, i)));
                sum.re += x.re;
                sum.im += x.im;
            }
            put(t + (k * PANEL + i) * ITEM, sum);
        }
        SYNC;
        if (LOCAL_ID == 0)
            for (i64 k = 0; k < i; k++) { /* row k needs the rows from k on */
                number sum = number_of(0, 0);
                for (i64 q = k; q < i; q++) {
                    const number x = times(get(t + (k * PANEL + q) * ITEM), get(t + (q * PANEL + i) * ITEM));
                    sum.re += x.re;
                    sum.im += x.im;
                }
                sum = times(own, sum);
                put(t + (k * PANEL + i) * ITEM, number_of(-sum.re, -sum.im));
            }
        if (LOCAL_ID == 0)
            put(t + (i * PANEL + i) * ITEM, own);
        SYNC;
    }
}
#endif

/* ---- 8: is every pivot a row at or below its own? else the flag w is set */

#if FACTOR == 8
HEAD
{
    const i64 member = GROUP(0);
    G const char *const pivot = mv + begin(&p, &p.v, member);
    EACH_ITEM(i, 0, p.rows)
    {
        const i64 k = *(G const i64 *)(pivot + i * p.v.row);
        if (k < i || k >= p.rows)
            *(G i32 *)mw = 1;
    }
}
#endif

/* ---- 9: w = a; lower: of that triangle, whose diagonal counts as real */

#if FACTOR == 9
HEAD
{
    const i64 member = GROUP(1), i = GROUP(0), end = p.lower ? i + 1 : p.cols;
    G const char *const a = ma + begin(&p, &p.a, member);
    G char *const w = mw + begin(&p, &p.w, member);
    EACH_ITEM(j, 0, end)
    {
        const number x = get(ELEMENT(a, a, i, j));
        put(ELEMENT(w, w, i, j), p.lower && i == j ? number_of(x.re, 0) : p.a.conjugated ? conjugate(x) : x);
    }
}
#endif

/* ---- 10: of what LAPACK's routines left: the vector b to v, and to info, where there is nothing, the first element of the
 * diagonal of a that is no pivot (spoils: LU, whose pivots are counted from 1; lower: Cholesky), or what w says */

#if FACTOR == 10
HEAD
{
    SHARED(i64, least, LOCAL);
    const i64 member = GROUP(0), none = (i64)1 << 62, info = *info_of(mi, &p, member);
    G const char *const a = ma + begin(&p, &p.a, member), *const b = mb + begin(&p, &p.b, member);
    G char *const v = mv + begin(&p, &p.v, member);
    i64 at = none;
    EACH_ITEM(i, 0, p.steps)
    {
        const number x = get(ELEMENT(a, a, i, i));
        const W pivot = p.lower ? x.re : size_of(x);
        if (p.spoils)
            *(G i64 *)(v + i * p.v.row) = *(G const i64 *)(b + i * p.b.row) - 1;
        else if (!p.lower)
            put(v + i * p.v.row, info ? number_of(0, 0) : get(b + i * p.b.row));
        if (at == none && !(pivot > 0 && pivot <= LARGEST))
            at = i;
    }
    least[LOCAL_ID] = at;
    SYNC;
    if (LOCAL_ID == 0) {
        const i64 theirs = *(G const i32 *)(mw + begin(&p, &p.w, member));
        at = theirs > 0 ? theirs - 1 : none;
        for (i32 k = 0; k < LOCAL; k++)
            at = least[k] < at ? least[k] : at;
        if (info == 0 && at != none && (p.spoils || p.lower))
            *info_of(mi, &p, member) = at + 1;
    }
}
#endif
