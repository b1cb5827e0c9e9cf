/*
 * column_means.c - the C half of a package on ashlar/unsafe: means of the columns of a matrix, perhaps weighted.
 *
 * It stands on the record of ash_abi, on handles of resources and on views; it is not linked with libashlar. A function
 * answers 0, or 1 with an error that the two readers give for the thread that asks.
 */
#include <inttypes.h>
#include <stdio.h>

#include "ashlar/device.h"
#include "view.h"

enum { GENERIC, OUT_OF_MEMORY, DEVICE, LOGIC }; /* the kinds of errors, numbered as ashlar/unsafe does */

static _Thread_local char text[256];
static _Thread_local int kind;

const char *column_means_error(void)
{
    return text;
}
int column_means_error_kind(void)
{
    return kind;
}

#define REFUSE(...) (snprintf(text, sizeof text, __VA_ARGS__), kind = LOGIC, 1)

/* Is the library that was loaded the one that this file was compiled for? */
int column_means_abi(const ash_abi_record *loaded)
{
    if (loaded->abi == ASH_ABI)
        return 0;
    return REFUSE("ashlar: built against %d.%d.%d, but libashlar has %s", ASH_VERSION / 10000, ASH_VERSION / 100 % 100,
                  ASH_VERSION % 100, loaded->version_text);
}

static const char *dtype_name(int32_t dtype)
{
    static const char *const names[] = {"float32", "float64", "int32", "int64"};
    return dtype >= 0 && dtype < 4 ? names[dtype] : "no dtype";
}

static int check_vector(const char *name, const ashlar_view *v, int32_t dtype, int64_t size)
{
    if (v->memory != ASHLAR_VIEW_HOST)
        return REFUSE("%s: not a view bound to device memory", name);
    if (v->rank != 1)
        return REFUSE("%s: expected a vector, got rank %d", name, v->rank);
    if (v->dtype != dtype)
        return REFUSE("%s: expected %s, got %s", name, dtype_name(dtype), dtype_name(v->dtype));
    if (v->shape[0] != size)
        return REFUSE("%s: expected %" PRId64 " elements, got %" PRId64, name, size, v->shape[0]);
    return 0;
}

static int check_matrix(const ashlar_view *x)
{
    if (x->memory != ASHLAR_VIEW_HOST)
        return REFUSE("X: not a view bound to device memory");
    if (x->dtype != ASHLAR_VIEW_F32 && x->dtype != ASHLAR_VIEW_F64)
        return REFUSE("X: expected float32 or float64, got %s", dtype_name(x->dtype));
    if (x->shape[0] > 1 && x->shape[1] > 1 && x->strides[1] != 1)
        return REFUSE("X: expected row-major, got col-major %" PRId64 "x%" PRId64, x->shape[0], x->shape[1]);
    return 0;
}

static double element(const ashlar_view *v, int64_t i)
{
    return v->dtype == ASHLAR_VIEW_F32 ? (double)((const float *)v->data)[i] : ((const double *)v->data)[i];
}

/* out[j] = sum of weights[i] X[i, j] / sum of weights; NULL: all 1. Of nothing: NaN. */
int column_means(ash_resources *resources, const ashlar_view *x, const ashlar_view *weights, const ashlar_view *out)
{
    (void)resources; /* work is done here; a library that queues work would do it on their queue */
    if (check_matrix(x) || (weights && check_vector("weights", weights, x->dtype, x->shape[0])) ||
        check_vector("out", out, x->dtype, x->shape[1]))
        return 1;
    for (int64_t j = 0; j < x->shape[1]; j++) {
        double sum = 0, total = 0;
        for (int64_t i = 0; i < x->shape[0]; i++) {
            const double w = weights ? element(weights, i) : 1;
            sum += w * element(x, i * x->shape[1] + j);
            total += w;
        }
        if (x->dtype == ASHLAR_VIEW_F32)
            ((float *)out->data)[j] = (float)(sum / total);
        else
            ((double *)out->data)[j] = sum / total;
    }
    return 0;
}
