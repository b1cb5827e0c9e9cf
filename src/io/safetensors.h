/* safetensors.h - the table at the head of a safetensors file. */
#ifndef ASH__SAFETENSORS_H
#define ASH__SAFETENSORS_H
#include "io/elements.h"
#include "ops/tree.h"

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

/* A string of __metadata__; both live as long as the table. */
typedef ash_status ash__each_metadata(void *context, const char *key, const char *value);

/* Reads the header and checks all that it says. Whatever the outcome, the table is to be ended. */
ash_status ash__tensors_read(ash__source *from, ash__tensors *table);
void ash__tensors_end(ash__tensors *table);
/* The tensor of that name, or, with NULL, the only one there is; NULL with an error. */
const ash__tensor *ash__tensors_find(const ash__place *place, const ash__tensors *table, const char *name);
bool ash__tensors_have(const ash__tensors *table, const char *name);
ash_status ash__tensors_metadata(const ash__tensors *table, ash__each_metadata *each, void *context);

/* The error of a library that was built without Jansson. */
ash_status ash__tensors_missing(const ash__place *place);

/* The place of a dtype in the format's list of them, -1 when it has none; tensors are written from the last to the first. */
int ash__tensor_order(ash_dtype dtype);
/* The name of a dtype in the format; NULL when it has none. */
const char *ash__tensor_type(ash_dtype dtype);

/* ---- safetensors_text.c: what is no tensor of a tree, as texts of __metadata__ */

/* Begins as the texts below do; one that does not is anybody's. */
bool ash__tensor_text_is_ours(const char *text);
/* The text of a leaf that is no array, to be freed; NULL with an error. */
char *ash__tensor_text(const char *function, const ash_tree *leaf);
/* The leaf of a text, the caller's own: what it stands for when it is ours, else the text. NULL with an error. */
ash_tree *ash__tensor_leaf(const char *function, const char *text);
#endif
