#!/bin/bash
# check_install.sh BUILD - an installed tree is enough to build and run a program, through pkg-config and through CMake.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix
cmake --install "$build" --prefix "$prefix" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }

for file in include/ashlar/ashlar.h share/ashlar/ashlar.cdef share/man/man1/ashlar.1 bin/ashlar; do
    [ -f "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
"$prefix/bin/ashlar" --version | grep -qx 'ashlar [0-9]*\.[0-9]*\.[0-9]*'

want='ash.vector f32[3] cpu:0 [10.0  2.0  5.0]'
library=$(dirname "$(find "$prefix" -name 'libashlar.so' -not -path '*/native/*')") # not the link of the package for Racket
export PKG_CONFIG_PATH=$library/pkgconfig
# shellcheck disable=SC2046 # flags are words
cc -std=c17 examples/first.c $(pkg-config --cflags --libs ashlar) -Wl,-rpath,"$library" -o "$folder/first"
"$folder/first" | head -n 1 | grep -qxF "$want"

mkdir "$folder/user"
cp examples/first.c "$folder/user"
cat > "$folder/user/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
set(CMAKE_C_STANDARD 17)
find_package(ashlar 0.1 REQUIRED)
add_executable(user first.c)
target_link_libraries(user ashlar::ashlar)
END
{ cmake -S "$folder/user" -B "$folder/user/build" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$folder/user/build"; } \
    > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
(cd "$source" && "$folder/user/build/user") | head -n 1 | grep -qxF "$want"

# ashlar-mpi, where it was built: by both ways too
[ -f "$library/libashlar-mpi.so" ] || exit 0
cp examples/heat_mpi.c "$folder/user/first.c"
sed -i 's/find_package(ashlar 0.1 REQUIRED)/find_package(ashlar 0.1 REQUIRED COMPONENTS mpi)/; s/ashlar::ashlar)/ashlar::ashlar-mpi)/' \
    "$folder/user/CMakeLists.txt"
{ cmake -S "$folder/user" -B "$folder/user/build" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$folder/user/build"; } \
    > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
# shellcheck disable=SC2046
cc -std=c17 examples/heat_mpi.c $(pkg-config --cflags --libs ashlar-mpi) -Wl,-rpath,"$library" -o "$folder/heat"
for program in "$folder/user/build/user" "$folder/heat"; do
    tests/mpi/run 1 "$program" > "$folder/log" || [ $? = 77 ] || { cat "$folder/log"; exit 1; }
done
