/* record.h - what the numbers from ASH_RECORD_FIRST on stand for. */
#ifndef ASH__RECORD_H
#define ASH__RECORD_H
#include "core/dtype.h"

enum {
    ASH__RECORDS = 4096, /* the table is bounded: numbers live as long as the process */
    ASH__RECORD_FIELDS = 1024,
    ASH__RECORD_DEPTH = 16 /* records inside records: walks over fields may recurse */
};

typedef struct ash__record_type {
    uint64_t hash; /* of the whole description */
    size_t size, alignment;
    int64_t count;
    int depth; /* 1 + the depth of the deepest field that is a record; 1 for plain fields alone */
    char *name;
    ash_field_info *field; /* in order of offset */
} ash__record_type;

/* NULL for a number that is no record. What it points to never changes and never goes away. */
const ash__record_type *ash__record_of(ash_dtype dtype);
/* As ash_dtype_record, on behalf of another function. */
ash_dtype ash__record_new(const char *function, const char *name, size_t size, const ash_field_info *fields, int64_t count);
#endif
