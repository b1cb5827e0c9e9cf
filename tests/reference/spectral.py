#!/usr/bin/env python3
"""Singular values and eigenvalues for tests/spectral.c, with 60 digits, rounded once to f64. Needs mpmath."""
from mpmath import mp, matrix, svd_r, svd_c, eigsy, eighe, eig

mp.dps = 60
REAL = [[4, -2.5, 1, 0.125], [3, 0.75, -6, 2], [-1.5, 8, 0.25, -3], [0.5, 1, 7, -0.375]]
COMPLEX = [[x + (j - 2 * i) * 0.25j for j, x in enumerate(row)] for i, row in enumerate(REAL)]


def lower(rows):
    """What the lower triangle stands for; the diagonal is real."""
    n = len(rows)
    full = [[complex(rows[i][j] if j <= i else complex(rows[j][i]).conjugate()) for j in range(n)] for i in range(n)]
    for i in range(n):
        full[i][i] = complex(full[i][i].real)
    return full


def row(name, values):
    print("static const double %s[] = {%s};" % (name, ", ".join(float(x).hex() for x in values)))


def pairs(values):
    """Ascending by the real part, then by the imaginary one."""
    ordered = sorted(values, key=lambda z: (round(float(z.real), 9), float(z.imag)))
    return [part for z in ordered for part in (z.real, z.imag)]


row("singular_real", svd_r(matrix(REAL), compute_uv=False))
row("singular_complex", svd_c(matrix(COMPLEX), compute_uv=False))
row("symmetric", eigsy(matrix([[z.real for z in r] for r in lower(REAL)]), eigvals_only=True))
row("hermitian", eighe(matrix(lower(COMPLEX)), eigvals_only=True))
row("general_real", pairs(eig(matrix(REAL), left=False, right=False)))
row("general_complex", pairs(eig(matrix(COMPLEX), left=False, right=False)))
