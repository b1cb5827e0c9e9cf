/*
 * merge.c - positions of lines in an order that a function of two elements gives: kernels/merge.c has the method.
 *
 * Elements are copied first, dense line by line, so that comparing two of them takes two addresses and no more.
 */
#include <stdio.h>
#include <string.h>

#include "backend/gpu/listed.h"
#include "expr/program.h"

enum { RUN = 32, SEGMENT = 64, GROUP = 64 };

typedef struct merging {
    const ash__task *task;
    ash__gpu_work *work;
    ash__gpu_keys *keys;
    void *elements, *fault; /* fault: a word, where the function can */
    size_t size;
    struct {
        int64_t n, lines, width;
    } numbers;
} merging;

static ash_status copy_elements(merging *m, const int64_t *line)
{
    const ash__task *const t = m->task;
    const ash__span *const from = &t->operand[0];
    int64_t stride[ASH_MAX_RANK];
    ash__gpu_rows r = {.work = m->work};
    for (int64_t k = 0; k < t->rank; k++)
        stride[k] = line[k] * (int64_t)m->size;
    ash__gpu_rows_over(&r, t->shape, t->rank);
    ash__gpu_rows_add(&r, (ash__gpu_place){m->elements, 0}, stride, (int64_t)m->size);
    ash__gpu_rows_add(&r, ash__gpu_place_of(m->work, from), from->stride, (int64_t)m->size);
    ash__gpu_rows_define(&r, "#define WHAT 6\n");
    ash__gpu_rows_define_words(&r, m->size, ash__gpu_span_bits(from, t->rank));
    return ash__gpu_rows_run(&r, ash__gpu_listed_text);
}

/* before(line, x, y), of positions in a line. */
static void put_before(ash__text *text, const void *context)
{
    const merging *const m = context;
    const ash__gpu_form form = {
        .spans = 3, .rank = 1, .wide = true, .scalar = {true}, .local = GROUP, .faults = m->task->combine->faults};
    ash__gpu_put_walk(text, &form);
    ash__gpu_put_program(text, "compare", &form, m->task->combine, false);
    ash__put(text,
             "#define FAULT_MEMORY %s\n#define FAULT %s\n"
             "FN int before(G const char *line, u32 x, u32 y FAULT_MEMORY)\n{\n"
             "    const index at[3] = {0, (index)%s * SIZE, (index)%s * SIZE};\n"
             "    u8 yes;\n    compare(line, line FAULT, at, 0, 0, &yes);\n    return yes != 0;\n}\n",
             form.faults ? ", G u32 *fault" : "", form.faults ? ", fault" : "", m->task->descending ? "y" : "x",
             m->task->descending ? "x" : "y");
}

static ash_status launch(const merging *m, const char *kernel, int64_t each, int memories, void *const *memory)
{
    char defines[128];
    const int64_t items = (m->keys->n + each - 1) / each * m->keys->lines;
    snprintf(defines, sizeof defines,
             "#define WG %d\n#define GROUP_OF %d\n#define RUN %d\n#define SEGMENT %d\n#define SIZE %zu\n", GROUP, GROUP, RUN,
             SEGMENT, m->size);
    ash__gpu_call call = {.work = m->work,
                          .f64 = m->work->resources->device->f64,
                          .defines = defines,
                          .put = put_before,
                          .context = m,
                          .text = ash__gpu_merge_text,
                          .kernel = kernel,
                          .memories = memories,
                          .parameters = &m->numbers,
                          .nbytes = sizeof m->numbers,
                          .groups = (items + GROUP - 1) / GROUP,
                          .lines = 1,
                          .local = GROUP};
    for (int i = 0; i < memories; i++)
        call.memory[i] = memory[i];
    if (m->fault)
        call.memory[call.memories++] = m->fault;
    return ash__gpu_call_run(&call);
}

ash_status ash__gpu_merge_sort(ash__gpu_work *w, const ash__task *task, const int64_t *line, ash__gpu_keys *k)
{
    merging m = {.task = task, .work = w, .keys = k, .size = ash_dtype_size(task->operand[0].dtype)};
    const size_t count = (size_t)(k->lines * k->n);
    ash_status status = ash__gpu_scratch(w, count * m.size, &m.elements);
    for (int i = 0; i < 2 && !status; i++)
        status = ash__gpu_scratch(w, count * 4, &k->position[i]);
    uint32_t faults = 0;
    if (!status && task->combine->faults)
        status = ash__gpu_upload(w, &faults, sizeof faults, &m.fault);
    m.numbers.n = k->n;
    m.numbers.lines = k->lines;
    k->at = 0;
    if (!status)
        status = copy_elements(&m, line);
    if (!status)
        status = launch(&m, "insert", RUN, 2, (void *const[]){m.elements, k->position[0]});
    for (m.numbers.width = RUN; m.numbers.width < k->n && !status; m.numbers.width *= 2) {
        status = launch(&m, "merge", SEGMENT, 3, (void *const[]){m.elements, k->position[k->at], k->position[!k->at]});
        k->at = !k->at;
    }
    if (!status && m.fault)
        status = ash__gpu_fetch(w, m.fault, 0, &faults, sizeof faults);
    return status ? status : ash__task_fault(task, (int)faults);
}
