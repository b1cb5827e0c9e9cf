/*
 * adapt_struct.c - C structs whose arrays are brought to a target.
 *
 * The work is done on a copy of the struct's bytes, which becomes the result at the end. Members may lie anywhere in it, at
 * any alignment: pointers are read and written by memcpy.
 */
#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"
#include "ops/adapt.h"

enum { STRUCT_DEPTH = 64 };

/* What is done with each array pointer: at its place, which it may change. */
typedef struct visitor {
    ash_status (*array)(struct visitor *v, ash_array **a);
    ash__adaptation *m;
    int64_t held; /* arrays of the result that scopes or the caller hold */
    bool placed;  /* the error begins with a place already */
} visitor;

static ash_status check_member(const char *function, const ash_member *member, size_t size, int depth)
{
    const bool arrays = member->kind == ASH_MEMBER_ARRAYS, structs = member->kind == ASH_MEMBER_STRUCTS;
    if (!member->name || !(arrays || structs))
        return ash__fail(ASH_ERR_ARGUMENT, function, "member %.64s is neither arrays nor structs",
                         member->name ? member->name : "(no name)");
    if (member->offset > size || member->size > size - member->offset)
        return ash__fail(ASH_ERR_ARGUMENT, function, "member %.64s, %zu bytes at %zu, does not lie inside its struct of %zu",
                         member->name, member->size, member->offset, size);
    if (!member->item || member->size % member->item || (arrays && member->item != sizeof(ash_array *)))
        return ash__fail(ASH_ERR_ARGUMENT, function, "member %.64s of %zu bytes is no list of elements of %zu", member->name,
                         member->size, member->item);
    if (structs && (!member->inner || member->inner_count < 0))
        return ash__fail(ASH_ERR_ARGUMENT, function, "member %.64s has no list of members", member->name);
    if (structs && depth == STRUCT_DEPTH)
        return ash__fail(ASH_ERR_ARGUMENT, function, "structs nest more than %d deep", STRUCT_DEPTH);
    return ASH_OK;
}

static ash_status check_members(const char *function, const ash_member *member, int64_t count, size_t size, int depth)
{
    ash_status status = ASH_OK;
    for (int64_t i = 0; i < count && !status; i++) {
        status = check_member(function, &member[i], size, depth);
        if (!status && member[i].kind == ASH_MEMBER_STRUCTS)
            status = check_members(function, member[i].inner, member[i].inner_count, member[i].item, depth + 1);
    }
    return status;
}

/* "weight: " before what failed, then "layer[1]." before the place of that. */
static void name_place(visitor *v, const ash_member *member, size_t k)
{
    char place[300];
    const char *end = v->placed ? "." : ": ";
    v->placed = true;
    if (member->size == member->item)
        snprintf(place, sizeof place, "%.256s%s", member->name, end);
    else
        snprintf(place, sizeof place, "%.256s[%zu]%s", member->name, k, end);
    ash__adapt_place(v->m, place);
}

static ash_status visit(visitor *v, char *bytes, const ash_member *member, int64_t count);

static ash_status visit_one(visitor *v, char *bytes, const ash_member *member)
{
    if (member->kind == ASH_MEMBER_STRUCTS)
        return visit(v, bytes, member->inner, member->inner_count);
    ash_array *a;
    memcpy(&a, bytes, sizeof a);
    const ash_status status = v->array(v, &a);
    memcpy(bytes, &a, sizeof a);
    return status;
}

static ash_status visit(visitor *v, char *bytes, const ash_member *member, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        for (size_t k = 0; k < member[i].size / member[i].item; k++) {
            const ash_status status = visit_one(v, bytes + member[i].offset + k * member[i].item, &member[i]);
            if (status) {
                name_place(v, &member[i], k);
                return status;
            }
        }
    return ASH_OK;
}

/* ---- three passes over the copy: adapt, hold; and let go again what was held before one could not be */

static ash_status adapt_array(visitor *v, ash_array **a)
{
    if (!*a)
        return ash__pending(); /* one that could not be made is passed on; else there is just none */
    *a = ash__adapt_array(v->m, *a);
    return *a ? ASH_OK : ash__last_status();
}

static ash_status hold_array(visitor *v, ash_array **a)
{
    if (!*a)
        return ASH_OK;
    if (!ash__scope_hold(v->m->target.function, ash_retain(*a)))
        return ash__last_status();
    v->held++;
    return ASH_OK;
}

static ash_status let_go(visitor *v, ash_array **a)
{
    if (*a && v->held-- > 0)
        ash_release(*a);
    return ASH_OK;
}

ash_status ash_adapt_struct_opt(void *out, const void *in, const ash_struct_info *info, const ash_target *target)
{
    static const char f[] = "ash_adapt_struct";
    ash__adaptation m;
    if (!out || !in || !info || (!info->member && info->count))
        return ash__null(f, !out ? "out" : !in ? "in" : !info ? "info" : "info->member");
    ash_status status = check_members(f, info->member, info->count, info->size, 0);
    char *copy = status ? NULL : ash__alloc(f, (int64_t)info->size + 1, 1);
    if (!copy)
        return ash__last_status();
    memcpy(copy, in, info->size);
    status = ash__adapt_begin(&m, f, target);
    visitor adapt = {.array = adapt_array, .m = &m}, hold = {.array = hold_array, .m = &m}, drop = {.array = let_go, .m = &m};
    if (!status)
        status = visit(&adapt, copy, info->member, info->count);
    const int64_t barrier = m.barrier;
    if (!status) { /* what the adaptation remembers lives until its end, and the scope outside is open for what is held */
        ash_scope_close(barrier);
        m.barrier = -1;
        status = visit(&hold, copy, info->member, info->count);
        drop.held = hold.held;
        if (status)
            visit(&drop, copy, info->member, info->count);
    }
    ash__adapt_end(&m);
    if (!status)
        memcpy(out, copy, info->size);
    ash__free(copy);
    return status;
}
