/*
 * types.c - derived datatypes, made from loops, and the cache of them.
 *
 * A loop is MPI_Type_create_hvector with one inner element a block: strides are bytes, of either sign, extents play no part.
 * Elements that begin or end inside a loop are up to three pieces: the rest of one turn, whole turns, the beginning of another.
 * A loop of 2^31 turns or more, more than an int counts, is a loop of loops of 2^30.
 *
 * The cache keeps the most recent first. A datatype that a message has is pinned and never thrown out.
 */
#include "mpi/types.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- making a datatype */

enum { PIECES = 3, TURNS = 1 << 30 };

typedef struct pieces {
    int count;
    int length[PIECES];
    MPI_Aint place[PIECES];
    MPI_Datatype type[PIECES];
} pieces;

static void add_piece(pieces *p, int64_t place, MPI_Datatype type)
{
    p->length[p->count] = 1;
    p->place[p->count] = (MPI_Aint)place;
    p->type[p->count++] = type;
}

/* The pieces as one datatype; they themselves are freed. code: whether making them went well. */
static int join_pieces(pieces *p, int code, MPI_Datatype *out)
{
    if (code == MPI_SUCCESS && p->count == 1 && p->place[0] == 0) {
        *out = p->type[0];
        return code;
    }
    if (code == MPI_SUCCESS)
        code = MPI_Type_create_struct(p->count, p->length, p->place, p->type, out);
    for (int i = 0; i < p->count; i++)
        MPI_Type_free(&p->type[i]);
    return code;
}

static int repeat(int64_t count, int64_t stride, MPI_Datatype inner, MPI_Datatype *out);

/* `many` turns that each stand for `group` of them, and what is left of count. The group is freed. */
static int repeat_groups(int64_t count, int64_t stride, MPI_Datatype inner, MPI_Datatype many, int64_t group, MPI_Datatype *out)
{
    const int64_t whole = count / group, rest = count % group;
    pieces p = {0};
    MPI_Datatype piece;
    int code = repeat(whole, stride * group, many, &piece);
    MPI_Type_free(&many);
    if (code != MPI_SUCCESS)
        return code;
    add_piece(&p, 0, piece);
    if (rest) {
        code = repeat(rest, stride, inner, &piece);
        if (code == MPI_SUCCESS)
            add_piece(&p, whole * group * stride, piece);
    }
    return join_pieces(&p, code, out);
}

/* count turns of a loop */
static int repeat(int64_t count, int64_t stride, MPI_Datatype inner, MPI_Datatype *out)
{
    MPI_Datatype many;
    if (stride == -1 && count > 1) { /* Open MPI 4.1 takes a vector of bytes with this stride for one that goes forwards */
        const int code = MPI_Type_create_hindexed_block(2, 1, (const MPI_Aint[]){0, -1}, inner, &many);
        return code == MPI_SUCCESS ? repeat_groups(count, stride, inner, many, 2, out) : code;
    }
    if (count <= INT_MAX)
        return MPI_Type_create_hvector((int)count, 1, (MPI_Aint)stride, inner, out);
    const int code = repeat(TURNS, stride, inner, &many);
    return code == MPI_SUCCESS ? repeat_groups(count, stride, inner, many, TURNS, out) : code;
}

/* One whole turn of loop k and of those inside it. */
static int whole_turns(const ash__mpi_layout *l, int k, int64_t count, MPI_Datatype *out)
{
    MPI_Datatype inner = l->unit;
    if (k + 1 < l->rank) {
        const int code = whole_turns(l, k + 1, l->size[k + 1], &inner);
        if (code != MPI_SUCCESS)
            return code;
    }
    const int code = repeat(count, l->stride[k], inner, out);
    if (k + 1 < l->rank)
        MPI_Type_free(&inner);
    return code;
}

/* The units `start` to start + count of loop k and those inside it, relative to its first. count > 0. */
static int range_of(const ash__mpi_layout *l, int k, int64_t start, int64_t count, MPI_Datatype *out)
{
    int64_t turn = 1; /* units in one turn */
    for (int j = k + 1; j < l->rank; j++)
        turn *= l->size[j];
    pieces p = {0};
    MPI_Datatype piece;
    int code = MPI_SUCCESS;
    if (start % turn) {
        const int64_t left = turn - start % turn, n = left < count ? left : count;
        code = range_of(l, k + 1, start % turn, n, &piece);
        if (code == MPI_SUCCESS)
            add_piece(&p, start / turn * l->stride[k], piece);
        start += n;
        count -= n;
    }
    if (code == MPI_SUCCESS && count >= turn) {
        code = whole_turns(l, k, count / turn, &piece);
        if (code == MPI_SUCCESS)
            add_piece(&p, start / turn * l->stride[k], piece);
        start += count / turn * turn;
        count %= turn;
    }
    if (code == MPI_SUCCESS && count) {
        code = range_of(l, k + 1, 0, count, &piece);
        if (code == MPI_SUCCESS)
            add_piece(&p, start / turn * l->stride[k], piece);
    }
    return join_pieces(&p, code, out);
}

/* ---- the cache */

enum { KEPT = 64 };

typedef struct entry {
    struct entry *next;
    MPI_Datatype type;
    int64_t pins;
    int64_t start, count; /* units */
    MPI_Datatype unit;
    int rank;
    int64_t size[ASH_MAX_RANK + 1], stride[ASH_MAX_RANK + 1];
} entry;
static entry *cache; /* the most recent first */

static size_t loops_bytes(int rank)
{
    return (size_t)rank * sizeof(int64_t);
}

static bool fits(const entry *e, const ash__mpi_layout *l, int64_t start, int64_t count)
{
    return e->unit == l->unit && e->rank == l->rank && e->start == start && e->count == count &&
           memcmp(e->size, l->size, loops_bytes(l->rank)) == 0 && memcmp(e->stride, l->stride, loops_bytes(l->rank)) == 0;
}

static void free_entry(entry **place)
{
    entry *e = *place;
    *place = e->next;
    MPI_Type_free(&e->type);
    free(e);
}

/* Frees those without a message behind the first `keep`; how many are left. */
static int64_t trim(int64_t keep)
{
    int64_t left = 0;
    for (entry **place = &cache; *place;) {
        if (left >= keep && !(*place)->pins) {
            free_entry(place);
            continue;
        }
        place = &(*place)->next;
        left++;
    }
    return left;
}

static void free_all(void)
{
    ash__mpi_lock();
    while (cache)
        free_entry(&cache);
    ash__mpi_unlock();
}

static ash_status make_entry(const char *function, const ash__mpi_layout *l, int64_t start, int64_t count, entry **made)
{
    entry *e = malloc(sizeof *e);
    if (!e)
        return ash__mpi_fail(ASH_ERR_MEMORY, function, "no memory for a datatype");
    *e = (entry){.start = start, .count = count, .unit = l->unit, .rank = l->rank};
    memcpy(e->size, l->size, loops_bytes(l->rank));
    memcpy(e->stride, l->stride, loops_bytes(l->rank));
    int code = range_of(l, 0, start, count, &e->type);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&e->type);
    const ash_status status = ash__mpi_result(function, code);
    if (status)
        free(e);
    *made = status ? NULL : e;
    return status;
}

/* The datatype of some units, pinned. */
static ash_status take(const char *function, const ash__mpi_layout *l, int64_t start, int64_t count, MPI_Datatype *type)
{
    ash__mpi_lock();
    ash_status status = ash__mpi_at_end(function, free_all);
    entry **place = &cache, *e = NULL;
    while (*place && !fits(*place, l, start, count))
        place = &(*place)->next;
    if (*place) {
        e = *place;
        *place = e->next;
    } else if (!status) {
        trim(KEPT - 1);
        status = make_entry(function, l, start, count, &e);
    }
    if (e) {
        e->next = cache;
        cache = e;
        e->pins++;
        *type = e->type;
    }
    ash__mpi_unlock();
    return status;
}

void ash_mpi_buffer_release(ash_mpi_message *message)
{
    if (!message || message->datatype == MPI_DATATYPE_NULL)
        return;
    ash__mpi_lock();
    for (entry *e = cache; e; e = e->next)
        if (e->type == message->datatype)
            e->pins--;
    ash__mpi_unlock();
    message->datatype = MPI_DATATYPE_NULL;
}

int64_t ash_mpi_free_datatypes(void)
{
    if (!ash__mpi_running())
        return 0; /* MPI_Finalize has freed them */
    ash__mpi_lock();
    const int64_t left = trim(0);
    ash__mpi_unlock();
    return left;
}

/* ---- messages */

ash_status ash__mpi_message_of(const char *function, const ash__mpi_layout *l, int64_t start, int64_t count,
                               ash_mpi_message *message)
{
    const int64_t units = count * l->parts;
    *message = (ash_mpi_message){.address = l->first, .count = 1, .datatype = MPI_DATATYPE_NULL};
    if (units <= INT_MAX && (l->dense || !units)) {
        *message = (ash_mpi_message){units ? l->first + start * ash__mpi_item(l) : l->first, (int)units, l->unit};
        return ASH_OK;
    }
    return take(function, l, start * l->parts, units, &message->datatype);
}

ash_status ash__mpi_message_whole(const char *function, const char *name, const ash_array *a, bool writes, ash_layout order,
                                  ash_mpi_message *message, int64_t *bytes)
{
    ash__mpi_layout layout;
    ash_status status = ash__mpi_layout_of(function, name, a, writes, order, &layout);
    *message = (ash_mpi_message){.datatype = MPI_DATATYPE_NULL};
    if (status)
        return status;
    *bytes = layout.elements * ash__mpi_item(&layout);
    return ash__mpi_message_of(function, &layout, 0, layout.elements, message);
}
