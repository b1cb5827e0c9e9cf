"""Elements as numbers of Python."""

import ctypes
import struct

from . import _dtypes, _native
from ._native import lib, made

#: What neither Python nor `struct` can read is converted first.
_WIDER = {"bfloat16": _dtypes.float32, "c_f16": _dtypes.complex64, "c_bf16": _dtypes.complex64}


def bytes_of(pointer):
    """The elements of an array in row-major order, a bytearray."""
    data = bytearray(lib.ash_nbytes(pointer))
    place = (ctypes.c_char * len(data)).from_buffer(data)
    _native.check(lib.ash_to_host(pointer, place, len(data)))
    return data


def elements(pointer, d):
    """A flat list of the elements of an array of dtype ``d``, as Python numbers."""
    wider = _WIDER.get(d.name)
    if wider is None:
        return _read(d, bytes_of(pointer))
    converted = made(lib.ash_convert_opt, pointer, wider.number, None)
    try:
        return _read(wider, bytes_of(converted))
    finally:
        lib.ash_release(converted)


#: By the kind of dtype: what reads the one element without a detour by bytes. A result that equals it may be a failure.
_ITEMS = {"bool": (lib.ash_item_bool, False), "signed integer": (lib.ash_item_i64, 0),
          "unsigned integer": (lib.ash_item_u64, 0)}


def item(pointer, d):
    """The element of an array of size 1."""
    if d.kind == "real floating":
        value = lib.ash_item_f64(pointer)
        if value == value or not lib.ash_failed():
            return value
        raise _native.failure()
    if d.kind in _ITEMS:
        function, suspect = _ITEMS[d.kind]
        value = function(pointer)
        if value != suspect or not lib.ash_failed():
            return value
        raise _native.failure()
    return elements(pointer, d)[0]


def _read(d, data):
    if d.kind == "record":
        return [_read_record(d, data[i:i + d.itemsize]) for i in range(0, len(data), d.itemsize)]
    if d.kind == "complex integer":
        parts = _read(_dtypes.dtype(d.name[2:]), data)
        return [complex(re, im) for re, im in zip(parts[::2], parts[1::2])]
    if d.kind == "complex floating":
        parts = _read(_dtypes.real_of(d), data)
        return [complex(re, im) for re, im in zip(parts[::2], parts[1::2])]
    if d is _dtypes.float16:
        return list(struct.unpack(f"{len(data) // 2}e", data))
    return memoryview(data).cast(d.code).tolist()


def _read_record(d, data):
    """A record as a dict; an inner array as a list."""
    record = {}
    for name, (part, offset, count) in d.fields.items():
        values = _read(part, data[offset:offset + count * part.itemsize])
        record[name] = values[0] if count == 1 else values
    return record


def nested(flat, shape):
    """A flat list as nested ones of a shape; of rank 0, the element."""
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return flat
    step = len(flat) // shape[0] if shape[0] else 0
    return [nested(flat[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]
