/*
 * fail.c - one line on stderr for each failure, and checked numbers of the command line.
 */
#include "tool.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Everything on one line, whatever text a file or a user brought along. */
static void print_line(const char *before, const char *text)
{
    tool_progress_end();
    fprintf(stderr, "ashlar: %s", before);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, stderr);
    fputc('\n', stderr);
}

int tool_fail(const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    print_line("", text);
    return TOOL_FAILED;
}

int tool_fail_usage(const tool_command *command, const char *format, ...)
{
    char text[1024], more[1100];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(more, sizeof more, "%s; see `ashlar %s --help`", text, command->name);
    print_line("", more);
    return TOOL_USAGE;
}

/* A fault in a function string comes as three lines (cause, text, caret): here the cause and the column. */
int tool_fail_library(void)
{
    ash_error error;
    if (!ash_error_take(&error, sizeof error))
        return tool_fail("failed for an unknown reason");
    if (error.position < 0)
        return tool_fail("%s", error.cause);
    const size_t cause = strcspn(error.cause, "\n");
    return tool_fail("%.*s, at column %d of the function", (int)cause, error.cause, (int)error.position + 1);
}

int tool_bad_option(const tool_command *command, char **argv, int option)
{
    const char *word = argv[optind > 0 ? optind - 1 : 0];
    if (option == ':')
        return tool_fail_usage(command, "option %s needs a value", word);
    if (optopt && word[0] == '-' && word[1] != '-')
        return tool_fail_usage(command, "unknown option -%c", optopt);
    return tool_fail_usage(command, "unknown option %s", word);
}

bool tool_integer(const tool_command *command, const char *option, const char *text, int64_t low, int64_t high, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (end != text && *end == '\0' && errno == 0 && *value >= low && *value <= high)
        return true;
    if (high == INT64_MAX)
        tool_fail_usage(command, "%s is %s; it must be an integer from %" PRId64 " on", option, text, low);
    else
        tool_fail_usage(command, "%s is %s; it must be an integer from %" PRId64 " to %" PRId64, option, text, low, high);
    return false;
}
