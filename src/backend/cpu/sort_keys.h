/* sort_keys.h - putting unsigned keys in order: see ash__sort_table for what they are. */
#ifndef ASH__SORT_KEYS_H
#define ASH__SORT_KEYS_H
#include "backend/cpu/kernels.h"

/* What keys of a dtype are xor-ed with: all their bits for descending order, and the sign bit of integers that have one. */
uint64_t ash__key_flip(ash_dtype dtype, bool descending);

/* Sorts n keys of a width, as far as needed for positions first to end - 1 of the order: these are in place at the end, the
 * others are not. `other` has room for n keys. With threads, large pieces are shared among them. */
void ash__sort_keys(int width, void *data, void *other, int64_t n, int64_t first, int64_t end, bool threads);

/* The positions of n keys in order, stable: first to end - 1 of them to position[0...]. packed and other have room for n keys
 * of 8 bytes each; the keys stay. */
void ash__sort_positions(int width, const void *keys, int64_t n, int64_t first, int64_t end, int64_t *position,
                         uint64_t *packed, uint64_t *other, bool threads);

/* radix.c: sorts n keys of a width in time proportional to n, whatever they are; into `other` when told so. */
void ash__radix_sort(int width, void *data, void *other, int64_t n, bool to_other);
#endif
