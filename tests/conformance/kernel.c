/* kernel.c - user kernels over arguments of any shape, with groups and with atomics; include/ashlar/kernel.h. */
#include "trial.h"

#include "kernel_f64.h"
#include "kernel_texts.h"

static const ash_kernel *mover(void)
{
    switch (now.dtype) {
    case ASH_I8:
        return move_i8;
    case ASH_I16:
        return move_i16;
    case ASH_I32:
        return move_i32;
    case ASH_I64:
        return move_i64;
    case ASH_U8:
        return move_u8;
    case ASH_U16:
        return move_u16;
    case ASH_U32:
        return move_u32;
    case ASH_U64:
        return move_u64;
    case ASH_F16:
        return move_f16;
    case ASH_BF16:
        return move_bf16;
    case ASH_F32:
        return move_f32;
    case ASH_F64:
        return move_f64;
    default:
        return move_c_f32;
    }
}

static void run_launch(void)
{
    /* halves are floats in a kernel, and any of their NaN may come out */
    const argument a = give_here(is_float(part_of(now.dtype)) ? TAME : ANYTHING), b = give_here(COUNTS),
                   out = give_out(&b.value);
    result_status(ash_launch(mover(), ASH_OPERANDS(a.array, out.array), .global = ASH_SHAPE(a.value.size)), &out);
    expect(&a.value);
}

static void run_launch_groups(void)
{
    const int64_t n = now.edge == LONG ? 1024 : 8;
    const argument a = give(ASH_I32, &n, 1, ANYTHING);
    const model start = model_new(ASH_I32, &n, 1);
    const argument out = give_out(&start);
    result_status(ash_launch(turn_groups, ASH_OPERANDS(a.array, out.array), .local = ASH_SHAPE(8)), &out);
    const model want = model_new(ASH_I32, &n, 1);
    for (int64_t i = 0; i < n; i++)
        model_put(&want, i, &a.value, i - i % 8 + 7 - i % 8);
    expect(&want);
}

static void run_launch_atomics(void)
{
    const argument a = give_here(COUNTS);
    const model start = model_new(ASH_I32, NULL, 0);
    const argument out = give_out(&start);
    result_status(ash_launch(count_all, ASH_OPERANDS(a.array, out.array), .global = ASH_SHAPE(a.value.size)), &out);
    int32_t sum = 0;
    for (int64_t i = 0; i < a.value.size; i++)
        sum += ((int32_t *)(void *)a.value.data)[i];
    const model want = model_new(ASH_I32, NULL, 0);
    *(int32_t *)(void *)want.data = sum;
    expect(&want);
}

#define FILLED (ONE(SCALAR) | ONE(SINGLE) | ONE(LONG) | ONE(MATRIX) | ONE(TURNED))
const operation kernel_operations[] = {
    {"launch", run_launch, INTEGERS | FLOATS | ONE(ASH_C_F32), FILLED, EXACT, EXACT, 0},
    {"launch_groups", run_launch_groups, ONE(ASH_I32), ONE(LONG) | ONE(SINGLE), EXACT, EXACT, 0},
    {"launch_atomics", run_launch_atomics, ONE(ASH_I32), FILLED, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
