"""Arrays made: of shapes and values, of Python's sequences, of what other libraries have."""

import array as _array_module
import builtins
import ctypes
import operator

from . import _devices, _dtypes, _exchange, _native
from ._array import Array, layout_number, storage_number, wrap
from ._native import lib, made, options, sizes
from ._operands import apply, converted, python_number, scalar_operand


def shape_of(shape):
    if isinstance(shape, (tuple, list)):
        return tuple(operator.index(n) for n in shape)
    return (operator.index(shape),)


_plain_options = {}


def make_options(name, d, device, layout=None, storage=None, **more):
    if device is None and not more and d is not None:  # nothing but numbers: made once
        key = name, d.number, layout, storage
        found = _plain_options.get(key)
        if found is None:
            o = options(name, dtype=d.number, layout=layout_number(layout), storage=storage_number(storage))
            found = _plain_options[key] = bytes(o._obj)
        return found
    return options(name, resources=_devices.queue_for(device), dtype=None if d is None else d.number,
                   layout=layout_number(layout), storage=storage_number(storage), **more)


def default_float(device):
    """The default floating dtype: float64, or float32 where the device lacks it."""
    device = _devices.default_device() if device is None else _devices.Device(device)
    return _dtypes.DEFAULT_FLOAT if device.can("f64") else _dtypes.float32


def _new(function, shape, dtype, device, layout, storage):
    d = default_float(device) if dtype is None else _dtypes.dtype(dtype)
    return wrap(made(function, sizes(shape_of(shape)), make_options("make", d, device, layout, storage)))


def empty(shape, *, dtype=None, device=None, layout=None, storage=None):
    """A new array whose elements are not initialised.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional
        Default float64; float32 on a device without it.
    device : Device or str, optional
        Default the current one.
    layout : {"row-major", "col-major"}, optional
    storage : {"shared", "private"}, optional

    Returns
    -------
    Array
    """
    return _new(lib.ash_empty_opt, shape, dtype, device, layout, storage)


def zeros(shape, *, dtype=None, device=None, layout=None, storage=None):
    """A new array of zeros. Parameters as for `empty`."""
    return _new(lib.ash_zeros_opt, shape, dtype, device, layout, storage)


def ones(shape, *, dtype=None, device=None, layout=None, storage=None):
    """A new array of ones. Parameters as for `empty`."""
    return _new(lib.ash_ones_opt, shape, dtype, device, layout, storage)


def full(shape, fill_value, *, dtype=None, device=None, layout=None, storage=None):
    """A new array of one value.

    Parameters
    ----------
    shape : int or tuple of int
    fill_value : bool, int, float or complex
    dtype : dtype, optional
        Default the one that the value's type has: bool, int64, float64 or complex128.
    device, layout, storage
        As for `empty`.
    """
    if isinstance(fill_value, Array):
        fill_value = fill_value.item()
    number = python_number(fill_value)
    if number is None:
        raise TypeError(f"full: fill_value is a number, not {type(fill_value).__name__}")
    d = _dtypes.default_of(number) if dtype is None else _dtypes.dtype(dtype)
    if d is _dtypes.DEFAULT_FLOAT and dtype is None:
        d = default_float(device)
    return wrap(made(lib.ash_fill_new_opt, sizes(shape_of(shape)), scalar_operand(number, d),
                     make_options("make", d, device, layout, storage)))


def _device_like(x, device):
    return x.device if device is None else device


def empty_like(x, /, *, dtype=None, device=None):
    """A new array like ``x``, not initialised; ``dtype`` and ``device`` override its own."""
    return empty(x.shape, dtype=x.dtype if dtype is None else dtype, device=_device_like(x, device))


def zeros_like(x, /, *, dtype=None, device=None):
    """A new array of zeros like ``x``; ``dtype`` and ``device`` override its own."""
    return zeros(x.shape, dtype=x.dtype if dtype is None else dtype, device=_device_like(x, device))


def ones_like(x, /, *, dtype=None, device=None):
    """A new array of ones like ``x``; ``dtype`` and ``device`` override its own."""
    return ones(x.shape, dtype=x.dtype if dtype is None else dtype, device=_device_like(x, device))


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """A new array of one value like ``x``; ``dtype`` and ``device`` override its own."""
    return full(x.shape, fill_value, dtype=x.dtype if dtype is None else dtype, device=_device_like(x, device))


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """Numbers at equal distances: start, start + step, ... before stop.

    Parameters
    ----------
    start : int or float
        Where there is no ``stop``, that, and the start is 0.
    stop : int or float, optional
    step : int or float
        Not 0.
    dtype : dtype, optional
        Default int64 where all are integers, else float64.
    device : Device or str, optional
    """
    if stop is None:
        start, stop = 0, start
    given = [python_number(v) for v in (start, stop, step)]
    whole = all(isinstance(v, int) for v in given)
    d = _dtypes.dtype(dtype) if dtype is not None else _dtypes.DEFAULT_INT if whole else default_float(device)
    if step == 0:
        raise ValueError("arange: step must not be 0")
    number = _dtypes.int64 if whole else _dtypes.float64
    first, last, by = (scalar_operand(v, number) for v in given)
    by = _native.Operand.from_buffer_copy(by)
    return wrap(made(lib.ash_range_opt, first, last, make_options("range", d, device, step=by)))


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """Numbers at equal distances from start to stop, ``num`` of them.

    Parameters
    ----------
    start, stop : int, float or complex
    num : int
    dtype : dtype, optional
        Default float64, or complex128 where an end is complex.
    device : Device or str, optional
    endpoint : bool
        Whether the last one is ``stop``; else that is the one after the last.
    """
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"linspace: num must not be negative; it is {num}")
    if isinstance(start, complex) or isinstance(stop, complex):
        start, stop = complex(start), complex(stop)
        d = _dtypes.DEFAULT_COMPLEX if dtype is None else _dtypes.dtype(dtype)
        re, im = (linspace(a, b, num, dtype=_dtypes.real_of(d), device=device, endpoint=endpoint)
                  for a, b in ((start.real, stop.real), (start.imag, stop.imag)))
        return apply("complex", re, im)
    d = default_float(device) if dtype is None else _dtypes.dtype(dtype)
    if d.kind == "complex floating":
        return converted(linspace(start, stop, num, dtype=_dtypes.real_of(d), device=device, endpoint=endpoint), d)
    return wrap(made(lib.ash_linspace_opt, float(start), float(stop), num,
                     make_options("linspace", d, device, exclusive=not endpoint)))


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """A matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
    n_cols : int, optional
        Default as many as rows.
    k : int
        The diagonal: above the main one (positive) or below.
    dtype : dtype, optional
        Default float64.
    device : Device or str, optional
    """
    columns = n_rows if n_cols is None else n_cols
    if n_rows == 0 or columns == 0:
        return zeros((n_rows, columns), dtype=dtype, device=device)
    d = default_float(device) if dtype is None else _dtypes.dtype(dtype)
    return wrap(made(lib.ash_eye_opt, n_rows, make_options("eye", d, device, columns=columns, diagonal=k)))


def meshgrid(*arrays, indexing="xy"):
    """Matrices of coordinates from vectors of coordinates.

    Parameters
    ----------
    *arrays : Array
        Vectors, all of one dtype.
    indexing : {"xy", "ij"}
        Whether the first varies along the columns (``"xy"``) or along the first axis.

    Returns
    -------
    tuple of Array
        As many as there are vectors, each with an axis for each of them.
    """
    from ._manipulation import broadcast_to, reshape
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', not {indexing!r}")
    n = len(arrays)
    order = list(range(n))
    if indexing == "xy" and n > 1:
        order[0], order[1] = 1, 0
    shape = [0] * n
    for a, axis in zip(arrays, order):
        shape[axis] = a.size
    return tuple(broadcast_to(reshape(a, [a.size if k == axis else 1 for k in range(n)]), tuple(shape)).copy()
                 for a, axis in zip(arrays, order))


def _triangle(function, x, k):
    return wrap(made(function, x, options("triangle", k=k)))


def tril(x, /, *, k=0):
    """Elements on and below a diagonal of the last two axes, zeros above it; ``k`` is column - row of the diagonal."""
    return _triangle(lib.ash_tril_opt, x, k)


def triu(x, /, *, k=0):
    """Elements on and above a diagonal of the last two axes, zeros below it; ``k`` is column - row of the diagonal."""
    return _triangle(lib.ash_triu_opt, x, k)


# ---- of sequences, buffers and arrays of other libraries


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """An array of what an object holds.

    Parameters
    ----------
    obj : Array, number, nested sequence of numbers, or an array or buffer of another library
        What has ``__dlpack__``, NumPy's array interface or the buffer protocol shares its memory, where that can be.
    dtype : dtype, optional
        Default that of the object; of Python numbers the smallest of bool, int64, float64 and complex128 that has all.
    device : Device or str, optional
        Default that of the object, or the current one.
    copy : bool, optional
        True: always new memory. False: never, or a ValueError. None: only where there is no other way.

    Returns
    -------
    Array
    """
    d = None if dtype is None else _dtypes.dtype(dtype)
    if isinstance(obj, Array):
        return _adjusted(obj, d, device, copy)
    number = python_number(obj)
    if number is not None and not hasattr(obj, "__array_interface__"):
        _refuse_no_copy(copy)
        return full((), number, dtype=d, device=device)
    if isinstance(obj, (list, tuple, range)):
        _refuse_no_copy(copy)
        return _from_sequence(obj, d, device)
    a = _exchange.imported(obj, device, copy)
    if a is None:
        raise TypeError(f"asarray: {type(obj).__name__} is no array, number, sequence or buffer")
    return _adjusted(a, d, device, None if copy else copy)


def _refuse_no_copy(copy):
    if copy is False:
        raise ValueError("asarray: Python numbers cannot become an array without a copy")


def _adjusted(a, d, device, copy):
    here = device is None or _devices.Device(device) is a.device
    if copy is False and not (here and (d is None or d is a.dtype)):
        raise ValueError(f"asarray: an array of {a.dtype} on {a.device} cannot become what is wanted without a copy")
    result = a if here else a.to_device(device)
    if d is not None and d is not a.dtype:
        result = converted(result, d)
    return result.copy() if copy and result is a else result


def _flatten(obj, shape, level, flat):
    """Appends the numbers of nested sequences to flat; the shape is that of the first of each level."""
    if len(obj) != shape[level]:
        raise ValueError(f"asarray: sequences of {shape[level]} and of {len(obj)} elements stand at one level")
    if level + 1 == len(shape):
        for item in obj:
            if isinstance(item, (list, tuple, range)) or (isinstance(item, Array) and item.ndim):
                raise ValueError("asarray: numbers and sequences stand at one level")
            flat.append(item)
        return
    for item in obj:
        if isinstance(item, Array):
            item = item.tolist()
        if not isinstance(item, (list, tuple, range)):
            raise ValueError("asarray: numbers and sequences stand at one level")
        _flatten(item, shape, level + 1, flat)


def _nested_shape(obj):
    shape = []
    while isinstance(obj, (list, tuple, range)) or (isinstance(obj, Array) and obj.ndim):
        shape.append(len(obj))
        if len(obj) == 0:
            break
        obj = obj[0]
    return shape


def _from_sequence(obj, d, device):
    shape = _nested_shape(obj)
    flat = []
    _flatten(obj, shape, 0, flat)
    strong = [x.dtype for x in flat if isinstance(x, Array)]
    flat = [x.item() if isinstance(x, Array) else python_number(x) for x in flat]
    if None in flat:
        raise TypeError("asarray: a sequence holds what is no number")
    natural = _natural(flat, device)
    if d is None:
        d = natural
        if strong and len(strong) == len(flat):
            d = _dtypes.result_type(*strong)
    return _from_numbers(flat, natural, shape, d, device)


def _natural(flat, device):
    """The smallest dtype of Python's kinds of numbers that has all of them."""
    kinds = set(map(type, flat))
    if kinds <= {bool} and kinds:
        return _dtypes.bool
    if complex in kinds:
        return _dtypes.DEFAULT_COMPLEX
    if float in kinds or not kinds or not all(issubclass(k, int) for k in kinds):
        return default_float(device)
    return _dtypes.DEFAULT_INT if builtins.max(flat) < 1 << 63 else _dtypes.uint64


def _from_numbers(flat, natural, shape, d, device):
    """A new array of Python numbers; they go to the library in the widest dtype of their kind, which converts."""
    if natural is _dtypes.bool:
        host, data = natural, bytearray(flat)
    elif natural.kind == "complex floating":
        parts = [part for z in map(complex, flat) for part in (z.real, z.imag)]
        host, data = _dtypes.complex128, _array_module.array("d", parts)
        if d.kind != "complex floating":
            raise TypeError(f"asarray: complex numbers do not go into {d}")
    elif natural.kind in _dtypes.INTEGERS:
        host, data = natural, _array_module.array("q" if natural is _dtypes.int64 else "Q", flat)
    else:
        host, data = _dtypes.float64, _array_module.array("d", flat)
        if d.kind in _dtypes.INTEGERS and flat:
            raise TypeError(f"asarray: floats do not go into {d} without a cast: use astype")
    if d is _dtypes.bool and host is not d:
        host, data = d, bytearray(bool(x) for x in flat)
    place = (ctypes.c_char * memoryview(data).nbytes).from_buffer(data) if flat else None
    return wrap(made(lib.ash_from_host_opt, place, host.number, sizes(shape), make_options("convert", d, device)))


def from_dlpack(x, /, *, device=None, copy=None):
    """An array over the elements of an object with ``__dlpack__``.

    Parameters
    ----------
    x : object
    device : Device or str, optional
        Default that of the elements: a CUDA device, or the default one, in memory of the host.
    copy : bool, optional
        True: always new memory. False: never, or an error. None: only where there is no other way.

    Returns
    -------
    Array
        Read-only where the other library says so.
    """
    return _adjusted(_exchange.from_dlpack(x, device, copy), None, device, None if copy else copy)


def astype(x, dtype, /, *, copy=True, device=None):
    """The array with another dtype, converted as a cast converts: toward zero, ending at the limits; NaN becomes 0.

    Parameters
    ----------
    x : Array
    dtype : dtype
    copy : bool
        Whether an array that has the dtype already is copied too.
    device : Device or str, optional
    """
    d = _dtypes.dtype(dtype)
    if x.dtype.kind == "complex floating" and d.kind in ("real floating", *_dtypes.INTEGERS):
        raise TypeError(f"astype: {x.dtype} to {d} would drop the imaginary parts; use real")
    result = x if device is None else x.to_device(device)
    if d is not x.dtype:
        return converted(result, d)
    return result.copy() if copy and result is x else result
