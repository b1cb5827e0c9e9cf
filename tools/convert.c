/*
 * convert.c - `ashlar convert`: from one kind of file, dtype or layout to another.
 *
 * Between files that hold many arrays all of them go over, unless one is named.
 */
#include "tool.h"

#include <getopt.h>
#include <string.h>

static ash_layout layout_named(const char *name)
{
    if (strcmp(name, "row-major") == 0)
        return ASH_ROW_MAJOR;
    return strcmp(name, "col-major") == 0 ? ASH_COL_MAJOR : ASH_LAYOUT_DEFAULT;
}

typedef struct arguments {
    tool_source source;
    ash_dtype dtype; /* of the output */
    ash_layout layout;
    const char *header;
    bool exact;
} arguments;

static int convert_all(const char *input, const char *output, const arguments *args)
{
    const ash_tree *t = tool_load(input, args->dtype, args->layout, args->exact);
    return t ? tool_save(t, output) : TOOL_FAILED;
}

static int convert_one(const char *input, const char *output, const arguments *args)
{
    tool_source source = args->source;
    if (!args->exact)
        source.dtype = args->dtype; /* an exact conversion starts from what the file holds */
    if (!tool_holds_many(tool_kind_of(input)))
        source.name = NULL; /* it is the output's */
    const ash_array *a = tool_read(input, &source);
    if (!a)
        return TOOL_FAILED;
    tool_progress("converting");
    if (args->exact && args->dtype != ASH_DTYPE_DEFAULT)
        a = ash_convert(a, args->dtype, .exact = true);
    if (args->layout != ASH_LAYOUT_DEFAULT)
        a = ash_contiguous(a, .layout = args->layout);
    return tool_write(a, output, args->header, args->source.name);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"columns", required_argument, NULL, 'c'}, {"dtype", required_argument, NULL, 'd'},
        {"exact", no_argument, NULL, 'e'},         {"header", required_argument, NULL, 'h'},
        {"layout", required_argument, NULL, 'l'},  {"name", required_argument, NULL, 'n'},
        {"separator", required_argument, NULL, 's'}, {0}};
    arguments args = {0};
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;)
        switch (option) {
        case 'c': args.source.columns = optarg; break;
        case 's': args.source.separator = optarg; break;
        case 'e': args.exact = true; break;
        case 'h': args.header = optarg; break;
        case 'n': args.source.name = optarg; break;
        case 'd':
            args.dtype = ash_dtype_from_name(optarg);
            if (args.dtype == ASH_DTYPE_DEFAULT)
                return tool_fail_usage(&tool_convert, "unknown dtype %s", optarg);
            break;
        case 'l':
            args.layout = layout_named(optarg);
            if (args.layout == ASH_LAYOUT_DEFAULT)
                return tool_fail_usage(&tool_convert, "--layout is %s; it must be row-major or col-major", optarg);
            break;
        default: return tool_bad_option(&tool_convert, argv, option);
        }
    if (argc - optind != 2)
        return tool_fail_usage(&tool_convert, "an input and an output file are wanted");
    const char *input = argv[optind], *output = argv[optind + 1];
    if (!tool_writable(output))
        return TOOL_FAILED;
    const bool all = tool_holds_many(tool_kind_of(input)) && tool_holds_many(tool_kind_of(output)) && !args.source.name;
    return all ? convert_all(input, output, &args) : convert_one(input, output, &args);
}

const tool_command tool_convert = {
    "convert", "[OPTIONS] INPUT OUTPUT", "Converts between CSV, NPY, NPZ and safetensors, dtypes and layouts",
    "  --dtype DTYPE      of the output: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c_f32 c_f64 ...\n"
    "  --exact            any change of a value is an error\n"
    "  --layout LAYOUT    of an NPY or NPZ output: row-major or col-major\n"
    "  --name NAME        of the array in an NPZ or safetensors file; default the first of an input, arr_0 of an output\n"
    "  --columns LIST     columns of a CSV input: 0:4, 0,2,-1, or names from its first line\n"
    "  --separator CHAR   of a CSV input; default a comma, a tab for .tsv\n"
    "  --header TEXT      first line of a CSV output\n\n"
    "Without --exact, floats are truncated towards zero for an integer dtype; a value that does not fit is an error.\n"
    "Between NPZ and safetensors all arrays go over, unless one is named.\n"
    "  ashlar convert in.csv out.npy --dtype f32 --columns 0:4\n", run};
