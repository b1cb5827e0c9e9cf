"""Where elements are."""

from . import _dtypes
from ._array import Array, wrap
from ._axes import axis_of
from ._native import lib, made, options, sizes
from ._operands import operand, packed
from ._statistics import reduced


def _arg(function, x, axis, keepdims):
    if axis is not None:
        axis = axis_of(axis, x.ndim)
    return reduced(function, x, axis, keepdims)


def argmax(x, /, *, axis=None, keepdims=False):
    """Where the largest element is, the first of equal ones.

    Parameters
    ----------
    x : Array
        Real.
    axis : int, optional
        Default: in the vector of all elements.
    keepdims : bool
        Whether the axes stay, with size 1.
    """
    return _arg(lib.ash_argmax_opt, x, axis, keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    """Where the smallest element is, the first of equal ones. Parameters as for `argmax`."""
    return _arg(lib.ash_argmin_opt, x, axis, keepdims)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """How many elements along axes are not 0: int64. Parameters as for `sum`."""
    return reduced(lib.ash_count_opt, x, axis, keepdims)


def nonzero(x, /):
    """The indices of the elements that are not 0: a tuple of vectors, one for each axis, in row-major order."""
    if x.ndim == 0:
        raise ValueError("nonzero: an array of rank 0 has no indices")
    predicate = b"x -> x != 0" if x.dtype.kind in ("complex floating", "complex integer") else None
    found = wrap(made(lib.ash_find_opt, x, options("find", predicate=predicate)))
    return (found,) if x.ndim == 1 else tuple(found[:, k].copy() for k in range(x.ndim))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where values belong in a sorted vector.

    Parameters
    ----------
    x1 : Array
        A vector in ascending order, or one that ``sorter`` puts in order.
    x2 : Array, int or float
        The values.
    side : {"left", "right"}
        In front of equal elements, or behind them.
    sorter : Array, optional
        Indices that sort x1.

    Returns
    -------
    Array
        int64, of the shape of x2.
    """
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', not {side!r}")
    if sorter is not None:
        from ._indexing_functions import take
        x1 = take(x1, sorter)
    return wrap(made(lib.ash_search_sorted_opt, x1, packed([operand(x2, x1.dtype)]), options("search", right=side == "right")))


# ---- order


def _order(function, x, axis, descending):
    if x.ndim == 0:
        raise ValueError("an array of rank 0 has no axis to sort along")
    return wrap(made(function, x, options("sort", axes=sizes((axis_of(axis, x.ndim),)), descending=descending)))


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """Elements in order along an axis; NaNs are the largest.

    Parameters
    ----------
    x : Array
        Real.
    axis : int
    descending : bool
    stable : bool
        Equal elements keep their order in any case.
    """
    return _order(lib.ash_sort_opt, x, axis, descending)


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The indices that put elements in order along an axis: int64. Parameters as for `sort`."""
    return _order(lib.ash_sortperm_opt, x, axis, descending)


def isin(x1, x2, /, *, assume_unique=False, invert=False):
    """Whether each element of x1 is among those of x2.

    Parameters
    ----------
    x1, x2 : Array or number
        At least one is an array. A NaN is equal to nothing.
    assume_unique : bool
        No element is in either twice; of no use here.
    invert : bool
        Whether the answer is turned round.

    Returns
    -------
    Array
        Of bool, of the shape of x1.
    """
    from ._creation import asarray
    from ._elementwise import FUNCTIONS, clip
    from ._indexing_functions import take
    from ._manipulation import reshape
    from ._utility import any
    x1 = x1 if isinstance(x1, Array) else asarray(x1, dtype=_dtypes.result_type(x1, x2))
    x2 = reshape(x2 if isinstance(x2, Array) else asarray(x2, dtype=_dtypes.result_type(x1, x2)), (-1,))
    if x2.size == 0:
        from ._creation import full
        return full(x1.shape, invert, device=x1.device)
    if x2.dtype.kind == "complex floating" or x1.dtype.kind == "complex floating":
        found = any(reshape(x1, (*x1.shape, 1)) == x2, axis=-1)
    else:
        ordered = sort(x2 + 0.0 if x2.dtype.kind == "real floating" else x2)
        flat = x1 + 0.0 if x1.dtype.kind == "real floating" else x1
        place = clip(searchsorted(ordered, flat), max=x2.size - 1)
        found = take(ordered, place) == flat
    return FUNCTIONS["logical_not"](found) if invert else found
