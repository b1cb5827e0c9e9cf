/*
 * fourier.h - Fourier transforms on the CPU: tables for one length, and the transforms of lines and blocks that use them.
 *
 * Complex numbers are worked on as two planes, of real and of imaginary parts; exchanging the two turns a forward transform
 * into a backward one. Tables are made once per length and element type, and a few lengths are kept.
 */
#ifndef ASH__CPU_FOURIER_H
#define ASH__CPU_FOURIER_H
#include <stdatomic.h>

#include "backend/cpu/kernels.h"

typedef enum ash__form {
    ASH__FORM_PASSES, /* passes over a block whose rows are several transforms */
    ASH__FORM_SPLIT,  /* n = first*second: the columns of a matrix, then its rows, each as blocks */
    ASH__FORM_PADDED, /* a convolution of a longer, easy length */
    ASH__FORM_REAL    /* of 2*n real numbers, by way of n complex ones */
} ash__form;

typedef enum ash__use {
    ASH__USE_LINE,      /* complex numbers, one line at a time */
    ASH__USE_BLOCK,     /* form PASSES */
    ASH__USE_REAL,      /* form REAL, of which first is for a line */
    ASH__USE_REAL_BLOCK /* form REAL, of which first is of form PASSES */
} ash__use;

enum { ASH__FOURIER_PASSES = 44, ASH__FOURIER_TABLES = 48 };

typedef struct ash__transform {
    atomic_int refs;
    ash__use use;
    ash__form form;
    int64_t n;
    int wide;      /* 0: f32, 1: f64 */
    int64_t lanes; /* elements in ASH__FOURIER_ROW bytes */
    size_t nbytes; /* of the tables */
    void *table[ASH__FOURIER_TABLES];
    int tables;
    struct ash__transform *first, *second; /* SPLIT; PADDED: first is of the longer length; REAL: first is the complex one */

    int passes;
    ash__fourier_pass pass[ASH__FOURIER_PASSES]; /* their radix, m, twiddle and root */

    int64_t width[2];        /* SPLIT: of the blocks of columns, and of rows */
    bool full;               /* SPLIT: fine has all factors, else those of one block, and coarse the rest */
    void *fine_re, *fine_im; /* SPLIT: exp(-2*pi*i*row*column/n). PADDED: the chirp. REAL: exp(-2*pi*i*k/(2*n)) */
    char *coarse;
    void *spectrum_re, *spectrum_im; /* PADDED: of the chirp, divided by the longer length */
} ash__transform;

/* The tables for a length, from those that are kept or new, with one reference. BLOCK has no prime factor above
 * ASH__FOURIER_ODD. NULL after a memory error. */
ash__transform *ash__transform_open(const char *function, int64_t n, int wide, ash__use use);
void ash__transform_close(ash__transform *t); /* NULL is fine */
bool ash__transform_easy(int64_t n);          /* has it no such factor? */

typedef struct ash__planes {
    char *re, *im;
} ash__planes;
/* A line: z points to complex numbers whose parts lie side by side, or is NULL and the parts are in planes. */
typedef struct ash__line {
    char *z;
    ash__planes planes;
} ash__line;

typedef struct ash__lining { /* what a thread transforms lines with */
    const ash__kernels *kernels;
    const ash__fourier_loops *loops;
    int64_t item; /* bytes of a real number */
    char *work;   /* of this thread alone */
} ash__lining;

/* Bytes of work for a line, and for its middle and its blocks apart; all are whole cache lines. */
size_t ash__transform_work(const ash__transform *t);
size_t ash__transform_middle(const ash__transform *t); /* SPLIT: of one of its planes */
size_t ash__transform_blocks(const ash__transform *t);
/* to = scale * the transform of from; the two may be the same. A scale other than 1 asks for to.z. Not for form REAL. */
void ash__transform_line(const ash__lining *l, const ash__transform *t, ash__line from, ash__line to, bool backward,
                         double scale);
/* The two halves of that for form SPLIT, for blocks first to end - 1 of the columns (from into the planes middle) and then of
 * the rows (to out of middle), so that threads can share a line. There are ash__transform_count(t, 0) and (t, 1) of them. */
int64_t ash__transform_count(const ash__transform *t, int half);
void ash__transform_columns(const ash__lining *l, const ash__transform *t, ash__line from, bool backward, ash__planes middle,
                            int64_t first, int64_t end);
void ash__transform_clear(const ash__transform *t, ash__planes middle); /* first of all: what is read past its end */
void ash__transform_rows(const ash__lining *l, const ash__transform *t, ash__planes middle, ash__line to, bool backward,
                         double scale, int64_t first, int64_t end);
/* Form PASSES: a block of n rows of `width` through scratch of two blocks; gives back where the result lies. from may be a. */
ash__planes ash__transform_block(const ash__lining *l, const ash__transform *t, ash__planes from, int64_t from_step,
                                 ash__planes a, ash__planes b, int64_t width);
#endif
