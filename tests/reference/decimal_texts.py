"""Numbers and the texts they print as and read from: writes decimal_texts.h, for tests/decimal.c.

f64 digits are Python's repr, f32 and f16 digits NumPy's shortest repr; both give the fewest digits that read back. Texts to be
read are compared with Python's float (correctly rounded) and, for f32, with exact fractions.
Run: python3 decimal_texts.py > decimal_texts.h
"""
import random
import struct
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np

random.seed(20240501)
getcontext().prec = 1200


def digits_of(text):
    sign, digits, exponent = Decimal(text).as_tuple()
    digits = list(digits)
    while len(digits) > 1 and digits[-1] == 0:
        digits.pop()
        exponent += 1
    return "".join(map(str, digits)), len(digits) + exponent


def doubles():
    yield from (1.0, 0.1, 0.3, 1 / 3, 2 / 3, 5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308)
    yield from (9007199254740991.0, 9007199254740992.0, 9007199254740993.0 + 1, 1e15, 1e16, 1e17, 1e22, 1e23, 123456789.123456789)
    yield from (2.0**k for k in range(-1074, 1024, 37))
    for _ in range(120):
        x = struct.unpack("<d", struct.pack("<Q", random.getrandbits(63)))[0]
        if x == x and x not in (0.0, float("inf")):
            yield x
    for _ in range(60):
        yield round(random.random() * 10 ** random.randint(-3, 6), random.randint(1, 6)) or 1.0


def singles():
    for _ in range(120):
        x = np.frombuffer(struct.pack("<I", random.getrandbits(31)), np.float32)[0]
        if np.isfinite(x) and x > 0:
            yield x
    for x in (0.1, 1.17549435e-38, 1e-45, 3.4028235e38, 16777216.0, 2.0**-96, 2.0**90, 8388608.5, 0.33333334):
        yield np.float32(x)


def texts():
    yield from ("0", "00", "1", "1.", ".5", "1e0", "1E+2", "123456789012345678901234567890", "0.1", "1e22", "1e23", "8.5e-5")
    yield from ("9007199254740993", "9007199254740992.9999999999999999999999999", "9007199254740993.0000000000000000000000001")
    yield from ("1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "2e308", "1e400", "1e-400")
    yield from ("4.9406564584124654e-324", "2.4703282292062327208e-324", "2.4703282292062328e-324", "1e-323", "2.2250738585072011e-308")
    yield from ("0." + "0" * 330 + "1", "1" + "0" * 330 + "e-330", "7" * 400 + "e-400")
    for _ in range(40):
        x = abs(struct.unpack("<d", struct.pack("<Q", random.getrandbits(62)))[0])
        above = float(np.nextafter(x, np.inf))
        middle = (Decimal(x) + Decimal(above)) / 2
        for m in (middle, middle * (1 + Decimal(10) ** -60), middle * (1 - Decimal(10) ** -60)):
            text = format(m, "e")
            if len(text) < 300:
                yield text
    for _ in range(60):
        yield "%d.%de%d" % (random.getrandbits(random.choice([3, 20, 60])), random.getrandbits(random.choice([3, 20, 60])), random.randint(-330, 300))


def nearest_single(text):
    value = Fraction(Decimal(text))
    if value >= Fraction(2) ** 128 - Fraction(2) ** 103:
        return np.float32(np.inf)
    guess = np.float32(min(float(value), 3.4028234663852886e38))
    best = min(
        (np.nextafter(guess, np.float32(-np.inf)), guess, np.nextafter(guess, np.float32(np.inf))),
        key=lambda x: (abs(Fraction(float(x)) - value) if np.isfinite(x) else Fraction(10) ** 60, int(x.view(np.uint32)) & 1),
    )
    return best


def bits(x, kind):
    return struct.unpack({"d": "<Q", "f": "<I"}[kind], struct.pack("<" + kind, float(x)))[0]


print("/* Made by decimal_texts.py: bits of a number, its fewest digits, and where the point stands: 0.DIGITS * 10^point. */")
print("static const struct {\n    uint64_t bits;\n    const char *digits;\n    int point;\n} shortest_f64[] = {")
for x in doubles():
    d, p = digits_of(repr(x))
    print('    {0x%016xU, "%s", %d},' % (bits(x, "d"), d, p))
print("};\nstatic const struct {\n    uint32_t bits;\n    const char *digits;\n    int point;\n} shortest_f32[] = {")
for x in singles():
    d, p = digits_of(np.format_float_scientific(x, unique=True))
    print('    {0x%08xU, "%s", %d},' % (int(x.view(np.uint32)), d, p))
print("};\nstatic const struct {\n    uint16_t bits;\n    const char *digits;\n    int point;\n} shortest_f16[] = {")
for b in list(range(1, 40)) + list(range(1000, 0x7C00, 997)):
    x = np.array([b], np.uint16).view(np.float16)[0]
    d, p = digits_of(np.format_float_scientific(x, unique=True))
    print('    {0x%04xU, "%s", %d},' % (b, d, p))
print("};\n/* A text, the bits of the nearest f64 and of the nearest f32. */")
print("static const struct {\n    const char *text;\n    uint64_t f64;\n    uint32_t f32;\n} nearest[] = {")
for t in texts():
    print('    {"%s", 0x%016xU, 0x%08xU},' % (t, bits(float(t), "d"), int(nearest_single(t).view(np.uint32))))
print("};")
