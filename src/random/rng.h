/* rng.h - what a generator is inside. */
#ifndef ASH__RNG_H
#define ASH__RNG_H
#include <pthread.h>

#include "ashlar/random.h"
#include "core/counted.h"
#include "core/device.h"

struct ash_rng {
    ash__counted counted; /* first: a thread's state holds its generators by it */
    ash_rng_kind kind;
    pthread_mutex_t lock; /* of the state */
    ash_rng_state state;
};

/* With one reference and this state. NULL with a memory error. */
ash_rng *ash__rng_make(const char *function, ash_rng_kind kind, ash_rng_state state);
/* Takes the next call: the state it is made with. */
ash_rng_state ash__rng_next(ash_rng *rng);
/* Two numbers that nobody can guess, from the operating system. */
ash_status ash__rng_system_state(const char *function, ash_rng_state *state);
/* The generator that a call on a device uses: the given one, or else this thread's. Borrowed. */
ash_rng *ash__rng_for(const char *function, ash_rng *given, const ash_device *device);
#endif
