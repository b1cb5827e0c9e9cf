/* task.h - whole arrays copied, filled and converted, for the operations that are made of that. */
#ifndef ASH__TASK_H
#define ASH__TASK_H
#include "backend/backend.h"
#include "core/array.h"
#include "core/host.h"

/* The array as it is, over its own shape. */
ash__span ash__span_of(const ash_array *a);
/* out[i] = a[i] for arrays of one dtype and shape on one device that do not overlap (or lie exactly alike). Neither is
 * conjugated unless both are. */
ash_status ash__copy_elements(const char *function, ash_array *out, const ash_array *a, ash_resources *given);
/* Every element of out becomes this one (of out's dtype, 16 bytes at most or a record's). */
ash_status ash__fill_elements(const char *function, ash_array *out, const void *element, ash_resources *given);
/* Every byte of every element becomes zero, records of any size too. */
ash_status ash__fill_zeros(const char *function, ash_array *out, ash_resources *given);
/* out[i] = a[i], converting in the checked way; any dtypes, conjugation, shared or private. Same shape; no overlap. */
ash_status ash__convert_elements(const char *function, ash_array *out, const ash_array *a, bool exact, ash_resources *given);
/* The same by a device that both are on. False: not by it; or *status is ASH_ERR_VALUE: some element is refused. */
bool ash__convert_on_device(const char *function, ash_array *out, const ash_array *a, bool exact, ash_resources *given,
                            ash_status *status);
/* Numbers of an operation's own, in row-major order, as f64: an implicit wait. */
ash_status ash__read_numbers(const char *function, const ash_array *a, double *numbers);
/* The element of an array of one, as it is. */
ash_status ash__read_element(const char *function, const ash_array *a, ash__access access, void *element);
/* A dense copy of a with its dtype, in its storage and device, that belongs to the caller alone (no scope holds it). */
ash_array *ash__temporary_copy(const char *function, const ash_array *a, ash_layout layout, ash_resources *given);
#endif
