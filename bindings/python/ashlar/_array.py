"""The array object: what it is, its operators, its elements, and how it goes to and from other libraries."""

import ctypes

from . import _devices, _dtypes, _foreign, _host, _native
from ._native import lib, made

_new = object.__new__


class Array:
    """A typed array of fixed size on a device. Made by `asarray`, `zeros` and the like, not by a call of the class.

    Operators and methods are those of the array API standard. Slices are views: a change of one is a change of the other. Work
    is queued; whatever needs elements on the host waits for them.
    """

    __slots__ = ("_p", "_dtype", "_shape", "__weakref__")

    def __new__(cls, *arguments, **keywords):
        raise TypeError("arrays are made by ashlar.asarray, ashlar.zeros and the like")

    def __del__(self, release=lib.ash_release, held=_foreign.held, collect=_foreign.collect):
        release(self._p)
        if held:
            collect()

    @property
    def _as_parameter_(self):
        """What the library is given for the array, which lives as long as the call: ``f(x)``, and never ``f(x._p)`` of a
        temporary."""
        return self._p

    # ---- what it is

    @property
    def dtype(self):
        """The element type."""
        try:
            return self._dtype
        except AttributeError:
            d = self._dtype = _dtypes.from_number(lib.ash_dtype_of(self._p))
            return d

    @property
    def shape(self):
        """The sizes of the axes, a tuple."""
        try:
            return self._shape
        except AttributeError:
            pass
        rank = lib.ash_rank(self._p)
        if rank < 0:
            raise _native.failure()
        shape = self._shape = tuple((ctypes.c_int64 * rank).from_address(lib.ash_shape(self._p)))
        return shape

    @property
    def ndim(self):
        """How many axes."""
        return len(self.shape)

    @property
    def size(self):
        """How many elements."""
        return lib.ash_size(self._p)

    @property
    def nbytes(self):
        """Bytes of all elements."""
        return lib.ash_nbytes(self._p)

    @property
    def itemsize(self):
        """Bytes of one element."""
        return self.dtype.itemsize

    @property
    def strides(self):
        """Bytes from one element to the next along each axis, a tuple."""
        return tuple((ctypes.c_int64 * self.ndim).from_address(lib.ash_byte_strides(self._p)))

    @property
    def device(self):
        """The `Device` that holds the elements."""
        return _devices.from_handle(lib.ash_device_of(self._p))

    @property
    def storage(self):
        """``"shared"``: the host may read and write elements. ``"private"``: it may not, but copies work."""
        return ("", "shared", "private")[lib.ash_storage_of(self._p)]

    @property
    def layout(self):
        """``"row-major"``, ``"col-major"`` or ``"strided"``."""
        return ("", "row-major", "col-major", "strided")[lib.ash_layout_of(self._p)]

    @property
    def readonly(self):
        """Whether elements cannot be written."""
        return lib.ash_is_readonly(self._p)

    def __array_namespace__(self, *, api_version=None):
        """The module of the standard's functions."""
        import ashlar
        if api_version not in (None, *VERSIONS):
            raise ValueError(f"version {api_version!r} of the array API standard is not supported; {', '.join(VERSIONS)} are")
        return ashlar

    # ---- views

    @property
    def T(self):
        """The transpose of a matrix, a view."""
        if self.ndim != 2:
            raise ValueError(f"T is for matrices; this array has shape {self.shape}: use mT, or permute_dims")
        return self.mT

    @property
    def mT(self):
        """The last two axes exchanged, a view."""
        n = self.ndim
        if n < 2:
            raise ValueError(f"mT needs two axes; this array has shape {self.shape}")
        return wrap(made(lib.ash_permute, self, _native.sizes((*range(n - 2), n - 1, n - 2))))

    # ---- text

    def __repr__(self):
        size = lib.ash_format(None, 0, self._p)
        buffer = ctypes.create_string_buffer(size + 1)
        lib.ash_format(buffer, size + 1, self._p)
        return buffer.value.decode()

    # ---- elements

    def item(self):
        """The one element, as a Python number."""
        if self.size != 1:
            raise ValueError(f"item: an array of shape {self.shape} has {self.size} elements, not one")
        return _host.item(self._p, self.dtype)

    def tolist(self):
        """The elements as nested lists of Python numbers; of rank 0, the number."""
        return _host.nested(_host.elements(self._p, self.dtype), self.shape)

    def __bool__(self):
        return bool(self._scalar("bool"))

    def __int__(self):
        return int(self._scalar("int"))

    def __float__(self):
        return float(self._scalar("float"))

    def __complex__(self):
        value = self._scalar("complex")
        return complex(value, value) if value != value and not isinstance(value, complex) else complex(value)

    def __index__(self):
        if self.dtype.kind not in _dtypes.INTEGERS:
            raise TypeError(f"an array of {self.dtype} is no index")
        return self._scalar("index")

    def _scalar(self, what):
        if lib.ash_rank(self._p):
            raise TypeError(f"{what}: only an array of rank 0 is a number; this one has shape {self.shape}")
        return _host.item(self._p, self.dtype)

    def __len__(self):
        if self.shape == ():
            raise TypeError("an array of rank 0 has no length")
        return self.shape[0]

    def __iter__(self):
        if self.shape == ():
            raise TypeError("an array of rank 0 cannot be iterated over")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, value):
        return bool(wrap(made(lib.ash_any_opt, self == value, None)))

    __hash__ = None

    # ---- elsewhere

    def to_device(self, device, /, *, stream=None):
        """The array on another device; itself when it is there already.

        Parameters
        ----------
        device : Device or str
        stream : None
            Queues of the library order work by themselves; nothing else can be given.
        """
        if stream is not None:
            raise ValueError("to_device: stream must be None; queues order work by themselves")
        device = _devices.Device(device)
        if device is self.device:
            return self
        target = _native.Target(ctypes.sizeof(_native.Target), device.queue())
        return wrap(made(lib.ash_adapt_opt, self, ctypes.byref(target)))

    def wait(self):
        """Waits until the elements can be read; raises the fault of the work that makes them. Gives back the array."""
        _native.check(lib.ash_wait(self._p))
        return self

    def copy(self, *, layout=None, storage=None):
        """A new array with the same elements.

        Parameters
        ----------
        layout : {"row-major", "col-major"}, optional
            Default that of the array.
        storage : {"shared", "private"}, optional
            Default that of the array.
        """
        return wrap(made(lib.ash_copy_opt, self,
                         _native.options("copy", layout=layout_number(layout), storage=storage_number(storage))))

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def discard(self):
        """Gives the storage back now; every later use of the array but printing is a `ReleasedError`."""
        _native.check(lib.ash_discard(self._p))
        for name in ("_dtype", "_shape"):
            if hasattr(self, name):
                delattr(self, name)

    def field(self, name):
        """One field of every record, a view."""
        return wrap(made(lib.ash_field, self, name.encode()))

    def __reduce__(self):
        columns = self.layout == "col-major"
        stored = _turned(self) if columns else self
        return _unpickled, (self.dtype, stored.shape, columns, _host.bytes_of(stored._p))


VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

# ---- handles


def wrap(pointer):
    """The array of a pointer that the caller owns."""
    a = _new(Array)
    a._p = pointer
    return a


def layout_number(name):
    """The library's number of a ``layout=`` argument."""
    try:
        return {None: None, "row-major": 1, "col-major": 2}[name]
    except KeyError:
        raise ValueError(f"a layout is 'row-major' or 'col-major', not {name!r}") from None


def storage_number(name):
    """The library's number of a ``storage=`` argument."""
    try:
        return {None: None, "shared": 1, "private": 2}[name]
    except KeyError:
        raise ValueError(f"a storage is 'shared' or 'private', not {name!r}") from None


# ---- pickling


def _turned(a):
    """All axes in the opposite order, a view."""
    return wrap(made(lib.ash_permute, a, _native.sizes(tuple(reversed(range(a.ndim))))))


def _unpickled(d, shape, columns, data):
    place = (ctypes.c_char * len(data)).from_buffer(data) if data else None
    a = wrap(made(lib.ash_from_host_opt, place, d.number, _native.sizes(shape), None))
    return _turned(a) if columns else a
