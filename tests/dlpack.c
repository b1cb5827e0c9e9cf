/*
 * dlpack.c - exchange through DLPack, in both directions and both forms: what is described, whose the memory is, what is
 * refused.
 *
 * The tensors that go in are filled field by field from the DLPack specification, 1.x; what comes out is compared with it by
 * hand. check_dlpack.py exchanges with NumPy.
 */
#include <pthread.h>

#include "test.h"

/* ---- a producer of our own */

typedef struct producer {
    ash_dl_managed managed;
    ash_dl_managed_old old;
    int64_t shape[40], strides[40];
    int deleted;
} producer;

static void count_managed(ash_dl_managed *managed)
{
    ((producer *)managed->context)->deleted++;
}
static void count_old(ash_dl_managed_old *managed)
{
    ((producer *)managed->context)->deleted++;
}

static void describe(producer *p, void *data, uint8_t code, uint8_t bits, ash_dims shape, const int64_t *strides)
{
    *p = (producer){.managed = {.version = {1, 0}, .context = p, .deleter = count_managed},
                    .old = {.context = p, .deleter = count_old}};
    for (int64_t k = 0; k < shape.rank; k++) {
        p->shape[k] = shape.size[k];
        p->strides[k] = strides ? strides[k] : 0;
    }
    p->managed.tensor = (ash_dl_tensor){.data = data,
                                        .device = {ASH_DL_CPU, 0},
                                        .rank = (int32_t)shape.rank,
                                        .dtype = {code, bits, 1},
                                        .shape = p->shape,
                                        .strides = strides ? p->strides : NULL};
    p->old.tensor = p->managed.tensor;
}
#define STRIDES(...) ((const int64_t[]){__VA_ARGS__})

static void never_called(void *context)
{
    FAIL("the deleter was called with %p", context);
}

/* The import of p fails with this error, in all three ways in, and the memory stays the producer's. */
static void check_refused(producer *p, ash_status status, const char *cause, const char *file, int line)
{
    static const char *const names[] = {"ash_from_dlpack", "ash_from_dlpack_old", "ash_wrap_dlpack"};
    p->old.tensor = p->managed.tensor;
    for (int way = 0; way < COUNT(names); way++) {
        char text[600];
        ash_array *a = way == 0   ? ash_from_dlpack(&p->managed)
                       : way == 1 ? ash_from_dlpack_old(&p->old)
                                  : ash_wrap_dlpack(&p->managed.tensor, .deleter = never_called);
        if (a)
            fail_here(file, line, "%s was not refused", names[way]);
        snprintf(text, sizeof text, "%s: %s", names[way], cause);
        check_error(status, text, true, file, line);
    }
    if (p->deleted)
        fail_here(file, line, "the deleter was called");
}
#define CHECK_DL_REFUSED(p, status, cause) check_refused(p, status, cause, __FILE__, __LINE__)

/* ---- rows and cases */

static void row_000_15(void **state)
{
    (void)state;
    _Alignas(16) static int64_t memory[4];
    producer p;
    describe(&p, memory, ASH_DL_INT, 128, ASH_SHAPE(2), NULL);
    CHECK(!ash_from_dlpack(&p.managed));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_from_dlpack: cpu:0 does not support i128 values; use i64");
    CHECK(p.deleted == 0);
    CHECK_DL_REFUSED(&p, ASH_ERR_DTYPE, "cpu:0 does not support i128 values; use i64");
    describe(&p, memory, ASH_DL_UINT, 128, ASH_SHAPE(2), NULL);
    CHECK(!ash_from_dlpack(&p.managed));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_from_dlpack: cpu:0 does not support u128 values; use u64");
    CHECK(p.deleted == 0);
}

static void a53_imports_here(void)
{
    producer p; /* declared before the scope, which ends arrays over it */
    ASH_SCOPE(scope);
    float memory[12];
    for (int i = 0; i < COUNT(memory); i++)
        memory[i] = (float)i;

    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(2, 3), NULL);
    ash_array *a = ash_from_dlpack(&p.managed);
    CHECK_SHAPE(a, 2, 3);
    CHECK_STRIDES(a, 3, 1);
    CHECK_FLOATS(a, 0, 1, 2, 3, 4, 5);
    CHECK(ash_layout_of(a) == ASH_ROW_MAJOR && ash_storage_of(a) == ASH_SHARED && !ash_is_readonly(a));
    ash_release(a);
    CHECK(p.deleted == 1);

    static const int64_t odd[] = {77, 0, -5, INT64_MAX, INT64_MIN};
    for (int i = 0; i < COUNT(odd); i++) {
        describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(3, 1, 4), STRIDES(4, odd[i], 1));
        a = ash_from_dlpack(&p.managed);
        CHECK_SHAPE(a, 3, 1, 4);
        CHECK(ash_is_contiguous(a) && !ash_is_readonly(a));
        CHECK_FLOATS(a, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        CHECK_FLOATS(ash_sum(a, .axes = ASH_AXES(0, 1), .drop = true), 12, 15, 18, 21);
    }

    describe(&p, NULL, ASH_DL_FLOAT, 32, ASH_SHAPE(2, 0), STRIDES(0, 2));
    p.managed.tensor.byte_offset = 3; /* of nothing */
    a = ash_from_dlpack(&p.managed);
    CHECK_SHAPE(a, 2, 0);
    CHECK_FLOATS(ash_sum(a), 0);
    describe(&p, NULL, ASH_DL_FLOAT, 32, ASH_SHAPE(2, 0), NULL);
    CHECK_SHAPE(ash_from_dlpack(&p.managed), 2, 0);
    CHECK_SHAPE(ash_from_dlpack_old(&p.old), 2, 0);
    describe(&p, NULL, ASH_DL_FLOAT, 32, ASH_SHAPE(INT64_MAX, 0, INT64_MAX), STRIDES(INT64_MAX, INT64_MIN, 1));
    CHECK_SHAPE(ash_from_dlpack(&p.managed), INT64_MAX, 0, INT64_MAX);

    describe(&p, &memory[5], ASH_DL_FLOAT, 32, ASH_SHAPE(), NULL);
    p.managed.tensor.shape = NULL;
    a = ash_from_dlpack(&p.managed);
    CHECK_SCALAR(a);
    CHECK(ash_item_f32(a) == 5);
}
static void a53_imports(void **state)
{
    (void)state;
    everywhere(a53_imports_here, false);
}

/* Ends the export after comparing its strides. */
static void check_exported(const ash_array *a, const int64_t *strides, int32_t rank, const char *file, int line)
{
    ash_dl_managed *m = ash_to_dlpack(a);
    ash_dl_managed_old *old = ash_to_dlpack_old(a, .copy = ash_is_readonly(a));
    if (!m || !old)
        fail_here(file, line, "no export");
    if (m->tensor.rank != rank || old->tensor.rank != rank)
        fail_here(file, line, "rank %d", m->tensor.rank);
    for (int32_t k = 0; k < rank; k++) {
        if (m->tensor.strides[k] != strides[k])
            fail_here(file, line, "stride %" PRId64 " of axis %d, not %" PRId64, m->tensor.strides[k], k, strides[k]);
        if (m->tensor.shape[k] != ash_shape(a)[k] || old->tensor.shape[k] != ash_shape(a)[k])
            fail_here(file, line, "size of axis %d", k);
    }
    m->deleter(m);
    old->deleter(old);
}
#define CHECK_EXPORTED(a, ...) \
    check_exported(a, (const int64_t[]){__VA_ARGS__}, COUNT(((const int64_t[]){__VA_ARGS__})), __FILE__, __LINE__)

static void a53_exports(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_EXPORTED(ash_zeros(ASH_SHAPE(1, 77)), 77, 1);
    CHECK_EXPORTED(ash_zeros(ASH_SHAPE(1024, 1), .layout = ASH_COL_MAJOR), 1, 1024);
    CHECK_EXPORTED(ash_zeros(ASH_SHAPE(1024, 1)), 1, 1);
    CHECK_EXPORTED(ash_zeros(ASH_SHAPE(1, 3, 1, 4, 1)), 12, 4, 4, 1, 1);
    CHECK_EXPORTED(ash_slice(ash_slice(ash_zeros(ASH_SHAPE(30)), ASH_OPEN, ASH_OPEN, .step = 3), 0, 1), 1);
    CHECK_EXPORTED(ash_zeros(ASH_SHAPE(0, 2048)), 2048, 1);
    CHECK_EXPORTED(ash_zeros(ASH_SHAPE(2048, 0), .layout = ASH_COL_MAJOR), 1, 1);

    ash_array *m = ash_zeros(ASH_SHAPE(3, 4), .layout = ASH_COL_MAJOR);
    CHECK_EXPORTED(m, 1, 3);
    CHECK_EXPORTED(ash_insert_axis(m, 1), 1, 3, 3);
    CHECK_EXPORTED(ash_transpose(m), 4 - 1, 1);
    CHECK_EXPORTED(ash_slice(ash_zeros(ASH_SHAPE(5, 6)), ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(1), .step = -2), 6, -2);
    CHECK_EXPORTED(ash_view(ash_zeros(ASH_SHAPE(5, 6)), ASH_RANGE(2, 3), ASH_RANGE(0, 6, 2)), 6, 2);
    CHECK_EXPORTED(ash_broadcast_to(ash_zeros(ASH_SHAPE()), ASH_SHAPE(1, 4)), 1, 0);

    ash_dl_managed *scalar = ash_to_dlpack(ash_fill_new(ASH_SHAPE(), 7.0f));
    CHECK(scalar->tensor.rank == 0 && *(const float *)scalar->tensor.data == 7);
    scalar->deleter(scalar);
}

static void a54_here(void)
{
    float memory[16];
    for (int i = 0; i < COUNT(memory); i++)
        memory[i] = (float)i;
    producer p;
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(8), STRIDES(1));
    p.managed.tensor.byte_offset = 32;
    {
        ASH_SCOPE(scope);
        ash_array *a = ash_from_dlpack(&p.managed);
        CHECK_FLOATS(a, 8, 9, 10, 11, 12, 13, 14, 15);
        CHECK_FLOATS(ash_sum(a), 92);
        ash_dl_managed *again = ash_to_dlpack(a);
        CHECK((char *)again->tensor.data + again->tensor.byte_offset == (char *)&memory[8]);
        ash_array *b = ash_from_dlpack(again);
        ash_release(a);
        CHECK_FLOATS(b, 8, 9, 10, 11, 12, 13, 14, 15);
        CHECK_FLOATS(ash_sum(b), 92);
        CHECK(p.deleted == 0);
    }
    CHECK(p.deleted == 1);

    char text[200];
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(8), STRIDES(1));
    p.managed.tensor.byte_offset = 2;
    snprintf(text, sizeof text, "data is at %p, which is not aligned to the 4 bytes of f32", (void *)((char *)memory + 2));
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, text);
    p.managed.tensor.byte_offset = UINT64_C(1) << 63;
    snprintf(text, sizeof text, "byte offset 9223372036854775808 from data at %p has no address", (void *)memory);
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, text);
}
static void a54(void **state)
{
    (void)state;
    everywhere(a54_here, false);
}

/* More than 2^32 elements, and more than 2^32 bytes between two: views of little memory. */
static void large(void **state)
{
    (void)state;
    producer p;
    ASH_SCOPE(scope);
    uint8_t byte = 3;
    describe(&p, &byte, ASH_DL_UINT, 8, ASH_SHAPE(65536, 65537), STRIDES(0, 0));
    ash_array *a = ash_from_dlpack(&p.managed);
    CHECK(ash_size(a) == INT64_C(4295032832) && ash_get_u8(a, 65535, 65536) == 3);
    CHECK_EXPORTED(ash_slice(a, 0, 1), 1, 0);
    const int64_t step = INT64_C(3) << 32;
    describe(&p, &byte, ASH_DL_UINT, 8, ASH_SHAPE(2, 2), STRIDES(step, 1));
    a = ash_from_dlpack(&p.managed);
    CHECK_STRIDES(a, step, 1);
    CHECK_EXPORTED(ash_transpose(a), 1, step);
    CHECK(ash_get_u8(a, 0, 0) == 3);
}

/* ---- ownership */

static void deleted_once(void **state)
{
    (void)state;
    float memory[6] = {1, 2, 3, 4, 5, 6};
    producer p;
    for (int old = 0; old < 2; old++) {
        describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(2, 3), NULL);
        ash_array *a = old ? ash_from_dlpack_old(&p.old) : ash_from_dlpack(&p.managed);
        ash_array *v = ash_transpose(a), *w = ash_slice(v, 1, 2);
        CHECK_OK(ash_fill(w, 9.0f));
        CHECK(memory[1] == 9 && memory[4] == 9);
        ash_release(a);
        ash_release(v);
        CHECK(p.deleted == 0);
        ash_dl_managed *m = ash_to_dlpack(w);
        ash_release(w);
        CHECK(p.deleted == 0);
        m->deleter(m);
        CHECK(p.deleted == 1);
    }
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(6), NULL);
    ash_array *a = ash_from_dlpack(&p.managed);
    CHECK_OK(ash_discard(a));
    CHECK(p.deleted == 1);
    ash_release(a);
    CHECK(p.deleted == 1);

    p.managed.deleter = NULL;
    p.old.deleter = NULL;
    ash_release(ash_from_dlpack(&p.managed));
    ash_release(ash_from_dlpack_old(&p.old));
    ash_release(ash_wrap_dlpack(&p.managed.tensor));
}

static void count_context(void *context)
{
    ++*(int *)context;
}
static void wrapped(void **state)
{
    (void)state;
    float memory[6] = {1, 2, 3, 4, 5, 6};
    int ended = 0;
    producer p;
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(2, 3), STRIDES(1, 2));
    ash_array *a = ash_wrap_dlpack(&p.managed.tensor, .readonly = true, .deleter = count_context, .context = &ended);
    memset(&p, 0, sizeof p); /* the description was borrowed for the call */
    CHECK(ash_is_readonly(a) && ash_layout_of(a) == ASH_COL_MAJOR);
    CHECK_FLOATS(a, 1, 3, 5, 2, 4, 6);
    CHECK(ended == 0);
    ash_release(a);
    CHECK(ended == 1);
}

static void deferred(void **state)
{
    (void)state;
    float memory[6] = {0};
    void *context = NULL;
    producer p;
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(6), NULL);
    ash_release(ash_from_dlpack(&p.managed, .deferred = true));
    CHECK(p.deleted == 0 && ash_deferred(&context, 1) == 1 && context == &p.managed);
    ash_release(ash_from_dlpack_old(&p.old, .deferred = true));
    CHECK(p.deleted == 0 && ash_deferred(&context, 1) == 1 && context == &p.old);
    p.managed.tensor.dtype.lanes = 2;
    CHECK(!ash_from_dlpack(&p.managed, .deferred = true));
    ash_error_clear();
    CHECK(ash_deferred(&context, 1) == 0);
}

/* An export outlives its array, whether that was released or discarded. */
static void exported_lives(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        ash_array *a = ash_f32(1, 2, 3);
        ash_dl_managed *m = ash_to_dlpack(a);
        ash_dl_managed_old *old = ash_to_dlpack_old(a);
        if (way)
            CHECK_OK(ash_discard(a));
        ash_release(a);
        ash_array *other = ash_f32(7, 8, 9); /* would take freed memory */
        CHECK(memcmp(m->tensor.data, ((const float[]){1, 2, 3}), 12) == 0 && m->tensor.data == old->tensor.data);
        m->deleter(m);
        CHECK(memcmp(old->tensor.data, ((const float[]){1, 2, 3}), 12) == 0);
        ash_release(other);
        old->deleter(old);
    }
    CHECK(ash_live_arrays() == test_now.live);
}

static void *end_elsewhere(void *managed)
{
    ash_dl_managed *m = managed;
    m->deleter(m);
    return ash_failed() ? managed : NULL;
}
static void *release_elsewhere(void *array)
{
    ash_release(array);
    return ash_failed() ? array : NULL;
}
static void on_another_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    void *bad = NULL;
    CHECK(pthread_create(&thread, NULL, body, argument) == 0 && pthread_join(thread, &bad) == 0 && !bad);
}
static void other_threads(void **state)
{
    (void)state;
    float memory[6] = {0};
    producer p;
    ash_array *own = ash_f32(1, 2, 3);
    on_another_thread(end_elsewhere, ash_to_dlpack(own));
    CHECK_FLOATS(own, 1, 2, 3);
    ash_dl_managed *last = ash_to_dlpack(own);
    ash_release(own);
    on_another_thread(end_elsewhere, last);

    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(6), NULL);
    ash_array *a = ash_from_dlpack(&p.managed);
    ash_dl_managed *m = ash_to_dlpack(a);
    on_another_thread(release_elsewhere, a);
    CHECK(p.deleted == 0);
    on_another_thread(end_elsewhere, m);
    CHECK(p.deleted == 1);
}

/* ---- dtypes */

/* Codes and widths from the specification; two elements of each, in bytes that differ. */
static const struct {
    ash_dtype dtype;
    uint8_t code, bits;
} pairs[] = {
    {ASH_BOOL, 6, 8}, {ASH_I8, 0, 8},     {ASH_I16, 0, 16},   {ASH_I32, 0, 32},    {ASH_I64, 0, 64},  {ASH_U8, 1, 8},
    {ASH_U16, 1, 16}, {ASH_U32, 1, 32},   {ASH_U64, 1, 64},   {ASH_F16, 2, 16},    {ASH_BF16, 4, 16}, {ASH_F32, 2, 32},
    {ASH_F64, 2, 64}, {ASH_C_F16, 5, 32}, {ASH_C_F32, 5, 64}, {ASH_C_F64, 5, 128},
};

static void every_dtype(void **state)
{
    (void)state;
    _Alignas(16) unsigned char memory[32];
    for (int i = 0; i < COUNT(pairs); i++) {
        producer p;
        ASH_SCOPE(scope);
        const size_t item = ash_dtype_size(pairs[i].dtype);
        for (size_t k = 0; k < sizeof memory; k++)
            memory[k] = (unsigned char)(pairs[i].dtype == ASH_BOOL ? k % 2 : 3 * k + 1);
        describe(&p, memory, pairs[i].code, pairs[i].bits, ASH_SHAPE(2), NULL);
        ash_array *a = ash_from_dlpack(&p.managed), *b = ash_from_dlpack_old(&p.old);
        CHECK(ash_dtype_of(a) == pairs[i].dtype && ash_dtype_of(b) == pairs[i].dtype);
        CHECK(p.managed.tensor.dtype.bits == 8 * item);
        ash_dl_managed *m = ash_to_dlpack(a);
        ash_dl_managed_old *old = ash_to_dlpack_old(ash_copy(b));
        CHECK(m->tensor.data == memory && m->tensor.byte_offset == 0);
        CHECK(memcmp(&m->tensor.dtype, &p.managed.tensor.dtype, sizeof m->tensor.dtype) == 0);
        CHECK(memcmp(&old->tensor.dtype, &p.managed.tensor.dtype, sizeof m->tensor.dtype) == 0);
        CHECK(m->version.major == 1 && m->version.minor == 2 && m->flags == 0);
        CHECK(m->tensor.device.kind == 1 && m->tensor.device.index == 0);
        unsigned char back[32] = {0};
        CHECK_OK(ash_to_host(ash_from_dlpack_old(old), back, 2 * item));
        CHECK(memcmp(back, memory, 2 * item) == 0);
        m->deleter(m);
    }
    /* what DLPack has no word for */
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
        {
            bool known = false;
            for (int i = 0; i < COUNT(pairs); i++)
                known |= pairs[i].dtype == dtype;
            if (known)
                continue;
            ash_array *a = ash_zeros(ASH_SHAPE(2), .dtype = dtype);
            CHECK(!ash_to_dlpack(a) && ash_failed());
            CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_to_dlpack: DLPack has no ", ash_dtype_name(dtype), ".add_axis = true");
            CHECK(!ash_to_dlpack_old(a, .copy = true));
            CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_to_dlpack_old: DLPack has no ", ash_dtype_name(dtype));
            ash_release(a);
        }
    ash_array *z = ash_zeros(ASH_SHAPE(2), .dtype = ASH_C_I32);
    CHECK(!ash_to_dlpack(z));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_to_dlpack: DLPack has no c_i32; ash_reinterpret(a, i32, .add_axis = true) gives the parts");
    ash_release(z);
}

static void refused_dtypes(void **state)
{
    (void)state;
    static const struct {
        uint8_t code, bits;
        uint16_t lanes;
        const char *cause;
    } cases[] = {
        {0, 4, 1, "cpu:0 does not support i4 values; use i8"},
        {1, 1, 1, "cpu:0 does not support u1 values; use u8"},
        {0, 24, 1, "cpu:0 does not support i24 values; use i32"},
        {2, 8, 1, "cpu:0 does not support f8 values; use f16"},
        {2, 128, 1, "cpu:0 does not support f128 values; use f64"},
        {4, 32, 1, "cpu:0 does not support bf32 values; use bf16"},
        {5, 16, 1, "cpu:0 does not support c_f8 values; use c_f16"},
        {5, 254, 1, "cpu:0 does not support c_f127 values; use c_f64"},
        {6, 1, 1, "cpu:0 does not support bool values of 1 bits; use 8 bits"},
        {3, 64, 1, "cpu:0 does not support opaque handles"},
        {7, 8, 1, "cpu:0 does not support float8_e3m4 values; use f16"},
        {8, 8, 1, "cpu:0 does not support float8_e4m3 values; use f16"},
        {9, 8, 1, "cpu:0 does not support float8_e4m3b11fnuz values; use f16"},
        {10, 8, 1, "cpu:0 does not support float8_e4m3fn values; use f16"},
        {11, 8, 1, "cpu:0 does not support float8_e4m3fnuz values; use f16"},
        {12, 8, 1, "cpu:0 does not support float8_e5m2 values; use f16"},
        {13, 8, 1, "cpu:0 does not support float8_e5m2fnuz values; use f16"},
        {14, 8, 1, "cpu:0 does not support float8_e8m0fnu values; use bf16"},
        {15, 6, 1, "cpu:0 does not support float6_e2m3fn values; use f16"},
        {16, 6, 1, "cpu:0 does not support float6_e3m2fn values; use f16"},
        {17, 4, 1, "cpu:0 does not support float4_e2m1fn values; use f16"},
        {200, 16, 1, "type code 200 of 16 bits is not known"},
        {2, 32, 4, "elements are 4 lanes of f32; one lane is supported"},
        {2, 32, 0, "elements are 0 lanes of f32; one lane is supported"},
        {0, 64, 65535, "elements are 65535 lanes of i64; one lane is supported"},
    };
    _Alignas(16) static int64_t memory[4];
    for (int i = 0; i < COUNT(cases); i++) {
        producer p;
        describe(&p, memory, cases[i].code, cases[i].bits, ASH_SHAPE(2), NULL);
        p.managed.tensor.dtype.lanes = cases[i].lanes;
        CHECK_DL_REFUSED(&p, ASH_ERR_DTYPE, cases[i].cause);
    }
    ash_resources *weak = ash_resources_new("cpu:0?f64=off");
    {
        ASH_WITH_RESOURCES(weak);
        ash_resources_release(weak);
        producer p;
        describe(&p, memory, ASH_DL_FLOAT, 64, ASH_SHAPE(2), NULL);
        CHECK_DL_REFUSED(&p, ASH_ERR_DTYPE, "cpu:0?f64=off does not support f64 values; use f32");
        describe(&p, memory, ASH_DL_COMPLEX, 128, ASH_SHAPE(2), NULL);
        CHECK_DL_REFUSED(&p, ASH_ERR_DTYPE, "cpu:0?f64=off does not support f64 values; use f32 (in c_f64)");
        describe(&p, memory, ASH_DL_INT, 128, ASH_SHAPE(2), NULL);
        CHECK_DL_REFUSED(&p, ASH_ERR_DTYPE, "cpu:0?f64=off does not support i128 values; use i64");
    }
}

/* ---- what is refused, and what is marked */

static void refused_imports(void **state)
{
    (void)state;
    float memory[8] = {0};
    char text[200];
    producer p;
    const int64_t big = INT64_C(1) << 32;
#define START(shape, strides) describe(&p, memory, ASH_DL_FLOAT, 32, shape, strides)
    START(ASH_SHAPE(2, -1), NULL);
    CHECK_DL_REFUSED(&p, ASH_ERR_SHAPE, "size -1 of axis 1 is negative");
    START(ASH_SHAPE(big, big), NULL);
    CHECK_DL_REFUSED(&p, ASH_ERR_SHAPE,
                     "shape (4294967296, 4294967296) has more elements than the 2^63 - 1 that can be counted");
    START(ASH_SHAPE(2), NULL);
    p.managed.tensor.rank = 33;
    CHECK_DL_REFUSED(&p, ASH_ERR_SHAPE, "rank 33; ranks 0 to 32 are supported");
    p.managed.tensor.rank = -1;
    CHECK_DL_REFUSED(&p, ASH_ERR_SHAPE, "rank -1; ranks 0 to 32 are supported");
    p.managed.tensor.rank = INT32_MAX;
    CHECK_DL_REFUSED(&p, ASH_ERR_SHAPE, "rank 2147483647; ranks 0 to 32 are supported");
    p.managed.tensor.rank = 1;
    p.managed.tensor.shape = NULL;
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, "shape is NULL");
    START(ASH_SHAPE(2), NULL);
    p.managed.tensor.data = NULL;
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, "data is NULL");
    START(ASH_SHAPE(2, 2), STRIDES(INT64_MAX, 1));
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, "stride 9223372036854775807 of axis 0 is too large");
    START(ASH_SHAPE(2, 4), STRIDES(INT64_MAX / 8, INT64_MAX / 8));
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, "stride 1152921504606846975 of axis 1 is too large");
    START(ASH_SHAPE(2), STRIDES(-(INT64_C(1) << 60)));
    snprintf(text, sizeof text, "elements -4611686018427387904 to 0 bytes from data at %p have no address", (void *)memory);
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, text);
    START(ASH_SHAPE(2, 2), STRIDES((INT64_MAX - 3) / 4, 0));
    snprintf(text, sizeof text, "elements 0 to 9223372036854775804 bytes from data at %p have no address", (void *)memory);
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, text);
    START(ASH_SHAPE(2), NULL);
    p.managed.tensor.byte_offset = UINT64_MAX;
    snprintf(text, sizeof text, "byte offset 18446744073709551615 from data at %p has no address", (void *)memory);
    CHECK_DL_REFUSED(&p, ASH_ERR_ARGUMENT, text);

    static const struct {
        int32_t kind, index;
        const char *cause;
    } places[] = {
        {2, 1, "the tensor is on cuda:1; cpu:0 takes host memory"},
        {4, 0, "the tensor is on opencl:0; cpu:0 takes host memory"},
        {7, 0, "the tensor is on vulkan:0; cpu:0 takes host memory"},
        {8, 0, "the tensor is on metal:0; cpu:0 takes host memory"},
        {10, 3, "the tensor is on rocm:3; cpu:0 takes host memory"},
        {13, 0, "the tensor is on cuda_managed:0; cpu:0 takes host memory"},
        {18, 0, "the tensor is on trn:0; cpu:0 takes host memory"},
        {0, 0, "the tensor is on device 0 of the unknown type 0; cpu:0 takes host memory"},
        {5, 0, "the tensor is on device 0 of the unknown type 5; cpu:0 takes host memory"},
        {-1, 2, "the tensor is on device 2 of the unknown type -1; cpu:0 takes host memory"},
        {99, 0, "the tensor is on device 0 of the unknown type 99; cpu:0 takes host memory"},
    };
    for (int i = 0; i < COUNT(places); i++) {
        START(ASH_SHAPE(2), NULL);
        p.managed.tensor.device = (ash_dl_device){places[i].kind, places[i].index};
        CHECK_DL_REFUSED(&p, ASH_ERR_DEVICE, places[i].cause);
    }
    for (int kind = ASH_DL_CUDA_HOST; kind <= ASH_DL_ROCM_HOST; kind += ASH_DL_ROCM_HOST - ASH_DL_CUDA_HOST) {
        START(ASH_SHAPE(2), NULL);
        p.managed.tensor.device.kind = kind;
        ash_release(ash_from_dlpack(&p.managed));
        CHECK(p.deleted == 1);
    }
#undef START

    CHECK(!ash_from_dlpack(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_from_dlpack: managed is NULL");
    CHECK(!ash_from_dlpack_old(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_from_dlpack_old: managed is NULL");
    CHECK(!ash_wrap_dlpack(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_wrap_dlpack: tensor is NULL");
}

/* Of another major version nothing but version, context and deleter may be looked at. */
static void versions(void **state)
{
    (void)state;
    float memory[2] = {0};
    producer p;
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(2), NULL);
    memset(&p.managed.flags, 0xa5, sizeof p.managed - offsetof(ash_dl_managed, flags));
    p.managed.version = (ash_dl_version){2, 3};
    CHECK(!ash_from_dlpack(&p.managed));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_from_dlpack: the tensor is of DLPack 2.3; version 1 is supported");
    p.managed.version.major = 0;
    CHECK(!ash_from_dlpack(&p.managed));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_from_dlpack: the tensor is of DLPack 0.3; version 1 is supported");
    CHECK(p.deleted == 0);
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(2), NULL);
    p.managed.version.minor = 99;
    ash_release(ash_from_dlpack(&p.managed));
    CHECK(p.deleted == 1);
}

static void readonly(void **state)
{
    (void)state;
    producer p;
    ASH_SCOPE(scope);
    float memory[6] = {1, 2, 3, 4, 5, 6};
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(6), NULL);
    p.managed.flags = ASH_DL_READONLY | UINT64_C(1) << 40; /* one that nobody knows */
    ash_array *a = ash_from_dlpack(&p.managed);
    CHECK(ash_is_readonly(a) && ash_fill(a, 1.0f) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fill: a is read-only");
    p.managed.flags = ASH_DL_COPIED;
    CHECK(!ash_is_readonly(ash_from_dlpack(&p.managed)));
    CHECK(ash_is_readonly(ash_from_dlpack(&p.managed, .readonly = true)));
    CHECK(ash_is_readonly(ash_from_dlpack_old(&p.old, .readonly = true)));
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(4, 6), STRIDES(0, 1)); /* writing would write four times */
    ash_array *repeated = ash_from_dlpack(&p.managed);
    CHECK(ash_is_readonly(repeated));
    CHECK_FLOATS(ash_sum(repeated), 84);
    describe(&p, memory, ASH_DL_FLOAT, 32, ASH_SHAPE(1, 6), STRIDES(0, 1));
    CHECK(!ash_is_readonly(ash_from_dlpack(&p.managed)));

    const ash_array *const marked[] = {a, repeated, ash_broadcast_to(ash_f32(1), ASH_SHAPE(4))};
    for (int i = 0; i < COUNT(marked); i++) {
        ash_dl_managed *m = ash_to_dlpack(marked[i]);
        CHECK(m->flags == ASH_DL_READONLY);
        CHECK(ash_is_readonly(ash_from_dlpack(m)));
        CHECK(!ash_to_dlpack_old(marked[i]));
        CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_to_dlpack_old: a is read-only, which this form cannot say; pass .copy = true, or "
                                         "use ash_to_dlpack");
        m = ash_to_dlpack(marked[i], .copy = true);
        CHECK(m->flags == ASH_DL_COPIED);
        ash_array *back = ash_from_dlpack(m);
        CHECK(!ash_is_readonly(back) && ash_equal(back, marked[i]) && !ash_shares_memory(back, marked[i]));
        ash_dl_managed_old *old = ash_to_dlpack_old(marked[i], .copy = true);
        CHECK(ash_equal(ash_from_dlpack_old(old), marked[i]));
    }
}

ASH_RECORD(pair_of, (f32, x, 3), (i8, tag)); /* 16 bytes: x steps 16 bytes along the records, 4 along the inner axis */

static void refused_exports(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *records = ash_zeros(ASH_SHAPE(2), .dtype = pair_of_dtype());
    CHECK(!ash_to_dlpack(records));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_to_dlpack: DLPack has no records, such as pair_of; export its fields (ash_field)");
    CHECK_EXPORTED(ash_field(records, "x"), 4, 1);
    CHECK_EXPORTED(ash_field(records, "tag"), 16);

    const struct {
        ash_array *a;
        const char *cause;
        double sum;
    } cases[] = {
        {ash_adjoint(ash_reshape(ash_from_host(((float[]){1, 2, 3, 4}), ASH_C_F32, ASH_SHAPE(2)), ASH_SHAPE(2, 1))),
         "ash_to_dlpack: a is a conjugated view, which DLPack cannot express; pass .copy = true", 0},
        {ash_from_host(((float[]){1, 2, 3}), ASH_F32, ASH_SHAPE(3), .storage = ASH_PRIVATE),
         "ash_to_dlpack: a is in private storage; pass .copy = true", 0},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        CHECK(!ash_to_dlpack(cases[i].a));
        CHECK_ERROR(ASH_ERR_UNSUPPORTED, cases[i].cause);
        CHECK(!ash_to_dlpack_old(cases[i].a));
        CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED, "ash_to_dlpack_old: ", ".copy = true");
        ash_array *back = ash_from_dlpack(ash_to_dlpack(cases[i].a, .copy = true));
        CHECK(ash_equal(back, cases[i].a) && ash_storage_of(back) == ASH_SHARED && ash_is_contiguous(back));
    }
    ash_dl_managed *m = ash_to_dlpack(cases[0].a, .copy = true);
    CHECK(memcmp(m->tensor.data, ((const float[]){1, -2, 3, -4}), 16) == 0);
    m->deleter(m);

    ash_array *bytes = ash_from_host(((uint8_t[]){0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5}), ASH_U8, ASH_SHAPE(12));
    ash_array *rows = ash_reshape(bytes, ASH_SHAPE(4, 3));
    ash_array *odd =
        ash_reinterpret(ash_view(rows, ASH_ALL, ASH_RANGE(1, 3)), ASH_U16); /* (4, 1), 3 bytes apart, from byte 1 */
    CHECK_SHAPE(odd, 4, 1);
    CHECK(!ash_to_dlpack(odd));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED,
                "ash_to_dlpack: axis 0 steps 3 bytes, which is no whole number of 2-byte elements; pass .copy = true");
    ash_array *back = ash_from_dlpack(ash_to_dlpack(odd, .copy = true));
    CHECK(ash_equal(back, odd));
    CHECK_STRIDES(back, 1, 1);
    CHECK(!ash_to_dlpack(ash_slice(odd, 0, 1)));
    CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED, "ash_to_dlpack: a is at ", "not aligned to the 2 bytes of u16; pass .copy = true");
    CHECK_EXPORTED(ash_slice(odd, 1, 2), 1, 1);

    CHECK(!ash_to_dlpack(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_to_dlpack: a is NULL");
    CHECK(!ash_to_dlpack_old(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_to_dlpack_old: a is NULL");
    ash_resources *elsewhere = ash_resources_new("cpu:0?f64=off");
    CHECK(!ash_to_dlpack(ash_f32(1), .copy = true, .resources = elsewhere));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_to_dlpack: ", "cpu:0?f64=off");
    ash_resources_release(elsewhere);
    ash_array *gone = ash_f32(1);
    CHECK_OK(ash_discard(gone));
    CHECK(!ash_to_dlpack(gone));
    CHECK_ERROR_PARTS(ASH_ERR_RELEASED, "ash_to_dlpack: ");
}

/* Any strides, both layouts, rank 32, everywhere: out, in again, the same elements in the same place. */
static void round_trips_here(void)
{
    for
        EACH_LAYOUT(layout)
        {
            ash_array *m = counting(1, ASH_I32, ASH_SHAPE(4, 5, 6), layout);
            int64_t ones[ASH_MAX_RANK];
            for (int k = 0; k < ASH_MAX_RANK; k++)
                ones[k] = k == 7 ? 120 : 1;
            ash_array *const arrays[] = {
                m,
                ash_transpose(m),
                ash_slice(m, ASH_OPEN, ASH_OPEN, .step = -1),
                ash_slice(m, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(2), .step = -3),
                ash_view(m, 3, ASH_RANGE(1, 2), ASH_NEW_AXIS),
                ash_diagonal(m),
                ash_slice(m, 2, 2),
                ash_reshape(ash_copy(m, .layout = ASH_ROW_MAJOR), ((ash_dims){ones, ASH_MAX_RANK})),
            };
            for (int i = 0; i < COUNT(arrays); i++)
                for (int copy = here.storage == ASH_PRIVATE; copy < 2; copy++) {
                    ash_array *back = ash_from_dlpack(ash_to_dlpack(arrays[i], .copy = copy));
                    ash_array *old = ash_from_dlpack_old(ash_to_dlpack_old(arrays[i], .copy = copy));
                    CHECK(ash_same_shape(back, arrays[i]) && ash_equal(back, arrays[i]) && ash_equal(old, arrays[i]));
                    CHECK(ash_shares_memory(back, old) == (!copy && ash_size(m) && ash_size(back)));
                    CHECK(copy ? ash_is_contiguous(back) : ash_layout_of(back) == ash_layout_of(arrays[i]));
                }
        }
}
static void round_trips(void **state)
{
    (void)state;
    everywhere(round_trips_here, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(row_000_15),      TEST(a53_imports),   TEST(a53_exports), TEST(a54),
        TEST(large),           TEST(deleted_once),  TEST(wrapped),     TEST(deferred),
        TEST(exported_lives),  TEST(other_threads), TEST(every_dtype), TEST(refused_dtypes),
        TEST(refused_imports), TEST(versions),      TEST(readonly),    TEST(refused_exports),
        TEST(round_trips),
    };
    return cmocka_run_group_tests_name("dlpack", tests, NULL, NULL);
}
