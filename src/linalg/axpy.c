/*
 * axpy.c - y = alpha x + y, and y = alpha x + beta y.
 *
 * A factor that is zero takes its array out of the sum, whatever that holds; what is left is a map.
 */
#include "ashlar/linalg.h"
#include "core/error.h"
#include "core/operand.h"
#include "core/options.h"
#include "linalg/product.h"
#include "ops/map.h"
#include "ops/task.h"

typedef struct sum {
    const char *function;
    ash_array *y;
    const ash_array *x;
    ash_resources *given;
    bool has_x, has_y;
} sum;

static ash_status check(sum *s, const ash_operand *alpha, const ash_operand *beta)
{
    unsigned char element[16];
    ash_status status = ash__check_writable(s->function, "y", s->y);
    if (!status)
        status = ash__check_array(s->function, "x", s->x);
    if (!status && !alpha)
        status = ash__null(s->function, "alpha");
    if (!status)
        status = ash__scale_of(s->function, "alpha", alpha, s->y, element);
    if (status)
        return status;
    s->has_x = !ash__element_is_zero(element, s->y->dtype);
    s->has_y = true;
    if (!beta)
        return ASH_OK;
    status = ash__scale_of(s->function, "beta", beta, s->y, element);
    s->has_y = status || !ash__element_is_zero(element, s->y->dtype);
    return status;
}

/* What x would do to y is checked even where it is left out. */
static ash_status check_broadcast(const sum *s)
{
    int64_t shape[ASH_MAX_RANK], rank = s->y->rank;
    for (int64_t k = 0; k < rank; k++)
        shape[k] = s->y->shape[k];
    const ash_status status = ash__broadcast(s->function, 1, shape, &rank, s->x->shape, s->x->rank);
    bool same = !status && rank == s->y->rank;
    for (int64_t k = 0; same && k < rank; k++)
        same = shape[k] == s->y->shape[k];
    if (status || same)
        return status;
    return ash__fail_operand(ASH_ERR_SHAPE, s->function, 1, "x has shape %s, which does not broadcast to y's %s",
                             ash_shape_text(s->x), ash_shape_text(s->y));
}

static ash_status run(const sum *s, const ash_operand *alpha, const ash_operand *beta)
{
    static const unsigned char zero[16];
    const ash_operand x = ash_operand_array(s->x), y = ash_operand_array(s->y);
    const ash_operand all[4] = {*alpha, x, beta ? *beta : y, y}, only_y[2] = {beta ? *beta : y, y};
    if (s->has_x && s->has_y)
        return ash__map_text_to(s->function, s->y, beta ? "(a, x, b, y) -> a*x + b*y" : "(a, x, y) -> a*x + y",
                                (ash_operands){all, beta ? 4 : 3}, s->given);
    if (s->has_x)
        return ash__map_text_to(s->function, s->y, "(a, x) -> a*x", (ash_operands){all, 2}, s->given);
    const ash_status status = check_broadcast(s);
    if (status || (s->has_y && !beta))
        return status;
    return s->has_y ? ash__map_text_to(s->function, s->y, "(b, y) -> b*y", (ash_operands){only_y, 2}, s->given)
                    : ash__fill_elements(s->function, s->y, zero, s->given);
}

ash_status ash_axpy_into_opt(ash_array *y, const ash_operand *alpha, const ash_array *x, const ash_axpy_options *options)
{
    static const char name[] = "ash_axpy_into";
    ash_axpy_options o;
    if (!ash__read_options(name, &o, sizeof o, options))
        return ash__last_status();
    sum s = {.function = name, .y = y, .x = x, .given = o.resources};
    const ash_status status = check(&s, alpha, NULL);
    return status ? status : run(&s, alpha, NULL);
}

ash_status ash_axpby_into_opt(ash_array *y, const ash_operand *alpha, const ash_array *x, const ash_operand *beta,
                              const ash_axpy_options *options)
{
    static const char name[] = "ash_axpby_into";
    ash_axpy_options o;
    if (!ash__read_options(name, &o, sizeof o, options))
        return ash__last_status();
    if (!beta)
        return ash__null(name, "beta");
    sum s = {.function = name, .y = y, .x = x, .given = o.resources};
    const ash_status status = check(&s, alpha, beta);
    return status ? status : run(&s, alpha, beta);
}
