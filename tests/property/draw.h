/*
 * draw.h - one draw: its arguments, what it says of itself, and what it checks.
 *
 * A draw makes random arguments, calls one operation, and compares with a model. Faults end the draw: fail() prints what was
 * drawn and does not return. Arrays are the draw's scope's and go with it.
 */
#ifndef PROPERTY_DRAW_H
#define PROPERTY_DRAW_H
#include <inttypes.h>

#include "models/random.h"
#include "models/values.h"

typedef struct operation {
    const char *name;
    void (*draw)(void);
    int weight;
} operation;
/* The families, each ended by one without a name. */
extern const operation view_operations[], combine_operations[], reduce_operations[], index_operations[], order_operations[],
    search_operations[], find_operations[], map_operations[], matrix_operations[], product_operations[], fourier_operations[],
    rand_operations[];

/* An argument: a view (often) of a base, with the value it must have and where its elements lie in the base. */
typedef struct argument {
    const char *name;
    ash_array *base, *array;
    model bytes; /* of the base, as elements */
    model at;    /* where element i of the array begins in bytes.data */
    model value;
    bool conjugated, readonly, misaligned;
} argument;

/* ---- what a run has reached: property.c prints it and asks for some of each */
typedef enum feature {
    HAS_ROW_MAJOR,
    HAS_COL_MAJOR,
    HAS_STRIDED,
    HAS_PRIVATE,
    HAS_EMPTY,
    HAS_NEGATIVE_STRIDE,
    HAS_ZERO_STRIDE,
    HAS_CONJUGATE,
    HAS_MISALIGNED,
    HAS_FIELD,
    HAS_OFFSET,
    HAS_NAN,
    HAS_LONG_AXIS,
    HAS_REFUSAL,
    HAS_IN_PLACE,
    FEATURES
} feature;
typedef struct coverage {
    int64_t feature[FEATURES], dtype[ASH_C_F64 + 1 + RECORDS], rank[MODEL_RANK];
} coverage;
extern coverage reached;
extern int64_t most_elements; /* of one argument */
extern const char *device_name;
extern bool device_has_f64;
#define WIDEST_FLOAT (device_has_f64 ? ASH_F64 : ASH_F32)
#define WIDEST_COMPLEX (device_has_f64 ? ASH_C_F64 : ASH_C_F32)

#define DIMS(list, n) ((ash_dims){list, n})
#define AXES(list, n) ((ash_axes){list, n})
#define SHAPE_OF(m) ((ash_dims){(m).shape, (m).rank})

/* ---- choices */
ash_dtype draw_dtype(void);                                                /* any at all */
ash_dtype draw_number(void);                                               /* no record */
ash_dtype draw_real(void);                                                 /* no record, not complex */
ash_dtype draw_integer(void);                                              /* no bool */
int64_t draw_size(void);                                                   /* 0 to 7 */
int64_t draw_shape(int64_t *shape, int64_t least_rank, int64_t most_rank); /* the rank */
int64_t narrowed(int64_t *out, const int64_t *shape, int64_t rank);        /* one that broadcasts to it: its rank */
int64_t draw_axis(int64_t rank, int64_t axis);                             /* the axis, or the same counted from the end */
int64_t draw_bad_axis(int64_t rank);
/* Some axes in any order; for a fault one is out of bounds, or there twice. */
typedef struct some_axes {
    int64_t axis[MODEL_RANK], given[MODEL_RANK], count;
    bool wrong;
} some_axes;
some_axes draw_axes(int64_t rank, int64_t count);
#define WRONG_AXES ONE_OF(ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT)
argument *draw_any(const char *name, ash_dtype dtype, int64_t least_rank, int64_t most_rank); /* of any shape and style */
bool draw_fault(void);        /* should this draw be refused? about one in twelve */
ash_layout draw_layout(void); /* or none */
style draw_style(void);
argument *draw_argument(const char *name, ash_dtype dtype, const int64_t *shape, int64_t rank, style like);
argument *draw_writable(const char *name, ash_dtype dtype, const int64_t *shape, int64_t rank, style like);
argument *draw_given(const char *name, const model *value); /* with these values; writable */
/* An argument read through another view of itself, and what that holds. NULL: not this time. */
ash_array *draw_own_view(const argument *out, model *value);
cut draw_cut(int64_t n); /* of an axis of n */
/* An entry of ash_view that means the cut, in one of its spellings. */
ash_index draw_range(cut c, int64_t size);

/* ---- saying and checking */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_list(const char *name, const int64_t *list, int64_t n);
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* A new array with the model's dtype, shape and elements, in the storage of the arguments. */
void check_new(ash_array *got, const model *want);
void check_new_like(ash_array *got, const model *want, const argument *a); /* in the storage of a alone */
void check_values(ash_array *got, const model *want);
void check_layout_like(ash_array *got, const argument *a); /* that of a, row-major when that is strided */
void check_layout(ash_array *got, ash_layout wanted);
void check_done(ash_status status);
/* The call failed with one of these statuses, and the error says which function it was. */
#define ONE_OF(...) ((const ash_status[]){__VA_ARGS__, ASH_OK})
void check_refused(bool refused, const char *function, const ash_status *statuses);
/* What the in-place operation should have made of an argument; checked at the end of the draw with all the others. */
void expect_in(argument *a, const model *value);
/* The same for some of its elements: where each begins in the base, as cut out of a->at. */
void expect_at(argument *a, const model *at, bool conjugated, const model *value);

void draw_catch_crashes(void);
bool draw_run(const operation *what, uint64_t seed); /* false when it failed */
#endif
