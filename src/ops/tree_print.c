/* tree_print.c - trees as one line of text. */
#include <errno.h>

#include "core/error.h"
#include "core/format.h"
#include "core/operand.h"
#include "core/print.h"
#include "ops/tree.h"

static void put_quoted(ash__printer *to, const char *text)
{
    char escaped[8];
    ash__print_text(to, "\"");
    for (const char *p = text; *p; p++)
        if (*p == '"' || *p == '\\') {
            snprintf(escaped, sizeof escaped, "\\%c", *p);
            ash__print_text(to, escaped);
        } else if (*p == '\n') {
            ash__print_text(to, "\\n");
        } else if ((unsigned char)*p < ' ' || *p == '\x7f') {
            snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned)*p);
            ash__print_text(to, escaped);
        } else {
            ash__print_bytes(to, p, 1);
        }
    ash__print_text(to, "\"");
}

/* Names that could be taken for something else stand in quotes. */
static void put_name(ash__printer *to, const char *name)
{
    bool plain = true;
    for (const char *p = name; *p; p++)
        plain &= (unsigned char)*p > ' ' && *p != '\x7f' && !strchr("\"\\(),=", *p);
    if (plain)
        ash__print_text(to, name);
    else
        put_quoted(to, name);
    ash__print_text(to, " = ");
}

static void put_scalar(ash__printer *to, const ash_operand *scalar)
{
    char cell[ASH__CELL];
    unsigned char bytes[ASH__SCALAR_BYTES];
    ash__operand_bytes("ash_tree_print", scalar, bytes); /* its dtype was checked when it was put in */
    ash__format_element(cell, sizeof cell, scalar->dtype, (const char *)bytes, false);
    ash__print_text(to, cell);
}

static void put_tree(ash__printer *to, const ash_tree *t);

static void put_branch(ash__printer *to, const ash_tree *t)
{
    ash__print_text(to, "(");
    for (int64_t i = 0; i < t->count; i++) {
        if (i > 0)
            ash__print_text(to, ", ");
        if (t->entry[i].name)
            put_name(to, t->entry[i].name);
        put_tree(to, t->entry[i].tree);
    }
    ash__print_text(to, ")");
}

static void put_tree(ash__printer *to, const ash_tree *t)
{
    char range[64];
    switch (t->kind) {
    case ASH_TREE_NONE:
        break;
    case ASH_TREE_BRANCH:
        put_branch(to, t);
        break;
    case ASH_TREE_ARRAY:
        ash__print_array(to, t->array);
        break;
    case ASH_TREE_SCALAR:
        put_scalar(to, &t->scalar);
        break;
    case ASH_TREE_TEXT:
        put_quoted(to, t->text);
        break;
    case ASH_TREE_RANGE:
        snprintf(range, sizeof range, "%lld:%lld", (long long)t->first, (long long)t->end);
        ash__print_text(to, range);
        break;
    }
}

static ash_status print_line(const char *function, FILE *stream, const ash_tree *t)
{
    const ash_status status = ash__check_tree(function, "t", t);
    if (status)
        return status;
    if (!stream)
        return ash__null(function, "stream");
    ash__printer to = {.stream = stream, .one_line = true};
    errno = 0;
    put_tree(&to, t);
    ash__print_text(&to, "\n");
    return ash__print_status(function, &to);
}

ash_status ash_tree_print(const ash_tree *t)
{
    return print_line("ash_tree_print", stdout, t);
}
ash_status ash_tree_fprint(FILE *stream, const ash_tree *t)
{
    return print_line("ash_tree_fprint", stream, t);
}

size_t ash_tree_format(char *buffer, size_t size, const ash_tree *t)
{
    if (size > 0)
        buffer[0] = '\0';
    if (ash__check_tree("ash_tree_format", "t", t))
        return 0;
    ash__printer to = {.text = {buffer, size, 0}, .one_line = true};
    put_tree(&to, t);
    return to.text.length;
}
