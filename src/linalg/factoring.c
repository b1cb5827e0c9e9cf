/* factoring.c - what the factorizations and solves share: see factoring.h. */
#include "linalg/factoring.h"

#include <math.h>
#include <stdio.h>

#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "ops/place.h"
#include "ops/run.h"

ash_dtype ash__factor_dtype(ash_dtype dtype)
{
    const ash_dtype part = ash__part(dtype);
    if (!ash__is_real(part))
        return ASH_DTYPE_DEFAULT;
    const ash_dtype computed = !ash__is_float(part) || part == ASH_F64 ? ASH_F64 : ASH_F32;
    return ash__is_complex(dtype) ? ash__complex_of(computed) : computed;
}

ash_status ash__check_matrix(const ash__factor_call *c, const char *name, const ash_array *a, bool square)
{
    const ash_status status = ash__check_matrices(c->function, name, a, square);
    if (status)
        return status;
    if (!ash__factor_dtype(a->dtype))
        return ash__fail(ASH_ERR_DTYPE, c->function, "%s is %s; numbers are wanted", name, ash_dtype_name(a->dtype));
    return ASH_OK;
}

/* ---- arrays */

ash_array *ash__factor_new(const ash__factor_call *c, const ash_array *like, ash_dtype dtype, const int64_t *shape,
                           int64_t rank, ash_layout layout)
{
    const ash__make make = {.resources = ash__resources_on(c->function, ash__device(like), c->given),
                            .dtype = dtype,
                            .layout = layout,
                            .storage = like->storage,
                            .memory = like->buffer->memory};
    return make.resources ? ash__array_new(c->function, (ash_dims){shape, rank}, &make) : NULL;
}

ash_array *ash__factor_copy(const ash__factor_call *c, const ash_array *a, ash_dtype dtype)
{
    ash_array *const copy = ash__factor_new(c, a, dtype, a->shape, a->rank, ash__layout_like(a));
    return copy && !ash__convert_elements(c->function, copy, a, false, c->given) ? copy : NULL;
}

ash_array *ash__factor_beside(const ash__factor_call *c, const ash_array *a, ash_dtype dtype, const int64_t *tail,
                              int64_t count)
{
    int64_t shape[ASH_MAX_RANK];
    memcpy(shape, a->shape, (size_t)(a->rank - 2) * sizeof *shape);
    for (int64_t k = 0; k < count; k++)
        shape[a->rank - 2 + k] = tail[k];
    return ash__factor_new(c, a, dtype, shape, a->rank - 2 + count, ASH_LAYOUT_DEFAULT);
}

ash_array *ash__factor_part(const ash__factor_call *c, const ash_array *a, int64_t row, int64_t rows, int64_t column,
                            int64_t columns)
{
    int64_t shape[ASH_MAX_RANK];
    const int64_t k = a->rank - 2;
    memcpy(shape, a->shape, (size_t)a->rank * sizeof *shape);
    shape[k] = rows;
    shape[k + 1] = columns;
    return ash__view(c->function, a, a->dtype, shape, a->stride, a->rank,
                     a->offset + row * a->stride[k] + column * a->stride[k + 1]);
}

ash_array *ash__factor_turned(const ash__factor_call *c, const ash_array *a, bool adjoint)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    const int64_t k = a->rank - 2;
    memcpy(shape, a->shape, (size_t)a->rank * sizeof *shape);
    memcpy(stride, a->stride, (size_t)a->rank * sizeof *stride);
    shape[k] = a->shape[k + 1], shape[k + 1] = a->shape[k];
    stride[k] = a->stride[k + 1], stride[k + 1] = a->stride[k];
    ash_array *const turned = ash__view(c->function, a, a->dtype, shape, stride, a->rank, a->offset);
    if (turned && adjoint)
        turned->conjugated = !a->conjugated;
    return turned;
}

ash_array *ash__factor_diagonal(const ash__factor_call *c, const ash_array *a)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    const int64_t k = a->rank - 2;
    memcpy(shape, a->shape, (size_t)a->rank * sizeof *shape);
    memcpy(stride, a->stride, (size_t)a->rank * sizeof *stride);
    shape[k] = ash__steps_of(a);
    stride[k] = a->stride[k] + a->stride[k + 1];
    return ash__view(c->function, a, a->dtype, shape, stride, a->rank - 1, a->offset);
}

ash_status ash__factor_unit(const ash__factor_call *c, ash_array *a)
{
    static const float one_f32[2] = {1, 0};
    static const double one_f64[2] = {1, 0};
    ash_array *const diagonal = ash__factor_diagonal(c, a);
    const void *const one = ash__part(a->dtype) == ASH_F32 ? (const void *)one_f32 : one_f64;
    return diagonal ? ash__fill_elements(c->function, diagonal, one, c->given) : ash__last_status();
}

ash_array *ash__factor_identity(const ash__factor_call *c, const ash_array *like, ash_dtype dtype, int64_t rows,
                                int64_t columns)
{
    const int64_t tail[2] = {rows, columns};
    ash_array *const e = ash__factor_beside(c, like, dtype, tail, 2);
    return e && !ash__fill_zeros(c->function, e, c->given) && !ash__factor_unit(c, e) ? e : NULL;
}

/* ---- tasks */

/* Strides of an operand over the axes of a task: batch axes from the last, missing ones and those of size 1 have 0. */
static ash__span span_over(const ash_array *out, const ash_array *a, bool vector, int64_t *stride)
{
    const int64_t batch = out->rank - 2, own = a->rank - (vector ? 1 : 2);
    for (int64_t k = 0; k < batch; k++) {
        const int64_t from = k - (batch - own);
        stride[k] = from < 0 || a->shape[from] == 1 ? 0 : a->stride[from];
    }
    stride[batch] = a->stride[own];
    stride[batch + 1] = vector ? 0 : a->stride[own + 1];
    return (ash__span){.buffer = a->buffer, .data = ash__data(a), .stride = stride, .dtype = a->dtype};
}

/* info: i64 over the batch axes of out; NULL where there is none. */
static ash_status run(const ash__factor_call *c, const ash__factor_work *work, const ash_array *info)
{
    int64_t stride[3][ASH_MAX_RANK];
    ash_resources *const r = ash__resources_on(c->function, ash__device(work->out), c->given);
    struct ash__factor say = work->say;
    ash__span operand[2];
    ash__task task = {.kind = ASH__TASK_FACTOR,
                      .function = c->function,
                      .rank = work->out->rank,
                      .shape = work->out->shape,
                      .operand_count = work->operand[1] ? 2 : 1,
                      .operand = operand,
                      .out = ash__span_of(work->out),
                      .count = work->count,
                      .factor = &say};
    if (!r)
        return ash__last_status();
    operand[0] = work->operand[0] ? span_over(work->out, work->operand[0], false, stride[0]) : task.out;
    if (work->operand[1])
        operand[1] = span_over(work->out, work->operand[1], true, stride[1]);
    if (work->value)
        task.value = span_over(work->out, work->value, true, stride[2]);
    if (info)
        say.info = ash__span_of(info);
    return ash__run_on(r, &task);
}

ash_status ash__factor_run(const ash__factor_call *c, const ash__factor_work *work)
{
    return work->out->size ? run(c, work, NULL) : ASH_OK;
}

/* ---- what the numbers do wrong */

/* "(1, 2)" of a batch member's index, then a matrix element's. */
static void put_index(char *text, size_t size, const ash_array *a, int64_t member, const int64_t *element)
{
    int64_t index[ASH_MAX_RANK];
    ash__index_at(ASH_ROW_MAJOR, a->shape, a->rank - 2, member, index);
    if (element)
        memcpy(index + a->rank - 2, element, 2 * sizeof *element);
    ash__shape_text(text, size, index, a->rank - (element ? 0 : 2));
}

/* What is no finite number, as a word. */
static const char *word_for(const ash_array *a, const int64_t *index)
{
    double value[2] = {NAN, 0};
    const char *p = ash__data(a);
    for (int64_t k = 0; k < a->rank; k++)
        p += index[k] * a->stride[k];
    char element[16];
    if (ash__host_get("", a, p, ASH__ASKED, element) == ASH_OK)
        ash__convert_run((char *)value, 16, ASH_C_F64, element, 0, a->dtype, 1, false);
    const double x = isfinite(value[0]) ? value[1] : value[0];
    return isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
}

static ash_status fail_finite(const ash__factor_call *c, ash__factor_op op, const ash_array *a, int64_t member,
                              int64_t position)
{
    char text[ASH__SHAPE_TEXT];
    int64_t index[ASH_MAX_RANK];
    const int64_t columns = a->shape[a->rank - 1], element[2] = {position / columns, position % columns};
    put_index(text, sizeof text, a, member, element);
    ash__index_at(ASH_ROW_MAJOR, a->shape, a->rank - 2, member, index);
    memcpy(index + a->rank - 2, element, sizeof element);
    if (op == ASH__FACTOR_CHOLESKY)
        return ash__fail(ASH_ERR_VALUE, c->function,
                         "a is not positive definite at order %lld: element %s, %s, is not a finite number",
                         (long long)(element[0] > element[1] ? element[0] : element[1]) + 1, text, word_for(a, index));
    return ash__fail(ASH_ERR_VALUE, c->function, "element %s, %s, is not a finite number", text, word_for(a, index));
}

static ash_status fail_info(const ash__factor_call *c, ash__factor_op op, const ash_array *a, int64_t member, int64_t info)
{
    char text[ASH__SHAPE_TEXT], whose[ASH__SHAPE_TEXT + 16] = "a";
    if (info < 0)
        return fail_finite(c, op, a, member, -1 - info);
    if (a->rank > 2) {
        put_index(text, sizeof text, a, member, NULL);
        snprintf(whose, sizeof whose, "member %s of a", text);
    }
    return op == ASH__FACTOR_LU
               ? ash__fail(ASH_ERR_VALUE, c->function, "%s is singular at pivot %lld", whose, (long long)info)
               : ash__fail(ASH_ERR_VALUE, c->function, "%s is not positive definite at order %lld", whose, (long long)info);
}

ash_status ash__factor_in_place(const ash__factor_call *c, ash__factor_op op, bool upper, const ash_array *a, ash_array *out,
                                ash_array *value, ash__factor_check check)
{
    const ash__factor_work work = {.say = {.op = op, .upper = upper}, .out = out, .value = value};
    const int64_t members = ash__count(out->shape, out->rank - 2);
    if (!out->size)
        return ASH_OK;
    ash_array *const info = ash__factor_beside(c, out, ASH_I64, NULL, 0);
    if (!info || run(c, &work, info))
        return ash__last_status();
    if (check == ASH__CHECK_NONE)
        return ASH_OK;
    ash__host h;
    ash_status status = ash__host_open(&h, c->function, info, ASH__READ | ASH__OWN);
    for (int64_t k = 0; k < members && !status; k++) {
        const int64_t fault = ((const int64_t *)(const void *)h.data)[k];
        if (fault < 0 || (fault && check == ASH__CHECK_ALL))
            status = fail_info(c, op, a, k, fault);
    }
    return ash__host_close(&h, status);
}

/* ---- right sides */

ash_dtype ash__right_dtype(const ash__factor_call *c, const ash_array *a, const ash_array *b)
{
    if (ash__device(a) != ash__device(b)) {
        ash__fail(ASH_ERR_DEVICE, c->function, "b is on %s and a on %s; copy it there", ash__device(b)->name,
                  ash__device(a)->name);
        return ASH_DTYPE_DEFAULT;
    }
    const ash_dtype x = ash__factor_dtype(a->dtype), y = ash__factor_dtype(b->dtype);
    if (!y) {
        ash__fail(ASH_ERR_DTYPE, c->function, "b is %s; numbers are wanted", ash_dtype_name(b->dtype));
        return ASH_DTYPE_DEFAULT;
    }
    /* integers give way to the floats of the other */
    return x == y ? x : ash__factor_dtype(ash_dtype_promote(a->dtype, b->dtype));
}

ash_status ash__right_column(const ash__factor_call *c, ash__right *r)
{
    int64_t shape[ASH_MAX_RANK + 1], stride[ASH_MAX_RANK + 1];
    const int64_t rank = r->x->rank;
    memcpy(shape, r->x->shape, (size_t)rank * sizeof *shape);
    memcpy(stride, r->x->stride, (size_t)rank * sizeof *stride);
    shape[rank] = 1;
    stride[rank] = (int64_t)ash_dtype_size(r->x->dtype);
    r->matrix = r->vector ? ash__view(c->function, r->x, r->x->dtype, shape, stride, rank + 1, r->x->offset) : r->x;
    return r->matrix ? ASH_OK : ash__last_status();
}

ash_status ash__right_begin(ash__right *r, const ash__factor_call *c, const char *name, const ash_array *a, int64_t rows,
                            const ash_array *b, ash_dtype dtype)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = a->rank - 2;
    const bool vector = b->rank == 1;
    const int64_t own = b->rank - (vector ? 1 : 2); /* batch axes of b */
    if (b->rank < 1 || b->shape[own] != rows)
        return ash__fail(ASH_ERR_SHAPE, c->function, "b has shape %s and %s %s; %lld rows are wanted", ash_shape_text(b), name,
                         ash_shape_text(a), (long long)rows);
    memcpy(shape, a->shape, (size_t)rank * sizeof *shape);
    const ash_status status = ash__broadcast(c->function, 1, shape, &rank, b->shape, own);
    if (status)
        return status;
    for (int64_t k = own; k < b->rank; k++)
        shape[rank + k - own] = b->shape[k];
    const int64_t full = rank + b->rank - own;
    const bool same = full == b->rank && ash__count(shape, full) == b->size;
    r->vector = vector;
    const ash_array *const like = a->storage == ASH_SHARED ? a : b; /* shared wins */
    r->x = ash__factor_new(c, like, dtype, shape, full, same ? ash__layout_like(b) : ASH_ROW_MAJOR);
    ash_array *const plain = r->x ? ash__plain(c->function, b, dtype, false, c->given) : NULL;
    if (!plain)
        return ash__last_status();
    for (int64_t k = 0; k < full; k++) {
        const int64_t from = k - (rank - own);
        stride[k] = from < 0 || (from < own && b->shape[from] == 1) ? 0 : plain->stride[from];
    }
    const ash_status copied = ash__copy_strided(c->function, r->x, shape, full, ash__data(r->x), r->x->stride, plain,
                                                ash__data(plain), stride, c->given);
    ash_release(plain);
    return copied ? copied : ash__right_column(c, r);
}

ash_array *ash__right_top(const ash__factor_call *c, const ash__right *r, int64_t n)
{
    int64_t shape[ASH_MAX_RANK];
    const int64_t rank = r->x->rank;
    memcpy(shape, r->x->shape, (size_t)rank * sizeof *shape);
    shape[rank - (r->vector ? 1 : 2)] = n;
    ash_array *const top = ash__view(c->function, r->x, r->x->dtype, shape, r->x->stride, rank, r->x->offset);
    return top ? ash__factor_copy(c, top, top->dtype) : NULL;
}

ash_status ash__right_into(const ash__factor_call *c, ash_array *out, const ash_array *x)
{
    ash_status status = ash__check_writable(c->function, "out", out);
    if (status)
        return status;
    if (ash__device(out) != ash__device(x))
        return ash__fail(ASH_ERR_DEVICE, c->function, "out is on %s and b on %s", ash__device(out)->name, ash__device(x)->name);
    if (!ash_same_shape(out, x))
        return ash__fail(ASH_ERR_SHAPE, c->function, "out has shape %s; %s is wanted", ash_shape_text(out), ash_shape_text(x));
    if (ash_dtype_promote(x->dtype, out->dtype) != out->dtype)
        return ash__fail(ASH_ERR_DTYPE, c->function, "out is %s; the result is %s", ash_dtype_name(out->dtype),
                         ash_dtype_name(x->dtype));
    return ash__convert_elements(c->function, out, x, false, c->given);
}
