"""Elementwise functions: one table, of which functions and operators are made.

An entry is the function string that does it; or several, by the kind of dtype: ``f`` real floating, ``c`` complex (which
``_complex.py`` has), and an empty key for all others. The special cases of the standard are those of C's functions but where a
longer text says so.
"""

import struct

from . import _complex, _dtypes, _native
from ._array import Array, wrap
from ._native import lib
from ._operands import aligned, apply, array_operand, converted, operand, packed, python_number, scalar_operand

_FLOOR_DIVIDE = """(a, b) -> let m = fmod(a, b), d = (a - m)/b, q = m != 0 && ((b < 0) != (m < 0)) ? d - 1 : d, f = floor(q)
                   in b == 0 ? a/b : q == 0 ? copysign(0.0, a/b) : q - f > 0.5 ? f + 1 : f"""
_REMAINDER = "(a, b) -> let m = fmod(a, b) in m != 0 ? ((b < 0) != (m < 0) ? m + b : m) : copysign(m, b)"
_LOGADDEXP = "(a, b) -> a == b ? a + log(2) : max(a, b) + log1p(exp(-abs(a - b)))"

#: name: (text or texts, what it is)
UNARY = {
    "abs": ("abs", "The absolute value; of a complex number the modulus."),
    "acos": ("acos", "The arc cosine, from 0 to pi."),
    "acosh": ("acosh", "The inverse hyperbolic cosine."),
    "asin": ("asin", "The arc sine, from -pi/2 to pi/2."),
    "asinh": ("asinh", "The inverse hyperbolic sine."),
    "atan": ("atan", "The arc tangent, from -pi/2 to pi/2."),
    "atanh": ("atanh", "The inverse hyperbolic tangent."),
    "bitwise_invert": ("~", "All bits inverted; of bool, not."),
    "ceil": ("ceil", "The smallest integer not below."),
    "conj": ("conj", "The complex conjugate."),
    "cos": ("cos", "The cosine."),
    "cosh": ("cosh", "The hyperbolic cosine."),
    "exp": ("exp", "e to the power of each element."),
    "expm1": ("expm1", "exp(x) - 1, exact near 0."),
    "floor": ("floor", "The largest integer not above."),
    "imag": ("imag", "The imaginary part."),
    "isfinite": ("isfinite", "Whether neither infinite nor NaN."),
    "isinf": ("isinf", "Whether infinite; of a complex number, either part."),
    "isnan": ("isnan", "Whether NaN; of a complex number, either part."),
    "log": ("log", "The natural logarithm."),
    "log1p": ("log1p", "log(1 + x), exact near 0."),
    "log2": ("log2", "The logarithm to base 2."),
    "log10": ("log10", "The logarithm to base 10."),
    "logical_not": ("!", "Whether false."),
    "negative": ("neg", "The negative."),
    "positive": ("x -> x", "Each element as it is, in a new array."),
    "real": ("real", "The real part."),
    "reciprocal": ("x -> 1/x", "1/x."),
    "round": ("rint", "The nearest integer, halves to even."),
    "sign": ("sign", "-1, 0 or 1, or NaN itself; of a complex number z/|z|."),
    "signbit": ("signbit", "Whether the sign bit is set, as it is of -0.0."),
    "sin": ("sin", "The sine."),
    "sinh": ("sinh", "The hyperbolic sine."),
    "sqrt": ("sqrt", "The square root."),
    "square": ("x -> x*x", "x*x."),
    "tan": ("tan", "The tangent."),
    "tanh": ("tanh", "The hyperbolic tangent."),
    "trunc": ("trunc", "The integer nearest to x that is no further from 0."),
}

BINARY = {
    "add": ("+", "The sum."),
    "atan2": ("atan2", "The angle of the point (x2, x1), from -pi to pi."),
    "bitwise_and": ("&", "Bitwise and."),
    "bitwise_or": ("|", "Bitwise or."),
    "bitwise_xor": ("xor", "Bitwise exclusive or."),
    "copysign": ("copysign", "The magnitude of x1 with the sign of x2."),
    "divide": ("/", "The quotient; of integers a float."),
    "equal": ("==", "Whether equal."),
    "floor_divide": ({"": "fld", "f": _FLOOR_DIVIDE}, "The quotient rounded toward minus infinity."),
    "greater": (">", "Whether x1 > x2."),
    "greater_equal": (">=", "Whether x1 >= x2."),
    "hypot": ("hypot", "sqrt(x1^2 + x2^2), without overflow on the way."),
    "less": ("<", "Whether x1 < x2."),
    "less_equal": ("<=", "Whether x1 <= x2."),
    "logaddexp": (_LOGADDEXP, "log(exp(x1) + exp(x2)), without overflow on the way."),
    "logical_and": ("&&", "Whether both are true."),
    "logical_or": ("||", "Whether either is true."),
    "logical_xor": ("(a, b) -> bool(a) != bool(b)", "Whether one alone is true."),
    "maximum": ("max", "The larger one; NaN if either is."),
    "minimum": ("min", "The smaller one; NaN if either is."),
    "multiply": ("*", "The product."),
    "nextafter": ("nextafter", "The next float after x1 in the direction of x2."),
    "not_equal": ("!=", "Whether different."),
    "pow": ("(a, b) -> a^b", "x1 to the power x2."),
    "remainder": ({"": "mod", "f": _REMAINDER}, "x1 - floor_divide(x1, x2)*x2: it has the sign of x2."),
    "subtract": ("-", "The difference."),
}

_ARRAY_AND_FLOAT = struct.Struct("iiqqiidd")

#: These compare numbers, whatever the dtype of the array can hold.
_COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}

#: The result has the dtype of the operands, but for bool.
_KEEPING = {"add", "subtract", "multiply"}
_BOOL = _dtypes.bool

_KIND = {"real floating": "f", "complex floating": "c", "complex integer": "c"}


def _text(texts, d):
    return texts.get(_KIND.get(d.kind, ""), texts[""])


def _unary(name, texts, summary):
    if isinstance(texts, str):
        compiled, apply1 = _native.compiled(texts), lib.ash_apply1

        def function(x, /):
            if type(x) is not Array:
                raise TypeError(f"{name}: x is an array, not {type(x).__name__}")
            pointer = apply1(compiled, x._p)
            if not pointer:
                raise _native.failure(name)
            return wrap(pointer)
    else:
        def function(x, /):
            if type(x) is not Array:
                raise TypeError(f"{name}: x is an array, not {type(x).__name__}")
            return apply(_text(texts, x.dtype), x)
    function.__name__ = function.__qualname__ = name
    function.__module__ = "ashlar"
    function.__doc__ = f"""{summary}

        Parameters
        ----------
        x : Array

        Returns
        -------
        Array
            A new array of the shape of x.
        """.replace("\n        ", "\n    ")
    return function


def _beside(value, a, name):
    """A number as an operand beside an array; None where it is none."""
    number = python_number(value)
    if number is None:
        return None
    d = _dtypes.weak(number, a.dtype)
    try:
        return scalar_operand(number, d)
    except OverflowError:
        if name not in _COMPARISONS:
            raise
        for wide in (_dtypes.int64, _dtypes.uint64, _dtypes.float64):
            try:
                return scalar_operand(number, wide)
            except OverflowError:
                pass
        raise


def _mixed(texts, name, x1, x2):
    """A function of an array and a number, in either order; NotImplemented for anything else."""
    if type(x1) is Array and (type(x2) is float or type(x2) is int) and x1.dtype.kind == "real floating":
        d = x1.dtype
        both = _ARRAY_AND_FLOAT.pack(1, 0, x1._p, 0, 2, d.number, x2, 0.0)
    elif type(x1) is Array:
        d, other = x1.dtype, _beside(x2, x1, name)
        both = None if other is None else array_operand(x1) + other
    elif type(x2) is Array:
        d, other = x2.dtype, _beside(x1, x2, name)
        both = None if other is None else other + array_operand(x2)
    else:
        return NotImplemented
    if both is None:
        return NotImplemented
    if not isinstance(texts, str):
        number = python_number(x2 if type(x1) is Array else x1)
        texts = _text(texts, _dtypes.weak(number, d))
    pointer = lib.ash_apply(_native.compiled(texts), both, 2)
    if not pointer:
        raise _native.failure(name)
    return wrap(pointer)


def _two_arrays(texts, name, x1, x2):
    x1, x2 = aligned(x1, x2)
    if not isinstance(texts, str):
        texts = _text(texts, _dtypes.promote(x1.dtype, x2.dtype))
    pointer = lib.ash_apply2(_native.compiled(texts), x1._p, x2._p)
    if not pointer:
        raise _native.failure(name)
    return wrap(pointer)


def _binary_core(name, texts):
    """The function that gives NotImplemented where an operand is neither an array nor a number.

    Two arrays of one dtype that is known take the short way; the dtype of an arithmetic result is known then too.
    """
    if not isinstance(texts, str):
        def core(x1, x2):
            if type(x2) is Array and type(x1) is Array:
                return _two_arrays(texts, name, x1, x2)
            return _mixed(texts, name, x1, x2)
        return core

    compiled, apply2, new = _native.compiled(texts), lib.ash_apply2, object.__new__
    keeps = name in _KEEPING

    def core(x1, x2):
        if type(x2) is Array and type(x1) is Array:
            try:
                d = x1._dtype
                if d is not x2._dtype:
                    return _two_arrays(texts, name, x1, x2)
            except AttributeError:
                x1.dtype, x2.dtype  # known from now on
                return core(x1, x2)
            pointer = apply2(compiled, x1._p, x2._p)
            if not pointer:
                raise _native.failure(name)
            a = new(Array)
            a._p = pointer
            if keeps and d is not _BOOL:
                a._dtype = d
            return a
        return _mixed(texts, name, x1, x2)
    return core


def _binary(name, core, summary):
    def function(x1, x2, /):
        result = core(x1, x2)
        if result is NotImplemented:
            raise TypeError(f"{name}: operands are arrays and numbers, at least one of them an array; "
                            f"not {type(x1).__name__} and {type(x2).__name__}")
        return result
    function.__name__ = function.__qualname__ = name
    function.__module__ = "ashlar"
    function.__doc__ = f"""{summary}

        Parameters
        ----------
        x1, x2 : Array, bool, int, float or complex
            At least one is an array. They broadcast; a Python number takes the dtype of the array.

        Returns
        -------
        Array
            A new array of the joined shape.
        """.replace("\n        ", "\n    ")
    return function


def _shift(text):
    """Shifts: the library keeps the dtype of the left side, the standard promotes."""
    core = _binary_core("shift", text)

    def shift(x1, x2):
        if type(x1) is Array and type(x2) is Array:
            x1 = converted(x1, _dtypes.promote(x1.dtype, x2.dtype))
        return core(x1, x2)
    return shift


def _pow(general):
    """Powers: a whole number written as such is multiplied out, as in a function string."""
    def power(x1, x2):
        if type(x2) is int and type(x1) is Array and 0 <= x2 <= 64 and (x2 == 2 or x1.dtype.kind == "complex floating"):
            return apply(f"x -> x^{x2}", x1)
        return general(x1, x2)
    return power


CORES = {name: _binary_core(name, texts) for name, (texts, _) in BINARY.items()}
CORES["pow"] = _pow(CORES["pow"])
CORES["bitwise_left_shift"] = _shift("<<")
CORES["bitwise_right_shift"] = _shift(">>")

_SUMMARIES = {name: summary for name, (_, summary) in BINARY.items()}
_SUMMARIES["bitwise_left_shift"] = "The bits of x1 moved up by x2 places; 0 from as many places on as there are bits."
_SUMMARIES["bitwise_right_shift"] = "The bits of x1 moved down by x2 places, keeping the sign."

FUNCTIONS = {name: _unary(name, {"": text, "c": _complex.TEXTS[name]} if name in _complex.TEXTS else text, summary)
             for name, (text, summary) in UNARY.items()}
FUNCTIONS.update({name: _binary(name, core, _SUMMARIES[name]) for name, core in CORES.items()})
globals().update(FUNCTIONS)


def clip(x, /, min=None, max=None):
    """Each element, or the bound that it is beyond.

    Parameters
    ----------
    x : Array
    min, max : Array, int, float or None
        Bounds; None for none. They broadcast with x. A NaN bound gives NaN.

    Returns
    -------
    Array
        A new array of the dtype of x.
    """
    if min is None and max is None:
        return FUNCTIONS["positive"](x)
    bounds = [operand(b, x.dtype) for b in (min, max) if b is not None]
    text = "clamp" if len(bounds) == 2 else "max" if max is None else "min"
    return apply(text, x, *bounds)


def where(condition, x1, x2, /):
    """Elements of x1 where a condition holds and of x2 elsewhere.

    Parameters
    ----------
    condition : Array
        Of bool; the three broadcast.
    x1, x2 : Array, bool, int, float or complex

    Returns
    -------
    Array
        Of the promotion of x1 and x2.
    """
    beside = next((x.dtype for x in (x1, x2) if type(x) is Array), None)
    if beside is None:
        beside = _dtypes.result_type(x1, x2)
    elif type(x1) is Array and type(x2) is Array:
        x1, x2 = aligned(x1, x2)
    return apply("(c, x, y) -> c ? x : y", condition, operand(x1, beside), operand(x2, beside))


# ---- operators

_UNARY_OPERATORS = {"__neg__": "negative", "__pos__": "positive", "__abs__": "abs", "__invert__": "bitwise_invert"}
_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "pow", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
}
_COMPARISON_OPERATORS = {"__eq__": "equal", "__ne__": "not_equal", "__lt__": "less", "__le__": "less_equal",
                         "__gt__": "greater", "__ge__": "greater_equal"}


def _reflected(core):
    def operator(self, other):
        return core(other, self)
    return operator


def _in_place(name):
    """x op= y, written into the elements of x: its dtype and shape stay."""
    texts = {"bitwise_left_shift": "<<", "bitwise_right_shift": ">>"}.get(name) or BINARY[name][0]

    def operator(self, other):
        other = other if type(other) is Array else _beside(other, self, name)
        if other is None:
            return NotImplemented
        write(self, texts if isinstance(texts, str) else _text(texts, self.dtype), self, other)
        return self
    return operator


def write(out, text, *operands):
    """A function of arrays and packed numbers, into an array that is there."""
    data = packed(operands)
    pair = _native.Pair(_native.ctypes.cast(data, _native.c_void_p).value, len(operands))
    _native.check(lib.ash_map_into_opt(out, text.encode(), pair, None))


for _special, _name in _UNARY_OPERATORS.items():
    setattr(Array, _special, FUNCTIONS[_name])
for _operator, _name in _OPERATORS.items():
    setattr(Array, f"__{_operator}__", CORES[_name])
    setattr(Array, f"__r{_operator}__", _reflected(CORES[_name]))
    setattr(Array, f"__i{_operator}__", _in_place(_name))
for _special, _name in _COMPARISON_OPERATORS.items():
    setattr(Array, _special, CORES[_name])
Array.__hash__ = None
