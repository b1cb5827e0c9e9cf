/* nvrtc.h - CUDA's compiler, NVRTC, opened at run time. */
#ifndef ASH__CUDA_NVRTC_H
#define ASH__CUDA_NVRTC_H
#include <stddef.h>

#include "ashlar/error.h"

/* Looked for once. ASH_OK, or a device error that says what to install. */
ash_status ash__nvrtc_check(const char *function, const char *device);
/* The newest architecture that it knows and a device of `capability` (90: 9.0) runs; 0 with an error. */
int ash__nvrtc_architecture(const char *function, const char *device, int capability);
/* PTX of CUDA C++, ended by 0, for ash__free; NULL with an error that holds the compiler's words. */
char *ash__nvrtc_compile(const char *function, const char *text, int architecture);
/* All that its PTX depends on but the text. */
void ash__nvrtc_identity(int architecture, char *identity, size_t size);
/* Its version: 13000 is 13.0. */
int ash__nvrtc_version(void);
#endif
