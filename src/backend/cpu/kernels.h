/*
 * kernels.h - the tables of vector loops, one per x86-64 level (one in all on other machines).
 *
 * Every kernel is compiled once per level, from one source, and reached through these tables alone; the objects export
 * nothing else. Kernels touch n elements and nothing around them. No kernel allocates or calls back.
 *
 * Kernels of operations: d[i] = op(a[i], b[i], c[i]). d may be any of the inputs exactly, and overlaps none otherwise.
 * Pointers are aligned to the element's size at least. `scalar` bits: bit k set means operand k is one element, read once.
 * Unused operands are NULL; where an operation can fault, the last operand slot (c) points to an int that faults are or-ed
 * into.
 */
#ifndef ASH__KERNELS_H
#define ASH__KERNELS_H
#include "backend/backend.h"
#include "core/dtype.h"
#include "expr/program.h"

typedef void ash__kernel(void *d, const void *a, const void *b, const void *c, int64_t n);

/* Ranges of the list of operations, each with a table of its own. */
enum {
    ASH__BASIC_FIRST = ASH__OP_ADD,  /* arithmetic to SELECT: all types, with loops for scalar operands */
    ASH__MATH_FIRST = ASH__OP_SQRT,  /* to TGAMMA */
    ASH__PARTS_FIRST = ASH__OP_FLOOR, /* to SIGNBIT: rounding, remainders, parts and classes of floats */
    ASH__BASIC_COUNT = ASH__MATH_FIRST - ASH__BASIC_FIRST,
    ASH__MATH_COUNT = ASH__PARTS_FIRST - ASH__MATH_FIRST,
    ASH__PARTS_COUNT = ASH__OP_COUNT - ASH__PARTS_FIRST
};

typedef struct ash__basic_table {
    ash__kernel *op[ASH__BASIC_COUNT][8]; /* [op - first][scalar bits] */
} ash__basic_table;
typedef struct ash__math_table {
    ash__kernel *op[ASH__MATH_COUNT];
} ash__math_table;
typedef struct ash__parts_table {
    ash__kernel *op[2][ASH__PARTS_COUNT]; /* [f32, f64] */
} ash__parts_table;
typedef struct ash__convert_table {
    ash__kernel *convert[ASH__REAL_COUNT][ASH__REAL_COUNT]; /* [from][to], machine types; see ASH__OP_CONVERT */
    ash__kernel *narrow[ASH__REAL_COUNT][ASH__REAL_COUNT];  /* [from][to]; faults through c */
    ash__kernel *load16[2];                                 /* f16, bf16 to f32 */
    ash__kernel *store16[2][2];                             /* [f16, bf16][from f32, f64] to 16 bits, to nearest even, once */
} ash__convert_table;

typedef struct ash__elementwise_table {
    const ash__basic_table *basic[ASH__REAL_COUNT]; /* by machine type of the operands (SELECT: of b and c) */
    const ash__math_table *math[ASH__REAL_COUNT];   /* f32 and f64 */
    const ash__parts_table *parts;
    const ash__convert_table *convert;
} ash__elementwise_table;

/* The loop for an operation on operands of a machine type. With scalar 0 it exists wherever ash__op_classes says so; else
 * only where a loop of its own pays (arithmetic, comparisons, select, min, max): where NULL, the caller expands the scalar. */
static inline ash__kernel *ash__kernel_for(const ash__elementwise_table *t, ash__op op, ash_dtype type, unsigned scalar)
{
    if ((int)op >= ASH__PARTS_FIRST)
        return scalar || type < ASH_F32 ? NULL : t->parts->op[type - ASH_F32][(int)op - ASH__PARTS_FIRST];
    if ((int)op >= ASH__MATH_FIRST)
        return scalar || !t->math[type] ? NULL : t->math[type]->op[(int)op - ASH__MATH_FIRST];
    return (int)op >= ASH__BASIC_FIRST && t->basic[type] ? t->basic[type]->op[(int)op - ASH__BASIC_FIRST][scalar & 7] : NULL;
}
/* d and a may be equal where both types have one size, else they do not overlap. */
static inline ash__kernel *ash__convert_for(const ash__elementwise_table *t, ash_dtype from, ash_dtype to)
{
    return t->convert->convert[from][to];
}
static inline ash__kernel *ash__narrow_for(const ash__elementwise_table *t, ash_dtype from, ash_dtype to)
{
    return t->convert->narrow[from][to];
}
/* half: F16 or BF16 */
static inline ash__kernel *ash__load16_for(const ash__elementwise_table *t, ash_dtype half)
{
    return t->convert->load16[half - ASH_F16];
}
static inline ash__kernel *ash__store16_for(const ash__elementwise_table *t, ash_dtype half, ash_dtype from)
{
    return t->convert->store16[half - ASH_F16][from - ASH_F32];
}

typedef struct ash__layout_table {
    /* n elements of 1, 2, 4, 8, 16 bytes (index 0 to 4), step bytes apart, to or from dense memory. */
    void (*gather[5])(void *d, const void *s, int64_t step, int64_t n);
    void (*scatter[5])(void *d, int64_t step, const void *s, int64_t n);
    void (*splat[5])(void *d, const void *s, int64_t n); /* one element n times */
    /* each of m elements `repeat` times in a row (repeat >= 1): d has m*repeat elements */
    void (*expand[5])(void *d, const void *s, int64_t m, int64_t repeat);
    bool (*within)(const int64_t *index, int64_t n, int64_t bound); /* is each of n indices in 0 .. bound - 1? */
    /* d[2*i] = a[i], d[2*i + 1] = b[i]: n complex numbers from parts of 1, 2, 4, 8 bytes */
    void (*zip[4])(void *d, const void *a, const void *b, int64_t n);
    /* rows x cols elements at s, row step ls bytes, to their transpose at d, row step ld bytes; elements dense in rows */
    void (*transpose[5])(void *d, int64_t ld, const void *s, int64_t ls, int64_t rows, int64_t cols);
} ash__layout_table;
/* Index of the loops for elements of that many bytes, item > 0; -1: there are none. */
static inline int ash__log_of(int64_t item)
{
    return item <= 16 && (item & (item - 1)) == 0 ? __builtin_ctz((unsigned)item) : -1;
}

/*
 * Folds. Every order of operations is fixed, so results are the same bits on every level and for any number of threads:
 * a block is up to ASH__FOLD_BLOCK elements, folded in 128 lanes (element i into lane i mod 128), the lanes then in halves
 * (lane j with j + 64, then j + 32 ...). Blocks are joined by the caller. Entries are NULL where a fold does not exist.
 */
enum { ASH__FOLD_BLOCK = 4096, ASH__LANES = 128 };

typedef struct ash__fold_blocks { /* fold_block.c */
    /* [fold SUM..XOR][machine type]: *d = fold of n >= 1 dense elements; n <= ASH__FOLD_BLOCK where order counts:
     * sums and products of floats. */
    void (*fold[ASH__FOLD_COUNT][ASH__REAL_COUNT])(void *d, const void *a, int64_t n);
    /* Position of the first of n elements with these very bits (a NaN: the first NaN of any kind); n when there is none. */
    int64_t (*first[ASH__REAL_COUNT])(const void *a, const void *value, int64_t n);
} ash__fold_blocks;

typedef struct ash__fold_rows { /* fold_rows.c */
    /* d[k] = fold of the k-th of n rows of 1 <= length <= ASH__LANES dense elements each, several rows at a time; the bits
     * are those of a block. */
    void (*fold[ASH__FOLD_COUNT][ASH__REAL_COUNT])(void *d, const void *a, int64_t length, int64_t n);
} ash__fold_rows;

typedef struct ash__fold_columns { /* fold_columns.c */
    /* d[j] = fold of d[j] and element j of each of the dense rows, in order. With rows = 1 it joins partial results. */
    void (*fold[ASH__FOLD_COUNT][ASH__REAL_COUNT])(void *d, const void *a, int64_t rows, int64_t width);
    void (*widen)(double *d, const float *a, int64_t n);
    void (*round)(float *d, const double *a, int64_t n);
} ash__fold_columns;

typedef struct ash__fold_deviations { /* fold_deviations.c; F32 and F64 alone */
    /* Of n <= ASH__FOLD_BLOCK elements: sum[0] of a[i] - mean and sum[1] of its square, in lanes. */
    void (*block[ASH__REAL_COUNT])(double sum[2], const void *a, double mean, int64_t n);
    /* The same for each column, added to what is there; mean, sum and square of the elements' type. */
    void (*columns[ASH__REAL_COUNT])(void *sum, void *square, const void *a, const void *mean, int64_t rows, int64_t width);
} ash__fold_deviations;

typedef struct ash__fold_scans { /* fold_scan.c */
    /* d[i] = fold of *carry and elements 0 to i; *total = fold of the n <= ASH__FOLD_BLOCK elements alone; both are f64 for
     * sums of f32. d may be a. */
    void (*scan[ASH__FOLD_COUNT][ASH__REAL_COUNT])(void *d, const void *a, const void *carry, void *total, int64_t n);
    /* SUM and PROD of F32 and F64, where the order counts: the total of exactly ASH__FOLD_BLOCK elements, as scan makes it. */
    void (*total[ASH__FOLD_COUNT][ASH__REAL_COUNT])(void *total, const void *a);
    /* For each of rows: s[j] = fold of s[j] and the row's element j, written to d; d may be a. */
    void (*columns[ASH__FOLD_COUNT][ASH__REAL_COUNT])(void *d, const void *a, void *s, int64_t rows, int64_t width);
    void (*columns_wide)(float *d, const float *a, double *s, int64_t rows, int64_t width); /* sums of f32 kept in f64 */
} ash__fold_scans;

typedef struct ash__fold_table {
    const ash__fold_blocks *blocks;
    const ash__fold_rows *rows;
    const ash__fold_columns *columns;
    const ash__fold_deviations *deviations;
    const ash__fold_scans *scans;
} ash__fold_table;

/*
 * Sorting works on keys: unsigned integers of 4 bytes (of dtypes up to 4 bytes) or 8, whose order is that of the elements. flip
 * is xor-ed in: the sign bit of signed integers, and all bits for descending order. Widths are numbered 0 (4 bytes) and
 * 1 (8 bytes).
 */
typedef struct ash__sort_table { /* sort.c */
    /* n keys of dense elements of a real dtype, and back; NaNs come back as one NaN. */
    void (*encode[ASH__REAL_COUNT])(void *key, const void *element, uint64_t flip, int64_t n);
    void (*decode[ASH__REAL_COUNT])(void *element, const void *key, uint64_t flip, int64_t n);
    int64_t few[2]; /* so many keys are sorted in registers; 0: there is no such thing on this level, nor the next two */
    void (*sort_few[2])(void *final, const void *keys, int64_t n); /* n <= few; final may be keys */
    /* Keeps the keys below the bound, or the others, in their order at the front of data, and moves the rest to other, which
     * has room for n. Returns how many stay. */
    int64_t (*part[2])(void *data, void *other, uint64_t bound, bool keep_upper, int64_t n);
} ash__sort_table;

typedef struct ash__select_table { /* select.c; a mask is n bytes */
    int64_t (*count)(const void *mask, int64_t n); /* bytes that are not 0 */
    /* The elements of 1, 2, 4, 8, 16 bytes (index 0 to 4) whose byte is not 0, side by side; `room` is how many these are. */
    void (*compact[5])(void *d, const void *s, const void *mask, int64_t n, int64_t room);
    /* first + i where byte i is not 0; `room` is how many these are. */
    void (*positions)(int64_t *d, int64_t first, const void *mask, int64_t n, int64_t room);
} ash__select_table;

/* One tile of a product: c = alpha a b, or that added to c. Steps are elements; columns of b and of c lie side by side. */
typedef struct ash__tile {
    void *c;
    const void *a, *b;
    int64_t c_row, a_row, a_col, b_row;
    int64_t inner;             /* >= 0 */
    const void *alpha;         /* NULL: 1 */
    bool add;                  /* else c is not read */
} ash__tile;
enum { ASH__TILE_HEIGHTS = 3, ASH__TILE_WIDTHS = 4 };

typedef struct ash__product_loops {
    int64_t item;              /* bytes of an element */
    const void *one, *minus_one; /* as elements; behind one stands a zero: it is a complex number too */
    int64_t height[ASH__TILE_HEIGHTS], width[ASH__TILE_WIDTHS]; /* of tiles, ascending, from 1 row on */
    /* [height][width]; some NULL, but never those of the greatest width at the first and last height */
    void (*tile[ASH__TILE_HEIGHTS][ASH__TILE_WIDTHS])(const ash__tile *t);
    /* c = alpha tile + beta c for rows x cols elements, steps of c in bytes, rows of the tile `width` elements apart; the tile
     * may change. alpha NULL: 1, beta NULL: c is not read. */
    void (*merge)(char *c, int64_t c_row, int64_t c_col, void *tile, int64_t width, int64_t rows, int64_t cols,
                  const void *alpha, const void *beta);
    /* The same from planes of real and imaginary parts. */
    void (*merge_complex)(char *c, int64_t c_row, int64_t c_col, const void *re, const void *im, int64_t width, int64_t rows,
                          int64_t cols, const void *alpha, const void *beta);
    void (*split)(void *re, void *im, const void *line, int64_t n); /* n complex numbers into planes */
    void (*negate)(void *a, int64_t n);
    /* sum[r] += the sum of the n products of row r of a, rows `step` elements apart, with b; in lanes, alike for every row. */
    void (*dots)(void *sum, const void *a, int64_t step, int64_t rows, const void *b, int64_t n);
    /* y[i] += a[k * step + i] x[k] for n elements, in the order of k = 0 .. count - 1. */
    void (*columns)(void *y, const void *a, int64_t step, const void *x, int64_t count, int64_t n);
} ash__product_loops;
typedef struct ash__product_table { /* gemm.c */
    const ash__product_loops *loops[ASH__REAL_COUNT]; /* F32, F64, U32, U64 */
    /* Rows of n bytes from and to rows that lie steps of bytes apart. */
    void (*copy)(char *d, int64_t d_step, const char *s, int64_t s_step, int64_t rows, size_t n);
} ash__product_table;

/*
 * Random numbers are made of words of 32 bits. Of words the kernels read what their n numbers need: one each, two for f64, and
 * a whole number of pairs of numbers for normals.
 */
enum { ASH__RANDOM_STEP = 128 };
typedef struct ash__random_table { /* random.c */
    /* [Philox4x32-10, Philox2x32-7]: n words, a multiple of ASH__RANDOM_STEP, of the counters item, item + 1, ... */
    void (*words[2])(uint32_t *d, const uint32_t key[2], uint64_t item, uint64_t call, int64_t n);
    void (*truth)(void *d, const uint32_t *w, int64_t n); /* bit 0 */
    /* [f32, f64] */
    void (*uniform[2])(void *d, const uint32_t *w, int64_t n);
    void (*exponential[2])(void *d, const uint32_t *w, int64_t n);
    void (*normal[2])(void *d, const uint32_t *w, double scale, int64_t n); /* scale: minus twice the variance */
    /* low + floor(span * words / 2^64), or of four words / 2^128, where span 0 stands for 2^64 */
    void (*range_of_2)(uint64_t *d, const uint32_t *w, uint64_t low, uint64_t span, int64_t n);
    void (*range_of_4)(uint64_t *d, const uint32_t *w, uint64_t low, uint64_t span, int64_t n);
} ash__random_table;

/*
 * Fourier transforms: fourier_passes.h says what a pass is. Complex numbers are planes of real and of imaginary parts; steps
 * and counts are elements. Rows of blocks are whole multiples of ASH__FOURIER_ROW bytes.
 */
enum { ASH__FOURIER_ODD = 31, ASH__FOURIER_ROW = 64 }; /* the largest radix, odd ones above 8; bytes */

typedef struct ash__fourier_pass {
    const void *from_re, *from_im;
    void *to_re, *to_im;         /* not the same memory */
    int64_t from_step, to_step;  /* to the next row */
    int64_t width;               /* of a row */
    int64_t radix, m;            /* radix*m rows */
    const void *twiddle;         /* for each p the factors 1 to radix - 1, parts side by side */
    const void *root;            /* odd radices: exp(2*pi*i*k/radix), parts side by side */
} ash__fourier_pass;

typedef struct ash__fourier_loops {
    void (*pass[9])(const ash__fourier_pass *pass); /* by radix; [0]: odd ones above 8 */
    /* rows of n complex numbers, parts side by side, into planes and back, times scale. */
    void (*split)(void *re, void *im, int64_t step, const void *z, int64_t z_step, int64_t rows, int64_t n);
    void (*join)(void *z, int64_t z_step, const void *re, const void *im, int64_t step, double scale, int64_t rows, int64_t n);
    /* rows of n real numbers, times scale */
    void (*copy)(void *d, int64_t d_step, const void *s, int64_t s_step, double scale, int64_t rows, int64_t n);
    void (*multiply)(void *d_re, void *d_im, const void *a_re, const void *a_im, const void *b_re, const void *b_im, int64_t n);
    /* a block times one of factors, and each row times a number of its own (parts side by side; NULL: none) */
    void (*turn)(void *re, void *im, const void *fine_re, const void *fine_im, const void *coarse, int64_t rows, int64_t width);
    /* n = 2*h real numbers taken as h complex ones: their transform into the first h + 1 numbers of that of the real ones, in
     * place; and from such to what the unscaled inverse transform makes the real numbers of. root[k]: exp(-2*pi*i*k/n). */
    void (*unpack)(void *re, void *im, const void *root_re, const void *root_im, int64_t h);
    void (*pack)(void *re, void *im, const void *root_re, const void *root_im, int64_t h);
    /* the same for blocks of h + 1 rows */
    void (*unpack_rows)(void *re, void *im, const void *root_re, const void *root_im, int64_t h, int64_t width);
    void (*pack_rows)(void *re, void *im, const void *root_re, const void *root_im, int64_t h, int64_t width);
} ash__fourier_loops;

typedef struct ash__fourier_table { /* fourier.c */
    ash__fourier_loops loops[2];    /* f32, f64 */
} ash__fourier_table;

/* Blocks of a factorization (factor.c): column by column, `ld` elements from one column to the next, unless it says row by row.
 * Behind each column, or row of b, are ASH__FACTOR_PAD elements that may change; none are needed where the count is a multiple
 * of that. Of f32, f64, c_f32, c_f64: 0 to 3. */
enum { ASH__FACTOR_PAD = 16 };
typedef struct ash__factor_loops {
    /* LU of m by n with pivots; the first pivot, from 1, that is 0 or no finite number, else 0. */
    int64_t (*lu)(int64_t m, int64_t n, void *a, int64_t ld, int64_t *pivot);
    /* L of n by n, in the lower triangle; the order of the first leading minor that is not positive, else 0. */
    int64_t (*cholesky)(int64_t n, void *a, int64_t ld);
    /* b = t^-1 b: the lower triangle t and the n by k b row by row. */
    void (*solve)(int64_t n, const void *t, int64_t ldt, bool unit, void *b, int64_t ldb, int64_t k);
    void (*reflect)(int64_t m, int64_t n, void *a, int64_t ld, void *tau); /* QR of m by n, as ASH__FACTOR_QR has it */
    /* The n by n upper triangle t, row by row, of H1 ... Hn = I - V t V^H; V with its ones and zeros. */
    void (*join)(int64_t m, int64_t n, const void *v, int64_t ld, const void *tau, void *t);
    int64_t (*finite)(const void *first, int64_t step, int64_t n); /* how many are, up to the first that is not */
} ash__factor_loops;
typedef struct ash__factor_table {
    ash__factor_loops of[4];
} ash__factor_table;

/* The families of kernels: of each, every level exports one table. */
#define ASH__KERNEL_FAMILIES(X, level) \
    X(level, elementwise)              \
    X(level, layout)                   \
    X(level, fold)                     \
    X(level, sort)                     \
    X(level, select)                   \
    X(level, product)                  \
    X(level, random)                   \
    X(level, factor)                   \
    X(level, fourier)

#define ASH__TABLE_MEMBER(level, family) const ash__##family##_table *family;
typedef struct ash__kernels {
    const char *level; /* "v1" to "v4", or "base" */
    ASH__KERNEL_FAMILIES(ASH__TABLE_MEMBER, level)
} ash__kernels;

/* The best level this processor has (feature bits), or ASHLAR_CPU_LEVEL=v1..v4 when it is lower. Never NULL. */
const ash__kernels *ash__cpu_kernels(void);
const ash__kernels *ash__cpu_kernels_at(int level); /* 1 to 4; NULL when not built or not supported here */
#endif
