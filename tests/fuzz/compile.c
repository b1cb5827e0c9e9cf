/*
 * compile.c - any bytes as a function string, compiled for a few dtypes and targets: a sound program or an error.
 *
 * The first two bytes choose the operands' dtypes, the third the target. What must hold of a program: operands come before
 * their users, types are those that the operations exist for, a device without f64 gets none.
 */
#include <stdlib.h>
#include <string.h>

#include "ashlar/error.h"
#include "expr/function.h"

static ash_dtype record(void)
{
    static const ash_field_info fields[] = {{"x", ASH_F32, 0, 3}, {"m", ASH_C_F32, 12, 1}, {"n", ASH_I16, 20, 1}};
    return ash_dtype_record("fuzzed", 24, fields, 3);
}

static ash_dtype dtype_of(uint8_t byte)
{
    return byte % 26 == 0 ? record() : (ash_dtype)(byte % 26);
}

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_ins(const ash__program *p, int number, bool f64, int operands)
{
    const ash__ins *i = &p->ins[number];
    require(i->op > ASH__OP_NONE && i->op < ASH__OP_COUNT && ash__is_real((ash_dtype)i->type));
    require(f64 || (i->type != ASH_F64 && i->from != ASH_F64));
    if (i->op == ASH__OP_LOAD)
        require(i->arg[0] < operands && i->type == ash__machine((ash_dtype)i->from));
    for (int k = 0; k < ash__op_arity((ash__op)i->op); k++) {
        require(i->arg[k] < number);
        const uint8_t type = p->ins[i->arg[k]].type;
        const bool condition = i->op == ASH__OP_SELECT && k == 0;
        require(i->op == ASH__OP_ROUND16 || type == (condition ? ASH_BOOL : i->from));
    }
    require(p->faults || i->op != ASH__OP_NARROW);
}

static void check_program(const ash__program *p, bool f64, int operands)
{
    char text[256];
    require(p->operands == operands && p->count <= ASH__PROGRAM_LIMIT);
    require(p->copies >= 0 ? p->copies < operands && p->count == 0 : p->count > 0);
    for (int i = 0; i < p->count; i++)
        check_ins(p, i, f64, operands);
    for (int k = 0; p->copies < 0 && k < p->outputs; k++)
        require(p->output[k] < p->count && p->ins[p->output[k]].type == ash__machine(ash__part(p->dtype)));
    ash__program_format(text, sizeof text, p);
}

static void compile(const ash_function *f, const uint8_t choice[3])
{
    const bool f64 = choice[2] & 1;
    ash__argument argument[4];
    const int64_t count = ash__function_arity(f);
    ash__target target = {.rule = (ash__rule)(choice[2] / 4 % 3), .dtype = dtype_of(choice[2] / 2), .conjugated = choice[2] & 2,
                          .device = "cpu:0?f64=off", .f64 = f64};
    if (!f64 && ash__part(target.dtype) == ASH_F64)
        target.dtype = ASH_F32;
    for (int k = 0; k < 4; k++) {
        argument[k] = (ash__argument){dtype_of((uint8_t)(choice[k % 2] + k / 2)), choice[2] & 8};
        if (!f64 && ash__part(argument[k].dtype) == ASH_F64)
            argument[k].dtype = ASH_F32;
    }
    ash__program *p = ash__function_program("ash_map", f, count < 4 ? count : 4, argument, &target);
    if (p)
        check_program(p, f64, (int)count);
    require(!p == ash_failed());
    ash__program_release(p);
    ash_error_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    char *text = malloc(size - 2);
    if (!text)
        return 0;
    memcpy(text, data + 3, size - 3);
    text[size - 3] = '\0';
    ash_function *f = ash__function_open("ash_map", text);
    require(!f == ash_failed());
    ash_error_clear();
    if (f)
        compile(f, data);
    ash_function_release(f);
    free(text);
    return 0;
}
