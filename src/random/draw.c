/*
 * draw.c - arrays filled by a generator: what all distributions share.
 *
 * Everything is checked before the generator's call is taken, so that a failure leaves it as it was. A record is filled field
 * by field, each by a call of its own; the elements of an inner array follow one another.
 */
#include "random/draw.h"

#include "core/error.h"
#include "ops/run.h"
#include "random/rng.h"

/* ---- which dtypes */

static const char *drawing_name(ash__drawing drawing)
{
    static const char *const name[] = {[ASH__DRAW_UNIFORM] = "uniform",
                                       [ASH__DRAW_NORMAL] = "normal",
                                       [ASH__DRAW_EXPONENTIAL] = "exponential",
                                       [ASH__DRAW_RANGE] = "integers in a range, not"};
    return name[drawing];
}

static ash_status check_plain(const ash__wanted *w, ash_dtype dtype)
{
    const bool of_floats = ash__is_float(ash__part(dtype));
    switch (w->drawing) {
    case ASH__DRAW_NORMAL:
        if (!of_floats)
            return ash__fail(ASH_ERR_DTYPE, w->function, "no %s is normal; a float or complex dtype is wanted",
                             ash_dtype_name(dtype));
        break;
    case ASH__DRAW_EXPONENTIAL:
        if (!ash__is_float(dtype))
            return ash__fail(ASH_ERR_DTYPE, w->function, "no %s is exponential; a float dtype is wanted",
                             ash_dtype_name(dtype));
        break;
    case ASH__DRAW_RANGE:
        if (!ash__is_integer(dtype))
            return ash__fail(ASH_ERR_DTYPE, w->function, "%s is no integer dtype", ash_dtype_name(dtype));
        break;
    case ASH__DRAW_UNIFORM:
        break;
    }
    if (w->rng && w->rng->kind == ASH_RNG_SECOND && !ash__is_integer(dtype) &&
        (dtype != ASH_F32 || w->drawing == ASH__DRAW_EXPONENTIAL))
        return ash__fail(ASH_ERR_UNSUPPORTED, w->function,
                         "the second generator draws integers, uniform f32 and normal f32, no %s %s", drawing_name(w->drawing),
                         ash_dtype_name(dtype));
    return ASH_OK;
}

ash_status ash__draw_check(const ash__wanted *w, ash_dtype dtype)
{
    ash_field_info field;
    ash_status status = ASH_OK;
    if (!ash__is_record(dtype))
        return check_plain(w, dtype);
    if (w->drawing == ASH__DRAW_RANGE)
        return ash__fail(ASH_ERR_DTYPE, w->function, "%s is no integer dtype", ash_dtype_name(dtype));
    for (int64_t k = 0; !status && ash_dtype_field(dtype, k, &field); k++)
        status = ash__draw_check(w, field.dtype);
    return status;
}

/* Axes that inner arrays of a record add. */
static int64_t inner_axes(ash_dtype dtype)
{
    ash_field_info field;
    int64_t most = 0;
    for (int64_t k = 0; ash_dtype_field(dtype, k, &field); k++) {
        const int64_t axes = (field.count > 1) + inner_axes(field.dtype);
        most = axes > most ? axes : most;
    }
    return most;
}

/* ---- filling */

typedef struct filling {
    const ash__wanted *wanted;
    ash_array *a;
    ash_resources *resources;
    ash_rng *rng;
    bool col_major;
} filling;

/* passed_over: elements of the stream before the first one. */
static ash_status fill_plain(const filling *f, ash_dtype dtype, const int64_t *shape, const int64_t *stride, int64_t rank,
                             char *data, int64_t passed_over)
{
    const ash_rng_state state = ash__rng_next(f->rng);
    const ash__draw draw = {.drawing = f->wanted->drawing,
                            .kind = f->rng->kind,
                            .seed = state.seed,
                            .call = state.calls,
                            .low = f->wanted->low,
                            .span = f->wanted->span,
                            .first = passed_over,
                            .conjugate = f->a->conjugated && ash__is_complex(dtype)};
    const ash__task task = {.kind = ASH__TASK_RANDOM,
                            .function = f->wanted->function,
                            .rank = rank,
                            .shape = shape,
                            .out = {.buffer = f->a->buffer, .data = data, .stride = stride, .dtype = dtype},
                            .col_major = f->col_major,
                            .draw = &draw};
    return ash__run_on(f->resources, &task);
}

static ash_status fill(const filling *f, ash_dtype dtype, const int64_t *shape, const int64_t *stride, int64_t rank, char *data,
                       int64_t passed_over)
{
    ash_field_info field;
    ash_status status = ASH_OK;
    if (!ash__is_record(dtype))
        return fill_plain(f, dtype, shape, stride, rank, data, passed_over);
    for (int64_t k = 0; !status && ash_dtype_field(dtype, k, &field); k++) {
        int64_t size[ASH_MAX_RANK], step[ASH_MAX_RANK];
        const int64_t inner = field.count > 1, first = f->col_major ? inner : 0, place = f->col_major ? 0 : rank;
        for (int64_t i = 0; i < rank; i++)
            size[first + i] = shape[i], step[first + i] = stride[i];
        if (inner) /* the axis that varies fastest */
            size[place] = field.count, step[place] = (int64_t)ash_dtype_size(field.dtype);
        status = fill(f, field.dtype, size, step, rank + inner, data + field.offset, passed_over * field.count);
    }
    return status;
}

static ash_status fill_array(const ash__wanted *w, ash_array *a)
{
    const filling f = {.wanted = w,
                       .a = a,
                       .resources = ash__resources_on(w->function, ash__device(a), w->given),
                       .rng = ash__rng_for(w->function, w->rng, ash__device(a)),
                       .col_major = ash__layout_like(a) == ASH_COL_MAJOR};
    if (!f.resources || !f.rng)
        return ash__last_status();
    return a->size ? fill(&f, a->dtype, a->shape, a->stride, a->rank, ash__data(a), w->first) : ASH_OK;
}

static ash_status check_rank(const ash__wanted *w, ash_dtype dtype, int64_t rank)
{
    if (rank + inner_axes(dtype) <= ASH_MAX_RANK)
        return ASH_OK;
    return ash__fail(ASH_ERR_SHAPE, w->function, "with the inner arrays of %s there would be more than %d axes",
                     ash_dtype_name(dtype), ASH_MAX_RANK);
}

/* So that numbers of words fit 64 bits; a record's inner arrays are no longer than its bytes. */
static ash_status check_first(const ash__wanted *w, ash_dtype dtype)
{
    const int64_t most = (INT64_C(1) << 60) / (int64_t)ash_dtype_size(dtype);
    if (w->first >= 0 && w->first <= most)
        return ASH_OK;
    return ash__fail(ASH_ERR_ARGUMENT, w->function, ".first is %lld; for %s it is from 0 to %lld", (long long)w->first,
                     ash_dtype_name(dtype), (long long)most);
}

ash_status ash__draw_into(const ash__wanted *w, ash_array *a)
{
    ash_status status = ash__check_writable(w->function, "a", a);
    if (!status)
        status = ash__draw_check(w, a->dtype);
    if (!status)
        status = check_rank(w, a->dtype, a->rank);
    if (!status)
        status = check_first(w, a->dtype);
    return status ? status : fill_array(w, a);
}

ash_array *ash__draw_new(const ash__wanted *w, ash_dims shape, const ash__make *make)
{
    const ash_dtype dtype = make->dtype ? make->dtype : ASH_F32;
    const bool known = ash__kind_of(dtype) != ASH__KIND_NONE; /* else it is refused below */
    if (known && (ash__draw_check(w, dtype) || check_rank(w, dtype, shape.rank) || check_first(w, dtype)))
        return NULL;
    ash_array *const a = ash__array_new(w->function, shape, make);
    ash_status status = a ? ASH_OK : ash__last_status();
    if (!status && ash__is_record(dtype)) /* for the gaps between fields */
        status = ash__fill_zeros(w->function, a, w->given);
    if (!status)
        status = fill_array(w, a);
    if (status) {
        ash_release(a);
        return NULL;
    }
    return a;
}
