"""Devices, and resources: a device with a queue of work."""

import threading

from . import _native
from ._native import lib

_open_devices = {}
_lock = threading.Lock()


class Device:
    """A place with memory and arithmetic, ``Device("cpu:0")``. Two of one name are equal.

    A name is a backend and an index, and after a question mark capabilities to take away: ``"cpu:0?f64=off"``.

    Attributes
    ----------
    name : str
        The name it was opened by.
    """

    __slots__ = ("name", "_handle", "_queue")

    def __new__(cls, name="cpu:0"):
        if isinstance(name, Device):
            return name
        if not isinstance(name, str):
            raise TypeError(f"a device is named by a string, not {name!r}")
        handle = lib.ash_device_open(name.encode())
        if not handle:
            raise _native.failure()
        return from_handle(handle)

    def __repr__(self):
        return f"Device({self.name!r})"

    def __str__(self):
        return self.name

    def __reduce__(self):
        return Device, (self.name,)

    @property
    def description(self):
        """What the driver says of it: the processor's model, for instance."""
        return lib.ash_device_description(self._handle).decode("utf-8", "replace")

    @property
    def memory(self):
        """Bytes in all, in use or not."""
        return lib.ash_device_memory(self._handle)

    def can(self, capability):
        """Whether it has ``"f64"``, ``"f16"`` or ``"unified"`` (host and device share one memory)."""
        return lib.ash_device_can(self._handle, {"f64": 1, "f16": 2, "unified": 3}[capability])

    def pool(self):
        """What its pool of memory holds now, a dict: bytes ``in_use``, ``cached``, ``peak``, ``limit``; counts ``requests``,
        ``hits``."""
        info = _native.PoolInfo()
        _native.check(lib.ash_pool_stats(self._handle, _native.byref(info), _native.ctypes.sizeof(info)))
        return {name: getattr(info, name) for name, _ in info._fields_}

    def limit_pool(self, nbytes):
        """The most the pool may take from the system, in bytes; 0 for no limit."""
        _native.check(lib.ash_pool_limit(self._handle, nbytes))

    def trim_pool(self, keep=0):
        """Gives cached memory back to the system, all but ``keep`` bytes."""
        _native.check(lib.ash_pool_trim(self._handle, keep))

    def queue(self):
        """The handle of the resources that arrays made for this device by name use."""
        if self._queue is None:
            with _lock:
                if self._queue is None:
                    self._queue = Resources(self)
        return self._queue._handle


def from_handle(handle):
    """The one Device of a handle of the library."""
    device = _open_devices.get(handle)
    if device is None:
        device = object.__new__(Device)
        device.name, device._handle, device._queue = lib.ash_device_name(handle).decode(), handle, None
        device = _open_devices.setdefault(handle, device)
    return device


class Resources:
    """A device and an in-order queue of work on it; as a context manager, what arrays and work inside the block use.

    Arrays that were made with resources keep what they need of them after their end.

    Examples
    --------
    >>> with Resources("cpu:0") as r:
    ...     x = ashlar.ones(3)
    ...     r.sync()
    """

    __slots__ = ("_handle", "_marks")

    def __init__(self, device="cpu:0"):
        self._handle = None
        self._marks = threading.local()
        self._handle = lib.ash_resources_new(Device(device).name.encode())
        if not self._handle:
            raise _native.failure()

    def __del__(self, release=lib.ash_resources_release):
        if self._handle:
            release(self._handle)

    def __enter__(self):
        stack = self._marks.__dict__.setdefault("stack", [])
        stack.append(lib.ash_resources_push(self._handle))
        return self

    def __exit__(self, *exception):
        lib.ash_resources_pop(self._marks.stack.pop())

    def __repr__(self):
        return f"<Resources on {self.device}>"

    @property
    def device(self):
        """The Device."""
        return from_handle(lib.ash_resources_device(self._handle))

    def sync(self):
        """Waits until all work queued here is done; raises the fault of a piece of it."""
        _native.check(lib.ash_sync(self._handle))

    def query(self):
        """Whether all work queued here is done. Never waits."""
        return lib.ash_query(self._handle)


def devices():
    """All devices of this machine that can be opened, a tuple."""
    found = []
    for i in range(lib.ash_device_count()):
        handle = lib.ash_device_at(i)
        if handle:
            found.append(from_handle(handle))
        else:
            _native.failure()  # there, but not supported yet
    return tuple(found)


def default_device():
    """The device on which new arrays are made where nothing else is said: that of the innermost ``with Resources``, else the
    one set in `config`, else ``ASHLAR_DEVICE``, else ``cpu:0``."""
    resources = lib.ash_current_resources()
    if not resources:
        raise _native.failure()
    return from_handle(lib.ash_resources_device(resources))


def queue_for(device):
    """The handle of resources for a ``device=`` argument; None stands for the current ones."""
    if device is None:
        return None
    if isinstance(device, Resources):
        return device._handle
    if not isinstance(device, Device):
        device = Device(device)
    return None if device is default_device() else device.queue()
