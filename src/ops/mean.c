/*
 * mean.c - means along axes.
 *
 * The sum is taken in f32 for f16 and bf16, so that it neither stalls nor overflows, and in f64 for integers; it is divided
 * once. Under a mask the elements that took part are counted in the same way.
 */
#include "core/error.h"
#include "ops/map.h"
#include "ops/moments.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM};

static ash_dtype compute_dtype(ash_dtype d, const ash_device *device)
{
    const ash_dtype part = ash__part(d);
    const ash_dtype real = !ash__is_float(part) ? (device->f64 ? ASH_F64 : ASH_F32) : ash__machine(part);
    return ash__is_complex(d) ? ash__complex_of(real) : real;
}

bool ash__moment_begin(ash__moment *m, const char *function, unsigned uses, const ash_array *a,
                       const ash_reduce_options *options)
{
    if (!ash__reduce_options(function, uses, options, &m->o))
        return false;
    if (!a) {
        ash__null_operand(function, 0);
        return false;
    }
    if (ash__check_array(function, "a", a))
        return false;
    if (!ash__is_real(a->dtype) && !ash__is_complex(a->dtype)) {
        ash__fail(ASH_ERR_DTYPE, function, "the elements are %s; numbers were wanted", ash_dtype_name(a->dtype));
        return false;
    }
    m->function = function;
    m->a = a;
    m->compute = compute_dtype(a->dtype, ash__device(a));
    m->result = ash__is_float(ash__part(a->dtype)) ? a->dtype : m->compute;
    return ash__axes_set(&m->axes, function, m->o.axes, m->o.drop, a->shape, a->rank) == ASH_OK;
}

ash_reduce_options ash__moment_kept(const ash__moment *m)
{
    ash_reduce_options kept = m->o;
    kept.axes = (ash_axes){m->axes.list, m->axes.count};
    kept.drop = false;
    return kept;
}

/* n - correction for every result: a scalar, or an array when a mask decides. */
static ash_array *counted(const ash__moment *m, bool kept)
{
    const ash_reduce_options o = kept ? ash__moment_kept(m) : m->o;
    const ash_operand a = ash_operand_array(m->a);
    return ash__reduce_text(m->function, "x -> 1", sum, (ash_operands){&a, 1}, ASH_DTYPE_DEFAULT, &o);
}

ash_array *ash__moment_divide(const ash__moment *m, ash_array *total, bool kept, double correction)
{
    if (!total)
        return NULL;
    ash_array *count = m->o.where.kind ? counted(m, kept) : NULL;
    ash_status status = m->o.where.kind && !count ? ash__last_status() : ASH_OK;
    const double n = (double)m->axes.folded - correction;
    const ash_dtype real = ash__part(total->dtype);
    const ash_operand masked[3] = {ash_operand_array(total), ash_operand_array(count), ash_operand_float(real, correction)};
    const ash_operand plain[2] = {ash_operand_array(total), ash_operand_float(real, n > 0 ? n : 0)};
    if (!status)
        status = count ? ash__map_text_to(m->function, total, "(s, n, c) -> s / max(n - c, 0)", (ash_operands){masked, 3},
                                          m->o.resources)
                       : ash__map_text_to(m->function, total, "(s, n) -> s / n", (ash_operands){plain, 2}, m->o.resources);
    ash_release(count);
    if (status) {
        ash_release(total);
        return NULL;
    }
    return total;
}

ash_array *ash__moment_mean(const ash__moment *m, bool kept)
{
    const ash_reduce_options o = kept ? ash__moment_kept(m) : m->o;
    const ash_operand a = ash_operand_array(m->a);
    return ash__moment_divide(m, ash__reduce_text(m->function, NULL, sum, (ash_operands){&a, 1}, m->compute, &o), kept, 0);
}

ash_array *ash__moment_finish(const ash__moment *m, ash_array *x, const char *text, ash_dtype result)
{
    if (!x || (x->dtype == result && !text))
        return x;
    const ash_operand operand = ash_operand_array(x);
    text = text ? text : "x -> x";
    if (x->dtype == result) {
        if (!ash__map_text_to(m->function, x, text, (ash_operands){&operand, 1}, m->o.resources))
            return x;
        ash_release(x);
        return NULL;
    }
    const ash_map_options o = {.resources = m->o.resources, .dtype = result};
    ash_array *y = ash__map_text_new(m->function, text, (ash_operands){&operand, 1}, &o);
    ash_release(x);
    return y;
}

ash_array *ash_mean_opt(const ash_array *a, const ash_reduce_options *options)
{
    ash__moment m;
    return ash__moment_begin(&m, "ash_mean", ASH__USES_WHERE, a, options)
               ? ash__moment_finish(&m, ash__moment_mean(&m, false), NULL, m.result)
               : NULL;
}
