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
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "ASHLAR_CUDA_LIBRARY=$<TARGET_FILE:cuda_double>" CUDA_DOUBLE=1
                                              ASHLAR_CUDA_LIBRARIES=ours ${ARGN})
endfunction()

# Doubles of NVIDIA's libraries, which reach memory through the driver's; elsewhere all work on it is ours.
foreach(name IN ITEMS cublas cufft cusolver)
    add_library(${name}_double MODULE theirs_double/${name}.c)
    set_target_properties(${name}_double PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/theirs_double)
    target_compile_definitions(${name}_double PRIVATE _GNU_SOURCE)
    target_compile_options(${name}_double PRIVATE ${ASHLAR_WARNINGS} -fvisibility=hidden)
    target_link_libraries(${name}_double PRIVATE ${CMAKE_DL_LIBS} m)
    add_dependencies(test-${name} ${name}_double)
    target_link_libraries(test-${name} PRIVATE ${CMAKE_DL_LIBS})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()

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
    # Most of their time is NVRTC's: what one test has compiled, the others and the next run load.
    set(kept "ASHLAR_KERNEL_CACHE=${PROJECT_BINARY_DIR}/cuda-kernels")
    set(theirs "ASHLAR_CUBLAS_LIBRARY=$<TARGET_FILE:cublas_double>" "ASHLAR_CUFFT_LIBRARY=$<TARGET_FILE:cufft_double>"
        "ASHLAR_CUSOLVER_LIBRARY=$<TARGET_FILE:cusolver_double>")
    foreach(name IN ITEMS cublas cufft cusolver)
        add_dependencies(test-${name} cuda_double)
        ashlar_on_cuda_double(${name} ${theirs} ${kept})
    endforeach()
    foreach(name IN ITEMS cases_reduce factor fft gpu_dense gpu_math gpu_reduce gpu_shapes kernel kernel_cache make map reduce
            rows_000 scan search sort)
        add_test(NAME ${name}-cuda COMMAND test-${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
        ashlar_on_cuda_double(${name}-cuda ASHLAR_TEST_DEVICE=cuda:0)
        set_tests_properties(${name}-cuda PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
        if(NOT name STREQUAL kernel_cache)
            ashlar_on_cuda_double(${name}-cuda ${kept})
        endif()
    endforeach()
    # Every form of a factorization by cuBLAS's and cuSOLVER's doubles, as far as they are asked.
    add_test(NAME factor-theirs COMMAND test-factor WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    ashlar_on_cuda_double(factor-theirs ASHLAR_TEST_DEVICE=cuda:0 ${theirs} ${kept} ASHLAR_CUDA_LIBRARIES=theirs)
    set_tests_properties(factor-theirs PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
    set_property(TEST check-python APPEND PROPERTY ENVIRONMENT "ASHLAR_CUDA_DOUBLE=$<TARGET_FILE:cuda_double>")
    # Every operation, with a part of the dtypes, as on opencl:0 (checks.cmake); streams, blocks and warps in another order.
    add_test(NAME conformance-cuda-0 COMMAND test-conformance --device cuda:0 --quick --part 0/26
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    ashlar_on_cuda_double(conformance-cuda-0 ${kept} CUDA_DOUBLE_SEED=1)
    set_tests_properties(conformance-cuda-0 PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
    # not `lines` of sort, whose sorts of every length take minutes on the double; of those below, whole programs do
    set_property(TEST sort-cuda APPEND PROPERTY ENVIRONMENT "ASHLAR_TEST_FILTER=*_*")
    set_property(TEST factor-cuda APPEND PROPERTY ENVIRONMENT "ASHLAR_TEST_FILTER=b*")
    set_property(TEST fft-cuda APPEND PROPERTY ENVIRONMENT "ASHLAR_TEST_FILTER=a*")
    set_property(TEST reduce-cuda APPEND PROPERTY ENVIRONMENT "ASHLAR_TEST_FILTER=f*")
endfunction()
cmake_language(DEFER CALL ashlar_cuda_tests)
