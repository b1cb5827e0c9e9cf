/*
 * theirs.c - opening NVIDIA's libraries, and what is said of them.
 */
#include "backend/cuda/theirs.h"

#include <dlfcn.h>
#include <stdio.h>

#include "core/error.h"
#include "core/settings.h"

static void look(ash__theirs *t)
{
    const char *const given = t->setting();
    const int driver = ash__cu_version() / 1000, of_driver = driver < ASH__THEIRS_NEWEST ? driver : ASH__THEIRS_NEWEST;
    char file[64], path[ASH__CU_PATH];
    void *handle = given ? dlopen(given, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (int cuda = of_driver; cuda >= ASH__THEIRS_OLDEST && !handle && !given; cuda--) {
        snprintf(file, sizeof file, "%s%d", t->stem, t->version[cuda - ASH__THEIRS_OLDEST]);
        handle = ash__cu_open(file, path);
    }
    if (handle) {
        snprintf(file, sizeof file, "%s of CUDA %d", t->name, ASH__THEIRS_OLDEST);
        t->found = ash__cu_take(handle, given ? given : path, file, t->functions, t->count, t->table, t->fault);
    } else if (given)
        snprintf(t->fault, sizeof t->fault, "%.200s, which %s names", dlerror(), t->variable);
    else
        snprintf(t->fault, sizeof t->fault,
                 "there is no %s%d; install %s of CUDA %d (it comes with the toolkit, and as the Python package %s), or set %s",
                 t->stem, t->version[of_driver - ASH__THEIRS_OLDEST], t->name, of_driver, t->package, t->variable);
}

static bool find(ash__theirs *t)
{
    pthread_mutex_lock(&t->lock);
    if (!t->looked)
        look(t);
    t->looked = true;
    pthread_mutex_unlock(&t->lock);
    return t->found;
}

bool ash__theirs_takes(const char *function, ash__theirs *library, const ash__cu_queue *q, bool fits, bool pays,
                       ash_status *status)
{
    const ash__whose whose = ash__cuda_libraries_setting();
    const int number = q->device->number;
    const bool must = whose == ASH__WHOSE_THEIRS;
    fits = fits && number < ASH__THEIRS_DEVICES;
    if (whose == ASH__WHOSE_OURS || (!must && !(fits && pays && !library->refused[number])))
        return false;
    *status = ASH_OK;
    if (!fits)
        *status = ash__fail(ASH_ERR_UNSUPPORTED, function, "ASHLAR_CUDA_LIBRARIES is theirs, but %s has no %s; set it to auto",
                            library->name, library->has_no);
    else if (!find(library) && must)
        *status = ash__fail(ASH_ERR_DEVICE, function, "ASHLAR_CUDA_LIBRARIES is theirs, but %s", library->fault);
    return must || library->found;
}

/* true: it is an error. false: our kernels do it, which they may where `ours`. */
static bool is_error(const char *function, const ash__theirs *library, const char *device, const char *called, int failed,
                     bool ours, ash_status *status)
{
    const char *const name = library->status_name(failed);
    if (ours && ash__cuda_libraries_setting() != ASH__WHOSE_THEIRS)
        return false;
    *status = ash__fail(failed == library->no_memory ? ASH_ERR_MEMORY : ASH_ERR_DEVICE, function,
                        "%s of %s failed with %s status %d, %s; ASHLAR_CUDA_LIBRARIES=ours does without", called, device,
                        library->name, failed, name ? name : "which has no name");
    return true;
}

int ash__theirs_handle(ash__theirs *library, ash__cu_queue *q, void **handle, const char **called)
{
    void **const kept = &library->handle[q->device->number];
    *called = library->create_name;
    const int failed = *kept ? 0 : (*library->create)(kept);
    library->refused[q->device->number] = failed;
    if (failed) {
        *kept = NULL;
        return failed;
    }
    *handle = *kept;
    *called = library->stream_name;
    return (*library->set_stream)(*kept, q->stream);
}

bool ash__theirs_ask(const char *function, ash__theirs *library, ash__cu_queue *q, ash__theirs_work *ask, const void *what,
                     ash_status *status)
{
    const char *called = NULL;
    const ash__cu_call call = ash__cu_begin(q->device);
    const int failed = call.error ? 0 : ask(q, what, &called);
    *status = ash__cu_end(function, &call, NULL, 0);
    return !failed || is_error(function, library, q->device->name, called, failed, true, status);
}

bool ash__theirs_run(const char *function, ash__theirs *library, ash__cu_queue *q, ash__theirs_work *run, const void *what,
                     bool settled, void **event, ash_status *status)
{
    const char *called = NULL;
    const ash__cu_call call = ash__cu_begin(q->device);
    const int failed = call.error ? 0 : run(q, what, &called);
    int error = call.error;
    if (!error && !failed)
        *event = ash__cu_record(q, &error);
    *status = ash__cu_end(failed ? NULL : function, &call, "cuEventRecord", error);
    const bool ours = !settled && (failed == library->not_supported || library->refused[q->device->number]);
    return !failed || is_error(function, library, q->device->name, called, failed, ours, status);
}

int ash__theirs_type(ash_dtype dtype)
{
    enum { R_32F = 0, R_64F = 1, R_16F = 2, C_32F = 4, C_64F = 5, R_16BF = 14 }; /* library_types.h of CUDA 11 to 13 */
    switch (dtype) {
    case ASH_F16:
        return R_16F;
    case ASH_BF16:
        return R_16BF;
    case ASH_F64:
        return R_64F;
    case ASH_C_F32:
        return C_32F;
    case ASH_C_F64:
        return C_64F;
    default:
        return R_32F;
    }
}

void *ash__theirs_reach(ash__cu_queue *q, void *memory, int64_t start)
{
    ash__cu_memory *const m = memory;
    ash__cu_move(q, m);
    return (void *)(uintptr_t)(m->pointer + (uint64_t)start);
}
