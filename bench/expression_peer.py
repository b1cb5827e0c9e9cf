"""Fused expressions beside NumPy (out=) and numexpr (one thread) on the same memory: time of theirs / time of the library.

Usage: expression_peer.py PATH_OF_LIBASHLAR. numexpr's columns are left out where it is missing. A call through ctypes costs
about a microsecond, which counts against the library.
"""
import sys

import numpy_peer as peer  # says so and ends where NumPy is missing

np = peer.np
try:
    import numexpr
    numexpr.set_num_threads(1)
except ImportError:
    numexpr = None

SIZES = (1000, 60_000, 1_000_000, 10_000_000)


def square(x, y, w, out, t):
    np.multiply(x, x, out=out)
    np.add(out, 1, out=out)


def hypot(x, y, w, out, t):
    np.multiply(x, x, out=out)
    np.multiply(y, y, out=t)
    np.add(out, t, out=out)
    np.sqrt(out, out=out)


def gauss(x, y, w, out, t):
    np.multiply(x, x, out=out)
    np.multiply(out, out.dtype.type(-0.5), out=out)
    np.exp(out, out=out)
    np.multiply(out, out.dtype.type(0.4), out=out)


def polynomial(x, y, w, out, t):
    np.multiply(x, np.float32(0.1), out=out)
    for c in (0.2, 0.3, 0.4, 0.5):
        np.add(out, np.float32(c), out=out)
        np.multiply(out, x, out=out)
    np.add(out, np.float32(0.6), out=out)


def choose(x, y, w, out, t):
    np.copyto(out, y)
    np.copyto(out, x, where=x > 0.5)


def sine(x, y, w, out, t):
    np.sin(x, out=out)
    np.multiply(out, y, out=out)


def logarithm(x, y, w, out, t):
    np.log(x, out=out)
    np.multiply(out, np.float32(0.4), out=out)


def mixed(x, y, w, out, t):
    np.multiply(x, w, out=out)
    np.add(out, 1, out=out)


def distance(x, y, w, out, t):
    np.subtract(x, y, out=t)
    np.multiply(t, t, out=t)
    t.sum()


# name, function string, numexpr's text, NumPy, operands, and of which type
ROWS = (
    ("a*a + 1", b"x -> x*x + 1", "x*x + one", square, "x", "float32"),
    ("sqrt(x*x + y*y)", b"(x, y) -> sqrt(x*x + y*y)", "sqrt(x*x + y*y)", hypot, "xy", "float32"),
    ("exp(-x*x/2)*0.4", b"x -> exp(-x*x/2)*0.4", "exp(-x*x/two)*c", gauss, "x", "float32"),
    ("polynomial, 10 operations", b"x -> ((((0.1*x + 0.2)*x + 0.3)*x + 0.4)*x + 0.5)*x + 0.6",
     "((((c1*x + c2)*x + c3)*x + c)*x + c5)*x + c6", polynomial, "x", "float32"),
    ("x > 0.5 ? x : y", b"(x, y) -> x > 0.5 ? x : y", "where(x > half, x, y)", choose, "xy", "float32"),
    ("log(x)*0.4", b"x -> log(x)*0.4", "log(x)*c", logarithm, "x", "float32"),
    ("sin(x)*y", b"(x, y) -> sin(x)*y", "sin(x)*y", sine, "xy", "float32"),
    ("a*a + 1, f64", b"x -> x*x + 1", "x*x + one", square, "x", "float64"),
    ("exp(-x*x/2)*0.4, f64", b"x -> exp(-x*x/2)*0.4", "exp(-x*x/two)*c", gauss, "x", "float64"),
    ("x*w + 1, f32 and f64", b"(x, w) -> x*w + 1", "x*w + one", mixed, "xw", "mixed"),
    ("sum of (x - y)^2", b"(x, y) -> (x - y)*(x - y)", "sum((x - y)*(x - y))", distance, "xy", "float32"),
)


def ratios(lib, row, n):
    _, text, theirs, call, letters, dtype = row
    rng = np.random.default_rng(1)
    kind = np.dtype("float64" if dtype == "float64" else "float32")
    v = {"x": rng.random(n).astype(kind), "y": rng.random(n).astype(kind), "w": rng.random(n)}
    out = np.empty(n, dtype="float64" if dtype == "mixed" else kind)
    t = np.empty_like(out)
    constants = {"one": 1, "two": 2, "c": 0.4, "half": 0.5, "c1": 0.1, "c2": 0.2, "c3": 0.3, "c5": 0.5, "c6": 0.6}
    names = dict(v, **{k: kind.type(c) for k, c in constants.items()})
    function, given = lib.ash_function_new(text), peer.operands(*(peer.wrap(lib, v[k]) for k in letters))
    result = peer.wrap(lib, out)

    def ours():
        if call is distance:
            lib.ash_release(lib.ash_map_reduce_function_opt(function, b"+", given, None))
        else:
            lib.ash_map_into_function_opt(result, function, given, None)

    def by_numexpr():
        numexpr.evaluate(theirs, local_dict=names, **({} if call is distance else {"out": out}))

    numpy_ratio = peer.ratio(lambda: call(v["x"], v["y"], v["w"], out, t), ours)
    return numpy_ratio, peer.ratio(by_numexpr, ours) if numexpr else None


def main():
    lib = peer.load(sys.argv[1])
    lib.ash_set_threads(1)
    lib.ash_map_reduce_function_opt.restype = peer.ctypes.c_void_p
    lib.ash_map_reduce_function_opt.argtypes = [peer.ctypes.c_void_p, peer.ctypes.c_char_p, peer.Operands, peer.ctypes.c_void_p]
    print(f"{'time of NumPy, of numexpr / ours':34s} " + " ".join(f"{n:>15d}" for n in SIZES))
    for row in ROWS:
        cells = (ratios(lib, row, n) for n in SIZES)
        print(f"{row[0]:34s} " + " ".join(f"{a:7.1f} " + (f"{b:7.1f}" if b else " " * 7) for a, b in cells))


if __name__ == "__main__":
    main()
