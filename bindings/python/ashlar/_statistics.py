"""Sums, extrema, means and running sums along axes."""

import math

from . import _dtypes
from ._array import Array, wrap
from ._axes import axes_of, axis_of
from ._native import lib, made, options, sizes
from ._operands import apply, converted, scalar_operand


def reduced(function, x, axis, keepdims, **more):
    """A reduction of the library, with the axes of the standard."""
    if not isinstance(x, Array):
        raise TypeError(f"x is an array, not {type(x).__name__}")
    if axis is None and not keepdims and not more:
        return wrap(made(function, x, None))
    return wrap(made(function, x, options("reduce", axes=sizes(axes_of(axis, x.ndim)), drop=not keepdims, **more)))


def _summed(function, x, axis, dtype, keepdims):
    if dtype is not None:
        d = _dtypes.dtype(dtype)
        x = converted(x, d)
        result = reduced(function, x, axis, keepdims)
        return converted(result, d)
    return reduced(function, x, axis, keepdims)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """The sum along axes.

    Parameters
    ----------
    x : Array
    axis : int or tuple of int, optional
        Default all.
    dtype : dtype, optional
        Of the result, and what is added up in. Default that of x, but int64 or uint64 for integers and bool.
    keepdims : bool
        Whether the axes stay, with size 1.
    """
    return _summed(lib.ash_sum_opt, x, axis, dtype, keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The product along axes. Parameters as for `sum`."""
    return _summed(lib.ash_prod_opt, x, axis, dtype, keepdims)


def max(x, /, *, axis=None, keepdims=False):
    """The largest element along axes; NaN if any is. Parameters as for `sum`."""
    return reduced(lib.ash_max_opt, x, axis, keepdims)


def min(x, /, *, axis=None, keepdims=False):
    """The smallest element along axes; NaN if any is. Parameters as for `sum`."""
    return reduced(lib.ash_min_opt, x, axis, keepdims)


def mean(x, /, *, axis=None, keepdims=False):
    """The arithmetic mean along axes; NaN of nothing. Parameters as for `sum`."""
    return reduced(lib.ash_mean_opt, x, axis, keepdims)


def _moment(x, axis, correction, keepdims):
    axes = axes_of(axis, x.ndim)
    if correction == 1:
        return reduced(lib.ash_var_opt, x, axis, keepdims)
    result = reduced(lib.ash_var_opt, x, axis, keepdims, population=True)
    if correction == 0:
        return result
    n = math.prod(x.shape[k] for k in axes)
    left = n - correction
    factor = n / left if left > 0 else math.nan
    return apply("*", result, scalar_operand(factor, result.dtype))


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The variance along axes: squared distances from the mean, added, divided by n - correction.

    Parameters
    ----------
    x : Array
    axis : int or tuple of int, optional
        Default all.
    correction : int or float
        1 for the unbiased variance of a sample. Where n - correction is not positive the result is NaN.
    keepdims : bool
    """
    return _moment(x, axis, correction, keepdims)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The standard deviation along axes: the square root of `var`, whose parameters it has."""
    return apply("sqrt", _moment(x, axis, correction, keepdims))


def _running(function, x, axis, dtype, include_initial, first):
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"a running sum or product of an array of rank {x.ndim} needs an axis")
        axis = 0
    axis = axis_of(axis, x.ndim)
    if dtype is not None:
        x = converted(x, _dtypes.dtype(dtype))
    result = wrap(made(function, x, options("scan", axes=sizes((axis,)))))
    if dtype is not None:
        result = converted(result, x.dtype)
    if include_initial:
        from ._creation import full
        from ._manipulation import concat
        shape = [1 if k == axis else n for k, n in enumerate(x.shape)]
        result = concat([full(shape, first, dtype=result.dtype, device=x.device), result], axis=axis)
    return result


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """The running sum along an axis.

    Parameters
    ----------
    x : Array
    axis : int, optional
        May be left out for a vector.
    dtype : dtype, optional
        As for `sum`.
    include_initial : bool
        Whether a 0 comes first.
    """
    return _running(lib.ash_cumsum_opt, x, axis, dtype, include_initial, 0)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """The running product along an axis; with ``include_initial`` a 1 comes first. Parameters as for `cumulative_sum`."""
    return _running(lib.ash_cumprod_opt, x, axis, dtype, include_initial, 1)
