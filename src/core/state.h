/*
 * state.h - what each thread has of its own: its pending error, scopes, current resources, scalar policy, and a few spare
 * objects. ash_state_swap exchanges all of it at once.
 */
#ifndef ASH__STATE_H
#define ASH__STATE_H
#include "ashlar/array.h"
#include "ashlar/device.h"
#include "ashlar/error.h"
#include "core/counted.h"

enum { ASH__DEVICE_LIMIT = 64, ASH__SPARE = 32, ASH__SPARE_RANK = 4 };

typedef struct ash__scope {
    int64_t first;  /* its references start here in held */
    int64_t number; /* what the caller knows it by: never used twice in one state */
    bool barrier;
} ash__scope;

struct ash_state {
    ash_error error;
    bool pending;
    ash_status last;           /* of the newest failure, also of one that was only counted */
    char text[640];            /* "function: cause" of the last failure */

    ash__counted **held;       /* references of all open scopes, oldest first */
    int64_t held_count, held_room;
    ash__scope *scope;
    int64_t scope_count, scope_room, scope_number;

    ash_resources **current;   /* pushed resources; NULL stands for some that could not be made */
    int64_t current_count, current_room;
    bool *scalar;              /* pushed policies */
    int64_t scalar_count, scalar_room;
    ash_resources *defaults[ASH__DEVICE_LIMIT]; /* by the device's slot; made when first asked for */
    ash__counted *generator[ASH__DEVICE_LIMIT]; /* random number generators, by the device's slot; made when first asked for */
    bool seeded;               /* generators made from now on begin with this seed, not with one of the system's */
    uint64_t seed;

    char shape_text[4][256];   /* results of ash_shape_text, in turn */
    int shape_turn;
    void *spare_array[ASH__SPARE], *spare_buffer[ASH__SPARE]; /* freed objects of the usual size, kept for the next */
    int spare_arrays, spare_buffers;
    bool registered;           /* its destructor will run at the thread's end */
    uint64_t serial, serial_end; /* numbers that this thread may give out */
    struct ash_state *swapped; /* of a thread's own state: the one in its place; NULL: none */
};

extern _Thread_local struct ash_state ash__own_state;
static inline struct ash_state *ash__state(void)
{
    struct ash_state *const own = &ash__own_state;
    return own->swapped ? own->swapped : own;
}
extern bool ash__process_ends; /* foreign deleters are not called any more */
uint64_t ash__serial_of_new_block(void);
/* A number that nothing else in the process has had or will have; not 0. */
static inline uint64_t ash__serial(void)
{
    struct ash_state *const s = &ash__own_state;
    return s->serial < s->serial_end ? s->serial++ : ash__serial_of_new_block();
}
/* Sees to it that what the state holds is given back when the thread ends; before anything is put into it. */
void ash__state_register(struct ash_state *state);
void ash__state_clear(struct ash_state *state); /* closes scopes, drops resources and spare objects */
#endif
