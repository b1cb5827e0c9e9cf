/* fold.c - folds, one element after the other; see fold.h. */
#include "fold.h"

#include <string.h>

uint64_t wrapped(ash_dtype real, const void *element)
{
    const number x = number_of(real, element);
    return x.negative ? 0 - x.digits : x.digits;
}

static double real_of(ash_dtype real, const void *element)
{
    double x = 0;
    convert_element(ASH_F64, &x, real, element);
    return x;
}

static void add(total *t, ash_dtype dtype, const char *element, bool product)
{
    const ash_dtype part = part_of(dtype);
    const char *im = is_complex(dtype) ? element + ash_dtype_size(part) : NULL;
    if (is_float(part)) { /* the first element, not 0 and that: the sum of negative zeros is one */
        t->real[0] = t->seen ? t->real[0] + real_of(part, element) : real_of(part, element);
        t->real[1] = im ? t->seen ? t->real[1] + real_of(part, im) : real_of(part, im) : 0;
        return;
    }
    const uint64_t x[2] = {wrapped(part, element), im ? wrapped(part, im) : 0}, y[2] = {t->part[0], t->part[1]};
    t->part[0] = product ? x[0] * y[0] - x[1] * y[1] : x[0] + y[0];
    t->part[1] = product ? x[0] * y[1] + x[1] * y[0] : x[1] + y[1];
}

bool is_nan(ash_dtype real, const void *element)
{
    return number_of(real, element).kind == NOT_A_NUMBER;
}

bool beats(ash_dtype real, const void *x, const void *y, bool largest)
{
    if (is_nan(real, x) || is_nan(real, y))
        return is_nan(real, x) && !is_nan(real, y);
    const int order = order_of(real, x, y);
    return largest ? order > 0 : order < 0;
}

void take_in(total *t, fold what, ash_dtype dtype, const char *element, int64_t place)
{
    const bool largest = what == MAX || what == ARGMAX;
    switch (what) {
    case SUM:
    case PROD:
        add(t, dtype, element, what == PROD);
        break;
    case ANY:
        t->truth |= is_true(dtype, element);
        break;
    case ALL:
        t->truth &= is_true(dtype, element);
        break;
    case HOW_MANY:
        t->part[0] += is_true(dtype, element);
        break;
    default:
        if (!t->seen || beats(dtype, element, t->best, largest)) {
            memcpy(t->best, element, ash_dtype_size(dtype));
            t->at = place;
        }
    }
    t->seen++;
}

ash_dtype summed_dtype(ash_dtype dtype)
{
    const ash_dtype part = part_of(dtype);
    const ash_dtype wide = is_float(part) ? part : part == ASH_BOOL || is_signed(part) ? ASH_I64 : ASH_U64;
    return is_complex(dtype) ? (ash_dtype)(wide - ASH_I8 + ASH_C_I8) : wide;
}

ash_dtype folded_dtype(fold what, ash_dtype dtype)
{
    switch (what) {
    case SUM:
    case PROD:
        return summed_dtype(dtype);
    case MIN:
    case MAX:
        return dtype;
    case ANY:
    case ALL:
        return ASH_BOOL;
    default:
        return ASH_I64;
    }
}

void put_total(void *out, const total *t, fold what, ash_dtype dtype)
{
    const size_t nbytes = ash_dtype_size(part_of(dtype));
    if (what == MIN || what == MAX) {
        memcpy(out, t->best, nbytes);
    } else if (what == ANY || what == ALL) {
        memcpy(out, &t->truth, 1);
    } else if (what == ARGMIN || what == ARGMAX) {
        memcpy(out, &t->at, sizeof t->at);
    } else {
        for (int p = 0; p <= is_complex(dtype); p++)
            if (is_float(part_of(dtype)))
                number_store(part_of(dtype), number_of(ASH_F64, &t->real[p]), (char *)out + (size_t)p * nbytes);
            else
                memcpy((char *)out + (size_t)p * nbytes, &t->part[p], nbytes); /* the low bytes: modulo */
    }
}

/* ---- along axes */

/* Where element i goes, and its place within the folded axes. */
static int64_t folded_position(const model *a, const fold_axes *f, const model *out, int64_t i, int64_t *place)
{
    int64_t index[MODEL_RANK], to[MODEL_RANK], rank = 0;
    index_of(a, i, index);
    *place = 0;
    for (int64_t k = 0; k < a->rank; k++)
        if (f->folded[k]) {
            *place = *place * a->shape[k] + index[k];
            if (!f->drop)
                to[rank++] = 0;
        } else {
            to[rank++] = index[k];
        }
    return f->all ? 0 : position_of(out, to);
}

static model folded_shape(ash_dtype dtype, const model *a, const fold_axes *f)
{
    int64_t shape[MODEL_RANK], rank = 0;
    for (int64_t k = 0; k < a->rank && !f->all; k++)
        if (!f->folded[k] || !f->drop)
            shape[rank++] = f->folded[k] ? 1 : a->shape[k];
    return model_new(dtype, shape, rank);
}

bool fold_model(model *out, const model *a, fold what, const fold_axes *f, const model *mask)
{
    *out = folded_shape(folded_dtype(what, a->dtype), a, f);
    total *totals = draw_memory((size_t)out->size * sizeof *totals);
    for (int64_t i = 0; i < out->size; i++) {
        totals[i].truth = what == ALL;
        totals[i].part[0] = what == PROD;
        totals[i].real[0] = totals[i].real[1] = 0;
    }
    for (int64_t i = 0; i < a->size; i++) {
        int64_t place;
        const int64_t to = folded_position(a, f, out, i, &place);
        if (!mask || *(bool *)model_at(mask, i))
            take_in(&totals[to], what, a->dtype, model_at(a, i), place);
    }
    for (int64_t i = 0; i < out->size; i++) {
        if (!totals[i].seen && (what == MIN || what == MAX || what == ARGMIN || what == ARGMAX))
            return false;
        put_total(model_at(out, i), &totals[i], what, out->dtype);
    }
    return true;
}
