"""Axes as arguments."""

import operator


def axis_of(axis, n, what="axis"):
    """An axis from 0 to n - 1; negative ones count from the end."""
    k = operator.index(axis)
    if not -n <= k < n:
        raise IndexError(f"{what} {k} is out of bounds for an array of rank {n}")
    return k % n


def axes_of(axis, n):
    """A tuple of axes: of None all, of a number that one."""
    if axis is None:
        return tuple(range(n))
    axes = tuple(axis_of(k, n) for k in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    if len(set(axes)) != len(axes):
        raise ValueError(f"an axis is named twice in {axis}")
    return axes
