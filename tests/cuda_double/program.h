/*
 * program.h - a PTX module as the interpreter runs it: kernels of decoded instructions over columns.
 *
 * An operand is a place: an offset into the registers of the warp, or with the highest bit set into the constants of the
 * kernel, where immediates and addresses stand as columns too. So no instruction asks what kind its operands are. Functions are
 * decoded where they are called: a program counter says all of where a lane is.
 */
#ifndef DOUBLE_PROGRAM_H
#define DOUBLE_PROGRAM_H
#include <stdbool.h>

#include "lanes.h"

typedef u32 place;
#define CONSTANT_PLACE 0x80000000u

/* Where generic addresses of spaces other than the global one begin: nothing of the host or the device lies there. */
#define SHARED_WINDOW 0x0001000000000000u
#define LOCAL_WINDOW 0x0002000000000000u
#define PARAMETER_WINDOW 0x0003000000000000u
#define WINDOW_SIZE 0x0001000000000000u
#define DYNAMIC_SHARED 0x10000000u /* the dynamic part of shared memory: an address of its own */

typedef enum { GENERIC, GLOBAL, SHARED, LOCAL, PARAMETER } space;

/* What is no form over columns: a name, how it is decoded and how it is run. */
typedef enum {
    RUN_LANES,
    RUN_BRANCH,
    RUN_TABLE, /* brx.idx */
    RUN_EXIT,
    RUN_LOAD,
    RUN_STORE,
    RUN_ATOMIC,
    RUN_BARRIER,
    RUN_SHUFFLE,
    RUN_VOTE,
    RUN_MATCH,
    RUN_REDUCE, /* redux.sync */
    RUN_WARP_BARRIER,
    RUN_ACTIVE_MASK,
    RUN_CLOCK,
    RUN_NOTHING,
    RUN_TRAP,
    RUN_COPY,   /* cp.async */
    RUN_MATRIX, /* mma.sync */
    RUN_LDMATRIX,
    RUN_IN_SPACE, /* isspacep */
    RUN_ELECT,
} run_kind;

typedef enum { OF_ADD, OF_MIN, OF_MAX, OF_AND, OF_OR, OF_XOR, OF_EXCHANGE, OF_COMPARE, OF_INCREMENT, OF_DECREMENT } operation;
typedef enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX } shuffle;
typedef enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT } vote;
typedef enum { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_AND, BARRIER_OR, BARRIER_COUNT } barrier;

typedef enum { COPY_COMMITS, COPY_WAITS } copying;

enum { VECTOR = 8, NO_PLACE = 0x7fffffff };

typedef struct instruction {
    lane_function *run;
    place result, operand[OPERANDS];
    place guard;
    u8 kind, guarded; /* guarded: 1 by the predicate, 2 by its opposite */
    u8 what;          /* an operation, shuffle, vote, barrier, ... */
    u8 space;
    u8 number; /* of convert.h: the type in memory */
    u8 width;  /* bytes of an element in memory */
    u8 column; /* bytes of a lane of the registers that take or give it */
    u8 count;  /* of a vector */
    bool is_signed;
    bool ordered; /* volatile, relaxed, acquire or release */
    bool all;     /* of a wait: for what is in no group, too */
    place data[VECTOR];
    place second; /* a second result, or NO_PLACE */
    s64 offset;
    u32 target; /* of a branch; the first of a table or list in the kernel's targets */
    u32 line;
} instruction;

typedef struct special {
    u8 which; /* of specials.h */
    place where;
} special;

typedef struct parameter {
    u32 offset, nbytes;
} parameter;

typedef struct kernel {
    char *name;
    struct module *module;
    instruction *code;
    u32 *target; /* of tables of branches; places of matrix fragments */
    special *special;
    parameter *parameter;
    u8 *constant;
    u32 count, targets, specials, parameters;
    u32 code_room, target_room, special_room, parameter_room;
    u32 constant_bytes, constant_room, register_bytes;
    u32 local_bytes, shared_bytes, parameter_bytes;
    u32 most_threads, wanted_threads[3]; /* .maxntid, .reqntid; 0: none */
    u32 most_dynamic;                    /* shared memory that a launch may add, where more than usual is allowed */
} kernel;

typedef struct variable {
    char *name;
    u64 address, nbytes;
} variable;

typedef struct module {
    char *text;
    kernel *kernel;
    variable *variable; /* of global memory */
    u32 kernels, variables;
    u64 memory, nbytes;  /* where the variables are on the device */
    int version, target; /* 90 for 9.0, 90 for sm_90 */
    struct context *context;
} module;

/* NULL, with the reason in log. `memory_of` gives memory for the variables, 0 where there is none. */
module *module_parse(const char *text, u64 (*memory_of)(void *state, u64 nbytes), void *(*host_of)(u64 address), void *state,
                     char *log, size_t room);
void module_free(module *m);
const kernel *module_kernel(const module *m, const char *name);

const form *form_find(const char *text, size_t length);
#endif
