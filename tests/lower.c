/*
 * lower.c - elementary functions written out against the C text that kernels are compiled from, bit by bit.
 *
 *     test-lower [every]     of one f32 in 4096, or of every one (minutes)
 *
 * A sequence is run here with the kernels of plain operations, one for each of its instructions; what comes out has to be what
 * the kernel of the function gives, which is compiled from kernels/math_*.h. (Which NaN a NaN is is left open.)
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/kernels.h"
#include "expr/lower.h"
#include "test.h"
#include "xorshift.h"

enum { BLOCK = 1024 };
static bool every;

typedef union block {
    double f64[BLOCK];
    float f32[BLOCK];
    uint64_t u64[BLOCK];
    uint32_t u32[BLOCK];
    unsigned char truth[BLOCK];
} block;

static block value[ASH__LOWERED_MOST];
static const ash__elementwise_table *table;

static bool has_fma(void)
{
    const char *const level = ash__cpu_kernels()->level;
    table = ash__cpu_kernels()->elementwise;
    return strcmp(level, "v1") != 0 && strcmp(level, "v2") != 0;
}

/* y * 2^k with k in the low bits of t, by way of LDEXP. */
static void scale(block *d, const block *y, const block *t, ash_dtype type)
{
    static block k;
    for (int i = 0; i < BLOCK; i++)
        if (type == ASH_F32)
            k.f32[i] = t->f32[i] - 0x1.8p23f;
        else
            k.f64[i] = t->f64[i] - 0x1.8p52;
    ash__kernel_for(table, ASH__OP_LDEXP, type, 0)(d, y, &k, NULL, BLOCK);
}

static void run_ins(const ash__ins *i, block *d, bool *left)
{
    const block *const a = &value[i->arg[0]], *const b = &value[i->arg[1]], *const c = &value[i->arg[2]];
    const ash_dtype type = (ash_dtype)i->type, from = (ash_dtype)i->from;
    switch (i->op) {
    case ASH__OP_CONSTANT:
        for (size_t k = 0; k < BLOCK; k++)
            memcpy((char *)d + k * ash_dtype_size(type), &i->constant, ash_dtype_size(type));
        break;
    case ASH__OP_CONVERT:
        ash__convert_for(table, from, type)(d, a, NULL, NULL, BLOCK);
        break;
    case ASH__LOW_BITS:
        CHECK(ash_dtype_size(from) == ash_dtype_size(type));
        memcpy(d, a, sizeof *d);
        break;
    case ASH__LOW_SCALE:
        scale(d, a, b, type);
        break;
    case ASH__LOW_LEAVE:
        for (int k = 0; k < BLOCK; k++)
            left[k] |= a->truth[k];
        break;
    default:
        ash__kernel_for(table, (ash__op)i->op, from, 0)(d, a, b, c, BLOCK);
    }
}

static bool equal(ash_dtype type, const block *x, const block *y, int k)
{
    if (type == ASH_F32)
        return x->u32[k] == y->u32[k] || (x->f32[k] != x->f32[k] && y->f32[k] != y->f32[k]);
    return x->u64[k] == y->u64[k] || (x->f64[k] != x->f64[k] && y->f64[k] != y->f64[k]);
}

/* The arguments are values 0 and 1. */
static void check_block(const ash__lowered *f, ash__op op, ash_dtype type)
{
    static block want;
    bool left[BLOCK] = {false};
    ash__kernel_for(table, op, type, 0)(&want, &value[0], &value[1], NULL, BLOCK);
    for (int v = ash__op_arity(op); v < f->count; v++)
        run_ins(&f->ins[v], &value[v], left);
    for (int k = 0; k < BLOCK; k++)
        if (!left[k] && !equal(type, &value[f->result], &want, k))
            fail_here(__FILE__, __LINE__, "%s of %s: %a, not %a", ash__op_name(op), ash_dtype_name(type),
                      type == ASH_F32 ? (double)value[f->result].f32[k] : value[f->result].f64[k],
                      type == ASH_F32 ? (double)want.f32[k] : want.f64[k]);
}

/* Bit patterns of all kinds, moderate numbers, numbers near 1 and small ones. */
static double argument(int kind)
{
    const double unit = (double)(next_random() >> 11) * 0x1p-53;
    const uint64_t bits = next_random();
    double x;
    memcpy(&x, &bits, sizeof x);
    return kind == 0   ? x
           : kind == 1 ? (unit - 0.5) * 2000
           : kind == 2 ? (unit - 0.5) * 20
           : kind == 3 ? 1 + (unit - 0.5) * 0.01
                       : unit * 2 - 1;
}

static void check_anywhere(const ash__lowered *f, ash__op op, ash_dtype type)
{
    static const double edges[] = {0.0,     -0.0,    1,       -1,      0.5,      -0.5,      INFINITY, -INFINITY, NAN,
                                   DBL_MIN, DBL_MAX, FLT_MIN, FLT_MAX, 0x1p-149, 0x1p-1074, 0x1p20,   0x1p16,    709.8,
                                   -745.2,  88.8,    -104,    128,     -150,     1024,      -1075.5,  0x1p60,    2.5};
    for (int round = 0; round < 300 / SLOW; round++) {
        for (int k = 0; k < BLOCK; k++)
            for (int which = 0; which < 2; which++) {
                const double x = next_random() % 16 ? argument((int)(next_random() % 5)) : edges[next_random() % COUNT(edges)];
                if (type == ASH_F32)
                    value[which].f32[k] = (float)x;
                else
                    value[which].f64[k] = x;
            }
        check_block(f, op, type);
    }
}

static void check_f32(const ash__lowered *f, ash__op op)
{
    const uint64_t step = every ? 1 : 4096 * SLOW;
    for (uint64_t bits = 0; bits < 1ull << 32;) {
        for (int k = 0; k < BLOCK; k++, bits += step)
            value[0].u32[k] = (uint32_t)(bits + (every ? 0 : next_random() % step));
        check_block(f, op, ASH_F32);
    }
}

static void sequences_are_the_c_text(void **state)
{
    (void)state;
    if (!has_fma()) { /* kernels without fma differ in last places */
        print_message("[  SKIPPED ] sequences_are_the_c_text: level %s has no fma\n", ash__cpu_kernels()->level);
        return;
    }
    for (int op = ASH__OP_CBRT; op < ASH__OP_COUNT; op++) {
        static ash__lowered f;
        if (ash__lower(&f, (ash__op)op, ASH_F64))
            check_anywhere(&f, (ash__op)op, ASH_F64);
        if (!ash__lower(&f, (ash__op)op, ASH_F32))
            continue;
        check_anywhere(&f, (ash__op)op, ASH_F32);
        if (ash__op_arity((ash__op)op) == 1)
            check_f32(&f, (ash__op)op);
    }
}

/* The kernels of ROUND16: to 16 bits and back. */
static void check_round16(ash_dtype half, ash_dtype type)
{
    static ash__lowered f;
    static block want, bits;
    ash__lower_round16(&f, half, type);
    for (int round = 0; round < 1000 / SLOW; round++) {
        for (int k = 0; k < BLOCK; k++) {
            const double wide = argument((int)(next_random() % 5)),
                         x = next_random() % 2 ? ldexp(wide, (int)(next_random() % 60) - 30) : wide;
            const uint32_t any = (uint32_t)next_random();
            if (type == ASH_F64)
                value[0].f64[k] = x;
            else if (round % 2)
                value[0].f32[k] = (float)x;
            else
                value[0].u32[k] = any;
        }
        ash__store16_for(table, half, type)(&bits, &value[0], NULL, NULL, BLOCK);
        ash__load16_for(table, half)(&want, &bits, NULL, NULL, BLOCK);
        for (int v = 1; v < f.count; v++)
            run_ins(&f.ins[v], &value[v], NULL);
        for (int k = 0; k < BLOCK; k++)
            CHECK(equal(ASH_F32, &value[f.result], &want, k));
    }
}

static void rounding_is_the_kernels(void **state)
{
    (void)state;
    table = ash__cpu_kernels()->elementwise;
    for (int k = 0; k < 4; k++)
        check_round16(k & 1 ? ASH_F16 : ASH_BF16, k & 2 ? ASH_F32 : ASH_F64);
}

/* Every function of the language has a sequence, in both types, but those that are libm's: lgamma, and tgamma in f64. */
static void all_functions_are_written_out(void **state)
{
    static ash__lowered f;
    (void)state;
    for (int op = ASH__OP_NONE; op < ASH__OP_COUNT; op++) {
        const bool is_function = (op >= ASH__OP_CBRT && op <= ASH__OP_TGAMMA) || op == ASH__OP_FMOD ||
                                 op == ASH__OP_REMAINDER || op == ASH__OP_FLDMOD || op == ASH__OP_NEXTAFTER ||
                                 op == ASH__OP_LDEXP || op == ASH__OP_LOGB;
        for (int k = 0; k < 2; k++) {
            const bool is_libm = op == ASH__OP_LGAMMA || (op == ASH__OP_TGAMMA && k);
            CHECK(ash__lower(&f, (ash__op)op, k ? ASH_F64 : ASH_F32) == (is_function && !is_libm));
            for (int v = 0; is_function && !is_libm && v < f.count; v++)
                for (int a = 0; a < 3; a++)
                    CHECK(f.ins[v].op == ASH__OP_LOAD || f.ins[v].arg[a] < (v ? v : 1));
        }
    }
}

static void leaves_where_it_says(void **state)
{
    static ash__lowered f;
    (void)state;
    for (int op = ASH__OP_CBRT; op < ASH__OP_COUNT; op++)
        for (int k = 0; k < 2; k++)
            if (ash__lower(&f, (ash__op)op, k ? ASH_F64 : ASH_F32)) {
                bool leaves = false;
                for (int v = 0; v < f.count; v++)
                    leaves |= f.ins[v].op == ASH__LOW_LEAVE;
                CHECK(leaves == ash__lowered_leaves((ash__op)op));
            }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_functions_are_written_out),
        cmocka_unit_test(leaves_where_it_says),
        cmocka_unit_test(sequences_are_the_c_text),
        cmocka_unit_test(rounding_is_the_kernels),
    };
    every = argc > 1 && strcmp(argv[1], "every") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
