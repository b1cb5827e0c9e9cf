/* deferred.h - contexts of foreign memory whose owner wants to be asked, not called. */
#ifndef ASH__DEFERRED_H
#define ASH__DEFERRED_H
#include <stdbool.h>

/* Room for one more context is made when the memory is wrapped, so that giving it back cannot fail. */
bool ash__deferred_reserve(const char *function);
void ash__deferred_add(void *context);
void ash__deferred_cancel(void); /* the room is not needed after all */
#endif
