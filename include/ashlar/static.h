/*
 * static.h - arrays whose sizes, or some of them, are fixed at compile time. docs/static.md is the guide.
 *
 *     ASH_STATIC_ARRAY(state, double, ASH_COL_MAJOR, 5, 4, 4, 4, ASH_DYNAMIC);      u[variable, i, j, k, element]
 *     state u = state_new(100);                                                    only the dynamic sizes
 *     ASH_AT(state, &u, v, i, j, k, e) += 1;                                       an element
 *     double line[state_n1];                                                       sizes and strides are constants
 *     ash_array *a = state_array(&u);                                              the same memory, for everything else
 *     state_release(&u);
 *
 * The struct holds the address of the elements, the array that owns them, and the dynamic sizes; no static one, and no room for
 * one. Whether a size is ASH_DYNAMIC is found by pasting it behind ASH__DIM_, so that ASH_DYNAMIC and the layouts must not be
 * macros, and a size does not begin with a parenthesis or a sign: 5, N, 2 * N, not (5).
 *
 * Offsets are sums of index times stride in ptrdiff_t, the strides literals where the sizes are: gcc and clang then emit what
 * they emit for offsets written by hand, to the instruction (tests/check_static.sh). Horner's form costs gcc 9 % more.
 *
 * Two types mix nowhere, however equal their dimensions: they are two structs.
 */
#ifndef ASHLAR_STATIC_H
#define ASHLAR_STATIC_H
#include "adapt.h"
#include "array.h"
ASH__BEGIN

enum {
    ASH_DYNAMIC = -1,        /* a size that is known at run time only */
    ASH_STATIC_MAX_RANK = 8
};

/* What the functions below see of an array of a static type. */
typedef struct ash_static_view {
    const char *name; /* the type's: a message begins with it and the function's */
    ash_dtype dtype;
    ash_layout layout;
    size_t item;      /* bytes of an element, as the C type has them */
    int64_t rank;     /* 1 to 8 */
    int64_t fixed[8]; /* the sizes that belong to the type, ASH_DYNAMIC where one does not */
    int64_t size[8];  /* all sizes */
    void *data;       /* NULL: on memory that the host cannot read, or no elements at all */
    ash_array *owner; /* NULL: the memory is lent */
} ash_static_view;

/* ---- what stands behind the functions of a type; arrays that they return belong to the caller, whatever scopes are open */
/**
 * A new array whose elements are not initialised: NAME_new.
 *
 * Shape   view->size.
 * Dtype   view->dtype.
 *
 * @param view  name, dtype, item, layout, rank and sizes; its memory does not matter.
 * @return      a new array, the caller's; NULL with ASH_ERR_SHAPE (a negative size), ASH_ERR_DTYPE (also of another number of
 *              bytes than item), ASH_ERR_DEVICE or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_static_new(const ash_static_view *view);

/**
 * An array with the dtype and the layout of a static type: NAME_from.
 *
 * Shape   that of a, which the fixed sizes must agree with.
 * Dtype   view->dtype; converted as ash_from_host does.
 *
 * @param view  name, dtype, layout, rank and fixed sizes.
 * @param a     borrowed. One that has the dtype, is dense in the layout and may be written is not copied: the result is a.
 * @return      a new array, or a; the caller's. NULL with ASH_ERR_SHAPE, ASH_ERR_VALUE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT,
 *              ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_static_from(const ash_static_view *view, const ash_array *a);

/**
 * A new array of what an iterator gives, in row-major order of the indices: NAME_collect.
 *
 * Shape   the fixed sizes; a dynamic one is found from the number of elements, and there is at most one.
 * Dtype   view->dtype; converted as ash_from_host does.
 *
 * @param view      name, dtype, layout, rank and fixed sizes.
 * @param iterator  called until it returns 0.
 * @return          a new array, the caller's; NULL with ASH_ERR_SHAPE (another number of elements), ASH_ERR_ARGUMENT (two
 *                  dynamic sizes; the iterator gave up), ASH_ERR_VALUE, ASH_ERR_DTYPE or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_static_collect(const ash_static_view *view, const ash_iterator *iterator);

/**
 * The same into the memory of an array whose sizes are all known, without an allocation: NAME_collect of ASH_STATIC_VALUE.
 *
 * Exact   as ash_from_host.
 *
 * @param view      of the array; written.
 * @param iterator  called until it returns 0, or one element too many has come.
 * @return          ASH_OK; or, with all elements zero, ASH_ERR_SHAPE, ASH_ERR_ARGUMENT, ASH_ERR_VALUE or ASH_ERR_DTYPE.
 */
ASH_API ash_status ash_static_collect_into(const ash_static_view *view, const ash_iterator *iterator);

/**
 * Checks memory that is lent to a static type, and finds one size: NAME_wrap.
 *
 * @param view    name, dtype, rank, fixed sizes and data; a dynamic size that is ASH_INFER is filled in.
 * @param length  how many elements there are.
 * @return        ASH_OK; with view unchanged ASH_ERR_SHAPE (another number of elements), ASH_ERR_ARGUMENT (two sizes to infer,
 *                a negative length, data that is NULL or not aligned) or ASH_ERR_DTYPE.
 */
ASH_API ash_status ash_static_wrap(ash_static_view *view, int64_t length);

/**
 * An ordinary array over the memory: NAME_array.
 *
 * Shape   view->size.
 * Dtype   view->dtype.
 *
 * @param view  of the array.
 * @return      the owner, shared, or an array over the lent memory; its scope's or the caller's. NULL with ASH_ERR_ARGUMENT for
 *              an array that has no memory, or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_static_array(const ash_static_view *view);

/**
 * What ash_parent gives for the owner, or a vector over the lent memory: NAME_parent.
 *
 * Shape   that of the owner's parent, or a vector.
 * Dtype   that of the owner's parent, or view->dtype.
 *
 * @param view  of the array.
 * @return      an array, its scope's or the caller's; NULL with an error as from ash_static_array.
 */
ASH_API ash_array *ash_static_parent(const ash_static_view *view);

/**
 * A new array of the same sizes, where the owner's elements are, not initialised: NAME_like.
 *
 * Shape   view->size.
 * Dtype   view->dtype.
 *
 * @param view  of the array.
 * @return      a new array, the caller's; NULL with an error as from ash_static_new.
 */
ASH_API ash_array *ash_static_like(const ash_static_view *view);

/**
 * The same with the elements: NAME_copy.
 *
 * Shape   view->size.
 * Dtype   view->dtype.
 *
 * @param view  of the array.
 * @return      a new array, the caller's; NULL with an error as from ash_copy.
 */
ASH_API ash_array *ash_static_copy(const ash_static_view *view);

/**
 * The array where the target says: NAME_adapt. The dtype must stay.
 *
 * Shape   view->size.
 * Dtype   view->dtype.
 *
 * @param view    of the array.
 * @param target  as for ash_adapt; NULL for none.
 * @return        a new array, or the owner when it is so already; the caller's. NULL with ASH_ERR_DTYPE (the target asks for
 *                another one) or an error as from ash_adapt.
 */
ASH_API ash_array *ash_static_adapt(const ash_static_view *view, const ash_target *target);

/**
 * Copies all elements: NAME_copy_into.
 *
 * Shape   equal sizes.
 *
 * @param out  written; untouched after a failure.
 * @param a    borrowed; any overlap.
 * @return     ASH_OK, ASH_ERR_SHAPE, or an error as from ash_copy_into.
 */
ASH_API ash_status ash_static_copy_into(const ash_static_view *out, const ash_static_view *a);

/**
 * Copies all elements of an ordinary array: NAME_from of ASH_STATIC_VALUE.
 *
 * Shape   that of a must be out's.
 * Dtype   converted as ash_from_host does.
 *
 * @param out  written; untouched after a failure.
 * @param a    borrowed.
 * @return     ASH_OK, ASH_ERR_SHAPE, ASH_ERR_VALUE, or an error as from ash_copy_into.
 */
ASH_API ash_status ash_static_read(const ash_static_view *out, const ash_array *a);

/**
 * Stores one value into every element: NAME_fill.
 *
 * @param out    written.
 * @param value  one element of out's dtype.
 * @return       ASH_OK, or an error as from ash_fill.
 */
ASH_API ash_status ash_static_fill(const ash_static_view *out, const void *value);

/**
 * A function of one array, element by element, into one that is there: NAME_map_into. With more operands, or a compiled
 * function: ash_map_into(NAME_array(&u), function, ...).
 *
 * Shape   that of a must broadcast to out's.
 *
 * @param out       written; untouched after a failure.
 * @param function  the text of a function of one argument.
 * @param a         borrowed; any overlap with out.
 * @return          ASH_OK, or an error as from ash_map_into.
 */
ASH_API ash_status ash_static_map_into(const ash_static_view *out, const char *function, const ash_array *a);

/**
 * Uniform numbers of this thread's generator, in the order of the memory: NAME_rand.
 *
 * @param out  written.
 * @return     ASH_OK, or an error as from ash_rand_into.
 */
ASH_API ash_status ash_static_rand(const ash_static_view *out);

/**
 * The device that holds the elements: NAME_device.
 *
 * @param view  of the array.
 * @return      borrowed for the process's life; for lent memory the device that an array over it would have.
 */
ASH_API const ash_device *ash_static_device(const ash_static_view *view);

/**
 * The address of an array's elements for NAME_at: waits.
 *
 * @param a  borrowed; NULL gives NULL.
 * @return   good until a ends; NULL without an error for private storage, with one for the fault of work that a waited for.
 */
ASH_API void *ash_static_data(ash_array *a);

/* ---- an index out of bounds */
/* Told the index, the size and the axis; the axis is -1 for elements that the host cannot read. Does not return: longjmp, throw
 * or end the process. */
typedef void (*ash_bounds_handler)(int64_t index, int64_t size, int64_t axis);

/**
 * What is called, on any thread, when an element access that is checked is out of bounds, before the message and abort().
 *
 * @param handler  NULL for none, as at first.
 * @return         the handler before.
 */
ASH_API ash_bounds_handler ash_set_bounds_handler(ash_bounds_handler handler);

/**
 * The handler that ash_set_bounds_handler was given.
 *
 * @return  NULL when there is none.
 */
ASH_API ash_bounds_handler ash_get_bounds_handler(void);

ASH__END

#ifndef ASHLAR_CDEF
#include <stdlib.h>
#include <string.h>

/* Integers only, never the array, so that its fields stay in registers. inline: files that do not use it have no copy. */
__attribute__((cold, noreturn, unused)) static inline void ash__bounds_error(int64_t index, int64_t size, int64_t axis)
{
    const ash_bounds_handler handler = ash_get_bounds_handler();
    if (handler)
        handler(index, size, axis);
    if (axis < 0)
        fprintf(stderr, "the elements are in memory that the host cannot read\n");
    else
        fprintf(stderr, "index %lld is out of bounds for axis %lld of size %lld\n", (long long)index, (long long)axis,
                (long long)size);
    abort();
}

#define ASH__ALWAYS_INLINE static inline __attribute__((always_inline, unused))
/* Two comparisons of signed numbers: what a loop says of its counter, gcc knows of both, but not of one of unsigned numbers. */
#define ASH__BOUNDS(i, n, k)                                                                                                \
    ((ASH_CHECK_BOUNDS) && __builtin_expect((i) < 0 || (i) >= (n), 0) ? ash__bounds_error((i), (n), (k)) : (void)0)
#define ASH__HAS_DATA(data) ((ASH_CHECK_BOUNDS) && __builtin_expect(!(data), 0) ? ash__bounds_error(0, -1, -1) : (void)0)

#ifdef __cplusplus
#define ASH__STATIC_ASSERT static_assert
template <class T> struct ash__element;
#define ASH__ELEMENT(T, D)                                                                                                  \
    template <> struct ash__element<T> { static constexpr ash_dtype dtype = D; };
ASH__ELEMENT(bool, ASH_BOOL)
ASH__ELEMENT(signed char, ASH_I8)
ASH__ELEMENT(short, ASH_I16)
ASH__ELEMENT(int, ASH_I32)
ASH__ELEMENT(long, sizeof(long) == 8 ? ASH_I64 : ASH_I32)
ASH__ELEMENT(long long, ASH_I64)
ASH__ELEMENT(unsigned char, ASH_U8)
ASH__ELEMENT(unsigned short, ASH_U16)
ASH__ELEMENT(unsigned, ASH_U32)
ASH__ELEMENT(unsigned long, sizeof(long) == 8 ? ASH_U64 : ASH_U32)
ASH__ELEMENT(unsigned long long, ASH_U64)
ASH__ELEMENT(float, ASH_F32)
ASH__ELEMENT(double, ASH_F64)
ASH__ELEMENT(ash_complex_f32, ASH_C_F32)
ASH__ELEMENT(ash_complex_f64, ASH_C_F64)
#undef ASH__ELEMENT
#define ASH__ELEMENT_DTYPE(T) ash__element<T>::dtype
#else
#define ASH__STATIC_ASSERT _Static_assert
/* As ASH_OPERAND has them: `char` is left out, its sign is the platform's. */
#define ASH__ELEMENT_DTYPE(T)                                                                                               \
    ((ash_dtype)_Generic((T *)0, bool *: ASH_BOOL, signed char *: ASH_I8, short *: ASH_I16, int *: ASH_I32,                 \
                         long *: sizeof(long) == 8 ? ASH_I64 : ASH_I32, long long *: ASH_I64, unsigned char *: ASH_U8,      \
                         unsigned short *: ASH_U16, unsigned *: ASH_U32,                                                    \
                         unsigned long *: sizeof(long) == 8 ? ASH_U64 : ASH_U32, unsigned long long *: ASH_U64,             \
                         float *: ASH_F32, double *: ASH_F64, ash_complex_f32 *: ASH_C_F32, ash_complex_f64 *: ASH_C_F64,   \
                         float _Complex *: ASH_C_F32, double _Complex *: ASH_C_F64))
#endif

/* ---- dimensions, one by one: ASH__DIMS(m, c, d0, d1, ...) is m(c, 0, d0) m(c, 1, d1) ...; ASH__EIGHT goes on with the axes
 * that are not there, whose size is 1 */
#define ASH__9TH(a, b, c, d, e, f, g, h, i, ...) i
#define ASH__RANK(...) ASH__9TH(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define ASH__DIMS1(m, c, d0) m(c, 0, d0)
#define ASH__DIMS2(m, c, d0, d1) ASH__DIMS1(m, c, d0) m(c, 1, d1)
#define ASH__DIMS3(m, c, d0, d1, d2) ASH__DIMS2(m, c, d0, d1) m(c, 2, d2)
#define ASH__DIMS4(m, c, d0, d1, d2, d3) ASH__DIMS3(m, c, d0, d1, d2) m(c, 3, d3)
#define ASH__DIMS5(m, c, d0, d1, d2, d3, d4) ASH__DIMS4(m, c, d0, d1, d2, d3) m(c, 4, d4)
#define ASH__DIMS6(m, c, d0, d1, d2, d3, d4, d5) ASH__DIMS5(m, c, d0, d1, d2, d3, d4) m(c, 5, d5)
#define ASH__DIMS7(m, c, d0, d1, d2, d3, d4, d5, d6) ASH__DIMS6(m, c, d0, d1, d2, d3, d4, d5) m(c, 6, d6)
#define ASH__DIMS8(m, c, d0, d1, d2, d3, d4, d5, d6, d7) ASH__DIMS7(m, c, d0, d1, d2, d3, d4, d5, d6) m(c, 7, d7)
#define ASH__DIMS8_(...) ASH__DIMS8(__VA_ARGS__)
#define ASH__DIMS(m, c, ...) ASH__CAT(ASH__DIMS, ASH__RANK(__VA_ARGS__))(m, c, __VA_ARGS__)
#define ASH__ABSENT1 , 1, 1, 1, 1, 1, 1, 1
#define ASH__ABSENT2 , 1, 1, 1, 1, 1, 1
#define ASH__ABSENT3 , 1, 1, 1, 1, 1
#define ASH__ABSENT4 , 1, 1, 1, 1
#define ASH__ABSENT5 , 1, 1, 1
#define ASH__ABSENT6 , 1, 1
#define ASH__ABSENT7 , 1
#define ASH__ABSENT8
#define ASH__EIGHT(m, c, ...) ASH__DIMS8_(m, c, __VA_ARGS__ ASH__CAT(ASH__ABSENT, ASH__RANK(__VA_ARGS__)))

/* ASH__IS_DYNAMIC(d): 1 for ASH_DYNAMIC, else 0. ASH__ANY_DYNAMIC(d0, ...): 1 when one of them is. */
#define ASH__DIM_ASH_DYNAMIC ~, 1
#define ASH__2ND(a, b, ...) b
#define ASH__2ND_(...) ASH__2ND(__VA_ARGS__, 0, ~)
#define ASH__IS_DYNAMIC(d) ASH__2ND_(ASH__CAT_(ASH__DIM_, d))
#define ASH__MARK0
#define ASH__MARK1 , 1
#define ASH__MARK(c, k, d) ASH__CAT(ASH__MARK, ASH__IS_DYNAMIC(d))
#define ASH__ANY_DYNAMIC(...) ASH__2ND_(~ASH__DIMS(ASH__MARK, , __VA_ARGS__))

/* What a dimension adds: c is the name of the type, d the size. Of each pair, 0 is for a static one, 1 for a dynamic one. */
#define ASH__FOR_STATIC(what, d) ASH__CAT(what, ASH__IS_DYNAMIC(d))
#define ASH__ENUMERATOR(c, k, d) c##_n##k = (d),
#define ASH__SOUND0(d) &&(d) > 0
#define ASH__SOUND1(d)
#define ASH__SOUND(c, k, d) ASH__FOR_STATIC(ASH__SOUND, d)(d)
#define ASH__NTH_MEMBER0(k)
#define ASH__NTH_MEMBER1(k) int64_t n##k;
#define ASH__NTH_MEMBER(c, k, d) ASH__FOR_STATIC(ASH__NTH_MEMBER, d)(k)
#define ASH__TEXT0(d) #d
#define ASH__TEXT1(d) "*"
#define ASH__BEFORE0
#define ASH__BEFORE1 ", "
#define ASH__BEFORE2 ", "
#define ASH__BEFORE3 ", "
#define ASH__BEFORE4 ", "
#define ASH__BEFORE5 ", "
#define ASH__BEFORE6 ", "
#define ASH__BEFORE7 ", "
#define ASH__TEXT(c, k, d) ASH__BEFORE##k ASH__FOR_STATIC(ASH__TEXT, d)(d)
#define ASH__NTH0(c, k) c##_n##k
#define ASH__NTH1(c, k) self_->n##k
#define ASH__NTH(c, k, d) ASH__FOR_STATIC(ASH__NTH, d)(c, k)
#define ASH__LOCAL(c, k, d) const int64_t n_##k __attribute__((unused)) = ASH__NTH(c, k, d);
#define ASH__SIZE_IF(c, k, d) axis_ == k ? n_##k:
#define ASH__STRIDE_IF(c, k, d) axis_ == k ? t_##k:
#define ASH__FACTOR(c, k, d) *(uint64_t)n_##k
#define ASH__SIGN(c, k, d) | n_##k
#define ASH__INDEX(c, k, d) , ptrdiff_t i_##k
#define ASH__INDEX_NAME(c, k, d) , i_##k
#define ASH__CHECK(c, k, d) ASH__BOUNDS(i_##k, n_##k, k);
#define ASH__TERM(c, k, d) +i_##k *t_##k
#define ASH__VIEWED(c, k, d) view_.fixed[k] = c##_n##k, view_.size[k] = n_##k;
#define ASH__PARAMETER0(k)
#define ASH__PARAMETER1(k) , int64_t n_##k
#define ASH__PARAMETER(c, k, d) ASH__FOR_STATIC(ASH__PARAMETER, d)(k)
#define ASH__ARGUMENT0(k)
#define ASH__ARGUMENT1(k) , n_##k
#define ASH__ARGUMENT(c, k, d) ASH__FOR_STATIC(ASH__ARGUMENT, d)(k)
#define ASH__SET0(k, x)
#define ASH__SET1(k, x) self_.n##k = x;
#define ASH__SET_GIVEN(c, k, d) ASH__FOR_STATIC(ASH__SET, d)(k, n_##k)
#define ASH__SET_NONE(c, k, d) ASH__FOR_STATIC(ASH__SET, d)(k, -1)
#define ASH__SET_FOUND(c, k, d) ASH__FOR_STATIC(ASH__SET, d)(k, size_[k])

/* The dynamic sizes as a whole list of parameters, or of arguments. */
#define ASH__REST(a, ...) __VA_ARGS__
#define ASH__PARAMETERS0(...) void
#define ASH__PARAMETERS1(...) ASH__REST(__VA_ARGS__)
#define ASH__PARAMETERS(...)                                                                                                \
    ASH__CAT(ASH__PARAMETERS, ASH__ANY_DYNAMIC(__VA_ARGS__))(~ASH__DIMS(ASH__PARAMETER, , __VA_ARGS__))
#define ASH__ARGUMENTS0(...)
#define ASH__ARGUMENTS1(...) ASH__REST(__VA_ARGS__)
#define ASH__ARGUMENTS(...)                                                                                                 \
    ASH__CAT(ASH__ARGUMENTS, ASH__ANY_DYNAMIC(__VA_ARGS__))(~ASH__DIMS(ASH__ARGUMENT, , __VA_ARGS__))

/* The product of two sizes as an enumerator: ASH_DYNAMIC where one is dynamic, and where no int holds it. */
#define ASH__PRODUCT(a, b) ((a) < 0 || (b) < 0 || (a) > 0x7fffffff / ((b) + !(b)) ? -1 : (int)(a) * (int)(b))
#define ASH__STRIDES_ASH_COL_MAJOR(c)                                                                                       \
    c##_st0 = 1, c##_st1 = ASH__PRODUCT(c##_st0, c##_n0), c##_st2 = ASH__PRODUCT(c##_st1, c##_n1),                          \
    c##_st3 = ASH__PRODUCT(c##_st2, c##_n2), c##_st4 = ASH__PRODUCT(c##_st3, c##_n3),                                       \
    c##_st5 = ASH__PRODUCT(c##_st4, c##_n4), c##_st6 = ASH__PRODUCT(c##_st5, c##_n5),                                       \
    c##_st7 = ASH__PRODUCT(c##_st6, c##_n6)
#define ASH__STRIDES_ASH_ROW_MAJOR(c)                                                                                       \
    c##_st7 = 1, c##_st6 = ASH__PRODUCT(c##_st7, c##_n7), c##_st5 = ASH__PRODUCT(c##_st6, c##_n6),                          \
    c##_st4 = ASH__PRODUCT(c##_st5, c##_n5), c##_st3 = ASH__PRODUCT(c##_st4, c##_n4),                                       \
    c##_st2 = ASH__PRODUCT(c##_st3, c##_n3), c##_st1 = ASH__PRODUCT(c##_st2, c##_n2),                                       \
    c##_st0 = ASH__PRODUCT(c##_st1, c##_n1)
#define ASH__LAST_ASH_COL_MAJOR(c) ASH__PRODUCT(c##_st7, c##_n7)
#define ASH__LAST_ASH_ROW_MAJOR(c) ASH__PRODUCT(c##_st0, c##_n0)
/* The strides t_0 to t_7 of sizes n_0 to n_7; what the compiler knows of them is a literal. m is the product of two: an offset
 * is that of an element, so nothing overflows in it; the sizes of an empty array may have any product, which wraps. */
#define ASH__TIMES(a, b) (a) * (b)
#define ASH__WRAPS(a, b) (int64_t)((uint64_t)(a) * (uint64_t)(b))
#define ASH__STEP(k) const int64_t t_##k __attribute__((unused))
#define ASH__STEPS_ASH_COL_MAJOR(m)                                                                                         \
    ASH__STEP(0) = 1; ASH__STEP(1) = m(t_0, n_0); ASH__STEP(2) = m(t_1, n_1); ASH__STEP(3) = m(t_2, n_2);                   \
    ASH__STEP(4) = m(t_3, n_3); ASH__STEP(5) = m(t_4, n_4); ASH__STEP(6) = m(t_5, n_5); ASH__STEP(7) = m(t_6, n_6);
#define ASH__STEPS_ASH_ROW_MAJOR(m)                                                                                         \
    ASH__STEP(7) = 1; ASH__STEP(6) = m(t_7, n_7); ASH__STEP(5) = m(t_6, n_6); ASH__STEP(4) = m(t_5, n_5);                   \
    ASH__STEP(3) = m(t_4, n_4); ASH__STEP(2) = m(t_3, n_3); ASH__STEP(1) = m(t_2, n_2); ASH__STEP(0) = m(t_1, n_1);

/* ---- what both kinds of types have: constants, then sizes, strides, offsets, and the view of the library */
#define ASH__STATIC_CONSTANTS(NAME, T, LAYOUT, ...)                                                                         \
    ASH__STATIC_ASSERT(1 ASH__DIMS(ASH__SOUND, , __VA_ARGS__), #NAME ": a static size is at least 1");                      \
    enum {                                                                                                                  \
        NAME##_rank = ASH__RANK(__VA_ARGS__),                                                                               \
        NAME##_layout = (int)(LAYOUT),                                                                                      \
        ASH__EIGHT(ASH__ENUMERATOR, NAME, __VA_ARGS__)                                                                      \
        ASH__CAT_(ASH__STRIDES_, LAYOUT)(NAME),                                                                             \
        NAME##_count = ASH__CAT_(ASH__LAST_, LAYOUT)(NAME)                                                                  \
    };                                                                                                                      \
    __attribute__((unused)) static const char NAME##_dims[] = "(" ASH__DIMS(ASH__TEXT, , __VA_ARGS__) ")"

#define ASH__STATIC_FUNCTIONS(NAME, T, DTYPE, LAYOUT, DATA, OWNER, ...)                                                     \
    typedef T NAME##_element;                                                                                               \
    ASH__ALWAYS_INLINE int64_t NAME##_size(const NAME *self_, int64_t axis_)                                                \
    {                                                                                                                       \
        (void)self_;                                                                                                        \
        ASH__DIMS(ASH__LOCAL, NAME, __VA_ARGS__)                                                                            \
        return ASH__DIMS(ASH__SIZE_IF, NAME, __VA_ARGS__) - 1;                                                              \
    }                                                                                                                       \
    ASH__ALWAYS_INLINE int64_t NAME##_stride(const NAME *self_, int64_t axis_)                                              \
    {                                                                                                                       \
        (void)self_;                                                                                                        \
        ASH__EIGHT(ASH__LOCAL, NAME, __VA_ARGS__)                                                                           \
        ASH__CAT_(ASH__STEPS_, LAYOUT)(ASH__WRAPS)                                                                          \
        return ASH__DIMS(ASH__STRIDE_IF, NAME, __VA_ARGS__) - 1;                                                            \
    }                                                                                                                       \
    ASH__ALWAYS_INLINE int64_t NAME##_length(const NAME *self_)                                                             \
    {                                                                                                                       \
        (void)self_;                                                                                                        \
        ASH__DIMS(ASH__LOCAL, NAME, __VA_ARGS__)                                                                            \
        return (0 ASH__DIMS(ASH__SIGN, NAME, __VA_ARGS__)) < 0 ? -1 : (int64_t)(1 ASH__DIMS(ASH__FACTOR, NAME, __VA_ARGS__));\
    }                                                                                                                       \
    ASH__ALWAYS_INLINE ptrdiff_t NAME##_offset(const NAME *self_ ASH__DIMS(ASH__INDEX, , __VA_ARGS__))                      \
    {                                                                                                                       \
        (void)self_;                                                                                                        \
        ASH__EIGHT(ASH__LOCAL, NAME, __VA_ARGS__)                                                                           \
        ASH__DIMS(ASH__CHECK, NAME, __VA_ARGS__)                                                                            \
        ASH__CAT_(ASH__STEPS_, LAYOUT)(ASH__TIMES)                                                                          \
        return 0 ASH__DIMS(ASH__TERM, NAME, __VA_ARGS__);                                                                   \
    }                                                                                                                       \
    ASH__ALWAYS_INLINE T *NAME##_at(const NAME *self_ ASH__DIMS(ASH__INDEX, , __VA_ARGS__))                                 \
    {                                                                                                                       \
        ASH__HAS_DATA(DATA);                                                                                                \
        return (T *)DATA + NAME##_offset(self_ ASH__DIMS(ASH__INDEX_NAME, , __VA_ARGS__));                                  \
    }                                                                                                                       \
    ASH__INLINE ash_dtype NAME##_dtype(void) { return DTYPE; }                                                              \
    ASH__INLINE ash_static_view NAME##_view(const NAME *self_)                                                              \
    {                                                                                                                       \
        ash_static_view view_;                                                                                              \
        ASH__EIGHT(ASH__LOCAL, NAME, __VA_ARGS__)                                                                           \
        view_.name = #NAME;                                                                                                 \
        view_.dtype = NAME##_dtype();                                                                                       \
        view_.layout = LAYOUT;                                                                                              \
        view_.item = sizeof(T);                                                                                             \
        view_.rank = NAME##_rank;                                                                                           \
        ASH__EIGHT(ASH__VIEWED, NAME, __VA_ARGS__)                                                                          \
        view_.data = (void *)DATA;                                                                                          \
        view_.owner = OWNER;                                                                                                \
        return view_;                                                                                                       \
    }

/* What needs the view alone. */
#define ASH__STATIC_OPERATIONS(NAME, T)                                                                                     \
    ASH__INLINE ash_array *NAME##_array(const NAME *self_)                                                                  \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return ash_static_array(&view_);                                                                                    \
    }                                                                                                                       \
    ASH__INLINE ash_array *NAME##_parent(const NAME *self_)                                                                 \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return ash_static_parent(&view_);                                                                                   \
    }                                                                                                                       \
    ASH__INLINE const ash_device *NAME##_device(const NAME *self_)                                                          \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return ash_static_device(&view_);                                                                                   \
    }                                                                                                                       \
    ASH__INLINE ash_status NAME##_copy_into(NAME *self_, const NAME *from_)                                                 \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_), source_ = NAME##_view(from_);                                     \
        return ash_static_copy_into(&view_, &source_);                                                                      \
    }                                                                                                                       \
    ASH__INLINE ash_status NAME##_fill(NAME *self_, T value_)                                                               \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return ash_static_fill(&view_, &value_);                                                                            \
    }                                                                                                                       \
    ASH__INLINE ash_status NAME##_rand(NAME *self_)                                                                         \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return ash_static_rand(&view_);                                                                                     \
    }                                                                                                                       \
    ASH__INLINE ash_status NAME##_map_into(NAME *self_, const char *function_, const ash_array *a_)                         \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return ash_static_map_into(&view_, function_, a_);                                                                  \
    }

/* What needs NAME_view, NAME__none and NAME__own. */
#define ASH__STATIC_OWNERS(NAME, T)                                                                                         \
    ASH__INLINE NAME NAME##_from(const ash_array *a_)                                                                       \
    {                                                                                                                       \
        const NAME none_ = NAME##__none();                                                                                  \
        const ash_static_view view_ = NAME##_view(&none_);                                                                  \
        return NAME##__own(ash_static_from(&view_, a_));                                                                    \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_collect(const ash_iterator *iterator_)                                                          \
    {                                                                                                                       \
        const NAME none_ = NAME##__none();                                                                                  \
        const ash_static_view view_ = NAME##_view(&none_);                                                                  \
        return NAME##__own(ash_static_collect(&view_, iterator_));                                                          \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_like(const NAME *self_)                                                                         \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return NAME##__own(ash_static_like(&view_));                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_copy(const NAME *self_)                                                                         \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return NAME##__own(ash_static_copy(&view_));                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_adapt(const NAME *self_, const ash_target *target_)                                             \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        return NAME##__own(ash_static_adapt(&view_, target_));                                                              \
    }                                                                                                                       \
    ASH__INLINE void NAME##_release(NAME *self_)                                                                            \
    {                                                                                                                       \
        const ash_static_view view_ = NAME##_view(self_);                                                                   \
        ash_release(view_.owner);                                                                                           \
        *self_ = NAME##__none();                                                                                            \
    }

/**
 * Declares a type NAME: an address, an owner, and the dynamic sizes. docs/static.md lists what it has.
 *
 * @param NAME    of the struct; all its functions and constants begin with it.
 * @param T       the C type of an element: a number that operands may be, or a complex one.
 * @param LAYOUT  ASH_ROW_MAJOR or ASH_COL_MAJOR.
 * @param ...     1 to 8 sizes: integer constant expressions from 1 on, or ASH_DYNAMIC.
 */
#define ASH_STATIC_ARRAY(NAME, T, LAYOUT, ...) ASH_STATIC_ARRAY_OF(NAME, T, ASH__ELEMENT_DTYPE(T), LAYOUT, __VA_ARGS__)

/* The same where the dtype does not follow from the C type: records, with particle_dtype(), and uint16_t for ASH_F16. */
#define ASH_STATIC_ARRAY_OF(NAME, T, DTYPE, LAYOUT, ...)                                                                    \
    ASH__STATIC_CONSTANTS(NAME, T, LAYOUT, __VA_ARGS__);                                                                    \
    typedef struct NAME {                                                                                                   \
        T *data;                                                                                                            \
        ash_array *owner;                                                                                                   \
        ASH__DIMS(ASH__NTH_MEMBER, , __VA_ARGS__)                                                                           \
    } NAME;                                                                                                                 \
    ASH__STATIC_FUNCTIONS(NAME, T, DTYPE, LAYOUT, self_->data, self_->owner, __VA_ARGS__)                                   \
    ASH__STATIC_OPERATIONS(NAME, T)                                                                                         \
    ASH__ALWAYS_INLINE NAME NAME##_shape(ASH__PARAMETERS(__VA_ARGS__))                                                      \
    {                                                                                                                       \
        NAME self_;                                                                                                         \
        self_.data = NULL;                                                                                                  \
        self_.owner = NULL;                                                                                                 \
        ASH__DIMS(ASH__SET_GIVEN, NAME, __VA_ARGS__)                                                                        \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__none(void)                                                                                     \
    {                                                                                                                       \
        NAME self_;                                                                                                         \
        self_.data = NULL;                                                                                                  \
        self_.owner = NULL;                                                                                                 \
        ASH__DIMS(ASH__SET_NONE, NAME, __VA_ARGS__)                                                                         \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__over(void *data_, ash_array *owner_, const int64_t *size_)                                     \
    {                                                                                                                       \
        NAME self_;                                                                                                         \
        (void)size_;                                                                                                        \
        self_.data = (T *)data_;                                                                                            \
        self_.owner = owner_;                                                                                               \
        ASH__DIMS(ASH__SET_FOUND, NAME, __VA_ARGS__)                                                                        \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__own(ash_array *a_)                                                                             \
    {                                                                                                                       \
        return a_ ? NAME##__over(ash_static_data(a_), a_, ash_shape(a_)) : NAME##__none();                                  \
    }                                                                                                                       \
    ASH__STATIC_OWNERS(NAME, T)                                                                                             \
    ASH__INLINE NAME NAME##_new(ASH__PARAMETERS(__VA_ARGS__))                                                               \
    {                                                                                                                       \
        const NAME shape_ = NAME##_shape(ASH__ARGUMENTS(__VA_ARGS__));                                                      \
        const ash_static_view view_ = NAME##_view(&shape_);                                                                 \
        return NAME##__own(ash_static_new(&view_));                                                                         \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_wrap(T *data_, int64_t length_ ASH__DIMS(ASH__PARAMETER, , __VA_ARGS__))                        \
    {                                                                                                                       \
        const NAME shape_ = NAME##_shape(ASH__ARGUMENTS(__VA_ARGS__));                                                      \
        ash_static_view view_ = NAME##_view(&shape_);                                                                       \
        view_.data = data_;                                                                                                 \
        return ash_static_wrap(&view_, length_) ? NAME##__none() : NAME##__over(data_, NULL, view_.size);                   \
    }                                                                                                                       \
    ASH__STATIC_ASSERT(sizeof(NAME) > 0, "closes the declaration so that a semicolon may follow")

/**
 * Declares the type NAME with the dimensions and the layout of another one, and an element type of its own.
 *
 * @param NAME   of the struct.
 * @param T      the C type of an element.
 * @param OTHER  a type declared by ASH_STATIC_ARRAY.
 */
#define ASH_STATIC_ARRAY_LIKE(NAME, T, OTHER)                                                                               \
    enum {                                                                                                                  \
        NAME##_rank = (int)OTHER##_rank, NAME##_layout = (int)OTHER##_layout, NAME##_count = (int)OTHER##_count,            \
        NAME##_n0 = (int)OTHER##_n0, NAME##_n1 = (int)OTHER##_n1, NAME##_n2 = (int)OTHER##_n2, NAME##_n3 = (int)OTHER##_n3, \
        NAME##_n4 = (int)OTHER##_n4, NAME##_n5 = (int)OTHER##_n5, NAME##_n6 = (int)OTHER##_n6, NAME##_n7 = (int)OTHER##_n7, \
        NAME##_st0 = (int)OTHER##_st0, NAME##_st1 = (int)OTHER##_st1, NAME##_st2 = (int)OTHER##_st2,                        \
        NAME##_st3 = (int)OTHER##_st3, NAME##_st4 = (int)OTHER##_st4, NAME##_st5 = (int)OTHER##_st5,                        \
        NAME##_st6 = (int)OTHER##_st6, NAME##_st7 = (int)OTHER##_st7                                                        \
    };                                                                                                                      \
    __attribute__((unused)) static const char *const NAME##_dims = OTHER##_dims;                                            \
    typedef T NAME##_element;                                                                                               \
    typedef struct NAME {                                                                                                   \
        union { /* the same but for what data_ points to: the dynamic sizes are like.n0 and so on */                        \
            T *data;                                                                                                        \
            OTHER like;                                                                                                     \
        };                                                                                                                  \
    } NAME;                                                                                                                 \
    ASH__ALWAYS_INLINE int64_t NAME##_size(const NAME *self_, int64_t axis_) { return OTHER##_size(&self_->like, axis_); }  \
    ASH__ALWAYS_INLINE int64_t NAME##_stride(const NAME *self_, int64_t axis_) { return OTHER##_stride(&self_->like, axis_); }\
    ASH__ALWAYS_INLINE int64_t NAME##_length(const NAME *self_) { return OTHER##_length(&self_->like); }                    \
    ASH__INLINE ash_dtype NAME##_dtype(void) { return ASH__ELEMENT_DTYPE(T); }                                              \
    ASH__INLINE ash_static_view NAME##_view(const NAME *self_)                                                              \
    {                                                                                                                       \
        ash_static_view view_ = OTHER##_view(&self_->like);                                                                 \
        view_.name = #NAME;                                                                                                 \
        view_.item = sizeof(T);                                                                                             \
        view_.dtype = NAME##_dtype();                                                                                       \
        return view_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__none(void)                                                                                     \
    {                                                                                                                       \
        NAME self_;                                                                                                         \
        self_.like = OTHER##__none();                                                                                       \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__over(void *data_, ash_array *owner_, const int64_t *size_)                                     \
    {                                                                                                                       \
        NAME self_;                                                                                                         \
        self_.like = OTHER##__over(data_, owner_, size_);                                                                   \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__own(ash_array *a_)                                                                             \
    {                                                                                                                       \
        return a_ ? NAME##__over(ash_static_data(a_), a_, ash_shape(a_)) : NAME##__none();                                  \
    }                                                                                                                       \
    ASH__STATIC_OPERATIONS(NAME, T)                                                                                         \
    ASH__STATIC_OWNERS(NAME, T)                                                                                             \
    ASH__LIKE_LISTS(NAME, T, OTHER)                                                                                         \
    ASH__STATIC_ASSERT(sizeof(NAME) == sizeof(OTHER), #NAME " is laid out as " #OTHER)

/* The functions with a parameter for each axis, or for each dynamic size. The preprocessor does not know how many OTHER has: C
 * makes one function for each number, and picks by the type of OTHER's; C++ has lists of parameters. */
#ifdef __cplusplus
#define ASH__LIKE_LISTS(NAME, T, OTHER)                                                                                     \
    template <class... Index> ASH__ALWAYS_INLINE ptrdiff_t NAME##_offset(const NAME *self_, Index... i_)                    \
    {                                                                                                                       \
        return OTHER##_offset(&self_->like, i_...);                                                                         \
    }                                                                                                                       \
    template <class... Index> ASH__ALWAYS_INLINE T *NAME##_at(const NAME *self_, Index... i_)                               \
    {                                                                                                                       \
        ASH__HAS_DATA(self_->data);                                                                                         \
        return self_->data + OTHER##_offset(&self_->like, i_...);                                                           \
    }                                                                                                                       \
    template <class... Size> ASH__ALWAYS_INLINE NAME NAME##_shape(Size... n_)                                               \
    {                                                                                                                       \
        NAME self_;                                                                                                         \
        self_.like = OTHER##_shape(n_...);                                                                                  \
        return self_;                                                                                                       \
    }                                                                                                                       \
    template <class... Size> inline NAME NAME##_new(Size... n_)                                                             \
    {                                                                                                                       \
        const NAME shape_ = NAME##_shape(n_...);                                                                            \
        const ash_static_view view_ = NAME##_view(&shape_);                                                                 \
        return NAME##__own(ash_static_new(&view_));                                                                         \
    }                                                                                                                       \
    template <class... Size> inline NAME NAME##_wrap(T *data_, int64_t length_, Size... n_)                                 \
    {                                                                                                                       \
        const NAME shape_ = NAME##_shape(n_...);                                                                            \
        ash_static_view view_ = NAME##_view(&shape_);                                                                       \
        view_.data = data_;                                                                                                 \
        return ash_static_wrap(&view_, length_) ? NAME##__none() : NAME##__over(data_, NULL, view_.size);                   \
    }
#else
#define ASH__I1 , ptrdiff_t i_0
#define ASH__I2 ASH__I1, ptrdiff_t i_1
#define ASH__I3 ASH__I2, ptrdiff_t i_2
#define ASH__I4 ASH__I3, ptrdiff_t i_3
#define ASH__I5 ASH__I4, ptrdiff_t i_4
#define ASH__I6 ASH__I5, ptrdiff_t i_5
#define ASH__I7 ASH__I6, ptrdiff_t i_6
#define ASH__I8 ASH__I7, ptrdiff_t i_7
#define ASH__I_NAMES1 , i_0
#define ASH__I_NAMES2 ASH__I_NAMES1, i_1
#define ASH__I_NAMES3 ASH__I_NAMES2, i_2
#define ASH__I_NAMES4 ASH__I_NAMES3, i_3
#define ASH__I_NAMES5 ASH__I_NAMES4, i_4
#define ASH__I_NAMES6 ASH__I_NAMES5, i_5
#define ASH__I_NAMES7 ASH__I_NAMES6, i_6
#define ASH__I_NAMES8 ASH__I_NAMES7, i_7
#define ASH__N0 void
#define ASH__N1 int64_t n_0
#define ASH__N2 ASH__N1, int64_t n_1
#define ASH__N3 ASH__N2, int64_t n_2
#define ASH__N4 ASH__N3, int64_t n_3
#define ASH__N5 ASH__N4, int64_t n_4
#define ASH__N6 ASH__N5, int64_t n_5
#define ASH__N7 ASH__N6, int64_t n_6
#define ASH__N8 ASH__N7, int64_t n_7
#define ASH__N_AFTER0
#define ASH__N_AFTER1 , ASH__N1
#define ASH__N_AFTER2 , ASH__N2
#define ASH__N_AFTER3 , ASH__N3
#define ASH__N_AFTER4 , ASH__N4
#define ASH__N_AFTER5 , ASH__N5
#define ASH__N_AFTER6 , ASH__N6
#define ASH__N_AFTER7 , ASH__N7
#define ASH__N_AFTER8 , ASH__N8
#define ASH__N_NAMES0
#define ASH__N_NAMES1 n_0
#define ASH__N_NAMES2 n_0, n_1
#define ASH__N_NAMES3 n_0, n_1, n_2
#define ASH__N_NAMES4 n_0, n_1, n_2, n_3
#define ASH__N_NAMES5 n_0, n_1, n_2, n_3, n_4
#define ASH__N_NAMES6 n_0, n_1, n_2, n_3, n_4, n_5
#define ASH__N_NAMES7 n_0, n_1, n_2, n_3, n_4, n_5, n_6
#define ASH__N_NAMES8 n_0, n_1, n_2, n_3, n_4, n_5, n_6, n_7

/* One for each number of axes. The functions named no are never called: they stand where the number is another one. */
#define ASH__LIKE_AT(NAME, T, OTHER, r)                                                                                     \
    ptrdiff_t NAME##__no_offset##r(const OTHER *self_ ASH__I##r);                                                           \
    ASH__ALWAYS_INLINE ptrdiff_t NAME##__offset##r(const NAME *self_ ASH__I##r)                                             \
    {                                                                                                                       \
        return _Generic(OTHER##_offset, ptrdiff_t(*)(const OTHER *self_ ASH__I##r): OTHER##_offset,                         \
                        default: NAME##__no_offset##r)(&self_->like ASH__I_NAMES##r);                                       \
    }                                                                                                                       \
    ASH__ALWAYS_INLINE T *NAME##__at##r(const NAME *self_ ASH__I##r)                                                        \
    {                                                                                                                       \
        ASH__HAS_DATA(self_->data);                                                                                         \
        return self_->data + NAME##__offset##r(self_ ASH__I_NAMES##r);                                                      \
    }
/* One for each number of dynamic sizes. */
#define ASH__LIKE_NEW(NAME, T, OTHER, r)                                                                                    \
    OTHER NAME##__no_shape##r(ASH__N##r);                                                                                   \
    ASH__ALWAYS_INLINE NAME NAME##__shape##r(ASH__N##r)                                                                     \
    {                                                                                                                       \
        NAME self_;                                                                                                         \
        self_.like = _Generic(OTHER##_shape, OTHER(*)(ASH__N##r): OTHER##_shape,                                            \
                              default: NAME##__no_shape##r)(ASH__N_NAMES##r);                                               \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__new##r(ASH__N##r)                                                                              \
    {                                                                                                                       \
        const NAME shape_ = NAME##__shape##r(ASH__N_NAMES##r);                                                              \
        const ash_static_view view_ = NAME##_view(&shape_);                                                                 \
        return NAME##__own(ash_static_new(&view_));                                                                         \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__wrap##r(T *data_, int64_t length_ ASH__N_AFTER##r)                                             \
    {                                                                                                                       \
        const NAME shape_ = NAME##__shape##r(ASH__N_NAMES##r);                                                              \
        ash_static_view view_ = NAME##_view(&shape_);                                                                       \
        view_.data = data_;                                                                                                 \
        return ash_static_wrap(&view_, length_) ? NAME##__none() : NAME##__over(data_, NULL, view_.size);                   \
    }
#define ASH__PICK_AXES(OTHER, f)                                                                                            \
    _Generic(OTHER##_offset, ptrdiff_t(*)(const OTHER *self_ ASH__I1): f##1, ptrdiff_t(*)(const OTHER *self_ ASH__I2): f##2,\
             ptrdiff_t(*)(const OTHER *self_ ASH__I3): f##3, ptrdiff_t(*)(const OTHER *self_ ASH__I4): f##4,                \
             ptrdiff_t(*)(const OTHER *self_ ASH__I5): f##5, ptrdiff_t(*)(const OTHER *self_ ASH__I6): f##6,                \
             ptrdiff_t(*)(const OTHER *self_ ASH__I7): f##7, ptrdiff_t(*)(const OTHER *self_ ASH__I8): f##8)
#define ASH__PICK_SIZES(OTHER, f)                                                                                           \
    _Generic(OTHER##_shape, OTHER(*)(ASH__N0): f##0, OTHER(*)(ASH__N1): f##1, OTHER(*)(ASH__N2): f##2,                      \
             OTHER(*)(ASH__N3): f##3, OTHER(*)(ASH__N4): f##4, OTHER(*)(ASH__N5): f##5, OTHER(*)(ASH__N6): f##6,            \
             OTHER(*)(ASH__N7): f##7, OTHER(*)(ASH__N8): f##8)
#define ASH__LIKE_PICK(name, picked) __attribute__((unused)) static __typeof__(picked) *const name = picked;
#define ASH__LIKE_LISTS(NAME, T, OTHER)                                                                                     \
    ASH__LIKE_AT(NAME, T, OTHER, 1) ASH__LIKE_AT(NAME, T, OTHER, 2) ASH__LIKE_AT(NAME, T, OTHER, 3)                         \
    ASH__LIKE_AT(NAME, T, OTHER, 4) ASH__LIKE_AT(NAME, T, OTHER, 5) ASH__LIKE_AT(NAME, T, OTHER, 6)                         \
    ASH__LIKE_AT(NAME, T, OTHER, 7) ASH__LIKE_AT(NAME, T, OTHER, 8)                                                         \
    ASH__LIKE_NEW(NAME, T, OTHER, 0) ASH__LIKE_NEW(NAME, T, OTHER, 1) ASH__LIKE_NEW(NAME, T, OTHER, 2)                      \
    ASH__LIKE_NEW(NAME, T, OTHER, 3) ASH__LIKE_NEW(NAME, T, OTHER, 4) ASH__LIKE_NEW(NAME, T, OTHER, 5)                      \
    ASH__LIKE_NEW(NAME, T, OTHER, 6) ASH__LIKE_NEW(NAME, T, OTHER, 7) ASH__LIKE_NEW(NAME, T, OTHER, 8)                      \
    ASH__LIKE_PICK(NAME##_offset, ASH__PICK_AXES(OTHER, NAME##__offset))                                                    \
    ASH__LIKE_PICK(NAME##_at, ASH__PICK_AXES(OTHER, NAME##__at))                                                            \
    ASH__LIKE_PICK(NAME##_shape, ASH__PICK_SIZES(OTHER, NAME##__shape))                                                     \
    ASH__LIKE_PICK(NAME##_new, ASH__PICK_SIZES(OTHER, NAME##__new))                                                         \
    ASH__LIKE_PICK(NAME##_wrap, ASH__PICK_SIZES(OTHER, NAME##__wrap))
#endif

/**
 * Declares a type NAME that is its elements and nothing else: on the stack, in structs, passed by value.
 *
 * @param NAME    of the struct.
 * @param T       the C type of an element.
 * @param LAYOUT  ASH_ROW_MAJOR or ASH_COL_MAJOR.
 * @param ...     1 to 8 sizes, integer constant expressions from 1 on.
 */
#define ASH_STATIC_VALUE(NAME, T, LAYOUT, ...) ASH_STATIC_VALUE_OF(NAME, T, ASH__ELEMENT_DTYPE(T), LAYOUT, __VA_ARGS__)

#define ASH_STATIC_VALUE_OF(NAME, T, DTYPE, LAYOUT, ...)                                                                    \
    ASH__STATIC_CONSTANTS(NAME, T, LAYOUT, __VA_ARGS__);                                                                    \
    ASH__STATIC_ASSERT(NAME##_count > 0, #NAME ": all sizes of a value are static");                                        \
    typedef struct NAME {                                                                                                   \
        T data[NAME##_count];                                                                                               \
    } NAME;                                                                                                                 \
    ASH__STATIC_FUNCTIONS(NAME, T, DTYPE, LAYOUT, ash__lent(self_->data), NULL, __VA_ARGS__)                                \
    ASH__STATIC_OPERATIONS(NAME, T)                                                                                         \
    ASH__INLINE NAME NAME##_new(void)                                                                                       \
    {                                                                                                                       \
        NAME self_;                                                                                                         \
        memset(&self_, 0, sizeof self_);                                                                                    \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_from(const ash_array *a_)                                                                       \
    {                                                                                                                       \
        NAME self_ = NAME##_new();                                                                                          \
        const ash_static_view view_ = NAME##_view(&self_);                                                                  \
        ash_static_read(&view_, a_);                                                                                        \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_collect(const ash_iterator *iterator_)                                                          \
    {                                                                                                                       \
        NAME self_ = NAME##_new();                                                                                          \
        const ash_static_view view_ = NAME##_view(&self_);                                                                  \
        ash_static_collect_into(&view_, iterator_);                                                                         \
        return self_;                                                                                                       \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_like(const NAME *self_) { return (void)self_, NAME##_new(); }                                   \
    ASH__INLINE NAME NAME##_copy(const NAME *self_) { return *self_; }                                                      \
    ASH__STATIC_ASSERT(sizeof(NAME) > 0, "closes the declaration so that a semicolon may follow")

/* The address that a view has of elements which are part of a struct. */
ASH__ALWAYS_INLINE void *ash__lent(const void *data) { return (void *)(uintptr_t)data; }

/* An element as an lvalue: ASH_AT(NAME, &u, i, j) += 1. */
#define ASH_AT(NAME, ...) (*NAME##_at(__VA_ARGS__))

#endif
#endif
