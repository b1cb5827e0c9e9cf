#!/bin/sh
# Kernel text in the languages that it is to be in: OpenCL C 1.2 with and without f64, by clang, where a constant without its f
# is an error; and CUDA C++, for NVIDIA's architectures, by NVRTC and ptxas where they are installed. No device is needed.
#   $1 the program kernel-texts
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
checked=no
if command -v clang > /dev/null; then
    for text in "$folder"/kernels-*.cl "$folder"/user*.cl; do
        case $text in *alone.cl) without="-Xclang -cl-ext=-cl_khr_fp64" ;; *) without= ;; esac
        clang -x cl -cl-std=CL1.2 -target spir64 -Xclang -finclude-default-header $without -fsyntax-only -Werror "$text"
    done
    checked=yes
else
    echo "no clang: OpenCL C is not checked"
fi
if status=0 && python3 tests/check_kernels/ptx.py "$folder" || status=$?; [ $status = 0 ]; then
    checked=yes
elif [ $status != 77 ]; then
    exit $status
fi
[ $checked = yes ] || exit 77
