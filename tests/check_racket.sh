#!/bin/bash
# check_racket.sh BUILD WHAT - bindings/racket on the library in BUILD: WHAT is a device, on which all its tests are run, or
# `manual`, which builds the manual and so runs its examples, or `install`. 77: no Racket here, or no such device.
set -euo pipefail
if ! racket -l racket/base -l rackunit -l math/array -e '' 2> /dev/null; then
    echo "skipped: no Racket with rackunit and math-lib here (Debian: racket)"
    exit 77
fi
source=$PWD build=$(realpath "$1") what=$2
folder=$build/racket # what Racket compiles or keeps
mkdir -p "$folder"
export PLTADDONDIR=$folder ASHLAR_PROGRAM=$build/ashlar
from_sources() { # the empty entries stand for the places where Racket's own files are
    export ASHLAR_LIBRARY=$build/libashlar.so PLTCOLLECTS=$source/bindings/racket: PLTCOMPILEDROOTS=$folder/compiled:
}

run_tests() { # on a device
    if ! "$build/ashlar" devices | grep -q "^$1 "; then
        echo "skipped: no device $1 here (Debian: pocl-opencl-icd)"
        exit 77
    fi
    from_sources
    export ASHLAR_DEVICE=$1 COLUMN_MEANS_LIBRARY=$folder/libcolumn_means.so
    cmp bindings/racket/ashlar/examples/iris.csv examples/data/iris.csv
    # a package with C code of its own, on the public headers
    cc -std=c17 -Wall -Wextra -Wpedantic -O2 -fPIC -shared -I include -I bindings/racket/ashlar \
        bindings/racket/column-means/column_means.c -o "$COLUMN_MEANS_LIBRARY"
    export ASHLAR_OTHER_ABI=$folder/libother.so
    echo 'const int *ash_abi(void) { static const int record[16] = {77}; return record; }' |
        cc -fPIC -shared -x c - -o "$ASHLAR_OTHER_ABI"
    cd bindings/racket
    raco make ashlar/*.rkt ashlar/{private,tests,examples}/*.rkt column-means/*.rkt
    raco test ashlar/tests/*.rkt ashlar/examples/*.rkt column-means/*.rkt
}

build_manual() { # an example that answers something else than it should ends it
    if ! racket -l racket/base -l scribble/manual -l scribble/example -e '' 2> /dev/null; then
        echo "skipped: no Scribble here (Debian: racket)"
        exit 77
    fi
    from_sources
    raco make bindings/racket/ashlar/scribblings/ashlar.scrbl
    if ! scribble --quiet --htmls --dest "$folder/manual" bindings/racket/ashlar/scribblings/ashlar.scrbl > "$folder/log" 2>&1; then
        cat "$folder/log"
        exit 1
    fi
    grep -q "78.851441" "$folder/manual/ashlar/guide.html"
}

vector=(racket -l racket/base -l ashlar -e '(list->device-vector (list 3 1 2))')
want='#<device-vector int64[3] cpu:0 [3 1 2]>'
install_package() { # the folder $1, as a user with the home $2
    rm -rf "$folder/$2"
    export PLTADDONDIR=$folder/$2
    raco pkg install --batch --copy --no-setup --scope user --deps fail "$1" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
}

check_install() {
    local prefix=$folder/prefix library
    rm -rf "$prefix"
    cmake --install "$build" --prefix "$prefix" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
    library=$(dirname "$(find "$prefix" -name 'libashlar.so' -not -path '*/native/*')")

    install_package "$prefix/share/ashlar/racket/ashlar" installed # has the library beside it
    [ "$("${vector[@]}")" = "$want" ]
    racket -l ashlar/examples/kmeans | grep -q '^inertia 78.8514$'

    install_package bindings/racket/ashlar copied # has none: from the system, or by name, or not at all
    [ "$(LD_LIBRARY_PATH=$library "${vector[@]}")" = "$want" ]
    [ "$(ASHLAR_LIBRARY=$build/libashlar.so "${vector[@]}")" = "$want" ]
    if [ "$(ldconfig -p 2> /dev/null | grep -c libashlar)" = 0 ]; then
        ! "${vector[@]}" > "$folder/log" 2>&1
        grep -q 'ashlar: libashlar was not found' "$folder/log"
        grep -q "looked in: $folder/copied.*/native/libashlar.so" "$folder/log"
    fi
    rm -rf "$folder/installed" "$folder/copied" "$prefix"
}

case $what in
manual) build_manual ;;
install) check_install ;;
*) run_tests "$what" ;;
esac
