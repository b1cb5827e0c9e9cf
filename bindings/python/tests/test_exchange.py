"""Memory shared with NumPy, PyTorch, buffers and pickles: elements, strides, offsets, read-only marks and lifetimes."""

import gc
import pickle
import sys
import weakref

import numpy as np
import pytest
from hypothesis import given
from support import ALL, arrays, check, ours

import ashlar as xp
from ashlar import _foreign
from ashlar._native import lib


@pytest.fixture(autouse=True)
def nothing_is_left():
    """Every array ends, and no foreign memory is held."""
    gc.collect()
    before = lib.ash_live_arrays()
    yield
    gc.collect()
    _foreign.collect()
    assert lib.ash_live_arrays() <= before and not _foreign.held


class Owned(np.ndarray):
    """An array of NumPy that can be watched."""


def watched(shape=(4, 6)):
    a = np.arange(np.prod(shape), dtype="float64").reshape(shape).view(Owned)
    return a, weakref.ref(a)


VIEWS = [lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: a[1:3, ::2], lambda a: a[:, ::-2], lambda a: a[2],
         lambda a: a[1, 2:2], lambda a: a[3, 4]]


# ---- NumPy to us


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("taking", [xp.from_dlpack, xp.asarray])
def test_numpy_to_us(view, taking):
    base, _ = watched()
    a = view(base) if isinstance(view(base), np.ndarray) else np.asarray(view(base))
    x = taking(np.asarray(a), device="cpu:0")
    check(x, np.asarray(a))
    if a.size and a.ndim:
        assert np.asarray(x).ctypes.data == a.ctypes.data
        assert x.strides == a.strides or 1 in a.shape
        x[...] = -1.0
        assert (np.asarray(a) == -1).all()


@pytest.mark.parametrize("taking", [xp.from_dlpack, xp.asarray])
def test_numpy_lives_as_long_as_we_do(taking):
    a, alive = watched()
    x = taking(a, device="cpu:0")
    part = x[1:, 2]
    del a, x
    gc.collect()
    assert alive() is not None and part.tolist() == [8.0, 14.0, 20.0]
    del part
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("taking", [xp.from_dlpack, xp.asarray])
def test_read_only_numpy(taking):
    a = np.arange(3.0)
    a.flags.writeable = False
    x = taking(a, device="cpu:0")
    assert x.readonly
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        x += 1.0
    assert not np.asarray(x).flags.writeable and not np.from_dlpack(x).flags.writeable
    assert not taking(a, copy=True).readonly


@given(arrays(ALL))
def test_numpy_and_back(a):
    check(xp.from_dlpack(a), a)
    check(xp.asarray(a, copy=True), a)
    for back in (np.asarray(ours(a)), np.from_dlpack(ours(a)), np.array(ours(a))):
        assert back.dtype == a.dtype and back.shape == a.shape and np.array_equal(back, a, equal_nan=a.dtype.kind in "fc")


def test_what_numpy_has_and_we_do_not():
    for bad in (np.array(["a"]), np.array([object()]), np.array(["2020-01-01"], "datetime64[D]")):
        with pytest.raises(TypeError):
            xp.asarray(bad)
    check(xp.asarray(np.array([1, 2], ">i4")), np.array([1, 2], "i4"))
    odd = np.frombuffer(b"\0" * 17, "u1")[1:].view("f8")
    check(xp.asarray(odd), odd)
    with pytest.raises(ValueError):
        xp.asarray(np.array([1, 2], ">i4"), copy=False)
    records = np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])
    check(xp.asarray(records["b"]), records["b"])
    check(xp.asarray(np.float32(1.5)), np.float32(1.5))


def test_numbers_of_numpy():
    x = xp.asarray([1.0, 2.0], dtype=xp.float32)
    for number in (np.float64(2.0), np.float32(2.0), np.int8(2)):
        for y in (x * number, number * x):
            assert isinstance(y, xp.Array) and y.dtype is xp.float32 and y.tolist() == [2, 4]
    assert (np.float64(1.5) > x).tolist() == [True, False] and (x + np.bool(True)).tolist() == [2, 3]
    for f in (lambda: x + np.ones(2), lambda: np.ones(2) + x, lambda: np.sin(x)):
        with pytest.raises(TypeError):
            f()
    assert np.mean(np.asarray(x)) == 1.5


def test_copies_asked_for():
    a = np.arange(3.0)
    for x in (xp.asarray(a, copy=True), xp.from_dlpack(a, copy=True)):
        x[0] = 9.0
        assert a[0] == 0
    with pytest.raises(ValueError):
        xp.asarray(a, dtype=xp.float32, copy=False)
    with pytest.raises(ValueError):
        xp.asarray([1.0], copy=False)
    x = xp.asarray(a, device="cpu:0")
    assert xp.asarray(x) is x and xp.asarray(x, copy=True) is not x and xp.asarray(x, copy=False) is x


# ---- us to NumPy


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("giving", [np.asarray, np.from_dlpack])
def test_us_to_numpy(view, giving):
    x = xp.asarray(np.arange(24.0).reshape(4, 6), copy=True, device="cpu:0")
    part = view(x)
    a = giving(part)
    check(part, a)
    if a.size and a.ndim:
        a[...] = -1.0
        assert xp.all(part == -1)


@pytest.mark.parametrize("giving", [np.asarray, np.from_dlpack])
def test_we_live_as_long_as_numpy_does(giving):
    x = xp.arange(6.0, device="cpu:0")
    a = giving(x[2:])
    del x
    gc.collect()
    others = [xp.full(6, -1.0) for _ in range(9)]  # which would take memory that was given back
    assert a.tolist() == [2, 3, 4, 5] and others


def test_read_only_of_ours():
    wide = xp.broadcast_to(xp.ones(1, device="cpu:0"), (3,))
    for a in (np.asarray(wide), np.from_dlpack(wide)):
        assert not a.flags.writeable
    with pytest.raises(BufferError):
        wide.__dlpack__(copy=False)  # the old form cannot say it
    assert not xp.from_dlpack(Old(wide)).readonly  # so that is a copy


def test_what_numpy_cannot_share():
    z = xp.adjoint(xp.asarray([[1 + 2j]]))
    assert np.asarray(z) == 1 - 2j and np.from_dlpack(z) == 1 - 2j
    with pytest.raises(ValueError):
        np.asarray(z, copy=False)
    with pytest.raises(BufferError):
        z.__dlpack__(max_version=(1, 0), copy=False)
    private = xp.ones(3, storage="private")
    assert np.asarray(private).tolist() == [1, 1, 1] and np.from_dlpack(private).tolist() == [1, 1, 1]
    with pytest.raises(TypeError):
        np.asarray(xp.zeros(2, dtype=xp.dtype("c_i32")))


def test_numpy_dtypes_on_the_way():
    assert np.asarray(xp.ones(2), dtype="f4").dtype == "f4" and np.array(xp.ones(2, dtype=xp.int8)).dtype == "i1"
    x = xp.ones(2, device="cpu:0")
    copied = np.array(x, copy=True)
    copied[0] = 5
    assert x.tolist() == [1, 1]


# ---- DLPack itself


def test_capsules():
    x = xp.arange(3.0, device="cpu:0")
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 1))) and '"dltensor"' in repr(x.__dlpack__())
    assert x.__dlpack_device__() == (1, 0)
    for arguments in ({"stream": 1}, {"dl_device": (2, 0)}):
        with pytest.raises(BufferError):
            x.__dlpack__(**arguments)
    capsule = x.__dlpack__(dl_device=(1, 0), max_version=(1, 2), copy=True)
    assert "dltensor_versioned" in repr(capsule)


def test_a_capsule_nobody_takes():
    x = xp.arange(3.0)
    before = lib.ash_live_arrays()
    for version in (None, (1, 0)):
        capsule = x.__dlpack__(max_version=version)
        assert capsule is not None
        del capsule
    gc.collect()
    assert lib.ash_live_arrays() <= before


class Old:
    """A producer of the form before 1.0."""

    def __init__(self, a):
        self.a = a

    def __dlpack__(self, stream=None):
        return self.a.__dlpack__()

    def __dlpack_device__(self):
        return 1, 0


def test_old_producers():
    a = np.arange(4.0)[::-1]
    x = xp.from_dlpack(Old(a))
    assert x.tolist() == [3, 2, 1, 0]


def test_our_own():
    x = xp.arange(3.0)
    y = xp.from_dlpack(x)
    y[0] = 7.0
    assert x.tolist() == [7, 1, 2]


def test_what_is_no_tensor():
    class Wrong:
        def __dlpack__(self, **keywords):
            return 3

    with pytest.raises(TypeError):
        xp.from_dlpack(Wrong())
    with pytest.raises(AttributeError):
        xp.from_dlpack(3)


# ---- PyTorch, where it is


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="PyTorch is not installed in this environment")


TORCH_VIEWS = [lambda t: t, lambda t: t.T, lambda t: t[1:3, ::2], lambda t: t[2], lambda t: t[1, 2:2], lambda t: t[3, 4]]
TORCH_DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
                "complex128"]


@pytest.mark.parametrize("view", TORCH_VIEWS)
def test_torch_to_us(torch, view):
    t = view(torch.arange(24.0).reshape(4, 6))
    x = xp.from_dlpack(t, device="cpu:0")
    assert x.shape == tuple(t.shape) and x.tolist() == t.tolist()
    if x.size:
        assert x.strides == tuple(4 * s for s in t.stride())
        x[...] = -1.0
        assert bool((t == -1).all())


@pytest.mark.parametrize("view", VIEWS)
def test_us_to_torch(torch, view):
    x = view(xp.reshape(xp.arange(24.0, device="cpu:0"), (4, 6)))
    if any(s < 0 for s in x.strides):
        return  # PyTorch has no negative strides
    t = torch.from_dlpack(x)
    assert tuple(t.shape) == x.shape and t.tolist() == x.tolist()
    if x.size:
        assert all(8 * s == b for s, b, n in zip(t.stride(), x.strides, x.shape) if n > 1)
        t[...] = -1.0
        assert xp.all(x == -1)


@pytest.mark.parametrize("name", TORCH_DTYPES)
def test_torch_dtypes(torch, name):
    t = torch.ones(3, dtype=getattr(torch, name))
    try:
        x = xp.from_dlpack(t)
    except RuntimeError as e:
        assert name == "bool" and "not supported" in str(e)  # by PyTorch before 2
        return
    assert x.dtype.name == name and x.tolist() == [1, 1, 1] and torch.from_dlpack(x).dtype is t.dtype


def test_torch_lifetimes(torch):
    t = torch.arange(6.0)
    alive = weakref.ref(t)
    x = xp.from_dlpack(t, device="cpu:0")[2:]
    del t
    gc.collect()
    assert alive() is not None and x.tolist() == [2, 3, 4, 5]
    del x
    gc.collect()
    assert alive() is None
    x = xp.arange(6.0, device="cpu:0")
    t = torch.from_dlpack(x[2:])
    del x
    others = [xp.full(6, -1.0) for _ in range(9)]
    assert t.tolist() == [2, 3, 4, 5] and others


def test_torch_and_read_only(torch):
    wide = xp.broadcast_to(xp.ones(1, device="cpu:0"), (3,))
    t = torch.from_dlpack(wide)  # the form before 1.0 gives a copy, the later one the mark
    assert t.tolist() == [1, 1, 1]


# ---- buffers


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ is there from Python 3.12 on")
def test_our_buffer():
    x = xp.asarray(np.arange(6, dtype="i4").reshape(2, 3), copy=True, device="cpu:0")
    m = memoryview(x)
    assert m.format == "i" and m.shape == (2, 3) and m.tolist() == x.tolist()
    m[0, 0] = 9
    assert x[0, 0] == 9
    assert memoryview(x[:, ::-1]).tolist() == x[:, ::-1].tolist()
    del x
    assert m[0, 0] == 9


def test_buffer_of_ours():
    x = xp.asarray(np.arange(6, dtype="i4").reshape(2, 3), copy=True, device="cpu:0")
    m = x[:, ::-1].__buffer__(0)
    assert m.format == "i" and m.shape == (2, 3) and m.tolist() == [[2, 1, 0], [5, 4, 3]]
    with pytest.raises(BufferError):
        xp.ones(2, dtype=xp.complex64).__buffer__(0)
    with pytest.raises(BufferError):
        xp.ones(2, storage="private").__buffer__(0)


def test_buffers_of_others():
    data = bytearray(b"abcd")
    x = xp.asarray(memoryview(data)[1::2], device="cpu:0")
    assert x.tolist() == [98, 100] and x.dtype is xp.uint8
    x[0] = 0
    assert data == b"a\0cd"
    with pytest.raises(BufferError):
        data.append(1)  # it is lent
    del x
    gc.collect()
    data.append(1)
    assert xp.asarray(b"abc").readonly or xp.default_device().name != "cpu:0"


# ---- pickles


@given(arrays(ALL))
def test_pickle(a):
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        x = pickle.loads(pickle.dumps(ours(a), protocol))
        check(x, a)
        assert x.layout == ours(a).layout or ours(a).layout == "strided"


def test_pickle_of_others():
    for x in (xp.ones((2, 2), dtype=xp.bfloat16), xp.zeros(2, dtype=xp.dtype("c_i8"))):
        y = pickle.loads(pickle.dumps(x))
        assert y.dtype is x.dtype and y.tolist() == x.tolist()
    d = xp.record("point", {"x": (xp.float32, 2), "n": xp.int64})
    assert pickle.loads(pickle.dumps(d)) is d
    assert pickle.loads(pickle.dumps(xp.Device("cpu:0"))) is xp.Device("cpu:0")
