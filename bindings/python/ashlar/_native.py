"""The functions and structs of libashlar, and calls of them that take the error in the same step.

ctypes and no other package: it is always there, and a call costs what one through cffi does. Declarations are written in a
short form, which the tests compare with the library's own (``ashlar.cdef``).

A function that makes an array is called by `made`, inside a scope that holds nothing (a barrier), so that the array belongs to
Python whatever scopes C code on this thread has open. An error is taken where it is met, on the thread where it is met; none is
ever left pending.
"""

import ctypes
from ctypes import Structure, Union, byref, c_int, c_int64, c_void_p

from . import _errors, _library

# ---- structs


class Pair(Structure):
    """A pointer and a count: the shape of ash_dims, ash_axes, ash_arrays and ash_operands."""

    _fields_ = [("pointer", c_void_p), ("count", c_int64)]


class Pointers2(Structure):
    _fields_ = [("a", c_void_p), ("b", c_void_p)]


class Pointers3(Structure):
    _fields_ = [("a", c_void_p), ("b", c_void_p), ("c", c_void_p)]


class Pointers4(Structure):
    _fields_ = [("a", c_void_p), ("b", c_void_p), ("c", c_void_p), ("d", c_void_p)]


class RngState(Structure):
    _fields_ = [("seed", ctypes.c_uint64), ("calls", ctypes.c_uint64)]


class _Value(Union):
    _fields_ = [("array", c_void_p), ("i", c_int64), ("f", ctypes.c_double), ("c", ctypes.c_double * 2)]


class Operand(Structure):
    _fields_ = [("kind", c_int), ("dtype", c_int), ("value", _Value)]


class Index(Structure):
    _fields_ = [("kind", c_int), ("start", c_int64), ("stop", c_int64), ("step", c_int64), ("array", c_void_p)]


class Elements(Structure):
    _fields_ = [("first", c_void_p), ("shape", c_void_p), ("byte_stride", c_void_p), ("rank", c_int64), ("size", c_int64),
                ("dtype", c_int), ("storage", c_int), ("conjugated", ctypes.c_bool)]


class FieldInfo(Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", c_int), ("offset", ctypes.c_size_t), ("count", c_int64)]


class Error(Structure):
    _fields_ = [("status", c_int), ("later", ctypes.c_int32), ("position", ctypes.c_int32), ("operand", ctypes.c_int32),
                ("function", ctypes.c_char * 48), ("cause", ctypes.c_char * 512)]


class Abi(Structure):
    _fields_ = [("abi", ctypes.c_int32), ("version", ctypes.c_int32), ("highest_rank", ctypes.c_int32),
                ("backends", ctypes.c_int32), ("size_of_operand", ctypes.c_int32), ("size_of_index", ctypes.c_int32),
                ("size_of_error", ctypes.c_int32), ("size_of_dims", ctypes.c_int32), ("version_text", ctypes.c_char_p)]


class PoolInfo(Structure):
    _fields_ = [("in_use", ctypes.c_size_t), ("cached", ctypes.c_size_t), ("peak", ctypes.c_size_t),
                ("limit", ctypes.c_size_t), ("requests", c_int64), ("hits", c_int64)]


class DlTensor(Structure):
    _fields_ = [("data", c_void_p), ("device_kind", ctypes.c_int32), ("device_index", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", c_void_p), ("strides", c_void_p), ("byte_offset", ctypes.c_uint64)]


class DlManaged(Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", c_void_p), ("deleter", c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", DlTensor)]


class DlManagedOld(Structure):
    _fields_ = [("tensor", DlTensor), ("context", c_void_p), ("deleter", c_void_p)]


#: One letter for each type of an argument, a result or a member.
TYPES = {
    "p": c_void_p, "s": ctypes.c_char_p, "e": c_int, "b": ctypes.c_bool, "l": c_int64, "u": ctypes.c_uint64,
    "z": ctypes.c_size_t, "f": ctypes.c_float, "d": ctypes.c_double, "D": Pair, "O": Operand, "c": ctypes.c_char,
    "2": Pointers2, "3": Pointers3, "4": Pointers4, "R": RngState, "v": None,
}

# ---- options: struct_size and resources, which all have, are left out here

_MAKE = "e dtype e layout e storage p memory"
OPTIONS = {
    name: members.split()
    for name, members in {
        "make": _MAKE,
        "range": _MAKE + " O step",
        "linspace": _MAKE + " b exclusive",
        "eye": _MAKE + " l columns l diagonal O value",
        "convert": _MAKE + " b exact D strides",
        "wrap": "e layout D strides b readonly b deferred p deleter p context",
        "fill": "b exact",
        "copy": "e layout e storage p memory",
        "contiguous": "e layout",
        "copy_into": "b exact",
        "map": _MAKE,
        "reduce": "D axes O init O where s predicate b drop b population b accumulate",
        "scan": "D axes O init b exclusive e order",
        "close": "d rtol d atol b nan_equal",
        "equal": "b identical",
        "concat": _MAKE + " l axis D axes",
        "stack": _MAKE + " l axis",
        "reverse": "D axes",
        "roll": "D axes",
        "repeat": "l axis",
        "take": "l axis",
        "index_into": "b exact b linear",
        "select": "D axes",
        "triangle": "l k",
        "put": "l axis b accumulate b exact",
        "reshape": "e order",
        "squeeze": "D axes",
        "reinterpret": "b add_axis",
        "diagonal": "l offset D axes",
        "sort": "D axes s by s less b descending b flat",
        "search": "b right b descending",
        "unique": "s by b sorted b positions b inverse b counts",
        "find": "s predicate b flat",
        "histogram": "O low O high p edges",
        "matmul": _MAKE + " e a_structure e b_structure",
        "outer": _MAKE,
        "cholesky": "b upper b no_check",
        "qr": "b full",
        "factor": "",
        "spectral": "",
        "svd": "b full",
        "eigh": "b upper",
        "rank": "d rtol d atol",
        "norm": "O p D axes b drop",
        "trace": "l offset",
        "cross": "D axes",
        "fft": "D axes b first",
        "fft_shift": "D axes",
        "from_dlpack": "b readonly b deferred",
        "wrap_dlpack": "b readonly b deferred p deleter p context",
        "to_dlpack": "b copy l stream",
        "csv": _MAKE + " s columns c separator c quote c comment e header e missing l skip b exact",
        "csv_write": "c separator s header",
        "file": _MAKE + " b mapped b writable b exact",
        "npz_write": "b compress",
        "rand": _MAKE + " p rng l first",
        "randint": _MAKE + " p rng b inclusive l first",
        "shuffle": "l axis p rng",
    }.items()
}


def _options_class(name):
    members = OPTIONS[name]
    fields = [("struct_size", ctypes.c_size_t), ("resources", c_void_p)]
    fields += [(member, TYPES[letter]) for letter, member in zip(members[::2], members[1::2])]
    return type(f"ash_{name}_options", (Structure,), {"_fields_": fields})


OPTIONS_CLASSES = {name: _options_class(name) for name in OPTIONS}

#: Targets of ash_adapt: no options struct by name, but one in form.
Target = type("ash_target", (Structure,), {"_fields_": [
    ("struct_size", ctypes.c_size_t), ("resources", c_void_p), ("device", ctypes.c_char_p), ("dtype", c_int),
    ("floats", c_int), ("rule", c_int), ("storage", c_int), ("memory", c_void_p), ("like", c_void_p),
    ("scalars", ctypes.c_bool), ("bf16", ctypes.c_bool)]})

# ---- functions: the result, the name, the arguments

#: Calls that never wait and take no time to speak of.
QUICK = """
p ash_abi
p ash_function_new s
v ash_release p
p ash_retain p
l ash_rank p
l ash_size p
z ash_nbytes p
p ash_shape p
p ash_byte_strides p
e ash_dtype_of p
e ash_layout_of p
e ash_storage_of p
p ash_device_of p
p ash_resources_of p
b ash_is_view p
b ash_is_readonly p
l ash_live_arrays
l ash_deferred p l
l ash_scope_open_barrier
v ash_scope_close l
b ash_error_take p z
s ash_dtype_name e
z ash_dtype_size e
e ash_dtype_promote e e
e ash_dtype_record s z p l
l ash_dtype_field_count e
b ash_dtype_field e l p
s ash_device_name p
b ash_device_can p e
z ash_device_memory p
s ash_device_description p
p ash_current_resources
p ash_default_device
l ash_resources_push p
v ash_resources_pop l
p ash_resources_device p
p ash_resources_retain p
b ash_query p
e ash_set_default_storage e
v ash_allow_scalar b
l ash_scalar_push b
v ash_scalar_pop l
e ash_set_threads l
l ash_threads
v ash_set_trace b
b ash_failed
z ash_config_format p z
e ash_pool_stats p p z
e ash_pool_limit p z
p ash_view_at p p l
p ash_reshape_opt p D p
p ash_permute p D
p ash_insert_axis p l
p ash_squeeze_opt p p
p ash_broadcast_to p D
p ash_reinterpret_opt p e p
p ash_diagonal_opt p p
p ash_field p s
p ash_adjoint p
p ash_share p
p ash_rng_new e
p ash_rng_retain p
v ash_rng_release p
e ash_rng_seed p u
R ash_rng_state_of p
e ash_rng_set_state p R
v ash_seed u
p ash_default_rng
e ash_tree_kind_of p
l ash_tree_count p
s ash_tree_name p l
p ash_tree_at p l
p ash_tree_get p s
s ash_tree_get_text p s
e ash_tree_get_scalar p s p
v ash_tree_release p
p ash_tree_new
e ash_tree_put_array p s p
e ash_tree_put_text p s s
"""

#: Calls that may take time, during which other threads of Python run.
SLOW = """
p ash_apply1 p p
p ash_apply2 p p p
p ash_apply p p l
p ash_map_opt s D p
p ash_zip_map_opt s D p
e ash_map_into_opt p s D p
p ash_map_reduce_opt s s D p
p ash_reduce_opt s p p
p ash_scan_opt s p p
p ash_where_opt p p p p
p ash_sum_opt p p
p ash_prod_opt p p
p ash_min_opt p p
p ash_max_opt p p
p ash_mean_opt p p
p ash_var_opt p p
p ash_std_opt p p
p ash_any_opt p p
p ash_all_opt p p
p ash_count_opt p p
p ash_argmin_opt p p
p ash_argmax_opt p p
p ash_cumsum_opt p p
p ash_cumprod_opt p p
b ash_equal_opt p p p
b ash_allclose_opt p p p
p ash_empty_opt D p
p ash_zeros_opt D p
p ash_ones_opt D p
p ash_fill_new_opt D p p
e ash_fill_opt p p p
p ash_range_opt p p p
p ash_linspace_opt d d l p
p ash_eye_opt l p
p ash_from_host_opt p e D p
p ash_wrap_opt p e l D p
e ash_to_host p p z
p ash_copy_opt p p
b ash_item_bool p
l ash_item_i64 p
u ash_item_u64 p
d ash_item_f64 p
e ash_copy_into_opt p p p
p ash_convert_opt p e p
p ash_contiguous_opt p p
b ash_is_contiguous_opt p p
e ash_discard p
e ash_elements_of s s p b p z
z ash_format p z p
e ash_wait p
e ash_sync p
l ash_device_count
p ash_device_at l
p ash_device_open s
e ash_set_default_device s
p ash_resources_new s
v ash_resources_release p
e ash_pool_trim p z
p ash_concat_opt D p
p ash_stack_opt D p
p ash_reverse_opt p p
p ash_roll_opt p D p
p ash_repeat_opt p l p
p ash_tile p D
p ash_take_opt p p p
p ash_index_opt p p l p
e ash_index_into_opt p p p l p
e ash_put_opt p p p p
p ash_select_opt p p p
p ash_triu_opt p p
p ash_tril_opt p p
p ash_sort_opt p p
p ash_sortperm_opt p p
p ash_partial_sort_opt p l l p
2 ash_top_k_opt p l p
p ash_search_sorted_opt p p p
4 ash_unique_opt p p
p ash_find_opt p p
2 ash_histogram_opt p l p
p ash_matmul_opt p p p
p ash_outer_opt p p p
p ash_kron_opt p p p
p ash_cross_opt p p p
p ash_trace_opt p p
p ash_cholesky_opt p p
2 ash_qr_opt p p
p ash_solve_opt p p p
p ash_lstsq_opt p p p
p ash_inv_opt p p
p ash_det_opt p p
2 ash_slogdet_opt p p
3 ash_svd_opt p p
p ash_svdvals_opt p p
2 ash_eigh_opt p p
p ash_eigvalsh_opt p p
2 ash_eig_opt p p
p ash_eigvals_opt p p
p ash_pinv_opt p p
p ash_matrix_rank_opt p p
p ash_matrix_power_opt p l p
p ash_expm_opt p p
p ash_norm_opt p p
p ash_fft_opt p p
p ash_ifft_opt p p
p ash_bfft_opt p p
p ash_rfft_opt p p
p ash_irfft_opt p l p
p ash_fftfreq_opt l d p
p ash_rfftfreq_opt l d p
p ash_fftshift_opt p p
p ash_ifftshift_opt p p
p ash_from_dlpack_opt p p
p ash_from_dlpack_old_opt p p
p ash_wrap_dlpack_opt p p
p ash_to_dlpack_opt p p
p ash_to_dlpack_old_opt p p
e ash_cuda_stream p p
p ash_read_csv_opt s p
e ash_write_csv_opt p s p
p ash_read_npy_opt s p
e ash_write_npy p s
p ash_read_npz_opt s s p
p ash_load_npz_opt s p
e ash_save_npz_opt p s p
p ash_read_safetensors_opt s s p
p ash_load_safetensors_opt s p
e ash_save_safetensors p s
p ash_rand_opt D p
p ash_randn_opt D p
p ash_randexp_opt D p
p ash_randint_opt p p D p
p ash_permutation_opt l p
p ash_shuffle_opt p p
e ash_seed_random
p ash_adapt_opt p p
"""


class Functions:
    """The functions of the library, by their names."""

    def __init__(self):
        for library, lines in ((_library.quick, QUICK), (_library.slow, SLOW)):
            for line in lines.split("\n"):
                if line:
                    result, name, *arguments = line.split()
                    function = getattr(library, name)
                    function.restype = TYPES[result]
                    function.argtypes = [TYPES[letter] for letter in arguments]
                    setattr(self, name, function)


lib = Functions()

EXPECTED_ABI = 1
abi = Abi.from_address(lib.ash_abi())
if abi.abi != EXPECTED_ABI:
    raise ImportError(f"ashlar: this package is for ABI {EXPECTED_ABI} of libashlar, but {_library.path} has ABI {abi.abi}")

# ---- calls


def failure(name=None):
    """The pending error as an exception, in the name of a function here if one is given; it is pending no longer."""
    error = Error()
    if not lib.ash_error_take(byref(error), ctypes.sizeof(error)):
        return _errors.InternalError("the library failed and did not say why")
    return _errors.exception(error.status, name or error.function.decode(), error.cause.decode("utf-8", "replace"),
                             error.position)


def made(function, *arguments):
    """Calls a function that returns a pointer to something new, which belongs to the caller."""
    barrier = lib.ash_scope_open_barrier()
    try:
        pointer = function(*arguments)
    finally:
        lib.ash_scope_close(barrier)
    if not pointer:
        raise failure()
    return pointer


def made_several(function, *arguments):
    """The same of a function that returns a struct of pointers: a tuple of them."""
    barrier = lib.ash_scope_open_barrier()
    try:
        result = function(*arguments)
    finally:
        lib.ash_scope_close(barrier)
    pointers = tuple(getattr(result, name) for name, _ in result._fields_)
    if not any(pointers):
        raise failure()
    return pointers


def check(status):
    """Raises what a status other than 0 stands for."""
    if status:
        raise failure()


def asked(answer):
    """Gives back a yes or no; a no may be a failure."""
    if not answer:
        error = Error()
        if lib.ash_error_take(byref(error), ctypes.sizeof(error)):
            raise _errors.exception(error.status, error.function.decode(), error.cause.decode("utf-8", "replace"),
                                    error.position)
    return answer


def options(name, **given):
    """An options struct, for a call, of what is given and not None."""
    o = OPTIONS_CLASSES[name]()
    o.struct_size = ctypes.sizeof(o)
    o.held = given  # what is pointed to lives as long as the struct
    for member, value in given.items():
        if value is not None:
            setattr(o, member, value)
    return byref(o)


def sizes(values):
    """A list of int64, as ash_dims and ash_axes."""
    n = len(values)
    array = (c_int64 * (n or 1))(*values)
    pair = Pair(ctypes.addressof(array), n)
    pair.held = array
    return pair


def pointers(values):
    """A list of pointers, as ash_arrays."""
    n = len(values)
    array = (c_void_p * (n or 1))(*values)
    pair = Pair(ctypes.addressof(array), n)
    pair.held = array
    return pair


_compiled = {}


def compiled(text):
    """The function of a text, compiled once for the life of the process; for texts of this package."""
    pointer = _compiled.get(text)
    if pointer is None:
        pointer = lib.ash_function_new(text.encode())
        if not pointer:
            raise failure()
        _compiled[text] = pointer
    return pointer
