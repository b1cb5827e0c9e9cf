/*
 * call.c - around every call of MPI: is it there, its errors as ours.
 *
 * Error handlers belong to communicators, not to threads: while any thread is inside a call on a communicator, its handler is
 * the one that returns. The first to enter keeps the program's own, the last to leave puts it back.
 */
#include "mpi/call.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void ash__mpi_lock(void)
{
    pthread_mutex_lock(&mutex);
}
void ash__mpi_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

ash_status ash__mpi_fail(ash_status status, const char *function, const char *format, ...)
{
    char cause[512];
    va_list list;
    va_start(list, format);
    vsnprintf(cause, sizeof cause, format, list);
    va_end(list);
    return ash_raise(status, function, cause);
}

static ash_status status_of(int class)
{
    switch (class) {
    case MPI_ERR_TRUNCATE:
        return ASH_ERR_SHAPE;
    case MPI_ERR_NO_MEM:
        return ASH_ERR_MEMORY;
    case MPI_ERR_COMM:
    case MPI_ERR_COUNT:
    case MPI_ERR_TYPE:
    case MPI_ERR_TAG:
    case MPI_ERR_RANK:
    case MPI_ERR_ROOT:
    case MPI_ERR_TOPOLOGY:
    case MPI_ERR_DIMS:
    case MPI_ERR_ARG:
        return ASH_ERR_ARGUMENT;
    default:
        return ASH_ERR_DEVICE;
    }
}

ash_status ash__mpi_result(const char *function, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0, class = MPI_ERR_OTHER;
    if (code == MPI_SUCCESS)
        return ASH_OK;
    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' '; /* MPICH tells a story */
    return ash__mpi_fail(status_of(class), function, "%s", text);
}

ash_status ash__mpi_read_options(const char *function, void *to, size_t size, const void *from)
{
    return ash_read_options(function, to, size, from) ? ASH_OK : ASH_ERR_ARGUMENT;
}

/* ---- error handlers */

enum { ENTERED_MOST = 256 }; /* communicators in use at one moment, by all threads */

static struct entered {
    MPI_Comm comm;
    MPI_Errhandler before;
    int64_t depth;
} entered[ENTERED_MOST];
static int entered_count;

static struct entered *find_entered(MPI_Comm comm)
{
    for (int i = 0; i < entered_count; i++)
        if (entered[i].comm == comm)
            return entered + i;
    return NULL;
}

static ash_status make_return(const char *function, MPI_Comm comm)
{
    struct entered *e = find_entered(comm);
    if (e) {
        e->depth++;
        return ASH_OK;
    }
    if (entered_count == ENTERED_MOST)
        return ash__mpi_fail(ASH_ERR_MEMORY, function, "more than %d communicators are in use at once", ENTERED_MOST);
    e = entered + entered_count;
    *e = (struct entered){.comm = comm, .before = MPI_ERRHANDLER_NULL, .depth = 1};
    ash_status status = ash__mpi_result(function, MPI_Comm_get_errhandler(comm, &e->before));
    if (!status)
        status = ash__mpi_result(function, MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    entered_count += !status;
    return status;
}

static void put_back(MPI_Comm comm)
{
    struct entered *e = find_entered(comm);
    if (--e->depth)
        return;
    MPI_Comm_set_errhandler(comm, e->before);
    MPI_Errhandler_free(&e->before); /* the reference that the question made */
    *e = entered[--entered_count];
}

/* Errors of calls that have no communicator go to this one's handler. */
#if MPI_VERSION >= 4
#define NO_COMM MPI_COMM_SELF
#else
#define NO_COMM MPI_COMM_WORLD
#endif

bool ash__mpi_running(void)
{
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised && !finalised;
}

static ash_status check_running(const char *function)
{
    int initialised = 0;
    if (ash__mpi_running())
        return ASH_OK;
    MPI_Initialized(&initialised);
    return initialised ? ash__mpi_fail(ASH_ERR_DEVICE, function, "MPI was finalised; call this before MPI_Finalize")
                       : ash__mpi_fail(ASH_ERR_DEVICE, function, "MPI is not initialised; call MPI_Init first");
}

ash_status ash__mpi_enter(const char *function, MPI_Comm comm)
{
    if (check_running(function))
        return ASH_ERR_DEVICE;
    if (comm == MPI_COMM_NULL)
        return ash__mpi_fail(ASH_ERR_ARGUMENT, function, "comm is MPI_COMM_NULL");
    ash__mpi_lock();
    ash_status status = make_return(function, NO_COMM);
    if (!status && comm != NO_COMM) {
        status = make_return(function, comm);
        if (status)
            put_back(NO_COMM);
    }
    ash__mpi_unlock();
    return status;
}

void ash__mpi_leave(MPI_Comm comm)
{
    ash__mpi_lock();
    if (comm != NO_COMM)
        put_back(comm);
    put_back(NO_COMM);
    ash__mpi_unlock();
}

ash_status ash__mpi_check_rank(const char *function, const char *name, int rank, MPI_Comm comm)
{
    int size = 0, inter = 0;
    ash_status status = ash__mpi_result(function, MPI_Comm_test_inter(comm, &inter));
    if (!status)
        status = ash__mpi_result(function, inter ? MPI_Comm_remote_size(comm, &size) : MPI_Comm_size(comm, &size));
    if (!status && (rank < 0 || rank >= size))
        status =
            ash__mpi_fail(ASH_ERR_ARGUMENT, function, "%s is %d; the communicator has ranks 0 to %d", name, rank, size - 1);
    return status;
}

/* ---- the end of MPI: attributes of MPI_COMM_SELF are deleted first of all (MPI 3.1, 8.7.1) */

enum { ENDS_MOST = 4 };
static void (*ends[ENDS_MOST])(void);
static int end_count;
static bool watching;

static int call_ends(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    for (int i = 0; i < end_count; i++)
        ends[i]();
    return MPI_SUCCESS;
}

ash_status ash__mpi_at_end(const char *function, void (*end)(void))
{
    for (int i = 0; i < end_count; i++)
        if (ends[i] == end)
            return ASH_OK;
    if (!watching) {
        int key, code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_ends, &key, NULL);
        if (code == MPI_SUCCESS) {
            code = MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
            MPI_Comm_free_keyval(&key); /* the attribute keeps it */
        }
        if (code != MPI_SUCCESS)
            return ash__mpi_result(function, code);
        watching = true;
    }
    ends[end_count++] = end;
    return ASH_OK;
}
