"""Settings of the library, for the whole process where nothing else is said.

>>> ashlar.config.threads = 4
>>> print(ashlar.config)
"""

import ctypes
import sys
import types

from . import _devices, _native
from ._native import lib


class _Config(types.ModuleType):
    """The module itself, so that settings are attributes."""

    @property
    def threads(self):
        """How many threads cpu:0 uses; 0 stands for one for each processor. Results do not depend on it."""
        return lib.ash_threads()

    @threads.setter
    def threads(self, count):
        _native.check(lib.ash_set_threads(count))

    @property
    def device(self):
        """The device on which new arrays are made."""
        return _devices.default_device()

    @device.setter
    def device(self, device):
        _native.check(lib.ash_set_default_device(_devices.Device(device).name.encode()))

    def storage(self, storage):
        """The storage of new arrays that do not name one, ``"shared"`` or ``"private"``."""
        _native.check(lib.ash_set_default_storage({"shared": 1, "private": 2}[storage]))

    def trace(self, on=True):
        """Whether each operation that runs writes a line to stderr."""
        lib.ash_set_trace(on)

    def allow_scalar(self, allowed=True):
        """Whether single elements of private arrays may be read and written."""
        lib.ash_allow_scalar(allowed)

    def __str__(self):
        size = lib.ash_config_format(None, 0)
        text = ctypes.create_string_buffer(size + 1)
        lib.ash_config_format(text, size + 1)
        return text.value.decode()


sys.modules[__name__].__class__ = _Config
