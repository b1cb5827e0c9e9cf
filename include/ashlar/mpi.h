/*
 * mpi.h - arrays and views of them as messages among the processes of an MPI program: the library ashlar-mpi.
 *
 * Not part of ashlar.h: it includes <mpi.h>, and what it declares is in a library of its own. The program starts and ends MPI
 * itself; between the two every function here may be called, before and after it fails with ASH_ERR_DEVICE.
 *
 * What all functions share:
 *   elements    travel in logical order, row-major (.order = ASH_COL_MAJOR: the first index runs fastest), whatever the
 *               strides; so arrays of one shape but different layouts exchange equal elements. A view is read and written in
 *               place, through a derived datatype, never through a dense copy.
 *   dtypes      all. Records travel as their bytes, f16 and bf16 as 16-bit numbers.
 *   storage     shared arrays are waited for. Private ones are refused with ASH_ERR_UNSUPPORTED, unless the MPI library says
 *               that it reads device memory. A conjugated view is ASH_ERR_UNSUPPORTED: its memory holds other numbers; send a
 *               copy.
 *   failures    an error of MPI is an error here, with MPI's text, and never ends the program: ASH_ERR_ARGUMENT, ASH_ERR_SHAPE
 *               (a message longer than the array), ASH_ERR_MEMORY, or ASH_ERR_DEVICE. Arrays: ASH_ERR_ARGUMENT (NULL, read-only
 *               where it is written), ASH_ERR_RELEASED.
 *   messages    of ash_mpi_send, isend, recv, irecv, sendrecv and ash_mpi_halo_exchange are ordinary ones of the communicator
 *               given: the other side may be a plain MPI_Send or MPI_Recv.
 *   collectives run in a duplicate of the communicator, made by the first one: all its ranks call the same function. They agree
 *               first, by one small reduction, that sizes, dtypes, root and operator are the same: a mismatch, or a rank whose
 *               array cannot take part, is an error on every rank, and no array has changed.
 */
#ifndef ASHLAR_MPI_H
#define ASHLAR_MPI_H
#include <mpi.h>

#include "base.h"
ASH__BEGIN

typedef struct ash_mpi_options {
    size_t struct_size;
    ash_resources *resources;
    ash_layout order; /* of the elements in the message; default row-major */
} ASH__KEYWORDS ash_mpi_options;

/* What a message was like. */
typedef struct ash_mpi_received {
    int32_t source;
    int32_t tag;
    int64_t count; /* elements */
} ash_mpi_received;

typedef struct ash_mpi_recv_options {
    size_t struct_size;
    ash_resources *resources;
    ash_layout order;
    bool shorter;               /* a message of fewer elements is fine: the first ones are written */
    ash_mpi_received *received; /* filled in, when not NULL */
} ASH__KEYWORDS ash_mpi_recv_options;

typedef struct ash_mpi_spread_options {
    size_t struct_size;
    ash_resources *resources;
    ash_layout order;
    ash_dims counts; /* elements of each rank, the same list on all; default: they are asked */
} ASH__KEYWORDS ash_mpi_spread_options;

typedef struct ash_mpi_halo_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes;   /* the array's axis for each axis of the grid; default the first ones */
    ash_dims widths; /* one for each axis of the grid, instead of `width` */
} ASH__KEYWORDS ash_mpi_halo_options;

/* ---- arrays as buffers for MPI's own functions */

/* The three arguments that MPI functions take. `count` always fits: larger arrays have a datatype that holds them once. */
typedef struct ash_mpi_message {
    void *address; /* of the first element; others may lie before it */
    int count;
    MPI_Datatype datatype; /* committed; MPI_DATATYPE_NULL after a failure */
} ash_mpi_message;

/**
 * An array as address, count and datatype. Waits for queued work; nothing is copied.
 *
 * Dense elements are counted as their numbers are (a c_i8 is two MPI_INT8_T, a record as many MPI_BYTE as it has bytes);
 * strided ones, and more than 2^31 - 1, are one element of a derived type. MPI_Get_elements counts numbers in both.
 *
 * @param a        borrowed; the message is good as long as a.
 * @param options  .order.
 * @return         a message, ended by ash_mpi_buffer_release; its datatype is MPI_DATATYPE_NULL with ASH_ERR_UNSUPPORTED
 *                 (conjugated, private), ASH_ERR_ARGUMENT, ASH_ERR_RELEASED, ASH_ERR_MEMORY or ASH_ERR_DEVICE.
 */
ASH_API ash_mpi_message ash_mpi_buffer_opt(const ash_array *a, const ash_mpi_options *options ASH__DEFAULT);

/**
 * Ends a message. Its datatype stays in the cache until room is needed, so that the next message of this form is quick.
 *
 * @param message  its datatype becomes MPI_DATATYPE_NULL; NULL, and one that failed, are fine.
 */
ASH_API void ash_mpi_buffer_release(ash_mpi_message *message);

/**
 * Frees the cached datatypes that no message has. At most 64 of them are kept; MPI_Finalize frees all.
 *
 * @return  how many are left.
 */
ASH_API int64_t ash_mpi_free_datatypes(void);

/* ---- from one process to another */
/**
 * Sends the elements of an array. Returns when the array may be changed again.
 *
 * @param a        borrowed; any strides.
 * @param dest     rank, or MPI_PROC_NULL: nothing is sent.
 * @param tag      of the message.
 * @param comm     any communicator.
 * @param options  .order.
 * @return         ASH_OK, or a failure as above.
 */
ASH_API ash_status ash_mpi_send_opt(const ash_array *a, int dest, int tag, MPI_Comm comm,
                                    const ash_mpi_options *options ASH__DEFAULT);

/**
 * Receives into the elements of an array: exactly as many bytes as it has, or, with .shorter, fewer. A message of another size
 * is an error before it is taken: it can still be received into an array that fits.
 *
 * @param a        written; any strides. MPI does not tell the sender's dtype: it has to be that of a.
 * @param source   rank, MPI_ANY_SOURCE, or MPI_PROC_NULL: nothing is received and a stays as it is.
 * @param tag      of the message, or MPI_ANY_TAG.
 * @param comm     any communicator.
 * @param options  .shorter .received .order.
 * @return         ASH_OK, ASH_ERR_SHAPE (another size), or a failure as above.
 */
ASH_API ash_status ash_mpi_recv_opt(ash_array *a, int source, int tag, MPI_Comm comm,
                                    const ash_mpi_recv_options *options ASH__DEFAULT);

/* A message under way. */
typedef struct ash_mpi_request ash_mpi_request;

/**
 * Starts to send. The array's memory is held until ash_mpi_wait; its elements must not be written before.
 *
 * @param a        borrowed; any strides.
 * @param dest     rank, or MPI_PROC_NULL.
 * @param tag      of the message.
 * @param comm     any communicator.
 * @param options  .order.
 * @return         the caller's, ended by ash_mpi_wait; NULL with a failure as above.
 */
ASH_API ash_mpi_request *ash_mpi_isend_opt(const ash_array *a, int dest, int tag, MPI_Comm comm,
                                           const ash_mpi_options *options ASH__DEFAULT);

/**
 * Starts to receive. The array's memory is held until ash_mpi_wait, which also reports a message of another size; its elements
 * must not be touched before.
 *
 * @param a        written; any strides.
 * @param source   rank, MPI_ANY_SOURCE or MPI_PROC_NULL.
 * @param tag      of the message, or MPI_ANY_TAG.
 * @param comm     any communicator.
 * @param options  .shorter; .received, filled in by ash_mpi_wait; .order.
 * @return         the caller's, ended by ash_mpi_wait; NULL with a failure as above.
 */
ASH_API ash_mpi_request *ash_mpi_irecv_opt(ash_array *a, int source, int tag, MPI_Comm comm,
                                           const ash_mpi_recv_options *options ASH__DEFAULT);

/**
 * Waits until a message has gone or come, and ends the request.
 *
 * @param request  NULL passes a pending error on, or is ASH_ERR_ARGUMENT.
 * @return         ASH_OK, ASH_ERR_SHAPE (a message of another size came), or a failure as above; the request has ended anyway.
 */
ASH_API ash_status ash_mpi_wait(ash_mpi_request *request);

/**
 * Waits for several, in any order, and ends them.
 *
 * @param requests  count of them; a NULL is passed over.
 * @param count     of them.
 * @return          ASH_OK, or the first failure; all have ended.
 */
ASH_API ash_status ash_mpi_wait_all(ash_mpi_request *const *requests, int64_t count);

/**
 * Has a message gone or come? Never waits, ends nothing.
 *
 * @param request  borrowed.
 * @return         true: ash_mpi_wait will return at once, and tell of a failure. false also with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API bool ash_mpi_test(ash_mpi_request *request);

/**
 * Sends one array and receives another, at once: two ranks may do so with each other.
 *
 * @param a        borrowed: sent.
 * @param dest     rank, or MPI_PROC_NULL.
 * @param out      written; shares no memory with a. Exactly filled: a message of another size is dropped.
 * @param source   rank, MPI_ANY_SOURCE or MPI_PROC_NULL.
 * @param tag      of both messages.
 * @param comm     any communicator.
 * @param options  .order of both.
 * @return         ASH_OK, ASH_ERR_SHAPE (a message of another size came), or a failure as above.
 */
ASH_API ash_status ash_mpi_sendrecv_opt(const ash_array *a, int dest, ash_array *out, int source, int tag, MPI_Comm comm,
                                        const ash_mpi_options *options ASH__DEFAULT);

/* ---- among all ranks of a communicator */
/**
 * Gives every rank the elements of one.
 *
 * Shape   as many elements on every rank.
 * Dtype   one on every rank.
 *
 * @param a        read on the root, written elsewhere; any strides.
 * @param root     rank, the same everywhere.
 * @param comm     no intercommunicator.
 * @param options  .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_bcast_opt(ash_array *a, int root, MPI_Comm comm, const ash_mpi_options *options ASH__DEFAULT);

/**
 * Combines the elements of all ranks, position by position: every rank gets the result, in place of its own elements.
 *
 * Shape   as many elements on every rank.
 * Dtype   one on every rank, and it stays: integers wrap; f16 and bf16 are added and multiplied in f32 and rounded once. "+"
 *         and "*" of bool would not fit (ASH_ERR_DTYPE), "&&" and "||" are for bool.
 * Exact   integers. Floats are rounded at each of the additions, whose order is MPI's: at most (ranks - 1) u relative to the
 *         sum of magnitudes. min and max are NaN when any element is; -0.0 is below 0.0.
 *
 * @param a        read and written; any strides.
 * @param op       "+" "*" "min" "max" "&&" "||" "&" "|" "^", or an associative function string of two parameters: ranks keep
 *                 their order, so it need not be commutative. The same text on all ranks.
 * @param comm     no intercommunicator.
 * @param options  .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_allreduce_opt(ash_array *a, const char *op, MPI_Comm comm,
                                         const ash_mpi_options *options ASH__DEFAULT);

/**
 * As ash_mpi_allreduce, but the root alone gets the result.
 *
 * @param a        on the root read and written, elsewhere only read; any strides.
 * @param op       as for ash_mpi_allreduce.
 * @param root     rank, the same everywhere.
 * @param comm     no intercommunicator.
 * @param options  .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_reduce_opt(ash_array *a, const char *op, int root, MPI_Comm comm,
                                      const ash_mpi_options *options ASH__DEFAULT);

/**
 * Collects arrays of equal sizes on one rank, one behind the other in the order of the ranks.
 *
 * Shape   any; out has as many elements as there are ranks times those of a. Shape (ranks, ...) makes out[r] rank r's array.
 * Dtype   one.
 *
 * @param out      on the root: written, any strides; elsewhere not looked at, NULL is fine.
 * @param a        borrowed; any strides; shares no memory with out.
 * @param root     rank, the same everywhere.
 * @param comm     no intercommunicator.
 * @param options  .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_gather_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                                      const ash_mpi_spread_options *options ASH__DEFAULT);

/**
 * As ash_mpi_gather, with arrays of any sizes: out has as many elements as all of them together.
 *
 * @param out      on the root: written, any strides; elsewhere not looked at, NULL is fine.
 * @param a        borrowed; any strides; shares no memory with out.
 * @param root     rank, the same everywhere.
 * @param comm     no intercommunicator.
 * @param options  .counts: spares asking the ranks; on all of them or none. .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_gatherv_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                                       const ash_mpi_spread_options *options ASH__DEFAULT);

/**
 * Hands out the elements of one rank's array in equal parts, in the order of the ranks: what ash_mpi_gather undoes.
 *
 * Shape   any; a has as many elements as there are ranks times those of out.
 * Dtype   one.
 *
 * @param out      written: this rank's part; any strides.
 * @param a        on the root: borrowed, any strides, shares no memory with out; elsewhere not looked at, NULL is fine.
 * @param root     rank, the same everywhere.
 * @param comm     no intercommunicator.
 * @param options  .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_scatter_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                                       const ash_mpi_spread_options *options ASH__DEFAULT);

/**
 * As ash_mpi_scatter, with parts of any sizes: a has as many elements as all of them together.
 *
 * @param out      written: this rank's part, as many elements as it has; any strides.
 * @param a        on the root: borrowed, any strides, shares no memory with out; elsewhere not looked at, NULL is fine.
 * @param root     rank, the same everywhere.
 * @param comm     no intercommunicator.
 * @param options  .counts: spares asking the ranks; on all of them or none. .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_scatterv_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                                        const ash_mpi_spread_options *options ASH__DEFAULT);

/**
 * As ash_mpi_gather, on every rank.
 *
 * Shape   as ash_mpi_gather.
 * Dtype   one.
 *
 * @param out      written; any strides.
 * @param a        borrowed; any strides; shares no memory with out.
 * @param comm     no intercommunicator.
 * @param options  .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_allgather_opt(ash_array *out, const ash_array *a, MPI_Comm comm,
                                         const ash_mpi_options *options ASH__DEFAULT);

/**
 * Every rank sends its r-th part to rank r, whose r-th part it gets: a transpose of what the ranks have.
 *
 * Shape   out has as many elements as a, a multiple of the number of ranks; the same on every rank.
 * Dtype   one.
 *
 * @param out      written; any strides.
 * @param a        borrowed; any strides; shares no memory with out.
 * @param comm     no intercommunicator.
 * @param options  .order.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, or a failure as above.
 */
ASH_API ash_status ash_mpi_alltoall_opt(ash_array *out, const ash_array *a, MPI_Comm comm,
                                        const ash_mpi_options *options ASH__DEFAULT);

/* ---- arrays that continue on the neighbours of a grid */
/**
 * Fills the borders of an array from its neighbours' elements.
 *
 * The ranks form a grid (MPI_Cart_create), along whose axes the array continues. Along each, the first and the last `width`
 * places are the halo: copies of what the neighbours have next to theirs. At an end of the grid that is not periodic they stay
 * as they are. Axes are exchanged one after another, each over the whole extent of the others, halos included: so corners hold
 * the diagonal neighbours' elements afterwards, and where there is no diagonal neighbour, what the halos beside them held.
 *
 * Shape   at least 3 * width along each axis of the grid; neighbours have the same size along the other axes.
 * Dtype   any, the same on all ranks.
 *
 * @param a        written; any rank from the grid's on, any strides.
 * @param comm     with a Cartesian grid; all its ranks call.
 * @param width    elements of one halo, >= 0.
 * @param options  .widths: one for each axis of the grid; .axes: the array's axis for each axis of the grid.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_BOUNDS (no such axis), ASH_ERR_ARGUMENT (comm has no grid),
 *                 or a failure as above.
 */
ASH_API ash_status ash_mpi_halo_exchange_opt(ash_array *a, MPI_Comm comm, int64_t width,
                                             const ash_mpi_halo_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_mpi_buffer(...) ASH__KW1(ash_mpi_buffer_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_send(...) ASH__KW4(ash_mpi_send_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_recv(...) ASH__KW4(ash_mpi_recv_opt, ash_mpi_recv_options, __VA_ARGS__, ASH_SIZED(ash_mpi_recv_options))
#define ash_mpi_isend(...) ASH__KW4(ash_mpi_isend_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_irecv(...) ASH__KW4(ash_mpi_irecv_opt, ash_mpi_recv_options, __VA_ARGS__, ASH_SIZED(ash_mpi_recv_options))
#define ash_mpi_sendrecv(...) ASH__KW6(ash_mpi_sendrecv_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_bcast(...) ASH__KW3(ash_mpi_bcast_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_allreduce(...) ASH__KW3(ash_mpi_allreduce_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_reduce(...) ASH__KW4(ash_mpi_reduce_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ASH__MPI_SPREAD(f, ...) ASH__KW4(f, ash_mpi_spread_options, __VA_ARGS__, ASH_SIZED(ash_mpi_spread_options))
#define ash_mpi_gather(...) ASH__MPI_SPREAD(ash_mpi_gather_opt, __VA_ARGS__)
#define ash_mpi_gatherv(...) ASH__MPI_SPREAD(ash_mpi_gatherv_opt, __VA_ARGS__)
#define ash_mpi_scatter(...) ASH__MPI_SPREAD(ash_mpi_scatter_opt, __VA_ARGS__)
#define ash_mpi_scatterv(...) ASH__MPI_SPREAD(ash_mpi_scatterv_opt, __VA_ARGS__)
#define ash_mpi_allgather(...) ASH__KW3(ash_mpi_allgather_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_alltoall(...) ASH__KW3(ash_mpi_alltoall_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_halo_exchange(...) \
    ASH__KW3(ash_mpi_halo_exchange_opt, ash_mpi_halo_options, __VA_ARGS__, ASH_SIZED(ash_mpi_halo_options))
#endif
#endif
