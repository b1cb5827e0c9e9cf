#!/usr/bin/env python3
"""The program `ashlar`, run as a user runs it: check_program.py PROGRAM SOURCE_ROOT.

NPY files are written and read here by hand, from the format's description (NumPy Enhancement Proposal 1), not by the library.
"""
import ast
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
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
    check("commands", commands, ["devices", "info", "map", "reduce", "convert", "kmeans"])
    for command in commands:
        text = good(command, "--help")
        check(f"help of {command}", text.startswith(f"usage: ashlar {command}"), True)
        good("help", command, out=text)
        good(command, "nonsense", "--nonsense", "--help", out=text)
    check("version", bool(re.fullmatch(r"ashlar \d+\.\d+\.\d+\n", good("--version"))), True)


def usage():
    bad(2, "command is missing")
    bad(2, "unknown command fly", "fly")
    for command in ("devices", "info", "map", "reduce", "convert", "kmeans"):
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
    for part in (help_everywhere, usage, devices, info, maps, reductions, conversions, clusters, no_progress_without_a_terminal,
                 full_disk, progress_on_a_terminal):
        try:
            part()
        except Exception as e:  # the other parts still run
            failures += 1
            print(f"{part.__name__}: {e!r}")
    os.chdir(ROOT)
sys.exit(failures != 0)
