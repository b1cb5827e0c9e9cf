#!/bin/bash
# check_headers.sh LIBRARY [MPI_FOLDER...] - each public header compiles alone, as C and as C++, and programs that use them without a warning.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$1
shift
mpi=("${@/#/-isystem}") # where <mpi.h> is; without, what includes it is not looked at
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-field-initializers -Werror"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fails=0

try() { # try WHAT COMMAND...
    local what=$1
    shift
    "$@" > "$folder/out" 2>&1 || { fails=1; echo "$what"; cat "$folder/out"; }
}

for pair in gcc:g++ clang:clang++; do
    cc=${pair%:*} cxx=${pair#*:}
    command -v "$cc" "$cxx" > /dev/null || { echo "$cc or $cxx is missing: not checked with it"; continue; }
    for header in include/ashlar/*.h; do
        name=ashlar/${header##*/}
        [ "$name" != ashlar/mpi.h ] || [ ${#mpi[@]} -gt 0 ] || continue
        for std in c17 c2x; do
            echo "#include <$name>" | try "$cc -std=$std $name" "$cc" -std=$std $warnings -Iinclude "${mpi[@]}" -fsyntax-only -x c -
        done
        for std in c++17 c++20; do
            echo "#include <$name>" | try "$cxx -std=$std $name" "$cxx" -std=$std $warnings -Iinclude "${mpi[@]}" -fsyntax-only -x c++ -
        done
    done
    for program in examples/*.c; do
        ! grep -q 'ashlar/mpi.h' "$program" || [ ${#mpi[@]} -gt 0 ] || continue
        try "$cc $program" "$cc" -std=c17 $warnings -Iinclude "${mpi[@]}" -fsyntax-only "$program"
    done
    try "$cxx check_cpp.cpp" "$cxx" -std=c++17 $warnings -O1 -Iinclude tests/check_cpp.cpp "$library" \
        -Wl,-rpath,"$(dirname "$library")" -o "$folder/program"
    [ ! -x "$folder/program" ] || try "check_cpp of $cxx" "$folder/program"
    rm -f "$folder/program"
done
exit $fails
