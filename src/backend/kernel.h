/* kernel.h - what a task of kind ASH__TASK_KERNEL says besides its operands: a user's kernel, its arguments, how many times. */
#ifndef ASH__BACKEND_KERNEL_H
#define ASH__BACKEND_KERNEL_H
#include "ashlar/dtype.h"
#include "ashlar/kernel.h"

/* The task's operands are the arrays among the arguments, each over the shape in its view; out is the first that is written.
 * Written ones overlap others only where the caller says that the kernel knows. */
typedef struct ash__launching {
    const ash_kernel *kernel;
    const ash_kernel_argument *argument; /* for each parameter; its `local` and its view's `fault` are the backend's to set */
    const bool *written;                 /* for each operand */
    int64_t axes;                        /* 1 to 3; sizes are 1 beyond */
    int64_t global[3], local[3];         /* from 1. A group at the end of an axis has less than `local`, where that is chosen */
    bool chosen;                         /* `local` is the library's choice: no barriers */
    uint64_t seed;
} ash__launching;

enum { ASH__KERNEL_NO_GROUPS = -1 }; /* as a fault's parameter: a barrier where `chosen`; 32 bits of it count */

/* Bytes of one element of a parameter's local memory: f16 and bf16 are computed with as f32. */
static inline size_t ash__kernel_value_size(ash_dtype dtype)
{
    return dtype == ASH_F16 || dtype == ASH_BF16 ? sizeof(float) : ash_dtype_size(dtype);
}
/* The error that a noted fault stands for. kernel.c */
ash_status ash__kernel_fault_error(const char *function, const ash__launching *l, const ash_kernel_fault *fault);
#endif
