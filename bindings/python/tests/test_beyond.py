"""What is not of the standard: function strings, records, random numbers, files, trees, storage, resources, settings."""

import collections
import dataclasses
import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest
from support import check, ours

import ashlar as xp

# ---- function strings


def test_map():
    x = xp.asarray([1.0, 2.0, 3.0])
    assert xp.map("x -> x^2 + 1", x).tolist() == [2, 5, 10]
    assert xp.map("(x, s) -> x*s", x, 2.5).tolist() == [2.5, 5, 7.5]
    y = xp.map("(x, s) -> x*s", xp.astype(x, xp.float32), 2.5)
    assert y.dtype is xp.float32
    assert xp.map("(x, y) -> x < y", x, xp.asarray([[2.0], [3.0]])).tolist() == [[True, False, False], [True, True, False]]
    assert xp.map("sqrt", x, dtype=xp.int8).dtype is xp.int8 and xp.map("() -> 1").item() == 1
    out = xp.zeros(3)
    assert xp.map("x -> -x", x, out=out) is out and out.tolist() == [-1, -2, -3]
    assert xp.map("x -> x", xp.ones((2, 3)), layout="col-major").layout == "col-major"
    assert xp.zip_map("(a, b) -> a + b", xp.arange(3), xp.arange(2)).tolist() == [0, 2]


def test_a_text_that_means_nothing():
    with pytest.raises(xp.ArgumentError, match="squrt") as e:
        xp.map("x -> squrt(x)", xp.ones(2))
    assert isinstance(e.value, ValueError) and isinstance(e.value, xp.Error)
    assert e.value.position == 5 and "^" in str(e.value) and e.value.status == "argument" and str(e.value).startswith("map: ")
    with pytest.raises(xp.ArgumentError):
        xp.map("(x, y) -> x", xp.ones(2))
    with pytest.raises(TypeError):
        xp.map("x -> x", "text")


def test_reductions_and_scans():
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert xp.reduce("max", x).item() == 4 and xp.reduce("+", x, axis=0, keepdims=True).tolist() == [[4, 6]]
    assert xp.reduce("(a, b) -> a*b", x, init=1.0).item() == 24
    assert xp.reduce("+", x, where=x > 1.5).item() == 9
    assert xp.map_reduce("(x, c) -> (x - c)^2", "+", x, 1.0, axis=1).tolist() == [1, 13]
    assert xp.scan("+", xp.arange(4)).tolist() == [0, 1, 3, 6]
    assert xp.scan("max", x, axis=1).tolist() == x.tolist()
    assert xp.scan("+", xp.arange(3), init=10, exclusive=True).tolist() == [10, 10, 11]
    assert xp.scan("(a, b) -> a*b", xp.asarray([1, 2, 3])).tolist() == [1, 2, 6]


def test_more_functions():
    x = xp.asarray([3.0, 1.0, 2.0])
    values, places = xp.top_k(x, 2)
    assert values.tolist() == [3, 2] and places.tolist() == [0, 2]
    counts, edges = xp.histogram(x, 2, low=1.0, high=3.0)
    assert counts.tolist() == [1, 2] and edges.tolist() == [1, 2, 3]
    assert xp.histogram(x, 2, edges=xp.asarray([0.0, 1.5, 9.0]))[0].tolist() == [1, 2]
    assert xp.kron(xp.eye(2), xp.ones((1, 2))).shape == (2, 4)
    assert xp.allclose(xp.expm(xp.zeros((2, 2))), xp.eye(2)) and xp.equal_arrays(x, x)
    assert not xp.equal_arrays(x, x + 1) and xp.allclose(x, x + 1e-12)
    y = xp.zeros(3)
    xp.put(y, xp.asarray([0, -1, 0]), xp.asarray([1.0, 2.0, 3.0]), accumulate=True)
    assert y.tolist() == [4, 0, 2]
    assert xp.reinterpret(xp.ones(2, dtype=xp.complex64), xp.float32, add_axis=True).tolist() == [[1, 0], [1, 0]]
    z = xp.asarray([[1 + 2j, 3j]])
    assert xp.adjoint(z).tolist() == [[1 - 2j], [-3j]]


# ---- dtypes beyond the standard


def test_half_floats():
    for d in (xp.float16, xp.bfloat16):
        x = xp.asarray([1.5, -2.0], dtype=d)
        assert x.dtype is d and x.tolist() == [1.5, -2.0] and (x + x).tolist() == [3, -4] and (x * 2).dtype is d
        assert float(xp.sum(x)) == -0.5
    assert np.asarray(xp.ones(2, dtype=xp.float16)).dtype == "f2" and xp.asarray(np.ones(2, "f2")).dtype is xp.float16


def test_complex_integers():
    d = xp.dtype("c_i32")
    x = xp.full(2, 3, dtype=xp.int32)
    z = xp.map("x -> complex(x, x)", x)
    assert z.dtype is d and z.tolist() == [3 + 3j, 3 + 3j]


def test_records():
    particle = xp.record("particle", {"x": (xp.float32, 3), "m": xp.float64})
    assert particle.itemsize == 24 and particle is xp.record("particle", {"x": (xp.float32, 3), "m": xp.float64})
    p = xp.zeros(2, dtype=particle)
    p["m"] = xp.asarray([1.0, 2.0])
    p["x"][:, 0] = 7.0
    assert p.tolist() == [{"x": [7, 0, 0], "m": 1}, {"x": [7, 0, 0], "m": 2}]
    assert xp.map("p -> p.m*p.x[0]", p).tolist() == [7, 14]
    n = np.asarray(p)
    assert n["m"].tolist() == [1, 2] and n["x"].shape == (2, 3)
    n["m"][0] = 5
    assert p["m"].tolist() == [5, 2] or xp.default_device().name != "cpu:0"
    with pytest.raises(ValueError):
        p["y"]
    assert "particle" in repr(p)


# ---- random numbers


def test_random():
    xp.random.seed(42)
    a = xp.random.uniform((3, 4))
    xp.random.seed(42)
    assert xp.equal_arrays(a, xp.random.uniform((3, 4))) and a.dtype is xp.float64
    assert xp.all(a > 0) and xp.all(a <= 1)
    g = xp.random.Generator(7)
    first = xp.random.normal(1000, rng=g)
    assert abs(float(xp.mean(first))) < 0.2 and 0.8 < float(xp.std(first)) < 1.2
    state = g.state
    second = xp.random.exponential(5, rng=g)
    g.state = state
    assert xp.equal_arrays(second, xp.random.exponential(5, rng=g))
    n = xp.random.integers(-3, 3, (100,), rng=g)
    assert n.dtype is xp.int64 and set(n.tolist()) <= set(range(-3, 3))
    assert xp.random.integers(0, 1, 5, inclusive=True, dtype=xp.uint8).dtype is xp.uint8
    assert sorted(xp.random.permutation(9, rng=g).tolist()) == list(range(9))
    assert sorted(xp.random.shuffled(xp.arange(9), rng=g).tolist()) == list(range(9))
    assert xp.random.uniform(4, dtype=xp.bool).dtype is xp.bool
    xp.random.seed_from_system()
    second_kind = xp.random.Generator(1, second=True)
    assert xp.random.uniform(3, dtype=xp.float32, rng=second_kind).dtype is xp.float32
    with pytest.raises(ValueError):
        xp.random.integers(3, 3, 1)


# ---- files


def test_files(tmp_path):
    x = xp.asarray(np.arange(6.0).reshape(2, 3))
    npy = tmp_path / "x.npy"
    xp.io.write_npy(x, npy)
    check(ours(np.load(npy)), np.arange(6.0).reshape(2, 3))
    check(xp.io.read_npy(npy), np.load(npy))
    assert xp.io.read_npy(npy, dtype=xp.float32).dtype is xp.float32
    mapped = xp.io.read_npy(npy, mapped=True, device="cpu:0")
    assert mapped.readonly and mapped.tolist() == x.tolist()
    npz = tmp_path / "x.npz"
    xp.io.save_npz({"a": x, "b": {"c": x[0], "d": [x[1]]}}, npz, compress=True)
    with np.load(npz) as archive:
        assert sorted(archive) == ["a", "b.c", "b.d.0"]
    assert {k: v.shape for k, v in xp.io.load_npz(npz).items()} == {"a": (2, 3), "b.c": (3,), "b.d.0": (3,)}
    assert xp.io.read_npz(npz, "b.c").tolist() == [0, 1, 2]
    tensors = tmp_path / "x.safetensors"
    xp.io.save_safetensors({"w": x, "b": xp.ones(2, dtype=xp.bfloat16)}, tensors)
    loaded = xp.io.load_safetensors(tensors)
    assert loaded["w"].tolist() == x.tolist() and loaded["b"].dtype is xp.bfloat16
    assert xp.io.read_safetensors(tensors, "w").shape == (2, 3)
    csv = tmp_path / "x.csv"
    xp.io.write_csv(x, csv, header="p,q,r")
    assert xp.io.read_csv(csv).tolist() == x.tolist() and xp.io.read_csv(csv, columns="q").tolist() == [[1], [4]]
    assert xp.io.read_csv(csv, header=False, skip=1, separator=",", dtype=xp.int32).dtype is xp.int32
    with pytest.raises(OSError):
        xp.io.read_npy(tmp_path / "none.npy")
    (tmp_path / "bad.npy").write_bytes(b"no file of this kind")
    with pytest.raises(xp.FormatError):
        xp.io.read_npy(tmp_path / "bad.npy")


# ---- trees


@dataclasses.dataclass
class Layer:
    weight: object
    name: str = "layer"


Pair = collections.namedtuple("Pair", "left right")


def test_adapt():
    x = xp.ones(3)
    tree = {"layers": [Layer(x), Layer(x.copy(), "second")], "pair": Pair(x, (1, "text")), "n": xp.asarray([1, 2])}
    small = xp.adapt(tree, rule="f64-to-f32")
    assert small["layers"][0].weight.dtype is xp.float32 and small["n"].dtype is xp.int64
    assert small["layers"][1].name == "second" and small["pair"].right == (1, "text")
    assert small["layers"][0].weight is small["pair"].left
    assert xp.adapt(x, dtype=xp.int8).tolist() == [1, 1, 1] and xp.adapt(x, floats=xp.float16).dtype is xp.float16
    assert xp.adapt([x], storage="private")[0].storage == "private"
    assert xp.adapt(x, device="cpu:0").device == xp.Device("cpu:0")
    with pytest.raises(TypeError):
        xp.adapt(x, device="cpu:0?f64=off")


# ---- devices, storage, resources, settings


def test_devices():
    d = xp.Device("cpu:0")
    assert d is xp.Device("cpu:0") and d in xp.devices() and str(d) == "cpu:0"
    assert d.can("f64") and d.description and d.memory > 0 and d.pool()["requests"] >= 0
    d.trim_pool()
    with pytest.raises(xp.DeviceError, match="cuda:77|device"):
        xp.Device("cuda:77")
    with pytest.raises(TypeError, match="f64"):
        xp.zeros(2, dtype=xp.float64, device="cpu:0?f64=off")
    small = xp.zeros(2, device="cpu:0?f64=off")
    with pytest.raises(RuntimeError):
        small + xp.zeros(2, dtype=xp.float32, device="cpu:0")
    assert (small + 1.5).dtype is xp.float32


def test_storage():
    x = xp.ones((2, 2), storage="private")
    assert x.storage == "private" and (x + x).storage == "private" and x.tolist() == [[1, 1], [1, 1]]
    assert x.copy(storage="shared").storage == "shared"
    with pytest.raises(ValueError):
        xp.ones(1, storage="elsewhere")
    with pytest.raises(ValueError):
        xp.ones(1, layout="diagonal")
    assert xp.ones((2, 3), layout="col-major").layout == "col-major"


def test_resources():
    with xp.Resources("cpu:0?f64=off") as r:
        assert xp.default_device() is r.device and xp.zeros(1).device.name == "cpu:0?f64=off"
        with xp.Resources("cpu:0"):
            assert xp.default_device().name == "cpu:0"
        x = xp.ones(3)
        r.sync()
        assert r.query()
    del r
    assert (x + x).tolist() == [2, 2, 2]
    assert "cpu:0" in repr(xp.Resources("cpu:0"))
    xp.sync()


def test_discarded():
    x = xp.ones(3)
    x.discard()
    with pytest.raises(xp.ReleasedError):
        x + x
    assert repr(x)


def test_settings():
    before = xp.config.threads
    xp.config.threads = 1
    assert xp.config.threads == 1
    xp.config.threads = before
    assert "threads" in str(xp.config)
    with pytest.raises(ValueError):
        xp.config.threads = -1


def test_settings_of_a_process():
    code = """import ashlar as xp
xp.config.device = "cpu:0?f64=off"
xp.config.storage("private")
x = xp.zeros(2)
print(x.dtype, x.storage, x.device, "private" in str(xp.config))
try:
    memoryview(x.__buffer__(0))
except BufferError as e:
    print("refused")
xp.config.allow_scalar()
xp.config.trace()
x + x"""
    result = run(code, ASHLAR_DEVICE="")
    assert result.stdout == "float32 private cpu:0?f64=off True\nrefused\n" and "ADD" in result.stderr


# ---- threads


def test_threads():
    x, failures = xp.arange(10000.0), []

    def work(k):
        try:
            for _ in range(50):
                y = xp.sum(x * k + 1)
                assert float(y) == k * 49995000.0 + 10000
                with pytest.raises(ValueError):
                    x + xp.ones(3)
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


def test_other_threads_run_meanwhile():
    """A product of large matrices does not hold the interpreter."""
    a = xp.ones((900, 900))
    ticks, done = [0], threading.Event()

    def count():
        while not done.is_set():
            ticks[0] += 1

    t = threading.Thread(target=count)
    t.start()
    before = ticks[0]
    for _ in range(3):
        (a @ a).wait()
    done.set()
    t.join()
    assert ticks[0] > before


# ---- the library found, or not


def run(code, **environment):
    package = pathlib.Path(xp.__file__).resolve().parents[1]
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(package), **environment})


def test_no_library():
    result = run("import ashlar", ASHLAR_LIBRARY="/nowhere/libashlar.so")
    assert result.returncode and "/nowhere/libashlar.so" in result.stderr and "ASHLAR_LIBRARY" in result.stderr
    result = run("import ashlar", ASHLAR_LIBRARY=__file__)
    assert result.returncode and "would not load" in result.stderr


EVERYTHING = """
import array, sys
import ashlar, numpy
class Cycle: pass
held = Cycle()
held.itself = held
held.a = ashlar.asarray(array.array("d", [1.0]))
held.b = ashlar.from_dlpack(numpy.arange(4.0))
held.c = ashlar.asarray(numpy.arange(4.0))
held.d = numpy.from_dlpack(ashlar.ones(3))
held.e = [ashlar.ones(3).__dlpack__(), ashlar.ones(3).__dlpack__(max_version=(1, 0))]
held.f = [ashlar.Resources(), ashlar.random.Generator(), ashlar.ones(3)]
print(float(held.a[0] + held.b[1]))
"""


@pytest.mark.parametrize("last", ["", "del held", "held = [held, held.e]", "sys.modules['held'] = held"])
def test_an_exit_with_everything_alive(last):
    result = run(EVERYTHING + last)
    assert (result.returncode, result.stdout, result.stderr) == (0, "2.0\n", "")


# ---- hypothesis, which draws arrays of any namespace of the standard


def test_hypothesis_draws_our_arrays():
    import hypothesis
    from hypothesis.extra import array_api
    strategies = array_api.make_strategies_namespace(xp, api_version="2023.12")

    @hypothesis.given(strategies.arrays(strategies.numeric_dtypes(), strategies.array_shapes(max_dims=2, max_side=3)))
    @hypothesis.settings(max_examples=10)
    def holds(x):
        assert isinstance(x, xp.Array) and xp.all((x == x) | xp.isnan(x))

    holds()


# ---- C code around us


def test_scopes_of_others():
    """A scope that C code on this thread has open does not end what is made here."""
    import ctypes
    from ashlar import _library
    open_scope, close_scope = _library.quick.ash_scope_open, _library.quick.ash_scope_close
    open_scope.restype, close_scope.argtypes = ctypes.c_int64, [ctypes.c_int64]
    scope = open_scope()
    x = xp.asarray([1.0, 2.0])
    made = [x + x, -x, x * 2.0, x[0], xp.sum(x), xp.zeros(2), xp.linalg.svd(xp.ones((2, 2))).S, xp.sort(x), xp.map("sqrt", x)]
    close_scope(scope)
    assert [y.tolist() for y in made[:6]] == [[2, 4], [-1, -2], [2, 4], 1, 3, [0, 0]] and made[7].tolist() == [1, 2]
