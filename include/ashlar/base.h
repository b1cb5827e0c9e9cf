/*
 * base.h - the words of the interface: constants, plain structs, lists, operands, and the macros that make keywords.
 *
 * The rules behind the macros:
 *   keywords   f(a, .key = v)  is  f_opt(a, &(f_options){.key = v, .struct_size = sizeof(f_options)}).  The size stands
 *              last, so that there is always one variadic argument, and a positional value, which would fill the first
 *              member, collides with it and is reported by the compiler instead of being swallowed.
 *   lists      {0, __VA_ARGS__} + 1: a leading dummy makes the empty list legal C17; the count is a sizeof.
 *   operands   _Generic picks a constructor and the call applies it: only the chosen branch is type-checked.
 *   names      what a macro and a foreign-function interface both need is exported; macros call exported functions only.
 *
 * With ASHLAR_CDEF defined this header leaves types, constants and exported functions only, as cffi and the like parse.
 */
#ifndef ASHLAR_BASE_H
#define ASHLAR_BASE_H

#ifdef ASHLAR_CDEF
#define ASH_API
#define ASH__KEYWORDS
#define ASH__DEFAULT
#define ASH__BEGIN
#define ASH__END
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "lists.h"
#define ASH_API __attribute__((visibility("default")))
#if defined(__clang__) || defined(__cplusplus)
#define ASH__KEYWORDS
#else
#define ASH__KEYWORDS __attribute__((designated_init)) /* gcc: a positional option is a warning even without -Wall */
#endif
#ifdef __cplusplus
#define ASH__DEFAULT = nullptr
#define ASH__BEGIN extern "C" {
#define ASH__END }
#else
#define ASH__DEFAULT
#define ASH__BEGIN
#define ASH__END
#endif
#endif

ASH__BEGIN

/* ---- constants: a constant that an option may hold is never 0, for 0 means "not given" --------------------------------- */

/* Element types. Plain dtypes are numbered from 1 without gaps, records from ASH_RECORD_FIRST. */
typedef enum ash_dtype {
    ASH_DTYPE_DEFAULT = 0, /* f32 for a new array; the source's dtype for a copy */
    ASH_BOOL = 1,
    ASH_I8 = 2,
    ASH_I16 = 3,
    ASH_I32 = 4,
    ASH_I64 = 5,
    ASH_U8 = 6,
    ASH_U16 = 7,
    ASH_U32 = 8,
    ASH_U64 = 9,
    ASH_F16 = 10,
    ASH_BF16 = 11,
    ASH_F32 = 12,
    ASH_F64 = 13,
    ASH_C_I8 = 14, /* complex numbers: real part, then imaginary part */
    ASH_C_I16 = 15,
    ASH_C_I32 = 16,
    ASH_C_I64 = 17,
    ASH_C_U8 = 18,
    ASH_C_U16 = 19,
    ASH_C_U32 = 20,
    ASH_C_U64 = 21,
    ASH_C_F16 = 22,
    ASH_C_BF16 = 23,
    ASH_C_F32 = 24,
    ASH_C_F64 = 25,
    ASH_C64 = 24,  /* the usual names, by total width */
    ASH_C128 = 25,
    ASH_RECORD_FIRST = 256,
    ASH_DTYPE_LAST = 0x7fffffff
} ash_dtype;

typedef enum ash_layout {
    ASH_LAYOUT_DEFAULT = 0,
    ASH_ROW_MAJOR = 1, /* the last axis varies fastest */
    ASH_COL_MAJOR = 2, /* the first axis varies fastest */
    ASH_STRIDED = 3    /* neither; only ever reported */
} ash_layout;

typedef enum ash_storage {
    ASH_STORAGE_DEFAULT = 0,
    ASH_SHARED = 1, /* the host may read and write elements */
    ASH_PRIVATE = 2 /* host element access is an error; copies work */
} ash_storage;

typedef enum ash_status {
    ASH_OK = 0,
    ASH_ERR_ARGUMENT = 1,
    ASH_ERR_SHAPE = 2,
    ASH_ERR_DTYPE = 3,
    ASH_ERR_BOUNDS = 4,
    ASH_ERR_VALUE = 5,
    ASH_ERR_MEMORY = 6,
    ASH_ERR_DEVICE = 7,
    ASH_ERR_UNSUPPORTED = 8,
    ASH_ERR_SCALAR_ACCESS = 9,
    ASH_ERR_RELEASED = 10,
    ASH_ERR_IO = 11,
    ASH_ERR_FORMAT = 12,
    ASH_ERR_INTERNAL = 13
} ash_status;

enum { ASH_MAX_RANK = 32 };

typedef struct ash_array ash_array;
typedef struct ash_device ash_device;
typedef struct ash_resources ash_resources;
typedef struct ash_function ash_function;
typedef struct ash_memory ash_memory;
typedef struct ash_tree ash_tree;

/* ---- plain structs: layout and numbers are fixed ------------------------------------------------------------------------ */

/* Borrowed lists: pointer and count, 16 bytes, passed by value. A compound literal lives until its block ends. */
typedef struct ash_dims {
    const int64_t *size; /* NULL with rank 0 in an option: not given */
    int64_t rank;        /* 0: one element, no axes */
} ash_dims;

typedef struct ash_axes {
    const int64_t *axis; /* NULL: not given, which is all axes; each from -rank to rank - 1 */
    int64_t count;       /* 0 with axis not NULL: no axis at all */
} ash_axes;

typedef struct ash_arrays {
    const ash_array *const *array;
    int64_t count;
} ash_arrays;

typedef struct ash_complex_f32 {
    float re, im;
} ash_complex_f32;

typedef struct ash_complex_f64 {
    double re, im;
} ash_complex_f64;

/* An array, or a scalar with the dtype of its C type. Kind 0 is "not given", so that an option can tell a missing operand
 * from one that failed to be made. Exported functions take operands through pointers. */
typedef enum ash_operand_kind { ASH_OPERAND_NONE = 0, ASH_OPERAND_ARRAY = 1, ASH_OPERAND_SCALAR = 2 } ash_operand_kind;
typedef struct ash_operand {
    ash_operand_kind kind;
    ash_dtype dtype; /* of a scalar; ASH_DTYPE_DEFAULT for an array */
    union ash_operand_value {
        const ash_array *array;
        int64_t i;   /* bool and integers; u64 by its bits */
        double f;    /* f16, bf16, f32, f64 */
        double c[2]; /* complex of floats: real part, imaginary part */
    } value;
} ash_operand;

typedef struct ash_operands {
    const ash_operand *operand;
    int64_t count;
} ash_operands;

/* One entry of ash_view and ash_index: a whole axis, an integer (drops the axis), a range of either direction, a new axis; of
 * ash_index alone: an array of indices, or a mask. */
typedef enum ash_index_kind {
    ASH_INDEX_ALL = 0,
    ASH_INDEX_AT = 1,
    ASH_INDEX_RANGE = 2,
    ASH_INDEX_NEW = 3,
    ASH_INDEX_ARRAY = 4
} ash_index_kind;
typedef struct ash_index {
    ash_index_kind kind;
    int64_t start, stop, step;
    const ash_array *array; /* ASH_INDEX_ARRAY: borrowed */
} ash_index;

/* next: 1 and *element filled; 0 at the end; -1 to give up (ash_collect then fails). */
typedef struct ash_iterator {
    int (*next)(void *state, ash_operand *element);
    void *state;
    int64_t length; /* elements to come; -1 when it is not known */
} ash_iterator;

typedef struct ash_row {
    const void *data;
    ash_dtype dtype;
    int64_t count;
} ash_row;

typedef struct ash_rows {
    const ash_row *row;
    int64_t count;
} ash_rows;

typedef struct ash_field_info {
    const char *name;
    ash_dtype dtype;
    size_t offset; /* bytes from the start of the record */
    int64_t count; /* 1, or the length of an inner array */
} ash_field_info;

ASH__END

#ifndef ASHLAR_CDEF

#define ASH__INLINE static inline __attribute__((unused)) /* clang reports an unused one when a header is checked alone */
#define ASH_INFER (-1)     /* in a shape: compute this size */
#define ASH_OPEN INT64_MIN /* in a range: from the first, or through the last, element in the direction of the step */

ASH__INLINE ash_operand ash_operand_array(const ash_array *a)
{
    ash_operand o;
    o.kind = ASH_OPERAND_ARRAY;
    o.dtype = ASH_DTYPE_DEFAULT;
    o.value.c[1] = 0;
    o.value.array = a;
    return o;
}
ASH__INLINE ash_operand ash_operand_integer(ash_dtype dtype, int64_t x)
{
    ash_operand o;
    o.kind = ASH_OPERAND_SCALAR;
    o.dtype = dtype;
    o.value.c[1] = 0;
    o.value.i = x;
    return o;
}
ASH__INLINE ash_operand ash_operand_float(ash_dtype dtype, double x)
{
    ash_operand o;
    o.kind = ASH_OPERAND_SCALAR;
    o.dtype = dtype;
    o.value.c[1] = 0;
    o.value.f = x;
    return o;
}
ASH__INLINE ash_operand ash_operand_complex(ash_dtype dtype, double re, double im)
{
    ash_operand o;
    o.kind = ASH_OPERAND_SCALAR;
    o.dtype = dtype;
    o.value.c[0] = re;
    o.value.c[1] = im;
    return o;
}
ASH__INLINE ash_operand ash_operand_same(ash_operand x) { return x; }
ASH__INLINE ash_operand ash_operand_bool(bool x) { return ash_operand_integer(ASH_BOOL, x); }
ASH__INLINE ash_operand ash_operand_i8(int8_t x) { return ash_operand_integer(ASH_I8, x); }
ASH__INLINE ash_operand ash_operand_i16(int16_t x) { return ash_operand_integer(ASH_I16, x); }
ASH__INLINE ash_operand ash_operand_i32(int32_t x) { return ash_operand_integer(ASH_I32, x); }
ASH__INLINE ash_operand ash_operand_i64(int64_t x) { return ash_operand_integer(ASH_I64, x); }
ASH__INLINE ash_operand ash_operand_u8(uint8_t x) { return ash_operand_integer(ASH_U8, x); }
ASH__INLINE ash_operand ash_operand_u16(uint16_t x) { return ash_operand_integer(ASH_U16, x); }
ASH__INLINE ash_operand ash_operand_u32(uint32_t x) { return ash_operand_integer(ASH_U32, x); }
ASH__INLINE ash_operand ash_operand_u64(uint64_t x) { return ash_operand_integer(ASH_U64, (int64_t)x); }
ASH__INLINE ash_operand ash_operand_f32(float x) { return ash_operand_float(ASH_F32, (double)x); }
ASH__INLINE ash_operand ash_operand_f64(double x) { return ash_operand_float(ASH_F64, x); }
/* the dtype of C's long follows its size on this platform */
ASH__INLINE ash_operand ash__operand_long(long x) { return ash_operand_integer(sizeof x == 8 ? ASH_I64 : ASH_I32, x); }
ASH__INLINE ash_operand ash__operand_ulong(unsigned long x)
{
    return ash_operand_integer(sizeof x == 8 ? ASH_U64 : ASH_U32, (int64_t)x);
}
ASH__INLINE ash_operand ash__operand_llong(long long x) { return ash_operand_integer(ASH_I64, x); }
ASH__INLINE ash_operand ash__operand_ullong(unsigned long long x) { return ash_operand_integer(ASH_U64, (int64_t)x); }

ASH__INLINE ash_index ash__index(ash_index_kind kind, int64_t start, int64_t stop, int64_t step)
{
    ash_index x;
    x.kind = kind;
    x.start = start;
    x.stop = stop;
    x.step = step;
    x.array = NULL;
    return x;
}
ASH__INLINE ash_index ash_index_at(int64_t i) { return ash__index(ASH_INDEX_AT, i, 0, 1); }
ASH__INLINE ash_index ash_index_range(int64_t start, int64_t stop, int64_t step)
{
    return ash__index(ASH_INDEX_RANGE, start, stop, step);
}
ASH__INLINE ash_index ash_index_all(void) { return ash__index(ASH_INDEX_ALL, 0, 0, 1); }
ASH__INLINE ash_index ash_index_new(void) { return ash__index(ASH_INDEX_NEW, 0, 0, 1); }
ASH__INLINE ash_index ash_index_array(const ash_array *a)
{
    ash_index x = ash__index(ASH_INDEX_ARRAY, 0, 0, 1);
    x.array = a;
    return x;
}
ASH__INLINE ash_index ash_index_same(ash_index x) { return x; }

/* Checked as assert is: unless NDEBUG is defined. What holds is the value where a type is declared. */
#ifndef ASH_CHECK_BOUNDS
#ifdef NDEBUG
#define ASH_CHECK_BOUNDS 0
#else
#define ASH_CHECK_BOUNDS 1
#endif
#endif


#ifdef __cplusplus

/* An options struct with its size set: auto o = ash_options<ash_map_options>(); o.layout = ASH_COL_MAJOR; */
template <class Options> inline Options ash_options()
{
    Options o = Options();
    o.struct_size = sizeof o;
    return o;
}

#else
/* ---- for C only ------------------------------------------------------------------------------------------------------- */

/* Lists. */
#define ASH__LIST(T, ...) (const T[]){0, __VA_ARGS__} + 1, (int64_t)(sizeof((const T[]){0, __VA_ARGS__}) / sizeof(T)) - 1
#define ASH_SHAPE(...) ((ash_dims){ASH__LIST(int64_t, __VA_ARGS__)})
#define ASH_AXES(...) ((ash_axes){ASH__LIST(int64_t, __VA_ARGS__)})
#define ASH_ALL_AXES ((ash_axes){0, 0})
#define ASH_ARRAYS(...)                                \
    ((ash_arrays){(const ash_array *const[]){__VA_ARGS__}, \
                  (int64_t)(sizeof((const ash_array *const[]){__VA_ARGS__}) / sizeof(const ash_array *))})

/* Operands. `char` is left out on purpose: its sign is the platform's. */
#define ASH_OPERAND(x)                                                                                                   \
    _Generic((x), ash_array *: ash_operand_array, const ash_array *: ash_operand_array, ash_operand: ash_operand_same,   \
             bool: ash_operand_bool, signed char: ash_operand_i8, short: ash_operand_i16, int: ash_operand_i32,          \
             long: ash__operand_long, long long: ash__operand_llong, unsigned char: ash_operand_u8,                      \
             unsigned short: ash_operand_u16, unsigned: ash_operand_u32, unsigned long: ash__operand_ulong,              \
             unsigned long long: ash__operand_ullong, float: ash_operand_f32, double: ash_operand_f64,                   \
             float _Complex: ash__operand_c_f32, double _Complex: ash__operand_c_f64)(x)

ASH__INLINE ash_operand ash__operand_c_f32(float _Complex x)
{
    const float *part = (const float *)&x; /* C17 6.2.5: a complex number is an array of two of its real type */
    return ash_operand_complex(ASH_C_F32, (double)part[0], (double)part[1]);
}
ASH__INLINE ash_operand ash__operand_c_f64(double _Complex x)
{
    const double *part = (const double *)&x;
    return ash_operand_complex(ASH_C_F64, part[0], part[1]);
}

#define ASH__OPERAND_ITEM(c, x) ASH_OPERAND(x),
#define ASH_OPERANDS(...) \
    ((ash_operands){(const ash_operand[]){ASH__EACH(ASH__OPERAND_ITEM, , __VA_ARGS__)}, ASH__COUNT(__VA_ARGS__)})

#define ASH_INDEX(x)                                                                                                   \
    _Generic((x), ash_index: ash_index_same, int: ash_index_at, long: ash_index_at, long long: ash_index_at,           \
             ash_array *: ash_index_array, const ash_array *: ash_index_array)(x)
#define ASH__INDEX_ITEM(c, x) ASH_INDEX(x),
/* Two arguments, the items and their count: ash_index_with(a, ASH_INDICES(1, ASH_ALL), .resources = r) */
#define ASH_INDICES(...) ((const ash_index[]){ASH__EACH(ASH__INDEX_ITEM, , __VA_ARGS__)}), ASH__COUNT(__VA_ARGS__)
#define ASH_ALL ash_index_all()
#define ASH_NEW_AXIS ash_index_new()
#define ASH__RANGE2(start, stop) ash_index_range(start, stop, 1)
#define ASH__RANGE3(start, stop, step) ash_index_range(start, stop, step)
#define ASH_RANGE(...) ASH__CAT(ASH__RANGE, ASH__COUNT(__VA_ARGS__))(__VA_ARGS__)

/* Keywords: ASH__KW1(f, T, a, keywords...) is f(a, &(T){keywords...}); the macros append .struct_size. */
#define ASH_SIZED(T) .struct_size = sizeof(T) /* for an options struct of one's own: T o = {.key = v, ASH_SIZED(T)}; */
#define ASH__FIRST(a, ...) a
#define ASH__OPTIONS(T, ...) (&(T){__VA_ARGS__})
#define ASH_OPTIONS(...) ASH__OPTIONS(__VA_ARGS__, ASH_SIZED(ASH__FIRST(__VA_ARGS__, ))) /* (ash_map_options, .key = v) */
#define ASH__KW0(f, T, ...) f(&(T){__VA_ARGS__})
#define ASH__KW1(f, T, a, ...) f(a, &(T){__VA_ARGS__})
#define ASH__KW2(f, T, a, b, ...) f(a, b, &(T){__VA_ARGS__})
#define ASH__KW3(f, T, a, b, c, ...) f(a, b, c, &(T){__VA_ARGS__})
#define ASH__KW4(f, T, a, b, c, d, ...) f(a, b, c, d, &(T){__VA_ARGS__})
#define ASH__KW6(f, T, a, b, c, d, e, g, ...) f(a, b, c, d, e, g, &(T){__VA_ARGS__})

/* A declaration whose end acts at the closing brace of its block, however the block is left (but by longjmp or exit). */
#define ASH__UNTIL_BRACE(name, end) int64_t name __attribute__((cleanup(end), unused))

#endif /* C only */
#endif /* not ASHLAR_CDEF */
#endif
