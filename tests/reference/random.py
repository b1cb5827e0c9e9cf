"""The streams of docs/random.md, made from their definition in Python integers and mpmath (200 bits, rounded once): writes
random.h, for tests/random.c.

Run: python3 random.py > random.h
"""
import struct

from mpmath import mp, mpf

mp.prec = 200
WORD = 0xffffffff


def philox4x32(counter, key, rounds=10):
    x, k = list(counter), list(key)
    for _ in range(rounds):
        p, q = 0xd2511f53 * x[0], 0xcd9e8d57 * x[2]
        x = [q >> 32 ^ x[1] ^ k[0], q & WORD, p >> 32 ^ x[3] ^ k[1], p & WORD]
        k = [k[0] + 0x9e3779b9 & WORD, k[1] + 0xbb67ae85 & WORD]
    return x


def philox2x32(counter, key, rounds=7):
    x = list(counter)
    for _ in range(rounds):
        p = 0xd256d193 * x[0]
        x = [p >> 32 ^ x[1] ^ key, p & WORD]
        key = key + 0x9e3779b9 & WORD
    return x


def halves(x):
    return [x & WORD, x >> 32]


def words(kind, seed, call, n):
    out, item = [], 1
    first = philox4x32([0, 0] + halves(call), halves(seed))
    while len(out) < n:
        if kind == 1:
            out += philox4x32(halves(item) + halves(call), halves(seed))
        else:
            out += philox2x32([item & WORD, first[1] + (item >> 32) & WORD], first[0])
        item += 1
    return out[:n]


def pairs(w):
    return [a | b << 32 for a, b in zip(w[::2], w[1::2])]


def normals(numbers, bits, variance=1):
    out = []
    for u, w in zip(numbers[::2], numbers[1::2]):
        y = (mpf(u >> 3) + mpf(0.5)) / 2**(bits - 1)
        s, c = mp.sin(mp.pi * y), mp.cos(mp.pi * y)
        if u & 1:
            s, c = c, s
        r = mp.sqrt(-2 * variance * mp.log((mpf(w) + mpf(0.5)) / 2**bits))
        out += [-r * s if u & 2 else r * s, -r * c if u & 4 else r * c]
    return out


def exponentials(numbers, bits):
    return [-mp.log((mpf(w) + mpf(0.5)) / 2**bits) for w in numbers]


def f32(x):
    return struct.unpack("<f", struct.pack("<f", float(x)))[0].hex() + "f"  # twice rounded: within 1 unit, as the tests allow


def table(kind, name, values):
    lines, line = [], "   "
    for v in values:
        if len(line) + len(v) > 120:
            lines.append(line)
            line = "   "
        line += " " + v + ","
    print("static const %s %s[] = {\n%s};" % (kind, name, "\n".join(lines + [line])[:-1]))


if __name__ == "__main__":
    print("/* Written by random.py. The names say which generator, seed and call. */\n#include <stdint.h>\n")
    for kind, name in ((1, "default"), (2, "second")):
        for seed, call in ((1, 0), (1, 1), (0xfedcba9876543210, 0x123456789)):
            table("uint32_t", "words_%s_%x_%x" % (name, seed, call), ["0x%08x" % w for w in words(kind, seed, call, 14)])
    w = words(1, 1, 0, 32)
    table("float", "normal_f32_1_0", [f32(x) for x in normals(w[:16], 32)])
    table("double", "normal_f64_1_0", [float(x).hex() for x in normals(pairs(w), 64)])
    table("float", "normal_c_f32_1_0", [f32(x) for x in normals(w[:16], 32, mpf(0.5))])
    table("double", "normal_c_f64_1_0", [float(x).hex() for x in normals(pairs(w), 64, mpf(0.5))])
    table("float", "exponential_f32_1_0", [f32(x) for x in exponentials(w[:16], 32)])
    table("double", "exponential_f64_1_0", [float(x).hex() for x in exponentials(pairs(w), 64)])
