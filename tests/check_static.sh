#!/bin/bash
# check_static.sh LIBRARY - what compilers make of static.h: what they refuse, and how many instructions an offset costs.
#
# Each line of the table: what must happen, where the code stands (a statement, or the file), the code. "refused" is an error or
# a warning under -Wall -Wextra; C and C++17 must agree. Then the kernels of check_static/kernels.c under callgrind, which counts
# the same each time: offsets by static.h may take 5 % more than those written by hand, with checks 10 % more than without.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fails=0

cat > "$folder/table" << 'END'
accepted|statement|double x = *mat2_at(m, 1, 2); ASH_AT(mat2, m, 0, 0) = x; ASH_AT(mat2, m, 0, 0) += 1;
accepted|statement|const mat2 shape = mat2_shape(7); m->data[mat2_offset(&shape, 1, 6)] = 0;
accepted|statement|mat2 n = mat2_new(3); mat2 k = mat2_like(&n); n = k; mat2_release(&n);
accepted|statement|static int buffer[mat2_n0 + euler_st4]; (void)buffer; switch (m->n1) { case mat2_n0: break; }
accepted|statement|mat2f s = mat2f_new(3); *mat2f_at(&s, 1, 2) = 1.5f; ASH_AT(mat2f, &s, 0, 1) = 2; mat2f_release(&s);
accepted|statement|vec3 v = vec3_new(), w = v; w.data[0] = *vec3_at(&v, 1); struct pair { vec3 a, b; } p; p.a = w; (void)p;
accepted|statement|float values[8]; fixed f = fixed_wrap(values, 8); (void)f; fixed g = fixed_new(); fixed_release(&g);
accepted|statement|m->n1 = 4; mat2_at(m, 1, 2); mat2_offset(m, 1, 2); mat2_copy_into(m, m); ash_sum_opt(mat2_array(m), NULL);
accepted|statement|euler u = euler_new(2); double *p = euler_at(&u, 4, 3, 3, 3, 1); (void)p; euler_release(&u);
accepted|file|ASH_STATIC_ARRAY(eight, double, ASH_ROW_MAJOR, 1, ASH_DYNAMIC, 3, ASH_DYNAMIC, 5, 6, ASH_DYNAMIC, 8);
accepted|file|ASH_STATIC_ARRAY(one, double, ASH_ROW_MAJOR, ASH_DYNAMIC); ASH_STATIC_ARRAY_LIKE(like1, int, one);
accepted|file|enum { N = 3 }; ASH_STATIC_ARRAY(n3, int, ASH_ROW_MAJOR, N, 2 * N, N + 1); struct s { char c[n3_count - 71]; };
accepted|file|ASH_STATIC_ARRAY(wide, double, ASH_COL_MAJOR, 65536, 65536, 65536); struct s { char c[-wide_st2]; };
accepted|file|ASH_STATIC_VALUE(one, bool, ASH_ROW_MAJOR, 1); ASH_STATIC_VALUE(c3, ash_complex_f32, ASH_COL_MAJOR, 3);
accepted|file|ASH_STATIC_ARRAY_OF(halves, uint16_t, ASH_F16, ASH_ROW_MAJOR, ASH_DYNAMIC);
# the wrong rank
refused|statement|mat2_at(m, 1);
refused|statement|mat2_at(m, 1, 2, 3);
refused|statement|ASH_AT(mat2, m, 1) = 0;
refused|statement|mat2_offset(m, 1, 2, 3);
refused|statement|mat2f s = mat2f_new(3); *mat2f_at(&s, 1) = 1;
refused|statement|mat2f s = mat2f_new(3); *mat2f_at(&s, 1, 2, 3) = 1;
refused|statement|vec3 v = vec3_new(); *vec3_at(&v, 1, 2) = 1;
# sizes that are part of the type, or are missing
refused|statement|mat2 n = mat2_new(2, 3); (void)n;
refused|statement|mat2 n = mat2_new(); (void)n;
refused|statement|fixed f = fixed_new(2, 4); (void)f;
refused|statement|double v[6]; mat2 n = mat2_wrap(v, 6); (void)n;
refused|statement|double v[6]; mat2 n = mat2_wrap(v, 6, 2, 3); (void)n;
refused|statement|m->n0 = 2;
refused|statement|mat2f s = mat2f_new(2, 3); (void)s;
# types that do not mix
refused|statement|other2 o = *m; (void)o;
refused|statement|other2 o = other2_new(3); *m = o;
refused|statement|other2 o = other2_new(3); *mat2_at(&o, 0, 0) = 1;
refused|statement|other2 o = other2_new(3); mat2_copy_into(m, &o);
refused|statement|mat2f s = mat2f_new(3); mat2_copy_into(m, &s);
refused|statement|mat2f s = mat2f_new(3); s = *m;
refused|statement|float *p = mat2_at(m, 0, 0); (void)p;
refused|statement|double *p = mat2f_at((mat2f *)0, 0, 0); (void)p;
refused|statement|float v[6]; mat2 n = mat2_wrap(v, 6, 3); (void)n;
refused|statement|ash_array *a = *m; (void)a;
refused|statement|ash_sum_opt(m, NULL);
refused|statement|mat2_at(*m, 0, 0);
refused|statement|vec3 v = *m; (void)v;
# a value has no owner, and no memory of others
refused|statement|vec3 v = vec3_new(); vec3_release(&v);
refused|statement|int64_t x[3]; vec3 v = vec3_wrap(x, 3); (void)v;
# declarations
refused|file|ASH_STATIC_ARRAY(none, double, ASH_ROW_MAJOR, 0);
refused|file|ASH_STATIC_ARRAY(none, double, ASH_ROW_MAJOR, 2, 0, ASH_DYNAMIC);
refused|file|enum { MINUS = -1 }; ASH_STATIC_ARRAY(none, double, ASH_ROW_MAJOR, MINUS);
refused|file|ASH_STATIC_ARRAY(none, double, ASH_ROW_MAJOR, -1);
refused|file|ASH_STATIC_ARRAY(none, double, ASH_ROW_MAJOR, (3));
refused|file|ASH_STATIC_ARRAY(none, double, ASH_ROW_MAJOR);
refused|file|ASH_STATIC_ARRAY(none, double, ASH_ROW_MAJOR, 1, 2, 3, 4, 5, 6, 7, 8, 9);
refused|file|ASH_STATIC_ARRAY(none, double, ASH_STRIDED, 2);
refused|file|ASH_STATIC_ARRAY(none, double, 2, 3);
refused|file|ASH_STATIC_ARRAY(none, char, ASH_ROW_MAJOR, 2);
refused|file|ASH_STATIC_ARRAY(none, double *, ASH_ROW_MAJOR, 2);
refused|file|static int n = 3; ASH_STATIC_ARRAY(none, double, ASH_ROW_MAJOR, n);
refused|file|ASH_STATIC_VALUE(none, double, ASH_ROW_MAJOR, 3, ASH_DYNAMIC);
refused|file|ASH_STATIC_ARRAY(mat2, double, ASH_ROW_MAJOR, 3);
refused|file|ASH_STATIC_ARRAY_LIKE(none, float, unknown);
END

cat > "$folder/types.h" << 'END'
#include <ashlar/ashlar.h>
ASH_STATIC_ARRAY(mat2, double, ASH_COL_MAJOR, 2, ASH_DYNAMIC);
ASH_STATIC_ARRAY(other2, double, ASH_COL_MAJOR, 2, ASH_DYNAMIC);
ASH_STATIC_ARRAY(euler, double, ASH_COL_MAJOR, 5, 4, 4, 4, ASH_DYNAMIC);
ASH_STATIC_ARRAY(fixed, float, ASH_ROW_MAJOR, 2, 4);
ASH_STATIC_ARRAY_LIKE(mat2f, float, mat2);
ASH_STATIC_VALUE(vec3, int64_t, ASH_COL_MAJOR, 3);
END

check_table() { # check_table COMPILER FLAGS...
    while IFS='|' read -r want where code; do
        case $want in '' | \#*) continue ;; esac
        [ "$where" = file ] || code="void f(mat2 *m); void f(mat2 *m) { (void)m; $code }"
        printf '#include "types.h"\n%s\n' "$code" > "$folder/one.c"
        local got=accepted
        "$@" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -Iinclude "$folder/one.c" \
            > "$folder/out" 2>&1 || got=refused
        [ "$got" = "$want" ] || { echo "$*: $got, not $want: $code"; head -3 "$folder/out"; fails=1; }
    done < "$folder/table"
}

instructions() { # instructions PROGRAM KERNEL
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$2" "$1" "$2" 2>&1 | awk '/Collected/ {print $4}'
}

at_most() { # at_most WHAT COUNT REFERENCE PERCENT
    if [ -z "$2" ] || [ "$2" -gt $(($3 * $4 / 100)) ]; then
        echo "$1: ${2:-no} instructions, not within $4 % of $3"
        fails=1
    fi
}

count_kernels() { # count_kernels COMPILER
    local name form checks kernel hand static checked
    while read -r name form checks; do
        # v3, because valgrind has no AVX-512; contraction off, because compilers differ in it
        "$1" -std=c17 -O3 -march=x86-64-v3 -ffp-contract=off -DFORM="$form" -DASH_CHECK_BOUNDS="$checks" -Iinclude -Ibench \
            tests/check_static/kernels.c "$library" -Wl,-rpath,"$(dirname "$library")" -o "$folder/$name"
    done << 'END'
hand 0 0
static 1 0
checked 1 1
END
    for kernel in derivative flux; do
        for name in static checked; do
            [ "$("$folder/$name" $kernel)" = "$("$folder/hand" $kernel)" ] || { echo "$1: $name $kernel differs"; fails=1; }
        done
        hand=$(instructions "$folder/hand" $kernel)
        static=$(instructions "$folder/static" $kernel)
        checked=$(instructions "$folder/checked" $kernel)
        echo "$1 $kernel: $hand instructions by hand, $static by static.h, $checked with checks"
        at_most "$1 $kernel" "$static" "$hand" 105
        at_most "$1 $kernel with checks" "$checked" "$static" 110
    done
}

for pair in gcc:g++ clang:clang++; do
    cc=${pair%:*} cxx=${pair#*:}
    command -v "$cc" "$cxx" > /dev/null || { echo "$cc or $cxx is missing: not checked with it"; continue; }
    check_table "$cc" -std=c17
    check_table "$cxx" -x c++ -std=c++17
    if ! command -v valgrind > /dev/null; then
        echo "valgrind is missing: instructions are not counted"
    elif ! grep -qm1 avx2 /proc/cpuinfo; then
        echo "this processor has no AVX2: instructions are not counted"
    else
        count_kernels "$cc"
    fi
done
exit $fails
