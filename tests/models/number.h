/*
 * number.h - elements as exact numbers: what the models convert, promote and compare with.
 *
 * A real element is sign, digits and a power of two, whatever its dtype; a conversion decodes and encodes, one bit pattern
 * after the other, with no arithmetic of floats.
 */
#ifndef MODELS_NUMBER_H
#define MODELS_NUMBER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ashlar/ashlar.h>

ASH_RECORD(spot, (f32, x, 2), (i16, n)); /* two bytes of padding at its end */
ASH_RECORD(color, (u8, rgb, 3));
ASH_RECORD(odd, (c_f32, z), (f32, w)); /* its z lies every 12 bytes */

typedef enum record { SPOT, COLOR, ODD, RECORDS } record;
ash_dtype record_dtype(record which); /* looked up once: the functions of ASH_RECORD describe the record at every call */

typedef enum number_kind { FINITE, INFINITE, NOT_A_NUMBER } number_kind;
typedef struct number {
    number_kind kind;
    bool negative;
    uint64_t digits;
    int exponent; /* the value is digits * 2^exponent, with the sign */
} number;

/* What a dtype is. A part is the real dtype of a complex one, or the dtype itself. */
bool is_record(ash_dtype dtype);
bool is_complex(ash_dtype dtype);
bool is_float(ash_dtype dtype);   /* real */
bool is_integer(ash_dtype dtype); /* real, without bool */
bool is_signed(ash_dtype dtype);
bool is_real(ash_dtype dtype);
ash_dtype part_of(ash_dtype dtype);
ash_dtype promoted(ash_dtype a, ash_dtype b);

number number_of(ash_dtype real, const void *element);
/* As ash_from_host converts: toward zero for integers, rounded once for floats. False: it does not fit. */
bool number_store(ash_dtype real, number x, void *element);
/* -1, 0, 1 by value, 0 and -0 equal; neither is a NaN. */
int number_compare(number a, number b);

/* Any dtype but records. */
bool convert_element(ash_dtype to, void *out, ash_dtype from, const void *in);
bool is_true(ash_dtype dtype, const void *element); /* not 0; a NaN is not */
/* The same bits, but for padding; any NaN is any other. */
bool same_element(ash_dtype dtype, const void *a, const void *b);
void conjugate_element(ash_dtype dtype, void *element);
/* The order of sorting: -1, 0, 1; numbers, -0 before 0, every NaN alike and last. */
int order_of_numbers(number x, number y);
int order_of(ash_dtype real, const void *a, const void *b);
#endif
