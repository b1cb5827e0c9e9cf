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

bool ash__theirs_takes(const char *function, ash__theirs *library, bool fits, bool pays, ash_status *status)
{
    const ash__whose whose = ash__cuda_libraries_setting();
    const bool must = whose == ASH__WHOSE_THEIRS;
    if (whose == ASH__WHOSE_OURS || (!must && !(fits && pays)))
        return false;
    *status = ASH_OK;
    if (!fits)
        *status = ash__fail(ASH_ERR_UNSUPPORTED, function, "ASHLAR_CUDA_LIBRARIES is theirs, but %s has no %s; set it to auto",
                            library->name, library->has_no);
    else if (!find(library) && must)
        *status = ash__fail(ASH_ERR_DEVICE, function, "ASHLAR_CUDA_LIBRARIES is theirs, but %s", library->fault);
    return must || library->found;
}

bool ash__theirs_failed(const char *function, const ash__theirs *library, const char *device, const char *called, int failed,
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
