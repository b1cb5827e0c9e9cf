/* arm64.h - AArch64 code for a program of machine instructions. */
#ifndef ASH__ARM64_H
#define ASH__ARM64_H
#include "backend/cpu/native/body.h"

/* As ash__x86_emit. */
size_t ash__arm64_emit(const ash__body *m, uint8_t *code, size_t room, int limit);
#endif
