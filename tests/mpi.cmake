# mpi.cmake - the programs of tests/mpi, each by mpirun with 1 to 4 processes on this machine.

if(NOT TARGET ashlar-mpi)
    return()
endif()
file(GLOB mpi_tests CONFIGURE_DEPENDS mpi/*.c)
foreach(source IN LISTS mpi_tests)
    cmake_path(GET source STEM name)
    add_executable(test-mpi-${name} ${source})
    target_compile_options(test-mpi-${name} PRIVATE ${ASHLAR_WARNINGS} ${ASHLAR_ARITHMETIC} ${ASHLAR_SANITIZE_FLAGS})
    target_compile_definitions(test-mpi-${name} PRIVATE _GNU_SOURCE)
    target_link_options(test-mpi-${name} PRIVATE ${ASHLAR_SANITIZE_FLAGS})
    target_link_libraries(test-mpi-${name} PRIVATE ashlar-mpi Threads::Threads $<$<BOOL:${MATH_LIBRARY}>:m>)
    set_target_properties(test-mpi-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    foreach(ranks RANGE 1 4)
        add_test(NAME mpi-${name}-${ranks} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/mpi/run ${ranks} $<TARGET_FILE:test-mpi-${name}>)
        set_tests_properties(mpi-${name}-${ranks} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 PROCESSORS ${ranks})
    endforeach()
endforeach()

foreach(ranks IN ITEMS 1 4)
    add_test(NAME example-heat_mpi-${ranks}
             COMMAND ${PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/check_example.py ${CMAKE_CURRENT_SOURCE_DIR}/mpi/run ${ranks}
                     $<TARGET_FILE:example-heat_mpi> ${PROJECT_SOURCE_DIR}/examples/heat_mpi.c)
    set_tests_properties(example-heat_mpi-${ranks} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 PROCESSORS ${ranks})
endforeach()
