#!/usr/bin/env python3
"""Norms for tests/norms.c, with 60 digits, rounded once to f64. Needs mpmath."""
from mpmath import mp, mpf, mpc

mp.dps = 60
REAL = [3, -4, 0, 1.5, -0.25, 7, 0.0078125, -2]
COMPLEX = [3 + 4j, -1j, 0, 0.5 - 2j]
ORDERS = ["0", "0.5", "1", "1.5", "2", "3", "-1", "-2.5", "inf", "-inf"]


def norm(x, p):
    size = [abs(mpc(v)) for v in x]
    if p in ("inf", "-inf"):
        return max(size) if p == "inf" else min(size)
    if p == "0":
        return mpf(sum(v != 0 for v in size))
    p = mpf(p)
    if p < 0 and min(size) == 0:
        return mpf(0)
    return sum(v**p for v in size) ** (1 / p)


for p in ORDERS:
    name = {"inf": "INFINITY", "-inf": "-INFINITY"}.get(p, p)
    print("    {%s, %s, %s, %s}," % (name, *(float(norm(x, p)).hex() for x in (REAL, [v for v in REAL if v], COMPLEX))))
