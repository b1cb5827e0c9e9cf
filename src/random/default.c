/* default.c - the generators of each thread (or ash_state), one for each device: made when first asked for, seeded at once. */
#include "core/error.h"
#include "core/state.h"
#include "random/rng.h"

ash_rng *ash__rng_for(const char *function, ash_rng *given, const ash_device *device)
{
    if (given)
        return given;
    struct ash_state *const s = ash__state();
    ash__counted **const slot = &s->generator[device->slot];
    if (!*slot) {
        ash_rng_state state = {s->seed, 0};
        ash__state_register(s);
        if (!s->seeded && ash__rng_system_state(function, &state))
            return NULL;
        ash_rng *const rng = ash__rng_make(function, ASH_RNG_DEFAULT, state);
        if (!rng)
            return NULL;
        *slot = &rng->counted;
    }
    return (ash_rng *)(void *)*slot;
}

ash_rng *ash_default_rng(void)
{
    static const char f[] = "ash_default_rng";
    const ash_resources *const r = ash__resources_for(f, NULL);
    return r ? ash__rng_for(f, NULL, r->device) : NULL;
}

void ash_seed(uint64_t seed)
{
    struct ash_state *const s = ash__state();
    s->seeded = true;
    s->seed = seed;
    for (int i = 0; i < ASH__DEVICE_LIMIT; i++)
        if (s->generator[i])
            ash_rng_seed((ash_rng *)(void *)s->generator[i], seed);
}

ash_status ash_seed_random(void)
{
    static const char f[] = "ash_seed_random";
    struct ash_state *const s = ash__state();
    ash_rng_state state[ASH__DEVICE_LIMIT];
    ash_status status = ASH_OK;
    for (int i = 0; i < ASH__DEVICE_LIMIT && !status; i++)
        if (s->generator[i])
            status = ash__rng_system_state(f, &state[i]);
    if (status)
        return status;
    s->seeded = false;
    for (int i = 0; i < ASH__DEVICE_LIMIT; i++)
        if (s->generator[i])
            ash_rng_set_state((ash_rng *)(void *)s->generator[i], state[i]);
    return ASH_OK;
}
