#!/bin/bash
# check_cdef.sh LIBRARY DECLARATIONS - the library called from Python through cffi: no compiler, only these two files.
set -euo pipefail
for python in python3 /usr/bin/python3; do
    "$python" -c 'import cffi' 2> /dev/null || continue
    exec "$python" "$(dirname "$0")/check_cdef.py" "$@"
done
echo "no Python with cffi here (Debian: python3-cffi)"
exit 1
