#!/bin/bash
# check_calls.sh LIBRARY NATIVE_SIZE - how many instructions a call of few elements takes, and making native code, counted by
# callgrind: the same each time.
#
# Each line of the tables: the form (calls.c) or the function (native_size.c), and the most instructions of a call, or of making
# its code: what was counted (gcc 12, glibc 2.36) and 5 %.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$1 native_size=$2
command -v valgrind > /dev/null || { echo "check_calls: no valgrind here"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -O2 -Iinclude tests/check_calls/calls.c -o "$folder/calls" "$library" -Wl,-rpath,"$(dirname "$library")"

count() { # count REPEATS FORM: instructions of the whole program
    ASHLAR_CPU_LEVEL=v3 ASHLAR_OPENCL=off valgrind --tool=callgrind --callgrind-out-file=/dev/null "$folder/calls" "$1" "$2" \
        2>&1 | awk '/Collected/ {print $4}'
}
if ! ASHLAR_CPU_LEVEL=v3 "$folder/calls" 1 kept 2> /dev/null; then
    echo "check_calls: this processor has no level v3"
    exit 77
fi

fails=0
while read -r form most; do
    few=$(count 1000 "$form")
    many=$(count 3000 "$form")
    each=$(((many - few) / 2000))
    echo "$form: $each instructions, at most $most"
    [ "$each" -le "$most" ] || fails=1
done << 'END'
kept 260
new 1370
END
while read -r most text; do
    all=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=ash__body_of \
        --toggle-collect=ash__native_emit "$native_size" "$text" 2>&1 | awk '/Collected/ {print $4}')
    each=$((all / 20))
    echo "code of $text: $each instructions, at most $most"
    [ "$each" -le "$most" ] || fails=1
done << 'END'
16100 a -> a*a + 1
87100 x -> exp(x)
END
exit $fails
