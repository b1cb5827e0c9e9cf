/* where.c - elements of one array or another by a condition: a map of three operands. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"

ash_array *ash_where_opt(const ash_operand *condition, const ash_operand *x, const ash_operand *y,
                         const ash_map_options *options)
{
    static const char f[] = "ash_where";
    ash_map_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (!condition || !x || !y) {
        ash__null(f, !condition ? "condition" : !x ? "x" : "y");
        return NULL;
    }
    const ash_operand operand[3] = {*condition, *x, *y};
    return ash__map_text_new(f, "(condition, x, y) -> condition ? x : y", (ash_operands){operand, 3}, &o);
}
