/*
 * disk.h - compiled kernels in a folder, found by what they were made of: opt-in, bounded in bytes, safe among processes.
 *
 * Nothing of it ever fails a call. What cannot be read, or is not what was written, is not there; what cannot be written is not
 * kept. Both are counted and traced.
 */
#ifndef ASH__DISK_H
#define ASH__DISK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ashlar/error.h"

/* identity: all that the bytes depend on but the text. */
typedef struct ash__disk_entry {
    const char *text;
    const void *bytes;
    size_t nbytes;
} ash__disk_entry;

/* Is there a folder? What the environment says of it wrongly is an error of its own. */
ash_status ash__disk_open(bool *on);
/* *held: to be freed by free; what is in `entry` lies in it. False: there is none. */
bool ash__disk_get(const char *identity, const char *text, ash__disk_entry *entry, void **held);
void ash__disk_put(const char *identity, const ash__disk_entry *entry);
/* All entries of an identity in turn, the youngest first, until `each` says no. */
void ash__disk_each(const char *identity, bool (*each)(void *context, const ash__disk_entry *entry), void *context);

/* For ash_config_print: "off", or the folder; and where it comes from. */
const char *ash__disk_words(char *text, size_t size, size_t *limit, bool *by_program);

/* Of bytes, eight at a time, by the constant of FNV-1a and a turn that brings high bits down. */
uint64_t ash__hash(const void *bytes, size_t length);

/* What became of kernels: counted for ash_compile_stats. */
typedef enum ash__compile_count {
    ASH__COMPILED,
    ASH__LOADED,
    ASH__STORED,
    ASH__REJECTED, /* files that are not what was written */
    ASH__UNSTORED,
    ASH__COMPILE_COUNTS
} ash__compile_count;
void ash__compile_counts(ash__compile_count what);
#endif
