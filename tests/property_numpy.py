#!/usr/bin/env python3
"""Random arrays through the library and through NumPy: property_numpy.py LIBRARY DECLARATIONS [DRAWS [SEED]].

What NumPy has in common with the library: the order of numbers with every NaN last, stable sorting, positions in sorted vectors,
edges and counts of histograms. Left out is where the two differ on purpose: NumPy takes -0.0 and 0.0 for equal when it sorts, and
promotes otherwise.
"""
import sys

import cffi
import numpy as np

ffi = cffi.FFI()
ffi.cdef(open(sys.argv[2]).read())
lib = ffi.dlopen(sys.argv[1])
draws = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 20240229

INTEGERS = "i1 i2 i4 i8 u1 u2 u4 u8".split()
REALS = ["?"] + INTEGERS + "f2 f4 f8".split()
NUMBERS = REALS + ["c8", "c16"]
DTYPES = {np.dtype(n): lib.ash_dtype_from_name(o.encode()) for n, o in zip(
    NUMBERS, "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c_f32 c_f64".split())}
BACK = {ours: theirs for theirs, ours in DTYPES.items()}


def check(result):
    error = ffi.new("ash_error *")
    if lib.ash_error_take(error, ffi.sizeof("ash_error")):
        raise RuntimeError(f"{ffi.string(error.function).decode()}: {ffi.string(error.cause).decode()}")
    return result


def options(name, **keywords):
    o = ffi.new(f"ash_{name}_options *", {k: v for k, v in keywords.items() if v is not None})
    o.struct_size = ffi.sizeof(o[0])
    return o


class Kept:
    """Lists that a call borrows, held until the draw ends."""

    def __init__(self):
        self.held = []

    def keep(self, x):
        self.held.append(x)
        return x

    def dims(self, sizes):
        return self.keep(ffi.new("ash_dims *", [self.keep(ffi.new("int64_t[]", list(sizes) or [0])), len(sizes)]))[0]

    def axes(self, *axes):
        return self.keep(ffi.new("ash_axes *", [self.keep(ffi.new("int64_t[]", list(axes) or [0])), len(axes)]))[0]

    def array(self, x):
        """An array over x's own memory, with x's strides."""
        self.keep(x)
        strides = [s // x.itemsize for s in x.strides] if x.size else [0] * x.ndim
        data = ffi.cast("void *", x.__array_interface__["data"][0])
        a = lib.ash_wrap_opt(data, DTYPES[x.dtype], x.size, self.dims(x.shape),
                             options("wrap", strides=self.dims(strides) if x.ndim else None))
        return self.keep(ffi.gc(check(a), lib.ash_release))

    def operand(self, x):
        o = self.keep(ffi.new("ash_operand *"))
        o.kind, o.value.array = lib.ASH_OPERAND_ARRAY, self.array(x)
        return o


def numpy_of(a):
    a = ffi.gc(check(a), lib.ash_release)
    x = np.empty([lib.ash_shape(a)[k] for k in range(lib.ash_rank(a))], BACK[lib.ash_dtype_of(a)])
    check(lib.ash_to_host(a, ffi.cast("void *", x.__array_interface__["data"][0]), x.nbytes))
    return x


# ---- what is drawn


def shape(rng, least=0, most=4):
    sizes = rng.integers(0, 8, rng.integers(least, most + 1))
    if sizes.size and rng.random() < 0.2:
        sizes[:] = np.minimum(sizes, 2)
        sizes[rng.integers(sizes.size)] = rng.integers(0, 1500)
    return tuple(int(n) for n in sizes)


def values(rng, dtype, size):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, size).astype(dtype)
    if dtype.kind in "iu":
        low, high = (0, 9) if rng.random() < 0.5 else (np.iinfo(dtype).min, int(np.iinfo(dtype).max) + 1)
        return rng.integers(low, high, size, dtype=dtype)
    x = rng.integers(-3, 9, size) * 0.5 if rng.random() < 0.5 else rng.standard_normal(size) * 100
    if dtype.kind == "c":
        return (x + 1j * rng.standard_normal(size)).astype(dtype)
    x = np.asarray(x).astype(dtype) + dtype.type(0)  # -0.0 + 0.0 is 0.0
    special = rng.random(size)
    return np.where(special < 0.05, np.nan, np.where(special < 0.08, np.inf, np.where(special < 0.1, -np.inf, x))).astype(dtype)


def view(rng, x):
    """The same elements at other strides."""
    x = np.asarray(x)
    if x.ndim and rng.random() < 0.4:
        x = np.repeat(x, 2, axis=0)[::2]
    if x.ndim and rng.random() < 0.4:
        x = np.ascontiguousarray(np.flip(x))[(slice(None, None, -1),) * x.ndim]
    if rng.random() < 0.4:
        x = np.asfortranarray(x)
    return x


def pick(rng, names):
    return names[rng.integers(len(names))]


def drawn(rng, names, least=0, most=4):
    return view(rng, values(rng, pick(rng, names), shape(rng, least, most)))


# ---- the same by both: each gives pairs of ours and NumPy's


def sort(rng, k):
    x = drawn(rng, REALS, 1)
    axis = int(rng.integers(x.ndim))
    o = options("sort", axes=k.axes(axis))
    yield numpy_of(lib.ash_sort_opt(k.array(x), o)), np.sort(x, axis=axis)
    yield numpy_of(lib.ash_sortperm_opt(k.array(x), o)), np.argsort(x, axis=axis, kind="stable")


def take(rng, k):
    x = drawn(rng, NUMBERS, 1)
    axis = int(rng.integers(x.ndim))
    n = x.shape[axis]
    index = view(rng, rng.integers(0, min(n, 127), shape(rng, 0, 2)).astype(pick(rng, INTEGERS)) if n else np.empty((0, 2), "i8"))
    theirs = np.take(x, index.astype(np.int64), axis)  # before version 2 it takes no u64
    yield numpy_of(lib.ash_take_opt(k.array(x), k.array(index), options("take", axis=axis))), theirs


def concatenate(rng, k):
    sizes, dtype = list(shape(rng, 1)), pick(rng, NUMBERS)
    axis, parts = int(rng.integers(len(sizes))), []
    for _ in range(rng.integers(1, 5)):
        sizes[axis] = int(rng.integers(0, 6))
        parts.append(view(rng, values(rng, dtype, tuple(sizes))))
    list_ = k.keep(ffi.new("ash_array *[]", [k.array(x) for x in parts]))
    arrays = ffi.new("ash_arrays *", [list_, len(parts)])
    yield numpy_of(lib.ash_concat_opt(arrays[0], options("concat", axis=axis))), np.concatenate(parts, axis)


def unique(rng, k):
    x = drawn(rng, REALS)
    got = lib.ash_unique_opt(k.array(x), options("unique", sorted=True, positions=True, inverse=True, counts=True))
    want = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    for ours, theirs in zip((got.values, got.positions, got.inverse, got.counts), want):
        yield numpy_of(ours), theirs.reshape(x.shape) if theirs is want[2] else theirs


def searchsorted(rng, k):
    dtype = pick(rng, REALS)
    s, x = np.sort(values(rng, dtype, shape(rng, 1, 1))), view(rng, values(rng, dtype, shape(rng)))
    right = bool(rng.integers(2))
    got = lib.ash_search_sorted_opt(k.array(s), k.operand(x), options("search", right=right))
    yield numpy_of(got), np.searchsorted(s, x, side="right" if right else "left")


def histogram(rng, k):
    """With a range: what NumPy rounds to a narrower float on the way would show in the edges."""
    x = drawn(rng, "i1 i2 i4 u1 u2 u4 f4 f8".split())
    bins, low, high = int(rng.integers(1, 9)), float(rng.integers(-8, 8)), float(rng.integers(9, 20))
    bound = [ffi.new("ash_operand *", [lib.ASH_OPERAND_SCALAR, lib.ASH_F64]) for _ in range(2)]
    bound[0].value.f, bound[1].value.f = low, high
    got = lib.ash_histogram_opt(k.array(x), bins, options("histogram", low=bound[0][0], high=bound[1][0]))
    edges = numpy_of(got.edges)
    counts, theirs = np.histogram(x[~np.isnan(x)].astype("f8"), edges.astype("f8"))
    yield numpy_of(got.counts), counts
    yield edges, np.histogram_bin_edges(np.empty(0), bins, (low, high)).astype(edges.dtype)


def where(rng, k):
    dtype, size = pick(rng, NUMBERS), shape(rng)
    c, x, y = (view(rng, values(rng, d, tuple(1 if rng.random() < 0.2 else n for n in size))) for d in ("?", dtype, dtype))
    yield numpy_of(lib.ash_where_opt(k.operand(c), k.operand(x), k.operand(y), options("map"))), np.where(c, x, y)


def roll(rng, k):
    x = drawn(rng, NUMBERS, 1)
    axes = [int(axis) for axis in rng.permutation(x.ndim)[:rng.integers(0, x.ndim + 1)]]
    shifts = [int(n) for n in rng.integers(-20, 20, len(axes))]
    yield (numpy_of(lib.ash_roll_opt(k.array(x), k.dims(shifts), options("roll", axes=k.axes(*axes)))),
           np.roll(x, shifts, axes) if axes else x)


def triangles(rng, k):
    x, d = drawn(rng, NUMBERS, 2), int(rng.integers(-8, 9))
    yield numpy_of(lib.ash_triu_opt(k.array(x), options("triangle", k=d))), np.triu(x, d)
    yield numpy_of(lib.ash_tril_opt(k.array(x), options("triangle", k=d))), np.tril(x, d)


def same(ours, theirs):
    return ours.dtype == theirs.dtype and ours.shape == theirs.shape and np.array_equal(ours, theirs, equal_nan=True)


def main():
    operations = (sort, take, concatenate, unique, searchsorted, histogram, where, roll, triangles)
    for number in range(seed, seed + draws):
        rng, kept = np.random.default_rng(number), Kept()
        operation = operations[number % len(operations)]
        try:
            for ours, theirs in operation(rng, kept):
                theirs = np.asarray(theirs)
                if not same(ours, theirs):
                    sys.exit(f"{operation.__name__}, seed {number}\nours  {ours.dtype} {ours.shape}\n{ours}\n"
                             f"NumPy {theirs.dtype} {theirs.shape}\n{theirs}")
        except RuntimeError as fault:
            sys.exit(f"{operation.__name__}, seed {number}: {fault}")
    print(f"{draws} draws: the same as NumPy {np.__version__}")


main()
