"""Linear algebra: NumPy's results where they are unique, and what defines them where they are not."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import COMPLEX, FLOATS, INTEGERS, NUMERIC, arrays, check, ours

import ashlar as xp

FLOATING = FLOATS + COMPLEX
EASY = [0.0, 1.0, -1.0, 0.5, 2.0, -3.0]


def near(got, want, scale=1.0):
    want = np.asarray(want)
    assert str(got.dtype) == str(want.dtype) and got.shape == want.shape
    tolerance = 1e-4 if want.dtype in (np.float32, np.complex64) else 1e-10
    assert np.allclose(np.array(got), want, rtol=tolerance, atol=tolerance * scale), (got, want)


@st.composite
def matrices(draw, dtypes=FLOATING, square=True, smallest=0, largest=4, batch=True):
    dtype = draw(st.sampled_from(dtypes))
    m = draw(st.integers(smallest, largest))
    n = m if square else draw(st.integers(smallest, largest))
    shape = (*(draw(st.sampled_from([(), (2,), (2, 1)])) if batch else ()), m, n)
    return draw(arrays([dtype], shape=shape, elements=EASY))


def sound(a):
    """The same with a heavy diagonal, so that it has an inverse."""
    return (a + 13 * np.eye(*a.shape[-2:])).astype(a.dtype)


def conjugate(a):
    return np.conj(np.swapaxes(a, -1, -2))


@given(st.data())
def test_matmul(data):
    dtype = [data.draw(st.sampled_from(NUMERIC))]
    m, k, n = (data.draw(st.integers(0, 4)) for _ in range(3))
    left = data.draw(st.sampled_from([(k,), (m, k), (2, m, k), (2, 1, m, k)]))
    right = data.draw(st.sampled_from([(k,), (k, n), (2, k, n), (1, 2, k, n)]))
    a = data.draw(arrays(dtype, shape=left, elements=[0, 1, 2, 3, 5]))
    b = data.draw(arrays(dtype, shape=right, elements=[0, 1, 2, 3, 5]))
    for got in (xp.matmul(ours(a), ours(b)), ours(a) @ ours(b), xp.linalg.matmul(ours(a), ours(b))):
        check(got, a @ b)


def test_matmul_refuses():
    with pytest.raises(ValueError, match="shape"):
        xp.zeros((2, 3)) @ xp.zeros((2, 3))
    with pytest.raises(ValueError):
        xp.asarray(1.0) @ xp.zeros((2, 3))
    with pytest.raises(TypeError):
        xp.zeros((2, 2)) @ 2
    x = xp.ones((2, 2))
    x @= x
    assert x.tolist() == [[2, 2], [2, 2]]


@given(st.data())
def test_products(data):
    dtype = [data.draw(st.sampled_from(NUMERIC))]
    a = data.draw(arrays(dtype, shape=(2, 3, 4), elements=[0, 1, 2, 3]))
    b = data.draw(arrays(dtype, shape=(4, 3, 2), elements=[0, 1, 2, 3]))
    for axes in (0, 1, ((1, 2), (1, 0)), ((0,), (2,)), ((-1,), (0,))):
        check(xp.tensordot(ours(a), ours(b), axes=axes), np.tensordot(a, b, axes=axes))
    c = data.draw(arrays(dtype, shape=(3, 4), elements=[0, 1, 2, 3]))
    for axis in (-1, -2):
        check(xp.vecdot(ours(a), ours(c), axis=axis), np.vecdot(a, c, axis=axis))
        check(xp.linalg.vecdot(ours(c), ours(a), axis=axis), np.vecdot(c, a, axis=axis))
    check(xp.linalg.outer(ours(a[0, 0]), ours(b[:, 0, 0])), np.outer(a[0, 0], b[:, 0, 0]))
    v = data.draw(arrays(dtype, shape=(2, 3), elements=[0, 1, 2, 3]))
    w = data.draw(arrays(dtype, shape=(1, 3), elements=[0, 1, 2, 3]))
    check(xp.linalg.cross(ours(v), ours(w)), np.cross(v, w))
    check(xp.linalg.cross(ours(a[0].T), ours(a[0].T), axis=-1), np.cross(a[0].T, a[0].T))
    check(xp.linalg.cross(ours(a), ours(a), axis=1), np.cross(a, a, axis=1))
    with pytest.raises(ValueError):
        xp.linalg.cross(ours(a), ours(a))


@given(st.data())
def test_diagonals(data):
    a = data.draw(arrays(NUMERIC, least=2, elements=[0, 1, 2, 3]))
    for k in (0, 1, -2, 9):
        check(xp.linalg.diagonal(ours(a), offset=k), np.diagonal(a, k, -2, -1))
        wide = {"i": "int64", "u": "uint64"}.get(a.dtype.kind, a.dtype)
        check(xp.linalg.trace(ours(a), offset=k), np.trace(a, k, -2, -1, dtype=wide))
    check(xp.linalg.trace(ours(a), dtype=xp.complex64), np.trace(a, 0, -2, -1, dtype="complex64"))


@given(matrices(), st.data())
def test_equations(a, data):
    a = sound(a)
    n = a.shape[-1]
    near(xp.linalg.inv(ours(a)), np.linalg.inv(a))
    near(xp.linalg.det(ours(a)), np.linalg.det(a), 13.0 ** n)
    got, want = xp.linalg.slogdet(ours(a)), np.linalg.slogdet(a)
    near(got.sign, want.sign)
    near(got.logabsdet, want.logabsdet)
    b = data.draw(arrays([str(a.dtype)], shape=(*a.shape[:-2], n, 2), elements=EASY))
    near(xp.linalg.solve(ours(a), ours(b)), np.linalg.solve(a, b))
    v = data.draw(arrays([str(a.dtype)], shape=(n,), elements=EASY))
    near(xp.linalg.solve(ours(a), ours(v)), np.linalg.solve(a, v))
    for power in (-2, -1, 0, 1, 3):
        near(xp.linalg.matrix_power(ours(a), power), np.linalg.matrix_power(a, power), 20.0 ** abs(power))


@given(matrices())
def test_cholesky(a):
    a = sound((a + conjugate(a)) / 2)
    near(xp.linalg.cholesky(ours(a)), np.linalg.cholesky(a))
    near(xp.linalg.cholesky(ours(a), upper=True), conjugate(np.linalg.cholesky(a)))


@given(matrices())
def test_symmetric_eigenvalues(a):
    a = ((a + conjugate(a)) / 2).astype(a.dtype)
    values, vectors = xp.linalg.eigh(ours(a))
    near(values, np.linalg.eigvalsh(a), 5)
    near(xp.linalg.eigvalsh(ours(a)), np.linalg.eigvalsh(a), 5)
    v, w = np.array(vectors), np.array(values)
    assert vectors.dtype is ours(a).dtype
    loose = 1e-4 if a.dtype in (np.float32, np.complex64) else 1e-10
    assert np.allclose(a @ v, v * w[..., None, :], atol=20 * loose)
    assert np.allclose(conjugate(v) @ v, np.eye(a.shape[-1]), atol=loose)


@given(matrices(smallest=1, batch=False))
def test_eigenvalues(a):
    a = sound(a) * np.arange(1, len(a) + 1, dtype=a.real.dtype)
    try:
        values, vectors = xp.linalg.eig(ours(a))
    except NotImplementedError as e:
        pytest.skip(f"no LAPACK here: {e}")
    w, v = np.array(values), np.array(vectors)
    assert np.allclose(a @ v, v * w, atol=1e-2 if a.dtype in (np.float32, np.complex64) else 1e-9)
    assert values.dtype.kind == "complex floating" and np.isclose(w.sum(), np.trace(a), rtol=1e-3)
    assert np.allclose(np.sort_complex(np.array(xp.linalg.eigvals(ours(a)))), np.sort_complex(w), rtol=1e-3, atol=1e-3)


@given(matrices(square=False))
def test_orthogonal_factors(a):
    loose = 1e-4 if a.dtype in (np.float32, np.complex64) else 1e-10
    m, n = a.shape[-2:]
    k = min(m, n)
    for mode, shapes in (("reduced", ((m, k), (k, n))), ("complete", ((m, m), (m, n)))):
        q, r = xp.linalg.qr(ours(a), mode=mode)
        assert q.shape[-2:] == shapes[0] and r.shape[-2:] == shapes[1] and str(q.dtype) == str(a.dtype)
        q, r = np.array(q), np.array(r)
        assert np.allclose(q @ r, a, atol=20 * loose) and np.allclose(conjugate(q) @ q, np.eye(q.shape[-1]), atol=loose)
        assert (np.tril(r, -1) == 0).all()
    u, s, vh = xp.linalg.svd(ours(a))
    assert u.shape[-2:] == (m, m) and s.shape[-1] == k and vh.shape[-2:] == (n, n)
    u, s, vh = map(np.array, xp.linalg.svd(ours(a), full_matrices=False))
    assert np.allclose((u * s[..., None, :]) @ vh, a, atol=20 * loose)
    near(xp.linalg.svdvals(ours(a)), np.linalg.svd(a, compute_uv=False), 20)


@given(matrices(square=False, smallest=1))
def test_rank_and_pseudo_inverse(a):
    check(xp.linalg.matrix_rank(ours(a)), np.linalg.matrix_rank(a))
    check(xp.linalg.matrix_rank(ours(a), rtol=0.5), np.linalg.matrix_rank(a, rtol=0.5))
    near(xp.linalg.pinv(ours(a)), np.linalg.pinv(a), 10)
    near(xp.linalg.pinv(ours(a), rtol=0.3), np.linalg.pinv(a, rtol=0.3), 10)


@given(matrices(square=False, smallest=1), st.booleans())
def test_norms_of_matrices(a, keep):
    for p in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        near(xp.linalg.matrix_norm(ours(a), ord=p, keepdims=keep), np.linalg.norm(a, ord=p, axis=(-2, -1), keepdims=keep), 5)


@given(st.data())
def test_norms_of_vectors(data):
    a = data.draw(arrays(FLOATING, elements=EASY, smallest=1))
    axis = data.draw(st.none() | st.integers(-a.ndim, a.ndim - 1)) if a.ndim else None
    keep = data.draw(st.booleans())
    for p in (0, 1, 2, 3, 0.5, math.inf, -math.inf):
        want = np.linalg.norm(a.reshape(-1) if axis is None else a, ord=p, axis=axis, keepdims=keep and axis is not None)
        want = np.asarray(want, a.real.dtype)
        if keep and axis is None:
            want = want.reshape((1,) * a.ndim)
        near(xp.linalg.vector_norm(ours(a), ord=p, axis=axis, keepdims=keep), want, 10)
    near(xp.linalg.vector_norm(ours(a), axis=tuple(range(a.ndim))), np.linalg.norm(a.reshape(-1)).astype(a.real.dtype), 10)


def test_what_has_no_answer():
    for f in (xp.linalg.inv, xp.linalg.cholesky, lambda x: xp.linalg.solve(x, xp.ones(2))):
        with pytest.raises(ValueError, match="singular|definite"):
            f(xp.zeros((2, 2)))
    with pytest.raises(ValueError, match="square"):
        xp.linalg.det(xp.zeros((2, 3)))
    with pytest.raises(ValueError):
        xp.linalg.svd(xp.asarray([[xp.nan, 1.0], [0.0, 1.0]]))


def test_least_squares():
    a, b = np.random.default_rng(1).normal(size=(6, 3)), np.arange(6.0)
    near(xp.linalg.lstsq(ours(a), ours(b)), np.linalg.lstsq(a, b, rcond=None)[0])


def test_integers_are_factored_as_floats():
    assert INTEGERS and xp.linalg.det(xp.asarray([[1, 2], [3, 4]])).dtype is xp.float64
