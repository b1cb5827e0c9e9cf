/* memory.h - what a memory backend is inside. */
#ifndef ASH__MEMORY_H
#define ASH__MEMORY_H
#include <stdatomic.h>

#include "ashlar/device.h"

typedef enum ash__memory_kind { ASH__MEMORY_POOL, ASH__MEMORY_USER } ash__memory_kind;

struct ash_memory {
    atomic_int refs;
    ash__memory_kind kind;
    bool permanent; /* built in: never freed */
    char name[32];
    ash_memory_functions call;
};

ash_memory *ash__memory_retain(ash_memory *memory);
#endif
