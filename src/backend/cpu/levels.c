/*
 * levels.c - chooses the kernels for this processor.
 *
 * Levels are those of the x86-64 psABI, and are told apart by the features they consist of, never by a processor's name or
 * family. ASHLAR_CPU_LEVEL=v1 ... v4 asks for a lower one: for tests, and to compare.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "backend/cpu/kernels.h"

/* One level's tables, each exported by the object of its family. */
#define DECLARE_TABLE(level, family) extern const ash__##family##_table ash__##family##_##level;
#define TABLE_OF(level, family) .family = &ash__##family##_##level,
#define DECLARE_LEVEL(level)                           \
    ASH__KERNEL_FAMILIES(DECLARE_TABLE, level)         \
    static const ash__kernels level##_kernels = {#level, ASH__KERNEL_FAMILIES(TABLE_OF, level)};

#if defined(__x86_64__)
#include <cpuid.h>

#ifndef ASH__NO_V1
DECLARE_LEVEL(v1)
#define V1 &v1_kernels
#else
#define V1 NULL
#endif
#ifndef ASH__NO_V2
DECLARE_LEVEL(v2)
#define V2 &v2_kernels
#else
#define V2 NULL
#endif
#ifndef ASH__NO_V3
DECLARE_LEVEL(v3)
#define V3 &v3_kernels
#else
#define V3 NULL
#endif
#ifndef ASH__NO_V4
DECLARE_LEVEL(v4)
#define V4 &v4_kernels
#else
#define V4 NULL
#endif
enum { LEVELS = 4 };
static const ash__kernels *const levels[LEVELS] = {V1, V2, V3, V4};

#define HAS(feature) (__builtin_cpu_supports(feature) != 0)

/* Features of level 3 that clang 14 has no name for: F16C and MOVBE, and LZCNT. */
static bool has_small_features(void)
{
    unsigned a, b, c, d;
    const unsigned first = 1u << 29 | 1u << 22, extended = 1u << 5;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & first) == first && __get_cpuid(0x80000001, &a, &b, &c, &d) &&
           (c & extended) == extended;
}

static bool supported(int level)
{
    __builtin_cpu_init();
    switch (level) {
    case 1:
        return true;
    case 2:
        return HAS("sse3") && HAS("ssse3") && HAS("sse4.1") && HAS("sse4.2") && HAS("popcnt");
    case 3:
        return supported(2) && HAS("avx") && HAS("avx2") && HAS("fma") && HAS("bmi") && HAS("bmi2") && has_small_features();
    case 4:
        return supported(3) && HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") && HAS("avx512vl");
    default:
        return false;
    }
}

#else

DECLARE_LEVEL(base)
enum { LEVELS = 1 };
static const ash__kernels *const levels[LEVELS] = {&base_kernels};
static bool supported(int level)
{
    return level == 1;
}

#endif

const ash__kernels *ash__cpu_kernels_at(int level)
{
    return level >= 1 && level <= LEVELS && supported(level) ? levels[level - 1] : NULL;
}

static int highest_wanted(void)
{
    const char *const text = getenv("ASHLAR_CPU_LEVEL");
    return text && text[0] == 'v' && text[1] >= '1' && text[1] <= '4' && !text[2] ? text[1] - '0' : LEVELS;
}

/* The best level that was built and is supported, up to the one wanted; one was built that runs here, or nothing would. */
static const ash__kernels *choose(void)
{
    for (int level = highest_wanted(); level >= 1; level--)
        if (ash__cpu_kernels_at(level))
            return ash__cpu_kernels_at(level);
    for (int level = 1; level < LEVELS; level++)
        if (levels[level - 1])
            return levels[level - 1];
    return levels[LEVELS - 1];
}

const ash__kernels *ash__cpu_kernels(void)
{
    static _Atomic(const ash__kernels *) chosen;
    const ash__kernels *k = atomic_load_explicit(&chosen, memory_order_acquire);
    if (!k) {
        k = choose();
        atomic_store_explicit(&chosen, k, memory_order_release);
    }
    return k;
}
