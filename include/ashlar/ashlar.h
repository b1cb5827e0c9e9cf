/* ashlar.h - typed, fixed-size N-dimensional arrays on any device: the whole interface. */
#ifndef ASHLAR_H
#define ASHLAR_H
#include "adapt.h"
#include "array.h"
#include "base.h"
#include "device.h"
#include "dlpack.h"
#include "dtype.h"
#include "error.h"
#include "extend.h"
#include "factor.h"
#include "fft.h"
#include "index.h"
#include "io.h"
#include "linalg.h"
#include "map.h"
#include "order.h"
#include "random.h"
#include "spectral.h"
#include "static.h"
#include "testing.h"
#include "view.h"
#endif
