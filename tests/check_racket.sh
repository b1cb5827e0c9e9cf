#!/bin/bash
# check_racket.sh LIBRARY PROGRAM FOLDER [DEVICE] - the tests of bindings/racket on LIBRARY, beside which PROGRAM was built, on the
# default device or DEVICE; what Racket compiles or keeps goes to FOLDER. 77: no Racket here, or no such device.
set -euo pipefail
if ! racket -l racket/base -l rackunit -l math/array -e '' 2> /dev/null; then
    echo "skipped: no Racket with rackunit and math-lib here (Debian: racket)"
    exit 77
fi
if [ $# -gt 3 ] && ! "$2" devices | grep -q "^$4 "; then
    echo "skipped: no device $4 here (Debian: pocl-opencl-icd)"
    exit 77
fi
[ $# -lt 4 ] || export ASHLAR_DEVICE=$4
mkdir -p "$3"
ASHLAR_LIBRARY=$(realpath "$1") ASHLAR_PROGRAM=$(realpath "$2") PLTADDONDIR=$(realpath "$3")
export ASHLAR_LIBRARY ASHLAR_PROGRAM PLTADDONDIR
# The empty entries stand for the places where Racket's own files are.
export PLTCOLLECTS=$PWD/bindings/racket: PLTCOMPILEDROOTS=$PLTADDONDIR/compiled:
# A package with C code of its own, on the public headers.
export COLUMN_MEANS_LIBRARY=$PLTADDONDIR/libcolumn_means.so
cc -std=c17 -Wall -Wextra -Wpedantic -O2 -fPIC -shared -I include -I bindings/racket/ashlar \
    bindings/racket/column-means/column_means.c -o "$COLUMN_MEANS_LIBRARY"
cd bindings/racket
raco make ashlar/*.rkt ashlar/private/*.rkt ashlar/tests/*.rkt column-means/*.rkt
raco test ashlar/tests/*.rkt column-means/*.rkt
