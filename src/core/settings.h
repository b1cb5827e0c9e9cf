/* settings.h - the list of settings, for printing: every one registers its words here. */
#ifndef ASH__SETTINGS_H
#define ASH__SETTINGS_H
#include "ashlar/device.h"

/* Parses ASHLAR_STORAGE once. */
ash_storage ash__default_storage(const char **source);
#endif
