/* program.c - holding, releasing and listing typed programs. A program and its instructions are one block. */
#include "expr/program.h"

#include <string.h>

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

const ash__program *ash__fold_program(const ash__program *program, ash__loader *loader)
{
    if (program->copies < 0)
        return program;
    const ash_dtype part = ash__part(program->dtype);
    memset(loader, 0, sizeof *loader);
    loader->program.dtype = program->dtype;
    loader->program.operands = program->operands;
    loader->program.copies = -1;
    loader->program.count = loader->program.outputs = ash__is_complex(program->dtype) ? 2 : 1;
    loader->program.ins = loader->ins;
    for (int k = 0; k < loader->program.count; k++) {
        loader->program.output[k] = (uint16_t)k;
        loader->ins[k].op = ASH__OP_LOAD;
        loader->ins[k].type = (uint8_t)ash__machine(part);
        loader->ins[k].from = (uint8_t)part;
        loader->ins[k].arg[0] = (uint16_t)program->copies;
        loader->ins[k].offset = (uint32_t)k * (uint32_t)ash_dtype_size(part);
    }
    return &loader->program;
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
