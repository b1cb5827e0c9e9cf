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
 * @param view  name, dtype, layout, rank and sizes; its memory does not matter.
 * @return      a new array, the caller's; NULL with ASH_ERR_SHAPE (a negative size), ASH_ERR_DTYPE, ASH_ERR_DEVICE or
 *              ASH_ERR_MEMORY.
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
 *                a negative length, data that is NULL or not aligned).
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

/* Checked as assert is: unless NDEBUG is defined. What holds is the value where a type is declared. */
#ifndef ASH_CHECK_BOUNDS
#ifdef NDEBUG
#define ASH_CHECK_BOUNDS 0
#else
#define ASH_CHECK_BOUNDS 1
#endif
#endif

/* Integers only, never the array, so that its fields stay in registers. */
__attribute__((cold, noinline, noreturn, unused)) static void ash__bounds_error(int64_t index, int64_t size, int64_t axis)
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
#define ASH__BOUNDS(i, n, k)                                                              \
    ((ASH_CHECK_BOUNDS) && __builtin_expect((size_t)(i) >= (size_t)(n), 0) ? ash__bounds_error((i), (n), (k)) : (void)0)

#ifdef __cplusplus
#define ASH__STATIC_ASSERT static_assert
#define ASH__RESTRICT __restrict
template <class T> struct ash__element;
#define ASH__ELEMENT(T, D) \
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

/* ---- dimensions, one by one: ASH__DIMS(m, c, d0, d1, ...) is m(c, 0, d0) m(c, 1, d1) ...; ASH__EIGHT goes on with the axes that
 * are not there, whose size is 1 */
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
#define ASH__NTH1(c, k) self->n##k
#define ASH__NTH(c, k, d) ASH__FOR_STATIC(ASH__NTH, d)(c, k)
#define ASH__LOCAL(c, k, d) const int64_t n##k __attribute__((unused)) = ASH__NTH(c, k, d);
#define ASH__SIZE_IF(c, k, d) axis == k ? n##k:
#define ASH__STRIDE_IF(c, k, d) axis == k ? t##k:
#define ASH__FACTOR(c, k, d) *n##k
#define ASH__SIGN(c, k, d) | n##k
#define ASH__INDEX(c, k, d) , ptrdiff_t i##k
#define ASH__INDEX_NAME(c, k, d) , i##k
#define ASH__CHECK(c, k, d) ASH__BOUNDS(i##k, n##k, k);
#define ASH__TERM(c, k, d) +i##k *t##k
#define ASH__VIEWED(c, k, d) view.fixed[k] = c##_n##k, view.size[k] = n##k;
#define ASH__PARAMETER0(k)
#define ASH__PARAMETER1(k) , int64_t n##k
#define ASH__PARAMETER(c, k, d) ASH__FOR_STATIC(ASH__PARAMETER, d)(k)
#define ASH__ARGUMENT0(k)
#define ASH__ARGUMENT1(k) , n##k
#define ASH__ARGUMENT(c, k, d) ASH__FOR_STATIC(ASH__ARGUMENT, d)(k)
#define ASH__SET0(k, x)
#define ASH__SET1(k, x) self.n##k = x;
#define ASH__SET_GIVEN(c, k, d) ASH__FOR_STATIC(ASH__SET, d)(k, n##k)
#define ASH__SET_NONE(c, k, d) ASH__FOR_STATIC(ASH__SET, d)(k, -1)
#define ASH__SET_FOUND(c, k, d) ASH__FOR_STATIC(ASH__SET, d)(k, view.size[k])
#define ASH__SET_OWN(c, k, d) ASH__FOR_STATIC(ASH__SET, d)(k, shape[k])

/* The dynamic sizes as a whole list of parameters, or of arguments. */
#define ASH__REST(a, ...) __VA_ARGS__
#define ASH__PARAMETERS0(...) void
#define ASH__PARAMETERS1(...) ASH__REST(__VA_ARGS__)
#define ASH__PARAMETERS(...) \
    ASH__CAT(ASH__PARAMETERS, ASH__ANY_DYNAMIC(__VA_ARGS__))(~ASH__DIMS(ASH__PARAMETER, , __VA_ARGS__))
#define ASH__ARGUMENTS0(...)
#define ASH__ARGUMENTS1(...) ASH__REST(__VA_ARGS__)
#define ASH__ARGUMENTS(...) \
    ASH__CAT(ASH__ARGUMENTS, ASH__ANY_DYNAMIC(__VA_ARGS__))(~ASH__DIMS(ASH__ARGUMENT, , __VA_ARGS__))

/* The product of two sizes as an enumerator: ASH_DYNAMIC where one is dynamic, and where no int holds it. */
#define ASH__PRODUCT(a, b) ((a) < 0 || (b) < 0 || (a) > 0x7fffffff / ((b) + !(b)) ? -1 : (int)(a) * (int)(b))
#define ASH__STRIDES_ASH_COL_MAJOR(c)                                                              \
    c##_st0 = 1, c##_st1 = ASH__PRODUCT(c##_st0, c##_n0), c##_st2 = ASH__PRODUCT(c##_st1, c##_n1), \
    c##_st3 = ASH__PRODUCT(c##_st2, c##_n2), c##_st4 = ASH__PRODUCT(c##_st3, c##_n3),              \
    c##_st5 = ASH__PRODUCT(c##_st4, c##_n4), c##_st6 = ASH__PRODUCT(c##_st5, c##_n5),              \
    c##_st7 = ASH__PRODUCT(c##_st6, c##_n6)
#define ASH__STRIDES_ASH_ROW_MAJOR(c)                                                              \
    c##_st7 = 1, c##_st6 = ASH__PRODUCT(c##_st7, c##_n7), c##_st5 = ASH__PRODUCT(c##_st6, c##_n6), \
    c##_st4 = ASH__PRODUCT(c##_st5, c##_n5), c##_st3 = ASH__PRODUCT(c##_st4, c##_n4),              \
    c##_st2 = ASH__PRODUCT(c##_st3, c##_n3), c##_st1 = ASH__PRODUCT(c##_st2, c##_n2),              \
    c##_st0 = ASH__PRODUCT(c##_st1, c##_n1)
#define ASH__LAST_ASH_COL_MAJOR(c) ASH__PRODUCT(c##_st7, c##_n7)
#define ASH__LAST_ASH_ROW_MAJOR(c) ASH__PRODUCT(c##_st0, c##_n0)
/* The strides t0 to t7 of sizes n0 to n7; what the compiler knows of them is a literal. */
#define ASH__STEP(k) const int64_t t##k __attribute__((unused))
#define ASH__STEPS_ASH_COL_MAJOR                                                                             \
    ASH__STEP(0) = 1; ASH__STEP(1) = t0 * n0; ASH__STEP(2) = t1 * n1; ASH__STEP(3) = t2 * n2;                \
    ASH__STEP(4) = t3 * n3; ASH__STEP(5) = t4 * n4; ASH__STEP(6) = t5 * n5; ASH__STEP(7) = t6 * n6;
#define ASH__STEPS_ASH_ROW_MAJOR                                                                             \
    ASH__STEP(7) = 1; ASH__STEP(6) = t7 * n7; ASH__STEP(5) = t6 * n6; ASH__STEP(4) = t5 * n5;                \
    ASH__STEP(3) = t4 * n4; ASH__STEP(2) = t3 * n3; ASH__STEP(1) = t2 * n2; ASH__STEP(0) = t1 * n1;

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
    __attribute__((unused)) static const char *const NAME##_dims = "(" ASH__DIMS(ASH__TEXT, , __VA_ARGS__) ")"

#define ASH__STATIC_COMMON(NAME, T, DTYPE, LAYOUT, DATA, OWNER, ...)                                                        \
    typedef T NAME##_element;                                                                                               \
    ASH__ALWAYS_INLINE int64_t NAME##_size(const NAME *self, int64_t axis)                                                  \
    {                                                                                                                       \
        (void)self;                                                                                                         \
        ASH__DIMS(ASH__LOCAL, NAME, __VA_ARGS__)                                                                            \
        return ASH__DIMS(ASH__SIZE_IF, NAME, __VA_ARGS__) - 1;                                                              \
    }                                                                                                                       \
    ASH__ALWAYS_INLINE int64_t NAME##_stride(const NAME *self, int64_t axis)                                                \
    {                                                                                                                       \
        (void)self;                                                                                                         \
        ASH__EIGHT(ASH__LOCAL, NAME, __VA_ARGS__)                                                                           \
        ASH__CAT_(ASH__STEPS_, LAYOUT)                                                                                      \
        return ASH__DIMS(ASH__STRIDE_IF, NAME, __VA_ARGS__) - 1;                                                            \
    }                                                                                                                       \
    ASH__ALWAYS_INLINE int64_t NAME##_length(const NAME *self)                                                              \
    {                                                                                                                       \
        (void)self;                                                                                                         \
        ASH__DIMS(ASH__LOCAL, NAME, __VA_ARGS__)                                                                            \
        return (0 ASH__DIMS(ASH__SIGN, NAME, __VA_ARGS__)) < 0 ? -1 : 1 ASH__DIMS(ASH__FACTOR, NAME, __VA_ARGS__);          \
    }                                                                                                                       \
    ASH__ALWAYS_INLINE ptrdiff_t NAME##_offset(const NAME *self ASH__DIMS(ASH__INDEX, , __VA_ARGS__))                       \
    {                                                                                                                       \
        (void)self;                                                                                                         \
        ASH__EIGHT(ASH__LOCAL, NAME, __VA_ARGS__)                                                                           \
        ASH__CAT_(ASH__STEPS_, LAYOUT)                                                                                      \
        ASH__DIMS(ASH__CHECK, NAME, __VA_ARGS__)                                                                            \
        return 0 ASH__DIMS(ASH__TERM, NAME, __VA_ARGS__);                                                                   \
    }                                                                                                                       \
    ASH__ALWAYS_INLINE T *NAME##_at(const NAME *self ASH__DIMS(ASH__INDEX, , __VA_ARGS__))                                  \
    {                                                                                                                       \
        if ((ASH_CHECK_BOUNDS) && __builtin_expect(!DATA, 0))                                                               \
            ash__bounds_error(0, -1, -1);                                                                                   \
        return (T *)DATA + NAME##_offset(self ASH__DIMS(ASH__INDEX_NAME, , __VA_ARGS__));                                   \
    }                                                                                                                       \
    ASH__INLINE ash_dtype NAME##_dtype(void) { return DTYPE; }                                                              \
    ASH__INLINE ash_static_view NAME##_view(const NAME *self)                                                               \
    {                                                                                                                       \
        ash_static_view view;                                                                                               \
        ASH__EIGHT(ASH__LOCAL, NAME, __VA_ARGS__)                                                                           \
        view.name = #NAME;                                                                                                  \
        view.dtype = NAME##_dtype();                                                                                        \
        view.layout = LAYOUT;                                                                                               \
        view.rank = NAME##_rank;                                                                                            \
        ASH__EIGHT(ASH__VIEWED, NAME, __VA_ARGS__)                                                                          \
        view.data = (void *)DATA;                                                                                           \
        view.owner = OWNER;                                                                                                 \
        return view;                                                                                                        \
    }                                                                                                                       \
    ASH__INLINE ash_array *NAME##_array(const NAME *self)                                                                   \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self);                                                                     \
        return ash_static_array(&view);                                                                                     \
    }                                                                                                                       \
    ASH__INLINE ash_array *NAME##_parent(const NAME *self)                                                                  \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self);                                                                     \
        return ash_static_parent(&view);                                                                                    \
    }                                                                                                                       \
    ASH__INLINE const ash_device *NAME##_device(const NAME *self)                                                           \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self);                                                                     \
        return ash_static_device(&view);                                                                                    \
    }                                                                                                                       \
    ASH__INLINE ash_status NAME##_copy_into(NAME *self, const NAME *from)                                                   \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self), source = NAME##_view(from);                                         \
        return ash_static_copy_into(&view, &source);                                                                        \
    }                                                                                                                       \
    ASH__INLINE ash_status NAME##_fill(NAME *self, T value)                                                                 \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self);                                                                     \
        return ash_static_fill(&view, &value);                                                                              \
    }                                                                                                                       \
    ASH__INLINE ash_status NAME##_map_into(NAME *self, const char *function, const ash_array *a)                            \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self);                                                                     \
        return ash_static_map_into(&view, function, a);                                                                     \
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
    ASH__STATIC_COMMON(NAME, T, DTYPE, LAYOUT, self->data, self->owner, __VA_ARGS__)                                        \
    ASH__ALWAYS_INLINE NAME NAME##_shape(ASH__PARAMETERS(__VA_ARGS__))                                                      \
    {                                                                                                                       \
        NAME self;                                                                                                          \
        self.data = NULL;                                                                                                   \
        self.owner = NULL;                                                                                                  \
        ASH__DIMS(ASH__SET_GIVEN, NAME, __VA_ARGS__)                                                                        \
        return self;                                                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__none(void)                                                                                     \
    {                                                                                                                       \
        NAME self;                                                                                                          \
        self.data = NULL;                                                                                                   \
        self.owner = NULL;                                                                                                  \
        ASH__DIMS(ASH__SET_NONE, NAME, __VA_ARGS__)                                                                         \
        return self;                                                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##__own(ash_array *a)                                                                              \
    {                                                                                                                       \
        NAME self = NAME##__none();                                                                                         \
        if (a) {                                                                                                            \
            const int64_t *const shape = ash_shape(a);                                                                      \
            (void)shape;                                                                                                    \
            self.data = (T *)ash_static_data(a);                                                                            \
            self.owner = a;                                                                                                 \
            ASH__DIMS(ASH__SET_OWN, NAME, __VA_ARGS__)                                                                      \
        }                                                                                                                   \
        return self;                                                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_new(ASH__PARAMETERS(__VA_ARGS__))                                                               \
    {                                                                                                                       \
        const NAME shape = NAME##_shape(ASH__ARGUMENTS(__VA_ARGS__));                                                       \
        const ash_static_view view = NAME##_view(&shape);                                                                   \
        return NAME##__own(ash_static_new(&view));                                                                          \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_from(const ash_array *a)                                                                        \
    {                                                                                                                       \
        const NAME none = NAME##__none();                                                                                   \
        const ash_static_view view = NAME##_view(&none);                                                                    \
        return NAME##__own(ash_static_from(&view, a));                                                                      \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_collect(const ash_iterator *iterator)                                                           \
    {                                                                                                                       \
        const NAME none = NAME##__none();                                                                                   \
        const ash_static_view view = NAME##_view(&none);                                                                    \
        return NAME##__own(ash_static_collect(&view, iterator));                                                            \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_wrap(T *data, int64_t length ASH__DIMS(ASH__PARAMETER, , __VA_ARGS__))                          \
    {                                                                                                                       \
        NAME self = NAME##_shape(ASH__ARGUMENTS(__VA_ARGS__));                                                              \
        self.data = data;                                                                                                   \
        ash_static_view view = NAME##_view(&self);                                                                          \
        if (ash_static_wrap(&view, length) != ASH_OK)                                                                       \
            return NAME##__none();                                                                                          \
        ASH__DIMS(ASH__SET_FOUND, NAME, __VA_ARGS__)                                                                        \
        return self;                                                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_like(const NAME *self)                                                                          \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self);                                                                     \
        return NAME##__own(ash_static_like(&view));                                                                         \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_copy(const NAME *self)                                                                          \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self);                                                                     \
        return NAME##__own(ash_static_copy(&view));                                                                         \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_adapt(const NAME *self, const ash_target *target)                                               \
    {                                                                                                                       \
        const ash_static_view view = NAME##_view(self);                                                                     \
        return NAME##__own(ash_static_adapt(&view, target));                                                                \
    }                                                                                                                       \
    ASH__INLINE void NAME##_release(NAME *self)                                                                             \
    {                                                                                                                       \
        ash_release(self->owner);                                                                                           \
        *self = NAME##__none();                                                                                             \
    }                                                                                                                       \
    ASH__STATIC_ASSERT(sizeof(NAME) > 0, "closes the declaration so that a semicolon may follow")

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
    ASH__STATIC_COMMON(NAME, T, DTYPE, LAYOUT, ash__lent(self->data), NULL, __VA_ARGS__)                                    \
    ASH__INLINE NAME NAME##_new(void)                                                                                       \
    {                                                                                                                       \
        NAME self;                                                                                                          \
        memset(&self, 0, sizeof self);                                                                                      \
        return self;                                                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_from(const ash_array *a)                                                                        \
    {                                                                                                                       \
        NAME self = NAME##_new();                                                                                           \
        const ash_static_view view = NAME##_view(&self);                                                                    \
        ash_static_read(&view, a);                                                                                          \
        return self;                                                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_collect(const ash_iterator *iterator)                                                           \
    {                                                                                                                       \
        NAME self = NAME##_new();                                                                                           \
        const ash_static_view view = NAME##_view(&self);                                                                    \
        ash_static_collect_into(&view, iterator);                                                                           \
        return self;                                                                                                        \
    }                                                                                                                       \
    ASH__INLINE NAME NAME##_like(const NAME *self) { return (void)self, NAME##_new(); }                                     \
    ASH__INLINE NAME NAME##_copy(const NAME *self) { return *self; }                                                        \
    ASH__STATIC_ASSERT(sizeof(NAME) > 0, "closes the declaration so that a semicolon may follow")

/* The address that a view has of elements which are part of a struct. */
ASH__ALWAYS_INLINE void *ash__lent(const void *data) { return (void *)(uintptr_t)data; }

/* An element as an lvalue: ASH_AT(NAME, &u, i, j) += 1. */
#define ASH_AT(NAME, ...) (*NAME##_at(__VA_ARGS__))

#endif
#endif
