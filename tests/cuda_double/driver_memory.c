/*
 * driver_memory.c - exported entries: allocation, copies, fills, pointers.
 */
#include "driver.h"

static result take(u64 *pointer, size_t nbytes, range_kind kind)
{
    if (!nbytes)
        return misuse("an allocation", CUDA_ERROR_INVALID_VALUE, "of 0 bytes");
    *pointer = memory_take(current(), nbytes, kind);
    return *pointer ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* What is queued may use it: it is waited for, as devices do. */
static result give(const char *entry, u64 pointer, range_kind first, range_kind second)
{
    char words[256];
    const range *const r = memory_find(pointer);
    if (!r || r->address != pointer || (r->kind != first && r->kind != second) || r->pending || r->leaving)
        return misuse(entry, CUDA_ERROR_INVALID_VALUE, "%#llx is no allocation of its kind: %s%s", (unsigned long long)pointer,
                      memory_words(pointer, 1, words, sizeof words), r && r->leaving ? ", given back already" : "");
    queue_run_all(r->context);
    memory_give(pointer);
    return CUDA_SUCCESS;
}

EXPORT result cuMemAlloc_v2(u64 *pointer, size_t nbytes)
{
    BEGIN(WANTS_LIVE);
    END(take(pointer, nbytes, OF_DEVICE));
}

EXPORT result cuMemFree_v2(u64 pointer)
{
    BEGIN(WANTS_CONTEXT);
    END(pointer ? give(__func__, pointer, OF_DEVICE, OF_MANAGED) : CUDA_SUCCESS);
}

EXPORT result cuMemAllocManaged(u64 *pointer, size_t nbytes, unsigned flags)
{
    int managed = 1;
    BEGIN(WANTS_LIVE);
    setting_attribute(83, &managed);
    if (!managed)
        END(CUDA_ERROR_NOT_SUPPORTED);
    END(flags == 1 || flags == 2 ? take(pointer, nbytes, OF_MANAGED)
                                 : misuse(__func__, CUDA_ERROR_INVALID_VALUE, "flags are %u", flags));
}

EXPORT result cuMemHostAlloc(void **pointer, size_t nbytes, unsigned flags)
{
    u64 address = 0;
    BEGIN(WANTS_LIVE);
    (void)flags; /* with unified addresses all of it is mapped */
    const result r = take(&address, nbytes, OF_HOST);
    *pointer = (void *)(uintptr_t)address;
    END(r);
}

EXPORT result cuMemAllocHost_v2(void **pointer, size_t nbytes)
{
    return cuMemHostAlloc(pointer, nbytes, 0);
}

EXPORT result cuMemFreeHost(void *pointer)
{
    BEGIN(WANTS_CONTEXT);
    END(pointer ? give(__func__, (u64)(uintptr_t)pointer, OF_HOST, OF_HOST) : CUDA_SUCCESS);
}

EXPORT result cuMemHostRegister_v2(void *pointer, size_t nbytes, unsigned flags)
{
    BEGIN(WANTS_LIVE);
    (void)flags;
    if (memory_find((u64)(uintptr_t)pointer))
        END(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    memory_adopt(current(), pointer, nbytes);
    END(CUDA_SUCCESS);
}

EXPORT result cuMemHostUnregister(void *pointer)
{
    BEGIN(WANTS_CONTEXT);
    const range *const r = memory_find((u64)(uintptr_t)pointer);
    if (!r || r->serial || r->address != (u64)(uintptr_t)pointer)
        END(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    queue_run_all(r->context);
    memory_give((u64)(uintptr_t)pointer);
    END(CUDA_SUCCESS);
}

EXPORT result cuMemHostGetDevicePointer_v2(u64 *device, void *host, unsigned flags)
{
    BEGIN(WANTS_LIVE);
    const range *const r = memory_find((u64)(uintptr_t)host);
    (void)flags;
    if (!r || r->kind != OF_HOST)
        END(misuse(__func__, CUDA_ERROR_INVALID_VALUE, "%p is no pinned memory", host));
    *device = (u64)(uintptr_t)host;
    END(CUDA_SUCCESS);
}

EXPORT result cuMemGetInfo_v2(size_t *available, size_t *total)
{
    BEGIN(WANTS_LIVE);
    *total = setting()->memory;
    *available = setting()->memory - memory_in_use();
    END(CUDA_SUCCESS);
}

/* ---- in the order of a stream */

EXPORT result cuMemAllocAsync(u64 *pointer, size_t nbytes, void *handle)
{
    BEGIN(WANTS_LIVE);
    stream *const s = stream_of(handle);
    if (!s)
        END(CUDA_ERROR_INVALID_HANDLE);
    result r = take(pointer, nbytes, OF_DEVICE);
    if (r == CUDA_ERROR_OUT_OF_MEMORY && s->first) { /* what is given back in streams counts when it must */
        queue_run_all(current());
        r = take(pointer, nbytes, OF_DEVICE);
    }
    if (r)
        END(r);
    memory_find(*pointer)->pending = true;
    command *const c = command_new(DO_TAKE);
    c->to = *pointer;
    queue_add(s, c);
    END(CUDA_SUCCESS);
}

EXPORT result cuMemAllocFromPoolAsync(u64 *pointer, size_t nbytes, void *pool, void *handle)
{
    (void)pool;
    return cuMemAllocAsync(pointer, nbytes, handle);
}

EXPORT result cuMemFreeAsync(u64 pointer, void *handle)
{
    char words[256];
    BEGIN(WANTS_LIVE);
    stream *const s = stream_of(handle);
    range *const r = memory_find(pointer);
    if (!s)
        END(CUDA_ERROR_INVALID_HANDLE);
    if (!r || r->address != pointer || r->kind == OF_HOST || r->leaving)
        END(misuse(__func__, CUDA_ERROR_INVALID_VALUE, "%#llx is no allocation: %s%s", (unsigned long long)pointer,
                   memory_words(pointer, 1, words, sizeof words), r && r->leaving ? ", given back already" : ""));
    r->leaving = true;
    command *const c = command_new(DO_GIVE);
    c->to = pointer;
    queue_add(s, c);
    END(CUDA_SUCCESS);
}

static int pool; /* there is one for all */

EXPORT result cuDeviceGetDefaultMemPool(void **handle, int device)
{
    BEGIN(WANTS_INIT);
    (void)device;
    *handle = &pool;
    END(CUDA_SUCCESS);
}

EXPORT result cuDeviceGetMemPool(void **handle, int device)
{
    return cuDeviceGetDefaultMemPool(handle, device);
}

EXPORT result cuMemPoolTrimTo(void *handle, size_t keep)
{
    BEGIN(WANTS_INIT);
    (void)keep;
    END(handle == &pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

EXPORT result cuMemPoolSetAttribute(void *handle, int attribute, void *value)
{
    BEGIN(WANTS_INIT);
    (void)attribute, (void)value;
    END(handle == &pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

EXPORT result cuMemPoolGetAttribute(void *handle, int attribute, void *value)
{
    BEGIN(WANTS_INIT);
    const bool counts = attribute >= 4; /* RELEASE_THRESHOLD and what is used and reserved: u64; the others are int */
    if (counts)
        *(u64 *)value = attribute == 4 ? 0 : memory_in_use();
    else
        *(int *)value = 1;
    END(handle == &pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

/* ---- copies and fills */

typedef enum { SIDE_DEVICE, SIDE_PINNED, SIDE_PAGEABLE, SIDE_WRONG } side;

/* `device`: the entry says that it is of the device; managed and pinned memory may stand there too. */
static side side_of(const char *entry, u64 address, u64 nbytes, bool device)
{
    char words[256];
    const range *const r = memory_find(address);
    if (r && address + nbytes <= r->address + r->nbytes && (device || r->kind == OF_HOST || r->kind == OF_MANAGED))
        return r->kind == OF_HOST || r->kind == OF_MANAGED ? SIDE_PINNED : SIDE_DEVICE;
    if (!r && !device && !memory_is_device(address))
        return SIDE_PAGEABLE;
    misuse(entry, CUDA_ERROR_INVALID_VALUE, "%llu bytes at %#llx, for %s: %s", (unsigned long long)nbytes,
           (unsigned long long)address, device ? "the device" : "the host", memory_words(address, nbytes, words, sizeof words));
    return SIDE_WRONG;
}

/* From pageable memory the bytes are taken at the call; to it, the call waits. */
static result copy(const char *entry, u64 to, bool to_device, u64 from, bool from_device, u64 nbytes, void *handle, bool wait)
{
    stream *const s = stream_of(handle);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!nbytes)
        return CUDA_SUCCESS;
    const side a = side_of(entry, to, nbytes, to_device), b = side_of(entry, from, nbytes, from_device);
    if (a == SIDE_WRONG || b == SIDE_WRONG)
        return CUDA_ERROR_INVALID_VALUE;
    command *const c = command_new(DO_COPY);
    c->to = to;
    c->from = from;
    c->nbytes = nbytes;
    if (b == SIDE_PAGEABLE) {
        if (!(c->staged = malloc(nbytes)))
            abort();
        memcpy(c->staged, (const void *)(uintptr_t)from, nbytes);
    }
    const point p = queue_add(s, c);
    if (wait || a == SIDE_PAGEABLE)
        queue_run_to(p);
    return wait || a == SIDE_PAGEABLE ? (result)s->context->error : CUDA_SUCCESS;
}

#define HOST(P) (u64)(uintptr_t)(P), false
#define DEVICE(P) (P), true

EXPORT result cuMemcpyHtoD_v2(u64 to, const void *from, size_t nbytes)
{
    BEGIN(WANTS_LIVE);
    END(copy(__func__, DEVICE(to), HOST(from), nbytes, NULL, true));
}

EXPORT result cuMemcpyDtoH_v2(void *to, u64 from, size_t nbytes)
{
    BEGIN(WANTS_LIVE);
    END(copy(__func__, HOST(to), DEVICE(from), nbytes, NULL, true));
}

EXPORT result cuMemcpyDtoD_v2(u64 to, u64 from, size_t nbytes)
{
    BEGIN(WANTS_LIVE);
    END(copy(__func__, DEVICE(to), DEVICE(from), nbytes, NULL, false));
}

static bool of_device(u64 address)
{
    return memory_is_device(address);
}

EXPORT result cuMemcpy(u64 to, u64 from, size_t nbytes)
{
    BEGIN(WANTS_LIVE);
    END(copy(__func__, to, of_device(to), from, of_device(from), nbytes, NULL, true));
}

EXPORT result cuMemcpyAsync(u64 to, u64 from, size_t nbytes, void *handle)
{
    BEGIN(WANTS_LIVE);
    END(copy(__func__, to, of_device(to), from, of_device(from), nbytes, handle, false));
}

EXPORT result cuMemcpyHtoDAsync_v2(u64 to, const void *from, size_t nbytes, void *handle)
{
    BEGIN(WANTS_LIVE);
    END(copy(__func__, DEVICE(to), HOST(from), nbytes, handle, false));
}

EXPORT result cuMemcpyDtoHAsync_v2(void *to, u64 from, size_t nbytes, void *handle)
{
    BEGIN(WANTS_LIVE);
    END(copy(__func__, HOST(to), DEVICE(from), nbytes, handle, false));
}

EXPORT result cuMemcpyDtoDAsync_v2(u64 to, u64 from, size_t nbytes, void *handle)
{
    BEGIN(WANTS_LIVE);
    END(copy(__func__, DEVICE(to), DEVICE(from), nbytes, handle, false));
}

EXPORT result cuMemcpyPeerAsync(u64 to, context *to_context, u64 from, context *from_context, size_t nbytes, void *handle)
{
    (void)to_context, (void)from_context;
    return cuMemcpyDtoDAsync_v2(to, from, nbytes, handle);
}

static result fill(const char *entry, u64 to, u32 pattern, u32 width, size_t elements, void *handle, bool wait)
{
    stream *const s = stream_of(handle);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (to % width)
        return misuse(entry, CUDA_ERROR_INVALID_VALUE, "%#llx is no multiple of %u", (unsigned long long)to, width);
    if (!elements)
        return CUDA_SUCCESS;
    if (side_of(entry, to, (u64)elements * width, true) == SIDE_WRONG)
        return CUDA_ERROR_INVALID_VALUE;
    command *const c = command_new(DO_FILL);
    c->to = to;
    c->nbytes = (u64)elements * width;
    c->pattern = pattern;
    c->width = width;
    const point p = queue_add(s, c);
    if (wait)
        queue_run_to(p);
    return wait ? (result)s->context->error : CUDA_SUCCESS;
}

#define FILLS(B, WIDTH, T)                                                            \
    EXPORT result cuMemsetD##B##_v2(u64 to, T value, size_t elements)                 \
    {                                                                                 \
        BEGIN(WANTS_LIVE);                                                            \
        END(fill(__func__, to, value, WIDTH, elements, NULL, false));                 \
    }                                                                                 \
    EXPORT result cuMemsetD##B##Async(u64 to, T value, size_t elements, void *handle) \
    {                                                                                 \
        BEGIN(WANTS_LIVE);                                                            \
        END(fill(__func__, to, value, WIDTH, elements, handle, false));               \
    }
FILLS(8, 1, unsigned char)
FILLS(16, 2, unsigned short)
FILLS(32, 4, unsigned)

/* ---- hints */

static result hint(const char *entry, u64 pointer, size_t nbytes)
{
    const range *const r = memory_find(pointer);
    if (!r || r->kind != OF_MANAGED || pointer + nbytes > r->address + r->nbytes)
        return misuse(entry, CUDA_ERROR_INVALID_VALUE, "%zu bytes at %#llx are no managed memory", nbytes,
                      (unsigned long long)pointer);
    return CUDA_SUCCESS;
}

EXPORT result cuMemPrefetchAsync(u64 pointer, size_t nbytes, int device, void *handle)
{
    BEGIN(WANTS_LIVE);
    stream *const s = stream_of(handle);
    const result r = hint(__func__, pointer, nbytes);
    int concurrent = 1;
    setting_attribute(89, &concurrent);
    if (!s)
        END(CUDA_ERROR_INVALID_HANDLE);
    if (r)
        END(r);
    if (!concurrent || device >= setting()->devices)
        END(misuse(__func__, CUDA_ERROR_INVALID_DEVICE, "device %d, without concurrent managed access", device));
    queue_add(s, command_new(DO_NOTHING));
    END(CUDA_SUCCESS);
}

EXPORT result cuMemAdvise(u64 pointer, size_t nbytes, int advice, int device)
{
    BEGIN(WANTS_LIVE);
    (void)advice, (void)device;
    END(hint(__func__, pointer, nbytes));
}

/* ---- pointers */

EXPORT result cuPointerGetAttribute(void *value, int attribute, u64 pointer)
{
    BEGIN(WANTS_LIVE);
    const range *const r = memory_find(pointer);
    result status = CUDA_SUCCESS;
    if (!r)
        END(CUDA_ERROR_INVALID_VALUE);
    switch (attribute) {
    case 1: /* CONTEXT */
        *(context **)value = r->context;
        break;
    case 2: /* MEMORY_TYPE: of managed memory what it prefers */
        *(unsigned *)value = r->kind == OF_HOST ? 1 : 2;
        break;
    case 3: /* DEVICE_POINTER */
        *(u64 *)value = pointer;
        break;
    case 4: /* HOST_POINTER */
        *(void **)value = (void *)(uintptr_t)pointer;
        status = r->kind == OF_DEVICE || r->kind == OF_MODULE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
        break;
    case 7: /* BUFFER_ID */
        *(u64 *)value = r->serial;
        break;
    case 8: /* IS_MANAGED */
        *(unsigned *)value = r->kind == OF_MANAGED;
        break;
    case 9: /* DEVICE_ORDINAL */
        *(int *)value = r->context->device;
        break;
    case 11: /* RANGE_START_ADDR, RANGE_SIZE */
        *(u64 *)value = r->address;
        break;
    case 12:
        *(size_t *)value = r->nbytes;
        break;
    case 13: /* MAPPED */
        *(int *)value = 1;
        break;
    default:
        status = CUDA_ERROR_INVALID_VALUE;
    }
    END(status);
}

EXPORT result cuMemGetAddressRange_v2(u64 *base, size_t *nbytes, u64 pointer)
{
    BEGIN(WANTS_LIVE);
    const range *const r = memory_find(pointer);
    if (!r)
        END(CUDA_ERROR_NOT_FOUND);
    if (base)
        *base = r->address;
    if (nbytes)
        *nbytes = r->nbytes;
    END(CUDA_SUCCESS);
}
