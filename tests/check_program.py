#!/usr/bin/env python3
"""The program `ashlar`, run as a user runs it: check_program.py PROGRAM SOURCE_ROOT.

NPY files are written and read here by hand, from the format's description (NumPy Enhancement Proposal 1), not by the library.
"""
import ast
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile
import zlib
from pathlib import Path

PROGRAM, ROOT = sys.argv[1], Path(sys.argv[2]).resolve()
IRIS = ROOT / "examples/data/iris.csv"
CODES = {"<f8": "d", "<f4": "f", "<i8": "q", "<i4": "i", "|u1": "B", "|b1": "?"}
failures = 0


def write_npy(path, descr, shape, values):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    data = struct.pack("<" + CODES[descr] * len(values), *values)
    Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def read_npy(path):
    data = Path(path).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    size = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10 : 10 + size].decode())
    body = data[10 + size :]
    code = CODES[head["descr"]]
    return head["descr"], head["shape"], list(struct.unpack("<" + code * (len(body) // struct.calcsize(code)), body)), head


def run(*arguments, **more):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)


def check(what, got, want):
    global failures
    if got != want:
        failures += 1
        print(f"{what}\n  got  {got!r}\n  want {want!r}")


def good(*arguments, out=None, **more):
    r = run(*arguments, **more)
    check(f"{arguments}: status, stderr", (r.returncode, r.stderr), (0, ""))
    if out is not None:
        check(f"{arguments}: stdout", r.stdout, out)
    return r.stdout


def bad(status, part, *arguments, **more):
    """Fails with this status and one line on stderr that has the part; says nothing on stdout."""
    r = run(*arguments, **more)
    line = bool(re.fullmatch(r"ashlar: [^\n]+\n", r.stderr))
    check(f"{arguments}: {r.stderr!r}", (r.returncode, r.stdout, line, part in r.stderr), (status, "", True, True))


def help_everywhere():
    text = good("--help")
    commands = re.findall(r"(?m)^  (\w+)  ", text)
    check("commands", commands, ["devices", "info", "show", "map", "reduce", "sort", "convert", "kmeans"])
    for command in commands:
        text = good(command, "--help")
        check(f"help of {command}", text.startswith(f"usage: ashlar {command}"), True)
        good("help", command, out=text)
        good(command, "nonsense", "--nonsense", "--help", out=text)
    check("version", bool(re.fullmatch(r"ashlar \d+\.\d+\.\d+\n", good("--version"))), True)


def usage():
    bad(2, "command is missing")
    bad(2, "unknown command fly", "fly")
    for command in ("devices", "info", "show", "map", "reduce", "sort", "convert", "kmeans"):
        bad(2, "unknown option --wings", command, "--wings")
        bad(2, "unknown option -w", command, "-w")
    bad(2, "unexpected argument", "devices", "now")
    bad(2, "file is missing", "info")
    bad(2, "needs a value", "info", "a.csv", "--columns")
    bad(2, "function is missing", "map")
    bad(2, "input file is missing", "map", "x -> x")
    bad(2, "unknown dtype f80", "map", "x -> x", "a.npy", "--dtype", "f80")
    bad(2, "unknown operation total", "reduce", "total", "a.npy")
    bad(2, "--axis is one", "reduce", "sum", "a.npy", "--axis", "one")
    bad(2, "--population", "reduce", "sum", "a.npy", "--population")
    bad(2, "--layout is diagonal", "convert", "a.npy", "b.npy", "--layout", "diagonal")
    bad(2, "file is missing", "show")
    bad(2, "--colormap is jet", "show", "a.npy", "--colormap", "jet")
    bad(2, "--color is blue", "show", "a.npy", "--color", "blue")
    bad(2, "--width is 0", "show", "a.npy", "--width", "0")
    bad(2, "file is missing", "sort")
    bad(2, "--axis is up", "sort", "a.npy", "--axis", "up")
    bad(2, "not both", "sort", "a.npy", "--axis", "0", "--flat")
    bad(2, "--k N", "kmeans", "a.npy")
    bad(2, "--k is 0", "kmeans", "a.npy", "--k", "0")
    bad(2, "--seed is x", "kmeans", "a.npy", "--k", "2", "--seed", "x")


def devices():
    check("devices", bool(re.search(r"(?m)^cpu:0  .*\(default\)$", good("devices"))), True)
    bad(1, "nowhere:7", "devices", env={**os.environ, "ASHLAR_DEVICE": "nowhere:7"})


def info():
    lines = dict(line.split(None, 1) for line in good("info", IRIS, "--columns", "0:4").strip().split("\n"))
    del lines["file"]
    # the mean of the 600 numbers of the table: 2078.7 / 600
    check("info", lines, {"dtype": "f64", "shape": "(150, 4)", "layout": "row-major", "bytes": "4800", "min": "0.1",
                          "max": "7.9", "mean": lines["mean"], "nan": "0"})
    check("mean", round(float(lines["mean"]), 4), 3.4645)
    bad(1, "no-such.csv", "info", "no-such.csv")
    bad(1, "unknown kind of file", "info", "a.xyz")
    Path("lies.npy").write_bytes(b"\x93NUMPY\x02\x00\xf0\xff\xff\xff")
    bad(1, "lies.npy", "info", "lies.npy")


def maps():
    write_npy("a.npy", "<f8", (2, 2), [1, 2, 3, 4])
    write_npy("row.npy", "<f8", (2,), [10, 20])
    good("map", "x -> x^2", "a.npy", "-o", "out.npy")
    check("map", read_npy("out.npy")[:3], ("<f8", (2, 2), [1, 4, 9, 16]))
    good("map", "(x, r) -> x + r", "a.npy", "row.npy", "--dtype", "f32", "--output", "out.npy")
    check("broadcast", read_npy("out.npy")[:3], ("<f4", (2, 2), [11, 22, 13, 24]))
    good("map", "x -> 2*x", "a.npy", out="ash.matrix f64[2×2] row-major cpu:0\n [[2.0 4.0]\n  [6.0 8.0]]\n")
    good("map", "sqrt", "a.npy", "-o", "out.csv")
    check("csv", [float(x) for x in Path("out.csv").read_text().replace("\n", ",").strip(",").split(",")],
          [1, 2**0.5, 3**0.5, 2])
    write_npy("three.npy", "<f8", (3,), [1, 2, 3])
    bad(1, "(2, 2)", "map", "(x, y) -> x + y", "a.npy", "three.npy")
    good("map", "(x, y) -> x + y", "a.npy", "three.npy", "--zip", out="ash.vector f64[3] cpu:0 [2.0 4.0 6.0]\n")
    bad(1, "squrt", "map", "x -> squrt(x)", "a.npy")
    bad(1, "column 6", "map", "x -> squrt(x)", "a.npy")
    bad(1, "out.xyz", "map", "x -> x", "a.npy", "-o", "out.xyz")
    bad(1, "no/such", "map", "x -> x", "a.npy", "-o", "no/such/folder.npy")
    # the input is mapped: writing over it must not destroy what is being read
    good("map", "x -> x + 1", "row.npy", "-o", "row.npy")
    check("in place", read_npy("row.npy")[2], [11, 21])


def reductions():
    write_npy("a.npy", "<i4", (2, 3), [1, 2, 3, 4, 5, 6])
    good("reduce", "sum", "a.npy", out="ash.scalar i64 cpu:0 21\n")
    good("reduce", "sum", "a.npy", "--axis", "0", out="ash.vector i64[3] cpu:0 [5 7 9]\n")
    good("reduce", "max", "a.npy", "--axis", "-1", "--keep", out="ash.matrix i32[2×1] row-major cpu:0\n [[3]\n  [6]]\n")
    good("reduce", "mean", "a.npy", "--axis", "0,1", out="ash.scalar f64 cpu:0 3.5\n")
    good("reduce", "argmin", "a.npy", "--axis", "1", "-o", "out.npy")
    check("argmin", read_npy("out.npy")[:3], ("<i8", (2,), [0, 0]))
    for operation, want in (("prod", "720"), ("count", "6"), ("any", "true"), ("all", "true"), ("argmax", "5"), ("min", "1")):
        check(operation, good("reduce", operation, "a.npy").split()[-1], want)
    check("var", good("reduce", "var", "a.npy").split()[-1], "3.5")  # 17.5 / 5
    check("var", float(good("reduce", "var", "a.npy", "--population").split()[-1]), 17.5 / 6)
    bad(1, "axis", "reduce", "sum", "a.npy", "--axis", "2")


def sorts():
    write_npy("a.npy", "<i4", (2, 3), [3, -1, 2, -5, 4, 0])
    write_npy("v.npy", "<f8", (4,), [2, float("nan"), -3, 1])
    good("sort", "v.npy", out="ash.vector f64[4] cpu:0 [-3.0  1.0  2.0  nan]\n")
    good("sort", "v.npy", "--descending", out="ash.vector f64[4] cpu:0 [ nan  2.0  1.0 -3.0]\n")
    for arguments, want in (("--axis 0", [-5, -1, 0, 3, 4, 2]), ("--axis -1", [-1, 2, 3, -5, 0, 4]),
                            ("--axis 1 --descending", [3, 2, -1, 4, 0, -5]), ("--flat", [-5, -1, 0, 2, 3, 4])):
        good("sort", "a.npy", *arguments.split(), "-o", "out.npy")
        check(f"sort {arguments}", read_npy("out.npy")[:3], ("<i4", (6,) if arguments == "--flat" else (2, 3), want))
    good("sort", "a.npy", "--flat", "--by", "x -> abs(x)", out="ash.vector i32[6] cpu:0 [ 0 -1  2  3  4 -5]\n")
    bad(2, "--axis N or --flat", "sort", "a.npy")
    bad(1, "axis", "sort", "a.npy", "--axis", "2")


def conversions():
    good("convert", IRIS, "iris.npy", "--dtype", "f32", "--columns", "0:4")
    descr, shape, values, _ = read_npy("iris.npy")
    check("iris.npy", (descr, shape, [round(x, 1) for x in values[:4]]), ("<f4", (150, 4), [5.1, 3.5, 1.4, 0.2]))
    good("convert", "iris.npy", "back.csv", "--header", "a,b,c,d")
    rows = Path("back.csv").read_text().strip().split("\n")
    check("back.csv", (rows[0], rows[1], len(rows)), ("a,b,c,d", "5.1,3.5,1.4,0.2", 151))
    good("convert", IRIS, "two.npy", "--columns", "petal width,sepal length")
    check("by name", read_npy("two.npy")[1:3][1][:2], [0.2, 5.1])
    good("convert", "iris.npy", "f.npy", "--layout", "col-major")
    check("fortran", read_npy("f.npy")[3]["fortran_order"], True)
    write_npy("big.npy", "<f8", (2,), [1.5, 300])
    bad(1, "300", "convert", "big.npy", "u.npy", "--dtype", "u8")
    good("convert", "big.npy", "i.npy", "--dtype", "i32")
    check("truncated", read_npy("i.npy")[:3], ("<i4", (2,), [1, 300]))
    bad(1, "1.5", "convert", "big.npy", "i.npy", "--dtype", "i32", "--exact")
    Path("ragged.csv").write_text("1,2\n3\n")
    bad(1, "line 2", "convert", "ragged.csv", "r.npy")
    Path("tabs.tsv").write_text("1\t2\n3\t4\n")
    good("map", "x -> x", "tabs.tsv", out="ash.matrix i64[2×2] row-major cpu:0\n [[1 2]\n  [3 4]]\n")
    bad(1, "--columns", "convert", "iris.npy", "x.npy", "--columns", "0:2")


def library_lacks(kind):
    """A library may be built without what a kind of file needs; then it says so."""
    write_npy("one.npy", "<f8", (1,), [1])
    r = run("convert", "one.npy", "one." + kind)
    if r.returncode == 1 and "was built without" in r.stderr:
        print(f"{kind}: skipped: {r.stderr.strip()}")
        return True
    check(f"{kind}: written", (r.returncode, r.stderr), (0, ""))
    return False


def archives():
    """NPZ files, against those of Python's zipfile."""
    if library_lacks("npz"):
        return
    write_npy("w.npy", "<f4", (2, 3), [1, 2, 3, 4, 5, 6])
    write_npy("n.npy", "<i8", (2,), [-1, 2])
    with zipfile.ZipFile("two.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write("w.npy")
        archive.write("n.npy")
    good("info", "two.npz", out="file     two.npz\narrays   2\narray    w f32 (2, 3)\narray    n i64 (2)\n")
    good("convert", "two.npz", "first.npy")
    check("first", read_npy("first.npy")[:3], ("<f4", (2, 3), [1, 2, 3, 4, 5, 6]))
    good("convert", "two.npz", "named.npy", "--name", "n", "--dtype", "f64")
    check("named", read_npy("named.npy")[:3], ("<f8", (2,), [-1, 2]))
    good("convert", "n.npy", "made.npz", "--name", "x")
    with zipfile.ZipFile("made.npz") as archive:
        check("made.npz", (archive.namelist(), archive.testzip()), (["x.npy"], None))
        archive.extract("x.npy")
    check("x.npy", read_npy("x.npy")[:3], ("<i8", (2,), [-1, 2]))
    good("map", "x -> 2*x", "made.npz", out="ash.vector i64[2] cpu:0 [-2  4]\n")
    good("reduce", "sum", "two.npz", "-o", "sum.npz")
    check("arr_0", zipfile.ZipFile("sum.npz").namelist(), ["arr_0.npy"])
    bad(1, "no array m", "convert", "two.npz", "m.npy", "--name", "m")
    bad(1, "--name is for", "info", "n.npy", "--name", "m")
    bad(1, "--columns", "convert", "two.npz", "x.npy", "--columns", "0")
    Path("lies.npz").write_bytes(b"PK")
    bad(1, "lies.npz", "info", "lies.npz")
    good("convert", "two.npz", "same.npz", "--dtype", "f64")
    check("all", zipfile.ZipFile("same.npz").namelist(), ["w.npy", "n.npy"])


def write_safetensors(path, tensors):
    header, data = {}, b""
    for name, (dtype, shape, code, values) in tensors.items():
        more = struct.pack(f"<{len(values)}{code}", *values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(more)]}
        data += more
    text = json.dumps(header).encode()
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def tensors():
    if library_lacks("safetensors"):
        return
    write_safetensors("t.safetensors", {"w": ("F32", [2, 2], "f", [1, 2, 3, 4]), "n\n": ("U8", [3], "B", [1, 2, 3])})
    good("info", "t.safetensors", out="file     t.safetensors\narrays   2\narray    w f32 (2, 2)\narray    n? u8 (3)\n")
    good("convert", "t.safetensors", "w.npy")
    check("w", read_npy("w.npy")[:3], ("<f4", (2, 2), [1, 2, 3, 4]))
    good("convert", "w.npy", "back.safetensors", "--dtype", "f64", "--name", "v")
    data = Path("back.safetensors").read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    check("header", json.loads(data[8 : 8 + size]), {"v": {"dtype": "F64", "shape": [2, 2], "data_offsets": [0, 32]}})
    check("data", struct.unpack("<4d", data[8 + size :]), (1, 2, 3, 4))
    if not library_lacks("npz"):
        good("convert", "back.safetensors", "v.npz")
        good("info", "v.npz", "--name", "v")
    Path("lies.safetensors").write_bytes(b"\xff" * 20)
    bad(1, "lies.safetensors", "info", "lies.safetensors")


def numpy_agrees():
    """Where NumPy is: what it writes is read, and what is written it reads, for every dtype and order, as NPY and as NPZ."""
    try:
        import numpy
    except ImportError:
        print("numpy_agrees: skipped, there is no NumPy for this Python")
        return
    values = {}
    for code in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", ">i4", ">f8"):
        plain = numpy.arange(12).reshape(3, 4).astype(code)
        for name, a in (("c", plain), ("f", numpy.asfortranarray(plain)), ("e", plain[:, :0]), ("s", plain[1, 2, ...])):
            values[f"{name}.{code.strip('>')}{len(values)}"] = a

    def same(a, b):
        return a.dtype.newbyteorder("=") == b.dtype and a.shape == b.shape and (a == b).all()

    for name, a in values.items():
        numpy.save("theirs.npy", a)
        good("convert", "theirs.npy", "ours.npy")
        check(f"NumPy reads {name}", same(a, numpy.load("ours.npy")), True)
    for save in (numpy.savez, numpy.savez_compressed):
        save("theirs.npz", **values)
        r = run("convert", "theirs.npz", "ours.npz")
        if r.returncode == 1 and "was built without" in r.stderr:
            return
        check("NPZ", (r.returncode, r.stderr), (0, ""))
        with numpy.load("ours.npz") as ours:
            check("names", ours.files, list(values))
            for name, a in values.items():
                check(f"NumPy reads {name} in an archive", same(a, ours[name]), True)
                check(f"order of {name}", a.flags.fnc, ours[name].flags.fnc)


def read_png(path):
    """Width, height and pixels of an RGB image without interlacing, from the format's description (ISO/IEC 15948)."""
    data, at, packed = Path(path).read_bytes(), 8, b""
    check("png", data[:8], b"\x89PNG\r\n\x1a\n")
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", body)
            check("RGB", rest, [8, 2, 0, 0, 0])
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    raw, above, rows = zlib.decompress(packed), [0] * 3 * width, []
    for y in range(height):
        line = raw[y * (3 * width + 1) : (y + 1) * (3 * width + 1)]
        row = []
        for x, value in enumerate(line[1:]):
            left, corner = (row[x - 3], above[x - 3]) if x >= 3 else (0, 0)
            guess = left + above[x] - corner
            paeth = min((left, above[x], corner), key=lambda c: abs(guess - c))
            row.append((value + (0, left, above[x], (left + above[x]) // 2, paeth)[line[0]]) % 256)
        rows.append(row)
        above = row
    return width, height, lambda x, y: tuple(rows[y][3 * x : 3 * x + 3])


def shown():
    inf, nan = float("inf"), float("nan")
    write_npy("ramp.npy", "<f8", (8,), list(range(8)))
    bars = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
    good("show", "ramp.npy", out=f"{bars}\nf64 (8)  min 0  max 7\n")
    good("show", "ramp.npy", "--width", "2", out=f"{bars[1]}{bars[6]}\nf64 (8)  min 0  max 7\n")  # means 1.5 and 5.5
    write_npy("column.npy", "<f8", (3, 1), [1, nan, 2])
    good("show", "column.npy", out=f"{bars[0]}?{bars[7]}\nf64 (3, 1)  min 1  max 2  nan 1\n")
    write_npy("grid.npy", "<f8", (2, 5), [0, 1, nan, 9, inf, -inf, 4.5, 2, 3, 8.9])
    good("show", "grid.npy", out=" .?@^\nv+:-@\nf64 (2, 5)  min 0  max 9  nan 1  inf 1  -inf 1\n")
    good("show", "grid.npy", "--width", "1", out="?\nv\nf64 (2, 5)  min 0  max 9  nan 1  inf 1  -inf 1\n")
    write_npy("same.npy", "<f8", (2, 2), [3] * 4)
    good("show", "same.npy", out="++\n++\nf64 (2, 2)  min 3  max 3\n")
    write_npy("none.npy", "<f8", (0, 3), [])
    good("show", "none.npy", out="f64 (0, 3)\n")
    write_npy("all.npy", "<f8", (2, 2), [nan] * 4)
    good("show", "all.npy", out="??\n??\nf64 (2, 2)  nan 4\n")
    write_npy("far.npy", "<f8", (2, 2), [-1.7e308, 1.7e308, 0, 0])
    good("show", "far.npy", out=" @\n++\nf64 (2, 2)  min -1.7e+308  max 1.7e+308\n")
    write_npy("large.npy", "<f4", (600, 400), [float(i // 400 >= 300) for i in range(240000)])
    lines = good("show", "large.npy").split("\n")
    check("large", (set(lines[:10]), set(lines[12:20]), len(lines[0])), ({" " * 80}, {"@" * 80}, 80))
    write_npy("cube.npy", "<f8", (2, 1, 1), [1, 2])
    bad(1, "(2, 1, 1)", "show", "cube.npy")
    # the ends of viridis are (68, 1, 84) and (253, 231, 37)
    write_npy("two.npy", "<f8", (2, 2), [0, 1, 1, 0])
    colours = {**os.environ, "COLORTERM": "truecolor"}
    low, high = "2;68;1;84m", "2;253;231;37m"
    good("show", "two.npy", "--color", "always", env=colours,
         out=f"\x1b[38;{low}\x1b[48;{high}\u2580\x1b[38;{high}\x1b[48;{low}\u2580\x1b[0m\nf64 (2, 2)  min 0  max 1\n")
    good("show", "two.npy", "--color", "always", "--colormap", "gray", env={**os.environ, "COLORTERM": ""},
         out="\x1b[38;5;16m\x1b[48;5;231m\u2580\x1b[38;5;231m\x1b[48;5;16m\u2580\x1b[0m\nf64 (2, 2)  min 0  max 1\n")


def pictures():
    r = run("show", "grid.npy", "--png", "grid.png")
    if r.returncode == 1 and "was built without" in r.stderr:
        print(f"pictures: skipped: {r.stderr.strip()}")
        return
    check("png: status, output", (r.returncode, r.stdout, r.stderr), (0, "", ""))
    width, height, pixel = read_png("grid.png")
    check("size", (width, height), (510, 204))  # 5 by 2 squares of 102
    cells = [[pixel(102 * x + 50, 102 * y + 50) for x in range(5)] for y in range(2)]
    check("ends", (cells[0][0], cells[0][3]), ((68, 1, 84), (253, 231, 37)))
    check("others", len({cells[0][2], cells[0][4], cells[1][0], cells[0][0], cells[0][3]}), 5)
    check("half", all(abs(a - b) <= 3 for a, b in zip(cells[1][1], (33, 145, 140))), True)  # viridis at 1/2, as published
    good("show", "two.npy", "--png", "two.png", "--colormap", "gray")
    _, _, pixel = read_png("two.png")
    check("gray", [pixel(0, 0), pixel(511, 0), pixel(0, 511), pixel(511, 511)], [(0,) * 3, (255,) * 3, (255,) * 3, (0,) * 3])
    bad(1, "empty", "show", "none.npy", "--png", "none.png")
    bad(1, "no/such", "show", "grid.npy", "--png", "no/such/folder.png")
    if Path("/dev/full").exists():
        Path("full.png").symlink_to("/dev/full")
        bad(1, "full.png", "show", "grid.npy", "--png", "full.png")


def clusters():
    text = good("kmeans", IRIS, "--columns", "0:4", "--k", "3", "--svg", "iris.svg", "--labels", "labels.npy",
                "--centroids", "centroids.csv")
    sizes = [int(m) for m in re.findall(r"(?m)^ +\d+ +(\d+) ", text)]
    check("sizes", sizes, [50, 62, 38])
    check("inertia", text.split("inertia ")[1], "78.8514\n")
    check("names", "petal width" in text, True)
    _, shape, labels, _ = read_npy("labels.npy")
    check("labels", (shape, [labels.count(c) for c in range(3)]), ((150,), sizes))
    check("centroids", len(Path("centroids.csv").read_text().strip().split("\n")), 3)
    circles = [e for e in xml.parse("iris.svg").getroot().iter() if e.tag.endswith("circle")]
    check("svg", len(circles), 153)
    check("same seed", good("kmeans", IRIS, "--columns", "0:4", "--k", "3"), text)
    for seed in (2, 3, 4):
        other = good("kmeans", IRIS, "--columns", "0:4", "--k", "3", "--seed", seed)
        check(f"seed {seed}", other.split("\n")[1:], text.split("\n")[1:])
    # k = n: every point is a centroid; k = 1: the mean and n times the variance
    write_npy("line.npy", "<f8", (4,), [0, 1, 10, 11])
    check("k = n", "inertia 0.0000" in good("kmeans", "line.npy", "--k", "4"), True)
    check("k = 1", "inertia 101.0000" in good("kmeans", "line.npy", "--k", "1"), True)
    check("k = 2", "inertia 1.0000" in good("kmeans", "line.npy", "--k", "2"), True)
    # all points equal: every cluster but one is empty, at every step
    write_npy("same.npy", "<f8", (5, 2), [3.0] * 10)
    check("equal points", "inertia 0.0000" in good("kmeans", "same.npy", "--k", "3", "--svg", "same.svg"), True)
    xml.parse("same.svg")
    bad(1, "clusters", "kmeans", "line.npy", "--k", "5")
    write_npy("nan.npy", "<f8", (3, 1), [1, float("nan"), 2])
    bad(1, "row 1", "kmeans", "nan.npy", "--k", "2")
    write_npy("cube.npy", "<f8", (2, 1, 1), [1, 2])
    bad(1, "(2, 1, 1)", "kmeans", "cube.npy", "--k", "2")
    bad(1, "--axes", "kmeans", "line.npy", "--k", "2", "--svg", "x.svg", "--axes", "0,1")
    bad_svg = run("kmeans", "line.npy", "--k", "2", "--svg", "no/such/folder.svg")
    check("svg cannot be written", (bad_svg.returncode, bad_svg.stderr.count("\n")), (1, 1))
    Path("markup.csv").write_text('a<b>&"c,d\n1,2\n3,4\n')
    good("kmeans", "markup.csv", "--k", "1", "--svg", "markup.svg")
    xml.parse("markup.svg")


def no_progress_without_a_terminal():
    write_npy("long.npy", "<f8", (20000, 2), [float(i * 7919 % 1000) for i in range(40000)])
    check("no terminal", run("kmeans", "long.npy", "--k", "20", "--runs", "3").stderr, "")


def full_disk():
    if Path("/dev/full").exists():
        with open("/dev/full", "w") as full:
            r = subprocess.run([PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
        check("full disk", (r.returncode, r.stderr.count("\n")), (1, 1))


def progress_on_a_terminal():
    try:
        ours, theirs = pty.openpty()
    except OSError as e:
        print(f"progress_on_a_terminal: skipped, this system gives no terminal: {e}")
        return
    child = subprocess.Popen([PROGRAM, "kmeans", "long.npy", "--k", "30", "--runs", "1000000"], stdout=subprocess.DEVNULL,
                             stderr=theirs)
    os.close(theirs)
    seen = os.read(ours, 200).decode(errors="replace")
    child.kill()
    child.wait()
    os.close(ours)
    check("progress", "kmeans: run " in seen, True)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in (help_everywhere, usage, devices, info, maps, reductions, sorts, conversions, archives, tensors, numpy_agrees,
                 shown, pictures, clusters, no_progress_without_a_terminal, full_disk, progress_on_a_terminal):
        try:
            part()
        except Exception as e:  # the other parts still run
            failures += 1
            print(f"{part.__name__}: {e!r}")
    os.chdir(ROOT)
sys.exit(failures != 0)
