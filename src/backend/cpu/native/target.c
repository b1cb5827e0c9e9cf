/* target.c - the table of instruction sets, and the generator that this processor wants. */
#include "backend/cpu/native/target.h"

#include <string.h>

#if defined(__aarch64__)
#include "backend/cpu/native/arm64.h"
#else
#include "backend/cpu/native/x86.h"
#endif

const ash__isa_info ash__isa_infos[ASH__ISA_COUNT] = {
    [ASH__ISA_NONE] = {"native code", 0, 0, false, false, false, false},
    [ASH__ISA_AVX2] = {"AVX2", 32, 13, false, true, false, false},
    [ASH__ISA_AVX512] = {"AVX-512", 64, 29, true, true, false, false},
    [ASH__ISA_NEON] = {"NEON", 16, 29, false, false, true, true},
};

#if defined(__aarch64__)

ash__isa ash__native_isa(void)
{
    return ASH__ISA_NEON;
}
size_t ash__native_emit(const ash__body *m, uint8_t *code, size_t room, int limit)
{
    return m->isa == ASH__ISA_NEON ? ash__arm64_emit(m, code, room, limit) : 0;
}

#elif defined(__x86_64__)

ash__isa ash__native_isa(void)
{
    const char *const level = ash__cpu_kernels()->level;
    return strcmp(level, "v4") == 0 ? ASH__ISA_AVX512 : strcmp(level, "v3") == 0 ? ASH__ISA_AVX2 : ASH__ISA_NONE;
}
size_t ash__native_emit(const ash__body *m, uint8_t *code, size_t room, int limit)
{
    return m->isa == ASH__ISA_NEON ? 0 : ash__x86_emit(m, code, room, limit);
}

#else

ash__isa ash__native_isa(void)
{
    return ASH__ISA_NONE;
}
size_t ash__native_emit(const ash__body *m, uint8_t *code, size_t room, int limit)
{
    (void)m, (void)code, (void)room, (void)limit;
    return 0;
}

#endif
