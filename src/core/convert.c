/*
 * convert.c - checked conversion of host elements.
 *
 * Every real dtype pairs with every other through two macros: one names the source, one the target, and the rule between
 * them follows from their kinds. A pair that can refuse a value looks at a block of elements first (a loop without a branch
 * that the compiler vectorises) and goes through it one by one only when something in it is refused. Narrow floats are
 * loaded as f32 and stored from f64; integers of 64 bits come to them with the low bits folded into one (round to odd), so
 * that there is one rounding in all.
 *
 * Complex numbers are two reals side by side: their parts go through the same loops.
 */
#include "core/convert.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "core/format.h"
#include "core/shape.h"

enum { BLOCK = 256 }; /* elements: 2 KiB of the widest stay in the first cache between look and conversion */

#define LOAD(T, p) (*(T *)memcpy(&(T){0}, p, sizeof(T)))
#define STORE(T, p, x) memcpy(p, &(T){x}, sizeof(T))

/* What an element is in memory. `bool` is a macro before C23 and cannot be pasted: here it is b8. */
typedef uint8_t ash__b8;
typedef uint16_t ash__f16;
typedef uint16_t ash__bf16;

/* ... and when it has been loaded. */

#define LOAD_b8(p) ((uint8_t)(*(const uint8_t *)(p) != 0))
#define LOAD_i8(p) LOAD(int8_t, p)
#define LOAD_i16(p) LOAD(int16_t, p)
#define LOAD_i32(p) LOAD(int32_t, p)
#define LOAD_i64(p) LOAD(int64_t, p)
#define LOAD_u8(p) LOAD(uint8_t, p)
#define LOAD_u16(p) LOAD(uint16_t, p)
#define LOAD_u32(p) LOAD(uint32_t, p)
#define LOAD_u64(p) LOAD(uint64_t, p)
#define LOAD_f16(p) ash__f16_to_f32(LOAD(uint16_t, p))
#define LOAD_bf16(p) ash__bf16_to_f32(LOAD(uint16_t, p))
#define LOAD_f32(p) LOAD(float, p)
#define LOAD_f64(p) LOAD(double, p)

/* ---- integer to integer: the value comes back and keeps its sign */
#define INT_TO_INT(F, T)                                      \
    static inline bool fits_##F##_##T(ash__##F x, bool exact) \
    {                                                         \
        (void)exact;                                          \
        const ash__##T y = (ash__##T)x;                       \
        return ((ash__##F)y == x) & ((x > 0) == (y > 0));     \
    }                                                         \
    static inline ash__##T make_##F##_##T(ash__##F x)         \
    {                                                         \
        return (ash__##T)x;                                   \
    }

/* ---- integer to bool */
#define INT_TO_BOOL(F)                                       \
    static inline bool fits_##F##_b8(ash__##F x, bool exact) \
    {                                                        \
        (void)exact;                                         \
        return (x == 0) | (x == 1);                          \
    }                                                        \
    static inline uint8_t make_##F##_b8(ash__##F x)          \
    {                                                        \
        return (uint8_t)x;                                   \
    }

/* ---- integer to float: always fits f32 and f64; exact when it comes back. 2^64 and 2^63 are what the largest round to, and
 * would overflow on the way back. */
static bool returns_f64(int64_t x, double y)
{
    return y < 0x1p63 && (int64_t)y == x;
}
static bool returns_f64_u(uint64_t x, double y)
{
    return y < 0x1p64 && (uint64_t)y == x;
}
#define RETURNS(x, y) _Generic((x), uint64_t : returns_f64_u((uint64_t)(x), y), default : returns_f64((int64_t)(x), y))
#define INT_TO_FLOAT(F, T)                                    \
    static inline bool fits_##F##_##T(ash__##F x, bool exact) \
    {                                                         \
        return !exact || RETURNS(x, (double)(ash__##T)x);     \
    }                                                         \
    static inline ash__##T make_##F##_##T(ash__##F x)         \
    {                                                         \
        return (ash__##T)x;                                   \
    }

/* An integer as a double that every narrower float rounds as it would the integer: bits below the 42nd are folded into one. */
static double odd_u64(uint64_t x)
{
    const uint64_t low = x & 0xfff;
    return x >> 53 ? (double)((x & ~(uint64_t)0xfff) | (low ? (uint64_t)0x1000 : 0)) : (double)x;
}
static double odd_i64(int64_t x)
{
    return x < 0 ? -odd_u64(0 - (uint64_t)x) : odd_u64((uint64_t)x);
}
#define ODD(x) _Generic((x), uint64_t : odd_u64((uint64_t)(x)), default : odd_i64((int64_t)(x)))

/* ---- anything to a narrow float, through a double */
static inline bool fits_double_f16(double x, bool exact)
{
    const uint16_t y = ash__f16_from_f64(x);
    return ((y & 0x7fff) != 0x7c00 || isinf(x)) && (!exact || x == (double)ash__f16_to_f32(y) || x != x);
}
static inline bool fits_double_bf16(double x, bool exact)
{
    const uint16_t y = ash__bf16_from_f64(x);
    return ((y & 0x7fff) != 0x7f80 || isinf(x)) && (!exact || x == (double)ash__bf16_to_f32(y) || x != x);
}
#define INT_TO_NARROW(F, T)                                                                                               \
    static inline bool fits_##F##_##T(ash__##F x, bool exact)                                                             \
    {                                                                                                                     \
        return fits_double_##T(ODD(x), false) && (!exact || (RETURNS(x, (double)x) && fits_double_##T((double)x, true))); \
    }                                                                                                                     \
    static inline uint16_t make_##F##_##T(ash__##F x)                                                                     \
    {                                                                                                                     \
        return ash__##T##_from_f64(ODD(x));                                                                               \
    }

/* ---- float to integer: toward zero */
#define LOW_i8 -0x1p7
#define LOW_i16 -0x1p15
#define LOW_i32 -0x1p31
#define LOW_i64 -0x1p63
#define LOW_u8 0.0
#define LOW_u16 0.0
#define LOW_u32 0.0
#define LOW_u64 0.0
#define LOW_b8 0.0
#define END_i8 0x1p7
#define END_i16 0x1p15
#define END_i32 0x1p31
#define END_i64 0x1p63
#define END_u8 0x1p8
#define END_u16 0x1p16
#define END_u32 0x1p32
#define END_u64 0x1p64
#define END_b8 2.0
#define FLOAT_TO_INT(F, L, T)                                                            \
    static inline bool fits_##F##_##T(L x, bool exact)                                   \
    {                                                                                    \
        const double whole = trunc((double)x);                                           \
        return (whole >= LOW_##T) & (whole < END_##T) & (!exact | (whole == (double)x)); \
    }                                                                                    \
    static inline ash__##T make_##F##_##T(L x)                                           \
    {                                                                                    \
        return (ash__##T)x;                                                              \
    }

/* ---- float to float */
static inline bool fits_f64_f32(double x, bool exact)
{
    const float y = (float)x;
    return (isfinite(y) | !isfinite(x)) & (!exact | ((double)y == x) | (x != x));
}
static inline float make_f64_f32(double x)
{
    return (float)x;
}
#define FLOAT_WIDENS(F, L, T, U)                       \
    static inline bool fits_##F##_##T(L x, bool exact) \
    {                                                  \
        (void)x, (void)exact;                          \
        return true;                                   \
    }                                                  \
    static inline U make_##F##_##T(L x)                \
    {                                                  \
        return (U)x;                                   \
    }
#define FLOAT_TO_NARROW(F, L, T)                       \
    static inline bool fits_##F##_##T(L x, bool exact) \
    {                                                  \
        return fits_double_##T((double)x, exact);      \
    }                                                  \
    static inline uint16_t make_##F##_##T(L x)         \
    {                                                  \
        return ash__##T##_from_f64((double)x);         \
    }

/* clang-format off */
#define FROM_INT(F)                                                                                \
    INT_TO_BOOL(F)                                                                                 \
    INT_TO_INT(F, i8) INT_TO_INT(F, i16) INT_TO_INT(F, i32) INT_TO_INT(F, i64)                     \
    INT_TO_INT(F, u8) INT_TO_INT(F, u16) INT_TO_INT(F, u32) INT_TO_INT(F, u64)                     \
    INT_TO_NARROW(F, f16) INT_TO_NARROW(F, bf16) INT_TO_FLOAT(F, f32) INT_TO_FLOAT(F, f64)
#define FROM_FLOAT(F, L)                                                                           \
    FLOAT_TO_INT(F, L, b8)                                                                         \
    FLOAT_TO_INT(F, L, i8) FLOAT_TO_INT(F, L, i16) FLOAT_TO_INT(F, L, i32) FLOAT_TO_INT(F, L, i64) \
    FLOAT_TO_INT(F, L, u8) FLOAT_TO_INT(F, L, u16) FLOAT_TO_INT(F, L, u32) FLOAT_TO_INT(F, L, u64) \
    FLOAT_TO_NARROW(F, L, f16) FLOAT_TO_NARROW(F, L, bf16)
FROM_INT(b8)
FROM_INT(i8) FROM_INT(i16) FROM_INT(i32) FROM_INT(i64)
FROM_INT(u8) FROM_INT(u16) FROM_INT(u32) FROM_INT(u64)
FROM_FLOAT(f16, float) FLOAT_WIDENS(f16, float, f32, float) FLOAT_WIDENS(f16, float, f64, double)
FROM_FLOAT(bf16, float) FLOAT_WIDENS(bf16, float, f32, float) FLOAT_WIDENS(bf16, float, f64, double)
FROM_FLOAT(f32, float) FLOAT_WIDENS(f32, float, f32, float) FLOAT_WIDENS(f32, float, f64, double)
FROM_FLOAT(f64, double) FLOAT_WIDENS(f64, double, f64, double)

/* ---- the loops: n elements; the number converted before one was refused */
typedef int64_t convert_loop(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t n, bool exact);

/* One by one. */
#define STEPS(F, T)                                                                                          \
    for (; i < n; i++) {                                                                                     \
        if (!fits_##F##_##T(LOAD_##F(from + i * fs), exact))                                                 \
            return i;                                                                                        \
        STORE(ash__##T, to + i * ts, make_##F##_##T(LOAD_##F(from + i * fs)));                               \
    }                                                                                                        \
    return n;
/* Blocks that lie side by side; `exact` is a constant where this is used. Leaves at a block with a value that is refused. */
#define BLOCKS(F, T)                                                                                         \
    for (; n - i >= BLOCK; i += BLOCK) {                                                                     \
        const char *const restrict source = from + i * (int64_t)sizeof(ash__##F);                            \
        char *const restrict target = to + i * (int64_t)sizeof(ash__##T);                                    \
        int bad = 0;                                                                                         \
        for (int k = 0; k < BLOCK; k++)                                                                      \
            bad |= !fits_##F##_##T(LOAD_##F(source + k * (int)sizeof(ash__##F)), exact);                     \
        if (bad)                                                                                             \
            break;                                                                                           \
        for (int k = 0; k < BLOCK; k++)                                                                      \
            STORE(ash__##T, target + k * (int)sizeof(ash__##T),                                              \
                  make_##F##_##T(LOAD_##F(source + k * (int)sizeof(ash__##F))));                             \
    }
#define LOOP(F, T)                                                                                           \
    static int64_t exact_##F##_##T(char *to, const char *from, int64_t n)                                    \
    {                                                                                                        \
        const bool exact = true;                                                                             \
        int64_t i = 0;                                                                                       \
        BLOCKS(F, T)                                                                                         \
        return i;                                                                                            \
    }                                                                                                        \
    static int64_t cut_##F##_##T(char *to, const char *from, int64_t n)                                      \
    {                                                                                                        \
        const bool exact = false;                                                                            \
        int64_t i = 0;                                                                                       \
        BLOCKS(F, T)                                                                                         \
        return i;                                                                                            \
    }                                                                                                        \
    static int64_t loop_##F##_##T(char *to, int64_t ts, const char *from, int64_t fs, int64_t n, bool exact) \
    {                                                                                                        \
        int64_t i = 0;                                                                                       \
        if (ts == (int64_t)sizeof(ash__##T) && fs == (int64_t)sizeof(ash__##F))                              \
            i = exact ? exact_##F##_##T(to, from, n) : cut_##F##_##T(to, from, n);                           \
        STEPS(F, T)                                                                                          \
    }
/* To the narrow floats, where looking at a value is as much work as converting it. */
#define LOOP_NARROW(F, T)                                                                                    \
    static int64_t loop_##F##_##T(char *to, int64_t ts, const char *from, int64_t fs, int64_t n, bool exact) \
    {                                                                                                        \
        int64_t i = 0;                                                                                       \
        STEPS(F, T)                                                                                          \
    }
#define LOOPS(F)                                                                                               \
    LOOP(F, b8) LOOP(F, i8) LOOP(F, i16) LOOP(F, i32) LOOP(F, i64) LOOP(F, u8) LOOP(F, u16) LOOP(F, u32)       \
    LOOP(F, u64) LOOP_NARROW(F, f16) LOOP_NARROW(F, bf16) LOOP(F, f32) LOOP(F, f64)
LOOPS(b8) LOOPS(i8) LOOPS(i16) LOOPS(i32) LOOPS(i64) LOOPS(u8) LOOPS(u16) LOOPS(u32) LOOPS(u64)
LOOPS(f16) LOOPS(bf16) LOOPS(f32) LOOPS(f64)

#define ROW(F)                                                                                                            \
    {                                                                                                                     \
        [ASH_BOOL] = loop_##F##_b8, [ASH_I8] = loop_##F##_i8, [ASH_I16] = loop_##F##_i16, [ASH_I32] = loop_##F##_i32,     \
        [ASH_I64] = loop_##F##_i64, [ASH_U8] = loop_##F##_u8, [ASH_U16] = loop_##F##_u16, [ASH_U32] = loop_##F##_u32,     \
        [ASH_U64] = loop_##F##_u64, [ASH_F16] = loop_##F##_f16, [ASH_BF16] = loop_##F##_bf16, [ASH_F32] = loop_##F##_f32, \
        [ASH_F64] = loop_##F##_f64                                                                                        \
    }
static convert_loop *const loops[ASH__REAL_COUNT][ASH__REAL_COUNT] = {
    [ASH_BOOL] = ROW(b8),   [ASH_I8] = ROW(i8),   [ASH_I16] = ROW(i16), [ASH_I32] = ROW(i32), [ASH_I64] = ROW(i64),
    [ASH_U8] = ROW(u8),     [ASH_U16] = ROW(u16), [ASH_U32] = ROW(u32), [ASH_U64] = ROW(u64), [ASH_F16] = ROW(f16),
    [ASH_BF16] = ROW(bf16), [ASH_F32] = ROW(f32), [ASH_F64] = ROW(f64)};
/* clang-format on */

/* ---- any pair */

static void copy_run(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t n, size_t size)
{
    if (to_step == (int64_t)size && from_step == (int64_t)size) {
        memmove(to, from, (size_t)n * size);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        memmove(to + i * to_step, from + i * from_step, size);
}

static bool is_zero(const char *p, ash_dtype real)
{
    uint64_t i = 0;
    switch ((int)real) {
    case ASH_F16:
    case ASH_BF16:
        return (LOAD(uint16_t, p) & 0x7fff) == 0;
    case ASH_F32:
        return !(LOAD(float, p) < 0 || LOAD(float, p) > 0 || isnan(LOAD(float, p)));
    case ASH_F64:
        return !(LOAD(double, p) < 0 || LOAD(double, p) > 0 || isnan(LOAD(double, p)));
    default:
        memcpy(&i, p, ash_dtype_size(real));
        return i == 0;
    }
}

static int64_t count_real(const char *from, int64_t from_step, ash_dtype from_dtype, int64_t n)
{
    const ash_dtype part = ash__part(from_dtype);
    const char *imaginary = from + ash_dtype_size(part);
    for (int64_t i = 0; i < n; i++)
        if (!is_zero(imaginary + i * from_step, part))
            return i;
    return n;
}

static void clear_run(char *to, int64_t step, int64_t n, size_t size)
{
    for (int64_t i = 0; i < n; i++)
        memset(to + i * step, 0, size);
}

/* At least one side is complex. */
static int64_t convert_complex(char *to, int64_t to_step, ash_dtype to_dtype, const char *from, int64_t from_step,
                               ash_dtype from_dtype, int64_t n, bool exact)
{
    const ash_dtype to_part = ash__part(to_dtype), from_part = ash__part(from_dtype);
    const int64_t to_size = (int64_t)ash_dtype_size(to_part), from_size = (int64_t)ash_dtype_size(from_part);
    convert_loop *loop = loops[from_part][to_part];

    if (!ash__is_complex(from_dtype)) {
        clear_run(to + to_size, to_step, n, (size_t)to_size);
        return loop(to, to_step, from, from_step, n, exact);
    }
    if (!ash__is_complex(to_dtype))
        return loop(to, to_step, from, from_step, count_real(from, from_step, from_dtype, n), exact);
    if (to_step == 2 * to_size && from_step == 2 * from_size)
        return loop(to, to_size, from, from_size, 2 * n, exact) / 2;
    const int64_t real = loop(to, to_step, from, from_step, n, exact);
    return loop(to + to_size, to_step, from + from_size, from_step, real, exact);
}

int64_t ash__convert_run(char *to, int64_t to_step, ash_dtype to_dtype, const char *from, int64_t from_step,
                         ash_dtype from_dtype, int64_t n, bool exact)
{
    if (to_dtype == from_dtype && to_dtype != ASH_BOOL) { /* a bool that is neither 0 nor 1 becomes 1 */
        copy_run(to, to_step, from, from_step, n, ash_dtype_size(to_dtype));
        return n;
    }
    if (ash__is_real(to_dtype) && ash__is_real(from_dtype))
        return loops[from_dtype][to_dtype](to, to_step, from, from_step, n, exact);
    if (ash__is_record(to_dtype) || ash__is_record(from_dtype))
        return 0; /* a record converts to itself only */
    return convert_complex(to, to_step, to_dtype, from, from_step, from_dtype, n, exact);
}

void ash__conjugate(char *elements, ash_dtype dtype, int64_t n)
{
    const ash_dtype part = ash__part(dtype);
    const size_t size = ash_dtype_size(part);
    if (!ash__is_complex(dtype))
        return;
    for (int64_t i = 0; i < n; i++) {
        char *p = elements + (2 * (size_t)i + 1) * size;
        uint64_t bits = 0;
        if (ash__is_float(part)) { /* only the sign bit, so that -0.0 and NaN are right too */
            memcpy(&bits, p, size);
            bits ^= (uint64_t)1 << (8 * size - 1);
        } else {
            memcpy(&bits, p, size);
            bits = 0 - bits; /* wraps in every width: only the low bytes are stored */
        }
        memcpy(p, &bits, size);
    }
}

/* ---- errors */

/* "element 3, ", "element (1, 2), " or, for a single value, "value " */
static void put_place(char *text, size_t size, const int64_t *index, int64_t rank)
{
    char shape[ASH__SHAPE_TEXT];
    if (rank == 0)
        snprintf(text, size, "value");
    else if (rank == 1)
        snprintf(text, size, "element %lld,", (long long)index[0]);
    else
        snprintf(text, size, "element %s,", ash__shape_text(shape, sizeof shape, index, rank));
}

/* The value of the part at fault, real part first. */
static double part_at_fault(const char *from, ash_dtype from_dtype, ash_dtype to_dtype, bool exact)
{
    const ash_dtype part = ash__part(from_dtype);
    char ignored[16];
    double x = 0;
    if (ash__is_complex(from_dtype) && loops[part][ash__part(to_dtype)](ignored, 16, from, 16, 1, exact) == 1)
        from += ash_dtype_size(part);
    loops[part][ASH_F64]((char *)&x, 8, from, 8, 1, false);
    return x;
}

ash_status ash__convert_fail(const char *function, const int64_t *index, int64_t rank, const char *from, ash_dtype from_dtype,
                             ash_dtype to_dtype, bool exact)
{
    char place[ASH__SHAPE_TEXT + 16], value[ASH__CELL];
    const char *comma = rank == 0 ? "" : ",", *name = ash_dtype_name(to_dtype);
    put_place(place, sizeof place, index, rank);
    if (ash__is_record(from_dtype) || ash__is_record(to_dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "%s does not convert to %s", ash_dtype_name(from_dtype), name);

    ash__format_element(value, sizeof value, from_dtype, from, false);
    if (ash__is_complex(from_dtype) && !ash__is_complex(to_dtype) && count_real(from, 0, from_dtype, 1) == 0)
        return ash__fail(ASH_ERR_VALUE, function, "%s %s%s is not a real number", place, value, comma);

    const ash_dtype from_part = ash__part(from_dtype), to_part = ash__part(to_dtype);
    const double x = part_at_fault(from, from_dtype, to_dtype, exact);
    if (!ash__is_float(to_part) && ash__is_float(from_part) && !isfinite(x))
        return ash__fail(ASH_ERR_VALUE, function, "%s %s%s is not a finite number", place, value, comma);
    char ignored[16];
    const bool fits = exact && ash__convert_run(ignored, 16, to_dtype, from, 16, from_dtype, 1, false) == 1;
    if (!fits)
        return ash__fail(ASH_ERR_VALUE, function, "%s %s%s does not fit %s", place, value, comma, name);
    if (!ash__is_float(to_part))
        return ash__fail(ASH_ERR_VALUE, function, "%s %s%s is not an integer", place, value, comma);
    return ash__fail(ASH_ERR_VALUE, function, "%s %s%s is not exactly representable in %s", place, value, comma, name);
}

/* ---- whole arrays */

/* Can no value of `from` be refused? Then runs may be visited in any order. */
static bool always_fits(ash_dtype to, ash_dtype from, bool exact)
{
    if (to == from)
        return true;
    if (ash__is_record(to) || ash__is_record(from) || (ash__is_complex(from) && !ash__is_complex(to)))
        return false;
    const ash_dtype t = ash__part(to), f = ash__part(from);
    if (f == ASH_BOOL || t == f)
        return true;
    const int widened = ash_dtype_size(t) > ash_dtype_size(f);
    if (ash__is_integer(f) && ash__is_integer(t))
        return widened && (ash__is_signed(t) || !ash__is_signed(f));
    if (ash__is_integer(f))
        return (t == ASH_F32 || t == ASH_F64) && !exact;
    return ash__is_float(t) && widened;
}

/* A run from conjugated memory: each block is conjugated in a copy first. */
static int64_t convert_conjugated(char *to, int64_t to_step, ash_dtype to_dtype, const char *from, int64_t from_step,
                                  ash_dtype from_dtype, int64_t n, bool exact)
{
    char block[128 * 16];
    const int64_t size = (int64_t)ash_dtype_size(from_dtype);
    for (int64_t i = 0; i < n; i += 128) {
        const int64_t m = n - i < 128 ? n - i : 128;
        copy_run(block, size, from + i * from_step, from_step, m, (size_t)size);
        ash__conjugate(block, from_dtype, m);
        const int64_t done = ash__convert_run(to + i * to_step, to_step, to_dtype, block, size, from_dtype, m, exact);
        if (done < m)
            return i + done;
    }
    return n;
}

static ash_status fail_at(const char *function, const int64_t *shape, int64_t rank, int64_t position, const char *from,
                          ash_dtype from_dtype, ash_dtype to_dtype, bool exact, bool conjugate)
{
    char element[16];
    int64_t index[ASH_MAX_RANK];
    ash__index_at(ASH_ROW_MAJOR, shape, rank, position, index);
    if (ash__is_record(from_dtype))
        return ash__convert_fail(function, index, rank, from, from_dtype, to_dtype, exact);
    memcpy(element, from, ash_dtype_size(from_dtype));
    if (conjugate)
        ash__conjugate(element, from_dtype, 1);
    return ash__convert_fail(function, index, rank, element, from_dtype, to_dtype, exact);
}

ash_status ash__convert_all(const char *function, const int64_t *shape, int64_t rank, char *to, const int64_t *to_stride,
                            ash_dtype to_dtype, const char *from, const int64_t *from_stride, ash_dtype from_dtype, bool exact,
                            int conjugated)
{
    ash__walk w;
    int64_t before = 0;
    char *const data[2] = {to, (char *)(uintptr_t)from};
    const int64_t *const stride[2] = {to_stride, from_stride};
    if (to_dtype == from_dtype && conjugated) /* the same on either side, and faster on this one */
        conjugated = conjugated == (ASH__FROM_CONJUGATED | ASH__TO_CONJUGATED) ? 0 : ASH__FROM_CONJUGATED;
    const bool flip = (conjugated & ASH__FROM_CONJUGATED) && ash__is_complex(from_dtype);
    for (bool more = ash__walk_begin(&w, !always_fits(to_dtype, from_dtype, exact), shape, rank, 2, data, stride); more;
         more = ash__walk_next(&w)) {
        const int64_t done = (flip ? convert_conjugated : ash__convert_run)(w.at[0], w.step[0], to_dtype, w.at[1], w.step[1],
                                                                            from_dtype, w.run, exact);
        if (done < w.run)
            return fail_at(function, shape, rank, before + done, w.at[1] + done * w.step[1], from_dtype, to_dtype, exact, flip);
        if (conjugated & ASH__TO_CONJUGATED)
            for (int64_t i = 0; i < w.run; i++)
                ash__conjugate(w.at[0] + i * w.step[0], to_dtype, 1);
        before += w.run;
    }
    return ASH_OK;
}
