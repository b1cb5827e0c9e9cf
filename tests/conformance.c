/*
 * conformance.c - every operation with every dtype it takes, in both layouts and storages, on edge shapes, on one device.
 *
 * What must come out: tests/conformance/trial.h. Of layout and storage one pair is tried for each operation, dtype and shape,
 * another for the next shape and the next dtype: so every operation meets each pair with every shape and with every dtype.
 * --full tries all four.
 *
 *   test-conformance [--device NAME] [--operation NAME] [--dtype NAME] [--edge NAME] [--layout NAME] [--storage NAME]
 *                    [--part K/N] [--failures N] [--full] [--quick] [--list] [--times]
 *
 * The device is also that of ASHLAR_TEST_DEVICE. A failure prints the command that repeats it.
 *
 * A device has to compile its kernels, three or four for each operation and dtype, a tenth of a second each. --part K/N takes
 * every Nth of an operation's dtypes, at least one, the first of them another one for each operation: so each part meets every
 * dtype and every operation, and all parts together every pair. Of four of the shapes it takes two, which take turns, too.
 * --quick has shorter vectors, for devices that are slow. --times prints the processors' seconds for each operation.
 */
#include "checkers.h"
#include "conformance/trial.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))
enum { SKIPPED = 77 };

static struct {
    const char *device, *operation, *dtype, *edge, *layout, *storage;
    int64_t failures;
    int part, parts;
    bool full, quick, list, times;
} options = {.failures = 10, .parts = ADDRESS_SANITIZER || THREAD_SANITIZER ? 4 : 1}; /* checkers are slow */

static const operation *const families[] = {
    make_operations,   element_operations, view_operations,     map_operations,     reduce_operations, scan_operations,
    order_operations,  search_operations,  index_operations,    combine_operations, random_operations, product_operations,
    matrix_operations, factor_operations,  spectral_operations, fourier_operations, kernel_operations, adapt_operations,
};

/* ---- what was asked for */

static void usage(const char *why, const char *word)
{
    fprintf(stderr,
            "test-conformance: %s %s\nusage: test-conformance [--device NAME] [--operation NAME] [--dtype NAME] [--edge NAME] "
            "[--layout NAME] [--storage NAME] [--part K/N] [--failures N] [--full] [--quick] [--list] [--times]\n",
            why, word);
    exit(2);
}

static void read_number(const char *word, const char *value)
{
    if (strcmp(word, "--failures") == 0)
        options.failures = strtoll(value, NULL, 10);
    else if (strcmp(word, "--part") != 0)
        usage("unknown option", word);
    else if (sscanf(value, "%d/%d", &options.part, &options.parts) != 2 || options.part < 0 || options.part >= options.parts)
        usage("not a part, such as 0/4:", value);
}

static void read_options(int argc, char **argv)
{
    const struct {
        const char *name;
        const char **value;
    } words[] = {{"--device", &options.device}, {"--operation", &options.operation}, {"--dtype", &options.dtype},
                 {"--edge", &options.edge},     {"--layout", &options.layout},       {"--storage", &options.storage}};
    for (int i = 1; i < argc; i++) {
        int w = 0;
        while (w < COUNT(words) && strcmp(words[w].name, argv[i]) != 0)
            w++;
        if (strcmp(argv[i], "--full") == 0)
            options.full = true;
        else if (strcmp(argv[i], "--quick") == 0)
            options.quick = true;
        else if (strcmp(argv[i], "--list") == 0)
            options.list = true;
        else if (strcmp(argv[i], "--times") == 0)
            options.times = true;
        else if (i + 1 == argc)
            usage("unknown option, or nothing follows:", argv[i]);
        else if (w < COUNT(words))
            *words[w].value = argv[++i];
        else
            read_number(argv[i], argv[i + 1]), i++;
    }
    if (!options.device)
        options.device = getenv("ASHLAR_TEST_DEVICE");
    if (!options.device || !*options.device)
        options.device = "cpu:0";
}

/* ---- a crash, too, says which trial it was: by a signal, or where a sanitizer ends the program */

static void say_and_end(int signal_number)
{
    print_repeat();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(print_repeat);
    else
        for (int i = 0; i < COUNT(signals); i++)
            signal(signals[i], say_and_end);
}

/* ---- the trials */

static void set_shape(trial *t)
{
    static const struct {
        int64_t rank, shape[3];
    } shapes[EDGES] = {
        [SCALAR] = {0, {0}}, [EMPTY] = {1, {0}},       [HOLLOW] = {3, {3, 0, 2}}, [SINGLE] = {1, {1}},
        [LONG] = {1, {0}},   [MATRIX] = {2, {67, 35}}, [TURNED] = {3, {4, 3, 5}},
    };
    t->rank = shapes[t->edge].rank;
    memcpy(t->shape, shapes[t->edge].shape, sizeof shapes[t->edge].shape);
    if (t->edge == LONG)
        t->shape[0] = t->longest;
}

static bool wanted(const char *option, const char *name)
{
    return !option || strcmp(option, name) == 0;
}

static const char *dtype_word(int which)
{
    return which == RECORD_BIT ? "record" : ash_dtype_name((ash_dtype)which);
}

static bool lacks(const ash_device *device, const operation *what, int which)
{
    const bool needed = which == ASH_F64 || which == ASH_C_F64 || ((what->special & GIVES_F64) && !(ONE(which) & FLOATS));
    return needed && !ash_device_can(device, ASH_CAP_F64);
}

/* One edge: the pair of layout and storage that is its turn, or all that are asked for. */
static int64_t try_edge(trial *t, int turn)
{
    static const ash_layout layouts[] = {ASH_ROW_MAJOR, ASH_COL_MAJOR};
    static const ash_storage storages[] = {ASH_SHARED, ASH_PRIVATE};
    int64_t failures = 0;
    set_shape(t);
    for (int pair = 0; pair < 4; pair++) {
        t->layout = layouts[pair % 2];
        t->storage = storages[pair / 2];
        const bool named = options.layout || options.storage;
        if (!options.full && !named && pair != turn % 4)
            continue;
        if (wanted(options.layout, ash_layout_name(t->layout)) &&
            wanted(options.storage, t->storage == ASH_PRIVATE ? "private" : "shared"))
            failures += !try_operation(t->what, t);
    }
    return failures;
}

/* A part of the trials has one of rank 0 and one element, and one of a matrix and a view with negative steps. */
static bool is_others_turn(const trial *t, int e, int turn)
{
    const edge other = e == SCALAR ? SINGLE : e == SINGLE ? SCALAR : e == MATRIX ? TURNED : e == TURNED ? MATRIX : EDGES;
    const bool first = e == SCALAR || e == MATRIX, firsts_turn = (e == SCALAR || e == SINGLE ? turn : turn / 2) % 2 == 0;
    return options.parts > 1 && other != EDGES && (t->what->edges & ONE(other)) && first != firsts_turn;
}

static int64_t try_dtype(trial *t, int turn)
{
    static const char *const edges[EDGES] = {"scalar", "empty", "hollow", "single", "long", "matrix", "turned"};
    int64_t failures = 0;
    for (int e = 0; e < EDGES && failures < options.failures; e++) {
        t->edge = (edge)e;
        if ((t->what->edges & ONE(e)) && wanted(options.edge, edges[e]) && !is_others_turn(t, e, turn))
            failures += try_edge(t, turn + e);
    }
    return failures;
}

/* Which of the operation's dtypes are tried. place: of the operation among all, for taking turns. */
static uint32_t chosen_dtypes(const trial *t, int place)
{
    const ash_device *const device = ash_device_open(t->device);
    uint32_t all = 0, chosen = 0;
    int count = 0, seen = 0;
    for (int d = ASH_BOOL; d < DTYPES; d++)
        if ((t->what->dtypes & ONE(d)) && !lacks(device, t->what, d) && wanted(options.dtype, dtype_word(d))) {
            all |= ONE(d);
            count++;
        }
    const int parts = options.parts < count ? options.parts : count;
    for (int d = ASH_BOOL; d < DTYPES; d++)
        if ((all & ONE(d)) && (seen++ + place) % parts == options.part % parts)
            chosen |= ONE(d);
    return chosen;
}

static int64_t try_all(trial *t, int place)
{
    const uint32_t chosen = chosen_dtypes(t, place);
    int64_t failures = 0;
    for (int d = ASH_BOOL; d < DTYPES && failures < options.failures; d++) {
        if (!(chosen & ONE(d)))
            continue;
        t->dtype = d == RECORD_BIT ? record_dtype(SPOT) : (ash_dtype)d;
        t->turn = place + d;
        computed = false;
        const int64_t failed = try_dtype(t, place + d);
        const bool whole = options.parts == 1 && !options.edge && !(t->what->special & NEEDS_LAPACK);
        if (whole && !computed && !failed) {
            fprintf(stderr, "conformance: %s of %s computes nothing on %s\n", t->what->name, dtype_word(d), t->device);
            failures++;
        }
        failures += failed;
    }
    return failures;
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    trial t = {.device = options.device, .longest = options.quick ? 1031 : 4099};
    if (!ash_device_open(t.device)) {
        printf("conformance: skipped: %s\n", ash_error_text());
        return SKIPPED;
    }
    catch_crashes();
    int64_t failures = 0;
    int place = 0, tried = 0;
    for (int f = 0; f < COUNT(families); f++)
        for (const operation *o = families[f]; o->name; o++, place++) {
            if (options.list)
                printf("%s\n", o->name);
            if (options.list || !wanted(options.operation, o->name) || failures >= options.failures)
                continue;
            t.what = o;
            tried++;
            const clock_t start = clock();
            failures += try_all(&t, place);
            if (options.times && fflush(stdout) == 0)
                printf("%8.2f s  %s\n", (double)(clock() - start) / CLOCKS_PER_SEC, o->name);
        }
    if (!tried && !options.list)
        usage("no operation", options.operation);
    return failures ? 1 : 0;
}
