/*
 * registers.c - schedule and linear scan: M. Poletto, V. Sarkar, Linear Scan Register Allocation, ACM TOPLAS 21 (1999).
 *
 * Operands are loaded just before their first use, or are the memory operand of their only one. Stores come last in a body,
 * when no operand is read any more, so a result may lie exactly over one. When registers run out, the value whose last reader
 * is farthest lives on the stack for all its life; an operand is then read again from where it lies. Constants get what
 * registers are left.
 */
#include "backend/cpu/native/registers.h"

#include <string.h>

#include "backend/cpu/native/target.h"

enum { NONE = ASH__NO_REGISTER, SPILL_LIMIT = 100, LONG_BODY = 20 };
enum { PLANNED = 1, EVICTED = 2 }; /* why a load is fused */

bool ash__commutes(unsigned op)
{
    return op == ASH__M_ADD || op == ASH__M_MUL || op == ASH__M_AND || op == ASH__M_OR || op == ASH__M_XOR ||
           op == ASH__M_MULLOW;
}

/* Loads that can be memory operands. */
static bool is_loaded(const ash__body_ins *i)
{
    return i->op == ASH__M_LOAD && !ash__is_mask(i->type) && !ash__narrow_bytes(i->from);
}

/* ---- the order */

/* May instruction i read operand number k from memory? */
static bool may_read(const ash__registers *r, const ash__body_ins *i, int k)
{
    if (!ash__isa_infos[r->m->isa].has_memory)
        return false;
    switch (i->op) {
    case ASH__M_STORE:
    case ASH__M_FOLD:
    case ASH__M_LEAVE:
    case ASH__M_SELECT:
    case ASH__M_KEEP:
    case ASH__M_NOT:
        return false;
    case ASH__M_CONVERT:
    case ASH__M_CONVERTU: /* the other way round, or in two steps: from registers */
        return ash__lane_bytes(i->type) >= ash__lane_bytes(i->from) || i->type == ASH__LANE_F32 || i->from == ASH__LANE_F64;
    case ASH__M_FMA:
        return true;
    case ASH__M_COMPARE:
        return r->wide || i->from <= ASH__LANE_F64 || i->imm == ASH__IS_EQUAL ? k == 1 : k == 0;
    default:
        return ash__commutes(i->op) || k == ash__sources_of(i->op) - 1;
    }
}

static void place(ash__registers *r, int v)
{
    r->order[r->count++] = (uint16_t)v;
}

static void place_operands(ash__registers *r, const ash__body_ins *i)
{
    bool fused = false;
    for (int k = 0; k < ash__sources_of(i->op); k++) {
        const int a = i->arg[k];
        const ash__body_ins *const x = &r->m->ins[a];
        const bool late = x->op == ASH__M_LOAD || (x->op == ASH__M_CELL && ash__is_mask(x->type));
        if (!late || r->last[a] != NONE || r->fused[a])
            continue;
        if (!fused && is_loaded(x) && r->uses[a] == 1 && may_read(r, i, k)) {
            r->fused[a] = PLANNED;
            fused = true;
        } else {
            r->last[a] = 0;
            place(r, a);
        }
    }
}

/* Is operand number k part of the instruction? */
static bool is_immediate(const ash__registers *r, const ash__body_ins *i, int k)
{
    const bool shifts = i->op == ASH__M_SHL || i->op == ASH__M_SHR || i->op == ASH__M_SAR;
    return k == 1 && shifts && ash__isa_infos[r->m->isa].has_counts && r->m->ins[i->arg[1]].op == ASH__M_LITERAL;
}

static void count_uses(ash__registers *r)
{
    for (int v = r->m->count - 1; v >= 0; v--) {
        const ash__body_ins *const i = &r->m->ins[v];
        if (!r->uses[v] && !ash__is_result(i->op))
            continue;
        for (int k = 0; k < ash__sources_of(i->op); k++)
            if (!is_immediate(r, i, k))
                r->uses[i->arg[k]]++;
    }
}

static void schedule(ash__registers *r)
{
    const ash__body *const m = r->m;
    count_uses(r);
    for (int v = 0; v < m->count; v++) {
        const ash__body_ins *const i = &m->ins[v];
        if (i->op == ASH__M_STORE)
            r->stored[i->arg[0]] = true;
        if (ash__sources_of(i->op) && (ash__is_result(i->op) || r->uses[v]))
            place_operands(r, i);
        if (i->op == ASH__M_LEAVE || (ash__sources_of(i->op) && !ash__is_result(i->op) && r->uses[v]))
            place(r, v);
    }
    for (int v = 0; v < m->count; v++)
        if (ash__is_result(m->ins[v].op) && m->ins[v].op != ASH__M_LEAVE)
            place(r, v);
    for (int at = 0; at < r->count; at++) {
        const ash__body_ins *const i = &m->ins[r->order[at]];
        for (int k = 0; k < ash__sources_of(i->op); k++)
            r->last[i->arg[k]] = (int16_t)at;
    }
}

/* ---- the scan */

typedef struct sets { /* registers that are free */
    uint32_t vectors, masks;
} sets;

static bool in_masks(const ash__registers *r, int v)
{
    return r->wide && ash__is_mask(r->m->ins[v].type);
}

static int lowest(uint32_t *set)
{
    if (!*set)
        return NONE;
    const int k = __builtin_ctz(*set);
    *set &= *set - 1;
    return k;
}

/* The register that value v, computed at `at`, gets from the value that is read last; NONE when that is v itself. */
static int evict(ash__registers *r, int at, int v)
{
    int far = v;
    for (int k = 0; k < at; k++) {
        const int x = r->order[k];
        if (r->reg[x] != NONE && in_masks(r, x) == in_masks(r, v) && r->last[x] > at && r->last[x] > r->last[far])
            far = x;
    }
    const int freed = r->reg[far];
    r->reg[far] = NONE;
    if (is_loaded(&r->m->ins[far]) && !r->stored[far])
        r->fused[far] = EVICTED;
    else
        r->spill[far] = (int16_t)r->spills++;
    return far == v ? NONE : freed;
}

static void free_operands(const ash__registers *r, int at, sets *s)
{
    const ash__body_ins *const i = &r->m->ins[r->order[at]];
    for (int k = 0; k < ash__sources_of(i->op); k++) {
        const int a = i->arg[k];
        if (ash__is_constant(&r->m->ins[a]) || r->reg[a] == NONE || r->last[a] != at)
            continue;
        if (in_masks(r, a))
            s->masks |= 1u << r->reg[a];
        else
            s->vectors |= 1u << r->reg[a];
    }
}

/* For a sum that the instruction adds to: that of the summand, if this is its last use, else one that no factor is in; NONE:
 * whichever is free once the operands are. */
static int summing(const ash__registers *r, int at, sets *s)
{
    const ash__body_ins *const i = &r->m->ins[r->order[at]];
    const int c = i->arg[2];
    if (i->op != ASH__M_FMA || !ash__isa_infos[r->m->isa].adds_in_place)
        return NONE;
    if (!ash__is_constant(&r->m->ins[c]) && r->reg[c] != NONE && r->last[c] == at)
        return r->reg[c];
    return lowest(&s->vectors);
}

static bool scan(ash__registers *r, int vectors, int masks)
{
    sets s = {vectors >= 32 ? UINT32_MAX : (1u << vectors) - 1, ((1u << masks) - 1) << ASH__FIRST_MASK};
    r->temps = r->masks = r->spills = 0;
    for (int v = 0; v < r->m->count; v++) {
        r->reg[v] = NONE;
        r->spill[v] = NONE;
        r->fused[v] = r->fused[v] == PLANNED ? PLANNED : 0;
    }
    for (int at = 0; at < r->count; at++) {
        const int v = r->order[at];
        int reg = summing(r, at, &s);
        free_operands(r, at, &s);
        if (ash__is_result(r->m->ins[v].op))
            continue;
        const bool mask = in_masks(r, v);
        if (reg == NONE)
            reg = lowest(mask ? &s.masks : &s.vectors);
        else
            s.vectors &= ~(1u << reg);
        if (reg == NONE)
            reg = evict(r, at, v);
        r->reg[v] = (int8_t)reg;
        if (mask && reg - ASH__FIRST_MASK + 1 > r->masks)
            r->masks = reg - ASH__FIRST_MASK + 1;
        if (!mask && reg + 1 > r->temps)
            r->temps = reg + 1;
    }
    return r->spills < SPILL_LIMIT;
}

/* ---- copies and constants */

static void choose_copies(ash__registers *r, int usable, int constants)
{
    r->unroll = r->accumulators >= 0   ? ASH__LANES / r->lanes
                : r->count > LONG_BODY ? 2 /* long bodies gain nothing from more */
                                       : 4;
    r->copies = r->spills ? 1 : r->count > LONG_BODY ? 2 : 4;
    while (r->copies > 1 && (r->copies * r->temps + constants > usable || r->copies * r->masks > 6))
        r->copies /= 2;
    if (r->copies == 1 && !r->spills && 2 * r->temps + constants / 2 <= usable && 2 * r->masks <= 6)
        r->copies = 2;
}

static bool wants_register(const ash__registers *r, int v, int least)
{
    const ash__body_ins *const i = &r->m->ins[v];
    if (!ash__is_constant(i) || !r->uses[v] || r->reg[v] != NONE)
        return false;
    return (i->op == ASH__M_CELL && (!r->wide || ash__narrow_bytes(i->from)) && least == 4) || r->uses[v] >= least;
}

static void hoist_constants(ash__registers *r, int usable)
{
    int next = r->copies * r->temps;
    for (int least = 4; least > 0; least--)
        for (int v = 0; v < r->m->count && next < usable; v++)
            if (wants_register(r, v, least))
                r->reg[v] = (int8_t)next++;
}

bool ash__registers_assign(ash__registers *r, const ash__body *m, int limit)
{
    int widest = 4, constants = 0;
    memset(r, 0, sizeof *r);
    r->m = m;
    r->wide = ash__isa_infos[m->isa].has_masks;
    r->scratch = ash__isa_infos[m->isa].vectors;
    for (int v = 0; v < m->count; v++) {
        r->last[v] = NONE;
        if (ash__lane_bytes(m->ins[v].type) > widest)
            widest = 8;
    }
    r->lanes = ash__isa_infos[m->isa].vector_bytes / widest;
    schedule(r);
    for (int v = 0; v < m->count; v++)
        constants += ash__is_constant(&m->ins[v]) && r->uses[v];
    r->accumulators = NONE;
    for (int v = 0; v < m->count; v++)
        if (m->ins[v].op == ASH__M_FOLD && r->wide)
            r->accumulators = r->scratch - ASH__LANES / r->lanes;
    const int most = r->accumulators >= 0 ? r->accumulators : r->scratch;
    int usable = most < limit ? most : limit;
    r->result = NONE;
    if (!scan(r, usable, 6))
        return false;
    if (r->spills) { /* again, with registers for results on their way to the stack */
        r->result = most - 1;
        usable = r->result < usable ? r->result : usable;
        if (!scan(r, usable, ASH__MASK_RESULT - ASH__FIRST_MASK))
            return false;
    }
    choose_copies(r, usable, constants);
    hoist_constants(r, usable);
    return true;
}
