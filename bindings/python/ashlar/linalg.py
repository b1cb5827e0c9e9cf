"""Linear algebra: the ``linalg`` extension of the array API standard. The last two axes are rows and columns; axes in front of
them make a stack of matrices."""

import collections
import math

from . import _dtypes
from ._array import Array, wrap
from ._axes import axes_of, axis_of
from ._elementwise import FUNCTIONS
from ._linear import matmul, tensordot, vecdot
from ._manipulation import matrix_transpose, reshape
from ._native import Operand, lib, made, made_several, options, sizes
from ._operands import aligned, apply, converted, scalar_operand

__all__ = ["cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "matmul",
           "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd",
           "svdvals", "tensordot", "trace", "vecdot", "vector_norm"]

EigResult = collections.namedtuple("EigResult", "eigenvalues eigenvectors")
EighResult = collections.namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = collections.namedtuple("QRResult", "Q R")
SlogdetResult = collections.namedtuple("SlogdetResult", "sign logabsdet")
SVDResult = collections.namedtuple("SVDResult", "U S Vh")


def _one(function, x, *arguments):
    return wrap(made(function, x, *arguments, None))


def cholesky(x, /, *, upper=False):
    """The Cholesky factor L of positive definite matrices, x = L L^H; with ``upper`` U of x = U^H U."""
    return wrap(made(lib.ash_cholesky_opt, x, options("cholesky", upper=upper)))


def cross(x1, x2, /, *, axis=-1):
    """Cross products of vectors of three along an axis; the others broadcast."""
    k = axis_of(axis, min(x1.ndim, x2.ndim)) - min(x1.ndim, x2.ndim) if axis < 0 else axis
    if x1.shape[k] != 3 or x2.shape[k] != 3:
        raise ValueError(f"cross: vectors have three elements; shapes are {x1.shape} and {x2.shape}, the axis is {axis}")
    n = max(x1.ndim, x2.ndim)
    return wrap(made(lib.ash_cross_opt, *aligned(x1, x2), options("cross", axes=sizes((axis_of(k, n),)))))


def det(x, /):
    """Determinants of square matrices."""
    return _one(lib.ash_det_opt, x)


def diagonal(x, /, *, offset=0):
    """Diagonals of matrices, a view that is read-only; ``offset`` is above the main one (positive) or below."""
    return wrap(made(lib.ash_diagonal_opt, x, options("diagonal", offset=offset)))


def eig(x, /):
    """Eigenvalues and right eigenvectors of square matrices: a named tuple, complex. Needs LAPACK."""
    return EigResult(*map(wrap, made_several(lib.ash_eig_opt, x, None)))


def eigvals(x, /):
    """Eigenvalues of square matrices, complex. Needs LAPACK."""
    return _one(lib.ash_eigvals_opt, x)


def eigh(x, /):
    """Eigenvalues, ascending, and eigenvectors, in columns, of symmetric and Hermitian matrices: a named tuple."""
    return EighResult(*map(wrap, made_several(lib.ash_eigh_opt, x, None)))


def eigvalsh(x, /):
    """Eigenvalues, ascending, of symmetric and Hermitian matrices."""
    return _one(lib.ash_eigvalsh_opt, x)


def inv(x, /):
    """Inverses of square matrices; `solve` is faster and more exact than a product with one."""
    return _one(lib.ash_inv_opt, x)


def lstsq(x1, x2, /):
    """The x for which \\|x1 x - x2\\| is least; x1 has full rank."""
    return wrap(made(lib.ash_lstsq_opt, x1, x2, None))


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Norms of matrices.

    Parameters
    ----------
    x : Array
    keepdims : bool
        Whether the last two axes stay, with size 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}
        Frobenius; the sum of the singular values; the largest or smallest sum of magnitudes down a column (1, -1) or along a
        row (inf, -inf); the largest or smallest singular value (2, -2).
    """
    from ._statistics import max, min, sum
    if x.ndim < 2:
        raise ValueError(f"matrix_norm: an array of shape {x.shape} is no matrix")
    if ord == "fro":
        result = vector_norm(x, axis=(-2, -1))
    elif ord in ("nuc", 2, -2):
        s = svdvals(x)
        result = sum(s, axis=-1) if ord == "nuc" else max(s, axis=-1) if ord == 2 else min(s, axis=-1)
    elif ord in (1, -1, math.inf, -math.inf):
        sums = sum(FUNCTIONS["abs"](x), axis=-2 if ord in (1, -1) else -1)
        result = max(sums, axis=-1) if ord > 0 else min(sums, axis=-1)
    else:
        raise ValueError(f"matrix_norm: there is no ord {ord!r}")
    return reshape(result, (*x.shape[:-2], 1, 1)) if keepdims else result


def matrix_power(x, n, /):
    """Square matrices to a whole power; a negative one is a power of the inverse."""
    return _one(lib.ash_matrix_power_opt, x, n)


def _tolerance(rtol, singular):
    """Singular values that count: those above rtol times the largest, rtol a number or an array."""
    from ._statistics import max
    if isinstance(rtol, Array):
        rtol = reshape(rtol, (*rtol.shape, 1))
    return singular > max(singular, axis=-1, keepdims=True) * rtol


def matrix_rank(x, /, *, rtol=None):
    """How many singular values of matrices are above ``rtol`` times the largest: int64.

    Parameters
    ----------
    x : Array
    rtol : float or Array, optional
        Default the larger size times the epsilon of the dtype.
    """
    from ._searching import count_nonzero
    if rtol is None:
        return _one(lib.ash_matrix_rank_opt, x)
    return count_nonzero(_tolerance(rtol, svdvals(x)), axis=-1)


def outer(x1, x2, /):
    """The products of all elements of a vector and all of another."""
    return wrap(made(lib.ash_outer_opt, *aligned(x1, x2), None))


def pinv(x, /, *, rtol=None):
    """Pseudo-inverses of matrices; singular values up to ``rtol`` times the largest count as 0.

    Parameters
    ----------
    x : Array
    rtol : float or Array, optional
        Default the larger size times the epsilon of the dtype.
    """
    if rtol is None:
        return _one(lib.ash_pinv_opt, x)
    u, s, vh = svd(x, full_matrices=False)
    inverse = FUNCTIONS["divide"](converted(_tolerance(rtol, s), s.dtype), _where_zero(s))
    adjoint = FUNCTIONS["conj"](u).mT
    return matmul(FUNCTIONS["conj"](vh).mT, reshape(inverse, (*inverse.shape, 1)) * adjoint)


def _where_zero(s):
    return apply("s -> s == 0 ? 1.0 : s", s)


def qr(x, /, *, mode="reduced"):
    """QR factors: a named tuple of Q, with orthonormal columns, and R, upper triangular.

    Parameters
    ----------
    x : Array
    mode : {"reduced", "complete"}
        Whether Q has as many columns as the smaller size, or is square.
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode is 'reduced' or 'complete', not {mode!r}")
    return QRResult(*map(wrap, made_several(lib.ash_qr_opt, x, options("qr", full=mode == "complete"))))


def slogdet(x, /):
    """Determinants as a sign and the logarithm of the magnitude: a named tuple."""
    return SlogdetResult(*map(wrap, made_several(lib.ash_slogdet_opt, x, None)))


def solve(x1, x2, /):
    """The x of x1 x = x2.

    Parameters
    ----------
    x1 : Array
        Square matrices.
    x2 : Array
        A vector, or matrices whose columns are right sides.
    """
    return wrap(made(lib.ash_solve_opt, x1, x2, None))


def svd(x, /, *, full_matrices=True):
    """Singular value decomposition: a named tuple of U, S (descending) and Vh, x = U diag(S) Vh.

    Parameters
    ----------
    x : Array
    full_matrices : bool
        Whether U and Vh are square.
    """
    return SVDResult(*map(wrap, made_several(lib.ash_svd_opt, x, options("svd", full=full_matrices))))


def svdvals(x, /):
    """Singular values, descending."""
    return _one(lib.ash_svdvals_opt, x)


def trace(x, /, *, offset=0, dtype=None):
    """The sums of diagonals of matrices.

    Parameters
    ----------
    x : Array
    offset : int
        Of the diagonal: above the main one (positive) or below.
    dtype : dtype, optional
        Of the result, and what is added up in.
    """
    if dtype is not None:
        d = _dtypes.dtype(dtype)
        return converted(trace(converted(x, d), offset=offset), d)
    return wrap(made(lib.ash_trace_opt, x, options("trace", offset=offset)))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The p-norm of elements along axes.

    Parameters
    ----------
    x : Array
    axis : int or tuple of int, optional
        Default all.
    keepdims : bool
        Whether the axes stay, with size 1.
    ord : int or float
        p; of inf and -inf the result is the largest and the smallest magnitude, of 0 how many are not 0.
    """
    p = Operand.from_buffer_copy(scalar_operand(float(ord), _dtypes.float64))
    return wrap(made(lib.ash_norm_opt, x,
                     options("norm", p=p, axes=sizes(axes_of(axis, x.ndim)), drop=not keepdims)))
