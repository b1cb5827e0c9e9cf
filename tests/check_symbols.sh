#!/bin/bash
# check_symbols.sh LIBRARY BUILD [MPI_LIBRARY] - what the shared object shows to the world, what it needs, how large it is; and that the
# kernels of a level export their tables alone: the linker could take any other symbol of a v4 object for everybody's.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$1 build=$2 mpi_library=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fails=0
fail() { fails=1; echo "$*"; }

exports_exactly() { # exports_exactly LIBRARY HEADER...: what the headers declare
    nm -D --defined-only "$1" | awk '{print $NF}' | sed 's/@.*//' | grep -vxE '_init|_fini' | sort -u > "$folder/exported"
    shift
    sed -n 's/^ASH_API [^(]*\b\(ash_[a-z0-9_]*\)(.*/\1/p' "$@" | sort -u > "$folder/declared"
    while read -r symbol; do fail "exported, but not declared in a header: $symbol"; done < <(comm -23 "$folder/exported" "$folder/declared")
    while read -r symbol; do fail "declared in a header, but not exported: $symbol"; done < <(comm -13 "$folder/exported" "$folder/declared")
    while read -r symbol; do fail "exported without ash_: $symbol"; done < <(grep -vE '^ash_[a-z]' "$folder/exported" || true)
}
headers=(include/ashlar/*.h)
mpi_header=include/ashlar/mpi.h
[ -z "$mpi_library" ] || exports_exactly "$mpi_library" "$mpi_header"
exports_exactly "$library" "${headers[@]/$mpi_header/include/ashlar/base.h}"

size=$(stat -L -c %s "$library")
[ "$size" -lt 5000000 ] || fail "$library has $size bytes; less than 5000000 are wanted"
while read -r needed; do
    case $needed in
    libc.so* | libm.so* | libpthread.so* | libz.so* | libjansson.so* | ld-linux* | linux-vdso*) ;;
    *) fail "needs $needed" ;;
    esac
done < <(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')

for level in v1 v2 v3 v4 base; do
    objects=$build/CMakeFiles/ashlar_kernels_$level.dir
    [ -d "$objects" ] || continue
    while read -r object; do
        found=$(nm --defined-only --extern-only "$object" | awk '{print $2, $3}')
        [ -n "$found" ] || fail "$object exports no table"
        while read -r kind symbol; do
            [[ $kind =~ ^[RDB]$ && $symbol =~ ^ash__.*_$level$ ]] || fail "$object exports $symbol ($kind)"
        done <<< "$found"
    done < <(find "$objects" -name '*.o')
    if [ "$level" = v4 ]; then
        find "$objects" -name '*.o' -exec objdump -d --no-show-raw-insn {} + | grep -c zmm > "$folder/zmm" ||
            fail "the v4 kernels never use 512 bits"
    fi
done
echo "$(wc -l < "$folder/exported") symbols, $size bytes"
exit $fails
