/*
 * testing.c - queues held busy, and counts of what was given back.
 *
 * A hold is a count in the resources, which those ask that wait; it queues nothing, so it is the same on every device.
 */
#include "ashlar/testing.h"

#include <string.h>
#include <time.h>

#include "core/device.h"
#include "core/error.h"
#include "core/tally.h"

ash_status ash_count_ended(ash_ended *ended, size_t size)
{
    if (!ended)
        return ash__null("ash_count_ended", "ended");
    const ash_ended now = {.buffers = ash__tally_sum(ASH__COUNT_BUFFERS),
                           .resources = ash__tally_sum(ASH__COUNT_RESOURCES),
                           .failures = ash__tally_sum(ASH__COUNT_FAILURES)};
    memset(ended, 0, size);
    memcpy(ended, &now, size < sizeof now ? size : sizeof now);
    return ASH_OK;
}

ash_status ash_queue_hold(ash_resources *resources)
{
    if (!resources)
        return ash__null("ash_queue_hold", "resources");
    ash__resources_hold(resources);
    atomic_fetch_add(&resources->held, 1);
    return ASH_OK;
}

void ash_queue_resume(ash_resources *resources)
{
    int held = resources ? atomic_load(&resources->held) : 0;
    while (held && !atomic_compare_exchange_weak(&resources->held, &held, held - 1))
        continue;
    if (held)
        ash_resources_release(resources);
}

void ash__wait_for_resume(ash_resources *resources)
{
    const struct timespec pause = {.tv_nsec = 100000};
    while (atomic_load(&resources->held))
        nanosleep(&pause, NULL);
}
