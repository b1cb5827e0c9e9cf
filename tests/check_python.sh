#!/bin/bash
# check_python.sh LIBRARY DECLARATIONS FOLDER - the tests of bindings/python on LIBRARY, on the host's device and on OpenCL's where
# there is one. What they need that this machine lacks is installed by pip into a virtual environment in FOLDER, once. 77: it
# cannot be.
set -euo pipefail
mkdir -p "$3"
library=$(realpath "$1") declarations=$(realpath "$2") folder=$3
needs='import sys, pytest, hypothesis, cffi, numpy; sys.exit(sys.version_info < (3, 11) or int(numpy.__version__.split(".")[0]) < 2)'

python=
for candidate in "$folder/env/bin/python" python3 /usr/bin/python3; do
    "$candidate" -c "$needs" 2> /dev/null && python=$candidate && break
done
if [ -z "$python" ]; then
    for candidate in python3 /usr/bin/python3; do
        "$candidate" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || continue
        rm -rf "$folder/env"
        "$candidate" -m venv "$folder/env" > "$folder/log" 2>&1 &&
            "$folder/env/bin/python" -m pip install -q pytest hypothesis 'numpy>=2' cffi >> "$folder/log" 2>&1 &&
            python=$folder/env/bin/python && break
    done
fi
if [ -z "$python" ]; then
    echo "skipped: no Python 3.11 here with pytest, hypothesis, cffi and NumPy 2, and pip cannot install them"
    exit 77
fi
# Libraries that take our arrays: tests that are skipped without these.
if [ "$python" = "$folder/env/bin/python" ] && [ ! -e "$folder/env/libraries" ]; then
    "$python" -m pip install -q scikit-learn array-api-compat >> "$folder/log" 2>&1 || true
    touch "$folder/env/libraries"
fi

export ASHLAR_LIBRARY=$library ASHLAR_CDEF=$declarations PYTHONDONTWRITEBYTECODE=1
run() { "$python" -m pytest -q -p no:cacheprovider -rs bindings/python/tests "$@"; }
run
# PyTorch may be there for another Python than the one above.
if ! "$python" -c 'import torch' 2> /dev/null; then
    for candidate in python3 /usr/bin/python3; do
        "$candidate" -c 'import sys, torch, pytest, hypothesis; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || continue
        echo "PyTorch, by $candidate"
        (python=$candidate && run -k torch)
        break
    done
fi
devices="import sys; sys.path.insert(0, 'bindings/python'); import ashlar; print(*ashlar.devices())"
if "$python" -c "$devices" | grep -q opencl:0; then
    echo "the same on opencl:0"
    ASHLAR_DEVICE=opencl:0 run -m "not slow_on_devices"
fi
if [ -n "${ASHLAR_CUDA_DOUBLE:-}" ]; then
    echo "what is CUDA's, on the double of its driver"
    ASHLAR_CUDA_LIBRARY=$ASHLAR_CUDA_DOUBLE ASHLAR_CUDA_LIBRARIES=ours run -k test_cuda
fi
