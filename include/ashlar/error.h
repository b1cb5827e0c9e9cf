/* error.h - what went wrong, per thread. See base.h for the statuses. */
#ifndef ASHLAR_ERROR_H
#define ASHLAR_ERROR_H
#include "base.h"
ASH__BEGIN

typedef struct ash_error {
    ash_status status;
    int32_t later;     /* failures that came while this one was pending */
    int32_t position;  /* byte in the function string, or -1 */
    int32_t operand;   /* number of the operand at fault, or -1 */
    char function[48]; /* the public function that was called */
    char cause[512];   /* the text is "function: cause" */
} ash_error;

/**
 * Is an error pending on this thread? Never waits.
 *
 * @return  true from the call that failed until the error is taken or cleared.
 */
ASH_API bool ash_failed(void);

/**
 * The pending error as text, "function: cause", and takes it: afterwards none is pending.
 *
 * @return  borrowed, never NULL, readable until the next failure on this thread; "" when nothing has failed yet.
 */
ASH_API const char *ash_error_text(void);

/**
 * Takes the pending error: its status, function, cause and place apart.
 *
 * @param error  filled with the error, or with zeros when none is pending; NULL drops it.
 * @param size   sizeof *error as the caller knows it.
 * @return       true when an error was pending.
 */
ASH_API bool ash_error_take(ash_error *error, size_t size);

/**
 * Drops the pending error, for a failure that the program deals with. Never fails.
 */
ASH_API void ash_error_clear(void);

/**
 * The name of a status: "ok", "shape", "scalar-access" ...
 *
 * @param status  any number.
 * @return        a constant text; "unknown" for a number that is no status.
 */
ASH_API const char *ash_status_name(ash_status status);

ASH__END
#endif
