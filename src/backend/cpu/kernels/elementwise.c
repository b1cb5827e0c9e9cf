/*
 * elementwise.c - the table of all elementwise loops of one level, put together from those of the families.
 *
 * A family is a source file: integers and bool, floats, parts of floats, elementary functions by type, conversions.
 */
#include "backend/cpu/kernels/loop.h"

extern const ash__basic_table ASH__TABLE(ash__basic_int)[9];   /* bool, i8 to i64, u8 to u64 */
extern const ash__basic_table ASH__TABLE(ash__basic_float)[2]; /* f32, f64 */
extern const ash__math_table ASH__TABLE(ash__math_f32);
extern const ash__math_table ASH__TABLE(ash__math_f64);
extern const ash__parts_table ASH__TABLE(ash__parts);
extern const ash__convert_table ASH__TABLE(ash__convert);
extern const ash__elementwise_table ASH__TABLE(ash__elementwise);

const ash__elementwise_table ASH__TABLE(ash__elementwise) = {
    .basic =
        {
            [ASH_BOOL] = &ASH__TABLE(ash__basic_int)[0],
            [ASH_I8] = &ASH__TABLE(ash__basic_int)[1],
            [ASH_I16] = &ASH__TABLE(ash__basic_int)[2],
            [ASH_I32] = &ASH__TABLE(ash__basic_int)[3],
            [ASH_I64] = &ASH__TABLE(ash__basic_int)[4],
            [ASH_U8] = &ASH__TABLE(ash__basic_int)[5],
            [ASH_U16] = &ASH__TABLE(ash__basic_int)[6],
            [ASH_U32] = &ASH__TABLE(ash__basic_int)[7],
            [ASH_U64] = &ASH__TABLE(ash__basic_int)[8],
            [ASH_F32] = &ASH__TABLE(ash__basic_float)[0],
            [ASH_F64] = &ASH__TABLE(ash__basic_float)[1],
        },
    .math = {[ASH_F32] = &ASH__TABLE(ash__math_f32), [ASH_F64] = &ASH__TABLE(ash__math_f64)},
    .parts = &ASH__TABLE(ash__parts),
    .convert = &ASH__TABLE(ash__convert),
};
