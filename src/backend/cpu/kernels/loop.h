/*
 * loop.h - what every kernel source shares: the level it is compiled for, and how a loop is told to be vectorised.
 *
 * Every .c file in this folder is compiled once per level with ASH__LEVEL defined (levels.cmake) and exports one table,
 * ASH__TABLE(name), and nothing else: an inline function emitted from the object of a high level could be the copy that the
 * linker keeps for everybody. So everything else is static, and only headers with static functions are included.
 */
#ifndef ASH__LOOP_H
#define ASH__LOOP_H
#include "backend/cpu/kernels.h"

#ifndef ASH__LEVEL
#define ASH__LEVEL base
#endif

/* ash__fold -> ash__fold_v3 */
#define ASH__TABLE(name) ASH__CAT(ASH__CAT(name, _), ASH__LEVEL)

/* Before a loop whose iterations are independent though its pointers may be equal: no run-time overlap checks. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* some loops do not vectorise on the lower levels, and need not */
#define ASH__IVDEP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define ASH__IVDEP _Pragma("GCC ivdep")
#else
#define ASH__IVDEP
#endif

#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* The head of a kernel: the pointers are D, A, B, C and the count n; unused ones are mentioned so that nobody warns. */
#define ASH__KERNEL(name) static void name(void *D, const void *A, const void *B, const void *C, int64_t n)
#define ASH__UNUSED(x) ((void)(x))
#endif
