/* arm64_bytes.c - where registers and immediates go in the words of AArch64 instructions. */
#include "backend/cpu/native/arm64_bytes.h"

#include <string.h>

#define SIZE_BIT (1u << 22)  /* lanes of 8 bytes, not 4 */
#define WHOLE_BIT (1u << 30) /* 16 bytes, not 8 */

static const uint32_t word_of[ASH__A_COUNT] = {
#define WORD(ID, word, text) [ASH__A_##ID] = word,
    ASH__ARM64_SHAPED(WORD) ASH__ARM64_WORDS(WORD) ASH__ARM64_FIXED(WORD)};
static const uint32_t shape_of[] = {[ASH__2S] = 0, [ASH__4S] = WHOLE_BIT, [ASH__2D] = WHOLE_BIT | SIZE_BIT};

void ash__arm64_word(ash__arm64_code *c, uint32_t word)
{
    if (c->at < c->room)
        memcpy(c->start + 4 * (size_t)c->at, &word, sizeof word);
    c->at++;
}

static void put(ash__arm64_code *c, uint32_t word, int d, int n)
{
    ash__arm64_word(c, word | (uint32_t)n << 5 | (uint32_t)d);
}

void ash__arm64_put(ash__arm64_code *c, ash__arm64_op op, ash__arm64_shape shape, int d, int n, int m)
{
    put(c, word_of[op] | (op < ASH__A_FIXED ? shape_of[shape] : 0) | (uint32_t)m << 16, d, n);
}

/* The immediate has the lane's size in its highest bit: size + count to the left, 2*size - count to the right. */
void ash__arm64_shift_by(ash__arm64_code *c, ash__arm64_shift kind, ash__arm64_shape shape, int d, int n, int count)
{
    static const uint32_t word[] = {[ASH__SHL] = 0x0F005400, [ASH__USHR] = 0x2F000400, [ASH__SSHR] = 0x0F000400};
    const int size = shape == ASH__2D ? 64 : 32, immediate = kind == ASH__SHL ? size + count : 2 * size - count;
    put(c, word[kind] | (shape_of[shape] & WHOLE_BIT) | (uint32_t)immediate << 16, d, n);
}

static void access(ash__arm64_code *c, int nbytes, bool load, int reg, int base, int offset)
{
    static const uint32_t word[] = {0x3D000000, 0x7D000000, 0xBD000000, 0xFD000000, 0x3D800000};
    const int log = __builtin_ctz((unsigned)nbytes);
    put(c, word[log] | (load ? SIZE_BIT : 0) | (uint32_t)(offset >> log) << 10, reg, base);
}
void ash__arm64_load(ash__arm64_code *c, int nbytes, int reg, int base, int offset)
{
    access(c, nbytes, true, reg, base, offset);
}
void ash__arm64_store(ash__arm64_code *c, int nbytes, int reg, int base, int offset)
{
    access(c, nbytes, false, reg, base, offset);
}

/* ---- places known later */

static uint32_t distance(int32_t from, int32_t to) /* 19 bits of words, a megabyte either way */
{
    return ((uint32_t)(to - from) & 0x7FFFF) << 5;
}
static void tell(ash__arm64_code *c, int32_t from, int32_t to)
{
    uint32_t word;
    uint8_t *const place = c->start + 4 * (size_t)from;
    memcpy(&word, place, sizeof word);
    word |= distance(from, to);
    memcpy(place, &word, sizeof word);
}

void ash__arm64_load_literal(ash__arm64_code *c, int reg, int literal)
{
    if (c->fixes < ASH__ARM64_FIXES) {
        c->fix[c->fixes].at = c->at;
        c->fix[c->fixes].literal = (uint16_t)literal;
    }
    c->fixes++;
    put(c, 0x9C000000, reg, 0);
}

void ash__arm64_fix(ash__arm64_code *c, int32_t pool)
{
    for (int k = 0; k < c->fixes && ash__arm64_fits(c); k++)
        tell(c, c->fix[k].at, pool + 4 * c->fix[k].literal);
}

bool ash__arm64_fits(const ash__arm64_code *c)
{
    return c->at <= c->room && c->fixes <= ASH__ARM64_FIXES;
}

static int32_t branch(ash__arm64_code *c, uint32_t word, int32_t to)
{
    const int32_t at = c->at;
    ash__arm64_word(c, word | (to == ASH__ARM64_LATER ? 0 : distance(at, to)));
    return at;
}
int32_t ash__arm64_branch_if(ash__arm64_code *c, int condition, int32_t back)
{
    return branch(c, 0x54000000u | (uint32_t)condition, back);
}
int32_t ash__arm64_branch_if_zero(ash__arm64_code *c, bool zero, int x, int32_t back)
{
    return branch(c, (zero ? 0xB4000000u : 0xB5000000u) | (uint32_t)x, back);
}
void ash__arm64_land(ash__arm64_code *c, int32_t from)
{
    if (ash__arm64_fits(c))
        tell(c, from, c->at);
}

/* ---- integers */

void ash__arm64_add(ash__arm64_code *c, int d, int s, int n)
{
    put(c, 0x91000000u | (uint32_t)n << 10, d, s);
}
void ash__arm64_subtract(ash__arm64_code *c, int d, int s, int n)
{
    put(c, 0xD1000000u | (uint32_t)n << 10, d, s);
}
void ash__arm64_compare(ash__arm64_code *c, int s, int n)
{
    put(c, 0xF1000000u | (uint32_t)n << 10, 31, s);
}
void ash__arm64_low_bits(ash__arm64_code *c, int d, int s, int bits)
{
    put(c, 0x92400000u | (uint32_t)(bits - 1) << 10, d, s);
}
void ash__arm64_load_x(ash__arm64_code *c, int d, int base, int offset)
{
    put(c, 0xF9400000u | (uint32_t)(offset / 8) << 10, d, base);
}
