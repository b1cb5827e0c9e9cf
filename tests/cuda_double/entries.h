/*
 * entries.h - what cuGetProcAddress finds: the name, the first version of CUDA that has it in this form, the function.
 */
#ifndef DOUBLE_ENTRIES_H
#define DOUBLE_ENTRIES_H

/* clang-format off */
#define ENTRIES(X)                                                                                    \
    X(cuCtxCreate, 3020, cuCtxCreate_v2)                                                              \
    X(cuCtxDestroy, 3020, cuCtxDestroy_v2)                                                            \
    X(cuCtxEnablePeerAccess, 2000, cuCtxEnablePeerAccess)                                             \
    X(cuCtxGetApiVersion, 2000, cuCtxGetApiVersion)                                                   \
    X(cuCtxGetCurrent, 2000, cuCtxGetCurrent)                                                         \
    X(cuCtxGetDevice, 2000, cuCtxGetDevice)                                                           \
    X(cuCtxGetStreamPriorityRange, 2000, cuCtxGetStreamPriorityRange)                                 \
    X(cuCtxPopCurrent, 3020, cuCtxPopCurrent_v2)                                                      \
    X(cuCtxPushCurrent, 3020, cuCtxPushCurrent_v2)                                                    \
    X(cuCtxSetCurrent, 2000, cuCtxSetCurrent)                                                         \
    X(cuCtxSynchronize, 2000, cuCtxSynchronize)                                                       \
    X(cuDeviceCanAccessPeer, 2000, cuDeviceCanAccessPeer)                                             \
    X(cuDeviceGet, 2000, cuDeviceGet)                                                                 \
    X(cuDeviceGetAttribute, 2000, cuDeviceGetAttribute)                                               \
    X(cuDeviceGetCount, 2000, cuDeviceGetCount)                                                       \
    X(cuDeviceGetDefaultMemPool, 11020, cuDeviceGetDefaultMemPool)                                    \
    X(cuDeviceGetMemPool, 11020, cuDeviceGetMemPool)                                                  \
    X(cuDeviceGetName, 2000, cuDeviceGetName)                                                         \
    X(cuDeviceGetUuid, 3020, cuDeviceGetUuid_v2)                                                      \
    X(cuDevicePrimaryCtxGetState, 2000, cuDevicePrimaryCtxGetState)                                   \
    X(cuDevicePrimaryCtxRelease, 3020, cuDevicePrimaryCtxRelease_v2)                                  \
    X(cuDevicePrimaryCtxReset, 3020, cuDevicePrimaryCtxReset_v2)                                      \
    X(cuDevicePrimaryCtxRetain, 2000, cuDevicePrimaryCtxRetain)                                       \
    X(cuDevicePrimaryCtxSetFlags, 3020, cuDevicePrimaryCtxSetFlags_v2)                                \
    X(cuDeviceTotalMem, 3020, cuDeviceTotalMem_v2)                                                    \
    X(cuDriverGetVersion, 2000, cuDriverGetVersion)                                                   \
    X(cuEventCreate, 2000, cuEventCreate)                                                             \
    X(cuEventDestroy, 3020, cuEventDestroy_v2)                                                        \
    X(cuEventElapsedTime, 2000, cuEventElapsedTime)                                                   \
    X(cuEventQuery, 2000, cuEventQuery)                                                               \
    X(cuEventRecord, 2000, cuEventRecord)                                                             \
    X(cuEventRecordWithFlags, 11010, cuEventRecordWithFlags)                                          \
    X(cuEventSynchronize, 2000, cuEventSynchronize)                                                   \
    X(cuFuncGetAttribute, 2000, cuFuncGetAttribute)                                                   \
    X(cuFuncSetAttribute, 2000, cuFuncSetAttribute)                                                   \
    X(cuGetErrorName, 2000, cuGetErrorName)                                                           \
    X(cuGetErrorString, 2000, cuGetErrorString)                                                       \
    X(cuGetProcAddress, 12000, cuGetProcAddress_v2)                                                   \
    X(cuGetProcAddress, 11030, cuGetProcAddress)                                                      \
    X(cuInit, 2000, cuInit)                                                                           \
    X(cuLaunchCooperativeKernel, 9000, cuLaunchCooperativeKernel)                                     \
    X(cuLaunchHostFunc, 10000, cuLaunchHostFunc)                                                      \
    X(cuLaunchKernel, 2000, cuLaunchKernel)                                                           \
    X(cuMemAdvise, 8000, cuMemAdvise)                                                                 \
    X(cuMemAlloc, 3020, cuMemAlloc_v2)                                                                \
    X(cuMemAllocAsync, 11020, cuMemAllocAsync)                                                        \
    X(cuMemAllocFromPoolAsync, 11020, cuMemAllocFromPoolAsync)                                        \
    X(cuMemAllocHost, 3020, cuMemAllocHost_v2)                                                        \
    X(cuMemAllocManaged, 2000, cuMemAllocManaged)                                                     \
    X(cuMemFree, 3020, cuMemFree_v2)                                                                  \
    X(cuMemFreeAsync, 11020, cuMemFreeAsync)                                                          \
    X(cuMemFreeHost, 2000, cuMemFreeHost)                                                             \
    X(cuMemGetAddressRange, 3020, cuMemGetAddressRange_v2)                                            \
    X(cuMemGetInfo, 3020, cuMemGetInfo_v2)                                                            \
    X(cuMemHostAlloc, 2000, cuMemHostAlloc)                                                           \
    X(cuMemHostGetDevicePointer, 3020, cuMemHostGetDevicePointer_v2)                                  \
    X(cuMemHostRegister, 3020, cuMemHostRegister_v2)                                                  \
    X(cuMemHostUnregister, 2000, cuMemHostUnregister)                                                 \
    X(cuMemPoolGetAttribute, 11020, cuMemPoolGetAttribute)                                            \
    X(cuMemPoolSetAttribute, 11020, cuMemPoolSetAttribute)                                            \
    X(cuMemPoolTrimTo, 11020, cuMemPoolTrimTo)                                                        \
    X(cuMemPrefetchAsync, 8000, cuMemPrefetchAsync)                                                   \
    X(cuMemcpy, 2000, cuMemcpy)                                                                       \
    X(cuMemcpyAsync, 2000, cuMemcpyAsync)                                                             \
    X(cuMemcpyDtoD, 3020, cuMemcpyDtoD_v2)                                                            \
    X(cuMemcpyDtoDAsync, 3020, cuMemcpyDtoDAsync_v2)                                                  \
    X(cuMemcpyDtoH, 3020, cuMemcpyDtoH_v2)                                                            \
    X(cuMemcpyDtoHAsync, 3020, cuMemcpyDtoHAsync_v2)                                                  \
    X(cuMemcpyHtoD, 3020, cuMemcpyHtoD_v2)                                                            \
    X(cuMemcpyHtoDAsync, 3020, cuMemcpyHtoDAsync_v2)                                                  \
    X(cuMemcpyPeerAsync, 2000, cuMemcpyPeerAsync)                                                     \
    X(cuMemsetD16, 3020, cuMemsetD16_v2)                                                              \
    X(cuMemsetD16Async, 2000, cuMemsetD16Async)                                                       \
    X(cuMemsetD32, 3020, cuMemsetD32_v2)                                                              \
    X(cuMemsetD32Async, 2000, cuMemsetD32Async)                                                       \
    X(cuMemsetD8, 3020, cuMemsetD8_v2)                                                                \
    X(cuMemsetD8Async, 2000, cuMemsetD8Async)                                                         \
    X(cuModuleGetFunction, 2000, cuModuleGetFunction)                                                 \
    X(cuModuleGetGlobal, 3020, cuModuleGetGlobal_v2)                                                  \
    X(cuModuleLoadData, 2000, cuModuleLoadData)                                                       \
    X(cuModuleLoadDataEx, 2000, cuModuleLoadDataEx)                                                   \
    X(cuModuleUnload, 2000, cuModuleUnload)                                                           \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, 2000, cuOccupancyMaxActiveBlocksPerMultiprocessor) \
    X(cuPointerGetAttribute, 2000, cuPointerGetAttribute)                                             \
    X(cuStreamCreate, 2000, cuStreamCreate)                                                           \
    X(cuStreamCreateWithPriority, 2000, cuStreamCreateWithPriority)                                   \
    X(cuStreamDestroy, 3020, cuStreamDestroy_v2)                                                      \
    X(cuStreamGetCtx, 9020, cuStreamGetCtx)                                                           \
    X(cuStreamGetFlags, 2000, cuStreamGetFlags)                                                       \
    X(cuStreamIsCapturing, 2000, cuStreamIsCapturing)                                                 \
    X(cuStreamQuery, 2000, cuStreamQuery)                                                             \
    X(cuStreamSynchronize, 2000, cuStreamSynchronize)                                                 \
    X(cuStreamWaitEvent, 2000, cuStreamWaitEvent)
/* clang-format on */

#endif
