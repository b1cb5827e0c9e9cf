/* target.h - what differs between the instruction sets that there is native code for. */
#ifndef ASH__TARGET_H
#define ASH__TARGET_H
#include "backend/cpu/native/body.h"

typedef struct ash__isa_info {
    const char *name;
    uint8_t vector_bytes;
    uint8_t vectors;    /* registers for values; three more are for operands on their way */
    bool has_masks;     /* in registers of their own */
    bool has_memory;    /* operands in memory */
    bool has_counts;    /* shifts by literals */
    bool adds_in_place; /* a*b + c has to be where c is */
} ash__isa_info;

extern const ash__isa_info ash__isa_infos[ASH__ISA_COUNT];

/* The instruction set of the kernels in use, ASH__ISA_NONE where there is no native code for it. */
ash__isa ash__native_isa(void);
/* Code as ash__native_code (native.h), at most `room` bytes of it; the number of bytes, or 0 when it is too large or not within
 * reach. limit: as if there were only so many registers (registers.h). */
size_t ash__native_emit(const ash__body *m, uint8_t *code, size_t room, int limit);
#endif
