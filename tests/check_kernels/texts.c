/*
 * texts.c - writes kernel texts that hold every operation of a machine type: kernels-TYPE.cl and, with TYPE f32, one for a
 * device without f64, kernels-alone.cl; the user kernels of the tests, user.cl and, without f64, user-alone.cl; and what
 * operations make for a GPU, run-OPERATION-k.cl.
 *
 *     kernel-texts FOLDER
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/gpu.h"
#include "backend/kernel.h"
#include "expr/program.h"
#include "kernel_texts.h"
#include "runs.h"

enum { ROOM = 1 << 22 };

static unsigned class_of(ash_dtype machine)
{
    return machine == ASH_BOOL ? ASH__B : ash__is_float(machine) ? ASH__F : ASH__I;
}

static ash__program *program_of(ash__op op, ash_dtype machine)
{
    ash__builder *const b = ash__builder_new("kernel-texts", 3);
    int x[3] = {-1, -1, -1};
    for (int k = 0; k < ash__op_arity(op); k++)
        x[k] = ash__build_load(b, k, op == ASH__OP_SELECT && k == 0 ? ASH_BOOL : machine, 0);
    const int result = ash__build_op(b, op, x[0], x[1], x[2]);
    return ash__builder_finish(b, ash__op_gives_bool(op) ? ASH_BOOL : machine, result, -1);
}

static ash__program *converting(ash_dtype from, ash_dtype to, bool narrow)
{
    ash__builder *const b = ash__builder_new("kernel-texts", 3);
    const int x = ash__build_load(b, 0, from, 0);
    const int result = narrow ? ash__build_narrow(b, x, ash__machine(to)) : ash__build_convert(b, x, ash__machine(to));
    return ash__builder_finish(b, to, result, -1);
}

static void put(ash__text *text, const ash__gpu_form *form, ash__program *program, int *number)
{
    char name[16];
    if (program && program->copies < 0) { /* a conversion to the same type copies */
        snprintf(name, sizeof name, "p%d", (*number)++);
        ash__gpu_put_program(text, name, form, program, true);
    }
    if (program)
        ash__program_release(program);
}

static void put_all(ash__text *text, ash_dtype machine, bool f64)
{
    const ash__gpu_form form = {.spans = 4, .rank = 2, .local = 16, .faults = true, .step = {4, 4, ASH__GPU_ANY, 0}};
    int number = 0;
    ash__gpu_put_head(text, f64, false);
    ash__gpu_put_walk(text, &form);
    for (int op = ASH__OP_ROUND16 + 1; op < ASH__OP_COUNT; op++)
        if (ash__op_classes((ash__op)op) & class_of(machine))
            put(text, &form, program_of((ash__op)op, machine), &number);
    for (ash_dtype to = ASH_BOOL; to <= ASH_F64; to = (ash_dtype)(to + 1))
        if (f64 || to != ASH_F64)
            put(text, &form, converting(machine, to, false), &number);
    for (ash_dtype to = ASH_BOOL; to <= ASH_U64 && class_of(machine) == ASH__I; to = (ash_dtype)(to + 1))
        put(text, &form, converting(machine, to, true), &number);
    ash__put(text, "KERNEL(run, 16)(MEMORY, const walk w)\n{\n    index at[SPANS] = {0};\n");
    for (int k = 0; k < number; k++)
        ash__put(text, "    if (w.size[0] == %d)\n        p%d(PASSED, at, (index)LOCAL_ID, &w);\n", k, k);
    ash__put(text, "}\n");
}

static char buffer[ROOM];

static int write_file(const char *folder, const char *name, ash__text text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.cl", folder, name);
    FILE *const file = fopen(path, "w");
    const bool written = file && text.length < ROOM && fwrite(buffer, 1, text.length, file) == text.length;
    if (!written || fclose(file))
        fprintf(stderr, "%s: not written\n", path);
    return !written;
}

static int write_text(const char *folder, const char *name, ash_dtype machine, bool f64)
{
    char file[32];
    ash__text text = {buffer, sizeof buffer, 0};
    put_all(&text, machine, f64);
    snprintf(file, sizeof file, "kernels-%s", name);
    return write_file(folder, file, text);
}

/* One of them is called, with parameters of all kinds; the text holds all. */
static int write_user(const char *folder, const char *name, const ash_kernel *kernel, bool f64)
{
    static const ash_kernel_argument argument[ASH_KERNEL_PARAMETERS];
    const ash__launching launching = {
        .kernel = kernel, .argument = argument, .axes = 1, .global = {64, 1, 1}, .local = {64, 1, 1}};
    ash__text text = {buffer, sizeof buffer, 0};
    ash__gpu_put_user_kernel(&text, &launching, f64);
    return write_file(folder, name, text);
}

int main(int count, char **argument)
{
    if (count != 2)
        return fprintf(stderr, "usage: kernel-texts FOLDER\n"), 2;
    int failed = write_text(argument[1], "alone", ASH_F32, false);
    failed |= write_user(argument[1], "user", draws_f64, true);
    failed |= write_user(argument[1], "user-rows", rows, true);
    failed |= write_user(argument[1], "user-alone", uniform_seeded, false);
    for (ash_dtype d = ASH_BOOL; d <= ASH_F64; d = (ash_dtype)(d + 1))
        if (ash__machine(d) == d)
            failed |= write_text(argument[1], ash_dtype_name(d), d, true);
    return failed | write_runs(argument[1]);
}
