"""Operands of the library's functions: arrays, and numbers of Python with the dtype that they take beside an array."""

import numbers
import struct

from . import _dtypes, _native
from ._array import Array, wrap
from ._native import lib


_OPERAND = struct.Struct("iiqq")
_OPERAND_F = struct.Struct("iidd")
_INTEGER_LIMITS = {d: (_dtypes.iinfo(d).min, _dtypes.iinfo(d).max) for d in _dtypes.STANDARD.values()
                   if d.kind in _dtypes.INTEGERS}


def array_operand(a):
    """The bytes of an ash_operand that is an array."""
    return _OPERAND.pack(1, 0, a._p, 0)


def scalar_operand(value, d):
    """The bytes of an ash_operand that is a number with a dtype."""
    kind = d.kind
    if kind == "real floating":
        return _OPERAND_F.pack(2, d.number, value, 0.0)
    if kind == "complex floating":
        value = complex(value)
        return _OPERAND_F.pack(2, d.number, value.real, value.imag)
    if kind == "bool":
        return _OPERAND.pack(2, d.number, bool(value), 0)
    value = int(value)
    low, high = _INTEGER_LIMITS[d]
    if not low <= value <= high:
        raise OverflowError(f"{value} does not fit {d}")
    return _OPERAND.pack(2, d.number, value if value < 1 << 63 else value - (1 << 64), 0)


def python_number(value):
    """A bool, int, float or complex for a number of Python or of NumPy; None for anything else."""
    if isinstance(value, (bool, int, float, complex)):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, numbers.Complex):
        return complex(value)
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    return None


def operand(value, beside):
    """What `apply` takes: an array itself, or the bytes of a number beside an array of dtype ``beside``."""
    if type(value) is Array:
        return value
    number = python_number(value)
    if number is None:
        raise TypeError(f"an operand is an array or a number, not {type(value).__name__}")
    return scalar_operand(number, _dtypes.weak(number, beside))


def packed(operands):
    """The bytes of a list of operands, good as long as the list is."""
    return b"".join([array_operand(x) if type(x) is Array else x for x in operands])


def aligned(x1, x2):
    """Two arrays; where the library would promote their dtypes otherwise than the standard, one is converted first."""
    d = _dtypes.SIGNS.get((x1.dtype, x2.dtype))
    return (x1, x2) if d is None else (converted(x1, d), converted(x2, d))


def apply(text, *operands):
    """The function of a text of this package, of arrays and packed numbers."""
    pointer = lib.ash_apply(_native.compiled(text), packed(operands), len(operands))
    if not pointer:
        raise _native.failure()
    return wrap(pointer)


def converted(a, d):
    """The array with another dtype, as a cast converts: toward zero, saturating; itself where it has it."""
    return a if a.dtype is d else apply(f"x -> {_cast(d)}(x)", a)


def _cast(d):
    return lib.ash_dtype_name(d.number).decode()
