/*
 * launch.c - a user's kernel: everything is checked here, for all devices, before anything is written.
 *
 * An error names the kernel and the parameter: "ash_launch: kernel saxpy: y has dtype f64; it is declared f32".
 */
#include <stdio.h>
#include <string.h>

#include "backend/kernel.h"
#include "core/array.h"
#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "core/operand.h"
#include "core/options.h"
#include "ops/run.h"
#include "ops/task.h"

enum { LOCAL = 1 << 20 };          /* bytes that a group can share, on any device */
enum { GROUP = 1024, GROUPS = 64 }; /* of a launch without .local: work-items at most; about how many groups at least */

typedef struct call {
    const char *function;
    const ash_kernel *kernel;
    ash_launch_options options;
    ash_resources *resources;
    const ash_array *array[ASH_KERNEL_PARAMETERS]; /* NULL: no array */
    ash_kernel_argument argument[ASH_KERNEL_PARAMETERS];
    ash__span operand[ASH_KERNEL_PARAMETERS];
    bool written[ASH_KERNEL_PARAMETERS];
    int64_t operands, items, sizes; /* sizes: given, of .global */
    ash__launching launching;
    char place[160]; /* "kernel saxpy: y", of the parameter that is looked at */
} call;

static const ash_kernel_parameter *parameter(const call *c, int64_t k)
{
    return &c->kernel->parameter[k];
}
static bool is_array(const call *c, int64_t k)
{
    return parameter(c, k)->kind <= ASH_KERNEL_INOUT;
}
static bool is_written(const call *c, int64_t k)
{
    return parameter(c, k)->kind == ASH_KERNEL_OUT || parameter(c, k)->kind == ASH_KERNEL_INOUT;
}
static const char *place_of(call *c, int64_t k)
{
    snprintf(c->place, sizeof c->place, "kernel %.70s: %.70s", c->kernel->name, parameter(c, k)->name);
    return c->place;
}

/* ---- arguments */

static ash_status check_array(call *c, int64_t k, const ash_operand *given)
{
    const ash_kernel_parameter *const p = parameter(c, k);
    const char *const place = place_of(c, k);
    const ash_array *const a = given->value.array;
    if (given->kind != ASH_OPERAND_ARRAY)
        return ash__fail(ASH_ERR_ARGUMENT, c->function, "%s is a scalar; an array is declared", place);
    const ash_status status =
        is_written(c, k) ? ash__check_writable(c->function, place, a) : ash__check_array(c->function, place, a);
    if (status)
        return status;
    if (a->dtype != p->dtype)
        return ash__fail(ASH_ERR_DTYPE, c->function, "%s has dtype %s; it is declared %s", place, ash_dtype_name(a->dtype),
                         ash_dtype_name(p->dtype));
    if (p->count != ASH_KERNEL_ANY_RANK && a->rank != p->count)
        return ash__fail(ASH_ERR_SHAPE, c->function, "%s has shape %s; it is declared with rank %lld", place, ash_shape_text(a),
                         (long long)p->count);
    c->array[k] = a;
    return ASH_OK;
}

/* The order of what a scalar may be converted to; an integer may be a bool, which is an int in C. */
static int rank_of_kind(ash_dtype dtype)
{
    return ash__is_complex(dtype) ? 2 : ash__is_float(dtype) ? 1 : 0;
}

static ash_status set_scalar(call *c, int64_t k, const ash_operand *given)
{
    const ash_kernel_parameter *const p = parameter(c, k);
    const char *const place = place_of(c, k);
    const ash_dtype to = ash__is_complex(p->dtype) ? p->dtype : ash__machine(p->dtype);
    unsigned char bytes[ASH__SCALAR_BYTES];
    if (given->kind != ASH_OPERAND_SCALAR)
        return ash__fail(ASH_ERR_ARGUMENT, c->function, "%s is %s; a scalar is declared", place,
                         given->kind == ASH_OPERAND_ARRAY ? "an array" : "not given");
    const ash_status status = ash__operand_bytes(c->function, given, bytes);
    if (status)
        return status;
    if (rank_of_kind(given->dtype) > rank_of_kind(to))
        return ash__fail(ASH_ERR_DTYPE, c->function, "%s is %s; it is declared %s, and takes no %s without a cast", place,
                         ash_dtype_name(given->dtype), ash_dtype_name(p->dtype), ash_dtype_name(given->dtype));
    if (!ash__convert_run((char *)c->argument[k].scalar, 0, to, (const char *)bytes, 0, given->dtype, 1, false))
        return ash__fail(ASH_ERR_VALUE, c->function, "%s does not fit %s", place, ash_dtype_name(p->dtype));
    return ASH_OK;
}

static ash_status take_arguments(call *c, ash_operands given)
{
    int64_t wanted = 0, next = 0;
    ash_status status = ASH_OK;
    for (int64_t k = 0; k < c->kernel->count; k++)
        wanted += parameter(c, k)->kind <= ASH_KERNEL_SCALAR;
    if (given.count != wanted)
        return ash__fail(ASH_ERR_ARGUMENT, c->function, "kernel %s has %lld argument%s, not %lld", c->kernel->name,
                         (long long)wanted, wanted == 1 ? "" : "s", (long long)given.count);
    for (int64_t k = 0; k < c->kernel->count && !status; k++)
        if (is_array(c, k))
            status = check_array(c, k, &given.operand[next++]);
        else if (parameter(c, k)->kind == ASH_KERNEL_SCALAR)
            status = set_scalar(c, k, &given.operand[next++]);
    return status;
}

/* ---- arguments beside one another */

static ash_status check_devices(call *c)
{
    const ash_array *first = NULL;
    for (int64_t k = 0; k < c->kernel->count; k++) {
        const ash_array *const a = c->array[k];
        if (a && first && ash__device(a) != ash__device(first))
            return ash__fail(ASH_ERR_DEVICE, c->function, "%s is on %s, but the array before it is on %s", place_of(c, k),
                             ash__device(a)->name, ash__device(first)->name);
        first = first ? first : a;
    }
    c->resources = first ? ash__resources_on(c->function, ash__device(first), c->options.resources)
                         : ash__resources_for(c->function, c->options.resources);
    return c->resources ? ASH_OK : ash__last_status();
}

/* Scalars and local memory: no array of what the device lacks can have been made. */
static ash_status check_dtypes(call *c)
{
    const ash_device *const device = c->resources->device;
    char inside[64];
    for (int64_t k = 0; k < c->kernel->count; k++)
        if (!device->f64 && ash__holds_f64(parameter(c, k)->dtype, inside, sizeof inside))
            return ash__fail(ASH_ERR_DTYPE, c->function, "%s is f64, which %s does not support; declare f32", place_of(c, k),
                             device->name);
    return ASH_OK;
}

static ash_status check_overlap(call *c)
{
    for (int64_t k = 0; k < c->kernel->count && !c->options.overlap; k++)
        for (int64_t j = 0; j < c->kernel->count && c->array[k] && is_written(c, k); j++)
            if (j != k && c->array[j] && ash__may_overlap(c->array[k], c->array[j]))
                return ash__fail(ASH_ERR_ARGUMENT, c->function,
                                 "%s, which is written, shares memory with %s; pass a copy of one, or .overlap = true if the "
                                 "kernel may do that",
                                 place_of(c, k), parameter(c, j)->name);
    return ASH_OK;
}

/* ---- how many work-items */

static bool given(ash_dims d)
{
    return d.size || d.rank;
}

/* The shape of the first array that is written, or of its elements in order. */
static ash_dims default_global(const call *c, const int64_t *one)
{
    for (int64_t k = 0; k < c->kernel->count; k++)
        if (is_written(c, k) && parameter(c, k)->count >= 0 && c->array[k]->rank <= 3)
            return ash__dims(c->array[k]);
        else if (is_written(c, k))
            return (ash_dims){&c->array[k]->size, 1};
    return (ash_dims){one, 1};
}

static ash_status set_global(call *c)
{
    static const int64_t one = 1;
    const ash_dims d = given(c->options.global) ? c->options.global : default_global(c, &one);
    char text[ASH__SHAPE_TEXT];
    if (d.rank > 3)
        return ash__fail(ASH_ERR_SHAPE, c->function, "kernel %s: .global has %lld axes; 3 are the most", c->kernel->name,
                         (long long)d.rank);
    const ash_status status = ash__check_shape(c->function, d, 1, &c->items);
    if (status)
        return status;
    if (c->items > INT64_C(1) << 56)
        return ash__fail(ASH_ERR_SHAPE, c->function, "kernel %s: .global is %s, which is more than 2^56 work-items",
                         c->kernel->name, ash__shape_text(text, sizeof text, d.size, d.rank));
    c->sizes = d.rank;
    c->launching.axes = d.rank ? d.rank : 1;
    for (int k = 0; k < 3; k++)
        c->launching.global[k] = k < d.rank ? d.size[k] : 1;
    return ASH_OK;
}

static void choose_local(call *c)
{
    const int64_t most = c->items / GROUPS;
    int64_t room = most < 1 ? 1 : most > GROUP ? GROUP : most;
    c->launching.chosen = true;
    for (int k = 2; k >= 0; k--) {
        const int64_t n = c->launching.global[k] ? c->launching.global[k] : 1;
        c->launching.local[k] = n < room ? n : room;
        room /= c->launching.local[k];
    }
}

static ash_status set_local(call *c)
{
    const ash_dims d = c->options.local;
    const char *const kernel = c->kernel->name;
    char text[ASH__SHAPE_TEXT], global[ASH__SHAPE_TEXT];
    int64_t count = 1;
    if (!given(d)) {
        choose_local(c);
        return ASH_OK;
    }
    const ash_status status = ash__check_shape(c->function, d, 1, &count);
    if (status)
        return status;
    ash__shape_text(text, sizeof text, d.size, d.rank);
    ash__shape_text(global, sizeof global, c->launching.global, c->sizes);
    if (d.rank != c->sizes)
        return ash__fail(ASH_ERR_SHAPE, c->function, "kernel %s: .local is %s for work-items %s; as many axes are wanted",
                         kernel, text, global);
    if (count < 1 || count > ASH_KERNEL_GROUP)
        return ash__fail(ASH_ERR_SHAPE, c->function, "kernel %s: a group of %s has %lld work-items; 1 to %d are possible",
                         kernel, text, (long long)count, ASH_KERNEL_GROUP);
    for (int k = 0; k < 3; k++) {
        c->launching.local[k] = k < d.rank ? d.size[k] : 1;
        if (c->launching.global[k] % c->launching.local[k])
            return ash__fail(
                ASH_ERR_SHAPE, c->function,
                "kernel %s: .local %s does not divide .global %s; take more work-items, and let those that are too "
                "many do nothing",
                kernel, text, global);
    }
    return ASH_OK;
}

/* ---- handing over */

static void set_view(call *c, int64_t k)
{
    const ash_array *const a = c->array[k];
    ash_kernel_view *const v = &c->argument[k].view;
    v->data = ash__data(a);
    v->length = a->size;
    v->shape = a->shape;
    v->byte_stride = a->stride;
    v->rank = a->rank;
    v->parameter = (int32_t)k + 1;
    v->conjugated = a->conjugated && ash__is_complex(a->dtype);
    v->even = a->rank == 1 || ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, (int64_t)ash_dtype_size(a->dtype));
    v->step = a->rank == 1 ? a->stride[0] : (int64_t)ash_dtype_size(a->dtype);
    for (int axis = 0; axis < ASH__KERNEL_AXES; axis++) {
        v->size[axis] = axis < a->rank ? a->shape[axis] : 1;
        v->stride[axis] = axis < a->rank ? a->stride[axis] : 0;
    }
}

/* One ash_rand_u64. */
static ash_status set_seed(call *c)
{
    bool draws = false;
    for (int64_t k = 0; k < c->kernel->count; k++)
        draws |= parameter(c, k)->kind == ASH_KERNEL_RANDOM;
    if (!draws)
        return ASH_OK;
    const ash_rand_options options = {.struct_size = sizeof options,
                                      .resources = c->resources,
                                      .dtype = ASH_U64,
                                      .storage = ASH_SHARED,
                                      .rng = c->options.rng};
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const number = barrier < 0 ? NULL : ash_rand_opt((ash_dims){NULL, 0}, &options);
    const ash_status status =
        number ? ash__host_get(c->function, number, ash__data(number), ASH__OWN, &c->launching.seed) : ash__last_status();
    ash_release(number);
    ash_scope_close(barrier);
    return status;
}

static ash_status run(call *c)
{
    ash__task task = {.kind = ASH__TASK_KERNEL,
                      .function = c->function,
                      .rank = c->launching.axes,
                      .shape = c->launching.global,
                      .operand = c->operand,
                      .launching = &c->launching};
    for (int64_t k = 0; k < c->kernel->count; k++) {
        if (!c->array[k])
            continue;
        set_view(c, k);
        c->written[c->operands] = is_written(c, k);
        c->operand[c->operands++] = ash__span_of(c->array[k]);
        if (is_written(c, k) && !task.out.buffer)
            task.out = ash__span_of(c->array[k]);
    }
    task.operand_count = c->operands;
    c->launching.kernel = c->kernel;
    c->launching.argument = c->argument;
    c->launching.written = c->written;
    return ash__run_on(c->resources, &task);
}

static ash_status check_kernel(const char *function, const ash_kernel *kernel)
{
    if (!kernel)
        return ash__null(function, "kernel");
    if (kernel->struct_size < sizeof *kernel || kernel->count > ASH_KERNEL_PARAMETERS)
        return ash__fail(ASH_ERR_ARGUMENT, function, "kernel is none that ASH_KERNEL has defined");
    int64_t local = 0;
    for (int64_t k = 0; k < kernel->count; k++) {
        const ash_kernel_parameter *const p = &kernel->parameter[k];
        const int64_t item = (int64_t)ash__kernel_value_size(p->dtype);
        if (p->kind == ASH_KERNEL_LOCAL && (p->count < 1 || p->count > LOCAL || (local += p->count * item) > LOCAL))
            return ash__fail(ASH_ERR_ARGUMENT, function, "kernel %s: %s has %lld elements; a group can share 1 to %d bytes",
                             kernel->name, p->name, (long long)p->count, LOCAL);
    }
    return ASH_OK;
}

ash_status ash_launch_opt(const ash_kernel *kernel, ash_operands arguments, const ash_launch_options *options)
{
    call c = {.function = "ash_launch", .kernel = kernel};
    if (!ash__read_options(c.function, &c.options, sizeof c.options, options))
        return ash__last_status();
    ash_status (*const step[])(call * c) = {check_devices, check_dtypes, check_overlap, set_global, set_local};
    ash_status status = check_kernel(c.function, kernel);
    if (!status)
        status = take_arguments(&c, arguments);
    for (size_t k = 0; k < sizeof step / sizeof step[0] && !status; k++)
        status = step[k](&c);
    if (status || !c.items)
        return status;
    status = set_seed(&c);
    return status ? status : run(&c);
}
