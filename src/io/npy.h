/* npy.h - the header of an NPY file, and what the elements of the file are in memory. */
#ifndef ASH__NPY_H
#define ASH__NPY_H
#include "core/array.h"
#include "io/file.h"

/* One element, or one field of a record: `count` values of a dtype, in the file and in memory. */
typedef struct ash__npy_node {
    ash_dtype dtype;
    bool swapped; /* its byte order is not the machine's */
    int64_t count;
    size_t file_offset, file_size; /* of the first value in its record; of one value */
    size_t offset;
    int32_t first, next; /* first field of a record, next field of the record it is in; -1: none */
} ash__npy_node;

typedef struct ash__npy_header {
    size_t data_offset; /* bytes before the data */
    size_t nbytes;      /* of the data */
    bool fortran;
    int64_t rank, count;
    int64_t shape[ASH_MAX_RANK];
    ash__npy_node *node; /* node[0] is the element; to be given to ash__free */
    int32_t nodes, room;
    bool same_layout, any_swapped, any_bool;
} ash__npy_header;

enum { ASH__LITTLE_ENDIAN = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ }; /* this machine is */

enum {
    ASH__NPY_PREFIX = 12,      /* bytes that tell the length of a header: 10 in version 1 */
    ASH__NPY_LONGEST = 1 << 20 /* of a header's text */
};

/* From the first bytes of a file of `size` bytes (up to ASH__NPY_PREFIX of them): where the text begins and its length. */
ash_status ash__npy_prefix(const ash__place *place, const unsigned char *bytes, size_t size, int *version, size_t *start,
                           size_t *length);
/* The header's text; `size`: bytes of the whole file. wanted: the dtype that the reader asked for, or 0. Whatever the outcome,
 * header->node is to be freed. */
ash_status ash__npy_parse(const ash__place *place, const char *text, size_t length, int version, size_t start, size_t size,
                          ash_dtype wanted, ash__npy_header *header);

/* `count` elements of the file into memory, where they lie densely. */
void ash__npy_unpack(const ash__npy_header *header, char *to, const char *from, int64_t count);
/* The same for elements that lie in memory already as in the file: byte order, and bools made 0 or 1. */
void ash__npy_fix(const ash__npy_header *header, char *elements, int64_t count);

#endif
