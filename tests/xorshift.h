/* xorshift.h - random words for tests that do without the library's: G. Marsaglia, xorshift, 2003. */
#ifndef XORSHIFT_H
#define XORSHIFT_H
#include <stdint.h>

static uint64_t seed = 88172645463325252u;
static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}
#endif
