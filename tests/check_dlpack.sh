#!/bin/bash
# check_dlpack.sh LIBRARY - arrays exchanged with NumPy through DLPack, by the first Python here that has it. 77: none has.
set -euo pipefail
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy; numpy.from_dlpack' 2> /dev/null || continue
    exec "$python" "$(dirname "$0")/check_dlpack.py" "$@"
done
echo "skipped: no Python here has NumPy 1.23 or newer (Debian: python3-numpy)"
exit 77
