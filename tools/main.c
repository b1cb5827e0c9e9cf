/*
 * main.c - the program `ashlar`: finds the subcommand, prints help.
 */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static const tool_command *const commands[] = {&tool_devices, &tool_info, &tool_show,    &tool_map,
                                               &tool_reduce,  &tool_sort, &tool_convert, &tool_kmeans};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    puts("usage: ashlar COMMAND [ARGUMENTS]\n\n"
         "Arrays from the command line: typed, N-dimensional, in CSV, NPY, NPZ and safetensors files.\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-8s  %s\n", commands[i]->name, commands[i]->summary);
    puts("\n  --help     this text; `ashlar COMMAND --help` for one command\n"
         "  --version  the version of the program and of the library\n\n"
         "Exit status: 0 done, 1 failed, 2 wrong usage. Failures are one line on stderr.");
}

static int print_command_help(const tool_command *command)
{
    printf("usage: ashlar %s %s\n\n%s.\n\n%s", command->name, command->arguments, command->summary, command->help);
    return TOOL_OK;
}

static const tool_command *find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* --help wins wherever it stands, so that nobody has to fix a command line to learn how to fix it. */
static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* Output that did not arrive (a full disk, a closed pipe) is a failure as well. */
static int finish(int status)
{
    tool_progress_end();
    if (fflush(stdout) != 0 && status == TOOL_OK)
        status = tool_fail("cannot write to standard output");
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("ashlar: a command is missing; see `ashlar --help`\n", stderr);
        return TOOL_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        const tool_command *command = argc > 2 ? find(argv[2]) : NULL;
        if (command)
            print_command_help(command);
        else
            print_help();
        return finish(TOOL_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("ashlar %s\n", ash_abi()->version_text);
        return finish(TOOL_OK);
    }
    const tool_command *command = find(argv[1]);
    if (!command) {
        fprintf(stderr, "ashlar: unknown command %s; see `ashlar --help`\n", argv[1]);
        return TOOL_USAGE;
    }
    if (asks_for_help(argc - 1, argv + 1))
        return finish(print_command_help(command));
    ASH_SCOPE(scope);
    return finish(command->run(argc - 1, argv + 1));
}
