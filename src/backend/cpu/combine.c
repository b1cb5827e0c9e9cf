/* combine.c - a function of two elements over vectors of temporaries. */
#include "backend/cpu/combine.h"

#include "backend/cpu/plan.h"

bool ash__combiner_set(ash__combiner *c, const ash__task *task, char *memory, int64_t rows, int64_t width, int64_t row_a,
                       int64_t row_b)
{
    const ash_dtype dtype = task->program->dtype;
    c->item = ash_dtype_size(dtype);
    /* An axis of one element would make its operand a uniform value, which is read anew only when its address changes. */
    const int64_t item = (int64_t)c->item, shape[2] = {rows < 2 ? 2 : rows, width}, axis[2] = {0, 1};
    const int64_t stride_a[2] = {row_a, row_a ? item : 0}, stride_b[2] = {row_b, row_b ? item : 0};
    /* A span without a buffer would be a scalar; these are temporaries, which have none, and the output's serves. */
    const ash__span operand[2] = {{task->out.buffer, memory, stride_a, dtype}, {task->out.buffer, memory, stride_b, dtype}};
    const ash__task combine = {.kind = ASH__TASK_MAP,
                               .function = task->function,
                               .rank = 2,
                               .shape = shape,
                               .program = ash__fold_program(task->combine, &c->loader),
                               .operand_count = 2,
                               .operand = operand,
                               .out = {task->out.buffer, memory, stride_b, dtype}};
    c->evaluator = ash__evaluator_new(&combine, axis, 2);
    return c->evaluator != NULL;
}

void ash__combine(ash__combiner *c, int64_t a, int64_t b, int64_t n, char *d)
{
    const int64_t offset[2] = {a, b};
    ash__evaluator_base(c->evaluator, offset);
    for (int64_t done = 0, m; done < n; done += m) {
        m = n - done < ASH__FOLD_BLOCK ? n - done : ASH__FOLD_BLOCK;
        ash__evaluate_into(c->evaluator, done, m, d + (size_t)done * c->item);
    }
}

void ash__stored_init(const ash__task *task, void *element)
{
    const ash_dtype part = ash__part(task->program->dtype);
    const size_t size = ash_dtype_size(part);
    memset(element, 0, 16);
    for (int k = 0; k < (ash__is_complex(task->program->dtype) ? 2 : 1); k++)
        if (ash__is_half(part))
            ash__store16_for(ash__cpu_kernels()->elementwise, part, ASH_F32)((char *)element + (size_t)k * size,
                                                                             task->init + k * 4, NULL, NULL, 1);
        else
            memcpy((char *)element + (size_t)k * size, task->init + (size_t)k * size, size);
}
