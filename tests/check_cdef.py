#!/usr/bin/env python3
"""The library from Python, through cffi in ABI mode: check_cdef.py LIBRARY DECLARATIONS."""
import gc
import sys

import cffi

ffi = cffi.FFI()
ffi.cdef(open(sys.argv[2]).read())
lib = ffi.dlopen(sys.argv[1])


class Error(Exception):
    pass


def check(result):
    """Every call ends here: the error is read and taken in one step, so none is ever pending outside."""
    error = ffi.new("ash_error *")
    if lib.ash_error_take(error, ffi.sizeof("ash_error")):
        raise Error(ffi.string(error.cause).decode())
    return result


def options(name, **keywords):
    o = ffi.new(name + " *", keywords)
    o.struct_size = ffi.sizeof(name)
    return o


class Array:
    def __init__(self, pointer):
        self.pointer = ffi.gc(check(pointer), lib.ash_release)

    def __repr__(self):
        size = lib.ash_format(ffi.NULL, 0, self.pointer)
        text = ffi.new("char[]", size + 1)
        lib.ash_format(text, size + 1, self.pointer)
        return ffi.string(text).decode()


def dims(*sizes):
    held = ffi.new("int64_t[]", sizes)
    return held, ffi.new("ash_dims *", {"size": held, "rank": len(sizes)})[0]


def from_list(values):
    data = ffi.new("double[]", values)
    held, shape = dims(len(values))
    return Array(lib.ash_from_host_opt(data, lib.ASH_F64, shape, options("ash_convert_options", dtype=lib.ASH_F32)))


def operands(values):
    o = ffi.new("ash_operand[]", len(values))
    for slot, value in zip(o, values):
        if isinstance(value, Array):
            slot.kind, slot.value.array = lib.ASH_OPERAND_ARRAY, value.pointer
        else:
            slot.kind, slot.dtype, slot.value.f = lib.ASH_OPERAND_SCALAR, lib.ASH_F32, value
    return o


def map_(function, *values):
    held = operands(values)
    o = ffi.new("ash_operands *", {"operand": held, "count": len(values)})
    return Array(lib.ash_map_opt(function.encode(), o[0], ffi.NULL))


def equal(got, want):
    if got != want:
        sys.exit(f"got  {got}\nwant {want}")


def computes():
    a = from_list([3, 1, 2])
    equal(repr(map_("a -> a^2 + 1f", a)), "ash.vector f32[3] cpu:0 [10.0  2.0  5.0]")
    equal(repr(map_("(x, s) -> s*x", a, 2.5)), "ash.vector f32[3] cpu:0 [7.5 2.5 5.0]")
    axes = ffi.new("int64_t[]", [0])
    o = options("ash_reduce_options", axes={"axis": axes, "count": 1}, drop=True)
    equal(check(lib.ash_item_f32(Array(lib.ash_sum_opt(a.pointer, o)).pointer)), 6)


def fails():
    a = from_list([3, 1, 2])
    try:
        map_("x -> x + oops", a)
        sys.exit("no error for an unknown name")
    except Error as e:
        if "oops" not in str(e) or "^" not in str(e):
            sys.exit(f"the error does not show the place: {e}")
    equal(lib.ash_failed(), False)


def iterates():
    it = iter([7, 9])

    @ffi.callback("int(void *, ash_operand *)")
    def step(state, out):
        value = next(it, None)
        if value is None:
            return 0
        out.kind, out.dtype, out.value.i = lib.ASH_OPERAND_SCALAR, lib.ASH_I64, value
        return 1

    iterator = ffi.new("ash_iterator *", {"next": step, "state": ffi.NULL, "length": -1})
    equal(repr(Array(lib.ash_collect_opt(iterator, ffi.NULL))), "ash.vector i64[2] cpu:0 [7 9]")


def has_a_barrier():
    """Under a scope that somebody else left open: without the barrier the array would be released twice."""
    scope = lib.ash_scope_open()
    barrier = lib.ash_scope_open_barrier()
    b = from_list([1])
    lib.ash_scope_close(barrier)
    lib.ash_scope_close(scope)
    equal(repr(b), "ash.vector f32[1] cpu:0 [1.0]")


def agrees_on_sizes():
    abi = lib.ash_abi()
    for name, size in (("operand", abi.size_of_operand), ("index", abi.size_of_index), ("error", abi.size_of_error),
                       ("dims", abi.size_of_dims)):
        equal((name, size), (name, ffi.sizeof("ash_" + name)))
    equal(abi.highest_rank, lib.ASH_MAX_RANK)


def every_function_is_there():
    for name in dir(lib):
        getattr(lib, name)


computes()
fails()
iterates()
has_a_barrier()
agrees_on_sizes()
every_function_is_there()
gc.collect()
equal(lib.ash_live_arrays(), 0)
