/*
 * cuda.h - arrays together with a program's own CUDA code: its streams, its device pointers and its kernels.
 *
 * Nothing of CUDA is needed to compile this: a stream (CUstream, cudaStream_t) is a void *, a device pointer a uint64_t. A
 * device pointer of the program's becomes an array by ash_wrap, on resources of its device, and through DLPack; docs/cuda.md
 * has the rules of ownership and of order.
 */
#ifndef ASHLAR_CUDA_H
#define ASHLAR_CUDA_H
#include "base.h"
ASH__BEGIN

/**
 * Resources whose work goes into a stream of the program's.
 *
 * What the library queues and what the program puts there are done in order. The stream is borrowed until the resources have
 * gone, with all arrays made with them; it must be of the device's primary context, as CUDA's run-time interface has them.
 *
 * @param device  as for ash_device_open, "cuda:0".
 * @param stream  CUstream or cudaStream_t; NULL is CUDA's legacy default stream.
 * @return        the caller's, ended by ash_resources_release; NULL with ASH_ERR_DEVICE, ASH_ERR_UNSUPPORTED (no CUDA device),
 *                ASH_ERR_ARGUMENT (a stream of another device) or ASH_ERR_MEMORY.
 */
ASH_API ash_resources *ash_cuda_resources(const char *device, void *stream);

/**
 * The stream that resources queue on, for work of the program's in their order.
 *
 * @param resources  NULL: the current ones.
 * @param stream     gets it: the library's, which lasts as long as the resources, or the one they were made from.
 * @return           ASH_OK, ASH_ERR_UNSUPPORTED (no CUDA device), ASH_ERR_ARGUMENT, ASH_ERR_DEVICE or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_cuda_stream(ash_resources *resources, void **stream);

/**
 * Before the program's own work on an array: what it puts into the resources' stream from now on comes after everything that
 * is queued for the array elsewhere. To be followed by ash_cuda_end. Never waits.
 *
 * @param a          borrowed; until ash_cuda_end nothing else may be done with its memory.
 * @param writes     the work writes elements; false: it only reads them.
 * @param resources  of a's device; NULL: the current ones, if they are of it, else the device's default ones.
 * @param pointer    gets the device pointer of the first element; ash_byte_strides says where the others are.
 * @return           ASH_OK, ASH_ERR_UNSUPPORTED (no CUDA device; memory of the host's that was lent), ASH_ERR_ARGUMENT (also:
 *                   read-only), ASH_ERR_RELEASED, ASH_ERR_DEVICE or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_cuda_begin(const ash_array *a, bool writes, ash_resources *resources, uint64_t *pointer);

/**
 * After the program's own work on an array: whatever uses the array from now on comes after what was put into the resources'
 * stream so far. Never waits.
 *
 * @param a          as for ash_cuda_begin.
 * @param writes     as for ash_cuda_begin.
 * @param resources  as for ash_cuda_begin.
 * @return           ASH_OK, or the statuses of ash_cuda_begin.
 */
ASH_API ash_status ash_cuda_end(const ash_array *a, bool writes, ash_resources *resources);

ASH__END
#endif
