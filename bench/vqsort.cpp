/* vqsort.cpp - calls into Highway; compiled only where its headers are. */
#include "vqsort.h"

#include <hwy/contrib/sort/vqsort.h>

extern "C" bool vqsort_there(void) { return true; }
extern "C" void vqsort_f32(float *x, size_t n) { hwy::Sorter()(x, n, hwy::SortAscending()); }
extern "C" void vqsort_f64(double *x, size_t n) { hwy::Sorter()(x, n, hwy::SortAscending()); }
extern "C" void vqsort_i64(int64_t *x, size_t n) { hwy::Sorter()(x, n, hwy::SortAscending()); }
extern "C" void vqsort_u64(uint64_t *x, size_t n) { hwy::Sorter()(x, n, hwy::SortAscending()); }
