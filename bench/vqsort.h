/* vqsort.h - the sort of the Highway library, where it is installed; else vqsort_there is false. */
#ifndef VQSORT_H
#define VQSORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
bool vqsort_there(void);
void vqsort_f32(float *x, size_t n);
void vqsort_f64(double *x, size_t n);
void vqsort_i64(int64_t *x, size_t n);
void vqsort_u64(uint64_t *x, size_t n);
#ifdef __cplusplus
}
#endif
#endif
