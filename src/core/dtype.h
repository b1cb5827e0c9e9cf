/*
 * dtype.h - the only list of element types.
 *
 * A real dtype has a storage type (what lies in memory) and a machine type (what is computed in): they differ for f16 and
 * bf16 alone, which are computed in f32. A complex number is two reals of its part's dtype, one after the other.
 * New dtypes go at the end of the enumeration in base.h.
 */
#ifndef ASH__DTYPE_H
#define ASH__DTYPE_H
#include <string.h>

#include "ashlar/dtype.h"

typedef uint8_t ash__bool; /* 0 or 1 */
typedef int8_t ash__i8;
typedef int16_t ash__i16;
typedef int32_t ash__i32;
typedef int64_t ash__i64;
typedef uint8_t ash__u8;
typedef uint16_t ash__u16;
typedef uint32_t ash__u32;
typedef uint64_t ash__u64;
typedef float ash__f32;
typedef double ash__f64;

/* Machine types. X(ID, name, type to compute integer arithmetic in): integers compute unsigned, so that they wrap and
 * never overflow, and in 32 bits or more, because C promotes anything smaller to int. */
#define ASH__BOOL_TYPE(X) X(BOOL, bool, uint32_t)
#define ASH__SIGNED_TYPES(X) X(I8, i8, uint32_t) X(I16, i16, uint32_t) X(I32, i32, uint32_t) X(I64, i64, uint64_t)
#define ASH__UNSIGNED_TYPES(X) X(U8, u8, uint32_t) X(U16, u16, uint32_t) X(U32, u32, uint32_t) X(U64, u64, uint64_t)
#define ASH__FLOAT_TYPES(X) X(F32, f32, float) X(F64, f64, double)
#define ASH__INT_TYPES(X) ASH__SIGNED_TYPES(X) ASH__UNSIGNED_TYPES(X)
#define ASH__NUMBER_TYPES(X) ASH__INT_TYPES(X) ASH__FLOAT_TYPES(X)
#define ASH__MACHINE_TYPES(X) ASH__BOOL_TYPE(X) ASH__NUMBER_TYPES(X)

/* Parts of complex dtypes, in the order of their numbers. */
#define ASH__COMPLEX_PARTS(X) \
    X(I8, i8) X(I16, i16) X(I32, i32) X(I64, i64) X(U8, u8) X(U16, u16) X(U32, u32) X(U64, u64) \
    X(F16, f16) X(BF16, bf16) X(F32, f32) X(F64, f64)

enum {
    ASH__REAL_COUNT = ASH_F64 + 1,     /* size of a table by real dtype */
    ASH__PLAIN_COUNT = ASH_C_F64 + 1   /* size of a table by plain dtype */
};

typedef enum ash__kind {
    ASH__KIND_NONE,
    ASH__KIND_BOOL,
    ASH__KIND_SIGNED,
    ASH__KIND_UNSIGNED,
    ASH__KIND_FLOAT,
    ASH__KIND_COMPLEX,
    ASH__KIND_RECORD
} ash__kind;

ash__kind ash__kind_of(ash_dtype dtype); /* ASH__KIND_NONE for a number that is no dtype */
static inline bool ash__is_real(ash_dtype d) { return d >= ASH_BOOL && d <= ASH_F64; }
static inline bool ash__is_complex(ash_dtype d) { return d >= ASH_C_I8 && d <= ASH_C_F64; }
static inline bool ash__is_integer(ash_dtype d) { return d >= ASH_I8 && d <= ASH_U64; }
static inline bool ash__is_signed(ash_dtype d) { return d >= ASH_I8 && d <= ASH_I64; }
static inline bool ash__is_float(ash_dtype d) { return d >= ASH_F16 && d <= ASH_F64; }
static inline bool ash__is_record(ash_dtype d) { return d >= ASH_RECORD_FIRST; }
/* The dtype of a complex number's parts; a real dtype is its own part. */
static inline ash_dtype ash__part(ash_dtype d) { return ash__is_complex(d) ? (ash_dtype)(d - ASH_C_I8 + ASH_I8) : d; }
static inline ash_dtype ash__complex_of(ash_dtype d)
{
    return d >= ASH_I8 && d <= ASH_F64 ? (ash_dtype)(d - ASH_I8 + ASH_C_I8) : d;
}
static inline ash_dtype ash__machine(ash_dtype real) { return real == ASH_F16 || real == ASH_BF16 ? ASH_F32 : real; }

/* The first f64 inside dtype: true, and its place, " (in c_f64)" or " (in particle.m)" or "" for f64 itself. */
bool ash__holds_f64(ash_dtype dtype, char *place, size_t size);
/* Bytes that an element's address must be a multiple of; 1 for no dtype. */
size_t ash__alignment_of(ash_dtype dtype);
/* As ash_dtype_field, but the place of one field by name: -1 when there is none. */
int64_t ash__field_number(ash_dtype record, const char *name);

/* f16 and bf16, rounded to nearest even; NaN stays NaN; from f64 in one rounding. */
uint16_t ash__f16_from_f64(double x) __attribute__((const));
uint16_t ash__bf16_from_f64(double x) __attribute__((const));
static inline float ash__bf16_to_f32(uint16_t h)
{
    const uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
float ash__f16_to_f32(uint16_t h) __attribute__((const));
#endif
