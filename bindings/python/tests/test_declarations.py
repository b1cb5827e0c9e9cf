"""The package's declarations against the library's own, as cffi reads them."""

import ctypes
import os
import pathlib

import pytest

from ashlar import _library, _native

cffi = pytest.importorskip("cffi", reason="cffi, which reads the C declarations, is not installed in this environment")
pytestmark = pytest.mark.slow_on_devices


@pytest.fixture(scope="module")
def ffi():
    beside = pathlib.Path(_library.path).resolve().parent / "ashlar.cdef"
    path = pathlib.Path(os.environ.get("ASHLAR_CDEF", beside))
    if not path.exists():
        pytest.skip(f"{path}, the library's declarations, is not there")
    f = cffi.FFI()
    f.cdef(path.read_text())
    return f


def _letter(ffi, t):
    """The letter of a C type in the package's short form."""
    if t.kind == "pointer" or t.kind == "function":
        return "s" if t.kind == "pointer" and t.item.cname == "char" else "p"
    if t.kind == "enum":
        return "e"
    if t.kind == "void":
        return "v"
    if t.kind == "struct":
        names = {"ash_operand": "O", "ash_rng_state": "R"}
        if t.cname in names:
            return names[t.cname]
        kinds = [_letter(ffi, member.type) for _, member in t.fields]
        if len(kinds) == 2 and kinds[1] == "l":
            return "D"
        return str(len(kinds))
    return {"bool": "b", "_Bool": "b", "int": "e", "int64_t": "l", "long": "l", "uint64_t": "u", "unsigned long": "u",
            "size_t": "z", "float": "f", "double": "d", "char": "c", "int32_t": "e"}[t.cname]


def _same(given, real):
    return given == real or (given, real) in {("p", "s"), ("u", "z"), ("z", "u")}


@pytest.mark.parametrize("line", [line for line in (_native.QUICK + _native.SLOW).split("\n") if line])
def test_function(ffi, line):
    result, name, *arguments = line.split()
    t = ffi.typeof(getattr(ffi.dlopen(_library.path), name))
    assert _same(result, _letter(ffi, t.result)), name
    assert len(arguments) == len(t.args) and all(map(_same, arguments, [_letter(ffi, a) for a in t.args])), name


STRUCTS = {
    "ash_operand": _native.Operand, "ash_index": _native.Index, "ash_field_info": _native.FieldInfo, "ash_error": _native.Error,
    "ash_abi_record": _native.Abi, "ash_pool_info": _native.PoolInfo, "ash_elements": _native.Elements,
    "ash_dl_tensor": _native.DlTensor, "ash_dl_managed": _native.DlManaged, "ash_dl_managed_old": _native.DlManagedOld,
    "ash_target": _native.Target, "ash_rng_state": _native.RngState, "ash_dims": _native.Pair, "ash_operands": _native.Pair,
}


@pytest.mark.parametrize("name", STRUCTS)
def test_struct(ffi, name):
    assert ctypes.sizeof(STRUCTS[name]) == ffi.sizeof(name)


@pytest.mark.parametrize("name", _native.OPTIONS)
def test_options(ffi, name):
    ours, theirs = _native.OPTIONS_CLASSES[name], ffi.typeof(f"ash_{name}_options")
    assert ctypes.sizeof(ours) == ffi.sizeof(theirs)
    assert [member for member, _ in ours._fields_] == [member for member, _ in theirs.fields]
    for member, field in theirs.fields:
        assert getattr(ours, member).offset == field.offset, member
