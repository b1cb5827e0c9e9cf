"""Function strings over arrays: maps, reductions and scans in one pass."""

from . import _dtypes, _native
from ._array import Array, layout_number, storage_number, wrap
from ._axes import axes_of, axis_of
from ._manipulation import broadcast_shapes
from ._native import Operand, lib, made, options, sizes
from ._operands import operand, packed, python_number, scalar_operand


def _scalar(value):
    """A number by itself: a bool, an int64, a float64 or a complex128, as C's are."""
    number = python_number(value)
    if number is None:
        raise TypeError(f"an operand is an array or a number, not {type(value).__name__}")
    return scalar_operand(number, _dtypes.default_of(number))


def _weak_operands(operands):
    """Arrays as they are; Python numbers with the dtype that they have beside the first array."""
    first = next((x for x in operands if type(x) is Array), None)
    if first is None:
        return [_scalar(x) for x in operands]
    d = first.dtype
    result = []
    for x in operands:
        if type(x) is Array:
            result.append(x)
            continue
        number = python_number(x)
        if number is None:
            raise TypeError(f"an operand is an array or a number, not {type(x).__name__}")
        if d.kind in ("record", "complex integer"):
            result.append(_scalar(number))
        else:
            result.append(scalar_operand(number, _dtypes.weak(number, d)))
    return result


def _list(operands):
    """Operands as ash_operands, and what has to live as long."""
    held = _weak_operands(operands)
    data = packed(held)
    pair = _native.Pair(_native.ctypes.cast(data, _native.c_void_p).value, len(held))
    pair.held = held, data
    return pair


def _number_of(dtype):
    return None if dtype is None else _dtypes.dtype(dtype).number


def map(function, *operands, out=None, dtype=None, layout=None, storage=None):
    """A function of the elements of arrays and numbers, broadcast against each other, in one pass.

    Parameters
    ----------
    function : str
        ``"x -> x^2 + 1"``, ``"(a, b) -> a*b + 2"``, or a bare name, ``"sqrt"``.
    *operands : Array or number
        One for each parameter. A Python number takes the dtype of the first array.
    out : Array, optional
        Written, and given back.
    dtype : dtype, optional
        Of the result, which is converted as by a cast.
    layout : {"row-major", "col-major"}, optional
    storage : {"shared", "private"}, optional

    Returns
    -------
    Array

    Examples
    --------
    >>> ashlar.map("x -> x^2 + 1", ashlar.asarray([1.0, 2.0]))
    ash.vector f64[2] cpu:0 [2.0 5.0]
    """
    text, operands = function.encode(), _list(operands)
    if out is not None:
        _native.check(lib.ash_map_into_opt(out, text, operands, None))
        return out
    o = options("map", dtype=_number_of(dtype), layout=layout_number(layout), storage=storage_number(storage))
    return wrap(made(lib.ash_map_opt, text, operands, o))


def zip_map(function, *operands):
    """A function of arrays of any shapes, element by element in row-major order, until the shortest ends. Parameters as for
    `map`."""
    return wrap(made(lib.ash_zip_map_opt, function.encode(), _list(operands), None))


def _operand(value, beside):
    """An option that is an array or a number, None where it is not given; it lives as long as the caller's name of it."""
    if value is None:
        return None
    return Operand.from_buffer_copy(packed([operand(value, beside)]))


def _reduction(axis, ndim, keepdims, init, where, beside):
    return options("reduce", axes=sizes(axes_of(axis, ndim)), drop=not keepdims, init=_operand(init, beside),
                   where=_operand(where, beside))


def reduce(operator, x, *, axis=None, keepdims=False, init=None, where=None):
    """Folds an array along axes.

    Parameters
    ----------
    operator : str
        ``"+"``, ``"*"``, ``"min"``, ``"max"``, ``"&&"``, ``"||"``, ``"&"``, ``"|"``, ``"^"``, or a function string of two
        parameters that is associative, ``"(a, b) -> a + b"``, which needs ``init``.
    x : Array
    axis : int or tuple of int, optional
        Default all.
    keepdims : bool
    init : number or Array, optional
        Folded in once.
    where : Array, optional
        Of bool; only these elements take part.
    """
    return wrap(made(lib.ash_reduce_opt, operator.encode(), x, _reduction(axis, x.ndim, keepdims, init, where, x.dtype)))


def map_reduce(function, operator, *operands, axis=None, keepdims=False, init=None, where=None):
    """Folds a function of arrays along axes, in one pass and without a temporary.

    Parameters
    ----------
    function : str
        As for `map`.
    operator : str
        As for `reduce`.
    *operands : Array or number
    axis, keepdims, init, where
        As for `reduce`; axes count in the shape that the operands broadcast to.

    Examples
    --------
    >>> ashlar.map_reduce("(x, y) -> (x - y)^2", "+", ashlar.asarray([1.0, 2.0]), 1.0)
    ash.scalar f64 cpu:0 1.0
    """
    shape = broadcast_shapes(*[x.shape for x in operands if type(x) is Array])
    beside = next((x.dtype for x in operands if type(x) is Array), _dtypes.DEFAULT_FLOAT)
    return wrap(made(lib.ash_map_reduce_opt, function.encode(), operator.encode(), _list(operands),
                     _reduction(axis, len(shape), keepdims, init, where, beside)))


def scan(operator, x, *, axis=None, init=None, exclusive=False):
    """A running fold: element i of the result is the fold of elements 0 to i.

    Parameters
    ----------
    operator : str
        As for `reduce`; a function string needs no ``init`` here.
    x : Array
    axis : int, optional
        Default through all elements in row-major order.
    init : number or Array, optional
        Folded in first.
    exclusive : bool
        Whether element i leaves itself out.
    """
    axes = None if axis is None else sizes((axis_of(axis, x.ndim),))
    return wrap(made(lib.ash_scan_opt, operator.encode(), x,
                     options("scan", axes=axes, init=_operand(init, x.dtype), exclusive=exclusive)))


def equal_arrays(x1, x2, *, identical=False):
    """Whether two arrays have one shape and equal elements; with ``identical`` NaN equals NaN, and 0.0 is not -0.0."""
    return _native.asked(lib.ash_equal_opt(x1, x2, options("equal", identical=identical)))


def allclose(x1, x2, *, rtol=0.0, atol=0.0, nan_equal=False):
    """Whether two arrays have one shape and \\|x1 - x2\\| <= atol + rtol*\\|x2\\| everywhere.

    Without either tolerance ``rtol`` is the square root of the epsilon of the coarser dtype.
    """
    return _native.asked(lib.ash_allclose_opt(x1, x2, options("close", rtol=rtol, atol=atol, nan_equal=nan_equal)))


def histogram(x, bins, *, low=None, high=None, edges=None):
    """How many elements fall into each of a row of bins: a tuple of counts and edges.

    Parameters
    ----------
    x : Array
    bins : int
    low, high : float, optional
        Where the first bin begins and the last one ends; default the least and the largest element.
    edges : Array, optional
        In place of all that: a vector of ascending edges.
    """
    given = {name: Operand.from_buffer_copy(_scalar(float(v))) for name, v in (("low", low), ("high", high)) if v is not None}
    counts, found = _native.made_several(lib.ash_histogram_opt, x, bins if edges is None else 0,
                                         options("histogram", edges=None if edges is None else edges._p, **given))
    return wrap(counts), wrap(found)


def top_k(x, k, *, axis=-1):
    """The k largest elements along an axis, largest first, and where they are: a tuple of values and indices."""
    pointers = _native.made_several(lib.ash_top_k_opt, x, k, options("sort", axes=sizes((axis_of(axis, x.ndim),))))
    return tuple(wrap(p) for p in pointers)


def kron(x1, x2):
    """The Kronecker product: every element of x1 times the whole of x2."""
    return wrap(made(lib.ash_kron_opt, x1, x2, None))


def expm(x):
    """The exponential of square matrices."""
    return wrap(made(lib.ash_expm_opt, x, None))


def put(x, indices, values, *, axis=0, accumulate=False):
    """Writes slices along an axis to the places that indices name.

    Parameters
    ----------
    x : Array
        Written.
    indices : Array
        Integers.
    values : Array or number
        They broadcast.
    axis : int
    accumulate : bool
        Whether values are added to what is there, each one of several for one place too.
    """
    from ._indexing import wrapped
    axis = axis_of(axis, x.ndim)
    value = operand(values, x.dtype)
    _native.check(lib.ash_put_opt(x, wrapped(indices, x.shape[axis]), packed([value]),
                                  options("put", axis=axis, accumulate=accumulate)))


def reinterpret(x, dtype, *, add_axis=False):
    """The same bytes as elements of another dtype, a view; with ``add_axis`` the parts of an element become a last axis."""
    return wrap(made(lib.ash_reinterpret_opt, x, _dtypes.dtype(dtype).number, options("reinterpret", add_axis=add_axis)))


def adjoint(x):
    """The transpose of matrices, conjugated: a view, which reads conjugates."""
    return wrap(made(lib.ash_adjoint, x))


def sync(resources=None):
    """Waits until all work queued on resources (default the current ones) is done; raises the fault of a piece of it."""
    _native.check(lib.ash_sync(None if resources is None else resources._handle))

