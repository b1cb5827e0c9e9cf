/* scanning.h - running folds, for ash_scan and the named ones. */
#ifndef ASH__SCANNING_H
#define ASH__SCANNING_H
#include "ops/fold.h"

ash_array *ash__scan_new(const char *function, const ash__operator *op, const ash_array *a, const ash_scan_options *options);
ash_status ash__scan_into(const char *function, const ash__operator *op, ash_array *out, const ash_array *a,
                          const ash_scan_options *options);
#endif
