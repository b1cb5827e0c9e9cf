/*
 * factor.c - factorizations and solves on a device: small blocks by kernels of their own, everything else by products.
 *
 * The algorithms are those of the CPU (src/backend/cpu/factor_*.c, triangular.c): halves down to PANEL columns, an upper
 * triangle as a lower one backwards. All is queued: what the numbers do wrong is in `info`, which the device writes, and only
 * foreign pivots are waited for.
 */
#include "backend/gpu/factoring.h"

#include <string.h>

#include "core/error.h"
#include "core/shape.h"

enum {
    PANEL = 32, /* columns of a block; factor.c of the kernels */
    GROUP = ASH__GPU_FACTOR_GROUP,
    SQUARE = 512,   /* columns of a product of which half is not needed */
    ROOM = 96 << 20 /* bytes, of packed factors of products */
};
enum { FINITE, LU, EXCHANGE, SOLVE, CHOLESKY, SPOIL, REFLECT, JOIN, CHECK }; /* FACTOR of kernel text */
enum { OUT, GIVEN, VECTOR, INFO };                                           /* spans */

typedef ash__gpu_factor_block block;
typedef ash__gpu_factor_parameters parameters;
typedef ash__gpu_factor_matrix matrix;
typedef ash__gpu_factoring factoring;

/* ---- parts of matrices */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static matrix matrix_of(const factoring *f, int span)
{
    const ash__task *const t = f->task;
    const ash__span *const s = span == OUT ? &t->out : &t->operand[0];
    return (matrix){{.row = s->stride[t->rank - 2], .col = s->stride[t->rank - 1], .span = span}, f->memory[span]};
}

static matrix vector_of(const factoring *f)
{
    const ash__span *const s = f->task->value.data ? &f->task->value : &f->task->operand[1];
    return (matrix){{.row = s->stride[f->task->rank - 2], .span = VECTOR}, f->memory[VECTOR]};
}

static matrix part_of(const matrix *m, int64_t row, int64_t col)
{
    matrix p = *m;
    p.is.at += row * m->is.row + col * m->is.col;
    return p;
}

static matrix transposed(const matrix *m)
{
    matrix t = *m;
    t.is.row = m->is.col;
    t.is.col = m->is.row;
    return t;
}

static matrix adjoint_of(const factoring *f, const matrix *m)
{
    matrix t = transposed(m);
    t.is.conjugated = ash__is_complex(f->dtype) && !m->is.conjugated;
    return t;
}

/* n rows backwards; the columns too. */
static matrix backwards(const matrix *m, int64_t n, bool columns)
{
    matrix b = part_of(m, n - 1, columns ? n - 1 : 0);
    b.is.row = -m->is.row;
    b.is.col = columns ? -m->is.col : m->is.col;
    return b;
}

static int64_t first_half(int64_t n)
{
    return (n / 2 + PANEL - 1) / PANEL * PANEL;
}

ash_status ash__gpu_factor_room(factoring *f, int64_t rows, int64_t cols, matrix *m)
{
    const int64_t bytes = rows * cols * f->item;
    *m = (matrix){{.row = cols * f->item, .col = f->item, .member = bytes}, NULL};
    return ash__gpu_scratch(&f->work, (size_t)(bytes * f->members), &m->memory);
}

/* ---- launches */

typedef struct form {
    const factoring *f;
    int which;
} form;

static void put_factor(ash__text *text, const void *context)
{
    const form *const m = context;
    const bool wide = ash__part(m->f->dtype) == ASH_F64;
    ash__gpu_put_dense(text, m->f->work.resources->device);
    ash__put(text, "typedef %s W;\n#define COMPLEX %d\n#define LOCAL %d\n#define FACTOR %d\n", wide ? "f64" : "f32",
             ash__is_complex(m->f->dtype), m->f->alone ? 1 : GROUP, m->which);
    ash__put(text, "#define LARGEST %s\n#define TINY %s\n#define HUGE %s\n",
             wide ? "0x1.fffffffffffffp1023" : "0x1.fffffep127f", wide ? "1e-140" : "1e-15f", wide ? "1e140" : "1e15f");
    ash__gpu_put_text(text, ash__gpu_factor_text);
}

ash_status ash__gpu_factor_launch(factoring *f, int which, parameters *p, const matrix *a, const matrix *b, const matrix *v,
                                  const matrix *w, int64_t groups)
{
    const matrix *const given[4] = {a, b ? b : a, v ? v : a, w ? w : a};
    void *const memory[] = {given[0]->memory, given[1]->memory, given[2]->memory, given[3]->memory, f->memory[INFO]};
    const form m = {f, which};
    const size_t local = f->alone ? 1 : GROUP;
    p->at = f->at;
    p->a = given[0]->is;
    p->b = given[1]->is;
    p->v = given[2]->is;
    p->w = given[3]->is;
    return ash__gpu_launch_text(
        &f->work, put_factor, &m,
        &(ash__launch){.global = {(size_t)(groups ? groups : f->members) * local, groups ? (size_t)f->members : 1},
                       .local = local,
                       .memories = 5,
                       .memory = memory,
                       .parameters = p,
                       .nbytes = sizeof *p});
}

static void set_span(const factoring *f, ash__gpu_batch *to, int k, const block *b)
{
    int64_t inner = 1;
    to->start[k] = b->at + (b->member ? 0 : f->at.start[b->span]);
    for (int axis = f->at.axes - 1; axis >= 0; axis--) {
        to->stride[axis][k] = b->member ? b->member * inner : f->at.stride[axis][b->span];
        inner *= f->at.size[axis];
    }
}

/* c = factor a b, with `add` + c */
static ash_status product(factoring *f, const matrix *c, const matrix *a, const matrix *b, int64_t rows, int64_t inner,
                          int64_t cols, double by, bool add)
{
    ash__gpu_multiplying m = {.at = f->at,
                              .count = f->members,
                              .rows = rows,
                              .cols = cols,
                              .inner = inner,
                              .dtype = f->dtype,
                              .c = {c->memory, c->is.row, c->is.col, false},
                              .a = {a->memory, a->is.row, a->is.col, a->is.conjugated},
                              .b = {b->memory, b->is.row, b->is.col, b->is.conjugated},
                              .factor = by,
                              .add = add};
    set_span(f, &m.at, 0, &c->is);
    set_span(f, &m.at, 1, &a->is);
    set_span(f, &m.at, 2, &b->is);
    return ash__gpu_multiply(&f->work, &f->room, &m);
}

/* Room for all products at once, since working memory is not given back: of so many rows and columns, inner sizes to that. */
static ash_status reserve(factoring *f, int64_t rows, int64_t cols, int64_t inner)
{
    const int64_t most = (rows > cols ? rows : cols) + GROUP, each = most * inner * f->item;
    const int64_t packed = smaller(each * f->members, ROOM + each), sums = 2 * (most * f->members + 8192) * f->item;
    ash_status status = ASH_OK;
    for (int k = 0; k < 3 && !status; k++) {
        f->room.nbytes[k] = (size_t)(k < 2 ? packed : smaller(sums, ROOM + 2 * most * f->item));
        status = ash__gpu_scratch(&f->work, f->room.nbytes[k], &f->room.memory[k]);
    }
    return status;
}

/* ---- triangles: b = a^-1 b for the lower one of a */

static ash_status solve_lower(factoring *f, const matrix *a, int64_t n, bool unit, const matrix *b, int64_t cols)
{
    if (!n || !cols)
        return ASH_OK;
    if (n <= PANEL) {
        const int64_t each = f->alone ? 16 : GROUP;
        parameters p = {.rows = n, .cols = cols, .unit = unit};
        return ash__gpu_factor_launch(f, SOLVE, &p, a, b, NULL, NULL, ash__gpu_parts(cols, each));
    }
    const int64_t top = first_half(n), rest = n - top;
    const matrix a21 = part_of(a, top, 0), a22 = part_of(a, top, top), b2 = part_of(b, top, 0);
    ash_status status = solve_lower(f, a, top, unit, b, cols);
    if (!status)
        status = product(f, &b2, &a21, b, rest, top, cols, -1, true);
    return status ? status : solve_lower(f, &a22, rest, unit, &b2, cols);
}

/* ---- LU */

ash_status ash__gpu_factor_exchange(factoring *f, const matrix *a, const matrix *pivot, int64_t col, int64_t cols,
                                    int64_t first, int64_t steps)
{
    const int64_t each = f->alone ? 64 : GROUP;
    const matrix part = part_of(a, 0, col);
    parameters p = {.rows = f->rows, .cols = cols, .first = first, .steps = steps};
    return cols ? ash__gpu_factor_launch(f, EXCHANGE, &p, &part, NULL, pivot, NULL, ash__gpu_parts(cols, each)) : ASH_OK;
}

/* n columns from the diagonal element `first` on. */
static ash_status lu_columns(factoring *f, const matrix *a, const matrix *pivot, int64_t first, int64_t n)
{
    const matrix a11 = part_of(a, first, first);
    if (n <= PANEL) {
        const matrix own = part_of(pivot, first, 0);
        parameters p = {.rows = f->rows - first, .cols = n, .first = first};
        return ash__gpu_factor_launch(f, LU, &p, &a11, NULL, &own, &f->panel, 0);
    }
    const int64_t left = first_half(n), right = n - left;
    const matrix a12 = part_of(a, first, first + left), a21 = part_of(a, first + left, first),
                 a22 = part_of(a, first + left, first + left);
    ash_status status = lu_columns(f, a, pivot, first, left);
    if (!status)
        status = ash__gpu_factor_exchange(f, a, pivot, first + left, right, first, left);
    if (!status)
        status = solve_lower(f, &a11, left, true, &a12, right);
    if (!status)
        status = product(f, &a22, &a21, &a12, f->rows - first - left, left, right, -1, true);
    if (!status)
        status = lu_columns(f, a, pivot, first + left, right);
    return status ? status : ash__gpu_factor_exchange(f, a, pivot, first, left, first + left, right);
}

ash_status ash__gpu_factor_fault(factoring *f, const matrix *a)
{
    const bool lower = f->say->op == ASH__FACTOR_CHOLESKY;
    parameters p = {.rows = f->rows, .cols = f->cols, .lower = lower, .turned = lower && f->say->upper};
    return ash__gpu_factor_launch(f, FINITE, &p, a, NULL, NULL, NULL, 0);
}

ash_status ash__gpu_factor_spoil(factoring *f, const matrix *a, const matrix *pivot)
{
    const bool lu = f->say->op == ASH__FACTOR_LU;
    parameters p = {.rows = f->rows, .cols = f->cols, .steps = smaller(f->rows, f->cols), .lower = !lu, .spoils = lu};
    return ash__gpu_factor_launch(f, SPOIL, &p, a, NULL, pivot, NULL, f->rows);
}

static ash_status run_lu(factoring *f)
{
    const matrix a = matrix_of(f, OUT), pivot = vector_of(f), right = part_of(&a, 0, f->rows);
    const int64_t steps = smaller(f->rows, f->cols);
    ash_status status;
    if (ash__gpu_factor_theirs(f, &a, &pivot, &status))
        return status;
    status = ash__gpu_factor_room(f, f->rows, PANEL, &f->panel);
    if (!status)
        status = ash__gpu_factor_fault(f, &a);
    if (!status && f->cols > PANEL)
        status = reserve(f, f->rows, f->cols, f->rows > f->cols ? f->cols : f->rows);
    if (!status)
        status = lu_columns(f, &a, &pivot, 0, steps);
    if (!status && f->cols > f->rows)
        status = ash__gpu_factor_exchange(f, &a, &pivot, f->rows, f->cols - f->rows, 0, f->rows);
    if (!status && f->cols > f->rows)
        status = solve_lower(f, &a, f->rows, true, &right, f->cols - f->rows);
    return status ? status : ash__gpu_factor_spoil(f, &a, &pivot);
}

/* Pivots come from the caller: rows that are not there must not be touched. */
static ash_status check_pivots(factoring *f, const matrix *pivot)
{
    int32_t outside = 0;
    matrix flag = {{0}, NULL};
    parameters p = {.rows = f->rows};
    ash_status status = ash__gpu_upload(&f->work, &outside, sizeof outside, &flag.memory);
    if (!status)
        status = ash__gpu_factor_launch(f, CHECK, &p, pivot, NULL, pivot, &flag, 0);
    if (!status)
        status = ash__gpu_fetch(&f->work, flag.memory, 0, &outside, sizeof outside);
    return !status && outside ? ash__fail(ASH_ERR_VALUE, f->work.function, "a pivot is not a row at or below its own") : status;
}

static ash_status run_lu_solve(factoring *f)
{
    matrix lu = matrix_of(f, GIVEN);
    const matrix pivot = vector_of(f), b = matrix_of(f, OUT), up = backwards(&b, f->rows, false);
    lu.is.conjugated = f->say->conjugated;
    const matrix upper = backwards(&lu, f->rows, true);
    ash_status status = check_pivots(f, &pivot);
    if (!status && ash__gpu_solve_theirs(f, &lu, &pivot, &b, &status))
        return status;
    if (!status && f->rows > PANEL)
        status = reserve(f, f->rows, f->cols, f->rows);
    if (!status)
        status = ash__gpu_factor_exchange(f, &b, &pivot, 0, f->cols, 0, f->rows);
    if (!status)
        status = solve_lower(f, &lu, f->rows, true, &b, f->cols);
    return status ? status : solve_lower(f, &upper, f->rows, false, &up, f->cols);
}

static ash_status run_triangular(factoring *f)
{
    matrix a = matrix_of(f, GIVEN), b = matrix_of(f, OUT);
    ash_status status;
    a.is.conjugated = f->say->conjugated;
    if (ash__gpu_solve_theirs(f, &a, NULL, &b, &status))
        return status;
    if (f->say->upper) {
        a = backwards(&a, f->rows, true);
        b = backwards(&b, f->rows, false);
    }
    status = f->rows > PANEL ? reserve(f, f->rows, f->cols, f->rows) : ASH_OK;
    return status ? status : solve_lower(f, &a, f->rows, f->say->unit, &b, f->cols);
}

/* ---- Cholesky */

/* c -= x x^H for n rows of x, k columns: at least the lower triangle. */
static ash_status subtract_square(factoring *f, const matrix *c, const matrix *x, int64_t n, int64_t k)
{
    ash_status status = ASH_OK;
    for (int64_t j = 0; j < n && !status; j += SQUARE) {
        const matrix below = part_of(c, j, j), left = part_of(x, j, 0), right = adjoint_of(f, &left);
        status = product(f, &below, &left, &right, n - j, k, smaller(SQUARE, n - j), -1, true);
    }
    return status;
}

static ash_status cholesky(factoring *f, const matrix *a, int64_t first, int64_t n)
{
    const matrix a11 = part_of(a, first, first);
    if (n <= PANEL) {
        parameters p = {.rows = n, .first = first};
        return ash__gpu_factor_launch(f, CHOLESKY, &p, &a11, NULL, NULL, NULL, 0);
    }
    const int64_t top = first_half(n), rest = n - top;
    const matrix a21 = part_of(a, first + top, first), a22 = part_of(a, first + top, first + top), right = transposed(&a21);
    matrix l11 = a11; /* X L^H = B is conj(L) X^T = B^T */
    l11.is.conjugated = ash__is_complex(f->dtype);
    ash_status status = cholesky(f, a, first, top);
    if (!status)
        status = solve_lower(f, &l11, top, false, &right, rest);
    if (!status)
        status = subtract_square(f, &a22, &a21, rest, top);
    return status ? status : cholesky(f, a, first + top, rest);
}

static ash_status run_cholesky(factoring *f)
{
    const matrix given = matrix_of(f, OUT), a = f->say->upper ? transposed(&given) : given;
    ash_status status;
    if (ash__gpu_factor_theirs(f, &a, NULL, &status))
        return status;
    status = ash__gpu_factor_fault(f, &a);
    if (!status && f->rows > PANEL)
        status = reserve(f, f->rows, f->rows, f->rows);
    if (!status)
        status = cholesky(f, &a, 0, f->rows);
    return status ? status : ash__gpu_factor_spoil(f, &a, NULL);
}

/* ---- QR */

static ash_status take_reflectors(factoring *f)
{
    ash_status status = ash__gpu_factor_room(f, f->rows, PANEL, &f->panel);
    if (!status)
        status = ash__gpu_factor_room(f, PANEL, PANEL, &f->joined);
    for (int k = 0; k < 2 && !status; k++)
        status = ash__gpu_factor_room(f, PANEL, f->cols, &f->apart[k]);
    return status ? status : reserve(f, f->rows, f->cols, f->rows > PANEL ? f->rows : PANEL);
}

/* c -= V T V^H c, with adjoint c -= V T^H V^H c, for c of so many rows and columns. */
static ash_status apply_block(factoring *f, const matrix *c, int64_t rows, int64_t width, int64_t cols, bool adjoint)
{
    const matrix v_adjoint = adjoint_of(f, &f->panel), t_adjoint = adjoint_of(f, &f->joined);
    ash_status status = product(f, &f->apart[0], &v_adjoint, c, width, rows, cols, 1, false);
    if (!status)
        status = product(f, &f->apart[1], adjoint ? &t_adjoint : &f->joined, &f->apart[0], width, width, cols, 1, false);
    return status ? status : product(f, c, &f->panel, &f->apart[1], rows, width, cols, -1, true);
}

static ash_status run_qr(factoring *f)
{
    const matrix a = matrix_of(f, OUT), tau = vector_of(f);
    const int64_t steps = smaller(f->rows, f->cols);
    ash_status status;
    if (ash__gpu_factor_theirs(f, &a, &tau, &status))
        return status;
    status = take_reflectors(f);
    if (!status)
        status = ash__gpu_factor_fault(f, &a);
    for (int64_t first = 0; first < steps && !status; first += PANEL) {
        const int64_t width = smaller(PANEL, steps - first), rows = f->rows - first;
        const matrix panel = part_of(&a, first, first), own = part_of(&tau, first, 0), rest = part_of(&a, first, first + width);
        parameters p = {.rows = rows, .cols = width, .first = first};
        status = ash__gpu_factor_launch(f, REFLECT, &p, &panel, &f->joined, &own, &f->panel, 0);
        if (!status && first + width < f->cols)
            status = apply_block(f, &rest, rows, width, f->cols - first - width, true);
    }
    return status;
}

static ash_status run_reflect(factoring *f)
{
    const matrix v = matrix_of(f, GIVEN), tau = vector_of(f), c = matrix_of(f, OUT);
    const int64_t count = f->task->count, blocks = ash__gpu_parts(count, PANEL);
    ash_status status = take_reflectors(f);
    for (int64_t b = 0; b < blocks && !status; b++) {
        const int64_t first = (f->say->adjoint ? b : blocks - 1 - b) * PANEL, width = smaller(PANEL, count - first);
        const matrix panel = part_of(&v, first, first), own = part_of(&tau, first, 0), part = part_of(&c, first, 0);
        parameters p = {.rows = f->rows - first, .cols = width};
        status = ash__gpu_factor_launch(f, JOIN, &p, &panel, &f->joined, &own, &f->panel, 0);
        if (!status)
            status = apply_block(f, &part, f->rows - first, width, f->cols, f->say->adjoint);
    }
    return status;
}

/* ---- the task */

static bool is_solve(const factoring *f)
{
    return f->say->op == ASH__FACTOR_LU_SOLVE || f->say->op == ASH__FACTOR_REFLECT || f->say->op == ASH__FACTOR_TRIANGULAR;
}

/* The spans of the batch; NULL where there is none. */
static void set_spans(const factoring *f, const ash__span *span[4])
{
    const ash__task *const t = f->task;
    const bool has_vector = f->say->op != ASH__FACTOR_CHOLESKY && f->say->op != ASH__FACTOR_TRIANGULAR;
    span[OUT] = &t->out;
    span[GIVEN] = is_solve(f) ? &t->operand[0] : NULL;
    span[VECTOR] = !has_vector ? NULL : is_solve(f) ? &t->operand[1] : &t->value;
    span[INFO] = is_solve(f) ? NULL : &f->say->info;
}

static void touch(factoring *f, const ash__span *const span[4])
{
    const int64_t rank = f->task->rank;
    int64_t shape[ASH_MAX_RANK];
    for (int k = 0; k < 4; k++) {
        if (!span[k])
            continue;
        memcpy(shape, f->task->shape, (size_t)rank * sizeof *shape);
        if (k == GIVEN)
            shape[rank - 1] = f->say->op == ASH__FACTOR_REFLECT ? f->task->count : f->rows;
        if (k >= VECTOR)
            shape[rank - 1] = 1;
        if (k == VECTOR)
            shape[rank - 2] = f->say->op == ASH__FACTOR_REFLECT    ? f->task->count
                              : f->say->op == ASH__FACTOR_LU_SOLVE ? f->rows
                                                                   : smaller(f->rows, f->cols);
        if (k == INFO)
            ash__gpu_touch(&f->work, span[k], shape, rank - 2, true);
        else if (shape[rank - 1] && shape[rank - 2])
            ash__gpu_touch(&f->work, span[k], shape, rank, k == OUT || (k == VECTOR && !is_solve(f)));
    }
}

static const char *lacks(factoring *f, const ash__span *const span[4])
{
    const ash__span *given[4];
    for (int k = 0; k < 4; k++) {
        given[k] = span[k] ? span[k] : span[OUT];
        if (!ash__gpu_span_aligned(given[k], k == INFO && span[k] ? f->task->rank - 2 : f->task->rank))
            return "elements lie at odd addresses";
    }
    const char *const why = ash__gpu_batch_set(&f->at, f->task->shape, f->task->rank - 2, 4, given);
    if (why)
        return why;
    touch(f, span);
    return ash__gpu_unreachable(&f->work);
}

static ash_status run(factoring *f)
{
    switch (f->say->op) {
    case ASH__FACTOR_LU:
        return run_lu(f);
    case ASH__FACTOR_LU_SOLVE:
        return run_lu_solve(f);
    case ASH__FACTOR_CHOLESKY:
        return run_cholesky(f);
    case ASH__FACTOR_QR:
        return run_qr(f);
    case ASH__FACTOR_REFLECT:
        return f->task->count ? run_reflect(f) : ASH_OK;
    case ASH__FACTOR_TRIANGULAR:
    default:
        return run_triangular(f);
    }
}

ash_status ash__gpu_factor(ash_resources *resources, const ash__task *task, const char **why)
{
    const ash__span *span[4];
    factoring f = {.work = ash__gpu_work_of(resources, task->function),
                   .task = task,
                   .say = task->factor,
                   .dtype = task->out.dtype,
                   .alone = ash__gpu_one_by_one(resources->device->state),
                   .members = ash__count(task->shape, task->rank - 2),
                   .rows = task->shape[task->rank - 2],
                   .cols = task->shape[task->rank - 1],
                   .item = (int64_t)ash_dtype_size(task->out.dtype)};
    if (!f.members)
        return ASH_OK;
    if (!f.rows || !f.cols) {
        *why = "there is nothing to compute";
        return ASH_OK;
    }
    set_spans(&f, span);
    if ((*why = lacks(&f, span)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&f.work);
    for (int k = 0; k < 4; k++) {
        const ash__gpu_place place = ash__gpu_place_of(&f.work, span[k] ? span[k] : span[OUT]);
        f.memory[k] = place.memory;
        f.at.start[k] = place.start;
    }
    if (!status)
        status = run(&f);
    return ash__gpu_work_end(&f.work, status);
}
