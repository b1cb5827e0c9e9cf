/* fold.c - the table of all folds of one level. */
#include "backend/cpu/kernels/loop.h"

extern const ash__fold_blocks ASH__TABLE(ash__fold_blocks);
extern const ash__fold_rows ASH__TABLE(ash__fold_rows);
extern const ash__fold_columns ASH__TABLE(ash__fold_columns);
extern const ash__fold_deviations ASH__TABLE(ash__fold_deviations);
extern const ash__fold_scans ASH__TABLE(ash__fold_scans);

const ash__fold_table ASH__TABLE(ash__fold) = {
    .blocks = &ASH__TABLE(ash__fold_blocks),
    .rows = &ASH__TABLE(ash__fold_rows),
    .columns = &ASH__TABLE(ash__fold_columns),
    .deviations = &ASH__TABLE(ash__fold_deviations),
    .scans = &ASH__TABLE(ash__fold_scans),
};
