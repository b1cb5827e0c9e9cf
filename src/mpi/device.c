/* device.c - does the MPI library read and write the memory of devices? It says so itself, each in its own way. */
#include "mpi/call.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

bool ash__mpi_device_aware(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() != 0;
#elif defined(MPICH_NAME) && MPICH_NUMVERSION >= 40000000
    int aware = 0;
    return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &aware) == MPI_SUCCESS && aware;
#else
    return false;
#endif
}
