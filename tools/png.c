/*
 * png.c - a picture as a PNG file, by libpng where the program was built with it.
 */
#include "picture.h"

#ifdef TOOL_WITH_PNG
#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libpng leaves by longjmp: what it must not forget is not in variables of the function that it returns to. */
typedef struct work {
    png_structp png;
    png_infop info;
    unsigned char *row;
    char fault[200];
} work;

static void fail(png_structp png, png_const_charp text)
{
    work *w = png_get_error_ptr(png);
    snprintf(w->fault, sizeof w->fault, "%s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static bool write_rows(work *w, FILE *file, const picture *p, const colour_map *map, int64_t scale)
{
    if (setjmp(png_jmpbuf(w->png)))
        return false;
    png_init_io(w->png, file);
    png_set_IHDR(w->png, w->info, (png_uint_32)(p->columns * scale), (png_uint_32)(p->rows * scale), 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(w->png, w->info);
    for (int64_t i = 0; i < p->rows; i++) {
        unsigned char *to = w->row;
        for (int64_t j = 0; j < p->columns; j++) {
            const colour c = picture_colour(p, map, i * p->columns + j);
            for (int64_t k = 0; k < scale; k++)
                *to++ = c.r, *to++ = c.g, *to++ = c.b;
        }
        for (int64_t k = 0; k < scale; k++)
            png_write_row(w->png, w->row);
    }
    png_write_end(w->png, w->info);
    return true;
}

int picture_write_png(const picture *p, const colour_map *map, int64_t scale, const char *path)
{
    work w = {0};
    if (p->rows == 0 || p->columns == 0)
        return tool_fail("%s: an empty array makes no picture", path);
    struct stat s;
    FILE *file = fopen(path, "wb");
    if (!file || fstat(fileno(file), &s) != 0)
        return tool_fail("%s: %s", path, strerror(errno));
    w.row = malloc((size_t)(3 * p->columns * scale));
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w, fail, ignore);
    w.info = w.png ? png_create_info_struct(w.png) : NULL;
    bool good = w.row && w.info && write_rows(&w, file, p, map, scale);
    png_destroy_write_struct(&w.png, &w.info);
    free(w.row);
    if (fclose(file) != 0 && good) {
        snprintf(w.fault, sizeof w.fault, "%s", strerror(errno));
        good = false;
    }
    if (good)
        return TOOL_OK;
    if (S_ISREG(s.st_mode))
        unlink(path);
    return tool_fail("%s: %s", path, *w.fault ? w.fault : "out of memory");
}

#else

int picture_write_png(const picture *p, const colour_map *map, int64_t scale, const char *path)
{
    (void)p;
    (void)map;
    (void)scale;
    return tool_fail("%s: this program was built without libpng; install it (Debian: libpng-dev) and build again", path);
}
#endif
