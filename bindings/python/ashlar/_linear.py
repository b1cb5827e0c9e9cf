"""Products of matrices and vectors: the functions of the standard that stand outside of ``linalg``."""

import math

from ._array import Array, wrap
from ._axes import axis_of
from ._elementwise import FUNCTIONS
from ._manipulation import expand_dims, moveaxis, permute_dims, reshape
from ._native import lib, made
from ._operands import aligned


def matmul(x1, x2, /):
    """The product of matrices.

    Parameters
    ----------
    x1, x2 : Array
        Of rank 1 or more; axes before the last two broadcast. A vector counts as one row on the left, as one column on the
        right.

    Returns
    -------
    Array
        Of the promotion of both.
    """
    if not isinstance(x1, Array) or not isinstance(x2, Array):
        raise TypeError("matmul: operands are arrays")
    return wrap(made(lib.ash_matmul_opt, *aligned(x1, x2), None))


def tensordot(x1, x2, /, *, axes=2):
    """The sum of products over pairs of axes.

    Parameters
    ----------
    x1, x2 : Array
    axes : int or tuple of two sequences of int
        How many of the last axes of x1 go with the first ones of x2; or which go with which.
    """
    n1, n2 = x1.ndim, x2.ndim
    if isinstance(axes, int):
        if axes < 0 or axes > min(n1, n2):
            raise ValueError(f"tensordot: {axes} axes of arrays of shapes {x1.shape} and {x2.shape}")
        first, second = tuple(range(n1 - axes, n1)), tuple(range(axes))
    else:
        first = tuple(axis_of(k, n1) for k in axes[0])
        second = tuple(axis_of(k, n2) for k in axes[1])
    if len(first) != len(second) or any(x1.shape[i] != x2.shape[j] for i, j in zip(first, second)):
        raise ValueError(f"tensordot: axes {first} of shape {x1.shape} do not go with axes {second} of shape {x2.shape}")
    keep1 = [k for k in range(n1) if k not in first]
    keep2 = [k for k in range(n2) if k not in second]
    inner = math.prod(x1.shape[k] for k in first)
    shape1, shape2 = [x1.shape[k] for k in keep1], [x2.shape[k] for k in keep2]
    a = reshape(permute_dims(x1, (*keep1, *first)), (math.prod(shape1), inner))
    b = reshape(permute_dims(x2, (*second, *keep2)), (inner, math.prod(shape2)))
    return reshape(matmul(a, b), (*shape1, *shape2))


def vecdot(x1, x2, /, *, axis=-1):
    """The sum along an axis of the products of elements, those of x1 conjugated.

    Parameters
    ----------
    x1, x2 : Array
        They broadcast, but along the axis.
    axis : int
        Negative; of both, from the end.
    """
    k1, k2 = axis_of(axis, x1.ndim), axis_of(axis, x2.ndim)
    if x1.shape[k1] != x2.shape[k2]:
        raise ValueError(f"vecdot: sizes {x1.shape[k1]} and {x2.shape[k2]} along the axis differ")
    a, b = moveaxis(x1, k1, -1), moveaxis(x2, k2, -1)
    if a.dtype.kind == "complex floating":
        a = FUNCTIONS["conj"](a)
    product = matmul(expand_dims(a, axis=-2), expand_dims(b, axis=-1))
    return product[..., 0, 0]


def _operator(self, other):
    return matmul(self, other) if isinstance(other, Array) else NotImplemented


def _reflected(self, other):
    return NotImplemented  # what stands on the left of an array is no array


def _in_place(self, other):
    if not isinstance(other, Array):
        return NotImplemented
    self[...] = matmul(self, other)
    return self


Array.__matmul__ = _operator
Array.__rmatmul__ = _reflected
Array.__imatmul__ = _in_place
