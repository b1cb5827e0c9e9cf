/* error.h - reporting a failure. The first cause stays until it is taken; later ones are counted. */
#ifndef ASH__ERROR_H
#define ASH__ERROR_H
#include "ashlar/error.h"

/* All give back `status`, so that a check can end in `return ash__fail(...)`. function: the public function's name. */
ash_status ash__fail(ash_status status, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));
ash_status ash__fail_operand(ash_status status, const char *function, int operand, const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));
/* With a caret: cause, then the line of `text` that holds byte `position`, and under it the caret. */
ash_status ash__fail_text(ash_status status, const char *function, const char *text, int position, const char *format, ...)
    __attribute__((format(printf, 5, 6), cold));

/* Puts a place, "weights: ", in front of the pending error's cause. For failures of a call that began with none pending. */
void ash__error_place(const char *place);

/* A NULL argument: passes a pending error on, else is an argument error "NAME is NULL". Returns the status either way. */
ash_status ash__null(const char *function, const char *name);
ash_status ash__null_operand(const char *function, int operand); /* "operand 0 is NULL" */
ash_status ash__pending(void); /* status of the pending error, ASH_OK when there is none */
/* Status of the newest failure of this thread, also of one that was only counted: what a function returns whose helper gave
 * back NULL. */
ash_status ash__last_status(void);
#endif
