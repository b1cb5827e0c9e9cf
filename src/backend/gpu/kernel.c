/*
 * kernel.c - a user's kernel on a device.
 *
 * The text is, in this order: what was chosen for this launch; kernels/user.c, numbers.c and the headers that C programs have
 * too; the user's file, whose `#include <...>` lines are empty here and which keeps its name and its lines; and the kernel
 * named `run`, which makes the arguments from a table and calls the user's. What differs from launch to launch is in that table
 * and in a struct, so that a kernel is compiled once for each size of its groups.
 */
#include <string.h>

#include "backend/gpu/walk.h"
#include "backend/kernel.h"
#include "core/alloc.h"
#include "core/error.h"

enum { FREE_ITEMS = 256, LEAST_AXES = ASH__KERNEL_AXES, VIEW_NUMBERS = 6 };

/* The struct ash__sizes of user.c. */
typedef struct sizes {
    int64_t global[3], groups[3];
    uint64_t seed;
} sizes;

typedef struct plan {
    const ash__task *task;
    const ash__launching *launching;
    ash__gpu_work *work;
    bool f64;                      /* the device has it */
    int64_t local[3], items, axes; /* axes: the table has for each array */
    sizes sizes;
    int64_t *table;
    int64_t numbers; /* of the table */
} plan;

/* What of an argument is in the table. */
static int64_t numbers_of(const plan *p, int64_t k)
{
    const ash_kernel_kind kind = p->launching->kernel->parameter[k].kind;
    return kind <= ASH_KERNEL_INOUT ? VIEW_NUMBERS + 2 * p->axes : kind == ASH_KERNEL_SCALAR ? 2 : 0;
}

static bool is_array(const ash__launching *l, int64_t k)
{
    return l->kernel->parameter[k].kind <= ASH_KERNEL_INOUT;
}

/* ---- geometry: where the library chooses, powers of two, of which there are few: each is compiled */

static int64_t power_from(int64_t n, int64_t most)
{
    int64_t power = 1;
    while (power < n && power < most)
        power *= 2;
    return power;
}

/* Items of a group. Memory of groups may be meant for fewer of them, and only groups whose size is given are sure to have it;
 * a group of one has its first element, until a barrier is met and reported. */
static int64_t free_items(const ash__launching *l)
{
    for (int64_t k = 0; k < l->kernel->count; k++)
        if (l->kernel->parameter[k].kind == ASH_KERNEL_LOCAL)
            return 1;
    return FREE_ITEMS;
}

static void set_sizes(plan *p)
{
    const ash__launching *const l = p->launching;
    int64_t room = free_items(l);
    p->items = 1;
    for (int k = 2; k >= 0; k--) {
        p->local[k] = l->chosen ? power_from(l->global[k], room) : l->local[k];
        room /= l->chosen ? p->local[k] : 1;
        p->items *= p->local[k];
        p->sizes.global[k] = l->global[k];
        p->sizes.groups[k] = (l->global[k] + p->local[k] - 1) / p->local[k];
    }
    p->sizes.seed = l->seed;
    p->axes = LEAST_AXES;
    for (int64_t k = 0; k < l->kernel->count; k++)
        if (is_array(l, k) && l->argument[k].view.rank > p->axes)
            p->axes = l->argument[k].view.rank;
}

/* ---- what a device cannot */

static bool aligned(const ash_kernel_view *v, ash_dtype dtype)
{
    uint64_t bits = (uint64_t)(uintptr_t)v->data;
    for (int32_t axis = 0; axis < v->rank; axis++)
        bits |= (uint64_t)v->byte_stride[axis];
    return bits % ash__alignment_of(dtype) == 0;
}

static const char *lacks(const plan *p)
{
    const ash__launching *const l = p->launching;
    if (!l->kernel->text)
        return "the kernel has been compiled for the CPU alone";
    for (int64_t k = 0; k < l->kernel->count; k++)
        if (is_array(l, k) && l->argument[k].view.length && !aligned(&l->argument[k].view, l->kernel->parameter[k].dtype))
            return "elements lie at odd addresses";
    return NULL;
}

/* ---- text */

static void put_choices(ash__text *text, const plan *p, bool f64)
{
    const ash__launching *const l = p->launching;
    ash__put(text, "#define ASH_HAS_F64 %d\n#define CHECKED %d\n#define FREE_GROUPS %d\n", f64, l->kernel->checked, l->chosen);
    const int64_t groups = p->sizes.groups[0] * p->sizes.groups[1] * p->sizes.groups[2];
    ash__put(text, "#define MANY_GROUPS %d\n", groups > INT32_MAX);
    ash__put(text, "#define AXES %d\n#define LAUNCH_AXES %d\n#define LOCAL_SIZES {%d, %d, %d}\n", (int)p->axes, (int)l->axes,
             (int)p->local[0], (int)p->local[1], (int)p->local[2]);
}

static bool is_system_include(const char *line)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return false;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return false;
    line += 7 + strspn(line + 7, " \t");
    return *line == '<';
}

static void put_users(ash__text *text, const ash_kernel *kernel)
{
    ash__put(text, "#line 1 \"%s\"\n", kernel->file);
    for (const char *line = kernel->text; *line;) {
        const size_t length = strcspn(line, "\n");
        if (!is_system_include(line))
            ash__put(text, "%.*s", (int)length, line);
        ash__put(text, "\n");
        line += length + (line[length] == '\n');
    }
}

/* What stands before the call: views, scalars, memory of the group. */
static void put_arguments(ash__text *text, const plan *p)
{
    const ash_kernel *const kernel = p->launching->kernel;
    int64_t at = 0;
    for (int64_t k = 0; k < kernel->count; at += numbers_of(p, k++)) {
        const ash_kernel_parameter *const param = &kernel->parameter[k];
        const char *const dtype = ash_dtype_name(param->dtype);
        if (param->kind <= ASH_KERNEL_INOUT)
            ash__put(text, "    ash_view_%s a%d;\n    a%d.v = ash__view(m%d, t + %d, %d, fault);\n", dtype, (int)k, (int)k,
                     (int)k, (int)at, (int)k + 1);
        else if (param->kind == ASH_KERNEL_SCALAR && param->dtype == ASH_BOOL)
            ash__put(text, "    const bool a%d = t[%d] != 0;\n", (int)k, (int)at);
        else if (param->kind == ASH_KERNEL_SCALAR)
            ash__put(text, "    const ash__value_%s a%d = *(ASH__TABLE ash__value_%s *)(t + %d);\n", dtype, (int)k, dtype,
                     (int)at);
        else if (param->kind == ASH_KERNEL_LOCAL)
            ash__put(text, "    ASH__SHARED(ash__value_%s, a%d, %lld);\n", dtype, (int)k, (long long)param->count);
    }
}

static void put_call(ash__text *text, const ash_kernel *kernel)
{
    ash__put(text, "        ash__kernel_%s(&item", kernel->name);
    for (int64_t k = 0; k < kernel->count; k++)
        if (kernel->parameter[k].kind == ASH_KERNEL_RANDOM)
            ash__put(text, ", ash__random(s.seed, ash__item_number(&item))");
        else
            ash__put(text, ", a%d", (int)k);
    ash__put(text, ");\n");
}

static void put_run(ash__text *text, const plan *p)
{
    const ash__launching *const l = p->launching;
    ash__put(text, "#line 1 \"ash_launch\"\nASH__RUN(%d)(", (int)p->items);
    for (int64_t k = 0; k < l->kernel->count; k++)
        if (is_array(l, k))
            ash__put(text, "ASH_GLOBAL char *m%d, ", (int)k);
    ash__put(text, "ASH__TABLE int64_t *t, ASH_GLOBAL ash_kernel_fault *fault, const ash__sizes s)\n{\n");
    put_arguments(text, p);
    ash__put(text, "    ash_kernel_item item = ash__begin(&s, fault);\n    if (ash__whole(&item))\n");
    put_call(text, l->kernel);
    if (l->chosen) {
        ash__put(text, "    else if (ash__is_there(&item))\n");
        put_call(text, l->kernel);
    }
    ash__put(text, "}\n");
}

static void put_all(ash__text *text, const void *context)
{
    const plan *const p = context;
    put_choices(text, p, p->f64);
    ash__put(text, "%s%s%s%s", ash__gpu_user_text, ash__gpu_numbers_text, ash__gpu_lists_text, ash__gpu_kernel_text_text);
    put_users(text, p->launching->kernel);
    put_run(text, p);
}

void ash__gpu_put_user_kernel(ash__text *text, const ash__launching *launching, bool f64)
{
    plan p = {.launching = launching, .f64 = f64};
    set_sizes(&p);
    put_all(text, &p);
}

/* ---- arguments */

static ash_status make_table(plan *p)
{
    p->numbers = 1; /* never none */
    for (int64_t k = 0; k < p->launching->kernel->count; k++)
        p->numbers += numbers_of(p, k);
    p->table = ash__alloc(p->task->function, p->numbers, sizeof *p->table);
    return p->table ? ASH_OK : ASH_ERR_MEMORY;
}

static void put_view(const plan *p, int64_t *to, const ash_kernel_view *v, int64_t start)
{
    const int64_t numbers[VIEW_NUMBERS] = {start, v->length, v->rank, v->conjugated, v->even, v->step};
    memcpy(to, numbers, sizeof numbers);
    for (int64_t axis = 0; axis < p->axes; axis++) {
        to[VIEW_NUMBERS + axis] = axis < v->rank ? v->shape[axis] : 1;
        to[VIEW_NUMBERS + p->axes + axis] = axis < v->rank ? v->byte_stride[axis] : 0;
    }
}

/* Memories in the order of the kernel's parameters; NULL for an array without elements. */
static int fill_table(const plan *p, const ash__gpu_work *w, void **memory)
{
    const ash__launching *const l = p->launching;
    int arrays = 0;
    int64_t *at = p->table;
    for (int64_t k = 0; k < l->kernel->count; at += numbers_of(p, k++)) {
        const ash_kernel_view *const v = &l->argument[k].view;
        if (l->kernel->parameter[k].kind == ASH_KERNEL_SCALAR)
            memcpy(at, l->argument[k].scalar, sizeof l->argument[k].scalar);
        if (!is_array(l, k))
            continue;
        const ash__gpu_place place = v->length ? ash__gpu_place_of(w, &p->task->operand[arrays]) : (ash__gpu_place){0};
        put_view(p, at, v, place.start);
        memory[arrays++] = place.memory;
    }
    return arrays;
}

/* ---- launching */

/* Is there anything to be asked for when the kernel is done? That waits for it. */
static bool may_fault(const ash__launching *l)
{
    return l->kernel->checked || (l->chosen && strstr(l->kernel->text, "ASH_BARRIER"));
}

static ash_status launch(void *context, const char *text)
{
    const plan *const p = context;
    ash__gpu_work *const w = p->work;
    void *memory[ASH_KERNEL_PARAMETERS + 2], *table, *note;
    ash_kernel_fault fault = {0};
    const int arrays = fill_table(p, w, memory);
    ash_status status = ash__gpu_upload(w, p->table, (size_t)p->numbers * sizeof *p->table, &table);
    if (!status)
        status = ash__gpu_upload(w, &fault, sizeof fault, &note);
    if (status)
        return status;
    for (int k = 0; k < arrays; k++)
        memory[k] = memory[k] ? memory[k] : table; /* something that nothing reads */
    memory[arrays] = table;
    memory[arrays + 1] = note;
    const int64_t groups = p->sizes.groups[0] * p->sizes.groups[1] * p->sizes.groups[2];
    const ash__launch how = {.global = {(size_t)(groups * p->items), 1},
                             .local = (size_t)p->items,
                             .memories = arrays + 2,
                             .memory = memory,
                             .parameters = &p->sizes,
                             .nbytes = sizeof p->sizes};
    status = ash__gpu_launch(w, text, &how);
    if (!status && may_fault(p->launching))
        status = ash__gpu_fetch(w, note, 0, &fault, sizeof fault);
    if (status || !fault.parameter)
        return status;
    return ash__kernel_fault_error(p->task->function, p->launching, &fault);
}

ash_status ash__gpu_kernel(ash_resources *resources, const ash__task *task, const char **why)
{
    const ash__launching *const l = task->launching;
    ash__gpu_work w = ash__gpu_work_of(resources, task->function);
    plan p = {.task = task, .launching = l, .work = &w, .f64 = resources->device->f64};
    set_sizes(&p);
    int64_t operand = 0;
    for (int64_t k = 0; k < l->kernel->count; k++) {
        const ash_kernel_view *const v = &l->argument[k].view;
        if (is_array(l, k) && v->length)
            ash__gpu_touch(&w, &task->operand[operand], v->shape, v->rank, l->written[operand]);
        operand += is_array(l, k);
    }
    *why = lacks(&p);
    if (!*why)
        *why = ash__gpu_unreachable(&w);
    if (*why)
        return ASH_OK;
    ash_status status = make_table(&p);
    if (!status)
        status = ash__gpu_work_run(&w, put_all, launch, &p);
    ash__free(p.table);
    return status;
}
