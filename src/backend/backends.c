/* backends.c - the list of backends that were built in; only this file knows. */
#include "backend/backend.h"

const ash__backend *const ash__backends[] = {&ash__cpu_backend, &ash__opencl_backend, &ash__cuda_backend, NULL};
