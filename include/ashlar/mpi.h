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
 * @param out      written; shares no memory with a. Exactly filled.
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

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_mpi_buffer(...) ASH__KW1(ash_mpi_buffer_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_send(...) ASH__KW4(ash_mpi_send_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_recv(...) ASH__KW4(ash_mpi_recv_opt, ash_mpi_recv_options, __VA_ARGS__, ASH_SIZED(ash_mpi_recv_options))
#define ash_mpi_isend(...) ASH__KW4(ash_mpi_isend_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_irecv(...) ASH__KW4(ash_mpi_irecv_opt, ash_mpi_recv_options, __VA_ARGS__, ASH_SIZED(ash_mpi_recv_options))
#define ash_mpi_sendrecv(...) ASH__KW6(ash_mpi_sendrecv_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#define ash_mpi_bcast(...) ASH__KW3(ash_mpi_bcast_opt, ash_mpi_options, __VA_ARGS__, ASH_SIZED(ash_mpi_options))
#endif
#endif
