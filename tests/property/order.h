/* order.h - what the models of sorting and searching share. */
#ifndef PROPERTY_ORDER_H
#define PROPERTY_ORDER_H
#include "draw.h"
#include "models/sorted.h"

ash_dtype draw_keyed(key *by); /* a key, and a dtype that has it */
#endif
