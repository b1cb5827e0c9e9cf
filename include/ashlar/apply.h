/*
 * apply.h - maps for callers in other languages, where every call and every struct has a price: without options, and without a
 * scope around them.
 */
#ifndef ASHLAR_APPLY_H
#define ASHLAR_APPLY_H
#include "base.h"
ASH__BEGIN

/**
 * A function of the elements of one array, or of two that are broadcast: ash_map, but that the result belongs to the caller
 * whatever scopes are open.
 *
 * Shape   as ash_map.
 * Dtype   as ash_map.
 * Exact   as ash_map.
 *
 * @param function  borrowed; with one parameter for each array.
 * @param a         borrowed.
 * @param b         borrowed.
 * @return          a new array, always the caller's; NULL with an error as from ash_map.
 */
ASH_API ash_array *ash_apply1(const ash_function *function, const ash_array *a);
ASH_API ash_array *ash_apply2(const ash_function *function, const ash_array *a, const ash_array *b);

/**
 * The same of any operands, which lie one after the other.
 *
 * Shape   as ash_map.
 * Dtype   as ash_map.
 * Exact   as ash_map.
 *
 * @param function  borrowed; with count parameters.
 * @param operands  borrowed: arrays and scalars.
 * @param count     of operands, up to 1023.
 * @return          a new array, always the caller's; NULL with an error as from ash_map.
 */
ASH_API ash_array *ash_apply(const ash_function *function, const ash_operand *operands, int64_t count);

ASH__END
#endif
