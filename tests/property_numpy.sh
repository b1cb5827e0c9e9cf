#!/bin/bash
# property_numpy.sh LIBRARY DECLARATIONS [DRAWS [SEED]] - random arrays through NumPy too, by the first Python here that has it
# and cffi. 77: none has.
set -euo pipefail
for python in python3 /usr/bin/python3; do
    "$python" -c 'import cffi, numpy' 2> /dev/null || continue
    exec "$python" "$(dirname "$0")/property_numpy.py" "$@"
done
echo "skipped: no Python here has NumPy and cffi (Debian: python3-numpy, python3-cffi)"
exit 77
