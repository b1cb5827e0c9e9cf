/*
 * settings.h - what the environment says of the devices and of what is to fail. It is read when the library is loaded.
 *
 *   CUDA_DOUBLE_DEVICES=1           how many there are; 0: cuInit finds none
 *   CUDA_DOUBLE_CAPABILITY=9.0      compute capability
 *   CUDA_DOUBLE_MEMORY=1073741824   bytes of each device
 *   CUDA_DOUBLE_DRIVER=13000        version of the driver; PTX that is newer is refused
 *   CUDA_DOUBLE_ATTRIBUTES=83=0,89=1   device attributes by their numbers
 *   CUDA_DOUBLE_SEED=0              0: everything as late as it may be, blocks and warps in order; other numbers: other orders
 *   CUDA_DOUBLE_FAIL=cuMemAlloc:3=2,launch:2=700   the how-manieth call of an entry, by its name without _v2, gives that error
 *                                   (*: of any entry); launch: the how-manieth launch fails when it is run; :3+=2: from then on
 *   CUDA_DOUBLE_NOT_READY=2         so many queries of an event say that it is not ready before one looks
 *   CUDA_DOUBLE_LOG=FILE            reports are written there too
 *   CUDA_DOUBLE_RACES=1             races in shared memory are looked for; 0: they are not
 *   CUDA_DOUBLE_STRICT=1            the process ends with abort() at a report
 *   CUDA_DOUBLE_TRACE=1             launches and copies are told, when they are done
 *   CUDA_DOUBLE_KEEP=FOLDER         the texts of modules are written there
 */
#ifndef DOUBLE_SETTINGS_H
#define DOUBLE_SETTINGS_H
#include <stdbool.h>

#include "lanes.h"

typedef struct settings {
    int devices, major, minor, driver;
    u64 memory, seed;
    int not_ready;
    bool strict, trace, races;
    const char *keep; /* NULL: nowhere */
} settings;

const settings *setting(void);
bool setting_attribute(int attribute, int *value); /* false: none is set */
/* The error that this call is to give, or 0. */
int setting_failure(const char *entry);

/* Something that a program must not do. */
__attribute__((format(printf, 1, 2))) void report(const char *format, ...);
unsigned reports(void);
#endif
