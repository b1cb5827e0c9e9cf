/* csv.h - the pieces of reading a CSV text: records and fields, the choice of columns, fields as elements. */
#ifndef ASH__CSV_H
#define ASH__CSV_H
#include "ashlar/io.h"
#include "core/array.h"

/* ---- csv_scan.c: the text as lines of fields */

typedef struct ash__csv_field {
    const char *text; /* inside the quotes, of a quoted field; blanks around are left out */
    size_t length;
    bool quoted;
} ash__csv_field;

typedef struct ash__csv_scanner {
    const char *function, *path; /* where faults are reported; path NULL for a text in memory */
    const char *at, *end;
    char separator, quote, comment;
    int64_t line; /* of the file, from 1: where the current record begins */
    int64_t next_line;
    ash__csv_field *field; /* of the current record */
    int64_t count, room;
} ash__csv_scanner;

/* Passes over a byte order mark and `skip` lines. false with an error for text in UTF-16. */
bool ash__csv_begin(ash__csv_scanner *s, int64_t skip);
/* The next record that is neither blank nor a comment: 1, 0 at the end, -1 with an error. */
int ash__csv_next(ash__csv_scanner *s);
/* "iris.csv: line 3" and then the cause. */
ash_status ash__csv_fail(const ash__csv_scanner *s, ash_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- csv_columns.c: which fields of a record are wanted */

typedef struct ash__csv_columns {
    int64_t *column; /* positions in a record */
    int64_t count;
    bool named; /* a name was used: the first record must be a header */
} ash__csv_columns;

/* spec NULL: all. names: the first record, in which names are looked up when the file has a header (or may have one). */
ash_status ash__csv_choose(const ash__csv_scanner *names, const char *spec, ash__csv_columns *columns);

/* ---- csv_field.c: a field as an element */

typedef enum ash__csv_fault {
    ASH__CSV_GOOD,
    ASH__CSV_MISSING,
    ASH__CSV_NO_NUMBER,
    ASH__CSV_NOT_FINITE,
    ASH__CSV_TOO_LARGE,
    ASH__CSV_NO_INTEGER,
    ASH__CSV_INEXACT,
    ASH__CSV_NOT_REAL
} ash__csv_fault;

bool ash__csv_is_missing(const ash__csv_field *f); /* empty, or NA */
bool ash__csv_is_integer(const ash__csv_field *f); /* a sign and digits */
/* Writes the field as one element of a plain dtype. */
ash__csv_fault ash__csv_store(char *to, ash_dtype dtype, const ash__csv_field *f, bool exact);
/* NaN, of a float or a complex dtype of floats. */
void ash__csv_store_nan(char *to, ash_dtype dtype);
#endif
