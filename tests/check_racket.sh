#!/bin/bash
# check_racket.sh LIBRARY FOLDER - the tests of bindings/racket on LIBRARY; what Racket compiles or keeps goes to FOLDER. 77: no
# Racket here.
set -euo pipefail
if ! racket -l racket/base -l rackunit -l math/array -e '' 2> /dev/null; then
    echo "skipped: no Racket with rackunit and math-lib here (Debian: racket)"
    exit 77
fi
mkdir -p "$2"
ASHLAR_LIBRARY=$(realpath "$1") PLTADDONDIR=$(realpath "$2")
export ASHLAR_LIBRARY PLTADDONDIR
# The empty entries stand for the places where Racket's own files are.
export PLTCOLLECTS=$PWD/bindings/racket: PLTCOMPILEDROOTS=$PLTADDONDIR/compiled:
cd bindings/racket/ashlar
raco make ./*.rkt private/*.rkt tests/*.rkt
raco test tests/*.rkt
