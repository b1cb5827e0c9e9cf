"""The polynomials of src/backend/cpu/kernels/math_*.h: minimax fits by Remez exchange, in 60 digits, with mpmath.

Each line of FITS is: name, function g, degree, interval, weight, format. The fit minimises max |(p(t) - g(t)) * weight(t)|;
the weight turns an error of p into a relative error of the elementary function that is made of it. Coefficients are rounded
to the format one after the other, lowest first, and the higher ones fitted again, or all at once, whichever is better.

    python3 polynomials.py [name...]      prints the coefficients, lowest first, and the error reached (log2)
"""
import sys

from mpmath import mp, mpf

mp.dps = 60


def rounded(x, bits):
    """x with a significand of so many bits."""
    if x == 0:
        return mpf(0)
    mantissa, exponent = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), exponent - bits)


def chebyshev(lo, hi, n):
    return [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(mp.pi * k / (n - 1)) for k in range(n)]


def evaluate(c, first, t):
    y = mpf(0)
    for a in reversed(c):
        y = y * t + a
    return y * t**first


def remez(g, degree, lo, hi, weight, first=0, rounds=12):
    """Minimax coefficients of t^first ... t^degree."""
    n = degree - first + 1
    points = chebyshev(lo, hi, n + 1)
    if first and points[0] == 0:
        points[0] = points[1] / 50
    grid = chebyshev(lo, hi, 40 * (n + 1) + 1)
    target = [(t, g(t), weight(t)) for t in grid]
    for _ in range(rounds):
        rows = mp.matrix(n + 1, n + 1)
        right = mp.matrix(n + 1, 1)
        for i, t in enumerate(points):
            w = weight(t)
            for j in range(n):
                rows[i, j] = w * t**(first + j)
            rows[i, n] = (-1)**i
            right[i] = w * g(t)
        solved = mp.lu_solve(rows, right)
        c = [solved[j] for j in range(n)]
        errors = [(w * (evaluate(c, first, t) - y), t) for t, y, w in target]
        peaks = []
        for e, t in errors:
            if e == 0:
                continue
            if peaks and (peaks[-1][0] > 0) == (e > 0):
                if abs(e) > abs(peaks[-1][0]):
                    peaks[-1] = (e, t)
            else:
                peaks.append((e, t))
        while len(peaks) > n + 1:
            peaks.pop(0 if abs(peaks[0][0]) < abs(peaks[-1][0]) else -1)
        if len(peaks) < n + 1:
            break
        points = [t for _, t in peaks]
        largest = max(abs(e) for e, _ in peaks)
        if largest < 1.001 * min(abs(e) for e, _ in peaks):
            break
    return c


def fit(g, degree, lo, hi, weight, bits):
    """Rounded coefficients, lowest first, and the largest weighted error; better of in turn and at once."""
    lo, hi = mpf(lo), mpf(hi)
    tries = [[rounded(c, bits) for c in remez(g, degree, lo, hi, weight)]]
    if lo >= 0:  # a fit with powers from t^1 on needs an interval without a zero inside
        done = []
        while len(done) <= degree:
            rest = remez(lambda t: g(t) - evaluate(done, 0, t), degree, lo, hi, weight, len(done))
            done.append(rounded(rest[0], bits))
        tries.append(done)
    test = [(t, g(t), weight(t)) for t in chebyshev(lo, hi, 1001)]
    worst = [max(abs(w * (evaluate(c, 0, t) - y)) for t, y, w in test) for c in tries]
    return min(zip(worst, tries), key=lambda pair: pair[0])[::-1]


one = lambda t: mpf(1)
half_ln2 = mp.log(2) / 2
SQRT_HALF_SQUARED = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1))**2  # s^2 for m = sqrt(2), s = (m - 1)/(m + 1)


def of_odd(f, t):
    """(f(x) - x)/x^3 at x = sqrt(t), for an odd f with slope 1."""
    if t == 0:
        return mp.taylor(f, 0, 3)[3]
    with mp.workdps(120):
        x = mp.sqrt(t)
        return (f(x) - x) / (x * t)


def exp_q(r):
    if r == 0:
        return mpf(1) / 2
    with mp.workdps(120):
        return (mp.expm1(r) - r) / r**2


def cos_c(t):
    if t == 0:
        return mpf(1) / 24
    with mp.workdps(120):
        return (mp.cos(mp.sqrt(t)) - 1 + t / 2) / t**2


def log_r(z):
    """log((1+s)/(1-s)) = s*(2 + z*log_r(z)), z = s^2"""
    if z == 0:
        return mpf(2) / 3
    with mp.workdps(120):
        s = mp.sqrt(z)
        return (2 * mp.atanh(s) / s - 2) / z


def sinpi_p(t):
    if t == 0:
        return mp.pi - 4
    with mp.workdps(120):
        return mp.sin(mp.pi * mp.sqrt(t)) / mp.sqrt(t) - 4


def cospi_p(t):
    if t == 0:
        return -mp.pi**2 / 2
    with mp.workdps(120):
        return (mp.cos(mp.pi * mp.sqrt(t)) - 1) / t


PI_F32 = rounded(mp.pi, 24)


def sinpi_rest(t):
    """sin(pi*y)/y less the f32 nearest to pi, t = y^2"""
    return mp.pi - PI_F32 if t == 0 else sinpi_p(t) + 4 - PI_F32


def log1p_p(t):
    """(log(1+t) - t + t^2/2)/t^3"""
    if t == 0:
        return mpf(1) / 3
    with mp.workdps(120):
        return (mp.log1p(t) - t + t * t / 2) / t**3


def erf_p(t):
    """erf(x)/x - 1"""
    if t == 0:
        return 2 / mp.sqrt(mp.pi) - 1
    with mp.workdps(120):
        return mp.erf(mp.sqrt(t)) / mp.sqrt(t) - 1


ERFC_CENTRE = mpf(3.5)


def erfc_p(q):
    """(1 + 2a)*exp(a^2)*erfc(a) at q = (a - c)/(a + c)"""
    with mp.workdps(80):
        a = ERFC_CENTRE * (1 + q) / (1 - q)
        return (1 + 2 * a) * mp.exp(a * a) * mp.erfc(a)


def erfc_q(a):
    return (a - ERFC_CENTRE) / (a + ERFC_CENTRE)


FITS = {
    # exp(r) = 1 + r + r^2*q(r)
    "exp_f64": (exp_q, 10, -half_ln2, half_ln2, one, 53),
    "sin_f64": (lambda t: of_odd(mp.sin, t), 5, 0, (mp.pi / 4)**2, lambda t: t, 53),
    "cos_f64": (cos_c, 5, 0, (mp.pi / 4)**2, lambda t: t * t, 53),
    "log_f64": (log_r, 6, 0, SQRT_HALF_SQUARED, lambda z: z, 53),
    "sinpi_f64": (sinpi_p, 7, 0, mpf(1) / 16, one, 53),
    "cospi_f64": (cospi_p, 7, 0, mpf(1) / 16, lambda t: t, 53),
    "asin_f64": (lambda t: of_odd(mp.asin, t), 12, 0, 0.25, lambda t: t, 53),
    "atan_f64": (lambda t: of_odd(mp.atan, t), 11, 0, (mp.sqrt(2) - 1)**2, lambda t: t, 53),
    "sinh_f64": (lambda t: of_odd(mp.sinh, t), 7, 0, 1, lambda t: t, 53),
    "erf_f64": (erf_p, 11, 0, 1, one, 53),
    "erfc_f64": (erfc_p, 22, erfc_q(mpf(0.25)), erfc_q(mpf(28)), one, 53),
    "cbrt_f64": (mp.cbrt, 4, 0.5, 4, lambda t: 1 / mp.cbrt(t), 24),
    "pow_log_f64": (lambda z: (log_r(z) - mpf(2) / 3) / z if z else mpf(2) / 5, 6, 0, SQRT_HALF_SQUARED, one, 53),
    "exp_f32": (exp_q, 5, -half_ln2, half_ln2, one, 24),
    "log_f32": (log1p_p, 8, mp.sqrt(0.5) - 1, mp.sqrt(2) - 1, lambda t: t * t, 24),
    "sin_f32": (lambda t: of_odd(mp.sin, t), 2, 0, (mp.pi / 4 + 0.01)**2, lambda t: t, 24),
    "cos_f32": (cos_c, 2, 0, (mp.pi / 4 + 0.01)**2, lambda t: t * t, 24),
    # of random.c: y <= 1/4
    "sinpi_f32": (sinpi_rest, 3, 0, mpf(1) / 16, one, 24),
    "cospi_f32": (cospi_p, 3, 0, mpf(1) / 16, lambda t: t, 24),
    "tanh_f32": (lambda t: of_odd(mp.tanh, t), 4, 0, 0.625**2, lambda t: t, 24),
    "pow_log_f32": (log_r, 4, 0, SQRT_HALF_SQUARED, lambda z: z, 53),
    "pow_exp_f32": (lambda t: mp.expm1(t * mp.log(2)) / t if t else mp.log(2), 6, -0.5, 0.5, one, 53),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or FITS:
        g, degree, lo, hi, weight, bits = FITS[name]
        c, worst = fit(g, degree, lo, hi, weight, bits)
        print("%s: error 2^%.1f" % (name, mp.log(worst, 2) if worst else -999))
        for a in c:
            print("    %s," % float(a).hex())
