"""Arrays in files: NPY, NPZ, safetensors and CSV."""

import os

from . import _dtypes, _native, _trees
from ._array import layout_number, storage_number, wrap
from ._devices import queue_for
from ._native import lib, made, options

__all__ = ["load_npz", "load_safetensors", "read_csv", "read_npy", "read_npz", "read_safetensors", "save_npz",
           "save_safetensors", "write_csv", "write_npy"]


def _path(path):
    return os.fsencode(path)


def _text(value):
    return None if value is None else value.encode()


def _file(dtype, device, layout, storage, mapped=False, writable=False, exact=False):
    return options("file", resources=queue_for(device), dtype=None if dtype is None else _dtypes.dtype(dtype).number,
                   layout=layout_number(layout), storage=storage_number(storage), mapped=mapped, writable=writable, exact=exact)


def read_npy(path, *, dtype=None, device=None, layout=None, storage=None, mapped=False, writable=False, exact=False):
    """An array from a NumPy file.

    Parameters
    ----------
    path : str or os.PathLike
    dtype : dtype, optional
        Default the file's.
    device, layout, storage
        As for `ashlar.empty`; the layout is by default the file's.
    mapped : bool
        Whether the array lives in the file's pages; then it is read-only unless ``writable``.
    writable : bool
        Whether what is written to a mapped array goes to the file.
    exact : bool
        Whether a change of value by ``dtype`` is an error.
    """
    return wrap(made(lib.ash_read_npy_opt, _path(path), _file(dtype, device, layout, storage, mapped, writable, exact)))


def write_npy(x, path):
    """Writes a NumPy file, byte for byte as ``numpy.save`` does; it takes the place of an old one at once."""
    _native.check(lib.ash_write_npy(x, _path(path)))


def read_npz(path, name=None, *, dtype=None, device=None, layout=None, storage=None, mapped=False, writable=False, exact=False):
    """One array of an NPZ file; without a name the only one. Parameters as for `read_npy`."""
    o = _file(dtype, device, layout, storage, mapped, writable, exact)
    return wrap(made(lib.ash_read_npz_opt, _path(path), _text(name), o))


def load_npz(path, *, dtype=None, device=None, layout=None, storage=None, mapped=False, writable=False, exact=False):
    """All arrays of an NPZ file, a dict. Parameters as for `read_npy`."""
    o = _file(dtype, device, layout, storage, mapped, writable, exact)
    return _trees.taken(made(lib.ash_load_npz_opt, _path(path), o))


def save_npz(arrays, path, *, compress=False):
    """Writes a dict of arrays, which may be nested, as an NPZ file; nested names are joined by dots."""
    with _trees.Tree(arrays) as tree:
        _native.check(lib.ash_save_npz_opt(tree, _path(path), options("npz_write", compress=compress)))


def read_safetensors(path, name=None, *, dtype=None, device=None, layout=None, storage=None, mapped=False, writable=False,
                     exact=False):
    """One tensor of a safetensors file; without a name the only one. Parameters as for `read_npy`."""
    o = _file(dtype, device, layout, storage, mapped, writable, exact)
    return wrap(made(lib.ash_read_safetensors_opt, _path(path), _text(name), o))


def load_safetensors(path, *, dtype=None, device=None, layout=None, storage=None, mapped=False, writable=False, exact=False):
    """All tensors of a safetensors file, a dict. Parameters as for `read_npy`."""
    o = _file(dtype, device, layout, storage, mapped, writable, exact)
    return _trees.taken(made(lib.ash_load_safetensors_opt, _path(path), o))


def save_safetensors(arrays, path):
    """Writes a dict of arrays, which may be nested, as a safetensors file."""
    with _trees.Tree(arrays) as tree:
        _native.check(lib.ash_save_safetensors(tree, _path(path)))


def read_csv(path, *, columns=None, dtype=None, device=None, layout=None, storage=None, separator=None, quote=None,
             comment=None, header=None, skip=0, missing=None, exact=False):
    """A matrix from a CSV file.

    Parameters
    ----------
    path : str or os.PathLike
    columns : str, optional
        Which, by position or name: ``"0:4"``, ``"0,2,-1"``, ``"petal length,petal width"``.
    dtype : dtype, optional
        Default int64 where every field is an integer, else float64.
    separator, quote, comment : str, optional
        One character each; default a comma, a double quote, none.
    header : bool, optional
        Whether the first line is one; default when none of its fields is a number.
    skip : int
        Lines to leave out at the start.
    missing : {"nan", "error"}, optional
        What an empty field is; default NaN for floats.
    exact : bool
        Whether a change of value is an error.
    """
    o = options("csv", resources=queue_for(device), dtype=None if dtype is None else _dtypes.dtype(dtype).number,
                layout=layout_number(layout), storage=storage_number(storage), columns=_text(columns),
                separator=_text(separator), quote=_text(quote), comment=_text(comment),
                header=None if header is None else 1 if header else 2,
                missing=None if missing is None else {"nan": 1, "error": 2}[missing], skip=skip, exact=exact)
    return wrap(made(lib.ash_read_csv_opt, _path(path), o))


def write_csv(x, path, *, separator=None, header=None):
    """Writes a vector, one element a line, or a matrix, one row a line; ``header`` is a first line, written as it is."""
    _native.check(lib.ash_write_csv_opt(x, _path(path), options("csv_write", separator=_text(separator), header=_text(header))))
