/* io.h - arrays in files: CSV, NPY, NPZ and safetensors. */
#ifndef ASHLAR_IO_H
#define ASHLAR_IO_H
#include "base.h"
ASH__BEGIN

/** How the first line of a CSV text is taken. */
typedef enum ash_csv_header { ASH_HEADER_YES = 1, ASH_HEADER_NO = 2 } ash_csv_header;
/** What an empty field, or one that reads NA, becomes. */
typedef enum ash_csv_missing { ASH_MISSING_NAN = 1, ASH_MISSING_ERROR = 2 } ash_csv_missing;

typedef struct ash_csv_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* default inferred: i64 when every field is an integer, else f64 */
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    const char *columns; /* "0:4", "0,2,5", "-1", or names from the header "petal length,petal width" */
    char separator;      /* default ','; ' ' stands for any run of blanks */
    char quote;          /* default '"' */
    char comment;        /* lines that start with it are skipped; default none */
    int header;          /* an ash_csv_header; default: the first line is one when none of its chosen fields is a number */
    int missing;         /* an ash_csv_missing; default NaN for floats, an error for others */
    int64_t skip;        /* lines to leave out at the start */
    bool exact;
} ASH__KEYWORDS ash_csv_options;

typedef struct ash_csv_write_options {
    size_t struct_size;
    ash_resources *resources;
    char separator;      /* default ',' */
    const char *header;  /* a first line, written as it is */
} ASH__KEYWORDS ash_csv_write_options;

/* How the elements of a binary file (NPY, NPZ, safetensors) become an array. */
typedef struct ash_file_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;     /* default the file's; another one converts, as ash_from_host does */
    ash_layout layout;   /* default the file's */
    ash_storage storage;
    ash_memory *memory;
    bool mapped;   /* the array lives in the file's pages; read-only unless .writable */
    bool writable; /* with .mapped: stores go to the file */
    bool exact;    /* with .dtype: any change of value is an error */
} ASH__KEYWORDS ash_file_options;

typedef struct ash_npz_write_options {
    size_t struct_size;
    ash_resources *resources;
    bool compress;
} ASH__KEYWORDS ash_npz_write_options;

/**
 * A matrix from a CSV file. docs/files.md has the rules of the format.
 *
 * Shape   (lines, chosen columns), header and comments not counted; (0, 0) for a file without a line.
 * Dtype   .dtype; without it i64 when every chosen field is an integer, else f64, also when there is no line.
 * Exact   integers of 64 bits are read exactly, floats rounded once to the dtype. A fraction is cut for an integer dtype, and
 *         an error with .exact; there a float must be the f64 nearest to the text. Values the dtype cannot hold are errors.
 * Memory  the text is held while it is read.
 *
 * @param path     borrowed; a pipe or a device will do.
 * @param options  NULL for the defaults. .columns chooses and orders: positions from 0 (negative from the end), ranges with an
 *                 open or excluded end, names, in quotes where they hold a comma or look like a number.
 * @return         a new array, the caller's or its scope's; NULL with ASH_ERR_IO (the file cannot be read), ASH_ERR_FORMAT
 *                 (`line 3 has 2 fields, expected 3`; what is no number, or missing), ASH_ERR_VALUE (a number that the dtype
 *                 does not take), ASH_ERR_BOUNDS (a column that is not there), ASH_ERR_ARGUMENT, ASH_ERR_DTYPE or
 *                 ASH_ERR_MEMORY. A text names the line of the file (from 1) and the column (from 0, and its name).
 */
ASH_API ash_array *ash_read_csv_opt(const char *path, const ash_csv_options *options ASH__DEFAULT);

/**
 * A matrix from a CSV text in memory, by the rules of ash_read_csv_opt.
 *
 * @param text     borrowed for the call; no final 0 is needed. NULL with nbytes 0.
 * @param nbytes   of the text.
 * @param options  as for ash_read_csv_opt.
 * @return         a new array, the caller's or its scope's; NULL with the statuses of ash_read_csv_opt but ASH_ERR_IO.
 */
ASH_API ash_array *ash_parse_csv_opt(const char *text, size_t nbytes, const ash_csv_options *options ASH__DEFAULT);

/**
 * Writes a vector, one element a line, or a matrix, one row a line.
 *
 * Exact   ash_read_csv with the same .dtype reads back the same bits (of a NaN: a NaN).
 * Files   the text goes to a temporary name in the same folder and then takes the place of path at once; on failure an old
 *         file stays as it was.
 *
 * @param a        borrowed; any strides, any plain dtype, rank 1 or 2.
 * @param path     borrowed; what is no regular file (a pipe, /dev/stdout) is written directly.
 * @param options  NULL for the defaults; .separator is no letter, digit, sign, point, quote or line end.
 * @return         ASH_OK; ASH_ERR_SHAPE for another rank, ASH_ERR_DTYPE for records, ASH_ERR_ARGUMENT, ASH_ERR_IO,
 *                 ASH_ERR_MEMORY, ASH_ERR_RELEASED.
 */
ASH_API ash_status ash_write_csv_opt(const ash_array *a, const char *path, const ash_csv_write_options *options ASH__DEFAULT);

/**
 * An array from a NumPy file (versions 1.0 to 3.0). docs/files.md has the dtypes and how they correspond.
 *
 * Shape   the file's; fortran_order gives a column-major array.
 * Dtype   the file's: bool, integers, f16, f32, f64, complex f32 and f64, bf16 (`<V2`), records (laid out as a C compiler lays
 *         out the struct; with .dtype = particle_dtype() the record must be that one). Other byte orders are turned.
 * Checks  everything that the header says is checked against the size of the file before memory is asked for; bytes behind the
 *         data are left alone.
 *
 * @param path     borrowed.
 * @param options  NULL for the defaults. .mapped reads nothing: the array lives in the file's pages until it is released, on a
 *                 device that works in host memory, for elements that lie in the file as in memory. The file must not be cut
 *                 while the array lives: that is a bus error on every system.
 * @return         a new array, the caller's or its scope's; NULL with ASH_ERR_IO, ASH_ERR_FORMAT (a header that lies; the text
 *                 names the field), ASH_ERR_UNSUPPORTED (strings, objects, dates, 128-bit types; a mapping that cannot be),
 *                 ASH_ERR_VALUE (a conversion), ASH_ERR_ARGUMENT, ASH_ERR_DTYPE or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_read_npy_opt(const char *path, const ash_file_options *options ASH__DEFAULT);

/**
 * An array from the bytes of an NPY file in memory, by the rules of ash_read_npy_opt.
 *
 * @param data     borrowed for the call; any alignment.
 * @param nbytes   of the data.
 * @param options  as for ash_read_npy_opt; .mapped is an argument error.
 * @return         a new array, the caller's or its scope's; NULL with the statuses of ash_read_npy_opt but ASH_ERR_IO.
 */
ASH_API ash_array *ash_parse_npy_opt(const void *data, size_t nbytes, const ash_file_options *options ASH__DEFAULT);

/**
 * Writes a NumPy file, byte for byte as numpy.save does: version 1.0 where it can, fortran_order for what is column-major only,
 * everything strided in row-major order. bf16 is written as `<V2`, complex integers and halves as records of re and im.
 * The file takes the place of path at once, as with ash_write_csv_opt.
 *
 * @param a     borrowed; any strides, any dtype.
 * @param path  borrowed.
 * @return      ASH_OK, ASH_ERR_IO, ASH_ERR_MEMORY, ASH_ERR_ARGUMENT or ASH_ERR_RELEASED.
 */
ASH_API ash_status ash_write_npy(const ash_array *a, const char *path);

/**
 * One array of an NPZ file, a ZIP archive of NPY files. docs/files.md has the limits.
 *
 * Shape   as of ash_read_npy_opt.
 * Dtype   as of ash_read_npy_opt.
 * Checks  members are stored or deflated and not encrypted; the checksum of one that is read must be right. What a member's
 *         header says is checked against the directory of the archive, and that against what deflate can do, before memory is
 *         asked for.
 *
 * @param path     borrowed; a pipe will do.
 * @param name     borrowed; of the array, without `.npy`; NULL for the only one of a file that has one.
 * @param options  as for ash_read_npy_opt; .mapped is for stored members that are aligned, as ash_save_npz writes them, and
 *                 checks no checksum.
 * @return         a new array, the caller's or its scope's; NULL with the statuses of ash_read_npy_opt, ASH_ERR_BOUNDS (no such
 *                 array), ASH_ERR_UNSUPPORTED (also a library built without zlib).
 */
ASH_API ash_array *ash_read_npz_opt(const char *path, const char *name, const ash_file_options *options ASH__DEFAULT);

/**
 * All arrays of an NPZ file as a tree: each under the name of its member without `.npy`, in the archive's order; other members
 * are left alone.
 *
 * Checks  as of ash_read_npz_opt.
 *
 * @param path     borrowed; a pipe will do.
 * @param options  as for ash_read_npz_opt, for every array.
 * @return         a new tree, the caller's or its scope's; NULL with the statuses of ash_read_npz_opt.
 */
ASH_API ash_tree *ash_load_npz_opt(const char *path, const ash_file_options *options ASH__DEFAULT);

/**
 * Writes a tree as an NPZ file, which numpy.load reads: each array as ash_write_npy writes it, called by its path
 * (`layers.0.weight`); scalars become arrays of rank 0. Equal trees give equal files. Stored arrays are aligned and can be
 * mapped. The file takes the place of path at once, as with ash_write_csv_opt.
 *
 * @param t        borrowed; a branch.
 * @param path     borrowed; of a regular file.
 * @param options  NULL for the defaults; .compress: deflate every array.
 * @return         ASH_OK; ASH_ERR_UNSUPPORTED (a text or a range, which the text of the error names; a library built without
 *                 zlib), ASH_ERR_ARGUMENT (a leaf; two leaves of one path), ASH_ERR_IO, ASH_ERR_MEMORY or ASH_ERR_RELEASED.
 */
ASH_API ash_status ash_save_npz_opt(const ash_tree *t, const char *path, const ash_npz_write_options *options ASH__DEFAULT);

/**
 * One tensor of a safetensors file. docs/files.md has the dtypes and the limits.
 *
 * Shape   the file's, row-major.
 * Dtype   the file's: BOOL, U8 to U64, I8 to I64, F16, BF16, F32, F64, C64. A file may hold others: a tensor of one is refused.
 * Checks  the whole table is checked before memory is asked for: its length, each shape against its bytes, and that the
 *         tensors cover the data without gap and overlap. A fault names the tensor and the field.
 *
 * @param path     borrowed; a pipe will do.
 * @param name     borrowed; NULL for the only tensor of a file that has one.
 * @param options  as for ash_read_npy_opt.
 * @return         a new array, the caller's or its scope's; NULL with ASH_ERR_IO, ASH_ERR_FORMAT (a table that lies),
 *                 ASH_ERR_BOUNDS (no such tensor), ASH_ERR_UNSUPPORTED (8-bit floats and smaller; a mapping that cannot be; a
 *                 library built without Jansson), ASH_ERR_VALUE (a conversion), ASH_ERR_ARGUMENT, ASH_ERR_DTYPE or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_read_safetensors_opt(const char *path, const char *name, const ash_file_options *options ASH__DEFAULT);

/**
 * All of a safetensors file as a tree: each tensor under its whole name, dots and all, in the order of their bytes. What
 * ash_save_safetensors keeps in `__metadata__` comes back as the scalars, texts and ranges it was; what others have written
 * there is a branch `__metadata__` of texts.
 *
 * Checks  as of ash_read_safetensors_opt.
 *
 * @param path     borrowed; a pipe will do.
 * @param options  as for ash_read_npy_opt, for every tensor. Mapped tensors share one mapping, which ends with the last of
 *                 them.
 * @return         a new tree, the caller's or its scope's; NULL with the statuses of ash_read_safetensors_opt.
 */
ASH_API ash_tree *ash_load_safetensors_opt(const char *path, const ash_file_options *options ASH__DEFAULT);

/**
 * Writes a tree as a safetensors file: its arrays as tensors, in row-major order, called by their paths (`layers.0.weight`);
 * scalars, texts and ranges as strings of `__metadata__`. Tensors alone are written byte for byte as the reference
 * implementation writes them. The file takes the place of path at once, as with ash_write_csv_opt.
 *
 * @param t     borrowed; a branch. Texts in a branch `__metadata__` are written as they are, for other readers.
 * @param path  borrowed.
 * @return      ASH_OK; ASH_ERR_DTYPE (c_f64, complex integers and halves, records; the text names the leaf), ASH_ERR_VALUE (a
 *              name or a text that is no UTF-8), ASH_ERR_ARGUMENT (a leaf; two leaves of one path), ASH_ERR_UNSUPPORTED (a
 *              header above 100 MB; a library built without Jansson), ASH_ERR_IO, ASH_ERR_MEMORY or ASH_ERR_RELEASED.
 */
ASH_API ash_status ash_save_safetensors(const ash_tree *t, const char *path);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_read_csv(...) ASH__KW1(ash_read_csv_opt, ash_csv_options, __VA_ARGS__, ASH_SIZED(ash_csv_options))
#define ash_parse_csv(...) ASH__KW2(ash_parse_csv_opt, ash_csv_options, __VA_ARGS__, ASH_SIZED(ash_csv_options))
#define ash_write_csv(...) ASH__KW2(ash_write_csv_opt, ash_csv_write_options, __VA_ARGS__, ASH_SIZED(ash_csv_write_options))
#define ash_read_npy(...) ASH__KW1(ash_read_npy_opt, ash_file_options, __VA_ARGS__, ASH_SIZED(ash_file_options))
#define ash_parse_npy(...) ASH__KW2(ash_parse_npy_opt, ash_file_options, __VA_ARGS__, ASH_SIZED(ash_file_options))
#define ash_read_npz(...) ASH__KW2(ash_read_npz_opt, ash_file_options, __VA_ARGS__, ASH_SIZED(ash_file_options))
#define ash_load_npz(...) ASH__KW1(ash_load_npz_opt, ash_file_options, __VA_ARGS__, ASH_SIZED(ash_file_options))
#define ash_save_npz(...) ASH__KW2(ash_save_npz_opt, ash_npz_write_options, __VA_ARGS__, ASH_SIZED(ash_npz_write_options))
#define ash_read_safetensors(...) \
    ASH__KW2(ash_read_safetensors_opt, ash_file_options, __VA_ARGS__, ASH_SIZED(ash_file_options))
#define ash_load_safetensors(...) \
    ASH__KW1(ash_load_safetensors_opt, ash_file_options, __VA_ARGS__, ASH_SIZED(ash_file_options))
#endif
#endif
