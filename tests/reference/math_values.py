"""Values of the elementary functions, by mpmath: writes math_values.h.

    python3 math_values.py > math_values.h

Each argument is exact in f64, and every other one in f32 as well. The value is given as hi + lo: hi the f64 nearest to
it, lo the f64 nearest to the rest, so that errors of a fraction of the last place can be measured. Arguments: some near
the places where a function is hard (zeros, poles, the ends of its range, where methods change), the others random, over
the domain and over the exponents. For sin, cos and tan: the f64 and the f32 nearest to a multiple of pi/2 (J.-M. Muller,
Elementary Functions, 2nd ed., table 10.5), and huge ones.
"""
import random
import struct

import mpmath
from mpmath import mp, mpf

mp.prec = 1300  # the fraction of 2^1023/pi, and 200 bits of it
random.seed(20240229)


def f32(x):
    """x rounded to f32"""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def to_f64(x):
    """x (mpf) rounded to the nearest f64, subnormals too, None when it overflows"""
    if x == 0:
        return 0.0
    mantissa, exponent = mp.frexp(x)
    bits = min(53, exponent + 1074)
    n = int(mp.nint(mp.ldexp(mantissa, bits))) if bits >= 0 else 0
    value = mp.ldexp(n, exponent - bits)
    return None if abs(value) >= mp.ldexp(1, 1024) else float(value)


def uniform(lo, hi, n):
    return [random.uniform(lo, hi) for _ in range(n)]


def powers(lo, hi, n, signs=(1, -1)):
    """random exponents from lo to hi"""
    return [random.choice(signs) * (1 + random.random()) * 2.0**random.uniform(lo, hi - 1) for _ in range(n)]


def near(points, signs=(1, -1)):
    """a few steps of f64 and of f32 around each point"""
    out = []
    for p in points:
        for s in signs:
            for step in (2.0**-52, 2.0**-51, 2.0**-30, 2.0**-23, 2.0**-22, 2.0**-10):
                out.append(p + s * step * max(abs(p), 2.0**-20))
    return out


TINY = [2.0**-1074, 2.0**-1060, 2.0**-1022, 2.0**-149, 2.0**-140, 2.0**-126, 1e-300, 1e-20, 1e-9, 2.0**-27, 2.0**-26,
    2.0**-12]
BOTH = TINY + [-x for x in TINY]
HARD_TURNS = [6381956970095103 * 2.0**797, 16367173 * 2.0**72, 1e22, 1e300, 1.7e308, 2.0**1023, 2.0**120, 3.4e38,
    1e6, 1048576.0, 1048577.0, 131072.0,
              131073.0, 355.0, 103993 / 2, 3.141592653589793, 1.5707963267948966, 4.71238898038469,
                  6.283185307179586, f32(3.14159265), f32(1.57079637),
              f32(4.712389), f32(6.2831855), 0.7853981633974483, 2.356194490192345]


def sinpi(x):
    return mp.sin(mp.pi * (x - 2 * mp.floor(x / 2)))


def cospi(x):
    return mp.cos(mp.pi * (x - 2 * mp.floor(x / 2)))


TURNS = BOTH + HARD_TURNS + [-x for x in HARD_TURNS[:6]] + uniform(-10, 10, 40) + uniform(-1e5, 1e5, 30)
TURNS += powers(-30, 60, 30)
UNARY = {
    "CBRT": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), BOTH + near([1, 8, 27, 0.001]) + powers(-1000, 1000, 60)
        + powers(-140, 120, 40)),
    "EXP": (mp.exp, BOTH + near([1, 0.34657359, 709.78, 88.72, -87.33, -103.9, -708.39, -745.1])
        + uniform(-10, 10, 60) + uniform(-745, 709, 40)),
    "EXP2": (lambda x: mp.mpf(2)**x, BOTH + near([0.5, 1, 127.99, -126, -149, 1023.9, -1022, -1074])
        + uniform(-10, 10, 60) + uniform(-1074, 1024, 40)),
    "EXPM1": (mp.expm1, BOTH + near([0.34657359, 1, -1, 709.78, -37, 88.72, -17]) + uniform(-1, 1, 60)
        + uniform(-40, 89, 40)),
    "LOG": (mp.log, TINY + near([1, 2**0.5, 0.5**0.5, 2, 0.5, 1e10]) + uniform(0.5, 2, 60)
        + powers(-1022, 1023, 40, (1,)) + powers(-126, 127, 40, (1,))),
    "LOG2": (lambda x: mp.log(x, 2), TINY + near([1, 2**0.5, 0.5**0.5, 2, 0.5]) + uniform(0.5, 2, 60)
        + powers(-1022, 1023, 40, (1,)) + powers(-126, 127, 30, (1,))),
    "LOG10": (mp.log10, TINY + [10.0**k for k in range(0, 23)] + near([1, 2**0.5, 10]) + uniform(0.5, 2, 50)
        + powers(-1022, 1023, 40, (1,)) + powers(-126, 127, 30, (1,))),
    "LOG1P": (mp.log1p, BOTH + near([1, -0.5, 0.4142]) + [-1 + 2.0**-53, -1 + 2.0**-24, -1 + 2.0**-10]
        + uniform(-1, 1, 60) + powers(-60, 1000, 40, (1,))),
    "SIN": (mp.sin, TURNS),
    "COS": (mp.cos, TURNS),
    "TAN": (mp.tan, TURNS),
    "SINPI": (sinpi, BOTH + near([1, 0.5, 0.25, 2, 3.5]) + uniform(-2, 2, 60) + uniform(-1000, 1000, 40)),
    "COSPI": (cospi, BOTH + near([1, 0.5, 0.25, 2, 3.5]) + uniform(-2, 2, 60) + uniform(-1000, 1000, 40)),
    "ASIN": (mp.asin, BOTH + near([0.5, -0.5, 0.75]) + [1 - 2.0**-53, 1 - 2.0**-24, -1 + 2.0**-53, 1.0, -1.0]
        + uniform(-1, 1, 80)),
    "ACOS": (mp.acos, BOTH + near([0.5, -0.5, 0.75]) + [1 - 2.0**-53, 1 - 2.0**-24, -1 + 2.0**-53, -1.0]
        + uniform(-1, 1, 80)),
    "ATAN": (mp.atan, BOTH + near([1, 0.4142, 2.414, -1]) + uniform(-3, 3, 60) + powers(-20, 60, 40) + [1e300, -1e38]),
    "SINH": (mp.sinh, BOTH + near([1, -1, 89, 710]) + uniform(-2, 2, 60) + uniform(-710, 710, 40)
        + uniform(-89, 89, 20)),
    "COSH": (mp.cosh, BOTH + near([1, -1, 89, 710]) + uniform(-2, 2, 60) + uniform(-710, 710, 40)
        + uniform(-89, 89, 20)),
    "TANH": (mp.tanh, BOTH + near([0.625, 1, -1, 9, 19, 22]) + uniform(-2, 2, 80) + uniform(-25, 25, 40)),
    "ASINH": (mp.asinh, BOTH + near([0.5, 1, 2.0**28]) + uniform(-2, 2, 60) + powers(-40, 1000, 40)),
    "ACOSH": (mp.acosh, [1 + 2.0**-52, 1 + 2.0**-40, 1 + 2.0**-23, 1 + 2.0**-10] + near([2, 2.0**28], (1,))
        + uniform(1, 3, 60) + powers(1, 1000, 40, (1,))),
    "ATANH": (mp.atanh, BOTH + near([0.5, -0.25]) + [1 - 2.0**-53, 1 - 2.0**-24, -1 + 2.0**-24, -1 + 2.0**-10]
        + uniform(-1, 1, 80)),
    "ERF": (mp.erf, BOTH + near([0.25, 1, -1, 2]) + uniform(-3, 3, 80) + uniform(-6, 6, 40)),
    "ERFC": (mp.erfc, BOTH + near([0.25, 0.5, 1, -1, 2, 10]) + uniform(-3, 3, 80) + uniform(3, 10, 40)
        + uniform(10, 26.5, 30)),
    "LGAMMA": (lambda x: mp.log(abs(mp.gamma(x))), TINY + near([3, 0.5, 10, 1.46163]) + uniform(0.01, 10, 60)
        + uniform(10, 1000, 30) + powers(10, 100, 20, (1,))),
    "TGAMMA": (mp.gamma, near([0.5, 1, 2, 3, 10, 34, 171]) + uniform(0.01, 10, 60) + uniform(10, 171, 30)
        + uniform(-5, 0, 30) + uniform(-100, -5, 30)),
}


def pow_arguments():
    bases = uniform(0, 3, 60) + uniform(0.9, 1.1, 40) + powers(-300, 300, 40, (1,)) + powers(-100, 100, 40, (1,))
    pairs = [(x, random.uniform(-1, 1) * min(700 / abs(mp.log(x)), 1e9)) for x in bases]
    pairs += [(x, random.uniform(-1, 1) * min(85 / abs(mp.log(x)), 1e6)) for x in bases[:100]]
    pairs += [(-x, float(random.randint(-20, 20))) for x in uniform(0.1, 8, 30)]
    pairs += [(1 + 2.0**-52, 1e15), (1 - 2.0**-53, 1e15), (1
        + 2.0**-23, 1e7), (2.0, -1074.0), (2.0, -149.0), (10.0, 308.0), (10.0, 22.0), (10.0, -5.0), (0.5, 0.5)]
    pairs += [(2.0, 0.5), (4.0, 0.5), (9.0, 1.5), (3.0, 2.0), (1.5, 3.0), (2.0**-1074, 0.25), (1e-310, 0.9)]
    return [(float(x), float(y)) for x, y in pairs]


def plane():
    """pairs of either sign and all ratios"""
    out = [(x, random.uniform(-2, 2)) for x in uniform(-2, 2, 60)]
    out += [(x, x * r) for x, r in zip(powers(-60, 60, 60), powers(-40, 40, 60))]
    out += [(x, x * (1 + r)) for x, r in zip(powers(-300, 300, 40), powers(-50, -2, 40))]
    return out + [(3.0, 4.0), (-5.0, 12.0), (3e200, 4e200), (3e-200, -4e-200), (2.0**-1074, 2.0**-1074), (1e308,
        1e308), (1e-40, 1e-42), (3e30, 4e30)]


def pair_power(x, y):
    return mp.power(x, y).real if x > 0 or y == int(y) else None


BINARY = {
    "POW": (pair_power, pow_arguments()),
    "ATAN2": (mp.atan2, plane()),
    "HYPOT": (mp.hypot, plane()),
}


def parts(value):
    hi = to_f64(value)
    if hi is None:
        return None
    return hi, float(value - mpf(hi)) if abs(value) > mpf(2)**-900 else 0.0


def text(x):
    """a hexadecimal constant without the zeros at its end"""
    fraction, exponent = x.hex().split("p")
    return fraction.rstrip("0").rstrip(".") + "p" + exponent if "." in fraction else x.hex()


def line(op, x, y, value):
    p = parts(value)
    if p is None or not mp.isfinite(value):
        return
    hi, lo = p
    print("    {ASH__OP_%s, %s, %s, %s, %s}," % (op, text(x), "0" if y is None else text(y), text(hi), text(lo)))


print("/* math_values.h - written by math_values.py with mpmath %s: op, x, y, value hi + lo. */" % mpmath.__version__)
print("static const struct value {\n    int op;\n    double x, y, hi, lo;\n} values[] = {")
for op, (function, arguments) in UNARY.items():
    for i, x in enumerate(arguments):
        x = f32(x) if i % 2 and abs(x) < 3.4e38 and f32(x) != 0 else float(x)
        if (op in ("ASIN", "ACOS") and abs(x) > 1) or (op == "ATANH" and abs(x) >= 1) or (op == "LOG1P" and x <= -1):
            continue
        line(op, x, None, mpf(function(mpf(x))))
for op, (function, arguments) in BINARY.items():
    for i, (x, y) in enumerate(arguments):
        if i % 2 and max(abs(x), abs(y)) < 3.4e38 and f32(x) != 0 and f32(y) != 0:
            x, y = f32(x), f32(y)
        value = function(mpf(x), mpf(y))
        if value is not None:
            line(op, x, y, mpf(value))
print("};")
