"""NumPy beside the library on the same memory, interleaved in one process: time of NumPy / time of the library.

Usage: numpy_peer.py PATH_OF_LIBASHLAR. Prints a table; does nothing but say so where NumPy is missing. A call through
ctypes costs about a microsecond, which counts against the library; sizes below 60 000 elements are left out for that reason.
"""
import ctypes
import sys
import time

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed: no second column")
    sys.exit(0)

F32 = 12


class Dims(ctypes.Structure):
    _fields_ = [("size", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_int64)]


class Operand(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("dtype", ctypes.c_int), ("array", ctypes.c_void_p), ("rest", ctypes.c_double)]


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
    lib.ash_set_threads.argtypes = [ctypes.c_int64]
    return lib


def wrap(lib, x):
    size = (ctypes.c_int64 * x.ndim)(*x.shape)
    return lib.ash_wrap_opt(x.ctypes.data, F32, x.size, Dims(size, x.ndim), None)


def operands(*arrays):
    return Operands((Operand * len(arrays))(*[Operand(1, 0, a, 0) for a in arrays]), len(arrays))


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
        cases = {
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
        }
        for name, (theirs, ours) in cases.items():
            rows.setdefault(name, []).append(ratio(theirs, ours))
    for name, values in rows.items():
        print(f"{name:34s} " + " ".join(f"{v:8.2f}" for v in values))


main()
