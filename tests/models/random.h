/*
 * random.h - the numbers that every choice of a draw is made with.
 *
 * splitmix64: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014, in the public
 * domain C form by Sebastiano Vigna. One state of 64 bits, and neighbouring seeds give unrelated streams: draw number n of a
 * run is the stream of seed + n and can be drawn alone.
 */
#ifndef MODELS_RANDOM_H
#define MODELS_RANDOM_H
#include <stdbool.h>
#include <stdint.h>

void random_start(uint64_t seed);
uint64_t random_bits(void);
int64_t random_below(int64_t n);                /* 0 to n - 1 */
int64_t random_in(int64_t first, int64_t last); /* both may come */
bool one_in(int64_t n);
void random_order(int64_t *list, int64_t n); /* 0 to n - 1 in any order */
#endif
