/* real.h - words of the forms over f32 and f64. */
#ifndef DOUBLE_REAL_H
#define DOUBLE_REAL_H
#include <math.h>

#include "lanes.h"

static inline u32 bits32(f32 x)
{
    u32 u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline f32 real32(u32 u)
{
    f32 x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline u64 bits64(f64 x)
{
    u64 u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline f64 real64(u64 u)
{
    f64 x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* A NaN of f32 is always this one; f64 keeps payloads, as the host does. */
static inline f32 nan32(f32 x)
{
    return x == x ? x : real32(0x7fffffff);
}

static inline f32 flushed(f32 x) /* subnormal numbers are 0 with their sign */
{
    return (bits32(x) & 0x7f800000) ? x : real32(bits32(x) & 0x80000000);
}

#define AS_IS(X) (X)
#define SATURATED(X) ((X) > 0 ? ((X) < 1 ? (X) : 1) : 0) /* NaN: 0 */
#define FLUSHED_SATURATED(X) SATURATED(flushed(X))
#endif
