/* layout.c - an array as MPI sees it. */
#include "mpi/layout.h"

#include <ashlar/array.h>
#include <ashlar/dtype.h>

/* The datatype of one number, and how many make an element. */
void ash__mpi_unit_of(ash_dtype dtype, ash__mpi_layout *l)
{
    static const int plain_last = ASH_F64, complex_first = ASH_C_I8;
    MPI_Datatype of[] = {MPI_DATATYPE_NULL, MPI_C_BOOL,   MPI_INT8_T,   MPI_INT16_T,  MPI_INT32_T,  MPI_INT64_T, MPI_UINT8_T,
                         MPI_UINT16_T,      MPI_UINT32_T, MPI_UINT64_T, MPI_UINT16_T, MPI_UINT16_T, MPI_FLOAT,   MPI_DOUBLE};
    const int64_t bytes = (int64_t)ash_dtype_size(dtype);
    if (dtype >= ASH_RECORD_FIRST)
        *l = (ash__mpi_layout){.unit = MPI_BYTE, .unit_bytes = 1, .parts = bytes};
    else if (dtype == ASH_C_F32)
        *l = (ash__mpi_layout){.unit = MPI_C_FLOAT_COMPLEX, .unit_bytes = bytes, .parts = 1};
    else if (dtype == ASH_C_F64)
        *l = (ash__mpi_layout){.unit = MPI_C_DOUBLE_COMPLEX, .unit_bytes = bytes, .parts = 1};
    else if ((int)dtype > plain_last)
        *l = (ash__mpi_layout){.unit = of[(int)dtype - complex_first + ASH_I8], .unit_bytes = bytes / 2, .parts = 2};
    else
        *l = (ash__mpi_layout){.unit = of[dtype], .unit_bytes = bytes, .parts = 1};
    l->dtype = dtype;
}

/* One more loop, inside those there are. */
static void add_loop(ash__mpi_layout *l, int64_t size, int64_t stride)
{
    if (size == 1)
        return;
    if (l->rank && l->stride[l->rank - 1] == size * stride) {
        l->size[l->rank - 1] *= size;
        l->stride[l->rank - 1] = stride;
        return;
    }
    l->size[l->rank] = size;
    l->stride[l->rank] = stride;
    l->rank++;
}

static ash_status check_message(const char *function, const char *name, const ash_elements *e)
{
    if (e->conjugated)
        return ash__mpi_fail(ASH_ERR_UNSUPPORTED, function,
                             "%s is a conjugated view, whose memory holds other numbers; make a "
                             "copy of it (ash_copy)",
                             name);
    if ((e->storage == ASH_PRIVATE && !ash__mpi_device_aware()) || (!e->first && e->size))
        return ash__mpi_fail(ASH_ERR_UNSUPPORTED, function,
                             "%s is in private storage, which this MPI library does not read; "
                             "make a shared copy (ash_copy(%s, .storage = ASH_SHARED))",
                             name, name);
    return ASH_OK;
}

ash_status ash__mpi_layout_of(const char *function, const char *name, const ash_array *a, bool writes, ash_layout order,
                              ash__mpi_layout *layout)
{
    ash_elements e;
    ash_status status = ash_elements_of(function, name, a, writes, &e, sizeof e);
    if (!status)
        status = check_message(function, name, &e);
    if (!status && order != ASH_LAYOUT_DEFAULT && order != ASH_ROW_MAJOR && order != ASH_COL_MAJOR)
        status = ash__mpi_fail(ASH_ERR_ARGUMENT, function, ".order is %d; it is ASH_ROW_MAJOR or ASH_COL_MAJOR", (int)order);
    if (status)
        return status;
    ash__mpi_unit_of(e.dtype, layout);
    layout->first = e.first;
    layout->elements = e.size;
    for (int64_t k = 0; k < e.rank && e.size; k++) {
        const int64_t axis = order == ASH_COL_MAJOR ? e.rank - 1 - k : k;
        add_loop(layout, e.shape[axis], e.byte_stride[axis]);
    }
    if (e.size)
        add_loop(layout, layout->parts, layout->unit_bytes);
    layout->dense = layout->rank == 0 || (layout->rank == 1 && layout->stride[0] == layout->unit_bytes);
    return ASH_OK;
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (x >> 8 * i & 0xff)) * 0x100000001b3; /* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv */
    return hash;
}

int64_t ash__mpi_dtype_key(ash_dtype dtype)
{
    const int64_t fields = ash_dtype_field_count(dtype);
    if (!fields)
        return dtype;
    uint64_t hash = mix(0xcbf29ce484222325, ash_dtype_size(dtype));
    ash_field_info field;
    for (int64_t i = 0; i < fields && ash_dtype_field(dtype, i, &field); i++) {
        hash = mix(mix(hash, field.offset), (uint64_t)field.count);
        hash = mix(hash, (uint64_t)ash__mpi_dtype_key(field.dtype));
    }
    return (int64_t)(hash >> 2) + ASH_RECORD_FIRST;
}
