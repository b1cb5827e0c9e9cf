/*
 * fold.c - the text that reductions and scans share: what is folded, in which types, and how results are stored.
 */
#include "backend/gpu/fold.h"

#include <string.h>

#include "backend/gpu/library.h"

static bool is_half(ash_dtype part)
{
    return part == ASH_F16 || part == ASH_BF16;
}

const char *ash__gpu_fold_set(ash__gpu_fold *f, const ash_device *device, const ash__task *task)
{
    memset(f, 0, sizeof *f);
    f->task = task;
    if (ash__is_record(task->program->dtype) || ash__is_record(task->out.dtype))
        return "no kernel folds records yet";
    f->program = ash__fold_program(task->program, &f->loader);
    f->arg = task->kind == ASH__TASK_ARG;
    f->planes = f->arg || ash__is_complex(task->program->dtype) ? 2 : 1;
    f->type = f->wide = ash__machine(ash__part(task->program->dtype));
    f->value = -1;
    if (f->type == ASH_F32 && task->fold == ASH__FOLD_SUM && device->f64)
        f->wide = ASH_F64;
    if (task->fold == ASH__FOLD_FUNCTION && !task->combine)
        return "the fold has no kernel";
    if (!f->arg && task->kind != ASH__TASK_VARIANCE && ash__machine(ash__part(task->out.dtype)) != f->type)
        return "the result is of another dtype than the fold";
    f->faults = f->program->faults || (task->combine && task->combine->faults);
    const char *const why = ash__gpu_too_long(f->program);
    return why || !task->combine || task->combine->copies >= 0 ? why : ash__gpu_too_long(task->combine);
}

size_t ash__gpu_fold_bytes(const ash__gpu_fold *f, bool wide_index)
{
    const size_t first = ash_dtype_size(f->wide), second = f->arg ? (wide_index ? 8 : 4) : first;
    return f->planes == 1 ? first : 2 * (first > second ? first : second);
}

/* ---- the operation */

static const char *operation(const ash__gpu_fold *f)
{
    const bool number = ash__is_float(f->type);
    switch (f->task->fold) {
    case ASH__FOLD_SUM:
        return number ? "x + y" : "(%s)x + (%s)y";
    case ASH__FOLD_PROD:
        return number ? "x * y" : "(%s)x * (%s)y";
    case ASH__FOLD_MIN:
        return number ? "min_%s(x, y)" : "y < x ? y : x";
    case ASH__FOLD_MAX:
        return number ? "max_%s(x, y)" : "y > x ? y : x";
    case ASH__FOLD_AND:
        return "x & y";
    case ASH__FOLD_OR:
        return "x | y";
    default:
        return "x ^ y";
    }
}

/* "FN f32 fold_f32(f32 x, f32 y)" */
static void put_operation(ash__text *text, const ash__gpu_fold *f, ash_dtype type)
{
    const char *const name = ash__gpu_type(type), *const unsigned_name = ash_dtype_size(type) == 8 ? "u64" : "u32";
    const char *const form = operation(f);
    ash__put(text, "FN %s fold_%s(%s x, %s y)\n{\n    return (%s)(", name, name, name, name, name);
    for (const char *at = form; *at; at++)
        if (*at == '%')
            ash__put(text, "%s", form[0] == 'm' ? name : unsigned_name), at++;
        else
            ash__put_bytes(text, at, 1);
    ash__put(text, ");\n}\n");
}

/* Is y to be taken rather than x, which comes before it? */
static void put_later(ash__text *text, const ash__gpu_fold *f)
{
    const bool least = f->task->fold == ASH__FOLD_MIN;
    ash__put(text, "FN int better_later(T0 x, T0 y)\n{\n");
    if (ash__is_float(f->type))
        ash__put(text, "    return ((y %c x) | (y != y) | ((y == x) & ((i%d)%s_BITS(y) %c (i%d)%s_BITS(x)))) & (x == x);\n",
                 least ? '<' : '>', f->type == ASH_F32 ? 32 : 64, f->type == ASH_F32 ? "F32" : "F64", least ? '<' : '>',
                 f->type == ASH_F32 ? 32 : 64, f->type == ASH_F32 ? "F32" : "F64");
    else
        ash__put(text, "    return y %c x;\n", least ? '<' : '>');
    ash__put(text, "}\n#define FOLD_LATER(A0, A1, B0, B1) "
                   "do { const int b_ = better_later(A0, B0); A0 = b_ ? B0 : A0; A1 = b_ ? B1 : A1; } while (0)\n");
}

/* Is y, element number k, to be taken rather than x, number i? The first of equal ones, the first NaN before all others. */
static void put_better(ash__text *text, const ash__gpu_fold *f)
{
    const char *const sign = f->type == ASH_F32 ? "SIGN_F32" : "SIGN_F64";
    const bool least = f->task->fold == ASH__FOLD_MIN;
    ash__put(text, "FN int better(T0 x, T1 i, T0 y, T1 k)\n{\n");
    if (ash__is_float(f->type))
        ash__put(text,
                 "    const int y_first = k < i, low = %s(x) < %s(y), high = %s(y) < %s(x);\n"
                 "    const int equal = (y == x) & (%s | ((low == high) & y_first));\n"
                 "    return x != x ? (y != y) & y_first : (y != y) | (y %c x) | equal;\n",
                 sign, sign, sign, sign, least ? "low" : "high", least ? '<' : '>');
    else
        ash__put(text, "    return (y %c x) | ((y == x) & (k < i));\n", least ? '<' : '>');
    ash__put(text, "}\n");
}

static void put_macro(ash__text *text, const ash__gpu_fold *f, char which, const char *type)
{
    ash__put(text, "#define FOLD_%c(A0, A1, B0, B1) ", which);
    if (f->arg)
        ash__put(text, "do { const int b_ = better(A0, A1, B0, B1); A0 = b_ ? B0 : A0; A1 = b_ ? B1 : A1; } while (0)\n");
    else if (f->task->fold == ASH__FOLD_FUNCTION)
        ash__put(text,
                 f->planes == 1 ? "do { combine(%sA0, B0, &A0); ROUND16(A0); } while (0)\n"
                                : "combine(%sA0, A1, B0, B1, &A0, &A1)\n",
                 f->faults ? "fault, " : "");
    else if (f->planes == 1)
        ash__put(text, "A0 = fold_%s(A0, B0)\n", type);
    else
        ash__put(text, "do { A0 = fold_%s(A0, B0); A1 = fold_%s(A1, B1); } while (0)\n", type, type);
}

/* ---- neutral elements */

static void put_extreme(ash__text *text, ash_dtype type, bool highest)
{
    const int bits = 8 * (int)ash_dtype_size(type);
    if (ash__is_float(type))
        ash__put(text, "%s(%s)INFINITY", highest ? "" : "-", ash__gpu_type(type));
    else if (type == ASH_BOOL)
        ash__put(text, "%d", highest);
    else if (ash__is_signed(type))
        ash__put(text, "(%s)(%s0x%llxl%s)", ash__gpu_type(type), highest ? "" : "-",
                 (unsigned long long)(UINT64_MAX >> (65 - bits)), highest ? "" : " - 1");
    else
        ash__put(text, "(%s)%s", ash__gpu_type(type), highest ? "~0ul" : "0");
}

static void put_neutral(ash__text *text, const ash__gpu_fold *f, bool shown)
{
    ash__put(text, "#define NEUTRAL0 ");
    switch (f->task->fold) {
    case ASH__FOLD_PROD:
        ash__put(text, "1");
        break;
    case ASH__FOLD_MIN:
    case ASH__FOLD_MAX:
        put_extreme(text, f->type, f->task->fold == ASH__FOLD_MIN);
        break;
    case ASH__FOLD_AND:
        if (f->type == ASH_BOOL)
            ash__put(text, "1");
        else
            ash__put(text, "(T0)~0ul");
        break;
    default:
        ash__put(text, f->task->fold == ASH__FOLD_SUM && !shown && ash__is_float(f->type) ? "-0.0f" : "0");
    }
    ash__put(text, "\n#define NEUTRAL1 %s\n", f->arg ? "(T1)(~(u64)0 >> (65 - 8 * sizeof(T1)))" : "NEUTRAL0");
}

/* A function's elements and results are of the dtype that it was given: 16 bits at each step. */
static void put_rounding(ash__text *text, ash_dtype part)
{
    if (is_half(part))
        ash__put(text, "#define ROUND16(X) (X) = from_%s(%s_of_f32(X))\n", ash_dtype_name(part), ash_dtype_name(part));
    else
        ash__put(text, "#define ROUND16(X)\n");
}

/* ---- whole pieces */

void ash__gpu_put_fold(ash__text *text, const ash__gpu_fold *f, bool shown)
{
    const char *const type = ash__gpu_type(f->type), *const wide = ash__gpu_type(f->wide);
    const ash__task *const task = f->task;
    ash__put(text, "#define PLANES %d\n#define ARG %d\n", f->planes, f->arg);
    ash__put(text, "typedef %s T0;\ntypedef %s T1;\ntypedef %s W0;\ntypedef %s W1;\n", type, f->arg ? "index" : type, wide,
             f->arg ? "index" : wide);
    if (f->arg) {
        put_better(text, f);
        put_later(text, f);
    } else if (task->fold == ASH__FOLD_FUNCTION) {
        ash__loader loader;
        put_rounding(text, ash__part(task->program->dtype));
        ash__gpu_put_function(text, "combine", ash__fold_program(task->combine, &loader), ash__part(task->program->dtype),
                              f->planes, f->faults);
    } else {
        put_operation(text, f, f->type);
        if (f->wide != f->type)
            put_operation(text, f, f->wide);
    }
    put_macro(text, f, 'T', type);
    put_macro(text, f, 'W', wide);
    if (!f->arg)
        ash__put(text, "#define FOLD_LATER FOLD_T\n");
    put_neutral(text, f, shown);
}

void ash__gpu_put_value(ash__text *text, const ash__gpu_fold *f, const ash__gpu_form *form)
{
    ash__gpu_put_program(text, "element", form, f->program, false);
    if (f->task->fold == ASH__FOLD_FUNCTION && f->planes == 1)
        ash__put(text, "#define VALUE(AT, I, X0, X1) do { element(PASSED, AT, I, w, X0); ROUND16(*(X0)); } while (0)\n");
    else
        ash__put(text, "#define VALUE(AT, I, X0, X1) element(PASSED, AT, I, w, X0%s)\n",
                 f->planes == 2 && !f->arg ? ", X1" : "");
}

static int direct_span(const ash__gpu_fold *f)
{
    return 1 + f->program->ins[0].arg[0];
}

bool ash__gpu_fold_is_direct(const ash__gpu_fold *f, const ash__gpu_form *form)
{
    const ash__ins *const ins = &f->program->ins[0];
    return f->program->count == 1 && ins->op == ASH__OP_LOAD && ins->from == (int)f->type && !form->scalar[direct_span(f)] &&
           !form->odd[direct_span(f)] && form->step[direct_span(f)] == (int64_t)ash_dtype_size(f->type);
}

void ash__gpu_put_source(ash__text *text, const ash__gpu_fold *f)
{
    const int span = direct_span(f);
    ash__put(text, "#define SOURCE(I) (G const T0 *)(m%d + at[%d] + (I) * %d + %d)\n", span, span, (int)ash_dtype_size(f->type),
             (int)f->program->ins[0].offset);
}

static const char *stored_type(ash_dtype part)
{
    return is_half(part) ? "u16" : ash__gpu_type(part);
}

/* Elements of one byte are at no odd address. */
static bool by_bytes(const ash__gpu_form *form, int span, ash_dtype part)
{
    return form->odd[span] && ash_dtype_size(part) > 1;
}

/* "m0 + at[0] + 4" */
static void put_at(ash__text *text, int span, int offset)
{
    ash__put(text, "m%d + at[%d] + %d", span, span, offset);
}

/* How x is stored in dtype `part`: "f16_of_f64(x0)"; its bits. */
static void put_narrowed(ash__text *text, ash_dtype part, ash_dtype from, const char *x, bool bits)
{
    if (is_half(part))
        ash__put(text, "%s_of_%s(%s)", ash_dtype_name(part), ash__gpu_type(from), x);
    else if (bits && ash__is_float(part))
        ash__put(text, "F%d_BITS((%s)(%s))", 8 * (int)ash_dtype_size(part), ash__gpu_type(part), x);
    else if (bits)
        ash__put(text, "(u%d)(%s)(%s)", 8 * (int)ash_dtype_size(part), ash__gpu_type(part), x);
    else
        ash__put(text, "(%s)(%s)", ash__gpu_type(part), x);
}

void ash__gpu_put_kept(ash__text *text, const ash__gpu_form *form, int span, int offset, ash_dtype part, ash_dtype from,
                       const char *x)
{
    const bool bytes = by_bytes(form, span, part);
    if (bytes)
        ash__put(text, "put_odd((G char *)(");
    else
        ash__put(text, "*(G %s *)(", stored_type(part));
    put_at(text, span, offset);
    if (bytes)
        ash__put(text, "), %d, ", (int)ash_dtype_size(part));
    else
        ash__put(text, ") = ");
    put_narrowed(text, part, from, x, bytes);
    ash__put(text, bytes ? ");\n" : ";\n");
}

/* "from_f16(*(G const u16 *)(m0 + at[0] + 2))" */
static void put_read(ash__text *text, const ash__gpu_form *form, int span, int offset, ash_dtype part)
{
    const bool bytes = by_bytes(form, span, part);
    const int size = (int)ash_dtype_size(part);
    if (is_half(part))
        ash__put(text, "from_%s(", ash_dtype_name(part));
    else if (bytes && ash__is_float(part))
        ash__put(text, "BITS_F%d(", 8 * size);
    else
        ash__put(text, "(%s)(", ash__gpu_type(part));
    if (bytes)
        ash__put(text, "(u%d)odd_bits(", 8 * size);
    else
        ash__put(text, "*(G const %s *)(", stored_type(part));
    put_at(text, span, offset);
    ash__put(text, bytes ? ", %d))" : "))", size);
}

void ash__gpu_put_odd(ash__text *text, const ash__gpu_form *form)
{
    ash__gpu_needs needs = {0};
    for (int k = 0; k < form->spans; k++)
        if (form->odd[k])
            ash__gpu_need(&needs, "odd_bits put_odd");
    ash__gpu_put_needs(text, &needs);
}

void ash__gpu_put_store(ash__text *text, const ash__gpu_fold *f, const ash__gpu_form *form, bool joined)
{
    const ash_dtype from = joined ? f->wide : f->type, part = ash__part(f->task->out.dtype);
    ash__gpu_put_odd(text, form);
    ash__put(text, "typedef %c0 R0;\ntypedef %c1 R1;\n", joined ? 'W' : 'T', joined ? 'W' : 'T');
    ash__put(text, "FN void store(MEMORY, const index *at, R0 x0, R1 x1)\n{\n");
    if (f->arg)
        ash__gpu_put_kept(text, form, 0, 0, ASH_I64, ASH_I64, "x1");
    if (f->arg && f->value >= 0)
        ash__gpu_put_kept(text, form, f->value, 0, f->task->value.dtype, from, "x0");
    for (int k = 0; k < f->planes && !f->arg; k++)
        ash__gpu_put_kept(text, form, 0, k * (int)ash_dtype_size(part), part, from, k ? "x1" : "x0");
    ash__put(text, "}\n");
}

static void put_old(ash__text *text, const ash__gpu_fold *f, const ash__gpu_form *form)
{
    const ash_dtype part = ash__part(f->task->out.dtype);
    ash__put(text, "    R0 old0 = 0;\n    R1 old1 = 0;\n");
    for (int k = 0; k < f->planes; k++) {
        ash__put(text, "    old%d = (R%d)", k, k);
        put_read(text, form, 0, k * (int)ash_dtype_size(part), part);
        ash__put(text, ";\n");
    }
    ash__put(text, "    FOLD_R(old0, old1, x0, x1);\n    x0 = old0;\n    x1 = old1;\n");
}

void ash__gpu_put_finish(ash__text *text, const ash__gpu_fold *f, const ash__gpu_form *form, bool joined)
{
    ash__gpu_put_store(text, f, form, joined);
    ash__put(text, "#define FOLD_R FOLD_%c\n", joined ? 'W' : 'T');
    ash__put(text, "FN void finish(MEMORY, const index *at, R0 x0, R1 x1, const u64 *init)\n{\n");
    if (f->task->has_init && !(f->empty && f->task->fold == ASH__FOLD_FUNCTION)) /* then it is x */
        ash__put(text, "    R0 first0 = (R0)((const T0 *)init)[0];\n    R1 first1 = (R1)((const T0 *)init)[1];\n"
                       "    FOLD_R(first0, first1, x0, x1);\n    x0 = first0;\n    x1 = first1;\n");
    if (f->task->accumulate)
        put_old(text, f, form);
    ash__put(text, "    store(PASSED, at, x0, x1);\n}\n");
}
