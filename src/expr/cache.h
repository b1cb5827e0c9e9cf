/* cache.h - the texts that have been parsed, and the programs that have been made of them. */
#ifndef ASH__CACHE_H
#define ASH__CACHE_H
#include "expr/function.h"
#include "expr/tree.h"

typedef struct ash__cached ash__cached;

enum {
    ASH__FUNCTIONS = 1024, /* texts that the cache holds */
    ASH__BUCKETS = 16,
    ASH__PROGRAMS = 256    /* programs that one function holds; beyond, they are made anew each time */
};

struct ash_function {
    atomic_int refs;
    uint64_t serial; /* ash__serial */
    char *text;
    ash__tree tree;

    /* programs by dtypes and target: lists that only ever grow at the front, so that reading needs no lock */
    _Atomic(ash__cached *) bucket[ASH__BUCKETS];
    atomic_int programs;

    /* the cache's, under its lock */
    uint32_t hash;
    bool cached;
    ash_function *chain;             /* next with the same slot */
    ash_function *newer, *older;     /* by last use */
};

ash_function *ash__function_new(const char *function, const char *text); /* parsed, outside the cache */
ash_function *ash__function_retain(ash_function *f);

/* The cached function of this text, retained, or NULL (no error). */
ash_function *ash__cache_find(const char *text);
/* Puts f into the cache, which takes a reference of its own; gives back f, or the one that another thread put there before,
 * retained in f's place. */
ash_function *ash__cache_add(ash_function *f);
int ash__cache_count(void); /* for tests */
#endif
