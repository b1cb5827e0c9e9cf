#!/bin/sh
# check_gdb.sh PROGRAM - test-native runs code on a page that nothing may read: a backtrace in gdb reaches who called it.
set -eu

if ! command -v gdb > /dev/null; then
    echo "skipped: there is no gdb"
    exit 77
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
gdb -batch -nx -ex run -ex backtrace --args "$1" fault > "$log" 2>&1 || true
if grep -q "ptrace: Operation not permitted" "$log"; then
    echo "skipped: gdb may not run programs here"
    exit 77
fi
if grep -q "exited normally" "$log"; then
    echo "skipped: there is no native code for this processor"
    exit 77
fi
if ! grep -q "SIGSEGV" "$log" || ! grep -q "read_the_unreadable" "$log" || ! grep -q "in main " "$log"; then
    cat "$log"
    exit 1
fi
