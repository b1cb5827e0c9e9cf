#!/bin/bash
# check_calls.sh LIBRARY - how many instructions a call of few elements takes, counted by callgrind: the same each time.
#
# Each line of the table: the form (calls.c), the most instructions of a call: what was counted (gcc 12, glibc 2.36) and 5 %.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$1
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
exit $fails
