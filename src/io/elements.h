/* elements.h - arrays from and to the bytes of a file: the part that the formats share. */
#ifndef ASH__ELEMENTS_H
#define ASH__ELEMENTS_H
#include "ashlar/io.h"
#include "io/npy.h"

/* Bytes that are taken in order: of a file, in memory, or what a decoder gives. */
typedef struct ash__source {
    ash__place place;
    int fd;
    const char *memory; /* NULL: the file */
    char *owned;        /* memory that ends with the source */
    size_t size, at;    /* of the whole; where the next bytes are, but in a file */
    ash_status (*decode)(struct ash__source *from, void *to, size_t n); /* not NULL: instead of either */
    void *decoder;
} ash__source;

/* Opens a file; a pipe, which has no size to check a header against, is taken into memory. Whatever the outcome, the source is
 * to be ended. */
ash_status ash__source_begin(ash__source *from, const char *function, const char *path, const ash_file_options *o);
void ash__source_end(ash__source *from);
ash_status ash__fetch(ash__source *from, void *to, size_t n);
ash_status ash__seek(ash__source *from, size_t at); /* not with a decoder */

/* The header of an NPY file; the source stands at the data afterwards. Whatever the outcome, header->node is to be freed. */
ash_status ash__npy_read_header(ash__source *from, ash_dtype wanted, ash__npy_header *header);

/* The options of a reader; false with an error for what contradicts itself. */
bool ash__read_file_options(const char *function, ash_file_options *o, const ash_file_options *options);
/* The same for the file at a path, which must be given. */
bool ash__read_path_options(const char *function, const char *path, ash_file_options *o, const ash_file_options *options);
/* The elements that follow as a new array, as the options want it; NULL with an error. */
ash_array *ash__read_array(ash__source *from, const ash__npy_header *header, const ash_file_options *o);

/* All pages of a file as a buffer for the arrays in it; NULL with an error. */
ash__buffer *ash__map_file(const ash__source *from, const ash_file_options *o);
/* The array at header->data_offset of the buffer, which gains a reference; NULL with an error that says why it cannot be. */
ash_array *ash__map_array(const ash__place *place, ash__buffer *pages, const ash__npy_header *header,
                          const ash_file_options *o);

/* ---- writing */

/* The elements as they lie in a file, with conjugated values where the array is a conjugated view. */
ash_status ash__put_elements(const char *function, ash__sink to, const ash_array *a, bool fortran);
/* A whole NPY file. */
ash_status ash__npy_put(const char *function, ash__sink to, const ash_array *a);
#endif
