"""Random numbers: generators, and arrays of uniform, normal and exponential numbers, integers and permutations.

What a generator gives depends on its seed and on how many calls it has answered, and on nothing else: not on the number of
threads, the processor or the device.
"""

from . import _creation, _dtypes, _native
from ._array import layout_number, storage_number, wrap
from ._axes import axis_of
from ._devices import queue_for
from ._native import lib, made, options, sizes
from ._operands import scalar_operand

__all__ = ["Generator", "exponential", "integers", "normal", "permutation", "seed", "seed_from_system", "shuffled", "uniform"]


class Generator:
    """A generator of the program's own.

    Parameters
    ----------
    seed : int, optional
        Default one of the system's.
    second : bool
        The second kind (Philox2x32-7), which is quicker and has uniform float32, integers, normal float32 and permutations.
    """

    __slots__ = ("_handle",)

    def __init__(self, seed=None, *, second=False):
        self._handle = None
        self._handle = lib.ash_rng_new(2 if second else 1)
        if not self._handle:
            raise _native.failure()
        if seed is not None:
            self.seed(seed)

    def __del__(self, release=lib.ash_rng_release):
        if self._handle:
            release(self._handle)

    def seed(self, seed):
        """Begins a stream: this seed, no calls yet."""
        _native.check(lib.ash_rng_seed(self._handle, seed % (1 << 64)))

    @property
    def state(self):
        """Where it stands, a tuple of the seed and the number of calls; may be set."""
        s = lib.ash_rng_state_of(self._handle)
        return s.seed, s.calls

    @state.setter
    def state(self, state):
        _native.check(lib.ash_rng_set_state(self._handle, _native.RngState(*state)))


def seed(seed):
    """Seeds the generators of this thread, for every device."""
    lib.ash_seed(seed % (1 << 64))


def seed_from_system():
    """Gives each generator of this thread a seed from the system."""
    _native.check(lib.ash_seed_random())


def _options(name, dtype, device, layout, storage, rng, first, **more):
    return options(name, resources=queue_for(device), dtype=dtype.number, layout=layout_number(layout),
                   storage=storage_number(storage), rng=None if rng is None else rng._handle, first=first, **more)


def _floats(function, shape, dtype, device, layout, storage, rng, first):
    d = _creation.default_float(device) if dtype is None else _dtypes.dtype(dtype)
    return wrap(made(function, sizes(_creation.shape_of(shape)), _options("rand", d, device, layout, storage, rng, first)))


def uniform(shape, *, dtype=None, device=None, layout=None, storage=None, rng=None, first=0):
    """Uniform numbers: floats in (0, 1]; of integers and bool all bits are random.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional
        Default float64; any.
    device, layout, storage
        As for `ashlar.empty`.
    rng : Generator, optional
        Default this thread's.
    first : int
        Elements of the stream that are passed over.
    """
    return _floats(lib.ash_rand_opt, shape, dtype, device, layout, storage, rng, first)


def normal(shape, *, dtype=None, device=None, layout=None, storage=None, rng=None, first=0):
    """Normal numbers with mean 0 and variance 1. Parameters as for `uniform`; the dtype is a floating one."""
    return _floats(lib.ash_randn_opt, shape, dtype, device, layout, storage, rng, first)


def exponential(shape, *, dtype=None, device=None, layout=None, storage=None, rng=None, first=0):
    """Exponential numbers with mean 1. Parameters as for `uniform`; the dtype is a real floating one."""
    return _floats(lib.ash_randexp_opt, shape, dtype, device, layout, storage, rng, first)


def integers(low, high, shape, *, dtype=None, device=None, layout=None, storage=None, rng=None, first=0, inclusive=False):
    """Integers from low to high - 1, or with ``inclusive`` to high.

    Parameters
    ----------
    low, high : int
    shape : int or tuple of int
    dtype : dtype, optional
        Default int64; it has to hold what can be drawn.
    device, layout, storage, rng, first
        As for `uniform`.
    """
    d = _dtypes.DEFAULT_INT if dtype is None else _dtypes.dtype(dtype)
    ends = [scalar_operand(n, _dtypes.int64 if n < 1 << 63 else _dtypes.uint64) for n in (low, high)]
    return wrap(made(lib.ash_randint_opt, *ends, sizes(_creation.shape_of(shape)),
                     _options("randint", d, device, layout, storage, rng, first, inclusive=inclusive)))


def permutation(n, *, device=None, rng=None):
    """The numbers 0 to n - 1 in random order: int64."""
    return wrap(made(lib.ash_permutation_opt, n, _options("rand", _dtypes.int64, device, None, None, rng, 0)))


def shuffled(x, *, axis=0, rng=None):
    """The slices of an array along an axis in random order, in a new array."""
    return wrap(made(lib.ash_shuffle_opt, x,
                     options("shuffle", axis=axis_of(axis, x.ndim), rng=None if rng is None else rng._handle)))
