/*
 * print.c - arrays as text.
 *
 * A header says what the array is, its cells follow: right-aligned to the widest cell shown, long axes cut to their first
 * and last three indices. Only the cells that are shown are read, each twice: once for its width, once to be written.
 *
 * Printing serves people who look for a mistake, so it never adds one: what cannot be read is said in the text, and the
 * thread's pending error is afterwards what it was.
 */
#include <errno.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/format.h"
#include "core/host.h"
#include "core/print.h"
#include "core/state.h"

enum {
    EDGE = 3,           /* indices shown at either end of a cut axis */
    LONG_AXIS = 20,     /* longer axes are cut */
    LARGE_ARRAY = 1000, /* in arrays of more elements every axis above 2 * EDGE is cut */
    STACK_CELL = 512
};

typedef struct printing {
    ash__printer *to;
    const ash_array *a;
    size_t width; /* characters of the widest cell shown */
} printing;

void ash__print_bytes(ash__printer *to, const char *bytes, size_t n)
{
    if (!to->stream)
        ash__put_bytes(&to->text, bytes, n);
    else if (!to->failed && fwrite(bytes, 1, n, to->stream) != n)
        to->failed = true;
}

void ash__print_text(ash__printer *to, const char *text)
{
    ash__print_bytes(to, text, strlen(text));
}

static void put_spaces(ash__printer *to, size_t n)
{
    static const char spaces[] = "                                ";
    for (; n > 0; n -= n < 32 ? n : 32)
        ash__print_bytes(to, spaces, n < 32 ? n : 32);
}

/* Characters of a UTF-8 text: bytes that continue one (10xxxxxx) do not count. */
static size_t count_characters(const char *text, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* ---- cells */

/* A cell's text, in `room` or, when that is too small, in new memory to be freed; NULL without memory. */
static char *cell_text(const ash_array *a, const char *element, char room[STACK_CELL], size_t *length)
{
    *length = ash__format_element(room, STACK_CELL, a->dtype, element, a->conjugated);
    if (*length < STACK_CELL)
        return room;
    char *text = malloc(*length + 1);
    if (text)
        ash__format_element(text, *length + 1, a->dtype, element, a->conjugated);
    return text;
}

static void measure_cell(printing *p, const char *element)
{
    char room[STACK_CELL];
    size_t length;
    char *text = cell_text(p->a, element, room, &length);
    const size_t width = text ? count_characters(text, length) : length;
    if (width > p->width)
        p->width = width;
    if (text != room)
        free(text);
}

static void put_cell(printing *p, const char *element)
{
    char room[STACK_CELL];
    size_t length;
    char *text = cell_text(p->a, element, room, &length);
    if (!text) { /* no memory for a long record: its beginning has to do */
        ash__print_bytes(p->to, room, STACK_CELL - 1);
        ash__print_text(p->to, "...");
        return;
    }
    const size_t width = count_characters(text, length);
    if (width < p->width)
        put_spaces(p->to, p->width - width);
    ash__print_bytes(p->to, text, length);
    if (text != room)
        free(text);
}

/* ---- axes */

static bool is_cut(const ash_array *a, int64_t axis)
{
    const int64_t n = a->shape[axis];
    return n > 2 * EDGE && (n > LONG_AXIS || a->size > LARGE_ARRAY);
}

/* The index shown after i: the next one, or over the gap. */
static int64_t next_shown(const ash_array *a, int64_t axis, int64_t i)
{
    return is_cut(a, axis) && i == EDGE - 1 ? a->shape[axis] - EDGE : i + 1;
}

static void measure_axis(printing *p, int64_t axis, const char *at)
{
    const ash_array *a = p->a;
    if (axis == a->rank) {
        measure_cell(p, at);
        return;
    }
    for (int64_t i = 0; i < a->shape[axis]; i = next_shown(a, axis, i))
        measure_axis(p, axis + 1, at + i * a->stride[axis]);
}

static void put_separator(printing *p, int64_t axis)
{
    if (axis == p->a->rank - 1 || p->to->one_line) {
        ash__print_text(p->to, " ");
        return;
    }
    ash__print_text(p->to, "\n");
    put_spaces(p->to, (size_t)axis + 2); /* one for all lines, one for each open bracket */
}

static void put_axis(printing *p, int64_t axis, const char *at)
{
    const ash_array *a = p->a;
    if (axis == a->rank) {
        put_cell(p, at);
        return;
    }
    ash__print_text(p->to, "[");
    for (int64_t i = 0; i < a->shape[axis]; i = next_shown(a, axis, i)) {
        if (i > 0)
            put_separator(p, axis);
        if (i > 0 && is_cut(a, axis) && i == a->shape[axis] - EDGE) {
            ash__print_text(p->to, "...");
            put_separator(p, axis);
        }
        put_axis(p, axis + 1, at + i * a->stride[axis]);
    }
    ash__print_text(p->to, "]");
}

/* Do the values take more than one line? */
static bool has_lines(const ash_array *a)
{
    for (int64_t axis = 0; axis < a->rank - 1; axis++)
        if (a->shape[axis] != 1)
            return a->shape[axis] > 1;
    return false;
}

/* ---- the whole */

static const char *layout_word(const ash_array *a)
{
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    if (ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, item))
        return "row-major";
    return ash__dense(ASH_COL_MAJOR, a->shape, a->stride, a->rank, item) ? "col-major" : "strided";
}

static void put_header(ash__printer *to, const ash_array *a)
{
    static const char *const nouns[] = {"scalar", "vector", "matrix"};
    char number[32];
    ash__print_text(to, "ash.");
    ash__print_text(to, a->rank < 3 ? nouns[a->rank] : "array");
    ash__print_text(to, " ");
    ash__print_text(to, ash_dtype_name(a->dtype));
    for (int64_t axis = 0; axis < a->rank; axis++) {
        snprintf(number, sizeof number, "%s%lld", axis == 0 ? "[" : "\xC3\x97", (long long)a->shape[axis]); /* U+00D7 */
        ash__print_text(to, number);
    }
    ash__print_text(to, a->rank > 0 ? "] " : " ");
    if (a->rank >= 2) {
        ash__print_text(to, layout_word(a));
        ash__print_text(to, " ");
    }
    ash__print_text(to, ash__device(a)->name);
    if (a->storage == ASH_PRIVATE)
        ash__print_text(to, " private");
    if (a->view)
        ash__print_text(to, " view");
}

/* Opens the elements without touching the pending error; false with the reason in `message`. */
static bool open_quietly(ash__host *h, const ash_array *a, char *message, size_t size)
{
    struct ash_state *state = ash__state();
    const ash_error error = state->error;
    const bool pending = state->pending;
    char text[sizeof state->text];
    memcpy(text, state->text, sizeof text);

    state->pending = false; /* so that a failure is described, and not only counted */
    const bool ready = ash__host_open(h, "ash_print", a, ASH__READ | ASH__ASKED) == ASH_OK;
    if (!ready)
        snprintf(message, size, "%s", state->error.cause);

    state->error = error;
    state->pending = pending;
    memcpy(state->text, text, sizeof text);
    return ready;
}

static void put_values(ash__printer *to, const ash_array *a)
{
    char message[512];
    ash__host h;
    printing p = {.to = to, .a = a};
    if (a->released) {
        ash__print_text(to, " <released>");
    } else if (!open_quietly(&h, a, message, sizeof message)) {
        ash__print_text(to, " <values unavailable: ");
        ash__print_text(to, message);
        ash__print_text(to, ">");
    } else {
        ash__print_text(to, has_lines(a) && !to->one_line ? "\n " : " ");
        measure_axis(&p, 0, h.data);
        put_axis(&p, 0, h.data);
        ash__host_close(&h, ASH_OK);
    }
}

void ash__print_array(ash__printer *to, const ash_array *a)
{
    put_header(to, a);
    put_values(to, a);
}

ash_status ash__print_status(const char *function, const ash__printer *to)
{
    if (!to->failed)
        return ASH_OK;
    return ash__fail(ASH_ERR_IO, function, "cannot write: %s", errno ? strerror(errno) : "the stream has an error");
}

static ash_status print_line(const char *function, FILE *stream, const ash_array *a)
{
    if (!a)
        return ash__null(function, "a");
    if (!stream)
        return ash__null(function, "stream");
    ash__printer to = {.stream = stream};
    errno = 0;
    ash__print_array(&to, a);
    ash__print_text(&to, "\n");
    return ash__print_status(function, &to);
}

ash_status ash_print(const ash_array *a)
{
    return print_line("ash_print", stdout, a);
}

ash_status ash_fprint(FILE *stream, const ash_array *a)
{
    return print_line("ash_fprint", stream, a);
}

size_t ash_format(char *buffer, size_t size, const ash_array *a)
{
    if (size > 0)
        buffer[0] = '\0';
    if (!a) {
        ash__null("ash_format", "a");
        return 0;
    }
    ash__printer to = {.text = {buffer, size, 0}};
    ash__print_array(&to, a);
    return to.text.length;
}
