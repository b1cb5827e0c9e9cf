# checks.cmake - what must hold of the sources and of the shared object, and the suites under sanitizers, as tests.

set(check ${CMAKE_CURRENT_SOURCE_DIR})
function(ashlar_add_check name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()

ashlar_add_check(check-includes ${PYTHON} ${check}/check_includes.py)
ashlar_add_check(check-docs ${PYTHON} ${check}/check_docs.py)
ashlar_add_check(check-text ${PYTHON} ${check}/check_text.py)
ashlar_add_check(check-headers ${check}/check_headers.sh $<TARGET_FILE:ashlar> ${MPI_C_INCLUDE_DIRS})
ashlar_add_check(check-misuse ${check}/check_misuse.sh)
ashlar_add_check(check-static ${check}/check_static.sh $<TARGET_FILE:ashlar>)
set(mpi_library "")
if(TARGET ashlar-mpi)
    set(mpi_library $<TARGET_FILE:ashlar-mpi>)
endif()
if(TARGET test-native_size)
    ashlar_add_check(check-calls ${check}/check_calls.sh $<TARGET_FILE:ashlar> $<TARGET_FILE:test-native_size>)
    set_tests_properties(check-calls PROPERTIES SKIP_RETURN_CODE 77)
endif()
ashlar_add_check(check-symbols ${check}/check_symbols.sh $<TARGET_FILE:ashlar> ${PROJECT_BINARY_DIR} ${mpi_library})
ashlar_add_check(check-cdef ${check}/check_cdef.sh $<TARGET_FILE:ashlar> ${PROJECT_BINARY_DIR}/ashlar.cdef)
ashlar_add_check(check-dlpack ${check}/check_dlpack.sh $<TARGET_FILE:ashlar>)
set_tests_properties(check-dlpack PROPERTIES SKIP_RETURN_CODE 77)
ashlar_add_check(property-numpy ${check}/property_numpy.sh $<TARGET_FILE:ashlar> ${PROJECT_BINARY_DIR}/ashlar.cdef)
set_tests_properties(property-numpy PROPERTIES SKIP_RETURN_CODE 77)
foreach(what IN ITEMS cpu:0 opencl:0 manual install)
    string(REPLACE ":0" "" name ${what})
    ashlar_add_check(racket-${name} ${check}/check_racket.sh ${PROJECT_BINARY_DIR} ${what})
    set_tests_properties(racket-${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 RESOURCE_LOCK racket)
endforeach()
ashlar_add_check(check-python ${check}/check_python.sh $<TARGET_FILE:ashlar> ${PROJECT_BINARY_DIR}/ashlar.cdef
                 ${PROJECT_BINARY_DIR}/python)
set_tests_properties(check-python PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
ashlar_add_check(check-install ${check}/check_install.sh ${PROJECT_BINARY_DIR})

# The same library for another processor.
if(ASHLAR_NATIVE)
    ashlar_add_check(native-aarch64 ${check}/check_aarch64.sh ${PROJECT_BINARY_DIR}/aarch64)
    set_tests_properties(native-aarch64 PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900 PROCESSORS 2)
endif()

add_executable(kernel-texts check_kernels/texts.c check_kernels/runs.c)
target_link_libraries(kernel-texts PRIVATE ashlar_static)
target_include_directories(kernel-texts PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
ashlar_add_check(check-kernels ${check}/check_kernels.sh $<TARGET_FILE:kernel-texts>)
set_tests_properties(check-kernels PROPERTIES SKIP_RETURN_CODE 77)

# A few quick tests of each layer under valgrind, which sees uninitialised values; it hides AVX-512, so v3 is what runs. Not for
# tests that compute in long double, which valgrind has in 64 bits only.
find_program(VALGRIND valgrind)
if(VALGRIND)
    foreach(name IN ITEMS adapt csv dlpack failures find index make map norms npy npz ownership print reduce rng safetensors
            scan search static storage tree unique views wrap)
        if(TARGET test-${name})
            add_test(NAME valgrind-${name}
                     COMMAND ${VALGRIND} -q --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite
                             $<TARGET_FILE:test-${name}>
                     WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
            set_tests_properties(valgrind-${name} PROPERTIES TIMEOUT 600 ENVIRONMENT ASHLAR_OPENCL=off)
        endif()
    endforeach()
    if(TARGET test-native) # random programs: the code that runs is AVX2's
        add_test(NAME valgrind-native COMMAND ${VALGRIND} -q --error-exitcode=1 $<TARGET_FILE:test-native> 40
                 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
        set_tests_properties(valgrind-native PROPERTIES TIMEOUT 600 ENVIRONMENT ASHLAR_OPENCL=off)
    endif()
    add_test(NAME valgrind-demo
             COMMAND ${VALGRIND} -q --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite
                     $<TARGET_FILE:example-kmeans> examples/data/iris.csv ${PROJECT_BINARY_DIR}/valgrind.svg
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()

# The kernels of the lower levels, through the whole library.
foreach(level IN ITEMS v1 v2 v3)
    foreach(name IN ITEMS cases_reduce cases_scan expr expr_complex factor fft find index kernel map operators products random
            reduce rows_000 rows_001 rows_003 scan views)
        if(TARGET test-${name})
            add_test(NAME ${name}-${level} COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
            set_tests_properties(${name}-${level} PROPERTIES ENVIRONMENT ASHLAR_CPU_LEVEL=${level} TIMEOUT 300)
        endif()
    endforeach()
endforeach()

# Whole test programs on another device, where it is there.
foreach(name IN ITEMS apply cases_alias cases_broadcast cases_files cases_memory cases_messages cases_random cases_reduce cases_scan
        cases_shape cases_types dlpack extend find kernel make map rows_000 search sort views)
    add_test(NAME ${name}-opencl COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    set_tests_properties(${name}-opencl PROPERTIES ENVIRONMENT ASHLAR_TEST_DEVICE=opencl:0 TIMEOUT 300)
endforeach()

# And the cases of programs that would be slow there as a whole.
foreach(name IN ITEMS adapt combine factor fft index products spectral static)
    add_test(NAME ${name}-opencl-cases COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    set_tests_properties(${name}-opencl-cases PROPERTIES TIMEOUT 300
                         ENVIRONMENT "ASHLAR_TEST_DEVICE=opencl:0;ASHLAR_TEST_FILTER=a??*")
endforeach()

# Every operation on the other devices; where kernels are compiled, with a part of the dtypes (tests/conformance.c has the rule).
foreach(trial IN ITEMS "cpu:0?f64=off 0/1" "opencl:0 0/26" "opencl:0?f64=off 11/26")
    string(REPLACE " " ";" trial ${trial})
    list(GET trial 0 device)
    list(GET trial 1 part)
    string(REGEX REPLACE "[:?=]" "-" name conformance-${device})
    add_test(NAME ${name} COMMAND test-conformance --device ${device} --part ${part} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
endforeach()

foreach(trial IN ITEMS "opencl:0 150" "opencl:0?f64=off 60")
    string(REPLACE " " ";" trial ${trial})
    list(GET trial 0 device)
    list(GET trial 1 draws)
    string(REGEX REPLACE "[:?=]" "-" name property-${device})
    add_test(NAME ${name} COMMAND test-property --device ${device} --draws ${draws} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    set_tests_properties(${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endforeach()

# The kernels of GPUs, with groups and barriers, on whatever device there is.
add_test(NAME gpu_dense-groups COMMAND test-gpu_dense WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
set_tests_properties(gpu_dense-groups PROPERTIES ENVIRONMENT ASHLAR_GPU_SHAPE=gpu TIMEOUT 600 SKIP_RETURN_CODE 77)

# On devices that lack something, as a layer has it: each kind of kernel, and whole programs without f64.
if(TARGET opencl-layer)
    function(ashlar_add_layered name program settings) # settings NAME=VALUE... of the environment
        add_test(NAME ${name} COMMAND ${program} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
        set_tests_properties(${name} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77
                             ENVIRONMENT "OPENCL_LAYERS=$<TARGET_FILE:opencl-layer>;${settings}")
    endfunction()
    ashlar_add_layered(gpu_once-without-f64 test-gpu_once "ASHLAR_LAYER=f64=off;ASHLAR_GPU_SHAPE=gpu")
    ashlar_add_layered(gpu_once-small test-gpu_once "ASHLAR_LAYER=group=256 local=32768 allocation=100000;ASHLAR_GPU_SHAPE=gpu")
    ashlar_add_layered(gpu_once-copied test-gpu_once "ASHLAR_LAYER=unified=off;ASHLAR_STORAGE=shared")
    add_test(NAME oclgrind COMMAND ${check}/oclgrind.sh $<TARGET_FILE:test-gpu_once> $<TARGET_FILE:opencl-layer>
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    set_tests_properties(oclgrind PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()

# Below v4 sorting is by bytes, the same code on all levels.
foreach(name IN ITEMS search sort unique)
    if(TARGET test-${name})
        add_test(NAME ${name}-v1 COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
        set_tests_properties(${name}-v1 PROPERTIES ENVIRONMENT ASHLAR_CPU_LEVEL=v1 TIMEOUT 300)
    endif()
endforeach()

# Native code under a debugger; with AVX2 in all layouts; on a processor that gets none.
if(TARGET test-native)
    ashlar_add_check(native-gdb ${check}/check_gdb.sh $<TARGET_FILE:test-native>)
    set_tests_properties(native-gdb PROPERTIES SKIP_RETURN_CODE 77)
    add_test(NAME native_maps-v3 COMMAND test-native_maps WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    set_tests_properties(native_maps-v3 PROPERTIES ENVIRONMENT ASHLAR_CPU_LEVEL=v3 TIMEOUT 300)
    add_test(NAME native_code-v1 COMMAND test-native_code WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    set_tests_properties(native_code-v1 PROPERTIES ENVIRONMENT ASHLAR_CPU_LEVEL=v1 TIMEOUT 300)
endif()

# Native code for every program and size, and for none.
foreach(use IN ITEMS always off)
    foreach(name IN ITEMS cases_reduce cases_types expr expr_complex interpret map operators reduce rows_000 rows_001 scan)
        if(TARGET test-${name} AND NOT (name STREQUAL interpret AND use STREQUAL off))
            add_test(NAME ${name}-native-${use} COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
            set_tests_properties(${name}-native-${use} PROPERTIES ENVIRONMENT ASHLAR_NATIVE=${use} TIMEOUT 300)
            if(use STREQUAL always)
                add_test(NAME ${name}-native-v3 COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
                set_tests_properties(${name}-native-v3 PROPERTIES ENVIRONMENT "ASHLAR_NATIVE=always;ASHLAR_CPU_LEVEL=v3" TIMEOUT 300)
            endif()
        endif()
    endforeach()
endforeach()

# What stands on singular values, where there is no LAPACK.
foreach(name IN ITEMS matrix_functions norms)
    add_test(NAME ${name}-alone COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    set_tests_properties(${name}-alone PROPERTIES ENVIRONMENT ASHLAR_LAPACK=off TIMEOUT 300)
endforeach()

# Random draws once more, with the lowest kernels.
add_test(NAME property-v1 COMMAND test-property --draws 20000 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
set_tests_properties(property-v1 PROPERTIES ENVIRONMENT ASHLAR_CPU_LEVEL=v1 TIMEOUT 300)

find_program(CLANG clang)
if(CLANG)
    foreach(name IN ITEMS asan tsan)
        ashlar_add_check(${name}-suite ${PROJECT_SOURCE_DIR}/scripts/suite ${name})
        set_tests_properties(${name}-suite PROPERTIES RUN_SERIAL TRUE TIMEOUT 900)
    endforeach()
endif()
