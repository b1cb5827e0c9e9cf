"""Arrays drawn at random, ours and NumPy's of the same elements, and their comparison."""

import warnings

import numpy as np
from hypothesis import strategies as st

import ashlar as xp

BOOL = ["bool"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
REAL = INTEGERS + FLOATS
NUMERIC = REAL + COMPLEX
ALL = BOOL + NUMERIC
#: How far a function may be from NumPy's, in units of the value: both are rounded.
TOLERANCE = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-13, "complex64": 4e-6, "complex128": 4e-13}

_FLOAT_POOL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 2.5, -2.5, 3.0, 1.5, -7.25, 1e-3, 100.0, 1e5, 1e-6]
_SPECIAL = [np.inf, -np.inf, np.nan]


def pool(dtype, special=True):
    """The elements that are drawn for a dtype."""
    d = np.dtype(dtype)
    if d.kind == "b":
        return [False, True]
    if d.kind in "iu":
        limits = np.iinfo(d)
        choices = (0, 1, 2, 3, 5, 7, 11, 100, -1, -2, -3, -100, limits.max, limits.min)
        return [n for n in choices if limits.min <= n <= limits.max]
    floats = _FLOAT_POOL + (_SPECIAL if special else [])
    if d.kind == "f":
        return floats
    return [complex(re, im) for re in floats for im in (0.0, -0.0, 1.0, -2.5, *(_SPECIAL if special else []))]


def shapes(least=0, most=3, side=4, smallest=0):
    return st.lists(st.integers(smallest, side), min_size=least, max_size=most).map(tuple)


@st.composite
def arrays(draw, dtypes, shape=None, special=True, elements=None, least=0, most=3, smallest=0):
    """A NumPy array of one of the dtypes: dense, in the other layout, or running backwards."""
    dtype = draw(st.sampled_from(dtypes))
    if shape is None:
        shape = draw(shapes(least, most, smallest=smallest))
    choices = pool(dtype, special) if elements is None else elements
    n = int(np.prod(shape))
    flat = np.array(draw(st.lists(st.sampled_from(choices), min_size=n, max_size=n)), dtype=dtype)
    a = flat.reshape(shape)
    form = draw(st.integers(0, 2))
    if form == 1:
        a = np.array(a, order="F")
    elif form == 2 and a.ndim:
        a = a[::-1].copy()[::-1]
    return a


@st.composite
def pairs(draw, dtypes, special=True, elements=None):
    """Two arrays of one dtype whose shapes broadcast."""
    dtype = [draw(st.sampled_from(dtypes))]
    shape = draw(shapes())
    other = tuple(n if draw(st.booleans()) else 1 for n in shape[draw(st.integers(0, len(shape))):])
    a, b = (draw(arrays(dtype, shape=s, special=special, elements=elements)) for s in (shape, other))
    return (a, b) if draw(st.booleans()) else (b, a)


def ours(a):
    """Our array of NumPy's elements and strides."""
    return xp.asarray(a, device=xp.default_device())


def theirs(name):
    """NumPy's function of the name, without its warnings."""
    function = getattr(np, name)

    def quiet(*arguments, **keywords):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function(*arguments, **keywords)
    return quiet


def check(got, want, tolerance=None, dtype=None):
    """Ours is NumPy's in dtype, shape and elements; floats to a relative tolerance, complex ones in units of the modulus."""
    want = np.asarray(want)
    assert str(got.dtype) == (dtype or str(want.dtype)), (got.dtype, want.dtype)
    assert got.shape == want.shape
    g = np.array(got)
    if want.dtype.kind not in "fc":
        assert (g == want).all(), (g, want)
        return
    tolerance = TOLERANCE.get(str(want.dtype), 0) if tolerance is None else tolerance
    with np.errstate(all="ignore"):
        sizes = np.abs(want)
        sizes = np.where(np.isfinite(sizes), sizes, 0)
        for a, b in ((g.real, want.real), (g.imag, want.imag)):
            fine = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= tolerance * sizes)
            assert fine.all(), (g[~fine], want[~fine])
