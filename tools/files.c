/*
 * files.c - arrays from and to files, the kind of file chosen by its extension; names of columns; single values.
 */
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char endings[] = ".csv, .tsv, .txt, .npy, .npz or .safetensors";

tool_kind tool_kind_of(const char *path)
{
    static const struct {
        const char *end;
        tool_kind kind;
    } ends[] = {{".csv", TOOL_CSV}, {".txt", TOOL_CSV}, {".tsv", TOOL_TSV},
                {".npy", TOOL_NPY}, {".npz", TOOL_NPZ}, {".safetensors", TOOL_SAFETENSORS}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t end = strlen(ends[i].end);
        if (length > end && strcasecmp(path + length - end, ends[i].end) == 0)
            return ends[i].kind;
    }
    return TOOL_UNKNOWN;
}

static char separator_of(const char *path, const tool_source *source)
{
    if (source->separator)
        return strcmp(source->separator, "\\t") == 0 ? '\t' : source->separator[0];
    return tool_kind_of(path) == TOOL_TSV ? '\t' : ',';
}

static ash_array *read_npy(const char *path, const tool_source *source)
{
    ASH_SCOPE(scope);
    ash_array *a = ash_read_npy(path, .mapped = true);
    if (!a) { /* one that cannot be mapped, such as of another byte order, or a real fault, which is met again */
        ash_error_clear();
        a = ash_read_npy(path);
    }
    if (source->dtype != ASH_DTYPE_DEFAULT)
        a = ash_convert(a, source->dtype);
    return ash_keep(scope, a);
}

static const ash_array *first_array(const ash_tree *t)
{
    for (int64_t i = 0; i < ash_tree_count(t); i++) {
        const ash_tree *entry = ash_tree_at(t, i);
        if (ash_tree_kind_of(entry) == ASH_TREE_ARRAY)
            return ash_tree_get(entry, NULL);
    }
    return NULL;
}

/* One of the arrays in a file that holds many. */
static ash_array *read_one(const char *path, tool_kind kind, const tool_source *source)
{
    if (source->name)
        return kind == TOOL_NPZ ? ash_read_npz(path, source->name, .dtype = source->dtype)
                                : ash_read_safetensors(path, source->name, .dtype = source->dtype);
    ASH_SCOPE(scope);
    const ash_tree *t =
        kind == TOOL_NPZ ? ash_load_npz(path, .dtype = source->dtype) : ash_load_safetensors(path, .dtype = source->dtype);
    const ash_array *a = t ? first_array(t) : NULL;
    if (t && !a)
        tool_fail("%s: there is no array in it", path);
    return a ? ash_keep(scope, ash_share(a)) : NULL;
}

static ash_array *read_any(const char *path, tool_kind kind, const tool_source *source)
{
    if (tool_holds_many(kind))
        return read_one(path, kind, source);
    if (kind == TOOL_NPY)
        return read_npy(path, source);
    return ash_read_csv(path, .columns = source->columns, .dtype = source->dtype, .separator = separator_of(path, source));
}

ash_array *tool_read(const char *path, const tool_source *source)
{
    const tool_kind kind = tool_kind_of(path);
    if (kind == TOOL_UNKNOWN)
        tool_fail("%s: unknown kind of file; it must end in %s", path, endings);
    else if (kind != TOOL_CSV && kind != TOOL_TSV && (source->columns || source->separator))
        tool_fail("%s: --columns and --separator are for CSV files", path);
    else if (source->name && !tool_holds_many(kind))
        tool_fail("%s: --name is for NPZ and safetensors files", path);
    else {
        tool_progress("reading %s", path);
        ash_array *a = read_any(path, kind, source);
        if (!a && ash_failed())
            tool_fail_library();
        return a;
    }
    return NULL;
}

ash_tree *tool_load(const char *path, ash_dtype dtype, ash_layout layout, bool exact)
{
    tool_progress("reading %s", path);
    ash_tree *t = NULL;
    if (tool_kind_of(path) == TOOL_NPZ) {
        t = ash_load_npz(path, .dtype = dtype, .layout = layout, .exact = exact);
    } else {
        if (!dtype && !layout)
            t = ash_load_safetensors(path, .mapped = true);
        if (!t) { /* one that is not aligned, or a real fault, which is met again */
            ash_error_clear();
            t = ash_load_safetensors(path, .dtype = dtype, .layout = layout, .exact = exact);
        }
    }
    if (!t)
        tool_fail_library();
    return t;
}

bool tool_writable(const char *path)
{
    if (!path || tool_kind_of(path) != TOOL_UNKNOWN)
        return true;
    tool_fail("%s: unknown kind of file; it must end in %s", path, endings);
    return false;
}

int tool_save(const ash_tree *t, const char *path)
{
    tool_progress("writing %s", path);
    const ash_status status = tool_kind_of(path) == TOOL_NPZ ? ash_save_npz(t, path) : ash_save_safetensors(t, path);
    return status == ASH_OK ? TOOL_OK : tool_fail_library();
}

int tool_write(const ash_array *a, const char *path, const char *header, const char *name)
{
    if (!a)
        return tool_fail_library();
    if (!path)
        return ash_print(a) == ASH_OK ? TOOL_OK : tool_fail_library();
    const tool_kind kind = tool_kind_of(path);
    if (tool_holds_many(kind)) {
        ASH_SCOPE(scope);
        ash_tree *t = ash_tree_new();
        ash_tree_put(t, name ? name : "arr_0", a); /* as numpy.savez calls it */
        return ash_failed() ? tool_fail_library() : tool_save(t, path);
    }
    tool_progress("writing %s", path);
    const ash_status status = kind == TOOL_NPY
                                  ? ash_write_npy(a, path)
                                  : ash_write_csv(a, path, .header = header, .separator = kind == TOOL_TSV ? '\t' : ',');
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
    const tool_kind kind = tool_kind_of(path);
    FILE *file = kind == TOOL_CSV || kind == TOOL_TSV ? fopen(path, "r") : NULL;
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
