"""Finds libashlar and loads it."""

import ctypes
import os
import pathlib
import sys

_FILE = {"darwin": "libashlar.dylib"}.get(sys.platform, "libashlar.so")


def _beside():
    """Where the library may lie beside the package: in it, or in the build folder of the source tree that holds it."""
    package = pathlib.Path(__file__).resolve().parent
    return [package / _FILE, package / "native" / _FILE, package.parents[2] / "build" / _FILE]


def _open(path):
    try:
        return path, ctypes.CDLL(path)
    except OSError as e:
        raise ImportError(f"ashlar: {path} would not load: {e}; give the path of one that loads in ASHLAR_LIBRARY") from None


def _find():
    """The path in ASHLAR_LIBRARY and no other, else what lies beside the package, else what the system's loader finds."""
    given = os.environ.get("ASHLAR_LIBRARY")
    if given:
        if not os.path.exists(given):
            raise ImportError(f"ashlar: there is no {given}, which ASHLAR_LIBRARY names")
        return _open(given)
    for path in _beside():
        if path.exists():
            return _open(str(path))
    for name in (_FILE + ".0", _FILE):
        try:
            return name, ctypes.CDLL(name)
        except OSError:
            pass
    looked = ", ".join(map(str, _beside()))
    raise ImportError(f"ashlar: {_FILE} was not found; looked for {looked}, and where the system's loader looks; "
                      "install the library, or give its path in ASHLAR_LIBRARY")


#: The library for calls that may take time: Python's other threads run meanwhile.
path, slow = _find()
#: The same for calls that end at once, for which giving up the interpreter would cost more than the call.
quick = ctypes.PyDLL(path)
