# cuda.cmake - tests of CUDA devices: with libraries that something is wrong with, and on a double of the driver.

foreach(name IN ITEMS cuda-fake cuda-fake-old)
    add_library(${name} MODULE cuda_fake/fake.c)
    target_compile_options(${name} PRIVATE ${ASHLAR_WARNINGS} -Wno-cast-function-type -fvisibility=hidden)
endforeach()
target_compile_definitions(cuda-fake-old PRIVATE OLD)
target_compile_definitions(test-cuda PRIVATE FAKE="$<TARGET_FILE:cuda-fake>" FAKE_OLD="$<TARGET_FILE:cuda-fake-old>")
add_dependencies(test-cuda cuda-fake cuda-fake-old)
set_tests_properties(cuda PROPERTIES SKIP_RETURN_CODE 77)

# A test's device is the double's, and CUDA_DOUBLE says that it is one; the library finds NVRTC, or the test is skipped.
function(ashlar_on_cuda_double test)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "ASHLAR_CUDA_LIBRARY=$<TARGET_FILE:cuda_double>" CUDA_DOUBLE=1 ${ARGN})
endfunction()

# When all targets are known.
function(ashlar_cuda_tests)
    if(NOT TARGET cuda_double)
        return()
    endif()
    add_dependencies(test-cuda cuda_double)
    ashlar_on_cuda_double(cuda)
    if(ASHLAR_SANITIZE)
        set_property(TEST cuda APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0) # NVRTC keeps what it took
        return()
    endif()
    foreach(name IN ITEMS gpu_math gpu_shapes kernel kernel_cache make map rows_000 search sort)
        add_test(NAME ${name}-cuda COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
        ashlar_on_cuda_double(${name}-cuda ASHLAR_TEST_DEVICE=cuda:0)
        set_tests_properties(${name}-cuda PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
    endforeach()
    # not `lines`, whose sorts of every length take minutes on the double
    set_property(TEST sort-cuda APPEND PROPERTY ENVIRONMENT "ASHLAR_TEST_FILTER=*_*")
endfunction()
cmake_language(DEFER CALL ashlar_cuda_tests)
