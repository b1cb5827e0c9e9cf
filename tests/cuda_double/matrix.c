/*
 * matrix.c - products of small matrices by a warp: mma.sync and ldmatrix.
 *
 * Which lane holds which element: PTX ISA, "Matrix fragments for mma.m16n8k8" and its neighbours. Products are exact in f64 and
 * so are the sums of them here, rounded once to the type of the result: a device rounds no better and in an order of its own.
 */
#include "run.h"

typedef struct shape {
    u8 m, n, k;
    number factor, sum;
    bool tf32;
} shape;

static const shape shapes[] = {{16, 8, 8, NUMBER_f16, NUMBER_f16, false},  {16, 8, 8, NUMBER_f16, NUMBER_f32, false},
                               {16, 8, 16, NUMBER_f16, NUMBER_f16, false}, {16, 8, 16, NUMBER_f16, NUMBER_f32, false},
                               {16, 8, 8, NUMBER_bf16, NUMBER_f32, false}, {16, 8, 16, NUMBER_bf16, NUMBER_f32, false},
                               {16, 8, 4, NUMBER_f32, NUMBER_f32, true},   {16, 8, 8, NUMBER_f32, NUMBER_f32, true},
                               {8, 8, 4, NUMBER_f64, NUMBER_f64, false}};

/* Element e of a lane in a fragment whose registers hold `packed` elements: row and column for A; B is A turned over. */
static void place_in_a(const shape *s, u32 lane, u32 e, u32 packed, u32 *row, u32 *column)
{
    const u32 quad = lane / 4, within = lane % 4, reg = e / packed, part = e % packed;
    if (s->m == 8) {
        *row = quad;
        *column = within;
        return;
    }
    *row = quad + 8 * (reg & 1);
    *column = within * packed + part + 4 * packed * (reg >> 1);
}

static void place_in_b(u32 lane, u32 e, u32 packed, u32 *row, u32 *column)
{
    const u32 quad = lane / 4, within = lane % 4, reg = e / packed, part = e % packed;
    *row = within * packed + part + 4 * packed * reg;
    *column = quad;
}

static void place_in_c(u32 lane, u32 e, u32 *row, u32 *column) /* two neighbours in a row, then 8 rows below */
{
    *row = lane / 4 + 8 * (e / 2);
    *column = lane % 4 * 2 + e % 2;
}

static f64 value_at(const step *s, place where, u32 lane, number n, u32 part, bool tf32)
{
    const conversion wide = {.to = NUMBER_f64, .from = n};
    const u8 *const from = column(s, where);
    if (n == NUMBER_f64)
        return ((const f64 *)(const void *)from)[lane];
    u32 bits = ((const u32 *)(const void *)from)[lane];
    if (n == NUMBER_f32)
        return (f64)real32(tf32 ? bits & ~0x1fffu : bits); /* the low 13 bits are not read */
    bits = bits >> 16 * part & 0xffff;
    return real64(convert_bits(&wide, bits));
}

void run_matrix(const step *s)
{
    const shape *const h = &shapes[s->now->what];
    const u32 *where = s->block->kernel->target + s->now->target;
    f64 a[16][16], b[16][8], c[16][8];
    u32 i, j;
    const u32 packed = number_size(h->factor) == 2 ? 2 : 1, packed_sum = h->sum == NUMBER_f16 ? 2 : 1;
    const u32 results = (u32)(h->m * h->n / LANES), of_a = (u32)(h->m * h->k / LANES), of_b = (u32)(h->k * h->n / LANES);
    const u32 *const result = where, *const first = result + results / packed_sum, *const second = first + of_a / packed,
                     *const third = second + of_b / packed;
    for (u32 l = 0; l < LANES; l++) {
        for (u32 e = 0; e < of_a; e++) {
            place_in_a(h, l, e, packed, &i, &j);
            a[i][j] = value_at(s, first[e / packed], l, h->factor, e % packed, h->tf32);
        }
        for (u32 e = 0; e < of_b; e++) {
            place_in_b(l, e, packed, &i, &j);
            b[i][j] = value_at(s, second[e / packed], l, h->factor, e % packed, h->tf32);
        }
        for (u32 e = 0; e < results; e++) {
            place_in_c(l, e, &i, &j);
            c[i][j] = value_at(s, third[e / packed_sum], l, h->sum, e % packed_sum, false);
        }
    }
    for (i = 0; i < h->m; i++)
        for (j = 0; j < h->n; j++)
            for (u32 k = 0; k < h->k; k++)
                c[i][j] = h->sum == NUMBER_f64 ? fma(a[i][k], b[k][j], c[i][j]) : c[i][j] + a[i][k] * b[k][j];
    const conversion narrow = {.to = h->sum, .from = NUMBER_f64};
    for (u32 l = 0; l < LANES; l++)
        for (u32 e = 0; e < results; e++) {
            place_in_c(l, e, &i, &j);
            const u64 bits = convert_bits(&narrow, bits64(c[i][j]));
            const size_t width = number_size(h->sum);
            u8 *const to = column(s, result[e / packed_sum]);
            memcpy(to + l * width * packed_sum + width * (e % packed_sum), &bits, width);
        }
}

/* Lane 8 q + r gives where row r of matrix q begins; lane l takes elements 2 (l % 4) and its neighbour of row l / 4. */
void run_ldmatrix(const step *s)
{
    const instruction *const i = s->now;
    const u64 *const base = column(s, i->operand[0]);
    u8 *row[LANES] = {0};
    u64 address[LANES];
    const u32 lanes = i->count == 4 ? ~0u : (1u << 8 * i->count) - 1;
    for (int l = 0; l < LANES; l++)
        address[l] = base[l] + (u64)i->offset;
    find_bytes(s, (space)i->space, address, 16, false, lanes, row);
    for (u32 q = 0; q < i->count; q++) {
        u32 *const to = column(s, s->block->kernel->target[i->target + q]);
        for (u32 l = 0; l < LANES; l++) {
            u16 pair[2];
            for (u32 e = 0; e < 2; e++) {
                const u32 r = i->what ? 2 * (l % 4) + e : l / 4, c = i->what ? l / 4 : 2 * (l % 4) + e;
                memcpy(&pair[e], row[8 * q + r] + 2 * c, 2);
            }
            to[l] = pair[0] | (u32)pair[1] << 16;
        }
    }
}
