/* product.h - what a task of kind ASH__TASK_PRODUCT says further. */
#ifndef ASH__PRODUCT_H
#define ASH__PRODUCT_H
#include "ashlar/linalg.h"

/* out = alpha a b + beta out: a is operand[0], b operand[1], over the shape of out, whose last two axes are rows and columns.
 * The axes before are those of the batch; a has `inner` columns, b as many rows. */
struct ash__product {
    int64_t inner;
    bool conjugated[2];         /* a, b */
    ash_structure structure[2]; /* of ASH_DIAGONAL the steps along rows are 0 */
    const void *alpha, *beta;   /* of out's dtype; NULL: 1 and 0 */
};
#endif
