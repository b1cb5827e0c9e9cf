"""Nested dicts, lists, tuples and dataclasses of arrays: to the library's trees and back, and brought elsewhere."""

import ctypes
import dataclasses

from . import _devices, _dtypes, _native
from ._array import Array, storage_number, wrap
from ._native import lib, made

_BRANCH, _ARRAY, _SCALAR, _TEXT = 1, 2, 3, 4


class Tree:
    """A tree of the library of a dict of arrays, for the length of a block. Lists and tuples are numbered."""

    def __init__(self, branch):
        self.branch = branch

    def __enter__(self):
        self._as_parameter_ = made(lib.ash_tree_new)
        try:
            self.fill(self.branch, "")
        except BaseException:
            lib.ash_tree_release(self._as_parameter_)
            raise
        return self

    def fill(self, branch, prefix):
        items = branch.items() if isinstance(branch, dict) else enumerate(branch)
        for name, value in items:
            path = f"{prefix}{name}"
            if isinstance(value, (dict, list, tuple)):
                self.fill(value, path + ".")
            elif isinstance(value, Array):
                _native.check(lib.ash_tree_put_array(self._as_parameter_, path.encode(), value))
            else:
                raise TypeError(f"{path}: arrays, dicts, lists and tuples can be saved, not {type(value).__name__}")

    def __exit__(self, *exception):
        lib.ash_tree_release(self._as_parameter_)


def taken(tree):
    """The dict of a tree of arrays, which ends."""
    try:
        return _read(tree)
    finally:
        lib.ash_tree_release(tree)


def _read(tree):
    kind = lib.ash_tree_kind_of(tree)
    if kind == _ARRAY:
        return wrap(lib.ash_retain(lib.ash_tree_get(tree, None)))
    if kind == _TEXT:
        return lib.ash_tree_get_text(tree, None).decode()
    return {lib.ash_tree_name(tree, i).decode() or i: _read(lib.ash_tree_at(tree, i)) for i in range(lib.ash_tree_count(tree))}


def _adapted(x, target, done):
    key = id(x)
    if key not in done:
        done[key] = x, wrap(made(lib.ash_adapt_opt, x, ctypes.byref(target)))
    return done[key][1]


def _walk(x, target, done):
    if isinstance(x, Array):
        return _adapted(x, target, done)
    if isinstance(x, dict):
        return type(x)((k, _walk(v, target, done)) for k, v in x.items())
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*(_walk(v, target, done) for v in x))
    if isinstance(x, (list, tuple)):
        return type(x)(_walk(v, target, done) for v in x)
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        changed = {f.name: _walk(getattr(x, f.name), target, done) for f in dataclasses.fields(x) if f.init}
        return dataclasses.replace(x, **changed)
    return x


def adapt(x, *, device=None, dtype=None, floats=None, rule=None, storage=None):
    """Arrays, alone or in nested dicts, lists, tuples and dataclasses, brought to another device, dtype or storage.

    Views become views, arrays that are in several places are adapted once, and what is no array stays as it is.

    Parameters
    ----------
    x : Array, dict, list, tuple or dataclass
    device : Device, Resources or str, optional
    dtype : dtype, optional
        Of every array.
    floats : dtype, optional
        Of every floating array; complex ones keep two parts.
    rule : {"f64-to-f32"}, optional
        float64 becomes float32 and complex128 complex64, also inside records.
    storage : {"shared", "private"}, optional

    Returns
    -------
    same type as x
    """
    target = _native.Target(ctypes.sizeof(_native.Target))
    if device is not None:
        target.resources = device._handle if isinstance(device, _devices.Resources) else _devices.Device(device).queue()
    target.dtype = 0 if dtype is None else _dtypes.dtype(dtype).number
    target.floats = 0 if floats is None else _dtypes.dtype(floats).number
    target.rule = {None: 0, "f64-to-f32": 1}[rule]
    target.storage = storage_number(storage) or 0
    return _walk(x, target, {})
