"""Elementwise functions: NumPy's values on random arrays, and the special cases of the standard."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ALL, BOOL, COMPLEX, FLOATS, INTEGERS, NUMERIC, REAL, TOLERANCE, arrays, check, ours, pairs, shapes, theirs

import ashlar as xp

UNARY = {
    "abs": NUMERIC, "acos": FLOATS + COMPLEX, "acosh": FLOATS + COMPLEX, "asin": FLOATS + COMPLEX, "asinh": FLOATS + COMPLEX,
    "atan": FLOATS + COMPLEX, "atanh": FLOATS + COMPLEX, "bitwise_invert": BOOL + INTEGERS, "ceil": REAL, "conj": NUMERIC,
    "cos": FLOATS + COMPLEX, "cosh": FLOATS + COMPLEX, "exp": FLOATS + COMPLEX, "expm1": FLOATS + COMPLEX, "floor": REAL,
    "imag": COMPLEX, "isfinite": NUMERIC, "isinf": NUMERIC, "isnan": NUMERIC, "log": FLOATS + COMPLEX,
    "log1p": FLOATS + COMPLEX,
    "log2": FLOATS + COMPLEX, "log10": FLOATS + COMPLEX, "logical_not": BOOL, "negative": NUMERIC, "positive": NUMERIC,
    "real": NUMERIC, "reciprocal": FLOATS, "round": NUMERIC, "sign": REAL, "signbit": FLOATS, "sin": FLOATS + COMPLEX,
    "sinh": FLOATS + COMPLEX, "sqrt": FLOATS + COMPLEX, "square": NUMERIC, "tan": FLOATS + COMPLEX, "tanh": FLOATS + COMPLEX,
    "trunc": REAL,
}
BINARY = {
    "add": NUMERIC, "atan2": FLOATS, "bitwise_and": BOOL + INTEGERS, "bitwise_or": BOOL + INTEGERS,
    "bitwise_xor": BOOL + INTEGERS, "copysign": FLOATS, "divide": FLOATS + COMPLEX, "equal": ALL, "greater": REAL,
    "greater_equal": REAL, "hypot": FLOATS, "less": REAL, "less_equal": REAL, "logaddexp": FLOATS, "logical_and": BOOL,
    "logical_or": BOOL, "logical_xor": BOOL, "maximum": REAL, "minimum": REAL, "multiply": NUMERIC, "nextafter": FLOATS,
    "not_equal": ALL, "subtract": NUMERIC,
}
#: Where a sum of large terms cancels, the result is as exact as the terms.
LOOSE = {"tan": 4, "acosh": 4, "asin": 4, "acos": 4, "log": 4, "log2": 4, "log10": 4, "atanh": 8, "atan": 8}


@pytest.mark.parametrize("name", UNARY)
@given(data=st.data())
def test_unary(name, data):
    a = data.draw(arrays(UNARY[name], special=not UNARY[name][-1] in COMPLEX))
    want = theirs(name)(a)
    if a.dtype.kind in "iu" and name in ("ceil", "floor", "trunc", "round"):
        want = a
    if name == "expm1" and a.dtype.kind == "c":
        want = np.array(want)
        want.imag = np.where(a.imag == 0, a.imag, want.imag)  # NumPy has inf times 0 there
    got = getattr(xp, name)(ours(a))
    check(got, want, LOOSE.get(name, 1) * TOLERANCE.get(str(got.dtype), 0))
    if a.dtype.kind == "f" and got.dtype.name == str(a.dtype) and name != "sign":
        g = np.array(got)
        assert (np.signbit(g) == np.signbit(want))[~np.isnan(want)].all()


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_binary(name, data):
    a, b = data.draw(pairs(BINARY[name], special=BINARY[name][-1] not in COMPLEX))
    if name == "divide" and a.dtype.kind == "c":
        b = np.where(b == 0, 1, b).astype(b.dtype)
    check(getattr(xp, name)(ours(a), ours(b)), theirs(name)(a, b))


@pytest.mark.parametrize("name", ["floor_divide", "remainder"])
@given(data=st.data())
def test_division(name, data):
    a, b = data.draw(pairs(REAL))
    if a.dtype.kind in "iu":
        b = np.where(b == 0, 1, b).astype(b.dtype)
    got, want = getattr(xp, name)(ours(a), ours(b)), theirs(name)(a, b)
    check(got, want)
    if a.dtype.kind == "f":
        assert (np.signbit(np.array(got)) == np.signbit(want))[~np.isnan(want)].all()


@given(pairs(INTEGERS))
def test_integer_division_by_zero_is_an_error(both):
    a, b = both
    if np.broadcast(a, b).size and (b == 0).any():
        with pytest.raises(ValueError, match="zero"):
            xp.floor_divide(ours(a), ours(b))


@given(pairs(FLOATS))
def test_pow_of_floats(both):
    check(xp.pow(*map(ours, both)), theirs("power")(*both), 4e-6 if both[0].dtype == "float32" else None)


@given(pairs(INTEGERS, elements=[0, 1, 2, 3, 5]))
def test_pow_of_integers(both):
    check(xp.pow(*map(ours, both)), theirs("power")(*both))


@given(pairs(COMPLEX, elements=[1.0, 2.5, -1.5 + 1j, 0.5j, 3 - 2j]))
def test_pow_of_complex(both):
    check(xp.pow(*map(ours, both)), theirs("power")(*both), 1e-4 if both[0].dtype == "complex64" else 1e-12)


@pytest.mark.parametrize("name", ["bitwise_left_shift", "bitwise_right_shift"])
@given(data=st.data())
def test_shifts(name, data):
    a, b = data.draw(pairs(INTEGERS))
    b = (np.abs(b.astype("int64")) % (8 * a.dtype.itemsize)).astype(b.dtype)
    check(getattr(xp, name)(ours(a), ours(b)), theirs(name)(a, b))


@given(arrays(REAL), st.sampled_from([None, 0, 1, 2]), st.sampled_from([None, 3, 5]))
def test_clip(a, low, high):
    if low is None and high is None:
        check(xp.clip(ours(a)), a)
    else:
        check(xp.clip(ours(a), low, high), np.clip(a, low, high))


@given(arrays(FLOATS), st.data())
def test_clip_by_arrays(a, data):
    low, high = (data.draw(arrays([str(a.dtype)], shape=a.shape)) for _ in "lh")
    low = np.minimum(low, high)
    check(xp.clip(ours(a), ours(low), ours(high)), np.clip(a, low, high))


@given(pairs(ALL), st.data())
def test_where(both, data):
    condition = data.draw(arrays(BOOL, shape=np.broadcast(*both).shape))
    check(xp.where(ours(condition), *map(ours, both)), np.where(condition, *both))


@given(arrays(FLOATS))
def test_where_with_numbers(a):
    check(xp.where(ours(a > 0), ours(a), 0.0), np.where(a > 0, a, a.dtype.type(0)))
    check(xp.where(ours(a > 0), 1, ours(a)), np.where(a > 0, a.dtype.type(1), a))


OPERATORS = {
    "+": NUMERIC, "-": NUMERIC, "*": NUMERIC, "/": FLOATS, "//": FLOATS, "%": FLOATS, "&": BOOL + INTEGERS,
    "|": BOOL + INTEGERS, "^": BOOL + INTEGERS, "==": ALL, "!=": ALL, "<": REAL, "<=": REAL, ">": REAL, ">=": REAL,
}
NUMBERS = {"b": True, "i": 3, "u": 3, "f": 2.5, "c": 1.5 - 2j}


@pytest.mark.slow_on_devices
@pytest.mark.parametrize("operator", OPERATORS)
@given(data=st.data())
def test_operators(operator, data):
    a, b = data.draw(pairs(OPERATORS[operator], special=False))
    with np.errstate(all="ignore"):
        expression = compile(f"a {operator} b", "operator", "eval")
        check(eval(expression, {"a": ours(a), "b": ours(b)}), eval(expression, {"a": a, "b": b}))
        number = NUMBERS[a.dtype.kind]
        check(eval(expression, {"a": ours(a), "b": number}), eval(expression, {"a": a, "b": number}))
        check(eval(expression, {"a": number, "b": ours(a)}), eval(expression, {"a": number, "b": a}))


@pytest.mark.slow_on_devices
@pytest.mark.parametrize("operator", ["+=", "-=", "*=", "/=", "//=", "%=", "**="])
@given(data=st.data())
def test_in_place(operator, data):
    a = data.draw(arrays(FLOATS, special=False, smallest=1))
    b = data.draw(arrays([str(a.dtype)], shape=a.shape, special=False))
    with np.errstate(all="ignore"):
        a, b = np.abs(a).copy(), b.copy()
        x, before = ours(a.copy()), a.copy()
        view = x[...]
        names = {"a": x, "b": ours(b)}
        exec(f"a {operator} b", names)
        exec(f"before {operator} b", {"before": before, "b": b})
    assert names["a"] is x
    check(view, before, 1e-5 if a.dtype == "float32" else 1e-12)


def test_in_place_of_numbers_and_bits():
    x = xp.asarray([1, 2, 3])
    x += 1
    x <<= 2
    x |= 1
    x ^= 8
    x &= 31
    x >>= 1
    x *= x
    assert x.tolist() == [((((n + 1) << 2 | 1) ^ 8) & 31) >> 1 for n in (1, 2, 3)] or x.tolist() == [
        (((((n + 1) << 2 | 1) ^ 8) & 31) >> 1) ** 2 for n in (1, 2, 3)]
    with pytest.raises(TypeError):
        x += 1.5


def test_unary_operators():
    x = xp.asarray([-1, 2])
    assert (-x).tolist() == [1, -2] and (+x).tolist() == [-1, 2] and abs(x).tolist() == [1, 2] and (~x).tolist() == [0, -3]


# ---- special cases of real functions: every pair of these, signs of zeros included

EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 2.5, -2.5, 3.0, -3.0, math.inf, -math.inf, math.nan, 1e30, -1e30, 1e-40,
         -1e-40, math.pi, -math.pi / 2]


def identical(got, want, tolerance):
    g, w = np.array(got), np.asarray(want)
    assert g.dtype == w.dtype
    if w.dtype.kind != "f":
        assert (g == w).all()
        return
    with np.errstate(all="ignore"):
        fine = (np.isnan(g) & np.isnan(w)) | (g == w) & (np.signbit(g) == np.signbit(w)) | (
            np.isfinite(w) & (w != 0) & (np.abs(g - w) <= tolerance * np.abs(w)))
    assert fine.all(), (g[~fine], w[~fine])


@pytest.mark.slow_on_devices
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", [name for name, dtypes in UNARY.items() if "float64" in dtypes and name != "sign"])
def test_edges_of_one(name, dtype):
    x = np.array(EDGES, dtype)
    identical(getattr(xp, name)(ours(x)), theirs(name)(x), TOLERANCE[dtype])


@pytest.mark.slow_on_devices
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "pow"] + [name for name in BINARY if "float64" in BINARY[name]])
def test_edges_of_two(name, dtype):
    x, y = (a.reshape(-1) for a in np.meshgrid(np.array(EDGES, dtype), np.array(EDGES, dtype)))
    if name in ("maximum", "minimum"):  # where NumPy takes -0.0 and 0.0 as equal, and the order decides
        x, y = x[(x != 0) | (y != 0)], y[(x != 0) | (y != 0)]
    identical(getattr(xp, name)(ours(x), ours(y)), theirs(name)(x, y), 8 * TOLERANCE[dtype])


# ---- special cases of complex functions: C's Annex G, which the standard repeats. A number here is a value, "0" either zero
# where the sign is open, None anything.

INF, NAN, PI = math.inf, math.nan, math.pi
SPECIAL = {
    "exp": {(0, 0): (1, 0), (1, INF): (NAN, NAN), (1, NAN): (NAN, NAN), (INF, 0): (INF, 0), (-INF, 1): (0, 0),
            (INF, 1): (INF, INF), (-INF, INF): (0, 0), (INF, INF): (INF, NAN), (-INF, NAN): (0, 0), (INF, NAN): (INF, NAN),
            (NAN, 0): (NAN, 0), (NAN, 1): (NAN, NAN), (NAN, NAN): (NAN, NAN)},
    "expm1": {(0, 0): (0, 0), (1, INF): (NAN, NAN), (1, NAN): (NAN, NAN), (INF, 0): (INF, 0), (-INF, 1): (-1, 0),
              (INF, 1): (INF, INF), (-INF, INF): (-1, 0), (INF, INF): (INF, NAN), (-INF, NAN): (-1, 0), (INF, NAN): (INF, NAN),
              (NAN, 0): (NAN, 0), (NAN, 1): (NAN, NAN), (NAN, NAN): (NAN, NAN)},
    "log": {(0, 0): (-INF, 0), (1, INF): (INF, PI / 2), (1, NAN): (NAN, NAN), (-INF, 1): (INF, PI),
            (INF, 1): (INF, 0), (-INF, INF): (INF, 3 * PI / 4), (INF, INF): (INF, PI / 4), (INF, NAN): (INF, NAN),
            (-INF, NAN): (INF, NAN), (NAN, 1): (NAN, NAN), (NAN, INF): (INF, NAN), (NAN, NAN): (NAN, NAN)},
    "log1p": {(-1, 0): (-INF, 0), (1, INF): (INF, PI / 2), (1, NAN): (NAN, NAN), (-INF, 1): (INF, PI), (INF, 1): (INF, 0),
              (-INF, INF): (INF, 3 * PI / 4), (INF, INF): (INF, PI / 4), (INF, NAN): (INF, NAN), (NAN, 1): (NAN, NAN),
              (NAN, INF): (INF, NAN), (NAN, NAN): (NAN, NAN)},
    "sqrt": {(0, 0): (0, 0), (1, INF): (INF, INF), (NAN, INF): (INF, INF), (1, NAN): (NAN, NAN),
             (-INF, 1): (0, INF), (INF, 1): (INF, 0), (-INF, NAN): (NAN, None), (INF, NAN): (INF, NAN), (NAN, 1): (NAN, NAN),
             (NAN, NAN): (NAN, NAN)},
    "cosh": {(0, 0): (1, 0), (0, INF): (NAN, 0), (0, NAN): (NAN, 0), (1, INF): (NAN, NAN), (1, NAN): (NAN, NAN),
             (INF, 0): (INF, 0), (INF, 1): (INF, INF), (INF, INF): (INF, NAN), (INF, NAN): (INF, NAN), (NAN, 0): (NAN, 0),
             (NAN, 1): (NAN, NAN), (NAN, NAN): (NAN, NAN)},
    "sinh": {(0, 0): (0, 0), (0, INF): (0, NAN), (0, NAN): (0, NAN), (1, INF): (NAN, NAN), (1, NAN): (NAN, NAN),
             (INF, 0): (INF, 0), (INF, 1): (INF, INF), (INF, INF): (INF, NAN), (INF, NAN): (INF, NAN), (NAN, 0): (NAN, 0),
             (NAN, 1): (NAN, NAN), (NAN, NAN): (NAN, NAN)},
    "tanh": {(0, 0): (0, 0), (1, INF): (NAN, NAN), (0, INF): (0, NAN), (1, NAN): (NAN, NAN), (0, NAN): (0, NAN),
             (INF, 1): (1, 0), (INF, INF): (1, 0), (INF, NAN): (1, 0), (NAN, 0): (NAN, 0), (NAN, 1): (NAN, NAN),
             (NAN, NAN): (NAN, NAN)},
    "acosh": {(0, 0): (0, PI / 2), (1, INF): (INF, PI / 2), (0, NAN): (NAN, PI / 2), (1, NAN): (NAN, NAN), (-INF, 1): (INF, PI),
              (INF, 1): (INF, 0), (-INF, INF): (INF, 3 * PI / 4), (INF, INF): (INF, PI / 4), (INF, NAN): (INF, NAN),
              (-INF, NAN): (INF, NAN), (NAN, 1): (NAN, NAN), (NAN, INF): (INF, NAN), (NAN, NAN): (NAN, NAN)},
    "acos": {(0, 0): (PI / 2, -0.0), (0, NAN): (PI / 2, NAN), (1, INF): (PI / 2, -INF), (1, NAN): (NAN, NAN),
             (-INF, 1): (PI, -INF), (INF, 1): (0, -INF), (-INF, INF): (3 * PI / 4, -INF), (INF, INF): (PI / 4, -INF),
             (NAN, 1): (NAN, NAN), (NAN, INF): (NAN, -INF), (NAN, NAN): (NAN, NAN)},
    "asinh": {(0, 0): (0, 0), (1, INF): (INF, PI / 2), (1, NAN): (NAN, NAN), (INF, 1): (INF, 0), (INF, INF): (INF, PI / 4),
              (INF, NAN): (INF, NAN), (NAN, 0): (NAN, 0), (NAN, 1): (NAN, NAN), (NAN, NAN): (NAN, NAN)},
    "atanh": {(0, 0): (0, 0), (0, NAN): (0, NAN), (1, 0): (INF, 0), (2, INF): (0, PI / 2), (2, NAN): (NAN, NAN),
              (INF, 1): (0, PI / 2), (INF, INF): (0, PI / 2), (INF, NAN): (0, NAN), (NAN, 1): (NAN, NAN),
              (NAN, INF): (0, PI / 2), (NAN, NAN): (NAN, NAN)},
}
for _name, _base in (("log2", 2), ("log10", 10)):
    SPECIAL[_name] = {z: tuple(part / math.log(_base) for part in w) for z, w in SPECIAL["log"].items()}
#: f(z) = -i g(iz), or cos(z) = cosh(iz).
TURNED = {"sin": "sinh", "tan": "tanh", "asin": "asinh", "atan": "atanh"}


def _close(got, want):
    if want is None:
        return True
    if math.isnan(want):
        return math.isnan(got)
    return abs(got) == abs(want) if math.isinf(want) else abs(got - want) < 1e-6


def _complex(re, im, dtype):
    z = np.empty((), dtype)
    z.real, z.imag = re, im
    return ours(z)


@pytest.mark.slow_on_devices
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", SPECIAL)
def test_special_cases(name, dtype):
    for (x, y), (re, im) in SPECIAL[name].items():
        got = complex(getattr(xp, name)(_complex(x, y, dtype)))
        assert _close(got.real, re) and _close(got.imag, im), (name, x, y, got)
        # f(conj z) is conj f(z), but for the sign of a NaN.
        conjugate = complex(getattr(xp, name)(_complex(x, -float(y), dtype)))
        assert _close(conjugate.real, re) and _close(conjugate.imag, None if im is None else -im), (name, x, -y, conjugate)


@pytest.mark.parametrize("dtype", COMPLEX)
def test_parts(dtype):
    for x in (0.0, -0.0, 1.0, -2.5, INF, -INF, NAN):
        for y in (0.0, -0.0, 1.0, -2.5, INF, -INF, NAN):
            z = _complex(x, y, dtype)
            assert str(float(xp.real(z))) == str(x) and str(float(xp.imag(z))) == str(y)
            assert str(complex(xp.conj(z)).imag) == str(-y) or y != y
            assert str(complex(-z).real) == str(-x) or x != x
            assert _close(float(xp.abs(z)), math.hypot(x, y))
            assert bool(xp.isnan(z)) == (x != x or y != y) and bool(xp.isinf(z)) == (math.isinf(x) or math.isinf(y))
            assert bool(xp.isfinite(z)) == (math.isfinite(x) and math.isfinite(y))
            assert bool(z) == (bool(x) or bool(y)) and bool(z == z) == (x == x and y == y)


@pytest.mark.parametrize("dtype", COMPLEX)
def test_negative_zeros(dtype):
    assert complex(xp.log(_complex(-0.0, 0.0, dtype))).imag == pytest.approx(PI)
    assert complex(xp.sqrt(_complex(-0.0, -0.0, dtype))) == 0
    assert math.copysign(1, complex(xp.sqrt(_complex(-0.0, -0.0, dtype))).imag) == -1
    assert complex(xp.sqrt(_complex(-4.0, -0.0, dtype))) == -2j


@pytest.mark.slow_on_devices
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", TURNED)
def test_turned_special_cases(name, dtype):
    for (x, y), (re, im) in SPECIAL[TURNED[name]].items():
        got = complex(getattr(xp, name)(_complex(y, -x, dtype)))  # i(y - ix) = x + iy, and -i(re + i im) = im - i re
        assert _close(got.real, im) and _close(got.imag, None if re is None else -re), (name, y, -x, got)
    for (x, y), (re, im) in SPECIAL["cosh"].items():
        got = complex(xp.cos(_complex(y, -x, dtype)))
        assert _close(got.real, re) and _close(got.imag, im), ("cos", y, -x, got)


@given(shapes())
def test_mixed_shapes_that_do_not_broadcast(shape):
    with pytest.raises(ValueError, match="^add: .*shape"):
        xp.add(ours(np.ones((*shape, 2))), ours(np.ones((*shape, 3))))
