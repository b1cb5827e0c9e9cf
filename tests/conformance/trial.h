/*
 * trial.h - one operation, tried with one dtype, shape, layout and storage on one device.
 *
 * An operation is a function that makes arguments, calls the library and gives what came out to result(). It runs twice, first
 * on the reference, then on the device; random arguments are the same both times, in another storage, on the device also in
 * another layout. What the first run gave is what the second has to give: the same shapes, dtypes, bits or numbers within the
 * operation's bound, or an error of the same status. Where there is a plain model of the operation, expect() compares with it.
 * On the device it is forbidden that the host does anything of it, or that elements are copied to it.
 */
#ifndef CONFORMANCE_TRIAL_H
#define CONFORMANCE_TRIAL_H
#include <inttypes.h>
#include <stdio.h>

#include "models/fold.h"
#include "models/random.h"
#include "models/sorted.h"
#include "models/values.h"

/* ---- operations */

/* Sets of dtypes: 1 << dtype; records are one more. */
#define ONE(dtype) (UINT32_C(1) << (dtype))
#define SPAN(first, last) ((ONE(last) - ONE(first)) | ONE(last))
#define TRUTH ONE(ASH_BOOL)
#define INTEGERS SPAN(ASH_I8, ASH_U64)
#define HALVES SPAN(ASH_F16, ASH_BF16)
#define SINGLES SPAN(ASH_F32, ASH_F64)
#define FLOATS SPAN(ASH_F16, ASH_F64)
#define REALS SPAN(ASH_BOOL, ASH_F64)
#define COMPLEX_INTEGERS SPAN(ASH_C_I8, ASH_C_U64)
#define COMPLEX_FLOATS SPAN(ASH_C_F16, ASH_C_F64)
#define COMPLEX_SINGLES SPAN(ASH_C_F32, ASH_C_F64)
#define NUMBERS SPAN(ASH_BOOL, ASH_C_F64)
enum { RECORD_BIT = ASH_C_F64 + 1, DTYPES };
#define RECORDS_TOO ONE(RECORD_BIT)
#define ALL_DTYPES (NUMBERS | RECORDS_TOO)

/* The edge shapes, and sets of them. */
typedef enum edge { SCALAR, EMPTY, HOLLOW, SINGLE, LONG, MATRIX, TURNED, EDGES } edge;
#define VECTORS (ONE(EMPTY) | ONE(SINGLE) | ONE(LONG))
#define WITH_AXES (VECTORS | ONE(HOLLOW) | ONE(MATRIX) | ONE(TURNED))
#define WITH_ROWS (ONE(HOLLOW) | ONE(MATRIX) | ONE(TURNED))
#define EVERY_EDGE (WITH_AXES | ONE(SCALAR))

/* How far numbers may be from those of the reference or of the model: bounds.c. */
typedef enum closeness { EXACT, ROUNDED, SUMMED, SOLVED, CLOSENESSES } closeness;

/* On other devices it is the host that does this: what is private is refused. Of numbers that are no floats it gives f64.
 * It may be refused everywhere. The host reads elements: of one value that is an array, and places. */
enum { ON_HOST = 1, GIVES_F64 = 2, NEEDS_LAPACK = 4, HOST_READS = 8 };

typedef struct operation {
    const char *name;
    void (*run)(void);
    uint32_t dtypes, edges;
    closeness close;   /* to the model; on the CPU also whatever the layout, and without f64 to cpu:0 */
    closeness devices; /* to cpu:0, where all arguments lie alike */
    unsigned special;
} operation;
/* The families, each ended by one without a name. */
extern const operation make_operations[], element_operations[], view_operations[], map_operations[], reduce_operations[],
    scan_operations[], order_operations[], search_operations[], index_operations[], combine_operations[], random_operations[],
    product_operations[], matrix_operations[], factor_operations[], spectral_operations[], fourier_operations[],
    kernel_operations[], adapt_operations[];

/* ---- what an operation sees of its trial */

typedef struct trial {
    const operation *what;
    ash_dtype dtype;
    edge edge;
    int64_t shape[MODEL_RANK], rank;
    ash_layout layout;
    ash_storage storage;
    const char *device;
    bool reference;  /* the first run */
    int64_t longest; /* elements of a long vector */
    int turn;        /* for taking turns where all of them would be too many */
} trial;
extern trial now;

#define DIMS(list, n) ((ash_dims){list, n})
#define SHAPE_OF(m) ((ash_dims){(m).shape, (m).rank})
#define HERE ((ash_dims){now.shape, now.rank})

/* What elements are like, besides the styles of the models: small numbers of either sign where there is one, floats 0.5 to 1.5;
 * floats whose products stay about 1, and small integers. */
enum { TAME = COUNTS + 1, UNITS };

typedef struct argument {
    ash_array *array;
    model value;
} argument;
argument give(ash_dtype dtype, const int64_t *shape, int64_t rank, int like); /* random elements */
argument give_here(int like);                                                 /* of the trial's dtype and shape */
argument give_model(const model *value);
/* One that the operation writes: expect() or the reference says what it becomes. */
argument give_out(const model *value);

/* ---- what came out; NULL with an error is a result, too */
void result(ash_array *got);
void result_status(ash_status status, const argument *out);
void result_number(double x); /* what is no array */
bool worked(void);            /* the last result was no error */
void expect(const model *want);
void expect_number(double want);
/* Numbers of the result are as close as if they were sums of this size. Default: the largest of them. */
void scale(double size);
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- the frame */
enum { MOST_RESULTS = 8 };
bool try_operation(const operation *what, const trial *t); /* false when it failed */
void print_repeat(void);
extern bool computed; /* since it was last cleared, a trial gave elements */
#endif
