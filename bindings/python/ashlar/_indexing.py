"""Elements and parts of arrays by their places: ``a[1, 2:5]``, ``a[mask]``, ``a[rows, columns] = 0``."""

import builtins
import operator
import struct

from . import _dtypes, _native
from ._array import Array, wrap
from ._elementwise import write
from ._native import lib, made
from ._operands import apply, operand, packed, scalar_operand

_AT, _RANGE, _NEW, _ARRAY = 1, 2, 3, 4
_INDEX = struct.Struct("i4xqqqq")
_OPEN = -(1 << 63)


def _range_of(s, n):
    """A slice of an axis of size n, as Python understands it, as start, stop and step of the library."""
    start, stop, step = s.indices(n)
    if len(range(start, stop, step)) == 0:
        return 0, 0, 1
    return start, _OPEN if stop < 0 else stop, step


def _expanded(a, key):
    """The key as a tuple without an ellipsis, one item for each axis that is named."""
    items = key if isinstance(key, tuple) else (key,)
    named = 0
    for item in items:
        if isinstance(item, Array):
            named += item.ndim if item.dtype is _dtypes.bool else 1
        elif item is not None and item is not Ellipsis:
            named += 1
    if named > a.ndim:
        raise IndexError(f"{named} indices for an array of shape {a.shape}")
    places = [i for i, item in enumerate(items) if item is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index can have one ellipsis")
    whole = (slice(None),) * (a.ndim - named)
    if places:
        return items[:places[0]] + whole + items[places[0] + 1:]
    return items + whole


def _is_array(item):
    return isinstance(item, Array) and (item.ndim > 0 or item.dtype is _dtypes.bool)


def _items(a, items):
    """The library's form of an expanded key: ash_index structs, packed."""
    out = []
    axis = 0
    for item in items:
        if item is None:
            out.append(_INDEX.pack(_NEW, 0, 0, 1, 0))
        elif isinstance(item, slice):
            out.append(_INDEX.pack(_RANGE, *_range_of(item, a.shape[axis]), 0))
            axis += 1
        elif _is_array(item):
            out.append(_INDEX.pack(_ARRAY, 0, 0, 1, item._p))
            axis += item.ndim if item.dtype is _dtypes.bool else 1
        else:
            out.append(_INDEX.pack(_AT, _position(item, axis, a.shape[axis]), 0, 1, 0))
            axis += 1
    return b"".join(out)


def _position(item, axis, n):
    """An integer of a key, which must be within an axis of size n."""
    wrong = f"an index is an integer, a slice, None, an ellipsis or an array, not {type(item).__name__}"
    if isinstance(item, builtins.bool):
        raise IndexError(wrong)
    try:
        k = operator.index(item)
    except TypeError:
        raise IndexError(wrong) from None
    if not -n <= k < n:
        raise IndexError(f"index {k} is out of bounds for axis {axis} of size {n}")
    return k


def wrapped(indices, n):
    """An array of indices with the negative ones counted from the end of an axis of size n."""
    if indices.dtype.kind == "unsigned integer" or n == 0:
        return indices
    return apply("(i, n) -> i < 0 ? i + n : i64(i)", indices, scalar_operand(n, _dtypes.int64))


def _normalized(a, items):
    """The items with negative numbers in index arrays counted from the end."""
    result, axis = [], 0
    for item in items:
        if item is None:
            result.append(item)
            continue
        if _is_array(item) and item.dtype is not _dtypes.bool:
            if item.dtype.kind not in _dtypes.INTEGERS:
                raise IndexError(f"an array of indices holds integers or bool, not {item.dtype}")
            item = wrapped(item, a.shape[axis])
        axis += item.ndim if _is_array(item) and item.dtype is _dtypes.bool else 1
        result.append(item)
    return result


def _index_arrays(items):
    return [i for i, item in enumerate(items) if _is_array(item) and item.dtype is not _dtypes.bool]


def _together(a, items):
    """Several arrays of indices act together, element by element: one array of indices into their axes made one.

    Gives back the array to index, the items, and where the axes of the result that stem from the indices have to go.
    """
    from ._manipulation import broadcast_arrays, permute_dims, reshape
    axis, axes, rest = 0, [], []
    for item in items:
        if item is None or (_is_array(item) and item.dtype is _dtypes.bool):
            raise IndexError("several arrays of indices stand beside integers and slices only")
        if isinstance(item, slice):
            rest.append(axis)
        else:
            axes.append(axis)
        axis += 1
    sizes = [a.shape[k] for k in axes]
    indices = broadcast_arrays(*[_as_array(items[k], a.shape[k], k) for k in axes])
    for index, n in zip(indices, sizes):
        _check_bounds(index, n)
    joined = indices[0]
    for index, n in zip(indices[1:], sizes[1:]):
        joined = apply("(j, n, i) -> j*n + i", joined, scalar_operand(n, _dtypes.int64), index)
    count = 1
    for n in sizes:
        count *= n
    moved = permute_dims(a, (*axes, *rest))
    merged = reshape(moved, (count, *[a.shape[k] for k in rest]))
    neighbours = axes == list(range(axes[0], axes[0] + len(axes)))
    place = len([k for k in rest if k < axes[0]]) if neighbours else 0
    return merged, joined, [items[k] for k in rest], place


def _as_array(item, n, axis):
    from ._creation import asarray
    if not isinstance(item, Array):
        item = operator.index(item)
        if not -n <= item < n:
            raise IndexError(f"index {item} is out of bounds for axis {axis} of size {n}")
        item = asarray(item % n)
    return item


def _check_bounds(index, n):
    """In one flat index an index out of bounds would be another element."""
    from ._utility import any
    if any(apply("(i, n) -> i < 0 || i >= n", index, scalar_operand(n, _dtypes.int64))):
        raise IndexError(f"an index is out of bounds for an axis of size {n}")


def get(a, key):
    """``a[key]``: a view for integers, slices, None and an ellipsis; a new array where there is an array of indices or a
    mask."""
    if isinstance(key, str):
        return a.field(key)
    if type(key) is int and a.shape:
        return wrap(made(lib.ash_view_at, a, _INDEX.pack(_AT, _position(key, 0, a.shape[0]), 0, 1, 0), 1))
    items = _expanded(a, key)
    if not builtins.any(_is_array(item) for item in items):
        return wrap(made(lib.ash_view_at, a, _items(a, items), len(items)))
    items = _normalized(a, items)
    if len(_index_arrays(items)) > 1:
        from ._manipulation import moveaxis
        merged, joined, rest, place = _together(a, items)
        taken = get(merged, (joined, *rest))
        n = joined.ndim
        return taken if place == 0 else moveaxis(taken, tuple(range(n)), tuple(range(place, place + n)))
    return wrap(made(lib.ash_index_opt, a, _items(a, items), len(items), None))


def set(a, key, value):
    """``a[key] = value``; the value broadcasts to what is selected."""
    if isinstance(key, str):
        return store(a.field(key), value)
    items = _expanded(a, key)
    if not builtins.any(_is_array(item) for item in items):
        return store(wrap(made(lib.ash_view_at, a, _items(a, items), len(items))), value)
    items = _normalized(a, items)
    if len(_index_arrays(items)) > 1:
        return _set_together(a, items, value)
    _check_kind(a, value)
    if isinstance(value, Array) and value.ndim:
        from ._manipulation import broadcast_to
        shape = _selected_shape(a, items)
        if shape != value.shape:
            value = broadcast_to(value, shape)
    _native.check(lib.ash_index_into_opt(a, packed([operand(value, a.dtype)]), _items(a, items), len(items), None))


def _selected_shape(a, items):
    """The shape of what an expanded key with arrays selects."""
    shape, axis = [], 0
    for item in items:
        if item is None:
            shape.append(1)
        elif isinstance(item, slice):
            shape.append(len(range(*item.indices(a.shape[axis]))))
            axis += 1
        elif _is_array(item) and item.dtype is _dtypes.bool:
            shape.append(wrap(made(lib.ash_count_opt, item, None)).item())
            axis += item.ndim
        else:
            shape.extend(item.shape if isinstance(item, Array) else ())
            axis += 1
    return tuple(shape)


def _set_together(a, items, value):
    """Several arrays of indices: where the axes cannot be made one without a copy, the copy is written back."""
    merged, joined, rest, place = _together(a, items)
    if place:
        raise IndexError("several arrays of indices to write to stand before slices")
    set(merged, (joined, *rest), value)
    if not lib.ash_is_view(merged):
        from ._manipulation import permute_dims, reshape
        axes = [k for k, item in enumerate(items) if not isinstance(item, slice)]
        order = axes + [k for k in range(a.ndim) if k not in axes]
        back = [order.index(k) for k in range(a.ndim)]
        store(a, permute_dims(reshape(merged, tuple(a.shape[k] for k in order)), tuple(back)))


def _check_kind(a, value):
    """What lowers the kind of a value (a float into integers) is a mistake, not a conversion."""
    d = value.dtype if isinstance(value, Array) else _dtypes.default_of(value) if isinstance(value, (float, complex)) else None
    if d is not None and _RANK.get(d.kind, 0) > _RANK.get(a.dtype.kind, 0):
        raise TypeError(f"{d} cannot be stored in an array of {a.dtype} without a cast: use astype")


_RANK = {"bool": 0, "signed integer": 1, "unsigned integer": 1, "real floating": 2, "complex floating": 3}


def store(a, value):
    """Writes a value, which broadcasts, into all elements."""
    if not isinstance(value, Array):
        from ._creation import asarray
        if isinstance(value, (list, tuple)) or hasattr(value, "__array_interface__"):
            value = asarray(value, device=a.device)
    _check_kind(a, value)
    if isinstance(value, Array) and value.ndim > a.ndim:
        from ._manipulation import reshape
        if value.shape[:value.ndim - a.ndim] == (1,) * (value.ndim - a.ndim):
            value = reshape(value, value.shape[value.ndim - a.ndim:])
    write(a, "x -> x", operand(value, a.dtype))


Array.__getitem__ = get
Array.__setitem__ = set
