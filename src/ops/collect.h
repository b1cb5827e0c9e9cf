/* collect.h - elements that an iterator gives, one by one or all. */
#ifndef ASH__COLLECT_H
#define ASH__COLLECT_H
#include "ashlar/array.h"

/* ash_collect under another name; the options have been read. */
ash_array *ash__collect(const char *function, const ash_iterator *iterator, const ash_collect_options *options);
/* The element after the first `count`: a scalar of a plain dtype; *more is false after the last. A failure when the iterator
 * gives up, or has another length than it says. */
ash_status ash__collect_next(const char *function, const ash_iterator *iterator, int64_t count, ash_operand *element,
                             bool *more);
/* Element `number`, converted, at an address. */
ash_status ash__collect_store(const char *function, char *to, ash_dtype dtype, int64_t number, const ash_operand *element,
                              bool exact);
#endif
