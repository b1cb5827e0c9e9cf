# aarch64.cmake - a toolchain file: cross-compiling for AArch64 with Debian's gcc-aarch64-linux-gnu, running under qemu-user.
#
#   cmake -S . -B build-aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(ASHLAR_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(ASHLAR_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${ASHLAR_QEMU} -L /usr/aarch64-linux-gnu)
endif()
