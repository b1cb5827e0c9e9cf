/*
 * tool.h - what the subcommands of the program share: how they are listed, how they fail, files by their extension.
 *
 * Every failure is one line on stderr that starts with "ashlar: ", and the exit status: TOOL_FAILED for work that could not be
 * done, TOOL_USAGE for a command line that makes no sense.
 */
#ifndef TOOL_H
#define TOOL_H
#include <ashlar/ashlar.h>

enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_USAGE = 2 };

typedef struct tool_command {
    const char *name, *arguments, *summary;
    const char *help;                    /* the options, a line each, and what else there is to say */
    int (*run)(int argc, char **argv);   /* argv[0] is the subcommand; options permute as getopt_long does */
} tool_command;

extern const tool_command tool_devices, tool_info, tool_show, tool_map, tool_reduce, tool_sort, tool_convert, tool_kmeans;

/* ---- failing: all give back the exit status */
int tool_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int tool_fail_usage(const tool_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
int tool_fail_library(void);                              /* the pending error */
int tool_bad_option(const tool_command *command, char **argv, int option); /* what getopt_long answered: help, or a fault */
/* The value of an option; false after a message. */
bool tool_integer(const tool_command *command, const char *option, const char *text, int64_t low, int64_t high, int64_t *value);

/* ---- files */
typedef struct tool_source {
    const char *columns;   /* of a CSV file; NULL: all */
    const char *separator; /* of a CSV file; NULL: by its extension */
    const char *name;      /* of an array in an NPZ or safetensors file; NULL: the first */
    ash_dtype dtype;       /* ASH_DTYPE_DEFAULT: the file's */
} tool_source;

typedef enum tool_kind { TOOL_UNKNOWN, TOOL_CSV, TOOL_TSV, TOOL_NPY, TOOL_NPZ, TOOL_SAFETENSORS } tool_kind;
tool_kind tool_kind_of(const char *path); /* by its extension */
static inline bool tool_holds_many(tool_kind kind) { return kind == TOOL_NPZ || kind == TOOL_SAFETENSORS; }

/* .csv, .tsv, .txt, .npz and .safetensors are read, .npy is mapped. NULL after a message. */
ash_array *tool_read(const char *path, const tool_source *source);
/* All arrays of an NPZ or safetensors file. NULL after a message. */
ash_tree *tool_load(const char *path, ash_dtype dtype, ash_layout layout, bool exact);
/* By extension, too; path NULL prints to stdout. name: in a file that holds many. Gives back the exit status. */
int tool_write(const ash_array *a, const char *path, const char *header, const char *name);
int tool_save(const ash_tree *t, const char *path); /* to a file that holds many */
bool tool_writable(const char *path); /* by its extension; false after a message */
/* The name of each of `count` columns, from the first line of a CSV file where that is a header, else their numbers. One block,
 * to be freed; NULL when there is no memory. */
char **tool_column_names(const char *path, const tool_source *source, int64_t count);

/* ---- values, whatever the storage */
double tool_f64(const ash_array *a);   /* rank 0; NaN after a failure */
int64_t tool_i64(const ash_array *a);  /* rank 0; 0 after a failure */

/* ---- progress on stderr, when that is a terminal: a line that appears when the work takes longer than a second */
void tool_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tool_progress_end(void);
#endif
