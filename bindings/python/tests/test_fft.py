"""Fourier transforms: NumPy's results, sizes and scales."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import COMPLEX, FLOATS, NUMERIC, arrays, check, ours

import ashlar as xp

NORMS = st.sampled_from(["backward", "ortho", "forward"])
EASY = [0.0, 1.0, -1.0, 0.5, 2.0, -3.0]


def near(got, want):
    single = str(got.dtype) in ("float32", "complex64")
    assert got.shape == want.shape
    assert np.allclose(np.array(got), want, rtol=1e-4 if single else 1e-11, atol=1e-4 if single else 1e-11)


def wide(a):
    """What the result has: the parts of the argument."""
    return np.result_type(a.dtype, np.complex64) if a.dtype.kind in "fc" else np.dtype("complex128")


@pytest.mark.parametrize("name", ["fft", "ifft"])
@given(data=st.data())
def test_one_axis(name, data):
    a = data.draw(arrays(FLOATS + COMPLEX, elements=EASY, least=1, smallest=1))
    axis, n, norm = data.draw(st.integers(-a.ndim, a.ndim - 1)), data.draw(st.none() | st.integers(1, 7)), data.draw(NORMS)
    got = getattr(xp.fft, name)(ours(a), n=n, axis=axis, norm=norm)
    near(got, getattr(np.fft, name)(a, n=n, axis=axis, norm=norm))
    assert str(got.dtype) == str(wide(a))


@pytest.mark.parametrize("name", ["rfft", "ihfft", "irfft", "hfft"])
@given(data=st.data())
def test_real(name, data):
    dtypes = FLOATS if name in ("rfft", "ihfft") else COMPLEX
    a = data.draw(arrays(dtypes, elements=EASY, least=1, smallest=2))
    axis, n, norm = data.draw(st.integers(-a.ndim, a.ndim - 1)), data.draw(st.none() | st.integers(1, 7)), data.draw(NORMS)
    got = getattr(xp.fft, name)(ours(a), n=n, axis=axis, norm=norm)
    near(got, getattr(np.fft, name)(a, n=n, axis=axis, norm=norm))
    assert got.dtype.kind == ("complex floating" if dtypes is FLOATS else "real floating")


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@given(data=st.data())
def test_several_axes(name, data):
    a = data.draw(arrays(FLOATS if name == "rfftn" else COMPLEX, elements=EASY, least=1, smallest=2))
    norm = data.draw(NORMS)
    axes = tuple(data.draw(st.permutations(range(a.ndim))))[:data.draw(st.integers(1, a.ndim))]
    near(getattr(xp.fft, name)(ours(a), norm=norm), getattr(np.fft, name)(a, norm=norm))
    near(getattr(xp.fft, name)(ours(a), axes=axes, norm=norm), getattr(np.fft, name)(a, axes=axes, norm=norm))
    s = tuple(data.draw(st.integers(1, 6)) for _ in axes)
    near(getattr(xp.fft, name)(ours(a), s=s, axes=axes, norm=norm), getattr(np.fft, name)(a, s=s, axes=axes, norm=norm))


@given(st.integers(1, 12), st.sampled_from([1.0, 0.25, 3.0]))
def test_frequencies(n, d):
    check(xp.fft.fftfreq(n, d=d), np.fft.fftfreq(n, d))
    check(xp.fft.rfftfreq(n, d=d), np.fft.rfftfreq(n, d))
    assert xp.fft.fftfreq(n, dtype=xp.float32).dtype is xp.float32


@given(st.data())
def test_shifts(data):
    a = data.draw(arrays(NUMERIC, least=1))
    axes = data.draw(st.none() | st.integers(-a.ndim, a.ndim - 1))
    check(xp.fft.fftshift(ours(a), axes=axes), np.fft.fftshift(a, axes))
    check(xp.fft.ifftshift(ours(a), axes=axes), np.fft.ifftshift(a, axes))


def test_refused():
    x = xp.ones(4)
    for f in (lambda: xp.fft.fft(x, norm="none"), lambda: xp.fft.fft(x, n=0), lambda: xp.fft.fftn(x, s=(2, 2), axes=(0,))):
        with pytest.raises(ValueError):
            f()
    with pytest.raises(TypeError):
        xp.fft.rfft(xp.ones(4, dtype=xp.complex128))
