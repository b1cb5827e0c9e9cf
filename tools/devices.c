/*
 * devices.c - `ashlar devices`: what this machine can compute on.
 */
#include "tool.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

static int run(int argc, char **argv)
{
    static const struct option options[] = {{0}};
    const int option = getopt_long(argc, argv, ":", options, NULL);
    if (option != -1)
        return tool_bad_option(&tool_devices, argv, option);
    if (optind < argc)
        return tool_fail_usage(&tool_devices, "unexpected argument %s", argv[optind]);
    const ash_device *chosen = ash_default_device();
    if (!chosen)
        return tool_fail_library();
    for (int64_t i = 0; i < ash_device_count(); i++) {
        const ash_device *device = ash_device_at(i);
        if (!device) { /* one that is there and cannot be used */
            printf("%s\n", ash_error_text());
            continue;
        }
        const bool is_default = strcmp(ash_device_name(device), ash_device_name(chosen)) == 0;
        printf("%s  %s%s\n", ash_device_name(device), ash_device_description(device), is_default ? " (default)" : "");
        printf("    memory   %.1f GiB\n", (double)ash_device_memory(device) / 0x1p30);
        printf("    f64      %s\n", ash_device_can(device, ASH_CAP_F64) ? "yes" : "no");
        printf("    f16      %s\n", ash_device_can(device, ASH_CAP_F16) ? "yes" : "no");
        printf("    unified  %s\n", ash_device_can(device, ASH_CAP_UNIFIED) ? "yes" : "no");
        if (strncmp(ash_device_name(device), "cpu", 3) == 0)
            printf("    threads  %" PRId64 "\n", ash_threads());
    }
    return ash_failed() ? tool_fail_library() : TOOL_OK;
}

const tool_command tool_devices = {
    "devices", "", "Lists the devices of this machine",
    "Each with its memory and what it can do. The default is cpu:0, or what ASHLAR_DEVICE says.\n", run};
