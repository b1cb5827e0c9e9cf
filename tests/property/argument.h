/* argument.h - what the frame of a draw asks of its arguments. */
#ifndef PROPERTY_ARGUMENT_H
#define PROPERTY_ARGUMENT_H
#include "draw.h"

void arguments_begin(void);
void arguments_end(void); /* each is what it must be, with the memory around it */
const argument *argument_number(int i);
bool arguments_private(void); /* all of them */
#endif
