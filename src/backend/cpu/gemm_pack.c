/*
 * gemm_pack.c - blocks of matrices laid out for the tiles of a product.
 *
 * Whatever a matrix is besides elements of the right type side by side is dealt with line by line, while the elements are
 * copied anyway: other dtypes, conjugation, parts of complex numbers, and structure. A line of a structured matrix is at most
 * three runs: one to the left of the diagonal, the diagonal, one to the right, each read as it is, mirrored, or not at all.
 */
#include "backend/cpu/gemm_pack.h"

#include "core/convert.h"

enum { LARGEST = 16 }; /* bytes of a plain element */

ash_dtype ash__work_dtype(ash_dtype part, int64_t inner)
{
    if (part == ASH_F64 || part == ASH_F32)
        return part;
    if (part == ASH_F16 || part == ASH_BF16)
        return ASH_F32;
    if (part == ASH_I64 || part == ASH_U64 || (part == ASH_BOOL && inner > UINT32_MAX)) /* a count that does not wrap to 0 */
        return ASH_U64;
    return ASH_U32;
}

/* Are the parts of dtype as they are computed with? */
static bool same_bits(ash_dtype part, ash_dtype work)
{
    return part == work || (work == ASH_U32 && part == ASH_I32) || (work == ASH_U64 && part == ASH_I64);
}

ash__pack ash__pack_of(const ash__matrix *m, ash_dtype dtype, ash_dtype work, bool complex)
{
    const ash__kernels *const kernels = ash__cpu_kernels();
    const int64_t item = kernels->product->loops[work]->item;
    const bool whole = ((m->row | m->col | (intptr_t)m->data) & (item - 1)) == 0;
    return (ash__pack){.kernels = kernels,
                       .loops = kernels->product->loops[work],
                       .matrix = m,
                       .dtype = dtype,
                       .work = work,
                       .complex = complex,
                       .plain = !complex && same_bits(dtype, work) && m->structure <= ASH_GENERAL && whole};
}

static ash_structure transposed_structure(ash_structure s)
{
    switch (s) {
    case ASH_SYMMETRIC_LOWER:
        return ASH_SYMMETRIC_UPPER;
    case ASH_SYMMETRIC_UPPER:
        return ASH_SYMMETRIC_LOWER;
    case ASH_HERMITIAN_LOWER:
        return ASH_HERMITIAN_UPPER;
    case ASH_HERMITIAN_UPPER:
        return ASH_HERMITIAN_LOWER;
    case ASH_TRIANGULAR_LOWER:
        return ASH_TRIANGULAR_UPPER;
    case ASH_TRIANGULAR_UPPER:
        return ASH_TRIANGULAR_LOWER;
    case ASH_UNIT_LOWER:
        return ASH_UNIT_UPPER;
    case ASH_UNIT_UPPER:
        return ASH_UNIT_LOWER;
    default:
        return s;
    }
}

ash__matrix ash__transposed(const ash__matrix *m)
{
    ash__matrix t = *m;
    t.rows = m->cols;
    t.cols = m->rows;
    t.row = m->col;
    t.col = m->row;
    t.structure = transposed_structure(m->structure);
    return t;
}

/* ---- between dtypes */

/* n parts side by side as they are computed with, to room for LINE complex numbers; what they are already stays in place. */
static const char *widen(const ash__pack *p, char *to, const char *from, int64_t n)
{
    const ash__elementwise_table *const t = p->kernels->elementwise;
    const ash_dtype part = ash__part(p->dtype);
    if (same_bits(part, p->work))
        return from;
    if (part != ASH_F16 && part != ASH_BF16)
        ash__convert_for(t, part, p->work)(to, from, NULL, NULL, n);
    else if (p->work == ASH_F32)
        ash__load16_for(t, part)(to, from, NULL, NULL, n);
    else {
        float single[2 * ASH__LINE];
        ash__load16_for(t, part)(single, from, NULL, NULL, n);
        ash__convert_for(t, ASH_F32, p->work)(to, single, NULL, NULL, n);
    }
    return to;
}

static void gather(const ash__pack *p, char *to, const char *from, int64_t step, int64_t n)
{
    if (n > 0)
        p->kernels->layout->gather[ash__log_of((int64_t)ash_dtype_size(p->dtype))](to, from, step, n);
}

void ash__widen_line(const ash__pack *p, char *to, const char *from, int64_t step, int64_t n)
{
    _Alignas(64) char raw[ASH__LINE * LARGEST];
    const int64_t parts = ash__is_complex(p->dtype) ? 2 : 1;
    for (int64_t done = 0, count; done < n; done += count) {
        count = n - done < ASH__LINE ? n - done : ASH__LINE;
        char *const at = to + done * parts * p->loops->item;
        gather(p, raw, from + done * step, step, count);
        if (widen(p, at, raw, count * parts) == raw)
            memcpy(at, raw, (size_t)(count * parts * p->loops->item));
    }
}

void ash__write_line(const ash__pack *p, char *to, int64_t step, const char *from, int64_t n)
{
    _Alignas(64) char raw[ASH__LINE * LARGEST];
    const ash__elementwise_table *const t = p->kernels->elementwise;
    const ash_dtype part = ash__part(p->dtype);
    const int64_t parts = ash__is_complex(p->dtype) ? 2 : 1;
    for (int64_t done = 0, count; done < n; done += count) {
        count = n - done < ASH__LINE ? n - done : ASH__LINE;
        const char *const at = from + done * parts * p->loops->item;
        if (part == ASH_F16 || part == ASH_BF16)
            ash__store16_for(t, part, ASH_F32)(raw, at, NULL, NULL, count * parts);
        else
            ash__convert_for(t, p->work, part)(raw, at, NULL, NULL, count * parts);
        p->kernels->layout->scatter[ash__log_of((int64_t)ash_dtype_size(p->dtype))](to + done * step, step, raw, count);
    }
}

/* ---- lines of structured matrices */

/* Elements k to end - 1 of row i, all on one side of the diagonal. */
static void read_side(const ash__pack *p, int64_t i, int64_t k, int64_t end, char *to)
{
    const ash__matrix *const m = p->matrix;
    const ash_structure s = m->structure;
    const bool lower = s == ASH_SYMMETRIC_LOWER || s == ASH_HERMITIAN_LOWER || s == ASH_TRIANGULAR_LOWER || s == ASH_UNIT_LOWER;
    const bool stored = lower == (k < i) && s != ASH_DIAGONAL;
    if (end <= k)
        return;
    if (stored)
        gather(p, to, m->data + i * m->row + k * m->col, m->col, end - k);
    else if (s >= ASH_TRIANGULAR_LOWER)
        memset(to, 0, (size_t)(end - k) * ash_dtype_size(p->dtype));
    else {
        gather(p, to, m->data + k * m->row + i * m->col, m->row, end - k);
        if (s == ASH_HERMITIAN_LOWER || s == ASH_HERMITIAN_UPPER)
            ash__conjugate(to, p->dtype, end - k);
    }
}

static void read_diagonal(const ash__pack *p, int64_t i, char *to)
{
    const ash__matrix *const m = p->matrix;
    const size_t size = ash_dtype_size(p->dtype);
    const bool hermitian = m->structure == ASH_HERMITIAN_LOWER || m->structure == ASH_HERMITIAN_UPPER;
    if (m->structure == ASH_UNIT_LOWER || m->structure == ASH_UNIT_UPPER)
        memset(to, 0, size); /* the one is put in when it is known as what */
    else
        memcpy(to, m->data + i * (m->row + m->col), size);
    if (hermitian && ash__is_complex(p->dtype))
        memset(to + size / 2, 0, size / 2);
}

static void put_one(ash_dtype work, char *to)
{
    switch (work) {
    case ASH_F32:
        *(float *)(void *)to = 1;
        break;
    case ASH_F64:
        *(double *)(void *)to = 1;
        break;
    case ASH_U32:
        *(uint32_t *)(void *)to = 1;
        break;
    default:
        *(uint64_t *)(void *)to = 1;
        break;
    }
}

/* The elements as they lie, side by side. */
static void read_raw(const ash__pack *p, int64_t i, int64_t k, int64_t n, char *to)
{
    const ash__matrix *const m = p->matrix;
    const int64_t size = (int64_t)ash_dtype_size(p->dtype), end = k + n;
    if (m->structure <= ASH_GENERAL)
        gather(p, to, m->data + i * m->row + k * m->col, m->col, n);
    else {
        const int64_t left = i < k ? k : i > end ? end : i, right = left < i + 1 ? (i + 1 > end ? end : i + 1) : left;
        read_side(p, i, k, left, to);
        if (right > left)
            read_diagonal(p, i, to + (left - k) * size);
        read_side(p, i, right, end, to + (right - k) * size);
    }
    if (m->conjugated)
        ash__conjugate(to, p->dtype, n);
}

void ash__read_line(const ash__pack *p, int64_t i, int64_t k, int64_t n, char *re, char *im)
{
    _Alignas(64) char raw[ASH__LINE * LARGEST], wide[ASH__LINE * LARGEST];
    const int64_t item = p->loops->item;
    read_raw(p, i, k, n, raw);
    const bool complex = ash__is_complex(p->dtype);
    const char *const line = widen(p, wide, raw, complex ? 2 * n : n);
    if (complex)
        p->loops->split(re, im, line, n);
    else
        memcpy(re, line, (size_t)(n * item));
    if (p->complex && !complex)
        memset(im, 0, (size_t)(n * item));
    const ash_structure s = p->matrix->structure;
    if ((s == ASH_UNIT_LOWER || s == ASH_UNIT_UPPER) && i >= k && i < k + n)
        put_one(p->work, re + (i - k) * item);
}

/* ---- blocks */

void ash__pack_rows(const ash__pack *p, int64_t i, int64_t k, int64_t rows, int64_t cols, char *re, char *im, int64_t step)
{
    const ash__matrix *const m = p->matrix;
    const int64_t item = p->loops->item;
    const char *const from = m->data + i * m->row + k * m->col;
    if (p->plain && m->col == item)
        p->kernels->product->copy(re, step, from, m->row, rows, (size_t)(cols * item));
    else if (p->plain && m->row == item)
        p->kernels->layout->transpose[ash__log_of(item)](re, step, from, m->col, cols, rows);
    else
        for (int64_t r = 0; r < rows; r++)
            ash__read_line(p, i + r, k, cols, re + r * step, im ? im + r * step : NULL);
}
