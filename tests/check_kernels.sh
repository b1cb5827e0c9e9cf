#!/bin/sh
# Kernel text in the languages that it is to be in: OpenCL C 1.2 with and without f64, by clang, where a constant without its f
# is an error; and CUDA C++, by NVRTC where it is installed. No device is needed.
#   $1 the program kernel-texts
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
checked=no
if command -v clang > /dev/null; then
    for text in "$folder"/*.cl; do
        case $text in *alone.cl) without="-Xclang -cl-ext=-cl_khr_fp64" ;; *) without= ;; esac
        clang -x cl -cl-std=CL1.2 -target spir64 -Xclang -finclude-default-header $without -fsyntax-only -Werror "$text"
    done
    checked=yes
else
    echo "no clang: OpenCL C is not checked"
fi
library=
for name in ${ASHLAR_NVRTC:-} /usr/local/cuda/lib64/libnvrtc.so /usr/local/cuda/lib/libnvrtc.so; do
    [ -n "$library" ] || [ ! -e "$name" ] || library=$name
done
if [ -n "$library" ]; then
    "${CC:-cc}" -o "$folder/nvrtc" tests/check_kernels/nvrtc.c -ldl
    "$folder/nvrtc" "$library" "$folder"/*.cl
    checked=yes
else
    echo "no NVRTC: CUDA C++ is not checked"
fi
[ $checked = yes ] || exit 77
