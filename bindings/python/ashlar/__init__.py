"""Typed arrays of fixed size on any device, by the Python array API standard, over the C library libashlar."""

import math as _math

from . import _exchange, _indexing  # these give the array object its methods
from . import config, fft, io, linalg, random
from ._array import Array
from ._creation import (arange, asarray, astype, empty, empty_like, eye, from_dlpack, full, full_like, linspace, meshgrid, ones,
                        ones_like, tril, triu, zeros, zeros_like)
from ._devices import Device, Resources, default_device, devices
from ._dtypes import (bfloat16, bool, can_cast, complex64, complex128, dtype, finfo, float16, float32, float64, iinfo, int8,
                      int16, int32, int64, isdtype, record, result_type, uint8, uint16, uint32, uint64)
from ._elementwise import FUNCTIONS as _table
from ._elementwise import clip, where
from ._errors import *
from ._functions import (adjoint, allclose, equal_arrays, expm, histogram, kron, map, map_reduce, put, reduce, reinterpret,
                         scan, sync, top_k, zip_map)
from ._indexing_functions import take, take_along_axis
from ._info import namespace_info as __array_namespace_info__
from ._linear import matmul, tensordot, vecdot
from ._manipulation import (broadcast_arrays, broadcast_shapes, broadcast_to, concat, expand_dims, flip, matrix_transpose,
                            moveaxis, permute_dims, repeat, reshape, roll, squeeze, stack, tile, unstack)
from ._native import abi as _abi
from ._searching import argmax, argmin, argsort, count_nonzero, isin, nonzero, searchsorted, sort
from ._sets import unique_all, unique_counts, unique_inverse, unique_values
from ._statistics import cumulative_prod, cumulative_sum, max, mean, min, prod, std, sum, var
from ._trees import adapt
from ._utility import all, any, diff

globals().update(_table)

e, inf, nan, pi, newaxis = _math.e, _math.inf, _math.nan, _math.pi, None

__array_api_version__ = "2025.12"
__version__ = _abi.version_text.decode()
