/*
 * dtype.c (test) - names, sizes, promotion, narrow floats, records.
 */
#include "test.h"

#include <pthread.h>

#include "core/alloc.h"
#include "core/dtype.h"
#include "core/record.h"

#include "reference/convert.h"

static void names_and_sizes(void **state)
{
    (void)state;
    static const struct {
        ash_dtype dtype;
        const char *name;
        size_t size;
        ash__kind kind;
    } cases[] = {
        {ASH_BOOL, "bool", 1, ASH__KIND_BOOL},        {ASH_I8, "i8", 1, ASH__KIND_SIGNED},
        {ASH_I16, "i16", 2, ASH__KIND_SIGNED},        {ASH_I32, "i32", 4, ASH__KIND_SIGNED},
        {ASH_I64, "i64", 8, ASH__KIND_SIGNED},        {ASH_U8, "u8", 1, ASH__KIND_UNSIGNED},
        {ASH_U16, "u16", 2, ASH__KIND_UNSIGNED},      {ASH_U32, "u32", 4, ASH__KIND_UNSIGNED},
        {ASH_U64, "u64", 8, ASH__KIND_UNSIGNED},      {ASH_F16, "f16", 2, ASH__KIND_FLOAT},
        {ASH_BF16, "bf16", 2, ASH__KIND_FLOAT},       {ASH_F32, "f32", 4, ASH__KIND_FLOAT},
        {ASH_F64, "f64", 8, ASH__KIND_FLOAT},         {ASH_C_I8, "c_i8", 2, ASH__KIND_COMPLEX},
        {ASH_C_I16, "c_i16", 4, ASH__KIND_COMPLEX},   {ASH_C_I32, "c_i32", 8, ASH__KIND_COMPLEX},
        {ASH_C_I64, "c_i64", 16, ASH__KIND_COMPLEX},  {ASH_C_U8, "c_u8", 2, ASH__KIND_COMPLEX},
        {ASH_C_U16, "c_u16", 4, ASH__KIND_COMPLEX},   {ASH_C_U32, "c_u32", 8, ASH__KIND_COMPLEX},
        {ASH_C_U64, "c_u64", 16, ASH__KIND_COMPLEX},  {ASH_C_F16, "c_f16", 4, ASH__KIND_COMPLEX},
        {ASH_C_BF16, "c_bf16", 4, ASH__KIND_COMPLEX}, {ASH_C_F32, "c_f32", 8, ASH__KIND_COMPLEX},
        {ASH_C_F64, "c_f64", 16, ASH__KIND_COMPLEX},
    };
    assert_int_equal(COUNT(cases), ASH_C_F64);
    for (int i = 0; i < COUNT(cases); i++) {
        assert_string_equal(ash_dtype_name(cases[i].dtype), cases[i].name);
        assert_int_equal(ash_dtype_size(cases[i].dtype), cases[i].size);
        assert_int_equal(ash__kind_of(cases[i].dtype), cases[i].kind);
        assert_int_equal(ash_dtype_from_name(cases[i].name), cases[i].dtype);
        assert_int_equal(ash_dtype_field_count(cases[i].dtype), 0);
        assert_int_equal(ash__part(ash__complex_of(cases[i].dtype)), ash__part(cases[i].dtype));
    }
    assert_int_equal(ash_dtype_from_name("c64"), ASH_C_F32);
    assert_int_equal(ash_dtype_from_name("c128"), ASH_C_F64);
    static const int none[] = {0, 26, 99, 255, -1, 4095 + 256, 0x7fffffff};
    for (int i = 0; i < COUNT(none); i++) {
        assert_string_equal(ash_dtype_name((ash_dtype)none[i]), "?");
        assert_int_equal(ash_dtype_size((ash_dtype)none[i]), 0);
        assert_int_equal(ash__kind_of((ash_dtype)none[i]), ASH__KIND_NONE);
    }
    assert_int_equal(ash_dtype_from_name("float"), ASH_DTYPE_DEFAULT);
    assert_int_equal(ash_dtype_from_name(NULL), ASH_DTYPE_DEFAULT);
}

static void promotion(void **state)
{
    (void)state;
    static const struct {
        ash_dtype a, b, want;
    } cases[] = {
        {ASH_BOOL, ASH_BOOL, ASH_BOOL},    {ASH_BOOL, ASH_I8, ASH_I8},      {ASH_BOOL, ASH_F16, ASH_F16},
        {ASH_I8, ASH_U8, ASH_U8},          {ASH_I16, ASH_U8, ASH_I16},      {ASH_I64, ASH_U64, ASH_U64},
        {ASH_I64, ASH_U32, ASH_I64},       {ASH_I64, ASH_F16, ASH_F16},     {ASH_U64, ASH_BF16, ASH_BF16},
        {ASH_I64, ASH_F32, ASH_F32},       {ASH_F16, ASH_BF16, ASH_F32},    {ASH_F16, ASH_F16, ASH_F16},
        {ASH_BF16, ASH_F32, ASH_F32},      {ASH_F32, ASH_F64, ASH_F64},     {ASH_C_F32, ASH_F64, ASH_C_F64},
        {ASH_C_I8, ASH_BOOL, ASH_C_I8},    {ASH_C_I32, ASH_F32, ASH_C_F32}, {ASH_C_F16, ASH_BF16, ASH_C_F32},
        {ASH_C_I64, ASH_C_U64, ASH_C_U64}, {ASH_C_F32, ASH_I64, ASH_C_F32}, {ASH_I32, (ash_dtype)99, ASH_DTYPE_DEFAULT},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        assert_int_equal(ash_dtype_promote(cases[i].a, cases[i].b), cases[i].want);
        assert_int_equal(ash_dtype_promote(cases[i].b, cases[i].a), cases[i].want);
    }
}

static void narrow_rounding(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(narrow); i++) {
        if (ash__f16_from_f64(narrow[i].x) != narrow[i].f16)
            FAIL("%a is f16 %04x, not %04x", narrow[i].x, ash__f16_from_f64(narrow[i].x), narrow[i].f16);
        if (ash__bf16_from_f64(narrow[i].x) != narrow[i].bf16)
            FAIL("%a is bf16 %04x, not %04x", narrow[i].x, ash__bf16_from_f64(narrow[i].x), narrow[i].bf16);
    }
    /* bit patterns of f32 and the bf16 they round to */
    static const struct {
        uint32_t f32;
        uint16_t bf16;
    } cases[] = {{0x3E89CCD5, 0x3E8A}, {0x3F808000, 0x3F80}, {0x3F818000, 0x3F82}, {0x3F80C000, 0x3F81},
                 {0x7F7FFFFF, 0x7F80}, {0x7F800000, 0x7F80}, {0x80000000, 0x8000}};
    for (int i = 0; i < COUNT(cases); i++) {
        float x;
        memcpy(&x, &cases[i].f32, sizeof x);
        assert_int_equal(ash__bf16_from_f64((double)x), cases[i].bf16);
    }
    for (uint32_t bits = 0x7F800001; bits != 1; bits = bits == 0x7F800001 ? 0xFF800001 : 1) {
        float x;
        memcpy(&x, &bits, sizeof x);
        assert_true(isnan(ash__bf16_to_f32(ash__bf16_from_f64((double)x))));
        assert_true(isnan(ash__f16_to_f32(ash__f16_from_f64((double)x))));
    }
    for (unsigned h = 0; h <= 0xffff; h++) { /* every value comes back; a NaN as a NaN */
        const float half = ash__f16_to_f32((uint16_t)h), brain = ash__bf16_to_f32((uint16_t)h);
        if (isnan(half))
            assert_true(isnan(ash__f16_to_f32(ash__f16_from_f64((double)half))));
        else
            assert_int_equal(ash__f16_from_f64((double)half), h);
        if (!isnan(brain))
            assert_int_equal(ash__bf16_from_f64((double)brain), h);
    }
}

ASH_RECORD(particle, (f32, x, 3), (f64, m));
ASH_RECORD(pair, (particle, left), (u8, tag), (particle, right, 2));
ASH_RECORD(numbers, (c_f64, z), (bool, good), (f16, h));
ASH_RECORD(whole, (i32, i), (c64, z));

static void records(void **state)
{
    (void)state;
    const ash_dtype dtype = particle_dtype();
    assert_true(dtype >= ASH_RECORD_FIRST);
    assert_int_equal(particle_dtype(), dtype);
    assert_string_equal(ash_dtype_name(dtype), "particle");
    assert_int_equal(ash_dtype_size(dtype), sizeof(particle));
    assert_int_equal(ash__kind_of(dtype), ASH__KIND_RECORD);
    assert_int_equal(ash_dtype_field_count(dtype), 2);
    assert_int_equal(ash__field_number(dtype, "m"), 1);
    assert_int_equal(ash__field_number(dtype, "q"), -1);
    ash_field_info field;
    assert_true(ash_dtype_field(dtype, 0, &field));
    assert_string_equal(field.name, "x");
    assert_int_equal(field.count, 3);
    assert_int_equal(field.offset, offsetof(particle, x));
    assert_true(ash_dtype_field(dtype, 1, &field));
    assert_int_equal(field.offset, offsetof(particle, m));
    assert_false(ash_dtype_field(dtype, 2, &field));
    assert_false(ash_dtype_field(dtype, -1, &field));
    assert_false(ash_dtype_field(ASH_F32, 0, &field));
    assert_int_equal(ash_dtype_promote(dtype, dtype), ASH_DTYPE_DEFAULT);

    char name[] = "copied", inner[] = "field";
    const ash_field_info fields[] = {{inner, ASH_I32, 0, 1}};
    const ash_dtype copied = ash_dtype_record(name, 4, fields, 1);
    memset(name, 'x', 3);
    memset(inner, 'x', 3);
    assert_string_equal(ash_dtype_name(copied), "copied");
    assert_true(ash_dtype_field(copied, 0, &field));
    assert_string_equal(field.name, "field");
    assert_int_not_equal(ash_dtype_record("other", 4, &(ash_field_info){"field", ASH_I32, 0, 1}, 1), copied);
    assert_int_equal(ash_dtype_record("copied", 4, &(ash_field_info){"field", ASH_I32, 0, 1}, 1), copied);
}

static void the_place_of_f64(void **state)
{
    (void)state;
    const struct {
        ash_dtype dtype;
        bool holds;
        const char *place;
    } cases[] = {{ASH_F64, true, ""},
                 {ASH_F32, false, ""},
                 {ASH_C_F64, true, " (in c_f64)"},
                 {ASH_C_F32, false, ""},
                 {particle_dtype(), true, " (in particle.m)"},
                 {pair_dtype(), true, " (in pair.left.m)"},
                 {numbers_dtype(), true, " (in numbers.z)"},
                 {whole_dtype(), false, ""},
                 {(ash_dtype)99, false, ""}};
    for (int i = 0; i < COUNT(cases); i++) {
        char place[64] = "?";
        assert_int_equal(ash__holds_f64(cases[i].dtype, place, sizeof place), cases[i].holds);
        assert_string_equal(place, cases[i].place);
    }
}

static void records_refused(void **state)
{
    (void)state;
    static const ash_field_info twice[] = {{"a", ASH_I32, 0, 1}, {"a", ASH_I32, 4, 1}};
    static const ash_field_info over[] = {{"a", ASH_I32, 0, 1}, {"b", ASH_I8, 3, 1}};
    static const ash_field_info back[] = {{"a", ASH_I32, 4, 1}, {"b", ASH_I32, 0, 1}};
    const struct {
        const char *name;
        size_t size;
        const ash_field_info *fields;
        int64_t count;
        ash_status status;
        const char *text;
    } cases[] = {
        {NULL, 4, &(const ash_field_info){"a", ASH_I32, 0, 1}, 1, ASH_ERR_ARGUMENT, "ash_dtype_record: the record has no name"},
        {"r", 4, NULL, 1, ASH_ERR_ARGUMENT, "ash_dtype_record: record r has 0 fields; it must have 1 to 1024"},
        {"r", 4, twice, 0, ASH_ERR_ARGUMENT, "ash_dtype_record: record r has 0 fields; it must have 1 to 1024"},
        {"r", 4, &(const ash_field_info){"", ASH_I32, 0, 1}, 1, ASH_ERR_ARGUMENT, "ash_dtype_record: field 0 has no name"},
        {"r", 4, &(const ash_field_info){"a", (ash_dtype)99, 0, 1}, 1, ASH_ERR_DTYPE,
         "ash_dtype_record: field a has unsupported dtype 99"},
        {"r", 4, &(const ash_field_info){"a", ASH_I32, 0, 0}, 1, ASH_ERR_ARGUMENT,
         "ash_dtype_record: field a has count 0; it must be at least 1"},
        {"r", 4, &(const ash_field_info){"a", ASH_I32, 0, 2}, 1, ASH_ERR_ARGUMENT,
         "ash_dtype_record: field a at offset 0, 2 times 4 bytes, does not lie inside the record's 4 bytes"},
        {"r", 4, &(const ash_field_info){"a", ASH_I32, 0, INT64_MAX}, 1, ASH_ERR_ARGUMENT, NULL},
        {"r", 4, &(const ash_field_info){"a", ASH_I32, SIZE_MAX - 3, 1}, 1, ASH_ERR_ARGUMENT, NULL},
        {"r", 8, &(const ash_field_info){"a", ASH_I32, 2, 1}, 1, ASH_ERR_ARGUMENT,
         "ash_dtype_record: field a of dtype i32 at offset 2 is not aligned to 4 bytes"},
        {"r", 6, &(const ash_field_info){"a", ASH_I32, 0, 1}, 1, ASH_ERR_ARGUMENT,
         "ash_dtype_record: record r has 6 bytes; its size must be a multiple of its alignment, 4"},
        {"r", 8, twice, 2, ASH_ERR_ARGUMENT, "ash_dtype_record: fields 0 and 1 are both named a"},
        {"r", 8, over, 2, ASH_ERR_ARGUMENT, "ash_dtype_record: field b at offset 3 begins before field a ends, at 4"},
        {"r", 8, back, 2, ASH_ERR_ARGUMENT, NULL},
        {"r", (size_t)1 << 31, twice, 2, ASH_ERR_ARGUMENT, NULL},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        assert_int_equal(ash_dtype_record(cases[i].name, cases[i].size, cases[i].fields, cases[i].count), ASH_DTYPE_DEFAULT);
        if (cases[i].text)
            CHECK_ERROR(cases[i].status, cases[i].text);
        else
            CHECK_ERROR_HAS(cases[i].status, "ash_dtype_record: ");
    }
    ash__fail_allocation(1);
    assert_int_equal(ash_dtype_record("unseen", 4, &(ash_field_info){"a", ASH_I32, 0, 1}, 1), ASH_DTYPE_DEFAULT);
    ash__fail_allocation(0);
    CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_dtype_record: ");
}

/* Records inside records, to the deepest that is allowed. */
static void nesting_is_bounded(void **state)
{
    (void)state;
    ash_dtype dtype = ASH_I32;
    for (int depth = 1; depth <= ASH__RECORD_DEPTH; depth++) {
        dtype = ash_dtype_record("deep", 4, &(ash_field_info){"in", dtype, 0, 1}, 1);
        assert_true(dtype >= ASH_RECORD_FIRST);
    }
    assert_int_equal(ash_dtype_record("deep", 4, &(ash_field_info){"in", dtype, 0, 1}, 1), ASH_DTYPE_DEFAULT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "nests records 17 deep");
}

enum { THREADS = 4, EACH = 200 };
static void *describe(void *result)
{
    ash_dtype *numbers_of = result;
    for (int i = 0; i < EACH; i++) {
        char name[32];
        snprintf(name, sizeof name, "r%d", i);
        numbers_of[i] = ash_dtype_record(name, 8, &(ash_field_info){"f", ASH_I64, 0, 1}, 1);
        if (strcmp(ash_dtype_name(numbers_of[i]), name) != 0)
            numbers_of[i] = ASH_DTYPE_DEFAULT;
    }
    return NULL;
}

/* Threads that describe the same records get the same numbers, and no number twice. */
static void described_by_threads(void **state)
{
    (void)state;
    static ash_dtype number[THREADS][EACH];
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, describe, number[t]), 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    for (int i = 0; i < EACH; i++)
        for (int t = 0; t < THREADS; t++) {
            assert_true(number[t][i] >= ASH_RECORD_FIRST);
            assert_int_equal(number[t][i], number[0][i]);
        }
}

/* The last test: afterwards the table is full. */
static void the_table_is_bounded(void **state)
{
    (void)state;
    int made = 0;
    char name[32];
    for (; made <= ASH__RECORDS; made++) {
        snprintf(name, sizeof name, "full%d", made);
        if (!ash_dtype_record(name, 1, &(ash_field_info){"f", ASH_U8, 0, 1}, 1))
            break;
    }
    assert_true(made > 0 && made < ASH__RECORDS);
    CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_dtype_record: there are 4096 record dtypes already");
    assert_string_equal(ash_dtype_name(particle_dtype()), "particle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_and_sizes),     TEST(promotion),       TEST(narrow_rounding),    TEST(records),
        TEST(the_place_of_f64),    TEST(records_refused), TEST(nesting_is_bounded), TEST(described_by_threads),
        TEST(the_table_is_bounded)};
    return cmocka_run_group_tests_name("dtype", tests, NULL, NULL);
}
