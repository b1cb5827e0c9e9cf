/*
 * convert.c - `ashlar convert`: from CSV to NPY and back, from one dtype or layout to another.
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

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"columns", required_argument, NULL, 'c'}, {"dtype", required_argument, NULL, 'd'},
        {"exact", no_argument, NULL, 'e'},         {"header", required_argument, NULL, 'h'},
        {"layout", required_argument, NULL, 'l'},  {"separator", required_argument, NULL, 's'},
        {0}};
    tool_source source = {0};
    ash_dtype dtype = ASH_DTYPE_DEFAULT;
    ash_layout layout = ASH_LAYOUT_DEFAULT;
    const char *header = NULL;
    bool exact = false;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;)
        switch (option) {
        case 'c': source.columns = optarg; break;
        case 's': source.separator = optarg; break;
        case 'e': exact = true; break;
        case 'h': header = optarg; break;
        case 'd':
            dtype = ash_dtype_from_name(optarg);
            if (dtype == ASH_DTYPE_DEFAULT)
                return tool_fail_usage(&tool_convert, "unknown dtype %s", optarg);
            break;
        case 'l':
            layout = layout_named(optarg);
            if (layout == ASH_LAYOUT_DEFAULT)
                return tool_fail_usage(&tool_convert, "--layout is %s; it must be row-major or col-major", optarg);
            break;
        default: return tool_bad_option(&tool_convert, argv, option);
        }
    if (argc - optind != 2)
        return tool_fail_usage(&tool_convert, "an input and an output file are wanted");
    if (!tool_writable(argv[optind + 1]))
        return TOOL_FAILED;
    if (!exact)
        source.dtype = dtype; /* an exact conversion starts from what the file holds */
    const ash_array *a = tool_read(argv[optind], &source);
    if (!a)
        return TOOL_FAILED;
    tool_progress("converting");
    if (exact && dtype != ASH_DTYPE_DEFAULT)
        a = ash_convert(a, dtype, .exact = true);
    if (layout != ASH_LAYOUT_DEFAULT)
        a = ash_contiguous(a, .layout = layout);
    return tool_write(a, argv[optind + 1], header);
}

const tool_command tool_convert = {
    "convert", "[OPTIONS] INPUT OUTPUT", "Converts between CSV and NPY, dtypes and layouts",
    "  --dtype DTYPE      of the output: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c_f32 c_f64 ...\n"
    "  --exact            any change of a value is an error\n"
    "  --layout LAYOUT    of an NPY output: row-major or col-major\n"
    "  --columns LIST     columns of a CSV input: 0:4, 0,2,-1, or names from its first line\n"
    "  --separator CHAR   of a CSV input; default a comma, a tab for .tsv\n"
    "  --header TEXT      first line of a CSV output\n\n"
    "Without --exact, floats are truncated towards zero for an integer dtype; a value that does not fit is an error.\n"
    "  ashlar convert in.csv out.npy --dtype f32 --columns 0:4\n", run};
