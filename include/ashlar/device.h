/* device.h - devices, resources (a device with a queue), the pool of memory, settings. */
#ifndef ASHLAR_DEVICE_H
#define ASHLAR_DEVICE_H
#include "base.h"
ASH__BEGIN

/* ---- devices */
typedef enum ash_capability {
    ASH_CAP_F64 = 1,
    ASH_CAP_F16 = 2,
    ASH_CAP_UNIFIED = 3 /* host and device share one memory */
} ash_capability;

/**
 * How many devices this machine has for the backends that were built in.
 *
 * @return  at least 1: cpu:0.
 */
ASH_API int64_t ash_device_count(void);

/**
 * How many devices one backend has: they are BACKEND:0 and on. Looks at no other backend and opens no device.
 *
 * @param backend  "cpu", "opencl" or "cuda".
 * @return         0 also for one that was not built in, and with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API int64_t ash_backend_devices(const char *backend);

/**
 * The devices one after another.
 *
 * @param number  0 to ash_device_count() - 1.
 * @return        borrowed for the process's life; NULL with ASH_ERR_BOUNDS, ASH_ERR_DEVICE or, for a device that is there
 *                but not supported yet, ASH_ERR_UNSUPPORTED.
 */
ASH_API const ash_device *ash_device_at(int64_t number);

/**
 * A device by name: BACKEND:INDEX, and after a question mark capabilities to take away, "cpu:0?f64=off" (f64, f16; joined by
 * &).
 *
 * Each spelling is a device of its own (arrays on cpu:0 and on cpu:0?f64=off do not mix), over one pool of memory. At most 64
 * spellings can be opened.
 *
 * @param name  "cpu:0"; "cpu" is the same. "opencl:0" and on: docs/devices.md.
 * @return      borrowed for the process's life; NULL with ASH_ERR_DEVICE (no such device; the text lists those there are),
 *              ASH_ERR_UNSUPPORTED (a device of a kind that is not supported yet) or ASH_ERR_ARGUMENT (no such capability).
 */
ASH_API const ash_device *ash_device_open(const char *name);

/**
 * The name a device was opened by.
 *
 * @param device  borrowed.
 * @return        borrowed; "" with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API const char *ash_device_name(const ash_device *device);

/**
 * What the driver says of a device: the processor's model, for instance.
 *
 * @param device  borrowed.
 * @return        borrowed; "" with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API const char *ash_device_description(const ash_device *device);

/**
 * Does a device have a capability? A device opened without one has it not.
 *
 * @param device      borrowed.
 * @param capability  ASH_CAP_F64, ASH_CAP_F16 or ASH_CAP_UNIFIED.
 * @return            false also with ASH_ERR_ARGUMENT for NULL or an unknown capability.
 */
ASH_API bool ash_device_can(const ash_device *device, ash_capability capability);

/**
 * A device's memory.
 *
 * Units   bytes.
 *
 * @param device  borrowed.
 * @return        bytes in all, in use or not; 0 with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API size_t ash_device_memory(const ash_device *device);

/**
 * Where new arrays are made when nothing else says so. Wins over the environment variable ASHLAR_DEVICE.
 *
 * @param name  as for ash_device_open.
 * @return      ASH_OK, or the status of ash_device_open; then nothing has changed.
 */
ASH_API ash_status ash_set_default_device(const char *name);

/**
 * The default device: the one that was set, else ASHLAR_DEVICE, else cpu:0.
 *
 * @return  borrowed; NULL with ASH_ERR_DEVICE when ASHLAR_DEVICE names none.
 */
ASH_API const ash_device *ash_default_device(void);

/* ---- resources */
/**
 * New resources: a device and an in-order queue of work on it.
 *
 * @param device  as for ash_device_open.
 * @return        the caller's, ended by ash_resources_release; arrays made with them keep what they need. NULL with
 *                ASH_ERR_DEVICE, ASH_ERR_ARGUMENT or ASH_ERR_MEMORY.
 */
ASH_API ash_resources *ash_resources_new(const char *device);

/**
 * One more reference to resources.
 *
 * @param resources  NULL is ASH_ERR_ARGUMENT.
 * @return           resources.
 */
ASH_API ash_resources *ash_resources_retain(ash_resources *resources);

/**
 * Ends one reference to resources. Never waits, never fails.
 *
 * @param resources  NULL is fine.
 */
ASH_API void ash_resources_release(ash_resources *resources);

/**
 * The device of resources.
 *
 * @param resources  borrowed.
 * @return           borrowed for the process's life; NULL with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API const ash_device *ash_resources_device(const ash_resources *resources);

/**
 * The resources that a call of this thread uses when it is not given any: those pushed last, else the default device's.
 *
 * @return  borrowed until the thread ends or they are popped; NULL with an error inside a block whose resources could not be
 *          made.
 */
ASH_API ash_resources *ash_current_resources(void);

/**
 * Makes resources current on this thread until ash_resources_pop. ASH_WITH_RESOURCES does both for a block.
 *
 * @param resources  one reference is held until the pop. NULL: everything until the pop fails with the pending error.
 * @return           a mark for ash_resources_pop.
 */
ASH_API int64_t ash_resources_push(ash_resources *resources);

/**
 * Ends what was pushed at the mark, and all that was pushed after it.
 *
 * @param mark  from ash_resources_push; an unknown one does nothing.
 */
ASH_API void ash_resources_pop(int64_t mark);

/**
 * Waits until all work queued on resources is done.
 *
 * @param resources  NULL: the current ones.
 * @return           ASH_OK, or the fault of a queued operation, which is reported once.
 */
ASH_API ash_status ash_sync(ash_resources *resources);

/**
 * Is all work on resources done? Never waits.
 *
 * @param resources  NULL: the current ones.
 * @return           true when nothing is queued.
 */
ASH_API bool ash_query(ash_resources *resources);

/**
 * Waits until the elements of an array can be read.
 *
 * @param a  borrowed.
 * @return   ASH_OK, or the fault of the work that a waited for; ASH_ERR_ARGUMENT, ASH_ERR_RELEASED.
 */
ASH_API ash_status ash_wait(const ash_array *a);

/* ---- memory */
typedef struct ash_pool_info {
    size_t in_use;      /* bytes handed out */
    size_t cached;      /* bytes kept for reuse */
    size_t peak;        /* the most ever in use and cached together */
    size_t limit;       /* 0: none */
    int64_t requests;   /* blocks asked for */
    int64_t hits;       /* of these, served from the cache */
} ash_pool_info;

/**
 * What a device's pool holds now.
 *
 * Units   bytes, and counts of blocks.
 *
 * @param device  borrowed; all openings of one device share its pool.
 * @param info    filled.
 * @param size    sizeof *info as the caller knows it.
 * @return        ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_pool_stats(const ash_device *device, ash_pool_info *info, size_t size);

/**
 * The most a pool may take from the system, in use and cached together. Cached blocks are given up first; a request above the
 * limit is ASH_ERR_MEMORY.
 *
 * Units   bytes.
 *
 * @param device  borrowed.
 * @param nbytes  0: no limit, as at the start.
 * @return        ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_pool_limit(const ash_device *device, size_t nbytes);

/**
 * Gives cached blocks back to the system.
 *
 * Units   bytes.
 *
 * @param device  borrowed.
 * @param keep    bytes that may stay cached.
 * @return        ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_pool_trim(const ash_device *device, size_t keep);

/* A memory backend: where the bytes of arrays come from. */
typedef struct ash_memory_functions {
    size_t struct_size;
    const char *name;
    void *(*allocate)(void *context, size_t nbytes, size_t alignment); /* NULL when there is none to be had */
    void (*deallocate)(void *context, void *data, size_t nbytes);
    void (*finish)(void *context); /* may be NULL; called once, after the last buffer has gone */
    void *context;
} ash_memory_functions;

/**
 * A memory backend of the program's own: where the bytes of arrays made with .memory come from.
 *
 * @param functions  copied; allocate and deallocate are needed, may be called on any thread, and allocate returns memory
 *                   aligned to its third argument, or NULL.
 * @return           the caller's, ended by ash_memory_release; it lives on while a buffer from it does. NULL with
 *                   ASH_ERR_ARGUMENT or ASH_ERR_MEMORY.
 */
ASH_API ash_memory *ash_memory_new(const ash_memory_functions *functions);

/**
 * Ends one reference to a memory backend; `finish` is called when the last buffer from it has gone too.
 *
 * @param memory  NULL and the built-in ones are fine.
 */
ASH_API void ash_memory_release(ash_memory *memory);

/**
 * The device's caching pool, which is the default.
 *
 * @return  borrowed for the process's life.
 */
ASH_API ash_memory *ash_memory_pool(void);

/**
 * Plain allocation, one block a buffer, nothing cached.
 *
 * @return  borrowed for the process's life.
 */
ASH_API ash_memory *ash_memory_malloc(void);

/**
 * Memory advised to use pages of 2 MiB, where the system has them; elsewhere plain memory.
 *
 * @return  borrowed for the process's life.
 */
ASH_API ash_memory *ash_memory_huge(void);

/**
 * The name of a memory backend: "pool", "malloc", "huge", or the one it was given.
 *
 * @param memory  NULL, which is what foreign memory has, is "foreign".
 * @return        borrowed.
 */
ASH_API const char *ash_memory_name(const ash_memory *memory);

/* ---- settings */
/**
 * The storage of new arrays that do not name one. Wins over the environment variable ASHLAR_STORAGE (shared or private).
 *
 * @param storage  ASH_SHARED or ASH_PRIVATE.
 * @return         ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_set_default_storage(ash_storage storage);

/**
 * May single elements of private arrays be read and written from the host? For the whole process; refused at the start. Shared
 * arrays always may.
 *
 * @param allowed  the policy from now on.
 */
ASH_API void ash_allow_scalar(bool allowed);

/**
 * The same for this thread until ash_scalar_pop. ASH_ALLOW_SCALAR; does both for a block.
 *
 * @param allowed  the policy until the pop.
 * @return         a mark for ash_scalar_pop.
 */
ASH_API int64_t ash_scalar_push(bool allowed);

/**
 * Ends the policy pushed at the mark, and all pushed after it.
 *
 * @param mark  from ash_scalar_push; an unknown one does nothing.
 */
ASH_API void ash_scalar_pop(int64_t mark);

/* What an operation may do behind its caller's back on a device that is not the host; bits for ash_forbid. */
enum {
    ASH_IMPLICIT_HOST = 1, /* the host does the work: the device has no kernel for it */
    ASH_IMPLICIT_COPY = 2, /* elements that only the device reaches are copied to or from the host */
    ASH_IMPLICIT_WAIT = 4  /* the call waits for work that was queued */
};

/**
 * Makes some of what operations do behind their callers' backs an error, ASH_ERR_UNSUPPORTED, before it is done. What a
 * function is there for is never that: access to elements (ash_to_host, ash_item, printing, files), and ash_sync and ash_wait.
 * Wins over the environment variable ASHLAR_FORBID: host, copy, wait, several of them with commas, or all.
 *
 * @param what  bits ASH_IMPLICIT_HOST, ASH_IMPLICIT_COPY, ASH_IMPLICIT_WAIT; 0: nothing is forbidden, as at the start.
 * @return      ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_forbid(int32_t what);

typedef struct ash_implicit_info {
    int64_t host_tasks;   /* what the host did for another device */
    int64_t copies;       /* of elements, to the host or from it, that nobody asked for */
    int64_t copied_bytes; /* by them */
    int64_t waits;        /* that nobody asked for, for work not known to be done */
} ash_implicit_info;

/**
 * What operations have done behind their callers' backs in this process.
 *
 * Units   counts and bytes, since the start or the last ash_implicit_reset.
 *
 * @param info  filled.
 * @param size  sizeof *info as the caller knows it.
 * @return      ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_implicit_stats(ash_implicit_info *info, size_t size);

/**
 * Begins these counts anew, for the process.
 */
ASH_API void ash_implicit_reset(void);

/**
 * Keeps compiled kernels in a folder, for the next process: off at the start. The folder may be shared by processes; it is made
 * if its parent is there. Files in it that are damaged, or that others may write, are not used. Wins over the environment
 * variables ASHLAR_KERNEL_CACHE and ASHLAR_KERNEL_CACHE_BYTES.
 *
 * @param folder  its path, copied; NULL or "": off.
 * @param nbytes  the most that all files together may have; those used longest ago go first. 0: 256 MiB.
 * @return        ASH_OK, or ASH_ERR_ARGUMENT for a path of 1024 bytes or more.
 */
ASH_API ash_status ash_set_kernel_cache(const char *folder, size_t nbytes);

/**
 * How many launches of kernels are submitted to a device together. What is queued goes at once where the queue has nothing to
 * do, and whenever somebody waits. Wins over the environment variable ASHLAR_BATCH.
 *
 * @param launches  1 (each at once) to 32; 16 at the start.
 * @return          ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_set_batch(int64_t launches);

/**
 * Takes into memory what the folder has for a device, so that no kernel in it is waited for at its first use: up to 512, those
 * used last first. Calls of other threads go on meanwhile, so a thread of its own can do it.
 *
 * @param resources  of the device; NULL: the current ones.
 * @return           ASH_OK, also where there is no folder or nothing in it; ASH_ERR_DEVICE, ASH_ERR_MEMORY or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_warm(ash_resources *resources);

typedef struct ash_warming ash_warming;     /* calls that a thread of the library's makes */
typedef void ash_warm_calls(void *context); /* may leave an error pending */

/**
 * Compiles in the background what will be needed: a thread of the library's calls `calls`, on resources of its own on the
 * device, in a scope that ends with it, and is done when it returns. The kernels of maps depend on dtypes, ranks and which
 * operands are dense, so a call on a few elements compiles what the real one will use; those of folds, scans, sorts and
 * products depend on how much there is to do too. A thread that needs a kernel before it is ready waits for that one alone.
 *
 *     static void my_calls(void *context)
 *     {
 *         ash_map("x -> exp(-x*x)", ash_zeros(ASH_SHAPE(8, 8)));
 *     }
 *     ash_warming *const warming = ash_warm_start(my_calls, NULL, NULL);
 *     ... reads files ...
 *     ash_warm_wait(warming);
 *
 * @param calls      what to do; NULL: ash_warm. Must return by itself.
 * @param context    passed to it; must be there until ash_warm_wait.
 * @param resources  of the device; NULL: the current ones.
 * @return           ended by ash_warm_wait; when the process ends, what is still going on is waited for. NULL with
 *                   ASH_ERR_DEVICE or ASH_ERR_MEMORY (no thread to be had).
 */
ASH_API ash_warming *ash_warm_start(ash_warm_calls *calls, void *context, ash_resources *resources);

/**
 * Waits for the calls of ash_warm_start, and ends it.
 *
 * @param warming  of this process; NULL is passed over.
 * @return         ASH_OK, or the status of the error that `calls` left, which is this thread's now; ASH_ERR_ARGUMENT in a
 *                 child of fork, where the thread is not.
 */
ASH_API ash_status ash_warm_wait(ash_warming *warming);

/**
 * Whether the calls of ash_warm_start are done.
 *
 * @param warming  NULL counts as done, and so does what another process started.
 * @return         true where ash_warm_wait would not wait.
 */
ASH_API bool ash_warm_done(const ash_warming *warming);

typedef struct ash_compile_info {
    int64_t compiled; /* kernel texts by a device's compiler */
    int64_t loaded;   /* texts that did not have to be: their programs came from the folder */
    int64_t stored;   /* files written */
    int64_t rejected; /* files that were not used: damaged, somebody else's, of another form, or refused by the driver */
    int64_t unstored; /* programs that could not be written: no room, no permission */
} ash_compile_info;

/**
 * What became of kernels in this process.
 *
 * @param info  filled.
 * @param size  sizeof *info as the caller knows it.
 * @return      ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_compile_stats(ash_compile_info *info, size_t size);

/**
 * How many threads cpu:0 uses, the calling one included. Results do not depend on it. Wins over ASHLAR_THREADS.
 *
 * @param count  1 to 1024; 0: one for each processor the process may use.
 * @return       ASH_OK or ASH_ERR_ARGUMENT.
 */
ASH_API ash_status ash_set_threads(int64_t count);

/**
 * How many threads cpu:0 uses.
 *
 * @return  at least 1.
 */
ASH_API int64_t ash_threads(void);

/**
 * Tells what happens, one line of JSON for each: tasks that run, tasks of a device that the host does and why, copies, waits,
 * kernels compiled. docs/observing.md has their fields. Off at the start unless ASHLAR_TRACE is set: 1 writes to stderr, any
 * other word but 0 and off is a file that lines are added to.
 *
 * @param on  from now on, for the process.
 */
ASH_API void ash_set_trace(bool on);

typedef void ash_trace_line(void *context, const char *line, size_t length); /* with its newline; a 0 follows */

/**
 * Where lines go while tracing is on: a function of the program's, on the thread that a line is of, one at a time. What it
 * computes itself is not traced.
 *
 * @param function  NULL: to stderr or the file again.
 * @param context   its first argument.
 */
ASH_API void ash_set_trace_function(ash_trace_line *function, void *context);

/**
 * Prints every setting, its value and where it came from, to stdout.
 */
ASH_API void ash_config_print(void);

/**
 * The same as text, as snprintf: what does not fit is left out.
 *
 * Units   bytes.
 *
 * @param buffer  written, always ended by a 0 when size > 0; may be NULL when size is 0.
 * @param size    bytes of buffer.
 * @return        bytes the whole text needs, without the 0.
 */
ASH_API size_t ash_config_format(char *buffer, size_t size);

/* ---- the library itself */

/* What these headers are of; ash_abi tells it of the library that was loaded. */
enum { ASH_ABI = 1, ASH_VERSION = 100 /* 10000*major + 100*minor + patch */ };

typedef struct ash_abi_record {
    int32_t abi;          /* callers built for another number must not go on */
    int32_t version;      /* 10000*major + 100*minor + patch */
    int32_t highest_rank;
    int32_t backends;     /* bit 0: cpu, 1: opencl, 2: cuda */
    int32_t size_of_operand, size_of_index, size_of_error, size_of_dims;
    const char *version_text;
} ash_abi_record;

/**
 * What this build of the library is: a caller built for another abi number must not go on.
 *
 * @return  a static record, never NULL.
 */
ASH_API const ash_abi_record *ash_abi(void);

/* Per-thread state (error, scopes, current resources, scalar policy), exchanged at once, for fibers and foreign runtimes. */
typedef struct ash_state ash_state;

/**
 * A new per-thread state: no error, no scope, no current resources, the process's scalar policy.
 *
 * @return  the caller's, ended by ash_state_release; NULL with ASH_ERR_MEMORY.
 */
ASH_API ash_state *ash_state_new(void);

/**
 * Makes a state the current one of this thread. A state may be current on one thread at a time.
 *
 * @param state  NULL: the thread's own.
 * @return       the one that was current; NULL when that was the thread's own.
 */
ASH_API ash_state *ash_state_swap(ash_state *state);

/**
 * Ends a state that is not current: closes its scopes and drops its resources.
 *
 * @param state  NULL is fine.
 */
ASH_API void ash_state_release(ash_state *state);

ASH__END

#ifndef ASHLAR_CDEF
#ifdef __cplusplus
struct ash__resources_guard {
    int64_t mark;
    explicit ash__resources_guard(ash_resources *r) : mark(ash_resources_push(r)) {}
    ~ash__resources_guard() { ash_resources_pop(mark); }
    ash__resources_guard(const ash__resources_guard &) = delete;
    ash__resources_guard &operator=(const ash__resources_guard &) = delete;
};
struct ash__scalar_guard {
    int64_t mark;
    ash__scalar_guard() : mark(ash_scalar_push(true)) {}
    ~ash__scalar_guard() { ash_scalar_pop(mark); }
    ash__scalar_guard(const ash__scalar_guard &) = delete;
    ash__scalar_guard &operator=(const ash__scalar_guard &) = delete;
};
#define ASH_WITH_RESOURCES(r) ash__resources_guard ASH__CAT(ash__resources_, __LINE__)(r)
#define ASH_ALLOW_SCALAR ash__scalar_guard ASH__CAT(ash__scalar_, __LINE__)
#else
ASH__INLINE void ash__resources_end(int64_t *mark) { ash_resources_pop(*mark); }
ASH__INLINE void ash__scalar_end(int64_t *mark) { ash_scalar_pop(*mark); }
#define ASH_WITH_RESOURCES(r) \
    ASH__UNTIL_BRACE(ASH__CAT(ash__resources_, __LINE__), ash__resources_end) = ash_resources_push(r)
#define ASH_ALLOW_SCALAR ASH__UNTIL_BRACE(ASH__CAT(ash__scalar_, __LINE__), ash__scalar_end) = ash_scalar_push(true)
#endif
#endif
#endif
