/*
 * elementwise.c - every exact elementwise kernel, on every level this processor has, against one element at a time.
 *
 * The reference below is plain C: integers in 128 bits, floats by the C operators and the C library. It decides values bit by
 * bit (any NaN for a NaN), so the levels agree with each other too. Operands are all pairs of special values, then random
 * bits. Each kernel also runs in place, with scalar operands where it has loops for them, and for every length up to 70 from
 * a start that is aligned to its elements only.
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

#include "backend/cpu/kernels.h"
#include "xorshift.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))
__extension__ typedef __int128 wide;

enum { PAIRS = 40 * 40, RANDOM = 1200, N = PAIRS + RANDOM, GUARD = 0xa5, SHORT = 70 };


/* ---- elements by dtype ------------------------------------------------------------------------------------------------------
 */

static const ash_dtype types[] = {ASH_BOOL, ASH_I8,  ASH_I16, ASH_I32, ASH_I64, ASH_U8,
                                  ASH_U16,  ASH_U32, ASH_U64, ASH_F32, ASH_F64};

static size_t size_of(ash_dtype type)
{
    static const size_t size[ASH__REAL_COUNT] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
    return size[type];
}
static ash__scalar element(ash_dtype type, const void *p, int64_t i)
{
    ash__scalar s = {.bits = 0};
    memcpy(&s, (const char *)p + (size_t)i * size_of(type), size_of(type));
    return s;
}
static void set_element(ash_dtype type, void *p, int64_t i, ash__scalar s)
{
    memcpy((char *)p + (size_t)i * size_of(type), &s, size_of(type));
}
static wide as_integer(ash_dtype type, ash__scalar s)
{
    switch ((int)type) {
    case ASH_I8:
        return s.i8;
    case ASH_I16:
        return s.i16;
    case ASH_I32:
        return s.i32;
    case ASH_I64:
        return s.i64;
    case ASH_U8:
        return s.u8;
    case ASH_U16:
        return s.u16;
    case ASH_U32:
        return s.u32;
    case ASH_U64:
        return (wide)s.u64;
    default:
        return s.b;
    }
}
static ash__scalar from_integer(ash_dtype type, wide x)
{
    ash__scalar s = {.bits = 0};
    const uint64_t bits = (uint64_t)x;
    memcpy(&s, &bits, size_of(type)); /* little endian, as the levels are; elsewhere the loops of one level are plain C */
    return s;
}
static ash__scalar from_float(ash_dtype type, double x)
{
    ash__scalar s = {.bits = 0};
    if (type == ASH_F32)
        s.f32 = (float)x;
    else
        s.f64 = x;
    return s;
}
static double as_float(ash_dtype type, ash__scalar s)
{
    return type == ASH_F32 ? (double)s.f32 : s.f64;
}
static bool same(ash_dtype type, ash__scalar a, ash__scalar b)
{
    if (type >= ASH_F32 && isnan(as_float(type, a)) && isnan(as_float(type, b)))
        return true;
    return memcmp(&a, &b, size_of(type)) == 0;
}

/* ---- the reference ---------------------------------------------------------------------------------------------------------
 */

static int bits_of(ash_dtype type)
{
    return (int)size_of(type) * 8;
}

static wide floor_quotient(wide x, wide y)
{
    const wide q = x / y;
    return x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
}
/* from the highest bit of the exponent down */
static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t r = 1;
    for (int bit = 63; bit >= 0; bit--)
        r = r * r * (exponent >> bit & 1 ? base : 1);
    return r;
}

static wide integer_division(ash__op op, wide x, wide y, int *fault)
{
    if (op == ASH__OP_IPOW) {
        const bool unit = x == 1 || x == -1;
        *fault |= y < 0 && !unit ? ASH__FAULT_POWER : 0;
        return y >= 0 ? (wide)power((uint64_t)x, (uint64_t)y) : !unit ? 0 : (uint64_t)y & 1 ? x : 1;
    }
    if (y == 0) {
        *fault |= ASH__FAULT_DIVIDE;
        return 0;
    }
    return op == ASH__OP_IDIV   ? x / y
           : op == ASH__OP_IREM ? x % y
           : op == ASH__OP_IFLD ? floor_quotient(x, y)
                                : x - floor_quotient(x, y) * y;
}

static wide integer_op(ash__op op, ash_dtype type, wide x, wide y, wide z, int *fault)
{
    const int bits = bits_of(type);
    const bool counted = y >= 0 && y < bits; /* of shifts: a negative count is a large unsigned one */
    switch ((int)op) {
    case ASH__OP_ADD:
        return x + y;
    case ASH__OP_SUB:
        return x - y;
    case ASH__OP_MUL:
        return (wide)((uint64_t)x * (uint64_t)y);
    case ASH__OP_NEG:
        return -x;
    case ASH__OP_ABS:
        return x < 0 ? -x : x;
    case ASH__OP_MULADD:
        return (wide)((uint64_t)x * (uint64_t)y + (uint64_t)z);
    case ASH__OP_MULSUB:
        return (wide)((uint64_t)x * (uint64_t)y - (uint64_t)z);
    case ASH__OP_MULMUL:
        return (wide)((uint64_t)x * (uint64_t)y * (uint64_t)z);
    case ASH__OP_SUMSQ:
        return (wide)((uint64_t)x * (uint64_t)x + (uint64_t)y * (uint64_t)y);
    case ASH__OP_SQDIFF:
        return (wide)(((uint64_t)x - (uint64_t)y) * ((uint64_t)x - (uint64_t)y));
    case ASH__OP_MIN:
        return x < y ? x : y;
    case ASH__OP_MAX:
        return x > y ? x : y;
    case ASH__OP_SIGN:
        return x > 0 ? 1 : x < 0 ? -1 : 0;
    case ASH__OP_AND:
        return x & y;
    case ASH__OP_OR:
        return x | y;
    case ASH__OP_XOR:
        return x ^ y;
    case ASH__OP_NOT:
        return type == ASH_BOOL ? !x : ~x;
    case ASH__OP_SHL:
        return counted ? (wide)((uint64_t)x << (int)y) : 0;
    case ASH__OP_SHR:
        return counted ? x >> (int)y : x < 0 ? -1 : 0;
    default:
        return integer_division(op, x, y, fault);
    }
}

static double minimum(double x, double y)
{
    return isnan(x) || isnan(y) ? (double)NAN : x < y || (x == y && signbit(x)) ? x : y;
}

/* f32 operations are done in f32; functions of the C library by their f32 forms */
#define FLOAT_OPS(T, F, S)                                                            \
    static T float_op_##T(ash__op op, T x, T y, T z)                                  \
    {                                                                                 \
        switch ((int)op) {                                                            \
        case ASH__OP_ADD:                                                             \
            return x + y;                                                             \
        case ASH__OP_SUB:                                                             \
            return x - y;                                                             \
        case ASH__OP_MUL:                                                             \
            return x * y;                                                             \
        case ASH__OP_DIV:                                                             \
            return x / y;                                                             \
        case ASH__OP_NEG:                                                             \
            return -x;                                                                \
        case ASH__OP_ABS:                                                             \
            return fabs##S(x);                                                        \
        case ASH__OP_MULADD:                                                          \
            return x * y + z;                                                         \
        case ASH__OP_MULSUB:                                                          \
            return x * y - z;                                                         \
        case ASH__OP_MULMUL:                                                          \
            return x * y * z;                                                         \
        case ASH__OP_SUMSQ:                                                           \
            return x * x + y * y;                                                     \
        case ASH__OP_SQDIFF:                                                          \
            return (x - y) * (x - y);                                                 \
        case ASH__OP_FMA:                                                             \
            return fma##S(x, y, z);                                                   \
        case ASH__OP_MIN:                                                             \
            return (T)minimum((double)x, (double)y);                                  \
        case ASH__OP_MAX:                                                             \
            return (T)-minimum(-(double)x, -(double)y);                               \
        case ASH__OP_SIGN:                                                            \
            return x > 0 ? 1 : x < 0 ? -1 : x;                                        \
        case ASH__OP_SQRT:                                                            \
            return sqrt##S(x);                                                        \
        case ASH__OP_FLOOR:                                                           \
            return floor##S(x);                                                       \
        case ASH__OP_CEIL:                                                            \
            return ceil##S(x);                                                        \
        case ASH__OP_TRUNC:                                                           \
            return trunc##S(x);                                                       \
        case ASH__OP_ROUND:                                                           \
            return round##S(x);                                                       \
        case ASH__OP_RINT:                                                            \
            return rint##S(x);                                                        \
        case ASH__OP_FMOD:                                                            \
            return fmod##S(x, y);                                                     \
        case ASH__OP_REMAINDER:                                                       \
            return remainder##S(x, y);                                                \
        case ASH__OP_FLDMOD: {                                                        \
            const T r = fmod##S(x, y);                                                \
            return r == 0 ? copysign##S(0, y) : signbit(r) != signbit(y) ? r + y : r; \
        }                                                                             \
        case ASH__OP_FDIM:                                                            \
            return fdim##S(x, y);                                                     \
        case ASH__OP_FMIN:                                                            \
            return isnan(x) ? y : isnan(y) ? x : (T)minimum((double)x, (double)y);    \
        case ASH__OP_FMAX:                                                            \
            return isnan(x) ? y : isnan(y) ? x : (T)-minimum(-(double)x, -(double)y); \
        case ASH__OP_COPYSIGN:                                                        \
            return copysign##S(x, y);                                                 \
        case ASH__OP_NEXTAFTER:                                                       \
            return nextafter##S(x, y);                                                \
        case ASH__OP_LDEXP:                                                           \
            return isnan(y) ? y : ldexp##S(x, (int)fmax##S(-9999, fmin##S(9999, y))); \
        case ASH__OP_LOGB:                                                            \
            return logb##S(x);                                                        \
        default:                                                                      \
            return 0;                                                                 \
        }                                                                             \
    }                                                                                 \
    static int class_op_##T(ash__op op, T x, T y)                                     \
    {                                                                                 \
        switch ((int)op) {                                                            \
        case ASH__OP_EQ:                                                              \
            return x == y;                                                            \
        case ASH__OP_NE:                                                              \
            return x != y;                                                            \
        case ASH__OP_LT:                                                              \
            return x < y;                                                             \
        case ASH__OP_LE:                                                              \
            return x <= y;                                                            \
        case ASH__OP_ISNAN:                                                           \
            return isnan(x) != 0;                                                     \
        case ASH__OP_ISINF:                                                           \
            return isinf(x) != 0;                                                     \
        case ASH__OP_ISFINITE:                                                        \
            return isfinite(x) != 0;                                                  \
        case ASH__OP_ISNORMAL:                                                        \
            return isnormal(x) != 0;                                                  \
        default:                                                                      \
            return signbit(x) != 0;                                                   \
        }                                                                             \
    }
FLOAT_OPS(float, f32, f)
FLOAT_OPS(double, f64, )

static ash__scalar reference(ash__op op, ash_dtype type, ash__scalar x, ash__scalar y, ash__scalar z, int *fault)
{
    ash__scalar r = {.bits = 0};
    if (op == ASH__OP_SELECT)
        return x.b ? y : z;
    if (ash__op_gives_bool(op) && type >= ASH_F32) {
        r.b = (ash__bool)(type == ASH_F32 ? class_op_float(op, x.f32, y.f32) : class_op_double(op, x.f64, y.f64));
        return r;
    }
    if (type == ASH_F32)
        r.f32 = float_op_float(op, x.f32, y.f32, z.f32);
    else if (type == ASH_F64)
        r.f64 = float_op_double(op, x.f64, y.f64, z.f64);
    else if (ash__op_gives_bool(op)) {
        const wide a = as_integer(type, x), b = as_integer(type, y);
        r.b = op == ASH__OP_EQ ? a == b : op == ASH__OP_NE ? a != b : op == ASH__OP_LT ? a < b : a <= b;
    } else
        r = from_integer(type, integer_op(op, type, as_integer(type, x), as_integer(type, y), as_integer(type, z), fault));
    return r;
}

/* ---- operands */

static const double special_floats[] = {0.0,
                                        -0.0,
                                        1,
                                        -1,
                                        0.5,
                                        -0.5,
                                        1.5,
                                        -1.5,
                                        2.5,
                                        -2.5,
                                        3,
                                        -3,
                                        7,
                                        -7.25,
                                        0.1,
                                        -0.1,
                                        INFINITY,
                                        -INFINITY,
                                        (double)NAN,
                                        100,
                                        0x1p23,
                                        0x1p52,
                                        -0x1p52,
                                        0x1p24 + 1,
                                        0x1.fffffep127,
                                        -0x1.fffffep127,
                                        0x1p-126,
                                        0x1p-149,
                                        -0x1p-149,
                                        0x1.fffffcp-127,
                                        0x1p-1022,
                                        0x1p-1074,
                                        0x1.fffffffffffffp1023,
                                        -0x1.fffffffffffffp1023,
                                        0x1.fffffep-2,
                                        0x1.fffffffffffffp-2,
                                        -150,
                                        1e30,
                                        0x1p53 - 1,
                                        4194304.5};
static const int64_t special_integers[] = {0,          1,
                                           -1,         2,
                                           -2,         3,
                                           -3,         4,
                                           5,          7,
                                           -7,         8,
                                           10,         15,
                                           16,         31,
                                           32,         33,
                                           63,         64,
                                           65,         66,
                                           99,         100,
                                           126,        127,
                                           128,        -128,
                                           -129,       -127,
                                           255,        256,
                                           32767,      32768,
                                           -32768,     65535,
                                           0x7fffffff, -0x80000000ll,
                                           INT64_MAX,  INT64_MIN};

static ash__scalar special(ash_dtype type, int i)
{
    if (type >= ASH_F32)
        return from_float(type, special_floats[i]);
    return from_integer(type, type == ASH_BOOL ? i & 1 : special_integers[i]);
}
static ash__scalar random_element(ash_dtype type)
{
    const uint64_t r = next_random();
    if (type >= ASH_F32 && r % 3 == 0)
        return from_float(type, ((double)(next_random() >> 11) * 0x1p-53 - 0.5) * 200);
    if (type == ASH_BOOL)
        return from_integer(type, (wide)(r >> 40 & 1));
    return from_integer(type, (wide)(next_random() >> (type == ASH_F64 || r % 2 ? 0 : r >> 58)));
}
static void fill_operands(ash_dtype type, void *x, void *y, void *z)
{
    for (int i = 0; i < N; i++) {
        set_element(type, x, i, i < PAIRS ? special(type, i / 40) : random_element(type));
        set_element(type, y, i, i < PAIRS ? special(type, i % 40) : random_element(type));
        set_element(type, z, i, i < PAIRS ? special(type, (i / 7) % 40) : random_element(type));
    }
}

/* ---- one kernel */

typedef struct kernel_case {
    const char *level;
    const ash__elementwise_table *table;
    ash__op op;
    ash_dtype type, first, result; /* of operands, of the first one, of the result */
} kernel_case;

static _Alignas(64) unsigned char in[3][N * 8 + 64], want[N * 8], out[N * 8 + 64];

static void say(const kernel_case *k, const char *what, int64_t i)
{
    fail_msg("%s of %s at %s, %s: element %lld", ash__op_name(k->op), ash_dtype_name(k->type), k->level, what, (long long)i);
}
static void compare(const kernel_case *k, const void *got, const void *wanted, int64_t n, const char *what)
{
    for (int64_t i = 0; i < n; i++)
        if (!same(k->result, element(k->result, got, i), element(k->result, wanted, i)))
            say(k, what, i);
}
static const ash_dtype *operand_types(const kernel_case *k, ash_dtype t[3])
{
    t[0] = k->first;
    t[1] = t[2] = k->type;
    return t;
}

/* The whole of the operands, with the faults. */
static void check_values(const kernel_case *k, ash__kernel *run)
{
    ash_dtype t[3];
    int fault = 0, wanted_fault = 0;
    operand_types(k, t);
    const int arity = ash__op_arity(k->op);
    for (int i = 0; i < N; i++)
        set_element(k->result, want, i,
                    reference(k->op, k->type, element(t[0], in[0], i), element(t[1], in[1], i), element(t[2], in[2], i),
                              &wanted_fault));
    run(out, in[0], arity > 1 ? in[1] : NULL, arity > 2 ? in[2] : ash__op_faults(k->op) ? (const void *)&fault : NULL, N);
    compare(k, out, want, N, "values");
    if (fault != wanted_fault)
        say(k, "faults", fault);
}
/* Every short length, from an address aligned to its elements only; the bytes around stay. */
static void check_lengths(const kernel_case *k, ash__kernel *run)
{
    ash_dtype t[3];
    int fault = 0;
    operand_types(k, t);
    const size_t size = size_of(k->result), at = (size_t)(PAIRS - 33);
    for (size_t n = 0; n <= SHORT; n++) {
        memset(out, GUARD, sizeof out);
        run(out + size, in[0] + at * size_of(t[0]), in[1] + at * size_of(t[1]),
            ash__op_faults(k->op) ? (const void *)&fault : in[2] + at * size_of(t[2]), (int64_t)n);
        compare(k, out + size, want + at * size, (int64_t)n, "short");
        for (size_t i = 0; i < size; i++)
            if (out[i] != GUARD || out[(n + 1) * size + i] != GUARD)
                say(k, "wrote outside", (int64_t)n);
    }
}
/* The result over each operand of its size. */
static void check_in_place(const kernel_case *k, ash__kernel *run)
{
    ash_dtype t[3];
    int fault = 0;
    operand_types(k, t);
    for (int place = 0; place < ash__op_arity(k->op); place++) {
        if (size_of(t[place]) != size_of(k->result))
            continue;
        const void *p[3] = {in[0], in[1], ash__op_faults(k->op) ? (const void *)&fault : in[2]};
        memcpy(out, in[place], N * size_of(t[place]));
        p[place] = out;
        run(out, p[0], p[1], p[2], N);
        compare(k, out, want, N, "in place");
    }
}
/* Loops with scalars, against the loop over vectors on the same values. */
static void check_scalars(const kernel_case *k, ash__kernel *vectors)
{
    static unsigned char expanded[3][N * 8];
    ash_dtype t[3];
    operand_types(k, t);
    for (unsigned scalar = 1; scalar < 8; scalar++) {
        ash__kernel *run = ash__kernel_for(k->table, k->op, k->type, scalar);
        for (int pick = 0; run && pick < 12; pick++) {
            const void *p[3];
            for (int o = 0; o < 3; o++) {
                const bool one = scalar >> o & 1;
                const int at = pick * 131 + o;
                for (int i = 0; i < N; i++)
                    set_element(t[o], expanded[o], i, element(t[o], in[o], one ? at : i));
                p[o] = one ? in[o] + (size_t)at * size_of(t[o]) : in[o];
            }
            vectors(want, expanded[0], expanded[1], expanded[2], N);
            run(out, p[0], p[1], p[2], N);
            compare(k, out, want, N, "scalars");
        }
    }
}
static void check_kernel(const kernel_case *k)
{
    ash__kernel *run = ash__kernel_for(k->table, k->op, k->type, 0);
    if (!run) {
        say(k, "missing", 0);
        return;
    }
    fill_operands(k->type, in[0], in[1], in[2]);
    for (int i = 0; i < N && k->first == ASH_BOOL && k->type != ASH_BOOL; i++)
        in[0][i] = next_random() >> 40 & 1;
    check_values(k, run);
    check_lengths(k, run);
    check_in_place(k, run);
    if (!ash__op_faults(k->op))
        check_scalars(k, run);
}

/* Kept, because the processor is asked each time, which takes long in a virtual machine. */
static const ash__kernels *level(int number)
{
    static const ash__kernels *kept[5];
    if (!kept[number])
        kept[number] = ash__cpu_kernels_at(number);
    return kept[number] || number > 1 ? kept[number] : ash__cpu_kernels();
}

static bool exact(ash__op op)
{
    return (op >= ASH__OP_ADD && op <= ASH__OP_SELECT) || op == ASH__OP_SQRT || op >= ASH__OP_FLOOR;
}
static void operations_match_reference(void **state)
{
    (void)state;
    for (int number = 1; number <= 4; number++) {
        const ash__kernels *kernels = level(number);
        for (int op = ASH__OP_ADD; kernels && op < ASH__OP_COUNT; op++)
            for (int i = 0; exact((ash__op)op) && i < COUNT(types); i++) {
                const ash_dtype type = types[i];
                const unsigned class = type == ASH_BOOL ? ASH__B : type >= ASH_F32 ? ASH__F : ASH__I;
                if (!(ash__op_classes((ash__op)op) & class))
                    continue;
                const kernel_case k = {kernels->level,
                                       kernels->elementwise,
                                       (ash__op)op,
                                       type,
                                       op == ASH__OP_SELECT ? ASH_BOOL : type,
                                       ash__op_gives_bool((ash__op)op) ? ASH_BOOL : type};
                check_kernel(&k);
            }
    }
}
static void scalar_loops_exist(void **state)
{
    (void)state;
    static const ash__op ops[] = {ASH__OP_ADD, ASH__OP_SUB, ASH__OP_MUL, ASH__OP_MIN, ASH__OP_MAX,
                                  ASH__OP_EQ,  ASH__OP_NE,  ASH__OP_LT,  ASH__OP_LE};
    const ash__elementwise_table *t = ash__cpu_kernels()->elementwise;
    for (int i = 0; i < COUNT(ops); i++)
        for (int j = 1; j < COUNT(types); j++)
            assert_true(ash__kernel_for(t, ops[i], types[j], 1) && ash__kernel_for(t, ops[i], types[j], 2));
    assert_non_null(ash__kernel_for(t, ASH__OP_DIV, ASH_F32, 1));
    assert_non_null(ash__kernel_for(t, ASH__OP_MULADD, ASH_F64, 6));
    assert_non_null(ash__kernel_for(t, ASH__OP_SELECT, ASH_I16, 6));
}

/* ---- conversions */

static wide minimum_of(ash_dtype type)
{
    return type >= ASH_I8 && type <= ASH_I64 ? -((wide)1 << (bits_of(type) - 1)) : 0;
}
static wide maximum_of(ash_dtype type)
{
    return type == ASH_BOOL ? 1 : ((wide)1 << (bits_of(type) - (type >= ASH_I8 && type <= ASH_I64))) - 1;
}
static bool is_float(ash_dtype type)
{
    return type >= ASH_F32;
}

static ash__scalar converted(ash_dtype from, ash_dtype to, ash__scalar x)
{
    const double f = is_float(from) ? as_float(from, x) : 0;
    const wide i = is_float(from) ? 0 : as_integer(from, x);
    if (to == ASH_BOOL)
        return from_integer(to, is_float(from) ? f != 0 : i != 0);
    if (is_float(to) && is_float(from))
        return from_float(to, f);
    if (is_float(to)) {
        ash__scalar r = {.bits = 0};
        if (to == ASH_F32)
            r.f32 = from == ASH_U64 ? (float)(uint64_t)i : (float)(int64_t)i;
        else
            r.f64 = from == ASH_U64 ? (double)(uint64_t)i : (double)(int64_t)i;
        return r;
    }
    if (!is_float(from))
        return from_integer(to, i);
    const double low = (double)minimum_of(to), high = (double)maximum_of(to); /* high may be rounded up: it is not below then */
    return from_integer(to, isnan(f) ? 0 : f <= low ? minimum_of(to) : f >= high ? maximum_of(to) : (wide)f);
}
static void conversions_match_reference(void **state)
{
    (void)state;
    for (int number = 1; number <= 4; number++) {
        const ash__kernels *kernels = level(number);
        for (int i = 0; kernels && i < COUNT(types); i++)
            for (int j = 0; j < COUNT(types); j++) {
                const ash_dtype from = types[i], to = types[j];
                const kernel_case k = {kernels->level, kernels->elementwise, ASH__OP_CONVERT, from, from, to};
                ash__kernel *run = ash__convert_for(kernels->elementwise, from, to);
                assert_non_null(run);
                fill_operands(from, in[1], in[0], in[2]);
                if (is_float(from)) /* around the ends of integers */
                    for (int e = 0; e < 66 * 6; e++)
                        set_element(from, in[0], 40 + e,
                                    from_float(from, ldexp(1 + (e % 6 - 3) * 0x1p-24, e / 6) * (e % 2 ? 1 : -1)));
                for (int e = 0; e < N; e++)
                    set_element(to, want, e, converted(from, to, element(from, in[0], e)));
                run(out, in[0], NULL, NULL, N);
                compare(&k, out, want, N, "convert");
                for (int n = 0; n <= SHORT; n++) {
                    memset(out, GUARD, sizeof out);
                    run(out, in[0] + 40 * size_of(from), NULL, NULL, n);
                    compare(&k, out, want + 40 * size_of(to), n, "convert, short");
                    assert_int_equal(out[(size_t)n * size_of(to)], GUARD);
                }
            }
    }
}
static void narrowing_reports_what_does_not_fit(void **state)
{
    (void)state;
    for (int number = 1; number <= 4; number++) {
        const ash__kernels *kernels = level(number);
        for (int i = 0; kernels && i + 2 < COUNT(types); i++)
            for (int j = 0; j + 2 < COUNT(types); j++) {
                const ash_dtype from = types[i], to = types[j];
                ash__kernel *run = ash__narrow_for(kernels->elementwise, from, to);
                assert_non_null(run);
                fill_operands(from, in[1], in[0], in[2]);
                for (int e = 0; e < 40 + 64; e++) { /* one special value among zeros */
                    int fault = 8;
                    const ash__scalar x = element(from, in[0], e < 40 ? e : PAIRS + e);
                    const wide value = as_integer(from, x);
                    const bool fits = value >= minimum_of(to) && value <= maximum_of(to);
                    memset(in[1], 0, SHORT * 8);
                    set_element(from, in[1], e % SHORT, x);
                    run(out, in[1], NULL, &fault, SHORT);
                    assert_int_equal(fault, fits ? 8 : 8 | ASH__FAULT_VALUE);
                    if (fits)
                        assert_true(as_integer(to, element(to, out, e % SHORT)) == value);
                }
            }
    }
}

/* ---- f16 and bf16: the value nearest to x, computed in f64 from the definition of the format --------------------------------
 */

typedef struct half_format {
    int place, fraction, least, bias; /* 0 f16, 1 bf16; bits of the fraction, the smallest exponent */
} half_format;
static const half_format halves[2] = {{0, 10, -14, 15}, {1, 7, -126, 127}};

static double half_value(const half_format *h, uint16_t bits)
{
    const int e = bits >> h->fraction & (2 * h->bias + 1), f = bits & ((1 << h->fraction) - 1);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (e == 2 * h->bias + 1)
        return f ? (double)NAN : sign * INFINITY;
    return sign * ldexp(e ? f + (1 << h->fraction) : f, (e ? e - h->bias : h->least) - h->fraction);
}
static uint16_t half_bits(const half_format *h, double x)
{
    const double a = fabs(x);
    const uint16_t sign = signbit(x) ? 0x8000 : 0, infinite = (uint16_t)((2 * h->bias + 1) << h->fraction);
    if (isinf(a))
        return sign | infinite;
    int e = h->least;
    if (a > 0 && ilogb(a) > e)
        e = ilogb(a);
    const int q = (int)rint(ldexp(a, h->fraction - e)); /* to even at a half; exact otherwise, and below 2^53 */
    const int exponent = q >= 1 << h->fraction ? e + h->bias : 0;
    const int bits = (exponent << h->fraction) + (exponent ? q - (1 << h->fraction) : q);
    return (uint16_t)(sign | (bits > infinite ? infinite : bits));
}
static void check_store(const ash__kernels *kernels, const half_format *h, ash_dtype from, double x)
{
    static _Alignas(64) unsigned char source[17 * 8], result[17 * 2];
    const ash__scalar s = from_float(from, x);
    if (isinf(as_float(from, s)) != isinf(x))
        return;
    for (int i = 0; i < 17; i++)
        set_element(from, source, i, s);
    ash__store16_for(kernels->elementwise, (ash_dtype)(ASH_F16 + h->place), from)(result, source, NULL, NULL, 17);
    for (int i = 0; i < 17; i += 16) { /* in a vector, and in what is left over */
        uint16_t got;
        memcpy(&got, result + 2 * i, sizeof got);
        if (got != half_bits(h, as_float(from, s)))
            fail_msg("%s: %a stored as %s is %04x, not %04x", kernels->level, x, h->place ? "bf16" : "f16", got,
                     half_bits(h, x));
    }
}
static void halves_round_once(void **state)
{
    (void)state;
    static uint16_t bits[65536];
    static float values[65536];
    for (int i = 0; i < 65536; i++)
        bits[i] = (uint16_t)i;
    for (int number = 1; number <= 4; number++)
        for (int place = 0; place < 2 && level(number); place++) {
            const ash__kernels *kernels = level(number);
            const half_format *h = &halves[place];
            ash__load16_for(kernels->elementwise, (ash_dtype)(ASH_F16 + place))(values, bits, NULL, NULL, 65536);
            for (int i = 0; i < 65536; i++) {
                const double v = half_value(h, bits[i]), up = half_value(h, (uint16_t)(i + 1));
                if (isnan(v) ? !isnan(values[i]) : (double)values[i] != v || !signbit(values[i]) != !signbit(v))
                    fail_msg("%s: %04x loaded as %a", kernels->level, i, (double)values[i]);
                if (isnan(v) || i % 3 != number % 3)
                    continue;
                const double middle = isfinite(up) && isfinite(v) ? (v + up) / 2 : v * (1 + ldexp(0.5, -h->fraction));
                for (int from = ASH_F32; from <= ASH_F64; from++) {
                    check_store(kernels, h, (ash_dtype)from, v);
                    check_store(kernels, h, (ash_dtype)from, middle);
                    check_store(kernels, h, ASH_F64, nextafter(middle, 0));
                    check_store(kernels, h, ASH_F64, nextafter(middle, INFINITY));
                    check_store(kernels, h, ASH_F32, (double)nextafterf((float)middle, 0));
                    check_store(kernels, h, ASH_F32, (double)nextafterf((float)middle, INFINITY));
                }
            }
            static const double others[] = {0x1p127, 0x1.fffffep127, 0x1.fep127, 0x1.ffp127, 0x1p-149, 1e300,
                                            1e-300,  -1e300,         0x1p-1074,  65519.99,   65520,    INFINITY};
            for (int i = 0; i < COUNT(others); i++) {
                check_store(kernels, h, ASH_F32, others[i]);
                check_store(kernels, h, ASH_F64, others[i]);
            }
            for (int from = ASH_F32; from <= ASH_F64; from++) {
                const ash__scalar nan = from_float((ash_dtype)from, (double)NAN);
                uint16_t got = 0;
                ash__store16_for(kernels->elementwise, (ash_dtype)(ASH_F16 + place), (ash_dtype)from)(&got, &nan, NULL, NULL,
                                                                                                      1);
                assert_true(isnan(half_value(h, got)));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operations_match_reference), cmocka_unit_test(scalar_loops_exist),
                                       cmocka_unit_test(conversions_match_reference),
                                       cmocka_unit_test(narrowing_reports_what_does_not_fit),
                                       cmocka_unit_test(halves_round_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
