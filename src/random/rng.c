/* rng.c - generators: a seed and a count of calls, behind a lock, so that threads that share one get calls of their own. */
#include "random/rng.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "core/alloc.h"
#include "core/error.h"

static void end(ash__counted *counted)
{
    ash_rng *const rng = (ash_rng *)(void *)counted;
    pthread_mutex_destroy(&rng->lock);
    ash__free(rng);
}

ash_rng *ash__rng_make(const char *function, ash_rng_kind kind, ash_rng_state state)
{
    ash_rng *const rng = ash__alloc(function, 1, sizeof *rng);
    if (!rng)
        return NULL;
    ash__counted_begin(&rng->counted, end);
    rng->kind = kind;
    rng->state = state;
    if (pthread_mutex_init(&rng->lock, NULL) != 0) {
        ash__free(rng);
        ash__fail(ASH_ERR_MEMORY, function, "no memory for a lock");
        return NULL;
    }
    return rng;
}

ash_status ash__rng_system_state(const char *function, ash_rng_state *state)
{
    if (getentropy(state, sizeof *state) != 0)
        return ash__fail(ASH_ERR_IO, function, "the system gives no random numbers (%s); seed the generator", strerror(errno));
    return ASH_OK;
}

ash_rng *ash_rng_new(ash_rng_kind kind)
{
    static const char f[] = "ash_rng_new";
    ash_rng_state state;
    if (kind != ASH_RNG_DEFAULT && kind != ASH_RNG_SECOND) {
        ash__fail(ASH_ERR_ARGUMENT, f, "kind %d; ASH_RNG_DEFAULT or ASH_RNG_SECOND was wanted", (int)kind);
        return NULL;
    }
    if (ash__rng_system_state(f, &state))
        return NULL;
    return ash__rng_make(f, kind, (ash_rng_state){state.seed, 0});
}

ash_rng *ash_rng_retain(ash_rng *rng)
{
    if (rng)
        ash__counted_hold(&rng->counted);
    else
        ash__null("ash_rng_retain", "rng");
    return rng;
}

void ash_rng_release(ash_rng *rng)
{
    if (rng)
        ash__counted_drop(&rng->counted);
}

static ash_status set_state(const char *function, ash_rng *rng, ash_rng_state state)
{
    if (!rng)
        return ash__null(function, "rng");
    pthread_mutex_lock(&rng->lock);
    rng->state = state;
    pthread_mutex_unlock(&rng->lock);
    return ASH_OK;
}

ash_status ash_rng_seed(ash_rng *rng, uint64_t seed)
{
    return set_state("ash_rng_seed", rng, (ash_rng_state){seed, 0});
}

ash_status ash_rng_set_state(ash_rng *rng, ash_rng_state state)
{
    return set_state("ash_rng_set_state", rng, state);
}

ash_rng_state ash__rng_next(ash_rng *rng)
{
    pthread_mutex_lock(&rng->lock);
    const ash_rng_state state = rng->state;
    rng->state.calls++;
    pthread_mutex_unlock(&rng->lock);
    return state;
}

ash_rng_state ash_rng_state_of(const ash_rng *rng)
{
    if (!rng) {
        ash__null("ash_rng_state_of", "rng");
        return (ash_rng_state){0, 0};
    }
    ash_rng *const locked = (ash_rng *)(uintptr_t)rng;
    pthread_mutex_lock(&locked->lock);
    const ash_rng_state state = rng->state;
    pthread_mutex_unlock(&locked->lock);
    return state;
}

ash_rng_kind ash_rng_kind_of(const ash_rng *rng)
{
    if (!rng)
        ash__null("ash_rng_kind_of", "rng");
    return rng ? rng->kind : (ash_rng_kind)0;
}
