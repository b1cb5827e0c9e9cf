/* no_vqsort.c - stands in for vqsort.cpp where the Highway library is missing. */
#include "vqsort.h"

#ifndef HAVE_VQSORT
bool vqsort_there(void) { return false; }
void vqsort_f32(float *x, size_t n) { (void)x, (void)n; }
void vqsort_f64(double *x, size_t n) { (void)x, (void)n; }
void vqsort_i64(int64_t *x, size_t n) { (void)x, (void)n; }
void vqsort_u64(uint64_t *x, size_t n) { (void)x, (void)n; }
#endif
