"""Complex functions where a part is infinite or NaN: the special cases of the standard, which are those of C's Annex G.

The library's own functions are for finite numbers. Each text here begins with the parts x and y and names what differs; sin,
cos, tan, asin and atan are sinh, cosh, tanh, asinh and atanh turned by a quarter.
"""

_PARTS = "z -> let x = real(z), y = imag(z)"

# The angle and the length that acos and acosh share.
_ANGLE = """(isnan(x) ? x : isinf(y) ? (isinf(x) ? (x < 0 ? 3*pi/4 : pi/4) : pi/2) : isnan(y) ? (x == 0 ? pi/2 : y)
            : x < 0 ? pi : 0.0)"""
_INFINITE = "isinf(x) ? abs(x) : isinf(y) ? abs(y) : x - x + y - y"
_FINITE = "isfinite(x) && isfinite(y)"


def _turn(along, across):
    """The imaginary part of asinh(along + i across), if not both are finite."""
    return (f"(isinf({across}) ? (isinf({along}) ? copysign(pi/4, {across}) : isnan({along}) ? {along}"
            f" : copysign(pi/2, {across})) : isinf({along}) ? (isnan({across}) ? {across} : copysign(0.0, {across}))"
            f" : {across} == 0 ? {across} : {across} - {across} + {along} - {along})")


TEXTS = {
    "acos": f"{_PARTS}, l = {_INFINITE}, a = {_ANGLE} in {_FINITE} ? acos(z) : complex(a, -copysign(l, y))",
    "acosh": f"{_PARTS}, l = {_INFINITE}, a = {_ANGLE} in {_FINITE} ? acosh(z) : complex(l, copysign(a, y))",
    "asin": f"{_PARTS}, l = {_INFINITE} in {_FINITE} ? asin(z) : complex({_turn('y', 'x')}, copysign(l, y))",
    "asinh": f"{_PARTS}, l = {_INFINITE} in {_FINITE} ? asinh(z) : complex(copysign(l, x), {_turn('x', 'y')})",
    "atan": f"{_PARTS} in isnan(x) && (y == 0 || isinf(y)) ? complex(x, copysign(0.0, y)) : atan(z)",
    "atanh": f"{_PARTS} in isnan(y) && (x == 0 || isinf(x)) ? complex(copysign(0.0, x), y) : atanh(z)",
    "cos": f"""{_PARTS} in isfinite(x) ? cos(z) : y == 0 ? complex(x - x, 0.0) : isinf(y) ? complex(abs(y), x - x)
               : cos(z)""",
    "cosh": f"""{_PARTS} in isfinite(y) ? cosh(z) : x == 0 ? complex(y - y, 0.0) : isinf(x) ? complex(abs(x), y - y)
                : cosh(z)""",
    "exp": f"{_PARTS} in x > 0 && isinf(x) && !isfinite(y) ? complex(x, y - y) : exp(z)",
    "expm1": f"""{_PARTS}, s = sin(y/2)
                 in isinf(x) && !isfinite(y) ? complex(x > 0 ? x : -1.0, x > 0 ? y - y : 0.0)
                    : complex(y == 0 ? expm1(x) : expm1(x)*cos(y) - 2*s*s, y == 0 ? y : exp(x)*sin(y))""",
    "log1p": "z -> complex(log(hypot(real(z) + 1, imag(z))), atan2(imag(z), real(z) + 1))",
    "reciprocal": f"{_PARTS} in isinf(x) || isinf(y) ? complex(copysign(0.0, x), -copysign(0.0, y)) : 1/z",
    "round": "z -> complex(rint(real(z)), rint(imag(z)))",
    "sign": "z -> let m = abs(z) in m == 0 ? z : z/m",
    "sin": f"{_PARTS} in isinf(y) && !isfinite(x) ? complex(x - x, y) : sin(z)",
    "sinh": f"{_PARTS} in isinf(x) && !isfinite(y) ? complex(x, y - y) : sinh(z)",
    "tan": f"""{_PARTS} in isfinite(x) ? tan(z) : isinf(y) ? complex(copysign(0.0, x), copysign(1.0, y))
               : y == 0 ? complex(x - x, y) : tan(z)""",
    "tanh": f"""{_PARTS} in isfinite(y) ? tanh(z) : isinf(x) ? complex(copysign(1.0, x), copysign(0.0, y))
                : x == 0 ? complex(x, y - y) : tanh(z)""",
}
