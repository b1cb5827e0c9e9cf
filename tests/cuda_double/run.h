/*
 * run.h - a launch while it runs: its blocks, their warps, and how the parts of the interpreter see them.
 *
 * Lanes of a warp that are at one place of the code form a group; the group with the lowest place runs, so that groups meet
 * again where their ways do. A lane waits in its group for others, or for a barrier.
 */
#ifndef DOUBLE_RUN_H
#define DOUBLE_RUN_H
#include <setjmp.h>

#include "convert.h"
#include "memory.h"
#include "program.h"

/* OPENED: the barrier is, and others are looked for still. */
typedef enum { RUNS, WAITS_FOR_LANES, WAITS_AT_BARRIER, OPENED } group_state;

typedef struct group {
    u32 at, lanes;
    u8 state;
} group;

typedef struct warp {
    u8 *registers, *local;
    group group[LANES];
    int groups;
    u32 first;           /* thread */
    u32 live;            /* lanes that have not ended */
    u32 barriers[LANES]; /* of the warp that a lane has passed */
    struct late *late;   /* copies that run beside */
    u32 lates, late_room, committed[LANES];
} warp;

enum { WARPS = 32, BARRIERS = 16 };

typedef struct block {
    struct launch *launch;
    const kernel *kernel;
    u32 grid[3], size[3], at[3], threads, warps, dynamic;
    u8 *shared; /* the static part, then the dynamic one */
    u8 *registers, *local;
    u32 arrived[BARRIERS]; /* threads of bar.arrive */
    u64 number;
    struct races *races; /* NULL: not looked for */
    u32 barriers;        /* passed */
    warp warp[WARPS];
} block;

typedef struct launch {
    const kernel *kernel;
    u32 grid[3], size[3], dynamic;
    u8 *parameters;
    u64 steps, lanes; /* of instructions */
    u64 random;       /* 0: everything in order */
    int error;        /* 0: none */
    char words[512];  /* of the error */
    jmp_buf failed;
    const range *hit[16]; /* what the instructions found last, while the ranges are as they were */
    u32 changes;
} launch;

/* What a warp does now: the active lanes of a group at an instruction. */
typedef struct step {
    block *block;
    warp *warp;
    const instruction *now;
    u32 active;
} step;

static inline void *column(const step *s, place where)
{
    return where & CONSTANT_PLACE ? s->block->kernel->constant + (where & ~CONSTANT_PLACE) : s->warp->registers + where;
}

/* Ends the launch; `lane` is a lane or -1. */
__attribute__((noreturn, format(printf, 4, 5))) void fault(const step *s, int error, int lane, const char *format, ...);

enum {
    ILLEGAL_ADDRESS = 700,
    LAUNCH_OUT_OF_RESOURCES = 701,
    LAUNCH_TIMEOUT = 702,
    ILLEGAL_INSTRUCTION = 715,
    MISALIGNED_ADDRESS = 716,
    LAUNCH_FAILED = 719
};

/* Runs all of it. */
void launch_run(launch *l);

void run_load(const step *s);
void run_store(const step *s);
void run_atomic(const step *s);
void run_copy(const step *s);
void run_ldmatrix(const step *s);
void run_matrix(const step *s);
void run_in_space(const step *s);
/* Among lanes: they are all there. */
void run_shuffle(const step *s);
void run_vote(const step *s);
void run_match(const step *s);
void run_reduce(const step *s);
void run_elect(const step *s);

/* Races in shared memory. */
struct races *races_new(u32 nbytes);
void races_forget(struct races *r);
void races_visit(const step *s, u64 at, u32 nbytes, bool writes, u32 lane);

/* The text of a line of the module. */
const char *module_line(const module *m, u32 line, int *length);

/* Where the lanes' bytes are. */
void find_bytes(const step *s, space in, const u64 *address, u32 nbytes, bool writes, u32 lanes, u8 **bytes);
#endif
