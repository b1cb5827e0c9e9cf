"""Reductions, running sums, positions, order, different elements: NumPy's results."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ALL, BOOL, COMPLEX, FLOATS, INTEGERS, NUMERIC, REAL, arrays, check, ours

import ashlar as xp

SMALL = [0, 1, 2, 3, 5]


def axes_of(data, a):
    """None, one axis or several."""
    some = st.integers(-a.ndim, a.ndim - 1)
    several = st.lists(st.sampled_from(range(a.ndim)), unique=True).map(tuple)
    return data.draw(st.one_of(st.none(), some, several) if a.ndim else st.none())


def wide(a):
    """NumPy's sum of integers is at least as wide as a C long; so is ours."""
    return {"i": "int64", "u": "uint64", "b": "int64"}.get(a.dtype.kind, str(a.dtype))


@pytest.mark.parametrize("name", ["sum", "prod"])
@given(data=st.data())
def test_sums(name, data):
    a = data.draw(arrays(NUMERIC, special=False, elements=SMALL))
    axis, keep = axes_of(data, a), data.draw(st.booleans())
    want = getattr(np, name)(a, axis=axis, keepdims=keep, dtype=wide(a))
    check(getattr(xp, name)(ours(a), axis=axis, keepdims=keep), want)
    check(getattr(xp, name)(ours(a), axis=axis, dtype=xp.float64 if a.dtype.kind != "c" else xp.complex128),
          getattr(np, name)(a, axis=axis, dtype="float64" if a.dtype.kind != "c" else "complex128"))


@given(st.data())
def test_sums_with_special_elements(data):
    a = data.draw(arrays(FLOATS))
    axis = axes_of(data, a)
    with np.errstate(all="ignore"):
        check(xp.sum(ours(a), axis=axis), np.sum(a, axis=axis), 1e-4)


@pytest.mark.parametrize("name", ["max", "min"])
@given(data=st.data())
def test_extrema(name, data):
    a = data.draw(arrays(REAL, smallest=1))
    axis, keep = axes_of(data, a), data.draw(st.booleans())
    check(getattr(xp, name)(ours(a), axis=axis, keepdims=keep), getattr(np, name)(a, axis=axis, keepdims=keep))


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_extrema_of_nothing(name):
    with pytest.raises(ValueError):
        getattr(xp, name)(xp.zeros(0))


@pytest.mark.parametrize("name", ["any", "all", "count_nonzero"])
@given(data=st.data())
def test_truth(name, data):
    a = data.draw(arrays(ALL))
    axis, keep = axes_of(data, a), data.draw(st.booleans())
    if isinstance(axis, tuple) and name == "count_nonzero" and not axis:
        return
    got = getattr(xp, name)(ours(a), axis=axis, keepdims=keep)
    want = getattr(np, name)(a != 0 if a.dtype.kind in "fc" else a, axis=axis, keepdims=keep)
    check(got, want)


@given(st.data())
def test_moments(data):
    a = data.draw(arrays(FLOATS, special=False, elements=[0.0, 1.0, -2.5, 100.0, 3.0], smallest=1))
    axis, keep = axes_of(data, a), data.draw(st.booleans())
    n = a.size if axis is None else int(np.prod([a.shape[k] for k in (axis if isinstance(axis, tuple) else (axis,))]))
    tolerance = 1e-5 if a.dtype == "float32" else 1e-13
    check(xp.mean(ours(a), axis=axis, keepdims=keep), np.mean(a, axis=axis, keepdims=keep), tolerance)
    for correction in (0, 1, 0.5):
        if n > correction:
            for ours_, theirs in ((xp.var, np.var), (xp.std, np.std)):
                got = ours_(ours(a), axis=axis, keepdims=keep, correction=correction)
                want = theirs(a, axis=axis, keepdims=keep, ddof=correction)
                assert str(got.dtype) == str(a.dtype) and np.allclose(got, want, rtol=10 * tolerance, atol=10 * tolerance)


def test_moments_of_too_little():
    assert np.isnan(float(xp.var(xp.ones(1), correction=1))) and np.isnan(float(xp.std(xp.ones(2), correction=3)))
    assert np.isnan(float(xp.mean(xp.zeros(0))))
    z = np.array([1 + 2j, 3 - 1j])
    assert complex(xp.mean(ours(z))) == z.mean()


@pytest.mark.parametrize("name", ["sum", "prod"])
@given(data=st.data())
def test_running(name, data):
    a = data.draw(arrays(NUMERIC, elements=SMALL, least=1))
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    want = getattr(np, "cum" + name)(a, axis=axis, dtype=wide(a))
    function = getattr(xp, "cumulative_" + name)
    check(function(ours(a), axis=axis), want)
    first = np.full([1 if k == axis % a.ndim else n for k, n in enumerate(a.shape)], name == "prod", want.dtype)
    check(function(ours(a), axis=axis, include_initial=True), np.concatenate([first, want], axis=axis))
    check(function(ours(a), axis=axis, dtype=xp.complex128), want.astype("complex128"))
    if a.ndim == 1:
        check(function(ours(a)), want)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@given(data=st.data())
def test_positions(name, data):
    a = data.draw(arrays(REAL, smallest=1))
    axis = data.draw(st.none() | st.integers(-a.ndim, a.ndim - 1)) if a.ndim else None
    keep = data.draw(st.booleans())
    check(getattr(xp, name)(ours(a), axis=axis, keepdims=keep), getattr(np, name)(a, axis=axis, keepdims=keep))


@given(arrays(ALL, least=1))
def test_nonzero(a):
    got, want = xp.nonzero(ours(a)), np.nonzero(a)
    assert len(got) == len(want)
    for g, w in zip(got, want):
        check(g, w)
    with pytest.raises(ValueError):
        xp.nonzero(xp.asarray(1))


@given(st.data())
def test_order(data):
    a = data.draw(arrays(REAL, least=1))
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    want = np.sort(a, axis=axis, kind="stable")
    check(xp.sort(ours(a), axis=axis), want)
    check(xp.sort(ours(a), axis=axis, descending=True), np.flip(want, axis))
    up = xp.argsort(ours(a), axis=axis)
    zeros = a.dtype.kind == "f" and (a == 0).any()  # NumPy has -0.0 and 0.0 as equal, ours in order
    if not zeros:
        check(up, np.argsort(a, axis=axis, kind="stable"))
    check(xp.take_along_axis(ours(a), up, axis=axis), want)
    down = xp.argsort(ours(a), axis=axis, descending=True)
    check(xp.take_along_axis(ours(a), down, axis=axis), np.flip(want, axis))


@given(st.data())
def test_searchsorted(data):
    a = data.draw(arrays(REAL, least=1, most=1, special=False))
    values = data.draw(arrays([str(a.dtype)], special=False))
    ordered = np.sort(a)
    for side in ("left", "right"):
        check(xp.searchsorted(ours(ordered), ours(values), side=side), np.searchsorted(ordered, values, side=side))
        sorter = np.argsort(a, kind="stable")
        check(xp.searchsorted(ours(a), ours(values), side=side, sorter=ours(sorter)),
              np.searchsorted(a, values, side=side, sorter=sorter))
    check(xp.searchsorted(ours(ordered), 2), np.searchsorted(ordered, a.dtype.type(2)))


@given(arrays(ALL))
def test_unique(a):
    values, indices, inverse, counts = xp.unique_all(ours(a))
    v, i, n, c = map(np.array, (values, indices, inverse, counts))
    flat = a.reshape(-1)
    key = np.unique(flat, equal_nan=False)
    assert len(v) == len(key) and inverse.shape == a.shape and c.sum() == a.size
    assert np.array_equal(v[n.reshape(-1)], flat, equal_nan=a.dtype.kind in "fc")
    assert np.array_equal(flat[i], v, equal_nan=a.dtype.kind in "fc")
    for k, value in enumerate(v):
        same = flat == value
        if same.any():
            assert c[k] == same.sum() and i[k] == np.argmax(same)
        else:
            assert c[k] == 1  # each NaN by itself
    check(xp.unique_values(ours(a)), v)
    check(xp.unique_counts(ours(a)).counts, c)
    check(xp.unique_inverse(ours(a)).inverse_indices, n)
    if a.dtype.kind not in "fc":
        check(values, key)


@given(st.data())
def test_isin(data):
    a = data.draw(arrays(BOOL + INTEGERS + FLOATS + COMPLEX))
    b = data.draw(arrays([str(a.dtype)], most=2))
    for invert in (False, True):
        check(xp.isin(ours(a), ours(b), invert=invert), np.isin(a, b, invert=invert))
    check(xp.isin(ours(a), 1), np.isin(a, a.dtype.type(1)))
