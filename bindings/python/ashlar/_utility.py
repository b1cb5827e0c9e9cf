"""Whether any, whether all, and differences."""

from ._axes import axis_of
from ._native import lib
from ._statistics import reduced


def all(x, /, *, axis=None, keepdims=False):
    """Whether all elements along axes are true; of nothing yes.

    Parameters
    ----------
    x : Array
    axis : int or tuple of int, optional
        Default all.
    keepdims : bool
        Whether the axes stay, with size 1.
    """
    return reduced(lib.ash_all_opt, x, axis, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    """Whether any element along axes is true; of nothing no. Parameters as for `all`."""
    return reduced(lib.ash_any_opt, x, axis, keepdims)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """Differences of neighbours along an axis, n times over.

    Parameters
    ----------
    x : Array
    axis : int
    n : int
        From 0.
    prepend, append : Array, optional
        Put in front, and behind, first.
    """
    from ._manipulation import concat
    if n < 0:
        raise ValueError(f"diff: n must not be negative; it is {n}")
    axis = axis_of(axis, x.ndim)
    parts = [a for a in (prepend, x, append) if a is not None]
    if len(parts) > 1:
        x = concat(parts, axis=axis)
    before = (slice(None),) * axis
    for _ in range(n):
        later, earlier = x[(*before, slice(1, None))], x[(*before, slice(None, -1))]
        x = later != earlier if x.dtype.kind == "bool" else later - earlier
    return x
