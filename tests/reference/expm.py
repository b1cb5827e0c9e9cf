#!/usr/bin/env python3
"""Exponentials for tests/matrix_functions.c, with 80 digits, rounded once to f64. Needs mpmath."""
from mpmath import mp, mpf, mpc, matrix, expm

mp.dps = 80
CASES = {
    "plain": [[0.5, -1, 2], [3, 0.25, -0.75], [1, -2, 1.5]],
    "large": [[-49, 24, 0], [-64, 31, 1], [2, -3, -17]],
    "tiny": [[1e-9, 2e-9], [-3e-9, 4e-9]],
    "uneven": [[1, 1e6], [0, -1]],
    "turned": [[0.5 + 1j, -2j], [1 - 1j, -0.25]],
}
for name, rows in CASES.items():
    result = expm(matrix([[mpc(x) if isinstance(x, complex) else mpf(x) for x in row] for row in rows]), method="taylor")
    parts = []
    for x in result:
        parts += [float(mpc(x).real).hex(), float(mpc(x).imag).hex()] if name == "turned" else [float(x).hex()]
    print("static const double %s[] = {%s};" % (name, ", ".join(parts)))
