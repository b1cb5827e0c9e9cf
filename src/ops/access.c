/*
 * access.c - single elements: read, written, and the one of a size-1 array.
 *
 * A value is given exactly as the C type asked for, or it is a value error; a value that is stored is converted as host data
 * are. Private arrays refuse element access unless it has been allowed; ash_item is a copy and always works.
 */
#include <math.h>

#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "ops/task.h"

static ash_status refuse_scalar(const char *function)
{
    return ash__fail(ASH_ERR_SCALAR_ACCESS, function,
                     "Scalar indexing is disallowed.\n"
                     "Invocation of %s resulted in scalar indexing of a device array.\n"
                     "This is typically caused by a loop that visits the elements one by one.\n"
                     "Such loops *do not* execute on the device, but very slowly on the host,\n"
                     "and therefore should be avoided.\n"
                     "If you want to allow scalar access, use `ash_allow_scalar` or `ASH_ALLOW_SCALAR`\n"
                     "to enable it globally or for the operations in question.",
                     function);
}

/* The element's address; NULL with an error. */
static char *locate(const char *function, const ash_array *a, const int64_t *index, int64_t count)
{
    if (count > 0 && !index) {
        ash__null(function, "index");
        return NULL;
    }
    while (count > a->rank && index[count - 1] == 0)
        count--; /* of axes that a does not have, whose size is 1 */
    if (count != a->rank) {
        ash__fail(ASH_ERR_ARGUMENT, function, "%lld indices for an array of rank %d", (long long)count, (int)a->rank);
        return NULL;
    }
    char *at = ash__data(a);
    for (int32_t k = 0; k < a->rank; k++) {
        if (index[k] < 0 || index[k] >= a->shape[k]) {
            ash__fail(ASH_ERR_BOUNDS, function, "index %lld is out of bounds for axis %d of size %lld", (long long)index[k],
                      (int)k, (long long)a->shape[k]);
            return NULL;
        }
        at += index[k] * a->stride[k];
    }
    if (a->storage == ASH_PRIVATE && !ash__scalar_allowed()) {
        refuse_scalar(function);
        return NULL;
    }
    return at;
}

static bool convert_one(const char *function, const int64_t *index, int64_t rank, char *to, ash_dtype to_dtype,
                        const char *from, ash_dtype from_dtype, bool exact, bool conjugate)
{
    if (ash__is_record(from_dtype) || ash__is_record(to_dtype)) {
        ash__fail(ASH_ERR_DTYPE, function, "an element of %s is no number; use ash_field",
                  ash_dtype_name(ash__is_record(from_dtype) ? from_dtype : to_dtype));
        return false;
    }
    if (ash__convert_run(to, 0, to_dtype, from, 0, from_dtype, 1, exact) < 1) {
        ash__convert_fail(function, index, rank, from, from_dtype, to_dtype, exact);
        return false;
    }
    if (conjugate && ash__is_complex(to_dtype)) {
        const int64_t none = 0;
        char conjugated[16];
        memcpy(conjugated, to, ash_dtype_size(to_dtype));
        ash__convert_all(function, &none, 0, to, &none, to_dtype, conjugated, &none, to_dtype, exact, ASH__FROM_CONJUGATED);
    }
    return true;
}

static bool get(const char *function, const ash_array *a, const int64_t *index, int64_t count, void *value, ash_dtype dtype)
{
    if (ash__check_array(function, "a", a))
        return false;
    char element[16];
    const char *const at = ash__is_record(a->dtype) ? element : locate(function, a, index, count);
    if (!at || (at != element && ash__host_get(function, a, at, ASH__ASKED, element)))
        return false;
    return convert_one(function, index, count, value, dtype, element, a->dtype, true, a->conjugated);
}

static ash_status set(const char *function, ash_array *a, const int64_t *index, int64_t count, const void *value,
                      ash_dtype dtype)
{
    const ash_status status = ash__check_writable(function, "a", a);
    if (status)
        return status;
    char *at = locate(function, a, index, count), element[16];
    if (!at || !convert_one(function, index, count, element, a->dtype, value, dtype, false, a->conjugated))
        return ash__last_status();
    return ash__host_put(function, a, at, element);
}

/* The one element, by a copy: works for private arrays, and waits. */
static bool item(const char *function, const ash_array *a, void *value, ash_dtype dtype)
{
    if (ash__check_array(function, "a", a))
        return false;
    if (a->size != 1) {
        ash__fail(ASH_ERR_SHAPE, function, "a has shape %s; one element is wanted", ash_shape_text(a));
        return false;
    }
    const int64_t first[ASH_MAX_RANK] = {0};
    char element[16];
    if (!ash__is_record(a->dtype) && ash__host_get(function, a, ash__data(a), ASH__ASKED, element))
        return false;
    return convert_one(function, first, a->rank, value, dtype, element, a->dtype, true, a->conjugated);
}

/* X(name, C type, dtype, what a failed read gives) */
#define ELEMENT_TYPES(X)                                                                                                   \
    X(bool, bool, ASH_BOOL, false)                                                                                         \
    X(i8, int8_t, ASH_I8, 0)                                                                                               \
    X(i16, int16_t, ASH_I16, 0) X(i32, int32_t, ASH_I32, 0) X(i64, int64_t, ASH_I64, 0) X(u8, uint8_t, ASH_U8, 0)          \
        X(u16, uint16_t, ASH_U16, 0) X(u32, uint32_t, ASH_U32, 0) X(u64, uint64_t, ASH_U64, 0) X(f32, float, ASH_F32, NAN) \
            X(f64, double, ASH_F64, (double)NAN) X(c_f32, ash_complex_f32, ASH_C_F32, ((ash_complex_f32){NAN, NAN}))       \
                X(c_f64, ash_complex_f64, ASH_C_F64, ((ash_complex_f64){(double)NAN, (double)NAN}))

#define DEFINE_ACCESS(name, T, DTYPE, FAILED)                                                  \
    T ash_get_##name##_at(const ash_array *a, const int64_t *index, int64_t count)             \
    {                                                                                          \
        T value = FAILED;                                                                      \
        return get("ash_get_" #name, a, index, count, &value, DTYPE) ? value : FAILED;         \
    }                                                                                          \
    ash_status ash_set_##name##_at(ash_array *a, T value, const int64_t *index, int64_t count) \
    {                                                                                          \
        return set("ash_set_" #name, a, index, count, &value, DTYPE);                          \
    }                                                                                          \
    T ash_item_##name(const ash_array *a)                                                      \
    {                                                                                          \
        T value = FAILED;                                                                      \
        return item("ash_item_" #name, a, &value, DTYPE) ? value : FAILED;                     \
    }
ELEMENT_TYPES(DEFINE_ACCESS)

/* ---- the elements as host memory */

void *ash_map_host(ash_array *a)
{
    static const char f[] = "ash_map_host";
    if (ash__check_array(f, "a", a))
        return NULL;
    if (a->storage == ASH_PRIVATE && !ash__scalar_allowed()) {
        refuse_scalar(f);
        return NULL;
    }
    return ash__host_at(f, a, ASH__READ_WRITE | ASH__ASKED);
}

ash_status ash_unmap_host(ash_array *a)
{
    return ash__check_array("ash_unmap_host", "a", a);
}
