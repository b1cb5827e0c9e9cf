/*
 * interpret.c - runs plans: all steps of a program over one block, then over the next.
 *
 * A block's temporaries stay in L1, so a program of k operations reads and writes memory once instead of k times. Inputs
 * are read where they lie and the last kernel writes to where the result is wanted; the rest is one call per step.
 *
 * Invariant: everything that a block reads of the operands has been read before the last step writes the result, so a
 * result may lie exactly over an operand.
 */
#include "backend/cpu/interpret.h"

#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"

/* ---- uniform values */

static void load_uniform(const ash__evaluator *e, const ash__uniform *u)
{
    if (ash__is_half(u->dtype)) {
        uint16_t bits;
        memcpy(&bits, u->base, sizeof bits);
        ash__load16_for(e->kernels->elementwise, u->dtype)(e->slot[u->slot], &bits, NULL, NULL, 1);
    } else {
        memcpy(e->slot[u->slot], u->base, (size_t)1 << ash__log_size(u->dtype));
    }
}

void ash__plan_prologue(ash__evaluator *e)
{
    for (int32_t k = 0; k < e->uniforms; k++)
        load_uniform(e, &e->uniform[k]);
    for (int32_t k = 0; k < e->prologue_steps; k++) {
        const ash__step *const s = &e->prologue[k];
        s->run(e->slot[s->d], e->slot[s->a], e->slot[s->b], e->slot[s->c], 1);
    }
    for (int32_t k = 0; k < e->splats; k++)
        e->kernels->layout->splat[e->splat[k].log](e->slot[e->splat[k].d], e->slot[e->splat[k].a], e->block);
}

/* ---- blocks */

static void fetch_ahead(const char *at, int64_t nbytes)
{
    for (int64_t k = 0; k < nbytes; k += 64)
        __builtin_prefetch(at + k, 0, 3);
}

static void run_block(ash__evaluator *e, int64_t first, int64_t m, void *lanes);
static const void *as_stored(ash__evaluator *e, int k, int64_t n, void *to);

/* Elements `done` to m - 1 of the block that begins with element `first`, to where native code would have put them. */
static void run_rest(ash__evaluator *e, int64_t first, int64_t done, int64_t m)
{
    ash__evaluator *const c = e->careful;
    for (int64_t n; done < m; done += n) {
        n = m - done < c->block ? m - done : c->block;
        for (int k = 0; k < e->outputs; k++) {
            const ash__output *const o = &c->output[k];
            char *const to = o->kind == ASH__OUTPUT_RESULT ? e->slot[e->output[k].place] : o->buffer;
            if (e->stored)
                c->slot[o->place] = o->buffer;
            else if (o->kind == ASH__OUTPUT_RESULT || o->kind == ASH__OUTPUT_FEED)
                c->slot[o->place] = to + (done << o->log);
        }
        run_block(c, first + done, n, NULL);
        if (e->stored)
            as_stored(c, 0, n, (char *)e->slot[e->output[0].place] + 2 * done);
    }
    e->faults |= c->faults;
}

/* lanes: of a fold, or NULL */
static void run_native(ash__evaluator *e, int64_t first, int64_t m, void *lanes)
{
    void *at[ASH__NATIVE_SLOTS];
    at[0] = e->scalar;
    for (int32_t k = 0; k < e->native_slots; k++)
        at[k + 1] = e->slot[e->native_slot[k]];
    if (lanes) {
        at[1] = lanes;
        e->native_fold(at, m);
        return;
    }
    const int64_t done = e->native(at, m);
    if (done < m)
        run_rest(e, first, done, m);
}

static void run_block(ash__evaluator *e, int64_t first, int64_t m, void *lanes)
{
    void **const slot = e->slot;
    for (int32_t k = 0; k < e->movings; k++) {
        const ash__moving *const x = &e->moving[k];
        slot[x->slot] = (char *)(uintptr_t)(x->base + first * x->item);
        if (e->prefetch)
            fetch_ahead(x->base + (first + m) * x->item, m * x->item);
    }
    const ash__step *const end = e->step + e->steps;
    for (const ash__step *s = e->step; s < end; s++)
        if (s->run)
            s->run(slot[s->d], slot[s->a], slot[s->b], slot[s->c], m);
        else
            slot[s->d] = (void *)(uintptr_t)ash__feed_get(&e->feed[s->a], first, m, slot[s->b]);
    if (e->native)
        run_native(e, first, m, lanes);
}

/* What no kernel has written to its place: elements that lie elsewhere. */
static void bring(const ash__evaluator *e, const ash__output *o, int64_t m, char *to)
{
    const void *const from = e->slot[o->slot];
    if (o->kind == ASH__OUTPUT_UNIFORM)
        e->kernels->layout->splat[o->log](to, from, m);
    else if (from != to)
        memcpy(to, from, (size_t)m << o->log);
}

/* Elements first .. first + n - 1 to `to`. whole: also those that a caller could read where they lie. */
static void run(ash__evaluator *e, int64_t first, int64_t n, char *const to[2], bool whole)
{
    for (int64_t done = 0; done < n;) {
        const int64_t m = n - done < e->block ? n - done : e->block;
        for (int k = 0; k < e->outputs; k++)
            if (e->output[k].kind == ASH__OUTPUT_RESULT || e->output[k].kind == ASH__OUTPUT_FEED)
                e->slot[e->output[k].place] = to[k] + (done << e->output[k].log);
        run_block(e, first + done, m, NULL);
        for (int k = 0; k < e->outputs; k++) {
            const ash__output *const o = &e->output[k];
            if (o->kind == ASH__OUTPUT_UNIFORM || (whole && o->kind != ASH__OUTPUT_RESULT) ||
                (o->kind == ASH__OUTPUT_FEED && m < n))
                bring(e, o, m, to[k] + (done << o->log));
        }
        done += m;
    }
}

/* ---- the interface */

ash__evaluator *ash__evaluator_new(const ash__task *task, const int64_t *axis, int64_t rank)
{
    ash__evaluator *const e = ash__spare_take(sizeof *e);
    const ash_status status = e ? ash__plan(e, task, axis, rank, ASH__FOLD_BLOCK, NULL, 0) : ASH_ERR_MEMORY;
    if (status == ASH_OK)
        return e;
    ash__plan_fail(task, status);
    if (e)
        ash__spare_give(e);
    return NULL;
}

void ash__evaluator_free(ash__evaluator *e)
{
    if (!e)
        return;
    ash__plan_end(e);
    ash__spare_give(e);
}

void ash__evaluator_base(ash__evaluator *e, const int64_t *offset)
{
    bool changed = false;
    for (int32_t k = 0; k < e->movings; k++)
        e->moving[k].base = e->moving[k].start + offset[e->moving[k].operand];
    for (int32_t k = 0; k < e->feeds; k++)
        ash__feed_base(&e->feed[k], offset[e->operand_of_feed[k]]);
    for (int32_t k = 0; k < e->uniforms; k++) {
        const char *const base = e->uniform[k].start + offset[e->uniform[k].operand];
        changed |= base != e->uniform[k].base;
        e->uniform[k].base = base;
    }
    if (changed)
        ash__plan_prologue(e);
    if (e->careful)
        ash__evaluator_base(e->careful, offset);
}

static const void *result_of(const ash__evaluator *e, const ash__output *o, int64_t first, int64_t n)
{
    if (o->kind == ASH__OUTPUT_RESULT || o->kind == ASH__OUTPUT_UNIFORM)
        return o->buffer;
    if (o->kind == ASH__OUTPUT_FEED)
        return n <= e->block ? e->slot[o->slot] : o->buffer;
    for (int32_t k = 0; k < e->movings; k++)
        if (e->moving[k].slot == o->slot)
            return e->moving[k].base + first * e->moving[k].item;
    return NULL;
}

bool ash__evaluates_in_place(const ash__evaluator *e)
{
    bool all = e->steps == 0;
    for (int k = 0; k < e->outputs; k++)
        all &= e->output[k].kind == ASH__OUTPUT_MOVING;
    return all;
}

void ash__evaluate(ash__evaluator *e, int64_t first, int64_t n, const void **re, const void **im)
{
    char *const to[2] = {e->output[0].buffer, e->output[1].buffer};
    if (!ash__evaluates_in_place(e))
        run(e, first, n, to, false);
    *re = result_of(e, &e->output[0], first, n);
    *im = e->program->outputs == 1 ? NULL : e->outputs == 1 ? *re : result_of(e, &e->output[1], first, n);
}

/* The value of output k as its dtype's part is stored. */
static const void *as_stored(ash__evaluator *e, int k, int64_t n, void *to)
{
    const ash_dtype part = ash__part(e->program->dtype);
    const ash__output *const o = &e->output[k];
    if (!ash__is_half(part))
        return o->buffer;
    ash__store16_for(e->kernels->elementwise, part, o->log == 2 ? ASH_F32 : ASH_F64)(to, o->buffer, NULL, NULL, n);
    return to;
}

static void evaluate_staged(ash__evaluator *e, int64_t first, int64_t n, char *out)
{
    char *const to[2] = {e->output[0].buffer, e->output[1].buffer};
    const ash_dtype part = ash__part(e->program->dtype);
    run(e, first, n, to, true);
    if (ash__is_complex(e->program->dtype)) {
        const void *const re = as_stored(e, 0, n, e->stage[0]);
        const void *const im = e->outputs == 1 ? re : as_stored(e, 1, n, e->stage[1]);
        e->kernels->layout->zip[ash__log_size(part)](out, re, im, n);
    } else if (as_stored(e, 0, n, out) != out) {
        memcpy(out, e->output[0].buffer, (size_t)n << e->output[0].log);
    }
}

void ash__evaluate_into(ash__evaluator *e, int64_t first, int64_t n, void *out)
{
    char *const to[2] = {out, NULL};
    if (e->direct)
        run(e, first, n, to, true);
    else
        evaluate_staged(e, first, n, out);
}

bool ash__evaluates_folds(const ash__evaluator *e)
{
    return e->native_fold != NULL;
}

bool ash__evaluate_fold(ash__evaluator *e, int64_t first, int64_t n, void *lanes)
{
    if (!e->native_fold || (n > e->block && e->block % ASH__LANES != 0))
        return false;
    for (int64_t done = 0, m; done < n; done += m) {
        m = n - done < e->block ? n - done : e->block;
        run_block(e, first + done, m, lanes);
    }
    return true;
}

int ash__evaluator_faults(const ash__evaluator *e)
{
    return e->faults;
}
