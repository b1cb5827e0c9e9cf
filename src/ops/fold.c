/*
 * fold.c - the operators of reductions and scans.
 *
 * What a backend can fold are nine operations on one dtype (and any function string). Everything about dtypes is settled
 * here, so that reductions and scans agree: ash_reduce("+", ...) and ash_scan("+", ...) add in the same dtype.
 */
#include "ops/fold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/convert.h"
#include "core/error.h"
#include "core/operand.h"
#include "ops/task.h"

/* ---- operators */

static const struct {
    const char *text, *function;
    ash__fold fold;
    bool truth;
} known[] = {
    {"+", "(a, b) -> a + b", ASH__FOLD_SUM, false},       {"*", "(a, b) -> a * b", ASH__FOLD_PROD, false},
    {"min", "(a, b) -> min(a, b)", ASH__FOLD_MIN, false}, {"max", "(a, b) -> max(a, b)", ASH__FOLD_MAX, false},
    {"&&", "(a, b) -> a && b", ASH__FOLD_AND, true},      {"||", "(a, b) -> a || b", ASH__FOLD_OR, true},
    {"&", "(a, b) -> a & b", ASH__FOLD_AND, false},       {"|", "(a, b) -> a | b", ASH__FOLD_OR, false},
    {"^", "(a, b) -> xor(a, b)", ASH__FOLD_XOR, false},
};
enum { KNOWN = sizeof known / sizeof known[0] };

bool ash__operator_open(const char *function, const char *text, ash__operator *op)
{
    memset(op, 0, sizeof *op);
    op->text = text;
    if (!text) {
        ash__null(function, "the operator");
        return false;
    }
    for (int i = 0; i < KNOWN; i++)
        if (strcmp(text, known[i].text) == 0) {
            op->fold = known[i].fold;
            op->truth = known[i].truth;
            return true;
        }
    op->fold = ASH__FOLD_FUNCTION;
    op->function = ash__function_open(function, text);
    if (op->function && ash__function_arity(op->function) != 2) {
        ash__fail(ASH_ERR_ARGUMENT, function, "the operator takes %lld arguments; one of two was wanted: %s",
                  (long long)ash__function_arity(op->function), text);
        ash__operator_close(op);
        return false;
    }
    return op->function != NULL;
}

void ash__operator_close(ash__operator *op)
{
    ash_function_release(op->function);
    op->function = NULL;
}

const char *ash__operator_function(const ash__operator *op)
{
    for (int i = 0; i < KNOWN; i++)
        if (strcmp(op->text, known[i].text) == 0)
            return known[i].function;
    return op->text;
}

/* ---- the dtype rule */

static ash_dtype with_part(ash_dtype d, ash_dtype part)
{
    return ash__is_complex(d) ? ash__complex_of(part) : part;
}

static ash_dtype widened(ash_dtype d)
{
    const ash_dtype part = ash__part(d);
    if (part == ASH_BOOL || ash__is_signed(part))
        return with_part(d, ASH_I64);
    return ash__is_integer(part) ? with_part(d, ASH_U64) : d;
}

/* What is accumulated in when the result goes to an array of dtype out: wider of the same kind is taken up; an integer of
 * the other sign is reached through 64 bits, so that only the result has to fit. */
static ash_dtype lifted(ash_dtype d, ash_dtype out)
{
    const ash_dtype a = ash__part(d), b = ash__part(out);
    if (ash_dtype_size(b) < ash_dtype_size(a) || a == b)
        return d;
    if (ash__is_float(a) && ash__is_float(b))
        return with_part(d, ash_dtype_promote(a, b));
    if (!ash__is_integer(a) || !ash__is_integer(b))
        return d;
    return with_part(d, ash__is_signed(a) == ash__is_signed(b) ? b : ash__is_signed(a) ? ASH_I64 : ASH_U64);
}

static ash_status check_element(const char *function, const ash__operator *op, ash_dtype d)
{
    const ash__fold fold = op->fold;
    if (!ash__is_real(d) && !ash__is_complex(d))
        return ash__fail(ASH_ERR_DTYPE, function, "the elements are %s; numbers were wanted", ash_dtype_name(d));
    if ((fold == ASH__FOLD_MIN || fold == ASH__FOLD_MAX) && ash__is_complex(d))
        return ash__fail(ASH_ERR_DTYPE, function, "the elements are %s, and complex numbers have no order", ash_dtype_name(d));
    if (!op->truth && (fold == ASH__FOLD_AND || fold == ASH__FOLD_OR || fold == ASH__FOLD_XOR) && d != ASH_BOOL &&
        !ash__is_integer(d))
        return ash__fail(ASH_ERR_DTYPE, function, "\"%s\" works on the bits of integers and on bool, not on %s", op->text,
                         ash_dtype_name(d));
    return ASH_OK;
}

/* The dtype that op gives for two values of dtype d. */
static ash_status natural(const char *function, const ash__operator *op, ash_dtype d, const ash_device *device, ash_dtype *out)
{
    if (op->fold != ASH__FOLD_FUNCTION) {
        *out = d == ASH_BOOL && (op->fold == ASH__FOLD_SUM || op->fold == ASH__FOLD_PROD) ? ASH_I64 : d;
        return ASH_OK;
    }
    const ash__argument two[2] = {{d, false}, {d, false}};
    const ash__target target = {.rule = ASH__RULE_NATURAL, .device = device->name, .f64 = device->f64};
    ash__program *p = ash__function_program(function, op->function, 2, two, &target);
    if (!p)
        return ash__last_status();
    *out = p->dtype;
    ash__program_release(p);
    return ASH_OK;
}

/* ---- init */

static ash_status init_dtype(const char *function, const ash_operand *init, const ash_device *device, ash_dtype *out)
{
    if (init->kind == ASH_OPERAND_ARRAY) {
        const ash_array *a = init->value.array;
        const ash_status status = ash__check_array(function, "init", a);
        if (status)
            return status;
        char shape[ASH__SHAPE_TEXT];
        if (a->size != 1)
            return ash__fail(ASH_ERR_SHAPE, function, "init has shape %s; a scalar or an array of one element was wanted",
                             ash__shape_text(shape, sizeof shape, a->shape, a->rank));
        if (ash__device(a) != device)
            return ash__fail(ASH_ERR_DEVICE, function, "init is on %s and the operands on %s", ash__device(a)->name,
                             device->name);
        *out = a->dtype;
    } else {
        *out = init->dtype;
        if (ash__scalar_needs_f64(init) && !device->f64)
            return ash__fail_scalar(function, "init", init, device);
    }
    return ash__is_real(*out) || ash__is_complex(*out)
               ? ASH_OK
               : ash__fail(ASH_ERR_DTYPE, function, "init is %s; a number was wanted", ash_dtype_name(*out));
}

static ash_status init_bytes(const char *function, const ash_operand *init, unsigned char bytes[16])
{
    if (init->kind != ASH_OPERAND_ARRAY)
        return ash__operand_bytes(function, init, bytes);
    const ash_array *a = init->value.array;
    return ash__read_element(function, a, ASH__READ, bytes);
}

/* init in the accumulator's dtype, f16 as f32; truth: as a bool, by x != 0. */
static ash_status set_init(const char *function, const ash__operator *op, const ash_operand *init, ash_dtype dtype,
                           ash__folding *f)
{
    unsigned char bytes[16] = {0};
    const ash_status status = init_bytes(function, init, bytes);
    if (status)
        return status;
    f->has_init = true;
    if (op->truth) {
        double parts[2] = {0, 0};
        ash__convert_run((char *)parts, 0, ASH_C_F64, (const char *)bytes, 0, dtype, 1, false);
        f->init[0] = parts[0] != 0 || parts[1] != 0;
        return ASH_OK;
    }
    const ash_dtype stored = with_part(f->dtype, ash__machine(ash__part(f->dtype)));
    if (ash__convert_run((char *)f->init, 0, stored, (const char *)bytes, 0, dtype, 1, false) == 1)
        return ASH_OK;
    return ash__fail(ASH_ERR_VALUE, function, "init does not fit %s, the dtype that is accumulated in",
                     ash_dtype_name(f->dtype));
}

/* ---- a folding */

static bool is_half(ash_dtype d)
{
    return ash__part(d) == ASH_F16 || ash__part(d) == ASH_BF16;
}

/* A function: what two elements combine to has to be what they are; lifted once ((bool, bool) -> i64). */
static ash_status settle_function(const char *function, const ash__operator *op, const ash_device *device, ash__folding *f)
{
    const char *const text = op->function ? op->text : "(a, b) -> a * b";
    if (is_half(f->dtype))
        f->dtype = with_part(f->dtype, ASH_F32); /* rounded once, at the end */
    ash_function *g = ash__function_open(function, text);
    const ash__argument two[2] = {{f->dtype, false}, {f->dtype, false}};
    const ash__target target = {.rule = ASH__RULE_INTO, .dtype = f->dtype, .device = device->name, .f64 = device->f64};
    f->combine = g ? ash__function_program(function, g, 2, two, &target) : NULL;
    ash_function_release(g);
    return f->combine ? ASH_OK : ash__last_status();
}

ash_status ash__folding_set(const char *function, const ash__operator *op, ash_dtype element, const ash_operand *init,
                            const ash_device *device, ash_dtype out, ash__folding *f)
{
    const bool given = init->kind != ASH_OPERAND_NONE;
    ash_dtype start = element, d;
    memset(f, 0, sizeof *f);
    f->fold = op->fold;
    ash_status status = given ? init_dtype(function, init, device, &start) : ASH_OK;
    if (!status)
        status = check_element(function, op, element);
    if (status)
        return status;
    d = op->truth ? ASH_BOOL : given ? ash_dtype_promote(element, start) : element;
    if (op->widen && !op->truth)
        d = ash_dtype_promote(widened(element), given ? start : widened(element));
    status = check_element(function, op, d);
    if (!status)
        status = natural(function, op, d, device, &f->dtype);
    if (!status && op->fold == ASH__FOLD_FUNCTION && f->dtype != d) {
        const ash_dtype wider = ash_dtype_promote(d, f->dtype);
        f->dtype = wider ? wider : d;
    }
    if (status)
        return status;
    f->result = f->dtype;
    if (out && !op->truth && op->fold != ASH__FOLD_FUNCTION)
        f->dtype = f->result = lifted(f->dtype, out);
    if (f->fold == ASH__FOLD_PROD && ash__is_complex(f->dtype))
        f->fold = ASH__FOLD_FUNCTION;
    if (f->fold == ASH__FOLD_FUNCTION)
        status = settle_function(function, op, device, f);
    if (!status && given)
        status = set_init(function, op, init, start, f);
    if (!status && !given && f->fold != op->fold) { /* the complex product starts at 1 */
        const unsigned char one = 1;
        const ash_dtype stored = with_part(f->dtype, ash__machine(ash__part(f->dtype)));
        ash__convert_run((char *)f->init, 0, stored, (const char *)&one, 0, ASH_U8, 1, false);
        f->has_init = true;
    }
    if (status)
        ash__folding_end(f);
    return status;
}

void ash__folding_end(ash__folding *f)
{
    ash__program_release(f->combine);
    f->combine = NULL;
}

/* ---- neutral elements */

static ash__scalar lowest(ash_dtype machine)
{
    ash__scalar s = {.bits = 0};
    switch (machine) {
    case ASH_I8:
        s.i8 = INT8_MIN;
        break;
    case ASH_I16:
        s.i16 = INT16_MIN;
        break;
    case ASH_I32:
        s.i32 = INT32_MIN;
        break;
    case ASH_I64:
        s.i64 = INT64_MIN;
        break;
    case ASH_F32:
        s.f32 = -INFINITY;
        break;
    case ASH_F64:
        s.f64 = -(double)INFINITY;
        break;
    default:
        break;
    }
    return s;
}

static ash__scalar highest(ash_dtype machine)
{
    ash__scalar s = {.bits = 0};
    switch (machine) {
    case ASH_BOOL:
        s.b = 1;
        break;
    case ASH_I8:
        s.i8 = INT8_MAX;
        break;
    case ASH_I16:
        s.i16 = INT16_MAX;
        break;
    case ASH_I32:
        s.i32 = INT32_MAX;
        break;
    case ASH_I64:
        s.i64 = INT64_MAX;
        break;
    case ASH_U8:
        s.u8 = UINT8_MAX;
        break;
    case ASH_U16:
        s.u16 = UINT16_MAX;
        break;
    case ASH_U32:
        s.u32 = UINT32_MAX;
        break;
    case ASH_U64:
        s.u64 = UINT64_MAX;
        break;
    case ASH_F32:
        s.f32 = INFINITY;
        break;
    case ASH_F64:
        s.f64 = (double)INFINITY;
        break;
    default:
        break;
    }
    return s;
}

static ash__scalar small(ash_dtype machine, uint8_t x)
{
    ash__scalar s = {.bits = 0};
    ash__convert_run((char *)&s, 0, machine, (const char *)&x, 0, ASH_U8, 1, false);
    return s;
}

static ash__scalar all_ones(ash_dtype machine)
{
    ash__scalar s = {.bits = UINT64_MAX};
    return machine == ASH_BOOL ? small(machine, 1) : s;
}

void ash__folding_neutral(const ash__folding *f, ash__scalar *re, ash__scalar *im)
{
    const ash_dtype m = ash__machine(ash__part(f->dtype));
    im->bits = re->bits = 0;
    switch (f->fold) {
    case ASH__FOLD_PROD:
        *re = small(m, 1);
        break;
    case ASH__FOLD_MIN:
        *re = highest(m);
        break;
    case ASH__FOLD_MAX:
        *re = lowest(m);
        break;
    case ASH__FOLD_AND:
        *re = all_ones(m);
        break;
    case ASH__FOLD_FUNCTION: /* init stands for it */
        memcpy(re, f->init, ash_dtype_size(m));
        if (ash__is_complex(f->dtype))
            memcpy(im, f->init + ash_dtype_size(m), ash_dtype_size(m));
        break;
    default:
        break; /* 0 */
    }
}
