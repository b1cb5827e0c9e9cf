/* x86.h - x86-64 code for a program of machine instructions. */
#ifndef ASH__X86_H
#define ASH__X86_H
#include "backend/cpu/native/body.h"

/* Code as ash__native_code (native.h), at most `room` bytes of it; the number of bytes, or 0 when it is too large. limit: as if
 * there were only so many registers (registers.h). */
size_t ash__x86_emit(const ash__body *m, uint8_t *code, size_t room, int limit);
#endif
