"""Shapes, joins and repetitions: NumPy's results."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ALL, FLOATS, arrays, check, ours, pairs, shapes

import ashlar as xp


def axis_of(data, a):
    return data.draw(st.integers(-a.ndim, a.ndim - 1))


@given(pairs(ALL))
def test_broadcast(both):
    shape = np.broadcast_shapes(*[a.shape for a in both])
    assert xp.broadcast_shapes(*[a.shape for a in both]) == shape
    for got, want in zip(xp.broadcast_arrays(*map(ours, both)), np.broadcast_arrays(*both)):
        check(got, want)
    check(xp.broadcast_to(ours(both[0]), shape), np.broadcast_to(both[0], shape))


def test_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match="2 and 3"):
        xp.broadcast_shapes((2,), (3,))
    with pytest.raises(ValueError):
        xp.broadcast_to(xp.zeros(2), (3,))
    with pytest.raises(ValueError):
        xp.broadcast_to(xp.zeros(2), (2, 3))[...] = 0


@given(st.data())
def test_concat_and_stack(data):
    a = data.draw(arrays(ALL, least=1))
    axis = axis_of(data, a)
    others = [a]
    for _ in range(data.draw(st.integers(0, 2))):
        shape = list(a.shape)
        shape[axis] = data.draw(st.integers(0, 3))
        others.append(data.draw(arrays([str(a.dtype)], shape=tuple(shape))))
    check(xp.concat(list(map(ours, others)), axis=axis), np.concatenate(others, axis=axis))
    check(xp.concat(tuple(map(ours, others)), axis=None), np.concatenate(others, axis=None))
    axis = data.draw(st.integers(-a.ndim - 1, a.ndim))
    check(xp.stack([ours(a), ours(a)], axis=axis), np.stack([a, a], axis=axis))


@given(st.data())
def test_axes_put_in_and_left_out(data):
    a = data.draw(arrays(ALL))
    axis = data.draw(st.integers(-a.ndim - 1, a.ndim))
    x = xp.expand_dims(ours(a), axis=axis)
    check(x, np.expand_dims(a, axis))
    check(xp.squeeze(x, axis), a)
    check(xp.squeeze(ours(a), ()), a)
    check(xp.expand_dims(ours(a), axis=(0, -1)), np.expand_dims(a, (0, -1)))


@given(st.data())
def test_order_of_axes(data):
    a = data.draw(arrays(ALL, least=1))
    order = data.draw(st.permutations(range(a.ndim)))
    check(xp.permute_dims(ours(a), tuple(order)), np.transpose(a, order))
    i, j = axis_of(data, a), axis_of(data, a)
    check(xp.moveaxis(ours(a), i, j), np.moveaxis(a, i, j))
    check(xp.moveaxis(ours(a), tuple(range(a.ndim)), tuple(order)), np.moveaxis(a, tuple(range(a.ndim)), tuple(order)))
    check(xp.flip(ours(a), axis=i), np.flip(a, i))
    check(xp.flip(ours(a)), np.flip(a))
    for got, want in zip(xp.unstack(ours(a), axis=i), np.moveaxis(a, i, 0), strict=True):
        check(got, want)


@given(st.data())
def test_reshape(data):
    a = data.draw(arrays(ALL))
    for shape in {(-1,), (a.size,), (1, -1), (*a.shape, 1), a.shape[::-1]}:
        if 0 in a.shape and -1 in shape and len(shape) > 1:
            continue
        check(xp.reshape(ours(a), shape), np.reshape(a, shape))
        check(xp.reshape(ours(a), shape, copy=True), np.reshape(a, shape))


def test_reshape_without_a_copy():
    x = xp.reshape(xp.arange(6), (2, 3))
    view = xp.reshape(x, (6,), copy=False)
    view[0] = 9
    assert x[0, 0] == 9
    with pytest.raises(ValueError, match="without a copy"):
        xp.reshape(x.T, (6,), copy=False)
    copied = xp.reshape(x, (6,), copy=True)
    copied[1] = 7
    assert x[0, 1] == 1
    for shape in ((4,), (-1, -1), (4, -1)):
        with pytest.raises(ValueError):
            xp.reshape(x, shape)


@given(st.data())
def test_roll(data):
    a = data.draw(arrays(ALL, least=1))
    shift = data.draw(st.integers(-7, 7))
    check(xp.roll(ours(a), shift), np.roll(a, shift))
    axis = axis_of(data, a)
    check(xp.roll(ours(a), shift, axis=axis), np.roll(a, shift, axis=axis))
    axes = tuple(range(a.ndim))
    shifts = tuple(data.draw(st.integers(-3, 3)) for _ in axes)
    check(xp.roll(ours(a), shifts, axis=axes), np.roll(a, shifts, axis=axes))
    check(xp.roll(ours(a), (1, 2), axis=(axis, axis)), np.roll(a, (1, 2), axis=(axis, axis)))


@given(st.data())
def test_repeat_and_tile(data):
    a = data.draw(arrays(ALL, least=1))
    n, axis = data.draw(st.integers(0, 3)), axis_of(data, a)
    check(xp.repeat(ours(a), n), np.repeat(a, n))
    check(xp.repeat(ours(a), n, axis=axis), np.repeat(a, n, axis=axis))
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=a.shape[axis], max_size=a.shape[axis])), dtype="int64")
    check(xp.repeat(ours(a), ours(counts), axis=axis), np.repeat(a, counts, axis=axis))
    times = tuple(data.draw(st.lists(st.integers(0, 2), max_size=4)))
    check(xp.tile(ours(a), times), np.tile(a, times))


@given(st.data())
def test_diff(data):
    a = data.draw(arrays(FLOATS + ["int32", "bool"], least=1, special=False))
    axis, n = axis_of(data, a), data.draw(st.integers(0, 3))
    check(xp.diff(ours(a), axis=axis, n=n), np.diff(a, axis=axis, n=n))
    check(xp.diff(ours(a), axis=axis, prepend=ours(a), append=ours(a)), np.diff(a, axis=axis, prepend=a, append=a))


@given(shapes(least=1))
def test_axes_that_are_not_there(shape):
    x = xp.zeros(shape)
    n = len(shape)
    for f in (lambda: xp.flip(x, axis=n), lambda: xp.sum(x, axis=n), lambda: xp.concat([x], axis=n),
              lambda: xp.roll(x, 1, axis=n), lambda: xp.moveaxis(x, n, 0), lambda: xp.squeeze(x, n),
              lambda: xp.expand_dims(x, axis=n + 1)):
        with pytest.raises((IndexError, ValueError)):
            f()
    with pytest.raises(ValueError):
        xp.permute_dims(x, (0,) * (n + 1))
