/*
 * rows.h - one element for each work-item, over axes with byte strides of their own in each span: what moves elements.
 *
 *     ash__gpu_rows r = {.work = &w};
 *     ash__gpu_rows_over(&r, shape, rank);
 *     ash__gpu_rows_add(&r, place, stride, item);    span 0, which is written; then spans 1, 2 ...
 *     ash__gpu_rows_add_numbers(&r, first, second);  two integers, as a span
 *     status = ash__gpu_rows_run(&r, element_text);
 *
 * The text defines `element(MEMORY, at, i, w)`. In it Pk is the address of the element in span k, mk the memory of that, and
 * Nk, Nk_1 are the integers of span k.
 */
#ifndef ASH__GPU_ROWS_H
#define ASH__GPU_ROWS_H
#include "backend/gpu/walk.h"

enum { ASH__GPU_ROW_SPANS = 7, ASH__GPU_ROW_WIDTH, /* and what axes are ordered by */ ASH__GPU_ROW_DEFINES = 512 };

typedef struct ash__gpu_rows {
    ash__gpu_work *work;
    int64_t reach;                      /* bytes beyond its own elements that a list leads to in some span */
    bool f64;                           /* the text has such */
    const int64_t *order;               /* strides by which the axes are put in order, longest first; NULL: those of span 0 */
    char defines[ASH__GPU_ROW_DEFINES]; /* text to stand before the element's: "#define LIST u32\n" */
    int rank, spans;
    int64_t size[ASH_MAX_RANK], stride[ASH_MAX_RANK][ASH__GPU_ROW_WIDTH];
    bool scalar[ASH__GPU_ROW_SPANS];
    int64_t number[ASH__GPU_ROW_SPANS][2];
    ash__gpu_place place[ASH__GPU_ROW_SPANS];
    int64_t item[ASH__GPU_ROW_SPANS];
} ash__gpu_rows;

/* The axes, none of size 0. */
void ash__gpu_rows_over(ash__gpu_rows *r, const int64_t *shape, int64_t rank);
/* A span of elements of `item` bytes: where its first one is, and its strides along the axes; NULL: all 0. */
void ash__gpu_rows_add(ash__gpu_rows *r, ash__gpu_place place, const int64_t *stride, int64_t item);
void ash__gpu_rows_add_numbers(ash__gpu_rows *r, int64_t first, int64_t second);
/* Puts the axes in order, merges them, and queues. Once for each r. */
ash_status ash__gpu_rows_run(ash__gpu_rows *r, const char *element);

/* Writes `words` zeros of 4 bytes to working memory. */
ash_status ash__gpu_rows_zero(ash__gpu_work *w, void *memory, int64_t words);

/* More of what stands before the element's text. */
void ash__gpu_rows_define(ash__gpu_rows *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* WORD and WORDS: an element of `size` bytes, at addresses and strides that `bits` has all of or-ed together, as words. Adds a
 * span of numbers. */
void ash__gpu_rows_define_words(ash__gpu_rows *r, size_t size, uint64_t bits);

/* A launch of a kernel of its own. parameters: the struct that is its last one. */
typedef struct ash__gpu_call {
    ash__gpu_work *work;
    const char *defines, *text, *kernel;
    bool f64;                                          /* the text has such */
    void (*put)(ash__text *text, const void *context); /* puts more before the text; may be NULL */
    const void *context;
    void *memory[8];
    int memories;
    const void *parameters;
    size_t nbytes;
    int64_t groups, lines; /* along both axes of the launch */
    int local;
} ash__gpu_call;
ash_status ash__gpu_call_run(const ash__gpu_call *call);

/* src/backend/gpu/kernels, embedded by the build */
extern const char ash__gpu_group_text[], ash__gpu_listed_text[], ash__gpu_select_text[], ash__gpu_radix_text[],
    ash__gpu_keys_text[], ash__gpu_search_text[], ash__gpu_merge_text[];
#endif
