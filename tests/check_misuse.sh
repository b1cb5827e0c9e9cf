#!/bin/bash
# check_misuse.sh - what the compiler refuses, and the traps that compile.
#
# Each line: what must happen, then a statement. "refused" is an error or a warning under -Wall -Wextra; "refused-plain" is
# one even without any -W flag; "accepted" compiles clean: those of the last group only documentation can close.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/table" << 'END'
accepted|ash_sum(a, .axes = ASH_AXES(1));
accepted|ash_sum(a, .axes = ASH_AXES(1), .drop = true);
accepted|ash_map("(x, y) -> x + y", a, 1.0f);
accepted|ash_map_with("(x, y) -> x + y", ASH_OPERANDS(a, b), .layout = ASH_COL_MAJOR);
accepted|ash_zeros(ASH_SHAPE());
accepted|ash_view(a, 0, ASH_ALL, ASH_RANGE(0, 4, 2), ASH_NEW_AXIS);
# a positional argument where a keyword belongs
refused-plain|ash_sum(a, 0);
refused-plain|ash_sum(a, 1);
refused-plain|ash_sum(a, ASH_AXES(1));
refused-plain|ash_cumsum(a, .order = ASH_ROW_MAJOR, 1);
refused-plain|ash_read_csv("a.csv", "0:4");
# a keyword that does not exist, or is given twice
refused-plain|ash_sum(a, .axs = ASH_AXES(1));
refused-plain|ash_sum(a, .descending = true);
refused|ash_sum(a, .drop = true, .drop = false);
# a number where a list belongs; 0 is a null pointer constant, so without -Wall it would mean "all axes"
refused|ash_sum(a, .axes = 0);
refused-plain|ash_sum(a, .axes = 1);
refused-plain|ash_zeros(3);
# an array or a number where an operand belongs
refused-plain|ash_sum(a, .where = b);
refused|ash_sum(a, .init = 1);
# operands of no dtype
refused-plain|ash_map("x -> x", p);
refused-plain|ash_map("x -> x", c);
refused-plain|ash_map("x -> x", 1.0L);
refused-plain|ash_map("x -> x", NULL);
refused-plain|ash_map("x -> x", "text");
refused-plain|ash_map(1, a);
refused-plain|ash_fill(a, p);
# keywords beside operands
refused-plain|ash_map("x -> x", a, .layout = ASH_COL_MAJOR);
# seventeen operands
refused-plain|ash_map("x -> x", a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a);
# missing required arguments
refused-plain|ash_sum();
refused-plain|ash_zeros();
refused-plain|ash_slice(a, 1);
# constants of another list
refused|ash_zeros(ASH_SHAPE(2), .layout = ASH_PRIVATE);
refused|ash_zeros(ASH_SHAPE(2), .dtype = ASH_COL_MAJOR);
refused-plain|ash_zeros(ASH_SHAPE(2), ASH_F64);
# scopes
refused-plain|ASH_SCOPE(s) { ash_print(a); }
refused-plain|ash_keep(nowhere, a);
# targets, trees and members
accepted|const ash_target t = ASH_TARGET(.dtype = ASH_F16); ash_adapt(a, .like = &t, .storage = ASH_PRIVATE);
accepted|ash_tree_put(ash_tree_new(), "x", a); ash_tree_put(ash_tree_new(), "x", 2.5f); ash_tree_push(ash_tree_new(), "text");
refused-plain|ash_adapt(a, ASH_F16);
refused-plain|const ash_target t = ASH_TARGET(ASH_F16);
refused|ash_adapt(a, .rule = ASH_F16);
refused-plain|ash_adapt(a, .like = b);
refused-plain|ash_tree_put(ash_tree_new(), "x", p);
refused-plain|ash_tree_put(ash_tree_new(), "x", NULL);
refused-plain|ash_tree_put(ash_tree_new(), "x", c);
refused-plain|ash_tree_put(a, "x", 1);
refused-plain|struct s { ash_array *a; float x; }; ash_member m = ASH_ARRAY_MEMBER(struct s, x);
# values that do not fit
refused|ash_i32(3000000000);
# traps
accepted|ash_map("(x, y) -> x && y", a, true);
accepted|ash_map("x -> x", 'c');
accepted|ash_dims s; { s = ASH_SHAPE(1, 2); } ash_zeros(s);
accepted|ash_view(a, ASH_RANGE(0, 0));
END

fails=0
for cc in gcc clang; do
    command -v $cc > /dev/null || { echo "$cc is missing: not checked with it"; continue; }
    while IFS='|' read -r want code; do
        case $want in '' | \#*) continue ;; esac
        flags="-Wall -Wextra -Wpedantic"
        [ "$want" = refused-plain ] && flags=
        cat > "$folder/one.c" << END
#include <ashlar/ashlar.h>
void f(ash_array *a, ash_array *b, float *p, char c);
void f(ash_array *a, ash_array *b, float *p, char c)
{
    (void)a, (void)b, (void)p, (void)c;
    $code
}
END
        # shellcheck disable=SC2086 # the flags are words
        if $cc -std=c17 $flags -Werror -fsyntax-only -Iinclude "$folder/one.c" > /dev/null 2>&1; then got=accepted; else got=refused; fi
        [ "$got" = "${want%-plain}" ] || { echo "$cc: $got, not $want: $code"; fails=1; }
    done < "$folder/table"
done
exit $fails
