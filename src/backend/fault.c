/* fault.c - what kernels report by bits, as an error. */
#include "backend/backend.h"
#include "core/error.h"
#include "expr/ops.h"

ash_status ash__task_fault(const ash__task *task, int faults)
{
    if (faults & ASH__FAULT_DIVIDE)
        return ash__fail(ASH_ERR_VALUE, task->function, "integer division by zero");
    if (faults & ASH__FAULT_POWER)
        return ash__fail(ASH_ERR_VALUE, task->function, "integer to a negative power");
    if (faults & ASH__FAULT_VALUE)
        return ash__fail(ASH_ERR_VALUE, task->function, "a value does not fit %s", ash_dtype_name(task->out.dtype));
    return ASH_OK;
}
