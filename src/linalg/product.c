/*
 * product.c - two operands of a product, checked and brought to one batch of matrices.
 *
 * A vector is a matrix with one row or one column, a diagonal one whose step along rows is 0; leading axes are joined as those
 * of a map are. What is left is one task. Into a conjugated array goes the product of the conjugates.
 */
#include "linalg/product.h"

#include <string.h>

#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "core/operand.h"
#include "ops/operands.h"
#include "ops/run.h"

static const char *const names[2] = {"a", "b"};

/* ---- the operands one by one */

static int64_t own_axes(ash__factor_kind kind)
{
    return kind == ASH__FACTOR_MATRIX ? 2 : 1;
}

static ash_status check_structure(ash__factors *f, int k, ash_structure s)
{
    const ash_array *const a = f->factor[k];
    f->structure[k] = s ? s : ASH_GENERAL;
    if (s < 0 || s > ASH_DIAGONAL)
        return ash__fail(ASH_ERR_ARGUMENT, f->function, ".%s_structure is %d, which is none", names[k], (int)s);
    if (s == ASH_DIAGONAL) {
        f->kind[k] = ASH__FACTOR_DIAGONAL;
        return ASH_OK;
    }
    if (s <= ASH_GENERAL || (a->rank > 1 && a->shape[a->rank - 1] == a->shape[a->rank - 2]))
        return ASH_OK;
    return ash__fail_operand(ASH_ERR_SHAPE, f->function, k, "%s has shape %s; with .%s_structure it must be square", names[k],
                             ash_shape_text(a), names[k]);
}

static ash_status check_arrays(ash__factors *f, const ash_array *out, ash_resources *given)
{
    const ash_array *const *const x = f->factor;
    for (int k = 0; k < 2; k++) {
        const ash_status status = ash__check_array(f->function, names[k], x[k]);
        if (status)
            return status;
        if (!x[k]->rank)
            return ash__fail_operand(ASH_ERR_SHAPE, f->function, k, "%s has shape (); a vector or a matrix is wanted",
                                     names[k]);
    }
    const ash_array *const first = out ? out : x[0];
    for (int k = 0; k < 2; k++)
        if (ash__device(x[k]) != ash__device(first))
            return ash__fail_operand(ASH_ERR_DEVICE, f->function, k, "%s is on %s and %s on %s", names[k],
                                     ash__device(x[k])->name, out ? "the output" : "a", ash__device(first)->name);
    f->dtype = x[0]->dtype == x[1]->dtype && x[0]->dtype < ASH_RECORD_FIRST ? x[0]->dtype
                                                                            : ash_dtype_promote(x[0]->dtype, x[1]->dtype);
    if (!f->dtype)
        return ash__fail(ASH_ERR_DTYPE, f->function, "a is %s and b is %s, which have no product", ash_dtype_name(x[0]->dtype),
                         ash_dtype_name(x[1]->dtype));
    f->resources = ash__resources_on(f->function, ash__device(first), given);
    return f->resources ? ASH_OK : ash__last_status();
}

/* ---- both together */

typedef struct sides {
    int64_t rows, cols;
    int64_t row, col; /* bytes */
} sides;

static sides sides_of(const ash__factors *f, int k)
{
    const ash_array *const a = f->factor[k];
    const int64_t last = a->shape[a->rank - 1], step = a->stride[a->rank - 1];
    switch (f->kind[k]) {
    case ASH__FACTOR_ROW:
        return (sides){1, last, 0, step};
    case ASH__FACTOR_COLUMN:
        return (sides){last, 1, step, 0};
    case ASH__FACTOR_DIAGONAL:
        return (sides){last, last, 0, step};
    default:
        return (sides){a->shape[a->rank - 2], last, a->stride[a->rank - 2], step};
    }
}

static ash_status join_batch(ash__factors *f)
{
    int64_t rank = 0;
    for (int k = 0; k < 2; k++) {
        const ash_array *const a = f->factor[k];
        const int64_t leading = a->rank - own_axes(f->kind[k]);
        if (!leading)
            continue;
        const ash_status status = ash__broadcast(f->function, k, f->shape, &rank, a->shape, leading);
        if (status)
            return status;
    }
    f->rank = rank + 2;
    if (f->rank > ASH_MAX_RANK)
        return ash__fail(ASH_ERR_SHAPE, f->function, "the result would have rank %lld; ranks 0 to %d are supported",
                         (long long)f->rank, ASH_MAX_RANK);
    for (int k = 0; k < 2; k++) {
        const ash_array *const a = f->factor[k];
        const int64_t leading = a->rank - own_axes(f->kind[k]), missing = rank - leading;
        for (int64_t axis = 0; axis < rank; axis++)
            f->stride[k][axis] = axis < missing || a->shape[axis - missing] == 1 ? 0 : a->stride[axis - missing];
    }
    return ASH_OK;
}

static ash_status join(ash__factors *f)
{
    const sides a = sides_of(f, 0), b = sides_of(f, 1);
    if (a.cols != b.rows)
        return ash__fail_operand(ASH_ERR_SHAPE, f->function, 1, "a has shape %s and b %s: the inner sizes %lld and %lld differ",
                                 ash_shape_text(f->factor[0]), ash_shape_text(f->factor[1]), (long long)a.cols,
                                 (long long)b.rows);
    const ash_status status = join_batch(f);
    if (status)
        return status;
    const int64_t batch = f->rank - 2;
    const bool row = f->kind[0] != ASH__FACTOR_ROW, column = f->kind[1] != ASH__FACTOR_COLUMN;
    f->inner = a.cols;
    f->shape[batch] = a.rows;
    f->shape[batch + 1] = b.cols;
    f->stride[0][batch] = a.row;
    f->stride[0][batch + 1] = a.col;
    f->stride[1][batch] = b.row;
    f->stride[1][batch + 1] = b.col;
    for (f->out_rank = 0; f->out_rank < batch; f->out_rank++)
        f->out_shape[f->out_rank] = f->shape[f->out_rank];
    if (row)
        f->out_shape[f->out_rank++] = a.rows;
    if (column)
        f->out_shape[f->out_rank++] = b.cols;
    return ASH_OK;
}

ash_status ash__factors_begin(ash__factors *f, const char *function, const ash_array *a, const ash_array *b,
                              ash_structure a_structure, ash_structure b_structure, const ash_array *out, ash_resources *given)
{
    f->function = function;
    f->factor[0] = a;
    f->factor[1] = b;
    ash_status status = check_arrays(f, out, given);
    if (status)
        return status;
    f->kind[0] = a->rank == 1 ? ASH__FACTOR_ROW : ASH__FACTOR_MATRIX;
    f->kind[1] = b->rank == 1 ? ASH__FACTOR_COLUMN : ASH__FACTOR_MATRIX;
    f->conjugated[0] = a->conjugated;
    f->conjugated[1] = b->conjugated;
    if (!(status = check_structure(f, 0, a_structure)) && !(status = check_structure(f, 1, b_structure)))
        status = join(f);
    return status;
}

ash_status ash__factors_vectors(ash__factors *f, const char *function, const ash_array *a, const ash_array *b,
                                ash__factor_kind a_kind, ash__factor_kind b_kind, ash_resources *given)
{
    f->function = function;
    f->factor[0] = a;
    f->factor[1] = b;
    const ash_status status = check_arrays(f, NULL, given);
    if (status)
        return status;
    for (int k = 0; k < 2; k++)
        if (f->factor[k]->rank != 1)
            return ash__fail_operand(ASH_ERR_SHAPE, function, k, "%s has shape %s; a vector is wanted", names[k],
                                     ash_shape_text(f->factor[k]));
    f->kind[0] = a_kind;
    f->kind[1] = b_kind;
    f->conjugated[0] = a->conjugated;
    f->conjugated[1] = b->conjugated;
    f->structure[0] = f->structure[1] = ASH_GENERAL;
    return join(f);
}

/* ---- factors alpha and beta */

static int kind_of(ash_dtype dtype)
{
    const ash_dtype part = ash__part(dtype);
    return (ash__is_complex(dtype) ? 2 : 0) + (ash__is_float(part) ? 1 : 0);
}

ash_status ash__scale_of(const char *function, const char *name, const ash_operand *value, const ash_array *out,
                         unsigned char element[16])
{
    unsigned char bytes[ASH__SCALAR_BYTES];
    ash_dtype dtype = value->dtype;
    if (value->kind == ASH_OPERAND_ARRAY) {
        const ash_array *const a = value->value.array;
        const ash_status status = ash__check_array(function, name, a);
        if (status)
            return status;
        if (a->size != 1)
            return ash__fail(ASH_ERR_SHAPE, function, "%s has shape %s; one element is wanted", name, ash_shape_text(a));
        dtype = a->dtype;
        if (!ash__is_record(dtype)) {
            if (ash__host_get(function, a, ash__data(a), ASH__READ, bytes))
                return ash__last_status();
            if (a->conjugated)
                ash__conjugate((char *)bytes, dtype, 1);
        }
    } else if (ash__scalar_needs_f64(value) && !ash__device(out)->f64) {
        return ash__fail_scalar(function, name, value, ash__device(out));
    } else {
        const ash_status status = ash__operand_bytes(function, value, bytes);
        if (status)
            return status;
    }
    if (ash__is_record(dtype) || (kind_of(dtype) & ~kind_of(out->dtype)))
        return ash__fail(ASH_ERR_DTYPE, function, "%s is %s, which does not convert to %s by itself", name,
                         ash_dtype_name(dtype), ash_dtype_name(out->dtype));
    memset(element, 0, 16);
    if (ash__convert_run((char *)element, 0, out->dtype, (const char *)bytes, 0, dtype, 1, false) != 1)
        return ash__convert_fail(function, NULL, 0, (const char *)bytes, dtype, out->dtype, false);
    return ASH_OK;
}

/* ---- the product */

static ash_status run(const ash__factors *f, const ash_array *out, const void *alpha, const void *beta)
{
    if (!out->size)
        return ASH_OK;
    const bool turned = out->conjugated;
    int64_t stride[ASH_MAX_RANK];
    const int64_t batch = f->rank - 2;
    for (int64_t k = 0, from = 0; k < f->rank; k++) /* the axes that vectors lack have one place */
        stride[k] = k < batch || (k == batch ? f->kind[0] != ASH__FACTOR_ROW : f->kind[1] != ASH__FACTOR_COLUMN)
                        ? out->stride[from++]
                        : 0;
    const struct ash__product product = {.inner = f->inner,
                                         .conjugated = {f->conjugated[0] != turned, f->conjugated[1] != turned},
                                         .structure = {f->structure[0], f->structure[1]},
                                         .alpha = alpha,
                                         .beta = beta};
    ash__span operand[2];
    for (int k = 0; k < 2; k++)
        operand[k] = (ash__span){f->factor[k]->buffer, ash__data(f->factor[k]), f->stride[k], f->factor[k]->dtype};
    const ash__task task = {.kind = ASH__TASK_PRODUCT,
                            .function = f->function,
                            .rank = f->rank,
                            .shape = f->shape,
                            .product = &product,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {out->buffer, ash__data(out), stride, out->dtype}};
    return ash__run_on(f->resources, &task);
}

/* dtype holds the product: it is what that promotes to. */
static ash_status check_dtype(const ash__factors *f, ash_dtype dtype, const char *name)
{
    if (dtype == f->dtype || ash_dtype_promote(dtype, f->dtype) == dtype)
        return ASH_OK;
    return ash__fail(ASH_ERR_DTYPE, f->function, "%s is %s, which does not hold the product of %s and %s, %s", name,
                     ash_dtype_name(dtype), ash_dtype_name(f->factor[0]->dtype), ash_dtype_name(f->factor[1]->dtype),
                     ash_dtype_name(f->dtype));
}

static bool has_shape(const ash_array *a, const int64_t *shape, int64_t rank)
{
    bool same = a->rank == rank;
    for (int64_t k = 0; same && k < rank; k++)
        same = a->shape[k] == shape[k];
    return same;
}

/* That of the first operand with the result's shape. Where neither has it, the layout they have in common. */
static ash_layout layout_for(const ash__factors *f)
{
    for (int k = 0; k < 2; k++)
        if (has_shape(f->factor[k], f->out_shape, f->out_rank))
            return ash__layout_like(f->factor[k]);
    return ash__layout_like(f->factor[0]) == ASH_COL_MAJOR && ash__layout_like(f->factor[1]) == ASH_COL_MAJOR ? ASH_COL_MAJOR
                                                                                                              : ASH_ROW_MAJOR;
}

ash_array *ash__factors_new(const ash__factors *f, ash_dtype dtype, ash_layout layout, ash_storage storage, ash_memory *memory)
{
    const ash_array *const a = f->factor[0], *const b = f->factor[1];
    const ash__make make = {.resources = f->resources,
                            .dtype = dtype ? dtype : f->dtype,
                            .layout = layout ? layout : layout_for(f),
                            .storage = storage                                                ? storage
                                       : a->storage == ASH_SHARED || b->storage == ASH_SHARED ? ASH_SHARED
                                                                                              : ASH_PRIVATE,
                            .memory = memory ? memory : a->buffer->memory};
    if (check_dtype(f, make.dtype, ".dtype"))
        return NULL;
    ash_array *out = ash__array_new(f->function, (ash_dims){f->out_shape, f->out_rank}, &make);
    if (out && run(f, out, NULL, NULL)) {
        ash_release(out);
        return NULL;
    }
    return out;
}

static ash_status check_output(const ash__factors *f, const ash_array *out)
{
    char wanted[ASH__SHAPE_TEXT];
    if (!has_shape(out, f->out_shape, f->out_rank))
        return ash__fail(ASH_ERR_SHAPE, f->function, "the output has shape %s, but a %s times b %s is %s", ash_shape_text(out),
                         ash_shape_text(f->factor[0]), ash_shape_text(f->factor[1]),
                         ash__shape_text(wanted, sizeof wanted, f->out_shape, f->out_rank));
    if (ash__may_overlap(out, f->factor[0]) || ash__may_overlap(out, f->factor[1]))
        return ash__fail(ASH_ERR_ARGUMENT, f->function, "output matrix must not be aliased with input matrix");
    return check_dtype(f, out->dtype, "the output");
}

ash_status ash__factors_into(const ash__factors *f, ash_array *out, const ash_operand *alpha, const ash_operand *beta)
{
    _Alignas(16) unsigned char scale[2][16];
    const ash_operand *const given[2] = {alpha, beta};
    static const char *const options[2] = {".alpha", ".beta"};
    ash_status status = check_output(f, out);
    for (int k = 0; k < 2 && !status; k++)
        if (given[k] && given[k]->kind) {
            status = ash__scale_of(f->function, options[k], given[k], out, scale[k]);
            if (!status && out->conjugated)
                ash__conjugate((char *)scale[k], out->dtype, 1);
        }
    return status ? status : run(f, out, alpha && alpha->kind ? scale[0] : NULL, beta && beta->kind ? scale[1] : NULL);
}
