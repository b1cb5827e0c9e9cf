"""Indexing: NumPy's results for the keys of the standard, views, writes, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ALL, FLOATS, arrays, check, ours

import ashlar as xp


@st.composite
def basic_keys(draw, shape):
    """Integers, slices, new axes and an ellipsis."""
    items = []
    for n in shape[:draw(st.integers(0, len(shape)))]:
        if n and draw(st.booleans()):
            items.append(draw(st.integers(-n, n - 1)))
        else:
            ends = st.none() | st.integers(-n - 1, n + 1)
            items.append(slice(draw(ends), draw(ends), draw(st.sampled_from([None, 1, 2, 3, -1, -2]))))
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), None)
    if len([i for i in items if i is not None]) < len(shape) and draw(st.booleans()):
        items.append(Ellipsis)
    return tuple(items)


@given(st.data())
def test_basic(data):
    a = data.draw(arrays(ALL))
    key = data.draw(basic_keys(a.shape))
    check(ours(a)[key], a[key])


@given(st.data())
def test_basic_writes(data):
    a = data.draw(arrays(ALL))
    key = data.draw(basic_keys(a.shape))
    value = data.draw(arrays([str(a.dtype)], shape=a[key].shape))
    x, want = ours(a.copy()), a.copy()
    x[key] = ours(value)
    want[key] = value
    check(x, want)
    number = value.flat[0].item() if value.size else 1
    x[key] = number
    want[key] = number
    check(x, want)


@given(st.data())
def test_views_share(data):
    a = data.draw(arrays(FLOATS, least=1, special=False))
    x = ours(a.copy())
    view = x[::-1]
    view[...] = 7.0
    assert (np.asarray(x) == 7).all()


@given(st.data())
def test_masks(data):
    a = data.draw(arrays(ALL))
    mask = data.draw(arrays(["bool"], shape=a.shape[:data.draw(st.integers(0, a.ndim))]))
    check(ours(a)[ours(mask)], a[mask])


@given(st.data())
def test_mask_writes(data):
    a = data.draw(arrays(ALL, least=1))
    mask = data.draw(arrays(["bool"], shape=a.shape))
    values = data.draw(arrays([str(a.dtype)], shape=(int(mask.sum()),)))
    x, want = ours(a.copy()), a.copy()
    x[ours(mask)] = ours(values)
    want[mask] = values
    check(x, want)
    x[ours(mask)] = 1
    want[mask] = 1
    check(x, want)


@given(st.data())
def test_arrays_of_indices(data):
    a = data.draw(arrays(ALL, least=1, smallest=1))
    count = data.draw(st.integers(1, a.ndim))
    shape = data.draw(st.sampled_from([(), (3,), (2, 2), (0,)]))
    key = []
    for n in a.shape[:count]:
        if data.draw(st.integers(0, 3)) == 0:
            key.append(data.draw(st.integers(-n, n - 1)))
        else:
            key.append(data.draw(arrays(["int64", "int8"], shape=shape, elements=list(range(-n, n)))))
    if not any(isinstance(k, np.ndarray) and k.ndim for k in key):
        return
    check(ours(a)[tuple(ours(k) if isinstance(k, np.ndarray) else k for k in key)], a[tuple(key)])


@given(st.data())
def test_index_writes(data):
    a = data.draw(arrays(ALL, least=2, smallest=1))
    rows = np.array(data.draw(st.lists(st.integers(0, a.shape[0] - 1), min_size=1, unique=True)))
    x, want = ours(a.copy()), a.copy()
    values = data.draw(arrays([str(a.dtype)], shape=want[rows].shape))
    x[ours(rows)] = ours(values)
    want[rows] = values
    check(x, want)
    columns = np.zeros_like(rows)
    x[ours(rows), ours(columns)] = 1
    want[rows, columns] = 1
    check(x, want)


@given(st.data())
def test_take(data):
    a = data.draw(arrays(ALL, least=1, smallest=1))
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    n = a.shape[axis]
    indices = data.draw(arrays(["int64", "int32"], least=1, most=1, elements=list(range(-n, n))))
    check(xp.take(ours(a), ours(indices), axis=axis), np.take(a, indices, axis=axis))


@given(st.data())
def test_take_along_axis(data):
    a = data.draw(arrays(ALL, least=1, smallest=1))
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    n = a.shape[axis]
    shape = tuple(3 if k == axis % a.ndim else m for k, m in enumerate(a.shape))
    indices = data.draw(arrays(["int64"], shape=shape, elements=list(range(-n, n))))
    check(xp.take_along_axis(ours(a), ours(indices), axis=axis), np.take_along_axis(a, indices, axis=axis))


@pytest.mark.parametrize("key", [5, -6, (0, 0), (Ellipsis, Ellipsis), 1.5, "x", True])
def test_refused(key):
    with pytest.raises((IndexError, TypeError)):
        xp.zeros(5)[key]


def test_an_index_out_of_bounds():
    x = xp.zeros((2, 3))
    with pytest.raises(IndexError):
        x[xp.asarray([0, 2])]
    with pytest.raises(IndexError):
        x[xp.asarray([0, 1]), xp.asarray([0, 3])]
    with pytest.raises(IndexError):
        xp.take(x, xp.asarray([-4]), axis=1)


def test_kinds_that_a_write_would_lower():
    x = xp.asarray([1, 2])
    for value in (1.5, xp.asarray([1.0, 2.0]), 1j):
        with pytest.raises(TypeError):
            x[...] = value
    assert x.tolist() == [1, 2]


def test_iteration():
    x = xp.asarray([[1, 2], [3, 4]])
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]] and len(x) == 2 and 3 in x and 5 not in x
    with pytest.raises(TypeError):
        iter(xp.asarray(1))
