/*
 * gemm.c - the matrix product of the CPU device.
 *
 * A product is cut into blocks as in K. Goto and R. van de Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS
 * 34(3), 2008: panels of B as wide as a tile and RUN rows high stay in the first cache, a block of A in the second. B is
 * packed with a tile's columns side by side, A row by row: a tile reads a few rows of A at once, one element of each at a
 * time. Of small products neither is packed.
 *
 * The columns of C lie side by side, or else the transposed product is computed. A complex tile is made of four real ones over
 * planes of real and imaginary parts, and so runs as fast. Where C's dtype is not what is computed in, the product is made
 * apart, as a whole, and rounded once.
 *
 * Invariant: an element of C is the sum of its runs of RUN products in order, each of which is one chain in a register.
 * Neither the sizes of blocks and tiles nor the number of threads change that.
 */
#include "backend/cpu/gemm.h"

#include "backend/cpu/gemm_diagonal.h"
#include "backend/cpu/gemm_pack.h"
#include "backend/cpu/gemm_vector.h"
#include "backend/cpu/threads.h"
#include "core/operand.h"

enum {
    RUN = 256,               /* of the inner index, whatever the level */
    PANEL_BYTES = 4 << 20,   /* of B, packed */
    BLOCK_BYTES = 256 << 10, /* of A, packed */
    PAD = 64,                /* bytes behind a packed row of A, so that rows do not lie at one distance in the cache */
    SMALL = 100              /* of every size: nothing is packed */
};
_Static_assert((int)RUN <= (int)ASH__LINE, "a packed row is a line");

/* What tiles are written to, and with which factors: all as computed with. NULL: 1 and 0. Another beta of real numbers than 1
 * has been multiplied to c before, so that it makes no difference whether a tile is added to c as it is or by way of memory. */
typedef struct target {
    const ash__product_loops *loops;
    ash_dtype work;
    bool complex;
    int64_t item; /* bytes of a real element */
    ash__matrix c;
    const void *alpha, *beta;
} target;

typedef struct product {
    target to;
    int64_t planes; /* 1 or 2 */
    ash__matrix a, b;
    ash__pack pack_a, pack_b;
    int threads;
    int64_t block, span;         /* rows of A and columns of B that are packed at once */
    int64_t j0, cols, k0, inner; /* the part of B that is packed now */
    int64_t groups;              /* into which its panels are shared out */
    size_t a_bytes;              /* of one block of A */
    char *b_data, *a_data;
} product;

/* ---- sizes */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static int64_t parts_of(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}
static int64_t widest(const ash__product_loops *l)
{
    return l->width[ASH__TILE_WIDTHS - 1];
}
/* A step of bytes in elements, without a division by what is not known when compiled. */
static int64_t elements(int64_t step, int64_t item)
{
    return item == 4 ? step / 4 : step / 8;
}

/* The narrowest tile at least so wide that exists at every height; its number. */
static int width_for(const ash__product_loops *l, int64_t cols)
{
    int w = 0;
    while (w < ASH__TILE_WIDTHS - 1 && (l->width[w] < cols || !l->tile[0][w]))
        w++;
    return w;
}

/* The widest tile not wider than that, or the narrowest one; its number. */
static int width_within(const ash__product_loops *l, int64_t cols)
{
    int w = ASH__TILE_WIDTHS - 1;
    while (w > 0 && l->width[w] > cols)
        w--;
    return w;
}

/* The tallest tile not taller than that; its number. */
static int height_for(const ash__product_loops *l, int64_t rows, int w)
{
    int h = ASH__TILE_HEIGHTS - 1;
    while (h > 0 && (l->height[h] > rows || !l->tile[h][w]))
        h--;
    return h;
}

/* ---- tiles */

/* c = beta c */
static void scale(ash_dtype work, bool complex, const ash__matrix *c, const void *beta)
{
    const ash__product_loops *const loops = ash__cpu_kernels()->product->loops[work];
    uint64_t zeros[2 * SMALL] = {0};
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0, n; j < c->cols; j += n) {
            char *const at = c->data + i * c->row + j * c->col;
            n = smaller(SMALL, c->cols - j);
            if (complex)
                loops->merge_complex(at, c->row, c->col, zeros, zeros, 0, 1, n, NULL, beta);
            else
                loops->merge(at, c->row, c->col, zeros, 0, 1, n, NULL, beta);
        }
}

/* Rows of A as they lie, or packed. */
typedef struct rows {
    const char *a;
    int64_t plane;    /* bytes from real to imaginary parts */
    int64_t row, col; /* elements */
    int64_t i, count; /* of C */
} rows;

/* Columns of B, side by side. */
typedef struct panel {
    const char *b;
    int64_t plane;   /* bytes from real to imaginary parts */
    int64_t row;     /* elements */
    int64_t j, cols; /* of C */
    int w;           /* number of the width of its tiles */
} panel;

enum { TILE_BYTES = 4096 };

/* The four real products of a complex tile: ar br - ai bi, and ar bi + ai br. */
static void complex_tile(const target *p, void (*tile)(const ash__tile *), ash__tile *t, int64_t a_plane, int64_t b_plane,
                         char *re, char *im)
{
    const char *const ar = t->a, *const ai = ar + a_plane, *const br = t->b, *const bi = br + b_plane;
    const struct {
        const char *a, *b;
        char *c;
        const void *alpha;
        bool add;
    } real[4] = {{ar, br, re, NULL, false},
                 {ai, bi, re, p->loops->minus_one, true},
                 {ar, bi, im, NULL, false},
                 {ai, br, im, NULL, true}};
    for (int k = 0; k < 4; k++) {
        t->a = real[k].a;
        t->b = real[k].b;
        t->c = real[k].c;
        t->alpha = real[k].alpha;
        t->add = real[k].add;
        tile(t);
    }
}

/* Some rows times a panel. Tiles that are not as wide as a whole one, or whose elements are apart in C, go by way of memory. */
static void multiply_panel(const target *p, const rows *x, const panel *q, int64_t inner)
{
    _Alignas(64) char apart[2][TILE_BYTES];
    const ash__product_loops *const l = p->loops;
    const int64_t width = l->width[q->w], c_row = p->c.row, c_col = p->c.col;
    const bool direct = !p->complex && c_col == p->item && q->cols == width;
    const char *a = x->a;
    char *c = p->c.data + x->i * c_row + q->j * c_col;
    for (int64_t left = x->count, high; left > 0; left -= high, a += high * x->row * p->item, c += high * c_row) {
        const int h = height_for(l, left, q->w);
        high = l->height[h];
        ash__tile t = {.c = direct ? c : apart[0],
                       .a = a,
                       .b = q->b,
                       .c_row = direct ? elements(c_row, p->item) : width,
                       .a_row = x->row,
                       .a_col = x->col,
                       .b_row = q->row,
                       .inner = inner,
                       .alpha = p->alpha,
                       .add = direct && p->beta};
        if (p->complex) {
            complex_tile(p, l->tile[h][q->w], &t, x->plane, q->plane, apart[0], apart[1]);
            l->merge_complex(c, c_row, c_col, apart[0], apart[1], width, high, q->cols, p->alpha, p->beta);
            continue;
        }
        l->tile[h][q->w](&t);
        if (!direct)
            l->merge(c, c_row, c_col, apart[0], width, high, q->cols, NULL, p->beta);
    }
}

/* Multiplies c by the beta of real numbers. */
static void settle_beta(target *p)
{
    if (p->complex || !p->beta || memcmp(p->beta, p->loops->one, (size_t)p->item) == 0)
        return;
    scale(p->work, false, &p->c, p->beta);
    p->beta = p->loops->one;
}

/* ---- small products */

/* Is m real and general, at whole steps? */
static bool simple(const ash__matrix *m, ash_dtype dtype, int64_t item)
{
    return m->structure <= ASH_GENERAL && (!m->dtype || m->dtype == dtype) && m->rows <= SMALL && m->cols <= SMALL &&
           ((m->row | m->col | (intptr_t)m->data) & (item - 1)) == 0;
}

/* Columns of B that do not fill a tile, or that lie apart, side by side with zeros behind. */
static void pack_small(const target *p, const ash__matrix *b, panel *q, char *packed)
{
    const int64_t width = p->loops->width[q->w];
    const ash__pack pack = ash__pack_of(b, p->work, p->work, false);
    if (q->cols < width)
        memset(packed, 0, (size_t)(b->rows * width * p->item));
    ash__pack_rows(&pack, 0, q->j, b->rows, q->cols, packed, NULL, width * p->item);
    q->b = packed;
    q->row = width;
}

static bool is_small(ash_dtype dtype, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b)
{
    const int64_t item = dtype == ASH_F32 ? 4 : 8;
    return (dtype == ASH_F32 || dtype == ASH_F64) && simple(c, dtype, item) && simple(a, dtype, item) &&
           simple(b, dtype, item) && c->rows != 1 && c->cols != 1;
}

static void small_product(ash_dtype dtype, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b, const void *alpha,
                          const void *beta)
{
    _Alignas(64) char packed[SMALL * 2 * 64];
    const int64_t item = dtype == ASH_F32 ? 4 : 8;
    const bool turned = c->row == item && c->col != item;
    const ash__matrix x = turned ? ash__transposed(b) : *a, y = turned ? ash__transposed(a) : *b;
    target p = {.loops = ash__cpu_kernels()->product->loops[dtype],
                .work = dtype,
                .item = item,
                .c = turned ? ash__transposed(c) : *c,
                .alpha = alpha,
                .beta = beta};
    settle_beta(&p);
    const rows all = {.a = x.data, .row = elements(x.row, item), .col = elements(x.col, item), .count = x.rows};
    for (int64_t j = 0, cols; j < y.cols; j += cols) {
        const int w = width_within(p.loops, y.cols - j);
        cols = smaller(p.loops->width[w], y.cols - j);
        panel q = {.b = y.data + j * y.col, .row = elements(y.row, item), .j = j, .cols = cols, .w = w};
        if (y.col != item || cols < p.loops->width[q.w])
            pack_small(&p, &y, &q, packed);
        multiply_panel(&p, &all, &q, y.rows);
    }
}

/* ---- blocks */

/* Panel number n of those packed now, planes one behind the other. */
static panel panel_at(const product *p, int64_t n)
{
    const ash__product_loops *const l = p->to.loops;
    const int64_t first = n * widest(l), cols = smaller(widest(l), p->cols - first);
    const int w = width_for(l, cols);
    return (panel){.b = p->b_data + first * p->inner * l->item * p->planes,
                   .plane = p->inner * l->width[w] * l->item,
                   .row = l->width[w],
                   .j = p->j0 + first,
                   .cols = cols,
                   .w = w};
}

static void pack_panels(void *context, int64_t part)
{
    const product *const p = context;
    const int64_t panels = parts_of(p->cols, widest(p->to.loops)), item = p->to.item;
    const int64_t end = ash__part_start(panels, part + 1, p->threads);
    for (int64_t n = ash__part_start(panels, part, p->threads); n < end; n++) {
        const panel q = panel_at(p, n);
        char *const to = p->b_data + (q.b - p->b_data);
        if (q.cols < q.row)
            memset(to, 0, (size_t)(q.plane * p->planes));
        ash__pack_rows(&p->pack_b, p->k0, q.j, p->inner, q.cols, to, to + q.plane, q.row * item);
    }
}

/* One block of A by one group of the panels. */
static void multiply_block(const product *p, int64_t unit, char *a)
{
    const int64_t i = unit / p->groups * p->block, panels = parts_of(p->cols, widest(p->to.loops));
    const int64_t group = unit % p->groups, end = ash__part_start(panels, group + 1, p->groups);
    const int64_t step = RUN * p->to.item + PAD;
    rows x = {.a = a,
              .plane = p->block * step,
              .row = elements(step, p->to.item),
              .col = 1,
              .i = i,
              .count = smaller(p->block, p->to.c.rows - i)};
    if (panels == 1 && p->pack_a.plain && p->a.col == p->to.item) { /* each element is used once: where it lies */
        x.a = p->a.data + i * p->a.row + p->k0 * p->a.col;
        x.row = elements(p->a.row, p->to.item);
    } else
        ash__pack_rows(&p->pack_a, i, p->k0, x.count, p->inner, a, a + x.plane, step);
    for (int64_t n = ash__part_start(panels, group, p->groups); n < end; n++) {
        const panel q = panel_at(p, n);
        multiply_panel(&p->to, &x, &q, p->inner);
    }
}

static void multiply_blocks(void *context, int64_t part)
{
    const product *const p = context;
    const int64_t units = parts_of(p->to.c.rows, p->block) * p->groups, end = ash__part_start(units, part + 1, p->threads);
    for (int64_t unit = ash__part_start(units, part, p->threads); unit < end; unit++)
        multiply_block(p, unit, p->a_data + (size_t)part * p->a_bytes);
}

/* Blocks are smaller where there would be too few for the threads; then the columns are shared too. */
static void choose_blocks(product *p)
{
    const ash__product_loops *const l = p->to.loops;
    const int64_t tall = l->height[ASH__TILE_HEIGHTS - 1], wide = widest(l), line = RUN * l->item * p->planes;
    const int64_t row_count = p->to.c.rows, col_count = p->to.c.cols;
    const int64_t share = parts_of(parts_of(row_count, p->threads), tall) * tall;
    p->block = smaller(BLOCK_BYTES / line / tall * tall, share);
    p->span = smaller(PANEL_BYTES / line / wide * wide, parts_of(col_count, wide) * wide);
    p->groups = smaller(parts_of(p->threads, parts_of(row_count, p->block)), parts_of(p->span, wide));
    p->a_bytes = ash__round_up((size_t)(p->block * (RUN * l->item + PAD) * p->planes));
}

static void run_parts(product *p, ash__job *job)
{
    if (p->threads > 1)
        ash__parallel(p->threads, job, p);
    else
        job(p, 0);
}

static size_t panel_bytes(const product *p)
{
    return ash__round_up((size_t)(p->span * smaller(RUN, p->a.cols) * p->to.item * p->planes));
}

static size_t block_bytes(product *p)
{
    choose_blocks(p);
    return panel_bytes(p) + (size_t)p->threads * p->a_bytes;
}

static void blocked_product(product *p, char *memory)
{
    choose_blocks(p);
    p->b_data = memory;
    p->a_data = memory + panel_bytes(p);
    settle_beta(&p->to);
    const void *const beta = p->to.beta; /* for the first run of the inner index */
    for (p->j0 = 0; p->j0 < p->to.c.cols; p->j0 += p->span) {
        p->cols = smaller(p->span, p->to.c.cols - p->j0);
        for (p->k0 = 0; p->k0 < p->a.cols; p->k0 += RUN) {
            p->inner = smaller(RUN, p->a.cols - p->k0);
            p->to.beta = p->k0 ? p->to.loops->one : beta;
            run_parts(p, pack_panels);
            run_parts(p, multiply_blocks);
        }
    }
}

/* ---- any product */

static product transposed_product(const product *p)
{
    product t = *p;
    t.a = ash__transposed(&p->b);
    t.b = ash__transposed(&p->a);
    t.to.c = ash__transposed(&p->to.c);
    return t;
}

static void choose_packs(product *p, ash_dtype dtype)
{
    p->pack_a = ash__pack_of(&p->a, p->a.dtype ? p->a.dtype : dtype, p->to.work, p->to.complex);
    p->pack_b = ash__pack_of(&p->b, p->b.dtype ? p->b.dtype : dtype, p->to.work, p->to.complex);
}

static bool has_diagonal(const ash__matrix *a, const ash__matrix *b)
{
    return a->structure == ASH_DIAGONAL || b->structure == ASH_DIAGONAL;
}

/* The product in the dtype that is computed with; c is of that, alpha and beta are as well. Filled in and not moved after:
 * packs point to the matrices. */
static void set_product(product *p, ash_dtype dtype, ash_dtype work, const ash__matrix *c, const ash__matrix *a,
                        const ash__matrix *b, const void *alpha, const void *beta, int threads)
{
    const ash__product_loops *const loops = ash__cpu_kernels()->product->loops[work];
    const bool complex = ash__is_complex(dtype);
    const int64_t planes = complex ? 2 : 1, element = loops->item * planes;
    *p = (product){.to = {.loops = loops,
                          .work = work,
                          .complex = complex,
                          .item = loops->item,
                          .c = *c,
                          .alpha = alpha && memcmp(alpha, loops->one, (size_t)element) == 0 ? NULL : alpha,
                          .beta = beta},
                   .planes = planes,
                   .a = *a,
                   .b = *b,
                   .threads = threads < 1 ? 1 : threads};
    if (has_diagonal(a, b) ? a->structure != ASH_DIAGONAL
                           : c->cols != 1 && (c->rows == 1 || (c->row == element && c->col != element)))
        *p = transposed_product(p);
    choose_packs(p, dtype);
}

static size_t product_bytes(product *p)
{
    return has_diagonal(&p->a, &p->b) ? 0 : p->to.c.cols > 1 ? block_bytes(p) : ash__vector_bytes(&p->pack_a, &p->pack_b);
}

static void multiply(product *p, char *memory)
{
    if (has_diagonal(&p->a, &p->b))
        ash__multiply_diagonal(&p->pack_a, &p->pack_b, &p->to.c, p->to.alpha, p->to.beta, p->threads);
    else if (p->to.c.cols > 1)
        blocked_product(p, memory);
    else
        ash__multiply_vector(&p->pack_a, &p->pack_b, &p->to.c, p->to.alpha, p->to.beta, p->threads, memory);
}

/* Room for c as it is computed with, in front of what the product itself works in. */
static ash__matrix apart(ash_dtype dtype, ash_dtype work, const ash__matrix *c, char *memory)
{
    const int64_t item = ash__cpu_kernels()->product->loops[work]->item * (ash__is_complex(dtype) ? 2 : 1);
    return (ash__matrix){memory, c->rows, c->cols, c->cols * item, item, false, ASH_GENERAL, 0};
}
static size_t apart_bytes(const ash__matrix *sum)
{
    return ash__round_up((size_t)(sum->rows * sum->row));
}

/* The product apart from C, whose dtype is not computed in. */
static void multiply_apart(ash_dtype dtype, ash_dtype work, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b,
                           const void *alpha, const void *beta, int threads, char *memory)
{
    const bool complex = ash__is_complex(dtype);
    const ash__pack as_c = ash__pack_of(c, dtype, work, complex);
    _Alignas(16) char factor[2][16];
    const ash__matrix sum = apart(dtype, work, c, memory);
    if (alpha)
        ash__widen_line(&as_c, factor[0], alpha, 0, 1);
    if (beta)
        ash__widen_line(&as_c, factor[1], beta, 0, 1);
    for (int64_t i = 0; beta && i < c->rows; i++)
        ash__widen_line(&as_c, memory + i * sum.row, c->data + i * c->row, c->col, c->cols);
    if (a) {
        product p;
        set_product(&p, dtype, work, &sum, a, b, alpha ? factor[0] : NULL, beta ? factor[1] : NULL, threads);
        multiply(&p, memory + apart_bytes(&sum));
    } else
        scale(work, complex, &sum, beta ? factor[1] : NULL);
    for (int64_t i = 0; i < c->rows; i++)
        ash__write_line(&as_c, c->data + i * c->row, c->col, memory + i * sum.row, c->cols);
}

/* Is c as it is computed with? */
static bool in_place(ash_dtype dtype, ash_dtype work, const ash__matrix *c)
{
    const int64_t item = ash__cpu_kernels()->product->loops[work]->item;
    return (int64_t)ash_dtype_size(ash__part(dtype)) == item && ((c->row | c->col | (intptr_t)c->data) & (item - 1)) == 0;
}

size_t ash__gemm_bytes(ash_dtype dtype, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b, int threads)
{
    const ash_dtype work = ash__work_dtype(ash__part(dtype), a->cols);
    product p;
    if (!c->rows || !c->cols || is_small(dtype, c, a, b))
        return 0;
    const ash__matrix sum = apart(dtype, work, c, NULL);
    const bool direct = in_place(dtype, work, c);
    set_product(&p, dtype, work, direct ? c : &sum, a, b, NULL, NULL, threads);
    return (direct ? 0 : apart_bytes(&sum)) + (a->cols ? product_bytes(&p) : 0);
}

void ash__gemm_in(char *memory, ash_dtype dtype, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b,
                  const void *alpha, const void *beta, int threads)
{
    const ash_dtype work = ash__work_dtype(ash__part(dtype), a->cols);
    const bool nothing = a->cols == 0 || (alpha && ash__element_is_zero(alpha, dtype));
    if (!c->rows || !c->cols)
        return;
    if (beta && ash__element_is_zero(beta, dtype))
        beta = NULL;
    if (!in_place(dtype, work, c))
        multiply_apart(dtype, work, c, nothing ? NULL : a, b, alpha, beta, threads, memory);
    else if (nothing)
        scale(work, ash__is_complex(dtype), c, beta);
    else if (is_small(dtype, c, a, b))
        small_product(dtype, c, a, b, alpha, beta);
    else {
        product p;
        set_product(&p, dtype, work, c, a, b, alpha, beta, threads);
        multiply(&p, memory);
    }
}

bool ash__gemm(ash_dtype dtype, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b, const void *alpha,
               const void *beta, int threads)
{
    const size_t bytes = ash__gemm_bytes(dtype, c, a, b, threads);
    char *const memory = bytes ? ash__spare_take(bytes) : NULL;
    if (bytes && !memory)
        return false;
    ash__gemm_in(memory, dtype, c, a, b, alpha, beta, threads);
    if (memory)
        ash__spare_give(memory);
    return true;
}
