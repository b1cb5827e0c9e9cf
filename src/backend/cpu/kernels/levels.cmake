# levels.cmake - compiles the kernel sources once per processor level.
#
#   include(src/backend/cpu/kernels/levels.cmake)
#   ashlar_add_kernels(kernel_objects)         # then add ${kernel_objects} to the libraries
#
# Every .c file of this folder becomes one object per level: v1 to v4 on x86-64, one level called base elsewhere.
#
#   -fno-math-errno         or a plain square root loop does not vectorise
#   -fno-trapping-math      or selects between floats do not
#   -ffp-contract=off       results have the same bits on every level; a fused multiply-add is written out where it is wanted;
#                           matrix products and Fourier transforms alone are fused wherever the level can
#   -mprefer-vector-width   512 bits at v4, which gcc and clang would not use by themselves
#
# Four copies of every loop make most of the library, so what is large and gains nothing that counts is left out (docs/bench.md
# has sizes and times):
#
#   - tables to unwind kernels by: they throw nothing and call nothing back (builds with -g have them for debuggers)
#   - at v1, which serves processors of before 2009, what -O3 unrolls; it still vectorises, and takes choices out of loops, but
#     for integers, conversions and parts of numbers, of which there are most loops
#   - in files of plain loops, the steps behind the last whole vector written out one by one: up to 15 times, which makes these
#     files a third larger and saves a fifth of a nanosecond a call
set(ASHLAR_KERNEL_DIR ${CMAKE_CURRENT_LIST_DIR})
set(ASHLAR_PLAIN_LOOPS convert.c elementwise_float.c elementwise_int.c elementwise_parts.c)
set(ASHLAR_SMALL_AT_V1 convert.c elementwise_int.c elementwise_parts.c)

foreach(name IN LISTS ASHLAR_PLAIN_LOOPS)
    set(options "")
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # clang has no word for it and no need
        list(APPEND options --param=max-completely-peel-times=4)
    endif()
    if(name IN_LIST ASHLAR_SMALL_AT_V1)
        list(APPEND options "$<$<STREQUAL:$<TARGET_PROPERTY:NAME>,ashlar_kernels_v1>:-Os>")
    endif()
    set_source_files_properties(${ASHLAR_KERNEL_DIR}/${name} PROPERTIES COMPILE_OPTIONS "${options}")
endforeach()

# One object library; kernels are optimised in every build type: unvectorised ones would make a debug build useless.
function(ashlar_add_kernel_level level)
    file(GLOB sources CONFIGURE_DEPENDS ${ASHLAR_KERNEL_DIR}/*.c)
    add_library(ashlar_kernels_${level} OBJECT ${sources})
    target_link_libraries(ashlar_kernels_${level} PRIVATE ashlar_settings)
    target_compile_definitions(ashlar_kernels_${level} PRIVATE ASH__LEVEL=${level})
    set_source_files_properties(${ASHLAR_KERNEL_DIR}/gemm.c ${ASHLAR_KERNEL_DIR}/fourier.c
                                PROPERTIES COMPILE_OPTIONS -ffp-contract=fast)
    target_compile_options(ashlar_kernels_${level} PRIVATE -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off
                           -fno-asynchronous-unwind-tables ${ARGN})
endfunction()

# ASHLAR_LEVELS may name fewer levels than all: ASH__NO_V2 and the like then tell src/backend/cpu/levels.c what is missing.
function(ashlar_add_kernels objects)
    set(list "")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        set(flags_v1 -march=x86-64 -O2 -ftree-vectorize $<$<C_COMPILER_ID:GNU>:-fvect-cost-model=dynamic>
            $<$<C_COMPILER_ID:GNU>:-funswitch-loops>)
        set(flags_v2 -march=x86-64-v2)
        set(flags_v3 -march=x86-64-v3 -mprefer-vector-width=256)
        set(flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
        foreach(level v1 v2 v3 v4)
            if(NOT ASHLAR_LEVELS OR level IN_LIST ASHLAR_LEVELS)
                ashlar_add_kernel_level(${level} ${flags_${level}})
                list(APPEND list $<TARGET_OBJECTS:ashlar_kernels_${level}>)
            else()
                string(TOUPPER ${level} upper)
                target_compile_definitions(ashlar_settings INTERFACE ASH__NO_${upper}=1)
            endif()
        endforeach()
    else()
        ashlar_add_kernel_level(base)
        list(APPEND list $<TARGET_OBJECTS:ashlar_kernels_base>)
    endif()
    set(${objects} ${list} PARENT_SCOPE)
endfunction()
