/*
 * sort.c - `ashlar sort`: the elements of a file in order, along an axis or all of them.
 */
#include "tool.h"

#include <getopt.h>

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"axis", required_argument, NULL, 'a'},   {"by", required_argument, NULL, 'b'},
        {"columns", required_argument, NULL, 'c'}, {"descending", no_argument, NULL, 'd'},
        {"flat", no_argument, NULL, 'f'},         {"name", required_argument, NULL, 'n'},
        {"output", required_argument, NULL, 'o'}, {"separator", required_argument, NULL, 's'},
        {0}};
    int64_t axis = 0;
    const char *output = NULL;
    tool_source source = {0};
    ash_sort_options how = {ASH_SIZED(ash_sort_options)};
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;)
        switch (option) {
        case 'b': how.by = optarg; break;
        case 'c': source.columns = optarg; break;
        case 'd': how.descending = true; break;
        case 'f': how.flat = true; break;
        case 'n': source.name = optarg; break;
        case 'o': output = optarg; break;
        case 's': source.separator = optarg; break;
        case 'a':
            if (!tool_integer(&tool_sort, "--axis", optarg, -ASH_MAX_RANK, ASH_MAX_RANK - 1, &axis))
                return TOOL_USAGE;
            how.axes = (ash_axes){&axis, 1};
            break;
        default: return tool_bad_option(&tool_sort, argv, option);
        }
    if (argc - optind != 1)
        return tool_fail_usage(&tool_sort, argc == optind ? "a file is missing" : "one file at a time");
    if (how.flat && how.axes.axis)
        return tool_fail_usage(&tool_sort, "--flat sorts all elements, --axis along one axis: not both");
    if (!tool_writable(output))
        return TOOL_FAILED;
    const ash_array *a = tool_read(argv[optind], &source);
    if (!a)
        return TOOL_FAILED;
    if (ash_rank(a) > 1 && !how.flat && !how.axes.axis)
        return tool_fail_usage(&tool_sort, "%s has shape %s: --axis N or --flat must say what is sorted", argv[optind],
                               ash_shape_text(a));
    tool_progress("sorting");
    const ash_array *sorted = ash_sort_opt(a, &how);
    tool_progress_end();
    return tool_write(sorted, output, NULL, NULL);
}

const tool_command tool_sort = {
    "sort", "[OPTIONS] FILE", "Sorts the elements of a file along an axis, or all of them",
    "  --axis N           the axis, from 0, a negative one from the end; a vector needs none\n"
    "  --flat             all elements, as one vector\n"
    "  --descending       the largest first\n"
    "  --by FUNCTION      by what a function string makes of the elements, \"x -> abs(x)\"\n"
    "  --name NAME        of the array in an NPZ or safetensors file; default the first\n"
    "  --columns LIST     columns of a CSV file: 0:4, 0,2,-1, or names from its first line\n"
    "  --separator CHAR   of a CSV file; default a comma, a tab for .tsv\n"
    "  -o, --output FILE  .npy, .npz, .csv or .safetensors; default: print the result\n\n"
    "Equal elements keep their order; a NaN counts as larger than every number.\n"
    "  ashlar sort measurements.npy --axis 0 --descending -o sorted.npy\n", run};
