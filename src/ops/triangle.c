/*
 * triangle.c - matrices with zeros on one side of a diagonal.
 *
 * What stays depends on column - row alone: it is a vector of bools, seen as a matrix with steps of -1 and 1. Elements of a
 * plain dtype are chosen by it as the bits they are; records are copied row by row.
 */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/place.h"
#include "ops/run.h"

/* Which side stays: columns from row + k on, or up to there. */
typedef struct side {
    const char *function;
    ash_resources *given;
    int64_t rows, columns, k;
    bool upper;
} side;

/* The dtype of numbers that have as many bytes. */
static ash_dtype bits_of(ash_dtype dtype)
{
    switch (ash_dtype_size(dtype)) {
    case 1:
        return ASH_U8;
    case 2:
        return ASH_U16;
    case 4:
        return ASH_U32;
    case 8:
        return ASH_U64;
    default:
        return ASH_C_U64;
    }
}

static ash_array *as_bits(const side *s, const ash_array *a)
{
    return ash__view(s->function, a, bits_of(a->dtype), a->shape, a->stride, a->rank, a->offset);
}

/* true and false for column - row = 1 - rows ... columns - 1 */
static ash_array *differences(const side *s, const ash_array *a)
{
    static const bool value[2] = {false, true};
    const int64_t count = s->rows + s->columns - 1, step = 1;
    int64_t cut = s->k + s->rows - (s->upper ? 1 : 0); /* where the value changes */
    cut = cut < 0 ? 0 : cut > count ? count : cut;
    ash_resources *r = ash__resources_on(s->function, ash__device(a), s->given);
    ash_array *d = r ? ash__temporary(s->function, r, a->storage, ASH_BOOL, &count, 1) : NULL;
    for (int part = 0; d && part < 2; part++) {
        const int64_t first = part ? cut : 0, n = part ? count - cut : cut;
        ash_array *v = ash__view(s->function, d, ASH_BOOL, &n, &step, 1, first);
        if (!v || (n && ash__fill_elements(s->function, v, &value[part == s->upper], s->given))) {
            ash_release(d);
            d = NULL;
        }
        ash_release(v);
    }
    return d;
}

static ash_status choose(const side *s, ash_array *out, const ash_array *a)
{
    const int64_t shape[2] = {s->rows, s->columns}, stride[2] = {-1, 1};
    ash_array *x = as_bits(s, a), *to = as_bits(s, out), *d = differences(s, a);
    ash_array *stays = d ? ash__view(s->function, d, ASH_BOOL, shape, stride, 2, s->rows - 1) : NULL;
    ash_status status = x && to && stays ? ASH_OK : ash__last_status();
    if (!status) {
        const ash_operand operand[2] = {ash_operand_array(x), ash_operand_array(stays)};
        status = ash__map_text_to(s->function, to, "(x, stays) -> stays ? x : 0", (ash_operands){operand, 2}, s->given);
    }
    ash_release(stays);
    ash_release(d);
    ash_release(to);
    ash_release(x);
    return status;
}

static ash_status copy_row(const side *s, ash_array *out, const ash_array *a, int64_t row)
{
    int64_t shape[ASH_MAX_RANK], low = s->upper ? row + s->k : 0, high = s->upper ? s->columns : row + s->k + 1;
    const int64_t r = a->rank - 2, c = a->rank - 1;
    low = low < 0 ? 0 : low;
    high = high > s->columns ? s->columns : high;
    if (low >= high)
        return ASH_OK;
    memcpy(shape, a->shape, (size_t)a->rank * sizeof shape[0]);
    shape[r] = 1;
    shape[c] = high - low;
    return ash__copy_strided(s->function, out, shape, a->rank, ash__data(out) + row * out->stride[r] + low * out->stride[c],
                             out->stride, a, ash__data(a) + row * a->stride[r] + low * a->stride[c], a->stride, s->given);
}

static ash_status copy_rows(const side *s, ash_array *out, const ash_array *a)
{
    ash_status status = ash__fill_zeros(s->function, out, s->given);
    for (int64_t row = 0; row < s->rows && !status; row++)
        status = copy_row(s, out, a, row);
    return status;
}

static ash_array *triangle(const char *function, const ash_array *a, const ash_triangle_options *options, bool upper)
{
    ash_triangle_options o;
    if (!ash__read_options(function, &o, sizeof o, options) || ash__check_matrices(function, "a", a, false))
        return NULL;
    side s = {function, o.resources, a->shape[a->rank - 2], a->shape[a->rank - 1], o.k, upper};
    s.k = s.k < -s.rows ? -s.rows : s.k > s.columns ? s.columns : s.k; /* further off is no other side */
    ash_array *out = ash__result_like(function, a, ash__dims(a), ASH_LAYOUT_DEFAULT, o.resources);
    if (!out || !out->size)
        return out;
    ash_array *plain = ash__plain(function, a, a->dtype, false, o.resources);
    const int64_t barrier = plain ? ash_scope_open_barrier() : -1;
    const ash_status status = barrier < 0                ? ash__last_status()
                              : ash__is_record(a->dtype) ? copy_rows(&s, out, plain)
                                                         : choose(&s, out, plain);
    ash_scope_close(barrier);
    ash_release(plain);
    if (status) {
        ash_release(out);
        out = NULL;
    }
    return out;
}

ash_array *ash_triu_opt(const ash_array *a, const ash_triangle_options *options)
{
    return triangle("ash_triu", a, options, true);
}
ash_array *ash_tril_opt(const ash_array *a, const ash_triangle_options *options)
{
    return triangle("ash_tril", a, options, false);
}
