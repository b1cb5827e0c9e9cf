"""NumPy beside the library on the same memory, interleaved in one process: time of NumPy / time of the library.

Usage: numpy_peer.py PATH_OF_LIBASHLAR. Prints a table; does nothing but say so where NumPy is missing. A call through
ctypes costs about a microsecond, which counts against the library; sizes below 60 000 elements are left out for that reason.
"""
import ctypes
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for NumPy's products; and its own choice of kernels
os.environ.pop("OPENBLAS_CORETYPE", None)
os.environ.pop("OPENBLAS_L2_SIZE", None)
try:
    import numpy as np
except ImportError:
    print("NumPy is not installed: no second column")
    sys.exit(0)

BOOL, I64, F32, F64 = 1, 5, 12, 13


class Dims(ctypes.Structure):
    _fields_ = [("size", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_int64)]


class Operand(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("dtype", ctypes.c_int), ("array", ctypes.c_void_p), ("rest", ctypes.c_double)]


class Pair(ctypes.Structure):  # results of two arrays
    _fields_ = [("first", ctypes.c_void_p), ("second", ctypes.c_void_p)]


class UniqueOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("resources", ctypes.c_void_p), ("by", ctypes.c_char_p), ("sorted", ctypes.c_bool),
                ("positions", ctypes.c_bool), ("inverse", ctypes.c_bool), ("counts", ctypes.c_bool)]


class Unique(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("values", "positions", "inverse", "counts")]


class Operands(ctypes.Structure):
    _fields_ = [("operand", ctypes.POINTER(Operand)), ("count", ctypes.c_int64)]


def load(path):
    lib = ctypes.CDLL(path)
    for name in ("wrap_opt", "map_function_opt", "sum_opt", "max_opt", "var_opt", "scan_opt", "function_new"):
        getattr(lib, "ash_" + name).restype = ctypes.c_void_p
    lib.ash_wrap_opt.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, Dims, ctypes.c_void_p]
    lib.ash_function_new.argtypes = [ctypes.c_char_p]
    lib.ash_map_into_function_opt.argtypes = [ctypes.c_void_p, ctypes.c_void_p, Operands, ctypes.c_void_p]
    lib.ash_map_function_opt.argtypes = [ctypes.c_void_p, Operands, ctypes.c_void_p]
    for name in ("sum_opt", "max_opt", "var_opt"):
        getattr(lib, "ash_" + name).argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    lib.ash_scan_into_opt.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
    lib.ash_release.argtypes = [ctypes.c_void_p]
    for name in ("sort_opt", "sortperm_opt", "select_opt", "find_opt", "take_opt", "search_sorted_opt"):
        getattr(lib, "ash_" + name).restype = ctypes.c_void_p
    for name in ("rand_into_opt", "randn_into_opt", "randexp_into_opt"):
        getattr(lib, "ash_" + name).argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    lib.ash_permutation_opt.restype = ctypes.c_void_p
    lib.ash_permutation_opt.argtypes = [ctypes.c_int64, ctypes.c_void_p]
    for name in ("sort_opt", "sortperm_opt", "find_opt"):
        getattr(lib, "ash_" + name).argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    for name in ("select_opt", "take_opt"):
        getattr(lib, "ash_" + name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    lib.ash_search_sorted_opt.argtypes = [ctypes.c_void_p, ctypes.POINTER(Operand), ctypes.c_void_p]
    lib.ash_unique_opt.restype, lib.ash_unique_opt.argtypes = Unique, [ctypes.c_void_p, ctypes.POINTER(UniqueOptions)]
    lib.ash_histogram_opt.restype = Pair
    lib.ash_histogram_opt.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
    lib.ash_fft_opt.restype, lib.ash_fft_opt.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p]
    for name in ("matmul_opt", "dot_opt"):
        getattr(lib, "ash_" + name).restype = ctypes.c_void_p
        getattr(lib, "ash_" + name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    lib.ash_set_threads.argtypes = [ctypes.c_int64]
    return lib


def wrap(lib, x):
    size = (ctypes.c_int64 * x.ndim)(*x.shape)
    dtype = {"bool": BOOL, "int64": I64, "float32": F32, "float64": F64}[x.dtype.name]
    return lib.ash_wrap_opt(x.ctypes.data, dtype, x.size, Dims(size, x.ndim), None)


def operands(*arrays):
    return Operands((Operand * len(arrays))(*[Operand(1, 0, a, 0) for a in arrays]), len(arrays))


def transforms(lib):
    """Goal 23: new results on both sides, SciPy's too where it is installed. Small ones are mostly the call."""
    try:
        from scipy import fft as scipy_fft
    except ImportError:
        scipy_fft = None
    print(f"\n{'transforms':34s} {'NumPy':>8s} {'SciPy':>8s}")
    rng = np.random.default_rng(1)
    for code, dtype in ((24, np.complex64), (25, np.complex128)):
        for shape in ((1 << 10,), (1 << 16,), (1 << 20,), (1024, 1024)):
            x = (rng.random(shape) + 1j * rng.random(shape)).astype(dtype)
            a = lib.ash_wrap_opt(x.ctypes.data, code, x.size, Dims((ctypes.c_int64 * x.ndim)(*shape), x.ndim), None)

            def ours():
                lib.ash_release(lib.ash_fft_opt(a, None))

            peers = [ratio(lambda: np.fft.fftn(x), ours)]
            if scipy_fft:
                peers.append(ratio(lambda: scipy_fft.fftn(x), ours))
            name = f"{np.dtype(dtype).name}, {' x '.join(map(str, shape))}"
            print(f"{name:34s} " + " ".join(f"{v:8.2f}" for v in peers))


def ratio(numpy_call, our_call, rounds=31):
    """Ratio of minimums, each sample at least about 0.3 ms."""
    best = [float("inf"), float("inf")]
    repeats = []
    for call in (numpy_call, our_call):
        call()
        start = time.perf_counter()
        call()
        repeats.append(max(1, int(3e-4 / max(time.perf_counter() - start, 1e-7))))
    for _ in range(rounds):
        for i, call in enumerate((numpy_call, our_call)):
            start = time.perf_counter()
            for _ in range(repeats[i]):
                call()
            best[i] = min(best[i], (time.perf_counter() - start) / repeats[i])
    return best[0] / best[1]


def main():
    lib = load(sys.argv[1])
    lib.ash_set_threads(1)
    rng = np.random.default_rng(1)
    print(f"NumPy {np.__version__}, one thread; time of NumPy / time of the library")
    print(f"{'case':34s} {'6e4':>8s} {'1e6':>8s} {'1e7':>8s}")
    rows = {}
    for n in (60_000, 1_000_000, 10_000_000):
        x, y, o = rng.random(n, dtype=np.float32), rng.random(n, dtype=np.float32), np.zeros(n, dtype=np.float32)
        a, b, out = wrap(lib, x), wrap(lib, y), wrap(lib, o)
        t = np.empty_like(o)

        def into(text, arrays):
            f = lib.ash_function_new(text)
            return lambda: lib.ash_map_into_function_opt(out, f, arrays, None)

        def fresh(text, arrays):
            f = lib.ash_function_new(text)
            return lambda: lib.ash_release(lib.ash_map_function_opt(f, arrays, None))

        def square():
            np.multiply(x, x, out=t)
            np.add(t, 1, out=t)

        def hypot():
            np.multiply(x, x, out=t)
            np.multiply(y, y, out=o)
            np.add(t, o, out=t)
            np.sqrt(t, out=t)

        def gauss():
            np.multiply(x, x, out=t)
            np.multiply(t, np.float32(-0.5), out=t)
            np.exp(t, out=t)
            np.multiply(t, np.float32(0.4), out=t)

        def polynomial():
            np.multiply(x, np.float32(0.1), out=t)
            for c in (0.2, 0.3, 0.4, 0.5):
                np.add(t, np.float32(c), out=t)
                np.multiply(t, x, out=t)
            np.add(t, np.float32(0.6), out=t)

        one, two = operands(a), operands(a, b)
        wide, whole = x.astype(np.float64), rng.integers(-2**62, 2**62, n)
        mask, index, few = x > 0.5, rng.integers(0, n, n), rng.integers(0, 1000, n)
        thousand = np.sort(rng.random(1000, dtype=np.float32))
        wide_a, whole_a, mask_a, index_a, few_a, thousand_a = (wrap(lib, v) for v in (wide, whole, mask, index, few, thousand))
        wide_t = np.empty_like(wide)
        wide_out = wrap(lib, wide_t)
        sought, sorted_first = Operand(1, 0, a, 0), UniqueOptions(ctypes.sizeof(UniqueOptions), None, None, True)

        def release(result):
            for name, _ in result._fields_:
                lib.ash_release(getattr(result, name))

        side = min(int(n ** 0.5), 1000)  # of square matrices: as many elements, up to a million
        square_x, square_y = (v[: side * side].reshape(side, side) for v in (x, y))
        wide_x = square_x.astype(np.float64)
        whole_x = np.asarray(square_x[:200, :200] * 100, dtype=np.int64)
        squares = {v.dtype.name: wrap(lib, v) for v in (square_x, wide_x, whole_x)}
        square_b, column = wrap(lib, square_y), wrap(lib, x[:side])

        def matmul(first, second):
            return lambda: lib.ash_release(lib.ash_matmul_opt(first, second, None))

        cases = {
            "matmul f32, side sqrt(n) to 1000": (lambda: square_x @ square_y, matmul(squares["float32"], square_b)),
            "matmul f64, side sqrt(n) to 1000": (lambda: wide_x @ wide_x, matmul(squares["float64"], squares["float64"])),
            "matmul i64, side 200": (lambda: whole_x @ whole_x, matmul(squares["int64"], squares["int64"])),
            "matrix times vector f32": (lambda: square_x @ x[:side], matmul(squares["float32"], column)),
            "dot f32": (lambda: x @ y, lambda: lib.ash_release(lib.ash_dot_opt(a, b, None))),
            "a*a + 1, out=": (square, into(b"a -> a*a + 1", one)),
            "a*a + 1, new result": (lambda: x * x + np.float32(1), fresh(b"a -> a*a + 1", one)),
            "sqrt(x*x + y*y), out=": (hypot, into(b"(x, y) -> sqrt(x*x + y*y)", two)),
            "sqrt(x*x + y*y), new result": (lambda: np.sqrt(x * x + y * y), fresh(b"(x, y) -> sqrt(x*x + y*y)", two)),
            "exp(-x*x/2)*0.4, out=": (gauss, into(b"x -> exp(-x*x/2)*0.4", one)),
            "polynomial, out=": (polynomial, into(b"x -> ((((0.1*x + 0.2)*x + 0.3)*x + 0.4)*x + 0.5)*x + 0.6", one)),
            "exp": (lambda: np.exp(x, out=t), into(b"exp", one)),
            "log": (lambda: np.log(x, out=t), into(b"log", one)),
            "sin": (lambda: np.sin(x, out=t), into(b"sin", one)),
            "tanh": (lambda: np.tanh(x, out=t), into(b"tanh", one)),
            "sum": (lambda: x.sum(), lambda: lib.ash_release(lib.ash_sum_opt(a, None))),
            "max": (lambda: x.max(), lambda: lib.ash_release(lib.ash_max_opt(a, None))),
            "var": (lambda: x.var(ddof=1), lambda: lib.ash_release(lib.ash_var_opt(a, None))),
            "cumsum, out=": (lambda: np.cumsum(x, out=t), lambda: lib.ash_scan_into_opt(out, b"+", a, None)),
            "sort f32": (lambda: np.sort(x), lambda: lib.ash_release(lib.ash_sort_opt(a, None))),
            "sort i64": (lambda: np.sort(whole), lambda: lib.ash_release(lib.ash_sort_opt(whole_a, None))),
            "sort f64": (lambda: np.sort(wide), lambda: lib.ash_release(lib.ash_sort_opt(wide_a, None))),
            "sortperm f32, stable": (lambda: np.argsort(x, kind="stable"), lambda: lib.ash_release(lib.ash_sortperm_opt(a, None))),
            "sortperm i64, stable": (lambda: np.argsort(whole, kind="stable"),
                                     lambda: lib.ash_release(lib.ash_sortperm_opt(whole_a, None))),
            "unique, sorted, 1000 different i64": (lambda: np.unique(few),
                                                   lambda: release(lib.ash_unique_opt(few_a, sorted_first))),
            "search_sorted in 1000 f32": (lambda: np.searchsorted(thousand, x),
                                          lambda: lib.ash_release(lib.ash_search_sorted_opt(thousand_a, sought, None))),
            "histogram, 100 bins": (lambda: np.histogram(x, 100), lambda: release(lib.ash_histogram_opt(a, 100, None))),
            "select, half kept": (lambda: x[mask], lambda: lib.ash_release(lib.ash_select_opt(a, mask_a, None))),
            "find, half true": (lambda: np.flatnonzero(mask), lambda: lib.ash_release(lib.ash_find_opt(mask_a, None))),
            "uniform f32, out=": (lambda: rng.random(dtype=np.float32, out=t), lambda: lib.ash_rand_into_opt(out, None)),
            "normal f32, out=": (lambda: rng.standard_normal(dtype=np.float32, out=t),
                                 lambda: lib.ash_randn_into_opt(out, None)),
            "exponential f32, out=": (lambda: rng.standard_exponential(dtype=np.float32, out=t),
                                      lambda: lib.ash_randexp_into_opt(out, None)),
            "uniform f64, out=": (lambda: rng.random(out=wide_t), lambda: lib.ash_rand_into_opt(wide_out, None)),
            "normal f64, out=": (lambda: rng.standard_normal(out=wide_t), lambda: lib.ash_randn_into_opt(wide_out, None)),
            "permutation": (lambda: rng.permutation(n), lambda: lib.ash_release(lib.ash_permutation_opt(n, None))),
            "take, random indices": (lambda: np.take(x, index), lambda: lib.ash_release(lib.ash_take_opt(a, index_a, None))),
        }
        for name, (theirs, ours) in cases.items():
            rows.setdefault(name, []).append(ratio(theirs, ours))
    for name, values in rows.items():
        print(f"{name:34s} " + " ".join(f"{v:8.2f}" for v in values))
    transforms(lib)


if __name__ == "__main__":
    main()
