"""What the namespace has: ``__array_namespace_info__`` of the standard."""

from . import _devices, _dtypes


class Info:
    """Inspection of the namespace by the array API standard."""

    def capabilities(self):
        """A dict: boolean indexing and data-dependent shapes are there; the largest rank."""
        from ._native import abi
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": abi.highest_rank}

    def default_device(self):
        """Where new arrays are made."""
        return _devices.default_device()

    def default_dtypes(self, *, device=None):
        """The dtypes of new arrays: a dict for ``"real floating"``, ``"complex floating"``, ``"integral"``, ``"indexing"``."""
        device = _devices.default_device() if device is None else _devices.Device(device)
        wide = device.can("f64")
        return {"real floating": _dtypes.float64 if wide else _dtypes.float32,
                "complex floating": _dtypes.complex128 if wide else _dtypes.complex64,
                "integral": _dtypes.DEFAULT_INT, "indexing": _dtypes.DEFAULT_INT}

    def devices(self):
        """A tuple of the devices there are."""
        return _devices.devices()

    def dtypes(self, *, device=None, kind=None):
        """The dtypes of the standard that a device has, a dict by name.

        Parameters
        ----------
        device : Device or str, optional
            Default the current one.
        kind : str or tuple of str, optional
            As for `isdtype`.
        """
        device = _devices.default_device() if device is None else _devices.Device(device)
        missing = () if device.can("f64") else (_dtypes.float64, _dtypes.complex128)
        return {name: d for name, d in _dtypes.STANDARD.items()
                if d not in missing and (kind is None or _dtypes.isdtype(d, kind))}


def namespace_info():
    """The object that tells what the namespace has."""
    return Info()
