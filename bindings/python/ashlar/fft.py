"""Fourier transforms: the ``fft`` extension of the array API standard.

A transform of size n along an axis that is longer drops the rest; along one that is shorter, zeros are put behind.
"""

import math
import operator

from . import _dtypes
from ._array import wrap
from ._axes import axes_of, axis_of
from ._creation import make_options, default_float, zeros
from ._elementwise import FUNCTIONS
from ._manipulation import concat
from ._native import lib, made, options, sizes
from ._operands import apply, converted, scalar_operand

__all__ = ["fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft",
           "rfftfreq", "rfftn"]


def _floating(x):
    """Integers are transformed as the default floats."""
    return x if x.dtype.kind in _dtypes.FLOATS else converted(x, default_float(x.device))


def _sized(x, n, axis):
    """The array with n elements along an axis: cut, or with zeros behind."""
    if n < 1:
        raise ValueError(f"a transform needs at least one point along an axis; {n} are asked for")
    have = x.shape[axis]
    if n == have:
        return x
    if n < have:
        return x[(slice(None),) * axis + (slice(0, n),)]
    shape = [n - have if k == axis else m for k, m in enumerate(x.shape)]
    return concat([x, zeros(shape, dtype=x.dtype, device=x.device)], axis=axis)


def _scaled(x, factor):
    if factor == 1:
        return x
    return apply("*", x, scalar_operand(factor, _dtypes.real_of(x.dtype)))


def _factor(norm, count, inverse):
    """What the result is multiplied by; the library divides in inverse transforms only."""
    if norm not in ("backward", "ortho", "forward"):
        raise ValueError(f"norm is 'backward', 'ortho' or 'forward', not {norm!r}")
    if norm == "ortho":
        return math.sqrt(count) if inverse else 1 / math.sqrt(count)
    return (count if inverse else 1 / count) if norm == "forward" else 1


def _sizes_and_axes(x, s, axes):
    """Sizes and axes of a transform along several axes, as the standard has them."""
    if axes is None:
        axes = tuple(range(x.ndim)) if s is None else tuple(range(x.ndim - len(s), x.ndim))
    axes = axes_of(tuple(axes), x.ndim)
    s = [x.shape[k] for k in axes] if s is None else [operator.index(n) for n in s]
    if len(s) != len(axes):
        raise ValueError(f"{len(s)} sizes for {len(axes)} axes")
    return [x.shape[k] if n == -1 else n for n, k in zip(s, axes)], axes


def _transform(function, x, axes, *arguments):
    return wrap(made(function, x, *arguments, options("fft", axes=sizes(sorted(axes)))))


def _complex(function, x, s, axes, norm, inverse):
    x = _floating(x)
    s, axes = _sizes_and_axes(x, s, axes)
    for n, k in zip(s, axes):
        x = _sized(x, n, k)
    if not axes:
        return x
    return _scaled(_transform(function, x, axes), _factor(norm, math.prod(s), inverse))


def _one(x, n, axis):
    k = axis_of(axis, x.ndim)
    return (x.shape[k] if n is None else operator.index(n),), (k,)


def fft(x, /, *, n=None, axis=-1, norm="backward"):
    """The transform along an axis.

    Parameters
    ----------
    x : Array
    n : int, optional
        The size of the transform; default that of the axis.
    axis : int
    norm : {"backward", "ortho", "forward"}
        Which direction is divided by n; ``"ortho"``: both by its square root.
    """
    return _complex(lib.ash_fft_opt, x, *_one(x, n, axis), norm, False)


def ifft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of `fft`, whose parameters it has."""
    return _complex(lib.ash_ifft_opt, x, *_one(x, n, axis), norm, True)


def fftn(x, /, *, s=None, axes=None, norm="backward"):
    """The transform along several axes.

    Parameters
    ----------
    x : Array
    s : sequence of int, optional
        The sizes of the transform; default those of the axes; -1 stands for that of its axis.
    axes : sequence of int, optional
        Default all, or with ``s`` the last ones.
    norm : {"backward", "ortho", "forward"}
        As for `fft`.
    """
    return _complex(lib.ash_fft_opt, x, s, axes, norm, False)


def ifftn(x, /, *, s=None, axes=None, norm="backward"):
    """The inverse of `fftn`, whose parameters it has."""
    return _complex(lib.ash_ifft_opt, x, s, axes, norm, True)


def rfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The transform of real numbers along an axis, n//2 + 1 of its n numbers, which say everything. Parameters as for `fft`."""
    return rfftn(x, s=None if n is None else (n,), axes=(axis,), norm=norm)


def irfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of `rfft`; ``n``, the size of the result, is 2*(m - 1) of m numbers unless it is given."""
    return irfftn(x, s=None if n is None else (n,), axes=(axis,), norm=norm)


def rfftn(x, /, *, s=None, axes=None, norm="backward"):
    """The transform of real numbers along several axes, of which the last is halved. Parameters as for `fftn`."""
    if x.dtype.kind == "complex floating":
        raise TypeError(f"rfft: takes real numbers, not {x.dtype}")
    x = _floating(x)
    s, axes = _sizes_and_axes(x, s, axes)
    for n, k in zip(s, axes):
        x = _sized(x, n, k)
    half = _transform(lib.ash_rfft_opt, x, axes[-1:])
    whole = _transform(lib.ash_fft_opt, half, axes[:-1]) if len(axes) > 1 else half
    return _scaled(whole, _factor(norm, math.prod(s), False))


def irfftn(x, /, *, s=None, axes=None, norm="backward"):
    """The inverse of `rfftn`; the size along the last axis is 2*(m - 1) of m numbers unless ``s`` says another."""
    x = _floating(x)
    given = s is not None
    s, axes = _sizes_and_axes(x, s, axes)
    last = axes[-1]
    n = s[-1] if given else 2 * (x.shape[last] - 1)
    for m, k in zip(s[:-1], axes[:-1]):
        x = _sized(x, m, k)
    x = _sized(x, n // 2 + 1, last)
    if x.dtype.kind == "real floating":
        x = converted(x, _dtypes.complex_of(x.dtype))
    if len(axes) > 1:
        x = _transform(lib.ash_ifft_opt, x, axes[:-1])
    result = _transform(lib.ash_irfft_opt, x, (last,), n)
    return _scaled(result, _factor(norm, math.prod([*s[:-1], n]), True))


def hfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The transform of a signal with Hermitian symmetry, of which x is the first half: real. Parameters as for `irfft`."""
    swapped = {"backward": "forward", "ortho": "ortho", "forward": "backward"}.get(norm, norm)
    return irfft(FUNCTIONS["conj"](x), n=n, axis=axis, norm=swapped)


def ihfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of `hfft`: n//2 + 1 numbers. Parameters as for `fft`."""
    swapped = {"backward": "forward", "ortho": "ortho", "forward": "backward"}.get(norm, norm)
    return FUNCTIONS["conj"](rfft(x, n=n, axis=axis, norm=swapped))


def _frequencies(function, n, d, dtype, device):
    t = default_float(device) if dtype is None else _dtypes.dtype(dtype)
    return wrap(made(function, operator.index(n), float(d), make_options("make", t, device)))


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the n numbers of a transform, in cycles per unit of ``d``, the distance of two samples."""
    return _frequencies(lib.ash_fftfreq_opt, n, d, dtype, device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the n//2 + 1 numbers of `rfft`, in cycles per unit of ``d``."""
    return _frequencies(lib.ash_rfftfreq_opt, n, d, dtype, device)


def fftshift(x, /, *, axes=None):
    """Elements moved so that frequency 0 is in the middle of the axes; default all."""
    return wrap(made(lib.ash_fftshift_opt, x, options("fft_shift", axes=sizes(axes_of(axes, x.ndim)))))


def ifftshift(x, /, *, axes=None):
    """The inverse of `fftshift`."""
    return wrap(made(lib.ash_ifftshift_opt, x, options("fft_shift", axes=sizes(axes_of(axes, x.ndim)))))
