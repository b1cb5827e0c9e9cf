"""Different elements. By the standard every NaN is different from every other, and 0.0 and -0.0 are the same."""

import collections

from ._array import wrap
from ._native import lib, made_several, options

UniqueAll = collections.namedtuple("UniqueAll", "values indices inverse_indices counts")
UniqueCounts = collections.namedtuple("UniqueCounts", "values counts")
UniqueInverse = collections.namedtuple("UniqueInverse", "values inverse_indices")


def _distinct(x):
    """Of a real vector without NaN: values, first positions, inverse, counts."""
    pointers = made_several(lib.ash_unique_opt, x, options("unique", sorted=True, positions=True, inverse=True, counts=True))
    return tuple(map(wrap, pointers))


def _distinct_complex(x):
    """The same of complex numbers: pairs of the ranks of their parts."""
    from ._elementwise import FUNCTIONS
    from ._indexing_functions import take
    ranks = []
    for part in ("real", "imag"):
        values, _, inverse, _ = _distinct(FUNCTIONS[part](x) + 0.0)
        ranks.append((values.size, inverse))
    (_, re), (n, im) = ranks
    _, positions, inverse, counts = _distinct(re * n + im)
    return take(x, positions), positions, inverse, counts


def _all(x):
    from ._creation import arange, ones
    from ._elementwise import FUNCTIONS
    from ._indexing_functions import take
    from ._manipulation import concat, reshape
    from ._searching import nonzero
    flat = reshape(x, (-1,))
    complex_ = x.dtype.kind == "complex floating"
    if x.dtype.kind == "real floating":
        flat = flat + 0.0
    distinct = _distinct_complex if complex_ else _distinct
    nan = nonzero(FUNCTIONS["isnan"](flat))[0] if complex_ or x.dtype.kind == "real floating" else None
    if nan is None or nan.size == 0:
        values, positions, inverse, counts = distinct(flat)
        return values, positions, reshape(inverse, x.shape), counts
    sound = nonzero(FUNCTIONS["logical_not"](FUNCTIONS["isnan"](flat)))[0]
    values, positions, part, counts = distinct(take(flat, sound))
    device = x.device
    inverse = arange(flat.size, device=device)
    inverse[sound] = part
    inverse[nan] = arange(values.size, values.size + nan.size, device=device)
    return (concat([values, take(flat, nan)]), concat([take(sound, positions), nan]), reshape(inverse, x.shape),
            concat([counts, ones(nan.size, dtype=counts.dtype, device=device)]))


def unique_all(x, /):
    """The different elements; where each is first met, which of them each element is, how often each occurs.

    Parameters
    ----------
    x : Array

    Returns
    -------
    values, indices, inverse_indices, counts : Array
        A named tuple. Values are in ascending order, NaNs behind; indices count in row-major order.
    """
    return UniqueAll(*_all(x))


def unique_counts(x, /):
    """The different elements, and how often each occurs: a named tuple of values and counts."""
    values, _, _, counts = _all(x)
    return UniqueCounts(values, counts)


def unique_inverse(x, /):
    """The different elements, and which of them each element is: a named tuple of values and inverse_indices."""
    values, _, inverse, _ = _all(x)
    return UniqueInverse(values, inverse)


def unique_values(x, /):
    """The different elements, a vector."""
    return _all(x)[0]
