/* adapt.c - arrays, trees and structs brought to another device and back, and to another dtype; include/ashlar/adapt.h. */
#include "trial.h"

static void run_adapt_device(void)
{
    const argument a = give_here(ANYTHING);
    ash_array *const there = ash_adapt(a.array, .device = "cpu:0", .storage = ASH_SHARED);
    result_number(there != NULL);
    if (!there)
        return;
    result(ash_adapt(there, .device = ash_device_name(ash_device_of(a.array)), .storage = ash_storage_of(a.array)));
    expect(&a.value);
}

static void run_adapt_floats(void)
{
    const argument a = give_here(TAME);
    result(ash_adapt(a.array, .floats = ASH_BF16));
    model want;
    if (is_real(now.dtype) && model_convert(&want, &a.value, is_float(now.dtype) ? ASH_BF16 : now.dtype))
        expect(&want);
}

typedef struct pair {
    ash_array *first, *second;
} pair;
static const ash_member pair_members[] = {ASH_ARRAY_MEMBER(pair, first), ASH_ARRAY_MEMBER(pair, second)};
static const ash_struct_info pair_info = ASH_STRUCT_INFO(pair, pair_members);

static void run_adapt_struct(void)
{
    const argument a = give_here(COUNTS);
    const pair in = {a.array, ash_transpose(a.array)};
    pair out = {NULL, NULL};
    result_number(ash_adapt_struct(&out, &in, &pair_info, .dtype = ASH_F32));
    result(out.first);
    result(ash_copy(out.second));
}

static void run_tree_adapt(void)
{
    const argument a = give_here(COUNTS);
    ash_tree *const tree = ash_tree_new();
    ash_tree_put(tree, "a", a.array);
    ash_tree_put(tree, "view", ash_transpose(a.array));
    ash_tree *const adapted = ash_tree_adapt(tree, .dtype = ASH_F32);
    result(ash_tree_get(adapted, "a"));
    model want;
    if (model_convert(&want, &a.value, ASH_F32))
        expect(&want);
    result(ash_copy(ash_tree_get(adapted, "view")));
}

const operation adapt_operations[] = {
    {"adapt_device", run_adapt_device, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, HOST_READS},
    {"adapt_floats", run_adapt_floats, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"adapt_struct", run_adapt_struct, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"tree_adapt", run_tree_adapt, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
