/*
 * show.c - `ashlar show`: a matrix as a heat map on the terminal or as a PNG file, a vector as a line of bars.
 *
 * On a terminal a character is two cells, one above the other: an upper half block in the colour of the one before the colour
 * of the other. Elsewhere a cell is a letter, darker for more.
 */
#include "picture.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH = 80, HEIGHT = 24, PNG_CELLS = 4096, PNG_SIDE = 512 };

typedef enum colours { PLAIN, CUBE, TRUE_COLOUR } colours;

typedef struct arguments {
    tool_source source;
    const char *png;
    const colour_map *map;
    int64_t width;
    colours colours;
} arguments;

/* ---- the screen */

static void screen_size(int64_t *width, int64_t *height)
{
    struct winsize size;
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    *width = known && size.ws_col > 0 ? size.ws_col : WIDTH;
    *height = known && size.ws_row > 0 ? size.ws_row : HEIGHT;
}

/* What the terminal says that it can do. */
static colours colours_of_terminal(void)
{
    const char *known = getenv("COLORTERM");
    return known && (strcmp(known, "truecolor") == 0 || strcmp(known, "24bit") == 0) ? TRUE_COLOUR : CUBE;
}

/* The nearest of the 6 steps of the 256-colour cube: 0, 95, 135, 175, 215, 255. */
static int step_of(unsigned char x)
{
    return x < 48 ? 0 : x < 115 ? 1 : (x - 35) / 40;
}

static void set_colour(colour c, bool background, colours mode)
{
    const int layer = background ? 48 : 38;
    if (mode == TRUE_COLOUR)
        printf("\x1b[%d;2;%d;%d;%dm", layer, c.r, c.g, c.b);
    else
        printf("\x1b[%d;5;%dm", layer, 16 + 36 * step_of(c.r) + 6 * step_of(c.g) + step_of(c.b));
}

/* ---- pictures as text */

static char letter(const picture *p, int64_t cell)
{
    static const char shades[] = " .:-=+*#%@", others[] = {[CELL_NAN] = '?', [CELL_PLUS] = '^', [CELL_MINUS] = 'v'};
    if (p->kind[cell] != CELL_FINITE)
        return others[p->kind[cell]];
    return shades[(int)fmin(9, picture_level(p, cell) * 10)];
}

static void print_letters(const picture *p)
{
    for (int64_t i = 0; i < p->rows; i++) {
        for (int64_t j = 0; j < p->columns; j++)
            putchar(letter(p, i * p->columns + j));
        putchar('\n');
    }
}

static void print_blocks(const picture *p, const arguments *args)
{
    for (int64_t i = 0; i < p->rows; i += 2) {
        for (int64_t j = 0; j < p->columns; j++) {
            set_colour(picture_colour(p, args->map, i * p->columns + j), false, args->colours);
            if (i + 1 < p->rows)
                set_colour(picture_colour(p, args->map, (i + 1) * p->columns + j), true, args->colours);
            fputs("\u2580", stdout);
        }
        puts("\x1b[0m");
    }
}

static void print_bars(const picture *p)
{
    static const char *const bars[] = {"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
    for (int64_t j = 0; j < p->columns; j++)
        if (p->kind[j] == CELL_FINITE)
            fputs(bars[(int)fmin(7, picture_level(p, j) * 8)], stdout);
        else
            putchar(letter(p, j));
    putchar('\n');
}

/* What the ends of the scale stand for, and how much has no place on it. */
static void print_legend(const picture *p, const ash_array *a)
{
    printf("%s %s", ash_dtype_name(ash_dtype_of(a)), ash_shape_text(a));
    if (p->low <= p->high)
        printf("  min %g  max %g", p->low, p->high);
    if (p->nan)
        printf("  nan %" PRId64, p->nan);
    if (p->plus)
        printf("  inf %" PRId64, p->plus);
    if (p->minus)
        printf("  -inf %" PRId64, p->minus);
    putchar('\n');
}

/* ---- the command */

static bool is_complex(ash_dtype dtype)
{
    return dtype >= ASH_C_I8 && dtype <= ASH_C_F64;
}

/* What can be shown: real numbers, of complex ones the magnitudes; axes of size 1 in front are left out. */
static const ash_array *showable(const ash_array *a)
{
    if (ash_dtype_of(a) >= ASH_RECORD_FIRST) {
        tool_fail("records are not shown; they are %s", ash_dtype_name(ash_dtype_of(a)));
        return NULL;
    }
    if (is_complex(ash_dtype_of(a)))
        a = ash_map("abs", a);
    while (a && ash_rank(a) > 2 && ash_shape(a)[0] == 1)
        a = ash_squeeze(a, .axes = ASH_AXES(0));
    if (!a) {
        tool_fail_library();
        return NULL;
    }
    if (ash_rank(a) > 2) {
        tool_fail("shape %s: vectors and matrices are shown", ash_shape_text(a));
        return NULL;
    }
    return a;
}

static int show_png(const ash_array *a, const arguments *args)
{
    picture p = {0};
    int status = TOOL_FAILED;
    if (picture_make(a, PNG_CELLS, PNG_CELLS, &p)) {
        const int64_t side = p.rows > p.columns ? p.rows : p.columns;
        status = picture_write_png(&p, args->map, side > 0 && side < PNG_SIDE ? PNG_SIDE / side : 1, args->png);
    }
    picture_free(&p);
    return status;
}

static int show_text(const ash_array *a, const arguments *args)
{
    picture p = {0};
    int64_t width, height;
    const bool line = ash_rank(a) < 2 || ash_shape(a)[0] == 1 || ash_shape(a)[1] == 1; /* a column, too */
    const ash_array *shown = line ? ash_reshape(a, ASH_SHAPE(ash_size(a))) : a;
    if (!shown)
        return tool_fail_library();
    screen_size(&width, &height);
    if (args->width)
        width = args->width;
    height = height > 6 ? height - 3 : 3;
    const bool blocks = args->colours != PLAIN && !line;
    const bool made = picture_make(shown, blocks ? 2 * height : height, width, &p);
    if (made) {
        if (blocks)
            print_blocks(&p, args);
        else if (line)
            print_bars(&p);
        else
            print_letters(&p);
        print_legend(&p, a);
    }
    picture_free(&p);
    return made ? TOOL_OK : TOOL_FAILED;
}

static bool parse_colours(const char *when, colours *mode)
{
    if (strcmp(when, "never") == 0)
        *mode = PLAIN;
    else if (strcmp(when, "always") == 0)
        *mode = colours_of_terminal();
    else if (strcmp(when, "auto") != 0)
        return false;
    return true;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"color", required_argument, NULL, 'r'},   {"colormap", required_argument, NULL, 'm'},
        {"columns", required_argument, NULL, 'c'}, {"name", required_argument, NULL, 'n'},
        {"png", required_argument, NULL, 'p'},     {"separator", required_argument, NULL, 's'},
        {"width", required_argument, NULL, 'w'},   {0}};
    arguments args = {.map = colour_map_named("viridis"), .colours = isatty(STDOUT_FILENO) ? colours_of_terminal() : PLAIN};
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;)
        switch (option) {
        case 'c':
            args.source.columns = optarg;
            break;
        case 'n':
            args.source.name = optarg;
            break;
        case 's':
            args.source.separator = optarg;
            break;
        case 'p':
            args.png = optarg;
            break;
        case 'm':
            args.map = colour_map_named(optarg);
            if (!args.map)
                return tool_fail_usage(&tool_show, "--colormap is %s; it must be %s", optarg, colour_map_names);
            break;
        case 'r':
            if (!parse_colours(optarg, &args.colours))
                return tool_fail_usage(&tool_show, "--color is %s; it must be auto, always or never", optarg);
            break;
        case 'w':
            if (!tool_integer(&tool_show, "--width", optarg, 1, 10000, &args.width))
                return TOOL_USAGE;
            break;
        default:
            return tool_bad_option(&tool_show, argv, option);
        }
    if (argc - optind != 1)
        return tool_fail_usage(&tool_show, argc == optind ? "a file is missing" : "one file at a time");
    const ash_array *a = tool_read(argv[optind], &args.source);
    a = a ? showable(a) : NULL;
    if (!a)
        return TOOL_FAILED;
    return args.png ? show_png(a, &args) : show_text(a, &args);
}

const tool_command tool_show = {
    "show", "[OPTIONS] FILE", "Shows a matrix as a heat map, a vector as bars",
    "  --png FILE        a PNG picture instead of the terminal\n"
    "  --colormap NAME   viridis (default) or gray\n"
    "  --color WHEN      auto (default): on a terminal; always, or never: letters, darker for more\n"
    "  --width N         characters of a line; default the terminal's\n"
    "  --name NAME       of the array in an NPZ or safetensors file; default the first\n"
    "  --columns LIST    columns of a CSV file: 0:4, 0,2,-1, or names from its first line\n"
    "  --separator CHAR  of a CSV file; default a comma, a tab for .tsv\n\n"
    "What is larger than the screen is averaged in blocks; a NaN (?, red) or an infinity (^ and v, pink and blue) in a block\n"
    "is always seen. Of complex numbers the magnitudes are shown.\n"
    "  ashlar show measurements.csv\n"
    "  ashlar show image.npy --png image.png --colormap gray\n",
    run};
