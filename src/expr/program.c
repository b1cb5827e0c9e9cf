/* program.c - holding, releasing and listing typed programs. A program and its instructions are one block. */
#include "expr/program.h"

#include "core/alloc.h"
#include "core/format.h"
#include "core/text.h"
#include "expr/builder.h"

ash__program *ash__program_retain(ash__program *program)
{
    atomic_fetch_add_explicit(&program->refs, 1, memory_order_relaxed);
    return program;
}

void ash__program_release(ash__program *program)
{
    if (program && atomic_fetch_sub_explicit(&program->refs, 1, memory_order_acq_rel) == 1)
        ash__free(program);
}

static void put_constant(ash__text *text, const ash__ins *i)
{
    char cell[ASH__CELL];
    ash__format_element(cell, sizeof cell, (ash_dtype)i->type, (const char *)&i->constant, false);
    ash__put(text, " %s", cell);
}

/* One line: "3 MUL f32 0 0". */
static void put_ins(ash__text *text, int number, const ash__ins *i)
{
    const ash__op op = (ash__op)i->op;
    ash__put(text, "%d %s %s", number, ash__op_name(op), ash_dtype_name((ash_dtype)i->type));
    if (op == ASH__OP_LOAD) {
        ash__put(text, " operand %d", i->arg[0]);
        if (i->offset)
            ash__put(text, "+%lu", (unsigned long)i->offset);
    }
    if (op == ASH__OP_CONSTANT)
        put_constant(text, i);
    for (int k = 0; k < ash__op_arity(op); k++)
        ash__put(text, " %d", i->arg[k]);
    if (i->from != i->type && op != ASH__OP_CONVERT && op != ASH__OP_NARROW)
        ash__put(text, " (%s)", ash_dtype_name((ash_dtype)i->from));
    ash__put(text, "\n");
}

int ash__program_format(char *buffer, size_t size, const ash__program *p)
{
    ash__text text = {buffer, size, 0};
    if (p->copies >= 0)
        ash__put(&text, "copy operand %d\n", (int)p->copies);
    for (int i = 0; i < p->count; i++)
        put_ins(&text, i, &p->ins[i]);
    ash__put(&text, "result %s", ash_dtype_name(p->dtype));
    for (int k = 0; p->copies < 0 && k < p->outputs; k++)
        ash__put(&text, " %d", p->output[k]);
    ash__put(&text, "%s%s\n", p->faults ? " faults" : "", p->transcendental ? " transcendental" : "");
    return (int)text.length;
}
