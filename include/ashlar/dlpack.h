/*
 * dlpack.h - arrays exchanged with other libraries through DLPack, without a copy of the elements.
 *
 * DLPack (https://dmlc.github.io/dlpack/latest/) is a struct in memory that describes an array and says how to end it. A
 * producer makes it; the consumer calls its deleter, once, when it needs the elements no more. There are two forms: the one
 * since DLPack 1.0, with a version and flags, and the old one, whose names here end in _old. The structs below have the layout
 * of theirs under names of our own, so this header and theirs can be included together, and a cast converts a pointer:
 * ash_dl_managed is DLManagedTensorVersioned, ash_dl_managed_old is DLManagedTensor, ash_dl_tensor is DLTensor.
 */
#ifndef ASHLAR_DLPACK_H
#define ASHLAR_DLPACK_H
#include "base.h"
ASH__BEGIN

/* Numbers of the DLPack specification. */
typedef enum ash_dl_code {
    ASH_DL_INT = 0,
    ASH_DL_UINT = 1,
    ASH_DL_FLOAT = 2,
    ASH_DL_HANDLE = 3,
    ASH_DL_BFLOAT = 4,
    ASH_DL_COMPLEX = 5, /* bits counts both parts */
    ASH_DL_BOOL = 6
} ash_dl_code;

typedef enum ash_dl_device_kind {
    ASH_DL_CPU = 1,
    ASH_DL_CUDA = 2,
    ASH_DL_CUDA_HOST = 3,
    ASH_DL_OPENCL = 4,
    ASH_DL_ROCM_HOST = 11,
    ASH_DL_CUDA_MANAGED = 13
} ash_dl_device_kind;

typedef enum ash_dl_flag {
    ASH_DL_READONLY = 1, /* the consumer must not write */
    ASH_DL_COPIED = 2    /* the elements are a copy made for this consumer */
} ash_dl_flag;

typedef struct ash_dl_version {
    uint32_t major, minor;
} ash_dl_version;

typedef struct ash_dl_device {
    int32_t kind; /* an ash_dl_device_kind, or another number of the specification */
    int32_t index;
} ash_dl_device;

typedef struct ash_dl_dtype {
    uint8_t code; /* an ash_dl_code, or another number of the specification */
    uint8_t bits;
    uint16_t lanes;
} ash_dl_dtype;

typedef struct ash_dl_tensor {
    void *data;
    ash_dl_device device;
    int32_t rank;
    ash_dl_dtype dtype;
    int64_t *shape;
    int64_t *strides;     /* in elements; NULL: row-major */
    uint64_t byte_offset; /* from data to the first element */
} ash_dl_tensor;

typedef struct ash_dl_managed {
    ash_dl_version version;
    void *context; /* the producer's */
    void (*deleter)(struct ash_dl_managed *managed); /* NULL: nothing to do */
    uint64_t flags;
    ash_dl_tensor tensor;
} ash_dl_managed;

typedef struct ash_dl_managed_old {
    ash_dl_tensor tensor;
    void *context;
    void (*deleter)(struct ash_dl_managed_old *managed);
} ash_dl_managed_old;

typedef struct ash_from_dlpack_options {
    size_t struct_size;
    ash_resources *resources;
    bool readonly; /* also where the flag does not say so */
    bool deferred; /* the deleter is not called: the managed tensor waits for ash_deferred */
} ASH__KEYWORDS ash_from_dlpack_options;

typedef struct ash_wrap_dlpack_options {
    size_t struct_size;
    ash_resources *resources;
    bool readonly;
    bool deferred; /* the deleter is not called: its context waits for ash_deferred */
    void (*deleter)(void *context);
    void *context;
} ASH__KEYWORDS ash_wrap_dlpack_options;

typedef struct ash_to_dlpack_options {
    size_t struct_size;
    ash_resources *resources;
    bool copy;      /* the tensor is of a new row-major copy */
    int64_t stream; /* of CUDA: what the consumer puts there from now on comes after queued work; 0: that is waited for */
} ASH__KEYWORDS ash_to_dlpack_options;

/**
 * An array over the elements of a DLPack tensor; nothing is copied.
 *
 * Shape   the tensor's, any strides; NULL strides are row-major. It is read-only where the flag says so, and where a stride of
 *         0 repeats elements.
 * Dtype   the tensor's: bool, i8 to i64, u8 to u64, f16, bf16, f32, f64, c_f16, c_f32, c_f64. Elements of bool must be 0 or 1.
 *
 * @param managed  taken over: its deleter is called once, on any thread, when the last array over its elements has gone, never
 *                 at the process's end. After a failure it is still the caller's, and its deleter has not been called.
 * @param options  .readonly; .deferred: the deleter is not called, but ash_deferred gives managed to a thread that may;
 *                 .resources: of a CUDA device for tensors on it and for pinned and managed memory, which are complete after
 *                 what was put into their stream (ash_cuda_stream).
 * @return         an array in shared storage, of CUDA's memory in private, its scope's or the caller's; NULL with ASH_ERR_DTYPE
 *                 (i128, 8-bit floats, several lanes), ASH_ERR_DEVICE (neither host memory nor the device's), ASH_ERR_SHAPE,
 *                 ASH_ERR_ARGUMENT (misaligned; addresses that do not exist), ASH_ERR_UNSUPPORTED (another major version than
 *                 1) or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_from_dlpack_opt(ash_dl_managed *managed, const ash_from_dlpack_options *options ASH__DEFAULT);

/**
 * An array over the elements of a DLPack tensor of the old form, by the rules of ash_from_dlpack_opt.
 *
 * @param managed  taken over, as by ash_from_dlpack_opt. Has no flags: .readonly says what must not be written.
 * @param options  as for ash_from_dlpack_opt.
 * @return         an array in shared storage, its scope's or the caller's; NULL with the statuses of ash_from_dlpack_opt but
 *                 ASH_ERR_UNSUPPORTED.
 */
ASH_API ash_array *ash_from_dlpack_old_opt(ash_dl_managed_old *managed, const ash_from_dlpack_options *options ASH__DEFAULT);

/**
 * An array over the elements that a DLPack tensor describes and somebody else keeps: ash_wrap with the description of DLPack.
 *
 * @param tensor   borrowed for the call; its elements must stay valid until the last array over them has gone.
 * @param options  .readonly .deleter .context .deferred, as for ash_wrap.
 * @return         an array in shared storage, its scope's or the caller's; NULL with the statuses of ash_from_dlpack_opt but
 *                 ASH_ERR_UNSUPPORTED.
 */
ASH_API ash_array *ash_wrap_dlpack_opt(const ash_dl_tensor *tensor, const ash_wrap_dlpack_options *options ASH__DEFAULT);

/**
 * An array as a DLPack tensor, over the same elements or a copy. Waits for queued work. On a CUDA device the tensor is CUDA's
 * (private storage), managed or pinned memory (shared); else it is the host's.
 *
 * Shape   that of a; strides are always written, and never 0 along an axis of one element. byte_offset is 0: data points to
 *         the first element, which is aligned as the dtype's C type; it is NULL without elements.
 * Dtype   bool, i8 to i64, u8 to u64, f16, bf16, f32, f64, c_f16, c_f32, c_f64; no other complex dtype, no record.
 *
 * @param a        borrowed; its memory lives until the deleter is called, whatever becomes of a.
 * @param options  .copy: the elements are a new row-major copy, and the flag ASH_DL_COPIED is set. Without it nothing is
 *                 copied: what DLPack cannot express (a conjugated view, private storage that has no address, strides that
 *                 are no whole number of elements, elements that are not aligned) is refused. .stream, by the array API's
 *                 numbers: 1 and 2 are CUDA's default streams, -1 that nothing is to be waited for, others a CUstream.
 * @return         of version 1.2, with ASH_DL_READONLY where a is read-only; whoever has it calls managed->deleter(managed)
 *                 once, on any thread. NULL with ASH_ERR_DTYPE, ASH_ERR_UNSUPPORTED, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED,
 *                 ASH_ERR_MEMORY, or the fault of work that a waited for.
 */
ASH_API ash_dl_managed *ash_to_dlpack_opt(const ash_array *a, const ash_to_dlpack_options *options ASH__DEFAULT);

/**
 * An array as a DLPack tensor of the old form, by the rules of ash_to_dlpack_opt.
 *
 * @param a        borrowed; its memory lives until the deleter is called. A read-only array needs .copy: the form has no flag
 *                 to say so.
 * @param options  as for ash_to_dlpack_opt.
 * @return         whoever has it calls managed->deleter(managed) once, on any thread; NULL with the statuses of
 *                 ash_to_dlpack_opt.
 */
ASH_API ash_dl_managed_old *ash_to_dlpack_old_opt(const ash_array *a, const ash_to_dlpack_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_from_dlpack(...) \
    ASH__KW1(ash_from_dlpack_opt, ash_from_dlpack_options, __VA_ARGS__, ASH_SIZED(ash_from_dlpack_options))
#define ash_from_dlpack_old(...) \
    ASH__KW1(ash_from_dlpack_old_opt, ash_from_dlpack_options, __VA_ARGS__, ASH_SIZED(ash_from_dlpack_options))
#define ash_wrap_dlpack(...) \
    ASH__KW1(ash_wrap_dlpack_opt, ash_wrap_dlpack_options, __VA_ARGS__, ASH_SIZED(ash_wrap_dlpack_options))
#define ash_to_dlpack(...) ASH__KW1(ash_to_dlpack_opt, ash_to_dlpack_options, __VA_ARGS__, ASH_SIZED(ash_to_dlpack_options))
#define ash_to_dlpack_old(...) \
    ASH__KW1(ash_to_dlpack_old_opt, ash_to_dlpack_options, __VA_ARGS__, ASH_SIZED(ash_to_dlpack_options))
#endif
#endif
