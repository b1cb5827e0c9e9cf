/*
 * info.c - `ashlar info`: what is in a file, without printing it.
 */
#include "tool.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

/* The value alone: what ash_format writes after "ash.scalar DTYPE DEVICE ". */
static void print_value(const char *word, const ash_array *a)
{
    char text[256];
    ash_format(text, sizeof text, a);
    const char *value = strrchr(text, ' ');
    printf("%-8s %s\n", word, value ? value + 1 : text);
}

static bool is_complex(ash_dtype dtype)
{
    return dtype >= ASH_C_I8 && dtype <= ASH_C_F64;
}

static int print_statistics(const ash_array *a)
{
    const ash_dtype dtype = ash_dtype_of(a);
    if (dtype >= ASH_RECORD_FIRST || is_complex(dtype) || ash_size(a) == 0)
        return TOOL_OK;
    tool_progress("looking at the values");
    const ash_array *missing = ash_count(ash_map("x -> x != x", a));
    const ash_extrema_result ends = ash_extrema(a);
    const ash_array *mean = ash_mean(a);
    if (ash_failed())
        return tool_fail_library();
    tool_progress_end();
    print_value("min", ends.min);
    print_value("max", ends.max);
    print_value("mean", mean);
    if (dtype >= ASH_F16)
        print_value("nan", missing);
    return TOOL_OK;
}

static void print_fields(ash_dtype dtype)
{
    ash_field_info field;
    for (int64_t i = 0; ash_dtype_field(dtype, i, &field); i++) {
        printf("field    %s %s", field.name, ash_dtype_name(field.dtype));
        if (field.count != 1)
            printf("[%" PRId64 "]", field.count);
        printf(" at byte %zu\n", field.offset);
    }
}

/* A name from a file, on one line and without what a terminal obeys. */
static void print_name(const char *name)
{
    for (; *name; name++)
        putchar((unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name);
}

/* A line for each array in a file that holds many. */
static int list(const char *path)
{
    const ash_tree *t = tool_load(path, ASH_DTYPE_DEFAULT, ASH_LAYOUT_DEFAULT, false);
    if (!t)
        return TOOL_FAILED;
    tool_progress_end();
    printf("file     %s\n", path);
    printf("arrays   %" PRId64 "\n", ash_tree_arrays(t));
    for (int64_t i = 0; i < ash_tree_count(t); i++) {
        const ash_tree *entry = ash_tree_at(t, i);
        if (ash_tree_kind_of(entry) == ASH_TREE_ARRAY) {
            const ash_array *a = ash_tree_get(entry, NULL);
            printf("array    ");
            print_name(ash_tree_name(t, i));
            printf(" %s %s\n", ash_dtype_name(ash_dtype_of(a)), ash_shape_text(a));
        } else {
            char text[256];
            ash_tree_format(text, sizeof text, entry);
            printf("other    ");
            print_name(ash_tree_name(t, i));
            printf(" = ");
            print_name(text);
            putchar('\n');
        }
    }
    return TOOL_OK;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {{"columns", required_argument, NULL, 'c'},
                                            {"name", required_argument, NULL, 'n'},
                                            {"separator", required_argument, NULL, 's'},
                                            {0}};
    tool_source source = {0};
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;)
        switch (option) {
        case 'c': source.columns = optarg; break;
        case 'n': source.name = optarg; break;
        case 's': source.separator = optarg; break;
        default: return tool_bad_option(&tool_info, argv, option);
        }
    if (argc - optind != 1)
        return tool_fail_usage(&tool_info, argc == optind ? "a file is missing" : "one file at a time");
    const char *path = argv[optind];
    if (tool_holds_many(tool_kind_of(path)) && !source.name)
        return list(path);
    const ash_array *a = tool_read(path, &source);
    if (!a)
        return TOOL_FAILED;
    tool_progress_end();
    printf("file     %s\n", path);
    printf("dtype    %s\n", ash_dtype_name(ash_dtype_of(a)));
    print_fields(ash_dtype_of(a));
    printf("shape    %s\n", ash_shape_text(a));
    printf("layout   %s\n", ash_layout_name(ash_layout_of(a)));
    printf("bytes    %zu\n", ash_nbytes(a));
    return print_statistics(a);
}

const tool_command tool_info = {
    "info", "[OPTIONS] FILE", "Shows dtype, shape, layout, size and range of a file",
    "  --name NAME       one array of an NPZ or safetensors file; default: list them\n"
    "  --columns LIST    columns of a CSV file: 0:4, 0,2,-1, or names from its first line\n"
    "  --separator CHAR  of a CSV file; default a comma, a tab for .tsv\n", run};
