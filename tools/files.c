/*
 * files.c - arrays from and to files, the kind of file chosen by its extension; names of columns; single values.
 */
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum file_kind { UNKNOWN, CSV, TSV, NPY } file_kind;

static file_kind kind_of(const char *path)
{
    static const struct {
        const char *end;
        file_kind kind;
    } ends[] = {{".csv", CSV}, {".txt", CSV}, {".tsv", TSV}, {".npy", NPY}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (length > 4 && strcasecmp(path + length - 4, ends[i].end) == 0)
            return ends[i].kind;
    return UNKNOWN;
}

static char separator_of(const char *path, const tool_source *source)
{
    if (source->separator)
        return strcmp(source->separator, "\\t") == 0 ? '\t' : source->separator[0];
    return kind_of(path) == TSV ? '\t' : ',';
}

static ash_array *read_npy(const char *path, const tool_source *source)
{
    ASH_SCOPE(scope);
    ash_array *a = ash_read_npy(path, .mapped = true);
    if (source->dtype != ASH_DTYPE_DEFAULT)
        a = ash_convert(a, source->dtype);
    return ash_keep(scope, a);
}

ash_array *tool_read(const char *path, const tool_source *source)
{
    const file_kind kind = kind_of(path);
    if (kind == UNKNOWN) {
        tool_fail("%s: unknown kind of file; it must end in .csv, .tsv, .txt or .npy", path);
        return NULL;
    }
    if (kind == NPY && (source->columns || source->separator)) {
        tool_fail("%s: --columns and --separator are for CSV files", path);
        return NULL;
    }
    tool_progress("reading %s", path);
    ash_array *a = kind == NPY ? read_npy(path, source)
                               : ash_read_csv(path, .columns = source->columns, .dtype = source->dtype,
                                              .separator = separator_of(path, source));
    if (!a)
        tool_fail_library();
    return a;
}

bool tool_writable(const char *path)
{
    if (!path || kind_of(path) != UNKNOWN)
        return true;
    tool_fail("%s: unknown kind of file; it must end in .csv, .tsv, .txt or .npy", path);
    return false;
}

int tool_write(const ash_array *a, const char *path, const char *header)
{
    if (!a)
        return tool_fail_library();
    if (!path)
        return ash_print(a) == ASH_OK ? TOOL_OK : tool_fail_library();
    tool_progress("writing %s", path);
    const file_kind kind = kind_of(path);
    const ash_status status = kind == NPY ? ash_write_npy(a, path)
                                          : ash_write_csv(a, path, .header = header, .separator = kind == TSV ? '\t' : ',');
    return status == ASH_OK ? TOOL_OK : tool_fail_library();
}

/* ---- names of columns ---- */

/* Cuts the first line at its separators; quotes are taken off. Gives back the number of fields. */
static int64_t split(char *line, char separator, char **field, int64_t room)
{
    int64_t count = 0;
    char *in = line;
    while (count < room) {
        char *out = in;
        const bool quoted = *in == '"';
        field[count++] = out;
        in += quoted;
        for (; *in && *in != '\n' && *in != '\r'; in++) {
            if (quoted && *in == '"' && *++in != '"')
                break;
            if (!quoted && *in == separator)
                break;
            *out++ = *in;
        }
        const bool more = *in == separator;
        *out = '\0';
        if (!more)
            break;
        in++;
    }
    return count;
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && *end == '\0';
}

/* The numbers that --columns stands for, as the library reads them: "0:4", "0,2", "-1", names. Gives back how many. */
static int64_t choose(const char *columns, char **field, int64_t fields, int64_t *chosen, int64_t room)
{
    int64_t count = 0;
    if (!columns)
        columns = ":";
    while (*columns && count < room) {
        const size_t length = strcspn(columns, ",");
        const char *colon = memchr(columns, ':', length);
        char *end;
        int64_t start = strtoll(columns, &end, 10);
        const bool number = colon || (length > 0 && end == columns + length);
        int64_t stop = number && !colon ? start + 1 : fields;
        if (colon && colon + 1 < columns + length)
            stop = strtoll(colon + 1, NULL, 10);
        if (start < 0)
            start += fields, stop += colon ? 0 : fields;
        if (stop < 0)
            stop += fields;
        for (int64_t j = 0; j < fields && count < room; j++)
            if (number ? j >= start && j < stop : strlen(field[j]) == length && memcmp(field[j], columns, length) == 0)
                chosen[count++] = j;
        columns += length + (columns[length] == ',');
    }
    return count;
}

/* One block: the pointers, then the texts. */
static char **name_list(char **field, const int64_t *chosen, int64_t count)
{
    size_t bytes = (size_t)count * sizeof(char *);
    for (int64_t j = 0; j < count; j++)
        bytes += (field ? strlen(field[chosen[j]]) : 32) + 1;
    char **names = malloc(bytes + 1);
    if (!names)
        return NULL;
    char *text = (char *)(names + count);
    for (int64_t j = 0; j < count; j++) {
        names[j] = text;
        if (field)
            text = stpcpy(text, field[chosen[j]]) + 1;
        else
            text += snprintf(text, 32, "column %lld", (long long)j) + 1;
    }
    return names;
}

char **tool_column_names(const char *path, const tool_source *source, int64_t count)
{
    enum { FIELDS = 4096 };
    char **names = NULL, *line = NULL;
    char **field = malloc(FIELDS * sizeof *field);
    int64_t *chosen = malloc((size_t)count * sizeof *chosen + 1);
    size_t room = 0;
    FILE *file = kind_of(path) == NPY ? NULL : fopen(path, "r");
    if (file && field && chosen && getline(&line, &room, file) > 0) {
        const int64_t fields = split(line, separator_of(path, source), field, FIELDS);
        bool header = choose(source->columns, field, fields, chosen, count) == count;
        for (int64_t j = 0; header && j < count; j++)
            header = field[chosen[j]][0] && !is_number(field[chosen[j]]);
        if (header)
            names = name_list(field, chosen, count);
    }
    if (file)
        fclose(file);
    free(line);
    free(chosen);
    free(field);
    return names ? names : name_list(NULL, NULL, count);
}

/* ---- values ---- */

double tool_f64(const ash_array *a)
{
    double value = NAN;
    ash_to_host_as(a, &value, sizeof value, ASH_F64);
    return value;
}

int64_t tool_i64(const ash_array *a)
{
    int64_t value = 0;
    ash_to_host_as(a, &value, sizeof value, ASH_I64);
    return value;
}
