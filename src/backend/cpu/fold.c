/* fold.c - what reductions, arg-reductions, variances and scans share. */
#include "backend/cpu/fold.h"

#include <math.h>

#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"

/* ---- parts */

static bool varies(const ash__task *task, const ash__span *span)
{
    for (int64_t k = 0; k < task->rank && span->buffer && span->stride; k++)
        if (task->shape[k] > 1 && span->stride[k] != 0)
            return true;
    return false;
}

/* Rough costs, as for maps: 60 ps for a vector operation on one element, half a nanosecond where one is transcendental. */
int64_t ash__fold_parts(const ash__task *task, int64_t elements)
{
    int64_t item = 0, picoseconds = 60 * (task->program->count + 1) + (task->program->transcendental ? 500 : 0);
    if (task->combine)
        picoseconds += 200 * task->combine->count;
    for (int64_t k = 0; k < task->operand_count; k++)
        if (varies(task, &task->operand[k]))
            item += (int64_t)ash_dtype_size(task->operand[k].dtype);
    if (elements < 4096)
        return 1;
    if (elements > INT64_MAX / 4096) /* one element, broadcast so far that bytes could overflow */
        return ash__thread_count();
    return ash__parts_for(elements * (item < 1024 ? item : 1024), elements / 1000 * picoseconds);
}

/* ---- axes */

void ash__axis_list_add(ash__axis_list *list, const ash__task *task, int64_t axis)
{
    list->axis[list->rank++] = axis;
    list->count *= task->shape[axis];
}

void ash__axis_list_append(ash__axis_list *list, const ash__axis_list *more)
{
    for (int64_t k = 0; k < more->rank; k++)
        list->axis[list->rank++] = more->axis[k];
    list->count *= more->count;
}

/* How far apart neighbours lie, over all operands; an axis that none varies along is walked last of all. */
static uint64_t distance(const ash__task *task, int64_t axis)
{
    uint64_t sum = 0;
    for (int64_t k = 0; k < task->operand_count; k++) {
        const ash__span *const x = &task->operand[k];
        if (x->buffer && x->stride) {
            const int64_t stride = x->stride[axis];
            sum += stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
        }
    }
    return sum ? sum : UINT64_MAX;
}

void ash__axis_list_sorted(ash__axis_list *list, const ash__task *task, uint32_t bits, bool logical)
{
    list->rank = 0;
    list->count = 1;
    for (int64_t axis = 0; axis < task->rank; axis++) {
        if (!(bits >> axis & 1) || task->shape[axis] == 1)
            continue;
        const uint64_t d = distance(task, axis);
        int64_t k = list->rank++;
        list->count *= task->shape[axis];
        for (; !logical && k > 0 && distance(task, list->axis[k - 1]) < d; k--)
            list->axis[k] = list->axis[k - 1];
        list->axis[k] = axis;
    }
}

void ash__axis_list_split(ash__axis_list *list, const ash__task *task, uint32_t bits, ash__axis_list *tail)
{
    int64_t k = list->rank;
    while (k > 0 && (bits >> list->axis[k - 1] & 1))
        k--;
    const int64_t rank = list->rank;
    tail->rank = list->rank = 0;
    tail->count = list->count = 1;
    for (int64_t j = 0; j < rank; j++)
        ash__axis_list_add(j < k ? list : tail, task, list->axis[j]);
}

/* ---- elements */

void ash__window_get(ash__window *w, int64_t first, int64_t n, int64_t end, const char *plane[ASH__PLANES])
{
    if (first < w->first || first + n > w->first + w->count) {
        const void *re, *im;
        w->first = first;
        w->count = end - first < ASH__FOLD_BLOCK ? end - first : ASH__FOLD_BLOCK;
        if (n > ASH__FOLD_BLOCK / 2) /* what is left over would be computed twice */
            w->count = n;
        ash__evaluate(w->evaluator, first, w->count, &re, &im);
        w->plane[0] = re;
        w->plane[1] = im;
    }
    plane[0] = w->plane[0] + ((first - w->first) << w->log);
    plane[1] = w->plane[1] ? w->plane[1] + ((first - w->first) << w->log) : NULL;
}

/* ---- results */

static int log_of(size_t nbytes)
{
    return __builtin_ctzll((unsigned long long)nbytes);
}

void ash__sink_set(ash__sink *s, const ash__span *span, const ash__task *task, const ash__axis_list *axes, char *scratch)
{
    s->dtype = span->dtype;
    s->kernels = ash__cpu_kernels();
    s->scratch = scratch;
    ash__path_set(&s->path, span->data, log_of(ash_dtype_size(span->dtype)), s->kernels->layout, task->shape, span->stride,
                  axes->axis, axes->rank, s->memory);
}

char *ash__sink_direct(const ash__sink *s, int64_t first, int64_t n, ash_dtype type)
{
    char *const at = s->dtype == type ? ash__path_dense(&s->path, first, n) : NULL;
    return (uintptr_t)at % ash_dtype_size(type) == 0 ? at : NULL; /* a view of bytes may lie anywhere */
}

/* One part of the values as it is stored: where they are, or in room. */
static const char *narrowed(const ash__sink *s, const char *from, int64_t n, ash_dtype type, char *room)
{
    const ash_dtype part = ash__part(s->dtype);
    if (part == type)
        return from;
    if (ash__is_half(part))
        ash__store16_for(s->kernels->elementwise, part, type)(room, from, NULL, NULL, n);
    else
        s->kernels->fold->columns->round((float *)(void *)room, (const double *)(const void *)from, n);
    return room;
}

void ash__sink_put(ash__sink *s, int64_t first, int64_t n, ash_dtype type, const char *const plane[ASH__PLANES])
{
    const size_t size = ash__type_size(type);
    char *const room[ASH__PLANES] = {s->scratch, s->scratch + 8 * ASH__SINK_RUN}, *const both = s->scratch + 16 * ASH__SINK_RUN;
    for (int64_t done = 0, m; done < n; done += m) {
        m = n - done < ASH__SINK_RUN ? n - done : ASH__SINK_RUN;
        const char *stored = narrowed(s, plane[0] + (size_t)done * size, m, type, room[0]);
        if (ash__is_complex(s->dtype)) {
            const char *const im = narrowed(s, plane[1] + (size_t)done * size, m, type, room[1]);
            s->kernels->layout->zip[s->path.log - 1](both, stored, im, m);
            stored = both;
        }
        ash__path_store(&s->path, first + done, m, stored);
    }
}

static void widened(const ash__sink *s, const char *from, int64_t n, ash_dtype type, char *to)
{
    ash_dtype part = ash__part(s->dtype);
    float half[ASH__SINK_RUN];
    if (ash__is_half(part)) {
        ash__load16_for(s->kernels->elementwise, part)(type == ASH_F32 ? (void *)to : half, from, NULL, NULL, n);
        from = (const char *)half;
        part = ASH_F32;
        if (type == ASH_F32)
            return;
    }
    if (part == type)
        memcpy(to, from, (size_t)n * ash__type_size(type));
    else
        s->kernels->fold->columns->widen((double *)(void *)to, (const float *)(const void *)from, n);
}

void ash__sink_get(ash__sink *s, int64_t first, int64_t n, ash_dtype type, char *const plane[ASH__PLANES])
{
    const size_t size = ash__type_size(type), part = ash_dtype_size(ash__part(s->dtype));
    char *const both = s->scratch, *const one = s->scratch + 16 * ASH__SINK_RUN;
    const int planes = ash__is_complex(s->dtype) ? 2 : 1;
    for (int64_t done = 0, m; done < n; done += m) {
        m = n - done < ASH__SINK_RUN ? n - done : ASH__SINK_RUN;
        ash__path_load(&s->path, first + done, m, both);
        for (int k = 0; k < planes; k++) {
            const char *from = both;
            if (planes == 2) {
                s->kernels->layout->gather[log_of(part)](one, both + (size_t)k * part, (int64_t)(2 * part), m);
                from = one;
            }
            widened(s, from, m, type, plane[k] + (size_t)done * size);
        }
    }
}

/* ---- partial results */

void ash__counter_push(ash__counter *c)
{
    ash__counter_push_joined(c, 1);
}

void ash__counter_push_joined(ash__counter *c, int64_t n)
{
    c->depth++;
    for (int64_t carry = c->count / n; carry & 1; carry >>= 1) {
        c->depth--;
        c->join(c->context, c->level + (size_t)(c->depth - 1) * c->nbytes, c->level + (size_t)c->depth * c->nbytes);
    }
    c->count += n;
}

char *ash__counter_end(ash__counter *c)
{
    for (; c->depth > 1; c->depth--)
        c->join(c->context, c->level + (size_t)(c->depth - 2) * c->nbytes, c->level + (size_t)(c->depth - 1) * c->nbytes);
    return c->level;
}

int64_t ash__segment_blocks(int64_t blocks, int64_t wanted)
{
    int64_t each = 1;
    while (blocks / each > wanted)
        each *= 2;
    return each;
}

/* ---- neutral elements */

static ash__scalar extreme(ash_dtype type, bool highest)
{
    ash__scalar s = {.bits = 0};
    switch (type) {
    case ASH_BOOL:
        s.b = highest;
        break;
    case ASH_I8:
        s.i8 = highest ? INT8_MAX : INT8_MIN;
        break;
    case ASH_I16:
        s.i16 = highest ? INT16_MAX : INT16_MIN;
        break;
    case ASH_I32:
        s.i32 = highest ? INT32_MAX : INT32_MIN;
        break;
    case ASH_I64:
        s.i64 = highest ? INT64_MAX : INT64_MIN;
        break;
    case ASH_F32:
        s.f32 = highest ? INFINITY : -INFINITY;
        break;
    case ASH_F64:
        s.f64 = highest ? (double)INFINITY : -(double)INFINITY;
        break;
    default:
        s.bits = highest ? UINT64_MAX : 0;
        break; /* unsigned */
    }
    return s;
}

static ash__scalar number(ash_dtype type, double x)
{
    ash__scalar s = {.bits = (uint64_t)x}; /* of an integer: the first bytes only on a little-endian machine */
    switch (type) {
    case ASH_F32:
        s.f32 = (float)x;
        break;
    case ASH_F64:
        s.f64 = x;
        break;
    case ASH_BOOL:
    case ASH_I8:
    case ASH_U8:
        s.u8 = (uint8_t)x;
        break;
    case ASH_I16:
    case ASH_U16:
        s.u16 = (uint16_t)x;
        break;
    case ASH_I32:
    case ASH_U32:
        s.u32 = (uint32_t)x;
        break;
    default:
        break;
    }
    return s;
}

ash__scalar ash__fold_neutral(ash__fold fold, ash_dtype type, bool exact)
{
    switch (fold) {
    case ASH__FOLD_PROD:
        return number(type, 1);
    case ASH__FOLD_MIN:
        return extreme(type, true);
    case ASH__FOLD_MAX:
        return extreme(type, false);
    case ASH__FOLD_AND:
        return type == ASH_BOOL ? number(type, 1) : (ash__scalar){.bits = UINT64_MAX};
    case ASH__FOLD_SUM:
        return number(type, exact && type >= ASH_F32 ? -0.0 : 0.0);
    default:
        return number(type, 0);
    }
}

/* Lanes are as native code has them: numbers of 8 and 16 bits and bool in 32, the largest float as the smallest of negated
 * ones. */
bool ash__fold_natively(ash__evaluator *e, ash__fold fold, ash_dtype type, int64_t first, int64_t n, ash__scalar *value)
{
    if (!ash__evaluates_folds(e))
        return false;
    _Alignas(64) char lanes[ASH__LANES * sizeof(ash__scalar)];
    const ash__kernels *const kernels = ash__cpu_kernels();
    const size_t size = ash_dtype_size(type);
    const ash_dtype lane = size >= 4 ? type : ash__is_signed(type) ? ASH_I32 : ASH_U32;
    const bool turned = fold == ASH__FOLD_MAX && ash__is_float(type);
    const ash__fold by = turned ? ASH__FOLD_MIN : fold;
    const ash__scalar neutral = ash__fold_neutral(by, lane, true);
    kernels->layout->splat[size == 8 ? 3 : 2](lanes, &neutral, ASH__LANES);
    if (!ash__evaluate_fold(e, first, n, lanes))
        return false;
    kernels->fold->blocks->fold[by][lane](value, lanes, ASH__LANES);
    if (turned)
        value->bits ^= (uint64_t)1 << (8 * size - 1);
    return true;
}
