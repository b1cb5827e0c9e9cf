"""Memory shared with other libraries: DLPack, the buffer protocol, the array interfaces of NumPy and of CUDA."""

import ctypes
import functools
import itertools

from . import _devices, _dtypes, _errors, _foreign, _native
from ._array import Array, wrap
from ._native import byref, lib, made, options, sizes

_api = ctypes.pythonapi


def _python_function(name, result, *arguments):
    function = getattr(_api, name)
    function.restype, function.argtypes = result, arguments
    return function


_capsule_new = _python_function("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_capsule_is = _python_function("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_capsule_get = _python_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_capsule_rename = _python_function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
# In a destructor the capsule has no reference any more, so it is a plain address there.
_dead_capsule_is = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_dead_capsule_get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))

# A capsule keeps the address of its name only, so the names live as long as the process.
_NAME = ctypes.create_string_buffer(b"dltensor_versioned")
_NAME_OLD = ctypes.create_string_buffer(b"dltensor")
_USED = ctypes.create_string_buffer(b"used_dltensor_versioned")
_USED_OLD = ctypes.create_string_buffer(b"used_dltensor")

_Deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # DLPack's kinds of devices


def _address(buffer):
    return ctypes.cast(buffer, ctypes.c_char_p)


def _end_managed(pointer, kind, call=_Deleter):
    """Calls the deleter of a managed tensor."""
    deleter = kind.from_address(pointer).deleter
    if deleter:
        call(deleter)(pointer)


def _end(capsule, holds=_dead_capsule_is, get=_dead_capsule_get, end=_end_managed,
         kinds=((_NAME.value, _native.DlManaged), (_NAME_OLD.value, _native.DlManagedOld))):
    """The end of a capsule that nobody has taken the tensor of."""
    for name, kind in kinds:
        if holds(capsule, name):
            end(get(capsule, name), kind)


# The last capsules end after this module has been cleared, so what ends them is never freed and has all it needs as defaults.
_end_capsule = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_end)
_python_function("Py_IncRef", None, ctypes.py_object)(_end_capsule)


# ---- out


def dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """The array as a DLPack capsule.

    Parameters
    ----------
    stream : int, optional
        Of CUDA, for an array on such a device: what is put there from now on comes after work that is queued; 1 and 2 are its
        default streams, -1: nothing is waited for. Without it the elements are waited for.
    max_version : tuple of int, optional
        The newest version that the caller reads; without it the form before 1.0, which cannot say that memory is read-only.
    dl_device : tuple of int, optional
        Where the array is, as `__dlpack_device__` says, or the host, ``(1, 0)``, for which elements on others are copied.
    copy : bool, optional
        True: of a new copy. False: never, or an error. None: of a copy only where there is no other way.
    """
    wanted = None if dl_device is None else tuple(map(int, dl_device))
    if wanted == (CPU, 0) and _on_cuda(self):
        if copy is False:
            raise BufferError(f"__dlpack__: elements on {self.device} cannot be given on the host without a copy")
        return dlpack(self.to_device("cpu:0"), max_version=max_version)
    if wanted is not None and wanted != dlpack_device(self):
        raise BufferError(f"__dlpack__: elements can be given on {dlpack_device(self)} or the host (1, 0), not on {wanted}")
    if not (stream in (None, -1) or _on_cuda(self)):
        raise BufferError("__dlpack__: stream must be None; elements are waited for")
    if stream == 0:
        raise BufferError("__dlpack__: stream 0 is either of two; 1 is CUDA's default stream, 2 that of the thread")
    old = max_version is None or max_version[0] < 1
    pointer = _export(self, lib.ash_to_dlpack_old_opt if old else lib.ash_to_dlpack_opt, copy, stream)
    return _capsule_new(pointer, _address(_NAME_OLD if old else _NAME), ctypes.cast(_end_capsule, ctypes.c_void_p))


def _export(a, export, copy, stream):
    """The address of a managed tensor over an array, or over a copy where that may be."""
    pointer = export(a, options("to_dlpack", copy=bool(copy), stream=stream))
    if not pointer:
        e = _native.failure()
        if copy is None and isinstance(e, NotImplementedError):
            pointer = export(a, options("to_dlpack", copy=True, stream=stream))
        if not pointer:
            raise BufferError(str(e)) from e
    return pointer


def _on_cuda(a):
    return a.device.name.startswith("cuda:")


def _placed(a, copy, stream):
    """The kind and number of the device of an array's elements, and the address of the first one."""
    pointer = _export(a, lib.ash_to_dlpack_opt, copy, stream)
    tensor = _native.DlManaged.from_address(pointer).tensor
    place = tensor.device_kind, tensor.device_index, tensor.data or 0
    _end_managed(pointer, _native.DlManaged)
    return place


def dlpack_device(self):
    """The kind and number of the device that `__dlpack__` gives elements on: the host ``(1, 0)``, also for those in memory of
    an OpenCL device; on a CUDA device its own memory ``(2, n)``, memory that it manages ``(13, n)``, or pinned memory of the
    host ``(3, n)``."""
    return _placed(self, None, -1)[:2] if _on_cuda(self) else (CPU, 0)


def cuda_array_interface(self):
    """CUDA's array interface, version 3, of an array on a CUDA device. Work on the elements has been waited for; what others
    put into streams of their own must be done before the library uses the elements again."""
    if not _on_cuda(self):
        raise AttributeError(f"an array on {self.device} has no __cuda_array_interface__")
    try:
        typestr, address = _typestr(self.dtype), _placed(self, False, None)[2]
    except (TypeError, BufferError) as e:
        raise AttributeError(f"__cuda_array_interface__: {e}") from e
    return {"version": 3, "typestr": typestr, "shape": self.shape, "data": (address, self.readonly),
            "strides": None if self.layout == "row-major" else self.strides, "stream": None}


class _Interface:
    """NumPy's array interface of an array that the host can read, which it keeps alive."""

    __slots__ = ("array", "__array_interface__")

    def __init__(self, a, e):
        self.array = a
        rank = e.rank
        strides = tuple((ctypes.c_int64 * rank).from_address(e.byte_stride)) if rank else ()
        self.__array_interface__ = {"version": 3, "typestr": _typestr(a.dtype), "shape": a.shape,
                                    "strides": strides if a.size else None, "data": (e.first or 0, a.readonly)}
        if a.dtype.kind == "record":
            self.__array_interface__["descr"] = _descr(a.dtype)


def _typestr(d):
    if d.typestr is None and d.kind != "record" and d.name != "bfloat16":
        raise TypeError(f"NumPy has no dtype for {d}")
    return d.typestr or f"|V{d.itemsize}"


def _descr(d):
    """A record as NumPy describes one, its gaps as fields without a name."""
    entries, end = [], 0
    for name, (part, offset, count) in d.fields.items():
        if offset > end:
            entries.append(("", f"|V{offset - end}"))
        inner = _descr(part) if part.kind == "record" else _typestr(part)
        entries.append((name, inner) if count == 1 else (name, inner, (count,)))
        end = offset + count * part.itemsize
    if d.itemsize > end:
        entries.append(("", f"|V{d.itemsize - end}"))
    return entries


def elements_of(a):
    """Where the elements of an array are, on the host; waits for them. None where the host cannot read them as they are."""
    e = _native.Elements()
    _native.check(lib.ash_elements_of(b"__array__", b"a", a._p, False, byref(e), ctypes.sizeof(e)))
    readable = e.storage == 1 and not e.conjugated and (e.first or not e.size)
    return e if readable else None


def to_numpy(self, dtype=None, copy=None):
    """The array as one of NumPy, over the same memory where that can be.

    Parameters
    ----------
    dtype : numpy.dtype, optional
    copy : bool, optional
        True: always new memory. False: never, or a ValueError. None: only where there is no other way.
    """
    import numpy
    e = elements_of(self)
    if e is None:
        if copy is False:
            raise ValueError("__array__: the elements are private, or conjugated; NumPy cannot have them without a copy")
        plain = self.copy(storage="shared", layout="row-major")
        return to_numpy(plain, dtype, None)
    result = numpy.asarray(_Interface(self, e))
    if dtype is not None and result.dtype != dtype:
        if copy is False:
            raise ValueError(f"__array__: {self.dtype} cannot become {dtype} without a copy")
        return result.astype(dtype)
    return result.copy() if copy else result


# ---- the buffer protocol


class _Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
                ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p)]


_get_buffer = _python_function("PyObject_GetBuffer", ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
_release_buffer = _python_function("PyBuffer_Release", None, ctypes.c_void_p)
_memoryview_of = _python_function("PyMemoryView_FromBuffer", ctypes.py_object, ctypes.c_void_p)
_FULL_RO = 0x11C  # strides and format; writable where it is
_WRITABLE = 0x1


def buffer(self, flags):
    """The elements as a memoryview, for Python 3.12 and later: ``memoryview(a)``."""
    code = self.dtype.code
    if code is None or self.dtype.kind == "complex floating":
        raise BufferError(f"{self.dtype} has no format of the buffer protocol")
    e = elements_of(self)
    if e is None:
        raise BufferError("the elements are private, or conjugated")
    if flags & _WRITABLE and self.readonly:
        raise BufferError("the array is read-only")
    rank = e.rank
    view = _Buffer(e.first, None, self.nbytes, self.itemsize, self.readonly, rank, _address(_FORMATS[self.dtype]),
                   (ctypes.c_ssize_t * rank)(*self.shape), (ctypes.c_ssize_t * rank)(*self.strides))
    return _memoryview_of(ctypes.addressof(view))  # which copies all but the format


_FORMATS = {d: ctypes.create_string_buffer(d.code.encode()) for d in (*_dtypes.STANDARD.values(), _dtypes.float16)
            if d.kind != "complex floating"}
_BY_CODE = {d.code: d for d in _dtypes.STANDARD.values() if d.code}
_BY_CODE.update({"e": _dtypes.float16, "l": _dtypes.int64, "L": _dtypes.uint64, "n": _dtypes.int64, "N": _dtypes.uint64,
                 "c": _dtypes.uint8, "Zf": _dtypes.complex64, "Zd": _dtypes.complex128})


def _over(make, device):
    """An array over host memory, on a device: where that one does not work in host memory, on the host's, to be copied."""
    try:
        return wrap(make(_devices.queue_for(device)))
    except NotImplementedError:
        return wrap(make(_devices.queue_for("cpu:0")))


def _from_buffer(obj, device):
    """An array over a buffer; None where the object has none."""
    view = _Buffer()
    try:
        _get_buffer(obj, ctypes.addressof(view), _FULL_RO)
    except (TypeError, BufferError):
        return None
    release = _Release(view)
    code = (view.format or b"B").decode().lstrip("@=<")
    d = _BY_CODE.get(code)
    if d is None or d.itemsize != view.itemsize or view.suboffsets:
        release()
        raise TypeError(f"asarray: a buffer of format {code!r} holds no elements of a dtype here")
    shape = tuple(view.shape[:view.ndim])
    strides = tuple(view.strides[:view.ndim]) if view.strides else None
    return _wrapped(view.buf, d, shape, strides, view.readonly, release, device)


class _Release:
    """Gives a buffer back, once."""

    def __init__(self, view):
        self.view = view

    def __call__(self, release=_release_buffer, address=ctypes.addressof):
        view, self.view = self.view, None
        if view is not None:
            release(address(view))


def _wrapped(address, d, shape, strides, readonly, finish, device):
    """An array over memory at an address, which ``finish`` gives back; strides in bytes, None for row-major."""
    tensor = _native.DlTensor()
    code, bits = _DL[d.kind], 8 * d.itemsize
    if strides is not None and any(s % d.itemsize for s in strides):
        finish()
        return None
    size = 1
    for n in shape:
        size *= n
    held = sizes(shape)
    tensor.data, tensor.device_kind, tensor.rank = address if size else None, CPU, len(shape)
    tensor.code, tensor.bits, tensor.lanes, tensor.shape = code, bits, 1, held.pointer
    if strides is not None:
        steps = sizes([s // d.itemsize for s in strides])
        tensor.strides = steps.pointer
    context = next(_contexts)
    try:
        a = _over(lambda queue: made(lib.ash_wrap_dlpack_opt, byref(tensor),
                                     options("wrap_dlpack", resources=queue, readonly=bool(readonly), deferred=True,
                                             deleter=_unused, context=context)), device)
    except BaseException:
        finish()
        raise
    _foreign.hold(context, finish)
    return a


_DL = {"signed integer": 0, "unsigned integer": 1, "real floating": 2, "complex floating": 5, "bool": 6}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _never(context):
    """What is deferred is not called."""


_unused = ctypes.cast(_never, ctypes.c_void_p).value
#: Numbers that no other context has: odd, so that no address of a managed tensor is the same.
_contexts = itertools.count(0x1001, 2)


def _from_interface(obj, device):
    """An array over the memory of one with NumPy's array interface; None where it cannot be."""
    interface = obj.__array_interface__
    d = _BY_TYPESTR.get(interface["typestr"])
    if d is None or interface.get("mask") is not None or interface.get("data") is None:
        return None
    address, readonly = interface["data"]
    if address % (_dtypes.real_of(d).itemsize):
        return None
    return _wrapped(address, d, interface["shape"], interface.get("strides"), readonly, _Keep(obj), device)


class _Keep:
    """Keeps an object until it is called."""

    def __init__(self, obj):
        self.obj = obj

    def __call__(self):
        self.obj = None


_BY_TYPESTR = {d.typestr: d for d in [*_dtypes.STANDARD.values(), _dtypes.float16]}


# ---- in


def _meeting(x, device):
    """Where an object's elements become an array, and what its ``__dlpack__`` is told: the stream, of elements on CUDA."""
    kind, index = x.__dlpack_device__() if hasattr(x, "__dlpack_device__") else (CPU, 0)
    if kind not in (CUDA, CUDA_MANAGED):
        return device, {}
    name = f"cuda:{int(index)}"
    given = device.device if isinstance(device, _devices.Resources) else device and _devices.Device(device)
    if not given or given.name.partition("?")[0] != name:
        device = name
    stream = ctypes.c_void_p()
    _native.check(lib.ash_cuda_stream(_devices.queue_for(device), byref(stream)))
    return device, {"stream": stream.value or 1}


def from_dlpack(x, device, copy):
    """An array of an object with ``__dlpack__``."""
    if isinstance(x, Array):
        return x.copy() if copy else wrap(made(lib.ash_share, x))
    try:
        device, how = _meeting(x, device)
    except _errors.DeviceError as e:
        raise BufferError(str(e)) from e
    try:
        capsule = x.__dlpack__(max_version=(1, 2), **how, **({} if copy is None else {"copy": copy}))
    except TypeError:
        capsule = x.__dlpack__(**how)
    if _capsule_is(capsule, _NAME.value):
        pointer = _capsule_get(capsule, _NAME.value)
        used, kind, function = _USED, _native.DlManaged, lib.ash_from_dlpack_opt
    elif _capsule_is(capsule, _NAME_OLD.value):
        pointer = _capsule_get(capsule, _NAME_OLD.value)
        used, kind, function = _USED_OLD, _native.DlManagedOld, lib.ash_from_dlpack_old_opt
    else:
        raise TypeError("from_dlpack: __dlpack__ gave no DLPack capsule")
    try:
        a = _over(lambda queue: made(function, pointer, options("from_dlpack", resources=queue, deferred=True)), device)
    except _errors.DeviceError as e:
        raise BufferError(str(e)) from e
    _capsule_rename(capsule, _address(used))
    _foreign.hold(pointer, functools.partial(_end_managed, pointer, kind))
    already = kind is _native.DlManaged and kind.from_address(pointer).flags & 2
    return a.copy() if copy and not already else a


def imported(obj, device, copy):
    """An array of what another library has; None where it has nothing of the kind."""
    a = None
    if hasattr(obj, "__array_interface__"):
        a = _from_interface(obj, device)
        if a is None:
            if copy is False:
                raise ValueError("asarray: the array cannot be shared without a copy")
            return _from_numpy(obj, device)
    elif hasattr(obj, "__dlpack__"):
        return from_dlpack(obj, device, copy)
    else:
        a = _from_buffer(obj, device)
    return a.copy() if a is not None and copy else a


def _from_numpy(obj, device):
    """A copy of an array of NumPy that cannot be shared: of another byte order, misaligned, or with odd strides."""
    import numpy
    n = numpy.ascontiguousarray(obj).reshape(numpy.shape(obj))
    n = n.astype(n.dtype.newbyteorder("=")) if n.dtype.byteorder == ">" else n.copy()
    a = _from_interface(n, device)
    if a is None:
        raise TypeError(f"asarray: there is no dtype for NumPy's {n.dtype}")
    return a


Array.__dlpack__ = dlpack
Array.__dlpack_device__ = dlpack_device
Array.__cuda_array_interface__ = property(cuda_array_interface)
Array.__array__ = to_numpy
Array.__array_ufunc__ = None  # NumPy's operators leave ours to us, so that nothing becomes an array of NumPy unseen
Array.__buffer__ = buffer
