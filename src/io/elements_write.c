/*
 * elements_write.c - the elements of an array, in either order, as the bytes of a file.
 *
 * Elements leave in blocks; gaps in records are written as zeros, so that nothing of the memory's past gets out.
 */
#include "core/alloc.h"
#include "core/convert.h"
#include "core/host.h"
#include "core/record.h"
#include "io/elements.h"

enum { BLOCK = 1 << 15 };

/* Zeros in the gaps of n records that lie side by side. */
static void clear_gaps(const ash__record_type *record, char *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++, p += record->size) {
        size_t end = 0;
        for (int64_t k = 0; k < record->count; k++) {
            const ash_field_info *f = &record->field[k];
            const ash__record_type *inner = ash__record_of(f->dtype);
            memset(p + end, 0, f->offset - end);
            if (inner)
                clear_gaps(inner, p + f->offset, f->count);
            end = f->offset + (size_t)f->count * ash_dtype_size(f->dtype);
        }
        memset(p + end, 0, record->size - end);
    }
}

static void put_block(ash__sink to, const ash_array *a, char *block, int64_t n)
{
    const ash__record_type *record = ash__record_of(a->dtype);
    if (record)
        clear_gaps(record, block, n);
    else if (a->conjugated)
        ash__conjugate(block, a->dtype, n);
    to.put(to.to, block, (size_t)n * ash_dtype_size(a->dtype));
}

/* Elements through a block, runs in row-major order or, with the axes turned round, in column-major order. */
static void put_runs(ash__sink to, const ash_array *a, char *data, bool fortran, char *block, int64_t room)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], used = 0;
    const int64_t size = (int64_t)ash_dtype_size(a->dtype);
    for (int64_t i = 0; i < a->rank; i++) {
        shape[i] = a->shape[fortran ? a->rank - 1 - i : i];
        stride[i] = a->stride[fortran ? a->rank - 1 - i : i];
    }
    ash__walk walk;
    const int64_t *const strides = stride;
    for (bool more = ash__walk_begin(&walk, true, shape, a->rank, 1, &data, &strides); more; more = ash__walk_next(&walk))
        for (int64_t i = 0; i < walk.run;) {
            const int64_t n = walk.run - i < room - used ? walk.run - i : room - used;
            ash__convert_run(block + used * size, size, a->dtype, walk.at[0] + i * walk.step[0], walk.step[0], a->dtype, n,
                             false);
            i += n;
            used += n;
            if (used == room) {
                put_block(to, a, block, used);
                used = 0;
            }
        }
    put_block(to, a, block, used);
}

static ash_status put_all(const char *function, ash__sink to, const ash_array *a, char *data, bool fortran)
{
    const size_t size = ash_dtype_size(a->dtype);
    const ash_layout layout = fortran ? ASH_COL_MAJOR : ASH_ROW_MAJOR;
    if (!a->conjugated && !ash__is_record(a->dtype) && ash__dense(layout, a->shape, a->stride, a->rank, (int64_t)size)) {
        to.put(to.to, data, (size_t)a->size * size);
        return ASH_OK;
    }
    const int64_t room = size < BLOCK ? (int64_t)(BLOCK / size) : 1;
    char *block = ash__realloc(function, NULL, room, size);
    if (!block)
        return ASH_ERR_MEMORY;
    put_runs(to, a, data, fortran, block, room);
    ash__free(block);
    return ASH_OK;
}

ash_status ash__put_elements(const char *function, ash__sink to, const ash_array *a, bool fortran)
{
    ash__host h;
    ash_status status = ash__host_open(&h, function, a, ASH__READ | ASH__ASKED);
    if (!status)
        status = put_all(function, to, a, h.data, fortran);
    return ash__host_close(&h, status);
}
