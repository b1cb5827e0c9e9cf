/* zip_format.h - what the reader and the writer of ZIP archives both know: the fixed parts, and zlib's memory. */
#ifndef ASH__ZIP_FORMAT_H
#define ASH__ZIP_FORMAT_H
#include <zlib.h>

#include "core/alloc.h"

/* Bytes of the fixed parts. */
enum {
    ASH__ZIP_LOCAL = 30, /* the header in front of a member */
    ASH__ZIP_ENTRY = 46, /* a member's entry in the directory */
    ASH__ZIP_END = 22,   /* the end of the directory; the last thing in the file but for a comment */
    ASH__ZIP_LOCATOR = 20,
    ASH__ZIP_WIDE_END = 56 /* the same with 64 bits, and where it is */
};
enum { ASH__ZIP_WIDE = 1 }; /* the extra field with sizes of 64 bits */

/* zlib's memory is the library's own. z->opaque: the public function, for the error. */
static inline voidpf ash__zlib_take(voidpf function, uInt count, uInt size)
{
    return ash__realloc(function, NULL, count, size);
}
static inline void ash__zlib_give(voidpf function, voidpf block)
{
    (void)function;
    ash__free(block);
}
#endif
