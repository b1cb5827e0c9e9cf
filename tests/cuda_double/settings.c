/*
 * settings.c - the environment, the failures that it asks for, and reports.
 */
#include "settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { ATTRIBUTES = 32, FAILURES = 32 };

typedef struct failure {
    char entry[48];
    unsigned long at, calls;
    int error;
    bool onwards;
} failure;

static settings now;
static struct {
    int attribute, value;
} attribute[ATTRIBUTES];
static failure failures[FAILURES];
static int attributes, failing;
static const char *log_file;
static unsigned reported;

static u64 number_of(const char *name, u64 otherwise)
{
    const char *const text = getenv(name);
    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static void read_attributes(const char *text)
{
    while (text && *text && attributes < ATTRIBUTES) {
        if (sscanf(text, "%d=%d", &attribute[attributes].attribute, &attribute[attributes].value) == 2)
            attributes++;
        text = strchr(text, ',');
        text = text ? text + 1 : NULL;
    }
}

static void read_failures(const char *text)
{
    while (text && *text && failing < FAILURES) {
        failure *const f = &failures[failing];
        f->onwards = false;
        if (sscanf(text, "%47[^:]:%lu=%d", f->entry, &f->at, &f->error) == 3)
            failing++;
        else if (sscanf(text, "%47[^:]:%lu+=%d", f->entry, &f->at, &f->error) == 3) {
            f->onwards = true;
            failing++;
        }
        text = strchr(text, ',');
        text = text ? text + 1 : NULL;
    }
}

__attribute__((constructor)) static void read_all(void)
{
    const char *const capability = getenv("CUDA_DOUBLE_CAPABILITY");
    now.devices = (int)number_of("CUDA_DOUBLE_DEVICES", 1);
    now.major = 9;
    if (capability)
        sscanf(capability, "%d.%d", &now.major, &now.minor);
    now.driver = (int)number_of("CUDA_DOUBLE_DRIVER", 13000);
    now.memory = number_of("CUDA_DOUBLE_MEMORY", (u64)1 << 30);
    now.seed = number_of("CUDA_DOUBLE_SEED", 0);
    now.not_ready = (int)number_of("CUDA_DOUBLE_NOT_READY", 0);
    now.strict = number_of("CUDA_DOUBLE_STRICT", 0) != 0;
    now.trace = number_of("CUDA_DOUBLE_TRACE", 0) != 0;
    now.races = number_of("CUDA_DOUBLE_RACES", 1) != 0;
    now.keep = getenv("CUDA_DOUBLE_KEEP");
    log_file = getenv("CUDA_DOUBLE_LOG");
    read_attributes(getenv("CUDA_DOUBLE_ATTRIBUTES"));
    read_failures(getenv("CUDA_DOUBLE_FAIL"));
}

const settings *setting(void)
{
    return &now;
}

bool setting_attribute(int which, int *value)
{
    for (int k = 0; k < attributes; k++)
        if (attribute[k].attribute == which) {
            *value = attribute[k].value;
            return true;
        }
    return false;
}

static bool means(const char *pattern, const char *entry)
{
    const size_t length = strlen(pattern);
    return strcmp(pattern, "*") == 0 ? strcmp(entry, "launch") != 0
                                     : strncmp(pattern, entry, length) == 0 && (!entry[length] || entry[length] == '_');
}

int setting_failure(const char *entry)
{
    int error = 0;
    for (int k = 0; k < failing; k++) {
        failure *const f = &failures[k];
        if (!means(f->entry, entry))
            continue;
        f->calls++;
        if (f->calls == f->at || (f->onwards && f->calls > f->at))
            error = f->error;
    }
    return error;
}

void report(const char *format, ...)
{
    char words[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    reported++;
    fprintf(stderr, "cuda double: %s\n", words);
    FILE *const file = log_file ? fopen(log_file, "a") : NULL;
    if (file) {
        fprintf(file, "%s\n", words);
        fclose(file);
    }
    if (now.strict)
        abort();
}

unsigned reports(void)
{
    return reported;
}
