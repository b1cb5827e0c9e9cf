/*
 * interpret.c - the block interpreter and the maps and copies built on it, against one element at a time.
 *
 * Every case makes its operands at the end of memory of their own, so that the address sanitizer sees a read too far, runs a
 * program over them, and compares each element with a plain evaluation of the same instructions, bit by bit; bytes between
 * the elements of the result must stay as they were.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ashlar/error.h"
#include "backend/cpu/cpu.h"
#include "backend/cpu/interpret.h"
#include "backend/cpu/threads.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))
enum { OPERANDS = 3, GUARD = 0xa5 };

static uint64_t seed;
static uint64_t next_random(void) /* xorshift64*: S. Vigna, ACM TOMS 42 (2016) */
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * 0x2545f4914f6cdd1dull;
}
static int64_t below(int64_t n)
{
    return (int64_t)(next_random() % (uint64_t)n);
}

/* ---- arrays with a layout */

typedef enum layout {
    ROW,      /* dense, last axis fastest */
    COL,      /* dense, first axis fastest */
    SHUFFLED, /* dense, axes in some order */
    PADDED,   /* rows of a larger array */
    EVERY_2ND,
    EVERY_3RD,
    REVERSED, /* all strides negative */
    MIXED,    /* strides of either sign, axes in some order, gaps */
    PACKED,   /* a field of a packed record: no alignment, odd steps */
    LAST_RESULT = PACKED,
    ROWS,   /* one row for all: stride 0 but on the last axis */
    COLUMN, /* one column for all: stride 0 on the last axis */
    MIDDLE, /* stride 0 on every second axis */
    ONE,    /* one element for all */
    SCALAR, /* no array at all */
    LAYOUTS
} layout;

typedef struct array {
    ash_dtype dtype;
    int64_t rank, shape[6], stride[6];
    char *memory, *data;
    int64_t nbytes;
    bool scalar;
} array;

static int64_t item_of(const array *a)
{
    return (int64_t)ash_dtype_size(a->dtype);
}

static void shuffled_order(int64_t *order, int64_t rank)
{
    for (int64_t k = 0; k < rank; k++)
        order[k] = k;
    for (int64_t k = rank - 1; k > 0; k--) {
        const int64_t j = below(k + 1), t = order[k];
        order[k] = order[j];
        order[j] = t;
    }
}

static void set_strides(array *a, layout how)
{
    int64_t order[6], step = item_of(a);
    shuffled_order(order, a->rank);
    if (how == EVERY_2ND || how == EVERY_3RD)
        step *= how == EVERY_2ND ? 2 : 3;
    if (how == PACKED)
        step += 5;
    for (int64_t k = 0; k < a->rank; k++) {
        const int64_t axis = how == COL ? k : how == SHUFFLED || how == MIXED ? order[k] : a->rank - 1 - k;
        const bool zero = how == ONE || how == SCALAR || (how == ROWS && axis != a->rank - 1) ||
                          (how == COLUMN && axis == a->rank - 1) || (how == MIDDLE && axis % 2);
        const bool down = how == REVERSED || (how == MIXED && below(2));
        a->stride[axis] = zero ? 0 : down ? -step : step;
        if (!zero)
            step *= a->shape[axis] ? a->shape[axis] : 1;
        if (how == MIXED && below(2))
            step += 2 * item_of(a);
        if (how == PADDED && axis == a->rank - 1)
            step += 3 * item_of(a);
    }
}

/* Memory that ends with the last element; elements are filled in by the caller. */
static void make_array(array *a, ash_dtype dtype, const int64_t *shape, int64_t rank, layout how)
{
    int64_t low = 0, high = 0;
    *a = (array){.dtype = dtype, .rank = rank, .scalar = how == SCALAR};
    if (rank)
        memcpy(a->shape, shape, (size_t)rank * sizeof *shape);
    set_strides(a, how);
    for (int64_t k = 0; k < rank; k++) {
        const int64_t reach = a->shape[k] ? (a->shape[k] - 1) * a->stride[k] : 0;
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    const int64_t lead = how == PACKED ? 3 : 0;
    a->nbytes = lead - low + high + item_of(a);
    a->memory = malloc((size_t)a->nbytes);
    assert_non_null(a->memory);
    memset(a->memory, GUARD, (size_t)a->nbytes);
    a->data = a->memory + lead - low;
}

static char *element(const array *a, const int64_t *index)
{
    char *at = a->data;
    for (int64_t k = 0; k < a->rank; k++)
        at += index[k] * a->stride[k];
    return at;
}

static bool next_index(const array *a, int64_t *index)
{
    for (int64_t k = a->rank - 1; k >= 0; k--) {
        if (++index[k] < a->shape[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static int64_t count_of(const array *a)
{
    int64_t n = 1;
    for (int64_t k = 0; k < a->rank; k++)
        n *= a->shape[k];
    return n;
}

/* A small number, so that products are exact and integers of all kinds hold it; f16 and bf16 as bits. */
static void put_number(char *at, ash_dtype part, int64_t x)
{
    const float f = (float)x / 4;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    const uint16_t h[2] = {ash__f16_from_f64((double)f), (uint16_t)(bits >> 16)};
    const double d = (double)f;
    const uint8_t b = x & 1;
    switch (part) {
    case ASH_BOOL:
        memcpy(at, &b, 1);
        break;
    case ASH_F16:
    case ASH_BF16:
        memcpy(at, &h[part - ASH_F16], 2);
        break;
    case ASH_F32:
        memcpy(at, &f, 4);
        break;
    case ASH_F64:
        memcpy(at, &d, 8);
        break;
    default: /* little-endian machines: the low bytes come first */
        memcpy(at, &x, ash_dtype_size(part));
    }
}

static void fill_random(array *a)
{
    int64_t index[6] = {0};
    const ash_dtype part = ash__part(a->dtype);
    const int64_t size = (int64_t)ash_dtype_size(part);
    if (count_of(a) == 0)
        return;
    do {
        for (int64_t at = 0; at < item_of(a); at += size)
            put_number(element(a, index) + at, part, below(256) - 128);
    } while (next_index(a, index));
}

static ash__span span_of(const array *a)
{
    static ash__buffer buffer;
    return (ash__span){a->scalar ? NULL : &buffer, a->data, a->scalar ? NULL : a->stride, a->dtype};
}

/* ---- one element at a time */

#define EACH_INTEGER(X) X(I8, i8) X(I16, i16) X(I32, i32) X(I64, i64) X(U8, u8) X(U16, u16) X(U32, u32) X(U64, u64)

static double as_number(ash_dtype type, ash__scalar x)
{
    switch (type) {
    case ASH_BOOL:
        return x.b;
#define CASE(ID, T) \
    case ASH_##ID:  \
        return (double)x.T;
        EACH_INTEGER(CASE)
#undef CASE
    case ASH_F32:
        return (double)x.f32;
    default:
        return x.f64;
    }
}

/* Values in the tests are small: conversion to an integer never saturates. */
static ash__scalar from_number(ash_dtype type, double x)
{
    ash__scalar r = {.bits = 0};
    switch (type) {
    case ASH_BOOL:
        r.b = x != 0;
        break;
    case ASH_F32:
        r.f32 = (float)x;
        break;
    case ASH_F64:
        r.f64 = x;
        break;
    default:
        r.i64 = (int64_t)x;
    }
    return r;
}

/* What was fused, in its parts. */
static ash__scalar arithmetic(ash__op op, ash_dtype type, ash__scalar a, ash__scalar b, ash__scalar c);
static ash__scalar fused(ash__op op, ash_dtype type, ash__scalar a, ash__scalar b, ash__scalar c)
{
    const ash__scalar none = {.bits = 0};
    if (op == ASH__OP_MULMUL)
        return arithmetic(ASH__OP_MUL, type, arithmetic(ASH__OP_MUL, type, a, b, none), c, none);
    if (op == ASH__OP_SUMSQ)
        return arithmetic(ASH__OP_MULADD, type, a, a, arithmetic(ASH__OP_MUL, type, b, b, none));
    const ash__scalar d = arithmetic(ASH__OP_SUB, type, a, b, none);
    return arithmetic(ASH__OP_MUL, type, d, d, none);
}

static ash__scalar arithmetic(ash__op op, ash_dtype type, ash__scalar a, ash__scalar b, ash__scalar c)
{
    ash__scalar r = {.bits = 0};
    if (type == ASH_F32)
        r.f32 = op == ASH__OP_ADD      ? a.f32 + b.f32
                : op == ASH__OP_SUB    ? a.f32 - b.f32
                : op == ASH__OP_MUL    ? a.f32 * b.f32
                : op == ASH__OP_NEG    ? -a.f32
                : op == ASH__OP_MULADD ? a.f32 * b.f32 + c.f32
                                       : a.f32 * b.f32 - c.f32;
    else if (type == ASH_F64)
        r.f64 = op == ASH__OP_ADD      ? a.f64 + b.f64
                : op == ASH__OP_SUB    ? a.f64 - b.f64
                : op == ASH__OP_MUL    ? a.f64 * b.f64
                : op == ASH__OP_NEG    ? -a.f64
                : op == ASH__OP_MULADD ? a.f64 * b.f64 + c.f64
                                       : a.f64 * b.f64 - c.f64;
    else /* modulo 2^64, of which the low bits are kept */
        r.u64 = op == ASH__OP_ADD      ? a.u64 + b.u64
                : op == ASH__OP_SUB    ? a.u64 - b.u64
                : op == ASH__OP_MUL    ? a.u64 * b.u64
                : op == ASH__OP_NEG    ? 0 - a.u64
                : op == ASH__OP_MULADD ? a.u64 * b.u64 + c.u64
                                       : a.u64 * b.u64 - c.u64;
    return r;
}

static float rounded_16(ash_dtype to, double x)
{
    return to == ASH_F16 ? ash__f16_to_f32(ash__f16_from_f64(x)) : ash__bf16_to_f32(ash__bf16_from_f64(x));
}

static ash__scalar load_number(const char *at, ash_dtype dtype)
{
    ash__scalar r = {.bits = 0};
    uint16_t half;
    memcpy(dtype == ASH_F16 || dtype == ASH_BF16 ? (void *)&half : (void *)&r, at, ash_dtype_size(dtype));
    if (dtype == ASH_F16)
        r.f32 = ash__f16_to_f32(half);
    if (dtype == ASH_BF16)
        r.f32 = ash__bf16_to_f32(half);
    return r;
}

static ash__scalar evaluate_one(const ash__program *p, const array *operand, const int64_t *index, ash__scalar *value, int v)
{
    const ash__ins *const i = &p->ins[v];
    const ash__scalar a = value[i->arg[0]], b = value[i->arg[1]], c = value[i->arg[2]];
    const ash_dtype from = p->ins[i->arg[0]].type;
    ash__scalar r = {.bits = 0};
    switch (i->op) {
    case ASH__OP_LOAD:
        return load_number(element(&operand[i->arg[0]], index) + i->offset, i->from);
    case ASH__OP_CONSTANT:
        return i->constant;
    case ASH__OP_CONVERT:
        return from_number(i->type, as_number(from, a));
    case ASH__OP_ROUND16:
        r.f32 = rounded_16(i->from, as_number(from, a));
        return r;
    case ASH__OP_LT:
        r.b = as_number(from, a) < as_number(from, b);
        return r;
    case ASH__OP_SELECT:
        return a.b ? b : c;
    case ASH__OP_SQRT:
        if (i->type == ASH_F32)
            r.f32 = sqrtf(a.f32);
        else
            r.f64 = sqrt(a.f64);
        return r;
    case ASH__OP_MULMUL:
    case ASH__OP_SUMSQ:
    case ASH__OP_SQDIFF:
        return fused((ash__op)i->op, (ash_dtype)i->type, a, b, c);
    default:
        assert_true(i->op == ASH__OP_ADD || i->op == ASH__OP_SUB || i->op == ASH__OP_MUL || i->op == ASH__OP_NEG ||
                    i->op == ASH__OP_MULADD || i->op == ASH__OP_MULSUB);
        return arithmetic((ash__op)i->op, i->type, a, b, c);
    }
}

static void store_number(char *at, ash_dtype dtype, ash_dtype type, ash__scalar x)
{
    const double number = as_number(type, x);
    const uint16_t half = dtype == ASH_F16 ? ash__f16_from_f64(number) : ash__bf16_from_f64(number);
    memcpy(at, dtype == ASH_F16 || dtype == ASH_BF16 ? (const void *)&half : (const void *)&x, ash_dtype_size(dtype));
}

static void expect(const ash__program *p, const array *operand, const int64_t *index, char *out)
{
    ash__scalar value[512];
    const ash_dtype part = ash__part(p->dtype);
    if (p->copies >= 0) {
        memcpy(out, element(&operand[p->copies], index), ash_dtype_size(p->dtype));
        return;
    }
    assert_true(p->count <= COUNT(value));
    for (int v = 0; v < p->count; v++)
        value[v] = evaluate_one(p, operand, index, value, v);
    for (int k = 0; k < p->outputs; k++)
        store_number(out + (size_t)k * ash_dtype_size(part), part, p->ins[p->output[k]].type, value[p->output[k]]);
}

/* ---- programs */

typedef ash__program *maker(ash_dtype dtype);
int ash__build_round16(ash__builder *b, int value, ash_dtype dtype); /* expr/builder.h */

static ash__program *identity(ash_dtype dtype) /* each part as it is */
{
    ash__builder *b = ash__builder_new("ash_map", OPERANDS);
    const ash_dtype part = ash__part(dtype);
    const int re = ash__build_load(b, 0, part, 0);
    const int im = ash__is_complex(dtype) ? ash__build_load(b, 0, part, (uint32_t)ash_dtype_size(part)) : -1;
    return ash__builder_finish(b, dtype, re, im);
}

static ash__program *multiply_add(ash_dtype dtype) /* x*y + z, complex as well; bool: select */
{
    ash__builder *b = ash__builder_new("ash_map", OPERANDS);
    const ash_dtype part = ash__part(dtype);
    const uint32_t offset = (uint32_t)ash_dtype_size(part);
    int re[OPERANDS], im[OPERANDS];
    for (int k = 0; k < OPERANDS; k++) {
        re[k] = ash__build_load(b, k, part, 0);
        im[k] = ash__is_complex(dtype) ? ash__build_load(b, k, part, offset) : -1;
    }
    if (dtype == ASH_BOOL)
        return ash__builder_finish(b, dtype, ash__build_op(b, ASH__OP_SELECT, re[0], re[1], re[2]), -1);
    int r = ash__build_op(b, ASH__OP_MUL, re[0], re[1], -1), i = -1;
    if (ash__is_complex(dtype)) {
        r = ash__build_op(b, ASH__OP_SUB, r, ash__build_op(b, ASH__OP_MUL, im[0], im[1], -1), -1);
        i = ash__build_op(b, ASH__OP_ADD, ash__build_op(b, ASH__OP_MUL, re[0], im[1], -1),
                          ash__build_op(b, ASH__OP_MUL, im[0], re[1], -1), -1);
        i = ash__build_op(b, ASH__OP_ADD, i, im[2], -1);
    }
    return ash__builder_finish(b, dtype, ash__build_op(b, ASH__OP_ADD, r, re[2], -1), i);
}

static ash__program *smaller_in_f64(ash_dtype dtype) /* widths change along the way: f64(x) < f64(y) ? f64(x) - z : f64(y) */
{
    ash__builder *b = ash__builder_new("ash_map", OPERANDS);
    int x[OPERANDS];
    for (int k = 0; k < OPERANDS; k++)
        x[k] = ash__build_convert(b, ash__build_load(b, k, ash__part(dtype), 0), ASH_F64);
    const int less = ash__build_op(b, ASH__OP_LT, x[0], x[1], -1);
    const int r = ash__build_op(b, ASH__OP_SELECT, less, ash__build_op(b, ASH__OP_SUB, x[0], x[2], -1), x[1]);
    return ash__builder_finish(b, ASH_F64, r, -1);
}

static ash__program *deep(ash_dtype dtype) /* a polynomial whose 120 terms are all live at once, and constants */
{
    ash__builder *b = ash__builder_new("ash_map", OPERANDS);
    const ash_dtype machine = ash__machine(ash__part(dtype)) == ASH_BOOL ? ASH_I64 : ash__machine(ash__part(dtype));
    const int x = ash__build_convert(b, ash__build_load(b, 0, ash__part(dtype), 0), machine);
    const int y = ash__build_convert(b, ash__build_load(b, 1, ash__part(dtype), 0), machine);
    int term[120];
    for (int k = 0; k < COUNT(term); k++) {
        const int c = ash__build_constant(b, machine, from_number(machine, k % 8 - 3));
        term[k] = ash__build_op(b, ASH__OP_ADD, ash__build_op(b, ASH__OP_MUL, k % 3 ? x : y, c, -1), k ? term[k - 1] : x, -1);
    }
    int sum = term[COUNT(term) - 1];
    for (int k = 0; k < COUNT(term); k++) /* the first of them is needed last */
        sum = ash__build_op(b, ASH__OP_SUB, sum, term[COUNT(term) - 1 - k], -1);
    return ash__builder_finish(b, machine, sum, -1);
}

static ash__program *constant(ash_dtype dtype) /* no operand is read */
{
    ash__builder *b = ash__builder_new("ash_map", OPERANDS);
    const ash_dtype machine = ash__machine(ash__part(dtype));
    const int c = ash__build_constant(b, machine, from_number(machine, 1));
    return ash__builder_finish(b, dtype, c, ash__is_complex(dtype) ? c : -1);
}

static ash__program *rounded(ash_dtype dtype) /* f16(x)*y + bf16(z) through f64 */
{
    ash__builder *b = ash__builder_new("ash_map", OPERANDS);
    int x[OPERANDS];
    for (int k = 0; k < OPERANDS; k++)
        x[k] = ash__build_convert(b, ash__build_load(b, k, ash__part(dtype), 0), ASH_F64);
    const int third = ash__build_constant(b, ASH_F64, from_number(ASH_F64, 1.0 / 3));
    const int f = ash__build_round16(b, ash__build_op(b, ASH__OP_MUL, x[0], third, -1), ASH_F16);
    const int g = ash__build_round16(b, ash__build_op(b, ASH__OP_MUL, x[2], third, -1), ASH_BF16);
    const int product = ash__build_op(b, ASH__OP_MUL, ash__build_convert(b, f, ASH_F64), x[1], -1);
    const int sum = ash__build_op(b, ASH__OP_ADD, product, ash__build_convert(b, g, ASH_F64), -1);
    return ash__builder_finish(b, ASH_F64, sum, -1);
}

/* ---- the comparison */

static void check_result(const char *what, const ash__program *p, const array *operand, const array *out)
{
    int64_t index[6] = {0}, number = 0;
    char want[16];
    char *const used = calloc(1, (size_t)out->nbytes);
    assert_non_null(used);
    if (count_of(out))
        do {
            const char *const at = element(out, index);
            expect(p, operand, index, want);
            if (memcmp(at, want, (size_t)item_of(out)) != 0)
                fail_msg("%s: element %lld of %lld differs", what, (long long)number, (long long)count_of(out));
            memset(used + (at - out->memory), 1, (size_t)item_of(out));
            number++;
        } while (next_index(out, index));
    for (int64_t k = 0; k < out->nbytes; k++)
        if (!used[k] && (unsigned char)out->memory[k] != GUARD)
            fail_msg("%s: byte %lld between the elements was written", what, (long long)k);
    free(used);
}

/* How broadcasting leaves an operand: the layouts of operands 0, 1, 2 and of the result. */
typedef struct layouts {
    layout operand[OPERANDS], out;
} layouts;

static void run_case(const char *what, maker *make, ash_dtype dtype, const int64_t *shape, int64_t rank, layouts how)
{
    array operand[OPERANDS], out;
    ash__span spans[OPERANDS];
    char name[160];
    ash__program *const p = make(dtype);
    if (!p)
        fail_msg("%s of %s: %s", what, ash_dtype_name(dtype), ash_error_text());
    for (int k = 0; k < OPERANDS; k++) {
        make_array(&operand[k], dtype, shape, rank, how.operand[k]);
        fill_random(&operand[k]);
        spans[k] = span_of(&operand[k]);
    }
    make_array(&out, p->dtype, shape, rank, how.out);
    const ash__task task = {.kind = ASH__TASK_MAP,
                            .function = "ash_map",
                            .rank = rank,
                            .shape = out.shape,
                            .program = p,
                            .operand_count = OPERANDS,
                            .operand = spans,
                            .out = span_of(&out)};
    snprintf(name, sizeof name, "%s, %s, rank %d (%lld %lld), layouts %d %d %d to %d", what, ash_dtype_name(dtype), (int)rank,
             (long long)(rank ? shape[0] : 0), (long long)(rank > 1 ? shape[1] : 0), how.operand[0], how.operand[1],
             how.operand[2], how.out);
    if (ash__cpu_map(&task) != ASH_OK)
        fail_msg("%s: %s", name, ash_error_text());
    check_result(name, p, operand, &out);
    for (int k = 0; k < OPERANDS; k++)
        free(operand[k].memory);
    free(out.memory);
    ash__program_release(p);
}

static const struct {
    const char *name;
    maker *make;
} makers[] = {{"identity", identity}, {"multiply-add", multiply_add}, {"smaller", smaller_in_f64},
              {"deep", deep},         {"constant", constant},         {"rounded", rounded}};

static layouts random_layouts(void)
{
    layouts l;
    for (int k = 0; k < OPERANDS; k++)
        l.operand[k] = (layout)below(LAYOUTS);
    l.out = (layout)below(LAST_RESULT + 1);
    return l;
}

/* ---- tests */

static void sizes_and_block_edges(void **state)
{
    static const int64_t edges[] = {0, 100, 127, 128, 511, 512, 1023, 1024, 1025, 1535, 1536, 1537, 2047, 2049, 4097, 10000};
    static const layout common[] = {ROW, EVERY_2ND, REVERSED, SCALAR, PACKED};
    (void)state;
    for (int64_t k = 0; k < 70 + COUNT(edges); k++) {
        const int64_t n = k < 70 ? k + 1 : edges[k - 70];
        for (int l = 0; l < COUNT(common); l++)
            run_case("sizes", multiply_add, l % 2 ? ASH_F64 : ASH_F32, &n, 1,
                     (layouts){{common[l], common[(l + (int)k) % COUNT(common)], ROW}, l == 3 ? ROW : common[l]});
    }
}

static void every_dtype_and_layout(void **state)
{
    static const int64_t shapes[][2] = {{7, 9}, {41, 60}};
    (void)state;
    for (int d = ASH_BOOL; d <= ASH_C_F64; d++)
        for (int l = 0; l < LAYOUTS; l++)
            for (int m = 0; m < COUNT(makers); m++) {
                layouts how = random_layouts();
                how.operand[m % OPERANDS] = (layout)l;
                run_case(makers[m].name, makers[m].make, (ash_dtype)d, shapes[(d + l + m) % 2], 2, how);
            }
}

static void broadcast_rows_and_columns(void **state)
{
    static const int64_t widths[] = {1, 2, 3, 4, 5, 8, 10, 17, 100, 300, 1000, 3000};
    static const layout kinds[] = {ROWS, COLUMN, COL, PADDED, ROW};
    (void)state;
    for (int w = 0; w < COUNT(widths); w++)
        for (int a = 0; a < COUNT(kinds); a++)
            for (int d = 0; d < 3; d++) {
                const int64_t shape[2] = {12000 / widths[w] + 3, widths[w]};
                const ash_dtype dtype = d == 0 ? ASH_F32 : d == 1 ? ASH_F16 : ASH_C_F64;
                run_case("broadcast", multiply_add, dtype, shape, 2,
                         (layouts){{kinds[a], ROW, kinds[(a + w) % COUNT(kinds)]}, d ? ROW : PADDED});
            }
}

static void transposed_planes(void **state)
{
    static const int64_t shapes[][3] = {{3, 70, 130}, {70, 3, 130}, {130, 70, 3}, {1, 64, 64}, {2, 20, 5000}, {33, 12, 200}};
    static const ash_dtype dtypes[] = {ASH_F32, ASH_U8, ASH_I16, ASH_F64, ASH_C_F64, ASH_C_F32, ASH_BF16};
    (void)state;
    for (int s = 0; s < COUNT(shapes); s++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int l = COL; l <= SHUFFLED; l++) {
                run_case("transposed", multiply_add, dtypes[d], shapes[s], 3, (layouts){{(layout)l, ROW, SHUFFLED}, ROW});
                run_case("transposed", multiply_add, dtypes[d], shapes[s], 3, (layouts){{(layout)l, MIXED, ROW}, MIXED});
            }
}

static void random_shapes(void **state)
{
    (void)state;
    for (int n = 0; n < 1500; n++) {
        int64_t shape[6], left = 6000;
        const int64_t rank = below(7);
        for (int64_t k = 0; k < rank; k++) {
            const int64_t most = below(3) ? 6 : left;
            shape[k] = below(40) == 0 ? 0 : 1 + below(most < left ? most : left);
            left /= shape[k] ? shape[k] : 1;
        }
        const int m = (int)below(COUNT(makers));
        run_case(makers[m].name, makers[m].make, (ash_dtype)(1 + below(ASH_C_F64)), shape, rank, random_layouts());
    }
}

/* The same bits whatever the number of threads, and whatever the level. */
static void threads_change_nothing(void **state)
{
    (void)state;
    for (int64_t threads = 1; threads <= 3; threads++) {
        assert_int_equal(ash__set_thread_count(threads), ASH_OK);
        seed = 99;
        for (int n = 0; n < 12; n++) {
            const int64_t shape[2] = {300 + below(50), 200 + below(100)};
            run_case("threads", n % 2 ? multiply_add : smaller_in_f64, n % 3 ? ASH_F32 : ASH_C_F32, shape, 2, random_layouts());
        }
    }
    assert_int_equal(ash__set_thread_count(0), ASH_OK);
}

static void in_place(void **state)
{
    (void)state;
    for (int n = 0; n < 200; n++) {
        static const ash_dtype dtypes[] = {ASH_F32, ASH_I64, ASH_C_F32, ASH_F16, ASH_U8, ASH_C_F16};
        const ash_dtype dtype = dtypes[n % COUNT(dtypes)];
        const int64_t shape[2] = {1 + below(90), 1 + below(90)};
        array operand[OPERANDS], out;
        ash__span spans[OPERANDS];
        ash__program *const p = multiply_add(dtype);
        const layout how = (layout)below(LAST_RESULT + 1);
        make_array(&out, dtype, shape, 2, how);
        fill_random(&out);
        for (int k = 0; k < OPERANDS; k++) {
            make_array(&operand[k], dtype, shape, 2, k == n % OPERANDS ? how : (layout)below(LAYOUTS));
            fill_random(&operand[k]);
            if (k == n % OPERANDS) { /* operand k is a copy of what out holds, for the comparison */
                memcpy(operand[k].stride, out.stride, sizeof out.stride);
                free(operand[k].memory);
                operand[k].memory = malloc((size_t)out.nbytes);
                assert_non_null(operand[k].memory);
                memcpy(operand[k].memory, out.memory, (size_t)out.nbytes);
                operand[k].data = operand[k].memory + (out.data - out.memory);
            }
            spans[k] = k == n % OPERANDS ? span_of(&out) : span_of(&operand[k]);
        }
        const ash__task task = {.kind = ASH__TASK_MAP,
                                .function = "ash_map",
                                .rank = 2,
                                .shape = shape,
                                .program = p,
                                .operand_count = OPERANDS,
                                .operand = spans,
                                .out = span_of(&out)};
        assert_int_equal(ash__cpu_map(&task), ASH_OK);
        check_result("in place", p, operand, &out);
        for (int k = 0; k < OPERANDS; k++)
            free(operand[k].memory);
        free(out.memory);
        ash__program_release(p);
    }
}

static void many_operands(void **state)
{
    (void)state;
    enum { MANY = 1024 };
    const int64_t shape[2] = {30, 50};
    array *const operand = calloc(MANY, sizeof *operand);
    ash__span *const spans = calloc(MANY, sizeof *spans);
    array out;
    assert_non_null(operand);
    assert_non_null(spans);
    ash__builder *b = ash__builder_new("ash_map", MANY);
    int sum = -1;
    for (int k = 0; k < MANY; k++) {
        make_array(&operand[k], ASH_I32, shape, 2, (layout)(k % LAYOUTS));
        fill_random(&operand[k]);
        spans[k] = span_of(&operand[k]);
        const int x = ash__build_load(b, k, ASH_I32, 0);
        sum = k ? ash__build_op(b, ASH__OP_ADD, sum, x, -1) : x;
    }
    ash__program *const p = ash__builder_finish(b, ASH_I32, sum, -1);
    assert_non_null(p);
    make_array(&out, ASH_I32, shape, 2, ROW);
    const ash__task task = {.kind = ASH__TASK_MAP,
                            .function = "ash_map",
                            .rank = 2,
                            .shape = shape,
                            .program = p,
                            .operand_count = MANY,
                            .operand = spans,
                            .out = span_of(&out)};
    assert_int_equal(ash__cpu_map(&task), ASH_OK);
    int64_t index[6] = {0};
    do {
        uint32_t want = 0;
        int32_t got;
        for (int k = 0; k < MANY; k++)
            want += (uint32_t)load_number(element(&operand[k], index), ASH_I32).i32;
        memcpy(&got, element(&out, index), sizeof got);
        assert_int_equal(got, (int32_t)want);
    } while (next_index(&out, index));
    for (int k = 0; k < MANY; k++)
        free(operand[k].memory);
    free(operand);
    free(spans);
    free(out.memory);
    ash__program_release(p);
}

/* The evaluator as reductions use it: any range of a walk over some axes, at a position of the others. */
static void evaluator_over_some_axes(void **state)
{
    (void)state;
    for (int n = 0; n < 300; n++) {
        const int64_t shape[3] = {1 + below(5), 1 + below(60), 1 + below(200)};
        const ash_dtype dtype = (ash_dtype)(1 + below(ASH_C_F64));
        const int64_t outer = below(3), axes[2] = {outer == 0 ? 1 : 0, outer == 2 ? 1 : 2};
        const bool other_order = below(2);
        const int64_t axis[2] = {axes[other_order], axes[!other_order]};
        array operand[OPERANDS];
        ash__span spans[OPERANDS];
        ash__program *const p = makers[n % COUNT(makers)].make(dtype);
        for (int k = 0; k < OPERANDS; k++) {
            make_array(&operand[k], dtype, shape, 3, (layout)below(LAYOUTS));
            fill_random(&operand[k]);
            spans[k] = span_of(&operand[k]);
        }
        const ash__task task = {.kind = ASH__TASK_REDUCE,
                                .function = "ash_sum",
                                .rank = 3,
                                .shape = shape,
                                .program = p,
                                .operand_count = OPERANDS,
                                .operand = spans,
                                .out = {.dtype = p->dtype}};
        ash__evaluator *const e = ash__evaluator_new(&task, axis, 2);
        assert_non_null(e);
        const int64_t count = shape[axis[0]] * shape[axis[1]], size = (int64_t)ash_dtype_size(p->dtype);
        char *const dense = malloc((size_t)(ASH__FOLD_BLOCK * size));
        assert_non_null(dense);
        for (int64_t at = 0; at < shape[outer]; at++) {
            int64_t offset[OPERANDS];
            for (int k = 0; k < OPERANDS; k++)
                offset[k] = operand[k].scalar ? 0 : at * operand[k].stride[outer];
            ash__evaluator_base(e, offset);
            const int64_t first = below(count), left = count - first;
            const int64_t m = 1 + below(left < ASH__FOLD_BLOCK ? left : ASH__FOLD_BLOCK);
            const void *re, *im;
            ash__evaluate(e, first, m, &re, &im);
            assert_true((im != NULL) == (p->outputs == 2));
            ash__evaluate_into(e, first, m, dense);
            for (int64_t k = 0; k < m; k++) {
                int64_t index[6] = {0};
                char want[16];
                index[outer] = at;
                index[axis[0]] = (first + k) / shape[axis[1]];
                index[axis[1]] = (first + k) % shape[axis[1]];
                expect(p, operand, index, want);
                if (memcmp(dense + k * size, want, (size_t)size) != 0)
                    fail_msg("case %d: element %lld differs", n, (long long)(first + k));
            }
        }
        assert_int_equal(ash__evaluator_faults(e), 0);
        ash__evaluator_free(e);
        free(dense);
        for (int k = 0; k < OPERANDS; k++)
            free(operand[k].memory);
        ash__program_release(p);
    }
}

static void copies(void **state)
{
    (void)state;
    static const ash_field_info fields[] = {{"a", ASH_U8, 0, 5}, {"b", ASH_U8, 5, 7}};
    const ash_dtype record = ash_dtype_record("bytes12", 12, fields, 2),
                    small = ash_dtype_record("bytes3", 3, &(ash_field_info){"c", ASH_U8, 0, 3}, 1);
    const ash_dtype dtypes[] = {ASH_U8, ASH_F16, ASH_F32, ASH_C_F32, ASH_C_F64, record, small};
    for (int n = 0; n < 2000; n++) {
        int64_t shape[6], left = 8000;
        const int64_t rank = n % 5 ? below(7) : 2;
        for (int64_t k = 0; k < rank; k++) {
            shape[k] = below(40) == 0 ? 0 : 1 + below(rank == 2 ? 90 : below(3) ? 6 : left);
            left /= shape[k] ? shape[k] : 1;
            left += !left;
        }
        array from, to;
        const ash_dtype dtype = dtypes[n % COUNT(dtypes)];
        make_array(&from, dtype, shape, rank, (layout)below(LAYOUTS));
        make_array(&to, dtype, shape, rank, (layout)below(LAST_RESULT + 1));
        for (int64_t k = 0; k < from.nbytes; k++)
            from.memory[k] = (char)next_random();
        const ash__span span = span_of(&from);
        const ash__task task = {.kind = ASH__TASK_COPY,
                                .function = "ash_copy",
                                .rank = rank,
                                .shape = to.shape,
                                .operand_count = 1,
                                .operand = &span,
                                .out = span_of(&to)};
        assert_int_equal(ash__cpu_copy(&task), ASH_OK);
        int64_t index[6] = {0};
        if (count_of(&to))
            do
                assert_int_equal(memcmp(element(&to, index), element(&from, index), (size_t)item_of(&to)), 0);
            while (next_index(&to, index));
        free(from.memory);
        free(to.memory);
    }
}

static void faults(void **state)
{
    (void)state;
    static const struct {
        ash__op op;
        int32_t value;
        const char *text;
    } cases[] = {{ASH__OP_IDIV, 0, "ash_map: integer division by zero"},
                 {ASH__OP_IMOD, 0, "ash_map: integer division by zero"},
                 {ASH__OP_IPOW, -1, "ash_map: integer to a negative power"},
                 {ASH__OP_NARROW, 300, "ash_map: a value does not fit i8"}};
    for (int k = 0; k < COUNT(cases); k++)
        for (int64_t n = 1; n < 300000; n = n * 7 + 1) {
            ash__builder *b = ash__builder_new("ash_map", 1);
            const int x = ash__build_load(b, 0, ASH_I32, 0), c = ash__build_constant(b, ASH_I32, (ash__scalar){.i32 = 7});
            const bool narrow = cases[k].op == ASH__OP_NARROW;
            const int r = narrow ? ash__build_narrow(b, x, ASH_I8) : ash__build_op(b, cases[k].op, c, x, -1);
            ash__program *const p = ash__builder_finish(b, narrow ? ASH_I8 : ASH_I32, r, -1);
            array operand, out;
            make_array(&operand, ASH_I32, &n, 1, ROW);
            make_array(&out, p->dtype, &n, 1, ROW);
            const int32_t fine = 1;
            for (int64_t i = 0; i < n; i++)
                memcpy(operand.data + 4 * i, &fine, 4);
            const ash__span span = span_of(&operand);
            const ash__task task = {.kind = ASH__TASK_MAP,
                                    .function = "ash_map",
                                    .rank = 1,
                                    .shape = &n,
                                    .program = p,
                                    .operand_count = 1,
                                    .operand = &span,
                                    .out = span_of(&out)};
            assert_int_equal(ash__cpu_map(&task), ASH_OK);
            memcpy(operand.data + 4 * (n - 1), &cases[k].value, 4);
            assert_int_equal(ash__cpu_map(&task), ASH_ERR_VALUE);
            assert_string_equal(ash_error_text(), cases[k].text);
            free(operand.memory);
            free(out.memory);
            ash__program_release(p);
        }
}

static int start(void **state)
{
    (void)state;
    ash_error_clear();
    seed = 88172645463325252ull;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sizes_and_block_edges, start),
        cmocka_unit_test_setup(every_dtype_and_layout, start),
        cmocka_unit_test_setup(broadcast_rows_and_columns, start),
        cmocka_unit_test_setup(transposed_planes, start),
        cmocka_unit_test_setup(random_shapes, start),
        cmocka_unit_test_setup(threads_change_nothing, start),
        cmocka_unit_test_setup(in_place, start),
        cmocka_unit_test_setup(many_operands, start),
        cmocka_unit_test_setup(evaluator_over_some_axes, start),
        cmocka_unit_test_setup(copies, start),
        cmocka_unit_test_setup(faults, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
