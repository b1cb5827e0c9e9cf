/* make.c - arrays made, filled, copied and converted; include/ashlar/array.h. */
#include "trial.h"

#include <string.h>

#define WHERE .dtype = now.dtype, .layout = now.layout

static void expect_all(const model *element)
{
    const model want = model_broadcast(element, now.shape, now.rank);
    expect(&want);
}

/* A number, which every dtype of numbers has. */
static model small(int64_t x)
{
    const model m = model_new(now.dtype, NULL, 0);
    const ash_dtype part = part_of(now.dtype);
    number_store(part, number_of(ASH_I64, &x), model_at(&m, 0));
    return m;
}

static void run_zeros(void)
{
    result(ash_zeros(HERE, WHERE));
    const model zero = model_new(now.dtype, NULL, 0);
    expect_all(&zero);
}
static void run_ones(void)
{
    result(ash_ones(HERE, WHERE));
    const model one = small(1);
    expect_all(&one);
}
static void run_fill_new(void)
{
    const argument x = give(now.dtype, NULL, 0, ANYTHING);
    result(ash_fill_new(HERE, x.array, .layout = now.layout));
    expect_all(&x.value);
}
static void run_fill(void)
{
    const argument a = give_here(ANYTHING), x = give(now.dtype, NULL, 0, ANYTHING), out = give_out(&a.value);
    result_status(ash_fill(out.array, x.array), &out);
    expect_all(&x.value);
}
static void run_empty_and_like(void)
{
    const argument a = give_here(ANYTHING);
    ash_array *const e = ash_empty(HERE, WHERE);
    result_number(
        ash_fill(e, a.value.size ? ash_reshape(ash_zeros(ASH_SHAPE(1), WHERE), ASH_SHAPE()) : ash_zeros(ASH_SHAPE(), WHERE)));
    result(e);
    ash_array *const like = ash_like(a.array);
    result_number(ash_copy_into(like, a.array));
    result(like);
    expect(&a.value);
}

static void run_range(void)
{
    const int64_t n = now.edge == LONG ? 100 : now.edge == SINGLE ? 1 : 0;
    result(ash_range(0, n, WHERE));
    const model want = model_new(now.dtype, &n, 1);
    for (int64_t i = 0; i < n; i++)
        number_store(now.dtype, number_of(ASH_I64, &i), model_at(&want, i));
    expect(&want);
}
static void run_linspace(void)
{
    const int64_t n = now.shape[0];
    result(ash_linspace(-1, 1.5, n, WHERE));
    const model want = model_new(now.dtype, &n, 1);
    for (int64_t i = 0; i < n; i++) {
        const double x = n == 1 ? -1 : i == n - 1 ? 1.5 : -1 + (double)i * 2.5 / (double)(n - 1);
        number_store(now.dtype, number_of(ASH_F64, &x), model_at(&want, i));
    }
    expect(&want);
}
static void run_eye(void)
{
    result(ash_eye(now.shape[0], .columns = now.shape[1] + 1, .diagonal = 1, WHERE));
    const model one = small(1), want = model_new(now.dtype, (const int64_t[]){now.shape[0], now.shape[1] + 1}, 2);
    for (int64_t i = 0; i < now.shape[0] && i + 1 < want.shape[1]; i++)
        model_put(&want, i * want.shape[1] + i + 1, &one, 0);
    expect(&want);
}

/* ---- from the host's memory and back */

static void run_from_host(void)
{
    const model m = random_values(now.dtype, now.shape, now.rank, ANYTHING);
    int64_t strides[MODEL_RANK], step = 1;
    for (int64_t k = 0; k < now.rank; k++) { /* as if it lay in column-major order */
        strides[k] = step;
        step *= now.shape[k] ? now.shape[k] : 1;
    }
    result(ash_from_host(m.data, now.dtype, HERE, .strides = {strides, now.rank}, .layout = now.layout));
    const model want = model_new(now.dtype, now.shape, now.rank);
    for (int64_t i = 0; i < want.size; i++) {
        int64_t index[MODEL_RANK], at = 0;
        index_of(&want, i, index);
        for (int64_t k = 0; k < now.rank; k++)
            at += index[k] * strides[k];
        model_put(&want, i, &m, at);
    }
    expect(&want);
}
static void run_from_rows(void)
{
    const model m = random_values(now.dtype, (const int64_t[]){3, 5}, 2, ANYTHING);
    ash_row row[3];
    for (int i = 0; i < 3; i++)
        row[i] = (ash_row){model_at(&m, 5 * i), now.dtype, 5};
    result(ash_from_rows(((ash_rows){row, 3}), .layout = now.layout));
    expect(&m);
}

typedef struct counter {
    int64_t next, end;
} counter;
static int next_number(void *state, ash_operand *element)
{
    counter *const c = state;
    if (c->next == c->end)
        return 0;
    *element = ash_operand_i64(c->next++ % 100);
    return 1;
}
static void run_collect(void)
{
    counter c = {0, now.shape[0]};
    const ash_iterator iterator = {next_number, &c, now.shape[0]};
    result(ash_collect(&iterator, WHERE));
    const model want = model_new(now.dtype, now.shape, 1);
    for (int64_t i = 0; i < want.size; i++) {
        const int64_t x = i % 100;
        number_store(now.dtype, number_of(ASH_I64, &x), model_at(&want, i));
    }
    expect(&want);
}

/* Memory of the program's own: shared always, read and written by the device. */
static void run_wrap(void)
{
    const model m = random_values(now.dtype, now.shape, now.rank, ANYTHING), changed = model_copy(&m);
    ash_array *const a = ash_wrap(changed.data, now.dtype, m.size, HERE, .layout = now.layout);
    result(
        ash_copy(ash_reshape(a, ASH_SHAPE(m.size), .order = now.layout), .storage = now.reference ? ASH_SHARED : now.storage));
    const model flat = model_flat(&m);
    expect(&flat);
    result_number(ash_fill(a, ash_zeros(ASH_SHAPE(), WHERE)));
    result_number(ash_wait(a));
    for (int64_t i = 0; i < m.size * (int64_t)m.nbytes; i++)
        if (changed.data[i])
            fail("byte %" PRId64 " of the program's memory is not 0", i);
}

static void run_to_host_as(void)
{
    const argument a = give_here(COUNTS);
    const model got = model_new(ASH_I16, now.shape, now.rank);
    result_number(ash_to_host_as(a.array, got.data, (size_t)got.size * got.nbytes, ASH_I16));
    for (int64_t i = 0; i < got.size; i++) {
        int16_t want = 0;
        convert_element(ASH_I16, &want, now.dtype, model_at(&a.value, i));
        if (memcmp(&want, model_at(&got, i), sizeof want) != 0)
            fail("element %" PRId64 " differs", i);
    }
}

/* ---- copies */

static void run_copy(void)
{
    const argument a = give_here(ANYTHING);
    result(ash_copy(a.array));
    expect(&a.value);
}
static void run_copy_turned(void)
{
    const argument a = give_here(ANYTHING);
    result(ash_copy(a.array, .layout = now.layout == ASH_ROW_MAJOR ? ASH_COL_MAJOR : ASH_ROW_MAJOR));
    expect(&a.value);
}
static void run_copy_into(void)
{
    const argument a = give_here(ANYTHING), b = give_here(ANYTHING), out = give_out(&b.value);
    result_status(ash_copy_into(out.array, a.array), &out);
    expect(&a.value);
}
static void run_copy_range(void)
{
    const argument a = give_here(ANYTHING), b = give_here(ANYTHING), out = give_out(&b.value);
    const int64_t n = a.value.size / 2;
    result_status(ash_copy_range(out.array, a.value.size - n, a.array, 0, n), &out);
    const model want = model_copy(&b.value);
    for (int64_t i = 0; i < n; i++)
        model_put(&want, a.value.size - n + i, &a.value, i);
    expect(&want);
}
/* Between storages, both ways. */
static void run_copy_storage(void)
{
    const argument a = give_here(ANYTHING);
    ash_array *const there = ash_copy(a.array, .storage = now.storage == ASH_PRIVATE ? ASH_SHARED : ASH_PRIVATE);
    result(ash_copy(there, .storage = now.reference ? ASH_SHARED : now.storage));
    expect(&a.value);
}
static void run_convert(void)
{
    static const ash_dtype to[] = {ASH_I64, ASH_F32, ASH_U8, ASH_BF16, ASH_I16, ASH_C_F32};
    const argument a = give_here(COUNTS);
    ash_dtype dtype = to[now.turn % 6];
    if (is_complex(now.dtype))
        dtype = ASH_C_F32;
    result(ash_convert(a.array, dtype));
    model want;
    if (model_convert(&want, &a.value, dtype))
        expect(&want);
}
/* All of a dtype fits: the device does it. */
static void run_convert_wider(void)
{
    const ash_dtype to = is_complex(now.dtype) ? ASH_C_F32 : now.turn % 2 && now.dtype <= ASH_U32 ? ASH_I64 : ASH_F32;
    const argument a = give_here(ANYTHING);
    result(ash_convert(a.array, to));
    model want;
    if (model_convert(&want, &a.value, to))
        expect(&want);
}
/* What does not fit is refused, or everything does: as on cpu:0. */
static void run_convert_refused(void)
{
    const argument a = give_here(now.rank ? ANYTHING : COUNTS);
    result(ash_convert(a.array, now.turn % 2 ? ASH_I8 : ASH_F16));
    model want;
    const bool fits = model_convert(&want, &a.value, now.turn % 2 ? ASH_I8 : ASH_F16);
    if (fits != worked())
        fail(fits ? "refused" : "not refused");
    if (fits)
        expect(&want);
}
static void run_contiguous(void)
{
    const argument a = give_here(ANYTHING);
    ash_array *const c = ash_contiguous(a.array, .layout = ASH_COL_MAJOR);
    result_number(ash_is_contiguous(c, .layout = ASH_COL_MAJOR));
    expect_number(1);
    result(c);
    expect(&a.value);
}

const operation make_operations[] = {
    {"zeros", run_zeros, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"ones", run_ones, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"fill_new", run_fill_new, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, HOST_READS},
    {"fill", run_fill, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, HOST_READS},
    {"empty_like", run_empty_and_like, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, HOST_READS},
    {"range", run_range, INTEGERS | FLOATS, VECTORS, EXACT, EXACT, 0},
    {"linspace", run_linspace, FLOATS, VECTORS, SUMMED, EXACT, 0},
    {"eye", run_eye, NUMBERS, ONE(MATRIX) | ONE(HOLLOW), EXACT, EXACT, 0},
    {"from_host", run_from_host, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"from_rows", run_from_rows, ALL_DTYPES, ONE(MATRIX), EXACT, EXACT, 0},
    {"collect", run_collect, INTEGERS | FLOATS, VECTORS, EXACT, EXACT, 0},
    {"wrap", run_wrap, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, HOST_READS},
    {"to_host_as", run_to_host_as, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"copy", run_copy, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"copy_turned", run_copy_turned, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"copy_into", run_copy_into, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"copy_range", run_copy_range, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"copy_storage", run_copy_storage, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {"convert", run_convert, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"convert_wider", run_convert_wider, (NUMBERS & ~SINGLES & ~COMPLEX_SINGLES), EVERY_EDGE, EXACT, EXACT, 0},
    {"convert_refused", run_convert_refused, REALS, EVERY_EDGE, EXACT, EXACT, 0},
    {"contiguous", run_contiguous, ALL_DTYPES, EVERY_EDGE, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
