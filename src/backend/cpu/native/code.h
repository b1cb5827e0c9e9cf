/*
 * code.h - memory that holds generated code.
 *
 * Nothing here is safe among threads: cache.c calls it under its lock.
 */
#ifndef ASH__CODE_H
#define ASH__CODE_H
#include "backend/cpu/native/native.h"

enum { ASH__CODE_BYTES = 512 << 10, ASH__CODE_MOST = 32 << 10 }; /* of memory; of one program */

typedef enum ash__code_kind { ASH__CODE_NONE, ASH__CODE_TWICE, ASH__CODE_FLIP } ash__code_kind;

ash__code_kind ash__code_open(void);
/* Where the bytes can be run; NULL when there is no room left or the system refuses. */
ash__native_code *ash__code_add(const uint8_t *bytes, size_t nbytes);
/* Forgets all of it: nobody runs any. False: the system refuses, and the memory is full for good. */
bool ash__code_clear(void);
void ash__code_close(void);
/* In a child of fork, which has no part in its parent's memory. */
void ash__code_forked(void);
#endif
