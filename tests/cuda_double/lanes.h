/*
 * lanes.h - what computes an instruction for the 32 lanes of a warp, and the table of the instructions that compute only.
 *
 * A register of a warp is a column: 32 values of its width one after another, or one word of 32 bits for a predicate. A form of
 * an instruction is its text in PTX ("add.rn.f32"), the types of its result and its operands, and a function over columns. All
 * lanes are computed and those that are active are kept: nothing here traps.
 *
 * Forms stand in lists, LIST(X), whose rows are X1..X4(name, texts, result, operand types..., expression in x, y, z, w); a list
 * is read twice, for the functions and for the table.
 */
#ifndef DOUBLE_LANES_H
#define DOUBLE_LANES_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 32 };

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef uint8_t u8;
typedef int8_t s8;
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

/* The type of an operand: what an immediate means and how wide the column is. */
typedef enum {
    TYPE_none,
    TYPE_pred,
    TYPE_u16,
    TYPE_s16,
    TYPE_u32,
    TYPE_s32,
    TYPE_u64,
    TYPE_s64,
    TYPE_f32,
    TYPE_f64
} value_type;

typedef void lane_function(void *result, const void *x, const void *y, const void *z, const void *w, unsigned active);

enum { OPERANDS = 4 };
typedef struct form {
    const char *text; /* several of them: with spaces between */
    lane_function *run;
    unsigned char result, operand[OPERANDS];
} form;

typedef struct forms {
    const form *row;
    size_t count;
} forms;
extern const forms integer_forms, bit_forms, real_forms, rounded_forms, compare_forms, convert_forms, half_forms;

static inline void commit16(u16 *result, const u16 *value, unsigned active)
{
    for (int l = 0; l < LANES; l++)
        result[l] = active >> l & 1 ? value[l] : result[l];
}

static inline void commit32(u32 *result, const u32 *value, unsigned active)
{
    for (int l = 0; l < LANES; l++)
        result[l] = active >> l & 1 ? value[l] : result[l];
}

static inline void commit64(u64 *result, const u64 *value, unsigned active)
{
    for (int l = 0; l < LANES; l++)
        result[l] = active >> l & 1 ? value[l] : result[l];
}

static inline void commit(void *result, const void *value, size_t width, unsigned active)
{
    if (active == ~0u)
        memcpy(result, value, width * LANES);
    else if (width == 2)
        commit16(result, value, active);
    else if (width == 4)
        commit32(result, value, active);
    else
        commit64(result, value, active);
}

static inline void commit_pred(void *result, unsigned value, unsigned active)
{
    *(u32 *)result = (*(u32 *)result & ~active) | (value & active);
}

/* Lane l of a predicate. */
typedef unsigned pred;

#define LANE_u16(P) ((const u16 *)(P))[l]
#define LANE_s16(P) ((const s16 *)(P))[l]
#define LANE_u32(P) ((const u32 *)(P))[l]
#define LANE_s32(P) ((const s32 *)(P))[l]
#define LANE_u64(P) ((const u64 *)(P))[l]
#define LANE_s64(P) ((const s64 *)(P))[l]
#define LANE_f32(P) ((const f32 *)(P))[l]
#define LANE_f64(P) ((const f64 *)(P))[l]
#define LANE_pred(P) (*(const u32 *)(P) >> l & 1)

#define LANES_OF(NAME) static void NAME(void *d, const void *a, const void *b, const void *c, const void *e, unsigned active)
#define UNUSED1 (void)b, (void)c, (void)e
#define UNUSED2 (void)c, (void)e
#define UNUSED3 (void)e
#define EACH_LANE for (int l = 0; l < LANES; l++)
#define VALUES1(A) const A x = LANE_##A(a)
#define VALUES2(A, B)        \
    const A x = LANE_##A(a); \
    const B y = LANE_##B(b)
#define VALUES3(A, B, C)     \
    const A x = LANE_##A(a); \
    const B y = LANE_##B(b); \
    const C z = LANE_##C(c)
#define VALUES4(A, B, C, D) \
    VALUES3(A, B, C);       \
    const D w = LANE_##D(e)

#define LANES1(NAME, TEXT, R, A, EXPR)   \
    LANES_OF(NAME)                       \
    {                                    \
        R r[LANES];                      \
        EACH_LANE                        \
        {                                \
            VALUES1(A);                  \
            r[l] = (R)(EXPR);            \
        }                                \
        UNUSED1;                         \
        commit(d, r, sizeof(R), active); \
    }
#define LANES2(NAME, TEXT, R, A, B, EXPR) \
    LANES_OF(NAME)                        \
    {                                     \
        R r[LANES];                       \
        EACH_LANE                         \
        {                                 \
            VALUES2(A, B);                \
            r[l] = (R)(EXPR);             \
        }                                 \
        UNUSED2;                          \
        commit(d, r, sizeof(R), active);  \
    }
#define LANES3(NAME, TEXT, R, A, B, C, EXPR) \
    LANES_OF(NAME)                           \
    {                                        \
        R r[LANES];                          \
        EACH_LANE                            \
        {                                    \
            VALUES3(A, B, C);                \
            r[l] = (R)(EXPR);                \
        }                                    \
        UNUSED3;                             \
        commit(d, r, sizeof(R), active);     \
    }
#define LANES4(NAME, TEXT, R, A, B, C, D, EXPR) \
    LANES_OF(NAME)                              \
    {                                           \
        R r[LANES];                             \
        EACH_LANE                               \
        {                                       \
            VALUES4(A, B, C, D);                \
            r[l] = (R)(EXPR);                   \
        }                                       \
        commit(d, r, sizeof(R), active);        \
    }

/* A predicate as the result. */
#define LANES1P(NAME, TEXT, A, EXPR)      \
    LANES_OF(NAME)                        \
    {                                     \
        u32 r = 0;                        \
        EACH_LANE                         \
        {                                 \
            VALUES1(A);                   \
            r |= (u32)((EXPR) != 0) << l; \
        }                                 \
        UNUSED1;                          \
        commit_pred(d, r, active);        \
    }
#define LANES2P(NAME, TEXT, A, B, EXPR)   \
    LANES_OF(NAME)                        \
    {                                     \
        u32 r = 0;                        \
        EACH_LANE                         \
        {                                 \
            VALUES2(A, B);                \
            r |= (u32)((EXPR) != 0) << l; \
        }                                 \
        UNUSED2;                          \
        commit_pred(d, r, active);        \
    }
#define LANES3P(NAME, TEXT, A, B, C, EXPR) \
    LANES_OF(NAME)                         \
    {                                      \
        u32 r = 0;                         \
        EACH_LANE                          \
        {                                  \
            VALUES3(A, B, C);              \
            r |= (u32)((EXPR) != 0) << l;  \
        }                                  \
        UNUSED3;                           \
        commit_pred(d, r, active);         \
    }

#define ROW1(NAME, TEXT, R, A, EXPR) {TEXT, NAME, TYPE_##R, {TYPE_##A}},
#define ROW2(NAME, TEXT, R, A, B, EXPR) {TEXT, NAME, TYPE_##R, {TYPE_##A, TYPE_##B}},
#define ROW3(NAME, TEXT, R, A, B, C, EXPR) {TEXT, NAME, TYPE_##R, {TYPE_##A, TYPE_##B, TYPE_##C}},
#define ROW4(NAME, TEXT, R, A, B, C, D, EXPR) {TEXT, NAME, TYPE_##R, {TYPE_##A, TYPE_##B, TYPE_##C, TYPE_##D}},
#define ROW1P(NAME, TEXT, A, EXPR) {TEXT, NAME, TYPE_pred, {TYPE_##A}},
#define ROW2P(NAME, TEXT, A, B, EXPR) {TEXT, NAME, TYPE_pred, {TYPE_##A, TYPE_##B}},
#define ROW3P(NAME, TEXT, A, B, C, EXPR) {TEXT, NAME, TYPE_pred, {TYPE_##A, TYPE_##B, TYPE_##C}},

/* The functions and the table of a list. */
#define DEFINE_FORMS(NAME, LIST)             \
    LIST(LANES)                              \
    static const form table[] = {LIST(ROW)}; \
    const forms NAME = {table, sizeof table / sizeof table[0]};

#endif
