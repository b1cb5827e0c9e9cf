/*
 * testing.h - for the tests of programs, and of what binds this library to another language: a queue that stays busy until it
 * is told otherwise, and counts of what was given back.
 */
#ifndef ASHLAR_TESTING_H
#define ASHLAR_TESTING_H
#include "base.h"
ASH__BEGIN

/* What the process has given back since its start. */
typedef struct ash_ended {
    int64_t buffers;   /* whose memory nobody held any more; lent memory too, when its holder is told */
    int64_t resources; /* that nobody held any more, nor an array made with them; no thread's default ones, which are kept */
    int64_t failures;  /* of the system or a driver, asked to take memory or a queue back: what releases have no status for */
} ash_ended;

/**
 * Counts what was given back. Exact when no other thread is at it.
 *
 * @param ended  filled.
 * @param size   sizeof *ended as the caller knows it.
 * @return       ASH_OK, or ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_status ash_count_ended(ash_ended *ended, size_t size);

/**
 * Makes resources look busy, as endless work on their queue would: until ash_queue_resume, ash_query says false, and ash_sync,
 * and ash_wait for an array of theirs, wait. Everything else goes on.
 *
 * @param resources  one reference is held until the resume.
 * @return           ASH_OK, or ASH_ERR_ARGUMENT for NULL.
 */
ASH_API ash_status ash_queue_hold(ash_resources *resources);

/**
 * Ends one ash_queue_hold; on any thread. When it was the last, the waits end.
 *
 * @param resources  NULL, and resources that are not held, are fine.
 */
ASH_API void ash_queue_resume(ash_resources *resources);

ASH__END
#endif
