/*
 * shapes.c - whether matrices are symmetric, triangular or diagonal, and symmetric ones made of one triangle.
 *
 * A row of column numbers and a column of row numbers broadcast against the elements: one pass decides, and nothing is copied.
 */
#include "ashlar/index.h"
#include "ashlar/spectral.h"
#include "ashlar/view.h"
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "linalg/spectral.h"
#include "ops/compare.h"
#include "ops/map.h"

ash_array *ash__numbers(const char *function, ash_resources *resources, ash_storage storage, int64_t size, bool column)
{
    const int64_t shape[2] = {size, 1};
    const ash__make make = {.resources = resources, .dtype = ASH_I64, .storage = storage};
    ash_array *const numbers = ash__array_new(function, (ash_dims){shape, column ? 2 : 1}, &make);
    ash__host h;
    const ash_status status = numbers ? ash__host_open(&h, function, numbers, ASH__WRITE | ASH__OWN) : ash__last_status();
    for (int64_t i = 0; !status && i < size; i++)
        ((int64_t *)(void *)h.data)[i] = i;
    if (numbers && ash__host_close(&h, status)) {
        ash_release(numbers);
        return NULL;
    }
    return numbers;
}

static ash_status check(const char *function, const ash_array *a, bool square)
{
    const ash_status status = ash__check_matrices(function, "a", a, square);
    return !status && ash__is_record(a->dtype)
               ? ash__fail(ASH_ERR_DTYPE, function, "a is %s; numbers were wanted", ash_dtype_name(a->dtype))
               : status;
}

/* The elements, the row numbers i and the column numbers j as operands of a text. */
typedef struct numbered {
    ash_array *other, *rows, *columns; /* other: a transposed; belong to the caller alone */
    ash_operand operand[5];            /* x, t, i, j, k */
} numbered;

static ash_status number(const char *function, const ash_array *a, bool conjugated, int64_t k, ash_resources *given,
                         numbered *n)
{
    *n = (numbered){.other = NULL};
    ash_resources *const r = ash__resources_on(function, ash__device(a), given);
    const int64_t barrier = r ? ash_scope_open_barrier() : -1;
    if (barrier >= 0) {
        n->other = conjugated ? ash_adjoint(a) : ash_transpose(a);
        n->rows = n->other ? ash__numbers(function, r, a->storage, a->shape[a->rank - 2], true) : NULL;
        n->columns = n->rows ? ash__numbers(function, r, a->storage, a->shape[a->rank - 1], false) : NULL;
    }
    ash_scope_close(barrier);
    if (!n->columns)
        return ash__last_status();
    n->operand[0] = ash_operand_array(a);
    n->operand[1] = ash_operand_array(n->other);
    n->operand[2] = ash_operand_array(n->rows);
    n->operand[3] = ash_operand_array(n->columns);
    n->operand[4] = ash_operand_i64(k);
    return ASH_OK;
}

static void end(numbered *n)
{
    ash_release(n->other);
    ash_release(n->rows);
    ash_release(n->columns);
}

/* ---- questions */

static bool equals_turned(const char *function, const ash_array *a, const ash_spectral_options *options, bool conjugated)
{
    ash_spectral_options o;
    if (!ash__read_options(function, &o, sizeof o, options) || check(function, a, false) ||
        a->shape[a->rank - 2] != a->shape[a->rank - 1])
        return false;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const other = barrier < 0 ? NULL : conjugated ? ash_adjoint(a) : ash_transpose(a);
    const ash_operand both[2] = {ash_operand_array(a), ash_operand_array(other)};
    const bool yes = other && ash__all_pairs(function, "(x, t) -> x == t", (ash_operands){both, 2}, o.resources);
    ash_scope_close(barrier);
    ash_release(other);
    return yes;
}

bool ash_is_symmetric_opt(const ash_array *a, const ash_spectral_options *options)
{
    return equals_turned("ash_is_symmetric", a, options, false);
}

bool ash_is_hermitian_opt(const ash_array *a, const ash_spectral_options *options)
{
    return equals_turned("ash_is_hermitian", a, options, true);
}

/* Is every element 0 that the text of (x, i, j, k) does not except? */
static bool all_zero(const char *function, const ash_array *a, const char *text, int64_t k, ash_resources *given)
{
    numbered n;
    if (check(function, a, false))
        return false;
    const int64_t barrier = number(function, a, false, k, given, &n) ? -1 : ash_scope_open_barrier();
    const ash_operand operand[4] = {n.operand[0], n.operand[2], n.operand[3], n.operand[4]};
    const bool yes = barrier >= 0 && ash__all_pairs(function, text, (ash_operands){operand, 4}, given);
    ash_scope_close(barrier);
    end(&n);
    return yes;
}

bool ash_is_triu_opt(const ash_array *a, const ash_triangle_options *options)
{
    static const char f[] = "ash_is_triu";
    ash_triangle_options o;
    return ash__read_options(f, &o, sizeof o, options) &&
           all_zero(f, a, "(x, i, j, k) -> j - i >= k || x == 0", o.k, o.resources);
}

bool ash_is_tril_opt(const ash_array *a, const ash_triangle_options *options)
{
    static const char f[] = "ash_is_tril";
    ash_triangle_options o;
    return ash__read_options(f, &o, sizeof o, options) &&
           all_zero(f, a, "(x, i, j, k) -> j - i <= k || x == 0", o.k, o.resources);
}

bool ash_is_diagonal_opt(const ash_array *a, const ash_spectral_options *options)
{
    static const char f[] = "ash_is_diagonal";
    ash_spectral_options o;
    return ash__read_options(f, &o, sizeof o, options) &&
           all_zero(f, a, "(x, i, j, k) -> j - i == k || x == 0", 0, o.resources);
}

/* ---- one triangle on both sides */

ash_array *ash_mirror_opt(const ash_array *a, const ash_mirror_options *options)
{
    static const char f[] = "ash_mirror";
    ash_mirror_options o;
    numbered n;
    if (!ash__read_options(f, &o, sizeof o, options) || check(f, a, true))
        return NULL;
    ash_array *const out =
        number(f, a, o.conjugated, 0, o.resources, &n)
            ? NULL
            : ash__map_text_new(f, o.upper ? "(x, t, i, j) -> i <= j ? x : t" : "(x, t, i, j) -> i >= j ? x : t",
                                (ash_operands){n.operand, 4}, &(ash_map_options){.resources = o.resources});
    end(&n);
    return out;
}

ash_status ash_mirror_into_opt(ash_array *out, const ash_array *a, const ash_mirror_options *options)
{
    static const char f[] = "ash_mirror_into";
    ash_mirror_options o;
    numbered n;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_writable(f, "out", out);
    if (!status)
        status = check(f, a, true);
    if (status)
        return status;
    status = number(f, a, o.conjugated, 0, o.resources, &n);
    const int64_t barrier = status ? -1 : ash_scope_open_barrier();
    if (barrier >= 0)
        status = ash__map_text_to(f, out, o.upper ? "(x, t, i, j) -> i <= j ? x : t" : "(x, t, i, j) -> i >= j ? x : t",
                                  (ash_operands){n.operand, 4}, o.resources);
    else if (!status)
        status = ash__last_status();
    ash_scope_close(barrier);
    end(&n);
    return status;
}
