/* opencl.h - the driver over OpenCL, for its own files and its tests. */
#ifndef ASH__OPENCL_H
#define ASH__OPENCL_H
#include "backend/gpu/driver.h"

extern const ash__driver ash__opencl_driver;                            /* driver.c */
ash_status ash__opencl_start(const char *function, ash_device *device); /* fills device->state; driver.c */
#endif
