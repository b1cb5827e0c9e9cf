/*
 * nvrtc.c - compiles CUDA C++ texts to PTX by NVRTC, which needs no device, and prints what it says of those that it refuses.
 *
 *     nvrtc LIBRARY TEXT...
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int create(void **program, const char *text, const char *name, int headers, const char *const *header,
                   const char *const *names);
typedef int compile(void *program, int count, const char *const *option);
typedef int log_size(void *program, size_t *size);
typedef int get_log(void *program, char *log);

static void take(void *library, const char *name, void *place)
{
    void *const address = dlsym(library, name);
    if (!address) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    memcpy(place, &address, sizeof address);
}

static char *text_of(const char *path)
{
    enum { ROOM = 1 << 22 };
    char *const text = calloc(1, ROOM);
    FILE *const file = fopen(path, "r");
    if (!text || !file || fread(text, 1, ROOM - 1, file) == 0) {
        fprintf(stderr, "%s: not read\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

int main(int count, char **argument)
{
    static const char *const option[] = {"--gpu-architecture=compute_90", "--fmad=false", "-default-device", "--std=c++17"};
    create *new_program;
    compile *compile_program;
    log_size *size_of_log;
    get_log *read_log;
    void *const library = count > 2 ? dlopen(argument[1], RTLD_NOW) : NULL;
    if (!library)
        return fprintf(stderr, "nvrtc LIBRARY TEXT...: %s\n", count > 2 ? dlerror() : "wanted"), 2;
    take(library, "nvrtcCreateProgram", &new_program);
    take(library, "nvrtcCompileProgram", &compile_program);
    take(library, "nvrtcGetProgramLogSize", &size_of_log);
    take(library, "nvrtcGetProgramLog", &read_log);
    int failed = 0;
    for (int k = 2; k < count; k++) {
        void *program;
        size_t size = 0;
        if (new_program(&program, text_of(argument[k]), argument[k], 0, NULL, NULL))
            return 2;
        if (!compile_program(program, (int)(sizeof option / sizeof option[0]), option))
            continue;
        failed = 1;
        size_of_log(program, &size);
        char *const log = calloc(1, size + 1);
        read_log(program, log);
        fprintf(stderr, "%s\n", log);
    }
    return failed;
}
