"""Functions that take elements by arrays of indices."""

from . import _dtypes
from ._array import wrap
from ._axes import axis_of
from ._indexing import wrapped
from ._native import lib, made, options
from ._operands import apply, scalar_operand


def take(x, indices, /, *, axis=None):
    """The slices along an axis that indices name.

    Parameters
    ----------
    x : Array
    indices : Array
        Integers from -n to n - 1, negative ones from the end.
    axis : int, optional
        May be left out for a vector.
    """
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take: an array of rank {x.ndim} needs an axis")
        axis = 0
    axis = axis_of(axis, x.ndim)
    return wrap(made(lib.ash_take_opt, x, wrapped(indices, x.shape[axis]), options("take", axis=axis)))


def take_along_axis(x, indices, /, *, axis=-1):
    """Elements along an axis, each by an index of its own.

    Parameters
    ----------
    x : Array
    indices : Array
        Integers of the rank of x; the other axes broadcast. Negative ones count from the end.
    axis : int
    """
    from ._creation import arange
    from ._manipulation import broadcast_shapes, broadcast_to, reshape
    n = x.ndim
    if indices.ndim != n:
        raise ValueError(f"take_along_axis: indices have rank {indices.ndim}; x has rank {n}")
    axis = axis_of(axis, n)
    others = broadcast_shapes(*[[1 if k == axis else m for k, m in enumerate(a.shape)] for a in (x, indices)])
    x = broadcast_to(x, [x.shape[axis] if k == axis else m for k, m in enumerate(others)])
    shape = tuple(indices.shape[axis] if k == axis else m for k, m in enumerate(others))
    size = x.shape[axis]
    picked = wrapped(indices, size)
    from ._utility import any
    if any(apply("(i, n) -> i < 0 || i >= n", picked, scalar_operand(size, _dtypes.int64))):
        raise IndexError(f"take_along_axis: an index is out of bounds for axis {axis} of size {size}")
    flat = None
    for k in range(n):
        index = picked if k == axis else reshape(arange(shape[k], device=x.device), [-1 if j == k else 1 for j in range(n)])
        if shape[k] == 0 and k != axis:
            index = reshape(arange(0, device=x.device), [0 if j == k else 1 for j in range(n)])
        flat = index if flat is None else apply("(f, m, i) -> f*m + i", flat, scalar_operand(x.shape[k], _dtypes.int64), index)
    if n == 0:
        raise ValueError("take_along_axis: an array of rank 0 has no axis")
    return take(reshape(x, (-1,)), broadcast_to(flat, shape), axis=0)
