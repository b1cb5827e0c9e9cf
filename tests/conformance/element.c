/* element.c - single elements, read and written from the host; include/ashlar/array.h. */
#include "trial.h"

#include <string.h>

/* The element there, and into another place. */
#define EACH_TYPE(X)                     \
    X(ASH_BOOL, bool, bool)              \
    X(ASH_I8, i8, int8_t)                \
    X(ASH_I16, i16, int16_t)             \
    X(ASH_I32, i32, int32_t)             \
    X(ASH_I64, i64, int64_t)             \
    X(ASH_U8, u8, uint8_t)               \
    X(ASH_U16, u16, uint16_t)            \
    X(ASH_U32, u32, uint32_t)            \
    X(ASH_U64, u64, uint64_t)            \
    X(ASH_F32, f32, float)               \
    X(ASH_F64, f64, double)              \
    X(ASH_C_F32, c_f32, ash_complex_f32) \
    X(ASH_C_F64, c_f64, ash_complex_f64)

#define MOVE(ID, name, T)                                   \
    case ID: {                                              \
        const T x = ash_get_##name##_at(a, from, now.rank); \
        return ash_set_##name##_at(a, x, to, now.rank);     \
    }
static ash_status move_element(ash_array *a, const int64_t *from, const int64_t *to)
{
    switch (now.dtype) {
        EACH_TYPE(MOVE)
    default:
        return ASH_ERR_INTERNAL;
    }
}

static void run_get_and_set(void)
{
    ASH_ALLOW_SCALAR;
    const argument a = give_here(COUNTS), out = give_out(&a.value);
    int64_t first[MODEL_RANK] = {0}, last[MODEL_RANK] = {0};
    const model want = model_copy(&a.value);
    index_of(&want, want.size - 1, last);
    result_status(move_element(out.array, last, first), &out);
    model_put(&want, 0, &a.value, want.size - 1);
    expect(&want);
}

#define ITEM(ID, name, T)               \
    case ID: {                          \
        const T x = ash_item_##name(a); \
        memcpy(element, &x, sizeof x);  \
        return;                         \
    }
static void read_item(const ash_array *a, void *element)
{
    switch (now.dtype) {
        EACH_TYPE(ITEM)
    default:
        return;
    }
}

static void run_item(void)
{
    const argument a = give(now.dtype, NULL, 0, COUNTS);
    const model got = model_new(now.dtype, NULL, 0);
    read_item(a.array, model_at(&got, 0));
    result_number(same_element(now.dtype, model_at(&got, 0), model_at(&a.value, 0)));
    expect_number(1);
}

#define FILLED (ONE(SCALAR) | ONE(SINGLE) | ONE(LONG) | ONE(MATRIX) | ONE(TURNED))
#define C_TYPES ((REALS & ~HALVES) | COMPLEX_SINGLES)
const operation element_operations[] = {
    {"get_and_set", run_get_and_set, C_TYPES, FILLED, EXACT, EXACT, 0},
    {"item", run_item, C_TYPES, ONE(SCALAR), EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
