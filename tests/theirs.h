/*
 * theirs.h - what the tests of NVIDIA's libraries have in common: they run on the doubles of CUDA's driver and of the library
 * (theirs_double), and are skipped where these are not.
 */
#ifndef THEIRS_H
#define THEIRS_H
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

enum { SKIPPED = 77 };

/* A number that the double counts. */
static int counted(const char *variable, const char *name)
{
    void *const library = dlopen(getenv(variable), RTLD_NOW | RTLD_NOLOAD);
    const int *const count = library ? dlsym(library, name) : NULL;
    const int n = count ? *count : 0;
    if (library)
        dlclose(library);
    return n;
}

static ash_resources *begin(const char *whose)
{
    setenv("ASHLAR_CUDA_LIBRARIES", whose, 1);
    ash_resources *const r = ash_resources_new("cuda:0");
    CHECK(r != NULL);
    return r;
}

/* ---- what is wrong, in a child each, before anything is looked for */

typedef struct wrong {
    const char *library, *fault, *whose; /* library NULL: the double, which fails so */
    ash_status status;
    const char *want; /* part of the error's text; NULL: there is none */
} wrong;
typedef struct work {
    const char *library, *fault; /* variables */
    ash_array *(*make)(void);
    bool (*is_right)(const ash_array *made);
} work;

/* 0, or the number of what does not hold. */
static int attempt(const work *w, const wrong *is)
{
    setenv(w->fault, is->fault, 1);
    if (is->library)
        setenv(w->library, is->library, 1);
    setenv("ASHLAR_CUDA_LIBRARIES", is->whose, 1);
    ash_resources *const r = ash_resources_new("cuda:0");
    ASH_WITH_RESOURCES(r);
    for (int times = 0; times < 2; times++) { /* twice: what failed is remembered */
        ASH_SCOPE(scope);
        ash_array *const c = w->make();
        ash_error e = {.status = ASH_OK};
        const bool failed = ash_error_take(&e, sizeof e);
        if (failed != (is->want != NULL) || e.status != is->status || (c == NULL) != failed)
            return 1;
        if (failed && !strstr(e.cause, is->want)) {
            fprintf(stderr, "%s\n", e.cause);
            return 2;
        }
        if (!failed && !w->is_right(c))
            return 3;
    }
    setenv("ASHLAR_CUDA_LIBRARIES", "ours", 1); /* the device is as it was */
    return w->is_right(w->make()) && !ash_failed() ? 0 : 4;
}

static void check_failures(const work *w, const wrong *list, int count)
{
    for (int k = 0; k < count; k++) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0)
            _exit(attempt(w, &list[k]));
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            FAIL("case %d: %d", k, status);
    }
}

/* ---- the real one, where it is installed: that it has what is asked for */

static void check_entries(const char *stem, int newest, int oldest, const char *const *names, int count)
{
    void *library = NULL;
    for (int version = newest; version >= oldest && !library; version--) {
        char path[32];
        snprintf(path, sizeof path, "%s%d", stem, version);
        library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    }
    for (int k = 0; library && k < count; k++)
        CHECK(dlsym(library, names[k]));
    if (!library)
        print_message("[  SKIPPED ] %s: it is not installed\n", stem);
}

/* ---- */

static int run_with_double(const char *library, const struct CMUnitTest *tests, size_t count)
{
    if (!getenv("CUDA_DOUBLE") || !getenv(library)) {
        printf("skipped: the doubles of CUDA's driver and of %s are not here\n", library);
        return SKIPPED;
    }
    return _cmocka_run_group_tests(library, tests, count, NULL, NULL);
}
#endif
