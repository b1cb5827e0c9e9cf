/* pool.h - freed blocks of device memory kept for the next request of their size. */
#ifndef ASH__POOL_H
#define ASH__POOL_H
#include "ashlar/device.h"

typedef struct ash__pool ash__pool;

ash__pool *ash__pool_new(const char *function, const ash_device *device); /* lives as long as the process */
/* What the backend's `allocate` gave for memory of this size, of the host's or the device's own. NULL with a memory error that
 * names the bytes asked for. nbytes > 0. */
void *ash__pool_take(ash__pool *pool, const char *function, bool hosted, size_t nbytes);
void ash__pool_give(ash__pool *pool, void *data, bool hosted, size_t nbytes);
void ash__pool_stats(ash__pool *pool, ash_pool_info *info);
void ash__pool_limit(ash__pool *pool, size_t nbytes);
void ash__pool_trim(ash__pool *pool, size_t keep);
/* Around fork, so that no child inherits a lock that nobody will open. */
void ash__pool_lock(ash__pool *pool);
void ash__pool_unlock(ash__pool *pool);
void ash__pool_forked(ash__pool *pool); /* unlocks in the child */
void ash__pool_leave(void);             /* this thread ends: what it keeps goes back */
#endif
