/*
 * var.c - variances and standard deviations along axes: the mean first, then the squares of what differs from it.
 *
 * Two passes, because the difference of two large sums has no digits left when the mean is far from 0. Source: T. F. Chan,
 * G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance, The American Statistician 37 (1983) 242-247.
 */
#include "core/error.h"
#include "ops/map.h"
#include "ops/moments.h"
#include "ops/run.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM};

/* Real elements without a mask: the backend has a task for it. out: of dtype m->compute. */
static ash_status run_variance(ash__inputs *in, const ash__moment *m, ash_array *out)
{
    int64_t stride[ASH_MAX_RANK];
    ash_function *f = ash__function_open(m->function, "x -> x");
    ash__program *program = f ? ash__inputs_program(in, f, ASH__RULE_CAST, m->compute, false) : NULL;
    ash_function_release(f);
    if (!program)
        return ash__last_status();
    ash__axes_strides(&m->axes, in->rank, out->stride, stride);
    const ash__task task = {.kind = ASH__TASK_VARIANCE,
                            .function = m->function,
                            .rank = in->rank,
                            .shape = in->shape,
                            .program = program,
                            .operand_count = 1,
                            .operand = in->span,
                            .reduced = m->axes.reduced,
                            .out = {out->buffer, ash__data(out), stride, out->dtype},
                            .correction = m->o.population ? 0 : 1};
    const ash_status status = out->size ? ash__run_on(in->resources, &task) : ASH_OK;
    ash__program_release(program);
    return status;
}

static ash_array *variance(const ash__moment *m)
{
    ash__inputs in;
    ash__make make;
    const ash_operand a = ash_operand_array(m->a);
    if (ash__inputs_begin(&in, m->function, (ash_operands){&a, 1}, m->o.resources, NULL))
        return NULL;
    ash_array *out = NULL;
    if (!ash__inputs_join(&in)) {
        ash__inputs_like(&in, m->axes.shape, m->axes.rank, &make);
        make.dtype = m->compute;
        out = ash__array_new(m->function, (ash_dims){m->axes.shape, m->axes.rank}, &make);
    }
    if (out && run_variance(&in, m, out)) {
        ash_release(out);
        out = NULL;
    }
    ash__inputs_end(&in);
    return out;
}

/* Complex elements, or a mask: composed of a mean and a sum. */
static ash_array *composed(const ash__moment *m)
{
    ash_array *mean = ash__moment_mean(m, true);
    if (!mean)
        return NULL;
    const ash_operand both[2] = {ash_operand_array(m->a), ash_operand_array(mean)};
    const char *text = ash__is_complex(m->compute) ? "(x, m) -> real(x - m)^2 + imag(x - m)^2" : "(x, m) -> (x - m)^2";
    ash_array *squares = ash__reduce_text(m->function, text, sum, (ash_operands){both, 2}, ash__part(m->compute), &m->o);
    ash_release(mean);
    return ash__moment_divide(m, squares, false, m->o.population ? 0 : 1);
}

static ash_array *spread(const char *function, const ash_array *a, const ash_reduce_options *options, const char *text)
{
    ash__moment m;
    if (!ash__moment_begin(&m, function, ASH__USES_WHERE | ASH__USES_POPULATION, a, options))
        return NULL;
    ash_array *x = ash__is_complex(m.compute) || m.o.where.kind ? composed(&m) : variance(&m);
    return ash__moment_finish(&m, x, text, ash__part(m.result));
}

ash_array *ash_var_opt(const ash_array *a, const ash_reduce_options *options)
{
    return spread("ash_var", a, options, NULL);
}
ash_array *ash_std_opt(const ash_array *a, const ash_reduce_options *options)
{
    return spread("ash_std", a, options, "sqrt");
}
