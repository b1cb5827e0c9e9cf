/*
 * dense.c - what random numbers, products, factorizations and transforms share on a device: batches, element access, texts.
 */
#include "backend/gpu/dense.h"

#include <string.h>

#include "core/alloc.h"

/* ---- batches */

/* Is the last axis of b a continuation of this one, for all spans? */
static bool continues(const ash__gpu_batch *b, int64_t size, int spans, const ash__span *const *span, int64_t axis)
{
    for (int k = 0; k < spans; k++)
        if (b->stride[b->axes - 1][k] != ash__gpu_span_stride(span[k], axis) * size)
            return false;
    return true;
}

const char *ash__gpu_batch_set(ash__gpu_batch *b, const int64_t *shape, int64_t rank, int spans, const ash__span *const *span)
{
    b->axes = 0;
    for (int64_t axis = 0; axis < rank; axis++) {
        if (shape[axis] == 1)
            continue;
        const bool joined = b->axes && continues(b, shape[axis], spans, span, axis);
        if (!joined && b->axes == ASH__GPU_BATCH_AXES)
            return "the shape has too many axes for a kernel";
        const int at = joined ? b->axes - 1 : b->axes++;
        b->size[at] = shape[axis] * (joined ? b->size[at] : 1);
        for (int k = 0; k < spans; k++)
            b->stride[at][k] = ash__gpu_span_stride(span[k], axis);
    }
    return NULL;
}

/* ---- texts */

bool ash__gpu_span_aligned(const ash__span *span, int64_t rank)
{
    return ash__gpu_span_bits(span, rank) % ash_dtype_size(ash__part(span->dtype)) == 0;
}

static bool is_narrow(ash_dtype part)
{
    return part == ASH_F16 || part == ASH_BF16;
}

void ash__gpu_put_reader(ash__text *text, const char *name, ash_dtype part)
{
    if (is_narrow(part))
        ash__put(text, "#define %s(P) ((W)from_%s(*(G const u16 *)(P)))\n", name, ash_dtype_name(part));
    else
        ash__put(text, "#define %s(P) ((W)*(G const %s *)(P))\n", name, ash__gpu_type(part));
}

void ash__gpu_put_writer(ash__text *text, const char *name, ash_dtype part, ash_dtype work)
{
    if (is_narrow(part))
        ash__put(text, "#define %s(P, X) (*(G u16 *)(P) = %s_of_%s(X))\n", name, ash_dtype_name(part), ash__gpu_type(work));
    else if (part == ASH_BOOL)
        ash__put(text, "#define %s(P, X) (*(G u8 *)(P) = (X) != 0)\n", name);
    else
        ash__put(text, "#define %s(P, X) (*(G %s *)(P) = (%s)(X))\n", name, ash__gpu_type(part), ash__gpu_type(part));
}

void ash__gpu_put_dense(ash__text *text, const ash_device *device)
{
    ash__gpu_put_head(text, device->f64, true);
    ash__gpu_put_text(text, ash__gpu_dense_text);
}
