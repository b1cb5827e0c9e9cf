/* dtype.h - element types: names, sizes, promotion, and records. */
#ifndef ASHLAR_DTYPE_H
#define ASHLAR_DTYPE_H
#include "base.h"
ASH__BEGIN

/**
 * The name of a dtype.
 *
 * @param dtype  any number.
 * @return       "f32", "c_f64", a record's name; "?" for a number that is no dtype. Borrowed for the process's life.
 */
ASH_API const char *ash_dtype_name(ash_dtype dtype);

/**
 * The size of one element.
 *
 * Units   bytes.
 *
 * @param dtype  any number.
 * @return       the bytes; 0 for a number that is no dtype.
 */
ASH_API size_t ash_dtype_size(ash_dtype dtype);

/**
 * The dtype that holds both: bool < integers < floats; the wider within a kind, at equal width the unsigned one; an integer
 * with a float gives that float; f16 with bf16 gives f32; complex lifts its part. A rule of dtypes, never of values: i64 with
 * f32 is f32, though not every i64 is one.
 *
 * @param a, b  plain dtypes, in either order.
 * @return      the dtype; ASH_DTYPE_DEFAULT when there is none (records, numbers that are no dtype).
 */
ASH_API ash_dtype ash_dtype_promote(ash_dtype a, ash_dtype b);

/**
 * The plain dtype of a name, also "c64" and "c128".
 *
 * @param name  what ash_dtype_name answers.
 * @return      the dtype; ASH_DTYPE_DEFAULT when the name is unknown or NULL. Sets no error.
 */
ASH_API ash_dtype ash_dtype_from_name(const char *name);

/**
 * A dtype for a C struct. ASH_RECORD calls this; a binding may do so itself.
 *
 * Fields stand in order of offset, do not overlap, lie inside the record and are aligned as a C compiler aligns them, the
 * size included; records nest up to 16 deep. Equal descriptions, names included, get the same number. Descriptions live as long
 * as the process: there are at most 4096, of 1 to 1024 fields each. Any thread may call.
 *
 * @param name    copied, 1 to 255 bytes; what ash_dtype_name answers.
 * @param size    bytes of the struct with its padding, below 2^31.
 * @param fields  copied, names included (1 to 255 bytes, no two alike); count of a field from 1.
 * @param count   of fields.
 * @return        from ASH_RECORD_FIRST on; ASH_DTYPE_DEFAULT with ASH_ERR_ARGUMENT, ASH_ERR_DTYPE (of a field) or
 *                ASH_ERR_MEMORY.
 */
ASH_API ash_dtype ash_dtype_record(const char *name, size_t size, const ash_field_info *fields, int64_t count);

/**
 * How many fields a record has.
 *
 * @param dtype  any number.
 * @return       the count; 0 for a plain dtype and for a number that is no dtype.
 */
ASH_API int64_t ash_dtype_field_count(ash_dtype dtype);

/**
 * Describes one field of a record.
 *
 * @param dtype   a record.
 * @param number  of the field, from 0.
 * @param field   filled in; its name is borrowed for the process's life.
 * @return        false when there is no such field; sets no error.
 */
ASH_API bool ash_dtype_field(ash_dtype dtype, int64_t number, ash_field_info *field);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
/* Records: ASH_RECORD(particle, (f32, x, 3), (f64, m)); then the struct particle and particle_dtype(). Up to 16 fields. */
typedef bool ash__t_bool;
typedef bool ash__t__Bool; /* `bool` is a macro before C23 */
typedef int8_t ash__t_i8;
typedef int16_t ash__t_i16;
typedef int32_t ash__t_i32;
typedef int64_t ash__t_i64;
typedef uint8_t ash__t_u8;
typedef uint16_t ash__t_u16;
typedef uint32_t ash__t_u32;
typedef uint64_t ash__t_u64;
typedef struct ash__t_f16 { uint16_t bits; } ash__t_f16;
typedef struct ash__t_bf16 { uint16_t bits; } ash__t_bf16;
typedef float ash__t_f32;
typedef double ash__t_f64;
typedef ash_complex_f32 ash__t_c_f32;
typedef ash_complex_f64 ash__t_c_f64;
typedef ash_complex_f32 ash__t_c64;
typedef ash_complex_f64 ash__t_c128;
ASH__INLINE ash_dtype ash__dtype_bool(void) { return ASH_BOOL; }
ASH__INLINE ash_dtype ash__dtype__Bool(void) { return ASH_BOOL; }
ASH__INLINE ash_dtype ash__dtype_i8(void) { return ASH_I8; }
ASH__INLINE ash_dtype ash__dtype_i16(void) { return ASH_I16; }
ASH__INLINE ash_dtype ash__dtype_i32(void) { return ASH_I32; }
ASH__INLINE ash_dtype ash__dtype_i64(void) { return ASH_I64; }
ASH__INLINE ash_dtype ash__dtype_u8(void) { return ASH_U8; }
ASH__INLINE ash_dtype ash__dtype_u16(void) { return ASH_U16; }
ASH__INLINE ash_dtype ash__dtype_u32(void) { return ASH_U32; }
ASH__INLINE ash_dtype ash__dtype_u64(void) { return ASH_U64; }
ASH__INLINE ash_dtype ash__dtype_f16(void) { return ASH_F16; }
ASH__INLINE ash_dtype ash__dtype_bf16(void) { return ASH_BF16; }
ASH__INLINE ash_dtype ash__dtype_f32(void) { return ASH_F32; }
ASH__INLINE ash_dtype ash__dtype_f64(void) { return ASH_F64; }
ASH__INLINE ash_dtype ash__dtype_c_f32(void) { return ASH_C_F32; }
ASH__INLINE ash_dtype ash__dtype_c_f64(void) { return ASH_C_F64; }
ASH__INLINE ash_dtype ash__dtype_c64(void) { return ASH_C_F32; }
ASH__INLINE ash_dtype ash__dtype_c128(void) { return ASH_C_F64; }
#define ASH__MEMBER2(type, field) ASH__CAT(ash__t_, type) field;
#define ASH__MEMBER3(type, field, n) ASH__CAT(ash__t_, type) field[n];
#define ASH__MEMBER_(...) ASH__CAT(ASH__MEMBER, ASH__COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ASH__MEMBER(record, tuple) ASH__MEMBER_ tuple
#define ASH__DESCRIBE2(type, field) #field, ASH__CAT(ash__dtype_, type)(), offsetof(ash__record, field), 1
#define ASH__DESCRIBE3(type, field, n) #field, ASH__CAT(ash__dtype_, type)(), offsetof(ash__record, field), n
#define ASH__DESCRIBE_(...) ASH__CAT(ASH__DESCRIBE, ASH__COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ASH__DESCRIBE(record, tuple) {ASH__DESCRIBE_ tuple},
#define ASH_RECORD(name, ...)                                                                                          \
    typedef struct name { ASH__EACH(ASH__MEMBER, , __VA_ARGS__) } name;                                                \
    typedef name ash__t_##name;                                                                                        \
    ASH__INLINE ash_dtype name##_dtype(void)                                                                           \
    {                                                                                                                  \
        typedef name ash__record;                                                                                      \
        const ash_field_info fields[] = {ASH__EACH(ASH__DESCRIBE, , __VA_ARGS__)};                                     \
        return ash_dtype_record(#name, sizeof(name), fields, (int64_t)(sizeof fields / sizeof fields[0]));             \
    }                                                                                                                  \
    ASH__INLINE ash_dtype ash__dtype_##name(void) { return name##_dtype(); }                                           \
    _Static_assert(sizeof(name) > 0, "closes ASH_RECORD so that a semicolon may follow")
#endif
#endif
