# install.cmake - headers, shared object, program, declarations for foreign interfaces, man page, CMake and pkg-config files.

install(TARGETS ashlar EXPORT ashlar-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ashlar)
install(FILES ${PROJECT_BINARY_DIR}/ashlar.cdef DESTINATION ${CMAKE_INSTALL_DATADIR}/ashlar)
if(TARGET ashlar-program)
    install(TARGETS ashlar-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${PROJECT_SOURCE_DIR}/tools/ashlar.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ashlar)
install(EXPORT ashlar-targets NAMESPACE ashlar:: DESTINATION ${package_dir})
configure_package_config_file(cmake/ashlar-config.cmake.in ashlar-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(ashlar-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ashlar-config.cmake ${PROJECT_BINARY_DIR}/ashlar-config-version.cmake
        DESTINATION ${package_dir})

# Relative, so that an installed tree may be moved.
file(RELATIVE_PATH ashlar_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/ashlar.pc.in ashlar.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ashlar.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The package for Racket, with the library beside it, as a relative link.
set(racket_dir ${CMAKE_INSTALL_DATADIR}/ashlar/racket)
install(DIRECTORY bindings/racket/ DESTINATION ${racket_dir} PATTERN compiled EXCLUDE)
file(RELATIVE_PATH racket_library ${CMAKE_INSTALL_FULL_DATADIR}/ashlar/racket/ashlar/native ${CMAKE_INSTALL_FULL_LIBDIR})
install(CODE "
    set(native \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${racket_dir}/ashlar/native\")
    file(MAKE_DIRECTORY \"\${native}\")
    file(CREATE_LINK ${racket_library}/$<TARGET_FILE_NAME:ashlar> \"\${native}/libashlar.so\" SYMBOLIC)")

# ashlar-mpi: find_package(ashlar COMPONENTS mpi), which also finds an MPI, and a pkg-config file of its own.
if(TARGET ashlar-mpi)
    install(TARGETS ashlar-mpi EXPORT ashlar-mpi-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES include/ashlar/mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ashlar)
    install(EXPORT ashlar-mpi-targets NAMESPACE ashlar:: DESTINATION ${package_dir})
    list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE ashlar_mpi_cflags)
    list(JOIN ashlar_mpi_cflags " " ashlar_mpi_cflags)
    list(JOIN MPI_C_LIBRARIES " " ashlar_mpi_libs)
    configure_file(cmake/ashlar-mpi.pc.in ashlar-mpi.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/ashlar-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
