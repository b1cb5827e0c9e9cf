/*
 * dlpack_from.c - arrays over the elements of DLPack tensors.
 *
 * A tensor is checked as a file's header would be: a producer may have left strides out, kept the start of its allocation in
 * data and described a part by byte_offset, or written anything as the stride of an axis of one element. What passes is wrapped
 * (ops/wrap.c), and the managed tensor is the context of the buffer's deleter.
 */
#include "backend/backend.h"
#include "core/error.h"
#include "core/options.h"
#include "io/dlpack.h"
#include "ops/wrap.h"

/* ---- checks */

static bool on_host(int32_t kind)
{
    return kind == ASH_DL_CPU || kind == ASH_DL_CUDA_HOST || kind == ASH_DL_ROCM_HOST;
}

static ash_status check_device(const char *function, const ash_device *device, ash_dl_device theirs)
{
    static const char *const names[] = {
        [1] = "cpu",     [2] = "cuda",     [3] = "cuda_host",  [4] = "opencl", [7] = "vulkan",        [8] = "metal",
        [9] = "vpi",     [10] = "rocm",    [11] = "rocm_host", [12] = "ext",   [13] = "cuda_managed", [14] = "oneapi",
        [15] = "webgpu", [16] = "hexagon", [17] = "maia",      [18] = "trn"};
    const int32_t count = sizeof names / sizeof names[0];
    const bool cuda = device->backend->lending != NULL; /* the only such devices */
    if (cuda && (theirs.kind == ASH_DL_CUDA_HOST || theirs.kind == ASH_DL_CUDA_MANAGED ||
                 (theirs.kind == ASH_DL_CUDA && theirs.index == device->index)))
        return ASH_OK;
    if (!device->unified && !(cuda && theirs.kind == ASH_DL_CUDA))
        return ash__fail(ASH_ERR_UNSUPPORTED, function,
                         "%s does not work in host memory, so a tensor cannot be taken over for it", device->name);
    if (on_host(theirs.kind))
        return ASH_OK;
    if (theirs.kind >= 0 && theirs.kind < count && names[theirs.kind])
        return ash__fail(ASH_ERR_DEVICE, function, "the tensor is on %s:%d; %s takes %s memory", names[theirs.kind],
                         (int)theirs.index, device->name, cuda ? "its own" : "host");
    return ash__fail(ASH_ERR_DEVICE, function, "the tensor is on device %d of the unknown type %d; %s takes host memory",
                     (int)theirs.index, (int)theirs.kind, device->name);
}

/* The address of the first element; NULL with an error. */
static char *first_element(const char *function, const ash_dl_tensor *t)
{
    uintptr_t at;
    if (!t->data) {
        ash__null(function, "data");
        return NULL;
    }
    if (t->byte_offset > PTRDIFF_MAX || __builtin_add_overflow((uintptr_t)t->data, (uintptr_t)t->byte_offset, &at)) {
        ash__fail(ASH_ERR_ARGUMENT, function, "byte offset %llu from data at %p has no address",
                  (unsigned long long)t->byte_offset, t->data);
        return NULL;
    }
    return (char *)t->data + t->byte_offset;
}

/* Does an axis visit the same element again and again, as a broadcast does? */
static bool repeats(const ash_dl_tensor *t)
{
    for (int32_t k = 0; t->strides && k < t->rank; k++)
        if (t->shape[k] > 1 && t->strides[k] == 0)
            return true;
    return false;
}

/* ---- taking over */

/* What becomes of the memory is said in ownership: its flags, deleter and context. */
static ash_array *import(const char *function, const ash_dl_tensor *t, ash__foreign ownership, ash_resources *given)
{
    ash_resources *r = ash__resources_for(function, given);
    if (!r || check_device(function, r->device, t->device))
        return NULL;
    ash__foreign f = ownership;
    int64_t count;
    f.dtype = ash__dtype_from_dlpack(function, r->device, t->dtype);
    f.shape = (ash_dims){t->shape, t->rank};
    if (!f.dtype || ash__check_shape(function, f.shape, ash_dtype_size(f.dtype), &count))
        return NULL;
    f.data = count ? first_element(function, t) : t->data;
    if (count && !f.data)
        return NULL;
    f.stride = t->strides;
    f.layout = ASH_ROW_MAJOR;
    f.readonly |= count && repeats(t);
    return ash__wrap(function, r, &f);
}

static void end_managed(void *context)
{
    ash_dl_managed *m = context;
    if (m->deleter)
        m->deleter(m);
}

static void end_managed_old(void *context)
{
    ash_dl_managed_old *m = context;
    if (m->deleter)
        m->deleter(m);
}

ash_array *ash_from_dlpack_opt(ash_dl_managed *managed, const ash_from_dlpack_options *options)
{
    static const char f[] = "ash_from_dlpack";
    ash_from_dlpack_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (!managed) {
        ash__null(f, "managed");
        return NULL;
    }
    if (managed->version.major != 1) { /* nothing behind the deleter may be looked at */
        ash__fail(ASH_ERR_UNSUPPORTED, f, "the tensor is of DLPack %u.%u; version 1 is supported",
                  (unsigned)managed->version.major, (unsigned)managed->version.minor);
        return NULL;
    }
    const ash__foreign ownership = {.readonly = o.readonly || (managed->flags & ASH_DL_READONLY),
                                    .deferred = o.deferred,
                                    .deleter = end_managed,
                                    .context = managed};
    return import(f, &managed->tensor, ownership, o.resources);
}

ash_array *ash_from_dlpack_old_opt(ash_dl_managed_old *managed, const ash_from_dlpack_options *options)
{
    static const char f[] = "ash_from_dlpack_old";
    ash_from_dlpack_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (!managed) {
        ash__null(f, "managed");
        return NULL;
    }
    const ash__foreign ownership = {
        .readonly = o.readonly, .deferred = o.deferred, .deleter = end_managed_old, .context = managed};
    return import(f, &managed->tensor, ownership, o.resources);
}

ash_array *ash_wrap_dlpack_opt(const ash_dl_tensor *tensor, const ash_wrap_dlpack_options *options)
{
    static const char f[] = "ash_wrap_dlpack";
    ash_wrap_dlpack_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (!tensor) {
        ash__null(f, "tensor");
        return NULL;
    }
    const ash__foreign ownership = {.readonly = o.readonly, .deferred = o.deferred, .deleter = o.deleter, .context = o.context};
    return import(f, tensor, ownership, o.resources);
}
