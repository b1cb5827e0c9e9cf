"""Times of CuPy for the operations of gpu.c: lines "NAME<tab>SECONDS". Nothing, with a word on stderr, where CuPy is missing.

Usage: cupy_peer.py ELEMENTS
"""
import sys
import time

try:
    import cupy as cp
except ImportError:
    print("CuPy is not installed: no last column", file=sys.stderr)
    sys.exit(0)

SAMPLES, SECONDS = 7, 0.05


def sample(run, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    cp.cuda.Stream.null.synchronize()
    return (time.perf_counter() - start) / repeats


def time_of(run):
    repeats = 1
    sample(run, 1)
    best = sample(run, 1)
    while best * repeats < SECONDS and repeats < 1 << 20:
        repeats *= 2
        best = sample(run, repeats)
    return min([best] + [sample(run, repeats) for _ in range(SAMPLES)])


def main():
    n = int(sys.argv[1]) // 1000 * 1000
    side, points = 128, 1024
    while side < 4096 and 4 * side * side <= n:
        side *= 2
    while 2 * points <= n:
        points *= 2
    a, b, out = (cp.random.rand(n, dtype=cp.float32) for _ in range(3))
    d = cp.random.rand(n)
    keys = cp.random.randint(0, 4000000000, n, dtype=cp.uint32)
    mask = a < 0.25
    z = (cp.random.rand(points) + 1j * cp.random.rand(points)).astype(cp.complex64)
    m = cp.random.rand(side, side, dtype=cp.float32)
    m64, m16 = m.astype(cp.float64), m.astype(cp.float16)
    multiply_add = cp.ElementwiseKernel("float32 a, float32 b", "float32 o", "o = a * b + 1.0f", "multiply_add")
    fused = cp.ReductionKernel("float32 a, float32 b", "float32 s", "(a - b) * (a - b)", "a + b", "s = a", "0", "fused")
    operations = {
        "multiply_add": lambda: multiply_add(a, b, out), "exp": lambda: cp.exp(a, out=out), "sin_f64": lambda: cp.sin(d),
        "sum": lambda: cp.sum(a), "sum_f64": lambda: cp.sum(d), "fused": lambda: fused(a, b),
        "row_sums": lambda: a.reshape(-1, 1000).sum(axis=1), "column_sums": lambda: a.reshape(-1, 1000).sum(axis=0),
        "argmax": lambda: cp.argmax(a), "var": lambda: cp.var(a), "cumsum": lambda: cp.cumsum(a, out=out),
        "cumsum_f64": lambda: cp.cumsum(d), "sort": lambda: cp.sort(keys), "sort_f64": lambda: cp.sort(d),
        "sortperm": lambda: cp.argsort(a), "top": lambda: cp.partition(a, n - 100), "select": lambda: a[mask],
        "rand": lambda: cp.random.rand(n, dtype=cp.float32), "randn": lambda: cp.random.randn(n, dtype=cp.float32),
        "matmul": lambda: m @ m, "matmul_f64": lambda: m64 @ m64, "matmul_f16": lambda: m16 @ m16,
        "fft": lambda: cp.fft.fft(z), "ffts": lambda: cp.fft.fft(z.reshape(-1, 1024)),
    }
    for name, run in operations.items():
        print(f"{name}\t{time_of(run):.9f}")


if __name__ == "__main__":
    main()
