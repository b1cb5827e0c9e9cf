/* from_host.c - arrays from host data: one block of elements, or rows. */
#include "core/convert.h"
#include "core/error.h"
#include "core/format.h"
#include "core/host.h"
#include "core/options.h"
#include "core/text.h"
#include "ops/task.h"

static ash__make make_of(const ash_convert_options *o, ash_dtype dtype)
{
    return (ash__make){.resources = o->resources,
                       .dtype = o->dtype ? o->dtype : dtype,
                       .layout = o->layout,
                       .storage = o->storage,
                       .memory = o->memory};
}

/* Byte strides of host data: those given in elements, else row-major. */
static ash_status host_strides(const char *function, ash_dims shape, ash_dims given, size_t item, int64_t *stride)
{
    if (!given.size && !given.rank) {
        ash__strides_for(ASH_ROW_MAJOR, shape.size, shape.rank, (int64_t)item, stride);
        return ASH_OK;
    }
    if (given.rank != shape.rank)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld strides for rank %lld", (long long)given.rank,
                         (long long)shape.rank);
    for (int64_t k = 0; k < shape.rank; k++)
        if (__builtin_mul_overflow(given.size[k], (int64_t)item, &stride[k]))
            return ash__fail(ASH_ERR_ARGUMENT, function, "stride %lld of axis %lld is too large", (long long)given.size[k],
                             (long long)k);
    return ASH_OK;
}

ash_array *ash_from_host_opt(const void *data, ash_dtype dtype, ash_dims shape, const ash_convert_options *options)
{
    static const char f[] = "ash_from_host";
    ash_convert_options o;
    int64_t stride[ASH_MAX_RANK];
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (ash__kind_of(dtype) == ASH__KIND_NONE) {
        ash__fail(ASH_ERR_DTYPE, f, "unsupported dtype %d", (int)dtype);
        return NULL;
    }
    const ash__make make = make_of(&o, dtype);
    int64_t count = 0;
    if (ash__check_shape(f, shape, ash_dtype_size(dtype), &count) ||
        host_strides(f, shape, o.strides, ash_dtype_size(dtype), stride))
        return NULL;
    if (!data && count) {
        ash__null(f, "data");
        return NULL;
    }
    ash_array *a = ash__array_new(f, shape, &make);
    ash__host h;
    ash_status status = a ? ash__host_open(&h, f, a, ASH__WRITE | ASH__ASKED) : ASH_OK;
    if (a && !status)
        status = ash__convert_all(f, a->shape, a->rank, h.data, a->stride, a->dtype, data, stride, dtype, o.exact, 0);
    if (a && ash__host_close(&h, status)) {
        ash_release(a);
        return NULL;
    }
    return a;
}

/* ---- rows */

static void ragged(const char *function, const ash_rows *rows, int64_t number, int64_t columns)
{
    const ash_row *row = &rows->row[number];
    char cells[256] = "";
    ash__text text = {cells, sizeof cells, 0};
    for (int64_t j = 0; j < row->count && text.length < sizeof cells - ASH__CELL; j++) {
        char cell[ASH__CELL];
        ash__format_element(cell, sizeof cell, row->dtype, (const char *)row->data + (size_t)j * ash_dtype_size(row->dtype),
                            false);
        ash__put(&text, "%s%s", j ? " " : "", cell);
    }
    ash__fail(ASH_ERR_SHAPE, function, "row %lld has %lld element%s, but row 0 has %lld: [%s]", (long long)number,
              (long long)row->count, row->count == 1 ? "" : "s", (long long)columns, cells);
}

/* All rows of one length; *dtype becomes the promotion of theirs. */
static bool check_rows(const char *function, const ash_rows *rows, int64_t columns, ash_dtype *dtype)
{
    for (int64_t i = 0; i < rows->count; i++) {
        const ash_row *row = &rows->row[i];
        if (ash__kind_of(row->dtype) == ASH__KIND_NONE) {
            ash__fail(ASH_ERR_DTYPE, function, "unsupported dtype %d of row %lld", (int)row->dtype, (long long)i);
            return false;
        }
        if (row->count != columns) {
            ragged(function, rows, i, columns);
            return false;
        }
        const ash_dtype joined = i == 0 || row->dtype == *dtype ? row->dtype : ash_dtype_promote(*dtype, row->dtype);
        if (!joined) {
            ash__fail(ASH_ERR_DTYPE, function, "row %lld is %s, but the rows before are %s; give .dtype", (long long)i,
                      ash_dtype_name(row->dtype), ash_dtype_name(*dtype));
            return false;
        }
        *dtype = joined;
    }
    return true;
}

static ash_status put_rows(const char *function, char *data, const ash_array *a, const ash_rows *rows, int64_t columns,
                           bool exact)
{
    for (int64_t i = 0; i < rows->count; i++) {
        const ash_row *row = &rows->row[i];
        const int64_t item = (int64_t)ash_dtype_size(row->dtype);
        const int64_t bad =
            ash__convert_run(data + i * a->stride[0], a->stride[1], a->dtype, row->data, item, row->dtype, columns, exact);
        if (bad < columns) {
            const int64_t index[2] = {i, bad};
            return ash__convert_fail(function, index, 2, (const char *)row->data + bad * item, row->dtype, a->dtype, exact);
        }
    }
    return ASH_OK;
}

ash_array *ash_from_rows_opt(ash_rows rows, const ash_convert_options *options)
{
    static const char f[] = "ash_from_rows";
    ash_convert_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (rows.count < 0 || (rows.count && !rows.row)) {
        ash__null(f, "rows");
        return NULL;
    }
    const int64_t columns = rows.count ? rows.row[0].count : 0;
    ash_dtype dtype = ASH_F32;
    if (!check_rows(f, &rows, columns, &dtype))
        return NULL;
    const int64_t shape[2] = {rows.count, columns};
    const ash__make make = make_of(&o, dtype);
    ash_array *a = ash__array_new(f, (ash_dims){shape, 2}, &make);
    ash__host h;
    ash_status status = a ? ash__host_open(&h, f, a, ASH__WRITE | ASH__ASKED) : ASH_OK;
    if (a && !status)
        status = put_rows(f, h.data, a, &rows, columns, o.exact);
    if (a && ash__host_close(&h, status)) {
        ash_release(a);
        return NULL;
    }
    return a;
}
