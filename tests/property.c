/*
 * property.c - operations against plain models, over random shapes, strides, dtypes, layouts, storages and values.
 *
 * Each draw makes arguments, calls one operation, and compares dtype, shape and every bit with a model that goes element by
 * element from index arithmetic, written from the documentation alone; then every argument, and the memory around it, must be
 * what it was, or what the model says. About one draw in twelve has a fault that must be refused with the right status.
 *
 * Draw number n is the seed's plus n and can be repeated alone:
 *
 *   test-property [--device NAME] [--draws N] [--seed N] [--operation NAME] [--threads N] [--most N] [--failures N]
 *
 * The device is also that of ASHLAR_TEST_DEVICE; without f64 there are none of it.
 */
#include "property/draw.h"

#include <stdlib.h>
#include <string.h>

#include "checkers.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

enum {
    DRAWS = ADDRESS_SANITIZER || THREAD_SANITIZER ? 10000 : 100000,
    LEAST_EACH = DRAWS / 300,    /* draws of each operation */
    LEAST_FEATURE = DRAWS / 500, /* arguments of each kind */
    MOST_OPERATIONS = 100,
    SKIPPED = 77
};

static struct {
    int64_t draws, threads, failures;
    uint64_t seed;
    const char *operation, *device;
} options = {.seed = UINT64_C(20240229), .failures = 1};

static struct {
    const operation *what;
    int64_t draws;
} all[MOST_OPERATIONS];
static int all_count;

static void usage(const char *why, const char *word)
{
    fprintf(stderr,
            "test-property: %s %s\nusage: test-property [--device NAME] [--draws N] [--seed N] [--operation NAME] "
            "[--threads N] [--most N] [--failures N]\n",
            why, word);
    exit(2);
}

static void add_family(const operation *family)
{
    for (; family->name; family++) {
        if (all_count == MOST_OPERATIONS)
            usage("there are more operations than the table takes:", family->name);
        if (!options.operation || strcmp(options.operation, family->name) == 0)
            all[all_count++].what = family;
    }
}

static int draw_operation(int64_t weights)
{
    int64_t place = random_below(weights);
    for (int i = 0;; i++)
        if ((place -= all[i].what->weight) < 0)
            return i;
}

static int64_t whole(const char *word)
{
    char *end;
    const long long n = strtoll(word, &end, 0);
    if (*end || end == word || n < 0)
        usage("not a number:", word);
    return n;
}

static void read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!value)
            usage("nothing follows", word);
        else if (strcmp(word, "--device") == 0)
            options.device = value;
        else if (strcmp(word, "--draws") == 0)
            options.draws = whole(value);
        else if (strcmp(word, "--seed") == 0)
            options.seed = (uint64_t)whole(value);
        else if (strcmp(word, "--operation") == 0)
            options.operation = value;
        else if (strcmp(word, "--threads") == 0)
            options.threads = whole(value);
        else if (strcmp(word, "--most") == 0)
            most_elements = whole(value);
        else if (strcmp(word, "--failures") == 0)
            options.failures = whole(value);
        else
            usage("unknown option", word);
        if (strcmp(word, "--seed") == 0 && !options.draws)
            options.draws = 1;
    }
}

/* ---- what was reached */

static const char *const feature_names[FEATURES] = {
    [HAS_ROW_MAJOR] = "row-major",
    [HAS_COL_MAJOR] = "col-major",
    [HAS_STRIDED] = "strided",
    [HAS_PRIVATE] = "private",
    [HAS_EMPTY] = "empty",
    [HAS_NEGATIVE_STRIDE] = "negative strides",
    [HAS_ZERO_STRIDE] = "repeated",
    [HAS_CONJUGATE] = "conjugated",
    [HAS_MISALIGNED] = "at any byte",
    [HAS_FIELD] = "fields of records",
    [HAS_OFFSET] = "with an offset",
    [HAS_NAN] = "with a NaN",
    [HAS_LONG_AXIS] = "with a long axis",
    [HAS_REFUSAL] = "refused calls",
    [HAS_IN_PLACE] = "written in place",
};

static int lacks(const char *what, int64_t count, int64_t least)
{
    if (count >= least)
        return 0;
    fprintf(stderr, "property: %s: reached %" PRId64 " times; at least %" PRId64 " are wanted\n", what, count, least);
    return 1;
}

static void print_reached(void)
{
    for (int i = 0; i < all_count; i++)
        printf("%s%s %" PRId64, i % 8 ? ", " : i ? ",\n  " : "operations:\n  ", all[i].what->name, all[i].draws);
    printf("\narguments:\n ");
    for (int f = 0; f < FEATURES; f++)
        printf(" %s %" PRId64 "%s", feature_names[f], reached.feature[f], f + 1 < FEATURES ? "," : "\n ");
    for (int d = ASH_BOOL; d < COUNT(reached.dtype); d++)
        printf(" %s %" PRId64 ",", d <= ASH_C_F64 ? ash_dtype_name((ash_dtype)d) : "record", reached.dtype[d]);
    printf("\n  rank");
    for (int k = 0; k < MODEL_RANK && (k < 7 || reached.rank[k]); k++)
        printf(" %d: %" PRId64, k, reached.rank[k]);
    printf("\n");
}

/* A run of all operations that is long enough must have reached everything. */
static int check_reached(void)
{
    int faults = 0;
    for (int i = 0; i < all_count; i++)
        faults += lacks(all[i].what->name, all[i].draws, LEAST_EACH);
    for (int f = 0; f < FEATURES; f++)
        faults += lacks(feature_names[f], reached.feature[f], LEAST_FEATURE);
    for (int d = ASH_BOOL; d < COUNT(reached.dtype); d++)
        faults += lacks(d <= ASH_C_F64 ? ash_dtype_name((ash_dtype)d) : "record", reached.dtype[d], LEAST_FEATURE);
    for (int k = 0; k <= 6; k++)
        faults += lacks("rank", reached.rank[k], LEAST_FEATURE);
    return faults;
}

/* The device of the whole run; false where it is not there. */
static bool open_device(void)
{
    if (!options.device)
        options.device = getenv("ASHLAR_TEST_DEVICE");
    if (!options.device || !*options.device)
        return true;
    if (ash_set_default_device(options.device) != ASH_OK) {
        printf("property: skipped: %s\n", ash_error_text());
        return false;
    }
    device_name = options.device;
    device_has_f64 = ash_device_can(ash_default_device(), ASH_CAP_F64);
    return true;
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    if (!open_device())
        return SKIPPED;
    draw_catch_crashes();
    const operation *const families[] = {view_operations,   combine_operations, reduce_operations,  index_operations,
                                         order_operations,  search_operations,  find_operations,    map_operations,
                                         matrix_operations, product_operations, fourier_operations, rand_operations};
    int64_t weights = 0, failures = 0;
    for (int f = 0; f < COUNT(families); f++)
        add_family(families[f]);
    for (int i = 0; i < all_count; i++)
        weights += all[i].what->weight;
    if (!all_count)
        usage("no operation", options.operation);
    if (options.threads && ash_set_threads(options.threads) != ASH_OK)
        usage("threads:", ash_error_text());
    const int64_t draws = options.draws ? options.draws : DRAWS;
    for (int64_t n = 0; n < draws && failures < options.failures; n++) {
        const uint64_t seed = options.seed + (uint64_t)n;
        random_start(seed ^ UINT64_C(0x5bd1e995)); /* another stream, so that a draw is the same when its operation is named */
        const int i = draw_operation(weights);
        random_start(seed);
        all[i].draws++;
        failures += !draw_run(all[i].what, seed);
    }
    if (draws > 1)
        print_reached();
    if (failures)
        return 1;
    return !options.operation && draws >= DRAWS && check_reached() ? 1 : 0;
}
