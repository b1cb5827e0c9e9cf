"""Element types, and what the standard asks of them: promotion, limits, kinds."""

import builtins
import math

from . import _native
from ._native import lib


class dtype:
    """An element type of the library.

    ``dtype("float64")`` finds one by its name here, ``dtype("f64")`` by the library's own. There is one object for each, so
    ``is`` and ``==`` say the same.

    Attributes
    ----------
    name : str
        ``"float64"``.
    itemsize : int
        Bytes of an element.
    kind : str
        ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"real floating"``, ``"complex floating"``,
        ``"complex integer"`` or ``"record"``.
    """

    __slots__ = ("number", "name", "kind", "itemsize", "typestr", "code", "fields")

    def __new__(cls, name):
        if isinstance(name, dtype):
            return name
        try:
            return _by_name[name]
        except (KeyError, TypeError):
            raise TypeError(f"there is no dtype {name!r}") from None

    def __repr__(self):
        return f"ashlar.{self.name}" if self.kind not in ("record", "complex integer") else f"ashlar.dtype({self.name!r})"

    def __str__(self):
        return self.name

    def __hash__(self):
        return self.number

    def __reduce__(self):
        if self.kind == "record":
            return record, (self.name, {name: field[:1] + field[2:] for name, field in self.fields.items()})
        return dtype, (self.name,)


def _make(number, name, kind, itemsize, typestr=None, code=None, fields=None):
    d = object.__new__(dtype)
    d.number, d.name, d.kind, d.itemsize, d.typestr, d.code, d.fields = number, name, kind, itemsize, typestr, code, fields
    return d


_by_name = {}
_by_number = {}


def _define(number, name, kind, itemsize, typestr=None, code=None):
    d = _make(number, name, kind, itemsize, typestr, code)
    _by_number[number] = _by_name[name] = d
    _by_name[lib.ash_dtype_name(number).decode()] = d
    return d


# The numbers are the library's; typestr is that of NumPy's array interface, code that of the struct module.
bool = _define(1, "bool", "bool", 1, "|b1", "?")
int8 = _define(2, "int8", "signed integer", 1, "|i1", "b")
int16 = _define(3, "int16", "signed integer", 2, "<i2", "h")
int32 = _define(4, "int32", "signed integer", 4, "<i4", "i")
int64 = _define(5, "int64", "signed integer", 8, "<i8", "q")
uint8 = _define(6, "uint8", "unsigned integer", 1, "|u1", "B")
uint16 = _define(7, "uint16", "unsigned integer", 2, "<u2", "H")
uint32 = _define(8, "uint32", "unsigned integer", 4, "<u4", "I")
uint64 = _define(9, "uint64", "unsigned integer", 8, "<u8", "Q")
float16 = _define(10, "float16", "real floating", 2, "<f2", "e")
bfloat16 = _define(11, "bfloat16", "real floating", 2)
float32 = _define(12, "float32", "real floating", 4, "<f4", "f")
float64 = _define(13, "float64", "real floating", 8, "<f8", "d")
for _n, _part in enumerate(("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")):
    _define(14 + _n, "c_" + _part, "complex integer", 2 * lib.ash_dtype_size(2 + _n))
_define(22, "c_f16", "complex floating", 4)
_define(23, "c_bf16", "complex floating", 4)
complex64 = _define(24, "complex64", "complex floating", 8, "<c8", "F")
complex128 = _define(25, "complex128", "complex floating", 16, "<c16", "D")

#: The dtypes of the standard, by name.
STANDARD = {d.name: d for d in (bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64,
                                complex128)}
#: Of the index of an element, and of whole numbers that nothing else is said of.
DEFAULT_INT = int64
DEFAULT_FLOAT = float64
DEFAULT_COMPLEX = complex128

FLOATS = ("real floating", "complex floating")
INTEGERS = ("signed integer", "unsigned integer")

_PART = {"c_f16": float16, "c_bf16": bfloat16, "complex64": float32, "complex128": float64}
_COMPLEX = {part: _by_name[name] for name, part in _PART.items()}


def from_number(number):
    """The dtype with the library's number; records are looked up once."""
    d = _by_number.get(number)
    return d if d is not None else _describe(number)


def real_of(d):
    """The dtype of the parts of a complex one; a real one is its own."""
    return _PART.get(d.name, d)


def complex_of(d):
    """The complex dtype whose parts are of a floating one."""
    return _COMPLEX.get(d, d)


def promote(a, b):
    """The dtype that holds both: by the standard, which has a signed integer for a signed and an unsigned one; where it has no
    answer, by the library."""
    if a is b:
        return a
    signs = SIGNS.get((a, b))
    if signs is not None:
        return signs
    number = lib.ash_dtype_promote(a.number, b.number)
    if not number:
        raise TypeError(f"{a} and {b} have no dtype in common")
    return from_number(number)


def _signs():
    """The promotions of a signed and an unsigned integer, in either order; there is none with uint64."""
    signed = (int8, int16, int32, int64)
    for s in signed:
        for u, next_wider in zip((uint8, uint16, uint32), signed[1:]):
            d = next_wider if next_wider.itemsize > s.itemsize else s
            yield (s, u), d
            yield (u, s), d


SIGNS = dict(_signs())


def weak(value, d):
    """The dtype that a Python number has beside an array of dtype ``d``: that one, unless its kind has no such numbers."""
    if isinstance(value, builtins.bool):
        return d
    if isinstance(value, int):
        return DEFAULT_INT if d is bool else d
    if isinstance(value, float):
        return d if d.kind in FLOATS else DEFAULT_FLOAT
    if isinstance(value, complex):
        return complex_of(d) if d.kind in FLOATS else DEFAULT_COMPLEX
    raise TypeError(f"{value!r} is no number")


def default_of(value):
    """The dtype of a Python number by itself."""
    if isinstance(value, builtins.bool):
        return bool
    return weak(value, bool)


# ---- records


def record(name, fields):
    """A dtype of records: C structs, laid out as a C compiler lays them out.

    Parameters
    ----------
    name : str
        Of the record, for printing.
    fields : dict
        For each field its dtype, or a pair of a dtype and a count for an inner array: ``{"x": (float32, 3), "m": float64}``.

    Returns
    -------
    dtype
        Equal descriptions give the same one.
    """
    infos = (_native.FieldInfo * len(fields))()
    end, largest = 0, 1
    for info, (field, given) in zip(infos, fields.items()):
        d, count = given if isinstance(given, tuple) else (given, 1)
        d = dtype(d)
        align = _alignment(d)
        end = -(-end // align) * align
        largest = max(largest, align)
        info.name, info.dtype, info.offset, info.count = field.encode(), d.number, end, count
        end += d.itemsize * count
    number = lib.ash_dtype_record(name.encode(), -(-end // largest) * largest, infos, len(fields))
    if not number:
        raise _native.failure()
    return from_number(number)


def _alignment(d):
    if d.kind == "record":
        return max(_alignment(field[0]) for field in d.fields.values())
    return real_of(d).itemsize if d.kind != "complex integer" else d.itemsize // 2


def _describe(number):
    """A record that the library knows, and from now on this package."""
    info = _native.FieldInfo()
    fields = {}
    for i in range(lib.ash_dtype_field_count(number)):
        lib.ash_dtype_field(number, i, _native.byref(info))
        fields[info.name.decode()] = (from_number(info.dtype), info.offset, info.count)
    d = _make(number, lib.ash_dtype_name(number).decode(), "record", lib.ash_dtype_size(number), fields=fields)
    return _by_number.setdefault(number, d)


# ---- functions of the standard


class _Info:
    def __init__(self, **given):
        self.__dict__.update(given)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in self.__dict__.items())})"


class finfo_object(_Info):
    """Limits of a floating dtype."""


class iinfo_object(_Info):
    """Limits of an integer dtype."""


#: Bits of the fraction and of the exponent.
_FLOAT_BITS = {float16: (10, 5), bfloat16: (7, 8), float32: (23, 8), float64: (52, 11)}


def _dtype_of(x):
    return x if isinstance(x, dtype) else x.dtype


def finfo(type, /):
    """Limits of a floating dtype, or of that of an array; of a complex one those of its parts.

    Returns
    -------
    object
        With ``bits``, ``eps``, ``max``, ``min``, ``smallest_normal`` and ``dtype``.
    """
    d = real_of(_dtype_of(type))
    if d not in _FLOAT_BITS:
        raise TypeError(f"finfo: {d} is no floating dtype")
    fraction, exponent = _FLOAT_BITS[d]
    bias = 2 ** (exponent - 1) - 1
    largest = math.ldexp(2.0 - math.ldexp(1.0, -fraction), bias)
    return finfo_object(bits=8 * d.itemsize, eps=math.ldexp(1.0, -fraction), max=largest, min=-largest,
                        smallest_normal=math.ldexp(1.0, 1 - bias), dtype=d)


def iinfo(type, /):
    """Limits of an integer dtype, or of that of an array: an object with ``bits``, ``max``, ``min`` and ``dtype``."""
    d = _dtype_of(type)
    if d.kind not in INTEGERS:
        raise TypeError(f"iinfo: {d} is no integer dtype")
    bits = 8 * d.itemsize
    signed = d.kind == "signed integer"
    return iinfo_object(bits=bits, max=2 ** (bits - signed) - 1, min=-(2 ** (bits - 1)) if signed else 0, dtype=d)


def can_cast(from_, to, /):
    """Whether the promotion of both is ``to``: whether a value keeps its kind and its width on the way.

    Parameters
    ----------
    from_ : dtype or Array
    to : dtype
    """
    return lib.ash_dtype_promote(_dtype_of(from_).number, to.number) == to.number


_KINDS = {
    "bool": ("bool",),
    "signed integer": ("signed integer",),
    "unsigned integer": ("unsigned integer",),
    "integral": INTEGERS,
    "real floating": ("real floating",),
    "complex floating": ("complex floating",),
    "numeric": INTEGERS + FLOATS,
}


def isdtype(dtype, kind):
    """Whether a dtype is of a kind.

    Parameters
    ----------
    dtype : dtype
    kind : str, dtype, or tuple of these
        A kind of the standard (``"integral"``, ``"numeric"``, ...), a dtype to compare with, or several, one of which has to
        hold.
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"isdtype: there is no kind {kind!r}")
        return dtype.kind in _KINDS[kind]
    return dtype == kind


def result_type(*arrays_and_dtypes):
    """The dtype that the operands of an operation are brought to.

    Parameters
    ----------
    *arrays_and_dtypes : Array, dtype, bool, int, float or complex
        Python numbers are weak: they take the dtype of the others if its kind has such numbers.
    """
    strong = [_dtype_of(x) for x in arrays_and_dtypes if not isinstance(x, (builtins.bool, int, float, complex))]
    numbers = [x for x in arrays_and_dtypes if isinstance(x, (builtins.bool, int, float, complex))]
    if not strong and not numbers:
        raise ValueError("result_type: at least one operand is needed")
    result = strong[0] if strong else default_of(numbers.pop(0))
    for d in strong[1:]:
        result = promote(result, d)
    for value in numbers:
        result = promote(result, weak(value, result))
    return result
