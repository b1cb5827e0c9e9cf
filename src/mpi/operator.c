/*
 * operator.c - what a reduction does with two elements.
 *
 * Where MPI's own operator does what ash_reduce does, it is taken: sums and products of f32, f64 and wide integers (as unsigned
 * ones, so that they wrap), bits, and the order of wide signed integers. Not so: sums of narrow integers, which Open MPI
 * saturates where it uses AVX (open-mpi/ompi#8045), and the order of unsigned ones, which it and MPICH have had wrong
 * (open-mpi/ompi#10648); the order of floats, which says nothing of NaN; complex products, which are C's. For these, and for
 * f16, bf16 and function strings, the library computes, in a function that MPI calls with two runs of elements. It learns from
 * the thread what to do: a blocking reduction runs it on the thread that called.
 */
#include "mpi/operator.h"

#include <ashlar/array.h>
#include <ashlar/dtype.h>
#include <ashlar/error.h>
#include <ashlar/map.h>
#include <string.h>

/* ---- the library's function as an MPI_Op */

static _Thread_local const ash__mpi_operator *current;
static _Thread_local ash_status combined;

static void combine(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    if (!current || combined)
        return;
    const int64_t n = *count, barrier = ash_scope_open_barrier();
    ash_array *x = ash_wrap(in, current->dtype, n, ((ash_dims){&n, 1}));
    ash_array *y = ash_wrap(inout, current->dtype, n, ((ash_dims){&n, 1}));
    combined = x && y ? ash_map_into(y, current->function, x, y) : ASH_ERR_MEMORY;
    ash_release(x);
    ash_release(y);
    ash_scope_close(barrier);
}

void ash__mpi_begin_combining(const ash__mpi_operator *op)
{
    current = op;
    combined = ASH_OK;
}

ash_status ash__mpi_end_combining(const char *function)
{
    current = NULL;
    return combined ? ash__mpi_fail(combined, function, "combining elements failed on this rank") : ASH_OK;
}

static MPI_Op own[2] = {MPI_OP_NULL, MPI_OP_NULL}; /* in the order of the ranks; in any order */

static void free_own(void)
{
    for (int i = 0; i < 2; i++)
        if (own[i] != MPI_OP_NULL)
            MPI_Op_free(own + i);
}

static ash_status own_op(const char *function, bool any_order, MPI_Op *op)
{
    ash__mpi_lock();
    ash_status status = ash__mpi_at_end(function, free_own);
    if (!status && own[any_order] == MPI_OP_NULL)
        status = ash__mpi_result(function, MPI_Op_create(combine, any_order, own + any_order));
    *op = own[any_order];
    ash__mpi_unlock();
    return status;
}

/* ---- dtypes */

static bool is_bool_or_integer(ash_dtype d)
{
    return d >= ASH_BOOL && d <= ASH_U64;
}
static bool is_half(ash_dtype d)
{
    return d == ASH_F16 || d == ASH_BF16;
}
static bool is_complex(ash_dtype d)
{
    return d >= ASH_C_I8 && d <= ASH_C_F64;
}
static ash_dtype part_of(ash_dtype d)
{
    return is_complex(d) ? (ash_dtype)(d - ASH_C_I8 + ASH_I8) : d;
}

static MPI_Datatype unsigned_of(size_t bytes)
{
    return bytes == 1 ? MPI_UINT8_T : bytes == 2 ? MPI_UINT16_T : bytes == 4 ? MPI_UINT32_T : MPI_UINT64_T;
}

/* ---- the operators that have a name */

enum { IS_SUM = 1, IS_ORDER = 2, IS_BITS = 4, IS_LOGIC = 8 };
typedef struct known {
    const char *text, *function;
    int kind;
    MPI_Op mpi;
} known;

static const char *function_of(const char *text, int *kind, MPI_Op *mpi)
{
    const known all[] = {
        {"+", "(x, y) -> x + y", IS_SUM, MPI_SUM},         {"*", "(x, y) -> x * y", IS_SUM, MPI_PROD},
        {"min", "(x, y) -> min(x, y)", IS_ORDER, MPI_MIN}, {"max", "(x, y) -> max(x, y)", IS_ORDER, MPI_MAX},
        {"&", "(x, y) -> x & y", IS_BITS, MPI_BAND},       {"|", "(x, y) -> x | y", IS_BITS, MPI_BOR},
        {"^", "(x, y) -> xor(x, y)", IS_BITS, MPI_BXOR},   {"&&", "(x, y) -> x && y", IS_LOGIC, MPI_BAND},
        {"||", "(x, y) -> x || y", IS_LOGIC, MPI_BOR},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(text, all[i].text) == 0) {
            *kind = all[i].kind;
            *mpi = all[i].mpi;
            return all[i].function;
        }
    *kind = 0;
    return text;
}

/* Where MPI's operator does what ash_reduce does: the type to give it, and how many in an element. */
static MPI_Datatype native_type(int kind, MPI_Op mpi, ash_dtype dtype, int64_t *parts)
{
    const ash_dtype part = part_of(dtype);
    const size_t bytes = ash_dtype_size(part);
    *parts = is_complex(dtype) ? 2 : 1;
    if (is_complex(dtype) && mpi != MPI_SUM)
        return MPI_DATATYPE_NULL;
    if (is_bool_or_integer(part) && (kind == IS_BITS || kind == IS_LOGIC || (kind == IS_SUM && bytes >= 4)))
        return unsigned_of(bytes);
    if (kind == IS_ORDER && (part == ASH_I32 || part == ASH_I64))
        return bytes == 4 ? MPI_INT32_T : MPI_INT64_T;
    if (kind == IS_SUM && part == ASH_F32)
        return MPI_FLOAT;
    if (kind == IS_SUM && part == ASH_F64)
        return MPI_DOUBLE;
    return MPI_DATATYPE_NULL;
}

/* ---- choosing */

/* Operators whose result is no element of the array. */
static ash_status check_result(const char *f, const char *text, int kind, ash_dtype dtype)
{
    if (dtype >= ASH_RECORD_FIRST)
        return ash__mpi_fail(ASH_ERR_DTYPE, f, "records, such as %s, cannot be combined; combine their fields (ash_field)",
                             ash_dtype_name(dtype));
    if (kind == IS_SUM && dtype == ASH_BOOL)
        return ash__mpi_fail(ASH_ERR_DTYPE, f, "bool %s bool is i64, which does not fit a; convert a to an integer dtype",
                             text);
    if (kind == IS_LOGIC && dtype != ASH_BOOL)
        return ash__mpi_fail(ASH_ERR_DTYPE, f, "%s gives bool, but a is %s; compare its elements first", text,
                             ash_dtype_name(dtype));
    return ASH_OK;
}

/* Does the library have such a function of two elements, and is its value one? */
static ash_status try_function(const char *f, const char *text, const char *function, ash_dtype dtype)
{
    const bool before = ash_failed();
    const int64_t scope = ash_scope_open_barrier();
    ash_array *one = ash_ones(ASH_SHAPE(), .dtype = dtype);
    ash_array *z = ash_map(function, one, one);
    const ash_dtype result = z ? ash_dtype_of(z) : ASH_DTYPE_DEFAULT;
    ash_release(one);
    ash_release(z);
    ash_scope_close(scope);
    ash_error e = {.status = ASH_ERR_ARGUMENT};
    if (z)
        return result == dtype ? ASH_OK
                               : ash__mpi_fail(ASH_ERR_DTYPE, f, "%s of %s and %s is %s, which does not fit a", text,
                                               ash_dtype_name(dtype), ash_dtype_name(dtype), ash_dtype_name(result));
    if (!before && ash_error_take(&e, sizeof e))
        ash__mpi_fail(e.status, f, "%s: %s", text, e.cause);
    return e.status;
}

static ash_status own_operator(const char *f, const char *function, int kind, ash__mpi_operator *op)
{
    ash__mpi_layout element;
    ash__mpi_unit_of(op->dtype, &element);
    ash_status status = own_op(f, kind != 0, &op->op);
    if (status)
        return status;
    op->compiled = ash_function_new(function);
    op->function = op->compiled;
    op->type = element.unit;
    op->parts = 1;
    if (!op->compiled)
        return ASH_ERR_ARGUMENT;
    if (element.parts > 1) {
        int code = MPI_Type_contiguous((int)element.parts, element.unit, &op->type);
        op->made = code == MPI_SUCCESS;
        if (op->made)
            code = MPI_Type_commit(&op->type);
        status = ash__mpi_result(f, code);
    }
    if (status)
        ash__mpi_end_operator(op);
    return status;
}

ash_status ash__mpi_operator_for(const char *f, const char *text, ash_dtype dtype, ash__mpi_operator *op)
{
    int kind;
    MPI_Op mpi = MPI_OP_NULL;
    *op = (ash__mpi_operator){.dtype = dtype};
    if (!text)
        return ash__mpi_fail(ASH_ERR_ARGUMENT, f, "op is NULL");
    const char *function = function_of(text, &kind, &mpi);
    ash_status status = check_result(f, text, kind, dtype);
    if (status)
        return status;
    if (kind == IS_SUM && is_half(part_of(dtype)))
        op->dtype = is_complex(dtype) ? ASH_C_F32 : ASH_F32;
    op->op = mpi;
    op->type = native_type(kind, mpi, op->dtype, &op->parts);
    if (op->type != MPI_DATATYPE_NULL)
        return ASH_OK;
    status = try_function(f, text, function, op->dtype);
    return status ? status : own_operator(f, function, kind, op);
}

void ash__mpi_end_operator(ash__mpi_operator *op)
{
    if (op->made)
        MPI_Type_free(&op->type);
    op->made = false;
    ash_function_release(op->compiled);
    op->compiled = NULL;
}
