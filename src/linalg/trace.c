/* trace.c - sums of diagonals. */
#include "ashlar/spectral.h"
#include "ashlar/view.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/reduction.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM, .widen = true};

ash_array *ash_trace_opt(const ash_array *a, const ash_trace_options *options)
{
    static const char f[] = "ash_trace";
    ash_trace_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_matrices(f, "a", a, false))
        return NULL;
    const int64_t last = -1, barrier = ash_scope_open_barrier();
    ash_array *const diagonal =
        barrier < 0
            ? NULL
            : ash_diagonal_opt(a, &(ash_diagonal_options){.struct_size = sizeof(ash_diagonal_options), .offset = o.offset});
    ash_scope_close(barrier);
    const ash_reduce_options along = {.struct_size = sizeof along, .resources = o.resources, .axes = {&last, 1}, .drop = true};
    ash_array *const out = diagonal ? ash__reduce_named(f, sum, diagonal, &along) : NULL;
    ash_release(diagonal);
    return out;
}
