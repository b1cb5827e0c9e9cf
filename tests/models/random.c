/* random.c - splitmix64; see random.h. */
#include "random.h"

static uint64_t state;

void random_start(uint64_t seed)
{
    state = seed;
    state = random_bits(); /* else the streams of neighbouring seeds are shifts of one another */
}

uint64_t random_bits(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int64_t random_below(int64_t n)
{
    return (int64_t)(random_bits() % (uint64_t)n);
}

int64_t random_in(int64_t first, int64_t last)
{
    return first + random_below(last - first + 1);
}

bool one_in(int64_t n)
{
    return random_below(n) == 0;
}

void random_order(int64_t *list, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = random_below(i + 1);
        list[i] = list[k];
        list[k] = i;
    }
}
