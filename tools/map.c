/*
 * map.c - `ashlar map`: a function string over one or more files.
 */
#include "tool.h"

#include <getopt.h>
#include <stdlib.h>

typedef struct arguments {
    tool_source source;
    ash_dtype dtype; /* of the result */
    const char *output;
    bool zip;
} arguments;

static int map_files(const char *function, char **path, int64_t count, const arguments *args)
{
    ash_operand *operand = calloc((size_t)count, sizeof *operand);
    if (!operand)
        return tool_fail("out of memory");
    int status = TOOL_OK;
    for (int64_t i = 0; i < count && status == TOOL_OK; i++) {
        operand[i] = ash_operand_array(tool_read(path[i], &args->source));
        status = operand[i].value.array ? TOOL_OK : TOOL_FAILED;
    }
    if (status == TOOL_OK) {
        const ash_operands operands = {operand, count};
        tool_progress("computing");
        const ash_array *result = args->zip ? ash_zip_map_with(function, operands, .dtype = args->dtype)
                                            : ash_map_with(function, operands, .dtype = args->dtype);
        tool_progress_end();
        status = tool_write(result, args->output, NULL, NULL);
    }
    free(operand);
    return status;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"columns", required_argument, NULL, 'c'}, {"dtype", required_argument, NULL, 'd'},
        {"output", required_argument, NULL, 'o'},  {"separator", required_argument, NULL, 's'},
        {"zip", no_argument, NULL, 'z'},           {0}};
    arguments args = {0};
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;)
        switch (option) {
        case 'c': args.source.columns = optarg; break;
        case 's': args.source.separator = optarg; break;
        case 'o': args.output = optarg; break;
        case 'z': args.zip = true; break;
        case 'd':
            args.dtype = ash_dtype_from_name(optarg);
            if (args.dtype == ASH_DTYPE_DEFAULT)
                return tool_fail_usage(&tool_map, "unknown dtype %s", optarg);
            break;
        default: return tool_bad_option(&tool_map, argv, option);
        }
    if (argc - optind < 2)
        return tool_fail_usage(&tool_map, argc == optind ? "a function is missing" : "an input file is missing");
    if (!tool_writable(args.output))
        return TOOL_FAILED;
    return map_files(argv[optind], argv + optind + 1, argc - optind - 1, &args);
}

const tool_command tool_map = {
    "map", "[OPTIONS] FUNCTION FILE...", "Applies a function string to the elements of files",
    "  -o, --output FILE  .npy, .npz, .csv or .safetensors; default: print the result\n"
    "  --dtype DTYPE      of the result; default what the function gives\n"
    "  --columns LIST     columns of CSV files: 0:4, 0,2,-1, or names from the first line\n"
    "  --separator CHAR   of CSV files; default a comma, a tab for .tsv\n"
    "  --zip              pair elements in order, to the shortest file, instead of broadcasting\n\n"
    "Files broadcast against each other, one for each parameter:\n"
    "  ashlar map \"x -> x^2\" in.npy -o out.npy\n"
    "  ashlar map \"(a, b) -> (a - b) / 2\" a.npy b.csv\n", run};
