/*
 * csv_write.c - vectors and matrices as CSV.
 *
 * Cells are what printing shows: integers in full, floats with the fewest digits that read back, so that reading gives the
 * same bits. Nothing written needs a quote, for the separator is none of the characters that cells are made of.
 */
#include "ashlar/io.h"
#include "core/array.h"
#include "core/error.h"
#include "core/format.h"
#include "core/host.h"
#include "core/options.h"
#include "io/file.h"

static ash_status check_separator(const char *function, char c)
{
    static const char taken[] = "+-.()\"\n\r";
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || memchr(taken, c, sizeof taken - 1))
        return ash__fail(ASH_ERR_ARGUMENT, function, ".separator '%c' could not be told from a number, a quote or a line end",
                         (unsigned char)c < ' ' ? '?' : c);
    return ASH_OK;
}

static ash_status check_writable(const char *function, const ash_array *a, const char *path, const ash_csv_write_options *o)
{
    const ash_status status = ash__check_array(function, "a", a);
    if (status != ASH_OK)
        return status;
    if (!path)
        return ash__null(function, "path");
    if (ash__is_record(a->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "records (%s) cannot be written as fields", ash_dtype_name(a->dtype));
    if (a->rank != 1 && a->rank != 2)
        return ash__fail(ASH_ERR_SHAPE, function, "a has rank %d; a vector or a matrix can be written", (int)a->rank);
    return check_separator(function, o->separator);
}

static void put_row(ash__writer *w, const ash_array *a, const char *at, int64_t step, int64_t n, char separator)
{
    char cell[ASH__CELL];
    for (int64_t i = 0; i < n; i++) {
        if (i > 0)
            ash__writer_put(w, &separator, 1);
        ash__writer_put(w, cell, ash__format_element(cell, sizeof cell, a->dtype, at + i * step, a->conjugated));
    }
    ash__writer_put(w, "\n", 1);
}

static void put_rows(ash__writer *w, const ash_array *a, const char *at, char separator)
{
    const int64_t columns = a->rank == 2 ? a->shape[1] : 1, step = a->rank == 2 ? a->stride[1] : 0;
    for (int64_t i = 0; i < a->shape[0]; i++)
        put_row(w, a, at + i * a->stride[0], step, columns, separator);
}

ash_status ash_write_csv_opt(const ash_array *a, const char *path, const ash_csv_write_options *options)
{
    static const char f[] = "ash_write_csv";
    ash_csv_write_options o;
    ash__writer *w;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ASH_ERR_ARGUMENT;
    if (!o.separator)
        o.separator = ',';
    ash_status status = check_writable(f, a, path, &o);
    if (status != ASH_OK)
        return status;
    ash__host h;
    status = ash__host_open(&h, f, a, ASH__READ | ASH__ASKED);
    if (status == ASH_OK)
        status = ash__writer_open(f, path, &w);
    if (status != ASH_OK)
        return ash__host_close(&h, status);
    if (o.header) {
        ash__writer_put(w, o.header, strlen(o.header));
        ash__writer_put(w, "\n", 1);
    }
    put_rows(w, a, h.data, o.separator);
    return ash__host_close(&h, ash__writer_close(w, true));
}
