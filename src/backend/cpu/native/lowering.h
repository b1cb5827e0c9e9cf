/*
 * lowering.h - building a body: what body.c writes instructions with.
 *
 * Every function gives back the number of the new value; after a failure (too long, not within reach) any number, and failed
 * is set.
 */
#ifndef ASH__LOWERING_H
#define ASH__LOWERING_H
#include "backend/cpu/native/body.h"

typedef struct ash__lowering {
    ash__body *m;
    const ash__program *program;
    uint16_t of[ASH__BODY_LIMIT]; /* the body's number of each value of the program; ASH__NO_VALUE: none yet */
    bool uniform[ASH__BODY_LIMIT];
    bool wide; /* AVX-512 */
    bool neon; /* what AVX2 lacks is there, floats become integers as the library wants them, and so do minima */
    bool failed;
} ash__lowering;

enum { ASH__ROUND_NEAREST = 8, ASH__ROUND_FLOOR, ASH__ROUND_CEIL, ASH__ROUND_TRUNC }; /* x86's modes, raising nothing */

int ash__lower_1(ash__lowering *l, ash__body_op op, ash__lane type, int a);
int ash__lower_2(ash__lowering *l, ash__body_op op, ash__lane type, int a, int b);
int ash__lower_3(ash__lowering *l, ash__body_op op, ash__lane type, int a, int b, int c);
int ash__lower_literal(ash__lowering *l, ash__lane type, uint64_t bits);
int ash__lower_number(ash__lowering *l, ash__lane type, double x);                               /* exact in the type */
int ash__lower_relation(ash__lowering *l, ash__relation relation, ash__lane type, int a, int b); /* what AVX2 has */
int ash__lower_select(ash__lowering *l, ash__lane type, int mask, int a, int b);
int ash__lower_keep(ash__lowering *l, ash__lane type, int mask, int a);
int ash__lower_magnitude(ash__lowering *l, ash__lane type, int a);
int ash__lower_with_sign(ash__lowering *l, ash__lane type, int a, int b); /* |a| with b's sign */
int ash__lower_rounded(ash__lowering *l, ash__lane type, int mode, int a);
int ash__lower_convert(ash__lowering *l, bool is_signed, ash__lane from, ash__lane to, int a);

static inline bool ash__is_float_lane(ash__lane type)
{
    return type == ASH__LANE_F32 || type == ASH__LANE_F64;
}
static inline uint64_t ash__sign_bit(ash__lane type)
{
    return (uint64_t)1 << (8 * ash__lane_bytes(type) - 1);
}
#endif
