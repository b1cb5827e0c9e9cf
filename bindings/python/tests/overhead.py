"""What a call costs: microseconds of small operations, ours and NumPy's, the least of many rounds. Run by hand."""

import timeit

import numpy as np

import ashlar as xp

ROUNDS, CALLS = 200, 1000
EXPRESSIONS = ["a + b", "a + 1.0", "a < b", "xp.sin(a)", "xp.sum(a)", "a[1]", "float(a[1])", "a[1:3]", "a[a > 0]",
               "xp.zeros(4)", "xp.asarray([1.0, 2.0, 3.0])", "a.tolist()", "xp.reshape(a, (2, 2))", "a @ b"]


def least(expression, names):
    return min(timeit.repeat(expression, number=CALLS, repeat=ROUNDS, globals=names)) / CALLS * 1e6


print(f"{'':30} {'ashlar':>8} {'NumPy':>8}")
for e in EXPRESSIONS:
    times = [least(e, {"xp": m, "a": m.ones(4), "b": m.ones(4)}) for m in (xp, np)]
    print(f"{e:30} {times[0]:8.2f} {times[1]:8.2f}")
