/* apply.c - maps whose results belong to the caller: one call where a binding would need four. */
#include "ashlar/apply.h"
#include "ashlar/array.h"
#include "ashlar/map.h"

ash_array *ash_apply(const ash_function *function, const ash_operand *operands, int64_t count)
{
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *out = barrier < 0 ? NULL : ash_map_function_opt(function, (ash_operands){operands, count}, NULL);
    ash_scope_close(barrier);
    return out;
}

ash_array *ash_apply1(const ash_function *function, const ash_array *a)
{
    const ash_operand operand = ash_operand_array(a);
    return ash_apply(function, &operand, 1);
}

ash_array *ash_apply2(const ash_function *function, const ash_array *a, const ash_array *b)
{
    const ash_operand operand[2] = {ash_operand_array(a), ash_operand_array(b)};
    return ash_apply(function, operand, 2);
}
