# options.cmake - how the library is compiled: standard, warnings, arithmetic, sanitizers.

option(ASHLAR_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})
option(ASHLAR_TESTS "Build the tests (needs cmocka)" OFF)
option(ASHLAR_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(ASHLAR_NATIVE "Typed programs become native code at run time" ON)
set(ASHLAR_SANITIZE "" CACHE STRING "Sanitizers to build with: \"address;undefined\" or \"thread\"")
set(ASHLAR_LEVELS "" CACHE STRING "x86-64 levels of the kernels, such as \"v1;v3\"; empty for all")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, ..." FORCE)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

set(ASHLAR_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(ASHLAR_WERROR)
    list(APPEND ASHLAR_WARNINGS -Werror)
endif()

# Contraction would make results depend on the level; errno would keep a plain sqrt loop from being vectorised.
set(ASHLAR_ARITHMETIC -ffp-contract=off -fno-math-errno)

set(ASHLAR_SANITIZE_FLAGS "")
set(ASHLAR_SHARED_LINK -Wl,-z,relro -Wl,--exclude-libs,ALL) # the last for libraries that are there as archives only
if(ASHLAR_FUZZ)
    list(APPEND ASHLAR_SANITIZE_FLAGS -fsanitize=fuzzer-no-link)
endif()
if(ASHLAR_SANITIZE)
    list(JOIN ASHLAR_SANITIZE "," sanitizers)
    list(APPEND ASHLAR_SANITIZE_FLAGS -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(NOT ASHLAR_FUZZ AND NOT APPLE)
    list(APPEND ASHLAR_SHARED_LINK -Wl,-z,defs) # a sanitizer's own symbols are found in the program
endif()
if(APPLE)
    set(ASHLAR_SHARED_LINK "")
endif()
