/*
 * npy_write.c - arrays as NPY files.
 *
 * The header is NumPy's to the byte, also in the blanks it leaves for an array that grows (numpy.lib.format: room for 21
 * digits of the axis that grows, then a line end at a multiple of 64). Elements are in row-major order unless the array is
 * column-major only.
 */
#include "core/alloc.h"
#include "core/error.h"
#include "core/record.h"
#include "core/text.h"
#include "io/elements.h"

enum {
    GROWTH_DIGITS = 21, /* numpy.lib.format.GROWTH_AXIS_MAX_DIGITS */
    HEADER_ALIGN = 64
};

/* ---- the header */

/* A Python string; letters beyond ASCII stay as they are, in UTF-8. */
static void put_string(ash__text *text, const char *string)
{
    ash__put(text, "'");
    for (const char *p = string; *p; p++) {
        if (*p == '\\' || *p == '\'')
            ash__put(text, "\\%c", *p);
        else if ((unsigned char)*p < ' ' || *p == 0x7f)
            ash__put(text, "\\x%02x", (unsigned)*p);
        else
            ash__put_bytes(text, p, 1);
    }
    ash__put(text, "'");
}

static char order_of(size_t size)
{
    return size == 1 ? '|' : ASH__LITTLE_ENDIAN ? '<' : '>';
}

static void put_descr(ash__text *text, ash_dtype dtype);

static void put_plain(ash__text *text, ash_dtype dtype)
{
    static const char letters[] = {[ASH__KIND_BOOL] = 'b',
                                   [ASH__KIND_SIGNED] = 'i',
                                   [ASH__KIND_UNSIGNED] = 'u',
                                   [ASH__KIND_FLOAT] = 'f',
                                   [ASH__KIND_COMPLEX] = 'c'};
    const ash_dtype part = ash__part(dtype);
    const size_t size = ash_dtype_size(dtype);
    if (ash__is_complex(dtype) && part != ASH_F32 && part != ASH_F64) { /* NumPy has no such numbers */
        ash__put(text, "[('re', ");
        put_descr(text, part);
        ash__put(text, "), ('im', ");
        put_descr(text, part);
        ash__put(text, ")]");
        return;
    }
    ash__put(text, "'%c%c%zu'", order_of(size), dtype == ASH_BF16 ? 'V' : letters[ash__kind_of(dtype)], size);
}

/* Bytes from `end` to `start` as a field without a name. */
static void put_gap(ash__text *text, size_t end, size_t start, bool first)
{
    if (start > end)
        ash__put(text, "%s('', '|V%zu')", first ? "" : ", ", start - end);
}

static void put_descr(ash__text *text, ash_dtype dtype)
{
    const ash__record_type *record = ash__record_of(dtype);
    if (!record) {
        put_plain(text, dtype);
        return;
    }
    size_t end = 0;
    ash__put(text, "[");
    for (int64_t i = 0; i < record->count; i++) {
        const ash_field_info *f = &record->field[i];
        put_gap(text, end, f->offset, i == 0);
        ash__put(text, i || f->offset ? ", (" : "(");
        put_string(text, f->name);
        ash__put(text, ", ");
        put_descr(text, f->dtype);
        if (f->count > 1)
            ash__put(text, ", (%lld,)", (long long)f->count);
        ash__put(text, ")");
        end = f->offset + (size_t)f->count * ash_dtype_size(f->dtype);
    }
    put_gap(text, end, record->size, false);
    ash__put(text, "]");
}

/* The dictionary, and the blanks for growth. */
static void put_dictionary(ash__text *text, const ash_array *a, bool fortran)
{
    char digits[24];
    ash__put(text, "{'descr': ");
    put_descr(text, a->dtype);
    ash__put(text, ", 'fortran_order': %s, 'shape': (", fortran ? "True" : "False");
    for (int64_t i = 0; i < a->rank; i++)
        ash__put(text, "%s%lld", i ? ", " : "", (long long)a->shape[i]);
    ash__put(text, "%s), }", a->rank == 1 ? "," : "");
    if (a->rank > 0) {
        const int n = snprintf(digits, sizeof digits, "%lld", (long long)a->shape[fortran ? a->rank - 1 : 0]);
        ash__put_repeated(text, ' ', (size_t)(GROWTH_DIGITS - n));
    }
}

static bool is_ascii(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] >= 0x80)
            return false;
    return true;
}

/* Everything before the data, to be freed; NULL with an error. */
static char *make_header(const char *function, const ash_array *a, bool fortran, size_t *nbytes)
{
    ash__text measure = {NULL, 0, 0};
    put_dictionary(&measure, a, fortran);
    const size_t length = measure.length;
    char *header = ash__alloc(function, (int64_t)length + 2 * HEADER_ALIGN + 16, 1);
    if (!header)
        return NULL;
    ash__text text = {header + 12, length + 1, 0};
    put_dictionary(&text, a, fortran);

    /* as NumPy counts: a header that ends at a multiple of 64 by itself gets 64 blanks more */
    int version = is_ascii(header + 12, length) ? 1 : 3;
    size_t start = version == 1 ? 10 : 12;
    size_t padding = HEADER_ALIGN - (start + length + 1) % HEADER_ALIGN;
    if (version == 1 && length + 1 + padding > UINT16_MAX) {
        version = 2;
        start = 12;
        padding = HEADER_ALIGN - (start + length + 1) % HEADER_ALIGN;
    }
    memmove(header + start, header + 12, length);
    memset(header + start + length, ' ', padding);
    header[start + length + padding] = '\n';
    const size_t count = length + padding + 1;
    memcpy(header, "\x93NUMPY", 6);
    header[6] = (char)version;
    header[7] = 0;
    for (size_t i = 0; i < start - 8; i++)
        header[8 + i] = (char)(count >> 8 * i & 0xff);
    *nbytes = start + count;
    return header;
}

ash_status ash__npy_put(const char *function, ash__sink to, const ash_array *a)
{
    const int64_t size = (int64_t)ash_dtype_size(a->dtype);
    const bool fortran = !ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, size) &&
                         ash__dense(ASH_COL_MAJOR, a->shape, a->stride, a->rank, size);
    size_t nbytes;
    char *header = make_header(function, a, fortran, &nbytes);
    if (!header)
        return ASH_ERR_MEMORY;
    to.put(to.to, header, nbytes);
    ash__free(header);
    return ash__put_elements(function, to, a, fortran);
}

ash_status ash_write_npy(const ash_array *a, const char *path)
{
    static const char f[] = "ash_write_npy";
    ash__writer *w = NULL;
    ash_status status = ash__check_array(f, "a", a);
    if (status == ASH_OK && !path)
        status = ash__null(f, "path");
    if (status == ASH_OK)
        status = ash_wait(a);
    if (status == ASH_OK)
        status = ash__writer_open(f, path, &w);
    if (status != ASH_OK)
        return status;
    status = ash__npy_put(f, ash__writer_sink(w), a);
    const ash_status written = ash__writer_close(w, status == ASH_OK);
    return status == ASH_OK ? written : status;
}
