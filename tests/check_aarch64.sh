#!/bin/sh
# check_aarch64.sh BUILD - cross-compiles the library for AArch64 into a folder of its own and runs the tests that matter there
# under qemu: native code first, then programs that say whether results are what they are elsewhere.
set -eu

build=$1
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    if ! command -v "$tool" > /dev/null; then
        echo "skipped: there is no $tool (Debian: gcc-aarch64-linux-gnu, qemu-user)"
        exit 77
    fi
done

programs="native native_code native_maps native_arm64 expr map reduce scan rows_000"
mkdir -p "$build"
log=$build/build.log
quiet() { "$@" > "$log" 2>&1 || { cat "$log"; exit 1; }; }
quiet cmake -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64.cmake" -DASHLAR_TESTS=ON
# shellcheck disable=SC2046,SC2086 # words
quiet cmake --build "$build" --parallel 2 --target $(printf 'test-%s ' $programs)

cd tests
run() { # run PROGRAM [ARGUMENT]
    echo "-- $*"
    name=$1
    shift
    qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/tests/test-$name" "$@"
}
run native 600
run native_code
run native_arm64
run native_maps
for program in expr map reduce scan rows_000; do
    run "$program"
    ASHLAR_NATIVE=always run "$program"
done
