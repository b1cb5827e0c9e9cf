#!/usr/bin/env python3
"""Arrays exchanged with NumPy, and with PyTorch and JAX where they are installed, through DLPack: check_dlpack.py LIBRARY.

Both directions and, where the other side knows it, both forms: values, strides, offsets, what is read-only, and who ends what
and when. NumPy is the source of all expected values.
"""
import ctypes
import gc
import importlib
import sys
import threading
import weakref
from ctypes import POINTER, c_bool, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
try:
    np.zeros(1).__dlpack__(max_version=(1, 0))
    VERSIONED = True
except TypeError:
    VERSIONED = False  # NumPy before 2.1 knows the old form alone


# ---- the declarations that are used here


class Tensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device_kind", c_int32), ("device_index", c_int32), ("rank", c_int32), ("code", c_uint8),
                ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("context", c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, c_void_p)), ("flags", c_uint64), ("tensor", Tensor)]


class ManagedOld(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", ctypes.CFUNCTYPE(None, c_void_p))]


class ToOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("resources", c_void_p), ("copy", c_bool)]


class Dims(ctypes.Structure):
    _fields_ = [("size", POINTER(c_int64)), ("rank", c_int64)]


def declare(result, name, *parameters):
    function = getattr(lib, name)
    function.restype, function.argtypes = result, parameters
    return function


release = declare(None, "ash_release", c_void_p)
from_dlpack = {True: declare(c_void_p, "ash_from_dlpack_opt", c_void_p, c_void_p),
               False: declare(c_void_p, "ash_from_dlpack_old_opt", c_void_p, c_void_p)}
to_dlpack = {True: declare(c_void_p, "ash_to_dlpack_opt", c_void_p, c_void_p),
             False: declare(c_void_p, "ash_to_dlpack_old_opt", c_void_p, c_void_p)}
to_host = declare(c_int32, "ash_to_host", c_void_p, c_void_p, c_size_t)
nbytes = declare(c_size_t, "ash_nbytes", c_void_p)
strides = declare(POINTER(c_int64), "ash_strides", c_void_p)
is_readonly = declare(c_bool, "ash_is_readonly", c_void_p)
slice_of = declare(c_void_p, "ash_slice_opt", c_void_p, c_int64, c_int64, c_void_p)
transpose = declare(c_void_p, "ash_transpose", c_void_p)
broadcast_to = declare(c_void_p, "ash_broadcast_to", c_void_p, Dims)
error_text = declare(c_char_p, "ash_error_text")
live_arrays = declare(c_int64, "ash_live_arrays")

capsule_new = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
capsule_pointer = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
capsule_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))
NAME = {True: b"dltensor_versioned", False: b"dltensor"}
USED = {True: b"used_dltensor_versioned", False: b"used_dltensor"}
STRUCT = {True: Managed, False: ManagedOld}


def check(result):
    if not result:
        sys.exit(f"failed: {error_text().decode()}")
    return result


def equal(got, want, what=""):
    if got != want:
        sys.exit(f"{what}: got {got}, want {want}")


def same(got, want, what=""):
    if got.dtype != want.dtype or got.shape != want.shape or got.tobytes() != want.tobytes():
        sys.exit(f"{what}: got\n{got!r}\nwant\n{want!r}")


class Export:
    """One of our arrays as the producer that other libraries ask."""

    def __init__(self, array, versioned=True, copy=False):
        self.array, self.versioned, self.copy = array, versioned, copy

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, stream=None, max_version=None, dl_device=None, copy=None):
        versioned = self.versioned and max_version is not None and max_version[0] >= 1
        options = ToOptions(ctypes.sizeof(ToOptions), None, self.copy or bool(copy))
        managed = check(to_dlpack[versioned](self.array, ctypes.byref(options)))
        return capsule_new(managed, NAME[versioned], None)  # always consumed here, so it needs no destructor


def capsule_of(source, versioned):
    return source.__dlpack__(max_version=(1, 0)) if versioned else source.__dlpack__()


def imported(source, versioned):
    """An array of ours over the elements of another library's."""
    capsule = capsule_of(source, versioned)
    array = check(from_dlpack[versioned](capsule_pointer(capsule, NAME[versioned]), None))
    capsule_rename(capsule, USED[versioned])  # what says that it was consumed
    return array


def host(array, like):
    """The elements in row-major order, through ash_to_host."""
    back = np.empty(like.shape, like.dtype)
    equal(nbytes(array), like.nbytes, "bytes")
    equal(to_host(array, back.ctypes.data, back.nbytes), 0, "ash_to_host")
    return back


FORMS = (True, False) if VERSIONED else (False,)
DTYPES = "b h i q B H I Q e f d F D".split() + ["?"] * VERSIONED  # NumPy 1.24 refuses bool


def counting(dtype, *shape):
    n = int(np.prod(shape))
    return (np.arange(n) % 2 == 1 if dtype == "?" else np.arange(n)).astype(dtype).reshape(shape)


# ---- NumPy's arrays here


def imports():
    for versioned in FORMS:
        for dtype in DTYPES:
            x = counting(dtype, 4, 5, 6)
            for what, view in {"all": x, "transposed": x.T, "reversed": x[::-1, :, ::-2], "part": x[1:3, 2:3, 1::2],
                               "columns": np.asfortranarray(x), "empty": x[2:2], "scalar": x[3, 4, 5:6].reshape(()),
                               "row": x[2, 3]}.items():
                a = imported(view, versioned)
                same(host(a, view), np.ascontiguousarray(view).reshape(view.shape), f"{dtype} {what}")
                for k, size in enumerate(view.shape):
                    if size > 1 and view.size:
                        equal(strides(a)[k], view.strides[k] // view.itemsize, f"{what}: stride {k}")
                equal(is_readonly(a), False, what)
                release(a)


def shares_memory():
    for versioned in FORMS:
        x = counting("i", 3, 4)
        a = imported(x[:, 1:], versioned)
        x[1, 2] = 99
        equal(host(a, x[:, 1:])[1, 1], 99, "written there, read here")
        y = np.from_dlpack(Export(a, versioned))
        equal(y.ctypes.data, x[:, 1:].ctypes.data, "address")
        equal(y.strides, x[:, 1:].strides, "strides")
        same(y, x[:, 1:].copy(), "round trip")
        release(a)


def readonly():
    x = counting("d", 6)
    x.flags.writeable = False
    if VERSIONED:
        a = imported(x, True)
        equal(is_readonly(a), True, "read-only from NumPy")
        y = np.from_dlpack(Export(a))
        equal(y.flags.writeable, False, "read-only to NumPy")
        z = np.from_dlpack(Export(a, copy=True))
        equal(z.flags.writeable, True, "a copy may be written")
        same(z, x, "copy")
        release(a)
        b = imported(counting("d", 1), True)
        size = (c_int64 * 2)(2, 3)
        c = check(broadcast_to(b, Dims(size, 2)))
        y = np.from_dlpack(Export(c))
        equal((y.shape, y.strides, y.flags.writeable), ((2, 3), (0, 0), False), "broadcast")
        release(b)
        release(c)
        w = imported(counting("d", 2), True)
        y = np.from_dlpack(Export(w))
        y[1] = 7
        equal(host(w, y)[1], 7.0, "written by NumPy")
        release(w)


# ---- lifetimes


def numpy_outlived():
    """What NumPy lent lives as long as any view here, wherever the last one is released."""
    for versioned in FORMS:
        x = counting("f", 4, 5)
        gone = weakref.ref(x)
        a = imported(x, versioned)
        del x
        v = check(transpose(a))
        release(a)
        gc.collect()
        equal(gone() is None, False, "lent to a view")
        thread = threading.Thread(target=release, args=(v,))
        thread.start()
        thread.join()
        gc.collect()
        equal(gone() is None, True, "given back on another thread")


def outlives_us():
    """What we lend lives as long as NumPy's arrays."""
    for versioned in FORMS:
        a = imported(counting("q", 10), versioned)
        v = check(slice_of(a, 3, 7, None))
        y = np.from_dlpack(Export(v, versioned))
        part = y[1:3]
        release(a)
        release(v)
        del y
        gc.collect()
        same(part, np.array([4, 5]), "after everything else has gone")
        del part
        own = np.from_dlpack(Export(check(v := imported(counting("q", 3), versioned)), versioned, copy=True))
        release(v)
        same(own, counting("q", 3), "a copy of ours, alone")


def refusals():
    """A capsule that is refused stays the producer's."""
    for versioned in FORMS:
        x = counting("i", 3)
        gone = weakref.ref(x)
        capsule = capsule_of(x, versioned)
        pointer = capsule_pointer(capsule, NAME[versioned])
        tensor = ctypes.cast(pointer, POINTER(STRUCT[versioned])).contents.tensor
        tensor.bits = 128
        equal(from_dlpack[versioned](pointer, None), None, "128 bits")
        name = "ash_from_dlpack" if versioned else "ash_from_dlpack_old"
        equal(error_text().decode(), f"{name}: cpu:0 does not support i128 values; use i64")
        del x, tensor
        equal(gone() is None, False, "still in the capsule")
        del capsule  # ends what was not consumed
        gc.collect()
        equal(gone() is None, True, "ended by the capsule")


# ---- other libraries


def others():
    for name in ("torch", "jax.numpy"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed: not checked with it")
            continue
        for dtype in set(DTYPES) & set("?bhiBefF"):  # what both have by default
            x = counting(dtype, 3, 4)
            a = imported(x, VERSIONED)
            y = module.from_dlpack(Export(a))
            same(np.asarray(y), x, f"{name} {dtype}")
            b = imported(y, False)
            same(host(b, x), x, f"{name} {dtype}, back")
            release(a)
            release(b)
        print(f"exchanged with {name} {getattr(sys.modules[name.split('.')[0]], '__version__', '')}")


for part in (imports, shares_memory, readonly, numpy_outlived, outlives_us, refusals, others):
    part()
gc.collect()
equal(live_arrays(), 0, "arrays left over")
print(f"exchanged with NumPy {np.__version__}, {'both forms' if VERSIONED else 'the old form'}")
