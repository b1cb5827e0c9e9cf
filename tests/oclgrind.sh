#!/bin/bash
# Each kind of kernel once under Oclgrind, in the shape that has groups and barriers: no data race, no access out of bounds, no
# value that was not initialised, no misuse of OpenCL; and bugs planted in kernels are found. Oclgrind ends with 0 whatever it
# finds, so its log must be empty; it miscompiles optimised kernels.
#   $1 the program test-gpu_once, $2 the OpenCL layer of the tests
set -eu
vendor=/usr/lib/oclgrind/liboclgrind-rt-icd.so
[ -e $vendor ] || {
    echo "oclgrind.sh: skipped: no $vendor; install oclgrind"
    exit 77
}
log=$(mktemp)
output=$(mktemp)
trap 'rm -f "$log" "$output"' EXIT
export OCL_ICD_VENDORS=$vendor OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=20 \
    OCLGRIND_LOG=$log OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OPENCL_LAYERS=$2 ASHLAR_LAYER=whole=on ASHLAR_GPU_SHAPE=gpu
unset ASHLAR_OPENCL ASHLAR_TEST_DEVICE

run() { # run NAME...
    : > "$log"
    "$1" "${@:2}" > "$output" 2>&1 || {
        cat "$output" "$log"
        exit 1
    }
}
finds() { # finds WORDS NAME: what is planted there
    run "$program" "$2"
    grep -q "$1" "$log" || {
        echo "oclgrind.sh: $2 was not found"
        exit 1
    }
}

program=$1
finds "data race" planted_race
finds "Uninitialized value" planted_uninitialised
finds "Invalid read" planted_end
run "$program"
[ ! -s "$log" ] || {
    cat "$log"
    exit 1
}
echo "oclgrind.sh: no complaint"
