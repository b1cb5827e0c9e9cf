"""Shapes changed, arrays joined, moved, repeated and taken apart."""

import math
import operator

from . import _dtypes
from ._array import Array, wrap
from ._axes import axes_of, axis_of
from ._native import lib, made, options, pointers, sizes


def _all(arrays, name):
    arrays = list(arrays)
    if not arrays:
        raise ValueError(f"{name}: at least one array is needed")
    for a in arrays:
        if not isinstance(a, Array):
            raise TypeError(f"{name}: takes arrays, not {type(a).__name__}")
    return arrays


def broadcast_shapes(*shapes):
    """The shape that shapes broadcast to.

    Parameters
    ----------
    *shapes : tuple of int

    Returns
    -------
    tuple of int
    """
    result = [1] * max((len(s) for s in shapes), default=0)
    for shape in shapes:
        for k, n in enumerate(reversed(shape), 1):
            if n != 1 and result[-k] not in (1, n):
                raise ValueError(f"shapes {', '.join(str(tuple(s)) for s in shapes)} do not broadcast: {result[-k]} and {n}")
            if n != 1:
                result[-k] = n
    return tuple(result)


def broadcast_to(x, /, shape):
    """An array as if it were larger, a view that is read-only where an element repeats: axes of size 1 repeat."""
    return wrap(made(lib.ash_broadcast_to, x, sizes(tuple(shape))))


def broadcast_arrays(*arrays):
    """Arrays broadcast against each other: a tuple of views."""
    shape = broadcast_shapes(*[a.shape for a in arrays])
    return tuple(broadcast_to(a, shape) for a in arrays)


def concat(arrays, /, *, axis=0):
    """Arrays one behind the other along an axis.

    Parameters
    ----------
    arrays : sequence of Array
        Of equal sizes along the other axes. The result has the promotion of their dtypes.
    axis : int or None
        None: all are made vectors first.
    """
    arrays = _all(arrays, "concat")
    if axis is None:
        arrays, axis = [reshape(a, (-1,)) for a in arrays], 0
    n = arrays[0].ndim
    axis = axis_of(axis, n)
    if any(a.ndim != n for a in arrays):
        raise ValueError(f"concat: arrays of shapes {', '.join(str(a.shape) for a in arrays)} have different ranks")
    d = _dtypes.result_type(*arrays)
    return wrap(made(lib.ash_concat_opt, pointers([a._p for a in arrays]), options("concat", axis=axis, dtype=d.number)))


def stack(arrays, /, *, axis=0):
    """Arrays of one shape along a new axis; ``axis`` counts in the result."""
    arrays = _all(arrays, "stack")
    axis = axis_of(axis, arrays[0].ndim + 1)
    d = _dtypes.result_type(*arrays)
    return wrap(made(lib.ash_stack_opt, pointers([a._p for a in arrays]), options("stack", axis=axis, dtype=d.number)))


def unstack(x, /, *, axis=0):
    """The parts of an array along an axis: a tuple of views, each without the axis."""
    axis = axis_of(axis, x.ndim)
    before = (slice(None),) * axis
    return tuple(x[(*before, i)] for i in range(x.shape[axis]))


def expand_dims(x, /, axis):
    """One more axis of size 1, or several, a view; ``axis`` counts in the result."""
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    for k in sorted(axes_of(tuple(axes), x.ndim + len(axes))):
        x = wrap(made(lib.ash_insert_axis, x, k))
    return x


def squeeze(x, /, axis):
    """Axes of size 1 left out, a view."""
    axes = axes_of(axis, x.ndim)
    if any(x.shape[k] != 1 for k in axes):
        raise ValueError(f"squeeze: axes {axes} of shape {x.shape} have not all the size 1")
    if not axes:
        return wrap(made(lib.ash_share, x))
    return wrap(made(lib.ash_squeeze_opt, x, options("squeeze", axes=sizes(axes))))


def flip(x, /, *, axis=None):
    """Elements in the opposite order along axes; default all."""
    return wrap(made(lib.ash_reverse_opt, x, options("reverse", axes=sizes(axes_of(axis, x.ndim)))))


def permute_dims(x, /, axes):
    """Axes in another order, a view: axis k of the result is axis ``axes[k]`` of x."""
    axes = tuple(axes)
    if len(axes) != x.ndim or sorted(axes_of(axes, x.ndim)) != list(range(x.ndim)):
        raise ValueError(f"permute_dims: {axes} is no order of the {x.ndim} axes")
    return wrap(made(lib.ash_permute, x, sizes(axes)))


def moveaxis(x, source, destination, /):
    """Axes moved to other places, a view; the others keep their order.

    Parameters
    ----------
    x : Array
    source, destination : int or tuple of int
        Where axes stand, and where they are to stand.
    """
    source, destination = axes_of(_tuple(source), x.ndim), axes_of(_tuple(destination), x.ndim)
    if len(source) != len(destination):
        raise ValueError(f"moveaxis: {len(source)} axes cannot go to {len(destination)} places")
    order = [k for k in range(x.ndim) if k not in source]
    for place, k in sorted(zip(destination, source)):
        order.insert(place, k)
    return permute_dims(x, order)


def _tuple(axis):
    return tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def reshape(x, /, shape, *, copy=None):
    """The same elements, in row-major order, under another shape.

    Parameters
    ----------
    x : Array
    shape : tuple of int
        One size may be -1, which is computed.
    copy : bool, optional
        True: always new memory. False: a view, or a ValueError. None: a view where the strides allow it.
    """
    shape = tuple(map(operator.index, shape)) if isinstance(shape, (tuple, list)) else (operator.index(shape),)
    if -1 in shape and 0 in x.shape:
        known = math.prod(n for n in shape if n != -1)
        if known:
            shape = tuple(0 if n == -1 else n for n in shape)
    if copy:
        x = x.copy(layout="row-major")
    try:
        return wrap(made(lib.ash_reshape_opt, x, sizes(shape), None))
    except NotImplementedError as e:
        if copy is False:
            raise ValueError(f"reshape: an array of shape {x.shape} and strides {x.strides} cannot become {shape} "
                             "without a copy") from e
    dense = wrap(made(lib.ash_contiguous_opt, x, None))
    return wrap(made(lib.ash_reshape_opt, dense, sizes(shape), None))


def roll(x, /, shift, *, axis=None):
    """Elements shifted along axes; what leaves at one end comes in at the other.

    Parameters
    ----------
    x : Array
    shift : int or tuple of int
    axis : int or tuple of int, optional
        Default: through all elements in row-major order.
    """
    if axis is None:
        return reshape(roll(reshape(x, (-1,)), shift, axis=0), x.shape)
    axes = tuple(axis_of(k, x.ndim) for k in _tuple(axis))
    shifts = tuple(map(operator.index, _tuple(shift)))
    if len(shifts) == 1:
        shifts *= len(axes)
    if len(axes) == 1:
        axes *= len(shifts)
    if len(axes) != len(shifts):
        raise ValueError(f"roll: {len(shifts)} shifts for {len(axes)} axes")
    total = {}
    for k, s in zip(axes, shifts):
        total[k] = total.get(k, 0) + s
    total = {k: s % x.shape[k] if x.shape[k] else 0 for k, s in total.items()}
    return wrap(made(lib.ash_roll_opt, x, sizes(tuple(total.values())), options("roll", axes=sizes(tuple(total)))))


def repeat(x, repeats, /, *, axis=None):
    """Elements several times in a row along an axis.

    Parameters
    ----------
    x : Array
    repeats : int or Array
        How often; an array says it for each element along the axis.
    axis : int, optional
        Default: of the vector of all elements.
    """
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    axis = axis_of(axis, x.ndim)
    if isinstance(repeats, Array):
        if repeats.size == 1:
            repeats = repeats.item() if repeats.ndim == 0 else reshape(repeats, ()).item()
        else:
            return _repeat_each(x, repeats, axis)
    return wrap(made(lib.ash_repeat_opt, x, operator.index(repeats), options("repeat", axis=axis)))


def _repeat_each(x, repeats, axis):
    from ._creation import arange
    from ._searching import searchsorted
    from ._indexing_functions import take
    from ._statistics import cumulative_sum
    if repeats.shape != (x.shape[axis],):
        raise ValueError(f"repeat: {repeats.shape} repeats for an axis of size {x.shape[axis]}")
    if repeats.size and min(repeats.tolist()) < 0:
        raise ValueError("repeat: a count is negative")
    ends = cumulative_sum(repeats)
    total = ends[-1].item() if ends.size else 0
    return take(x, searchsorted(ends, arange(total), side="right"), axis=axis)


def tile(x, repetitions, /):
    """The whole array several times along each axis; ``repetitions`` has a count for each of the last axes."""
    repetitions = tuple(repetitions)
    return wrap(made(lib.ash_tile, x, sizes(repetitions)))


def matrix_transpose(x, /):
    """The last two axes exchanged, a view."""
    return x.mT
