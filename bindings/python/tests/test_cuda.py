"""Elements on a CUDA device, shared with other libraries. Where there is no GPU, tests/cuda_double stands in for the driver."""

import ctypes
import warnings

import numpy as np
import pytest

import ashlar as xp
from ashlar import _exchange, _native

pytestmark = pytest.mark.skipif(not any(d.name == "cuda:0" for d in xp.devices()), reason="there is no CUDA device here")

#: The kinds of DLPack: the host; and of CUDA its memory, the host's that is pinned, what it manages.
CPU, CUDA, PINNED, MANAGED = 1, 2, 3, 13
MAKERS = {CUDA: lambda: xp.arange(10000.0, device="cuda:0").copy(storage="private"),
          PINNED: lambda: xp.arange(6.0, device="cuda:0"), MANAGED: lambda: xp.arange(10000.0, device="cuda:0")}


def tensor_of(capsule):
    """What a capsule of version 1 says."""
    pointer = _exchange._capsule_get(capsule, b"dltensor_versioned")
    return _native.DlManaged.from_address(pointer).tensor


class Theirs:
    """A library's array on a CUDA device, which writes down what its producer is told."""

    def __init__(self, a):
        self.a, self.told = a, []

    def __dlpack__(self, **keywords):
        self.told.append(keywords)
        return self.a.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()


@pytest.mark.parametrize("kind", MAKERS)
def test_devices(kind):
    x = MAKERS[kind]()
    assert x.__dlpack_device__() == (kind, 0)
    t = tensor_of(capsule := x.__dlpack__(max_version=(1, 1)))
    assert (t.device_kind, t.device_index) == (kind, 0) and capsule is not None
    assert xp.ones(3, device="cpu:0").__dlpack_device__() == (CPU, 0)
    assert x[::2].__dlpack_device__() == (kind, 0) and xp.broadcast_to(x[:1], (4,)).__dlpack_device__() == (kind, 0)


def test_of_a_copy():
    z = xp.adjoint(xp.asarray([[1 + 2j, 3 - 1j]], device="cuda:0"))
    place = z.__dlpack_device__()
    t = tensor_of(capsule := z.__dlpack__(max_version=(1, 1)))
    assert place == (t.device_kind, t.device_index) and capsule is not None


@pytest.mark.parametrize("kind", MAKERS)
def test_streams(kind):
    x = MAKERS[kind]()
    for stream in (None, -1, 1, 2):
        assert x.__dlpack__(stream=stream, max_version=(1, 1)) is not None
    with pytest.raises(BufferError):
        x.__dlpack__(stream=0)


@pytest.mark.parametrize("kind", MAKERS)
def test_on_the_host(kind):
    x = MAKERS[kind]() * 2
    t = tensor_of(capsule := x.__dlpack__(max_version=(1, 1), dl_device=(CPU, 0)))
    assert (t.device_kind, t.device_index) == (CPU, 0) and capsule is not None
    assert list((ctypes.c_double * 6).from_address(t.data)) == [0, 2, 4, 6, 8, 10]
    for arguments in ({"dl_device": (CPU, 0), "copy": False}, {"dl_device": (CUDA, 7)}):
        with pytest.raises(BufferError):
            x.__dlpack__(max_version=(1, 1), **arguments)
    assert x.__dlpack__(max_version=(1, 1), dl_device=(kind, 0), copy=False) is not None


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("taking", [xp.from_dlpack, xp.asarray])
def test_taken(kind, taking):
    a = MAKERS[kind]()
    theirs = Theirs(a)
    x = taking(theirs, device="cuda:0" if kind == PINNED else None)
    assert x.device.name == "cuda:0" and x.shape == a.shape
    assert x.__dlpack_device__() == ((CPU, 0) if kind == PINNED else (kind, 0))
    assert ("stream" in theirs.told[0]) == (kind != PINNED)
    x += 1.0
    x.wait()
    assert a[:3].tolist() == [1, 2, 3]
    y = taking(theirs, device="cpu:0")
    assert y.device.name == "cpu:0" and y[:3].tolist() == [1, 2, 3]


def test_in_the_order_of_a_queue():
    theirs = Theirs(MAKERS[CUDA]())
    with xp.Resources("cuda:0"):
        x = xp.from_dlpack(theirs)
        assert theirs.told[0]["stream"] > 2 and (x + 1.0)[:2].tolist() == [1, 2]


@pytest.mark.parametrize("kind", MAKERS)
def test_interface(kind):
    x = MAKERS[kind]()
    i = x.__cuda_array_interface__
    assert i == {"version": 3, "typestr": "<f8", "shape": x.shape, "strides": None, "stream": None,
                 "data": (tensor_of(x.__dlpack__(max_version=(1, 1))).data, False)}
    odd = x[1::2].__cuda_array_interface__
    assert odd["data"][0] == i["data"][0] + 8 and odd["strides"] == (16,)
    assert xp.broadcast_to(x[:1], (4,)).__cuda_array_interface__["data"] == (i["data"][0], True)
    assert x[:0].__cuda_array_interface__["shape"] == (0,)


def test_what_has_no_interface():
    for x in (xp.ones(3, device="cpu:0"), xp.adjoint(xp.asarray([[1j]], device="cuda:0"))):
        assert not hasattr(x, "__cuda_array_interface__")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.asarray(xp.ones(3, device="cuda:0")).tolist() == [1, 1, 1]
