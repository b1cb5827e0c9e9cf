"""The exceptions of the package: one for each status of the library, each also an exception of Python's own kind."""


class Error(Exception):
    """What all errors of the library are. ``status`` is its word for it; ``position`` a byte of a function string, or -1."""

    status = "internal"
    position = -1


def _define(status, name, base):
    return type(name, (Error, base), {"status": status, "__module__": "ashlar", "__doc__": f"A {status} error of the library."})


ArgumentError = _define("argument", "ArgumentError", ValueError)
ShapeError = _define("shape", "ShapeError", ValueError)
DtypeError = _define("dtype", "DtypeError", TypeError)
BoundsError = _define("bounds", "BoundsError", IndexError)
ElementError = _define("value", "ElementError", ValueError)
DeviceMemoryError = _define("memory", "DeviceMemoryError", MemoryError)
DeviceError = _define("device", "DeviceError", RuntimeError)
UnsupportedError = _define("unsupported", "UnsupportedError", NotImplementedError)
ScalarAccessError = _define("scalar-access", "ScalarAccessError", BufferError)
ReleasedError = _define("released", "ReleasedError", ReferenceError)
FileError = _define("io", "FileError", OSError)
FormatError = _define("format", "FormatError", ValueError)
InternalError = _define("internal", "InternalError", RuntimeError)

#: By the library's number of the status.
_BY_NUMBER = [None, ArgumentError, ShapeError, DtypeError, BoundsError, ElementError, DeviceMemoryError, DeviceError,
              UnsupportedError, ScalarAccessError, ReleasedError, FileError, FormatError, InternalError]

__all__ = ["Error"] + [c.__name__ for c in _BY_NUMBER[1:]]


def exception(status, function, cause, position=-1):
    """The exception for an error of the library, with its text and, in front, the function without its prefix."""
    kind = _BY_NUMBER[status] if 0 < status < len(_BY_NUMBER) else InternalError
    e = kind(f"{function.removeprefix('ash_')}: {cause}")
    e.position = position
    return e
