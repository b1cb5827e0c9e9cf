/*
 * factor.c - factorizations and solves of a batch of matrices: one after the other, or shared among threads; a matrix alone has
 * the threads in its products. Neither changes a bit of the result.
 */
#include "backend/cpu/factor.h"

#include <math.h>
#include <stdatomic.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/threads.h"
#include "core/error.h"
#include "core/shape.h"

typedef struct batch {
    const ash__task *task;
    const struct ash__factor *say;
    int64_t members, parts;
    int threads; /* for each member's products */
    size_t block, triangle, right, part;
    char *work;
    atomic_bool failed, outside; /* for want of memory; a pivot is no row */
} batch;

/* ---- one member */

/* Where a span's matrix or vector of a member begins. */
static char *member_of(const batch *b, const ash__span *span, int64_t member)
{
    char *p = span->data;
    for (int64_t k = b->task->rank - 2; k-- > 0; member /= b->task->shape[k])
        p += member % b->task->shape[k] * span->stride[k];
    return p;
}

static ash__matrix matrix_of(const batch *b, const ash__span *span, int64_t member, int64_t rows, int64_t columns)
{
    const int64_t k = b->task->rank - 2;
    return (ash__matrix){
        .data = member_of(b, span, member), .rows = rows, .cols = columns, .row = span->stride[k], .col = span->stride[k + 1]};
}

/* The first element, going along rows, that is no finite number, as -1 - its row-major position; 0 when there is none. Of the
 * lower triangle alone when lower. */
static int64_t find_fault(const ash__factoring *f, const ash__matrix *a, bool lower)
{
    bool fault = false;
    if (a->row == (int64_t)f->item && a->col != (int64_t)f->item) { /* by columns, along which the elements lie */
        for (int64_t j = 0; j < a->cols && !fault; j++) {
            const int64_t first = lower ? j : 0, n = a->rows - first;
            fault = f->loop->finite(a->data + first * a->row + j * a->col, a->row, n) < n;
        }
        if (!fault)
            return 0;
    }
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t n = lower ? i + 1 : a->cols, finite = f->loop->finite(a->data + i * a->row, a->col, n);
        if (finite < n)
            return -1 - (i * a->cols + finite);
    }
    return 0;
}

/* Zeros above the diagonal. */
static void clear_above(const ash__factoring *f, const ash__matrix *a)
{
    const int64_t item = (int64_t)f->item;
    const bool by_columns = a->row == item; /* along which the elements lie */
    for (int64_t i = 0; i < a->rows; i++) {
        char *const p = by_columns ? a->data + i * a->col : a->data + i * a->row + (i + 1) * a->col;
        const int64_t n = by_columns ? i : a->cols - i - 1, step = by_columns ? a->row : a->col;
        if (step == item)
            memset(p, 0, (size_t)n * f->item);
        else
            for (int64_t j = 0; j < n; j++)
                memset(p + j * step, 0, f->item);
    }
}

/* What could not be factored must not pass for factors: NaN from row and column `first` on. */
static void spoil(const ash__factoring *f, const ash__matrix *a, int64_t first)
{
    const ash__element nan = ash__real_scalar(f, NAN);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = i < first ? first : 0; j < a->cols; j++)
            memcpy(a->data + i * a->row + j * a->col, &nan, f->item);
}

static int64_t lu(ash__factoring *f, const ash__matrix *a, char *pivot, int64_t step)
{
    const int64_t info = find_fault(f, a, false);
    if (!info)
        return ash__factor_lu(f, a, pivot, step);
    for (int64_t i = 0; i < a->rows && i < a->cols; i++)
        *(int64_t *)(void *)(pivot + i * step) = i;
    spoil(f, a, 0);
    return info;
}

static int64_t qr(ash__factoring *f, const ash__matrix *a, char *tau, int64_t step)
{
    const int64_t info = find_fault(f, a, false);
    if (!info)
        ash__factor_qr(f, a, tau, step);
    return info;
}

static int64_t cholesky(ash__factoring *f, const ash__matrix *a, bool upper)
{
    const ash__matrix transposed = ash__transposed(a), *const lower = upper ? &transposed : a;
    int64_t info = find_fault(f, lower, true);
    if (info && upper) { /* the position in a */
        const int64_t at = -1 - info, n = a->rows;
        info = -1 - (at % n * n + at / n);
    }
    if (!info)
        info = ash__factor_cholesky(f, lower);
    if (info)
        spoil(f, lower, info < 0 ? 0 : info - 1);
    clear_above(f, lower);
    return info;
}

static void solve_triangle(ash__factoring *f, const ash__matrix *a, const struct ash__factor *say, const ash__matrix *b)
{
    if (!say->upper) {
        ash__solve_lower(f, a, say->unit, b);
        return;
    }
    const ash__matrix lower = ash__reversed(a), backwards = ash__rows_reversed(b);
    ash__solve_lower(f, &lower, say->unit, &backwards);
}

/* They come from the caller: rows that are not there must not be touched. */
static bool pivots_fit(const char *pivot, int64_t step, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = *(const int64_t *)(const void *)(pivot + i * step);
        if (k < i || k >= n)
            return false;
    }
    return true;
}

static void run_member(batch *b, ash__factoring *f, int64_t member)
{
    const ash__task *const t = b->task;
    const int64_t rows = t->shape[t->rank - 2], columns = t->shape[t->rank - 1], k = t->rank - 2;
    const ash__matrix out = matrix_of(b, &t->out, member, rows, columns);
    int64_t info = 0;
    ash__matrix given = {0};
    if (b->say->op == ASH__FACTOR_LU_SOLVE || b->say->op == ASH__FACTOR_TRIANGULAR || b->say->op == ASH__FACTOR_REFLECT) {
        given = matrix_of(b, &t->operand[0], member, rows, b->say->op == ASH__FACTOR_REFLECT ? t->count : rows);
        given.conjugated = b->say->conjugated;
    }
    switch (b->say->op) {
    case ASH__FACTOR_LU:
        info = lu(f, &out, member_of(b, &t->value, member), t->value.stride[k]);
        break;
    case ASH__FACTOR_CHOLESKY:
        info = cholesky(f, &out, b->say->upper);
        break;
    case ASH__FACTOR_QR:
        info = qr(f, &out, member_of(b, &t->value, member), t->value.stride[k]);
        break;
    case ASH__FACTOR_LU_SOLVE:
        if (!pivots_fit(member_of(b, &t->operand[1], member), t->operand[1].stride[k], rows))
            b->outside = true;
        else
            ash__solve_lu(f, &given, member_of(b, &t->operand[1], member), t->operand[1].stride[k], &out);
        return;
    case ASH__FACTOR_REFLECT:
        ash__apply_reflectors(f, &given, member_of(b, &t->operand[1], member), t->operand[1].stride[k], b->say->adjoint, &out);
        return;
    case ASH__FACTOR_TRIANGULAR:
        solve_triangle(f, &given, b->say, &out);
        return;
    }
    *(int64_t *)(void *)member_of(b, &b->say->info, member) = info;
}

/* ---- the batch */

static void run_part(void *context, int64_t part)
{
    batch *const b = context;
    char *const work = b->work + (size_t)part * b->part;
    const ash_dtype dtype = b->task->out.dtype;
    const int64_t end = ash__part_start(b->members, part + 1, b->parts);
    ash__factoring f = {.loop = &ash__cpu_kernels()->factor->of[(ash__part(dtype) == ASH_F64) + 2 * ash__is_complex(dtype)],
                        .dtype = dtype,
                        .item = ash_dtype_size(dtype),
                        .threads = b->threads,
                        .triangle = work,
                        .right = work + b->triangle,
                        .block = work + b->triangle + b->right,
                        .more = work + b->triangle + b->right + b->block};
    for (int64_t member = ash__part_start(b->members, part, b->parts); member < end && !f.failed; member++)
        run_member(b, &f, member);
    if (f.failed)
        b->failed = true;
}

/* Working memory of one part. */
static void plan_work(batch *b)
{
    const int64_t rows = b->task->shape[b->task->rank - 2], columns = b->task->shape[b->task->rank - 1];
    const size_t item = ash_dtype_size(b->task->out.dtype);
    const ash__factor_op op = b->say->op;
    const bool reflects = op == ASH__FACTOR_QR || op == ASH__FACTOR_REFLECT;
    const int64_t width = op == ASH__FACTOR_REFLECT ? b->task->count : columns;
    const int64_t least = width < ASH__FACTOR_BLOCK ? width : ASH__FACTOR_BLOCK;
    const int64_t wide = columns < ASH__FACTOR_WIDE ? columns : ASH__FACTOR_WIDE;
    b->triangle = ash__round_up((size_t)(ASH__FACTOR_BLOCK * (ASH__FACTOR_BLOCK + ASH__FACTOR_PAD)) * item);
    b->right = ash__round_up((size_t)(ASH__FACTOR_BLOCK * (ASH__FACTOR_RIGHT + ASH__FACTOR_PAD)) * item);
    b->block = reflects || op == ASH__FACTOR_LU ? ash__round_up((size_t)((rows + ASH__FACTOR_PAD) * least) * item) : 0;
    b->part = b->triangle + b->right + b->block + (reflects ? ash__round_up((size_t)(2 * least * wide) * item) : 0);
}

ash_status ash__cpu_factor(const ash__task *task)
{
    const int64_t rows = task->shape[task->rank - 2], columns = task->shape[task->rank - 1];
    batch b = {.task = task, .say = task->factor, .members = ash__count(task->shape, task->rank - 2), .threads = 1};
    if (!b.members)
        return ASH_OK;
    const int64_t least = rows < columns ? rows : columns, elements = rows * columns;
    b.parts = b.members == 1 ? 1 : ash__parts_for(b.members * elements * 16, b.members * elements * (least + 8) / 8);
    b.parts = b.parts > b.members ? b.members : b.parts;
    if (b.members == 1)
        b.threads = (int)ash__thread_count();
    plan_work(&b);
    const size_t nbytes = b.part * (size_t)b.parts;
    b.work = ash__work_take(task, nbytes);
    if (!b.work)
        return ash__last_status();
    ash__parallel(b.parts, run_part, &b);
    ash__work_give(task, b.work, nbytes);
    if (b.outside)
        return ash__fail(ASH_ERR_VALUE, task->function, "a pivot is not a row at or below its own");
    return b.failed ? ash__fail(ASH_ERR_MEMORY, task->function, "no memory for a product of matrices") : ASH_OK;
}
