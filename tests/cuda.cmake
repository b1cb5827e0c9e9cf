# cuda.cmake - tests of CUDA devices: with libraries that something is wrong with, and on a double of the driver.

foreach(name IN ITEMS cuda-fake cuda-fake-old)
    add_library(${name} MODULE cuda_fake/fake.c)
    target_compile_options(${name} PRIVATE ${ASHLAR_WARNINGS} -Wno-cast-function-type -fvisibility=hidden)
endforeach()
target_compile_definitions(cuda-fake-old PRIVATE OLD)
target_compile_definitions(test-cuda PRIVATE FAKE="$<TARGET_FILE:cuda-fake>" FAKE_OLD="$<TARGET_FILE:cuda-fake-old>")
add_dependencies(test-cuda cuda-fake cuda-fake-old)
set_tests_properties(cuda PROPERTIES SKIP_RETURN_CODE 77)
