/* kernel.c - what all backends say of an index that a user's kernel used. */
#include "backend/kernel.h"

#include "core/error.h"

ash_status ash__kernel_fault_error(const char *function, const ash__launching *l, const ash_kernel_fault *fault)
{
    if ((int32_t)fault->parameter == ASH__KERNEL_NO_GROUPS)
        return ash__fail(ASH_ERR_ARGUMENT, function, "kernel %s has a barrier; give the size of its groups as .local",
                         l->kernel->name);
    const char *const kernel = l->kernel->name, *const name = l->kernel->parameter[fault->parameter - 1].name;
    const ash_kernel_view *const view = &l->argument[fault->parameter - 1].view;
    const long long index = (long long)fault->index;
    if (fault->axis == ASH__KERNEL_RANK)
        return ash__fail(ASH_ERR_BOUNDS, function, "kernel %s: %s has rank %d, but the kernel gives it %lld ind%s", kernel,
                         name, (int)view->rank, index, index == 1 ? "ex" : "ices");
    if (fault->axis == ASH__KERNEL_NTH)
        return ash__fail(ASH_ERR_BOUNDS, function, "kernel %s: element %lld is out of bounds for %s, which has %lld", kernel,
                         index, name, (long long)view->length);
    return ash__fail(ASH_ERR_BOUNDS, function, "kernel %s: index %lld is out of bounds for axis %lld of %s, of size %lld",
                     kernel, index, (long long)fault->axis, name, (long long)view->shape[fault->axis]);
}
