/* safetensors.h - the table at the head of a safetensors file. */
#ifndef ASH__SAFETENSORS_H
#define ASH__SAFETENSORS_H
#include "io/elements.h"

enum {
    ASH__SAFETENSORS_LONGEST = 100000000, /* of a header: the reference implementation's limit */
    ASH__SAFETENSORS_PREFIX = 8           /* bytes of the header's length in front of it */
};

typedef struct ash__tensor {
    const char *name, *type; /* as in the file; of the document */
    ash_dtype dtype;         /* ASH_DTYPE_DEFAULT: `type` has no counterpart */
    int64_t rank, count;     /* the rank may be above ASH_MAX_RANK */
    const int64_t *shape;
    size_t begin, end; /* of its bytes, from the start of the data */
} ash__tensor;

typedef struct ash__tensors {
    void *document;      /* the JSON object */
    ash__tensor *tensor; /* in the order of their bytes, which are all of the data */
    int64_t count;
    int64_t *sizes;    /* the shapes, one after the other */
    size_t data_start; /* bytes before the data */
} ash__tensors;

/* A string of __metadata__; both ends live as long as the table. */
typedef ash_status ash__each_metadata(void *context, const char *key, const char *value);

/* Reads the header and checks all that it says. Whatever the outcome, the table is to be ended. */
ash_status ash__tensors_read(ash__source *from, ash__tensors *table);
void ash__tensors_end(ash__tensors *table);
/* The tensor of that name, or, with NULL, the only one there is; NULL with an error. */
const ash__tensor *ash__tensors_find(const ash__place *place, const ash__tensors *table, const char *name);
ash_status ash__tensors_metadata(const ash__tensors *table, ash__each_metadata *each, void *context);

/* The place of a dtype in the format's list of them, -1 when it has none; tensors are written from the last to the first. */
int ash__tensor_order(ash_dtype dtype);
/* The name of a dtype in the format; NULL when it has none. */
const char *ash__tensor_type(ash_dtype dtype);
#endif
