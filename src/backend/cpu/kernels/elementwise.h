/*
 * elementwise.h - the loops that the families of elementwise kernels are made of.
 *
 * LOOP1, LOOP2 and LOOP3 define a kernel over vectors of T with results of type R: the expression is in x, y and z, the
 * elements of the operands. Letters say how each operand is read: v at element i, s once (a scalar). Kernels are called
 * name_vs and the like. Where operands commute, the scalar goes second and name_sv only swaps them.
 */
#ifndef ASH__ELEMENTWISE_H
#define ASH__ELEMENTWISE_H
#include "backend/cpu/kernels/loop.h"

#define HOIST_v(T, x, p) ASH__UNUSED(p)
#define HOIST_s(T, x, p) const T x##0 = *(p)
#define ELEMENT_v(x, p) (p)[i]
#define ELEMENT_s(x, p) x##0

#define LOOP1(NAME, T, R, EXPRESSION)              \
    ASH__KERNEL(NAME)                              \
    {                                              \
        R *d = D;                                  \
        const T *a = A;                            \
        ASH__UNUSED(B), ASH__UNUSED(C);            \
        ASH__IVDEP for (int64_t i = 0; i < n; i++) \
        {                                          \
            const T x = a[i];                      \
            d[i] = (R)(EXPRESSION);                \
        }                                          \
    }

#define LOOP2(NAME, KX, KY, T, R, EXPRESSION)                       \
    ASH__KERNEL(NAME##_##KX##KY)                                    \
    {                                                               \
        R *d = D;                                                   \
        const T *a = A, *b = B;                                     \
        HOIST_##KX(T, x, a);                                        \
        HOIST_##KY(T, y, b);                                        \
        ASH__UNUSED(C);                                             \
        ASH__IVDEP for (int64_t i = 0; i < n; i++)                  \
        {                                                           \
            const T x = ELEMENT_##KX(x, a), y = ELEMENT_##KY(y, b); \
            d[i] = (R)(EXPRESSION);                                 \
        }                                                           \
    }
#define LOOP2_ALL(NAME, T, R, EXPRESSION) \
    LOOP2(NAME, v, v, T, R, EXPRESSION)   \
    LOOP2(NAME, v, s, T, R, EXPRESSION)   \
    LOOP2(NAME, s, v, T, R, EXPRESSION)
#define LOOP2_COMMUTES(NAME, T, R, EXPRESSION) \
    LOOP2(NAME, v, v, T, R, EXPRESSION)        \
    LOOP2(NAME, v, s, T, R, EXPRESSION)        \
    ASH__KERNEL(NAME##_sv)                     \
    {                                          \
        NAME##_vs(D, B, A, C, n);              \
    }

/* TX is the type of the first operand: that of the others, or bool for a selection. */
#define LOOP3(NAME, KX, KY, KZ, TX, T, EXPRESSION)                  \
    ASH__KERNEL(NAME##_##KX##KY##KZ)                                \
    {                                                               \
        T *d = D;                                                   \
        const TX *a = A;                                            \
        const T *b = B, *c = C;                                     \
        HOIST_##KX(TX, x, a);                                       \
        HOIST_##KY(T, y, b);                                        \
        HOIST_##KZ(T, z, c);                                        \
        ASH__IVDEP for (int64_t i = 0; i < n; i++)                  \
        {                                                           \
            const TX x = ELEMENT_##KX(x, a);                        \
            const T y = ELEMENT_##KY(y, b), z = ELEMENT_##KZ(z, c); \
            d[i] = (T)(EXPRESSION);                                 \
        }                                                           \
    }
/* x*y + z and the like: x and y commute. */
#define LOOP3_MULTIPLY(NAME, T, EXPRESSION) \
    LOOP3(NAME, v, v, v, T, T, EXPRESSION)  \
    LOOP3(NAME, v, s, v, T, T, EXPRESSION)  \
    LOOP3(NAME, v, v, s, T, T, EXPRESSION)  \
    LOOP3(NAME, v, s, s, T, T, EXPRESSION)  \
    ASH__KERNEL(NAME##_svv)                 \
    {                                       \
        NAME##_vsv(D, B, A, C, n);          \
    }                                       \
    ASH__KERNEL(NAME##_svs)                 \
    {                                       \
        NAME##_vss(D, B, A, C, n);          \
    }
#define LOOP3_SELECT(NAME, T)                     \
    LOOP3(NAME, v, v, v, ash__bool, T, x ? y : z) \
    LOOP3(NAME, v, s, v, ash__bool, T, x ? y : z) \
    LOOP3(NAME, v, v, s, ash__bool, T, x ? y : z) \
    LOOP3(NAME, v, s, s, ash__bool, T, x ? y : z)

/*
 * Loops whose fast expression is wrong for rare elements: rare says for which, slow is right for those. Chunk by chunk the
 * elements are looked at first, so that a chunk without rare ones costs one more pass through L1 and no more; the others are
 * kept, because the result may overwrite them.
 */
enum { CHUNK = 256 };

#define LOOP1_PATCHED(NAME, T, FAST, RARE, SLOW)                           \
    ASH__KERNEL(NAME)                                                      \
    {                                                                      \
        ASH__UNUSED(B), ASH__UNUSED(C);                                    \
        for (int64_t from = 0; from < n; from += CHUNK) {                  \
            const int64_t m = n - from < CHUNK ? n - from : CHUNK;         \
            T *d = (T *)D + from, kept[CHUNK];                             \
            const T *a = (const T *)A + from;                              \
            int rare = 0;                                                  \
            ASH__IVDEP for (int64_t i = 0; i < m; i++) rare |= RARE(a[i]); \
            if (rare)                                                      \
                a = memcpy(kept, a, (size_t)m * sizeof(T));                \
            ASH__IVDEP for (int64_t i = 0; i < m; i++) d[i] = FAST(a[i]);  \
            for (int64_t i = 0; rare && i < m; i++)                        \
                d[i] = RARE(a[i]) ? SLOW(a[i]) : d[i];                     \
        }                                                                  \
    }
#define LOOP2_PATCHED(NAME, T, FAST, RARE, SLOW)                                 \
    ASH__KERNEL(NAME)                                                            \
    {                                                                            \
        ASH__UNUSED(C);                                                          \
        for (int64_t from = 0; from < n; from += CHUNK) {                        \
            const int64_t m = n - from < CHUNK ? n - from : CHUNK;               \
            T *d = (T *)D + from, kept[2][CHUNK];                                \
            const T *a = (const T *)A + from, *b = (const T *)B + from;          \
            int rare = 0;                                                        \
            ASH__IVDEP for (int64_t i = 0; i < m; i++) rare |= RARE(a[i], b[i]); \
            if (rare) {                                                          \
                a = memcpy(kept[0], a, (size_t)m * sizeof(T));                   \
                b = memcpy(kept[1], b, (size_t)m * sizeof(T));                   \
            }                                                                    \
            ASH__IVDEP for (int64_t i = 0; i < m; i++) d[i] = FAST(a[i], b[i]);  \
            for (int64_t i = 0; rare && i < m; i++)                              \
                d[i] = RARE(a[i], b[i]) ? SLOW(a[i], b[i]) : d[i];               \
        }                                                                        \
    }

/* Rows of a table: index is the scalar bits, bit 0 the first operand. */
#define BASIC(ID) [ASH__OP_##ID - ASH__BASIC_FIRST]
#define ROW1(NAME) \
    {              \
        NAME       \
    }
#define ROW2(NAME)                      \
    {                                   \
        NAME##_vv, NAME##_sv, NAME##_vs \
    }
#define ROW3_MULTIPLY(NAME)                                                          \
    {                                                                                \
        NAME##_vvv, NAME##_svv, NAME##_vsv, NULL, NAME##_vvs, NAME##_svs, NAME##_vss \
    }
#define ROW3_SELECT(NAME)                                                \
    {                                                                    \
        NAME##_vvv, NULL, NAME##_vsv, NULL, NAME##_vvs, NULL, NAME##_vss \
    }
#endif
