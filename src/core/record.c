/*
 * record.c - the table of record dtypes.
 *
 * A record is described once and gets a number; an equal description gets the same number again. The table only grows, and
 * what a slot points to never changes, so readers take no lock: a writer fills the slot first and then publishes the count.
 * Descriptions are copied, names included.
 *
 * Invariant: the fields of a record stand in order of offset, do not overlap, lie inside it, and are aligned as a C compiler
 * aligns them; every kernel may read a field by its own type.
 */
#include "core/record.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/alloc.h"
#include "core/error.h"

enum { NAME_MAX_BYTES = 255 };

static _Atomic(const ash__record_type *) table[ASH__RECORDS];
static atomic_int table_count;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

const ash__record_type *ash__record_of(ash_dtype dtype)
{
    const int64_t slot = (int64_t)dtype - ASH_RECORD_FIRST;
    if (slot < 0 || slot >= ASH__RECORDS)
        return NULL;
    return atomic_load_explicit(&table[slot], memory_order_acquire);
}

/* FNV-1a: only to skip unequal descriptions quickly. */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * 0x100000001b3U;
    return hash;
}

static uint64_t hash_description(const char *name, size_t size, const ash_field_info *fields, int64_t count)
{
    uint64_t hash = hash_bytes(0xcbf29ce484222325U, name, strlen(name) + 1);
    hash = hash_bytes(hash, &size, sizeof size);
    for (int64_t i = 0; i < count; i++) {
        hash = hash_bytes(hash, fields[i].name, strlen(fields[i].name) + 1);
        hash = hash_bytes(hash, &fields[i].dtype, sizeof fields[i].dtype);
        hash = hash_bytes(hash, &fields[i].offset, sizeof fields[i].offset);
        hash = hash_bytes(hash, &fields[i].count, sizeof fields[i].count);
    }
    return hash;
}

static bool same_field(const ash_field_info *a, const ash_field_info *b)
{
    return a->dtype == b->dtype && a->offset == b->offset && a->count == b->count && strcmp(a->name, b->name) == 0;
}

static bool same_record(const ash__record_type *r, const char *name, size_t size, const ash_field_info *fields, int64_t count)
{
    if (r->size != size || r->count != count || strcmp(r->name, name) != 0)
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!same_field(&r->field[i], &fields[i]))
            return false;
    return true;
}

/* The number of an equal description in slots first to last - 1, or DEFAULT. */
static ash_dtype find(int first, int last, uint64_t hash, const char *name, size_t size, const ash_field_info *fields,
                      int64_t count)
{
    for (int i = first; i < last; i++) {
        const ash__record_type *r = atomic_load_explicit(&table[i], memory_order_acquire);
        if (r->hash == hash && same_record(r, name, size, fields, count))
            return (ash_dtype)(ASH_RECORD_FIRST + i);
    }
    return ASH_DTYPE_DEFAULT;
}

/* ---- checks */

static ash_status check_name(const char *function, const char *what, int64_t number, const char *name)
{
    if (!name || !*name)
        return ash__fail(ASH_ERR_ARGUMENT, function, number < 0 ? "the %s has no name" : "%s %lld has no name", what,
                         (long long)number);
    if (strlen(name) > NAME_MAX_BYTES)
        return ash__fail(ASH_ERR_ARGUMENT, function, "the name %.20s... has %zu bytes; at most %d are allowed", name,
                         strlen(name), NAME_MAX_BYTES);
    return ASH_OK;
}

static ash_status check_unique(const char *function, const ash_field_info *fields, int64_t number)
{
    for (int64_t i = 0; i < number; i++)
        if (strcmp(fields[i].name, fields[number].name) == 0)
            return ash__fail(ASH_ERR_ARGUMENT, function, "fields %lld and %lld are both named %s", (long long)i,
                             (long long)number, fields[i].name);
    return ASH_OK;
}

/* One field that begins at or after `end`, where the one before it ends; *end becomes the end of this one. */
static ash_status check_field(const char *function, const ash_field_info *fields, int64_t number, size_t size, size_t *end)
{
    const ash_field_info *f = &fields[number];
    if (check_name(function, "field", number, f->name) != ASH_OK || check_unique(function, fields, number) != ASH_OK)
        return ASH_ERR_ARGUMENT;
    const size_t item = ash_dtype_size(f->dtype);
    if (item == 0)
        return ash__fail(ASH_ERR_DTYPE, function, "field %s has unsupported dtype %d", f->name, (int)f->dtype);
    if (f->count < 1)
        return ash__fail(ASH_ERR_ARGUMENT, function, "field %s has count %lld; it must be at least 1", f->name,
                         (long long)f->count);
    if (f->offset % ash__alignment_of(f->dtype) != 0)
        return ash__fail(ASH_ERR_ARGUMENT, function, "field %s of dtype %s at offset %zu is not aligned to %zu bytes", f->name,
                         ash_dtype_name(f->dtype), f->offset, ash__alignment_of(f->dtype));
    if (f->offset < *end)
        return ash__fail(ASH_ERR_ARGUMENT, function, "field %s at offset %zu begins before field %s ends, at %zu", f->name,
                         f->offset, fields[number - 1].name, *end);
    if (f->offset > size || (uint64_t)f->count > (size - f->offset) / item)
        return ash__fail(ASH_ERR_ARGUMENT, function,
                         "field %s at offset %zu, %lld times %zu bytes, does not lie inside the record's %zu bytes", f->name,
                         f->offset, (long long)f->count, item, size);
    *end = f->offset + (size_t)f->count * item;
    return ASH_OK;
}

/* *alignment and *depth of the record, or the failure. */
static ash_status check_description(const char *function, const char *name, size_t size, const ash_field_info *fields,
                                    int64_t count, size_t *alignment, int *depth)
{
    size_t end = 0;
    ash_status status = check_name(function, "record", -1, name);
    if (status != ASH_OK)
        return status;
    if (!fields || count < 1 || count > ASH__RECORD_FIELDS)
        return ash__fail(ASH_ERR_ARGUMENT, function, "record %s has %lld fields; it must have 1 to %d", name,
                         fields ? (long long)count : 0, ASH__RECORD_FIELDS);
    if (size > INT32_MAX)
        return ash__fail(ASH_ERR_ARGUMENT, function, "record %s has %zu bytes; it must be smaller than 2^31", name, size);

    *alignment = 1;
    *depth = 1;
    for (int64_t i = 0; i < count; i++) {
        status = check_field(function, fields, i, size, &end);
        if (status != ASH_OK)
            return status;
        const ash__record_type *inner = ash__record_of(fields[i].dtype);
        if (inner && inner->depth + 1 > *depth)
            *depth = inner->depth + 1;
        if (ash__alignment_of(fields[i].dtype) > *alignment)
            *alignment = ash__alignment_of(fields[i].dtype);
    }
    if (*depth > ASH__RECORD_DEPTH)
        return ash__fail(ASH_ERR_ARGUMENT, function, "record %s nests records %d deep; at most %d are allowed", name, *depth,
                         ASH__RECORD_DEPTH);
    if (size % *alignment != 0)
        return ash__fail(ASH_ERR_ARGUMENT, function,
                         "record %s has %zu bytes; its size must be a multiple of its alignment, %zu", name, size, *alignment);
    return ASH_OK;
}

/* ---- making one */

/* One block: the record, its fields, then all names. */
static ash__record_type *copy_description(const char *function, const char *name, size_t size, const ash_field_info *fields,
                                          int64_t count)
{
    size_t text = strlen(name) + 1;
    for (int64_t i = 0; i < count; i++)
        text += strlen(fields[i].name) + 1;
    ash__record_type *r = ash__alloc(function, 1, sizeof *r + (size_t)count * sizeof *fields + text);
    if (!r)
        return NULL;

    r->size = size;
    r->count = count;
    r->field = (ash_field_info *)(r + 1);
    char *to = (char *)(r->field + count);
    r->name = memcpy(to, name, strlen(name) + 1);
    to += strlen(name) + 1;
    for (int64_t i = 0; i < count; i++) {
        const size_t length = strlen(fields[i].name) + 1;
        r->field[i] = fields[i];
        r->field[i].name = memcpy(to, fields[i].name, length);
        to += length;
    }
    return r;
}

static ash_dtype append(const char *function, ash__record_type *record)
{
    const int slot = atomic_load_explicit(&table_count, memory_order_relaxed);
    if (slot == ASH__RECORDS) {
        ash__fail(ASH_ERR_MEMORY, function, "there are %d record dtypes already; record %s finds no room", ASH__RECORDS,
                  record->name);
        ash__free(record);
        return ASH_DTYPE_DEFAULT;
    }
    atomic_store_explicit(&table[slot], record, memory_order_release);
    atomic_store_explicit(&table_count, slot + 1, memory_order_release);
    return (ash_dtype)(ASH_RECORD_FIRST + slot);
}

ash_dtype ash__record_new(const char *function, const char *name, size_t size, const ash_field_info *fields, int64_t count)
{
    size_t alignment = 1;
    int depth = 1;
    if (check_description(function, name, size, fields, count, &alignment, &depth) != ASH_OK)
        return ASH_DTYPE_DEFAULT;

    const uint64_t hash = hash_description(name, size, fields, count);
    const int seen = atomic_load_explicit(&table_count, memory_order_acquire);
    ash_dtype dtype = find(0, seen, hash, name, size, fields, count);
    if (dtype != ASH_DTYPE_DEFAULT)
        return dtype;

    ash__record_type *record = copy_description(function, name, size, fields, count);
    if (!record)
        return ASH_DTYPE_DEFAULT;
    record->hash = hash;
    record->alignment = alignment;
    record->depth = depth;

    pthread_mutex_lock(&table_lock); /* another thread may have described the same record meanwhile */
    dtype = find(seen, atomic_load_explicit(&table_count, memory_order_relaxed), hash, name, size, fields, count);
    if (dtype != ASH_DTYPE_DEFAULT)
        ash__free(record);
    else
        dtype = append(function, record);
    pthread_mutex_unlock(&table_lock);
    return dtype;
}

/* ---- the public face */

ash_dtype ash_dtype_record(const char *name, size_t size, const ash_field_info *fields, int64_t count)
{
    return ash__record_new("ash_dtype_record", name, size, fields, count);
}

int64_t ash_dtype_field_count(ash_dtype dtype)
{
    const ash__record_type *record = ash__record_of(dtype);
    return record ? record->count : 0;
}

bool ash_dtype_field(ash_dtype dtype, int64_t number, ash_field_info *field)
{
    const ash__record_type *record = ash__record_of(dtype);
    if (!record || !field || number < 0 || number >= record->count)
        return false;
    *field = record->field[number];
    return true;
}

int64_t ash__field_number(ash_dtype record, const char *name)
{
    const ash__record_type *r = ash__record_of(record);
    if (!r || !name)
        return -1;
    for (int64_t i = 0; i < r->count; i++)
        if (strcmp(r->field[i].name, name) == 0)
            return i;
    return -1;
}
