/*
 * reduce.c - `ashlar reduce`: sums, extrema and other folds of a file, over all of it or along axes.
 */
#include "tool.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

typedef ash_array *reduction(const ash_array *a, const ash_reduce_options *options);
static const struct {
    const char *name;
    reduction *apply;
} reductions[] = {{"sum", ash_sum_opt},       {"prod", ash_prod_opt},     {"min", ash_min_opt},   {"max", ash_max_opt},
                  {"mean", ash_mean_opt},     {"var", ash_var_opt},       {"std", ash_std_opt},   {"any", ash_any_opt},
                  {"all", ash_all_opt},       {"count", ash_count_opt},   {"argmin", ash_argmin_opt},
                  {"argmax", ash_argmax_opt}};

static reduction *find(const char *name)
{
    for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; i++)
        if (strcmp(reductions[i].name, name) == 0)
            return reductions[i].apply;
    return NULL;
}

/* "0", "0,2", "-1". The library checks them against the rank. */
static bool parse_axes(const char *text, int64_t *axis, int64_t *count)
{
    *count = 0;
    for (;;) {
        char *end;
        errno = 0;
        const long long value = strtoll(text, &end, 10);
        if (end == text || errno || (*end && *end != ',') || *count == ASH_MAX_RANK)
            return false;
        axis[(*count)++] = value;
        if (!*end)
            return true;
        text = end + 1;
    }
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"axis", required_argument, NULL, 'a'},   {"columns", required_argument, NULL, 'c'},
        {"dtype", required_argument, NULL, 'd'},  {"keep", no_argument, NULL, 'k'},
        {"output", required_argument, NULL, 'o'}, {"population", no_argument, NULL, 'p'},
        {"separator", required_argument, NULL, 's'}, {0}};
    int64_t axis[ASH_MAX_RANK], axes = 0;
    const char *output = NULL;
    tool_source source = {0};
    ash_reduce_options how = {.drop = true, ASH_SIZED(ash_reduce_options)};
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;)
        switch (option) {
        case 'c': source.columns = optarg; break;
        case 's': source.separator = optarg; break;
        case 'o': output = optarg; break;
        case 'k': how.drop = false; break;
        case 'p': how.population = true; break;
        case 'd':
            source.dtype = ash_dtype_from_name(optarg);
            if (source.dtype == ASH_DTYPE_DEFAULT)
                return tool_fail_usage(&tool_reduce, "unknown dtype %s", optarg);
            break;
        case 'a':
            if (!parse_axes(optarg, axis, &axes))
                return tool_fail_usage(&tool_reduce, "--axis is %s; it must be integers with commas between", optarg);
            how.axes = (ash_axes){axis, axes};
            break;
        default: return tool_bad_option(&tool_reduce, argv, option);
        }
    if (argc - optind != 2)
        return tool_fail_usage(&tool_reduce, "an operation and a file are wanted");
    reduction *apply = find(argv[optind]);
    if (!apply)
        return tool_fail_usage(&tool_reduce, "unknown operation %s", argv[optind]);
    if (how.population && apply != ash_var_opt && apply != ash_std_opt)
        return tool_fail_usage(&tool_reduce, "--population is for var and std");
    if (!tool_writable(output))
        return TOOL_FAILED;
    const ash_array *a = tool_read(argv[optind + 1], &source);
    if (!a)
        return TOOL_FAILED;
    tool_progress("computing");
    const ash_array *result = apply(a, &how);
    tool_progress_end();
    return tool_write(result, output, NULL, NULL);
}

const tool_command tool_reduce = {
    "reduce", "[OPTIONS] OPERATION FILE", "Folds a file into one value, or along axes",
    "  --axis LIST        axes to fold, from 0, negative ones from the end: 0, or 0,2; default all\n"
    "  --keep             keep folded axes with size 1 instead of leaving them out\n"
    "  --population       var and std: divide by n, not by n - 1\n"
    "  --dtype DTYPE      convert the file's elements first\n"
    "  --columns LIST     columns of a CSV file: 0:4, 0,2,-1, or names from its first line\n"
    "  --separator CHAR   of a CSV file; default a comma, a tab for .tsv\n"
    "  -o, --output FILE  .npy, .npz, .csv or .safetensors; default: print the result\n\n"
    "Operations: sum prod min max mean var std any all count argmin argmax.\n"
    "  ashlar reduce sum file.npy --axis 0\n", run};
