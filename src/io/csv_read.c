/*
 * csv_read.c - CSV texts as matrices.
 *
 * The text is gone through twice: once to count lines, to see that all have the same number of fields and to find the dtype
 * when none was given; then to fill the array. So nothing is kept per line, and the array is asked for once.
 */
#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "io/csv.h"
#include "io/file.h"

typedef struct reader {
    ash__csv_scanner scanner;
    ash_csv_options options;
    ash__csv_columns columns;
    ash__csv_field *header; /* NULL: none */
    int64_t fields;         /* of every record */
    int64_t rows;
    ash_dtype dtype;
} reader;

/* ---- options */

static bool bad_options(const char *function, const char *what)
{
    ash__fail(ASH_ERR_ARGUMENT, function, "%s", what);
    return false;
}

static bool check_characters(const char *function, const ash_csv_options *o)
{
    const char all[] = {o->separator, o->quote, o->comment};
    for (int i = 0; i < 3; i++)
        if (all[i] == '\n' || all[i] == '\r' || (i > 0 && all[i] == ' '))
            return bad_options(function, ".separator, .quote and .comment cannot be a line end, nor the last two a blank");
    if (o->separator == o->quote || o->separator == o->comment || o->quote == o->comment)
        return bad_options(function, ".separator, .quote and .comment must differ");
    return true;
}

static bool read_options(const char *function, ash_csv_options *o, const ash_csv_options *options)
{
    if (!ash__read_options(function, o, sizeof *o, options))
        return false;
    o->separator = o->separator ? o->separator : ',';
    o->quote = o->quote ? o->quote : '"';
    const bool no_nan = o->dtype && !ash__is_float(ash__part(o->dtype));
    if (o->dtype && (ash_dtype_size(o->dtype) == 0 || ash__is_record(o->dtype))) {
        if (ash__is_record(o->dtype))
            ash__fail(ASH_ERR_DTYPE, function, "fields cannot be read as records (%s)", ash_dtype_name(o->dtype));
        else
            ash__fail(ASH_ERR_DTYPE, function, "unsupported dtype %d", (int)o->dtype);
        return false;
    }
    if (o->header < 0 || o->header > ASH_HEADER_NO)
        return bad_options(function, ".header must be ASH_HEADER_YES or ASH_HEADER_NO");
    if (o->missing < 0 || o->missing > ASH_MISSING_ERROR)
        return bad_options(function, ".missing must be ASH_MISSING_NAN or ASH_MISSING_ERROR");
    if (o->missing == ASH_MISSING_NAN && no_nan) {
        ash__fail(ASH_ERR_ARGUMENT, function, ".missing = ASH_MISSING_NAN needs a dtype of floats; %s has no NaN",
                  ash_dtype_name(o->dtype));
        return false;
    }
    if (o->skip < 0)
        return bad_options(function, ".skip must not be negative");
    return check_characters(function, o);
}

/* ---- faults */

/* A field's text for a message: short, and on one line. */
static void show_field(char *to, size_t size, const ash__csv_field *f)
{
    const size_t n = f->length < size - 4 ? f->length : size - 4;
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)f->text[i] < ' ' || f->text[i] == 0x7f ? '?' : f->text[i];
    snprintf(to + n, size - n, "%s", n < f->length ? "..." : "");
}

static ash_status field_fail(const reader *r, int64_t column, const ash__csv_field *f, ash__csv_fault fault)
{
    char value[48], name[40] = "", place[96];
    show_field(value, sizeof value, f);
    if (r->header)
        show_field(name, sizeof name, &r->header[column]);
    snprintf(place, sizeof place, ", column %lld%s%s%s:", (long long)column, *name ? " (" : "", name, *name ? ")" : "");
    const ash__csv_scanner *s = &r->scanner;
    const char *dtype = ash_dtype_name(r->dtype);
    switch (fault) {
    case ASH__CSV_MISSING:
        return ash__csv_fail(s, ASH_ERR_FORMAT, "%s the value is missing", place);
    case ASH__CSV_NOT_FINITE:
        return ash__csv_fail(s, ASH_ERR_VALUE, "%s %s is not a finite number", place, value);
    case ASH__CSV_TOO_LARGE:
        return ash__csv_fail(s, ASH_ERR_VALUE, "%s %s does not fit %s", place, value, dtype);
    case ASH__CSV_NO_INTEGER:
        return ash__csv_fail(s, ASH_ERR_VALUE, "%s %s is not an integer", place, value);
    case ASH__CSV_INEXACT:
        return ash__csv_fail(s, ASH_ERR_VALUE, "%s %s is not exactly representable in %s", place, value, dtype);
    case ASH__CSV_NOT_REAL:
        return ash__csv_fail(s, ASH_ERR_VALUE, "%s %s is not a real number", place, value);
    default:
        return ash__csv_fail(s, ASH_ERR_FORMAT, "%s \"%s\" is not a %s", place, value,
                             r->dtype == ASH_BOOL ? "bool" : "number");
    }
}

static bool check_count(const reader *r)
{
    const ash__csv_scanner *s = &r->scanner;
    if (s->count == r->fields)
        return true;
    ash__csv_fail(s, ASH_ERR_FORMAT, " has %lld field%s, expected %lld", (long long)s->count, s->count == 1 ? "" : "s",
                  (long long)r->fields);
    return false;
}

/* ---- the first record */

/* Is none of the chosen fields a value, and not every one missing? */
static bool looks_like_header(const reader *r)
{
    char ignored[16];
    bool text = false;
    for (int64_t i = 0; i < r->columns.count; i++) {
        const ash__csv_field *f = &r->scanner.field[r->columns.column[i]];
        const ash_dtype dtype = r->options.dtype == ASH_BOOL || ash__is_complex(r->options.dtype) ? r->options.dtype : ASH_F64;
        const ash__csv_fault fault = ash__csv_store(ignored, dtype, f, false);
        if (fault != ASH__CSV_NO_NUMBER && fault != ASH__CSV_MISSING)
            return false;
        text = text || fault == ASH__CSV_NO_NUMBER;
    }
    return text;
}

/* Keeps the header, or puts the scanner back before the first record. */
static bool take_header(reader *r, const ash__csv_scanner *before)
{
    ash__csv_scanner *s = &r->scanner;
    if (r->columns.named && r->options.header == ASH_HEADER_NO)
        return bad_options(s->function, ".columns has names, which need a header, and .header is ASH_HEADER_NO");
    const bool yes = r->columns.named || (r->options.header ? r->options.header == ASH_HEADER_YES : looks_like_header(r));
    if (!yes) {
        s->at = before->at;
        s->next_line = before->next_line;
        return true;
    }
    r->header = ash__alloc(s->function, s->count, sizeof *r->header);
    if (!r->header)
        return false;
    memcpy(r->header, s->field, (size_t)s->count * sizeof *r->header);
    return true;
}

static bool read_first(reader *r)
{
    ash__csv_scanner *s = &r->scanner;
    if (!ash__csv_begin(s, r->options.skip))
        return false;
    const ash__csv_scanner before = *s;
    const int found = ash__csv_next(s);
    if (found < 0)
        return false;
    r->fields = s->count;
    if (ash__csv_choose(s, r->options.columns, &r->columns) != ASH_OK)
        return false;
    return found == 0 || take_header(r, &before);
}

/* ---- both passes */

/* Counts the records to come, checks them, finds the dtype; the scanner goes back to where it was. */
static bool survey(reader *r)
{
    ash__csv_scanner *s = &r->scanner;
    const char *at = s->at;
    const int64_t line = s->next_line;
    bool integers = true;
    int found;
    while ((found = ash__csv_next(s)) > 0) {
        if (!check_count(r))
            return false;
        for (int64_t i = 0; integers && !r->options.dtype && i < r->columns.count; i++)
            integers = ash__csv_is_integer(&s->field[r->columns.column[i]]);
        r->rows++;
    }
    if (found < 0)
        return false;
    r->dtype = r->options.dtype ? r->options.dtype : integers && r->rows > 0 ? ASH_I64 : ASH_F64;
    s->at = at;
    s->next_line = line;
    return true;
}

static bool fill_row(const reader *r, char *row, int64_t step)
{
    const bool nan = r->options.missing != ASH_MISSING_ERROR && ash__is_float(ash__part(r->dtype));
    for (int64_t i = 0; i < r->columns.count; i++, row += step) {
        const int64_t column = r->columns.column[i];
        const ash__csv_field *f = &r->scanner.field[column];
        const ash__csv_fault fault = ash__csv_store(row, r->dtype, f, r->options.exact);
        if (fault == ASH__CSV_MISSING && nan) {
            ash__csv_store_nan(row, r->dtype);
        } else if (fault != ASH__CSV_GOOD) {
            field_fail(r, column, f, fault);
            return false;
        }
    }
    return true;
}

static bool fill_rows(reader *r, char *row, const ash_array *a)
{
    for (int64_t i = 0; i < r->rows; i++, row += a->stride[0])
        if (ash__csv_next(&r->scanner) <= 0 || !fill_row(r, row, a->stride[1]))
            return false;
    return true;
}

static bool fill(reader *r, const ash_array *a)
{
    ash__host h;
    ash_status status = ash__host_open(&h, r->scanner.function, a, ASH__WRITE | ASH__ASKED);
    if (!status && !fill_rows(r, h.data, a))
        status = ash__last_status();
    return ash__host_close(&h, status) == ASH_OK;
}

static ash_array *read_matrix(reader *r)
{
    if (!read_first(r) || !survey(r))
        return NULL;
    const int64_t shape[] = {r->rows, r->columns.count};
    const ash__make make = {.resources = r->options.resources,
                            .dtype = r->dtype,
                            .layout = r->options.layout,
                            .storage = r->options.storage,
                            .memory = r->options.memory};
    ash_array *a = ash__array_new(r->scanner.function, (ash_dims){shape, 2}, &make);
    if (!a || fill(r, a))
        return a;
    ash_release(a);
    return NULL;
}

static ash_array *parse(const char *function, const char *path, const char *text, size_t nbytes, const ash_csv_options *o)
{
    reader r = {.scanner = {.function = function,
                            .path = path,
                            .at = text,
                            .end = text + nbytes,
                            .separator = o->separator,
                            .quote = o->quote,
                            .comment = o->comment},
                .options = *o};
    ash_array *a = read_matrix(&r);
    ash__free(r.header);
    ash__free(r.columns.column);
    ash__free(r.scanner.field);
    return a;
}

/* ---- the public face */

ash_array *ash_read_csv_opt(const char *path, const ash_csv_options *options)
{
    static const char f[] = "ash_read_csv";
    ash_csv_options o;
    char *text;
    size_t nbytes;
    if (!path) {
        ash__null(f, "path");
        return NULL;
    }
    if (!read_options(f, &o, options) || ash__read_file(f, path, &text, &nbytes) != ASH_OK)
        return NULL;
    ash_array *a = parse(f, path, text, nbytes, &o);
    ash__free(text);
    return a;
}

ash_array *ash_parse_csv_opt(const char *text, size_t nbytes, const ash_csv_options *options)
{
    static const char f[] = "ash_parse_csv";
    ash_csv_options o;
    if (!text && nbytes > 0) {
        ash__null(f, "text");
        return NULL;
    }
    return read_options(f, &o, options) ? parse(f, NULL, text ? text : "", nbytes, &o) : NULL;
}
