/*
 * group.c - functions that all ranks of a communicator call together.
 *
 * The agreement is one MPI_Allreduce with MPI_MAX of a few numbers: each fact and its negative (all are equal when the largest
 * is the smallest), and the highest rank that failed with its status. A rank that failed says the least of everything.
 */
#include "mpi/group.h"

#include <ashlar/dtype.h>
#include <ashlar/error.h>
#include <stdlib.h>
#include <string.h>

/* ---- the duplicate */

static int key = MPI_KEYVAL_INVALID;
static bool ending; /* MPI_Finalize has begun, which every rank is in: the duplicate of the world goes first */

static void begin_end(void)
{
    void *value;
    int found = 0;
    if (key == MPI_KEYVAL_INVALID)
        return;
    if (MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found) == MPI_SUCCESS && found)
        MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    ending = true;
    MPI_Comm_free_keyval(&key);
}

static int free_duplicate(MPI_Comm comm, int given, void *value, void *state)
{
    (void)comm, (void)given, (void)state;
    MPI_Comm *duplicate = value;
    if (!ending)
        MPI_Comm_free(duplicate);
    free(duplicate);
    return MPI_SUCCESS;
}

static ash_status make_duplicate(const char *f, MPI_Comm comm, MPI_Comm **duplicate)
{
    MPI_Comm *made = malloc(sizeof *made);
    if (!made)
        return ash__mpi_fail(ASH_ERR_MEMORY, f, "no memory for a communicator");
    ash_status status = ash__mpi_result(f, MPI_Comm_dup(comm, made));
    if (!status) {
        MPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
        status = ash__mpi_result(f, MPI_Comm_set_attr(comm, key, made));
        if (status)
            MPI_Comm_free(made);
    }
    if (status)
        free(made);
    *duplicate = status ? NULL : made;
    return status;
}

/* The key is there from the first call on. */
static ash_status make_key(const char *f)
{
    ash__mpi_lock();
    ash_status status = ash__mpi_at_end(f, begin_end);
    if (!status && key == MPI_KEYVAL_INVALID)
        status = ash__mpi_result(f, MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_duplicate, &key, NULL));
    ash__mpi_unlock();
    return status;
}

static ash_status find_duplicate(const char *f, ash__mpi_group *g)
{
    int inter = 0, found = 0;
    MPI_Comm *duplicate = NULL;
    ash_status status = ash__mpi_result(f, MPI_Comm_test_inter(g->given, &inter));
    if (!status && inter)
        status = ash__mpi_fail(ASH_ERR_UNSUPPORTED, f, "comm is an intercommunicator; merge it first (MPI_Intercomm_merge)");
    if (!status)
        status = make_key(f);
    if (!status)
        status = ash__mpi_result(f, MPI_Comm_get_attr(g->given, key, &duplicate, &found));
    if (!status && !found)
        status = make_duplicate(f, g->given, &duplicate);
    if (!status) {
        g->comm = *duplicate;
        MPI_Comm_rank(g->comm, &g->rank);
        MPI_Comm_size(g->comm, &g->ranks);
    }
    return status;
}

ash_status ash__mpi_begin_group(const char *function, MPI_Comm comm, ash__mpi_group *group)
{
    *group = (ash__mpi_group){.function = function, .given = comm};
    ash_status status = ash__mpi_enter(function, comm);
    if (status)
        return status;
    status = find_duplicate(function, group);
    if (status)
        ash__mpi_leave(comm);
    ash__mpi_say_bytes(group, "function", function, strlen(function));
    return status;
}

void ash__mpi_end_group(ash__mpi_group *group)
{
    ash__mpi_leave(group->given);
}

/* ---- the agreement */

void ash__mpi_say_number(ash__mpi_group *group, ash_status status, const char *what, int64_t value)
{
    group->fact[group->facts++] = (ash__mpi_fact){status, what, true, value};
}

void ash__mpi_say_bytes(ash__mpi_group *group, const char *what, const void *bytes, size_t n)
{
    int64_t hash = 0;
    for (size_t i = 0; i < n; i++)
        hash = (hash * 257 + ((const unsigned char *)bytes)[i] + 1) % 1000000007;
    group->fact[group->facts++] = (ash__mpi_fact){ASH_ERR_ARGUMENT, what, false, hash};
}

void ash__mpi_say_dtype(ash__mpi_group *group, ash_dtype dtype)
{
    group->fact[group->facts++] = (ash__mpi_fact){ASH_ERR_DTYPE, "dtype", false, ash__mpi_dtype_key(dtype)};
}

void ash__mpi_say_array(ash__mpi_group *group, const ash__mpi_layout *layout)
{
    ash__mpi_say_dtype(group, layout->dtype);
    ash__mpi_say_number(group, ASH_ERR_SHAPE, "number of elements", layout->elements);
    group->strided |= !layout->dense;
}

enum { FAILED, STRIDED, FIRST_FACT, NUMBERS = FIRST_FACT + 2 * ASH__MPI_FACTS };

static ash_status disagree(const ash__mpi_group *g, const int64_t *most)
{
    for (int i = 0; i < g->facts; i++) {
        const int64_t high = most[FIRST_FACT + 2 * i], low = -most[FIRST_FACT + 2 * i + 1];
        const ash__mpi_fact *fact = g->fact + i;
        if (high == low)
            continue;
        if (!fact->number)
            return ash__mpi_fail(fact->status, g->function, "not all ranks have the same %s", fact->what);
        return ash__mpi_fail(fact->status, g->function, "the %s is %lld here, but from %lld to %lld among the ranks",
                             fact->what, (long long)fact->value, (long long)low, (long long)high);
    }
    return ASH_OK;
}

ash_status ash__mpi_agree(ash__mpi_group *g, ash_status status)
{
    int64_t mine[NUMBERS], most[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        mine[i] = INT64_MIN;
    mine[FAILED] = status ? (int64_t)g->rank + 1 + ((int64_t)status << 32) : 0;
    mine[STRIDED] = g->strided;
    for (int i = 0; i < g->facts && !status; i++) {
        mine[FIRST_FACT + 2 * i] = g->fact[i].value;
        mine[FIRST_FACT + 2 * i + 1] = -g->fact[i].value;
    }
    const ash_status failed = ash__mpi_result(g->function, MPI_Allreduce(mine, most, NUMBERS, MPI_INT64_T, MPI_MAX, g->comm));
    if (status || failed)
        return status ? status : failed;
    g->strided = most[STRIDED] != 0;
    if (most[FAILED]) {
        status = (ash_status)(most[FAILED] >> 32);
        return ash__mpi_fail(status, g->function, "rank %d cannot take part (%s); its own error says why",
                             (int)(most[FAILED] & INT32_MAX) - 1, ash_status_name(status));
    }
    return disagree(g, most);
}

/* ---- messages inside a group */

ash_status ash__mpi_pass(const ash__mpi_group *g, const ash_mpi_message *m, int dest, MPI_Request *request)
{
    return ash__mpi_result(g->function, request ? MPI_Isend(m->address, m->count, m->datatype, dest, 0, g->comm, request)
                                                : MPI_Send(m->address, m->count, m->datatype, dest, 0, g->comm));
}

ash_status ash__mpi_take(const ash__mpi_group *g, const ash_mpi_message *m, int source, MPI_Request *request)
{
    return ash__mpi_result(g->function,
                           request ? MPI_Irecv(m->address, m->count, m->datatype, source, 0, g->comm, request)
                                   : MPI_Recv(m->address, m->count, m->datatype, source, 0, g->comm, MPI_STATUS_IGNORE));
}
