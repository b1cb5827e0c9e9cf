/* settings.h - the list of settings, for printing: every one registers its words here. */
#ifndef ASH__SETTINGS_H
#define ASH__SETTINGS_H
#include "ashlar/device.h"

/* A whole number from low to high; it stays as it is where the variable is not set. Else an error that names the variable. */
ash_status ash__setting_number(const char *variable, int64_t low, int64_t high, int64_t *value);
/* The file that ASHLAR_LAPACK names, or "off"; NULL: not set, so that LAPACK is looked for. */
const char *ash__lapack_setting(void);
ash_status ash__batch_setting(int *launches); /* that are submitted together: ash_set_batch, ASHLAR_BATCH */
const char *ash__trace_setting(bool *by_program); /* "off", "on", "a function", or a file's path */
/* When typed programs become native code on the CPU device: ASHLAR_NATIVE is 0 or off, auto, or always. */
typedef enum ash__native_use { ASH__NATIVE_OFF = 1, ASH__NATIVE_AUTO, ASH__NATIVE_ALWAYS } ash__native_use;
ash__native_use ash__native_setting(void);
/* As ash__lapack_setting, of OpenCL's loader and ASHLAR_OPENCL. */
const char *ash__opencl_setting(void);
/* A part of the names of the platforms whose devices count, ASHLAR_OPENCL_PLATFORM; NULL: all of them. */
const char *ash__opencl_platform_setting(void);
/* The same of CUDA's driver and its compiler NVRTC: ASHLAR_CUDA_LIBRARY and ASHLAR_NVRTC_LIBRARY. */
const char *ash__cuda_setting(void);
const char *ash__nvrtc_setting(void);
const char *ash__cublas_setting(void);
const char *ash__cufft_setting(void);
const char *ash__cusolver_setting(void);
/* Whose kernels do what NVIDIA has libraries for, on CUDA devices? ASHLAR_CUDA_LIBRARIES: "ours", "theirs" or "auto". */
typedef enum ash__whose { ASH__WHOSE_AUTO, ASH__WHOSE_OURS, ASH__WHOSE_THEIRS } ash__whose;
ash__whose ash__cuda_libraries_setting(void);
/* For tests: the shape that kernels take, "cpu" or "gpu", whatever the device is, or NULL; indices of 64 bits always. */
const char *ash__gpu_shape_setting(void);
bool ash__gpu_wide_setting(void);
/* May products of f32 round their factors to tf32 where a GPU has matrix units for it? ASHLAR_TF32. */
bool ash__tf32_setting(void);
#endif
