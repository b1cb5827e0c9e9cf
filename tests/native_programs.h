/*
 * native_programs.h - random programs of all operations and types, and operands that end at an unreadable page.
 *
 * For tests of native code: whatever program comes, the interpreter says what it gives.
 */
#ifndef TEST_NATIVE_PROGRAMS_H
#define TEST_NATIVE_PROGRAMS_H
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ashlar/error.h"
#include "backend/cpu/cpu.h"
#include "backend/cpu/native/native.h"
#include "expr/program.h"
#include "xorshift.h"

enum { OPERANDS = 5, MOST = 700, PAGE = 4096, ROOM = 4 * PAGE }; /* elements, bytes; MOST of 16 bytes fit ROOM */

static int64_t below(int64_t n)
{
    return (int64_t)((next_random() >> 16) % (uint64_t)n);
}

/* ---- operands */

typedef struct operand {
    ash_dtype dtype;
    bool scalar;
    _Alignas(16) char data[16 * MOST]; /* elements; a scalar's is the first */
} operand;

/* Specials of both floats, limits of integers, small numbers, anything. */
static double special(void)
{
    static const double list[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  0.5,
                                  -0.5,
                                  1.5,
                                  2.5,
                                  -2.5,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  FLT_MIN,
                                  -FLT_MIN,
                                  FLT_MAX,
                                  DBL_MAX,
                                  DBL_MIN,
                                  0x1p-149,
                                  -0x1p-1074,
                                  0x1p31,
                                  -0x1p31,
                                  0x1p32,
                                  0x1p63,
                                  -0x1p63,
                                  0x1p64,
                                  2147483647.0,
                                  4294967295.0,
                                  0x1.fffffep-2,
                                  0x1.fffffffffffffp-2,
                                  1e30,
                                  -1e30,
                                  255.5,
                                  -128.5,
                                  65535.5,
                                  32767.5,
                                  0x1p23,
                                  0x1p52};
    return list[below((int64_t)(sizeof list / sizeof *list))];
}

static double any_float(int kind)
{
    const double unit = (double)(next_random() >> 11) * 0x1p-53;
    return kind == 0   ? special()
           : kind == 1 ? (double)(below(41) - 20) / 4
           : kind == 2 ? (unit - 0.5) * 200
                       : ldexp(unit, (int)below(300) - 150);
}

static void put_element(ash_dtype part, char *at)
{
    const int kind = (int)below(5);
    const double x = any_float(kind);
    const float f = (float)x;
    const uint16_t half = part == ASH_F16 ? ash__f16_from_f64(x) : ash__bf16_from_f64(x);
    const uint64_t whole = kind == 0   ? 0 - (uint64_t)below(2)
                           : kind == 1 ? (uint64_t)below(9) - 4
                           : kind == 2 ? 1ull << below(64)
                           : kind == 3 ? (1ull << below(64)) - 1
                                       : next_random();
    const uint8_t truth = next_random() & 1;
    if (part == ASH_BOOL)
        memcpy(at, &truth, 1);
    else if (part == ASH_F16 || part == ASH_BF16)
        memcpy(at, &half, 2);
    else if (part == ASH_F32)
        memcpy(at, &f, 4);
    else if (part == ASH_F64)
        memcpy(at, &x, 8);
    else
        memcpy(at, &whole, ash_dtype_size(part));
}

static void fill_operand(operand *x)
{
    const size_t item = ash_dtype_size(x->dtype);
    for (size_t k = 0; k < MOST; k++)
        put_element(x->dtype, x->data + k * item);
}

/* Memory of ROOM bytes that ends where nothing may be read or written. */
__attribute__((unused)) static char *guarded(void)
{
    char *const at = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + ROOM, PAGE, PROT_NONE) != 0)
        abort();
    return at;
}

/* ---- programs */

typedef struct values { /* by machine type; operands come first */
    int of[ASH__REAL_COUNT][200], count[ASH__REAL_COUNT], operands[ASH__REAL_COUNT];
    bool uniform[4096];
} values;

static const ash_dtype all_types[] = {ASH_F32, ASH_F64, ASH_I32, ASH_I64, ASH_BOOL, ASH_U32, ASH_U64,
                                      ASH_I8,  ASH_U8,  ASH_I16, ASH_U16, ASH_F16,  ASH_BF16};
enum { MACHINE_KINDS = 11, KINDS = 13 };

static void know(values *v, ash_dtype type, int value, bool uniform)
{
    if (value < 0 || v->count[type] == 200)
        return;
    v->of[type][v->count[type]++] = value;
    v->uniform[value] = uniform;
}

/* Late values are likelier, so that programs are deep. */
static int any_value(const values *v, ash_dtype type)
{
    const int n = v->count[type], k = (int)(below(3) ? n - 1 - below(n < 4 ? n : 4) : below(n));
    return v->of[type][k];
}

static int random_constant(ash__builder *b, values *v, ash_dtype type)
{
    ash__scalar x = {.bits = 0};
    put_element(type, (char *)&x);
    const int value = ash__build_constant(b, type, x);
    know(v, type, value, true);
    return value;
}

static unsigned class_of(ash_dtype type)
{
    return type == ASH_BOOL ? ASH__B : ash__is_integer(type) ? ASH__I : ASH__F;
}

static bool is_drawn(ash__op op, ash_dtype type)
{
    const bool seldom = op >= ASH__OP_CBRT && op <= ASH__OP_TGAMMA; /* functions that are written out make long code */
    if (seldom && (below(3) || op == ASH__OP_LGAMMA || (op == ASH__OP_TGAMMA && type == ASH_F64)))
        return false;
    return op > ASH__OP_ROUND16 && op != ASH__OP_IPOW;
}

static bool shows_sign(ash__op op, int k)
{
    return op == ASH__OP_SIGNBIT || (op == ASH__OP_COPYSIGN && k == 1);
}

/* One more value, of a type that is there. */
static void grow(ash__builder *b, values *v, int kinds)
{
    const ash_dtype type = all_types[below(kinds)];
    ash__op op = (ash__op)below(ASH__OP_COUNT);
    if (below(6) == 0 || !v->count[type]) { /* a conversion */
        const ash_dtype from = all_types[below(kinds)];
        if (v->count[from]) {
            const int x = any_value(v, from);
            const bool narrows = ash__is_integer(type) && ash__is_integer(from) && below(2);
            if (ash__is_float(from) && type == ASH_F32 && below(2) && !v->uniform[x])
                know(v, ASH_F32, ash__build_round16(b, x, below(2) ? ASH_F16 : ASH_BF16), false);
            else if (!v->uniform[x])
                know(v, type, narrows ? ash__build_narrow(b, x, type) : ash__build_convert(b, x, type), false);
        }
        return;
    }
    while (!is_drawn(op, type) || !(ash__op_classes(op) & class_of(type)))
        op = (ash__op)below(ASH__OP_COUNT);
    int x[3] = {-1, -1, -1};
    bool uniform = true;
    for (int k = 0; k < ash__op_arity(op); k++) {
        const ash_dtype t = op == ASH__OP_SELECT && k == 0 ? ASH_BOOL : type;
        if (!v->count[t])
            return;
        x[k] = below(8) == 0 ? random_constant(b, v, t) : any_value(v, t);
        if (shows_sign(op, k)) /* which NaN an operation gives is left open, and so is its sign: take one that is given */
            x[k] = v->operands[t] ? v->of[t][below(v->operands[t])] : random_constant(b, v, t);
        uniform &= v->uniform[x[k]];
    }
    if (!uniform)
        know(v, ash__op_gives_bool(op) ? ASH_BOOL : type, ash__build_op(b, op, x[0], x[1], x[2]), false);
}

/* A program over the operands, whose dtypes and kinds are set; NULL when it came to nothing. kinds: of types, from the list. */
static ash__program *random_program(operand *x, int kinds)
{
    static values v;
    memset(&v, 0, sizeof v);
    ash__builder *b = ash__builder_new("ash_map", OPERANDS);
    const int loads = kinds < MACHINE_KINDS ? kinds : KINDS, steps = 2 + (int)below(below(4) == 0 ? 90 : 16);
    for (int k = 0; k < OPERANDS; k++) {
        x[k].dtype = all_types[below(loads)];
        x[k].scalar = k > 0 && below(4) == 0;
        fill_operand(&x[k]);
        know(&v, ash__machine(x[k].dtype), ash__build_load(b, k, x[k].dtype, 0), x[k].scalar);
    }
    memcpy(v.operands, v.count, sizeof v.operands);
    for (int k = 0; k < steps; k++)
        grow(b, &v, kinds < MACHINE_KINDS ? kinds : MACHINE_KINDS);
    const ash_dtype type = all_types[below(kinds < MACHINE_KINDS ? kinds : MACHINE_KINDS)];
    int re = v.count[type] ? v.of[type][v.count[type] - 1] : v.of[ash__machine(x[0].dtype)][0];
    ash_dtype dtype = v.count[type] ? type : ash__machine(x[0].dtype);
    int im = -1;
    if (v.count[type] > 1 && dtype != ASH_BOOL && below(4) == 0) {
        im = v.of[type][v.count[type] - 2];
        dtype = ash__complex_of(dtype);
    }
    if (im < 0 && dtype == ASH_F32 && below(3) == 0)
        dtype = below(2) ? ASH_F16 : ASH_BF16;
    return ash__builder_finish(b, dtype, re, im);
}

/* ---- the interpreter's answer: n elements of the program's dtype */

__attribute__((unused)) static void interpret(const ash__program *p, const operand *x, int64_t n, char *out)
{
    static ash__buffer buffer;
    ash__span span[OPERANDS];
    int64_t stride[OPERANDS], out_stride = (int64_t)ash_dtype_size(p->dtype);
    for (int k = 0; k < OPERANDS; k++) {
        stride[k] = (int64_t)ash_dtype_size(x[k].dtype);
        span[k] = (ash__span){x[k].scalar ? NULL : &buffer, (char *)(uintptr_t)x[k].data, x[k].scalar ? NULL : &stride[k],
                              x[k].dtype};
    }
    const ash__task task = {.kind = ASH__TASK_MAP,
                            .function = "ash_map",
                            .rank = 1,
                            .shape = &n,
                            .program = p,
                            .operand_count = OPERANDS,
                            .operand = span,
                            .out = {&buffer, out, &out_stride, p->dtype}};
    if (ash__cpu_map(&task) != ASH_OK && !p->faults)
        abort();
    ash_error_text(); /* a fault: the elements are there all the same */
}

static bool is_nan(ash_dtype type, const char *at)
{
    uint16_t h;
    float f;
    double d;
    if (type == ASH_F16 || type == ASH_BF16)
        return memcpy(&h, at, sizeof h), (h & 0x7fff) > (type == ASH_F16 ? 0x7c00 : 0x7f80);
    if (type == ASH_F32)
        return memcpy(&f, at, sizeof f), f != f;
    return type == ASH_F64 && (memcpy(&d, at, sizeof d), d != d);
}

/* The first element of part `part` where the results differ; -1: none. NaNs are all alike. */
__attribute__((unused)) static int64_t first_difference(const ash__program *p, int part, const char *want, const char *got,
                                                        int64_t n)
{
    const ash_dtype type = ash__part(p->dtype);
    const size_t item = ash_dtype_size(type), step = ash_dtype_size(p->dtype);
    for (int64_t k = 0; k < n; k++) {
        const char *const a = want + (size_t)k * step + (size_t)part * item, *const b = got + (size_t)k * item;
        if (memcmp(a, b, item) != 0 && !(is_nan(type, a) && is_nan(type, b)))
            return k;
    }
    return -1;
}
#endif
