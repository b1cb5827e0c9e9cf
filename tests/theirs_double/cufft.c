/*
 * cufft.c - a double of cuFFT for tests, never installed: the entries that src/backend/cuda/cufft.c uses, as the definition has
 * transforms, on memory that it reaches through the driver. It finds fault with arguments where cuFFT would, writes all of the
 * memory to work in, and does to half spectra what cuFFT may: imaginary parts that cannot be count, and the input is destroyed.
 *
 * CUFFT_DOUBLE_FAULT=create=N, make=N or exec=N: that call answers with status N. cufft_double_calls: transforms that were
 * done, _made: plans that were made, _alive: that have not been destroyed.
 */
#include <math.h>

#include "reach.h"

enum { INVALID_PLAN = 1, INVALID_TYPE = 3, INVALID_VALUE = 4, SETUP_FAILED = 7, INVALID_SIZE = 8 };
enum { C2C = 0x29, R2C = 0x2a, C2R = 0x2c, Z2Z = 0x69, D2Z = 0x6a, Z2D = 0x6c };
enum { PLANS = 64, FIRST = 100 };

typedef struct side {
    int64_t n, step, each; /* numbers of a transform */
    size_t size;           /* of one */
} side;
typedef struct plan {
    int is_there, is_made, is_bare; /* bare: without memory of its own */
    int type;
    int64_t n, count;
    side from, to;
    size_t nbytes;
    void *stream, *work;
} plan;
static plan plans[PLANS];

EXPORT int cufft_double_calls, cufft_double_made, cufft_double_alive;

static plan *plan_of(int which)
{
    plan *const p = which >= FIRST && which < FIRST + PLANS ? &plans[which - FIRST] : NULL;
    return p && p->is_there ? p : NULL;
}

static int is_wide(int type)
{
    return type >= Z2Z;
}

/* ---- plans */

EXPORT int cufftCreate(int *which)
{
    int at = 0;
    while (at < PLANS && plans[at].is_there)
        at++;
    if (fault("CUFFT_DOUBLE_FAULT", "create"))
        return fault("CUFFT_DOUBLE_FAULT", "create");
    if (at == PLANS || find_driver())
        return SETUP_FAILED;
    plans[at] = (plan){.is_there = 1};
    cufft_double_alive++;
    *which = FIRST + at;
    return 0;
}

EXPORT int cufftDestroy(int which)
{
    plan *const p = plan_of(which);
    if (!p)
        return INVALID_PLAN;
    cufft_double_alive--;
    *p = (plan){0};
    return 0;
}

EXPORT int cufftSetAutoAllocation(int which, int yes)
{
    plan *const p = plan_of(which);
    if (!p || p->is_made)
        return INVALID_PLAN;
    p->is_bare = !yes;
    return 0;
}

static side side_of(int type, int is_to, int64_t n, int64_t step, int64_t each)
{
    const int narrow = is_wide(type) ? type - (Z2Z - C2C) : type;
    const int is_half = narrow == (is_to ? R2C : C2R), is_real = narrow == (is_to ? C2R : R2C);
    return (side){is_half ? n / 2 + 1 : n, step, each, (is_wide(type) ? 8u : 4u) * (is_real ? 1 : 2)};
}

EXPORT int cufftMakePlanMany64(int which, int rank, long long *n, long long *from_room, long long from_step,
                               long long from_each, long long *to_room, long long to_step, long long to_each, int type,
                               long long count, size_t *nbytes)
{
    plan *const p = plan_of(which);
    if (fault("CUFFT_DOUBLE_FAULT", "make"))
        return fault("CUFFT_DOUBLE_FAULT", "make");
    if (!p || p->is_made)
        return INVALID_PLAN;
    if (type != C2C && type != R2C && type != C2R && type != Z2Z && type != D2Z && type != Z2D)
        return INVALID_TYPE;
    if (rank != 1 || *n < 1 || count < 1)
        return INVALID_SIZE;
    p->from = side_of(type, 0, *n, from_step, from_each);
    p->to = side_of(type, 1, *n, to_step, to_each);
    if (from_step < 1 || from_each < 1 || to_step < 1 || to_each < 1 || !from_room || !to_room || *from_room < p->from.n ||
        *to_room < p->to.n)
        return INVALID_VALUE;
    p->type = type;
    p->n = *n;
    p->count = count;
    *nbytes = p->nbytes = *n % 2 ? 16 * (size_t)*n : 0;
    p->is_made = 1;
    cufft_double_made++;
    return 0;
}

EXPORT int cufftSetWorkArea(int which, void *work)
{
    plan *const p = plan_of(which);
    if (!p || !p->is_made || !p->is_bare || !work)
        return INVALID_PLAN;
    p->work = work;
    return 0;
}

EXPORT int cufftSetStream(int which, void *stream)
{
    plan *const p = plan_of(which);
    if (!p || !stream)
        return INVALID_PLAN;
    p->stream = stream;
    return 0;
}

/* ---- transforms */

static size_t bytes_of(const plan *p, const side *s)
{
    return (size_t)((s->n - 1) * s->step + (p->count - 1) * s->each + 1) * s->size;
}

static double part(const char *at, int wide)
{
    float narrow;
    double x;
    memcpy(&narrow, at, sizeof narrow);
    memcpy(&x, at, wide ? sizeof x : sizeof narrow);
    return wide ? x : (double)narrow;
}
static void put_part(char *at, int wide, double x)
{
    const float narrow = (float)x;
    memcpy(at, wide ? (const void *)&x : (const void *)&narrow, wide ? sizeof x : sizeof narrow);
}

static double complex number(const plan *p, const char *from, int64_t member, int64_t k)
{
    const int wide = is_wide(p->type);
    const size_t item = wide ? 8 : 4;
    const int64_t there = k < p->from.n ? k : p->n - k; /* of a half spectrum */
    const char *const at = from + (size_t)(member * p->from.each + there * p->from.step) * p->from.size;
    const double im = p->from.size == item ? 0 : part(at + item, wide);
    return part(at, wide) + I * (there == k ? im : -im);
}

static void run(const plan *p, const char *from, char *to, int sign, double complex *x)
{
    const int wide = is_wide(p->type);
    const size_t item = wide ? 8 : 4;
    for (int64_t member = 0; member < p->count; member++) {
        for (int64_t k = 0; k < p->n; k++)
            x[k] = number(p, from, member, k);
        for (int64_t j = 0; j < p->to.n; j++) {
            double complex sum = p->to.size == item ? cimag(x[0]) : 0; /* of what cannot be */
            for (int64_t k = 0; k < p->n; k++)
                sum += x[k] * cexp(I * 6.283185307179586477 * (double)sign * (double)(j * k % p->n) / (double)p->n);
            char *const at = to + (size_t)(member * p->to.each + j * p->to.step) * p->to.size;
            put_part(at, wide, creal(sum));
            if (p->to.size > item)
                put_part(at + item, wide, cimag(sum));
        }
    }
}

/* All of the memory that the plan works in is written. */
static int spoil(uint64_t to, size_t nbytes)
{
    char *const bytes = malloc(nbytes + 1);
    memset(bytes, 0xff, nbytes + 1); /* numbers that are not */
    const int failed = nbytes && driver.in(to, bytes, nbytes);
    free(bytes);
    return failed;
}

/* So is what half spectra were read from. */
static int spoil_input(const plan *p, uint64_t at, char *bytes)
{
    for (int64_t member = 0; member < p->count; member++)
        for (int64_t k = 0; k < p->from.n; k++)
            memset(bytes + (size_t)(member * p->from.each + k * p->from.step) * p->from.size, 0xff, p->from.size);
    return driver.in(at, bytes, bytes_of(p, &p->from));
}

static int execute(int which, int type, void *from_at, void *to_at, int sign)
{
    const plan *const p = plan_of(which);
    const size_t aligned = is_wide(type) ? 16 : 8;
    if (fault("CUFFT_DOUBLE_FAULT", "exec"))
        return fault("CUFFT_DOUBLE_FAULT", "exec");
    if (!p || !p->is_made || p->type != type || !p->stream || (p->is_bare && !p->work))
        return INVALID_PLAN;
    if ((uintptr_t)from_at % aligned || (uintptr_t)to_at % aligned ||
        (from_at == to_at && memcmp(&p->from, &p->to, sizeof p->to)))
        return INVALID_VALUE;
    const size_t read = bytes_of(p, &p->from), written = bytes_of(p, &p->to);
    char *const from = malloc(read), *const to = malloc(written);
    double complex *const x = malloc((size_t)p->n * sizeof *x);
    int failed = driver.wait(p->stream) || driver.out(from, (uintptr_t)from_at, read) ||
                 driver.out(to, (uintptr_t)to_at, written) || spoil((uintptr_t)p->work, p->nbytes);
    if (!failed) {
        run(p, from, to, sign, x);
        failed =
            (p->to.size < p->from.size && spoil_input(p, (uintptr_t)from_at, from)) || driver.in((uintptr_t)to_at, to, written);
    }
    free(from);
    free(to);
    free(x);
    cufft_double_calls++;
    return failed ? INVALID_VALUE : 0;
}

EXPORT int cufftExecC2C(int which, void *from, void *to, int direction)
{
    return direction != 1 && direction != -1 ? INVALID_VALUE : execute(which, C2C, from, to, direction);
}
EXPORT int cufftExecZ2Z(int which, void *from, void *to, int direction)
{
    return direction != 1 && direction != -1 ? INVALID_VALUE : execute(which, Z2Z, from, to, direction);
}
EXPORT int cufftExecR2C(int which, void *from, void *to)
{
    return execute(which, R2C, from, to, -1);
}
EXPORT int cufftExecD2Z(int which, void *from, void *to)
{
    return execute(which, D2Z, from, to, -1);
}
EXPORT int cufftExecC2R(int which, void *from, void *to)
{
    return execute(which, C2R, from, to, 1);
}
EXPORT int cufftExecZ2D(int which, void *from, void *to)
{
    return execute(which, Z2D, from, to, 1);
}
