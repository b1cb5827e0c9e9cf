/*
 * gemm_vector.c - the product of a matrix and a vector, which is read once: nothing of it is packed.
 *
 * A matrix whose rows are runs of memory gives one sum for each row; one whose columns are gives multiples of columns, added
 * up. In the first case a sum is made in lanes (element k into lane k mod 4 registers' lanes), in the second in order. Complex
 * numbers are four real products over planes.
 *
 * Invariant: threads share rows, so that they change no bit.
 */
#include "backend/cpu/gemm_vector.h"

#include "backend/cpu/threads.h"

enum { BLOCK = 1024 }; /* rows whose results are kept until they are whole */

typedef struct vector {
    const ash__pack *a;
    ash__matrix turned; /* the matrix transposed, and how it is read */
    ash__pack columns;
    const ash__matrix *y;
    const void *alpha, *beta;
    const char *x[3]; /* real parts; imaginary ones, and those negated */
    int64_t item, inner;
    int64_t parts;
    bool by_columns;
} vector;

/* ---- the vector, side by side */

static void read_vector(const vector *v, const ash__pack *x, char *memory)
{
    const int64_t plane = v->inner * v->item;
    const ash__matrix row = ash__transposed(x->matrix);
    const ash__pack line = ash__pack_of(&row, x->dtype, x->work, x->complex);
    for (int64_t k = 0, n; k < v->inner; k += n) {
        n = v->inner - k < ASH__LINE ? v->inner - k : ASH__LINE;
        ash__read_line(&line, 0, k, n, memory + k * v->item, memory + plane + k * v->item);
        if (x->complex) {
            char *const negated = memory + 2 * plane + k * v->item;
            memcpy(negated, memory + plane + k * v->item, (size_t)(n * v->item));
            x->loops->negate(negated, n);
        }
    }
}

/* ---- blocks of results, in planes */

typedef struct results {
    _Alignas(64) char plane[2][BLOCK * 8];
} results;

/* What one line of the matrix and the elements of x from k on add to a result. */
static void add_row(const vector *v, int64_t i, int64_t k, int64_t n, char *re, char *im)
{
    _Alignas(64) char line[2][ASH__LINE * 8];
    const ash__product_loops *const l = v->a->loops;
    const int64_t at = k * v->item;
    ash__read_line(v->a, i, k, n, line[0], line[1]);
    l->dots(re, line[0], 0, 1, v->x[0] + at, n);
    if (!v->a->complex)
        return;
    l->dots(re, line[1], 0, 1, v->x[2] + at, n);
    l->dots(im, line[0], 0, 1, v->x[1] + at, n);
    l->dots(im, line[1], 0, 1, v->x[0] + at, n);
}

static void rows_of(const vector *v, int64_t first, int64_t count, results *r)
{
    const ash__matrix *const m = v->a->matrix;
    if (v->a->plain && m->col == v->item) {
        v->a->loops->dots(r->plane[0], m->data + first * m->row, m->row / v->item, count, v->x[0], v->inner);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < v->inner; k += ASH__LINE)
            add_row(v, first + i, k, v->inner - k < ASH__LINE ? v->inner - k : ASH__LINE, r->plane[0] + i * v->item,
                    r->plane[1] + i * v->item);
}

static void add_column(const vector *v, int64_t k, int64_t first, int64_t n, char *re, char *im)
{
    _Alignas(64) char line[2][ASH__LINE * 8];
    const ash__product_loops *const l = v->a->loops;
    const int64_t at = k * v->item;
    ash__read_line(&v->columns, k, first, n, line[0], line[1]);
    l->columns(re, line[0], 0, v->x[0] + at, 1, n);
    if (!v->a->complex)
        return;
    l->columns(re, line[1], 0, v->x[2] + at, 1, n);
    l->columns(im, line[0], 0, v->x[1] + at, 1, n);
    l->columns(im, line[1], 0, v->x[0] + at, 1, n);
}

static void columns_of(const vector *v, int64_t first, int64_t count, results *r)
{
    const ash__matrix *const m = v->a->matrix;
    if (v->a->plain && m->row == v->item) {
        v->a->loops->columns(r->plane[0], m->data + first * v->item, m->col / v->item, v->x[0], v->inner, count);
        return;
    }
    for (int64_t k = 0; k < v->inner; k++)
        for (int64_t i = 0; i < count; i += ASH__LINE)
            add_column(v, k, first + i, count - i < ASH__LINE ? count - i : ASH__LINE, r->plane[0] + i * v->item,
                       r->plane[1] + i * v->item);
}

static void multiply_rows(void *context, int64_t part)
{
    const vector *const v = context;
    const ash__matrix *const y = v->y;
    const ash__product_loops *const l = v->a->loops;
    const int64_t end = ash__part_start(y->rows, part + 1, v->parts);
    results r;
    for (int64_t i = ash__part_start(y->rows, part, v->parts), n; i < end; i += n) {
        n = end - i < BLOCK ? end - i : BLOCK;
        memset(r.plane[0], 0, (size_t)(n * v->item));
        memset(r.plane[1], 0, v->a->complex ? (size_t)(n * v->item) : 0);
        if (v->by_columns)
            columns_of(v, i, n, &r);
        else
            rows_of(v, i, n, &r);
        if (v->a->complex)
            l->merge_complex(y->data + i * y->row, y->row, 0, r.plane[0], r.plane[1], 1, n, 1, v->alpha, v->beta);
        else
            l->merge(y->data + i * y->row, y->row, 0, r.plane[0], 1, n, 1, v->alpha, v->beta);
    }
}

/* ---- one long sum */

enum { PIECE = 65536 }; /* products of a sum that is made apart, whatever the number of threads */

typedef struct long_sum {
    const ash__product_loops *loops;
    const char *a, *x;
    int64_t inner, pieces, parts;
    char *sum; /* of each piece */
} long_sum;

static void add_pieces(void *context, int64_t part)
{
    const long_sum *const s = context;
    const int64_t item = s->loops->item, end = ash__part_start(s->pieces, part + 1, s->parts);
    for (int64_t n = ash__part_start(s->pieces, part, s->parts); n < end; n++) {
        const int64_t k = n * PIECE, count = s->inner - k < PIECE ? s->inner - k : PIECE;
        memset(s->sum + n * item, 0, (size_t)item);
        s->loops->dots(s->sum + n * item, s->a + k * item, 0, 1, s->x + k * item, count);
    }
}

static int64_t pieces_of(int64_t inner)
{
    return (inner + PIECE - 1) / PIECE;
}

/* Is the product by a one long sum of what lies side by side? */
static bool is_long(const ash__pack *a)
{
    return a->matrix->rows == 1 && a->matrix->cols > PIECE && a->plain && a->matrix->col == a->loops->item;
}

/* The sums of the pieces are added up in order. */
static void add_long(const vector *v, int64_t threads, char *sums)
{
    const ash__product_loops *const l = v->a->loops;
    long_sum s = {.loops = l, .a = v->a->matrix->data, .x = v->x[0], .inner = v->inner, .sum = sums};
    s.pieces = pieces_of(v->inner);
    s.parts = threads < s.pieces ? threads : s.pieces;
    if (s.parts > 1)
        ash__parallel(s.parts, add_pieces, &s);
    else
        add_pieces(&s, 0);
    for (int64_t n = 1; n < s.pieces; n++)
        l->merge(s.sum, 0, 0, s.sum + n * v->item, 1, 1, 1, NULL, l->one);
    l->merge(v->y->data, 0, 0, s.sum, 1, 1, 1, v->alpha, v->beta);
}

/* ---- any */

static int64_t magnitude(int64_t step)
{
    return step < 0 ? -step : step;
}

/* Bytes of x side by side, in planes; 0: it is read where it lies. */
static size_t copy_bytes(const ash__pack *x)
{
    const int64_t item = x->loops->item;
    if (x->plain && x->matrix->row == item)
        return 0;
    return ash__round_up((size_t)(x->matrix->rows * item * (x->complex ? 3 : 1)));
}

size_t ash__vector_bytes(const ash__pack *a, const ash__pack *x)
{
    return copy_bytes(x) + (is_long(a) ? (size_t)(pieces_of(a->matrix->cols) * a->loops->item) : 0);
}

void ash__multiply_vector(const ash__pack *a, const ash__pack *x, const ash__matrix *y, const void *alpha, const void *beta,
                          int threads, char *memory)
{
    const int64_t item = a->loops->item, plane = a->matrix->cols * item;
    vector v = {.a = a,
                .turned = ash__transposed(a->matrix),
                .y = y,
                .alpha = alpha,
                .beta = beta,
                .x = {x->matrix->data},
                .item = item,
                .inner = a->matrix->cols,
                .parts = threads < y->rows ? threads : y->rows,
                .by_columns = magnitude(a->matrix->row) < magnitude(a->matrix->col) && y->rows > 1};
    v.columns = ash__pack_of(&v.turned, a->dtype, a->work, a->complex);
    const size_t copied = copy_bytes(x);
    if (copied) {
        read_vector(&v, x, memory);
        for (int k = 0; k < 3; k++)
            v.x[k] = memory + (x->complex ? k * plane : 0);
    }
    if (is_long(a))
        add_long(&v, threads, memory + copied);
    else if (v.parts > 1)
        ash__parallel(v.parts, multiply_rows, &v);
    else
        multiply_rows(&v, 0);
}
