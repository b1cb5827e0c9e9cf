/*
 * cuda.c - the CUDA driver: what is said when something is missing or wrong, and where there is a device, or a double of one,
 * what the GPU layer makes of it.
 *
 * Libraries that something is wrong with stand for the driver and for NVRTC: cuda_fake/fake.c. They are looked for once in a
 * process, so that every case has a child of its own.
 */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "core/alloc.h"

enum { SKIPPED = 77 };
static const char device[] = "cuda:0";

/* ---- what is wrong: in children, before anything is looked for */

static const struct {
    const char *library, *nvrtc, *fault, *nvrtc_version; /* NULL: as it is; FAKE for the libraries */
    const char *want[3];
} wrong[] = {
    {"off", NULL, NULL, NULL, {"no device cuda:0: ASHLAR_CUDA_LIBRARY is off"}},
    {"libnone.so.1",
     NULL,
     NULL,
     NULL,
     {"no device cuda:0: libnone.so.1: ", "; install NVIDIA's driver, or set ASHLAR_CUDA_LIBRARY"}},
    {"libm.so.6", NULL, NULL, NULL, {"libm.so.6 has no cuInit: it is not CUDA's driver; set ASHLAR_CUDA_LIBRARY"}},
    {FAKE_OLD, NULL, NULL, NULL, {" is a driver older than CUDA 11.4; install NVIDIA's driver 470 or newer"}},
    {FAKE, NULL, "lacks=cuLaunchKernel", NULL, {" has no cuLaunchKernel of CUDA 11.4; install NVIDIA's driver 470 or newer"}},
    {FAKE,
     NULL,
     "count=0",
     NULL,
     {"no device cuda:0: CUDA knows no device: there is no NVIDIA GPU, or CUDA_VISIBLE_DEVICES hides it"}},
    {FAKE,
     NULL,
     "init=100",
     NULL,
     {"failed with CUDA error 100, NAME: there is no NVIDIA GPU, or CUDA_VISIBLE_DEVICES hides it"}},
    {FAKE,
     NULL,
     "init=34",
     NULL,
     {"this is the toolkit's stub, which only links: set ASHLAR_CUDA_LIBRARY to the driver's libcuda.so.1"}},
    {FAKE, NULL, "init=803", NULL, {"libcuda and the kernel's module are of different versions: restart the machine"}},
    {FAKE, NULL, "init=802", NULL, {"is nvidia-fabricmanager running?"}},
    {FAKE, NULL, "init=804", NULL, {"use the driver's own libcuda.so.1"}},
    {FAKE, NULL, "init=999", NULL, {"may this user open /dev/nvidia*? nvidia-smi tells more"}},
    {FAKE,
     "libnone.so.1",
     NULL,
     NULL,
     {"ash_device_open: cuda:0 needs NVRTC to compile kernels: libnone.so.1: ", ", which ASHLAR_NVRTC_LIBRARY names"}},
    {FAKE, "libm.so.6", NULL, NULL, {"libm.so.6 has no nvrtcVersion; NVRTC 11.2 or newer is needed"}},
    {FAKE, FAKE_OLD, NULL, NULL, {" has no nvrtcGetPTX; NVRTC 11.2 or newer is needed"}},
    {FAKE, FAKE, NULL, "what", {" does not tell its version and architectures; set ASHLAR_NVRTC_LIBRARY"}},
    {FAKE,
     FAKE,
     "version=12020",
     "13.0",
     {" is NVRTC 13.0 and the driver knows CUDA 12.2, which refuses its code; install a newer driver, or NVRTC 12 and set "
      "ASHLAR_NVRTC_LIBRARY"}},
    {FAKE,
     FAKE,
     "capability=61",
     NULL,
     {"ash_device_open: cuda:0 has compute capability 6.1, for which NVRTC 12.4 does not compile; install an older one, and "
      "set ASHLAR_NVRTC_LIBRARY"}},
    {FAKE,
     FAKE,
     "pointers=0",
     NULL,
     {"ash_device_open: cuda:0, Fake (compute 9.0, CUDA 12.4), has addresses of its own; one address space is needed"}},
    {FAKE,
     FAKE,
     "retain=46",
     NULL,
     {"cuDevicePrimaryCtxRetain of cuda:0 failed with CUDA error 46, NAME: another process has the device to itself"}},
    {FAKE,
     FAKE,
     "retain=2",
     NULL,
     {"cuDevicePrimaryCtxRetain of cuda:0 failed with CUDA error 2, NAME: other processes have its memory"}},
};

static void set(const char *variable, const char *value)
{
    if (value)
        setenv(variable, value, 1);
}

static bool says(int k)
{
    set("ASHLAR_CUDA_LIBRARY", wrong[k].library);
    set("ASHLAR_NVRTC_LIBRARY", wrong[k].nvrtc);
    set("FAKE_CUDA", wrong[k].fault);
    set("FAKE_NVRTC", wrong[k].nvrtc_version);
    bool right = !ash_device_open(device);
    const char *const text = ash_error_text();
    for (int i = 0; i < COUNT(wrong[k].want) && wrong[k].want[i]; i++)
        right = right && strstr(text, wrong[k].want[i]);
    if (!right)
        fprintf(stderr, "case %d: %s\n", k, text);
    return right && ash_device_open("cpu:0"); /* the library goes on */
}

/* What was opened before a fork cannot be used, and what was only looked for cannot be opened. */
static bool refuses_after_fork(bool opens)
{
    set("ASHLAR_CUDA_LIBRARY", FAKE);
    set("ASHLAR_NVRTC_LIBRARY", FAKE);
    if (ash_backend_devices("cuda") != 1 || (opens && !ash_device_open(device)))
        return false;
    const pid_t child = fork();
    if (child == 0) {
        const bool refused =
            opens ? !ash_zeros(ASH_SHAPE(3), .resources = ash_resources_new(device)) : !ash_device_open(device);
        _exit(refused && (opens || strstr(ash_error_text(), "CUDA was started before this process was forked")) ? 0 : 1);
    }
    int end = 1;
    return waitpid(child, &end, 0) == child && end == 0;
}

static bool in_a_child(int k)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(k < COUNT(wrong) ? !says(k) : !refuses_after_fork(k > COUNT(wrong)));
    int end = 1;
    return waitpid(child, &end, 0) == child && end == 0;
}

int main(void)
{
    for (int k = 0; k < COUNT(wrong) + 2; k++)
        if (!in_a_child(k)) {
            printf("cuda: case %d of what is wrong\n", k);
            return 1;
        }
    if (!ash_device_open(device)) {
        printf("cuda: the rest is skipped: %s\n", ash_error_text());
        return SKIPPED;
    }
    return 0;
}
