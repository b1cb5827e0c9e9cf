/* fiber.h - stacks of their own for the work-items of a group that wait for one another. */
#ifndef ASH__FIBER_H
#define ASH__FIBER_H
#include "ashlar/base.h"

enum { ASH__FIBERS = 1024, ASH__FIBER_STACK = 128 * 1024 }; /* of a set; bytes, the lowest page of which is a guard */

typedef struct ash__fiber_set ash__fiber_set;
/* One that nobody uses, or a new one; NULL when there is no memory. */
ash__fiber_set *ash__fibers_take(void);
void ash__fibers_give(ash__fiber_set *set); /* kept for the next */

/* Fiber k, from 1, begins in entry(context), which must not return, at the next switch to it. 0 is the caller's own stack. */
void ash__fiber_start(ash__fiber_set *set, int k, void (*entry)(void *context), void *context);
/* From fiber `from`, which runs, to fiber `to`; returns when somebody switches back to `from`. */
void ash__fiber_switch(ash__fiber_set *set, int from, int to);
#endif
