/* map.h - elementwise functions over arrays, for the operations that are made of them. */
#ifndef ASH__MAP_H
#define ASH__MAP_H
#include "backend/backend.h"
#include "ops/operands.h"

/* map_plain.c: the usual cases without detours. false: not one of them, and nothing has been done or reported. */
bool ash__map_plain(const char *function, const ash_function *f, ash_operands operands, ash_array **result);
bool ash__map_plain_to(const char *function, ash_array *out, const ash_function *f, ash_operands operands, ash_status *status);

/* map_again.c: the call that this thread made before, if it is that; then it is done. Without options; out may be anything. */
bool ash__map_again(const ash_array *out, const ash_function *f, ash_operands operands);
/* The same for a new array; *result NULL: with an error. */
bool ash__map_new_again(const char *function, const ash_function *f, ash_operands operands, ash_array **result);
/* To be asked for again: what has just been run, without a fault, into out, or to make it. */
void ash__map_note(const ash_array *out, bool new, const ash_function *f, ash_operands operands, const ash__task *task);

/* f over all operands, which are joined already, into out; separates what overlaps. program: of f for out's dtype. */
ash_status ash__map_inputs(ash__inputs *in, const ash__program *program, ash_array *out);
/* out = f(operands) broadcast to out's shape, by the rule of _into. out is writable and not discarded. */
ash_status ash__map_to(const char *function, ash_array *out, const ash_function *f, ash_operands operands,
                       ash_resources *given);
/* The same with the text of a function of this library's own. */
ash_status ash__map_text_to(const char *function, ash_array *out, const char *text, ash_operands operands,
                            ash_resources *given);
/* A new array. options: all zero for the defaults. */
ash_array *ash__map_new(const char *function, const ash_function *f, ash_operands operands, const ash_map_options *options);
ash_array *ash__map_text_new(const char *function, const char *text, ash_operands operands, const ash_map_options *options);

/* A function from a text or from the caller; NULL with an error when it is missing. Ends with ash_function_release where
 * the text was given. */
ash_function *ash__function_for(const char *function, const char *text);
bool ash__check_function(const char *function, const ash_function *f);
/* Refuses the options that have no meaning for _into: what out is, is settled. */
bool ash__check_into_options(const char *function, const ash_map_options *options);
#endif
