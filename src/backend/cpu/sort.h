/* sort.h - the lines that a sort goes along, and sorting by comparing. */
#ifndef ASH__CPU_SORT_H
#define ASH__CPU_SORT_H
#include "backend/cpu/cpu.h"

ash_status ash__cpu_merge_sort(const ash__task *task); /* merge_sort.c */

/* The lines of a SORT task, in tiles: so many of them that lie side by side in all spans, or one. */
typedef struct ash__lines {
    const ash__task *task;
    int64_t n;             /* elements of a line */
    int64_t tile, tiles;   /* lines of a tile; tiles across */
    int64_t across, outer; /* lines side by side, and how many such rows of lines there are */
    int64_t rank;          /* of the axes that number the rows; behind them stands the axis across */
    int64_t axis[ASH_MAX_RANK];
} ash__lines;

void ash__lines_set(ash__lines *l, const ash__task *task);
/* Where a tile's first line begins in a span, and how many lines it has; tiles are numbered 0 to outer * tiles - 1. */
char *ash__lines_at(const ash__lines *l, const ash__span *span, int64_t number);
int64_t ash__lines_of(const ash__lines *l, int64_t number);
/* Where parts of these sizes begin in one block of memory, and how much that is in all. */
size_t ash__room_plan(const size_t *size, int count, size_t *at);
/* Stores the elements of the task's last operand that count positions along a tile's line name. */
void ash__lines_move(const ash__lines *l, int64_t number, int64_t line, const int64_t *position);
/* Stores the elements of the task's last operand that `count` positions along a tile's line name. */
void ash__lines_move(const ash__lines *l, int64_t number, int64_t line, const int64_t *position);
#endif
