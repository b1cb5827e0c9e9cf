"""Memory of others: what keeps it alive until the library says that no array needs it any more."""

import ctypes

from ._native import lib

#: By the context that was given to the library: what to call then.
held = {}


def hold(context, finish):
    """Keeps ``finish`` until no array needs the memory of a context any more; then it is called, on a thread of Python."""
    held[context] = finish


def collect(take=lib.ash_deferred, places=ctypes.c_void_p * 16, held=held):
    """Ends the foreign memory that no array needs any more. The last arrays end after this module has been cleared."""
    contexts = places()
    while n := take(contexts, 16):
        for context in contexts[:n]:
            finish = held.pop(context, None)
            if finish is not None:
                finish()
