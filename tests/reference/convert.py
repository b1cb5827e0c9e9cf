"""f64 values and what they round to in f16 and bf16: writes convert.h, for tests/convert.c.

f16 is NumPy's conversion from float64 (one rounding); bf16 is rounded here on exact fractions, to nearest even.
Run: python3 convert.py > convert.h
"""
import random
import struct
from fractions import Fraction

import numpy as np

random.seed(7)


def bf16(x):
    """Nearest of the bf16 values around x; ties to the even one."""
    sign = 0x8000 if np.signbit(x) else 0
    value = abs(Fraction(x))
    low, high = 0, 0x7F80  # bit patterns order like the values; 7F80 stands for 2^128
    number = lambda b: Fraction(2) ** 128 if b == 0x7F80 else Fraction(struct.unpack("<f", struct.pack("<I", b << 16))[0])
    while high - low > 1:
        middle = (low + high) // 2
        if number(middle) <= value:
            low = middle
        else:
            high = middle
    if value >= number(high):
        return sign | high
    a, b = value - number(low), number(high) - value
    return sign | (low if a < b or (a == b and low % 2 == 0) else high)


def values():
    yield from (0.0, -0.0, 1.0, 65504.0, 65519.0, 65519.99999999999, 65520.0, 2.0**-24, 2.0**-25, 2.0**-25 * (1 + 2.0**-52), 2.0**-26, 6.1e-5)
    yield from (1 + 2.0**-11, 1 + 2.0**-11 + 2.0**-40, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 2.0**-8 + 2.0**-52, 1 + 3 * 2.0**-8)
    yield from (3.3895313892515355e38, 3.3961775292304957e38, 3.3961775292304957e38 * (1 - 2.0**-53), 2.0**-133, 2.0**-134, 1.5 * 2.0**-134, 5e-324)
    for _ in range(150):
        yield random.uniform(-2, 2) * 2.0 ** random.randint(-30, 17)
    for _ in range(50):
        yield random.uniform(-2, 2) * 2.0 ** random.randint(-140, 127)


print("/* Made by convert.py: a double, its f16 and its bf16. */")
print("static const struct {\n    double x;\n    uint16_t f16, bf16;\n} narrow[] = {")
for x in values():
    with np.errstate(over="ignore"):
        h = int(np.float64(x).astype(np.float16).view(np.uint16))
    print("    {%s, 0x%04x, 0x%04x}," % (float(x).hex(), h, bf16(x)))
print("};")
