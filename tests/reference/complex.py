"""Complex elementary functions, quotients and powers: writes complex.h, for tests/expr_complex.c.

mpmath with 400 bits (more where x + iy spans a wide range), rounded once to f64. Points are f32 values, so that the table
serves both dtypes. On branch cuts mpmath has no signed zero: points there are left to the table in the test itself.
Run: python3 complex.py > complex.h
"""
import struct

from mpmath import mp, mpc, mpf, fabs

mp.prec = 4000


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def shown(x):
    y = float(x)
    return "HUGE_VAL" if y == float("inf") else "-HUGE_VAL" if y == float("-inf") else y.hex()


PARTS = [1e-20, 3e-5, 0.1, 0.5, 0.999, 1.0, 1.001, 2.0, 3.7, 10.0, 25.0, 1e5, 1e18]
FUNCTIONS = {
    "sqrt": mp.sqrt, "exp": mp.exp, "log": mp.log, "log2": lambda z: mp.log(z) / mp.log(2), "log10": lambda z: mp.log(z) / mp.log(10),
    "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh,
    "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh,
}
GROWING = {"exp", "sinh", "cosh", "sin", "cos"}


def points():
    n = 0
    for a in PARTS:
        for b in PARTS:
            n += 1
            yield f32(a * (-1) ** (n // 2)), f32(b * (-1) ** n)


def fits(name, x, y):
    """exp of 1e5 is of no use; sin of 1e18 is right only if the reduction is."""
    if name in GROWING | {"tan", "tanh"}:
        return abs(x) < 30 and abs(y) < 30
    return True


print("/* Written by tests/reference/complex.py: do not edit. */")
print("static const struct {\n    const char *name;\n    double x, y, re, im;\n} unary[] = {")
for name, function in FUNCTIONS.items():
    for k, (x, y) in enumerate(points()):
        if k % 3 or not fits(name, x, y):
            continue
        w = mpc(function(mpc(x, y)))
        print(f'    {{"{name}", {x.hex()}, {y.hex()}, {shown(w.real)}, {shown(w.imag)}}},')
print("};\n")

BINARY = {"*": lambda a, b: a * b, "/": lambda a, b: a / b, "^": lambda a, b: mp.exp(b * mp.log(a))}
print("static const struct {\n    const char *name;\n    double a, b, c, d, re, im;\n} binary[] = {")
list_of = list(points())
for name, function in BINARY.items():
    for k, (a, b) in enumerate(list_of):
        c, d = list_of[(k * 7 + 3) % len(list_of)]
        if k % 4 or (name == "^" and not (max(abs(c), abs(d)) < 20 and 0.05 < fabs(mpc(a, b)) < 30)):
            continue
        w = mpc(function(mpc(a, b), mpc(c, d)))
        print(f'    {{"{name}", {a.hex()}, {b.hex()}, {c.hex()}, {d.hex()},\n     {shown(w.real)}, {shown(w.imag)}}},')
print("};")
