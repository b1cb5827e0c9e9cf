/*
 * factor_theirs.c - factorizations and triangular solves by a library of the device's maker, where the driver has one.
 *
 * It wants columns in order, and for solves rows or columns: what does not lie so is copied, and the result copied back. What
 * LAPACK's routines say and what a task says (backend/factor.h) differ: pivots are counted from 1, numbers that are not finite
 * go through unseen, and only a pivot that is exactly 0, or a minor that is not positive, is told. Our kernels do the rest.
 */
#include "backend/gpu/factoring.h"

typedef ash__gpu_factor_matrix matrix;
typedef ash__gpu_factor_parameters parameters;
typedef ash__gpu_factoring factoring;

/* The members of m as they lie, with columns in order where `turned`, else rows; false: they lie otherwise. */
static bool lies(const factoring *f, const matrix *m, int64_t rows, int64_t cols, bool turned, ash__gemm_matrix *to)
{
    const int64_t each = f->at.axes ? f->at.stride[0][m->is.span] : 0;
    int64_t lead;
    if (f->at.axes > 1 || each % f->item ||
        !(turned ? ash__gpu_rows_in_order(cols, rows, m->is.col, m->is.row, f->item, &lead)
                 : ash__gpu_rows_in_order(rows, cols, m->is.row, m->is.col, f->item, &lead)))
        return false;
    *to = (ash__gemm_matrix){.memory = m->memory,
                             .start = f->at.start[m->is.span] + m->is.at,
                             .lead = lead,
                             .each = each / f->item,
                             .turned = turned,
                             .conjugated = m->is.conjugated};
    return true;
}

/* As a copy will lie, which begins as m does until there is one: columns without gaps. */
static ash__gemm_matrix of_copy(const matrix *m, int64_t rows, int64_t cols)
{
    return (ash__gemm_matrix){.memory = m->memory, .lead = rows, .each = rows * cols, .turned = true};
}

static ash_status take_copy(factoring *f, int64_t rows, int64_t cols, matrix *copy, ash__gemm_matrix *to)
{
    const ash_status status = ash__gpu_factor_room(f, cols, rows, copy); /* not conjugated */
    copy->is.row = f->item;
    copy->is.col = rows * f->item;
    to->memory = copy->memory;
    return status;
}

/* lower: of that triangle, with a real diagonal. */
static ash_status copy(factoring *f, const matrix *from, const matrix *to, int64_t rows, int64_t cols, bool lower)
{
    parameters p = {.rows = rows, .cols = cols, .lower = lower};
    return ash__gpu_factor_launch(f, ASH__GPU_FACTOR_COPY, &p, from, NULL, NULL, to, rows);
}

/* ---- factorizations */

/* In `there`, which is a, or with `copied` a copy of it; what was found goes to vector and info. */
static ash_status factorize(factoring *f, ash__lapack *what, const matrix *a, const matrix *there, const matrix *vector,
                            bool copied)
{
    const bool lower = what->op == ASH__FACTOR_CHOLESKY;
    const int64_t steps = f->rows < f->cols ? f->rows : f->cols, each = what->op == ASH__FACTOR_LU ? 8 : f->item;
    matrix found = {.is = {.row = each, .member = each * steps}}, info = {.is = {.member = sizeof(int32_t)}};
    parameters p = {.steps = steps, .lower = lower, .spoils = what->op == ASH__FACTOR_LU};
    ash_status status = ash__gpu_scratch(&f->work, (size_t)(found.is.member * f->members), &found.memory);
    if (!status)
        status = ash__gpu_scratch(&f->work, (size_t)(info.is.member * f->members), &info.memory);
    if (!status)
        status = ash__gpu_factor_fault(f, a);
    if (!status && copied)
        status = copy(f, a, there, f->rows, f->cols, lower);
    what->vector = found.memory;
    what->info = info.memory;
    if (!status)
        status = ash__gpu_lapack(&f->work, what);
    if (!status && copied)
        status = copy(f, there, a, f->rows, f->cols, lower);
    if (!status)
        status = ash__gpu_factor_launch(f, ASH__GPU_FACTOR_TAKE, &p, a, &found, vector, &info, 0);
    return status || what->op == ASH__FACTOR_QR ? status : ash__gpu_factor_spoil(f, a, vector);
}

bool ash__gpu_factor_theirs(factoring *f, const matrix *a, const matrix *vector, ash_status *status)
{
    ash__lapack what = {.op = (int)f->say->op, .dtype = f->dtype, .rows = f->rows, .cols = f->cols, .count = f->members};
    const bool symmetric = what.op == ASH__FACTOR_CHOLESKY;
    matrix there = *a;
    size_t nbytes = 0;
    if (!f->work.gpu->driver->lapack)
        return false;
    const bool copied =
        (symmetric && ash__is_complex(f->dtype)) || /* whose diagonal has to become real */
        !(lies(f, a, f->rows, f->cols, true, &what.a) || (symmetric && lies(f, a, f->rows, f->cols, false, &what.a)));
    if (copied)
        what.a = of_copy(a, f->rows, f->cols);
    if (!ash__gpu_lapack_room(&f->work, &what, &nbytes, status))
        return false;
    if (!*status)
        *status = ash__gpu_scratch(&f->work, nbytes, &what.work);
    if (!*status && copied)
        *status = take_copy(f, f->rows, f->cols, &there, &what.a);
    if (!*status)
        *status = factorize(f, &what, a, &there, vector, copied);
    return true;
}

/* ---- triangles */

typedef struct solve {
    ash__trsm what;
    matrix a, b; /* or their copies */
    bool a_copied, b_copied;
} solve;

/* A conjugated a has to be turned where b is not, and the other way round. */
static void set_sides(solve *s, const factoring *f)
{
    ash__trsm *const t = &s->what;
    const bool plain = lies(f, &s->b, f->rows, f->cols, false, &t->b), conjugated = s->a.is.conjugated;
    s->b_copied = !plain && !lies(f, &s->b, f->rows, f->cols, true, &t->b);
    if (s->b_copied)
        t->b = of_copy(&s->b, f->rows, f->cols);
    s->a_copied = !((plain || !conjugated) && lies(f, &s->a, f->rows, f->rows, true, &t->a)) &&
                  !((!plain || !conjugated) && lies(f, &s->a, f->rows, f->rows, false, &t->a));
    if (s->a_copied)
        t->a = of_copy(&s->a, f->rows, f->rows);
}

static ash_status copy_sides(solve *s, factoring *f)
{
    const matrix a = s->a, b = s->b;
    ash_status status = s->a_copied ? take_copy(f, f->rows, f->rows, &s->a, &s->what.a) : ASH_OK;
    if (!status && s->a_copied)
        status = copy(f, &a, &s->a, f->rows, f->rows, false);
    if (!status && s->b_copied)
        status = take_copy(f, f->rows, f->cols, &s->b, &s->what.b);
    return !status && s->b_copied ? copy(f, &b, &s->b, f->rows, f->cols, false) : status;
}

bool ash__gpu_solve_theirs(factoring *f, const matrix *a, const matrix *pivot, const matrix *b, ash_status *status)
{
    solve s = {.what = {.dtype = f->dtype,
                        .upper = !pivot && f->say->upper,
                        .unit = pivot || f->say->unit,
                        .rows = f->rows,
                        .cols = f->cols,
                        .count = f->members},
               .a = *a,
               .b = *b};
    size_t none = 0;
    if (!f->work.gpu->driver->trsm)
        return false;
    set_sides(&s, f);
    if (!ash__gpu_trsm_room(&f->work, &s.what, &none, status))
        return false;
    if (!*status && pivot)
        *status = ash__gpu_factor_exchange(f, b, pivot, 0, f->cols, 0, f->rows);
    if (!*status)
        *status = copy_sides(&s, f);
    if (!*status)
        *status = ash__gpu_trsm(&f->work, &s.what);
    s.what.upper = true;
    s.what.unit = false;
    if (!*status && pivot)
        *status = ash__gpu_trsm(&f->work, &s.what);
    if (!*status && s.b_copied)
        *status = copy(f, &s.b, b, f->rows, f->cols, false);
    return true;
}
